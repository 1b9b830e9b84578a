//! Explains why a node failed, from an exit code, its name, or a text that shows a failure.
//!
//! The text can be a result document, the log of the scripts, of the kubelet, cloud-init, Ignition or the guest agent, events, or
//! the error that Azure, `az`, Terraform or Karpenter show: JSON inside JSON inside JSON, truncated somewhere.
//! `catalogue::exit_codes` has a row for each code, `catalogue::failures` one for each failure that has none.
//!
//! ```
//! use aks_node_controller::catalogue::failures::Layer;
//! use aks_node_controller::explain;
//!
//! let shown = r#"Error message: \"Enable failed: failed to execute command: command terminated with exit status=50\n[stdout]\n{ \"ExitCode\": \"50\""#;
//! let explanation = explain::explain(shown).expect("it shows a failure");
//! assert_eq!((explanation.code, explanation.name), (Some(50), Some("ERR_OUTBOUND_CONN_FAIL")));
//!
//! let shown = r#""Unable to register node with API server" err="Unauthorized""#;
//! let explanation = explain::explain(shown).expect("it shows a failure");
//! assert_eq!((explanation.layer, explanation.code), (Layer::Registration, None));
//! ```

mod alerts;
mod answers;
mod calls;
mod codes;
mod collected;
mod condition;
mod csv;
mod cut;
mod entries;
mod evidence;
mod extensions;
pub(crate) mod journal;
mod marks;
#[cfg(feature = "cli")]
mod names;
mod patterns;
mod plain;
mod prose;
mod recognition;
mod said;
mod scripts;
mod subjects;
mod tables;
mod wrappings;

pub(crate) use answers::TIMELINE;
pub use condition::Condition;
pub(crate) use evidence::ended_step;
#[cfg(feature = "cli")]
pub(crate) use names::explain_shown;

use std::borrow::Cow;
use std::cell::LazyCell;
use std::ops::Deref;

use serde::Serialize;
use serde_json::{Value, json};

use crate::catalogue::exit_codes::{ExitCode, constants, exit_code, is_conventional};
use crate::catalogue::failures::{Failure, Layer, Weight, failures};
use crate::document::nearest;
use crate::redaction::{REDACTED, Redacted, Redactor, presentable};
use recognition::{Findings, Recognized};
use scripts::{OTHER_EXTENSION, is_about_a_node};
use wrappings::{NoCode, Shown};

/// The most causes of a failure without a code.
const MOST_CAUSES: usize = 5;

/// The causes to which reports of the same lines are added.
const LEAST_CAUSES: usize = 2;

/// Bytes of the longest text that a person writes about a failure.
const LONGEST_PROSE: usize = 8 << 10;

/// Bytes of the longest text that is redacted completely before it is read.
const LONGEST_REDACTED: usize = 256 << 10;

/// The explanation of a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Explanation {
    /// The part of the node's start that failed.
    pub layer: Layer,
    /// The exit code of the scripts, 1 to 255, if the text shows one.
    pub code: Option<u8>,
    /// The constant of the scripts, or what shells call the code.
    pub name: Option<&'static str>,
    /// What happened, in a sentence.
    pub meaning: &'static str,
    /// The part of provisioning that ends with the code.
    pub stage: Option<&'static str>,
    /// Likely causes, the most likely first. Causes that the text points to come before generally likely ones.
    pub causes: Vec<Cause>,
    /// What to check, with commands between backticks.
    pub checks: Vec<Cow<'static, str>>,
    /// Common misreadings of the code.
    pub misleading: &'static [&'static str],
    /// The line of the text that decided, without secrets and control characters.
    pub evidence: Option<Redacted>,
    /// The last step in the text.
    pub step: Option<String>,
    /// The layers that the failure proves to be fine.
    pub rules_out: Vec<Layer>,
    /// The reason of a condition.
    #[serde(skip)]
    reason: String,
}

/// A likely cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Cause {
    /// The cause, as a sentence.
    pub cause: &'static str,
    /// The line of the text that points to it, without secrets and control characters.
    pub evidence: Option<Redacted>,
}

impl From<&'static str> for Cause {
    fn from(cause: &'static str) -> Self {
        Self { cause, evidence: None }
    }
}

