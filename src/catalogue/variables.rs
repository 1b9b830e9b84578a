//! The environment variables of the node's scripts: meaning, readers, and whether each is a secret. The tables of the
//! inputs have the sources of the values: `environment`, `inputs::nbc` and `inputs::karpenter`.
//!
//! To add a variable: see CONTRIBUTING.md.

use std::fmt;

use super::formats::Format;

/// What the node's scripts compare `NETWORK_PLUGIN` with.
pub(crate) const NETWORK_PLUGINS: [&str; 3] = ["azure", "kubenet", "none"];

/// An environment variable of the node's scripts.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Variable {
    /// The name as the scripts read it.
    pub name: &'static str,
    /// Meaning, unit, and what an empty value means, in sentences.
    pub meaning: &'static str,
    /// The scripts that read it on the node. Empty if none reads it any more.
    pub readers: &'static [Reader],
    /// Whether the value is a secret, which is only shown with `--show-secrets`.
    pub secret: bool,
    /// The format of the value, or of its content in base64.
    pub format: Format,
    /// Whether the value is base64 of a text in that format.
    pub is_base64: bool,
}

/// A script that reads a variable on the node.
#[derive(Debug)]
pub struct Reader {
    /// The script by its file name, or the bootstrap command.
    pub file: &'static str,
    /// The functions of the script that read the variable. Empty if the script reads it outside functions.
    pub functions: &'static [&'static str],
    /// The use of the value.
    pub effect: &'static str,
}

impl Variable {
    /// Returns the readers of the variable on one line; `nothing` if it has none.
    #[must_use]
    pub fn read_by(&self) -> String {
        if self.readers.is_empty() {
            return "nothing".to_owned();
        }
        self.readers.iter().map(Reader::to_string).collect::<Vec<_>>().join("; ")
    }
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file)?;
        if !self.functions.is_empty() {
            write!(f, " (`{}`)", self.functions.join("`, `"))?;
        }
        write!(f, ": {}", self.effect)
    }
}

const fn public(name: &'static str, meaning: &'static str, readers: &'static [Reader]) -> Variable {
    Variable { name, meaning, readers, secret: false, format: Format::Text, is_base64: false }
}

const fn secret(name: &'static str, meaning: &'static str, readers: &'static [Reader]) -> Variable {
    Variable { secret: true, ..public(name, meaning, readers) }
}

/// A row: whether the value is public or a secret, the name, `plain` or `base64` with the format unless the value is plain
/// text, the meaning, and for each reader its file, functions and effect.
macro_rules! variables {
    (@content) => { (Format::Text, false) };
    (@content plain $format:ident) => { (Format::$format, false) };
    (@content base64 $format:ident) => { (Format::$format, true) };
    ($(
        $access:ident $name:ident $(: $encoding:ident $format:ident)?
            $meaning:literal
            $(- $file:ident [$($function:ident)*] $effect:literal)*
    )*) => {
        &[$({
            const READERS: &[Reader] =
                &[$(Reader { file: $file, functions: &[$(stringify!($function)),*], effect: $effect }),*];
            let (format, is_base64) = variables!(@content $($encoding $format)?);
            Variable { format, is_base64, ..$access(stringify!($name), $meaning, READERS) }
        }),*]
    };
}

/// The command that starts provisioning.
const COMMAND: &str = "the bootstrap command";
const CONFIGS: &str = "provision_configs.sh";
const IMDS_RESTRICTION: &str = "ensure_imds_restriction.sh";
const INIT_CLOUD: &str = "init-aks-cloud.sh";
const INSTALLS: &str = "provision_installs.sh";
const INSTALLS_DISTRO: &str = "provision_installs_distro.sh";
const LOCALDNS: &str = "localdns.sh";
const LOCALDNS_HOSTS: &str = "aks-localdns-hosts-setup.sh";
const MIG_PARTITION: &str = "mig-partition.sh";
const PROVISION: &str = "provision.sh";
const SEARCH_DOMAINS: &str = "setup-custom-search-domains.sh";
const SOURCE: &str = "provision_source.sh";
const SOURCE_DISTRO: &str = "provision_source_distro.sh";
const START: &str = "provision_start.sh";

