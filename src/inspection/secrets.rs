//! The locations of the secrets of a delivery, and their possible readers.

use memchr::memmem;

use super::found::{Carrier, FoundFile, Inspection, Source, is_input_path};
use super::redaction::has_secrets;
use crate::Secret;
use crate::catalogue::paths;
use crate::redaction;

/// A secret of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundSecret {
    /// A variable, a field of the Configuration, a feature, or a file that is secret as a whole.
    pub name: String,
    /// Where it lies, without repetitions.
    pub places: Vec<SecretPlace>,
}

/// A place where a secret lies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SecretPlace {
    /// The kind of place in JSON: `custom-data`, `user-data`, `protected-settings`, `public-settings`, `process-list` or
    /// `file`.
    pub kind: &'static str,
    /// The place for people; the path of a file.
    pub title: String,
    /// The mode of a file; `None` if the program that writes the file decides.
    pub mode: Option<u32>,
    /// Who can read it there.
    pub readers: &'static str,
}

/// Who can read what only root can.
const ROOT: &str = "root on the node";

/// Returns the places of everything that a carrier has.
fn places_of(carrier: Carrier) -> Vec<SecretPlace> {
    let place = |kind, title: &str, readers| SecretPlace { kind, title: title.to_owned(), mode: None, readers };
    // The shell that runs the command has it as an argument.
    let process_list = place("process-list", "process list", "every local user of the node, while the command runs");
    match carrier {
        Carrier::CustomData => vec![place("custom-data", "CustomData and its copies on the node", ROOT)],
        Carrier::UserData => {
            vec![place("user-data", "user data in the metadata service", "every process and every pod on the node")]
        }
        Carrier::ProtectedSettings => vec![
            place(
                "protected-settings",
                "protected settings of the extension",
                "every process on the node that reaches 168.63.129.16, until the guest agent's firewall is up; then root",
            ),
            process_list,
        ],
        Carrier::PublicSettings => vec![
            place("public-settings", "public settings of the extension", "everyone who can read the machine in Azure"),
            process_list,
        ],
    }
}

/// Returns the place of a file with a mode.
fn file(path: &str, mode: Option<u32>) -> SecretPlace {
    let readers = match mode.unwrap_or(0o644) {
        mode if mode & 0o004 != 0 => "every process on the node",
        mode if mode & 0o040 != 0 => "root on the node and the group of the file",
        _ => ROOT,
    };
    SecretPlace { kind: "file", title: path.to_owned(), mode, readers }
}

impl Inspection {
    /// Returns every secret that the delivery carries, by name, with the places where it lies.
    #[must_use]
    pub fn secret_places(&self) -> Vec<FoundSecret> {
        let mut found: Vec<FoundSecret> = Vec::new();
        let mut add = |name: &str, carrier: Carrier, files: Vec<SecretPlace>| {
            let at = found.iter().position(|secret| secret.name == name).unwrap_or_else(|| {
                found.push(FoundSecret { name: name.to_owned(), places: Vec::new() });
                found.len() - 1
            });
            for place in places_of(carrier).into_iter().chain(files) {
                if !found[at].places.contains(&place) {
                    found[at].places.push(place);
                }
            }
        };
        for Source { name, carrier, files } in &self.sources {
            add(name, *carrier, self.files_at(files));
        }
        for file in self.files.iter().filter(|file| !is_input_path(&file.path)) {
            let Ok(text) = std::str::from_utf8(&file.content) else { continue };
            let here = || vec![self::file(&file.path, file.mode)];
            if file.path == paths::FEATURES {
                for name in text.lines().filter_map(redaction::secret_assignment) {
                    add(&format!("feature {name}"), file.carrier, here());
                }
            } else if has_secrets(&file.path) {
                if !redaction::values(text).is_empty() {
                    add(&file.path, file.carrier, here());
                }
            } else {
                for name in self.named_in(file) {
                    add(name, file.carrier, here());
                }
            }
        }
        found.sort_by(|one, other| one.name.cmp(&other.name));
        found
    }

    /// Returns the places of files. A file of the CSE command can come earlier, by a path of its own.
    fn files_at(&self, paths: &[String]) -> Vec<SecretPlace> {
        let mut places = Vec::new();
        for path in paths {
            let mode = self.files.iter().find(|file| file.path == *path).and_then(|file| file.mode);
            if path == paths::SECOND_BOOTHOOK {
                places.push(file(paths::FETCHED_BOOTHOOK, Some(0o600)));
            }
            places.push(file(path, mode));
        }
        places
    }

    /// Returns the names of secrets whose value a file contains.
    fn named_in(&self, file: &FoundFile) -> impl Iterator<Item = &str> {
        /// A shorter value can be in a text by chance.
        const SHORTEST: usize = 8;
        let names = self.sources.iter().map(|source| source.name.as_str());
        names.filter(move |name| {
            let value = self.variables.get(*name).map(Secret::expose).filter(|value| value.len() >= SHORTEST);
            value.is_some_and(|value| memmem::find(&file.content, value.as_bytes()).is_some())
        })
    }
}
