//! Values in the lines that follow a name, and in the rest of its line.

use std::ops::Range;

use memchr::memmem;

use super::{LONGEST, Name, OBJECT, Reader, ends_json, is_meaningful, is_name_byte, is_shown_end};
use crate::secret::SHORTEST;

/// Bytes of the longest line before a name of which the beginning is looked for.
const LONGEST_BEGINNING: usize = 128;

impl Reader<'_> {
    /// Returns the lines of a block of YAML, or of a list without names, that belong to a name.
    fn block(&self, name: usize, from: usize) -> Option<Range<usize>> {
        let text = self.text;
        let rest = &text[from..text.len().min(from + LONGEST)];
        // A sign of a block with its options, or nothing.
        let first = &rest[..=rest.iter().take(8).position(|byte| *byte == b'\n')?];
        let lines = rest[first.len()..].split_inclusive(|byte| *byte == b'\n');
        let is_text = match first.trim_ascii() {
            [] => false,
            [b'|' | b'>', rest @ ..] if rest.len() <= 2 && rest.iter().all(|byte| b"+-123456789".contains(byte)) => {
                true
            }
            _ => return None,
        };
        let indent = self.indent(name);
        let begin = from + first.len();
        let (mut end, mut start, mut column) = (begin, None, 0);
        for line in lines {
            let at = begin_of(line);
            let content = line.trim_ascii();
            let is_element = content.starts_with(b"- ") && (start.is_none() || at >= column);
            if !content.is_empty() {
                if !is_element && (at <= indent || !is_text) {
                    break;
                }
                let is_pair = memmem::find(content, b": ").is_some() || content.ends_with(b":");
                if !is_text && is_pair {
                    return None;
                }
                if start.is_none() {
                    column = at;
                }
                start.get_or_insert(end + at + if is_text { 0 } else { 2 });
            }
            end += line.len();
        }
        let found = start?..end;
        let trimmed = text[found.clone()].trim_ascii_end().len();
        let found = found.start..found.start + trimmed;
        is_meaningful(&text[found.clone()]).then_some(found)
    }

    /// Returns a value in the lines below a name: a member of its object, a block, or the next line of a setting.
    pub(super) fn below(&mut self, name: usize, sign: u8, in_line: usize, is_spaced: bool) -> Option<Range<usize>> {
        if sign == b':' {
            let member = self.member_below(name, in_line);
            return member.and_then(|member| self.value(&Name::plain(member))).or_else(|| self.block(name, in_line));
        }
        let is_ended = sign == b'=' && is_spaced && self.text[in_line..].starts_with(b"\n");
        if is_ended { self.in_next_line(in_line) } else { None }
    }

    /// Returns the name of the member with the value, such as `value`, `default` or `secure`, of an object of YAML that begins in the line
    /// after that of a name.
    fn member_below(&self, name: usize, from: usize) -> Option<Range<usize>> {
        let rest = &self.text[from..self.text.len().min(from + OBJECT)];
        let mut at = from;
        let mut column = None;
        for line in rest.split_inclusive(|byte| *byte == b'\n') {
            let blanks = begin_of(line);
            if at == from {
                if line.trim_ascii_end().is_empty() {
                    at += line.len();
                    continue;
                }
                return None;
            }
            let column = *column.get_or_insert(blanks);
            let content = &line[blanks..];
            if column <= self.indent(name) || blanks < column || content.starts_with(b"-") {
                return None;
            }
            let word = [&b"value"[..], b"default", b"Value", b"Default", b"secure", b"inline_string"]
                .into_iter()
                .find(|word| content.starts_with(word));
            if let Some(length) = word.map(<[u8]>::len)
                && blanks == column
                && content[length..].starts_with(b":")
            {
                return Some(at + blanks..at + blanks + length);
            }
            at += line.len();
        }
        None
    }

    /// Returns how many blanks the line of a name begins with.
    fn indent(&self, name: usize) -> usize {
        let line = self.text[..name].iter().rev().take(LONGEST_BEGINNING).take_while(|byte| **byte != b'\n').count();
        begin_of(&self.text[name - line..name])
    }

    /// Returns the word that is alone in the next line, which begins with blanks, as in the files of Python.
    fn in_next_line(&self, feed: usize) -> Option<Range<usize>> {
        let begin = self.skip(feed + 1, LONGEST_BEGINNING, b" \t");
        let rest = &self.text[begin..self.text.len().min(begin + LONGEST)];
        let word = &rest[..rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count()];
        let is_word = begin > feed + 1 && !word.starts_with(b"[") && is_meaningful(word);
        (is_word && self.ends_line(begin + word.len())).then(|| begin..begin + word.len())
    }

    /// Reports whether nothing but a comment follows in a line.
    pub(super) fn ends_line(&self, at: usize) -> bool {
        let next = self.text[at..].iter().position(|byte| !b" \t\r".contains(byte));
        next.is_none_or(|next| match self.text[at + next] {
            b'\n' => true,
            byte => byte == b'#' && next > 0,
        })
    }

    /// Reports whether the text that a line without quotes is in ends here: `"password: x\\ntoken: y"`.
    pub(super) fn ends_text(&self, name: &Name, at: usize) -> bool {
        let is_quoted = self.text[..name.start].last().is_some_and(|byte| b"\"'".contains(byte));
        !is_quoted && ends_json(&self.text[at..])
    }

    /// Returns what follows the scheme of an `Authorization:`, or a cookie. `Basic` and `Bearer` are names themselves.
    pub fn header(&self, name: &Name) -> Option<Range<usize>> {
        const SCHEMES: [&[u8]; 10] = [
            b"token",
            b"negotiate",
            b"digest",
            b"ntlm",
            b"apikey",
            b"sharedkey",
            b"sharedkeylite",
            b"sharedaccesssignature",
            b"aws4-hmac-sha256",
            b"splunk",
        ];
        let rest = self.text.get(name.end..).filter(|rest| name.is_header && rest.starts_with(b":"))?;
        let begin = self.skip(name.end + 1, 64, b" \t");
        let rest = &rest[begin - name.end..];
        let word = |ends: fn(&u8) -> bool| rest.iter().take(256).position(ends).map(|end| &rest[..end]);
        let found = if self.text[name.start..name.end].to_ascii_lowercase().ends_with(b"cookie") {
            word(|byte| b"=\"'\r\n\\".contains(byte)).filter(|word| rest[word.len()] == b'=')?;
            begin
        } else {
            let scheme = word(u8::is_ascii_whitespace)?;
            if scheme.eq_ignore_ascii_case(b"digest") {
                return self.digest(begin);
            }
            let is_known = SCHEMES.contains(&&*scheme.to_ascii_lowercase());
            (is_known || self.is_credential(name, begin, scheme)).then_some(begin + scheme.len() + 1)?
        };
        let found = found..self.end_of_header(begin).max(found);
        is_meaningful(&self.text[found.clone()]).then_some(found)
    }

    /// Returns where the value of a header ends.
    fn end_of_header(&self, begin: usize) -> usize {
        let length = self.text[begin..].iter().take(LONGEST).take_while(|byte| !b"\"'\r\n\\".contains(byte)).count();
        begin + length - usize::from(is_shown_end(&self.text[begin..], length))
    }

    /// Returns the answer in the parameters of the scheme `Digest`.
    fn digest(&self, begin: usize) -> Option<Range<usize>> {
        const NAME: &[u8] = b"response=";
        let rest = &self.text[begin..self.text.len().min(begin + LONGEST)];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        let value = memmem::find(line, NAME)? + NAME.len();
        let quotes = line[value..].iter().take_while(|byte| b"\"\\".contains(byte)).count();
        let start = value + quotes;
        let length = line[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        (length > 0).then_some(begin + start..begin + start + length)
    }

    /// Reports whether the value of a header `Authorization` is a scheme and a word, of whatever scheme: it is in quotes, or the word has
    /// a digit.
    fn is_credential(&self, name: &Name, begin: usize, scheme: &[u8]) -> bool {
        let end = self.end_of_header(begin);
        let word = self.text.get(begin + scheme.len() + 1..end).unwrap_or_default();
        let quote = self.text[..name.start].last().filter(|byte| b"\"'".contains(byte));
        let is_quoted = quote.is_some() && quote == self.text.get(end);
        let is_long = word.len() >= SHORTEST && word.iter().any(u8::is_ascii_digit);
        let is_scheme =
            scheme.first().is_some_and(u8::is_ascii_uppercase) && scheme.iter().all(|byte| is_name_byte(*byte));
        is_scheme && word.iter().all(u8::is_ascii_graphic) && (is_quoted || is_long)
    }
}

/// Returns how many blanks a line begins with.
fn begin_of(line: &[u8]) -> usize {
    line.iter().take_while(|byte| **byte == b' ').count()
}
