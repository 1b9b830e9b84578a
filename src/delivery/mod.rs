//! What a VM is created with: `CustomData`, and on the routes that have one the CSE command.
//!
//! [`Request::render`] is the door. To add a route: a row in `catalogue::routes`, a [`Route`], its bytes in a file here.

mod formats;
mod layers;
mod mime;
mod scriptless;
mod size;

pub use layers::Layer;
pub use scriptless::Form;
pub use size::{Compression, Contributor, CustomData, TooLarge};

use crate::catalogue::node_distros::Family;
use crate::catalogue::operating_systems::{FirstBoot, OPERATING_SYSTEMS, OperatingSystem, operating_system};
use crate::catalogue::{paths, routes};
use crate::configuration::Configuration;
use crate::environment::{Environment, ImageContents};
use crate::inputs::karpenter;
use crate::inputs::nbc::{self, Classic, Nbc};
use crate::script::{self, Unrepresentable};

/// The way to the node; what each is stands in `catalogue::routes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Route {
    /// One script with the whole environment in it.
    #[default]
    NodeBootstrapVariables,
    /// The Configuration itself.
    Scriptless,
    /// The scripts, and a command with the whole environment in it.
    Scripted,
}

impl Route {
    /// Every route, in the order of the table.
    pub const ALL: [Self; 3] = [Self::NodeBootstrapVariables, Self::Scriptless, Self::Scripted];

    /// The row of the table.
    #[must_use]
    pub fn row(self) -> &'static routes::Route {
        &routes::ROUTES[self as usize]
    }
}

/// What shall be made of a Configuration.
#[derive(Clone, Debug)]
pub struct Request {
    /// The way to the node.
    pub route: Route,
    /// The family of its image.
    pub distro: &'static OperatingSystem,
    /// How the Configuration travels; `None`: as the family reads it. Only the `scriptless` route asks.
    pub form: Option<Form>,
    /// Whether `CustomData` may be gzip'd.
    pub compression: Compression,
    /// What the image holds. Only routes that compute the environment now ask.
    pub facts: ImageContents,
}

impl Default for Request {
    /// The default route for Ubuntu.
    fn default() -> Self {
        let distro = &OPERATING_SYSTEMS[0];
        let facts =
            ImageContents { containerd_version: distro.containerd_version.to_owned(), ..ImageContents::default() };
        Self { route: Route::default(), distro, form: None, compression: Compression::default(), facts }
    }
}

/// What a VM is created with.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// The way to the node.
    pub route: Route,
    /// The family of its image.
    pub distro: &'static OperatingSystem,
    /// Base64, as the Azure API takes it.
    pub custom_data: CustomData,
    /// The command of the Custom Script Extension, on routes that have one.
    pub cse: Option<String>,
}

