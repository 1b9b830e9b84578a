//! What Karpenter decides about a node before it renders `CustomData`: image, tags, kind of disk.
//!
//! Everything here follows from facts that the caller has: nothing is asked of Azure.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::catalogue::node_images::{self, Definition, Gallery, Security};
use crate::configuration::Version;

/// A family of images: one implementation for each release.
pub trait ImageFamily: Sync {
    /// Distinct for each family.
    fn name(&self) -> &'static str;
    /// As the label `kubernetes.azure.com/os-sku-effective` names it.
    fn label(&self) -> &'static str {
        self.name()
    }
    /// Where its images are published.
    fn gallery(&self) -> &'static Gallery;
    /// Its definitions in order of preference; empty where it has none of that kind.
    fn definitions(&self, security: Security) -> &'static [Definition];
}

/// Left for FIPS without trusted launch.
pub struct Ubuntu2004;
/// The releases that `Ubuntu` may mean, and that can be asked for.
pub struct Ubuntu2204;
/// See [`Ubuntu2204`].
pub struct Ubuntu2404;
/// Chosen by the version of Kubernetes; cannot be asked for.
pub struct AzureLinux2;
/// See [`AzureLinux2`].
pub struct AzureLinux3;

impl ImageFamily for Ubuntu2004 {
    fn name(&self) -> &'static str {
        "Ubuntu2004"
    }

    fn label(&self) -> &'static str {
        "Ubuntu"
    }

    fn gallery(&self) -> &'static Gallery {
        &node_images::UBUNTU
    }

    fn definitions(&self, security: Security) -> &'static [Definition] {
        match security {
            Security::Fips => node_images::UBUNTU_2004_FIPS,
            Security::Plain | Security::TrustedLaunch | Security::FipsTrustedLaunch => &[],
        }
    }
}

impl ImageFamily for Ubuntu2204 {
    fn name(&self) -> &'static str {
        "Ubuntu2204"
    }

    fn gallery(&self) -> &'static Gallery {
        &node_images::UBUNTU
    }

    fn definitions(&self, security: Security) -> &'static [Definition] {
        match security {
            Security::Plain => node_images::UBUNTU_2204,
            Security::TrustedLaunch => node_images::UBUNTU_2204_TRUSTED,
            Security::FipsTrustedLaunch => node_images::UBUNTU_2204_FIPS_TRUSTED,
            Security::Fips => &[],
        }
    }
}

impl ImageFamily for Ubuntu2404 {
    fn name(&self) -> &'static str {
        "Ubuntu2404"
    }

    fn gallery(&self) -> &'static Gallery {
        &node_images::UBUNTU
    }

    fn definitions(&self, security: Security) -> &'static [Definition] {
        match security {
            Security::Plain => node_images::UBUNTU_2404,
            Security::TrustedLaunch => node_images::UBUNTU_2404_TRUSTED,
            Security::Fips | Security::FipsTrustedLaunch => &[],
        }
    }
}

impl ImageFamily for AzureLinux2 {
    fn name(&self) -> &'static str {
        "AzureLinux2"
    }

    fn gallery(&self) -> &'static Gallery {
        &node_images::AZURE_LINUX
    }

    fn definitions(&self, security: Security) -> &'static [Definition] {
        match security {
            Security::Plain => node_images::AZURE_LINUX_2,
            Security::TrustedLaunch => node_images::AZURE_LINUX_2_TRUSTED,
            Security::Fips | Security::FipsTrustedLaunch => node_images::AZURE_LINUX_2_FIPS,
        }
    }
}

impl ImageFamily for AzureLinux3 {
    fn name(&self) -> &'static str {
        "AzureLinux3"
    }

    fn gallery(&self) -> &'static Gallery {
        &node_images::AZURE_LINUX
    }

    fn definitions(&self, security: Security) -> &'static [Definition] {
        match security {
            Security::Plain => node_images::AZURE_LINUX_3,
            Security::TrustedLaunch => node_images::AZURE_LINUX_3_TRUSTED,
            Security::Fips | Security::FipsTrustedLaunch => node_images::AZURE_LINUX_3_FIPS,
        }
    }
}

