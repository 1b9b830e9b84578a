//! The inputs of Karpenter's bootstrapper for one node, as types and as a document.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

use crate::Secret;
use crate::catalogue::rules;
use crate::document::{Finding, Object, Report, Step, duration, read_document};

/// The inputs of one script. Unset strings are empty.
#[derive(Clone, Debug, Default, PartialEq)]
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

/// Settings of the kubelet. Each that is set becomes a flag, except for the two that the script ignores.
#[derive(Clone, Debug, Default, PartialEq)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the three parts of a taint")]
pub struct Taint {
    pub key: String,
    pub value: String,
    pub effect: String,
}

impl BootstrapInputs {
    /// Reads JSON or YAML.
    ///
    /// # Errors
    /// Fails if the syntax is broken or a member has the wrong type.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        read_document(bytes, "the bootstrapper's inputs", Self::read)
    }

    /// Returns the document that [`BootstrapInputs::from_document`] reads, without unset members. The token is in clear.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut document = json!({
            "arch": self.arch,
            "tenant_id": self.tenant_id,
            "subscription_id": self.subscription_id,
            "kubelet_identity_client_id": self.kubelet_identity_client_id,
            "location": self.location,
            "resource_group": self.resource_group,
            "cluster_name": self.cluster_name,
            "cluster_endpoint": self.cluster_endpoint,
            "network_security_group_name": self.network_security_group_name,
            "route_table_name": self.route_table_name,
            "api_server_name": self.api_server_name,
            "kubelet_client_tls_bootstrap_token": self.kubelet_client_tls_bootstrap_token.expose(),
            "network_plugin": self.network_plugin,
            "network_policy": self.network_policy,
            "kubernetes_version": self.kubernetes_version,
            "kubelet_config": self.kubelet_config.as_ref().map(KubeletConfig::to_json),
            "labels": self.labels,
            "ca_bundle": self.ca_bundle,
            "gpu_node": self.gpu_node,
            "gpu_driver_installation_enabled": self.gpu_driver_installation_enabled,
            "gpu_driver_version": self.gpu_driver_version,
            "gpu_driver_type": self.gpu_driver_type,
            "gpu_image_sha": self.gpu_image_sha,
            "subnet_id": self.subnet_id,
        });
        let taints =
            self.taints.iter().map(|taint| json!({"key": taint.key, "value": taint.value, "effect": taint.effect}));
        document["taints"] = taints.collect();
        without_nulls(document)
    }

    fn read(object: &Object<'_>) -> Self {
        let text = |name| object.text(name).unwrap_or_default().to_owned();
        Self {
            arch: text("arch"),
            tenant_id: text("tenant_id"),
            subscription_id: text("subscription_id"),
            kubelet_identity_client_id: text("kubelet_identity_client_id"),
            location: text("location"),
            resource_group: text("resource_group"),
            cluster_name: text("cluster_name"),
            cluster_endpoint: text("cluster_endpoint"),
            network_security_group_name: text("network_security_group_name"),
            route_table_name: text("route_table_name"),
            api_server_name: text("api_server_name"),
            kubelet_client_tls_bootstrap_token: object
                .secret("kubelet_client_tls_bootstrap_token")
                .unwrap_or_default()
                .to_owned()
                .into(),
            network_plugin: text("network_plugin"),
            network_policy: text("network_policy"),
            kubernetes_version: text("kubernetes_version"),
            kubelet_config: object
                .object("kubelet_config", "the kubelet configuration")
                .as_ref()
                .map(KubeletConfig::read),
            taints: object.objects("taints", "a taint").iter().map(Taint::read).collect(),
            labels: object.text_map("labels"),
            ca_bundle: object.text("ca_bundle").map(str::to_owned),
            gpu_node: object.switch("gpu_node").unwrap_or_default(),
            gpu_driver_installation_enabled: object.switch("gpu_driver_installation_enabled").unwrap_or_default(),
            gpu_driver_version: text("gpu_driver_version"),
            gpu_driver_type: text("gpu_driver_type"),
            gpu_image_sha: text("gpu_image_sha"),
            subnet_id: text("subnet_id"),
        }
    }
}

/// Removes members that are null.
fn without_nulls(mut object: Value) -> Value {
    if let Value::Object(members) = &mut object {
        members.retain(|_, value| !value.is_null());
    }
    object
}

