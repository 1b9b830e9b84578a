//! Flags with values that the kubelet parses, but with which it does not run, or not as a node of the cluster.

use std::borrow::Cow;

use super::super::fields::{Context, Text, field, quoted};
use super::super::syntax::{go_bool, go_integer};
use super::starting::stops;
use crate::catalogue::{rules, vm_sizes};
use crate::document::{Finding, Severity, duration};

/// The fewest files with which a kubelet or containerd works. AKS allows no fewer than 8192.
pub(in crate::configuration::validate) const FEWEST_FILES: i64 = 1024;

/// A second, in nanoseconds: what a container runtime needs for an answer on a machine that is busy.
const SHORTEST_REQUEST: i64 = 1_000_000_000;

fn stops_with(flag: &Text<'_>, problem: impl Into<Cow<'static, str>>) -> Finding {
    stops(&rules::KUBELET_FLAG_VALUE, flag.path(), problem)
}

fn warns_of(flag: &Text<'_>, problem: impl Into<Cow<'static, str>>) -> Finding {
    stops_with(flag, problem).severity(Severity::Warning)
}

/// Modes in which the kubelet ends.
pub(super) fn modes(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let is_true = |flag: &Text<'_>| go_bool(flag.value) == Some(true);
    let has_lock = context.flag("--lock-file").is_some_and(|flag| !flag.value.is_empty());
    if let Some(flag) = context.flag("--exit-on-lock-contention").filter(is_true).filter(|_| !has_lock) {
        findings.push(stops_with(&flag, "needs `--lock-file`, without which the kubelet does not start"));
    }
    // The mode ended with a panic from 1.19 on, and is rejected from 1.32 on: <https://github.com/kubernetes/kubernetes/pull/126336>.
    if let Some(flag) = context.flag("--runonce").filter(is_true) {
        let problem = "is `true`, a mode that the kubelet no longer has: it does not start";
        findings.push(stops_with(&flag, problem).hint("remove it"));
    }
}

/// Sockets and directories of the kubelet.
pub(super) fn places(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for name in ["--container-runtime-endpoint", "--root-dir"] {
        if let Some(flag) = context.flag(name).filter(|flag| flag.value.is_empty()) {
            findings.push(stops_with(&flag, "is empty: the kubelet does not start").hint("remove it"));
        }
    }
    // `getAddressAndDialer` in `k8s.io/cri-client`; without a protocol, the kubelet takes a path.
    let is_socket =
        |flag: &Text<'_>| flag.value.is_empty() || flag.value.starts_with(['/']) || flag.value.starts_with("unix:");
    for name in ["--container-runtime-endpoint", "--image-service-endpoint"] {
        if let Some(flag) = context.flag(name).filter(|flag| !is_socket(flag)) {
            let expected = "a socket such as `unix:///run/containerd/containerd.sock`, or the kubelet does not start";
            findings.push(flag.must_be(&rules::KUBELET_FLAG_VALUE, expected));
        }
    }
    if let Some(flag) = context.flag("--root-dir").filter(|flag| !flag.value.is_empty() && !flag.value.starts_with('/'))
    {
        findings.push(flag.must_be(&rules::KUBELET_FLAG_VALUE, "an absolute path, or the kubelet does not start"));
    }
}

pub(super) fn control_groups(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let has_v2 = context.configuration.needs_cgroupv2 == Some(true);
    // For the kubelet, every other word is `cgroupfs`.
    let is_other = |flag: &Text<'_>| flag.value != "systemd" && (has_v2 || flag.value != "cgroupfs");
    if let Some(flag) = context.flag("--cgroup-driver").filter(is_other) {
        let problem = format!(
            "is {}, but containerd uses `systemd`: no pod starts, unless containerd is one that tells the kubelet its driver",
            quoted(flag.value)
        );
        findings.push(warns_of(&flag, problem).hint("remove it: a node has `systemd`"));
    }
    if let Some(flag) = context.flag("--cgroup-root").filter(|flag| !["", "/"].contains(&flag.value)) {
        let problem =
            format!("is {}: the kubelet does not start unless the image has this control group", quoted(flag.value));
        findings.push(warns_of(&flag, problem));
    }
}

