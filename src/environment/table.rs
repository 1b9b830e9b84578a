//! The table of the node's environment: which fields of the Configuration lead to a variable, by which rule.
//!
//! To add a variable: a row in `catalogue::variables` that says what it is, and a row here that says where its value
//! comes from. Both tables are in byte order of the names, which is the order on the node.

use super::context::{self, Context, double, integer, one_line, optional, or, switch, text};
use super::payloads::{
    containerd::{self, Variant},
    corefile, kubelet, kubenet, proxy, sysctl, ulimits,
};
use std::sync::LazyLock;

use super::Value;
use crate::catalogue::variables::{self as catalogue, Variable};
use crate::catalogue::{gpu, paths, timeouts};
use crate::configuration::{
    BootstrappingAuthMethod, KubeletDisk, LoadBalancerSku, NetworkPlugin, NetworkPolicy, VmType,
};

/// Where the value of one variable comes from.
#[derive(Debug)]
pub struct Derivation {
    /// The variable; its meaning stands in `catalogue::variables`.
    pub name: &'static str,
    /// The fields that it depends on. None: the same on every node.
    pub fields: &'static [&'static str],
    /// How the value follows from them, in words.
    pub rule: &'static str,
    pub(super) value: for<'a> fn(&Context<'a>) -> Value<'a>,
}

const fn row(
    name: &'static str,
    fields: &'static [&'static str],
    rule: &'static str,
    value: for<'a> fn(&Context<'a>) -> Value<'a>,
) -> Derivation {
    Derivation { name, fields, rule, value }
}

