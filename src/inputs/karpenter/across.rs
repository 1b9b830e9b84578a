//! Checks of the bootstrapper's inputs against each other. The predicates are those of the Configuration's checks.

use super::BootstrapInputs;
use crate::catalogue::{REDACTED, labels, rules, vm_sizes};
use crate::configuration::syntax::{BOOTSTRAP_TOKEN, is_bootstrap_token, is_label_key, quantity};
use crate::configuration::{Today, Version, across};
use crate::document::{DocPath, Finding, Severity, Step};

/// The label that names the VM size.
const INSTANCE_TYPE: &str = "node.kubernetes.io/instance-type";

/// The label that names the architecture.
const ARCHITECTURE: &str = "kubernetes.io/arch";

/// Returns what is wrong with values that are valid each by itself.
pub(super) fn findings(inputs: &BootstrapInputs, today: Option<Today>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let version = Version::parse_full(&inputs.kubernetes_version);
    findings.extend(version.and_then(|version| across::without_image(&version, DocPath::fields("kubernetes_version"))));
    let authority = inputs.ca_bundle.as_deref().unwrap_or_default();
    findings.extend(across::invalid_authority(authority, today, &DocPath::fields("ca_bundle")));
    let token = inputs.kubelet_client_tls_bootstrap_token.expose();
    if !token.is_empty() && !is_bootstrap_token(token) {
        let path = DocPath::fields("kubelet_client_tls_bootstrap_token");
        findings.push(Finding::unexpected(&rules::BOOTSTRAP_TOKEN, path, BOOTSTRAP_TOKEN, REDACTED));
    }
    node_labels(inputs, &mut findings);
    taints(inputs, &mut findings);
    if let Some(size) = inputs.labels.get(INSTANCE_TYPE) {
        machine(inputs, size, &mut findings);
    }
    if let Some(kubelet) = &inputs.kubelet_config {
        findings.extend(kubelet.max_pods.and_then(|count| across::too_many_pods(count, member("max_pods"))));
        let dns = kubelet.cluster_dns_service_ip.iter().flat_map(|list| list.split(','));
        findings
            .extend(dns.filter_map(|dns| across::invalid_cluster_dns(dns, true, || member("cluster_dns_service_ip"))));
    }
    findings
}

fn member(name: &'static str) -> DocPath {
    DocPath::fields("kubelet_config").join(Step::Field { name, json_name: name })
}

fn node_labels(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    let at = |key: &str| DocPath::fields("labels").join(Step::Key(key.to_owned()));
    for key in inputs.labels.keys().filter(|key| is_label_key(key) && !labels::is_allowed(key)) {
        let problem = "is a label that the API server does not let a kubelet set";
        findings.push(Finding::violation(&rules::RESERVED_LABEL, at(key), problem));
    }
    let label = inputs.labels.get(ARCHITECTURE).filter(|label| **label != inputs.arch);
    findings.extend(label.map(|label| {
        let problem = format!("is {label:?}, but `arch` is {:?}", inputs.arch);
        Finding::violation(&rules::ARCHITECTURE, at(ARCHITECTURE), problem)
    }));
}

fn taints(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    let at = |index| DocPath::fields("taints").join(Step::Index(index));
    let taints = inputs.taints.iter().enumerate();
    let taints: Vec<_> = taints.map(|(index, taint)| (taint.key.as_str(), taint.effect.as_str(), at(index))).collect();
    findings.extend(across::repeated_taints(&taints));
}

