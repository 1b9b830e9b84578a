//! Finds the values of Kubernetes Secrets, whose names may say nothing, in YAML and JSON.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::value::{is_meaningful, is_name_byte};

/// How far from its kind the values of an object are looked for.
const OBJECT: usize = 64 << 10;

/// The members with values.
const DATA: [&[u8]; 2] = [b"data", b"stringData"];

/// A member that no other object has, as in a patch without its kind.
static STRING_DATA: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"stringData\""));

/// A command that changes a Secret, whose data may follow, and how far.
static PATCH: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("patch secret"));
const COMMAND: usize = 256;

/// The same where Go shows the object.
static OF_GO: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("StringData:map["));

static KIND: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("Secret"));

/// Adds the values below `data` and `stringData` of objects whose kind is `Secret`.
pub(super) fn find(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    let mut read = 0;
    for at in STRING_DATA.find_iter(text) {
        let end = at + STRING_DATA.needle().len();
        if at >= read {
            read = values_of(text, end..text.len().min(end + OBJECT), ranges);
        }
    }
    let mut read = 0;
    for at in PATCH.find_iter(text) {
        let command = &text[at..text.len().min(at + COMMAND)];
        if at >= read
            && let Some(data) = memmem::find(command, b"\"data\"").map(|data| at + data + 6)
        {
            read = values_of(text, data..text.len().min(data + OBJECT), ranges);
        }
    }
    let (mut read, mut bracket) = (0, 0);
    for at in OF_GO.find_iter(text) {
        let begin = at + OF_GO.needle().len();
        if at < read {
            continue;
        }
        // Many maps may have one bracket after them, or none.
        if bracket < begin {
            bracket = begin + memchr::memchr(b']', &text[begin..]).unwrap_or(text.len() - begin);
        }
        read = in_go(text, begin, bracket, ranges);
    }
    // Each byte is looked at for the object before it and for the one after it.
    let mut covered = 0;
    // JSON may be in a text of YAML, as what was applied last.
    let (mut read_json, mut read_yaml) = (0, 0);
    for at in KIND.find_iter(text) {
        let end = at + KIND.needle().len();
        let before = text[..at].trim_ascii_end();
        let (before, after) = match before.strip_suffix(b"\"") {
            Some(before) => (before.trim_ascii_end().strip_suffix(b":"), &b"\""[..]),
            None => (before.strip_suffix(b":"), &b""[..]),
        };
        let Some(name) = before.map(<[u8]>::trim_ascii_end) else { continue };
        // A list has the kind for all its elements.
        let rest = text[end..].strip_prefix(b"List").unwrap_or(&text[end..]);
        let rest = rest.strip_prefix(after).unwrap_or(b"x");
        if !rest.first().is_none_or(|byte| b" \r\n,}".contains(byte)) {
            continue;
        }
        let lowest = |kind: usize| kind.saturating_sub(OBJECT).max(covered);
        let last = text.len().min(end + OBJECT);
        if name.ends_with(b"\"kind\"") {
            if at < read_json {
                continue;
            }
            let begin = name.len() - b"\"kind\"".len();
            let from = lowest(begin);
            let from = from + begin_of_object(&text[from..begin]);
            let until = end + end_of_object(&text[end..last]);
            in_json(text, from..until, ranges);
            (covered, read_json) = (end, until);
        } else if name.ends_with(b"kind") && at >= read_yaml {
            let begin = name.len() - b"kind".len();
            read_yaml = in_yaml(text, lowest(begin), begin, last, ranges);
            covered = end;
        }
    }
}

/// Adds the values of a map as Go shows it: `map[string]string{"a":"x"}`, `map[a:x b:y]`. The next bracket closes the second. Returns where
/// the map ends.
fn in_go(text: &[u8], begin: usize, bracket: usize, ranges: &mut Vec<Range<usize>>) -> usize {
    const TYPE: &[u8] = b"string]string{";
    let rest = &text[begin..text.len().min(begin + OBJECT)];
    if let Some(inside) = rest.strip_prefix(TYPE) {
        let begin = begin + TYPE.len();
        let inside = &inside[..memchr::memchr(b'}', inside).unwrap_or(inside.len())];
        let quotes: Vec<_> = memchr::memchr_iter(b'"', inside).collect();
        let values = quotes.chunks_exact(4).map(|quotes| begin + quotes[2] + 1..begin + quotes[3]);
        ranges.extend(values.filter(|value| is_meaningful(&text[value.clone()])));
        return begin + inside.len();
    }
    if bracket >= begin + rest.len() {
        return begin;
    }
    let mut at = begin;
    for pair in text[begin..bracket].split(|byte| *byte == b' ') {
        if let Some(colon) = memchr::memchr(b':', pair)
            && is_meaningful(&pair[colon + 1..])
        {
            ranges.push(at + colon + 1..at + pair.len());
        }
        at += pair.len() + 1;
    }
    bracket
}

