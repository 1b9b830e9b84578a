//! Labels that the kubelet may set on its own node, and effects of taints.
//!
//! The labels are from the admission plugin `NodeRestriction`:
//! <https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#noderestriction>

use super::operating_systems::{is_windows, os_skus};

/// The only labels in Kubernetes' own domains that a kubelet may set. In byte order.
const ALLOWED: [&str; 11] = [
    "beta.kubernetes.io/arch",
    "beta.kubernetes.io/instance-type",
    "beta.kubernetes.io/os",
    "failure-domain.beta.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone",
    "kubernetes.io/arch",
    "kubernetes.io/hostname",
    "kubernetes.io/os",
    "node.kubernetes.io/instance-type",
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone",
];

/// The effects of taints on pods that do not tolerate them.
pub const TAINT_EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/// The labels of AKS with few values. Those of `os-sku` are in the table of operating systems.
/// <https://learn.microsoft.com/azure/aks/use-labels>
const VALUES: &[(&str, &[&str])] = &[
    ("kubernetes.azure.com/mode", &["system", "user"]),
    ("kubernetes.azure.com/priority", &["regular", "spot"]),
    ("kubernetes.azure.com/role", &["agent"]),
    ("kubernetes.azure.com/scalesetpriority", &["regular", "spot"]),
    ("kubernetes.azure.com/storageprofile", &["ephemeral", "managed"]),
    ("kubernetes.azure.com/ebpf-dataplane", &["cilium"]),
    ("kubernetes.azure.com/localdns-state", &["disabled", "enabled"]),
    ("kubernetes.azure.com/nodepool-type", &["AvailabilitySet", "VirtualMachineScaleSets", "VirtualMachines"]),
    ("kubernetes.azure.com/podnetwork-type", &["overlay", "vnet", "vnetblock"]),
];

/// Returns the value that AKS gives to a label, if a value is one of them in any letter case.
pub(crate) fn known_value(key: &str, value: &str) -> Option<&'static str> {
    let is_meant = |known: &&'static str| known.eq_ignore_ascii_case(value);
    let values = VALUES.iter().find(|(label, _)| *label == key).map(|(_, values)| *values);
    match values {
        Some(values) => values.iter().copied().find(is_meant),
        None => key.strip_prefix("kubernetes.azure.com/os-sku").and_then(|rest| match rest {
            "" | "-effective" | "-requested" => os_skus().find(is_meant),
            _ => None,
        }),
    }
}

/// Reports whether a label says that the operating system of its node is not Linux.
pub(crate) fn names_other_system(key: &str, value: &str) -> bool {
    match key {
        "kubernetes.io/os" | "beta.kubernetes.io/os" => value != "linux",
        _ => key.starts_with("kubernetes.azure.com/os-sku") && is_windows(value),
    }
}

/// Reports whether the API server allows a kubelet to register its node with a label of this key.
#[must_use]
pub fn is_allowed(key: &str) -> bool {
    let Some((domain, _)) = key.split_once('/') else { return true };
    let is_within = |parent: &str| domain.strip_suffix(parent).is_some_and(|sub| sub.is_empty() || sub.ends_with('.'));
    ALLOWED.contains(&key)
        || !(is_within("kubernetes.io") || is_within("k8s.io"))
        || is_within("kubelet.kubernetes.io")
        || is_within("node.kubernetes.io")
}

/// A DNS subdomain as Kubernetes accepts it: RFC 1123 in lower case, up to 253 characters.
pub(crate) fn is_dns1123_subdomain(text: &str) -> bool {
    let label = |label: &str| {
        let (Some(first), Some(last)) = (label.bytes().next(), label.bytes().last()) else { return false };
        let alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        alphanumeric(first) && alphanumeric(last) && label.bytes().all(|byte| alphanumeric(byte) || byte == b'-')
    };
    text.len() <= 253 && text.split('.').all(label)
}

/// The name part of a label or taint: up to 63 characters, starting and ending with a letter or digit.
pub(crate) fn is_label_name(text: &str) -> bool {
    let (Some(first), Some(last)) = (text.bytes().next(), text.bytes().last()) else { return false };
    text.len() <= 63
        && first.is_ascii_alphanumeric()
        && last.is_ascii_alphanumeric()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Returns a resource group as a valid label value.
pub(crate) fn cluster_label(resource_group: &str) -> String {
    let mut name = resource_group.replace(['(', ')'], "-");
    let mut end = name.len().min(63);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name.truncate(end);
    if name.ends_with(['-', '_', '.']) {
        if name.len() == 63 {
            name.pop();
        }
        name.push('z');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kubelet_sets_few_labels_in_the_domains_of_kubernetes() {
        for (key, expected) in [
            ("agentpool", true),
            ("example.com/a", true),
            ("kubernetes.azure.com/role", true),
            ("kubernetes.io/arch", true),
            ("kubernetes.io/os", true),
            ("kubernetes.io/role", false),
            ("node-role.kubernetes.io/agent", false),
            ("node-restriction.kubernetes.io/x", false),
            ("x.node.kubernetes.io/y", true),
            ("kubelet.kubernetes.io/x", true),
            ("x.k8s.io/y", false),
            ("notk8s.io/y", true),
            ("notkubernetes.io/y", true),
        ] {
            assert_eq!(is_allowed(key), expected, "{key}");
        }
    }

    #[test]
    fn a_resource_group_is_made_a_valid_label_value() {
        assert_eq!(cluster_label("MC_(a)_b"), "MC_-a-_b");
        assert_eq!(cluster_label("group-"), "group-z");
        assert_eq!(cluster_label(&"x".repeat(80)), "x".repeat(63));
        assert_eq!(cluster_label(&format!("{}-{}", "x".repeat(62), "y")), format!("{}z", "x".repeat(62)));
    }
}
