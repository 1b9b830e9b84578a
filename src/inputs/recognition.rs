//! Recognizes what a document is from its content, so that nobody has to say it, and so that a file of another kind is
//! named for what it is.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::karpenter::BootstrapInputs;
use super::{InputKind, nbc};
use crate::configuration::Configuration;
use crate::document::{Source, Tree, Wanted};

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentKind {
    /// A node can be made from it.
    Input(InputKind),
    /// One of Karpenter's Kubernetes objects; a node is made from several of them.
    Object(KarpenterObject),
    /// Something else that people have at hand.
    Other(OtherKind),
}

/// One of Karpenter's Kubernetes objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KarpenterObject {
    /// A NodeClaim, or a NodePool in its place.
    NodeClaim,
    /// An AKSNodeClass.
    NodeClass,
}

/// A kind of file that is not an input but is often taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OtherKind {
    /// Base64, as the Azure API expects `CustomData`.
    Base64,
    /// Decoded `CustomData`: MIME, a boothook or a cloud-config.
    CustomData,
    /// An Ignition document.
    Ignition,
    /// A shell script.
    Script,
    /// A CSE command.
    CseCommand,
    /// A VM or a scale set as `az vm show` and `az vmss show` print it.
    AzureModel,
    /// A List of Kubernetes objects.
    KubernetesList,
}

impl KarpenterObject {
    /// Returns the name for messages, with its article.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::NodeClaim => "a NodeClaim or NodePool",
            Self::NodeClass => "an AKSNodeClass",
        }
    }

    /// Returns the option that accepts the object.
    #[must_use]
    pub const fn option(self) -> &'static str {
        match self {
            Self::NodeClaim => "--node-claim",
            Self::NodeClass => "--node-class",
        }
    }
}

impl OtherKind {
    /// Returns the name for messages, with its article.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Base64 => "base64 text, such as encoded CustomData",
            Self::CustomData => "decoded CustomData",
            Self::Ignition => "an Ignition document",
            Self::Script => "a shell script",
            Self::CseCommand => "a CSE command",
            Self::AzureModel => "a VM or scale set as `az` prints it",
            Self::KubernetesList => "a List of Kubernetes objects",
        }
    }

    /// Returns what to do with such a file.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            Self::Base64 => "decode it: `base64 -d FILE`",
            Self::CustomData | Self::Ignition | Self::Script => {
                "it is what `generate` prints; pass the document that it was generated from"
            }
            Self::CseCommand => "run it on a node with `aks-node-controller provision --nbc-cmd FILE`",
            Self::AzureModel => {
                "Azure does not return CustomData; pass the document that the VM or scale set was created from"
            }
            Self::KubernetesList => "write each object to a file of its own: `kubectl get KIND NAME -o yaml`",
        }
    }
}

/// Returns what a document is; `None` if its content shows no known kind.
#[must_use]
pub fn recognize(bytes: &[u8]) -> Option<DocumentKind> {
    recognize_text(bytes).map(DocumentKind::Other).or_else(|| recognize_members(&Source::new(bytes).ok()?))
}

/// What is read of a document to recognize it: the names of its members, and its `kind`.
#[derive(Clone, Copy, PartialEq)]
enum Root {
    Members,
    Kind,
}

impl Wanted for Root {
    fn member(self, name: &str) -> Option<Self> {
        (self == Self::Members && name == "kind").then_some(Self::Kind)
    }
}

/// Recognizes an object by the names of its members.
pub(super) fn recognize_members(source: &Source<'_>) -> Option<DocumentKind> {
    let (tree, broken) = source.parsed(Root::Members);
    let Tree::Map(members) = &*tree else { return None };
    if broken.is_some() {
        return None;
    }
    let member = |name: &str| members.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    if let (Some(_), Some(Tree::Text(kind))) = (member("apiVersion"), member("kind")) {
        match &**kind {
            "NodeClaim" | "NodePool" => return Some(DocumentKind::Object(KarpenterObject::NodeClaim)),
            "AKSNodeClass" => return Some(DocumentKind::Object(KarpenterObject::NodeClass)),
            "List" => return Some(DocumentKind::Other(OtherKind::KubernetesList)),
            _ => {}
        }
    }
    if member("ignition").is_some() {
        return Some(DocumentKind::Other(OtherKind::Ignition));
    }
    if AZURE.iter().any(|name| member(name).is_some()) {
        return Some(DocumentKind::Other(OtherKind::AzureModel));
    }
    let count = |kind: InputKind| members.iter().filter(|(name, _)| kind.has_member(name)).count();
    // Of equal counts the first wins.
    let counts = InputKind::ALL.into_iter().rev().map(|kind| (count(kind), kind));
    let (most, kind) = counts.max_by_key(|(count, _)| *count)?;
    (most > 0).then_some(DocumentKind::Input(kind))
}

