//! The kubelet of a NodeBootstrappingConfiguration: flags that are taken away, the configuration file, labels.
//!
//! Each rule that is a list is a table here. To move a flag: its row.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::document::Document;
use crate::configuration::{
    KubeletAnonymousAuthentication, KubeletAuthentication, KubeletAuthorization, KubeletConfigFileConfig,
    KubeletWebhookAuthentication, KubeletWebhookAuthorization, KubeletX509Authentication, Version,
};

pub(super) type Flags = BTreeMap<String, String>;

/// Flags that no kubelet of today knows.
const REMOVED: [&str; 9] = [
    "--dynamic-config-dir",
    "--non-masquerade-cidr",
    "--cni-bin-dir",
    "--cni-cache-dir",
    "--cni-conf-dir",
    "--docker-endpoint",
    "--image-pull-progress-deadline",
    "--network-plugin",
    "--network-plugin-mtu",
];

const STREAMING: &str = "--streaming-connection-idle-timeout";

/// Never written, whatever else holds.
const NEVER_WRITTEN: &str = "--node-status-report-frequency";

/// Flags whose place is the configuration file, where there is one.
const IN_THE_FILE: [&str; 44] = [
    "--address",
    "--allowed-unsafe-sysctls",
    "--anonymous-auth",
    "--authentication-token-webhook",
    "--authorization-mode",
    "--cgroups-per-qos",
    "--client-ca-file",
    "--cluster-dns",
    "--cluster-domain",
    "--container-log-max-files",
    "--container-log-max-size",
    "--cpu-cfs-quota",
    "--cpu-cfs-quota-period",
    "--cpu-manager-policy",
    "--enforce-node-allocatable",
    "--event-qps",
    "--eviction-hard",
    "--eviction-max-pod-grace-period",
    "--eviction-soft",
    "--eviction-soft-grace-period",
    "--fail-swap-on",
    "--feature-gates",
    "--image-gc-high-threshold",
    "--image-gc-low-threshold",
    "--kube-reserved",
    "--kube-reserved-cgroup",
    "--max-pods",
    "--node-status-report-frequency",
    "--node-status-update-frequency",
    "--pod-manifest-path",
    "--pod-max-pids",
    "--protect-kernel-defaults",
    "--read-only-port",
    "--resolv-conf",
    "--rotate-certificates",
    "--rotate-server-certificates",
    "--serialize-image-pulls",
    STREAMING,
    "--system-reserved",
    "--system-reserved-cgroup",
    "--tls-cert-file",
    "--tls-cipher-suites",
    "--tls-private-key-file",
    "--topology-manager-policy",
];

/// Signals of eviction that the file keeps.
const SIGNALS: [&str; 7] = [
    "memory.available",
    "nodefs.available",
    "nodefs.inodesFree",
    "imagefs.available",
    "imagefs.inodesFree",
    "pid.available",
    "allocatableMemory.available",
];

/// Whether a version is there and at least this; a text that is no version is below every other.
fn at_least(version: Option<Version<'_>>, minor: u64) -> bool {
    version.is_some_and(|version| version >= Version::new(1, minor, 0))
}

/// Takes away and adds what the version asks for, before anything is rendered.
pub(super) fn clean(flags: &mut Flags, version: Option<Version<'_>>) {
    for flag in REMOVED {
        flags.remove(flag);
    }
    if flags.get("--rotate-server-certificates").is_some_and(|value| value == "true") {
        set_gate(flags, "RotateKubeletServerCertificate", Some(true));
    }
    if at_least(version, 24) {
        set_gate(flags, "DynamicKubeletConfig", None);
    } else if at_least(version, 11) {
        set_gate(flags, "DynamicKubeletConfig", Some(false));
    }
    let enforced = flags.get("--enforce-node-allocatable").map(String::as_str).unwrap_or_default();
    let enforced: Vec<_> = enforced.trim_start_matches('[').trim_end_matches(']').split(',').map(str::trim).collect();
    if enforced.contains(&"kube-reserved") && enforced.contains(&"system-reserved") {
        flags.insert("--kube-reserved-cgroup".to_owned(), "/kubereserved.slice".to_owned());
        flags.insert("--system-reserved-cgroup".to_owned(), "/system.slice".to_owned());
    } else {
        flags.remove("--kube-reserved-cgroup");
        flags.remove("--system-reserved-cgroup");
    }
    if at_least(version, 20) && !at_least(version, 25) {
        set_gate(flags, "DisableAcceleratorUsageMetrics", Some(false));
    }
    if at_least(version, 34) {
        flags.remove(STREAMING);
    }
}

