//! Checks taints, labels and the number of pods against each other.

use std::collections::{HashMap, HashSet};

use super::super::fields::{Context, Text, field, quoted};
use super::super::kubelet_version::minor_of;
use super::super::syntax::{go_bool, go_integer, is_label_value, is_taint, is_uuid};
use super::addresses::addresses_in;
use crate::catalogue::labels::{cluster_label, is_dns1123_subdomain, known_value, names_other_system};
use crate::catalogue::rules;
use crate::configuration::FieldPath;
use crate::document::{DocPath, Finding, Rule, Severity};

/// Returns a finding for each taint with the key and effect of an earlier one. The items are key, effect and path.
pub(crate) fn repeated_taints(taints: &[(&str, &str, DocPath)]) -> Vec<Finding> {
    let mut seen = HashSet::new();
    let repeated = taints.iter().filter(|(key, effect, _)| !seen.insert((key, effect)));
    let finding = |(key, effect, path): &(&str, &str, DocPath)| {
        let problem = format!("has the key `{key}` with the effect `{effect}` more than once");
        Finding::violation(&rules::REPEATED_TAINT, path.clone(), problem)
    };
    repeated.map(finding).collect()
}

pub(super) fn taints(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(list) = context.flag("--register-with-taints") else { return };
    let taints: Vec<_> = list
        .value
        .split(',')
        .filter(|taint| is_taint(taint))
        .filter_map(|taint| {
            let (left, effect) = taint.split_once(':')?;
            Some((left.split('=').next()?, effect, list.path()))
        })
        .collect();
    findings.extend(repeated_taints(&taints));
}

/// Labels come from their own field and from a flag; the kubelet's unit passes both.
pub(super) fn labels(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(list) = context.flag("--node-labels") else { return };
    let mut in_flag: HashMap<&str, Vec<&str>> = HashMap::new();
    for (key, value) in list.value.split(',').filter_map(|pair| pair.split_once('=')) {
        in_flag.entry(key).or_default().push(value);
    }
    for label in context.texts(field!("kubelet_config.kubelet_node_labels")) {
        let others = label.key().and_then(|key| in_flag.get(key)).into_iter().flatten();
        if let Some(other) = others.into_iter().find(|other| **other != label.value) {
            let problem = format!("is {}, but {} in `--node-labels`", quoted(label.value), quoted(other));
            findings.push(Finding::violation(&rules::LABEL_CONFLICT, label.path(), problem));
        }
    }
}

/// Labels that repeat the value of a field.
const OF_FIELDS: [(&str, &FieldPath); 6] = [
    ("node.kubernetes.io/instance-type", field!("vm_size")),
    ("beta.kubernetes.io/instance-type", field!("vm_size")),
    ("kubernetes.azure.com/kubelet-identity-client-id", field!("auth_config.assigned_identity_id")),
    ("kubernetes.azure.com/network-name", field!("cluster_config.cluster_network_config.vnet_name")),
    ("kubernetes.azure.com/network-resourcegroup", field!("cluster_config.cluster_network_config.vnet_resource_group")),
    ("kubernetes.azure.com/network-subnet", field!("cluster_config.cluster_network_config.subnet")),
];

/// The label with the subscription of the network.
const NETWORK_SUBSCRIPTION: &str = "kubernetes.azure.com/network-subscription";

/// The label with the resource group of the nodes.
const CLUSTER: &str = "kubernetes.azure.com/cluster";

