//! An archive of the evidence of a diagnosis, without secrets, to attach to a ticket.

use std::fmt::Write;
use std::io;

use serde_json::{Value, json};

use super::reading::{ANSWERS, BUNDLE_DIRECTORY, BUNDLE_INDEX};
use super::{Diagnosis, Evidence, Item, Moment, Source};
use crate::gzip;

/// Mode of the files in the archive.
const MODE: u32 = 0o600;

/// What archives of this program never contain, and why.
const NEVER: &str = "Never part of this archive, because it contains secrets:
- inputs of the controller and CSE commands: only their existence is recorded
- kubeconfigs, keys and certificates below /etc/kubernetes and /var/lib/kubelet, azure.json, sp.txt
- CustomData and its copies of cloud-init and the guest agent, protected settings of extensions
- credentials of registries, package sources and proxies, and the environment of processes

Never part of this archive, because it is not about provisioning:
- logs of pods and of other extensions, package databases, tables of the kernel
";

/// Returns a tar.gz archive with the texts of the evidence, the diagnosis for people and for programs, and a list of
/// omissions. The same evidence gives the same bytes. [`reading::archive`](super::reading::archive) can read it.
///
/// The evidence must be [redacted](crate::redaction::Redactor::redact), and the diagnosis must be of this evidence.
///
/// # Errors
/// Fails if a path is too long for the archive.
pub fn bundle(evidence: &Evidence, diagnosis: &Diagnosis) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut add = |name: &str, text: &str, modified: Option<Moment>| {
        let mut header = tar::Header::new_gnu();
        header.set_mode(MODE);
        header.set_size(text.len() as u64);
        header.set_mtime(modified.and_then(|time| u64::try_from(time.0 / 1000).ok()).unwrap_or(0));
        archive.append_data(&mut header, format!("{BUNDLE_DIRECTORY}{name}"), text.as_bytes())
    };
    let [text, json, omitted] = ANSWERS;
    add(text, &diagnosis.to_text(&|_, text| text.to_owned()), None)?;
    add(json, &format!("{:#}\n", diagnosis.to_json()), None)?;
    add(omitted, &left_out(evidence), None)?;
    add(BUNDLE_INDEX, &format!("{:#}\n", index(evidence)), None)?;
    for item in &evidence.items {
        add(item.path.trim_start_matches('/'), &item.text, item.modified)?;
    }
    Ok(gzip::compress(&archive.into_inner()?))
}

/// Returns the facts about the evidence that are not in the texts.
fn index(evidence: &Evidence) -> Value {
    let item = |item: &Item| json!({"path": item.path, "leftOut": item.left_out, "modified": item.modified.map(|time| time.to_string())});
    json!({
        "checks": evidence.checks,
        "isRunning": evidence.is_running,
        "items": evidence.items.iter().map(item).collect::<Value>(),
        "unread": evidence.unread,
    })
}

fn left_out(evidence: &Evidence) -> String {
    let mut text =
        "[redacted] replaces anything that has the form of a secret, and every secret of the machine that could be read.\n\n"
            .to_owned();
    text.push_str(NEVER);
    let mut title = Some("\nLeft out of this archive:\n");
    for item in &evidence.items {
        let why = match (item.source, item.left_out) {
            (Source::Hotfix, _) => "only its presence counts".to_owned(),
            (Source::Input, _) => "its content is secret".to_owned(),
            (_, 0) => continue,
            (_, left_out) => format!("{left_out} bytes in the middle; the beginning and the end are included"),
        };
        let _ = writeln!(text, "{}- {}: {why}", title.take().unwrap_or_default(), item.path);
    }
    for unread in &evidence.unread {
        let _ = writeln!(text, "{}- {}: {}", title.take().unwrap_or_default(), unread.path, unread.problem);
    }
    text
}