/// Why nothing can be made of a Configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of each variant says it")]
pub enum Refusal {
    #[error("the document cannot be used: {0}")]
    Document(String),
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Karpenter(#[from] karpenter::Refused),
    #[error(transparent)]
    Unrepresentable(#[from] Unrepresentable),
    #[error("route `{route}` does not work on `{os}`, which has no cloud-init; routes that do: {}", .working.join(", "))]
    Route { route: &'static str, os: &'static str, working: Vec<&'static str> },
    #[error("the custom data form does not work on `{os}`: {} reads it there", .reader)]
    Form { os: &'static str, reader: &'static str },
}

impl Request {
    /// Makes `CustomData` and the CSE command.
    ///
    /// ```
    /// use aks_node_controller::configuration::Configuration;
    /// use aks_node_controller::delivery::{Request, Route};
    ///
    /// let document = br#"{
    ///     "version": "v1",
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
    /// assert_eq!(delivery.cse.as_deref(), Some("/opt/azure/containers/aks-node-controller provision-wait"));
    /// println!("{}", delivery.custom_data.encoded);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The version is not supported, the route or form does not fit the image, the result is too large, or a value
    /// cannot travel at all.
    pub fn render(&self, configuration: &Configuration) -> Result<Delivery, Refusal> {
        if self.route == Route::Scripted {
            configuration.check_version().map_err(|finding| Refusal::Document(finding.to_string()))?;
            return self
                .render_classic(&Classic::Configuration(configuration, Family::of_os(self.distro.name)), self.distro);
        }
        let document = self.document(configuration)?;
        let first_boot = self.distro.first_boot;
        let custom_data = CustomData::new(&document, first_boot, self.compression, || match self.route {
            Route::Scriptless => size::fields(configuration),
            Route::NodeBootstrapVariables | Route::Scripted => {
                let environment = Environment::new(configuration, &self.facts);
                size::variables(environment.iter().map(|entry| (&*entry.name, &*entry.value)))
            }
        })?;
        Ok(Delivery { route: self.route, distro: self.distro, custom_data, cse: self.cse() })
    }

    /// Everything that [`Request::render`] makes, layer by layer, decoded.
    ///
    /// # Errors
    /// As [`Request::render`].
    pub fn layers(&self, configuration: &Configuration) -> Result<Vec<Layer>, Refusal> {
        let delivery = self.render(configuration)?;
        Ok(layers::layers(self, configuration, &delivery, self.document(configuration)?))
    }

    /// Makes `CustomData` out of the inputs of Karpenter's bootstrapper. Route and image follow from them.
    ///
    /// # Errors
    /// The inputs lack what no script can do without, or the result is too large.
    pub fn render_karpenter(&self, inputs: &karpenter::BootstrapInputs) -> Result<Delivery, Refusal> {
        let script = karpenter::script(inputs)?;
        let custom_data = CustomData::new(&script, FirstBoot::CloudInit, self.compression, || {
            // Not by the lines of the script: a value may have several, and a secret's must not be taken for names.
            let variables = karpenter::variables(inputs).unwrap_or_default();
            size::variables(variables.iter().map(|(name, value)| (*name, value.as_str())))
        })?;
        Ok(Delivery { route: Route::NodeBootstrapVariables, distro: self.distro, custom_data, cse: None })
    }

    /// Makes `CustomData` and the CSE command of a NodeBootstrappingConfiguration. The image follows from it.
    ///
    /// # Errors
    /// A value cannot travel at all, or the result is too large.
    pub fn render_nbc(&self, nbc: &Nbc) -> Result<Delivery, Refusal> {
        let distro = operating_system(nbc.os).unwrap_or(self.distro);
        self.render_classic(&Classic::Nbc(nbc), distro)
    }

    /// Everything that [`Request::render_nbc`] makes, layer by layer, decoded.
    ///
    /// # Errors
    /// As [`Request::render_nbc`].
    pub fn layers_of_nbc(&self, nbc: &Nbc) -> Result<Vec<Layer>, Refusal> {
        let delivery = self.render_nbc(nbc)?;
        let ready = |name, text: &str| Layer { name, text: format!("{text}\n") };
        let mut layers = vec![ready("custom_data.b64", &delivery.custom_data.encoded)];
        layers.extend(delivery.cse.as_deref().map(|cse| ready("cse.sh", cse)));
        layers.extend(layers::classic(&Classic::Nbc(nbc)));
        Ok(layers)
    }

    fn render_classic(&self, classic: &Classic<'_>, distro: &'static OperatingSystem) -> Result<Delivery, Refusal> {
        let (document, packed) = nbc::custom_data(classic);
        let compressed = distro.first_boot == FirstBoot::CloudInit && self.compression != Compression::Never;
        let custom_data = if compressed || distro.first_boot == FirstBoot::Ignition {
            CustomData::made(packed, compressed)
        } else {
            CustomData::new(document, distro.first_boot, Compression::Never, Vec::new)
        };
        let cse = nbc::command(classic, &self.facts)?;
        Ok(Delivery { route: Route::Scripted, distro, custom_data: custom_data?, cse: Some(cse) })
    }

    fn form(&self) -> Form {
        self.form.unwrap_or_else(|| Form::of(self.distro))
    }

    fn cse(&self) -> Option<String> {
        self.route.row().has_cse.then(provision_wait)
    }

    /// The document for the first boot.
    fn document(&self, configuration: &Configuration) -> Result<String, Refusal> {
        configuration.check_version().map_err(|finding| Refusal::Document(finding.to_string()))?;
        let OperatingSystem { name: os, first_boot, .. } = *self.distro;
        let row = self.route.row();
        if !row.first_boots.contains(&first_boot) {
            let working = routes::routes_for(first_boot).collect();
            return Err(Refusal::Route { route: row.name, os, working });
        }
        match self.route {
            Route::NodeBootstrapVariables => {
                Ok(script::bootstrap_script(&Environment::new(configuration, &self.facts))?)
            }
            Route::Scripted => {
                let family = Family::of_os(self.distro.name);
                Ok(nbc::custom_data(&Classic::Configuration(configuration, family)).0.to_owned())
            }
            Route::Scriptless if self.form().first_boot() != first_boot => {
                Err(Refusal::Form { os, reader: first_boot.reader() })
            }
            Route::Scriptless => Ok(scriptless::document(configuration, self.form())),
        }
    }
}

/// The CSE command of the `scriptless` route: waits for the controller and passes on its result.
fn provision_wait() -> String {
    format!("{} provision-wait", paths::CONTROLLER)
}
