//! Writes a document as YAML, with a comment above each value.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::state::{Values, entry_path, is_empty_object};
use crate::configuration::{Configuration, Descriptor, Field, Kind, Label};
use crate::redaction::is_obeyed;

/// The first fields of the document, in the order in which a person thinks of them. The others follow in the contract's order.
const FIRST: [&str; 13] = [
    "version",
    "kubernetes_version",
    "vm_size",
    "linux_admin_username",
    "is_vhd",
    "needs_cgroupv2",
    "api_server_config",
    "kubernetes_ca_cert",
    "bootstrapping_config",
    "auth_config",
    "cluster_config",
    "network_config",
    "kube_binary_config",
];

/// Editors read the first line: the schema is the file that `schema > configuration.schema.json` writes beside the document.
const HEAD: &str = "# yaml-language-server: $schema=configuration.schema.json
# A node's Configuration. Check it with `aks-node-controller validate FILE`, render it with
# `aks-node-controller generate FILE`. It can contain secrets: keep it readable only for yourself.
";

/// Returns the document as JSON, and as YAML with comments.
pub(super) fn document(values: &Values) -> (Value, String) {
    let mut yaml = HEAD.to_owned();
    let root = Configuration::descriptor();
    let mut fields: Vec<&'static Field> = root.fields.iter().collect();
    let rank = |field: &&Field| FIRST.iter().position(|name| *name == field.name).unwrap_or(FIRST.len());
    fields.sort_by_key(rank);
    let json = message(&fields, "", 0, values, &mut yaml);
    (Value::Object(json), yaml)
}

