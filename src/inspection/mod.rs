//! Decodes the artifacts of a virtual machine: `CustomData` of every route and form, CSE commands, models of VMs and
//! scale sets.
//!
//! [`inspect`] recognizes an artifact, removes base64, gzip, MIME, YAML, JSON and archives layer by layer, and returns
//! the files, variables and Configuration that a node gets, and warnings. A warning names each part that it cannot
//! read; everything else is returned.
//!
//! ```
//! use aks_node_controller::environment::ImageContents;
//! use aks_node_controller::inspection::{Kind, inspect};
//!
//! let inspection = inspect(b"I2Nsb3VkLWNvbmZpZwp3cml0ZV9maWxlczoKLSBwYXRoOiAvZXRjL21vdGQKICBjb250ZW50OiBoZWxsbwo=", &ImageContents::default());
//! assert_eq!(inspection.kind, Kind::Base64);
//! assert_eq!(inspection.files[0].path, "/etc/motd");
//! ```

pub(crate) mod archive;
mod assignments;
mod carried;
pub(crate) mod cloud_config;
mod documents;
mod encoded;
mod found;
mod json;
mod literals;
pub(crate) mod mime;
mod models;
mod redaction;
mod secrets;
mod shell;
mod user_data;
mod walk;
mod warnings;

pub use assignments::CommandAssignments;
pub(crate) use encoded::decoded;
pub use found::{Carrier, FoundFile, FoundLayer, Inspection, Kind, Run, Stage, Warning};
pub(crate) use redaction::SECRET_FILES;
pub use secrets::{FoundSecret, SecretPlace};
pub use walk::LARGEST;

use sha2::{Digest, Sha256};

use crate::environment::ImageContents;

/// Inspects an artifact. `image` is the contents of the image, for the variables that follow from a Configuration.
#[must_use]
pub fn inspect(bytes: &[u8], image: &ImageContents) -> Inspection {
    let mut found = walk::walk(bytes, image);
    warnings::complete(&mut found);
    found
}

/// Returns a shell text without assignments and files, which are in [`Inspection::variables`] and
/// [`Inspection::files`].
pub(crate) fn besides_variables_and_files(text: &str) -> String {
    assignments::besides(&shell::besides_files(text))
}

/// Returns the SHA-256 of some bytes in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |digits, byte| digits + &format!("{byte:02x}"))
}
