//! The launch template of a node, besides `CustomData`: image, tags and OS disk.
//!
//! Everything is computed from the arguments; nothing is requested from Azure.

mod images;
mod storage;

pub use images::{
    GalleryImage, ImageError, ImageFamily, ImageSource, ImageVersions, UNKNOWN_VERSION, family, images, security,
};
pub use storage::Storage;

use std::collections::BTreeMap;

use super::Objects;
use images::choose;

/// The parts of the launch template besides `CustomData`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LaunchTemplate {
    /// The image that the VM is created from.
    pub image: GalleryImage,
    /// Whether the image is in a shared gallery.
    pub shared_gallery: bool,
    /// The images of the family that are listed, in order of preference.
    pub images: Vec<GalleryImage>,
    /// The name of the image family.
    pub family: &'static str,
    /// Tags of the node's resources.
    pub tags: BTreeMap<String, String>,
    /// The OS disk.
    pub storage: Storage,
}

impl Objects {
    /// Returns image, tags and OS disk.
    ///
    /// # Errors
    /// Fails if no image can be chosen.
    pub fn launch_template(&self, kubernetes: &str, source: ImageSource<'_>) -> Result<LaunchTemplate, ImageError> {
        let Self { class, claim, settings, instance_type, .. } = self;
        let trusted = class.trusted_launch.is_on();
        let family = family(&class.image_family, class.fips, trusted, kubernetes);
        let size = &instance_type.size;
        let (images, image) = choose(source, family, security(class.fips, trusted), size)?;
        let pool = claim.labels.get("karpenter.sh/nodepool").map(String::as_str);
        Ok(LaunchTemplate {
            image,
            shared_gallery: settings.is("USE_SIG"),
            images,
            family: family.name,
            tags: tags(&settings.additional_tags(), &class.tags, settings.get("CLUSTER_NAME"), pool),
            storage: Storage::new(size, class.os_disk_size),
        })
    }
}

/// Returns the tags of a node's resources. Tags of the node class replace those of the settings; three tags are fixed.
fn tags(
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
