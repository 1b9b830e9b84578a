//! Renders `CustomData` and, on the routes that have one, the CSE command of a VM.
//!
//! Each route is a module that turns a [`NodeInput`] into text; [`Request::render`] calls the route and encodes the
//! text. To add a route: see CONTRIBUTING.md.

mod formats;
mod layers;
pub(crate) mod mime;
mod node_bootstrap_variables;
mod notes;
mod provision_command;
mod resources;
mod route;
mod scripted;
mod scriptless;
mod size;

pub use layers::Layer;
pub use notes::notes;
pub use provision_command::bootstrap_command;
pub use route::Route;
pub use scripted::{DeliveredFile, delivered_files};
pub use scriptless::Form;
pub use size::{Artefact, COMMAND_LIMIT, Compression, Contributor, CustomData, TooLarge};

pub(crate) use layers::decoded_text;
pub(crate) use node_bootstrap_variables::PAYLOADS;
pub(crate) use notes::{is_real_secret, secret_fields};

pub use crate::catalogue::operating_systems::{OPERATING_SYSTEMS, OperatingSystem, operating_system};

use crate::Secret;
use crate::catalogue::operating_systems::FirstBoot;
use crate::configuration::Configuration;
use crate::document::Finding;
use crate::environment::{ImageContents, Unrepresentable};
use crate::inputs::NodeInput;
use scriptless::ControllerFiles;

/// Options for rendering an input.
#[derive(Clone, Debug)]
pub struct Request {
    /// The route.
    pub route: Route,
    /// The operating system of the image. An input that names its image takes precedence.
    pub os: &'static OperatingSystem,
    /// How the `scriptless` route carries the Configuration; `None` for the default of the operating system.
    pub form: Option<Form>,
    /// Where the `scriptless` route puts secrets.
    pub secrets: SecretPlacement,
    /// Whether the `scriptless` route delivers the equivalent Configuration of an input that requests to give the node's
    /// controller a command line.
    pub as_configuration: bool,
    /// Whether `CustomData` may be compressed.
    pub compression: Compression,
    /// Whether `CustomData` is for a program that reads it as a text and encodes it in base64 itself, see
    /// [`CustomData::to_latin_1`]. Compressed content then has no carriage return.
    pub text_only: bool,
    /// The contents of the image, for routes that compute the variables while rendering.
    pub image: ImageContents,
}

impl Default for Request {
    /// Returns the default route for Ubuntu.
    fn default() -> Self {
        let os = &OPERATING_SYSTEMS[0];
        let image = ImageContents { containerd_version: os.containerd_version.to_owned(), ..ImageContents::default() };
        Self {
            route: Route::default(),
            os,
            form: None,
            secrets: SecretPlacement::default(),
            as_configuration: false,
            compression: Compression::default(),
            text_only: false,
            image,
        }
    }
}

/// A rendered input, with which a VM is created.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Delivery {
    /// The route.
    pub route: Route,
    /// The operating system of the image.
    pub os: &'static OperatingSystem,
    /// `CustomData`.
    pub custom_data: CustomData,
    /// The command of the Custom Script Extension, on routes that have one. Contains secrets on the `scripted` route, and
    /// if secrets are in protected settings.
    pub cse: Option<Secret<'static>>,
    /// Where the secrets are, if the `scriptless` route delivers files for the node's controller.
    pub secrets: Option<SecretLocation>,
    /// What the input says about the resources.
    pub(crate) machine: resources::Machine,
}

/// The choice of a place for secrets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum SecretPlacement {
    /// In CustomData, unless the input asks for protected settings or is too large
    #[default]
    Auto,
    /// In the protected settings of the extension, never in CustomData
    ProtectedSettings,
}

/// The place of secrets in a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecretLocation {
    /// In `CustomData`.
    CustomData,
    /// In the CSE command, which the protected settings of the extension contain.
    ProtectedSettings,
}

impl SecretLocation {
    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CustomData => "custom-data",
            Self::ProtectedSettings => "protected-settings",
        }
    }
}

