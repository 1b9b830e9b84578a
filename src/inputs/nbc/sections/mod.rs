//! The sections of a NodeBootstrappingConfiguration. Each is a function that converts its fields.
//!
//! To add a section: a module with such a function, and a line in [`SECTIONS`].

mod cloud;
mod cluster;
mod cluster_id;
mod identity;
mod image;
mod kubelet;
mod local_dns;
mod network;
mod runtime;
mod system;

use super::conversion::Conversion;

pub(super) const SECTIONS: [fn(&mut Conversion<'_>); 9] = [
    image::convert,
    cluster::convert,
    network::convert,
    cloud::convert,
    identity::convert,
    runtime::convert,
    kubelet::convert,
    system::convert,
    local_dns::convert,
];

pub(super) use cloud::is_custom_cloud;
