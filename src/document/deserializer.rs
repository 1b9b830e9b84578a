//! The serde deserializer of a document: it adds a finding for a value of a wrong type and reads on.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::vec;

use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use super::tree::{QUOTE, STRING};
use super::{DocPath, Finding, Findings, Location, ParsedTree, Problem, Step, StepRef, Tree, rules};

/// The name of the type with hidden values.
const SECRET: &str = "Secret";

/// The name of a type for text that YAML may read as a boolean or a number if it has no quotes.
const SCALAR: &str = "Scalar";

/// The names of members that are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Names {
    /// The names in the types. Others are reported, except in objects whose type is renamed to the empty text.
    #[default]
    Exact,
    /// The names in the types, in any letter case, as in Go's JSON decoder: an exact name takes precedence. Others are
    /// reported in objects whose types have a row here: the name of the type, and the names that are known and not read.
    AnyCase(&'static [(&'static str, &'static [&'static str])]),
}

impl Names {
    /// Returns the names of a type that are known and not read; `None` if other names are not reported.
    fn unread(self, kind: &str) -> Option<&'static [&'static str]> {
        match self {
            Self::Exact => (!kind.is_empty()).then_some(&[]),
            Self::AnyCase(rows) => rows.iter().find(|(known, _)| *known == kind).map(|(_, names)| *names),
        }
    }

    fn is_same(self, known: &str, name: &str) -> bool {
        match self {
            Self::Exact => known == name,
            Self::AnyCase(_) => known.eq_ignore_ascii_case(name),
        }
    }
}

/// The state of reading: the known names, and the findings so far.
#[derive(Default)]
pub(super) struct Context {
    pub names: Names,
    pub findings: Findings,
    pub spellings: Spellings,
    pub fields: Vec<FieldName>,
}

/// A field of a type.
pub(crate) struct FieldName {
    pub name: &'static str,
    pub path: DocPath,
    pub is_secret: bool,
}

/// A document's spellings of its fields that differ from their types.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spellings {
    /// By the path of the object, as the document spells it, and the name in its type.
    different: BTreeMap<(String, &'static str), String>,
}

impl Spellings {
    /// Returns a path with the names as the document spells them.
    pub fn apply(&self, path: &DocPath) -> DocPath {
        let mut spelled = DocPath::root();
        for step in &path.0 {
            let different = match step {
                Step::Field { name, .. } => self.different.get(&(spelled.to_string(), *name)),
                _ => None,
            };
            spelled.0.push(different.map_or_else(|| step.clone(), |name| Step::Unknown(name.clone())));
        }
        spelled
    }
}

/// A value of the document and its location. Without a document, every field of the type is visited.
#[derive(Clone, Copy)]
pub(super) struct Located<'t, 'r> {
    tree: Option<&'t ParsedTree<'t>>,
    location: &'r Location<'r>,
    context: &'r RefCell<Context>,
    is_secret: bool,
    is_scalar: bool,
}

impl<'t, 'r> Located<'t, 'r> {
    pub fn new(tree: Option<&'t ParsedTree<'t>>, location: &'r Location<'r>, context: &'r RefCell<Context>) -> Self {
        Self { tree, location, context, is_secret: false, is_scalar: false }
    }

