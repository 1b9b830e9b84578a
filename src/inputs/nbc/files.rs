//! `CustomData` of the scripted route: files for the node, as cloud-config or as an Ignition document with a tar.
//!
//! Nothing in it depends on the request but the family and three switches, so each of the few results is made once. The
//! files are those of `catalogue::node_files`.

use std::io::{self, Write};
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, GzBuilder};
use serde::Serialize;
use serde_json::json;

use super::Classic;
use crate::catalogue::node_distros::Family;
use crate::catalogue::node_files::{Carried, Content, NODE_FILES, NodeFile};
use crate::parts::Part;
use crate::rendering::Template;

/// A file that `CustomData` puts on the node of a family. All belong to root.
#[derive(Clone, Copy, Debug)]
pub struct CarriedFile {
    /// Where it goes.
    pub path: &'static str,
    /// Its mode.
    pub mode: u32,
    content: CarriedContent,
}

#[derive(Clone, Copy, Debug)]
enum CarriedContent {
    Part(Part),
    Text(&'static str),
}

impl CarriedFile {
    fn of(file: &'static NodeFile, family: Family) -> Self {
        let content = match file.content {
            Content::Part(part) => CarriedContent::Part(part),
            Content::ByFamily(part_of) => CarriedContent::Part(part_of(family)),
            Content::Text(text) | Content::Link(text) => CarriedContent::Text(text),
            Content::Program => CarriedContent::Text(""),
        };
        Self { path: file.path, mode: file.mode, content }
    }

    /// What is in it.
    #[must_use]
    pub fn text(&self) -> String {
        match self.content {
            CarriedContent::Part(part) => part.text(),
            CarriedContent::Text(text) => text.to_owned(),
        }
    }
}

/// Which of the few results it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    family: Family,
    is_customized: bool,
    scripts_of_the_image: bool,
    is_custom_cloud: bool,
}

impl Kind {
    fn of(classic: &Classic<'_>) -> Self {
        let family = classic.family();
        match classic {
            Classic::Nbc(nbc) => Self {
                family,
                is_customized: nbc.distro.is_customized,
                scripts_of_the_image: nbc.scripts_of_the_image,
                is_custom_cloud: nbc.is_custom_cloud,
            },
            Classic::Configuration(..) => {
                Self { family, is_customized: false, scripts_of_the_image: false, is_custom_cloud: false }
            }
        }
    }

    fn files(self) -> impl Iterator<Item = CarriedFile> {
        let carries = move |when: Carried| match when {
            Carried::Scriptless => self.scripts_of_the_image,
            Carried::CustomCloud => !self.scripts_of_the_image || self.is_custom_cloud,
            Carried::Always => !self.scripts_of_the_image,
            Carried::Prepared => !self.scripts_of_the_image && !self.is_customized,
        };
        let files = NODE_FILES.iter().filter(move |file| file.carried.is_some_and(carries));
        files.map(move |file| CarriedFile::of(file, self.family))
    }

    fn uses_ignition(self) -> bool {
        matches!(self.family, Family::Flatcar | Family::Acl)
    }

    /// The number of the result.
    fn number(self) -> usize {
        let family = match self.family {
            Family::Ubuntu => 0,
            Family::Mariner => 1,
            Family::OsGuard => 2,
            Family::Flatcar => 3,
            Family::Acl => 4,
        };
        ((family * 2 + usize::from(self.is_customized)) * 2 + usize::from(self.scripts_of_the_image)) * 2
            + usize::from(self.is_custom_cloud)
    }
}

/// The files that a request puts on its node.
pub fn node_files(classic: &Classic<'_>) -> impl Iterator<Item = CarriedFile> + use<> {
    Kind::of(classic).files()
}

/// What is done before files are written: tools of the image get the names by which they are called.
const BOOT_COMMAND: &str = "mkdir -p /opt/bin; for name in aks-secure-tls-bootstrap-client ci-syslog-watcher.sh \
    logrotate.sh; do [ -e /opt/bin/$name ] || [ ! -e /usr/local/bin/$name ] || ln -s /usr/local/bin/$name \
    /opt/bin/$name; done";

/// Where Ignition puts the files, for a unit to unpack.
const TAR: &str = "/var/lib/ignition/ignition-files.tar";

