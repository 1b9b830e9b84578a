//! Facts that the controller reads from the running cluster, as a map or a kubeconfig.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::document::{Names, Report, Source, read_document};

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
    contexts: Option<IgnoredAny>,
    current_context: Option<IgnoredAny>,
    users: Option<IgnoredAny>,
    preferences: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename = "a named cluster")]
#[expect(dead_code, reason = "the name is known")]
struct NamedCluster {
    name: Option<String>,
    #[serde(default)]
    cluster: KubeconfigCluster,
}

#[derive(Default, Deserialize)]
#[serde(rename = "", rename_all = "kebab-case", default)]
struct KubeconfigCluster {
    certificate_authority_data: Option<String>,
    server: String,
}

impl Cluster {
    /// Reads a map, or the first cluster of a kubeconfig.
    ///
    /// # Errors
    /// Fails if the syntax is broken or a member has the wrong type.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        read_document(&Source::new(bytes)?, |document| {
            if document.text("kind") != "Config" {
                return document.read(Names::Exact);
            }
            let kubeconfig: Kubeconfig = document.read(Names::Exact)?;
            let Some(NamedCluster { cluster, .. }) = kubeconfig.clusters.into_iter().next() else {
                return Some(Self::default());
            };
            let KubeconfigCluster { certificate_authority_data, server } = cluster;
            Some(Self { ca_bundle: certificate_authority_data, endpoint: server, ..Self::default() })
        })
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
