//! Kubelet flags with a specific syntax, and combinations of flags that the kubelet rejects.

use std::collections::HashSet;

use super::across::without_grace_period;
use super::feature_gates;
use super::fields::quoted;
use super::fields::{Context, Text, field};
use super::kubelet_version::minor_of;
use super::syntax::{go_bool, go_integer, is_go_int32, is_host_name, is_quantity, is_whole_quantity, quantity};
use crate::catalogue::rules;
use crate::document::duration::parse as nanoseconds;
use crate::document::{DocPath, Finding, Rule, Severity, nearest};

/// A flag and the form of its value.
struct Form {
    flag: &'static str,
    fits: fn(&str) -> bool,
    expected: &'static str,
}

/// Numbers that the kubelet accepts: its `ValidateKubeletConfiguration`, and the managers that it starts with.
const RANGES: [(&str, i64, i64); 20] = [
    ("--container-log-max-files", 2, MOST),
    ("--event-burst", 0, MOST),
    ("--event-qps", 0, MOST),
    ("--healthz-port", 0, LAST_PORT),
    ("--image-gc-high-threshold", 0, 100),
    ("--image-gc-low-threshold", 0, 100),
    ("--iptables-drop-bit", 0, 31),
    ("--iptables-masquerade-bit", 0, 31),
    ("--kube-api-burst", 0, MOST),
    ("--kube-api-qps", 0, MOST),
    ("--max-open-files", 0, i64::MAX),
    ("--node-status-max-images", -1, MOST),
    ("--oom-score-adj", -1000, 1000),
    ("--pod-max-pids", -1, i64::MAX),
    ("--pods-per-core", 0, MOST),
    ("--port", 1, LAST_PORT),
    ("--read-only-port", 0, LAST_PORT),
    ("--registry-burst", 0, MOST),
    ("--registry-qps", 0, MOST),
    ("--v", 0, MOST),
];
const MOST: i64 = i32::MAX as i64;
const LAST_PORT: i64 = u16::MAX as i64;

/// Lists of names with values: the sign between the two, and the names that the kubelet knows. Its `parseResourceList` and
/// `signalToResource`.
const NAMES: [(&str, char, &[&str]); 6] = [
    ("--eviction-hard", '<', SIGNALS),
    ("--eviction-minimum-reclaim", '=', SIGNALS),
    ("--eviction-soft", '<', SIGNALS),
    ("--eviction-soft-grace-period", '=', SIGNALS),
    ("--kube-reserved", '=', RESOURCES),
    ("--system-reserved", '=', RESOURCES),
];
/// What the kubelet can reserve.
pub(crate) const RESOURCES: &[&str] = &["cpu", "ephemeral-storage", "memory", "pid"];
/// The signals for eviction.
pub(crate) const SIGNALS: &[&str] = &[
    "allocatableMemory.available",
    "containerfs.available",
    "containerfs.inodesFree",
    "imagefs.available",
    "imagefs.inodesFree",
    "memory.available",
    "nodefs.available",
    "nodefs.inodesFree",
    "pid.available",
];

/// Returns a finding if the kubelet does not know a name, or if a number is outside of the range that it accepts.
pub(super) fn range(name: &str, flag: &Text<'_>) -> Option<Finding> {
    let value = flag.value.trim_matches(['"', '\'']);
    if let Some((_, first, last)) = RANGES.iter().find(|(known, ..)| *known == name) {
        let number = go_integer(value)?;
        let expected = match *last {
            MOST | i64::MAX => format!("{first} or more"),
            last => format!("{first} to {last}"),
        };
        let is_inside = (*first..=*last).contains(&number);
        return (!is_inside).then(|| {
            let finding = Finding::unexpected(&rules::KUBELET_FLAG_VALUE, flag.path(), expected, quoted(flag.value));
            // For the kubelet, every negative number is no limit.
            if name == "--pod-max-pids" { finding.severity(Severity::Warning) } else { finding }
        });
    }
    let (_, sign, known) = NAMES.iter().find(|(known, ..)| *known == name)?;
    value.split(',').filter_map(|pair| pair.split_once(*sign)).find_map(|(key, amount)| {
        if amount.trim().starts_with('-') {
            let expected = format!("amounts of 0 or more, and `{key}`");
            return Some(Finding::unexpected(&rules::KUBELET_FLAG_VALUE, flag.path(), expected, quoted(amount)));
        }
        unknown_name(&rules::KUBELET_FLAG_VALUE, key.trim(), known, flag.path())
    })
}

