//! The files that this program provides for nodes: `bake` writes them to an image, and `CustomData` of the scripted
//! route carries some of them.
//!
//! To add a file: a row here, its content under `parts/`.

use super::node_distros::Family;
use super::paths;
use crate::embedded::{EmbeddedFile, embedded};

/// The content of a file.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// This program itself.
    Program,
    /// A file under `parts/`.
    Embedded(EmbeddedFile),
    /// A file under `parts/`, by family.
    ByFamily(fn(Family) -> EmbeddedFile),
    /// This text.
    Text(&'static str),
    /// The file is a link to this path.
    Link(&'static str),
}

/// The condition under which `CustomData` of the scripted route carries a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// The scripts do not come from the image.
    Always,
    /// As [`Self::Always`], but not for customers' own images.
    Prepared,
    /// The scripts come from the image.
    Scriptless,
    /// As [`Self::Always`], and in a custom cloud also if the scripts come from the image.
    CustomCloud,
    /// As [`Self::Always`], but only for a machine that becomes an image.
    ImageStage,
}

/// A file of the node. Root owns all files.
#[derive(Clone, Copy, Debug)]
pub struct NodeFile {
    /// Absolute path.
    pub path: &'static str,
    /// Permission bits. Meaningless for links.
    pub mode: u32,
    /// Its content.
    pub content: Content,
    /// Its purpose on the node.
    pub purpose: &'static str,
    /// When `CustomData` carries it. `None` if it is only on images.
    pub carried: Option<Carried>,
    /// The variable that enables a step which needs the file. If it is `true`, `CustomData` of a machine without an AKS
    /// image carries the file.
    pub needed_by: Option<&'static str>,
    /// The families whose images have it.
    pub families: &'static [Family],
}

const EVERY: &[Family] = &[Family::Ubuntu, Family::Mariner, Family::OsGuard, Family::Flatcar, Family::Acl];
const UBUNTU: &[Family] = &[Family::Ubuntu];
const MARINER: &[Family] = &[Family::Mariner];
/// The families whose packages the cluster can patch.
const PATCHED: &[Family] = &[Family::Ubuntu, Family::Mariner];
/// The families whose machines Ignition prepares.
const IGNITION: &[Family] = &[Family::Flatcar, Family::Acl];
const AZURE_LINUX: &[Family] = &[Family::Mariner, Family::OsGuard];
const NOT_FLATCAR: &[Family] = &[Family::Ubuntu, Family::Mariner, Family::OsGuard, Family::Acl];
/// For files that are only in `CustomData`, not on images.
const NO_IMAGE: &[Family] = &[];

const fn snapshot_update(family: Family) -> EmbeddedFile {
    match family {
        Family::Mariner => embedded!("provisioning/mariner/units/snapshot-update.service"),
        _ => embedded!("provisioning/ubuntu/units/snapshot-update.service"),
    }
}

/// A file of every image that `CustomData` does not carry.
const fn file(path: &'static str, mode: u32, content: Content) -> NodeFile {
    NodeFile { path, mode, content, purpose: "", carried: None, needed_by: None, families: EVERY }
}

const fn part(path: &'static str, mode: u32, part: EmbeddedFile) -> NodeFile {
    file(path, mode, Content::Embedded(part))
}

impl NodeFile {
    const fn purpose(self, purpose: &'static str) -> Self {
        Self { purpose, ..self }
    }

    const fn mode(self, mode: u32) -> Self {
        Self { mode, ..self }
    }

    /// `CustomData` carries it too.
    const fn carried(self, carried: Carried) -> Self {
        Self { carried: Some(carried), ..self }
    }

    /// A step needs it if a variable is `true`.
    const fn needed(self, variable: &'static str) -> Self {
        Self { needed_by: Some(variable), ..self }
    }

    /// Only the images of some families have it.
    const fn only(self, families: &'static [Family]) -> Self {
        Self { families, ..self }
    }
}

/// A file with the same name for each family.
macro_rules! by_family {
    ($name:literal) => {
        Content::ByFamily(|family| match family {
            Family::Ubuntu => embedded!("provisioning/ubuntu/", $name),
            Family::Mariner => embedded!("provisioning/mariner/", $name),
            Family::OsGuard => embedded!("provisioning/osguard/", $name),
            Family::Flatcar => embedded!("provisioning/flatcar/", $name),
            Family::Acl => embedded!("provisioning/acl/", $name),
        })
    };
}

/// A systemd unit: its name, its purpose and its directory under `parts/`, by default `provisioning/units/`.
macro_rules! unit {
    ($name:literal, $purpose:literal) => {
        unit!($name, $purpose, "provisioning/units/")
    };
    ($name:literal, $purpose:literal, $parts:literal) => {
        part(concat!("/etc/systemd/system/", $name), 0o644, embedded!($parts, $name)).purpose($purpose)
    };
}