/// Why an input cannot be rendered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of each variant is its documentation")]
pub enum RenderError {
    #[error("{0}")]
    Document(#[from] Finding),
    #[error(transparent)]
    Unrepresentable(#[from] Unrepresentable),
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error("route `{route}` needs cloud-init, which `{os}` does not have; use {}", one_of(.working))]
    RouteOfOs { route: &'static str, os: &'static str, working: Vec<&'static str> },
    #[error("route `{route}` does not accept {kind}, which have no equivalent Configuration; use {}, or pass Karpenter's objects with a Configuration as `--base`", one_of(.working))]
    RouteOfInput { route: &'static str, kind: &'static str, working: Vec<&'static str> },
    #[error("the form of CustomData does not fit `{os}`: {reader} reads CustomData there")]
    Form { os: &'static str, reader: &'static str },
}

fn one_of(routes: &[&str]) -> String {
    let routes: Vec<_> = routes.iter().map(|route| format!("route `{route}`")).collect();
    routes.join(" or ")
}

impl Request {
    /// Renders `CustomData` and the CSE command of an input.
    ///
    /// ```
    /// use aks_node_controller::{Configuration, Request, Route};
    ///
    /// let document = br#"{
    ///     "version": "v1",
    ///     "kubernetes_version": "1.33.2",
    ///     "auth_config": {"subscription_id": "8d0ff1a2-0c5e-4f4e-93a5-5a1c7e2b9d10"},
    ///     "api_server_config": {"api_server_name": "demo-dns-1a2b3c4d.hcp.westeurope.azmk8s.io"},
    ///     "cluster_config": {
    ///         "resource_group": "MC_demo_demo_westeurope",
    ///         "location": "westeurope",
    ///         "cluster_network_config": {"vnet_name": "aks-vnet-12345678", "route_table": "aks-agentpool-routetable"}
    ///     }
    /// }"#;
    /// let configuration = Configuration::from_document(document)?.configuration;
    /// let request = Request { route: Route::Scriptless, ..Request::default() };
    /// let delivery = request.render(&configuration)?;
    /// let cse = delivery.cse.expect("this route has a command");
    /// assert_eq!(cse.expose(), "/opt/azure/containers/aks-node-controller provision-wait");
    /// assert!(delivery.custom_data.encoded.expose().len() < aks_node_controller::configuration::LIMIT);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the version of the Configuration is not supported, if the route does not support the input or the
    /// image, if the input lacks something that the route needs, if a value contains U+0000, or if the result is too
    /// large.
    pub fn render(&self, input: &dyn NodeInput) -> Result<Delivery, RenderError> {
        self.rendered(input).map_err(|error| match error {
            RenderError::TooLarge(large) => {
                let more_room = self.more_room(input, &large);
                TooLarge { more_room, ..large }.into()
            }
            other => other,
        })
    }

    /// Returns a delivery of the same input with more capacity than one that is too large.
    fn more_room(&self, input: &dyn NodeInput, large: &TooLarge) -> Option<&'static str> {
        let reads_gzip = self.os_of(input).first_boot == FirstBoot::CloudInit;
        if large.artefact == Artefact::CustomData && self.compression == Compression::Never && reads_gzip {
            return Some("`--compress auto` compresses CustomData");
        }
        // The other routes have no input without a Configuration.
        input.configuration()?;
        match (self.route_of(input), large.artefact) {
            (Route::NodeBootstrapVariables, _) => Some(
                "`--route scriptless --secrets protected-settings` allows 131071 compressed bytes in the CSE command",
            ),
            (Route::Scriptless, Artefact::CustomData) if self.secrets != SecretPlacement::ProtectedSettings => {
                Some("`--secrets protected-settings` allows 131071 compressed bytes in the CSE command")
            }
            (Route::Scripted, Artefact::Command) => {
                Some("`--route scriptless --secrets protected-settings` compresses the content of the command")
            }
            _ => None,
        }
    }

    fn rendered(&self, input: &dyn NodeInput) -> Result<Delivery, RenderError> {
        self.check(input)?;
        let route = self.route_of(input);
        let (custom_data, cse, secrets) = match route {
            Route::NodeBootstrapVariables => (node_bootstrap_variables::custom_data(self, input)?, None, None),
            Route::Scriptless => match ControllerFiles::new(self, input)? {
                Some(files) => (files.custom_data()?, Some(files.command()?), Some(files.location())),
                None => (scriptless::custom_data(self, input)?, Some(scriptless::command()), None),
            },
            Route::Scripted => (scripted::custom_data(self, input)?, Some(scripted::command(self, input)?), None),
        };
        let machine = resources::Machine::of(input);
        Ok(Delivery { route, os: self.os_of(input), custom_data, cse, secrets, machine })
    }

    /// Returns the route of an input: a machine that becomes an image runs the scripts itself.
    fn route_of(&self, input: &dyn NodeInput) -> Route {
        let command = input.command_request().filter(|_| self.route == Route::Scriptless && !self.as_configuration);
        if command.is_some_and(|command| command.only_prepares_image) { Route::Scripted } else { self.route }
    }

    /// Fails if the values of the input make `CustomData` or the CSE command too large. Faster than [`Request::render`]
    /// on the `scripted` route, whose `CustomData` has none of these values.
    ///
    /// # Errors
    /// As [`Request::render`].
    pub fn check_size(&self, input: &dyn NodeInput) -> Result<(), RenderError> {
        if self.route_of(input) == Route::Scripted {
            self.check(input)?;
            return scripted::command(self, input).map(|_| ());
        }
        self.render(input).map(|_| ())
    }

    /// Returns the result of [`Request::render`] as decoded layers.
    ///
    /// # Errors
    /// As [`Request::render`].
    pub fn layers(&self, input: &dyn NodeInput) -> Result<Vec<Layer>, RenderError> {
        let delivery = self.render(input)?;
        let line = |text: &Secret<'_>| format!("{}\n", text.expose());
        let mut layers = vec![Layer::new("custom_data.b64", line(&delivery.custom_data.encoded))];
        layers.extend(delivery.cse.as_ref().map(|cse| Layer::new("cse.sh", line(cse))));
        layers.extend(match delivery.route {
            Route::NodeBootstrapVariables => node_bootstrap_variables::layers(self, input)?,
            Route::Scriptless => match ControllerFiles::new(self, input)? {
                Some(files) => files.layers(),
                None => scriptless::layers(self, input)?,
            },
            Route::Scripted => scripted::layers(self, input)?,
        });
        Ok(layers)
    }

    /// Returns the operating system of the image: from the input, else from the request.
    fn os_of(&self, input: &dyn NodeInput) -> &'static OperatingSystem {
        input.os().unwrap_or(self.os)
    }

    /// Fails if the route does not accept the input or does not work on the image.
    fn check(&self, input: &dyn NodeInput) -> Result<(), RenderError> {
        if !self.route.accepts(input) {
            return Err(self.not_accepted(input));
        }
        input.configuration().map_or(Ok(()), Configuration::check_version)?;
        if let Some(finding) = input.needs_controller().filter(|_| self.route != Route::Scriptless) {
            return Err(finding.into());
        }
        let OperatingSystem { name: os, first_boot, .. } = *self.os_of(input);
        if !self.route.is_read_by(first_boot) {
            let working = Route::ALL.into_iter().filter(|route| route.is_read_by(first_boot) && route.accepts(input));
            return Err(RenderError::RouteOfOs {
                route: self.route.name(),
                os,
                working: working.map(Route::name).collect(),
            });
        }
        Ok(())
    }

    /// Returns the Configuration of an input, for a route that needs one.
    fn configuration<'i>(&self, input: &'i dyn NodeInput) -> Result<&'i Configuration, RenderError> {
        input.configuration().ok_or_else(|| self.not_accepted(input))
    }

    fn not_accepted(&self, input: &dyn NodeInput) -> RenderError {
        let working = Route::ALL.into_iter().filter(|route| route.accepts(input)).map(Route::name).collect();
        RenderError::RouteOfInput { route: self.route.name(), kind: input.kind().title(), working }
    }
}
