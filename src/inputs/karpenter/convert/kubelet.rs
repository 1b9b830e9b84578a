//! The settings of the kubelet of a Karpenter node.

use std::collections::BTreeMap;

use crate::catalogue::local_dns::DEFAULT_CLUSTER_DNS;
use crate::inputs::karpenter::objects::{Cluster, NodeClass, Settings};
use crate::inputs::karpenter::{KubeletConfig, VmSize};

/// Returns the settings of the kubelet: what the node class sets, what Karpenter always sets, and resources that are reserved
/// by the VM size.
pub(super) fn kubelet(class: &NodeClass, settings: &Settings, cluster: &Cluster, size: &VmSize) -> KubeletConfig {
    let text = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let by_network = match (settings.get("NETWORK_PLUGIN"), settings.get("NETWORK_PLUGIN_MODE")) {
        ("none", _) | ("azure", "overlay") => 250,
        ("azure", "") => 30,
        _ => 110,
    };
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

/// Returns the sum of shares of an amount, bracket by bracket: upper end and rate. Adds in floating point as the reference
/// does, so that rounding is the same.
fn reserved(amount: f64, brackets: &[(f64, f64)]) -> f64 {
    let (mut total, mut lower) = (0.0, 0.0);
    for (upper, rate) in brackets {
        if amount <= lower {
            break;
        }
        total += (amount.min(*upper) - lower) * rate;
        lower = *upper;
    }
    total
}

/// Returns the CPU to reserve: in millicores, or in cores if it is a whole number of them.
#[expect(clippy::cast_possible_truncation, reason = "the fraction is cut off")]
#[expect(clippy::cast_precision_loss, reason = "a VM size has few cores")]
fn reserved_cpu(cores: u64) -> String {
    let shares = [(1.0, 0.06), (2.0, 0.04), (4.0, 0.02), (f64::INFINITY, 0.01)];
    let millicores = (1000.0 * reserved(cores as f64, &shares)) as i64;
    if millicores % 1000 == 0 { (millicores / 1000).to_string() } else { format!("{millicores}m") }
}

/// Returns the memory to reserve: in mebibytes, or in gibibytes if it is a whole number of them.
#[expect(clippy::cast_possible_truncation, reason = "the fraction is cut off")]
fn reserved_memory(gib: f64) -> String {
    let shares = [(4.0, 0.25), (8.0, 0.20), (16.0, 0.10), (128.0, 0.06), (f64::INFINITY, 0.02)];
    let mebibytes = (1024.0 * reserved(gib, &shares)) as i64;
    if mebibytes > 0 && mebibytes % 1024 == 0 { format!("{}Gi", mebibytes / 1024) } else { format!("{mebibytes}Mi") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_cpu_is_rounded_as_in_the_reference() {
        let cores = [1, 2, 4, 8, 16, 20, 32, 48, 64, 72, 80, 96, 112, 120, 128, 176, 192, 208, 416];
        let wanted =
            "60m 100m 140m 180m 260m 300m 420m 580m 740m 820m 900m 1060m 1220m 1299m 1380m 1859m 2020m 2180m 4260m";
        assert_eq!(cores.map(reserved_cpu).join(" "), wanted);
    }

    #[test]
    fn reserved_memory_is_rounded_as_in_the_reference() {
        let sizes = [
            0.5, 1.0, 2.0, 3.5, 4.0, 7.0, 8.0, 14.0, 16.0, 28.0, 32.0, 56.0, 64.0, 96.0, 112.0, 128.0, 256.0, 384.0,
            512.0, 672.0, 900.0, 1024.0,
        ];
        let wanted = "128Mi 256Mi 512Mi 896Mi 1Gi 1638Mi 1843Mi 2457Mi 2662Mi 3399Mi 3645Mi 5Gi 5611Mi 7577Mi 8560Mi \
                      9543Mi 12165Mi 14786Mi 17Gi 20684Mi 25354Mi 27893Mi";
        assert_eq!(sizes.map(reserved_memory).join(" "), wanted);
    }
}
