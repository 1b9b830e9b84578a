//! Locations in a document: by names, and by line and column.

use std::borrow::Cow;
use std::fmt;

/// One step into a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// A known field. Documents may use either spelling.
    Field {
        /// The spelling in paths.
        name: &'static str,
        /// The other spelling.
        json_name: &'static str,
    },
    /// A member that is not a known field.
    Unknown(String),
    /// The entry of a map.
    Key(String),
    /// The element of a list, from 0.
    Index(usize),
}

/// A path into a document, as `validate` prints it: `kubelet_config.kubelet_flags["--max-pods"]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DocPath(pub Vec<Step>);

impl DocPath {
    /// The document itself. Prints as the empty string.
    #[must_use]
    pub const fn root() -> Self {
        Self(Vec::new())
    }

    /// Returns the path of a field with one spelling, given as names with dots between: `spec.nodeClassRef.name`.
    pub(crate) fn fields(dotted: &'static str) -> Self {
        Self(dotted.split('.').map(|name| Step::Field { name, json_name: name }).collect())
    }

    /// Returns this path with one more step.
    #[must_use]
    pub fn join(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }
}

impl fmt::Display for DocPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Step::Field { name, .. } => write!(f, "{}{name}", if at == 0 { "" } else { "." })?,
                Step::Unknown(name) if is_plain(name) => write!(f, "{}{name}", if at == 0 { "" } else { "." })?,
                Step::Unknown(name) | Step::Key(name) => write!(f, "[{}]", quoted(name))?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn quoted(name: &str) -> String {
    serde_json::to_string(name).expect("text is JSON")
}

/// The location that is being read, as a linked list on the stack. Its path is only built for a finding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Location<'a> {
    parent: Option<&'a Location<'a>>,
    step: Option<StepRef<'a>>,
    /// The number of the member in its object, from 0. Distinguishes members with equal names.
    ordinal: usize,
}

/// A [`Step`] with borrowed text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StepRef<'a> {
    /// `name` and `json_name`.
    Field(&'static str, &'static str),
    Unknown(&'a str),
    Key(&'a str),
    /// The index is the ordinal of the location.
    Index,
}

impl<'a> Location<'a> {
    /// The document itself.
    pub const ROOT: Location<'static> = Location { parent: None, step: None, ordinal: 0 };

    /// Returns the location of a member or element.
    pub fn child<'b>(&'b self, step: StepRef<'b>, ordinal: usize) -> Location<'b>
    where
        'a: 'b,
    {
        Location { parent: Some(self), step: Some(step), ordinal }
    }

    /// Returns the path, and the ordinal of each of its steps.
    pub fn resolve(&self) -> (DocPath, Vec<usize>) {
        let (mut steps, mut ordinals) = (Vec::new(), Vec::new());
        let mut location = Some(self);
        while let Some(here) = location {
            if let Some(step) = here.step {
                ordinals.push(here.ordinal);
                steps.push(match step {
                    StepRef::Field(name, json_name) => Step::Field { name, json_name },
                    StepRef::Unknown(name) => Step::Unknown(name.to_owned()),
                    StepRef::Key(name) => Step::Key(name.to_owned()),
                    StepRef::Index => Step::Index(here.ordinal),
                });
            }
            location = here.parent;
        }
        steps.reverse();
        ordinals.reverse();
        (DocPath(steps), ordinals)
    }
}

/// A line and a column, both from 1. Columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

impl Position {
    /// The first character of a text.
    pub const START: Self = Self { line: 1, column: 1 };

    /// Returns the position of the character that follows `text`.
    #[must_use]
    pub fn after(text: &str) -> Self {
        Self::START.past(text)
    }

    /// Returns the position in a whole text. This one is in a part of it, which starts at `start`.
    #[cfg(feature = "cli")]
    pub(crate) fn shifted(self, start: Self) -> Self {
        match self.line {
            1 => Self { line: start.line, column: start.column + self.column - 1 },
            line => Self { line: start.line + line - 1, ..self },
        }
    }

    /// Returns the position that follows a text that starts at this one.
    pub(super) fn past(self, text: &str) -> Self {
        match text.rsplit_once('\n') {
            None => Self { column: self.column + text.chars().count(), ..self },
            Some((lines, last)) => {
                let lines = lines.bytes().filter(|byte| *byte == b'\n').count() + 1;
                Self { line: self.line + lines, column: last.chars().count() + 1 }
            }
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Returns a value as messages show it: truncated after 80 characters.
pub(super) fn shortened(value: &str) -> Cow<'_, str> {
    const LONGEST: usize = 80;
    match value.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", without_account(&value[..end])).into(),
        None => value.into(),
    }
}

/// Returns a text that ends within a word without what may be the beginning of an account there: without its host, nobody can tell that
/// `https://user:pass` has a password.
fn without_account(text: &str) -> &str {
    let begin = text.rfind(char::is_whitespace).unwrap_or_default();
    let word = &text[begin..];
    let scheme = word.find("://").map(|at| at + 3);
    let rest = &word[scheme.unwrap_or_default()..];
    let host = rest.find(['/', '?', '#']);
    let colon = rest[..host.unwrap_or(rest.len())].find(':');
    let is_complete = match (host, colon) {
        (Some(host), Some(colon)) => rest[colon + 1..host].bytes().all(|byte| byte.is_ascii_digit()),
        (Some(_), None) => true,
        (None, colon) => scheme.is_none() && colon.is_none(),
    };
    let shown = scheme.or(colon.map(|colon| colon + 1)).unwrap_or_default();
    if is_complete { text } else { &text[..begin + shown] }
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_value_is_cut_where_no_account_begins() {
        let long = "x1".repeat(80);
        for (value, expected) in [
            (format!("https://user:{long}@proxy.contoso.com/"), "https://…".to_owned()),
            (format!("found https://{long}@proxy.contoso.com/"), "found https://…".to_owned()),
            (format!("https://user:pa/{long}@proxy.contoso.com/"), "https://…".to_owned()),
            (format!("user:{long}@proxy.contoso.com:3128"), "user:…".to_owned()),
            (format!("https://h:443/{long}"), format!("https://h:443/{}…", &long[..66])),
            (format!("https://h/{long}"), format!("https://h/{}…", &long[..70])),
            (format!("a: b {long}"), format!("a: b {}…", &long[..75])),
            (long.clone(), format!("{}…", &long[..80])),
        ] {
            assert_eq!(shortened(&value), expected, "{value}");
        }
    }
}
