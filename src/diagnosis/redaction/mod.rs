//! Takes secrets out of texts: those that are known, in every form that logs have them in, and what looks like one.

mod base64_runs;
mod forms;
mod patterns;

use std::collections::BTreeSet;
use std::fmt;
use std::io::Read;
use std::ops::Range;

use base64::Engine;
use flate2::read::MultiGzDecoder;
use memchr::memmem::{Finder, find};

use crate::Secret;
use crate::catalogue::REDACTED;
use crate::secret::{SHORTEST, long_lines};
use base64_runs::{LENIENT, blocks, is_base64, is_random, runs};
use forms::{forms, unpercented};
pub(super) use patterns::values;
use patterns::{Names, accounts, pattern_ranges};

/// Bytes of the shortest secret of which a part is recognized, where a log has cut it off.
const SHORTEST_CUT: usize = 16;

/// Bytes of the shortest text that is tried as base64.
const SHORTEST_BASE64: usize = 20;

/// How many layers of base64 and gzip are looked through.
const LAYERS: usize = 4;

/// The most bytes that are unpacked to look for a secret. What is larger is replaced.
const MOST_UNPACKED: u64 = 4 << 20;

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
            let characters = &text[run.clone()];
            if characters.len() >= SHORTEST_BASE64 && (is_random(characters) || self.is_hidden_in(characters, LAYERS)) {
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
    fn is_hidden_in(&self, characters: &[u8], layers: usize) -> bool {
        let padding = characters.iter().rev().take_while(|byte| **byte == b'=').count();
        let characters = &characters[..characters.len() - padding];
        let characters: Vec<u8> = characters
            .iter()
            .map(|byte| match byte {
                b'-' => b'+',
                b'_' => b'/',
                other => *other,
            })
            .collect();
        (0..4).any(|start| {
            let characters = characters.get(start..).unwrap_or_default();
            // A single letter at the end is a part of a byte.
            let characters = if characters.len() % 4 == 1 { &characters[..characters.len() - 1] } else { characters };
            let decoded = LENIENT.decode(characters).unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::STANDARD;
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
            let hidden: Vec<_> = redacted.split(|character: char| !is_base64(u8::try_from(character).unwrap_or(b' '))).collect();
            for piece in hidden {
                let decoded = LENIENT.decode(piece.trim_end_matches('=')).unwrap_or_default();
                prop_assert!(find(&decoded, secret.as_bytes()).is_none(), "{}", redacted);
            }
        }
    }
}
