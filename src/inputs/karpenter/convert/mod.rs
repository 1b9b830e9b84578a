//! Converts Kubernetes objects and the controller's settings to the bootstrapper's inputs, by the rules of Karpenter's
//! provider for Azure.
//!
//! To fill in another field: a line in [`convert`], and its source in `provenance`.

mod findings;
mod kubelet;
mod labels;
mod provenance;

pub use provenance::Provenance;

use super::objects::{Cluster, InstanceType, NodeClaim, NodeClass, Settings};
use super::{BootstrapInputs, Taint};
use crate::catalogue::gpu;
use crate::catalogue::kubelet_defaults::plugin_on_node;
use crate::document::Finding;
use findings::findings;
#[cfg(feature = "cli")]
pub(super) use findings::missing_tenant;
use kubelet::kubelet;
use labels::labels;
#[cfg(feature = "cli")]
pub(super) use labels::{Violated, unsatisfied};
use provenance::provenance;

/// The objects that a node is made from.
#[derive(Clone, Debug)]
pub struct Objects {
    /// The NodeClaim, or the template of a NodePool.
    pub claim: NodeClaim,
    /// The node class.
    pub class: NodeClass,
    /// The controller's settings.
    pub settings: Settings,
    /// Facts that the controller reads from the running cluster.
    pub cluster: Cluster,
    /// The VM size.
    pub instance_type: InstanceType,
}

/// The result of a conversion.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Converted {
    /// The bootstrapper's inputs.
    pub inputs: BootstrapInputs,
    /// The source of each field.
    pub provenance: Vec<Provenance>,
    /// The findings, each with the object that it is about. If one is an error, the inputs must not be used.
    pub findings: Vec<(&'static str, Finding)>,
}

/// Converts objects to the bootstrapper's inputs.
#[must_use]
pub fn convert(objects: &Objects) -> Converted {
    let Objects { claim, class, settings, cluster, instance_type } = objects;
    let size = &instance_type.size;
    let version = class.kubernetes_version.clone().unwrap_or_else(|| cluster.kubernetes_version.clone());
    let version = version.strip_prefix('v').unwrap_or(&version).to_owned();
    let guid = match settings.get("VNET_GUID") {
        "" => &cluster.vnet_guid,
        guid => guid,
    };
    let folded = size.name.to_lowercase();
    let driver = gpu::driver(&folded);
    let image = gpu::DRIVER_IMAGES.iter().find(|image| image.repository == driver.repository);
    // Karpenter omits the prefix of the oldest driver's version.
    let fixed = driver.fixed_version.map(|version| version.trim_start_matches("cuda-"));
    let inputs = BootstrapInputs {
        arch: if size.architecture() == Some("arm64") { "arm64" } else { "amd64" }.to_owned(),
        tenant_id: settings.tenant().to_owned(),
        subscription_id: settings.subscription().to_owned(),
        kubelet_identity_client_id: settings.get("KUBELET_IDENTITY_CLIENT_ID").to_owned(),
        location: settings.get("LOCATION").trim().to_owned(),
        resource_group: settings.get("AZURE_NODE_RESOURCE_GROUP").to_owned(),
        cluster_name: settings.get("CLUSTER_NAME").to_owned(),
        cluster_endpoint: settings.get("CLUSTER_ENDPOINT").to_owned(),
        network_security_group_name: cluster.network_security_group_name.clone(),
        route_table_name: cluster.id().map(|id| format!("aks-agentpool-{id}-routetable")).unwrap_or_default(),
        api_server_name: host(settings.get("CLUSTER_ENDPOINT")).to_owned(),
        kubelet_client_tls_bootstrap_token: settings.secret("KUBELET_BOOTSTRAP_TOKEN"),
        network_plugin: network_plugin(settings).to_owned(),
        network_policy: settings.get("NETWORK_POLICY").to_owned(),
        kubelet_config: Some(kubelet(class, settings, cluster, size)),
        taints: taints(claim),
        labels: labels(settings, class, claim, instance_type, &version, guid),
        kubernetes_version: version,
        ca_bundle: cluster.ca_bundle.clone(),
        gpu_node: gpu::is_nvidia(folded.strip_suffix("_promo").unwrap_or(&folded)),
        gpu_driver_installation_enabled: class.installs_gpu_driver,
        gpu_driver_version: fixed.or(image.map(|image| image.version)).unwrap_or_default().to_owned(),
        gpu_driver_type: driver.kind.to_owned(),
        gpu_image_sha: image.map_or("", |image| image.suffix).to_owned(),
        subnet_id: class.vnet_subnet_id.as_deref().unwrap_or(settings.get("VNET_SUBNET_ID")).to_owned(),
    };
    Converted { findings: findings(objects, &inputs), inputs, provenance: provenance() }
}