/// Compares labels that repeat another field: the cloud provider replaces the VM size, services of AKS find the nodes of their cluster by
/// its label, and network plugins find the subnet of the node by the labels of the network. A resource group with another name than AKS
/// gives can be anything, and so can its label.
pub(super) fn repeated_facts(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let group = context.text(field!("cluster_config.resource_group"));
    let is_of_aks = |group: &str| group.get(..3).is_some_and(|begin| begin.eq_ignore_ascii_case("MC_"));
    for label in context.texts(field!("kubelet_config.kubelet_node_labels")) {
        let key = label.key().unwrap_or_default();
        let (field, expected) = if let Some((_, field)) = OF_FIELDS.iter().find(|(name, _)| *name == key) {
            // No label can have a resource id or a long name.
            let given = context.text(field).filter(|given| is_label_value(given.value));
            (field.field.name, given.map(|given| given.value.to_owned()))
        } else if key == NETWORK_SUBSCRIPTION {
            ("subscription_id", subscription_of_network(context))
        } else if key == CLUSTER && is_of_aks(label.value) {
            let group = group.as_ref().filter(|group| is_of_aks(group.value));
            ("resource_group", group.map(|group| cluster_label(group.value)))
        } else {
            continue;
        };
        let Some(expected) = expected.filter(|expected| !expected.eq_ignore_ascii_case(label.value)) else { continue };
        let problem = format!("is {}, but with `{field}` it must be {}", quoted(label.value), quoted(&expected));
        findings.push(Finding::violation(&rules::LABEL_CONFLICT, label.path(), problem));
    }
}

/// The group of the cluster is not that of its nodes, although the name of the second begins with the first, unless it was chosen.
pub(super) fn group_of_cluster(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(group) = context.text(field!("cluster_config.resource_group")) else { return };
    let begin = format!("{}_", cluster_label(&format!("MC_{}", group.value))).to_lowercase();
    let is_of_nodes = |label: &Text<'_>| label.key() == Some(CLUSTER) && label.value.to_lowercase().starts_with(&begin);
    let labels = context.texts(field!("kubelet_config.kubelet_node_labels"));
    for label in labels.filter(is_of_nodes) {
        let problem = format!(
            "is {}, the group of the cluster, but its nodes are in {}",
            quoted(group.value),
            quoted(label.value)
        );
        let finding = Finding::violation(&rules::RESOURCE_NAME, group.path(), problem).severity(Severity::Warning);
        findings.push(finding.hint("`az aks show -g GROUP -n CLUSTER --query nodeResourceGroup -o tsv` prints it"));
    }
}

/// Returns the subscription of the nodes, if their network is beside them.
fn subscription_of_network(context: &Context<'_>) -> Option<String> {
    let group = context.text(field!("cluster_config.resource_group"))?;
    let of_network = context.text(field!("cluster_config.cluster_network_config.vnet_resource_group"))?;
    let subscription = context.text(field!("auth_config.subscription_id"))?;
    let is_beside = group.value.eq_ignore_ascii_case(of_network.value) && is_uuid(subscription.value);
    is_beside.then(|| subscription.value.to_owned())
}

/// The two labels of AKS with the name of the node pool. Selectors use either.
pub(super) fn node_pools(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let pool = |name: &str| {
        context.texts(field!("kubelet_config.kubelet_node_labels")).find(|label| label.key() == Some(name))
    };
    let (Some(one), Some(other)) = (pool("agentpool"), pool("kubernetes.azure.com/agentpool")) else { return };
    if one.value != other.value {
        let problem = format!("is {}, but `agentpool` is {}", quoted(other.value), quoted(one.value));
        findings.push(Finding::violation(&rules::LABEL_CONFLICT, other.path(), problem));
    }
}

/// Compares the labels that AKS sets with their values, which selectors and the recognition of the operating system compare exactly. New
/// values are unknown here, so only letter case is judged.
pub(super) fn label_case(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for label in context.texts(field!("kubelet_config.kubelet_node_labels")) {
        let meant = label.key().and_then(|key| known_value(key, label.value)).filter(|known| *known != label.value);
        if let Some(meant) = meant {
            let problem = format!("is {}, which differs from a value of AKS in letter case", quoted(label.value));
            let finding = Finding::violation(&rules::LABEL_CASE, label.path(), problem);
            findings.push(finding.hint(format!("write `{meant}`")));
        }
    }
}

/// Rejects the labels of a Windows node: the script starts a kubelet on Linux, and the pods of the system select their nodes by these labels.
pub(super) fn operating_system(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for label in context.texts(field!("kubelet_config.kubelet_node_labels")) {
        let key = label.key().unwrap_or_default();
        if names_other_system(key, label.value) {
            let problem = format!("is {}, but a Configuration is for nodes with Linux", quoted(label.value));
            let finding = Finding::violation(&rules::ORCHESTRATOR, label.path(), problem);
            findings.push(match key.strip_suffix("kubernetes.io/os") {
                Some(_) => finding.hint("write `linux`, or leave the label to the kubelet"),
                None => finding.hint("write the OS SKU of the image, such as `Ubuntu` or `AzureLinux`"),
            });
        }
    }
}

