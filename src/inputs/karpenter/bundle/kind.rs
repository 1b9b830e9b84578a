//! Recognizes the documents of a bundle.

use super::place::{member, text};
use crate::document::{ParsedTree, Tree};
use crate::inputs::karpenter::objects::{CLUSTER_FACTS, SETTINGS};

/// What a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Claim,
    Pool,
    Class,
    /// A list of other documents: the path to it, and the kind of elements that have none.
    List(&'static [&'static str], String),
    ConfigMap,
    Secret,
    /// An object that runs containers: the path to the pod's spec.
    Workload(&'static [&'static str]),
    /// The values of Karpenter's Helm chart.
    Values,
    /// A map of settings.
    Settings,
    Kubeconfig,
    /// What `kubectl version` prints: the path to the version of the server.
    Version(&'static [&'static str]),
    /// A map of facts about the cluster.
    Cluster,
    /// A Service.
    Service,
    /// A network security group.
    SecurityGroup,
    /// The cluster as `az aks show` prints it.
    ManagedCluster,
    /// A subscription as `az account show` prints it.
    Account,
    Size,
    /// Another resource of Azure, such as a disk in `az vm list-skus`.
    OtherSku,
    /// Another object of Kubernetes.
    Other(String),
    Unknown,
}

impl Kind {
    /// Recognizes a document. `default` is the kind of an element of a list that has no own one.
    pub fn of(tree: &ParsedTree<'_>, default: &str) -> Self {
        let members = match tree {
            Tree::List(_) => return Self::List(&[], String::new()),
            Tree::Map(members) => members,
            _ => return Self::Unknown,
        };
        let kind = text(tree, &["kind"]).unwrap_or(default);
        let has = |name: &str| member(tree, name).is_some();
        if kind.is_empty() && has("apiVersion") {
            return Self::Unknown;
        }
        if has("apiVersion") || (!default.is_empty() && !has("kind")) {
            return Self::of_object(kind, has("items"));
        }
        match text(tree, &["type"]).map(str::to_ascii_lowercase).as_deref() {
            Some("microsoft.network/networksecuritygroups") => return Self::SecurityGroup,
            Some("microsoft.containerservice/managedclusters") => return Self::ManagedCluster,
            _ => {}
        }
        if has("tenantId") && has("isDefault") && (has("environmentName") || has("cloudName")) {
            return Self::Account;
        }
        if has("capabilities") && has("name") {
            let is_vm = text(tree, &["resourceType"]).is_none_or(|kind| kind == "virtualMachines");
            return if is_vm { Self::Size } else { Self::OtherSku };
        }
        if has("resourceType") && has("name") {
            return Self::OtherSku;
        }
        // The REST API has the list in a member.
        if matches!(member(tree, "value"), Some((_, Tree::List(_)))) {
            return Self::List(&["value"], String::new());
        }
        if text(tree, &["serverVersion", "gitVersion"]).is_some() {
            return Self::Version(&["serverVersion", "gitVersion"]);
        }
        if has("gitVersion") && has("major") {
            return Self::Version(&["gitVersion"]);
        }
        if member(tree, "controller").is_some_and(|(_, inner)| member(inner, "env").is_some()) {
            return Self::Values;
        }
        let is_setting = |name: &str| SETTINGS.iter().any(|setting| setting.name == name);
        if members.iter().any(|(name, _)| is_setting(name)) {
            return Self::Settings;
        }
        if !members.is_empty() && members.iter().all(|(name, _)| CLUSTER_FACTS.contains(&&**name)) {
            return Self::Cluster;
        }
        Self::Unknown
    }

    fn of_object(kind: &str, has_items: bool) -> Self {
        match kind {
            "NodeClaim" => Self::Claim,
            "NodePool" => Self::Pool,
            "AKSNodeClass" => Self::Class,
            "ConfigMap" => Self::ConfigMap,
            "Secret" => Self::Secret,
            "Deployment" | "ReplicaSet" | "StatefulSet" | "DaemonSet" => Self::Workload(&["spec", "template", "spec"]),
            "Pod" => Self::Workload(&["spec"]),
            "Config" => Self::Kubeconfig,
            "Service" => Self::Service,
            "List" => Self::List(&["items"], String::new()),
            other => match other.strip_suffix("List") {
                Some(element) if has_items => Self::List(&["items"], element.to_owned()),
                _ => Self::Other(other.to_owned()),
            },
        }
    }
}
