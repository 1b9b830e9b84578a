//! The images of a node: families, galleries and versions.
//!
//! To add a release: an [`ImageFamily`], its definitions in `catalogue::node_images`, and its condition in [`family`].

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::catalogue::node_images::{self, Gallery, ImageDefinition, Security};
use crate::configuration::Version;
use crate::inputs::karpenter::VmSize;
use crate::inputs::karpenter::objects::{Requirement, ResolvedImage};

/// A release of an operating system and its images.
#[derive(Debug, PartialEq, Eq)]
pub struct ImageFamily {
    /// Distinct for each family.
    pub name: &'static str,
    /// The value of the label `kubernetes.azure.com/os-sku-effective`.
    pub label: &'static str,
    /// Where the images are published.
    pub gallery: &'static Gallery,
    plain: &'static [ImageDefinition],
    trusted_launch: &'static [ImageDefinition],
    fips: &'static [ImageDefinition],
    fips_trusted_launch: &'static [ImageDefinition],
}

impl ImageFamily {
    /// Returns the image definitions in order of preference. Empty if the family has none.
    #[must_use]
    pub const fn definitions(&self, security: Security) -> &'static [ImageDefinition] {
        match security {
            Security::Plain => self.plain,
            Security::TrustedLaunch => self.trusted_launch,
            Security::Fips => self.fips,
            Security::FipsTrustedLaunch => self.fips_trusted_launch,
        }
    }
}

/// A release without images.
const fn release(name: &'static str, label: &'static str, gallery: &'static Gallery) -> ImageFamily {
    ImageFamily { name, label, gallery, plain: &[], trusted_launch: &[], fips: &[], fips_trusted_launch: &[] }
}

static UBUNTU_2004: ImageFamily =
    ImageFamily { fips: node_images::UBUNTU_2004_FIPS, ..release("Ubuntu2004", "Ubuntu", &node_images::UBUNTU) };

static UBUNTU_2204: ImageFamily = ImageFamily {
    plain: node_images::UBUNTU_2204,
    trusted_launch: node_images::UBUNTU_2204_TRUSTED,
    fips_trusted_launch: node_images::UBUNTU_2204_FIPS_TRUSTED,
    ..release("Ubuntu2204", "Ubuntu2204", &node_images::UBUNTU)
};

static UBUNTU_2404: ImageFamily = ImageFamily {
    plain: node_images::UBUNTU_2404,
    trusted_launch: node_images::UBUNTU_2404_TRUSTED,
    ..release("Ubuntu2404", "Ubuntu2404", &node_images::UBUNTU)
};

static AZURE_LINUX_2: ImageFamily = ImageFamily {
    plain: node_images::AZURE_LINUX_2,
    trusted_launch: node_images::AZURE_LINUX_2_TRUSTED,
    fips: node_images::AZURE_LINUX_2_FIPS,
    fips_trusted_launch: node_images::AZURE_LINUX_2_FIPS,
    ..release("AzureLinux2", "AzureLinux2", &node_images::AZURE_LINUX)
};

static AZURE_LINUX_3: ImageFamily = ImageFamily {
    plain: node_images::AZURE_LINUX_3,
    trusted_launch: node_images::AZURE_LINUX_3_TRUSTED,
    fips: node_images::AZURE_LINUX_3_FIPS,
    fips_trusted_launch: node_images::AZURE_LINUX_3_FIPS,
    ..release("AzureLinux3", "AzureLinux3", &node_images::AZURE_LINUX)
};

/// Karpenter chooses none of its images: `--launch-template` needs the script, which it cannot run.
static AZURE_CONTAINER_LINUX: ImageFamily =
    release("AzureContainerLinux", "AzureContainerLinux", &node_images::AZURE_LINUX);