impl KubeletConfig {
    fn to_json(&self) -> Value {
        let map = |map: &BTreeMap<String, String>| if map.is_empty() { Value::Null } else { json!(map) };
        let sysctls = &self.allowed_unsafe_sysctls;
        without_nulls(json!({
            "max_pods": self.max_pods,
            "system_reserved": map(&self.system_reserved),
            "kube_reserved": map(&self.kube_reserved),
            "eviction_hard": map(&self.eviction_hard),
            "eviction_soft": map(&self.eviction_soft),
            "eviction_soft_grace_period": map(&self.eviction_soft_grace_period),
            "eviction_max_pod_grace_period": self.eviction_max_pod_grace_period,
            "image_gc_high_threshold_percent": self.image_gc_high_threshold_percent,
            "image_gc_low_threshold_percent": self.image_gc_low_threshold_percent,
            "cpu_cfs_quota": self.cpu_cfs_quota,
            "cpu_cfs_quota_period": self.cpu_cfs_quota_period,
            "cpu_manager_policy": self.cpu_manager_policy,
            "topology_manager_policy": self.topology_manager_policy,
            "container_log_max_size": self.container_log_max_size,
            "container_log_max_files": self.container_log_max_files,
            "pod_pids_limit": self.pod_pids_limit,
            "allowed_unsafe_sysctls": if sysctls.is_empty() { Value::Null } else { json!(sysctls) },
            "cluster_dns_service_ip": self.cluster_dns_service_ip,
            "fail_swap_on": self.fail_swap_on,
        }))
    }

    fn read(object: &Object<'_>) -> Self {
        let text = |name| object.text(name).map(str::to_owned);
        let durations = object.text_map("eviction_soft_grace_period");
        for (signal, duration) in &durations {
            if !duration::is_go_duration(duration) {
                let path = object.at("eviction_soft_grace_period").join(Step::Key(signal.clone()));
                let (expected, found) = ("a duration such as `1m30s`", format!("{duration:?}"));
                object.report(Finding::unexpected(&rules::KUBELET_FLAG_VALUE, path, expected, found));
            }
        }
        Self {
            max_pods: object.integer("max_pods"),
            system_reserved: object.text_map("system_reserved"),
            kube_reserved: object.text_map("kube_reserved"),
            eviction_hard: object.text_map("eviction_hard"),
            eviction_soft: object.text_map("eviction_soft"),
            eviction_soft_grace_period: durations,
            eviction_max_pod_grace_period: object.integer("eviction_max_pod_grace_period"),
            image_gc_high_threshold_percent: object.integer("image_gc_high_threshold_percent"),
            image_gc_low_threshold_percent: object.integer("image_gc_low_threshold_percent"),
            cpu_cfs_quota: object.switch("cpu_cfs_quota"),
            cpu_cfs_quota_period: text("cpu_cfs_quota_period"),
            cpu_manager_policy: text("cpu_manager_policy"),
            topology_manager_policy: text("topology_manager_policy"),
            container_log_max_size: text("container_log_max_size"),
            container_log_max_files: object.integer("container_log_max_files"),
            pod_pids_limit: object.integer("pod_pids_limit"),
            allowed_unsafe_sysctls: object.texts("allowed_unsafe_sysctls"),
            cluster_dns_service_ip: text("cluster_dns_service_ip"),
            fail_swap_on: object.switch("fail_swap_on"),
        }
    }
}

impl Taint {
    fn read(object: &Object<'_>) -> Self {
        let text = |name| object.text(name).unwrap_or_default().to_owned();
        Self { key: text("key"), value: text("value"), effect: text("effect") }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::karpenter::objects::Settings;

    /// Values that contain the secret `canary`, or `424242` where it is a number.
    const WRONG: [&str; 4] = ["[canary]", "{canary: canary}", "424242", "[{canary: canary}]"];

    fn assert_hidden(shown: &[String]) {
        for text in shown {
            assert!(!text.contains("canary") && !text.contains("424242"), "{text}");
        }
    }

    #[test]
    fn a_secret_with_a_wrong_type_is_not_shown() {
        for value in WRONG {
            let inputs = format!("kubelet_client_tls_bootstrap_token: {value}\n");
            let report = BootstrapInputs::from_document(inputs.as_bytes()).expect_err("the type is wrong");
            assert_hidden(&[report.to_string(), format!("{report:?}")]);
            let settings = format!("KUBELET_BOOTSTRAP_TOKEN: {value}\n");
            let report = Settings::from_document(settings.as_bytes()).expect_err("settings are missing");
            assert_hidden(&[report.to_string(), format!("{report:?}")]);
        }
        for document in ["canary", "\"canary\"", "[canary]", "424242"] {
            for report in [
                BootstrapInputs::from_document(document.as_bytes()).err(),
                Settings::from_document(document.as_bytes()).err(),
            ] {
                let report = report.expect("the document is not an object");
                assert_hidden(&[report.to_string(), format!("{report:?}")]);
            }
        }
    }

    #[test]
    fn debug_output_does_not_show_the_token() {
        let document = b"kubelet_client_tls_bootstrap_token: canary\nlabels: {a: shown}\n";
        let (inputs, _) = BootstrapInputs::from_document(document).expect("the document is valid");
        assert_eq!(inputs.kubelet_client_tls_bootstrap_token.expose(), "canary");
        let shown = format!("{inputs:?}{inputs:#?}");
        assert!(shown.contains("shown"));
        assert_hidden(&[shown]);
    }
}
