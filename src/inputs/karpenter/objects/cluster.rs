//! Facts that the controller reads from the running cluster, as a map or a kubeconfig.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::catalogue::rules;
use crate::document::{DocPath, Document, Finding, Names, Report, Source, Step, read_document};

/// The running cluster. Unset strings are empty.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename = "the cluster", default)]
#[expect(missing_docs, reason = "the names are the document's")]
pub struct Cluster {
    pub kubernetes_version: String,
    /// Base64.
    pub ca_bundle: Option<String>,
    /// The URL of the API server.
    pub endpoint: String,
    /// The IP address of the service `kube-dns`.
    pub dns_service_ip: String,
    /// `aks-agentpool-`, eight digits and `-nsg`.
    pub network_security_group_name: String,
    /// The GUID of the virtual network.
    pub vnet_guid: String,
}

/// The members of the map.
#[cfg(feature = "cli")]
pub(in crate::inputs::karpenter) const FACTS: [&str; 6] =
    ["kubernetes_version", "ca_bundle", "endpoint", "dns_service_ip", "network_security_group_name", "vnet_guid"];

/// A kubeconfig.
#[derive(Deserialize)]
#[serde(rename = "the cluster", rename_all = "kebab-case")]
#[expect(dead_code, reason = "the other members are known")]
struct Kubeconfig {
    #[serde(rename = "apiVersion")]
    api_version: Option<IgnoredAny>,
    kind: Option<IgnoredAny>,
    #[serde(default)]
    clusters: Vec<NamedCluster>,
    #[serde(default)]
    contexts: Vec<NamedContext>,
    current_context: Option<String>,
    users: Option<IgnoredAny>,
    preferences: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename = "a context")]
struct NamedContext {
    name: Option<String>,
    #[serde(default)]
    context: Context,
}

#[derive(Default, Deserialize)]
#[serde(rename = "", default)]
struct Context {
    cluster: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename = "a named cluster")]
struct NamedCluster {
    name: Option<String>,
    #[serde(default)]
    cluster: KubeconfigCluster,
}

#[derive(Default, Deserialize)]
#[serde(rename = "", rename_all = "kebab-case", default)]
struct KubeconfigCluster {
    certificate_authority_data: Option<String>,
    certificate_authority: Option<String>,
    server: String,
}

fn field(name: &'static str) -> Step {
    Step::Field { name, json_name: name }
}

impl Cluster {
    /// Reads a map, or the first cluster of a kubeconfig.
    ///
    /// # Errors
    /// Fails if the syntax is broken or a member has the wrong type.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        read_document(&Source::new(bytes)?, Self::read)
    }

    /// Reads either.
    pub(in crate::inputs::karpenter) fn read(document: &mut Document<'_>) -> Option<Self> {
        if document.text("kind") != "Config" {
            return document.read(Names::Exact);
        }
        let kubeconfig: Kubeconfig = document.read(Names::Exact)?;
        let Kubeconfig { clusters, contexts, current_context, .. } = kubeconfig;
        let context = contexts.iter().find(|context| context.name == current_context);
        let current = context.and_then(|context| context.context.cluster.clone());
        if current.is_none() && clusters.len() > 1 {
            let names: Vec<_> = contexts.iter().filter_map(|context| context.name.as_deref()).collect();
            let hint = "`kubectl config view --raw --minify --context NAME` prints one of the clusters";
            let hint =
                if names.is_empty() { hint.to_owned() } else { format!("{hint}; contexts: {}", names.join(", ")) };
            document.report([Finding::missing(DocPath::fields("current-context")).hint(hint)]);
        }
        let at = clusters.iter().position(|named| current.is_some() && named.name == current).unwrap_or(0);
        let Some(NamedCluster { cluster, .. }) = clusters.into_iter().nth(at) else {
            return Some(Self::default());
        };
        let KubeconfigCluster { certificate_authority_data, certificate_authority, server } = cluster;
        let place = DocPath::fields("clusters").join(Step::Index(at)).join(field("cluster"));
        let missing = |name: &'static str, problem: &'static str, command: &str| {
            Finding::violation(&rules::REQUIRED, place.join(field(name)), problem)
                .hint(format!("`{command}` prints it"))
        };
        match (certificate_authority_data.as_deref(), certificate_authority) {
            (Some("DATA+OMITTED"), _) => document.report([missing(
                "certificate-authority-data",
                "is left out",
                "kubectl config view --raw --minify",
            )]),
            (None, Some(_)) => document.report([missing(
                "certificate-authority",
                "is in another file",
                "kubectl config view --raw --minify --flatten",
            )]),
            _ => {}
        }
        Some(Self { ca_bundle: certificate_authority_data, endpoint: server, ..Self::default() })
    }

    /// Returns the eight digits in the names of the cluster's resources. `None` if the name of the security group has none.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        let name = &self.network_security_group_name;
        let folded = name.to_ascii_lowercase();
        let inner = folded.strip_prefix("aks-agentpool-")?.strip_suffix("-nsg")?;
        let digits = inner.len() == 8 && inner.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| &name["aks-agentpool-".len()..name.len() - "-nsg".len()])
    }
}
