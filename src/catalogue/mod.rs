//! Domain data as tables: variables, exit codes, files, flags, VM sizes, images and clouds.

pub mod clouds;
pub mod demands;
pub mod exit_codes;
pub mod failures;
pub mod feature_gates;
pub mod features;
pub(crate) mod field_sources;
pub mod formats;
pub mod gpu;
pub mod huge_pages;
pub(crate) mod kubelet_defaults;
#[cfg(test)]
pub mod kubelet_fields;
pub mod kubelet_flags;
pub mod labels;
pub mod local_dns;
pub mod minors;
pub mod node_distros;
pub mod node_files;
pub mod node_images;
pub mod operating_systems;
pub mod paths;
pub(crate) mod reservations;
pub mod sysctls;
pub mod timeouts;
pub mod variables;
pub mod vm_sizes;

pub use crate::document::rules;
pub use crate::secret::REDACTED;
