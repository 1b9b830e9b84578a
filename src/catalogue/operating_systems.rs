//! The operating systems of AKS images, which `--os` names.
//!
//! `node_distros` has the images of each, with the names in AKS's services. To add an operating system: a row in
//! [`OPERATING_SYSTEMS`].

use std::collections::BTreeMap;

use super::node_distros::Family;

/// An operating system of AKS images.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperatingSystem {
    /// The value of `--os`.
    pub name: &'static str,
    /// The name of the product.
    pub title: &'static str,
    /// The family, which has its own provisioning scripts.
    pub family: Family,
    /// The program that reads `CustomData` at the first boot.
    pub first_boot: FirstBoot,
    /// The version of containerd on current images, which decides on the format of its configuration. Used if the image
    /// is unknown.
    pub containerd_version: &'static str,
}

/// The program that reads `CustomData` at the first boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstBoot {
    /// cloud-init, which accepts MIME parts, cloud-config and scripts, optionally compressed with gzip.
    CloudInit,
    /// Ignition, which accepts one uncompressed JSON document.
    Ignition,
}

const fn row(
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
    row("ubuntu", "Ubuntu", Family::Ubuntu, FirstBoot::CloudInit, "2.1.4"),
    row("azurelinux", "Azure Linux 3", Family::Mariner, FirstBoot::CloudInit, "2.0.0"),
    row("mariner", "CBL-Mariner 2", Family::Mariner, FirstBoot::CloudInit, "1.6.26"),
    row("osguard", "Azure Linux with OS Guard", Family::OsGuard, FirstBoot::CloudInit, "2.0.0"),
    row("flatcar", "Flatcar Container Linux", Family::Flatcar, FirstBoot::Ignition, "1.7.23"),
    row("acl", "Azure Container Linux", Family::Acl, FirstBoot::Ignition, "2.0.0"),
];

/// Returns the row for a value of `--os`.
#[must_use]
pub fn operating_system(name: &str) -> Option<&'static OperatingSystem> {
    OPERATING_SYSTEMS.iter().find(|row| row.name == name)
}

/// A system whose images `bake` prepares.
#[derive(Debug)]
pub struct ImageSystem {
    /// The value of `--os` of `bake`.
    pub name: &'static str,
    /// The name of the product.
    pub title: &'static str,
    /// The family, whose files the image gets.
    pub family: Family,
}

/// The operating systems, and Debian, which has the files of Ubuntu.
pub static IMAGE_SYSTEMS: [ImageSystem; 7] = [
    ImageSystem { name: "ubuntu", title: "Ubuntu", family: Family::Ubuntu },
    ImageSystem { name: "debian", title: "Debian", family: Family::Ubuntu },
    ImageSystem { name: "azurelinux", title: "Azure Linux 3", family: Family::Mariner },
    ImageSystem { name: "mariner", title: "CBL-Mariner 2", family: Family::Mariner },
    ImageSystem { name: "osguard", title: "Azure Linux with OS Guard", family: Family::OsGuard },
    ImageSystem { name: "flatcar", title: "Flatcar Container Linux", family: Family::Flatcar },
    ImageSystem { name: "acl", title: "Azure Container Linux", family: Family::Acl },
];

/// Returns the row for a value of `--os` of `bake`.
#[must_use]
pub fn image_system(name: &str) -> Option<&'static ImageSystem> {
    IMAGE_SYSTEMS.iter().find(|row| row.name == name)
}

/// Returns the system with an `ID` and a `VARIANT_ID` of os-release, as the node's scripts read them (`read_os`).
#[must_use]
pub fn system_of_release(id: &str, variant: &str) -> Option<&'static ImageSystem> {
    let (id, variant) = (id.to_lowercase(), variant.to_lowercase());
    image_system(match (&*id, &*variant) {
        ("azurecontainerlinux", _) | (_, "azurecontainerlinux") => "acl",
        ("azurelinux", "osguard") => "osguard",
        ("azurelinux" | "azurelinuxkata", _) => "azurelinux",
        ("mariner" | "marinerkata", _) => "mariner",
        (other, _) => other,
    })
}

/// The node labels that name the operating system of the image, the more precise one first.
const LABELS: [&str; 2] = ["kubernetes.azure.com/os-sku-effective", "kubernetes.azure.com/os-sku"];

/// The values of these labels, and their operating systems.
const LABEL_VALUES: &[(&str, &str)] = &[
    ("AzureContainerLinux", "acl"),
    ("AzureLinux", "azurelinux"),
    ("AzureLinux2", "mariner"),
    ("AzureLinux3", "azurelinux"),
    ("AzureLinuxOSGuard", "osguard"),
    ("CBLMariner", "mariner"),
    ("Flatcar", "flatcar"),
    ("Mariner", "mariner"),
    ("Ubuntu", "ubuntu"),
    ("Ubuntu2204", "ubuntu"),
    ("Ubuntu2404", "ubuntu"),
];

/// Reports whether a value of these labels, or an operating system, is one of Windows: `Windows`, or `Windows2022`, `WindowsAnnual` and others
/// of AKS's `OSSKU`.
pub(crate) fn is_windows(sku: &str) -> bool {
    sku.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("windows"))
}

/// Returns every known value of these labels.
pub(super) fn os_skus() -> impl Iterator<Item = &'static str> {
    LABEL_VALUES.iter().map(|(value, _)| *value)
}

