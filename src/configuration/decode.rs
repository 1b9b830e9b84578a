//! From a document to a message, by the rules of the proto3 JSON mapping that discards what it does not know.
//!
//! One pass, which never stops at a wrong value: it notes a finding and reads on, so that all of them are told at
//! once. Only broken syntax ends it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::message::{Descriptor, Field, Kind, Label, Message, SlotMut};
use crate::document::{Finding, Place, Problem, Severity, Source, Stride, nearest};

/// Reads a whole document into a message. The findings say what was dropped or could not be taken.
pub(super) fn read(source: &Source<'_>, message: &mut dyn Message) -> Vec<Finding> {
    let mut findings = Vec::new();
    let place = Place::ROOT;
    let target = Target::Whole(message);
    if let Err(broken) = source.read(Reader { target, place: &place, findings: &mut findings }) {
        findings.push(broken);
    }
    source.locate(&mut findings);
    findings
}

/// What a value is read into.
enum Target<'m> {
    /// The document.
    Whole(&'m mut dyn Message),
    /// A field, by its index.
    Field(&'m mut dyn Message, &'static Field, usize),
    /// One more element of a list.
    Element(&'static Field, &'m mut Vec<String>),
    /// The value of one more entry of a map.
    Entry(&'static Field, &'m str, SlotMut<'m>),
}

/// Reads one value. Implements both halves of serde, the seed and the visitor.
struct Reader<'m, 'p> {
    target: Target<'m>,
    place: &'p Place<'p>,
    findings: &'m mut Vec<Finding>,
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
        // `null` leaves a field unset, whatever its kind. The document, an element and an entry are no fields.
        if !matches!(self.target, Target::Field(..)) {
            self.unexpected("null");
        }
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        match self.target {
            Target::Field(message, _, index) => match message.slot_mut(index) {
                SlotMut::Bool(slot) => *slot = value,
                SlotMut::OptionalBool(slot) => *slot = Some(value),
                _ => Self { target: Target::field(message, index), ..self }.unexpected(value.to_string()),
            },
            Target::Entry(_, key, SlotMut::BoolMap(map)) => {
                map.insert(key.to_owned(), value);
            }
            _ => self.unexpected(value.to_string()),
        }
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        match self.target.kind() {
            Some(Kind::Integer | Kind::Enum(_)) => match i32::try_from(number) {
                Ok(number) => self.integer(number),
                Err(_) => self.unexpected(number.to_string()),
            },
            #[expect(clippy::cast_precision_loss, reason = "the nearest double is what the field means")]
            Some(Kind::Double) => self.double(number as f64),
            _ => self.unexpected(number.to_string()),
        }
        Ok(())
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<(), E> {
        match (i64::try_from(number), self.target.kind()) {
            (Ok(number), _) => return self.visit_i64(number),
            #[expect(clippy::cast_precision_loss, reason = "the nearest double is what the field means")]
            (Err(_), Some(Kind::Double)) => self.double(number as f64),
            (Err(_), _) => self.unexpected(number.to_string()),
        }
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        match self.target.kind() {
            Some(Kind::Double) => self.double(number),
            Some(Kind::Integer | Kind::Enum(_)) => match whole(number) {
                Some(number) => self.integer(number),
                None => self.unexpected(number.to_string()),
            },
            _ => self.unexpected(number.to_string()),
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
        self.unexpected("binary data");
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        let mut index = 0;
        if let Target::Field(message, field, at) = &mut self.target
            && let SlotMut::Texts(texts) = message.slot_mut(*at)
        {
            loop {
                let place = self.place.child(Stride::Index, index);
                let target = Target::Element(field, texts);
                let reader = Reader { target, place: &place, findings: self.findings };
                if seq.next_element_seed(reader)?.is_none() {
                    return Ok(());
                }
                index += 1;
            }
        }
        self.unexpected("a list");
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let Self { target, place, findings } = self;
        match target {
            Target::Whole(message) => members(message, map, place, findings),
            Target::Field(message, field, index) => match (field.label, field.kind) {
                (Label::Optional, Kind::Message(_)) => {
                    let SlotMut::Message(inner) = message.slot_mut(index) else { unreachable!("the kind says so") };
                    members(inner, map, place, findings)
                }
                (Label::Map, _) => entries(message, field, index, map, place, findings),
                _ => {
                    Reader { target: Target::Field(message, field, index), place, findings }.unexpected("an object");
                    ignore(map)
                }
            },
            Target::Entry(field, key, SlotMut::MessageMap(messages)) => {
                debug_assert!(matches!(field.kind, Kind::Message(_)));
                members(messages.entry(key.to_owned()), map, place, findings)
            }
            target => {
                Reader { target, place, findings }.unexpected("an object");
                ignore(map)
            }
        }
    }
}

fn ignore<'de, A: MapAccess<'de>>(mut map: A) -> Result<(), A::Error> {
    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}

/// The members of an object that is a message.
fn members<'de, A: MapAccess<'de>>(
    message: &mut dyn Message,
    mut map: A,
    place: &Place<'_>,
    findings: &mut Vec<Finding>,
) -> Result<(), A::Error> {
    let descriptor = message.descriptor();
    let mut seen = 0_u64;
    let mut ordinal = 0;
    while let Some(Name(name)) = map.next_key()? {
        if let Some(index) = descriptor.index_of(&name) {
            let field = &descriptor.fields[index];
            let place = place.child(Stride::Field(field.name, field.json_name), ordinal);
            if seen & (1 << index) == 0 {
                seen |= 1 << index;
                map.next_value_seed(Reader { target: Target::Field(message, field, index), place: &place, findings })?;
            } else {
                let hint = "a field answers to both its spellings; keep one of them";
                findings.push(Finding::here(Severity::Error, &place, Problem::Duplicate).hint(hint));
                map.next_value::<IgnoredAny>()?;
            }
        } else {
            let place = place.child(Stride::Unknown(&name), ordinal);
            findings.push(unknown(descriptor, &name, &place));
            map.next_value::<IgnoredAny>()?;
        }
        ordinal += 1;
    }
    Ok(())
}

/// The entries of an object that is a map.
fn entries<'de, A: MapAccess<'de>>(
    message: &mut dyn Message,
    field: &'static Field,
    index: usize,
    mut map: A,
    place: &Place<'_>,
    findings: &mut Vec<Finding>,
) -> Result<(), A::Error> {
    let mut ordinal = 0;
    while let Some(Name(key)) = map.next_key()? {
        let place = place.child(Stride::Key(&key), ordinal);
        ordinal += 1;
        let slot = message.slot_mut(index);
        let known = match &slot {
            SlotMut::TextMap(map) => map.contains_key(&*key),
            SlotMut::BoolMap(map) => map.contains_key(&*key),
            SlotMut::MessageMap(map) => map.has(&key),
            _ => unreachable!("the label says that this is a map"),
        };
        if known {
            findings.push(Finding::here(Severity::Error, &place, Problem::Duplicate));
            map.next_value::<IgnoredAny>()?;
        } else {
            map.next_value_seed(Reader { target: Target::Entry(field, &key, slot), place: &place, findings })?;
        }
    }
    Ok(())
}

fn unknown(descriptor: &'static Descriptor, name: &str, place: &Place<'_>) -> Finding {
    if descriptor.removed.contains(&name) {
        return Finding::here(Severity::Warning, place, Problem::RemovedField);
    }
    let finding = Finding::here(Severity::Warning, place, Problem::UnknownField(descriptor.name));
    match nearest(name, descriptor.spellings.iter().map(|(spelling, _)| *spelling)) {
        Some(meant) => finding.hint(format!("did you mean `{meant}`?")),
        None => finding,
    }
}

impl Target<'_> {
    fn field(message: &mut dyn Message, index: usize) -> Target<'_> {
        let field = &message.descriptor().fields[index];
        Target::Field(message, field, index)
    }

    /// What one value here is; `None` where a scalar cannot stand.
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
                    reader.text_for_another_kind(field, &text);
                }
            },
            Target::Element(_, texts) => texts.push(text.into_owned()),
            Target::Entry(_, key, SlotMut::TextMap(map)) => {
                map.insert(key.to_owned(), text.into_owned());
            }
            _ => self.unexpected(format!("text {text:?}")),
        }
    }

    fn text_for_another_kind(self, field: &'static Field, text: &str) {
        match (field.label, field.kind) {
            (Label::Singular | Label::Optional, Kind::Integer) => match number(text).and_then(whole) {
                Some(number) => self.integer(number),
                None => self.unexpected(format!("text {text:?}")),
            },
            (Label::Singular | Label::Optional, Kind::Double) => match text {
                "NaN" => self.double(f64::NAN),
                "Infinity" => self.double(f64::INFINITY),
                "-Infinity" => self.double(f64::NEG_INFINITY),
                _ => match number(text) {
                    Some(number) => self.double(number),
                    None => self.unexpected(format!("text {text:?}")),
                },
            },
            (Label::Singular, Kind::Enum(names)) => {
                if let Some(number) = names.number(text) {
                    self.integer(number);
                } else {
                    let problem = Problem::UnknownName(text.to_owned());
                    let finding = Finding::here(Severity::Warning, self.place, problem);
                    let meant = nearest(text, names.values.iter().map(|value| value.name));
                    self.findings.push(match meant {
                        Some(meant) => finding.hint(format!("did you mean `{meant}`?")),
                        None => finding.hint(format!("{} knows {}", names.name, listed(names.values))),
                    });
                }
            }
            _ => self.unexpected(format!("text {text:?}")),
        }
    }

    fn integer(self, number: i32) {
        if let Target::Field(message, field, index) = self.target {
            match message.slot_mut(index) {
                SlotMut::Integer(slot) | SlotMut::Enum(slot) => *slot = number,
                SlotMut::OptionalInteger(slot) => *slot = Some(number),
                _ => Self { target: Target::Field(message, field, index), ..self }.unexpected(number.to_string()),
            }
        } else {
            self.unexpected(number.to_string());
        }
    }

    fn double(self, number: f64) {
        if let Target::Field(message, field, index) = self.target {
            match message.slot_mut(index) {
                SlotMut::OptionalDouble(slot) => *slot = Some(number),
                _ => Self { target: Target::Field(message, field, index), ..self }.unexpected(number.to_string()),
            }
        } else {
            self.unexpected(number.to_string());
        }
    }

    fn unexpected(self, found: impl Into<String>) {
        let field = self.target.descriptor();
        let expected = expected(&self.target);
        let found = match field {
            Some(field) if field.secret => "something else (not shown, it is a secret)".to_owned(),
            _ => found.into(),
        };
        let is_number = found.parse::<f64>().is_ok();
        let finding =
            Finding::here(Severity::Error, self.place, Problem::Unexpected { expected: expected.into(), found });
        self.findings.push(if expected == "text" && is_number { finding.hint("put it in quotes") } else { finding });
    }
}