/// What the kubelet knows of the cluster and of the cloud.
pub(super) fn cluster(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let empty = |name| context.flag(name).filter(|flag| flag.value.is_empty());
    if let Some(flag) = empty("--cloud-config") {
        findings.push(warns_of(&flag, "is empty, so the flag has no effect").hint("remove it"));
    }
    if let Some(flag) = empty("--client-ca-file") {
        let problem = "is empty: the kubelet does not know the API server, which gets no logs of pods";
        findings.push(warns_of(&flag, problem).hint("write `/etc/kubernetes/certs/ca.crt`"));
    }
    if let Some(flag) = empty("--kubeconfig") {
        let problem = "is empty: the kubelet does not start, or does not connect to the API server";
        findings.push(stops_with(&flag, problem).hint("write `/var/lib/kubelet/kubeconfig`"));
    }
    let is_other = |flag: &Text<'_>| !flag.value.starts_with("azure:///") && !flag.value.is_empty();
    if let Some(flag) = context.flag("--provider-id").filter(is_other) {
        let problem = format!(
            "is {}, which is not an id of Azure: the cloud provider does not initialize the node",
            quoted(flag.value)
        );
        findings.push(warns_of(&flag, problem).hint("remove it: the cloud provider sets it"));
    }
}

pub(super) fn limits(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let files = context.flag("--max-open-files").and_then(|flag| Some((go_integer(flag.value)?, flag)));
    if let Some((_, flag)) = files.filter(|(files, _)| (0..FEWEST_FILES).contains(files)) {
        let problem = format!("is {}, with which the kubelet cannot open all of its files", flag.value);
        findings.push(warns_of(&flag, problem));
    }
    let time = context.flag("--runtime-request-timeout").and_then(|flag| Some((duration::parse(flag.value)?, flag)));
    if let Some((time, flag)) = time.filter(|(time, _)| *time < SHORTEST_REQUEST) {
        findings.push(if time <= 0 {
            flag.must_be(&rules::KUBELET_FLAG_VALUE, "a duration of more than 0, or the kubelet does not start")
        } else {
            warns_of(&flag, format!("is {}, within which the container runtime does not answer", flag.value))
        });
    }
}

pub(super) fn reserved_cpus(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let cpus = context.text(field!("vm_size")).and_then(|size| Some((size.value, vm_sizes::cpus(size.value)?)));
    let (Some(flag), Some((size, cpus))) = (context.flag("--reserved-cpus"), cpus) else { return };
    let ends = flag.value.trim_matches(['"', '\'']).split([',', '-']).filter_map(|end| end.parse::<u64>().ok());
    if ends.max().is_some_and(|last| last >= cpus) {
        let problem = format!("names a CPU that `{size}` does not have: its CPUs are 0 to {}", cpus - 1);
        findings.push(Finding::violation(&rules::RESERVED_RESOURCES, flag.path(), problem));
    } else if number_of_cpus(flag.value) >= cpus {
        let problem = format!("reserves every CPU of `{size}`: no pod is scheduled to the node");
        findings.push(Finding::violation(&rules::RESERVED_RESOURCES, flag.path(), problem).severity(Severity::Warning));
    }
}

/// Counts the CPUs of a list such as `0,2-3`.
fn number_of_cpus(value: &str) -> u64 {
    let ranges = value.trim_matches(['"', '\'']).split(',').filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some((first.parse::<u64>().ok()?, last.parse::<u64>().ok()?))
    });
    ranges.map(|(first, last)| last.saturating_sub(first).saturating_add(1)).fold(0, u64::saturating_add)
}
