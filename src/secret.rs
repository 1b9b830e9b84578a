//! Text that must not be shown.

use std::borrow::Cow;
use std::fmt;

use crate::catalogue::REDACTED;

/// Text that stays out of logs, error messages and debug output.
///
/// `Debug` and `Display` print `[redacted]`, whatever the text is. There is no `Serialize`, so no template and no
/// document receives the text by accident: every use of it goes through [`Secret::expose`].
///
/// ```
/// use aks_node_controller::Secret;
/// let token = Secret::from("x1y2z3.0a1b2c3d4e5f6g7h");
/// assert_eq!(format!("{token} {token:?}"), "[redacted] [redacted]");
/// assert_eq!(token.expose(), "x1y2z3.0a1b2c3d4e5f6g7h");
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Secret<'t>(Cow<'t, str>);

impl<'t> Secret<'t> {
    /// Returns the clear text. The plain name lets a reviewer find each use.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Reports whether the text is empty, which is no secret.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the same text, independent of what it was borrowed from.
    #[must_use]
    pub fn into_owned(self) -> Secret<'static> {
        Secret(Cow::Owned(self.0.into_owned()))
    }

    /// Returns the same text, borrowed from this one.
    #[must_use]
    pub fn borrowed(&self) -> Secret<'_> {
        Secret(Cow::Borrowed(&self.0))
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