impl Explanation {
    /// Returns the lists for people, each with its title. The likely causes are numbered, because their order matters.
    #[must_use]
    pub fn lists(&self) -> [(&'static str, Vec<String>); 4] {
        let numbered = self.causes.iter().enumerate().map(|(at, cause)| format!("{}. {}", at + 1, cause.cause));
        let dashed = |item: &str| format!("-  {item}");
        let passed = self.rules_out.iter().map(|layer| format!("-  {}: {}", layer.name(), layer.passed()));
        [
            (answers::CAUSES, numbered.collect()),
            ("What to check", self.checks.iter().map(|check| dashed(check)).collect()),
            ("Easily mistaken", self.misleading.iter().copied().map(dashed).collect()),
            (answers::RULED_OUT, if self.code.is_some() { Vec::new() } else { passed.collect() }),
        ]
    }

    /// Returns the stable JSON form.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!(self)
    }

    /// Reports whether the text names the cause of a failure without a code, not only a symptom or a report of one.
    pub(crate) fn names_cause(&self) -> bool {
        failures().any(|failure| failure.reason == self.reason && failure.weight == Weight::Cause)
    }

    /// Reports whether the text has a known message, and not only an error of a program of the node.
    pub(crate) fn names_failure(&self) -> bool {
        failures().any(|failure| failure.reason == self.reason && failure.weight != Weight::Wrapper)
    }
}

/// Why a text is not explained.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoFailure {
    /// The result in the text is a success.
    #[error(
        "shows a success: ExitCode is 0, or the extension succeeded\n  hint: if the node still does not join the \
         cluster, read why: journalctl --unit=kubelet --boot --no-pager --lines=50"
    )]
    Success,
    /// The text has an unknown code.
    #[error("exit code {0} is unknown")]
    Unknown(i64),
    /// The text shows no failure of a node.
    #[error(
        "shows no exit code, no ERR_ name and no known message\n  hint: pass /var/log/azure/aks/provision.json or \
         /var/log/azure/cluster-provision.log of the node, the kubelet's log, or the error that Azure shows; or run \
         `sudo aks-node-controller diagnose` on the node"
    )]
    NotFound,
}

impl NoFailure {
    /// Returns the stable JSON form: the members of an explanation, with nothing in them but why there is none.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "layer": null, "code": null, "name": null, "meaning": self.to_string(), "stage": null, "causes": [],
            "checks": [], "misleading": [], "evidence": null, "step": null, "rulesOut": [],
        })
    }
}

/// Explains a code. `None` if nothing ends with it.
#[must_use]
pub fn of_code(code: u8) -> Option<Explanation> {
    exit_code(code).map(of_row)
}

fn of_row(row: &'static ExitCode) -> Explanation {
    /// The cause for a code that scripts no longer use.
    const OTHER_VERSION: &[&str] =
        &["The scripts are of another version: no script of this version ends with this code"];
    const LOGS: &[&str] = &["Read the last steps: `tail -n 50 /var/log/azure/cluster-provision.log`"];
    let (stage, causes, checks) = match row.stage {
        "" => ("any", OTHER_VERSION, LOGS),
        stage => (stage, row.causes, row.checks),
    };
    Explanation {
        layer: Layer::Provisioning,
        code: Some(row.code),
        name: Some(row.name),
        meaning: row.meaning,
        stage: Some(stage),
        causes: causes.iter().copied().map(Cause::from).collect(),
        checks: checks.iter().copied().map(Cow::from).collect(),
        misleading: row.misleading,
        evidence: None,
        step: None,
        rules_out: before(Layer::Provisioning, &[]),
        reason: condition::reason_of(row.name),
    }
}

/// Returns the layers before one, without those that are left open.
fn before(layer: Layer, leaves_open: &[Layer]) -> Vec<Layer> {
    Layer::all().filter(|other| *other < layer && !leaves_open.contains(other)).collect()
}

