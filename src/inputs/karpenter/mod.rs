//! Karpenter: the inputs of its bootstrapper, the Kubernetes objects that they come from, and the variables of its script.

mod assignments;
mod bootstrap_inputs;
mod convert;
mod derived;
mod input;
mod labels;
pub mod launch_template;
pub mod objects;
mod validate;

pub use bootstrap_inputs::{BootstrapInputs, KubeletConfig, Taint};
pub use convert::{Converted, LaunchTemplate, Objects, Provenance, convert};
pub use derived::Subnet;
pub use validate::validate;
