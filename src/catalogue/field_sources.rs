//! The fields whose values only the cluster or the subscription knows, and the command that prints each.
//!
//! `new` writes a placeholder for a value that it was not given, and `validate` reports it. To add a field: a row in [`SOURCES`].

/// Where the value of a field comes from.
#[derive(Debug)]
#[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only `new` looks for a field"))]
pub(crate) struct FieldSource {
    /// The path in the Configuration.
    pub field: &'static str,
    /// The name between the angle brackets.
    pub placeholder: &'static str,
    /// The command that prints the value. `GROUP`, `CLUSTER` and `POOL` stand for the resource group and the names of the cluster
    /// and of the node pool, `NODE_GROUP` for the resource group of the nodes.
    pub command: &'static str,
}

impl FieldSource {
    const fn printed_by(self, command: &'static str) -> Self {
        Self { command, ..self }
    }

    /// Returns the hint on a placeholder.
    pub fn hint(&self) -> String {
        format!("write the value that this command prints: {}", self.command)
    }
}

const fn row(field: &'static str, placeholder: &'static str) -> FieldSource {
    FieldSource { field, placeholder, command: "" }
}

/// Every row, in the order in which `new` writes the fields.
pub(crate) static SOURCES: &[FieldSource] = &[
    row("kubernetes_version", "KUBERNETES_VERSION").printed_by("az aks show -g GROUP -n CLUSTER --query currentKubernetesVersion -o tsv"),
    row("vm_size", "VM_SIZE").printed_by("az aks nodepool show -g GROUP --cluster-name CLUSTER -n POOL --query vmSize -o tsv"),
    row("linux_admin_username", "ADMIN_USERNAME").printed_by("az aks show -g GROUP -n CLUSTER --query linuxProfile.adminUsername -o tsv"),
    row("auth_config.tenant_id", "TENANT_ID").printed_by("az account show --query tenantId -o tsv"),
    row("auth_config.subscription_id", "SUBSCRIPTION_ID").printed_by("az account show --query id -o tsv"),
    row("auth_config.service_principal_id", "SERVICE_PRINCIPAL_ID").printed_by("az aks show -g GROUP -n CLUSTER --query servicePrincipalProfile.clientId -o tsv"),
    row("auth_config.service_principal_secret", "SERVICE_PRINCIPAL_SECRET").printed_by("az ad sp credential reset --append --id SERVICE_PRINCIPAL_ID --query password -o tsv | tr -d '\\n' | base64 -w 0"),
    row("auth_config.assigned_identity_id", "KUBELET_IDENTITY_CLIENT_ID").printed_by("az aks show -g GROUP -n CLUSTER --query identityProfile.kubeletidentity.clientId -o tsv"),
    row("cluster_config.resource_group", "NODE_RESOURCE_GROUP").printed_by("az aks show -g GROUP -n CLUSTER --query nodeResourceGroup -o tsv"),
    row("cluster_config.location", "LOCATION").printed_by("az aks show -g GROUP -n CLUSTER --query location -o tsv"),
    row("cluster_config.primary_scale_set", "SCALE_SET").printed_by("az vmss list -g NODE_GROUP --query \"[?tags.\\\"aks-managed-poolName\\\"=='POOL'].name\" -o tsv"),
    row("cluster_config.cluster_network_config.vnet_name", "VNET_NAME").printed_by("az network vnet list -g NODE_GROUP --query \"[0].name\" -o tsv"),
    row("cluster_config.cluster_network_config.vnet_resource_group", "VNET_RESOURCE_GROUP").printed_by("az network vnet list -g NODE_GROUP --query \"[0].resourceGroup\" -o tsv"),
    row("cluster_config.cluster_network_config.subnet", "SUBNET").printed_by("az network vnet list -g NODE_GROUP --query \"[0].subnets[0].name\" -o tsv"),
    row("cluster_config.cluster_network_config.security_group_name", "NETWORK_SECURITY_GROUP").printed_by("az network nsg list -g NODE_GROUP --query \"[0].name\" -o tsv"),
    row("cluster_config.cluster_network_config.route_table", "ROUTE_TABLE").printed_by("az network route-table list -g NODE_GROUP --query \"[0].name\" -o tsv"),
    row("api_server_config.api_server_name", "API_SERVER").printed_by("az aks show -g GROUP -n CLUSTER --query fqdn -o tsv"),
    row("kubernetes_ca_cert", "CLUSTER_CA").printed_by("kubectl config view --raw --minify --flatten -o jsonpath='{.clusters[0].cluster.certificate-authority-data}'"),
    row("bootstrapping_config.tls_bootstrapping_token", "BOOTSTRAP_TOKEN").printed_by("kubectl -n kube-system get secrets --field-selector type=bootstrap.kubernetes.io/token -o yaml"),
    row("network_config.network_plugin", "NETWORK_PLUGIN").printed_by("az aks show -g GROUP -n CLUSTER --query networkProfile.networkPlugin -o tsv"),
];