/// In byte order of the names.
pub static VARIABLES: &[Variable] = variables! {
    public ADMINUSER
        "Administrator account that is created together with the VM. Empty: none."
        - CONFIGS [configureAdminUser] "removes the expiry date of the account and of its password"
    public AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX
        "DNS suffix of the container registries in a custom cloud, with its leading dot. Empty outside custom clouds."
        - CONFIGS [credential_provider_config]
            "adds an entry to `matchImages` in the configuration of the credential provider"
    public APISERVER_PUBLIC_KEY: base64 Text
        "Certificate of the API server, PEM text in base64. Public, despite the word key. Empty: no file is written."
        - CONFIGS [configureK8s] "writes it to /etc/kubernetes/certs/apiserver.crt"
    public API_SERVER_NAME
        "DNS name or IPv4 address of the API server, without scheme and port. The port is 443."
        - CONFIGS [checkApiServer] "checks that the API server can be reached"
        - CONFIGS [kubeconfig] "writes it to each kubeconfig"
        - CONFIGS [configPrivateClusterHosts] "writes it to the drop-in of reconcile-private-hosts.service"
        - CONFIGS [secure_tls_flags] "passes it as flag `--apiserver-fqdn` of the secure TLS bootstrap client"
        - CONFIGS [credential_provider_config] "passes it as argument `ib-apiserver-ip` of the credential provider"
    public ARM_RESOURCE_ENDPOINT
        "URL of Azure Resource Manager in this cloud. Empty: unknown."
        - INSTALLS [log_in_at_registry]
            "uses it as the second audience of the token with which the node signs in to the registry of a network \
             isolated cluster"
    public ARTIFACT_STREAMING_ENABLED
        "`true`: container images are streamed on demand by the overlaybd snapshotter instead of being pulled first."
        - PROVISION [base_prep]
            "runs `ensureArtifactStreaming`, which starts the services `acr-mirror` and `overlaybd-snapshotter`"
    public AZURE_ENVIRONMENT_FILEPATH
        "Path of the JSON file with the endpoints of a custom cloud. Empty outside custom clouds."
        - CONFIGS [kubelet_defaults] "writes it to /etc/default/kubelet"
        - CONFIGS [secure_tls_flags] "writes it to /etc/default/secure-tls-bootstrap"
    public AZURE_PRIVATE_REGISTRY_SERVER
        "Host name of a private Azure container registry. Empty: none."
    public BLOCK_OUTBOUND_NETWORK
        "`true`: the cluster has no outbound network access. Only set by the scripted route. An empty OUTBOUND_COMMAND \
         skips the outbound check."
    public BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER
        "Private registry that serves a network isolated cluster instead of MCR: a host, optionally with a path. \
         Empty: the cluster is not isolated."
        - PROVISION [is_isolated] "runs `orasLogin` and `markOutboundSkipped`"
        - INSTALLS [find_package fetch_kube_archive fetch_credential_provider_archive pull_pause_image]
            "pulls kubelet, kubectl, the credential provider and the pause image"
        - CONFIGS [configure_registry_hosts] "makes it the mirror in hosts.toml"
        - CONFIGS [credential_provider_config] "passes it as argument `--registry-mirror`"
    public CLI_TOOL
        "Client for container images: `ctr` or `docker`, or empty if no runtime was named. Legacy."
    public CLOUDPROVIDER_BACKOFF
        "`true`: the cloud provider retries failed Azure calls with growing delays."
        - CONFIGS [azure_json] "sets `cloudProviderBackoff` in azure.json"
    public CLOUDPROVIDER_BACKOFF_DURATION
        "Delay before the first retry of an Azure call, in seconds."
        - CONFIGS [azure_json] "sets `cloudProviderBackoffDuration` in azure.json"
    public CLOUDPROVIDER_BACKOFF_EXPONENT
        "Factor by which the delay grows from one retry to the next, a decimal number. Omitted if the mode is `v2`."
        - CONFIGS [azure_json] "sets `cloudProviderBackoffExponent` in azure.json"
    public CLOUDPROVIDER_BACKOFF_JITTER
        "Random part that is added to each delay, a decimal number. Omitted if the mode is `v2`."
        - CONFIGS [azure_json] "sets `cloudProviderBackoffJitter` in azure.json"
    public CLOUDPROVIDER_BACKOFF_MODE
        "Version of the backoff logic. `v2` ignores the exponent and the jitter."
        - CONFIGS [azure_json] "sets `cloudProviderBackoffMode` in azure.json"
    public CLOUDPROVIDER_BACKOFF_RETRIES
        "How often a failed Azure call is retried."
        - CONFIGS [azure_json] "sets `cloudProviderBackoffRetries` in azure.json"
    public CLOUDPROVIDER_RATELIMIT
        "`true`: the cloud provider limits the rate of its Azure calls."
        - CONFIGS [azure_json] "sets `cloudProviderRateLimit` in azure.json"
    public CLOUDPROVIDER_RATELIMIT_BUCKET
        "Number of Azure read calls that may be sent in one burst."
        - CONFIGS [azure_json] "sets `cloudProviderRateLimitBucket` in azure.json"
    public CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE
        "Number of Azure write calls that may be sent in one burst."
        - CONFIGS [azure_json] "sets `cloudProviderRateLimitBucketWrite` in azure.json"
    public CLOUDPROVIDER_RATELIMIT_QPS
        "Azure read calls per second, a decimal number."
        - CONFIGS [azure_json] "sets `cloudProviderRateLimitQPS` in azure.json"
    public CLOUDPROVIDER_RATELIMIT_QPS_WRITE
        "Azure write calls per second, a decimal number."
        - CONFIGS [azure_json] "sets `cloudProviderRateLimitQPSWrite` in azure.json"
    public CNI_PLUGINS_URL
        "URL of an archive with the reference CNI plugins (bridge, host-local, loopback). Legacy; set by Karpenter \
         only."
    public CONFIG_GPU_DRIVER_IF_NEEDED
        "`true`: the NVIDIA driver is installed on a GPU node. Otherwise it is installed only if the driver on the \
         image does not work."
        - CONFIGS [ensureGPUDrivers] "decides whether the driver is installed"
    public CONTAINERD_CONFIG_CONTENT: base64 Toml
        "Configuration of containerd, TOML in base64."
        - CONFIGS [ensureContainerd] "writes it to /etc/containerd/config.toml"
    public CONTAINERD_CONFIG_NO_GPU_CONTENT: base64 Toml
        "Configuration of containerd without the NVIDIA runtime, TOML in base64. The node decides which of the two it \
         uses."
        - CONFIGS [ensureContainerd] "replaces CONTAINERD_CONFIG_CONTENT on a GPU node whose tag skips the driver"
    public CONTAINERD_DOWNLOAD_URL_BASE
        "Base URL of containerd packages. Empty: the default sources. Legacy."
    public CONTAINERD_PACKAGE_URL
        "URL of a containerd package that replaces the one on the image. Empty: no replacement."
        - PROVISION [runtime_is_installed] "runs `installContainerRuntime` on a prepared image too"
        - INSTALLS [installContainerRuntime] "downloads and installs the package"
    public CONTAINERD_ULIMITS: plain Words
        "Limits of containerd.service: a `[Service]` section with spaces instead of line breaks, such as `[Service] \
         LimitNOFILE=1024 `. Not in base64. Empty: none."
        - CONFIGS [setContainerdUlimits] "writes the drop-in set_ulimits.conf of containerd.service"
    public CONTAINERD_VERSION
        "Version of containerd that belongs to a package override. Empty: the version in the component list of the \
         image. `installContainerRuntime` takes the version from the component list."
    public CONTAINER_RUNTIME
        "Name of the container runtime, always `containerd`. Legacy; set by Karpenter only."
    public CREDENTIAL_PROVIDER_DOWNLOAD_URL
        "URL of an archive with the credential provider `acr-credential-provider`. Empty: it is installed from a \
         package or a registry."
        - INSTALLS [install_credential_provider credential_provider_version]
            "downloads it before Kubernetes 1.33, on Azure Linux 2.0, and if no package contains it"
    public CSE_CONFIG_FILEPATH
        "Path of provision_configs.sh, the same on every node. Legacy."
        - PROVISION [] "loads the file"
    public CSE_DISTRO_HELPERS_FILEPATH
        "Path of provision_source_distro.sh, the same on every node. Legacy."
        - PROVISION [] "loads the file"
    public CSE_DISTRO_INSTALL_FILEPATH
        "Path of provision_installs_distro.sh, the same on every node. Legacy."
        - PROVISION [] "loads the file"
    public CSE_HELPERS_FILEPATH
        "Path of provision_source.sh, the same on every node. Legacy."
        - PROVISION [] "waits up to 120 seconds until the file is complete, then loads it"
    public CSE_INSTALL_FILEPATH
        "Path of provision_installs.sh, the same on every node. Legacy."
        - PROVISION [] "loads the file"
    public CSE_TIMEOUT
        "Time limit of provisioning: seconds, or a duration that `timeout` accepts, such as `15m`. Empty: 15 minutes."
        - START [] "stops provision.sh after this time, with exit code 124"
    public CUSTOM_CA_CERT_n: base64 Text
        "Certificate that the node trusts, PEM text in base64 without line breaks. n is decimal and counts from 0, \
         including empty certificates."
        - CONFIGS [configureCustomCaCertificate] "writes it to /opt/certs/00000000000000certN.crt"
    public CUSTOM_CA_TRUST_COUNT
        "Number of `CUSTOM_CA_CERT_n`, including empty ones. `0`: none."
        - CONFIGS [configureCustomCaCertificate] "writes this number of certificates"
    public CUSTOM_ENV_JSON: base64 Json
        "Names and endpoints of a custom cloud, JSON in base64. Empty outside custom clouds."
        - CONFIGS [cloud_json] "writes it to /etc/kubernetes/<TARGET_ENVIRONMENT>.json in a custom cloud"
    public CUSTOM_KUBE_BINARY_URL
        "URL of an archive with kubelet and kubectl that takes precedence over every other source. Empty: none. The \
         reference's scripts ignore it from Kubernetes 1.34 on."
        - INSTALLS [prefers_kube_url install_kube_from_url] "install kubelet and kubectl from it"
    public CUSTOM_SEARCH_DOMAIN_FILEPATH
        "Path of setup-custom-search-domains.sh, the same on every node. Legacy."
        - CONFIGS [joinCustomSearchDomain] "runs the file"
    public CUSTOM_SEARCH_DOMAIN_NAME
        "DNS domain that the node searches and whose realm it joins. Empty: none."
        - SEARCH_DOMAINS [] "adds it as `dns-search`, and passes it in upper case to `realm join`"
    secret CUSTOM_SEARCH_REALM_PASSWORD
        "Password of the account that joins the realm. Empty: none."
        - SEARCH_DOMAINS [] "passes it on the standard input of `realm join`"
    public CUSTOM_SEARCH_REALM_USER
        "Account that joins the realm. Empty: none."
        - SEARCH_DOMAINS [] "passes it as user to `realm join`"
    public CUSTOM_SECURE_TLS_BOOTSTRAPPING_CLIENT_DOWNLOAD_URL
        "URL of a secure TLS bootstrap client that replaces the one on the image. Empty: no replacement."
        - INSTALLS [installSecureTLSBootstrapClient] "downloads it to /opt/bin if secure TLS bootstrapping is enabled"
    public DHCPV6_CONFIG_FILEPATH
        "Path of enable-dhcpv6.sh. Legacy; empty if Karpenter creates the node. `ensureDHCPv6` starts dhcpv6.service."
    public DHCPV6_SERVICE_FILEPATH
        "Path of dhcpv6.service. Legacy; empty if Karpenter creates the node. `ensureDHCPv6` starts dhcpv6.service."
    public DISABLE_PUBKEY_AUTH
        "`true`: SSH accepts no public keys, because users sign in with Entra ID. Has no effect if SSH is disabled."
        - PROVISION [password_login_only] "runs `disableSSHPubkeyAuth`, which rewrites `sshd_config`"
    public DISABLE_SSH
        "`true`: the SSH service is stopped and disabled."
        - PROVISION [base_prep] "runs `disableSSH`"
        - PROVISION [password_login_only] "leaves out `disableSSHPubkeyAuth`"
    public ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED
        "`true`: a GPU node runs the NVIDIA device plugin of its image. Ignored: ENABLE_MANAGED_GPU decides."
    public ENABLE_HOSTS_CONFIG_AGENT
        "`true`: the address of the private API server is kept in /etc/hosts instead of being looked up in DNS."
        - PROVISION [base_prep] "runs `configPrivateClusterHosts`, which starts reconcile-private-hosts.service"
        - CONFIGS [checkApiServer] "does not wait for the name in DNS"
    public ENABLE_IMDS_RESTRICTION
        "`true`: pods cannot reach the instance metadata service. Otherwise the rule is removed."
        - CONFIGS [configureKubelet] "sets it in the kubelet's drop-in 10-ensure-imds-restriction.conf"
        - IMDS_RESTRICTION [] "adds or removes the rule before each start of the kubelet"
    public ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION
        "`true`: the kubelet requests its serving certificate from the cluster and renews it, unless a tag of the VM \
         disables that. Otherwise a self-signed certificate is created."
        - CONFIGS [configureKubeletServing]
            "changes the kubelet's flags, configuration file and labels, or creates the certificate"
    public ENABLE_MANAGED_GPU
        "`true`: the node runs the GPU services that AKS manages: the device plugin, DCGM and its exporter."
        - CONFIGS [managed_gpu_mode]
            "decides whether `configureManagedGPUExperience` starts or stops the services; fails if \
             ENABLE_MANAGED_GPU_DRA is `true` as well"
    public ENABLE_MANAGED_GPU_DRA
        "`true`: managed GPUs are allocated by dynamic resource allocation (DRA) instead of the device plugin."
        - CONFIGS [managed_gpu_mode] "chooses the DRA driver instead of the device plugin"
        - PROVISION [dra_is_wanted] "runs `startDraDriver` after the kubelet has started"
    public ENABLE_SECURE_TLS_BOOTSTRAPPING
        "`true`: the secure TLS bootstrap client, which proves the identity of the VM, obtains the first certificate \
         of the kubelet; a bootstrap token is the fallback. Otherwise the client is deleted."
        - INSTALLS [installSecureTLSBootstrapClient] "installs or deletes the client"
        - PROVISION [node_prep] "runs `configureAndEnableSecureTLSBootstrapping` and `checkSecureTLSBootstrap`"
        - CONFIGS [configureK8s write_kubeconfigs] "choose which credentials and kubeconfigs are written"
    public ENABLE_TLS_BOOTSTRAPPING
        "`true`: the kubelet joins with a bootstrap token. Legacy; set by Karpenter only. The scripts read \
         TLS_BOOTSTRAP_TOKEN."
    public ENABLE_UNATTENDED_UPGRADES
        "`true`: the operating system installs security updates automatically."
        - PROVISION [is_upgraded_unattended]
            "runs `configureUnattendedUpgrades`, which enables the timers of apt or dnf-automatic"
    public ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE
        "`true`: frames that the promiscuous kubenet bridge delivers twice are dropped."
        - PROVISION [node_prep] "runs `ensureNoDupOnPromiscuBridge`, which starts ensure-no-dup.service"
    public EXCLUDE_MASTER_FROM_STANDARD_LB
        "`true`: control plane nodes are not in the standard load balancer."
        - CONFIGS [azure_json] "sets `excludeMasterFromStandardLB` in azure.json"
    public GPU_DRIVER_TYPE
        "Type of the NVIDIA driver: `cuda-lts`, `cuda`, `grid` or `grid-v20`. Can be set on nodes without a GPU too."
        - CONFIGS [checkDriverTag] "fails for `grid-v20` on systems other than Ubuntu"
        - CONFIGS [start_grid_license] "starts nvidia-gridd for `grid`, but not on Ubuntu"
        - INSTALLS_DISTRO [install_gpu_driver] "chooses the driver"
        - INSTALLS_DISTRO [remove_driver_of_other_kind]
            "removes a driver of another kind that is part of the image, on Ubuntu"
    public GPU_DRIVER_VERSION
        "Version of the NVIDIA driver, such as `580.159.04`. Can be set on nodes without a GPU too."
        - INSTALLS_DISTRO [install_gpu_driver] "uses it as first part of the tag of the driver image on Ubuntu"
    public GPU_IMAGE_SHA
        "Suffix of the tag of the driver image: date and time in digits, not a digest. Can be set on nodes without a \
         GPU too."
        - INSTALLS_DISTRO [install_gpu_driver] "uses it as second part of the tag of the driver image on Ubuntu"
    public GPU_INSTANCE_PROFILE
        "MIG profile into which every GPU is partitioned: `MIG1g`, `MIG2g`, `MIG3g`, `MIG4g` or `MIG7g`. Empty: GPUs \
         are not partitioned."
        - CONFIGS [ensureMigPartition] "sets it in the drop-in of mig-partition.service"
        - MIG_PARTITION [] "partitions the GPUs"
    public GPU_NEEDS_FABRIC_MANAGER
        "`true`: the GPUs of this size are connected by NVSwitch and need the NVIDIA fabric manager."
        - CONFIGS [configureFabricManager] "installs and starts the fabric manager on a GPU node, or stops it"
    public GPU_NODE
        "`true`: the node is set up for NVIDIA GPUs. Otherwise driver files on the image are deleted."
        - PROVISION [is_gpu_node driver_is_wanted]
            "runs the steps for drivers, the fabric manager and managed GPUs, or `cleanUpGPUDrivers`"
        - CONFIGS [ensureContainerd] "chooses the configuration of containerd"
    public HAS_CUSTOM_SEARCH_DOMAIN
        "`true`: the node joins the realm of a custom search domain."
        - PROVISION [base_prep] "runs `joinCustomSearchDomain`"
    public HAS_KUBELET_DISK_TYPE
        "`true`: the kubelet keeps its data on the temporary disk instead of the OS disk."
        - PROVISION [base_prep] "runs `configureKubeletDisk`, which makes kubelet.service require bind-mount.service"
    secret HTTPS_PROXY_URLS
        "URL of the proxy for HTTPS, possibly with credentials. Empty: none."
        - CONFIGS [useProxy] "uses the proxy for provisioning itself"
        - CONFIGS [configureEtcEnvironment] "writes it to /etc/environment and to the configuration of systemd and apt"
    public HTTP_PROXY_TRUSTED_CA: base64 Text
        "CA certificate of the proxy, PEM text in base64 without line breaks. Empty: none."
        - CONFIGS [configureHTTPProxyCA] "adds it to the trust store"
    secret HTTP_PROXY_URLS
        "URL of the proxy for HTTP, possibly with credentials. Empty: none."
        - CONFIGS [useProxy] "uses the proxy for provisioning itself"
        - CONFIGS [configureEtcEnvironment] "writes it to /etc/environment and to the configuration of systemd and apt"
    public HYPERKUBE_URL
        "Name of the hyperkube image of old Kubernetes versions. Empty: none. Legacy."
    public IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI
        "TLS server name of the cluster's identity binding service. Empty: none. Used only if \
         SERVICE_ACCOUNT_IMAGE_PULL_ENABLED is `true`."
        - CONFIGS [credential_provider_config] "passes it as argument `ib-sni-name` of the credential provider"
    public INIT_AKS_CLOUD_FILEPATH
        "Path of init-aks-cloud.sh, the same on every node."
        - COMMAND [] "runs the file, if it exists, before provision_start.sh"
    public INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE
        "`true`: the rule of ENABLE_IMDS_RESTRICTION is in the mangle table instead of the filter table."
        - CONFIGS [configureKubelet] "sets it in the kubelet's drop-in 10-ensure-imds-restriction.conf"
        - IMDS_RESTRICTION [] "chooses the table before each start of the kubelet"
    public IPV6_DUAL_STACK_ENABLED
        "`true`: the node has an IPv6 address as well as an IPv4 address."
        - PROVISION [base_prep] "runs `ensureDHCPv6`, which starts dhcpv6.service"
        - SOURCE_DISTRO [configureSystemdUseDomains] "uses search domains from DHCPv6 on Azure Linux"
    public IS_CUSTOM_CLOUD
        "`true`: the node runs in a custom cloud, whose endpoints are in CUSTOM_ENV_JSON."
        - CONFIGS [configureAzureJson] "writes the file of the custom cloud"
    public IS_KATA
        "`true`: the image is made for Kata containers, which run pods in virtual machines."
        - SOURCE_DISTRO [configureUnattendedUpgrades] "does not enable upgrades on Azure Linux"
    public IS_KRUSTLET
        "`true`: the node runs krustlet instead of the kubelet. Legacy; set by Karpenter only."
    public IS_VHD
        "`true`: the VM was created from a prepared AKS image, so nothing needs a full installation."
        - INSTALLS [checkInstallMode] "fails if /opt/azure/vhd-install.complete is missing"
    public KUBELET_CLIENT_CERT_CONTENT: base64 Text
        "Client certificate of the kubelet, PEM text in base64. Empty: the kubelet obtains one by bootstrapping."
        - CONFIGS [configureK8s] "writes client.crt if neither a bootstrap token nor secure TLS bootstrapping is used"
    secret KUBELET_CLIENT_CONTENT: base64 Text
        "Private key of the kubelet's client certificate, PEM text in base64. Empty: the kubelet obtains a certificate \
         by bootstrapping."
        - CONFIGS [configureK8s] "writes client.key if neither a bootstrap token nor secure TLS bootstrapping is used"
    public KUBELET_CONFIG_FILE_CONTENT: base64 Json
        "Configuration file of the kubelet, JSON in base64. Used only if KUBELET_CONFIG_FILE_ENABLED is `true`. Empty: \
         none."
        - CONFIGS [change_kubelet_config] "changes it for the serving certificate"
        - CONFIGS [configureK8s] "writes it to /etc/default/kubeletconfig.json"
        - CONFIGS [reserved_cgroup] "looks up the reserved cgroups"
    public KUBELET_CONFIG_FILE_ENABLED
        "`true`: the kubelet reads a configuration file in addition to its flags."
        - CONFIGS [configureK8s] "writes the file and the drop-in 10-componentconfig.conf with the flag `--config`"
        - CONFIGS [reserved_cgroup] "looks up the reserved cgroups in the file"
    public KUBELET_FLAGS: plain Words
        "Flags of the kubelet: `--flag=value`, separated by spaces."
        - CONFIGS [configureKubeletServing] "changes the flags for the serving certificate"
        - CONFIGS [kubelet_defaults] "writes them to /etc/default/kubelet"
        - SOURCE [kubelet_flag] "looks up a flag"
    public KUBELET_IMAGE
        "Name of the hyperkube image that contains the kubelet. Legacy; only set by the scripted route before \
         Kubernetes 1.17."
        - CONFIGS [kubelet_defaults] "writes it to /etc/default/kubelet"
    public KUBELET_NODE_LABELS: plain List
        "Labels with which the node registers: `key=value`, separated by commas. Empty: none."
        - CONFIGS [configureKubeletServing labelLocalDNSExporter configureManagedGPUExperience] "add a label"
        - CONFIGS [kubelet_defaults] "writes them to /etc/default/kubelet"
    public KUBENET_TEMPLATE: base64 Json
        "Template of the kubenet CNI configuration, in base64. containerd replaces its placeholders. Empty: an empty \
         file is written. Legacy."
        - CONFIGS [configureKubenetTemplate] "writes it to /etc/containerd/kubenet_template.conf"
    public KUBEPROXY_URL
        "Name of the kube-proxy image. Empty: none. Legacy."
    public KUBERNETES_VERSION
        "Kubernetes version of the node, such as `1.33.2`, without a leading `v`."
        - INSTALLS [configureKubeletAndKubectl install_kube_from_url install_kube_packages install_credential_provider]
            "install this version"
        - INSTALLS [cleanUpContainerImages] "keeps the kube-proxy image of this version"
        - SOURCE [kubernetes_ge] "compares versions"
    public KUBE_BINARY_URL
        "Archive with kubelet and kubectl: an https URL or a registry reference. Empty: the default source of the \
         image."
        - INSTALLS [install_kube_from_url] "downloads it if the image has no kubelet and kubectl of this version"
    public KUBE_CA_CRT: base64 Text
        "CA certificate of the cluster, PEM text in base64. Public."
        - CONFIGS [ensureKubeCACert] "writes it to /etc/kubernetes/certs/ca.crt"
    public LOAD_BALANCER_DISABLE_OUTBOUND_SNAT
        "`true`: load balancing rules give pods no outbound address translation."
        - CONFIGS [azure_json] "sets `disableOutboundSNAT` in azure.json"
    public LOAD_BALANCER_SKU
        "SKU of the cluster's load balancer: `basic` or `standard`, in any letter case, or empty."
        - CONFIGS [azure_json] "sets `loadBalancerSku` in azure.json"
    public LOCALDNS_COREFILE_BASE: base64 Corefile
        "Corefile of local DNS without the hosts plugin, in base64. Empty: local DNS is off."
        - CONFIGS [enableLocalDNS] "writes the first Corefile"
        - CONFIGS [localdns_environment] "writes it to /etc/localdns/environment"
        - LOCALDNS [select_corefile] "uses it if the hosts plugin is off or has no addresses yet"
    public LOCALDNS_COREFILE_WITH_HOSTS: base64 Corefile
        "Corefile of local DNS with the hosts plugin, in base64. Empty: local DNS is off."
        - CONFIGS [localdns_environment] "writes it to /etc/localdns/environment"
        - LOCALDNS [select_corefile] "uses it if the hosts plugin is on and /etc/localdns/hosts has addresses"
    public LOCALDNS_CPU_LIMIT
        "CPU time limit of local DNS, in percent of one core, such as `200.0%`."
        - CONFIGS [enableLocalDNS] "sets `CPUQuota` in localdns.slice"
    public LOCALDNS_CRITICAL_FQDNS
        "Names whose addresses the hosts plugin keeps, separated by commas. Empty: none."
        - CONFIGS [localdns_environment enableAKSLocalDNSHostsSetup] "write it to /etc/localdns/environment"
        - LOCALDNS_HOSTS [] "looks up the addresses"
    public LOCALDNS_GENERATED_COREFILE: base64 Corefile
        "The value of LOCALDNS_COREFILE_BASE, under the name that older node images read. Legacy."
        - CONFIGS [enableLocalDNS localdns_environment] "use it if LOCALDNS_COREFILE_BASE is empty"
    public LOCALDNS_HOSTS_PLUGIN_REFRESH_INTERVAL_IN_SECONDS
        "Seconds between two refreshes of the hosts plugin's addresses, at least 5. Empty: 900."
        - CONFIGS [enableAKSLocalDNSHostsSetup]
            "writes the drop-in 10-refresh-interval.conf of aks-localdns-hosts-setup.timer"
    public LOCALDNS_MEMORY_LIMIT
        "Memory limit of local DNS in MiB, followed by `M`, such as `128M`."
        - CONFIGS [enableLocalDNS] "sets `MemoryMax` in localdns.slice"
    public LOCATION
        "Azure region of the VM."
        - CONFIGS [azure_json] "sets `location` in azure.json"
        - INIT_CLOUD [] "obtains the root certificates of the region"
    public MANAGED_GPU_EXPERIENCE_AFEC_ENABLED
        "`true`: the subscription is registered for the preview of managed GPUs. Ignored: ENABLE_MANAGED_GPU decides."
    public MAXIMUM_LOADBALANCER_RULE_COUNT
        "Maximum number of rules of one load balancer."
        - CONFIGS [azure_json] "sets `maximumLoadBalancerRuleCount` in azure.json"
    public MCR_REPOSITORY_BASE
        "Host of the Microsoft container registry in this cloud, such as `mcr.microsoft.com`, which is the default. \
         Set by the scripted route only."
        - CONFIGS [mcr_host]
            "returns the registry of system extensions and the host that a network isolated cluster mirrors"
        - INSTALLS_DISTRO [install_gpu_driver] "pulls the image of the GPU driver from it"
    public MESSAGE_OF_THE_DAY: base64 Text
        "Text that is shown at sign-in, in base64. Empty: the text of the image."
        - CONFIGS [configureMessageOfTheDay] "writes it to /etc/motd"
    public MIG_NODE
        "`true`: the GPUs of the node are partitioned into instances (MIG), which needs a reboot at the end."
        - PROVISION [node_prep] "runs `ensureMigPartition`"
        - PROVISION [needs_reboot] "runs `scheduleReboot` and leaves out unattended upgrades"
    public MOBY_VERSION
        "Version of the Moby engine, always empty. Legacy."
    public NEEDS_CGROUPV2
        "`true`: the node runs with cgroup v2 and the kubelet uses the systemd cgroup driver."
        - PROVISION [base_prep] "runs `configureKubeletCgroups`, which writes the kubelet's drop-in 10-cgroupv2.conf"
    public NEEDS_CONTAINERD
        "`true`: the node uses containerd. Legacy; set by Karpenter only."
    public NEEDS_DOCKER_LOGIN
        "`true`: Docker signs in to a private registry. Legacy; set by Karpenter only."
    public NETWORK_ISOLATED_CLUSTER_TEST_MODE
        "`true`: a network isolated cluster installs binaries from the registry even if the image has them. For tests."
        - INSTALLS [install_kube_packages find_package] "ignores kubelet, kubectl and packages on the image"
    public NETWORK_MODE
        "Mode of the Azure CNI plugin: `bridge` or `transparent`. Empty: the default of the plugin. With the policy \
         `calico` the mode is transparent, without a policy it is the default."
        - CONFIGS [azure_conflist] "changes the mode of the Azure CNI plugin with a policy"
    public NETWORK_PLUGIN
        "Network plugin of the pods: `azure`, `kubenet` or `none`. Empty: unknown."
        - INSTALLS [installNetworkPlugin] "installs the Azure CNI plugin"
        - CONFIGS [configureCNI] "writes its configuration"
    public NETWORK_POLICY
        "Network policy engine, such as `azure`, `calico` or `none`. Empty: none."
        - CONFIGS [azure_conflist] "changes the mode of the Azure CNI plugin from `bridge` to `transparent`"
        - CONFIGS [kubelet_defaults] "writes it to /etc/default/kubelet"
    public NETWORK_SECURITY_GROUP
        "Name of the nodes' network security group."
        - CONFIGS [azure_json] "sets `securityGroupName` in azure.json"
    public NO_PROXY_URLS
        "Hosts and networks that are reached without the proxy, separated by commas. Empty: none."
        - CONFIGS [useProxy] "uses them for provisioning itself"
        - CONFIGS [] "writes them to /etc/environment and to the configuration of systemd"
    public NVIDIA_MIG_PROFILE_LAYOUT
        "MIG profile of each instance, separated by commas, such as `1g.10gb,2g.20gb`. Empty: none."
        - CONFIGS [ensureMigPartition] "sets it in the drop-in of mig-partition.service"
        - MIG_PARTITION [] "replaces GPU_INSTANCE_PROFILE"
    public NVIDIA_MIG_STRATEGY
        "How the device plugin exposes MIG instances: `Mixed` by profile, any other value as plain GPUs."
        - CONFIGS [configureManagedGPUExperience] "writes the drop-in 10-device-plugin-config.conf of the device plugin"
    public OUTBOUND_COMMAND
        "Command that succeeds if the node has outbound access, usually a curl of the registry. Empty: no check."
        - CONFIGS [checkOutbound] "runs it up to 20 times, each for up to 15 seconds; the exit code is 50 if it fails"
    public PRE_PROVISION_ONLY
        "`true`: only the image is prepared, and the VM does not become a node yet."
        - SOURCE [makes_an_image]
            "adds provision_image_stage.sh, leaves out `node_prep`, and what could not be taken back from the image"
        - START []
            "calls provision_image_stage.sh, which reverts the configuration, and writes base_prep.complete instead of provision.complete"
    public PRIMARY_AVAILABILITY_SET
        "Name of the cluster's first availability set. Empty: none."
        - CONFIGS [azure_json] "sets `primaryAvailabilitySetName` in azure.json"
    public PRIMARY_SCALE_SET
        "Name of the cluster's first scale set. Empty: none."
        - CONFIGS [azure_json] "sets `primaryScaleSetName` in azure.json"
    public PRIVATE_EGRESS_PROXY_ADDRESS
        "URL of the private egress proxy of a network isolated cluster. Empty: none."
        - CONFIGS [logPrivateEgressProxy] "writes it to the log"
    public PRIVATE_KUBE_BINARY_URL
        "URL of an archive with kubelet and kubectl of a private version, which the image must have cached. Empty: \
         none. The reference's scripts ignore it from Kubernetes 1.34 on."
        - INSTALLS [prefers_kube_url install_kube_from_url]
            "look for the archive in /opt/kubernetes/downloads/private-packages"
    public PROVISION_OUTPUT
        "Path of the log of the bootstrap command, the same on every node."
        - COMMAND [] "writes date and host name to the file"
        - START [] "appends to the file"
        - CONFIGS [checkOutbound] "appends to the file"
    secret PROXY_VARS
        "Proxy settings as shell text: one `export NAME=\"value\";` for each setting, possibly with credentials. \
         Empty: no proxy. `useProxy` reads the variables of each setting, because untrusted text is not evaluated."
    public REPO_DEPOT_ENDPOINT
        "URL of the package repositories of a custom cloud. Empty: the repositories of the image are kept."
        - INIT_CLOUD [use_repositories] "rewrites the repositories of apt or yum"
    public RESOURCE_GROUP
        "Resource group of the nodes."
        - CONFIGS [azure_json] "sets `resourceGroup` in azure.json"
    public ROUTE_TABLE
        "Name of the route table of the nodes' subnet."
        - CONFIGS [azure_json] "sets `routeTableName` in azure.json"
    public RUNC_PACKAGE_URL
        "URL of a runc package that replaces the one on the image. Empty: no replacement."
        - PROVISION [runc_is_replaced] "runs `installRunc`"
        - INSTALLS [installRunc] "downloads and installs the package"
    public RUNC_VERSION
        "Version of runc that replaces the one on the image. Empty: no replacement. The package at RUNC_PACKAGE_URL \
         has this version."
    public SECURE_TLS_BOOTSTRAPPING_AAD_RESOURCE
        "Entra ID application for which the client requests a token. Empty: the AKS server application."
        - CONFIGS [secure_tls_flags] "passes it as flag `--aad-resource` of the client"
    public SECURE_TLS_BOOTSTRAPPING_GET_ACCESS_TOKEN_TIMEOUT
        "Time limit for requesting an access token, a duration such as `18s`. Empty: the client's default."
        - CONFIGS [secure_tls_flags] "passes it as flag `--get-access-token-timeout` of the client"
    public SECURE_TLS_BOOTSTRAPPING_GET_ATTESTED_DATA_TIMEOUT
        "Time limit for requesting attested data from the metadata service, a duration such as `18s`. Empty: the \
         client's default."
        - CONFIGS [secure_tls_flags] "passes it as flag `--get-attested-data-timeout` of the client"
    public SECURE_TLS_BOOTSTRAPPING_GET_CREDENTIAL_TIMEOUT
        "Time limit for requesting the kubelet's credential from the cluster, a duration such as `18s`. Empty: the \
         client's default."
        - CONFIGS [secure_tls_flags] "passes it as flag `--get-credential-timeout` of the client"
    public SECURE_TLS_BOOTSTRAPPING_GET_INSTANCE_DATA_TIMEOUT
        "Time limit for requesting instance data from the metadata service, a duration such as `18s`. Empty: the \
         client's default."
        - CONFIGS [secure_tls_flags] "passes it as flag `--get-instance-data-timeout` of the client"
    public SECURE_TLS_BOOTSTRAPPING_GET_NONCE_TIMEOUT
        "Time limit for requesting a nonce from the cluster, a duration such as `18s`. Empty: the client's default."
        - CONFIGS [secure_tls_flags] "passes it as flag `--get-nonce-timeout` of the client"
    public SECURE_TLS_BOOTSTRAPPING_USER_ASSIGNED_IDENTITY_ID
        "Client ID of the user-assigned identity with which the client signs in. Empty: the client's default."
        - CONFIGS [secure_tls_flags] "passes it as flag `--user-assigned-identity-id` of the client"
    public SECURE_TLS_BOOTSTRAPPING_VALIDATE_KUBECONFIG_TIMEOUT
        "Time limit for validating an existing kubeconfig, a duration such as `18s`. Empty: the client's default."
        - CONFIGS [secure_tls_flags] "passes it as flag `--validate-kubeconfig-timeout` of the client"
    public SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID
        "Client ID for image pulls if the service account names none. Empty: no default."
        - CONFIGS [credential_provider_config] "passes it as argument `ib-default-client-id` of the credential provider"
    public SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_TENANT_ID
        "Tenant ID for image pulls if the service account names none. Empty: no default."
        - CONFIGS [credential_provider_config] "passes it as argument `ib-default-tenant-id` of the credential provider"
    public SERVICE_ACCOUNT_IMAGE_PULL_ENABLED
        "`true`: images are pulled with the identity of the pod's service account instead of the kubelet's identity."
        - CONFIGS [credential_provider_config]
            "adds the arguments for identity bindings and `tokenAttributes` in the configuration of the credential \
             provider"
    public SERVICE_PRINCIPAL_CLIENT_ID
        "Client ID of the cluster's service principal; `msi` with a managed identity."
        - CONFIGS [azure_json] "sets `aadClientId` in azure.json"
    secret SERVICE_PRINCIPAL_FILE_CONTENT: base64 Text
        "Secret of the cluster's service principal, in base64; the word `msi` in base64 with a managed identity."
        - CONFIGS [azure_json] "decodes it and sets `aadClientSecret` in azure.json"
    public SGX_NODE
        "`true`: the VM size is one of the first with SGX enclaves. Legacy."
    public SHOULD_CONFIGURE_CUSTOM_CA_TRUST
        "`true`: the node trusts the certificates in `CUSTOM_CA_CERT_n`."
        - PROVISION [base_prep] "runs `configureCustomCaCertificate`"
    public SHOULD_CONFIGURE_HTTP_PROXY
        "`true`: the node and the kubelet use a proxy."
        - PROVISION [base_prep] "runs `useProxy` and `configureEtcEnvironment`"
        - PROVISION [proxy_has_ca] "runs `configureHTTPProxyCA`"
    public SHOULD_CONFIGURE_HTTP_PROXY_CA
        "`true`: the node trusts HTTP_PROXY_TRUSTED_CA. Has no effect if SHOULD_CONFIGURE_HTTP_PROXY is not `true`."
        - PROVISION [proxy_has_ca] "runs `configureHTTPProxyCA`"
    public SHOULD_CONFIG_CONTAINERD_ULIMITS
        "`true`: CONTAINERD_ULIMITS is applied."
        - PROVISION [base_prep] "runs `setContainerdUlimits`"
    public SHOULD_CONFIG_SWAP_FILE
        "`true`: the node has a swap file of SWAP_FILE_SIZE_MB."
        - PROVISION [base_prep] "runs `configureSwapFile`"
    public SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE
        "`true`: THP_ENABLED and THP_DEFRAG are applied."
        - PROVISION [base_prep] "runs `configureTransparentHugePage`"
    public SHOULD_ENABLE_HOSTS_PLUGIN
        "`true`: local DNS answers critical names from a hosts file. Otherwise the file and its timer are removed."
        - PROVISION [hosts_plugin_is_wanted] "runs `enableAKSLocalDNSHostsSetup`"
        - CONFIGS [enableLocalDNS] "removes the file and the timer"
        - CONFIGS [localdns_environment] "writes it to /etc/localdns/environment"
        - LOCALDNS [select_corefile] "chooses the Corefile"
    public SHOULD_ENABLE_LOCALDNS
        "`true`: a DNS server on the node answers its pods and the node itself."
        - PROVISION [base_prep] "runs `enableLocalDNS`"
        - PROVISION [hosts_plugin_is_wanted] "runs `enableAKSLocalDNSHostsSetup`"
        - PROVISION [exporter_is_there] "runs the steps for the exporter"
    public SKIP_WAAGENT_HOLD
        "`true`: the package walinuxagent may be upgraded during provisioning. Ubuntu only."
        - PROVISION [guest_agent_is_held] "leaves out `holdWALinuxAgent` and `releaseWALinuxAgent`"
    public STANDARD_SECONDARY_NIC_COUNT
        "Number of network interfaces after the first that the node configures. `0`: none."
        - PROVISION [has_secondary_nics] "runs `configureSecondaryNICs`"
        - CONFIGS [configureSecondaryNICs] "configures this number of interfaces"
    public SUBNET
        "Name of the nodes' subnet."
        - CONFIGS [azure_json] "sets `subnetName` in azure.json"
    public SUBSCRIPTION_ID
        "Azure subscription of the nodes."
        - CONFIGS [azure_json] "sets `subscriptionId` in azure.json"
    public SWAP_FILE_SIZE_MB
        "Size of the swap file in MB of 1000 KiB each. `0`: none."
        - CONFIGS [configureSwapFile] "creates a file of this size"
    public SYSCTL_CONTENT: base64 Settings
        "Kernel settings: `key=value` lines in base64."
        - CONFIGS [ensureSysctl] "writes them to /etc/sysctl.d/999-sysctl-aks.conf and applies them"
    public TARGET_CLOUD
        "Name of the Azure cloud, such as `AzurePublicCloud`. `AzureStackCloud` in a custom cloud."
        - CONFIGS [azure_json] "sets `cloud` in azure.json"
        - PROVISION [is_in_china] "runs `retagImages` in `AzureChinaCloud`"
    public TARGET_ENVIRONMENT
        "Name of the cloud's environment: the value of TARGET_CLOUD, or the name of the custom cloud, such as \
         `akscustom`."
        - CONFIGS [configureAzureJson] "names the custom cloud's file in /etc/kubernetes"
    public TELEPORTD_PLUGIN_DOWNLOAD_URL
        "URL of an archive with the teleportd plugin, the predecessor of artifact streaming. Always empty. Legacy; set \
         by Karpenter only."
    public TELEPORT_ENABLED
        "`true`: images are streamed by teleportd, the predecessor of artifact streaming. Legacy; set by Karpenter \
         only."
    public TENANT_ID
        "Entra ID tenant of the cluster."
        - CONFIGS [azure_json] "sets `tenantId` in azure.json"
        - INSTALLS [log_in_at_registry registry_token] "sign in to the registry of a network isolated cluster"
    public THP_DEFRAG
        "How the kernel frees memory for huge pages: `always`, `defer`, `defer+madvise`, `madvise` or `never`. Empty: \
         the default of the operating system."
        - CONFIGS [] "sets it in the kernel"
        - CONFIGS [huge_page_lines] "writes it to /etc/sysfs.conf"
    public THP_ENABLED
        "Which memory uses huge pages: `always`, `madvise` or `never`. Empty: the default of the operating system."
        - CONFIGS [] "sets it in the kernel"
        - CONFIGS [huge_page_lines] "writes it to /etc/sysfs.conf"
    secret TLS_BOOTSTRAP_TOKEN
        "Bootstrap token with which the kubelet requests its first certificate, `<id>.<secret>`. Empty: the kubelet \
         has a client certificate or uses secure TLS bootstrapping."
        - CONFIGS [write_kubeconfigs] "writes the bootstrap kubeconfig and the drop-ins of the kubelet that use it"
        - CONFIGS [configureK8s] "chooses the credentials of the kubelet"
    public USER_ASSIGNED_IDENTITY_ID
        "Client ID of the kubelet's managed identity; not a resource ID, despite the name. Empty: none."
        - CONFIGS [azure_json] "sets `userAssignedIdentityID` in azure.json"
        - INSTALLS [log_in_at_registry identity_token] "sign in to the registry of a network isolated cluster"
    public USE_INSTANCE_METADATA
        "`true`: the cloud provider queries the instance metadata service before Azure."
        - CONFIGS [azure_json] "sets `useInstanceMetadata` in azure.json"
    public USE_MANAGED_IDENTITY_EXTENSION
        "`true`: the node signs in to Azure with its managed identity instead of a service principal."
        - CONFIGS [azure_json] "sets `useManagedIdentityExtension` in azure.json"
    public VIRTUAL_NETWORK
        "Name of the nodes' virtual network."
        - CONFIGS [azure_json] "sets `vnetName` in azure.json"
    public VIRTUAL_NETWORK_RESOURCE_GROUP
        "Resource group of the virtual network. Empty: the resource group of the nodes."
        - CONFIGS [azure_json] "sets `vnetResourceGroup` in azure.json"
    public VM_TYPE
        "Type of the cluster's VMs: `vmss` (scale set) or `standard` (single VMs). Empty: unknown."
        - CONFIGS [azure_json] "sets `vmType` in azure.json"
    public VNET_CNI_PLUGINS_URL
        "URL of an archive with the Azure CNI plugins for the node's architecture. Empty: only plugins on the image \
         are used."
        - INSTALLS [installNetworkPlugin install_azure_cni] "unpack the archive to /opt/cni/bin unless the image has it"
};

