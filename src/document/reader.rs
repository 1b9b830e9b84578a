//! Reads documents into types that derive serde's `Deserialize`, and adds a finding for everything that is wrong.
//!
//! The type describes the document: its fields are the known names, its name (`#[serde(rename = "a taint")]`) is what
//! messages call the object, and a [`Secret`](crate::Secret) is not shown. `null` means absent. Where serde would stop
//! at the first error, a value of a wrong type adds a finding and is read as empty, so that one pass finds all errors.
//!
//! To add a field: a field of the type, optional or with a default. To add a document: such a type.

use std::cell::RefCell;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use super::deserializer::{Context, FieldName, Located, Names, Spellings};
use super::{Finding, Findings, Location, ParsedTree, Report, Source, Tree};

/// A document that is being read, and its findings so far.
pub(crate) struct Document<'s> {
    tree: &'s ParsedTree<'s>,
    context: RefCell<Context>,
}

/// Returns every field of a document; the fields of an object follow the object.
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

    /// Reads the whole document. `None`, after a finding, if it is not an object.
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

    /// Returns the document's spellings of the fields that were read.
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

/// Reads a value inside a document with a function. Returns the findings with paths that begin at the value, without positions.
#[cfg(feature = "cli")]
pub(crate) fn read_tree<T>(
    tree: &ParsedTree<'_>,
    read: impl FnOnce(&mut Document<'_>) -> Option<T>,
) -> (Option<T>, Report) {
    let mut document = Document { tree, context: RefCell::default() };
    let value = read(&mut document);
    (value, Report::from(document.context.into_inner().findings))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::Secret;
    use crate::document::DocPath;

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
        let (sample, findings, spellings) = read(Names::AnyCase(&[]), text);
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
        assert_eq!(read(Names::AnyCase(&[]), text).1, ["text: is set more than once"]);
        assert_eq!(
            read(
                Names::AnyCase(&[("a sample", &["Unread"])]),
                r#"{"TEXT": "", "txet": "", "unREAD": "", "unreed": ""}"#
            )
            .1,
            ["txet: is not a field of a sample", "unreed: is not a field of a sample"]
        );
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
