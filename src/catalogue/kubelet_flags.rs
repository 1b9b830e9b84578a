//! Flags of the kubelet: what their values look like, which are in its configuration file, and which were removed.
//!
//! The kubelet does not start with a flag that it does not know or a value that it cannot read. To add a flag: a row in
//! [`FLAGS`]; the release notes of Kubernetes name every flag that is removed.

/// What the kubelet reads from a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagType {
    /// Any text.
    Text,
    /// An integer.
    Integer,
    /// A boolean in Go's notation.
    Bool,
    /// A duration in Go's notation.
    Duration,
    /// An IP address, or several, separated by commas.
    Addresses,
    /// `name=boolean` pairs, separated by commas.
    Switches,
    /// `key=value` pairs of labels, separated by commas.
    Labels,
    /// Taints, separated by commas.
    Taints,
}

use FlagType::{Addresses, Bool, Duration, Integer, Labels, Switches, Taints, Text};

/// A flag of the kubelet.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// The name, with its dashes.
    pub name: &'static str,
    /// What the value must look like.
    pub value: FlagType,
    /// Whether AgentBaker leaves the flag out of the command line of a kubelet that has a configuration file, which then
    /// sets the same thing.
    pub in_file: bool,
    /// When the flag was removed. `None`: it was not.
    pub removed: Option<Removal>,
}

/// The removal of a flag from the kubelet.
#[derive(Clone, Copy, Debug)]
pub struct Removal {
    /// The first minor version of Kubernetes 1 without the flag.
    pub since: u64,
    /// What to do instead, for hints.
    pub instead: &'static str,
    /// Whether AgentBaker drops the flag whatever the version of Kubernetes, so that old requests still make a node.
    pub dropped: bool,
}

const fn flag(name: &'static str, value: FlagType) -> Flag {
    Flag { name, value, in_file: false, removed: None }
}

const fn removed(name: &'static str, since: u64, instead: &'static str) -> Flag {
    Flag { removed: Some(Removal { since, instead, dropped: false }), ..flag(name, Text) }
}

impl Flag {
    const fn in_file(self) -> Self {
        Self { in_file: true, ..self }
    }

    const fn dropped(self) -> Self {
        match self.removed {
            Some(removal) => Self { removed: Some(Removal { dropped: true, ..removal }), ..self },
            None => self,
        }
    }
}

const IN_CONTAINERD: &str = "leave it out: containerd has this setting now";
const WITH_PROVIDER: &str =
    "leave it out and set `--image-credential-provider-config` and `--image-credential-provider-bin-dir`";
const NO_EFFECT: &str = "leave it out: it no longer had any effect";

