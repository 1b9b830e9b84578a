//! `diff`: compares two artifacts that machines are created with.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};

use super::diff_summary;
use super::diff_timings::{self, Records};
use super::inspect::{InspectionArguments, read, short};
use super::output::{self, Format};
use super::style::{self, paint};
use super::{Failure, Outcome};
use crate::catalogue::{formats, paths, variables};
use crate::delivery::decoded_text;
use crate::difference::{ChangedFile, ChangedText, Detail, Differences, FileChange, Rules, SideValue, diff};
use crate::environment::ImageContents;
use crate::inspection::{Inspection, inspect};
use crate::redaction::Redactor;

/// Compare two CustomData, CSE commands, VM models or Configurations, or the durations of two nodes
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller diff node.yaml node-new.yaml
  aks-node-controller generate node.yaml |
    aks-node-controller diff custom-data.b64 -
  aks-node-controller diff --like-reference node.json cse.sh --format json
  aks-node-controller diff provision-before.json provision-after.json

Each side is anything that `inspect` reads. The comparison is by meaning, not by bytes: variables, including their content in \
base64 or gzip; files with their modes and owners; fields of the Configuration; commands. TOML, JSON and YAML are compared by \
path, kernel settings as a set, a Corefile by block, units by section and key, everything else by line. Parts that one side \
cannot have, such as files in a Configuration, are not compared, and a line names them. \
Secrets are compared, but printed as `[redacted]` unless --show-secrets is given. The summary has no values.

If both sides are records of a node, `diff` prints which phases and steps became slower or faster, by more than 20 % and 100 ms: a result \
(provision.json), the output of `diagnose --format json`, or a directory or archive that `diagnose` reads.

The exit code is 0 if nothing differs and 1 if something does. It is also 1 if a side cannot be read: then stdout is empty, and \
stderr has an error.")]
pub(super) struct Diff {
    /// One side (`-` for standard input)
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The other side (`-` for standard input)
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Format of the result: text is side by side on a terminal, and unified elsewhere [default: a summary on a terminal,
    /// else `text`]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print one line for each area that differs, at most ten lines, without values
    #[arg(long, conflicts_with = "format")]
    summary: bool,
    /// Compare as the reference does on a node: variables only, without double quotes and expected differences
    #[arg(long)]
    like_reference: bool,
    #[command(flatten)]
    arguments: InspectionArguments,
}

impl Diff {
    pub fn run(self) -> Outcome {
        if self.a == Path::new("-") && self.b == Path::new("-") {
            return Err(Failure::Usage("only one side can be standard input".to_owned()));
        }
        let image = self.arguments.image()?;
        let is_summary = self.summary || self.format.is_none() && std::io::stdout().is_terminal();
        let (a, b) = match (Side::read(&self.a, &image)?, Side::read(&self.b, &image)?) {
            (Side::Artifact(a), Side::Artifact(b)) => (a, b),
            (Side::Records(a), Side::Records(b)) if !self.like_reference => {
                return diff_timings::show(&a, &b, self.format.unwrap_or(Format::Text), is_summary);
            }
            (a, b) => {
                let (a, b) = (a.title(), b.title());
                let problem =
                    if self.like_reference { "have no variables to compare" } else { "have nothing in common" };
                return Err(Failure::Input(format!("{a} and {b} {problem}")));
            }
        };
        let rules = if self.like_reference { Rules::Reference } else { Rules::Meaning };
        let found = diff(&a.inspection, &b.inspection, rules);
        if !found.is_comparison() {
            return Err(Failure::Input(format!("{} and {} have nothing in common", a.title(), b.title())));
        }
        let clear = self.arguments.show_secrets;
        let redactor = (!clear).then(|| Redactor::new(&[a.inspection.secrets(), b.inspection.secrets()].concat()));
        match self.format.unwrap_or(Format::Text) {
            Format::Text if is_summary => {
                let mut page = Page { text: String::new(), layout: Arrangement::Unified, clear: false };
                page.summary(&found, [&a.inspection, &b.inspection]);
                output::insight(&page.text, redactor.as_ref())?;
            }
            Format::Json => output::insight_json(&found.to_json(clear), redactor.as_ref())?,
            Format::Text => {
                let layout = match output::width(&std::io::stdout()) {
                    Some(width) => Arrangement::Columns(width),
                    None => Arrangement::Unified,
                };
                let mut page = Page { text: String::new(), layout, clear };
                page.differences(&found, [&a.name, &b.name]);
                output::insight(&page.text, redactor.as_ref())?;
            }
        }
        if found.is_empty() { Ok(()) } else { Err(Failure::Different) }
    }
}

/// One side.
enum Side {
    Artifact(Artifact),
    Records(Records),
}

impl Side {
    fn read(file: &Path, image: &ImageContents) -> Result<Self, Failure> {
        let is_directory = file.is_dir();
        // User data is in a directory of its own.
        if !is_directory && let Some(records) = Records::of_path(file) {
            return Ok(Self::Records(records));
        }
        let (name, bytes) = match read(file) {
            Ok(read) => read,
            Err(error) => return Records::of_path(file).filter(|_| is_directory).map(Self::Records).ok_or(error),
        };
        match Records::of_bytes(&bytes, &name) {
            Some(records) => Ok(Self::Records(records)),
            None => Artifact::of(name, &bytes, image).map(Self::Artifact),
        }
    }

