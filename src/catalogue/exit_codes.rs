//! Exit codes: `ExitCode` of the result, and what Azure shows as the status of the extension.
//!
//! To add one: a row here, then `make generate`, which writes `parts/provisioning/source/exit_codes.sh` and
//! `docs/exit-codes.md`. A test compares [`ExitCode::ends`] with what scripts, templates and the controller contain.

/// A code of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitCode {
    /// 1 to 255.
    pub code: u8,
    /// The constant in the scripts.
    pub name: &'static str,
    /// What happened.
    pub meaning: &'static str,
    /// What can end with it here. Empty: only scripts of the reference, or of an image build, do.
    pub ends: &'static [Ender],
}

/// What can end with a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ender {
    /// A step of the provisioning scripts, and with it the run.
    Step,
    /// A script that a unit, a step or the CSE command runs.
    Service,
    /// The script that `CustomData` carries on the route of node-bootstrap variables.
    BootstrapScript,
    /// The controller, or its launcher in its place.
    Controller,
}

impl Ender {
    /// Its name in the documentation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Service => "service",
            Self::BootstrapScript => "bootstrap script",
            Self::Controller => "controller",
        }
    }
}

/// Whether a code has the meaning that shells give it and no other: 0 to 2, 124 (`timeout` ended the command), 126 and 127
/// (the command cannot be run), 128 + n for the signals that end a run (HUP, INT, KILL, TERM). The table has rows for some of
/// these too, because the reference has; here, only the named constant stands for such a row, never the literal number.
#[must_use]
pub const fn is_conventional(code: u8) -> bool {
    matches!(code, 0..=2 | 124 | 126 | 127 | 129 | 130 | 137 | 143)
}

const fn row(ends: &'static [Ender], code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    ExitCode { code, name, meaning, ends }
}

const fn step(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    row(&[Ender::Step], code, name, meaning)
}

const fn service(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    row(&[Ender::Service], code, name, meaning)
}

const fn step_or_service(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    row(&[Ender::Step, Ender::Service], code, name, meaning)
}

const fn reference(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    row(&[], code, name, meaning)
}

