//! Redacts the output of a child process while it streams.

use memchr::memmem;

use super::{Redactor, replaced};

/// Bytes that are held back at most for the end of a line, a key or base64.
const MOST_HELD: usize = 64 << 10;

/// Bytes of a longer line that are held back: a secret in them may go on.
const TAIL: usize = 16 << 10;

/// Bytes before a secret that may say that it is one.
const CONTEXT: usize = 256;

/// Bytes of the lines before, which may say that the value in the next one is secret.
const BEFORE: usize = 1024;

/// Bytes of the shortest line of base64 that the next line may continue.
const SHORTEST_LINE: usize = 40;

/// A stream without secrets. A line is held back until it has ended, and a private key, base64 in lines, and a name whose value is in
/// the next line until the whole of it has arrived.
pub(crate) struct RedactedStream<'r> {
    redactor: &'r Redactor,
    held: Vec<u8>,
    /// The last lines that were returned, as they were.
    before: Vec<u8>,
    /// Whether the rest of the line belongs to a secret that was longer than what is held back.
    skips_line: bool,
}

impl<'r> RedactedStream<'r> {
    /// Starts a stream.
    pub const fn new(redactor: &'r Redactor) -> Self {
        Self { redactor, held: Vec::new(), before: Vec::new(), skips_line: false }
    }

    /// Accepts the next bytes and returns the lines that have ended, without secrets.
    pub fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        for piece in piece.chunks(TAIL) {
            out.extend(self.accept(piece));
        }
        out
    }

    fn accept(&mut self, mut piece: &[u8]) -> Vec<u8> {
        if self.skips_line {
            let Some(end) = memchr::memchr(b'\n', piece) else { return Vec::new() };
            piece = &piece[end..];
            self.skips_line = false;
        }
        let had = self.held.len();
        self.held.extend_from_slice(piece);
        let ended = memchr::memrchr(b'\n', &self.held[had..]).map(|end| had + end + 1);
        let ready = ended.map_or(0, |end| self.before_open(end));
        if ready == 0 {
            return if self.held.len() > MOST_HELD { self.beginning() } else { Vec::new() };
        }
        let rest = self.held.split_off(ready);
        let ended = std::mem::replace(&mut self.held, rest);
        self.redacted(&ended)
    }

    /// Ends the stream and returns what was held back, without secrets.
    pub fn finish(&mut self) -> Vec<u8> {
        let held = std::mem::take(&mut self.held);
        self.redacted(&held)
    }

    /// Returns the next lines without secrets, among them those that the lines before announce.
    fn redacted(&mut self, lines: &[u8]) -> Vec<u8> {
        let mut text = std::mem::take(&mut self.before);
        let begin = text.len();
        text.extend_from_slice(lines);
        let ranges = self.redactor.ranges(&text).into_iter().filter(|range| range.end > begin);
        let ranges = ranges.map(|range| range.start.saturating_sub(begin)..range.end - begin);
        let out = replaced(lines, ranges.collect());
        let last = text.len().saturating_sub(BEFORE);
        let from =
            if last == 0 { 0 } else { memchr::memchr(b'\n', &text[last..]).map_or(text.len(), |feed| last + feed + 1) };
        self.before = text.split_off(from);
        out
    }

    /// Returns the beginning of the buffered text, up to a position outside any secret and any name that announces one.
    fn beginning(&mut self) -> Vec<u8> {
        let mut ranges = self.redactor.ranges(&self.held);
        ranges.sort_by_key(|range| range.start);
        let mut end = self.held.len() - TAIL;
        for range in &ranges {
            if range.start <= end + CONTEXT && range.end > end {
                end = range.end;
            }
        }
        // It may go on.
        self.skips_line = end >= self.held.len();
        let rest = self.held.split_off(end);
        let beginning = std::mem::replace(&mut self.held, rest);
        self.before.clear();
        ranges.retain(|range| range.end <= end);
        replaced(&beginning, ranges)
    }

    /// Returns how many bytes come before something that the next line may continue.
    fn before_open(&self, end: usize) -> usize {
        let key = self.before_open_key(end);
        let mut start = end;
        while let Some(line) = self.held[..start].strip_suffix(b"\n") {
            let begin = memchr::memrchr(b'\n', line).map_or(0, |feed| feed + 1);
            if !is_open(&line[begin..]) {
                break;
            }
            start = begin;
        }
        start.min(key)
    }

    /// Returns how many bytes come before a private key that has not ended.
    fn before_open_key(&self, end: usize) -> usize {
        let lines = &self.held[..end];
        let Some(mark) = memmem::rfind(lines, b"PRIVATE KEY-----") else { return end };
        let line = memchr::memrchr(b'\n', &lines[..mark]).map_or(0, |line| line + 1);
        if memmem::find(&lines[line..mark], b"BEGIN").is_some() { line } else { end }
    }
}

