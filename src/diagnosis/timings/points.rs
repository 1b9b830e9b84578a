//! Durations from the rows of a timeline.

use super::found::{LONGEST, StartupPhase, TimedPhase, TimedStep, Timings, WHOLE_SECONDS};
use crate::diagnosis::evidence::{Evidence, Source};
use crate::diagnosis::timeline::{KERNEL_STARTS, NODE_IS_READY, Phase, Row};
use crate::moment::Moment;

/// A known point in time, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Point {
    at: i64,
    /// 1000 if the record has whole seconds, which are rounded down; else 1.
    resolution: i64,
}

impl Point {
    /// Reports whether this point is certainly earlier than another.
    const fn is_before(self, other: Self) -> bool {
        self.at.saturating_add(self.resolution) <= other.at
    }
}

/// The rows of a diagnosis, which are sorted by time.
struct Rows<'r> {
    rows: &'r [Row],
    evidence: &'r Evidence,
}

impl Rows<'_> {
    fn source(&self, row: &Row) -> Option<Source> {
        self.evidence.items.iter().find(|item| item.path == row.source).map(|item| item.source)
    }

    fn point(row: &Row) -> Point {
        Point { at: row.at.0, resolution: if row.at.0 % 1000 == 0 { WHOLE_SECONDS } else { 1 } }
    }

    /// Returns the first row about something that is not before another point.
    fn first(&self, what: &str, from: Option<Point>) -> Option<Point> {
        let rows = self.rows.iter().filter(|row| row.what == what && !row.failed);
        rows.map(Self::point).find(|point| from.is_none_or(|from| !point.is_before(from)))
    }

    /// Returns when the node was Ready. A waiter only knows when it asked.
    fn ready(&self, from: Option<Point>) -> Option<Point> {
        let rows = self.rows.iter().filter(|row| row.what == NODE_IS_READY && !row.failed);
        let rows = rows.filter(|row| self.source(row) != Some(Source::ControllerLog));
        rows.map(Self::point).find(|point| from.is_none_or(|from| !point.is_before(from)))
    }
}

/// The points in time between which phases are, in the order in which they happen.
#[derive(Clone, Copy)]
enum Place {
    Kernel,
    CloudInit,
    CloudInitEnds,
    Wait,
    WaitEnds,
    Scripts,
    ScriptsEnd,
    Kubelet,
    Registered,
    Ready,
}

/// The beginning and the end of each phase.
const ENDS: [(StartupPhase, Place, Place); 6] = [
    (StartupPhase::Platform, Place::Kernel, Place::CloudInit),
    (StartupPhase::CloudInit, Place::CloudInit, Place::CloudInitEnds),
    (StartupPhase::Wait, Place::Wait, Place::WaitEnds),
    (StartupPhase::Scripts, Place::Scripts, Place::ScriptsEnd),
    (StartupPhase::Kubelet, Place::Kubelet, Place::Registered),
    (StartupPhase::Ready, Place::Registered, Place::Ready),
];

/// The point in time at each [`Place`]; `None` if the records do not have it.
struct Points([Option<Point>; 10]);

impl Points {
    /// A point with whole seconds, which are rounded down, is not earlier than what happened before it in the same second.
    fn aligned(mut self) -> Self {
        let mut last: Option<Point> = None;
        for point in self.0.iter_mut().flatten() {
            if let Some(last) = last.filter(|last| point.at < last.at && !point.is_before(*last)) {
                point.at = last.at;
            }
            last = Some(*point);
        }
        self
    }

    /// Returns the time between two places, unless it is too long, or another point contradicts it because a clock went backwards.
    fn between(&self, from: Place, to: Place) -> Option<(Point, Point)> {
        let (from, to) = (from as usize, to as usize);
        let (start, end) = (self.0[from]?, self.0[to]?);
        let is_ordered = self.0[..=from].iter().flatten().all(|point| point.at <= start.at)
            && self.0[from..=to].iter().flatten().is_sorted_by_key(|point| point.at)
            && self.0[to..].iter().flatten().all(|point| point.at >= end.at);
        (is_ordered && end.at.saturating_sub(start.at) <= LONGEST).then_some((start, end))
    }
}

