//! Settings with which the kubelet ends at its start, or does not register the node: managers, ports, files and names.

use std::borrow::Cow;
use std::collections::HashSet;
use std::net::IpAddr;

use super::super::feature_gates;
use super::super::fields::{Context, Text, at, field, quoted};
use super::super::flag_choices::{HTTP2_SUITES, TLS_CIPHER_SUITES};
use super::super::flag_forms::is_reserved_memory;
use super::super::kubelet_version::minor_of;
use super::super::syntax::{go_bool, is_go_bool, quantity};
use super::eviction::of_flag;
use crate::catalogue::{rules, vm_sizes};
use crate::configuration::{ClusterConfig, FieldPath, VmType};
use crate::document::{DocPath, Finding, Rule, Severity};

/// A setting of the kubelet: its flag, and its field in the configuration file.
pub(super) type Setting = (&'static str, &'static FieldPath);

/// Returns the words of a list, each with its place and rule. The flag replaces the field.
pub(super) fn words<'c>(context: &'c Context<'_>, (flag, field): Setting) -> Vec<(&'c str, DocPath, &'static Rule)> {
    if let Some(flag) = context.flag(flag) {
        let words = flag.value.trim_matches(['"', '\'']).split(',').filter(|word| !word.is_empty());
        return words.map(|word| (word.trim(), flag.path(), &rules::KUBELET_FLAG_VALUE)).collect();
    }
    let texts = context.texts(field).filter(|_| super::reads_file(context));
    texts.map(|text| (text.value, text.path(), &rules::KUBELET_FILE_VALUE)).collect()
}

/// Returns the value of a map by its key. The flag replaces the field.
fn entry<'c>(context: &'c Context<'_>, (flag, field): Setting, key: &str) -> Option<&'c str> {
    if let Some(flag) = context.flag(flag) {
        let pairs = flag.value.trim_matches(['"', '\'']).split(',').filter_map(|pair| pair.split_once('='));
        return pairs
            .map(|(name, value)| (name.trim(), value.trim()))
            .find(|(name, _)| *name == key)
            .map(|(_, value)| value);
    }
    let mut texts = context.texts(field).filter(|_| super::reads_file(context));
    texts.find(|text| text.key() == Some(key)).map(|text| text.value)
}

const KUBE_RESERVED: Setting = ("--kube-reserved", field!("kubelet_config.kubelet_config_file_config.kube_reserved"));
const SYSTEM_RESERVED: Setting =
    ("--system-reserved", field!("kubelet_config.kubelet_config_file_config.system_reserved"));
const ENFORCED: Setting =
    ("--enforce-node-allocatable", field!("kubelet_config.kubelet_config_file_config.enforce_node_allocatable"));

/// From this minor version on, as far as its source is known.
const REJECTS_REPEATED: u64 = 33;