/// The largest number of pods on a node of AKS:
/// <https://learn.microsoft.com/azure/aks/quotas-skus-regions#service-quotas-and-limits>
const MAX_PODS: i64 = 250;

/// Returns a finding for more pods than AKS allows on a node.
pub(crate) fn too_many_pods(count: i64, path: DocPath) -> Option<Finding> {
    let problem = format!("must be at most {MAX_PODS}, the limit of AKS, found {count}");
    // The kubelet rejects numbers that do not fit into 32 bits.
    (count > MAX_PODS && i32::try_from(count).is_ok()).then(|| Finding::violation(&rules::PODS_LIMIT, path, problem))
}

pub(super) fn pods(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let from_flag = context.flag("--max-pods").and_then(|flag| Some((go_integer(flag.value)?, flag.path())));
    let from_file = context.number(field!("kubelet_config.kubelet_config_file_config.max_pods"));
    let range = context.flag("--pod-cidr").and_then(|range| Some((range.value, addresses_in(range.value)?)));
    for (count, path) in from_flag.into_iter().chain(from_file.map(|count| (i64::from(count.value), count.path()))) {
        findings.extend(too_many_pods(count, path.clone()));
        // No pod gets the addresses of the network, the bridge and the broadcast.
        if let Some((range, addresses)) = range
            && u64::try_from(count).is_ok_and(|count| count + 3 > addresses)
        {
            let problem = format!(
                "is {count}, but `--pod-cidr` {range} has only {} addresses for pods",
                addresses.saturating_sub(3)
            );
            findings.push(Finding::violation(&rules::POD_ADDRESSES, path, problem));
        }
    }
}

/// Flags of which the kubelet uses both or none.
const FLAG_PAIRS: [(&str, &str); 2] = [
    ("--image-credential-provider-config", "--image-credential-provider-bin-dir"),
    ("--tls-cert-file", "--tls-private-key-file"),
];

/// With one flag of a pair, the kubelet ends at its start: it opens the file of the other, whose name is empty.
pub(super) fn flag_pairs(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let given = |name| context.flag(name).filter(|flag| !flag.value.is_empty());
    for (one, other) in FLAG_PAIRS {
        let (alone, missing) = match (given(one), given(other)) {
            (Some(alone), None) => (alone, other),
            (None, Some(alone)) => (alone, one),
            _ => continue,
        };
        let problem = format!("is set without `{missing}`: the kubelet does not start");
        findings.push(Finding::violation(&rules::KUBELET_FLAG_PAIR, alone.path(), problem));
    }
}

const CONTAINERD: &[&str] = &[
    "unix:///run/containerd/containerd.sock",
    "unix:///var/run/containerd/containerd.sock",
    "/run/containerd/containerd.sock",
    "/var/run/containerd/containerd.sock",
];

/// Flags that name a file or a directory, and those that a node has. The kubelet ends, or starts no pods, if the file is missing.
const FLAG_FILES: [(&str, &[&str]); 12] = [
    ("--bootstrap-kubeconfig", &["/var/lib/kubelet/bootstrap-kubeconfig"]),
    ("--client-ca-file", &["/etc/kubernetes/certs/ca.crt"]),
    ("--config", &["/etc/default/kubeletconfig.json"]),
    ("--config-dir", &[]),
    ("--container-runtime-endpoint", CONTAINERD),
    ("--image-service-endpoint", CONTAINERD),
    ("--image-credential-provider-bin-dir", &["/var/lib/kubelet/credential-provider"]),
    ("--image-credential-provider-config", &["/var/lib/kubelet/credential-provider-config.yaml"]),
    ("--kubeconfig", &["/var/lib/kubelet/kubeconfig"]),
    (
        "--resolv-conf",
        &["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf", "/run/systemd/resolve/stub-resolv.conf"],
    ),
    ("--tls-cert-file", &["/etc/kubernetes/certs/kubeletserver.crt"]),
    ("--tls-private-key-file", &["/etc/kubernetes/certs/kubeletserver.key"]),
];

