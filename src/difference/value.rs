//! Values as they are shown, without secrets, and the places where they differ.

use std::fmt;
use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Number, Value};

use crate::Secret;
use crate::catalogue::REDACTED;
use crate::configuration::Configuration;
use crate::document::{DocPath, Step, Tree};
use crate::inspection::Inspection;
use crate::redaction::{Redactor, announces, is_meaningful, is_secret_name};

/// A value of one side. `Debug` prints what may be shown.
#[derive(Clone, PartialEq, Eq)]
pub struct SideValue {
    clear: Secret<'static>,
    /// The text to show instead of one that contains a secret.
    redacted: Option<String>,
    is_json: bool,
}

impl SideValue {
    /// Returns the text for people; a value in a document is JSON. Shows `[redacted]` for secrets unless `clear` is
    /// set.
    #[must_use]
    pub fn text(&self, clear: bool) -> &str {
        match &self.redacted {
            Some(redacted) if !clear => redacted,
            _ => self.clear.expose(),
        }
    }

    /// Returns the value for programs: a value in a document itself, otherwise a string.
    #[must_use]
    pub fn to_json(&self, clear: bool) -> Value {
        let text = self.text(clear);
        if self.is_json { serde_json::from_str(text).unwrap_or_else(|_| text.into()) } else { text.into() }
    }
}

impl fmt::Debug for SideValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text(false).fmt(f)
    }
}

/// The location of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A path into a document, such as `plugins["io.containerd.grpc.v1.cri"].sandbox_image`.
    Path(String),
    /// Lines of a text on both sides, from 0.
    Lines(Range<usize>, Range<usize>),
    /// Words of a command on both sides, from 0.
    Words(Range<usize>, Range<usize>),
}

impl Place {
    pub(super) fn mirrored(self) -> Self {
        match self {
            Self::Path(path) => Self::Path(path),
            Self::Lines(a, b) => Self::Lines(b, a),
            Self::Words(a, b) => Self::Words(b, a),
        }
    }
}

/// Prints a path as it is, and lines and words with their numbers from 1.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, a, b) = match self {
            Self::Path(path) => return f.write_str(path),
            Self::Lines(a, b) => ("line", a, b),
            Self::Words(a, b) => ("word", a, b),
        };
        let numbers = |range: &Range<usize>| match range.len() {
            0 | 1 => (range.start + 1).to_string(),
            _ => format!("{}-{}", range.start + 1, range.end),
        };
        let plural = if a.len().max(b.len()) > 1 { "s" } else { "" };
        match (numbers(a), numbers(b)) {
            (one, other) if one == other => write!(f, "{unit}{plural} {one}"),
            (one, _) if b.is_empty() => write!(f, "{unit}{plural} {one}"),
            (_, other) if a.is_empty() => write!(f, "{unit}{plural} {other}"),
            (one, other) => write!(f, "{unit}{plural} {one} / {other}"),
        }
    }
}

/// Returns the Configuration of a side, or the equivalent of its input.
pub(super) fn configuration(side: &Inspection) -> Option<&Configuration> {
    use crate::inputs::NodeInput;
    side.configuration.as_deref().or_else(|| side.input.as_ref()?.configuration())
}

/// Creates values for one text: a variable, a file or a document.
#[derive(Clone, Copy)]
pub(super) struct Writer<'s> {
    pub(super) secrets: &'s Redactor,
    /// How much of the values can be shown.
    pub(super) shown: Shown,
    /// Whether texts in a document are distinguished from other values.
    pub(super) is_typed: bool,
    /// Whether a name says that a text in a document is secret.
    pub(super) is_announced: bool,
}

/// How much of a text can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// Everything except known secrets.
    Text,
    /// Also not values whose name sounds secret.
    File,
    /// Nothing.
    Nothing,
}

