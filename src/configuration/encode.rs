//! Encodes a message as JSON text: the Configuration that `CustomData` carries, and the kubelet's configuration file.
//!
//! Both leave out unset fields, keep declaration order, and sort maps by the bytes of their keys.

use std::fmt::Write;

use serde_json::Value;

use super::message::{Field, Kind, Message, Slot};
use crate::byte_class;
use crate::catalogue::REDACTED;

/// Returns a Configuration for `CustomData`: names of the contract, indented by two spaces.
pub(super) fn document(message: &dyn Message) -> String {
    let mut writer = Writer { name: |field| field.name, indent: 2, html_safe: false, ..Writer::default() };
    writer.message(message);
    writer.text
}

/// Returns the kubelet's configuration file: JSON names, indented by four spaces, special characters of HTML escaped.
pub(super) fn kubelet_file(message: &dyn Message) -> String {
    let mut writer = Writer::default();
    writer.message(message);
    writer.text
}

/// The kubelet's configuration file with its members in this order, by JSON name; members without a place in the order
/// come last. Members of `if_unset` are written even if they are unset.
pub(super) fn ordered_kubelet_file(message: &dyn Message, order: &[&str], if_unset: &[&str]) -> String {
    let fields = message.descriptor().fields;
    let place = |name: &str| order.iter().position(|known| *known == name).unwrap_or(order.len());
    let is_written = |index: &usize| if_unset.contains(&fields[*index].json_name) || !message.slot(*index).is_unset();
    let indexes = (0..fields.len()).filter(is_written);
    let mut indexes: Vec<_> = indexes.map(|index| (place(fields[index].json_name), index)).collect();
    indexes.sort();
    let mut writer = Writer::default();
    writer.open('{');
    for (_, index) in indexes {
        writer.member(&fields[index], message.slot(index));
    }
    writer.close('}');
    writer.text
}

/// Returns a message without secrets, with the names of the contract.
pub(super) fn redacted(message: &dyn Message) -> Value {
    let fields = message.descriptor().fields.iter().enumerate();
    let members = fields.map(|(index, field)| (field, message.slot(index))).filter(|(_, slot)| !slot.is_unset());
    let members =
        members.map(|(field, slot)| (field.name, if field.secret { REDACTED.into() } else { value(field, slot) }));
    members.collect()
}

fn value(field: &Field, slot: Slot<'_>) -> Value {
    match slot {
        Slot::Text(text) => text.into(),
        Slot::OptionalText(text) => text.into(),
        Slot::Bool(value) => value.into(),
        Slot::OptionalBool(value) => value.into(),
        Slot::Integer(number) => number.into(),
        Slot::OptionalInteger(number) => number.into(),
        Slot::OptionalDouble(number) => {
            number.map(|number| not_finite(number).map_or(number.into(), Value::from)).into()
        }
        Slot::Enum(number) => enum_name(field, number).map_or(number.into(), Value::from),
        Slot::Texts(texts) => texts.into(),
        Slot::TextMap(map) => map.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect(),
        Slot::BoolMap(map) => map.iter().map(|(key, value)| (key.as_str(), *value)).collect(),
        Slot::Message(message) => message.map(redacted).into(),
        Slot::MessageMap(map) => map.entries().map(|(key, message)| (key, redacted(message))).collect(),
    }
}

/// Returns the text for a number that JSON does not have.
fn not_finite(number: f64) -> Option<&'static str> {
    match number {
        f64::INFINITY => Some("Infinity"),
        f64::NEG_INFINITY => Some("-Infinity"),
        number if number.is_nan() => Some("NaN"),
        _ => None,
    }
}

fn enum_name(field: &Field, number: i32) -> Option<&'static str> {
    let Kind::Enum(names) = field.kind else { unreachable!("the slot is an enum") };
    names.name(number)
}

/// Writes JSON in the layout of the reference: indented, doubles in the notation of JavaScript, optionally without
/// special characters of HTML.
struct Writer {
    text: String,
    depth: usize,
    /// Blanks for each level.
    indent: usize,
    /// The spelling of a field.
    name: fn(&Field) -> &'static str,
    html_safe: bool,
}

impl Default for Writer {
    /// Returns a writer of the kubelet's configuration file.
    fn default() -> Self {
        let text = String::with_capacity(4096);
        Self { text, depth: 0, indent: 4, name: |field| field.json_name, html_safe: true }
    }
}

impl Writer {
    fn message(&mut self, message: &dyn Message) {
        self.open('{');
        for (index, field) in message.descriptor().fields.iter().enumerate() {
            let slot = message.slot(index);
            if !slot.is_unset() {
                self.member(field, slot);
            }
        }
        self.close('}');
    }

