//! Kernel settings that pods may change: the kubelet does not start with a name that is none, or that belongs to no namespace.

use super::super::fields::{Context, field};
use super::starting::{Setting, stops, words};
use crate::document::{DocPath, Finding, Rule, Severity};

const UNSAFE_SYSCTLS: Setting =
    ("--allowed-unsafe-sysctls", field!("kubelet_config.kubelet_config_file_config.allowed_unsafe_sysctls"));

/// Kernel settings that are known to belong to a namespace: `k8s.io/component-helpers/node/util/sysctl`.
const NAMESPACED: [&str; 11] = [
    "kernel.domainname",
    "kernel.msg",
    "kernel.msgmax",
    "kernel.msgmnb",
    "kernel.msgmni",
    "kernel.sem",
    "kernel.shm",
    "kernel.shm_rmid_forced",
    "kernel.shmall",
    "kernel.shmmax",
    "kernel.shmmni",
];
const NAMESPACES: [&str; 3] = ["fs.mqueue.", "net.", "user."];

pub(super) fn names(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (pattern, path, rule) in words(context, UNSAFE_SYSCTLS) {
        let finding = without_namespace(pattern, rule, path);
        // The reference makes one word of an empty flag.
        let is_empty = pattern.is_empty();
        findings.extend(finding.map(|finding| if is_empty { finding.severity(Severity::Warning) } else { finding }));
    }
}

/// Parts of small letters, digits, `-` and `_`, of which the last one can end in `*`: `IsValidSysctlPattern` in `pkg/apis/policy/validation`.
fn is_sysctl_pattern(pattern: &str) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_part = |part: &str| {
        part.bytes().all(|byte| is_plain(&byte) || b"-_".contains(&byte))
            && part.as_bytes().first().is_some_and(is_plain)
    };
    let (before, last) = pattern.rsplit_once(['.', '/']).map_or((None, pattern), |(before, last)| (Some(before), last));
    let ends_plain = |part: &str| is_part(part) && part.as_bytes().last().is_some_and(is_plain);
    pattern.len() <= 253
        && before.is_none_or(|before| before.split(['.', '/']).all(ends_plain))
        && last.strip_suffix('*').map_or_else(|| ends_plain(last), |start| start.is_empty() || is_part(start))
}

/// Returns a finding for a kernel setting that a pod cannot have.
pub(crate) fn without_namespace(pattern: &str, rule: &'static Rule, path: DocPath) -> Option<Finding> {
    // The first separator decides which of the two is one: `net/ipv4/conf/eth0.1/forwarding`.
    let separator = pattern.find(['.', '/']).map(|at| &pattern[at..=at]);
    let dotted = if separator == Some("/") { pattern.replace('.', "/").replace('/', ".") } else { pattern.to_owned() };
    let name = dotted.split('*').next().unwrap_or_default();
    let is_known = NAMESPACED.contains(&name) || NAMESPACES.iter().any(|start| name.starts_with(start));
    if is_known && is_sysctl_pattern(pattern) {
        return None;
    }
    if is_known {
        let problem = format!("has `{pattern}`, which is not the name of a kernel setting: the kubelet does not start");
        return Some(stops(rule, path, problem).hint("a name can end in `*`"));
    }
    let problem = format!("has `{pattern}`, which does not belong to a namespace: the kubelet does not start");
    Some(stops(rule, path, problem).hint("only settings such as `net.*`, `kernel.shm*` and `kernel.msg*` do"))
}

#[cfg(test)]
mod tests {
    use super::is_sysctl_pattern;

    #[test]
    fn a_pattern_is_a_name_that_can_end_in_an_asterisk() {
        for pattern in ["net.core.somaxconn", "kernel.msg*", "net.*", "*", "net/core/a-b_c", "kernel.shm_*"] {
            assert!(is_sysctl_pattern(pattern), "{pattern}");
        }
        for pattern in
            ["", "net.", ".net", "net..core", "net.ipv4.*.x", "net.core=1", "NET.core", "net core", "net.a-", "net.a*b"]
        {
            assert!(!is_sysctl_pattern(pattern), "{pattern}");
        }
    }
}
