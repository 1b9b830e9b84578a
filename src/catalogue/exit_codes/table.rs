//! The rows, by code.

use super::{CONTROLLER_FAILED, ExitCode, NODE_NOT_READY, cause, check};
use super::{bootstrap_script, controller, reference, service, shell, step, step_or_service};

/// For downloads that fail long before the step that checks outbound access.
const EGRESS: &str = "It usually means that the node has no outbound access (50), which a later step checks.";

/// By code. Numbers and names are the reference's up to 243; 244 to 246 are ours. rustfmt leaves rows with long texts alone.
pub static EXIT_CODES: &[ExitCode] = &[
    shell(1, "generic failure", "A program, or the one that ran the scripts, failed without a specific code.")
        .stage("any")
        .causes(&[
            "The code of the scripts is in ExitCode of the result: provision-wait and Azure may show 1 for every failure",
            "The setup for the cloud failed: its certificates or package repositories",
            "The controller has no input, or an invalid one",
        ])
        .checks(&[
            "Read the code of the scripts: `jq -r .ExitCode,.Error /var/log/azure/aks/provision.json`",
            check::LOG,
            check::CONTROLLER_LOG,
        ])
        .misleading(&["1 is rarely the code of the cause itself."])
        .rare_causes(&[
            cause::UNKNOWN_FLAG,
            cause::KERNEL_SETTINGS,
            cause::TOKEN,
            cause::NO_DNS,
            cause::OLD_IMAGE,
            cause::KUBELET_ENDS,
        ]),
    reference(2, "ERR_SYSTEMCTL_MASK_FAIL", "A unit could not be masked.")
        .stage("image build; installation of packages")
        .causes(&[
            "Provisioning reached its time limit while a package was installed",
            "systemd failed to mask a unit",
        ])
        .checks(&[
            "See which steps took long: `grep -E \"[0-9]+ ms\" /var/log/azure/cluster-provision.log`",
            check::PACKAGE_LOG,
        ])
        .misleading(&["2 also means that no time was left, usually because a blocked download in an earlier step used it."]),
    reference(3, "ERR_SYSTEMCTL_ENABLE_FAIL", "A unit could not be enabled."),
    step(4, "ERR_SYSTEMCTL_START_FAIL", "A required unit could not be started or enabled, or containerd is in the failed state at the pre-kubelet health check.")
        .stage("basePrep: ensureDHCPv6, ensureContainerd, configPrivateClusterHosts, configureTransparentHugePage; nodePrep: ensureGPUDrivers, checkContainerd, ensureNoDupOnPromiscuBridge, configureUnattendedUpgrades")
        .causes(&[cause::CONTAINERD_CONFIG, cause::DISK_FULL, cause::OLD_IMAGE, "A unit that it depends on has failed"])
        .checks(&[
            check::REASON,
            check::CONTAINERD_LOG,
            check::CONTAINERD_CHECK,
            check::DISK,
            "List failed units: `systemctl --failed`",
        ])
        .misleading(&["Error names the unit: it is not always containerd."]),
    reference(5, "ERR_CLOUD_INIT_TIMEOUT", "Reserved for waiting on cloud-init's run commands."),
    step(6, "ERR_FILE_WATCH_TIMEOUT", "The helper script was not complete within 120 s (missing, empty or without its end mark), or the containerd config could not be decoded.")
        .stage("start of provision.sh; basePrep: ensureContainerd")
        .causes(&[
            "CustomData did not deliver the scripts: it was truncated, or encoded or compressed twice",
            cause::DISK_FULL,
            "CONTAINERD_CONFIG_CONTENT is empty or not base64",
        ])
        .checks(&[
            check::REASON,
            "Look for the end mark: `tail -n 1 /opt/azure/containers/provision_source.sh`",
            "See what cloud-init wrote: `cloud-init status --long; grep -i write_files /var/log/cloud-init.log`",
            check::DISK,
        ])
        .misleading(&["Despite \"timeout\" in the name, nothing was slow: a file is missing or incomplete."])
        .rare_causes(&[cause::CONTAINERD_CONFIG, cause::OLD_IMAGE]),
    step(7, "ERR_HOLD_WALINUXAGENT", "The walinuxagent package could not be put on hold.")
        .stage("basePrep: holdWALinuxAgent")
        .causes(&[cause::LOCKED, "The package database is damaged"])
        .checks(&[check::LOCK_HOLDER, "Check the database: `dpkg --audit`"])
        .misleading(&["The lock is usually held by an update that runs at boot (unattended-upgrades, apt-daily)."]),
    step(8, "ERR_RELEASE_HOLD_WALINUXAGENT", "The hold could not be removed.")
        .stage("nodePrep: releaseWALinuxAgent")
        .causes(&[cause::LOCKED])
        .checks(&[
            "See the hold: `dpkg --get-selections walinuxagent`",
            "Remove it: `apt-mark unhold walinuxagent`",
            check::LOCK_HOLDER,
        ])
        .misleading(&["The node works, but the guest agent is not upgraded."]),
    step(9, "ERR_APT_INSTALL_TIMEOUT", "A package could not be downloaded, installed or unpacked (apt, dnf or tdnf).")
        .stage("basePrep: installTools, installDeps; nodePrep: ensureGPUDrivers")
        .causes(cause::PACKAGE)
        .checks(&[
            check::PACKAGE_LOG,
            "Reach the repository: `curl -sSI https://packages.microsoft.com/`",
            check::LOCK_HOLDER,
            check::DISK,
        ])
        .misleading(&[EGRESS])
        .rare_causes(&[cause::NO_DNS, cause::KEY_EXPIRED, cause::OLD_IMAGE]),
    step(10, "ERR_MISSING_CUDA_PACKAGE", "No GPU driver package or extension fits the running kernel or VM size.")
        .stage("nodePrep: ensureGPUDrivers")
        .causes(&[
            "No driver for a kernel this new has been published",
            "The VM size has no known GPU",
        ])
        .checks(&[
            "Compare: `uname -r; dnf list --showduplicates \"cuda*\"`",
            "See the size: `jq -r .compute.vmSize /opt/azure/containers/imds_instance_metadata_cache.json`",
        ]),
    reference(20, "ERR_DOCKER_INSTALL_TIMEOUT", "Belonged to the Docker runtime: Docker install failed."),
    reference(21, "ERR_DOCKER_DOWNLOAD_TIMEOUT", "Belonged to the Docker runtime: Docker download failed."),
    reference(22, "ERR_DOCKER_KEY_DOWNLOAD_TIMEOUT", "Belonged to the Docker runtime: Docker repository key download failed."),
    reference(23, "ERR_DOCKER_APT_KEY_TIMEOUT", "Belonged to the Docker runtime: adding the Docker apt key failed."),
    reference(24, "ERR_DOCKER_START_FAIL", "Belonged to the Docker runtime: starting Docker failed."),
    reference(25, "ERR_MOBY_APT_LIST_TIMEOUT", "The Microsoft package list could not be fetched or copied.")
        .image_build(&[cause::BLOCKED, "/etc/apt is not writable"]),
    reference(26, "ERR_MS_GPG_KEY_DOWNLOAD_TIMEOUT", "The Microsoft signing key could not be fetched or installed.")
        .image_build(&[cause::BLOCKED, cause::UNTRUSTED]),
    reference(27, "ERR_MOBY_INSTALL_TIMEOUT", "Old Docker engine install."),
    step(28, "ERR_CONTAINERD_INSTALL_TIMEOUT", "containerd could not be removed, downloaded or installed.")
        .stage("basePrep: installContainerRuntime")
        .causes(&[
            "CONTAINERD_PACKAGE_URL does not name a package for this operating system",
            cause::NO_VERSION,
            cause::LOCKED,
            cause::NO_REPOSITORY,
        ])
        .checks(&[
            check::REASON,
            check::PACKAGE_LOG,
            check::LOCK_HOLDER,
            "See what is installed: `containerd --version`",
        ])
        .rare_causes(&[cause::NO_DNS, cause::BLOCKED, cause::CONTAINERD_CONFIG]),
    step(29, "ERR_RUNC_INSTALL_TIMEOUT", "runc could not be installed.")
        .stage("basePrep: installRunc")
        .causes(&["RUNC_PACKAGE_URL does not name a package for this operating system", cause::LOCKED])
        .checks(&[check::REASON, check::PACKAGE_LOG, check::LOCK_HOLDER])
        .rare_causes(&[cause::NO_DNS]),
    reference(30, "ERR_K8S_RUNNING_TIMEOUT", "Cluster did not answer cluster-info in time."),
    step(31, "ERR_K8S_DOWNLOAD_TIMEOUT", "The Kubernetes node binaries archive could not be downloaded or is not a valid archive.")
        .stage("basePrep: configureKubeletAndKubectl")
        .causes(cause::DOWNLOAD)
        .checks(check::DOWNLOAD)
        .misleading(&[EGRESS])
        .rare_causes(&[cause::OLD_IMAGE]),
    reference(32, "ERR_KUBECTL_NOT_FOUND", "kubectl missing on disk."),
    reference(33, "ERR_IMG_DOWNLOAD_TIMEOUT", "Image download timed out."),
    step(34, "ERR_KUBELET_START_FAIL", "The kubelet could not be queued for start or enabled, daemon-reload failed, or the reserved-cgroup hierarchy could not be created. Also: the kubelet does not keep running, or does not get a client certificate in time.")
        .stage("basePrep: ensureContainerd (reserved memory); nodePrep: configureKubelet, ensureKubelet, checkKubelet")
        .causes(&[
            cause::KUBELET_ENDS,
            cause::TOKEN,
            "/opt/bin/kubelet is missing",
            "Memory is reserved on a machine with cgroup v1",
        ])
        .checks(&[
            check::REASON,
            check::KUBELET_LOG,
            "See its flags: `cat /etc/default/kubelet; systemctl cat kubelet`",
            "See the version of the control groups: `stat -fc %T /sys/fs/cgroup`",
        ])
        .misleading(&["A kubelet that cannot reach the API server or authenticate to it looks like a kubelet that does not \
            start."])
        .rare_causes(&[cause::NO_NIC_ADDRESS, cause::UNKNOWN_FLAG, cause::BAD_VALUE, cause::RESERVED, cause::MAY_NOT_ASK, cause::NOT_APPROVED,
            cause::KERNEL_SETTINGS, cause::OLD_IMAGE]),
    reference(35, "ERR_DOCKER_IMG_PULL_TIMEOUT", "Docker image pull timed out."),
    reference(36, "ERR_CONTAINERD_CTR_IMG_PULL_TIMEOUT", "Image pull with the containerd client timed out.")
        .image_build(&[cause::BLOCKED, cause::SLOW]),
    reference(37, "ERR_CONTAINERD_CRICTL_IMG_PULL_TIMEOUT", "Image pull through crictl timed out.")
        .image_build(&[cause::BLOCKED, cause::SLOW]),
    reference(38, "ERR_CONTAINERD_INSTALL_FILE_NOT_FOUND", "containerd package file not found."),
    step(39, "ERR_CONTAINERD_VERSION_INVALID", "The component list has no usable containerd (or CNI) version.")
        .stage("basePrep: installContainerRuntime")
        .causes(&["The image's component list is damaged, or has no version of containerd for this operating system"])
        .checks(&["See the entry: `jq .containerd /opt/azure/components.json`"]),
    step(41, "ERR_CNI_DOWNLOAD_TIMEOUT", "CNI plugin archive could not be downloaded.")
        .stage("basePrep: installNetworkPlugin")
        .causes(cause::DOWNLOAD)
        .checks(check::DOWNLOAD)
        .misleading(&[EGRESS])
        .rare_causes(&[cause::OLD_IMAGE]),
    step(42, "ERR_MS_PROD_DEB_DOWNLOAD_TIMEOUT", "The Microsoft repository package could not be downloaded.")
        .stage("basePrep: installDeps")
        .causes(&[cause::BLOCKED, "No repository exists for this release of the operating system", cause::NO_DNS])
        .checks(&[check::REASON, check::FETCH, "See the release: `grep VERSION /etc/os-release`"])
        .misleading(&[EGRESS])
        .rare_causes(&[cause::KEY_EXPIRED]),
    step(43, "ERR_MS_PROD_DEB_PKG_ADD_FAIL", "The Microsoft repository package could not be installed.")
        .stage("basePrep: installDeps")
        .causes(&[cause::LOCKED, "The package is damaged"])
        .checks(&[check::PACKAGE_LOG, check::LOCK_HOLDER])
        .rare_causes(&[cause::KEY_EXPIRED]),
    reference(44, "ERR_FLEXVOLUME_DOWNLOAD_TIMEOUT", "Flexvolume driver download."),
    reference(45, "ERR_ORAS_DOWNLOAD_ERROR", "The oras tool could not be downloaded.").image_build(&[cause::BLOCKED]),
    reference(48, "ERR_SYSTEMD_INSTALL_FAIL", "Required systemd version could not be installed."),
    step(49, "ERR_MODPROBE_FAIL", "A kernel module could not be loaded (br_netfilter, nf_conntrack, ip6_tables), or stale module deny rules could not be removed.")
        .stage("basePrep: configureCNI, ensureDHCPv6, mitigateModules")
        .causes(&[
            cause::KERNEL_CHANGED,
            "A file in /etc/modprobe.d denies the module",
            "The kernel does not have the module",
        ])
        .checks(&[
            check::REASON,
            "Load it by hand: `modprobe -v br_netfilter && modprobe -v nf_conntrack`",
            "Compare: `uname -r; ls /lib/modules`",
            "Find the rule that denies it: `grep -rE \"br_netfilter|nf_conntrack|ip6_tables\" /etc/modprobe.d`",
        ])
        .rare_causes(&[cause::SECURE_BOOT]),
    step(50, "ERR_OUTBOUND_CONN_FAIL", "The outbound probe command never succeeded (20 tries, 15 s each, 1 s apart).")
        .stage("nodePrep: checkOutbound")
        .causes(&[cause::BLOCKED, cause::NO_DNS, cause::PROXY, cause::UNTRUSTED])
        .checks(&[
            "Run the probe by hand: `curl -v https://mcr.microsoft.com/v2/` (any answer is good)",
            "Read its output: `tail -n 40 /var/log/azure/cluster-provision-cse-output.log`",
            "Resolve the name: `nslookup mcr.microsoft.com`",
            "Let AKS check: `az aks check-network outbound -g GROUP -n CLUSTER`",
            "See rules and routes: `az network nic list-effective-nsg --ids NIC_ID; az network nic show-effective-route-table --ids NIC_ID`",
        ])
        .misleading(&["A node without DNS also ends with 50, because the probe resolves a public name."])
        .rare_causes(&[cause::OLD_IMAGE]),
    step(51, "ERR_K8S_API_SERVER_CONN_FAIL", "TCP/TLS connection to the API server failed: HTTPS probe for a name, port probe for an address.")
        .stage("nodePrep: checkApiServer")
        .causes(&[
            cause::API_BLOCKED,
            "The API server's authorized IP ranges do not include the node's address",
            cause::CLUSTER_STOPPED,
            "The traffic goes through the proxy, because NO_PROXY does not contain the API server",
        ])
        .checks(&[
            "Read its name: `jq -r .Error /var/log/azure/aks/provision.json`",
            "Reach it: `curl -v --cacert /etc/kubernetes/certs/ca.crt https://API_SERVER/healthz` (401 is good)",
            "See the authorized IP ranges and the state: `az aks show -g GROUP -n CLUSTER --query \"{ranges:apiServerAccessProfile, power:powerState}\"`",
            "See the proxy: `env | grep -i proxy; grep -i proxy /etc/environment`",
        ])
        .misleading(&[
            "The API server itself is rarely the cause; it is usually the network on the way to it.",
            "\"Connection to mcr.microsoft.com succeeded\" in the output is from the check before this one.",
        ])
        .rare_causes(&[cause::OLD_IMAGE]),
    step(52, "ERR_K8S_API_SERVER_DNS_LOOKUP_FAIL", "API server name did not resolve and the last resolver was not Azure's.")
        .stage("nodePrep: checkApiServer")
        .causes(&[cause::ZONE_NOT_FORWARDED, cause::ZONE_NOT_LINKED, cause::NO_RECORD, cause::NO_DNS_SERVER])
        .checks(&[
            "See which DNS server answers: `nslookup API_SERVER; cat /run/systemd/resolve/resolv.conf`",
            "Compare with Azure: `nslookup API_SERVER 168.63.129.16`",
            "List the links: `az network private-dns link vnet list -g NODE_GROUP -z ZONE -o table`",
        ])
        .misleading(&["After a cluster was stopped and started, its public DNS record takes minutes to return."]),
    step(53, "ERR_K8S_API_SERVER_AZURE_DNS_LOOKUP_FAIL", "API server name did not resolve although the query went to 168.63.129.16.")
        .stage("nodePrep: checkApiServer")
        .causes(&[cause::ZONE_NOT_LINKED, cause::NO_RECORD])
        .checks(&[
            "Ask Azure: `nslookup API_SERVER 168.63.129.16`",
            "List the links: `az network private-dns link vnet list -g NODE_GROUP -z ZONE -o table`",
            "See the state of the cluster: `az aks show -g GROUP -n CLUSTER --query \"{power:powerState.code, state:provisioningState}\"`",
        ]),
    reference(60, "ERR_KATA_KEY_DOWNLOAD_TIMEOUT", "Kata repository key download timed out."),
    reference(61, "ERR_KATA_APT_KEY_TIMEOUT", "Kata apt key timed out."),
    reference(62, "ERR_KATA_INSTALL_TIMEOUT", "Kata install timed out."),
    step(65, "ERR_VHD_FILE_NOT_FOUND", "The node claims to be a prepared image but the image build log is missing.")
        .stage("basePrep: checkInstallMode")
        .causes(&[
            "The image is not an AKS image, but IS_VHD is true",
            "/opt/azure/vhd-install.complete was removed from the image",
        ])
        .checks(&[
            "Look for the build log: `ls -l /opt/azure/vhd-install.complete`",
            "Use IS_VHD=false (`is_vhd: false`) for other images",
        ])
        .misleading(&["Azure's error VHDFileNotFound often hides 124: provisioning was stopped, usually for lack of network access."]),
    step(70, "ERR_CONTAINERD_DOWNLOAD_TIMEOUT", "containerd override package could not be downloaded.")
        .stage("basePrep: installContainerRuntime")
        .causes(cause::DOWNLOAD)
        .checks(check::DOWNLOAD)
        .misleading(&[EGRESS]),
    step(71, "ERR_RUNC_DOWNLOAD_TIMEOUT", "runc override package could not be downloaded.")
        .stage("basePrep: installRunc")
        .causes(cause::DOWNLOAD)
        .checks(check::DOWNLOAD)
        .misleading(&[EGRESS]),
    step_or_service(80, "ERR_CUSTOM_SEARCH_DOMAINS_FAIL", "Joining the custom search domain failed.")
        .stage("basePrep: joinCustomSearchDomain; setup-custom-search-domains.sh")
        .causes(&[
            "The user name or the password for the realm is wrong",
            "The domain controller cannot be reached, or its name does not resolve",
            "realmd or sssd cannot be installed",
        ])
        .checks(&[
            "Read its log: `tail -n 50 /opt/azure/containers/setup-custom-search-domains.log`",
            "Find the realm: `realm discover DOMAIN; realm list`",
            check::RESOLVE,
        ]),
    reference(83, "ERR_GPU_DOWNLOAD_TIMEOUT", "GPU driver download timed out."),
    step(84, "ERR_GPU_DRIVERS_START_FAIL", "GPU driver set-up failed: image pull or install, module load, nvidia-smi, ldconfig, fabric manager, modprobe service or CDI drop-in.")
        .stage("nodePrep: ensureGPUDrivers, configureFabricManager")
        .causes(&[
            "The driver image cannot be pulled: the registry cannot be reached, or the version does not exist",
            cause::SECURE_BOOT,
            "The kernel headers for building the module are missing",
            cause::GPU_DEFECTIVE,
        ])
        .checks(&[
            check::REASON,
            check::GPU_LOG,
            "Try the driver: `nvidia-smi; modprobe -v nvidia`",
            check::MOK_STATE,
            "See the state of the build: `dkms status; ls /var/lib/dkms/nvidia`",
        ])
        .misleading(&["A driver is often missing because its image could not be pulled (50)."])
        .rare_causes(&[cause::NO_DNS, cause::GPU_MODULE, cause::CONTAINERD_CONFIG, cause::OLD_IMAGE]),
    step(85, "ERR_GPU_DRIVERS_INSTALL_TIMEOUT", "containerd did not restart after the driver install.")
        .stage("nodePrep: ensureGPUDrivers")
        .causes(&[
            "The NVIDIA runtime is not installed, but containerd's configuration names it",
            cause::CONTAINERD_CONFIG,
        ])
        .checks(&[
            check::CONTAINERD_LOG,
            check::CONTAINERD_CHECK,
            "Look for the runtime: `ls -l /usr/bin/nvidia-container-runtime`",
        ])
        .misleading(&["The driver itself is installed, but containerd does not start with it."])
        .rare_causes(&[cause::SECURE_BOOT]),
    step(86, "ERR_GPU_DEVICE_PLUGIN_START_FAIL", "The device plugin service did not start.")
        .stage("nodePrep: configureManagedGPUExperience")
        .causes(&["The driver is not loaded", cause::OLD_IMAGE])
        .checks(&[
            "Read why: `journalctl --unit=nvidia-device-plugin --boot --no-pager --lines=50`",
            "Try the driver: `nvidia-smi`",
        ]),
    step(87, "ERR_GPU_INFO_ROM_CORRUPTED", "nvidia-smi reports a corrupted info ROM.")
        .stage("nodePrep: ensureGPUDrivers")
        .causes(&["The GPU is defective: its info ROM is corrupted"])
        .checks(&[
            "Move to other hardware: `az vmss deallocate -g NODE_GROUP -n SCALE_SET --instance-ids ID`, then start it",
            check::GPU_LOG,
        ])
        .misleading(&["A reimage leaves the machine on the same hardware."])
        .rare_causes(&[cause::GPU_DEFECTIVE]),
    reference(90, "ERR_SGX_DRIVERS_INSTALL_TIMEOUT", "SGX prerequisites failed."),
    reference(91, "ERR_SGX_DRIVERS_START_FAIL", "SGX driver start failed."),
    step(95, "ERR_AMDAMA_DRIVER_NOT_FOUND", "No AMD AMA driver or firmware package for the kernel.")
        .stage("nodePrep: setupAmdAma")
        .causes(&["No driver package exists for this kernel", "The system is not Azure Linux"])
        .checks(&["Compare: `uname -r; dnf list --showduplicates amd-ama-driver`"]),
    step(96, "ERR_AMDAMA_INSTALL_FAIL", "An AMD AMA package could not be installed.")
        .stage("nodePrep: setupAmdAma")
        .causes(cause::PACKAGE)
        .checks(&[check::PACKAGE_LOG, "Try it: `dnf install amd-ama-driver`"]),
    reference(98, "ERR_APT_DAILY_TIMEOUT", "Waiting for the daily apt job."),
    step(99, "ERR_APT_UPDATE_TIMEOUT", "apt index refresh failed: non-zero exit or any warning/error line in its output, 10 tries; also dnf makecache.")
        .stage("basePrep: installDeps, installContainerRuntime")
        .causes(&[
            "A package repository cannot be reached: a firewall, network security group or route table blocks the traffic",
            cause::KEY_EXPIRED,
            "A line that begins with `W:` or `Err:` is a failure, even for a repository that is not needed",
            cause::CLOCK,
        ])
        .checks(&[
            "Refresh by hand: `apt-get update`",
            check::PACKAGE_LOG,
            "List the repositories: `ls /etc/apt/sources.list /etc/apt/sources.list.d`",
        ])
        .misleading(&[EGRESS])
        .rare_causes(&[cause::NO_DNS, cause::BLOCKED]),
    bootstrap_script(100, "ERR_CSE_PROVISION_SCRIPT_NOT_READY_TIMEOUT", "provision.sh was not complete after 20 minutes.")
        .stage("script in CustomData")
        .causes(&[
            "CustomData did not deliver provision.sh: it was truncated, or cloud-init failed",
            "The image is not an AKS image and has no provision.sh",
        ])
        .checks(&[
            "Look for it: `ls -l /opt/azure/containers/provision.sh`",
            "See the errors of cloud-init: `cloud-init status --long; grep -E \"ERROR|WARNING\" /var/log/cloud-init.log | tail`",
        ])
        .misleading(&["The script waits for 20 minutes first, so Azure may show a timeout instead."]),
    reference(101, "ERR_APT_DIST_UPGRADE_TIMEOUT", "Distribution upgrade failed.")
        .image_build(&[cause::BLOCKED, cause::LOCKED]),
    reference(102, "ERR_APT_PURGE_FAIL", "Package purge failed."),
    step(103, "ERR_SYSCTL_RELOAD", "Applying sysctl settings or transparent huge page settings failed.")
        .stage("basePrep: ensureContainerd, configureTransparentHugePage, ensureSysctl; nodePrep: setupAmdAma")
        .causes(&[
            "The kernel rejects a value of the custom settings",
            "A setting belongs to a module that is not loaded",
            "A variable is malformed",
        ])
        .checks(&[
            check::REASON,
            "Apply by hand: `sysctl --system 2>&1 | grep -iv applying`",
            "See the settings: `cat /etc/sysctl.d/999-sysctl-aks.conf`",
            "See the modules: `lsmod | grep -E \"br_netfilter|nf_conntrack\"`",
        ]),
    reference(111, "ERR_CIS_ASSIGN_ROOT_PW", "Setting a random root password failed.")
        .image_build(&["Python has no module for password hashes"]),
    reference(112, "ERR_CIS_ASSIGN_FILE_PERMISSION", "Setting file permissions for CIS failed.")
        .image_build(&["A file is missing"]),
    reference(113, "ERR_PACKER_COPY_FILE", "Copying a file into the image failed.")
        .image_build(&["A file is missing", cause::DISK_FULL]),
    reference(115, "ERR_CIS_APPLY_PASSWORD_CONFIG", "Applying the CIS password policy failed.")
        .image_build(&["The file of the password policy is not writable"]),
    reference(116, "ERR_SYSTEMD_DOCKER_STOP_FAIL", "Docker could not be stopped."),
    reference(117, "ERR_CRICTL_DOWNLOAD_TIMEOUT", "crictl download failed.").image_build(&[cause::BLOCKED]),
    reference(118, "ERR_CRICTL_OPERATION_ERROR", "A crictl operation failed."),
    step(119, "ERR_CTR_OPERATION_ERROR", "containerd was not ready when images had to be re-tagged.")
        .stage("basePrep: retagImages")
        .causes(&["containerd does not answer", cause::CONTAINERD_CONFIG])
        .checks(&[check::CONTAINERD_LOG, check::CONTAINERD_CHECK, check::DISK]),
    reference(120, "ERR_INVALID_CLI_TOOL", "Unknown image CLI tool."),
    step(121, "ERR_KUBELET_INSTALL_FAIL", "kubelet could not be installed from a package.")
        .stage("basePrep: configureKubeletAndKubectl")
        .causes(&[cause::NO_VERSION, cause::NO_REPOSITORY, cause::OLD_IMAGE])
        .checks(&[
            "List the versions: `apt-cache madison kubelet` or `dnf list --showduplicates kubelet`",
            "See the packages of the image: `ls /opt/*/downloads /opt/bin`",
            check::PACKAGE_LOG,
        ])
        .misleading(&[EGRESS])
        .rare_causes(&[cause::NO_DNS, cause::KEY_EXPIRED, cause::BLOCKED]),
    step(122, "ERR_KUBECTL_INSTALL_FAIL", "kubectl could not be installed from a package.")
        .stage("basePrep: configureKubeletAndKubectl")
        .causes(&[cause::NO_VERSION, cause::NO_REPOSITORY, cause::OLD_IMAGE])
        .checks(&[
            "List the versions: `apt-cache madison kubectl` or `dnf list --showduplicates kubectl`",
            "See the packages of the image: `ls /opt/*/downloads /opt/bin`",
            check::PACKAGE_LOG,
        ])
        .misleading(&[EGRESS])
        .rare_causes(&[cause::NO_DNS, cause::KEY_EXPIRED, cause::BLOCKED]),
    step(123, "ERR_ENABLE_MANAGED_GPU_EXPERIENCE", "Managed GPU set-up failed, or plugin mode and DRA mode were requested together.")
        .stage("nodePrep: configureManagedGPUExperience")
        .causes(&["The device plugin and the DRA driver are both enabled, but exclude each other"])
        .checks(&[check::REASON, "Set one of ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED and ENABLE_MANAGED_GPU_DRA to false"]),
    shell(124, "timeout", "Provisioning was stopped at its time limit (CSE_TIMEOUT, 15 minutes by default).")
        .stage("any")
        .causes(&[
            "A download or a DNS lookup was retried until the time limit, because the network blocks it",
            cause::LOCKED,
            "The disk is slow: a small OS disk that is throttled, or a VM size without a disk cache",
            "A service that provisioning waited for did not start",
        ])
        .checks(&[
            check::LOG,
            "See which steps took long: `grep -E \"[0-9]{5,} ms\" /var/log/azure/cluster-provision.log`",
            "See the events: `grep -h TaskName /var/log/azure/Microsoft.Azure.Extensions.CustomScript/events/*.json | tail`",
            check::LOCK_HOLDER,
        ])
        .misleading(&["The cause is never the time limit, but the step that was running: usually a blocked download (50)."])
        .rare_causes(&[
            cause::UNKNOWN_FLAG,
            cause::TOKEN,
            cause::NO_DNS,
            cause::KEY_EXPIRED,
            cause::BLOCKED,
            cause::OLD_IMAGE,
        ]),
    reference(125, "ERR_VHD_BUILD_ERROR", "Reserved for image build checks.")
        .stage("start of the scripts")
        .causes(&[cause::BAD_TIMEOUT])
        .checks(&["Read its output: `tail -n 20 /var/log/azure/cluster-provision-cse-output.log`", check::LOG])
        .misleading(&["No script has run, so the log is empty."]),
    shell(126, "not executable", "The shell found a script that it could not execute.")
        .stage("start of the scripts")
        .causes(&["The script has the wrong mode", "/opt is mounted with noexec"])
        .checks(&["See modes and mounts: `ls -l /opt/azure/containers; findmnt -T /opt`"]),
    shell(127, "not found", "The shell did not find a command or a script.")
        .stage("start of the scripts; any step")
        .causes(&[
            "The scripts are not on the machine: CustomData did not deliver them, and the image does not contain them",
            "A command is missing on a minimal system: jq, curl, iptables",
        ])
        .checks(&[
            "Look for them: `ls -l /opt/azure/containers`",
            "See which command was not found: `grep \"not found\" /var/log/azure/cluster-provision.log`",
        ])
        .rare_causes(&[cause::OLD_IMAGE]),
    step(128, "ERR_NODE_EXPORTER_START_FAIL", "The node metrics exporter could not be started.")
        .stage("nodePrep: configureNodeExporter")
        .causes(&[cause::OLD_IMAGE, "Port 19100 is in use"])
        .checks(&[
            "Read why: `journalctl --unit=node-exporter --boot --no-pager --lines=20`",
            "See the port: `ss -lntp \"sport = :19100\"`",
        ])
        .misleading(&["128 + n also means that signal n ended provisioning; Error then names the signal."]),
    step(129, "ERR_DRA_DRIVER_START_FAIL", "The GPU DRA driver service did not start.")
        .stage("nodePrep: startDraDriver")
        .causes(&["The node has not registered yet", cause::OLD_IMAGE])
        .checks(&[
            "Read why: `journalctl --unit=dra-driver-nvidia-gpu --boot --no-pager --lines=50`",
            check::KUBELET_LOG,
        ])
        .misleading(&["129 also means that SIGHUP ended provisioning; Error then names the signal."]),
    step(130, "ERR_SWAP_CREATE_FAIL", "The swap file could not be created, activated or made persistent.")
        .stage("basePrep: configureSwapFile")
        .causes(&["The file system does not support swap files", "/etc/fstab cannot be written"])
        .checks(&[check::REASON, "See the swap space and the mounts: `swapon --show; findmnt -T /mnt; cat /etc/fstab`"])
        .misleading(&["130 also means that SIGINT ended provisioning; Error then names the signal."]),
    step(131, "ERR_SWAP_CREATE_INSUFFICIENT_DISK_SPACE", "Neither the resource disk nor the OS disk has space for the swap file.")
        .stage("basePrep: configureSwapFile")
        .causes(&["The swap file is larger than the free space on the resource disk and on the OS disk"])
        .checks(&[check::REASON, "See the free space: `df -h / /mnt`"]),
    shell(137, "killed", "Provisioning was killed.")
        .stage("any")
        .causes(&[cause::OUT_OF_MEMORY, "Provisioning did not end at its time limit, and was killed"])
        .checks(&[check::KILLER, check::LOG])
        .misleading(&["After the time limit it means the same as 124: the cause is the step that was running."]),
    shell(143, "terminated", "Provisioning was terminated from outside.")
        .stage("any")
        .causes(&[
            "The machine was shut down or rebooted during provisioning, or deallocated by an autoscaler",
            "The unit was stopped by hand",
        ])
        .checks(&[
            "See the boots: `journalctl --list-boots; journalctl --boot=-1 --no-pager --lines=50`",
            "See who stopped the machine: `az monitor activity-log list -g NODE_GROUP --offset 2h -o table`",
        ]),
    reference(152, "ERR_ARTIFACT_STREAMING_DOWNLOAD", "Artifact streaming packages could not be downloaded.")
        .image_build(&[cause::BLOCKED]),
    step(153, "ERR_ARTIFACT_STREAMING_INSTALL", "Artifact streaming services could not be enabled, or containerd was not ready.")
        .stage("basePrep: ensureArtifactStreaming")
        .causes(&[cause::OLD_IMAGE, "The kernel lacks the module target_core_user", "containerd does not answer"])
        .checks(&[
            check::REASON,
            "See the services: `systemctl status acr-mirror overlaybd-tcmu overlaybd-snapshotter --no-pager`",
            check::CONTAINERD_LOG,
        ]),
    reference(154, "ERR_ARTIFACT_STREAMING_ACR_NODEMON_START_FAIL", "acr-nodemon did not start."),
    reference(160, "ERR_HTTP_PROXY_CA_CONVERT", "Proxy CA could not be converted."),
    step(161, "ERR_UPDATE_CA_CERTS", "Proxy CA or custom CAs could not be written or the trust store update failed.")
        .stage("basePrep: configureHTTPProxyCA, configureCustomCaCertificate")
        .causes(&["The certificate is not base64 of PEM text", "The trust store cannot be written", cause::OLD_IMAGE])
        .checks(&[
            check::REASON,
            "Decode it: `base64 -d FILE | openssl x509 -noout -subject -enddate`",
            "See the service: `journalctl --unit=update_certs --boot --no-pager --lines=20`",
        ]),
    step(169, "ERR_SECURE_TLS_BOOTSTRAP_CLIENT_DOWNLOAD_ERROR", "Custom secure TLS bootstrap client could not be downloaded or installed.")
        .stage("basePrep: installSecureTLSBootstrapClient")
        .causes(cause::DOWNLOAD)
        .checks(check::DOWNLOAD)
        .misleading(&[EGRESS]),
    reference(170, "ERR_DISBALE_IPTABLES", "The iptables service could not be disabled (constant name is misspelt in the reference).")
        .image_build(&["The unit cannot be stopped"]),
    step(172, "ERR_DISABLE_SSH", "SSH could not be disabled.")
        .stage("basePrep: disableSSH")
        .causes(&["Another unit or socket starts SSH again"])
        .checks(&["See what starts it: `systemctl status ssh sshd --no-pager; systemctl list-sockets`"]),
    reference(173, "ERR_PRIMARY_NIC_IP_NOT_FOUND", "Primary NIC address not found."),
    reference(174, "ERR_INSERT_IMDS_RESTRICTION_RULE_INTO_MANGLE_TABLE", "Metadata restriction rule: insert into the mangle table failed."),
    reference(175, "ERR_INSERT_IMDS_RESTRICTION_RULE_INTO_FILTER_TABLE", "Metadata restriction rule: insert into the filter table failed."),
    reference(176, "ERR_DELETE_IMDS_RESTRICTION_RULE_FROM_MANGLE_TABLE", "Metadata restriction rule: delete from the mangle table failed."),
    reference(177, "ERR_DELETE_IMDS_RESTRICTION_RULE_FROM_FILTER_TABLE", "Metadata restriction rule: delete from the filter table failed."),
    step(178, "ERR_CONFIG_PUBKEY_AUTH_SSH", "Public-key login could not be switched off: service not startable, new config invalid, or reload failed.")
        .stage("basePrep: disableSSHPubkeyAuth")
        .causes(&["/etc/ssh/sshd_config of the image has errors", "The service is masked"])
        .checks(&[
            check::REASON,
            "Check the file: `sshd -t`",
            "See the service: `journalctl --unit=ssh --boot --no-pager --lines=20`",
        ]),
    reference(200, "ERR_VHD_REBOOT_REQUIRED", "Reserved: image needs a reboot."),
    reference(201, "ERR_NO_PACKAGES_FOUND", "Reserved: no security packages found."),
    step(202, "ERR_SNAPSHOT_UPDATE_START_FAIL", "The live-patching timer could not be started.")
        .stage("nodePrep: ubuntuSnapshotUpdate")
        .causes(&[cause::OLD_IMAGE])
        .checks(&["Look for it: `systemctl cat snapshot-update.timer`"]),
    reference(203, "ERR_PRIVATE_K8S_PKG_ERR", "Private Kubernetes package could not be fetched or unpacked.")
        .image_build(&["The package is not in the cache"]),
    step(204, "ERR_K8S_INSTALL_ERR", "Kubernetes binaries could not be unpacked, the archive lacks them, or no install method exists for this OS.")
        .stage("basePrep: configureKubeletAndKubectl")
        .causes(&[
            "KUBE_BINARY_URL names an archive that is not for nodes or has another architecture",
            "No source exists for this version: Kubernetes 1.34 and later comes as packages, and this operating system has no installer",
            cause::DISK_FULL,
        ])
        .checks(&[
            check::REASON,
            "List the contents of the archive: `tar -tzf FILE | grep kubernetes/node/bin`",
            "See the installed programs: `ls -l /opt/bin`",
            check::DISK,
        ]),
    step(205, "ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT", "Registry credential provider could not be downloaded or installed.")
        .stage("nodePrep: ensureKubelet")
        .causes(cause::DOWNLOAD)
        .checks(check::DOWNLOAD)
        .misleading(&[EGRESS]),
    step(206, "ERR_CNI_VERSION_INVALID", "Reference CNI plugins missing or version missing from the component list.")
        .stage("basePrep: installNetworkPlugin")
        .causes(&[cause::OLD_IMAGE, "The component list of the image is damaged"])
        .checks(&[
            "Look for bridge, host-local and loopback: `ls /opt/cni/bin`",
            "See the component list: `jq keys /opt/azure/components.json`",
        ]),
    step(207, "ERR_ORAS_PULL_K8S_FAIL", "Kubernetes binaries could not be pulled from the registry.")
        .stage("basePrep: configureKubeletAndKubectl")
        .causes(cause::PULL)
        .checks(check::PULL)
        .rare_causes(&[cause::NO_DNS, cause::BLOCKED, cause::NO_ORAS]),
    step(208, "ERR_ORAS_PULL_CREDENTIAL_PROVIDER", "Credential provider could not be pulled from the registry, or its version is unknown.")
        .stage("nodePrep: ensureKubelet")
        .causes(cause::PULL)
        .checks(check::PULL)
        .rare_causes(&[cause::NO_DNS, cause::BLOCKED, cause::NO_ORAS]),
    step(210, "ERR_ORAS_IMDS_TIMEOUT", "The instance metadata service did not answer the request for the kubelet identity's token.")
        .stage("basePrep: orasLogin")
        .causes(&[cause::NO_IDENTITY, cause::NO_METADATA])
        .checks(&[
            "Request a token: `curl -s -o /dev/null -w \"%{http_code}\" -H Metadata:true --noproxy \"*\" \"http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https://management.azure.com/\"` (200 is good)",
            check::IDENTITIES,
            check::METADATA_ROUTE,
        ]),
    step(211, "ERR_ORAS_PULL_NETWORK_TIMEOUT", "The registry did not answer the token exchange or the repository listing.")
        .stage("basePrep: orasLogin")
        .causes(&[
            "The private endpoint of the registry, or its DNS record, is missing",
            "The firewall of the registry does not allow this network",
            cause::NO_ORAS,
        ])
        .checks(&[
            "Resolve it: `nslookup REGISTRY.azurecr.io` (a private address is good)",
            "Reach it: `curl -v https://REGISTRY.azurecr.io/v2/` (401 is good)",
            "Look for the program: `command -v oras`",
        ])
        .misleading(&["Scripts of the reference also end with 211 if the image has no oras, or if the registry refuses the identity."])
        .rare_causes(&[cause::NO_DNS, cause::BLOCKED, cause::NO_ACRPULL]),
    step(212, "ERR_ORAS_PULL_UNAUTHORIZED", "The registry rejected the token, the token lacks read permission, or the login failed.")
        .stage("basePrep: orasLogin")
        .causes(&[
            cause::NO_ACRPULL,
            "The registry belongs to another tenant",
            "The registry does not accept Azure Resource Manager tokens (authentication-as-arm is disabled)",
        ])
        .checks(&[check::ROLES, "See its policy: `az acr config authentication-as-arm show -r REGISTRY`"])
        .misleading(&["A role assignment takes minutes to become effective: a second attempt can succeed without a change."])
        .rare_causes(&[cause::NO_ORAS]),
    step(213, "ERR_LOOKUP_DISABLE_KUBELET_SERVING_CERTIFICATE_ROTATION_TAG", "Tag lookup for the serving-certificate opt-out failed.")
        .stage("nodePrep: configureKubeletServing")
        .causes(&[cause::NO_METADATA])
        .checks(&[check::METADATA]),
    step(214, "ERR_CLEANUP_CONTAINER_IMAGES", "Install mode could not be determined.")
        .stage("basePrep: checkInstallMode")
        .causes(&[cause::NO_METADATA])
        .checks(&[check::METADATA]),
    reference(215, "ERR_DNS_HEALTH_FAIL", "DNS health check failed.")
        .stage("health check of DNS (scripts of the reference)")
        .causes(&[cause::NO_DNS_SERVER, cause::NO_DNS])
        .checks(&[
            "See which DNS server answers: `nslookup mcr.microsoft.com; cat /run/systemd/resolve/resolv.conf`",
            check::LOG,
        ]),
    step_or_service(216, "ERR_LOCALDNS_FAIL", "Local DNS could not be configured or started; also the exit code of the local DNS service for start-up, readiness or repeated health-check failure.")
        .stage("basePrep: enableLocalDNS; localdns.service")
        .causes(&[
            "Port 53 of 169.254.10.10 or 169.254.10.11 is in use",
            "The corefile is invalid",
            "No DNS server of the virtual network answers",
            "systemd-networkd does not manage the network card",
        ])
        .checks(&[
            "See the service: `journalctl --unit=localdns --boot --no-pager --lines=50`",
            "See the file: `cat /opt/azure/containers/localdns/updated.localdns.corefile`",
            "See which process listens: `ss -lnup \"sport = :53\"`",
            "List the network interfaces: `networkctl list`",
        ]),
    service(217, "ERR_LOCALDNS_COREFILE_NOTFOUND", "The corefile is missing and could not be generated again.")
        .stage("localdns.service")
        .causes(&["/etc/localdns/environment is missing or empty, so the corefile cannot be generated"])
        .checks(&["See it: `ls -l /etc/localdns/environment /opt/azure/containers/localdns`"]),
    service(218, "ERR_LOCALDNS_SLICEFILE_NOTFOUND", "Slice unit file missing or empty.")
        .stage("localdns.service")
        .causes(&["Provisioning did not write the slice, or it was removed"])
        .checks(&["See it: `systemctl cat localdns.slice`"]),
    service(219, "ERR_LOCALDNS_BINARY_ERR", "coredns binary missing, not executable or not runnable.")
        .stage("localdns.service")
        .causes(&[cause::OLD_IMAGE, "The program is of another architecture"])
        .checks(&["Try it: `/opt/azure/containers/localdns/binary/coredns --version`"]),
    step(220, "ERR_SECURE_TLS_BOOTSTRAP_ENABLE_FAILURE", "The secure TLS bootstrap unit could not be enabled.")
        .stage("nodePrep: configureAndEnableSecureTLSBootstrapping")
        .causes(&[cause::OLD_IMAGE])
        .checks(&["Look for it: `systemctl cat secure-tls-bootstrap`"]),
    service(223, "ERR_CLOUD_INIT_FAILED", "cloud-init ended with a fatal error.")
        .stage("cloud-init-status-check.sh, before the start script")
        .causes(&[
            "CustomData is invalid: encoded twice, a blank line before its headers, or truncated",
            "A module of cloud-init failed",
            "The data source cannot be reached",
        ])
        .checks(&[
            "See why: `cloud-init status --long`",
            "Read its log: `grep -E \"ERROR|WARNING\" /var/log/cloud-init.log | tail`",
            "See the user data: `head -c 200 /var/lib/cloud/instance/user-data.txt`",
        ])
        .misleading(&["The scripts have not run yet: their log is empty."]),
    step(224, "ERR_NVIDIA_DRIVER_INSTALL", "Driver-skip tag could not be evaluated, or the GRID v20 driver was requested on an OS other than Ubuntu.")
        .stage("nodePrep: checkDriverTag")
        .causes(&["GPU_DRIVER_TYPE grid-v20 only exists for Ubuntu", cause::NO_METADATA])
        .checks(&[check::REASON, check::METADATA]),
    reference(225, "ERR_NVIDIA_GPG_KEY_DOWNLOAD_TIMEOUT", "NVIDIA repository key could not be fetched.")
        .image_build(&[cause::BLOCKED]),
    reference(226, "ERR_NVIDIA_AZURELINUX_REPO_FILE_DOWNLOAD_TIMEOUT", "NVIDIA repository file could not be fetched.")
        .image_build(&[cause::BLOCKED]),
    step(227, "ERR_MANAGED_NVIDIA_EXP_INSTALL_FAIL", "A managed GPU package is not in the image cache.")
        .stage("nodePrep: configureManagedGPUExperience")
        .causes(&[cause::OLD_IMAGE, "The managed GPU experience does not support this operating system"])
        .checks(&[check::REASON, "See the packages of the image: `ls /opt/*/downloads`"]),
    reference(228, "ERR_NVIDIA_DCGM_FAIL", "DCGM service did not start."),
    reference(229, "ERR_NVIDIA_DCGM_EXPORTER_FAIL", "Managed GPU services failed to start.")
        .stage("managed GPU (scripts of the reference)")
        .causes(&["The driver is not loaded", "The device plugin or the exporter does not start"])
        .checks(&["Read why: `journalctl --unit=nvidia-device-plugin --unit=nvidia-dcgm-exporter --boot --no-pager --lines=50`"]),
    step(230, "ERR_LOOKUP_ENABLE_MANAGED_GPU_EXPERIENCE_TAG", "Tag lookup for managed GPU failed (practically unreachable, see 213).")
        .stage("nodePrep: configureManagedGPUExperience")
        .causes(&[cause::NO_METADATA])
        .checks(&[check::METADATA]),
    step(231, "ERR_ORAS_PULL_SYSEXT_FAIL", "A system extension image could not be found or pulled.")
        .stage("basePrep: configureKubeletAndKubectl; nodePrep: ensureKubelet, ensureGPUDrivers")
        .causes(&[
            "The registry cannot be reached: a firewall, network security group or route table blocks the traffic",
            "No system extension of this version exists",
        ])
        .checks(&[
            check::REASON,
            check::ORAS_LOG,
            "List the tags: `oras repo tags mcr.microsoft.com/oss/v2/kubernetes/kubelet-sysext`",
            "See the files of the image: `ls /opt/*/downloads`",
        ])
        .misleading(&[EGRESS])
        .rare_causes(&[cause::NO_DNS, cause::BLOCKED, cause::NO_ORAS, cause::NO_ACRPULL]),
    step(232, "ERR_SYSEXT_VERSION_ID_NOT_FOUND", "VERSION_ID missing from os-release.")
        .stage("nodePrep: ensureGPUDrivers")
        .causes(&["/etc/os-release is damaged"])
        .checks(&["See it: `grep VERSION_ID /etc/os-release`"]),
    step(233, "ERR_PULL_POD_INFRA_CONTAINER_IMAGE", "The pause image could not be determined, pulled or imported.")
        .stage("nodePrep: ensureKubelet")
        .causes(&[cause::NO_RULE, "containerd does not answer", "The configuration of containerd names no pause image"])
        .checks(&[
            check::REASON,
            "See the image: `grep sandbox_image /etc/containerd/config.toml; ctr -n k8s.io images list | grep pause`",
            check::RULES,
        ])
        .rare_causes(&[cause::NO_DNS, cause::NO_ORAS, cause::NO_ACRPULL]),
    step(234, "ERR_IMDS_FETCH_FAILED", "Instance metadata could not be fetched or is not JSON.")
        .stage("basePrep and nodePrep: fetchMetadata")
        .causes(&[cause::NO_METADATA, "The machine is not an Azure VM"])
        .checks(&[check::METADATA, check::METADATA_ROUTE]),
    step(235, "ERR_NVIDIA_DCGM_INSTALL", "Managed GPU packages could not be installed from the cache.")
        .stage("nodePrep: configureManagedGPUExperience")
        .causes(&[cause::LOCKED, "The package is damaged"])
        .checks(&[check::REASON, check::PACKAGE_LOG, check::LOCK_HOLDER]),
    controller(CONTROLLER_FAILED, "ERR_AKS_NODE_CONTROLLER_ERROR", "The controller failed: it could not run the scripts, or they wrote no result.")
        .stage("controller")
        .causes(&[
            cause::CONFIGURATION,
            "The component list of the image is missing or malformed",
            "The controller was killed or the machine stopped during provisioning",
        ])
        .checks(&[
            check::REASON,
            "Read its log: `tail -n 50 /var/log/azure/aks-node-controller.log`",
            "Check the document: `aks-node-controller validate /opt/azure/containers/aks-node-controller-config.json`",
            "See what the controller would run: `aks-node-controller provision --provision-config /opt/azure/containers/aks-node-controller-config.json --dry-run`",
        ])
        .misleading(&["An old image is often the cause, because its controller does not support a newer Configuration."]),
    reference(241, "ERR_AZNFS_RPM_DOWNLOAD_TIMEOUT", "aznfs package download timed out.")
        .image_build(&[cause::BLOCKED]),
    reference(242, "ERR_AZNFS_INSTALL_FAIL", "aznfs package could not be installed.")
        .image_build(&["The package is not in the cache"]),
    step(243, "ERR_SECONDARY_NIC_CONFIG_FAIL", "Secondary network interfaces could not be configured.")
        .stage("nodePrep: configureSecondaryNICs")
        .causes(&[
            "The virtual machine has fewer network interfaces than STANDARD_SECONDARY_NIC_COUNT",
            "netplan or systemd-networkd rejects the configuration",
        ])
        .checks(&[
            check::REASON,
            "List the network interfaces: `ip -br link; networkctl list`",
            check::METADATA,
            "Check the files: `netplan generate`",
        ]),
    step(244, "ERR_NODE_FILE_WRITE_FAIL", "A file of the node could not be written, or its base64 is invalid.")
        .stage("any step that writes")
        .causes(&["The disk is full, or has no inodes left", cause::READ_ONLY])
        .checks(&[check::REASON, check::DISK, check::MOUNT]),
    step(245, "ERR_NODE_INPUT_INVALID", "Variables that the steps need are missing or malformed; Error names all of them.")
        .stage("basePrep: checkBaseInputs; nodePrep: checkNodeInputs")
        .causes(&["A field of the Configuration is missing or malformed"])
        .checks(&[check::REASON, "Check the document before you create the next machine: `aks-node-controller validate FILE`"]),
    controller(NODE_NOT_READY, "ERR_NODE_NOT_READY", "The scripts succeeded, but the node did not become Ready in time (provision-wait --ready=require).")
        .stage("provision-wait --ready=require")
        .causes(&[
            "The network plugin has not configured the node: its pods do not run, or their images cannot be pulled",
            cause::TOKEN,
            "The API server can no longer be reached, or does not admit the node",
            "The time limit is shorter than this node takes to start",
        ])
        .checks(&[
            "Read the reason in Ready of the output: `aks-node-controller provision-wait --ready --timeout 1`",
            check::KUBELET_LOG,
            "Ask the cluster: `kubectl describe node NODE; kubectl get pods -A --field-selector spec.nodeName=NODE`",
            "See the state of the network plugin: `ls /etc/cni/net.d; crictl pods`",
            "Check the requirements of the node: `aks-node-controller diagnose --live`",
        ])
        .misleading(&["The machine is provisioned, and the node can still become Ready later."]),
    shell(255, "undefined", "A signal ended the scripts, or a script used an undefined constant as its exit code.")
        .stage("any")
        .causes(&[cause::OUT_OF_MEMORY, "Another process killed the scripts"])
        .checks(&[check::KILLER, check::CONTROLLER_LOG, check::LOG])
        .misleading(&["With an undefined constant, the original code is lost, but the last lines of the log show the failure."]),
];
