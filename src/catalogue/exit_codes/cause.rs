//! Likely causes that several codes, or codes and clues ([`super::clues`]), share.

pub(super) const BLOCKED: &str = "A firewall, network security group or route table blocks the traffic, or the subnet \
    has no outbound path (NAT gateway, load balancer)";
pub(super) const NO_DNS: &str = "The DNS servers of the virtual network do not resolve public names";
pub(super) const PROXY: &str = "The proxy cannot be used: its name, port, credentials or rules are wrong";
pub(super) const UNTRUSTED: &str =
    "A device on the network path inspects TLS, or the CA is another one: the node does not trust the certificate";
pub(super) const DISK_FULL: &str = "The disk is full";
pub(super) const READ_ONLY: &str = "The file system is read-only after an error";
pub(super) const LOCKED: &str = "Another process holds the lock of the package manager";
pub(super) const NO_VERSION: &str = "The version does not exist at the source";
pub(super) const KEY_EXPIRED: &str = "The key of a repository has expired or changed";
pub(super) const CLOCK: &str = "The machine's clock is wrong, or a certificate has expired";
pub(super) const NO_ACRPULL: &str =
    "The kubelet's identity lacks the role AcrPull on the registry, or the role assignment is too new";
pub(super) const NO_IDENTITY: &str = "The identity is not assigned to the virtual machine";
pub(super) const NO_METADATA: &str = "A proxy, route or rule diverts the traffic to 169.254.169.254";
pub(super) const API_BLOCKED: &str =
    "A firewall, network security group or route table blocks the API server on port 443";
pub(super) const CLUSTER_STOPPED: &str = "The cluster is stopped or was deleted, or its API server has another address";
pub(super) const ZONE_NOT_FORWARDED: &str =
    "A custom DNS server does not forward the cluster's zone to Azure (168.63.129.16)";
pub(super) const ZONE_NOT_LINKED: &str =
    "The cluster's private DNS zone is not linked to the network of the node or of its DNS server";
pub(super) const NO_RECORD: &str =
    "The API server's DNS record does not exist yet, or was deleted: the cluster was stopped, started or deleted";
pub(super) const UNKNOWN_FLAG: &str = "The kubelet does not know a flag or a field, which was removed before this \
    version";
pub(super) const TOKEN: &str = "The bootstrap token has expired or belongs to another cluster";
pub(super) const KUBELET_ENDS: &str =
    "The kubelet exits repeatedly, because of an unknown flag or field, or a kernel setting that it must not change";
pub(super) const NOT_APPROVED: &str = "The cluster does not approve or sign the kubelet's certificate request: its controller \
    manager does not run, or a role binding is missing";
pub(super) const MAY_NOT_ASK: &str =
    "The bootstrap token may not ask for a certificate: the role binding of its group is missing";
pub(super) const BAD_VALUE: &str = "A flag of the kubelet has a value that the kubelet does not accept";
pub(super) const RESERVED: &str = "More is reserved for the system and the kubelet than the machine has";
pub(super) const CONTAINERD_CONFIG: &str = "containerd's configuration or a drop-in of its unit is invalid";
pub(super) const SECURE_BOOT: &str =
    "Secure boot rejects the module: the virtual machine has trusted launch, and the module is not signed";
pub(super) const GPU_DEFECTIVE: &str = "The GPU is defective, or the driver does not support it";
pub(super) const KERNEL_CHANGED: &str =
    "The kernel is newer than the modules on the disk: an upgrade waits for a reboot";
pub(super) const CONFIGURATION: &str =
    "The Configuration is missing, cannot be read, or has a version that this controller does not support";
pub(super) const OLD_IMAGE: &str = "The image does not contain it, because the image is older than the scripts or \
    damaged";
pub(super) const SLOW: &str = "The download exceeded its time limit";
pub(super) const NO_RULE: &str = "The registry has no cache rule for mcr.microsoft.com";
pub(super) const NO_REPOSITORY: &str = "The package repository cannot be reached";
pub(super) const KERNEL_SETTINGS: &str = "The kubelet finds kernel settings that it must not change \
    (protectKernelDefaults)";
pub(super) const NO_NIC_ADDRESS: &str =
    "The metadata lacks the address of the primary network interface, which the rule for the metadata service needs";
pub(super) const GPU_MODULE: &str = "The driver's kernel module is not loaded";
pub(super) const NO_ORAS: &str = "The image has no oras";
pub(super) const BAD_TIMEOUT: &str = "CSE_TIMEOUT is empty or not a duration, so `timeout` does not start the scripts";
pub(super) const OUT_OF_MEMORY: &str = "The kernel ran out of memory and killed a program";
pub(super) const NO_DNS_SERVER: &str = "The DNS server of the virtual network cannot be reached";

pub(super) const DOWNLOAD: &[&str] = &[BLOCKED, "The URL names a version or a host that does not exist", NO_DNS, SLOW];
pub(super) const PACKAGE: &[&str] = &[BLOCKED, NO_VERSION, LOCKED, DISK_FULL];
pub(super) const PULL: &[&str] = &[NO_RULE, NO_ACRPULL, NO_VERSION];