/// By code. Numbers and names are the reference's up to 243; 244 and 245 are ours.
pub static EXIT_CODES: &[ExitCode] = &[
    reference(2, "ERR_SYSTEMCTL_MASK_FAIL", "A unit could not be masked."),
    reference(3, "ERR_SYSTEMCTL_ENABLE_FAIL", "Unit could not be enabled."),
    step(
        4,
        "ERR_SYSTEMCTL_START_FAIL",
        "A required unit could not be started or enabled, or containerd is in the failed state at the pre-kubelet health check.",
    ),
    reference(5, "ERR_CLOUD_INIT_TIMEOUT", "Reserved for waiting on cloud-init's run commands."),
    step(
        6,
        "ERR_FILE_WATCH_TIMEOUT",
        "The helper script did not become complete within 120 s (missing, empty or without its end mark), or the containerd config could not be decoded.",
    ),
    step(7, "ERR_HOLD_WALINUXAGENT", "The walinuxagent package could not be put on hold."),
    step(8, "ERR_RELEASE_HOLD_WALINUXAGENT", "The hold could not be lifted."),
    step(9, "ERR_APT_INSTALL_TIMEOUT", "A package could not be downloaded, installed or unpacked (apt, dnf or tdnf)."),
    step(10, "ERR_MISSING_CUDA_PACKAGE", "No GPU driver package or extension fits the running kernel or VM size."),
    reference(20, "ERR_DOCKER_INSTALL_TIMEOUT", "Belonged to the Docker runtime: Docker install failed."),
    reference(21, "ERR_DOCKER_DOWNLOAD_TIMEOUT", "Belonged to the Docker runtime: Docker download failed."),
    reference(
        22,
        "ERR_DOCKER_KEY_DOWNLOAD_TIMEOUT",
        "Belonged to the Docker runtime: Docker repository key download failed.",
    ),
    reference(23, "ERR_DOCKER_APT_KEY_TIMEOUT", "Belonged to the Docker runtime: adding the Docker apt key failed."),
    reference(24, "ERR_DOCKER_START_FAIL", "Belonged to the Docker runtime: starting Docker failed."),
    reference(25, "ERR_MOBY_APT_LIST_TIMEOUT", "The Microsoft package list could not be fetched or copied."),
    reference(26, "ERR_MS_GPG_KEY_DOWNLOAD_TIMEOUT", "The Microsoft signing key could not be fetched or installed."),
    reference(27, "ERR_MOBY_INSTALL_TIMEOUT", "Old Docker engine install."),
    step(28, "ERR_CONTAINERD_INSTALL_TIMEOUT", "containerd could not be removed, downloaded or installed."),
    step(29, "ERR_RUNC_INSTALL_TIMEOUT", "runc could not be installed."),
    reference(30, "ERR_K8S_RUNNING_TIMEOUT", "Cluster did not answer cluster-info in time."),
    step(
        31,
        "ERR_K8S_DOWNLOAD_TIMEOUT",
        "The Kubernetes node binaries archive could not be downloaded or is not a valid archive.",
    ),
    reference(32, "ERR_KUBECTL_NOT_FOUND", "kubectl missing on disk."),
    reference(33, "ERR_IMG_DOWNLOAD_TIMEOUT", "Image download timed out."),
    step(
        34,
        "ERR_KUBELET_START_FAIL",
        "kubelet could not be queued for start or enabled, daemon-reload failed, or the reserved-cgroup hierarchy could not be created. Also: kubelet does not stay up, or it has no client certificate in time.",
    ),
    reference(35, "ERR_DOCKER_IMG_PULL_TIMEOUT", "Docker image pull timed out."),
    reference(36, "ERR_CONTAINERD_CTR_IMG_PULL_TIMEOUT", "Image pull with the containerd client timed out."),
    reference(37, "ERR_CONTAINERD_CRICTL_IMG_PULL_TIMEOUT", "Image pull through crictl timed out."),
    reference(38, "ERR_CONTAINERD_INSTALL_FILE_NOT_FOUND", "containerd package file not found."),
    step(39, "ERR_CONTAINERD_VERSION_INVALID", "The component list has no usable containerd (or CNI) version."),
    step(41, "ERR_CNI_DOWNLOAD_TIMEOUT", "CNI plugin archive could not be downloaded."),
    step(42, "ERR_MS_PROD_DEB_DOWNLOAD_TIMEOUT", "The Microsoft repository package could not be downloaded."),
    step(43, "ERR_MS_PROD_DEB_PKG_ADD_FAIL", "The Microsoft repository package could not be installed."),
    reference(44, "ERR_FLEXVOLUME_DOWNLOAD_TIMEOUT", "Flexvolume driver download."),
    reference(45, "ERR_ORAS_DOWNLOAD_ERROR", "The oras tool could not be downloaded."),
    reference(48, "ERR_SYSTEMD_INSTALL_FAIL", "Required systemd version could not be installed."),
    step(
        49,
        "ERR_MODPROBE_FAIL",
        "A kernel module could not be loaded (br_netfilter, nf_conntrack, ip6_tables), or stale module deny rules could not be removed.",
    ),
    step(50, "ERR_OUTBOUND_CONN_FAIL", "The outbound probe command never succeeded (20 tries, 15 s each, 1 s apart)."),
    step(
        51,
        "ERR_K8S_API_SERVER_CONN_FAIL",
        "TCP/TLS connection to the API server failed: HTTPS probe for a name, port probe for an address.",
    ),
    step(
        52,
        "ERR_K8S_API_SERVER_DNS_LOOKUP_FAIL",
        "API server name did not resolve and the last resolver was not Azure's.",
    ),
    step(
        53,
        "ERR_K8S_API_SERVER_AZURE_DNS_LOOKUP_FAIL",
        "API server name did not resolve although the query went to 168.63.129.16.",
    ),
    reference(60, "ERR_KATA_KEY_DOWNLOAD_TIMEOUT", "Kata repository key download timed out."),
    reference(61, "ERR_KATA_APT_KEY_TIMEOUT", "Kata apt key timed out."),
    reference(62, "ERR_KATA_INSTALL_TIMEOUT", "Kata install timed out."),
    step(65, "ERR_VHD_FILE_NOT_FOUND", "The node claims to be a prepared image but the image build log is missing."),
    step(70, "ERR_CONTAINERD_DOWNLOAD_TIMEOUT", "containerd override package could not be downloaded."),
    step(71, "ERR_RUNC_DOWNLOAD_TIMEOUT", "runc override package could not be downloaded."),
    step_or_service(80, "ERR_CUSTOM_SEARCH_DOMAINS_FAIL", "Joining the custom search domain failed."),
    reference(83, "ERR_GPU_DOWNLOAD_TIMEOUT", "GPU driver download timed out."),
    step(
        84,
        "ERR_GPU_DRIVERS_START_FAIL",
        "GPU driver set-up failed: image pull or install, module load, nvidia-smi, ldconfig, fabric manager, modprobe service or CDI drop-in.",
    ),
    step(85, "ERR_GPU_DRIVERS_INSTALL_TIMEOUT", "containerd did not restart after the driver install."),
    step(86, "ERR_GPU_DEVICE_PLUGIN_START_FAIL", "The device plugin service did not start."),
    step(87, "ERR_GPU_INFO_ROM_CORRUPTED", "nvidia-smi reports a corrupted info ROM."),
    reference(90, "ERR_SGX_DRIVERS_INSTALL_TIMEOUT", "SGX prerequisites failed."),
    reference(91, "ERR_SGX_DRIVERS_START_FAIL", "SGX driver start failed."),
    step(95, "ERR_AMDAMA_DRIVER_NOT_FOUND", "No AMD AMA driver or firmware package for the kernel."),
    step(96, "ERR_AMDAMA_INSTALL_FAIL", "An AMD AMA package could not be installed."),
    reference(98, "ERR_APT_DAILY_TIMEOUT", "Waiting for the daily apt job."),
    step(
        99,
        "ERR_APT_UPDATE_TIMEOUT",
        "apt index refresh failed: non-zero exit or any warning/error line in its output, 10 tries; also dnf makecache.",
    ),
    row(
        &[Ender::BootstrapScript],
        100,
        "ERR_CSE_PROVISION_SCRIPT_NOT_READY_TIMEOUT",
        "provision.sh was not complete after 20 minutes.",
    ),
    reference(101, "ERR_APT_DIST_UPGRADE_TIMEOUT", "Distribution upgrade failed."),
    reference(102, "ERR_APT_PURGE_FAIL", "Package purge failed."),
    step(103, "ERR_SYSCTL_RELOAD", "Applying sysctl settings or transparent huge page settings failed."),
    reference(111, "ERR_CIS_ASSIGN_ROOT_PW", "Setting a random root password failed."),
    reference(112, "ERR_CIS_ASSIGN_FILE_PERMISSION", "Setting file permissions for CIS failed."),
    reference(113, "ERR_PACKER_COPY_FILE", "Copying a file into the image failed."),
    reference(115, "ERR_CIS_APPLY_PASSWORD_CONFIG", "Applying the CIS password policy failed."),
    reference(116, "ERR_SYSTEMD_DOCKER_STOP_FAIL", "Docker could not be stopped."),
    reference(117, "ERR_CRICTL_DOWNLOAD_TIMEOUT", "crictl download failed."),
    reference(118, "ERR_CRICTL_OPERATION_ERROR", "A crictl operation failed."),
    step(119, "ERR_CTR_OPERATION_ERROR", "containerd was not ready when images had to be re-tagged."),
    reference(120, "ERR_INVALID_CLI_TOOL", "Unknown image CLI tool."),
    step(121, "ERR_KUBELET_INSTALL_FAIL", "kubelet could not be installed from a package."),
    step(122, "ERR_KUBECTL_INSTALL_FAIL", "kubectl could not be installed from a package."),
    step(
        123,
        "ERR_ENABLE_MANAGED_GPU_EXPERIENCE",
        "Managed GPU set-up failed, or plugin mode and DRA mode were requested together.",
    ),
    reference(125, "ERR_VHD_BUILD_ERROR", "Reserved for image build checks."),
    step(128, "ERR_NODE_EXPORTER_START_FAIL", "The node metrics exporter could not be started."),
    step(129, "ERR_DRA_DRIVER_START_FAIL", "The GPU DRA driver service did not start."),
    step(130, "ERR_SWAP_CREATE_FAIL", "Swap file could not be created, activated or made persistent."),
    step(
        131,
        "ERR_SWAP_CREATE_INSUFFICIENT_DISK_SPACE",
        "Neither the resource disk nor the OS disk has room for the swap file.",
    ),
    reference(152, "ERR_ARTIFACT_STREAMING_DOWNLOAD", "Artifact streaming packages could not be downloaded."),
    step(
        153,
        "ERR_ARTIFACT_STREAMING_INSTALL",
        "Artifact streaming services could not be enabled, or containerd was not ready.",
    ),
    reference(154, "ERR_ARTIFACT_STREAMING_ACR_NODEMON_START_FAIL", "acr-nodemon did not start."),
    reference(160, "ERR_HTTP_PROXY_CA_CONVERT", "Proxy CA could not be converted."),
    step(161, "ERR_UPDATE_CA_CERTS", "Proxy CA or custom CAs could not be written or the trust store update failed."),
    step(
        169,
        "ERR_SECURE_TLS_BOOTSTRAP_CLIENT_DOWNLOAD_ERROR",
        "Custom secure TLS bootstrap client could not be downloaded or installed.",
    ),
    reference(
        170,
        "ERR_DISBALE_IPTABLES",
        "The iptables service could not be disabled (constant name is misspelt in the reference).",
    ),
    step(172, "ERR_DISABLE_SSH", "SSH could not be disabled."),
    reference(173, "ERR_PRIMARY_NIC_IP_NOT_FOUND", "Primary NIC address not found."),
    reference(
        174,
        "ERR_INSERT_IMDS_RESTRICTION_RULE_INTO_MANGLE_TABLE",
        "Metadata restriction rule: insert into the mangle table failed.",
    ),
    reference(
        175,
        "ERR_INSERT_IMDS_RESTRICTION_RULE_INTO_FILTER_TABLE",
        "Metadata restriction rule: insert into the filter table failed.",
    ),
    reference(
        176,
        "ERR_DELETE_IMDS_RESTRICTION_RULE_FROM_MANGLE_TABLE",
        "Metadata restriction rule: delete from the mangle table failed.",
    ),
    reference(
        177,
        "ERR_DELETE_IMDS_RESTRICTION_RULE_FROM_FILTER_TABLE",
        "Metadata restriction rule: delete from the filter table failed.",
    ),
    step(
        178,
        "ERR_CONFIG_PUBKEY_AUTH_SSH",
        "Public-key login could not be switched off: service not startable, new config invalid, or reload failed.",
    ),
    reference(200, "ERR_VHD_REBOOT_REQUIRED", "Reserved: image needs a reboot."),
    reference(201, "ERR_NO_PACKAGES_FOUND", "Reserved: no security packages found."),
    step(202, "ERR_SNAPSHOT_UPDATE_START_FAIL", "The live-patching timer could not be started."),
    reference(203, "ERR_PRIVATE_K8S_PKG_ERR", "Private Kubernetes package could not be fetched or unpacked."),
    step(
        204,
        "ERR_K8S_INSTALL_ERR",
        "Kubernetes binaries could not be unpacked, the archive lacks them, or no install method exists for this OS.",
    ),
    step(
        205,
        "ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT",
        "Registry credential provider could not be downloaded or installed.",
    ),
    step(206, "ERR_CNI_VERSION_INVALID", "Reference CNI plugins missing or version missing from the component list."),
    step(207, "ERR_ORAS_PULL_K8S_FAIL", "Kubernetes binaries could not be pulled from the registry."),
    step(
        208,
        "ERR_ORAS_PULL_CREDENTIAL_PROVIDER",
        "Credential provider could not be pulled from the registry, or its version is unknown.",
    ),
    step(210, "ERR_ORAS_IMDS_TIMEOUT", "No answer from the instance metadata service for the kubelet identity token."),
    step(211, "ERR_ORAS_PULL_NETWORK_TIMEOUT", "Registry did not answer the token exchange or the repository listing."),
    step(212, "ERR_ORAS_PULL_UNAUTHORIZED", "Token refused, token lacks read permission, or login failed."),
    step(
        213,
        "ERR_LOOKUP_DISABLE_KUBELET_SERVING_CERTIFICATE_ROTATION_TAG",
        "Tag lookup for the serving-certificate opt-out failed.",
    ),
    step(214, "ERR_CLEANUP_CONTAINER_IMAGES", "Install mode could not be determined."),
    reference(215, "ERR_DNS_HEALTH_FAIL", "DNS health check failed."),
    step_or_service(
        216,
        "ERR_LOCALDNS_FAIL",
        "Local DNS could not be configured or started; also the exit code of the local DNS service for start-up, readiness or repeated health-check failure.",
    ),
    service(217, "ERR_LOCALDNS_COREFILE_NOTFOUND", "No corefile and none could be regenerated."),
    service(218, "ERR_LOCALDNS_SLICEFILE_NOTFOUND", "Slice unit file missing or empty."),
    service(219, "ERR_LOCALDNS_BINARY_ERR", "coredns binary missing, not executable or not runnable."),
    step(220, "ERR_SECURE_TLS_BOOTSTRAP_ENABLE_FAILURE", "The secure TLS bootstrap unit could not be enabled."),
    service(223, "ERR_CLOUD_INIT_FAILED", "cloud-init ended with a fatal error."),
    step(
        224,
        "ERR_NVIDIA_DRIVER_INSTALL",
        "Driver-skip tag could not be evaluated, or the GRID v20 driver was requested on an OS other than Ubuntu.",
    ),
    reference(225, "ERR_NVIDIA_GPG_KEY_DOWNLOAD_TIMEOUT", "NVIDIA repository key could not be fetched."),
    reference(226, "ERR_NVIDIA_AZURELINUX_REPO_FILE_DOWNLOAD_TIMEOUT", "NVIDIA repository file could not be fetched."),
    step(227, "ERR_MANAGED_NVIDIA_EXP_INSTALL_FAIL", "A managed GPU package is not in the image cache."),
    reference(228, "ERR_NVIDIA_DCGM_FAIL", "DCGM service did not start."),
    reference(229, "ERR_NVIDIA_DCGM_EXPORTER_FAIL", "Managed GPU services failed to start."),
    step(
        230,
        "ERR_LOOKUP_ENABLE_MANAGED_GPU_EXPERIENCE_TAG",
        "Tag lookup for managed GPU failed (practically unreachable, see 213).",
    ),
    step(231, "ERR_ORAS_PULL_SYSEXT_FAIL", "A system extension image could not be found or pulled."),
    step(232, "ERR_SYSEXT_VERSION_ID_NOT_FOUND", "VERSION_ID missing from os-release."),
    step(233, "ERR_PULL_POD_INFRA_CONTAINER_IMAGE", "The pause image could not be determined, pulled or imported."),
    step(234, "ERR_IMDS_FETCH_FAILED", "Instance metadata could not be fetched or is not JSON."),
    step(235, "ERR_NVIDIA_DCGM_INSTALL", "Managed GPU packages could not be installed from the cache."),
    row(
        &[Ender::Controller],
        240,
        "ERR_AKS_NODE_CONTROLLER_ERROR",
        "The controller failed: it could not run the scripts, or they left no result.",
    ),
    reference(241, "ERR_AZNFS_RPM_DOWNLOAD_TIMEOUT", "aznfs package download timed out."),
    reference(242, "ERR_AZNFS_INSTALL_FAIL", "aznfs package could not be installed."),
    step(243, "ERR_SECONDARY_NIC_CONFIG_FAIL", "Secondary network interfaces could not be configured."),
    step(
        244,
        "ERR_NODE_FILE_WRITE_FAIL",
        "A file of the node could not be written, or the base64 that it comes from is broken.",
    ),
    step(
        245,
        "ERR_NODE_INPUT_INVALID",
        "A variable that the steps need is missing or malformed; all of them are named.",
    ),
    row(
        &[Ender::Controller],
        246,
        "ERR_NODE_NOT_READY",
        "The scripts succeeded, but the node did not become Ready in time (provision-wait --ready=require).",
    ),
];
