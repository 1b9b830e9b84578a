//! The CSE command of the scripted route: one line that sets every variable and starts the start script.
//!
//! The assignments have the order, quoting and blanks of the reference. `catalogue::variables` documents the meaning of
//! each variable.

use std::collections::HashMap;

use serde::Serialize;

use crate::catalogue::variables::{CERTIFICATE_PREFIX, CERTIFICATES};
use crate::delivery::RenderError;
use crate::delivery::size::{self, Artefact, Contributor};
use crate::environment::{Environment, Unrepresentable};
use crate::rendering::{Quoting, ShellWord, render};

/// One assignment of the line.
struct Row {
    name: &'static str,
    quoting: Quoting,
    /// Blanks before it, in addition to the one that separates it.
    blanks: usize,
}

const fn row(name: &'static str, quoting: Quoting) -> Row {
    Row { name, quoting, blanks: 0 }
}

/// In the order of the line. Two names occur twice, as in the reference. `CUSTOM_CA_CERT_n` stands for one variable per
/// certificate.
static ROWS: &[Row] = &[
    row("ADMINUSER", Quoting::Bare),
    row("MOBY_VERSION", Quoting::Bare),
    row("TENANT_ID", Quoting::Bare),
    row("KUBERNETES_VERSION", Quoting::Bare),
    row("HYPERKUBE_URL", Quoting::Bare),
    row("KUBE_BINARY_URL", Quoting::Bare),
    row("CUSTOM_KUBE_BINARY_URL", Quoting::Bare),
    row("PRIVATE_KUBE_BINARY_URL", Quoting::Double),
    row("KUBEPROXY_URL", Quoting::Bare),
    row("APISERVER_PUBLIC_KEY", Quoting::Bare),
    row("SUBSCRIPTION_ID", Quoting::Bare),
    row("RESOURCE_GROUP", Quoting::Bare),
    row("LOCATION", Quoting::Bare),
    row("VM_TYPE", Quoting::Bare),
    row("SUBNET", Quoting::Bare),
    row("NETWORK_SECURITY_GROUP", Quoting::Bare),
    row("VIRTUAL_NETWORK", Quoting::Bare),
    row("VIRTUAL_NETWORK_RESOURCE_GROUP", Quoting::Bare),
    row("ROUTE_TABLE", Quoting::Bare),
    row("PRIMARY_AVAILABILITY_SET", Quoting::Bare),
    row("PRIMARY_SCALE_SET", Quoting::Bare),
    row("SERVICE_PRINCIPAL_CLIENT_ID", Quoting::Bare),
    row("NETWORK_PLUGIN", Quoting::Bare),
    row("NETWORK_POLICY", Quoting::Bare),
    row("VNET_CNI_PLUGINS_URL", Quoting::Bare),
    row("CLOUDPROVIDER_BACKOFF", Quoting::Bare),
    row("CLOUDPROVIDER_BACKOFF_MODE", Quoting::Bare),
    row("CLOUDPROVIDER_BACKOFF_RETRIES", Quoting::Bare),
    row("CLOUDPROVIDER_BACKOFF_EXPONENT", Quoting::Bare),
    row("CLOUDPROVIDER_BACKOFF_DURATION", Quoting::Bare),
    row("CLOUDPROVIDER_BACKOFF_JITTER", Quoting::Bare),
    row("CLOUDPROVIDER_RATELIMIT", Quoting::Bare),
    row("CLOUDPROVIDER_RATELIMIT_QPS", Quoting::Bare),
    row("CLOUDPROVIDER_RATELIMIT_QPS_WRITE", Quoting::Bare),
    row("CLOUDPROVIDER_RATELIMIT_BUCKET", Quoting::Bare),
    row("CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE", Quoting::Bare),
    row("LOAD_BALANCER_DISABLE_OUTBOUND_SNAT", Quoting::Bare),
    row("USE_MANAGED_IDENTITY_EXTENSION", Quoting::Bare),
    row("USE_INSTANCE_METADATA", Quoting::Bare),
    row("LOAD_BALANCER_SKU", Quoting::Bare),
    row("EXCLUDE_MASTER_FROM_STANDARD_LB", Quoting::Bare),
    row("MAXIMUM_LOADBALANCER_RULE_COUNT", Quoting::Bare),
    row("CLI_TOOL", Quoting::Bare),
    row("CONTAINERD_DOWNLOAD_URL_BASE", Quoting::Bare),
    row("NETWORK_MODE", Quoting::Bare),
    row("KUBE_BINARY_URL", Quoting::Bare),
    row("USER_ASSIGNED_IDENTITY_ID", Quoting::Bare),
    row("SERVICE_ACCOUNT_IMAGE_PULL_ENABLED", Quoting::Bare),
    row("SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID", Quoting::Bare),
    row("SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_TENANT_ID", Quoting::Bare),
    row("IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI", Quoting::Bare),
    row("API_SERVER_NAME", Quoting::Bare),
    row("IS_VHD", Quoting::Bare),
    row("GPU_NODE", Quoting::Bare),
    row("SGX_NODE", Quoting::Bare),
    row("MIG_NODE", Quoting::Bare),
    row("CONFIG_GPU_DRIVER_IF_NEEDED", Quoting::Bare),
    row("ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED", Quoting::Bare),
    row("MANAGED_GPU_EXPERIENCE_AFEC_ENABLED", Quoting::Double),
    row("ENABLE_MANAGED_GPU", Quoting::Double),
    row("ENABLE_MANAGED_GPU_DRA", Quoting::Double),
    row("NVIDIA_MIG_STRATEGY", Quoting::Double),
    row("NVIDIA_MIG_PROFILE_LAYOUT", Quoting::Double),
    row("CREDENTIAL_PROVIDER_DOWNLOAD_URL", Quoting::Bare),
    row("CONTAINERD_VERSION", Quoting::Bare),
    row("CONTAINERD_PACKAGE_URL", Quoting::Bare),
    row("RUNC_VERSION", Quoting::Bare),
    row("RUNC_PACKAGE_URL", Quoting::Bare),
    row("ENABLE_HOSTS_CONFIG_AGENT", Quoting::Double),
    row("DISABLE_SSH", Quoting::Double),
    row("DISABLE_PUBKEY_AUTH", Quoting::Double),
    row("SHOULD_CONFIGURE_HTTP_PROXY", Quoting::Double),
    row("SHOULD_CONFIGURE_HTTP_PROXY_CA", Quoting::Double),
    row("HTTP_PROXY_TRUSTED_CA", Quoting::Double),
    row("SHOULD_CONFIGURE_CUSTOM_CA_TRUST", Quoting::Double),
    row("CUSTOM_CA_TRUST_COUNT", Quoting::Double),
    row("CUSTOM_CA_CERT_n", Quoting::Double),
    Row { blanks: 1, ..row("GPU_NEEDS_FABRIC_MANAGER", Quoting::Double) },
    row("IPV6_DUAL_STACK_ENABLED", Quoting::Double),
    row("OUTBOUND_COMMAND", Quoting::Double),
    row("BLOCK_OUTBOUND_NETWORK", Quoting::Double),
    row("ENABLE_UNATTENDED_UPGRADES", Quoting::Double),
    row("ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE", Quoting::Double),
    row("SHOULD_CONFIG_SWAP_FILE", Quoting::Double),
    row("SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE", Quoting::Double),
    row("SHOULD_CONFIG_CONTAINERD_ULIMITS", Quoting::Double),
    row("CONTAINERD_ULIMITS", Quoting::Double),
    Row { blanks: 5, ..row("TARGET_CLOUD", Quoting::Double) },
    row("TARGET_ENVIRONMENT", Quoting::Double),
    row("ARM_RESOURCE_ENDPOINT", Quoting::Double),
    row("CUSTOM_ENV_JSON", Quoting::Double),
    row("IS_CUSTOM_CLOUD", Quoting::Double),
    row("AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX", Quoting::Double),
    row("CSE_HELPERS_FILEPATH", Quoting::Double),
    row("CSE_DISTRO_HELPERS_FILEPATH", Quoting::Double),
    row("CSE_INSTALL_FILEPATH", Quoting::Double),
    row("CSE_DISTRO_INSTALL_FILEPATH", Quoting::Double),
    row("CSE_CONFIG_FILEPATH", Quoting::Double),
    row("AZURE_PRIVATE_REGISTRY_SERVER", Quoting::Double),
    row("HAS_CUSTOM_SEARCH_DOMAIN", Quoting::Double),
    row("CUSTOM_SEARCH_DOMAIN_FILEPATH", Quoting::Double),
    row("HTTP_PROXY_URLS", Quoting::Double),
    row("HTTPS_PROXY_URLS", Quoting::Double),
    row("NO_PROXY_URLS", Quoting::Double),
    row("PROXY_VARS", Quoting::Double),
    row("ENABLE_SECURE_TLS_BOOTSTRAPPING", Quoting::Double),
    row("SECURE_TLS_BOOTSTRAPPING_AAD_RESOURCE", Quoting::Double),
    row("SECURE_TLS_BOOTSTRAPPING_USER_ASSIGNED_IDENTITY_ID", Quoting::Double),
    row("SECURE_TLS_BOOTSTRAPPING_VALIDATE_KUBECONFIG_TIMEOUT", Quoting::Double),
    row("SECURE_TLS_BOOTSTRAPPING_GET_ACCESS_TOKEN_TIMEOUT", Quoting::Double),
    row("SECURE_TLS_BOOTSTRAPPING_GET_INSTANCE_DATA_TIMEOUT", Quoting::Double),
    row("SECURE_TLS_BOOTSTRAPPING_GET_NONCE_TIMEOUT", Quoting::Double),
    row("SECURE_TLS_BOOTSTRAPPING_GET_ATTESTED_DATA_TIMEOUT", Quoting::Double),
    row("SECURE_TLS_BOOTSTRAPPING_GET_CREDENTIAL_TIMEOUT", Quoting::Double),
    row("CUSTOM_SECURE_TLS_BOOTSTRAPPING_CLIENT_DOWNLOAD_URL", Quoting::Double),
    row("ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION", Quoting::Double),
    row("DHCPV6_SERVICE_FILEPATH", Quoting::Double),
    row("DHCPV6_CONFIG_FILEPATH", Quoting::Double),
    row("THP_ENABLED", Quoting::Double),
    row("THP_DEFRAG", Quoting::Double),
    row("SERVICE_PRINCIPAL_FILE_CONTENT", Quoting::Double),
    row("KUBELET_CLIENT_CONTENT", Quoting::Double),
    row("KUBELET_CLIENT_CERT_CONTENT", Quoting::Double),
    row("KUBELET_CONFIG_FILE_ENABLED", Quoting::Double),
    row("KUBELET_CONFIG_FILE_CONTENT", Quoting::Double),
    row("SWAP_FILE_SIZE_MB", Quoting::Double),
    row("GPU_DRIVER_VERSION", Quoting::Double),
    row("GPU_DRIVER_TYPE", Quoting::Double),
    row("GPU_IMAGE_SHA", Quoting::Double),
    row("GPU_INSTANCE_PROFILE", Quoting::Double),
    row("CUSTOM_SEARCH_DOMAIN_NAME", Quoting::Double),
    row("CUSTOM_SEARCH_REALM_USER", Quoting::Double),
    row("CUSTOM_SEARCH_REALM_PASSWORD", Quoting::Double),
    row("MESSAGE_OF_THE_DAY", Quoting::Double),
    row("HAS_KUBELET_DISK_TYPE", Quoting::Double),
    row("NEEDS_CGROUPV2", Quoting::Double),
    row("TLS_BOOTSTRAP_TOKEN", Quoting::Double),
    row("KUBELET_FLAGS", Quoting::Double),
    row("NETWORK_POLICY", Quoting::Double),
    row("KUBELET_IMAGE", Quoting::Double),
    Row { blanks: 1, ..row("KUBELET_NODE_LABELS", Quoting::Double) },
    Row { blanks: 1, ..row("AZURE_ENVIRONMENT_FILEPATH", Quoting::Double) },
    row("KUBE_CA_CRT", Quoting::Double),
    row("KUBENET_TEMPLATE", Quoting::Double),
    row("CONTAINERD_CONFIG_CONTENT", Quoting::Double),
    row("CONTAINERD_CONFIG_NO_GPU_CONTENT", Quoting::Double),
    row("IS_KATA", Quoting::Double),
    row("ARTIFACT_STREAMING_ENABLED", Quoting::Double),
    row("SYSCTL_CONTENT", Quoting::Double),
    row("PRIVATE_EGRESS_PROXY_ADDRESS", Quoting::Double),
    row("BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER", Quoting::Double),
    row("MCR_REPOSITORY_BASE", Quoting::Double),
    row("NETWORK_ISOLATED_CLUSTER_TEST_MODE", Quoting::Double),
    row("ENABLE_IMDS_RESTRICTION", Quoting::Double),
    row("INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE", Quoting::Double),
    row("SHOULD_ENABLE_LOCALDNS", Quoting::Double),
    row("SHOULD_ENABLE_HOSTS_PLUGIN", Quoting::Double),
    row("LOCALDNS_CPU_LIMIT", Quoting::Double),
    row("LOCALDNS_MEMORY_LIMIT", Quoting::Double),
    row("LOCALDNS_GENERATED_COREFILE", Quoting::Double),
    row("LOCALDNS_COREFILE_BASE", Quoting::Double),
    row("LOCALDNS_COREFILE_WITH_HOSTS", Quoting::Double),
    row("LOCALDNS_CRITICAL_FQDNS", Quoting::Double),
    row("LOCALDNS_HOSTS_PLUGIN_REFRESH_INTERVAL_IN_SECONDS", Quoting::Double),
    row("PRE_PROVISION_ONLY", Quoting::Double),
    row("CSE_TIMEOUT", Quoting::Double),
    row("SKIP_WAAGENT_HOLD", Quoting::Double),
    row("STANDARD_SECONDARY_NIC_COUNT", Quoting::Double),
];

