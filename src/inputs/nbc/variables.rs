//! The table of the CSE's assignments: their order, how each is quoted, and where its value comes from.
//!
//! A value is the document's own where this route has one ([`super::Nbc`]), else that of the Configuration's environment.
//! What a variable means stands in `catalogue::variables`.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::Nbc;
use crate::catalogue::node_distros::Family;
use crate::catalogue::variables::{CERTIFICATE_PREFIX, CERTIFICATES};
use crate::configuration::Configuration;
use crate::environment::{Environment, ImageContents};
use crate::rendering::{Quoting, ShellWord, Template};
use crate::script::Unrepresentable;

/// One assignment.
struct Assignment {
    name: &'static str,
    quoting: Quoting,
    /// Blanks that the reference leaves before it, over the one.
    blanks: usize,
}

const fn row(name: &'static str, quoting: Quoting) -> Assignment {
    Assignment { name, quoting, blanks: 0 }
}

/// In the order of the line. Two names stand there twice, as in the reference; certificates are as many as there are.
static ASSIGNMENTS: &[Assignment] = &[
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
    Assignment { blanks: 1, ..row("GPU_NEEDS_FABRIC_MANAGER", Quoting::Double) },
    row("IPV6_DUAL_STACK_ENABLED", Quoting::Double),
    row("OUTBOUND_COMMAND", Quoting::Double),
    row("BLOCK_OUTBOUND_NETWORK", Quoting::Double),
    row("ENABLE_UNATTENDED_UPGRADES", Quoting::Double),
    row("ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE", Quoting::Double),
    row("SHOULD_CONFIG_SWAP_FILE", Quoting::Double),
    row("SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE", Quoting::Double),
    row("SHOULD_CONFIG_CONTAINERD_ULIMITS", Quoting::Double),
    row("CONTAINERD_ULIMITS", Quoting::Double),
    Assignment { blanks: 5, ..row("TARGET_CLOUD", Quoting::Double) },
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
    Assignment { blanks: 1, ..row("KUBELET_NODE_LABELS", Quoting::Double) },
    Assignment { blanks: 1, ..row("AZURE_ENVIRONMENT_FILEPATH", Quoting::Double) },
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

/// Variables that only this route has, and what they are where a Configuration is the input.
const ONLY_HERE: [(&str, &str); 5] = [
    ("BLOCK_OUTBOUND_NETWORK", "false"),
    ("HYPERKUBE_URL", ""),
    ("MCR_REPOSITORY_BASE", "mcr.microsoft.com/"),
    ("MOBY_VERSION", ""),
    ("SKIP_WAAGENT_HOLD", "false"),
];

/// The kubelet's image, which only old versions get.
const KUBELET_IMAGE: &str = "KUBELET_IMAGE";

/// What the scripted route is made of.
#[derive(Clone, Copy, Debug)]
pub enum Classic<'a> {
    /// A NodeBootstrappingConfiguration.
    Nbc(&'a Nbc),
    /// A Configuration, for an image of a family.
    Configuration(&'a Configuration, Family),
}

impl<'a> Classic<'a> {
    const fn configuration(&self) -> &'a Configuration {
        match self {
            Self::Nbc(nbc) => &nbc.configuration,
            Self::Configuration(configuration, _) => configuration,
        }
    }

    /// The family of the image.
    #[must_use]
    pub const fn family(&self) -> Family {
        match self {
            Self::Nbc(nbc) => nbc.family,
            Self::Configuration(_, family) => *family,
        }
    }

    fn own(&self, name: &str) -> Option<&'a str> {
        let Self::Nbc(nbc) = self else { return None };
        nbc.own.get(name)
    }

    /// What is known of the image: the shape of containerd's configuration follows from the distribution.
    #[must_use]
    pub fn facts(&self, given: &ImageContents) -> ImageContents {
        let Self::Nbc(nbc) = self else { return given.clone() };
        let version = if nbc.distro.has_containerd_2 && !nbc.distro.is_kata { "2.0.0" } else { "1.7.0" };
        ImageContents { containerd_version: version.to_owned(), components: given.components.clone() }
    }
}

/// Every variable of the line with its value, in its order.
#[must_use]
pub fn variables<'a>(
    classic: &Classic<'a>,
    environment: &'a Environment<'_>,
) -> Vec<(Cow<'static, str>, Cow<'a, str>)> {
    assignments(classic, environment).map(|(_, name, value)| (name, value)).collect()
}

