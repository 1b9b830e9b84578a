//! Texts and what is wrong with them: readers for JSON and YAML, places in a text, findings.
//!
//! This room knows syntax and places only. What the members of a document mean stands in `configuration` (and in every
//! other kind of input), which reads through [`Source::read`] and reports [`Finding`]s that this room then gives a
//! line and a column.
//!
//! To add a format: a reader that offers a serde `Deserializer` and can find a [`Step`] again, and an arm in [`Source`].

pub(crate) mod duration;
mod finding;
mod json;
mod locate;
mod path;
mod suggest;
mod tree;
mod yaml;

pub use finding::{Finding, Problem, Report, Severity};
pub use path::{DocPath, Place, Position, Step, Stride};
pub use suggest::nearest;
pub use tree::{Object, Tree, read_document};

use serde::de::DeserializeSeed;

/// Larger documents are refused before they are parsed: this is sixty times what `CustomData` can carry.
pub const LARGEST_DOCUMENT: usize = 4 << 20;

/// Deeper documents are refused: the contract nests six levels.
pub const DEEPEST_NESTING: usize = 120;

/// The text of a document together with what is known of its syntax.
#[derive(Debug)]
pub struct Source<'t>(Text<'t>);

#[derive(Debug)]
enum Text<'t> {
    /// Judged by `serde_json` while it is read.
    Json(&'t str),
    /// YAML 1.2 without anchors, already parsed.
    Yaml(yaml::Node<'t>),
}

impl<'t> Source<'t> {
    /// Decides between JSON and YAML by the first character that is not blank: `{`, `[` and `"` begin JSON.
    ///
    /// # Errors
    /// A text that is too large, not UTF-8, begins with a byte order mark, is empty, or is not YAML where it is not JSON.
    pub fn new(bytes: &'t [u8]) -> Result<Self, Finding> {
        if bytes.len() > LARGEST_DOCUMENT {
            return Err(Finding::error(DocPath::root(), Problem::TooLarge { limit: LARGEST_DOCUMENT }));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let good = &bytes[..error.valid_up_to()];
            Finding::error(DocPath::root(), Problem::NotUtf8)
                .at(Position::after(&String::from_utf8_lossy(good)))
                .hint("the document must be text; for protobuf give `--input-format protobuf`")
        })?;
        if text.starts_with('\u{feff}') {
            return Err(Finding::error(DocPath::root(), Problem::ByteOrderMark)
                .at(Position::START)
                .hint("save the file as UTF-8 without a byte order mark"));
        }
        match text.trim_start_matches([' ', '\t', '\r', '\n']).chars().next() {
            None => Err(Finding::error(DocPath::root(), Problem::Empty).at(Position::START)),
            Some('{' | '[' | '"') => Ok(Self(Text::Json(text))),
            Some(_) => yaml::parse(text).map(Text::Yaml).map(Self),
        }
    }

    /// Reads the whole document with a seed.
    ///
    /// # Errors
    /// The text breaks the syntax. What the seed noticed until then is not lost: it keeps its own list.
    pub fn read<S>(&self, seed: S) -> Result<(), Finding>
    where
        S: for<'de> DeserializeSeed<'de, Value = ()>,
    {
        match &self.0 {
            Text::Json(text) => json::read(text, seed),
            Text::Yaml(node) => seed.deserialize(node).map_err(|error| error.0),
        }
    }

    /// Gives every finding that has none yet the line and column of its path.
    pub fn locate(&self, findings: &mut [Finding]) {
        let wanted: Vec<usize> = (0..findings.len()).filter(|at| findings[*at].position.is_none()).collect();
        if wanted.is_empty() {
            return;
        }
        let placed = match &self.0 {
            Text::Json(text) => json::locate(text, findings, &wanted),
            Text::Yaml(node) => yaml::locate(node, findings, &wanted),
        };
        for (number, position) in placed {
            findings[number].position = Some(position);
        }
    }
}
