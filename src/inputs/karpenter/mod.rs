//! Karpenter's way to a node: from the bootstrapper's inputs to the script.

mod bootstrap_inputs;
mod convert;
mod labels;
pub mod launch_template;
pub mod objects;
mod script;
mod table;
mod validate;

pub use bootstrap_inputs::{BootstrapInputs, KubeletConfig, Taint};
pub use convert::{Converted, LaunchTemplate, Objects, Provenance, convert};
pub use script::{Refused, Subnet, script, variables};
pub use validate::validate;
