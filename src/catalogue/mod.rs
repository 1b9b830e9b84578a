//! Domain data as tables: variables, exit codes, files, flags, VM sizes, images, clouds, and what each name means.

pub mod clouds;
pub mod demands;
pub mod exit_codes;
pub mod feature_gates;
pub mod formats;
pub mod gpu;
pub mod huge_pages;
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
pub mod sysctls;
pub mod timeouts;
pub mod variables;
pub mod vm_sizes;

pub use crate::document::rules;
pub use crate::secret::REDACTED;