/// Variables of the line that some inputs lack, and their value in that case.
const DEFAULTS: [(&str, &str); 5] = [
    ("BLOCK_OUTBOUND_NETWORK", "false"),
    ("HYPERKUBE_URL", ""),
    ("MCR_REPOSITORY_BASE", "mcr.microsoft.com/"),
    ("MOBY_VERSION", ""),
    ("SKIP_WAAGENT_HOLD", "false"),
];

/// The kubelet's image. It is omitted unless the input has one, because only old versions of Kubernetes use it.
const KUBELET_IMAGE: &str = "KUBELET_IMAGE";

/// Names, each with the size of its assignment.
type Sizes<'e> = Vec<(&'e str, usize)>;

/// Returns the assignments of the line.
fn assignments<'e>(environment: &'e Environment<'_>) -> Result<(String, Sizes<'e>), Unrepresentable> {
    let pairs = environment.pairs()?;
    // Of assignments with the same name, the last one counts.
    let given: HashMap<_, _> = pairs.iter().copied().collect();
    let default = |name: &str| DEFAULTS.iter().find(|(other, _)| *other == name).map(|(_, value)| *value);
    let mut line = String::with_capacity(pairs.iter().map(|(name, value)| name.len() + value.len() + 8).sum());
    let mut sizes = Vec::with_capacity(ROWS.len());
    // The kubelet's image leaves a blank of its own.
    let mut left = 0;
    let mut write = |name: &'e str, value: &str, row: &Row, blanks: usize| {
        let blanks = blanks + std::mem::replace(&mut left, usize::from(row.name == KUBELET_IMAGE));
        line.extend(std::iter::repeat_n(' ', blanks));
        let start = line.len();
        line.push_str(name);
        line.push('=');
        row.quoting.write(value, &mut line);
        line.push(' ');
        sizes.push((name, line.len() - start + blanks));
    };
    for row in ROWS {
        if row.name == CERTIFICATES {
            let certificates = pairs.iter().filter(|(name, _)| name.starts_with(CERTIFICATE_PREFIX));
            certificates.for_each(|(name, value)| write(name, value, row, 1));
            continue;
        }
        match given.get(row.name).copied().or_else(|| default(row.name)) {
            None if row.name == KUBELET_IMAGE => {}
            value => write(row.name, value.unwrap_or_default(), row, row.blanks),
        }
    }
    Ok((line, sizes))
}