/// What the kubelet enforces, as `ValidateKubeletConfiguration` in `pkg/kubelet/apis/config/validation` checks it.
pub(super) fn enforced(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let words = words(context, ENFORCED);
    let all: HashSet<_> = words.iter().map(|(word, ..)| *word).collect();
    let mut before = HashSet::new();
    for (word, path, rule) in &words {
        let is_repeated = !before.insert(*word);
        let problem = if *word == "none" && words.len() > 1 {
            "has `none` beside other words".to_owned()
        } else if is_repeated {
            format!("has `{word}` twice")
        } else if let Some(whole) = word.strip_suffix("-compressible").filter(|whole| all.contains(whole)) {
            format!("has `{word}` and `{whole}`")
        } else {
            continue;
        };
        let finding = stops(rule, path.clone(), format!("{problem}: the kubelet does not start"));
        // Older kubelets accept a repeated word.
        let is_accepted = is_repeated && minor_of(context).is_none_or(|minor| minor < REJECTS_REPEATED);
        findings.push(if is_accepted { finding.severity(Severity::Warning) } else { finding });
    }
    let Some(file) = file(context) else { return };
    // Without both, the kubelet enforces the reservations of pods.
    let is_set = !words.is_empty() || context.flag(ENFORCED.0).is_some();
    let is_none = words.iter().all(|(word, ..)| *word == "none") && is_set;
    let in_flag = context.flag("--cgroups-per-qos");
    let per_qos = in_flag.as_ref().map_or(file.cgroups_per_qos, |flag| go_bool(flag.value));
    if per_qos == Some(false) && !is_none {
        let problem = "is `false`, but `enforce_node_allocatable` is not `none`: the kubelet does not start";
        findings.push(if let Some(flag) = in_flag {
            stops(&rules::KUBELET_FLAG_VALUE, flag.path(), problem)
        } else {
            let path = at(field!("kubelet_config.kubelet_config_file_config.cgroups_per_qos"));
            // One of the reference's own documents has it.
            stops(&rules::KUBELET_FILE_VALUE, path, problem).severity(Severity::Warning)
        });
    }
    if context.flag(ENFORCED.0).is_some() {
        return;
    }
    for (part, group, is_set) in [
        ("system-reserved", "system_reserved_cgroup", !file.system_reserved_cgroup.is_empty()),
        ("kube-reserved", "kube_reserved_cgroup", !file.kube_reserved_cgroup.is_empty()),
    ] {
        let flag = format!("--{}", group.replace('_', "-"));
        let is_set = is_set || context.flag(&flag).is_some_and(|flag| !flag.value.is_empty());
        let named = words.iter().find(|(word, ..)| word.strip_suffix("-compressible").unwrap_or(word) == part);
        if let Some((_, path, rule)) = named.filter(|_| !is_set) {
            let problem = format!("needs `{group}` for `{part}`, without which the kubelet does not start");
            findings.push(stops(rule, path.clone(), problem));
        }
    }
}

/// Returns a finding about a value of a flag or of the configuration file with which the kubelet does not start.
pub(super) fn stops(rule: &'static Rule, path: DocPath, problem: impl Into<Cow<'static, str>>) -> Finding {
    Finding::violation(rule, path, problem)
}

/// Returns the configuration file, if the kubelet reads it.
fn file<'c>(context: &Context<'c>) -> Option<&'c crate::configuration::KubeletConfigFileConfig> {
    let kubelet = context.configuration.kubelet_config.as_ref().filter(|kubelet| kubelet.enable_kubelet_config_file)?;
    kubelet.kubelet_config_file_config.as_ref()
}

/// Options of the managers: `pkg/kubelet/cm/cpumanager/policy_options.go` and `pkg/kubelet/cm/topologymanager/policy_options.go`.
const OPTIONS: [(&str, &[&str]); 2] = [
    (
        "--cpu-manager-policy-options",
        &[
            "align-by-socket",
            "distribute-cpus-across-cores",
            "distribute-cpus-across-numa",
            "full-pcpus-only",
            "prefer-align-cpus-by-uncorecache",
            "strict-cpu-reservation",
        ],
    ),
    ("--topology-manager-policy-options", &["max-allowable-numa-nodes", "prefer-closest-numa-nodes"]),
];

/// Options that need the feature gate of options in alpha.
const ALPHA: [&str; 2] = ["align-by-socket", "distribute-cpus-across-cores"];

/// Returns a finding for an option whose value the kubelet rejects, or that needs a feature gate: `NewStaticPolicyOptions` and
/// `NewPolicyOptions` of the two managers.
fn option(context: &Context<'_>, flag: &Text<'_>, key: &str, value: &str) -> Option<Finding> {
    const GATE: &str = "CPUManagerPolicyAlphaOptions";
    const FEWEST_NUMA_NODES: i64 = 8;
    let problem = if key == "max-allowable-numa-nodes" {
        let fits = value.parse::<i64>().is_ok_and(|count| count >= FEWEST_NUMA_NODES);
        (!fits).then(|| format!("has the option `{key}`, which must be a number of {FEWEST_NUMA_NODES} or more"))
    } else if !is_go_bool(value) {
        let hint = if value.contains(',') { ", and the kubelet reads only one option" } else { "" };
        Some(format!("has the option `{key}`, which must be `true` or `false`{hint}"))
    } else {
        let is_on = !ALPHA.contains(&key) || feature_gates::value(context, GATE) == Some(true);
        (!is_on).then(|| format!("has the option `{key}`, which needs the feature gate `{GATE}`"))
    };
    let problem = format!("{}: the kubelet does not start", problem?);
    Some(Finding::violation(&rules::KUBELET_FLAG_VALUE, flag.path(), problem))
}