/// Sets a feature gate, or takes it away, and rewrites all: what is no pair goes, what is no boolean is false, names are
/// sorted.
fn set_gate(flags: &mut Flags, name: &str, on: Option<bool>) {
    let mut gates = feature_gates(flags.get("--feature-gates").map_or("", String::as_str));
    match on {
        Some(on) => gates.insert(name.to_owned(), on),
        None => gates.remove(name),
    };
    let pairs: Vec<_> = gates.iter().map(|(name, on)| format!("{name}={on}")).collect();
    flags.insert("--feature-gates".to_owned(), pairs.join(","));
}

fn feature_gates(text: &str) -> BTreeMap<String, bool> {
    let pairs = text.split(',').filter_map(|pair| {
        let mut parts = pair.split('=');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(name), Some(value), None) => Some((name.trim().to_owned(), boolean(value.trim()))),
            _ => None,
        }
    });
    pairs.collect()
}

/// As Go reads booleans; anything else is false.
fn boolean(text: &str) -> bool {
    matches!(text, "1" | "t" | "T" | "true" | "TRUE" | "True")
}

/// As Go reads numbers: no number is 0, one out of range the nearest.
fn integer(text: &str) -> i32 {
    match text.parse::<i128>() {
        Ok(number) => i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX }),
        Err(_) => 0,
    }
}

/// Whether the node gets a configuration file.
pub(super) fn has_file(nbc: &Document<'_>, version: Option<Version<'_>>) -> bool {
    let custom = nbc.has("A.customKubeletConfig") || nbc.has("A.customLinuxOSConfig");
    custom || nbc.switch("EnableKubeletConfigFile") && at_least(version, 14)
}

/// The flags on the kubelet's command line. The cluster's own win, and are all written.
pub(super) fn command_line(flags: &Flags, own: Option<&Flags>, has_file: bool, version: Option<Version<'_>>) -> Flags {
    let mut written = flags.clone();
    match own {
        Some(own) => {
            written.extend(own.iter().map(|(name, value)| (name.clone(), value.clone())));
            if at_least(version, 34) {
                written.remove(STREAMING);
            }
        }
        None if has_file => written.retain(|name, _| !IN_THE_FILE.contains(&name.as_str())),
        None => {}
    }
    written.remove(NEVER_WRITTEN);
    written
}

/// `KUBELET_FLAGS`.
pub(super) fn joined(flags: &Flags) -> String {
    let mut text = String::with_capacity(2048);
    for (at, (name, value)) in flags.iter().enumerate() {
        let _ = write!(text, "{}{name}={value}", if at == 0 { "" } else { " " });
    }
    text
}

/// `KUBELET_NODE_LABELS`: the pool's two, then its own, sorted. One of its own may repeat one of the two.
pub(super) fn labels(pool: &str, own: &BTreeMap<String, String>) -> String {
    let mut text = format!("agentpool={pool},kubernetes.azure.com/agentpool={pool}");
    for (name, value) in own {
        let _ = write!(text, ",{name}={value}");
    }
    text
}

/// Pairs `name SIGN value` of a flag.
fn pairs(text: &str, sign: char) -> BTreeMap<String, String> {
    let pairs = text.split(',').filter_map(|pair| {
        let mut parts = pair.split(sign);
        match (parts.next(), parts.next(), parts.next()) {
            (Some(name), Some(value), None) => Some((name.trim().to_owned(), value.trim().to_owned())),
            _ => None,
        }
    });
    pairs.collect()
}

