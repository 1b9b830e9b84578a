//! The variables of Karpenter's script, in the order of the script: name, quoting and value.
//!
//! `KUBE_BINARY_URL` is assigned twice, as in the reference. To add a variable: see CONTRIBUTING.md.

use super::derived::{CNI, Derived, SYSCTL_CONTENT, VNET_CNI};
use crate::catalogue::clouds::PUBLIC_REGISTRY;
use crate::catalogue::paths;
use crate::environment::{Value, truth};
use crate::rendering::Quoting;

/// One assignment of the script.
pub(super) struct Row {
    pub name: &'static str,
    pub quoting: Quoting,
    pub value: for<'a> fn(&Derived<'a>) -> Value<'a>,
    /// The members of the inputs that the value comes from, where the scripts make demands on it.
    pub members: &'static [&'static str],
}

impl Row {
    const fn from(self, members: &'static [&'static str]) -> Self {
        Self { members, ..self }
    }
}

const fn bare(name: &'static str, value: for<'a> fn(&Derived<'a>) -> Value<'a>) -> Row {
    Row { name, quoting: Quoting::Bare, value, members: &[] }
}

const fn double(name: &'static str, value: for<'a> fn(&Derived<'a>) -> Value<'a>) -> Row {
    Row { name, quoting: Quoting::Double, value, members: &[] }
}

/// In the order of the script.
pub(super) static ASSIGNMENTS: &[Row] = &[
    bare("ADMINUSER", |_| "azureuser".into()),
    bare("MOBY_VERSION", |_| "".into()),
    bare("TENANT_ID", |d| d.inputs.tenant_id.as_str().into()),
    bare("KUBERNETES_VERSION", |d| d.inputs.kubernetes_version.as_str().into()).from(&["kubernetes_version"]),
    bare("HYPERKUBE_URL", |_| "".into()),
    bare("KUBE_BINARY_URL", |d| d.kube_binary_url.clone().into()),
    bare("CUSTOM_KUBE_BINARY_URL", |_| "".into()),
    bare("CREDENTIAL_PROVIDER_DOWNLOAD_URL", |d| d.credential_provider_url.clone().into()),
    bare("KUBEPROXY_URL", |_| "".into()),
    bare("APISERVER_PUBLIC_KEY", |_| "".into()),
    bare("SUBSCRIPTION_ID", |d| d.inputs.subscription_id.as_str().into()),
    bare("RESOURCE_GROUP", |d| d.inputs.resource_group.as_str().into()),
    bare("LOCATION", |d| d.inputs.location.as_str().into()),
    bare("VM_TYPE", |_| "standard".into()),
    bare("SUBNET", |d| d.subnet.name.into()),
    bare("NETWORK_SECURITY_GROUP", |d| d.inputs.network_security_group_name.as_str().into()),
    bare("VIRTUAL_NETWORK", |d| d.subnet.network.into()),
    bare("VIRTUAL_NETWORK_RESOURCE_GROUP", |d| d.subnet.resource_group.into()),
    bare("ROUTE_TABLE", |d| d.inputs.route_table_name.as_str().into()),
    bare("PRIMARY_AVAILABILITY_SET", |_| "".into()),
    bare("PRIMARY_SCALE_SET", |_| "".into()),
    bare("SERVICE_PRINCIPAL_CLIENT_ID", |_| "msi".into()),
    bare("NETWORK_PLUGIN", |d| d.inputs.network_plugin.as_str().into()),
    double("NETWORK_POLICY", |d| d.inputs.network_policy.as_str().into()).from(&["network_policy"]),
    bare("VNET_CNI_PLUGINS_URL", |d| d.download(&VNET_CNI).into()),
    bare("CNI_PLUGINS_URL", |d| d.download(&CNI).into()),
    bare("CLOUDPROVIDER_BACKOFF", |_| "true".into()),
    bare("CLOUDPROVIDER_BACKOFF_MODE", |_| "v2".into()),
    bare("CLOUDPROVIDER_BACKOFF_RETRIES", |_| "6".into()),
    bare("CLOUDPROVIDER_BACKOFF_EXPONENT", |_| "0".into()),
    bare("CLOUDPROVIDER_BACKOFF_DURATION", |_| "5".into()),
    bare("CLOUDPROVIDER_BACKOFF_JITTER", |_| "0".into()),
    bare("CLOUDPROVIDER_RATELIMIT", |_| "true".into()),
    bare("CLOUDPROVIDER_RATELIMIT_QPS", |_| "10".into()),
    bare("CLOUDPROVIDER_RATELIMIT_QPS_WRITE", |_| "10".into()),
    bare("CLOUDPROVIDER_RATELIMIT_BUCKET", |_| "100".into()),
    bare("CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE", |_| "100".into()),
    bare("LOAD_BALANCER_DISABLE_OUTBOUND_SNAT", |_| "false".into()),
    bare("USE_MANAGED_IDENTITY_EXTENSION", |_| "true".into()),
    bare("USE_INSTANCE_METADATA", |_| "true".into()),
    bare("LOAD_BALANCER_SKU", |_| "Standard".into()),
    bare("EXCLUDE_MASTER_FROM_STANDARD_LB", |_| "true".into()),
    bare("MAXIMUM_LOADBALANCER_RULE_COUNT", |_| "250".into()),
    bare("CONTAINER_RUNTIME", |_| "containerd".into()),
    bare("CLI_TOOL", |_| "ctr".into()),
    bare("CONTAINERD_DOWNLOAD_URL_BASE", |_| "".into()),
    bare("NETWORK_MODE", |_| "".into()),
    bare("KUBE_BINARY_URL", |d| d.kube_binary_url.clone().into()),
    bare("USER_ASSIGNED_IDENTITY_ID", |d| d.inputs.kubelet_identity_client_id.as_str().into()),
    bare("API_SERVER_NAME", |d| d.inputs.api_server_name.as_str().into()).from(&["api_server_name"]),
    bare("IS_VHD", |_| "true".into()),
    bare("GPU_NODE", |d| truth(d.installs_gpu_driver)),
    bare("SGX_NODE", |_| "false".into()),
    bare("MIG_NODE", |_| "false".into()),
    bare("CONFIG_GPU_DRIVER_IF_NEEDED", |d| truth(d.installs_gpu_driver)),
    bare("ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED", |_| "false".into()),
    bare("TELEPORTD_PLUGIN_DOWNLOAD_URL", |_| "".into()),
    bare("CONTAINERD_VERSION", |_| "".into()),
    bare("CONTAINERD_PACKAGE_URL", |_| "".into()),
    bare("RUNC_VERSION", |_| "".into()),
    bare("RUNC_PACKAGE_URL", |_| "".into()),
    double("ENABLE_HOSTS_CONFIG_AGENT", |_| "false".into()),
    double("DISABLE_SSH", |_| "false".into()),
    double("NEEDS_CONTAINERD", |_| "true".into()),
    double("TELEPORT_ENABLED", |_| "false".into()),
    double("SHOULD_CONFIGURE_HTTP_PROXY", |_| "false".into()),
    double("SHOULD_CONFIGURE_HTTP_PROXY_CA", |_| "false".into()),
    double("HTTP_PROXY_TRUSTED_CA", |_| "".into()),
    double("SHOULD_CONFIGURE_CUSTOM_CA_TRUST", |_| "false".into()),
    double("CUSTOM_CA_TRUST_COUNT", |_| "0".into()),
    double("IS_KRUSTLET", |_| "false".into()),
    double("GPU_NEEDS_FABRIC_MANAGER", |_| "false".into()),
    double("NEEDS_DOCKER_LOGIN", |_| "false".into()),
    double("IPV6_DUAL_STACK_ENABLED", |_| "false".into()),
    double("OUTBOUND_COMMAND", |_| format!("curl -v --insecure --proxy-insecure https://{PUBLIC_REGISTRY}/v2/").into()),
    double("ENABLE_UNATTENDED_UPGRADES", |_| "false".into()),
    double("ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE", |_| "false".into()),
    double("SHOULD_CONFIG_SWAP_FILE", |_| "false".into()),
    double("SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE", |_| "false".into()),
    double("TARGET_CLOUD", |_| "AzurePublicCloud".into()),
    double("TARGET_ENVIRONMENT", |_| "AzurePublicCloud".into()),
    double("CUSTOM_ENV_JSON", |_| "".into()),
    double("IS_CUSTOM_CLOUD", |_| "false".into()),
    double("CSE_HELPERS_FILEPATH", |_| paths::SOURCE.into()),
    double("CSE_DISTRO_HELPERS_FILEPATH", |_| paths::SOURCE_DISTRO.into()),
    double("CSE_INSTALL_FILEPATH", |_| paths::INSTALLS.into()),
    double("CSE_DISTRO_INSTALL_FILEPATH", |_| paths::INSTALLS_DISTRO.into()),
    double("CSE_CONFIG_FILEPATH", |_| paths::CONFIGS.into()),
    double("AZURE_PRIVATE_REGISTRY_SERVER", |_| "".into()),
    double("HAS_CUSTOM_SEARCH_DOMAIN", |_| "false".into()),
    double("CUSTOM_SEARCH_DOMAIN_FILEPATH", |_| paths::CUSTOM_SEARCH_DOMAINS.into()),
    double("HTTP_PROXY_URLS", |_| "".into()),
    double("HTTPS_PROXY_URLS", |_| "".into()),
    double("NO_PROXY_URLS", |_| "".into()),
    double("ENABLE_TLS_BOOTSTRAPPING", |_| "true".into()),
    double("ENABLE_SECURE_TLS_BOOTSTRAPPING", |_| "false".into()),
    double("ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION", |_| "false".into()),
    double("DHCPV6_SERVICE_FILEPATH", |_| "".into()),
    double("DHCPV6_CONFIG_FILEPATH", |_| "".into()),
    double("THP_ENABLED", |_| "".into()),
    double("THP_DEFRAG", |_| "".into()),
    double("SERVICE_PRINCIPAL_FILE_CONTENT", |_| "bXNp".into()),
    double("KUBELET_CLIENT_CONTENT", |_| "".into()),
    double("KUBELET_CLIENT_CERT_CONTENT", |_| "".into()),
    double("KUBELET_CONFIG_FILE_ENABLED", |_| "false".into()),
    double("KUBELET_CONFIG_FILE_CONTENT", |_| "".into()),
    double("SWAP_FILE_SIZE_MB", |_| "0".into()),
    double("GPU_IMAGE_SHA", |d| d.gpu(&d.inputs.gpu_image_sha)),
    double("GPU_DRIVER_VERSION", |d| d.gpu(&d.inputs.gpu_driver_version)),
    double("GPU_DRIVER_TYPE", |d| d.gpu(&d.inputs.gpu_driver_type)),
    double("GPU_INSTANCE_PROFILE", |_| "".into()),
    double("CUSTOM_SEARCH_DOMAIN_NAME", |_| "".into()),
    double("CUSTOM_SEARCH_REALM_USER", |_| "".into()),
    double("CUSTOM_SEARCH_REALM_PASSWORD", |_| "".into()),
    double("MESSAGE_OF_THE_DAY", |_| "".into()),
    double("HAS_KUBELET_DISK_TYPE", |_| "false".into()),
    double("NEEDS_CGROUPV2", |_| "true".into()),
    double("SYSCTL_CONTENT", |_| SYSCTL_CONTENT.as_str().into()),
    double("TLS_BOOTSTRAP_TOKEN", |d| d.inputs.kubelet_client_tls_bootstrap_token.expose().into())
        .from(&["kubelet_client_tls_bootstrap_token"]),
    double("KUBELET_FLAGS", |d| d.kubelet_flags().into()).from(&["kubelet_config", "taints"]),
    double("KUBELET_NODE_LABELS", |d| d.labels().into()).from(&["labels"]),
    double("AZURE_ENVIRONMENT_FILEPATH", |_| "".into()),
    double("KUBE_CA_CRT", |d| d.ca_bundle.into()).from(&["ca_bundle"]),
    double("CONTAINERD_CONFIG_CONTENT", |d| d.containerd_config().into()),
    double("IS_KATA", |_| "false".into()),
    double("MCR_REPOSITORY_BASE", |_| PUBLIC_REGISTRY.into()),
    bare("ENABLE_IMDS_RESTRICTION", |_| "false".into()),
    bare("INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE", |_| "false".into()),
    bare("CSE_TIMEOUT", |_| "15m".into()),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::karpenter::BootstrapInputs;

    #[test]
    fn a_value_comes_from_members_of_the_inputs() {
        for member in ASSIGNMENTS.iter().flat_map(|row| row.members) {
            assert!(BootstrapInputs::has_member(member), "{member}");
        }
    }
}