/// Flags that name a file, and their fields in the configuration file.
const FILE_FIELDS: [(&str, &FieldPath); 4] = [
    ("--client-ca-file", field!("kubelet_config.kubelet_config_file_config.authentication.x509.client_ca_file")),
    ("--resolv-conf", field!("kubelet_config.kubelet_config_file_config.resolv_conf")),
    ("--tls-cert-file", field!("kubelet_config.kubelet_config_file_config.tls_cert_file")),
    ("--tls-private-key-file", field!("kubelet_config.kubelet_config_file_config.tls_private_key_file")),
];

pub(super) fn flag_files(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (name, files) in FLAG_FILES {
        let in_file = || {
            let (_, field) = FILE_FIELDS.iter().find(|(flag, _)| *flag == name)?;
            context.text(field).filter(|_| super::reads_file(context))
        };
        // Quotes around the whole value of a flag are the shell's.
        let in_flag = context.flag(name).map(|text| (text.value.trim_matches(['"', '\'']), text));
        let Some((file, text)) = in_flag.or_else(|| in_file().map(|text| (text.value, text))) else { continue };
        // A slash at the end is only possible behind a directory.
        let file = if name.ends_with("-dir") { file.trim_end_matches('/') } else { file };
        if !file.is_empty() && !files.contains(&file) {
            let problem = format!(
                "names {}, which provisioning does not write: the kubelet fails unless the image has it",
                quoted(text.value)
            );
            let finding = Finding::violation(&rules::KUBELET_FLAG_FILE, text.path(), problem);
            findings.push(match files.first() {
                Some(file) => finding.hint(format!("a node has `{file}`")),
                None => finding.hint("remove it"),
            });
        }
    }
}

/// The thresholds of the image garbage collection, and the kubelet's defaults in percent.
const IMAGE_GC: [(&str, &FieldPath, i64); 2] = [
    (
        "--image-gc-low-threshold",
        field!("kubelet_config.kubelet_config_file_config.image_gc_low_threshold_percent"),
        DEFAULT_IMAGE_GC[0],
    ),
    (
        "--image-gc-high-threshold",
        field!("kubelet_config.kubelet_config_file_config.image_gc_high_threshold_percent"),
        DEFAULT_IMAGE_GC[1],
    ),
];

/// The low threshold and the high one.
pub(crate) const DEFAULT_IMAGE_GC: [i64; 2] = [80, 85];

/// Returns a finding if the low threshold is not below the high one.
pub(crate) fn inverted_image_gc(low: i64, high: i64, path: DocPath) -> Option<Finding> {
    let problem = || format!("the low threshold must be below the high one, found {low} and {high}");
    (low >= high).then(|| Finding::violation(&rules::IMAGE_GC, path, problem()))
}

/// A flag replaces the field of the configuration file, and each has a default.
fn image_gc(context: &Context<'_>, has_file: bool, findings: &mut Vec<Finding>) {
    let [low, high] = IMAGE_GC.map(|(name, field, default)| {
        if let Some((number, flag)) = context.flag(name).and_then(|flag| Some((go_integer(flag.value)?, flag))) {
            return (number, Some((flag.path(), true)));
        }
        let number = context.number(field).filter(|_| has_file);
        number.map_or((default, None), |number| (i64::from(number.value), Some((number.path(), false))))
    });
    // Two fields have a finding of their own.
    let are_fields = [&low, &high].iter().all(|(_, place)| place.as_ref().is_some_and(|(_, is_flag)| !is_flag));
    if are_fields {
        return;
    }
    // A flag is what can be changed without the file.
    let place = [low.1, high.1].into_iter().flatten().max_by_key(|(_, is_flag)| *is_flag);
    findings.extend(place.and_then(|(path, _)| inverted_image_gc(low.0, high.0, path)));
}

/// Processes and threads without which no pod starts: a cgroup has those of `pause` and of `runc`, which is written in Go.
const FEWEST_PROCESSES: i64 = 16;

