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
    /// Quotes a value: plain values stay bare, all others are put between single quotes. A line feed is kept, because
    /// dash does not support `$'…'`. A word cannot contain U+0000, which callers reject.
    #[must_use]
    pub fn quote(value: &'t str) -> Self {
        Quoting::Word.word(value)
    }

    /// Quotes the value of an assignment that the reference writes bare. An empty value stays empty; a value that is not
    /// plain is quoted.
    #[must_use]
    pub fn bare(value: &'t str) -> Self {
        Quoting::Bare.word(value)
    }

    /// Quotes the value of an assignment that the reference writes between double quotes. A value with a character that
    /// is special there is quoted as by [`ShellWord::quote`].
    #[must_use]
    pub fn double(value: &'t str) -> Self {
        Quoting::Double.word(value)
    }

    /// Returns the text of the word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The reference's quoting of an assignment's value. A value that would not be read back unchanged is quoted as by
/// [`ShellWord::quote`] instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// Bare if the value is plain, otherwise between single quotes; `''` if it is empty.
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
        if self.quote_around(value).is_empty() {
            return ShellWord(Cow::Borrowed(value));
        }
        let mut word = String::with_capacity(value.len() + 2);
        self.write(value, &mut word);
        ShellWord(Cow::Owned(word))
    }

    /// Appends the quoted value to a text.
    pub fn write(self, value: &str, text: &mut String) {
        let quote = self.quote_around(value);
        text.push_str(quote);
        if quote == SINGLE && value.contains('\'') {
            text.push_str(&value.replace('\'', r"'\''"));
        } else {
            text.push_str(value);
        }
        text.push_str(quote);
    }

    /// Returns the text before and after a value.
    fn quote_around(self, value: &str) -> &'static str {
        match self {
            Self::Double if !is_special_in_double(value) => "\"",
            Self::Word if value.is_empty() => SINGLE,
            Self::Word | Self::Bare if is_plain(value) => "",
            _ => SINGLE,
        }
    }
}

impl fmt::Display for ShellWord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

const SINGLE: &str = "'";

/// Reports whether no byte of a value has a meaning in a shell. Bytes beyond ASCII are not plain.
fn is_plain(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+,-./:_@%=".contains(&byte))
}

/// Reports whether a byte of a value has a meaning between double quotes.
fn is_special_in_double(value: &str) -> bool {
    value.contains(['"', '$', '`', '\\', '!', '\n'])
}
