//! Likely causes that several codes share, also with what lines of a log point to ([`super::clues`]).

pub(super) const BLOCKED: &str = "A firewall, network security group or route table blocks the traffic, or the subnet has no way out (NAT gateway, load balancer)";
pub(super) const NO_DNS: &str = "DNS of the virtual network does not resolve public names";
pub(super) const PROXY: &str = "The proxy cannot be used: its name, its port, its account, or what it allows";
pub(super) const UNTRUSTED: &str =
    "Something between inspects TLS, or the authority is another one: the node does not trust the certificate";
pub(super) const DISK_FULL: &str = "The disk is full";
pub(super) const READ_ONLY: &str = "The file system is read-only after an error";
pub(super) const LOCKED: &str = "Another process holds the lock of the package manager";
pub(super) const NO_VERSION: &str = "The version does not exist where it is looked for";
pub(super) const KEY_EXPIRED: &str = "The key of a repository has expired or changed";
pub(super) const CLOCK: &str = "The clock of the machine is wrong, or a certificate has expired";
pub(super) const NO_ACRPULL: &str =
    "The identity of the kubelet has no AcrPull on the registry, or the assignment is too new";
pub(super) const NO_IDENTITY: &str = "The identity is not assigned to the virtual machine";
pub(super) const NO_METADATA: &str = "A proxy, route or rule takes the traffic to 169.254.169.254";
pub(super) const API_BLOCKED: &str =
    "A firewall, network security group or route table blocks the API server on port 443";
pub(super) const CLUSTER_STOPPED: &str = "The cluster is stopped or was deleted, or its API server is another one";
pub(super) const ZONE_NOT_FORWARDED: &str =
    "A DNS server of the customer does not forward the zone of the cluster to Azure (168.63.129.16)";
pub(super) const ZONE_NOT_LINKED: &str =
    "The private DNS zone of the cluster is not linked to the network of the node, or of its DNS server";
pub(super) const NO_RECORD: &str =
    "The record of the API server does not exist yet, or not any more: the cluster was stopped, started or deleted";
pub(super) const UNKNOWN_FLAG: &str = "kubelet does not know a flag or a field: it was removed before this version";
pub(super) const TOKEN: &str = "The bootstrap token has expired or belongs to another cluster";
pub(super) const KUBELET_ENDS: &str =
    "kubelet ends again and again: a flag or field it does not know, or a setting of the kernel that it may not change";
pub(super) const CONTAINERD_CONFIG: &str = "The configuration of containerd is broken, or a drop-in of its unit";
pub(super) const SECURE_BOOT: &str =
    "Secure boot rejects the module: the virtual machine is a trusted launch one, and the module is not signed";
pub(super) const GPU_DEFECTIVE: &str = "The GPU is defective, or the driver does not know it";
pub(super) const KERNEL_CHANGED: &str =
    "The kernel is newer than the modules on the disk: an upgrade waits for a reboot";
pub(super) const CONFIGURATION: &str =
    "The Configuration is missing, cannot be read, or has a version that this controller does not know";
pub(super) const OLD_IMAGE: &str = "The image lacks it: the image is older than the scripts, or damaged";
pub(super) const SLOW: &str = "The download took longer than its limit";
pub(super) const NO_RULE: &str = "The cache rule of the registry for mcr.microsoft.com is missing";
pub(super) const NO_REPOSITORY: &str = "The package repository cannot be reached";
pub(super) const KERNEL_SETTINGS: &str = "kubelet finds kernel settings that it may not change (protectKernelDefaults)";
pub(super) const NO_NIC_ADDRESS: &str =
    "The metadata has no address of the primary network card, which the rule for the metadata service needs";
pub(super) const GPU_MODULE: &str = "The module of the driver is not loaded";
pub(super) const NO_ORAS: &str = "The image has no oras";
pub(super) const BAD_TIMEOUT: &str =
    "CSE_TIMEOUT is empty or no duration, so that `timeout` does not start the scripts";
pub(super) const OUT_OF_MEMORY: &str = "The kernel ran out of memory and killed a program";
pub(super) const NO_DNS_SERVER: &str = "The DNS server of the virtual network cannot be reached";

pub(super) const DOWNLOAD: &[&str] =
    &[BLOCKED, "The address names a version or a host that does not exist", NO_DNS, SLOW];
pub(super) const PACKAGE: &[&str] = &[BLOCKED, NO_VERSION, LOCKED, DISK_FULL];
pub(super) const PULL: &[&str] = &[NO_RULE, NO_ACRPULL, NO_VERSION];
