//! Checks the values of the bootstrapper's inputs before a node fails because of them. The reference checks nothing: a
//! subnet id that does not parse becomes three empty variables, and a version that does not parse crashes it.

use super::across::member;
use super::{BootstrapInputs, KubeletConfig, Subnet, Taint};
use crate::catalogue::kubelet_flags::{CPU_MANAGER_POLICIES, TOPOLOGY_MANAGER_POLICIES};
use crate::catalogue::labels::TAINT_EFFECTS;
use crate::catalogue::rules;
use crate::configuration::syntax::{is_host, is_ip, is_label_key, is_label_value, is_quantity, is_threshold};
use crate::configuration::{Today, Version};
use crate::document::{DocPath, Finding, Rule, Severity, Step};

/// Minor versions of Kubernetes 1 for which the flags of the kubelet are known.
const KNOWN_MINORS: std::ops::RangeInclusive<u64> = 25..=37;

const THRESHOLD: &str = "a quantity such as `750Mi` or a percentage such as `10%`";
const CPU_POLICY: &str = "`none` or `static`";
const TOPOLOGY_POLICY: &str = "`none`, `best-effort`, `restricted` or `single-numa-node`";

fn unexpected(rule: &'static Rule, path: DocPath, expected: &'static str, found: &str) -> Finding {
    Finding::unexpected(rule, path, expected, format!("{found:?}"))
}

/// Returns the findings for the inputs, without positions.
///
/// The validity of the cluster CA is only checked if `today` is given.
#[must_use]
pub fn validate(inputs: &BootstrapInputs, today: Option<Today>) -> Vec<Finding> {
    let mut findings = Vec::new();
    version(inputs, &mut findings);
    if inputs.ca_bundle.is_none() {
        findings.push(missing_ca_bundle());
    }
    if !matches!(inputs.arch.as_str(), "amd64" | "arm64") {
        let path = DocPath::fields("arch");
        findings.push(unexpected(&rules::KARPENTER_ARCHITECTURE, path, "`amd64` or `arm64`", &inputs.arch));
    }
    if Subnet::parse(&inputs.subnet_id).is_none() {
        let hint = "the form is /subscriptions/S/resourceGroups/G/providers/Microsoft.Network/virtualNetworks/N/subnets/T, \
                    without a slash at the end";
        findings.push(
            unexpected(&rules::SUBNET_ID, DocPath::fields("subnet_id"), "a subnet id", &inputs.subnet_id).hint(hint),
        );
    }
    let server = &inputs.api_server_name;
    if !is_host(server) {
        let path = DocPath::fields("api_server_name");
        findings.push(unexpected(&rules::HOST_NAME, path, "a host name or an IP address", server));
    }
    for (name, is_empty) in [
        ("subscription_id", inputs.subscription_id.is_empty()),
        ("location", inputs.location.is_empty()),
        ("resource_group", inputs.resource_group.is_empty()),
        ("kubelet_client_tls_bootstrap_token", inputs.kubelet_client_tls_bootstrap_token.is_empty()),
    ] {
        if is_empty {
            findings.push(Finding::missing(DocPath::fields(name)));
        }
    }
    labels(inputs, &mut findings);
    taints(inputs, &mut findings);
    kubelet(inputs, &mut findings);
    findings.extend(super::across::findings(inputs, today));
    findings
}

fn version(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    match Version::parse_full(&inputs.kubernetes_version) {
        None => findings.push(invalid_version(inputs)),
        Some(version) if version.major() != 1 || !KNOWN_MINORS.contains(&version.minor()) => {
            let rule = "is a version of Kubernetes with unknown kubelet flags";
            let finding = Finding::violation(&rules::KARPENTER_VERSION, DocPath::fields("kubernetes_version"), rule);
            findings.push(finding.hint(format!("use 1.{} to 1.{}", KNOWN_MINORS.start(), KNOWN_MINORS.end())));
        }
        Some(_) => {}
    }
}

