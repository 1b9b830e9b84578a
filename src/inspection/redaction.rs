//! Finds the secrets in an inspection, and removes them from texts.

use super::found::Inspection;
use crate::Secret;
use crate::catalogue::{paths, variables};
use crate::configuration::{Message, Slot};
use crate::inputs::NodeInput;
use crate::redaction::{self, Redactor, is_meaningful, is_secret_variable};

/// Files whose content is always secret.
pub(crate) const SECRET_FILES: [&str; 5] =
    [paths::CONFIGURATION, paths::COMMAND, paths::AZURE_JSON, paths::SERVICE_PRINCIPAL, paths::BOOTSTRAP_KUBECONFIG];

impl Inspection {
    /// Returns a redactor of the secrets in it.
    #[must_use]
    pub fn redactor(&self) -> Redactor {
        Redactor::new(&self.secrets())
    }

    /// Reports whether a variable is secret: by its name, or by what is around it. A variable of another program is not secret if its value
    /// is a path, a command, or something else that cannot be a secret.
    pub(crate) fn is_secret(&self, name: &str) -> bool {
        (is_secret_variable(name) || self.announced.contains(name)) && !self.is_reference(name)
    }

    /// Reports whether the value of a variable of no table only says where something is.
    fn is_reference(&self, name: &str) -> bool {
        let value = self.variables.get(name).map(Secret::expose).filter(|value| !value.is_empty());
        variables::variable(name).is_none()
            && value.is_some_and(|value| {
                !is_meaningful(value.as_bytes()) && !redaction::has_secret(&format!("{name}=\"{value}\""))
            })
    }

    /// Returns the secrets in it: the values of variables and fields that the tables or their names say are secret, and what files
    /// with secrets have.
    pub(crate) fn secrets(&self) -> Vec<Secret<'static>> {
        let mut secrets: Vec<Secret<'static>> =
            self.variables.iter().filter(|(name, _)| self.is_secret(name)).map(|(_, value)| value.clone()).collect();
        let input = self.input.as_ref().and_then(NodeInput::configuration);
        for configuration in self.configuration.as_deref().into_iter().chain(input) {
            secret_fields(configuration, &mut secrets);
        }
        // An account or a signature may be anywhere, and elsewhere it may have lost what shows that it is one.
        let texts = self.variables.values().chain(&self.command);
        for text in texts.chain(self.runs.iter().map(|run| &run.text)) {
            secrets.extend(redaction::found(text.expose()));
        }
        for file in self.files.iter().filter(|file| has_secrets(&file.path)) {
            secrets.extend(redaction::values(&String::from_utf8_lossy(&file.content)));
        }
        secrets
    }
}

/// Reports whether values in a file may be secret: it is one of those, or below one of the directories.
pub(super) fn has_secrets(path: &str) -> bool {
    SECRET_FILES.contains(&path)
        || paths::WITH_SECRETS
            .iter()
            .any(|with| path.strip_prefix(with).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Adds the secret fields of a message and of those in it.
fn secret_fields(message: &dyn Message, secrets: &mut Vec<Secret<'static>>) {
    for (index, field) in message.descriptor().fields.iter().enumerate() {
        match message.slot(index) {
            Slot::Text(text) | Slot::OptionalText(Some(text)) if field.secret => secrets.push(text.to_owned().into()),
            Slot::Message(Some(inner)) => secret_fields(inner, secrets),
            _ => {}
        }
    }
}
