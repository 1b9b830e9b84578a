//! A row of the tables of known failures.
//!
//! To let rows say something new: a field of [`Failure`], a function that sets it, and its use in `explain::patterns`.

use super::{Layer, Publisher, Source, Texts, Weight};

/// A known failure.
#[derive(Clone, Copy, Debug)]
pub struct Failure {
    /// A name in CamelCase, which is the reason of a condition.
    pub reason: &'static str,
    /// The part of the node's start that failed.
    pub layer: Layer,
    /// How much it says.
    pub weight: Weight,
    /// The public source of its texts.
    pub source: Source,
    /// Texts that show it: one of them is enough. ASCII case does not matter; a blank stands for any white space.
    pub any: Texts,
    /// Texts that show it too, and that only Azure writes: the text need not show that it is about Azure.
    pub azure: Texts,
    /// Names that a node that works has too: one of them near a text of [`TROUBLE`](super::TROUBLE) shows it.
    pub named: Texts,
    /// Two texts near each other in one entry of the log, one of each list, that show it too.
    pub near: [(Texts, Texts); 7],
    /// The most bytes between them.
    pub within: usize,
    /// The condition of one of these types, true on a Kubernetes object, shows it too: the type alone is also in the description of
    /// a healthy node.
    pub conditions: Texts,
    /// Source files of Kubernetes: an error that one of them logs shows it too.
    pub klog: Texts,
    /// Programs of the node: an error that one of them writes to the journal shows it too.
    pub journal: Texts,
    /// Services of systemd, without `.service`: one of them near a text of [`UNIT_TROUBLE`](super::UNIT_TROUBLE) shows it too.
    pub units: Texts,
    /// Layers whose failures are only the reason of this one, where both are in one entry of the log.
    pub includes: &'static [Layer],
    /// Failures that only report this one, by their reasons: they come after it, wherever they are.
    pub reported_by: Texts,
    /// Texts that contradict it where they are near what shows it, in one entry of the log.
    pub unless: Texts,
    /// Texts of which one must be anywhere in the text, if any are listed: other machines and programs write the same messages.
    pub needs: Texts,
    /// Whether each kubelet shows it in its first seconds, also one that works.
    pub at_start: bool,
    /// Whether the text must show that it is about Azure, because other clouds and programs use the same words.
    pub needs_azure: bool,
    /// The likely cause.
    pub cause: &'static str,
    /// Less likely causes.
    pub other_causes: Texts,
    /// What to check, with commands between backticks.
    pub checks: Texts,
    /// Earlier layers that it does not rule out.
    pub leaves_open: &'static [Layer],
}

pub(super) const fn failure(layer: Layer, reason: &'static str) -> Failure {
    Failure {
        reason,
        layer,
        weight: Weight::Cause,
        source: Source { publisher: Publisher::Web, place: "", since: None },
        any: &[],
        azure: &[],
        named: &[],
        near: [(&[], &[]); 7],
        within: 600,
        conditions: &[],
        klog: &[],
        journal: &[],
        units: &[],
        includes: &[],
        reported_by: &[],
        unless: &[],
        needs: &[],
        at_start: false,
        needs_azure: false,
        cause: "",
        other_causes: &[],
        checks: &[],
        leaves_open: &[],
    }
}

impl Failure {
    /// The texts name the cause.
    pub(super) const fn cause(self, cause: &'static str) -> Self {
        Self { cause, ..self }
    }

    /// The texts show a symptom of this cause.
    pub(super) const fn symptom(self, cause: &'static str) -> Self {
        Self { cause, weight: Weight::Symptom, ..self }
    }

    /// The texts report that something else failed.
    pub(super) const fn wrapper(self, cause: &'static str) -> Self {
        Self { cause, weight: Weight::Wrapper, ..self }
    }

    pub(super) const fn source(mut self, publisher: Publisher, place: &'static str) -> Self {
        self.source = Source { publisher, place, since: self.source.since };
        self
    }

    pub(super) const fn since(mut self, version: &'static str) -> Self {
        self.source.since = Some(version);
        self
    }

    pub(super) const fn any(self, any: Texts) -> Self {
        Self { any, ..self }
    }

    pub(super) const fn named(self, named: Texts) -> Self {
        Self { named, ..self }
    }

    pub(super) const fn azure(self, azure: Texts) -> Self {
        Self { azure, ..self }
    }

    /// Adds a pair.
    pub(super) const fn near(mut self, one: Texts, other: Texts) -> Self {
        let mut free = 0;
        while !self.near[free].0.is_empty() {
            free += 1;
        }
        self.near[free] = (one, other);
        self
    }

    pub(super) const fn within(self, within: usize) -> Self {
        Self { within, ..self }
    }

    pub(super) const fn conditions(self, conditions: Texts) -> Self {
        Self { conditions, ..self }
    }

    pub(super) const fn klog(self, klog: Texts) -> Self {
        Self { klog, ..self }
    }

    pub(super) const fn journal(self, journal: Texts) -> Self {
        Self { journal, ..self }
    }

    pub(super) const fn units(self, units: Texts) -> Self {
        Self { units, ..self }
    }

    pub(super) const fn includes(self, includes: &'static [Layer]) -> Self {
        Self { includes, ..self }
    }

    pub(super) const fn reported_by(self, reported_by: Texts) -> Self {
        Self { reported_by, ..self }
    }

    pub(super) const fn unless(self, unless: Texts) -> Self {
        Self { unless, ..self }
    }

    pub(super) const fn needs(self, needs: Texts) -> Self {
        Self { needs, ..self }
    }

    pub(super) const fn at_start(self) -> Self {
        Self { at_start: true, ..self }
    }

    pub(super) const fn or(self, other_causes: Texts) -> Self {
        Self { other_causes, ..self }
    }

    pub(super) const fn checks(self, checks: Texts) -> Self {
        Self { checks, ..self }
    }

    pub(super) const fn on_azure(self) -> Self {
        Self { needs_azure: true, ..self }
    }

    pub(super) const fn leaves_open(self, leaves_open: &'static [Layer]) -> Self {
        Self { leaves_open, ..self }
    }
}
