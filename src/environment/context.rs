//! The input of the rules.

use std::cell::OnceCell;

use super::ImageContents;
use crate::catalogue::clouds::{self, Cloud};
use crate::configuration::{Configuration, Version};
use crate::rendering::Rendered;

/// The inputs, and values that several rules derive from them, computed once.
pub(super) struct Context<'a> {
    pub configuration: &'a Configuration,
    pub image: &'a ImageContents,
    /// `None` if `kubernetes_version` is not a version.
    pub kubernetes: Option<Version<'a>>,
    pub is_custom_cloud: bool,
    pub cloud: &'static Cloud,
    /// The VM size in lower case.
    pub vm_size: String,
    /// The Corefile without and with the hosts plugin, once a rule has asked for one of them.
    pub corefiles: OnceCell<[Rendered; 2]>,
    /// The configuration of containerd, if it is the same with and without a GPU and a rule has asked for it.
    pub containerd: OnceCell<Rendered>,
}

impl<'a> Context<'a> {
    pub fn new(configuration: &'a Configuration, image: &'a ImageContents) -> Self {
        let cluster = configuration.cluster_config.as_ref();
        let custom_cloud = configuration.custom_cloud_config.as_ref();
        let is_custom_cloud = custom_cloud.is_some_and(|cloud| clouds::is_custom(&cloud.custom_cloud_env_name));
        let cloud = if is_custom_cloud {
            &clouds::CUSTOM
        } else {
            clouds::of_region(cluster.map_or("", |cluster| &cluster.location))
        };
        Self {
            configuration,
            image,
            kubernetes: configuration.kubernetes(),
            is_custom_cloud,
            cloud,
            vm_size: configuration.vm_size.to_lowercase(),
            corefiles: OnceCell::new(),
            containerd: OnceCell::new(),
        }
    }
}