/// In byte order of the names.
pub static DERIVATIONS: &[Derivation] = &[
    row("ADMINUSER", &["linux_admin_username"], "`azureuser` when empty", |i| {
        or(&i.config.linux_admin_username, "azureuser")
    }),
    row(
        "AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX",
        &["custom_cloud_config.container_registry_dns_suffix"],
        "as it stands; empty when unset",
        |i| text(&i.custom_cloud.container_registry_dns_suffix),
    ),
    row("APISERVER_PUBLIC_KEY", &["api_server_config.api_server_public_key"], "as it stands; empty when unset", |i| {
        text(&i.api_server.api_server_public_key)
    }),
    row("API_SERVER_NAME", &["api_server_config.api_server_name"], "as it stands; empty when unset", |i| {
        text(&i.api_server.api_server_name)
    }),
    row(
        "ARM_RESOURCE_ENDPOINT",
        &[
            "custom_cloud_config.custom_cloud_env_name",
            "cluster_config.location",
            "custom_cloud_config.custom_env_json_content",
        ],
        "the endpoint of the cloud that the location lies in; for a custom cloud `resourceManagerEndpoint` of its environment text",
        context::resource_manager,
    ),
    row("ARTIFACT_STREAMING_ENABLED", &["enable_artifact_streaming"], "`true` or `false`; `false` when unset", |i| {
        switch(i.config.enable_artifact_streaming)
    }),
    row(
        "AZURE_ENVIRONMENT_FILEPATH",
        &["custom_cloud_config.custom_cloud_env_name"],
        "`/etc/kubernetes/akscustom.json` for a custom cloud; else empty",
        |i| i.only_custom_cloud(paths::CUSTOM_CLOUD_ENVIRONMENT),
    ),
    row("AZURE_PRIVATE_REGISTRY_SERVER", &["azure_private_registry_server"], "as it stands; empty when unset", |i| {
        text(&i.config.azure_private_registry_server)
    }),
    row(
        "BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER",
        &["bootstrap_profile_container_registry_server"],
        "as it stands; empty when unset",
        |i| text(&i.config.bootstrap_profile_container_registry_server),
    ),
    row("CLI_TOOL", &[], "the same for every node", |_| "ctr".into()),
    row("CLOUDPROVIDER_BACKOFF", &["cluster_config.cloud_provider_config.backoff"], "`true` when absent", |i| {
        switch(i.cloud_provider.backoff.unwrap_or(true))
    }),
    row(
        "CLOUDPROVIDER_BACKOFF_DURATION",
        &["cluster_config.cloud_provider_config.backoff_duration"],
        "`5` when absent",
        |i| integer(i.cloud_provider.backoff_duration.unwrap_or(5)),
    ),
    row(
        "CLOUDPROVIDER_BACKOFF_EXPONENT",
        &["cluster_config.cloud_provider_config.backoff_exponent"],
        "`0` when absent",
        |i| double(i.cloud_provider.backoff_exponent.unwrap_or(0.0)),
    ),
    row(
        "CLOUDPROVIDER_BACKOFF_JITTER",
        &["cluster_config.cloud_provider_config.backoff_jitter"],
        "`0` when absent",
        |i| double(i.cloud_provider.backoff_jitter.unwrap_or(0.0)),
    ),
    row(
        "CLOUDPROVIDER_BACKOFF_MODE",
        &["cluster_config.cloud_provider_config.backoff_mode"],
        "`v2` when absent or empty",
        |i| or(&i.cloud_provider.backoff_mode, "v2"),
    ),
    row(
        "CLOUDPROVIDER_BACKOFF_RETRIES",
        &["cluster_config.cloud_provider_config.backoff_retries"],
        "`6` when absent",
        |i| integer(i.cloud_provider.backoff_retries.unwrap_or(6)),
    ),
    row("CLOUDPROVIDER_RATELIMIT", &["cluster_config.cloud_provider_config.rate_limit"], "`true` when absent", |i| {
        switch(i.cloud_provider.rate_limit.unwrap_or(true))
    }),
    row(
        "CLOUDPROVIDER_RATELIMIT_BUCKET",
        &["cluster_config.cloud_provider_config.rate_limit_bucket"],
        "`100` when absent",
        |i| integer(i.cloud_provider.rate_limit_bucket.unwrap_or(100)),
    ),
    row(
        "CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE",
        &["cluster_config.cloud_provider_config.rate_limit_bucket_write"],
        "`100` when absent",
        |i| integer(i.cloud_provider.rate_limit_bucket_write.unwrap_or(100)),
    ),
    row(
        "CLOUDPROVIDER_RATELIMIT_QPS",
        &["cluster_config.cloud_provider_config.rate_limit_qps"],
        "`10` when absent",
        |i| double(i.cloud_provider.rate_limit_qps.unwrap_or(10.0)),
    ),
    row(
        "CLOUDPROVIDER_RATELIMIT_QPS_WRITE",
        &["cluster_config.cloud_provider_config.rate_limit_qps_write"],
        "`10` when absent",
        |i| double(i.cloud_provider.rate_limit_qps_write.unwrap_or(10.0)),
    ),
    row(
        "CONFIG_GPU_DRIVER_IF_NEEDED",
        &["gpu_config.config_gpu_driver"],
        "`true` or `false`; `false` when unset",
        |i| switch(i.gpu.config_gpu_driver),
    ),
    row(
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
        "base64 of containerd's configuration in the layout of the installed containerd, with the NVIDIA runtime where asked for",
        |i| containerd::config(i, Variant::Gpu).into(),
    ),
    row(
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
        "the same without any GPU part",
        |i| containerd::config(i, Variant::NoGpu).into(),
    ),
    row(
        "CONTAINERD_DOWNLOAD_URL_BASE",
        &["containerd_config.containerd_download_url_base"],
        "as it stands; empty when unset",
        |i| text(&i.containerd.containerd_download_url_base),
    ),
    row(
        "CONTAINERD_PACKAGE_URL",
        &["containerd_config.containerd_package_url"],
        "as it stands; empty when unset",
        |i| text(&i.containerd.containerd_package_url),
    ),
    row(
        "CONTAINERD_ULIMITS",
        &["custom_linux_os_config.ulimit_config"],
        "`[Service] `, then a setting and a blank for each limit that is present; empty when the message is absent",
        |i| i.os.ulimit_config.as_ref().map_or("".into(), |limits| ulimits::text(limits).into()),
    ),
    row("CONTAINERD_VERSION", &["containerd_config.containerd_version"], "as it stands; empty when unset", |i| {
        text(&i.containerd.containerd_version)
    }),
    row(
        "CREDENTIAL_PROVIDER_DOWNLOAD_URL",
        &["kube_binary_config.linux_credential_provider_url"],
        "as it stands; empty when unset",
        |i| text(&i.binaries.linux_credential_provider_url),
    ),
    row("CSE_CONFIG_FILEPATH", &[], "the same for every node", |_| paths::CONFIGS.into()),
    row("CSE_DISTRO_HELPERS_FILEPATH", &[], "the same for every node", |_| paths::SOURCE_DISTRO.into()),
    row("CSE_DISTRO_INSTALL_FILEPATH", &[], "the same for every node", |_| paths::INSTALLS_DISTRO.into()),
    row("CSE_HELPERS_FILEPATH", &[], "the same for every node", |_| paths::SOURCE.into()),
    row("CSE_INSTALL_FILEPATH", &[], "the same for every node", |_| paths::INSTALLS.into()),
    row("CSE_TIMEOUT", &["cse_timeout"], "the value from 1 to 21600; else `900`", |i| {
        integer(
            i.config.cse_timeout.filter(|seconds| timeouts::ACCEPTED.contains(seconds)).unwrap_or(timeouts::DEFAULT),
        )
    }),
    row(
        "CUSTOM_CA_CERT_n",
        &["custom_ca_certs"],
        "one variable for each element, counted from 0; its text without any line break",
        |_| "".into(),
    ),
    row("CUSTOM_CA_TRUST_COUNT", &["custom_ca_certs"], "number of elements, empty ones included", |i| {
        i.config.custom_ca_certs.len().to_string().into()
    }),
    row("CUSTOM_ENV_JSON", &["custom_cloud_config.custom_env_json_content"], "as it stands; empty when unset", |i| {
        text(&i.custom_cloud.custom_env_json_content)
    }),
    row(
        "CUSTOM_KUBE_BINARY_URL",
        &["kube_binary_config.custom_kube_binary_url"],
        "as it stands; empty when unset",
        |i| text(&i.binaries.custom_kube_binary_url),
    ),
    row("CUSTOM_SEARCH_DOMAIN_FILEPATH", &[], "the same for every node", |_| paths::CUSTOM_SEARCH_DOMAINS.into()),
    row(
        "CUSTOM_SEARCH_DOMAIN_NAME",
        &["custom_search_domain_config.domain_name"],
        "as it stands; empty when unset",
        |i| text(&i.search.domain_name),
    ),
    row(
        "CUSTOM_SEARCH_REALM_PASSWORD",
        &["custom_search_domain_config.realm_password"],
        "as it stands; empty when unset",
        |i| text(&i.search.realm_password),
    ),
    row(
        "CUSTOM_SEARCH_REALM_USER",
        &["custom_search_domain_config.realm_user"],
        "as it stands; empty when unset",
        |i| text(&i.search.realm_user),
    ),
    row(
        "CUSTOM_SECURE_TLS_BOOTSTRAPPING_CLIENT_DOWNLOAD_URL",
        &["bootstrapping_config.secure_tls_bootstrapping_custom_client_download_url"],
        "as it stands; empty when unset",
        |i| optional(i.bootstrapping.secure_tls_bootstrapping_custom_client_download_url.as_deref()),
    ),
    row("DHCPV6_CONFIG_FILEPATH", &[], "the same for every node", |_| paths::ENABLE_DHCPV6.into()),
    row("DHCPV6_SERVICE_FILEPATH", &[], "the same for every node", |_| paths::DHCPV6_SERVICE.into()),
    row("DISABLE_PUBKEY_AUTH", &["disable_pubkey_auth"], "`true` or `false`; `false` when unset", |i| {
        switch(i.config.disable_pubkey_auth.unwrap_or(false))
    }),
    row("DISABLE_SSH", &["enable_ssh"], "`false` when absent; else the negation", |i| {
        switch(!i.config.enable_ssh.unwrap_or(true))
    }),
    row(
        "ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED",
        &["gpu_config.gpu_device_plugin"],
        "`true` or `false`; `false` when unset",
        |i| switch(i.gpu.gpu_device_plugin),
    ),
    row("ENABLE_HOSTS_CONFIG_AGENT", &["enable_hosts_config_agent"], "`true` or `false`; `false` when unset", |i| {
        switch(i.config.enable_hosts_config_agent)
    }),
    row(
        "ENABLE_IMDS_RESTRICTION",
        &["imds_restriction_config.enable_imds_restriction"],
        "`true` or `false`; `false` when unset",
        |i| switch(i.imds.enable_imds_restriction),
    ),
    row(
        "ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION",
        &["kubelet_config.kubelet_config_file_config.server_tls_bootstrap"],
        "`true` or `false`; `false` when unset",
        |i| switch(i.kubelet_file.server_tls_bootstrap),
    ),
    row("ENABLE_MANAGED_GPU", &["gpu_config.enable_managed_gpu"], "`true` or `false`; `false` when unset", |i| {
        switch(i.gpu.enable_managed_gpu)
    }),
    row(
        "ENABLE_MANAGED_GPU_DRA",
        &["gpu_config.enable_managed_gpu_dra"],
        "`true` or `false`; `false` when unset",
        |i| switch(i.gpu.enable_managed_gpu_dra),
    ),
    row(
        "ENABLE_SECURE_TLS_BOOTSTRAPPING",
        &["bootstrapping_config.bootstrapping_auth_method"],
        "`true` exactly for `BOOTSTRAPPING_AUTH_METHOD_SECURE_TLS_BOOTSTRAPPING`",
        |i| switch(i.bootstrapping.bootstrapping_auth_method() == BootstrappingAuthMethod::SecureTlsBootstrapping),
    ),
    row("ENABLE_UNATTENDED_UPGRADES", &["enable_unattended_upgrade"], "`true` or `false`; `false` when unset", |i| {
        switch(i.config.enable_unattended_upgrade)
    }),
    row(
        "ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE",
        &["network_config.network_plugin", "network_config.network_policy"],
        "`true` exactly when the plugin is kubenet and the policy is not calico",
        |i| switch(i.bridge_guard()),
    ),
    row(
        "EXCLUDE_MASTER_FROM_STANDARD_LB",
        &["cluster_config.load_balancer_config.exclude_master_from_standard_load_balancer"],
        "`true` when the message or the field is absent; else the value",
        |i| switch(i.balancer.exclude_master_from_standard_load_balancer.unwrap_or(true)),
    ),
    row("GPU_DRIVER_TYPE", &["vm_size"], "by the size's class of GPU; set for every size, GPU or not", |i| {
        i.gpu_driver().kind.into()
    }),
    row(
        "GPU_DRIVER_VERSION",
        &["vm_size"],
        "version of the driver image of the size's class, from the image's component list",
        context::gpu_driver_version,
    ),
    row(
        "GPU_IMAGE_SHA",
        &["vm_size"],
        "suffix (a timestamp) of the driver image of the size's class, from the image's component list",
        context::gpu_image_suffix,
    ),
    row("GPU_INSTANCE_PROFILE", &["gpu_config.gpu_instance_profile"], "as it stands; empty when unset", |i| {
        text(&i.gpu.gpu_instance_profile)
    }),
    row("GPU_NEEDS_FABRIC_MANAGER", &["vm_size"], "`true` for the sizes whose GPUs are joined by NVSwitch", |i| {
        switch(gpu::needs_fabric_manager(&i.size))
    }),
    row("GPU_NODE", &["gpu_config.enable_nvidia"], "`true` or `false`; `false` when unset", |i| {
        switch(i.gpu.enable_nvidia.unwrap_or(false))
    }),
    row(
        "HAS_CUSTOM_SEARCH_DOMAIN",
        &[
            "custom_search_domain_config.domain_name",
            "custom_search_domain_config.realm_user",
            "custom_search_domain_config.realm_password",
        ],
        "`true` when all three fields are not empty",
        context::has_search_domain,
    ),
    row(
        "HAS_KUBELET_DISK_TYPE",
        &["kubelet_config.kubelet_disk_type"],
        "`true` exactly for `KUBELET_DISK_TEMP_DISK`",
        |i| switch(i.kubelet.kubelet_disk_type() == KubeletDisk::TempDisk),
    ),
    row("HTTPS_PROXY_URLS", &["http_proxy_config.https_proxy"], "as it stands; empty when unset", |i| {
        text(&i.proxy.https_proxy)
    }),
    row("HTTP_PROXY_TRUSTED_CA", &["http_proxy_config.proxy_trusted_ca"], "the text without any line break", |i| {
        one_line(&i.proxy.proxy_trusted_ca)
    }),
    row("HTTP_PROXY_URLS", &["http_proxy_config.http_proxy"], "as it stands; empty when unset", |i| {
        text(&i.proxy.http_proxy)
    }),
    row(
        "IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI",
        &["service_account_image_pull_profile.local_authority_sni"],
        "as it stands; empty when unset",
        |i| text(&i.image_pull.local_authority_sni),
    ),
    row("INIT_AKS_CLOUD_FILEPATH", &[], "the same for every node", |_| paths::INIT_AKS_CLOUD.into()),
    row(
        "INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE",
        &["imds_restriction_config.insert_imds_restriction_rule_to_mangle_table"],
        "`true` or `false`; `false` when unset",
        |i| switch(i.imds.insert_imds_restriction_rule_to_mangle_table),
    ),
    row("IPV6_DUAL_STACK_ENABLED", &["ipv6_dual_stack_enabled"], "`true` or `false`; `false` when unset", |i| {
        switch(i.config.ipv6_dual_stack_enabled)
    }),
    row(
        "IS_CUSTOM_CLOUD",
        &["custom_cloud_config.custom_cloud_env_name"],
        "`true` when the name is `akscustom`, letter case ignored",
        |i| switch(i.is_custom_cloud),
    ),
    row("IS_KATA", &["is_kata"], "`true` or `false`; `false` when unset", |i| switch(i.config.is_kata)),
    row("IS_VHD", &["is_vhd"], "`true` when absent; else the value", |i| switch(i.config.is_vhd.unwrap_or(true))),
    row(
        "KUBELET_CLIENT_CERT_CONTENT",
        &["kubelet_config.kubelet_client_cert_content"],
        "as it stands; empty when unset",
        |i| text(&i.kubelet.kubelet_client_cert_content),
    ),
    row("KUBELET_CLIENT_CONTENT", &["kubelet_config.kubelet_client_key"], "as it stands; empty when unset", |i| {
        text(&i.kubelet.kubelet_client_key)
    }),
    row(
        "KUBELET_CONFIG_FILE_CONTENT",
        &["kubelet_config.kubelet_config_file_config", "kubernetes_version"],
        "base64 of the kubelet's configuration file; empty only when `kubelet_config` itself is absent",
        |i| kubelet::file(i).into(),
    ),
    row(
        "KUBELET_CONFIG_FILE_ENABLED",
        &["kubelet_config.enable_kubelet_config_file"],
        "`true` or `false`; `false` when unset",
        |i| switch(i.kubelet.enable_kubelet_config_file),
    ),
    row(
        "KUBELET_FLAGS",
        &["kubelet_config.kubelet_flags", "kubernetes_version"],
        "`flag=value` in byte order of the flags, joined by blanks, without flags that this version dropped",
        |i| kubelet::flags(i).into(),
    ),
    row(
        "KUBELET_NODE_LABELS",
        &["kubelet_config.kubelet_node_labels"],
        "`key=value` in byte order of the keys, joined by commas",
        |i| kubelet::labels(i).into(),
    ),
    row("KUBENET_TEMPLATE", &[], "base64 of `parts/kubenet_template.conf`, the same for every node", |_| {
        kubenet::TEMPLATE.as_str().into()
    }),
    row("KUBEPROXY_URL", &["kube_proxy_url"], "as it stands; empty when unset", |i| text(&i.config.kube_proxy_url)),
    row("KUBERNETES_VERSION", &["kubernetes_version"], "as it stands; empty when unset", |i| {
        text(&i.config.kubernetes_version)
    }),
    row("KUBE_BINARY_URL", &["kube_binary_config.kube_binary_url"], "as it stands; empty when unset", |i| {
        text(&i.binaries.kube_binary_url)
    }),
    row("KUBE_CA_CRT", &["kubernetes_ca_cert"], "as it stands; empty when unset", |i| {
        text(&i.config.kubernetes_ca_cert)
    }),
    row(
        "LOAD_BALANCER_DISABLE_OUTBOUND_SNAT",
        &["cluster_config.load_balancer_config.disable_outbound_snat"],
        "`true` or `false`; `false` when unset",
        |i| switch(i.balancer.disable_outbound_snat),
    ),
    row(
        "LOAD_BALANCER_SKU",
        &["cluster_config.load_balancer_config.load_balancer_sku"],
        "`basic` or `standard`; empty for anything else",
        |i| {
            match i.balancer.load_balancer_sku() {
                LoadBalancerSku::Unspecified => "",
                LoadBalancerSku::Basic => "basic",
                LoadBalancerSku::Standard => "standard",
            }
            .into()
        },
    ),
    row(
        "LOCALDNS_COREFILE_BASE",
        &[
            "local_dns_profile.enable_local_dns",
            "local_dns_profile.vnet_dns_overrides",
            "local_dns_profile.kube_dns_overrides",
            "cluster_config.cluster_network_config.core_dns_service_ip",
        ],
        "base64 of the Corefile without the hosts plugin; empty when LocalDNS is off",
        |i| corefile::base(i).into(),
    ),
    row(
        "LOCALDNS_COREFILE_WITH_HOSTS",
        &[
            "local_dns_profile.enable_local_dns",
            "local_dns_profile.vnet_dns_overrides",
            "local_dns_profile.kube_dns_overrides",
            "cluster_config.cluster_network_config.core_dns_service_ip",
        ],
        "base64 of the Corefile with the hosts plugin, asked for or not; empty when LocalDNS is off",
        |i| corefile::with_hosts(i).into(),
    ),
    row(
        "LOCALDNS_CPU_LIMIT",
        &["local_dns_profile.cpu_limit_in_milli_cores", "local_dns_profile.enable_local_dns"],
        "a tenth of the millicores with one decimal, then `%`; `200.0%` when LocalDNS is off or the value is zero",
        context::local_dns_cpu,
    ),
    row(
        "LOCALDNS_CRITICAL_FQDNS",
        &["local_dns_profile.critical_fqdns"],
        "the names without blanks around them, empty ones dropped, joined by commas",
        |i| {
            i.local_dns
                .critical_fqdns
                .iter()
                .map(|name| name.trim())
                .filter(|name| !name.is_empty())
                .collect::<Vec<_>>()
                .join(",")
                .into()
        },
    ),
    row(
        "LOCALDNS_GENERATED_COREFILE",
        &[
            "local_dns_profile.enable_local_dns",
            "local_dns_profile.vnet_dns_overrides",
            "local_dns_profile.kube_dns_overrides",
            "cluster_config.cluster_network_config.core_dns_service_ip",
        ],
        "always the same value as `LOCALDNS_COREFILE_BASE`",
        |i| corefile::base(i).into(),
    ),
    row(
        "LOCALDNS_HOSTS_PLUGIN_REFRESH_INTERVAL_IN_SECONDS",
        &["local_dns_profile.hosts_plugin_refresh_interval_in_seconds"],
        "the integer when above zero; else empty",
        |i| match i.local_dns.hosts_plugin_refresh_interval_in_seconds {
            Some(seconds @ 1..) => integer(seconds),
            _ => "".into(),
        },
    ),
    row(
        "LOCALDNS_MEMORY_LIMIT",
        &["local_dns_profile.memory_limit_in_mb", "local_dns_profile.enable_local_dns"],
        "the megabytes, then `M`; `128M` when LocalDNS is off or the value is zero",
        context::local_dns_memory,
    ),
    row("LOCATION", &["cluster_config.location"], "as it stands; empty when unset", |i| text(&i.cluster.location)),
    row(
        "MANAGED_GPU_EXPERIENCE_AFEC_ENABLED",
        &["gpu_config.managed_gpu_experience_afec_enabled"],
        "`true` or `false`; `false` when unset",
        |i| switch(i.gpu.managed_gpu_experience_afec_enabled),
    ),
    row(
        "MAXIMUM_LOADBALANCER_RULE_COUNT",
        &["cluster_config.load_balancer_config.max_load_balancer_rule_count"],
        "`148` when the message or the field is absent; else the integer, zero and negatives included",
        |i| integer(i.balancer.max_load_balancer_rule_count.unwrap_or(148)),
    ),
    row("MESSAGE_OF_THE_DAY", &["message_of_the_day"], "as it stands; empty when unset", |i| {
        text(&i.config.message_of_the_day)
    }),
    row("MIG_NODE", &["gpu_config.gpu_instance_profile"], "`true` when not empty", |i| {
        switch(!i.gpu.gpu_instance_profile.is_empty())
    }),
    row("MOBY_VERSION", &[], "always empty", |_| "".into()),
    row("NEEDS_CGROUPV2", &["needs_cgroupv2"], "`true` or `false`; `false` when unset", |i| {
        switch(i.config.needs_cgroupv2.unwrap_or(false))
    }),
    row("NETWORK_ISOLATED_CLUSTER_TEST_MODE", &[], "the same for every node", |_| "false".into()),
    row("NETWORK_MODE", &[], "always empty", |_| "".into()),
    row(
        "NETWORK_PLUGIN",
        &["network_config.network_plugin"],
        "`none`, `azure` or `kubenet`; empty for anything else",
        |i| {
            match i.network.network_plugin() {
                NetworkPlugin::Unspecified => "",
                NetworkPlugin::None => "none",
                NetworkPlugin::Azure => "azure",
                NetworkPlugin::Kubenet => "kubenet",
            }
            .into()
        },
    ),
    row(
        "NETWORK_POLICY",
        &["network_config.network_policy"],
        "`none`, `azure` or `calico`; empty for anything else",
        |i| {
            match i.network.network_policy() {
                NetworkPolicy::Unspecified => "",
                NetworkPolicy::None => "none",
                NetworkPolicy::Azure => "azure",
                NetworkPolicy::Calico => "calico",
            }
            .into()
        },
    ),
    row(
        "NETWORK_SECURITY_GROUP",
        &["cluster_config.cluster_network_config.security_group_name"],
        "as it stands; empty when unset",
        |i| text(&i.vnet.security_group_name),
    ),
    row("NO_PROXY_URLS", &["http_proxy_config.no_proxy_entries"], "elements joined by `,`", |i| {
        i.proxy.no_proxy_entries.join(",").into()
    }),
    row(
        "NVIDIA_MIG_PROFILE_LAYOUT",
        &["gpu_config.mig_profile_layout"],
        "elements joined by `,`; empty when no element",
        |i| i.gpu.mig_profile_layout.join(",").into(),
    ),
    row("NVIDIA_MIG_STRATEGY", &["gpu_config.mig_strategy"], "as it stands; empty when unset", |i| {
        text(&i.gpu.mig_strategy)
    }),
    row("OUTBOUND_COMMAND", &["outbound_command"], "as it stands; empty when unset", |i| {
        text(&i.config.outbound_command)
    }),
    row("PRE_PROVISION_ONLY", &["pre_provision_only"], "`true` or `false`; `false` when unset", |i| {
        switch(i.config.pre_provision_only)
    }),
    row(
        "PRIMARY_AVAILABILITY_SET",
        &["cluster_config.primary_availability_set"],
        "as it stands; empty when unset",
        |i| text(&i.cluster.primary_availability_set),
    ),
    row("PRIMARY_SCALE_SET", &["cluster_config.primary_scale_set"], "as it stands; empty when unset", |i| {
        text(&i.cluster.primary_scale_set)
    }),
    row("PRIVATE_EGRESS_PROXY_ADDRESS", &["private_egress_proxy_address"], "as it stands; empty when unset", |i| {
        text(&i.config.private_egress_proxy_address)
    }),
    row(
        "PRIVATE_KUBE_BINARY_URL",
        &["kube_binary_config.private_kube_binary_url"],
        "as it stands; empty when unset",
        |i| text(&i.binaries.private_kube_binary_url),
    ),
    row("PROVISION_OUTPUT", &[], "the same for every node", |_| paths::PROVISION_OUTPUT.into()),
    row(
        "PROXY_VARS",
        &["http_proxy_config.http_proxy", "http_proxy_config.https_proxy", "http_proxy_config.no_proxy_entries"],
        "an `export` statement for each part that is set",
        |i| proxy::shell_text(i.proxy).into(),
    ),
    row(
        "REPO_DEPOT_ENDPOINT",
        &["custom_cloud_config.custom_cloud_env_name", "custom_cloud_config.repo_depot_endpoint"],
        "the value for a custom cloud; else empty",
        |i| i.only_custom_cloud(&i.custom_cloud.repo_depot_endpoint),
    ),
    row("RESOURCE_GROUP", &["cluster_config.resource_group"], "as it stands; empty when unset", |i| {
        text(&i.cluster.resource_group)
    }),
    row("ROUTE_TABLE", &["cluster_config.cluster_network_config.route_table"], "as it stands; empty when unset", |i| {
        text(&i.vnet.route_table)
    }),
    row("RUNC_PACKAGE_URL", &["runc_config.runc_package_url"], "as it stands; empty when unset", |i| {
        text(&i.runc.runc_package_url)
    }),
    row("RUNC_VERSION", &["runc_config.runc_version"], "as it stands; empty when unset", |i| {
        text(&i.runc.runc_version)
    }),
    row(
        "SECURE_TLS_BOOTSTRAPPING_AAD_RESOURCE",
        &["bootstrapping_config.secure_tls_bootstrapping_aad_resource"],
        "as it stands; empty when unset",
        |i| optional(i.bootstrapping.secure_tls_bootstrapping_aad_resource.as_deref()),
    ),
    row(
        "SECURE_TLS_BOOTSTRAPPING_GET_ACCESS_TOKEN_TIMEOUT",
        &["bootstrapping_config.secure_tls_bootstrapping_get_access_token_timeout"],
        "as it stands; empty when unset",
        |i| optional(i.bootstrapping.secure_tls_bootstrapping_get_access_token_timeout.as_deref()),
    ),
    row(
        "SECURE_TLS_BOOTSTRAPPING_GET_ATTESTED_DATA_TIMEOUT",
        &["bootstrapping_config.secure_tls_bootstrapping_get_attested_data_timeout"],
        "as it stands; empty when unset",
        |i| optional(i.bootstrapping.secure_tls_bootstrapping_get_attested_data_timeout.as_deref()),
    ),
    row(
        "SECURE_TLS_BOOTSTRAPPING_GET_CREDENTIAL_TIMEOUT",
        &["bootstrapping_config.secure_tls_bootstrapping_get_credential_timeout"],
        "as it stands; empty when unset",
        |i| optional(i.bootstrapping.secure_tls_bootstrapping_get_credential_timeout.as_deref()),
    ),
    row(
        "SECURE_TLS_BOOTSTRAPPING_GET_INSTANCE_DATA_TIMEOUT",
        &["bootstrapping_config.secure_tls_bootstrapping_get_instance_data_timeout"],
        "as it stands; empty when unset",
        |i| optional(i.bootstrapping.secure_tls_bootstrapping_get_instance_data_timeout.as_deref()),
    ),
    row(
        "SECURE_TLS_BOOTSTRAPPING_GET_NONCE_TIMEOUT",
        &["bootstrapping_config.secure_tls_bootstrapping_get_nonce_timeout"],
        "as it stands; empty when unset",
        |i| optional(i.bootstrapping.secure_tls_bootstrapping_get_nonce_timeout.as_deref()),
    ),
    row(
        "SECURE_TLS_BOOTSTRAPPING_USER_ASSIGNED_IDENTITY_ID",
        &["bootstrapping_config.secure_tls_bootstrapping_user_assigned_identity_id"],
        "as it stands; empty when unset",
        |i| optional(i.bootstrapping.secure_tls_bootstrapping_user_assigned_identity_id.as_deref()),
    ),
    row(
        "SECURE_TLS_BOOTSTRAPPING_VALIDATE_KUBECONFIG_TIMEOUT",
        &["bootstrapping_config.secure_tls_bootstrapping_validate_kubeconfig_timeout"],
        "as it stands; empty when unset",
        |i| optional(i.bootstrapping.secure_tls_bootstrapping_validate_kubeconfig_timeout.as_deref()),
    ),
    row(
        "SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID",
        &["service_account_image_pull_profile.default_client_id"],
        "as it stands; empty when unset",
        |i| text(&i.image_pull.default_client_id),
    ),
    row(
        "SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_TENANT_ID",
        &["service_account_image_pull_profile.default_tenant_id"],
        "as it stands; empty when unset",
        |i| text(&i.image_pull.default_tenant_id),
    ),
    row(
        "SERVICE_ACCOUNT_IMAGE_PULL_ENABLED",
        &["service_account_image_pull_profile.enabled"],
        "`true` or `false`; `false` when unset",
        |i| switch(i.image_pull.enabled),
    ),
    row("SERVICE_PRINCIPAL_CLIENT_ID", &["auth_config.service_principal_id"], "as it stands; empty when unset", |i| {
        text(&i.auth.service_principal_id)
    }),
    row(
        "SERVICE_PRINCIPAL_FILE_CONTENT",
        &["auth_config.service_principal_secret"],
        "as it stands; empty when unset",
        |i| text(&i.auth.service_principal_secret),
    ),
    row(
        "SGX_NODE",
        &["vm_size"],
        "`true` exactly for `Standard_DC2s` and `Standard_DC4s`, letter case significant",
        |i| switch(matches!(&*i.config.vm_size, "Standard_DC2s" | "Standard_DC4s")),
    ),
    row("SHOULD_CONFIGURE_CUSTOM_CA_TRUST", &["custom_ca_certs"], "`true` when there is at least one element", |i| {
        switch(!i.config.custom_ca_certs.is_empty())
    }),
    row(
        "SHOULD_CONFIGURE_HTTP_PROXY",
        &["http_proxy_config.http_proxy", "http_proxy_config.https_proxy"],
        "`true` when either is not empty",
        |i| switch(!i.proxy.http_proxy.is_empty() || !i.proxy.https_proxy.is_empty()),
    ),
    row(
        "SHOULD_CONFIGURE_HTTP_PROXY_CA",
        &["http_proxy_config.proxy_trusted_ca"],
        "`true` when the text is not empty; line breaks alone count",
        |i| switch(!i.proxy.proxy_trusted_ca.is_empty()),
    ),
    row(
        "SHOULD_CONFIG_CONTAINERD_ULIMITS",
        &["custom_linux_os_config.ulimit_config"],
        "`true` when the message is present, even if empty",
        |i| switch(i.os.ulimit_config.is_some()),
    ),
    row(
        "SHOULD_CONFIG_SWAP_FILE",
        &["custom_linux_os_config.enable_swap_config", "custom_linux_os_config.swap_file_size"],
        "`true` when the switch is on and the size is above zero",
        |i| switch(i.os.enable_swap_config && i.os.swap_file_size > 0),
    ),
    row(
        "SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE",
        &["custom_linux_os_config.transparent_hugepage_support", "custom_linux_os_config.transparent_defrag"],
        "`true` when either text is not empty",
        |i| switch(!i.os.transparent_hugepage_support.is_empty() || !i.os.transparent_defrag.is_empty()),
    ),
    row(
        "SHOULD_ENABLE_HOSTS_PLUGIN",
        &["local_dns_profile.enable_local_dns", "local_dns_profile.enable_hosts_plugin"],
        "`true` when both are",
        |i| switch(i.local_dns.enable_local_dns && i.local_dns.enable_hosts_plugin),
    ),
    row(
        "SHOULD_ENABLE_LOCALDNS",
        &["local_dns_profile.enable_local_dns"],
        "`true` or `false`; `false` when unset",
        |i| switch(i.local_dns.enable_local_dns),
    ),
    row("SKIP_WAAGENT_HOLD", &[], "the same for every node", |_| "true".into()),
    row(
        "STANDARD_SECONDARY_NIC_COUNT",
        &["network_config.standard_secondary_nic_count"],
        "integer; `0` when unset",
        |i| integer(i.network.standard_secondary_nic_count),
    ),
    row("SUBNET", &["cluster_config.cluster_network_config.subnet"], "as it stands; empty when unset", |i| {
        text(&i.vnet.subnet)
    }),
    row("SUBSCRIPTION_ID", &["auth_config.subscription_id"], "as it stands; empty when unset", |i| {
        text(&i.auth.subscription_id)
    }),
    row(
        "SWAP_FILE_SIZE_MB",
        &["custom_linux_os_config.swap_file_size"],
        "integer; `0` when unset; not gated by the switch",
        |i| integer(i.os.swap_file_size),
    ),
    row(
        "SYSCTL_CONTENT",
        &["custom_linux_os_config.sysctl_config"],
        "base64 of `key=value` lines in byte order of the keys; never empty",
        |i| sysctl::content(i.os.sysctl_config.as_ref()).into(),
    ),
    row(
        "TARGET_CLOUD",
        &["custom_cloud_config.custom_cloud_env_name", "cluster_config.location"],
        "the cloud that the location lies in; `AzureStackCloud` for a custom cloud",
        |i| i.cloud.name.into(),
    ),
    row(
        "TARGET_ENVIRONMENT",
        &["custom_cloud_config.custom_cloud_env_name", "cluster_config.location"],
        "the same; `akscustom` for a custom cloud",
        |i| i.cloud.environment.into(),
    ),
    row("TENANT_ID", &["auth_config.tenant_id"], "as it stands; empty when unset", |i| text(&i.auth.tenant_id)),
    row("THP_DEFRAG", &["custom_linux_os_config.transparent_defrag"], "as it stands; empty when unset", |i| {
        text(&i.os.transparent_defrag)
    }),
    row(
        "THP_ENABLED",
        &["custom_linux_os_config.transparent_hugepage_support"],
        "as it stands; empty when unset",
        |i| text(&i.os.transparent_hugepage_support),
    ),
    row(
        "TLS_BOOTSTRAP_TOKEN",
        &["bootstrapping_config.tls_bootstrapping_token"],
        "as it stands; empty when unset",
        |i| optional(i.bootstrapping.tls_bootstrapping_token.as_deref()),
    ),
    row("USER_ASSIGNED_IDENTITY_ID", &["auth_config.assigned_identity_id"], "as it stands; empty when unset", |i| {
        text(&i.auth.assigned_identity_id)
    }),
    row(
        "USE_INSTANCE_METADATA",
        &["cluster_config.use_instance_metadata"],
        "`true` or `false`; `false` when unset",
        |i| switch(i.cluster.use_instance_metadata),
    ),
    row(
        "USE_MANAGED_IDENTITY_EXTENSION",
        &["auth_config.use_managed_identity_extension"],
        "`true` or `false`; `false` when unset",
        |i| switch(i.auth.use_managed_identity_extension),
    ),
    row(
        "VIRTUAL_NETWORK",
        &["cluster_config.cluster_network_config.vnet_name"],
        "as it stands; empty when unset",
        |i| text(&i.vnet.vnet_name),
    ),
    row(
        "VIRTUAL_NETWORK_RESOURCE_GROUP",
        &["cluster_config.cluster_network_config.vnet_resource_group"],
        "as it stands; empty when unset",
        |i| text(&i.vnet.vnet_resource_group),
    ),
    row("VM_TYPE", &["cluster_config.vm_type"], "`standard` or `vmss`; empty for anything else", |i| {
        match i.cluster.vm_type() {
            VmType::Unspecified => "",
            VmType::Standard => "standard",
            VmType::Vmss => "vmss",
        }
        .into()
    }),
    row("VNET_CNI_PLUGINS_URL", &["network_config.vnet_cni_plugins_url"], "as it stands; empty when unset", |i| {
        text(&i.network.vnet_cni_plugins_url)
    }),
];

/// What each row's variable is, found once.
pub(super) fn variables() -> impl Iterator<Item = &'static Variable> {
    static FOUND: LazyLock<Vec<&'static Variable>> = LazyLock::new(|| {
        let found = |name| catalogue::variable(name).expect("a test holds that every row has its variable");
        DERIVATIONS.iter().map(|derivation| found(derivation.name)).collect()
    });
    FOUND.iter().copied()
}