    fn member(&mut self, field: &Field, slot: Slot<'_>) {
        // No name has a character that is escaped.
        self.line();
        self.text.push('"');
        self.text.push_str((self.name)(field));
        self.text.push_str("\": ");
        match slot {
            Slot::Text(text) | Slot::OptionalText(Some(text)) => self.string(text),
            Slot::Bool(value) | Slot::OptionalBool(Some(value)) => self.bool(value),
            Slot::Integer(number) | Slot::OptionalInteger(Some(number)) => self.text.push_str(&number.to_string()),
            Slot::OptionalDouble(Some(number)) => match not_finite(number) {
                Some(text) => self.string(text),
                None => self.text.push_str(&double(number)),
            },
            Slot::Enum(number) => match enum_name(field, number) {
                Some(name) => self.string(name),
                None => self.text.push_str(&number.to_string()),
            },
            Slot::Texts(texts) => {
                self.open('[');
                for text in texts {
                    self.line();
                    self.string(text);
                }
                self.close(']');
            }
            Slot::TextMap(map) => {
                self.open('{');
                for (key, text) in map {
                    self.key(key);
                    self.string(text);
                }
                self.close('}');
            }
            Slot::BoolMap(map) => {
                self.open('{');
                for (key, value) in map {
                    self.key(key);
                    self.bool(*value);
                }
                self.close('}');
            }
            Slot::Message(Some(message)) => self.message(message),
            Slot::MessageMap(map) => {
                self.open('{');
                for (key, message) in map.entries() {
                    self.key(key);
                    self.message(message);
                }
                self.close('}');
            }
            Slot::OptionalText(None)
            | Slot::OptionalBool(None)
            | Slot::OptionalInteger(None)
            | Slot::OptionalDouble(None)
            | Slot::Message(None) => self.text.push_str("null"),
        }
    }

    fn open(&mut self, bracket: char) {
        self.text.push(bracket);
        self.depth += 1;
    }

    fn close(&mut self, bracket: char) {
        self.depth -= 1;
        if !self.is_empty() {
            self.break_line();
        }
        self.text.push(bracket);
    }

    /// Whether the innermost list or object has no element yet. No element ends with an opening bracket.
    fn is_empty(&self) -> bool {
        matches!(self.text.as_bytes().last(), Some(b'{' | b'['))
    }

    /// Starts the line of an element.
    fn line(&mut self) {
        if !self.is_empty() {
            self.text.push(',');
        }
        self.break_line();
    }

    fn break_line(&mut self) {
        self.text.push_str(&LINE[..=self.depth * self.indent]);
    }

    fn key(&mut self, key: &str) {
        self.line();
        self.string(key);
        self.text.push_str(": ");
    }

    fn bool(&mut self, value: bool) {
        self.text.push_str(if value { "true" } else { "false" });
    }

    fn string(&mut self, text: &str) {
        let escaped = if self.html_safe { IN_JSON | IN_HTML } else { IN_JSON };
        self.text.push('"');
        let mut rest = text;
        while let Some(at) = byte_class::position(rest, &ESCAPED, escaped) {
            let (plain, from) = rest.split_at(at);
            self.text.push_str(plain);
            let letter = from.chars().next().expect("a byte was found here");
            match letter {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '\u{8}' => self.text.push_str("\\b"),
                '\t' => self.text.push_str("\\t"),
                '\n' => self.text.push_str("\\n"),
                '\u{c}' => self.text.push_str("\\f"),
                '\r' => self.text.push_str("\\r"),
                '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                    write!(self.text, "\\u{:04x}", u32::from(letter)).expect("text takes text");
                }
                letter => self.text.push(letter),
            }
            rest = &from[letter.len_utf8()..];
        }
        self.text.push_str(rest);
        self.text.push('"');
    }
}

/// A line break and the blanks of the deepest level, of which the contract has six.
const LINE: &str = "\n                                        ";

/// JSON escapes the byte.
const IN_JSON: u8 = 1;

/// The byte is special in HTML, or begins a character that is in JavaScript.
const IN_HTML: u8 = 2;

/// Which bytes are escaped.
static ESCAPED: [u8; 256] = {
    let mut escaped = [0; 256];
    let mut control = 0;
    while control < b' ' as usize {
        escaped[control] = IN_JSON;
        control += 1;
    }
    escaped[b'"' as usize] = IN_JSON;
    escaped[b'\\' as usize] = IN_JSON;
    escaped[b'<' as usize] = IN_HTML;
    escaped[b'>' as usize] = IN_HTML;
    escaped[b'&' as usize] = IN_HTML;
    // The first byte of U+2028 and U+2029.
    escaped[0xe2] = IN_HTML;
    escaped
};

/// Returns a finite number in the notation of JavaScript.
fn double(number: f64) -> String {
    if number == 0.0 || (1e-6..1e21).contains(&number.abs()) {
        return number.to_string();
    }
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e').expect("this notation has an exponent");
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    format!("{digits}e{sign}{exponent}")
}
