//! Explanations as conditions of Kubernetes objects.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Explanation, NoFailure};
use crate::redaction::Redactor;

/// The type of the condition.
const TYPE: &str = "NodeProvisioned";

/// What stands before the cause and the evidence in a message.
pub(super) const CAUSE: &str = "Likely cause: ";
pub(super) const EVIDENCE: &str = "Evidence: ";

/// The most bytes of a message that the API server accepts.
const LONGEST_MESSAGE: usize = 32 * 1024;

/// A condition, as a controller puts it on an object. The time of the transition is the controller's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Condition {
    /// `NodeProvisioned`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// `False` if the node failed, `True` for a success, else `Unknown`.
    pub status: &'static str,
    /// In CamelCase: the code or the failure.
    pub reason: String,
    /// What happened, the cause, the evidence and a check, on one line, without secrets.
    pub message: String,
}

impl Condition {
    fn new(status: &'static str, reason: &str, message: &str) -> Self {
        let words: Vec<_> =
            message.split(|character: char| character.is_whitespace() || character.is_control()).collect();
        let mut message = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        message.truncate(message.floor_char_boundary(LONGEST_MESSAGE));
        Self { kind: TYPE, status, reason: reason.to_owned(), message }
    }

    /// Returns the stable JSON form.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!(self)
    }
}

impl Explanation {
    /// Returns the failure as a condition.
    #[must_use]
    pub fn condition(&self) -> Condition {
        let mut message = format!("{}: {}", self.layer.name(), self.meaning);
        if let (Some(code), Some(name)) = (self.code, self.name) {
            message = format!("{}: exit code {code} ({name}): {}", self.layer.name(), self.meaning);
        }
        if let Some(cause) = self.causes.first() {
            message = format!("{message} {CAUSE}{}.", cause.cause);
        }
        if let Some(evidence) = &self.evidence {
            message = format!("{message} {EVIDENCE}{evidence}.");
        }
        if let Some(check) = self.checks.first() {
            message = format!("{message} {check}");
        }
        Condition::new("False", &self.reason, &Redactor::default().redact(&message))
    }
}

impl NoFailure {
    /// Returns the condition of a text without a failure.
    #[must_use]
    pub fn condition(&self) -> Condition {
        match self {
            Self::Success => Condition::new("True", "Succeeded", "The text shows a success."),
            Self::Unknown(code) => Condition::new(
                "Unknown",
                "NotRecognized",
                &format!("The text has the exit code {code}, which is unknown."),
            ),
            Self::NotFound => Condition::new("Unknown", "NotRecognized", &format!("The text {self}.")),
        }
    }
}

/// Returns the reason for the name of a code in CamelCase: `ERR_OUTBOUND_CONN_FAIL` is `OutboundConnFail`.
pub(super) fn reason_of(name: &str) -> String {
    let name = name.strip_prefix("ERR_").unwrap_or(name);
    let words = name.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut reason = String::new();
    for word in words {
        let (first, rest) = word.split_at(1);
        reason.push_str(&first.to_ascii_uppercase());
        reason.push_str(&rest.to_ascii_lowercase());
    }
    // A reason starts with a letter.
    if reason.starts_with(|first: char| first.is_ascii_digit()) { format!("Code{reason}") } else { reason }
}