/// Returns the finding for a version that is missing or is not a full version.
pub(super) fn invalid_version(inputs: &BootstrapInputs) -> Finding {
    let (path, found) = (DocPath::fields("kubernetes_version"), &inputs.kubernetes_version);
    let finding = if found.is_empty() {
        Finding::missing(path)
    } else {
        unexpected(&rules::KUBERNETES_VERSION, path, "a full version without `v`", found)
    };
    finding.hint("write three numbers, such as `1.33.2`")
}

/// Returns findings for inputs with which a node cannot sign in to Azure. The findings about objects and settings name the setting
/// instead.
pub(in crate::inputs) fn without_sign_in(inputs: &BootstrapInputs) -> Vec<Finding> {
    let mut findings = Vec::new();
    if inputs.tenant_id.is_empty() {
        let problem = "is not set: the cloud provider and the credential provider cannot sign in";
        // The setting of Karpenter's controller may be empty.
        let finding =
            Finding::violation(&rules::TENANT, DocPath::fields("tenant_id"), problem).severity(Severity::Warning);
        findings.push(finding.hint("`az account show --query tenantId -o tsv` prints it"));
    }
    let id = &inputs.kubelet_identity_client_id;
    let problem = if id.is_empty() {
        "is not set: a machine with several identities has no default, and signing in fails"
    } else if id.bytes().all(|byte| byte == b'0' || byte == b'-') {
        "is the empty UUID, which no identity has"
    } else {
        return findings;
    };
    let finding = Finding::violation(&rules::IDENTITY, DocPath::fields("kubelet_identity_client_id"), problem);
    let hint = "`az aks show -g GROUP -n CLUSTER --query identityProfile.kubeletidentity.clientId -o tsv` prints it";
    findings.push(finding.hint(hint));
    findings
}

/// Returns the finding for inputs without a CA bundle.
pub(super) fn missing_ca_bundle() -> Finding {
    let hint = "set it to the certificate of the cluster CA in base64";
    Finding::missing(DocPath::fields("ca_bundle")).hint(hint)
}

fn labels(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    for (key, value) in &inputs.labels {
        label(key, value, &DocPath::fields("labels").join(Step::Key(key.clone())), findings);
    }
}

/// Adds what the API server rejects in a label.
pub(super) fn label(key: &str, value: &str, path: &DocPath, findings: &mut Vec<Finding>) {
    if !is_label_key(key) {
        findings.push(unexpected(&rules::LABEL, path.clone(), "a label key", key));
    }
    if !is_label_value(value) {
        findings.push(unexpected(&rules::LABEL, path.clone(), "a label value", value));
    }
}

fn taints(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    for (index, one) in inputs.taints.iter().enumerate() {
        taint(one, &DocPath::fields("taints").join(Step::Index(index)), findings);
    }
}

/// Adds what the API server rejects in a taint.
pub(super) fn taint(taint: &Taint, path: &DocPath, findings: &mut Vec<Finding>) {
    let member = |name| path.join(Step::Field { name, json_name: name });
    if !is_label_key(&taint.key) {
        findings.push(unexpected(&rules::TAINT, member("key"), "a label key", &taint.key));
    }
    if !is_label_value(&taint.value) {
        findings.push(unexpected(&rules::TAINT, member("value"), "a label value", &taint.value));
    }
    if !TAINT_EFFECTS.contains(&taint.effect.as_str()) {
        let expected = "`NoSchedule`, `PreferNoSchedule` or `NoExecute`";
        findings.push(unexpected(&rules::TAINT, member("effect"), expected, &taint.effect));
    }
}

