//! The table of the node's environment: the rule by which each variable follows from the Configuration.
//!
//! The rows are in byte order of the names, which is the order on the node. To add a variable: see CONTRIBUTING.md.

use super::Value;
use super::computed;
use super::context::Context;
use super::payloads::containerd::{self, Variant};
use super::payloads::{corefile, kubelet, kubenet, proxy, sysctl, ulimits};
use super::rule::Read::{
    Each, Integer, IntegerOr, IntegerWithin, Is, IsSet, Joined, NumberOr, OneLine, Switch, SwitchOr, Text, TextOr, Word,
};
use super::rule::{Compute, Computed, Derivation, Read, Rule, truth};
use crate::catalogue::{paths, timeouts};
use crate::configuration::{
    BootstrappingAuthMethod, FieldPath, KubeletDisk, LoadBalancerSku, NetworkPlugin, NetworkPolicy, VmType,
};
use crate::rendering::Rendered;

/// The name of a row, before its rule.
struct Name(&'static str);

const fn row(name: &'static str) -> Name {
    Name(name)
}

impl Name {
    const fn from(self, path: &'static str, read: Read) -> Derivation {
        Derivation::new(self.0, Rule::Field(FieldPath::of(path), read))
    }
}

const fn constant(name: &'static str, value: &'static str) -> Derivation {
    Derivation::new(name, Rule::Constant(value))
}

/// A row with a function of these fields. [`Derivation::words`] adds its sentence.
const fn computed(
    name: &'static str,
    fields: &'static [&'static str],
    compute: for<'a> fn(&Context<'a>) -> Value<'a>,
) -> Derivation {
    Derivation::new(name, Rule::Computed(Computed { fields, words: "", compute: Compute::Value(compute) }))
}

/// As [`computed`], for a text in a syntax that cannot carry every value.
const fn payload(
    name: &'static str,
    fields: &'static [&'static str],
    render: fn(&Context<'_>) -> Rendered,
) -> Derivation {
    Derivation::new(name, Rule::Computed(Computed { fields, words: "", compute: Compute::Payload(render) }))
}

/// The fields that a Corefile follows from.
const COREFILE: &[&str] = &[
    "local_dns_profile.enable_local_dns",
    "local_dns_profile.vnet_dns_overrides",
    "local_dns_profile.kube_dns_overrides",
    "cluster_config.cluster_network_config.core_dns_service_ip",
];