/// The family that an `imageFamily` means. `Ubuntu`, an empty text and every other one are aliases: they follow the
/// version of Kubernetes and what is asked for beside.
#[must_use]
pub fn family(asked: &str, fips: bool, trusted_launch: bool, kubernetes: &str) -> &'static dyn ImageFamily {
    let full = full_version(kubernetes);
    let version = Version::parse(&full);
    let at_least = |minor| version.as_ref().is_some_and(|version| *version >= Version::new(1, minor, 0));
    match asked {
        "Ubuntu2204" => &Ubuntu2204,
        "Ubuntu2404" => &Ubuntu2404,
        "AzureLinux" if at_least(32) => &AzureLinux3,
        "AzureLinux" => &AzureLinux2,
        _ => match (fips, trusted_launch) {
            (true, false) => &Ubuntu2004,
            (false, false) if at_least(34) => &Ubuntu2404,
            _ => &Ubuntu2204,
        },
    }
}

/// Blanks around a version and its `v` do not count. A shortened version takes no pre-release: it is none then.
fn full_version(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let numbers = text.trim_start_matches('v').split(['-', '+']).next().unwrap_or_default();
    if numbers.split('.').count() < 3 && text.contains(['-', '+']) { "".into() } else { text.into() }
}

/// What is asked of the images beside the family.
#[must_use]
pub const fn security(fips: bool, trusted_launch: bool) -> Security {
    match (fips, trusted_launch) {
        (false, false) => Security::Plain,
        (false, true) => Security::TrustedLaunch,
        (true, false) => Security::Fips,
        (true, true) => Security::FipsTrustedLaunch,
    }
}

/// Where images come from, and which versions there are.
#[derive(Clone, Copy, Debug)]
pub enum Versions<'a> {
    /// Community galleries: for each definition its versions with the dates of their publication (RFC 3339, UTC).
    Community(&'a BTreeMap<String, Vec<(String, String)>>),
    /// Shared galleries of a subscription: operating system, definition and version of every image.
    Shared {
        /// The galleries' subscription.
        subscription: &'a str,
        /// What AKS lists for a location.
        versions: &'a [(String, String, String)],
    },
    /// One version for every image; [`UNKNOWN_VERSION`] where nobody knows it.
    Given {
        /// The subscription of the shared galleries; `None`: community galleries.
        subscription: Option<&'a str>,
        /// The version.
        version: &'a str,
    },
}

/// What stands in an id in place of a version that nobody gave.
pub const UNKNOWN_VERSION: &str = "VERSION-NOT-GIVEN";

/// An image and what a size must have for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// As Azure takes it.
    pub id: String,
    /// Its definition.
    pub definition: &'static Definition,
}

/// Why there is no image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoImage {
    /// Images with FIPS are only in the shared galleries.
    #[error("FIPS needs images of the shared galleries (`USE_SIG`)")]
    SharedGalleryRequiredForFips,
    /// The family has none of that kind, or none with a version.
    #[error("no image of the family fits what is asked for")]
    NotFound,
    /// None has the size's architecture and generation.
    #[error("no image is compatible with the size {0}")]
    Incompatible(String),
}

/// The images of a family in order of preference, each with its newest version.
///
/// # Errors
/// There is none.
pub fn images(family: &dyn ImageFamily, security: Security, versions: Versions<'_>) -> Result<Vec<Image>, NoImage> {
    let from_community = matches!(versions, Versions::Community(_) | Versions::Given { subscription: None, .. });
    if from_community && matches!(security, Security::Fips | Security::FipsTrustedLaunch) {
        return Err(NoImage::SharedGalleryRequiredForFips);
    }
    let gallery = family.gallery();
    let definitions = family.definitions(security).iter().filter(|row| !(from_community && row.shared_only));
    let found = definitions.filter_map(|definition| {
        let id = match versions {
            Versions::Community(versions) => {
                let version = versions.get(definition.name).map_or("", |versions| newest_by_date(versions));
                community_id(gallery, definition, version)
            }
            Versions::Shared { subscription, versions } => {
                shared_id(subscription, gallery, definition, newest_shared(versions, definition)?)
            }
            Versions::Given { subscription: None, version } => community_id(gallery, definition, version),
            Versions::Given { subscription: Some(subscription), version } => {
                shared_id(subscription, gallery, definition, version)
            }
        };
        Some(Image { id, definition })
    });
    let found: Vec<_> = found.collect();
    if found.is_empty() { Err(NoImage::NotFound) } else { Ok(found) }
}

fn community_id(gallery: &Gallery, definition: &Definition, version: &str) -> String {
    format!("/CommunityGalleries/{}/images/{}/versions/{version}", gallery.community, definition.name)
}

