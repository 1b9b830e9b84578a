//! Explains why a node failed: from an exit code, its name, or a text in which a failure is shown.
//!
//! The text may be a result document, the log of the scripts, events of the guest agent, or what Azure, `az`, Terraform or
//! Karpenter make of a failed extension: JSON inside JSON inside JSON, cut off somewhere. What is known about each code is in
//! [`crate::catalogue::failures`].
//!
//! ```
//! use aks_node_controller::explain;
//!
//! let shown = r#"Error message: \"Enable failed: failed to execute command: command terminated with exit status=50\n[stdout]\n{ \"ExitCode\": \"50\""#;
//! let explanation = explain::of_text(shown).expect("it shows a failure");
//! assert_eq!((explanation.code, explanation.name), (50, "ERR_OUTBOUND_CONN_FAIL"));
//! ```

mod clues;
mod evidence;
mod wrappings;

use serde_json::{Value, json};

use crate::catalogue::exit_codes::EXIT_CODES;
use crate::catalogue::failures::{CONVENTIONAL, FAILURES};
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

/// Why a text is not explained.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFailure {
    /// The result in the text is a success.
    #[error("the result is a success: ExitCode is 0")]
    Success,
    /// The text has a code that nothing is known about.
    #[error("exit code {0} is unknown")]
    Unknown(i64),
    /// The text shows no failure of a node.
    #[error("no exit code and no ERR_ name is found in the text")]
    NotFound,
}

/// Explains a code. `None` if nothing ends with it.
#[must_use]
pub fn of_code(code: u8) -> Option<Explanation> {
    let constant = EXIT_CODES.iter().find(|row| row.code == code).map(|row| (row.name, row.meaning));
    let shell = || CONVENTIONAL.iter().find(|row| row.0 == code).map(|row| (row.1, row.2));
    let (name, meaning) = constant.or_else(shell)?;
    let failure = FAILURES.iter().find(|row| row.code == code);
    let (stage, causes, checks, misleading) = match failure {
        Some(row) => (row.stage, row.causes, row.checks, row.misleading),
        None => ("any", OTHER_VERSION, LOGS, &[][..]),
    };
    let (causes, checks) = (causes.to_vec(), checks.to_vec());
    Some(Explanation { code, name, meaning, stage, causes, checks, misleading, evidence: None, step: None })
}

const OTHER_VERSION: &[&str] = &["The scripts are of another version: no script ends with this code any more"];
const LOGS: &[&str] = &["Read the last steps: `tail -n 50 /var/log/azure/cluster-provision.log`"];

/// Explains a constant of the scripts, with or without `ERR_`, or the name that Azure makes of it, such as
/// `OutboundConnFailVMExtensionError`. Letter case does not matter.
#[must_use]
pub fn of_name(name: &str) -> Option<Explanation> {
    of_code(wrappings::code_of_name(name)?)
}

/// Returns the constant that a name is most likely meant to be.
#[must_use]
pub fn nearest_name(name: &str) -> Option<&'static str> {
    nearest(name, EXIT_CODES.iter().map(|row| row.name))
}

/// Explains the failure that a text shows.
///
/// # Errors
/// [`NoFailure`] if the text shows a success, nothing that is known, or nothing at all.
pub fn of_text(text: &str) -> Result<Explanation, NoFailure> {
    let shown = wrappings::find(text).ok_or(NoFailure::NotFound)?;
    if shown.code == 0 {
        return Err(NoFailure::Success);
    }
    let known = u8::try_from(shown.code).ok().and_then(of_code);
    let mut explanation = known.ok_or(NoFailure::Unknown(shown.code))?;
    explanation.evidence = evidence::line(&shown);
    explanation.step = evidence::last_step(&shown.output);
    let found = clues::found(explanation.code, &shown);
    for clue in found.iter().rev() {
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
