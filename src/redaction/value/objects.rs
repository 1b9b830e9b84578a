//! Values that are in another field of an object, or in an element of XML.

use std::ops::Range;

use memchr::memmem;

use super::{LONGEST_LIST, Name, OBJECT, Reader, is_meaningful, is_name_byte};

/// Bytes of the longest names of sections before a name.
const LONGEST_SECTION: usize = 64;

impl Reader<'_> {
    /// Returns the value of an object that has this name in another field: `"name": "DB_PASSWORD", "value": "x"`, in any order.
    pub fn sibling(&mut self, name: &Name) -> Option<Range<usize>> {
        let text = self.text;
        let lowest = name.start.saturating_sub(OBJECT);
        let before = text[lowest..name.start].trim_ascii_end();
        // `"Database:Password"`, as settings of .NET are called.
        let is_part = |byte: &&u8| is_name_byte(**byte) || **byte == b':';
        let section = before.iter().rev().take(LONGEST_SECTION).take_while(is_part).count();
        let is_in_section = before.ends_with(b":") && before[..before.len() - section].ends_with(b"\"");
        let before = if is_in_section { &before[..before.len() - section] } else { before };
        let quotes = before.iter().rev().take_while(|byte| b"\"'\\".contains(byte)).count();
        let before = before[..before.len() - quotes].trim_ascii_end();
        let before = before.strip_suffix(b":").or_else(|| before.strip_suffix(b"="))?.trim_ascii_end();
        let quotes = before.iter().rev().take_while(|byte| b"\"'\\".contains(byte)).count();
        let before = &before[..before.len() - quotes];
        // `<input type="password" value="x">`, `"type": "securestring"`.
        let is_type = text[name.start..name.end].eq_ignore_ascii_case(b"password")
            || text[name.start..name.end].eq_ignore_ascii_case(b"securestring");
        let fields: &[&[u8]] =
            if is_type { &[b"name", b"key", b"parameter", b"type"] } else { &[b"name", b"key", b"parameter"] };
        let names_it = fields.iter().find(|word| {
            before.len() >= word.len() && before[before.len() - word.len()..].eq_ignore_ascii_case(word)
        })?;
        let own_end = lowest + before.len() - names_it.len();
        let end = self.skip(name.end, 4, b"sS0123456789");
        if text.get(end).is_some_and(|byte| is_name_byte(*byte)) {
            return None;
        }
        let highest = text.len().min(end + OBJECT);
        if let Some(found) = self.inside_of_tag(end) {
            return Some(found);
        }
        let after = &text[end..highest];
        let after = &after[..end_of_object(after)];
        let after = &after[..self.end_of_members(own_end, after)];
        // The first field after it, or the last before it in the same object, and before others those of the same line.
        let before = &text[lowest..own_end];
        let begin = before.iter().rposition(|byte| matches!(byte, b'{' | b'<' | b'}')).map_or(0, |at| at + 1);
        let before = &before[begin..];
        let begin = lowest + begin;
        let rest = &after[..memchr::memchr(b'\n', after).unwrap_or(after.len())];
        let line = memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1);
        let in_line = || last_value(&before[line..]).map(|at| begin + line + at);
        let in_rest = || find_value(after).or_else(|| find_default(after).filter(|_| is_type)).map(|at| end + at);
        let field = find_value(rest).map(|at| end + at).or_else(in_line).or_else(in_rest);
        let field = field.or_else(|| last_value(before).map(|at| begin + at))?;
        self.field(field)
    }

    /// Returns where the members of an object of YAML end, one of which begins before what follows: at a line that begins further to the
    /// left.
    fn end_of_members(&self, start: usize, after: &[u8]) -> usize {
        let line = self.text[..start].iter().rev().take(LONGEST_LIST).take_while(|byte| **byte != b'\n').count();
        if !self.text[start - line..start].iter().all(|byte| b" -".contains(byte)) {
            return after.len();
        }
        let mut at = 0;
        for other in after.split_inclusive(|byte| *byte == b'\n') {
            let blanks = other.iter().take_while(|byte| **byte == b' ').count();
            if at > 0 && blanks < line && !other.trim_ascii().is_empty() {
                break;
            }
            at += other.len();
        }
        at
    }

    /// Returns the text of an element whose last attribute ends here, `<entry key="password">x</entry>`, or the part of a form.
    fn inside_of_tag(&self, end: usize) -> Option<Range<usize>> {
        let begin = self.skip(end, 16, b"\"'\\");
        // A part of a form.
        if let Some(feeds) = [&b"\r\n\r\n"[..], b"\n\n"].iter().find(|feeds| self.text[begin..].starts_with(feeds)) {
            let inside = begin + feeds.len();
            let rest = &self.text[inside..self.text.len().min(inside + LONGEST_LIST)];
            let length = rest.iter().position(|byte| b"\r\n".contains(byte))?;
            let is_value = begin > end && is_meaningful(&rest[..length]);
            return is_value.then_some(inside..inside + length);
        }
        if begin == end || self.text.get(begin) != Some(&b'>') {
            return None;
        }
        let rest = &self.text[begin + 1..self.text.len().min(begin + LONGEST_LIST)];
        let length = memchr::memchr(b'<', rest)?;
        let is_value = is_meaningful(rest[..length].trim_ascii()) && rest[length..].starts_with(b"</");
        is_value.then_some(begin + 1..begin + 1 + length)
    }

    /// Returns the value of an object that begins here: `{"value": "x"}`.
    pub(super) fn in_object(&mut self, begin: usize) -> Option<Range<usize>> {
        let rest = &self.text[begin..self.text.len().min(begin + OBJECT)];
        let rest = &rest[..end_of_object(rest)];
        let field = find_value(rest).or_else(|| find_default(rest))?;
        self.field(begin + field)
    }

    /// Returns what is in braces in a list of settings, as that of a database: `;Pwd={x};`.
    pub(super) fn in_braces(&self, name: usize, begin: usize) -> Option<Range<usize>> {
        let rest = &self.text[begin + 1..self.text.len().min(begin + LONGEST_LIST)];
        let inside = &rest[..memchr::memchr2(b'}', b'\n', rest)?];
        let is_setting = self.text[..name].trim_ascii_end().ends_with(b";") && rest[inside.len()] == b'}';
        (is_setting && is_meaningful(inside)).then(|| begin + 1..begin + 1 + inside.len())
    }

    /// Returns the values of a map in braces below a name in the plural: `passwords: {bob: x, eve: y}`.
    pub(super) fn in_map(&self, name: &Name, begin: usize) -> Option<Range<usize>> {
        let plural = self.text.get(name.end.checked_sub(8)?..name.end + 1)?;
        let rest = &self.text[begin + 1..self.text.len().min(begin + LONGEST_LIST)];
        let inside = &rest[..memchr::memchr3(b'{', b'}', b'\n', rest)?];
        let first = memmem::find(inside, b": ")? + 2;
        let mut values = inside
            .split(|byte| *byte == b',')
            .filter_map(|pair| memchr::memchr(b':', pair).map(|colon| pair[colon + 1..].trim_ascii()));
        let is_map = plural.eq_ignore_ascii_case(b"passwords") && rest[inside.len()] == b'}';
        (is_map && values.any(is_meaningful))
            .then(|| begin + 1 + first..begin + 1 + inside.trim_ascii_end().len().max(first))
    }

    /// Returns the text that a template begins with: `{{ 'x' | password_hash('sha512') }}`.
    pub(super) fn in_template(&self, begin: usize) -> Option<Range<usize>> {
        self.text[begin..].strip_prefix(b"{{")?;
        let inside = self.skip(begin + 2, 8, b"- ");
        let quote = *self.text.get(inside).filter(|byte| b"\"'".contains(byte))?;
        self.quoted(inside, quote, false)
    }

    /// Returns a value without the braces around it, by which Jenkins and Maven mark that it is encrypted.
    pub(super) fn without_braces(&self, found: Range<usize>) -> Range<usize> {
        match self.text[found.clone()] {
            [b'{', _, .., b'}'] => found.start + 1..found.end - 1,
            _ => found,
        }
    }

    /// Returns the text of the element behind the end of one whose text is a name: `<key>password</key><string>x</string>`.
    pub(super) fn of_next_element(&self, end: usize) -> Option<Range<usize>> {
        let window = &self.text[end..self.text.len().min(end + LONGEST_LIST)];
        let close = memchr::memchr(b'>', window)?;
        let tag = &window[2..close.max(2)];
        // Rows of a table are looked at as a whole.
        if tag == b"th" {
            return None;
        }
        let next = self.skip(end + close + 1, 64, b" \t\r\n");
        let rest = self.text[next..self.text.len().min(next + LONGEST_LIST)].strip_prefix(b"<")?;
        let open = memchr::memchr(b'>', rest)?;
        let length = memchr::memchr(b'<', &rest[open..])?;
        let inside = &rest[open + 1..open + length];
        // A list has the same elements.
        let is_other =
            rest[0].is_ascii_alphabetic() && &rest[..open] != tag && rest[open + length..].starts_with(b"</");
        let is_word = !inside.trim_ascii().iter().any(u8::is_ascii_whitespace) && is_meaningful(inside.trim_ascii());
        (is_other && is_word).then(|| next + 1 + open + 1..next + 1 + open + length)
    }

    /// Returns the value of a block of HCL that begins here: `{`, and a line `default = "x"` or `value = "x"`.
    pub(super) fn in_block(&mut self, begin: usize) -> Option<Range<usize>> {
        let rest = &self.text[begin..self.text.len().min(begin + OBJECT)];
        let rest = &rest[..memmem::find(rest, b"\n}").unwrap_or(rest.len())];
        let mut at = begin;
        let start = rest.split_inclusive(|byte| *byte == b'\n').find_map(|line| {
            let start = at + line.len() - line.trim_ascii_start().len();
            at += line.len();
            let name =
                [&b"default"[..], b"value"].into_iter().find(|name| line.trim_ascii_start().starts_with(name))?;
            Some(start..start + name.len())
        })?;
        self.value(&Name::plain(start))
    }

    /// Returns where the text of an element begins, or that of the first one in it.
    pub(super) fn begin_of_text(&self, from: usize) -> usize {
        let inner = self.skip(from, 64, b" \t\r\n");
        match self.text.get(inner..) {
            Some([b'<', first, ..]) if first.is_ascii_alphabetic() => {
                let rest = &self.text[inner..self.text.len().min(inner + 64)];
                memchr::memchr(b'>', rest).map_or(from, |end| inner + end + 1)
            }
            _ => from,
        }
    }

    /// Returns the value of a field `value`, or `defaultValue`.
    pub(super) fn field(&mut self, start: usize) -> Option<Range<usize>> {
        let end = start + b"value".len();
        // It is not an object again.
        let sign = self.skip(end, 32, b"\"'\\ \t:=");
        if self.text.get(sign) == Some(&b'{') {
            return None;
        }
        self.value(&Name::plain(start..end))
    }

    /// Returns where a tag of XML ends, which may have attributes.
    pub(super) fn end_of_tag(&self, from: usize) -> Option<usize> {
        let rest = self.text[from..].iter().take(256).take_while(|byte| **byte != b'<');
        let rest = &self.text[from..from + rest.count()];
        let end = memchr::memchr(b'>', rest)?;
        let is_attribute = rest.first().is_some_and(|byte| *byte == b'>' || byte.is_ascii_whitespace());
        (is_attribute && !rest[..end].ends_with(b"/")).then_some(from + end + 1)
    }
}