/// Recognizes texts that are neither JSON nor YAML of an input.
pub(super) fn recognize_text(bytes: &[u8]) -> Option<OtherKind> {
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim();
    let first = text.lines().next().unwrap_or_default();
    if text.starts_with("Content-Type:") || text.starts_with("MIME-Version:") {
        return Some(OtherKind::CustomData);
    }
    if first.starts_with("#cloud-config") || first.starts_with("#cloud-boothook") {
        return Some(OtherKind::CustomData);
    }
    if first.starts_with("#!") {
        return Some(OtherKind::Script);
    }
    if !text.starts_with(['{', '[', '"']) && text.contains("/opt/azure/containers/provision_start.sh") {
        return Some(OtherKind::CseCommand);
    }
    if text.ends_with("aks-node-controller provision-wait") {
        return Some(OtherKind::CseCommand);
    }
    let is_base64 = text.len() >= 64 && !text.contains(' ') && {
        let line: String = text.split_ascii_whitespace().collect();
        STANDARD.decode(line).is_ok()
    };
    is_base64.then_some(OtherKind::Base64)
}

/// Members of the root of a VM or a scale set in Azure's API.
const AZURE: [&str; 6] =
    ["osProfile", "storageProfile", "virtualMachineProfile", "hardwareProfile", "networkProfile", "protectedSettings"];

impl InputKind {
    /// Reports whether documents of this kind have a member of this name at their root.
    fn has_member(self, name: &str) -> bool {
        match self {
            Self::Configuration => Configuration::descriptor().index_of(name).is_some(),
            Self::Nbc => nbc::is_root_member(name),
            Self::Karpenter => BootstrapInputs::has_member(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_recognized_from_its_content() {
        use DocumentKind::{Input, Object, Other};
        let encoded = STANDARD.encode("#!/bin/bash\necho a script that is long enough for base64\n");
        for (text, expected) in [
            ("version: v1\nkubernetes_version: 1.33.2\n", Some(Input(InputKind::Configuration))),
            (r#"{"version": "v1", "authConfig": {}}"#, Some(Input(InputKind::Configuration))),
            (r#"{"kubernetes_version": "1.33.2", "kubelet_config": {}}"#, Some(Input(InputKind::Configuration))),
            (r#"{"ContainerService": {}, "AgentPoolProfile": {}}"#, Some(Input(InputKind::Nbc))),
            (r#"{"containerservice": {}, "tenantid": ""}"#, Some(Input(InputKind::Nbc))),
            ("arch: amd64\nca_bundle: x\nkubernetes_version: 1.33.2\n", Some(Input(InputKind::Karpenter))),
            ("apiVersion: karpenter.sh/v1\nkind: NodePool\n", Some(Object(KarpenterObject::NodeClaim))),
            ("apiVersion: x/v1\nkind: AKSNodeClass\n", Some(Object(KarpenterObject::NodeClass))),
            ("apiVersion: v1\nkind: List\nitems: []\n", Some(Other(OtherKind::KubernetesList))),
            ("apiVersion: v1\nkind: [List]\n", None),
            (r#"{"ignition": {"version": "3.4.0"}}"#, Some(Other(OtherKind::Ignition))),
            (r#"{"osProfile": {}, "location": "westeurope"}"#, Some(Other(OtherKind::AzureModel))),
            ("Content-Type: multipart/mixed; boundary=\"x\"\n", Some(Other(OtherKind::CustomData))),
            ("#cloud-config\nwrite_files: []\n", Some(Other(OtherKind::CustomData))),
            ("#!/bin/bash\nexit\n", Some(Other(OtherKind::Script))),
            ("X=1 /bin/bash /opt/azure/containers/provision_start.sh", Some(Other(OtherKind::CseCommand))),
            ("/opt/azure/containers/aks-node-controller provision-wait\n", Some(Other(OtherKind::CseCommand))),
            (&encoded, Some(Other(OtherKind::Base64))),
            ("{}", None),
            ("[]", None),
            ("a: b\n", None),
            ("", None),
        ] {
            assert_eq!(recognize(text.as_bytes()), expected, "{text}");
        }
    }
}
