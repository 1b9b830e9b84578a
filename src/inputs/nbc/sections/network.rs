//! The network: plugin, policy, DNS, secondary interfaces, the proxy, and access to the instance metadata service.

use std::fmt::Write;

use crate::Secret;
use crate::configuration::{NetworkPlugin, NetworkPolicy};
use crate::inputs::member::member;
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::request::{kubernetes, pool, properties};

pub(super) fn convert(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let (plugin, policy) = (kubernetes!(request.networkPlugin), kubernetes!(request.networkPolicy));
    let plugins = [
        ("azure", NetworkPlugin::Azure as i32),
        ("kubenet", NetworkPlugin::Kubenet as i32),
        ("none", NetworkPlugin::None as i32),
    ];
    let policies = [
        ("azure", NetworkPolicy::Azure as i32),
        ("calico", NetworkPolicy::Calico as i32),
        ("none", NetworkPolicy::None as i32),
    ];
    let target = target!(network_config.network_plugin);
    conversion.copy_name(plugin, &plugins, target, "the contract has no such network plugin");
    let target = target!(network_config.network_policy);
    conversion.copy_name(policy, &policies, target, "the contract has no such network policy");
    let mode = kubernetes!(request.networkMode);
    if !mode.text().is_empty() {
        conversion.report_loss(mode, "the contract has no network mode");
    }
    for (variable, member) in [("NETWORK_PLUGIN", plugin), ("NETWORK_POLICY", policy), ("NETWORK_MODE", mode)] {
        conversion.set_variable(variable, member.text());
    }
    cni_plugins(conversion);
    conversion.copy(member!(request.StandardSecondaryNICCount), target!(network_config.standard_secondary_nic_count));
    let dns = pool!(request.kubernetesConfig.dnsServiceIP);
    conversion.copy_text(dns, target!(cluster_config.cluster_network_config.core_dns_service_ip));
    conversion.copy(properties!(request.featureFlags.enableIPv6DualStack), target!(ipv6_dual_stack_enabled));
    conversion.copy(kubernetes!(request.privateCluster.enableHostsConfigAgent), target!(enable_hosts_config_agent));
    conversion.copy(member!(request.EnableIMDSRestriction), target!(imds_restriction_config.enable_imds_restriction));
    conversion.copy(
        member!(request.InsertIMDSRestrictionRuleToMangleTable),
        target!(imds_restriction_config.insert_imds_restriction_rule_to_mangle_table),
    );
    proxy(conversion);
}

/// The cluster's URL takes precedence over the cloud's.
fn cni_plugins(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let (of_cluster, of_cloud) = if member!(request.IsARM64).is_on() {
        (
            kubernetes!(request.azureCNIURLARM64Linux),
            member!(request.CloudSpecConfig.kubernetesSpecConfig.vnetCNIARM64LinuxPluginsDownloadURL),
        )
    } else {
        (
            kubernetes!(request.azureCNIURLLinux),
            member!(request.CloudSpecConfig.kubernetesSpecConfig.vnetCNILinuxPluginsDownloadURL),
        )
    };
    let source = if of_cluster.text().is_empty() { of_cloud } else { of_cluster };
    conversion.set(target!(network_config.vnet_cni_plugins_url), source.text(), Origin::Field(source.path));
    let plugins = member!(request.CloudSpecConfig.kubernetesSpecConfig.cniPluginsDownloadURL);
    conversion.copy_text(plugins, target!(network_config.cni_plugins_url));
}

const EMPTY_PROXY: &str = "an empty text is a value on the scripted route, but absent on the scriptless route";

/// For the scripted route a text counts if it is present, even if it is empty.
fn proxy(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let (http, https) = (member!(request.HTTPProxyConfig.httpProxy), member!(request.HTTPProxyConfig.httpsProxy));
    let (exceptions, ca) = (member!(request.HTTPProxyConfig.noProxy), member!(request.HTTPProxyConfig.trustedCa));
    conversion.copy_text(http, target!(http_proxy_config.http_proxy));
    conversion.copy_text(https, target!(http_proxy_config.https_proxy));
    conversion.copy(exceptions, target!(http_proxy_config.no_proxy_entries));
    conversion.copy_text(ca, target!(http_proxy_config.proxy_trusted_ca));
    let has_proxy = http.value.is_some() || https.value.is_some();
    conversion.set_variable("SHOULD_CONFIGURE_HTTP_PROXY", has_proxy.to_string());
    conversion.set_variable("SHOULD_CONFIGURE_HTTP_PROXY_CA", ca.value.is_some().to_string());
    // The reference quotes the addresses once more, and the shell on the node drops these quotes. Texts that need quotes are left
    // to the Configuration, which has them.
    let is_plain =
        |text: &str| !text.contains(|c: char| c.is_whitespace() || c.is_control() || "\"'\\`;&|<>()".contains(c));
    let mut exports = String::new();
    if let Some(hosts) = exceptions.value {
        let _ = write!(exports, "export NO_PROXY={}; ", hosts.join(","));
    }
    if let Some(https) = https.value {
        let _ = write!(exports, "export HTTPS_PROXY={}; ", https.expose());
    }
    if let Some(http) = http.value {
        let _ = write!(exports, "export http_proxy={};", http.expose());
    }
    let addresses = [http, https].into_iter().filter_map(|proxy| proxy.value).map(Secret::expose);
    if addresses.chain(exceptions.value.into_iter().flatten().map(String::as_str)).all(is_plain) {
        conversion.set_variable("PROXY_VARS", exports);
    }
    for proxy in [http, https] {
        if proxy.value.is_some_and(Secret::is_empty) {
            conversion.report_loss(proxy, EMPTY_PROXY);
        }
    }
    if ca.value.is_some_and(String::is_empty) {
        conversion.report_loss(ca, EMPTY_PROXY);
    }
}
