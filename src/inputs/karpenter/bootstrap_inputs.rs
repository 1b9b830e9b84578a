//! The inputs of Karpenter's bootstrapper for one node, as types and as a document.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use crate::Secret;
use crate::catalogue::rules;
use crate::document::{DocPath, Finding, Names, Report, Source, Step, duration, fields, read_document};

/// The inputs of one script. Unset strings are empty.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename = "the bootstrapper's inputs", default)]
#[expect(missing_docs, reason = "the names are the reference's; `catalogue::variables` documents where they lead")]
pub struct BootstrapInputs {
    /// `amd64` or `arm64`. Part of download URLs.
    pub arch: String,
    pub tenant_id: String,
    pub subscription_id: String,
    pub kubelet_identity_client_id: String,
    pub location: String,
    pub resource_group: String,
    /// Accepted, but not used in the script.
    pub cluster_name: String,
    /// Accepted, but not used in the script.
    pub cluster_endpoint: String,
    pub network_security_group_name: String,
    pub route_table_name: String,
    pub api_server_name: String,
    #[serde(serialize_with = "in_clear")]
    pub kubelet_client_tls_bootstrap_token: Secret<'static>,
    pub network_plugin: String,
    pub network_policy: String,
    /// A full semantic version without `v`.
    pub kubernetes_version: String,
    /// `None` differs from an empty configuration, which sets `--max-pods` to 0.
    pub kubelet_config: Option<KubeletConfig>,
    pub taints: Vec<Taint>,
    pub labels: BTreeMap<String, String>,
    /// Base64. Required, but may be empty.
    pub ca_bundle: Option<String>,
    pub gpu_node: bool,
    pub gpu_driver_installation_enabled: bool,
    pub gpu_driver_version: String,
    pub gpu_driver_type: String,
    pub gpu_image_sha: String,
    pub subnet_id: String,
}

/// Settings of the kubelet. Each one that is set becomes a flag, except the two that the script ignores.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename = "the kubelet configuration", default)]
#[expect(missing_docs, reason = "the names are the kubelet's")]
pub struct KubeletConfig {
    pub max_pods: Option<i64>,
    pub system_reserved: BTreeMap<String, String>,
    pub kube_reserved: BTreeMap<String, String>,
    pub eviction_hard: BTreeMap<String, String>,
    pub eviction_soft: BTreeMap<String, String>,
    /// By signal, durations in Go's notation.
    pub eviction_soft_grace_period: BTreeMap<String, String>,
    pub eviction_max_pod_grace_period: Option<i64>,
    pub image_gc_high_threshold_percent: Option<i64>,
    pub image_gc_low_threshold_percent: Option<i64>,
    pub cpu_cfs_quota: Option<bool>,
    /// Ignored by the script.
    pub cpu_cfs_quota_period: Option<String>,
    pub cpu_manager_policy: Option<String>,
    pub topology_manager_policy: Option<String>,
    pub container_log_max_size: Option<String>,
    pub container_log_max_files: Option<i64>,
    pub pod_pids_limit: Option<i64>,
    pub allowed_unsafe_sysctls: Vec<String>,
    pub cluster_dns_service_ip: Option<String>,
    /// Ignored by the script.
    pub fail_swap_on: Option<bool>,
}

/// A taint. `Display` writes it as `kubectl` does: `key=value:effect`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename = "a taint", default)]
#[expect(missing_docs, reason = "the three parts of a taint")]
pub struct Taint {
    pub key: String,
    pub value: String,
    pub effect: String,
}

/// Serializes a secret in clear text.
fn in_clear<S: Serializer>(secret: &Secret<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret.expose())
}

impl BootstrapInputs {
    /// Reads JSON or YAML.
    ///
    /// # Errors
    /// Fails if the syntax is broken or a member has the wrong type.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        Self::from_source(&Source::new(bytes)?)
    }

    /// Reads a parsed document. Its [`Source`] can then locate findings of later checks.
    ///
    /// # Errors
    /// As [`BootstrapInputs::from_document`].
    pub fn from_source(source: &Source<'_>) -> Result<(Self, Report), Report> {
        read_document(source, |document| {
            let inputs: Self = document.read(Names::Exact)?;
            document.report(inputs.kubelet_config.iter().flat_map(KubeletConfig::invalid_durations));
            Some(inputs)
        })
    }

    /// Reports whether these inputs have a member of this name.
    pub(crate) fn has_member(name: &str) -> bool {
        static NAMES: LazyLock<Vec<String>> =
            LazyLock::new(|| fields::<BootstrapInputs>().iter().map(|field| field.path.to_string()).collect());
        NAMES.iter().any(|known| known == name)
    }

    /// Returns the document that [`BootstrapInputs::from_document`] reads, without unset members. The token is in clear
    /// text.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut document = json!(self);
        remove_where(&mut document, Value::is_null);
        if let Some(kubelet) = document.get_mut("kubelet_config") {
            remove_where(kubelet, |value| value.is_null() || *value == json!({}) || *value == json!([]));
        }
        document
    }
}

/// Removes the members of an object for which a predicate holds.
fn remove_where(object: &mut Value, is_removed: impl Fn(&Value) -> bool) {
    if let Value::Object(members) = object {
        members.retain(|_, value| !is_removed(value));
    }
}

impl KubeletConfig {
    fn invalid_durations(&self) -> impl Iterator<Item = Finding> {
        let durations = self.eviction_soft_grace_period.iter();
        durations.filter(|(_, duration)| !duration::is_go_duration(duration)).map(|(signal, duration)| {
            let path = DocPath::fields("kubelet_config.eviction_soft_grace_period").join(Step::Key(signal.clone()));
            let (expected, found) = ("a duration such as `1m30s`", format!("{duration:?}"));
            Finding::unexpected(&rules::KUBELET_FLAG_VALUE, path, expected, found)
        })
    }
}

impl fmt::Display for Taint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, value, effect } = self;
        match (effect.as_str(), value.as_str()) {
            ("", "") => f.write_str(key),
            ("", value) => write!(f, "{key}={value}:"),
            (effect, "") => write!(f, "{key}:{effect}"),
            (effect, value) => write!(f, "{key}={value}:{effect}"),
        }
    }
}
