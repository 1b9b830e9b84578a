//! Recognizes the kind of a document from its members, so that users need not name it and messages can name files that are
//! not inputs.

use super::cluster::ClusterDocument;
use super::karpenter::BootstrapInputs;
use super::messages::has_messages;
#[cfg(feature = "cli")]
use super::messages::message_of_azure;
use super::outputs::{OBJECT, UNNAMED_OBJECT, output, resource};
#[cfg(feature = "cli")]
use super::texts::text_of_program;
use super::{InputKind, nbc};
use crate::configuration::Configuration;
#[cfg(feature = "cli")]
use crate::document::stream::{Form, pieces, without_noise};
use crate::document::{ParsedTree, Source, Tree, Wanted};
use crate::recognition::{Content, Text};

/// The kind of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentKind {
    /// A node can be made from it.
    Input(InputKind),
    /// One of Karpenter's Kubernetes objects. A node needs several of them.
    Object(KarpenterObject),
    /// A file that is not an input.
    Other(OtherKind),
}

/// One of Karpenter's Kubernetes objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KarpenterObject {
    /// A NodeClaim, or a NodePool instead of one.
    NodeClaim,
    /// An AKSNodeClass.
    NodeClass,
}

/// A kind of file that is not an input but is often mistaken for one.
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
    /// Warnings or an error that `az` writes to standard error, possibly before its output.
    AzureMessages,
    /// A template of Azure Resource Manager.
    ArmTemplate,
    /// A Terraform plan or state.
    Terraform,
    /// A List of Kubernetes objects.
    KubernetesList,
    /// A document about a cluster, from which `new` makes a Configuration.
    Cluster(ClusterDocument),
    /// Other output of `az` or `kubectl`: its name for messages, with its article.
    Output(&'static str),
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
            Self::AzureMessages => "text with messages of `az` or `kubectl`",
            Self::ArmTemplate => "an ARM template",
            Self::Terraform => "a Terraform plan or state",
            Self::KubernetesList => "a List of Kubernetes objects",
            Self::Cluster(document) => document.title(),
            Self::Output(title) => title,
        }
    }

    /// Returns a hint on what to do with such a file.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            Self::Base64 => "decode it: `base64 -d FILE`",
            Self::CustomData | Self::Ignition | Self::Script => {
                "`generate` printed it; pass the document from which it was generated"
            }
            Self::CseCommand => "run it on a node with `aks-node-controller provision --nbc-cmd FILE`",
            Self::AzureModel => {
                "Azure does not return CustomData; pass the document from which the VM or scale set was created"
            }
            Self::AzureMessages => {
                "leave out its standard error: `az … -o json 2>/dev/null`; after an error it prints no document"
            }
            Self::ArmTemplate | Self::Terraform | Self::Output(_) => {
                "`aks-node-controller new FILE` creates a Configuration from the output of `az aks show` for its cluster"
            }
            Self::KubernetesList => "write each object to its own file: `kubectl get KIND NAME -o yaml`",
            Self::Cluster(_) => "`aks-node-controller new FILE` creates a Configuration from it",
        }
    }
}

/// Returns the kind of a document; `None` if its content matches no known kind.
#[must_use]
pub fn recognize(bytes: &[u8]) -> Option<DocumentKind> {
    recognize_parsed(bytes, Source::new(bytes).ok().as_ref())
}

/// As [`recognize`], for a document that has been parsed, if its text can be.
pub(crate) fn recognize_parsed(bytes: &[u8], source: Option<&Source<'_>>) -> Option<DocumentKind> {
    let found = recognize_text(bytes).map(DocumentKind::Other).or_else(|| recognize_members(source?));
    #[cfg(feature = "cli")]
    let found = found.or_else(|| {
        let (title, _) = text_of_program(std::str::from_utf8(bytes).ok()?)?;
        Some(DocumentKind::Other(OtherKind::Output(title)))
    });
    found
}

/// Returns the kind of an object of Kubernetes that describes neither a node nor a cluster.
pub(super) fn kind_of_object(source: &Source<'_>) -> Option<String> {
    let (tree, _) = source.parsed(Root::Members);
    let Tree::Map(members) = &*tree else { return None };
    let kind = members.iter().find(|(name, _)| name == "kind").map(|(_, value)| value);
    if let Some(Tree::Text(kind)) = kind { Some(kind.to_string()) } else { None }
}

