//! Finds the assignments in a command or a script without running it.

use crate::Secret;

/// A name and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Assignment {
    name: String,
    value: Secret<'static>,
    /// Whether bash expands something in the value.
    expands: bool,
}

/// Names and values, each name once. `Debug` only shows names, because every value is treated as a secret.
///
/// The text is parsed twice: by the simple rules of the reference, for the comparison, and by bash's quoting rules, for
/// everything else. The simple rules have no escapes, so an apostrophe in a value shifts all quotes after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandAssignments {
    scanned: Vec<Assignment>,
    executed: Vec<Assignment>,
}

impl CommandAssignments {
    /// Finds every `NAME=value` in a text.
    ///
    /// By the rules of the reference, words are separated by spaces, tabs, line feeds and semicolons. A value is the
    /// concatenation of unquoted, single-quoted and double-quoted segments without escapes or expansion. In an unquoted
    /// segment, another `NAME=` ends the value. If a name is assigned twice, the last value counts.
    #[must_use]
    pub fn scan(text: &str) -> Self {
        Self {
            scanned: assignments(text, is_delimiter, |value| word(value, true), |other| word(other, false)),
            executed: assignments(text, ends_a_bash_word, bash_word, bash_word_or_comment),
        }
    }

    /// Returns names and values in byte order of the names, by the rules of the reference.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Secret<'static>)> {
        self.scanned.iter().map(|one| (&*one.name, &one.value))
    }

    /// Returns names and values in byte order of the names, as bash assigns them. Expansions stay as text.
    pub fn executed(&self) -> impl Iterator<Item = (&str, &Secret<'static>)> {
        self.executed.iter().map(|one| (&*one.name, &one.value))
    }

    /// Returns the names whose value has a command substitution or a variable that bash expands because it is neither
    /// escaped nor in single quotes.
    pub fn expanding(&self) -> impl Iterator<Item = &str> {
        self.executed.iter().filter(|one| one.expands).map(|one| &*one.name)
    }
}

/// Finds assignments with two functions that return a word and the text after it.
fn assignments<'t>(
    text: &'t str,
    is_delimiter: fn(char) -> bool,
    value_of: impl Fn(&'t str) -> (String, &'t str),
    skip: impl Fn(&'t str) -> (String, &'t str),
) -> Vec<Assignment> {
    let mut found: Vec<Assignment> = Vec::new();
    let mut rest = text.trim_start_matches(is_delimiter);
    while !rest.is_empty() {
        if let Some(name) = name_before_equals(rest) {
            let (value, after) = value_of(&rest[name.len() + 1..]);
            let literal = &rest[name.len() + 1..rest.len() - after.len()];
            found.push(Assignment { name: name.to_owned(), value: value.into(), expands: expands(literal) });
            rest = after;
        } else {
            (_, rest) = skip(rest);
        }
        rest = rest.trim_start_matches(is_delimiter);
    }
    // The sort is stable, so equal names stay in the order of the text.
    found.sort_by(|one, other| one.name.cmp(&other.name));
    let mut kept: Vec<Assignment> = Vec::with_capacity(found.len());
    for assignment in found {
        match kept.last_mut() {
            Some(last) if last.name == assignment.name => *last = assignment,
            _ => kept.push(assignment),
        }
    }
    kept
}

/// Returns a text without its assignments. Two sorts stay: those that a later assignment replaces with another value,
/// because commands between the two see them, and those whose value bash expands, because the value is not known.
pub(super) fn besides(text: &str) -> String {
    let assigned = CommandAssignments::scan(text);
    let last = |name: &str| {
        let found = assigned.executed.binary_search_by(|one| one.name.as_str().cmp(name));
        found.ok().map(|at| assigned.executed[at].value.expose())
    };
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let start = rest.trim_start_matches(ends_a_bash_word);
        kept.push_str(&rest[..rest.len() - start.len()]);
        let name = name_before_equals(start);
        let (value, after) = match name {
            Some(name) => bash_word(&start[name.len() + 1..]),
            None => bash_word_or_comment(start),
        };
        let literal = &start[..start.len() - after.len()];
        if name.is_none_or(|name| last(name) != Some(&value) || expands(literal)) {
            kept.push_str(literal);
        }
        rest = after;
    }
    kept
}

