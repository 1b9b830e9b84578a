//! Checks the bootstrapper's inputs against each other, with the predicates of the Configuration's checks.

use super::{BootstrapInputs, KubeletConfig, Subnet};
use crate::catalogue::variables::NETWORK_PLUGINS;
use crate::catalogue::{REDACTED, gpu, labels, rules, vm_sizes};
use crate::configuration::syntax::{
    BOOTSTRAP_TOKEN, is_bootstrap_token, is_label_key, is_resource_name, is_uuid, quantity,
};
use crate::configuration::{Today, Version, across};
use crate::document::{DocPath, Finding, Severity, Step, nearest};

/// The label that names the VM size.
const INSTANCE_TYPE: &str = "node.kubernetes.io/instance-type";

/// The label that names the architecture.
const ARCHITECTURE: &str = "kubernetes.io/arch";

/// Returns the findings for values that are only wrong together.
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
    places(inputs, &mut findings);
    gpu_driver(inputs, &mut findings);
    node_labels(inputs, &mut findings);
    taints(inputs, &mut findings);
    if let Some(size) = inputs.labels.get(INSTANCE_TYPE) {
        machine(inputs, size, &mut findings);
    }
    if let Some(kubelet) = &inputs.kubelet_config {
        for (name, thresholds) in [("eviction_hard", &kubelet.eviction_hard), ("eviction_soft", &kubelet.eviction_soft)]
        {
            let path = |signal: &str| member(name).join(Step::Key(signal.to_owned()));
            let found =
                thresholds.iter().filter_map(|(signal, value)| across::useless_threshold(signal, value, path(signal)));
            findings.extend(found);
        }
        let mut of_settings = Vec::new();
        settings(kubelet, &mut of_settings);
        // The reference renders them.
        findings.extend(of_settings.into_iter().map(|finding| finding.severity(Severity::Warning)));
        findings.extend(kubelet.max_pods.and_then(|count| across::too_many_pods(count, member("max_pods"))));
        let rule = &rules::KUBELET_FLAG_VALUE;
        let processes = kubelet.pod_pids_limit;
        findings.extend(processes.and_then(|count| across::too_few_processes(count, rule, member("pod_pids_limit"))));
        let dns = kubelet.cluster_dns_service_ip.iter().flat_map(|list| list.split(','));
        findings
            .extend(dns.filter_map(|dns| across::invalid_cluster_dns(dns, true, || member("cluster_dns_service_ip"))));
    }
    findings
}

/// Returns the path of a member of the kubelet's settings.
pub(super) fn member(name: &'static str) -> DocPath {
    DocPath::fields("kubelet_config").join(Step::Field { name, json_name: name })
}

/// Checks ids, names and regions, which can be well-formed and still not exist.
fn places(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    for (name, id) in [
        ("subscription_id", &inputs.subscription_id),
        ("tenant_id", &inputs.tenant_id),
        ("kubelet_identity_client_id", &inputs.kubelet_identity_client_id),
    ] {
        if !id.is_empty() && !is_uuid(id) {
            findings.push(Finding::unexpected(&rules::UUID, DocPath::fields(name), "a UUID", format!("{id:?}")));
        }
    }
    let subnet = Subnet::parse(&inputs.subnet_id).unwrap_or_default();
    for (field, name, expected) in [
        ("resource_group", inputs.resource_group.as_str(), "the name of a resource group"),
        ("network_security_group_name", &inputs.network_security_group_name, "the name of a network security group"),
        ("route_table_name", &inputs.route_table_name, "the name of a route table"),
        ("subnet_id", subnet.resource_group, "the id of a subnet, with the name of a resource group"),
        ("subnet_id", subnet.network, "the id of a subnet, with the name of a network"),
        ("subnet_id", subnet.name, "the id of a subnet, with the name of a subnet"),
    ] {
        if !is_resource_name(name) || name.ends_with('.') {
            let path = DocPath::fields(field);
            let found = Finding::unexpected(&rules::RESOURCE_NAME, path, expected, format!("{name:?}"));
            findings.push(found.severity(Severity::Warning));
        }
    }
    network_plugin(&inputs.network_plugin, findings);
    let (server, location) = (&inputs.api_server_name, &inputs.location);
    if !location.is_empty() {
        let region = across::wrong_region(location, false, DocPath::fields("location"));
        findings.extend(region.map(|finding| finding.severity(Severity::Warning)));
    }
    let path = || DocPath::fields("api_server_name");
    findings.extend(across::unusable_server(server, path()));
    findings.extend(across::other_region(server, location, path()));
}

fn network_plugin(plugin: &str, findings: &mut Vec<Finding>) {
    if plugin.is_empty() || NETWORK_PLUGINS.contains(&plugin) {
        return;
    }
    let (path, found) = (DocPath::fields("network_plugin"), format!("{plugin:?}"));
    let found = Finding::unexpected(&rules::NETWORK_PLUGIN, path, "`azure`, `kubenet` or `none`", found);
    // The reference renders every text.
    let found = found.severity(Severity::Warning);
    findings.push(match nearest(plugin.trim(), NETWORK_PLUGINS) {
        Some(meant) => found.hint(format!("did you mean `{meant}`?")),
        None => found.hint("write `none` if pods of the cluster set up the network"),
    });
}

