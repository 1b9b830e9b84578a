//! A result taken apart, for people and for reviews: every layer decoded, each as a file.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::Secret;

/// One layer. Any of them may contain the bootstrap token, so all are secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// A file name, or a path relative to the directory of all layers.
    pub name: &'static str,
    /// The content of the file.
    pub text: Secret<'static>,
}

impl Layer {
    pub(super) fn new(name: &'static str, text: String) -> Self {
        Self { name, text: text.into() }
    }
}

/// Returns the text that a variable carries in base64; `None` if it is not base64 of text.
pub(crate) fn decoded_text(encoded: &str) -> Option<String> {
    String::from_utf8(STANDARD.decode(encoded).ok()?).ok()
}
