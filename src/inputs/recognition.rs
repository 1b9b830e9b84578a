//! Recognizes what a document is from its content, so that nobody has to say it, and so that a file of another kind is
//! named for what it is.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::{InputKind, nbc};
use crate::configuration::Configuration;
use crate::document::{Name, Source};

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
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(other) = recognize_text(text.trim()) {
        return Some(DocumentKind::Other(other));
    }
    let source = Source::new(bytes).ok()?;
    let mut members = Members::default();
    source.read(&mut members).ok()?;
    members.kind()
}

/// Recognizes texts that are neither JSON nor YAML of an input.
fn recognize_text(text: &str) -> Option<OtherKind> {
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

/// What the names of the members of the root say.
#[derive(Default)]
struct Members {
    /// How many of them a Configuration, a NodeBootstrappingConfiguration and Karpenter's inputs have.
    counts: [usize; 3],
    has_api_version: bool,
    has_ignition: bool,
    is_of_azure: bool,
    /// The text of `kind`.
    kind: String,
}

/// Members that only the bootstrapper's inputs have, or that weigh as much as one of a Configuration.
const KARPENTER: [&str; 25] = [
    "api_server_name",
    "arch",
    "ca_bundle",
    "cluster_endpoint",
    "cluster_name",
    "gpu_driver_installation_enabled",
    "gpu_driver_type",
    "gpu_driver_version",
    "gpu_image_sha",
    "gpu_node",
    "kubelet_client_tls_bootstrap_token",
    "kubelet_config",
    "kubelet_identity_client_id",
    "kubernetes_version",
    "labels",
    "location",
    "network_plugin",
    "network_policy",
    "network_security_group_name",
    "resource_group",
    "route_table_name",
    "subnet_id",
    "subscription_id",
    "taints",
    "tenant_id",
];

/// Members of the root of a VM or a scale set in Azure's API.
const AZURE: [&str; 6] =
    ["osProfile", "storageProfile", "virtualMachineProfile", "hardwareProfile", "networkProfile", "protectedSettings"];

impl Members {
    fn add(&mut self, name: &str) {
        self.has_api_version |= name == "apiVersion";
        self.has_ignition |= name == "ignition";
        self.is_of_azure |= AZURE.contains(&name);
        self.counts[0] += usize::from(Configuration::descriptor().index_of(name).is_some());
        self.counts[1] += usize::from(nbc::is_root_member(name));
        self.counts[2] += usize::from(KARPENTER.binary_search(&name).is_ok());
    }

    fn kind(&self) -> Option<DocumentKind> {
        if self.has_api_version {
            match self.kind.as_str() {
                "NodeClaim" | "NodePool" => return Some(DocumentKind::Object(KarpenterObject::NodeClaim)),
                "AKSNodeClass" => return Some(DocumentKind::Object(KarpenterObject::NodeClass)),
                "List" => return Some(DocumentKind::Other(OtherKind::KubernetesList)),
                _ => {}
            }
        }
        if self.has_ignition {
            return Some(DocumentKind::Other(OtherKind::Ignition));
        }
        if self.is_of_azure {
            return Some(DocumentKind::Other(OtherKind::AzureModel));
        }
        // Of equal counts the first wins.
        let kinds = [InputKind::Configuration, InputKind::Nbc, InputKind::Karpenter];
        let most = *self.counts.iter().max()?;
        let at = self.counts.iter().position(|count| *count == most).filter(|_| most > 0)?;
        Some(DocumentKind::Input(kinds[at]))
    }
}

impl<'de> DeserializeSeed<'de> for &mut Members {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Members {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<Name<'_>>()? {
            self.add(&name.0);
            if name.0 == "kind" {
                // A kind that is not text is no kind of Kubernetes.
                self.kind = map.next_value_seed(Word)?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// Reads a value and returns its text; of any other value nothing.
struct Word;

impl<'de> DeserializeSeed<'de> for Word {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Word {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_bool<E>(self, _: bool) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_i64<E>(self, _: i64) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_u64<E>(self, _: u64) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_f64<E>(self, _: f64) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_unit<E>(self) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<String, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(String::new())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<String, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(String::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::karpenter::BootstrapInputs;

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

    #[test]
    fn every_listed_member_is_one_of_the_bootstrappers_inputs() {
        assert!(KARPENTER.is_sorted());
        let members: Vec<_> = KARPENTER.iter().map(|name| format!("{name}: null\n")).collect();
        let (_, report) = BootstrapInputs::from_document(members.concat().as_bytes()).expect("nulls are absent");
        assert!(report.findings.is_empty(), "{report}");
    }
}
