//! The value that follows a name, or stands before it, in any syntax.

mod around;
mod code;
mod lines;
mod lists;
mod literals;
mod meaning;
mod objects;
mod options;
mod words;

use std::ops::Range;

use memchr::memmem;

use around::{
    begins_entry, begins_several_lines, begins_text, closes_prompt, ends_json, follows_user, is_element,
    is_end_of_text, is_in_braces, is_in_quotes, is_message_of_klog, is_setter, is_shell_name, length_of_argument,
    length_of_field, length_of_field_error, length_of_subject, length_of_switch, length_of_type,
    length_to_value_of_key, quote_at_end,
};
pub(super) use around::{closes_text, is_own_line};
pub(super) use meaning::DESCRIPTIONS;
pub(crate) use meaning::is_meaningful;
pub(super) use meaning::is_state;
use meaning::{PACKAGES, stands_for_one};
use words::{end_of_doubled, is_shown_end, word_length};
pub(super) use words::{is_name_byte, is_word_end};

use super::packed::is_encoded_text;
use crate::secret::SHORTEST;

/// The beginning of what is shown instead of a secret; its end would end a word.
const BEGINNING_OF_REDACTED: &[u8] = b"[redacted";

/// Bytes of the longest value of a name that says it is secret.
const LONGEST: usize = 16 << 10;

/// How far from a name, in an object that has the name and the value in two fields, the value is looked for.
const OBJECT: usize = 512;

/// The most blanks before a sign, as where a program aligns the signs of several lines.
const LONGEST_ALIGNMENT: usize = 128;

/// Bytes of the longest type before a value.
const LONGEST_TYPE: usize = 64;

/// Bytes of the longest list without quotes.
const LONGEST_LIST: usize = 1024;

/// Tags of YAML before the name of what has the value, as `CloudFormation` has them.
const REFERENCES: [&[u8]; 4] = [b"!Ref ", b"!GetAtt ", b"!ImportValue ", b"!reference "];

/// A name of something secret.
#[expect(clippy::struct_excessive_bools, reason = "each is about another syntax")]
pub(super) struct Name {
    pub start: usize,
    pub end: usize,
    /// Whether the value may follow after a blank alone.
    pub is_loose: bool,
    /// Whether it is an option of a command, whose value may be the next element of a list.
    pub is_option: bool,
    /// Whether anything after a blank is its value.
    pub takes_any: bool,
    /// Whether it is a header whose value has several words.
    pub is_header: bool,
    /// No sentence has this name: it is `password`, or of several words, as `tenantToken`.
    pub is_telling: bool,
}

/// What is behind a name.
enum Sign {
    /// A sign, and where it ends.
    Ends(u8, usize),
    /// The value itself.
    Value(Range<usize>),
}

impl Name {
    /// Returns a name whose value follows a sign.
    pub const fn plain(place: Range<usize>) -> Self {
        let Range { start, end } = place;
        Self { start, end, is_loose: false, is_option: false, takes_any: false, is_header: false, is_telling: false }
    }
}

/// Reads values, and remembers the last long word, which several names may be a part of.
pub(super) struct Reader<'t> {
    text: &'t [u8],
    word: Range<usize>,
    last_digit: Option<usize>,
}

impl<'t> Reader<'t> {
    pub const fn new(text: &'t [u8]) -> Self {
        Self { text, word: 0..0, last_digit: None }
    }

    fn skip(&self, from: usize, most: usize, set: &[u8]) -> usize {
        from + self.text[from..].iter().take(most).take_while(|byte| set.contains(byte)).count()
    }