/// A link that makes a unit start with another one.
macro_rules! wanted {
    ($by:literal, $name:literal, $purpose:literal) => {
        file(
            concat!("/etc/systemd/system/", $by, ".wants/", $name),
            0o777,
            Content::Link(concat!("/etc/systemd/system/", $name)),
        )
        .purpose($purpose)
    };
}

/// A program that a unit, a step or an administrator runs.
macro_rules! service {
    ($name:literal, $mode:literal, $purpose:literal) => {
        part(concat!("/opt/azure/containers/", $name), $mode, embedded!("provisioning/services/", $name))
            .purpose($purpose)
    };
}

/// A program in the directory of the reference's own scripts.
macro_rules! script {
    ($name:literal, $purpose:literal) => {
        part(concat!("/opt/scripts/", $name), 0o755, embedded!("provisioning/services/", $name)).purpose($purpose)
    };
}

/// Every file. Those in `CustomData` are in its order.
pub static NODE_FILES: &[NodeFile] = &[
    file("/opt/azure/containers/scriptless-cse-overrides.txt", 0o644, Content::Text("scripts come from the image\n"))
        .purpose("marks a node with the scripts of the image")
        .only(NO_IMAGE)
        .carried(Carried::Scriptless),
    part(paths::SOURCE, 0o744, embedded!("provisioning/provision_source.sh"))
        .purpose("helpers of the scripts")
        .carried(Carried::Always),
    file(paths::SOURCE_DISTRO, 0o744, by_family!("provision_source_distro.sh"))
        .purpose("helpers of the family of the operating system")
        .carried(Carried::Always),
    part(paths::START_SCRIPT, 0o744, embedded!("provisioning/provision_start.sh"))
        .purpose("entry point of every route: time limit, result, marker")
        .carried(Carried::Prepared),
    part(paths::STEPS, 0o744, embedded!("provisioning/provision.sh"))
        .purpose("the lists of steps")
        .carried(Carried::Always),
    part(paths::INSTALLS, 0o744, embedded!("provisioning/provision_installs.sh"))
        .purpose("steps that install programs")
        .carried(Carried::Always),
    file(paths::INSTALLS_DISTRO, 0o744, by_family!("provision_installs_distro.sh"))
        .purpose("how programs are installed on the family of the operating system")
        .carried(Carried::Always),
    part(paths::CONFIGS, 0o744, embedded!("provisioning/provision_configs.sh"))
        .purpose("steps that write configuration")
        .carried(Carried::Always),
    part("/opt/azure/containers/provision_image_stage.sh", 0o744, embedded!("provisioning/provision_image_stage.sh"))
        .purpose("reverts the configuration of an image stage")
        .carried(Carried::ImageStage),
    part(paths::INIT_AKS_CLOUD, 0o744, embedded!("provisioning/services/init-aks-cloud.sh"))
        .purpose("root certificates and package repositories of the cloud")
        .carried(Carried::CustomCloud),
    unit!("reconcile-private-hosts.service", "keeps the address of a private API server").carried(Carried::Always),
    unit!("kubelet.service", "kubelet").mode(0o600).carried(Carried::Always),
    part(
        "/opt/azure-network/configure-azure-network.sh",
        0o755,
        embedded!("provisioning/services/configure-azure-network.sh"),
    )
    .purpose("receive ring size of network cards")
    .carried(Carried::Always),
    part("/etc/udev/rules.d/99-azure-network.rules", 0o644, embedded!("provisioning/services/99-azure-network.rules"))
        .purpose("runs configure-azure-network.sh for each network card")
        .carried(Carried::Always),
    file(paths::CONTROLLER, 0o755, Content::Program).purpose("this program"),
    part(paths::LAUNCHER, 0o755, embedded!("controller/aks-node-controller-launcher.sh"))
        .purpose("starts the controller; run by the boothook and the unit"),
    part(paths::PRELOAD, 0o744, embedded!("controller/provision_preload.sh"))
        .purpose("warms the page cache; run by the boothook"),
    part(paths::FETCH, 0o744, embedded!("controller/fetch_provision_config.py"))
        .purpose("fetches the boothook from protected settings; run by the boothook"),
    unit!("aks-early-fetch.service", "fetches the boothook where no boothook runs it", "controller/").only(IGNITION),
    wanted!("basic.target", "aks-early-fetch.service", "enables the unit").only(IGNITION),
    unit!("aks-node-controller.service", "starts the launcher if no boothook did", "controller/"),
    unit!("aks-node-controller.path", "starts the unit when an input arrives late", "controller/"),
    wanted!("basic.target", "aks-node-controller.service", "enables the unit"),
    wanted!("basic.target", "aks-node-controller.path", "enables the path unit"),
    service!("cloud-init-status-check.sh", 0o744, "waits for cloud-init; run by the classic CSE command"),
    part(paths::CUSTOM_SEARCH_DOMAINS, 0o744, embedded!("provisioning/services/setup-custom-search-domains.sh"))
        .purpose("joins the realm of a custom search domain")
        .needed("HAS_CUSTOM_SEARCH_DOMAIN"),
    part(paths::ENABLE_DHCPV6, 0o544, embedded!("provisioning/services/enable-dhcpv6.sh"))
        .purpose("IPv6 address of a dual-stack node")
        .needed("IPV6_DUAL_STACK_ENABLED"),
    service!("reconcilePrivateHosts.sh", 0o744, "keeps the address of a private API server in /etc/hosts")
        .needed("ENABLE_HOSTS_CONFIG_AGENT"),
    service!("ensure-no-dup.sh", 0o755, "drops frames that a promiscuous bridge sends twice")
        .needed("ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE"),
    service!("ensure_imds_restriction.sh", 0o755, "keeps pods from the metadata service")
        .needed("ENABLE_IMDS_RESTRICTION"),
    service!("kubelet.sh", 0o755, "keeps pods from the wire server"),
    service!("validate-kubelet-credentials.sh", 0o755, "tests the bootstrap token before the kubelet starts"),
    service!(
        "measure-tls-bootstrapping-latency.sh",
        0o755,
        "measures how long the kubelet waits for its first certificate"
    ),
    service!("bind-mount.sh", 0o544, "the kubelet's directory on the temporary disk").needed("HAS_KUBELET_DISK_TYPE"),
    service!("mig-partition.sh", 0o544, "partitions GPUs with MIG").needed("MIG_NODE"),
    part(
        "/opt/azure/containers/provision_redact_cloud_config.py",
        0o744,
        embedded!("provisioning/provision_redact_cloud_config.py"),
    )
    .purpose("prints the cloud-config without secrets"),
    part("/opt/azure/containers/provision_send_logs.py", 0o744, embedded!("provisioning/provision_send_logs.py"))
        .purpose("uploads the log bundle to the host"),
    script!("update_certs.sh", "copies certificates to the trust store").needed("SHOULD_CONFIGURE_CUSTOM_CA_TRUST"),
    script!("ipv6_nftables.sh", "lets the node answer IPv6 probes of the load balancer"),
    part("/etc/systemd/system/ipv6_nftables", 0o644, embedded!("provisioning/services/ipv6_nftables"))
        .purpose("nftables rules of ipv6_nftables.sh"),
    unit!("secure-tls-bootstrap.service", "gets the kubelet's first certificate")
        .mode(0o600)
        .needed("ENABLE_SECURE_TLS_BOOTSTRAPPING"),
    unit!("bind-mount.service", "the kubelet's directory on the temporary disk")
        .mode(0o600)
        .needed("HAS_KUBELET_DISK_TYPE"),
    part(paths::DHCPV6_SERVICE, 0o600, embedded!("provisioning/units/dhcpv6.service"))
        .purpose("IPv6 address of a dual-stack node")
        .needed("IPV6_DUAL_STACK_ENABLED"),
    unit!("ensure-no-dup.service", "drops frames that a promiscuous bridge sends twice")
        .mode(0o600)
        .needed("ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE"),
    unit!("mig-partition.service", "partitions GPUs with MIG").mode(0o600).needed("MIG_NODE"),
    unit!("update_certs.service", "copies certificates to the trust store").needed("SHOULD_CONFIGURE_CUSTOM_CA_TRUST"),
    unit!("update_certs.path", "updates the trust store when certificates change"),
    unit!("measure-tls-bootstrapping-latency.service", "measures how long the kubelet waits for its first certificate"),
    unit!("ipv6_nftables.service", "lets the node answer IPv6 probes of the load balancer"),
    unit!("containerd.service", "containerd, whose package has no unit on Azure Linux").only(AZURE_LINUX),
    wanted!("multi-user.target", "update_certs.path", "enables the path unit"),
    wanted!("multi-user.target", "ipv6_nftables.service", "enables the unit"),
    part("/opt/azure/containers/localdns/localdns.sh", 0o755, embedded!("localdns/localdns.sh"))
        .purpose("the node's DNS server"),
    part("/opt/azure/containers/localdns/localdns_exporter.sh", 0o755, embedded!("localdns/localdns_exporter.sh"))
        .purpose("metrics of the node's DNS server")
        .only(NOT_FLATCAR),
    part("/opt/azure/containers/aks-localdns-hosts-setup.sh", 0o755, embedded!("localdns/aks-localdns-hosts-setup.sh"))
        .purpose("addresses of names that the node needs even if DNS fails")
        .only(NOT_FLATCAR),
    unit!("localdns.service", "the node's DNS server", "localdns/"),
    unit!("localdns-exporter.socket", "metrics of the node's DNS server", "localdns/").only(NOT_FLATCAR),
    unit!("localdns-exporter@.service", "metrics of the node's DNS server, for one request", "localdns/")
        .only(NOT_FLATCAR),
    unit!("aks-localdns-hosts-setup.service", "addresses of names that the node needs even if DNS fails", "localdns/")
        .only(NOT_FLATCAR),
    unit!("aks-localdns-hosts-setup.timer", "refreshes these addresses", "localdns/").only(NOT_FLATCAR),
    service!("disk_queue.sh", 0o755, "queues of the system disk"),
    unit!("disk_queue.service", "queues of the system disk"),
    wanted!("multi-user.target", "disk_queue.service", "enables the unit"),
    service!("emit-kubelet-active-flags.sh", 0o755, "reports the flags and the configuration of the kubelet"),
    unit!("emit-kubelet-active-flags.service", "reports the flags and the configuration of the kubelet"),
    wanted!("kubelet.service", "emit-kubelet-active-flags.service", "enables the unit"),
    script!("cgroup-memory-telemetry.sh", "reports the memory of the system's control groups"),
    unit!("cgroup-memory-telemetry.service", "reports the memory of the system's control groups"),
    unit!("cgroup-memory-telemetry.timer", "reports the memory of the system's control groups every five minutes"),
    wanted!("timers.target", "cgroup-memory-telemetry.timer", "enables the timer"),
    script!("cgroup-pressure-telemetry.sh", "reports the pressure on the system's control groups"),
    unit!("cgroup-pressure-telemetry.service", "reports the pressure on the system's control groups"),
    unit!("cgroup-pressure-telemetry.timer", "reports the pressure on the system's control groups every five minutes"),
    wanted!("timers.target", "cgroup-pressure-telemetry.timer", "enables the timer"),
    unit!("logrotate.service", "rotates logs"),
    unit!("logrotate.timer", "rotates logs every hour"),
    wanted!("timers.target", "logrotate.timer", "enables the timer"),
    service!("aks-log-collector.sh", 0o755, "collects and uploads logs for support"),
    service!("aks-log-collector.py", 0o755, "packs logs into a bundle"),
    unit!("aks-log-collector.service", "collects and uploads logs for support"),
    unit!("aks-log-collector.slice", "resource limits of the log collection"),
    unit!("aks-log-collector.timer", "collects logs every hour; a step enables it"),
    service!("ubuntu-snapshot-update.sh", 0o544, "patches packages to the state that the cluster requests")
        .only(UBUNTU),
    service!("mariner-package-update.sh", 0o544, "patches packages to the state that the cluster requests")
        .only(MARINER),
    file("/etc/systemd/system/snapshot-update.service", 0o644, Content::ByFamily(snapshot_update))
        .purpose("patches packages to the state that the cluster requests")
        .only(PATCHED),
    unit!("snapshot-update.timer", "checks every ten minutes for packages to patch; a step enables it").only(PATCHED),
    service!(
        "format-mount-nvme-root.sh",
        0o544,
        "the kubelet's directory on the local NVMe disks of NVIDIA Grace Blackwell"
    )
    .only(UBUNTU),
    unit!(
        "format-mount-nvme-root.service",
        "the kubelet's directory on the local NVMe disks; images for these machines enable it"
    )
    .mode(0o600)
    .only(UBUNTU),
    part(
        "/etc/systemd/system/localdns.service.d/delegate.conf",
        0o644,
        embedded!("localdns/localdns.service.d/delegate.conf"),
    )
    .purpose("CPU time of the node's DNS server"),
];

/// The files of a family's images.
pub fn image_files(family: Family) -> impl Iterator<Item = &'static NodeFile> {
    NODE_FILES.iter().filter(move |file| file.families.contains(&family))
}

/// Files that an earlier run can leave behind and that must not be on an image: a node made from it would count as provisioned, would be
/// provisioned with the input of another one, or would skip its own.
pub static LEFTOVERS: [&str; 11] = [
    paths::PROVISION_COMPLETE,
    paths::BASE_PREP_COMPLETE,
    paths::RESULT,
    "/var/log/azure/aks/provision.json.previous",
    paths::FETCHED_BOOTHOOK,
    paths::SECOND_BOOTHOOK,
    paths::HOTFIX,
    paths::FEATURES,
    paths::COMMAND,
    paths::CONFIGURATION,
    paths::EARLY_FETCH,
];
