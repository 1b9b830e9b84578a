//! `CustomData` of the scripted route: files for the node, as a cloud-config or as an Ignition document with an archive.
//!
//! For AKS images, the result only depends on their family and on four switches, so each of the few results is rendered
//! once. A machine with another image also gets the files that steps of its document need. `catalogue::node_files`
//! lists the files.

use std::borrow::Cow;
use std::sync::OnceLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::json;

use super::tar;
use crate::catalogue::node_distros::Family;
use crate::catalogue::node_files::{Carried, Content, NODE_FILES, NodeFile};
use crate::catalogue::paths;
use crate::delivery::size::{self, Contributor};
use crate::embedded::EmbeddedFile;
use crate::environment::Environment;
use crate::gzip;
use crate::inputs::MachineFacts;
use crate::rendering::render;

/// A file that `CustomData` writes on the node. Root owns all of them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DeliveredFile {
    /// The absolute path on the node.
    pub path: &'static str,
    /// The mode.
    pub mode: u32,
    content: DeliveredContent,
}

#[derive(Clone, Copy, Debug)]
enum DeliveredContent {
    Embedded(EmbeddedFile),
    Text(&'static str),
}

impl DeliveredFile {
    fn new(file: &'static NodeFile, family: Family) -> Self {
        let content = match file.content {
            Content::Embedded(file) => DeliveredContent::Embedded(file),
            Content::ByFamily(file_of) => DeliveredContent::Embedded(file_of(family)),
            Content::Text(text) | Content::Link(text) => DeliveredContent::Text(text),
            Content::Program => DeliveredContent::Text(""),
        };
        Self { path: file.path, mode: file.mode, content }
    }

    /// Returns the share of the file in `CustomData` before that is compressed, in characters of the result.
    pub(super) fn share(&self) -> Contributor {
        let size = match self.content {
            DeliveredContent::Embedded(file) => size::encoded(file.compressed.len()),
            DeliveredContent::Text(text) => text.len(),
        };
        Contributor { name: self.path.to_owned(), size: size::encoded(size) }
    }

    /// Returns the content.
    #[must_use]
    pub fn text(&self) -> String {
        match self.content {
            DeliveredContent::Embedded(file) => file.text(),
            DeliveredContent::Text(text) => text.to_owned(),
        }
    }
}

#[derive(Serialize)]
struct CloudConfigFiles {
    boot_command: &'static str,
    files: Vec<CloudConfigFile>,
}

#[derive(Serialize)]
struct CloudConfigFile {
    path: &'static str,
    permissions: String,
    is_compressed: bool,
    content: Cow<'static, str>,
}

/// What `CustomData` depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    family: Family,
    machine: MachineFacts,
    /// The rows of [`NODE_FILES`] that are always delivered, as a set of bits.
    needed: u128,
}

// One bit for each row.
const _: () = assert!(NODE_FILES.len() <= 128);

/// Families in the order of [`Selection::index`].
const FAMILIES: [Family; 5] = [Family::Ubuntu, Family::Mariner, Family::OsGuard, Family::Flatcar, Family::Acl];

/// The number of results: each family with three switches.
const RESULTS: usize = FAMILIES.len() * 8;

/// The document that the first boot reads, and the same in base64: compressed for cloud-init, uncompressed for
/// Ignition.
#[derive(Clone, Debug)]
pub(super) struct Rendered {
    pub document: String,
    pub encoded: String,
}

impl Selection {
    pub fn new(family: Family, machine: MachineFacts) -> Self {
        Self { family, machine, needed: 0 }
    }

    /// Adds the files that these variables ask for: those of an image stage, and on a machine without an AKS image those of its steps.
    pub fn with_files_for(self, environment: &Environment<'_>) -> Self {
        let MachineFacts { has_custom_image, has_scripts, .. } = self.machine;
        let is_on = |variable| environment.get(variable) == Some("true");
        let has_image = has_scripts || has_custom_image || environment.get("IS_VHD") != Some("false");
        let is_needed = |file: &NodeFile| match file.carried {
            Some(Carried::ImageStage) => !has_scripts && is_on("PRE_PROVISION_ONLY"),
            _ => !has_image && file.families.contains(&self.family) && file.needed_by.is_some_and(is_on),
        };
        let bit = |(row, file): (usize, &NodeFile)| u128::from(is_needed(file)) << row;
        Self { needed: NODE_FILES.iter().enumerate().map(bit).sum(), ..self }
    }

    /// Returns the files that are delivered, in the order of the document.
    pub fn files(self) -> impl Iterator<Item = DeliveredFile> {
        let MachineFacts { has_custom_image, has_scripts, is_in_custom_cloud, .. } = self.machine;
        let is_carried = move |when: Carried| match when {
            Carried::Scriptless => has_scripts,
            Carried::CustomCloud => !has_scripts || is_in_custom_cloud,
            Carried::Always => !has_scripts,
            Carried::Prepared => !has_scripts && !has_custom_image,
            // A variable asks for it.
            Carried::ImageStage => false,
        };
        let is_delivered =
            move |(row, file): &(usize, &NodeFile)| file.carried.is_some_and(is_carried) || self.needed >> row & 1 == 1;
        let files = NODE_FILES.iter().enumerate().filter(is_delivered);
        files.map(move |(_, file)| DeliveredFile::new(file, self.family))
    }

