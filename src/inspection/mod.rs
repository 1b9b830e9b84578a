//! Takes apart what ends up on a virtual machine: `CustomData` of every route and form, CSE commands, models of VMs and scale sets.
//!
//! [`inspect`] recognizes what it is given, removes base64, gzip, MIME, YAML, JSON and archives layer by layer, and says which
//! files, variables and Configuration a node gets, and what is worth a warning. What it cannot read it names; what it could
//! read until then is returned.
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
mod cloud_config;
mod documents;
mod encoded;
mod found;
mod mime;
mod redaction;
mod shell;
mod walk;
mod warnings;

pub use assignments::CommandAssignments;
pub(crate) use encoded::decoded_any;
pub use found::{FoundFile, FoundLayer, Inspection, Kind, Run, Stage, Warning};
pub(crate) use redaction::{SECRET_FILES, is_secret, without_long_base64};
pub use walk::LARGEST;

use sha2::{Digest, Sha256};

use crate::environment::ImageContents;

/// Inspects an artifact. `image` is what is known of the image, for the variables that a Configuration leads to.
#[must_use]
pub fn inspect(bytes: &[u8], image: &ImageContents) -> Inspection {
    let mut found = walk::walk(bytes, image);
    warnings::complete(&mut found);
    found
}

/// Returns what shell text does besides assigning variables and writing files, for [`Inspection::variables`] and
/// [`Inspection::files`] have those.
pub(crate) fn besides_variables_and_files(text: &str) -> String {
    assignments::besides(&shell::besides_files(text))
}

/// Returns the SHA-256 of some bytes in hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |digits, byte| digits + &format!("{byte:02x}"))
}
