//! `--set` and `--set-file`: single values of a Configuration.

use std::path::Path;

use serde_json::Value;

use super::{Failure, file};
use crate::configuration::layer::Place;

/// Reads the values of `--set` and `--set-file`, in this order.
pub(super) fn changes(set: &[String], set_file: &[String]) -> Result<Vec<(Place, Value)>, Failure> {
    let mut changes = Vec::new();
    for text in set {
        let (place, value) = place_and_value(text, "--set")?;
        let value = place.value(&value).map_err(|problem| Failure::Usage(format!("--set {problem}")))?;
        changes.push((place, value));
    }
    for text in set_file {
        let (place, path) = place_and_value(text, "--set-file")?;
        changes.push((place, Value::from(text_of(&path)?.trim_end_matches('\n'))));
    }
    Ok(changes)
}

/// Reads `PATH=VALUE`.
fn place_and_value(text: &str, option: &str) -> Result<(Place, String), Failure> {
    // A key in brackets can contain the sign.
    let start = text.find("\"]").map_or(0, |end| end + 2);
    let Some(at) = text[start..].find('=') else {
        return Err(Failure::Usage(format!("{option} needs PATH=VALUE, found `{text}`")));
    };
    let (path, value) = (&text[..start + at], &text[start + at + 1..]);
    let place = Place::parse(path).map_err(|problem| Failure::Usage(format!("{option} {problem}")))?;
    Ok((place, value.to_owned()))
}

/// Reads the text of a file for `--set-file`.
fn text_of(path: &str) -> Result<String, Failure> {
    let document = file::read(Path::new(path))?;
    let name = document.name;
    String::from_utf8(document.bytes).map_err(|_| Failure::Input(format!("{name}: is not UTF-8 text")))
}
