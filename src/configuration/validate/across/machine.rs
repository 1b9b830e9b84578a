//! Checks that downloads, GPU settings and reservations fit the VM size.

use super::super::fields::{Context, Text, at, field, quoted};
use super::super::syntax::quantity;
use crate::catalogue::{gpu, rules, vm_sizes};
use crate::configuration::FieldPath;
use crate::document::{DocPath, Finding, Severity};

/// Downloads that are built for one architecture.
const DOWNLOADS: [&FieldPath; 9] = [
    field!("bootstrapping_config.secure_tls_bootstrapping_custom_client_download_url"),
    field!("containerd_config.containerd_package_url"),
    field!("kube_binary_config.custom_kube_binary_url"),
    field!("kube_binary_config.kube_binary_url"),
    field!("kube_binary_config.linux_credential_provider_url"),
    field!("kube_binary_config.pod_infra_container_image_url"),
    field!("kube_binary_config.private_kube_binary_url"),
    field!("network_config.vnet_cni_plugins_url"),
    field!("runc_config.runc_package_url"),
];

pub(super) fn architecture(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(size) = context.text(field!("vm_size")) else { return };
    let Some(expected) = vm_sizes::architecture(size.value) else { return };
    for label in context.texts(field!("kubelet_config.kubelet_node_labels")) {
        let is_architecture =
            ["kubernetes.io/arch", "beta.kubernetes.io/arch"].iter().any(|key| label.key() == Some(key));
        if is_architecture && label.value != expected {
            let problem = format!("is {}, but `{}` has {expected} processors", quoted(label.value), size.value);
            findings.push(Finding::violation(&rules::ARCHITECTURE, label.path(), problem));
        }
    }
    // No image for Arm64 has its programs: `vhdbuilder/packer/install-dependencies.sh` of AgentBaker.
    if expected == "arm64" && context.configuration.enable_artifact_streaming {
        let problem = format!(
            "needs programs that images of AKS for {expected} do not have, and `{}` has {expected} processors: provisioning \
             ends with exit code 153",
            size.value
        );
        let finding = Finding::violation(&rules::ARCHITECTURE, at(field!("enable_artifact_streaming")), problem);
        findings.push(finding.severity(Severity::Warning));
    }
    for path in DOWNLOADS {
        for url in context.texts(path) {
            if let Some(found) = architecture_of(url.value).filter(|found| *found != expected) {
                let problem = format!("is a download for {found}, but `{}` has {expected} processors", size.value);
                findings.push(Finding::violation(&rules::ARCHITECTURE, url.path(), problem));
            }
        }
    }
}

/// Kata runs pods in VMs of their own inside the node.
pub(super) fn nested(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(size) = context.text(field!("vm_size")) else { return };
    if context.configuration.is_kata && vm_sizes::lacks_nested_vms(size.value) {
        let problem = format!("needs VMs inside the node, which `{}` cannot run: no pod of Kata starts", size.value);
        let finding = Finding::violation(&rules::KATA_VM_SIZE, at(field!("is_kata")), problem);
        findings.push(finding.hint("choose a size such as `Standard_D4s_v5`"));
    }
}

/// The swap file is on the temporary disk, else on the disk of the operating system.
pub(super) fn swap(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(size) = context.number(field!("custom_linux_os_config.swap_file_size")) else { return };
    let is_enabled =
        context.configuration.custom_linux_os_config.as_ref().is_some_and(|system| system.enable_swap_config);
    let vm_size = context.text(field!("vm_size"));
    let largest = vm_size.map_or(vm_sizes::LARGEST_DISK_GIB, |size| vm_sizes::largest_disk_gib(size.value));
    if is_enabled && i64::from(size.value) > largest * 1024 {
        let expected = format!("at most {}, the megabytes of the largest disk of a node", largest * 1024);
        findings.push(size.must_be(&rules::SWAP_TOO_LARGE, expected));
    }
}

/// Returns the architecture that a URL names, if it names exactly one.
fn architecture_of(url: &str) -> Option<&'static str> {
    let names = |words: [&str; 2]| words.iter().any(|word| url.contains(word));
    match (names(["amd64", "x86_64"]), names(["arm64", "aarch64"])) {
        (true, false) => Some("amd64"),
        (false, true) => Some("arm64"),
        _ => None,
    }
}

