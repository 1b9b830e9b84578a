//! The images that a NodeBootstrappingConfiguration can name, and the facts that follow from each name.
//!
//! To add an image: a row in `NODE_DISTROS`.

/// A family of distributions. Each has its own provisioning scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Azure Container Linux.
    Acl,
    /// Azure Linux with OS Guard.
    OsGuard,
    /// CBL-Mariner and Azure Linux.
    Mariner,
    /// Flatcar Container Linux.
    Flatcar,
    /// Ubuntu, and every other distribution.
    Ubuntu,
}

/// The facts that follow from the name of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the columns of a table")]
pub struct NodeDistro {
    /// The family, unless the OS SKU names another one.
    pub family: Family,
    /// Whether AKS built the image, so that it contains the software of a node.
    pub is_vhd: bool,
    /// Whether the image uses cgroups v2.
    pub has_cgroup_v2: bool,
    /// Whether containerd's configuration has the layout of version 2.
    pub has_containerd_2: bool,
    /// Whether pods can run in their own virtual machines.
    pub is_kata: bool,
    /// Whether the customer built the image.
    pub is_customized: bool,
    /// Whether containerd keeps the image's limit of open files, even if the document sets one.
    pub keeps_open_files: bool,
}

const NOTHING: NodeDistro = NodeDistro {
    family: Family::Ubuntu,
    is_vhd: false,
    has_cgroup_v2: false,
    has_containerd_2: false,
    is_kata: false,
    is_customized: false,
    keeps_open_files: false,
};
const UBUNTU_20: NodeDistro = NodeDistro { is_vhd: true, ..NOTHING };
const UBUNTU_22: NodeDistro = NodeDistro { has_cgroup_v2: true, ..UBUNTU_20 };
const UBUNTU_24: NodeDistro = NodeDistro { has_containerd_2: true, keeps_open_files: true, ..UBUNTU_22 };
const MARINER: NodeDistro = NodeDistro { family: Family::Mariner, ..UBUNTU_20 };
const AZURE_LINUX_2: NodeDistro = NodeDistro { has_cgroup_v2: true, ..MARINER };
const AZURE_LINUX_3: NodeDistro = NodeDistro { has_containerd_2: true, ..AZURE_LINUX_2 };
const CUSTOMIZED: NodeDistro = NodeDistro { is_customized: true, ..NOTHING };

