//! What looks like a secret. To find another pattern: a function that adds ranges, called by [`pattern_ranges`].

use std::collections::BTreeSet;
use std::ops::Range;

use memchr::memmem::{find, find_iter};

use super::base64_runs::is_base64;
use crate::Secret;
use crate::catalogue::REDACTED;
use crate::secret::SHORTEST;

/// Bytes of the longest value of a name that says it is secret.
const LONGEST_VALUE: usize = 16 << 10;

/// Which names announce a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// In any text: those that say it.
    Telling,
    /// In a file that has secrets: those of keys and accounts too, and without a sign between name and value.
    OfSecretFile,
}

/// Returns the values in a file with secrets that may be one.
pub(in crate::diagnosis) fn values(text: &str) -> Vec<Secret<'static>> {
    let bytes = text.as_bytes();
    let mut ranges = Vec::new();
    pattern_ranges(bytes, &mut ranges, Names::OfSecretFile);
    let value = |range: Range<usize>| String::from_utf8_lossy(&bytes[range]).into_owned();
    let values = ranges.into_iter().filter(|range| range.len() >= SHORTEST).map(value);
    // kubeconfigs name the files of keys.
    let is_path = |value: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
        value.starts_with('/') && value[1..].contains('/') && value.bytes().all(is_plain)
    };
    let values: BTreeSet<_> = values.filter(|value| value != REDACTED && !is_path(value)).collect();
    // What stands in JSON or YAML as it is written, and what it means.
    let meant = values.iter().filter_map(|value| serde_json::from_str(&format!("\"{value}\"")).ok());
    let values: BTreeSet<String> = meant.chain(values.iter().cloned()).collect();
    values.into_iter().map(Secret::from).collect()
}

/// Adds what looks like a secret.
pub(super) fn pattern_ranges(text: &[u8], ranges: &mut Vec<Range<usize>>, names: Names) {
    private_keys(text, ranges);
    bootstrap_tokens(text, ranges);
    web_tokens(text, ranges);
    accounts(text, ranges);
    named_values(text, ranges, names);
}

/// Adds private keys in PEM, also if only the beginning or the end of one is there.
fn private_keys(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    const MARK: &[u8] = b"PRIVATE KEY-----";
    let is_inside = |byte: &u8| byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() || b"+/=\\".contains(byte);
    for at in find_iter(text, MARK) {
        let line = text[..at].iter().rposition(|byte| *byte == b'-').map_or(0, |dash| dash + 1);
        let end = at + MARK.len();
        let is_begin = text[line..at].starts_with(b"BEGIN");
        if is_begin {
            // `\n` in JSON is part of the key as well.
            let inside = text[end..].iter().take_while(|byte| is_inside(byte)).count();
            let mut to = end + inside;
            if text[to..].starts_with(b"-") {
                to = find(&text[end..], MARK).map_or(to, |next| end + next + MARK.len()).min(end + LONGEST_VALUE * 4);
            }
            ranges.push(line.saturating_sub(5)..to.min(text.len()));
        } else if text[line..at].starts_with(b"END") {
            let from = line.saturating_sub(5);
            let inside = text[..from].iter().rev().take_while(|byte| is_inside(byte)).count();
            ranges.push(from - inside..end);
        }
    }
}

fn bootstrap_tokens(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    let is_small = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    for at in memchr::memchr_iter(b'.', text) {
        let before = text[..at].iter().rev().take(7).take_while(|byte| is_small(byte)).count();
        let after = text[at + 1..].iter().take(17).take_while(|byte| is_small(byte)).count();
        if before == 6 && after == 16 {
            ranges.push(at - 6..at + 17);
        }
    }
}

/// Adds JSON web tokens.
fn web_tokens(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    for at in find_iter(text, b"eyJ") {
        let length = text[at..].iter().take_while(|byte| is_base64(**byte) || **byte == b'.').count();
        if length >= 40 && text[at..at + length].contains(&b'.') {
            ranges.push(at..at + length);
        }
    }
}

/// Adds accounts in URLs.
pub(super) fn accounts(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    for at in find_iter(text, b"://") {
        let begin = at + 3;
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'\\<>`".contains(byte);
        let whole = text[begin..].iter().take(1024).take_while(|byte| !is_end(byte)).count();
        let url = &text[begin..begin + whole];
        let host = url.iter().position(|byte| b"/?#".contains(byte)).unwrap_or(url.len());
        let is_port = |rest: &[u8]| rest.iter().all(u8::is_ascii_digit);
        let account = match url[..host].iter().rposition(|byte| *byte == b'@') {
            Some(end) => Some(end),
            // A password with a slash in it.
            None => match url[..host].iter().position(|byte| *byte == b':') {
                Some(colon) if !is_port(&url[colon + 1..host]) => url.iter().rposition(|byte| *byte == b'@'),
                _ => None,
            },
        };
        if let Some(end) = account.filter(|end| &url[..*end] != REDACTED.as_bytes()) {
            ranges.push(begin..begin + end);
        }
    }
}

