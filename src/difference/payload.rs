//! Compares the texts inside variables and files by their formats.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::align::{Change, align};
use super::found::Detail;
use super::tree;
use super::value::{Place, Shown, Writer};
use crate::catalogue::formats::Format;
use crate::catalogue::kubelet_flags::{FlagType, flag_named};
use crate::document::{DocPath, Source, Tree};
use crate::inspection::{LARGEST, archive, decoded, sha256};
use crate::recognition::Binary;

/// The content of a value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Payload<'v> {
    /// The encodings around it, the outermost first.
    pub(super) encoding: &'static str,
    pub(super) content: Cow<'v, [u8]>,
}

impl<'v> Payload<'v> {
    fn plain(value: &'v str) -> Self {
        Self { encoding: "none", content: value.as_bytes().into() }
    }

    /// Removes base64 and then gzip, if a value has them.
    pub(super) fn of(value: &'v str) -> Self {
        let found = decoded(value).filter(|(_, is_cut)| !is_cut);
        let Some((bytes, _)) = found else { return Self::plain(value) };
        if Binary::of(&bytes) != Some(Binary::Gzip) {
            return Self { encoding: "base64", content: bytes.into() };
        }
        match archive::gunzip(&bytes, LARGEST) {
            (content, None) => Self { encoding: "base64 of gzip", content: content.into() },
            _ => Self { encoding: "base64", content: bytes.into() },
        }
    }

    /// Does the same for a value of an unknown format, if its content is text.
    pub(super) fn guessed(value: &'v str) -> Self {
        /// A shorter value can be valid base64 by chance.
        const SHORTEST: usize = 16;
        let found = Self::of(value);
        let is_control = |character: char| character.is_control() && !matches!(character, '\n' | '\r' | '\t');
        let is_text = std::str::from_utf8(&found.content).is_ok_and(|text| !text.contains(is_control));
        if value.len() < SHORTEST || !is_text { Self::plain(value) } else { found }
    }
}

/// Returns the differences between two contents; empty if they have the same meaning.
pub(super) fn compare(a: &[u8], b: &[u8], format: Format, writer: &Writer) -> Vec<Detail> {
    if a == b {
        return Vec::new();
    }
    let (Ok(one), Ok(other)) = (std::str::from_utf8(a), std::str::from_utf8(b)) else {
        let bytes = |bytes: &[u8]| {
            Some(writer.plain(format!("{} bytes of binary data, SHA-256 {}", bytes.len(), sha256(bytes))))
        };
        return vec![Detail { place: Place::Path(String::new()), a: bytes(a), b: bytes(b) }];
    };
    let format = match format {
        Format::Text if one.trim_start().starts_with(['{', '[']) => Format::Json,
        // The names that these formats read can be secrets.
        Format::Settings | Format::Corefile | Format::Unit | Format::Words | Format::List
            if writer.shown == Shown::Nothing =>
        {
            Format::Text
        }
        format => format,
    };
    let (Some(one_tree), Some(other_tree)) = (read(one, format), read(other, format)) else {
        return lines(one, other, writer);
    };
    let mut found = Vec::new();
    let is_typed = matches!(format, Format::Json | Format::Yaml | Format::Toml);
    let writer = Writer { is_typed, ..*writer };
    tree::compare(Some(&one_tree), Some(&other_tree), &DocPath::root(), &writer, &mut found);
    found
}

/// Returns the lines that differ. A final line feed is ignored.
pub(super) fn lines(a: &str, b: &str, writer: &Writer) -> Vec<Detail> {
    // What is secret in a line may be said by another one.
    let shown = |text: &str| writer.secrets.redact_in_lines(text).into_string();
    shown_lines([a, &shown(a)], [b, &shown(b)], writer)
}