/// The commands for values that were read from another member than that of the row: the field, the member and the command.
#[cfg(feature = "cli")]
const OF_MEMBERS: &[(&str, &str, &str)] = &[
    ("kubernetes_version", "kubernetesVersion", "az aks show -g GROUP -n CLUSTER --query kubernetesVersion -o tsv"),
    (
        "kubernetes_version",
        "currentOrchestratorVersion",
        "az aks nodepool show -g GROUP --cluster-name CLUSTER -n POOL --query currentOrchestratorVersion -o tsv",
    ),
    (
        "kubernetes_version",
        "orchestratorVersion",
        "az aks nodepool show -g GROUP --cluster-name CLUSTER -n POOL --query orchestratorVersion -o tsv",
    ),
    ("api_server_config.api_server_name", "privateFqdn", "az aks show -g GROUP -n CLUSTER --query privateFqdn -o tsv"),
    ("cluster_config.cluster_network_config.vnet_name", "vnetSubnetId", SUBNET_OF_POOL),
    ("cluster_config.cluster_network_config.vnet_resource_group", "vnetSubnetId", SUBNET_OF_POOL),
    ("cluster_config.cluster_network_config.subnet", "vnetSubnetId", SUBNET_OF_POOL),
];

/// Prints the id of a subnet, which has the names of its network and of the resource group.
#[cfg(feature = "cli")]
const SUBNET_OF_POOL: &str = "az aks nodepool show -g GROUP --cluster-name CLUSTER -n POOL --query vnetSubnetId -o tsv";

/// Returns the command that prints the value of a field which was read from a member of the output of `az`.
#[cfg(feature = "cli")]
pub(crate) fn of_member(field: &str, member: &str) -> Option<&'static str> {
    let row = OF_MEMBERS.iter().find(|(known, of, _)| (*known, *of) == (field, member));
    row.map(|(.., command)| *command)
}

/// Returns the command for a field of the network, if the network is the user's own: it is not in the resource group of the nodes.
/// `has_routes`: whether its subnet has a route table.
#[cfg(feature = "cli")]
pub(crate) fn of_own_network(field: &str, has_routes: bool) -> Option<&'static str> {
    match field.strip_prefix("cluster_config.cluster_network_config.")? {
        "vnet_name" | "vnet_resource_group" | "subnet" => {
            Some("az network vnet subnet show -g VNET_GROUP --vnet-name VNET -n SUBNET --query id -o tsv")
        }
        "route_table" if has_routes => Some(
            "az network vnet subnet show -g VNET_GROUP --vnet-name VNET -n SUBNET --query routeTable.id -o tsv | xargs basename",
        ),
        _ => None,
    }
}

#[cfg(feature = "cli")]
/// Returns the row of a field.
pub(crate) fn of_field(field: &str) -> Option<&'static FieldSource> {
    SOURCES.iter().find(|source| source.field == field)
}

/// Returns the row of the placeholder that a text contains.
pub(crate) fn placeholder_in(text: &str) -> Option<&'static FieldSource> {
    // All texts of a document are looked at, and few have one.
    let rest = &text[memchr::memchr(b'<', text.as_bytes())? + 1..];
    let (name, after) = rest.split_once('>')?;
    SOURCES.iter().find(|source| source.placeholder == name).or_else(|| placeholder_in(after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::{Configuration, Kind};

    #[test]
    fn every_row_names_a_field_of_the_contract_and_its_own_placeholder() {
        for (at, source) in SOURCES.iter().enumerate() {
            let mut descriptor = Configuration::descriptor();
            for name in source.field.split('.') {
                let index = descriptor.index_of(name).unwrap_or_else(|| panic!("{} is no field", source.field));
                if let Kind::Message(inner) = descriptor.fields[index].kind {
                    descriptor = inner;
                }
            }
            assert!(SOURCES[..at].iter().all(|other| other.placeholder != source.placeholder), "{}", source.field);
        }
    }

    #[test]
    fn a_placeholder_is_found_anywhere_in_a_text() {
        let found = |text| placeholder_in(text).map(|source| source.placeholder);
        assert_eq!(found("<VM_SIZE>"), Some("VM_SIZE"));
        assert_eq!(found("a <x> <VM_SIZE> b"), Some("VM_SIZE"));
        assert_eq!(found("memory.available<100Mi,nodefs.available<10%"), None);
        assert_eq!(found("<OTHER>"), None);
    }
}
