//! Documents without a generated type: they are read into a [`Tree`], and an [`Object`] returns members by name.
//!
//! An [`Object`] records which members were requested. When it is dropped, it reports the others as unknown fields.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::found::{QUOTE, STRING};
use super::rules;
use super::{DocPath, Finding, Findings, Found, Name, Problem, Report, Source, Step};

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

impl<T> Tree<T> {
    /// Reads a whole document.
    ///
    /// # Errors
    /// Fails if the syntax is broken.
    pub fn read<'s>(source: &'s Source<'_>) -> Result<Self, Finding>
    where
        T: From<&'s str> + From<String>,
    {
        let mut tree = Self::Null;
        source.read(TreeSeed(&mut tree))?;
        Ok(tree)
    }
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

    /// Returns the value in place of which `path` must have an object. Of the document itself only the kind: a text that
    /// is no object may be a secret as a whole.
    pub fn found_at(&self, path: &DocPath) -> String {
        if path.0.is_empty() { self.found().kind().to_owned() } else { self.found().to_string() }
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

/// Reads a value into a tree.
struct TreeSeed<'t, T>(&'t mut Tree<T>);

impl<'de, T: From<&'de str> + From<String>> DeserializeSeed<'de> for TreeSeed<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        *self.0 = deserializer.deserialize_any(TreeVisitor(PhantomData))?;
        Ok(())
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
        loop {
            let mut element = Tree::Null;
            if seq.next_element_seed(TreeSeed(&mut element))?.is_none() {
                return Ok(Tree::List(list));
            }
            list.push(element);
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree<T>, A::Error> {
        let mut members = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            let mut value = Tree::Null;
            map.next_value_seed(TreeSeed(&mut value))?;
            let name = match name {
                Cow::Borrowed(name) => name.into(),
                Cow::Owned(name) => name.into(),
            };
            members.push((name, value));
        }
        Ok(Tree::Map(members))
    }
}

/// An object whose members are being read. `null` counts as absent.
pub(crate) struct Object<'t> {
    kind: &'static str,
    members: &'t [(String, Tree)],
    path: DocPath,
    requested: RefCell<Vec<&'static str>>,
    findings: &'t RefCell<Findings>,
}

impl<'t> Object<'t> {
    /// Returns the object that the document is; notes a finding if it is none. `kind` is its name in messages.
    pub fn document(kind: &'static str, tree: &'t Tree, findings: &'t RefCell<Findings>) -> Option<Self> {
        Self::new(kind, tree, DocPath::root(), findings)
    }

    fn new(kind: &'static str, tree: &'t Tree, path: DocPath, findings: &'t RefCell<Findings>) -> Option<Self> {
        let Tree::Map(members) = tree else {
            let found = tree.found_at(&path);
            findings.borrow_mut().push(Finding::unexpected(&rules::WRONG_TYPE, path, "an object", found));
            return None;
        };
        let mut seen = HashSet::new();
        for (name, _) in members {
            if !seen.insert(name) {
                let path = path.join(Step::Unknown(name.clone()));
                findings.borrow_mut().push(Finding::new(&rules::DUPLICATE_FIELD, path, Problem::Duplicate));
            }
        }
        Some(Self { kind, members, path, requested: RefCell::default(), findings })
    }

    /// Returns the path of a member.
    pub fn at(&self, name: &'static str) -> DocPath {
        self.path.join(Step::Field { name, json_name: name })
    }

    /// Adds a finding.
    pub fn report(&self, finding: Finding) {
        self.findings.borrow_mut().push(finding);
    }

