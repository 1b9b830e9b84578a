//! Durations, and their JSON.

use serde::Serialize;
use serde_json::{Value, json};

use crate::redaction::presentable;

/// The longest duration, in milliseconds: a day. A longer one shows that a clock was set, or that the records are of different runs:
/// Azure ends an extension after 90 minutes.
pub(super) const LONGEST: i64 = 86_400_000;

/// The resolution of a duration whose ends include a whole second, in milliseconds.
pub(super) const WHOLE_SECONDS: i64 = 1000;

/// The most steps that are read from JSON.
const MOST_STEPS: usize = 2000;

/// A phase of the way from the start of the kernel to a Ready node. Phases do not overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StartupPhase {
    /// From the start of the kernel to that of cloud-init.
    Platform,
    /// From the start of cloud-init to that of its last stage or of the scripts, whichever is first.
    CloudInit,
    /// From the start of cloud-init's last stage to that of the scripts: guest agent, extension and controller.
    Wait,
    /// From the start of the scripts to that of the kubelet, or to the end of scripts that failed before.
    Scripts,
    /// From the start of the kubelet to the registration of its node.
    Kubelet,
    /// From the registration of the node until it is Ready.
    Ready,
}

impl StartupPhase {
    /// Every phase, by time.
    pub const ALL: [Self; 6] = [Self::Platform, Self::CloudInit, Self::Wait, Self::Scripts, Self::Kubelet, Self::Ready];

    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// Returns the name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.names().1
    }

    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Platform => ("platform", "kernel to cloud-init"),
            Self::CloudInit => ("cloud-init", "cloud-init"),
            Self::Wait => ("wait", "agent and controller"),
            Self::Scripts => ("scripts", "scripts"),
            Self::Kubelet => ("kubelet", "kubelet to registered"),
            Self::Ready => ("ready", "registered to Ready"),
        }
    }
}

/// A phase with its duration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TimedPhase {
    /// The phase.
    pub phase: StartupPhase,
    /// When it began, in milliseconds since the start of the kernel; `None` if that is unknown.
    pub since_boot: Option<i64>,
    /// Its duration in milliseconds.
    pub duration: i64,
    /// 1000 if a record has one of its ends in whole seconds, else 1. The duration is off by less than that.
    pub resolution: i64,
}

/// A step of the scripts with its duration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TimedStep {
    /// Its name, without secrets.
    pub name: String,
    /// Its duration in milliseconds: the sum if it ran several times.
    pub duration: i64,
    /// Whether it failed.
    pub failed: bool,
}

/// How long the way to a Ready node took. What the records do not show is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timings {
    /// From the start of the kernel until the node was Ready, in milliseconds.
    pub whole: Option<i64>,
    /// The last run of the scripts, in milliseconds.
    pub run: Option<i64>,
    /// The phases, by time.
    pub phases: Vec<TimedPhase>,
    /// The steps of the last run of the scripts, by their beginning. A step includes its parts, which can have a row of their own.
    pub steps: Vec<TimedStep>,
}

impl Timings {
    /// Reports whether no duration is known.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.whole.is_none() && self.run.is_none() && self.phases.is_empty() && self.steps.is_empty()
    }

    /// Returns the steps with the longest durations, the longest first.
    #[must_use]
    pub fn longest_steps(&self, most: usize) -> Vec<&TimedStep> {
        let mut steps: Vec<_> = self.steps.iter().filter(|step| step.duration > 0).collect();
        steps.sort_by_key(|step| std::cmp::Reverse(step.duration));
        steps.truncate(most);
        steps
    }

    /// Returns the stable JSON form.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let phases = self.phases.iter().map(|phase| {
            json!({
                "name": phase.phase,
                "sinceBootMs": phase.since_boot,
                "durationMs": phase.duration,
                "resolutionMs": phase.resolution,
            })
        });
        let steps = self
            .steps
            .iter()
            .map(|step| json!({"name": step.name, "durationMs": step.duration, "failed": step.failed}));
        json!({
            "wholeMs": self.whole,
            "runMs": self.run,
            "phases": phases.collect::<Value>(),
            "steps": steps.collect::<Value>(),
        })
    }

    /// Reads the JSON form, which is untrusted: anything that is not a duration is missing. `None` if it is not an object.
    #[must_use]
    pub fn from_json(value: &Value) -> Option<Self> {
        let duration = |value: &Value, name: &str| {
            value.get(name).and_then(Value::as_i64).filter(|duration| (0..=LONGEST).contains(duration))
        };
        let list = |name: &str| value.get(name).and_then(Value::as_array).into_iter().flatten().take(MOST_STEPS);
        let phase = |phase: StartupPhase| {
            let found = list("phases").find(|found| found.get("name").and_then(Value::as_str) == Some(phase.name()))?;
            Some(TimedPhase {
                phase,
                since_boot: duration(found, "sinceBootMs"),
                duration: duration(found, "durationMs")?,
                resolution: if duration(found, "resolutionMs") == Some(1) { 1 } else { WHOLE_SECONDS },
            })
        };
        let step = |found: &Value| {
            Some(TimedStep {
                name: presentable(found.get("name")?.as_str()?).into_string(),
                duration: duration(found, "durationMs")?,
                failed: found.get("failed").and_then(Value::as_bool).unwrap_or(false),
            })
        };
        value.is_object().then(|| Self {
            whole: duration(value, "wholeMs"),
            run: duration(value, "runMs"),
            phases: StartupPhase::ALL.into_iter().filter_map(phase).collect(),
            steps: list("steps").filter_map(step).collect(),
        })
    }
}
