//! The kinds of documents that describe a node, and their conversion to variables.
//!
//! An input knows how to become assignments and, where one exists, an equivalent Configuration; see [`NodeInput`]. It knows
//! no route, and no route knows an input.
//!
//! To add a kind of input: see CONTRIBUTING.md.

mod check;
mod cluster;
pub mod karpenter;
mod kind;
mod member;
mod messages;
pub mod nbc;
mod outputs;
mod reading;
#[cfg(feature = "cli")]
mod texts;

pub use check::check;
pub use cluster::ClusterDocument;
pub use kind::{DocumentKind, KarpenterObject, OtherKind, recognize};
#[cfg(feature = "cli")]
pub(crate) use kind::{documents_of_cluster, recognize_parsed};
#[cfg(feature = "cli")]
pub(crate) use messages::{error_in_stream, message_of_azure};
pub use reading::{Checks, Reading};
#[cfg(feature = "cli")]
pub(crate) use texts::{is_banner_of_helm, is_jwt, is_list_of_powershell, is_table_of_azure, text_of_program};

use std::borrow::Cow;

use crate::Secret;
use crate::catalogue::operating_systems::{FirstBoot, OperatingSystem, operating_system_of_labels};
use crate::configuration::Configuration;
use crate::document::{Finding, Report};
use crate::environment::{Environment, ImageContents, Unrepresentable};
use karpenter::BootstrapInputs;
use nbc::Nbc;

/// A kind of document that a node can be made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum InputKind {
    /// A Configuration, `aksnodeconfig.v1`.
    Configuration,
    /// AgentBaker's NodeBootstrappingConfiguration.
    Nbc,
    /// The inputs of Karpenter's bootstrapper.
    Karpenter,
}

impl InputKind {
    /// Every kind, in the order in which help texts list them.
    pub const ALL: [Self; 3] = [Self::Configuration, Self::Nbc, Self::Karpenter];

    /// Returns the name that `--input` accepts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Configuration => "configuration",
            Self::Nbc => "nbc",
            Self::Karpenter => "karpenter",
        }
    }

    /// Returns the name for messages, with its article.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Configuration => "a Configuration",
            Self::Nbc => "a NodeBootstrappingConfiguration",
            Self::Karpenter => "inputs of Karpenter's bootstrapper",
        }
    }
}

/// The interface of an input for routes.
pub trait NodeInput {
    /// Returns the kind of the document.
    fn kind(&self) -> InputKind;

    /// Returns the input itself or its equivalent as a Configuration; `None` if it has no equivalent.
    fn configuration(&self) -> Option<&Configuration>;

    /// Returns the operating system of the image that the input names; `None` if it names none.
    fn os(&self) -> Option<&'static OperatingSystem> {
        None
    }

    /// Returns the operating system that the labels of the node name; `None` if they name none. It is the default if
    /// [`NodeInput::os`] names none, and must not contradict the request.
    fn labelled_os(&self) -> Option<&'static OperatingSystem> {
        None
    }

    /// Returns the contents of the image: `given`, except what the input knows better.
    fn image<'i>(&self, given: &'i ImageContents) -> Cow<'i, ImageContents> {
        Cow::Borrowed(given)
    }

    /// Returns the variables of the node's scripts, in the order and the quoting of the reference for this kind of
    /// input. `image` is what [`NodeInput::image`] returned.
    ///
    /// # Errors
    /// Fails if the input lacks something that every script needs.
    fn assignments<'a>(&'a self, image: &'a ImageContents) -> Result<Environment<'a>, Finding>;

    /// Returns the script that sets these variables and starts the scripts of the image, in the layout of the reference
    /// for this kind of input.
    ///
    /// # Errors
    /// Fails if a value contains U+0000.
    fn script(&self, environment: &Environment<'_>) -> Result<String, Unrepresentable> {
        environment.script()
    }

    /// Returns the request to give the node's controller a command line to run; `None` if the input has no such request.
    fn command_request(&self) -> Option<CommandRequest<'_>> {
        None
    }

    /// Returns the finding for a delivery without the node's controller, which the input does not permit.
    fn needs_controller(&self) -> Option<Finding> {
        None
    }

    /// Returns what the input says about the machine.
    fn machine(&self) -> MachineFacts {
        MachineFacts::default()
    }
}

