//! What is secret in an inspection, and texts without it.

use super::found::{Inspection, is_input_path};
use crate::Secret;
use crate::catalogue::{REDACTED, paths, variables};
use crate::inputs::is_secret_name;
use crate::rendering::ShellWord;

/// Files whose content is secret, whatever it is.
pub(crate) const SECRET_FILES: [&str; 5] =
    [paths::CONFIGURATION, paths::COMMAND, paths::AZURE_JSON, paths::SERVICE_PRINCIPAL, paths::BOOTSTRAP_KUBECONFIG];

/// Reports whether the value of a variable is secret: the table says so, or the table does not know it and the name sounds so.
pub(crate) fn is_secret(name: &str) -> bool {
    variables::variable(name).map_or_else(|| is_secret_name(name), |variable| variable.secret)
}

/// Returns a text in which long runs of base64 are replaced.
pub(crate) fn without_long_base64(text: &str) -> String {
    const LONG: usize = 200;
    let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '+' | '/' | '=');
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        shown.push_str(&rest[..start]);
        let run = &rest[start..];
        let end = run.find(|character| !is_part(character)).unwrap_or(run.len());
        shown.push_str(if end >= LONG { REDACTED } else { &run[..end] });
        rest = &run[end..];
    }
    shown.push_str(rest);
    shown
}

impl Inspection {
    /// Returns a text in which the values of secret variables are replaced, and what carries them in base64.
    #[must_use]
    pub fn redacted(&self, text: &str) -> String {
        /// Replacing shorter values would make any text unreadable.
        const SHORTEST: usize = 6;
        let mut text = text.to_owned();
        let secrets = self.variables.iter().filter(|(name, value)| is_secret(name) && value.expose().len() >= SHORTEST);
        for (_, value) in secrets {
            for form in [value.expose().to_owned(), ShellWord::quote(value.expose()).to_string()] {
                text = text.replace(&form, REDACTED);
            }
        }
        // A script that the command carries in base64 has all of them.
        for file in &self.files {
            if is_input_path(&file.path) {
                text = without_long_base64(&text);
            }
        }
        text
    }

    /// Returns a variable as it may be shown: `[redacted]` for a secret.
    #[must_use]
    pub fn shown<'v>(&self, name: &str, value: &'v Secret<'static>) -> &'v str {
        let secret = is_secret(name) && !value.is_empty();
        if secret { REDACTED } else { value.expose() }
    }
}
