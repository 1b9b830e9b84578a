//! Reflection over the generated messages: their fields, and access to the values.
//!
//! Decoder, encoder, schema, checks and redacted debug output all use it, so a field that is added to `proto/` appears in
//! all of them.

use std::collections::BTreeMap;

/// The description of a message.
#[derive(Debug)]
pub struct Descriptor {
    /// Name without the package.
    pub name: &'static str,
    /// The comment above the message in the contract, on one line.
    pub doc: &'static str,
    /// In declaration order, which is the order of JSON output.
    pub fields: &'static [Field],
    /// Names of fields of earlier versions of the contract. Their values are ignored.
    pub removed: &'static [&'static str],
}

impl Descriptor {
    /// Returns the index of the field with a spelling. Letter case matters.
    #[must_use]
    pub fn index_of(&self, spelling: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == spelling || field.json_name == spelling)
    }

    /// Returns both spellings of every field.
    pub fn spellings(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.fields.iter().flat_map(|field| [field.name, field.json_name])
    }
}

/// The description of a field.
#[derive(Debug)]
pub struct Field {
    /// The name in the contract, `snake_case`.
    pub name: &'static str,
    /// The other spelling, usually `lowerCamelCase`.
    pub json_name: &'static str,
    /// The comment above the field in the contract, on one line.
    pub doc: &'static str,
    /// The kind of a single value.
    pub kind: Kind,
    /// The number of values, and whether unset differs from the zero value.
    pub label: Label,
    /// Marked `debug_redact` in the contract: the value is not shown.
    pub secret: bool,
}

/// The kind of a single value of a field.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A string.
    Text,
    /// A boolean.
    Bool,
    /// A 32-bit signed integer.
    Integer,
    /// A 64-bit floating-point number.
    Double,
    /// An enum.
    Enum(&'static EnumDescriptor),
    /// A message.
    Message(&'static Descriptor),
}

/// The number of values of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// One. Unset means the zero value.
    Singular,
    /// One or none. Unset differs from the zero value. Fields that are messages always have this label.
    Optional,
    /// A list.
    Repeated,
    /// A map with strings as keys, in byte order of the keys.
    Map,
}

/// The description of an enum.
#[derive(Debug)]
pub struct EnumDescriptor {
    /// Name without the package.
    pub name: &'static str,
    /// In declaration order.
    pub values: &'static [EnumValue],
}

/// A value of an enum.
#[derive(Debug)]
pub struct EnumValue {
    /// The name in JSON.
    pub name: &'static str,
    /// The number in protobuf.
    pub number: i32,
    /// The comment above the value in the contract, on one line. Empty if there is none.
    pub doc: &'static str,
}

impl EnumDescriptor {
    /// Returns the number of a name. Letter case matters.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<i32> {
        self.values.iter().find(|value| value.name == name).map(|value| value.number)
    }

    /// Returns the name of a number.
    #[must_use]
    pub fn name(&self, number: i32) -> Option<&'static str> {
        self.values.iter().find(|value| value.number == number).map(|value| value.name)
    }
}

/// A message of the contract.
pub trait Message {
    /// Returns the description of the message.
    fn descriptor(&self) -> &'static Descriptor;
    /// Returns the value of the field at `index` of [`Descriptor::fields`].
    fn slot(&self, index: usize) -> Slot<'_>;
    /// Returns the same value for writing. An absent message is created.
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_>;
}

/// The value of a field.
#[derive(Clone, Copy)]
#[expect(missing_docs, reason = "the name of each variant is its kind and label")]
pub enum Slot<'a> {
    Text(&'a str),
    OptionalText(Option<&'a str>),
    Bool(bool),
    OptionalBool(Option<bool>),
    Integer(i32),
    OptionalInteger(Option<i32>),
    OptionalDouble(Option<f64>),
    Enum(i32),
    Texts(&'a [String]),
    TextMap(&'a BTreeMap<String, String>),
    BoolMap(&'a BTreeMap<String, bool>),
    Message(Option<&'a dyn Message>),
    MessageMap(&'a dyn MessageMap),
}

/// The value of a field, for writing.
#[expect(missing_docs, reason = "the name of each variant is its kind and label")]
pub enum SlotMut<'a> {
    Text(&'a mut String),
    OptionalText(&'a mut Option<String>),
    Bool(&'a mut bool),
    OptionalBool(&'a mut Option<bool>),
    Integer(&'a mut i32),
    OptionalInteger(&'a mut Option<i32>),
    OptionalDouble(&'a mut Option<f64>),
    Enum(&'a mut i32),
    Texts(&'a mut Vec<String>),
    TextMap(&'a mut BTreeMap<String, String>),
    BoolMap(&'a mut BTreeMap<String, bool>),
    Message(&'a mut dyn Message),
    MessageMap(&'a mut dyn MessageMap),
}

/// A map from strings to messages of any type.
pub trait MessageMap {
    /// Returns the entries in byte order of their keys.
    fn entries(&self) -> Box<dyn Iterator<Item = (&str, &dyn Message)> + '_>;
    /// Reports whether the map contains `key`.
    fn has(&self, key: &str) -> bool;
    /// Returns the message at `key`, which is created if it is absent.
    fn entry(&mut self, key: String) -> &mut dyn Message;
}

impl<M: Message + Default> MessageMap for BTreeMap<String, M> {
    fn entries(&self) -> Box<dyn Iterator<Item = (&str, &dyn Message)> + '_> {
        Box::new(self.iter().map(|(key, message)| (key.as_str(), message as &dyn Message)))
    }

    fn has(&self, key: &str) -> bool {
        self.contains_key(key)
    }

    fn entry(&mut self, key: String) -> &mut dyn Message {
        BTreeMap::entry(self, key).or_default()
    }
}

impl Slot<'_> {
    /// Reports whether the field is left out of output: it is absent, or has the zero value where that means unset.
    #[must_use]
    pub fn is_unset(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::OptionalText(text) => text.is_none(),
            Self::Bool(value) => !value,
            Self::OptionalBool(value) => value.is_none(),
            Self::Integer(value) | Self::Enum(value) => *value == 0,
            Self::OptionalInteger(value) => value.is_none(),
            Self::OptionalDouble(value) => value.is_none(),
            Self::Texts(texts) => texts.is_empty(),
            Self::TextMap(map) => map.is_empty(),
            Self::BoolMap(map) => map.is_empty(),
            Self::Message(message) => message.is_none(),
            Self::MessageMap(map) => map.entries().next().is_none(),
        }
    }
}