/// Returns where the object begins that is open at the end of a text.
pub(super) fn begin_of_object(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    for at in (0..text.len()).rev() {
        match text[at] {
            b'}' => depth += 1,
            b'{' if depth == 0 => return at,
            b'{' => depth -= 1,
            _ => {}
        }
    }
    0
}

/// Returns where the object ends that is open at the beginning of a text.
fn end_of_object(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return at,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Adds the values below `data`; those below `stringData` are found without a kind.
fn in_json(text: &[u8], object: Range<usize>, ranges: &mut Vec<Range<usize>>) {
    const NAME: &[u8] = b"\"data\"";
    for found in memmem::find_iter(&text[object.clone()], NAME) {
        let end = object.start + found + NAME.len();
        values_of(text, end..object.end, ranges);
    }
}

/// Adds the values of an object behind a name, and returns where it ends: its members are texts, and an object or a list is no member of it.
fn values_of(text: &[u8], place: Range<usize>, ranges: &mut Vec<Range<usize>>) -> usize {
    let rest = text[place.clone()].trim_ascii_start();
    let inside = rest.strip_prefix(b":").and_then(|rest| rest.trim_ascii_start().strip_prefix(b"{"));
    let Some(inside) = inside else { return place.start };
    let text = &text[..place.end];
    let skip = |at: usize, is_in: fn(&u8) -> bool| at + text[at..].iter().take_while(|byte| is_in(byte)).count();
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b",:".contains(byte);
    let mut at = place.end - inside.len();
    loop {
        at = skip(at, is_between);
        let Some(name) = quoted(&text[at..]) else { return at };
        at = skip((at + name + 2).min(place.end), is_between);
        if let Some(value) = quoted(&text[at..]) {
            let found = at + 1..at + 1 + value;
            at = (found.end + 1).min(place.end);
            // Elsewhere a brace begins an object, and here a text that is one, such as the settings of Docker.
            let value = &text[found.clone()];
            if is_meaningful(value) || value.starts_with(b"{") && !value.starts_with(b"{{") {
                ranges.push(found);
            }
            continue;
        }
        // A number, or nothing.
        let word = skip(at, u8::is_ascii_alphanumeric);
        if word == at {
            return at;
        }
        at = word;
    }
}

/// Returns the length of the text of JSON in quotes at the beginning, which may be cut off.
fn quoted(text: &[u8]) -> Option<usize> {
    let inside = text.strip_prefix(b"\"")?;
    let mut at = 0;
    while at < inside.len() && inside[at] != b'"' {
        at += if inside[at] == b'\\' { 2 } else { 1 };
    }
    Some(at.min(inside.len()))
}

/// Returns where the object ends.
fn in_yaml(text: &[u8], from: usize, kind: usize, until: usize, ranges: &mut Vec<Range<usize>>) -> usize {
    let line = kind - text[..kind].iter().rev().take(COMMAND).take_while(|byte| **byte != b'\n').count();
    // It may begin a text in quotes.
    let is_begin = text[..kind].ends_with(b"\"");
    let (line, from) = if is_begin { (kind, kind) } else { (line, from) };
    if !text[line..kind].iter().all(|byte| b" -".contains(byte)) {
        return kind;
    }
    let column = kind - line;
    // The lines of the object: no line begins further to the left, and none another element.
    let belongs = |line: &[u8]| {
        let blanks = column_of(line);
        line.trim_ascii().is_empty() || blanks > column || blanks == column && is_member(&line[column..])
    };
    let mut begin = line;
    while begin > from && !starts_element(&text[begin..], column) {
        let before = memchr::memrchr(b'\n', &text[..begin - 1]).map_or(0, |feed| feed + 1);
        let other = &text[before..begin];
        if before < from || !(belongs(other) || starts_element(other, column)) || other.starts_with(b"---") {
            break;
        }
        begin = before;
    }
    let mut at = begin;
    let mut is_data = false;
    for line in text[begin..until].split_inclusive(|byte| *byte == b'\n') {
        let start = at;
        at += line.len();
        let is_other = start > kind && (!belongs(line) || starts_element(line, column));
        if is_other || start > kind && line.starts_with(b"---") {
            return start;
        }
        let content = line.trim_ascii_end();
        let content = content.get(column..).unwrap_or_default();
        if content.first().is_some_and(|byte| *byte != b' ') {
            is_data = content.strip_suffix(b":").is_some_and(|name| DATA.contains(&name));
            let flow = DATA.iter().find_map(|name| content.strip_prefix(*name)?.strip_prefix(b": {"));
            if let Some(flow) = flow {
                in_flow(text, start + column + content.len() - flow.len(), flow.len(), ranges);
            }
        } else if is_data {
            let colon = memmem::find(content, b": ").map_or(0, |colon| colon + 2);
            let value = content[colon..].trim_ascii_start();
            let end = start + column + content.len();
            let is_name = colon == 0 && value.ends_with(b":");
            if !is_name && is_meaningful(value) && !value.starts_with(b"|") && !value.starts_with(b">") {
                ranges.push(end - value.len()..end);
            }
        }
    }
    until
}

/// Adds the values of an object of YAML in braces, in one line: `{a: x, b: "y"}`.
fn in_flow(text: &[u8], begin: usize, length: usize, ranges: &mut Vec<Range<usize>>) {
    let inside = &text[begin..begin + length];
    let inside = inside.strip_suffix(b"}").unwrap_or(inside);
    let mut at = begin;
    for pair in inside.split(|byte| *byte == b',') {
        if let Some(colon) = memmem::find(pair, b": ") {
            let value = &pair[colon + 2..];
            let quotes = |byte: &u8| b" \"'".contains(byte);
            let skipped = value.iter().take_while(|byte| quotes(byte)).count();
            let length = value.len() - value.iter().rev().take_while(|byte| quotes(byte)).count();
            if skipped < length && is_meaningful(&value[skipped..length]) {
                ranges.push(at + colon + 2 + skipped..at + colon + 2 + length);
            }
        }
        at += pair.len() + 1;
    }
}

/// Reports whether a line is a member of an object, an element of a list, or a comment, as that of another text is not.
fn is_member(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\"").unwrap_or(line);
    let name = line.iter().take(256).take_while(|byte| is_name_byte(**byte) || **byte == b'/').count();
    let rest = line[name..].strip_prefix(b"\"").unwrap_or(&line[name..]);
    line.starts_with(b"#") || line.starts_with(b"- ") || name > 0 && rest.starts_with(b":")
}

