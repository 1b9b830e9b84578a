//! Checks the values of the bootstrapper's inputs before a node fails because of them. The reference checks nothing: a
//! subnet id that does not parse becomes three empty variables, and a version that does not parse crashes it.

use super::{BootstrapInputs, Subnet};
use crate::catalogue::labels::TAINT_EFFECTS;
use crate::configuration::Version;
use crate::configuration::syntax::{is_host, is_label_key, is_label_value};
use crate::document::{DocPath, Finding, Problem, Step};

/// Minor versions of Kubernetes 1 for which the flags of the kubelet are known.
const KNOWN_MINORS: std::ops::RangeInclusive<u64> = 25..=36;

fn unexpected(path: DocPath, expected: &'static str, found: &str) -> Finding {
    Finding::error(path, Problem::Unexpected { expected: expected.into(), found: format!("{found:?}") })
}

/// Returns everything that is wrong with the inputs. The findings have no positions.
#[must_use]
pub fn validate(inputs: &BootstrapInputs) -> Vec<Finding> {
    let mut findings = Vec::new();
    version(inputs, &mut findings);
    if inputs.ca_bundle.is_none() {
        findings.push(missing_ca_bundle());
    }
    if !matches!(inputs.arch.as_str(), "amd64" | "arm64") {
        findings.push(unexpected(DocPath::fields("arch"), "`amd64` or `arm64`", &inputs.arch));
    }
    if Subnet::parse(&inputs.subnet_id).is_none() {
        let hint = "the form is /subscriptions/S/resourceGroups/G/providers/Microsoft.Network/virtualNetworks/N/subnets/T, \
                    without a slash at the end";
        findings.push(unexpected(DocPath::fields("subnet_id"), "a subnet id", &inputs.subnet_id).hint(hint));
    }
    let server = &inputs.api_server_name;
    if !is_host(server) {
        findings.push(unexpected(DocPath::fields("api_server_name"), "a host name or an IP address", server));
    }
    for (name, is_empty) in [
        ("subscription_id", inputs.subscription_id.is_empty()),
        ("location", inputs.location.is_empty()),
        ("resource_group", inputs.resource_group.is_empty()),
        ("kubelet_client_tls_bootstrap_token", inputs.kubelet_client_tls_bootstrap_token.is_empty()),
    ] {
        if is_empty {
            findings.push(Finding::error(DocPath::fields(name), Problem::Missing));
        }
    }
    labels(inputs, &mut findings);
    taints(inputs, &mut findings);
    kubelet(inputs, &mut findings);
    findings
}

fn version(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    match Version::parse_full(&inputs.kubernetes_version) {
        None => findings.push(invalid_version(inputs)),
        Some(version) if version.major() != 1 || !KNOWN_MINORS.contains(&version.minor()) => {
            let rule = "is a version of Kubernetes whose kubelet flags are not known";
            let finding = Finding::error(DocPath::fields("kubernetes_version"), Problem::Rule(rule.into()));
            findings.push(finding.hint(format!("use 1.{} to 1.{}", KNOWN_MINORS.start(), KNOWN_MINORS.end())));
        }
        Some(_) => {}
    }
}

/// Returns the finding for a version that is missing or is not a full version.
pub(super) fn invalid_version(inputs: &BootstrapInputs) -> Finding {
    let (path, found) = (DocPath::fields("kubernetes_version"), &inputs.kubernetes_version);
    let finding = if found.is_empty() {
        Finding::error(path, Problem::Missing)
    } else {
        unexpected(path, "a full version without `v`", found)
    };
    finding.hint("write three numbers, such as `1.33.2`")
}

/// Returns the finding for inputs without a CA bundle.
pub(super) fn missing_ca_bundle() -> Finding {
    let hint = "set it to the cluster's CA certificate in base64";
    Finding::error(DocPath::fields("ca_bundle"), Problem::Missing).hint(hint)
}

fn labels(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    for (key, value) in &inputs.labels {
        let path = DocPath::fields("labels").join(Step::Key(key.clone()));
        if !is_label_key(key) {
            findings.push(unexpected(path.clone(), "a label key", key));
        }
        if !is_label_value(value) {
            findings.push(unexpected(path, "a label value", value));
        }
    }
}

fn taints(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    for (index, taint) in inputs.taints.iter().enumerate() {
        let path = DocPath::fields("taints").join(Step::Index(index));
        let member = |name| path.join(Step::Field { name, json_name: name });
        if !is_label_key(&taint.key) {
            findings.push(unexpected(member("key"), "a label key", &taint.key));
        }
        if !is_label_value(&taint.value) {
            findings.push(unexpected(member("value"), "a label value", &taint.value));
        }
        if !TAINT_EFFECTS.contains(&taint.effect.as_str()) {
            let expected = "`NoSchedule`, `PreferNoSchedule` or `NoExecute`";
            findings.push(unexpected(member("effect"), expected, &taint.effect));
        }
    }
}

fn kubelet(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    let Some(config) = &inputs.kubelet_config else { return };
    let member = |name| DocPath::fields("kubelet_config").join(Step::Field { name, json_name: name });
    if config.max_pods.unwrap_or(0) < 1 {
        let rule = "must be at least 1, or the node runs no pods";
        findings.push(Finding::error(member("max_pods"), Problem::Rule(rule.into())));
    }
    if config.fail_swap_on.is_some() {
        findings.push(ignored(member("fail_swap_on")));
    }
    if config.cpu_cfs_quota_period.is_some() {
        findings.push(ignored(member("cpu_cfs_quota_period")));
    }
    for (index, sysctl) in config.allowed_unsafe_sysctls.iter().enumerate() {
        if sysctl.is_empty() || sysctl.contains(|letter: char| letter == ',' || letter.is_whitespace()) {
            let path = member("allowed_unsafe_sysctls").join(Step::Index(index));
            findings.push(unexpected(path, "the name of one kernel setting", sysctl));
        }
    }
    for (name, text) in [
        ("cpu_manager_policy", &config.cpu_manager_policy),
        ("topology_manager_policy", &config.topology_manager_policy),
        ("container_log_max_size", &config.container_log_max_size),
        ("cluster_dns_service_ip", &config.cluster_dns_service_ip),
    ] {
        if let Some(text) = text.as_deref().filter(|text| text.contains(char::is_whitespace)) {
            findings.push(unexpected(member(name), "free of whitespace: it becomes a flag of the kubelet", text));
        }
    }
}

fn ignored(path: DocPath) -> Finding {
    Finding::warning(path, Problem::Rule("has no effect: Karpenter's script does not set it".into()))
}
