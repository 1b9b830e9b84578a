//! What to do about a failure: for each code that a run can end with, where it comes from, likely causes and what to check.
//!
//! To add one: a row here; the code itself is in [`super::exit_codes`]. `make generate` writes both to `docs/exit-codes.md`.
//! Words in capitals in a command stand for names that the reader fills in. Tests compare stages with the steps of the
//! scripts, and paths with what the scripts and the image have.

/// What is known about failures with a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The code, 1 to 255.
    pub code: u8,
    /// The steps that end with it, after the list that they belong to, or the program that does.
    pub stage: &'static str,
    /// Likely causes, the most likely first.
    pub causes: &'static [&'static str],
    /// What to check, with commands between backticks.
    pub checks: &'static [&'static str],
    /// What the code is often mistaken for, or what is often behind it.
    pub misleading: &'static [&'static str],
}

const fn row(
    code: u8,
    stage: &'static str,
    causes: &'static [&'static str],
    checks: &'static [&'static str],
    misleading: &'static [&'static str],
) -> Failure {
    Failure { code, stage, causes, checks, misleading }
}

/// A code with which only a build of images ends.
const fn image_build(code: u8, causes: &'static [&'static str]) -> Failure {
    row(code, "image build", causes, &["Read the log of the image build"], &[])
}

/// Codes without a constant: what shells and `timeout` end with. `(code, name, meaning)`.
pub static CONVENTIONAL: &[(u8, &str, &str)] = &[
    (1, "generic failure", "A program failed without a code of its own, or what ran the scripts did."),
    (124, "timeout", "The run was stopped when its time was over (CSE_TIMEOUT, 15 minutes by default)."),
    (126, "not executable", "The shell found a script that it could not execute."),
    (127, "not found", "The shell did not find a command or a script."),
    (137, "killed", "The run was killed."),
    (143, "terminated", "The run was asked to end from outside."),
    (255, "undefined", "A signal ended the scripts, or a script ended with a constant that is not defined."),
];

// Causes that several codes share with what lines of a log point to (`crate::explain`).

/// The network between the node and a host.
pub(crate) const BLOCKED: &str = "A firewall, network security group or route table blocks the traffic, or the subnet has no way out (NAT gateway, load balancer)";
/// A firewall that knows names.
pub(crate) const CUT_BY_NAME: &str = "A firewall ends connections by their TLS name: the name is not on its list";
/// No public names.
pub(crate) const NO_DNS: &str = "DNS of the virtual network does not resolve public names";
/// The proxy itself.
pub(crate) const PROXY: &str = "The proxy cannot be used: its name, its port, its account, or what it allows";
/// TLS inspection, or another authority.
pub(crate) const UNTRUSTED: &str =
    "Something between inspects TLS, or the authority is another one: the node does not trust the certificate";
/// No room.
pub(crate) const DISK_FULL: &str = "The disk is full";
/// After an error of the disk.
pub(crate) const READ_ONLY: &str = "The file system is read-only after an error";
/// dpkg or rpm.
pub(crate) const LOCKED: &str = "Another process holds the lock of the package manager";
/// A package or an image.
pub(crate) const NO_VERSION: &str = "The version does not exist where it is looked for";
/// A release of a repository.
pub(crate) const KEY_EXPIRED: &str = "The key of a repository has expired or changed";
/// The clock.
pub(crate) const CLOCK: &str = "The clock of the machine is wrong, or a certificate has expired";
/// The role on the registry.
pub(crate) const NO_ACRPULL: &str =
    "The identity of the kubelet has no AcrPull on the registry, or the assignment is too new";
/// The identity on the machine.
pub(crate) const NO_IDENTITY: &str = "The identity is not assigned to the virtual machine";
/// The metadata or wire server.
pub(crate) const NO_METADATA: &str = "A proxy, route or rule takes the traffic to 169.254.169.254";
/// The API server by address.
pub(crate) const API_BLOCKED: &str =
    "A firewall, network security group or route table blocks the API server on port 443";
/// The API server by policy.
pub(crate) const NOT_AUTHORIZED_RANGE: &str =
    "The address of the node is not in the authorized IP ranges of the API server";
/// The API server is gone.
pub(crate) const CLUSTER_STOPPED: &str = "The cluster is stopped or was deleted, or its API server is another one";
/// DNS of the customer.
pub(crate) const ZONE_NOT_FORWARDED: &str =
    "A DNS server of the customer does not forward the zone of the cluster to Azure (168.63.129.16)";
/// The private zone.
pub(crate) const ZONE_NOT_LINKED: &str =
    "The private DNS zone of the cluster is not linked to the network of the node, or of its DNS server";
/// The record in the zone.
pub(crate) const NO_RECORD: &str =
    "The record of the API server does not exist yet, or not any more: the cluster was stopped, started or deleted";
/// kubelet's flags.
pub(crate) const UNKNOWN_FLAG: &str = "kubelet does not know a flag or a field: it was removed before this version";
/// kubelet's token.
pub(crate) const TOKEN: &str = "The bootstrap token has expired or belongs to another cluster";
/// kubelet's restarts.
pub(crate) const KUBELET_ENDS: &str =
    "kubelet ends again and again: a flag or field it does not know, or a setting of the kernel that it may not change";
