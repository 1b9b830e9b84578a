//! Checks of what a node needs, made on the node: their results.

use serde_json::{Value, json};

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The node has what it needs.
    Ok,
    /// The node may have a problem with it.
    Warning,
    /// The node lacks it.
    Failed,
    /// It could not be checked, or there is nothing to check.
    NotChecked,
}

impl Verdict {
    const ALL: [Self; 4] = [Self::Ok, Self::Warning, Self::Failed, Self::NotChecked];

    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Failed => "failed",
            Self::NotChecked => "not-checked",
        }
    }

    /// Returns the name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::NotChecked => "not checked",
            other => other.name(),
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was checked.
    pub name: String,
    /// How it ended.
    pub verdict: Verdict,
    /// What was found. Without secrets.
    pub detail: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Check {
    /// Returns the stable JSON form.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({"name": self.name, "verdict": self.verdict.name(), "detail": self.detail, "hint": self.hint})
    }

    /// Reads the JSON form. `None` if it is another kind of value.
    #[must_use]
    pub fn from_json(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let verdict = text("verdict")?;
        let verdict = Verdict::ALL.into_iter().find(|known| known.name() == verdict)?;
        Some(Self { name: text("name")?, verdict, detail: text("detail")?, hint: text("hint") })
    }
}