    /// Returns the name and the kind.
    fn title(&self) -> String {
        match self {
            Self::Artifact(artifact) => artifact.title(),
            Self::Records(records) => format!("{} (records of a node)", records.name()),
        }
    }
}

/// What a machine is created with.
struct Artifact {
    name: String,
    inspection: Inspection,
}

impl Artifact {
    fn title(&self) -> String {
        format!("{} ({})", self.name, self.inspection.kind.title())
    }

    fn of(name: String, bytes: &[u8], image: &ImageContents) -> Result<Self, Failure> {
        let inspection = inspect(bytes, image);
        if inspection.is_empty() {
            let reason = inspection.warnings.first().map_or_else(String::new, |warning| {
                format!(": {}\n  hint: {}", output::printable(&warning.problem), warning.hint)
            });
            return Err(Failure::Input(format!("{name}: contains no data of a node{reason}")));
        }
        for warning in &inspection.warnings {
            // Unreadable parts were not compared.
            if warning.problem.contains("cut off") || warning.problem.contains("not read") {
                output::note(&format!("warning: {name}: {}", output::printable(&warning.problem)));
            }
        }
        Ok(Self { name, inspection })
    }
}

/// The layout of two values.
#[derive(Clone, Copy)]
enum Arrangement {
    /// One after the other, with `-` and `+`.
    Unified,
    /// In two columns on a terminal of this width.
    Columns(usize),
}

/// Columns before the value of a variable, and before what is inside it.
const OUTER: usize = 4;
/// Columns by which each level is indented.
const STEP: usize = 2;
/// Stands for a value that is present but empty.
const EMPTY: &str = "(empty)";
/// The column in which the texts of a summary begin.
const LABEL: usize = 15;
const SEPARATOR: &str = " | ";

/// Marks a line that only the first side has.
const REMOVED: Style = AnsiColor::Red.on_default();
/// Marks a line that only the second side has.
const ADDED: Style = AnsiColor::Green.on_default();

struct Page {
    text: String,
    layout: Arrangement,
    clear: bool,
}

impl Page {
    /// Writes a line, which must be printable.
    fn line(&mut self, style: Style, text: &str) {
        let _ = writeln!(self.text, "{}", paint(style, text));
    }

    /// Writes at most ten lines, each as wide as the terminal at most.
    fn summary(&mut self, found: &Differences, sides: [&Inspection; 2]) {
        if found.is_empty() {
            return self.heads(found);
        }
        self.line(style::TITLE, "A and B differ; --format text shows the values");
        let width = output::width(&std::io::stdout()).unwrap_or(usize::MAX);
        let mut rows = diff_summary::rows(found, sides);
        if !found.skipped.is_empty() {
            rows.push(("not compared", skipped(found)));
        }
        for (label, text) in rows {
            let room = width.saturating_sub(LABEL);
            let shown = if style::columns(&text) <= room {
                text
            } else {
                format!("{}…", style::fitting(&text, room.saturating_sub(1)))
            };
            let _ = writeln!(self.text, "{}{shown}", paint(style::NAME, format_args!("{label:LABEL$}")));
        }
    }

    fn heads(&mut self, found: &Differences) {
        self.line(style::TITLE, &summary(found));
        if !found.skipped.is_empty() {
            self.line(style::DETAIL, &format!("not compared: {}", skipped(found)));
        }
    }

    fn differences(&mut self, found: &Differences, names: [&str; 2]) {
        self.heads(found);
        if found.is_empty() {
            return;
        }
        self.text.push('\n');
        let [a, b] = names.map(output::printable);
        match self.layout {
            Arrangement::Unified => {
                self.line(REMOVED, &format!("--- {a}"));
                self.line(ADDED, &format!("+++ {b}"));
            }
            Arrangement::Columns(_) => self.pair(OUTER, &[a], &[b]),
        }
        self.changes("Variables", &found.variables);
        self.files(&found.files);
        self.details("Configuration", &found.configuration);
        self.details("Command", &found.command);
        self.details("Commands of cloud-init", &found.runs);
        self.changes("Documents", &found.documents);
    }

