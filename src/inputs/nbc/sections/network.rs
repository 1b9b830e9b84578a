//! The network: plugin, policy, DNS, secondary interfaces, the proxy, and access to the instance metadata service.

use std::fmt::Write;

use crate::configuration::{NetworkPlugin, NetworkPolicy};
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::fields::request as field;
use crate::inputs::nbc::origins::Origin;

pub(super) fn convert(conversion: &mut Conversion<'_, '_>) {
    conversion.copy_name(
        field::NETWORK_PLUGIN,
        &[
            ("azure", NetworkPlugin::Azure as i32),
            ("kubenet", NetworkPlugin::Kubenet as i32),
            ("none", NetworkPlugin::None as i32),
        ],
        target!(network_config.network_plugin),
        "the contract has no such network plugin",
    );
    conversion.copy_name(
        field::NETWORK_POLICY,
        &[
            ("azure", NetworkPolicy::Azure as i32),
            ("calico", NetworkPolicy::Calico as i32),
            ("none", NetworkPolicy::None as i32),
        ],
        target!(network_config.network_policy),
        "the contract has no such network policy",
    );
    let document = conversion.document;
    if !document.text(field::NETWORK_MODE).is_empty() {
        conversion.report_loss(field::NETWORK_MODE, "the contract has no network mode");
    }
    for (variable, field) in [
        ("NETWORK_PLUGIN", field::NETWORK_PLUGIN),
        ("NETWORK_POLICY", field::NETWORK_POLICY),
        ("NETWORK_MODE", field::NETWORK_MODE),
    ] {
        conversion.set_variable(variable, document.text(field));
    }
    cni_plugins(conversion);
    conversion.copy(field::STANDARD_SECONDARY_NIC_COUNT, target!(network_config.standard_secondary_nic_count));
    conversion.copy(field::DNS_SERVICE_IP, target!(cluster_config.cluster_network_config.core_dns_service_ip));
    conversion.copy(field::ENABLE_IPV6_DUAL_STACK, target!(ipv6_dual_stack_enabled));
    conversion.copy(field::ENABLE_HOSTS_CONFIG_AGENT, target!(enable_hosts_config_agent));
    conversion.copy(field::ENABLE_IMDS_RESTRICTION, target!(imds_restriction_config.enable_imds_restriction));
    conversion.copy(
        field::INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE,
        target!(imds_restriction_config.insert_imds_restriction_rule_to_mangle_table),
    );
    proxy(conversion);
}

/// The cluster's URL goes before that of the cloud.
fn cni_plugins(conversion: &mut Conversion<'_, '_>) {
    let document = conversion.document;
    let (of_cluster, of_cloud) = if document.switch(field::IS_ARM64) {
        (field::AZURE_CNI_ARM64_URL, field::VNET_CNI_ARM64_URL)
    } else {
        (field::AZURE_CNI_URL, field::VNET_CNI_URL)
    };
    let source = if document.text(of_cluster).is_empty() { of_cloud } else { of_cluster };
    let url = document.text(source);
    conversion.set(target!(network_config.vnet_cni_plugins_url), url, Origin::Field(source.number()));
    conversion.copy(field::CNI_PLUGINS_URL, target!(network_config.cni_plugins_url));
}

const EMPTY_PROXY: &str =
    "an empty text counts as a value on the scripted route, and as absent on the scriptless route";

/// For the scripted route a text counts as soon as it is present, even if it is empty.
fn proxy(conversion: &mut Conversion<'_, '_>) {
    conversion.copy(field::HTTP_PROXY, target!(http_proxy_config.http_proxy));
    conversion.copy(field::HTTPS_PROXY, target!(http_proxy_config.https_proxy));
    conversion.copy(field::NO_PROXY, target!(http_proxy_config.no_proxy_entries));
    conversion.copy(field::PROXY_TRUSTED_CA, target!(http_proxy_config.proxy_trusted_ca));
    let document = conversion.document;
    let (http, https) = (document.get(field::HTTP_PROXY), document.get(field::HTTPS_PROXY));
    conversion.set_variable("SHOULD_CONFIGURE_HTTP_PROXY", (http.is_some() || https.is_some()).to_string());
    conversion.set_variable("SHOULD_CONFIGURE_HTTP_PROXY_CA", document.has(field::PROXY_TRUSTED_CA).to_string());
    // The reference quotes the addresses once more, and the shell on the node drops these quotes.
    let mut exports = String::new();
    if let Some(hosts) = document.get(field::NO_PROXY) {
        let _ = write!(exports, "export NO_PROXY={}; ", hosts.join(","));
    }
    if let Some(https) = https {
        let _ = write!(exports, "export HTTPS_PROXY={https}; ");
    }
    if let Some(http) = http {
        let _ = write!(exports, "export http_proxy={http};");
    }
    conversion.set_variable("PROXY_VARS", exports);
    if http == Some("") {
        conversion.report_loss(field::HTTP_PROXY, EMPTY_PROXY);
    }
    if https == Some("") {
        conversion.report_loss(field::HTTPS_PROXY, EMPTY_PROXY);
    }
    if document.get(field::PROXY_TRUSTED_CA) == Some("") {
        conversion.report_loss(field::PROXY_TRUSTED_CA, EMPTY_PROXY);
    }
}
