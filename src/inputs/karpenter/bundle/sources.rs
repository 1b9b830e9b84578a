//! Where the variables of Karpenter's script come from: objects and their fields, settings, the VM size, or constants.
//!
//! To add a member of the inputs: a row in [`SOURCES`]. To add a variable: a row in [`VARIABLES`], unless it is a constant.

use super::place::{FileReport, at};
use super::{Origins, Place};
use crate::document::{Position, Source, Tree};
use crate::inputs::karpenter::objects::SETTINGS;

/// A part of the input of a node.
#[derive(Clone, Copy)]
enum Part {
    /// A field of the NodeClaim, or of the template of the NodePool.
    Claim(&'static str),
    /// A field of the AKSNodeClass.
    Class(&'static str),
    Setting(&'static str),
    /// A fact about the cluster.
    Cluster(&'static str),
    /// A fact about the VM size.
    Size(&'static str),
    Constant(&'static str),
}
use Part::{Claim, Class, Cluster, Constant, Setting, Size};

/// Where a value comes from.
pub(crate) struct Origin {
    /// Object and field, setting, or constant.
    pub source: String,
    /// File, line and column, if it was read.
    pub place: Option<String>,
}

/// The members of the inputs that a variable follows from. A variable without a row is a constant.
const VARIABLES: &[(&str, &[&str])] = &[
    ("TENANT_ID", &["tenant_id"]),
    ("KUBERNETES_VERSION", &["kubernetes_version"]),
    ("KUBE_BINARY_URL", &["kubernetes_version", "arch"]),
    ("CREDENTIAL_PROVIDER_DOWNLOAD_URL", &["kubernetes_version", "arch"]),
    ("SUBSCRIPTION_ID", &["subscription_id"]),
    ("RESOURCE_GROUP", &["resource_group"]),
    ("LOCATION", &["location"]),
    ("SUBNET", &["subnet_id"]),
    ("NETWORK_SECURITY_GROUP", &["network_security_group_name"]),
    ("VIRTUAL_NETWORK", &["subnet_id"]),
    ("VIRTUAL_NETWORK_RESOURCE_GROUP", &["subnet_id"]),
    ("ROUTE_TABLE", &["route_table_name"]),
    ("NETWORK_PLUGIN", &["network_plugin"]),
    ("NETWORK_POLICY", &["network_policy"]),
    ("VNET_CNI_PLUGINS_URL", &["arch"]),
    ("CNI_PLUGINS_URL", &["arch"]),
    ("USER_ASSIGNED_IDENTITY_ID", &["kubelet_identity_client_id"]),
    ("API_SERVER_NAME", &["api_server_name"]),
    ("GPU_NODE", &["gpu_node", "gpu_driver_installation_enabled"]),
    ("CONFIG_GPU_DRIVER_IF_NEEDED", &["gpu_node", "gpu_driver_installation_enabled"]),
    ("GPU_IMAGE_SHA", &["gpu_image_sha", "gpu_node", "gpu_driver_installation_enabled"]),
    ("GPU_DRIVER_VERSION", &["gpu_driver_version", "gpu_node", "gpu_driver_installation_enabled"]),
    ("GPU_DRIVER_TYPE", &["gpu_driver_type", "gpu_node", "gpu_driver_installation_enabled"]),
    ("TLS_BOOTSTRAP_TOKEN", &["kubelet_client_tls_bootstrap_token"]),
    ("KUBELET_FLAGS", &["kubelet_config", "taints", "kubernetes_version"]),
    ("KUBELET_NODE_LABELS", &["labels"]),
    ("KUBE_CA_CRT", &["ca_bundle"]),
    ("CONTAINERD_CONFIG_CONTENT", &["gpu_node", "gpu_driver_installation_enabled"]),
];

/// The sources of each member of the inputs. Of alternatives, the first that is set counts.
const SOURCES: &[(&str, &[&[Part]])] = &[
    ("arch", &[&[Size("CpuArchitectureType")]]),
    ("tenant_id", &[&[Setting("AZURE_TENANT_ID"), Setting("ARM_TENANT_ID")]]),
    ("subscription_id", &[&[Setting("AZURE_SUBSCRIPTION_ID"), Setting("ARM_SUBSCRIPTION_ID")]]),
    ("kubelet_identity_client_id", &[&[Setting("KUBELET_IDENTITY_CLIENT_ID")]]),
    ("location", &[&[Setting("LOCATION")]]),
    ("resource_group", &[&[Setting("AZURE_NODE_RESOURCE_GROUP")]]),
    ("network_security_group_name", &[&[Cluster("network_security_group_name")]]),
    ("route_table_name", &[&[Cluster("network_security_group_name")]]),
    ("api_server_name", &[&[Setting("CLUSTER_ENDPOINT")]]),
    ("kubelet_client_tls_bootstrap_token", &[&[Setting("KUBELET_BOOTSTRAP_TOKEN")]]),
    (
        "network_plugin",
        &[&[Setting("NETWORK_PLUGIN")], &[Setting("NETWORK_PLUGIN_MODE")], &[Setting("NETWORK_DATAPLANE")]],
    ),
    ("network_policy", &[&[Setting("NETWORK_POLICY")]]),
    ("kubernetes_version", &[&[Class("status.kubernetesVersion"), Cluster("kubernetes_version")]]),
    (
        "kubelet_config",
        &[
            &[Class("spec.kubelet"), Constant("no settings of the kubelet")],
            &[Class("spec.maxPods"), Setting("NETWORK_PLUGIN")],
            &[Setting("DNS_SERVICE_IP"), Cluster("dns_service_ip"), Constant("the default address of the DNS service")],
            &[Size("vCPUs")],
            &[Size("MemoryGB")],
            &[Constant("the flags and the eviction that Karpenter always sets")],
        ],
    ),
    (
        "taints",
        &[
            &[Claim("spec.taints"), Constant("no taints")],
            &[Claim("spec.startupTaints"), Constant("no startup taints")],
            &[Constant("the taint `karpenter.sh/unregistered`")],
        ],
    ),
    (
        "labels",
        &[
            &[Claim("metadata.labels"), Constant("no labels of the NodeClaim")],
            &[Claim("spec.requirements"), Constant("no requirements")],
            &[Class("spec.imageFamily"), Constant("the image family `Ubuntu`")],
            &[Setting("AZURE_NODE_RESOURCE_GROUP")],
            &[Setting("KUBELET_IDENTITY_CLIENT_ID")],
            &[Setting("NETWORK_PLUGIN")],
            &[Setting("NETWORK_PLUGIN_MODE")],
            &[Setting("NETWORK_DATAPLANE")],
            &[Setting("LOCATION")],
            &[Setting("VNET_GUID"), Cluster("vnet_guid")],
            &[Class("spec.vnetSubnetID"), Setting("VNET_SUBNET_ID")],
            &[Size("name")],
            &[Size("capabilities")],
            &[Constant("the labels that Karpenter always sets")],
        ],
    ),
    ("ca_bundle", &[&[Cluster("ca_bundle")]]),
    ("gpu_node", &[&[Size("name")]]),
    ("gpu_driver_installation_enabled", &[&[Class("spec.gpu.mode"), Constant("the mode `Driver` of GPUs")]]),
    ("gpu_driver_version", &[&[Size("name")]]),
    ("gpu_driver_type", &[&[Size("name")]]),
    ("gpu_image_sha", &[&[Size("name")]]),
    ("subnet_id", &[&[Class("spec.vnetSubnetID"), Setting("VNET_SUBNET_ID")]]),
];

/// Returns the members of the inputs that a variable follows from; empty if it is a constant.
pub(crate) fn members_of(variable: &str) -> &'static [&'static str] {
    VARIABLES.iter().find(|(name, _)| *name == variable).map_or(&[], |(_, members)| members)
}

impl Origins {
    /// Keeps the files, in which fields are looked up.
    pub(crate) fn with_files(self, files: Vec<FileReport>) -> Self {
        Self { files, ..self }
    }

    /// Returns the sources of a variable; empty if it is a constant.
    pub(crate) fn of_variable(&self, variable: &str) -> Vec<Origin> {
        let mut found: Vec<Origin> = Vec::new();
        let members = members_of(variable).iter();
        let rows = members.filter_map(|member| SOURCES.iter().find(|(name, _)| name == member));
        for alternatives in rows.flat_map(|(_, sources)| *sources) {
            let set = alternatives.iter().find_map(|part| self.of_part(*part));
            let Some(origin) = set.or_else(|| alternatives.last().map(|part| absent(*part))) else { continue };
            if found.iter().all(|known| known.source != origin.source) {
                found.push(origin);
            }
        }
        found
    }

    /// Returns a part that is set.
    fn of_part(&self, part: Part) -> Option<Origin> {
        let field = |origin: &Option<super::choice::Origin>, path: &str| {
            let origin = origin.as_ref()?;
            let position = origin.place.find(&self.files, path)?;
            let place = format!("{}:{position}", self.files.get(origin.place.file)?.name);
            Some(Origin { source: format!("{}: {path}", origin.title), place: Some(place) })
        };
        match part {
            Claim(path) => field(&self.claim, path).or_else(|| field(&self.claim, &format!("spec.template.{path}"))),
            Class(path) => field(&self.class, path),
            Setting(name) => {
                let given = self.settings.get(name)?;
                let source = format!("setting {name} of {}", given.source);
                Some(Origin { source, place: Some(given.at.shown(&self.files)) })
            }
            Cluster(name) => {
                let place = self.cluster.get(name)?.shown(&self.files);
                Some(Origin { source: format!("cluster: {name}"), place: Some(place) })
            }
            Size(name) => {
                let origin = self.size.as_ref()?;
                let source = format!("{}: {name}", origin.title);
                Some(Origin { source, place: Some(origin.place.shown(&self.files)) })
            }
            Constant(what) => Some(Origin { source: format!("constant: {what}"), place: None }),
        }
    }
}

/// Describes a part that is not set.
fn absent(part: Part) -> Origin {
    let source = match part {
        Claim(path) => format!("NodeClaim: {path}, not set"),
        Class(path) => format!("AKSNodeClass: {path}, not set"),
        Setting(name) => {
            match SETTINGS.iter().find(|setting| setting.name == name).map_or("", |setting| setting.default) {
                "" => format!("setting {name}, not set"),
                default => format!("setting {name}, not set: its default is `{default}`"),
            }
        }
        Cluster(name) => format!("cluster: {name}, not set"),
        Size(name) => format!("VM size: {name}, not set"),
        Constant(what) => format!("constant: {what}"),
    };
    Origin { source, place: None }
}

impl Place {
    /// Returns the position of a field, given as names with dots between; `None` if it is not set.
    fn find(&self, files: &[FileReport], dotted: &str) -> Option<Position> {
        let source = Source::of_any_size(self.text(files)).ok()?;
        let tree = source.tree().ok()?;
        let value = self.ordinals().try_fold(&*tree, |tree, ordinal| match tree {
            Tree::Map(members) => members.get(ordinal).map(|(_, value)| value),
            Tree::List(list) => list.get(ordinal),
            _ => None,
        })?;
        let names: Vec<&str> = dotted.split('.').collect();
        let (_, place) = at(value, self, &names)?;
        place.position(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::karpenter::BootstrapInputs;
    use crate::inputs::{ImageContents, NodeInput};

    #[test]
    fn each_variable_and_each_member_is_one_of_the_script_and_of_the_inputs() {
        let mut inputs = BootstrapInputs { kubernetes_version: "1.33.2".to_owned(), ..BootstrapInputs::default() };
        inputs.ca_bundle = Some(String::new());
        let image = ImageContents::default();
        let environment = inputs.assignments(&image).expect("version and CA are given");
        for (variable, members) in VARIABLES {
            assert!(environment.iter().any(|assignment| assignment.name == *variable), "{variable}");
            for member in *members {
                assert!(BootstrapInputs::has_member(member), "{member}");
                assert!(SOURCES.iter().any(|(name, _)| name == member), "{member}");
            }
        }
    }

    #[test]
    fn a_variable_without_a_row_is_the_same_for_all_inputs() {
        let inputs = |text: &str| {
            let version = if text.is_empty() { "1.29.1" } else { "1.33.2" };
            let document = format!(
                "{{\"arch\": \"a{text}\", \"tenant_id\": \"b{text}\", \"subscription_id\": \"c{text}\", \"location\": \"d{text}\", \
                 \"kubelet_identity_client_id\": \"e{text}\", \"resource_group\": \"f{text}\", \"network_plugin\": \"g{text}\", \
                 \"network_security_group_name\": \"h{text}\", \"route_table_name\": \"i{text}\", \"api_server_name\": \"j{text}\", \
                 \"kubelet_client_tls_bootstrap_token\": \"k{text}\", \"network_policy\": \"l{text}\", \"ca_bundle\": \"m{text}\", \
                 \"kubernetes_version\": \"{version}\", \"labels\": {{\"n\": \"o{text}\"}}, \"gpu_node\": {is_gpu}, \
                 \"gpu_driver_installation_enabled\": true, \"gpu_driver_version\": \"p\", \"gpu_driver_type\": \"q\", \
                 \"gpu_image_sha\": \"r\", \"taints\": [{{\"key\": \"s{text}\"}}], \"subnet_id\": \"/subscriptions/s/resourceGroups/g{text}\
                 /providers/Microsoft.Network/virtualNetworks/n{text}/subnets/t{text}\"}}",
                is_gpu = text.is_empty()
            );
            BootstrapInputs::from_document(document.as_bytes()).unwrap_or_else(|report| panic!("{report}")).0
        };
        let (one, other) = (inputs(""), inputs("x"));
        let image = ImageContents::default();
        let (one, other) = (one.assignments(&image).expect("valid"), other.assignments(&image).expect("valid"));
        for (one, other) in one.iter().zip(other.iter()) {
            let differs = one.value.expose() != other.value.expose();
            assert_eq!(differs, !members_of(&one.name).is_empty(), "{}", one.name);
        }
    }
}