/// Returns a finding for a name that the kubelet does not know.
pub(crate) fn unknown_name(rule: &'static Rule, key: &str, known: &[&str], path: DocPath) -> Option<Finding> {
    if known.contains(&key) {
        return None;
    }
    let problem = format!("has the name `{key}`, which the kubelet does not know: it does not start");
    let finding = Finding::violation(rule, path, problem);
    let by_case = known.iter().find(|name| name.eq_ignore_ascii_case(key)).copied();
    let hint = if let Some(meant) = by_case.or_else(|| nearest(key, known.iter().copied())) {
        format!("did you mean `{meant}`?")
    } else {
        let names: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
        format!("the names are {}", names.join(", "))
    };
    Some(finding.hint(hint))
}

/// From `k8s.io/utils/cpuset`, `cmd/kubelet/app/options`, `k8s.io/component-base/cli/flag`, `k8s.io/component-base/logs`,
/// `ParseQOSReserved` in `pkg/kubelet/cm`, `parseMinimumReclaims` in `pkg/kubelet/eviction`, `NewMainKubelet` and
/// `ValidateKubeletConfiguration`.
const FORMS: [Form; 15] = [
    Form {
        flag: "--cluster-domain",
        fits: |domain| is_host_name(domain.strip_suffix('.').unwrap_or(domain)),
        expected: "a domain such as `cluster.local`",
    },
    Form {
        flag: "--container-log-max-size",
        fits: is_whole_quantity,
        expected: "a quantity such as `50Mi`, without a fraction",
    },
    Form { flag: "--cpu-manager-policy-options", fits: |_| true, expected: "`name=value`" },
    Form {
        flag: "--eviction-minimum-reclaim",
        fits: is_reclaim,
        expected: "`signal=amount`, separated by commas, such as `memory.available=100Mi,nodefs.available=5%`",
    },
    Form { flag: "--file-check-frequency", fits: |time| is_time(time, 1), expected: "a duration of more than 0" },
    Form { flag: "--log-flush-frequency", fits: |time| is_time(time, 1), expected: "a duration of more than 0" },
    Form { flag: "--manifest-url-header", fits: is_headers, expected: "`name:value`, separated by commas" },
    Form {
        flag: "--minimum-container-ttl-duration",
        fits: |time| is_time(time, 0),
        expected: "a duration of 0 or more",
    },
    Form { flag: "--minimum-image-ttl-duration", fits: |time| is_time(time, 0), expected: "a duration of 0 or more" },
    Form {
        flag: "--qos-reserved",
        fits: is_reserved_for_qos,
        expected: "`memory=` and a whole percentage, such as `memory=50%`",
    },
    Form { flag: "--reserved-cpus", fits: is_cpus, expected: "numbers of CPUs and ranges of them, such as `0,2-3`" },
    Form {
        flag: "--reserved-memory",
        fits: is_reserved_memory,
        expected: "`node:type=quantity`, separated by semicolons, such as `0:memory=1Gi;1:memory=2Gi`",
    },
    Form { flag: "--sync-frequency", fits: |time| is_time(time, 1), expected: "a duration of more than 0" },
    Form {
        flag: "--v",
        fits: |level| !is_go_int32(level) || level.bytes().all(|byte| byte.is_ascii_digit()),
        expected: "a decimal number without a sign",
    },
    Form { flag: "--vmodule", fits: is_verbosities, expected: "`pattern=number`, separated by commas" },
];