pub(super) fn managers(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (name, known) in OPTIONS {
        let Some(flag) = context.flag(name) else { continue };
        // The kubelet reads the options of CPUs as one, whatever commas it has.
        let most = if name == "--cpu-manager-policy-options" { 1 } else { usize::MAX };
        let pairs = flag.value.trim_matches(['"', '\'']).splitn(most, ',').filter_map(|pair| pair.split_once('='));
        let pairs: Vec<_> = pairs.map(|(key, value)| (key.trim(), value.trim())).collect();
        let rejected = pairs.iter().filter(|(key, _)| known.contains(key));
        findings.extend(rejected.filter_map(|(key, value)| option(context, &flag, key, value)));
        let unknown = pairs.iter().map(|(key, _)| *key).find(|key| !known.contains(key));
        findings.extend(unknown.map(|key| {
            let problem = format!("has the option `{key}`, which the kubelet does not know: it does not start");
            let finding = Finding::violation(&rules::KUBELET_FLAG_VALUE, flag.path(), problem);
            // Later versions have more of them.
            finding.severity(Severity::Warning)
        }));
    }
    let policy = ("--cpu-manager-policy", field!("kubelet_config.kubelet_config_file_config.cpu_manager_policy"));
    let policy = words(context, policy).into_iter().next();
    let options = context.flag("--cpu-manager-policy-options").filter(|options| !options.value.is_empty());
    match policy {
        Some(("static", path, rule)) => {
            let has_cpu = |setting| entry(context, setting, "cpu").and_then(quantity).is_some_and(|cpu| cpu > 0.0);
            let is_reserved = context.flag("--reserved-cpus").is_some_and(|flag| !flag.value.is_empty());
            if !is_reserved && !has_cpu(KUBE_RESERVED) && !has_cpu(SYSTEM_RESERVED) {
                findings.push(static_without_cpu(rule, path).hint("reserve CPU with `--kube-reserved`"));
            }
        }
        None | Some(("none", ..)) => findings.extend(options.map(|options| {
            let problem = "needs `--cpu-manager-policy` to be `static`, without which the kubelet does not start";
            Finding::violation(&rules::KUBELET_FLAG_VALUE, options.path(), problem)
        })),
        Some(_) => {}
    }
    memory_manager(context, findings);
}

