//! AgentBaker's NodeBootstrappingConfiguration: what the services that make nodes the classic way are asked with.
//!
//! `fields` is the table of members and where each goes in a Configuration; `convert` does what is no plain copy;
//! `kubelet` cleans flags; `input` hands the result to routes.

mod cluster_id;
mod convert;
mod document;
mod fields;
mod input;
mod kubelet;

pub use convert::{Loss, Nbc};

/// Reports whether the root of a NodeBootstrappingConfiguration has a member of this name, in any letter case.
pub(crate) fn is_root_member(name: &str) -> bool {
    fields::FIELDS.iter().any(|(path, ..)| path.eq_ignore_ascii_case(name))
}