    /// Returns the value that follows a name: after `=`, `:` or `>`, or, if that is loose, after a space. Text that only goes on is
    /// none.
    pub fn value(&mut self, name: &Name) -> Option<Range<usize>> {
        let text = self.text;
        let end = self.skip(name.end, 4, b"sS0123456789");
        // Markdown has code in backticks, and stars around what is bold.
        let after_quotes = self.skip(end, 16, b"\"'\\]`*");
        let before_sign = self.skip(after_quotes, LONGEST_ALIGNMENT, b" \t");
        let (sign, after_sign) = match self.sign(name, [end, after_quotes, before_sign])? {
            Sign::Ends(sign, after) => (sign, after),
            Sign::Value(found) => return Some(found),
        };
        let is_sentence = sign == b' ' && !name.is_option && !name.is_loose;
        let in_line = self.skip_type(self.skip(after_sign, 64, b" \t"));
        let in_line = if text[..after_sign].ends_with(b"=>") { self.skip_dumped(in_line) } else { in_line };
        if REFERENCES.iter().any(|tag| text[self.skip(after_sign, 64, b" \t")..].starts_with(tag)) {
            return None;
        }
        if text[in_line..].starts_with(b"<![CDATA[") {
            let begin = in_line + 9;
            let rest = &text[begin..text.len().min(begin + LONGEST)];
            let found = begin..begin + memmem::find(rest, b"]]>").unwrap_or(rest.len());
            return is_meaningful(&text[found.clone()]).then_some(found);
        }
        if sign != b' ' && text[in_line..].starts_with(b"{") && !text[in_line..].starts_with(b"{{") {
            let object = self.in_object(in_line).or_else(|| self.in_braces(name.start, in_line));
            let object = object.or_else(|| self.in_map(name, in_line));
            // What is encrypted in an element has braces around it.
            if object.is_some() || sign != b'>' {
                return object;
            }
        }
        if let Some(found) = self.in_template(in_line).filter(|_| sign != b' ') {
            return Some(found);
        }
        // YAML and JSON may have the value in the next line.
        let broken = self.skip(in_line, 256, b" \t\r\n[");
        let is_quoted = text.get(broken).is_some_and(|byte| matches!(byte, b'"' | b'\''));
        let next_line = sign == b':' && broken > in_line && (is_quoted || text[in_line..broken].contains(&b'\n'));
        if let Some(found) = self.below(name.start, sign, in_line, before_sign > after_quotes) {
            return Some(found);
        }
        let value = if next_line || is_quoted && text[in_line..broken].contains(&b'[') { broken } else { in_line };
        if text[..value].ends_with(b"[") && text[value - 1..].starts_with(BEGINNING_OF_REDACTED) {
            return None;
        }
        let begin = self.skip(value, 16, b"\"'\\");
        let quote = text[value..begin].iter().copied().find(|byte| *byte != b'\\');
        if let Some(quote) = quote {
            return self.behind_quote(name.start, sign, [after_sign, in_line, value, begin], quote);
        }
        if text[..name.start].ends_with(b"$") || text[before_sign..after_sign].starts_with(b"==") {
            return None;
        }
        if sign == b':' && text[..name.start].ends_with(b"${") {
            return self.default_of_variable(after_sign);
        }
        if let Some(found) = self.fallback(begin).or_else(|| self.numbers(begin)) {
            return Some(found);
        }
        if stands_for_one(&text[begin..]) {
            return None;
        }
        if matches!(sign, b'=' | b':') && in_line > after_sign && text[in_line..].starts_with(b"`") {
            return self.raw(in_line).filter(|found| sign == b'=' || self.is_value(name, sign, found));
        }
        if sign != b' '
            && let Some(list) = self.list(begin, sign)
        {
            // A list with its type is one of a program.
            let is_typed = text[begin..].starts_with(b"[]") && is_meaningful(&text[list.clone()]);
            let is_one = || {
                name.is_telling
                    && end == name.end
                    && is_own_line(text, name.start)
                    && !text[list.clone()].contains(&b',')
            };
            let is_value =
                is_typed || self.is_value(name, sign, &list) || is_one() && is_meaningful(&text[list.clone()]);
            return is_value.then_some(list);
        }
        let is_variable = sign == b'=' && after_sign == end + 1 && is_shell_name(&text[name.start..name.end]);
        let found = match (sign, is_variable) {
            (b'>', _) => {
                let found = begin..begin + text[begin..].iter().take(LONGEST).take_while(|byte| **byte != b'<').count();
                // `<token>` in a line of help stands for a value.
                let is_short =
                    || !text[found.clone()].trim_ascii().contains(&b'\n') && !text[..name.start].ends_with(b"=<");
                let is_closed = text[found.end..].starts_with(b"</") || found.end == text.len() && is_short();
                self.without_braces(is_closed.then_some(found)?)
            }
            (_, true) => begin..self.shell_word_end(begin, &text[..name.start]),
            (b':', _) if is_own_line(text, name.start) => begin..self.plain_end(begin),
            _ => begin..begin + self.word_length(begin),
        };
        // An empty header, or a question, has another line below it.
        let is_header = || name.is_header || text[..name.start].ends_with(b"> ") || text[..name.start].ends_with(b"< ");
        if next_line && (text[found.clone()].ends_with(b":") || !is_own_line(text, name.start) || is_header()) {
            return None;
        }
        // A word is no secret here, however long.
        let is_word = is_sentence && !self.has_digit(&found) && !is_encoded_text(&text[found.clone()]);
        (self.is_value(name, sign, &found) && !is_word).then_some(found)
    }