/// Returns the lines that differ of two texts, each of which is followed by the same lines without secrets.
pub(super) fn shown_lines(a: [&str; 2], b: [&str; 2], writer: &Writer) -> Vec<Detail> {
    let split = |text: &'_ str| -> Vec<String> {
        text.strip_suffix('\n').unwrap_or(text).split('\n').map(str::to_owned).collect()
    };
    let lines = |text: &str| if text.is_empty() { Vec::new() } else { split(text) };
    let [(a, shown_a), (b, shown_b)] = [a, b].map(|[text, shown]| (lines(text), lines(shown)));
    let joined = |side: &[String], shown: &[String], lines: Range<usize>| {
        (!lines.is_empty()).then(|| writer.redacted(side[lines.clone()].join("\n"), shown[lines].join("\n")))
    };
    let changes = align(&a, &b).into_iter();
    changes
        .map(|Change { a: one, b: other }| Detail {
            a: joined(&a, &shown_a, one.clone()),
            b: joined(&b, &shown_b, other.clone()),
            place: Place::Lines(one, other),
        })
        .collect()
}

/// Returns the words that differ.
pub(super) fn words_of_command(a: &[String], b: &[String], writer: &Writer) -> Vec<Detail> {
    let joined = |side: &[String]| (!side.is_empty()).then(|| writer.plain(side.join(" ")));
    let changes = align(a, b).into_iter();
    changes
        .map(|Change { a: one, b: other }| Detail {
            a: joined(&a[one.clone()]),
            b: joined(&b[other.clone()]),
            place: Place::Words(one, other),
        })
        .collect()
}

/// Parses a text; `None` if it is compared by lines.
fn read(text: &str, format: Format) -> Option<Tree> {
    match format {
        Format::Text => None,
        Format::Words => Some(words(text)),
        Format::List => Some(pairs(text)),
        Format::Json | Format::Yaml => document(text),
        Format::Toml => DeTable::parse(text).ok().map(|table| of_table(table.get_ref())),
        Format::Settings => Some(settings(text)),
        Format::Corefile => corefile(text),
        Format::Unit => Some(unit(text)),
    }
}

/// Parses JSON or YAML that is an object or a list.
pub(super) fn document(text: &str) -> Option<Tree> {
    let source = Source::new(text.as_bytes()).ok()?;
    source.tree().ok().map(|tree| tree.owned()).filter(|tree| matches!(tree, Tree::Map(_) | Tree::List(_)))
}

fn of_table(table: &DeTable<'_>) -> Tree {
    Tree::Map(table.iter().map(|(name, value)| (name.get_ref().to_string(), of_value(value.get_ref()))).collect())
}

fn of_value(value: &DeValue<'_>) -> Tree {
    match value {
        DeValue::String(text) => Tree::Text(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| Tree::Text(number.as_str().to_owned()), Tree::Integer),
        DeValue::Float(number) => {
            number.as_str().parse().map_or_else(|_| Tree::Text(number.as_str().to_owned()), Tree::Number)
        }
        DeValue::Boolean(value) => Tree::Bool(*value),
        DeValue::Datetime(time) => Tree::Text(time.to_string()),
        DeValue::Array(list) => Tree::List(list.iter().map(|value| of_value(value.get_ref())).collect()),
        DeValue::Table(table) => of_table(table),
    }
}

/// Parses words, and the pairs in the value of a kubelet flag.
fn words(text: &str) -> Tree {
    let members = text.split_ascii_whitespace().map(|word| {
        let Some((name, value)) = word.split_once('=') else { return (word.to_owned(), Tree::Null) };
        let has_pairs = flag_named(name).is_some_and(|flag| {
            matches!(
                flag.value,
                FlagType::Pairs
                    | FlagType::Amounts
                    | FlagType::Durations
                    | FlagType::Thresholds
                    | FlagType::Switches
                    | FlagType::Labels
            )
        });
        (name.to_owned(), if has_pairs { pairs(value) } else { Tree::Text(value.to_owned()) })
    });
    Tree::Map(members.collect())
}