/// Returns the durations that the rows of a diagnosis show. The rows are those of one boot if its start is known.
pub(in crate::diagnosis) fn timings(rows: &[Row], boot: Option<Moment>, evidence: &Evidence) -> Timings {
    let all = Rows { rows, evidence };
    let runs: Vec<Point> = {
        let starts = rows.iter().filter(|row| row.phase == Phase::Run && row.what == "provisioning scripts start");
        starts.map(Rows::point).collect()
    };
    let start = runs.last().copied();
    let end = rows.iter().rev().find(|row| row.phase == Phase::Run && row.what.starts_with("provisioning scripts end"));
    let end = end.map(|row| (Rows::point(row), row.failed));
    let end = end.filter(|(end, _)| start.is_some_and(|start| !end.is_before(start)));
    let points = points(&all, boot, &runs, end).aligned();
    let phases = ENDS.iter().filter_map(|(phase, from, to)| {
        let (start, end) = points.between(*from, *to)?;
        Some(TimedPhase {
            phase: *phase,
            since_boot: points.between(Place::Kernel, *from).map(|(boot, start)| start.at - boot.at),
            duration: end.at - start.at,
            resolution: start.resolution.max(end.resolution),
        })
    });
    let run = start.zip(end).map(|(start, (end, _))| end.at.saturating_sub(start.at).max(0));
    Timings {
        whole: points.between(Place::Kernel, Place::Ready).map(|(boot, ready)| ready.at - boot.at),
        run: run.filter(|run| *run <= LONGEST),
        phases: phases.collect(),
        steps: steps(rows, start, end.map(|(end, _)| end)),
    }
}

/// Returns the known points in time, from the starts of all runs of the scripts, and from the end of the last one and whether it is
/// a failure.
fn points(rows: &Rows<'_>, boot: Option<Moment>, runs: &[Point], end: Option<(Point, bool)>) -> Points {
    // Without the start of the kernel, the lines can be of any boot.
    let of_boot = |names: [&str; 2]| boot.and_then(|_| names.into_iter().find_map(|what| rows.first(what, None)));
    let kernel = of_boot([KERNEL_STARTS, KERNEL_STARTS]);
    let cloud_init = of_boot(["cloud-init-local starts", "cloud-init runs init-local"]);
    let last_stage = of_boot(["cloud-final starts", "cloud-init runs modules:final"]);
    let start = runs.last().copied();
    // An earlier run that has left only its result began at an unknown time.
    let is_first_known = runs.len() != 1 || !rows.evidence.has(Source::EarlierResult);
    let first_run = runs.first().copied();
    let cloud_init_ends = match (last_stage, first_run) {
        (Some(stage), Some(run)) if run.at < stage.at => Some(run),
        (stage, _) => stage,
    };
    let wait = last_stage.zip(first_run).filter(|(stage, run)| stage.at <= run.at && is_first_known);
    let kubelet = rows.first("kubelet starts", start);
    let scripts_end = match (kubelet, end) {
        (Some(kubelet), Some((end, _))) if end.at < kubelet.at => Some(end),
        (Some(kubelet), _) => Some(kubelet),
        (None, end) => end.filter(|(_, is_failed)| *is_failed).map(|(end, _)| end),
    };
    let registered = rows.first("node is registered", kubelet.or(start));
    let ready = rows.ready(registered.or(kubelet).or(start));
    Points([
        kernel,
        cloud_init,
        cloud_init_ends.filter(|_| is_first_known),
        wait.map(|(stage, _)| stage),
        wait.map(|(_, run)| run),
        start,
        scripts_end,
        kubelet,
        registered,
        ready,
    ])
}

/// Returns the steps between the start and the end of a run, with the sum of the durations of each.
fn steps(rows: &[Row], start: Option<Point>, end: Option<Point>) -> Vec<TimedStep> {
    let is_in_run = |row: &&Row| {
        // The log and the result can have whole seconds only.
        let from = start.is_none_or(|start| row.end().0.saturating_add(WHOLE_SECONDS) >= start.at);
        from && end.is_none_or(|end| row.at.0 <= end.at.saturating_add(WHOLE_SECONDS))
    };
    let mut found: Vec<TimedStep> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for row in rows.iter().filter(|row| row.phase == Phase::Step).filter(is_in_run) {
        let Some(duration) = row.duration.filter(|duration| (0..=LONGEST).contains(duration)) else { continue };
        let place = *places.entry(row.what.as_str()).or_insert(found.len());
        if place == found.len() {
            found.push(TimedStep { name: row.what.clone(), duration: 0, failed: false });
        }
        let step = &mut found[place];
        step.duration = step.duration.saturating_add(duration).min(LONGEST);
        step.failed |= row.failed;
    }
    found
}
