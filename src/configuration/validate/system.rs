//! Kernel settings, resource limits, swap and huge pages.

use super::across::FEWEST_FILES;
use super::fields::{Context, MessageAt, at, field};
use super::syntax::is_limit;
use crate::catalogue::huge_pages;
use crate::catalogue::rules;
use crate::catalogue::sysctls::{PORT_RANGE_RULE, SYSCTLS, is_port_range, ordered};
use crate::configuration::{FieldPath, Message, Slot, SysctlConfig};
use crate::document::{Finding, Severity};

pub(super) fn sysctls(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let system = context.configuration.custom_linux_os_config.as_ref();
    let Some(config) = system.and_then(|system| system.sysctl_config.as_ref()) else { return };
    let slot = |field: &str| SysctlConfig::descriptor().index_of(field).map(|index| config.slot(index));
    let number = |field: &str| match slot(field) {
        Some(Slot::OptionalInteger(number)) => number,
        _ => None,
    };
    let members = MessageAt { message: config, path: at(field!("custom_linux_os_config.sysctl_config")) };
    let path = |field| members.at(&FieldPath::below(SysctlConfig::descriptor(), field));
    for setting in SYSCTLS {
        let (Some(field), Some((smallest, largest))) = (setting.field, setting.bounds) else { continue };
        if let Some(number) = number(field).filter(|number| !(smallest..=largest).contains(number)) {
            let expected = format!("{smallest} to {largest}, the range that AKS allows for `{}`", setting.key);
            findings.push(Finding::unexpected(&rules::SYSCTL, path(field), expected, number.to_string()));
        }
    }
    for settings in ordered() {
        let [Some(low), Some(high)] = settings.map(|setting| setting.field) else { continue };
        let given = [number(low), number(high)];
        let value = |at: usize| given[at].or(settings[at].default);
        let (Some(least), Some(most)) = (value(0), value(1)) else { continue };
        if least <= most {
            continue;
        }
        let (field, severity) = match given {
            [Some(_), Some(_)] => (low, Severity::Error),
            [Some(_), None] => (low, Severity::Warning),
            [None, Some(_)] => (high, Severity::Warning),
            [None, None] => continue,
        };
        let problem = format!("`{low}` must not be greater than `{high}`, found {least} and {most}");
        findings.push(Finding::violation(&rules::SYSCTL_ORDER, path(field), problem).severity(severity));
    }
    for range in context.texts(field!("custom_linux_os_config.sysctl_config.net_ipv4_ip_local_port_range")) {
        if !is_port_range(range.value) {
            findings.push(range.must_be(&rules::SYSCTL, PORT_RANGE_RULE));
        }
    }
}

pub(super) fn limits(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (field, of_bytes, expected) in [
        (
            field!("custom_linux_os_config.ulimit_config.no_file"),
            false,
            "a number, `infinity`, or two of these as `soft:hard`",
        ),
        (
            field!("custom_linux_os_config.ulimit_config.max_locked_memory"),
            true,
            "a number such as `64M`, `infinity`, or two of these as `soft:hard`",
        ),
    ] {
        for text in context.texts(field) {
            if !is_limit(text.value, of_bytes) {
                findings.push(text.must_be(&rules::RESOURCE_LIMIT, expected));
            } else if text.value.split_once(':').is_some_and(|(soft, hard)| amount(soft) > amount(hard)) {
                let expected = "a soft limit that is not above the hard one, or systemd ignores both";
                findings.push(text.must_be(&rules::RESOURCE_LIMIT, expected));
            }
        }
    }
    for text in context.texts(field!("custom_linux_os_config.ulimit_config.no_file")) {
        let soft = text.value.split(':').next().and_then(|soft| soft.parse::<i64>().ok());
        if soft.is_some_and(|soft| soft < FEWEST_FILES) {
            let expected = "8192 or more, as AKS allows: containerd opens more files than this";
            findings.push(text.must_be(&rules::RESOURCE_LIMIT, expected).severity(Severity::Warning));
        }
    }
}

/// Returns the number of a limit, whose units are powers of 1024.
fn amount(limit: &str) -> f64 {
    let units = ['B', 'K', 'M', 'G', 'T', 'P', 'E'];
    let number = limit.trim_end_matches(units).parse::<f64>().unwrap_or(f64::INFINITY);
    let power = units.iter().position(|unit| limit.ends_with(*unit)).unwrap_or_default();
    number * 1024_f64.powi(i32::try_from(power).unwrap_or_default())
}

pub(super) fn swap(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(system) = &context.configuration.custom_linux_os_config else { return };
    if let Some(size) = context.number(field!("custom_linux_os_config.swap_file_size")).filter(|size| size.value < 0) {
        findings.push(size.must_be(&rules::SWAP_FILE, "0 or more"));
        return;
    }
    let is_enabled = at(field!("custom_linux_os_config.enable_swap_config"));
    match (system.enable_swap_config, system.swap_file_size > 0) {
        (true, false) => {
            let problem = "has no effect without `swap_file_size`";
            findings.push(Finding::violation(&rules::SWAP_WITHOUT_EFFECT, is_enabled, problem));
        }
        (false, true) => {
            let size = at(field!("custom_linux_os_config.swap_file_size"));
            let problem = "has no effect unless `enable_swap_config` is `true`";
            findings.push(Finding::violation(&rules::SWAP_WITHOUT_EFFECT, size, problem));
        }
        (true, true) if !kubelet_accepts_swap(context) => {
            let problem = "creates swap, with which the kubelet does not start";
            let finding = Finding::violation(&rules::SWAP_KUBELET, is_enabled, problem);
            findings.push(finding.hint("set `fail_swap_on` of the kubelet to `false`"));
        }
        _ => {}
    }
}

fn kubelet_accepts_swap(context: &Context<'_>) -> bool {
    let Some(kubelet) = &context.configuration.kubelet_config else { return false };
    kubelet.kubelet_flags.get("--fail-swap-on").is_some_and(|flag| flag == "false")
        || kubelet.kubelet_config_file_config.as_ref().is_some_and(|file| file.fail_swap_on == Some(false))
}

pub(super) fn huge_pages(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (field, words, expected) in [
        (
            field!("custom_linux_os_config.transparent_hugepage_support"),
            huge_pages::ENABLED,
            "`always`, `madvise` or `never`",
        ),
        (
            field!("custom_linux_os_config.transparent_defrag"),
            huge_pages::DEFRAG,
            "`always`, `defer`, `defer+madvise`, `madvise` or `never`",
        ),
    ] {
        for text in context.texts(field) {
            if !text.is_in(words) {
                findings.push(text.must_be(&rules::HUGE_PAGES, expected));
            }
        }
    }
}
