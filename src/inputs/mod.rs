//! The kinds of documents that a node can be made from, and what each leads to.
//!
//! An input knows how to become assignments and, where one exists, an equivalent Configuration; see [`NodeInput`]. It knows
//! no route, and no route knows an input.
//!
//! To add a kind of input: a module that reads the document and implements [`NodeInput`], and a variant of [`Input`] and
//! [`InputKind`].

mod check;
pub mod karpenter;
mod member;
mod names;
pub mod nbc;
mod reading;
mod recognition;

pub use check::check;
#[cfg(feature = "cli")]
pub(crate) use names::is_known_name;
pub(crate) use names::is_secret_name;
pub use reading::{Checks, Reading};
pub use recognition::{DocumentKind, KarpenterObject, OtherKind, recognize};

use std::borrow::Cow;

use crate::catalogue::operating_systems::{OperatingSystem, operating_system_of_labels};
use crate::configuration::Configuration;
use crate::document::Finding;
use crate::environment::{Environment, ImageContents, Unrepresentable};
use karpenter::BootstrapInputs;
use nbc::Nbc;

/// A kind of document that a node can be made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// What routes read of an input.
pub trait NodeInput {
    /// Returns the kind of the document.
    fn kind(&self) -> InputKind;

    /// Returns the Configuration that the input is, or is equivalent to; `None` if it has no equivalent.
    fn configuration(&self) -> Option<&Configuration>;

    /// Returns the operating system of the image that the input names; `None` if it names none.
    fn os(&self) -> Option<&'static OperatingSystem> {
        None
    }

    /// Returns the operating system that the labels of the node name; `None` if they name none. It is the default where
    /// [`NodeInput::os`] names none, and should be no other one than that of the request.
    fn labelled_os(&self) -> Option<&'static OperatingSystem> {
        None
    }

    /// Returns what the image contains: `given`, except for what the input knows better.
    fn image<'i>(&self, given: &'i ImageContents) -> Cow<'i, ImageContents> {
        Cow::Borrowed(given)
    }

    /// Returns the variables of the node's scripts, in the order and the quoting of the reference for this kind of
    /// input. `image` is what [`NodeInput::image`] returned.
    ///
    /// # Errors
    /// Fails if the input lacks something that no script works without.
    fn assignments<'a>(&'a self, image: &'a ImageContents) -> Result<Environment<'a>, Finding>;

    /// Returns the script that sets these variables and starts the scripts of the image, in the layout of the reference
    /// for this kind of input.
    ///
    /// # Errors
    /// Fails if a value contains U+0000.
    fn script(&self, environment: &Environment<'_>) -> Result<String, Unrepresentable> {
        environment.script()
    }

    /// Returns what the input says about the machine.
    fn machine(&self) -> MachineFacts {
        MachineFacts::default()
    }
}

/// What an input says about the machine besides the variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent answers, each about one thing")]
pub struct MachineFacts {
    /// The image is the customer's own, without the files that AKS images have.
    pub has_custom_image: bool,
    /// The image has the scripts of the node, and `CustomData` only says so.
    pub has_scripts: bool,
    /// The machine is in a custom cloud.
    pub is_in_custom_cloud: bool,
    /// Nothing on the machine has to wait for `CustomData`.
    pub ignores_custom_data: bool,
}

/// A document that was read, whatever its kind.
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
