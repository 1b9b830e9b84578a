//! Texts that a program joins: `"a" + "b"`.

use std::ops::Range;

use super::Reader;

/// The most texts that are joined.
const MOST: usize = 64;

/// The most names between two texts.
const MOST_NAMES: usize = 3;

/// Bytes of the longest name between two texts.
const LONGEST_NAME: usize = 64;

impl Reader<'_> {
    /// Returns a text in quotes with those that are joined to it: by the signs of most languages, or, behind a spaced sign of an
    /// assignment, by a blank.
    pub(super) fn with_literals(&self, first: Range<usize>, is_spaced: bool) -> Range<usize> {
        let mut found = first;
        for _ in 0..MOST {
            // Behind the quote, which may be escaped.
            let after = self.skip(found.end, 16, b"\\") + 1;
            match self.next_literal(after, is_spaced, MOST_NAMES) {
                Some(next) => found.end = next.end,
                None => break,
            }
        }
        found
    }

    /// Returns the text that is joined to what ends here, also behind the names of other values.
    pub(super) fn next_literal(&self, from: usize, is_spaced: bool, names: usize) -> Option<Range<usize>> {
        let text = self.text;
        let mut at = from;
        for _ in 0..=names {
            // A text that was cut off has no quote at its end.
            if at > text.len() {
                return None;
            }
            let sign = self.skip(at, 256, b" \t\r\n");
            let rest = text.get(sign..)?;
            let length = match rest {
                [b'+', b'=', ..] => return None,
                [b'+', b'+', ..] | [b'.', b'.', ..] | [b'|', b'|', ..] | [b'<', b'>', ..] | [b'\\', b'\n', ..] => 2,
                // A method has its name behind the point.
                [b'+' | b'&', ..] | [b'.', b' ' | b'"' | b'\'', ..] => 1,
                [b'"' | b'\'', ..] if is_spaced && sign > at && !text[at..sign].contains(&b'\n') => 0,
                _ => return None,
            };
            // A line that was added.
            if text[at..sign].ends_with(b"\n") {
                return None;
            }
            // In a shell, other commands follow.
            if !is_spaced && length > 0 && rest[0] != b'+' && rest[0] != b'\\' {
                return None;
            }
            let next = self.skip(sign + length, 256, b" \t\r\n");
            let begin = self.skip(next, 16, b"\"'\\");
            if let Some(quote) = text[next..begin].iter().copied().find(|byte| *byte != b'\\') {
                return self.quoted(next, quote, false);
            }
            let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_$.()".contains(byte);
            let name = text[next..].iter().take(LONGEST_NAME).take_while(is_in).count();
            if name == 0 {
                return None;
            }
            at = next + name;
        }
        None
    }
}
