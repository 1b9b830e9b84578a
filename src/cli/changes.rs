//! `--set` and `--set-file`: single values of a Configuration.

use std::path::Path;

use serde_json::Value;

use super::{Failure, file, output};
use crate::configuration::layer::Place;
use crate::recognition::{utf_16, without_mark};

/// Reads the values of `--set` and `--set-file`, in this order.
pub(super) fn changes(set: &[String], set_file: &[String]) -> Result<Vec<(Place, Value)>, Failure> {
    let mut changes = Vec::new();
    for text in set {
        let (place, value) = place_and_value(text, "--set")?;
        let value = place.value(&value).map_err(|problem| Failure::Usage(format!("--set {problem}")))?;
        if value == "" && !place.is_entry() {
            let problem = "an empty text leaves the field unset: does a variable of the shell have no value?";
            output::note(&format!("note: --set {text}: {problem}"));
        }
        changes.push((place, value));
    }
    for text in set_file {
        let (place, path) = place_and_value(text, "--set-file")?;
        changes.push((place, Value::from(text_of(&path)?.trim_end_matches(['\r', '\n']))));
    }
    Ok(changes)
}

/// Reads `PATH=VALUE`.
fn place_and_value(text: &str, option: &str) -> Result<(Place, String), Failure> {
    let Some((path, value)) = split(text) else {
        return Err(Failure::Usage(format!("{option} needs PATH=VALUE, found `{text}`")));
    };
    let place = Place::parse(path).map_err(|problem| Failure::Usage(format!("{option} {problem}")))?;
    Ok((place, value.to_owned()))
}

/// Splits a text at the first `=` that is not in a key in brackets.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut start = 0;
    loop {
        let at = start + text[start..].find(['=', '['])?;
        let inner = &text[at..];
        if let Some(value) = inner.strip_prefix('=') {
            return Some((&text[..at], value));
        }
        let end = match inner.as_bytes().get(1) {
            Some(b'"') => "\"]",
            Some(b'\'') => "']",
            _ => "]",
        };
        start = at + inner.find(end)? + end.len();
    }
}

/// Reads the text of a file for `--set-file`. What `>` of Windows PowerShell writes is UTF-16.
fn text_of(path: &str) -> Result<String, Failure> {
    let document = file::read(Path::new(path))?;
    let name = document.name;
    let text = match utf_16(&document.bytes) {
        Some(text) => text,
        None => String::from_utf8(document.bytes)
            .map_err(|_| Failure::Input(format!("{name}: is not text in UTF-8; encode bytes with `base64 -w 0`")))?,
    };
    Ok(without_mark(&text).to_owned())
}
