//! Takes secrets out of texts: those that are known, in every form that logs have them in, and what looks like one.
//!
//! To find another form of a known secret: [`forms`]. To find another pattern: a function that adds ranges, called by
//! [`pattern_ranges`].

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::io::Read;
use std::ops::Range;

use base64::Engine;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use flate2::read::MultiGzDecoder;
use memchr::memmem::{Finder, find, find_iter};

use super::evidence::Evidence;
use super::reading;
use crate::Secret;
use crate::catalogue::REDACTED;
use crate::secret::{SHORTEST, long_lines};

/// Bytes of the shortest secret of which a part is recognized, where a log has cut it off.
const SHORTEST_CUT: usize = 16;

/// Bytes of the shortest text that is tried as base64.
const SHORTEST_BASE64: usize = 20;

/// Bytes of the shortest text that is taken for a key because of its letters.
const SHORTEST_RANDOM: usize = 40;

/// How many layers of base64 and gzip are looked through.
const LAYERS: usize = 4;

/// The most bytes that are unpacked to look for a secret. What is larger is replaced.
const MOST_UNPACKED: u64 = 4 << 20;

/// Bytes of the longest value of a name that says it is secret.
const LONGEST_VALUE: usize = 16 << 10;

/// Known secrets, and the patterns of unknown ones.
#[derive(Clone, Default)]
pub struct Redactor {
    finders: Vec<Finder<'static>>,
    /// Secrets of which the beginning or the end alone is found, too.
    cut: Vec<Cut>,
}

/// A secret that may be cut off.
#[derive(Clone)]
struct Cut {
    secret: Vec<u8>,
    beginning: Finder<'static>,
    end: Finder<'static>,
}

/// A finder shows what it looks for, so only their number is shown.
impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({} forms)", self.finders.len())
    }
}