#[derive(Serialize)]
struct ScriptedCse<'a> {
    waits: bool,
    repositories: &'a str,
    location: &'a str,
    assignments: String,
}

/// Returns the command. With `waits`, it first waits for cloud-init.
///
/// # Errors
/// Fails if a value contains U+0000, or if the command is longer than the kernel accepts.
pub(super) fn command(environment: &Environment<'_>, waits: bool) -> Result<String, RenderError> {
    let (line, contributors) = line(environment, waits)?;
    size::check(Artefact::Command, line.len(), false, || contributors)?;
    Ok(line)
}

/// Returns the line, which as a file may be of any length, and the share of each variable.
///
/// # Errors
/// Fails if a value contains U+0000.
pub(super) fn line(environment: &Environment<'_>, waits: bool) -> Result<(String, Vec<Contributor>), Unrepresentable> {
    let (assignments, sizes) = assignments(environment)?;
    let get = |name: &str| environment.get(name).unwrap_or_default();
    let (repositories, location) = (ShellWord::double(get("REPO_DEPOT_ENDPOINT")), ShellWord::bare(get("LOCATION")));
    let values = ScriptedCse { waits, repositories: repositories.as_str(), location: location.as_str(), assignments };
    let mut line = render("scripted_cse.sh.tera", &values);
    // The reference ends the line with a blank and without a line feed.
    line.truncate(line.trim_end().len());
    line.push(' ');
    let contributors = sizes.into_iter().map(|(name, size)| Contributor { name: name.to_owned(), size }).collect();
    Ok((line, contributors))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::variables::variable;

    #[test]
    fn every_assignment_is_a_variable_of_the_catalogue() {
        for row in ROWS {
            assert!(variable(row.name).is_some(), "{}", row.name);
        }
        let written = ROWS.iter().filter(|row| ![CERTIFICATES, KUBELET_IMAGE].contains(&row.name));
        assert_eq!(written.count(), 166);
        for (name, _) in DEFAULTS {
            assert!(ROWS.iter().any(|row| row.name == name), "{name}");
        }
    }
}
