//! Output: results on stdout, findings and notes on stderr, files written atomically.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use anstream::AutoStream;
use serde_json::{Value, json};

pub(super) use super::style::printable;
use super::style::{self, paint};
use super::{Failure, Outcome, snippet};
use crate::atomic_file::{self, Durability, Modes};
use crate::document::{Report, Severity};

/// The narrowest terminal for which lines are wrapped.
const NARROWEST: usize = 20;

/// Findings of one document whose line is shown.
const MOST_SNIPPETS: usize = 10;

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

/// Writes a result for programs, byte by byte.
pub(super) fn bytes(bytes: &[u8]) -> Outcome {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(|error| cannot_write(&error))
}

/// Writes a text for people and programs: as it is, but on a terminal as [`printable`] returns each line.
#[cfg(feature = "node")]
pub(super) fn plain(text: &str) -> Outcome {
    if io::stdout().is_terminal() { bytes(style::printable_lines(text).as_bytes()) } else { bytes(text.as_bytes()) }
}

/// Writes a result for people. Where no colour is wanted, its styles are removed. Everything else in the text must be
/// [`printable`].
pub(super) fn text(text: &str) -> Outcome {
    let mut stdout = AutoStream::auto(io::stdout().lock());
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|error| cannot_write(&error))
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

/// Returns the columns of a terminal; `None` if the stream is none, or its width is not known.
pub(super) fn width(stream: &impl IsTerminal) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    let of_terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    of_terminal.or_else(|| std::env::var("COLUMNS").ok()?.parse().ok()).filter(|width| *width >= NARROWEST)
}

/// Returns a text whose lines are wrapped between words at a width. Continuation lines are indented by `indent` beyond the
/// beginning of their line. Longer words stay whole, and so does what is in backticks: a command that is pasted. Without a
/// width, returns the text unchanged.
pub(super) fn wrapped(text: &str, width: Option<usize>, indent: usize) -> String {
    let Some(width) = width else { return text.to_owned() };
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let words = line.trim_start_matches(' ');
        let start = line.len() - words.len();
        let mut column = start;
        out.push_str(&line[..start]);
        for (at, word) in words_of(words).enumerate() {
            let length = style::columns(word);
            if at > 0 && !word.is_empty() && column + 1 + length > width {
                column = (start + indent).min(width * 2 / 3);
                out.truncate(out.trim_end_matches(' ').len());
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', column));
            } else if at > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += length;
        }
    }
    out
}

/// Returns the parts of a line between which it may be wrapped.
fn words_of(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let line = rest?;
        let mut is_quoted = false;
        let end = line.char_indices().find(|(at, character)| {
            // A backtick that nothing closes quotes nothing.
            is_quoted = (*character == '`' && (is_quoted || line[at + 1..].contains('`'))) != is_quoted;
            *character == ' ' && !is_quoted
        });
        let (word, after) = end.map_or((line, None), |(end, _)| (&line[..end], Some(&line[end + 1..])));
        rest = after;
        Some(word)
    })
}

/// Prints a line on stderr, wrapped if that is a terminal, with its labels in colour. Ignores a closed stderr.
pub(super) fn note(text: &str) {
    let text = style::labelled(&style::printable_lines(text));
    styled_note(&(wrapped(&text, width(&io::stderr()), 2) + "\n"));
}

/// Prints lines with styles on stderr.
fn styled_note(text: &str) {
    let _ = AutoStream::auto(io::stderr().lock()).write_all(text.as_bytes());
}

/// Prints every finding of a document as [`described`] returns them.
pub(super) fn findings(file: &str, document: Option<&[u8]>, report: &Report) {
    styled_note(&described(file, document, report, width(&io::stderr())));
}