/// The row of all variables with a certificate; n is the number.
pub const CERTIFICATES: &str = "CUSTOM_CA_CERT_n";

/// The start of the names of these variables, before the number.
pub const CERTIFICATE_PREFIX: &str = "CUSTOM_CA_CERT_";

/// Returns the row of a variable. `CUSTOM_CA_CERT_<digits>` has the row of [`CERTIFICATES`].
#[must_use]
pub fn variable(name: &str) -> Option<&'static Variable> {
    let name = match name.strip_prefix(CERTIFICATE_PREFIX) {
        Some(n) if !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => CERTIFICATES,
        _ => name,
    };
    let row = VARIABLES.binary_search_by(|variable| variable.name.cmp(name)).ok()?;
    Some(&VARIABLES[row])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_in_byte_order() {
        for pair in VARIABLES.windows(2) {
            let (before, after) = (pair[0].name, pair[1].name);
            assert!(before.as_bytes() < after.as_bytes(), "{before} is before {after}");
        }
    }

    #[test]
    fn meanings_are_sentences_and_effects_are_parts_of_one() {
        for variable in VARIABLES {
            let name = variable.name;
            assert!(variable.meaning.ends_with('.'), "{name}: {}", variable.meaning);
            for text in variable.readers.iter().map(|reader| reader.effect).chain([variable.meaning]) {
                assert!(!text.is_empty() && text == text.trim(), "{name}: {text:?}");
                assert!(!text.contains("  ") && !text.contains('\n'), "{name}: {text}");
            }
            for reader in variable.readers {
                assert!(!reader.effect.ends_with('.'), "{name}: {}", reader.effect);
            }
        }
    }

    #[test]
    fn a_variable_with_a_secret_sounding_name_is_a_secret_or_listed_as_public() {
        const PUBLIC: &[(&str, &str)] = &[
            ("APISERVER_PUBLIC_KEY", "a certificate, the public half of the API server's key"),
            ("DISABLE_PUBKEY_AUTH", "a boolean"),
            ("SECURE_TLS_BOOTSTRAPPING_GET_ACCESS_TOKEN_TIMEOUT", "a duration"),
        ];
        for variable in VARIABLES {
            let name = variable.name;
            let sounds_secret = ["TOKEN", "SECRET", "PASSWORD", "KEY"].iter().any(|word| name.contains(word));
            let public = PUBLIC.iter().any(|(listed, _)| *listed == name);
            if sounds_secret {
                assert_ne!(variable.secret, public, "{name} is either secret or listed as public");
            }
        }
        for (name, reason) in PUBLIC {
            assert!(variable(name).is_some(), "{name} ({reason}) is not a variable");
        }
    }

    #[test]
    fn the_secrets_are_those_that_may_never_be_logged() {
        let secrets: Vec<_> = VARIABLES.iter().filter(|v| v.secret).map(|v| v.name).collect();
        let never_logged = [
            "CUSTOM_SEARCH_REALM_PASSWORD",
            "HTTPS_PROXY_URLS",
            "HTTP_PROXY_URLS",
            "KUBELET_CLIENT_CONTENT",
            "PROXY_VARS",
            "SERVICE_PRINCIPAL_FILE_CONTENT",
            "TLS_BOOTSTRAP_TOKEN",
        ];
        assert_eq!(secrets, never_logged);
    }

    #[test]
    fn certificates_of_every_number_have_one_row() {
        for (name, expected) in [
            ("CUSTOM_CA_CERT_0", Some(CERTIFICATES)),
            ("CUSTOM_CA_CERT_10", Some(CERTIFICATES)),
            ("CUSTOM_CA_CERT_", None),
            ("CUSTOM_CA_CERT_x", None),
            ("CUSTOM_CA_CERT_1x", None),
            ("CUSTOM_CA_CERT", None),
            ("", None),
            ("location", None),
        ] {
            assert_eq!(variable(name).map(|found| found.name), expected, "{name}");
        }
    }
}
