//! Reads JSON and YAML, and reports problems of a document: location, rule and suggested fix.
//!
//! This module only knows syntax and locations. `configuration` and the other kinds of input know the meaning of
//! members: they read the tree of a [`Source`] and report [`Finding`]s by path, and [`Source::locate`] adds line and
//! column.
//!
//! To add a format: a parser that makes a tree and can find the position of a [`Step`], and a variant of `Text`.

mod deserializer;
pub(crate) mod duration;
mod encoding;
mod finding;
mod json;
mod locate;
mod path;
mod reader;
pub mod rules;
#[cfg(feature = "cli")]
pub(crate) mod stream;
mod suggest;
mod tree;
mod yaml;

pub(crate) use deserializer::{FieldName, Names, Spellings};
#[cfg(feature = "cli")]
pub(crate) use encoding::decode as decoded;
pub(crate) use finding::Findings;
pub use finding::{Finding, MOST_FINDINGS, Problem, Report};
pub use path::{DocPath, Position, Step};
pub(crate) use path::{Location, StepRef};
#[cfg(feature = "cli")]
pub(crate) use reader::read_tree;
pub(crate) use reader::{Document, fields, read_document};
pub use rules::{Rule, Severity};
pub(crate) use suggest::{is_misspelled, nearest};
use tree::All;
pub(crate) use tree::{ParsedTree, QUOTE, STRING, Tree, Wanted};

use std::borrow::Cow;
use std::fmt;

/// The size of the largest document that is read, in bytes: sixty times the capacity of `CustomData`.
pub const LARGEST_DOCUMENT: usize = 4 << 20;

/// The deepest nesting of YAML that is read. The contract nests six levels.
const DEEPEST_NESTING: usize = 120;

/// The text of a document whose syntax has been recognized.
pub struct Source<'t> {
    text: Text<'t>,
    /// The size of the text in bytes.
    size: usize,
    findings: Vec<Finding>,
}

enum Text<'t> {
    /// JSON, which is parsed when it is read.
    Json(&'t str),
    /// YAML 1.2 without anchors, and where its values are.
    Yaml(ParsedTree<'t>, yaml::Place),
}

impl<'t> Source<'t> {
    /// Recognizes JSON and YAML by the first character that is not blank: `{`, `[` and `"` start JSON.
    ///
    /// A UTF-8 byte order mark is skipped; [`Source::findings`] then has a warning.
    ///
    /// # Errors
    /// Fails if the text is larger than [`LARGEST_DOCUMENT`], is not UTF-8, is empty, or does not start like JSON and
    /// cannot be parsed as YAML.
    pub fn new(bytes: &'t [u8]) -> Result<Self, Finding> {
        if bytes.len() > LARGEST_DOCUMENT {
            return Err(Finding::new(
                &rules::DOCUMENT_SIZE,
                DocPath::root(),
                Problem::TooLarge { limit: LARGEST_DOCUMENT },
            ));
        }
        Self::of_any_size(bytes)
    }

    /// As [`Source::new`], for lists of which only a part is read.
    pub(crate) fn of_any_size(bytes: &'t [u8]) -> Result<Self, Finding> {
        let (text, findings) = encoding::decode(bytes)?;
        let size = text.len();
        let text = match text.trim_start_matches([' ', '\t', '\r', '\n']).chars().next() {
            None => {
                return Err(Finding::new(&rules::EMPTY_DOCUMENT, DocPath::root(), Problem::Empty).at(Position::START));
            }
            Some('{' | '[' | '"') => Text::Json(text),
            Some(_) => yaml::parse(text).map(|(tree, place)| Text::Yaml(tree, place))?,
        };
        Ok(Self { text, size, findings })
    }

    /// Returns the warnings about the encoding of the text, which readers add to their reports.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the content.
    ///
    /// # Errors
    /// Fails if the syntax is broken.
    pub(crate) fn tree(&self) -> Result<Cow<'_, ParsedTree<'t>>, Finding> {
        match self.parsed(All) {
            (tree, None) => Ok(tree),
            (_, Some(broken)) => Err(broken),
        }
    }

    /// Returns the wanted part of the content. If the syntax is broken, it ends before the error.
    pub(crate) fn parsed(&self, wanted: impl Wanted) -> (Cow<'_, ParsedTree<'t>>, Option<Finding>) {
        match &self.text {
            Text::Json(text) => {
                let (tree, broken) = json::parse(text, wanted);
                (Cow::Owned(tree), broken)
            }
            Text::Yaml(tree, _) => (Cow::Borrowed(tree), None),
        }
    }

    /// Sets the position of every finding without one to the line and column of its path. If the document does not
    /// contain the path, this is the position of the innermost member that it does contain.
    pub fn locate(&self, findings: &mut [Finding]) {
        let wanted: Vec<usize> = (0..findings.len()).filter(|at| findings[*at].position.is_none()).collect();
        if wanted.is_empty() {
            return;
        }
        let located = match &self.text {
            Text::Json(text) => json::locate(text, findings, &wanted),
            Text::Yaml(tree, place) => yaml::locate(tree, place, findings, &wanted),
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
            Text::Yaml(..) => "YAML",
        };
        write!(f, "Source({} bytes of {format})", self.size)
    }
}