/// Explains known failures, of which the first decides. `None` if there are none.
fn of_findings(findings: &Findings) -> Option<Explanation> {
    let Recognized { failure, evidence, place } = findings.found.first()?;
    let is_of_kubectl = failure.layer == Layer::Registration && calls::is_of_kubectl(evidence);
    // What another failure of the layer in the same line leaves open stays so, and what the text shows to have failed is not fine.
    let is_open = |layer: &Layer| {
        let shows_it = |found: &Recognized| {
            let other = found.failure;
            let is_near =
                other.layer == failure.layer && found.place.start < place.end && place.start < found.place.end;
            is_near && other.leaves_open.contains(layer) || other.layer == *layer && other.weight > Weight::Wrapper
        };
        failure.leaves_open.contains(layer) || findings.found.iter().any(shows_it)
    };
    let mut explanation = Explanation {
        layer: failure.layer,
        code: None,
        name: None,
        meaning: if is_of_kubectl { calls::OF_KUBECTL } else { failure.layer.meaning() },
        stage: None,
        causes: vec![Cause { cause: failure.cause, evidence: Some(presentable(evidence)) }],
        checks: failure.checks.iter().copied().map(Cow::from).collect(),
        misleading: &[],
        evidence: Some(presentable(evidence)),
        step: None,
        rules_out: before(failure.layer, &[]),
        reason: failure.reason.to_owned(),
    };
    explanation.rules_out.retain(|layer| !is_of_kubectl && !is_open(layer));
    let others = |of_same_weight: bool| {
        // What only reports this failure is no likelier than its other causes.
        let is_of_same_weight =
            |other: &Failure| other.weight == failure.weight && !failure.reported_by.contains(&other.reason);
        let others = findings.found[1..].iter();
        others.filter(move |other| is_of_same_weight(other.failure) == of_same_weight)
    };
    let with_evidence =
        |other: &Recognized| Cause { cause: other.failure.cause, evidence: Some(presentable(&other.evidence)) };
    // Reports of the lines that have the causes add little.
    let (reports, others_of_other_weight): (Vec<&Recognized>, Vec<_>) = others(false).partition(|other| {
        let names_it = |found: &Recognized| found.failure.weight > Weight::Wrapper && found.evidence == other.evidence;
        other.failure.weight == Weight::Wrapper && findings.found.iter().any(names_it)
    });
    let causes = others(true).take(2).map(with_evidence);
    let causes = causes.chain(failure.other_causes.iter().copied().map(Cause::from));
    let causes = causes.chain(others_of_other_weight.into_iter().map(with_evidence));
    let mut add = |cause: Cause, most: usize| {
        if explanation.causes.len() < most && explanation.causes.iter().all(|known| known.cause != cause.cause) {
            explanation.causes.push(cause);
        }
    };
    causes.for_each(|cause| add(cause, MOST_CAUSES));
    reports.into_iter().map(with_evidence).for_each(|cause| add(cause, LEAST_CAUSES));
    Some(explanation)
}

/// Explains a constant of the scripts, with or without `ERR_`, or Azure's name for it, such as
/// `OutboundConnFailVMExtensionError`. Letter case does not matter.
#[must_use]
pub fn of_name(name: &str) -> Option<Explanation> {
    of_code(said::code_of_name(name)?)
}

/// Returns the constants of all codes, by code.
pub fn names() -> impl Iterator<Item = &'static str> {
    constants().map(|row| row.name)
}

/// Returns the constant nearest to a misspelled name. Letter case and `ERR_` do not matter.
#[must_use]
pub fn nearest_name(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_uppercase().replace('-', "_");
    let whole = if name.starts_with("ERR") { name } else { format!("ERR_{name}") };
    nearest(&whole, names())
}

/// Explains the failure in a text.
///
/// # Errors
/// Fails if the text shows a success, or no known failure.
pub fn explain(text: &str) -> Result<Explanation, NoFailure> {
    let text = &*collected::uncollected(text);
    let text = &*wrappings::straightened(text);
    if let Some(answer) = answers::answer(text) {
        return answer;
    }
    match explain_text(text) {
        // The other columns of a table hide what a message tells.
        Err(NoFailure::NotFound) => csv::messages(text).map_or(Err(NoFailure::NotFound), |text| explain_text(&text)),
        found => found,
    }
}

