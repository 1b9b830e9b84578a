//! Documents that have no contract of their own here: read into a tree, then asked for members by name.
//!
//! An [`Object`] remembers what it was asked for. What is left over when it is dropped is unknown, and told.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{DocPath, Finding, Problem, Report, Severity, Source, Step, nearest};

/// A value of any shape. Members keep their order, and a name may stand twice.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// Text.
    Text(String),
    /// What YAML calls `!!binary`, decoded.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Tree>),
    /// An object.
    Map(Vec<(String, Tree)>),
}

impl Tree {
    /// Reads a whole document. Its places can be found again with [`Source::locate`].
    ///
    /// # Errors
    /// The text breaks its syntax.
    pub fn read(source: &Source<'_>) -> Result<Self, Finding> {
        let mut tree = Self::Null;
        source.read(Into(&mut tree))?;
        Ok(tree)
    }

    /// What it is, for messages.
    pub(crate) fn described(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => format!("text {text:?}"),
            Self::Bytes(_) => "binary data".to_owned(),
            Self::List(_) => "a list".to_owned(),
            Self::Map(_) => "an object".to_owned(),
        }
    }
}

struct Into<'t>(&'t mut Tree);

impl<'de> DeserializeSeed<'de> for Into<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        *self.0 = deserializer.deserialize_any(Grow)?;
        Ok(())
    }
}

struct Grow;