fn shared_id(subscription: &str, gallery: &Gallery, definition: &Definition, version: &str) -> String {
    format!(
        "/subscriptions/{subscription}/resourceGroups/{}/providers/Microsoft.Compute/galleries/{}/images/{}/versions/{version}",
        gallery.resource_group, gallery.shared, definition.name
    )
}

/// The latest date; of equal ones the first. Without any version the id has none either, as in the reference.
fn newest_by_date(versions: &[(String, String)]) -> &str {
    let mut newest: Option<&(String, String)> = None;
    for version in versions {
        if newest.is_none_or(|newest| newest.1 < version.1) {
            newest = Some(version);
        }
    }
    newest.map_or("", |(name, _)| name)
}

/// The newest by number among those of AKS's own galleries.
fn newest_shared<'a>(versions: &'a [(String, String, String)], definition: &Definition) -> Option<&'a str> {
    let fits = |(os, sku, _): &&(String, String, String)| {
        matches!(os.as_str(), "AKSUbuntu" | "AKSAzureLinux") && sku == definition.name
    };
    let mut found = versions.iter().filter(fits).map(|(_, _, version)| version.as_str());
    let first = found.next()?;
    Some(found.fold(first, |newest, version| if is_newer(version, newest) { version } else { newest }))
}

/// Segment by segment as numbers; more segments are newer; what is no number is never newer.
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

/// What Azure tells of a VM size, by the names of its capabilities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Its name, `Standard_…`.
    pub name: String,
    /// As Azure gives them: texts.
    pub capabilities: BTreeMap<String, String>,
}

impl Size {
    fn capability(&self, name: &str) -> Option<&str> {
        let found = self.capabilities.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    fn is(&self, name: &str) -> bool {
        self.capability(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// A whole number above zero.
    fn amount(&self, name: &str) -> Option<u64> {
        self.capability(name)?.parse().ok().filter(|amount| *amount > 0)
    }

    /// `amd64`, `arm64`, or Azure's own word where it is neither.
    #[must_use]
    pub fn architecture(&self) -> Option<&str> {
        self.capability("CpuArchitectureType").map(|word| match word {
            "x64" => "amd64",
            "Arm64" => "arm64",
            other => other,
        })
    }

    /// Generations of Hyper-V: `1`, `2`, both or none.
    fn has_generation(&self, generation: &str) -> bool {
        let text = self.capability("HyperVGenerations").unwrap_or_default().to_ascii_uppercase();
        text.contains(&format!("V{generation}"))
    }

    /// How large an OS disk may be that lives on the host, in GB, and where it would lie.
    #[must_use]
    pub fn ephemeral_disk(&self) -> (u64, &'static str) {
        let of_mib = |mib: u64| mib * 1_048_576 / 1_000_000_000;
        let places = self.capability("SupportedEphemeralOSDiskPlacements").unwrap_or_default().to_ascii_lowercase();
        if !self.is("EphemeralOSDiskSupported") {
            return (0, "");
        }
        if let Some(mib) = self.amount("NvmeDiskSizeInMiB").filter(|_| places.contains("nvmedisk")) {
            return (of_mib(mib), "NvmeDisk");
        }
        if let Some(bytes) = self.amount("CachedDiskBytes") {
            return (bytes / 1_000_000_000, "CacheDisk");
        }
        self.amount("MaxResourceVolumeMB").map_or((0, ""), |mib| (of_mib(mib), "ResourceDisk"))
    }
}

/// The first image that a size can start.
///
/// # Errors
/// There is none.
pub fn compatible<'i>(images: &'i [Image], size: &Size) -> Result<&'i Image, NoImage> {
    let architecture = size.architecture();
    let fits = |image: &&Image| {
        architecture.is_none_or(|architecture| architecture == image.definition.architecture)
            && size.has_generation(image.definition.generation)
    };
    images.iter().find(fits).ok_or_else(|| NoImage::Incompatible(size.name.clone()))
}

/// Tags of a node's resources: the setting, the node class over it, and three that nobody can change.
#[must_use]
pub fn tags(
    additional: &BTreeMap<String, String>,
    node_class: &BTreeMap<String, String>,
    cluster: &str,
    node_pool: Option<&str>,
) -> BTreeMap<String, String> {
    let layers = additional.iter().chain(node_class);
    let mut tags: BTreeMap<_, _> = layers.map(|(key, value)| (key.replace('/', "_"), value.clone())).collect();
    tags.insert("karpenter.azure.com_cluster".to_owned(), cluster.to_owned());
    tags.insert("compute.aks.billing".to_owned(), "linux".to_owned());
    if let Some(pool) = node_pool {
        tags.insert("karpenter.sh_nodepool".to_owned(), pool.to_owned());
    }
    tags
}

/// The OS disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storage {
    /// In GB.
    pub size: u64,
    /// How large a disk on the host may be, in GB.
    pub ephemeral_limit: u64,
    /// Where a disk on the host lies or would lie.
    pub placement: &'static str,
}

