//! The notation of values in Karpenter's script.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

pub(super) type Value<'a> = Cow<'a, str>;

/// Returns `true` or `false`.
pub(super) fn switch<'a>(value: bool) -> Value<'a> {
    if value { "true" } else { "false" }.into()
}

/// Returns the entries of a map in byte order of the keys, each as key, sign and value, separated by commas.
pub(super) fn pairs(map: &BTreeMap<String, String>, sign: char) -> String {
    let mut text = String::with_capacity(map.iter().map(|(key, value)| key.len() + value.len() + 2).sum());
    for (key, value) in map {
        if !text.is_empty() {
            text.push(',');
        }
        write!(text, "{key}{sign}{value}").expect("a string can be written to");
    }
    text
}
