//! Decodes a document into a message, by the rules of the proto3 JSON mapping; unknown fields are ignored.
//!
//! A wrong value adds a finding and decoding continues, so that one pass finds all of them. Only broken syntax ends it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::{Entry, VacantEntry};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::message::{Descriptor, Field, Kind, Label, Message, MessageMap, SlotMut};
use crate::catalogue::rules;
use crate::document::{Finding, Findings, Found, Location, Name, Problem, QUOTE, STRING, Source, StepRef, nearest};

/// Decodes a whole document into a message. Returns a finding for everything that was ignored.
pub(super) fn read(source: &Source<'_>, message: &mut dyn Message) -> Findings {
    let mut findings = Findings::from(source.findings());
    let reader = Reader { target: Target::Whole(message), location: &Location::ROOT, findings: &mut findings };
    if let Err(finding) = source.read_with(reader) {
        findings.push(finding);
    }
    source.locate(&mut findings.list);
    findings
}

/// What a value is decoded into.
enum Target<'m> {
    /// The document.
    Whole(&'m mut dyn Message),
    /// A field, and its index in the message.
    Field(&'m mut dyn Message, &'static Field, usize),
    /// A new element of a list.
    Element(&'static Field, &'m mut Vec<String>),
    /// The value of a new entry of a map.
    Entry(&'static Field, Place<'m>),
}

