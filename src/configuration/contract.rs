// @generated from proto/ by `make generate`. Do not edit.

#![allow(
    deprecated,
    reason = "the tables name every field, those that left Kubernetes too"
)]
use super::message::*;
/// The Kubernetes API server, as the node reaches it.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct ApiServerConfig {
    /// Certificate of the API server, PEM in base64. If empty, `apiserver.crt` is not written. Sets
    /// `APISERVER_PUBLIC_KEY`.
    #[prost(string, tag = "1")]
    pub api_server_public_key: ::prost::alloc::string::String,
    /// Host name or IP address of the API server, without scheme or port. Required. Sets
    /// `API_SERVER_NAME`.
    #[prost(string, tag = "2")]
    pub api_server_name: ::prost::alloc::string::String,
}
/// The identity that the node uses for the Azure API.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct AuthConfig {
    /// Entra ID tenant of the cluster, a UUID. Sets `TENANT_ID`.
    #[prost(string, tag = "1")]
    pub tenant_id: ::prost::alloc::string::String,
    /// Subscription of the node, a UUID. Required. Sets `SUBSCRIPTION_ID`.
    #[prost(string, tag = "2")]
    pub subscription_id: ::prost::alloc::string::String,
    /// Client id of the service principal. With managed identities, by convention `msi`. Sets
    /// `SERVICE_PRINCIPAL_CLIENT_ID`.
    #[prost(string, tag = "3")]
    pub service_principal_id: ::prost::alloc::string::String,
    /// Secret of the service principal, already in base64; passed on unchanged. Secret. With managed
    /// identities, by convention the base64 of `msi`. Sets `SERVICE_PRINCIPAL_FILE_CONTENT`.
    #[prost(string, tag = "4")]
    pub service_principal_secret: ::prost::alloc::string::String,
    /// Client id of the user-assigned identity of the kubelet. None by default. Sets
    /// `USER_ASSIGNED_IDENTITY_ID`.
    #[prost(string, tag = "5")]
    pub assigned_identity_id: ::prost::alloc::string::String,
    /// Whether the cloud provider signs in with a managed identity instead of the service principal.
    /// Defaults to `false`. Sets `USE_MANAGED_IDENTITY_EXTENSION`.
    #[prost(bool, tag = "6")]
    pub use_managed_identity_extension: bool,
}
/// How the node obtains its first credential for the API server.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct BootstrappingConfig {
    /// Kind of credential with which the node joins. Sets `ENABLE_SECURE_TLS_BOOTSTRAPPING` to `true`
    /// for secure TLS bootstrapping, and to `false` for every other value.
    #[prost(enumeration = "BootstrappingAuthMethod", tag = "1")]
    pub bootstrapping_auth_method: i32,
    /// How the node obtains its identity with the credential. Has no effect.
    #[prost(enumeration = "ClusterJoinMethod", tag = "2")]
    pub cluster_join_method: i32,
    /// Bootstrap token in the form `id.secret`. Secret. If absent or empty, the node has no token.
    /// Used whatever the authentication method is. Sets `TLS_BOOTSTRAP_TOKEN`.
    #[prost(string, optional, tag = "3")]
    pub tls_bootstrapping_token: ::core::option::Option<::prost::alloc::string::String>,
    /// Entra ID resource for which the bootstrap client requests a token. Defaults to the AKS server
    /// application. Sets `SECURE_TLS_BOOTSTRAPPING_AAD_RESOURCE`.
    #[prost(string, optional, tag = "6")]
    pub secure_tls_bootstrapping_aad_resource: ::core::option::Option<
        ::prost::alloc::string::String,
    >,
    /// Id of the user-assigned identity that the bootstrap client signs in with. If absent or empty,
    /// the client chooses one. Sets `SECURE_TLS_BOOTSTRAPPING_USER_ASSIGNED_IDENTITY_ID`.
    #[prost(string, optional, tag = "7")]
    pub secure_tls_bootstrapping_user_assigned_identity_id: ::core::option::Option<
        ::prost::alloc::string::String,
    >,
    /// URL of a bootstrap client to download. Defaults to the one in the node image. Sets
    /// `CUSTOM_SECURE_TLS_BOOTSTRAPPING_CLIENT_DOWNLOAD_URL`.
    #[prost(string, optional, tag = "8")]
    pub secure_tls_bootstrapping_custom_client_download_url: ::core::option::Option<
        ::prost::alloc::string::String,
    >,
    /// Time limit for checking an existing kubeconfig. A duration such as `30s`, not checked. Defaults
    /// to the client's own default. Sets `SECURE_TLS_BOOTSTRAPPING_VALIDATE_KUBECONFIG_TIMEOUT`.
    #[prost(string, optional, tag = "10")]
    pub secure_tls_bootstrapping_validate_kubeconfig_timeout: ::core::option::Option<
        ::prost::alloc::string::String,
    >,
    /// Time limit for obtaining an Entra ID access token. A duration such as `30s`, not checked.
    /// Defaults to the client's own default. Sets `SECURE_TLS_BOOTSTRAPPING_GET_ACCESS_TOKEN_TIMEOUT`.
    #[prost(string, optional, tag = "11")]
    pub secure_tls_bootstrapping_get_access_token_timeout: ::core::option::Option<
        ::prost::alloc::string::String,
    >,
    /// Time limit for reading the instance metadata. A duration such as `30s`, not checked. Defaults
    /// to the client's own default. Sets `SECURE_TLS_BOOTSTRAPPING_GET_INSTANCE_DATA_TIMEOUT`.
    #[prost(string, optional, tag = "12")]
    pub secure_tls_bootstrapping_get_instance_data_timeout: ::core::option::Option<
        ::prost::alloc::string::String,
    >,
    /// Time limit for obtaining a nonce. A duration such as `30s`, not checked. Defaults to the
    /// client's own default. Sets `SECURE_TLS_BOOTSTRAPPING_GET_NONCE_TIMEOUT`.
    #[prost(string, optional, tag = "13")]
    pub secure_tls_bootstrapping_get_nonce_timeout: ::core::option::Option<
        ::prost::alloc::string::String,
    >,
    /// Time limit for obtaining the attested document. A duration such as `30s`, not checked. Defaults
    /// to the client's own default. Sets `SECURE_TLS_BOOTSTRAPPING_GET_ATTESTED_DATA_TIMEOUT`.
    #[prost(string, optional, tag = "14")]
    pub secure_tls_bootstrapping_get_attested_data_timeout: ::core::option::Option<
        ::prost::alloc::string::String,
    >,
    /// Time limit for obtaining the client credential. A duration such as `30s`, not checked. Defaults
    /// to the client's own default. Sets `SECURE_TLS_BOOTSTRAPPING_GET_CREDENTIAL_TIMEOUT`.
    #[prost(string, optional, tag = "15")]
    pub secure_tls_bootstrapping_get_credential_timeout: ::core::option::Option<
        ::prost::alloc::string::String,
    >,
}
/// Location of the node in Azure: resource groups, region, network, and settings of the cloud
/// provider.
#[derive(Clone, PartialEq, ::prost::Message)]
#[prost(skip_debug)]
pub struct ClusterConfig {
    /// Names of the Azure network resources of the node. Has two required fields.
    #[prost(message, optional, tag = "1")]
    pub cluster_network_config: ::core::option::Option<ClusterNetworkConfig>,
    /// Load balancer of the cluster. If absent, its fields have their defaults.
    #[prost(message, optional, tag = "2")]
    pub load_balancer_config: ::core::option::Option<LoadBalancerConfig>,
    /// Resource group of the nodes, not of the cluster resource. Required. Sets `RESOURCE_GROUP`.
    #[prost(string, tag = "3")]
    pub resource_group: ::prost::alloc::string::String,
    /// Azure region, such as `westeurope`. Required. Sets `LOCATION` and, outside custom clouds,
    /// determines `TARGET_CLOUD`, `TARGET_ENVIRONMENT` and `ARM_RESOURCE_ENDPOINT`.
    #[prost(string, tag = "4")]
    pub location: ::prost::alloc::string::String,
    /// Whether the nodes are single virtual machines or members of scale sets. Sets `VM_TYPE`.
    #[prost(enumeration = "VmType", tag = "5")]
    pub vm_type: i32,
    /// Availability set that the cloud provider balances load to. None by default. Sets
    /// `PRIMARY_AVAILABILITY_SET`.
    #[prost(string, tag = "6")]
    pub primary_availability_set: ::prost::alloc::string::String,
    /// Scale set that the cloud provider balances load to. None by default. Sets `PRIMARY_SCALE_SET`.
    #[prost(string, tag = "7")]
    pub primary_scale_set: ::prost::alloc::string::String,
    /// Whether the cloud provider queries the instance metadata service before the Azure API. Defaults
    /// to `false`. Sets `USE_INSTANCE_METADATA`.
    #[prost(bool, tag = "8")]
    pub use_instance_metadata: bool,
    /// Retries and rate limits of the cloud provider. If absent, its fields have their defaults.
    #[prost(message, optional, tag = "9")]
    pub cloud_provider_config: ::core::option::Option<CloudProviderConfig>,
}
/// Names of the Azure network resources of the node.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct ClusterNetworkConfig {
    /// Name of the virtual network. Required. Sets `VIRTUAL_NETWORK`.
    #[prost(string, tag = "1")]
    pub vnet_name: ::prost::alloc::string::String,
    /// Resource group of the virtual network. Defaults to the nodes' resource group. Sets
    /// `VIRTUAL_NETWORK_RESOURCE_GROUP`.
    #[prost(string, tag = "2")]
    pub vnet_resource_group: ::prost::alloc::string::String,
    /// Name of the subnet of the node, not its id. Sets `SUBNET`.
    #[prost(string, tag = "3")]
    pub subnet: ::prost::alloc::string::String,
    /// Name of the network security group. Sets `NETWORK_SECURITY_GROUP`.
    #[prost(string, tag = "4")]
    pub security_group_name: ::prost::alloc::string::String,
    /// Name of the route table. Required. Sets `ROUTE_TABLE`.
    #[prost(string, tag = "5")]
    pub route_table: ::prost::alloc::string::String,
    /// Service IP of the cluster DNS, to which local DNS forwards. Defaults to `10.0.0.10`. Used only
    /// by the Corefiles of `local_dns_profile`.
    #[prost(string, tag = "6")]
    pub core_dns_service_ip: ::prost::alloc::string::String,
}
/// Load balancer of the cluster. All values are written to `azure.json`, which the cloud provider
/// reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct LoadBalancerConfig {
    /// Kind of load balancer. Sets `LOAD_BALANCER_SKU`.
    #[prost(enumeration = "LoadBalancerSku", tag = "1")]
    pub load_balancer_sku: i32,
    /// Whether control plane nodes are excluded from a standard load balancer. Defaults to `true`.
    /// Sets `EXCLUDE_MASTER_FROM_STANDARD_LB`.
    #[prost(bool, optional, tag = "2")]
    pub exclude_master_from_standard_load_balancer: ::core::option::Option<bool>,
    /// Maximum number of load balancer rules. Defaults to 148. Zero and negative numbers are used
    /// unchanged. Sets `MAXIMUM_LOADBALANCER_RULE_COUNT`.
    #[prost(int32, optional, tag = "3")]
    pub max_load_balancer_rule_count: ::core::option::Option<i32>,
    /// Whether outbound address translation is disabled in load balancer rules. Defaults to `false`.
    /// Sets `LOAD_BALANCER_DISABLE_OUTBOUND_SNAT`.
    #[prost(bool, tag = "4")]
    pub disable_outbound_snat: bool,
}
/// Retries and rate limits of calls to the Azure API. All values are written to `azure.json`, which
/// the cloud provider reads.
#[derive(Clone, PartialEq, ::prost::Message)]
#[prost(skip_debug)]
pub struct CloudProviderConfig {
    /// Whether failed calls are retried with increasing delays. Defaults to `true`. Sets
    /// `CLOUDPROVIDER_BACKOFF`.
    #[prost(bool, optional, tag = "1")]
    pub backoff: ::core::option::Option<bool>,
    /// Version of the retry algorithm. Defaults to `v2`, which ignores the exponent and the jitter.
    /// Sets `CLOUDPROVIDER_BACKOFF_MODE`.
    #[prost(string, tag = "2")]
    pub backoff_mode: ::prost::alloc::string::String,
    /// Number of retries. Defaults to 6. Sets `CLOUDPROVIDER_BACKOFF_RETRIES`.
    #[prost(int32, optional, tag = "3")]
    pub backoff_retries: ::core::option::Option<i32>,
    /// Factor by which the delay increases. Defaults to 0. Sets `CLOUDPROVIDER_BACKOFF_EXPONENT`.
    #[prost(double, optional, tag = "4")]
    pub backoff_exponent: ::core::option::Option<f64>,
    /// First delay in seconds. Defaults to 5. Sets `CLOUDPROVIDER_BACKOFF_DURATION`.
    #[prost(int32, optional, tag = "5")]
    pub backoff_duration: ::core::option::Option<i32>,
    /// Random fraction added to each delay. Defaults to 0. Sets `CLOUDPROVIDER_BACKOFF_JITTER`.
    #[prost(double, optional, tag = "6")]
    pub backoff_jitter: ::core::option::Option<f64>,
    /// Whether the client limits the rate of calls. Defaults to `true`. Sets
    /// `CLOUDPROVIDER_RATELIMIT`.
    #[prost(bool, optional, tag = "7")]
    pub rate_limit: ::core::option::Option<bool>,
    /// Read calls per second. Defaults to 10. Sets `CLOUDPROVIDER_RATELIMIT_QPS`.
    #[prost(double, optional, tag = "8")]
    pub rate_limit_qps: ::core::option::Option<f64>,
    /// Write calls per second. Defaults to 10. Sets `CLOUDPROVIDER_RATELIMIT_QPS_WRITE`.
    #[prost(double, optional, tag = "9")]
    pub rate_limit_qps_write: ::core::option::Option<f64>,
    /// Read calls allowed in a burst. Defaults to 100. Sets `CLOUDPROVIDER_RATELIMIT_BUCKET`.
    #[prost(int32, optional, tag = "10")]
    pub rate_limit_bucket: ::core::option::Option<i32>,
    /// Write calls allowed in a burst. Defaults to 100. Sets `CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE`.
    #[prost(int32, optional, tag = "11")]
    pub rate_limit_bucket_write: ::core::option::Option<i32>,
}
/// A cloud other than the public Azure clouds. If absent, the region determines the cloud.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct CustomCloudConfig {
    /// Name of the environment. The cloud is a custom one only if it is `akscustom`, in any letter
    /// case. Sets `IS_CUSTOM_CLOUD`, `TARGET_CLOUD`, `TARGET_ENVIRONMENT` and
    /// `AZURE_ENVIRONMENT_FILEPATH`.
    #[prost(string, tag = "1")]
    pub custom_cloud_env_name: ::prost::alloc::string::String,
    /// Base URL of the package repositories. Used only for a custom cloud. Sets `REPO_DEPOT_ENDPOINT`.
    #[prost(string, tag = "2")]
    pub repo_depot_endpoint: ::prost::alloc::string::String,
    /// Description of the environment. The node expects JSON in base64 in `CUSTOM_ENV_JSON`, but
    /// `ARM_RESOURCE_ENDPOINT` is read only from plain JSON, from `resourceManagerEndpoint`. Passed on
    /// unchanged, for every cloud.
    #[prost(string, tag = "3")]
    pub custom_env_json_content: ::prost::alloc::string::String,
    /// DNS suffix of container registries, for the image credential provider. Used for every cloud.
    /// Sets `AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX`.
    #[prost(string, tag = "4")]
    pub container_registry_dns_suffix: ::prost::alloc::string::String,
}
/// How Azure groups the virtual machines of the cluster.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum VmType {
    /// Not specified: `VM_TYPE` is empty.
    Unspecified = 0,
    /// Single virtual machines or an availability set: `standard`.
    Standard = 1,
    /// Virtual machine scale sets: `vmss`.
    Vmss = 2,
}
impl VmType {
    /// String value of the enum field names used in the ProtoBuf definition.
    ///
    /// The values are not transformed in any way and thus are considered stable
    /// (if the ProtoBuf definition does not change) and safe for programmatic use.
    pub fn as_str_name(&self) -> &'static str {
        match self {
            Self::Unspecified => "VM_TYPE_UNSPECIFIED",
            Self::Standard => "VM_TYPE_STANDARD",
            Self::Vmss => "VM_TYPE_VMSS",
        }
    }
    /// Creates an enum from field names used in the ProtoBuf definition.
    pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
        match value {
            "VM_TYPE_UNSPECIFIED" => Some(Self::Unspecified),
            "VM_TYPE_STANDARD" => Some(Self::Standard),
            "VM_TYPE_VMSS" => Some(Self::Vmss),
            _ => None,
        }
    }
}
/// Kinds of Azure load balancers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum LoadBalancerSku {
    /// Not specified: `LOAD_BALANCER_SKU` is empty.
    Unspecified = 0,
    /// Basic load balancer: `basic`.
    Basic = 1,
    /// Standard load balancer: `standard`.
    Standard = 2,
}
impl LoadBalancerSku {
    /// String value of the enum field names used in the ProtoBuf definition.
    ///
    /// The values are not transformed in any way and thus are considered stable
    /// (if the ProtoBuf definition does not change) and safe for programmatic use.
    pub fn as_str_name(&self) -> &'static str {
        match self {
            Self::Unspecified => "LOAD_BALANCER_SKU_UNSPECIFIED",
            Self::Basic => "LOAD_BALANCER_SKU_BASIC",
            Self::Standard => "LOAD_BALANCER_SKU_STANDARD",
        }
    }
    /// Creates an enum from field names used in the ProtoBuf definition.
    pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
        match value {
            "LOAD_BALANCER_SKU_UNSPECIFIED" => Some(Self::Unspecified),
            "LOAD_BALANCER_SKU_BASIC" => Some(Self::Basic),
            "LOAD_BALANCER_SKU_STANDARD" => Some(Self::Standard),
            _ => None,
        }
    }
}
/// Credentials with which a node can join.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum BootstrappingAuthMethod {
    /// Not specified: no secure TLS bootstrapping.
    Unspecified = 0,
    /// Bootstrap token from `tls_bootstrapping_token`.
    BootstrapToken = 1,
    /// Secure TLS bootstrapping, with a token that Azure attests. A bootstrap token, if there is one,
    /// is the fallback.
    SecureTlsBootstrapping = 2,
    /// Managed identity of Azure Arc. Has no effect.
    ArcMsi = 3,
    /// Managed identity of an Azure virtual machine. Has no effect.
    AzureMsi = 4,
}
impl BootstrappingAuthMethod {
    /// String value of the enum field names used in the ProtoBuf definition.
    ///
    /// The values are not transformed in any way and thus are considered stable
    /// (if the ProtoBuf definition does not change) and safe for programmatic use.
    pub fn as_str_name(&self) -> &'static str {
        match self {
            Self::Unspecified => "BOOTSTRAPPING_AUTH_METHOD_UNSPECIFIED",
            Self::BootstrapToken => "BOOTSTRAPPING_AUTH_METHOD_BOOTSTRAP_TOKEN",
            Self::SecureTlsBootstrapping => {
                "BOOTSTRAPPING_AUTH_METHOD_SECURE_TLS_BOOTSTRAPPING"
            }
            Self::ArcMsi => "BOOTSTRAPPING_AUTH_METHOD_ARC_MSI",
            Self::AzureMsi => "BOOTSTRAPPING_AUTH_METHOD_AZURE_MSI",
        }
    }
    /// Creates an enum from field names used in the ProtoBuf definition.
    pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
        match value {
            "BOOTSTRAPPING_AUTH_METHOD_UNSPECIFIED" => Some(Self::Unspecified),
            "BOOTSTRAPPING_AUTH_METHOD_BOOTSTRAP_TOKEN" => Some(Self::BootstrapToken),
            "BOOTSTRAPPING_AUTH_METHOD_SECURE_TLS_BOOTSTRAPPING" => {
                Some(Self::SecureTlsBootstrapping)
            }
            "BOOTSTRAPPING_AUTH_METHOD_ARC_MSI" => Some(Self::ArcMsi),
            "BOOTSTRAPPING_AUTH_METHOD_AZURE_MSI" => Some(Self::AzureMsi),
            _ => None,
        }
    }
}
/// How a node obtains its identity with the credential. Has no effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum ClusterJoinMethod {
    /// Not specified.
    Unspecified = 0,
    /// The node requests a client certificate with a certificate signing request.
    GenerateCsr = 1,
    /// The node keeps using the credential it joined with.
    UseBootstrappingAuth = 2,
}
impl ClusterJoinMethod {
    /// String value of the enum field names used in the ProtoBuf definition.
    ///
    /// The values are not transformed in any way and thus are considered stable
    /// (if the ProtoBuf definition does not change) and safe for programmatic use.
    pub fn as_str_name(&self) -> &'static str {
        match self {
            Self::Unspecified => "CLUSTER_JOIN_METHOD_UNSPECIFIED",
            Self::GenerateCsr => "CLUSTER_JOIN_METHOD_GENERATE_CSR",
            Self::UseBootstrappingAuth => "CLUSTER_JOIN_METHOD_USE_BOOTSTRAPPING_AUTH",
        }
    }
    /// Creates an enum from field names used in the ProtoBuf definition.
    pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
        match value {
            "CLUSTER_JOIN_METHOD_UNSPECIFIED" => Some(Self::Unspecified),
            "CLUSTER_JOIN_METHOD_GENERATE_CSR" => Some(Self::GenerateCsr),
            "CLUSTER_JOIN_METHOD_USE_BOOTSTRAPPING_AUTH" => {
                Some(Self::UseBootstrappingAuth)
            }
            _ => None,
        }
    }
}
/// Configuration with which a node joins an AKS cluster.
#[derive(Clone, PartialEq, ::prost::Message)]
#[prost(skip_debug)]
pub struct Configuration {
    /// Version of this contract: `v1`. Required. `v0` is deprecated; any other value is rejected.
    #[prost(string, tag = "1")]
    pub version: ::prost::alloc::string::String,
    /// Sources of Kubernetes binaries and the pause image. Defaults to those in the node image.
    #[prost(message, optional, tag = "2")]
    pub kube_binary_config: ::core::option::Option<KubeBinaryConfig>,
    /// Custom cloud. If absent, `cluster_config.location` determines the cloud.
    #[prost(message, optional, tag = "3")]
    pub custom_cloud_config: ::core::option::Option<CustomCloudConfig>,
    /// API server of the cluster. Has a required field.
    #[prost(message, optional, tag = "4")]
    pub api_server_config: ::core::option::Option<ApiServerConfig>,
    /// Location of the node in Azure. Has required fields.
    #[prost(message, optional, tag = "5")]
    pub cluster_config: ::core::option::Option<ClusterConfig>,
    /// Credential with which the node joins. If absent, there is no token and no secure TLS
    /// bootstrapping.
    #[prost(message, optional, tag = "6")]
    pub bootstrapping_config: ::core::option::Option<BootstrappingConfig>,
    /// The identity that the node uses for the Azure API. Has a required field.
    #[prost(message, optional, tag = "7")]
    pub auth_config: ::core::option::Option<AuthConfig>,
    /// Version of runc to install. Defaults to the one in the node image.
    #[prost(message, optional, tag = "8")]
    pub runc_config: ::core::option::Option<RuncConfig>,
    /// Version of containerd to install. Defaults to the one in the node image.
    #[prost(message, optional, tag = "9")]
    pub containerd_config: ::core::option::Option<ContainerdConfig>,
    /// Settings of the kubelet. If absent, there are no flags and no labels, and
    /// `KUBELET_CONFIG_FILE_CONTENT` is empty.
    #[prost(message, optional, tag = "11")]
    pub kubelet_config: ::core::option::Option<KubeletConfig>,
    /// Search domain to join. None by default.
    #[prost(message, optional, tag = "12")]
    pub custom_search_domain_config: ::core::option::Option<CustomSearchDomainConfig>,
    /// Kernel settings, limits and swap. Defaults to the settings of AKS.
    #[prost(message, optional, tag = "13")]
    pub custom_linux_os_config: ::core::option::Option<CustomLinuxOsConfig>,
    /// Proxy for outbound traffic. None by default.
    #[prost(message, optional, tag = "14")]
    pub http_proxy_config: ::core::option::Option<HttpProxyConfig>,
    /// GPU drivers and sharing. If absent, the node is not a GPU node.
    #[prost(message, optional, tag = "15")]
    pub gpu_config: ::core::option::Option<GpuConfig>,
    /// Network plugin and policy. If absent, `NETWORK_PLUGIN` and `NETWORK_POLICY` are empty.
    #[prost(message, optional, tag = "16")]
    pub network_config: ::core::option::Option<NetworkConfig>,
    /// CA certificate of the cluster, PEM in base64. Written to `ca.crt`; a node without it
    /// cannot trust the API server. Sets `KUBE_CA_CRT`.
    #[prost(string, tag = "17")]
    pub kubernetes_ca_cert: ::prost::alloc::string::String,
    /// Kubernetes version, such as `1.33.2`. Sets `KUBERNETES_VERSION`. From 1.22.0 on, containerd
    /// reads the configuration of registries from a directory. From 1.34.0 on, the streaming idle
    /// timeout is ignored. An empty or invalid version counts as older than both.
    #[prost(string, tag = "18")]
    pub kubernetes_version: ::prost::alloc::string::String,
    /// Image of kube-proxy. Sets `KUBEPROXY_URL`, which the provisioning scripts do not use any more.
    #[prost(string, tag = "19")]
    pub kube_proxy_url: ::prost::alloc::string::String,
    /// Size of the virtual machine, such as `Standard_D4s_v5`. Determines `GPU_DRIVER_TYPE`,
    /// `GPU_DRIVER_VERSION`, `GPU_IMAGE_SHA` and `GPU_NEEDS_FABRIC_MANAGER`, ignoring letter case, and
    /// `SGX_NODE`, where letter case matters. Does not make the node a GPU node.
    #[prost(string, tag = "20")]
    pub vm_size: ::prost::alloc::string::String,
    /// Administrator account on the node. Defaults to `azureuser`. Sets `ADMINUSER`.
    #[prost(string, tag = "21")]
    pub linux_admin_username: ::prost::alloc::string::String,
    /// Whether the node runs an AKS node image. Defaults to `true`. Sets `IS_VHD`.
    #[prost(bool, optional, tag = "22")]
    pub is_vhd: ::core::option::Option<bool>,
    /// Whether SSH is enabled. Defaults to `true`. Sets `DISABLE_SSH` to the opposite.
    #[prost(bool, optional, tag = "23")]
    pub enable_ssh: ::core::option::Option<bool>,
    /// Whether the node installs updates of the operating system automatically. Defaults to `false`.
    /// Sets `ENABLE_UNATTENDED_UPGRADES`.
    #[prost(bool, tag = "24")]
    pub enable_unattended_upgrade: bool,
    /// Text of `/etc/motd`, already in base64. If empty, the file is not changed. Sets
    /// `MESSAGE_OF_THE_DAY`.
    #[prost(string, tag = "25")]
    pub message_of_the_day: ::prost::alloc::string::String,
    /// Whether an agent maintains the private IP address of the API server in `/etc/hosts`, for
    /// private clusters. Defaults to `false`. Sets `ENABLE_HOSTS_CONFIG_AGENT`.
    #[prost(bool, tag = "26")]
    pub enable_hosts_config_agent: bool,
    /// Additional CA certificates to trust, each PEM in base64. Line breaks are removed; empty
    /// elements count. Sets `CUSTOM_CA_CERT_0` and so on, `CUSTOM_CA_TRUST_COUNT` and, with at least
    /// one element, `SHOULD_CONFIGURE_CUSTOM_CA_TRUST`.
    #[prost(string, repeated, tag = "27")]
    pub custom_ca_certs: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Log file of the bootstrap. Has no effect: `PROVISION_OUTPUT` is always
    /// `/var/log/azure/cluster-provision-cse-output.log`.
    #[prost(string, tag = "28")]
    pub provision_output: ::prost::alloc::string::String,
    /// Kind of workloads on the node. Has no effect.
    #[prost(enumeration = "WorkloadRuntime", tag = "29")]
    pub workload_runtime: i32,
    /// Whether the node has IPv6 besides IPv4. Defaults to `false`. Sets `IPV6_DUAL_STACK_ENABLED`.
    #[prost(bool, tag = "30")]
    pub ipv6_dual_stack_enabled: bool,
    /// Shell command that checks outbound connectivity, tried up to 20 times. If empty, there is no
    /// check. Sets `OUTBOUND_COMMAND`.
    #[prost(string, tag = "31")]
    pub outbound_command: ::prost::alloc::string::String,
    /// Host of a private Azure container registry. None by default. Sets
    /// `AZURE_PRIVATE_REGISTRY_SERVER`.
    #[prost(string, tag = "32")]
    pub azure_private_registry_server: ::prost::alloc::string::String,
    /// Address of the egress proxy of a network isolated cluster. The node only logs it. Sets
    /// `PRIVATE_EGRESS_PROXY_ADDRESS`.
    #[prost(string, tag = "33")]
    pub private_egress_proxy_address: ::prost::alloc::string::String,
    /// Whether container images are streamed instead of pulled whole. Defaults to `false`. Sets
    /// `ARTIFACT_STREAMING_ENABLED` and the `overlaybd` snapshotter of containerd.
    #[prost(bool, tag = "34")]
    pub enable_artifact_streaming: bool,
    /// Whether the node runs pods in Kata virtual machines. Defaults to `false`. Sets `IS_KATA` and
    /// adds the Kata runtimes of containerd.
    #[prost(bool, tag = "35")]
    pub is_kata: bool,
    /// Whether the node uses control groups v2. Defaults to `false`. Sets `NEEDS_CGROUPV2` and, with
    /// containerd 1.x, `SystemdCgroup`.
    #[prost(bool, optional, tag = "36")]
    pub needs_cgroupv2: ::core::option::Option<bool>,
    /// Whether the node has no custom data. Sets no variable; on the `scripted` route, the command does
    /// not wait for cloud-init.
    #[prost(bool, tag = "37")]
    pub disable_custom_data: bool,
    /// Registry that replaces the Microsoft registry in a network isolated cluster: a host, with an
    /// optional path. If empty, the cluster is not isolated. Sets
    /// `BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER`.
    #[prost(string, tag = "38")]
    pub bootstrap_profile_container_registry_server: ::prost::alloc::string::String,
    /// Access of pods to the instance metadata service. Not restricted by default.
    #[prost(message, optional, tag = "39")]
    pub imds_restriction_config: ::core::option::Option<ImdsRestrictionConfig>,
    /// Whether the bootstrap stops after the machine is prepared and before it joins, so that an image
    /// can be captured. Defaults to `false`. Sets `PRE_PROVISION_ONLY`.
    #[prost(bool, tag = "40")]
    pub pre_provision_only: bool,
    /// DNS cache on the node. Off by default.
    #[prost(message, optional, tag = "41")]
    pub local_dns_profile: ::core::option::Option<LocalDnsProfile>,
    /// Whether SSH rejects public keys, for sign-in with Entra ID. Defaults to `false`. Sets
    /// `DISABLE_PUBKEY_AUTH`.
    #[prost(bool, optional, tag = "42")]
    pub disable_pubkey_auth: ::core::option::Option<bool>,
    /// Image pulls with the identity of service accounts. Off by default.
    #[prost(message, optional, tag = "43")]
    pub service_account_image_pull_profile: ::core::option::Option<
        ServiceAccountImagePullProfile,
    >,
    /// Time limit of the bootstrap in seconds, 1 to 21600. Defaults to 900, also if outside that
    /// range. Sets `CSE_TIMEOUT`.
    #[prost(int32, optional, tag = "44")]
    pub cse_timeout: ::core::option::Option<i32>,
    /// Feature switches of the bootstrap by name, for `enabled_features.sh` in the custom data for
    /// cloud-init. Names that are not valid in a shell and values with line breaks are left out. Sets
    /// no variable.
    #[prost(btree_map = "string, string", tag = "45")]
    pub enabled_features: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        ::prost::alloc::string::String,
    >,
}
/// Settings of the kubelet.
#[derive(Clone, PartialEq, ::prost::Message)]
#[prost(skip_debug)]
pub struct KubeletConfig {
    /// Command line flags by name, with dashes (`--max-pods`). Values are not quoted. From Kubernetes
    /// 1.34.0 on, `--streaming-connection-idle-timeout` is left out. Sets `KUBELET_FLAGS`, sorted,
    /// separated by spaces.
    #[prost(btree_map = "string, string", tag = "1")]
    pub kubelet_flags: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        ::prost::alloc::string::String,
    >,
    /// Labels that the node registers with, by key. Sets `KUBELET_NODE_LABELS`, sorted, separated by
    /// commas.
    #[prost(btree_map = "string, string", tag = "2")]
    pub kubelet_node_labels: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        ::prost::alloc::string::String,
    >,
    /// Disk for the files of the kubelet. Sets `HAS_KUBELET_DISK_TYPE`.
    #[prost(enumeration = "KubeletDisk", tag = "3")]
    pub kubelet_disk_type: i32,
    /// Whether the kubelet reads its configuration file. Defaults to `false`. Sets
    /// `KUBELET_CONFIG_FILE_ENABLED`. The content is rendered in any case.
    #[prost(bool, tag = "4")]
    pub enable_kubelet_config_file: bool,
    /// Content of the configuration file. Defaults to `{}`. Sets `KUBELET_CONFIG_FILE_CONTENT`, JSON
    /// in base64.
    #[prost(message, optional, tag = "5")]
    pub kubelet_config_file_config: ::core::option::Option<KubeletConfigFileConfig>,
    /// Private key of the client certificate, PEM in base64. Secret. Used only without a bootstrap
    /// token and without secure TLS bootstrapping. Sets `KUBELET_CLIENT_CONTENT`.
    #[prost(string, tag = "6")]
    pub kubelet_client_key: ::prost::alloc::string::String,
    /// Client certificate of `kubelet_client_key`, PEM in base64. Sets `KUBELET_CLIENT_CERT_CONTENT`.
    #[prost(string, tag = "7")]
    pub kubelet_client_cert_content: ::prost::alloc::string::String,
    /// Directory in which containerd stores images and containers. Defaults to containerd's own
    /// default. Sets `root` in the configuration of containerd; must not contain quotes or
    /// backslashes.
    #[prost(string, tag = "8")]
    pub container_data_dir: ::prost::alloc::string::String,
}
/// The `KubeletConfiguration` file, rendered into `KUBELET_CONFIG_FILE_CONTENT` as JSON in base64.
/// Fields that are unset, empty or absent are left out, so that the kubelet's own defaults apply.
#[derive(Clone, PartialEq, ::prost::Message)]
#[prost(skip_debug)]
pub struct KubeletConfigFileConfig {
    /// Kind of the document: `KubeletConfiguration`.
    #[prost(string, tag = "1")]
    pub kind: ::prost::alloc::string::String,
    /// API version of the document: `kubelet.config.k8s.io/v1beta1`.
    #[prost(string, tag = "2")]
    pub api_version: ::prost::alloc::string::String,
    /// Directory of static pod manifests. If empty, there are no static pods.
    #[prost(string, tag = "3")]
    pub static_pod_path: ::prost::alloc::string::String,
    /// IP address that the kubelet listens on. All addresses by default.
    #[prost(string, tag = "4")]
    pub address: ::prost::alloc::string::String,
    /// Port of the server without authentication. With 0, the default, there is no such server.
    #[prost(int32, tag = "5")]
    pub read_only_port: i32,
    /// Path of the serving certificate. Not set by default.
    #[prost(string, tag = "6")]
    pub tls_cert_file: ::prost::alloc::string::String,
    /// Path of the key of the serving certificate. Not set by default.
    #[prost(string, tag = "7")]
    pub tls_private_key_file: ::prost::alloc::string::String,
    /// Names of the TLS cipher suites that the server accepts. Defaults to the kubelet's own default.
    #[prost(string, repeated, tag = "8")]
    pub tls_cipher_suites: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Whether the kubelet renews its client certificate. Defaults to `false`.
    #[prost(bool, tag = "9")]
    pub rotate_certificates: bool,
    /// Whether the kubelet requests its serving certificate from the cluster and renews it. Defaults
    /// to `false`. Also sets `ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION`, whether the kubelet reads
    /// the file or not.
    #[prost(bool, tag = "10")]
    pub server_tls_bootstrap: bool,
    /// Authentication of requests to the kubelet.
    #[prost(message, optional, tag = "11")]
    pub authentication: ::core::option::Option<KubeletAuthentication>,
    /// Authorization of requests to the kubelet.
    #[prost(message, optional, tag = "12")]
    pub authorization: ::core::option::Option<KubeletAuthorization>,
    /// Events per second; 0 means no limit. Defaults to the kubelet's own default.
    #[prost(int32, optional, tag = "13")]
    pub event_record_qps: ::core::option::Option<i32>,
    /// DNS domain of the cluster, such as `cluster.local`. None by default.
    #[prost(string, tag = "14")]
    pub cluster_domain: ::prost::alloc::string::String,
    /// IP addresses of the DNS servers for pods.
    #[prost(string, repeated, tag = "15")]
    pub cluster_dns: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Time after which an idle streaming connection is closed, such as `4h`. Ignored from Kubernetes
    /// 1.34.0 on.
    #[deprecated]
    #[prost(string, tag = "16")]
    pub streaming_connection_idle_timeout: ::prost::alloc::string::String,
    /// Interval between computations of the node status, such as `10s`.
    #[prost(string, tag = "17")]
    pub node_status_update_frequency: ::prost::alloc::string::String,
    /// Interval between reports of an unchanged node status, such as `5m`.
    #[prost(string, tag = "18")]
    pub node_status_report_frequency: ::prost::alloc::string::String,
    /// Disk usage in percent above which unused images are always removed, 0 to 100. Defaults to the
    /// kubelet's own default.
    #[prost(int32, optional, tag = "19")]
    pub image_gc_high_threshold_percent: ::core::option::Option<i32>,
    /// Disk usage in percent down to which images are removed; below the high threshold. Defaults to
    /// the kubelet's own default.
    #[prost(int32, optional, tag = "20")]
    pub image_gc_low_threshold_percent: ::core::option::Option<i32>,
    /// Whether pods are in control groups by quality of service. Defaults to the kubelet's own
    /// default.
    #[prost(bool, optional, tag = "21")]
    pub cgroups_per_qos: ::core::option::Option<bool>,
    /// CPU manager: `none` or `static`. The kubelet's own default is `none`.
    #[prost(string, tag = "22")]
    pub cpu_manager_policy: ::prost::alloc::string::String,
    /// Topology manager: `none`, `best-effort`, `restricted` or `single-numa-node`. The kubelet's own
    /// default is `none`.
    #[prost(string, tag = "23")]
    pub topology_manager_policy: ::prost::alloc::string::String,
    /// Maximum number of pods on the node. The kubelet's own default is 110.
    #[prost(int32, optional, tag = "24")]
    pub max_pods: ::core::option::Option<i32>,
    /// Maximum number of processes in a pod; -1 means no limit. Defaults to the kubelet's own default.
    #[prost(int32, optional, tag = "25")]
    pub pod_pids_limit: ::core::option::Option<i32>,
    /// File with the DNS settings that those of pods are based on. Defaults to the kubelet's own
    /// default.
    #[prost(string, tag = "26")]
    pub resolv_conf: ::prost::alloc::string::String,
    /// Whether CPU limits of containers are enforced. The kubelet's own default is `true`.
    #[prost(bool, optional, tag = "27")]
    pub cpu_cfs_quota: ::core::option::Option<bool>,
    /// Period over which a CPU limit is enforced, such as `100ms`. Defaults to the kubelet's own
    /// default.
    #[prost(string, tag = "28")]
    pub cpu_cfs_quota_period: ::prost::alloc::string::String,
    /// Thresholds at which pods are evicted immediately, by signal, such as `750Mi` for
    /// `memory.available`.
    #[prost(btree_map = "string, string", tag = "29")]
    pub eviction_hard: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        ::prost::alloc::string::String,
    >,
    /// Whether the kubelet does not start if kernel settings differ from what it expects. Defaults to
    /// `false`.
    #[prost(bool, tag = "30")]
    pub protect_kernel_defaults: bool,
    /// Kubernetes feature gates to enable or disable, by name.
    #[prost(btree_map = "string, bool", tag = "31")]
    pub feature_gates: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        bool,
    >,
    /// Whether the kubelet does not start if swap is on. The kubelet's own default is `true`; set it
    /// to `false` together with a swap file.
    #[prost(bool, optional, tag = "32")]
    pub fail_swap_on: ::core::option::Option<bool>,
    /// Size at which a container log is rotated, such as `50M`. Defaults to the kubelet's own default.
    #[prost(string, tag = "33")]
    pub container_log_max_size: ::prost::alloc::string::String,
    /// Number of log files that are kept for a container, 2 or more. Defaults to the kubelet's own
    /// default.
    #[prost(int32, optional, tag = "34")]
    pub container_log_max_files: ::core::option::Option<i32>,
    /// Resources reserved for the operating system, by name, such as `200Mi` for `memory`.
    #[prost(btree_map = "string, string", tag = "35")]
    pub system_reserved: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        ::prost::alloc::string::String,
    >,
    /// Resources reserved for Kubernetes, by name, such as `100m` for `cpu`.
    #[prost(btree_map = "string, string", tag = "36")]
    pub kube_reserved: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        ::prost::alloc::string::String,
    >,
    /// What reservations are enforced for, such as `pods`.
    #[prost(string, repeated, tag = "37")]
    pub enforce_node_allocatable: ::prost::alloc::vec::Vec<
        ::prost::alloc::string::String,
    >,
    /// Thresholds at which pods are evicted after a grace period, by signal.
    #[prost(btree_map = "string, string", tag = "41")]
    pub eviction_soft: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        ::prost::alloc::string::String,
    >,
    /// Grace periods of the soft thresholds, by signal, such as `1m30s`.
    #[prost(btree_map = "string, string", tag = "42")]
    pub eviction_soft_grace_period: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        ::prost::alloc::string::String,
    >,
    /// Maximum termination time in seconds of a pod that is evicted at a soft threshold. 0, the
    /// default, is left out.
    #[prost(int32, tag = "43")]
    pub eviction_max_pod_grace_period: i32,
    /// Control group in which `kube_reserved` is enforced. The node supports `kubereserved.slice`.
    /// None by default.
    #[prost(string, tag = "44")]
    pub kube_reserved_cgroup: ::prost::alloc::string::String,
    /// Control group in which `system_reserved` is enforced. The node supports `system.slice`. None by
    /// default.
    #[prost(string, tag = "45")]
    pub system_reserved_cgroup: ::prost::alloc::string::String,
    /// Unsafe kernel settings, or patterns ending in an asterisk, that pods may change.
    #[prost(string, repeated, tag = "38")]
    pub allowed_unsafe_sysctls: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Whether images are pulled one at a time. The kubelet's own default is `true`.
    #[prost(bool, optional, tag = "39")]
    pub serialize_image_pulls: ::core::option::Option<bool>,
    /// Whether `RuntimeDefault` is the seccomp profile of all workloads. Defaults to `false`.
    #[prost(bool, tag = "40")]
    pub seccomp_default: bool,
}
/// Authentication of requests to the kubelet. Absent members are left out.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct KubeletAuthentication {
    /// Client certificates.
    #[prost(message, optional, tag = "1")]
    pub x509: ::core::option::Option<KubeletX509Authentication>,
    /// Bearer tokens, which the API server checks.
    #[prost(message, optional, tag = "2")]
    pub webhook: ::core::option::Option<KubeletWebhookAuthentication>,
    /// Requests without credentials.
    #[prost(message, optional, tag = "3")]
    pub anonymous: ::core::option::Option<KubeletAnonymousAuthentication>,
}
/// Authentication by client certificate.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct KubeletX509Authentication {
    /// Path of the certificate authority that issues client certificates. If empty, client
    /// certificates are not accepted.
    #[prost(string, tag = "1")]
    pub client_ca_file: ::prost::alloc::string::String,
}
/// Authentication by bearer token.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct KubeletWebhookAuthentication {
    /// Whether bearer tokens are accepted and checked by the API server. `false` is left out of the
    /// file, so the kubelet's default, `true`, applies.
    #[prost(bool, tag = "1")]
    pub enabled: bool,
    /// How long an answer is cached, such as `2m`. Written as `cacheTtl`, although the kubelet's name
    /// is `cacheTTL`.
    #[prost(string, tag = "2")]
    pub cache_ttl: ::prost::alloc::string::String,
}
/// Requests without credentials.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct KubeletAnonymousAuthentication {
    /// Whether requests without credentials are accepted as anonymous. `false` is left out of the
    /// file, which leaves an empty object.
    #[prost(bool, tag = "1")]
    pub enabled: bool,
}
/// Authorization of requests to the kubelet.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct KubeletAuthorization {
    /// `Webhook` to query the API server, or `AlwaysAllow` to allow everything. Defaults to the
    /// kubelet's own default.
    #[prost(string, tag = "1")]
    pub mode: ::prost::alloc::string::String,
    /// Caching of the answers of the API server.
    #[prost(message, optional, tag = "2")]
    pub webhook: ::core::option::Option<KubeletWebhookAuthorization>,
}
/// How long answers of the API server are cached.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct KubeletWebhookAuthorization {
    /// Time for a positive answer, such as `5m`. Written as `cacheAuthorizedTtl`, although the
    /// kubelet's name ends with `TTL`.
    #[prost(string, tag = "1")]
    pub cache_authorized_ttl: ::prost::alloc::string::String,
    /// Time for a negative answer, such as `30s`. Written as `cacheUnauthorizedTtl`, although the
    /// kubelet's name ends with `TTL`.
    #[prost(string, tag = "2")]
    pub cache_unauthorized_ttl: ::prost::alloc::string::String,
}
/// Disks for the files of the kubelet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum KubeletDisk {
    /// Not specified: the disk of the operating system.
    Unspecified = 0,
    /// The disk of the operating system.
    OsDisk = 1,
    /// The temporary disk of the virtual machine: sets `HAS_KUBELET_DISK_TYPE` to `true`.
    TempDisk = 2,
}
impl KubeletDisk {
    /// String value of the enum field names used in the ProtoBuf definition.
    ///
    /// The values are not transformed in any way and thus are considered stable
    /// (if the ProtoBuf definition does not change) and safe for programmatic use.
    pub fn as_str_name(&self) -> &'static str {
        match self {
            Self::Unspecified => "KUBELET_DISK_UNSPECIFIED",
            Self::OsDisk => "KUBELET_DISK_OS_DISK",
            Self::TempDisk => "KUBELET_DISK_TEMP_DISK",
        }
    }
    /// Creates an enum from field names used in the ProtoBuf definition.
    pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
        match value {
            "KUBELET_DISK_UNSPECIFIED" => Some(Self::Unspecified),
            "KUBELET_DISK_OS_DISK" => Some(Self::OsDisk),
            "KUBELET_DISK_TEMP_DISK" => Some(Self::TempDisk),
            _ => None,
        }
    }
}
/// DNS cache on the node (local DNS), for the node itself and for its pods.
#[derive(Clone, PartialEq, ::prost::Message)]
#[prost(skip_debug)]
pub struct LocalDnsProfile {
    /// Whether the DNS cache runs. Defaults to `false`, with which the Corefile variables are empty.
    /// Sets `SHOULD_ENABLE_LOCALDNS`.
    #[prost(bool, tag = "1")]
    pub enable_local_dns: bool,
    /// CPU limit in thousandths of a core. Two cores if absent, 0, or if local DNS is off. Sets
    /// `LOCALDNS_CPU_LIMIT` as a percentage, such as `200.0%`.
    #[prost(int32, optional, tag = "2")]
    pub cpu_limit_in_milli_cores: ::core::option::Option<i32>,
    /// Memory limit in megabytes. 128 if absent, 0, or if local DNS is off. Sets
    /// `LOCALDNS_MEMORY_LIMIT`, such as `128M`.
    #[prost(int32, optional, tag = "3")]
    pub memory_limit_in_mb: ::core::option::Option<i32>,
    /// Settings by DNS zone for queries of the node and of pods with the DNS policy `Default`. Each is
    /// a server block in `LOCALDNS_COREFILE_BASE` and `LOCALDNS_COREFILE_WITH_HOSTS`.
    #[prost(btree_map = "string, message", tag = "4")]
    pub vnet_dns_overrides: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        LocalDnsOverrides,
    >,
    /// Settings by DNS zone for queries of pods with the DNS policy `ClusterFirst`. Each is a server
    /// block in `LOCALDNS_COREFILE_BASE` and `LOCALDNS_COREFILE_WITH_HOSTS`.
    #[prost(btree_map = "string, message", tag = "5")]
    pub kube_dns_overrides: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        LocalDnsOverrides,
    >,
    /// Whether the root zone answers from a hosts file with critical names. Defaults to `false`. Sets
    /// `SHOULD_ENABLE_HOSTS_PLUGIN`, to `true` only if local DNS is on.
    #[prost(bool, tag = "6")]
    pub enable_hosts_plugin: bool,
    /// Names in the hosts file of local DNS. Surrounding whitespace and empty elements are removed.
    /// Sets `LOCALDNS_CRITICAL_FQDNS`, separated by commas, even if local DNS is off.
    #[prost(string, repeated, tag = "7")]
    pub critical_fqdns: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Seconds between refreshes of the hosts file of local DNS. The node's default, 15 minutes, if
    /// absent, 0 or negative. Sets `LOCALDNS_HOSTS_PLUGIN_REFRESH_INTERVAL_IN_SECONDS`, even if local
    /// DNS is off.
    #[prost(int32, optional, tag = "8")]
    pub hosts_plugin_refresh_interval_in_seconds: ::core::option::Option<i32>,
}
/// Settings of a DNS zone. Letter case matters in strings, which are written unescaped.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct LocalDnsOverrides {
    /// `Error` to log failures, `Log` to log every query. With any other value, nothing is logged.
    #[prost(string, tag = "1")]
    pub query_logging: ::prost::alloc::string::String,
    /// Protocol for queries to the upstream server: `PreferUDP` or `ForceTCP`. With any other value,
    /// the protocol of the query.
    #[prost(string, tag = "2")]
    pub protocol: ::prost::alloc::string::String,
    /// Upstream server: `ClusterCoreDNS`, or Azure DNS with any other value. Queries for zones ending
    /// with `cluster.local` always go to the cluster; queries for the root zone of
    /// `vnet_dns_overrides` always go to Azure DNS.
    #[prost(string, tag = "3")]
    pub forward_destination: ::prost::alloc::string::String,
    /// Order of upstream servers: `RoundRobin`, `Random` or `Sequential`. Any other value means
    /// `Sequential`.
    #[prost(string, tag = "4")]
    pub forward_policy: ::prost::alloc::string::String,
    /// Maximum number of concurrent queries. Required: without it, the Corefile is invalid.
    #[prost(int32, optional, tag = "5")]
    pub max_concurrent: ::core::option::Option<i32>,
    /// Maximum time in seconds for which an answer is cached. Required: without it, the Corefile is
    /// invalid.
    #[prost(int32, optional, tag = "6")]
    pub cache_duration_in_seconds: ::core::option::Option<i32>,
    /// How many seconds after it expired an answer may be served. Required if `serve_stale` is on:
    /// without it, the Corefile is invalid.
    #[prost(int32, optional, tag = "7")]
    pub serve_stale_duration_in_seconds: ::core::option::Option<i32>,
    /// Serving of expired answers: `Verify` queries the upstream server first, `Immediate` answers
    /// immediately. Any other value, such as `Disable`, turns it off.
    #[prost(string, tag = "8")]
    pub serve_stale: ::prost::alloc::string::String,
    /// Whether queries fail immediately if no upstream server is healthy. Defaults to `false`.
    #[prost(bool, optional, tag = "9")]
    pub failfast_all_unhealthy_upstreams: ::core::option::Option<bool>,
    /// Health check of the upstream servers. Defaults to the forward plugin's own.
    #[prost(message, optional, tag = "10")]
    pub health_check: ::core::option::Option<LocalDnsHealthCheck>,
}
/// Health check of the upstream servers of a DNS zone.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct LocalDnsHealthCheck {
    /// Interval between checks, such as `5s`. If absent or empty, the other settings are ignored too.
    #[prost(string, optional, tag = "1")]
    pub duration: ::core::option::Option<::prost::alloc::string::String>,
    /// Whether the check queries without recursion. Defaults to `false`.
    #[prost(bool, optional, tag = "2")]
    pub no_rec: ::core::option::Option<bool>,
    /// Name that the check queries. Defaults to the root.
    #[prost(string, optional, tag = "3")]
    pub domain: ::core::option::Option<::prost::alloc::string::String>,
}
/// Pod network of the node.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct NetworkConfig {
    /// Network plugin. Sets `NETWORK_PLUGIN`. `NETWORK_PLUGIN_KUBENET` without the Calico policy also
    /// sets `ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE` to `true` and adds the CNI table to the configuration
    /// of containerd.
    #[prost(enumeration = "NetworkPlugin", tag = "1")]
    pub network_plugin: i32,
    /// Network policy engine. Sets `NETWORK_POLICY`.
    #[prost(enumeration = "NetworkPolicy", tag = "2")]
    pub network_policy: i32,
    /// Archive of the Azure CNI plugins. Sets `VNET_CNI_PLUGINS_URL`.
    #[prost(string, tag = "3")]
    pub vnet_cni_plugins_url: ::prost::alloc::string::String,
    /// Archive of the reference CNI plugins. Has no effect.
    #[prost(string, tag = "4")]
    pub cni_plugins_url: ::prost::alloc::string::String,
    /// Number of additional network interfaces to configure. Defaults to 0. Sets
    /// `STANDARD_SECONDARY_NIC_COUNT`.
    #[prost(int32, tag = "5")]
    pub standard_secondary_nic_count: i32,
}
/// Proxy for outbound traffic of the node. Its fields also set `PROXY_VARS`, shell text in which
/// values are not escaped.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct HttpProxyConfig {
    /// Proxy URL for HTTP. May contain credentials, so it is treated as a secret. None by default.
    /// Sets `HTTP_PROXY_URLS` and, if not empty, `SHOULD_CONFIGURE_HTTP_PROXY`.
    #[prost(string, tag = "1")]
    pub http_proxy: ::prost::alloc::string::String,
    /// Proxy URL for HTTPS. May contain credentials, so it is treated as a secret. None by default;
    /// that for HTTP is not used. Sets `HTTPS_PROXY_URLS` and, if not empty,
    /// `SHOULD_CONFIGURE_HTTP_PROXY`.
    #[prost(string, tag = "2")]
    pub https_proxy: ::prost::alloc::string::String,
    /// Hosts, domains and CIDR ranges that are reached without the proxy. Sets `NO_PROXY_URLS`,
    /// separated by commas.
    #[prost(string, repeated, tag = "3")]
    pub no_proxy_entries: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// CA certificate of the proxy, PEM in base64. Line breaks are removed. None by default.
    /// Sets `HTTP_PROXY_TRUSTED_CA` and, if not empty, `SHOULD_CONFIGURE_HTTP_PROXY_CA`.
    #[prost(string, tag = "4")]
    pub proxy_trusted_ca: ::prost::alloc::string::String,
}
/// Access of pods to the Azure instance metadata service.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct ImdsRestrictionConfig {
    /// Whether pods without host networking are denied access to the instance metadata service.
    /// Defaults to `false`. Sets `ENABLE_IMDS_RESTRICTION`.
    #[prost(bool, tag = "1")]
    pub enable_imds_restriction: bool,
    /// Whether the restriction is a rule of the mangle table instead of the filter table. Defaults to
    /// `false`. Sets `INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE`, even if the restriction is off.
    #[prost(bool, tag = "2")]
    pub insert_imds_restriction_rule_to_mangle_table: bool,
}
/// Search domain that the node joins. `HAS_CUSTOM_SEARCH_DOMAIN` is `true` only if all three fields
/// are set.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct CustomSearchDomainConfig {
    /// Name of the domain. Sets `CUSTOM_SEARCH_DOMAIN_NAME`.
    #[prost(string, tag = "1")]
    pub domain_name: ::prost::alloc::string::String,
    /// User that joins the domain. Sets `CUSTOM_SEARCH_REALM_USER`.
    #[prost(string, tag = "2")]
    pub realm_user: ::prost::alloc::string::String,
    /// Password of `realm_user`. Secret. Sets `CUSTOM_SEARCH_REALM_PASSWORD`, even if another field is
    /// not set.
    #[prost(string, tag = "3")]
    pub realm_password: ::prost::alloc::string::String,
}
/// Network plugins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum NetworkPlugin {
    /// Not specified: `NETWORK_PLUGIN` is empty.
    Unspecified = 0,
    /// No plugin, the cluster installs its own: `none`.
    None = 1,
    /// Azure CNI: `azure`.
    Azure = 2,
    /// A bridge on each node, and routes between nodes: `kubenet`.
    Kubenet = 3,
}
impl NetworkPlugin {
    /// String value of the enum field names used in the ProtoBuf definition.
    ///
    /// The values are not transformed in any way and thus are considered stable
    /// (if the ProtoBuf definition does not change) and safe for programmatic use.
    pub fn as_str_name(&self) -> &'static str {
        match self {
            Self::Unspecified => "NETWORK_PLUGIN_UNSPECIFIED",
            Self::None => "NETWORK_PLUGIN_NONE",
            Self::Azure => "NETWORK_PLUGIN_AZURE",
            Self::Kubenet => "NETWORK_PLUGIN_KUBENET",
        }
    }
    /// Creates an enum from field names used in the ProtoBuf definition.
    pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
        match value {
            "NETWORK_PLUGIN_UNSPECIFIED" => Some(Self::Unspecified),
            "NETWORK_PLUGIN_NONE" => Some(Self::None),
            "NETWORK_PLUGIN_AZURE" => Some(Self::Azure),
            "NETWORK_PLUGIN_KUBENET" => Some(Self::Kubenet),
            _ => None,
        }
    }
}
/// Network policy engines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum NetworkPolicy {
    /// Not specified: `NETWORK_POLICY` is empty.
    Unspecified = 0,
    /// No policy: `none`.
    None = 1,
    /// Azure network policy manager: `azure`.
    Azure = 2,
    /// Calico: `calico`.
    Calico = 3,
}
impl NetworkPolicy {
    /// String value of the enum field names used in the ProtoBuf definition.
    ///
    /// The values are not transformed in any way and thus are considered stable
    /// (if the ProtoBuf definition does not change) and safe for programmatic use.
    pub fn as_str_name(&self) -> &'static str {
        match self {
            Self::Unspecified => "NETWORK_POLICY_UNSPECIFIED",
            Self::None => "NETWORK_POLICY_NONE",
            Self::Azure => "NETWORK_POLICY_AZURE",
            Self::Calico => "NETWORK_POLICY_CALICO",
        }
    }
    /// Creates an enum from field names used in the ProtoBuf definition.
    pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
        match value {
            "NETWORK_POLICY_UNSPECIFIED" => Some(Self::Unspecified),
            "NETWORK_POLICY_NONE" => Some(Self::None),
            "NETWORK_POLICY_AZURE" => Some(Self::Azure),
            "NETWORK_POLICY_CALICO" => Some(Self::Calico),
            _ => None,
        }
    }
}
/// Settings of the Linux system that differ from the defaults of AKS.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct CustomLinuxOsConfig {
    /// Kernel settings. Defaults to the settings of AKS. Sets `SYSCTL_CONTENT`, which is never empty.
    #[prost(message, optional, tag = "1")]
    pub sysctl_config: ::core::option::Option<SysctlConfig>,
    /// Resource limits of containerd and so of containers. If present, even if empty, sets
    /// `CONTAINERD_ULIMITS`, and `SHOULD_CONFIG_CONTAINERD_ULIMITS` to `true`.
    #[prost(message, optional, tag = "2")]
    pub ulimit_config: ::core::option::Option<UlimitConfig>,
    /// Whether a swap file is created. Defaults to `false`. Sets `SHOULD_CONFIG_SWAP_FILE`, to `true`
    /// only if the size is above 0.
    #[prost(bool, tag = "3")]
    pub enable_swap_config: bool,
    /// Size of the swap file in megabytes. Defaults to 0, with which no file is created. Sets
    /// `SWAP_FILE_SIZE_MB`, even if `enable_swap_config` is `false`.
    #[prost(int32, tag = "4")]
    pub swap_file_size: i32,
    /// Transparent huge pages: `always`, `madvise` or `never`. Not changed by default. Sets
    /// `THP_ENABLED` and, if not empty, `SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE`.
    #[prost(string, tag = "5")]
    pub transparent_hugepage_support: ::prost::alloc::string::String,
    /// Defragmentation for huge pages: `always`, `defer`, `defer+madvise`, `madvise` or `never`. Not
    /// changed by default. Sets `THP_DEFRAG` and, if not empty, `SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE`.
    #[prost(string, tag = "6")]
    pub transparent_defrag: ::prost::alloc::string::String,
}
/// Kernel settings, written to `SYSCTL_CONTENT` as `key=value` lines in base64. Values are not
/// checked: 0 and negative numbers are written unchanged.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct SysctlConfig {
    /// Maximum length of the queue of a listening socket (`net.core.somaxconn`). AKS accepts 4096 to
    /// 3240000. Defaults to 16384.
    #[prost(int32, optional, tag = "1")]
    pub net_core_somaxconn: ::core::option::Option<i32>,
    /// Maximum number of received packets that are queued if an interface is faster than the kernel
    /// (`net.core.netdev_max_backlog`). AKS accepts 1000 to 3240000. Not set by default.
    #[prost(int32, optional, tag = "2")]
    pub net_core_netdev_max_backlog: ::core::option::Option<i32>,
    /// Default receive buffer of a socket in bytes (`net.core.rmem_default`). AKS accepts 212992 to
    /// 134217728. Not set by default.
    #[prost(int32, optional, tag = "3")]
    pub net_core_rmem_default: ::core::option::Option<i32>,
    /// Maximum receive buffer of a socket in bytes (`net.core.rmem_max`). AKS accepts 212992 to
    /// 134217728. Not set by default.
    #[prost(int32, optional, tag = "4")]
    pub net_core_rmem_max: ::core::option::Option<i32>,
    /// Default send buffer of a socket in bytes (`net.core.wmem_default`). AKS accepts 212992 to
    /// 134217728. Not set by default.
    #[prost(int32, optional, tag = "5")]
    pub net_core_wmem_default: ::core::option::Option<i32>,
    /// Maximum send buffer of a socket in bytes (`net.core.wmem_max`). AKS accepts 212992 to
    /// 134217728. Not set by default.
    #[prost(int32, optional, tag = "6")]
    pub net_core_wmem_max: ::core::option::Option<i32>,
    /// Maximum ancillary buffer of a socket in bytes (`net.core.optmem_max`). AKS accepts 20480 to
    /// 4194304. Not set by default.
    #[prost(int32, optional, tag = "7")]
    pub net_core_optmem_max: ::core::option::Option<i32>,
    /// Maximum number of connection requests that are not acknowledged yet
    /// (`net.ipv4.tcp_max_syn_backlog`). AKS accepts 128 to 3240000. Defaults to 16384.
    #[prost(int32, optional, tag = "8")]
    pub net_ipv4_tcp_max_syn_backlog: ::core::option::Option<i32>,
    /// Maximum number of sockets in the state TIME-WAIT (`net.ipv4.tcp_max_tw_buckets`). AKS accepts
    /// 8000 to 1440000. Not set by default.
    #[prost(int32, optional, tag = "9")]
    pub net_ipv4_tcp_max_tw_buckets: ::core::option::Option<i32>,
    /// Seconds for which an orphaned connection stays in the state FIN-WAIT-2
    /// (`net.ipv4.tcp_fin_timeout`). AKS accepts 5 to 120. Not set by default.
    #[prost(int32, optional, tag = "10")]
    pub net_ipv4_tcp_fin_timeout: ::core::option::Option<i32>,
    /// Seconds without traffic before the first keepalive probe (`net.ipv4.tcp_keepalive_time`). AKS
    /// accepts 30 to 432000. Not set by default.
    #[prost(int32, optional, tag = "11")]
    pub net_ipv4_tcp_keepalive_time: ::core::option::Option<i32>,
    /// Number of unanswered keepalive probes after which a connection is closed
    /// (`net.ipv4.tcp_keepalive_probes`). AKS accepts 1 to 15. Not set by default.
    #[prost(int32, optional, tag = "12")]
    pub net_ipv4_tcp_keepalive_probes: ::core::option::Option<i32>,
    /// Seconds between keepalive probes (`net.ipv4.tcp_keepalive_intvl`). AKS accepts 10 to 90. Not
    /// set by default.
    #[prost(int32, optional, tag = "13")]
    pub net_ipv4_tcpkeepalive_intvl: ::core::option::Option<i32>,
    /// Whether sockets in the state TIME-WAIT are reused for new connections
    /// (`net.ipv4.tcp_tw_reuse`). Written as `1` or `0`. Not set by default.
    #[prost(bool, optional, tag = "14")]
    pub net_ipv4_tcp_tw_reuse: ::core::option::Option<bool>,
    /// First and last local port, separated by one space, such as `32768 60999`
    /// (`net.ipv4.ip_local_port_range`). AKS accepts 1024 to 60999 and 32768 to 65535. Not set by
    /// default. A last port above 65330 also reserves port 65330.
    #[prost(string, optional, tag = "15")]
    pub net_ipv4_ip_local_port_range: ::core::option::Option<
        ::prost::alloc::string::String,
    >,
    /// Number of neighbour entries below which none is removed (`net.ipv4.neigh.default.gc_thresh1`).
    /// AKS accepts 128 to 80000. Defaults to 4096.
    #[prost(int32, optional, tag = "16")]
    pub net_ipv4_neigh_default_gc_thresh1: ::core::option::Option<i32>,
    /// Number of neighbour entries above which old ones are removed sooner
    /// (`net.ipv4.neigh.default.gc_thresh2`). AKS accepts 512 to 90000. Defaults to 8192.
    #[prost(int32, optional, tag = "17")]
    pub net_ipv4_neigh_default_gc_thresh2: ::core::option::Option<i32>,
    /// Maximum number of neighbour entries (`net.ipv4.neigh.default.gc_thresh3`). AKS accepts 1024 to
    /// 100000. Defaults to 16384.
    #[prost(int32, optional, tag = "18")]
    pub net_ipv4_neigh_default_gc_thresh3: ::core::option::Option<i32>,
    /// Maximum number of tracked connections (`net.netfilter.nf_conntrack_max`). AKS accepts 131072 to
    /// 2097152. Not set by default.
    #[prost(int32, optional, tag = "19")]
    pub net_netfilter_nf_conntrack_max: ::core::option::Option<i32>,
    /// Size of the hash table of tracked connections (`net.netfilter.nf_conntrack_buckets`). AKS
    /// accepts 65536 to 524288. Not set by default.
    #[prost(int32, optional, tag = "20")]
    pub net_netfilter_nf_conntrack_buckets: ::core::option::Option<i32>,
    /// Maximum number of watched files of a user (`fs.inotify.max_user_watches`). AKS accepts 781250
    /// to 2097152. Not set by default.
    #[prost(int32, optional, tag = "21")]
    pub fs_inotify_max_user_watches: ::core::option::Option<i32>,
    /// Maximum number of open files of the system (`fs.file-max`). AKS accepts 8192 to 12000500. Not
    /// set by default.
    #[prost(int32, optional, tag = "22")]
    pub fs_file_max: ::core::option::Option<i32>,
    /// Maximum number of asynchronous I/O requests of the system (`fs.aio-max-nr`). AKS accepts 65536
    /// to 6553500. Not set by default.
    #[prost(int32, optional, tag = "23")]
    pub fs_aio_max_nr: ::core::option::Option<i32>,
    /// Maximum number of open files of a process (`fs.nr_open`). AKS accepts 8192 to 20000500. Not set
    /// by default.
    #[prost(int32, optional, tag = "24")]
    pub fs_nr_open: ::core::option::Option<i32>,
    /// Maximum number of threads of the system (`kernel.threads-max`). AKS accepts 20 to 513785. Not
    /// set by default.
    #[prost(int32, optional, tag = "25")]
    pub kernel_threads_max: ::core::option::Option<i32>,
    /// Maximum number of memory map areas of a process (`vm.max_map_count`). AKS accepts 65530 to
    /// 262144. Not set by default.
    #[prost(int32, optional, tag = "26")]
    pub vm_max_map_count: ::core::option::Option<i32>,
    /// How readily memory is swapped out (`vm.swappiness`). AKS accepts 0 to 100. Not set by default.
    #[prost(int32, optional, tag = "27")]
    pub vm_swappiness: ::core::option::Option<i32>,
    /// How readily caches of directories and inodes are reclaimed (`vm.vfs_cache_pressure`). AKS
    /// accepts 0 to 100. Not set by default.
    #[prost(int32, optional, tag = "28")]
    pub vm_vfs_cache_pressure: ::core::option::Option<i32>,
}
/// Resource limits of containerd and so of containers, in the notation of systemd. Sets
/// `CONTAINERD_ULIMITS`, plain text.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct UlimitConfig {
    /// Open files, such as `1048576` or `soft:hard` (`LimitNOFILE`). Not set by default; an empty
    /// string counts as set.
    #[prost(string, optional, tag = "1")]
    pub no_file: ::core::option::Option<::prost::alloc::string::String>,
    /// Locked memory, such as `64M` or `infinity` (`LimitMEMLOCK`). Not set by default; an empty
    /// string counts as set.
    #[prost(string, optional, tag = "2")]
    pub max_locked_memory: ::core::option::Option<::prost::alloc::string::String>,
}
/// Sources of Kubernetes binaries and the pause image.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct KubeBinaryConfig {
    /// Archive with kubelet and kubectl, for binaries that are not in the node image: a URL or an
    /// image reference. None by default. Sets `KUBE_BINARY_URL`.
    #[prost(string, tag = "1")]
    pub kube_binary_url: ::prost::alloc::string::String,
    /// Archive that takes precedence over all other sources of kubelet and kubectl. None by default.
    /// Sets `CUSTOM_KUBE_BINARY_URL`.
    #[prost(string, tag = "2")]
    pub custom_kube_binary_url: ::prost::alloc::string::String,
    /// URL of the archive of a private build that is already in the node image. None by default. Sets
    /// `PRIVATE_KUBE_BINARY_URL`.
    #[prost(string, tag = "3")]
    pub private_kube_binary_url: ::prost::alloc::string::String,
    /// Pause image. Always set it: if empty, the image name is empty. Must not contain quotes or
    /// backslashes. Sets `CONTAINERD_CONFIG_CONTENT` and `CONTAINERD_CONFIG_NO_GPU_CONTENT`.
    #[prost(string, tag = "4")]
    pub pod_infra_container_image_url: ::prost::alloc::string::String,
    /// Archive of the registry credential provider, for Kubernetes older than 1.33.0 and for Azure
    /// Linux 2.0. Sets `CREDENTIAL_PROVIDER_DOWNLOAD_URL`.
    #[prost(string, tag = "5")]
    pub linux_credential_provider_url: ::prost::alloc::string::String,
}
/// A containerd other than the one in the node image.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct ContainerdConfig {
    /// Base URL of containerd packages. Sets `CONTAINERD_DOWNLOAD_URL_BASE`, which the provisioning
    /// scripts do not use any more.
    #[prost(string, tag = "1")]
    pub containerd_download_url_base: ::prost::alloc::string::String,
    /// Version to install. Defaults to the one in the node image. Sets `CONTAINERD_VERSION`. The
    /// layout of containerd's configuration depends on the installed version instead.
    #[prost(string, tag = "2")]
    pub containerd_version: ::prost::alloc::string::String,
    /// Package to install. None by default. Sets `CONTAINERD_PACKAGE_URL`.
    #[prost(string, tag = "3")]
    pub containerd_package_url: ::prost::alloc::string::String,
}
/// A runc other than the one in the node image.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct RuncConfig {
    /// Version to install. Defaults to the one in the node image. Sets `RUNC_VERSION`.
    #[prost(string, tag = "1")]
    pub runc_version: ::prost::alloc::string::String,
    /// Package to install. None by default. Sets `RUNC_PACKAGE_URL`.
    #[prost(string, tag = "2")]
    pub runc_package_url: ::prost::alloc::string::String,
}
/// GPU drivers, sharing and management. `vm_size` determines type and version of the driver.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct GpuConfig {
    /// Whether the node is an NVIDIA GPU node. Defaults to `false`, whatever the VM size is. Sets
    /// `GPU_NODE` and adds the NVIDIA runtime to `CONTAINERD_CONFIG_CONTENT`.
    #[prost(bool, optional, tag = "1")]
    pub enable_nvidia: ::core::option::Option<bool>,
    /// Whether the bootstrap installs the driver. Otherwise a GPU node only checks the one in its
    /// image. Defaults to `false`. Sets `CONFIG_GPU_DRIVER_IF_NEEDED`.
    #[prost(bool, tag = "2")]
    pub config_gpu_driver: bool,
    /// Whether the bootstrap starts the GPU device plugin. Defaults to `false`. Sets
    /// `ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED`.
    #[prost(bool, tag = "3")]
    pub gpu_device_plugin: bool,
    /// Profile with which every GPU is partitioned: `MIG1g`, `MIG2g`, `MIG3g`, `MIG4g` or `MIG7g`. Not
    /// partitioned by default. Sets `GPU_INSTANCE_PROFILE` and, if not empty, `MIG_NODE`.
    #[prost(string, tag = "4")]
    pub gpu_instance_profile: ::prost::alloc::string::String,
    /// Whether the node is an AMD GPU node. Has no effect.
    #[prost(bool, optional, tag = "5")]
    pub enable_amd_gpu: ::core::option::Option<bool>,
    /// Whether the subscription is registered for the managed GPU preview. Defaults to `false`. Sets
    /// `MANAGED_GPU_EXPERIENCE_AFEC_ENABLED`.
    #[prost(bool, tag = "6")]
    pub managed_gpu_experience_afec_enabled: bool,
    /// Whether AKS manages the device plugin and the metrics exporter on the node. Defaults to
    /// `false`. Sets `ENABLE_MANAGED_GPU`.
    #[prost(bool, tag = "7")]
    pub enable_managed_gpu: bool,
    /// How the device plugin offers partitioned GPUs: `None`, `Single` or `Mixed`. There is no
    /// default. Sets `NVIDIA_MIG_STRATEGY`.
    #[prost(string, tag = "8")]
    pub mig_strategy: ::prost::alloc::string::String,
    /// Profiles with which a GPU is partitioned, in order, such as `MIG3g` and `MIG2g`. Takes
    /// precedence over `gpu_instance_profile`, but does not set `MIG_NODE`. Sets
    /// `NVIDIA_MIG_PROFILE_LAYOUT`, separated by commas.
    #[prost(string, repeated, tag = "9")]
    pub mig_profile_layout: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Whether managed GPUs are offered with dynamic resource allocation instead of the device plugin.
    /// Defaults to `false`. Sets `ENABLE_MANAGED_GPU_DRA`.
    #[prost(bool, tag = "10")]
    pub enable_managed_gpu_dra: bool,
}
/// Image pulls with the identity of the pod's service account instead of the kubelet's.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct ServiceAccountImagePullProfile {
    /// Whether image pulls use the identity of the service account. Defaults to `false`. Sets
    /// `SERVICE_ACCOUNT_IMAGE_PULL_ENABLED`.
    #[prost(bool, tag = "1")]
    pub enabled: bool,
    /// Client id for service accounts that set none. None by default. Sets
    /// `SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID`.
    #[prost(string, tag = "2")]
    pub default_client_id: ::prost::alloc::string::String,
    /// Tenant id for service accounts that set none. None by default. Sets
    /// `SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_TENANT_ID`.
    #[prost(string, tag = "3")]
    pub default_tenant_id: ::prost::alloc::string::String,
    /// TLS server name of the token issuer in the cluster. Sets
    /// `IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI`.
    #[prost(string, tag = "4")]
    pub local_authority_sni: ::prost::alloc::string::String,
}
/// Kinds of workloads. Has no effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum WorkloadRuntime {
    /// Not specified.
    Unspecified = 0,
    /// Ordinary OCI containers.
    OciContainer = 1,
}
impl WorkloadRuntime {
    /// String value of the enum field names used in the ProtoBuf definition.
    ///
    /// The values are not transformed in any way and thus are considered stable
    /// (if the ProtoBuf definition does not change) and safe for programmatic use.
    pub fn as_str_name(&self) -> &'static str {
        match self {
            Self::Unspecified => "WORKLOAD_RUNTIME_UNSPECIFIED",
            Self::OciContainer => "WORKLOAD_RUNTIME_OCI_CONTAINER",
        }
    }
    /// Creates an enum from field names used in the ProtoBuf definition.
    pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
        match value {
            "WORKLOAD_RUNTIME_UNSPECIFIED" => Some(Self::Unspecified),
            "WORKLOAD_RUNTIME_OCI_CONTAINER" => Some(Self::OciContainer),
            _ => None,
        }
    }
}
static API_SERVER_CONFIG: Descriptor = Descriptor {
    name: "ApiServerConfig",
    doc: "The Kubernetes API server, as the node reaches it.",
    fields: &[
        Field {
            name: "api_server_public_key",
            json_name: "apiServerPublicKey",
            doc: "Certificate of the API server, PEM in base64. If empty, `apiserver.crt` is not written. Sets `APISERVER_PUBLIC_KEY`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "api_server_name",
            json_name: "apiServerName",
            doc: "Host name or IP address of the API server, without scheme or port. Required. Sets `API_SERVER_NAME`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl ApiServerConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &API_SERVER_CONFIG
    }
}
impl Message for ApiServerConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &API_SERVER_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.api_server_public_key),
            1 => Slot::Text(&self.api_server_name),
            _ => unreachable!("ApiServerConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.api_server_public_key),
            1 => SlotMut::Text(&mut self.api_server_name),
            _ => unreachable!("ApiServerConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for ApiServerConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static AUTH_CONFIG: Descriptor = Descriptor {
    name: "AuthConfig",
    doc: "The identity that the node uses for the Azure API.",
    fields: &[
        Field {
            name: "tenant_id",
            json_name: "tenantId",
            doc: "Entra ID tenant of the cluster, a UUID. Sets `TENANT_ID`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "subscription_id",
            json_name: "subscriptionId",
            doc: "Subscription of the node, a UUID. Required. Sets `SUBSCRIPTION_ID`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "service_principal_id",
            json_name: "servicePrincipalId",
            doc: "Client id of the service principal. With managed identities, by convention `msi`. Sets `SERVICE_PRINCIPAL_CLIENT_ID`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "service_principal_secret",
            json_name: "servicePrincipalSecret",
            doc: "Secret of the service principal, already in base64; passed on unchanged. Secret. With managed identities, by convention the base64 of `msi`. Sets `SERVICE_PRINCIPAL_FILE_CONTENT`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: true,
        },
        Field {
            name: "assigned_identity_id",
            json_name: "assignedIdentityId",
            doc: "Client id of the user-assigned identity of the kubelet. None by default. Sets `USER_ASSIGNED_IDENTITY_ID`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "use_managed_identity_extension",
            json_name: "useManagedIdentityExtension",
            doc: "Whether the cloud provider signs in with a managed identity instead of the service principal. Defaults to `false`. Sets `USE_MANAGED_IDENTITY_EXTENSION`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl AuthConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &AUTH_CONFIG
    }
}
impl Message for AuthConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &AUTH_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.tenant_id),
            1 => Slot::Text(&self.subscription_id),
            2 => Slot::Text(&self.service_principal_id),
            3 => Slot::Text(&self.service_principal_secret),
            4 => Slot::Text(&self.assigned_identity_id),
            5 => Slot::Bool(self.use_managed_identity_extension),
            _ => unreachable!("AuthConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.tenant_id),
            1 => SlotMut::Text(&mut self.subscription_id),
            2 => SlotMut::Text(&mut self.service_principal_id),
            3 => SlotMut::Text(&mut self.service_principal_secret),
            4 => SlotMut::Text(&mut self.assigned_identity_id),
            5 => SlotMut::Bool(&mut self.use_managed_identity_extension),
            _ => unreachable!("AuthConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for AuthConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static BOOTSTRAPPING_CONFIG: Descriptor = Descriptor {
    name: "BootstrappingConfig",
    doc: "How the node obtains its first credential for the API server.",
    fields: &[
        Field {
            name: "bootstrapping_auth_method",
            json_name: "bootstrappingAuthMethod",
            doc: "Kind of credential with which the node joins. Sets `ENABLE_SECURE_TLS_BOOTSTRAPPING` to `true` for secure TLS bootstrapping, and to `false` for every other value.",
            kind: Kind::Enum(&BOOTSTRAPPING_AUTH_METHOD),
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "cluster_join_method",
            json_name: "clusterJoinMethod",
            doc: "How the node obtains its identity with the credential. Has no effect.",
            kind: Kind::Enum(&CLUSTER_JOIN_METHOD),
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "tls_bootstrapping_token",
            json_name: "tlsBootstrappingToken",
            doc: "Bootstrap token in the form `id.secret`. Secret. If absent or empty, the node has no token. Used whatever the authentication method is. Sets `TLS_BOOTSTRAP_TOKEN`.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: true,
        },
        Field {
            name: "secure_tls_bootstrapping_aad_resource",
            json_name: "secureTlsBootstrappingAadResource",
            doc: "Entra ID resource for which the bootstrap client requests a token. Defaults to the AKS server application. Sets `SECURE_TLS_BOOTSTRAPPING_AAD_RESOURCE`.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "secure_tls_bootstrapping_user_assigned_identity_id",
            json_name: "secureTlsBootstrappingUserAssignedIdentityId",
            doc: "Id of the user-assigned identity that the bootstrap client signs in with. If absent or empty, the client chooses one. Sets `SECURE_TLS_BOOTSTRAPPING_USER_ASSIGNED_IDENTITY_ID`.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "secure_tls_bootstrapping_custom_client_download_url",
            json_name: "secureTlsBootstrappingCustomClientDownloadUrl",
            doc: "URL of a bootstrap client to download. Defaults to the one in the node image. Sets `CUSTOM_SECURE_TLS_BOOTSTRAPPING_CLIENT_DOWNLOAD_URL`.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "secure_tls_bootstrapping_validate_kubeconfig_timeout",
            json_name: "secureTlsBootstrappingValidateKubeconfigTimeout",
            doc: "Time limit for checking an existing kubeconfig. A duration such as `30s`, not checked. Defaults to the client's own default. Sets `SECURE_TLS_BOOTSTRAPPING_VALIDATE_KUBECONFIG_TIMEOUT`.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "secure_tls_bootstrapping_get_access_token_timeout",
            json_name: "secureTlsBootstrappingGetAccessTokenTimeout",
            doc: "Time limit for obtaining an Entra ID access token. A duration such as `30s`, not checked. Defaults to the client's own default. Sets `SECURE_TLS_BOOTSTRAPPING_GET_ACCESS_TOKEN_TIMEOUT`.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "secure_tls_bootstrapping_get_instance_data_timeout",
            json_name: "secureTlsBootstrappingGetInstanceDataTimeout",
            doc: "Time limit for reading the instance metadata. A duration such as `30s`, not checked. Defaults to the client's own default. Sets `SECURE_TLS_BOOTSTRAPPING_GET_INSTANCE_DATA_TIMEOUT`.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "secure_tls_bootstrapping_get_nonce_timeout",
            json_name: "secureTlsBootstrappingGetNonceTimeout",
            doc: "Time limit for obtaining a nonce. A duration such as `30s`, not checked. Defaults to the client's own default. Sets `SECURE_TLS_BOOTSTRAPPING_GET_NONCE_TIMEOUT`.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "secure_tls_bootstrapping_get_attested_data_timeout",
            json_name: "secureTlsBootstrappingGetAttestedDataTimeout",
            doc: "Time limit for obtaining the attested document. A duration such as `30s`, not checked. Defaults to the client's own default. Sets `SECURE_TLS_BOOTSTRAPPING_GET_ATTESTED_DATA_TIMEOUT`.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "secure_tls_bootstrapping_get_credential_timeout",
            json_name: "secureTlsBootstrappingGetCredentialTimeout",
            doc: "Time limit for obtaining the client credential. A duration such as `30s`, not checked. Defaults to the client's own default. Sets `SECURE_TLS_BOOTSTRAPPING_GET_CREDENTIAL_TIMEOUT`.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
    ],
    removed: &[
        "custom_aad_client_id",
        "custom_aad_resource",
        "secure_tls_bootstrapping_deadline",
    ],
};
impl BootstrappingConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &BOOTSTRAPPING_CONFIG
    }
}
impl Message for BootstrappingConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &BOOTSTRAPPING_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Enum(self.bootstrapping_auth_method),
            1 => Slot::Enum(self.cluster_join_method),
            2 => Slot::OptionalText(self.tls_bootstrapping_token.as_deref()),
            3 => {
                Slot::OptionalText(self.secure_tls_bootstrapping_aad_resource.as_deref())
            }
            4 => {
                Slot::OptionalText(
                    self.secure_tls_bootstrapping_user_assigned_identity_id.as_deref(),
                )
            }
            5 => {
                Slot::OptionalText(
                    self.secure_tls_bootstrapping_custom_client_download_url.as_deref(),
                )
            }
            6 => {
                Slot::OptionalText(
                    self.secure_tls_bootstrapping_validate_kubeconfig_timeout.as_deref(),
                )
            }
            7 => {
                Slot::OptionalText(
                    self.secure_tls_bootstrapping_get_access_token_timeout.as_deref(),
                )
            }
            8 => {
                Slot::OptionalText(
                    self.secure_tls_bootstrapping_get_instance_data_timeout.as_deref(),
                )
            }
            9 => {
                Slot::OptionalText(
                    self.secure_tls_bootstrapping_get_nonce_timeout.as_deref(),
                )
            }
            10 => {
                Slot::OptionalText(
                    self.secure_tls_bootstrapping_get_attested_data_timeout.as_deref(),
                )
            }
            11 => {
                Slot::OptionalText(
                    self.secure_tls_bootstrapping_get_credential_timeout.as_deref(),
                )
            }
            _ => unreachable!("BootstrappingConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Enum(&mut self.bootstrapping_auth_method),
            1 => SlotMut::Enum(&mut self.cluster_join_method),
            2 => SlotMut::OptionalText(&mut self.tls_bootstrapping_token),
            3 => SlotMut::OptionalText(&mut self.secure_tls_bootstrapping_aad_resource),
            4 => {
                SlotMut::OptionalText(
                    &mut self.secure_tls_bootstrapping_user_assigned_identity_id,
                )
            }
            5 => {
                SlotMut::OptionalText(
                    &mut self.secure_tls_bootstrapping_custom_client_download_url,
                )
            }
            6 => {
                SlotMut::OptionalText(
                    &mut self.secure_tls_bootstrapping_validate_kubeconfig_timeout,
                )
            }
            7 => {
                SlotMut::OptionalText(
                    &mut self.secure_tls_bootstrapping_get_access_token_timeout,
                )
            }
            8 => {
                SlotMut::OptionalText(
                    &mut self.secure_tls_bootstrapping_get_instance_data_timeout,
                )
            }
            9 => {
                SlotMut::OptionalText(
                    &mut self.secure_tls_bootstrapping_get_nonce_timeout,
                )
            }
            10 => {
                SlotMut::OptionalText(
                    &mut self.secure_tls_bootstrapping_get_attested_data_timeout,
                )
            }
            11 => {
                SlotMut::OptionalText(
                    &mut self.secure_tls_bootstrapping_get_credential_timeout,
                )
            }
            _ => unreachable!("BootstrappingConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for BootstrappingConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static CLUSTER_CONFIG: Descriptor = Descriptor {
    name: "ClusterConfig",
    doc: "Location of the node in Azure: resource groups, region, network, and settings of the cloud provider.",
    fields: &[
        Field {
            name: "cluster_network_config",
            json_name: "clusterNetworkConfig",
            doc: "Names of the Azure network resources of the node. Has two required fields.",
            kind: Kind::Message(&CLUSTER_NETWORK_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "load_balancer_config",
            json_name: "loadBalancerConfig",
            doc: "Load balancer of the cluster. If absent, its fields have their defaults.",
            kind: Kind::Message(&LOAD_BALANCER_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "resource_group",
            json_name: "resourceGroup",
            doc: "Resource group of the nodes, not of the cluster resource. Required. Sets `RESOURCE_GROUP`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "location",
            json_name: "location",
            doc: "Azure region, such as `westeurope`. Required. Sets `LOCATION` and, outside custom clouds, determines `TARGET_CLOUD`, `TARGET_ENVIRONMENT` and `ARM_RESOURCE_ENDPOINT`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "vm_type",
            json_name: "vmType",
            doc: "Whether the nodes are single virtual machines or members of scale sets. Sets `VM_TYPE`.",
            kind: Kind::Enum(&VM_TYPE),
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "primary_availability_set",
            json_name: "primaryAvailabilitySet",
            doc: "Availability set that the cloud provider balances load to. None by default. Sets `PRIMARY_AVAILABILITY_SET`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "primary_scale_set",
            json_name: "primaryScaleSet",
            doc: "Scale set that the cloud provider balances load to. None by default. Sets `PRIMARY_SCALE_SET`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "use_instance_metadata",
            json_name: "useInstanceMetadata",
            doc: "Whether the cloud provider queries the instance metadata service before the Azure API. Defaults to `false`. Sets `USE_INSTANCE_METADATA`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "cloud_provider_config",
            json_name: "cloudProviderConfig",
            doc: "Retries and rate limits of the cloud provider. If absent, its fields have their defaults.",
            kind: Kind::Message(&CLOUD_PROVIDER_CONFIG),
            label: Label::Optional,
            secret: false,
        },
    ],
    removed: &[],
};
impl ClusterConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &CLUSTER_CONFIG
    }
}
impl Message for ClusterConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &CLUSTER_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => {
                Slot::Message(
                    self
                        .cluster_network_config
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            1 => {
                Slot::Message(
                    self
                        .load_balancer_config
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            2 => Slot::Text(&self.resource_group),
            3 => Slot::Text(&self.location),
            4 => Slot::Enum(self.vm_type),
            5 => Slot::Text(&self.primary_availability_set),
            6 => Slot::Text(&self.primary_scale_set),
            7 => Slot::Bool(self.use_instance_metadata),
            8 => {
                Slot::Message(
                    self
                        .cloud_provider_config
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            _ => unreachable!("ClusterConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Message(self.cluster_network_config.get_or_insert_default()),
            1 => SlotMut::Message(self.load_balancer_config.get_or_insert_default()),
            2 => SlotMut::Text(&mut self.resource_group),
            3 => SlotMut::Text(&mut self.location),
            4 => SlotMut::Enum(&mut self.vm_type),
            5 => SlotMut::Text(&mut self.primary_availability_set),
            6 => SlotMut::Text(&mut self.primary_scale_set),
            7 => SlotMut::Bool(&mut self.use_instance_metadata),
            8 => SlotMut::Message(self.cloud_provider_config.get_or_insert_default()),
            _ => unreachable!("ClusterConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for ClusterConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static CLUSTER_NETWORK_CONFIG: Descriptor = Descriptor {
    name: "ClusterNetworkConfig",
    doc: "Names of the Azure network resources of the node.",
    fields: &[
        Field {
            name: "vnet_name",
            json_name: "vnetName",
            doc: "Name of the virtual network. Required. Sets `VIRTUAL_NETWORK`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "vnet_resource_group",
            json_name: "vnetResourceGroup",
            doc: "Resource group of the virtual network. Defaults to the nodes' resource group. Sets `VIRTUAL_NETWORK_RESOURCE_GROUP`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "subnet",
            json_name: "subnet",
            doc: "Name of the subnet of the node, not its id. Sets `SUBNET`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "security_group_name",
            json_name: "securityGroupName",
            doc: "Name of the network security group. Sets `NETWORK_SECURITY_GROUP`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "route_table",
            json_name: "routeTable",
            doc: "Name of the route table. Required. Sets `ROUTE_TABLE`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "core_dns_service_ip",
            json_name: "coreDnsServiceIp",
            doc: "Service IP of the cluster DNS, to which local DNS forwards. Defaults to `10.0.0.10`. Used only by the Corefiles of `local_dns_profile`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl ClusterNetworkConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &CLUSTER_NETWORK_CONFIG
    }
}
impl Message for ClusterNetworkConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &CLUSTER_NETWORK_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.vnet_name),
            1 => Slot::Text(&self.vnet_resource_group),
            2 => Slot::Text(&self.subnet),
            3 => Slot::Text(&self.security_group_name),
            4 => Slot::Text(&self.route_table),
            5 => Slot::Text(&self.core_dns_service_ip),
            _ => unreachable!("ClusterNetworkConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.vnet_name),
            1 => SlotMut::Text(&mut self.vnet_resource_group),
            2 => SlotMut::Text(&mut self.subnet),
            3 => SlotMut::Text(&mut self.security_group_name),
            4 => SlotMut::Text(&mut self.route_table),
            5 => SlotMut::Text(&mut self.core_dns_service_ip),
            _ => unreachable!("ClusterNetworkConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for ClusterNetworkConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static LOAD_BALANCER_CONFIG: Descriptor = Descriptor {
    name: "LoadBalancerConfig",
    doc: "Load balancer of the cluster. All values are written to `azure.json`, which the cloud provider reads.",
    fields: &[
        Field {
            name: "load_balancer_sku",
            json_name: "loadBalancerSku",
            doc: "Kind of load balancer. Sets `LOAD_BALANCER_SKU`.",
            kind: Kind::Enum(&LOAD_BALANCER_SKU),
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "exclude_master_from_standard_load_balancer",
            json_name: "excludeMasterFromStandardLoadBalancer",
            doc: "Whether control plane nodes are excluded from a standard load balancer. Defaults to `true`. Sets `EXCLUDE_MASTER_FROM_STANDARD_LB`.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "max_load_balancer_rule_count",
            json_name: "maxLoadBalancerRuleCount",
            doc: "Maximum number of load balancer rules. Defaults to 148. Zero and negative numbers are used unchanged. Sets `MAXIMUM_LOADBALANCER_RULE_COUNT`.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "disable_outbound_snat",
            json_name: "disableOutboundSnat",
            doc: "Whether outbound address translation is disabled in load balancer rules. Defaults to `false`. Sets `LOAD_BALANCER_DISABLE_OUTBOUND_SNAT`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl LoadBalancerConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &LOAD_BALANCER_CONFIG
    }
}
impl Message for LoadBalancerConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &LOAD_BALANCER_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Enum(self.load_balancer_sku),
            1 => Slot::OptionalBool(self.exclude_master_from_standard_load_balancer),
            2 => Slot::OptionalInteger(self.max_load_balancer_rule_count),
            3 => Slot::Bool(self.disable_outbound_snat),
            _ => unreachable!("LoadBalancerConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Enum(&mut self.load_balancer_sku),
            1 => {
                SlotMut::OptionalBool(
                    &mut self.exclude_master_from_standard_load_balancer,
                )
            }
            2 => SlotMut::OptionalInteger(&mut self.max_load_balancer_rule_count),
            3 => SlotMut::Bool(&mut self.disable_outbound_snat),
            _ => unreachable!("LoadBalancerConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for LoadBalancerConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static CLOUD_PROVIDER_CONFIG: Descriptor = Descriptor {
    name: "CloudProviderConfig",
    doc: "Retries and rate limits of calls to the Azure API. All values are written to `azure.json`, which the cloud provider reads.",
    fields: &[
        Field {
            name: "backoff",
            json_name: "backoff",
            doc: "Whether failed calls are retried with increasing delays. Defaults to `true`. Sets `CLOUDPROVIDER_BACKOFF`.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "backoff_mode",
            json_name: "backoffMode",
            doc: "Version of the retry algorithm. Defaults to `v2`, which ignores the exponent and the jitter. Sets `CLOUDPROVIDER_BACKOFF_MODE`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "backoff_retries",
            json_name: "backoffRetries",
            doc: "Number of retries. Defaults to 6. Sets `CLOUDPROVIDER_BACKOFF_RETRIES`.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "backoff_exponent",
            json_name: "backoffExponent",
            doc: "Factor by which the delay increases. Defaults to 0. Sets `CLOUDPROVIDER_BACKOFF_EXPONENT`.",
            kind: Kind::Double,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "backoff_duration",
            json_name: "backoffDuration",
            doc: "First delay in seconds. Defaults to 5. Sets `CLOUDPROVIDER_BACKOFF_DURATION`.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "backoff_jitter",
            json_name: "backoffJitter",
            doc: "Random fraction added to each delay. Defaults to 0. Sets `CLOUDPROVIDER_BACKOFF_JITTER`.",
            kind: Kind::Double,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "rate_limit",
            json_name: "rateLimit",
            doc: "Whether the client limits the rate of calls. Defaults to `true`. Sets `CLOUDPROVIDER_RATELIMIT`.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "rate_limit_qps",
            json_name: "rateLimitQps",
            doc: "Read calls per second. Defaults to 10. Sets `CLOUDPROVIDER_RATELIMIT_QPS`.",
            kind: Kind::Double,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "rate_limit_qps_write",
            json_name: "rateLimitQpsWrite",
            doc: "Write calls per second. Defaults to 10. Sets `CLOUDPROVIDER_RATELIMIT_QPS_WRITE`.",
            kind: Kind::Double,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "rate_limit_bucket",
            json_name: "rateLimitBucket",
            doc: "Read calls allowed in a burst. Defaults to 100. Sets `CLOUDPROVIDER_RATELIMIT_BUCKET`.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "rate_limit_bucket_write",
            json_name: "rateLimitBucketWrite",
            doc: "Write calls allowed in a burst. Defaults to 100. Sets `CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE`.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
    ],
    removed: &[],
};
impl CloudProviderConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &CLOUD_PROVIDER_CONFIG
    }
}
impl Message for CloudProviderConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &CLOUD_PROVIDER_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::OptionalBool(self.backoff),
            1 => Slot::Text(&self.backoff_mode),
            2 => Slot::OptionalInteger(self.backoff_retries),
            3 => Slot::OptionalDouble(self.backoff_exponent),
            4 => Slot::OptionalInteger(self.backoff_duration),
            5 => Slot::OptionalDouble(self.backoff_jitter),
            6 => Slot::OptionalBool(self.rate_limit),
            7 => Slot::OptionalDouble(self.rate_limit_qps),
            8 => Slot::OptionalDouble(self.rate_limit_qps_write),
            9 => Slot::OptionalInteger(self.rate_limit_bucket),
            10 => Slot::OptionalInteger(self.rate_limit_bucket_write),
            _ => unreachable!("CloudProviderConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::OptionalBool(&mut self.backoff),
            1 => SlotMut::Text(&mut self.backoff_mode),
            2 => SlotMut::OptionalInteger(&mut self.backoff_retries),
            3 => SlotMut::OptionalDouble(&mut self.backoff_exponent),
            4 => SlotMut::OptionalInteger(&mut self.backoff_duration),
            5 => SlotMut::OptionalDouble(&mut self.backoff_jitter),
            6 => SlotMut::OptionalBool(&mut self.rate_limit),
            7 => SlotMut::OptionalDouble(&mut self.rate_limit_qps),
            8 => SlotMut::OptionalDouble(&mut self.rate_limit_qps_write),
            9 => SlotMut::OptionalInteger(&mut self.rate_limit_bucket),
            10 => SlotMut::OptionalInteger(&mut self.rate_limit_bucket_write),
            _ => unreachable!("CloudProviderConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for CloudProviderConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static CUSTOM_CLOUD_CONFIG: Descriptor = Descriptor {
    name: "CustomCloudConfig",
    doc: "A cloud other than the public Azure clouds. If absent, the region determines the cloud.",
    fields: &[
        Field {
            name: "custom_cloud_env_name",
            json_name: "customCloudEnvName",
            doc: "Name of the environment. The cloud is a custom one only if it is `akscustom`, in any letter case. Sets `IS_CUSTOM_CLOUD`, `TARGET_CLOUD`, `TARGET_ENVIRONMENT` and `AZURE_ENVIRONMENT_FILEPATH`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "repo_depot_endpoint",
            json_name: "repoDepotEndpoint",
            doc: "Base URL of the package repositories. Used only for a custom cloud. Sets `REPO_DEPOT_ENDPOINT`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "custom_env_json_content",
            json_name: "customEnvJsonContent",
            doc: "Description of the environment. The node expects JSON in base64 in `CUSTOM_ENV_JSON`, but `ARM_RESOURCE_ENDPOINT` is read only from plain JSON, from `resourceManagerEndpoint`. Passed on unchanged, for every cloud.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "container_registry_dns_suffix",
            json_name: "containerRegistryDnsSuffix",
            doc: "DNS suffix of container registries, for the image credential provider. Used for every cloud. Sets `AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl CustomCloudConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &CUSTOM_CLOUD_CONFIG
    }
}
impl Message for CustomCloudConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &CUSTOM_CLOUD_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.custom_cloud_env_name),
            1 => Slot::Text(&self.repo_depot_endpoint),
            2 => Slot::Text(&self.custom_env_json_content),
            3 => Slot::Text(&self.container_registry_dns_suffix),
            _ => unreachable!("CustomCloudConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.custom_cloud_env_name),
            1 => SlotMut::Text(&mut self.repo_depot_endpoint),
            2 => SlotMut::Text(&mut self.custom_env_json_content),
            3 => SlotMut::Text(&mut self.container_registry_dns_suffix),
            _ => unreachable!("CustomCloudConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for CustomCloudConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static VM_TYPE: EnumDescriptor = EnumDescriptor {
    name: "VmType",
    values: &[
        EnumValue {
            name: "VM_TYPE_UNSPECIFIED",
            number: 0,
            doc: "Not specified: `VM_TYPE` is empty.",
        },
        EnumValue {
            name: "VM_TYPE_STANDARD",
            number: 1,
            doc: "Single virtual machines or an availability set: `standard`.",
        },
        EnumValue {
            name: "VM_TYPE_VMSS",
            number: 2,
            doc: "Virtual machine scale sets: `vmss`.",
        },
    ],
};
static LOAD_BALANCER_SKU: EnumDescriptor = EnumDescriptor {
    name: "LoadBalancerSku",
    values: &[
        EnumValue {
            name: "LOAD_BALANCER_SKU_UNSPECIFIED",
            number: 0,
            doc: "Not specified: `LOAD_BALANCER_SKU` is empty.",
        },
        EnumValue {
            name: "LOAD_BALANCER_SKU_BASIC",
            number: 1,
            doc: "Basic load balancer: `basic`.",
        },
        EnumValue {
            name: "LOAD_BALANCER_SKU_STANDARD",
            number: 2,
            doc: "Standard load balancer: `standard`.",
        },
    ],
};
static BOOTSTRAPPING_AUTH_METHOD: EnumDescriptor = EnumDescriptor {
    name: "BootstrappingAuthMethod",
    values: &[
        EnumValue {
            name: "BOOTSTRAPPING_AUTH_METHOD_UNSPECIFIED",
            number: 0,
            doc: "Not specified: no secure TLS bootstrapping.",
        },
        EnumValue {
            name: "BOOTSTRAPPING_AUTH_METHOD_BOOTSTRAP_TOKEN",
            number: 1,
            doc: "Bootstrap token from `tls_bootstrapping_token`.",
        },
        EnumValue {
            name: "BOOTSTRAPPING_AUTH_METHOD_SECURE_TLS_BOOTSTRAPPING",
            number: 2,
            doc: "Secure TLS bootstrapping, with a token that Azure attests. A bootstrap token, if there is one, is the fallback.",
        },
        EnumValue {
            name: "BOOTSTRAPPING_AUTH_METHOD_ARC_MSI",
            number: 3,
            doc: "Managed identity of Azure Arc. Has no effect.",
        },
        EnumValue {
            name: "BOOTSTRAPPING_AUTH_METHOD_AZURE_MSI",
            number: 4,
            doc: "Managed identity of an Azure virtual machine. Has no effect.",
        },
    ],
};
static CLUSTER_JOIN_METHOD: EnumDescriptor = EnumDescriptor {
    name: "ClusterJoinMethod",
    values: &[
        EnumValue {
            name: "CLUSTER_JOIN_METHOD_UNSPECIFIED",
            number: 0,
            doc: "Not specified.",
        },
        EnumValue {
            name: "CLUSTER_JOIN_METHOD_GENERATE_CSR",
            number: 1,
            doc: "The node requests a client certificate with a certificate signing request.",
        },
        EnumValue {
            name: "CLUSTER_JOIN_METHOD_USE_BOOTSTRAPPING_AUTH",
            number: 2,
            doc: "The node keeps using the credential it joined with.",
        },
    ],
};
static CONFIGURATION: Descriptor = Descriptor {
    name: "Configuration",
    doc: "Configuration with which a node joins an AKS cluster.",
    fields: &[
        Field {
            name: "version",
            json_name: "version",
            doc: "Version of this contract: `v1`. Required. `v0` is deprecated; any other value is rejected.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "kube_binary_config",
            json_name: "kubeBinaryConfig",
            doc: "Sources of Kubernetes binaries and the pause image. Defaults to those in the node image.",
            kind: Kind::Message(&KUBE_BINARY_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "custom_cloud_config",
            json_name: "customCloudConfig",
            doc: "Custom cloud. If absent, `cluster_config.location` determines the cloud.",
            kind: Kind::Message(&CUSTOM_CLOUD_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "api_server_config",
            json_name: "apiServerConfig",
            doc: "API server of the cluster. Has a required field.",
            kind: Kind::Message(&API_SERVER_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "cluster_config",
            json_name: "clusterConfig",
            doc: "Location of the node in Azure. Has required fields.",
            kind: Kind::Message(&CLUSTER_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "bootstrapping_config",
            json_name: "bootstrappingConfig",
            doc: "Credential with which the node joins. If absent, there is no token and no secure TLS bootstrapping.",
            kind: Kind::Message(&BOOTSTRAPPING_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "auth_config",
            json_name: "authConfig",
            doc: "The identity that the node uses for the Azure API. Has a required field.",
            kind: Kind::Message(&AUTH_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "runc_config",
            json_name: "runcConfig",
            doc: "Version of runc to install. Defaults to the one in the node image.",
            kind: Kind::Message(&RUNC_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "containerd_config",
            json_name: "containerdConfig",
            doc: "Version of containerd to install. Defaults to the one in the node image.",
            kind: Kind::Message(&CONTAINERD_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "kubelet_config",
            json_name: "kubeletConfig",
            doc: "Settings of the kubelet. If absent, there are no flags and no labels, and `KUBELET_CONFIG_FILE_CONTENT` is empty.",
            kind: Kind::Message(&KUBELET_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "custom_search_domain_config",
            json_name: "customSearchDomainConfig",
            doc: "Search domain to join. None by default.",
            kind: Kind::Message(&CUSTOM_SEARCH_DOMAIN_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "custom_linux_os_config",
            json_name: "customLinuxOsConfig",
            doc: "Kernel settings, limits and swap. Defaults to the settings of AKS.",
            kind: Kind::Message(&CUSTOM_LINUX_OS_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "http_proxy_config",
            json_name: "httpProxyConfig",
            doc: "Proxy for outbound traffic. None by default.",
            kind: Kind::Message(&HTTP_PROXY_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "gpu_config",
            json_name: "gpuConfig",
            doc: "GPU drivers and sharing. If absent, the node is not a GPU node.",
            kind: Kind::Message(&GPU_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "network_config",
            json_name: "networkConfig",
            doc: "Network plugin and policy. If absent, `NETWORK_PLUGIN` and `NETWORK_POLICY` are empty.",
            kind: Kind::Message(&NETWORK_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "kubernetes_ca_cert",
            json_name: "kubernetesCaCert",
            doc: "CA certificate of the cluster, PEM in base64. Written to `ca.crt`; a node without it cannot trust the API server. Sets `KUBE_CA_CRT`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "kubernetes_version",
            json_name: "kubernetesVersion",
            doc: "Kubernetes version, such as `1.33.2`. Sets `KUBERNETES_VERSION`. From 1.22.0 on, containerd reads the configuration of registries from a directory. From 1.34.0 on, the streaming idle timeout is ignored. An empty or invalid version counts as older than both.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "kube_proxy_url",
            json_name: "kubeProxyUrl",
            doc: "Image of kube-proxy. Sets `KUBEPROXY_URL`, which the provisioning scripts do not use any more.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "vm_size",
            json_name: "vmSize",
            doc: "Size of the virtual machine, such as `Standard_D4s_v5`. Determines `GPU_DRIVER_TYPE`, `GPU_DRIVER_VERSION`, `GPU_IMAGE_SHA` and `GPU_NEEDS_FABRIC_MANAGER`, ignoring letter case, and `SGX_NODE`, where letter case matters. Does not make the node a GPU node.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "linux_admin_username",
            json_name: "linuxAdminUsername",
            doc: "Administrator account on the node. Defaults to `azureuser`. Sets `ADMINUSER`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "is_vhd",
            json_name: "isVhd",
            doc: "Whether the node runs an AKS node image. Defaults to `true`. Sets `IS_VHD`.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "enable_ssh",
            json_name: "enableSsh",
            doc: "Whether SSH is enabled. Defaults to `true`. Sets `DISABLE_SSH` to the opposite.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "enable_unattended_upgrade",
            json_name: "enableUnattendedUpgrade",
            doc: "Whether the node installs updates of the operating system automatically. Defaults to `false`. Sets `ENABLE_UNATTENDED_UPGRADES`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "message_of_the_day",
            json_name: "messageOfTheDay",
            doc: "Text of `/etc/motd`, already in base64. If empty, the file is not changed. Sets `MESSAGE_OF_THE_DAY`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "enable_hosts_config_agent",
            json_name: "enableHostsConfigAgent",
            doc: "Whether an agent maintains the private IP address of the API server in `/etc/hosts`, for private clusters. Defaults to `false`. Sets `ENABLE_HOSTS_CONFIG_AGENT`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "custom_ca_certs",
            json_name: "customCaCerts",
            doc: "Additional CA certificates to trust, each PEM in base64. Line breaks are removed; empty elements count. Sets `CUSTOM_CA_CERT_0` and so on, `CUSTOM_CA_TRUST_COUNT` and, with at least one element, `SHOULD_CONFIGURE_CUSTOM_CA_TRUST`.",
            kind: Kind::Text,
            label: Label::Repeated,
            secret: false,
        },
        Field {
            name: "provision_output",
            json_name: "provisionOutput",
            doc: "Log file of the bootstrap. Has no effect: `PROVISION_OUTPUT` is always `/var/log/azure/cluster-provision-cse-output.log`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "workload_runtime",
            json_name: "workloadRuntime",
            doc: "Kind of workloads on the node. Has no effect.",
            kind: Kind::Enum(&WORKLOAD_RUNTIME),
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "ipv6_dual_stack_enabled",
            json_name: "ipv6DualStackEnabled",
            doc: "Whether the node has IPv6 besides IPv4. Defaults to `false`. Sets `IPV6_DUAL_STACK_ENABLED`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "outbound_command",
            json_name: "outboundCommand",
            doc: "Shell command that checks outbound connectivity, tried up to 20 times. If empty, there is no check. Sets `OUTBOUND_COMMAND`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "azure_private_registry_server",
            json_name: "azurePrivateRegistryServer",
            doc: "Host of a private Azure container registry. None by default. Sets `AZURE_PRIVATE_REGISTRY_SERVER`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "private_egress_proxy_address",
            json_name: "privateEgressProxyAddress",
            doc: "Address of the egress proxy of a network isolated cluster. The node only logs it. Sets `PRIVATE_EGRESS_PROXY_ADDRESS`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "enable_artifact_streaming",
            json_name: "enableArtifactStreaming",
            doc: "Whether container images are streamed instead of pulled whole. Defaults to `false`. Sets `ARTIFACT_STREAMING_ENABLED` and the `overlaybd` snapshotter of containerd.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "is_kata",
            json_name: "isKata",
            doc: "Whether the node runs pods in Kata virtual machines. Defaults to `false`. Sets `IS_KATA` and adds the Kata runtimes of containerd.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "needs_cgroupv2",
            json_name: "needsCgroupv2",
            doc: "Whether the node uses control groups v2. Defaults to `false`. Sets `NEEDS_CGROUPV2` and, with containerd 1.x, `SystemdCgroup`.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "disable_custom_data",
            json_name: "disableCustomData",
            doc: "Whether the node has no custom data. Sets no variable; on the `scripted` route, the command does not wait for cloud-init.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "bootstrap_profile_container_registry_server",
            json_name: "bootstrapProfileContainerRegistryServer",
            doc: "Registry that replaces the Microsoft registry in a network isolated cluster: a host, with an optional path. If empty, the cluster is not isolated. Sets `BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "imds_restriction_config",
            json_name: "imdsRestrictionConfig",
            doc: "Access of pods to the instance metadata service. Not restricted by default.",
            kind: Kind::Message(&IMDS_RESTRICTION_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "pre_provision_only",
            json_name: "preProvisionOnly",
            doc: "Whether the bootstrap stops after the machine is prepared and before it joins, so that an image can be captured. Defaults to `false`. Sets `PRE_PROVISION_ONLY`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "local_dns_profile",
            json_name: "localDnsProfile",
            doc: "DNS cache on the node. Off by default.",
            kind: Kind::Message(&LOCAL_DNS_PROFILE),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "disable_pubkey_auth",
            json_name: "disablePubkeyAuth",
            doc: "Whether SSH rejects public keys, for sign-in with Entra ID. Defaults to `false`. Sets `DISABLE_PUBKEY_AUTH`.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "service_account_image_pull_profile",
            json_name: "serviceAccountImagePullProfile",
            doc: "Image pulls with the identity of service accounts. Off by default.",
            kind: Kind::Message(&SERVICE_ACCOUNT_IMAGE_PULL_PROFILE),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "cse_timeout",
            json_name: "cseTimeout",
            doc: "Time limit of the bootstrap in seconds, 1 to 21600. Defaults to 900, also if outside that range. Sets `CSE_TIMEOUT`.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "enabled_features",
            json_name: "enabledFeatures",
            doc: "Feature switches of the bootstrap by name, for `enabled_features.sh` in the custom data for cloud-init. Names that are not valid in a shell and values with line breaks are left out. Sets no variable.",
            kind: Kind::Text,
            label: Label::Map,
            secret: false,
        },
    ],
    removed: &["teleport_config"],
};
impl Configuration {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &CONFIGURATION
    }
}
impl Message for Configuration {
    fn descriptor(&self) -> &'static Descriptor {
        &CONFIGURATION
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.version),
            1 => {
                Slot::Message(
                    self
                        .kube_binary_config
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            2 => {
                Slot::Message(
                    self
                        .custom_cloud_config
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            3 => {
                Slot::Message(
                    self
                        .api_server_config
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            4 => {
                Slot::Message(
                    self.cluster_config.as_ref().map(|message| message as &dyn Message),
                )
            }
            5 => {
                Slot::Message(
                    self
                        .bootstrapping_config
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            6 => {
                Slot::Message(
                    self.auth_config.as_ref().map(|message| message as &dyn Message),
                )
            }
            7 => {
                Slot::Message(
                    self.runc_config.as_ref().map(|message| message as &dyn Message),
                )
            }
            8 => {
                Slot::Message(
                    self
                        .containerd_config
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            9 => {
                Slot::Message(
                    self.kubelet_config.as_ref().map(|message| message as &dyn Message),
                )
            }
            10 => {
                Slot::Message(
                    self
                        .custom_search_domain_config
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            11 => {
                Slot::Message(
                    self
                        .custom_linux_os_config
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            12 => {
                Slot::Message(
                    self
                        .http_proxy_config
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            13 => {
                Slot::Message(
                    self.gpu_config.as_ref().map(|message| message as &dyn Message),
                )
            }
            14 => {
                Slot::Message(
                    self.network_config.as_ref().map(|message| message as &dyn Message),
                )
            }
            15 => Slot::Text(&self.kubernetes_ca_cert),
            16 => Slot::Text(&self.kubernetes_version),
            17 => Slot::Text(&self.kube_proxy_url),
            18 => Slot::Text(&self.vm_size),
            19 => Slot::Text(&self.linux_admin_username),
            20 => Slot::OptionalBool(self.is_vhd),
            21 => Slot::OptionalBool(self.enable_ssh),
            22 => Slot::Bool(self.enable_unattended_upgrade),
            23 => Slot::Text(&self.message_of_the_day),
            24 => Slot::Bool(self.enable_hosts_config_agent),
            25 => Slot::Texts(&self.custom_ca_certs),
            26 => Slot::Text(&self.provision_output),
            27 => Slot::Enum(self.workload_runtime),
            28 => Slot::Bool(self.ipv6_dual_stack_enabled),
            29 => Slot::Text(&self.outbound_command),
            30 => Slot::Text(&self.azure_private_registry_server),
            31 => Slot::Text(&self.private_egress_proxy_address),
            32 => Slot::Bool(self.enable_artifact_streaming),
            33 => Slot::Bool(self.is_kata),
            34 => Slot::OptionalBool(self.needs_cgroupv2),
            35 => Slot::Bool(self.disable_custom_data),
            36 => Slot::Text(&self.bootstrap_profile_container_registry_server),
            37 => {
                Slot::Message(
                    self
                        .imds_restriction_config
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            38 => Slot::Bool(self.pre_provision_only),
            39 => {
                Slot::Message(
                    self
                        .local_dns_profile
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            40 => Slot::OptionalBool(self.disable_pubkey_auth),
            41 => {
                Slot::Message(
                    self
                        .service_account_image_pull_profile
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            42 => Slot::OptionalInteger(self.cse_timeout),
            43 => Slot::TextMap(&self.enabled_features),
            _ => unreachable!("Configuration has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.version),
            1 => SlotMut::Message(self.kube_binary_config.get_or_insert_default()),
            2 => SlotMut::Message(self.custom_cloud_config.get_or_insert_default()),
            3 => SlotMut::Message(self.api_server_config.get_or_insert_default()),
            4 => SlotMut::Message(self.cluster_config.get_or_insert_default()),
            5 => SlotMut::Message(self.bootstrapping_config.get_or_insert_default()),
            6 => SlotMut::Message(self.auth_config.get_or_insert_default()),
            7 => SlotMut::Message(self.runc_config.get_or_insert_default()),
            8 => SlotMut::Message(self.containerd_config.get_or_insert_default()),
            9 => SlotMut::Message(self.kubelet_config.get_or_insert_default()),
            10 => {
                SlotMut::Message(
                    self.custom_search_domain_config.get_or_insert_default(),
                )
            }
            11 => SlotMut::Message(self.custom_linux_os_config.get_or_insert_default()),
            12 => SlotMut::Message(self.http_proxy_config.get_or_insert_default()),
            13 => SlotMut::Message(self.gpu_config.get_or_insert_default()),
            14 => SlotMut::Message(self.network_config.get_or_insert_default()),
            15 => SlotMut::Text(&mut self.kubernetes_ca_cert),
            16 => SlotMut::Text(&mut self.kubernetes_version),
            17 => SlotMut::Text(&mut self.kube_proxy_url),
            18 => SlotMut::Text(&mut self.vm_size),
            19 => SlotMut::Text(&mut self.linux_admin_username),
            20 => SlotMut::OptionalBool(&mut self.is_vhd),
            21 => SlotMut::OptionalBool(&mut self.enable_ssh),
            22 => SlotMut::Bool(&mut self.enable_unattended_upgrade),
            23 => SlotMut::Text(&mut self.message_of_the_day),
            24 => SlotMut::Bool(&mut self.enable_hosts_config_agent),
            25 => SlotMut::Texts(&mut self.custom_ca_certs),
            26 => SlotMut::Text(&mut self.provision_output),
            27 => SlotMut::Enum(&mut self.workload_runtime),
            28 => SlotMut::Bool(&mut self.ipv6_dual_stack_enabled),
            29 => SlotMut::Text(&mut self.outbound_command),
            30 => SlotMut::Text(&mut self.azure_private_registry_server),
            31 => SlotMut::Text(&mut self.private_egress_proxy_address),
            32 => SlotMut::Bool(&mut self.enable_artifact_streaming),
            33 => SlotMut::Bool(&mut self.is_kata),
            34 => SlotMut::OptionalBool(&mut self.needs_cgroupv2),
            35 => SlotMut::Bool(&mut self.disable_custom_data),
            36 => SlotMut::Text(&mut self.bootstrap_profile_container_registry_server),
            37 => SlotMut::Message(self.imds_restriction_config.get_or_insert_default()),
            38 => SlotMut::Bool(&mut self.pre_provision_only),
            39 => SlotMut::Message(self.local_dns_profile.get_or_insert_default()),
            40 => SlotMut::OptionalBool(&mut self.disable_pubkey_auth),
            41 => {
                SlotMut::Message(
                    self.service_account_image_pull_profile.get_or_insert_default(),
                )
            }
            42 => SlotMut::OptionalInteger(&mut self.cse_timeout),
            43 => SlotMut::TextMap(&mut self.enabled_features),
            _ => unreachable!("Configuration has no such field"),
        }
    }
}
impl ::core::fmt::Debug for Configuration {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static KUBELET_CONFIG: Descriptor = Descriptor {
    name: "KubeletConfig",
    doc: "Settings of the kubelet.",
    fields: &[
        Field {
            name: "kubelet_flags",
            json_name: "kubeletFlags",
            doc: "Command line flags by name, with dashes (`--max-pods`). Values are not quoted. From Kubernetes 1.34.0 on, `--streaming-connection-idle-timeout` is left out. Sets `KUBELET_FLAGS`, sorted, separated by spaces.",
            kind: Kind::Text,
            label: Label::Map,
            secret: false,
        },
        Field {
            name: "kubelet_node_labels",
            json_name: "kubeletNodeLabels",
            doc: "Labels that the node registers with, by key. Sets `KUBELET_NODE_LABELS`, sorted, separated by commas.",
            kind: Kind::Text,
            label: Label::Map,
            secret: false,
        },
        Field {
            name: "kubelet_disk_type",
            json_name: "kubeletDiskType",
            doc: "Disk for the files of the kubelet. Sets `HAS_KUBELET_DISK_TYPE`.",
            kind: Kind::Enum(&KUBELET_DISK),
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "enable_kubelet_config_file",
            json_name: "enableKubeletConfigFile",
            doc: "Whether the kubelet reads its configuration file. Defaults to `false`. Sets `KUBELET_CONFIG_FILE_ENABLED`. The content is rendered in any case.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "kubelet_config_file_config",
            json_name: "kubeletConfigFileConfig",
            doc: "Content of the configuration file. Defaults to `{}`. Sets `KUBELET_CONFIG_FILE_CONTENT`, JSON in base64.",
            kind: Kind::Message(&KUBELET_CONFIG_FILE_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "kubelet_client_key",
            json_name: "kubeletClientKey",
            doc: "Private key of the client certificate, PEM in base64. Secret. Used only without a bootstrap token and without secure TLS bootstrapping. Sets `KUBELET_CLIENT_CONTENT`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: true,
        },
        Field {
            name: "kubelet_client_cert_content",
            json_name: "kubeletClientCertContent",
            doc: "Client certificate of `kubelet_client_key`, PEM in base64. Sets `KUBELET_CLIENT_CERT_CONTENT`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "container_data_dir",
            json_name: "containerDataDir",
            doc: "Directory in which containerd stores images and containers. Defaults to containerd's own default. Sets `root` in the configuration of containerd; must not contain quotes or backslashes.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl KubeletConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &KUBELET_CONFIG
    }
}
impl Message for KubeletConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &KUBELET_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::TextMap(&self.kubelet_flags),
            1 => Slot::TextMap(&self.kubelet_node_labels),
            2 => Slot::Enum(self.kubelet_disk_type),
            3 => Slot::Bool(self.enable_kubelet_config_file),
            4 => {
                Slot::Message(
                    self
                        .kubelet_config_file_config
                        .as_ref()
                        .map(|message| message as &dyn Message),
                )
            }
            5 => Slot::Text(&self.kubelet_client_key),
            6 => Slot::Text(&self.kubelet_client_cert_content),
            7 => Slot::Text(&self.container_data_dir),
            _ => unreachable!("KubeletConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::TextMap(&mut self.kubelet_flags),
            1 => SlotMut::TextMap(&mut self.kubelet_node_labels),
            2 => SlotMut::Enum(&mut self.kubelet_disk_type),
            3 => SlotMut::Bool(&mut self.enable_kubelet_config_file),
            4 => {
                SlotMut::Message(self.kubelet_config_file_config.get_or_insert_default())
            }
            5 => SlotMut::Text(&mut self.kubelet_client_key),
            6 => SlotMut::Text(&mut self.kubelet_client_cert_content),
            7 => SlotMut::Text(&mut self.container_data_dir),
            _ => unreachable!("KubeletConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for KubeletConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static KUBELET_CONFIG_FILE_CONFIG: Descriptor = Descriptor {
    name: "KubeletConfigFileConfig",
    doc: "The `KubeletConfiguration` file, rendered into `KUBELET_CONFIG_FILE_CONTENT` as JSON in base64. Fields that are unset, empty or absent are left out, so that the kubelet's own defaults apply.",
    fields: &[
        Field {
            name: "kind",
            json_name: "kind",
            doc: "Kind of the document: `KubeletConfiguration`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "api_version",
            json_name: "apiVersion",
            doc: "API version of the document: `kubelet.config.k8s.io/v1beta1`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "static_pod_path",
            json_name: "staticPodPath",
            doc: "Directory of static pod manifests. If empty, there are no static pods.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "address",
            json_name: "address",
            doc: "IP address that the kubelet listens on. All addresses by default.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "read_only_port",
            json_name: "readOnlyPort",
            doc: "Port of the server without authentication. With 0, the default, there is no such server.",
            kind: Kind::Integer,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "tls_cert_file",
            json_name: "tlsCertFile",
            doc: "Path of the serving certificate. Not set by default.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "tls_private_key_file",
            json_name: "tlsPrivateKeyFile",
            doc: "Path of the key of the serving certificate. Not set by default.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "tls_cipher_suites",
            json_name: "tlsCipherSuites",
            doc: "Names of the TLS cipher suites that the server accepts. Defaults to the kubelet's own default.",
            kind: Kind::Text,
            label: Label::Repeated,
            secret: false,
        },
        Field {
            name: "rotate_certificates",
            json_name: "rotateCertificates",
            doc: "Whether the kubelet renews its client certificate. Defaults to `false`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "server_tls_bootstrap",
            json_name: "serverTLSBootstrap",
            doc: "Whether the kubelet requests its serving certificate from the cluster and renews it. Defaults to `false`. Also sets `ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION`, whether the kubelet reads the file or not.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "authentication",
            json_name: "authentication",
            doc: "Authentication of requests to the kubelet.",
            kind: Kind::Message(&KUBELET_AUTHENTICATION),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "authorization",
            json_name: "authorization",
            doc: "Authorization of requests to the kubelet.",
            kind: Kind::Message(&KUBELET_AUTHORIZATION),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "event_record_qps",
            json_name: "eventRecordQPS",
            doc: "Events per second; 0 means no limit. Defaults to the kubelet's own default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "cluster_domain",
            json_name: "clusterDomain",
            doc: "DNS domain of the cluster, such as `cluster.local`. None by default.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "cluster_dns",
            json_name: "clusterDNS",
            doc: "IP addresses of the DNS servers for pods.",
            kind: Kind::Text,
            label: Label::Repeated,
            secret: false,
        },
        Field {
            name: "streaming_connection_idle_timeout",
            json_name: "streamingConnectionIdleTimeout",
            doc: "Time after which an idle streaming connection is closed, such as `4h`. Ignored from Kubernetes 1.34.0 on.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "node_status_update_frequency",
            json_name: "nodeStatusUpdateFrequency",
            doc: "Interval between computations of the node status, such as `10s`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "node_status_report_frequency",
            json_name: "nodeStatusReportFrequency",
            doc: "Interval between reports of an unchanged node status, such as `5m`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "image_gc_high_threshold_percent",
            json_name: "imageGCHighThresholdPercent",
            doc: "Disk usage in percent above which unused images are always removed, 0 to 100. Defaults to the kubelet's own default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "image_gc_low_threshold_percent",
            json_name: "imageGCLowThresholdPercent",
            doc: "Disk usage in percent down to which images are removed; below the high threshold. Defaults to the kubelet's own default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "cgroups_per_qos",
            json_name: "cgroupsPerQOS",
            doc: "Whether pods are in control groups by quality of service. Defaults to the kubelet's own default.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "cpu_manager_policy",
            json_name: "cpuManagerPolicy",
            doc: "CPU manager: `none` or `static`. The kubelet's own default is `none`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "topology_manager_policy",
            json_name: "topologyManagerPolicy",
            doc: "Topology manager: `none`, `best-effort`, `restricted` or `single-numa-node`. The kubelet's own default is `none`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "max_pods",
            json_name: "maxPods",
            doc: "Maximum number of pods on the node. The kubelet's own default is 110.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "pod_pids_limit",
            json_name: "podPidsLimit",
            doc: "Maximum number of processes in a pod; -1 means no limit. Defaults to the kubelet's own default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "resolv_conf",
            json_name: "resolvConf",
            doc: "File with the DNS settings that those of pods are based on. Defaults to the kubelet's own default.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "cpu_cfs_quota",
            json_name: "cpuCFSQuota",
            doc: "Whether CPU limits of containers are enforced. The kubelet's own default is `true`.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "cpu_cfs_quota_period",
            json_name: "cpuCFSQuotaPeriod",
            doc: "Period over which a CPU limit is enforced, such as `100ms`. Defaults to the kubelet's own default.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "eviction_hard",
            json_name: "evictionHard",
            doc: "Thresholds at which pods are evicted immediately, by signal, such as `750Mi` for `memory.available`.",
            kind: Kind::Text,
            label: Label::Map,
            secret: false,
        },
        Field {
            name: "protect_kernel_defaults",
            json_name: "protectKernelDefaults",
            doc: "Whether the kubelet does not start if kernel settings differ from what it expects. Defaults to `false`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "feature_gates",
            json_name: "featureGates",
            doc: "Kubernetes feature gates to enable or disable, by name.",
            kind: Kind::Bool,
            label: Label::Map,
            secret: false,
        },
        Field {
            name: "fail_swap_on",
            json_name: "failSwapOn",
            doc: "Whether the kubelet does not start if swap is on. The kubelet's own default is `true`; set it to `false` together with a swap file.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "container_log_max_size",
            json_name: "containerLogMaxSize",
            doc: "Size at which a container log is rotated, such as `50M`. Defaults to the kubelet's own default.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "container_log_max_files",
            json_name: "containerLogMaxFiles",
            doc: "Number of log files that are kept for a container, 2 or more. Defaults to the kubelet's own default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "system_reserved",
            json_name: "systemReserved",
            doc: "Resources reserved for the operating system, by name, such as `200Mi` for `memory`.",
            kind: Kind::Text,
            label: Label::Map,
            secret: false,
        },
        Field {
            name: "kube_reserved",
            json_name: "kubeReserved",
            doc: "Resources reserved for Kubernetes, by name, such as `100m` for `cpu`.",
            kind: Kind::Text,
            label: Label::Map,
            secret: false,
        },
        Field {
            name: "enforce_node_allocatable",
            json_name: "enforceNodeAllocatable",
            doc: "What reservations are enforced for, such as `pods`.",
            kind: Kind::Text,
            label: Label::Repeated,
            secret: false,
        },
        Field {
            name: "eviction_soft",
            json_name: "evictionSoft",
            doc: "Thresholds at which pods are evicted after a grace period, by signal.",
            kind: Kind::Text,
            label: Label::Map,
            secret: false,
        },
        Field {
            name: "eviction_soft_grace_period",
            json_name: "evictionSoftGracePeriod",
            doc: "Grace periods of the soft thresholds, by signal, such as `1m30s`.",
            kind: Kind::Text,
            label: Label::Map,
            secret: false,
        },
        Field {
            name: "eviction_max_pod_grace_period",
            json_name: "evictionMaxPodGracePeriod",
            doc: "Maximum termination time in seconds of a pod that is evicted at a soft threshold. 0, the default, is left out.",
            kind: Kind::Integer,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "kube_reserved_cgroup",
            json_name: "kubeReservedCgroup",
            doc: "Control group in which `kube_reserved` is enforced. The node supports `kubereserved.slice`. None by default.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "system_reserved_cgroup",
            json_name: "systemReservedCgroup",
            doc: "Control group in which `system_reserved` is enforced. The node supports `system.slice`. None by default.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "allowed_unsafe_sysctls",
            json_name: "allowedUnsafeSysctls",
            doc: "Unsafe kernel settings, or patterns ending in an asterisk, that pods may change.",
            kind: Kind::Text,
            label: Label::Repeated,
            secret: false,
        },
        Field {
            name: "serialize_image_pulls",
            json_name: "serializeImagePulls",
            doc: "Whether images are pulled one at a time. The kubelet's own default is `true`.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "seccomp_default",
            json_name: "seccompDefault",
            doc: "Whether `RuntimeDefault` is the seccomp profile of all workloads. Defaults to `false`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl KubeletConfigFileConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &KUBELET_CONFIG_FILE_CONFIG
    }
}
impl Message for KubeletConfigFileConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &KUBELET_CONFIG_FILE_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.kind),
            1 => Slot::Text(&self.api_version),
            2 => Slot::Text(&self.static_pod_path),
            3 => Slot::Text(&self.address),
            4 => Slot::Integer(self.read_only_port),
            5 => Slot::Text(&self.tls_cert_file),
            6 => Slot::Text(&self.tls_private_key_file),
            7 => Slot::Texts(&self.tls_cipher_suites),
            8 => Slot::Bool(self.rotate_certificates),
            9 => Slot::Bool(self.server_tls_bootstrap),
            10 => {
                Slot::Message(
                    self.authentication.as_ref().map(|message| message as &dyn Message),
                )
            }
            11 => {
                Slot::Message(
                    self.authorization.as_ref().map(|message| message as &dyn Message),
                )
            }
            12 => Slot::OptionalInteger(self.event_record_qps),
            13 => Slot::Text(&self.cluster_domain),
            14 => Slot::Texts(&self.cluster_dns),
            15 => Slot::Text(&self.streaming_connection_idle_timeout),
            16 => Slot::Text(&self.node_status_update_frequency),
            17 => Slot::Text(&self.node_status_report_frequency),
            18 => Slot::OptionalInteger(self.image_gc_high_threshold_percent),
            19 => Slot::OptionalInteger(self.image_gc_low_threshold_percent),
            20 => Slot::OptionalBool(self.cgroups_per_qos),
            21 => Slot::Text(&self.cpu_manager_policy),
            22 => Slot::Text(&self.topology_manager_policy),
            23 => Slot::OptionalInteger(self.max_pods),
            24 => Slot::OptionalInteger(self.pod_pids_limit),
            25 => Slot::Text(&self.resolv_conf),
            26 => Slot::OptionalBool(self.cpu_cfs_quota),
            27 => Slot::Text(&self.cpu_cfs_quota_period),
            28 => Slot::TextMap(&self.eviction_hard),
            29 => Slot::Bool(self.protect_kernel_defaults),
            30 => Slot::BoolMap(&self.feature_gates),
            31 => Slot::OptionalBool(self.fail_swap_on),
            32 => Slot::Text(&self.container_log_max_size),
            33 => Slot::OptionalInteger(self.container_log_max_files),
            34 => Slot::TextMap(&self.system_reserved),
            35 => Slot::TextMap(&self.kube_reserved),
            36 => Slot::Texts(&self.enforce_node_allocatable),
            37 => Slot::TextMap(&self.eviction_soft),
            38 => Slot::TextMap(&self.eviction_soft_grace_period),
            39 => Slot::Integer(self.eviction_max_pod_grace_period),
            40 => Slot::Text(&self.kube_reserved_cgroup),
            41 => Slot::Text(&self.system_reserved_cgroup),
            42 => Slot::Texts(&self.allowed_unsafe_sysctls),
            43 => Slot::OptionalBool(self.serialize_image_pulls),
            44 => Slot::Bool(self.seccomp_default),
            _ => unreachable!("KubeletConfigFileConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.kind),
            1 => SlotMut::Text(&mut self.api_version),
            2 => SlotMut::Text(&mut self.static_pod_path),
            3 => SlotMut::Text(&mut self.address),
            4 => SlotMut::Integer(&mut self.read_only_port),
            5 => SlotMut::Text(&mut self.tls_cert_file),
            6 => SlotMut::Text(&mut self.tls_private_key_file),
            7 => SlotMut::Texts(&mut self.tls_cipher_suites),
            8 => SlotMut::Bool(&mut self.rotate_certificates),
            9 => SlotMut::Bool(&mut self.server_tls_bootstrap),
            10 => SlotMut::Message(self.authentication.get_or_insert_default()),
            11 => SlotMut::Message(self.authorization.get_or_insert_default()),
            12 => SlotMut::OptionalInteger(&mut self.event_record_qps),
            13 => SlotMut::Text(&mut self.cluster_domain),
            14 => SlotMut::Texts(&mut self.cluster_dns),
            15 => SlotMut::Text(&mut self.streaming_connection_idle_timeout),
            16 => SlotMut::Text(&mut self.node_status_update_frequency),
            17 => SlotMut::Text(&mut self.node_status_report_frequency),
            18 => SlotMut::OptionalInteger(&mut self.image_gc_high_threshold_percent),
            19 => SlotMut::OptionalInteger(&mut self.image_gc_low_threshold_percent),
            20 => SlotMut::OptionalBool(&mut self.cgroups_per_qos),
            21 => SlotMut::Text(&mut self.cpu_manager_policy),
            22 => SlotMut::Text(&mut self.topology_manager_policy),
            23 => SlotMut::OptionalInteger(&mut self.max_pods),
            24 => SlotMut::OptionalInteger(&mut self.pod_pids_limit),
            25 => SlotMut::Text(&mut self.resolv_conf),
            26 => SlotMut::OptionalBool(&mut self.cpu_cfs_quota),
            27 => SlotMut::Text(&mut self.cpu_cfs_quota_period),
            28 => SlotMut::TextMap(&mut self.eviction_hard),
            29 => SlotMut::Bool(&mut self.protect_kernel_defaults),
            30 => SlotMut::BoolMap(&mut self.feature_gates),
            31 => SlotMut::OptionalBool(&mut self.fail_swap_on),
            32 => SlotMut::Text(&mut self.container_log_max_size),
            33 => SlotMut::OptionalInteger(&mut self.container_log_max_files),
            34 => SlotMut::TextMap(&mut self.system_reserved),
            35 => SlotMut::TextMap(&mut self.kube_reserved),
            36 => SlotMut::Texts(&mut self.enforce_node_allocatable),
            37 => SlotMut::TextMap(&mut self.eviction_soft),
            38 => SlotMut::TextMap(&mut self.eviction_soft_grace_period),
            39 => SlotMut::Integer(&mut self.eviction_max_pod_grace_period),
            40 => SlotMut::Text(&mut self.kube_reserved_cgroup),
            41 => SlotMut::Text(&mut self.system_reserved_cgroup),
            42 => SlotMut::Texts(&mut self.allowed_unsafe_sysctls),
            43 => SlotMut::OptionalBool(&mut self.serialize_image_pulls),
            44 => SlotMut::Bool(&mut self.seccomp_default),
            _ => unreachable!("KubeletConfigFileConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for KubeletConfigFileConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static KUBELET_AUTHENTICATION: Descriptor = Descriptor {
    name: "KubeletAuthentication",
    doc: "Authentication of requests to the kubelet. Absent members are left out.",
    fields: &[
        Field {
            name: "x509",
            json_name: "x509",
            doc: "Client certificates.",
            kind: Kind::Message(&KUBELET_X509_AUTHENTICATION),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "webhook",
            json_name: "webhook",
            doc: "Bearer tokens, which the API server checks.",
            kind: Kind::Message(&KUBELET_WEBHOOK_AUTHENTICATION),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "anonymous",
            json_name: "anonymous",
            doc: "Requests without credentials.",
            kind: Kind::Message(&KUBELET_ANONYMOUS_AUTHENTICATION),
            label: Label::Optional,
            secret: false,
        },
    ],
    removed: &[],
};
impl KubeletAuthentication {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &KUBELET_AUTHENTICATION
    }
}
impl Message for KubeletAuthentication {
    fn descriptor(&self) -> &'static Descriptor {
        &KUBELET_AUTHENTICATION
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Message(self.x509.as_ref().map(|message| message as &dyn Message)),
            1 => {
                Slot::Message(
                    self.webhook.as_ref().map(|message| message as &dyn Message),
                )
            }
            2 => {
                Slot::Message(
                    self.anonymous.as_ref().map(|message| message as &dyn Message),
                )
            }
            _ => unreachable!("KubeletAuthentication has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Message(self.x509.get_or_insert_default()),
            1 => SlotMut::Message(self.webhook.get_or_insert_default()),
            2 => SlotMut::Message(self.anonymous.get_or_insert_default()),
            _ => unreachable!("KubeletAuthentication has no such field"),
        }
    }
}
impl ::core::fmt::Debug for KubeletAuthentication {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static KUBELET_X509_AUTHENTICATION: Descriptor = Descriptor {
    name: "KubeletX509Authentication",
    doc: "Authentication by client certificate.",
    fields: &[
        Field {
            name: "client_ca_file",
            json_name: "clientCAFile",
            doc: "Path of the certificate authority that issues client certificates. If empty, client certificates are not accepted.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl KubeletX509Authentication {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &KUBELET_X509_AUTHENTICATION
    }
}
impl Message for KubeletX509Authentication {
    fn descriptor(&self) -> &'static Descriptor {
        &KUBELET_X509_AUTHENTICATION
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.client_ca_file),
            _ => unreachable!("KubeletX509Authentication has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.client_ca_file),
            _ => unreachable!("KubeletX509Authentication has no such field"),
        }
    }
}
impl ::core::fmt::Debug for KubeletX509Authentication {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static KUBELET_WEBHOOK_AUTHENTICATION: Descriptor = Descriptor {
    name: "KubeletWebhookAuthentication",
    doc: "Authentication by bearer token.",
    fields: &[
        Field {
            name: "enabled",
            json_name: "enabled",
            doc: "Whether bearer tokens are accepted and checked by the API server. `false` is left out of the file, so the kubelet's default, `true`, applies.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "cache_ttl",
            json_name: "cacheTtl",
            doc: "How long an answer is cached, such as `2m`. Written as `cacheTtl`, although the kubelet's name is `cacheTTL`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl KubeletWebhookAuthentication {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &KUBELET_WEBHOOK_AUTHENTICATION
    }
}
impl Message for KubeletWebhookAuthentication {
    fn descriptor(&self) -> &'static Descriptor {
        &KUBELET_WEBHOOK_AUTHENTICATION
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Bool(self.enabled),
            1 => Slot::Text(&self.cache_ttl),
            _ => unreachable!("KubeletWebhookAuthentication has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Bool(&mut self.enabled),
            1 => SlotMut::Text(&mut self.cache_ttl),
            _ => unreachable!("KubeletWebhookAuthentication has no such field"),
        }
    }
}
impl ::core::fmt::Debug for KubeletWebhookAuthentication {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static KUBELET_ANONYMOUS_AUTHENTICATION: Descriptor = Descriptor {
    name: "KubeletAnonymousAuthentication",
    doc: "Requests without credentials.",
    fields: &[
        Field {
            name: "enabled",
            json_name: "enabled",
            doc: "Whether requests without credentials are accepted as anonymous. `false` is left out of the file, which leaves an empty object.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl KubeletAnonymousAuthentication {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &KUBELET_ANONYMOUS_AUTHENTICATION
    }
}
impl Message for KubeletAnonymousAuthentication {
    fn descriptor(&self) -> &'static Descriptor {
        &KUBELET_ANONYMOUS_AUTHENTICATION
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Bool(self.enabled),
            _ => unreachable!("KubeletAnonymousAuthentication has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Bool(&mut self.enabled),
            _ => unreachable!("KubeletAnonymousAuthentication has no such field"),
        }
    }
}
impl ::core::fmt::Debug for KubeletAnonymousAuthentication {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static KUBELET_AUTHORIZATION: Descriptor = Descriptor {
    name: "KubeletAuthorization",
    doc: "Authorization of requests to the kubelet.",
    fields: &[
        Field {
            name: "mode",
            json_name: "mode",
            doc: "`Webhook` to query the API server, or `AlwaysAllow` to allow everything. Defaults to the kubelet's own default.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "webhook",
            json_name: "webhook",
            doc: "Caching of the answers of the API server.",
            kind: Kind::Message(&KUBELET_WEBHOOK_AUTHORIZATION),
            label: Label::Optional,
            secret: false,
        },
    ],
    removed: &[],
};
impl KubeletAuthorization {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &KUBELET_AUTHORIZATION
    }
}
impl Message for KubeletAuthorization {
    fn descriptor(&self) -> &'static Descriptor {
        &KUBELET_AUTHORIZATION
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.mode),
            1 => {
                Slot::Message(
                    self.webhook.as_ref().map(|message| message as &dyn Message),
                )
            }
            _ => unreachable!("KubeletAuthorization has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.mode),
            1 => SlotMut::Message(self.webhook.get_or_insert_default()),
            _ => unreachable!("KubeletAuthorization has no such field"),
        }
    }
}
impl ::core::fmt::Debug for KubeletAuthorization {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static KUBELET_WEBHOOK_AUTHORIZATION: Descriptor = Descriptor {
    name: "KubeletWebhookAuthorization",
    doc: "How long answers of the API server are cached.",
    fields: &[
        Field {
            name: "cache_authorized_ttl",
            json_name: "cacheAuthorizedTtl",
            doc: "Time for a positive answer, such as `5m`. Written as `cacheAuthorizedTtl`, although the kubelet's name ends with `TTL`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "cache_unauthorized_ttl",
            json_name: "cacheUnauthorizedTtl",
            doc: "Time for a negative answer, such as `30s`. Written as `cacheUnauthorizedTtl`, although the kubelet's name ends with `TTL`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl KubeletWebhookAuthorization {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &KUBELET_WEBHOOK_AUTHORIZATION
    }
}
impl Message for KubeletWebhookAuthorization {
    fn descriptor(&self) -> &'static Descriptor {
        &KUBELET_WEBHOOK_AUTHORIZATION
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.cache_authorized_ttl),
            1 => Slot::Text(&self.cache_unauthorized_ttl),
            _ => unreachable!("KubeletWebhookAuthorization has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.cache_authorized_ttl),
            1 => SlotMut::Text(&mut self.cache_unauthorized_ttl),
            _ => unreachable!("KubeletWebhookAuthorization has no such field"),
        }
    }
}
impl ::core::fmt::Debug for KubeletWebhookAuthorization {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static KUBELET_DISK: EnumDescriptor = EnumDescriptor {
    name: "KubeletDisk",
    values: &[
        EnumValue {
            name: "KUBELET_DISK_UNSPECIFIED",
            number: 0,
            doc: "Not specified: the disk of the operating system.",
        },
        EnumValue {
            name: "KUBELET_DISK_OS_DISK",
            number: 1,
            doc: "The disk of the operating system.",
        },
        EnumValue {
            name: "KUBELET_DISK_TEMP_DISK",
            number: 2,
            doc: "The temporary disk of the virtual machine: sets `HAS_KUBELET_DISK_TYPE` to `true`.",
        },
    ],
};
static LOCAL_DNS_PROFILE: Descriptor = Descriptor {
    name: "LocalDnsProfile",
    doc: "DNS cache on the node (local DNS), for the node itself and for its pods.",
    fields: &[
        Field {
            name: "enable_local_dns",
            json_name: "enableLocalDns",
            doc: "Whether the DNS cache runs. Defaults to `false`, with which the Corefile variables are empty. Sets `SHOULD_ENABLE_LOCALDNS`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "cpu_limit_in_milli_cores",
            json_name: "cpuLimitInMilliCores",
            doc: "CPU limit in thousandths of a core. Two cores if absent, 0, or if local DNS is off. Sets `LOCALDNS_CPU_LIMIT` as a percentage, such as `200.0%`.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "memory_limit_in_mb",
            json_name: "memoryLimitInMb",
            doc: "Memory limit in megabytes. 128 if absent, 0, or if local DNS is off. Sets `LOCALDNS_MEMORY_LIMIT`, such as `128M`.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "vnet_dns_overrides",
            json_name: "vnetDnsOverrides",
            doc: "Settings by DNS zone for queries of the node and of pods with the DNS policy `Default`. Each is a server block in `LOCALDNS_COREFILE_BASE` and `LOCALDNS_COREFILE_WITH_HOSTS`.",
            kind: Kind::Message(&LOCAL_DNS_OVERRIDES),
            label: Label::Map,
            secret: false,
        },
        Field {
            name: "kube_dns_overrides",
            json_name: "kubeDnsOverrides",
            doc: "Settings by DNS zone for queries of pods with the DNS policy `ClusterFirst`. Each is a server block in `LOCALDNS_COREFILE_BASE` and `LOCALDNS_COREFILE_WITH_HOSTS`.",
            kind: Kind::Message(&LOCAL_DNS_OVERRIDES),
            label: Label::Map,
            secret: false,
        },
        Field {
            name: "enable_hosts_plugin",
            json_name: "enableHostsPlugin",
            doc: "Whether the root zone answers from a hosts file with critical names. Defaults to `false`. Sets `SHOULD_ENABLE_HOSTS_PLUGIN`, to `true` only if local DNS is on.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "critical_fqdns",
            json_name: "criticalFqdns",
            doc: "Names in the hosts file of local DNS. Surrounding whitespace and empty elements are removed. Sets `LOCALDNS_CRITICAL_FQDNS`, separated by commas, even if local DNS is off.",
            kind: Kind::Text,
            label: Label::Repeated,
            secret: false,
        },
        Field {
            name: "hosts_plugin_refresh_interval_in_seconds",
            json_name: "hostsPluginRefreshIntervalInSeconds",
            doc: "Seconds between refreshes of the hosts file of local DNS. The node's default, 15 minutes, if absent, 0 or negative. Sets `LOCALDNS_HOSTS_PLUGIN_REFRESH_INTERVAL_IN_SECONDS`, even if local DNS is off.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
    ],
    removed: &[],
};
impl LocalDnsProfile {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &LOCAL_DNS_PROFILE
    }
}
impl Message for LocalDnsProfile {
    fn descriptor(&self) -> &'static Descriptor {
        &LOCAL_DNS_PROFILE
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Bool(self.enable_local_dns),
            1 => Slot::OptionalInteger(self.cpu_limit_in_milli_cores),
            2 => Slot::OptionalInteger(self.memory_limit_in_mb),
            3 => Slot::MessageMap(&self.vnet_dns_overrides),
            4 => Slot::MessageMap(&self.kube_dns_overrides),
            5 => Slot::Bool(self.enable_hosts_plugin),
            6 => Slot::Texts(&self.critical_fqdns),
            7 => Slot::OptionalInteger(self.hosts_plugin_refresh_interval_in_seconds),
            _ => unreachable!("LocalDnsProfile has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Bool(&mut self.enable_local_dns),
            1 => SlotMut::OptionalInteger(&mut self.cpu_limit_in_milli_cores),
            2 => SlotMut::OptionalInteger(&mut self.memory_limit_in_mb),
            3 => SlotMut::MessageMap(&mut self.vnet_dns_overrides),
            4 => SlotMut::MessageMap(&mut self.kube_dns_overrides),
            5 => SlotMut::Bool(&mut self.enable_hosts_plugin),
            6 => SlotMut::Texts(&mut self.critical_fqdns),
            7 => {
                SlotMut::OptionalInteger(
                    &mut self.hosts_plugin_refresh_interval_in_seconds,
                )
            }
            _ => unreachable!("LocalDnsProfile has no such field"),
        }
    }
}
impl ::core::fmt::Debug for LocalDnsProfile {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static LOCAL_DNS_OVERRIDES: Descriptor = Descriptor {
    name: "LocalDnsOverrides",
    doc: "Settings of a DNS zone. Letter case matters in strings, which are written unescaped.",
    fields: &[
        Field {
            name: "query_logging",
            json_name: "queryLogging",
            doc: "`Error` to log failures, `Log` to log every query. With any other value, nothing is logged.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "protocol",
            json_name: "protocol",
            doc: "Protocol for queries to the upstream server: `PreferUDP` or `ForceTCP`. With any other value, the protocol of the query.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "forward_destination",
            json_name: "forwardDestination",
            doc: "Upstream server: `ClusterCoreDNS`, or Azure DNS with any other value. Queries for zones ending with `cluster.local` always go to the cluster; queries for the root zone of `vnet_dns_overrides` always go to Azure DNS.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "forward_policy",
            json_name: "forwardPolicy",
            doc: "Order of upstream servers: `RoundRobin`, `Random` or `Sequential`. Any other value means `Sequential`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "max_concurrent",
            json_name: "maxConcurrent",
            doc: "Maximum number of concurrent queries. Required: without it, the Corefile is invalid.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "cache_duration_in_seconds",
            json_name: "cacheDurationInSeconds",
            doc: "Maximum time in seconds for which an answer is cached. Required: without it, the Corefile is invalid.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "serve_stale_duration_in_seconds",
            json_name: "serveStaleDurationInSeconds",
            doc: "How many seconds after it expired an answer may be served. Required if `serve_stale` is on: without it, the Corefile is invalid.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "serve_stale",
            json_name: "serveStale",
            doc: "Serving of expired answers: `Verify` queries the upstream server first, `Immediate` answers immediately. Any other value, such as `Disable`, turns it off.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "failfast_all_unhealthy_upstreams",
            json_name: "failfastAllUnhealthyUpstreams",
            doc: "Whether queries fail immediately if no upstream server is healthy. Defaults to `false`.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "health_check",
            json_name: "healthCheck",
            doc: "Health check of the upstream servers. Defaults to the forward plugin's own.",
            kind: Kind::Message(&LOCAL_DNS_HEALTH_CHECK),
            label: Label::Optional,
            secret: false,
        },
    ],
    removed: &[],
};
impl LocalDnsOverrides {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &LOCAL_DNS_OVERRIDES
    }
}
impl Message for LocalDnsOverrides {
    fn descriptor(&self) -> &'static Descriptor {
        &LOCAL_DNS_OVERRIDES
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.query_logging),
            1 => Slot::Text(&self.protocol),
            2 => Slot::Text(&self.forward_destination),
            3 => Slot::Text(&self.forward_policy),
            4 => Slot::OptionalInteger(self.max_concurrent),
            5 => Slot::OptionalInteger(self.cache_duration_in_seconds),
            6 => Slot::OptionalInteger(self.serve_stale_duration_in_seconds),
            7 => Slot::Text(&self.serve_stale),
            8 => Slot::OptionalBool(self.failfast_all_unhealthy_upstreams),
            9 => {
                Slot::Message(
                    self.health_check.as_ref().map(|message| message as &dyn Message),
                )
            }
            _ => unreachable!("LocalDnsOverrides has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.query_logging),
            1 => SlotMut::Text(&mut self.protocol),
            2 => SlotMut::Text(&mut self.forward_destination),
            3 => SlotMut::Text(&mut self.forward_policy),
            4 => SlotMut::OptionalInteger(&mut self.max_concurrent),
            5 => SlotMut::OptionalInteger(&mut self.cache_duration_in_seconds),
            6 => SlotMut::OptionalInteger(&mut self.serve_stale_duration_in_seconds),
            7 => SlotMut::Text(&mut self.serve_stale),
            8 => SlotMut::OptionalBool(&mut self.failfast_all_unhealthy_upstreams),
            9 => SlotMut::Message(self.health_check.get_or_insert_default()),
            _ => unreachable!("LocalDnsOverrides has no such field"),
        }
    }
}
impl ::core::fmt::Debug for LocalDnsOverrides {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static LOCAL_DNS_HEALTH_CHECK: Descriptor = Descriptor {
    name: "LocalDnsHealthCheck",
    doc: "Health check of the upstream servers of a DNS zone.",
    fields: &[
        Field {
            name: "duration",
            json_name: "duration",
            doc: "Interval between checks, such as `5s`. If absent or empty, the other settings are ignored too.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "no_rec",
            json_name: "noRec",
            doc: "Whether the check queries without recursion. Defaults to `false`.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "domain",
            json_name: "domain",
            doc: "Name that the check queries. Defaults to the root.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
    ],
    removed: &[],
};
impl LocalDnsHealthCheck {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &LOCAL_DNS_HEALTH_CHECK
    }
}
impl Message for LocalDnsHealthCheck {
    fn descriptor(&self) -> &'static Descriptor {
        &LOCAL_DNS_HEALTH_CHECK
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::OptionalText(self.duration.as_deref()),
            1 => Slot::OptionalBool(self.no_rec),
            2 => Slot::OptionalText(self.domain.as_deref()),
            _ => unreachable!("LocalDnsHealthCheck has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::OptionalText(&mut self.duration),
            1 => SlotMut::OptionalBool(&mut self.no_rec),
            2 => SlotMut::OptionalText(&mut self.domain),
            _ => unreachable!("LocalDnsHealthCheck has no such field"),
        }
    }
}
impl ::core::fmt::Debug for LocalDnsHealthCheck {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static NETWORK_CONFIG: Descriptor = Descriptor {
    name: "NetworkConfig",
    doc: "Pod network of the node.",
    fields: &[
        Field {
            name: "network_plugin",
            json_name: "networkPlugin",
            doc: "Network plugin. Sets `NETWORK_PLUGIN`. `NETWORK_PLUGIN_KUBENET` without the Calico policy also sets `ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE` to `true` and adds the CNI table to the configuration of containerd.",
            kind: Kind::Enum(&NETWORK_PLUGIN),
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "network_policy",
            json_name: "networkPolicy",
            doc: "Network policy engine. Sets `NETWORK_POLICY`.",
            kind: Kind::Enum(&NETWORK_POLICY),
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "vnet_cni_plugins_url",
            json_name: "vnetCniPluginsUrl",
            doc: "Archive of the Azure CNI plugins. Sets `VNET_CNI_PLUGINS_URL`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "cni_plugins_url",
            json_name: "cniPluginsUrl",
            doc: "Archive of the reference CNI plugins. Has no effect.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "standard_secondary_nic_count",
            json_name: "standardSecondaryNicCount",
            doc: "Number of additional network interfaces to configure. Defaults to 0. Sets `STANDARD_SECONDARY_NIC_COUNT`.",
            kind: Kind::Integer,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl NetworkConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &NETWORK_CONFIG
    }
}
impl Message for NetworkConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &NETWORK_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Enum(self.network_plugin),
            1 => Slot::Enum(self.network_policy),
            2 => Slot::Text(&self.vnet_cni_plugins_url),
            3 => Slot::Text(&self.cni_plugins_url),
            4 => Slot::Integer(self.standard_secondary_nic_count),
            _ => unreachable!("NetworkConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Enum(&mut self.network_plugin),
            1 => SlotMut::Enum(&mut self.network_policy),
            2 => SlotMut::Text(&mut self.vnet_cni_plugins_url),
            3 => SlotMut::Text(&mut self.cni_plugins_url),
            4 => SlotMut::Integer(&mut self.standard_secondary_nic_count),
            _ => unreachable!("NetworkConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for NetworkConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static HTTP_PROXY_CONFIG: Descriptor = Descriptor {
    name: "HttpProxyConfig",
    doc: "Proxy for outbound traffic of the node. Its fields also set `PROXY_VARS`, shell text in which values are not escaped.",
    fields: &[
        Field {
            name: "http_proxy",
            json_name: "httpProxy",
            doc: "Proxy URL for HTTP. May contain credentials, so it is treated as a secret. None by default. Sets `HTTP_PROXY_URLS` and, if not empty, `SHOULD_CONFIGURE_HTTP_PROXY`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: true,
        },
        Field {
            name: "https_proxy",
            json_name: "httpsProxy",
            doc: "Proxy URL for HTTPS. May contain credentials, so it is treated as a secret. None by default; that for HTTP is not used. Sets `HTTPS_PROXY_URLS` and, if not empty, `SHOULD_CONFIGURE_HTTP_PROXY`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: true,
        },
        Field {
            name: "no_proxy_entries",
            json_name: "noProxyEntries",
            doc: "Hosts, domains and CIDR ranges that are reached without the proxy. Sets `NO_PROXY_URLS`, separated by commas.",
            kind: Kind::Text,
            label: Label::Repeated,
            secret: false,
        },
        Field {
            name: "proxy_trusted_ca",
            json_name: "proxyTrustedCa",
            doc: "CA certificate of the proxy, PEM in base64. Line breaks are removed. None by default. Sets `HTTP_PROXY_TRUSTED_CA` and, if not empty, `SHOULD_CONFIGURE_HTTP_PROXY_CA`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl HttpProxyConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &HTTP_PROXY_CONFIG
    }
}
impl Message for HttpProxyConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &HTTP_PROXY_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.http_proxy),
            1 => Slot::Text(&self.https_proxy),
            2 => Slot::Texts(&self.no_proxy_entries),
            3 => Slot::Text(&self.proxy_trusted_ca),
            _ => unreachable!("HttpProxyConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.http_proxy),
            1 => SlotMut::Text(&mut self.https_proxy),
            2 => SlotMut::Texts(&mut self.no_proxy_entries),
            3 => SlotMut::Text(&mut self.proxy_trusted_ca),
            _ => unreachable!("HttpProxyConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for HttpProxyConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static IMDS_RESTRICTION_CONFIG: Descriptor = Descriptor {
    name: "ImdsRestrictionConfig",
    doc: "Access of pods to the Azure instance metadata service.",
    fields: &[
        Field {
            name: "enable_imds_restriction",
            json_name: "enableImdsRestriction",
            doc: "Whether pods without host networking are denied access to the instance metadata service. Defaults to `false`. Sets `ENABLE_IMDS_RESTRICTION`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "insert_imds_restriction_rule_to_mangle_table",
            json_name: "insertImdsRestrictionRuleToMangleTable",
            doc: "Whether the restriction is a rule of the mangle table instead of the filter table. Defaults to `false`. Sets `INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE`, even if the restriction is off.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl ImdsRestrictionConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &IMDS_RESTRICTION_CONFIG
    }
}
impl Message for ImdsRestrictionConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &IMDS_RESTRICTION_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Bool(self.enable_imds_restriction),
            1 => Slot::Bool(self.insert_imds_restriction_rule_to_mangle_table),
            _ => unreachable!("ImdsRestrictionConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Bool(&mut self.enable_imds_restriction),
            1 => SlotMut::Bool(&mut self.insert_imds_restriction_rule_to_mangle_table),
            _ => unreachable!("ImdsRestrictionConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for ImdsRestrictionConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static CUSTOM_SEARCH_DOMAIN_CONFIG: Descriptor = Descriptor {
    name: "CustomSearchDomainConfig",
    doc: "Search domain that the node joins. `HAS_CUSTOM_SEARCH_DOMAIN` is `true` only if all three fields are set.",
    fields: &[
        Field {
            name: "domain_name",
            json_name: "domainName",
            doc: "Name of the domain. Sets `CUSTOM_SEARCH_DOMAIN_NAME`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "realm_user",
            json_name: "realmUser",
            doc: "User that joins the domain. Sets `CUSTOM_SEARCH_REALM_USER`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "realm_password",
            json_name: "realmPassword",
            doc: "Password of `realm_user`. Secret. Sets `CUSTOM_SEARCH_REALM_PASSWORD`, even if another field is not set.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: true,
        },
    ],
    removed: &[],
};
impl CustomSearchDomainConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &CUSTOM_SEARCH_DOMAIN_CONFIG
    }
}
impl Message for CustomSearchDomainConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &CUSTOM_SEARCH_DOMAIN_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.domain_name),
            1 => Slot::Text(&self.realm_user),
            2 => Slot::Text(&self.realm_password),
            _ => unreachable!("CustomSearchDomainConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.domain_name),
            1 => SlotMut::Text(&mut self.realm_user),
            2 => SlotMut::Text(&mut self.realm_password),
            _ => unreachable!("CustomSearchDomainConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for CustomSearchDomainConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static NETWORK_PLUGIN: EnumDescriptor = EnumDescriptor {
    name: "NetworkPlugin",
    values: &[
        EnumValue {
            name: "NETWORK_PLUGIN_UNSPECIFIED",
            number: 0,
            doc: "Not specified: `NETWORK_PLUGIN` is empty.",
        },
        EnumValue {
            name: "NETWORK_PLUGIN_NONE",
            number: 1,
            doc: "No plugin, the cluster installs its own: `none`.",
        },
        EnumValue {
            name: "NETWORK_PLUGIN_AZURE",
            number: 2,
            doc: "Azure CNI: `azure`.",
        },
        EnumValue {
            name: "NETWORK_PLUGIN_KUBENET",
            number: 3,
            doc: "A bridge on each node, and routes between nodes: `kubenet`.",
        },
    ],
};
static NETWORK_POLICY: EnumDescriptor = EnumDescriptor {
    name: "NetworkPolicy",
    values: &[
        EnumValue {
            name: "NETWORK_POLICY_UNSPECIFIED",
            number: 0,
            doc: "Not specified: `NETWORK_POLICY` is empty.",
        },
        EnumValue {
            name: "NETWORK_POLICY_NONE",
            number: 1,
            doc: "No policy: `none`.",
        },
        EnumValue {
            name: "NETWORK_POLICY_AZURE",
            number: 2,
            doc: "Azure network policy manager: `azure`.",
        },
        EnumValue {
            name: "NETWORK_POLICY_CALICO",
            number: 3,
            doc: "Calico: `calico`.",
        },
    ],
};
static CUSTOM_LINUX_OS_CONFIG: Descriptor = Descriptor {
    name: "CustomLinuxOsConfig",
    doc: "Settings of the Linux system that differ from the defaults of AKS.",
    fields: &[
        Field {
            name: "sysctl_config",
            json_name: "sysctlConfig",
            doc: "Kernel settings. Defaults to the settings of AKS. Sets `SYSCTL_CONTENT`, which is never empty.",
            kind: Kind::Message(&SYSCTL_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "ulimit_config",
            json_name: "ulimitConfig",
            doc: "Resource limits of containerd and so of containers. If present, even if empty, sets `CONTAINERD_ULIMITS`, and `SHOULD_CONFIG_CONTAINERD_ULIMITS` to `true`.",
            kind: Kind::Message(&ULIMIT_CONFIG),
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "enable_swap_config",
            json_name: "enableSwapConfig",
            doc: "Whether a swap file is created. Defaults to `false`. Sets `SHOULD_CONFIG_SWAP_FILE`, to `true` only if the size is above 0.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "swap_file_size",
            json_name: "swapFileSize",
            doc: "Size of the swap file in megabytes. Defaults to 0, with which no file is created. Sets `SWAP_FILE_SIZE_MB`, even if `enable_swap_config` is `false`.",
            kind: Kind::Integer,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "transparent_hugepage_support",
            json_name: "transparentHugepageSupport",
            doc: "Transparent huge pages: `always`, `madvise` or `never`. Not changed by default. Sets `THP_ENABLED` and, if not empty, `SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "transparent_defrag",
            json_name: "transparentDefrag",
            doc: "Defragmentation for huge pages: `always`, `defer`, `defer+madvise`, `madvise` or `never`. Not changed by default. Sets `THP_DEFRAG` and, if not empty, `SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl CustomLinuxOsConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &CUSTOM_LINUX_OS_CONFIG
    }
}
impl Message for CustomLinuxOsConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &CUSTOM_LINUX_OS_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => {
                Slot::Message(
                    self.sysctl_config.as_ref().map(|message| message as &dyn Message),
                )
            }
            1 => {
                Slot::Message(
                    self.ulimit_config.as_ref().map(|message| message as &dyn Message),
                )
            }
            2 => Slot::Bool(self.enable_swap_config),
            3 => Slot::Integer(self.swap_file_size),
            4 => Slot::Text(&self.transparent_hugepage_support),
            5 => Slot::Text(&self.transparent_defrag),
            _ => unreachable!("CustomLinuxOsConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Message(self.sysctl_config.get_or_insert_default()),
            1 => SlotMut::Message(self.ulimit_config.get_or_insert_default()),
            2 => SlotMut::Bool(&mut self.enable_swap_config),
            3 => SlotMut::Integer(&mut self.swap_file_size),
            4 => SlotMut::Text(&mut self.transparent_hugepage_support),
            5 => SlotMut::Text(&mut self.transparent_defrag),
            _ => unreachable!("CustomLinuxOsConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for CustomLinuxOsConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static SYSCTL_CONFIG: Descriptor = Descriptor {
    name: "SysctlConfig",
    doc: "Kernel settings, written to `SYSCTL_CONTENT` as `key=value` lines in base64. Values are not checked: 0 and negative numbers are written unchanged.",
    fields: &[
        Field {
            name: "net_core_somaxconn",
            json_name: "netCoreSomaxconn",
            doc: "Maximum length of the queue of a listening socket (`net.core.somaxconn`). AKS accepts 4096 to 3240000. Defaults to 16384.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_core_netdev_max_backlog",
            json_name: "netCoreNetdevMaxBacklog",
            doc: "Maximum number of received packets that are queued if an interface is faster than the kernel (`net.core.netdev_max_backlog`). AKS accepts 1000 to 3240000. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_core_rmem_default",
            json_name: "netCoreRmemDefault",
            doc: "Default receive buffer of a socket in bytes (`net.core.rmem_default`). AKS accepts 212992 to 134217728. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_core_rmem_max",
            json_name: "netCoreRmemMax",
            doc: "Maximum receive buffer of a socket in bytes (`net.core.rmem_max`). AKS accepts 212992 to 134217728. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_core_wmem_default",
            json_name: "netCoreWmemDefault",
            doc: "Default send buffer of a socket in bytes (`net.core.wmem_default`). AKS accepts 212992 to 134217728. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_core_wmem_max",
            json_name: "netCoreWmemMax",
            doc: "Maximum send buffer of a socket in bytes (`net.core.wmem_max`). AKS accepts 212992 to 134217728. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_core_optmem_max",
            json_name: "netCoreOptmemMax",
            doc: "Maximum ancillary buffer of a socket in bytes (`net.core.optmem_max`). AKS accepts 20480 to 4194304. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_ipv4_tcp_max_syn_backlog",
            json_name: "netIpv4TcpMaxSynBacklog",
            doc: "Maximum number of connection requests that are not acknowledged yet (`net.ipv4.tcp_max_syn_backlog`). AKS accepts 128 to 3240000. Defaults to 16384.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_ipv4_tcp_max_tw_buckets",
            json_name: "netIpv4TcpMaxTwBuckets",
            doc: "Maximum number of sockets in the state TIME-WAIT (`net.ipv4.tcp_max_tw_buckets`). AKS accepts 8000 to 1440000. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_ipv4_tcp_fin_timeout",
            json_name: "netIpv4TcpFinTimeout",
            doc: "Seconds for which an orphaned connection stays in the state FIN-WAIT-2 (`net.ipv4.tcp_fin_timeout`). AKS accepts 5 to 120. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_ipv4_tcp_keepalive_time",
            json_name: "netIpv4TcpKeepaliveTime",
            doc: "Seconds without traffic before the first keepalive probe (`net.ipv4.tcp_keepalive_time`). AKS accepts 30 to 432000. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_ipv4_tcp_keepalive_probes",
            json_name: "netIpv4TcpKeepaliveProbes",
            doc: "Number of unanswered keepalive probes after which a connection is closed (`net.ipv4.tcp_keepalive_probes`). AKS accepts 1 to 15. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_ipv4_tcpkeepalive_intvl",
            json_name: "netIpv4TcpkeepaliveIntvl",
            doc: "Seconds between keepalive probes (`net.ipv4.tcp_keepalive_intvl`). AKS accepts 10 to 90. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_ipv4_tcp_tw_reuse",
            json_name: "netIpv4TcpTwReuse",
            doc: "Whether sockets in the state TIME-WAIT are reused for new connections (`net.ipv4.tcp_tw_reuse`). Written as `1` or `0`. Not set by default.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_ipv4_ip_local_port_range",
            json_name: "netIpv4IpLocalPortRange",
            doc: "First and last local port, separated by one space, such as `32768 60999` (`net.ipv4.ip_local_port_range`). AKS accepts 1024 to 60999 and 32768 to 65535. Not set by default. A last port above 65330 also reserves port 65330.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_ipv4_neigh_default_gc_thresh1",
            json_name: "netIpv4NeighDefaultGcThresh1",
            doc: "Number of neighbour entries below which none is removed (`net.ipv4.neigh.default.gc_thresh1`). AKS accepts 128 to 80000. Defaults to 4096.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_ipv4_neigh_default_gc_thresh2",
            json_name: "netIpv4NeighDefaultGcThresh2",
            doc: "Number of neighbour entries above which old ones are removed sooner (`net.ipv4.neigh.default.gc_thresh2`). AKS accepts 512 to 90000. Defaults to 8192.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_ipv4_neigh_default_gc_thresh3",
            json_name: "netIpv4NeighDefaultGcThresh3",
            doc: "Maximum number of neighbour entries (`net.ipv4.neigh.default.gc_thresh3`). AKS accepts 1024 to 100000. Defaults to 16384.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_netfilter_nf_conntrack_max",
            json_name: "netNetfilterNfConntrackMax",
            doc: "Maximum number of tracked connections (`net.netfilter.nf_conntrack_max`). AKS accepts 131072 to 2097152. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "net_netfilter_nf_conntrack_buckets",
            json_name: "netNetfilterNfConntrackBuckets",
            doc: "Size of the hash table of tracked connections (`net.netfilter.nf_conntrack_buckets`). AKS accepts 65536 to 524288. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "fs_inotify_max_user_watches",
            json_name: "fsInotifyMaxUserWatches",
            doc: "Maximum number of watched files of a user (`fs.inotify.max_user_watches`). AKS accepts 781250 to 2097152. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "fs_file_max",
            json_name: "fsFileMax",
            doc: "Maximum number of open files of the system (`fs.file-max`). AKS accepts 8192 to 12000500. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "fs_aio_max_nr",
            json_name: "fsAioMaxNr",
            doc: "Maximum number of asynchronous I/O requests of the system (`fs.aio-max-nr`). AKS accepts 65536 to 6553500. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "fs_nr_open",
            json_name: "fsNrOpen",
            doc: "Maximum number of open files of a process (`fs.nr_open`). AKS accepts 8192 to 20000500. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "kernel_threads_max",
            json_name: "kernelThreadsMax",
            doc: "Maximum number of threads of the system (`kernel.threads-max`). AKS accepts 20 to 513785. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "vm_max_map_count",
            json_name: "vmMaxMapCount",
            doc: "Maximum number of memory map areas of a process (`vm.max_map_count`). AKS accepts 65530 to 262144. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "vm_swappiness",
            json_name: "vmSwappiness",
            doc: "How readily memory is swapped out (`vm.swappiness`). AKS accepts 0 to 100. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "vm_vfs_cache_pressure",
            json_name: "vmVfsCachePressure",
            doc: "How readily caches of directories and inodes are reclaimed (`vm.vfs_cache_pressure`). AKS accepts 0 to 100. Not set by default.",
            kind: Kind::Integer,
            label: Label::Optional,
            secret: false,
        },
    ],
    removed: &[],
};
impl SysctlConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &SYSCTL_CONFIG
    }
}
impl Message for SysctlConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &SYSCTL_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::OptionalInteger(self.net_core_somaxconn),
            1 => Slot::OptionalInteger(self.net_core_netdev_max_backlog),
            2 => Slot::OptionalInteger(self.net_core_rmem_default),
            3 => Slot::OptionalInteger(self.net_core_rmem_max),
            4 => Slot::OptionalInteger(self.net_core_wmem_default),
            5 => Slot::OptionalInteger(self.net_core_wmem_max),
            6 => Slot::OptionalInteger(self.net_core_optmem_max),
            7 => Slot::OptionalInteger(self.net_ipv4_tcp_max_syn_backlog),
            8 => Slot::OptionalInteger(self.net_ipv4_tcp_max_tw_buckets),
            9 => Slot::OptionalInteger(self.net_ipv4_tcp_fin_timeout),
            10 => Slot::OptionalInteger(self.net_ipv4_tcp_keepalive_time),
            11 => Slot::OptionalInteger(self.net_ipv4_tcp_keepalive_probes),
            12 => Slot::OptionalInteger(self.net_ipv4_tcpkeepalive_intvl),
            13 => Slot::OptionalBool(self.net_ipv4_tcp_tw_reuse),
            14 => Slot::OptionalText(self.net_ipv4_ip_local_port_range.as_deref()),
            15 => Slot::OptionalInteger(self.net_ipv4_neigh_default_gc_thresh1),
            16 => Slot::OptionalInteger(self.net_ipv4_neigh_default_gc_thresh2),
            17 => Slot::OptionalInteger(self.net_ipv4_neigh_default_gc_thresh3),
            18 => Slot::OptionalInteger(self.net_netfilter_nf_conntrack_max),
            19 => Slot::OptionalInteger(self.net_netfilter_nf_conntrack_buckets),
            20 => Slot::OptionalInteger(self.fs_inotify_max_user_watches),
            21 => Slot::OptionalInteger(self.fs_file_max),
            22 => Slot::OptionalInteger(self.fs_aio_max_nr),
            23 => Slot::OptionalInteger(self.fs_nr_open),
            24 => Slot::OptionalInteger(self.kernel_threads_max),
            25 => Slot::OptionalInteger(self.vm_max_map_count),
            26 => Slot::OptionalInteger(self.vm_swappiness),
            27 => Slot::OptionalInteger(self.vm_vfs_cache_pressure),
            _ => unreachable!("SysctlConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::OptionalInteger(&mut self.net_core_somaxconn),
            1 => SlotMut::OptionalInteger(&mut self.net_core_netdev_max_backlog),
            2 => SlotMut::OptionalInteger(&mut self.net_core_rmem_default),
            3 => SlotMut::OptionalInteger(&mut self.net_core_rmem_max),
            4 => SlotMut::OptionalInteger(&mut self.net_core_wmem_default),
            5 => SlotMut::OptionalInteger(&mut self.net_core_wmem_max),
            6 => SlotMut::OptionalInteger(&mut self.net_core_optmem_max),
            7 => SlotMut::OptionalInteger(&mut self.net_ipv4_tcp_max_syn_backlog),
            8 => SlotMut::OptionalInteger(&mut self.net_ipv4_tcp_max_tw_buckets),
            9 => SlotMut::OptionalInteger(&mut self.net_ipv4_tcp_fin_timeout),
            10 => SlotMut::OptionalInteger(&mut self.net_ipv4_tcp_keepalive_time),
            11 => SlotMut::OptionalInteger(&mut self.net_ipv4_tcp_keepalive_probes),
            12 => SlotMut::OptionalInteger(&mut self.net_ipv4_tcpkeepalive_intvl),
            13 => SlotMut::OptionalBool(&mut self.net_ipv4_tcp_tw_reuse),
            14 => SlotMut::OptionalText(&mut self.net_ipv4_ip_local_port_range),
            15 => SlotMut::OptionalInteger(&mut self.net_ipv4_neigh_default_gc_thresh1),
            16 => SlotMut::OptionalInteger(&mut self.net_ipv4_neigh_default_gc_thresh2),
            17 => SlotMut::OptionalInteger(&mut self.net_ipv4_neigh_default_gc_thresh3),
            18 => SlotMut::OptionalInteger(&mut self.net_netfilter_nf_conntrack_max),
            19 => SlotMut::OptionalInteger(&mut self.net_netfilter_nf_conntrack_buckets),
            20 => SlotMut::OptionalInteger(&mut self.fs_inotify_max_user_watches),
            21 => SlotMut::OptionalInteger(&mut self.fs_file_max),
            22 => SlotMut::OptionalInteger(&mut self.fs_aio_max_nr),
            23 => SlotMut::OptionalInteger(&mut self.fs_nr_open),
            24 => SlotMut::OptionalInteger(&mut self.kernel_threads_max),
            25 => SlotMut::OptionalInteger(&mut self.vm_max_map_count),
            26 => SlotMut::OptionalInteger(&mut self.vm_swappiness),
            27 => SlotMut::OptionalInteger(&mut self.vm_vfs_cache_pressure),
            _ => unreachable!("SysctlConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for SysctlConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static ULIMIT_CONFIG: Descriptor = Descriptor {
    name: "UlimitConfig",
    doc: "Resource limits of containerd and so of containers, in the notation of systemd. Sets `CONTAINERD_ULIMITS`, plain text.",
    fields: &[
        Field {
            name: "no_file",
            json_name: "noFile",
            doc: "Open files, such as `1048576` or `soft:hard` (`LimitNOFILE`). Not set by default; an empty string counts as set.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "max_locked_memory",
            json_name: "maxLockedMemory",
            doc: "Locked memory, such as `64M` or `infinity` (`LimitMEMLOCK`). Not set by default; an empty string counts as set.",
            kind: Kind::Text,
            label: Label::Optional,
            secret: false,
        },
    ],
    removed: &[],
};
impl UlimitConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &ULIMIT_CONFIG
    }
}
impl Message for UlimitConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &ULIMIT_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::OptionalText(self.no_file.as_deref()),
            1 => Slot::OptionalText(self.max_locked_memory.as_deref()),
            _ => unreachable!("UlimitConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::OptionalText(&mut self.no_file),
            1 => SlotMut::OptionalText(&mut self.max_locked_memory),
            _ => unreachable!("UlimitConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for UlimitConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static KUBE_BINARY_CONFIG: Descriptor = Descriptor {
    name: "KubeBinaryConfig",
    doc: "Sources of Kubernetes binaries and the pause image.",
    fields: &[
        Field {
            name: "kube_binary_url",
            json_name: "kubeBinaryUrl",
            doc: "Archive with kubelet and kubectl, for binaries that are not in the node image: a URL or an image reference. None by default. Sets `KUBE_BINARY_URL`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "custom_kube_binary_url",
            json_name: "customKubeBinaryUrl",
            doc: "Archive that takes precedence over all other sources of kubelet and kubectl. None by default. Sets `CUSTOM_KUBE_BINARY_URL`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "private_kube_binary_url",
            json_name: "privateKubeBinaryUrl",
            doc: "URL of the archive of a private build that is already in the node image. None by default. Sets `PRIVATE_KUBE_BINARY_URL`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "pod_infra_container_image_url",
            json_name: "podInfraContainerImageUrl",
            doc: "Pause image. Always set it: if empty, the image name is empty. Must not contain quotes or backslashes. Sets `CONTAINERD_CONFIG_CONTENT` and `CONTAINERD_CONFIG_NO_GPU_CONTENT`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "linux_credential_provider_url",
            json_name: "linuxCredentialProviderUrl",
            doc: "Archive of the registry credential provider, for Kubernetes older than 1.33.0 and for Azure Linux 2.0. Sets `CREDENTIAL_PROVIDER_DOWNLOAD_URL`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl KubeBinaryConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &KUBE_BINARY_CONFIG
    }
}
impl Message for KubeBinaryConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &KUBE_BINARY_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.kube_binary_url),
            1 => Slot::Text(&self.custom_kube_binary_url),
            2 => Slot::Text(&self.private_kube_binary_url),
            3 => Slot::Text(&self.pod_infra_container_image_url),
            4 => Slot::Text(&self.linux_credential_provider_url),
            _ => unreachable!("KubeBinaryConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.kube_binary_url),
            1 => SlotMut::Text(&mut self.custom_kube_binary_url),
            2 => SlotMut::Text(&mut self.private_kube_binary_url),
            3 => SlotMut::Text(&mut self.pod_infra_container_image_url),
            4 => SlotMut::Text(&mut self.linux_credential_provider_url),
            _ => unreachable!("KubeBinaryConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for KubeBinaryConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static CONTAINERD_CONFIG: Descriptor = Descriptor {
    name: "ContainerdConfig",
    doc: "A containerd other than the one in the node image.",
    fields: &[
        Field {
            name: "containerd_download_url_base",
            json_name: "containerdDownloadUrlBase",
            doc: "Base URL of containerd packages. Sets `CONTAINERD_DOWNLOAD_URL_BASE`, which the provisioning scripts do not use any more.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "containerd_version",
            json_name: "containerdVersion",
            doc: "Version to install. Defaults to the one in the node image. Sets `CONTAINERD_VERSION`. The layout of containerd's configuration depends on the installed version instead.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "containerd_package_url",
            json_name: "containerdPackageUrl",
            doc: "Package to install. None by default. Sets `CONTAINERD_PACKAGE_URL`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl ContainerdConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &CONTAINERD_CONFIG
    }
}
impl Message for ContainerdConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &CONTAINERD_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.containerd_download_url_base),
            1 => Slot::Text(&self.containerd_version),
            2 => Slot::Text(&self.containerd_package_url),
            _ => unreachable!("ContainerdConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.containerd_download_url_base),
            1 => SlotMut::Text(&mut self.containerd_version),
            2 => SlotMut::Text(&mut self.containerd_package_url),
            _ => unreachable!("ContainerdConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for ContainerdConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static RUNC_CONFIG: Descriptor = Descriptor {
    name: "RuncConfig",
    doc: "A runc other than the one in the node image.",
    fields: &[
        Field {
            name: "runc_version",
            json_name: "runcVersion",
            doc: "Version to install. Defaults to the one in the node image. Sets `RUNC_VERSION`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "runc_package_url",
            json_name: "runcPackageUrl",
            doc: "Package to install. None by default. Sets `RUNC_PACKAGE_URL`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl RuncConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &RUNC_CONFIG
    }
}
impl Message for RuncConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &RUNC_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Text(&self.runc_version),
            1 => Slot::Text(&self.runc_package_url),
            _ => unreachable!("RuncConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Text(&mut self.runc_version),
            1 => SlotMut::Text(&mut self.runc_package_url),
            _ => unreachable!("RuncConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for RuncConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static GPU_CONFIG: Descriptor = Descriptor {
    name: "GpuConfig",
    doc: "GPU drivers, sharing and management. `vm_size` determines type and version of the driver.",
    fields: &[
        Field {
            name: "enable_nvidia",
            json_name: "enableNvidia",
            doc: "Whether the node is an NVIDIA GPU node. Defaults to `false`, whatever the VM size is. Sets `GPU_NODE` and adds the NVIDIA runtime to `CONTAINERD_CONFIG_CONTENT`.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "config_gpu_driver",
            json_name: "configGpuDriver",
            doc: "Whether the bootstrap installs the driver. Otherwise a GPU node only checks the one in its image. Defaults to `false`. Sets `CONFIG_GPU_DRIVER_IF_NEEDED`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "gpu_device_plugin",
            json_name: "gpuDevicePlugin",
            doc: "Whether the bootstrap starts the GPU device plugin. Defaults to `false`. Sets `ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "gpu_instance_profile",
            json_name: "gpuInstanceProfile",
            doc: "Profile with which every GPU is partitioned: `MIG1g`, `MIG2g`, `MIG3g`, `MIG4g` or `MIG7g`. Not partitioned by default. Sets `GPU_INSTANCE_PROFILE` and, if not empty, `MIG_NODE`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "enable_amd_gpu",
            json_name: "enableAmdGpu",
            doc: "Whether the node is an AMD GPU node. Has no effect.",
            kind: Kind::Bool,
            label: Label::Optional,
            secret: false,
        },
        Field {
            name: "managed_gpu_experience_afec_enabled",
            json_name: "managedGpuExperienceAfecEnabled",
            doc: "Whether the subscription is registered for the managed GPU preview. Defaults to `false`. Sets `MANAGED_GPU_EXPERIENCE_AFEC_ENABLED`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "enable_managed_gpu",
            json_name: "enableManagedGpu",
            doc: "Whether AKS manages the device plugin and the metrics exporter on the node. Defaults to `false`. Sets `ENABLE_MANAGED_GPU`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "mig_strategy",
            json_name: "migStrategy",
            doc: "How the device plugin offers partitioned GPUs: `None`, `Single` or `Mixed`. There is no default. Sets `NVIDIA_MIG_STRATEGY`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "mig_profile_layout",
            json_name: "migProfileLayout",
            doc: "Profiles with which a GPU is partitioned, in order, such as `MIG3g` and `MIG2g`. Takes precedence over `gpu_instance_profile`, but does not set `MIG_NODE`. Sets `NVIDIA_MIG_PROFILE_LAYOUT`, separated by commas.",
            kind: Kind::Text,
            label: Label::Repeated,
            secret: false,
        },
        Field {
            name: "enable_managed_gpu_dra",
            json_name: "enableManagedGpuDra",
            doc: "Whether managed GPUs are offered with dynamic resource allocation instead of the device plugin. Defaults to `false`. Sets `ENABLE_MANAGED_GPU_DRA`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl GpuConfig {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &GPU_CONFIG
    }
}
impl Message for GpuConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &GPU_CONFIG
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::OptionalBool(self.enable_nvidia),
            1 => Slot::Bool(self.config_gpu_driver),
            2 => Slot::Bool(self.gpu_device_plugin),
            3 => Slot::Text(&self.gpu_instance_profile),
            4 => Slot::OptionalBool(self.enable_amd_gpu),
            5 => Slot::Bool(self.managed_gpu_experience_afec_enabled),
            6 => Slot::Bool(self.enable_managed_gpu),
            7 => Slot::Text(&self.mig_strategy),
            8 => Slot::Texts(&self.mig_profile_layout),
            9 => Slot::Bool(self.enable_managed_gpu_dra),
            _ => unreachable!("GpuConfig has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::OptionalBool(&mut self.enable_nvidia),
            1 => SlotMut::Bool(&mut self.config_gpu_driver),
            2 => SlotMut::Bool(&mut self.gpu_device_plugin),
            3 => SlotMut::Text(&mut self.gpu_instance_profile),
            4 => SlotMut::OptionalBool(&mut self.enable_amd_gpu),
            5 => SlotMut::Bool(&mut self.managed_gpu_experience_afec_enabled),
            6 => SlotMut::Bool(&mut self.enable_managed_gpu),
            7 => SlotMut::Text(&mut self.mig_strategy),
            8 => SlotMut::Texts(&mut self.mig_profile_layout),
            9 => SlotMut::Bool(&mut self.enable_managed_gpu_dra),
            _ => unreachable!("GpuConfig has no such field"),
        }
    }
}
impl ::core::fmt::Debug for GpuConfig {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static SERVICE_ACCOUNT_IMAGE_PULL_PROFILE: Descriptor = Descriptor {
    name: "ServiceAccountImagePullProfile",
    doc: "Image pulls with the identity of the pod's service account instead of the kubelet's.",
    fields: &[
        Field {
            name: "enabled",
            json_name: "enabled",
            doc: "Whether image pulls use the identity of the service account. Defaults to `false`. Sets `SERVICE_ACCOUNT_IMAGE_PULL_ENABLED`.",
            kind: Kind::Bool,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "default_client_id",
            json_name: "defaultClientId",
            doc: "Client id for service accounts that set none. None by default. Sets `SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "default_tenant_id",
            json_name: "defaultTenantId",
            doc: "Tenant id for service accounts that set none. None by default. Sets `SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_TENANT_ID`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
        Field {
            name: "local_authority_sni",
            json_name: "localAuthoritySni",
            doc: "TLS server name of the token issuer in the cluster. Sets `IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI`.",
            kind: Kind::Text,
            label: Label::Singular,
            secret: false,
        },
    ],
    removed: &[],
};
impl ServiceAccountImagePullProfile {
    /// Returns the description of the message.
    #[must_use]
    pub const fn descriptor() -> &'static Descriptor {
        &SERVICE_ACCOUNT_IMAGE_PULL_PROFILE
    }
}
impl Message for ServiceAccountImagePullProfile {
    fn descriptor(&self) -> &'static Descriptor {
        &SERVICE_ACCOUNT_IMAGE_PULL_PROFILE
    }
    fn slot(&self, index: usize) -> Slot<'_> {
        match index {
            0 => Slot::Bool(self.enabled),
            1 => Slot::Text(&self.default_client_id),
            2 => Slot::Text(&self.default_tenant_id),
            3 => Slot::Text(&self.local_authority_sni),
            _ => unreachable!("ServiceAccountImagePullProfile has no such field"),
        }
    }
    fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {
        match index {
            0 => SlotMut::Bool(&mut self.enabled),
            1 => SlotMut::Text(&mut self.default_client_id),
            2 => SlotMut::Text(&mut self.default_tenant_id),
            3 => SlotMut::Text(&mut self.local_authority_sni),
            _ => unreachable!("ServiceAccountImagePullProfile has no such field"),
        }
    }
}
impl ::core::fmt::Debug for ServiceAccountImagePullProfile {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        super::redacted(self, f)
    }
}
static WORKLOAD_RUNTIME: EnumDescriptor = EnumDescriptor {
    name: "WorkloadRuntime",
    values: &[
        EnumValue {
            name: "WORKLOAD_RUNTIME_UNSPECIFIED",
            number: 0,
            doc: "Not specified.",
        },
        EnumValue {
            name: "WORKLOAD_RUNTIME_OCI_CONTAINER",
            number: 1,
            doc: "Ordinary OCI containers.",
        },
    ],
};
