//! Reads the secrets of a machine, so that they can be taken out of everything else.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::Secret;
use crate::catalogue::{paths, variables};
use crate::diagnosis::redaction;
use crate::environment::ImageContents;
use crate::inspection::{CommandAssignments, inspect};

/// Files with secrets, and directories whose files have some. `docs` of a node list them: shared secrets, keys, kubeconfigs,
/// registries, proxies, and everything that cloud-init and the guest agent keep of CustomData and protected settings.
const FILES: [&str; 26] = [
    paths::CONFIGURATION,
    paths::COMMAND,
    paths::SECOND_BOOTHOOK,
    "/opt/bin/boothook.sh",
    paths::AZURE_JSON,
    paths::SERVICE_PRINCIPAL,
    "/etc/kubernetes/certs",
    paths::BOOTSTRAP_KUBECONFIG,
    paths::KUBECONFIG,
    "/var/lib/kubelet/pki",
    "/var/lib/kubelet/config.json",
    "/etc/oras/config.yaml",
    "/root/.docker/config.json",
    "/etc/environment",
    "/etc/systemd/system.conf.d/proxy.conf",
    "/etc/apt/apt.conf.d/95proxy",
    "/etc/apt/auth.conf",
    "/etc/apt/auth.conf.d",
    "/etc/cni/net.d",
    "/etc/default/secure-tls-bootstrap",
    paths::KUBELET_DEFAULTS,
    "/run/aks-cse-early",
    "/var/lib/cloud/instance",
    "/var/lib/cloud/instance/scripts",
    "/var/lib/waagent",
    "/var/lib/waagent/ovf-env.xml",
];

/// The most bytes of a file that are read.
const LARGEST: u64 = 4 << 20;

/// Returns every value on a machine that may be a secret, as far as this process may read it.
#[must_use]
pub fn secrets(root: &Path) -> Vec<Secret<'static>> {
    let mut found = BTreeSet::new();
    for file in FILES {
        let path = root.join(file.trim_start_matches('/'));
        if path.is_dir() {
            let Ok(entries) = fs::read_dir(&path) else { continue };
            for entry in entries.flatten().take(500) {
                let is_of_agent = file == "/var/lib/waagent";
                let name = entry.file_name();
                let name = name.to_string_lossy();
                // The guest agent keeps much beside keys and settings.
                if !is_of_agent || name.ends_with(".prv") || name.ends_with(".xml") || name.ends_with(".pem") {
                    of_file(&entry.path(), &mut found);
                }
            }
        } else {
            of_file(&path, &mut found);
        }
    }
    found.into_iter().collect()
}

fn of_file(path: &Path, found: &mut BTreeSet<Secret<'static>>) {
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return;
    }
    let mut bytes = Vec::new();
    let Ok(file) = File::open(path) else { return };
    if file.take(LARGEST).read_to_end(&mut bytes).is_err() {
        return;
    }
    let text = String::from_utf8_lossy(&bytes);
    found.extend(redaction::values(&text));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name == "sp.txt" {
        let words = text.split(|letter: char| letter.is_whitespace() || "\"',:=".contains(letter));
        found.extend(words.filter(|word| word.len() >= 6).map(|word| Secret::from(word.to_owned())));
    }
    let is_secret = |name: &str| variables::variable(name).is_some_and(|variable| variable.secret);
    let assignments = CommandAssignments::scan(&text);
    let of_command = assignments.iter().chain(assignments.executed()).filter(|(name, _)| is_secret(name));
    found.extend(of_command.map(|(_, value)| Secret::from(value.expose().to_owned())));
    // Both what is delivered as it is, and what is packed in CustomData. The file of the host has that in an element.
    let elements = text.split(['<', '>']).filter(|element| name.ends_with(".xml") && element.len() > 100);
    for content in elements.map(str::as_bytes).chain([bytes.as_slice()]) {
        let mut inspection = inspect(content, &ImageContents::default());
        let variables = std::mem::take(&mut inspection.variables).into_iter();
        found.extend(variables.filter(|(name, _)| is_secret(name)).map(|(_, value)| value));
        for file in &inspection.files {
            found.extend(redaction::values(&String::from_utf8_lossy(&file.content)));
        }
    }
}
