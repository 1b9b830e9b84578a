//! The members of a NodeBootstrappingConfiguration that are read: each field has the name of its member.
//!
//! To add a member: a field here instead of a name in `unread`, and a line in the section that converts it. A type has the name of its
//! type in AgentBaker, by which `unread` finds the other members.

#![expect(non_snake_case, reason = "the fields have the names of the document, which findings show")]

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Secret;
use crate::configuration::{LocalDnsOverrides, SysctlConfig};

/// A member of the cluster's properties; see [`member`](crate::inputs::member::member).
macro_rules! properties {
    ($request:ident . $($name:ident).+) => { member!($request.ContainerService.properties.$($name).+) };
}

/// A member of the cluster's configuration of Kubernetes.
macro_rules! kubernetes {
    ($request:ident . $($name:ident).+) => { properties!($request.orchestratorProfile.kubernetesConfig.$($name).+) };
}

/// A member of the node's pool.
macro_rules! pool {
    ($request:ident . $($name:ident).+) => { member!($request.AgentPoolProfile.$($name).+) };
}

pub(super) use {kubernetes, pool, properties};

/// A NodeBootstrappingConfiguration.
#[derive(Debug, Deserialize)]
#[serde(rename = "NodeBootstrappingConfiguration")]
pub(super) struct Request {
    pub TenantID: Option<String>,
    pub SubscriptionID: Option<String>,
    pub ResourceGroupName: Option<String>,
    pub UserAssignedIdentityClientID: Option<String>,
    pub PrimaryScaleSetName: Option<String>,
    pub OSSKU: Option<String>,
    pub IsARM64: Option<bool>,
    pub KubeletConfig: Option<BTreeMap<String, String>>,
    pub EnableKubeletConfigFile: Option<bool>,
    pub KubeletClientTLSBootstrapToken: Option<Secret<'static>>,
    pub EnableNvidia: Option<bool>,
    pub EnableAMDGPU: Option<bool>,
    pub ConfigGPUDriverIfNeeded: Option<bool>,
    pub EnableGPUDevicePluginIfNeeded: Option<bool>,
    pub GPUInstanceProfile: Option<String>,
    pub MigStrategy: Option<String>,
    pub MIGProfileLayout: Option<Vec<String>>,
    pub ManagedGPUExperienceAFECEnabled: Option<bool>,
    pub EnableManagedGPU: Option<bool>,
    pub EnableManagedGPUDRA: Option<bool>,
    pub EnableArtifactStreaming: Option<bool>,
    pub ContainerdVersion: Option<String>,
    pub ContainerdPackageURL: Option<String>,
    pub RuncVersion: Option<String>,
    pub RuncPackageURL: Option<String>,
    pub DisableUnattendedUpgrades: Option<bool>,
    pub SSHStatus: Option<i32>,
    pub OutboundType: Option<String>,
    pub EnableIMDSRestriction: Option<bool>,
    pub InsertIMDSRestrictionRuleToMangleTable: Option<bool>,
    pub PreProvisionOnly: Option<bool>,
    pub CSETimeout: Option<i32>,
    pub StandardSecondaryNICCount: Option<i32>,
    pub EnabledFeatures: Option<BTreeMap<String, String>>,
    pub DisableCustomData: Option<bool>,
    pub EnableScriptlessCSECmd: Option<bool>,
    pub EnableScriptlessNBCCSECmd: Option<bool>,
    pub ScriptlessCSEProvisionMode: Option<bool>,
    pub AKSNodeConfigJSON: Option<Secret<'static>>,
    pub SecureTLSBootstrappingConfig: Option<SecureTls>,
    pub HTTPProxyConfig: Option<HttpProxyConfig>,
    pub CustomCATrustConfig: Option<CustomCaTrustConfig>,
    pub CloudSpecConfig: Option<CloudSpecConfig>,
    pub K8sComponents: Option<KubernetesComponents>,
    pub ContainerService: Option<ContainerService>,
    pub AgentPoolProfile: Option<AgentPoolProfile>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "SecureTLSBootstrappingConfig")]
