//! Flags of the kubelet: what a value must look like, and which flags are gone.
//!
//! The kubelet does not start with a flag that it does not know or a value that it cannot read. To add a row: the
//! release notes of Kubernetes name every flag that goes.

/// What the kubelet reads from a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagType {
    /// A whole number.
    Integer,
    /// A switch in Go's notation.
    Bool,
    /// A duration in Go's notation.
    Duration,
    /// One address, or several with commas between.
    Addresses,
    /// Pairs of `name=switch` with commas between.
    Switches,
    /// Pairs of `key=value` with commas between, both as labels have them.
    Labels,
    /// Taints with commas between.
    Taints,
}

/// Flags whose values have a known shape, by name. Others take any text.
pub static FLAG_TYPES: &[(&str, FlagType)] = &[
    ("--address", FlagType::Addresses),
    ("--anonymous-auth", FlagType::Bool),
    ("--authentication-token-webhook", FlagType::Bool),
    ("--authentication-token-webhook-cache-ttl", FlagType::Duration),
    ("--authorization-webhook-cache-authorized-ttl", FlagType::Duration),
    ("--authorization-webhook-cache-unauthorized-ttl", FlagType::Duration),
    ("--cgroups-per-qos", FlagType::Bool),
    ("--cluster-dns", FlagType::Addresses),
    ("--container-log-max-files", FlagType::Integer),
    ("--cpu-cfs-quota", FlagType::Bool),
    ("--cpu-cfs-quota-period", FlagType::Duration),
    ("--event-burst", FlagType::Integer),
    ("--event-qps", FlagType::Integer),
    ("--eviction-max-pod-grace-period", FlagType::Integer),
    ("--fail-swap-on", FlagType::Bool),
    ("--feature-gates", FlagType::Switches),
    ("--healthz-port", FlagType::Integer),
    ("--image-gc-high-threshold", FlagType::Integer),
    ("--image-gc-low-threshold", FlagType::Integer),
    ("--kube-api-burst", FlagType::Integer),
    ("--kube-api-qps", FlagType::Integer),
    ("--max-pods", FlagType::Integer),
    ("--node-ip", FlagType::Addresses),
    ("--node-labels", FlagType::Labels),
    ("--node-status-max-images", FlagType::Integer),
    ("--node-status-report-frequency", FlagType::Duration),
    ("--node-status-update-frequency", FlagType::Duration),
    ("--oom-score-adj", FlagType::Integer),
    ("--pod-max-pids", FlagType::Integer),
    ("--pods-per-core", FlagType::Integer),
    ("--port", FlagType::Integer),
    ("--protect-kernel-defaults", FlagType::Bool),
    ("--read-only-port", FlagType::Integer),
    ("--register-node", FlagType::Bool),
    ("--register-with-taints", FlagType::Taints),
    ("--registry-burst", FlagType::Integer),
    ("--registry-qps", FlagType::Integer),
    ("--rotate-certificates", FlagType::Bool),
    ("--rotate-server-certificates", FlagType::Bool),
    ("--runtime-request-timeout", FlagType::Duration),
    ("--seccomp-default", FlagType::Bool),
    ("--serialize-image-pulls", FlagType::Bool),
    ("--streaming-connection-idle-timeout", FlagType::Duration),
    ("--sync-frequency", FlagType::Duration),
    ("--volume-stats-agg-period", FlagType::Duration),
];

/// A flag that the kubelet no longer knows.
#[derive(Debug)]
pub struct RemovedFlag {
    /// With its dashes.
    pub flag: &'static str,
    /// First minor of Kubernetes 1 without it.
    pub since: u64,
    /// What to do now.
    pub instead: &'static str,
}

const fn removed(flag: &'static str, since: u64, instead: &'static str) -> RemovedFlag {
    RemovedFlag { flag, since, instead }
}

const IN_CONTAINERD: &str = "leave it out: containerd has this setting now";
const WITH_PROVIDER: &str =
    "leave it out and give `--image-credential-provider-config` and `--image-credential-provider-bin-dir`";
const NO_EFFECT: &str = "leave it out: it had no effect any more";

/// By name. From the release notes of the version in which each went.
pub static REMOVED_FLAGS: &[RemovedFlag] = &[
    removed("--azure-container-registry-config", 30, WITH_PROVIDER),
    removed("--cloud-config", 34, "leave it out: cloud providers run outside of the kubelet"),
    removed("--cni-bin-dir", 24, IN_CONTAINERD),
    removed("--cni-cache-dir", 24, IN_CONTAINERD),
    removed("--cni-conf-dir", 24, IN_CONTAINERD),
    removed("--container-runtime", 27, "leave it out: `remote` was the only value left"),
    removed("--docker-endpoint", 24, "leave it out: the kubelet no longer talks to Docker"),
    removed("--dynamic-config-dir", 24, "leave it out and use the kubelet's configuration file"),
    removed("--image-pull-progress-deadline", 24, IN_CONTAINERD),
    removed("--iptables-drop-bit", 31, NO_EFFECT),
    removed("--iptables-masquerade-bit", 31, NO_EFFECT),
    removed("--keep-terminated-pod-volumes", 31, NO_EFFECT),
    removed("--master-service-namespace", 27, NO_EFFECT),
    removed("--network-plugin", 24, IN_CONTAINERD),
    removed("--network-plugin-mtu", 24, IN_CONTAINERD),
    removed("--non-masquerade-cidr", 24, "leave it out: ip-masq-agent has this setting now"),
    removed("--pod-infra-container-image", 35, "leave it out and set `pod_infra_container_image_url`"),
];

/// Dropped by this program itself from Kubernetes 1.34 on.
pub const STREAMING_TIMEOUT: &str = "--streaming-connection-idle-timeout";

/// What the kubelet reads from a flag, if that is known.
#[must_use]
pub fn flag_type(flag: &str) -> Option<FlagType> {
    let found = FLAG_TYPES.binary_search_by(|(name, _)| (*name).cmp(flag)).ok()?;
    Some(FLAG_TYPES[found].1)
}

/// The row of a flag that is gone in a minor of Kubernetes 1.
#[must_use]
pub fn removed_by(flag: &str, minor: u64) -> Option<&'static RemovedFlag> {
    REMOVED_FLAGS.iter().find(|row| row.flag == flag && row.since <= minor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_order_of_their_names() {
        assert!(FLAG_TYPES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(REMOVED_FLAGS.is_sorted_by(|a, b| a.flag < b.flag));
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
