//! The labels of a Karpenter node.

use std::collections::BTreeMap;

use crate::catalogue::gpu;
use crate::catalogue::labels::{cluster_label, is_allowed};
use crate::catalogue::vm_sizes::VmSizeName;
use crate::configuration::Version;
use crate::inputs::karpenter::launch_template::family;
use crate::inputs::karpenter::objects::{InstanceType, NodeClaim, NodeClass, Settings};
use crate::inputs::karpenter::{Subnet, VmSize};

/// Returns the labels with which the kubelet registers its node. Later sources replace earlier ones; labels that a
/// kubelet must not set are omitted.
pub(super) fn labels(
    settings: &Settings,
    class: &NodeClass,
    claim: &NodeClaim,
    instance_type: &InstanceType,
    kubernetes: &str,
    vnet_guid: &str,
) -> BTreeMap<String, String> {
    let mut labels = computed(settings, class, &instance_type.size, kubernetes, vnet_guid);
    labels.extend(claim.labels.clone());
    labels.extend(claim.pinned());
    labels.extend(of_size(settings, &instance_type.size, &instance_type.zones));
    labels.retain(|key, _| is_allowed(key));
    labels
}

fn computed(
    settings: &Settings,
    class: &NodeClass,
    size: &VmSize,
    kubernetes: &str,
    vnet_guid: &str,
) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::new();
    let mut put = |key: &str, value: &str| {
        labels.insert(format!("kubernetes.azure.com/{key}"), value.to_owned());
    };
    put("role", "agent");
    put("cluster", &cluster_label(settings.get("AZURE_NODE_RESOURCE_GROUP")));
    put("kubelet-identity-client-id", settings.get("KUBELET_IDENTITY_CLIENT_ID"));
    put("mode", "user");
    put("scalesetpriority", "regular");
    put("priority", "regular");
    let is_ubuntu = !["AzureLinux", "AzureContainerLinux"].contains(&class.image_family.as_str());
    put("os-sku", if is_ubuntu { "Ubuntu" } else { &class.image_family });
    put("os-sku-requested", &class.image_family);
    put("os-sku-effective", family(&class.image_family, class.fips, class.trusted_launch.is_on(), kubernetes).label);
    if class.fips {
        put("fips_enabled", "true");
    }
    if settings.is_overlay() {
        let subnet = class.vnet_subnet_id.as_deref().unwrap_or(settings.get("VNET_SUBNET_ID"));
        put("network-subnet", Subnet::parse(subnet).map_or("", |subnet| subnet.name));
        put("nodenetwork-vnetguid", vnet_guid);
        put("azure-cni-overlay", "true");
        put("podnetwork-type", "overlay");
        let stateless = Version::parse(kubernetes).is_some_and(|version| version >= Version::new(1, 34, 0));
        put("network-stateless-cni", if stateless { "true" } else { "false" });
    }
    if settings.get("NETWORK_DATAPLANE") == "cilium" {
        put("ebpf-dataplane", "cilium");
    }
    // `Preferred` enables it from a Kubernetes version that does not exist yet.
    put("localdns-state", if class.local_dns_mode.as_deref() == Some("Required") { "enabled" } else { "disabled" });
    if class.artifact_streaming && size.architecture() != Some("arm64") {
        put("artifactstreaming-enabled", "true");
    }
    labels.insert("karpenter.sh/do-not-sync-taints".to_owned(), "true".to_owned());
    labels
}

/// Returns the labels that a VM size has on every node.
pub(in crate::inputs::karpenter) fn size_labels(
    settings: &Settings,
    instance_type: &InstanceType,
) -> BTreeMap<String, String> {
    of_size(settings, &instance_type.size, &instance_type.zones)
}

/// Returns the labels for which the VM size has exactly one value.
fn of_size(settings: &Settings, size: &VmSize, zones: &[String]) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::new();
    let mut put = |key: &str, value: String| {
        labels.insert(key.to_owned(), value);
    };
    if !size.name.is_empty() {
        put("node.kubernetes.io/instance-type", size.name.clone());
        put("karpenter.azure.com/sku-name", size.name.clone());
    }
    if let Some(architecture) = size.architecture() {
        put("kubernetes.io/arch", architecture.to_owned());
    }
    put("kubernetes.io/os", "linux".to_owned());
    let location = settings.get("LOCATION").trim();
    if !location.is_empty() {
        put("topology.kubernetes.io/region", location.to_owned());
    }
    if let Some(cores) = size.cores() {
        put("karpenter.azure.com/sku-cpu", cores.to_string());
        put("kubernetes.azure.com/sku-cpu", cores.to_string());
    }
    if let Some(memory) = size.memory_gib() {
        #[expect(clippy::cast_possible_truncation, reason = "a VM size has at most some terabytes")]
        let mib = (memory * 1024.0) as i64;
        put("karpenter.azure.com/sku-memory", mib.to_string());
        put("kubernetes.azure.com/sku-memory", mib.to_string());
    }
    if let Some(generation) = size.only_generation() {
        put("karpenter.azure.com/sku-hyperv-generation", generation.to_owned());
    }
    if let Some(name) = VmSizeName::parse(&size.name) {
        put("karpenter.azure.com/sku-family", name.family.to_owned());
        put("karpenter.azure.com/sku-series", name.series());
        put("karpenter.azure.com/sku-version", name.version.unwrap_or("1").to_owned());
        let manufacturer = if gpu::is_amd(&size.name.to_lowercase()) { "amd" } else { "nvidia" };
        if size.gpus() > 0 {
            put("karpenter.azure.com/sku-gpu-manufacturer", manufacturer.to_owned());
            put("karpenter.azure.com/sku-gpu-name", name.accelerator.unwrap_or_default().to_owned());
        }
    }
    if !size.capabilities.is_empty() {
        put("karpenter.azure.com/sku-gpu-count", size.gpus().to_string());
    }
    for (capability, label) in [
        ("PremiumIO", "karpenter.azure.com/sku-storage-premium-capable"),
        ("AcceleratedNetworkingEnabled", "karpenter.azure.com/sku-networking-accelerated"),
    ] {
        if let Some(on) = size.switch(capability) {
            put(label, on.to_string());
        }
    }
    if let ([zone], false) = (zones, location.is_empty()) {
        let zone = if zone == "0" { zone.clone() } else { format!("{location}-{zone}") };
        put("topology.kubernetes.io/zone", zone);
    }
    let (limit, _) = size.ephemeral_disk();
    if limit > 0 {
        put("karpenter.azure.com/sku-storage-ephemeralos-maxsize", limit.to_string());
    }
    labels
}