const fn is_delimiter(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | ';')
}

/// Returns the name if the text begins with `NAME=`.
fn name_before_equals(text: &str) -> Option<&str> {
    let is_part = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_' || byte.is_ascii_digit();
    let length = text.bytes().take_while(|byte| is_part(byte)).count();
    let is_name = length > 0 && !text.as_bytes()[0].is_ascii_digit();
    (is_name && text.as_bytes().get(length) == Some(&b'=')).then(|| &text[..length])
}

/// Returns one word by the rules of the reference, and the text after it. A value also ends where the next assignment
/// begins.
fn word(text: &str, is_value: bool) -> (String, &str) {
    let mut value = String::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if is_delimiter(character) {
            break;
        }
        if matches!(character, '\'' | '"') {
            let inner = &rest[1..];
            let end = inner.find(character);
            value.push_str(&inner[..end.unwrap_or(inner.len())]);
            rest = end.map_or("", |end| &inner[end + 1..]);
            continue;
        }
        let is_end = |character: char| is_delimiter(character) || matches!(character, '\'' | '"');
        let next = rest.char_indices().find_map(|(at, character)| match character {
            '=' if is_value => name_of_next(rest, at).map(|name| (name, true)),
            character => is_end(character).then_some((at, false)),
        });
        let (end, is_next_assignment) = next.unwrap_or((rest.len(), false));
        value.push_str(&rest[..end]);
        rest = &rest[end..];
        if is_next_assignment {
            break;
        }
    }
    (value, rest)
}

/// Returns one word as bash reads it, and the text after it.
fn bash_word(text: &str) -> (String, &str) {
    let mut word = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            character if ends_a_bash_word(character) => return (word, &text[at..]),
            '\\' => word.extend(characters.next().map(|(_, escaped)| escaped).filter(|escaped| *escaped != '\n')),
            '\'' => word.extend(characters.by_ref().map(|(_, quoted)| quoted).take_while(|quoted| *quoted != '\'')),
            '"' => loop {
                match characters.next().map(|(_, quoted)| quoted) {
                    None | Some('"') => break,
                    Some('\\') => match characters.next().map(|(_, escaped)| escaped) {
                        None | Some('\n') => {}
                        Some(escaped @ ('$' | '`' | '"' | '\\')) => word.push(escaped),
                        Some(other) => word.extend(['\\', other]),
                    },
                    Some(quoted) => word.push(quoted),
                }
            },
            character => word.push(character),
        }
    }
    (word, "")
}

