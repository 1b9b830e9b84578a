//! The fields of a NodeBootstrappingConfiguration that are read: one row each, with its type and its name.
//!
//! To add a field: a row here, after the row of the object that it is in, and a line in the section that takes it over.

/// The fields of the document itself.
pub(super) mod request {
    use crate::inputs::nbc::reader::{
        Decimal, Field, Fields, Integer, Links, Object, ObjectList, ObjectMap, Row, SecretText, Switch, Text, TextMap,
        Texts, fields,
    };

    fields! {
        /// A NodeBootstrappingConfiguration.
        Request

        TENANT_ID: Text = "TenantID";
        SUBSCRIPTION_ID: Text = "SubscriptionID";
        RESOURCE_GROUP_NAME: Text = "ResourceGroupName";
        USER_ASSIGNED_IDENTITY_CLIENT_ID: Text = "UserAssignedIdentityClientID";
        PRIMARY_SCALE_SET_NAME: Text = "PrimaryScaleSetName";
        OS_SKU: Text = "OSSKU";
        IS_ARM64: Switch = "IsARM64";
        KUBELET_CONFIG: TextMap = "KubeletConfig";
        ENABLE_KUBELET_CONFIG_FILE: Switch = "EnableKubeletConfigFile";
        KUBELET_CLIENT_TLS_BOOTSTRAP_TOKEN: SecretText = "KubeletClientTLSBootstrapToken";
        ENABLE_NVIDIA: Switch = "EnableNvidia";
        ENABLE_AMD_GPU: Switch = "EnableAMDGPU";
        CONFIG_GPU_DRIVER_IF_NEEDED: Switch = "ConfigGPUDriverIfNeeded";
        ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED: Switch = "EnableGPUDevicePluginIfNeeded";
        GPU_INSTANCE_PROFILE: Text = "GPUInstanceProfile";
        MIG_STRATEGY: Text = "MigStrategy";
        MIG_PROFILE_LAYOUT: Texts = "MIGProfileLayout";
        MANAGED_GPU_EXPERIENCE_AFEC_ENABLED: Switch = "ManagedGPUExperienceAFECEnabled";
        ENABLE_MANAGED_GPU: Switch = "EnableManagedGPU";
        ENABLE_MANAGED_GPU_DRA: Switch = "EnableManagedGPUDRA";
        ENABLE_ARTIFACT_STREAMING: Switch = "EnableArtifactStreaming";
        CONTAINERD_VERSION: Text = "ContainerdVersion";
        CONTAINERD_PACKAGE_URL: Text = "ContainerdPackageURL";
        RUNC_VERSION: Text = "RuncVersion";
        RUNC_PACKAGE_URL: Text = "RuncPackageURL";
        DISABLE_UNATTENDED_UPGRADES: Switch = "DisableUnattendedUpgrades";
        SSH_STATUS: Integer = "SSHStatus";
        OUTBOUND_TYPE: Text = "OutboundType";
        ENABLE_IMDS_RESTRICTION: Switch = "EnableIMDSRestriction";
        INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE: Switch = "InsertIMDSRestrictionRuleToMangleTable";
        PRE_PROVISION_ONLY: Switch = "PreProvisionOnly";
        CSE_TIMEOUT: Integer = "CSETimeout";
        STANDARD_SECONDARY_NIC_COUNT: Integer = "StandardSecondaryNICCount";
        ENABLED_FEATURES: TextMap = "EnabledFeatures";
        DISABLE_CUSTOM_DATA: Switch = "DisableCustomData";
        ENABLE_SCRIPTLESS_CSE_CMD: Switch = "EnableScriptlessCSECmd";
        ENABLE_SCRIPTLESS_NBC_CSE_CMD: Switch = "EnableScriptlessNBCCSECmd";

        SECURE_TLS: Object = "SecureTLSBootstrappingConfig";
        SECURE_TLS_ENABLED: Switch = SECURE_TLS."secureTLSBootstrappingEnabled";
        SECURE_TLS_AAD_RESOURCE: Text = SECURE_TLS."secureTLSBootstrappingAADResource";
        SECURE_TLS_USER_ASSIGNED_IDENTITY_ID: Text = SECURE_TLS."secureTLSBootstrappingUserAssignedIdentityID";
        SECURE_TLS_CLIENT_DOWNLOAD_URL: Text = SECURE_TLS."secureTLSBootstrappingCustomClientDownloadURL";
        SECURE_TLS_VALIDATE_KUBECONFIG_TIMEOUT: Text = SECURE_TLS."secureTLSBootstrappingValidateKubeconfigTimeout";
        SECURE_TLS_GET_ACCESS_TOKEN_TIMEOUT: Text = SECURE_TLS."secureTLSBootstrappingGetAccessTokenTimeout";
        SECURE_TLS_GET_INSTANCE_DATA_TIMEOUT: Text = SECURE_TLS."secureTLSBootstrappingGetInstanceDataTimeout";
        SECURE_TLS_GET_NONCE_TIMEOUT: Text = SECURE_TLS."secureTLSBootstrappingGetNonceTimeout";
        SECURE_TLS_GET_ATTESTED_DATA_TIMEOUT: Text = SECURE_TLS."secureTLSBootstrappingGetAttestedDataTimeout";
        SECURE_TLS_GET_CREDENTIAL_TIMEOUT: Text = SECURE_TLS."secureTLSBootstrappingGetCredentialTimeout";

        HTTP_PROXY_CONFIG: Object = "HTTPProxyConfig";
        HTTP_PROXY: SecretText = HTTP_PROXY_CONFIG."httpProxy";
        HTTPS_PROXY: SecretText = HTTP_PROXY_CONFIG."httpsProxy";
        NO_PROXY: Texts = HTTP_PROXY_CONFIG."noProxy";
        PROXY_TRUSTED_CA: Text = HTTP_PROXY_CONFIG."trustedCa";

        CUSTOM_CA_TRUST_CONFIG: Object = "CustomCATrustConfig";
        CUSTOM_CA_TRUST_CERTS: Texts = CUSTOM_CA_TRUST_CONFIG."customCATrustCerts";

        CLOUD_SPEC_CONFIG: Object = "CloudSpecConfig";
        CLOUD_NAME: Text = CLOUD_SPEC_CONFIG."cloudName";
        KUBERNETES_SPEC_CONFIG: Object = CLOUD_SPEC_CONFIG."kubernetesSpecConfig";
        MCR_KUBERNETES_IMAGE_BASE: Text = KUBERNETES_SPEC_CONFIG."mcrKubernetesImageBase";
        CONTAINERD_DOWNLOAD_URL_BASE: Text = KUBERNETES_SPEC_CONFIG."containerdDownloadURLBase";
        VNET_CNI_URL: Text = KUBERNETES_SPEC_CONFIG."vnetCNILinuxPluginsDownloadURL";
        VNET_CNI_ARM64_URL: Text = KUBERNETES_SPEC_CONFIG."vnetCNIARM64LinuxPluginsDownloadURL";
        CNI_PLUGINS_URL: Text = KUBERNETES_SPEC_CONFIG."cniPluginsDownloadURL";

        K8S_COMPONENTS: Object = "K8sComponents";
        POD_INFRA_CONTAINER_IMAGE_URL: Text = K8S_COMPONENTS."PodInfraContainerImageURL";
        HYPERKUBE_IMAGE_URL: Text = K8S_COMPONENTS."HyperkubeImageURL";
        LINUX_PRIVATE_PACKAGE_URL: Text = K8S_COMPONENTS."LinuxPrivatePackageURL";
        LINUX_CREDENTIAL_PROVIDER_URL: Text = K8S_COMPONENTS."LinuxCredentialProviderURL";

        CONTAINER_SERVICE: Object = "ContainerService";
        LOCATION: Text = CONTAINER_SERVICE."location";
        PROPERTIES: Object = CONTAINER_SERVICE."properties";
        CLUSTER_ID: Text = PROPERTIES."ClusterID";
        AGENT_POOL_PROFILES: ObjectList = PROPERTIES."agentPoolProfiles";

        HOSTED_MASTER_PROFILE: Object = PROPERTIES."hostedMasterProfile";
        HOSTED_MASTER_FQDN: Text = HOSTED_MASTER_PROFILE."fqdn";
        HOSTED_MASTER_IP_ADDRESS: Text = HOSTED_MASTER_PROFILE."ipAddress";
        HOSTED_MASTER_DNS_PREFIX: Text = HOSTED_MASTER_PROFILE."dnsPrefix";

        SERVICE_PRINCIPAL_PROFILE: Object = PROPERTIES."servicePrincipalProfile";
        SERVICE_PRINCIPAL_CLIENT_ID: Text = SERVICE_PRINCIPAL_PROFILE."clientId";
        SERVICE_PRINCIPAL_SECRET: SecretText = SERVICE_PRINCIPAL_PROFILE."secret";

        CERTIFICATE_PROFILE: Object = PROPERTIES."certificateProfile";
        CA_CERTIFICATE: Text = CERTIFICATE_PROFILE."caCertificate";
        API_SERVER_CERTIFICATE: Text = CERTIFICATE_PROFILE."apiServerCertificate";
        CLIENT_PRIVATE_KEY: SecretText = CERTIFICATE_PROFILE."clientPrivateKey";
        CLIENT_CERTIFICATE: Text = CERTIFICATE_PROFILE."clientCertificate";

        LINUX_PROFILE: Object = PROPERTIES."linuxProfile";
        ADMIN_USERNAME: Text = LINUX_PROFILE."adminUsername";
        CUSTOM_SEARCH_DOMAIN: Object = LINUX_PROFILE."customSearchDomain";
        SEARCH_DOMAIN_NAME: Text = CUSTOM_SEARCH_DOMAIN."name";
        SEARCH_REALM_USER: Text = CUSTOM_SEARCH_DOMAIN."realmUser";
        SEARCH_REALM_PASSWORD: SecretText = CUSTOM_SEARCH_DOMAIN."realmPassword";

        FEATURE_FLAGS: Object = PROPERTIES."featureFlags";
        ENABLE_IPV6_DUAL_STACK: Switch = FEATURE_FLAGS."enableIPv6DualStack";
        BLOCK_OUTBOUND_INTERNET: Switch = FEATURE_FLAGS."blockOutboundInternet";

        CUSTOM_CLOUD: Object = PROPERTIES."customCloudEnv";
        CUSTOM_CLOUD_NAME: Text = CUSTOM_CLOUD."Name";
        MCR_URL: Text = CUSTOM_CLOUD."mcrURL";
        REPO_DEPOT_ENDPOINT: Text = CUSTOM_CLOUD."repoDepotEndpoint";
        MANAGEMENT_PORTAL_URL: Text = CUSTOM_CLOUD."managementPortalURL";
        PUBLISH_SETTINGS_URL: Text = CUSTOM_CLOUD."publishSettingsURL";
        SERVICE_MANAGEMENT_ENDPOINT: Text = CUSTOM_CLOUD."serviceManagementEndpoint";
        RESOURCE_MANAGER_ENDPOINT: Text = CUSTOM_CLOUD."resourceManagerEndpoint";
        ACTIVE_DIRECTORY_ENDPOINT: Text = CUSTOM_CLOUD."activeDirectoryEndpoint";
        GALLERY_ENDPOINT: Text = CUSTOM_CLOUD."galleryEndpoint";
        KEY_VAULT_ENDPOINT: Text = CUSTOM_CLOUD."keyVaultEndpoint";
        GRAPH_ENDPOINT: Text = CUSTOM_CLOUD."graphEndpoint";
        SERVICE_BUS_ENDPOINT: Text = CUSTOM_CLOUD."serviceBusEndpoint";
        BATCH_MANAGEMENT_ENDPOINT: Text = CUSTOM_CLOUD."batchManagementEndpoint";
        STORAGE_ENDPOINT_SUFFIX: Text = CUSTOM_CLOUD."storageEndpointSuffix";
        SQL_DATABASE_DNS_SUFFIX: Text = CUSTOM_CLOUD."sqlDatabaseDNSSuffix";
        TRAFFIC_MANAGER_DNS_SUFFIX: Text = CUSTOM_CLOUD."trafficManagerDNSSuffix";
        KEY_VAULT_DNS_SUFFIX: Text = CUSTOM_CLOUD."keyVaultDNSSuffix";
        SERVICE_BUS_ENDPOINT_SUFFIX: Text = CUSTOM_CLOUD."serviceBusEndpointSuffix";
        SERVICE_MANAGEMENT_VM_DNS_SUFFIX: Text = CUSTOM_CLOUD."serviceManagementVMDNSSuffix";
        RESOURCE_MANAGER_VM_DNS_SUFFIX: Text = CUSTOM_CLOUD."resourceManagerVMDNSSuffix";
        CONTAINER_REGISTRY_DNS_SUFFIX: Text = CUSTOM_CLOUD."containerRegistryDNSSuffix";
        COSMOS_DB_DNS_SUFFIX: Text = CUSTOM_CLOUD."cosmosDBDNSSuffix";
        TOKEN_AUDIENCE: Text = CUSTOM_CLOUD."tokenAudience";
        RESOURCE_IDENTIFIERS: Object = CUSTOM_CLOUD."resourceIdentifiers";
        GRAPH_IDENTIFIER: Text = RESOURCE_IDENTIFIERS."graph";
        KEY_VAULT_IDENTIFIER: Text = RESOURCE_IDENTIFIERS."keyVault";
        DATALAKE_IDENTIFIER: Text = RESOURCE_IDENTIFIERS."datalake";
        BATCH_IDENTIFIER: Text = RESOURCE_IDENTIFIERS."batch";
        OPERATIONAL_INSIGHTS_IDENTIFIER: Text = RESOURCE_IDENTIFIERS."operationalInsights";
        STORAGE_IDENTIFIER: Text = RESOURCE_IDENTIFIERS."storage";

        SECURITY_PROFILE: Object = PROPERTIES."securityProfile";
        PRIVATE_EGRESS: Object = SECURITY_PROFILE."privateEgress";
        PRIVATE_EGRESS_ENABLED: Switch = PRIVATE_EGRESS."enabled";
        PRIVATE_EGRESS_PROXY_ADDRESS: Text = PRIVATE_EGRESS."proxyAddress";
        PRIVATE_EGRESS_REGISTRY_SERVER: Text = PRIVATE_EGRESS."containerRegistryServer";
        PRIVATE_EGRESS_TEST_MODE: Switch = PRIVATE_EGRESS."testMode";

        IMAGE_PULL_PROFILE: Object = PROPERTIES."serviceAccountImagePullProfile";
        IMAGE_PULL_ENABLED: Switch = IMAGE_PULL_PROFILE."enabled";
        IMAGE_PULL_CLIENT_ID: Text = IMAGE_PULL_PROFILE."defaultClientID";
        IMAGE_PULL_TENANT_ID: Text = IMAGE_PULL_PROFILE."defaultTenantID";
        IMAGE_PULL_LOCAL_AUTHORITY_SNI: Text = IMAGE_PULL_PROFILE."localAuthoritySNI";

        CUSTOM_CONFIGURATION: Object = PROPERTIES."customConfiguration";
        KUBERNETES_CONFIGURATIONS: Object = CUSTOM_CONFIGURATION."KubernetesConfigurations";
        KUBELET_COMPONENT: Object = KUBERNETES_CONFIGURATIONS."kubelet";
        KUBELET_COMPONENT_CONFIG: TextMap = KUBELET_COMPONENT."Config";
        KUBELET_COMPONENT_DOWNLOAD_URL: Text = KUBELET_COMPONENT."DownloadURL";

        ORCHESTRATOR_PROFILE: Object = PROPERTIES."orchestratorProfile";
        ORCHESTRATOR_TYPE: Text = ORCHESTRATOR_PROFILE."orchestratorType";
        ORCHESTRATOR_VERSION: Text = ORCHESTRATOR_PROFILE."orchestratorVersion";
        KUBERNETES_CONFIG: Object = ORCHESTRATOR_PROFILE."kubernetesConfig";
        NETWORK_PLUGIN: Text = KUBERNETES_CONFIG."networkPlugin";
        NETWORK_POLICY: Text = KUBERNETES_CONFIG."networkPolicy";
        NETWORK_MODE: Text = KUBERNETES_CONFIG."networkMode";
        USE_MANAGED_IDENTITY: Switch = KUBERNETES_CONFIG."useManagedIdentity";
        USE_INSTANCE_METADATA: Switch = KUBERNETES_CONFIG."useInstanceMetadata";
        LOAD_BALANCER_SKU: Text = KUBERNETES_CONFIG."loadBalancerSku";
        MAXIMUM_LOAD_BALANCER_RULE_COUNT: Integer = KUBERNETES_CONFIG."maximumLoadBalancerRuleCount";
        DISABLE_OUTBOUND_SNAT: Switch = KUBERNETES_CONFIG."cloudProviderDisableOutboundSNAT";
        BACKOFF: Switch = KUBERNETES_CONFIG."cloudProviderBackoff";
        BACKOFF_MODE: Text = KUBERNETES_CONFIG."cloudProviderBackoffMode";
        BACKOFF_RETRIES: Integer = KUBERNETES_CONFIG."cloudProviderBackoffRetries";
        BACKOFF_DURATION: Integer = KUBERNETES_CONFIG."cloudProviderBackoffDuration";
        BACKOFF_EXPONENT: Decimal = KUBERNETES_CONFIG."cloudProviderBackoffExponent";
        BACKOFF_JITTER: Decimal = KUBERNETES_CONFIG."cloudProviderBackoffJitter";
        RATE_LIMIT: Switch = KUBERNETES_CONFIG."cloudProviderRateLimit";
        RATE_LIMIT_QPS: Decimal = KUBERNETES_CONFIG."cloudProviderRateLimitQPS";
        RATE_LIMIT_QPS_WRITE: Decimal = KUBERNETES_CONFIG."cloudProviderRateLimitQPSWrite";
        RATE_LIMIT_BUCKET: Integer = KUBERNETES_CONFIG."cloudProviderRateLimitBucket";
        RATE_LIMIT_BUCKET_WRITE: Integer = KUBERNETES_CONFIG."cloudProviderRateLimitBucketWrite";
        CUSTOM_KUBE_BINARY_URL: Text = KUBERNETES_CONFIG."customKubeBinaryURL";
        CUSTOM_KUBE_PROXY_IMAGE: Text = KUBERNETES_CONFIG."customKubeProxyImage";
        AZURE_CNI_URL: Text = KUBERNETES_CONFIG."azureCNIURLLinux";
        AZURE_CNI_ARM64_URL: Text = KUBERNETES_CONFIG."azureCNIURLARM64Linux";
        PRIVATE_AZURE_REGISTRY_SERVER: Text = KUBERNETES_CONFIG."privateAzureRegistryServer";
        PRIVATE_CLUSTER: Object = KUBERNETES_CONFIG."privateCluster";
        ENABLE_HOSTS_CONFIG_AGENT: Switch = PRIVATE_CLUSTER."enableHostsConfigAgent";
        CLUSTER_RUNTIME_CONFIG: TextMap = KUBERNETES_CONFIG."containerRuntimeConfig";

        AGENT_POOL_PROFILE: Object = "AgentPoolProfile";
        POOL_NAME: Text = AGENT_POOL_PROFILE."name";
        CUSTOM_NODE_LABELS: TextMap = AGENT_POOL_PROFILE."customNodeLabels";
        VM_SIZE: Text = AGENT_POOL_PROFILE."vmSize";
        DISTRO: Text = AGENT_POOL_PROFILE."distro";
        OS_TYPE: Text = AGENT_POOL_PROFILE."osType";
        KUBELET_DISK_TYPE: Text = AGENT_POOL_PROFILE."kubeletDiskType";
        WORKLOAD_RUNTIME: Text = AGENT_POOL_PROFILE."workloadRuntime";
        MESSAGE_OF_THE_DAY: Text = AGENT_POOL_PROFILE."messageOfTheDay";

        POOL_KUBERNETES_CONFIG: Object = AGENT_POOL_PROFILE."kubernetesConfig";
        CONTAINER_RUNTIME: Text = POOL_KUBERNETES_CONFIG."containerRuntime";
        DNS_SERVICE_IP: Text = POOL_KUBERNETES_CONFIG."dnsServiceIP";
        POOL_RUNTIME_CONFIG: TextMap = POOL_KUBERNETES_CONFIG."containerRuntimeConfig";

        CUSTOM_KUBELET_CONFIG: Object = AGENT_POOL_PROFILE."customKubeletConfig";
        CPU_MANAGER_POLICY: Text = CUSTOM_KUBELET_CONFIG."cpuManagerPolicy";
        CPU_CFS_QUOTA: Switch = CUSTOM_KUBELET_CONFIG."cpuCfsQuota";
        CPU_CFS_QUOTA_PERIOD: Text = CUSTOM_KUBELET_CONFIG."cpuCfsQuotaPeriod";
        TOPOLOGY_MANAGER_POLICY: Text = CUSTOM_KUBELET_CONFIG."topologyManagerPolicy";
        FAIL_SWAP_ON: Switch = CUSTOM_KUBELET_CONFIG."failSwapOn";
        SECCOMP_DEFAULT: Switch = CUSTOM_KUBELET_CONFIG."seccompDefault";
        IMAGE_GC_HIGH_THRESHOLD: Integer = CUSTOM_KUBELET_CONFIG."imageGcHighThreshold";
        IMAGE_GC_LOW_THRESHOLD: Integer = CUSTOM_KUBELET_CONFIG."imageGcLowThreshold";
        CONTAINER_LOG_MAX_FILES: Integer = CUSTOM_KUBELET_CONFIG."containerLogMaxFiles";
        CONTAINER_LOG_MAX_SIZE_MB: Integer = CUSTOM_KUBELET_CONFIG."containerLogMaxSizeMB";
        POD_MAX_PIDS: Integer = CUSTOM_KUBELET_CONFIG."podMaxPids";
        ALLOWED_UNSAFE_SYSCTLS: Texts = CUSTOM_KUBELET_CONFIG."allowedUnsafeSysctls";

        CUSTOM_LINUX_OS_CONFIG: Object = AGENT_POOL_PROFILE."customLinuxOSConfig";
        TRANSPARENT_HUGE_PAGE_ENABLED: Text = CUSTOM_LINUX_OS_CONFIG."transparentHugePageEnabled";
        TRANSPARENT_HUGE_PAGE_DEFRAG: Text = CUSTOM_LINUX_OS_CONFIG."transparentHugePageDefrag";
        SWAP_FILE_SIZE_MB: Integer = CUSTOM_LINUX_OS_CONFIG."swapFileSizeMB";
        ULIMIT_CONFIG: Object = CUSTOM_LINUX_OS_CONFIG."ulimitConfig";
        ULIMIT_NO_FILE: Text = ULIMIT_CONFIG."noFile";
        // The trailing blank is part of the name: the reference declares it so.
        ULIMIT_MAX_LOCKED_MEMORY: Text = ULIMIT_CONFIG."maxLockedMemory ";

        SYSCTLS: Object = CUSTOM_LINUX_OS_CONFIG."sysctls";
        NET_CORE_SOMAXCONN: Integer = SYSCTLS."netCoreSomaxconn";
        NET_CORE_NETDEV_MAX_BACKLOG: Integer = SYSCTLS."netCoreNetdevMaxBacklog";
        NET_CORE_RMEM_DEFAULT: Integer = SYSCTLS."netCoreRmemDefault";
        NET_CORE_RMEM_MAX: Integer = SYSCTLS."netCoreRmemMax";
        NET_CORE_WMEM_DEFAULT: Integer = SYSCTLS."netCoreWmemDefault";
        NET_CORE_WMEM_MAX: Integer = SYSCTLS."netCoreWmemMax";
        NET_CORE_OPTMEM_MAX: Integer = SYSCTLS."netCoreOptmemMax";
        NET_IPV4_TCP_MAX_SYN_BACKLOG: Integer = SYSCTLS."netIpv4TcpMaxSynBacklog";
        NET_IPV4_TCP_MAX_TW_BUCKETS: Integer = SYSCTLS."netIpv4TcpMaxTwBuckets";
        NET_IPV4_TCP_FIN_TIMEOUT: Integer = SYSCTLS."netIpv4TcpFinTimeout";
        NET_IPV4_TCP_KEEPALIVE_TIME: Integer = SYSCTLS."netIpv4TcpKeepaliveTime";
        NET_IPV4_TCP_KEEPALIVE_PROBES: Integer = SYSCTLS."netIpv4TcpKeepaliveProbes";
        NET_IPV4_TCP_KEEPALIVE_INTVL: Integer = SYSCTLS."netIpv4TcpkeepaliveIntvl";
        NET_IPV4_TCP_TW_REUSE: Switch = SYSCTLS."netIpv4TcpTwReuse";
        NET_IPV4_IP_LOCAL_PORT_RANGE: Text = SYSCTLS."netIpv4IpLocalPortRange";
        NET_IPV4_NEIGH_DEFAULT_GC_THRESH1: Integer = SYSCTLS."netIpv4NeighDefaultGcThresh1";
        NET_IPV4_NEIGH_DEFAULT_GC_THRESH2: Integer = SYSCTLS."netIpv4NeighDefaultGcThresh2";
        NET_IPV4_NEIGH_DEFAULT_GC_THRESH3: Integer = SYSCTLS."netIpv4NeighDefaultGcThresh3";
        NET_NETFILTER_NF_CONNTRACK_MAX: Integer = SYSCTLS."netNetfilterNfConntrackMax";
        NET_NETFILTER_NF_CONNTRACK_BUCKETS: Integer = SYSCTLS."netNetfilterNfConntrackBuckets";
        FS_INOTIFY_MAX_USER_WATCHES: Integer = SYSCTLS."fsInotifyMaxUserWatches";
        FS_FILE_MAX: Integer = SYSCTLS."fsFileMax";
        FS_AIO_MAX_NR: Integer = SYSCTLS."fsAioMaxNr";
        FS_NR_OPEN: Integer = SYSCTLS."fsNrOpen";
        KERNEL_THREADS_MAX: Integer = SYSCTLS."kernelThreadsMax";
        VM_MAX_MAP_COUNT: Integer = SYSCTLS."vmMaxMapCount";
        VM_SWAPPINESS: Integer = SYSCTLS."vmSwappiness";
        VM_VFS_CACHE_PRESSURE: Integer = SYSCTLS."vmVfsCachePressure";

        LOCAL_DNS_PROFILE: Object = AGENT_POOL_PROFILE."localDNSProfile";
        ENABLE_LOCAL_DNS: Switch = LOCAL_DNS_PROFILE."enableLocalDNS";
        ENABLE_HOSTS_PLUGIN: Switch = LOCAL_DNS_PROFILE."enableHostsPlugin";
        CPU_LIMIT_IN_MILLI_CORES: Integer = LOCAL_DNS_PROFILE."cpuLimitInMilliCores";
        MEMORY_LIMIT_IN_MB: Integer = LOCAL_DNS_PROFILE."memoryLimitInMB";
        CRITICAL_FQDNS: Texts = LOCAL_DNS_PROFILE."criticalFQDNs";
        HOSTS_PLUGIN_REFRESH_INTERVAL: Integer = LOCAL_DNS_PROFILE."hostsPluginRefreshIntervalInSeconds";
        VNET_DNS_OVERRIDES: ObjectMap = LOCAL_DNS_PROFILE."vnetDNSOverrides";
        KUBE_DNS_OVERRIDES: ObjectMap = LOCAL_DNS_PROFILE."kubeDNSOverrides";
    }
}

