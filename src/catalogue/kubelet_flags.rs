//! The kubelet's flags: their versions, the form of their values, and which ones the configuration file replaces.
//!
//! The kubelet does not start with an unknown flag or a value that it cannot parse. `make kubelet-facts` writes the
//! table of the flags of Kubernetes 1.28 to 1.37; to add a version, add it to that target. `NOTES` has facts that the
//! kubelets do not provide: replacements of removed flags, older removals, and AgentBaker's handling of a flag.

mod table;

use super::minors::Lifetime;

/// The type of a flag's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagType {
    /// Any text.
    Text,
    /// An integer of 32 bits.
    Integer,
    /// An integer of 64 bits.
    Long,
    /// A boolean in Go's notation.
    Bool,
    /// A duration in Go's notation.
    Duration,
    /// A quantity of a resource.
    Quantity,
    /// An IP address, or nothing.
    Address,
    /// An IP address, or several, separated by commas.
    Addresses,
    /// `name=value` pairs, separated by commas.
    Pairs,
    /// `resource=quantity` pairs, separated by commas.
    Amounts,
    /// `signal=duration` pairs, separated by commas.
    Durations,
    /// `signal<threshold` pairs, separated by commas.
    Thresholds,
    /// `name=boolean` pairs, separated by commas.
    Switches,
    /// `key=value` pairs of labels, separated by commas.
    Labels,
    /// Taints, separated by commas.
    Taints,
}

/// A flag of the kubelet.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// The type of the value. [`FlagType::Text`] for a flag that was removed before Kubernetes 1.28.
    pub value: FlagType,
    /// The minor versions of Kubernetes 1 that have it.
    pub lifetime: Lifetime,
    /// The alternative to setting it, for hints. Every removed flag has one.
    pub instead: Option<&'static str>,
    /// The first minor version that accepts the flag but ignores it.
    pub without_effect_since: Option<u64>,
    /// Whether AgentBaker omits the flag from the command line of a kubelet with a configuration file, which then has
    /// the setting.
    pub in_file: bool,
    /// Whether AgentBaker always drops the flag, so that old requests still work.
    pub dropped: bool,
}

/// A flag as the kubelets know it.
#[derive(Clone, Copy, Debug)]
struct Row {
    name: &'static str,
    value: FlagType,
    lifetime: Lifetime,
}

const fn row(name: &'static str, value: FlagType) -> Row {
    Row { name, value, lifetime: Lifetime::ALWAYS }
}

impl Row {
    const fn since(self, minor: u8) -> Self {
        Self { lifetime: self.lifetime.since(minor), ..self }
    }

    const fn until(self, minor: u8) -> Self {
        Self { lifetime: self.lifetime.until(minor), ..self }
    }
}

/// Facts about a flag that are not in its row.
#[derive(Clone, Copy, Debug)]
struct Note {
    name: &'static str,
    /// The first version without a flag that was removed before 1.28; 0 for all others.
    removed: u8,
    instead: Option<&'static str>,
    /// 0: it has an effect.
    without_effect_since: u8,
    in_file: bool,
    dropped: bool,
}

const fn note(name: &'static str) -> Note {
    Note { name, removed: 0, instead: None, without_effect_since: 0, in_file: false, dropped: false }
}

impl Note {
    const fn removed(self, minor: u8, instead: &'static str) -> Self {
        Self { removed: minor, instead: Some(instead), ..self }
    }

    const fn instead(self, instead: &'static str) -> Self {
        Self { instead: Some(instead), ..self }
    }

    const fn without_effect_since(self, minor: u8) -> Self {
        Self { without_effect_since: minor, ..self }
    }

    const fn in_file(self) -> Self {
        Self { in_file: true, ..self }
    }

    const fn dropped(self) -> Self {
        Self { dropped: true, ..self }
    }
}

const IN_CONTAINERD: &str = "remove it: containerd has this setting now";
const WITH_PROVIDER: &str =
    "remove it and set `--image-credential-provider-config` and `--image-credential-provider-bin-dir`";
const OF_CADVISOR: &str = "remove it: the kubelet no longer has flags of cAdvisor";
const NO_EFFECT: &str = "remove it: it no longer had any effect";

