//! AgentBaker's NodeBootstrappingConfiguration: what the services that make nodes the classic way are asked with.
//!
//! `fields` is the table of members and where each goes in a Configuration; `convert` does what is no plain copy;
//! `kubelet` cleans flags; `variables` is the table of the CSE's assignments; `files` makes `CustomData`. The variables of
//! this route are those of the Configuration that a document converts to, but for the rows that say otherwise.

mod cluster_id;
mod convert;
mod document;
mod fields;
mod files;
mod kubelet;
mod variables;

pub use convert::{Loss, Nbc};
pub(crate) use files::custom_data;
pub use files::{CarriedFile, node_files};
pub use variables::{Classic, command, variables};
