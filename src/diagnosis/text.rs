//! A diagnosis as text for people. [`Painter`] marks the parts that can have a colour.

use std::fmt::Write;

use super::check::Verdict;
use super::judgement::{Diagnosis, State};
use super::timeline::Row;
use super::timings::{TimedPhase, TimedStep};
use crate::explain::TIMELINE;
use crate::moment::duration;

/// The most characters of an event in the table. The evidence has the complete text.
const LONGEST_WHAT: usize = 64;

/// Columns of the drawing of durations where there is no terminal, and the most of them on a terminal.
const DRAWING: usize = 80;
const WIDEST_DRAWING: usize = 120;

/// The fewest columns that a bar can have. Without them, the drawing has no bars.
const NARROWEST_BAR: usize = 10;

/// The columns that a label has at least, enough for the name of each phase.
const NARROWEST_LABEL: usize = 24;

/// How many of the longest steps are drawn.
const STEPS: usize = 5;

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
            field("stage", explanation.stage.filter(|stage| *stage != "any"));
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
            title(&mut text, &format!("{TIMELINE}{date}"));
            self.table(&mut text, width, paint);
            if self.earlier_rows > 0 {
                let _ = writeln!(
                    text,
                    "{}",
                    paint(Meaning::Minor, &format!("({} rows of earlier boots are omitted)", self.earlier_rows))
                );
            }
        }
        self.durations(&mut text, width, paint);
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

    /// Draws the phases, one below the other as they follow each other, and the longest steps.
    fn durations(&self, text: &mut String, most: Option<usize>, paint: Painter<'_>) {
        let (phases, steps) = (&self.timings.phases, self.timings.longest_steps(STEPS));
        let lines = Lines::of(phases, &steps, most);
        let end = |phase: &TimedPhase| phase.since_boot.map_or(0, |since| since.saturating_add(phase.duration));
        let first = phases.iter().filter_map(|phase| phase.since_boot).min().unwrap_or(0);
        let span = phases.iter().map(end).max().unwrap_or(0).saturating_sub(first);
        let mut title = Some("Phases");
        for phase in phases {
            if let Some(title) = title.take() {
                let _ = writeln!(text, "\n{}", paint(Meaning::Title, title));
            }
            let since = phase.since_boot.map(|since| format!("+{}", duration(since))).unwrap_or_default();
            let bar = phase.since_boot.map(|since| lines.bar(since - first, phase.duration, span));
            let bar = bar.filter(|bar| !bar.is_empty()).map(|bar| paint(Meaning::Good, &bar)).unwrap_or_default();
            lines.line(text, phase.phase.title(), &[&since, &took(phase)], &bar, |label| label);
        }
        let longest = steps.first().map_or(0, |step| step.duration);
        let mut title = Some("Longest steps");
        for step in steps {
            if let Some(title) = title.take() {
                let _ = writeln!(text, "\n{}", paint(Meaning::Title, title));
            }
            let meaning = if step.failed { Meaning::Bad } else { Meaning::Good };
            let bar = Some(lines.bar(0, step.duration, longest)).filter(|bar| !bar.is_empty());
            let bar = bar.map(|bar| paint(meaning, &bar)).unwrap_or_default();
            let colour = |label: String| if step.failed { paint(Meaning::Bad, &label) } else { label };
            lines.line(text, &label(step), &["", &duration(step.duration)], &bar, colour);
        }
    }

    fn cells(&self, row: &Row) -> [String; 3] {
        let since =
            self.boot.map(|boot| format!("+{}", duration(row.at.0.saturating_sub(boot.0).max(0)))).unwrap_or_default();
        let took = row.duration.filter(|took| *took > 0).map(duration).unwrap_or_default();
        let mark = if row.failed { "failed: " } else { "" };
        let what = match row.what.char_indices().nth(LONGEST_WHAT) {
            Some((end, _)) => format!("{mark}{}…", &row.what[..end]),
            None => format!("{mark}{}", row.what),
        };
        [since, took, what]
    }
}

/// Returns the duration of a phase, without digits that no record has.
fn took(phase: &TimedPhase) -> String {
    match phase.duration {
        whole @ 0..60_000 if phase.resolution > 1 => format!("{} s", whole / 1000),
        other => duration(other),
    }
}

fn label(step: &TimedStep) -> String {
    if step.failed { format!("failed: {}", step.name) } else { step.name.clone() }
}

/// The layout of a drawing: a label, two durations and a bar on each line.
struct Lines {
    label: usize,
    bar: usize,
}

impl Lines {
    /// Columns of the durations, such as `+1 min 10 s`, and of what separates them from label and bar.
    const DURATIONS: [usize; 2] = [11, 10];
    const BETWEEN: usize = 2;

    fn of(phases: &[TimedPhase], steps: &[&TimedStep], most: Option<usize>) -> Self {
        let width = most.unwrap_or(DRAWING).min(WIDEST_DRAWING);
        let labels = phases.iter().map(|phase| phase.phase.title().len());
        let labels = labels.chain(steps.iter().map(|step| label(step).chars().count()));
        let durations: usize = Self::DURATIONS.iter().map(|columns| columns + Self::BETWEEN).sum();
        let room = width.saturating_sub(durations);
        // A long name gives way to the bar, and the bar to the name of a phase.
        let longest = labels.max().unwrap_or(0);
        let label = longest.min(room.saturating_sub(Self::BETWEEN + 2 * NARROWEST_BAR).max(NARROWEST_LABEL));
        let bar = room.saturating_sub(label + Self::BETWEEN);
        Self { label, bar: if bar < NARROWEST_BAR { 0 } else { bar } }
    }

    /// Returns a bar for a part of a span, at its place in the span. It has at least one column.
    fn bar(&self, from: i64, duration: i64, span: i64) -> String {
        let Some(last) = self.bar.checked_sub(1) else { return String::new() };
        let column = |at: i64| {
            let all = i64::try_from(self.bar).unwrap_or(i64::MAX);
            let column = at.max(0).saturating_mul(all).checked_div(span).unwrap_or(0);
            usize::try_from(column).unwrap_or(0)
        };
        let start = column(from).min(last);
        let end = column(from.saturating_add(duration)).clamp(start + 1, self.bar);
        format!("{}{}", " ".repeat(start), "█".repeat(end - start))
    }

    fn line(
        &self,
        text: &mut String,
        label: &str,
        [since, took]: &[&str; 2],
        bar: &str,
        colour: impl Fn(String) -> String,
    ) {
        let shown = match label.char_indices().nth(self.label) {
            Some(_) => {
                let kept = label.chars().take(self.label.saturating_sub(1));
                kept.chain(['…']).collect()
            }
            None => label.to_owned(),
        };
        let padding = " ".repeat(self.label.saturating_sub(shown.chars().count()));
        let [one, other] = Self::DURATIONS;
        let line = format!("{}{padding}  {since:>one$}  {took:>other$}  {bar}", colour(shown));
        let _ = writeln!(text, "{}", line.trim_end());
    }
}
