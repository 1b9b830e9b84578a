//! Removes secrets from texts: known secrets, in every encoding in which logs and templates have them, and texts with the form
//! of a secret.
//!
//! A [`Redactor`] makes one pass over a text for each layer of escapes, so the time depends only on the size of the text. It
//! returns [`Redacted`], the only untrusted text that the commands print.
//!
//! To find another form of a known secret: `views` undoes escapes, `packed` decodes. To find another unknown secret: a name in
//! `names`, or a function in `patterns`.
//!
//! ```
//! use aks_node_controller::Secret;
//! use aks_node_controller::redaction::Redactor;
//!
//! let redactor = Redactor::new(&[Secret::from("correct-horse-battery")]);
//! let text = r#"{"user": "x", "detail": "correct\u002dhorse\u002dbattery", "clientSecret": "s3cret"}"#;
//! assert_eq!(
//!     redactor.redact(text).as_str(),
//!     r#"{"user": "x", "detail": "[redacted]", "clientSecret": "[redacted]"}"#,
//! );
//! ```

mod base85;
mod budget;
mod columns;
mod dumps;
mod found;
mod keys;
mod known;
mod logins;
mod members;
mod names;
mod objects;
mod packed;
mod patterns;
mod presentable;
mod repeated;
#[cfg(node)]
mod stream;
mod tokens;
mod typed;
mod value;
mod views;

pub(crate) use found::{found, has_secret, secret_assignment, secret_assignments};
#[cfg(feature = "cli")]
pub(crate) use names::is_known_name;
pub(crate) use names::{announces, is_secret_name, is_secret_variable};
pub(crate) use presentable::presentable;
#[cfg(any(feature = "cli", node))]
pub(crate) use presentable::{is_obeyed, printable_json};
#[cfg(node)]
pub(crate) use stream::RedactedStream;
pub(crate) use value::is_meaningful;

pub use crate::secret::REDACTED;
pub use found::values;

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::io::Read;
use std::ops::{Deref, Range};

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use memchr::memmem;
use serde::Serialize;
use serde_json::Value;

use crate::Secret;
use crate::secret::{SHORTEST, long_lines};
use budget::{Budget, Inflated};
use known::Known;
use names::Names;
use packed::Packed;

/// How many layers of base64 and gzip are looked through.
const LAYERS: usize = 4;

/// How many layers are looked through in what lists of numbers stand for: the digits of a list may be in another one.
const NUMBERS: usize = 2;

/// The most bytes that are unpacked to look for secrets in one text. The rest is replaced.
const MOST_UNPACKED: u64 = 16 << 20;

/// Bytes of the shortest base64 whose content is looked at for unknown secrets.
const SHORTEST_PACKED: usize = 20;

/// A text without secrets, which only a [`Redactor`] makes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Redacted(String);

impl Redacted {
    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the text.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl Deref for Redacted {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// JSON without secrets, which only a [`Redactor`] makes.
#[derive(Clone, Debug, PartialEq)]
pub struct RedactedJson(Value);

impl RedactedJson {
    /// Returns the value.
    #[must_use]
    pub fn as_value(&self) -> &Value {
        &self.0
    }
}

/// Known secrets, and the patterns of unknown ones.
#[derive(Clone, Default)]
pub struct Redactor {
    known: Known,
}

/// Shows only how many secrets are known.
impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({} forms)", self.known.len())
    }
}

