//! Checks that labels of the node fit its VM size, its image and its scale set.

use super::super::fields::{Context, Text, field, quoted};
use crate::catalogue::operating_systems::{architecture_of_image, is_other_system};
use crate::catalogue::{rules, vm_sizes};
use crate::configuration::{NetworkPlugin, VmType};
use crate::document::Finding;

const HOST_NAME: &str = "kubernetes.io/hostname";
const OVERLAY: &str = "kubernetes.azure.com/azure-cni-overlay";
const IMAGE: &str = "kubernetes.azure.com/node-image-version";
const SKU_CPU: &str = "kubernetes.azure.com/sku-cpu";
const SKU_MEMORY: &str = "kubernetes.azure.com/sku-memory";
const STORAGE_TIER: &str = "kubernetes.azure.com/storagetier";
const ACCELERATOR: &str = "kubernetes.azure.com/accelerator";

/// Returns the labels of the node, with their keys.
fn labels<'c>(context: &'c Context<'_>) -> impl Iterator<Item = (&'c str, Text<'c>)> {
    context.texts(field!("kubelet_config.kubelet_node_labels")).filter_map(|label| Some((label.key()?, label)))
}

fn conflict(label: &Text<'_>, problem: &str) -> Finding {
    Finding::violation(&rules::LABEL_CONFLICT, label.path(), format!("is {}, {problem}", quoted(label.value)))
}

/// Compares labels with the VM size that they describe, by which users and AKS select nodes.
pub(super) fn of_size(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(size) = context.text(field!("vm_size")).filter(|size| vm_sizes::is_possible(size.value)) else { return };
    for (key, label) in labels(context) {
        if let Some(fact) = other_fact(size.value, key, label.value) {
            findings.push(conflict(&label, &format!("but `{}` has {fact}", size.value)));
        }
    }
}

/// Returns what a VM size has instead of what a label says. `None` if that is not known, or is the same.
fn other_fact(size: &str, key: &str, value: &str) -> Option<String> {
    match key {
        // A size with fewer CPUs than its series has either number.
        SKU_CPU if size.contains('-') => None,
        SKU_CPU => vm_sizes::cpus(size).filter(|cpus| cpus.to_string() != value).map(|cpus| format!("{cpus} CPUs")),
        SKU_MEMORY => {
            // Sources differ about large sizes and new series, but not by half: the next size has twice as much.
            let expected = vm_sizes::memory_gib(size)? * 1024.0;
            let is_near = value.parse().is_ok_and(|mib: f64| expected / 2.0 < mib && mib < expected * 2.0);
            (!is_near).then(|| format!("{expected:.0} MiB of memory"))
        }
        STORAGE_TIER => match (value, vm_sizes::has_premium_disks(size)) {
            ("Premium_LRS", false) => Some("no premium disks".to_owned()),
            ("Standard_LRS", true) => Some("premium disks".to_owned()),
            _ => None,
        },
        "accelerator" | ACCELERATOR if value == "nvidia" => {
            (vm_sizes::has_nvidia_gpu(size) == Some(false)).then(|| "no NVIDIA GPU".to_owned())
        }
        _ => None,
    }
}

/// Compares the labels of the operating system and the architecture of the VM size with the label of the image.
pub(super) fn of_image(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some((_, image)) = labels(context).find(|(key, _)| *key == IMAGE) else { return };
    let others = labels(context).filter(|(key, label)| is_other_system(key, label.value, image.value));
    let problem = format!("but `{IMAGE}` is {}", quoted(image.value));
    findings.extend(others.map(|(_, label)| conflict(&label, &problem)));
    let size = context.text(field!("vm_size")).map(|size| size.value).unwrap_or_default();
    if let (Some(of_image), Some(of_size)) = (architecture_of_image(image.value), vm_sizes::architecture(size))
        && of_image != of_size
    {
        findings.push(conflict(&image, &format!("but `{size}` is a size with {of_size}")));
    }
}

/// The kubelet labels its node with its host name, which in a scale set is the name of the set with a number behind it. Volumes and spread
/// of pods find a node by this label.
pub(super) fn of_machine(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(cluster) = &context.configuration.cluster_config else { return };
    let set = &cluster.primary_scale_set;
    if cluster.vm_type() != VmType::Vmss || set.is_empty() {
        return;
    }
    for (_, label) in labels(context).filter(|(key, _)| *key == HOST_NAME) {
        let problem = format!("the same for every node of the scale set `{set}`");
        findings.push(conflict(&label, &problem).hint("remove it: the kubelet sets it to the name of the node"));
    }
}

/// In AKS's overlay, a pod of the cluster writes the network configuration of the node: `15-azure-swift-overlay.conflist`. That of a plugin which
/// the node sets up itself starts with 10, and containerd uses the first.
/// <https://github.com/Azure/azure-container-networking/blob/master/test/integration/manifests/cnsconfig/azurecnioverlaylinuxconfigmap.yaml>
pub(super) fn of_network(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(network) = &context.configuration.network_config else { return };
    let plugin = match network.network_plugin() {
        NetworkPlugin::Azure => "NETWORK_PLUGIN_AZURE",
        NetworkPlugin::Kubenet => "NETWORK_PLUGIN_KUBENET",
        _ => return,
    };
    for (_, label) in labels(context).filter(|(key, label)| *key == OVERLAY && label.value == "true") {
        let problem = format!("but `network_plugin` is `{plugin}`, which does not give pods addresses of the overlay");
        findings.push(
            conflict(&label, &problem)
                .hint("set `network_plugin` to `NETWORK_PLUGIN_NONE`: pods of AKS set up the overlay"),
        );
    }
}
