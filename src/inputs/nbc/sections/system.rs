//! The operating system: kernel settings, limits, swap, huge pages, upgrades, and the message of the day.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::catalogue::sysctls::{PORT_RANGE, RESERVED_PORT, RESERVED_PORTS, SYSCTLS};
use crate::configuration::{Message, Slot, SysctlConfig};
use crate::inputs::member::member;
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::request::pool;

pub(super) fn convert(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    conversion.copy_text(pool!(request.messageOfTheDay), target!(message_of_the_day));
    let disabled = member!(request.DisableUnattendedUpgrades);
    let origin = Origin::computed([disabled.presence()]);
    conversion.set(target!(enable_unattended_upgrade), !disabled.is_on(), origin);
    if pool!(request.customLinuxOSConfig).value.is_some() {
        conversion.configuration.custom_linux_os_config.get_or_insert_default();
        let huge_pages = pool!(request.customLinuxOSConfig.transparentHugePageEnabled);
        conversion.copy_text(huge_pages, target!(custom_linux_os_config.transparent_hugepage_support));
        let defrag = pool!(request.customLinuxOSConfig.transparentHugePageDefrag);
        conversion.copy_text(defrag, target!(custom_linux_os_config.transparent_defrag));
        kernel_settings(conversion);
        limits(conversion);
        swap(conversion);
    }
    let settings = conversion.configuration.custom_linux_os_config.as_ref();
    let text = kernel_settings_file(settings.and_then(|settings| settings.sysctl_config.as_ref()));
    conversion.set_variable("SYSCTL_CONTENT", STANDARD.encode(text));
}

fn limits(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    if pool!(request.customLinuxOSConfig.ulimitConfig).value.is_none() {
        return;
    }
    let system = conversion.configuration.custom_linux_os_config.get_or_insert_default();
    system.ulimit_config.get_or_insert_default();
    let memory = pool!(request.customLinuxOSConfig.ulimitConfig.maxLockedMemory);
    conversion.copy_text(memory, target!(custom_linux_os_config.ulimit_config.max_locked_memory));
    if !conversion.distro.keeps_open_files {
        let files = pool!(request.customLinuxOSConfig.ulimitConfig.noFile);
        conversion.copy_text(files, target!(custom_linux_os_config.ulimit_config.no_file));
    }
}

/// The kubelet does not start if swap is on, unless a setting allows it.
fn swap(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let size = pool!(request.customLinuxOSConfig.swapFileSizeMB);
    let fails = pool!(request.customKubeletConfig.failSwapOn);
    conversion.copy(size, target!(custom_linux_os_config.swap_file_size));
    let origin = Origin::computed([size.presence(), fails.presence()]);
    conversion.origins.add("custom_linux_os_config.enable_swap_config", origin);
    if size.value.is_some_and(|size| *size > 0) && fails.value == Some(&false) {
        conversion.configuration.custom_linux_os_config.get_or_insert_default().enable_swap_config = true;
    }
}

/// Copies the kernel settings, which have the same names in the contract.
fn kernel_settings(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    conversion.copy(pool!(request.customLinuxOSConfig.sysctls), target!(custom_linux_os_config.sysctl_config));
    let system = conversion.configuration.custom_linux_os_config.as_mut();
    if let Some(settings) = system.and_then(|system| system.sysctl_config.as_mut()) {
        settings.net_ipv4_ip_local_port_range.take_if(|range| range.is_empty());
    }
}

/// Settings that the file on the node always contains, in its order.
const FIRST_SETTINGS: [&str; 8] = [
    "net.ipv4.tcp_retries2",
    "net.core.message_burst",
    "net.core.message_cost",
    "net.core.somaxconn",
    "net.ipv4.tcp_max_syn_backlog",
    "net.ipv4.neigh.default.gc_thresh1",
    "net.ipv4.neigh.default.gc_thresh2",
    "net.ipv4.neigh.default.gc_thresh3",
];

/// Settings that it contains if the document sets them, in its order.
const FURTHER_SETTINGS: [&str; 23] = [
    "net.core.netdev_max_backlog",
    "net.core.rmem_default",
    "net.core.rmem_max",
    "net.core.wmem_default",
    "net.core.wmem_max",
    "net.core.optmem_max",
    "net.ipv4.tcp_max_tw_buckets",
    "net.ipv4.tcp_fin_timeout",
    "net.ipv4.tcp_keepalive_time",
    "net.ipv4.tcp_keepalive_probes",
    "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_tw_reuse",
    PORT_RANGE,
    "net.netfilter.nf_conntrack_max",
    "net.netfilter.nf_conntrack_buckets",
    "fs.inotify.max_user_watches",
    "fs.file-max",
    "fs.aio-max-nr",
    "fs.nr_open",
    "kernel.threads-max",
    "vm.max_map_count",
    "vm.swappiness",
    "vm.vfs_cache_pressure",
];

/// Returns the file of kernel settings on the scripted route. Its order and its comments are the reference's.
fn kernel_settings_file(settings: Option<&SysctlConfig>) -> String {
    let mut text = String::from(
        "# This is a partial workaround to this upstream Kubernetes issue:\n\
         # https://github.com/kubernetes/kubernetes/issues/41916#issuecomment-312428731\n",
    );
    for key in FIRST_SETTINGS {
        let _ = writeln!(text, "{key}={}", kernel_setting(settings, key).unwrap_or_default());
    }
    if settings.is_none() {
        return text;
    }
    text.push_str("# The following are sysctl configs passed from API\n");
    for key in FURTHER_SETTINGS {
        let Some(value) = kernel_setting(settings, key) else { continue };
        let _ = writeln!(text, "{key}={value}");
        if key == PORT_RANGE {
            text.push_str("\n\n");
            let last = value.split(' ').nth(1).and_then(|last| last.parse::<i64>().ok());
            // The scriptless route reserves the port only if the range reaches above it.
            if last.is_some_and(|last| last >= i64::from(RESERVED_PORT)) {
                let _ = writeln!(text, "{RESERVED_PORTS}={RESERVED_PORT}");
            }
        }
    }
    text
}

/// Returns the value of a setting, or its default.
fn kernel_setting(settings: Option<&SysctlConfig>, key: &str) -> Option<String> {
    let setting = SYSCTLS.iter().find(|setting| setting.key == key)?;
    let value = settings.zip(setting.field).and_then(|(settings, field)| {
        match settings.slot(SysctlConfig::descriptor().index_of(field)?) {
            Slot::OptionalInteger(number) => number.map(|number| number.to_string()),
            // The reference writes 1 for `false`, too.
            Slot::OptionalBool(value) => value.map(|_| "1".to_owned()),
            Slot::OptionalText(text) => text.map(str::to_owned),
            _ => None,
        }
    });
    value.or_else(|| setting.default.map(|default| default.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_setting_of_the_contract_has_one_place_in_the_file() {
        for setting in SYSCTLS.iter().filter(|setting| setting.field.is_some()) {
            let first = FIRST_SETTINGS.contains(&setting.key);
            assert!(first != FURTHER_SETTINGS.contains(&setting.key), "{}", setting.key);
        }
    }
}