/// In byte order of the names.
pub static DERIVATIONS: &[Derivation] = &[
    row("ADMINUSER").from("linux_admin_username", TextOr("azureuser")),
    row("AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX")
        .from("custom_cloud_config.container_registry_dns_suffix", Text),
    row("APISERVER_PUBLIC_KEY").from("api_server_config.api_server_public_key", Text),
    row("API_SERVER_NAME").from("api_server_config.api_server_name", Text),
    computed(
        "ARM_RESOURCE_ENDPOINT",
        &[
            "custom_cloud_config.custom_cloud_env_name",
            "cluster_config.location",
            "custom_cloud_config.custom_env_json_content",
        ],
        computed::resource_manager,
    )
    .words(
        "The endpoint of the cloud that the location belongs to; in a custom cloud, `resourceManagerEndpoint` in \
                `custom_env_json_content`.",
    ),
    row("ARTIFACT_STREAMING_ENABLED").from("enable_artifact_streaming", Switch),
    computed("AZURE_ENVIRONMENT_FILEPATH", &["custom_cloud_config.custom_cloud_env_name"], |context| {
        if context.is_custom_cloud { paths::CUSTOM_CLOUD_ENVIRONMENT } else { "" }.into()
    })
    .words("`/etc/kubernetes/akscustom.json` in a custom cloud, otherwise empty."),
    row("AZURE_PRIVATE_REGISTRY_SERVER").from("azure_private_registry_server", Text),
    row("BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER").from("bootstrap_profile_container_registry_server", Text),
    constant("CLI_TOOL", "ctr"),
    row("CLOUDPROVIDER_BACKOFF").from("cluster_config.cloud_provider_config.backoff", SwitchOr(true)),
    row("CLOUDPROVIDER_BACKOFF_DURATION").from("cluster_config.cloud_provider_config.backoff_duration", IntegerOr(5)),
    row("CLOUDPROVIDER_BACKOFF_EXPONENT").from("cluster_config.cloud_provider_config.backoff_exponent", NumberOr(0.0)),
    row("CLOUDPROVIDER_BACKOFF_JITTER").from("cluster_config.cloud_provider_config.backoff_jitter", NumberOr(0.0)),
    row("CLOUDPROVIDER_BACKOFF_MODE").from("cluster_config.cloud_provider_config.backoff_mode", TextOr("v2")),
    row("CLOUDPROVIDER_BACKOFF_RETRIES").from("cluster_config.cloud_provider_config.backoff_retries", IntegerOr(6)),
    row("CLOUDPROVIDER_RATELIMIT").from("cluster_config.cloud_provider_config.rate_limit", SwitchOr(true)),
    row("CLOUDPROVIDER_RATELIMIT_BUCKET")
        .from("cluster_config.cloud_provider_config.rate_limit_bucket", IntegerOr(100)),
    row("CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE")
        .from("cluster_config.cloud_provider_config.rate_limit_bucket_write", IntegerOr(100)),
    row("CLOUDPROVIDER_RATELIMIT_QPS").from("cluster_config.cloud_provider_config.rate_limit_qps", NumberOr(10.0)),
    row("CLOUDPROVIDER_RATELIMIT_QPS_WRITE")
        .from("cluster_config.cloud_provider_config.rate_limit_qps_write", NumberOr(10.0)),
    row("CONFIG_GPU_DRIVER_IF_NEEDED").from("gpu_config.config_gpu_driver", Switch),
    payload(
        "CONTAINERD_CONFIG_CONTENT",
        &[
            "kubernetes_version",
            "kubelet_config.container_data_dir",
            "kube_binary_config.pod_infra_container_image_url",
            "is_kata",
            "enable_artifact_streaming",
            "needs_cgroupv2",
            "network_config.network_plugin",
            "network_config.network_policy",
            "gpu_config.enable_nvidia",
        ],
        |context| containerd::config(context, Variant::Gpu),
    )
    .words(
        "The configuration of containerd in base64, in the format of the installed version, with the NVIDIA \
                runtime if `enable_nvidia` is `true`.",
    ),
    payload(
        "CONTAINERD_CONFIG_NO_GPU_CONTENT",
        &[
            "kubernetes_version",
            "kubelet_config.container_data_dir",
            "kube_binary_config.pod_infra_container_image_url",
            "is_kata",
            "enable_artifact_streaming",
            "needs_cgroupv2",
            "network_config.network_plugin",
            "network_config.network_policy",
        ],
        |context| containerd::config(context, Variant::NoGpu),
    )
    .words("As `CONTAINERD_CONFIG_CONTENT`, without the settings for GPUs."),
    row("CONTAINERD_DOWNLOAD_URL_BASE").from("containerd_config.containerd_download_url_base", Text),
    row("CONTAINERD_PACKAGE_URL").from("containerd_config.containerd_package_url", Text),
    payload("CONTAINERD_ULIMITS", &["custom_linux_os_config.ulimit_config"], ulimits::text).words(
        "`[Service] `, then the systemd setting of each limit that is set, followed by a space. Empty if the \
             message is absent.",
    ),
    row("CONTAINERD_VERSION").from("containerd_config.containerd_version", Text),
    row("CREDENTIAL_PROVIDER_DOWNLOAD_URL").from("kube_binary_config.linux_credential_provider_url", Text),
    constant("CSE_CONFIG_FILEPATH", paths::CONFIGS),
    constant("CSE_DISTRO_HELPERS_FILEPATH", paths::SOURCE_DISTRO),
    constant("CSE_DISTRO_INSTALL_FILEPATH", paths::INSTALLS_DISTRO),
    constant("CSE_HELPERS_FILEPATH", paths::SOURCE),
    constant("CSE_INSTALL_FILEPATH", paths::INSTALLS),
    row("CSE_TIMEOUT").from("cse_timeout", IntegerWithin(timeouts::ACCEPTED, timeouts::DEFAULT)),
    row("CUSTOM_CA_CERT_n").from("custom_ca_certs", Each),
    computed("CUSTOM_CA_TRUST_COUNT", &["custom_ca_certs"], |context| {
        context.configuration.custom_ca_certs.len().to_string().into()
    })
    .words("The number of elements, including empty ones."),
    row("CUSTOM_ENV_JSON").from("custom_cloud_config.custom_env_json_content", Text),
    row("CUSTOM_KUBE_BINARY_URL").from("kube_binary_config.custom_kube_binary_url", Text),
    constant("CUSTOM_SEARCH_DOMAIN_FILEPATH", paths::CUSTOM_SEARCH_DOMAINS),
    row("CUSTOM_SEARCH_DOMAIN_NAME").from("custom_search_domain_config.domain_name", Text),
    row("CUSTOM_SEARCH_REALM_PASSWORD").from("custom_search_domain_config.realm_password", Text),
    row("CUSTOM_SEARCH_REALM_USER").from("custom_search_domain_config.realm_user", Text),
    row("CUSTOM_SECURE_TLS_BOOTSTRAPPING_CLIENT_DOWNLOAD_URL")
        .from("bootstrapping_config.secure_tls_bootstrapping_custom_client_download_url", Text),
    constant("DHCPV6_CONFIG_FILEPATH", paths::ENABLE_DHCPV6),
    constant("DHCPV6_SERVICE_FILEPATH", paths::DHCPV6_SERVICE),
    row("DISABLE_PUBKEY_AUTH").from("disable_pubkey_auth", Switch),
    computed("DISABLE_SSH", &["enable_ssh"], |context| truth(context.configuration.enable_ssh == Some(false)))
        .words("`true` if the field is `false`, otherwise `false`."),
    row("ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED").from("gpu_config.gpu_device_plugin", Switch),
    row("ENABLE_HOSTS_CONFIG_AGENT").from("enable_hosts_config_agent", Switch),
    row("ENABLE_IMDS_RESTRICTION").from("imds_restriction_config.enable_imds_restriction", Switch),
    row("ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION")
        .from("kubelet_config.kubelet_config_file_config.server_tls_bootstrap", Switch),
    row("ENABLE_MANAGED_GPU").from("gpu_config.enable_managed_gpu", Switch),
    row("ENABLE_MANAGED_GPU_DRA").from("gpu_config.enable_managed_gpu_dra", Switch),
    row("ENABLE_SECURE_TLS_BOOTSTRAPPING").from(
        "bootstrapping_config.bootstrapping_auth_method",
        Is(BootstrappingAuthMethod::SecureTlsBootstrapping as i32),
    ),
    row("ENABLE_UNATTENDED_UPGRADES").from("enable_unattended_upgrade", Switch),
    computed(
        "ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE",
        &["network_config.network_plugin", "network_config.network_policy"],
        |context| truth(computed::bridge_delivers_twice(context)),
    )
    .words("`true` if the plugin is kubenet and the policy is not calico, otherwise `false`."),
    row("EXCLUDE_MASTER_FROM_STANDARD_LB")
        .from("cluster_config.load_balancer_config.exclude_master_from_standard_load_balancer", SwitchOr(true)),
    computed("GPU_DRIVER_TYPE", &["vm_size"], computed::gpu_driver_type)
        .words("The type of driver for the size. Set for every size, even without a GPU."),
    computed("GPU_DRIVER_VERSION", &["vm_size"], computed::gpu_driver_version).words(
        "The version of the driver image for the size, from the component list of the VM image; a fixed version \
                for the first generation of NC sizes.",
    ),
    computed("GPU_IMAGE_SHA", &["vm_size"], computed::gpu_image_suffix)
        .words("The suffix, a timestamp, of the driver image for the size, from the component list of the VM image."),
    row("GPU_INSTANCE_PROFILE").from("gpu_config.gpu_instance_profile", Text),
    computed("GPU_NEEDS_FABRIC_MANAGER", &["vm_size"], computed::needs_fabric_manager)
        .words("`true` for sizes whose GPUs are connected by NVSwitch, otherwise `false`."),
    row("GPU_NODE").from("gpu_config.enable_nvidia", Switch),
    computed(
        "HAS_CUSTOM_SEARCH_DOMAIN",
        &[
            "custom_search_domain_config.domain_name",
            "custom_search_domain_config.realm_user",
            "custom_search_domain_config.realm_password",
        ],
        computed::has_search_domain,
    )
    .words("`true` if none of the fields is empty, otherwise `false`."),
    row("HAS_KUBELET_DISK_TYPE").from("kubelet_config.kubelet_disk_type", Is(KubeletDisk::TempDisk as i32)),
    row("HTTPS_PROXY_URLS").from("http_proxy_config.https_proxy", Text),
    row("HTTP_PROXY_TRUSTED_CA").from("http_proxy_config.proxy_trusted_ca", OneLine),
    row("HTTP_PROXY_URLS").from("http_proxy_config.http_proxy", Text),
    row("IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI").from("service_account_image_pull_profile.local_authority_sni", Text),
    constant("INIT_AKS_CLOUD_FILEPATH", paths::INIT_AKS_CLOUD),
    row("INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE")
        .from("imds_restriction_config.insert_imds_restriction_rule_to_mangle_table", Switch),
    row("IPV6_DUAL_STACK_ENABLED").from("ipv6_dual_stack_enabled", Switch),
    computed("IS_CUSTOM_CLOUD", &["custom_cloud_config.custom_cloud_env_name"], |context| {
        truth(context.is_custom_cloud)
    })
    .words("`true` if the name is `akscustom` in any letter case, otherwise `false`."),
    row("IS_KATA").from("is_kata", Switch),
    row("IS_VHD").from("is_vhd", SwitchOr(true)),
    row("KUBELET_CLIENT_CERT_CONTENT").from("kubelet_config.kubelet_client_cert_content", Text),
    row("KUBELET_CLIENT_CONTENT").from("kubelet_config.kubelet_client_key", Text),
    computed(
        "KUBELET_CONFIG_FILE_CONTENT",
        &["kubelet_config.kubelet_config_file_config", "kubernetes_version"],
        kubelet::file,
    )
    .words(
        "The configuration file of the kubelet in base64, without `streamingConnectionIdleTimeout` from \
                Kubernetes 1.34 on. Empty only if `kubelet_config` is absent.",
    ),
    row("KUBELET_CONFIG_FILE_ENABLED").from("kubelet_config.enable_kubelet_config_file", Switch),
    computed("KUBELET_FLAGS", &["kubelet_config.kubelet_flags", "kubernetes_version"], |context| {
        kubelet::flags(context).into()
    })
    .words(
        "`flag=value` pairs in byte order of the flags, separated by spaces, without \
                `--streaming-connection-idle-timeout` from Kubernetes 1.34 on.",
    ),
    computed("KUBELET_NODE_LABELS", &["kubelet_config.kubelet_node_labels"], |context| kubelet::labels(context).into())
        .words("`key=value` pairs in byte order of the keys, separated by commas."),
    computed("KUBENET_TEMPLATE", &[], |_| kubenet::TEMPLATE.as_str().into())
        .words("The file `parts/kubenet_template.conf` in base64."),
    row("KUBEPROXY_URL").from("kube_proxy_url", Text),
    row("KUBERNETES_VERSION").from("kubernetes_version", Text),
    row("KUBE_BINARY_URL").from("kube_binary_config.kube_binary_url", Text),
    row("KUBE_CA_CRT").from("kubernetes_ca_cert", Text),
    row("LOAD_BALANCER_DISABLE_OUTBOUND_SNAT")
        .from("cluster_config.load_balancer_config.disable_outbound_snat", Switch),
    row("LOAD_BALANCER_SKU").from(
        "cluster_config.load_balancer_config.load_balancer_sku",
        Word(&[(LoadBalancerSku::Basic as i32, "basic"), (LoadBalancerSku::Standard as i32, "standard")]),
    ),
    payload("LOCALDNS_COREFILE_BASE", COREFILE, corefile::without_hosts)
        .words("The Corefile without the hosts plugin in base64. Empty if local DNS is off."),
    payload("LOCALDNS_COREFILE_WITH_HOSTS", COREFILE, corefile::with_hosts).words(
        "The Corefile with the hosts plugin in base64, even if the plugin is disabled. Empty if local DNS is off.",
    ),
    computed(
        "LOCALDNS_CPU_LIMIT",
        &["local_dns_profile.cpu_limit_in_milli_cores", "local_dns_profile.enable_local_dns"],
        computed::local_dns_cpu,
    )
    .words(
        "A tenth of the millicores, with one decimal and `%`. `200.0%` if local DNS is off or the value is unset \
                or zero.",
    ),
    computed("LOCALDNS_CRITICAL_FQDNS", &["local_dns_profile.critical_fqdns"], computed::local_dns_critical_names)
        .words("The names without surrounding spaces, separated by commas. Empty names are omitted."),
    payload("LOCALDNS_GENERATED_COREFILE", COREFILE, corefile::without_hosts)
        .words("The same value as `LOCALDNS_COREFILE_BASE`."),
    computed(
        "LOCALDNS_HOSTS_PLUGIN_REFRESH_INTERVAL_IN_SECONDS",
        &["local_dns_profile.hosts_plugin_refresh_interval_in_seconds"],
        computed::local_dns_refresh_interval,
    )
    .words("The value of the field if it is greater than zero, otherwise empty."),
    computed(
        "LOCALDNS_MEMORY_LIMIT",
        &["local_dns_profile.memory_limit_in_mb", "local_dns_profile.enable_local_dns"],
        computed::local_dns_memory,
    )
    .words("The megabytes and `M`. `128M` if local DNS is off or the value is unset or zero."),
    row("LOCATION").from("cluster_config.location", Text),
    row("MANAGED_GPU_EXPERIENCE_AFEC_ENABLED").from("gpu_config.managed_gpu_experience_afec_enabled", Switch),
    row("MAXIMUM_LOADBALANCER_RULE_COUNT")
        .from("cluster_config.load_balancer_config.max_load_balancer_rule_count", IntegerOr(148)),
    row("MESSAGE_OF_THE_DAY").from("message_of_the_day", Text),
    row("MIG_NODE").from("gpu_config.gpu_instance_profile", IsSet),
    constant("MOBY_VERSION", ""),
    row("NEEDS_CGROUPV2").from("needs_cgroupv2", Switch),
    constant("NETWORK_ISOLATED_CLUSTER_TEST_MODE", "false"),
    constant("NETWORK_MODE", ""),
    row("NETWORK_PLUGIN").from(
        "network_config.network_plugin",
        Word(&[
            (NetworkPlugin::None as i32, "none"),
            (NetworkPlugin::Azure as i32, "azure"),
            (NetworkPlugin::Kubenet as i32, "kubenet"),
        ]),
    ),
    row("NETWORK_POLICY").from(
        "network_config.network_policy",
        Word(&[
            (NetworkPolicy::None as i32, "none"),
            (NetworkPolicy::Azure as i32, "azure"),
            (NetworkPolicy::Calico as i32, "calico"),
        ]),
    ),
    row("NETWORK_SECURITY_GROUP").from("cluster_config.cluster_network_config.security_group_name", Text),
    row("NO_PROXY_URLS").from("http_proxy_config.no_proxy_entries", Joined(",")),
    row("NVIDIA_MIG_PROFILE_LAYOUT").from("gpu_config.mig_profile_layout", Joined(",")),
    row("NVIDIA_MIG_STRATEGY").from("gpu_config.mig_strategy", Text),
    row("OUTBOUND_COMMAND").from("outbound_command", Text),
    row("PRE_PROVISION_ONLY").from("pre_provision_only", Switch),
    row("PRIMARY_AVAILABILITY_SET").from("cluster_config.primary_availability_set", Text),
    row("PRIMARY_SCALE_SET").from("cluster_config.primary_scale_set", Text),
    row("PRIVATE_EGRESS_PROXY_ADDRESS").from("private_egress_proxy_address", Text),
    row("PRIVATE_KUBE_BINARY_URL").from("kube_binary_config.private_kube_binary_url", Text),
    constant("PROVISION_OUTPUT", paths::PROVISION_OUTPUT),
    payload(
        "PROXY_VARS",
        &["http_proxy_config.http_proxy", "http_proxy_config.https_proxy", "http_proxy_config.no_proxy_entries"],
        proxy::shell_text,
    )
    .words("An `export` statement for each field that is not empty."),
    computed(
        "REPO_DEPOT_ENDPOINT",
        &["custom_cloud_config.custom_cloud_env_name", "custom_cloud_config.repo_depot_endpoint"],
        computed::repo_depot_endpoint,
    )
    .words("The text of `repo_depot_endpoint` in a custom cloud, otherwise empty."),
    row("RESOURCE_GROUP").from("cluster_config.resource_group", Text),
    row("ROUTE_TABLE").from("cluster_config.cluster_network_config.route_table", Text),
    row("RUNC_PACKAGE_URL").from("runc_config.runc_package_url", Text),
    row("RUNC_VERSION").from("runc_config.runc_version", Text),
    row("SECURE_TLS_BOOTSTRAPPING_AAD_RESOURCE")
        .from("bootstrapping_config.secure_tls_bootstrapping_aad_resource", Text),
    row("SECURE_TLS_BOOTSTRAPPING_GET_ACCESS_TOKEN_TIMEOUT")
        .from("bootstrapping_config.secure_tls_bootstrapping_get_access_token_timeout", Text),
    row("SECURE_TLS_BOOTSTRAPPING_GET_ATTESTED_DATA_TIMEOUT")
        .from("bootstrapping_config.secure_tls_bootstrapping_get_attested_data_timeout", Text),
    row("SECURE_TLS_BOOTSTRAPPING_GET_CREDENTIAL_TIMEOUT")
        .from("bootstrapping_config.secure_tls_bootstrapping_get_credential_timeout", Text),
    row("SECURE_TLS_BOOTSTRAPPING_GET_INSTANCE_DATA_TIMEOUT")
        .from("bootstrapping_config.secure_tls_bootstrapping_get_instance_data_timeout", Text),
    row("SECURE_TLS_BOOTSTRAPPING_GET_NONCE_TIMEOUT")
        .from("bootstrapping_config.secure_tls_bootstrapping_get_nonce_timeout", Text),
    row("SECURE_TLS_BOOTSTRAPPING_USER_ASSIGNED_IDENTITY_ID")
        .from("bootstrapping_config.secure_tls_bootstrapping_user_assigned_identity_id", Text),
    row("SECURE_TLS_BOOTSTRAPPING_VALIDATE_KUBECONFIG_TIMEOUT")
        .from("bootstrapping_config.secure_tls_bootstrapping_validate_kubeconfig_timeout", Text),
    row("SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID")
        .from("service_account_image_pull_profile.default_client_id", Text),
    row("SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_TENANT_ID")
        .from("service_account_image_pull_profile.default_tenant_id", Text),
    row("SERVICE_ACCOUNT_IMAGE_PULL_ENABLED").from("service_account_image_pull_profile.enabled", Switch),
    row("SERVICE_PRINCIPAL_CLIENT_ID").from("auth_config.service_principal_id", Text),
    row("SERVICE_PRINCIPAL_FILE_CONTENT").from("auth_config.service_principal_secret", Text),
    computed("SGX_NODE", &["vm_size"], computed::has_sgx)
        .words("`true` for `Standard_DC2s` and `Standard_DC4s` in exactly this letter case, otherwise `false`."),
    row("SHOULD_CONFIGURE_CUSTOM_CA_TRUST").from("custom_ca_certs", IsSet),
    computed(
        "SHOULD_CONFIGURE_HTTP_PROXY",
        &["http_proxy_config.http_proxy", "http_proxy_config.https_proxy"],
        computed::has_proxy,
    )
    .words("`true` if at least one of the fields is not empty, otherwise `false`."),
    row("SHOULD_CONFIGURE_HTTP_PROXY_CA").from("http_proxy_config.proxy_trusted_ca", IsSet),
    row("SHOULD_CONFIG_CONTAINERD_ULIMITS").from("custom_linux_os_config.ulimit_config", IsSet),
    computed(
        "SHOULD_CONFIG_SWAP_FILE",
        &["custom_linux_os_config.enable_swap_config", "custom_linux_os_config.swap_file_size"],
        computed::has_swap_file,
    )
    .words("`true` if `enable_swap_config` is `true` and `swap_file_size` is greater than zero, otherwise `false`."),
    computed(
        "SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE",
        &["custom_linux_os_config.transparent_hugepage_support", "custom_linux_os_config.transparent_defrag"],
        computed::sets_huge_pages,
    )
    .words("`true` if at least one of the fields is not empty, otherwise `false`."),
    computed(
        "SHOULD_ENABLE_HOSTS_PLUGIN",
        &["local_dns_profile.enable_local_dns", "local_dns_profile.enable_hosts_plugin"],
        computed::has_hosts_plugin,
    )
    .words("`true` if both fields are `true`, otherwise `false`."),
    row("SHOULD_ENABLE_LOCALDNS").from("local_dns_profile.enable_local_dns", Switch),
    constant("SKIP_WAAGENT_HOLD", "true"),
    row("STANDARD_SECONDARY_NIC_COUNT").from("network_config.standard_secondary_nic_count", Integer),
    row("SUBNET").from("cluster_config.cluster_network_config.subnet", Text),
    row("SUBSCRIPTION_ID").from("auth_config.subscription_id", Text),
    row("SWAP_FILE_SIZE_MB").from("custom_linux_os_config.swap_file_size", Integer),
    payload("SYSCTL_CONTENT", &["custom_linux_os_config.sysctl_config"], sysctl::content)
        .words("`key=value` lines in byte order of the keys, in base64. Settings with a default are always written."),
    computed("TARGET_CLOUD", &["custom_cloud_config.custom_cloud_env_name", "cluster_config.location"], |context| {
        context.cloud.name.into()
    })
    .words("The name of the cloud that the location belongs to; `AzureStackCloud` in a custom cloud."),
    computed(
        "TARGET_ENVIRONMENT",
        &["custom_cloud_config.custom_cloud_env_name", "cluster_config.location"],
        |context| context.cloud.environment.into(),
    )
    .words("As `TARGET_CLOUD`; `akscustom` in a custom cloud."),
    row("TENANT_ID").from("auth_config.tenant_id", Text),
    row("THP_DEFRAG").from("custom_linux_os_config.transparent_defrag", Text),
    row("THP_ENABLED").from("custom_linux_os_config.transparent_hugepage_support", Text),
    row("TLS_BOOTSTRAP_TOKEN").from("bootstrapping_config.tls_bootstrapping_token", Text),
    row("USER_ASSIGNED_IDENTITY_ID").from("auth_config.assigned_identity_id", Text),
    row("USE_INSTANCE_METADATA").from("cluster_config.use_instance_metadata", Switch),
    row("USE_MANAGED_IDENTITY_EXTENSION").from("auth_config.use_managed_identity_extension", Switch),
    row("VIRTUAL_NETWORK").from("cluster_config.cluster_network_config.vnet_name", Text),
    row("VIRTUAL_NETWORK_RESOURCE_GROUP").from("cluster_config.cluster_network_config.vnet_resource_group", Text),
    row("VM_TYPE")
        .from("cluster_config.vm_type", Word(&[(VmType::Standard as i32, "standard"), (VmType::Vmss as i32, "vmss")])),
    row("VNET_CNI_PLUGINS_URL").from("network_config.vnet_cni_plugins_url", Text),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::variables as catalogue;

    #[test]
    fn rows_are_in_byte_order_and_name_variables_of_the_catalogue() {
        assert!(DERIVATIONS.is_sorted_by(|before, after| before.name < after.name));
        for derivation in DERIVATIONS {
            let variable = catalogue::variable(derivation.name);
            assert_eq!(variable.map(|variable| variable.name), Some(derivation.name));
        }
    }

    #[test]
    fn rules_are_sentences() {
        for derivation in DERIVATIONS {
            let rule = derivation.rule();
            let begins = rule.starts_with('`') || rule.starts_with(char::is_uppercase);
            assert!(begins && rule.ends_with('.') && !rule.contains("  "), "{}: {rule}", derivation.name);
        }
    }
}
