//! Text that must not be printed.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

/// The text that output shows instead of a secret.
pub const REDACTED: &str = "[redacted]";

/// Bytes of the shortest value that is replaced in other texts. Replacing shorter ones would make every text
/// unreadable.
pub(crate) const SHORTEST: usize = 6;

/// Returns the lines of a secret that are replaced even if they occur alone. Shorter lines can occur in any text.
pub(crate) fn long_lines(whole: &[u8]) -> impl Iterator<Item = &[u8]> {
    const SHORTEST_LINE: usize = 20;
    let lines = whole.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| line.len() >= SHORTEST_LINE && !line.starts_with(b"-----"))
}

/// Text that stays out of logs, error messages and debug output.
///
/// `Debug` and `Display` print `[redacted]`, whatever the text is. It does not implement `Serialize`, so no template
/// and no document receives the text by accident: every use goes through [`Secret::expose`].
///
/// ```
/// use aks_node_controller::Secret;
/// let token = Secret::from("x1y2z3.0a1b2c3d4e5f6g7h");
/// assert_eq!(format!("{token} {token:?}"), "[redacted] [redacted]");
/// assert_eq!(token.expose(), "x1y2z3.0a1b2c3d4e5f6g7h");
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Secret<'t>(Cow<'t, str>);

impl<'t> Secret<'t> {
    /// Returns the clear text. The plain name lets a reviewer find each use.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Reports whether the text is empty, which is not a secret.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns an owned copy of the same text.
    #[must_use]
    pub fn into_owned(self) -> Secret<'static> {
        Secret(Cow::Owned(self.0.into_owned()))
    }

    /// Returns the same text, borrowed from this one.
    #[must_use]
    pub fn borrowed(&self) -> Secret<'_> {
        Secret(Cow::Borrowed(&self.0))
    }

    /// Returns the texts to replace in other texts: the value and its content in base64, unless they are too short.
    pub(crate) fn wholes(&self) -> impl Iterator<Item = Vec<u8>> {
        let value = self.0.trim();
        let decoded = STANDARD.decode(value).ok();
        let wholes = [Some(value.as_bytes().to_vec()), decoded].into_iter().flatten();
        wholes.map(|whole| whole.trim_ascii().to_vec()).filter(|whole| whole.len() >= SHORTEST)
    }

    /// Returns the clear text and consumes the secret.
    #[must_use]
    pub fn into_exposed(self) -> Cow<'t, str> {
        self.0
    }
}

impl From<String> for Secret<'_> {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl<'t> From<&'t str> for Secret<'t> {
    fn from(text: &'t str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl<'t> From<Cow<'t, str>> for Secret<'t> {
    fn from(text: Cow<'t, str>) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Secret<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl fmt::Display for Secret<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}