    /// Returns the sign behind a name, with the ends of the name with its number, of quotes behind it, and of blanks. A space stands for a loose
    /// one, and a parenthesis for an argument.
    fn sign(&mut self, name: &Name, [end, after_quotes, before_sign]: [usize; 3]) -> Option<Sign> {
        let text = self.text;
        let sign = match &text[before_sign..] {
            // A comparison, or a word on standard input.
            [b'=', b'=', b'=', ..] | [b'<', b'<', b'<', ..] | [b'|', b'|', b'=', ..] => (b'=', before_sign + 3),
            // `::` is of LDIF, before base64.
            [b'=', b'=' | b'>', ..] | [b':' | b'+' | b'?', b'=', ..] | [b':', b':', b' ', ..] => {
                (b'=', before_sign + 2)
            }
            rest if let Some(length) = length_of_field_error(rest) => (b'=', before_sign + length),
            // A name in YAML that is marked as one.
            rest if text[..name.start].ends_with(b"? ")
                && let Some(length) = length_to_value_of_key(rest) =>
            {
                (b'=', before_sign + length)
            }
            [b'<', b'/', ..] if text[..name.start].ends_with(b">") => {
                return self.of_next_element(before_sign).map(Sign::Value);
            }
            // A constant of C.
            [b'"', ..] if before_sign > end && text[..name.start].trim_ascii_end().ends_with(b"#define") => {
                (b'=', before_sign)
            }
            [b'(', b'"' | b'\'', ..] if is_setter(&text[name.start..name.end]) => (b'(', before_sign + 1),
            rest if let Some(length) = length_of_type(rest) => (b'=', before_sign + length),
            [b'=', ..] => (b'=', before_sign + 1),
            [b':', b'*', b'*', ..] => (b':', before_sign + 3),
            [b':', ..] => (b':', before_sign + 1),
            [b'-', b'>', b' ', ..] if before_sign > end => (b'-', before_sign + 2),
            rest if let Some(length) = length_of_field(rest)
                && text[..name.start].ends_with(b"=") =>
            {
                (b'=', before_sign + length)
            }
            _ if is_in_quotes(text, name.start, end) => return None,
            _ if is_element(text, name.start) => (b'>', self.begin_of_text(self.end_of_tag(end)?)),
            // An option of this program, which says where secrets go.
            _ if name.is_option && text[..end].ends_with(b"--secrets") => return None,
            rest if before_sign > end
                && let Some(length) = length_of_switch(rest) =>
            {
                (b'=', before_sign + length)
            }
            [b'-', b'v', b' ', ..] if text[..name.start].ends_with(b"-n ") => (b'=', before_sign + 3),
            rest if name.is_option
                && before_sign > after_quotes
                && let Some(length) = length_of_argument(rest) =>
            {
                (b' ', before_sign + length)
            }
            _ if name.is_option => (b' ', self.next_element(before_sign).filter(|next| *next > end)?),
            _ if name.is_loose && before_sign > end => (b' ', before_sign),
            // A sentence.
            rest if before_sign > end && rest.starts_with(b"is: ") => (b' ', before_sign + 4),
            rest if before_sign > end
                && let Some(length) = length_of_subject(rest) =>
            {
                (b' ', before_sign + length)
            }
            // A block of HCL: `variable "password" {`.
            [b'{', b'\n' | b'\r', ..] if after_quotes > end => return self.in_block(before_sign).map(Sign::Value),
            rest if before_sign > end && rest.starts_with(b"is ") => (b' ', before_sign + 3),
            _ => return None,
        };
        Some(Sign::Ends(sign.0, sign.1))
    }

    /// Returns the value that begins with a quote: of a name at `start`, with the ends of the sign and of what follows it in the line, and
    /// the beginnings of the quote and of the text behind it.
    fn behind_quote(
        &self,
        start: usize,
        sign: u8,
        [after_sign, in_line, value, begin]: [usize; 4],
        quote: u8,
    ) -> Option<Range<usize>> {
        let text = self.text;
        // What was empty before: `"" => "x"`.
        if let Some([one, other, b' ', b'-' | b'=', b'>', b' ', next]) = text.get(value..value + 7)
            && [one, other, next].iter().all(|byte| **byte == quote)
        {
            return self.quoted(value + 6, quote, false);
        }
        // The text that the name is in ends here.
        let is_closed = || {
            let is_blank = text[begin..].first().is_none_or(u8::is_ascii_whitespace);
            value == after_sign && text[..start].ends_with(&[quote]) && is_blank && !closes_text(text, value)
        };
        if sign == b'=' && begin == value + 1 && (is_end_of_text(&text[begin..]) || is_closed()) {
            return None;
        }
        if sign == b':' && begin == value + 1 && closes_prompt(text, start, value, value > after_sign) {
            return None;
        }
        if begin == value + 1 && closes_text(text, value) {
            return (sign == b'=').then(|| self.next_literal(value + 1, false, 0)).flatten();
        }
        let found = self.quoted(value, quote, sign == b'=')?;
        if sign == b':' && is_message_of_klog(text, &found) {
            return None;
        }
        let is_list = text[in_line..value].contains(&b'[');
        let is_spaced = text[after_sign..value].starts_with(b" ");
        Some(match sign {
            _ if is_list => self.with_elements(found),
            b'=' | b':' => self.with_literals(self.with_change(found), is_spaced && sign == b'='),
            _ => self.with_change(found),
        })
    }