/// Parses `name=value` and `name<value`, separated by commas.
fn pairs(text: &str) -> Tree {
    let members = text.split(',').filter(|pair| !pair.is_empty()).map(|pair| match pair.find(['=', '<']) {
        Some(at) if pair[at..].starts_with('=') => (pair[..at].to_owned(), Tree::Text(pair[at + 1..].to_owned())),
        Some(at) => (pair[..at].to_owned(), Tree::Text(pair[at..].to_owned())),
        None => (pair.to_owned(), Tree::Null),
    });
    Tree::Map(members.collect())
}

/// Parses `key=value` lines. Of lines with the same key, the last one counts.
fn settings(text: &str) -> Tree {
    let mut last = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        let (name, value) = member(line);
        last.insert(name, value);
    }
    Tree::Map(last.into_iter().collect())
}

/// Parses `name = value`.
fn member(line: &str) -> (String, Tree) {
    match line.split_once('=') {
        Some((name, value)) => (name.trim_end().to_owned(), Tree::Text(value.trim_start().to_owned())),
        None => (line.to_owned(), Tree::Null),
    }
}

/// Parses sections of keys. Equal keys keep their order, because a unit can have several commands.
/// <https://www.freedesktop.org/software/systemd/man/latest/systemd.syntax.html>
fn unit(text: &str) -> Tree {
    let mut sections: BTreeMap<String, Vec<(String, Tree)>> = BTreeMap::new();
    let mut section = String::new();
    let mut continued = String::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with(['#', ';']) || line.is_empty() && continued.is_empty() {
            continue;
        }
        if let Some(start) = line.strip_suffix('\\') {
            continued = continued + start.trim_end() + " ";
            continue;
        }
        let line = std::mem::take(&mut continued) + line;
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            name.clone_into(&mut section);
            continue;
        }
        sections.entry(section.clone()).or_default().push(member(line));
    }
    Tree::Map(sections.into_iter().map(|(name, members)| (name, Tree::Map(members))).collect())
}

/// The deepest nesting of blocks that is read. A Corefile has three levels.
const DEEPEST: usize = 16;

/// Parses a Corefile: blocks by their zones, plugins by their names.
/// <https://coredns.io/2017/07/23/corefile-explained/>
fn corefile(text: &str) -> Option<Tree> {
    // Each open block: its name, and its members so far.
    let mut open: Vec<(String, Vec<(String, Tree)>)> = vec![(String::new(), Vec::new())];
    for line in text.lines() {
        let tokens: Vec<&str> = tokens(line);
        match tokens.as_slice() {
            [] => {}
            ["}"] => {
                let (name, members) = open.pop()?;
                open.last_mut()?.1.push((name, Tree::Map(members)));
            }
            [header @ .., "{"] if open.len() <= DEEPEST => {
                let is_server = open.len() == 1;
                let (name, arguments) =
                    if is_server { (header, &[][..]) } else { header.split_at(1.min(header.len())) };
                let mut members = Vec::new();
                if !arguments.is_empty() {
                    members.push(("arguments".to_owned(), Tree::Text(arguments.join(" "))));
                }
                open.push((name.join(" "), members));
            }
            [.., "{"] => return None,
            [name, arguments @ ..] => {
                open.last_mut()?.1.push(((*name).to_owned(), Tree::Text(arguments.join(" "))));
            }
        }
    }
    match <[_; 1]>::try_from(open) {
        Ok([(_, members)]) => Some(Tree::Map(members)),
        Err(_) => None,
    }
}