/// Returns the family for a node class's `imageFamily`. `Ubuntu`, an empty string and unknown names are aliases, whose
/// release depends on the version of Kubernetes, FIPS and trusted launch.
#[must_use]
pub fn family(image_family: &str, fips: bool, trusted_launch: bool, kubernetes: &str) -> &'static ImageFamily {
    let full = full_version(kubernetes);
    let version = Version::parse(&full);
    let at_least = |minor| version.as_ref().is_some_and(|version| *version >= Version::new(1, minor, 0));
    match image_family {
        "Ubuntu2204" => &UBUNTU_2204,
        "Ubuntu2404" => &UBUNTU_2404,
        "AzureContainerLinux" => &AZURE_CONTAINER_LINUX,
        "AzureLinux" if at_least(32) => &AZURE_LINUX_3,
        "AzureLinux" => &AZURE_LINUX_2,
        _ => match (fips, trusted_launch) {
            // 20.04 is the only release with FIPS and without trusted launch.
            (true, false) => &UBUNTU_2004,
            (false, false) if at_least(34) => &UBUNTU_2404,
            _ => &UBUNTU_2204,
        },
    }
}

/// Returns a version without surrounding whitespace; empty for a shortened version with a pre-release or build, which
/// the reference rejects.
fn full_version(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let numbers = text.trim_start_matches('v').split(['-', '+']).next().unwrap_or_default();
    if numbers.split('.').count() < 3 && text.contains(['-', '+']) { "".into() } else { text.into() }
}

/// Returns the security of the images of a node class.
#[must_use]
pub const fn security(fips: bool, trusted_launch: bool) -> Security {
    match (fips, trusted_launch) {
        (false, false) => Security::Plain,
        (false, true) => Security::TrustedLaunch,
        (true, false) => Security::Fips,
        (true, true) => Security::FipsTrustedLaunch,
    }
}

/// Galleries of images, and their versions.
#[derive(Clone, Copy, Debug)]
pub enum ImageVersions<'a> {
    /// Community galleries: the versions of each definition with their dates of publication (RFC 3339, UTC).
    Community(&'a BTreeMap<String, Vec<(String, String)>>),
    /// Shared galleries of a subscription.
    Shared {
        /// The subscription of the galleries.
        subscription: &'a str,
        /// The images that AKS lists for a location: operating system, definition and version.
        versions: &'a [(String, String, String)],
    },
    /// The same version for every image; [`UNKNOWN_VERSION`] if it is unknown.
    Given {
        /// The subscription of the shared galleries; `None` for community galleries.
        subscription: Option<&'a str>,
        /// The version.
        version: &'a str,
    },
}

/// The source of the images from which a launch template chooses.
#[derive(Clone, Copy, Debug)]
pub enum ImageSource<'a> {
    /// The status of the node class, which the controller writes.
    Status(&'a [ResolvedImage]),
    /// Galleries.
    Galleries(ImageVersions<'a>),
}

/// The node labels in the requirements of an image.
const ARCHITECTURE: &str = "kubernetes.io/arch";
const GENERATION: &str = "karpenter.azure.com/sku-hyperv-generation";

/// The placeholder for an unknown version in an image id.
pub const UNKNOWN_VERSION: &str = "VERSION-NOT-GIVEN";

/// A version of an image in a gallery.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GalleryImage {
    /// The resource id or community gallery id.
    pub id: String,
    /// The definition, with the architecture and generation that a VM size needs.
    pub definition: &'static ImageDefinition,
}

/// Why no image can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// Community galleries have no FIPS images.
    #[error("FIPS images are only in shared galleries; set `USE_SIG` to `true`")]
    SharedGalleryRequiredForFips,
    /// The family has no images with these security settings, or none of them has a version.
    #[error("the image family has no image with the FIPS and trusted launch settings of the node class")]
    NotFound,
    /// No image has the architecture and a generation of the VM size.
    #[error("no image of the image family is compatible with the VM size `{0}`")]
    Incompatible(String),
    /// The status of the node class has an image of another family or with other security settings.
    #[error(
        "the image `{0}` in the status of the node class does not match its image family, FIPS and trusted launch \
         settings: the status is older than the spec"
    )]
    Outdated(String),
}

