//! The facts of an image: a file that `bake` writes, for which documents are rendered and checked.
//!
//! `gather` reads them below the root of an image, and `needs` compares them with the requirements of a document. To add a fact: a member
//! of [`Facts`], its line in docs/image-facts.md, and a row in `needs` if the scripts end with a code without it.

#[cfg(node)]
mod gather;
mod needs;
#[cfg(node)]
mod store;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::configuration::Version;
#[cfg(node)]
use crate::configuration::{Configuration, Descriptor, Kind};
use crate::document::Report;
#[cfg(node)]
pub(crate) use gather::gather;
#[cfg(node)]
pub(crate) use needs::lacks;
pub(crate) use needs::predictions;

/// The version of the file's shape.
const SHAPE: u32 = 1;

/// The facts. Lists have only installed items; `None` means that the value could not be determined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Facts {
    /// The version of this shape.
    pub version: u32,
    /// The operating system, as os-release names it.
    pub os: Os,
    /// `amd64` or `arm64`.
    #[serde(default)]
    pub architecture: Option<String>,
    /// Whether the log of an image build is there.
    pub prepared: bool,
    /// The version of containerd; empty if it is not installed.
    #[serde(default)]
    pub containerd: Option<String>,
    /// The versions of Kubernetes whose kubelet is there.
    pub kubelets: BTreeSet<String>,
    /// The programs that are in one of the directories of `PATH`.
    pub programs: BTreeSet<String>,
    /// The units of systemd.
    pub units: BTreeSet<String>,
    /// The scripts and programs of this project.
    pub files: BTreeSet<String>,
    /// The programs in `/opt/cni/bin`.
    pub cni_plugins: BTreeSet<String>,
    /// The images of GPU drivers in the component list, with tags; `None` if there is no list.
    #[serde(default)]
    pub gpu_drivers: Option<BTreeMap<String, String>>,
    /// The images in containerd's store; `None` if it has none or cannot be read.
    #[serde(default)]
    pub images: Option<BTreeSet<String>>,
    /// The node's controller; `None` if there is none.
    #[serde(default)]
    pub controller: Option<Controller>,
}

/// The operating system of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Os {
    /// The name that `--os` accepts; `None` if none fits.
    #[serde(default)]
    pub name: Option<String>,
    /// `ID`.
    pub id: String,
    /// `VERSION_ID`.
    #[serde(default)]
    pub version_id: String,
    /// `VARIANT_ID`.
    #[serde(default)]
    pub variant_id: String,
}

/// The controller of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Controller {
    /// The version of the program.
    pub version: String,
    /// The fields of the Configuration that it knows.
    pub fields: BTreeSet<String>,
}

#[cfg(node)]
impl Controller {
    /// Returns what this program is as a controller.
    fn this() -> Self {
        let mut fields = BTreeSet::new();
        add_fields(Configuration::descriptor(), "", &mut fields);
        Self { version: env!("CARGO_PKG_VERSION").to_owned(), fields }
    }
}

/// Adds the paths of the fields of a message.
#[cfg(node)]
fn add_fields(descriptor: &Descriptor, path: &str, found: &mut BTreeSet<String>) {
    for field in descriptor.fields {
        let path = if path.is_empty() { field.name.to_owned() } else { format!("{path}.{}", field.name) };
        if let Kind::Message(inner) = field.kind {
            add_fields(inner, &path, found);
        }
        found.insert(path);
    }
}

impl Facts {
    /// Reads the file.
    ///
    /// # Errors
    /// Fails with the problem and its place.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let source = crate::document::Source::new(bytes).map_err(|finding| Report::from(finding).to_string())?;
        source.tree().map_err(|finding| Report::from(finding).to_string())?;
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let facts: Self =
            serde_json::from_slice(text).map_err(|error| format!("is not a file of image facts: {error}"))?;
        if facts.version != SHAPE {
            return Err(format!("`version` must be {SHAPE}, found {}", facts.version));
        }
        let versions = facts.containerd.iter().filter(|version| !version.is_empty()).chain(&facts.kubelets);
        for version in versions {
            if Version::parse(version).is_none() {
                return Err("`containerd` and `kubelets` must be versions such as `2.1.4`".to_owned());
            }
        }
        Ok(facts)
    }
}

#[cfg(all(test, node))]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_back_and_a_broken_one_is_named() {
        let facts = Facts {
            version: SHAPE,
            os: Os { name: Some("ubuntu".to_owned()), id: "ubuntu".to_owned(), ..Os::default() },
            containerd: Some("2.1.4".to_owned()),
            kubelets: BTreeSet::from(["1.34.2".to_owned()]),
            controller: Some(Controller::this()),
            ..Facts::default()
        };
        let text = serde_json::to_string_pretty(&facts).expect("it is plain data");
        assert_eq!(Facts::parse(text.as_bytes()), Ok(facts));
        for (from, to, problem) in [
            ("\"version\": 1", "\"version\": 2", "must be 1, found 2"),
            ("\"2.1.4\"", "\"newest\"", "must be versions"),
            ("\"prepared\"", "\"preparred\"", "unknown field `preparred`"),
            ("{", "[", "invalid syntax"),
        ] {
            assert!(text.contains(from), "{from}");
            let error = Facts::parse(text.replacen(from, to, 1).as_bytes()).expect_err(to);
            assert!(error.contains(problem), "{error}");
        }
        for broken in ["", "[]", "{\"version\": 1}", "{\"version\": 1, \"version\": 1}", "\u{fffd}"] {
            assert!(Facts::parse(broken.as_bytes()).is_err(), "{broken}");
        }
    }

    #[test]
    fn this_program_knows_each_field() {
        let fields = Controller::this().fields;
        for field in
            ["version", "kubelet_config.kubelet_flags", "custom_linux_os_config.sysctl_config.vm_max_map_count"]
        {
            assert!(fields.contains(field), "{field}");
        }
    }
}
