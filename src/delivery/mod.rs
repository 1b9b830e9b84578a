//! What a VM is created with: `CustomData` and, on the routes that have one, the CSE command.
//!
//! Each route is one module that turns a [`NodeInput`] into text; [`Request::render`] chooses the route and encodes the
//! text. To add a route: a row in `catalogue::routes`, a variant of [`Route`], and its module here.

mod formats;
mod layers;
mod mime;
mod node_bootstrap_variables;
mod provision_command;
mod scripted;
mod scriptless;
mod size;

pub use layers::Layer;
pub use node_bootstrap_variables::bootstrap_script;
pub use provision_command::bootstrap_command;
pub use scripted::{DeliveredFile, delivered_files};
pub use scriptless::Form;
pub use size::{Artefact, COMMAND_LIMIT, Compression, Contributor, CustomData, TooLarge};

pub(crate) use layers::decoded_text;
pub(crate) use node_bootstrap_variables::PAYLOADS;

use crate::Secret;
use crate::catalogue::operating_systems::{OPERATING_SYSTEMS, OperatingSystem};
use crate::catalogue::routes;
use crate::configuration::Configuration;
use crate::document::Finding;
use crate::environment::{ImageContents, Unrepresentable};
use crate::inputs::{InputKind, NodeInput};

/// How a node receives what it needs; each route is described in `catalogue::routes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Route {
    /// One script with all variables.
    #[default]
    NodeBootstrapVariables,
    /// The Configuration itself.
    Scriptless,
    /// The scripts, and a command with all variables.
    Scripted,
}

impl Route {
    /// Every route, in the order of the table.
    pub const ALL: [Self; 3] = [Self::NodeBootstrapVariables, Self::Scriptless, Self::Scripted];

    /// Returns the row of the table.
    #[must_use]
    pub fn row(self) -> &'static routes::Route {
        &routes::ROUTES[self as usize]
    }

    /// Returns the route of a name, as `--route` accepts it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|route| route.row().name == name)
    }
}

/// How an input is to be rendered.
#[derive(Clone, Debug)]
pub struct Request {
    /// The route.
    pub route: Route,
    /// The operating system of the image. An input that names its image takes precedence.
    pub os: &'static OperatingSystem,
    /// How the `scriptless` route carries the Configuration; `None` means as the operating system reads it.
    pub form: Option<Form>,
    /// Whether `CustomData` may be compressed.
    pub compression: Compression,
    /// Whether `CustomData` has to be ASCII text, for a program that encodes it in base64 itself. What is compressed or is not
    /// ASCII is then a MIME part in base64, which cloud-init decodes.
    pub text_only: bool,
    /// What the image contains. Read by the routes that compute the variables while rendering.
    pub image: ImageContents,
}

impl Default for Request {
    /// Returns the default route for Ubuntu.
    fn default() -> Self {
        let os = &OPERATING_SYSTEMS[0];
        let image = ImageContents { containerd_version: os.containerd_version.to_owned(), ..ImageContents::default() };
        Self { route: Route::default(), os, form: None, compression: Compression::default(), text_only: false, image }
    }
}

/// What a VM is created with.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// The route.
    pub route: Route,
    /// The operating system of the image.
    pub os: &'static OperatingSystem,
    /// `CustomData`.
    pub custom_data: CustomData,
    /// The command of the Custom Script Extension, on routes that have one. Contains secrets on the `scripted` route.
    pub cse: Option<Secret<'static>>,
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
    #[error("route `{route}` does not accept {kind}, which have no equivalent Configuration; use {}", one_of(.working))]
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
    /// use aks_node_controller::configuration::Configuration;
    /// use aks_node_controller::delivery::{Request, Route};
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
    /// Fails if the version of the Configuration is not supported, if the route fits neither the input nor the image,
    /// if the input lacks something that the route needs, if a value contains U+0000, or if the result is too large.
    pub fn render(&self, input: &dyn NodeInput) -> Result<Delivery, RenderError> {
        self.check(input)?;
        let custom_data = match self.route {
            Route::NodeBootstrapVariables => node_bootstrap_variables::custom_data(self, input)?,
            Route::Scriptless => scriptless::custom_data(self, input)?,
            Route::Scripted => scripted::custom_data(self, input)?,
        };
        let cse = match self.route {
            Route::NodeBootstrapVariables => None,
            Route::Scriptless => Some(scriptless::command()),
            Route::Scripted => Some(scripted::command(self, input)?),
        };
        Ok(Delivery { route: self.route, os: self.os_of(input), custom_data, cse })
    }

    /// Fails if the values of the input make `CustomData` or the CSE command too large. Faster than [`Request::render`]
    /// on the `scripted` route, whose `CustomData` has none of these values.
    ///
    /// # Errors
    /// As [`Request::render`].
    pub fn check_size(&self, input: &dyn NodeInput) -> Result<(), RenderError> {
        if self.route == Route::Scripted {
            self.check(input)?;
            return scripted::command(self, input).map(|_| ());
        }
        self.render(input).map(|_| ())
    }

    /// Returns everything that [`Request::render`] returns, layer by layer, decoded.
    ///
    /// # Errors
    /// As [`Request::render`].
    pub fn layers(&self, input: &dyn NodeInput) -> Result<Vec<Layer>, RenderError> {
        let delivery = self.render(input)?;
        let line = |text: &Secret<'_>| format!("{}\n", text.expose());
        let mut layers = vec![Layer::new("custom_data.b64", line(&delivery.custom_data.encoded))];
        layers.extend(delivery.cse.as_ref().map(|cse| Layer::new("cse.sh", line(cse))));
        layers.extend(match self.route {
            Route::NodeBootstrapVariables => node_bootstrap_variables::layers(self, input)?,
            Route::Scriptless => scriptless::layers(self, input)?,
            Route::Scripted => scripted::layers(self, input)?,
        });
        Ok(layers)
    }

    /// Returns the operating system of the image: what the input says, else what the request says.
    fn os_of(&self, input: &dyn NodeInput) -> &'static OperatingSystem {
        input.os().unwrap_or(self.os)
    }

    /// Fails if the route does not accept the input or does not work on the image.
    fn check(&self, input: &dyn NodeInput) -> Result<(), RenderError> {
        let row = self.route.row();
        match input.configuration() {
            Some(configuration) => configuration.check_version().map_err(RenderError::Document)?,
            None if self.route == Route::NodeBootstrapVariables => {}
            None => {
                let working = vec![Route::NodeBootstrapVariables.row().name];
                return Err(RenderError::RouteOfInput { route: row.name, kind: input.kind().title(), working });
            }
        }
        let OperatingSystem { name: os, first_boot, .. } = *self.os_of(input);
        if !row.first_boots.contains(&first_boot) {
            let mut working: Vec<_> = routes::routes_for(first_boot).collect();
            if input.kind() == InputKind::Karpenter {
                working.clear();
            }
            return Err(RenderError::RouteOfOs { route: row.name, os, working });
        }
        Ok(())
    }

    /// Returns the Configuration of an input that [`Request::check`] has accepted for a route that needs one.
    fn configuration<'i>(&self, input: &'i dyn NodeInput) -> Result<&'i Configuration, RenderError> {
        input.configuration().ok_or_else(|| RenderError::RouteOfInput {
            route: self.route.row().name,
            kind: input.kind().title(),
            working: vec![Route::NodeBootstrapVariables.row().name],
        })
    }
}
