//! Reads answers of this program again: explanations, reports of `diagnose` and conditions, which people and controllers pass on.
//! Their words are those of the tables, so the rows are found by them. The words of less likely causes in the same answer decide nothing.
//! `tests/explain/answers.rs` compares each form with its original, so that a changed label or verdict is noticed.

use std::borrow::Cow;

use memchr::memmem;
use serde_json::Value;

use super::condition::{CAUSE, EVIDENCE};
use super::recognition::{Findings, Recognized};
use super::{Cause, Explanation, NoFailure, of_a_users_extension, of_findings, of_row};
use crate::catalogue::exit_codes::{CLUES, EXIT_CODES, ExitCode, exit_code};
use crate::catalogue::failures::{Layer, failures};
use crate::redaction::{Redacted, presentable};

/// The title of the causes in an answer for people.
pub(super) const CAUSES: &str = "Likely causes";

/// The title of the layers that are fine.
pub(super) const RULED_OUT: &str = "Ruled out";

/// The title of the timeline in a report.
pub(crate) const TIMELINE: &str = "Timeline, UTC, from ";

/// The longest answer.
const LONGEST: usize = 8 << 20;

/// Bytes before and after the cause in a condition.
const AROUND: usize = 8 << 10;

/// How many conditions of one text are looked at.
const MOST_CONDITIONS: usize = 4;

/// Returns the explanation in an answer of this program. `None` for other texts.
pub(super) fn answer(text: &str) -> Option<Result<Explanation, NoFailure>> {
    if text.len() > LONGEST {
        return None;
    }
    of_json(text).or_else(|| of_report(text)).or_else(|| of_condition(text).map(Ok))
}

/// What an answer says.
#[derive(Default)]
struct Said {
    layer: Option<Layer>,
    code: Option<&'static ExitCode>,
    causes: Vec<Cause>,
    evidence: Option<Redacted>,
    step: Option<String>,
    rules_out: Option<Vec<Layer>>,
}

impl Said {
    fn explanation(self) -> Option<Explanation> {
        let mut explanation = if let Some(row) = self.code {
            let mut explanation = of_row(row);
            if self.layer == Some(Layer::Extension) {
                of_a_users_extension(&mut explanation);
            }
            for clue in CLUES.iter().rev().filter(|clue| self.causes.iter().any(|cause| cause.cause == clue.cause)) {
                if let Some(check) = clue.check.map(Cow::from).filter(|check| !explanation.checks.contains(check)) {
                    explanation.checks.insert(0, check);
                }
            }
            explanation
        } else {
            let first = self.causes.first()?.cause;
            let is_it = |layer: Layer, cause: &str| self.layer.is_none_or(|known| known == layer) && cause == first;
            let failure = failures().find(|failure| is_it(failure.layer, failure.cause))?;
            let evidence = self.evidence.as_deref().unwrap_or_default().to_owned();
            let found = vec![Recognized { failure, evidence, place: 0..0 }];
            of_findings(&Findings { found, is_azure: true })?
        };
        if !self.causes.is_empty() {
            explanation.causes = self.causes;
        }
        explanation.evidence = self.evidence;
        explanation.step = self.step;
        if let Some(layers) = self.rules_out {
            explanation.rules_out = layers;
        }
        Some(explanation)
    }
}

/// Returns the cause of the tables that a text is, or begins with, whatever its blanks and quotes.
fn cause(text: &str, may_go_on: bool) -> Option<&'static str> {
    let of_codes = EXIT_CODES.iter().flat_map(|row| row.causes.iter().chain(row.rare_causes)).copied();
    let of_failures = failures().flat_map(|failure| failure.other_causes.iter().copied().chain([failure.cause]));
    let all = of_codes.chain(CLUES.iter().map(|clue| clue.cause)).chain(of_failures);
    let is_it = |cause: &&str| if may_go_on { begins(text, cause) } else { begins(text, cause) && begins(cause, text) };
    all.filter(is_it).max_by_key(|cause| cause.len())
}

/// Returns the characters of a text that no format changes.
fn solid(text: &str) -> impl DoubleEndedIterator<Item = char> {
    text.chars().filter(|character| !character.is_whitespace() && !matches!(character, '"' | '\'' | '\\'))
}