/// Returns the host of a URL, without brackets around an IPv6 address.
pub(crate) fn host(endpoint: &str) -> &str {
    let rest = endpoint.split_once("://").map_or(endpoint, |(_, rest)| rest);
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    match authority.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    }
}

fn network_plugin(settings: &Settings) -> &'static str {
    let [plugin, mode, dataplane] =
        ["NETWORK_PLUGIN", "NETWORK_PLUGIN_MODE", "NETWORK_DATAPLANE"].map(|name| settings.get(name));
    // Karpenter knows no other plugin.
    if plugin_on_node(plugin, mode, dataplane) == "azure" { "azure" } else { "none" }
}

/// Returns the taints of the claim, then its startup taints, then the taint that Karpenter removes when the node registers.
fn taints(claim: &NodeClaim) -> Vec<Taint> {
    const UNREGISTERED: &str = "karpenter.sh/unregistered";
    let mut taints: Vec<_> = claim.taints.iter().chain(&claim.startup_taints).cloned().collect();
    if !taints.iter().any(|taint| taint.key == UNREGISTERED && taint.effect == "NoExecute") {
        taints.push(Taint { key: UNREGISTERED.to_owned(), effect: "NoExecute".to_owned(), ..Taint::default() });
    }
    taints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::karpenter::VmSize;

    fn settings(plugin: &str, mode: &str, dataplane: &str) -> Settings {
        let document = format!(
            "{{CLUSTER_NAME: c, CLUSTER_ENDPOINT: 'https://e', KUBELET_BOOTSTRAP_TOKEN: canary, SSH_PUBLIC_KEY: k, \
             AZURE_NODE_RESOURCE_GROUP: g, AZURE_SUBSCRIPTION_ID: s, NETWORK_PLUGIN: {plugin}, \
             NETWORK_PLUGIN_MODE: '{mode}', NETWORK_DATAPLANE: '{dataplane}', VNET_SUBNET_ID: \
             /subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/n/subnets/t}}"
        );
        // A flow mapping starts like JSON; with the comment in front, the document is YAML.
        let document = format!("# settings\n{document}");
        Settings::from_document(document.as_bytes()).unwrap_or_else(|report| panic!("{report}")).0
    }

    #[test]
    fn plugin_and_maximum_of_pods_depend_on_the_network() {
        for (plugin, mode, dataplane, passed_on, pods) in [
            ("none", "", "cilium", "none", 250),
            ("azure", "overlay", "cilium", "none", 250),
            ("azure", "overlay", "azure", "none", 250),
            ("azure", "", "cilium", "none", 30),
            ("azure", "", "azure", "azure", 30),
            ("azure", "", "", "azure", 30),
        ] {
            let settings = settings(plugin, mode, dataplane);
            assert_eq!(network_plugin(&settings), passed_on, "{plugin}, {mode}, {dataplane}");
            let kubelet = kubelet(&NodeClass::default(), &settings, &Cluster::default(), &VmSize::default());
            assert_eq!(kubelet.max_pods, Some(pods), "{plugin}, {mode}");
            let class = NodeClass { max_pods: Some(77), ..NodeClass::default() };
            let kubelet = super::kubelet(&class, &settings, &Cluster::default(), &VmSize::default());
            assert_eq!(kubelet.max_pods, Some(77));
        }
    }

    #[test]
    fn the_api_server_name_is_the_host_of_the_endpoint() {
        for (endpoint, expected) in [
            ("https://a.example.com:443", "a.example.com"),
            ("https://a.example.com/", "a.example.com"),
            ("https://[fd00::1]:443/x", "fd00::1"),
            ("a.example.com", "a.example.com"),
        ] {
            assert_eq!(host(endpoint), expected);
        }
    }

    #[test]
    fn the_unregistered_taint_is_added_unless_the_claim_has_it() {
        let taint = |key: &str, value: &str, effect: &str| Taint {
            key: key.to_owned(),
            value: value.to_owned(),
            effect: effect.to_owned(),
        };
        let mut claim = NodeClaim {
            taints: vec![taint("a", "1", "NoSchedule")],
            startup_taints: vec![taint("b", "", "NoExecute")],
            ..NodeClaim::default()
        };
        let keys = |claim: &NodeClaim| taints(claim).into_iter().map(|taint| taint.key).collect::<Vec<_>>();
        assert_eq!(keys(&claim), ["a", "b", "karpenter.sh/unregistered"]);
        claim.taints.push(taint("karpenter.sh/unregistered", "x", "NoExecute"));
        assert_eq!(keys(&claim), ["a", "karpenter.sh/unregistered", "b"]);
    }
}
