//! The summary of `diff`: the differences by area.

use super::output;
use crate::difference::{ChangedText, Detail, Differences, FileChange, SideValue};
use crate::inspection::{Inspection, Kind};

/// The most names that a line has.
const NAMED: usize = 4;

/// Returns a label and a text for each of at most eight areas in which something differs. No text has a value of the node.
pub(super) fn rows(found: &Differences, sides: [&Inspection; 2]) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    let mut row = |label: &'static str, value: String| {
        if !value.is_empty() {
            rows.push((label, value));
        }
    };
    row("variables", named(found.variables.iter().map(|change| change.name.clone())));
    let mut files: Vec<String> = Vec::new();
    for file in &found.files {
        let change = match file.change {
            FileChange::Added => " (only in B)",
            FileChange::Removed => " (only in A)",
            FileChange::Content => "",
            FileChange::Mode => " (mode)",
            FileChange::Owner => " (owner)",
        };
        files.push(format!("{}{change}", file.path));
    }
    row("files", named(files.into_iter()));
    row("Configuration", named(found.configuration.iter().map(|detail| detail.place.to_string())));
    let counts = [(found.command.len(), "of the CSE command"), (found.runs.len(), "of cloud-init")];
    let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, title)| format!("{count} {title}"));
    row("commands", counts.collect::<Vec<_>>().join(", "));
    row("documents", named(found.documents.iter().map(|change| change.name.clone())));
    row("secrets", named(secrets(found).into_iter()));
    row("form", changed(sides.map(form)));
    let measures =
        [("CustomData", "characters", custom_data as fn(&Inspection) -> Option<usize>), ("CSE", "bytes", command)];
    let changes = measures.iter().filter_map(|(name, unit, size)| match sides.map(size) {
        [Some(a), Some(b)] if a != b => Some(format!("{name} {a} -> {b} {unit}")),
        _ => None,
    });
    row("size", changes.collect::<Vec<_>>().join(", "));
    rows
}

/// Returns the number of names, and the first of them.
fn named(names: impl Iterator<Item = String>) -> String {
    let names: Vec<_> = names.map(|name| output::printable(&name)).collect();
    let first = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => first,
        count if count <= NAMED => format!("{count}: {first}"),
        count => format!("{count}: {first} and {} more", count - NAMED),
    }
}

/// Returns the names of the differing values that contain a secret.
fn secrets(found: &Differences) -> Vec<String> {
    let is_secret =
        |value: &Option<SideValue>| value.as_ref().is_some_and(|value| value.text(false) != value.text(true));
    let detail = |detail: &Detail| is_secret(&detail.a) || is_secret(&detail.b);
    let change =
        |change: &ChangedText| is_secret(&change.a) || is_secret(&change.b) || change.details.iter().any(detail);
    let mut names: Vec<String> = Vec::new();
    names.extend(found.variables.iter().filter(|one| change(one)).map(|change| change.name.clone()));
    names.extend(found.files.iter().filter(|file| file.details.iter().any(detail)).map(|file| file.path.clone()));
    names.extend(found.configuration.iter().filter(|one| detail(one)).map(|detail| detail.place.to_string()));
    names.extend(found.command.iter().any(detail).then(|| "the CSE command".to_owned()));
    names.extend(found.runs.iter().any(detail).then(|| "commands of cloud-init".to_owned()));
    names.extend(found.documents.iter().filter(|one| change(one)).map(|change| change.name.clone()));
    names
}

/// Returns what is around the files: the encodings and documents, without the parts of them that are on the node.
fn form(side: &Inspection) -> String {
    let around = side.layers.iter().filter(|layer| !layer.name.as_deref().is_some_and(|name| name.starts_with('/')));
    let mut titles: Vec<&str> = around.map(|layer| layer.kind.title()).collect();
    titles.dedup();
    titles.join(", ")
}

fn changed([a, b]: [String; 2]) -> String {
    if a == b { String::new() } else { format!("{a} -> {b}") }
}

/// Returns the size of `CustomData` in base64.
fn custom_data(side: &Inspection) -> Option<usize> {
    side.layers.iter().find(|layer| layer.kind == Kind::Base64 && layer.depth <= 2).map(|layer| layer.size)
}

fn command(side: &Inspection) -> Option<usize> {
    side.command.as_ref().map(|command| command.expose().len())
}
