//! What holds for every field, found by reflection.

use super::fields::{Checked, rule};
use crate::configuration::{Kind, Message, Slot};
use crate::document::{DocPath, Finding, Problem, Severity, Step};

/// Texts become environment variables, which cannot hold U+0000; numbers of enums should have a name.
pub(super) fn texts_and_enums(checked: &Checked<'_>, findings: &mut Vec<Finding>) {
    walk(checked.configuration, &DocPath::root(), findings);
}

fn walk(message: &dyn Message, path: &DocPath, findings: &mut Vec<Finding>) {
    for (index, field) in message.descriptor().fields.iter().enumerate() {
        let path = path.join(Step::Field { name: field.name, json_name: field.json_name });
        match message.slot(index) {
            Slot::Text(text) | Slot::OptionalText(Some(text)) => no_zero(text, path, findings),
            Slot::Texts(texts) => {
                for (at, text) in texts.iter().enumerate() {
                    no_zero(text, path.join(Step::Index(at)), findings);
                }
            }
            Slot::TextMap(map) => {
                for (key, text) in map {
                    let path = path.join(Step::Key(key.clone()));
                    no_zero(key, path.clone(), findings);
                    no_zero(text, path, findings);
                }
            }
            Slot::Enum(number) => {
                if let Kind::Enum(names) = field.kind
                    && names.name(number).is_none()
                {
                    let expected = format!("a number of {}", names.name).into();
                    let problem = Problem::Unexpected { expected, found: number.to_string() };
                    findings.push(Finding::warning(path, problem).hint("it counts as unset"));
                }
            }
            Slot::Message(Some(message)) => walk(message, &path, findings),
            Slot::MessageMap(map) => {
                for (key, message) in map.entries() {
                    let path = path.join(Step::Key(key.to_owned()));
                    no_zero(key, path.clone(), findings);
                    walk(message, &path, findings);
                }
            }
            _ => {}
        }
    }
}

fn no_zero(text: &str, path: DocPath, findings: &mut Vec<Finding>) {
    if text.contains('\0') {
        findings.push(rule(Severity::Error, path, "holds U+0000, so it cannot be an environment variable"));
    }
}
