//! Output: results on stdout, findings and notes on stderr, files written atomically.

use std::borrow::Cow;
use std::collections::BTreeSet;
#[cfg(unix)]
use std::fs::File;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use serde_json::{Value, json};

pub(super) use super::style::printable;
use super::style::{self, paint};
use super::{Failure, Outcome, shown, snippet};
use crate::atomic_file::{self, Durability, Modes};
use crate::document::{Report, Severity};
use crate::redaction::{Redacted, RedactedJson, Redactor, printable_json};

/// The narrowest terminal for which lines are wrapped.
const NARROWEST: usize = 20;

/// The most findings of one document whose line is shown.
const MOST_SNIPPETS: usize = 10;

/// The modes of written files and directories, which can contain secrets.
const FOR_THE_OWNER: Modes = Modes { file: 0o600, directory: 0o700 };

/// The format of a result.
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

/// Writes a text for people and programs: unchanged, except on a terminal, where each line is made [`printable`].
pub(super) fn plain(text: &str) -> Outcome {
    if io::stdout().is_terminal() { bytes(style::printable_lines(text).as_bytes()) } else { bytes(text.as_bytes()) }
}

/// The output of a command: redacted text, which only a redactor creates, or [`InClear`]. Printing untrusted text that was not redacted
/// does not compile.
pub(super) trait Printable<T: ?Sized> {
    fn printed(&self) -> &T;
}

/// Text from the program's own tables, or from a document whose secrets the user asked to see.
pub(super) struct InClear<'t, T: ?Sized>(pub &'t T);

impl<T: ?Sized> Printable<T> for InClear<'_, T> {
    fn printed(&self) -> &T {
        self.0
    }
}

impl Printable<str> for InClear<'_, String> {
    fn printed(&self) -> &str {
        self.0
    }
}

impl Printable<str> for Redacted {
    fn printed(&self) -> &str {
        self.as_str()
    }
}

impl Printable<Value> for RedactedJson {
    fn printed(&self) -> &Value {
        self.as_value()
    }
}

/// Writes a result for people. Its styles are removed where colour is off. Everything else in the text must be
/// [`printable`].
pub(super) fn text(text: &impl Printable<str>) -> Outcome {
    let mut stdout = AutoStream::auto(io::stdout().lock());
    stdout.write_all(text.printed().as_bytes()).and_then(|()| stdout.flush()).map_err(|error| cannot_write(&error))
}

/// Writes a text of foreign origin: without secrets, or in clear if there is no redactor because the user wants to see them.
pub(super) fn insight(page: &str, redactor: Option<&Redactor>) -> Outcome {
    let Some(redactor) = redactor else { return text(&InClear(page)) };
    // Styles are escapes, and a redactor looks behind those: what is not shown is not looked at.
    let has_styles = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let shown = if has_styles { Cow::Borrowed(page) } else { Cow::Owned(strip_str(page).to_string()) };
    text(&redactor.redact(&shown))
}

/// Writes JSON of foreign origin, as [`insight`] writes text.
pub(super) fn insight_json(value: &Value, redactor: Option<&Redactor>) -> Outcome {
    match redactor {
        Some(redactor) => json(&redactor.redact_json(value), Layout::Pretty),
        None => json(&InClear(value), Layout::Pretty),
    }
}

/// Returns the failure for a result that could not be written.
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
pub(super) fn json(value: &impl Printable<Value>, layout: Layout) -> Outcome {
    let value = value.printed();
    let json = match layout {
        Layout::Line => serde_json::to_string(value),
        Layout::Pretty => serde_json::to_string_pretty(value),
    };
    line(&printable_json(json.expect("the keys are texts")))
}

/// Returns the columns of a terminal; `None` if the stream is none, or its width is not known.
pub(super) fn width(stream: &impl IsTerminal) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    let of_terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    of_terminal.or_else(|| std::env::var("COLUMNS").ok()?.parse().ok()).filter(|width| *width >= NARROWEST)
}

