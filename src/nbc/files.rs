//! `CustomData` of the scripted route: files for the node, as cloud-config or as an Ignition document with a tar.
//!
//! Nothing in it depends on the request but the family and two switches, so each of the few results is made once.
//! To add a file: one row in [`FILES`], its content under `parts/provisioning`.

use std::io::{self, Write};
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, GzBuilder};
use serde::Serialize;
use serde_json::json;

use super::Classic;
use crate::catalogue::node_distros::Family;
use crate::rendering::Template;

/// A file that `CustomData` puts on the node. All belong to root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeFile {
    /// Where it goes.
    pub path: &'static str,
    /// Its mode.
    pub mode: u32,
    /// What is in it.
    pub content: &'static str,
    /// When it is there.
    when: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Always,
    /// Not on the customer's own images.
    Prepared,
    /// Only where scripts come from the image.
    Scriptless,
    /// Always, and where scripts come from the image only in a custom cloud.
    CustomCloud,
}

/// Scripts that are not part of this version yet.
const NOT_YET: &str = include_str!("../../parts/provisioning/not_yet.sh");

const fn script(path: &'static str, content: &'static str) -> NodeFile {
    NodeFile { path, mode: 0o744, content, when: When::Always }
}

/// In their order.
static FILES: [NodeFile; 13] = [
    NodeFile {
        path: "/opt/azure/containers/scriptless-cse-overrides.txt",
        mode: 0o644,
        content: "scripts come from the image\n",
        when: When::Scriptless,
    },
    script("/opt/azure/containers/provision_source.sh", NOT_YET),
    script("/opt/azure/containers/provision_source_distro.sh", NOT_YET),
    NodeFile {
        when: When::Prepared,
        ..script(
            "/opt/azure/containers/provision_start.sh",
            include_str!("../../parts/provisioning/provision_start.sh"),
        )
    },
    script("/opt/azure/containers/provision.sh", NOT_YET),
    script("/opt/azure/containers/provision_installs.sh", NOT_YET),
    script("/opt/azure/containers/provision_installs_distro.sh", NOT_YET),
    script("/opt/azure/containers/provision_configs.sh", NOT_YET),
    NodeFile {
        when: When::CustomCloud,
        ..script("/opt/azure/containers/init-aks-cloud.sh", include_str!("../../parts/provisioning/init-aks-cloud.sh"))
    },
    NodeFile {
        path: "/etc/systemd/system/reconcile-private-hosts.service",
        mode: 0o644,
        content: include_str!("../../parts/provisioning/reconcile-private-hosts.service"),
        when: When::Always,
    },
    NodeFile {
        path: "/etc/systemd/system/kubelet.service",
        mode: 0o600,
        content: include_str!("../../parts/provisioning/kubelet.service"),
        when: When::Always,
    },
    NodeFile {
        path: "/opt/azure-network/configure-azure-network.sh",
        mode: 0o755,
        content: include_str!("../../parts/provisioning/configure-azure-network.sh"),
        when: When::Always,
    },
    NodeFile {
        path: "/etc/udev/rules.d/99-azure-network.rules",
        mode: 0o644,
        content: include_str!("../../parts/provisioning/99-azure-network.rules"),
        when: When::Always,
    },
];

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

    fn files(self) -> impl Iterator<Item = &'static NodeFile> {
        FILES.iter().filter(move |file| match file.when {
            When::Scriptless => self.scripts_of_the_image,
            When::CustomCloud => !self.scripts_of_the_image || self.is_custom_cloud,
            When::Always => !self.scripts_of_the_image,
            When::Prepared => !self.scripts_of_the_image && !self.is_customized,
        })
    }

    fn uses_ignition(self) -> bool {
        matches!(self.family, Family::Flatcar | Family::Acl)
    }

    /// The number of the result: families that get the same share one.
    fn number(self) -> usize {
        let reader = match self.family {
            Family::Acl => 2,
            Family::Flatcar => 1,
            Family::OsGuard | Family::Mariner | Family::Ubuntu => 0,
        };
        ((reader * 2 + usize::from(self.is_customized)) * 2 + usize::from(self.scripts_of_the_image)) * 2
            + usize::from(self.is_custom_cloud)
    }
}

/// The files that a request puts on its node.
pub fn node_files(classic: &Classic<'_>) -> impl Iterator<Item = &'static NodeFile> + use<> {
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
    ("ignition-file-extract.service", include_str!("../../parts/provisioning/ignition-file-extract.service")),
    ("ignition-bootcmds.service", include_str!("../../parts/provisioning/ignition-bootcmds.service")),
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
    static MADE: [LazyLock<Made, fn() -> Made>; 24] = {
        macro_rules! made {
            ($($number:literal)*) => { [$(LazyLock::new(|| make(kind($number)))),*] };
        }
        made!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23)
    };
    let made = &*MADE[Kind::of(classic).number()];
    (&made.document, &made.encoded)
}

/// The result of a number.
fn kind(number: usize) -> Kind {
    Kind {
        family: [Family::Ubuntu, Family::Flatcar, Family::Acl][number / 8],
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
        let packed = file.when != When::Scriptless;
        let content =
            if packed { STANDARD.encode(gzip(file.content.as_bytes())) } else { file.content.trim_end().to_owned() };
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
    let files = kind.files().map(|file| (file.path, file.mode, file.content));
    for (path, mode, content) in files.chain([("/etc/ignition-bootcmds.sh", 0o755, boot_commands)]) {
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
        for number in 0..24 {
            assert_eq!(kind(number).number(), number);
        }
    }
}
