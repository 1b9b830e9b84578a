//! The container runtime, GPUs, the disk for containers, and the programs that a node installs.

use std::collections::BTreeMap;

use crate::configuration::{KubeletDisk, WorkloadRuntime};
use crate::inputs::member::{Member, member};
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::request::{kubernetes, pool, properties};

pub(super) fn convert(conversion: &mut Conversion<'_>) {
    container_runtime(conversion);
    gpu(conversion);
    data_directory(conversion);
    programs(conversion);
    let request = conversion.request;
    conversion.copy_text(pool!(request.vmSize), target!(vm_size));
    conversion.copy(member!(request.EnableArtifactStreaming), target!(enable_artifact_streaming));
    conversion.copy(member!(request.EnabledFeatures), target!(enabled_features));
    let runtime = pool!(request.workloadRuntime);
    if runtime.text() == "OCIContainer" {
        conversion.set(target!(workload_runtime), WorkloadRuntime::OciContainer, Origin::Field(runtime.path));
    }
}

fn container_runtime(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let runtime = pool!(request.kubernetesConfig.containerRuntime);
    let tool = match runtime.text() {
        "containerd" => "ctr",
        "" => "",
        _ => "docker",
    };
    conversion.set_variable("CLI_TOOL", tool);
    let base = member!(request.CloudSpecConfig.kubernetesSpecConfig.containerdDownloadURLBase);
    conversion.copy_text(base, target!(containerd_config.containerd_download_url_base));
    if runtime.text() == "containerd" {
        conversion.copy_text(member!(request.ContainerdVersion), target!(containerd_config.containerd_version));
        conversion.copy_text(member!(request.ContainerdPackageURL), target!(containerd_config.containerd_package_url));
    } else {
        conversion.report_loss(runtime, "the scriptless route always runs containerd");
    }
    conversion.copy_text(member!(request.RuncVersion), target!(runc_config.runc_version));
    conversion.copy_text(member!(request.RuncPackageURL), target!(runc_config.runc_package_url));
}

fn gpu(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    conversion.copy(member!(request.EnableNvidia), target!(gpu_config.enable_nvidia));
    conversion.copy(member!(request.EnableAMDGPU), target!(gpu_config.enable_amd_gpu));
    conversion.copy(member!(request.ConfigGPUDriverIfNeeded), target!(gpu_config.config_gpu_driver));
    conversion.copy(member!(request.EnableGPUDevicePluginIfNeeded), target!(gpu_config.gpu_device_plugin));
    conversion.copy_text(member!(request.GPUInstanceProfile), target!(gpu_config.gpu_instance_profile));
    conversion.copy_text(member!(request.MigStrategy), target!(gpu_config.mig_strategy));
    conversion.copy(member!(request.MIGProfileLayout), target!(gpu_config.mig_profile_layout));
    conversion.copy(
        member!(request.ManagedGPUExperienceAFECEnabled),
        target!(gpu_config.managed_gpu_experience_afec_enabled),
    );
    conversion.copy(member!(request.EnableManagedGPU), target!(gpu_config.enable_managed_gpu));
    conversion.copy(member!(request.EnableManagedGPUDRA), target!(gpu_config.enable_managed_gpu_dra));
}

/// The pool's own directory takes precedence over the temporary disk's, which takes precedence over the cluster's.
fn data_directory(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let disk = pool!(request.kubeletDiskType);
    let known = match disk.text() {
        "OS" => Some(KubeletDisk::OsDisk),
        "Temporary" => Some(KubeletDisk::TempDisk),
        _ => None,
    };
    if let Some(known) = known {
        conversion.set(target!(kubelet_config.kubelet_disk_type), known, Origin::Field(disk.path));
    }
    conversion.set_variable("HAS_KUBELET_DISK_TYPE", (!["", "OS"].contains(&disk.text())).to_string());
    let of_pool = entry(pool!(request.kubernetesConfig.containerRuntimeConfig), "dataDir");
    let (path, origin) = match disk.text() {
        _ if !of_pool.0.is_empty() => of_pool,
        "Temporary" => ("/mnt/aks/containers", Origin::computed([disk.presence()])),
        _ => entry(kubernetes!(request.containerRuntimeConfig), "dataDir"),
    };
    conversion.set(target!(kubelet_config.container_data_dir), path, origin);
}

/// Returns the text at a key, empty if the key is absent, and its origin.
fn entry<'d>(map: Member<'d, BTreeMap<String, String>>, key: &'static str) -> (&'d str, Origin) {
    let text = map.value.and_then(|entries| entries.get(key)).map_or("", String::as_str);
    (text, Origin::Entry(map.path, key.into()))
}

fn programs(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    conversion.copy_text(kubernetes!(request.customKubeBinaryURL), target!(kube_binary_config.kube_binary_url));
    let custom = properties!(request.customConfiguration.KubernetesConfigurations.kubelet.DownloadURL);
    conversion.copy_text(custom, target!(kube_binary_config.custom_kube_binary_url));
    let private = member!(request.K8sComponents.LinuxPrivatePackageURL);
    conversion.copy_text(private, target!(kube_binary_config.private_kube_binary_url));
    let sandbox = member!(request.K8sComponents.PodInfraContainerImageURL);
    conversion.copy_text(sandbox, target!(kube_binary_config.pod_infra_container_image_url));
    let provider = member!(request.K8sComponents.LinuxCredentialProviderURL);
    conversion.copy_text(provider, target!(kube_binary_config.linux_credential_provider_url));
    conversion.copy_text(kubernetes!(request.customKubeProxyImage), target!(kube_proxy_url));
    let hyperkube = member!(request.K8sComponents.HyperkubeImageURL);
    conversion.set_variable("HYPERKUBE_URL", hyperkube.text());
    if !hyperkube.text().is_empty() {
        conversion.report_loss(hyperkube, "the contract has no hyperkube image");
    }
    // The reference only sets it for older versions.
    if !conversion.is_at_least(17) {
        conversion.set_variable("KUBELET_IMAGE", hyperkube.text());
    }
}
