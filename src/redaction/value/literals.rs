//! Texts that a program joins: `"a" + "b"`.

use std::ops::Range;

use super::{LONGEST, Reader, is_meaningful};

/// The most texts that are joined.
const MOST: usize = 64;

/// The most names between two texts.
const MOST_NAMES: usize = 3;

/// Bytes of the longest name between two texts.
const LONGEST_NAME: usize = 64;

/// Bytes of the longest expression before what it is otherwise.
const LONGEST_EXPRESSION: usize = 128;

/// The fewest bytes in digits.
const FEWEST_NUMBERS: usize = 6;

impl Reader<'_> {
    /// Returns the bytes in digits that begin here, each after the same signs: `5a 71 37`, `5A:71:37`, `0x5a, 0x71`, `[90, 113]`.
    pub(super) fn numbers(&self, begin: usize) -> Option<Range<usize>> {
        let rest = &self.text[begin..self.text.len().min(begin + LONGEST)];
        let open = usize::from(rest.first().is_some_and(|byte| b"[{(".contains(byte)));
        let (mut at, mut end, mut count) = (open, 0, 0);
        let mut separator = None;
        loop {
            let prefix = if rest[at..].starts_with(b"0x") { 2 } else { 0 };
            let number = &rest[at + prefix..];
            let digits = number.iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
            let is_decimal = open > 0 && digits < 4 && number[..digits].iter().all(u8::is_ascii_digit);
            if digits != 2 && (digits == 0 || !is_decimal) {
                break;
            }
            at += prefix + digits;
            end = at;
            count += 1;
            let gap = &rest[at..];
            let gap = &gap[..gap.iter().take(64).take_while(|byte| b" ,:-\t\r\n".contains(byte)).count()];
            // The last line ends after its bytes.
            if gap.is_empty() || gap[0] == b'\n' || *separator.get_or_insert(gap) != gap {
                break;
            }
            at += gap.len();
        }
        let is_word = rest.get(end).is_some_and(u8::is_ascii_alphanumeric);
        (count >= FEWEST_NUMBERS && !is_word).then_some(begin + open..begin + end)
    }

    /// Returns the text that an expression is if there is no other value: `getenv('PASSWORD') or 'x'`, `.password | default "x"`.
    pub(super) fn fallback(&self, begin: usize) -> Option<Range<usize>> {
        const SIGNS: [&[u8]; 5] = [b" || ", b" or ", b" ?? ", b" ?: ", b" default "];
        let rest = &self.text[begin..self.text.len().min(begin + LONGEST_EXPRESSION)];
        let line = &rest[..memchr::memchr2(b'\n', b';', rest).unwrap_or(rest.len())];
        let is_at = |sign: &&[u8]| {
            let end = memchr::memmem::find(line, sign)? + sign.len();
            matches!(line.get(end), Some(b'"' | b'\'')).then_some(end)
        };
        let at = begin + SIGNS.iter().filter_map(is_at).min()?;
        let found = self.quoted(at, self.text[at], false)?;
        // A word before it is a value as well.
        let is_expression = self.text[begin..at].iter().any(|byte| b".([$".contains(byte));
        Some(if is_expression { found } else { begin..found.end })
    }

    /// Returns what a variable is by default, before the brace: `${PASSWORD:-x}` of a shell, `${db.password:x}` of Spring.
    pub(super) fn default_of_variable(&self, begin: usize) -> Option<Range<usize>> {
        let rest = &self.text[begin..self.text.len().min(begin + LONGEST_EXPRESSION)];
        let (skipped, is_shell) = match rest {
            [b'?' | b'+', ..] => return None,
            [b'-' | b'=', ..] => (1, true),
            _ => (0, false),
        };
        let rest = &rest[skipped..];
        let length = memchr::memchr2(b'}', b'\n', rest)?;
        let value = &rest[..length];
        // A part of the value of a variable.
        let is_part = !is_shell && value.iter().all(|byte| byte.is_ascii_digit() || b":- ".contains(byte));
        let begin = begin + skipped;
        let quotes = |byte: &&u8| b"\"'".contains(byte);
        let (first, last) = (value.iter().take_while(quotes).count(), value.iter().rev().take_while(quotes).count());
        (!is_part && first + last < length && is_meaningful(&value[first..length - last]))
            .then(|| begin + first..begin + length - last)
    }

    /// Returns the word between backticks, as programs in Go and JavaScript have it.
    pub(super) fn raw(&self, at: usize) -> Option<Range<usize>> {
        let rest = &self.text[at + 1..self.text.len().min(at + 1 + LONGEST_EXPRESSION)];
        let length = memchr::memchr(b'`', rest)?;
        let is_word = !rest[..length].iter().any(u8::is_ascii_whitespace) && is_meaningful(&rest[..length]);
        is_word.then_some(at + 1..at + 1 + length)
    }

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
