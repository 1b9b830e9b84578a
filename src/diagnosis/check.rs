//! Results of checks on the node.

use serde::{Deserialize, Serialize};

/// The verdict of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Verdict {
    /// The requirement is met.
    Ok,
    /// The node may have a problem with it.
    Warning,
    /// The node lacks it.
    Failed,
    /// It could not be checked, or nothing needs a check.
    NotChecked,
}

impl Verdict {
    /// Returns the name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Failed => "failed",
            Self::NotChecked => "not checked",
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Check {
    /// The subject of the check.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The finding, without secrets.
    pub detail: String,
    /// A suggested fix.
    pub hint: Option<String>,
}