/// Reports whether the next line may continue a line: it is base64 as long as lines of it are, or it ends as a name or a part of a
/// word does, or it is a value whose name may follow.
fn is_open(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let field = line.strip_prefix(b"- ").unwrap_or(line);
    if [&b"value:"[..], b"\"value\":"].iter().any(|name| field.starts_with(name)) {
        return true;
    }
    let is_packed = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/_-".contains(byte);
    let ends = [&b":"[..], b": |", b": |-", b": >", b": >-", b": [", b"\\"];
    line.len() >= SHORTEST_LINE && line.iter().all(is_packed) || ends.iter().any(|end| line.ends_with(end))
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;

    use super::*;
    use crate::Secret;
    use crate::secret::REDACTED;

    fn redactor(values: &[&str]) -> Redactor {
        let values: Vec<Secret<'static>> = values.iter().map(|value| (*value).to_owned().into()).collect();
        Redactor::new(&values)
    }

    #[test]
    fn lines_are_passed_on_when_they_end_and_keys_as_a_whole() {
        let redactor = redactor(&["correct-horse-battery"]);
        let mut stream = RedactedStream::new(&redactor);
        assert_eq!(stream.push(b"one\ntwo"), b"one\n");
        assert_eq!(stream.push(b" correct-horse-batt"), b"");
        assert_eq!(stream.push(b"ery\nthree\n"), b"two [redacted]\nthree\n");
        assert_eq!(stream.push(b"a\n-----BEGIN PRIVATE KEY-----\nMIIE\n"), b"a\n");
        assert_eq!(stream.push(b"xyz\n-----END PRIVATE KEY-----\nb\nc"), b"[redacted]\nb\n");
        assert_eq!(stream.finish(), b"c");
    }

    #[test]
    fn what_the_next_line_continues_is_held_back() {
        let redactor = redactor(&["correct-horse-battery"]);
        let mut stream = RedactedStream::new(&redactor);
        let encoded = STANDARD.encode(format!("{} correct-horse-battery", "x".repeat(50)));
        let (one, two) = encoded.split_at(76);
        assert_eq!(stream.push(format!("{one}\n").as_bytes()), b"");
        assert_eq!(stream.push(format!("{two}\na b\n").as_bytes()), b"[redacted]\na b\n");
        assert_eq!(stream.push(b"  password:\n"), b"");
        assert_eq!(stream.push(b"    hunter2x\n"), b"  password:\n    [redacted]\n");
        assert_eq!(stream.push(b"- value: plainwords\n"), b"");
        assert_eq!(stream.push(b"  name: DB_PASSWORD\n"), b"- value: [redacted]\n  name: DB_PASSWORD\n");
        assert_eq!(stream.push(b"- name: DB_PASSWORD\n"), b"- name: DB_PASSWORD\n");
        assert_eq!(stream.push(b"  value: plainwords\n"), b"");
        assert_eq!(stream.finish(), b"  value: [redacted]\n");
        for json in ["{\n", "  \"id\": \"https://v.vault.azure.net/secrets/db/1\",\n", "  \"name\": \"db\",\n"] {
            assert_eq!(stream.push(json.as_bytes()), json.as_bytes());
        }
        let mut out = stream.push(b"  \"value\": \"plainwords\"\n");
        out.extend(stream.push(b"}\n"));
        assert_eq!(out, b"  \"value\": \"[redacted]\"\n}\n");
    }

    #[test]
    fn a_long_line_is_redacted_as_a_whole() {
        let redactor = redactor(&["correct-horse-battery"]);
        for before in (MOST_HELD - TAIL - 40..MOST_HELD - TAIL + 10).chain(MOST_HELD - 30..MOST_HELD + 10) {
            for secret in ["correct-horse-battery", "password=hunter2x", "https://user:hunter2x@proxy:3128"] {
                let mut stream = RedactedStream::new(&redactor);
                let text = format!("{}{secret} {}\nend\n", "x ".repeat(before / 2), "y ".repeat(MOST_HELD / 2));
                let mut out = Vec::new();
                for piece in text.as_bytes().chunks(4093) {
                    out.extend(stream.push(piece));
                }
                out.extend(stream.finish());
                let out = String::from_utf8(out).expect("text");
                assert!(
                    !out.contains("horse") && !out.contains("hunter") && out.ends_with("y \nend\n"),
                    "{before} {secret}"
                );
            }
        }
        // A secret without an end covers the rest of its line.
        let mut stream = RedactedStream::new(&redactor);
        let packed = STANDARD.encode(format!("{{\"password\": \"hunter2x\"}}{}", "long ".repeat(2 * MOST_HELD)));
        let mut out = stream.push(format!("a {packed}").as_bytes());
        out.extend(stream.push(b"\nend\n"));
        assert_eq!(String::from_utf8_lossy(&out), "a [redacted]\nend\n");
    }

    proptest! {
        #[test]
        fn a_secret_is_redacted_however_the_stream_is_split(
            secret in "[ab]{6,9}", other in "[abc]{6,20}", text in "[abc \n]{0,80}", cuts in prop::collection::vec(0..120_usize, 0..6),
        ) {
            let redactor = redactor(&[&secret, &other]);
            let text = format!("{text}{secret}{text}{other}{text}");
            let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.sort_unstable();
            let mut stream = RedactedStream::new(&redactor);
            let (mut out, mut from) = (Vec::new(), 0);
            for cut in cuts.into_iter().chain([text.len()]) {
                out.extend(stream.push(&text.as_bytes()[from..cut]));
                from = cut;
            }
            out.extend(stream.finish());
            let out = String::from_utf8(out).expect("letters");
            for piece in out.split(REDACTED) {
                prop_assert!(!piece.contains(&secret) && !piece.contains(&other), "{out}");
            }
        }
    }
}
