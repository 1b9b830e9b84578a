//! The VM images from which Karpenter chooses: galleries, and the image definitions of each release in order of
//! preference.
//!
//! From `pkg/providers/imagefamily` of Karpenter's provider for Azure. To add a release: a static list of definitions
//! here, and its row in `inputs::karpenter::launch_template`.

/// Minor versions of Kubernetes 1 for which AKS images are built.
pub const KUBERNETES_MINORS: std::ops::RangeInclusive<u64> = 28..=37;

/// The galleries that publish the images of a distribution.
#[derive(Debug, PartialEq, Eq)]
pub struct Gallery {
    /// The community gallery.
    pub community: &'static str,
    /// The resource group of the shared image gallery.
    pub resource_group: &'static str,
    /// The shared image gallery.
    pub shared: &'static str,
}

/// The galleries of Ubuntu.
pub static UBUNTU: Gallery = Gallery {
    community: "AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2",
    resource_group: "AKS-Ubuntu",
    shared: "AKSUbuntu",
};

/// The galleries of Azure Linux.
pub static AZURE_LINUX: Gallery = Gallery {
    community: "AKSAzureLinux-f7c7cda5-1c9a-4bdc-a222-9614c968580b",
    resource_group: "AKS-AzureLinux",
    shared: "AKSAzureLinux",
};

/// An image definition of a gallery.
#[derive(Debug, PartialEq, Eq)]
pub struct ImageDefinition {
    /// The name in the gallery.
    pub name: &'static str,
    /// `amd64` or `arm64`.
    pub architecture: &'static str,
    /// The generation of Hyper-V, `1` or `2`.
    pub generation: &'static str,
    /// AKS's name of the image; see `node_distros`.
    pub distro: &'static str,
    /// Whether only the shared image gallery has it.
    pub shared_only: bool,
}

const fn both(
    name: &'static str,
    architecture: &'static str,
    generation: &'static str,
    distro: &'static str,
) -> ImageDefinition {
    ImageDefinition { name, architecture, generation, distro, shared_only: false }
}

const fn shared(
    name: &'static str,
    architecture: &'static str,
    generation: &'static str,
    distro: &'static str,
) -> ImageDefinition {
    ImageDefinition { name, architecture, generation, distro, shared_only: true }
}

/// The security features of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// None.
    Plain,
    /// Trusted launch.
    TrustedLaunch,
    /// FIPS-validated cryptography.
    Fips,
    /// Both.
    FipsTrustedLaunch,
}

/// Ubuntu 20.04, which only remains for FIPS.
pub static UBUNTU_2004_FIPS: &[ImageDefinition] = &[
    shared("2004gen2fipscontainerd", "amd64", "2", "aks-ubuntu-fips-containerd-20.04-gen2"),
    shared("2004fipscontainerd", "amd64", "1", "aks-ubuntu-fips-containerd-20.04"),
];
/// Ubuntu 22.04.
pub static UBUNTU_2204: &[ImageDefinition] = &[
    both("2204gen2containerd", "amd64", "2", "aks-ubuntu-containerd-22.04-gen2"),
    both("2204containerd", "amd64", "1", "aks-ubuntu-containerd-22.04"),
    both("2204gen2arm64containerd", "arm64", "2", "aks-ubuntu-arm64-containerd-22.04-gen2"),
];
/// Ubuntu 22.04 with trusted launch.
pub static UBUNTU_2204_TRUSTED: &[ImageDefinition] =
    &[both("2204gen2TLcontainerd", "amd64", "2", "aks-ubuntu-containerd-22.04-tl-gen2")];
/// Ubuntu 22.04 with FIPS and trusted launch.
pub static UBUNTU_2204_FIPS_TRUSTED: &[ImageDefinition] =
    &[shared("2204gen2fipsTLcontainerd", "amd64", "2", "aks-ubuntu-fips-containerd-22.04-tl-gen2")];
/// Ubuntu 24.04.
pub static UBUNTU_2404: &[ImageDefinition] = &[
    both("2404gen2containerd", "amd64", "2", "aks-ubuntu-containerd-24.04-gen2"),
    both("2404containerd", "amd64", "1", "aks-ubuntu-containerd-24.04"),
    both("2404gen2arm64containerd", "arm64", "2", "aks-ubuntu-arm64-containerd-24.04-gen2"),
];
/// Ubuntu 24.04 with trusted launch.
pub static UBUNTU_2404_TRUSTED: &[ImageDefinition] =
    &[both("2404gen2TLcontainerd", "amd64", "2", "aks-ubuntu-containerd-24.04-tl-gen2")];
/// Azure Linux 2.
pub static AZURE_LINUX_2: &[ImageDefinition] = &[
    both("V2gen2", "amd64", "2", "aks-azurelinux-v2-gen2"),
    both("V2", "amd64", "1", "aks-azurelinux-v2"),
    both("V2gen2arm64", "arm64", "2", "aks-azurelinux-v2-arm64-gen2"),
];
/// Azure Linux 2 with trusted launch.
pub static AZURE_LINUX_2_TRUSTED: &[ImageDefinition] = &[both("V2gen2TL", "amd64", "2", "aks-azurelinux-v2-gen2-tl")];
/// Azure Linux 2 with FIPS.
pub static AZURE_LINUX_2_FIPS: &[ImageDefinition] = &[
    shared("V2gen2fips", "amd64", "2", "aks-azurelinux-v2-gen2-fips"),
    shared("V2fips", "amd64", "1", "aks-azurelinux-v2-fips"),
];
/// Azure Linux 3.
pub static AZURE_LINUX_3: &[ImageDefinition] = &[
    both("V3gen2", "amd64", "2", "aks-azurelinux-v3-gen2"),
    both("V3", "amd64", "1", "aks-azurelinux-v3"),
    both("V3gen2arm64", "arm64", "2", "aks-azurelinux-v3-arm64-gen2"),
];
/// Azure Linux 3 with trusted launch.
pub static AZURE_LINUX_3_TRUSTED: &[ImageDefinition] = &[both("V3gen2TL", "amd64", "2", "aks-azurelinux-v3-gen2-tl")];
/// Azure Linux 3 with FIPS.
pub static AZURE_LINUX_3_FIPS: &[ImageDefinition] = &[
    shared("V3gen2fips", "amd64", "2", "aks-azurelinux-v3-gen2-fips"),
    shared("V3fips", "amd64", "1", "aks-azurelinux-v3-fips"),
    shared("V3gen2arm64fips", "arm64", "2", "aks-azurelinux-v3-arm64-gen2-fips"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::node_distros::node_distro;

    #[test]
    fn every_image_has_a_row_in_node_distros() {
        for images in [
            UBUNTU_2004_FIPS,
            UBUNTU_2204,
            UBUNTU_2204_TRUSTED,
            UBUNTU_2204_FIPS_TRUSTED,
            UBUNTU_2404,
            UBUNTU_2404_TRUSTED,
            AZURE_LINUX_2,
            AZURE_LINUX_2_TRUSTED,
            AZURE_LINUX_2_FIPS,
            AZURE_LINUX_3,
            AZURE_LINUX_3_TRUSTED,
            AZURE_LINUX_3_FIPS,
        ] {
            for image in images {
                assert!(node_distro(image.distro).is_some(), "{}", image.distro);
            }
        }
    }
}
