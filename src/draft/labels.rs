//! The labels with which a node of AKS registers.
//! <https://learn.microsoft.com/azure/aks/use-labels#reserved-system-labels>

use super::state::{Draft, Given, label_path};
use crate::catalogue::labels::{cluster_label, is_allowed};
use crate::catalogue::operating_systems::architecture_of_image;
use crate::catalogue::vm_sizes;
use crate::configuration::Version;
use crate::configuration::syntax::is_label_value;

/// The value of `os-sku` for each operating system.
const OS_SKUS: [(&str, &str); 6] = [
    ("ubuntu", "Ubuntu"),
    ("azurelinux", "AzureLinux"),
    ("mariner", "CBLMariner"),
    ("osguard", "AzureLinuxOSGuard"),
    ("flatcar", "Flatcar"),
    ("acl", "AzureContainerLinux"),
];

/// Adds the labels of every node, then those of the node pool.
pub(super) fn labels(draft: &mut Draft) {
    const PREFIX: &str = "kubernetes.azure.com/";
    let every = "a label of every node of AKS";
    let mut put = |name: &str, value: &str, reason: &str| {
        draft.put(&label_path(&format!("{PREFIX}{name}")), value, reason);
    };
    put("role", "agent", every);
    put("mode", "user", "the default mode of a node pool");
    put("storageprofile", "managed", "AKS uses managed disks");
    put("nodepool-type", "VirtualMachineScaleSets", "node pools are scale sets");
    let os = draft.os.unwrap_or("ubuntu");
    if let Some((_, sku)) = OS_SKUS.iter().find(|(name, _)| *name == os) {
        let reason = if draft.os.is_some() { "--os" } else { "the default operating system" };
        draft.put(&label_path("kubernetes.azure.com/os-sku"), *sku, reason);
        if draft.os.is_some() {
            // The option names another system than the pool, whose image is not that of the node then.
            let of_pool = |(name, ..): &&(String, String, String)| name == "kubernetes.azure.com/os-sku";
            let is_other = draft.hints.labels.iter().find(of_pool).is_some_and(|(_, of_pool, _)| of_pool != sku);
            draft.hints.labels.retain(|(name, ..)| {
                !(name.starts_with("kubernetes.azure.com/os-sku")
                    || is_other && name == "kubernetes.azure.com/node-image-version")
            });
        }
    }
    if let Some(group) = draft.text("cluster_config.resource_group").map(cluster_label) {
        draft.put(&label_path("kubernetes.azure.com/cluster"), group, "the resource group of the nodes as a label");
    }
    if let Some(id) = draft.text("auth_config.assigned_identity_id").map(str::to_owned) {
        draft.put(&label_path("kubernetes.azure.com/kubelet-identity-client-id"), id, "the identity of the kubelet");
    }
    let pool = draft.node_pool.clone().unwrap_or_else(|| "nodepool1".to_owned());
    let reason =
        if draft.node_pool.is_some() { "the name of the node pool" } else { "AKS's name of a first node pool" };
    for label in ["agentpool", "kubernetes.azure.com/agentpool"] {
        draft.put(&label_path(label), pool.as_str(), reason);
    }
    if draft.text("vm_size").and_then(vm_sizes::has_nvidia_gpu) == Some(true) {
        for label in ["accelerator", "kubernetes.azure.com/accelerator"] {
            draft.put(&label_path(label), "nvidia", "the VM size has NVIDIA GPUs");
        }
    }
    sku(draft);
    if let Some(kind) = draft.hints.pod_network {
        node_network(draft);
        draft.put(&label_path("kubernetes.azure.com/podnetwork-type"), kind, "pods have addresses of their own subnet");
    } else if draft.hints.plugin.as_deref() == Some("azure") && draft.hints.plugin_mode == "overlay" {
        node_network(draft);
        let reason = "pods have addresses of their own network";
        draft.put(&label_path("kubernetes.azure.com/podnetwork-type"), "overlay", reason);
        if draft.given("ipv6_dual_stack_enabled").is_some_and(|given| given.value == true) {
            draft.put(&label_path("kubernetes.azure.com/podv6network-type"), "overlay", reason);
        }
        draft.put(&label_path("kubernetes.azure.com/azure-cni-overlay"), "true", reason);
        stateless_cni(draft);
    }
    if draft.hints.dataplane == "cilium" {
        draft.put(&label_path("kubernetes.azure.com/ebpf-dataplane"), "cilium", "the dataplane of the cluster");
    }
    let has_local_dns = draft.given("local_dns_profile.enable_local_dns").is_some_and(|given| given.value == true);
    let state = if has_local_dns { "enabled" } else { "disabled" };
    draft.put(&label_path("kubernetes.azure.com/localdns-state"), state, "whether the node has node-local DNS");
    if draft.text("network_config.network_policy") == Some("NETWORK_POLICY_CALICO") {
        let reason = "the network policy of the cluster";
        draft.put(&label_path("kubernetes.azure.com/network-policy"), "calico", reason);
    }
    // The VM size can be another one than that of the pool, too.
    let architecture = draft.text("vm_size").and_then(vm_sizes::architecture);
    draft.hints.labels.retain(|(name, value, _)| {
        let of_image = architecture_of_image(value).filter(|_| name == "kubernetes.azure.com/node-image-version");
        of_image.is_none() || architecture.is_none() || of_image == architecture
    });
    for (name, value, origin) in std::mem::take(&mut draft.hints.labels) {
        let path = label_path(&name);
        if is_allowed(&name) {
            // A label can have an empty value.
            draft.files.entry(path).or_insert_with(|| Given { value: value.into(), origin });
        } else {
            draft
                .dropped
                .push(format!("{path}: left out ({origin}), because no kubelet may set it: use `kubectl label`"));
        }
    }
    leave_out_invalid(draft);
}