/// Flags that the kubelet does not accept with an empty value.
const NOT_EMPTY: [&str; 2] = ["--container-log-max-size", "--cpu-manager-policy-options"];

/// Returns a finding if the value of a flag does not have its form.
pub(super) fn form(name: &str, flag: &Text<'_>) -> Option<Finding> {
    let form = FORMS.iter().find(|form| form.flag == name)?;
    let value = flag.value.trim_matches(['"', '\'']);
    let fits = if value.is_empty() { !NOT_EMPTY.contains(&name) } else { (form.fits)(value) };
    if fits {
        return None;
    }
    let finding = flag.must_be(&rules::KUBELET_FLAG_VALUE, form.expected);
    let kinds = value.split([';', ',', ':']).filter_map(|part| part.split_once('=')).map(|(kind, _)| kind);
    let meant = kinds.filter(|kind| !is_memory(kind)).find_map(|kind| nearest(kind, ["memory"]));
    match meant.filter(|_| name == "--reserved-memory") {
        Some(meant) => Some(finding.hint(format!("did you mean `{meant}`?"))),
        None => Some(finding),
    }
}

/// The kubelet does not start with one of these flags beside or without another.
pub(super) fn combinations(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let is_set = |name| context.flag(name).is_some_and(|flag| !flag.value.is_empty());
    if let Some(flag) =
        context.flag("--system-cgroups").filter(|flag| !flag.value.is_empty() && !is_set("--cgroup-root"))
    {
        let problem = "needs `--cgroup-root`, without which the kubelet does not start";
        findings.push(Finding::violation(&rules::KUBELET_FLAG_VALUE, flag.path(), problem));
    }
    if let Some(flag) = context.flag("--reserved-cpus").filter(|flag| !flag.value.is_empty())
        && let Some(other) =
            ["--system-reserved-cgroup", "--kube-reserved-cgroup"].into_iter().find(|other| is_set(other))
    {
        let problem = format!("cannot be set beside `{other}`: the kubelet does not start");
        findings.push(Finding::violation(&rules::KUBELET_FLAG_VALUE, flag.path(), problem));
    }
    let keys = |name: &str, sign: char| {
        let value = context.flag(name).map(|flag| flag.value).unwrap_or_default();
        value.split(',').filter_map(move |pair| pair.split_once(sign)).map(|(key, _)| key.trim()).collect::<Vec<_>>()
    };
    let periods = keys("--eviction-soft-grace-period", '=');
    // The kubelet ignores thresholds of 0% and 100%.
    let soft = context.flag("--eviction-soft").map(|flag| flag.value).unwrap_or_default();
    let thresholds =
        soft.split(',').filter_map(|pair| pair.split_once('<')).map(|(key, value)| (key.trim(), value.trim()));
    let mut counting = thresholds.filter(|(_, value)| !["0%", "100%"].contains(value)).map(|(signal, _)| signal);
    let without = counting.find(|signal| !periods.contains(signal));
    if let (Some(flag), Some(signal)) = (context.flag("--eviction-soft"), without) {
        let finding = without_grace_period(signal, &rules::KUBELET_FLAG_VALUE, flag.path());
        findings.push(finding.hint(format!("set `--eviction-soft-grace-period` to `{signal}=30s`")));
    }
    let enforced = context.flag("--enforce-node-allocatable");
    for (part, group) in [("system-reserved", "--system-reserved-cgroup"), ("kube-reserved", "--kube-reserved-cgroup")]
    {
        let has = |flag: &&Text<'_>| {
            flag.value.split(',').any(|word| word.strip_suffix("-compressible").unwrap_or(word) == part)
        };
        if let Some(flag) = enforced.as_ref().filter(has).filter(|_| !is_set(group)) {
            let problem = format!("needs `{group}` for `{part}`, without which the kubelet does not start");
            findings.push(Finding::violation(&rules::KUBELET_FLAG_VALUE, flag.path(), problem));
        }
    }
    // `NewForConfig` in `k8s.io/client-go/kubernetes`.
    let number = |name, default: i64| context.flag(name).map_or(Some(default), |flag| go_integer(flag.value));
    if let (Some(flag), Some(0), Some(1..)) =
        (context.flag("--kube-api-burst"), number("--kube-api-burst", 100), number("--kube-api-qps", 50))
    {
        let problem = "is 0, but `--kube-api-qps` is not: the kubelet does not start";
        findings.push(Finding::violation(&rules::KUBELET_FLAG_VALUE, flag.path(), problem).hint("remove it"));
    }
    period(context, findings);
    logging(context, findings);
}