/// Reports whether a text begins with a sentence, whatever the blanks and quotes.
fn begins(text: &str, sentence: &str) -> bool {
    let mut rest = solid(text);
    solid(sentence).all(|character| rest.next() == Some(character))
}

/// Reports whether a text ends with a sentence, whatever the blanks and quotes.
fn ends(text: &str, sentence: &str) -> bool {
    let mut rest = solid(text).rev();
    solid(sentence).rev().all(|character| rest.next() == Some(character))
}

/// Returns the explanation in the object of `explain`, in that of `diagnose`, or a condition. SARIF of `validate` has none: it
/// lists the texts of all rules.
fn of_json(text: &str) -> Option<Result<Explanation, NoFailure>> {
    let has = |name: &str| memmem::find(text.as_bytes(), name.as_bytes()).is_some();
    if !text.trim_start().starts_with('{') || !has("\"rulesOut\"") && !has("\"earlierRows\"") && !has("\"$schema\"") {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    if value.get("$schema").and_then(Value::as_str).is_some_and(|schema| schema.contains("sarif")) {
        return Some(Err(NoFailure::NotFound));
    }
    let explanation = match value.get("explanation") {
        Some(Value::Null) if value.get("timeline").is_some() => {
            let is_success = value.get("state").and_then(Value::as_str) == Some("succeeded");
            return Some(Err(if is_success { NoFailure::Success } else { NoFailure::NotFound }));
        }
        Some(explanation) => explanation,
        None => &value,
    };
    let member = |value: &Value, name: &str| Some(value.get(name)?.as_str()?.to_owned());
    let causes = explanation.get("causes")?.as_array()?.iter().filter_map(|said| {
        let evidence = member(said, "evidence").map(|evidence| presentable(&evidence));
        Some(Cause { cause: cause(&member(said, "cause")?, false)?, evidence })
    });
    let ruled_out = explanation.get("rulesOut")?.as_array()?.iter().filter_map(|name| layer(name.as_str()?));
    let said = Said {
        layer: member(explanation, "layer").and_then(|name| layer(&name)),
        code: explanation.get("code").and_then(Value::as_u64).and_then(row),
        causes: causes.collect(),
        evidence: member(explanation, "evidence").map(|evidence| presentable(&evidence)),
        step: member(explanation, "step"),
        rules_out: Some(ruled_out.collect()),
    };
    Some(said.explanation().ok_or(NoFailure::NotFound))
}

fn layer(name: &str) -> Option<Layer> {
    Layer::all().find(|layer| layer.name() == name)
}

fn row(code: u64) -> Option<&'static ExitCode> {
    exit_code(u8::try_from(code).ok()?)
}

