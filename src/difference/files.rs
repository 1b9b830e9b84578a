//! Compares files: their content by its format, their mode and their owner.

use std::collections::BTreeSet;

use super::align::{by_name, numbered};
use super::found::{ChangedFile, Detail, FileChange};
use super::value::{Place, Secrets, Shown, Writer};
use super::{fields, payload};
use crate::catalogue::formats::Format;
use crate::catalogue::paths;
use crate::configuration::Configuration;
use crate::document::DocPath;
use crate::inspection::{FoundFile, Inspection, SECRET_FILES};

fn named(file: &FoundFile) -> (&str, &FoundFile) {
    (&file.path, file)
}

/// Returns the files that differ.
pub(super) fn compare(a: &Inspection, b: &Inspection, secrets: &Secrets) -> Vec<ChangedFile> {
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

/// Returns how the contents of a file differ; `None` if they mean the same.
fn content(a: &FoundFile, b: &FoundFile, format: Format, secrets: &Secrets) -> Option<Vec<Detail>> {
    if a.content == b.content {
        return None;
    }
    let for_everyone = |file: &FoundFile| mode(file).is_none_or(|mode| mode & 0o004 != 0);
    let is_public = for_everyone(a) && for_everyone(b) && !SECRET_FILES.contains(&a.path.as_str());
    let writer = Writer::new(secrets, if is_public { Shown::File } else { Shown::Nothing });
    let details = payload::compare(&a.content, &b.content, format, &writer);
    if a.path != paths::CONFIGURATION {
        return (!details.is_empty()).then_some(details);
    }
    // The fields are compared as such. What is left are members that the contract does not know.
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
