//! A row of the timeline.

use crate::diagnosis::moment::Moment;

/// The row for the moment when the node became Ready.
pub(in crate::diagnosis) const NODE_IS_READY: &str = "node is Ready";

/// What the row begins with for the moment when a waiter gave up.
pub(in crate::diagnosis) const NODE_IS_NOT_READY: &str = "node is not Ready";

/// What a row about the start of the kernel says. Each account stays: whoever looks at them knows which to trust.
pub(in crate::diagnosis) const KERNEL_STARTS: &str = "kernel starts";

/// What a row of the timeline is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Phase {
    /// The kernel, and what systemd starts before cloud-init.
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

impl Phase {
    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Boot => "boot",
            Self::CloudInit => "cloud-init",
            Self::Agent => "agent",
            Self::Controller => "controller",
            Self::Run => "run",
            Self::Step => "step",
            Self::Kubelet => "kubelet",
        }
    }
}

/// A row of the timeline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// When it happened, or began if it took time.
    pub at: Moment,
    /// How long it took, in milliseconds. `None` for what takes no time, or whose end is not known.
    pub duration: Option<i64>,
    /// What it is about.
    pub phase: Phase,
    /// What happened.
    pub what: String,
    /// Whether it is a failure.
    pub failed: bool,
    /// The path of the text that says so.
    pub source: String,
}

impl Row {
    /// Returns when it was over.
    pub(in crate::diagnosis) fn end(&self) -> Moment {
        Moment(self.at.0.saturating_add(self.duration.unwrap_or(0)))
    }
}