impl Redactor {
    /// Returns a redactor for these secrets, and for texts with the form of a secret. Secrets under six bytes are recognized only by their
    /// names.
    pub fn new<'s>(secrets: impl IntoIterator<Item = &'s Secret<'static>>) -> Self {
        let mut all = BTreeSet::new();
        for secret in secrets {
            for whole in secret.wholes() {
                for password in passwords(&whole) {
                    all.extend(forms(password));
                }
                if let Some(content) = packed::content(&whole) {
                    all.insert(content);
                }
                all.extend(long_lines(&whole).map(<[u8]>::to_vec));
                all.extend(forms(&whole));
            }
        }
        Self { known: Known::new(all.into_iter().filter(|secret| secret.len() >= SHORTEST)) }
    }

    /// Returns a text without secrets.
    #[must_use]
    pub fn redact(&self, text: &str) -> Redacted {
        let bytes = self.redact_bytes(text.as_bytes());
        Redacted(bytes.map_or_else(|| text.to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Returns JSON without secrets in its texts and names.
    #[must_use]
    pub fn redact_json(&self, value: &Value) -> RedactedJson {
        RedactedJson(self.value(value, &mut HashMap::new()))
    }

    fn value<'v>(&self, value: &'v Value, seen: &mut HashMap<&'v str, String>) -> Value {
        match value {
            Value::String(text) => Value::String(self.once(text, seen)),
            Value::Array(list) => list.iter().map(|element| self.value(element, seen)).collect(),
            Value::Object(members) => {
                let named = ["name", "key"].iter().find_map(|field| members.get(*field)?.as_str());
                let is_named = named.is_some_and(announces);
                let member = |(name, value): (&'v String, &'v Value)| {
                    let is_secret = announces(name) || is_named && name == "value";
                    let value = if is_secret { self.covered(value, seen) } else { self.value(value, seen) };
                    (self.once(name, seen), value)
                };
                members.iter().map(member).collect()
            }
            other => other.clone(),
        }
    }

    /// Returns a text without secrets. A text that JSON repeats, such as a name or a command, is looked at once.
    fn once<'v>(&self, text: &'v str, seen: &mut HashMap<&'v str, String>) -> String {
        seen.entry(text).or_insert_with(|| self.redact(text).0).clone()
    }

    /// Returns the value of a name that announces a secret.
    fn covered<'v>(&self, value: &'v Value, seen: &mut HashMap<&'v str, String>) -> Value {
        match value {
            Value::String(text) if is_meaningful(text.as_bytes()) => REDACTED.into(),
            Value::Array(list) => list.iter().map(|element| self.covered(element, seen)).collect(),
            other => self.value(other, seen),
        }
    }

    /// Returns a text without secrets that stays the same when it is redacted again: text beside a replaced secret may look like a secret
    /// only after the replacement.
    #[must_use]
    pub fn redact_fully(&self, text: &str) -> Redacted {
        const MOST: usize = 5;
        let mut redacted = Redacted(text.to_owned());
        for _ in 0..MOST {
            let again = self.redact(&redacted);
            if again == redacted {
                break;
            }
            redacted = again;
        }
        redacted
    }

    /// Returns bytes without secrets; `None` if they have none.
    fn redact_bytes(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let ranges = self.ranges(bytes);
        (!ranges.is_empty()).then(|| replaced(bytes, ranges))
    }

    fn ranges(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        if self.known.is_empty() && is_word(text) {
            return ranges;
        }
        let budget = Budget::new(MOST_UNPACKED);
        self.look_at_pieces(text, &mut ranges);
        let has_numbers = dumps::has_some(text);
        let look = |text: &[u8], ranges: &mut Vec<Range<usize>>| {
            self.look(text, LAYERS, &budget, ranges);
            if has_numbers {
                self.look_at_numbers(text, NUMBERS, &budget, ranges);
            }
        };
        let look_behind_prefixes = |text: &[u8], ranges: &mut Vec<Range<usize>>| {
            let Some(view) = views::without_prefixes(text) else { return };
            let mut found = Vec::new();
            look(&view.text, &mut found);
            self.look_at_pieces(&view.text, &mut found);
            ranges.extend(found.iter().map(|range| view.original_of(range)));
        };
        look(text, &mut ranges);
        look_behind_prefixes(text, &mut ranges);
        views::each(text, |view, original| {
            let mut found = Vec::new();
            look(view, &mut found);
            // What is between the numbers of a known secret may be escaped.
            if !has_numbers && !self.known.is_empty() && dumps::has_some(view) {
                self.look_at_numbers(view, NUMBERS, &budget, &mut found);
            }
            look_behind_prefixes(view, &mut found);
            ranges.extend(found.iter().map(original));
        });
        repeated::find(text, &mut ranges);
        ranges
    }

    /// Adds known secrets in base64 that is in several lines or texts in quotes, however short.
    fn look_at_pieces(&self, text: &[u8], ranges: &mut Vec<Range<usize>>) {
        let Some(joined) = views::joined(text).filter(|_| !self.known.is_empty()) else { return };
        for packed in packed::base64_runs(&joined.text).filter(|packed| joined.has_step(&packed.range)) {
            for (place, content) in packed.contents().enumerate() {
                self.known.find(&content, |range| {
                    // Words of other lines may be joined with it.
                    let start = packed.range.start + place + range.start / 3 * 4;
                    let end = packed.range.start + place + range.end.div_ceil(3) * 4;
                    ranges.push(joined.original_of(&(start..end.min(packed.range.end))));
                    true
                });
            }
        }
    }

    /// Adds what is secret in a text whose escapes are not looked at.
    fn look(&self, text: &[u8], layers: usize, budget: &Budget, ranges: &mut Vec<Range<usize>>) {
        self.known.find(text, |range| {
            ranges.push(range);
            true
        });
        if !self.known.is_empty()
            && let Some(joined) = views::joined(text)
        {
            self.known.find(&joined.text, |range| {
                ranges.push(joined.original_of(&range));
                true
            });
        }
        patterns::find(text, ranges, Names::Telling);
        let public = keys::public(text);
        let is_inside = |range: &Range<usize>| {
            let before = public.partition_point(|public| public.start <= range.start);
            before > 0 && range.end <= public[before - 1].end
        };
        for packed in packed::packed(text) {
            let is_public = is_inside(&packed.range)
                || keys::is_said_public(text, &packed.range)
                    && !packed.contents().any(|content| self.is_known(&content));
            if !is_public && self.is_secret_packed(&packed, layers, budget) {
                ranges.push(packed.range);
            }
        }
    }

    /// Adds what is secret in dumps, lists of numbers and base85, and in so many layers of what these stand for.
    fn look_at_numbers(&self, text: &[u8], layers: usize, budget: &Budget, ranges: &mut Vec<Range<usize>>) {
        let is_secret = |content: &[u8]| self.is_known(content) || self.is_secret(content, layers, budget);
        let is_secret_dump = |content: &Vec<u8>| {
            // A list of characters, `U+005A U+0061`, is one of UTF-16.
            let wide = packed::of_wide(content);
            is_secret(content)
                || wide.is_some_and(|content| is_secret(&content))
                // Packets have bytes before their text.
                || !packed::is_mostly_text(content) && packed::texts(content).any(is_secret)
        };
        let dumps = dumps::dumps(text).filter(|dump| dump.contents.iter().any(is_secret_dump));
        ranges.extend(dumps.map(|dump| dump.range));
        let words = base85::words(text).filter(|word| {
            let word = &text[word.clone()];
            budget.judged(&("base85", word, layers), || base85::contents(word).any(|content| is_secret(&content)))
        });
        ranges.extend(words);
    }

    fn is_secret_packed(&self, packed: &Packed<'_>, layers: usize, budget: &Budget) -> bool {
        budget.judged(&(packed, layers), || self.judge_packed(packed, layers, budget))
    }

    fn judge_packed(&self, packed: &Packed<'_>, layers: usize, budget: &Budget) -> bool {
        let is_long = packed.range.len() >= SHORTEST_PACKED;
        let mut is_random = packed.is_random();
        for (place, content) in packed.contents().enumerate() {
            if self.is_known(&content) || keys::is_private(&content) {
                return true;
            }
            for text in packed::of_utf_16(&content).into_iter().chain(packed::of_wide(&content)) {
                if self.is_known(&text) || is_long && self.is_secret(&text, layers, budget) {
                    return true;
                }
            }
            if !is_long || packed.is_number() && !packed::is_mostly_text(&content) && !packed::is_compressed(&content) {
                continue;
            }
            if place == 0 && keys::is_public(&content) {
                return false;
            }
            if self.is_secret(&content, layers, budget) {
                return true;
            }
            // The text is complete, and not truncated.
            if place == 0 && packed::is_text(&content) {
                is_random = false;
                break;
            }
            if place == 0 && !is_random && !packed.is_number() && packed::may_be_deflated(&content) {
                match budget.inflated(&content) {
                    Inflated::TooMuch => return true,
                    Inflated::Text(plain)
                        if self.is_known(&plain) || self.is_secret(&plain, layers.saturating_sub(1), budget) =>
                    {
                        return true;
                    }
                    Inflated::Text(_) | Inflated::Nothing => {}
                }
            }
        }
        is_random
    }

    /// Reports whether some bytes have a known secret.
    fn is_known(&self, content: &[u8]) -> bool {
        let mut is_known = false;
        if content.len() >= SHORTEST && !self.known.is_empty() {
            self.known.find(content, |_| {
                is_known = true;
                false
            });
        }
        is_known
    }

    /// Reports whether unpacked bytes have a secret, in any layer.
    fn is_secret(&self, content: &[u8], layers: usize, budget: &Budget) -> bool {
        if packed::is_compressed(content) {
            let mut plain = Vec::new();
            let left = budget.left.get();
            let read = if content.starts_with(b"x") {
                ZlibDecoder::new(content).take(left).read_to_end(&mut plain)
            } else {
                MultiGzDecoder::new(content).take(left).read_to_end(&mut plain)
            };
            budget.left.set(left.saturating_sub(plain.len() as u64));
            if read.is_err() && !packed::was_compressed(content, &plain) {
                return self.is_known(&plain);
            }
            // Content that cannot be checked completely is not shown.
            return read.is_err()
                || plain.len() as u64 >= left
                || layers == 0
                || self.is_known(&plain)
                || self.is_secret(&plain, layers - 1, budget);
        }
        // Patterns have a meaning in texts only.
        if !packed::is_mostly_text(content) && memmem::find(content, b"PRIVATE KEY").is_none() {
            return false;
        }
        let mut ranges = Vec::new();
        if layers == 0 {
            patterns::find(content, &mut ranges, Names::Telling);
        } else {
            self.look(content, layers - 1, budget, &mut ranges);
            if ranges.is_empty() && layers > 1 && dumps::has_some(content) {
                self.look_at_numbers(content, (layers - 1).min(NUMBERS), budget, &mut ranges);
            }
            if ranges.is_empty()
                && let Some(view) = views::without_prefixes(content)
            {
                self.look(&view.text, layers - 1, budget, &mut ranges);
            }
            if ranges.is_empty() {
                views::each(content, |view, _| self.look(view, layers - 1, budget, &mut ranges));
            }
        }
        !ranges.is_empty()
    }
}