pub(super) struct SecureTls {
    pub secureTLSBootstrappingEnabled: Option<bool>,
    pub secureTLSBootstrappingAADResource: Option<String>,
    pub secureTLSBootstrappingUserAssignedIdentityID: Option<String>,
    pub secureTLSBootstrappingCustomClientDownloadURL: Option<String>,
    pub secureTLSBootstrappingValidateKubeconfigTimeout: Option<String>,
    pub secureTLSBootstrappingGetAccessTokenTimeout: Option<String>,
    pub secureTLSBootstrappingGetInstanceDataTimeout: Option<String>,
    pub secureTLSBootstrappingGetNonceTimeout: Option<String>,
    pub secureTLSBootstrappingGetAttestedDataTimeout: Option<String>,
    pub secureTLSBootstrappingGetCredentialTimeout: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "HTTPProxyConfig")]
pub(super) struct HttpProxyConfig {
    pub httpProxy: Option<Secret<'static>>,
    pub httpsProxy: Option<Secret<'static>>,
    pub noProxy: Option<Vec<String>>,
    pub trustedCa: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "CustomCATrustConfig")]
pub(super) struct CustomCaTrustConfig {
    pub customCATrustCerts: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "AzureEnvironmentSpecConfig")]
pub(super) struct CloudSpecConfig {
    pub cloudName: Option<String>,
    pub kubernetesSpecConfig: Option<KubernetesSpecConfig>,
}

#[derive(Debug, Deserialize)]
pub(super) struct KubernetesSpecConfig {
    pub mcrKubernetesImageBase: Option<String>,
    pub containerdDownloadURLBase: Option<String>,
    pub vnetCNILinuxPluginsDownloadURL: Option<String>,
    pub vnetCNIARM64LinuxPluginsDownloadURL: Option<String>,
    pub cniPluginsDownloadURL: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "K8sComponents")]