    /// Returns a member of any type.
    pub fn member(&self, name: &'static str) -> Option<&'t Tree> {
        self.requested.borrow_mut().push(name);
        let found = self.members.iter().find(|(member, _)| member == name);
        found.map(|(_, value)| value).filter(|value| **value != Tree::Null)
    }

    fn unexpected<T>(&self, path: DocPath, expected: &'static str, found: &Tree) -> Option<T> {
        let found = found.found();
        let finding = Finding::unexpected(&rules::WRONG_TYPE, path, expected, found.to_string());
        self.report(if expected == STRING && found.is_number() { finding.hint(QUOTE) } else { finding });
        None
    }

    /// Returns a member that must be a string.
    pub fn text(&self, name: &'static str) -> Option<&'t str> {
        match self.member(name)? {
            Tree::Text(text) => Some(text),
            other => self.unexpected(self.at(name), STRING, other),
        }
    }

    /// Returns a member that must be a string and is secret.
    pub fn secret(&self, name: &'static str) -> Option<&'t str> {
        match self.member(name)? {
            Tree::Text(text) => Some(text),
            other => {
                let found = other.found().secret();
                self.report(Finding::unexpected(&rules::WRONG_TYPE, self.at(name), STRING, found));
                None
            }
        }
    }

    /// Returns a member that must be a boolean.
    pub fn switch(&self, name: &'static str) -> Option<bool> {
        match self.member(name)? {
            Tree::Bool(value) => Some(*value),
            other => self.unexpected(self.at(name), "`true` or `false`", other),
        }
    }

    /// Returns a member that must be an integer.
    pub fn integer(&self, name: &'static str) -> Option<i64> {
        match self.member(name)? {
            Tree::Integer(number) => Some(*number),
            other => self.unexpected(self.at(name), "an integer", other),
        }
    }

    /// Returns a member that must be an object.
    pub fn object(&self, name: &'static str, kind: &'static str) -> Option<Object<'t>> {
        Object::new(kind, self.member(name)?, self.at(name), self.findings)
    }

    /// Returns a member that must be a list; no elements if it is absent.
    pub fn list(&self, name: &'static str) -> &'t [Tree] {
        match self.member(name) {
            None => &[],
            Some(Tree::List(list)) => list,
            Some(other) => self.unexpected(self.at(name), "a list", other).unwrap_or_default(),
        }
    }

    /// Returns a member that must be a list of objects; empty if it is absent.
    pub fn objects(&self, name: &'static str, kind: &'static str) -> Vec<Object<'t>> {
        let path = self.at(name);
        let elements = self.list(name).iter().enumerate();
        elements
            .filter_map(|(at, element)| Object::new(kind, element, path.join(Step::Index(at)), self.findings))
            .collect()
    }

    /// Returns a member that must be a list of strings; empty if it is absent.
    pub fn texts(&self, name: &'static str) -> Vec<String> {
        let path = self.at(name);
        let elements = self.list(name).iter().enumerate();
        elements
            .filter_map(|(at, element)| match element {
                Tree::Text(text) => Some(text.clone()),
                other => self.unexpected(path.join(Step::Index(at)), STRING, other),
            })
            .collect()
    }

    /// Returns a member that must be a map of strings; empty if it is absent.
    pub fn text_map(&self, name: &'static str) -> BTreeMap<String, String> {
        let Some(object) = self.object(name, "map") else { return BTreeMap::new() };
        object.take_text_map()
    }

    /// Returns this object as a map of strings, whose members all count as known.
    pub fn take_text_map(self) -> BTreeMap<String, String> {
        let mut map = BTreeMap::new();
        for (key, value) in self.members {
            match value {
                Tree::Text(text) => {
                    map.insert(key.clone(), text.clone());
                }
                other => {
                    let _: Option<()> = self.unexpected(self.path.join(Step::Key(key.clone())), STRING, other);
                }
            }
        }
        self.ignore_the_rest();
        map
    }

    /// Drops the object without reporting other members as unknown fields.
    pub fn ignore_the_rest(self) {
        let mut this = self;
        this.members = &[];
    }
}

impl Drop for Object<'_> {
    fn drop(&mut self) {
        let requested = self.requested.borrow();
        for (name, _) in self.members {
            if requested.iter().any(|known| known == name) {
                continue;
            }
            let finding = |rule| {
                let path = self.path.join(Step::Unknown(name.clone()));
                Finding::new(rule, path, Problem::UnknownField(self.kind))
            };
            self.findings.borrow_mut().unknown_field(name, requested.iter().copied(), finding);
        }
    }
}

/// Reads a document with a function that reads an [`Object`], and locates every finding.
///
/// # Errors
/// Fails if the syntax is broken, or if a finding is an error.
pub(crate) fn read_document<T>(
    bytes: &[u8],
    kind: &'static str,
    read: impl FnOnce(&Object<'_>) -> T,
) -> Result<(T, Report), Report> {
    let source = Source::new(bytes)?;
    let tree = Tree::read(&source)?;
    let findings = RefCell::new(Findings::from(source.findings()));
    let value = Object::document(kind, &tree, &findings).map(|object| read(&object));
    let mut report = Report::from(findings.into_inner());
    source.locate(&mut report.findings);
    report.sort();
    match value {
        Some(value) if report.is_valid() => Ok((value, report)),
        _ => Err(report),
    }
}