    /// Returns where the next element of a list begins, or the next word.
    fn next_element(&self, from: usize) -> Option<usize> {
        match self.text.get(from) {
            Some(b',') => Some(self.skip(from + 1, 64, b" \t\r\n")),
            Some(b'\r' | b'\n') => {
                let line = self.skip(from, 64, b" \t\r\n");
                self.text[line..].starts_with(b"- ").then(|| line + 2)
            }
            // The arguments of a process.
            Some(0) => Some(from + 1),
            _ => Some(from),
        }
    }

    /// Returns what is between quotes, which may be escaped: the first of them is after some backslashes. A word of a shell may go on
    /// after the quotes.
    fn quoted(&self, from: usize, quote: u8, may_go_on: bool) -> Option<Range<usize>> {
        let text = self.text;
        let triple = [quote; 3];
        if text[from..].starts_with(&triple) && text.get(from + 3).is_some_and(|byte| *byte != quote) {
            let rest = &text[from + 3..text.len().min(from + 3 + LONGEST)];
            if let Some(length) = memmem::find(rest, &triple) {
                let found = from + 3..from + 3 + length;
                // Several words are a text.
                let inside = text[found.clone()].trim_ascii();
                let is_value = !inside.iter().any(u8::is_ascii_whitespace) && is_meaningful(inside);
                return is_value.then_some(found);
            }
        }
        let escapes = text[from..].iter().take_while(|byte| **byte == b'\\').count();
        let mut begin = from + escapes + 1;
        let after = text.get(begin + 1).copied().unwrap_or(b' ');
        // `""x""`, as CSV doubles quotes.
        let is_doubled = escapes == 0
            && text.get(begin) == Some(&quote)
            && !(after.is_ascii_whitespace() || b",;:)}]>&|\"'\\".contains(&after));
        if is_doubled && !may_go_on {
            begin += 1;
        }
        let rest = &text[begin..text.len().min(begin + LONGEST)];
        let may_have_doubled = quote == b'\'' && escapes == 0 && !may_go_on && !is_doubled;
        let mut slashes = 0;
        let plain = |byte: &u8| {
            let ends = *byte == quote
                && match escapes {
                    0 => quote == b'\'' || slashes % 2 == 0,
                    escapes => slashes <= escapes,
                };
            slashes = if *byte == b'\\' { slashes + 1 } else { 0 };
            ends
        };
        let doubled = may_have_doubled.then(|| end_of_doubled(rest)).flatten();
        let closing = doubled.or_else(|| rest.iter().position(plain));
        let goes_into_entry = |end: &usize| rest[..*end].split(|byte| *byte == b'\n').skip(1).any(begins_entry);
        let closing = closing.filter(|end| !goes_into_entry(end));
        let length = closing.unwrap_or_else(|| rest.iter().take_while(|byte| **byte != b'\n').count());
        // The backslashes before the closing quote belong to it.
        let slashes = rest[..length].iter().rev().take(escapes).take_while(|byte| **byte == b'\\').count();
        let mut found = begin..begin + length - slashes;
        let goes_on = |byte: &u8| matches!(byte, b'\'' | b'"' | b'\\' | b'$') || byte.is_ascii_alphanumeric();
        if may_go_on && escapes == 0 && rest.get(length + 1).is_some_and(goes_on) {
            found.end = self.shell_word_end(from, &[]).max(found.end);
        }
        is_meaningful(&text[found.clone()]).then_some(found)
    }