/// Returns the images of a family in order of preference, each with its newest version.
///
/// # Errors
/// Fails if there is none.
pub fn images(
    family: &ImageFamily,
    security: Security,
    versions: ImageVersions<'_>,
) -> Result<Vec<GalleryImage>, ImageError> {
    let from_community =
        matches!(versions, ImageVersions::Community(_) | ImageVersions::Given { subscription: None, .. });
    if from_community && matches!(security, Security::Fips | Security::FipsTrustedLaunch) {
        return Err(ImageError::SharedGalleryRequiredForFips);
    }
    let gallery = family.gallery;
    let definitions = family.definitions(security).iter().filter(|row| !(from_community && row.shared_only));
    let found = definitions.filter_map(|definition| {
        let id = match versions {
            ImageVersions::Community(versions) => {
                let version = versions.get(definition.name).map_or("", |versions| newest_by_date(versions));
                community_id(gallery, definition, version)
            }
            ImageVersions::Shared { subscription, versions } => {
                shared_id(subscription, gallery, definition, newest_shared(versions, definition)?)
            }
            ImageVersions::Given { subscription: None, version } => community_id(gallery, definition, version),
            ImageVersions::Given { subscription: Some(subscription), version } => {
                shared_id(subscription, gallery, definition, version)
            }
        };
        Some(GalleryImage { id, definition })
    });
    let found: Vec<_> = found.collect();
    if found.is_empty() { Err(ImageError::NotFound) } else { Ok(found) }
}

/// Returns the images of a family in order of preference, and the one that a VM of a size is created from.
///
/// # Errors
/// Fails if there is none.
pub(super) fn choose(
    source: ImageSource<'_>,
    family: &ImageFamily,
    security: Security,
    size: &VmSize,
) -> Result<(Vec<GalleryImage>, GalleryImage), ImageError> {
    match source {
        ImageSource::Status(listed) => {
            // As in the reference, the requirements in the status decide, not those of the definitions.
            let chosen = compatible_listed(listed, size)?;
            let known = |image| of_status(image, family, security);
            let image = known(chosen).ok_or_else(|| ImageError::Outdated(chosen.id.clone()))?;
            Ok((listed.iter().filter_map(known).collect(), image))
        }
        ImageSource::Galleries(versions) => {
            let images = images(family, security, versions)?;
            let image = compatible(&images, size)?.clone();
            Ok((images, image))
        }
    }
}

/// Returns an image of a node class's status; `None` if the family has no such definition with these security settings.
/// The name in the id determines the definition; gallery and version are not compared.
fn of_status(image: &ResolvedImage, family: &ImageFamily, security: Security) -> Option<GalleryImage> {
    let mut parts = image.id.split('/').skip_while(|part| !part.eq_ignore_ascii_case("images")).skip(1);
    let name = parts.next()?;
    let definition = family.definitions(security).iter().find(|definition| definition.name == name)?;
    Some(GalleryImage { id: image.id.clone(), definition })
}

/// Returns the first image of a node class's status that a VM size can start.
///
/// # Errors
/// Fails if there is none.
fn compatible_listed<'i>(images: &'i [ResolvedImage], size: &VmSize) -> Result<&'i ResolvedImage, ImageError> {
    let generations: Vec<_> = ["1", "2"].into_iter().filter(|generation| size.has_generation(generation)).collect();
    let fits = |requirement: &Requirement| match requirement.key.as_str() {
        ARCHITECTURE => size.architecture().is_none_or(|architecture| requirement.allows(&[architecture])),
        GENERATION => requirement.allows(&generations),
        // The size has no data for other keys.
        _ => true,
    };
    let found = images.iter().find(|image| image.requirements.iter().all(fits));
    found.ok_or_else(|| ImageError::Incompatible(size.name.clone()))
}

fn community_id(gallery: &Gallery, definition: &ImageDefinition, version: &str) -> String {
    format!("/CommunityGalleries/{}/images/{}/versions/{version}", gallery.community, definition.name)
}