/// In byte order of the names.
static NOTES: &[Note] = &[
    note("--address").in_file(),
    note("--allowed-unsafe-sysctls").in_file(),
    note("--anonymous-auth").in_file(),
    note("--application-metrics-count-limit").instead(OF_CADVISOR),
    note("--authentication-token-webhook").in_file(),
    note("--authorization-mode").in_file(),
    note("--azure-container-registry-config").instead(WITH_PROVIDER),
    note("--boot-id-file").instead(OF_CADVISOR),
    note("--cgroups-per-qos").in_file(),
    note("--client-ca-file").in_file(),
    // Without effect from 1.32 on, but AKS sets it as long as it exists.
    note("--cloud-config").instead("remove it: cloud providers run outside the kubelet"),
    note("--cluster-dns").in_file(),
    note("--cluster-domain").in_file(),
    note("--cni-bin-dir").removed(24, IN_CONTAINERD).dropped(),
    note("--cni-cache-dir").removed(24, IN_CONTAINERD).dropped(),
    note("--cni-conf-dir").removed(24, IN_CONTAINERD).dropped(),
    note("--container-hints").instead(OF_CADVISOR),
    note("--container-log-max-files").in_file(),
    note("--container-log-max-size").in_file(),
    note("--container-runtime").removed(27, "remove it: `remote` was the only value left"),
    note("--containerd").instead(OF_CADVISOR),
    note("--containerd-namespace").instead(OF_CADVISOR),
    note("--cpu-cfs-quota").in_file(),
    note("--cpu-cfs-quota-period").in_file(),
    note("--cpu-manager-policy").in_file(),
    note("--docker-endpoint").removed(24, "remove it: the kubelet no longer talks to Docker").dropped(),
    note("--dynamic-config-dir").removed(24, "remove it and use the kubelet's configuration file").dropped(),
    note("--enable-load-reader").instead(OF_CADVISOR),
    note("--enforce-node-allocatable").in_file(),
    note("--event-qps").in_file(),
    note("--event-storage-age-limit").instead(OF_CADVISOR),
    note("--event-storage-event-limit").instead(OF_CADVISOR),
    note("--eviction-hard").in_file(),
    note("--eviction-max-pod-grace-period").in_file(),
    note("--eviction-soft").in_file(),
    note("--eviction-soft-grace-period").in_file(),
    note("--fail-swap-on").in_file(),
    note("--feature-gates").in_file(),
    note("--global-housekeeping-interval").instead(OF_CADVISOR),
    note("--hairpin-mode").without_effect_since(28),
    note("--image-gc-high-threshold").in_file(),
    note("--image-gc-low-threshold").in_file(),
    note("--image-pull-progress-deadline").removed(24, IN_CONTAINERD).dropped(),
    note("--iptables-drop-bit").without_effect_since(28).instead(NO_EFFECT),
    note("--iptables-masquerade-bit").without_effect_since(28).instead(NO_EFFECT),
    note("--keep-terminated-pod-volumes").instead("remove it: volumes of terminated pods are always unmounted"),
    note("--kube-reserved").in_file(),
    note("--kube-reserved-cgroup").in_file(),
    note("--log-cadvisor-usage").instead(OF_CADVISOR),
    note("--machine-id-file").instead(OF_CADVISOR),
    note("--master-service-namespace").removed(27, NO_EFFECT),
    note("--max-pods").in_file(),
    note("--network-plugin").removed(24, IN_CONTAINERD).dropped(),
    note("--network-plugin-mtu").removed(24, IN_CONTAINERD).dropped(),
    note("--node-status-update-frequency").in_file(),
    note("--non-masquerade-cidr").removed(24, "remove it: ip-masq-agent has this setting now").dropped(),
    note("--pod-infra-container-image").instead("remove it and set `pod_infra_container_image_url`"),
    note("--pod-manifest-path").in_file(),
    note("--pod-max-pids").in_file(),
    note("--protect-kernel-defaults").in_file(),
    note("--read-only-port").in_file(),
    note("--register-schedulable").instead("remove it and set `--register-with-taints`"),
    note("--resolv-conf").in_file(),
    note("--rotate-certificates").in_file(),
    note("--rotate-server-certificates").in_file(),
    note("--serialize-image-pulls").in_file(),
    note("--storage-driver-buffer-duration").instead(OF_CADVISOR),
    note("--storage-driver-db").instead(OF_CADVISOR),
    note("--storage-driver-host").instead(OF_CADVISOR),
    note("--storage-driver-password").instead(OF_CADVISOR),
    note("--storage-driver-secure").instead(OF_CADVISOR),
    note("--storage-driver-table").instead(OF_CADVISOR),
    note("--storage-driver-user").instead(OF_CADVISOR),
    note("--streaming-connection-idle-timeout").in_file().without_effect_since(34),
    note("--system-reserved").in_file(),
    note("--system-reserved-cgroup").in_file(),
    note("--tls-cert-file").in_file(),
    note("--tls-cipher-suites").in_file(),
    note("--tls-private-key-file").in_file(),
    note("--topology-manager-policy").in_file(),
];