/// The reserved memory of all NUMA nodes must be exactly what is reserved and kept free in all: `validateReservedMemory` in
/// `pkg/kubelet/cm/memorymanager`.
fn memory_manager(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(policy) = context.flag("--memory-manager-policy").filter(|policy| policy.value == "Static") else {
        return;
    };
    let free = if let Some(flag) = context.flag("--eviction-hard") {
        of_flag(&flag)
            .into_iter()
            .find(|(signal, ..)| *signal == "memory.available")
            .map(|(_, value, _)| value.to_owned())
    } else {
        let field = field!("kubelet_config.kubelet_config_file_config.eviction_hard");
        let mut texts = context.texts(field).filter(|_| super::reads_file(context));
        texts.find(|text| text.key() == Some("memory.available")).map(|text| text.value.to_owned())
    };
    // A percentage depends on the machine.
    let amount = |text: Option<&str>| text.map_or(Some(0.0), quantity);
    let kept = [entry(context, KUBE_RESERVED, "memory"), entry(context, SYSTEM_RESERVED, "memory"), free.as_deref()];
    let Some(kept) = kept.into_iter().map(amount).sum::<Option<f64>>() else { return };
    let Some(reserved) = context.flag("--reserved-memory").filter(|flag| !flag.value.is_empty()) else {
        if kept > 0.0 {
            let problem = "is `Static`, but `--reserved-memory` is not set: the kubelet does not start";
            findings.push(Finding::violation(&rules::KUBELET_FLAG_VALUE, policy.path(), problem));
        }
        return;
    };
    let value = reserved.value.trim_matches(['"', '\'']);
    if !is_reserved_memory(value) {
        return;
    }
    let amounts = value.split([';', ',', ':']).filter_map(|part| part.strip_prefix("memory="));
    let Some(sum) = amounts.map(quantity).sum::<Option<f64>>() else { return };
    if (sum - kept).abs() >= 1.0 {
        let mebibytes = |bytes: f64| bytes / f64::from(1 << 20);
        let problem = format!(
            "reserves {:.0} MiB of memory, but {:.0} MiB are reserved and kept free in all: the kubelet does not start",
            mebibytes(sum),
            mebibytes(kept)
        );
        findings.push(Finding::violation(&rules::KUBELET_FLAG_VALUE, reserved.path(), problem));
    }
    let size = context.text(field!("vm_size")).and_then(|size| Some((size.value, vm_sizes::cpus(size.value)?)));
    let last = value.split(';').filter_map(|one| one.split_once(':')?.0.parse::<u64>().ok()).max();
    if let (Some((size, cpus)), Some(last)) = (size, last)
        && last > 0
        && last >= cpus / FEWEST_CPUS
    {
        let problem = format!(
            "is for the NUMA node {last}, which `{size}` with its {cpus} CPUs does not have: the kubelet does not start"
        );
        let finding = Finding::violation(&rules::RESERVED_RESOURCES, reserved.path(), problem);
        findings.push(finding.severity(Severity::Warning).hint("reserve the memory of the node 0"));
    }
}

/// The fewest CPUs of a NUMA node in a VM that has several: `HBv2`, of which each has four.
/// <https://learn.microsoft.com/azure/virtual-machines/hbv2-series-overview>
const FEWEST_CPUS: u64 = 4;

/// Returns the finding for the policy `static` of CPUs if none is reserved.
pub(crate) fn static_without_cpu(rule: &'static Rule, path: DocPath) -> Finding {
    stops(rule, path, "is `static`, but no CPU is reserved: the kubelet does not start")
}

/// An address that the kubelet does not register: `validateNodeIP` in `pkg/kubelet/kubelet_node_status.go`.
pub(super) fn addresses(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(flag) = context.flag("--node-ip") else { return };
    let addresses: Vec<_> = flag.value.split(',').filter_map(|text| text.trim().parse::<IpAddr>().ok()).collect();
    // `ParseNodeIPArgument` in `k8s.io/component-helpers/node/util`.
    let problem = match addresses.as_slice() {
        [] | [_] => None,
        [one, other] if one.is_ipv4() != other.is_ipv4() => {
            let is_any = one.is_unspecified() || other.is_unspecified();
            is_any.then_some("has two addresses of which one is that of no machine: the kubelet does not start")
        }
        _ => Some("must be one address, or one of IPv4 and one of IPv6: the kubelet does not start"),
    };
    findings.extend(problem.map(|problem| Finding::violation(&rules::KUBELET_FLAG_VALUE, flag.path(), problem)));
    for address in addresses {
        let kind = match address {
            ip if ip.is_loopback() => "a loopback address",
            ip if ip.is_multicast() => "a multicast address",
            IpAddr::V4(ip) if ip.is_link_local() => "a link-local address",
            IpAddr::V6(ip) if ip.is_unicast_link_local() => "a link-local address",
            _ => continue,
        };
        let problem = format!("is {address}, {kind}, with which the kubelet does not register the node");
        findings.push(Finding::violation(&rules::KUBELET_FLAG_VALUE, flag.path(), problem));
    }
}