/// Returns a text whose lines are wrapped between words at a width. Continuation lines are indented by `indent` beyond
/// the beginning of their line. Longer words stay whole, and so do texts in backticks, because commands are copied.
/// Without a width, returns the text unchanged.
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
            // An unclosed backtick quotes nothing.
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
            Severity::Note => paint(style::HINT, "note"),
        };
        let problem = style::printable_lines(&shown::message(finding));
        // Readers look for the place in the document; the document itself has no name.
        let path = printable(&shown::path(finding));
        let problem = match problem.strip_prefix(&path) {
            Some(rest) if !path.is_empty() => paint(style::NAME, path) + rest,
            _ => problem,
        };
        let rule = paint(style::DETAIL, format_args!("[{}]", finding.rule.id));
        text += &wrapped(&format!("{place}: {severity}: {problem} {rule}"), width, 2);
        text.push('\n');
        // Each line is shown once, and only for the first findings, to keep a long list short.
        if snippets < MOST_SNIPPETS
            && last != finding.position
            && let Some(snippet) = document.and_then(|document| snippet::snippet(document, finding, width))
        {
            text += &snippet;
            text.push('\n');
            last = finding.position;
            snippets += 1;
        }
        if let Some(hint) = shown::hint(finding) {
            let hint = style::labelled(&format!("  hint: {}", style::printable_lines(&hint)));
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

/// Adds findings to an object: the list, and their number if the list is incomplete.
pub(super) fn add_findings(object: &mut Value, report: &Report) {
    object["findings"] = findings_json(report, |severity| severity != Severity::Note);
    let notes = findings_json(report, |severity| severity == Severity::Note);
    // A program that counts findings counts problems.
    if notes.as_array().is_some_and(|notes| !notes.is_empty()) {
        object["notes"] = notes;
    }
    if report.omitted > 0 {
        object["total"] = report.total().into();
    }
}

/// Returns findings as `validate --format json` prints them.
fn findings_json(report: &Report, is_wanted: impl Fn(Severity) -> bool) -> Value {
    let findings = report.findings.iter().filter(|finding| is_wanted(finding.severity)).map(|finding| {
        json!({
            "path": shown::path(finding),
            "line": finding.position.map(|position| position.line),
            "column": finding.position.map(|position| position.column),
            "severity": finding.severity.to_string(),
            "rule": finding.rule.id,
            "problem": shown::problem(finding),
            "hint": shown::hint(finding),
        })
    });
    findings.collect()
}

/// Writes a file that the user has named, readable only by its owner. A regular file is replaced atomically, and missing
/// directories are created in the same way. Anything else is never replaced: a device or a FIFO is written to, and so is the
/// target of a symbolic link, as by a redirection of a shell.
pub(super) fn raw_file(path: &Path, content: &[u8]) -> Outcome {
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() && is_stdout(path) => bytes(content),
        Ok(found) if !found.is_file() => write_in_place(path, content).map_err(|error| failed("write", path, &error)),
        _ => replace(path, content),
    }
}

/// Writes files below a directory, all of them or none: first each is written below a temporary directory in it, then all are renamed.
/// Follows no symbolic link below the directory, and fails if something else than a regular file has the name of one.
pub(super) fn files_below(directory: &Path, files: &[(&Path, &[u8])]) -> Outcome {
    let parts: BTreeSet<&Path> = files.iter().flat_map(|(name, _)| name.ancestors().skip(1)).collect();
    for (name, is_file) in files.iter().map(|(name, _)| (*name, true)).chain(parts.iter().map(|part| (*part, false))) {
        let path = directory.join(name);
        let problem = match fs::symlink_metadata(&path) {
            _ if name.as_os_str().is_empty() => continue,
            _ if is_file && parts.contains(name) => "is a file and a directory",
            Ok(found) if is_file && !found.is_file() => "exists and is not a regular file",
            Ok(found) if !is_file && !found.is_dir() => "exists and is not a directory",
            _ => continue,
        };
        return Err(failed("write", &path, &io::Error::other(problem)));
    }
    let is_new = !directory.exists();
    let staged = directory.join(format!(".{}.tmp", std::process::id()));
    let written = files.iter().try_for_each(|(name, content)| {
        atomic_file::replace(&staged.join(name), content, FOR_THE_OWNER, Durability::Synced)
            .map_err(|error| failed("write", &directory.join(name), &error))
    });
    let moved = written.and_then(|()| {
        files.iter().map(|(name, _)| *name).collect::<BTreeSet<_>>().into_iter().try_for_each(|name| {
            let path = directory.join(name);
            atomic_file::create_directory_of(&path, FOR_THE_OWNER.directory)
                .and_then(|()| fs::rename(staged.join(name), &path))
                .and_then(|()| atomic_file::sync_directory_of(&path))
                .map_err(|error| failed("write", &path, &error))
        })
    });
    let _ = fs::remove_dir_all(&staged);
    if moved.is_err() && is_new {
        // It stays if it has anything.
        let _ = fs::remove_dir(directory);
    }
    moved
}

fn replace(path: &Path, content: &[u8]) -> Outcome {
    atomic_file::create_directory_of(path, FOR_THE_OWNER.directory)
        .map_err(|error| failed("create the directory of", path, &error))?;
    atomic_file::replace(path, content, FOR_THE_OWNER, Durability::Synced)
        .map_err(|error| failed("write", path, &error))
}

fn write_in_place(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    if file.metadata()?.is_file() {
        // Before it has the content.
        #[cfg(unix)]
        file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(FOR_THE_OWNER.file))?;
        file.set_len(0)?;
    }
    file.write_all(content)
}

/// Reports whether a path leads to the file, pipe or terminal that is standard output, such as `/dev/stdout`. Opened again, a file
/// would be written from its beginning by both.
#[cfg(unix)]
fn is_stdout(path: &Path) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let stdout = io::stdout().as_fd().try_clone_to_owned().and_then(|stdout| File::from(stdout).metadata());
    let (Ok(stdout), Ok(found)) = (stdout, fs::metadata(path)) else { return false };
    (stdout.dev(), stdout.ino()) == (found.dev(), found.ino())
}

#[cfg(not(unix))]
fn is_stdout(_: &Path) -> bool {
    false
}

fn failed(what: &str, path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::ClosedPipe,
        _ => Failure::Input(format!("cannot {what} {}: {error}", path.display())),
    }
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
