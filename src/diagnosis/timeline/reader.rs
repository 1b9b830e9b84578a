//! The rows of one text, while it is read.

use serde_json::Value;

use super::row::{Phase, Row};
use crate::diagnosis::evidence::Item;
use crate::diagnosis::moment::Moment;
use crate::explain::presentable;

/// The most rows that one text adds, so that a log of a year does not become a timeline of a year.
pub(super) const MOST_ROWS: usize = 2000;

/// Bytes of a line that are looked at.
const LONGEST_LINE: usize = 8192;

/// The rows of one text.
pub(super) struct Rows<'e> {
    pub(super) item: &'e Item,
    near: Option<Moment>,
    pub(super) found: Vec<Row>,
}

impl<'e> Rows<'e> {
    pub(super) const fn of(item: &'e Item, near: Option<Moment>) -> Self {
        Self { item, near, found: Vec::new() }
    }

    fn push(&mut self, at: Moment, duration: Option<i64>, phase: Phase, what: &str, failed: bool) {
        if self.found.len() < MOST_ROWS {
            let (what, source) = (presentable(what.trim()), self.item.path.clone());
            self.found.push(Row { at, duration, phase, what, failed, source });
        }
    }

    pub(super) fn add(&mut self, at: Moment, phase: Phase, what: &str) {
        self.push(at, None, phase, what, false);
    }

    /// Adds the end of something that may be a failure.
    pub(super) fn add_end(&mut self, at: Moment, phase: Phase, what: &str, failed: bool) {
        self.push(at, None, phase, what, failed);
    }

    /// Adds something that took time.
    pub(super) fn add_span(&mut self, at: Moment, end: Moment, phase: Phase, what: &str, failed: bool) {
        self.push(at, Some(end.0.saturating_sub(at.0).max(0)), phase, what, failed);
    }

    /// Calls a function with each line that begins with a time, and the rest of that line.
    pub(super) fn each_line(&mut self, mut read: impl FnMut(&mut Self, Moment, &'e str)) {
        for line in self.item.text.lines() {
            let line = &line[..line.floor_char_boundary(LONGEST_LINE)];
            if let Some((at, rest)) = Moment::leading(line, self.near) {
                read(self, at, rest);
            }
        }
    }

    /// Returns the text as a JSON object.
    pub(super) fn object(&self) -> Option<Value> {
        serde_json::from_str(&self.item.text).ok().filter(Value::is_object)
    }
}