fn shared_id(subscription: &str, gallery: &Gallery, definition: &ImageDefinition, version: &str) -> String {
    format!(
        "/subscriptions/{subscription}/resourceGroups/{}/providers/Microsoft.Compute/galleries/{}/images/{}/versions/{version}",
        gallery.resource_group, gallery.shared, definition.name
    )
}

/// Returns the first version with the latest date. Empty if there are no versions: the reference then writes an id
/// without a version.
fn newest_by_date(versions: &[(String, String)]) -> &str {
    let mut newest: Option<&(String, String)> = None;
    for version in versions {
        if newest.is_none_or(|newest| newest.1 < version.1) {
            newest = Some(version);
        }
    }
    newest.map_or("", |(name, _)| name)
}

/// Returns the highest version of a definition in AKS's own galleries.
fn newest_shared<'a>(versions: &'a [(String, String, String)], definition: &ImageDefinition) -> Option<&'a str> {
    let fits = |(os, sku, _): &&(String, String, String)| {
        matches!(os.as_str(), "AKSUbuntu" | "AKSAzureLinux") && sku == definition.name
    };
    let mut found = versions.iter().filter(fits).map(|(_, _, version)| version.as_str());
    let first = found.next()?;
    Some(found.fold(first, |newest, version| if is_newer(version, newest) { version } else { newest }))
}

/// Compares versions segment by segment, as numbers. A version with more segments is newer; a version with a segment
/// that is not a number is never newer.
fn is_newer(first: &str, second: &str) -> bool {
    let (mut first, mut second) = (first.split('.'), second.split('.'));
    loop {
        match (first.next(), second.next()) {
            (Some(a), Some(b)) => match (a.parse::<u64>(), b.parse::<u64>()) {
                (Ok(a), Ok(b)) if a == b => {}
                (Ok(a), Ok(b)) => return a > b,
                _ => return false,
            },
            (Some(_), None) => return true,
            (None, _) => return false,
        }
    }
}

/// Returns the first image that a VM size can start.
///
/// # Errors
/// Fails if there is none.
fn compatible<'i>(images: &'i [GalleryImage], size: &VmSize) -> Result<&'i GalleryImage, ImageError> {
    let architecture = size.architecture();
    let fits = |image: &&GalleryImage| {
        architecture.is_none_or(|architecture| architecture == image.definition.architecture)
            && size.has_generation(image.definition.generation)
    };
    images.iter().find(fits).ok_or_else(|| ImageError::Incompatible(size.name.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::operating_systems::operating_system_of_labels;

    #[test]
    fn the_label_of_every_family_names_an_operating_system() {
        let mut families = BTreeMap::new();
        for name in ["Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux", "AzureContainerLinux", ""] {
            for (fips, trusted_launch) in [(false, false), (false, true), (true, false), (true, true)] {
                for kubernetes in ["1.28.0", "1.36.0"] {
                    let family = family(name, fips, trusted_launch, kubernetes);
                    families.insert(family.name, family.label);
                }
            }
        }
        assert_eq!(families.len(), 6, "{families:?}");
        for (name, label) in families {
            let labels = BTreeMap::from([("kubernetes.azure.com/os-sku-effective".to_owned(), label.to_owned())]);
            let os = operating_system_of_labels(&labels).unwrap_or_else(|| panic!("{name}: {label} is not known"));
            assert_eq!(name.starts_with("Ubuntu"), os.name == "ubuntu", "{name}");
        }
    }

    #[test]
    fn versions_of_shared_images_are_compared_as_numbers() {
        for (first, second, expected) in [
            ("202411.12.0", "202308.28.0", true),
            ("202411.12.0", "2022.12.15", true),
            ("202511.10.0", "202511.9.0", true),
            ("202411.12.0", "202411.12.0", false),
            ("2022.12.15.1", "2022.12.15", true),
            ("2o2411.12.0", "202411.12.0", false),
        ] {
            assert_eq!(is_newer(first, second), expected, "{first} {second}");
        }
    }
}
