//! Encodes a message as JSON text: the Configuration that `CustomData` carries, and the kubelet's configuration file.
//!
//! Both leave out unset fields, keep declaration order, and sort maps by the bytes of their keys.

use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::ser::{CharEscape, Formatter, PrettyFormatter};

use super::message::{Field, Kind, Message, MessageMap, Slot};

use crate::ordering;

/// How a message is written.
#[derive(Clone, Copy, Debug)]
struct Style {
    names: Names,
    redact: bool,
}

#[derive(Clone, Copy, Debug)]
enum Names {
    /// `snake_case`.
    Contract,
    /// The `json_name`.
    Json,
}

/// Returns a Configuration for `CustomData`: names of the contract, indented by two spaces.
pub(super) fn document(message: &dyn Message) -> String {
    written(&Json { message, style: Style { names: Names::Contract, redact: false } }, b"  ", false)
}

/// Returns the kubelet's configuration file: JSON names, indented by four spaces, special characters of HTML escaped.
pub(super) fn kubelet_file(message: &dyn Message) -> String {
    written(&Json { message, style: Style { names: Names::Json, redact: false } }, b"    ", true)
}

/// The kubelet's configuration file with its members in this order, by JSON name; members without a place in the order
/// come last. Members of `if_unset` are written even if they are unset.
pub(super) fn ordered_kubelet_file(message: &dyn Message, order: &[&str], if_unset: &[&str]) -> String {
    let fields = message.descriptor().fields;
    let place = |name: &str| order.iter().position(|known| *known == name).unwrap_or(order.len());
    let is_written = |index: &usize| if_unset.contains(&fields[*index].json_name) || !message.slot(*index).is_unset();
    let mut indexes: Vec<_> = (0..fields.len()).filter(is_written).collect();
    ordering::sort_by_key(&mut indexes, |index| place(fields[*index].json_name));
    let style = Style { names: Names::Json, redact: false };
    written(&Selected { message, indexes: &indexes, style }, b"    ", true)
}

/// Returns a message without secrets, with the names of the contract.
pub(super) fn redacted(message: &dyn Message) -> serde_json::Value {
    let json = Json { message, style: Style { names: Names::Contract, redact: true } };
    serde_json::to_value(json).expect("a message is JSON")
}

fn written(value: &impl Serialize, indent: &[u8], html_safe: bool) -> String {
    let mut text = Vec::with_capacity(4096);
    let formatter = Layout { pretty: PrettyFormatter::with_indent(indent), html_safe };
    value
        .serialize(&mut serde_json::Serializer::with_formatter(&mut text, formatter))
        .expect("a message is JSON, and writing to memory does not fail");
    String::from_utf8(text).expect("JSON is UTF-8")
}

struct Json<'a> {
    message: &'a dyn Message,
    style: Style,
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_set = |index: &usize| !self.message.slot(*index).is_unset();
        let indexes = (0..self.message.descriptor().fields.len()).filter(is_set);
        fields(serializer, self.message, indexes, self.style)
    }
}

/// Some fields of a message, in this order.
struct Selected<'a> {
    message: &'a dyn Message,
    indexes: &'a [usize],
    style: Style,
}

impl Serialize for Selected<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields(serializer, self.message, self.indexes.iter().copied(), self.style)
    }
}

/// Writes some fields of a message, in this order.
fn fields<S: Serializer>(
    serializer: S,
    message: &dyn Message,
    indexes: impl Iterator<Item = usize>,
    style: Style,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    for index in indexes {
        let (field, slot) = (&message.descriptor().fields[index], message.slot(index));
        let name = match style.names {
            Names::Contract => field.name,
            Names::Json => field.json_name,
        };
        if field.secret && style.redact {
            map.serialize_entry(name, crate::catalogue::REDACTED)?;
        } else {
            map.serialize_entry(name, &Member { slot, field, style })?;
        }
    }
    map.end()
}

struct Member<'a> {
    slot: Slot<'a>,
    field: &'static Field,
    style: Style,
}

impl Serialize for Member<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.slot {
            Slot::Text(text) => serializer.serialize_str(text),
            Slot::OptionalText(text) => text.serialize(serializer),
            Slot::Bool(value) => serializer.serialize_bool(value),
            Slot::OptionalBool(value) => value.serialize(serializer),
            Slot::Integer(number) => serializer.serialize_i32(number),
            Slot::OptionalInteger(number) => number.serialize(serializer),
            Slot::OptionalDouble(number) => match number {
                Some(number) if number.is_nan() => serializer.serialize_str("NaN"),
                Some(f64::INFINITY) => serializer.serialize_str("Infinity"),
                Some(f64::NEG_INFINITY) => serializer.serialize_str("-Infinity"),
                number => number.serialize(serializer),
            },
            Slot::Enum(number) => {
                let Kind::Enum(names) = self.field.kind else { unreachable!("the slot is an enum") };
                match names.name(number) {
                    Some(name) => serializer.serialize_str(name),
                    None => serializer.serialize_i32(number),
                }
            }
            Slot::Texts(texts) => texts.serialize(serializer),
            Slot::TextMap(map) => map.serialize(serializer),
            Slot::BoolMap(map) => map.serialize(serializer),
            Slot::Message(message) => message.map(|message| Json { message, style: self.style }).serialize(serializer),
            Slot::MessageMap(map) => Messages { map, style: self.style }.serialize(serializer),
        }
    }
}

struct Messages<'a> {
    map: &'a dyn MessageMap,
    style: Style,
}

impl Serialize for Messages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.map.entries().map(|(key, message)| (key, Json { message, style: self.style })))
    }
}

/// The layout of the reference: indented, doubles in the notation of JavaScript, optionally without special characters of
/// HTML.
struct Layout<'a> {
    pretty: PrettyFormatter<'a>,
    html_safe: bool,
}

impl Formatter for Layout<'_> {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let magnitude = value.abs();
        if value == 0.0 || (1e-6..1e21).contains(&magnitude) {
            return write!(writer, "{value}");
        }
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').expect("this notation has an exponent");
        let sign = if exponent.starts_with('-') { "" } else { "+" };
        write!(writer, "{digits}e{sign}{exponent}")
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        const UNSAFE: [char; 5] = ['<', '>', '&', '\u{2028}', '\u{2029}'];
        if !self.html_safe {
            return writer.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some(at) = rest.find(UNSAFE) {
            writer.write_all(&rest.as_bytes()[..at])?;
            let letter = rest[at..].chars().next().expect("one was found here");
            write!(writer, "\\u{:04x}", u32::from(letter))?;
            rest = &rest[at + letter.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        self.pretty.write_char_escape(writer, escape)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.pretty.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.pretty.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_object_value(writer)
    }
}
