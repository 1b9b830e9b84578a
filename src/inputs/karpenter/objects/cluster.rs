//! What the controller reads from the running cluster, as a map or a kubeconfig.

use crate::document::{Object, Report, read_document};

/// The running cluster. Unset strings are empty.
#[derive(Clone, Debug, Default)]
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

impl Cluster {
    /// Reads a map, or the first cluster of a kubeconfig.
    ///
    /// # Errors
    /// Fails if the syntax is broken or a member has the wrong type.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        read_document(bytes, "the cluster", Self::read)
    }

    fn read(object: &Object<'_>) -> Self {
        let text = |name| object.text(name).unwrap_or_default().to_owned();
        if object.text("kind") == Some("Config") {
            for name in ["apiVersion", "contexts", "current-context", "users", "preferences"] {
                object.member(name);
            }
            let cluster = object.objects("clusters", "a named cluster").into_iter().next();
            let inner = cluster.as_ref().and_then(|named| {
                named.text("name");
                named.object("cluster", "a cluster")
            });
            let Some(inner) = inner else { return Self::default() };
            let found = Self {
                ca_bundle: inner.text("certificate-authority-data").map(str::to_owned),
                endpoint: inner.text("server").unwrap_or_default().to_owned(),
                ..Self::default()
            };
            inner.ignore_the_rest();
            return found;
        }
        Self {
            kubernetes_version: text("kubernetes_version"),
            ca_bundle: object.text("ca_bundle").map(str::to_owned),
            endpoint: text("endpoint"),
            dns_service_ip: text("dns_service_ip"),
            network_security_group_name: text("network_security_group_name"),
            vnet_guid: text("vnet_guid"),
        }
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
