//! The flags of the kubelet in Karpenter's script.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{BootstrapInputs, KubeletConfig, Taint};
use crate::catalogue::local_dns::DEFAULT_CLUSTER_DNS;
use crate::document::duration;
use crate::environment::{Value, truth};

/// The image of the sandbox container, the same for every version of Kubernetes.
pub(super) const PAUSE_IMAGE: &str = "mcr.microsoft.com/oss/kubernetes/pause:3.6";

/// Flags of every node.
const FLAGS: &[(&str, &str)] = &[
    ("--address", "0.0.0.0"),
    ("--anonymous-auth", "false"),
    ("--authentication-token-webhook", "true"),
    ("--authorization-mode", "Webhook"),
    ("--cgroups-per-qos", "true"),
    ("--client-ca-file", "/etc/kubernetes/certs/ca.crt"),
    ("--cloud-provider", "external"),
    ("--cluster-dns", DEFAULT_CLUSTER_DNS),
    ("--cluster-domain", "cluster.local"),
    ("--enforce-node-allocatable", "pods"),
    ("--event-qps", "0"),
    ("--eviction-hard", "memory.available<750Mi,nodefs.available<10%,nodefs.inodesFree<5%"),
    ("--image-gc-high-threshold", "85"),
    ("--image-gc-low-threshold", "80"),
    ("--kubeconfig", "/var/lib/kubelet/kubeconfig"),
    ("--max-pods", "110"),
    ("--node-status-update-frequency", "10s"),
    ("--pod-manifest-path", "/etc/kubernetes/manifests"),
    ("--pod-max-pids", "-1"),
    ("--protect-kernel-defaults", "true"),
    ("--read-only-port", "0"),
    ("--resolv-conf", "/run/systemd/resolve/resolv.conf"),
    ("--rotate-certificates", "true"),
    ("--streaming-connection-idle-timeout", "4h"),
    ("--tls-cert-file", "/etc/kubernetes/certs/kubeletserver.crt"),
    (
        "--tls-cipher-suites",
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,\
         TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,\
         TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305,TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,\
         TLS_RSA_WITH_AES_256_GCM_SHA384,TLS_RSA_WITH_AES_128_GCM_SHA256",
    ),
    ("--tls-private-key-file", "/etc/kubernetes/certs/kubeletserver.key"),
];

/// Flags of some minor versions of Kubernetes: first version, first version without the flag, flag and value.
const FLAGS_BY_MINOR: &[(u64, u64, &str, &str)] = &[
    (0, 30, "--feature-gates", "DisableKubeletCloudCredentialProviders=false"),
    (0, 30, "--azure-container-registry-config", "/etc/kubernetes/azure.json"),
    (30, u64::MAX, "--image-credential-provider-config", "/var/lib/kubelet/credential-provider-config.yaml"),
    (30, u64::MAX, "--image-credential-provider-bin-dir", "/var/lib/kubelet/credential-provider"),
    (0, 31, "--keep-terminated-pod-volumes", "false"),
    (0, 34, "--cloud-config", "/etc/kubernetes/azure.json"),
    (0, 35, "--pod-infra-container-image", PAUSE_IMAGE),
];

/// Returns `--flag=value` pairs in byte order of the flags, separated by spaces. Flags of the version replace those of every
/// node, and those of the kubelet configuration replace both.
pub(super) fn kubelet_flags(inputs: &BootstrapInputs, minor: u64) -> String {
    let mut flags: BTreeMap<&str, Value<'_>> = FLAGS.iter().map(|(flag, value)| (*flag, (*value).into())).collect();
    for (first, end, flag, value) in FLAGS_BY_MINOR {
        if (*first..*end).contains(&minor) {
            flags.insert(flag, (*value).into());
        }
    }
    if !inputs.taints.is_empty() {
        let taints = inputs.taints.iter().map(Taint::to_string).collect::<Vec<_>>();
        flags.insert("--register-with-taints", taints.join(",").into());
    }
    if let Some(config) = &inputs.kubelet_config {
        configured_flags(&mut flags, config);
    }
    let mut text = String::with_capacity(3072);
    for (flag, value) in flags {
        if !text.is_empty() {
            text.push(' ');
        }
        for piece in [flag, "=", &value] {
            text.push_str(piece);
        }
    }
    text
}

/// Inserts the flags of a kubelet configuration.
fn configured_flags<'a>(flags: &mut BTreeMap<&'static str, Value<'a>>, config: &'a KubeletConfig) {
    flags.insert("--max-pods", config.max_pods.unwrap_or(0).to_string().into());
    let graceful = config
        .eviction_soft_grace_period
        .iter()
        .map(|(signal, duration)| (signal.clone(), duration::canonical(duration).unwrap_or_else(|| duration.clone())));
    let graceful: BTreeMap<_, _> = graceful.collect();
    for (flag, map, sign) in [
        ("--system-reserved", &config.system_reserved, '='),
        ("--kube-reserved", &config.kube_reserved, '='),
        ("--eviction-hard", &config.eviction_hard, '<'),
        ("--eviction-soft", &config.eviction_soft, '<'),
        ("--eviction-soft-grace-period", &graceful, '='),
    ] {
        if !map.is_empty() {
            flags.insert(flag, pairs(map, sign).into());
        }
    }
    for (flag, number) in [
        ("--eviction-max-pod-grace-period", config.eviction_max_pod_grace_period),
        ("--image-gc-high-threshold", config.image_gc_high_threshold_percent),
        ("--image-gc-low-threshold", config.image_gc_low_threshold_percent),
        ("--container-log-max-files", config.container_log_max_files),
        ("--pod-max-pids", config.pod_pids_limit),
    ] {
        if let Some(number) = number {
            flags.insert(flag, number.to_string().into());
        }
    }
    if let Some(quota) = config.cpu_cfs_quota {
        flags.insert("--cpu-cfs-quota", truth(quota));
    }
    for (flag, text) in [
        ("--cpu-manager-policy", &config.cpu_manager_policy),
        ("--topology-manager-policy", &config.topology_manager_policy),
        ("--container-log-max-size", &config.container_log_max_size),
        ("--cluster-dns", &config.cluster_dns_service_ip),
    ] {
        if let Some(text) = text.as_deref().filter(|text| !text.is_empty()) {
            flags.insert(flag, text.into());
        }
    }
    if !config.allowed_unsafe_sysctls.is_empty() {
        flags.insert("--allowed-unsafe-sysctls", config.allowed_unsafe_sysctls.join(",").into());
    }
}

/// Returns the entries of a map in byte order of the keys, each as key, sign and value, separated by commas.
pub(super) fn pairs(map: &BTreeMap<String, String>, sign: char) -> String {
    let mut text = String::with_capacity(map.iter().map(|(key, value)| key.len() + value.len() + 2).sum());
    for (key, value) in map {
        if !text.is_empty() {
            text.push(',');
        }
        write!(text, "{key}{sign}{value}").expect("a string can be written to");
    }
    text
}