/// The driver of a node with GPUs is an image whose name has the type.
fn gpu_driver(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    let kind = inputs.gpu_driver_type.as_str();
    let kinds = [&gpu::CUDA_LTS, &gpu::CUDA_LEGACY, &gpu::GRID, &gpu::GRID_V20].map(|driver| driver.kind);
    if inputs.gpu_node && inputs.gpu_driver_installation_enabled && !kinds.contains(&kind) {
        let expected = "`cuda-lts`, `cuda`, `grid` or `grid-v20`, or no driver is installed";
        let path = DocPath::fields("gpu_driver_type");
        let found = Finding::unexpected(&rules::UNKNOWN_GPU, path, expected, format!("{kind:?}"));
        findings.push(match nearest(kind, kinds) {
            Some(meant) => found.hint(format!("did you mean `{meant}`?")),
            None => found,
        });
    }
}

/// Settings with which the kubelet does not start.
fn settings(kubelet: &KubeletConfig, findings: &mut Vec<Finding>) {
    let rule = &rules::KUBELET_FLAG_VALUE;
    let entry = |name, key: &str| member(name).join(Step::Key(key.to_owned()));
    for (at, sysctl) in kubelet.allowed_unsafe_sysctls.iter().enumerate() {
        let path = member("allowed_unsafe_sysctls").join(Step::Index(at));
        findings.extend(across::without_namespace(sysctl, rule, path));
    }
    for (name, amounts, known) in [
        ("eviction_hard", &kubelet.eviction_hard, across::SIGNALS),
        ("eviction_soft", &kubelet.eviction_soft, across::SIGNALS),
        ("eviction_soft_grace_period", &kubelet.eviction_soft_grace_period, across::SIGNALS),
        ("kube_reserved", &kubelet.kube_reserved, across::RESOURCES),
        ("system_reserved", &kubelet.system_reserved, across::RESOURCES),
    ] {
        findings.extend(amounts.keys().filter_map(|key| across::unknown_name(rule, key, known, entry(name, key))));
    }
    let soft = kubelet.eviction_soft.keys().filter(|signal| !kubelet.eviction_soft_grace_period.contains_key(*signal));
    findings.extend(soft.map(|signal| across::without_grace_period(signal, rule, entry("eviction_soft", signal))));
    let low = kubelet.image_gc_low_threshold_percent.unwrap_or(across::DEFAULT_IMAGE_GC[0]);
    let high = kubelet.image_gc_high_threshold_percent.unwrap_or(across::DEFAULT_IMAGE_GC[1]);
    let name = match kubelet.image_gc_low_threshold_percent {
        Some(_) => "image_gc_low_threshold_percent",
        None => "image_gc_high_threshold_percent",
    };
    findings.extend(across::inverted_image_gc(low, high, member(name)));
    let has_cpu = [&kubelet.kube_reserved, &kubelet.system_reserved]
        .iter()
        .any(|amounts| amounts.get("cpu").and_then(|cpu| quantity(cpu)).is_some_and(|cpu| cpu > 0.0));
    if kubelet.cpu_manager_policy.as_deref() == Some("static") && !has_cpu {
        findings.push(across::static_without_cpu(rule, member("cpu_manager_policy")));
    }
}

fn node_labels(inputs: &BootstrapInputs, findings: &mut Vec<Finding>) {
    let at = |key: &str| DocPath::fields("labels").join(Step::Key(key.to_owned()));
    for key in inputs.labels.keys().filter(|key| is_label_key(key) && !labels::is_allowed(key)) {
        let problem = "is a label that the API server does not let a kubelet set";
        findings.push(Finding::violation(&rules::RESERVED_LABEL, at(key), problem));
    }
    for (key, value) in inputs.labels.iter().filter(|(key, value)| labels::names_other_system(key, value)) {
        let problem = format!("is {value:?}, but Karpenter's script is for nodes with Linux");
        findings.push(Finding::violation(&rules::ORCHESTRATOR, at(key), problem));
    }
    let elsewhere = inputs.labels.iter().filter(|(key, value)| {
        let region = across::region_of_label(key, value);
        !inputs.location.is_empty() && region.is_some_and(|region| region != inputs.location)
    });
    findings.extend(elsewhere.map(|(key, value)| {
        let problem = format!("is {value:?}, but `location` is {:?}", inputs.location);
        Finding::violation(&rules::REGION_MISMATCH, at(key), problem)
    }));
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
        let problem = format!("is {:?}, but `{size}` has {expected} processors", inputs.arch);
        findings.push(Finding::violation(&rules::ARCHITECTURE, DocPath::fields("arch"), problem));
    }
    // The label does not decide which VM is created.
    let gpu = across::gpu_mismatch(size, inputs.gpu_node, DocPath::fields("gpu_node"));
    findings.extend(gpu.map(|finding| finding.severity(Severity::Warning)));
    let Some(kubelet) = &inputs.kubelet_config else { return };
    let reservations = [("kube_reserved", &kubelet.kube_reserved), ("system_reserved", &kubelet.system_reserved)];
    let cpus = reservations.into_iter().filter_map(|(name, amounts)| {
        let path = member(name).join(Step::Key("cpu".to_owned()));
        Some((quantity(amounts.get("cpu")?)?, path))
    });
    findings.extend(across::without_cpu(cpus.collect(), size));
    let amounts = [
        ("kube_reserved", &kubelet.kube_reserved, "memory"),
        ("system_reserved", &kubelet.system_reserved, "memory"),
        ("eviction_hard", &kubelet.eviction_hard, "memory.available"),
    ];
    let memory = amounts.into_iter().filter_map(|(name, amounts, key)| {
        let path = member(name).join(Step::Key(key.to_owned()));
        Some((quantity(amounts.get(key)?)?, path))
    });
    findings.extend(across::without_memory(memory.collect(), size));
}
