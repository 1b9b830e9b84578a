//! The sources of the fields of the bootstrapper's inputs.

/// The source of a field of the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The field.
    pub field: &'static str,
    /// The source, for people.
    pub source: &'static str,
}

/// Returns the source of every field.
pub(super) fn provenance() -> Vec<Provenance> {
    SOURCES.iter().map(|(field, source)| Provenance { field, source }).collect()
}

const SOURCES: &[(&str, &str)] = &[
    ("arch", "instance type: CpuArchitectureType"),
    ("tenant_id", "settings: AZURE_TENANT_ID, else ARM_TENANT_ID"),
    ("subscription_id", "settings: AZURE_SUBSCRIPTION_ID, else ARM_SUBSCRIPTION_ID"),
    ("kubelet_identity_client_id", "settings: KUBELET_IDENTITY_CLIENT_ID"),
    ("location", "settings: LOCATION"),
    ("resource_group", "settings: AZURE_NODE_RESOURCE_GROUP"),
    ("cluster_name", "settings: CLUSTER_NAME"),
    ("cluster_endpoint", "settings: CLUSTER_ENDPOINT"),
    ("network_security_group_name", "cluster: network_security_group_name"),
    ("route_table_name", "computed: the eight digits in the network security group's name"),
    ("api_server_name", "computed: the host of CLUSTER_ENDPOINT"),
    ("kubelet_client_tls_bootstrap_token", "settings: KUBELET_BOOTSTRAP_TOKEN"),
    ("network_plugin", "computed: NETWORK_PLUGIN, NETWORK_PLUGIN_MODE, NETWORK_DATAPLANE"),
    ("network_policy", "settings: NETWORK_POLICY"),
    ("kubernetes_version", "node class: status.kubernetesVersion, else cluster: kubernetes_version"),
    ("kubelet_config", "node class: spec.kubelet and spec.maxPods; computed: reserved resources, eviction, DNS"),
    ("taints", "node claim: spec.taints, spec.startupTaints; computed: karpenter.sh/unregistered"),
    ("labels", "computed, node claim, its requirements, instance type, in this order"),
    ("ca_bundle", "cluster: ca_bundle, or certificate-authority-data of the kubeconfig"),
    ("gpu_node", "instance type: name"),
    ("gpu_driver_installation_enabled", "node class: spec.gpu.mode"),
    ("gpu_driver_version", "instance type: name"),
    ("gpu_driver_type", "instance type: name"),
    ("gpu_image_sha", "instance type: name"),
    ("subnet_id", "node class: spec.vnetSubnetID, else settings: VNET_SUBNET_ID"),
];