    /// Reads the value, and reports it if its type rejects it.
    pub fn read<S: DeserializeSeed<'t>>(self, seed: S) -> Result<S::Value, Ended> {
        seed.deserialize(self).map_err(|Ended(expected)| {
            if let Some(expected) = expected {
                self.unexpected(expected);
            }
            Ended(None)
        })
    }

    fn report(self, finding: Finding) {
        self.context.borrow_mut().findings.push(finding);
    }

    /// Reports a value of a wrong type.
    pub fn unexpected(self, expected: impl Into<Cow<'static, str>>) {
        let (Some(tree), expected) = (self.tree, expected.into()) else { return };
        let is_number = matches!(tree, Tree::Integer(_) | Tree::Number(_));
        let hint = (expected == STRING && is_number).then_some(QUOTE);
        let (path, _) = self.location.resolve();
        // A document that is only a text may be a secret.
        let is_whole = path.0.is_empty() && !self.is_secret;
        let found = if is_whole { tree.kind().to_owned() } else { tree.described(self.is_secret) };
        let problem = Problem::Unexpected { expected, found };
        let finding = Finding::here(&rules::WRONG_TYPE, self.location, problem);
        self.report(Finding { hint: hint.map(Cow::Borrowed), ..finding });
    }

    fn items(self, items: Vec<Item<'t>>) -> Items<'t, 'r> {
        Items { container: self, left: items.into_iter(), current: None }
    }

    /// Returns the number, the name and the value of each member, and reports repeated names.
    fn distinct(
        self,
        members: &'t [(Cow<'t, str>, ParsedTree<'t>)],
        step: fn(&'t str) -> StepRef<'t>,
    ) -> impl Iterator<Item = (usize, &'t str, &'t ParsedTree<'t>)> {
        let mut seen = HashSet::with_capacity(members.len());
        members.iter().enumerate().filter_map(move |(ordinal, (name, value))| {
            if seen.insert(&**name) {
                return Some((ordinal, &**name, value));
            }
            let location = self.location.child(step(name), ordinal);
            self.report(Finding::here(&rules::DUPLICATE_FIELD, &location, Problem::Duplicate));
            None
        })
    }

    /// Returns the members of an object that are fields of its type, and reports the others.
    fn members(self, kind: &'static str, fields: &'static [&'static str]) -> Vec<Item<'t>> {
        let Some(tree) = self.tree else {
            return fields.iter().map(|field| Item::new(field, StepRef::Field(field, field), 0, None)).collect();
        };
        let Tree::Map(members) = tree else {
            self.unexpected("an object");
            return Vec::new();
        };
        let names = self.context.borrow().names;
        let unread = names.unread(kind);
        let mut found: Vec<Item<'_>> = Vec::with_capacity(members.len());
        for (ordinal, name, value) in self.distinct(members, StepRef::Unknown) {
            let is_field = |field: &&&str| names.is_same(field, name);
            let Some(field) = fields.iter().find(is_field) else {
                if let Some(unread) = unread.filter(|unread| !unread.iter().any(|known| names.is_same(known, name))) {
                    let unknown = self.location.child(StepRef::Unknown(name), ordinal);
                    let finding = |rule| Finding::here(rule, &unknown, Problem::UnknownField(kind));
                    let known = fields.iter().chain(unread).copied();
                    self.context.borrow_mut().findings.unknown_field(name, known, finding);
                }
                continue;
            };
            let step = if *field == name { StepRef::Field(field, field) } else { StepRef::Unknown(name) };
            let item = Item::new(field, step, ordinal, Some(value));
            match found.iter_mut().find(|other| other.key == *field) {
                Some(other) if *field == name => *other = item,
                Some(_) => {}
                None => found.push(item),
            }
        }
        found.retain(|item| item.tree != Some(&Tree::Null));
        for item in &found {
            // Unlike one field of AgentBaker, the name of a field in Rust has no blank at its end.
            let (StepRef::Field(name, _) | StepRef::Unknown(name)) = item.step else { continue };
            let field = fields.iter().find(|field| **field == item.key).map_or("", |field| field.trim_end());
            if name != field {
                let parent = self.location.resolve().0.to_string();
                self.context.borrow_mut().spellings.different.insert((parent, field), name.to_owned());
            }
        }
        found
    }
}

impl<'de> Deserializer<'de> for Located<'de, '_> {
    type Error = Ended;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
        match self.tree {
            None | Some(Tree::Null) => visitor.visit_unit(),
            Some(Tree::Bool(value)) => visitor.visit_bool(*value),
            Some(Tree::Integer(number)) => visitor.visit_i64(*number),
            Some(Tree::Number(number)) => visitor.visit_f64(*number),
            Some(Tree::Text(text)) => visitor.visit_str(text),
            Some(Tree::Bytes(bytes)) => visitor.visit_bytes(bytes),
            Some(Tree::List(_)) => self.deserialize_seq(visitor),
            Some(Tree::Map(_)) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
        let Some(Tree::Bool(value)) = self.tree else {
            self.unexpected("`true` or `false`");
            return visitor.visit_bool(false);
        };
        visitor.visit_bool(*value)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
        let number = match self.tree {
            Some(Tree::Integer(number)) => i32::try_from(*number).ok(),
            _ => None,
        };
        if number.is_none() {
            self.unexpected("a 32-bit integer");
        }
        visitor.visit_i32(number.unwrap_or_default())
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
        let Some(Tree::Integer(number)) = self.tree else {
            self.unexpected("an integer");
            return visitor.visit_i64(0);
        };
        visitor.visit_i64(*number)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
        match self.tree {
            #[expect(clippy::cast_precision_loss, reason = "Go reads the number as a double, too")]
            Some(Tree::Integer(number)) => visitor.visit_f64(*number as f64),
            Some(Tree::Number(number)) => visitor.visit_f64(*number),
            _ => {
                self.unexpected("a number");
                visitor.visit_f64(0.0)
            }
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
        match self.tree {
            Some(Tree::Text(text)) => visitor.visit_str(text),
            Some(Tree::Bool(value)) if self.is_scalar => visitor.visit_string(value.to_string()),
            Some(Tree::Integer(number)) if self.is_scalar => visitor.visit_string(number.to_string()),
            Some(Tree::Number(number)) if self.is_scalar => visitor.visit_string(number.to_string()),
            _ => {
                self.unexpected(STRING);
                visitor.visit_str("")
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
        match self.tree {
            Some(Tree::Null) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Ended> {
        let is_secret = self.is_secret || name == SECRET;
        if let (None, Some(field)) = (self.tree, self.context.borrow_mut().fields.last_mut()) {
            field.is_secret |= is_secret;
        }
        visitor.visit_newtype_struct(Self { is_secret, is_scalar: self.is_scalar || name == SCALAR, ..self })
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
        let elements = match self.tree {
            None => vec![Item::new("", StepRef::Index, 0, None)],
            Some(Tree::List(list)) => {
                let elements = list.iter().enumerate();
                elements.map(|(at, element)| Item::new("", StepRef::Index, at, Some(element))).collect()
            }
            Some(_) => {
                self.unexpected("a list");
                Vec::new()
            }
        };
        visitor.visit_seq(self.items(elements))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
        let entries = match self.tree {
            None => vec![Item::new("", StepRef::Key(""), 0, None)],
            Some(Tree::Map(members)) => {
                let members = self.distinct(members, StepRef::Key);
                members.map(|(ordinal, key, value)| Item::new(key, StepRef::Key(key), ordinal, Some(value))).collect()
            }
            Some(_) => {
                self.unexpected("an object");
                Vec::new()
            }
        };
        visitor.visit_map(self.items(entries))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        kind: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Ended> {
        visitor.visit_map(self.items(self.members(kind, fields)))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i128 u8 u16 u32 u64 u128 f32 char str bytes byte_buf unit unit_struct tuple tuple_struct enum identifier
    }
}

/// A member of an object or an element of a list.
#[derive(Clone, Copy)]
struct Item<'t> {
    /// The name of a member in its type.
    key: &'t str,
    step: StepRef<'t>,
    ordinal: usize,
    tree: Option<&'t ParsedTree<'t>>,
}

impl<'t> Item<'t> {
    fn new(key: &'t str, step: StepRef<'t>, ordinal: usize, tree: Option<&'t ParsedTree<'t>>) -> Self {
        Self { key, step, ordinal, tree }
    }
}

/// The rest of an object or a list that is being read.
struct Items<'t, 'r> {
    container: Located<'t, 'r>,
    left: vec::IntoIter<Item<'t>>,
    current: Option<Item<'t>>,
}

impl<'t> Items<'t, '_> {
    fn read<S: DeserializeSeed<'t>>(&self, item: Item<'t>, seed: S) -> Result<S::Value, Ended> {
        let Located { location, context, .. } = self.container;
        let location = location.child(item.step, item.ordinal);
        if let (None, StepRef::Field(name, _)) = (item.tree, item.step) {
            let (path, _) = location.resolve();
            context.borrow_mut().fields.push(FieldName { name, path, is_secret: false });
        }
        Located::new(item.tree, &location, context).read(seed)
    }
}

impl<'t> MapAccess<'t> for Items<'t, '_> {
    type Error = Ended;

    fn next_key_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Result<Option<S::Value>, Ended> {
        self.current = self.left.next();
        self.current.map(|item| seed.deserialize(item.key.into_deserializer())).transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Result<S::Value, Ended> {
        let item = self.current.take().expect("serde asks for the key first");
        self.read(item, seed)
    }
}

impl<'t> SeqAccess<'t> for Items<'t, '_> {
    type Error = Ended;

    fn next_element_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Result<Option<S::Value>, Ended> {
        self.left.next().map(|item| self.read(item, seed)).transpose()
    }
}

/// Why reading ended early: what the type expects instead of the value, unless that was already reported.
#[derive(Debug)]
pub(super) struct Ended(Option<String>);

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be {}", self.0.as_deref().unwrap_or_default())
    }
}

impl std::error::Error for Ended {}

impl de::Error for Ended {
    fn custom<T: fmt::Display>(expected: T) -> Self {
        Self(Some(expected.to_string()))
    }

    fn invalid_type(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::custom(expected)
    }
}