/// Both of Ignition's units.
const UNITS: [(&str, &str); 2] = [
    ("ignition-file-extract.service", include_str!("../../../parts/provisioning/units/ignition-file-extract.service")),
    ("ignition-bootcmds.service", include_str!("../../../parts/provisioning/units/ignition-bootcmds.service")),
];

/// The document that the first boot reads, and its `CustomData`: gzip'd for cloud-init, plain for Ignition.
#[derive(Debug)]
pub(super) struct Made {
    document: String,
    encoded: String,
}

/// Makes or finds the document and `CustomData` of a request.
#[must_use]
pub fn custom_data(classic: &Classic<'_>) -> (&'static str, &'static str) {
    static MADE: [LazyLock<Made, fn() -> Made>; 40] = {
        macro_rules! made {
            ($($number:literal)*) => { [$(LazyLock::new(|| make(kind($number)))),*] };
        }
        made!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39)
    };
    let made = &*MADE[Kind::of(classic).number()];
    (&made.document, &made.encoded)
}

/// The result of a number.
fn kind(number: usize) -> Kind {
    Kind {
        family: [Family::Ubuntu, Family::Mariner, Family::OsGuard, Family::Flatcar, Family::Acl][number / 8],
        is_customized: number / 4 % 2 == 1,
        scripts_of_the_image: number / 2 % 2 == 1,
        is_custom_cloud: number % 2 == 1,
    }
}

fn make(kind: Kind) -> Made {
    if kind.uses_ignition() {
        let document = ignition(kind);
        return Made { encoded: STANDARD.encode(&document), document };
    }
    let document = cloud_config(kind);
    Made { encoded: STANDARD.encode(gzip(document.as_bytes())), document }
}

/// The same bytes every time: no name, no time.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes everything")
}

#[derive(Serialize)]
struct CloudConfigFiles {
    boot_command: String,
    files: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    path: &'static str,
    permissions: String,
    packed: bool,
    content: String,
}

fn cloud_config(kind: Kind) -> String {
    let files = kind.files().map(|file| {
        let (packed, content) = match file.content {
            CarriedContent::Part(part) => (true, STANDARD.encode(part.compressed)),
            CarriedContent::Text(text) => (false, text.trim_end().to_owned()),
        };
        Entry { path: file.path, permissions: format!("{:04o}", file.mode), packed, content }
    });
    // A JSON text is a YAML one too.
    let boot_command = json!(BOOT_COMMAND).to_string();
    let context = CloudConfigFiles { boot_command, files: files.collect() };
    Template::CLOUD_CONFIG_FILES.render(&context, 64 << 10) + "\n"
}

fn ignition(kind: Kind) -> String {
    let boot_commands = format!("#!/bin/sh\n{BOOT_COMMAND}\n");
    let tar = tar(kind, &boot_commands).expect("memory takes everything, and paths are short");
    let units = UNITS.iter().map(|(name, contents)| json!({"name": name, "enabled": true, "contents": contents}));
    let mut storage = json!({
        "files": [{
            "path": TAR,
            "mode": 0o600,
            "overwrite": true,
            "contents": {"compression": "gzip", "source": format!("data:;base64,{}", STANDARD.encode(gzip(&tar)))},
        }],
    });
    if kind.family == Family::Acl {
        // Its machine id is empty, which keeps enabled units from starting at the first boot.
        let links = UNITS.iter().map(|(name, _)| {
            json!({
                "path": format!("/etc/systemd/system/sysinit.target.wants/{name}"),
                "target": format!("/etc/systemd/system/{name}"),
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

/// The files and a last script as an archive without names of owners and times.
fn tar(kind: Kind, boot_commands: &str) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    let files = kind.files().map(|file| (file.path, file.mode, file.text()));
    for (path, mode, content) in files.chain([("/etc/ignition-bootcmds.sh", 0o755, boot_commands.to_owned())]) {
        let mut header = tar::Header::new_gnu();
        header.set_mode(mode);
        header.set_size(content.len() as u64);
        archive.append_data(&mut header, path.trim_start_matches('/'), content.as_bytes())?;
    }
    archive.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_one_result() {
        for number in 0..40 {
            assert_eq!(kind(number).number(), number);
        }
    }
}