impl<'de> Visitor<'de> for Grow {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Tree, E> {
        Ok(Tree::Integer(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Tree, E> {
        #[expect(clippy::cast_precision_loss, reason = "no field here takes a number that large")]
        Ok(i64::try_from(number).map_or(Tree::Number(number as f64), Tree::Integer))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Tree, E> {
        Ok(Tree::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Tree, E> {
        Ok(Tree::Text(text))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Tree, E> {
        Ok(Tree::Bytes(bytes.to_vec()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        loop {
            let mut element = Tree::Null;
            if seq.next_element_seed(Into(&mut element))?.is_none() {
                return Ok(Tree::List(list));
            }
            list.push(element);
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let mut value = Tree::Null;
            map.next_value_seed(Into(&mut value))?;
            members.push((name, value));
        }
        Ok(Tree::Map(members))
    }
}

/// An object that is being asked for its members. `null` counts as absent.
pub struct Object<'t> {
    kind: &'static str,
    members: &'t [(String, Tree)],
    path: DocPath,
    asked: RefCell<Vec<&'static str>>,
    findings: &'t RefCell<Vec<Finding>>,
}

impl<'t> Object<'t> {
    /// The document itself. `kind` is what messages call it.
    #[must_use]
    pub fn document(kind: &'static str, tree: &'t Tree, findings: &'t RefCell<Vec<Finding>>) -> Option<Self> {
        Self::new(kind, tree, DocPath::root(), findings)
    }

    fn new(kind: &'static str, tree: &'t Tree, path: DocPath, findings: &'t RefCell<Vec<Finding>>) -> Option<Self> {
        let Tree::Map(members) = tree else {
            let problem = Problem::Unexpected { expected: "an object".into(), found: tree.described() };
            findings.borrow_mut().push(Finding::error(path, problem));
            return None;
        };
        for (at, (name, _)) in members.iter().enumerate() {
            if members[..at].iter().any(|(earlier, _)| earlier == name) {
                let path = path.join(Step::Unknown(name.clone()));
                findings.borrow_mut().push(Finding::error(path, Problem::Duplicate));
            }
        }
        Some(Self { kind, members, path, asked: RefCell::default(), findings })
    }

    /// The path of a member.
    #[must_use]
    pub fn at(&self, name: &'static str) -> DocPath {
        self.path.join(Step::Field { name, json_name: name })
    }

    /// The path of the object.
    #[must_use]
    pub fn path(&self) -> &DocPath {
        &self.path
    }

    /// Notes something about a member.
    pub fn complain(&self, finding: Finding) {
        self.findings.borrow_mut().push(finding);
    }

    /// A member, whatever it is.
    pub fn member(&self, name: &'static str) -> Option<&'t Tree> {
        self.asked.borrow_mut().push(name);
        let found = self.members.iter().find(|(member, _)| member == name);
        found.map(|(_, value)| value).filter(|value| **value != Tree::Null)
    }

    fn unexpected<T>(&self, path: DocPath, expected: &'static str, found: &Tree) -> Option<T> {
        let problem = Problem::Unexpected { expected: expected.into(), found: found.described() };
        let finding = Finding::error(path, problem);
        let is_number = matches!(found, Tree::Integer(_) | Tree::Number(_));
        self.complain(if expected == "text" && is_number { finding.hint("put it in quotes") } else { finding });
        None
    }

    /// A member that is text.
    pub fn text(&self, name: &'static str) -> Option<&'t str> {
        match self.member(name)? {
            Tree::Text(text) => Some(text),
            other => self.unexpected(self.at(name), "text", other),
        }
    }

    /// A member that is text and must not be shown.
    pub fn secret(&self, name: &'static str) -> Option<&'t str> {
        if let Tree::Text(text) = self.member(name)? {
            return Some(text);
        }
        let found = "something else (not shown, it is a secret)".to_owned();
        self.complain(Finding::error(self.at(name), Problem::Unexpected { expected: "text".into(), found }));
        None
    }

    /// A member that is a switch.
    pub fn switch(&self, name: &'static str) -> Option<bool> {
        match self.member(name)? {
            Tree::Bool(value) => Some(*value),
            other => self.unexpected(self.at(name), "`true` or `false`", other),
        }
    }

    /// A member that is a whole number.
    pub fn integer(&self, name: &'static str) -> Option<i64> {
        match self.member(name)? {
            Tree::Integer(number) => Some(*number),
            other => self.unexpected(self.at(name), "a whole number", other),
        }
    }

    /// A member that is any number.
    pub fn number(&self, name: &'static str) -> Option<f64> {
        match self.member(name)? {
            #[expect(clippy::cast_precision_loss, reason = "the nearest double is what is meant")]
            Tree::Integer(number) => Some(*number as f64),
            Tree::Number(number) => Some(*number),
            other => self.unexpected(self.at(name), "a number", other),
        }
    }

    /// A member that is an object.
    pub fn object(&self, name: &'static str, kind: &'static str) -> Option<Object<'t>> {
        Object::new(kind, self.member(name)?, self.at(name), self.findings)
    }

    /// A member that is a list; empty when absent.
    pub fn list(&self, name: &'static str) -> &'t [Tree] {
        match self.member(name) {
            None => &[],
            Some(Tree::List(list)) => list,
            Some(other) => self.unexpected(self.at(name), "a list", other).unwrap_or_default(),
        }
    }

    /// A member that is a list of objects; empty when absent.
    pub fn objects(&self, name: &'static str, kind: &'static str) -> Vec<Object<'t>> {
        let path = self.at(name);
        let elements = self.list(name).iter().enumerate();
        elements
            .filter_map(|(at, element)| Object::new(kind, element, path.join(Step::Index(at)), self.findings))
            .collect()
    }

    /// A member that is a list of texts; empty when absent.
    pub fn texts(&self, name: &'static str) -> Vec<String> {
        let path = self.at(name);
        let elements = self.list(name).iter().enumerate();
        elements
            .filter_map(|(at, element)| match element {
                Tree::Text(text) => Some(text.clone()),
                other => self.unexpected(path.join(Step::Index(at)), "text", other),
            })
            .collect()
    }

    /// A member that is a map of texts; empty when absent.
    pub fn text_map(&self, name: &'static str) -> BTreeMap<String, String> {
        let Some(object) = self.object(name, "map") else { return BTreeMap::new() };
        object.take_text_map()
    }

    /// This object as a map of texts: every member is known then.
    pub fn take_text_map(self) -> BTreeMap<String, String> {
        let mut map = BTreeMap::new();
        for (key, value) in self.members {
            match value {
                Tree::Text(text) => {
                    map.insert(key.clone(), text.clone());
                }
                other => {
                    let _: Option<()> = self.unexpected(self.path.join(Step::Key(key.clone())), "text", other);
                }
            }
        }
        self.ignore_the_rest();
        map
    }

    /// Members that were not asked for are of no interest, and not unknown.
    pub fn ignore_the_rest(self) {
        let mut this = self;
        this.members = &[];
    }
}

impl Drop for Object<'_> {
    fn drop(&mut self) {
        let asked = self.asked.borrow();
        for (name, _) in self.members {
            if asked.iter().any(|known| known == name) {
                continue;
            }
            let path = self.path.join(Step::Unknown(name.clone()));
            let finding = Finding::warning(path, Problem::UnknownField(self.kind));
            self.findings.borrow_mut().push(match nearest(name, asked.iter().copied()) {
                Some(meant) => finding.hint(format!("did you mean `{meant}`?")),
                None => finding,
            });
        }
    }
}

/// Reads a document with a function that asks an [`Object`], and gives every finding its place.
///
/// # Errors
/// The syntax is broken, or something was found that is an error.
pub fn read_document<T>(
    bytes: &[u8],
    kind: &'static str,
    read: impl FnOnce(&Object<'_>) -> T,
) -> Result<(T, Report), Report> {
    let source = Source::new(bytes)?;
    let findings = RefCell::default();
    let tree = Tree::read(&source)?;
    let value = Object::document(kind, &tree, &findings).map(|object| read(&object));
    let mut report = Report { findings: findings.into_inner() };
    source.locate(&mut report.findings);
    report.sort();
    match value {
        Some(value) if report.findings.iter().all(|finding| finding.severity == Severity::Warning) => {
            Ok((value, report))
        }
        _ => Err(report),
    }
}
