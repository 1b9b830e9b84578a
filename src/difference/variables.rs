//! Compares variables by the formats of their contents, or as the reference does.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::align::by_name;
use super::found::{ChangedText, Detail};
use super::payload::{self, Payload};
use super::reference::Comparison;
use super::value::{Place, Shown, Writer, configuration};
use crate::catalogue::formats::Format;
use crate::catalogue::variables;
use crate::inspection::{CommandAssignments, Inspection};
use crate::redaction::Redactor;

/// Returns the variables whose values have different meanings.
pub(super) fn by_meaning(a: &Inspection, b: &Inspection, secrets: &Redactor) -> Vec<ChangedText> {
    let pairs = |side: &'_ Inspection| -> Vec<(String, String)> {
        side.variables.iter().map(|(name, value)| (name.clone(), value.expose().to_owned())).collect()
    };
    let sides = by_name(pairs(a).into_iter(), pairs(b).into_iter());
    let variables = sides.into_iter().filter_map(|(name, (one, other))| {
        let is_secret = a.is_secret(&name) || b.is_secret(&name);
        variable(name, one, other, is_secret, secrets)
    });
    variables.collect()
}

/// Returns how a variable differs; `None` if its values have the same meaning.
fn variable(
    name: String,
    a: Option<String>,
    b: Option<String>,
    is_secret: bool,
    secrets: &Redactor,
) -> Option<ChangedText> {
    if a == b {
        return None;
    }
    let row = variables::variable(&name);
    let writer = Writer::new(secrets, if is_secret { Shown::Nothing } else { Shown::Text });
    let format = row.map_or(Format::Text, |row| row.format);
    let mut details = Vec::new();
    if let (Some(a), Some(b)) = (&a, &b) {
        let payload = |value| match row {
            Some(row) if row.is_base64 => Payload::of(value),
            Some(_) => Payload { encoding: "none", content: Cow::Borrowed(str::as_bytes(value)) },
            None => Payload::guessed(value),
        };
        let (one, other) = (payload(a), payload(b));
        details = payload::compare(&one.content, &other.content, format, &writer);
        let is_empty = one.content.is_empty() || other.content.is_empty();
        if one.encoding != other.encoding && !is_empty {
            let encoding = |payload: Payload| Some(Writer { shown: Shown::Text, ..writer }.plain(payload.encoding));
            let place = Place::Path("encoding".to_owned());
            details.insert(0, Detail { place, a: encoding(one), b: encoding(other) });
        } else if details.is_empty() {
            return None;
        } else if is_empty || one.encoding == "none" && format == Format::Text {
            // The values themselves are enough.
            details.clear();
        }
    }
    if is_secret {
        details.clear();
    }
    let value = |text: Option<String>| text.map(|text| writer.plain(text));
    Some(ChangedText { name, format, a: value(a), b: value(b), details })
}

fn texts(side: &BTreeMap<String, String>) -> impl Iterator<Item = (&str, &str)> {
    side.iter().map(|(name, value)| (name.as_str(), value.as_str()))
}

/// Returns the variables that differ by the rules of the reference.
pub(super) fn like_the_reference(a: &Inspection, b: &Inspection, secrets: &Redactor) -> Vec<ChangedText> {
    // The reference parses a command by simpler rules than a shell.
    let read = |side: &Inspection| -> BTreeMap<String, String> {
        match &side.command {
            Some(command) if configuration(side).is_none() => {
                let scanned = CommandAssignments::scan(command.expose());
                scanned.iter().map(|(name, value)| (name.to_owned(), value.expose().to_owned())).collect()
            }
            _ => side.variables.iter().map(|(name, value)| (name.clone(), value.expose().to_owned())).collect(),
        }
    };
    let (one, other) = (read(a), read(b));
    let is_mirrored = configuration(a).is_none() && configuration(b).is_some();
    let Comparison(differences) = if is_mirrored {
        Comparison::between(texts(&other), texts(&one))
    } else {
        Comparison::between(texts(&one), texts(&other))
    };
    let changes = differences.into_iter().map(|difference| {
        let name = difference.into_name();
        let shown = if a.is_secret(&name) || b.is_secret(&name) { Shown::Nothing } else { Shown::Text };
        let writer = Writer::new(secrets, shown);
        let value = |side: &BTreeMap<String, String>| side.get(&name).map(|text| writer.plain(text.as_str()));
        let (one, other) = (value(&one), value(&other));
        ChangedText { name, format: Format::Text, a: one, b: other, details: Vec::new() }
    });
    changes.collect()
}
