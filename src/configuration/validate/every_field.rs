//! Checks that apply to every field, which reflection finds.

use super::fields::Context;
use crate::catalogue::field_sources::placeholder_in;
use crate::catalogue::rules;
use crate::configuration::{Kind, Message, Slot};
use crate::document::{Finding, Location, StepRef};

/// Strings become environment variables, which cannot contain U+0000. Enum numbers without a name have no effect.
pub(super) fn strings_and_enums(context: &Context<'_>, findings: &mut Vec<Finding>) {
    walk(context.configuration, &Location::ROOT, findings);
}

fn walk(message: &dyn Message, location: &Location<'_>, findings: &mut Vec<Finding>) {
    for (index, field) in message.descriptor().fields.iter().enumerate() {
        let location = location.child(StepRef::Field(field.name, field.json_name), index);
        match message.slot(index) {
            Slot::Text(text) | Slot::OptionalText(Some(text)) => check_text(text, &location, findings),
            Slot::Texts(texts) => {
                for (at, text) in texts.iter().enumerate() {
                    check_text(text, &location.child(StepRef::Index, at), findings);
                }
            }
            Slot::TextMap(map) => {
                for (at, (key, text)) in map.iter().enumerate() {
                    let location = location.child(StepRef::Key(key), at);
                    check_text(key, &location, findings);
                    check_text(text, &location, findings);
                }
            }
            Slot::Enum(number) => {
                if let Kind::Enum(names) = field.kind
                    && names.name(number).is_none()
                {
                    let (path, _) = location.resolve();
                    let expected = format!("the number of a value of {}", names.name);
                    let finding = Finding::unexpected(&rules::UNKNOWN_VALUE, path, expected, number.to_string());
                    findings.push(finding.hint("an unknown number is treated as unset"));
                }
            }
            Slot::Message(Some(message)) => walk(message, &location, findings),
            Slot::MessageMap(map) => {
                for (at, (key, message)) in map.entries().enumerate() {
                    let location = location.child(StepRef::Key(key), at);
                    check_text(key, &location, findings);
                    walk(message, &location, findings);
                }
            }
            _ => {}
        }
    }
}

fn check_text(text: &str, location: &Location<'_>, findings: &mut Vec<Finding>) {
    if memchr::memchr(0, text.as_bytes()).is_some() {
        let (path, _) = location.resolve();
        let problem = "contains U+0000, which no environment variable can contain";
        findings.push(Finding::violation(&rules::NUL_CHARACTER, path, problem));
    }
    if let Some(source) = placeholder_in(text) {
        let (path, _) = location.resolve();
        let problem = format!("contains the placeholder `<{}>`", source.placeholder);
        findings.push(Finding::violation(&rules::PLACEHOLDER, path, problem).hint(source.hint()));
    }
}
