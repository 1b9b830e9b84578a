//! Access to the fields of a Configuration by path, so that a check is a table of paths and rules.
//!
//! Paths are looked up when the program is compiled; the location of a value is only built for a finding.

use std::borrow::Cow;
use std::collections::{HashMap, btree_map};
use std::iter::Enumerate;
use std::slice;

use super::Today;
use crate::catalogue::REDACTED;
use crate::configuration::{Configuration, FieldPath, Message, Slot, Version};
use crate::document::{DocPath, Finding, Rule, Step};

/// Looks up the path of a field: in the Configuration, or in another message.
macro_rules! field {
    ($path:literal) => {
        const { &$crate::configuration::FieldPath::of($path) }
    };
    ($message:ident, $path:expr) => {
        const { &$crate::configuration::FieldPath::below($crate::configuration::$message::descriptor(), $path) }
    };
}
pub(super) use field;

/// The input of the checks.
pub(super) struct Context<'c> {
    pub(super) configuration: &'c Configuration,
    /// The version of Kubernetes, if it is valid.
    pub(super) kubernetes: Option<Version<'c>>,
    pub(super) today: Option<Today>,
    root: MessageAt<'c>,
    /// The flags of the kubelet, each as its last spelling on the command line has it: its key and value, by the name with dashes.
    flags: HashMap<Cow<'c, str>, (&'c str, &'c str)>,
}

impl<'c> Context<'c> {
    pub(super) fn new(configuration: &'c Configuration, today: Option<Today>) -> Self {
        let root = MessageAt { message: configuration, path: DocPath::root() };
        let flags = configuration.kubelet_config.iter().flat_map(|kubelet| &kubelet.kubelet_flags);
        let flags = flags.map(|(key, value)| (with_dashes(key), (key.as_str(), unquoted(value)))).collect();
        Self { configuration, kubernetes: configuration.kubernetes(), today, root, flags }
    }

    /// As [`MessageAt::texts`].
    pub(super) fn texts(&self, field: &'static FieldPath) -> Texts<'_> {
        self.root.texts(field)
    }

    /// Returns the value of a field that is one string; `None` if it is empty.
    pub(super) fn text(&self, field: &'static FieldPath) -> Option<Text<'_>> {
        self.texts(field).next()
    }

    /// As [`MessageAt::number`].
    pub(super) fn number(&self, field: &'static FieldPath) -> Option<Number<'_>> {
        self.root.number(field)
    }

    /// Returns the flags of the kubelet. Its command line is in a unit, and systemd removes quotes around a word.
    pub(super) fn flags(&self) -> impl Iterator<Item = Text<'_>> {
        self.texts(field!("kubelet_config.kubelet_flags")).map(|flag| Text { value: unquoted(flag.value), ..flag })
    }

    /// Returns a flag of the kubelet, which reads `_` in a name as `-`. Of two spellings the last one on the command line counts.
    pub(super) fn flag(&self, name: &str) -> Option<Text<'_>> {
        let (key, value) = *self.flags.get(name)?;
        let field = field!("kubelet_config.kubelet_flags");
        Some(Text { value, message: &self.root, field, element: Element::Key(key) })
    }
}

/// Returns the name of a flag as the kubelet reads it.
pub(super) fn with_dashes(name: &str) -> Cow<'_, str> {
    if name.contains('_') { Cow::Owned(name.replace('_', "-")) } else { Cow::Borrowed(name) }
}

/// Returns a word without the quotes around it. One with whitespace stays as it is, because scripts split the line too.
fn unquoted(value: &str) -> &str {
    let inside = |quote| value.strip_prefix(quote)?.strip_suffix(quote).filter(|inside| !inside.contains(quote));
    inside('"').or_else(|| inside('\'')).filter(|inside| !inside.contains(char::is_whitespace)).unwrap_or(value)
}

/// Returns the location of a field of the Configuration.
pub(crate) fn at(field: &FieldPath) -> DocPath {
    field.location(&DocPath::root(), Configuration::descriptor())
}

/// A message of the document.
pub(super) struct MessageAt<'c> {
    pub(super) message: &'c dyn Message,
    pub(super) path: DocPath,
}