fn kubelet(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    let Some(config) = &inputs.kubelet_config else { return };
    if config.max_pods.unwrap_or(0) < 1 {
        let rule = "must be at least 1, or the node runs no pods";
        findings.push(Finding::violation(&rules::MAX_PODS, member("max_pods"), rule));
    }
    if config.fail_swap_on.is_some() {
        findings.push(ignored(member("fail_swap_on")));
    }
    if config.cpu_cfs_quota_period.is_some() {
        findings.push(ignored(member("cpu_cfs_quota_period")));
    }
    for (index, sysctl) in config.allowed_unsafe_sysctls.iter().enumerate() {
        if sysctl.is_empty() || sysctl.contains(|character: char| character == ',' || character.is_whitespace()) {
            let path = member("allowed_unsafe_sysctls").join(Step::Index(index));
            findings.push(unexpected(&rules::KUBELET_FLAG_VALUE, path, "the name of one kernel setting", sysctl));
        }
    }
    texts(config, findings);
    amounts(config, findings);
    numbers(config, findings);
}

type Predicate = fn(&str) -> bool;

fn texts(config: &KubeletConfig, findings: &mut Vec<Finding>) {
    let rows: [(_, _, Predicate, _); 4] = [
        ("cpu_manager_policy", &config.cpu_manager_policy, |text| CPU_MANAGER_POLICIES.contains(&text), CPU_POLICY),
        (
            "topology_manager_policy",
            &config.topology_manager_policy,
            |text| TOPOLOGY_MANAGER_POLICIES.contains(&text),
            TOPOLOGY_POLICY,
        ),
        ("container_log_max_size", &config.container_log_max_size, is_quantity, "a quantity such as `50Mi`"),
        (
            "cluster_dns_service_ip",
            &config.cluster_dns_service_ip,
            |text| text.split(',').all(is_ip),
            "IP addresses, separated by commas",
        ),
    ];
    for (name, text, fits, expected) in rows {
        // An empty text has the effect of an absent member.
        if let Some(text) = text.as_deref().filter(|text| !text.is_empty() && !fits(text)) {
            findings.push(unexpected(&rules::KUBELET_FLAG_VALUE, member(name), expected, text));
        }
    }
}

fn amounts(config: &KubeletConfig, findings: &mut Vec<Finding>) {
    let rows: [(_, _, Predicate, _); 4] = [
        ("system_reserved", &config.system_reserved, is_quantity, "a quantity such as `100m` or `1Gi`"),
        ("kube_reserved", &config.kube_reserved, is_quantity, "a quantity such as `100m` or `1Gi`"),
        ("eviction_hard", &config.eviction_hard, is_threshold, THRESHOLD),
        ("eviction_soft", &config.eviction_soft, is_threshold, THRESHOLD),
    ];
    for (name, map, fits, expected) in rows {
        for (key, amount) in map.iter().filter(|(_, amount)| !fits(amount)) {
            let path = member(name).join(Step::Key(key.clone()));
            findings.push(unexpected(&rules::KUBELET_FLAG_VALUE, path, expected, amount));
        }
    }
}

fn numbers(config: &KubeletConfig, findings: &mut Vec<Finding>) {
    const LARGEST: i64 = i32::MAX as i64;
    for (name, number, smallest, largest) in [
        ("max_pods", config.max_pods, i64::MIN, LARGEST),
        ("eviction_max_pod_grace_period", config.eviction_max_pod_grace_period, 0, LARGEST),
        ("image_gc_high_threshold_percent", config.image_gc_high_threshold_percent, 0, 100),
        ("image_gc_low_threshold_percent", config.image_gc_low_threshold_percent, 0, 100),
        ("container_log_max_files", config.container_log_max_files, 2, LARGEST),
        ("pod_pids_limit", config.pod_pids_limit, -1, i64::MAX),
    ] {
        if let Some(number) = number.filter(|number| !(smallest..=largest).contains(number)) {
            let expected = match (smallest, largest) {
                (i64::MIN, largest) => format!("at most {largest}"),
                (smallest, i64::MAX) => format!("at least {smallest}"),
                _ => format!("{smallest} to {largest}"),
            };
            findings.push(Finding::unexpected(&rules::KUBELET_FLAG_VALUE, member(name), expected, number.to_string()));
        }
    }
}

fn ignored(path: DocPath) -> Finding {
    Finding::violation(&rules::KARPENTER_NO_EFFECT, path, "has no effect: Karpenter's script does not set it")
}
