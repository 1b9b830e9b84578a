//! The configuration of containerd.

use serde::Serialize;

use super::super::computed::bridge_delivers_twice;
use super::super::context::Context;
use super::super::image::KataRuntimes;
use super::encoded;
use crate::configuration::Version;
use crate::rendering::{Rendered, render_untrusted};

/// The node gets both, and chooses one when it knows whether the GPU driver is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::environment) enum Variant {
    Gpu,
    NoGpu,
}

#[derive(PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is the condition of some lines")]
struct Containerd<'a> {
    is_containerd_2: bool,
    enable_cdi: bool,
    data_dir: &'a str,
    pause_image: &'a str,
    runtime: &'static str,
    kata: bool,
    kata_cli: bool,
    kata_cc: bool,
    artifact_streaming: bool,
    cgroup_v2: bool,
    bridge_guard: bool,
    registry_directory: bool,
}

/// Returns the configuration in base64.
pub(in crate::environment) fn config(context: &Context<'_>, variant: Variant) -> Rendered {
    let wanted = values(context, variant);
    let render = || encoded(render_untrusted("containerd.toml.tera", &wanted));
    // Most nodes have no GPU, and both variants are the same.
    if values(context, Variant::Gpu) == values(context, Variant::NoGpu) {
        context.containerd.get_or_init(render).clone()
    } else {
        render()
    }
}

fn values<'a>(context: &Context<'a>, variant: Variant) -> Containerd<'a> {
    let configuration = context.configuration;
    let has_nvidia = configuration.gpu_config.as_ref().is_some_and(|gpu| gpu.enable_nvidia == Some(true));
    let binaries = configuration.kube_binary_config.as_ref();
    let for_gpu = variant == Variant::Gpu;
    let is_containerd_2 = is_2(&context.image.containerd_version);
    Containerd {
        is_containerd_2,
        enable_cdi: for_gpu && !is_containerd_2,
        data_dir: configuration.kubelet_config.as_ref().map_or("", |kubelet| &kubelet.container_data_dir),
        pause_image: binaries.map_or("", |binaries| &binaries.pod_infra_container_image_url),
        runtime: if for_gpu && has_nvidia { "nvidia-container-runtime" } else { "runc" },
        kata: configuration.is_kata,
        kata_cli: context.image.kata_runtimes == KataRuntimes::WithCli && !is_containerd_2,
        kata_cc: configuration.is_kata && (for_gpu || !is_containerd_2),
        artifact_streaming: configuration.enable_artifact_streaming,
        cgroup_v2: configuration.needs_cgroupv2.unwrap_or(false),
        bridge_guard: bridge_delivers_twice(context),
        registry_directory: context.kubernetes.as_ref().is_some_and(Version::has_registry_directory),
    }
}

/// Reports whether containerd is version 2, which has other tables. An unknown version is treated as containerd 1.
fn is_2(installed: &str) -> bool {
    Version::parse(installed).is_some_and(|version| version >= Version::new(2, 0, 0))
}
