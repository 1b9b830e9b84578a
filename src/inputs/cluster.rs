//! Documents about a cluster, as `az` and `kubectl` print them. To add one: a variant, its members, and its name with the command.

use super::outputs::RESOURCE_PROVIDER;

/// Members beside `nodeResourceGroup` of which a query for a managed cluster selects some.
const OF_CLUSTER: [&str; 8] = [
    "currentKubernetesVersion",
    "dnsPrefix",
    "fqdn",
    "identityProfile",
    "kubernetesVersion",
    "location",
    "networkProfile",
    "privateFqdn",
];

/// A document about a cluster or its nodes, as `az` and `kubectl` print it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClusterDocument {
    /// `az aks show`.
    ManagedCluster,
    /// `az aks nodepool show`, or an element of `az aks nodepool list`.
    NodePool,
    /// `az vmss show`.
    ScaleSet,
    /// `az vm show`.
    VirtualMachine,
    /// `az network vnet subnet show`.
    Subnet,
    /// An element of `az vm list-skus`.
    VmSize,
    /// `az account show`.
    Account,
    /// `kubectl config view --raw`.
    Kubeconfig,
    /// A `ConfigMap`.
    ConfigMap,
    /// A Secret.
    Secret,
    /// A `ClusterConfiguration` of kubeadm, as the `ConfigMap` `kubeadm-config` has it.
    Kubeadm,
}

impl ClusterDocument {
    /// Recognizes an object by the names of its members and the texts of some of them.
    pub(crate) fn recognize<'t>(has: impl Fn(&str) -> bool, text: impl Fn(&str) -> Option<&'t str>) -> Option<Self> {
        if has("apiVersion") {
            return match text("kind")? {
                "Config" => Some(Self::Kubeconfig),
                "ConfigMap" => Some(Self::ConfigMap),
                "Secret" => Some(Self::Secret),
                "ClusterConfiguration" => Some(Self::Kubeadm),
                _ => None,
            };
        }
        match text("type").map(str::to_ascii_lowercase).as_deref() {
            Some("microsoft.containerservice/managedclusters") => return Some(Self::ManagedCluster),
            Some("microsoft.containerservice/managedclusters/agentpools") => return Some(Self::NodePool),
            Some("microsoft.compute/virtualmachinescalesets") => return Some(Self::ScaleSet),
            Some("microsoft.compute/virtualmachines") => return Some(Self::VirtualMachine),
            Some("microsoft.network/virtualnetworks/subnets") => return Some(Self::Subnet),
            // The upgrades of a cluster have members of a cluster, too.
            Some(other) if other.starts_with(RESOURCE_PROVIDER) => return None,
            _ => {}
        }
        let has_all = |names: &[&str]| names.iter().all(|name| has(name));
        let is_selection = text("nodeResourceGroup").is_some() && OF_CLUSTER.iter().any(|name| has(name));
        if has("agentPoolProfiles") || is_selection {
            Some(Self::ManagedCluster)
        } else if has("vmSize")
            && (has("orchestratorVersion") || has("nodeImageVersion") || has_all(&["osType", "mode"]))
        {
            Some(Self::NodePool)
        } else if has_all(&["virtualMachineProfile", "sku"]) {
            Some(Self::ScaleSet)
        } else if (has("addressPrefix") || has("addressPrefixes")) && has("privateEndpointNetworkPolicies") {
            Some(Self::Subnet)
        } else if has_all(&["capabilities", "resourceType"]) {
            Some(Self::VmSize)
        } else if has_all(&["tenantId", "isDefault"]) && (has("environmentName") || has("cloudName")) {
            Some(Self::Account)
        } else {
            None
        }
    }

    /// Returns the name for messages, with its article, and the command that prints such documents.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::ManagedCluster => ("a managed cluster as `az aks show` prints it", "az aks show"),
            Self::NodePool => ("a node pool as `az aks nodepool show` prints it", "az aks nodepool show"),
            Self::ScaleSet => ("a scale set as `az vmss show` prints it", "az vmss show"),
            Self::VirtualMachine => ("a VM as `az vm show` prints it", "az vm show"),
            Self::Subnet => ("a subnet as `az network vnet subnet show` prints it", "az network vnet subnet show"),
            Self::VmSize => ("a VM size as `az vm list-skus` prints it", "az vm list-skus"),
            Self::Account => ("a subscription as `az account show` prints it", "az account show"),
            Self::Kubeconfig => ("a kubeconfig", "kubectl config view --raw"),
            Self::ConfigMap => ("a ConfigMap", "kubectl get configmap"),
            Self::Secret => ("a Secret", "kubectl get secret"),
            Self::Kubeadm => ("a ClusterConfiguration of kubeadm", "kubectl get configmap kubeadm-config"),
        }
    }

    /// Returns the name for messages, with its article.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.names().0
    }

    /// Returns the command that prints such documents.
    #[must_use]
    pub const fn command(self) -> &'static str {
        self.names().1
    }
}