impl<'s> Writer<'s> {
    /// Returns a writer for documents, in which texts are distinguished from other values.
    pub(super) const fn new(secrets: &'s Redactor, shown: Shown) -> Self {
        Self { secrets, shown, is_typed: true, is_announced: false }
    }

    pub(super) fn plain(&self, text: impl Into<String>) -> SideValue {
        self.value(text.into(), false)
    }

    /// Returns a value and the same text without secrets.
    pub(super) fn redacted(&self, clear: String, redacted: String) -> SideValue {
        if self.shown == Shown::Nothing {
            return self.plain(clear);
        }
        let redacted = Some(redacted).filter(|redacted| *redacted != clear);
        SideValue { clear: clear.into(), redacted, is_json: false }
    }

    /// Returns a writer for a member of an object: its name, or that in another member, may say that it is secret.
    pub(super) fn for_member(&self, name: &str, object: &[(String, Tree)]) -> Self {
        let is_name = |(field, value): &(String, Tree)| {
            ["name", "key"].contains(&field.as_str()) && matches!(value, Tree::Text(text) if announces(text))
        };
        Self { is_announced: announces(name) || name == "value" && object.iter().any(is_name), ..*self }
    }

    /// Returns the location of a path, without secrets in its names. Only JSON, YAML and TOML have a notation for
    /// paths.
    pub(super) fn place(&self, path: &DocPath) -> Place {
        let path = if self.is_typed { path.to_string() } else { names(path) };
        Place::Path(self.secrets.redact(&path).into_string())
    }

    /// Returns a value of a document.
    pub(super) fn leaf(&self, path: &DocPath, tree: &Tree) -> SideValue {
        let hides_names = self.shown == Shown::File;
        let sounds_secret = path.0.iter().any(|step| match step {
            Step::Unknown(name) | Step::Key(name) => is_secret_name(name),
            Step::Field { .. } | Step::Index(_) => false,
        });
        let is_announced = self.is_announced && matches!(tree, Tree::Text(text) if is_meaningful(text.as_bytes()));
        if self.shown != Shown::Nothing && (hides_names && sounds_secret || is_announced) {
            return Self { shown: Shown::Nothing, ..*self }.leaf(path, tree);
        }
        match tree {
            Tree::Text(text) if !self.is_typed => self.plain(text.as_str()),
            _ => self.value(text(tree), true),
        }
    }

    fn value(&self, clear: String, is_json: bool) -> SideValue {
        let redacted = match self.shown {
            Shown::Nothing if clear.is_empty() => None,
            Shown::Nothing => Some(REDACTED.to_owned()),
            Shown::Text | Shown::File => {
                Some(self.secrets.redact(&clear).into_string()).filter(|redacted| *redacted != clear)
            }
        };
        SideValue { clear: clear.into(), redacted, is_json }
    }
}

/// Returns JSON in which equal values have equal texts: members are sorted.
pub(super) fn text(tree: &Tree) -> String {
    json(tree).to_string()
}

fn json(tree: &Tree) -> Value {
    match tree {
        Tree::Null => Value::Null,
        Tree::Bool(value) => (*value).into(),
        Tree::Integer(number) => (*number).into(),
        Tree::Number(number) => Number::from_f64(*number).map_or_else(|| number.to_string().into(), Value::Number),
        Tree::Text(text) => text.as_str().into(),
        Tree::Bytes(bytes) => format!("!!binary {}", STANDARD.encode(bytes)).into(),
        Tree::List(list) => list.iter().map(json).collect(),
        Tree::Map(members) => members.iter().map(|(name, value)| (name.clone(), json(value))).collect(),
    }
}

/// Returns the names in a path.
fn names(path: &DocPath) -> String {
    let names = path.0.iter().map(|step| match step {
        Step::Field { name, .. } => (*name).to_owned(),
        Step::Unknown(name) | Step::Key(name) => name.clone(),
        Step::Index(index) => index.to_string(),
    });
    names.collect::<Vec<_>>().join(" > ")
}