impl Redactor {
    /// Returns a redactor of these secrets, and of what looks like one.
    pub fn new<'s>(secrets: impl IntoIterator<Item = &'s Secret<'static>>) -> Self {
        let mut all = BTreeSet::new();
        for secret in secrets {
            for whole in secret.wholes() {
                for password in passwords(&whole) {
                    all.insert(unpercented(password));
                    all.insert(password.to_vec());
                }
                all.extend(long_lines(&whole).map(<[u8]>::to_vec));
                all.insert(whole);
            }
        }
        let mut found: BTreeSet<Vec<u8>> = BTreeSet::new();
        for secret in &all {
            found.extend(forms(secret).into_iter().filter(|form| form.len() >= SHORTEST));
        }
        let cut = all.into_iter().filter(|secret| secret.len() >= SHORTEST_CUT && find(secret, b"://").is_none());
        let cut = cut.map(|secret| {
            let part = (secret.len() / 2).clamp(10, 24);
            Cut {
                beginning: Finder::new(&secret[..part]).into_owned(),
                end: Finder::new(&secret[secret.len() - part..]).into_owned(),
                secret,
            }
        });
        Self { finders: found.iter().map(|form| Finder::new(form).into_owned()).collect(), cut: cut.collect() }
    }

    /// Returns a text without secrets. Redacting it again changes nothing.
    #[must_use]
    pub fn redacted(&self, text: &str) -> String {
        let mut text = text.to_owned();
        // What stands beside something replaced may look like a secret only then.
        for _ in 0..4 {
            let ranges = self.ranges(text.as_bytes());
            if ranges.is_empty() {
                break;
            }
            text = replaced(text.as_bytes(), ranges);
        }
        text
    }

    /// Takes the secrets out of all texts.
    pub fn redact(&self, evidence: &mut Evidence) {
        for item in &mut evidence.items {
            item.path = self.redacted(&item.path);
            // What stands for a secret may be longer than the secret.
            let (text, left_out) = reading::shortened(self.redacted(&item.text));
            item.text = text;
            item.left_out += left_out;
        }
        for check in &mut evidence.checks {
            check.detail = self.redacted(&check.detail);
        }
        for unread in &mut evidence.unread {
            unread.path = self.redacted(&unread.path);
            unread.problem = self.redacted(&unread.problem);
        }
    }

    fn ranges(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut ranges = self.known_ranges(text);
        pattern_ranges(text, &mut ranges, Names::Telling);
        self.packed_ranges(text, &mut ranges);
        self.escaped_ranges(text, &mut ranges);
        ranges
    }

    fn known_ranges(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        for finder in &self.finders {
            ranges.extend(finder.find_iter(text).map(|at| at..at + finder.needle().len()));
        }
        for Cut { secret, beginning, end } in &self.cut {
            ranges.extend(beginning.find_iter(text).map(|at| {
                let same = text[at..].iter().zip(secret).take_while(|(one, other)| one == other).count();
                at..at + same
            }));
            ranges.extend(end.find_iter(text).map(|at| {
                let to = at + end.needle().len();
                let same = text[..to].iter().rev().zip(secret.iter().rev()).take_while(|(one, other)| one == other);
                to - same.count()..to
            }));
        }
        ranges
    }

    /// Adds what is, or hides, a secret in base64: its content has one, is compressed and cannot be read, or is random.
    fn packed_ranges(&self, text: &[u8], ranges: &mut Vec<Range<usize>>) {
        for block in blocks(text) {
            let plain: Vec<u8> = text[block.clone()].iter().copied().filter(|byte| is_base64(*byte)).collect();
            if is_random(&plain) || self.is_hidden_in(&plain, LAYERS) {
                ranges.push(block);
            }
        }
        for run in runs(text, is_base64) {
            let letters = &text[run.clone()];
            if letters.len() >= SHORTEST_BASE64 && (is_random(letters) || self.is_hidden_in(letters, LAYERS)) {
                ranges.push(run);
            }
        }
    }

    /// Adds what is, or hides, a secret in the escapes of URLs.
    fn escaped_ranges(&self, text: &[u8], ranges: &mut Vec<Range<usize>>) {
        let is_in = |byte: u8| byte.is_ascii_alphanumeric() || b"%+-._~!*'()/".contains(&byte);
        for run in runs(text, is_in) {
            if run.len() < SHORTEST || memchr::memchr(b'%', &text[run.clone()]).is_none() {
                continue;
            }
            let plain = unpercented(&text[run.clone()]);
            let spaced: Vec<u8> = plain.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
            if plain != text[run.clone()] && [plain, spaced].iter().any(|plain| self.is_secret_content(plain, LAYERS)) {
                ranges.push(run);
            }
        }
    }

    /// Reports whether the content of base64 has a secret. The text may be cut off at its beginning, so each alignment is tried.
    fn is_hidden_in(&self, letters: &[u8], layers: usize) -> bool {
        let padding = letters.iter().rev().take_while(|byte| **byte == b'=').count();
        let letters = &letters[..letters.len() - padding];
        let letters: Vec<u8> = letters
            .iter()
            .map(|byte| match byte {
                b'-' => b'+',
                b'_' => b'/',
                other => *other,
            })
            .collect();
        (0..4).any(|start| {
            let letters = letters.get(start..).unwrap_or_default();
            // A single letter at the end is a part of a byte.
            let letters = if letters.len() % 4 == 1 { &letters[..letters.len() - 1] } else { letters };
            let decoded = LENIENT.decode(letters).unwrap_or_default();
            decoded.len() >= SHORTEST && self.is_secret_content(&decoded, layers)
        })
    }

    /// Reports whether unpacked bytes have a secret, in any layer.
    fn is_secret_content(&self, content: &[u8], layers: usize) -> bool {
        if content.starts_with(&[0x1f, 0x8b, 8]) {
            let mut plain = Vec::new();
            let read = MultiGzDecoder::new(content).take(MOST_UNPACKED).read_to_end(&mut plain);
            // What cannot be looked at as a whole is not shown.
            return read.is_err()
                || plain.len() as u64 >= MOST_UNPACKED
                || layers == 0
                || self.is_secret_content(&plain, layers - 1);
        }
        if !self.known_ranges(content).is_empty() {
            return true;
        }
        // Patterns have a meaning in texts only.
        if std::str::from_utf8(content).is_err() && find(content, b"PRIVATE KEY").is_none() {
            return false;
        }
        let mut ranges = Vec::new();
        pattern_ranges(content, &mut ranges, Names::Telling);
        !ranges.is_empty()
            || (layers > 0
                && runs(content, is_base64)
                    .any(|run| run.len() >= SHORTEST_BASE64 && self.is_hidden_in(&content[run], layers - 1)))
    }
}

