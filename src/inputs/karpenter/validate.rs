//! What the bootstrapper's inputs say, checked before a node finds out. The reference checks nothing: a subnet id that
//! does not parse gives it three empty variables, a version that is none a crash.

use super::derived::Refused;
use super::{BootstrapInputs, Subnet};
use crate::configuration::Version;
use crate::configuration::syntax::{is_host, is_label_key, is_label_value};
use crate::document::{DocPath, Finding, Problem, Step};

/// Minor versions of Kubernetes 1 that this route is known to work with.
const KNOWN_MINORS: std::ops::RangeInclusive<u64> = 25..=36;

fn at(name: &'static str) -> DocPath {
    DocPath(vec![Step::Field { name, json_name: name }])
}

fn unexpected(path: DocPath, expected: &'static str, found: &str) -> Finding {
    Finding::error(path, Problem::Unexpected { expected: expected.into(), found: format!("{found:?}") })
}

impl Refused {
    /// As a finding at the input's place.
    #[must_use]
    pub fn finding(&self) -> Finding {
        Finding::error(at(self.field), Problem::Rule(self.problem.into()))
    }
}

/// All that is wrong with the inputs, without positions.
#[must_use]
pub fn validate(inputs: &BootstrapInputs) -> Vec<Finding> {
    let mut findings = Vec::new();
    match Version::parse_full(&inputs.kubernetes_version) {
        None => {
            let found = &inputs.kubernetes_version;
            let finding = if found.is_empty() {
                Finding::error(at("kubernetes_version"), Problem::Missing)
            } else {
                unexpected(at("kubernetes_version"), "a full version without `v`", found)
            };
            findings.push(finding.hint("write three numbers, such as `1.33.2`"));
        }
        Some(version) if version.major() != 1 || !KNOWN_MINORS.contains(&version.minor()) => {
            let rule = "is of a Kubernetes that this route does not know";
            findings.push(Finding::error(at("kubernetes_version"), Problem::Rule(rule.into())).hint(format!(
                "known are 1.{} to 1.{}",
                KNOWN_MINORS.start(),
                KNOWN_MINORS.end()
            )));
        }
        Some(_) => {}
    }
    if inputs.ca_bundle.is_none() {
        let hint = "give the certificate authority of the cluster in base64";
        findings.push(Finding::error(at("ca_bundle"), Problem::Missing).hint(hint));
    }
    if !matches!(inputs.arch.as_str(), "amd64" | "arm64") {
        findings.push(unexpected(at("arch"), "`amd64` or `arm64`", &inputs.arch));
    }
    if Subnet::parse(&inputs.subnet_id).is_none() {
        let expected = "the id of a subnet";
        findings.push(unexpected(at("subnet_id"), expected, &inputs.subnet_id).hint(
            "/subscriptions/S/resourceGroups/G/providers/Microsoft.Network/virtualNetworks/N/subnets/T, without a slash at its end",
        ));
    }
    let server = &inputs.api_server_name;
    if !is_host(server) {
        findings.push(unexpected(at("api_server_name"), "a host name or an IP address", server));
    }
    for (name, value) in [
        ("subscription_id", &inputs.subscription_id),
        ("location", &inputs.location),
        ("resource_group", &inputs.resource_group),
        ("kubelet_client_tls_bootstrap_token", &inputs.kubelet_client_tls_bootstrap_token),
    ] {
        if value.is_empty() {
            findings.push(Finding::error(at(name), Problem::Missing));
        }
    }
    labels_and_taints(inputs, &mut findings);
    kubelet(inputs, &mut findings);
    findings
}

fn labels_and_taints(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    for (key, value) in &inputs.labels {
        let path = at("labels").join(Step::Key(key.clone()));
        if !is_label_key(key) {
            findings.push(unexpected(path.clone(), "a label key", key));
        }
        if !is_label_value(value) {
            findings.push(unexpected(path, "a label value", value));
        }
    }
    for (index, taint) in inputs.taints.iter().enumerate() {
        let path = at("taints").join(Step::Index(index));
        let part = |name| path.join(Step::Field { name, json_name: name });
        if !is_label_key(&taint.key) {
            findings.push(unexpected(part("key"), "a label key", &taint.key));
        }
        if !is_label_value(&taint.value) {
            findings.push(unexpected(part("value"), "a label value", &taint.value));
        }
        if !matches!(taint.effect.as_str(), "NoSchedule" | "PreferNoSchedule" | "NoExecute") {
            let expected = "`NoSchedule`, `PreferNoSchedule` or `NoExecute`";
            findings.push(unexpected(part("effect"), expected, &taint.effect));
        }
    }
}

fn kubelet(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    let Some(config) = &inputs.kubelet_config else { return };
    let part = |name| at("kubelet_config").join(Step::Field { name, json_name: name });
    if config.max_pods.unwrap_or(0) < 1 {
        let rule = "must be above zero: the node would run no pods";
        findings.push(Finding::error(part("max_pods"), Problem::Rule(rule.into())));
    }
    if config.fail_swap_on.is_some() {
        findings.push(ignored(part("fail_swap_on")));
    }
    if config.cpu_cfs_quota_period.is_some() {
        findings.push(ignored(part("cpu_cfs_quota_period")));
    }
    for (index, sysctl) in config.allowed_unsafe_sysctls.iter().enumerate() {
        if sysctl.is_empty() || sysctl.contains(|letter: char| letter == ',' || letter.is_whitespace()) {
            let path = part("allowed_unsafe_sysctls").join(Step::Index(index));
            findings.push(unexpected(path, "one kernel setting", sysctl));
        }
    }
    for (name, text) in [
        ("cpu_manager_policy", &config.cpu_manager_policy),
        ("topology_manager_policy", &config.topology_manager_policy),
        ("container_log_max_size", &config.container_log_max_size),
        ("cluster_dns_service_ip", &config.cluster_dns_service_ip),
    ] {
        if let Some(text) = text.as_deref().filter(|text| text.contains(char::is_whitespace)) {
            findings.push(unexpected(part(name), "one word, for it becomes a flag", text));
        }
    }
}

fn ignored(path: DocPath) -> Finding {
    Finding::warning(path, Problem::Rule("has no effect on this route".into()))
}
