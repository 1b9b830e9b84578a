//! The kubelet's feature gates, by version of Kubernetes.
//!
//! The kubelet does not start with an unknown gate, nor with another value for a locked one. It also knows the gates of
//! the other components. `make kubelet-facts` writes the tables; to add a version of Kubernetes, add it to that target.

mod dependencies;
mod table;

use super::minors::Lifetime;

/// A feature gate.
#[derive(Clone, Copy, Debug)]
pub struct FeatureGate {
    /// The name, in upper camel case.
    pub name: &'static str,
    /// The versions that have it.
    pub lifetime: Lifetime,
    locked_on_since: u8,
    locked_off_since: u8,
}

const fn gate(name: &'static str) -> FeatureGate {
    FeatureGate { name, lifetime: Lifetime::ALWAYS, locked_on_since: 0, locked_off_since: 0 }
}

impl FeatureGate {
    const fn since(self, minor: u8) -> Self {
        Self { lifetime: self.lifetime.since(minor), ..self }
    }

    const fn until(self, minor: u8) -> Self {
        Self { lifetime: self.lifetime.until(minor), ..self }
    }

    /// The gate is always on from this version on.
    const fn on(self, minor: u8) -> Self {
        Self { locked_on_since: minor, ..self }
    }

    /// The gate is always off from this version on.
    const fn off(self, minor: u8) -> Self {
        Self { locked_off_since: minor, ..self }
    }

    /// Returns the first known minor version from which the gate has one fixed value, and that value.
    #[must_use]
    pub fn lock(&self) -> Option<(u64, bool)> {
        match (self.locked_on_since, self.locked_off_since) {
            (0, 0) => None,
            (0, since) => Some((u64::from(since), false)),
            (since, _) => Some((u64::from(since), true)),
        }
    }
}

/// How mature a gate is, and with it whether it is on if nobody sets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Off, unless `AllAlpha` is on.
    Alpha,
    /// On or off by default, unless `AllBeta` says otherwise.
    Beta(bool),
    /// On or off by default.
    Other(bool),
}

/// A feature gate that can only be on while another one is.
#[derive(Clone, Copy, Debug)]
pub struct Dependency {
    /// The minor version of Kubernetes.
    pub minor: u64,
    /// The gate.
    pub gate: (&'static str, Stage),
    /// The gate that must be on.
    pub needs: (&'static str, Stage),
}

const fn needs(minor: u64, gate: (&'static str, Stage), needs: (&'static str, Stage)) -> Dependency {
    Dependency { minor, gate, needs }
}

/// Returns what the kubelet of a minor version compares, without gates that need one which cannot be off. Kubelets before 1.35 compare nothing.
pub fn dependencies(minor: u64) -> impl Iterator<Item = &'static Dependency> {
    dependencies::DEPENDENCIES.iter().filter(move |dependency| dependency.minor == minor)
}

/// Gates whose setting has a default only while the gate is on, with the first minor versions that have the gate and that have it on. A kubelet
/// without a configuration file sets the default before it reads its flags, and then rejects what does not fit: `SetDefaults_KubeletConfiguration`
/// and `ValidateKubeletConfiguration`.
pub static WITH_SETTING: [(&str, u64, u64); 2] =
    [("KubeletCrashLoopBackOffMax", 32, 35), ("KubeletEnsureSecretPulledImages", 33, 35)];

/// Returns a feature gate. Names are case-sensitive.
#[must_use]
pub fn gate_named(name: &str) -> Option<&'static FeatureGate> {
    let found = table::GATES.binary_search_by(|gate| gate.name.cmp(name)).ok()?;
    Some(&table::GATES[found])
}

/// Returns the names of all gates in any known version.
pub fn names() -> impl Iterator<Item = &'static str> {
    table::GATES.iter().map(|gate| gate.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::minors::{KNOWN, Presence};

    #[test]
    fn rows_are_in_order_and_fit_the_known_versions() {
        assert!(table::GATES.is_sorted_by(|a, b| a.name < b.name));
        assert!(table::GATES.len() > 250);
        for gate in table::GATES {
            assert!(gate.lifetime.is_plausible(), "{gate:?}");
            assert!(gate.name.starts_with(|first: char| first.is_ascii_uppercase()), "{gate:?}");
            assert!(gate.name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{gate:?}");
            if let Some((since, _)) = gate.lock() {
                assert!(KNOWN.contains(&since), "{gate:?}");
                assert_eq!(gate.lifetime.at(since), Presence::Present, "{gate:?}");
            }
        }
    }

    #[test]
    fn dependencies_are_between_known_gates_that_can_be_set() {
        for dependency in dependencies::DEPENDENCIES {
            for (name, stage) in [dependency.gate, dependency.needs] {
                let gate = gate_named(name).expect(name);
                assert_eq!(gate.lifetime.at(dependency.minor), Presence::Present, "{dependency:?}");
                assert!(name != dependency.needs.0 || gate.lock().is_none_or(|(since, _)| since > dependency.minor));
                assert!(stage != Stage::Alpha || gate.lock().is_none_or(|(since, _)| since > dependency.minor));
            }
            let is_on = |stage| matches!(stage, Stage::Beta(true) | Stage::Other(true));
            // A gate that is on by default needs no gate that is off.
            assert!(!is_on(dependency.gate.1) || is_on(dependency.needs.1), "{dependency:?}");
        }
        let counts = KNOWN.map(|minor| dependencies(minor).count()).collect::<Vec<_>>();
        assert!(counts.iter().rev().take(3).all(|count| *count > 15), "{counts:?}");
        for (name, ..) in WITH_SETTING {
            assert!(gate_named(name).is_some(), "{name}");
        }
    }

    /// From <https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/> and
    /// <https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates-removed/>.
    #[test]
    fn the_table_agrees_with_the_documentation_of_kubernetes() {
        for (name, first, last, lock) in [
            ("AllAlpha", 28, 99, None),
            ("SidecarContainers", 28, 36, Some((33, true))),
            ("KubeletCgroupDriverFromCRI", 28, 99, Some((34, true))),
            ("ImageVolume", 31, 99, Some((36, true))),
            ("APIListChunking", 28, 32, Some((29, true))),
            ("DisableKubeletCloudCredentialProviders", 28, 32, Some((31, true))),
        ] {
            let gate = gate_named(name).expect(name);
            for minor in KNOWN {
                let present = gate.lifetime.at(minor) == Presence::Present;
                assert_eq!(present, (first..=last).contains(&minor), "{name} in 1.{minor}");
            }
            assert_eq!(gate.lock(), lock, "{name}");
        }
        assert_eq!(gate_named("GitRepoVolumeDriver").expect("the table has the gate").lock(), Some((36, false)));
        assert!(gate_named("DynamicKubeletConfig").is_none());
    }
}
