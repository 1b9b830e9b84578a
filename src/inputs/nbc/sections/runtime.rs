//! The container runtime, GPUs, the disk for containers, and the programs that a node installs.

use crate::configuration::{KubeletDisk, WorkloadRuntime};
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::fields::request::{self as field, Request};
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::reader::{Field, TextMap};

pub(super) fn convert(conversion: &mut Conversion<'_, '_>) {
    container_runtime(conversion);
    gpu(conversion);
    data_directory(conversion);
    programs(conversion);
    conversion.copy(field::VM_SIZE, target!(vm_size));
    conversion.copy(field::ENABLE_ARTIFACT_STREAMING, target!(enable_artifact_streaming));
    conversion.copy(field::ENABLED_FEATURES, target!(enabled_features));
    if conversion.document.text(field::WORKLOAD_RUNTIME) == "OCIContainer" {
        let origin = Origin::Field(field::WORKLOAD_RUNTIME.number());
        conversion.set(target!(workload_runtime), WorkloadRuntime::OciContainer, origin);
    }
}

fn container_runtime(conversion: &mut Conversion<'_, '_>) {
    let document = conversion.document;
    let runtime = document.text(field::CONTAINER_RUNTIME);
    let tool = match runtime {
        "containerd" => "ctr",
        "" => "",
        _ => "docker",
    };
    conversion.set_variable("CLI_TOOL", tool);
    conversion.copy(field::CONTAINERD_DOWNLOAD_URL_BASE, target!(containerd_config.containerd_download_url_base));
    if runtime == "containerd" {
        conversion.copy(field::CONTAINERD_VERSION, target!(containerd_config.containerd_version));
        conversion.copy(field::CONTAINERD_PACKAGE_URL, target!(containerd_config.containerd_package_url));
    } else {
        conversion.report_loss(field::CONTAINER_RUNTIME, "the scriptless route always runs containerd");
    }
    conversion.copy(field::RUNC_VERSION, target!(runc_config.runc_version));
    conversion.copy(field::RUNC_PACKAGE_URL, target!(runc_config.runc_package_url));
}

fn gpu(conversion: &mut Conversion<'_, '_>) {
    conversion.copy(field::ENABLE_NVIDIA, target!(gpu_config.enable_nvidia));
    conversion.copy(field::ENABLE_AMD_GPU, target!(gpu_config.enable_amd_gpu));
    conversion.copy(field::CONFIG_GPU_DRIVER_IF_NEEDED, target!(gpu_config.config_gpu_driver));
    conversion.copy(field::ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED, target!(gpu_config.gpu_device_plugin));
    conversion.copy(field::GPU_INSTANCE_PROFILE, target!(gpu_config.gpu_instance_profile));
    conversion.copy(field::MIG_STRATEGY, target!(gpu_config.mig_strategy));
    conversion.copy(field::MIG_PROFILE_LAYOUT, target!(gpu_config.mig_profile_layout));
    conversion
        .copy(field::MANAGED_GPU_EXPERIENCE_AFEC_ENABLED, target!(gpu_config.managed_gpu_experience_afec_enabled));
    conversion.copy(field::ENABLE_MANAGED_GPU, target!(gpu_config.enable_managed_gpu));
    conversion.copy(field::ENABLE_MANAGED_GPU_DRA, target!(gpu_config.enable_managed_gpu_dra));
}

/// The pool's own directory goes before that of the temporary disk, and this one before the cluster's.
fn data_directory(conversion: &mut Conversion<'_, '_>) {
    let document = conversion.document;
    let disk = document.text(field::KUBELET_DISK_TYPE);
    let disk_origin = Origin::Field(field::KUBELET_DISK_TYPE.number());
    let known = match disk {
        "OS" => Some(KubeletDisk::OsDisk),
        "Temporary" => Some(KubeletDisk::TempDisk),
        _ => None,
    };
    if let Some(known) = known {
        conversion.set(target!(kubelet_config.kubelet_disk_type), known, disk_origin);
    }
    conversion.set_variable("HAS_KUBELET_DISK_TYPE", (!["", "OS"].contains(&disk)).to_string());
    let of = |field: Field<Request, TextMap>| {
        let pairs = document.get(field).unwrap_or_default();
        let found = pairs.into_iter().rfind(|(name, _)| *name == DATA_DIRECTORY);
        (found.map(|(_, path)| path).unwrap_or_default(), Origin::Entry(field.number(), DATA_DIRECTORY.into()))
    };
    let (path, origin) = match (of(field::POOL_RUNTIME_CONFIG), disk) {
        ((path, origin), _) if !path.is_empty() => (path, origin),
        (_, "Temporary") => ("/mnt/aks/containers", conversion.computed_from(&[field::KUBELET_DISK_TYPE.number()])),
        _ => of(field::CLUSTER_RUNTIME_CONFIG),
    };
    conversion.set(target!(kubelet_config.container_data_dir), path, origin);
}

const DATA_DIRECTORY: &str = "dataDir";

fn programs(conversion: &mut Conversion<'_, '_>) {
    conversion.copy(field::CUSTOM_KUBE_BINARY_URL, target!(kube_binary_config.kube_binary_url));
    conversion.copy(field::KUBELET_COMPONENT_DOWNLOAD_URL, target!(kube_binary_config.custom_kube_binary_url));
    conversion.copy(field::LINUX_PRIVATE_PACKAGE_URL, target!(kube_binary_config.private_kube_binary_url));
    conversion.copy(field::POD_INFRA_CONTAINER_IMAGE_URL, target!(kube_binary_config.pod_infra_container_image_url));
    conversion.copy(field::LINUX_CREDENTIAL_PROVIDER_URL, target!(kube_binary_config.linux_credential_provider_url));
    conversion.copy(field::CUSTOM_KUBE_PROXY_IMAGE, target!(kube_proxy_url));
    let hyperkube = conversion.document.text(field::HYPERKUBE_IMAGE_URL);
    conversion.set_variable("HYPERKUBE_URL", hyperkube);
    if !hyperkube.is_empty() {
        conversion.report_loss(field::HYPERKUBE_IMAGE_URL, "the contract has no hyperkube image");
        // The reference sets it for older versions only.
        if !conversion.is_at_least(17) {
            conversion.set_variable("KUBELET_IMAGE", hyperkube);
        }
    }
}
