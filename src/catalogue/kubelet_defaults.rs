//! The kubelet flags that AKS passes on every node, and the numbers that depend on the VM size and the network.
//!
//! The flags are the ones of Karpenter's provider for Azure. To add a flag: a row in `FLAGS`, or in `FLAGS_BY_MINOR` if only some
//! versions of Kubernetes have it.

use std::ops::RangeInclusive;

use super::local_dns::DEFAULT_CLUSTER_DNS;

/// The image of the sandbox container, the same for every version of Kubernetes.
pub(crate) const PAUSE_IMAGE: &str = "mcr.microsoft.com/oss/kubernetes/pause:3.6";

/// Flags of every node.
pub(crate) const FLAGS: &[(&str, &str)] = &[
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

/// Flags of some minor versions of Kubernetes: versions, flag and value.
const FLAGS_BY_MINOR: &[(RangeInclusive<u64>, &str, &str)] = &[
    (0..=29, "--feature-gates", "DisableKubeletCloudCredentialProviders=false"),
    (0..=29, "--azure-container-registry-config", "/etc/kubernetes/azure.json"),
    (30..=u64::MAX, "--image-credential-provider-config", "/var/lib/kubelet/credential-provider-config.yaml"),
    (30..=u64::MAX, "--image-credential-provider-bin-dir", "/var/lib/kubelet/credential-provider"),
    (0..=30, "--keep-terminated-pod-volumes", "false"),
    (0..=33, "--cloud-config", "/etc/kubernetes/azure.json"),
    (0..=34, "--pod-infra-container-image", PAUSE_IMAGE),
];

/// Returns the flags of a minor version. Those of the version replace those of every node.
pub(crate) fn flags(minor: u64) -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_minor = FLAGS_BY_MINOR.iter().filter(move |(minors, ..)| minors.contains(&minor));
    FLAGS.iter().copied().chain(of_minor.map(|(_, flag, value)| (*flag, *value)))
}

/// Returns the default number of pods on a node, from AKS's names of the network plugin and its mode.
/// <https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning#maximum-pods-per-node>
pub(crate) fn max_pods(plugin: &str, mode: &str) -> i64 {
    match (plugin, mode) {
        ("none", _) | ("azure", "overlay") => 250,
        ("azure", "") => 30,
        _ => 110,
    }
}

/// Returns the network plugin that the node itself sets up, from AKS's names of plugin, mode and dataplane. `none` if pods of the
/// cluster set up the network.
pub(crate) fn plugin_on_node<'p>(plugin: &'p str, mode: &str, dataplane: &str) -> &'p str {
    if plugin == "azure" && (!mode.is_empty() || dataplane == "cilium") { "none" } else { plugin }
}
