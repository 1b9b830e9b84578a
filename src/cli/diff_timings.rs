//! `diff` of the records of two nodes: what became slower or faster.

use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_json::Value;

use super::file;
use super::output::{self, Format, printable};
use super::style::{self, paint};
use super::{Failure, Outcome};
use crate::Secret;
use crate::diagnosis::{Change, Changes, Evidence, Item, Source, StartupPhase, Timings, diagnose, reading};
use crate::difference::{Differences, Part};
use crate::recognition::{Binary, lossy_text, without_mark};
use crate::redaction::Redactor;

/// The largest JSON document that is read, in bytes.
const LARGEST_DOCUMENT: usize = 4 << 20;

/// Lines of a summary, without the first.
const SUMMARY: usize = 9;

/// The most columns of the name of a step.
const LONGEST_NAME: usize = 40;

/// How many steps are shown that only one side has.
const ONLY: usize = 5;

/// The durations in the records of a node.
pub(super) struct Records {
    name: String,
    timings: Timings,
    secrets: Vec<Secret<'static>>,
}

impl Records {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the records in a directory or an archive of a node's logs. `None` if the path is something else.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = &file::name_of(path);
        let (evidence, secrets) = if path.is_dir() {
            (reading::directory(path).ok()?, reading::secrets(path).ok()?)
        } else {
            // A pipe can be read only once.
            path.metadata().ok().filter(std::fs::Metadata::is_file)?;
            let mut beginning = Vec::new();
            File::open(path).ok()?.take(512).read_to_end(&mut beginning).ok()?;
            if !matches!(Binary::of(&beginning), Some(Binary::Gzip | Binary::Tar | Binary::Zip)) {
                return None;
            }
            (reading::archive(path).ok()?, Vec::new())
        };
        Self::of_evidence(evidence, name, secrets)
    }

    /// Returns the records in a result, or in the output of `diagnose --format json`.
    pub fn of_bytes(bytes: &[u8], name: &str) -> Option<Self> {
        if bytes.len() > LARGEST_DOCUMENT {
            return None;
        }
        let text = lossy_text(bytes);
        let text = without_mark(&text);
        // Another document can contain a result in a text, so only members of the document itself count.
        let value: Value = serde_json::from_str(text).ok().filter(Value::is_object)?;
        if value.get("state").is_some()
            && let Some(timings) = value.get("timings").and_then(Timings::from_json)
        {
            return Some(Self { name: name.to_owned(), timings, secrets: Vec::new() });
        }
        value.get("ExitCode")?;
        let source = Source::of_text(text).filter(|source| *source == Source::Result)?;
        let path = "provision.json".to_owned();
        let item = Item { path, source, text: text.to_owned(), left_out: 0, modified: None };
        Self::of_evidence(Evidence { items: vec![item], ..Evidence::default() }, name, Vec::new())
    }

    fn of_evidence(mut evidence: Evidence, name: &str, secrets: Vec<Secret<'static>>) -> Option<Self> {
        evidence.redact(&Redactor::new(&secrets));
        let is_node = [Source::Result, Source::ProvisionLog, Source::Event].iter().any(|source| evidence.has(*source));
        is_node.then(|| Self { name: name.to_owned(), timings: diagnose(&evidence).timings, secrets })
    }
}

/// Prints what became slower or faster.
pub(super) fn show(a: &Records, b: &Records, format: Format, is_summary: bool) -> Outcome {
    let found = Changes::between(&a.timings, &b.timings);
    if found.compared == 0 {
        let problem = format!("{} and {} have no duration of a phase or a step in common", a.name, b.name);
        return Err(Failure::Input(problem));
    }
    let redactor = Redactor::new(&[a.secrets.as_slice(), &b.secrets].concat());
    match format {
        Format::Json => {
            let mut value = Differences { skipped: Part::ALL.to_vec(), ..Differences::default() }.to_json(false);
            value["equal"] = found.is_empty().into();
            value["timings"] = found.to_json();
            output::json(&redactor.redact_json(&value), output::Layout::Pretty)?;
        }
        Format::Text => {
            let text = described(&found, [&a.name, &b.name], is_summary);
            output::text(&redactor.redact(&output::wrapped(&text, output::width(&std::io::stdout()), 4)))?;
        }
    }
    if found.is_empty() { Ok(()) } else { Err(Failure::Different) }
}

