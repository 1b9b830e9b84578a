//! Decodes a document into a message by the rules of the proto3 JSON mapping. Unknown fields are ignored.
//!
//! A wrong value adds a finding and decoding continues, so that one pass finds all of them. Only broken syntax stops
//! it.

use std::borrow::Cow;
use std::collections::HashSet;

use super::message::{Descriptor, EnumDescriptor, Field, Kind, Label, Message, SlotMut};
use crate::catalogue::field_sources::placeholder_in;
use crate::document::{
    Finding, Findings, Location, ParsedTree, Problem, QUOTE, STRING, Severity, Source, StepRef, Tree, Wanted,
    is_misspelled, nearest, rules,
};

/// The members of an object.
type Members<'s> = [(Cow<'s, str>, ParsedTree<'s>)];

/// Decodes a whole document into a message. Returns a warning for everything that was ignored.
pub(super) fn read(source: &Source<'_>, message: &mut dyn Message) -> Findings {
    let mut decoder = Decoder { findings: Findings::from(source.findings()) };
    let (tree, broken) = source.parsed(Fields::Of(message.descriptor()));
    match &*tree {
        Tree::Map(members) => decoder.members(message, members, &Location::ROOT),
        _ if broken.is_some() => {}
        // A document that is not an object may be a secret.
        other => decoder.wrong_type("an object", other.kind().to_owned(), &Location::ROOT),
    }
    decoder.findings.list.extend(broken);
    source.locate(&mut decoder.findings.list);
    decoder.findings
}