    fn heading(&mut self, title: &str) {
        self.text.push('\n');
        self.line(style::TITLE, title);
    }

    fn changes(&mut self, title: &str, changes: &[ChangedText]) {
        if !changes.is_empty() {
            self.heading(title);
        }
        for change in changes {
            let name = output::printable(&change.name);
            if change.details.is_empty() {
                self.line(style::NAME, &format!("  {name}"));
                match (payload(change, change.a.as_ref()), payload(change, change.b.as_ref())) {
                    (None, None) => self.values(OUTER, change.a.as_ref(), change.b.as_ref()),
                    (a, b) => self.pair(OUTER, a.as_slice(), b.as_slice()),
                }
            } else {
                self.line(style::NAME, &format!("  {name}{}", in_format(change.format)));
                for detail in &change.details {
                    self.detail(OUTER, detail);
                }
            }
        }
    }

    fn files(&mut self, files: &[ChangedFile]) {
        if !files.is_empty() {
            self.heading("Files");
        }
        for file in files {
            let path = output::printable(&file.path);
            let change = match file.change {
                FileChange::Added => "only in B",
                FileChange::Removed => "only in A",
                FileChange::Content => "content",
                FileChange::Mode => "mode",
                FileChange::Owner => "owner",
            };
            let format = if file.details.is_empty() { String::new() } else { in_format(file.format) };
            self.line(style::NAME, &format!("  {path}: {change}{format}"));
            if file.details.is_empty() && file.path == paths::CONFIGURATION && file.change == FileChange::Content {
                self.line(style::DETAIL, "    the differing fields are listed under Configuration");
            } else if file.details.is_empty() {
                let side = |text: &Option<String>| text.iter().map(|text| output::printable(text)).collect::<Vec<_>>();
                self.pair(OUTER, &side(&file.a), &side(&file.b));
            }
            for detail in &file.details {
                self.detail(OUTER, detail);
            }
        }
    }

    fn details(&mut self, title: &str, details: &[Detail]) {
        if !details.is_empty() {
            self.heading(title);
        }
        for detail in details {
            self.detail(OUTER - STEP, detail);
        }
    }

    fn detail(&mut self, indent: usize, detail: &Detail) {
        let place = output::printable(&detail.place.to_string());
        if place.is_empty() {
            return self.values(indent, detail.a.as_ref(), detail.b.as_ref());
        }
        self.line(style::DETAIL, &format!("{}{place}", " ".repeat(indent)));
        self.values(indent + STEP, detail.a.as_ref(), detail.b.as_ref());
    }

    fn values(&mut self, indent: usize, a: Option<&SideValue>, b: Option<&SideValue>) {
        let is_hidden = matches!((a, b), (Some(a), Some(b)) if a.text(self.clear) == b.text(self.clear));
        if is_hidden {
            let note = a.map(|value| format!("{}{} (the secrets differ)", " ".repeat(indent), value.text(self.clear)));
            return self.line(style::DETAIL, &output::printable(&note.unwrap_or_default()));
        }
        let is_empty = |value: Option<&SideValue>| value.is_none_or(|value| value.text(self.clear).is_empty());
        let is_single = is_empty(a) || is_empty(b);
        let lines = |value: Option<&SideValue>| -> Vec<String> {
            let Some(value) = value.map(|value| value.text(self.clear)) else { return Vec::new() };
            if value.is_empty() {
                return vec![EMPTY.to_owned()];
            }
            if is_single && !value.contains('\n') {
                return vec![output::printable(&short(value, None))];
            }
            value.split('\n').map(output::printable).collect()
        };
        let (a, b) = (lines(a), lines(b));
        self.pair(indent, &a, &b);
    }