/// Compares the VM size that the label names with architecture, GPU and reserved CPUs.
fn machine(inputs: &BootstrapInputs, size: &str, findings: &mut Vec<Finding>) {
    if let Some(expected) = vm_sizes::architecture(size).filter(|expected| *expected != inputs.arch) {
        let problem = format!("is {:?}, but the processors of `{size}` are {expected}", inputs.arch);
        findings.push(Finding::violation(&rules::ARCHITECTURE, DocPath::fields("arch"), problem));
    }
    // The label does not decide which VM is made.
    let gpu = across::gpu_mismatch(size, inputs.gpu_node, DocPath::fields("gpu_node"));
    findings.extend(gpu.map(|finding| finding.severity(Severity::Warning)));
    let Some(kubelet) = &inputs.kubelet_config else { return };
    let reservations = [("kube_reserved", &kubelet.kube_reserved), ("system_reserved", &kubelet.system_reserved)];
    let cpus = reservations.into_iter().filter_map(|(name, amounts)| {
        let path = member(name).join(Step::Key("cpu".to_owned()));
        Some((quantity(amounts.get("cpu")?)?, path))
    });
    findings.extend(across::without_cpu(cpus.collect(), size));
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde_json::{Value, json};

    use super::*;

    fn lines(changes: &Value) -> Vec<String> {
        lines_at(changes, Today(1_900_000_000))
    }

    fn lines_at(changes: &Value, today: Today) -> Vec<String> {
        let mut document = json!({
            "arch": "amd64",
            "kubernetes_version": "1.33.2",
            "kubelet_client_tls_bootstrap_token": "x1y2z3.0a1b2c3d4e5f6g7h",
            "labels": {INSTANCE_TYPE: "Standard_D4s_v5", ARCHITECTURE: "amd64", "agentpool": "a"},
            "taints": [{"key": "a", "effect": "NoSchedule"}, {"key": "a", "effect": "NoExecute"}],
            "kubelet_config": {"max_pods": 250, "cluster_dns_service_ip": "10.0.0.10", "kube_reserved": {"cpu": "3"}},
            "ca_bundle": STANDARD.encode(include_str!("../../../testdata/certificates/authority.pem")),
        });
        for (name, value) in changes.as_object().expect("an object") {
            document[name] = value.clone();
        }
        let read = BootstrapInputs::from_document(document.to_string().as_bytes());
        let line = |finding: Finding| format!("{}: {finding}", finding.severity);
        findings(&read.expect("it is valid").0, Some(today)).into_iter().map(line).collect()
    }

    #[test]
    fn each_check_finds_a_violation() {
        assert_eq!(lines(&json!({})), [""; 0]);
        let certificate = STANDARD.encode(include_str!("../../../testdata/certificates/client_ec.pem"));
        for (changes, expected) in [
            (
                json!({"kubernetes_version": "1.27.1"}),
                "warning: kubernetes_version: is a version of Kubernetes that no",
            ),
            (json!({"ca_bundle": certificate}), "error: ca_bundle: contains no certificate of an authority"),
            (
                json!({"kubelet_client_tls_bootstrap_token": "canary"}),
                "error: kubelet_client_tls_bootstrap_token: must be six and sixteen characters of `a-z` and `0-9`, separated by a dot, found [redacted]",
            ),
            (
                json!({"labels": {"node-role.kubernetes.io/agent": ""}}),
                "error: labels[\"node-role.kubernetes.io/agent\"]: is a label that the API server does not let",
            ),
            (
                json!({"labels": {ARCHITECTURE: "arm64"}}),
                "error: labels[\"kubernetes.io/arch\"]: is \"arm64\", but `arch` is \"amd64\"",
            ),
            (
                json!({"labels": {INSTANCE_TYPE: "Standard_D4ps_v5"}}),
                "error: arch: is \"amd64\", but the processors of `Standard_D4ps_v5` are arm64",
            ),
            (json!({"gpu_node": true}), "warning: gpu_node: is `true`, but `Standard_D4s_v5` has no GPU of NVIDIA"),
            (
                json!({"taints": [{"key": "a", "effect": "NoExecute"}, {"key": "a", "value": "b", "effect": "NoExecute"}]}),
                "error: taints[1]: has the key `a` with the effect `NoExecute` more than once",
            ),
            (json!({"kubelet_config": {"max_pods": 251}}), "warning: kubelet_config.max_pods: must be at most 250"),
            (
                json!({"kubelet_config": {"cluster_dns_service_ip": "127.0.0.1"}}),
                "error: kubelet_config.cluster_dns_service_ip: must be the address of a service",
            ),
            (
                json!({"kubelet_config": {"kube_reserved": {"cpu": "3500m"}, "system_reserved": {"cpu": "500m"}}}),
                "error: kubelet_config.kube_reserved[\"cpu\"]: leaves no CPU for pods: 4 are reserved in all",
            ),
        ] {
            let found = lines(&changes);
            assert!(matches!(found.as_slice(), [line] if line.starts_with(expected)), "{changes}\n{found:#?}");
        }
    }

    #[test]
    fn an_expired_authority_of_the_cluster_is_an_error() {
        let found = lines_at(&json!({}), Today(5_000_000_000));
        assert_eq!(found, ["error: ca_bundle: contains a certificate that expired on 2125-01-01T00:00:00Z"]);
    }

    #[test]
    fn gpus_that_are_not_enabled_are_a_warning() {
        let found = lines(&json!({"labels": {INSTANCE_TYPE: "Standard_NC24ads_A100_v4"}}));
        assert!(found.iter().any(|line| line.starts_with(&format!("{}: gpu_node", Severity::Warning))), "{found:?}");
    }
}