/// Where the value of a new entry goes.
enum Place<'m> {
    Text(VacantEntry<'m, String, String>),
    Bool(VacantEntry<'m, String, bool>),
    /// The map, and the key.
    Message(&'m mut dyn MessageMap, &'m str),
}

/// Decodes one value; seed and visitor in one.
struct Reader<'m, 'p> {
    target: Target<'m>,
    location: &'p Location<'p>,
    findings: &'m mut Findings,
}

impl<'de> DeserializeSeed<'de> for Reader<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        // `null` leaves a field unset, whatever its kind. The document, an element and an entry cannot be unset.
        if !matches!(self.target, Target::Field(..)) {
            self.unexpected(&Found::Null);
        }
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        match self.target {
            Target::Field(message, _, index) => match message.slot_mut(index) {
                SlotMut::Bool(slot) => *slot = value,
                SlotMut::OptionalBool(slot) => *slot = Some(value),
                _ => Self { target: Target::field(message, index), ..self }.unexpected(&Found::Boolean(value)),
            },
            Target::Entry(_, Place::Bool(place)) => {
                place.insert(value);
            }
            _ => self.unexpected(&Found::Boolean(value)),
        }
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        match self.target.kind() {
            Some(Kind::Integer | Kind::Enum(_)) => match i32::try_from(number) {
                Ok(number) => self.integer(number),
                Err(_) => self.unexpected(&Found::Number(number.to_string())),
            },
            #[expect(clippy::cast_precision_loss, reason = "the field is a double")]
            Some(Kind::Double) => self.double(number as f64),
            _ => self.unexpected(&Found::Number(number.to_string())),
        }
        Ok(())
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<(), E> {
        match (i64::try_from(number), self.target.kind()) {
            (Ok(number), _) => return self.visit_i64(number),
            #[expect(clippy::cast_precision_loss, reason = "the field is a double")]
            (Err(_), Some(Kind::Double)) => self.double(number as f64),
            (Err(_), _) => self.unexpected(&Found::Number(number.to_string())),
        }
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        match self.target.kind() {
            Some(Kind::Double) => self.double(number),
            Some(Kind::Integer | Kind::Enum(_)) => match whole(number) {
                Some(number) => self.integer(number),
                None => self.unexpected(&Found::Number(number.to_string())),
            },
            _ => self.unexpected(&Found::Number(number.to_string())),
        }
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.text(Cow::Borrowed(text));
        Ok(())
    }

    fn visit_string<E>(self, text: String) -> Result<(), E> {
        self.text(Cow::Owned(text));
        Ok(())
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<(), E> {
        self.unexpected(&Found::Binary);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        let mut index = 0;
        if let Target::Field(message, field, at) = &mut self.target
            && let SlotMut::Texts(texts) = message.slot_mut(*at)
        {
            loop {
                let location = self.location.child(StepRef::Index, index);
                let target = Target::Element(field, texts);
                let reader = Reader { target, location: &location, findings: self.findings };
                if seq.next_element_seed(reader)?.is_none() {
                    return Ok(());
                }
                index += 1;
            }
        }
        self.unexpected(&Found::List);
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let Self { target, location, findings } = self;
        match target {
            Target::Whole(message) => members(message, map, location, findings),
            Target::Field(message, field, index) => match (field.label, field.kind) {
                (Label::Optional, Kind::Message(_)) => {
                    let SlotMut::Message(inner) = message.slot_mut(index) else {
                        unreachable!("the kind is a message")
                    };
                    members(inner, map, location, findings)
                }
                (Label::Map, _) => entries(message, field, index, map, location, findings),
                _ => {
                    Reader { target: Target::Field(message, field, index), location, findings }
                        .unexpected(&Found::Object);
                    ignore(map)
                }
            },
            Target::Entry(_, Place::Message(messages, key)) => {
                members(messages.entry(key.to_owned()), map, location, findings)
            }
            target => {
                Reader { target, location, findings }.unexpected(&Found::Object);
                ignore(map)
            }
        }
    }
}

fn ignore<'de, A: MapAccess<'de>>(mut map: A) -> Result<(), A::Error> {
    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}

/// Decodes the members of an object into the fields of a message.
fn members<'de, A: MapAccess<'de>>(
    message: &mut dyn Message,
    mut map: A,
    location: &Location<'_>,
    findings: &mut Findings,
) -> Result<(), A::Error> {
    let descriptor = message.descriptor();
    let mut seen = vec![false; descriptor.fields.len()];
    let mut ordinal = 0;
    while let Some(Name(name)) = map.next_key()? {
        if let Some(index) = descriptor.index_of(&name) {
            let field = &descriptor.fields[index];
            let location = location.child(StepRef::Field(field.name, field.json_name), ordinal);
            if std::mem::replace(&mut seen[index], true) {
                let hint = format!("`{}` and `{}` are the same field; keep one of them", field.name, field.json_name);
                let finding = Finding::here(&rules::DUPLICATE_FIELD, &location, Problem::Duplicate);
                findings.push(if field.name == field.json_name { finding } else { finding.hint(hint) });
                map.next_value::<IgnoredAny>()?;
            } else {
                let target = Target::Field(message, field, index);
                map.next_value_seed(Reader { target, location: &location, findings })?;
            }
        } else {
            let location = location.child(StepRef::Unknown(&name), ordinal);
            unknown(descriptor, &name, &location, findings);
            map.next_value::<IgnoredAny>()?;
        }
        ordinal += 1;
    }
    Ok(())
}

/// Decodes the members of an object into the entries of a map.
fn entries<'de, A: MapAccess<'de>>(
    message: &mut dyn Message,
    field: &'static Field,
    index: usize,
    mut map: A,
    location: &Location<'_>,
    findings: &mut Findings,
) -> Result<(), A::Error> {
    let mut ordinal = 0;
    while let Some(Name(key)) = map.next_key()? {
        let location = location.child(StepRef::Key(&key), ordinal);
        ordinal += 1;
        let place = match message.slot_mut(index) {
            SlotMut::TextMap(map) => vacant(map, &key).map(Place::Text),
            SlotMut::BoolMap(map) => vacant(map, &key).map(Place::Bool),
            SlotMut::MessageMap(map) if map.has(&key) => None,
            SlotMut::MessageMap(map) => Some(Place::Message(map, &key)),
            _ => unreachable!("the label is a map"),
        };
        if let Some(place) = place {
            map.next_value_seed(Reader { target: Target::Entry(field, place), location: &location, findings })?;
        } else {
            findings.push(Finding::here(&rules::DUPLICATE_FIELD, &location, Problem::Duplicate));
            map.next_value::<IgnoredAny>()?;
        }
    }
    Ok(())
}

/// Returns the place of a new entry; `None` if the map contains the key.
fn vacant<'m, V>(map: &'m mut BTreeMap<String, V>, key: &str) -> Option<VacantEntry<'m, String, V>> {
    match map.entry(key.to_owned()) {
        Entry::Vacant(place) => Some(place),
        Entry::Occupied(_) => None,
    }
}

fn unknown(descriptor: &'static Descriptor, name: &str, location: &Location<'_>, findings: &mut Findings) {
    if descriptor.removed.contains(&name) {
        findings.push(Finding::here(&rules::REMOVED_FIELD, location, Problem::RemovedField));
        return;
    }
    let problem = Problem::UnknownField(descriptor.name);
    findings.unknown_field(name, descriptor.spellings(), |rule| Finding::here(rule, location, problem));
}

