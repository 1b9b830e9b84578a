//! Karpenter: the inputs of its bootstrapper, the Kubernetes objects that they come from, and the variables of its script.
//!
//! [`convert`] turns [`Objects`] into [`BootstrapInputs`], which can also be read from a document; `assignments` has the
//! variables. [`launch_template`] computes the rest of the launch template that Karpenter passes to Azure.
//!
//! To add a member of the inputs: a field of [`BootstrapInputs`] and a line in [`convert`].

mod across;
mod assignments;
#[cfg(feature = "cli")]
pub(crate) mod based;
mod bootstrap_inputs;
#[cfg(feature = "cli")]
pub(crate) mod bundle;
mod convert;
mod derived;
mod input;
mod kubelet_flags;
pub mod launch_template;
pub mod objects;
mod subnet;
mod validate;
mod vm_size;

pub use bootstrap_inputs::{BootstrapInputs, KubeletConfig, Taint};
#[cfg(feature = "cli")]
pub(crate) use convert::host;
pub use convert::{Converted, Objects, Provenance, convert};
pub use subnet::Subnet;
pub use validate::validate;
pub(super) use validate::without_sign_in;
pub use vm_size::VmSize;