/// Reports whether bash expands something in the text of a word.
fn expands(literal: &str) -> bool {
    let mut characters = literal.chars().peekable();
    let mut in_quotes = false;
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            '\'' if !in_quotes => {
                characters.by_ref().find(|quoted| *quoted == '\'');
            }
            '"' => in_quotes = !in_quotes,
            '`' => return true,
            '$' if characters
                .peek()
                .is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '(' | '{' | '_')) =>
            {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// Returns one word, or a comment up to the end of its line, in which apostrophes are not quotes.
fn bash_word_or_comment(text: &str) -> (String, &str) {
    if !text.starts_with('#') {
        return bash_word(text);
    }
    (String::new(), text.find('\n').map_or("", |end| &text[end..]))
}

const fn ends_a_bash_word(character: char) -> bool {
    is_delimiter(character) || matches!(character, '&' | '|' | '(' | ')' | '<' | '>')
}

/// Returns the position of the `NAME` before an equals sign. One with nothing after it is base64 padding.
fn name_of_next(text: &str, equals: usize) -> Option<usize> {
    let next = text[equals + 1..].chars().next();
    if next.is_none_or(|character| character == '=' || is_delimiter(character)) {
        return None;
    }
    let before = &text[..equals];
    let prefix = before.trim_end_matches(|character: char| {
        character.is_ascii_uppercase() || character == '_' || character.is_ascii_digit()
    });
    let name = before[prefix.len()..].trim_start_matches(|character: char| character.is_ascii_digit());
    (!name.is_empty()).then(|| equals - name.len())
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
    }

    #[test]
    fn values_are_executed_by_the_rules_of_bash() {
        for (text, expected) in [
            ("A='it'\\''s' B=\"x\"", &[("A", "it's"), ("B", "x")][..]),
            (r#"A="q \" \$ \` \\ \n" B=2"#, &[("A", r#"q " $ ` \ \n"#), ("B", "2")]),
            (r"A=a\ b\;c;B=2&&C=3", &[("A", "a b;c"), ("B", "2"), ("C", "3")]),
            ("A=a\\\nb", &[("A", "ab")]),
            ("A=xB=y", &[("A", "xB=y")]),
            ("/bin/bash -c \"A=1 x\" B='open", &[("B", "open")]),
        ] {
            let found = CommandAssignments::scan(text);
            let found: Vec<_> = found.executed().map(|(name, value)| (name, value.expose())).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_bash_expands_is_known() {
        let text = "A='$(a) `b`' B=\"$(a)\" C=`a` D=\\$HOME E=\"\\$HOME\" F=$HOME G=\"5$\" H=\"it's ${x}\" I=a$";
        let found = CommandAssignments::scan(text);
        assert_eq!(found.expanding().collect::<Vec<_>>(), ["B", "C", "F", "H"]);
    }

    #[test]
    fn a_text_without_its_assignments_keeps_everything_else() {
        for (text, expected) in [
            ("A=1 B='x y' /bin/sh -c \"C=1 run\" > out 2>&1; D=2\n", "  /bin/sh -c \"C=1 run\" > out 2>&1; \n"),
            ("LOCATION=a init; LOCATION=b run", "LOCATION=a init;  run"),
            ("if [ -f x ]; then\n\trun && A=1\nfi", "if [ -f x ]; then\n\trun && \nfi"),
            ("A='$(a)' B=\"$(b)\" C=$D", " B=\"$(b)\" C=$D"),
            ("# it's A=1\nB='2'\n", "# it's A=1\n\n"),
            ("", ""),
        ] {
            assert_eq!(besides(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_quoted_is_expanded(value in "[ -~\n]*") {
            let text = format!("V={}", ShellWord::quote(&value));
            prop_assert_eq!(CommandAssignments::scan(&text).expanding().count(), 0);
        }

        #[test]
        fn bash_assigns_what_was_quoted(values in prop::collection::vec("[^\0]*", 1..5)) {
            for quote in [ShellWord::quote, ShellWord::bare, ShellWord::double] {
                let text: Vec<_> = values.iter().enumerate().map(|(at, value)| format!("V{at}={}", quote(value))).collect();
                let read = CommandAssignments::scan(&text.join(" "));
                let read: Vec<_> = read.executed().map(|(_, value)| value.expose().to_owned()).collect();
                prop_assert_eq!(&read, &values);
            }
        }

        #[test]
        fn quoted_values_are_read_back(values in prop::collection::vec("[^']*", 1..5)) {
            let text: Vec<_> = values.iter().enumerate().map(|(at, value)| format!("V{at}={}", ShellWord::quote(value))).collect();
            let read = CommandAssignments::scan(&text.join(" "));
            for (at, value) in values.iter().enumerate() {
                // Plain words are not quoted, and a plain word can look like an assignment.
                if value.match_indices('=').all(|(equals, _)| name_of_next(value, equals).is_none()) {
                    let name = format!("V{at}");
                    let found = read.iter().find(|(other, _)| *other == name).map(|(_, value)| value.expose());
                    prop_assert_eq!(found, Some(&**value));
                }
            }
        }

        #[test]
        fn any_text_can_be_scanned(text in "[A-C1=;'\"\\\\ \na]{0,200}") {
            let _ = CommandAssignments::scan(&text);
        }
    }
}
