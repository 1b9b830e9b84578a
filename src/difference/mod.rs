//! Compares two artifacts that `inspection` can read, by meaning and not by bytes.
//!
//! [`diff`] returns the variables, files, fields of a Configuration and commands that differ. The content of a variable
//! or a file is compared by its format: TOML, JSON and YAML by path, kernel settings as a set, a Corefile by block,
//! units by section and key, everything else by line. Secrets are compared and never shown.
//!
//! To compare another format: a variant of `catalogue::formats::Format`, its reader in `payload`, and the variables and
//! paths that have it. To compare another part of an artifact: a variant of [`Part`] and a file with its function.
//!
//! ```
//! use aks_node_controller::difference::{Rules, diff};
//! use aks_node_controller::environment::ImageContents;
//! use aks_node_controller::inspection::inspect;
//!
//! let image = ImageContents::default();
//! let a = inspect(b"#cloud-config\nwrite_files:\n- {path: /etc/sysctl.d/60.conf, content: \"a=1\"}\n", &image);
//! let b = inspect(b"#cloud-config\nwrite_files:\n- {path: /etc/sysctl.d/60.conf, content: \"a=2\"}\n", &image);
//! let differences = diff(&a, &b, Rules::Meaning);
//! assert_eq!(differences.to_json(false)["files"][0]["details"][0], serde_json::json!({"path": "a", "a": "1", "b": "2"}));
//! ```

mod align;
mod documents;
mod fields;
mod files;
mod found;
mod payload;
mod reference;
mod scope;
mod tree;
mod value;
mod variables;

pub use found::{ChangedFile, ChangedText, Detail, Differences, FileChange, Part};
pub use reference::{Comparison, Difference};
pub use value::{Place, SideValue};

use crate::inspection::Inspection;
use crate::redaction::Redactor;

/// The rules by which two sides are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rules {
    /// Both make the same node: differences without meaning, such as the order of keys, are ignored.
    #[default]
    Meaning,
    /// The reference's comparison of two environments on a node: only variables, without double quotes and without
    /// variables that are expected to differ; see [`Comparison`]. The side with a Configuration is the computed one,
    /// otherwise the first side.
    Reference,
}

/// Compares two sides.
#[must_use]
pub fn diff(a: &Inspection, b: &Inspection, rules: Rules) -> Differences {
    let secrets = Redactor::new(&[a.secrets(), b.secrets()].concat());
    let mut found = Differences::default();
    match rules {
        Rules::Reference => {
            found.skipped = Part::ALL.into_iter().filter(|part| *part != Part::Variables).collect();
            found.variables = variables::like_the_reference(a, b, &secrets);
        }
        Rules::Meaning => {
            found.skipped = scope::skipped(a, b);
            let is_wanted = |part: Part| !found.skipped.contains(&part);
            if is_wanted(Part::Variables) {
                found.variables = variables::by_meaning(a, b, &secrets);
            }
            if is_wanted(Part::Files) {
                found.files = files::compare(a, b, &secrets);
            }
            if is_wanted(Part::Configuration) {
                found.configuration = fields::of_sides(a, b, &secrets);
            }
            if is_wanted(Part::Command) {
                found.command = documents::command(a, b, &secrets);
            }
            if is_wanted(Part::Runs) {
                found.runs = documents::runs(a, b, &secrets);
            }
            if is_wanted(Part::Documents) {
                found.documents = documents::compare(a, b, &secrets);
            }
        }
    }
    found
}
