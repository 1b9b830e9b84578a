//! The timeline of a node, from all evidence with a time.
//!
//! To read another text: a method of `Rows` in `logs` or `documents` that adds rows, and its [`Source`] in [`rows`].

mod documents;
mod logs;
mod reader;
mod row;

pub(super) use documents::{exit_code, time_of};
pub(super) use row::{KERNEL_STARTS, NODE_IS_NOT_READY, NODE_IS_READY};
pub use row::{Phase, Row};

use serde_json::Value;

use super::evidence::{Evidence, Item, Source};
use crate::moment::{Moment, Reference};
use reader::Rows;

/// Two rows for the same step end within this time of each other, in milliseconds, because logs have whole seconds.
const SAME: u64 = 1500;

/// The most rows of a timeline. Later ones count more.
const MOST_ROWS: usize = 20_000;

/// Returns all rows, by time.
pub(super) fn rows(evidence: &Evidence) -> Vec<Row> {
    let mut found = Vec::new();
    let reference = reference(evidence);
    for item in &evidence.items {
        let mut rows = Rows::of(item, reference);
        match item.source {
            Source::Result => rows.result(),
            Source::Event => rows.event(),
            Source::ProvisionLog => rows.provision_log(),
            Source::ControllerLog => rows.controller_log(),
            Source::CloudInitLog => rows.cloud_init_log(),
            Source::AgentLog | Source::HandlerLog => rows.agent_log(),
            Source::Journal | Source::Units | Source::Console => rows.journal(),
            Source::Kernel => rows.kernel(),
            Source::Certificate => rows.certificate(),
            Source::EarlierResult
            | Source::Marker
            | Source::ImageMarker
            | Source::Started
            | Source::ScriptOutput
            | Source::CloudInitResult
            | Source::Message
            | Source::Features
            | Source::Hotfix
            | Source::Input => {}
        }
        found.append(&mut rows.found);
        if found.len() > 2 * MOST_ROWS {
            latest(&mut found);
        }
    }
    latest(&mut found);
    merged(found)
}

/// Removes the earliest rows of too many.
fn latest(rows: &mut Vec<Row>) {
    if rows.len() > MOST_ROWS {
        rows.select_nth_unstable_by_key(MOST_ROWS, |row| std::cmp::Reverse(row.at));
        rows.truncate(MOST_ROWS);
    }
}

/// How much later than a time in a log another one can be, in milliseconds.
const DAY: i64 = 86_400_000;

/// Returns a point in time near the diagnosed boot, and the latest possible time, for logs without a year: when the newest file was
/// written, or if that is unknown, a day after the newest dated line.
fn reference(evidence: &Evidence) -> Option<Reference> {
    let near = near(evidence)?;
    let written = evidence.items.iter().filter_map(|item| item.modified).max();
    let dated = |item: &Item| item.text.lines().rev().take(50).filter_map(Moment::parse).max();
    let dated = evidence.items.iter().filter_map(dated).max().unwrap_or(near).max(near);
    Some(Reference { near, latest: written.unwrap_or(near).max(Moment(dated.0.saturating_add(DAY))) })
}

/// Returns a point in time near the diagnosed boot.
fn near(evidence: &Evidence) -> Option<Moment> {
    let of_result = |item: &Item| {
        let result: Value = serde_json::from_str(&item.text).ok()?;
        time_of(&result, "CSEStartTime").or_else(|| time_of(&result, "KernelStartTime"))
    };
    let of_lines = |item: &Item| item.text.lines().take(50).find_map(Moment::parse);
    let result = evidence.of(Source::Result).find_map(of_result);
    result
        .or_else(|| {
            evidence.of(Source::Event).find_map(|item| time_of(&serde_json::from_str(&item.text).ok()?, "Timestamp"))
        })
        .or_else(|| evidence.items.iter().filter(|item| item.source != Source::Event).find_map(of_lines))
        .or_else(|| evidence.items.iter().filter_map(|item| item.modified).max())
}

/// Sorts rows, and merges two rows for the same step: the event, which has its beginning, and the line in the log.
fn merged(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort();
    let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
    for row in rows {
        let is_same = |other: &&mut Row| {
            other.phase == row.phase
                && row.what != KERNEL_STARTS
                && other.what == row.what
                && other.source != row.source
                && (other.end().0.abs_diff(row.end().0) <= SAME || other.at.0.abs_diff(row.at.0) <= SAME)
        };
        match kept.iter_mut().rev().take(200).find(is_same) {
            Some(other) => {
                let failed = other.failed || row.failed;
                if exactness(&row) > exactness(other) {
                    *other = row;
                }
                other.failed = failed;
            }
            None => kept.push(row),
        }
    }
    kept.sort();
    kept
}

/// Returns the precision of a row: whether it has a duration, and more than whole seconds.
fn exactness(row: &Row) -> (bool, bool) {
    (row.duration.is_some(), row.end().0 % 1000 != 0)
}
