//! Reads documents into types that derive serde's `Deserialize`, with a finding for everything that is wrong.
//!
//! The type is the table of the document: its fields are the known names, its name (`#[serde(rename = "a taint")]`) is
//! what messages call the object, and a [`Secret`](crate::Secret) is not shown. `null` counts as absent. Where serde would
//! end at the first error, a value of a wrong type adds a finding and counts as an empty one, so that one pass finds all.
//!
//! To add a field: a field of the type, optional or with a default. To add a document: such a type.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::marker::PhantomData;
use std::vec;

use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};

use super::found::{QUOTE, STRING};
use super::{DocPath, Finding, Findings, Location, ParsedTree, Problem, Report, Source, Step, StepRef, Tree, rules};

/// The name of the type whose values are not shown.
const SECRET: &str = "Secret";

/// The name of a type for text that YAML may read as a boolean or a number where it has no quotes.
const SCALAR: &str = "Scalar";

/// Which names of members are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Names {
    /// Those of the types. Others are reported, except in objects whose type is renamed to the empty text.
    #[default]
    Exact,
    /// Those of the types in any letter case, as in Go's JSON decoder: an exact name goes before another one. Others are
    /// ignored.
    AnyCase,
}

/// A document that is being read, and what was found so far.
pub(crate) struct Document<'s> {
    tree: &'s ParsedTree<'s>,
    context: RefCell<Context>,
}

#[derive(Default)]
struct Context {
    names: Names,
    findings: Findings,
    spellings: Spellings,
    fields: Vec<FieldName>,
}

/// A field of a type.
pub(crate) struct FieldName {
    pub name: &'static str,
    pub path: DocPath,
    pub is_secret: bool,
}

/// Returns every field of a document, those of an object after the object.
pub(crate) fn fields<T: DeserializeOwned>() -> Vec<FieldName> {
    let context = RefCell::default();
    let read = T::deserialize(Located::new(None, &Location::ROOT, &context));
    debug_assert!(read.is_ok(), "every field is optional or has a default");
    context.into_inner().fields
}

impl<'s> Document<'s> {
    fn new(source: &Source<'_>, tree: &'s ParsedTree<'s>) -> Self {
        let context = Context { findings: Findings::from(source.findings()), ..Context::default() };
        Self { tree, context: context.into() }
    }

    /// Returns the text of a member of the document; empty if there is none.
    pub fn text(&self, name: &str) -> &str {
        let Tree::Map(members) = self.tree else { return "" };
        let member = members.iter().find(|(member, _)| member == name);
        if let Some((_, Tree::Text(text))) = member { text } else { "" }
    }

    /// Reads the whole document. `None` if it is no object, for which there is a finding.
    pub fn read<T: DeserializeOwned>(&mut self, names: Names) -> Option<T> {
        self.context.get_mut().names = names;
        let root = Located::new(Some(self.tree), &Location::ROOT, &self.context);
        if !matches!(self.tree, Tree::Map(_)) {
            root.unexpected("an object");
            return None;
        }
        root.read(PhantomData).ok()
    }

    /// Adds findings.
    pub fn report(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.context.get_mut().findings.list.extend(findings);
    }

    /// Returns how the document spells the names of the fields that were read.
    pub fn spellings(&self) -> Spellings {
        self.context.borrow().spellings.clone()
    }
}

