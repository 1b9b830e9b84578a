//! Differences, and their output as JSON.

use serde::Serialize;
use serde_json::{Value, json};

use super::value::{Place, SideValue};
use crate::catalogue::formats::Format;

/// A part of an artifact that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Part {
    /// The variables of the node's scripts.
    Variables,
    /// Files on the node.
    Files,
    /// The fields of the Configuration.
    Configuration,
    /// The CSE command without its variables.
    Command,
    /// Commands that cloud-init runs.
    Runs,
    /// Contents of cloud-config, Ignition and scripts other than files, variables and commands.
    Documents,
}

impl Part {
    /// Every part, in the order of the output.
    pub const ALL: [Self; 6] =
        [Self::Variables, Self::Files, Self::Configuration, Self::Command, Self::Runs, Self::Documents];

    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Variables => "variables",
            Self::Files => "files",
            Self::Configuration => "configuration",
            Self::Command => "command",
            Self::Runs => "runs",
            Self::Documents => "documents",
        }
    }
}

/// One difference inside a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detail {
    /// Its location.
    pub place: Place,
    /// The value of the first side; `None` if it has none.
    pub a: Option<SideValue>,
    /// The value of the second side; `None` if it has none.
    pub b: Option<SideValue>,
}

/// A variable or a document that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangedText {
    /// The name.
    pub name: String,
    /// The format by which it was compared.
    pub format: Format,
    /// The value of the first side; `None` if it has none.
    pub a: Option<SideValue>,
    /// The value of the second side; `None` if it has none.
    pub b: Option<SideValue>,
    /// The differences inside a value with a format or an encoding. Empty for secrets.
    pub details: Vec<Detail>,
}

/// How a file differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FileChange {
    /// Only the second side has it.
    Added,
    /// Only the first side has it.
    Removed,
    /// Its content.
    Content,
    /// Its permission bits.
    Mode,
    /// Its owner.
    Owner,
}

/// A file that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangedFile {
    /// The absolute path on the node.
    pub path: String,
    /// How it differs. A file that differs in several ways is listed once for each.
    pub change: FileChange,
    /// The format by which the content was compared.
    pub format: Format,
    /// Size, mode or owner on the first side; `None` if it has no such file.
    pub a: Option<String>,
    /// The same on the second side.
    pub b: Option<String>,
    /// The differences in the content.
    pub details: Vec<Detail>,
}

/// The differences between two sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Differences {
    /// Variables, in byte order of their names.
    pub variables: Vec<ChangedText>,
    /// Files, in byte order of their paths.
    pub files: Vec<ChangedFile>,
    /// Fields of the Configuration, in the order of the contract.
    pub configuration: Vec<Detail>,
    /// Words of the command, without its variables.
    pub command: Vec<Detail>,
    /// Commands that cloud-init runs.
    pub runs: Vec<Detail>,
    /// Other contents of the documents for cloud-init or Ignition.
    pub documents: Vec<ChangedText>,
    /// Parts that were not compared, because one of the sides cannot have them.
    pub skipped: Vec<Part>,
}

impl Detail {
    fn to_json(&self, clear: bool) -> Value {
        pair("path", &self.place.to_string(), self.a.as_ref(), self.b.as_ref(), clear)
    }

    fn mirrored(self) -> Self {
        Self { place: self.place.mirrored(), a: self.b, b: self.a }
    }
}

impl ChangedText {
    fn to_json(&self, clear: bool) -> Value {
        with_details(pair("name", &self.name, self.a.as_ref(), self.b.as_ref(), clear), &self.details, clear)
    }

    fn mirrored(self) -> Self {
        Self { a: self.b, b: self.a, details: mirrored(self.details), ..self }
    }
}

impl ChangedFile {
    fn to_json(&self, clear: bool) -> Value {
        let object = json!({"path": self.path, "change": self.change, "a": self.a, "b": self.b});
        with_details(object, &self.details, clear)
    }

    fn mirrored(self) -> Self {
        let change = match self.change {
            FileChange::Added => FileChange::Removed,
            FileChange::Removed => FileChange::Added,
            other => other,
        };
        Self { change, a: self.b, b: self.a, details: mirrored(self.details), ..self }
    }
}

/// Returns two values, and a note that they differ in a secret if both are shown as the same text.
fn pair(key: &str, name: &str, a: Option<&SideValue>, b: Option<&SideValue>, clear: bool) -> Value {
    let value = |side: Option<&SideValue>| side.map(|value| value.to_json(clear));
    let mut object = json!({key: name, "a": value(a), "b": value(b)});
    if matches!((a, b), (Some(a), Some(b)) if a.text(false) == b.text(false)) {
        object["secret"] = true.into();
    }
    object
}

fn with_details(mut object: Value, details: &[Detail], clear: bool) -> Value {
    if !details.is_empty() {
        object["details"] = details.iter().map(|detail| detail.to_json(clear)).collect();
    }
    object
}

fn mirrored(details: Vec<Detail>) -> Vec<Detail> {
    details.into_iter().map(Detail::mirrored).collect()
}

impl Differences {
    /// Reports whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
            && self.files.is_empty()
            && self.configuration.is_empty()
            && self.command.is_empty()
            && self.runs.is_empty()
            && self.documents.is_empty()
    }

    /// Reports whether any part was compared.
    #[must_use]
    pub fn is_comparison(&self) -> bool {
        self.skipped.len() < Part::ALL.len()
    }

    /// Returns the output of `diff --format json`. `clear` shows secrets.
    #[must_use]
    pub fn to_json(&self, clear: bool) -> Value {
        let details = |list: &[Detail]| list.iter().map(|detail| detail.to_json(clear)).collect::<Value>();
        let texts = |list: &[ChangedText]| list.iter().map(|change| change.to_json(clear)).collect::<Value>();
        json!({
            "equal": self.is_empty(),
            "variables": texts(&self.variables),
            "files": self.files.iter().map(|file| file.to_json(clear)).collect::<Value>(),
            "configuration": details(&self.configuration),
            "command": details(&self.command),
            "runs": details(&self.runs),
            "documents": texts(&self.documents),
            "notCompared": self.skipped.iter().map(|part| part.name()).collect::<Value>(),
        })
    }

    /// Returns the same differences with the sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self {
            variables: self.variables.into_iter().map(ChangedText::mirrored).collect(),
            files: self.files.into_iter().map(ChangedFile::mirrored).collect(),
            configuration: mirrored(self.configuration),
            command: mirrored(self.command),
            runs: mirrored(self.runs),
            documents: self.documents.into_iter().map(ChangedText::mirrored).collect(),
            skipped: self.skipped,
        }
    }
}
