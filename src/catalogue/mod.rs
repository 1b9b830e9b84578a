//! Domain data as tables: variables, exit codes, files, flags, VM sizes, images, clouds, and what each name means.

pub mod clouds;
pub mod exit_codes;
pub mod gpu;
pub mod huge_pages;
pub mod kubelet_flags;
pub mod labels;
pub mod local_dns;
pub mod node_distros;
pub mod node_files;
pub mod node_images;
pub mod operating_systems;
pub mod paths;
pub mod routes;
pub mod sysctls;
pub mod timeouts;
pub mod variables;

/// The text that output shows instead of a secret.
pub const REDACTED: &str = "[redacted]";
