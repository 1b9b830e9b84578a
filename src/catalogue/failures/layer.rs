//! The layers of a node's start, in which it can fail.

use serde::Serialize;

/// The part of a node's start that failed, in the order in which they happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// Azure rejected or throttled the request.
    Request,
    /// The VM exists, but never reported.
    Machine,
    /// cloud-init or Ignition could not read or use `CustomData`.
    UserData,
    /// The extension's configuration or handler, or an extension other than the node's.
    Extension,
    /// The node's scripts.
    Provisioning,
    /// The kubelet does not start, or exits repeatedly.
    Kubelet,
    /// The kubelet runs, but cannot authenticate or register.
    Registration,
    /// The node is registered, but not Ready, or its pods cannot start.
    Readiness,
    /// The node or its VM was removed, replaced or stopped.
    Lifecycle,
}

/// What is known about a layer.
struct About {
    layer: Layer,
    name: &'static str,
    meaning: &'static str,
    /// What is known if a later layer failed.
    passed: &'static str,
}

const fn about(layer: Layer, name: &'static str, meaning: &'static str, passed: &'static str) -> About {
    About { layer, name, meaning, passed }
}

/// In the order of [`Layer`].
static LAYERS: [About; 9] = [
    about(Layer::Request, "request", "Azure rejected or throttled the request.", "Azure accepted the request"),
    about(Layer::Machine, "machine", "The VM exists, but did not report that it is running.", "the VM booted"),
    about(
        Layer::UserData,
        "user-data",
        "cloud-init or Ignition could not read or use CustomData or its data source.",
        "CustomData was delivered and read",
    ),
    about(
        Layer::Extension,
        "extension",
        "A VM extension failed, but not the scripts of the node.",
        "the extension and its settings work",
    ),
    about(Layer::Provisioning, "provisioning", "The scripts of the node failed.", "the scripts of the node ran"),
    about(
        Layer::Kubelet,
        "kubelet",
        "The kubelet does not start, or exits repeatedly.",
        "the kubelet runs with its flags and configuration",
    ),
    about(
        Layer::Registration,
        "registration",
        "The kubelet runs, but cannot authenticate to the API server or register the node.",
        "the node is registered",
    ),
    about(
        Layer::Readiness,
        "readiness",
        "The node is registered, but not Ready, or its pods cannot start.",
        "the node was Ready",
    ),
    about(Layer::Lifecycle, "lifecycle", "The node or its VM was removed, replaced or stopped.", ""),
];

impl Layer {
    fn about(self) -> &'static About {
        &LAYERS[self as usize]
    }

    /// Returns all layers, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        LAYERS.iter().map(|about| about.layer)
    }

    /// Reports whether its failures are resolved where another layer, or itself, works: a node that is Ready has a kubelet that runs.
    #[must_use]
    pub fn is_resolved_by(self, working: Self) -> bool {
        self == working || working > Self::Kubelet && (Self::Kubelet..working).contains(&self)
    }

    /// Returns the name in the output.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// Returns what happened if a node failed in this layer, as a sentence.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.about().meaning
    }

    /// Returns what is known about this layer if a later one failed.
    #[must_use]
    pub fn passed(self) -> &'static str {
        self.about().passed
    }
}
