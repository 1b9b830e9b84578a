//! Quoting of values for shell text. Every value enters shell text through this module.

use std::borrow::Cow;
use std::fmt;

/// One word of a command line, quoted for a script. bash and dash read it back unchanged.
///
/// ```
/// use aks_node_controller::environment::ShellWord;
/// assert_eq!(ShellWord::quote("eastus").as_str(), "eastus");
/// assert_eq!(ShellWord::quote("it's $5").as_str(), r"'it'\''s $5'");
/// assert_eq!(ShellWord::quote("").as_str(), "''");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellWord<'t>(Cow<'t, str>);

impl<'t> ShellWord<'t> {
    /// Quotes a value: plain values stay bare, all others are put between single quotes. A line feed is kept, as dash
    /// does not know `$'…'`. A word cannot contain U+0000; callers reject it before.
    #[must_use]
    pub fn quote(value: &'t str) -> Self {
        if !value.is_empty() && is_plain(value) {
            return Self(Cow::Borrowed(value));
        }
        let mut word = String::with_capacity(value.len() + 2);
        word.push('\'');
        for (at, piece) in value.split('\'').enumerate() {
            if at > 0 {
                word.push_str(r"'\''");
            }
            word.push_str(piece);
        }
        word.push('\'');
        Self(Cow::Owned(word))
    }

    /// Quotes the value of an assignment that the reference writes bare. An empty value stays empty; a value that is not
    /// plain is quoted.
    #[must_use]
    pub fn bare(value: &'t str) -> Self {
        if value.is_empty() { Self(Cow::Borrowed("")) } else { Self::quote(value) }
    }

    /// Quotes the value of an assignment that the reference writes between double quotes, unless it contains a character
    /// that is special there; then it is quoted as [`ShellWord::quote`] does.
    #[must_use]
    pub fn double(value: &'t str) -> Self {
        if value.contains(['"', '$', '`', '\\', '!', '\n']) {
            return Self::quote(value);
        }
        let mut word = String::with_capacity(value.len() + 2);
        word.push('"');
        word.push_str(value);
        word.push('"');
        Self(Cow::Owned(word))
    }

    /// Returns the text of the word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl serde::Serialize for ShellWord<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// How the reference writes the value of an assignment. A value that would not be read back unchanged is quoted as
/// [`ShellWord::quote`] does, whatever the reference writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// Bare where the value is plain, else between single quotes; `''` where it is empty.
    Word,
    /// Directly after the equals sign.
    Bare,
    /// Between double quotes.
    Double,
}

impl Quoting {
    /// Returns the quoted value.
    #[must_use]
    pub fn word(self, value: &str) -> ShellWord<'_> {
        match self {
            Self::Word => ShellWord::quote(value),
            Self::Bare => ShellWord::bare(value),
            Self::Double => ShellWord::double(value),
        }
    }
}

impl fmt::Display for ShellWord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reports whether no character of a value is special, wherever it is in a word.
fn is_plain(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&byte))
}
