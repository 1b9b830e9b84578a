//! Advice about the secrets of an input.

use crate::configuration::{Configuration, FieldPath, Message, Slot, contract_path};
use crate::document::{DocPath, Finding, Step, rules};
use crate::inputs::{Input, NodeInput};
use crate::redaction::secret_assignment;

/// The field with the secret of a service principal.
const SERVICE_PRINCIPAL: &str = "auth_config.service_principal_secret";

/// Returns a note for each secret that a delivery would show more widely than it has to, at the fields of the document.
/// Karpenter's inputs have one delivery, so there is nothing to choose.
#[must_use]
pub fn notes(input: &Input) -> Vec<Finding> {
    match input {
        Input::Configuration(configuration) => of_configuration(configuration, false),
        Input::Nbc(nbc) => {
            let is_protected = nbc.command_request().is_some_and(|command| command.protects_secrets);
            nbc.translate(of_configuration(&nbc.configuration, is_protected))
        }
        _ => Vec::new(),
    }
}

fn of_configuration(configuration: &Configuration, is_protected: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, value) in secret_fields(configuration) {
        if !is_protected && !is_plain_url(value) {
            let text = "is a secret, which CustomData contains on routes `node-bootstrap-variables` and `scriptless`";
            let hint = "`generate --route scriptless --secrets protected-settings` keeps it out of CustomData";
            found.push(Finding::violation(&rules::SECRET_IN_CUSTOM_DATA, path.clone(), text).hint(hint));
        }
        if path.to_string() == SERVICE_PRINCIPAL {
            let text = "is the secret of a service principal, which is valid for months and stored on every node";
            found.push(
                Finding::violation(&rules::SERVICE_PRINCIPAL_SECRET, path, text).hint("use a managed identity instead"),
            );
        }
    }
    for (name, value) in &configuration.enabled_features {
        if secret_assignment(&format!("{name}={value}")).is_some() {
            let features = contract_path(&FieldPath::of("enabled_features"));
            let text = "looks like a secret, and features are always in CustomData";
            let path = features.join(Step::Key(name.clone()));
            found.push(Finding::violation(&rules::SECRET_FEATURE, path, text).hint("no feature needs a secret"));
        }
    }
    found
}

/// Reports whether a value is a URL without an account: the address of a proxy.
fn is_plain_url(value: &str) -> bool {
    value.split_once("://").is_some_and(|(_, rest)| !rest.split('/').next().unwrap_or_default().contains('@'))
}

/// Reports whether the value of a secret is one. The secret of a managed identity, `msi`, is none.
pub(crate) fn is_real_secret(value: &str) -> bool {
    let decoded = super::decoded_text(value);
    ![value, decoded.as_deref().unwrap_or("-")].iter().any(|text| ["", "msi"].contains(text))
}

/// Returns the secret fields that a Configuration sets, with their values.
pub(crate) fn secret_fields(configuration: &Configuration) -> Vec<(DocPath, &str)> {
    fn walk<'m>(message: &'m dyn Message, path: &DocPath, found: &mut Vec<(DocPath, &'m str)>) {
        for (index, field) in message.descriptor().fields.iter().enumerate() {
            let path = || path.join(Step::Field { name: field.name, json_name: field.json_name });
            match message.slot(index) {
                Slot::Text(text) | Slot::OptionalText(Some(text)) if field.secret && is_real_secret(text) => {
                    found.push((path(), text));
                }
                Slot::Message(Some(inner)) => walk(inner, &path(), found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    walk(configuration, &DocPath::root(), &mut found);
    found
}