/// Returns the changes for people.
fn described(found: &Changes, [a, b]: [&str; 2], is_summary: bool) -> String {
    let lists: [(&str, &[Change]); 3] =
        [("In total", &found.totals), ("Phases", &found.phases), ("Steps", &found.steps)];
    let mut text = paint(style::TITLE, heading(found)) + "\n";
    let all = || lists.iter().flat_map(|(_, list)| list.iter());
    let label = all().map(|change| style::columns(&title(&change.name))).max().unwrap_or(0);
    if is_summary {
        for change in all().take(SUMMARY) {
            let _ = writeln!(text, "{}", line(change, label));
        }
        return text;
    }
    let _ = writeln!(text, "\nA  {}\nB  {}", printable(a), printable(b));
    for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        let _ = writeln!(text, "\n{}", paint(style::TITLE, name));
        for change in list {
            let _ = writeln!(text, "{}", line(change, label));
        }
    }
    for (name, list) in [("A", &found.only_a), ("B", &found.only_b)] {
        if list.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{}", paint(style::TITLE, format_args!("Steps that only the records of {name} have")));
        for step in list.iter().take(ONLY) {
            let _ = writeln!(text, "{:>9}  {}", seconds(step.duration), title(&step.name));
        }
        if let Some(more) = list.len().checked_sub(ONLY).filter(|more| *more > 0) {
            let _ = writeln!(text, "{}", paint(style::DETAIL, format_args!("and {more} shorter ones")));
        }
    }
    text
}

fn heading(found: &Changes) -> String {
    let changes = || found.phases.iter().chain(&found.steps);
    let slower = changes().filter(|change| change.difference() > 0).count();
    let faster = changes().count() - slower;
    if found.is_empty() {
        return "no differences above 20 % and 100 ms".to_owned();
    }
    format!("phases and steps: {slower} slower and {faster} faster in B")
}

/// Returns the name of a phase or a step for people.
fn title(name: &str) -> String {
    match name {
        "whole" => "kernel to Ready".to_owned(),
        "run" => "run of the scripts".to_owned(),
        _ => {
            let phase = StartupPhase::ALL.into_iter().find(|phase| phase.name() == name);
            phase.map_or_else(|| shortened(name), |phase| phase.title().to_owned())
        }
    }
}

fn line(change: &Change, label: usize) -> String {
    let style = if change.difference() > 0 { style::ERROR } else { style::GOOD };
    let (sign, difference) = (if change.difference() > 0 { "+" } else { "-" }, change.difference().abs());
    let percent = change.percent().map(|percent| format!("{percent:+} %")).unwrap_or_default();
    let changed = format!("{:>10}  {percent:>8}", format!("{sign}{}", seconds(difference)));
    let title = title(&change.name);
    let padding = " ".repeat(label.saturating_sub(style::columns(&title)));
    let (a, b) = (seconds(change.a), seconds(change.b));
    format!("{title}{padding}  {a:>9} -> {b:>9}  {}", paint(style, changed.trim_end()))
}

/// Returns the name of a step, which is untrusted.
fn shortened(name: &str) -> String {
    let name = printable(name);
    let shown = style::fitting(&name, LONGEST_NAME);
    if shown.len() < name.len() { format!("{shown}…") } else { name }
}

/// Returns milliseconds, which are not negative, in seconds.
fn seconds(milliseconds: i64) -> String {
    let hundredths = (milliseconds + 5) / 10;
    format!("{}.{:02} s", hundredths / 100, hundredths % 100)
}