fn message(
    fields: &[&'static Field],
    prefix: &str,
    indent: usize,
    values: &Values,
    yaml: &mut String,
) -> Map<String, Value> {
    let mut members = Map::new();
    for field in fields {
        let path = format!("{prefix}{}", field.name);
        if let (Kind::Message(inner), Label::Optional) = (field.kind, field.label) {
            let mut text = String::new();
            let inner = message(&all(inner), &format!("{path}."), indent + 1, values, &mut text);
            if !inner.is_empty() {
                let _ = writeln!(yaml, "{}{}:\n{text}", pad(indent), field.name);
                yaml.truncate(yaml.trim_end().len());
                yaml.push('\n');
                members.insert(field.name.to_owned(), inner.into());
            } else if values.get(&path).is_some_and(|given| is_empty_object(&given.value)) {
                let _ = writeln!(yaml, "{}{}: {{}}", pad(indent), field.name);
                members.insert(field.name.to_owned(), inner.into());
            }
        } else if let Some(given) = values.get(&path) {
            comment(&given.origin, indent, yaml);
            let _ = writeln!(yaml, "{}{}:{}", pad(indent), field.name, written(&given.value, indent));
            members.insert(field.name.to_owned(), given.value.clone());
        } else if field.label == Label::Map {
            let entries = entries(&path, values);
            if entries.is_empty() {
                continue;
            }
            let _ = writeln!(yaml, "{}{}:", pad(indent), field.name);
            let mut map = Map::new();
            let mut last = "";
            for (key, path) in entries {
                let given = &values[&path];
                // One comment for neighbours with the same origin.
                if given.origin != last {
                    comment(&given.origin, indent + 1, yaml);
                    last = &given.origin;
                }
                let _ = writeln!(yaml, "{}{}:{}", pad(indent + 1), scalar(&key), written(&given.value, indent + 1));
                map.insert(key, given.value.clone());
            }
            members.insert(field.name.to_owned(), map.into());
        }
    }
    members
}

fn all(descriptor: &'static Descriptor) -> Vec<&'static Field> {
    descriptor.fields.iter().collect()
}

/// Returns the keys of a map and their paths.
fn entries(map: &str, values: &Values) -> Vec<(String, String)> {
    let start = format!("{map}[");
    let paths = values.range(start.clone()..).take_while(|(path, _)| path.starts_with(&start));
    let keys = paths.filter_map(|(path, _)| {
        let key: String = serde_json::from_str(path.strip_prefix(&start)?.strip_suffix(']')?).ok()?;
        Some((key.clone(), entry_path(map, &key)))
    });
    keys.collect()
}

fn pad(indent: usize) -> String {
    "  ".repeat(indent)
}

fn comment(origin: &str, indent: usize, yaml: &mut String) {
    for (at, line) in origin.lines().enumerate() {
        let gap = if at == 0 { " " } else { "   " };
        let line = line.replace(is_special, "\u{fffd}");
        let _ = writeln!(yaml, "{}#{gap}{line}", pad(indent));
    }
}

/// Reports whether a character must not be in the document: some reader of YAML ends a line at it or rejects it, or a terminal obeys it.
fn is_special(character: char) -> bool {
    is_obeyed(character) || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns a value as JSON, which is YAML too.
fn json(value: &Value) -> String {
    let text = value.to_string();
    if !text.contains(is_special) {
        return text;
    }
    // Only texts have such a character.
    let escaped = |character: char| {
        if is_special(character) { format!("\\u{:04x}", u32::from(character)) } else { character.to_string() }
    };
    text.chars().map(escaped).collect()
}

/// Returns a value with what separates it from its name.
fn written(value: &Value, indent: usize) -> String {
    match value {
        Value::String(text) => format!(" {}", scalar(text)),
        Value::Array(list) if !list.is_empty() && list.iter().all(Value::is_string) => {
            let lines = list.iter().filter_map(Value::as_str);
            lines.flat_map(|text| ["\n".to_owned(), pad(indent), "- ".to_owned(), scalar(text)]).collect()
        }
        other => format!(" {}", json(other)),
    }
}

/// Returns a text as a YAML scalar: plain if no reader can take it for something else, else in double quotes.
fn scalar(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/_.-+=:".contains(&byte);
    let has_letter = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_word = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&text.to_lowercase().as_str());
    let begins_well =
        text.starts_with(|first: char| first.is_ascii_alphabetic()) || text.starts_with("--") && has_letter;
    let is_placeholder = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    let is_placeholder =
        is_placeholder.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'));
    let is_version = text.split('.').count() == 3 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_simple =
        text.bytes().all(is_plain) && begins_well && !is_word && !text.ends_with(':') && !text.contains(": ");
    if is_simple || is_placeholder || is_version { text.to_owned() } else { json(&text.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Source;

    #[test]
    fn a_yaml_reader_reads_every_text_as_text() {
        for text in [
            "a",
            "1.33.2",
            "1.33",
            "1e3",
            "0x1f",
            "true",
            "No",
            "~",
            "null",
            "-",
            "---",
            "--max-pods",
            "- a",
            "a: b",
            "a:",
            "a#b",
            "a #b",
            "#a",
            "<VM_SIZE>",
            "<a",
            "*a",
            "&a",
            "!a",
            "%a",
            "@a",
            "`a`",
            "'a'",
            "\"a\"",
            "a\nb",
            " a",
            "a ",
            "",
            "?",
            "|",
            ">",
            "[a]",
            "{a}",
            "a,b",
            "2024-01-01",
            "12:30:45",
            ".inf",
            "é",
            "\u{7f}",
            "\u{85}",
            "a\u{2028}b: c",
            "\u{feff}a",
            "a\u{202e}b",
            "\u{ffff}",
            "10.0.0.10",
        ] {
            let document = format!("# x\n{}: {}\n", scalar(text), scalar(text));
            let source = Source::new(document.as_bytes()).unwrap_or_else(|finding| panic!("{document}: {finding}"));
            let read = source.tree().expect("it is YAML").json();
            assert_eq!(read, serde_json::json!({text: text}), "{document}");
            assert!(!document.replace('\n', "").contains(is_special), "{document:?}");
            let list = written(&serde_json::json!([[text]]), 0);
            assert!(!list.contains(is_special), "{list:?}");
        }
    }

    #[test]
    fn no_reader_finds_anything_but_comments_in_a_comment() {
        let mut yaml = String::new();
        comment("name\rx: 1\u{85}y: 1\u{2028}z: 1\u{1b}[31m\r\ncommand", 1, &mut yaml);
        assert_eq!(yaml, "  # name\u{fffd}x: 1\u{fffd}y: 1\u{fffd}z: 1\u{fffd}[31m\n  #   command\n");
    }
}
