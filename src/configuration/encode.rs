//! Encodes a message as JSON text: the Configuration that `CustomData` carries, and the kubelet's configuration file.
//!
//! Both leave out unset fields, keep declaration order, and sort maps by the bytes of their keys.

use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::ser::PrettyFormatter;
use serde_json::value::RawValue;

use super::message::{Field, Kind, Message, Slot};
use crate::catalogue::REDACTED;

/// Returns a Configuration for `CustomData`: names of the contract, indented by two spaces.
pub(super) fn document(message: &dyn Message) -> String {
    indented("  ", members(message, Form::DOCUMENT))
}

/// Returns the kubelet's configuration file: JSON names, indented by four spaces, special characters of HTML escaped.
pub(super) fn kubelet_file(message: &dyn Message) -> String {
    html_safe(&indented("    ", members(message, Form::KUBELET_FILE)))
}

/// Returns the kubelet's configuration file with its members in this order of JSON names; other members come last.
/// Members of `if_unset` are written even if they are unset.
pub(super) fn ordered_kubelet_file(message: &dyn Message, order: &[&str], if_unset: &[&str]) -> String {
    let place = |name: &str| order.iter().position(|known| *known == name).unwrap_or(order.len());
    let all = all_members(message, Form::KUBELET_FILE);
    let mut written: Vec<_> = all.filter(|(name, member)| if_unset.contains(name) || !member.slot.is_unset()).collect();
    written.sort_by_key(|(name, _)| place(name));
    html_safe(&indented("    ", written))
}

/// Returns a message without secrets, with the names of the contract.
pub(super) fn redacted(message: &dyn Message) -> Value {
    let members = members(message, Form { shows_secrets: false, ..Form::DOCUMENT });
    serde_json::value::Serializer.collect_map(members).expect("a member is a JSON value")
}

/// How the members of a message are written.
#[derive(Clone, Copy)]
struct Form {
    /// The spelling of a field.
    name: fn(&Field) -> &'static str,
    /// Whether the values of secret fields are written.
    shows_secrets: bool,
}

impl Form {
    const DOCUMENT: Self = Self { name: |field| field.name, shows_secrets: true };
    const KUBELET_FILE: Self = Self { name: |field| field.json_name, shows_secrets: true };
}

/// The value of a field.
struct Member<'m> {
    field: &'static Field,
    slot: Slot<'m>,
    form: Form,
}

/// Returns every field of a message by its name, in declaration order.
fn all_members(message: &dyn Message, form: Form) -> impl Iterator<Item = (&'static str, Member<'_>)> {
    let fields = message.descriptor().fields.iter().enumerate();
    fields.map(move |(index, field)| ((form.name)(field), Member { field, slot: message.slot(index), form }))
}

/// Returns the fields of a message that are set.
fn members(message: &dyn Message, form: Form) -> impl Iterator<Item = (&'static str, Member<'_>)> {
    all_members(message, form).filter(|(_, member)| !member.slot.is_unset())
}

impl Serialize for Member<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.field.secret && !self.form.shows_secrets {
            return serializer.serialize_str(REDACTED);
        }
        match self.slot {
            Slot::Text(text) | Slot::OptionalText(Some(text)) => serializer.serialize_str(text),
            Slot::Bool(value) | Slot::OptionalBool(Some(value)) => serializer.serialize_bool(value),
            Slot::Integer(number) | Slot::OptionalInteger(Some(number)) => serializer.serialize_i32(number),
            Slot::OptionalDouble(Some(number)) => double(number, serializer),
            Slot::Enum(number) => match enum_name(self.field, number) {
                Some(name) => serializer.serialize_str(name),
                None => serializer.serialize_i32(number),
            },
            Slot::Texts(texts) => serializer.collect_seq(texts),
            Slot::TextMap(map) => serializer.collect_map(map),
            Slot::BoolMap(map) => serializer.collect_map(map),
            Slot::Message(Some(message)) => serializer.collect_map(members(message, self.form)),
            Slot::MessageMap(map) => serializer.collect_map(
                map.entries().map(|(key, message)| (key, Member { slot: Slot::Message(Some(message)), ..*self })),
            ),
            Slot::OptionalText(None)
            | Slot::OptionalBool(None)
            | Slot::OptionalInteger(None)
            | Slot::OptionalDouble(None)
            | Slot::Message(None) => serializer.serialize_none(),
        }
    }
}

fn enum_name(field: &Field, number: i32) -> Option<&'static str> {
    let Kind::Enum(names) = field.kind else { unreachable!("the slot is an enum") };
    names.name(number)
}

/// Returns an object as text with a member on each line.
fn indented<'m>(indent: &str, members: impl IntoIterator<Item = (&'static str, Member<'m>)>) -> String {
    let mut text = Vec::new();
    let formatter = PrettyFormatter::with_indent(indent.as_bytes());
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, formatter);
    serializer.collect_map(members).expect("writing to memory does not fail");
    String::from_utf8(text).expect("JSON is UTF-8")
}

/// Returns JSON with characters that are special in HTML escaped, as Go does by default. They only occur in strings.
pub(crate) fn html_safe(json: &str) -> String {
    let escapes =
        [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")];
    escapes.iter().fold(json.to_owned(), |json, (character, escape)| json.replace(*character, escape))
}

/// Writes a number in JavaScript's notation, and a number that JSON lacks as a string.
fn double<S: Serializer>(number: f64, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        f64::INFINITY => return serializer.serialize_str("Infinity"),
        f64::NEG_INFINITY => return serializer.serialize_str("-Infinity"),
        number if number.is_nan() => return serializer.serialize_str("NaN"),
        _ => {}
    }
    let text = if number == 0.0 || (1e-6..1e21).contains(&number.abs()) {
        number.to_string()
    } else {
        // Rust writes no plus sign before an exponent.
        format!("{number:e}").replace('e', "e+").replace("e+-", "e-")
    };
    RawValue::from_string(text).map_err(serde::ser::Error::custom)?.serialize(serializer)
}
