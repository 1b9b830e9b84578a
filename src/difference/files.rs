//! Compares files: their content by its format, their mode and their owner.

use std::collections::BTreeSet;

use super::align::{by_name, numbered};
use super::found::{ChangedFile, Detail, FileChange};
use super::value::{Place, Shown, Writer};
use super::{fields, payload};
use crate::catalogue::formats::Format;
use crate::catalogue::paths;
use crate::configuration::Configuration;
use crate::document::DocPath;
use crate::inspection::{FoundFile, Inspection, SECRET_FILES, besides_variables_and_files};
use crate::redaction::Redactor;

fn named(file: &FoundFile) -> (&str, &FoundFile) {
    (&file.path, file)
}

/// Returns the files that differ.
pub(super) fn compare(a: &Inspection, b: &Inspection, secrets: &Redactor) -> Vec<ChangedFile> {
    let sides = by_name(numbered(a.files.iter().map(named)), numbered(b.files.iter().map(named)));

    let mut found = Vec::new();
    for ((path, _), sides) in sides {
        let format = Format::of_path(path);
        let mut add = |change, a: Option<String>, b: Option<String>, details| {
            found.push(ChangedFile { path: path.to_owned(), change, format, a, b, details });
        };
        let size = |file: &FoundFile| Some(format!("{} bytes", file.content.len()));
        match sides {
            (None, None) => {}
            (Some(file), None) => add(FileChange::Removed, size(file), None, Vec::new()),
            (None, Some(file)) => add(FileChange::Added, None, size(file), Vec::new()),
            (Some(one), Some(other)) => {
                if let Some(details) = content(one, other, format, secrets) {
                    add(FileChange::Content, size(one), size(other), details);
                }
                if mode(one) != mode(other) {
                    let shown =
                        |file: &FoundFile| Some(mode(file).map_or("default".to_owned(), |mode| format!("{mode:04o}")));
                    add(FileChange::Mode, shown(one), shown(other), Vec::new());
                }
                if owner(one) != owner(other) {
                    add(FileChange::Owner, Some(owner(one)), Some(owner(other)), Vec::new());
                }
            }
        }
    }
    found
}

/// Returns how the contents of a file differ; `None` if they have the same meaning.
fn content(a: &FoundFile, b: &FoundFile, format: Format, secrets: &Redactor) -> Option<Vec<Detail>> {
    if a.content == b.content {
        return None;
    }
    let for_everyone = |file: &FoundFile| mode(file).is_none_or(|mode| mode & 0o004 != 0);
    // These have mode 0600 like the files beside them, not because of their content.
    let is_open = [paths::FEATURES, paths::HOTFIX].contains(&a.path.as_str());
    let is_public = is_open || for_everyone(a) && for_everyone(b) && !SECRET_FILES.contains(&a.path.as_str());
    let writer = Writer::new(secrets, if is_public { Shown::File } else { Shown::Nothing });
    let mut details = match a.path.as_str() {
        // Variables, and files in a script, are compared on their own.
        paths::COMMAND | paths::SECOND_BOOTHOOK => {
            let rest = |file: &FoundFile| besides_variables_and_files(&String::from_utf8_lossy(&file.content));
            payload::lines(&rest(a), &rest(b), &writer)
        }
        _ => payload::compare(&a.content, &b.content, format, &writer),
    };
    if a.path == paths::EXTRA_FILES {
        // So are its files.
        details.retain(|detail| match &detail.place {
            Place::Path(path) => !(path.starts_with("write_files[") && path.ends_with("].content")),
            _ => true,
        });
    }
    if a.path != paths::CONFIGURATION {
        return (!details.is_empty()).then_some(details);
    }
    // The fields are compared separately. What is left are members that the contract does not have.
    let decoded = |file: &FoundFile| Configuration::from_document(&file.content).ok();
    let (Some(one), Some(other)) = (decoded(a), decoded(b)) else {
        return (!details.is_empty()).then_some(details);
    };
    let mut fields = Vec::new();
    fields::compare(Some(&one.configuration), Some(&other.configuration), &DocPath::root(), secrets, &mut fields);
    let findings = one.report.findings.iter().chain(&other.report.findings);
    let unknown: BTreeSet<_> = findings.map(|finding| finding.path.to_string()).collect();
    let is_unknown = |detail: &Detail| match &detail.place {
        Place::Path(path) => {
            let ends = path.match_indices(['.', '[']).map(|(end, _)| end).chain([path.len()]);
            ends.into_iter().any(|end| end > 0 && unknown.contains(&path[..end]))
        }
        _ => true,
    };
    let rest: Vec<Detail> = details.into_iter().filter(is_unknown).collect();
    (!fields.is_empty() || !rest.is_empty()).then_some(rest)
}

/// Returns the mode; 0644 if cloud-init decides.
fn mode(file: &FoundFile) -> Option<u32> {
    if file.by_script { file.mode } else { Some(file.mode.unwrap_or(0o644)) }
}

/// Returns user and group; root if none is given.
fn owner(file: &FoundFile) -> String {
    match file.owner.split_once(':') {
        None if file.owner.is_empty() => "root:root".to_owned(),
        None => format!("{0}:{0}", file.owner),
        Some(_) => file.owner.clone(),
    }
}