/// Returns a finding for a limit that is below what a pod needs to start. 0 and -1 are no limit.
pub(crate) fn too_few_processes(count: i64, rule: &'static Rule, path: DocPath) -> Option<Finding> {
    let problem = || format!("lets a pod have {count} processes and threads, which is too few to start its containers");
    let finding = (1..FEWEST_PROCESSES).contains(&count).then(|| Finding::violation(rule, path, problem()))?;
    Some(finding.severity(Severity::Warning).hint("`-1` is no limit"))
}

/// A flag replaces the field of the configuration file.
pub(super) fn processes(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let flag = context.flag("--pod-max-pids").and_then(|flag| Some((go_integer(flag.value)?, flag.path())));
    if let Some((count, path)) = flag {
        findings.extend(too_few_processes(count, &rules::KUBELET_FLAG_VALUE, path));
    } else if let Some(count) = context.number(field!("kubelet_config.kubelet_config_file_config.pod_pids_limit")) {
        findings.extend(too_few_processes(count.value.into(), &rules::KUBELET_FILE_VALUE, count.path()));
    }
}

/// With user namespaces, from this minor version on, each pod has its part of the kubelet's ids: `MakeUserNsManager` in `pkg/kubelet/userns`.
const WITH_USER_NAMESPACES: u64 = 33;
const MOST_WITH_IDS: i64 = 65_535;

/// Checks flags that the kubelet compares when it starts: `ValidateKubeletConfiguration` in `pkg/kubelet/apis/config/validation`. With a
/// configuration file, flags override only some of its fields.
pub(super) fn flag_values(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let number = |name: &str| context.flag(name).and_then(|flag| Some((go_integer(flag.value)?, flag)));
    if let Some((count, flag)) = number("--max-pods").filter(|(count, _)| *count <= 0) {
        let finding = flag.must_be(&rules::KUBELET_FLAG_VALUE, "1 to 250");
        // The kubelet starts with 0, but the network plugin is a pod.
        findings.push(if count == 0 { finding.severity(Severity::Warning) } else { finding });
    }
    let has_ids = minor_of(context).is_some_and(|minor| minor >= WITH_USER_NAMESPACES);
    if let Some((_, flag)) = number("--max-pods").filter(|(count, _)| *count > MOST_WITH_IDS && has_ids) {
        let expected = "at most 65535, or the kubelet does not start";
        findings.push(flag.must_be(&rules::KUBELET_FLAG_VALUE, expected));
    }
    let has_file = super::reads_file(context);
    let in_file = context.number(field!("kubelet_config.kubelet_config_file_config.max_pods"));
    if let Some(count) = in_file.filter(|count| count.value == 0 && has_file && context.flag("--max-pods").is_none()) {
        findings.push(count.must_be(&rules::KUBELET_FILE_VALUE, "1 to 250").severity(Severity::Warning));
    }
    let in_file = context.number(field!("kubelet_config.kubelet_config_file_config.max_pods"));
    let is_beyond = in_file.filter(|count| i64::from(count.value) > MOST_WITH_IDS && has_ids && has_file);
    if let Some(count) = is_beyond.filter(|_| context.flag("--max-pods").is_none()) {
        findings.push(count.must_be(&rules::KUBELET_FILE_VALUE, "at most 65535, or the kubelet does not start"));
    }
    image_gc(context, has_file, findings);
    let per_qos = context.flag("--cgroups-per-qos").filter(|flag| go_bool(flag.value) == Some(false));
    let enforced = context.flag("--enforce-node-allocatable").map_or("pods", |flag| flag.value);
    if let (Some(flag), false, false) = (per_qos, ["", "none"].contains(&enforced), has_file) {
        let problem = "is `false`, but `--enforce-node-allocatable` is not `none`: the kubelet does not start";
        findings.push(Finding::violation(&rules::KUBELET_FLAG_VALUE, flag.path(), problem));
    }
    // The kubelet registers with the name in lower case.
    let name = context.flag("--hostname-override");
    if let Some(name) =
        name.filter(|name| !name.value.is_empty() && !is_dns1123_subdomain(&name.value.trim().to_ascii_lowercase()))
    {
        let expected = "the name of a node: letters, digits, `-` and `.`";
        findings.push(name.must_be(&rules::KUBELET_FLAG_VALUE, expected));
    }
}
