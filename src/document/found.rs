//! A value as messages describe it.

use std::fmt;

/// What a field of strings expects.
pub(crate) const STRING: &str = "a string";
/// The hint if a field of strings has a number.
pub(crate) const QUOTE: &str = "put it in quotes";

/// A value that was found instead of another, with the content of scalars.
///
/// `Display` shows the content; where it may be secret, messages use [`Found::kind`].
#[derive(Clone)]
pub(crate) enum Found {
    Null,
    Boolean(bool),
    Number(String),
    String(String),
    Binary,
    List,
    Object,
}

impl Found {
    /// Returns the kind of the value, with its article.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Binary => "binary data",
            Self::List => "a list",
            Self::Object => "an object",
        }
    }

    /// Returns the text for a message about a field whose value is secret.
    pub fn secret(&self) -> String {
        format!("{} (not shown: the field is secret)", self.kind())
    }

    pub const fn is_number(&self) -> bool {
        matches!(self, Self::Number(_))
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => value.fmt(f),
            Self::Number(number) => f.write_str(number),
            Self::String(text) => fmt::Debug::fmt(text, f),
            Self::Null | Self::Binary | Self::List | Self::Object => f.write_str(self.kind()),
        }
    }
}

/// Shows no content, which may be secret.
impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())
    }
}