/// A request that the node's controller runs the command line of the scripts, which it receives as a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CommandRequest<'a> {
    /// The Configuration that accompanies the command line, as text that is passed on unchecked. Empty for none.
    pub configuration: Secret<'a>,
    /// Whether secrets must not be in `CustomData`, whatever its size.
    pub protects_secrets: bool,
    /// Whether the machine becomes an image, and runs the command line itself.
    pub only_prepares_image: bool,
    /// The program that reads `CustomData` at the first boot.
    pub first_boot: FirstBoot,
}

/// Facts about the machine that are not in the variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent answers, each about one thing")]
#[non_exhaustive]
pub struct MachineFacts {
    /// The image is the customer's own, without the files that AKS images have.
    pub has_custom_image: bool,
    /// The image contains the scripts of the node, and `CustomData` only has a marker.
    pub has_scripts: bool,
    /// The machine is in a custom cloud.
    pub is_in_custom_cloud: bool,
    /// Nothing on the machine waits for `CustomData`.
    pub ignores_custom_data: bool,
}

/// A document of any kind that was read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Input {
    /// See [`InputKind::Configuration`].
    Configuration(Box<Configuration>),
    /// See [`InputKind::Nbc`].
    Nbc(Box<Nbc>),
    /// See [`InputKind::Karpenter`].
    Karpenter(Box<BootstrapInputs>),
}

impl Input {
    /// Reads a document, JSON or YAML, whose kind is recognized from its content, and checks its values. [`Reading`] returns
    /// the warnings too.
    ///
    /// # Errors
    /// Fails with every finding if one of them is an error.
    pub fn from_document(document: &[u8]) -> Result<Self, Report> {
        let reading = Reading::new(None, document, &Checks { values: true, ..Checks::default() });
        reading.input.ok_or(reading.report)
    }

    fn inner(&self) -> &dyn NodeInput {
        match self {
            Self::Configuration(configuration) => &**configuration,
            Self::Nbc(nbc) => &**nbc,
            Self::Karpenter(inputs) => &**inputs,
        }
    }
}

impl NodeInput for Input {
    fn kind(&self) -> InputKind {
        self.inner().kind()
    }

    fn configuration(&self) -> Option<&Configuration> {
        self.inner().configuration()
    }

    fn os(&self) -> Option<&'static OperatingSystem> {
        self.inner().os()
    }

    fn labelled_os(&self) -> Option<&'static OperatingSystem> {
        self.inner().labelled_os()
    }

    fn image<'i>(&self, given: &'i ImageContents) -> Cow<'i, ImageContents> {
        self.inner().image(given)
    }

    fn assignments<'a>(&'a self, image: &'a ImageContents) -> Result<Environment<'a>, Finding> {
        self.inner().assignments(image)
    }

    fn script(&self, environment: &Environment<'_>) -> Result<String, Unrepresentable> {
        self.inner().script(environment)
    }

    fn command_request(&self) -> Option<CommandRequest<'_>> {
        self.inner().command_request()
    }

    fn needs_controller(&self) -> Option<Finding> {
        self.inner().needs_controller()
    }

    fn machine(&self) -> MachineFacts {
        self.inner().machine()
    }
}

impl NodeInput for Configuration {
    fn kind(&self) -> InputKind {
        InputKind::Configuration
    }

    fn configuration(&self) -> Option<&Configuration> {
        Some(self)
    }

    fn labelled_os(&self) -> Option<&'static OperatingSystem> {
        operating_system_of_labels(&self.kubelet_config.as_ref()?.kubelet_node_labels)
    }

    fn assignments<'a>(&'a self, image: &'a ImageContents) -> Result<Environment<'a>, Finding> {
        Ok(Environment::new(self, image))
    }

    fn machine(&self) -> MachineFacts {
        MachineFacts { ignores_custom_data: self.disable_custom_data, ..MachineFacts::default() }
    }
}
