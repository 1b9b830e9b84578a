//! Reads the secrets of a machine, so that they can be removed from everything else.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use crate::Secret;
use crate::catalogue::{paths, variables};
use crate::environment::ImageContents;
use crate::inspection::{CommandAssignments, inspect};
use crate::redaction;
use crate::root::Root;

/// Files and directories with secrets besides [`paths::WITH_SECRETS`]: flags, and every copy of CustomData and protected settings that
/// cloud-init and the guest agent keep.
const COPIES: [&str; 8] = [
    paths::FETCHED_BOOTHOOK,
    paths::RUNNING_COMMAND,
    paths::KUBELET_DEFAULTS,
    "/run/aks-cse-early",
    "/var/lib/cloud/instance",
    "/var/lib/cloud/instance/scripts",
    paths::AGENT_DIRECTORY,
    "/var/lib/waagent/ovf-env.xml",
];

/// The most bytes of one of these files, and of all.
const LARGEST: u64 = 4 << 20;
const MOST: u64 = 64 << 20;

/// The most files.
const MOST_FILES: usize = 5000;

/// The most bytes of the secrets, each of which counts as [`EACH`] bytes more: to look for it, in every encoding, takes memory.
const MOST_SECRETS: usize = 16 << 20;
const EACH: usize = 256;

/// Returns every value on a machine that can be a secret and that this process can read. Symbolic links lead where they lead on the
/// machine, so that a copy of its disk has the same secrets.
///
/// # Errors
/// Fails if the directory cannot be read, or if there is too much: a secret that is not known could be shown.
pub fn secrets(root: &Path) -> io::Result<Vec<Secret<'static>>> {
    let mut search = Search { root: Root::new(root)?, found: BTreeSet::new(), bytes: MOST, files: MOST_FILES };
    for file in paths::WITH_SECRETS.into_iter().chain(COPIES) {
        let Ok(location) = search.root.location(Path::new(file)) else { continue };
        if !location.is_dir() {
            search.file(Path::new(file))?;
            continue;
        }
        let Ok(entries) = fs::read_dir(&location) else { continue };
        for name in entries.flatten().map(|entry| entry.file_name()) {
            let text = name.to_string_lossy();
            // The guest agent keeps many other files beside keys and settings.
            if file != paths::AGENT_DIRECTORY || [".prv", ".xml", ".pem"].iter().any(|suffix| text.ends_with(suffix)) {
                search.file(&Path::new(file).join(&name))?;
            }
        }
    }
    Ok(search.found.into_iter().collect())
}

/// The secrets found so far, and the remaining read budget.
struct Search {
    root: Root,
    found: BTreeSet<Secret<'static>>,
    bytes: u64,
    files: usize,
}

impl Search {
    fn file(&mut self, path: &Path) -> io::Result<()> {
        let Ok(bytes) = self.root.read(path, LARGEST + 1) else { return Ok(()) };
        if bytes.len() as u64 > LARGEST {
            let (mib, path) = (LARGEST >> 20, path.display());
            return Err(io::Error::other(format!("{path} can have secrets and is larger than {mib} MiB")));
        }
        let left = self.bytes.checked_sub(bytes.len() as u64).zip(self.files.checked_sub(1));
        let Some((bytes_left, files_left)) = left else {
            let mib = MOST >> 20;
            let problem = format!("more than {MOST_FILES} files or {mib} MiB can have secrets");
            return Err(io::Error::other(problem));
        };
        (self.bytes, self.files) = (bytes_left, files_left);
        of_file(path, &bytes, &mut self.found);
        let size: usize = self.found.iter().map(|secret| secret.expose().len() + EACH).sum();
        if size > MOST_SECRETS { Err(io::Error::other("has too many secrets to look for")) } else { Ok(()) }
    }
}

fn of_file(path: &Path, bytes: &[u8], found: &mut BTreeSet<Secret<'static>>) {
    let text = String::from_utf8_lossy(bytes);
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
    // The delivered text itself, and the content of CustomData, which the host's file has in an element.
    let elements = text.split(['<', '>']).filter(|element| name.ends_with(".xml") && element.len() > 100);
    for content in elements.map(str::as_bytes).chain([bytes]) {
        let mut inspection = inspect(content, &ImageContents::default());
        let variables = std::mem::take(&mut inspection.variables).into_iter();
        found.extend(variables.filter(|(name, _)| is_secret(name)).map(|(_, value)| value));
        for file in &inspection.files {
            found.extend(redaction::values(&String::from_utf8_lossy(&file.content)));
        }
    }
}
