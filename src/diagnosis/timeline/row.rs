//! A row of the timeline.

use std::cmp::Ordering;

use serde::Serialize;

use crate::moment::Moment;

/// The row for the moment when the node became Ready.
pub(in crate::diagnosis) const NODE_IS_READY: &str = "node is Ready";

/// The beginning of the row for the moment when a waiter gave up, or when the node was no longer Ready.
pub(in crate::diagnosis) const NODE_IS_NOT_READY: &str = "node is not Ready";

/// The row for the start of the kernel. All rows are kept, so that readers can decide which to trust.
pub(in crate::diagnosis) const KERNEL_STARTS: &str = "kernel starts";

/// The subject of a row of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Phase {
    /// The kernel, and units that systemd starts whether or not the machine is provisioned.
    Boot,
    /// cloud-init.
    CloudInit,
    /// The guest agent and the extension that runs the CSE command.
    Agent,
    /// The controller and its launcher.
    Controller,
    /// A run of the provisioning scripts as a whole.
    Run,
    /// A step of the provisioning scripts.
    Step,
    /// kubelet.
    Kubelet,
}

/// What a kubelet does from its start on. Times of a journal are whole seconds, in which it can do all of it.
pub(super) const OF_KUBELET: [&str; 9] = [
    "kubelet fails",
    "kubelet starts",
    "kubelet writes its first line",
    "container runtime is ready",
    "kubelet's main loop starts",
    "kubelet has its first certificate",
    "kubelet registers its node",
    "node is registered",
    NODE_IS_READY,
];

/// A row of the timeline. Rows are ordered by time, and at the same time as a node starts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// When it happened, or began if it took time.
    pub at: Moment,
    /// The duration in milliseconds. `None` if it has none, or if the end is unknown.
    pub duration: Option<i64>,
    /// The subject.
    pub phase: Phase,
    /// What happened.
    pub what: String,
    /// Whether it is a failure.
    pub failed: bool,
    /// The path of the text that is its source.
    pub source: String,
}

impl Ord for Row {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |row: &Self| OF_KUBELET.iter().position(|what| *what == row.what).unwrap_or(OF_KUBELET.len());
        let beginning = |row: &Self| (row.at, row.duration, row.phase, place(row));
        beginning(self)
            .cmp(&beginning(other))
            .then_with(|| self.what.cmp(&other.what))
            .then_with(|| self.failed.cmp(&other.failed))
            .then_with(|| self.source.cmp(&other.source))
    }
}

impl PartialOrd for Row {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Row {
    /// Returns when it ended.
    pub(in crate::diagnosis) fn end(&self) -> Moment {
        Moment(self.at.0.saturating_add(self.duration.unwrap_or(0)))
    }
}
