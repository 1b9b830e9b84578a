//! What became slower or faster between two nodes.

use serde_json::{Value, json};

use super::found::{TimedStep, Timings, WHOLE_SECONDS};

/// A duration changes if the difference is longer than this, in milliseconds, and than [`LEAST_PERCENT`].
const LEAST: i64 = 100;

/// Percent of the first side's duration.
const LEAST_PERCENT: i64 = 20;

/// A duration of both sides that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The name of the phase in JSON, or the name of the step.
    pub name: String,
    /// The duration on the first side, in milliseconds.
    pub a: i64,
    /// The duration on the second side, in milliseconds.
    pub b: i64,
}

impl Change {
    /// Returns how much longer the second side took, in milliseconds; negative if it was faster.
    #[must_use]
    pub const fn difference(&self) -> i64 {
        self.b - self.a
    }

    /// Returns the difference in percent of the first side; `None` if that took no time.
    #[must_use]
    pub const fn percent(&self) -> Option<i64> {
        (self.difference() * 100).checked_div(self.a)
    }

    /// Returns a change, if the difference is large enough to mean something.
    fn of(name: &str, a: i64, b: i64, resolution: i64) -> Option<Self> {
        let difference = (b - a).abs();
        let is_change = difference > LEAST && difference * 100 > a * LEAST_PERCENT;
        // Two durations in whole seconds can differ by one although they are equal.
        let is_known = resolution == 1 || difference > resolution;
        (is_change && is_known).then(|| Self { name: name.to_owned(), a, b })
    }

    fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "aMs": self.a,
            "bMs": self.b,
            "changeMs": self.difference(),
            "changePercent": self.percent(),
        })
    }
}

/// The durations that differ between two nodes, each list by the size of the difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// `whole`, from the start of the kernel to Ready, and `run`, the last run of the scripts.
    pub totals: Vec<Change>,
    /// Phases.
    pub phases: Vec<Change>,
    /// Steps of the scripts.
    pub steps: Vec<Change>,
    /// Steps that only the records of the first side have, the longest first. It is no difference, because logs can be truncated.
    pub only_a: Vec<TimedStep>,
    /// Steps that only the records of the second side have.
    pub only_b: Vec<TimedStep>,
    /// How many durations both sides have.
    pub compared: usize,
}

impl Changes {
    /// Compares the durations that both sides have.
    #[must_use]
    pub fn between(a: &Timings, b: &Timings) -> Self {
        let mut found = Self::default();
        for (name, one, other) in [("whole", a.whole, b.whole), ("run", a.run, b.run)] {
            if let (Some(one), Some(other)) = (one, other) {
                found.compared += 1;
                found.totals.extend(Change::of(name, one, other, WHOLE_SECONDS));
            }
        }
        for one in &a.phases {
            let Some(other) = b.phases.iter().find(|other| other.phase == one.phase) else { continue };
            found.compared += 1;
            let resolution = one.resolution.max(other.resolution);
            found.phases.extend(Change::of(one.phase.name(), one.duration, other.duration, resolution));
        }
        let by_name = |timings: &Timings| -> std::collections::HashMap<String, i64> {
            timings.steps.iter().map(|step| (step.name.clone(), step.duration)).collect()
        };
        let (of_a, of_b) = (by_name(a), by_name(b));
        for step in &a.steps {
            let Some(other) = of_b.get(&step.name) else { continue };
            found.compared += 1;
            found.steps.extend(Change::of(&step.name, step.duration, *other, 1));
        }
        found.only_a = missing(a, |name| of_b.contains_key(name));
        found.only_b = missing(b, |name| of_a.contains_key(name));
        for list in [&mut found.totals, &mut found.phases, &mut found.steps] {
            list.sort_by_key(|change| std::cmp::Reverse(change.difference().abs()));
        }
        found
    }

    /// Reports whether no duration differs.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.totals.is_empty() && self.phases.is_empty() && self.steps.is_empty()
    }

    /// Returns the stable JSON form.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let changes = |list: &[Change]| list.iter().map(Change::to_json).collect::<Value>();
        let steps = |list: &[TimedStep]| -> Value {
            list.iter().map(|step| json!({"name": step.name, "durationMs": step.duration})).collect()
        };
        json!({
            "totals": changes(&self.totals),
            "phases": changes(&self.phases),
            "steps": changes(&self.steps),
            "onlyA": steps(&self.only_a),
            "onlyB": steps(&self.only_b),
        })
    }
}

/// Returns the steps that took long enough to be a difference, and that the other side does not have.
fn missing(side: &Timings, has: impl Fn(&str) -> bool) -> Vec<TimedStep> {
    let steps = side.longest_steps(usize::MAX).into_iter();
    steps.filter(|step| step.duration > LEAST && !has(&step.name)).cloned().collect()
}