impl MessageAt<'_> {
    /// Returns the path of a field of this message.
    pub(super) fn at(&self, field: &FieldPath) -> DocPath {
        field.location(&self.path, self.message.descriptor())
    }

    /// Returns the strings of a field of this message: the value unless it is empty, or all elements or entries.
    pub(super) fn texts(&self, field: &'static FieldPath) -> Texts<'_> {
        let rest = match field.slot(self.message) {
            Some(Slot::Text(text) | Slot::OptionalText(Some(text))) if !text.is_empty() => Rest::Whole(text),
            Some(Slot::Texts(texts)) => Rest::Elements(texts.iter().enumerate()),
            Some(Slot::TextMap(map)) => Rest::Entries(map.iter()),
            _ => Rest::None,
        };
        Texts { message: self, field, rest }
    }

    /// Returns the number in a field of this message; `None` if it is unset.
    pub(super) fn number(&self, field: &'static FieldPath) -> Option<Number<'_>> {
        let value = match field.slot(self.message)? {
            Slot::Integer(value) if value != 0 => value,
            Slot::OptionalInteger(value) => value?,
            _ => return None,
        };
        Some(Number { message: self, field, value })
    }
}

/// The strings of a field, in order.
pub(super) struct Texts<'c> {
    message: &'c MessageAt<'c>,
    field: &'static FieldPath,
    rest: Rest<'c>,
}

enum Rest<'c> {
    None,
    Whole(&'c str),
    Elements(Enumerate<slice::Iter<'c, String>>),
    Entries(btree_map::Iter<'c, String, String>),
}

impl<'c> Iterator for Texts<'c> {
    type Item = Text<'c>;

    fn next(&mut self) -> Option<Text<'c>> {
        let (element, value) = match &mut self.rest {
            Rest::None => return None,
            Rest::Whole(text) => {
                let text = *text;
                self.rest = Rest::None;
                (Element::Whole, text)
            }
            Rest::Elements(texts) => texts.next().map(|(at, text)| (Element::Index(at), text.as_str()))?,
            Rest::Entries(map) => map.next().map(|(key, text)| (Element::Key(key), text.as_str()))?,
        };
        Some(Text { message: self.message, field: self.field, element, value })
    }
}

/// A field, a predicate that its strings must satisfy, and a description of the predicate for messages.
pub(super) type TextRule = (&'static FieldPath, fn(&str) -> bool, &'static str);

/// A string and its location.
#[derive(Clone, Copy)]
pub(super) struct Text<'c> {
    pub(super) value: &'c str,
    message: &'c MessageAt<'c>,
    field: &'static FieldPath,
    element: Element<'c>,
}

/// The place of a string in its field.
#[derive(Clone, Copy)]
enum Element<'c> {
    Whole,
    Index(usize),
    Key(&'c str),
}

impl<'c> Text<'c> {
    pub(super) fn path(&self) -> DocPath {
        let mut path = self.message.at(self.field);
        match self.element {
            Element::Whole => {}
            Element::Index(index) => path.0.push(Step::Index(index)),
            Element::Key(key) => path.0.push(Step::Key(key.to_owned())),
        }
        path
    }

    /// Returns a finding that shows the string, unless the field is secret.
    pub(super) fn must_be(&self, rule: &'static Rule, expected: &'static str) -> Finding {
        let found = if self.field.field.secret { REDACTED.to_owned() } else { quoted(self.value) };
        Finding::unexpected(rule, self.path(), expected, found)
    }

    /// Returns a finding that describes the string instead of showing it.
    pub(super) fn must_contain(&self, rule: &'static Rule, expected: &'static str, found: &str) -> Finding {
        Finding::unexpected(rule, self.path(), expected, found)
    }

    /// Returns the key if the string is the value of a map entry.
    pub(super) fn key(&self) -> Option<&'c str> {
        match self.element {
            Element::Key(key) => Some(key),
            _ => None,
        }
    }

    pub(super) fn is_in(&self, words: &[&str]) -> bool {
        words.contains(&self.value)
    }
}

/// A number and its location.
pub(super) struct Number<'c> {
    pub(super) value: i32,
    message: &'c MessageAt<'c>,
    field: &'static FieldPath,
}

impl Number<'_> {
    pub(super) fn path(&self) -> DocPath {
        self.message.at(self.field)
    }

    /// Returns a finding that shows the number.
    pub(super) fn must_be(&self, rule: &'static Rule, expected: impl Into<String>) -> Finding {
        Finding::unexpected(rule, self.path(), expected.into(), self.value.to_string())
    }
}

/// Returns a string as findings show it: in quotes, with control characters escaped.
pub(super) fn quoted(text: &str) -> String {
    format!("{text:?}")
}