impl Storage {
    /// Of a size; the API's default is 128 GB.
    #[must_use]
    pub fn of(size: &Size, asked: Option<u64>) -> Self {
        let (ephemeral_limit, placement) = size.ephemeral_disk();
        Self { size: asked.unwrap_or(128), ephemeral_limit, placement }
    }

    /// Whether it lies on the host.
    #[must_use]
    pub const fn is_ephemeral(&self) -> bool {
        self.size <= self.ephemeral_limit
    }

    /// As the node bootstrapping service names it.
    #[must_use]
    pub const fn disk_type(&self) -> &'static str {
        if self.is_ephemeral() { "Ephemeral" } else { "ManagedDisks" }
    }
}

impl Size {
    /// How many GPUs.
    #[must_use]
    pub fn gpus(&self) -> u64 {
        self.amount("GPUs").unwrap_or(0)
    }

    /// A capability that is on or off, if Azure says which.
    #[must_use]
    pub fn switch(&self, capability: &str) -> Option<bool> {
        self.capability(capability).map(|_| self.is(capability))
    }

    /// Virtual CPUs.
    #[must_use]
    pub fn cores(&self) -> Option<u64> {
        self.amount("vCPUs")
    }

    /// Memory in GiB, which may have a fraction.
    #[must_use]
    pub fn memory_gib(&self) -> Option<f64> {
        self.capability("MemoryGB")?.parse().ok().filter(|memory| *memory > 0.0)
    }

    /// The generation of Hyper-V, if there is just one.
    #[must_use]
    pub fn only_generation(&self) -> Option<&'static str> {
        match (self.has_generation("1"), self.has_generation("2")) {
            (true, false) => Some("1"),
            (false, true) => Some("2"),
            _ => None,
        }
    }
}

/// The parts of a size's name: `Standard_NC24ads_A100_v4` is family `N`, subfamily `C`, features `ads`, accelerator
/// `A100`, version `4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the parts of a name")]
pub struct SizeName<'a> {
    pub family: &'a str,
    pub subfamily: &'a str,
    pub features: &'a str,
    pub accelerator: Option<&'a str>,
    pub version: Option<&'a str>,
}

impl<'a> SizeName<'a> {
    /// Takes a name apart. `None` if it is not of the usual form.
    #[must_use]
    pub fn parse(name: &'a str) -> Option<Self> {
        let rest = name.strip_prefix("Standard_")?;
        let mut parts = rest.split('_');
        let first = parts.next()?;
        let letters = first.bytes().take_while(u8::is_ascii_uppercase).count();
        let after = &first[letters..];
        let cores = after.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
        if letters == 0 || cores == 0 {
            return None;
        }
        let (mut accelerator, mut version) = (None, None);
        for part in parts {
            match part.strip_prefix('v') {
                Some(number) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
                    version = Some(number);
                }
                _ => accelerator = accelerator.or(Some(part)),
            }
        }
        let (family, subfamily) = first[..letters].split_at(1);
        Some(Self { family, subfamily, features: &after[cores..], accelerator, version })
    }

    /// Family, subfamily, features and version, as `Ds_v3`.
    #[must_use]
    pub fn series(&self) -> String {
        let version = self.version.map(|version| format!("_v{version}")).unwrap_or_default();
        format!("{}{}{}{version}", self.family, self.subfamily, self.features)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_taken_apart_by_its_name() {
        for (name, family, series, version, accelerator) in [
            ("Standard_D2s_v3", "D", "Ds_v3", Some("3"), None),
            ("Standard_D2_v5", "D", "D_v5", Some("5"), None),
            ("Standard_NC24ads_A100_v4", "N", "NCads_v4", Some("4"), Some("A100")),
            ("Standard_M8-2ms", "M", "Mms", None, None),
        ] {
            let found = SizeName::parse(name).expect("a usual name");
            assert_eq!((found.family, found.version, found.accelerator), (family, version, accelerator), "{name}");
            assert_eq!(found.series(), series, "{name}");
        }
        assert_eq!(SizeName::parse("Basic_A0"), None);
    }

    #[test]
    fn the_newest_shared_version_is_found_by_number() {
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