/// Returns the number of documents in a stream, possibly with messages of `az` and `kubectl` between them, if one is about a cluster; else 0.
#[cfg(feature = "cli")]
pub(crate) fn documents_of_cluster(bytes: &[u8]) -> usize {
    let Ok(text) = std::str::from_utf8(bytes) else { return 0 };
    let text = without_noise(text, |line| message_of_azure(line) == Some("WARNING"));
    let pieces = pieces(&text);
    let is_of_cluster =
        |text: &str| matches!(recognize(text.as_bytes()), Some(DocumentKind::Other(OtherKind::Cluster(_))));
    let count = pieces.iter().filter(|piece| piece.form != Form::Prose).count();
    if pieces.iter().any(|piece| is_of_cluster(piece.text)) { count } else { 0 }
}

/// The parts of a document that are read to recognize it: the names of its members, and its `kind` and `type`.
#[derive(Clone, Copy, PartialEq)]
enum Root {
    Members,
    /// An element of the list that the REST API wraps in `value`.
    Element,
    Kind,
}

impl Wanted for Root {
    fn member(self, name: &str) -> Option<Self> {
        match (self, name) {
            (Self::Members | Self::Element, "kind" | "type") | (Self::Members, "$schema") => Some(Self::Kind),
            (Self::Members, "value") => Some(Self::Element),
            _ => None,
        }
    }
}

/// Recognizes an object by the names of its members.
fn recognize_members(source: &Source<'_>) -> Option<DocumentKind> {
    let (tree, broken) = source.parsed(Root::Members);
    let found = kind_of(&tree)?;
    // What is left of a truncated document of another kind is too little to name it.
    (broken.is_none() || matches!(found, DocumentKind::Other(OtherKind::Cluster(_)))).then_some(found)
}

fn kind_of(tree: &ParsedTree<'_>) -> Option<DocumentKind> {
    /// The members beside the list of the REST API: links to its other pages.
    const MOST_LINKS: usize = 2;
    // `az` prints lists without a name around them.
    let (members, is_list) = match tree {
        Tree::Map(members) => match members.iter().find(|(name, _)| name == "value") {
            Some((_, Tree::List(list))) if members.len() <= 1 + MOST_LINKS => match list.first() {
                Some(Tree::Map(members)) => (members, true),
                _ => (members, false),
            },
            _ => (members, false),
        },
        Tree::List(list) => match list.first() {
            Some(Tree::Map(members)) => (members, true),
            _ => return None,
        },
        _ => return None,
    };
    let member = |name: &str| members.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    if let (Some(_), Some(Tree::Text(kind))) = (member("apiVersion"), member("kind")) {
        match &**kind {
            "NodeClaim" | "NodePool" => return Some(DocumentKind::Object(KarpenterObject::NodeClaim)),
            "AKSNodeClass" => return Some(DocumentKind::Object(KarpenterObject::NodeClass)),
            "List" | "NodeClaimList" | "NodePoolList" | "AKSNodeClassList" => {
                return Some(DocumentKind::Other(OtherKind::KubernetesList));
            }
            _ => {}
        }
    }
    let text = |name: &str| match member(name) {
        Some(Tree::Text(text)) => Some(&**text),
        _ => None,
    };
    if let Some(cluster) = ClusterDocument::recognize(|name| member(name).is_some(), text)
        && (is_list || ![ClusterDocument::ScaleSet, ClusterDocument::VirtualMachine].contains(&cluster))
    {
        return Some(DocumentKind::Other(OtherKind::Cluster(cluster)));
    }
    let output = || text("type").and_then(resource).or_else(|| output(|name| member(name).is_some()));
    if is_list {
        return Some(DocumentKind::Other(OtherKind::Output(output()?)));
    }
    let has_schema = |kind: &str| text("$schema").is_some_and(|schema| schema.to_ascii_lowercase().contains(kind));
    if has_schema("deploymenttemplate") {
        return Some(DocumentKind::Other(OtherKind::ArmTemplate));
    }
    if has_schema("deploymentparameters") {
        return Some(DocumentKind::Other(OtherKind::Output("the parameters of an ARM template")));
    }
    let has_all = |names: &[&str]| names.iter().all(|name| member(name).is_some());
    // Plan and state, the schemas of providers, and the result of `terraform validate`.
    let is_plan = has_all(&["format_version"])
        && ["planned_values", "values", "provider_schemas", "diagnostics"].iter().any(|name| has_all(&[name]));
    if is_plan || has_all(&["terraform_version"]) || has_all(&["address", "provider_name", "schema_version"]) {
        return Some(DocumentKind::Other(OtherKind::Terraform));
    }
    if member("ignition").is_some() {
        return Some(DocumentKind::Other(OtherKind::Ignition));
    }
    // A resource in a template has the version of the API, and none of the values that Azure has given it.
    let is_compute = |kind: &str| kind.to_ascii_lowercase().starts_with("microsoft.compute/");
    if member("apiVersion").is_some() && text("type").is_some_and(|kind| resource(kind).is_some() && !is_compute(kind))
    {
        return Some(DocumentKind::Other(OtherKind::ArmTemplate));
    }
    let is_other = text("type").is_some_and(|kind| resource(kind).is_some() && !is_model(kind));
    if !is_other && AZURE.iter().any(|name| member(name).is_some()) {
        return Some(DocumentKind::Other(OtherKind::AzureModel));
    }
    if let Some(title) = output() {
        return Some(DocumentKind::Other(OtherKind::Output(title)));
    }
    let count = |kind: InputKind| members.iter().filter(|(name, _)| kind.has_member(name)).count();
    // If counts are equal, the first kind is chosen.
    let counts = InputKind::ALL.into_iter().rev().map(|kind| (count(kind), kind));
    let (most, kind) = counts.max_by_key(|(count, _)| *count)?;
    if most > 0 {
        return Some(DocumentKind::Input(kind));
    }
    let title = if member("apiVersion").is_some() && text("kind").is_some() {
        OBJECT
    } else if (has_all(&["metadata"]) || has_all(&["spec"])) && (has_all(&["apiVersion"]) || has_all(&["kind"])) {
        UNNAMED_OBJECT
    } else if members.len() == 1 && member("error").is_some() {
        "an error of Azure instead of a document"
    } else {
        return None;
    };
    Some(DocumentKind::Other(OtherKind::Output(title)))
}

