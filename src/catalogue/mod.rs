//! Tables of facts about the field: what exists, what it is called, what it means.

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

/// What stands in place of a secret, wherever something is shown to people.
pub const REDACTED: &str = "[redacted]";