pub(super) struct KubernetesComponents {
    pub PodInfraContainerImageURL: Option<String>,
    pub HyperkubeImageURL: Option<String>,
    pub LinuxPrivatePackageURL: Option<String>,
    pub LinuxCredentialProviderURL: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ContainerService {
    pub location: Option<String>,
    pub properties: Option<Properties>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Properties {
    pub ClusterID: Option<String>,
    pub agentPoolProfiles: Option<Vec<Pool>>,
    pub hostedMasterProfile: Option<HostedMasterProfile>,
    pub servicePrincipalProfile: Option<ServicePrincipalProfile>,
    pub certificateProfile: Option<CertificateProfile>,
    pub linuxProfile: Option<LinuxProfile>,
    pub featureFlags: Option<FeatureFlags>,
    pub customCloudEnv: Option<CustomCloud>,
    pub securityProfile: Option<SecurityProfile>,
    pub serviceAccountImagePullProfile: Option<ImagePullProfile>,
    pub customConfiguration: Option<CustomConfiguration>,
    pub orchestratorProfile: Option<OrchestratorProfile>,
}

#[derive(Debug, Deserialize)]
pub(super) struct HostedMasterProfile {
    pub fqdn: Option<String>,
    pub ipAddress: Option<String>,
    pub dnsPrefix: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ServicePrincipalProfile {
    pub clientId: Option<String>,
    pub secret: Option<Secret<'static>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CertificateProfile {
    pub caCertificate: Option<String>,
    pub apiServerCertificate: Option<String>,
    pub clientPrivateKey: Option<Secret<'static>>,
    pub clientCertificate: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct LinuxProfile {
    pub adminUsername: Option<String>,
    pub customSearchDomain: Option<CustomSearchDomain>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CustomSearchDomain {
    pub name: Option<String>,
    pub realmUser: Option<String>,
    pub realmPassword: Option<Secret<'static>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FeatureFlags {
    pub enableIPv6DualStack: Option<bool>,
    pub blockOutboundInternet: Option<bool>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename = "CustomCloudEnv")]
pub(super) struct CustomCloud {
    pub Name: Option<String>,
    pub mcrURL: Option<String>,
    pub repoDepotEndpoint: Option<String>,
    pub managementPortalURL: Option<String>,
    pub publishSettingsURL: Option<String>,
    pub serviceManagementEndpoint: Option<String>,
    pub resourceManagerEndpoint: Option<String>,
    pub activeDirectoryEndpoint: Option<String>,
    pub galleryEndpoint: Option<String>,
    pub keyVaultEndpoint: Option<String>,
    pub graphEndpoint: Option<String>,
    pub serviceBusEndpoint: Option<String>,
    pub batchManagementEndpoint: Option<String>,
    pub storageEndpointSuffix: Option<String>,
    pub sqlDatabaseDNSSuffix: Option<String>,
    pub trafficManagerDNSSuffix: Option<String>,
    pub keyVaultDNSSuffix: Option<String>,
    pub serviceBusEndpointSuffix: Option<String>,
    pub serviceManagementVMDNSSuffix: Option<String>,
    pub resourceManagerVMDNSSuffix: Option<String>,
    pub containerRegistryDNSSuffix: Option<String>,
    pub cosmosDBDNSSuffix: Option<String>,
    pub tokenAudience: Option<String>,
    pub resourceIdentifiers: Option<ResourceIdentifiers>,
}

#[derive(Debug, Deserialize, Serialize)]
pub(super) struct ResourceIdentifiers {
    pub graph: Option<String>,
    pub keyVault: Option<String>,
    pub datalake: Option<String>,
    pub batch: Option<String>,
    pub operationalInsights: Option<String>,
    pub storage: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct SecurityProfile {
    pub privateEgress: Option<PrivateEgress>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PrivateEgress {
    pub enabled: Option<bool>,
    pub proxyAddress: Option<String>,
    pub containerRegistryServer: Option<String>,
    pub testMode: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "ServiceAccountImagePullProfile")]
pub(super) struct ImagePullProfile {
    pub enabled: Option<bool>,
    pub defaultClientID: Option<String>,
    pub defaultTenantID: Option<String>,
    pub localAuthoritySNI: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CustomConfiguration {
    pub KubernetesConfigurations: Option<KubernetesConfigurations>,
}

#[derive(Debug, Deserialize)]
pub(super) struct KubernetesConfigurations {
    pub kubelet: Option<KubeletComponent>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "ComponentConfiguration")]
pub(super) struct KubeletComponent {
    pub Config: Option<BTreeMap<String, String>>,
    pub DownloadURL: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct OrchestratorProfile {
    pub orchestratorType: Option<String>,
    pub orchestratorVersion: Option<String>,
    pub kubernetesConfig: Option<KubernetesConfig>,
}

#[derive(Debug, Deserialize)]
pub(super) struct KubernetesConfig {
    pub networkPlugin: Option<String>,
    pub networkPolicy: Option<String>,
    pub networkMode: Option<String>,
    pub useManagedIdentity: Option<bool>,
    pub useInstanceMetadata: Option<bool>,
    pub loadBalancerSku: Option<String>,
    pub maximumLoadBalancerRuleCount: Option<i32>,
    pub cloudProviderDisableOutboundSNAT: Option<bool>,
    pub cloudProviderBackoff: Option<bool>,
    pub cloudProviderBackoffMode: Option<String>,
    pub cloudProviderBackoffRetries: Option<i32>,
    pub cloudProviderBackoffDuration: Option<i32>,
    pub cloudProviderBackoffExponent: Option<f64>,
    pub cloudProviderBackoffJitter: Option<f64>,
    pub cloudProviderRateLimit: Option<bool>,
    pub cloudProviderRateLimitQPS: Option<f64>,
    pub cloudProviderRateLimitQPSWrite: Option<f64>,
    pub cloudProviderRateLimitBucket: Option<i32>,
    pub cloudProviderRateLimitBucketWrite: Option<i32>,
    pub customKubeBinaryURL: Option<String>,
    pub customKubeProxyImage: Option<String>,
    pub azureCNIURLLinux: Option<String>,
    pub azureCNIURLARM64Linux: Option<String>,
    pub privateAzureRegistryServer: Option<String>,
    pub privateCluster: Option<PrivateCluster>,
    pub containerRuntimeConfig: Option<BTreeMap<String, String>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PrivateCluster {
    pub enableHostsConfigAgent: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(super) struct AgentPoolProfile {
    pub name: Option<String>,
    pub customNodeLabels: Option<BTreeMap<String, String>>,
    pub vmSize: Option<String>,
    pub distro: Option<String>,
    pub osType: Option<String>,
    pub kubeletDiskType: Option<String>,
    pub workloadRuntime: Option<String>,
    pub messageOfTheDay: Option<String>,
    pub kubernetesConfig: Option<PoolKubernetesConfig>,
    pub customKubeletConfig: Option<CustomKubeletConfig>,
    pub customLinuxOSConfig: Option<CustomLinuxOsConfig>,
    pub localDNSProfile: Option<LocalDnsProfile>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "KubernetesConfig")]
pub(super) struct PoolKubernetesConfig {
    pub containerRuntime: Option<String>,
    pub dnsServiceIP: Option<String>,
    pub containerRuntimeConfig: Option<BTreeMap<String, String>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CustomKubeletConfig {
    pub cpuManagerPolicy: Option<String>,
    pub cpuCfsQuota: Option<bool>,
    pub cpuCfsQuotaPeriod: Option<String>,
    pub topologyManagerPolicy: Option<String>,
    pub failSwapOn: Option<bool>,
    pub seccompDefault: Option<bool>,
    pub imageGcHighThreshold: Option<i32>,
    pub imageGcLowThreshold: Option<i32>,
    pub containerLogMaxFiles: Option<i32>,
    pub containerLogMaxSizeMB: Option<i32>,
    pub podMaxPids: Option<i32>,
    pub allowedUnsafeSysctls: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "CustomLinuxOSConfig")]
pub(super) struct CustomLinuxOsConfig {
    pub transparentHugePageEnabled: Option<String>,
    pub transparentHugePageDefrag: Option<String>,
    pub swapFileSizeMB: Option<i32>,
    pub ulimitConfig: Option<UlimitConfig>,
    pub sysctls: Option<SysctlConfig>,
}

#[derive(Debug, Deserialize)]
pub(super) struct UlimitConfig {
    pub noFile: Option<String>,
    /// The trailing blank is part of the name: the reference declares it so.
    #[serde(rename = "maxLockedMemory ")]
    pub maxLockedMemory: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "LocalDNSProfile")]
pub(super) struct LocalDnsProfile {
    pub enableLocalDNS: Option<bool>,
    pub enableHostsPlugin: Option<bool>,
    pub cpuLimitInMilliCores: Option<i32>,
    pub memoryLimitInMB: Option<i32>,
    pub criticalFQDNs: Option<Vec<String>>,
    pub hostsPluginRefreshIntervalInSeconds: Option<i32>,
    pub vnetDNSOverrides: Option<BTreeMap<String, LocalDnsOverrides>>,
    pub kubeDNSOverrides: Option<BTreeMap<String, LocalDnsOverrides>>,
}

/// A pool of the cluster, an element of `agentPoolProfiles`.
#[derive(Debug, Deserialize)]
#[serde(rename = "AgentPoolProfile")]
pub(super) struct Pool {
    pub name: Option<String>,
    pub vnetSubnetID: Option<String>,
    pub availabilityProfile: Option<String>,
}