impl Target<'_> {
    fn field(message: &mut dyn Message, index: usize) -> Target<'_> {
        let field = &message.descriptor().fields[index];
        Target::Field(message, field, index)
    }

    /// Returns the kind of a scalar; `None` if only a list or an object fits.
    fn kind(&self) -> Option<Kind> {
        match self {
            Self::Field(_, field, _) if matches!(field.label, Label::Singular | Label::Optional) => Some(field.kind),
            Self::Element(field, _) | Self::Entry(field, ..) => Some(field.kind),
            Self::Whole(_) | Self::Field(..) => None,
        }
    }

    fn descriptor(&self) -> Option<&'static Field> {
        match self {
            Self::Whole(_) => None,
            Self::Field(_, field, _) | Self::Element(field, _) | Self::Entry(field, ..) => Some(field),
        }
    }
}

impl Reader<'_, '_> {
    fn text(self, text: Cow<'_, str>) {
        match self.target {
            Target::Field(message, field, index) => match message.slot_mut(index) {
                SlotMut::Text(slot) => *slot = text.into_owned(),
                SlotMut::OptionalText(slot) => *slot = Some(text.into_owned()),
                _ => {
                    let reader = Self { target: Target::Field(message, field, index), ..self };
                    reader.string_for_another_kind(field, &text);
                }
            },
            Target::Element(_, texts) => texts.push(text.into_owned()),
            Target::Entry(_, Place::Text(place)) => {
                place.insert(text.into_owned());
            }
            _ => self.unexpected(&Found::String(text.to_string())),
        }
    }

    /// Decodes a string into a field that is not a string: the JSON mapping allows numbers and enum names.
    fn string_for_another_kind(self, field: &'static Field, text: &str) {
        match (field.label, field.kind) {
            (Label::Singular | Label::Optional, Kind::Integer) => match number(text).and_then(whole) {
                Some(number) => self.integer(number),
                None => self.unexpected(&Found::String(text.to_string())),
            },
            (Label::Singular | Label::Optional, Kind::Double) => match text {
                "NaN" => self.double(f64::NAN),
                "Infinity" => self.double(f64::INFINITY),
                "-Infinity" => self.double(f64::NEG_INFINITY),
                _ => match number(text) {
                    Some(number) => self.double(number),
                    None => self.unexpected(&Found::String(text.to_string())),
                },
            },
            (Label::Singular, Kind::Enum(names)) => {
                if let Some(number) = names.number(text) {
                    self.integer(number);
                } else {
                    let problem = Problem::UnknownName(text.to_owned());
                    let finding = Finding::here(&rules::UNKNOWN_VALUE, self.location, problem);
                    let meant = nearest(text, names.values.iter().map(|value| value.name));
                    self.findings.push(match meant {
                        Some(meant) => finding.hint(format!("did you mean `{meant}`?")),
                        None => finding.hint(format!("the values of {} are {}", names.name, listed(names.values))),
                    });
                }
            }
            _ => self.unexpected(&Found::String(text.to_string())),
        }
    }

    fn integer(self, number: i32) {
        if let Target::Field(message, field, index) = self.target {
            match message.slot_mut(index) {
                SlotMut::Integer(slot) | SlotMut::Enum(slot) => *slot = number,
                SlotMut::OptionalInteger(slot) => *slot = Some(number),
                _ => Self { target: Target::Field(message, field, index), ..self }
                    .unexpected(&Found::Number(number.to_string())),
            }
        } else {
            self.unexpected(&Found::Number(number.to_string()));
        }
    }

    fn double(self, number: f64) {
        if let Target::Field(message, field, index) = self.target {
            match message.slot_mut(index) {
                SlotMut::OptionalDouble(slot) => *slot = Some(number),
                _ => Self { target: Target::Field(message, field, index), ..self }
                    .unexpected(&Found::Number(number.to_string())),
            }
        } else {
            self.unexpected(&Found::Number(number.to_string()));
        }
    }