/// Returns findings for people, with styles: `file:line:column: severity: place: problem [rule]`, then the line of the document
/// for the first ones, then the hint. A last line has the number of findings that are not listed.
pub(super) fn described(file: &str, document: Option<&[u8]>, report: &Report, width: Option<usize>) -> String {
    let file = printable(file);
    let document = document.and_then(|document| std::str::from_utf8(document).ok());
    let mut text = String::new();
    let (mut snippets, mut last) = (0, None);
    for finding in &report.findings {
        let place = finding.position.map_or_else(|| file.clone(), |position| format!("{file}:{position}"));
        let severity = match finding.severity {
            Severity::Error => paint(style::ERROR, "error"),
            Severity::Warning => paint(style::WARNING, "warning"),
        };
        let problem = style::printable_lines(&finding.to_string());
        // The place in the document is what a reader looks for; the document itself has no name.
        let path = printable(&finding.path.to_string());
        let problem = match problem.strip_prefix(&path) {
            Some(rest) if !path.is_empty() => paint(style::NAME, path) + rest,
            _ => problem,
        };
        let rule = paint(style::DETAIL, format_args!("[{}]", finding.rule.id));
        text += &wrapped(&format!("{place}: {severity}: {problem} {rule}"), width, 2);
        text.push('\n');
        // One place is shown once, and a long list does not become five times as long.
        if snippets < MOST_SNIPPETS
            && last != finding.position
            && let Some(snippet) = document.and_then(|document| snippet::snippet(document, finding, width))
        {
            text += &snippet;
            text.push('\n');
            last = finding.position;
            snippets += 1;
        }
        if let Some(hint) = &finding.hint {
            let hint = style::labelled(&format!("  hint: {}", style::printable_lines(hint)));
            text += &wrapped(&hint, width, 2);
            text.push('\n');
        }
        if width.is_some() && last == finding.position && last.is_some() {
            text.push('\n');
        }
    }
    if report.omitted > 0 {
        text.extend([&*file, ": … and ", &report.omitted.to_string(), " more\n"]);
    }
    text
}

/// Adds to an object what is said about findings: a list, and the number of all if it is not all of them.
pub(super) fn add_findings(object: &mut Value, report: &Report) {
    object["findings"] = findings_json(report);
    if report.omitted > 0 {
        object["total"] = report.total().into();
    }
}

/// Returns findings as `validate --format json` prints them.
fn findings_json(report: &Report) -> Value {
    let findings = report.findings.iter().map(|finding| {
        json!({
            "path": finding.path.to_string(),
            "line": finding.position.map(|position| position.line),
            "column": finding.position.map(|position| position.column),
            "severity": finding.severity.to_string(),
            "rule": finding.rule.id,
            "problem": finding.problem.to_string(),
            "hint": finding.hint,
        })
    });
    findings.collect()
}

/// Writes a text to a file; see [`raw_file`].
pub(super) fn file(path: &Path, text: &str) -> Outcome {
    raw_file(path, text.as_bytes())
}

/// Writes a file atomically, readable by its owner only. Creates missing directories likewise.
pub(super) fn raw_file(path: &Path, content: &[u8]) -> Outcome {
    const FOR_THE_OWNER: Modes = Modes { file: 0o600, directory: 0o700 };
    let failed = |what: &'static str| {
        move |error: io::Error| Failure::Input(format!("cannot {what} {}: {error}", path.display()))
    };
    atomic_file::create_directory_of(path, FOR_THE_OWNER.directory).map_err(failed("create the directory of"))?;
    atomic_file::replace(path, content, FOR_THE_OWNER, Durability::Synced).map_err(failed("write"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_between_words_and_indented() {
        let text = "one two three\n  hint: four five\nabcdefghijklmnopqrstuvwxyz a  b";
        assert_eq!(wrapped(text, None, 2), text);
        assert_eq!(wrapped(text, Some(100), 2), text);
        let expected = "one two\n  three\n  hint:\n    four\n    five\nabcdefghijklmnopqrstuvwxyz\n  a  b";
        assert_eq!(wrapped(text, Some(9), 2), expected);
        assert_eq!(wrapped("run `cat a b` ` now", Some(9), 2), "run\n  `cat a b`\n  ` now");
        assert_eq!(wrapped("a \x1b[1;31merror\x1b[0m b", Some(9), 2), "a \x1b[1;31merror\x1b[0m b");
    }
}