/// The flag that Kubernetes 1.34 ignores. This program omits it from that version on.
pub const STREAMING_TIMEOUT: &str = "--streaming-connection-idle-timeout";

/// The values of `--cpu-manager-policy`.
pub const CPU_MANAGER_POLICIES: [&str; 2] = ["none", "static"];

/// The values of `--topology-manager-policy`.
pub const TOPOLOGY_MANAGER_POLICIES: [&str; 4] = ["none", "best-effort", "restricted", "single-numa-node"];

/// Returns the description of a flag, whose name is given with dashes.
#[must_use]
pub fn flag_named(name: &str) -> Option<Flag> {
    let found = table::ROWS.binary_search_by(|row| row.name.cmp(name)).map(|at| table::ROWS[at]);
    let noted = NOTES.binary_search_by(|note| note.name.cmp(name)).map(|at| NOTES[at]);
    let (row, note) = match (found, noted) {
        (Ok(row), noted) => (row, noted.unwrap_or(note(row.name))),
        (Err(_), Ok(note)) => (row(note.name, FlagType::Text).until(note.removed), note),
        (Err(_), Err(_)) => return None,
    };
    Some(Flag {
        value: row.value,
        lifetime: row.lifetime,
        instead: note.instead,
        without_effect_since: Some(u64::from(note.without_effect_since)).filter(|since| *since != 0),
        in_file: note.in_file,
        dropped: note.dropped,
    })
}

/// Returns the names of the flags in any known version.
pub fn names() -> impl Iterator<Item = &'static str> {
    table::ROWS.iter().map(|row| row.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::minors::{KNOWN, Presence};

    #[test]
    fn rows_are_in_order_and_fit_the_known_versions() {
        assert!(table::ROWS.is_sorted_by(|a, b| a.name < b.name));
        assert!(table::ROWS.len() > 140);
        for row in table::ROWS {
            assert!(row.lifetime.is_plausible(), "{row:?}");
            let name = row.name.strip_prefix("--").expect("a name has dashes");
            assert!(
                name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'),
                "{row:?}"
            );
        }
    }

    #[test]
    fn notes_are_in_order_and_about_flags() {
        assert!(NOTES.is_sorted_by(|a, b| a.name < b.name));
        for note in NOTES {
            let has_row = names().any(|name| name == note.name);
            assert_eq!(has_row, note.removed == 0, "a flag has a row unless it was removed before: {note:?}");
            assert!(u64::from(note.removed) < *KNOWN.start(), "{note:?}");
        }
    }

    #[test]
    fn every_removed_flag_has_an_instruction() {
        for name in names().chain(NOTES.iter().map(|note| note.name)) {
            let flag = flag_named(name).expect("the name is from the tables");
            let is_removed = matches!(flag.lifetime.at(*KNOWN.end()), Presence::RemovedIn(_));
            assert_eq!(flag.instead.is_some(), is_removed, "{name}: {flag:?}");
        }
    }

    /// From the release notes of Kubernetes and
    /// <https://kubernetes.io/docs/reference/command-line-tools-reference/kubelet/>.
    #[test]
    fn a_flag_is_gone_from_its_minor_on() {
        for (name, minor, expected) in [
            ("--network-plugin", 23, Presence::Present),
            ("--network-plugin", 24, Presence::RemovedIn(24)),
            ("--azure-container-registry-config", 29, Presence::Present),
            ("--azure-container-registry-config", 30, Presence::RemovedIn(30)),
            ("--cloud-config", 33, Presence::Present),
            ("--cloud-config", 34, Presence::RemovedIn(34)),
            ("--pod-infra-container-image", 34, Presence::Present),
            ("--pod-infra-container-image", 35, Presence::RemovedIn(35)),
            ("--max-pods", 99, Presence::Present),
        ] {
            let flag = flag_named(name).expect("the table has the flag");
            assert_eq!(flag.lifetime.at(minor), expected, "{name} in 1.{minor}");
        }
        assert!(flag_named("--no-such-flag").is_none());
    }
}
