//! The one function through which values enter shell text.

use std::borrow::Cow;
use std::fmt;

/// One word of a command line, as it stands in a script. bash and dash read back exactly what was quoted.
///
/// ```
/// use aks_node_controller::rendering::ShellWord;
/// assert_eq!(ShellWord::quote("eastus").as_str(), "eastus");
/// assert_eq!(ShellWord::quote("it's $5").as_str(), r"'it'\''s $5'");
/// assert_eq!(ShellWord::quote("").as_str(), "''");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellWord<'t>(Cow<'t, str>);

impl<'t> ShellWord<'t> {
    /// Plain values stay bare, all others go between single quotes, where only the single quote itself needs care.
    /// A line feed stays as it is: `$'…'` is not for dash. U+0000 cannot stand in any word; callers refuse it before.
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

    /// The value of an assignment as the reference writes it bare. Empty stays empty; what is not plain is quoted.
    #[must_use]
    pub fn bare(value: &'t str) -> Self {
        if value.is_empty() { Self(Cow::Borrowed("")) } else { Self::quote(value) }
    }

    /// The value of an assignment as the reference writes it between double quotes, unless it holds a character that
    /// means something there; then it is quoted like all others.
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

    /// The text as it stands in a script.
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
    /// The value as it is written.
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

/// Whether every character means itself, wherever in a word it stands.
fn is_plain(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&byte))
}
