//! Kubelet flags with a specific syntax, and combinations of flags that the kubelet rejects.

use std::collections::HashSet;

use super::fields::{Context, Text};
use super::syntax::is_quantity;
use crate::catalogue::rules;
use crate::document::{Finding, nearest};

/// A flag and the form of its value.
struct Form {
    flag: &'static str,
    fits: fn(&str) -> bool,
    expected: &'static str,
}

/// From `k8s.io/utils/cpuset`, `cmd/kubelet/app/options`, `k8s.io/component-base/cli/flag` and `k8s.io/component-base/logs`.
const FORMS: [Form; 4] = [
    Form { flag: "--manifest-url-header", fits: is_headers, expected: "`name:value`, separated by commas" },
    Form { flag: "--reserved-cpus", fits: is_cpus, expected: "numbers of CPUs and ranges of them, such as `0,2-3`" },
    Form {
        flag: "--reserved-memory",
        fits: is_reserved_memory,
        expected: "`node:type=quantity`, separated by semicolons, such as `0:memory=1Gi;1:memory=2Gi`",
    },
    Form { flag: "--vmodule", fits: is_verbosities, expected: "`pattern=number`, separated by commas" },
];

/// Returns a finding if the value of a flag does not have its form.
pub(super) fn form(name: &str, flag: &Text<'_>) -> Option<Finding> {
    let form = FORMS.iter().find(|form| form.flag == name)?;
    let value = flag.value.trim_matches(['"', '\'']);
    if value.is_empty() || (form.fits)(value) {
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
fn is_reserved_memory(value: &str) -> bool {
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
            (is_verbosities, &["a=2", "a=2,"], &["x", "a=b", "a=-2", "a=2147483648", "a=1=2", "=1"]),
        ] {
            assert!(accepted.iter().all(|value| fits(value)), "{accepted:?}");
            for value in rejected {
                assert!(!fits(value), "{value}");
            }
        }
    }
}
