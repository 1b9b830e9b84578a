//! Output: results on stdout, findings and notes on stderr, files written atomically.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::{Failure, Outcome};
use crate::atomic_file::{self, Durability, Modes};
use crate::document::{Finding, Report, Severity};

/// The shape of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// How JSON is laid out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Layout {
    /// On one line.
    Line,
    /// Indented.
    Pretty,
}

/// Writes a result. The only function of the program that writes to stdout.
pub(super) fn bytes(bytes: &[u8]) -> Outcome {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(|error| cannot_write(&error))
}

/// Returns why a result could not be written.
pub(super) fn cannot_write(error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::ClosedPipe,
        _ => Failure::Input(format!("cannot write to standard output: {error}")),
    }
}

/// Writes a result and a line feed.
pub(super) fn line(text: &str) -> Outcome {
    bytes(format!("{text}\n").as_bytes())
}

/// Writes a result as JSON.
pub(super) fn json(value: &Value, layout: Layout) -> Outcome {
    match layout {
        Layout::Line => line(&value.to_string()),
        Layout::Pretty => line(&format!("{value:#}")),
    }
}

/// Prints a line on stderr. Ignores a closed stderr.
pub(super) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints every finding of a document: `file:line:column: severity: place: problem`.
pub(super) fn findings(file: &str, report: &Report) {
    for finding in &report.findings {
        note(&described(file, finding));
    }
}

/// Returns one finding for people, coloured on a terminal.
pub(super) fn described(file: &str, finding: &Finding) -> String {
    let place = finding.position.map_or_else(|| file.to_owned(), |position| format!("{file}:{position}"));
    let (start, end) = match (colours(), finding.severity) {
        (false, _) => ("", ""),
        (true, Severity::Error) => ("\x1b[1;31m", "\x1b[0m"),
        (true, Severity::Warning) => ("\x1b[1;33m", "\x1b[0m"),
    };
    let hint = finding.hint.as_ref().map(|hint| format!("\n  hint: {hint}")).unwrap_or_default();
    format!("{place}: {start}{}{end}: {finding}{hint}", finding.severity)
}

fn colours() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    io::stderr().is_terminal() && !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Returns findings as `validate --format json` prints them.
pub(super) fn findings_json(report: &Report) -> Value {
    let findings = report.findings.iter().map(|finding| {
        json!({
            "path": finding.path.to_string(),
            "line": finding.position.map(|position| position.line),
            "column": finding.position.map(|position| position.column),
            "severity": finding.severity.to_string(),
            "problem": finding.problem.to_string(),
            "hint": finding.hint,
        })
    });
    findings.collect()
}

/// Writes a file atomically, readable by its owner only. Creates missing folders likewise.
pub(super) fn file(path: &Path, text: &str) -> Outcome {
    const FOR_THE_OWNER: Modes = Modes { file: 0o600, folder: 0o700 };
    let failed = |what: &'static str| {
        move |error: io::Error| Failure::Input(format!("cannot {what} {}: {error}", path.display()))
    };
    atomic_file::create_folder_of(path, FOR_THE_OWNER.folder).map_err(failed("create the folder of"))?;
    atomic_file::replace(path, text.as_bytes(), FOR_THE_OWNER, Durability::Synced).map_err(failed("write"))
}