fn signals(text: &str, sign: char) -> BTreeMap<String, String> {
    let mut pairs = pairs(text, sign);
    pairs.retain(|name, _| SIGNALS.contains(&name.as_str()));
    pairs
}

/// The configuration file, from the cleaned flags and the pool's own settings.
#[expect(deprecated, reason = "old kubelets still read it")]
pub(super) fn file(flags: &Flags, nbc: &Document<'_>) -> KubeletConfigFileConfig {
    let flag = |name: &str| flags.get(name).map_or("", String::as_str);
    let text = |name: &str| flag(name).to_owned();
    let is = |name: &str| boolean(flag(name));
    let list = |name: &str| flag(name).split(',').map(str::to_owned).collect::<Vec<_>>();
    let number = |name: &str| flags.get(name).map(|value| integer(value));
    let own = |name: &str| nbc.integer(&format!("A.customKubeletConfig.{name}"));
    let own_text = |name: &str| nbc.text(&format!("A.customKubeletConfig.{name}")).to_owned();
    let own_switch = |name: &str| nbc.optional_switch(&format!("A.customKubeletConfig.{name}"));

    let mut feature_gates = feature_gates(flag("--feature-gates"));
    let cpu_cfs_quota_period = own_text("cpuCfsQuotaPeriod");
    if !cpu_cfs_quota_period.is_empty() {
        feature_gates.insert("CustomCPUCFSQuotaPeriod".to_owned(), true);
    }
    KubeletConfigFileConfig {
        kind: "KubeletConfiguration".to_owned(),
        api_version: "kubelet.config.k8s.io/v1beta1".to_owned(),
        static_pod_path: text("--pod-manifest-path"),
        address: text("--address"),
        read_only_port: integer(flag("--read-only-port")),
        tls_cert_file: text("--tls-cert-file"),
        tls_private_key_file: text("--tls-private-key-file"),
        tls_cipher_suites: list("--tls-cipher-suites"),
        rotate_certificates: is("--rotate-certificates"),
        server_tls_bootstrap: is("--rotate-server-certificates"),
        authentication: Some(KubeletAuthentication {
            x509: Some(KubeletX509Authentication { client_ca_file: text("--client-ca-file") }),
            webhook: Some(KubeletWebhookAuthentication {
                enabled: is("--authentication-token-webhook"),
                ..KubeletWebhookAuthentication::default()
            }),
            anonymous: Some(KubeletAnonymousAuthentication { enabled: is("--anonymous-auth") }),
        }),
        authorization: Some(KubeletAuthorization {
            mode: text("--authorization-mode"),
            webhook: Some(KubeletWebhookAuthorization::default()),
        }),
        event_record_qps: number("--event-qps"),
        cluster_domain: text("--cluster-domain"),
        cluster_dns: list("--cluster-dns"),
        streaming_connection_idle_timeout: text(STREAMING),
        node_status_update_frequency: text("--node-status-update-frequency"),
        node_status_report_frequency: text(NEVER_WRITTEN),
        image_gc_high_threshold_percent: own("imageGcHighThreshold").or_else(|| number("--image-gc-high-threshold")),
        image_gc_low_threshold_percent: own("imageGcLowThreshold").or_else(|| number("--image-gc-low-threshold")),
        cgroups_per_qos: flags.get("--cgroups-per-qos").map(|value| boolean(value)),
        cpu_manager_policy: own_text("cpuManagerPolicy"),
        topology_manager_policy: own_text("topologyManagerPolicy"),
        max_pods: Some(integer(flag("--max-pods"))).filter(|number| *number != 0),
        pod_pids_limit: own("podMaxPids").or_else(|| number("--pod-max-pids")),
        resolv_conf: text("--resolv-conf"),
        cpu_cfs_quota: own_switch("cpuCfsQuota"),
        cpu_cfs_quota_period,
        eviction_hard: signals(flag("--eviction-hard"), '<'),
        eviction_soft: signals(flag("--eviction-soft"), '<'),
        eviction_soft_grace_period: signals(flag("--eviction-soft-grace-period"), '='),
        eviction_max_pod_grace_period: integer(flag("--eviction-max-pod-grace-period")),
        protect_kernel_defaults: is("--protect-kernel-defaults"),
        feature_gates,
        fail_swap_on: own_switch("failSwapOn"),
        container_log_max_size: own("containerLogMaxSizeMB")
            .map_or_else(|| text("--container-log-max-size"), |size| format!("{size}M")),
        container_log_max_files: own("containerLogMaxFiles"),
        system_reserved: pairs(flag("--system-reserved"), '='),
        kube_reserved: pairs(flag("--kube-reserved"), '='),
        enforce_node_allocatable: list("--enforce-node-allocatable"),
        kube_reserved_cgroup: text("--kube-reserved-cgroup"),
        system_reserved_cgroup: text("--system-reserved-cgroup"),
        allowed_unsafe_sysctls: nbc
            .texts("A.customKubeletConfig.allowedUnsafeSysctls")
            .into_iter()
            .map(str::to_owned)
            .collect(),
        serialize_image_pulls: flags.get("--serialize-image-pulls").map(|value| boolean(value)),
        seccomp_default: own_switch("seccompDefault").unwrap_or_default(),
    }
}

