//! The parts of a text that have the form of a secret.

use std::collections::BTreeSet;

use super::names::Names;
use super::{is_word, patterns};
use crate::Secret;
use crate::secret::SHORTEST;

/// Bytes of the longest name of a variable.
const LONGEST_NAME: usize = 128;

/// Returns the parts of a text that have the form of a secret, except words.
#[must_use]
pub(crate) fn found(text: &str) -> Vec<Secret<'static>> {
    let mut ranges = Vec::new();
    if !is_word(text.as_bytes()) {
        patterns::find(text.as_bytes(), &mut ranges, Names::Telling);
    }
    // What is short, or has no digit, may be anywhere.
    let is_common = |value: &[u8]| value.len() < 8 || value.iter().all(|byte| !byte.is_ascii_digit());
    let values = ranges.into_iter().map(|range| &text.as_bytes()[range]).filter(|value| !is_common(value));
    values.map(|value| String::from_utf8_lossy(value).into_owned().into()).collect()
}

/// Reports whether a text has a part with the form of a secret.
pub(crate) fn has_secret(text: &str) -> bool {
    let mut ranges = Vec::new();
    patterns::find(text.as_bytes(), &mut ranges, Names::Telling);
    !ranges.is_empty()
}

/// Returns the name in `NAME=VALUE` if the name or the value looks like a secret.
pub(crate) fn secret_assignment(line: &str) -> Option<&str> {
    let (name, _) = line.split_once('=')?;
    (!found(line).is_empty()).then_some(name)
}

/// Returns the names in `NAME=VALUE` of which what is around them says that the value is secret, such as the option before them.
pub(crate) fn secret_assignments(text: &str) -> BTreeSet<String> {
    let bytes = text.as_bytes();
    let mut ranges = Vec::new();
    patterns::find(bytes, &mut ranges, Names::Telling);
    let names = ranges.into_iter().filter_map(|range| {
        let quotes = bytes[..range.start].iter().rev().take(4).take_while(|byte| b"\"'\\".contains(byte)).count();
        let before = bytes[..range.start - quotes].strip_suffix(b"=")?;
        let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let length = before.iter().rev().take(LONGEST_NAME).take_while(is_in).count();
        String::from_utf8(before[before.len() - length..].to_vec()).ok().filter(|name| !name.is_empty())
    });
    names.collect()
}

/// Returns the values in a file with secrets that may be one.
#[must_use]
pub fn values(text: &str) -> Vec<Secret<'static>> {
    let bytes = text.as_bytes();
    let mut ranges = Vec::new();
    patterns::find(bytes, &mut ranges, Names::OfSecretFile);
    let values = ranges.into_iter().filter(|range| range.len() >= SHORTEST);
    let values: BTreeSet<_> = values.map(|range| String::from_utf8_lossy(&bytes[range]).into_owned()).collect();
    // The text as written in JSON or YAML, and its decoded value.
    let meant = values.iter().filter_map(|value| serde_json::from_str(&format!("\"{value}\"")).ok());
    let values: BTreeSet<String> = meant.chain(values.iter().cloned()).collect();
    values.into_iter().map(Secret::from).collect()
}