/// Recognizes texts that are neither JSON nor YAML of an input.
fn recognize_text(bytes: &[u8]) -> Option<OtherKind> {
    /// A shorter word in a file is hardly base64.
    const SHORTEST_BASE64: usize = 64;
    let Content::Text(text) = Content::of(bytes) else { return None };
    match text {
        text if text.is_user_data() => Some(OtherKind::CustomData),
        Text::Script => Some(OtherKind::Script),
        Text::Base64 => (bytes.len() >= SHORTEST_BASE64).then_some(OtherKind::Base64),
        Text::Command => Some(OtherKind::CseCommand),
        Text::Other if has_messages(std::str::from_utf8(bytes).unwrap_or_default()) => Some(OtherKind::AzureMessages),
        _ => None,
    }
}

/// Reports whether a type of resource is a VM or a scale set.
fn is_model(kind: &str) -> bool {
    ["microsoft.compute/virtualmachines", "microsoft.compute/virtualmachinescalesets"]
        .iter()
        .any(|known| kind.eq_ignore_ascii_case(known))
}

/// Members of the root of a VM or a scale set in Azure's API.
const AZURE: [&str; 6] =
    ["osProfile", "storageProfile", "virtualMachineProfile", "hardwareProfile", "networkProfile", "protectedSettings"];

