//! Findings about combinations of objects, and about settings that the conversion omits.

use crate::catalogue::gpu;
use crate::catalogue::rules;
use crate::catalogue::vm_sizes::VmSizeName;
use crate::document::{DocPath, Finding, Rule, Severity, Step};
use crate::inputs::karpenter::convert::labels::{OF_CLASS, of_another_size, of_class, unsatisfied};
use crate::inputs::karpenter::objects::NodeClass;
use crate::inputs::karpenter::{BootstrapInputs, Objects, Subnet, VmSize};
use crate::rendering::ShellWord;

/// The label that names the operating system.
const OPERATING_SYSTEM: &str = "kubernetes.io/os";

/// The label by which Azure CNI finds the network of a node whose pods have addresses of the overlay.
const NETWORK_LABEL: &str = "kubernetes.azure.com/nodenetwork-vnetguid";

/// A finding, and the object that it is about.
type ObjectFinding = (&'static str, Finding);

/// Returns the findings about objects and the inputs that they were converted to.
pub(super) fn findings(objects: &Objects, inputs: &BootstrapInputs) -> Vec<ObjectFinding> {
    let mut findings = Vec::new();
    node_class(objects, &mut findings);
    cluster(objects, inputs, &mut findings);
    instance_type(objects, &mut findings);
    requirements(objects, inputs, &mut findings);
    class_labels(objects, inputs, &mut findings);
    findings
}

fn violation(rule: &'static Rule, path: &'static str, text: impl Into<String>) -> Finding {
    Finding::violation(rule, DocPath::fields(path), text.into())
}

fn node_class(objects: &Objects, findings: &mut Vec<ObjectFinding>) {
    let Objects { claim, class, .. } = objects;
    if claim.node_class != class.name {
        let problem = format!("names `{}`, but the node class is `{}`", claim.node_class, class.name);
        let hint =
            format!("`kubectl get aksnodeclass {} --output yaml` prints it", ShellWord::quote(&claim.node_class));
        let finding = violation(&rules::KARPENTER_REFERENCE, "spec.nodeClassRef.name", problem);
        findings.push(("node-claim", finding.hint(hint)));
    }
    // Karpenter on Azure has no Windows nodes, and its script is one for Linux.
    if let Some(at) = claim.requirements.iter().position(|one| one.key == OPERATING_SYSTEM && !one.allows(&["linux"])) {
        let path = DocPath::fields("spec.requirements").join(Step::Index(at));
        let problem = "does not allow `linux`: Karpenter creates only Linux nodes on Azure";
        let hint = "create Windows nodes in a node pool: `az aks nodepool add --os-type Windows`";
        findings.push(("node-claim", Finding::violation(&rules::KARPENTER_IMAGE_FAMILY, path, problem).hint(hint)));
    }
    if class.image_family == "AzureContainerLinux" {
        let problem = "has no cloud-init, which would run Karpenter's script";
        let hint = "pass a Configuration with --base, and a route that supports Ignition: scriptless or scripted";
        findings
            .push(("node-class", violation(&rules::KARPENTER_IMAGE_FAMILY, "spec.imageFamily", problem).hint(hint)));
    }
    for ignored in &class.ignored {
        findings.push((
            "node-class",
            violation(&rules::KARPENTER_NO_EFFECT, ignored, "has no effect: Karpenter's script does not set it"),
        ));
    }
}

fn cluster(objects: &Objects, inputs: &BootstrapInputs, findings: &mut Vec<ObjectFinding>) {
    const GROUP: &str = "network_security_group_name";
    if inputs.kubernetes_version.is_empty() {
        let hint = "set it with --cluster, or in `status.kubernetesVersion` of the node class; `kubectl version --output json` prints it";
        findings.push(("cluster", Finding::missing(DocPath::fields("kubernetes_version")).hint(hint)));
    }
    if inputs.ca_bundle.is_none() {
        let hint = "set it with --cluster, as `ca_bundle` or in a kubeconfig, which `kubectl config view --raw --minify` prints";
        findings.push(("cluster", Finding::missing(DocPath::fields("ca_bundle")).hint(hint)));
    }
    if objects.cluster.network_security_group_name.is_empty() {
        let problem = "is not set, so `NETWORK_SECURITY_GROUP` and `ROUTE_TABLE` stay empty";
        let hint = "set it with --cluster; `az network nsg list` prints it";
        findings.push(("cluster", violation(&rules::KARPENTER_NO_SECURITY_GROUP, GROUP, problem).hint(hint)));
    } else if objects.cluster.id().is_none() {
        let problem =
            "must be `aks-agentpool-`, eight digits and `-nsg`: the name of the route table has the same digits";
        findings.push(("cluster", violation(&rules::KARPENTER_SECURITY_GROUP, GROUP, problem)));
    }
    if inputs.tenant_id.is_empty() {
        findings.push(("settings", missing_tenant("AZURE_TENANT_ID")));
    }
    if inputs.kubelet_identity_client_id.is_empty() {
        let problem = "is not set, so the node has no identity to pull images with";
        let hint =
            "`az aks show -g GROUP -n CLUSTER --query identityProfile.kubeletidentity.clientId -o tsv` prints it";
        findings.push(("settings", violation(&rules::IDENTITY, "KUBELET_IDENTITY_CLIENT_ID", problem).hint(hint)));
    }
    // Karpenter's controller asks Azure for it.
    if inputs.labels.get(NETWORK_LABEL).is_some_and(String::is_empty) {
        let problem = format!("is not set, so the label `{NETWORK_LABEL}` stays empty");
        let hint = "`az network vnet show -g GROUP -n NETWORK --query resourceGuid -o tsv` prints it";
        findings.push(("settings", violation(&rules::KARPENTER_NO_NETWORK, "VNET_GUID", problem).hint(hint)));
    }
    if Subnet::parse(&inputs.subnet_id).is_none() {
        findings.push(("settings", violation(&rules::SUBNET_ID, "VNET_SUBNET_ID", "must be a subnet id")));
    }
}

fn instance_type(objects: &Objects, findings: &mut Vec<ObjectFinding>) {
    let size = &objects.instance_type.size;
    if size.cores().is_none() || size.memory_gib().is_none() {
        let problem = "must have `vCPUs` and `MemoryGB`, or the node reserves no resources for Kubernetes";
        let hint = "describe the VM size with --instance-type";
        findings.push(("instance-type", violation(&rules::KARPENTER_CAPABILITIES, "capabilities", problem).hint(hint)));
    }
    if objects.instance_type.is_restricted {
        let problem = "is restricted: this subscription cannot create it in the location";
        let hint = "request it, or choose another size: `az vm list-skus` without --all lists the others";
        findings.push(("instance-type", violation(&rules::KARPENTER_VM_SIZE, "restrictions", problem).hint(hint)));
    }
    for problem in exclusions(&objects.class, size) {
        let finding = violation(&rules::KARPENTER_VM_SIZE, "name", problem);
        findings.push(("instance-type", finding.hint("Karpenter would not choose this VM size")));
    }
}

/// Returns the finding for an empty setting of the tenant.
pub(in crate::inputs::karpenter) fn missing_tenant(name: &'static str) -> Finding {
    let problem = "is not set, so `TENANT_ID` stays empty, and the node cannot sign in to Azure";
    violation(&rules::IDENTITY, name, problem).hint("`az account show --query tenantId -o tsv` prints it")
}

fn requirements(objects: &Objects, inputs: &BootstrapInputs, findings: &mut Vec<ObjectFinding>) {
    let pinned = objects.claim.pinned();
    for (at, requirement) in objects.claim.requirements.iter().enumerate() {
        if !pinned.contains_key(&requirement.key) && !inputs.labels.contains_key(&requirement.key) {
            let path = DocPath::fields("spec.requirements").join(Step::Index(at));
            let problem = format!("allows more than one value, so the node gets no label `{}`", requirement.key);
            findings.push(("node-claim", Finding::violation(&rules::KARPENTER_REQUIREMENT, path, problem)));
        }
    }
    for (at, requirement, value) in unsatisfied(&objects.claim, &objects.settings, &objects.instance_type) {
        // Windows has a finding of its own.
        if requirement.key == OPERATING_SYSTEM {
            continue;
        }
        let path = DocPath::fields("spec.requirements").join(Step::Index(at));
        let (described, key) = (requirement.described(), &requirement.key);
        let problem = match value {
            Some(value) => format!("allows {described}, but the VM size has `{value}` as `{key}`"),
            None => format!("allows {described}, but the VM size has no `{key}`"),
        };
        findings.push(("node-claim", Finding::violation(&rules::KARPENTER_VM_SIZE, path, problem)));
    }
    for (key, given, value) in of_another_size(objects) {
        let path = DocPath::fields("metadata.labels").join(Step::Key(key.clone()));
        let problem = format!("is `{given}`, but the VM size has `{value}`");
        findings.push(("node-claim", Finding::violation(&rules::KARPENTER_VM_SIZE, path, problem)));
    }
}

/// Compares the labels and the requirements of the claim with labels that follow from its node class. A pinned label replaces them, and
/// with them the operating system for which the script is made.
fn class_labels(objects: &Objects, inputs: &BootstrapInputs, findings: &mut Vec<ObjectFinding>) {
    let claim = &objects.claim;
    let labels = of_class(objects, &inputs.kubernetes_version);
    let mut report = |path: DocPath, given: String, value: Option<&str>| {
        let value = value.map_or_else(|| "no such label".to_owned(), |value| format!("`{value}`"));
        let problem = format!("{given}, but the nodes of this node class have {value}");
        let finding = Finding::violation(&rules::KARPENTER_REFERENCE, path, problem);
        findings.push(("node-claim", finding.severity(Severity::Warning)));
    };
    for key in OF_CLASS {
        let value = labels.get(key).map(String::as_str);
        if value == Some("") {
            continue;
        }
        if let Some(label) = claim.labels.get(key).filter(|label| Some(label.as_str()) != value) {
            let path = DocPath::fields("metadata.labels").join(Step::Key(key.to_owned()));
            report(path, format!("is `{label}`"), value);
        }
        let about = claim.requirements.iter().enumerate().filter(|(_, requirement)| requirement.key == key);
        for (at, requirement) in about.filter(|(_, requirement)| !requirement.allows(&Vec::from_iter(value))) {
            let path = DocPath::fields("spec.requirements").join(Step::Index(at));
            report(path, format!("allows {} as `{key}`", requirement.described()), value);
        }
    }
}

/// Returns why Karpenter would not choose a VM size for any claim of a node class.
fn exclusions(class: &NodeClass, size: &VmSize) -> Vec<&'static str> {
    let name = VmSizeName::parse(&size.name);
    let family = name.map(|name| (name.family, name.subfamily));
    let folded = size.name.to_lowercase();
    let is_gpu = size.gpus() > 0;
    let rules = [
        (size.cores().is_some_and(|cores| cores < 2), "has fewer than 2 cores"),
        (size.memory_gib().is_some_and(|memory| memory < 3.5), "has less than 3.5 GiB of memory"),
        (is_gpu && !gpu::is_nvidia(&folded) && !gpu::is_amd(&folded), "has a GPU that AKS does not know"),
        (size.name.split('_').nth(1).is_some_and(|part| part.contains('-')), "has a constrained number of cores"),
        (matches!(family, Some(("D" | "E", "C"))), "is a size for confidential computing"),
        (is_gpu && class.image_family.is_empty(), "has a GPU, but the node class sets no image family"),
        (class.installs_gpu_driver && gpu::is_amd(&folded), "has an AMD GPU, for which AKS installs no driver"),
        (
            class.trusted_launch.is_on()
                && (size.only_generation() == Some("1") || size.switch("TrustedLaunchDisabled") == Some(true)),
            "does not support trusted launch",
        ),
        (
            class.artifact_streaming && size.architecture() == Some("arm64"),
            "is arm64, for which AKS has no artifact streaming",
        ),
    ];
    rules.into_iter().filter(|(applies, _)| *applies).map(|(_, rule)| rule).collect()
}
