//! The operating system: kernel settings, limits, swap, huge pages, upgrades, and the message of the day.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::catalogue::sysctls::{PORT_RANGE, RESERVED_PORT, RESERVED_PORTS, SYSCTLS};
use crate::configuration::{Message, Slot, SysctlConfig};
use crate::inputs::nbc::conversion::{Conversion, Target, target};
use crate::inputs::nbc::fields::request::{self as field, Request};
use crate::inputs::nbc::reader::{Field, Integer};

pub(super) fn convert(conversion: &mut Conversion<'_, '_>) {
    conversion.copy(field::MESSAGE_OF_THE_DAY, target!(message_of_the_day));
    let upgrades = !conversion.document.switch(field::DISABLE_UNATTENDED_UPGRADES);
    let origin = conversion.computed_from(&[field::DISABLE_UNATTENDED_UPGRADES.number()]);
    conversion.set(target!(enable_unattended_upgrade), upgrades, origin);
    if conversion.document.has(field::CUSTOM_LINUX_OS_CONFIG) {
        conversion.configuration.custom_linux_os_config.get_or_insert_default();
        conversion
            .copy(field::TRANSPARENT_HUGE_PAGE_ENABLED, target!(custom_linux_os_config.transparent_hugepage_support));
        conversion.copy(field::TRANSPARENT_HUGE_PAGE_DEFRAG, target!(custom_linux_os_config.transparent_defrag));
        kernel_settings(conversion);
        limits(conversion);
        swap(conversion);
    }
    let settings = conversion.configuration.custom_linux_os_config.as_ref();
    let text = kernel_settings_file(settings.and_then(|settings| settings.sysctl_config.as_ref()));
    conversion.set_variable("SYSCTL_CONTENT", STANDARD.encode(text));
}

fn limits(conversion: &mut Conversion<'_, '_>) {
    if !conversion.document.has(field::ULIMIT_CONFIG) {
        return;
    }
    let system = conversion.configuration.custom_linux_os_config.get_or_insert_default();
    system.ulimit_config.get_or_insert_default();
    conversion.copy(field::ULIMIT_MAX_LOCKED_MEMORY, target!(custom_linux_os_config.ulimit_config.max_locked_memory));
    if !conversion.distro.keeps_open_files {
        conversion.copy(field::ULIMIT_NO_FILE, target!(custom_linux_os_config.ulimit_config.no_file));
    }
}

/// The kubelet does not start with swap unless it is told to.
fn swap(conversion: &mut Conversion<'_, '_>) {
    conversion.copy(field::SWAP_FILE_SIZE_MB, target!(custom_linux_os_config.swap_file_size));
    let document = conversion.document;
    let has_size = document.get(field::SWAP_FILE_SIZE_MB).is_some_and(|size| size > 0);
    let origin = conversion.computed_from(&[field::SWAP_FILE_SIZE_MB.number(), field::FAIL_SWAP_ON.number()]);
    conversion.origins.add("custom_linux_os_config.enable_swap_config", origin);
    if has_size && document.get(field::FAIL_SWAP_ON) == Some(false) {
        conversion.configuration.custom_linux_os_config.get_or_insert_default().enable_swap_config = true;
    }
}

/// A kernel setting with the same name in the document and in the contract but for the spelling.
macro_rules! setting {
    ($field:ident, $target:ident) => {
        (field::$field, target!(custom_linux_os_config.sysctl_config.$target))
    };
}

type KernelSetting = (Field<Request, Integer>, Target<Option<i32>>);

/// The kernel settings that are whole numbers.
static KERNEL_SETTINGS: [KernelSetting; 26] = [
    setting!(NET_CORE_SOMAXCONN, net_core_somaxconn),
    setting!(NET_CORE_NETDEV_MAX_BACKLOG, net_core_netdev_max_backlog),
    setting!(NET_CORE_RMEM_DEFAULT, net_core_rmem_default),
    setting!(NET_CORE_RMEM_MAX, net_core_rmem_max),
    setting!(NET_CORE_WMEM_DEFAULT, net_core_wmem_default),
    setting!(NET_CORE_WMEM_MAX, net_core_wmem_max),
    setting!(NET_CORE_OPTMEM_MAX, net_core_optmem_max),
    setting!(NET_IPV4_TCP_MAX_SYN_BACKLOG, net_ipv4_tcp_max_syn_backlog),
    setting!(NET_IPV4_TCP_MAX_TW_BUCKETS, net_ipv4_tcp_max_tw_buckets),
    setting!(NET_IPV4_TCP_FIN_TIMEOUT, net_ipv4_tcp_fin_timeout),
    setting!(NET_IPV4_TCP_KEEPALIVE_TIME, net_ipv4_tcp_keepalive_time),
    setting!(NET_IPV4_TCP_KEEPALIVE_PROBES, net_ipv4_tcp_keepalive_probes),
    setting!(NET_IPV4_TCP_KEEPALIVE_INTVL, net_ipv4_tcpkeepalive_intvl),
    setting!(NET_IPV4_NEIGH_DEFAULT_GC_THRESH1, net_ipv4_neigh_default_gc_thresh1),
    setting!(NET_IPV4_NEIGH_DEFAULT_GC_THRESH2, net_ipv4_neigh_default_gc_thresh2),
    setting!(NET_IPV4_NEIGH_DEFAULT_GC_THRESH3, net_ipv4_neigh_default_gc_thresh3),
    setting!(NET_NETFILTER_NF_CONNTRACK_MAX, net_netfilter_nf_conntrack_max),
    setting!(NET_NETFILTER_NF_CONNTRACK_BUCKETS, net_netfilter_nf_conntrack_buckets),
    setting!(FS_INOTIFY_MAX_USER_WATCHES, fs_inotify_max_user_watches),
    setting!(FS_FILE_MAX, fs_file_max),
    setting!(FS_AIO_MAX_NR, fs_aio_max_nr),
    setting!(FS_NR_OPEN, fs_nr_open),
    setting!(KERNEL_THREADS_MAX, kernel_threads_max),
    setting!(VM_MAX_MAP_COUNT, vm_max_map_count),
    setting!(VM_SWAPPINESS, vm_swappiness),
    setting!(VM_VFS_CACHE_PRESSURE, vm_vfs_cache_pressure),
];

fn kernel_settings(conversion: &mut Conversion<'_, '_>) {
    if !conversion.document.has(field::SYSCTLS) {
        return;
    }
    conversion.configuration.custom_linux_os_config.get_or_insert_default().sysctl_config.get_or_insert_default();
    for (field, target) in KERNEL_SETTINGS {
        conversion.copy(field, target);
    }
    let (field, target) = setting!(NET_IPV4_TCP_TW_REUSE, net_ipv4_tcp_tw_reuse);
    conversion.copy(field, target);
    let (field, target) = setting!(NET_IPV4_IP_LOCAL_PORT_RANGE, net_ipv4_ip_local_port_range);
    conversion.copy(field, target);
}

/// Settings that the file on the node always has, in its order.
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

/// Settings that it has if the document has them, in its order.
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