/// This route's order of the file's members.
const ORDER: [&str; 44] = [
    "kind",
    "apiVersion",
    "staticPodPath",
    "address",
    "readOnlyPort",
    "tlsCertFile",
    "tlsPrivateKeyFile",
    "tlsCipherSuites",
    "rotateCertificates",
    "serverTLSBootstrap",
    "authentication",
    "authorization",
    "eventRecordQPS",
    "clusterDomain",
    "clusterDNS",
    "streamingConnectionIdleTimeout",
    "nodeStatusUpdateFrequency",
    "nodeStatusReportFrequency",
    "imageGCHighThresholdPercent",
    "imageGCLowThresholdPercent",
    "cgroupsPerQOS",
    "cpuManagerPolicy",
    "topologyManagerPolicy",
    "maxPods",
    "podPidsLimit",
    "resolvConf",
    "cpuCFSQuota",
    "cpuCFSQuotaPeriod",
    "evictionHard",
    "evictionSoft",
    "evictionSoftGracePeriod",
    "evictionMaxPodGracePeriod",
    "protectKernelDefaults",
    "featureGates",
    "failSwapOn",
    "containerLogMaxSize",
    "containerLogMaxFiles",
    "systemReserved",
    "kubeReserved",
    "enforceNodeAllocatable",
    "kubeReservedCgroup",
    "systemReservedCgroup",
    "allowedUnsafeSysctls",
    "serializeImagePulls",
];

/// The file's text with its members in this route's order, which is not the contract's. A `seccompDefault` that was
/// switched off is said here, and cannot be in the contract.
pub(super) fn file_text(file: &KubeletConfigFileConfig, says_no_seccomp: bool) -> String {
    let text = file.to_kubelet_json();
    let inner = text.trim_start_matches('{').trim_end_matches('}').trim_matches('\n');
    // A member begins at the first level of indentation.
    let mut members: Vec<(&str, String)> = Vec::with_capacity(ORDER.len());
    for line in inner.split('\n') {
        match line.strip_prefix("    \"").and_then(|rest| rest.split_once('"')) {
            Some((name, _)) => members.push((name, line.to_owned())),
            None => {
                if let Some((_, member)) = members.last_mut() {
                    member.push('\n');
                    member.push_str(line);
                }
            }
        }
    }
    if says_no_seccomp {
        members.push(("seccompDefault", "    \"seccompDefault\": false".to_owned()));
    }
    members.sort_by_key(|(name, _)| ORDER.iter().position(|known| known == name).unwrap_or(ORDER.len()));
    let members: Vec<_> = members.iter().map(|(_, member)| member.trim_end_matches(',')).collect();
    format!("{{\n{}\n}}", members.join(",\n"))
}