fn expected(target: &Target<'_>) -> &'static str {
    let Some(field) = target.descriptor() else { return "an object" };
    match (target, field.label, field.kind) {
        (Target::Field(..), Label::Repeated, _) => "a list",
        (Target::Field(..), Label::Map, _) | (_, _, Kind::Message(_)) => "an object",
        (_, _, Kind::Text) => "text",
        (_, _, Kind::Bool) => "`true` or `false`",
        (_, _, Kind::Integer) => "a whole number of 32 bits",
        (_, _, Kind::Double) => "a number",
        (_, _, Kind::Enum(_)) => "the name of a value",
    }
}

fn listed(values: &[super::message::EnumValue]) -> String {
    values.iter().map(|value| format!("`{}`", value.name)).collect::<Vec<_>>().join(", ")
}

/// A number written as text: exactly what JSON would take, with nothing around it.
fn number(text: &str) -> Option<f64> {
    let begins_and_ends = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii_whitespace());
    let bytes = text.as_bytes();
    if begins_and_ends(bytes.first()) && begins_and_ends(bytes.last()) { serde_json::from_str(text).ok() } else { None }
}

/// The integer that a number is, in whatever notation it was written.
fn whole(number: f64) -> Option<i32> {
    let in_range = f64::from(i32::MIN) <= number && number <= f64::from(i32::MAX);
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked, and there is no fraction")]
    (in_range && number.fract() == 0.0).then_some(number as i32)
}

/// The name of a member. Borrowed from the document unless it is written with escapes.
struct Name<'de>(Cow<'de, str>);

impl<'de> serde::Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }
            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(name)))
            }
            fn visit_str<E>(self, name: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(name.to_owned())))
            }
            fn visit_string<E>(self, name: String) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(name)))
            }
        }
        deserializer.deserialize_str(Text)
    }
}