/// Returns the explanation in an answer for people: of `explain`, or in a report of `diagnose`.
fn of_report(text: &str) -> Option<Result<Explanation, NoFailure>> {
    let begins_as_success = text.trim_start().starts_with("Provisioned, ");
    if !begins_as_success && memmem::find(text.as_bytes(), CAUSES.as_bytes()).is_none() {
        return None;
    }
    let text = text.replace("\r\n", "\n");
    let is_title = |at: &usize| text[at + CAUSES.len()..].starts_with('\n');
    let Some(at) = memmem::find_iter(text.as_bytes(), CAUSES).find(is_title) else {
        // `Provisioned, 2 min after boot, but the kubelet is inactive (dead)` is no success, and no message is known.
        let works = !text.trim_start().lines().next().is_some_and(|summary| summary.contains(", but "));
        let is_report = begins_as_success && text.contains(TIMELINE);
        return is_report.then_some(Err(if works { NoFailure::Success } else { NoFailure::NotFound }));
    };
    // As it is quoted.
    let prefix = &text[text[..at].rfind('\n').map_or(0, |feed| feed + 1)..at];
    if !prefix.bytes().all(|byte| b" \t>|#".contains(&byte)) {
        return None;
    }
    let lines = |text: &str| {
        text.lines().map(|line| line.strip_prefix(prefix).unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let mut said = Said::default();
    for line in joined(lines(&text[..at])).rev() {
        let (label, value) = line.split_once("  ").map_or(("", ""), |(label, value)| (label, value.trim_start()));
        match label {
            "layer" => said.layer = layer(value),
            "evidence" => said.evidence = Some(presentable(value)),
            "last step" => said.step = Some(value.to_owned()),
            _ => {}
        }
        let title = line.strip_prefix("Failed with ").unwrap_or(&line);
        let number = title.split(' ').next().and_then(|number| number.parse().ok()).and_then(row);
        let code = number
            .filter(|row| title.get(row.code.to_string().len() + 1..).is_some_and(|name| name.starts_with(row.name)));
        said.code = said.code.or(code);
        let layer = Layer::all().find(|layer| line == layer.name() || line == layer.meaning());
        said.layer = said.layer.or(layer);
        if code.is_some() || layer.is_some_and(|layer| line == layer.name()) {
            break;
        }
    }
    let list = lines(&text[at + CAUSES.len() + 1..]);
    let numbered = |line: &str| cause(line.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(". ")?, false);
    let rest: Vec<_> = joined(list).collect();
    said.causes = rest.iter().map_while(|line| numbered(line)).map(Cause::from).collect();
    if said.code.is_none() {
        let ruled_out = rest.iter().skip_while(|line| *line != RULED_OUT).skip(1);
        let names = ruled_out.map_while(|line| line.strip_prefix("-  ")?.split_once(": "));
        said.rules_out = Some(names.filter_map(|(name, _)| layer(name)).collect());
    }
    said.explanation().map(Ok)
}

/// Returns the lines of an answer, each with those that continue it in a narrow terminal.
fn joined(parts: Vec<String>) -> impl DoubleEndedIterator<Item = String> {
    let mut lines: Vec<String> = Vec::new();
    for line in parts {
        match lines.last_mut() {
            Some(last) if line.starts_with("   ") && !last.is_empty() => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => lines.push(line.trim_end().to_owned()),
        }
    }
    lines.into_iter()
}

/// Returns the explanation in the message of a condition, which YAML and JSON may have wrapped and quoted.
fn of_condition(text: &str) -> Option<Explanation> {
    let (likely, sign) = CAUSE.trim_end().split_once(' ').unwrap_or_default();
    let is_cause = |at: &usize| text[..*at].trim_end().ends_with(likely);
    memmem::find_iter(text.as_bytes(), sign).filter(is_cause).take(MOST_CONDITIONS).find_map(|at| {
        let end = text[..at].trim_end().len() - likely.len();
        let before = &text[text.ceil_char_boundary(end.saturating_sub(AROUND))..end];
        let rest = &text[at + sign.len()..text.floor_char_boundary((at + AROUND).min(text.len()))];
        let of_code = || {
            let (_, code) = before.rsplit_once("exit code ")?;
            let digits = code.bytes().take_while(u8::is_ascii_digit).count();
            row(code[..digits].parse().ok()?).filter(|row| ends(before, row.meaning))
        };
        let code = of_code();
        let layer = Layer::all().find(|layer| match code {
            Some(row) => {
                ends(before, &format!("{}: exit code {} ({}): {}", layer.name(), row.code, row.name, row.meaning))
            }
            None => ends(before, &format!("{}: {}", layer.name(), layer.meaning())),
        })?;
        let first = cause(rest, true)?;
        let evidence = rest.split_once(EVIDENCE).map(|(_, evidence)| evidence.lines().next().unwrap_or_default());
        let said = |evidence: Option<&str>| Said {
            layer: Some(layer),
            code,
            causes: vec![first.into()],
            evidence: evidence.map(presentable),
            ..Said::default()
        };
        let explanation = said(evidence).explanation()?;
        // A check follows the evidence: names can be in its command.
        let check = explanation.checks.first().and_then(|check| check.split('`').next()).unwrap_or_default();
        let end = evidence.and_then(|evidence| evidence.find(&format!(". {check}")));
        let evidence = evidence.map(|evidence| &evidence[..end.unwrap_or(evidence.len())]);
        said(evidence).explanation()
    })
}