/// The kubelet asks for its server's certificate only with a feature gate, which is on by default.
pub(super) fn serving_certificate(context: &Context<'_>, findings: &mut Vec<Finding>) {
    const GATE: &str = "RotateKubeletServerCertificate";
    if feature_gates::value(context, GATE) != Some(false) {
        return;
    }
    let flag = context.flag("--rotate-server-certificates");
    let is_asked =
        flag.as_ref().map(|flag| (go_bool(flag.value) == Some(true), flag.path(), &rules::KUBELET_FLAG_VALUE));
    let in_file = || {
        let path = at(field!("kubelet_config.kubelet_config_file_config.server_tls_bootstrap"));
        Some((file(context)?.server_tls_bootstrap, path, &rules::KUBELET_FILE_VALUE))
    };
    if let Some((true, path, rule)) = is_asked.or_else(in_file) {
        let problem = format!("needs the feature gate `{GATE}`, which is off: the kubelet does not start");
        findings.push(Finding::violation(rule, path, problem).hint("remove the feature gate"));
    }
}

/// The kubelet's server has HTTP/2, for which Go demands one of two suites, unless TLS 1.3 is the least version.
pub(super) fn suites(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let suites = ("--tls-cipher-suites", field!("kubelet_config.kubelet_config_file_config.tls_cipher_suites"));
    let words = words(context, suites);
    let has_newer_only = context.flag("--tls-min-version").is_some_and(|version| version.value == "VersionTLS13");
    if has_newer_only || words.iter().any(|(word, ..)| HTTP2_SUITES.contains(word)) {
        return;
    }
    // What is no suite has a finding of its own.
    let known = words.iter().all(|(word, ..)| TLS_CIPHER_SUITES.contains(word));
    if let Some((_, path, rule)) = words.into_iter().next().filter(|_| known) {
        let problem = "lacks the suites of HTTP/2: the kubelet does not start";
        findings.push(stops(rule, path, problem).hint(format!("add `{}` or `{}`", HTTP2_SUITES[0], HTTP2_SUITES[1])));
    }
}

/// The control groups that a node has for reservations; provisioning ends with any other one.
const RESERVED_GROUPS: [(Setting, &str); 2] = [
    (
        ("--kube-reserved-cgroup", field!("kubelet_config.kubelet_config_file_config.kube_reserved_cgroup")),
        "kubereserved.slice",
    ),
    (
        ("--system-reserved-cgroup", field!("kubelet_config.kubelet_config_file_config.system_reserved_cgroup")),
        "system.slice",
    ),
];

pub(super) fn reserved_groups(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (setting, known) in RESERVED_GROUPS {
        for (group, path, rule) in words(context, setting) {
            if group.trim_start_matches('/') != known {
                let problem = format!("is {}, which a node does not have: provisioning fails", quoted(group));
                let finding = Finding::violation(rule, path, problem).severity(Severity::Warning);
                findings.push(finding.hint(format!("write `/{known}`")));
            }
        }
    }
}

/// All nodes of a scale set are made from one document.
pub(super) fn host_name(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let cluster = context.configuration.cluster_config.as_ref();
    let set = cluster
        .filter(|cluster| cluster.vm_type() == VmType::Vmss)
        .map(|cluster: &ClusterConfig| &cluster.primary_scale_set);
    let (Some(set), Some(flag)) = (set.filter(|set| !set.is_empty()), context.flag("--hostname-override")) else {
        return;
    };
    let name = flag.value.trim().to_ascii_lowercase();
    if !name.is_empty() && !name.contains('$') && !name.starts_with(&set.to_ascii_lowercase()) {
        let problem = format!(
            "is the name of every node of the scale set `{set}`: the cloud provider finds no machine of this name"
        );
        let finding = Finding::violation(&rules::KUBELET_FLAG_VALUE, flag.path(), problem);
        findings.push(finding.severity(Severity::Warning).hint("remove it: a node has the name of its machine"));
    }
}