/// Explains the failure in a text that has straight quotes.
fn explain_text(text: &str) -> Result<Explanation, NoFailure> {
    let text = &*csv::without_doubled_quotes(text);
    let found = match explain_any(text) {
        Err(NoFailure::NotFound) => explain_cut(text),
        // What was cut says more than the report of it.
        Ok(reported) if reported.code.is_none() && !reported.names_failure() => {
            explain_cut(text).ok().filter(Explanation::names_failure).map_or(Ok(reported), Ok)
        }
        found => found,
    };
    match found {
        Ok(Explanation { code: None, .. }) if prose::tells_no_failure(text) => Err(NoFailure::NotFound),
        Ok(Explanation { code: None, reason, .. }) if alerts::shows_no_failure(text, &reason) => {
            Err(NoFailure::NotFound)
        }
        found => found,
    }
}

/// Explains the failure in a text, or what has the words of one.
fn explain_any(text: &str) -> Result<Explanation, NoFailure> {
    let found = explain_lines(text);
    if found != Err(NoFailure::NotFound) {
        return found;
    }
    // A message of several lines in a log: each line looks like an entry.
    let lines = plain::without_prefixes(text).filter(|_| !recognition::is_foreign(text));
    let found = lines.map_or(found, |lines| explain_lines(&lines));
    if found != Err(NoFailure::NotFound) || text.len() > LONGEST_PROSE {
        return found;
    }
    let (redactor, told) = (Redactor::default(), recognition::without_harmless(text));
    let clear = LazyCell::new(|| redactor.redact(&told));
    of_findings(&find(prose::described, &told, &clear, &redactor)).ok_or(NoFailure::NotFound)
}

/// Explains the failure in a text whose first or last word was cut, if the rest shows which message it was.
fn explain_cut(text: &str) -> Result<Explanation, NoFailure> {
    if recognition::is_foreign(text) {
        return Err(NoFailure::NotFound);
    }
    let completed = cut::completed(text).ok_or(NoFailure::NotFound)?;
    let mut explanation = explain_lines(&completed.text)?;
    let shown = |evidence: &Redacted| presentable(completed.original(evidence));
    explanation.evidence = explanation.evidence.as_ref().map(shown);
    for cause in &mut explanation.causes {
        cause.evidence = cause.evidence.as_ref().map(shown);
    }
    Ok(explanation)
}

/// Explains the failure in a text whose lines are as their program wrote them.
fn explain_lines(text: &str) -> Result<Explanation, NoFailure> {
    let redactor = Redactor::default();
    let clear = LazyCell::new(|| redactor.redact(text));
    let mut findings = find(recognition::recognize, text, &clear, &redactor);
    let shown = match wrappings::find(text) {
        Ok(shown) if is_about_a_node(&shown, &findings, text) => shown,
        Err(NoCode::Success) => {
            findings.found.retain(|found| found.failure.layer >= Layer::Kubelet);
            return of_findings(&findings).ok_or(NoFailure::Success);
        }
        Ok(_) | Err(NoCode::NotFound) => {
            let name = if findings.are_about_an_extension() { extensions::other_extension(text) } else { None };
            return match name {
                Some(name) => Ok(of_other_extension(&findings, &redactor.redact(name))),
                None => of_findings(&findings).ok_or(NoFailure::NotFound),
            };
        }
        Err(NoCode::OtherExtension(name)) => return Ok(of_other_extension(&findings, &name)),
    };
    let shown = without_secrets(shown, text, &clear, &redactor);
    if findings.is_windows() {
        return of_findings(&findings).ok_or(NoFailure::NotFound);
    }
    let Some(row) = u8::try_from(shown.code).ok().and_then(exit_code) else {
        // No script ends with a negative one.
        let found = if shown.code < 0 { of_findings(&findings) } else { None };
        return found.ok_or(NoFailure::Unknown(shown.code));
    };
    let mut explanation = of_row(row);
    if is_of_a_user(&shown, row, &findings) {
        of_a_users_extension(&mut explanation);
    }
    explanation.evidence = evidence::line(&shown);
    explanation.step = evidence::last_step(&shown.output);
    for (clue, line) in evidence::clues(row, &shown).into_iter().rev() {
        explanation.causes.retain(|known| known.cause != clue.cause);
        explanation.causes.insert(0, Cause { cause: clue.cause, evidence: Some(line) });
        if let Some(check) = clue.check.map(Cow::from)
            && !explanation.checks.contains(&check)
        {
            explanation.checks.insert(0, check);
        }
    }
    Ok(explanation)
}