    /// Returns where a word of the shell ends that may have quotes inside. `before` is what stands before the name: in a URL or a
    /// list, other pairs follow.
    fn shell_word_end(&self, begin: usize, before: &[u8]) -> usize {
        let rest = &self.text[begin..self.text.len().min(begin + LONGEST)];
        if let [.., b'?' | b'&' | b';'] = before {
            return begin + word_length(rest);
        }
        // The whole assignment is in quotes, as in a unit, or in those of JSON in JSON.
        let mut quote = None;
        let around = quote_at_end(before);
        let mut at = 0;
        while let Some(byte) = rest.get(at) {
            match (quote, byte) {
                (None, _) if at > 0 && !around.is_empty() && rest[at..].starts_with(around) => break,
                (None, b'\'' | b'"') => quote = Some(*byte),
                (Some(open), byte) if open == *byte => quote = None,
                (None | Some(b'"'), b'\\') => at += 1,
                (None, byte) if byte.is_ascii_whitespace() || b";&|<>)`".contains(byte) => break,
                (_, b'\n' | 0) => break,
                _ => {}
            }
            at += 1;
        }
        begin + at.min(rest.len())
    }

    /// Returns where a plain text of YAML ends that has no blank. A text of JSON that it is in may end here.
    fn plain_end(&self, begin: usize) -> usize {
        let rest = &self.text[begin..self.text.len().min(begin + LONGEST)];
        let word =
            &rest[..rest.iter().take_while(|byte| !byte.is_ascii_whitespace() && !b"\0\x1b".contains(byte)).count()];
        begin + memchr::memchr_iter(b'"', word).find(|quote| ends_json(&rest[*quote..])).unwrap_or(word.len())
    }

    /// Returns the length of the word that begins here. Words that overlap have the same end, which is looked for once.
    fn word_length(&mut self, begin: usize) -> usize {
        if !self.word.contains(&begin) {
            self.word = begin..begin + word_length(&self.text[begin..]);
            self.last_digit =
                self.text[self.word.clone()].iter().rposition(u8::is_ascii_digit).map(|digit| begin + digit);
        }
        self.word.end - begin
    }

    fn has_digit(&self, found: &Range<usize>) -> bool {
        if self.word.end == found.end && self.word.contains(&found.start) {
            return self.last_digit.is_some_and(|digit| digit >= found.start);
        }
        self.text[found.clone()].iter().any(u8::is_ascii_digit)
    }

    /// Reports whether a word behind a colon is the value of a name that no sentence has: nothing is between them, or both are the whole
    /// of a text, such as the message of a log.
    fn is_of_telling(&self, name: &Name, found: &Range<usize>) -> bool {
        let text = self.text;
        let value = &text[found.clone()];
        let is_compound = name.is_telling || text[name.start..name.end].contains(&b'-');
        let is_joined = || name.is_telling && text[..found.start].ends_with(b":");
        let is_whole = || {
            let is_end = self.ends_line(found.end) || matches!(text.get(found.end), Some(b'"' | b'\'' | b'\\'));
            is_end && begins_text(text, name.start)
        };
        is_compound
            && value.len() >= SHORTEST
            && value.iter().all(|byte| !b"()[]{}:".contains(byte))
            && !is_state(value)
            && (is_joined() || is_whole())
    }

    fn is_value(&self, name: &Name, sign: u8, found: &Range<usize>) -> bool {
        let value = &self.text[found.clone()];
        let has_digit = self.has_digit(found);
        // A header in quotes, as an argument of a program.
        let before = name.start.checked_sub(1).map(|before| self.text[before]);
        let is_in_quotes =
            before.is_some_and(|quote| matches!(quote, b'"' | b'\'') && self.text.get(found.end) == Some(&quote));
        is_meaningful(value)
            && match sign {
                b'=' | b'>' => true,
                // What one name is called by another program.
                b'-' => {
                    let called = &self.text[name.start..name.end];
                    let is_name = value.get(..called.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(called));
                    let is_telling = has_digit && value.len() >= SHORTEST || name.is_telling;
                    self.ends_line(found.end) && !is_name && is_telling
                }
                b' ' => {
                    let is_long = value.len() >= SHORTEST && (has_digit || value.len() >= 16 || is_encoded_text(value));
                    let is_argument = || name.is_option && options::takes(self.text, name, found);
                    !value.starts_with(b"-") && (is_long || name.takes_any || is_argument())
                }
                _ if DESCRIPTIONS.contains(&value) || PACKAGES.contains(&value) => false,
                // In prose a colon is followed by words; in YAML the name is alone before it, and the value behind.
                _ => {
                    has_digit && value.len() >= SHORTEST
                        || is_encoded_text(value)
                        || self.is_of_telling(name, found)
                        || is_in_quotes
                        || name.takes_any
                        || is_in_braces(self.text, name.start) && !value.ends_with(b":")
                        || follows_user(self.text, name.start)
                        || is_own_line(self.text, name.start)
                            && (self.ends_line(found.end) || self.ends_text(name, found.end))
                        || begins_several_lines(self.text, name.start, found.end)
                }
            }
    }
}