/// The members of a document that are decoded.
#[derive(Clone, Copy)]
enum Fields {
    /// The fields of a message.
    Of(&'static Descriptor),
    /// Any name, for an entry that is a message.
    Each(&'static Descriptor),
    All,
}

impl Wanted for Fields {
    fn member(self, name: &str) -> Option<Self> {
        match self {
            Self::All => Some(Self::All),
            Self::Each(message) => Some(Self::Of(message)),
            Self::Of(message) => {
                let field = &message.fields[message.index_of(name)?];
                Some(match (field.kind, field.label) {
                    (Kind::Message(inner), Label::Map) => Self::Each(inner),
                    (Kind::Message(inner), _) => Self::Of(inner),
                    _ => Self::All,
                })
            }
        }
    }
}

struct Decoder {
    findings: Findings,
}

impl Decoder {
    /// Decodes the members of an object into the fields of a message.
    fn members(&mut self, message: &mut dyn Message, members: &Members<'_>, location: &Location<'_>) {
        let descriptor = message.descriptor();
        let mut seen = 0_u64;
        for (ordinal, (name, value)) in members.iter().enumerate() {
            let Some(index) = descriptor.index_of(name) else {
                self.unknown(descriptor, name, &location.child(StepRef::Unknown(name), ordinal));
                continue;
            };
            let field = &descriptor.fields[index];
            let location = location.child(StepRef::Field(field.name, field.json_name), ordinal);
            if seen & (1 << index) == 0 {
                seen |= 1 << index;
                self.field(message, index, value, &location);
            } else {
                let hint = format!("`{}` and `{}` are the same field; keep one of them", field.name, field.json_name);
                let finding = Finding::here(&rules::DUPLICATE_FIELD, &location, Problem::Duplicate);
                self.findings.push(if field.name == field.json_name { finding } else { finding.hint(hint) });
            }
        }
    }

    /// Decodes a value into a field.
    fn field(&mut self, message: &mut dyn Message, index: usize, value: &ParsedTree<'_>, location: &Location<'_>) {
        let field = &message.descriptor().fields[index];
        // `null` leaves a field of any kind unset.
        if *value == Tree::Null {
            return;
        }
        match (message.slot_mut(index), value) {
            (SlotMut::Text(slot), Tree::Text(text)) => text.as_ref().clone_into(slot),
            (SlotMut::OptionalText(slot), Tree::Text(text)) => *slot = Some(text.clone().into_owned()),
            (SlotMut::Bool(slot), Tree::Bool(value)) => *slot = *value,
            (SlotMut::OptionalBool(slot), Tree::Bool(value)) => *slot = Some(*value),
            (SlotMut::OptionalInteger(slot), value) => match integer(value) {
                Some(number) => *slot = Some(number),
                None => self.unexpected(field, value, location),
            },
            (SlotMut::OptionalDouble(slot), value) => match double(value) {
                Some(number) => *slot = Some(number),
                None => self.unexpected(field, value, location),
            },
            (SlotMut::Enum(slot), Tree::Text(name)) => self.enum_name(slot, field, name, location),
            (SlotMut::Integer(slot) | SlotMut::Enum(slot), value) => match integer(value) {
                Some(number) => *slot = number,
                None => self.unexpected(field, value, location),
            },
            (SlotMut::Message(inner), Tree::Map(members)) => self.members(inner, members, location),
            (SlotMut::Texts(texts), Tree::List(list)) => {
                for (at, element) in list.iter().enumerate() {
                    match element {
                        Tree::Text(text) => texts.push(text.clone().into_owned()),
                        other => self.unexpected_inside(field, other, &location.child(StepRef::Index, at)),
                    }
                }
            }
            (SlotMut::TextMap(map), Tree::Map(entries)) => {
                self.entries(entries, location, |decoder, key, value, location| match value {
                    Tree::Text(text) => drop(map.insert(key.to_owned(), text.clone().into_owned())),
                    other => decoder.unexpected_inside(field, other, location),
                });
            }
            (SlotMut::BoolMap(map), Tree::Map(entries)) => {
                self.entries(entries, location, |decoder, key, value, location| match value {
                    Tree::Bool(value) => drop(map.insert(key.to_owned(), *value)),
                    other => decoder.unexpected_inside(field, other, location),
                });
            }
            (SlotMut::MessageMap(map), Tree::Map(entries)) => {
                self.entries(entries, location, |decoder, key, value, location| match value {
                    Tree::Map(members) => decoder.members(map.entry(key.to_owned()), members, location),
                    other => decoder.unexpected_inside(field, other, location),
                });
            }
            (_, other) => self.unexpected(field, other, location),
        }
    }

    /// Decodes each entry of a map with a function. Of entries with the same key, the first one counts.
    fn entries(
        &mut self,
        entries: &Members<'_>,
        location: &Location<'_>,
        mut decode: impl FnMut(&mut Self, &str, &ParsedTree<'_>, &Location<'_>),
    ) {
        let mut seen = HashSet::with_capacity(entries.len());
        for (ordinal, (key, value)) in entries.iter().enumerate() {
            let location = location.child(StepRef::Key(key), ordinal);
            if seen.insert(key) {
                decode(self, key, value, &location);
            } else {
                self.findings.push(Finding::here(&rules::DUPLICATE_FIELD, &location, Problem::Duplicate));
            }
        }
    }

    fn enum_name(&mut self, slot: &mut i32, field: &Field, name: &str, location: &Location<'_>) {
        let Kind::Enum(names) = field.kind else { unreachable!("the slot is an enum") };
        if let Some(number) = names.number(name) {
            *slot = number;
            return;
        }
        if let Some(source) = placeholder_in(name) {
            let problem = format!("contains the placeholder `<{}>`", source.placeholder);
            let finding = Finding::here(&rules::PLACEHOLDER, location, Problem::Rule(problem.into()));
            // An error only where values are checked, so that every other finding is reported too.
            self.findings.push(finding.severity(Severity::Warning).hint(source.hint()));
            return;
        }
        let known = || names.values.iter().map(|value| value.name);
        let end = format!("_{}", name.to_ascii_uppercase());
        let short = known().find(|known| !name.is_empty() && known.ends_with(&end));
        let short = short.or_else(|| of_aks(names, name));
        let prefix = common_prefix(names);
        let short = short.or_else(|| known().find(|known| is_misspelled(name, [&known[prefix..]])));
        let is_error = short.is_some() || is_misspelled(name, known());
        let rule = if is_error { &rules::MISSPELLED_VALUE } else { &rules::UNKNOWN_VALUE };
        // The severity depends on the reader of the document.
        let finding = Finding::here(rule, location, Problem::UnknownName(name.to_owned()));
        let finding = finding.severity(rules::UNKNOWN_VALUE.severity);
        self.findings.push(match short.or_else(|| nearest(name, known())) {
            Some(meant) => finding.hint(format!("did you mean `{meant}`?")),
            None => finding.hint(format!("the values of {} are {}", names.name, listed(names))),
        });
    }

    fn unknown(&mut self, descriptor: &'static Descriptor, name: &str, location: &Location<'_>) {
        if descriptor.removed.contains(&name) {
            self.findings.push(Finding::here(&rules::REMOVED_FIELD, location, Problem::RemovedField));
            return;
        }
        let problem = Problem::UnknownField(descriptor.name);
        self.findings.unknown_field(name, descriptor.spellings(), |rule| Finding::here(rule, location, problem));
    }

    /// Reports a value that has the wrong type for its field.
    fn unexpected(&mut self, field: &Field, value: &ParsedTree<'_>, location: &Location<'_>) {
        match field.label {
            Label::Repeated => self.wrong_type("a list", shown(field, value), location),
            Label::Map => self.wrong_type("an object", shown(field, value), location),
            Label::Singular | Label::Optional => self.unexpected_inside(field, value, location),
        }
    }

    /// Reports a single value, such as an element, that has the wrong type for its field.
    fn unexpected_inside(&mut self, field: &Field, value: &ParsedTree<'_>, location: &Location<'_>) {
        let expected = match field.kind {
            Kind::Message(_) => "an object",
            Kind::Text => STRING,
            Kind::Bool => "`true` or `false`",
            Kind::Integer => "a 32-bit integer",
            Kind::Double => "a number",
            Kind::Enum(_) => "the name of an enum value",
        };
        self.wrong_type(expected, shown(field, value), location);
        let hint = match (field.kind, value) {
            (Kind::Text, Tree::Integer(_) | Tree::Number(_) | Tree::Bool(_)) => QUOTE.to_owned(),
            (Kind::Bool, Tree::Text(text)) => match text.trim().to_ascii_lowercase().as_str() {
                word @ ("true" | "false") => format!("write `{word}` without quotes"),
                "yes" | "on" | "1" => "write `true`".to_owned(),
                "no" | "off" | "0" => "write `false`".to_owned(),
                _ => return,
            },
            _ => return,
        };
        if let Some(finding) = self.findings.list.last_mut() {
            finding.hint = Some(hint.into());
        }
    }

    fn wrong_type(&mut self, expected: &'static str, found: String, location: &Location<'_>) {
        let problem = Problem::Unexpected { expected: expected.into(), found };
        self.findings.push(Finding::here(&rules::WRONG_TYPE, location, problem));
    }
}

/// Returns the value of a field as messages show it.
fn shown(field: &Field, value: &ParsedTree<'_>) -> String {
    match field.kind {
        // A text instead of an object can contain a secret of the object, if a colon or the indentation is missing.
        Kind::Message(_) if !field.secret => value.kind().to_owned(),
        _ => value.described(field.secret),
    }
}

/// Reads a whole number, which can be in a string.
fn integer(value: &ParsedTree<'_>) -> Option<i32> {
    match value {
        Tree::Integer(number) => i32::try_from(*number).ok(),
        Tree::Number(number) => whole(*number),
        Tree::Text(text) => number(text).and_then(whole),
        _ => None,
    }
}

/// Reads a number, which can be in a string. The JSON mapping has names for numbers that JSON lacks.
fn double(value: &ParsedTree<'_>) -> Option<f64> {
    match value {
        #[expect(clippy::cast_precision_loss, reason = "the field is a double")]
        Tree::Integer(number) => Some(*number as f64),
        Tree::Number(number) => Some(*number),
        Tree::Text(text) => match &**text {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            text => number(text),
        },
        _ => None,
    }
}

/// The words of AKS for values of enums whose names differ: enum, word in lower case and value.
const WORDS_OF_AKS: &[(&str, &str, &str)] = &[
    ("KubeletDisk", "os", "KUBELET_DISK_OS_DISK"),
    ("KubeletDisk", "temporary", "KUBELET_DISK_TEMP_DISK"),
    // Pods of the cluster set up these networks.
    ("NetworkPlugin", "cilium", "NETWORK_PLUGIN_NONE"),
    ("NetworkPlugin", "overlay", "NETWORK_PLUGIN_NONE"),
    ("NetworkPolicy", "cilium", "NETWORK_POLICY_NONE"),
    ("VmType", "availabilityset", "VM_TYPE_STANDARD"),
    ("VmType", "virtualmachines", "VM_TYPE_STANDARD"),
    ("VmType", "virtualmachinescalesets", "VM_TYPE_VMSS"),
];

/// Returns the value of an enum that AKS has another word for.
fn of_aks(names: &EnumDescriptor, word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let row = WORDS_OF_AKS.iter().find(|(message, known, _)| *message == names.name && *known == word)?;
    Some(row.2)
}

/// Returns the length of what all values of an enum begin with: `NETWORK_PLUGIN_`.
fn common_prefix(names: &EnumDescriptor) -> usize {
    let mut values = names.values.iter().map(|value| value.name);
    let first = values.next().unwrap_or_default();
    let common = values.fold(first.len(), |common, value| {
        first.bytes().zip(value.bytes()).take(common).take_while(|(one, other)| one == other).count()
    });
    first[..common].rfind('_').map_or(0, |last| last + 1)
}

fn listed(names: &EnumDescriptor) -> String {
    names.values.iter().map(|value| format!("`{}`", value.name)).collect::<Vec<_>>().join(", ")
}

/// Parses a number in a string: JSON's notation, without whitespace around it.
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