/// Decodes without padding, and ignores bits that are left over where a text was cut off.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Returns a text with each range replaced; ranges that touch are one.
fn replaced(text: &[u8], mut ranges: Vec<Range<usize>>) -> String {
    ranges.sort_by_key(|range| range.start);
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    let mut ranges = ranges.into_iter().filter(|range| !range.is_empty()).peekable();
    while let Some(Range { start, mut end }) = ranges.next() {
        while let Some(next) = ranges.next_if(|next| next.start <= end) {
            end = end.max(next.end);
        }
        // A range may begin inside what an earlier one has replaced.
        let start = start.max(at);
        out.extend_from_slice(&text[at..start]);
        out.extend_from_slice(REDACTED.as_bytes());
        at = end;
    }
    out.extend_from_slice(&text[at..]);
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns the passwords in accounts: those of URLs, and `user:password` alone.
fn passwords(value: &[u8]) -> Vec<&[u8]> {
    let mut ranges = Vec::new();
    accounts(value, &mut ranges);
    if ranges.is_empty() && !value.iter().any(u8::is_ascii_whitespace) && find(value, b"://").is_none() {
        ranges.push(0..value.len());
    }
    let passwords = ranges.into_iter().filter_map(|range| {
        let account = &value[range];
        Some(&account[account.iter().position(|byte| *byte == b':')? + 1..])
    });
    passwords.filter(|password| password.len() >= SHORTEST).collect()
}

/// Returns the forms in which logs have a value: as it is, escaped for JSON, URLs and shells, in base64 and in hexadecimal.
fn forms(value: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = vec![value.to_vec(), hexadecimal(value)];
    // Of base64, what does not depend on the bytes before and after the value.
    for before in 0..3 {
        let shifted = [&[0; 2][..before], value].concat();
        let letters = STANDARD.encode(&shifted);
        let (skip, whole) = (before * 8_usize.div_ceil(6), shifted.len() * 8 / 6);
        let letters = letters.get(skip.max((before * 8).div_ceil(6))..whole).unwrap_or_default();
        if letters.len() >= 8 {
            forms.push(letters.into());
            forms.push(letters.replace('+', "-").replace('/', "_").into());
        }
    }
    if let Ok(text) = std::str::from_utf8(value) {
        let json = json_inside(text);
        // JSON in JSON in JSON: results in events in what Azure shows.
        let mut nested = json.clone();
        for _ in 0..4 {
            nested = json_inside(&nested);
            forms.push(nested.clone().into());
        }
        forms.push(json.replace('/', "\\/").into());
        forms.push(json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026").into());
        forms.push(ascii_json(&json).into());
        forms.push(json.into());
        forms.push(text.replace('\'', r"'\''").into());
        forms.push(text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").into());
        forms.push(backslashed(text).into());
        for lower in [false, true] {
            let once = percent(value, lower);
            forms.push(percent(once.as_bytes(), lower).into());
            forms.push(once.replace("%20", "+").into());
            // What encoders of whole URLs leave as it is.
            let lenient =
                [("%3A", ":"), ("%2F", "/"), ("%40", "@"), ("%3D", "="), ("%2B", "+"), ("%2C", ","), ("%24", "$")];
            let lenient = lenient
                .iter()
                .fold(once.clone(), |text, (from, to)| text.replace(from, to).replace(&from.to_ascii_lowercase(), to));
            forms.push(lenient.into());
            forms.push(once.into());
        }
    }
    forms.sort();
    forms.dedup();
    forms
}

/// Returns a text without the escapes of URLs.
fn unpercented(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let escaped = digit(at + 1).zip(digit(at + 2)).filter(|_| *byte == b'%');
        out.push(escaped.map_or(*byte, |(high, low)| high << 4 | low));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    out
}

fn hexadecimal(value: &[u8]) -> Vec<u8> {
    value.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect()
}

/// Returns a text as the inside of a JSON string.
fn json_inside(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn ascii_json(text: &str) -> String {
    let mut units = [0; 2];
    let mut out = String::new();
    for letter in text.chars() {
        if letter.is_ascii() {
            out.push(letter);
        } else {
            out.extend(letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    out
}

/// Returns a text as bash prints it with `%q`.
fn backslashed(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "%+,-./:=@_".contains(letter) || !letter.is_ascii();
    text.chars().flat_map(|letter| (!is_plain(letter)).then_some('\\').into_iter().chain([letter])).collect()
}

fn percent(value: &[u8], lower: bool) -> String {
    let mut out = String::new();
    for byte in value {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
        let _ = match (is_plain, lower) {
            (true, _) => write!(out, "{}", char::from(*byte)),
            (false, true) => write!(out, "%{byte:02x}"),
            (false, false) => write!(out, "%{byte:02X}"),
        };
    }
    out
}

/// Which names announce a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Names {
    /// In any text: those that say it.
    Telling,
    /// In a file that has secrets: those of keys and accounts too, and without a sign between name and value.
    OfSecretFile,
}

/// Returns the values in a file with secrets that may be one.
pub(super) fn values(text: &str) -> Vec<Secret<'static>> {
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
fn pattern_ranges(text: &[u8], ranges: &mut Vec<Range<usize>>, names: Names) {
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
fn accounts(text: &[u8], ranges: &mut Vec<Range<usize>>) {
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

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-')
}

/// Returns the longest ranges of bytes of a class.
fn runs(text: &[u8], is_in: impl Fn(u8) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text.get(at..)?.iter().position(|byte| is_in(*byte))?;
        let length = text[start..].iter().take_while(|byte| is_in(**byte)).count();
        at = start + length;
        Some(start..at)
    })
}

/// Returns the ranges of base64 that is wrapped into lines.
fn blocks(text: &[u8]) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut open: Option<(Range<usize>, usize)> = None;
    let mut at = 0;
    for line in text.split(|byte| *byte == b'\n') {
        let trimmed = line.trim_ascii();
        let is_packed = !trimmed.is_empty() && trimmed.iter().all(|byte| is_base64(*byte));
        let range = at..at + line.len();
        at += line.len() + 1;
        match &mut open {
            Some((block, lines)) if is_packed => {
                block.end = range.end;
                *lines += 1;
                // Only the last line is shorter.
                if trimmed.len() < SHORTEST_RANDOM {
                    blocks.extend(open.take().map(|(block, _)| block));
                }
            }
            Some(_) => blocks.extend(open.take().filter(|(_, lines)| *lines > 1).map(|(block, _)| block)),
            None if is_packed && trimmed.len() >= SHORTEST_RANDOM => open = Some((range, 1)),
            None => {}
        }
    }
    blocks.extend(open.filter(|(_, lines)| *lines > 1).map(|(block, _)| block));
    blocks
}

/// Reports whether a text is long and has letters of both cases and digits all over, as keys and their base64 have.
fn is_random(text: &[u8]) -> bool {
    let count = |class: fn(&u8) -> bool| text.iter().filter(|byte| class(byte)).count();
    text.len() >= SHORTEST_RANDOM
        && count(u8::is_ascii_uppercase) >= 4
        && count(u8::is_ascii_lowercase) >= 4
        && count(u8::is_ascii_digit) >= 3
        && !text.starts_with(b"/")
        && count(|byte| *byte == b'/') <= text.len() / 12
        && count(|byte| *byte == b'-' || *byte == b'_') <= text.len() / 12
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::gzip;

    fn redactor(secrets: &[&str]) -> Redactor {
        let secrets: Vec<Secret<'static>> = secrets.iter().map(|secret| (*secret).to_owned().into()).collect();
        Redactor::new(&secrets)
    }

    #[test]
    fn what_looks_like_a_secret_is_replaced_and_nothing_else() {
        let redactor = redactor(&[]);
        for (text, expected) in [
            ("token abcdef.0123456789abcdef x", "token [redacted] x"),
            ("https://u:p@proxy:3128/a", "https://[redacted]@proxy:3128/a"),
            ("https://u:p/q@proxy:3128/a", "https://[redacted]@proxy:3128/a"),
            ("https://host:443/a@b", "https://host:443/a@b"),
            ("?sv=2024&sig=ab%2Fcd%3D&se=1", "?sv=2024&sig=[redacted]&se=1"),
            (r#"{"password":"hunter two","user":"x"}"#, r#"{"password":"[redacted]","user":"x"}"#),
            (
                r#"{"a":"{\"clientSecret\": \"hun\\\"ter\",\"b\":1}"}"#,
                r#"{"a":"{\"clientSecret\": \"[redacted]\",\"b\":1}"}"#,
            ),
            ("Authorization: Bearer abc123def456", "Authorization: Bearer [redacted]"),
            ("curl --password hunter2x --token=abc x", "curl --password [redacted] --token=[redacted] x"),
            ("bootstrap token: unauthorized", "bootstrap token: unauthorized"),
            ("the secret was not found", "the secret was not found"),
            ("-----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY-----\\nx", "[redacted]\\nx"),
            ("-----BEGIN PRIVATE KEY-----\nMIIE\n", "[redacted]"),
            ("MIIEabc\nxyz\n-----END PRIVATE KEY-----\nrest", "[redacted]\nrest"),
            ("-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----"),
            ("/subscriptions/8d0ff1a2-0c5e-4f4e-93a5-5a1c7e2b9d10/resourceGroups/MC_Rg_Name_WestEurope1", ""),
            ("sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", ""),
            ("AKS.CSE.configureKubeletAndKubectl.installKubeletKubectlFromURL", ""),
            ("kubelet-client-2026-11-22-05-55-30.pem", ""),
        ] {
            let expected = if expected.is_empty() { text } else { expected };
            assert_eq!(redactor.redacted(text), expected);
            assert_eq!(redactor.redacted(expected), expected, "twice");
        }
    }

    #[test]
    fn a_known_secret_is_replaced_in_every_form() {
        let secret = "it's a \"canary\"/\u{e4}+x=1&2";
        let redactor = redactor(&[secret]);
        for form in forms(secret.as_bytes()) {
            let form = String::from_utf8_lossy(&form).into_owned();
            let text = format!("before {form} after");
            assert!(!redactor.redacted(&text).contains(&form), "{text}");
        }
        let packed = gzip::compress(format!("x {secret} y").as_bytes());
        for content in [secret.as_bytes(), &packed, STANDARD.encode(&packed).as_bytes()] {
            let text = format!("content: {} end", STANDARD.encode(content));
            let redacted = redactor.redacted(&text);
            assert!(redacted.contains(REDACTED) && redacted.ends_with(" end"), "{redacted}");
        }
    }

    #[test]
    fn a_secret_that_a_log_has_cut_off_is_replaced_as_far_as_it_goes() {
        let redactor = redactor(&["correct-horse-battery-staple"]);
        for (text, expected) in [
            ("a correct-horse-bat", "a [redacted]"),
            ("tery-staple b", "tery-staple b"),
            ("rse-battery-staple b", "[redacted] b"),
        ] {
            assert_eq!(redactor.redacted(text), expected);
        }
    }

    #[test]
    fn base64_in_lines_is_replaced_as_a_whole() {
        let packed = STANDARD.encode(gzip::compress("a long text ".repeat(40).as_bytes()).repeat(5));
        let lines: Vec<_> = packed.as_bytes().chunks(76).map(String::from_utf8_lossy).collect();
        let text = format!("begin\n{}\nend", lines.join("\n"));
        assert_eq!(redactor(&[]).redacted(&text), "begin\n[redacted]\nend");
    }

    proptest! {
        #[test]
        fn any_text_is_redacted_without_a_panic_and_twice_is_once(text in "[ -~\n\\\\\"':=ä-]{0,200}", secret in "[a-z\"/+ ]{6,20}") {
            let redactor = redactor(&[&secret]);
            let once = redactor.redacted(&format!("{text}{secret}{text}"));
            prop_assert_eq!(redactor.redacted(&once), once);
        }

        #[test]
        fn a_secret_is_found_in_base64_at_any_place(before in ".{0,20}", secret in "[a-zA-Z0-9/+=.]{12,40}", after in ".{0,20}") {
            let encoded = STANDARD.encode(format!("{before}{secret}{after}"));
            let redacted = redactor(&[&secret]).redacted(&format!("x {encoded} y"));
            let hidden: Vec<_> = redacted.split(|letter: char| !is_base64(u8::try_from(letter).unwrap_or(b' '))).collect();
            for piece in hidden {
                let decoded = LENIENT.decode(piece.trim_end_matches('=')).unwrap_or_default();
                prop_assert!(find(&decoded, secret.as_bytes()).is_none(), "{}", redacted);
            }
        }
    }
}