/// Reports whether a text is a word without the form of a secret: shorter than any token, and without a sign behind which a value may
/// be. Most names and values are, and a process may look at hundreds.
fn is_word(text: &[u8]) -> bool {
    text.len() < SHORTEST_PACKED && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(byte))
}

/// Returns a text with each range replaced; ranges that touch are one.
fn replaced(text: &[u8], mut ranges: Vec<Range<usize>>) -> Vec<u8> {
    ranges.sort_by_key(|range| range.start);
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    let mut ranges = ranges.into_iter().filter(|range| !range.is_empty()).peekable();
    while let Some(Range { start, mut end }) = ranges.next() {
        while let Some(next) = ranges.next_if(|next| next.start <= end) {
            end = end.max(next.end);
        }
        out.extend_from_slice(&text[at..start]);
        out.extend_from_slice(REDACTED.as_bytes());
        at = end;
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// Returns the forms of a secret that escapes and encodings do not lead to: quotes as shells and YAML write them inside quotes,
/// blanks as forms of web pages do, what the escapes of a URL stand for, and a short one in base64.
fn forms(secret: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = vec![secret.to_vec(), secret.trim_ascii().to_vec()];
    if let Ok(text) = std::str::from_utf8(secret) {
        for (from, to) in [("'", r"'\''"), ("'", r#"'"'"'"#), ("'", "''"), ("\"", "\"\""), (" ", "+")] {
            if text.contains(from) {
                forms.push(text.replace(from, to).into_bytes());
            }
        }
    }
    let mut plain = secret.to_vec();
    views::each(secret, |view, _| plain = view.to_vec());
    forms.push(plain);
    // In base64 once more, this is too short to be unpacked.
    if secret.len() < SHORTEST_PACKED * 3 / 4 {
        forms.push(STANDARD_NO_PAD.encode(secret).into_bytes());
    }
    forms
}

/// Returns the passwords in accounts: those of URLs, and `user:password` alone.
fn passwords(value: &[u8]) -> Vec<&[u8]> {
    let mut ranges = Vec::new();
    patterns::accounts(value, &mut ranges);
    if ranges.is_empty() && !value.iter().any(u8::is_ascii_whitespace) && memmem::find(value, b"://").is_none() {
        ranges.push(0..value.len());
    }
    let passwords = ranges.into_iter().filter_map(|range| {
        let account = &value[range];
        Some(&account[account.iter().position(|byte| *byte == b':')? + 1..])
    });
    passwords.filter(|password| password.len() >= SHORTEST).collect()
}

#[cfg(test)]
mod tests;
