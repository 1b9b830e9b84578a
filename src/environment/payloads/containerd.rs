//! The configuration of containerd.

use super::super::computed::bridge_delivers_twice;
use super::super::context::Context;
use super::super::image::KataRuntimes;
use super::encoded;
use crate::configuration::Version;
use crate::rendering::Template;

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
    let values = [
        ("data_dir", configuration.kubelet_config.as_ref().map_or("", |kubelet| &kubelet.container_data_dir).into()),
        ("pause_image", binaries.map_or("", |binaries| &binaries.pod_infra_container_image_url).into()),
        ("runtime", runtime.into()),
        ("kata", configuration.is_kata.into()),
        ("kata_cli", (context.image.kata_runtimes == KataRuntimes::WithCli).into()),
        ("artifact_streaming", configuration.enable_artifact_streaming.into()),
        ("cgroup_v2", configuration.needs_cgroupv2.unwrap_or(false).into()),
        ("bridge_guard", bridge_delivers_twice(context).into()),
        ("registry_folder", context.kubernetes.as_ref().is_some_and(Version::has_registry_folder).into()),
        ("gpu_variant", (variant == Variant::Gpu).into()),
    ];
    encoded(&layout(&context.image.containerd_version).render(&values, 4096))
}

/// Returns the template for the installed version, because containerd 2 has other tables. An unknown version counts as
/// containerd 1.
fn layout(installed: &str) -> Template {
    match Version::parse(installed) {
        Some(version) if version >= Version::new(2, 0, 0) => Template::CONTAINERD_2,
        _ => Template::CONTAINERD_1,
    }
}
