//! Reads JSON and YAML, and reports what is wrong with a document: location, rule and suggested fix.
//!
//! This module knows syntax and locations only. What the members of a document mean is known to `configuration` and to
//! the other kinds of input: they read through [`Source::read`] and report [`Finding`]s by path, and
//! [`Source::locate`] adds line and column.
//!
//! To add a format: a reader that implements serde's `Deserializer` and can find the position of a [`Step`], and a
//! variant of `Text`.

pub(crate) mod duration;
mod encoding;
mod finding;
mod found;
mod json;
mod locate;
mod path;
mod reader;
pub mod rules;
mod suggest;
mod tree;
mod yaml;

pub(crate) use encoding::utf_16;
pub(crate) use finding::Findings;
pub use finding::{Finding, MOST_FINDINGS, Problem, Report};
pub(crate) use found::{Found, QUOTE, STRING};
pub use path::{DocPath, Position, Step};
pub(crate) use path::{Location, StepRef};
pub(crate) use reader::{Document, FieldName, Names, Spellings, fields, read_document};
pub use rules::{Rule, Severity};
pub(crate) use suggest::nearest;
pub(crate) use tree::{Name, Tree};

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed};

/// The size of the largest document that is read, in bytes: sixty times what `CustomData` can carry.
pub const LARGEST_DOCUMENT: usize = 4 << 20;

/// The deepest nesting of YAML that is read. The contract nests six levels.
const DEEPEST_NESTING: usize = 120;

/// The text of a document, with its syntax recognized.
pub struct Source<'t> {
    text: Text<'t>,
    /// The size of the text in bytes.
    size: usize,
    findings: Vec<Finding>,
}

enum Text<'t> {
    /// Checked by `serde_json` while it is read.
    Json(&'t str),
    /// YAML 1.2 without anchors, parsed already.
    Yaml(yaml::Node<'t>),
}

impl<'t> Source<'t> {
    /// Recognizes JSON and YAML by the first character that is not blank: `{`, `[` and `"` start JSON.
    ///
    /// A UTF-8 byte order mark is skipped; [`Source::findings`] then has a warning.
    ///
    /// # Errors
    /// Fails if the text is larger than [`LARGEST_DOCUMENT`], is not UTF-8, is empty, or is neither JSON nor YAML by its
    /// start and cannot be parsed as YAML.
    pub fn new(bytes: &'t [u8]) -> Result<Self, Finding> {
        if bytes.len() > LARGEST_DOCUMENT {
            return Err(Finding::new(
                &rules::DOCUMENT_SIZE,
                DocPath::root(),
                Problem::TooLarge { limit: LARGEST_DOCUMENT },
            ));
        }
        let (text, findings) = encoding::decode(bytes)?;
        let size = text.len();
        let text = match text.trim_start_matches([' ', '\t', '\r', '\n']).chars().next() {
            None => {
                return Err(Finding::new(&rules::EMPTY_DOCUMENT, DocPath::root(), Problem::Empty).at(Position::START));
            }
            Some('{' | '[' | '"') => Text::Json(text),
            Some(_) => Text::Yaml(yaml::parse(text)?),
        };
        Ok(Self { text, size, findings })
    }

    /// Returns the warnings about the encoding of the text. Readers add them to their reports.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Reads the whole document.
    ///
    /// # Errors
    /// Fails if the syntax is broken.
    pub(crate) fn read<'s, T: Deserialize<'s>>(&'s self) -> Result<T, Finding> {
        self.read_with(PhantomData)
    }

    /// Reads the whole document with a seed.
    ///
    /// # Errors
    /// Fails if the syntax is broken. What the seed collected until then is not lost: it keeps its own list.
    pub(crate) fn read_with<'s, S: DeserializeSeed<'s>>(&'s self, seed: S) -> Result<S::Value, Finding> {
        match &self.text {
            Text::Json(text) => json::read(text, seed),
            Text::Yaml(node) => seed.deserialize(node).map_err(|error| error.0),
        }
    }

    /// Sets the position of every finding that has none, to the line and column of its path. Where the document does
    /// not contain the path, that is the position of the innermost member that it does contain.
    pub fn locate(&self, findings: &mut [Finding]) {
        let wanted: Vec<usize> = (0..findings.len()).filter(|at| findings[*at].position.is_none()).collect();
        if wanted.is_empty() {
            return;
        }
        let located = match &self.text {
            Text::Json(text) => json::locate(text, findings, &wanted),
            Text::Yaml(node) => yaml::locate(node, findings, &wanted),
        };
        for (number, position) in located {
            findings[number].position = Some(position);
        }
    }
}

/// Shows format and size. The text itself may contain secrets.
impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = match self.text {
            Text::Json(_) => "JSON",
            Text::Yaml(_) => "YAML",
        };
        write!(f, "Source({} bytes of {format})", self.size)
    }
}
