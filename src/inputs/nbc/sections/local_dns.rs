//! The DNS cache on the node.

use crate::inputs::member::member;
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::request::pool;

pub(super) fn convert(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    if pool!(request.localDNSProfile).value.is_none() {
        return;
    }
    let (cpu, memory) =
        (pool!(request.localDNSProfile.cpuLimitInMilliCores), pool!(request.localDNSProfile.memoryLimitInMB));
    conversion.configuration.local_dns_profile.get_or_insert_default();
    conversion.copy(pool!(request.localDNSProfile.enableLocalDNS), target!(local_dns_profile.enable_local_dns));
    conversion.copy(pool!(request.localDNSProfile.enableHostsPlugin), target!(local_dns_profile.enable_hosts_plugin));
    conversion.copy(cpu, target!(local_dns_profile.cpu_limit_in_milli_cores));
    conversion.copy(memory, target!(local_dns_profile.memory_limit_in_mb));
    conversion.copy(pool!(request.localDNSProfile.criticalFQDNs), target!(local_dns_profile.critical_fqdns));
    let interval = pool!(request.localDNSProfile.hostsPluginRefreshIntervalInSeconds);
    conversion.copy(interval, target!(local_dns_profile.hosts_plugin_refresh_interval_in_seconds));
    let (vnet, kube) =
        (pool!(request.localDNSProfile.vnetDNSOverrides), pool!(request.localDNSProfile.kubeDNSOverrides));
    conversion.copy(vnet, target!(local_dns_profile.vnet_dns_overrides));
    conversion.copy(kube, target!(local_dns_profile.kube_dns_overrides));
    // On the scripted route the limits are used even if the cache is off, and the default does not replace 0.
    if let Some(limit) = cpu.value {
        conversion.set_variable("LOCALDNS_CPU_LIMIT", format!("{:.1}%", f64::from(*limit) / 10.0));
    }
    if let Some(limit) = memory.value {
        conversion.set_variable("LOCALDNS_MEMORY_LIMIT", format!("{limit}M"));
    }
}
