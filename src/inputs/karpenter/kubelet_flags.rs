//! The flags of the kubelet in Karpenter's script.

use std::collections::BTreeMap;

use super::{BootstrapInputs, KubeletConfig, Taint};
use crate::catalogue::kubelet_defaults;
use crate::document::duration;
use crate::environment::{Value, joined, truth};

/// Returns `--flag=value` pairs in byte order of the flags, separated by spaces. Flags of the version replace the flags
/// of every node, and flags of the kubelet configuration replace both.
pub(super) fn kubelet_flags(inputs: &BootstrapInputs, minor: u64) -> String {
    let mut flags: BTreeMap<&str, Value<'_>> =
        kubelet_defaults::flags(minor).map(|(flag, value)| (flag, value.into())).collect();
    if !inputs.taints.is_empty() {
        let taints = inputs.taints.iter().map(Taint::to_string).collect::<Vec<_>>();
        flags.insert("--register-with-taints", taints.join(",").into());
    }
    if let Some(config) = &inputs.kubelet_config {
        configured_flags(&mut flags, config);
    }
    joined(flags, '=', " ")
}

/// Inserts the flags of a kubelet configuration.
pub(super) fn configured_flags<'a>(flags: &mut BTreeMap<&'static str, Value<'a>>, config: &'a KubeletConfig) {
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
            flags.insert(flag, joined(map, sign, ",").into());
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