/// Leaves out labels whose computed value is none that a label can have, such as the long name of a network.
fn leave_out_invalid(draft: &mut Draft) {
    let start = label_path("");
    let start = start.trim_end_matches("\"]");
    let is_invalid = |path: &str, value: Option<&str>| path.starts_with(start) && !value.is_none_or(is_label_value);
    let invalid: Vec<_> = draft
        .computed
        .iter()
        .filter(|(path, given)| is_invalid(path, given.value.as_str()))
        .map(|(path, given)| (path.clone(), given.origin.clone()))
        .collect();
    for (path, origin) in invalid {
        draft.computed.remove(&path);
        draft.dropped.push(format!("{path}: left out, because the value ({origin}) is none that a label can have"));
    }
}

/// Adds the labels that follow from the VM size.
fn sku(draft: &mut Draft) {
    let Some(size) = draft.text("vm_size").map(str::to_owned) else { return };
    if vm_sizes::has_premium_disks(&size) {
        draft.put(&label_path("kubernetes.azure.com/storagetier"), "Premium_LRS", "the VM size has premium disks");
    }
    let facts = draft.size_facts(&size);
    if let Some(cpus) = facts.0 {
        draft.put(&label_path("kubernetes.azure.com/sku-cpu"), cpus.to_string(), "the CPUs of the VM size");
    }
    if let Some(gib) = facts.1 {
        let mib = format!("{:.0}", gib * 1024.0);
        draft.put(&label_path("kubernetes.azure.com/sku-memory"), mib, "the memory of the VM size in MiB");
    }
}

/// Adds the labels by which a network plugin finds the network of the node.
fn node_network(draft: &mut Draft) {
    let network = "cluster_config.cluster_network_config";
    for (label, path) in [
        ("network-name", format!("{network}.vnet_name")),
        ("network-resourcegroup", format!("{network}.vnet_resource_group")),
        ("network-subnet", format!("{network}.subnet")),
    ] {
        let Some(value) = draft.text(&path).map(str::to_owned) else { continue };
        draft.put(&label_path(&format!("kubernetes.azure.com/{label}")), value, "the network of the node");
    }
    let of_node = draft.text("auth_config.subscription_id");
    if let Some(subscription) = draft.hints.network_subscription.clone().or(of_node.map(str::to_owned)) {
        let reason = "the subscription of the node's network";
        draft.put(&label_path("kubernetes.azure.com/network-subscription"), subscription, reason);
    }
}

fn stateless_cni(draft: &mut Draft) {
    let version = draft.text("kubernetes_version").and_then(Version::parse_full);
    let is_stateless = version.is_some_and(|version| version >= Version::new(1, 34, 0));
    let reason = "the network plugin keeps no state from Kubernetes 1.34 on";
    draft.put(&label_path("kubernetes.azure.com/network-stateless-cni"), is_stateless.to_string(), reason);
}
