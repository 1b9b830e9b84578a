//! The kubelet's feature gates, by version of Kubernetes.
//!
//! The kubelet does not start with an unknown gate, nor with another value for a locked one. It also knows the gates of
//! the other components. `make kubelet-facts` writes the table; to add a version of Kubernetes, add it to that target.

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

/// A feature gate that can only be on while another one is.
#[derive(Clone, Copy, Debug)]
pub struct Dependency {
    /// The name of the gate.
    pub gate: &'static str,
    /// The name of the gate that must be on.
    pub needs: &'static str,
    /// The first minor version whose kubelet checks the two.
    since: u64,
    /// The first minor versions in which the two are on by default.
    on_since: [u64; 2],
}

/// Not by default in any known version.
const NEVER: u64 = u64::MAX;

const fn needs(gate: &'static str, needs: &'static str, on_since: [u64; 2]) -> Dependency {
    Dependency { gate, needs, since: 35, on_since }
}

impl Dependency {
    const fn since(self, minor: u64) -> Self {
        Self { since: minor, ..self }
    }

    /// Returns whether the gate and the one that it needs are on by default in a minor version. `None` if its kubelet does not compare them.
    #[must_use]
    pub fn defaults(&self, minor: u64) -> Option<[bool; 2]> {
        let has =
            |name| gate_named(name).is_some_and(|gate| gate.lifetime.at(minor) == super::minors::Presence::Present);
        let is_checked =
            (self.since..=*super::minors::KNOWN.end()).contains(&minor) && has(self.gate) && has(self.needs);
        is_checked.then(|| self.on_since.map(|since| since <= minor))
    }
}

/// From `defaultKubernetesFeatureGateDependencies` in `pkg/features/kube_features.go`, which the kubelet compares from 1.35 on, without the gates
/// of other components and those that cannot be off.
pub static DEPENDENCIES: &[Dependency] = &[
    needs("ClusterTrustBundleProjection", "ClusterTrustBundle", [37, 37]),
    needs("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus", [36, 33]),
    needs("DRADeviceTaintRules", "DRADeviceTaints", [37, 36]),
    needs("ExtendWebSocketsToKubelet", "NodeDeclaredFeatures", [36, 36]).since(37),
    needs("GracefulNodeShutdownBasedOnPodPriority", "GracefulNodeShutdown", [24, 21]),
    needs("ImageVolumeWithDigest", "ImageVolume", [NEVER, 35]),
    needs("InPlacePodLevelResourcesVerticalScaling", "NodeDeclaredFeatures", [36, 36]),
    needs("InPlacePodLevelResourcesVerticalScaling", "PodLevelResources", [36, 34]),
    needs("PodLevelResourceManagers", "PodLevelResources", [NEVER, 34]).since(37),
    needs("PodLevelResourcesFixDefaulting", "PodLevelResources", [37, 34]).since(37),
    needs("ProcMountType", "UserNamespacesSupport", [33, 33]),
    needs("ResourceHealthStatusMessage", "ResourceHealthStatus", [36, 36]).since(37),
    needs("RestartAllContainersOnContainerExits", "ContainerRestartRules", [36, 35]),
    needs("RestartAllContainersOnContainerExits", "NodeDeclaredFeatures", [36, 36]),
    needs("UserNamespacesHostNetworkSupport", "UserNamespacesSupport", [NEVER, 33]),
];

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
        for dependency in DEPENDENCIES {
            assert!(dependency.defaults(37).is_some(), "{dependency:?}");
            for minor in 35..=37 {
                // A gate that is on by default needs no gate that is off.
                assert_ne!(dependency.defaults(minor), Some([true, false]), "{dependency:?}");
            }
        }
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