fn assignments<'a>(
    classic: &Classic<'a>,
    environment: &'a Environment<'_>,
) -> impl Iterator<Item = (&'static Assignment, Cow<'static, str>, Cow<'a, str>)> {
    let classic = *classic;
    ASSIGNMENTS.iter().flat_map(move |row| {
        let mut rows = Vec::with_capacity(1);
        if row.name == CERTIFICATES {
            let certificates = environment.iter().filter(|entry| entry.name.starts_with(CERTIFICATE_PREFIX));
            rows.extend(certificates.map(|entry| (row, entry.name.clone(), Cow::from(&*entry.value))));
        } else if let Some(value) = value(&classic, environment, row.name) {
            rows.push((row, row.name.into(), value));
        }
        rows
    })
}

fn value<'a>(classic: &Classic<'a>, environment: &'a Environment<'_>, name: &'static str) -> Option<Cow<'a, str>> {
    let own = classic.own(name);
    if own.is_some() || name == KUBELET_IMAGE {
        return own.map(Cow::from);
    }
    let value = environment.get(name).or_else(|| {
        let only_here = ONLY_HERE.iter().find(|(other, _)| *other == name);
        only_here.map(|(_, value)| *value)
    });
    let value = value.unwrap_or_default();
    let is_kata = classic.configuration().is_kata && matches!(classic, Classic::Nbc(_));
    if is_kata && name.starts_with("CONTAINERD_CONFIG_") {
        return Some(kata(value).into());
    }
    Some(value.into())
}

/// containerd's configuration with this route's settings of the runtime `kata`: `katacli` has none here.
fn kata(encoded: &str) -> String {
    const RUNTIME: &str = include_str!("../../../parts/kata_runtime.toml");
    let section = |name: &str| format!("[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.{name}]");
    let text = STANDARD.decode(encoded).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    match (text.find(&section("kata")), text.find(&section("kata-preview"))) {
        (Some(from), Some(to)) if from < to => STANDARD.encode(format!("{}{RUNTIME}{}", &text[..from], &text[to..])),
        _ => encoded.to_owned(),
    }
}

#[derive(Serialize)]
struct Command<'a> {
    /// Whether the line waits for cloud-init.
    waits: bool,
    repositories: ShellWord<'a>,
    location: ShellWord<'a>,
    /// Name, with the blanks before it, and word, by turns.
    assignments: &'a [(String, ShellWord<'a>)],
}

/// The CSE command: one line that sets every variable and starts the start script.
///
/// # Errors
/// A value holds U+0000.
pub fn command(classic: &Classic<'_>, facts: &ImageContents) -> Result<String, Unrepresentable> {
    let facts = classic.facts(facts);
    let environment = Environment::new(classic.configuration(), &facts);
    let rows: Vec<_> = assignments(classic, &environment).collect();
    let mut room = 4096;
    let mut words = Vec::with_capacity(rows.len());
    for (row, name, value) in &rows {
        if value.contains('\0') {
            return Err(Unrepresentable { variable: name.to_string() });
        }
        room += name.len() + value.len() + 8;
        let blanks = if *row.name == *CERTIFICATES { 1 } else { row.blanks };
        words.push((format!("{:blanks$}{name}", ""), row.quoting.word(value)));
    }
    let waits = match classic {
        Classic::Nbc(nbc) => nbc.waits_for_cloud_init,
        Classic::Configuration(configuration, family) => {
            !configuration.disable_custom_data && !matches!(family, Family::Flatcar | Family::Acl)
        }
    };
    let get = |name: &'static str| environment.get(name).unwrap_or_default();
    let command = Command {
        waits,
        repositories: ShellWord::double(get("REPO_DEPOT_ENDPOINT")),
        location: ShellWord::bare(get("LOCATION")),
        assignments: &words,
    };
    let mut line = Template::SCRIPTED_CSE.render(&command, room);
    // The reference ends it with a blank, and has no line feed.
    line.truncate(line.trim_end().len());
    line.push(' ');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::variables::variable;

    #[test]
    fn every_assignment_is_a_variable_of_the_catalogue() {
        for row in ASSIGNMENTS {
            assert!(variable(row.name).is_some(), "{}", row.name);
        }
        let written = ASSIGNMENTS.iter().filter(|row| ![CERTIFICATES, KUBELET_IMAGE].contains(&row.name));
        assert_eq!(written.count(), 166);
        assert_eq!(
            ONLY_HERE.len(),
            ONLY_HERE.iter().filter(|(name, _)| ASSIGNMENTS.iter().any(|row| row.name == *name)).count()
        );
    }
}
