//! The assignments in the text of a classic command, read without running it.

/// Names and values, each name once.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Assignments(Vec<(String, String)>);

impl Assignments {
    /// Finds every `NAME=value` of a text: words are parted by blanks, line feeds and semicolons; a value is put together
    /// from unquoted, single-quoted and double-quoted pieces as they stand, without escapes and expansion; an unquoted
    /// place that looks like another `NAME=` ends a value. Of a name that stands twice, the last counts.
    #[must_use]
    pub fn scan(text: &str) -> Self {
        let mut found: Vec<(String, String)> = Vec::new();
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
                found.push((name.to_owned(), value));
            }
        }
        // Stable, so that of equal names the last in the text is the last here.
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut kept: Vec<(String, String)> = Vec::with_capacity(found.len());
        for assignment in found {
            match kept.last_mut() {
                Some(last) if last.0 == assignment.0 => *last = assignment,
                _ => kept.push(assignment),
            }
        }
        Self(kept)
    }

    /// The value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let at = self.0.binary_search_by(|(other, _)| other.as_str().cmp(name)).ok()?;
        Some(&self.0[at].1)
    }

    /// Names and values in byte order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }
}

/// Names only: values hold secrets.
impl std::fmt::Debug for Assignments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

const fn is_delimiter(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | ';')
}

/// The name, if the text begins with `NAME=`.
fn name_before_equals(text: &str) -> Option<&str> {
    let of_a_name = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_' || byte.is_ascii_digit();
    let length = text.bytes().take_while(|byte| of_a_name(byte)).count();
    let begins = length > 0 && !text.as_bytes()[0].is_ascii_digit();
    (begins && text.as_bytes().get(length) == Some(&b'=')).then(|| &text[..length])
}

/// One word with its quotes taken away, and what follows it. A value also ends where an assignment begins.
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

/// Where before `end` the first `NAME=` begins. An equals sign with nothing behind it is base64's padding.
fn next_assignment(text: &str, end: usize) -> Option<usize> {
    text[..end].match_indices('=').find_map(|(equals, _)| {
        let behind = text[equals + 1..].chars().next();
        if behind.is_none_or(|letter| letter == '=' || is_delimiter(letter)) {
            return None;
        }
        let before = &text[..equals];
        let run = before
            .trim_end_matches(|letter: char| letter.is_ascii_uppercase() || letter == '_' || letter.is_ascii_digit());
        let name = before[run.len()..].trim_start_matches(|letter: char| letter.is_ascii_digit());
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
            assert_eq!(Assignments::scan(text).iter().collect::<Vec<_>>(), expected, "{text}");
        }
        assert_eq!(Assignments::scan("B=1 A=secret").get("A"), Some("secret"));
        assert!(!format!("{:?}", Assignments::scan("A=secret")).contains("secret"));
    }

    proptest! {
        #[test]
        fn what_is_quoted_is_read_back(values in prop::collection::vec("[^']*", 1..5)) {
            let text: Vec<_> = values.iter().enumerate().map(|(at, value)| format!("V{at}={}", ShellWord::quote(value))).collect();
            let read = Assignments::scan(&text.join(" "));
            for (at, value) in values.iter().enumerate() {
                // The quoting function leaves plain words as they are, and a plain word can look like an assignment.
                if next_assignment(value, value.len()).is_none() {
                    prop_assert_eq!(read.get(&format!("V{at}")), Some(&**value));
                }
            }
        }

        #[test]
        fn any_text_can_be_scanned(text in "[A-C1=;'\" \na]{0,200}") {
            let _ = Assignments::scan(&text);
        }
    }
}
