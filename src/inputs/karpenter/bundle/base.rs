//! What a Configuration says about settings of the controller and facts of the cluster.

use super::settings::{At, Given, setting};
use crate::Secret;
use crate::configuration::{Configuration, NetworkPlugin};
use crate::inputs::karpenter::objects::Cluster;

/// Returns the settings that the Configuration implies. Those of the files replace them.
pub(super) fn settings(base: &Configuration) -> Vec<Given> {
    let cluster = base.cluster_config.clone().unwrap_or_default();
    let network = cluster.cluster_network_config.clone().unwrap_or_default();
    let identity = base.auth_config.clone().unwrap_or_default();
    let server = base.api_server_config.clone().unwrap_or_default().api_server_name;
    let token = base.bootstrapping_config.as_ref().and_then(|config| config.tls_bootstrapping_token.clone());
    let endpoint = if server.is_empty() { String::new() } else { format!("https://{server}:443") };
    let subnet = format!(
        "/subscriptions/{}/resourceGroups/{}/providers/Microsoft.Network/virtualNetworks/{}/subnets/{}",
        identity.subscription_id, network.vnet_resource_group, network.vnet_name, network.subnet
    );
    let plugin = match base.network_config.as_ref().map(crate::configuration::NetworkConfig::network_plugin) {
        Some(NetworkPlugin::Azure) => "azure",
        _ => "none",
    };
    let found = [
        ("CLUSTER_ENDPOINT", endpoint),
        ("AZURE_NODE_RESOURCE_GROUP", cluster.resource_group),
        ("LOCATION", cluster.location),
        ("AZURE_TENANT_ID", identity.tenant_id),
        ("AZURE_SUBSCRIPTION_ID", identity.subscription_id),
        ("KUBELET_IDENTITY_CLIENT_ID", identity.assigned_identity_id),
        ("KUBELET_BOOTSTRAP_TOKEN", token.unwrap_or_default()),
        ("VNET_SUBNET_ID", if network.subnet.is_empty() { String::new() } else { subnet }),
        ("DNS_SERVICE_IP", network.core_dns_service_ip),
    ];
    let has_network = [("NETWORK_PLUGIN", plugin.to_owned()), ("NETWORK_PLUGIN_MODE", String::new())];
    let found = found.into_iter().filter(|(_, value)| !value.is_empty()).chain(has_network);
    let given = found.filter_map(|(name, value)| {
        let (setting, value) = (setting(name)?, Secret::from(value));
        Some(Given {
            setting,
            value,
            source: "the Configuration".to_owned(),
            at: At::Base,
            option: None,
            is_weak: true,
        })
    });
    given.collect()
}

/// Adds the facts that no file says.
pub(super) fn add_facts(base: &Configuration, cluster: &mut Cluster) {
    if cluster.kubernetes_version.is_empty() {
        cluster.kubernetes_version.clone_from(&base.kubernetes_version);
    }
    if cluster.ca_bundle.is_none() && !base.kubernetes_ca_cert.is_empty() {
        cluster.ca_bundle = Some(base.kubernetes_ca_cert.clone());
    }
}
