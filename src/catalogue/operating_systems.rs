//! Operating systems of AKS images: what runs at first boot, and what an image holds unless told otherwise.

use super::node_distros::Family;

/// One family of images.
#[derive(Debug, PartialEq, Eq)]
pub struct OperatingSystem {
    /// As `--os` names it.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// Whose scripts it gets.
    pub family: Family,
    /// What reads `CustomData` at first boot.
    pub first_boot: FirstBoot,
    /// The containerd of current images, for rendering away from a node. The layout of its configuration hangs on it.
    pub containerd_version: &'static str,
}

/// What reads `CustomData` at first boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstBoot {
    /// cloud-init: MIME, cloud-config and scripts, gzip'd or not.
    CloudInit,
    /// Ignition: one JSON document, never gzip'd as a whole.
    Ignition,
}

const fn distro(
    name: &'static str,
    title: &'static str,
    family: Family,
    first_boot: FirstBoot,
    containerd_version: &'static str,
) -> OperatingSystem {
    OperatingSystem { name, title, family, first_boot, containerd_version }
}

/// The first is the default.
pub static OPERATING_SYSTEMS: [OperatingSystem; 6] = [
    distro("ubuntu", "Ubuntu", Family::Ubuntu, FirstBoot::CloudInit, "2.1.4"),
    distro("azurelinux", "Azure Linux 3", Family::Mariner, FirstBoot::CloudInit, "2.0.0"),
    distro("mariner", "CBL-Mariner 2", Family::Mariner, FirstBoot::CloudInit, "1.6.26"),
    distro("osguard", "Azure Linux with OS Guard", Family::OsGuard, FirstBoot::CloudInit, "2.0.0"),
    distro("flatcar", "Flatcar Container Linux", Family::Flatcar, FirstBoot::Ignition, "1.7.23"),
    distro("acl", "Azure Container Linux", Family::Acl, FirstBoot::Ignition, "2.0.0"),
];

/// The row of a name.
#[must_use]
pub fn operating_system(name: &str) -> Option<&'static OperatingSystem> {
    OPERATING_SYSTEMS.iter().find(|distro| distro.name == name)
}

impl FirstBoot {
    /// The program's name.
    #[must_use]
    pub const fn reader(self) -> &'static str {
        match self {
            Self::CloudInit => "cloud-init",
            Self::Ignition => "Ignition",
        }
    }
}