/// Options of the log that need a format or a feature gate: `Validate` in `k8s.io/component-base/logs/api/v1`.
fn logging(context: &Context<'_>, findings: &mut Vec<Finding>) {
    const GATE: &str = "LoggingAlphaOptions";
    let format = context.flag("--logging-format").filter(|format| !["", "text"].contains(&format.value));
    if let (Some(flag), Some(format)) = (context.flag("--vmodule").filter(|flag| !flag.value.is_empty()), format) {
        let problem =
            format!("is for the format `text` of the log, not `{}`: the kubelet does not start", format.value);
        findings.push(Finding::violation(&rules::KUBELET_FLAG_VALUE, flag.path(), problem));
    }
    let options = [
        "--log-json-info-buffer-size",
        "--log-json-split-stream",
        "--log-text-info-buffer-size",
        "--log-text-split-stream",
    ];
    for flag in options.into_iter().filter_map(|option| context.flag(option)) {
        let is_used = go_bool(flag.value) == Some(true) || quantity(flag.value).is_some_and(|size| size != 0.0);
        if is_used && feature_gates::value(context, GATE) != Some(true) {
            let problem = format!("needs the feature gate `{GATE}`, without which the kubelet does not start");
            let finding = Finding::violation(&rules::KUBELET_FLAG_VALUE, flag.path(), problem);
            findings.push(finding.hint(format!("add `{GATE}=true` to the feature gates")));
        }
    }
}

/// The kubelet accepts another period for quotas of CPUs only with a feature gate that is off.
fn period(context: &Context<'_>, findings: &mut Vec<Finding>) {
    const GATE: &str = "CustomCPUCFSQuotaPeriod";
    const DEFAULT: i64 = 100_000_000;
    /// In this minor version, the gate is on.
    const ON: u64 = 36;
    let minor = minor_of(context);
    let has_gate = feature_gates::value(context, GATE).unwrap_or(minor.is_none_or(|minor| minor >= ON));
    let in_file =
        context.configuration.kubelet_config.as_ref().is_some_and(|kubelet| kubelet.enable_kubelet_config_file);
    let field = field!("kubelet_config.kubelet_config_file_config.cpu_cfs_quota_period");
    let periods = context.flag("--cpu-cfs-quota-period").into_iter().chain(context.texts(field).filter(|_| in_file));
    for text in periods.filter(|text| nanoseconds(text.value).is_some_and(|time| time != DEFAULT)) {
        if !has_gate {
            let problem = format!("needs the feature gate `{GATE}`, without which the kubelet does not start");
            let finding = Finding::violation(&rules::KUBELET_FLAG_VALUE, text.path(), problem);
            findings.push(finding.hint(format!("add `{GATE}=true` to the feature gates")));
        } else if !nanoseconds(text.value).is_some_and(|time| (1_000_000..=1_000_000_000).contains(&time)) {
            findings.push(text.must_be(&rules::KUBELET_FLAG_VALUE, "`1ms` to `1s`"));
        }
    }
}

/// A number as Go's `strconv.Atoi` reads it.
fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}

fn is_cpus(value: &str) -> bool {
    value.split(',').all(|range| match range.split_once('-') {
        None => number(range).is_some(),
        Some((first, last)) => matches!((number(first), number(last)), (Some(first), Some(last)) if first <= last),
    })
}