/// Returns the column at which a line begins.
fn column_of(line: &[u8]) -> usize {
    line.iter().take_while(|byte| **byte == b' ').count()
}

/// Reports whether a line begins an element of a list whose names are in a column.
fn starts_element(line: &[u8], column: usize) -> bool {
    column >= 2 && column_of(line) == column - 2 && line[column - 2..].starts_with(b"- ")
}

#[cfg(test)]
mod tests {
    use crate::redaction::tests::found_by;

    fn values(text: &str) -> Vec<&str> {
        found_by(super::find, text)
    }

    #[test]
    fn values_of_secrets_are_found_whatever_their_names() {
        assert_eq!(values("apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  conn: YWJj\n"), ["YWJj"]);
        let list = "items:\n- apiVersion: v1\n  data:\n    a: YQ==\n    b: Yg==\n  kind: Secret\n  metadata:\n    name: x\n\
                    - apiVersion: v1\n  data:\n    c: plain\n  kind: ConfigMap\n- apiVersion: v1\n  stringData:\n    d: |\n      \
                    one\n  kind: Secret\nkind: List\n";
        assert_eq!(values(list), ["YQ==", "Yg==", "one"]);
        let json =
            r#"{"items":[{"data":{"a":"YQ==","b":"Yg=="},"kind":"Secret"},{"data":{"c":"d"},"kind":"ConfigMap"}]}"#;
        assert_eq!(values(json), ["YQ==", "Yg=="]);
        let after = r#"{"kind": "Secret", "metadata": {"name": "x"}, "stringData": {"conn": "x y"}, "type": "Opaque"}"#;
        assert_eq!(values(after), ["x y"]);
        let escaped = r#"{"kind":"Secret","data":{"a":null,"b":"{\"c\":\"x\"}","d":"z"#;
        assert_eq!(values(escaped), [r#"{\"c\":\"x\"}"#, "z"]);
        assert_eq!(values("kind: Secret\nmetadata: {name: a}\nstringData: {a: x, b: \"y z\"}\n"), ["x", "y z"]);
        assert_eq!(values("Secret{StringData:map[string]string{\"a\":\"x\", \"b\":\"z\"}}"), ["x", "z"]);
        assert_eq!(values("&Secret{StringData:map[a:x b:z],Type:Opaque}"), ["x", "z"]);
        for harmless in [
            "kind: SecretProviderClass\ndata:\n  a: b\n",
            "kind: Secret\nthe next line of a log\ndata:\n  a: b\n",
            "involvedObject:\n  kind: Secret\n  name: x\nmessage: data\n",
            "the kind: Secret data: x",
        ] {
            assert!(values(harmless).is_empty(), "{harmless}");
        }
    }
}
