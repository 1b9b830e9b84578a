//! Values that are several, or of a type that is written before them.

use std::ops::Range;

use super::{
    BEGINNING_OF_REDACTED, LONGEST, LONGEST_ALIGNMENT, LONGEST_LIST, LONGEST_TYPE, Name, Reader, is_meaningful,
    is_own_line, is_setter,
};
use crate::redaction::names::announces;
use crate::secret::SHORTEST;

impl Reader<'_> {
    /// Skips what programs write before a value in quotes: `Some("x")`, `(string) (len=1) "x"`, `N'x'`, and the tag or anchor of YAML.
    pub(super) fn skip_type(&self, from: usize) -> usize {
        let rest = &self.text[from..self.text.len().min(from + LONGEST_TYPE)];
        let is_quote = |at: usize| rest.get(at).is_some_and(|byte| matches!(byte, b'"' | b'\''));
        if let [b'!' | b'&', tag @ ..] = rest {
            let end = tag.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'!').count();
            return if end > 0 && tag[end..].starts_with(b" ") { from + end + 2 } else { from };
        }
        for maker in [&b"[]byte("[..], b"[]rune(", b"sensitive("] {
            if rest.starts_with(maker) && matches!(rest.get(maker.len()), Some(b'"' | b'\'')) {
                return from + maker.len();
            }
        }
        let is_in_type = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.*=&:()[@ \t\r\n".contains(byte);
        let end = rest.iter().take_while(is_in_type).count();
        let kind = rest[..end].trim_ascii_end();
        let is_prefix = kind.len() == end && matches!(kind, [b'N' | b'n' | b'b' | b'B' | b'r' | b'u' | b'U' | b'@']);
        // Another function has the name of a secret in its parentheses: `text("NAME")`.
        let is_maker = kind.strip_suffix(b"(").is_some_and(|name| {
            let start = name.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
            !name.contains(&b'(')
                && (name[start..].first().is_some_and(u8::is_ascii_uppercase) || &name[start..] == b"from")
                && !["Get", "Lookup", "Load", "Read", "Fetch"]
                    .iter()
                    .any(|verb| name[start..].starts_with(verb.as_bytes()))
        });
        let is_type = is_maker || kind.len() < end && kind.starts_with(b"(") && kind.ends_with(b")");
        if is_quote(end) && (is_prefix || is_type) { from + end } else { from }
    }

    /// Skips what PHP writes before a text that it dumps, in the next line: `string(3) "x"`.
    pub(super) fn skip_dumped(&self, from: usize) -> usize {
        let line = self.skip(from, LONGEST_TYPE, b" \t\r\n");
        let Some(rest) = self.text[line..].strip_prefix(b"string(") else { return from };
        let digits = rest.iter().take(8).take_while(|byte| byte.is_ascii_digit()).count();
        if rest[digits..].starts_with(b") \"") { line + 7 + digits + 2 } else { from }
    }

    /// Returns a value in quotes with the further ones of its list.
    pub(super) fn with_elements(&self, first: Range<usize>) -> Range<usize> {
        let mut found = first;
        while found.len() < LONGEST {
            let after = self.skip(found.end, 16, b"\"'\\");
            let comma = self.skip(after, 256, b" \t\r\n");
            if self.text.get(comma) != Some(&b',') {
                break;
            }
            let next = self.skip(comma + 1, 256, b" \t\r\n");
            let begin = self.skip(next, 16, b"\"'\\");
            let quote = self.text[next..begin].iter().copied().find(|byte| *byte != b'\\');
            let Some(element) = quote.and_then(|quote| self.quoted(next, quote, false)) else { break };
            found.end = element.end;
        }
        found
    }

    /// Returns a value in quotes with the one that it is changed to: `"x" -> "y"`.
    pub(super) fn with_change(&self, found: Range<usize>) -> Range<usize> {
        let next = found.end + 5;
        match self.text.get(found.end..next) {
            Some([quote @ (b'"' | b'\''), b' ', b'-', b'>', b' ']) if self.text.get(next) == Some(quote) => {
                let end = self.quoted(next, *quote, false).map_or(found.end, |next| next.end);
                found.start..end
            }
            _ => found,
        }
    }

    /// Returns the inside of a list without quotes: `[x y]`, `[]uint8{0x1, 0x2}`, and `([0]="x" [1]="y")` of a shell.
    pub(super) fn list(&self, begin: usize, sign: u8) -> Option<Range<usize>> {
        let rest = &self.text[begin..self.text.len().min(begin + LONGEST_LIST)];
        if rest.starts_with(BEGINNING_OF_REDACTED) {
            return None;
        }
        let (first, close) = match rest {
            [b'[', b']', ..] => {
                let kind = rest[2..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
                (rest[2 + kind..].starts_with(b"{").then_some(3 + kind)?, b'}')
            }
            [b'[', ..] => (1, b']'),
            [b'(', ..] if sign == b'=' => (1, b')'),
            _ => return None,
        };
        let mut quote = None;
        let length = rest[first..].iter().position(|byte| {
            match (quote, byte) {
                (None, b'"' | b'\'') if close == b')' => quote = Some(*byte),
                (Some(open), byte) if open == *byte => quote = None,
                _ => {}
            }
            quote.is_none() && *byte == close || *byte == b'\n' && close != b')'
        });
        match length.map(|length| first + length) {
            Some(end) if rest[end] == b'\n' => None,
            Some(end) => Some(begin + first..begin + end),
            // A long one.
            None => Some(begin + first..begin + rest.len()),
        }
    }

    /// Returns the value of a pair: `('password', 'x')` of a program, `["password", "x"]` of JSON, `{<<"password">>, <<"x">>}` of Erlang, or
    /// a line `password,x` of a table.
    pub fn pair(&self, name: &Name) -> Option<Range<usize>> {
        let text = self.text;
        let end = self.skip(name.end, 4, b"sS0123456789");
        let comma = self.skip(end, 16, b"\"'\\");
        let column = self.skip(comma, LONGEST_ALIGNMENT, b" ");
        if text.get(column) == Some(&b'|') {
            return self.next_cell(name, column + 1);
        }
        let is_binary = text[comma..].starts_with(b">>");
        let comma = if is_binary { comma + 2 } else { comma };
        if text.get(comma) != Some(&b',') {
            return None;
        }
        let value = self.skip(comma + 1, 64, b" \t");
        let value = if text[value..].starts_with(b"<<\"") { value + 2 } else { value };
        let begin = self.skip(value, 16, b"\"'\\");
        let quote = text[value..begin].iter().copied().find(|byte| *byte != b'\\');
        let before = &text[name.start.saturating_sub(64)..name.start];
        let quotes = before.iter().rev().take_while(|byte| b"\"'\\".contains(byte)).count();
        let before = before[..before.len() - quotes].trim_ascii_end();
        let before = if is_binary { before.strip_suffix(b"<<")? } else { before };
        let close = match before {
            // A constant has no quotes.
            [.., b'('] if quotes > 0 || is_setter(name_of_function(before)) || before.ends_with(b".put(") => Some(b')'),
            [.., b'['] if quotes > 0 => Some(b']'),
            // The texts of a list in Go and in C are between braces as well, after a type or a sign.
            [.., b'{'] if is_tuple(before) || (is_binary || quotes == 0) && begins_tuple(before) => Some(b'}'),
            _ => None,
        };
        if let Some(close) = close {
            let found = self.quoted(value, quote?, false)?;
            let after = self.skip(found.end, 16, b"\"'\\ >");
            let inside = &text[found.clone()];
            // A list of names has them as well.
            let is_name = std::str::from_utf8(inside).is_ok_and(announces);
            let is_long = inside.len() >= SHORTEST && inside.iter().any(u8::is_ascii_digit);
            let is_value = match close {
                // A message of a log, and what it is about.
                b')' => is_long || !is_logger(name_of_function(before)),
                // An atom of Erlang has no quotes.
                b'}' if is_binary || quotes == 0 => end == name.end && !is_name,
                _ => end == name.end && is_long && !is_name,
            };
            // A function that is given a name and a value may be given more.
            let takes_more = |function: &[u8]| is_setter(function) || [&b"String"[..], b"StringP"].contains(&function);
            let is_more = || close == b')' && text[after..].starts_with(b",") && takes_more(name_of_function(before));
            return (is_value && (text.get(after) == Some(&close) || is_more())).then_some(found);
        }
        let line = text[begin..].iter().take(LONGEST_LIST).take_while(|byte| !b"\r\n".contains(byte)).count();
        let found = match quote {
            Some(quote) => self.quoted(value, quote, false)?,
            None => begin..begin + line,
        };
        let is_last = !text[found.end.min(begin + line)..begin + line].contains(&b',');
        let inside = &text[found.clone()];
        let is_long = inside.len() >= SHORTEST && inside.iter().any(u8::is_ascii_digit);
        let is_plain = quote.is_some() || !inside.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b',');
        (is_own_line(text, name.start) && is_last && is_long && is_plain && is_meaningful(inside)).then_some(found)
    }
    /// Returns the cell after that of a name, which is alone in its own: `| password | x |`.
    fn next_cell(&self, name: &Name, from: usize) -> Option<Range<usize>> {
        let text = self.text;
        let before = text[..name.start].iter().rev().take(LONGEST_ALIGNMENT).find(|byte| **byte != b' ');
        if !before.is_none_or(|byte| b"|\n\"'".contains(byte)) {
            return None;
        }
        let cell = text[from..].iter().take(LONGEST_LIST).take_while(|byte| !b"|\r\n".contains(byte)).count();
        let inside = &text[from..from + cell];
        let value = inside.trim_ascii();
        let start = from + inside.len() - inside.trim_ascii_start().len();
        // The head of a table has another name there.
        let is_value = value.len() >= SHORTEST && value.iter().any(u8::is_ascii_digit) && is_meaningful(value);
        is_value.then(|| start..start + value.len())
    }
}

/// Returns the name of the function whose parenthesis is the end of a text.
fn name_of_function(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"(").unwrap_or_default();
    &text[text.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |at| at + 1)..]
}

/// Reports whether a function writes a log.
fn is_logger(name: &[u8]) -> bool {
    const LOGGERS: [&[u8]; 9] =
        [b"trace", b"debug", b"info", b"warn", b"warning", b"error", b"log", b"print", b"println"];
    LOGGERS.iter().any(|logger| name.eq_ignore_ascii_case(logger))
}

/// Reports whether the brace at the end of a text begins a tuple of Erlang: nothing is before it, or another tuple.
fn is_tuple(text: &[u8]) -> bool {
    let before = text[..text.len() - 1].iter().rev().take(LONGEST_ALIGNMENT).find(|byte| !byte.is_ascii_whitespace());
    before.is_none_or(|byte| b"[,".contains(byte))
}

/// Reports whether the brace at the end of a text begins a line, what is in quotes or in parentheses, or the message of a log.
fn begins_tuple(text: &[u8]) -> bool {
    let before = &text[..text.len() - 1];
    before.last().is_none_or(|byte| b"\n\"'(".contains(byte)) || before.ends_with(b": ")
}
