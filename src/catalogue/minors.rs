//! Ranges of minor versions of Kubernetes, for the tables that are generated from the kubelets.

use std::ops::RangeInclusive;

/// The minor versions of Kubernetes 1 from whose kubelets the tables were generated.
pub const KNOWN: RangeInclusive<u64> = 28..=37;

/// The first minor version of Kubernetes 1 that does not support containerd 1.
/// <https://kubernetes.io/blog/2025/11/26/kubernetes-v1-35-sneak-peek/>
pub(crate) const FIRST_WITHOUT_CONTAINERD_1: u64 = 36;

/// The minor versions of Kubernetes 1 that have a flag, a field or a feature gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// 0 if the first known version has it, because it can be older.
    since: u8,
    /// The first version without it; 0 if the last known version has it.
    until: u8,
}

/// Whether a version of Kubernetes has something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It does, or the version is outside [`KNOWN`].
    Present,
    /// It does not yet; this minor version is the first that does.
    From(u64),
    /// It no longer does; this minor version was the first without it.
    RemovedIn(u64),
}

impl Lifetime {
    /// In every known version.
    pub const ALWAYS: Self = Self { since: 0, until: 0 };

    /// Returns the lifetime with another first version.
    #[must_use]
    pub const fn since(self, since: u8) -> Self {
        Self { since, ..self }
    }

    /// Returns the lifetime with another end: the first version that it does not contain.
    #[must_use]
    pub const fn until(self, until: u8) -> Self {
        Self { until, ..self }
    }

    /// Reports whether a minor version of Kubernetes 1 is in the lifetime.
    #[must_use]
    pub fn at(self, minor: u64) -> Presence {
        let (since, until) = (u64::from(self.since), u64::from(self.until));
        if minor < since {
            Presence::From(since)
        } else if until != 0 && minor >= until {
            Presence::RemovedIn(until)
        } else {
            Presence::Present
        }
    }

    /// Reports whether the lifetime fits the known versions: it is neither empty nor outside of them.
    #[cfg(test)]
    pub(crate) fn is_plausible(self) -> bool {
        let known = |minor: u8| minor == 0 || u64::from(minor) > *KNOWN.start() && KNOWN.contains(&u64::from(minor));
        known(self.since) && known(self.until) && (self.until == 0 || self.since < self.until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lifetime_ends_before_the_version_that_ends_it() {
        let lifetime = Lifetime::ALWAYS.since(30).until(33);
        for (minor, expected) in [
            (27, Presence::From(30)),
            (29, Presence::From(30)),
            (30, Presence::Present),
            (32, Presence::Present),
            (33, Presence::RemovedIn(33)),
            (40, Presence::RemovedIn(33)),
        ] {
            assert_eq!(lifetime.at(minor), expected, "1.{minor}");
        }
        assert_eq!(Lifetime::ALWAYS.at(1), Presence::Present);
        assert_eq!(Lifetime::ALWAYS.at(99), Presence::Present);
    }
}