/// Returns the failures that a reader finds in a text, with evidence without secrets. What is redacted decides nothing: an open quote before
/// the line of a failure covers the line, not the failure. Redacting a long log takes longer than reading it, so only what is around the
/// evidence is redacted, or everything if that has a secret.
fn find(
    read: fn(&str) -> Findings,
    text: &str,
    clear: &impl Deref<Target = Redacted>,
    redactor: &Redactor,
) -> Findings {
    let mut findings = read(text);
    let is_clear = |findings: &Findings| findings.found.iter().all(|found| found.is_clear(text, redactor));
    if text.len() > LONGEST_REDACTED && is_clear(&findings) || findings.found.is_empty() || ***clear == *text {
        return findings;
    }
    let again = read(clear).found;
    for found in &mut findings.found {
        let same = again.iter().find(|other| other.failure.reason == found.failure.reason);
        found.evidence = same.map_or_else(|| REDACTED.to_owned(), |same| same.evidence.clone());
    }
    findings
}

/// Reports whether the command of an extension of a user can have ended with a code: any command ends with such a one, and nothing says
/// that it is the node's extension.
fn is_of_a_user(shown: &Shown, row: &ExitCode, findings: &Findings) -> bool {
    shown.extension.is_some()
        && is_conventional(row.code)
        && !findings.found.iter().any(|found| found.failure.layer == Layer::Provisioning)
}

/// Changes the explanation of a code to one of an extension that a user has added, which can be the node's.
fn of_a_users_extension(explanation: &mut Explanation) {
    let other = failure(OTHER_EXTENSION);
    explanation.layer = other.layer;
    explanation.rules_out = before(other.layer, other.leaves_open);
    explanation.causes.insert(0, Cause::from(other.cause));
    explanation.checks.splice(0..0, other.checks.iter().copied().map(Cow::from));
    other.reason.clone_into(&mut explanation.reason);
}

/// Returns the row of a failure.
fn failure(reason: &str) -> &'static Failure {
    failures().find(|failure| failure.reason == reason).expect("the table has it")
}

/// Explains the failure of an extension other than the node's, unless the text shows more.
fn of_other_extension(findings: &Findings, name: &str) -> Explanation {
    let other = failure(OTHER_EXTENSION);
    let first = findings.found.first();
    let evidence = first.map_or_else(|| name.to_owned(), |first| first.evidence.clone());
    let mut findings_of_other = Findings::default();
    if let Some(cause) = findings.cause() {
        findings_of_other.found.push(cause.clone());
    }
    findings_of_other.found.push(Recognized { failure: other, evidence, place: 0..0 });
    let reported = findings.found.iter().filter(|found| {
        found.failure.layer == Layer::Extension
            && found.failure.weight != Weight::Cause
            && found.failure.reason != OTHER_EXTENSION
    });
    findings_of_other.found.extend(reported.cloned());
    of_findings(&findings_of_other).expect("it has one")
}

/// Returns a failure without secrets. A line of it may have lost what shows that it has one, so the text around it decides: the end of a
/// long one if it shows the same failure.
fn without_secrets(shown: Shown, text: &str, clear: &impl Deref<Target = Redacted>, redactor: &Redactor) -> Shown {
    let same = |clear: &str| wrappings::find(clear).ok().filter(|again| again.code == shown.code);
    let end = text.ceil_char_boundary(text.len().saturating_sub(LONGEST_REDACTED));
    let again = if end > 0 { same(&redactor.redact(&text[end..])) } else { None };
    let again = again.or_else(|| if ***clear == *text { None } else { same(clear) });
    let extension = shown.extension.clone();
    let shown = again.unwrap_or(shown);
    Shown {
        error: shown.error.map(|error| redactor.redact(&error).into_string()),
        output: redactor.redact(&shown.output).into_string(),
        extension,
        ..shown
    }
}
