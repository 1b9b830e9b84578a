//! The `scriptless` route: the node's controller does everything, and the CSE command waits for its result. `CustomData`
//! carries the Configuration in a [`Form`] of its own, or files for the controller, see [`ControllerFiles`].

mod controller_files;

pub(in crate::delivery) use controller_files::ControllerFiles;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::{CustomData, Layer, RenderError, Request, mime, size};
use crate::Secret;
use crate::catalogue::operating_systems::{FirstBoot, OperatingSystem};
use crate::catalogue::paths;
use crate::configuration::Configuration;
use crate::configuration::syntax::is_shell_name;
use crate::inputs::NodeInput;
use crate::rendering::{NoValues, render};

/// How `CustomData` carries the Configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Form {
    /// A MIME document with a boothook, which cloud-init runs first.
    Boothook,
    /// The older cloud-config, which only writes the file; a unit of the image starts the controller.
    WriteFiles,
    /// An Ignition document.
    Ignition,
}

impl Form {
    /// Returns the form that an operating system reads.
    #[must_use]
    pub fn of(distro: &OperatingSystem) -> Self {
        match distro.first_boot {
            FirstBoot::CloudInit => Self::Boothook,
            FirstBoot::Ignition => Self::Ignition,
        }
    }

    /// Returns the program that reads the form.
    #[must_use]
    pub const fn first_boot(self) -> FirstBoot {
        match self {
            Self::Boothook | Self::WriteFiles => FirstBoot::CloudInit,
            Self::Ignition => FirstBoot::Ignition,
        }
    }
}

const PATH: &str = paths::CONFIGURATION;

#[derive(Serialize)]
struct Boothook {
    path: &'static str,
    configuration: String,
    features: String,
}

#[derive(Serialize)]
struct WriteFiles {
    path: &'static str,
    permissions: &'static str,
    configuration: String,
}

#[derive(Serialize)]
struct Ignition {
    path: &'static str,
    mode: u32,
    configuration: String,
}

/// Returns the document for the first boot, before base64.
fn document(configuration: &Configuration, form: Form) -> String {
    match form {
        Form::Boothook => {
            let (boothook, cloud_config) = (boothook(configuration), cloud_config());
            mime::document(&[
                mime::Part::text("text/cloud-boothook", &boothook),
                mime::Part::text("text/cloud-config", &cloud_config),
            ])
        }
        Form::WriteFiles => {
            let values = WriteFiles { path: PATH, permissions: "0600", configuration: encoded(configuration) };
            render("write_files.yaml.tera", &values)
        }
        Form::Ignition => {
            let values = Ignition { path: PATH, mode: 0o600, configuration: encoded(configuration) };
            render("ignition.json.tera", &values)
        }
    }
}

/// Returns the boothook, which cloud-init runs first.
fn boothook(configuration: &Configuration) -> String {
    let values = Boothook { path: PATH, configuration: encoded(configuration), features: features(configuration) };
    render("boothook.sh.tera", &values)
}

/// Returns the cloud-config beside the boothook.
fn cloud_config() -> String {
    render("cloud_config.yaml.tera", &NoValues {})
}

/// Returns the Configuration as every form embeds it.
fn encoded(configuration: &Configuration) -> String {
    STANDARD.encode(configuration.to_json())
}

/// Returns the feature file: only lines that a shell reads as plain assignments.
fn features(configuration: &Configuration) -> String {
    let qualifies = |(name, value): &(&String, &String)| is_shell_name(name) && !value.contains(['\n', '\r']);
    let features = configuration.enabled_features.iter().filter(qualifies);
    features.flat_map(|(name, value)| [name, "=", value, "\n"]).collect()
}

/// Returns the form of the request, if the image supports it.
fn form(request: &Request, input: &dyn NodeInput) -> Result<Form, RenderError> {
    let distro = request.os_of(input);
    let form = request.form.unwrap_or_else(|| Form::of(distro));
    if form.first_boot() != distro.first_boot {
        return Err(RenderError::Form { os: distro.name, reader: distro.first_boot.reader() });
    }
    Ok(form)
}

/// Returns `CustomData`.
pub(super) fn custom_data(request: &Request, input: &dyn NodeInput) -> Result<CustomData, RenderError> {
    let configuration = request.configuration(input)?;
    let form = form(request, input)?;
    let document = document(configuration, form);
    let first_boot = request.os_of(input).first_boot;
    Ok(CustomData::new(&document, first_boot, request, || size::fields(configuration))?)
}

/// Returns the CSE command, which waits for the controller and returns its result.
pub(super) fn command() -> Secret<'static> {
    format!("{} provision-wait", paths::CONTROLLER).into()
}

/// Returns the Configuration, the document and, for a boothook, the parts of the document.
pub(super) fn layers(request: &Request, input: &dyn NodeInput) -> Result<Vec<Layer>, RenderError> {
    let configuration = request.configuration(input)?;
    let form = form(request, input)?;
    let document = document(configuration, form);
    let mut layers = vec![Layer::new("configuration.json", configuration.to_json() + "\n")];
    match form {
        Form::Boothook => layers.extend([
            Layer::new("boothook.sh", boothook(configuration)),
            Layer::new("cloud_config.yaml", cloud_config()),
            Layer::new("custom_data.mime", document),
        ]),
        Form::WriteFiles => layers.push(Layer::new("custom_data.yaml", document)),
        Form::Ignition => layers.push(Layer::new("ignition.json", document)),
    }
    Ok(layers)
}
