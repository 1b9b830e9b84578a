//! Explains why a node failed: from an exit code, its name, or a text in which a failure is shown.
//!
//! The text may be a result document, the log of the scripts, events of the guest agent, or what Azure, `az`, Terraform or
//! Karpenter make of a failed extension: JSON inside JSON inside JSON, cut off somewhere. What is known about each code is in
//! [`crate::catalogue::exit_codes`].
//!
//! ```
//! use aks_node_controller::explain;
//!
//! let shown = r#"Error message: \"Enable failed: failed to execute command: command terminated with exit status=50\n[stdout]\n{ \"ExitCode\": \"50\""#;
//! let explanation = explain::of_text(shown).expect("it shows a failure");
//! assert_eq!((explanation.code, explanation.name), (50, "ERR_OUTBOUND_CONN_FAIL"));
//! ```

mod evidence;
mod presentable;
mod wrappings;

pub(crate) use evidence::ended_step;
pub(crate) use presentable::presentable;

use serde_json::{Value, json};

use crate::catalogue::exit_codes::{ExitCode, constants, exit_code};
use crate::document::nearest;

/// What is known about a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// 1 to 255.
    pub code: u8,
    /// The constant of the scripts, or what shells call the code.
    pub name: &'static str,
    /// What happened, in a sentence.
    pub meaning: &'static str,
    /// The part of the run that ends with the code.
    pub stage: &'static str,
    /// Likely causes, the most likely first. What the text points to comes before what is likely in general.
    pub causes: Vec<&'static str>,
    /// What to check, with commands between backticks.
    pub checks: Vec<&'static str>,
    /// What the code is often mistaken for.
    pub misleading: &'static [&'static str],
    /// The line of the text that says most. Without secrets and control characters.
    pub evidence: Option<String>,
    /// The last step of which the text says that it ran.
    pub step: Option<String>,
}

impl Explanation {
    /// Returns the lists for people, each with its title; the likely causes are in order, so their items have numbers.
    #[must_use]
    pub fn lists(&self) -> [(&'static str, Vec<String>); 3] {
        let numbered = self.causes.iter().enumerate().map(|(at, cause)| format!("{}. {cause}", at + 1));
        let dashed = |items: &[&str]| items.iter().map(|item| format!("-  {item}")).collect();
        [
            ("Likely causes", numbered.collect()),
            ("What to check", dashed(&self.checks)),
            ("Easily mistaken", dashed(self.misleading)),
        ]
    }
}

/// Why a text is not explained.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFailure {
    /// The result in the text is a success.
    #[error(
        "shows a success: ExitCode is 0, or the extension succeeded\n  hint: if the node does not join the cluster all the \
         same, read why: journalctl --unit=kubelet --boot --no-pager --lines=50"
    )]
    Success,
    /// The text has a code that nothing is known about.
    #[error("exit code {0} is unknown")]
    Unknown(i64),
    /// The failure is of another extension, which has codes of its own.
    #[error("is about the extension `{0}`, not about the one that makes a node, such as `vmssCSE`")]
    OtherExtension(String),
    /// The failure is of a Windows node, which has codes of its own.
    #[error("is about a Windows node, whose codes have other meanings")]
    Windows,
    /// Azure got no result from the node.
    #[error(
        "has no code: Azure got no result of the extension in time\n  hint: the guest agent does not run, or does not reach \
         168.63.129.16; read the serial console and /var/log/waagent.log"
    )]
    NoResult,
    /// The text shows no failure of a node.
    #[error(
        "shows no exit code, no ERR_ name and no known message\n  hint: pass /var/log/azure/aks/provision.json or \
         /var/log/azure/cluster-provision.log of the node, or the error that Azure shows for its extension"
    )]
    NotFound,
}

/// Explains a code. `None` if nothing ends with it.
#[must_use]
pub fn of_code(code: u8) -> Option<Explanation> {
    exit_code(code).map(of_row)
}

fn of_row(row: &'static ExitCode) -> Explanation {
    /// For a code that no script ends with any more.
    const OTHER_VERSION: &[&str] = &["The scripts are of another version: no script ends with this code any more"];
    const LOGS: &[&str] = &["Read the last steps: `tail -n 50 /var/log/azure/cluster-provision.log`"];
    let (stage, causes, checks) = match row.stage {
        "" => ("any", OTHER_VERSION, LOGS),
        stage => (stage, row.causes, row.checks),
    };
    Explanation {
        code: row.code,
        name: row.name,
        meaning: row.meaning,
        stage,
        causes: causes.to_vec(),
        checks: checks.to_vec(),
        misleading: row.misleading,
        evidence: None,
        step: None,
    }
}

/// Explains a constant of the scripts, with or without `ERR_`, or the name that Azure makes of it, such as
/// `OutboundConnFailVMExtensionError`. Letter case does not matter.
#[must_use]
pub fn of_name(name: &str) -> Option<Explanation> {
    of_code(wrappings::code_of_name(name)?)
}

/// Returns the constants of all codes, by code.
pub fn names() -> impl Iterator<Item = &'static str> {
    constants().map(|row| row.name)
}

/// Returns the constant that a name is most likely meant to be. Letter case and `ERR_` do not matter.
#[must_use]
pub fn nearest_name(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_uppercase().replace('-', "_");
    let whole = if name.starts_with("ERR") { name } else { format!("ERR_{name}") };
    nearest(&whole, names())
}

/// Explains the failure that a text shows.
///
/// # Errors
/// [`NoFailure`] if the text shows a success, nothing that is known, or nothing at all.
pub fn of_text(text: &str) -> Result<Explanation, NoFailure> {
    let shown = wrappings::find(text)?;
    let row = u8::try_from(shown.code).ok().and_then(exit_code).ok_or(NoFailure::Unknown(shown.code))?;
    let mut explanation = of_row(row);
    explanation.evidence = evidence::line(&shown);
    explanation.step = evidence::last_step(&shown.output);
    for clue in evidence::clues(row, &shown).into_iter().rev() {
        explanation.causes.retain(|cause| *cause != clue.cause);
        explanation.causes.insert(0, clue.cause);
        if let Some(check) = clue.check
            && !explanation.checks.contains(&check)
        {
            explanation.checks.insert(0, check);
        }
    }
    Ok(explanation)
}

impl Explanation {
    /// Returns the stable JSON form.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "code": self.code,
            "name": self.name,
            "meaning": self.meaning,
            "stage": self.stage,
            "causes": self.causes,
            "checks": self.checks,
            "misleading": self.misleading,
            "step": self.step,
            "evidence": self.evidence,
        })
    }
}
