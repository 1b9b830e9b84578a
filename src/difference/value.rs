//! Values as they are shown: without secrets, and with the place where they differ.

use std::fmt;
use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Number, Value};

use crate::Secret;
use crate::catalogue::REDACTED;
use crate::configuration::{Configuration, Message, Slot};
use crate::document::{DocPath, Step, Tree};
use crate::inputs::is_secret_name;
use crate::inspection::{Inspection, is_secret, without_long_base64};
use crate::rendering::ShellWord;

/// A value of one side. `Debug` prints what may be shown.
#[derive(Clone, PartialEq, Eq)]
pub struct SideValue {
    clear: Secret<'static>,
    /// What is shown instead of a text with a secret in it.
    redacted: Option<String>,
    is_json: bool,
}

impl SideValue {
    /// Returns the text for people, of a value in a document as JSON. Secrets read `[redacted]` unless `clear` is set.
    #[must_use]
    pub fn text(&self, clear: bool) -> &str {
        match &self.redacted {
            Some(redacted) if !clear => redacted,
            _ => self.clear.expose(),
        }
    }

    /// Returns the value for programs: of a value in a document itself, otherwise a string.
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

/// Where a difference is.
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

/// The secrets of both sides, which no value shows.
#[derive(Default)]
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    /// Replacing shorter texts would make any text unreadable.
    const SHORTEST: usize = 6;

    pub(super) fn of(sides: [&Inspection; 2]) -> Self {
        let mut secrets = Self::default();
        for side in sides {
            for (name, value) in &side.variables {
                if is_secret(name) {
                    secrets.add(value.expose());
                }
            }
            if let Some(configuration) = configuration(side) {
                secrets.add_fields(configuration);
            }
        }
        // A secret may be part of another one.
        secrets.0.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        secrets.0.dedup();
        secrets
    }

    /// Adds a secret and what it carries in base64, as text, JSON and shells write them, and its own base64.
    fn add(&mut self, secret: &str) {
        if secret.len() < Self::SHORTEST {
            return;
        }
        let decoded = crate::delivery::decoded_text(secret).filter(|text| text.len() >= Self::SHORTEST);
        for text in [Some(secret), decoded.as_deref()].into_iter().flatten() {
            let json = serde_json::to_string(text).unwrap_or_default();
            self.0.push(json.trim_matches('"').to_owned());
            self.0.push(ShellWord::quote(text).to_string());
            self.0.push(text.to_owned());
        }
        self.0.push(STANDARD.encode(secret));
    }

    fn add_fields(&mut self, message: &dyn Message) {
        for (index, field) in message.descriptor().fields.iter().enumerate() {
            match message.slot(index) {
                Slot::Text(text) | Slot::OptionalText(Some(text)) if field.secret => self.add(text),
                Slot::Message(Some(inner)) => self.add_fields(inner),
                _ => {}
            }
        }
    }

    /// Returns a text without the secrets; `None` if it has none.
    fn without(&self, text: &str) -> Option<String> {
        let mut shown = None;
        for secret in &self.0 {
            let text = shown.as_deref().unwrap_or(text);
            if text.contains(secret.as_str()) {
                shown = Some(text.replace(secret.as_str(), REDACTED));
            }
        }
        shown
    }
}

/// Returns the Configuration of a side, or the one that its input is equivalent to.
pub(super) fn configuration(side: &Inspection) -> Option<&Configuration> {
    use crate::inputs::NodeInput;
    side.configuration.as_deref().or_else(|| side.input.as_ref()?.configuration())
}

/// Makes values of one text: a variable, a file or a document.
#[derive(Clone, Copy)]
pub(super) struct Writer<'s> {
    pub(super) secrets: &'s Secrets,
    /// How much of the values may be shown.
    pub(super) shown: Shown,
    /// Whether texts in a document are told apart from other values.
    pub(super) is_typed: bool,
}

/// How much of a text may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// All but the secrets that are known.
    Text,
    /// The same without values whose name sounds secret.
    File,
    /// The same without long runs of base64, which may carry secrets.
    Shell,
    /// Nothing.
    Nothing,
}

impl<'s> Writer<'s> {
    /// Returns a writer for documents, in which texts are told apart from other values.
    pub(super) const fn new(secrets: &'s Secrets, shown: Shown) -> Self {
        Self { secrets, shown, is_typed: true }
    }

    pub(super) fn plain(&self, text: impl Into<String>) -> SideValue {
        self.value(text.into(), false)
    }

    /// Returns the place of a path, without secrets in its names. Formats other than JSON, YAML and TOML have no notation of
    /// their own for one.
    pub(super) fn place(&self, path: &DocPath) -> Place {
        let path = if self.is_typed { path.to_string() } else { names(path) };
        Place::Path(self.secrets.without(&path).unwrap_or(path))
    }

    /// Returns a value of a document.
    pub(super) fn leaf(&self, path: &DocPath, tree: &Tree) -> SideValue {
        let hides_names = matches!(self.shown, Shown::File | Shown::Shell);
        let sounds_secret = path.0.iter().any(|step| match step {
            Step::Unknown(name) | Step::Key(name) => is_secret_name(name),
            Step::Field { .. } | Step::Index(_) => false,
        });
        if hides_names && sounds_secret {
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
            Shown::Text | Shown::File => self.secrets.without(&clear),
            Shown::Shell => {
                let known = self.secrets.without(&clear);
                let short = without_long_base64(known.as_deref().unwrap_or(&clear));
                if short == clear { known } else { Some(short) }
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
