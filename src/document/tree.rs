//! Documents of any type.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use super::Found;

/// The name of a member, borrowed from the document unless it contains escapes.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Name<'d>(#[serde(borrow)] pub Cow<'d, str>);

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

impl<T: AsRef<str>> Tree<T> {
    /// Returns the value as messages describe it.
    pub fn found(&self) -> Found {
        match self {
            Self::Null => Found::Null,
            Self::Bool(value) => Found::Boolean(*value),
            Self::Integer(number) => Found::Number(number.to_string()),
            Self::Number(number) => Found::Number(number.to_string()),
            Self::Text(text) => Found::String(text.as_ref().to_owned()),
            Self::Bytes(_) => Found::Binary,
            Self::List(_) => Found::List,
            Self::Map(_) => Found::Object,
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
            scalar => scalar.found().fmt(f),
        }
    }
}

impl<'de, T: From<&'de str> + From<String>> Deserialize<'de> for Tree<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor(PhantomData))
    }
}

struct TreeVisitor<T>(PhantomData<fn() -> T>);

impl<'de, T: From<&'de str> + From<String>> Visitor<'de> for TreeVisitor<T> {
    type Value = Tree<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Tree<T>, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree<T>, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Tree<T>, E> {
        Ok(Tree::Integer(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Tree<T>, E> {
        #[expect(clippy::cast_precision_loss, reason = "no field accepts a number that large")]
        Ok(i64::try_from(number).map_or(Tree::Number(number as f64), Tree::Integer))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Tree<T>, E> {
        Ok(Tree::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree<T>, E> {
        Ok(Tree::Text(text.to_owned().into()))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Tree<T>, E> {
        Ok(Tree::Text(text.into()))
    }

    fn visit_string<E>(self, text: String) -> Result<Tree<T>, E> {
        Ok(Tree::Text(text.into()))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Tree<T>, E> {
        Ok(Tree::Bytes(bytes.to_vec()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element()? {
            list.push(element);
        }
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree<T>, A::Error> {
        let mut members = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            let value = map.next_value()?;
            let name = match name {
                Cow::Borrowed(name) => name.into(),
                Cow::Owned(name) => name.into(),
            };
            members.push((name, value));
        }
        Ok(Tree::Map(members))
    }
}
