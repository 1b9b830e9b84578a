//! Known failures of nodes: messages of the failing program, the layer that they prove, the cause, and checks.
//!
//! Patterns are texts that the source code of the program guarantees, not the wording of one log. Messages can be wrapped by other programs
//! in any way: see `explain`. To add a failure: a row in the table of its layer, the more specific before the more general, and an example
//! text in `testdata/explain/`.

mod check;
mod extension;
mod kubelet;
mod lifecycle;
mod machine;
mod provisioning;
mod readiness;
mod registration;
mod request;
mod user_data;

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

/// How much a text says about the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// It reports that something else failed.
    Wrapper,
    /// It is a consequence of several causes, or also occurs for a while on a node that starts well.
    Symptom,
    /// It names the cause.
    Cause,
}

/// A known failure.
#[derive(Clone, Copy, Debug)]
pub struct Failure {
    /// A name in CamelCase, which is the reason of a condition.
    pub reason: &'static str,
    /// The part of the node's start that failed.
    pub layer: Layer,
    /// How much it says.
    pub weight: Weight,
    /// The texts that show it: one of them is enough.
    pub marks: &'static [Mark],
    /// Whether the text must show that it is about Azure, because other clouds and programs use the same words.
    pub needs_azure: bool,
    /// The likely cause.
    pub cause: &'static str,
    /// Less likely causes.
    pub other_causes: &'static [&'static str],
    /// What to check, with commands between backticks.
    pub checks: &'static [&'static str],
    /// Earlier layers that it does not rule out.
    pub leaves_open: &'static [Layer],
}

/// Texts that show a failure. ASCII case does not matter; a blank stands for any white space.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// One of these occurs,
    pub any: &'static [&'static str],
    /// and near it in the same entry of the log one of these, if there are any.
    pub near: &'static [&'static str],
    /// Or the condition of one of these types is true on a Kubernetes object.
    pub conditions: &'static [&'static str],
    /// Whether only Azure writes it, so that the text need not show that it is about Azure.
    pub is_azure: bool,
}

/// One of these texts.
const fn any(any: &'static [&'static str]) -> Mark {
    Mark { any, near: &[], conditions: &[], is_azure: false }
}

/// One of these texts, which only Azure writes.
const fn azure(any: &'static [&'static str]) -> Mark {
    Mark { any, near: &[], conditions: &[], is_azure: true }
}

/// One of these texts, and near it one of the others.
const fn near(any: &'static [&'static str], near: &'static [&'static str]) -> Mark {
    Mark { any, near, conditions: &[], is_azure: false }
}

/// A condition of one of these types is true: its type alone is also in the description of a healthy node.
const fn conditions(conditions: &'static [&'static str]) -> Mark {
    Mark { any: &[], near: &[], conditions, is_azure: false }
}

const fn failure(reason: &'static str, layer: Layer, cause: &'static str, marks: &'static [Mark]) -> Failure {
    Failure {
        reason,
        layer,
        weight: Weight::Cause,
        marks,
        needs_azure: false,
        cause,
        other_causes: &[],
        checks: &[],
        leaves_open: &[],
    }
}

impl Failure {
    const fn or(self, other_causes: &'static [&'static str]) -> Self {
        Self { other_causes, ..self }
    }

    const fn checks(self, checks: &'static [&'static str]) -> Self {
        Self { checks, ..self }
    }

    const fn symptom(self) -> Self {
        Self { weight: Weight::Symptom, ..self }
    }

    const fn wrapper(self) -> Self {
        Self { weight: Weight::Wrapper, ..self }
    }

    const fn on_azure(self) -> Self {
        Self { needs_azure: true, ..self }
    }

    const fn leaves_open(self, leaves_open: &'static [Layer]) -> Self {
        Self { leaves_open, ..self }
    }
}

/// Texts that show that something is about Azure.
pub static AZURE: &[&str] = &[
    "azure",
    "aka.ms/",
    "microsoft.compute",
    "microsoft.network",
    "microsoft.containerservice",
    "microsoft.authorization",
    "/subscriptions/",
    "resourcegroup",
    "vmss",
    "aks-",
    "az aks",
    "this subscription",
    "subscriptionid",
    "az vm",
    "nodeclaim",
    "aksnodeclass",
    "agentpool",
    "agent pool",
    "node pool",
    "nodepool",
    "virtualmachine",
    "virtual machine",
    "resource deployment",
    "resourcedeploymentfailure",
    "resourceoperationfailure",
    "deploymentfailed",
    "invalidtemplatedeployment",
    "scaleset",
    "scale set",
    "waagent",
    "walinuxagent",
    "original error: code=",
    "error code: ",
    "\"code\":\"",
    "\"code\": \"",
    "code=\"",
    "statuscode=4",
    "errorcode:",
    "aks",
];

/// Texts that show that a layer works from this point on, so earlier failures in it are resolved.
pub static OVER: &[(&str, Layer)] = &[
    ("successfully registered node", Layer::Registration),
    ("fast updating node status as it just became ready", Layer::Readiness),
    ("event=\"nodeready\"", Layer::Readiness),
    ("status is now: nodeready", Layer::Readiness),
];

/// Returns all known failures: those of a layer together, the more specific before the more general.
pub fn failures() -> impl Iterator<Item = &'static Failure> {
    [
        request::FAILURES,
        machine::FAILURES,
        user_data::FAILURES,
        extension::FAILURES,
        provisioning::FAILURES,
        kubelet::FAILURES,
        registration::FAILURES,
        readiness::FAILURES,
        lifecycle::FAILURES,
    ]
    .into_iter()
    .flatten()
}