impl InputKind {
    /// Reports whether documents of this kind have a member of this name at their root.
    pub(crate) fn has_member(self, name: &str) -> bool {
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
        use base64::{Engine, engine::general_purpose::STANDARD};
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
            (
                r#"{"apiVersion": "karpenter.sh/v1", "kind": "NodePoolList", "items": []}"#,
                Some(Other(OtherKind::KubernetesList)),
            ),
            ("apiVersion: v1\nkind: [List]\n", None),
            ("apiVersion: v1\nkind: Node\n", Some(Other(OtherKind::Output("an object of Kubernetes")))),
            ("apiVersion: v1\nkinnd: Node\nspec: {}\n", Some(Other(OtherKind::Output(UNNAMED_OBJECT)))),
            ("apiVerion: v1\nkind: Node\nmetadata: {}\n", Some(Other(OtherKind::Output(UNNAMED_OBJECT)))),
            (r#"{"error": {"code": "x"}}"#, Some(Other(OtherKind::Output("an error of Azure instead of a document")))),
            (r#"{"error": {"code": "x"}, "version": "v1"}"#, Some(Input(InputKind::Configuration))),
            (r#"{"ignition": {"version": "3.4.0"}}"#, Some(Other(OtherKind::Ignition))),
            (r#"{"osProfile": {}, "location": "westeurope"}"#, Some(Other(OtherKind::AzureModel))),
            ("Content-Type: multipart/mixed; boundary=\"x\"\n", Some(Other(OtherKind::CustomData))),
            ("#cloud-config\nwrite_files: []\n", Some(Other(OtherKind::CustomData))),
            ("#!/bin/bash\nexit\n", Some(Other(OtherKind::Script))),
            ("X=1 /bin/bash /opt/azure/containers/provision_start.sh", Some(Other(OtherKind::CseCommand))),
            ("/opt/azure/containers/aks-node-controller provision-wait\n", Some(Other(OtherKind::CseCommand))),
            (&encoded, Some(Other(OtherKind::Base64))),
            (
                r#"{"value": [{"type": "Microsoft.ContainerService/ManagedClusters"}], "nextLink": "x"}"#,
                Some(Other(OtherKind::Cluster(ClusterDocument::ManagedCluster))),
            ),
            (
                r#"{"agentPoolProfiles": [], "fqdn": "x", "#,
                Some(Other(OtherKind::Cluster(ClusterDocument::ManagedCluster))),
            ),
            (r#"{"version": "v1", "vm_size": "#, None),
            (
                r#"{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "resources": []}"#,
                Some(Other(OtherKind::ArmTemplate)),
            ),
            (
                r#"{"id": "/subscriptions/x", "location": "westeurope", "type": "Microsoft.Resources/resourceGroups"}"#,
                Some(Other(OtherKind::Output("a resource group as `az group show` prints it"))),
            ),
            (
                r#"[{"clientId": "x", "tenantId": "y", "type": "Microsoft.ManagedIdentity/userAssignedIdentities"}]"#,
                Some(Other(OtherKind::Output("a managed identity as `az identity show` prints it"))),
            ),
            (
                r#"{"agentPoolProfiles": null, "type": "Microsoft.ContainerService/managedClusters/upgradeProfiles"}"#,
                Some(Other(OtherKind::Output("the upgrades of a cluster as `az aks get-upgrades` prints them"))),
            ),
            (
                r#"{"location": "westeurope", "type": "Microsoft.Other/things"}"#,
                Some(Other(OtherKind::Output("another resource of Azure"))),
            ),
            (
                r#"{"clientVersion": {}, "serverVersion": {}}"#,
                Some(Other(OtherKind::Output("the output of `kubectl version`"))),
            ),
            (r#"{"version": 4, "terraform_version": "1.9.5", "resources": []}"#, Some(Other(OtherKind::Terraform))),
            (r#"{"format_version": "1.0", "provider_schemas": {}}"#, Some(Other(OtherKind::Terraform))),
            (
                r#"{"@level": "info", "@message": "Terraform 1.9.5", "type": "version"}"#,
                Some(Other(OtherKind::Output("messages of Terraform, as `terraform … -json` prints them"))),
            ),
            ("ERROR: Please run 'az login' to setup account.\n", Some(Other(OtherKind::AzureMessages))),
            ("Error from server (NotFound): nodes \"a\" not found\n", Some(Other(OtherKind::AzureMessages))),
            ("(ResourceNotFound) The Resource was not found.\n", Some(Other(OtherKind::AzureMessages))),
            ("\u{1b}[33mWARNING: x\u{1b}[0m\n{}", Some(Other(OtherKind::AzureMessages))),
            (
                "Warning: v1 ComponentStatus is deprecated in v1.19+\nkind: List\n",
                Some(Other(OtherKind::AzureMessages)),
            ),
            (
                "E1126 10:00:00.000000   12345 memcache.go:265] \"Unhandled Error\"\nkind: List\n",
                Some(Other(OtherKind::AzureMessages)),
            ),
            (
                r#"{"type": "Microsoft.ContainerService/managedClusters", "apiVersion": "2025-05-01", "name": "x", "properties": {}}"#,
                Some(Other(OtherKind::ArmTemplate)),
            ),
            (
                r#"{"version": 3, "deployment": {"manifest": {}, "resources": []}}"#,
                Some(Other(OtherKind::Output("the state of a stack as `pulumi stack export` prints it"))),
            ),
            ("{}", None),
            ("[]", None),
            ("a: b\n", None),
            ("", None),
        ] {
            assert_eq!(recognize(text.as_bytes()), expected, "{text}");
        }
    }
}
