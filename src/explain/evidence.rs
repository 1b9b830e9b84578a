//! Finds the evidence in the text of a failure: the most telling line, the last step, and the causes that lines point
//! to.

use super::wrappings::Shown;
use crate::catalogue::exit_codes::{CLUES, Clue, ExitCode};
use crate::redaction::{Redacted, presentable};

/// Parts of lines that only report the failure of something else.
const WRAPPING: [&str; 13] = [
    "terminal provisioning state",
    "\"error\":",
    "event=\"failed",
    "vm has reported a failure",
    "exit status=",
    "succeeded!",
    "\"code\":",
    "\"status\":",
    "more information on troubleshooting",
    "deployment failed.",
    "errorclass=",
    "new-azurerm",
    "reason: ",
];

/// Returns the most telling line: the reason in the result, else the last line that is a clue or names an error.
pub(super) fn line(shown: &Shown) -> Option<Redacted> {
    let lines = || shown.output.lines().map(str::trim).filter(|line| !line.is_empty());
    let says_error = |line: &&str| {
        let lower = line.to_ascii_lowercase();
        !line.starts_with(['+', '{', '>'])
            && ["error", "fail", "timed out", "cannot", "denied", "unable", "no such"]
                .iter()
                .any(|word| lower.contains(word))
            && !WRAPPING.iter().any(|part| lower.contains(part))
    };
    let found =
        shown.error.as_deref().or_else(|| lines().rfind(|line| is_clue(line))).or_else(|| lines().rfind(says_error))?;
    Some(presentable(found))
}

/// Returns the last words of a text that have a code, without what is around them, which can have anything.
#[cfg(feature = "cli")]
pub(super) fn words_of_code(text: &str, row: &ExitCode) -> Option<Redacted> {
    /// How texts announce a code, the whole before its parts.
    const FORMS: [&str; 6] = [
        "command terminated with exit status=",
        "exit status=",
        "ExitCode",
        "exit code",
        "exited with code",
        "Exit Code",
    ];
    /// The most bytes between the announcement and the code: quotes and their escapes.
    const BETWEEN: usize = 24;
    let announced = |form: &&str| {
        let at = text.rfind(form)?;
        let behind = at + form.len();
        let rest = &text[behind..text.floor_char_boundary(behind + BETWEEN)];
        let start = rest.find(|character: char| character.is_alphanumeric())?;
        let digits = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
        let is_code = rest[start..start + digits].parse() == Ok(row.code);
        is_code.then(|| text[at..behind + start + digits].replace('\\', ""))
    };
    let words = FORMS.iter().find_map(announced).or_else(|| text.contains(row.name).then(|| row.name.to_owned()))?;
    Some(presentable(&words))
}

/// Returns the step in a line of the scripts' log, such as `2026-11-22 05:54:15 ensureKubeCACert: 54 ms`, and its duration in
/// milliseconds.
pub(crate) fn ended_step(line: &str) -> Option<(&str, i64)> {
    let (name, duration) = line.trim().strip_suffix(" ms")?.rsplit_once(": ")?;
    let name = name.rsplit(' ').next()?;
    Some((name, duration.parse().ok().filter(|duration| *duration >= 0 && is_name(name))?))
}

/// Returns the last step that the scripts logged, or that an event names: `AKS.CSE.ensureKubelet`.
pub(super) fn last_step(output: &str) -> Option<String> {
    let ours = output.lines().rev().find_map(ended_step).map(|(name, _)| name);
    let event = || {
        output.rmatch_indices("AKS.CSE.").find_map(|(at, prefix)| {
            let rest = &output[at + prefix.len()..];
            let end = rest.find(|character: char| !character.is_ascii_alphanumeric() && character != '_');
            let name = &rest[..end.unwrap_or(rest.len())];
            (is_name(name) && name != "cse_start").then_some(name)
        })
    };
    ours.or_else(event).map(str::to_owned)
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn points_to(clue: &Clue, lower: &str) -> bool {
    clue.any.iter().any(|pattern| lower.contains(pattern))
}

/// Reports whether a line is a clue for any code.
fn is_clue(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    !line.starts_with('+') && CLUES.iter().any(|clue| points_to(clue, &lower))
}

/// Returns the clues in the output, at most three with different causes, the clearest first, each with the line that it is in.
pub(super) fn clues(code: &ExitCode, shown: &Shown) -> Vec<(&'static Clue, Redacted)> {
    let text = format!("{}\n{}", shown.error.as_deref().unwrap_or_default(), shown.output);
    let lower = text.to_ascii_lowercase();
    let is_contradicted = |clue: &Clue| clue.unless.iter().any(|pattern| lower.contains(pattern));
    CLUES
        .iter()
        .filter(|clue| code.has_clue(clue) && points_to(clue, &lower) && !is_contradicted(clue))
        .take(3)
        .map(|clue| {
            let line = text.lines().find(|line| points_to(clue, &line.to_ascii_lowercase()));
            (clue, presentable(line.unwrap_or_default().trim()))
        })
        .collect()
}