/// containerd's configuration.
pub(crate) const CONTAINERD_CONFIG: &str = "The configuration of containerd is broken, or a drop-in of its unit";
/// A signed kernel.
pub(crate) const SECURE_BOOT: &str =
    "Secure boot rejects the module: the virtual machine is a trusted launch one, and the module is not signed";
/// A GPU that does not work.
pub(crate) const GPU_DEFECTIVE: &str = "The GPU is defective, or the driver does not know it";
/// Modules of another kernel.
pub(crate) const KERNEL_CHANGED: &str =
    "The kernel is newer than the modules on the disk: an upgrade waits for a reboot";
/// The document.
pub(crate) const CONFIGURATION: &str =
    "The Configuration is missing, cannot be read, or has a version that this controller does not know";
/// A program that the image should have.
pub(crate) const OLD_IMAGE: &str = "The image lacks it: the image is older than the scripts, or damaged";

const NO_HOST: &str = "The address names a version or a host that does not exist";
const SLOW: &str = "The download took longer than its limit";
const NO_RULE: &str = "The cache rule of the registry for mcr.microsoft.com is missing";
const NO_REPOSITORY: &str = "The package repository cannot be reached";
const MALFORMED: &str = "A variable of the node is malformed";

const REASON: &str = "Read the reason: `jq -r .Error /var/log/azure/aks/provision.json`";
const REASON_OF_NODE: &str =
    "Read the reason: `aks-node-controller provision-wait --ready --timeout 1`, in Ready of what it prints";
const LOG: &str = "Read the last steps: `tail -n 50 /var/log/azure/cluster-provision.log`";
const FETCH: &str = "Download it by hand: `curl -fsSLv -o /dev/null URL`";
const RESOLVE: &str = "Resolve the host: `nslookup HOST`";
const DISK: &str = "Check the disk: `df -h / /var/lib/containerd; df -i /`";
const FAILED_UNITS: &str = "List what failed: `systemctl --failed`";
const CONTAINERD_LOG: &str = "Read why: `journalctl --unit=containerd --boot --no-pager --lines=50`";
const CONTAINERD_CHECK: &str = "Check the configuration: `containerd config dump >/dev/null`";
const KUBELET_LOG: &str = "Read why kubelet ends: `journalctl --unit=kubelet --boot --no-pager --lines=50`";
const LOCK_HOLDER: &str = "Find who holds the lock: `fuser -v /var/lib/dpkg/lock-frontend`";
const PACKAGE_LOG: &str =
    "Read what the package manager said: `grep -E \"^(E|W|Err|Error):\" /var/log/azure/cluster-provision.log | tail`";
const RULES: &str = "List the cache rules: `az acr cache list -r REGISTRY -o table`";
const ROLES: &str = "List the roles: `az role assignment list --assignee CLIENT_ID --scope REGISTRY_ID -o table`";
const ORAS_LOG: &str = "See what oras said: `grep -i oras /var/log/azure/cluster-provision.log | tail`";
const METADATA: &str = "Ask for it: `curl -s -H Metadata:true --noproxy \"*\" \"http://169.254.169.254/metadata/instance?api-version=2021-02-01\"`";
const METADATA_ROUTE: &str = "See routes and rules: `ip route get 169.254.169.254; iptables -S | grep 169.254.169.254`";
const GPU_LOG: &str = "Look at the kernel: `dmesg | grep -iE \"nvrm|xid|nvidia|module verification\"`";
const VALIDATE: &str = "Check the document before the next machine: `aks-node-controller validate FILE`";

const EGRESS: &str = "It mostly means that the node has no way out (50), which a later step checks.";
const PULLED: &[&str] = &[NO_RULE, NO_ACRPULL, NO_VERSION];
const PULL_CHECKS: &[&str] = &[RULES, ROLES, ORAS_LOG];
const DOWNLOAD: &[&str] = &[BLOCKED, NO_HOST, NO_DNS, SLOW];
const DOWNLOAD_CHECKS: &[&str] = &[REASON, FETCH, RESOLVE];
const PACKAGE: &[&str] = &[BLOCKED, NO_VERSION, LOCKED, DISK_FULL];