/// A common prefix of names, their suffixes, and the facts that follow from these names.
static NODE_DISTROS: &[(&str, &[&str], NodeDistro)] = &[
    ("aks-ubuntu-fips-containerd-20.04", &["", "-gen2"], UBUNTU_20),
    ("aks-ubuntu-containerd-20.04", &["-cvm-gen2"], UBUNTU_20),
    ("aks-ubuntu-containerd-22.04", &["", "-gen2", "-tl-gen2"], UBUNTU_22),
    ("aks-ubuntu-fips-containerd-22.04", &["", "-gen2", "-tl-gen2"], UBUNTU_22),
    ("aks-ubuntu-edgezone-containerd-22.04", &["", "-gen2"], UBUNTU_22),
    ("aks-ubuntu-arm64-containerd-22.04", &["-gen2"], UBUNTU_22),
    ("aks-ubuntu-egress-containerd-22.04", &["-gen2"], NOTHING),
    ("ubuntu", &[""], NOTHING),
    ("aks-ubuntu-containerd-24.04", &["", "-gen2", "-tl-gen2", "-cvm-gen2"], UBUNTU_24),
    ("aks-ubuntu-edgezone-containerd-24.04", &["", "-gen2"], UBUNTU_24),
    ("aks-ubuntu-arm64-containerd-24.04", &["-gen2"], UBUNTU_24),
    ("aks-ubuntu-arm64-gb200-containerd-24.04", &["-gen2"], UBUNTU_24),
    ("aks-ubuntu-minimal-containerd-26.04", &["-gen2"], UBUNTU_24),
    ("aks-ubuntu-minimal-arm64-containerd-26.04", &["-gen2"], UBUNTU_24),
    ("aks-cblmariner-v1", &[""], MARINER),
    ("aks-cblmariner-v2", &["", "-gen2", "-fips", "-gen2-fips", "-gen2-tl", "-arm64-gen2"], MARINER),
    ("aks-cblmariner-v2-gen2-kata", &[""], NodeDistro { is_kata: true, ..AZURE_LINUX_2 }),
    ("aks-cblmariner-v2-kata-gen2-tl", &[""], NodeDistro { is_kata: true, ..MARINER }),
    ("aks-azurelinux-v2", &["", "-gen2", "-fips", "-gen2-fips", "-gen2-tl", "-arm64-gen2"], AZURE_LINUX_2),
    ("aks-azurelinux-v2-gen2-kata", &[""], NodeDistro { is_kata: true, ..AZURE_LINUX_2 }),
    (
        "aks-azurelinux-v3",
        &[
            "",
            "-gen2",
            "-fips",
            "-gen2-fips",
            "-gen2-tl",
            "-cvm-gen2",
            "-arm64-gen2",
            "-arm64-gen2-fips",
            "-edgezone",
            "-edgezone-gen2",
        ],
        AZURE_LINUX_3,
    ),
    ("aks-azurelinux-v3-osguard-gen2-fips-tl", &[""], NodeDistro { family: Family::OsGuard, ..AZURE_LINUX_3 }),
    ("aks-azurelinux-v3-gen2-kata", &[""], NodeDistro { is_vhd: false, is_kata: true, ..AZURE_LINUX_2 }),
    ("aks-flatcar", &["-gen2", "-arm64-gen2"], NodeDistro { family: Family::Flatcar, ..UBUNTU_22 }),
    (
        "aks-acl",
        &["-gen2-tl", "-arm64-gen2-tl", "-gen2-fips-tl", "-arm64-gen2-fips-tl"],
        NodeDistro { family: Family::Acl, has_containerd_2: true, ..UBUNTU_22 },
    ),
    ("CustomizedImage", &["", "TrustedLaunch"], CUSTOMIZED),
    ("CustomizedImageLinuxGuard", &[""], NodeDistro { family: Family::OsGuard, ..CUSTOMIZED }),
    ("CustomizedImageKata", &[""], NodeDistro { is_kata: true, ..CUSTOMIZED }),
];

/// Returns the facts that follow from the name of an image; `None` if no image has the name.
#[must_use]
pub fn node_distro(name: &str) -> Option<NodeDistro> {
    let found =
        NODE_DISTROS.iter().find(|(begin, ends, _)| name.strip_prefix(begin).is_some_and(|end| ends.contains(&end)));
    found.map(|(.., distro)| *distro)
}

/// Returns the name of every image.
pub fn node_distro_names() -> impl Iterator<Item = String> {
    NODE_DISTROS.iter().flat_map(|(begin, ends, _)| ends.iter().map(move |end| format!("{begin}{end}")))
}

impl NodeDistro {
    /// Returns the family. The OS SKU takes precedence over the name of the image.
    #[must_use]
    pub fn family(&self, os_sku: &str) -> Family {
        match (os_sku, self.family) {
            ("AzureContainerLinux", _) | (_, Family::Acl) => Family::Acl,
            (_, Family::OsGuard) => Family::OsGuard,
            ("CBLMariner" | "Mariner" | "AzureLinux", _) | (_, Family::Mariner) => Family::Mariner,
            ("Flatcar", _) | (_, Family::Flatcar) => Family::Flatcar,
            _ => Family::Ubuntu,
        }
    }

    /// Reports whether the node uses cgroups v2, by its image or its OS SKU.
    #[must_use]
    pub fn needs_cgroup_v2(&self, os_sku: &str) -> bool {
        self.has_cgroup_v2 || ["AzureLinux", "Flatcar", "AzureContainerLinux"].contains(&os_sku)
    }
}

impl Family {
    /// Returns the operating system of `--os` for an image of this family.
    #[must_use]
    pub fn os(self, distro: &str, os_sku: &str) -> &'static str {
        match self {
            Self::Acl => "acl",
            Self::OsGuard => "osguard",
            Self::Mariner if distro.starts_with("aks-cblmariner") || ["CBLMariner", "Mariner"].contains(&os_sku) => {
                "mariner"
            }
            Self::Mariner => "azurelinux",
            Self::Flatcar => "flatcar",
            Self::Ubuntu => "ubuntu",
        }
    }
}
