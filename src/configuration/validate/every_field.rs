//! Checks of every field, found by reflection.

use super::fields::Context;
use crate::catalogue::rules;
use crate::configuration::{Kind, Message, Slot};
use crate::document::{DocPath, Finding, Step};

/// Strings become environment variables, which cannot contain U+0000. Enum numbers without a name have no effect.
pub(super) fn strings_and_enums(context: &Context<'_>, findings: &mut Vec<Finding>) {
    walk(context.configuration, &DocPath::root(), findings);
}

fn walk(message: &dyn Message, path: &DocPath, findings: &mut Vec<Finding>) {
    for (index, field) in message.descriptor().fields.iter().enumerate() {
        let path = path.join(Step::Field { name: field.name, json_name: field.json_name });
        match message.slot(index) {
            Slot::Text(text) | Slot::OptionalText(Some(text)) => check_text(text, path, findings),
            Slot::Texts(texts) => {
                for (at, text) in texts.iter().enumerate() {
                    check_text(text, path.join(Step::Index(at)), findings);
                }
            }
            Slot::TextMap(map) => {
                for (key, text) in map {
                    let path = path.join(Step::Key(key.clone()));
                    check_text(key, path.clone(), findings);
                    check_text(text, path, findings);
                }
            }
            Slot::Enum(number) => {
                if let Kind::Enum(names) = field.kind
                    && names.name(number).is_none()
                {
                    let expected = format!("the number of a value of {}", names.name);
                    let finding = Finding::unexpected(&rules::UNKNOWN_VALUE, path, expected, number.to_string());
                    findings.push(finding.hint("an unknown number counts as unset"));
                }
            }
            Slot::Message(Some(message)) => walk(message, &path, findings),
            Slot::MessageMap(map) => {
                for (key, message) in map.entries() {
                    let path = path.join(Step::Key(key.to_owned()));
                    check_text(key, path.clone(), findings);
                    walk(message, &path, findings);
                }
            }
            _ => {}
        }
    }
}

fn check_text(text: &str, path: DocPath, findings: &mut Vec<Finding>) {
    if text.contains('\0') {
        findings.push(Finding::violation(
            &rules::NUL_CHARACTER,
            path,
            "contains U+0000, which no environment variable can carry",
        ));
    }
}
