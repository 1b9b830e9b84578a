//! Collects the rows of one text.

use serde_json::Value;

use super::row::{Phase, Row};
use crate::diagnosis::evidence::Item;
use crate::moment::{Moment, Reference};
use crate::redaction::presentable;

/// The most rows from one text, so that the log of a year does not fill the timeline.
pub(super) const MOST_ROWS: usize = 2000;

/// The most bytes of a line that are read.
const LONGEST_LINE: usize = 8192;

/// The rows of one text.
pub(super) struct Rows<'e> {
    pub(super) item: &'e Item,
    reference: Option<Reference>,
    pub(super) found: Vec<Row>,
}

impl<'e> Rows<'e> {
    pub(super) const fn of(item: &'e Item, reference: Option<Reference>) -> Self {
        Self { item, reference, found: Vec::new() }
    }

    fn push(&mut self, at: Moment, duration: Option<i64>, phase: Phase, what: &str, failed: bool) {
        if self.found.len() < MOST_ROWS {
            let (what, source) = (presentable(what.trim()).into_string(), self.item.path.clone());
            self.found.push(Row { at, duration, phase, what, failed, source });
        }
    }

    pub(super) fn add(&mut self, at: Moment, phase: Phase, what: &str) {
        self.push(at, None, phase, what, false);
    }

    /// Adds the end of something, which can be a failure.
    pub(super) fn add_end(&mut self, at: Moment, phase: Phase, what: &str, failed: bool) {
        self.push(at, None, phase, what, failed);
    }

    /// Adds something with a duration.
    pub(super) fn add_span(&mut self, at: Moment, end: Moment, phase: Phase, what: &str, failed: bool) {
        self.push(at, Some(end.0.saturating_sub(at.0).max(0)), phase, what, failed);
    }

    /// Calls a function with each line that begins with a time, and the rest of that line.
    pub(super) fn each_line(&mut self, mut read: impl FnMut(&mut Self, Moment, &'e str)) {
        for line in self.item.text.lines() {
            let line = &line[..line.floor_char_boundary(LONGEST_LINE)];
            if let Some((at, rest)) = Moment::leading(line, self.reference) {
                read(self, at, rest);
            }
        }
    }

    /// Returns the text as a JSON object.
    pub(super) fn object(&self) -> Option<Value> {
        serde_json::from_str(&self.item.text).ok().filter(Value::is_object)
    }
}