/// Returns the words of a line of a Corefile, without its comment. A quoted text is one word.
fn tokens(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() && !rest.starts_with('#') {
        let end = match rest.strip_prefix('"').and_then(|inner| inner.find('"')) {
            Some(end) => end + 2,
            None => rest.find(char::is_whitespace).unwrap_or(rest.len()),
        };
        found.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redaction::Redactor;

    fn differing(a: &str, b: &str, format: Format) -> Vec<String> {
        let secrets = Redactor::default();
        let writer = Writer::new(&secrets, Shown::Text);
        let found = compare(a.as_bytes(), b.as_bytes(), format, &writer);
        found.into_iter().map(|detail| format!("{}: {:?} {:?}", detail.place, detail.a, detail.b)).collect()
    }

    #[test]
    fn what_has_no_meaning_in_a_format_is_no_difference() {
        let equal = [
            (Format::Json, "{\"a\": 1, \"b\": [1, 2]}", "{\"b\":[1,2],\n\"a\":1}"),
            (Format::Yaml, "a: 1\nb: [x]\n", "# it\nb:\n- \"x\"\na: 1"),
            (Format::Toml, "a = 1\n[t]\nb = 'x'\n[t.u]\nc = [1, 2]\n", "t.u.c = [\n 1, # one\n 0x2]\na=1\nt.b = \"x\""),
            (Format::Settings, "# x\na=1\nb = 2\n", "b=2\na=0\n  a = 1"),
            (
                Format::Corefile,
                ".:53 {\n  errors\n  forward . 1.1.1.1 {\n    policy random\n  }\n}\n# end\nx {\n}\n",
                "x {\n}\n.:53 {\n    forward  . 1.1.1.1 { # all\n policy random\n}\nerrors\n}",
            ),
            (
                Format::Unit,
                "[Unit]\nAfter=a\n[Service]\nExecStart=/a \\\n  b\n",
                "; x\n[Service]\nExecStart = /a b\n\n[Unit]\nAfter=a",
            ),
            (Format::Words, "--a=1 --system-reserved=cpu=1,memory=2", "--system-reserved=memory=2,cpu=1  --a=1"),
            (Format::List, "a=1,b=2", "b=2,,a=1"),
            (Format::Text, "a\nb\n", "a\nb"),
        ];
        for (format, one, other) in equal {
            assert_eq!(differing(one, other, format), [""; 0], "{format:?}");
            assert_ne!(
                differing(one, &other.replacen('1', "9", 1).replacen('a', "z", 1), format),
                [""; 0],
                "{format:?}"
            );
        }
    }

    #[test]
    fn a_difference_has_its_path_and_both_values() {
        let cases = [
            (
                Format::Json,
                r#"{"a": {"b.c": [1, 2]}}"#,
                r#"{"a": {"b.c": [1, 3, 2]}}"#,
                r#"a["b.c"][1]: None Some("3")"#,
            ),
            (
                Format::Toml,
                "[p.'x.y']\nv = true\n",
                "[p.'x.y']\nv = 'true'\n",
                r#"p["x.y"].v: Some("true") Some("\"true\"")"#,
            ),
            (Format::Settings, "a=1", "a=1\nvm.x=2", r#"vm.x: None Some("2")"#),
            (
                Format::Corefile,
                ".:53 {\n cache 30\n}",
                ".:53 {\n cache 60\n}",
                r#".:53 > cache: Some("30") Some("60")"#,
            ),
            (Format::Unit, "[S]\nE=1\nE=2", "[S]\nE=1\nE=3", r#"S > E: Some("2") Some("3")"#),
            (Format::Words, "--max-pods=1", "--max-pods=2", r#"--max-pods: Some("1") Some("2")"#),
            (Format::Text, "a\nb\nc", "a\nx\ny\nc", r#"lines 2 / 2-3: Some("b") Some("x\ny")"#),
            (Format::Text, "a\r\n", "a\n", r#"line 1: Some("a\r") Some("a")"#),
            (Format::Toml, "a = 1\na = 1\n", "a = 1\n", r#"line 2: Some("a = 1") None"#),
        ];
        for (format, one, other, expected) in cases {
            assert_eq!(differing(one, other, format), [expected]);
        }
    }

    #[test]
    fn damaged_documents_are_compared_by_line() {
        for format in [Format::Json, Format::Yaml, Format::Toml, Format::Corefile] {
            let found = differing("{\n{{ [\n\"", "{\n{{ ]\n\"", format);
            assert_eq!(found, [r#"line 2: Some("{{ [") Some("{{ ]")"#], "{format:?}");
        }
    }
}
