//! Files of the node that come from this program: `bake` writes them to an image, and `CustomData` of the scripted route
//! carries some of them.
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
    /// None: the file is a link to this path.
    Link(&'static str),
}

/// Under which condition `CustomData` of the scripted route carries a file.
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
}

/// A file of the node. All files belong to root.
#[derive(Clone, Copy, Debug)]
pub struct NodeFile {
    /// Absolute path.
    pub path: &'static str,
    /// Permission bits. Meaningless for links.
    pub mode: u32,
    /// Its content.
    pub content: Content,
    /// What the node needs it for.
    pub purpose: &'static str,
    /// When `CustomData` carries it. `None`: it is on images only.
    pub carried: Option<Carried>,
    /// The variable that, if it is `true`, makes a step need the file. `CustomData` of a machine that has no image of AKS carries
    /// it then.
    pub needed_by: Option<&'static str>,
    /// The families whose images have it.
    pub families: &'static [Family],
}

const EVERY: &[Family] = &[Family::Ubuntu, Family::Mariner, Family::OsGuard, Family::Flatcar, Family::Acl];
const UBUNTU: &[Family] = &[Family::Ubuntu];
const MARINER: &[Family] = &[Family::Mariner];
/// The families whose packages the cluster can have patched.
const PATCHED: &[Family] = &[Family::Ubuntu, Family::Mariner];
const AZURE_LINUX: &[Family] = &[Family::Mariner, Family::OsGuard];
const NOT_FLATCAR: &[Family] = &[Family::Ubuntu, Family::Mariner, Family::OsGuard, Family::Acl];
/// For files that `CustomData` carries and no image has.
const NO_IMAGE: &[Family] = &[];

const fn source_distro(family: Family) -> EmbeddedFile {
    match family {
        Family::Ubuntu => embedded!("provisioning/ubuntu/provision_source_distro.sh"),
        Family::Mariner => embedded!("provisioning/mariner/provision_source_distro.sh"),
        Family::OsGuard => embedded!("provisioning/osguard/provision_source_distro.sh"),
        Family::Flatcar => embedded!("provisioning/flatcar/provision_source_distro.sh"),
        Family::Acl => embedded!("provisioning/acl/provision_source_distro.sh"),
    }
}

const fn installs_distro(family: Family) -> EmbeddedFile {
    match family {
        Family::Ubuntu => embedded!("provisioning/ubuntu/provision_installs_distro.sh"),
        Family::Mariner => embedded!("provisioning/mariner/provision_installs_distro.sh"),
        Family::OsGuard => embedded!("provisioning/osguard/provision_installs_distro.sh"),
        Family::Flatcar => embedded!("provisioning/flatcar/provision_installs_distro.sh"),
        Family::Acl => embedded!("provisioning/acl/provision_installs_distro.sh"),
    }
}

const fn snapshot_update(family: Family) -> EmbeddedFile {
    match family {
        Family::Mariner => embedded!("provisioning/mariner/units/snapshot-update.service"),
        _ => embedded!("provisioning/ubuntu/units/snapshot-update.service"),
    }
}

/// A file of every image that `CustomData` does not carry.
const fn file(path: &'static str, mode: u32, purpose: &'static str, content: Content) -> NodeFile {
    NodeFile { path, mode, content, purpose, carried: None, needed_by: None, families: EVERY }
}

/// The same file, carried by `CustomData` too.
const fn carried(carried: Carried, file: NodeFile) -> NodeFile {
    NodeFile { carried: Some(carried), ..file }
}

/// The same file, which a step needs if a variable is `true`.
const fn needed(variable: &'static str, file: NodeFile) -> NodeFile {
    NodeFile { needed_by: Some(variable), ..file }
}

/// The same file, for some families only.
const fn only(families: &'static [Family], file: NodeFile) -> NodeFile {
    NodeFile { families, ..file }
}

