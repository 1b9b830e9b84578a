//! Exit codes of the provisioning scripts: `ExitCode` of the result, and what Azure shows as the extension's status.
//!
//! To add one: a row here, then `make generate`, which writes `parts/provisioning/source/exit_codes.sh`.

/// A code by which a step ends the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitCode {
    /// 1 to 255.
    pub code: u8,
    /// The constant in the scripts.
    pub name: &'static str,
    /// What happened.
    pub meaning: &'static str,
    /// Who can end with it.
    pub ends: Ends,
}

/// Who can end with a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// A step of our own scripts.
    Here,
    /// Only scripts of others: the reference's, or those of an image's build.
    Elsewhere,
}

const fn here(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    ExitCode { code, name, meaning, ends: Ends::Here }
}

const fn elsewhere(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    ExitCode { code, name, meaning, ends: Ends::Elsewhere }
}

/// By code. Numbers and names are the reference's up to 243; 244 and 245 are ours.
pub static EXIT_CODES: &[ExitCode] = &[
    elsewhere(2, "ERR_SYSTEMCTL_MASK_FAIL", "A unit could not be masked."),
    elsewhere(3, "ERR_SYSTEMCTL_ENABLE_FAIL", "Unit could not be enabled."),
    here(
        4,
        "ERR_SYSTEMCTL_START_FAIL",
        "A required unit could not be started or enabled, or containerd is in the failed state at the pre-kubelet health check.",
    ),
    elsewhere(5, "ERR_CLOUD_INIT_TIMEOUT", "Reserved for waiting on cloud-init's run commands."),
    here(
        6,
        "ERR_FILE_WATCH_TIMEOUT",
        "The helper script did not become complete within 120 s (missing, empty or without its end mark), or the containerd config could not be decoded.",
    ),
    here(7, "ERR_HOLD_WALINUXAGENT", "The walinuxagent package could not be put on hold."),
    here(8, "ERR_RELEASE_HOLD_WALINUXAGENT", "The hold could not be lifted."),
    here(9, "ERR_APT_INSTALL_TIMEOUT", "A package could not be downloaded, installed or unpacked (apt, dnf or tdnf)."),
    here(10, "ERR_MISSING_CUDA_PACKAGE", "No GPU driver package or extension fits the running kernel or VM size."),
    elsewhere(20, "ERR_DOCKER_INSTALL_TIMEOUT", "Belonged to the Docker runtime: Docker install failed."),
    elsewhere(21, "ERR_DOCKER_DOWNLOAD_TIMEOUT", "Belonged to the Docker runtime: Docker download failed."),
    elsewhere(
        22,
        "ERR_DOCKER_KEY_DOWNLOAD_TIMEOUT",
        "Belonged to the Docker runtime: Docker repository key download failed.",
    ),
    elsewhere(23, "ERR_DOCKER_APT_KEY_TIMEOUT", "Belonged to the Docker runtime: adding the Docker apt key failed."),
    elsewhere(24, "ERR_DOCKER_START_FAIL", "Belonged to the Docker runtime: starting Docker failed."),
    elsewhere(25, "ERR_MOBY_APT_LIST_TIMEOUT", "The Microsoft package list could not be fetched or copied."),
    elsewhere(26, "ERR_MS_GPG_KEY_DOWNLOAD_TIMEOUT", "The Microsoft signing key could not be fetched or installed."),
    elsewhere(27, "ERR_MOBY_INSTALL_TIMEOUT", "Old Docker engine install."),
    here(28, "ERR_CONTAINERD_INSTALL_TIMEOUT", "containerd could not be removed, downloaded or installed."),
    here(29, "ERR_RUNC_INSTALL_TIMEOUT", "runc could not be installed."),
    elsewhere(30, "ERR_K8S_RUNNING_TIMEOUT", "Cluster did not answer cluster-info in time."),
    here(
        31,
        "ERR_K8S_DOWNLOAD_TIMEOUT",
        "The Kubernetes node binaries archive could not be downloaded or is not a valid archive.",
    ),
    elsewhere(32, "ERR_KUBECTL_NOT_FOUND", "kubectl missing on disk."),
    elsewhere(33, "ERR_IMG_DOWNLOAD_TIMEOUT", "Image download timed out."),
    here(
        34,
        "ERR_KUBELET_START_FAIL",
        "kubelet could not be queued for start or enabled, daemon-reload failed, or the reserved-cgroup hierarchy could not be created.",
    ),
    elsewhere(35, "ERR_DOCKER_IMG_PULL_TIMEOUT", "Docker image pull timed out."),
    elsewhere(36, "ERR_CONTAINERD_CTR_IMG_PULL_TIMEOUT", "Image pull with the containerd client timed out."),
    elsewhere(37, "ERR_CONTAINERD_CRICTL_IMG_PULL_TIMEOUT", "Image pull through crictl timed out."),
    elsewhere(38, "ERR_CONTAINERD_INSTALL_FILE_NOT_FOUND", "containerd package file not found."),
    here(39, "ERR_CONTAINERD_VERSION_INVALID", "The component list has no usable containerd (or CNI) version."),
    here(41, "ERR_CNI_DOWNLOAD_TIMEOUT", "CNI plugin archive could not be downloaded."),
    here(42, "ERR_MS_PROD_DEB_DOWNLOAD_TIMEOUT", "The Microsoft repository package could not be downloaded."),
    here(43, "ERR_MS_PROD_DEB_PKG_ADD_FAIL", "The Microsoft repository package could not be installed."),
    elsewhere(44, "ERR_FLEXVOLUME_DOWNLOAD_TIMEOUT", "Flexvolume driver download."),
    elsewhere(45, "ERR_ORAS_DOWNLOAD_ERROR", "The oras tool could not be downloaded."),
    elsewhere(48, "ERR_SYSTEMD_INSTALL_FAIL", "Required systemd version could not be installed."),
    here(
        49,
        "ERR_MODPROBE_FAIL",
        "A kernel module could not be loaded (br_netfilter, nf_conntrack, ip6_tables), or stale module deny rules could not be removed.",
    ),
    here(50, "ERR_OUTBOUND_CONN_FAIL", "The outbound probe command never succeeded (20 tries, 15 s each, 1 s apart)."),
    here(
        51,
        "ERR_K8S_API_SERVER_CONN_FAIL",
        "TCP/TLS connection to the API server failed: HTTPS probe for a name, port probe for an address.",
    ),
    here(
        52,
        "ERR_K8S_API_SERVER_DNS_LOOKUP_FAIL",
        "API server name did not resolve and the last resolver was not Azure's.",
    ),
    here(
        53,
        "ERR_K8S_API_SERVER_AZURE_DNS_LOOKUP_FAIL",
        "API server name did not resolve although the query went to 168.63.129.16.",
    ),
    elsewhere(60, "ERR_KATA_KEY_DOWNLOAD_TIMEOUT", "Kata repository key download timed out."),
    elsewhere(61, "ERR_KATA_APT_KEY_TIMEOUT", "Kata apt key timed out."),
    elsewhere(62, "ERR_KATA_INSTALL_TIMEOUT", "Kata install timed out."),
    here(65, "ERR_VHD_FILE_NOT_FOUND", "The node claims to be a prepared image but the image build log is missing."),
    here(70, "ERR_CONTAINERD_DOWNLOAD_TIMEOUT", "containerd override package could not be downloaded."),
    here(71, "ERR_RUNC_DOWNLOAD_TIMEOUT", "runc override package could not be downloaded."),
    here(80, "ERR_CUSTOM_SEARCH_DOMAINS_FAIL", "Joining the custom search domain failed."),
    elsewhere(83, "ERR_GPU_DOWNLOAD_TIMEOUT", "GPU driver download timed out."),
    here(
        84,
        "ERR_GPU_DRIVERS_START_FAIL",
        "GPU driver set-up failed: image pull or install, module load, nvidia-smi, ldconfig, fabric manager, modprobe service or CDI drop-in.",
    ),
    here(85, "ERR_GPU_DRIVERS_INSTALL_TIMEOUT", "containerd did not restart after the driver install."),
    here(86, "ERR_GPU_DEVICE_PLUGIN_START_FAIL", "The device plugin service did not start."),
    here(87, "ERR_GPU_INFO_ROM_CORRUPTED", "nvidia-smi reports a corrupted info ROM."),
    elsewhere(90, "ERR_SGX_DRIVERS_INSTALL_TIMEOUT", "SGX prerequisites failed."),
    elsewhere(91, "ERR_SGX_DRIVERS_START_FAIL", "SGX driver start failed."),
    here(95, "ERR_AMDAMA_DRIVER_NOT_FOUND", "No AMD AMA driver or firmware package for the kernel."),
    here(96, "ERR_AMDAMA_INSTALL_FAIL", "An AMD AMA package could not be installed."),
    elsewhere(98, "ERR_APT_DAILY_TIMEOUT", "Waiting for the daily apt job."),
    here(
        99,
        "ERR_APT_UPDATE_TIMEOUT",
        "apt index refresh failed: non-zero exit or any warning/error line in its output, 10 tries; also dnf makecache.",
    ),
    elsewhere(100, "ERR_CSE_PROVISION_SCRIPT_NOT_READY_TIMEOUT", "Provisioning script not placed in time."),
    elsewhere(101, "ERR_APT_DIST_UPGRADE_TIMEOUT", "Distribution upgrade failed."),
    elsewhere(102, "ERR_APT_PURGE_FAIL", "Package purge failed."),
    here(103, "ERR_SYSCTL_RELOAD", "Applying sysctl settings or transparent huge page settings failed."),
    elsewhere(111, "ERR_CIS_ASSIGN_ROOT_PW", "Setting a random root password failed."),
    elsewhere(112, "ERR_CIS_ASSIGN_FILE_PERMISSION", "Setting file permissions for CIS failed."),
    elsewhere(113, "ERR_PACKER_COPY_FILE", "Copying a file into the image failed."),
    elsewhere(115, "ERR_CIS_APPLY_PASSWORD_CONFIG", "Applying the CIS password policy failed."),
    elsewhere(116, "ERR_SYSTEMD_DOCKER_STOP_FAIL", "Docker could not be stopped."),
    elsewhere(117, "ERR_CRICTL_DOWNLOAD_TIMEOUT", "crictl download failed."),
    elsewhere(118, "ERR_CRICTL_OPERATION_ERROR", "A crictl operation failed."),
    here(119, "ERR_CTR_OPERATION_ERROR", "containerd was not ready when images had to be re-tagged."),
    elsewhere(120, "ERR_INVALID_CLI_TOOL", "Unknown image CLI tool."),
    here(121, "ERR_KUBELET_INSTALL_FAIL", "kubelet could not be installed from a package."),
    here(122, "ERR_KUBECTL_INSTALL_FAIL", "kubectl could not be installed from a package."),
    here(
        123,
        "ERR_ENABLE_MANAGED_GPU_EXPERIENCE",
        "Managed GPU set-up failed, or plugin mode and DRA mode were requested together.",
    ),
    elsewhere(125, "ERR_VHD_BUILD_ERROR", "Reserved for image build checks."),
    here(128, "ERR_NODE_EXPORTER_START_FAIL", "The node metrics exporter could not be started."),
    here(129, "ERR_DRA_DRIVER_START_FAIL", "The GPU DRA driver service did not start."),
    here(130, "ERR_SWAP_CREATE_FAIL", "Swap file could not be created, activated or made persistent."),
    here(
        131,
        "ERR_SWAP_CREATE_INSUFFICIENT_DISK_SPACE",
        "Neither the resource disk nor the OS disk has room for the swap file.",
    ),
    elsewhere(152, "ERR_ARTIFACT_STREAMING_DOWNLOAD", "Artifact streaming packages could not be downloaded."),
    here(
        153,
        "ERR_ARTIFACT_STREAMING_INSTALL",
        "Artifact streaming services could not be enabled, or containerd was not ready.",
    ),
    elsewhere(154, "ERR_ARTIFACT_STREAMING_ACR_NODEMON_START_FAIL", "acr-nodemon did not start."),
    elsewhere(160, "ERR_HTTP_PROXY_CA_CONVERT", "Proxy CA could not be converted."),
    here(161, "ERR_UPDATE_CA_CERTS", "Proxy CA or custom CAs could not be written or the trust store update failed."),
    here(
        169,
        "ERR_SECURE_TLS_BOOTSTRAP_CLIENT_DOWNLOAD_ERROR",
        "Custom secure TLS bootstrap client could not be downloaded or installed.",
    ),
    elsewhere(
        170,
        "ERR_DISBALE_IPTABLES",
        "The iptables service could not be disabled (constant name is misspelt in the reference).",
    ),
    here(172, "ERR_DISABLE_SSH", "SSH could not be disabled."),
    elsewhere(173, "ERR_PRIMARY_NIC_IP_NOT_FOUND", "Primary NIC address not found."),
    elsewhere(
        174,
        "ERR_INSERT_IMDS_RESTRICTION_RULE_INTO_MANGLE_TABLE",
        "Metadata restriction rule: insert into the mangle table failed.",
    ),
    elsewhere(
        175,
        "ERR_INSERT_IMDS_RESTRICTION_RULE_INTO_FILTER_TABLE",
        "Metadata restriction rule: insert into the filter table failed.",
    ),
    elsewhere(
        176,
        "ERR_DELETE_IMDS_RESTRICTION_RULE_FROM_MANGLE_TABLE",
        "Metadata restriction rule: delete from the mangle table failed.",
    ),
    elsewhere(
        177,
        "ERR_DELETE_IMDS_RESTRICTION_RULE_FROM_FILTER_TABLE",
        "Metadata restriction rule: delete from the filter table failed.",
    ),
    here(
        178,
        "ERR_CONFIG_PUBKEY_AUTH_SSH",
        "Public-key login could not be switched off: service not startable, new config invalid, or reload failed.",
    ),
    elsewhere(200, "ERR_VHD_REBOOT_REQUIRED", "Reserved: image needs a reboot."),
    elsewhere(201, "ERR_NO_PACKAGES_FOUND", "Reserved: no security packages found."),
    here(202, "ERR_SNAPSHOT_UPDATE_START_FAIL", "The live-patching timer could not be started."),
    elsewhere(203, "ERR_PRIVATE_K8S_PKG_ERR", "Private Kubernetes package could not be fetched or unpacked."),
    here(
        204,
        "ERR_K8S_INSTALL_ERR",
        "Kubernetes binaries could not be unpacked, the archive lacks them, or no install method exists for this OS.",
    ),
    here(
        205,
        "ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT",
        "Registry credential provider could not be downloaded or installed.",
    ),
    here(206, "ERR_CNI_VERSION_INVALID", "Reference CNI plugins missing or version missing from the component list."),
    here(207, "ERR_ORAS_PULL_K8S_FAIL", "Kubernetes binaries could not be pulled from the registry."),
    here(
        208,
        "ERR_ORAS_PULL_CREDENTIAL_PROVIDER",
        "Credential provider could not be pulled from the registry, or its version is unknown.",
    ),
    here(210, "ERR_ORAS_IMDS_TIMEOUT", "No answer from the instance metadata service for the kubelet identity token."),
    here(211, "ERR_ORAS_PULL_NETWORK_TIMEOUT", "Registry did not answer the token exchange or the repository listing."),
    here(212, "ERR_ORAS_PULL_UNAUTHORIZED", "Token refused, token lacks read permission, or login failed."),
    here(
        213,
        "ERR_LOOKUP_DISABLE_KUBELET_SERVING_CERTIFICATE_ROTATION_TAG",
        "Tag lookup for the serving-certificate opt-out failed.",
    ),
    here(214, "ERR_CLEANUP_CONTAINER_IMAGES", "Install mode could not be determined."),
    elsewhere(215, "ERR_DNS_HEALTH_FAIL", "DNS health check failed."),
    here(
        216,
        "ERR_LOCALDNS_FAIL",
        "Local DNS could not be configured or started; also the exit code of the local DNS service for start-up, readiness or repeated health-check failure.",
    ),
    elsewhere(217, "ERR_LOCALDNS_COREFILE_NOTFOUND", "No corefile and none could be regenerated."),
    elsewhere(218, "ERR_LOCALDNS_SLICEFILE_NOTFOUND", "Slice unit file missing or empty."),
    elsewhere(219, "ERR_LOCALDNS_BINARY_ERR", "coredns binary missing, not executable or not runnable."),
    here(220, "ERR_SECURE_TLS_BOOTSTRAP_ENABLE_FAILURE", "The secure TLS bootstrap unit could not be enabled."),
    elsewhere(223, "ERR_CLOUD_INIT_FAILED", "cloud-init ended with a fatal error (its exit code 1)."),
    here(
        224,
        "ERR_NVIDIA_DRIVER_INSTALL",
        "Driver-skip tag could not be evaluated, or the GRID v20 driver was requested on an OS other than Ubuntu.",
    ),
    elsewhere(225, "ERR_NVIDIA_GPG_KEY_DOWNLOAD_TIMEOUT", "NVIDIA repository key could not be fetched."),
    elsewhere(226, "ERR_NVIDIA_AZURELINUX_REPO_FILE_DOWNLOAD_TIMEOUT", "NVIDIA repository file could not be fetched."),
    here(227, "ERR_MANAGED_NVIDIA_EXP_INSTALL_FAIL", "A managed GPU package is not in the image cache."),
    elsewhere(228, "ERR_NVIDIA_DCGM_FAIL", "DCGM service did not start."),
    elsewhere(229, "ERR_NVIDIA_DCGM_EXPORTER_FAIL", "Managed GPU services failed to start."),
    here(
        230,
        "ERR_LOOKUP_ENABLE_MANAGED_GPU_EXPERIENCE_TAG",
        "Tag lookup for managed GPU failed (practically unreachable, see 213).",
    ),
    here(231, "ERR_ORAS_PULL_SYSEXT_FAIL", "A system extension image could not be found or pulled."),
    here(232, "ERR_SYSEXT_VERSION_ID_NOT_FOUND", "VERSION_ID missing from os-release."),
    here(233, "ERR_PULL_POD_INFRA_CONTAINER_IMAGE", "The pause image could not be determined, pulled or imported."),
    here(234, "ERR_IMDS_FETCH_FAILED", "Instance metadata could not be fetched or is not JSON."),
    here(235, "ERR_NVIDIA_DCGM_INSTALL", "Managed GPU packages could not be installed from the cache."),
    elsewhere(240, "ERR_AKS_NODE_CONTROLLER_ERROR", "The on-node controller failed before the scripts could run."),
    elsewhere(241, "ERR_AZNFS_RPM_DOWNLOAD_TIMEOUT", "aznfs package download timed out."),
    elsewhere(242, "ERR_AZNFS_INSTALL_FAIL", "aznfs package could not be installed."),
    here(243, "ERR_SECONDARY_NIC_CONFIG_FAIL", "Secondary network interfaces could not be configured."),
    here(
        244,
        "ERR_NODE_FILE_WRITE_FAIL",
        "A file of the node could not be written, or the base64 that it comes from is broken.",
    ),
    here(
        245,
        "ERR_NODE_INPUT_INVALID",
        "A variable that the steps need is missing or malformed; all of them are named.",
    ),
];