/// Returns the operating system that the labels of a node name; `None` if they name no known one.
#[must_use]
pub fn operating_system_of_labels(labels: &BTreeMap<String, String>) -> Option<&'static OperatingSystem> {
    LABELS.iter().find_map(|label| system_of_sku(labels.get(*label)?))
}

/// The beginnings of the versions of images, and the values of `os-sku` of their nodes: the gallery, with the definition if it has images of
/// several systems, or the name of the system alone. The first that fits counts.
/// <https://github.com/Azure/AgentBaker/blob/main/pkg/agent/datamodel/sig_config.go>
const IMAGES: [(&str, &str); 8] = [
    ("AKSUbuntu", "Ubuntu"),
    ("AKSAzureLinux-OSGuard", "AzureLinuxOSGuard"),
    ("AzureLinuxOSGuard", "AzureLinuxOSGuard"),
    ("AKSAzureLinux-acl", "AzureContainerLinux"),
    ("AKSAzureContainerLinux", "AzureContainerLinux"),
    ("AKSAzureLinux", "AzureLinux"),
    ("AKSCBLMariner", "CBLMariner"),
    ("AKSFlatcar", "Flatcar"),
];

/// Returns the value of `os-sku` of the nodes of an image, by its version: `AKSFlatcar-flatcargen2-202508.06.0` is `Flatcar`.
pub(crate) fn sku_of_image(image: &str) -> Option<&'static str> {
    IMAGES.iter().find(|(start, _)| image.starts_with(start)).map(|(_, sku)| *sku)
}

/// Returns the architecture of an image, by the definition in its version: `AKSUbuntu-2204gen2arm64containerd-202511.07.0` is for `arm64`.
/// `None` if the version has no definition.
pub(crate) fn architecture_of_image(image: &str) -> Option<&'static str> {
    sku_of_image(image)?;
    let (_, rest) = image.split_once('-')?;
    let (definition, _) = rest.rsplit_once('-')?;
    Some(if definition.contains("arm64") { "arm64" } else { "amd64" })
}

/// Returns the operating system with a value of `os-sku`.
fn system_of_sku(sku: &str) -> Option<&'static OperatingSystem> {
    let (_, name) = LABEL_VALUES.iter().find(|(known, _)| *known == sku)?;
    operating_system(name)
}

/// Reports whether a label of the operating system names another one than the version of an image, such as
/// `AKSUbuntu-2404gen2containerd-2025.06.02`. `false` if either is unknown.
pub(crate) fn is_other_system(key: &str, value: &str, image: &str) -> bool {
    let is_label = LABELS.contains(&key) || key == "kubernetes.azure.com/os-sku-requested";
    let named = system_of_sku(value).filter(|_| is_label);
    let (Some(named), Some(of_image)) = (named, sku_of_image(image).and_then(system_of_sku)) else { return false };
    let has_version = value.ends_with(|character: char| character.is_ascii_digit());
    named.family != of_image.family || has_version && versioned_sku(image).is_some_and(|sku| sku != value)
}

/// Returns the operating system with its version from the version of an image: `AKSUbuntu-2204gen2containerd-…` is `Ubuntu2204`.
pub(crate) fn versioned_sku(image: &str) -> Option<String> {
    let (name, rest) = image.strip_prefix("AKS")?.split_once('-')?;
    let rest = rest.trim_start_matches('V');
    let version = &rest[..rest.bytes().take_while(u8::is_ascii_digit).count()];
    (["Ubuntu", "AzureLinux"].contains(&name) && !version.is_empty()).then(|| format!("{name}{version}"))
}

impl FirstBoot {
    /// Returns the name of the program.
    #[must_use]
    pub const fn reader(self) -> &'static str {
        match self {
            Self::CloudInit => "cloud-init",
            Self::Ignition => "Ignition",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::node_distros::node_distro;

    fn of_labels(labels: &[(&str, &str)]) -> Option<&'static str> {
        let labels = labels.iter().map(|(label, value)| (format!("kubernetes.azure.com/{label}"), (*value).to_owned()));
        operating_system_of_labels(&labels.collect()).map(|os| os.name)
    }

    #[test]
    fn the_more_precise_label_is_used_unless_its_value_is_unknown() {
        for (labels, expected) in [
            (&[("os-sku", "AzureLinux"), ("os-sku-effective", "AzureLinux2")][..], Some("mariner")),
            (&[("os-sku", "Flatcar"), ("os-sku-effective", "Flatcar9")], Some("flatcar")),
            (&[("os-sku", "Flatcar9"), ("os-sku-effective", "Flatcar")], Some("flatcar")),
            (&[("os-sku", "Other"), ("os-sku-effective", "Another")], None),
            (&[], None),
        ] {
            assert_eq!(of_labels(labels), expected, "{labels:?}");
        }
    }

    #[test]
    fn an_os_sku_that_decides_the_family_of_an_image_is_known_as_a_label() {
        let plain = node_distro("ubuntu").expect("an image without a family of its own");
        for sku in ["AzureContainerLinux", "AzureLinux", "CBLMariner", "Flatcar", "Mariner", "Ubuntu"] {
            assert_eq!(of_labels(&[("os-sku", sku)]), Some(plain.family(sku).os("", sku)), "{sku}");
        }
    }
}