pub(super) fn gpu(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(size) = context.text(field!("vm_size")) else { return };
    let is_enabled = context.configuration.gpu_config.as_ref().is_some_and(|gpu| gpu.enable_nvidia.unwrap_or_default());
    findings.extend(gpu_mismatch(size.value, is_enabled, at(field!("gpu_config.enable_nvidia"))));
}

/// Without the driver, the scripts skip the step. Together, device plugin and DRA driver end it.
pub(super) fn managed_gpu(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(gpu) = &context.configuration.gpu_config else { return };
    let fields = [
        (gpu.enable_managed_gpu, field!("gpu_config.enable_managed_gpu")),
        (gpu.enable_managed_gpu_dra, field!("gpu_config.enable_managed_gpu_dra")),
    ];
    let is_enabled = gpu.enable_nvidia.unwrap_or_default();
    for (_, field) in fields.iter().filter(|(is_set, _)| *is_set && !is_enabled) {
        let problem = "has no effect, because `enable_nvidia` is not `true`";
        findings.push(Finding::violation(&rules::MANAGED_GPU, at(field), problem));
    }
    if is_enabled && fields.iter().all(|(is_set, _)| *is_set) {
        let problem = "must not be set together with `enable_managed_gpu`: provisioning ends with exit code 123";
        findings.push(Finding::violation(&rules::MANAGED_GPU, at(fields[1].1), problem));
    }
}

/// Returns a finding if a size has NVIDIA GPUs that are not enabled, or if they are enabled on a size without any.
/// `path` is the location of the switch.
pub(crate) fn gpu_mismatch(size: &str, is_enabled: bool, path: DocPath) -> Option<Finding> {
    let (rule, problem) = match (vm_sizes::has_nvidia_gpu(size)?, is_enabled) {
        (true, false) => {
            (&rules::GPU_NOT_ENABLED, format!("is not `true`, but `{size}` has NVIDIA GPUs: pods cannot use them"))
        }
        (false, true) => (&rules::GPU_MISSING, format!("is `true`, but `{size}` has no NVIDIA GPU")),
        _ => return None,
    };
    let finding = Finding::violation(rule, path, problem);
    // The reference's own documents enable them on sizes with GPUs of AMD.
    Some(if gpu::has_amd(&size.to_lowercase()) { finding.severity(Severity::Warning) } else { finding })
}

/// Compares the reserved CPUs with the CPUs of the VM size. The name of a size does not say its memory.
pub(super) fn reserved(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(size) = context.text(field!("vm_size")) else { return };
    let flags = ["--kube-reserved", "--system-reserved"].into_iter().filter_map(|name| {
        let flag = context.flag(name)?;
        let cpu = flag.value.split(',').find_map(|pair| pair.strip_prefix("cpu="))?;
        Some((quantity(cpu)?, flag.path()))
    });
    let has_file =
        context.configuration.kubelet_config.as_ref().is_some_and(|kubelet| kubelet.enable_kubelet_config_file);
    let in_file = [
        field!("kubelet_config.kubelet_config_file_config.kube_reserved"),
        field!("kubelet_config.kubelet_config_file_config.system_reserved"),
    ];
    findings.extend(without_cpu(flags.collect(), size.value));
    if has_file {
        findings.extend(without_cpu(
            in_file.iter().flat_map(|field| context.texts(field)).filter_map(cpu).collect(),
            size.value,
        ));
    }
}

fn cpu(entry: Text<'_>) -> Option<(f64, DocPath)> {
    (entry.key() == Some("cpu")).then_some(())?;
    Some((quantity(entry.value)?, entry.path()))
}

/// Returns a finding for reservations that leave no CPU of a size for pods. The items are CPUs and path.
pub(crate) fn without_cpu(reservations: Vec<(f64, DocPath)>, size: &str) -> Option<Finding> {
    let cpus = vm_sizes::cpus(size)?;
    let sum: f64 = reservations.iter().map(|(cpu, _)| cpu).sum();
    let (_, path) = reservations.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    #[expect(clippy::cast_precision_loss, reason = "no machine has so many CPUs")]
    let is_beyond = sum >= cpus as f64;
    let problem = format!("leaves no CPU for pods: {sum} are reserved in all, and `{size}` has {cpus}");
    is_beyond.then(|| Finding::violation(&rules::RESERVED_RESOURCES, path, problem))
}