    /// Returns the document. A document for an AKS image is rendered by the first call.
    pub fn rendered(self) -> Cow<'static, Rendered> {
        static RENDERED: [OnceLock<Rendered>; RESULTS] = [const { OnceLock::new() }; RESULTS];
        if self.needed == 0 {
            Cow::Borrowed(RENDERED[self.index()].get_or_init(|| self.render()))
        } else {
            Cow::Owned(self.render())
        }
    }

    /// Returns the index of the result among all results.
    fn index(self) -> usize {
        let family = FAMILIES.iter().position(|family| *family == self.family).expect("the list has every family");
        let MachineFacts { has_custom_image, has_scripts, is_in_custom_cloud, .. } = self.machine;
        [has_custom_image, has_scripts, is_in_custom_cloud]
            .into_iter()
            .fold(family, |index, switch| index * 2 + usize::from(switch))
    }

    fn render(self) -> Rendered {
        if matches!(self.family, Family::Flatcar | Family::Acl) {
            let document = self.ignition();
            return Rendered { encoded: STANDARD.encode(&document), document };
        }
        let document = self.cloud_config();
        Rendered { encoded: STANDARD.encode(gzip::compress_encoded(document.as_bytes())), document }
    }

    /// Returns the files as a cloud-config.
    pub fn cloud_config(self) -> String {
        let entry = |file: DeliveredFile| {
            let (is_compressed, content) = match file.content {
                DeliveredContent::Embedded(embedded) => (true, STANDARD.encode(embedded.compressed).into()),
                DeliveredContent::Text(text) => (false, Cow::Borrowed(text.trim_end())),
            };
            CloudConfigFile { path: file.path, permissions: format!("{:04o}", file.mode), is_compressed, content }
        };
        let values = CloudConfigFiles { boot_command: BOOT_COMMAND, files: self.files().map(entry).collect() };
        render("cloud_config_files.yaml.tera", &values)
    }

    fn ignition(self) -> String {
        let mut files: Vec<_> = self.files().collect();
        files.sort_by_key(|file| FIRST.iter().position(|path| *path == file.path).unwrap_or(FIRST.len()));
        let files = files.into_iter().map(|file| (file.path.trim_start_matches('/'), file.mode, file.text()));
        let archive = gzip::compress(&tar::archive(files.chain([(BOOT_COMMANDS, 0o755, boot_commands())])));
        let units = UNITS.iter().map(|(name, contents)| json!({"name": name, "enabled": true, "contents": contents}));
        let mut storage = json!({
            "files": [{
                "path": TAR,
                "mode": 0o600,
                "overwrite": true,
                "contents": {"compression": "gzip", "source": format!("data:;base64,{}", STANDARD.encode(archive))},
            }],
        });
        if self.family == Family::Acl {
            // The image has an empty machine id, which keeps systemd from starting enabled units at the first boot.
            let links = UNITS.iter().map(|(name, _)| {
                json!({
                    "path": format!("/etc/systemd/system/sysinit.target.wants/{name}"),
                    "target": format!("/etc/systemd/system/{name}"),
                    "overwrite": true,
                })
            });
            storage["links"] = links.collect();
        }
        let document = json!({
            "ignition": {"version": "3.4.0"},
            "storage": storage,
            "systemd": {"units": units.collect::<Vec<_>>()},
        });
        document.to_string()
    }
}

/// Returns the files that `CustomData` of the scripted route writes on a node of a family.
pub fn delivered_files(family: Family, machine: MachineFacts) -> impl Iterator<Item = DeliveredFile> {
    Selection::new(family, machine).files()
}

/// Runs before files are written, and links tools of the image to the names that the scripts use.
const BOOT_COMMAND: &str = "mkdir -p /opt/bin; for name in aks-secure-tls-bootstrap-client ci-syslog-watcher.sh \
    logrotate.sh; do [ -e /opt/bin/$name ] || [ ! -e /usr/local/bin/$name ] || ln -s /usr/local/bin/$name \
    /opt/bin/$name; done";

/// The path to which Ignition writes [`BOOT_COMMAND`], which a unit runs.
pub(super) const BOOT_COMMANDS: &str = "etc/ignition-bootcmds.sh";

pub(super) fn boot_commands() -> String {
    format!("#!/bin/sh\n{BOOT_COMMAND}\n")
}

/// The first files of the archive. gzip finds what is repeated within 32 KiB, so scripts with the same helpers stand side by side.
const FIRST: [&str; 6] =
    [paths::START_SCRIPT, paths::SOURCE, paths::SOURCE_DISTRO, paths::STEPS, paths::INIT_AKS_CLOUD, paths::CONFIGS];

/// The path to which Ignition writes the archive, which a unit extracts.
const TAR: &str = "/var/lib/ignition/ignition-files.tar";

/// Ignition's units.
const UNITS: [(&str, &str); 2] = [
    ("ignition-bootcmds.service", include_str!("../../../parts/provisioning/units/ignition-bootcmds.service")),
    ("ignition-file-extract.service", include_str!("../../../parts/provisioning/units/ignition-file-extract.service")),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_selection_has_a_result_of_its_own() {
        let mut found = BTreeSet::new();
        for family in FAMILIES {
            for bits in 0..8 {
                let machine = MachineFacts {
                    has_custom_image: bits & 1 != 0,
                    has_scripts: bits & 2 != 0,
                    is_in_custom_cloud: bits & 4 != 0,
                    ignores_custom_data: false,
                };
                found.insert(Selection::new(family, machine).index());
            }
        }
        assert_eq!(found.len(), RESULTS);
        assert_eq!(found.last(), Some(&(RESULTS - 1)));
    }
}
