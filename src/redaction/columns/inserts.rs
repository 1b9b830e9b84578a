//! Finds values in rows of SQL, in the columns whose names announce a secret: `INSERT INTO t (user, password) VALUES ('u', 'p')`.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::redaction::names::announces;
use crate::redaction::value::is_meaningful;

/// Bytes of the longest list of columns, and between it and the values.
const LONGEST_HEAD: usize = 1024;

/// Bytes of the longest value.
const LONGEST: usize = 4096;

/// What begins a statement.
static BEGINNINGS: LazyLock<[Finder<'static>; 4]> =
    LazyLock::new(|| ["INSERT INTO ", "insert into ", "REPLACE INTO ", "replace into "].map(Finder::new));

/// Adds the values in columns that have secrets.
pub(super) fn find(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    for beginning in &*BEGINNINGS {
        let mut read = 0;
        for at in beginning.find_iter(text) {
            if at >= read {
                read = rows(text, at + beginning.needle().len(), ranges);
            }
        }
    }
}

/// Adds the values of all rows of a statement, and returns where they end.
fn rows(text: &[u8], from: usize, ranges: &mut Vec<Range<usize>>) -> usize {
    let head = &text[from..text.len().min(from + LONGEST_HEAD)];
    let Some(open) = head.iter().position(|byte| b"(;\n".contains(byte)).filter(|open| head[*open] == b'(') else {
        return from;
    };
    let Some(close) = memchr::memchr(b')', &head[open..]).map(|close| open + close) else { return from };
    let columns = head[open + 1..close].split(|byte| *byte == b',').map(|name| {
        let is_in = |byte: &u8| !byte.is_ascii_whitespace() && !b"`\"[]\\".contains(byte);
        let name: Vec<u8> = name.iter().copied().filter(is_in).collect();
        String::from_utf8_lossy(&name).into_owned()
    });
    let secret: Vec<bool> = columns.map(|name| announces(&name)).collect();
    let rest = head[close + 1..].trim_ascii_start();
    let mut at = from + head.len() - rest.len();
    if !secret.contains(&true) || !rest.get(..6).is_some_and(|word| word.eq_ignore_ascii_case(b"values")) {
        return at;
    }
    at += 6;
    let skip = |at: usize| at + text[at..].iter().take(64).take_while(|byte| byte.is_ascii_whitespace()).count();
    loop {
        at = skip(at);
        if text.get(at) != Some(&b'(') {
            return at;
        }
        at += 1;
        for is_secret in &secret {
            at = skip(at);
            let (value, end) = value(text, at);
            if *is_secret && is_meaningful(&text[value.clone()]) {
                ranges.push(value);
            }
            at = skip(end);
            if text.get(at) != Some(&b',') {
                break;
            }
            at += 1;
        }
        if text.get(at) != Some(&b')') {
            return at;
        }
        at = skip(at + 1);
        if text.get(at) != Some(&b',') {
            return at;
        }
        at += 1;
    }
}

/// Returns a value without its quotes, and where it ends. A quote in it is doubled, or has a backslash before it.
fn value(text: &[u8], from: usize) -> (Range<usize>, usize) {
    let rest = &text[from..text.len().min(from + LONGEST)];
    let prefix = rest.iter().take(2).take_while(|byte| b"NEn".contains(byte)).count();
    let Some(quote) = rest.get(prefix).copied().filter(|byte| b"'\"".contains(byte)) else {
        let length = rest.iter().position(|byte| b",)\n;".contains(byte)).unwrap_or(rest.len());
        return (from..from + length, from + length);
    };
    let mut at = prefix + 1;
    while let Some(byte) = rest.get(at) {
        match (*byte, rest.get(at + 1)) {
            (b'\\', Some(_)) => at += 1,
            (byte, Some(next)) if byte == quote && *next == quote => at += 1,
            (byte, _) if byte == quote => break,
            _ => {}
        }
        at += 1;
    }
    let end = at.min(rest.len());
    (from + prefix + 1..from + end, from + rest.len().min(end + 1))
}
