//! The assignments in the text of a classic CSE command, found without running it.

use crate::Secret;

/// Names and values, each name once. `Debug` shows names only: values are secrets, whatever the name is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandAssignments(Vec<(String, Secret<'static>)>);

impl CommandAssignments {
    /// Finds every `NAME=value` in a text.
    ///
    /// Words are separated by spaces, tabs, line feeds and semicolons. A value is the concatenation of unquoted,
    /// single-quoted and double-quoted segments without escapes or expansion. In an unquoted segment, another `NAME=`
    /// ends the value. If a name is assigned twice, the last value counts.
    #[must_use]
    pub fn scan(text: &str) -> Self {
        let mut found: Vec<(String, Secret<'static>)> = Vec::new();
        let mut rest = text;
        loop {
            rest = rest.trim_start_matches(is_delimiter);
            if rest.is_empty() {
                break;
            }
            let name = name_before_equals(rest);
            let value;
            (value, rest) = match name {
                Some(name) => word(&rest[name.len() + 1..], true),
                None => word(rest, false),
            };
            if let Some(name) = name {
                found.push((name.to_owned(), value.into()));
            }
        }
        // Stable: of equal names, the last in the text is the last here.
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut kept: Vec<(String, Secret<'static>)> = Vec::with_capacity(found.len());
        for assignment in found {
            match kept.last_mut() {
                Some(last) if last.0 == assignment.0 => *last = assignment,
                _ => kept.push(assignment),
            }
        }
        Self(kept)
    }

    /// Returns the value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Secret<'static>> {
        let index = self.0.binary_search_by(|(other, _)| other.as_str().cmp(name)).ok()?;
        Some(&self.0[index].1)
    }

    /// Returns names and values in byte order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Secret<'static>)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

const fn is_delimiter(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | ';')
}

/// Returns the name if the text begins with `NAME=`.
fn name_before_equals(text: &str) -> Option<&str> {
    let is_part = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_' || byte.is_ascii_digit();
    let length = text.bytes().take_while(|byte| is_part(byte)).count();
    let is_name = length > 0 && !text.as_bytes()[0].is_ascii_digit();
    (is_name && text.as_bytes().get(length) == Some(&b'=')).then(|| &text[..length])
}

/// Returns one word without its quotes, and the text after it. A value also ends where another assignment begins.
fn word(text: &str, is_value: bool) -> (String, &str) {
    let mut value = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if is_delimiter(letter) {
            break;
        }
        if matches!(letter, '\'' | '"') {
            let inner = &rest[1..];
            let end = inner.find(letter);
            value.push_str(&inner[..end.unwrap_or(inner.len())]);
            rest = end.map_or("", |end| &inner[end + 1..]);
            continue;
        }
        let end = rest.find(|letter| is_delimiter(letter) || matches!(letter, '\'' | '"')).unwrap_or(rest.len());
        let end_of_value = if is_value { next_assignment(rest, end) } else { None };
        value.push_str(&rest[..end_of_value.unwrap_or(end)]);
        rest = &rest[end_of_value.unwrap_or(end)..];
        if end_of_value.is_some() {
            break;
        }
    }
    (value, rest)
}

/// Returns where the first `NAME=` before `end` begins. An equals sign with nothing after it is padding of base64.
fn next_assignment(text: &str, end: usize) -> Option<usize> {
    text[..end].match_indices('=').find_map(|(equals, _)| {
        let next = text[equals + 1..].chars().next();
        if next.is_none_or(|letter| letter == '=' || is_delimiter(letter)) {
            return None;
        }
        let before = &text[..equals];
        let prefix = before
            .trim_end_matches(|letter: char| letter.is_ascii_uppercase() || letter == '_' || letter.is_ascii_digit());
        let name = before[prefix.len()..].trim_start_matches(|letter: char| letter.is_ascii_digit());
        (!name.is_empty()).then(|| equals - name.len())
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rendering::ShellWord;

    #[test]
    fn assignments_are_read_by_the_rules_of_the_reference() {
        for (text, expected) in [
            ("A=1 B=2", &[("A", "1"), ("B", "2")][..]),
            ("A=\"x y\" B='p \"q\" r'", &[("A", "x y"), ("B", "p \"q\" r")]),
            ("URL=https://host/path?x=1&y=2", &[("URL", "https://host/path?x=1&y=2")]),
            ("A=1;B=2;\tC=3\n_D0=4", &[("A", "1"), ("B", "2"), ("C", "3"), ("_D0", "4")]),
            ("A=\"x\"B=y", &[("A", "x"), ("B", "y")]),
            ("A=xB=y C=xD='y'", &[("A", "x"), ("B", "y"), ("C", "x"), ("D", "y")]),
            ("A=QUJD B=QUI= C=QQ==;D=1", &[("A", "QUJD"), ("B", "QUI="), ("C", "QQ=="), ("D", "1")]),
            ("A=--flag=1 B=", &[("A", "--flag=1"), ("B", "")]),
            ("A=12B=y", &[("A", "12"), ("B", "y")]),
            ("A='x'\"y\"z", &[("A", "xyz")]),
            ("A=\"$HOME \\\" B=2", &[("A", "$HOME \\"), ("B", "2")]),
            ("A=\"open B=2", &[("A", "open B=2")]),
            ("export \"A=1 B=2\" C=3", &[("C", "3")]),
            ("a=1 1A=2 -A=3 A-B=4", &[]),
            ("/usr/bin/nohup /bin/bash -c \"/bin/bash X=1\"", &[]),
            ("A=1 A=2", &[("A", "2")]),
            ("", &[]),
        ] {
            let found = CommandAssignments::scan(text);
            let found: Vec<_> = found.iter().map(|(name, value)| (name, value.expose())).collect();
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!(CommandAssignments::scan("B=1 A=x").get("A").map(Secret::expose), Some("x"));
    }

    proptest! {
        #[test]
        fn quoted_values_are_read_back(values in prop::collection::vec("[^']*", 1..5)) {
            let text: Vec<_> = values.iter().enumerate().map(|(at, value)| format!("V{at}={}", ShellWord::quote(value))).collect();
            let read = CommandAssignments::scan(&text.join(" "));
            for (at, value) in values.iter().enumerate() {
                // Plain words are not quoted, and a plain word can look like an assignment.
                if next_assignment(value, value.len()).is_none() {
                    prop_assert_eq!(read.get(&format!("V{at}")).map(Secret::expose), Some(&**value));
                }
            }
        }

        #[test]
        fn any_text_can_be_scanned(text in "[A-C1=;'\" \na]{0,200}") {
            let _ = CommandAssignments::scan(&text);
        }
    }
}
