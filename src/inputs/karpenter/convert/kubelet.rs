//! The settings of the kubelet of a Karpenter node.

use std::collections::BTreeMap;

use crate::catalogue::kubelet_defaults;
use crate::catalogue::local_dns::DEFAULT_CLUSTER_DNS;
use crate::catalogue::reservations::{reserved_cpu, reserved_memory};
use crate::inputs::karpenter::objects::{Cluster, NodeClass, Settings};
use crate::inputs::karpenter::{KubeletConfig, VmSize};

/// Returns the settings of the kubelet: those of the node class, those that Karpenter always sets, and reserved
/// resources, which depend on the VM size.
pub(super) fn kubelet(class: &NodeClass, settings: &Settings, cluster: &Cluster, size: &VmSize) -> KubeletConfig {
    let text = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let by_network = kubelet_defaults::max_pods(settings.get("NETWORK_PLUGIN"), settings.get("NETWORK_PLUGIN_MODE"));
    let dns = match (settings.get("DNS_SERVICE_IP"), cluster.dns_service_ip.as_str()) {
        ("", "") => DEFAULT_CLUSTER_DNS,
        ("", found) => found,
        (given, _) => given,
    };
    let mut kube_reserved = BTreeMap::new();
    if let Some(cores) = size.cores() {
        kube_reserved.insert("cpu".to_owned(), reserved_cpu(cores));
    }
    if let Some(memory) = size.memory_gib() {
        kube_reserved.insert("memory".to_owned(), reserved_memory(memory));
    }
    KubeletConfig {
        max_pods: Some(class.max_pods.unwrap_or(by_network)),
        cluster_dns_service_ip: Some(dns.to_owned()),
        system_reserved: BTreeMap::from([text("cpu", "0"), text("memory", "0")]),
        kube_reserved,
        eviction_hard: BTreeMap::from([text("memory.available", "750Mi")]),
        ..class.kubelet.clone().unwrap_or_default()
    }
}
