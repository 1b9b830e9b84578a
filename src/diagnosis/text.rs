//! A diagnosis as text for people. [`Painter`] marks the parts that can have a colour.

use std::fmt::Write;

use super::check::Verdict;
use super::judgement::{Diagnosis, State};
use super::moment::duration;
use super::timeline::Row;

/// The most characters of an event in the table. The evidence has the complete text.
const LONGEST_WHAT: usize = 64;

/// The meaning of a piece of text, which decides on its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Meaning {
    /// Something that works.
    Good,
    /// Something that failed.
    Bad,
    /// The title of a section.
    Title,
    /// Secondary text.
    Minor,
}

/// Marks a piece of text by its meaning, without changing its width.
pub type Painter<'p> = &'p dyn Fn(Meaning, &str) -> String;

impl Diagnosis {
    /// Returns the diagnosis for people: the verdict, then its explanation, then the timeline. `paint` can add colour.
    #[must_use]
    pub fn to_text(&self, paint: Painter<'_>) -> String {
        self.to_text_within(None, paint)
    }

    /// Returns the diagnosis as [`Diagnosis::to_text`] does. A row of the timeline that is wider than this many columns
    /// has no source.
    #[must_use]
    pub fn to_text_within(&self, width: Option<usize>, paint: Painter<'_>) -> String {
        let meaning = if self.state == State::Succeeded { Meaning::Good } else { Meaning::Bad };
        let mut text = format!("{}\n", paint(meaning, &self.summary));
        let title = |text: &mut String, title: &str| {
            let _ = writeln!(text, "\n{}", paint(Meaning::Title, title));
        };
        if let Some(explanation) = &self.explanation {
            let _ = writeln!(text, "{}\n", explanation.meaning);
            let mut field = |name: &str, value: Option<&str>| {
                if let Some(value) = value {
                    let _ = writeln!(text, "{name:<11}{value}");
                }
            };
            field("last step", self.last_step.as_deref());
            field("evidence", explanation.evidence.as_deref());
            for (name, items) in explanation.lists() {
                if !items.is_empty() {
                    title(&mut text, name);
                }
                for item in items {
                    let _ = writeln!(text, "{item}");
                }
            }
        }
        if !self.checks.is_empty() {
            title(&mut text, "Checks");
            let width = self.checks.iter().map(|check| check.name.chars().count()).max().unwrap_or(0);
            for check in &self.checks {
                let meaning = match check.verdict {
                    Verdict::Ok => Meaning::Good,
                    Verdict::Warning | Verdict::Failed => Meaning::Bad,
                    Verdict::NotChecked => Meaning::Minor,
                };
                let verdict = paint(meaning, &format!("{:<11}", check.verdict.title()));
                let _ = writeln!(text, "{verdict}  {:<width$}  {}", check.name, check.detail);
                if let Some(hint) = &check.hint {
                    let _ = writeln!(text, "  hint: {hint}");
                }
            }
        }
        let list = |text: &mut String, name: &str, lines: &[String]| {
            if !lines.is_empty() {
                title(text, name);
            }
            for line in lines {
                let _ = writeln!(text, "-  {line}");
            }
        };
        list(&mut text, "Notes", &self.notes);
        if !self.timeline.is_empty() {
            let date = self.timeline.first().map(|row| row.at.date()).unwrap_or_default();
            title(&mut text, &format!("Timeline, UTC, from {date}"));
            self.table(&mut text, width, paint);
            if self.earlier_rows > 0 {
                let _ = writeln!(
                    text,
                    "{}",
                    paint(Meaning::Minor, &format!("({} rows of earlier boots are omitted)", self.earlier_rows))
                );
            }
        }
        if !self.units.is_empty() {
            title(&mut text, "Units");
            for unit in &self.units {
                let detail = match (unit.sub.as_str(), unit.result.as_str()) {
                    ("", "" | "success") => String::new(),
                    (sub, "" | "success") => format!(" ({sub})"),
                    ("", result) => format!(" ({result})"),
                    (sub, result) => format!(" ({sub}, {result})"),
                };
                let restarts = unit
                    .restarts
                    .filter(|restarts| *restarts > 0)
                    .map(|restarts| format!(", started again {restarts} times"));
                let state = format!("{}{detail}{}", unit.active, restarts.unwrap_or_default());
                let meaning = if unit.has_failed() { Meaning::Bad } else { Meaning::Minor };
                let _ = writeln!(text, "{:<32}{}", unit.name, paint(meaning, &state));
            }
        }
        list(&mut text, "Last errors of the kubelet", &self.kubelet);
        let unread: Vec<_> = self.unread.iter().map(|unread| format!("{}: {}", unread.path, unread.problem)).collect();
        list(&mut text, "Not read", &unread);
        text
    }

    fn table(&self, text: &mut String, most: Option<usize>, paint: Painter<'_>) {
        let cells: Vec<[String; 3]> = self.timeline.iter().map(|row| self.cells(row)).collect();
        let width = |column: usize| cells.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
        let widths = [width(0), width(1), width(2).min(48)];
        for (row, [since, took, what]) in self.timeline.iter().zip(&cells) {
            let source = row.source.rsplit('/').next().unwrap_or_default();
            let start = format!(
                "{}  {since:>since_width$}  {took:>took_width$}  ",
                row.at.time(),
                since_width = widths[0],
                took_width = widths[1],
            );
            let length = what.chars().count();
            let columns = start.len() + length.max(widths[2]) + 2 + source.chars().count();
            let room = most.filter(|most| columns > *most).map(|most| most.saturating_sub(start.len() + 1));
            let what = match room.and_then(|room| what.char_indices().nth(room)) {
                Some((end, _)) if end < what.len() => format!("{}…", what[..end].trim_end_matches('…')),
                _ => what.clone(),
            };
            let what = if row.failed { paint(Meaning::Bad, &what) } else { what };
            let padding = " ".repeat(widths[2].saturating_sub(length));
            let _ = match room {
                Some(_) => writeln!(text, "{start}{what}"),
                None => writeln!(text, "{start}{what}{padding}  {}", paint(Meaning::Minor, source)),
            };
        }
    }

    fn cells(&self, row: &Row) -> [String; 3] {
        let since = self.boot.map(|boot| format!("+{}", duration((row.at.0 - boot.0).max(0)))).unwrap_or_default();
        let took = row.duration.filter(|took| *took > 0).map(duration).unwrap_or_default();
        let mark = if row.failed { "failed: " } else { "" };
        let what = match row.what.char_indices().nth(LONGEST_WHAT) {
            Some((end, _)) => format!("{mark}{}…", &row.what[..end]),
            None => format!("{mark}{}", row.what),
        };
        [since, took, what]
    }
}
