//! The decoded layers of a result, each as a file, for people and reviews.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::Secret;

/// One layer. All are secrets, because any of them can contain the bootstrap token.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layer {
    /// A file name, or a path relative to the directory of all layers.
    pub name: &'static str,
    /// The content of the file.
    pub text: Secret<'static>,
}

impl Layer {
    pub(crate) fn new(name: &'static str, text: String) -> Self {
        Self { name, text: text.into() }
    }
}

/// Returns the text that a variable carries in base64; `None` if the value is not text in base64.
pub(crate) fn decoded_text(encoded: &str) -> Option<String> {
    String::from_utf8(STANDARD.decode(encoded).ok()?).ok()
}