/// Reads a document with a function, and locates every finding.
///
/// # Errors
/// Fails if the syntax is broken, or if a finding is an error.
pub(crate) fn read_document<T>(
    source: &Source<'_>,
    read: impl FnOnce(&mut Document<'_>) -> Option<T>,
) -> Result<(T, Report), Report> {
    let tree = source.tree()?;
    let mut document = Document::new(source, &tree);
    let value = read(&mut document);
    let mut report = Report::from(document.context.into_inner().findings);
    source.locate(&mut report.findings);
    report.sort();
    match value {
        Some(value) if report.is_valid() => Ok((value, report)),
        _ => Err(report),
    }
}

/// How a document spells the names of its fields, where it differs from their types.
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
struct Located<'t, 'r> {
    tree: Option<&'t ParsedTree<'t>>,
    location: &'r Location<'r>,
    context: &'r RefCell<Context>,
    is_secret: bool,
    is_scalar: bool,
}

impl<'t, 'r> Located<'t, 'r> {
    fn new(tree: Option<&'t ParsedTree<'t>>, location: &'r Location<'r>, context: &'r RefCell<Context>) -> Self {
        Self { tree, location, context, is_secret: false, is_scalar: false }
    }

    /// Reads the value, and reports it if its type does not read it.
    fn read<S: DeserializeSeed<'t>>(self, seed: S) -> Result<S::Value, Ended> {
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
    fn unexpected(self, expected: impl Into<Cow<'static, str>>) {
        let (Some(tree), expected) = (self.tree, expected.into()) else { return };
        let found = tree.found();
        let hint = (expected == STRING && found.is_number()).then_some(QUOTE);
        let (path, _) = self.location.resolve();
        // A document that is only a text may be a secret as a whole.
        let found = match (self.is_secret, path.0.is_empty()) {
            (true, _) => found.secret(),
            (_, true) => found.kind().to_owned(),
            _ => found.to_string(),
        };
        let problem = Problem::Unexpected { expected, found };
        let finding = Finding::here(&rules::WRONG_TYPE, self.location, problem);
        self.report(Finding { hint: hint.map(Cow::Borrowed), ..finding });
    }

    fn items(self, items: Vec<Item<'t>>) -> Items<'t, 'r> {
        Items { container: self, left: items.into_iter(), current: None }
    }

    /// Returns the number, the name and the value of each member, and reports those that are there more than once.
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
        let mut found: Vec<Item<'_>> = Vec::with_capacity(members.len());
        for (ordinal, name, value) in self.distinct(members, StepRef::Unknown) {
            let is_field = |field: &&&str| match names {
                Names::Exact => **field == name,
                Names::AnyCase => field.eq_ignore_ascii_case(name),
            };
            let Some(field) = fields.iter().find(is_field) else {
                if names == Names::Exact && !kind.is_empty() {
                    let unknown = self.location.child(StepRef::Unknown(name), ordinal);
                    let finding = |rule| Finding::here(rule, &unknown, Problem::UnknownField(kind));
                    self.context.borrow_mut().findings.unknown_field(name, fields.iter().copied(), finding);
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
            // The name of a field in Rust has no blank at its end, as one of AgentBaker has.
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
    /// The name of a member, as its type has it.
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

/// What is left to read of an object or a list.
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

/// Why reading ended early: a value is not what its type reads, in words, unless that was reported already.
#[derive(Debug)]
struct Ended(Option<String>);

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

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::Secret;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(rename = "a sample", default)]
    struct Sample {
        text: Option<String>,
        secret: Option<Secret<'static>>,
        outer: Option<Outer>,
        list: Vec<Outer>,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(rename = "", default)]
    struct Outer {
        inner: Option<i32>,
        texts: Vec<String>,
    }

    fn read(names: Names, text: &str) -> (Sample, Vec<String>, Spellings) {
        let source = Source::new(text.as_bytes()).expect("a text");
        let tree = source.tree().expect("the syntax is valid");
        let mut document = Document::new(&source, &tree);
        let sample = document.read(names).unwrap_or_default();
        let spellings = document.spellings();
        let findings = document.context.into_inner().findings.list;
        (sample, findings.iter().map(ToString::to_string).collect(), spellings)
    }

    #[test]
    fn an_exact_name_goes_before_one_in_another_case_and_null_is_absent() {
        let text = r#"{"Text": "other case", "text": "exact", "OUTER": {"Inner": 5}, "secret": null, "TEXT": ""}"#;
        let (sample, findings, spellings) = read(Names::AnyCase, text);
        let outer = Some(Outer { inner: Some(5), texts: Vec::new() });
        assert_eq!(sample, Sample { text: Some("exact".to_owned()), outer, ..Sample::default() });
        assert_eq!(findings, [""; 0]);
        assert_eq!(spellings.apply(&DocPath::fields("outer.inner")).to_string(), "OUTER.Inner");
        assert_eq!(spellings.apply(&DocPath::fields("secret")).to_string(), "secret");
    }

    #[test]
    fn every_value_of_a_wrong_type_is_found_and_no_secret_is_shown() {
        let text =
            r#"{"text": 5, "secret": ["s3cret"], "outer": {"inner": 2147483648}, "list": [{"texts": ["a", 1]}, 2]}"#;
        assert_eq!(
            read(Names::Exact, text).1,
            [
                "text: must be a string, found 5",
                "secret: must be a string, found a list (not shown: the field is secret)",
                "outer.inner: must be a 32-bit integer, found 2147483648",
                "list[0].texts[1]: must be a string, found 1",
                "list[1]: must be an object, found 2",
            ]
        );
        assert_eq!(read(Names::Exact, r#""s3cret""#).1, ["the document: must be an object, found a string"]);
    }

    #[test]
    fn unknown_and_repeated_members_are_found_unless_the_object_is_open() {
        let text = r#"{"txet": "", "TEXT": "", "text": "", "text": "", "outer": {"other": 1}}"#;
        assert_eq!(
            read(Names::Exact, text).1,
            ["txet: is not a field of a sample", "TEXT: is not a field of a sample", "text: is set more than once",]
        );
        assert_eq!(read(Names::AnyCase, text).1, ["text: is set more than once"]);
    }

    #[test]
    fn the_fields_of_a_document_are_those_of_its_type() {
        let fields: Vec<_> = fields::<Sample>().iter().map(|field| (field.path.to_string(), field.is_secret)).collect();
        let expected = [
            ("text", false),
            ("secret", true),
            ("outer", false),
            ("outer.inner", false),
            ("outer.texts", false),
            ("list", false),
            ("list[0].inner", false),
            ("list[0].texts", false),
        ];
        assert_eq!(fields, expected.map(|(path, is_secret)| (path.to_owned(), is_secret)));
    }
}
