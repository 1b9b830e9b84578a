//! Values that follow from several fields, from the VM size or from the image. The texts inside variables, such as
//! configuration files, are in `payloads`.

use super::Value;
use super::context::Context;
use super::rule::{integer, truth};
use crate::catalogue::{clouds, gpu};
use crate::configuration::{LocalDnsProfile, NetworkPlugin, NetworkPolicy};

// Cloud

pub(super) fn resource_manager<'a>(context: &Context<'a>) -> Value<'a> {
    match &context.configuration.custom_cloud_config {
        Some(cloud) if context.is_custom_cloud => {
            clouds::custom_resource_manager(&cloud.custom_env_json_content).into()
        }
        _ => context.cloud.resource_manager.into(),
    }
}

pub(super) fn repo_depot_endpoint<'a>(context: &Context<'a>) -> Value<'a> {
    match &context.configuration.custom_cloud_config {
        Some(cloud) if context.is_custom_cloud => (&*cloud.repo_depot_endpoint).into(),
        _ => "".into(),
    }
}

// GPU and VM size

pub(super) fn gpu_driver_type<'a>(context: &Context<'a>) -> Value<'a> {
    gpu::driver(&context.vm_size).kind.into()
}

pub(super) fn gpu_driver_version<'a>(context: &Context<'a>) -> Value<'a> {
    let driver = gpu::driver(&context.vm_size);
    driver.fixed_version.unwrap_or_else(|| context.image.components.image(driver.repository).0).into()
}

pub(super) fn gpu_image_suffix<'a>(context: &Context<'a>) -> Value<'a> {
    context.image.components.image(gpu::driver(&context.vm_size).repository).1.into()
}

pub(super) fn needs_fabric_manager<'a>(context: &Context<'a>) -> Value<'a> {
    truth(gpu::needs_fabric_manager(&context.vm_size))
}

pub(super) fn has_sgx<'a>(context: &Context<'a>) -> Value<'a> {
    truth(matches!(&*context.configuration.vm_size, "Standard_DC2s" | "Standard_DC4s"))
}

// Local DNS

/// The profile, unless local DNS is off.
pub(super) fn enabled_local_dns<'a>(context: &Context<'a>) -> Option<&'a LocalDnsProfile> {
    context.configuration.local_dns_profile.as_ref().filter(|profile| profile.enable_local_dns)
}

pub(super) fn local_dns_cpu<'a>(context: &Context<'a>) -> Value<'a> {
    match enabled_local_dns(context).and_then(|profile| profile.cpu_limit_in_milli_cores) {
        None | Some(0) => "200.0%".into(),
        Some(millicores) => {
            let (percent, tenth) = ((millicores / 10).abs(), (millicores % 10).abs());
            let sign = if millicores < 0 { "-" } else { "" };
            format!("{sign}{percent}.{tenth}%").into()
        }
    }
}

pub(super) fn local_dns_memory<'a>(context: &Context<'a>) -> Value<'a> {
    match enabled_local_dns(context).and_then(|profile| profile.memory_limit_in_mb) {
        None | Some(0) => "128M".into(),
        Some(megabytes) => format!("{megabytes}M").into(),
    }
}

pub(super) fn local_dns_refresh_interval<'a>(context: &Context<'a>) -> Value<'a> {
    let profile = context.configuration.local_dns_profile.as_ref();
    match profile.and_then(|profile| profile.hosts_plugin_refresh_interval_in_seconds) {
        Some(seconds @ 1..) => integer(seconds),
        _ => "".into(),
    }
}

pub(super) fn local_dns_critical_names<'a>(context: &Context<'a>) -> Value<'a> {
    let Some(profile) = &context.configuration.local_dns_profile else { return "".into() };
    let names = profile.critical_fqdns.iter().map(|name| name.trim()).filter(|name| !name.is_empty());
    names.collect::<Vec<_>>().join(",").into()
}

pub(super) fn has_hosts_plugin<'a>(context: &Context<'a>) -> Value<'a> {
    truth(enabled_local_dns(context).is_some_and(|profile| profile.enable_hosts_plugin))
}

// Network

/// Whether the kubenet bridge delivers packets twice unless a rule drops the second one. Not with Calico, which
/// replaces the bridge.
pub(super) fn bridge_delivers_twice(context: &Context<'_>) -> bool {
    context.configuration.network_config.as_ref().is_some_and(|network| {
        network.network_plugin() == NetworkPlugin::Kubenet && network.network_policy() != NetworkPolicy::Calico
    })
}

pub(super) fn has_proxy<'a>(context: &Context<'a>) -> Value<'a> {
    let proxy = context.configuration.http_proxy_config.as_ref();
    truth(proxy.is_some_and(|proxy| !proxy.http_proxy.is_empty() || !proxy.https_proxy.is_empty()))
}

pub(super) fn has_search_domain<'a>(context: &Context<'a>) -> Value<'a> {
    truth(context.configuration.custom_search_domain_config.as_ref().is_some_and(|search| {
        !search.domain_name.is_empty() && !search.realm_user.is_empty() && !search.realm_password.is_empty()
    }))
}

// Operating system

pub(super) fn has_swap_file<'a>(context: &Context<'a>) -> Value<'a> {
    let os = context.configuration.custom_linux_os_config.as_ref();
    truth(os.is_some_and(|os| os.enable_swap_config && os.swap_file_size > 0))
}

pub(super) fn sets_huge_pages<'a>(context: &Context<'a>) -> Value<'a> {
    let os = context.configuration.custom_linux_os_config.as_ref();
    truth(os.is_some_and(|os| !os.transparent_hugepage_support.is_empty() || !os.transparent_defrag.is_empty()))
}
