//! Kernel settings, limits, swap and huge pages.

use super::fields::{Checked, at, rule};
use super::syntax::is_limit;
use crate::catalogue::sysctls::SYSCTLS;
use crate::document::{Finding, Severity};

/// Not above its partner, by the names of fields of `SysctlConfig`.
const ORDERED: [(&str, &str); 4] = [
    ("net_core_rmem_default", "net_core_rmem_max"),
    ("net_core_wmem_default", "net_core_wmem_max"),
    ("net_ipv4_neigh_default_gc_thresh1", "net_ipv4_neigh_default_gc_thresh2"),
    ("net_ipv4_neigh_default_gc_thresh2", "net_ipv4_neigh_default_gc_thresh3"),
];

pub(super) fn sysctls(checked: &Checked<'_>, findings: &mut Vec<Finding>) {
    let number = |field: &str| checked.number(&format!("custom_linux_os_config.sysctl_config.{field}"));
    for setting in SYSCTLS {
        let (Some(field), Some((smallest, largest))) = (setting.field, setting.bounds) else { continue };
        findings.extend(number(field).filter(|number| !(smallest..=largest).contains(&number.value)).map(|number| {
            number.must_be(Severity::Error, format!("{smallest} to {largest}, the range of AKS for `{}`", setting.key))
        }));
    }
    let default = |field: &str| SYSCTLS.iter().find(|setting| setting.field == Some(field))?.default;
    for (low, high) in ORDERED {
        let (given_low, given_high) = (number(low), number(high));
        let value = |field, given: &Option<_>| {
            given.as_ref().map(|given: &super::fields::Number| given.value).or_else(|| default(field))
        };
        let (Some(least), Some(most)) = (value(low, &given_low), value(high, &given_high)) else { continue };
        let severity = if given_low.is_some() && given_high.is_some() { Severity::Error } else { Severity::Warning };
        if let Some(given) = given_low.or(given_high).filter(|_| least > most) {
            findings.push(rule(
                severity,
                given.path,
                format!("`{low}` must not be above `{high}`, found {least} and {most}"),
            ));
        }
    }
    for range in checked.texts("custom_linux_os_config.sysctl_config.net_ipv4_ip_local_port_range") {
        if !is_port_range(range.value) {
            findings.push(range.must_be(
                Severity::Error,
                "two ports with one blank between, 1024 to 60999 and 32768 to 65535, in this order",
            ));
        }
    }
}

fn is_port_range(text: &str) -> bool {
    let port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u16>().ok()).flatten();
    let Some((first, last)) = text.split_once(' ') else { return false };
    let (Some(first), Some(last)) = (port(first), port(last)) else { return false };
    (1_024..=60_999).contains(&first) && last >= 32_768 && first <= last
}

pub(super) fn limits(checked: &Checked<'_>, findings: &mut Vec<Finding>) {
    for (field, of_bytes, expected) in [
        ("no_file", false, "a number, `infinity`, or two of these as `soft:hard`"),
        ("max_locked_memory", true, "a number such as `64M`, `infinity`, or two of these as `soft:hard`"),
    ] {
        for text in checked.texts(&format!("custom_linux_os_config.ulimit_config.{field}")) {
            if !is_limit(text.value, of_bytes) {
                findings.push(text.must_be(Severity::Error, expected));
            }
        }
    }
}

pub(super) fn swap(checked: &Checked<'_>, findings: &mut Vec<Finding>) {
    let Some(system) = &checked.configuration.custom_linux_os_config else { return };
    if let Some(size) = checked.number("custom_linux_os_config.swap_file_size").filter(|size| size.value < 0) {
        findings.push(size.must_be(Severity::Error, "0 or more"));
        return;
    }
    match (system.enable_swap_config, system.swap_file_size > 0) {
        (true, false) => findings.push(rule(
            Severity::Warning,
            at("custom_linux_os_config.enable_swap_config"),
            "does nothing without a size in `swap_file_size`",
        )),
        (false, true) => findings.push(rule(
            Severity::Warning,
            at("custom_linux_os_config.swap_file_size"),
            "does nothing while `enable_swap_config` is off",
        )),
        (true, true) if !bears_swap(checked) => findings.push(
            rule(
                Severity::Warning,
                at("custom_linux_os_config.enable_swap_config"),
                "makes swap, with which the kubelet does not start",
            )
            .hint("set `fail_swap_on` of the kubelet to `false`"),
        ),
        _ => {}
    }
}

fn bears_swap(checked: &Checked<'_>) -> bool {
    let Some(kubelet) = &checked.configuration.kubelet_config else { return false };
    kubelet.kubelet_flags.get("--fail-swap-on").is_some_and(|flag| flag == "false")
        || kubelet.kubelet_config_file_config.as_ref().is_some_and(|file| file.fail_swap_on == Some(false))
}

pub(super) fn huge_pages(checked: &Checked<'_>, findings: &mut Vec<Finding>) {
    for (field, words, expected) in [
        ("transparent_hugepage_support", &["always", "madvise", "never"][..], "`always`, `madvise` or `never`"),
        (
            "transparent_defrag",
            &["always", "defer", "defer+madvise", "madvise", "never"],
            "`always`, `defer`, `defer+madvise`, `madvise` or `never`",
        ),
    ] {
        for text in checked.texts(&format!("custom_linux_os_config.{field}")) {
            if !text.is_in(words) {
                findings.push(text.must_be(Severity::Error, expected));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_ranges_are_read_as_the_kernel_settings_are_written() {
        for (text, expected) in [
            ("32768 60999", true),
            ("1024 65535", true),
            ("32768  60999", false),
            ("32768\t60999", false),
            ("1023 65535", false),
            ("60999 32768", false),
            ("32768", false),
            ("+1024 65535", false),
            ("1024 65536", false),
        ] {
            assert_eq!(is_port_range(text), expected, "{text:?}");
        }
    }
}
