//! Trees of values, into which documents of any type are parsed.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// What a string field expects.
pub(crate) const STRING: &str = "a string";

/// The hint for a number in a string field.
pub(crate) const QUOTE: &str = "put it in quotes";

/// The name of a member, borrowed from the document unless it contains escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Name<'d>(#[serde(borrow)] Cow<'d, str>);

/// A value of any type. Members keep their order, and a name may occur more than once. `T` is the type of its texts.
#[derive(Clone, PartialEq)]
pub(crate) enum Tree<T = String> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer of 64 bits.
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// A string.
    Text(T),
    /// YAML's `!!binary`, decoded.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Tree<T>>),
    /// An object.
    Map(Vec<(T, Tree<T>)>),
}

/// A tree whose texts are borrowed from the document.
pub(crate) type ParsedTree<'t> = Tree<Cow<'t, str>>;

impl<T> Tree<T> {
    /// Returns a number. One that does not fit into 64 bits with a sign is not an integer.
    pub fn unsigned(number: u64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "no field accepts a number that large")]
        i64::try_from(number).map_or(Self::Number(number as f64), Self::Integer)
    }
}

impl ParsedTree<'_> {
    /// Returns the same value, independent of the text that it was parsed from.
    pub fn owned(&self) -> Tree {
        match self {
            Self::Null => Tree::Null,
            Self::Bool(value) => Tree::Bool(*value),
            Self::Integer(number) => Tree::Integer(*number),
            Self::Number(number) => Tree::Number(*number),
            Self::Text(text) => Tree::Text(text.clone().into_owned()),
            Self::Bytes(bytes) => Tree::Bytes(bytes.clone()),
            Self::List(list) => Tree::List(list.iter().map(Self::owned).collect()),
            Self::Map(members) => {
                Tree::Map(members.iter().map(|(name, value)| (name.clone().into_owned(), value.owned())).collect())
            }
        }
    }
}

impl<T: AsRef<str>> Tree<T> {
    /// Returns the value as JSON. Of members with one name, the last one counts.
    pub fn json(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Integer(number) => (*number).into(),
            Self::Number(number) => (*number).into(),
            Self::Text(text) => text.as_ref().into(),
            Self::Bytes(bytes) => String::from_utf8_lossy(bytes).into(),
            Self::List(list) => list.iter().map(Self::json).collect(),
            Self::Map(members) => {
                members.iter().map(|(name, value)| (name.as_ref().to_owned(), value.json())).collect()
            }
        }
    }

    /// Returns the kind of the value, with its article.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) | Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::Bytes(_) => "binary data",
            Self::List(_) => "a list",
            Self::Map(_) => "an object",
        }
    }

    /// Returns the value as messages describe it: a scalar with its content, unless the field is secret.
    pub fn described(&self, is_secret: bool) -> String {
        match self {
            _ if is_secret => format!("{} (not shown: the field is secret)", self.kind()),
            Self::Bool(value) => value.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => format!("{:?}", text.as_ref()),
            Self::Null | Self::Bytes(_) | Self::List(_) | Self::Map(_) => self.kind().to_owned(),
        }
    }
}

/// Shows the shape of the value. The content may be secret.
impl<T: AsRef<str>> fmt::Debug for Tree<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::List(list) => f.debug_list().entries(list).finish(),
            Self::Map(members) => {
                f.debug_map().entries(members.iter().map(|(name, value)| (name.as_ref(), value))).finish()
            }
            scalar => f.write_str(scalar.kind()),
        }
    }
}

/// Decides which members of an object are parsed. The values of others are skipped, and are `null` in the tree.
pub(crate) trait Wanted: Copy {
    /// Returns what to parse of the value of a member; `None` to skip it.
    fn member(self, name: &str) -> Option<Self>;
}

/// Every member.
#[derive(Clone, Copy)]
pub(crate) struct All;

impl Wanted for All {
    fn member(self, _: &str) -> Option<Self> {
        Some(self)
    }
}

/// Parses a value into a tree. If the syntax is broken, the tree keeps what was parsed before.
pub(super) struct TreeSeed<'t, 'de, W>(pub &'t mut ParsedTree<'de>, pub W);

impl<'de, W: Wanted> DeserializeSeed<'de> for TreeSeed<'_, 'de, W> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, W: Wanted> Visitor<'de> for TreeSeed<'_, 'de, W> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        *self.0 = Tree::Bool(value);
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        *self.0 = Tree::Integer(number);
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        *self.0 = Tree::unsigned(number);
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        *self.0 = Tree::Number(number);
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        *self.0 = Tree::Text(text.to_owned().into());
        Ok(())
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        *self.0 = Tree::Text(text.into());
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let mut list = Vec::new();
        let parsed = loop {
            let mut element = Tree::Null;
            match seq.next_element_seed(TreeSeed(&mut element, self.1)) {
                Ok(None) => break Ok(()),
                Ok(Some(())) => list.push(element),
                Err(error) => {
                    list.push(element);
                    break Err(error);
                }
            }
        };
        *self.0 = Tree::List(list);
        parsed
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut members = Vec::new();
        let mut parse = || {
            while let Some(Name(name)) = map.next_key()? {
                let mut value = Tree::Null;
                let parsed = match self.1.member(&name) {
                    Some(wanted) => map.next_value_seed(TreeSeed(&mut value, wanted)),
                    None => map.next_value::<IgnoredAny>().map(drop),
                };
                members.push((name, value));
                parsed?;
            }
            Ok(())
        };
        let parsed = parse();
        *self.0 = Tree::Map(members);
        parsed
    }
}