/// The fields of a pool of the cluster, an element of `agentPoolProfiles`.
pub(super) mod pool {
    use crate::inputs::nbc::reader::{Field, Fields, Links, Row, Text, fields};

    fields! {
        /// A pool of the cluster.
        Pool

        NAME: Text = "name";
        VNET_SUBNET_ID: Text = "vnetSubnetID";
        AVAILABILITY_PROFILE: Text = "availabilityProfile";
    }
}

/// The fields of one domain's settings, a value of `vnetDNSOverrides` or `kubeDNSOverrides`.
pub(super) mod dns_override {
    use crate::inputs::nbc::reader::{Field, Fields, Integer, Links, Object, Row, Switch, Text, fields};

    fields! {
        /// The settings of one domain.
        DnsOverride

        QUERY_LOGGING: Text = "queryLogging";
        PROTOCOL: Text = "protocol";
        FORWARD_DESTINATION: Text = "forwardDestination";
        FORWARD_POLICY: Text = "forwardPolicy";
        MAX_CONCURRENT: Integer = "maxConcurrent";
        CACHE_DURATION_IN_SECONDS: Integer = "cacheDurationInSeconds";
        SERVE_STALE_DURATION_IN_SECONDS: Integer = "serveStaleDurationInSeconds";
        SERVE_STALE: Text = "serveStale";
        FAILFAST_ALL_UNHEALTHY_UPSTREAMS: Switch = "failfastAllUnhealthyUpstreams";
        HEALTH_CHECK: Object = "healthCheck";
        HEALTH_CHECK_DURATION: Text = HEALTH_CHECK."duration";
        HEALTH_CHECK_NO_REC: Switch = HEALTH_CHECK."noRec";
        HEALTH_CHECK_DOMAIN: Text = HEALTH_CHECK."domain";
    }
}