    fn unexpected(self, found: &Found) {
        let expected = expected(&self.target);
        let shown = match self.target.descriptor() {
            Some(field) if field.secret => found.secret(),
            // A text in place of an object may be its secret: the colon is missing, or the indentation.
            Some(field) if matches!(field.kind, Kind::Message(_)) => found.kind().to_owned(),
            Some(_) => found.to_string(),
            // A document that is no object may be a secret as a whole.
            None => found.kind().to_owned(),
        };
        let problem = Problem::Unexpected { expected: expected.into(), found: shown };
        let finding = Finding::here(&rules::WRONG_TYPE, self.location, problem);
        self.findings.push(if expected == STRING && found.is_number() { finding.hint(QUOTE) } else { finding });
    }
}

fn expected(target: &Target<'_>) -> &'static str {
    let Some(field) = target.descriptor() else { return "an object" };
    match (target, field.label, field.kind) {
        (Target::Field(..), Label::Repeated, _) => "a list",
        (Target::Field(..), Label::Map, _) | (_, _, Kind::Message(_)) => "an object",
        (_, _, Kind::Text) => STRING,
        (_, _, Kind::Bool) => "`true` or `false`",
        (_, _, Kind::Integer) => "a 32-bit integer",
        (_, _, Kind::Double) => "a number",
        (_, _, Kind::Enum(_)) => "the name of an enum value",
    }
}

fn listed(values: &[super::message::EnumValue]) -> String {
    values.iter().map(|value| format!("`{}`", value.name)).collect::<Vec<_>>().join(", ")
}

/// Parses a number in a string: what JSON accepts, without whitespace around it.
fn number(text: &str) -> Option<f64> {
    let is_visible = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii_whitespace());
    let bytes = text.as_bytes();
    if is_visible(bytes.first()) && is_visible(bytes.last()) { serde_json::from_str(text).ok() } else { None }
}

/// Returns a number as an integer; `None` if it has a fraction or does not fit into 32 bits.
fn whole(number: f64) -> Option<i32> {
    let in_range = f64::from(i32::MIN) <= number && number <= f64::from(i32::MAX);
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked, and there is no fraction")]
    (in_range && number.fract() == 0.0).then_some(number as i32)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::configuration::Configuration;

    const CANARY: &str = "x1y2z3.0a1b2c3d4e5f6g7h";

    /// The paths of all secret fields.
    fn secrets(descriptor: &'static Descriptor, path: &[&'static str], found: &mut Vec<Vec<&'static str>>) {
        for field in descriptor.fields {
            let path = [path, &[field.name]].concat();
            match field.kind {
                Kind::Message(inner) if field.label == Label::Optional => secrets(inner, &path, found),
                _ if field.secret => found.push(path),
                _ => {}
            }
        }
    }

    fn assert_hidden(document: &[u8]) {
        let source = Source::new(document).expect("the syntax is valid");
        let report = Configuration::from_source(&source).expect_err("the type is wrong");
        for text in [report.to_string(), format!("{report:?}"), format!("{report:#?}"), format!("{source:?}")] {
            assert!(!text.contains(&CANARY[..6]) && !text.contains("123456"), "{text}");
        }
    }

    #[test]
    fn a_document_that_is_only_a_token_is_not_shown() {
        for document in [
            format!("\"{CANARY}\""),
            CANARY.to_owned(),
            format!("\u{feff}{CANARY}"),
            format!("[\"{CANARY}\"]"),
            format!("- {CANARY}\n"),
            "123456.123456".to_owned(),
            "\"123456.123456\"".to_owned(),
        ] {
            assert_hidden(document.as_bytes());
        }
    }

    #[test]
    fn the_value_of_a_secret_field_with_a_wrong_type_is_not_shown() {
        let mut paths = Vec::new();
        secrets(Configuration::default().descriptor(), &[], &mut paths);
        assert_eq!(paths.len(), 6, "the contract has six secrets");
        for path in paths {
            for value in [json!([CANARY]), json!({CANARY: CANARY}), json!(123_456), json!(123_456.5)] {
                let document = path.iter().rev().fold(value, |inner, name| json!({*name: inner}));
                assert_hidden(document.to_string().as_bytes());
                // The same in YAML, which writes the last value as a plain scalar.
                let yaml = path.iter().fold(String::new(), |outer, name| format!("{outer}{name}: {{"));
                let Value::Number(number) = path.iter().fold(document, |outer, name| outer[name].clone()) else {
                    continue;
                };
                let yaml = yaml.trim_end_matches('{').to_owned() + &number.to_string() + &"}".repeat(path.len() - 1);
                assert_hidden(yaml.as_bytes());
            }
        }
    }
}
