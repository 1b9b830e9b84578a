//! The locations of the secrets of a delivery, and their possible readers.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use aho_corasick::AhoCorasick;

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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
        let mut found: BTreeMap<String, Vec<SecretPlace>> = BTreeMap::new();
        let mut seen = HashSet::new();
        let mut add = |name: &str, carrier: Carrier, files: Vec<SecretPlace>| {
            let places = found.entry(name.to_owned()).or_default();
            for place in places_of(carrier).into_iter().chain(files) {
                if seen.insert((name.to_owned(), place.clone())) {
                    places.push(place);
                }
            }
        };
        let mut modes = HashMap::new();
        for file in &self.files {
            modes.entry(file.path.as_str()).or_insert(file.mode);
        }
        for Source { name, carrier, files } in &self.sources {
            add(name, *carrier, files_at(files, &modes));
        }
        let values = Values::new(self);
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
                for name in values.named_in(file) {
                    add(name, file.carrier, here());
                }
            }
        }
        found.into_iter().map(|(name, places)| FoundSecret { name, places }).collect()
    }
}

/// Returns the places of files. A file of the CSE command can come earlier, by a path of its own.
fn files_at(paths: &[String], modes: &HashMap<&str, Option<u32>>) -> Vec<SecretPlace> {
    let mut places = Vec::new();
    for path in paths {
        if path == paths::SECOND_BOOTHOOK {
            places.push(file(paths::FETCHED_BOOTHOOK, Some(0o600)));
        }
        places.push(file(path, modes.get(path.as_str()).copied().flatten()));
    }
    places
}

/// The values of secrets, which files may contain.
struct Values<'i> {
    /// `None` if there are none.
    automaton: Option<AhoCorasick>,
    /// The names of those with the same value, by the number of the pattern.
    names: Vec<Vec<&'i str>>,
}

impl<'i> Values<'i> {
    fn new(inspection: &'i Inspection) -> Self {
        /// A shorter value can be in a text by chance.
        const SHORTEST: usize = 8;
        let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for Source { name, .. } in &inspection.sources {
            let value = inspection.variables.get(name).map(Secret::expose).filter(|value| value.len() >= SHORTEST);
            if let Some(value) = value {
                names.entry(value).or_default().push(name);
            }
        }
        let automaton = (!names.is_empty()).then(|| AhoCorasick::new(names.keys()).ok()).flatten();
        Self { automaton, names: names.into_values().collect() }
    }

    /// Returns the names of secrets whose value a file contains.
    fn named_in(&self, file: &FoundFile) -> BTreeSet<&'i str> {
        let hits = self.automaton.iter().flat_map(|automaton| automaton.find_overlapping_iter(&file.content));
        // Values that begin alike could each be found at every byte.
        let patterns: BTreeSet<usize> = hits.take(file.content.len()).map(|hit| hit.pattern().as_usize()).collect();
        patterns.into_iter().flat_map(|pattern| self.names[pattern].iter().copied()).collect()
    }
}
