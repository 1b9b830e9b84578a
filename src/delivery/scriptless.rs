//! `CustomData` of the `scriptless` route: the Configuration travels, the node's controller does the rest.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::mime;
use crate::catalogue::operating_systems::{FirstBoot, OperatingSystem};
use crate::catalogue::paths;
use crate::configuration::Configuration;
use crate::rendering::Template;

/// How the Configuration reaches the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A MIME document with a boothook, which cloud-init runs before everything else.
    Boothook,
    /// The older cloud-config that writes the file and leaves the start to the image's unit.
    WriteFiles,
    /// An Ignition document.
    Ignition,
}

impl Form {
    /// The form that an image family reads.
    #[must_use]
    pub fn of(distro: &OperatingSystem) -> Self {
        match distro.first_boot {
            FirstBoot::CloudInit => Self::Boothook,
            FirstBoot::Ignition => Self::Ignition,
        }
    }

    /// What can read it.
    #[must_use]
    pub const fn first_boot(self) -> FirstBoot {
        match self {
            Self::Boothook | Self::WriteFiles => FirstBoot::CloudInit,
            Self::Ignition => FirstBoot::Ignition,
        }
    }
}

#[derive(Serialize)]
struct Boothook<'a> {
    path: &'static str,
    configuration: &'a str,
    features: Vec<String>,
}

#[derive(Serialize)]
struct CloudConfig {}

#[derive(Serialize)]
struct WriteFiles<'a> {
    path: &'static str,
    permissions: &'static str,
    configuration: &'a str,
}

#[derive(Serialize)]
struct Ignition<'a> {
    path: &'static str,
    mode: u32,
    configuration: &'a str,
}

/// The document for the first boot, before base64.
pub(super) fn document(configuration: &Configuration, form: Form) -> String {
    match form {
        Form::Boothook => mime::document(&[
            mime::Part { content_type: "text/cloud-boothook", body: &boothook(configuration) },
            mime::Part { content_type: "text/cloud-config", body: &cloud_config() },
        ]),
        Form::WriteFiles => {
            let json = travelling(configuration);
            let context = WriteFiles { path: paths::CONFIGURATION, permissions: "0600", configuration: &json };
            Template::WRITE_FILES.render(&context, json.len() + 256)
        }
        Form::Ignition => {
            let json = travelling(configuration);
            let context = Ignition { path: paths::CONFIGURATION, mode: 0o600, configuration: &json };
            Template::IGNITION.render(&context, json.len() + 512)
        }
    }
}

/// What cloud-init runs before everything else.
pub(super) fn boothook(configuration: &Configuration) -> String {
    let json = travelling(configuration);
    let context = Boothook { path: paths::CONFIGURATION, configuration: &json, features: features(configuration) };
    Template::BOOTHOOK.render(&context, json.len() + 2048)
}

/// What cloud-init reads after it.
pub(super) fn cloud_config() -> String {
    Template::CLOUD_CONFIG.render(&CloudConfig {}, 128)
}

/// The Configuration as it stands inside every form.
fn travelling(configuration: &Configuration) -> String {
    STANDARD.encode(configuration.to_json())
}

/// The lines of the feature file: what a shell that reads the file may take for a plain assignment.
fn features(configuration: &Configuration) -> Vec<String> {
    let qualifies = |(name, value): &(&String, &String)| is_shell_name(name) && !value.contains(['\n', '\r']);
    let features = configuration.enabled_features.iter().filter(qualifies);
    features.map(|(name, value)| format!("{name}={value}")).collect()
}

fn is_shell_name(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}