/// By code. Codes that no script ends with any more have no row.
pub static FAILURES: &[Failure] = &[
    row(
        1,
        "any",
        &[
            "The code of the scripts is in ExitCode of the result: provision-wait and Azure may show 1 for every failure",
            "The preparation for the cloud failed: its certificates or package repositories",
            "The controller got no input, or one that it cannot use",
        ],
        &[
            "Read the code of the scripts: `jq -r .ExitCode,.Error /var/log/azure/aks/provision.json`",
            LOG,
            "Read what the controller did: `tail -n 50 /var/log/azure/aks-node-controller.log`",
        ],
        &["1 is rarely the cause itself."],
    ),
    row(
        2,
        "image build; installation of packages",
        &["The time of the run was over during the installation of a package", "systemd refused to mask a unit"],
        &["See what took the time: `grep -E \"[0-9]+ ms\" /var/log/azure/cluster-provision.log`", PACKAGE_LOG],
        &["2 also means that no time was left: the step before took it, often a blocked download."],
    ),
    row(
        4,
        "basePrep: ensureDHCPv6, ensureContainerd, configPrivateClusterHosts; nodePrep: ensureGPUDrivers, checkContainerd, ensureNoDupOnPromiscuBridge, reconcileTransparentHugePagePersistence, configureUnattendedUpgrades",
        &[CONTAINERD_CONFIG, DISK_FULL, OLD_IMAGE, "A unit that it depends on has failed"],
        &[REASON, CONTAINERD_LOG, CONTAINERD_CHECK, DISK, FAILED_UNITS],
        &["Error names the unit: it is not always containerd."],
    ),
    row(
        6,
        "start of provision.sh; basePrep: ensureContainerd",
        &[
            "CustomData has not brought the scripts: it was cut off, or encoded or compressed twice",
            DISK_FULL,
            "CONTAINERD_CONFIG_CONTENT is empty or no base64",
        ],
        &[
            REASON,
            "Look for the end mark: `tail -n 1 /opt/azure/containers/provision_source.sh`",
            "See what cloud-init wrote: `cloud-init status --long; grep -i write_files /var/log/cloud-init.log`",
            DISK,
        ],
        &["The name has \"timeout\" in it, but nothing was slow: a file is missing or incomplete."],
    ),
    row(
        7,
        "basePrep: holdWALinuxAgent",
        &[LOCKED, "The database of packages is damaged"],
        &[LOCK_HOLDER, "Check the database: `dpkg --audit`"],
        &["An update that runs at boot (unattended-upgrades, apt-daily) holds the lock most often."],
    ),
    row(
        8,
        "nodePrep: releaseWALinuxAgent",
        &[LOCKED],
        &["See the hold: `dpkg --get-selections walinuxagent`", "Lift it: `apt-mark unhold walinuxagent`", LOCK_HOLDER],
        &["The node works: only the guest agent is not upgraded."],
    ),
    row(
        9,
        "basePrep: installTools, installDeps; nodePrep: ensureGPUDrivers",
        PACKAGE,
        &[PACKAGE_LOG, "Reach the repository: `curl -sSI https://packages.microsoft.com/`", LOCK_HOLDER, DISK],
        &[EGRESS],
    ),
    row(
        10,
        "nodePrep: ensureGPUDrivers",
        &[
            "The kernel is newer than the drivers that are published for it",
            "The size of the machine is none with a known GPU",
        ],
        &[
            "Compare: `uname -r; dnf list --showduplicates \"cuda*\"`",
            "See the size: `jq -r .compute.vmSize /opt/azure/containers/imds_instance_metadata_cache.json`",
        ],
        &[],
    ),
    image_build(25, &[BLOCKED, "/etc/apt is not writable"]),
    image_build(26, &[BLOCKED, UNTRUSTED]),
    row(
        28,
        "basePrep: installContainerRuntime",
        &[
            "CONTAINERD_PACKAGE_URL names something else than a package of this system",
            NO_VERSION,
            LOCKED,
            NO_REPOSITORY,
        ],
        &[REASON, PACKAGE_LOG, LOCK_HOLDER, "See what is installed: `containerd --version`"],
        &[],
    ),
    row(
        29,
        "basePrep: installRunc",
        &["RUNC_PACKAGE_URL names something else than a package of this system", LOCKED],
        &[REASON, PACKAGE_LOG, LOCK_HOLDER],
        &[],
    ),
    row(31, "basePrep: configureKubeletAndKubectl", DOWNLOAD, DOWNLOAD_CHECKS, &[EGRESS]),
    row(
        34,
        "basePrep: ensureContainerd (reserved memory); nodePrep: ensureKubelet, checkKubelet",
        &[
            KUBELET_ENDS,
            TOKEN,
            "/opt/bin/kubelet is missing",
            "Memory is reserved on a machine with control groups of version 1",
        ],
        &[
            REASON,
            KUBELET_LOG,
            "See its flags: `cat /etc/default/kubelet; systemctl cat kubelet`",
            "See which control groups there are: `stat -fc %T /sys/fs/cgroup`",
        ],
        &["A kubelet that cannot reach the API server, or sign in there, looks like one that does not start."],
    ),
    image_build(36, &[BLOCKED, SLOW]),
    image_build(37, &[BLOCKED, SLOW]),
    row(
        39,
        "basePrep: installContainerRuntime",
        &["The component list of the image is damaged, or has no version of containerd for this system"],
        &["See the entry: `jq .containerd /opt/azure/components.json`"],
        &[],
    ),
    row(41, "basePrep: installNetworkPlugin", DOWNLOAD, DOWNLOAD_CHECKS, &[EGRESS]),
    row(
        42,
        "basePrep: installDeps",
        &[BLOCKED, "There is no repository for this release of the system", NO_DNS],
        &[REASON, FETCH, "See the release: `grep VERSION /etc/os-release`"],
        &[EGRESS],
    ),
    row(43, "basePrep: installDeps", &[LOCKED, "The package is damaged"], &[PACKAGE_LOG, LOCK_HOLDER], &[]),
    image_build(45, &[BLOCKED]),
    row(
        49,
        "basePrep: configureCNI, ensureDHCPv6, mitigateModules",
        &[KERNEL_CHANGED, "A file in /etc/modprobe.d denies the module", "The kernel has no such module"],
        &[
            REASON,
            "Load it by hand: `modprobe -v br_netfilter && modprobe -v nf_conntrack`",
            "Compare: `uname -r; ls /lib/modules`",
            "Find what denies it: `grep -rE \"br_netfilter|nf_conntrack|ip6_tables\" /etc/modprobe.d`",
        ],
        &[],
    ),
    row(
        50,
        "nodePrep: checkOutbound",
        &[BLOCKED, NO_DNS, PROXY, UNTRUSTED],
        &[
            "Run the probe by hand: `curl -v https://mcr.microsoft.com/v2/` (any answer is right)",
            "Read what it said: `tail -n 40 /var/log/azure/cluster-provision-cse-output.log`",
            "Resolve the name: `nslookup mcr.microsoft.com`",
            "Let AKS check: `az aks check-network outbound -g GROUP -n CLUSTER`",
            "See rules and routes: `az network nic list-effective-nsg --ids NIC_ID; az network nic show-effective-route-table --ids NIC_ID`",
        ],
        &["A node without DNS ends with 50 too: the probe needs a public name."],
    ),
    row(
        51,
        "nodePrep: checkApiServer",
        &[
            API_BLOCKED,
            NOT_AUTHORIZED_RANGE,
            CLUSTER_STOPPED,
            "The proxy takes the traffic: NO_PROXY does not have the API server",
        ],
        &[
            "Read its name: `jq -r .Error /var/log/azure/aks/provision.json`",
            "Reach it: `curl -v --cacert /etc/kubernetes/certs/ca.crt https://API_SERVER/healthz` (401 is right)",
            "See authorized ranges and state: `az aks show -g GROUP -n CLUSTER --query \"{ranges:apiServerAccessProfile, power:powerState}\"`",
            "See the proxy: `env | grep -i proxy; grep -i proxy /etc/environment`",
        ],
        &[
            "The API server itself is rarely the cause: mostly it is the network before it.",
            "\"Connection to mcr.microsoft.com succeeded\" in the output is the check before, not this one.",
        ],
    ),
    row(
        52,
        "nodePrep: checkApiServer",
        &[ZONE_NOT_FORWARDED, ZONE_NOT_LINKED, NO_RECORD, "The DNS server of the virtual network cannot be reached"],
        &[
            "See which server answers: `nslookup API_SERVER; cat /run/systemd/resolve/resolv.conf`",
            "Compare with Azure: `nslookup API_SERVER 168.63.129.16`",
            "List the links: `az network private-dns link vnet list -g NODE_GROUP -z ZONE -o table`",
        ],
        &["After a cluster was stopped and started, its public record takes minutes to come back."],
    ),
    row(
        53,
        "nodePrep: checkApiServer",
        &[ZONE_NOT_LINKED, NO_RECORD],
        &[
            "Ask Azure: `nslookup API_SERVER 168.63.129.16`",
            "List the links: `az network private-dns link vnet list -g NODE_GROUP -z ZONE -o table`",
            "See the state of the cluster: `az aks show -g GROUP -n CLUSTER --query \"{power:powerState.code, state:provisioningState}\"`",
        ],
        &[],
    ),
    row(
        65,
        "basePrep: checkInstallMode",
        &[
            "The image is no image of AKS, but IS_VHD says so",
            "/opt/azure/vhd-install.complete was removed from the image",
        ],
        &[
            "Look for the log of the build: `ls -l /opt/azure/vhd-install.complete`",
            "Use IS_VHD=false (`is_vhd: false`) for other images",
        ],
        &["Azure's error VHDFileNotFound often has 124 behind it: a run that was stopped, mostly for lack of network."],
    ),
    row(70, "basePrep: installContainerRuntime", DOWNLOAD, DOWNLOAD_CHECKS, &[EGRESS]),
    row(71, "basePrep: installRunc", DOWNLOAD, DOWNLOAD_CHECKS, &[EGRESS]),
    row(
        80,
        "basePrep: joinCustomSearchDomain; setup-custom-search-domains.sh",
        &[
            "The account or the password of the realm is wrong",
            "The domain controller cannot be reached, or its name does not resolve",
            "realmd or sssd cannot be installed",
        ],
        &[
            "Read its log: `tail -n 50 /opt/azure/containers/setup-custom-search-domains.log`",
            "Find the realm: `realm discover DOMAIN; realm list`",
            RESOLVE,
        ],
        &[],
    ),
    row(
        84,
        "nodePrep: ensureGPUDrivers, configureFabricManager",
        &[
            "The image of the driver cannot be pulled: the registry cannot be reached, or the version does not exist",
            SECURE_BOOT,
            "The kernel headers are missing for the build of the module",
            GPU_DEFECTIVE,
        ],
        &[
            REASON,
            GPU_LOG,
            "Try the driver: `nvidia-smi; modprobe -v nvidia`",
            "See the state of secure boot: `mokutil --sb-state`",
            "See the build: `dkms status; ls /var/lib/dkms/nvidia`",
        ],
        &["A driver that is not installed is often an image that could not be pulled (50)."],
    ),
    row(
        85,
        "nodePrep: ensureGPUDrivers",
        &["The runtime of NVIDIA is not installed, but the configuration of containerd names it", CONTAINERD_CONFIG],
        &[CONTAINERD_LOG, CONTAINERD_CHECK, "Look for the runtime: `ls -l /usr/bin/nvidia-container-runtime`"],
        &["The driver itself is installed: only containerd does not start with it."],
    ),
    row(
        86,
        "nodePrep: configureManagedGPUExperience",
        &["The driver is not loaded", OLD_IMAGE],
        &[
            "Read why: `journalctl --unit=nvidia-device-plugin --boot --no-pager --lines=50`",
            "Try the driver: `nvidia-smi`",
        ],
        &[],
    ),
    row(
        87,
        "nodePrep: ensureGPUDrivers",
        &["The GPU is defective: its info ROM is corrupted"],
        &[
            "Move to other hardware: `az vmss deallocate -g NODE_GROUP -n SCALE_SET --instance-ids ID`, then start it",
            GPU_LOG,
        ],
        &["A reimage keeps the machine on the same hardware."],
    ),
    row(
        95,
        "nodePrep: setupAmdAma",
        &["There is no package of the driver for this kernel", "The system is not Azure Linux"],
        &["Compare: `uname -r; dnf list --showduplicates amd-ama-driver`"],
        &[],
    ),
    row(96, "nodePrep: setupAmdAma", PACKAGE, &[PACKAGE_LOG, "Try it: `dnf install amd-ama-driver`"], &[]),
    row(
        99,
        "basePrep: installDeps, installContainerRuntime",
        &[
            "A package repository cannot be reached: a firewall, network security group or route table blocks the traffic",
            KEY_EXPIRED,
            "A line that begins with `W:` or `Err:` counts as a failure, even of a repository that is not needed",
            CLOCK,
        ],
        &[
            "Refresh by hand: `apt-get update`",
            PACKAGE_LOG,
            "List the repositories: `ls /etc/apt/sources.list /etc/apt/sources.list.d`",
        ],
        &[EGRESS],
    ),
    row(
        100,
        "script in CustomData",
        &[
            "CustomData has not brought provision.sh: it was cut off, or cloud-init failed",
            "The image is no image of AKS: it has no provision.sh",
        ],
        &[
            "Look for it: `ls -l /opt/azure/containers/provision.sh`",
            "See what cloud-init did: `cloud-init status --long; grep -E \"ERROR|WARNING\" /var/log/cloud-init.log | tail`",
        ],
        &["It waits for 20 minutes first, so Azure may show a timeout in its place."],
    ),
    image_build(101, &[BLOCKED, LOCKED]),
    row(
        103,
        "basePrep: ensureContainerd, configureTransparentHugePage, ensureSysctl; nodePrep: applyTransparentHugePageValues, setupAmdAma",
        &[
            "The kernel refuses a value of the custom settings",
            "A setting belongs to a module that is not loaded",
            MALFORMED,
        ],
        &[
            REASON,
            "Apply by hand: `sysctl --system 2>&1 | grep -iv applying`",
            "See the settings: `cat /etc/sysctl.d/999-sysctl-aks.conf`",
            "See the modules: `lsmod | grep -E \"br_netfilter|nf_conntrack\"`",
        ],
        &[],
    ),
    image_build(111, &["Python has no module for hashes of passwords"]),
    image_build(112, &["A file is missing"]),
    image_build(113, &["A file is missing", DISK_FULL]),
    image_build(115, &["The policy of passwords is not writable"]),
    image_build(117, &[BLOCKED]),
    row(
        119,
        "basePrep: retagImages",
        &["containerd does not answer", CONTAINERD_CONFIG],
        &[CONTAINERD_LOG, CONTAINERD_CHECK, DISK],
        &[],
    ),
    row(
        121,
        "basePrep: configureKubeletAndKubectl",
        &[NO_VERSION, NO_REPOSITORY, OLD_IMAGE],
        &[
            "List the versions: `apt-cache madison kubelet` or `dnf list --showduplicates kubelet`",
            "See the packages of the image: `ls /opt/*/downloads /opt/bin`",
            PACKAGE_LOG,
        ],
        &[EGRESS],
    ),
    row(
        122,
        "basePrep: configureKubeletAndKubectl",
        &[NO_VERSION, NO_REPOSITORY, OLD_IMAGE],
        &[
            "List the versions: `apt-cache madison kubectl` or `dnf list --showduplicates kubectl`",
            "See the packages of the image: `ls /opt/*/downloads /opt/bin`",
            PACKAGE_LOG,
        ],
        &[EGRESS],
    ),
    row(
        123,
        "nodePrep: configureManagedGPUExperience",
        &["The device plugin and the DRA driver are both on, and exclude each other"],
        &[REASON, "Set one of ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED and ENABLE_MANAGED_GPU_DRA to false"],
        &[],
    ),
    row(
        124,
        "any",
        &[
            "A download or a lookup was tried until the time was over: the network blocks it",
            LOCKED,
            "The disk is slow: a small OS disk that is throttled, or a size without a cache",
            "A service that the run waited for never came up",
        ],
        &[
            LOG,
            "See what took long: `grep -E \"[0-9]{5,} ms\" /var/log/azure/cluster-provision.log`",
            "See the events: `grep -h TaskName /var/log/azure/Microsoft.Azure.Extensions.CustomScript/events/*.json | tail`",
            LOCK_HOLDER,
        ],
        &["The time limit is never the cause: the step that was running is. Mostly it is a blocked download (50)."],
    ),
    row(
        125,
        "start of the scripts",
        &["CSE_TIMEOUT is empty or no duration, so that `timeout` does not start the scripts"],
        &["Read what it said: `tail -n 20 /var/log/azure/cluster-provision-cse-output.log`", LOG],
        &["Nothing of the scripts has run, so their log is empty."],
    ),
    row(
        126,
        "start of the scripts",
        &["The script has the wrong mode", "/opt is mounted with noexec"],
        &["See modes and mounts: `ls -l /opt/azure/containers; findmnt -T /opt`"],
        &[],
    ),
    row(
        127,
        "start of the scripts; any step",
        &[
            "The scripts are not on the machine: CustomData has not brought them, and the image has none",
            "A command is missing on a minimal system: jq, curl, iptables",
        ],
        &[
            "Look for them: `ls -l /opt/azure/containers`",
            "See what was not found: `grep \"not found\" /var/log/azure/cluster-provision.log`",
        ],
        &[],
    ),
    row(
        128,
        "nodePrep: configureNodeExporter",
        &[OLD_IMAGE, "Port 19100 is in use"],
        &[
            "Read why: `journalctl --unit=node-exporter --boot --no-pager --lines=20`",
            "See the port: `ss -lntp \"sport = :19100\"`",
        ],
        &["128 + n is also a run that signal n ended; Error names the signal."],
    ),
    row(
        129,
        "nodePrep: startDraDriver",
        &["The node has not registered yet", OLD_IMAGE],
        &["Read why: `journalctl --unit=dra-driver-nvidia-gpu --boot --no-pager --lines=50`", KUBELET_LOG],
        &["129 is also a run that SIGHUP ended; Error names the signal."],
    ),
    row(
        130,
        "basePrep: configureSwapFile; nodePrep: reconcileSwapFilePersistence",
        &["The file system does not support swap files", "/etc/fstab cannot be written"],
        &[REASON, "See what there is: `swapon --show; findmnt -T /mnt; cat /etc/fstab`"],
        &["130 is also a run that SIGINT ended; Error names the signal."],
    ),
    row(
        131,
        "basePrep: configureSwapFile",
        &["The swap file is larger than the room on the resource disk and the OS disk"],
        &[REASON, "See the room: `df -h / /mnt`"],
        &[],
    ),
    row(
        137,
        "any",
        &[
            "The kernel ran out of memory and killed a program",
            "The run did not end when its time was over, and was killed",
        ],
        &["Look for the killer: `dmesg | grep -i \"killed process\"`", LOG],
        &["After the time limit it is the same as 124: the step that was running is the cause."],
    ),
    row(
        143,
        "any",
        &[
            "The machine was shut down or rebooted during the run, or deallocated by an autoscaler",
            "The unit was stopped by hand",
        ],
        &[
            "See the boots: `journalctl --list-boots; journalctl --boot=-1 --no-pager --lines=50`",
            "See who did it: `az monitor activity-log list -g NODE_GROUP --offset 2h -o table`",
        ],
        &[],
    ),
    image_build(152, &[BLOCKED]),
    row(
        153,
        "basePrep: ensureArtifactStreaming",
        &[OLD_IMAGE, "The kernel has no module target_core_user", "containerd does not answer"],
        &[
            REASON,
            "See the services: `systemctl status acr-mirror overlaybd-tcmu overlaybd-snapshotter --no-pager`",
            CONTAINERD_LOG,
        ],
        &[],
    ),
    row(
        161,
        "basePrep: configureHTTPProxyCA, configureCustomCaCertificate",
        &["The certificate is no base64 of PEM", "The trust store cannot be written", OLD_IMAGE],
        &[
            REASON,
            "Decode it: `base64 -d FILE | openssl x509 -noout -subject -enddate`",
            "See the service: `journalctl --unit=update_certs --boot --no-pager --lines=20`",
        ],
        &[],
    ),
    row(169, "basePrep: installSecureTLSBootstrapClient", DOWNLOAD, DOWNLOAD_CHECKS, &[EGRESS]),
    image_build(170, &["The unit cannot be stopped"]),
    row(
        172,
        "basePrep: disableSSH",
        &["A unit or a socket starts SSH again"],
        &["See what starts it: `systemctl status ssh sshd --no-pager; systemctl list-sockets`"],
        &[],
    ),
    row(
        178,
        "basePrep: disableSSHPubkeyAuth",
        &["/etc/ssh/sshd_config of the image has errors", "The service is masked"],
        &[REASON, "Check the file: `sshd -t`", "See the service: `journalctl --unit=ssh --boot --no-pager --lines=20`"],
        &[],
    ),
    row(
        202,
        "nodePrep: ubuntuSnapshotUpdate",
        &[OLD_IMAGE],
        &["Look for it: `systemctl cat snapshot-update.timer`"],
        &[],
    ),
    image_build(203, &["The package is not in the cache"]),
    row(
        204,
        "basePrep: configureKubeletAndKubectl",
        &[
            "KUBE_BINARY_URL names another archive: not that of a node, or of another architecture",
            "There is no source for this version: Kubernetes 1.34 and later comes as packages, and the system has no installer",
            DISK_FULL,
        ],
        &[
            REASON,
            "List the archive: `tar -tzf FILE | grep kubernetes/node/bin`",
            "See what there is: `ls -l /opt/bin`",
            DISK,
        ],
        &[],
    ),
    row(205, "nodePrep: ensureKubelet", DOWNLOAD, DOWNLOAD_CHECKS, &[EGRESS]),
    row(
        206,
        "basePrep: installNetworkPlugin",
        &[OLD_IMAGE, "The component list of the image is damaged"],
        &[
            "Look for bridge, host-local and loopback: `ls /opt/cni/bin`",
            "See the component list: `jq keys /opt/azure/components.json`",
        ],
        &[],
    ),
    row(207, "basePrep: configureKubeletAndKubectl", PULLED, PULL_CHECKS, &[]),
    row(208, "nodePrep: ensureKubelet", PULLED, PULL_CHECKS, &[]),
    row(
        210,
        "basePrep: orasLogin",
        &[NO_IDENTITY, NO_METADATA],
        &[
            "Ask for a token: `curl -s -o /dev/null -w \"%{http_code}\" -H Metadata:true --noproxy \"*\" \"http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https://management.azure.com/\"` (200 is right)",
            "List the identities: `az vmss identity show -g NODE_GROUP -n SCALE_SET`",
            METADATA_ROUTE,
        ],
        &[],
    ),
    row(
        211,
        "basePrep: orasLogin",
        &[
            "The private endpoint of the registry, or its DNS record, is missing",
            "The firewall of the registry does not allow this network",
            "The image has no oras",
        ],
        &[
            "Resolve it: `nslookup REGISTRY.azurecr.io` (a private address is right)",
            "Reach it: `curl -v https://REGISTRY.azurecr.io/v2/` (401 is right)",
            "Look for the program: `command -v oras`",
        ],
        &[
            "Scripts of the reference also end with 211 if the image has no oras, or if the registry refuses the identity.",
        ],
    ),
    row(
        212,
        "basePrep: orasLogin",
        &[
            NO_ACRPULL,
            "The tenant of the registry is another one",
            "The registry does not accept tokens of Azure Resource Manager (authentication-as-arm is disabled)",
        ],
        &[ROLES, "See its policy: `az acr config authentication-as-arm show -r REGISTRY`"],
        &["A role assignment takes minutes to work: a second try may succeed without a change."],
    ),
    row(213, "nodePrep: configureKubeletServing", &[NO_METADATA], &[METADATA], &[]),
    row(214, "basePrep: checkInstallMode", &[NO_METADATA], &[METADATA], &[]),
    row(
        215,
        "health check of DNS (scripts of the reference)",
        &["The DNS server of the virtual network cannot be reached", NO_DNS],
        &["See which server answers: `nslookup mcr.microsoft.com; cat /run/systemd/resolve/resolv.conf`", LOG],
        &[],
    ),
    row(
        216,
        "basePrep: enableLocalDNS; localdns.service",
        &[
            "Port 53 of 169.254.10.10 or 169.254.10.11 is in use",
            "The corefile is invalid",
            "The virtual network has no DNS server that answers",
            "systemd-networkd does not manage the network card",
        ],
        &[
            "See the service: `journalctl --unit=localdns --boot --no-pager --lines=50`",
            "See the file: `cat /opt/azure/containers/localdns/updated.localdns.corefile`",
            "See who listens: `ss -lnup \"sport = :53\"`",
            "See the cards: `networkctl list`",
        ],
        &[],
    ),
    row(
        217,
        "localdns.service",
        &["/etc/localdns/environment is missing or empty, so that the corefile cannot be made again"],
        &["See it: `ls -l /etc/localdns/environment /opt/azure/containers/localdns`"],
        &[],
    ),
    row(
        218,
        "localdns.service",
        &["Provisioning has not written the slice, or it was removed"],
        &["See it: `systemctl cat localdns.slice`"],
        &[],
    ),
    row(
        219,
        "localdns.service",
        &[OLD_IMAGE, "The program is of another architecture"],
        &["Try it: `/opt/azure/containers/localdns/binary/coredns --version`"],
        &[],
    ),
    row(
        220,
        "nodePrep: configureAndEnableSecureTLSBootstrapping",
        &[OLD_IMAGE],
        &["Look for it: `systemctl cat secure-tls-bootstrap`"],
        &[],
    ),
    row(
        223,
        "cloud-init-status-check.sh, before the start script",
        &[
            "CustomData is invalid: encoded twice, a blank line before its headers, cut off",
            "A module of cloud-init failed",
            "The data source cannot be reached",
        ],
        &[
            "See why: `cloud-init status --long`",
            "Read its log: `grep -E \"ERROR|WARNING\" /var/log/cloud-init.log | tail`",
            "Look at the data: `head -c 200 /var/lib/cloud/instance/user-data.txt`",
        ],
        &["The scripts have not run yet: their log is empty."],
    ),
    row(
        224,
        "nodePrep: checkDriverTag",
        &["GPU_DRIVER_TYPE grid-v20 exists for Ubuntu only", NO_METADATA],
        &[REASON, METADATA],
        &[],
    ),
    image_build(225, &[BLOCKED]),
    image_build(226, &[BLOCKED]),
    row(
        227,
        "nodePrep: configureManagedGPUExperience",
        &[OLD_IMAGE, "The managed GPU experience does not exist for this system"],
        &[REASON, "See the packages of the image: `ls /opt/*/downloads`"],
        &[],
    ),
    row(
        229,
        "managed GPU (scripts of the reference)",
        &["The driver is not loaded", "The device plugin or the exporter does not start"],
        &[
            "Read why: `journalctl --unit=nvidia-device-plugin --unit=nvidia-dcgm-exporter --boot --no-pager --lines=50`",
        ],
        &[],
    ),
    row(230, "nodePrep: configureManagedGPUExperience", &[NO_METADATA], &[METADATA], &[]),
    row(
        231,
        "basePrep: configureKubeletAndKubectl; nodePrep: ensureKubelet, ensureGPUDrivers",
        &[
            "The registry cannot be reached: a firewall, network security group or route table blocks the traffic",
            "There is no system extension of this version",
        ],
        &[
            REASON,
            ORAS_LOG,
            "List the tags: `oras repo tags mcr.microsoft.com/oss/v2/kubernetes/kubelet-sysext`",
            "See the files of the image: `ls /opt/*/downloads`",
        ],
        &[EGRESS],
    ),
    row(
        232,
        "nodePrep: ensureGPUDrivers",
        &["/etc/os-release is damaged"],
        &["See it: `grep VERSION_ID /etc/os-release`"],
        &[],
    ),
    row(
        233,
        "nodePrep: ensureKubelet",
        &[NO_RULE, "containerd does not answer", "The configuration of containerd names no pause image"],
        &[
            REASON,
            "See the image: `grep sandbox_image /etc/containerd/config.toml; ctr -n k8s.io images list | grep pause`",
            RULES,
        ],
        &[],
    ),
    row(
        234,
        "basePrep and nodePrep: fetchMetadata",
        &[NO_METADATA, "The machine does not run on Azure"],
        &[METADATA, METADATA_ROUTE],
        &[],
    ),
    row(
        235,
        "nodePrep: configureManagedGPUExperience",
        &[LOCKED, "The package is damaged"],
        &[REASON, PACKAGE_LOG, LOCK_HOLDER],
        &[],
    ),
    row(
        240,
        "controller",
        &[
            CONFIGURATION,
            "The component list of the image is missing or malformed",
            "The controller or the machine ended during the run",
        ],
        &[
            REASON,
            "Read its log: `tail -n 50 /var/log/azure/aks-node-controller.log`",
            "Check the document: `aks-node-controller validate /opt/azure/containers/aks-node-controller-config.json`",
            "See what would run: `aks-node-controller provision --provision-config /opt/azure/containers/aks-node-controller-config.json --dry-run`",
        ],
        &["On an old image it is often the image: its controller does not know a newer Configuration."],
    ),
    image_build(241, &[BLOCKED]),
    image_build(242, &["The package is not in the cache"]),
    row(
        243,
        "nodePrep: configureSecondaryNICs",
        &[
            "The virtual machine has fewer network cards than STANDARD_SECONDARY_NIC_COUNT",
            "netplan or systemd-networkd refuses the configuration",
        ],
        &[REASON, "List the cards: `ip -br link; networkctl list`", METADATA, "Check the files: `netplan generate`"],
        &[],
    ),
    row(
        244,
        "any step that writes",
        &["The disk is full, or has no inodes left", READ_ONLY],
        &[REASON, DISK, "See how it is mounted: `findmnt /; dmesg | tail -n 50`"],
        &[],
    ),
    row(
        245,
        "basePrep: checkBaseInputs; nodePrep: checkNodeInputs",
        &["A field of the Configuration is missing or malformed"],
        &[REASON, VALIDATE],
        &[],
    ),
    row(
        246,
        "provision-wait --ready=require",
        &[
            "The network plugin has not configured the node: its pods do not run, or cannot be pulled",
            TOKEN,
            "The API server cannot be reached any more, or does not admit the node",
            "The time limit is shorter than the start of this node takes",
        ],
        &[
            REASON_OF_NODE,
            KUBELET_LOG,
            "Ask the cluster: `kubectl describe node NODE; kubectl get pods -A --field-selector spec.nodeName=NODE`",
            "Look at the network plugin: `ls /etc/cni/net.d; crictl pods`",
            "Check what the node needs: `aks-node-controller diagnose --live`",
        ],
        &["The machine is provisioned: the node may become Ready later."],
    ),
    row(
        255,
        "any",
        &["The kernel ran out of memory and killed a program", "Something from outside killed the scripts"],
        &[
            "Look for the killer: `dmesg | grep -i \"killed process\"`",
            "Read what the controller did: `tail -n 50 /var/log/azure/aks-node-controller.log`",
            LOG,
        ],
        &["With an undefined constant, the code of the program before is lost: the last lines of the log have it."],
    ),
];