/// Adds the values of names that say that they are secret.
fn named_values(text: &[u8], ranges: &mut Vec<Range<usize>>, names: Names) {
    const TELLING: [&str; 19] = [
        "token",
        "secret",
        "password",
        "passwd",
        "pwd",
        "apikey",
        "api_key",
        "api-key",
        "accountkey",
        "account_key",
        "credential",
        "credentials",
        "sig",
        "signature",
        "authorization",
        "bearer",
        "basic",
        "key-data",
        "private_key",
    ];
    const OF_SECRET_FILES: [&str; 4] = ["auth", "key", "passphrase", "privatekey"];
    let lower = text.to_ascii_lowercase();
    let more: &[&str] = if names == Names::OfSecretFile { &OF_SECRET_FILES } else { &[] };
    for name in TELLING.iter().chain(more) {
        for at in find_iter(&lower, name.as_bytes()) {
            let end = at + name.len();
            if text.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
                continue;
            }
            // `basic` and `sig` are parts of other words.
            let is_word = at == 0 || !text[at - 1].is_ascii_alphanumeric();
            if !is_word && matches!(*name, "basic" | "sig" | "auth" | "key" | "bearer" | "pwd") {
                continue;
            }
            let is_option =
                text[..at].iter().rev().take_while(|byte| !byte.is_ascii_whitespace()).last() == Some(&b'-');
            let loose = names == Names::OfSecretFile || is_option || matches!(*name, "bearer" | "basic");
            if let Some(value) = value_after(text, end, loose) {
                ranges.push(value);
            }
        }
    }
}

/// Returns the value that follows a name: after `=` or `:`, or, if `loose`, after a space. Text that only goes on is none.
fn value_after(text: &[u8], name_end: usize, loose: bool) -> Option<Range<usize>> {
    let skip =
        |from: usize, set: &[u8]| from + text[from..].iter().take(16).take_while(|byte| set.contains(byte)).count();
    let after_quotes = skip(name_end, b"\"'\\");
    let before_sign = skip(after_quotes, b" \t");
    let (sign, after_sign) = match &text[before_sign..] {
        [b'=', ..] => (b'=', before_sign + 1),
        [b':', b'=', ..] => (b'=', before_sign + 2),
        [b':', ..] => (b':', before_sign + 1),
        [b'%', b'3', b'd' | b'D', ..] => (b'=', before_sign + 3),
        _ if loose && before_sign > name_end => (b' ', before_sign),
        _ => return None,
    };
    let value = skip(after_sign, b" \t");
    let begin = skip(value, b"\"'\\");
    let quote = text[value..begin].iter().copied().find(|byte| *byte != b'\\');
    let escapes = begin - value - usize::from(quote.is_some());
    let rest = &text[begin..text.len().min(begin + LONGEST_VALUE)];
    let length = match quote {
        Some(quote) => {
            let mut slashes = 0;
            rest.iter().position(|byte| {
                let ends = *byte == quote && slashes <= escapes;
                slashes = if *byte == b'\\' { slashes + 1 } else { 0 };
                ends
            })
        }
        .unwrap_or(rest.len()),
        None => rest.iter().take_while(|byte| !byte.is_ascii_whitespace() && !b"\"'\\,;&<>)}]`".contains(byte)).count(),
    };
    // The backslashes before the closing quote belong to it.
    let slashes = rest[..length].iter().rev().take(escapes).take_while(|byte| **byte == b'\\').count();
    let length = length - slashes;
    let found = &rest[..length];
    if found.is_empty()
        || rest.starts_with(REDACTED.as_bytes())
        || [&b"true"[..], b"false", b"null", b"none"].contains(&found)
    {
        return None;
    }
    // `Bearer [redacted]`, of which the first word would be taken.
    let lower = found.to_ascii_lowercase();
    if lower == b"bearer" || lower == b"basic" || lower.starts_with(b"bearer ") && found.ends_with(REDACTED.as_bytes())
    {
        return None;
    }
    let has_digit = found.iter().any(u8::is_ascii_digit);
    let is_value = match (sign, quote) {
        (b'=', _) | (_, Some(_)) => true,
        (b' ', None) => !found.starts_with(b"-") && (has_digit || found.len() >= 16) && found.len() >= SHORTEST,
        // In prose a colon is followed by words.
        _ => has_digit && found.len() >= SHORTEST,
    };
    is_value.then_some(begin..begin + length)
}