/// Reports whether a duration is long enough, in nanoseconds. What is none has a finding of its own.
fn is_time(value: &str, shortest: i64) -> bool {
    nanoseconds(value).is_none_or(|time| time >= shortest)
}

fn is_reserved_for_qos(value: &str) -> bool {
    value.split(',').filter(|pair| !pair.is_empty()).all(|pair| {
        let share = pair.split_once('=').filter(|(name, _)| name.trim() == "memory").map(|(_, share)| share.trim());
        let share = share.and_then(|share| number(share.strip_suffix('%')?));
        share.is_some_and(|share| (0..=100).contains(&share))
    })
}

fn is_reclaim(value: &str) -> bool {
    value.split(',').filter(|pair| !pair.is_empty()).all(|pair| {
        let amount = pair.split_once('=').map_or("", |(_, amount)| amount.trim());
        match amount.strip_suffix('%') {
            Some(share) => share.parse::<f64>().is_ok_and(|share| share > 0.0),
            None => is_quantity(amount),
        }
    })
}

fn is_headers(value: &str) -> bool {
    value.split(',').all(|pair| pair.is_empty() || pair.contains(':'))
}

fn is_verbosities(value: &str) -> bool {
    value.split(',').all(|pair| {
        pair.is_empty()
            || pair.split_once('=').is_some_and(|(pattern, level)| {
                !pattern.is_empty()
                    && !level.starts_with('+')
                    && level.parse::<u32>().is_ok_and(|level| level >> 31 == 0)
            })
    })
}

/// A node has each type once, and not zero of it.
pub(super) fn is_reserved_memory(value: &str) -> bool {
    let mut seen = HashSet::new();
    value.split(';').all(|reservation| {
        let Some((node, types)) = reservation.split_once(':') else { return false };
        let Some(node) = number(node) else { return false };
        let types: Vec<_> = types.split(',').map(|one| one.split_once('=')).collect();
        let names: HashSet<_> = types.iter().flatten().map(|(name, _)| *name).collect();
        types
            .iter()
            .all(|one| one.is_some_and(|(name, amount)| is_memory(name) && is_quantity(amount) && !is_zero(amount)))
            && names.into_iter().all(|name| seen.insert((node, name.to_owned())))
    })
}

fn is_memory(name: &str) -> bool {
    name == "memory" || name.starts_with("hugepages-")
}

fn is_zero(amount: &str) -> bool {
    amount.bytes().filter(u8::is_ascii_digit).all(|digit| digit == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each verdict is the one of the kubelet of Kubernetes 1.36.4.
    #[test]
    fn values_are_judged_as_the_kubelet_parses_them() {
        for (fits, accepted, rejected) in [
            (is_cpus as fn(&str) -> bool, &["0-1", "+1", "0,2-3"][..], &["a", "3-1", "0,", "0-1-2", "-1"][..]),
            (
                is_reserved_memory,
                &["0:memory=1Gi;1:memory=2Gi,hugepages-1Gi=1Gi", "0:memory=1Gi,memory=2Gi", "-1:memory=1"],
                &["x", "0:cpu=1", "0:memory=1Gi;0:memory=1Gi", "0:memory=0", "a:memory=1", "0:memory=x", "0:memory"],
            ),
            (is_headers, &["a:b", "a:b,", ":b"], &["x"]),
            (
                is_reserved_for_qos,
                &["memory=50%", "memory=0%"],
                &["memory=50", "cpu=10%", "memory=101%", "memory=5.5%"],
            ),
            (is_reclaim, &["a=1Gi,b=5%", "a=0", "a=0.5%"], &["a=0%", "a=some", "a", "a=%"]),
            (|time: &str| is_time(time, 1), &["1ns", "10s", "x"], &["0s", "-1m"]),
            (is_verbosities, &["a=2", "a=2,"], &["x", "a=b", "a=-2", "a=2147483648", "a=1=2", "=1"]),
        ] {
            assert!(accepted.iter().all(|value| fits(value)), "{accepted:?}");
            for value in rejected {
                assert!(!fits(value), "{value}");
            }
        }
    }
}