/// Returns where an object ends: at a brace, a tag, or the next element of a list.
fn end_of_object(text: &[u8]) -> usize {
    let element = memmem::find(text, b"\n-").or_else(|| memmem::find(text, b"\n  -")).unwrap_or(text.len());
    let text = &text[..element];
    let end = memchr::memchr2(b'}', b'>', text).unwrap_or(text.len());
    // The tag of an element ends before its value: `<name>x</name><value>y</value>`.
    memmem::find(text, b"</").map_or(end, |_| memchr::memchr(b'}', text).unwrap_or(text.len()))
}

/// Returns where the last letters are, as many as `value` has, of the name of what a parameter of a template is by default.
fn find_default(text: &[u8]) -> Option<usize> {
    let names = [&b"\"defaultValue\""[..], b"\"Default\"", b"\"default\""];
    names.iter().find_map(|name| memmem::find(text, name).map(|at| at + name.len() - 1 - b"value".len()))
}

/// Returns where the name of the last field `value` is: earlier ones are of other objects.
fn last_value(text: &[u8]) -> Option<usize> {
    let mut last = None;
    let mut at = 0;
    while let Some(next) = find_value(&text[at..]) {
        last = Some(at + next);
        at += next + 5;
    }
    last
}

/// Returns where the name of a field `value` is.
fn find_value(text: &[u8]) -> Option<usize> {
    let is_small = |byte: u8| byte.is_ascii_lowercase();
    let is_field = |at: &usize| {
        let before = at.checked_sub(1).map(|before| text[before]);
        let after = text.get(at + b"value".len());
        // `"ParameterValue"`.
        let begins = !before.is_some_and(is_name_byte) || before.is_some_and(is_small) && text[*at] == b'V';
        begins && !after.is_some_and(|byte| is_name_byte(*byte))
    };
    let lower = text.to_ascii_lowercase();
    memmem::find_iter(&lower, b"value").find(is_field)
}
