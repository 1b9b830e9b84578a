//! The labels of a Karpenter node.

use std::collections::BTreeMap;

use crate::catalogue::gpu;
use crate::catalogue::labels::{cluster_label, is_allowed};
use crate::catalogue::vm_sizes::VmSizeName;
use crate::configuration::Version;
use crate::inputs::karpenter::launch_template::family;
use crate::inputs::karpenter::objects::{InstanceType, NodeClaim, NodeClass, Requirement, Settings};
use crate::inputs::karpenter::{Objects, Subnet, VmSize};

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

/// Labels that follow from the node class and the settings: Karpenter creates no node for a claim with other values.
pub(super) const OF_CLASS: [&str; 4] = [
    "karpenter.azure.com/aksnodeclass",
    "kubernetes.azure.com/cluster",
    "kubernetes.azure.com/fips_enabled",
    "kubernetes.azure.com/os-sku",
];

/// Returns the labels of [`OF_CLASS`] that the nodes of a node class have; an empty one is unknown.
pub(super) fn of_class(objects: &Objects, kubernetes: &str) -> BTreeMap<String, String> {
    let Objects { claim, class, settings, instance_type, .. } = objects;
    let mut labels = computed(settings, class, &instance_type.size, kubernetes, "");
    // A claim that names another node class has a finding of its own.
    let name = if claim.node_class == class.name { class.name.clone() } else { String::new() };
    labels.insert("karpenter.azure.com/aksnodeclass".to_owned(), name);
    labels.retain(|key, _| OF_CLASS.contains(&key.as_str()));
    labels
}

/// Labels that a VM size has only with GPUs or with room for an ephemeral disk.
const OPTIONAL: [&str; 3] = [
    "karpenter.azure.com/sku-gpu-manufacturer",
    "karpenter.azure.com/sku-gpu-name",
    "karpenter.azure.com/sku-storage-ephemeralos-maxsize",
];

/// A requirement that a VM size does not satisfy, with its index and the value of the size; `None` if the size does not have the label.
pub(in crate::inputs::karpenter) type Violated<'c> = (usize, &'c Requirement, Option<String>);

/// Returns the requirements that a VM size does not satisfy.
pub(in crate::inputs::karpenter) fn unsatisfied<'c>(
    claim: &'c NodeClaim,
    settings: &Settings,
    instance_type: &InstanceType,
) -> Vec<Violated<'c>> {
    let labels = of_size(settings, &instance_type.size, &instance_type.zones);
    let is_described = !instance_type.size.capabilities.is_empty();
    let violated = claim.requirements.iter().enumerate().filter_map(|(at, requirement)| {
        let value = labels.get(&requirement.key);
        let is_known = value.is_some() || is_described && OPTIONAL.contains(&requirement.key.as_str());
        let values = Vec::from_iter(value.map(String::as_str));
        (is_known && !requirement.allows(&values)).then(|| (at, requirement, value.cloned()))
    });
    violated.collect()
}

/// Returns the labels of the claim for which the VM size has another value, with that value.
pub(super) fn of_another_size(objects: &Objects) -> Vec<(&String, &String, String)> {
    let Objects { claim, settings, instance_type, .. } = objects;
    let labels = of_size(settings, &instance_type.size, &instance_type.zones);
    // The name of the size has a finding of its own.
    let others = labels.into_iter().filter(|(_, value)| *value != instance_type.size.name);
    let different = others.filter_map(|(key, value)| {
        let (key, given) = claim.labels.get_key_value(&key)?;
        (!given.eq_ignore_ascii_case(&value)).then_some((key, given, value))
    });
    different.collect()
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