/// Every file. Those that `CustomData` carries are in the order in which it carries them.
pub static NODE_FILES: &[NodeFile] = &[
    carried(
        Carried::Scriptless,
        only(
            NO_IMAGE,
            file(
                "/opt/azure/containers/scriptless-cse-overrides.txt",
                0o644,
                "marks a node whose scripts come from the image",
                Content::Text("scripts come from the image\n"),
            ),
        ),
    ),
    carried(
        Carried::Always,
        file(
            paths::SOURCE,
            0o744,
            "helpers of the scripts",
            Content::Embedded(embedded!("provisioning/provision_source.sh")),
        ),
    ),
    carried(
        Carried::Always,
        file(
            paths::SOURCE_DISTRO,
            0o744,
            "helpers of the family of the operating system",
            Content::ByFamily(source_distro),
        ),
    ),
    carried(
        Carried::Prepared,
        file(
            paths::START_SCRIPT,
            0o744,
            "entry point of every route: time limit, result, marker",
            Content::Embedded(embedded!("provisioning/provision_start.sh")),
        ),
    ),
    carried(
        Carried::Always,
        file(
            "/opt/azure/containers/provision.sh",
            0o744,
            "the lists of steps",
            Content::Embedded(embedded!("provisioning/provision.sh")),
        ),
    ),
    carried(
        Carried::Always,
        file(
            paths::INSTALLS,
            0o744,
            "steps that install programs",
            Content::Embedded(embedded!("provisioning/provision_installs.sh")),
        ),
    ),
    carried(
        Carried::Always,
        file(
            paths::INSTALLS_DISTRO,
            0o744,
            "how programs are installed on the family of the operating system",
            Content::ByFamily(installs_distro),
        ),
    ),
    carried(
        Carried::Always,
        file(
            paths::CONFIGS,
            0o744,
            "steps that write configuration",
            Content::Embedded(embedded!("provisioning/provision_configs.sh")),
        ),
    ),
    carried(
        Carried::CustomCloud,
        file(
            paths::INIT_AKS_CLOUD,
            0o744,
            "root certificates and package repositories of the cloud",
            Content::Embedded(embedded!("provisioning/services/init-aks-cloud.sh")),
        ),
    ),
    carried(
        Carried::Always,
        file(
            "/etc/systemd/system/reconcile-private-hosts.service",
            0o644,
            "keeps the address of a private API server",
            Content::Embedded(embedded!("provisioning/units/reconcile-private-hosts.service")),
        ),
    ),
    carried(
        Carried::Always,
        file(
            "/etc/systemd/system/kubelet.service",
            0o600,
            "kubelet",
            Content::Embedded(embedded!("provisioning/units/kubelet.service")),
        ),
    ),
    carried(
        Carried::Always,
        file(
            "/opt/azure-network/configure-azure-network.sh",
            0o755,
            "receive ring size of network cards",
            Content::Embedded(embedded!("provisioning/services/configure-azure-network.sh")),
        ),
    ),
    carried(
        Carried::Always,
        file(
            "/etc/udev/rules.d/99-azure-network.rules",
            0o644,
            "runs configure-azure-network.sh for each network card",
            Content::Embedded(embedded!("provisioning/services/99-azure-network.rules")),
        ),
    ),
    file(paths::CONTROLLER, 0o755, "this program", Content::Program),
    file(
        paths::LAUNCHER,
        0o755,
        "starts the controller; run by the boothook and the unit",
        Content::Embedded(embedded!("controller/aks-node-controller-launcher.sh")),
    ),
    file(
        paths::PRELOAD,
        0o744,
        "warms the page cache; run by the boothook",
        Content::Embedded(embedded!("controller/provision_preload.sh")),
    ),
    file(
        "/etc/systemd/system/aks-node-controller.service",
        0o644,
        "starts the launcher if no boothook did",
        Content::Embedded(embedded!("controller/aks-node-controller.service")),
    ),
    file(
        "/etc/systemd/system/aks-node-controller.path",
        0o644,
        "starts the unit when an input arrives late",
        Content::Embedded(embedded!("controller/aks-node-controller.path")),
    ),
    file(
        "/etc/systemd/system/basic.target.wants/aks-node-controller.service",
        0o777,
        "enables the unit",
        Content::Link("/etc/systemd/system/aks-node-controller.service"),
    ),
    file(
        "/etc/systemd/system/basic.target.wants/aks-node-controller.path",
        0o777,
        "enables the path unit",
        Content::Link("/etc/systemd/system/aks-node-controller.path"),
    ),
    file(
        "/opt/azure/containers/cloud-init-status-check.sh",
        0o744,
        "waits for cloud-init; run by the classic CSE command",
        Content::Embedded(embedded!("provisioning/services/cloud-init-status-check.sh")),
    ),
    needed(
        "HAS_CUSTOM_SEARCH_DOMAIN",
        file(
            paths::CUSTOM_SEARCH_DOMAINS,
            0o744,
            "joins the realm of a custom search domain",
            Content::Embedded(embedded!("provisioning/services/setup-custom-search-domains.sh")),
        ),
    ),
    needed(
        "IPV6_DUAL_STACK_ENABLED",
        file(
            paths::ENABLE_DHCPV6,
            0o544,
            "IPv6 address of a dual-stack node",
            Content::Embedded(embedded!("provisioning/services/enable-dhcpv6.sh")),
        ),
    ),
    needed(
        "ENABLE_HOSTS_CONFIG_AGENT",
        file(
            "/opt/azure/containers/reconcilePrivateHosts.sh",
            0o744,
            "keeps the address of a private API server in /etc/hosts",
            Content::Embedded(embedded!("provisioning/services/reconcilePrivateHosts.sh")),
        ),
    ),
    needed(
        "ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE",
        file(
            "/opt/azure/containers/ensure-no-dup.sh",
            0o755,
            "drops frames that a promiscuous bridge sends twice",
            Content::Embedded(embedded!("provisioning/services/ensure-no-dup.sh")),
        ),
    ),
    needed(
        "ENABLE_IMDS_RESTRICTION",
        file(
            "/opt/azure/containers/ensure_imds_restriction.sh",
            0o755,
            "keeps pods from the metadata service",
            Content::Embedded(embedded!("provisioning/services/ensure_imds_restriction.sh")),
        ),
    ),
    file(
        "/opt/azure/containers/kubelet.sh",
        0o755,
        "keeps pods from the wire server",
        Content::Embedded(embedded!("provisioning/services/kubelet.sh")),
    ),
    file(
        "/opt/azure/containers/validate-kubelet-credentials.sh",
        0o755,
        "tries the bootstrap token before kubelet starts",
        Content::Embedded(embedded!("provisioning/services/validate-kubelet-credentials.sh")),
    ),
    file(
        "/opt/azure/containers/measure-tls-bootstrapping-latency.sh",
        0o755,
        "measures how long kubelet waits for its first certificate",
        Content::Embedded(embedded!("provisioning/services/measure-tls-bootstrapping-latency.sh")),
    ),
    needed(
        "HAS_KUBELET_DISK_TYPE",
        file(
            "/opt/azure/containers/bind-mount.sh",
            0o544,
            "directory of kubelet on the temporary disk",
            Content::Embedded(embedded!("provisioning/services/bind-mount.sh")),
        ),
    ),
    needed(
        "MIG_NODE",
        file(
            "/opt/azure/containers/mig-partition.sh",
            0o544,
            "partitions GPUs with MIG",
            Content::Embedded(embedded!("provisioning/services/mig-partition.sh")),
        ),
    ),
    file(
        "/opt/azure/containers/provision_redact_cloud_config.py",
        0o744,
        "prints the cloud-config without secrets",
        Content::Embedded(embedded!("provisioning/provision_redact_cloud_config.py")),
    ),
    file(
        "/opt/azure/containers/provision_send_logs.py",
        0o744,
        "uploads the log bundle to the host",
        Content::Embedded(embedded!("provisioning/provision_send_logs.py")),
    ),
    needed(
        "SHOULD_CONFIGURE_CUSTOM_CA_TRUST",
        file(
            "/opt/scripts/update_certs.sh",
            0o755,
            "copies certificates to the trust store",
            Content::Embedded(embedded!("provisioning/services/update_certs.sh")),
        ),
    ),
    file(
        "/opt/scripts/ipv6_nftables.sh",
        0o755,
        "lets the node answer IPv6 probes of the load balancer",
        Content::Embedded(embedded!("provisioning/services/ipv6_nftables.sh")),
    ),
    file(
        "/etc/systemd/system/ipv6_nftables",
        0o644,
        "nftables rules of ipv6_nftables.sh",
        Content::Embedded(embedded!("provisioning/services/ipv6_nftables")),
    ),
    needed(
        "ENABLE_SECURE_TLS_BOOTSTRAPPING",
        file(
            "/etc/systemd/system/secure-tls-bootstrap.service",
            0o600,
            "gets the first certificate of kubelet",
            Content::Embedded(embedded!("provisioning/units/secure-tls-bootstrap.service")),
        ),
    ),
    needed(
        "HAS_KUBELET_DISK_TYPE",
        file(
            "/etc/systemd/system/bind-mount.service",
            0o600,
            "directory of kubelet on the temporary disk",
            Content::Embedded(embedded!("provisioning/units/bind-mount.service")),
        ),
    ),
    needed(
        "IPV6_DUAL_STACK_ENABLED",
        file(
            paths::DHCPV6_SERVICE,
            0o600,
            "IPv6 address of a dual-stack node",
            Content::Embedded(embedded!("provisioning/units/dhcpv6.service")),
        ),
    ),
    needed(
        "ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE",
        file(
            "/etc/systemd/system/ensure-no-dup.service",
            0o600,
            "drops frames that a promiscuous bridge sends twice",
            Content::Embedded(embedded!("provisioning/units/ensure-no-dup.service")),
        ),
    ),
    needed(
        "MIG_NODE",
        file(
            "/etc/systemd/system/mig-partition.service",
            0o600,
            "partitions GPUs with MIG",
            Content::Embedded(embedded!("provisioning/units/mig-partition.service")),
        ),
    ),
    needed(
        "SHOULD_CONFIGURE_CUSTOM_CA_TRUST",
        file(
            "/etc/systemd/system/update_certs.service",
            0o644,
            "copies certificates to the trust store",
            Content::Embedded(embedded!("provisioning/units/update_certs.service")),
        ),
    ),
    file(
        "/etc/systemd/system/update_certs.path",
        0o644,
        "updates the trust store when certificates change",
        Content::Embedded(embedded!("provisioning/units/update_certs.path")),
    ),
    file(
        "/etc/systemd/system/measure-tls-bootstrapping-latency.service",
        0o644,
        "measures how long kubelet waits for its first certificate",
        Content::Embedded(embedded!("provisioning/units/measure-tls-bootstrapping-latency.service")),
    ),
    file(
        "/etc/systemd/system/ipv6_nftables.service",
        0o644,
        "lets the node answer IPv6 probes of the load balancer",
        Content::Embedded(embedded!("provisioning/units/ipv6_nftables.service")),
    ),
    only(
        AZURE_LINUX,
        file(
            "/etc/systemd/system/containerd.service",
            0o644,
            "containerd, whose package has no unit on Azure Linux",
            Content::Embedded(embedded!("provisioning/units/containerd.service")),
        ),
    ),
    file(
        "/etc/systemd/system/multi-user.target.wants/update_certs.path",
        0o777,
        "enables the path unit",
        Content::Link("/etc/systemd/system/update_certs.path"),
    ),
    file(
        "/etc/systemd/system/multi-user.target.wants/ipv6_nftables.service",
        0o777,
        "enables the unit",
        Content::Link("/etc/systemd/system/ipv6_nftables.service"),
    ),
    file(
        "/opt/azure/containers/localdns/localdns.sh",
        0o755,
        "the node's DNS server",
        Content::Embedded(embedded!("localdns/localdns.sh")),
    ),
    only(
        NOT_FLATCAR,
        file(
            "/opt/azure/containers/localdns/localdns_exporter.sh",
            0o755,
            "metrics of the node's DNS server",
            Content::Embedded(embedded!("localdns/localdns_exporter.sh")),
        ),
    ),
    only(
        NOT_FLATCAR,
        file(
            "/opt/azure/containers/aks-localdns-hosts-setup.sh",
            0o755,
            "addresses of names that the node needs even if DNS fails",
            Content::Embedded(embedded!("localdns/aks-localdns-hosts-setup.sh")),
        ),
    ),
    file(
        "/etc/systemd/system/localdns.service",
        0o644,
        "the node's DNS server",
        Content::Embedded(embedded!("localdns/localdns.service")),
    ),
    only(
        NOT_FLATCAR,
        file(
            "/etc/systemd/system/localdns-exporter.socket",
            0o644,
            "metrics of the node's DNS server",
            Content::Embedded(embedded!("localdns/localdns-exporter.socket")),
        ),
    ),
    only(
        NOT_FLATCAR,
        file(
            "/etc/systemd/system/localdns-exporter@.service",
            0o644,
            "metrics of the node's DNS server, for one request",
            Content::Embedded(embedded!("localdns/localdns-exporter@.service")),
        ),
    ),
    only(
        NOT_FLATCAR,
        file(
            "/etc/systemd/system/aks-localdns-hosts-setup.service",
            0o644,
            "addresses of names that the node needs even if DNS fails",
            Content::Embedded(embedded!("localdns/aks-localdns-hosts-setup.service")),
        ),
    ),
    only(
        NOT_FLATCAR,
        file(
            "/etc/systemd/system/aks-localdns-hosts-setup.timer",
            0o644,
            "refreshes these addresses",
            Content::Embedded(embedded!("localdns/aks-localdns-hosts-setup.timer")),
        ),
    ),
    file(
        "/opt/azure/containers/disk_queue.sh",
        0o755,
        "queues of the system disk",
        Content::Embedded(embedded!("provisioning/services/disk_queue.sh")),
    ),
    file(
        "/etc/systemd/system/disk_queue.service",
        0o644,
        "queues of the system disk",
        Content::Embedded(embedded!("provisioning/units/disk_queue.service")),
    ),
    file(
        "/etc/systemd/system/multi-user.target.wants/disk_queue.service",
        0o777,
        "enables the unit",
        Content::Link("/etc/systemd/system/disk_queue.service"),
    ),
    file(
        "/opt/azure/containers/emit-kubelet-active-flags.sh",
        0o755,
        "reports the flags and the configuration of kubelet",
        Content::Embedded(embedded!("provisioning/services/emit-kubelet-active-flags.sh")),
    ),
    file(
        "/etc/systemd/system/emit-kubelet-active-flags.service",
        0o644,
        "reports the flags and the configuration of kubelet",
        Content::Embedded(embedded!("provisioning/units/emit-kubelet-active-flags.service")),
    ),
    file(
        "/etc/systemd/system/kubelet.service.wants/emit-kubelet-active-flags.service",
        0o777,
        "enables the unit",
        Content::Link("/etc/systemd/system/emit-kubelet-active-flags.service"),
    ),
    file(
        "/opt/scripts/cgroup-memory-telemetry.sh",
        0o755,
        "reports the memory of the control groups of the system",
        Content::Embedded(embedded!("provisioning/services/cgroup-memory-telemetry.sh")),
    ),
    file(
        "/etc/systemd/system/cgroup-memory-telemetry.service",
        0o644,
        "reports the memory of the control groups of the system",
        Content::Embedded(embedded!("provisioning/units/cgroup-memory-telemetry.service")),
    ),
    file(
        "/etc/systemd/system/cgroup-memory-telemetry.timer",
        0o644,
        "reports the memory of the control groups of the system every five minutes",
        Content::Embedded(embedded!("provisioning/units/cgroup-memory-telemetry.timer")),
    ),
    file(
        "/etc/systemd/system/timers.target.wants/cgroup-memory-telemetry.timer",
        0o777,
        "enables the timer",
        Content::Link("/etc/systemd/system/cgroup-memory-telemetry.timer"),
    ),
    file(
        "/opt/scripts/cgroup-pressure-telemetry.sh",
        0o755,
        "reports the pressure on the control groups of the system",
        Content::Embedded(embedded!("provisioning/services/cgroup-pressure-telemetry.sh")),
    ),
    file(
        "/etc/systemd/system/cgroup-pressure-telemetry.service",
        0o644,
        "reports the pressure on the control groups of the system",
        Content::Embedded(embedded!("provisioning/units/cgroup-pressure-telemetry.service")),
    ),
    file(
        "/etc/systemd/system/cgroup-pressure-telemetry.timer",
        0o644,
        "reports the pressure on the control groups of the system every five minutes",
        Content::Embedded(embedded!("provisioning/units/cgroup-pressure-telemetry.timer")),
    ),
    file(
        "/etc/systemd/system/timers.target.wants/cgroup-pressure-telemetry.timer",
        0o777,
        "enables the timer",
        Content::Link("/etc/systemd/system/cgroup-pressure-telemetry.timer"),
    ),
    file(
        "/etc/systemd/system/logrotate.service",
        0o644,
        "rotates logs",
        Content::Embedded(embedded!("provisioning/units/logrotate.service")),
    ),
    file(
        "/etc/systemd/system/logrotate.timer",
        0o644,
        "rotates logs every hour",
        Content::Embedded(embedded!("provisioning/units/logrotate.timer")),
    ),
    file(
        "/etc/systemd/system/timers.target.wants/logrotate.timer",
        0o777,
        "enables the timer",
        Content::Link("/etc/systemd/system/logrotate.timer"),
    ),
    file(
        "/opt/azure/containers/aks-log-collector.sh",
        0o755,
        "collects and uploads logs for support",
        Content::Embedded(embedded!("provisioning/services/aks-log-collector.sh")),
    ),
    file(
        "/opt/azure/containers/aks-log-collector.py",
        0o755,
        "packs logs into a bundle",
        Content::Embedded(embedded!("provisioning/services/aks-log-collector.py")),
    ),
    file(
        "/etc/systemd/system/aks-log-collector.service",
        0o644,
        "collects and uploads logs for support",
        Content::Embedded(embedded!("provisioning/units/aks-log-collector.service")),
    ),
    file(
        "/etc/systemd/system/aks-log-collector.slice",
        0o644,
        "what the collection of logs may use",
        Content::Embedded(embedded!("provisioning/units/aks-log-collector.slice")),
    ),
    file(
        "/etc/systemd/system/aks-log-collector.timer",
        0o644,
        "collects logs every hour; a step enables it",
        Content::Embedded(embedded!("provisioning/units/aks-log-collector.timer")),
    ),
    only(
        UBUNTU,
        file(
            "/opt/azure/containers/ubuntu-snapshot-update.sh",
            0o544,
            "patches packages to the state that the cluster wants",
            Content::Embedded(embedded!("provisioning/services/ubuntu-snapshot-update.sh")),
        ),
    ),
    only(
        MARINER,
        file(
            "/opt/azure/containers/mariner-package-update.sh",
            0o544,
            "patches packages to the state that the cluster wants",
            Content::Embedded(embedded!("provisioning/services/mariner-package-update.sh")),
        ),
    ),
    only(
        PATCHED,
        file(
            "/etc/systemd/system/snapshot-update.service",
            0o644,
            "patches packages to the state that the cluster wants",
            Content::ByFamily(snapshot_update),
        ),
    ),
    only(
        PATCHED,
        file(
            "/etc/systemd/system/snapshot-update.timer",
            0o644,
            "asks every ten minutes what is to be patched; a step enables it",
            Content::Embedded(embedded!("provisioning/units/snapshot-update.timer")),
        ),
    ),
    only(
        UBUNTU,
        file(
            "/opt/azure/containers/format-mount-nvme-root.sh",
            0o544,
            "directory of kubelet on the local NVMe disks of NVIDIA Grace Blackwell",
            Content::Embedded(embedded!("provisioning/services/format-mount-nvme-root.sh")),
        ),
    ),
    only(
        UBUNTU,
        file(
            "/etc/systemd/system/format-mount-nvme-root.service",
            0o600,
            "directory of kubelet on the local NVMe disks; images for these machines enable it",
            Content::Embedded(embedded!("provisioning/units/format-mount-nvme-root.service")),
        ),
    ),
    file(
        "/etc/systemd/system/localdns.service.d/delegate.conf",
        0o644,
        "CPU time of the node's DNS server",
        Content::Embedded(embedded!("localdns/localdns.service.d/delegate.conf")),
    ),
];

/// The files of a family's images.
pub fn image_files(family: Family) -> impl Iterator<Item = &'static NodeFile> {
    NODE_FILES.iter().filter(move |file| file.families.contains(&family))
}

/// Files that an earlier run may have left and that no image may have: a node made from it would count as provisioned.
pub static LEFTOVERS: [&str; 4] =
    [paths::PROVISION_COMPLETE, paths::BASE_PREP_COMPLETE, paths::RESULT, "/var/log/azure/aks/provision.json.previous"];
