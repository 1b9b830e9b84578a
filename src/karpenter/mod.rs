//! Karpenter's way to a node: from the bootstrapper's inputs to the script.

mod convert;
mod inputs;
mod labels;
pub mod launch_template;
pub mod objects;
mod script;
mod table;
mod validate;

pub use convert::{Converted, LaunchTemplate, Objects, Provenance, convert};
pub use inputs::{Inputs, KubeletConfig, Taint};
pub use script::{Refused, Subnet, script, variables};
pub use validate::validate;
