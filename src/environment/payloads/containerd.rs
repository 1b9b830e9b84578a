//! The configuration of containerd.

use super::super::computed::bridge_delivers_twice;
use super::super::context::Context;
use super::super::image::KataRuntimes;
use super::encoded;
use crate::configuration::Version;
use crate::rendering::{Fill, Template};

/// The node gets both, and uses one of them once it knows whether the GPU driver is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::environment) enum Variant {
    Gpu,
    NoGpu,
}

/// Returns the configuration in base64.
pub(in crate::environment) fn config(context: &Context<'_>, variant: Variant) -> String {
    let configuration = context.configuration;
    let has_nvidia = configuration.gpu_config.as_ref().is_some_and(|gpu| gpu.enable_nvidia == Some(true));
    let runtime = if variant == Variant::Gpu && has_nvidia { "nvidia-container-runtime" } else { "runc" };
    let binaries = configuration.kube_binary_config.as_ref();
    let data_dir = configuration.kubelet_config.as_ref().map_or("", |kubelet| &kubelet.container_data_dir);
    let values = [
        ("data_dir", Fill::Raw(data_dir)),
        ("pause_image", Fill::Text(binaries.map_or("", |binaries| &binaries.pod_infra_container_image_url))),
        ("runtime", Fill::Text(runtime)),
        ("kata", Fill::Block(configuration.is_kata)),
        ("kata_cli", Fill::Block(context.image.kata_runtimes == KataRuntimes::WithCli)),
        ("artifact_streaming", Fill::Block(configuration.enable_artifact_streaming)),
        ("cgroup_v2", Fill::Block(configuration.needs_cgroupv2.unwrap_or(false))),
        ("bridge_guard", Fill::Block(bridge_delivers_twice(context))),
        ("registry_folder", Fill::Block(context.kubernetes.as_ref().is_some_and(Version::has_registry_folder))),
        ("gpu_variant", Fill::Block(variant == Variant::Gpu)),
    ];
    encoded(&layout(&context.image.containerd_version).render(&values))
}

/// Returns the template for the installed version, because containerd 2 has other tables. An unknown version counts as
/// containerd 1.
fn layout(installed: &str) -> Template {
    match Version::parse(installed) {
        Some(version) if version >= Version::new(2, 0, 0) => Template::CONTAINERD_2,
        _ => Template::CONTAINERD_1,
    }
}