/// The flags that something is known about, in byte order of their names. Every other flag may have any value.
pub static FLAGS: &[Flag] = &[
    flag("--address", Addresses).in_file(),
    flag("--allowed-unsafe-sysctls", Text).in_file(),
    flag("--anonymous-auth", Bool).in_file(),
    flag("--authentication-token-webhook", Bool).in_file(),
    flag("--authentication-token-webhook-cache-ttl", Duration),
    flag("--authorization-mode", Text).in_file(),
    flag("--authorization-webhook-cache-authorized-ttl", Duration),
    flag("--authorization-webhook-cache-unauthorized-ttl", Duration),
    removed("--azure-container-registry-config", 30, WITH_PROVIDER),
    flag("--cgroups-per-qos", Bool).in_file(),
    flag("--client-ca-file", Text).in_file(),
    removed("--cloud-config", 34, "leave it out: cloud providers run outside of the kubelet"),
    flag("--cluster-dns", Addresses).in_file(),
    flag("--cluster-domain", Text).in_file(),
    removed("--cni-bin-dir", 24, IN_CONTAINERD).dropped(),
    removed("--cni-cache-dir", 24, IN_CONTAINERD).dropped(),
    removed("--cni-conf-dir", 24, IN_CONTAINERD).dropped(),
    flag("--container-log-max-files", Integer).in_file(),
    flag("--container-log-max-size", Text).in_file(),
    removed("--container-runtime", 27, "leave it out: `remote` was the only value left"),
    flag("--cpu-cfs-quota", Bool).in_file(),
    flag("--cpu-cfs-quota-period", Duration).in_file(),
    flag("--cpu-manager-policy", Text).in_file(),
    removed("--docker-endpoint", 24, "leave it out: the kubelet no longer talks to Docker").dropped(),
    removed("--dynamic-config-dir", 24, "leave it out and use the kubelet's configuration file").dropped(),
    flag("--enforce-node-allocatable", Text).in_file(),
    flag("--event-burst", Integer),
    flag("--event-qps", Integer).in_file(),
    flag("--eviction-hard", Text).in_file(),
    flag("--eviction-max-pod-grace-period", Integer).in_file(),
    flag("--eviction-soft", Text).in_file(),
    flag("--eviction-soft-grace-period", Text).in_file(),
    flag("--fail-swap-on", Bool).in_file(),
    flag("--feature-gates", Switches).in_file(),
    flag("--healthz-port", Integer),
    flag("--image-gc-high-threshold", Integer).in_file(),
    flag("--image-gc-low-threshold", Integer).in_file(),
    removed("--image-pull-progress-deadline", 24, IN_CONTAINERD).dropped(),
    removed("--iptables-drop-bit", 31, NO_EFFECT),
    removed("--iptables-masquerade-bit", 31, NO_EFFECT),
    removed("--keep-terminated-pod-volumes", 31, NO_EFFECT),
    flag("--kube-api-burst", Integer),
    flag("--kube-api-qps", Integer),
    flag("--kube-reserved", Text).in_file(),
    flag("--kube-reserved-cgroup", Text).in_file(),
    removed("--master-service-namespace", 27, NO_EFFECT),
    flag("--max-pods", Integer).in_file(),
    removed("--network-plugin", 24, IN_CONTAINERD).dropped(),
    removed("--network-plugin-mtu", 24, IN_CONTAINERD).dropped(),
    flag("--node-ip", Addresses),
    flag("--node-labels", Labels),
    flag("--node-status-max-images", Integer),
    flag("--node-status-report-frequency", Duration).in_file(),
    flag("--node-status-update-frequency", Duration).in_file(),
    removed("--non-masquerade-cidr", 24, "leave it out: ip-masq-agent has this setting now").dropped(),
    flag("--oom-score-adj", Integer),
    removed("--pod-infra-container-image", 35, "leave it out and set `pod_infra_container_image_url`"),
    flag("--pod-manifest-path", Text).in_file(),
    flag("--pod-max-pids", Integer).in_file(),
    flag("--pods-per-core", Integer),
    flag("--port", Integer),
    flag("--protect-kernel-defaults", Bool).in_file(),
    flag("--read-only-port", Integer).in_file(),
    flag("--register-node", Bool),
    flag("--register-with-taints", Taints),
    flag("--registry-burst", Integer),
    flag("--registry-qps", Integer),
    flag("--resolv-conf", Text).in_file(),
    flag("--rotate-certificates", Bool).in_file(),
    flag("--rotate-server-certificates", Bool).in_file(),
    flag("--runtime-request-timeout", Duration),
    flag("--seccomp-default", Bool),
    flag("--serialize-image-pulls", Bool).in_file(),
    flag("--streaming-connection-idle-timeout", Duration).in_file(),
    flag("--sync-frequency", Duration),
    flag("--system-reserved", Text).in_file(),
    flag("--system-reserved-cgroup", Text).in_file(),
    flag("--tls-cert-file", Text).in_file(),
    flag("--tls-cipher-suites", Text).in_file(),
    flag("--tls-private-key-file", Text).in_file(),
    flag("--topology-manager-policy", Text).in_file(),
    flag("--volume-stats-agg-period", Duration),
];

/// The flag that Kubernetes 1.34 stopped to read. This program leaves it out from that version on.
pub const STREAMING_TIMEOUT: &str = "--streaming-connection-idle-timeout";

/// Returns the row of a flag.
#[must_use]
pub fn flag_named(name: &str) -> Option<&'static Flag> {
    let found = FLAGS.binary_search_by(|flag| flag.name.cmp(name)).ok()?;
    Some(&FLAGS[found])
}

/// Returns what the kubelet reads from a flag.
#[must_use]
pub fn flag_type(name: &str) -> FlagType {
    flag_named(name).map_or(Text, |flag| flag.value)
}

/// Returns the removal of a flag that a minor version of Kubernetes 1 no longer has.
#[must_use]
pub fn removed_by(name: &str, minor: u64) -> Option<Removal> {
    flag_named(name)?.removed.filter(|removal| removal.since <= minor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order_of_their_names() {
        assert!(FLAGS.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn a_flag_is_gone_from_its_minor_on() {
        for (flag, minor, expected) in [
            ("--cloud-config", 33, false),
            ("--cloud-config", 34, true),
            ("--pod-infra-container-image", 34, false),
            ("--pod-infra-container-image", 35, true),
            ("--max-pods", 99, false),
        ] {
            assert_eq!(removed_by(flag, minor).is_some(), expected, "{flag} in 1.{minor}");
        }
    }
}