    /// Writes the lines of both sides, which must be printable.
    fn pair(&mut self, indent: usize, a: &[String], b: &[String]) {
        match self.layout {
            Arrangement::Unified => {
                let indent = " ".repeat(indent.saturating_sub(1));
                for line in a {
                    self.line(REMOVED, &format!("-{indent}{line}"));
                }
                for line in b {
                    self.line(ADDED, &format!("+{indent}{line}"));
                }
            }
            Arrangement::Columns(width) => {
                let left = " ".repeat(indent);
                // The separators of all levels are aligned.
                let half = width.saturating_sub(SEPARATOR.len()) / 2;
                let width = half.saturating_sub(indent);
                let rows = a.len().max(b.len());
                for row in 0..rows {
                    let folded = |side: &[String]| side.get(row).map(|line| folded(line, width)).unwrap_or_default();
                    let (one, other) = (folded(a), folded(b));
                    for at in 0..one.len().max(other.len()) {
                        let (one, other) = (one.get(at).map_or("", |text| text), other.get(at).map_or("", |text| text));
                        let padding = " ".repeat(width.saturating_sub(style::columns(one)));
                        let (one, other) = (styled(REMOVED, one), styled(ADDED, other));
                        let line = format!("{left}{one}{padding}{SEPARATOR}{other}");
                        let _ = writeln!(self.text, "{}", line.trim_end());
                    }
                }
            }
        }
    }
}

/// Returns a text in a style; an empty text gets no escape sequence.
fn styled(style: Style, text: &str) -> String {
    if text.is_empty() { String::new() } else { paint(style, text) }
}

/// Returns a line in pieces of at most this many columns.
fn folded(line: &str, width: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = line;
    loop {
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = style::fitting(rest, width).len().max(first);
        let (piece, after) = rest.split_at(end);
        pieces.push(piece.to_owned());
        if after.is_empty() {
            return pieces;
        }
        rest = after;
    }
}

/// Returns the text to show instead of base64 that only one side has.
fn payload(change: &ChangedText, value: Option<&SideValue>) -> Option<String> {
    let row = variables::variable(&change.name).filter(|row| row.is_base64 && !row.secret)?;
    let text = value?.text(false);
    let bytes = decoded_text(text).map(|text| text.len());
    bytes.map(|bytes| if bytes == 0 { EMPTY.to_owned() } else { format!("({bytes} bytes of {})", row.format.title()) })
}

fn in_format(format: formats::Format) -> String {
    match format {
        formats::Format::Text => String::new(),
        other => format!(" ({})", other.title()),
    }
}

/// Returns the parts that were not compared.
fn skipped(found: &Differences) -> String {
    found.skipped.iter().map(|part| part.name()).collect::<Vec<_>>().join(", ")
}

/// Returns the number of differences, on one line.
fn summary(found: &Differences) -> String {
    let mut paths: Vec<&str> = found.files.iter().map(|file| file.path.as_str()).collect();
    paths.dedup();
    let counts = [
        (found.variables.len(), "variable", "variables"),
        (paths.len(), "file", "files"),
        (found.configuration.len(), "field of the Configuration", "fields of the Configuration"),
        (found.command.len(), "part of the command", "parts of the command"),
        (found.runs.len(), "command of cloud-init", "commands of cloud-init"),
        (found.documents.len(), "document", "documents"),
    ];
    let total: usize = counts.iter().map(|(count, ..)| count).sum();
    let parts = counts.iter().filter(|(count, ..)| *count > 0);
    let parts: Vec<_> =
        parts.map(|(count, one, many)| format!("{count} {}", if *count == 1 { one } else { many })).collect();
    match total {
        0 => "no differences".to_owned(),
        1 => format!("{} differs", parts.join(", ")),
        _ => format!("{} differ", parts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(layout: Arrangement) -> String {
        let image = ImageContents::default();
        let text = |token: &str, content: &str| {
            format!(
                "#!/bin/bash\nLOCATION={content}\nTLS_BOOTSTRAP_TOKEN={token}\nSAME=1\n/usr/bin/nohup /bin/bash run\n"
            )
        };
        let a = inspect(text("abcdef.0123456789abcdef", "westeurope\u{1b}[31m").as_bytes(), &image);
        let b = inspect(text("abcdef.fedcba9876543210", "northeurope").as_bytes(), &image);
        let mut page = Page { text: String::new(), layout, clear: false };
        page.differences(&diff(&a, &b, Rules::Meaning), ["a.sh", "b.sh"]);
        anstream::adapter::strip_str(&page.text).to_string()
    }

    #[test]
    fn values_are_one_after_the_other_in_a_pipe() {
        let expected = "2 variables differ\n\n--- a.sh\n+++ b.sh\n\nVariables\n  LOCATION\n-   westeurope\u{fffd}[31m\n+   northeurope\n  \
            TLS_BOOTSTRAP_TOKEN\n    [redacted] (the secrets differ)\n";
        assert_eq!(page(Arrangement::Unified), expected);
    }

    #[test]
    fn values_are_side_by_side_on_a_terminal() {
        let expected = "2 variables differ\n\n    a.sh   | b.sh\n\nVariables\n  LOCATION\n    westeu | northe\n    rope\u{fffd}[ | urope\n    31m    |\n  \
            TLS_BOOTSTRAP_TOKEN\n    [redacted] (the secrets differ)\n";
        assert_eq!(page(Arrangement::Columns(23)), expected);
    }
}
