//! Node pools, as `az aks nodepool` prints them: what a user has chosen for the nodes.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::azure::{RESOURCE, id_part, own_identity, subnet_id};
use super::document::{Read, misspelled, unused};
use super::forms::{Form, at, shortened};
use crate::catalogue::operating_systems::{is_windows, sku_of_image, versioned_sku};
use crate::configuration::syntax::is_label_value;
use crate::configuration::{Configuration, Descriptor, Kind};
use crate::draft::state::{Draft, Pool, flag_path};

/// `az aks nodepool show`, or an element of `az aks nodepool list`.
pub(super) fn node_pool(document: &mut Read<'_>) {
    if document.text("id").is_some() {
        own_identity(document);
    }
    let name = document.text("name").unwrap_or_default().to_owned();
    // What a pool says is read when the pool has been chosen.
    let origin = document.origin.clone();
    let pool = Pool { name, value: document.value.clone(), origin, is_alone: true };
    document.draft.pools.push(pool);
}

/// The members whose text is the value of a field.
const COPIED: [(&str, &str); 3] = [
    ("gpuInstanceProfile", "gpu_config.gpu_instance_profile"),
    ("gpuProfile.nvidia.migStrategy", "gpu_config.mig_strategy"),
    ("messageOfTheDay", "message_of_the_day"),
];

/// The members of which one word sets a field: the member, the word, the field and its value.
const CHOICES: [(&str, &str, &str, Choice); 7] = [
    ("gpuProfile.driver", "None", "gpu_config.config_gpu_driver", Choice::Flag(false)),
    // What installs the driver later, such as an operator, brings the device plugin too.
    ("gpuProfile.driver", "None", "gpu_config.gpu_device_plugin", Choice::Flag(false)),
    ("gpuProfile.nvidia.managementMode", "Managed", "gpu_config.enable_managed_gpu", Choice::Flag(true)),
    ("securityProfile.sshAccess", "Disabled", "enable_ssh", Choice::Flag(false)),
    ("securityProfile.sshAccess", "EntraId", "disable_pubkey_auth", Choice::Flag(true)),
    ("kubeletDiskType", "Temporary", "kubelet_config.kubelet_disk_type", Choice::Name("KUBELET_DISK_TEMP_DISK")),
    ("kubeletDiskType", "OS", "kubelet_config.kubelet_disk_type", Choice::Name("KUBELET_DISK_OS_DISK")),
];

/// What a word of a pool sets a field to.
#[derive(Clone, Copy)]
enum Choice {
    Flag(bool),
    Name(&'static str),
}

impl From<Choice> for Value {
    fn from(choice: Choice) -> Self {
        match choice {
            Choice::Flag(is_on) => is_on.into(),
            Choice::Name(name) => name.into(),
        }
    }
}

/// Adds the values of the node pool that was chosen. They replace those of the cluster.
pub(in crate::draft) fn add_pool(draft: &mut Draft, pool: &Pool) {
    let text = |path: &str| at(&pool.value, path).and_then(Value::as_str).filter(|text| !text.is_empty());
    let origin = |path: &str| format!("from {}: {path}", pool.origin);
    if runs_windows(&pool.value) {
        draft
            .errors
            .push(format!("the node pool `{}` runs Windows, which has no Configuration: choose another", pool.name));
        return;
    }
    let sizes = sizes_of_machines(&pool.value);
    let mut replace = |path: &str, value: Value, from: &str| {
        draft.files.remove(path);
        draft.fact(path, value, &origin(from));
    };
    for path in ["orchestratorVersion", "currentOrchestratorVersion"] {
        if let Some(version) = text(path).filter(|version| version.split('.').count() == 3) {
            replace("kubernetes_version", version.into(), path);
        }
    }
    if let Some(size) = text("vmSize") {
        replace("vm_size", size.into(), "vmSize");
    } else if let [(size, path)] = sizes.as_slice() {
        replace("vm_size", (*size).into(), path);
    }
    if let Some(pods) = at(&pool.value, "maxPods").and_then(Value::as_i64).filter(|pods| *pods > 0) {
        replace(&flag_path("--max-pods"), pods.to_string().into(), "maxPods");
    }
    let kind = text("typePropertiesType").or_else(|| text("type").filter(|kind| !kind.contains('/')));
    let vm_type = match kind {
        Some("VirtualMachineScaleSets") => Some("VM_TYPE_VMSS"),
        Some("AvailabilitySet" | "VirtualMachines") => Some("VM_TYPE_STANDARD"),
        _ => None,
    };
    if let Some(vm_type) = vm_type {
        replace("cluster_config.vm_type", vm_type.into(), "type");
    }
    for (member, field) in COPIED {
        if let Some(value) = text(member) {
            replace(field, value.into(), member);
        }
    }
    for (member, word, field, value) in CHOICES {
        if text(member).is_some_and(|text| text.eq_ignore_ascii_case(word)) {
            replace(field, value.into(), member);
        }
    }
    let path = "artifactStreamingProfile.enabled";
    if at(&pool.value, path).is_some_and(|value| value == true) {
        replace("enable_artifact_streaming", true.into(), path);
    }
    if text("workloadRuntime").is_some_and(|runtime| runtime.starts_with("Kata")) {
        replace("is_kata", true.into(), "workloadRuntime");
    }
    notes(draft, pool, &sizes);
    pool_labels(draft, pool);
    pod_subnet(draft, pool);
    if let Some(kind) = kind {
        const LABEL: &str = "kubernetes.azure.com/nodepool-type";
        draft.hints.labels.retain(|(known, ..)| known != LABEL);
        draft.hints.labels.push((LABEL.to_owned(), kind.to_owned(), origin("type")));
    }
    kubelet_config(draft, pool);
    linux_config(draft, pool);
    local_dns(draft, pool);
    if let Some(id) = text("vnetSubnetId") {
        subnet_id(draft, id, &origin("vnetSubnetId"));
    }
    draft.hints.taints = taints(pool);
    let has_spot_taint = draft.hints.taints.iter().any(|taint| taint.starts_with(SPOT));
    if text("scaleSetPriority") == Some("Spot") && !has_spot_taint {
        draft.hints.taints.push(format!("{SPOT}=spot:NoSchedule"));
    }
    unread(draft, pool);
}

/// The members with the taints of the nodes. A node registers with those of its initialization too, which can be removed from it later.
/// <https://learn.microsoft.com/azure/aks/use-node-taints>
const TAINTS: [&str; 2] = ["nodeTaints", "nodeInitializationTaints"];

/// Returns the taints with which the nodes of a pool register: of those with one key and effect the first, because the kubelet rejects others.
fn taints(pool: &Pool) -> Vec<String> {
    let lists = TAINTS.iter().filter_map(|name| at(&pool.value, name)?.as_array());
    let taints = lists.flatten().filter_map(Value::as_str);
    let mut known = HashSet::new();
    taints
        .filter(|taint| known.insert((taint.split(['=', ':']).next(), taint.rsplit(':').next())))
        .map(str::to_owned)
        .collect()
}

/// Lists members that are misspelled, that have a value of another form than `az` prints, and that nothing reads.
fn unread(draft: &mut Draft, pool: &Pool) {
    let read: Vec<_> = READ.iter().map(|(path, _)| *path).chain(RESOURCE.iter().copied()).collect();
    let misformed = READ.iter().filter_map(|(path, form)| form.problem(&pool.value, path));
    let problems = misspelled(&pool.value, &read).into_iter().chain(shortened(&pool.value, &read)).chain(misformed);
    draft.dropped.extend(problems.map(|problem| format!("{}: {problem}", pool.origin)));
    let unread = unused(&pool.value, &read);
    if !unread.is_empty() {
        draft.dropped.push(format!("{}: ignored; set the parts that a node needs by hand: {unread}", pool.origin));
    }
}

/// Reports whether the nodes of a pool run Windows. A query can leave out the type of the operating system.
pub(in crate::draft) fn runs_windows(pool: &Value) -> bool {
    let text = |path: &str| at(pool, path).and_then(Value::as_str).unwrap_or_default();
    is_windows(text("osType")) || is_windows(text("osSku")) || text("nodeImageVersion").starts_with("AKSWindows")
}

/// Adds what a user has to do for the nodes of a pool.
fn notes(draft: &mut Draft, pool: &Pool, sizes: &[(&str, &str)]) {
    let text = |path: &str| at(&pool.value, path).and_then(Value::as_str).filter(|text| !text.is_empty());
    if text("vmSize").is_none() && sizes.len() > 1 {
        let sizes = sizes.iter().map(|(size, _)| format!("`{size}`")).collect::<Vec<_>>().join(", ");
        draft.dropped.push(format!("{}: has machines of several sizes: choose {sizes} with --vm-size", pool.origin));
    }
    // Older versions of the API have others, and `OCIContainer` for containers as on any node.
    let others = |runtime: &&str| !runtime.starts_with("Kata") && !runtime.eq_ignore_ascii_case("OCIContainer");
    if let Some(runtime) = text("workloadRuntime").filter(others) {
        let problem = "nodes of AKS no longer have this runtime: ignored";
        draft.dropped.push(format!("{}: workloadRuntime is `{runtime}`: {problem}", pool.origin));
    }
    if text("gpuProfile.driver") == Some("None") {
        let problem = "a node without the tag `SkipGpuDriverInstall=true` still loads the driver of its image";
        draft.dropped.push(format!("{}: gpuProfile.driver is `None`: {problem}", pool.origin));
    }
}

/// The labels by which the network plugin finds the subnet of pods, if they have one of their own.
fn pod_subnet(draft: &mut Draft, pool: &Pool) {
    const GUID: &str = "kubernetes.azure.com/podnetwork-delegationguid";
    let Some(id) = at(&pool.value, "podSubnetId").and_then(Value::as_str).filter(|id| !id.is_empty()) else { return };
    // With blocks, a node has ranges of addresses instead of single ones.
    let mode = at(&pool.value, "podIpAllocationMode").and_then(Value::as_str);
    draft.hints.pod_network = Some(if mode == Some("StaticBlock") { "vnetblock" } else { "vnet" });
    let origin = format!("from {}: podSubnetId", pool.origin);
    for (label, part) in [
        ("subscription", "subscriptions"),
        ("resourcegroup", "resourceGroups"),
        ("name", "virtualNetworks"),
        ("subnet", "subnets"),
    ] {
        if let Some(value) = id_part(id, part) {
            let label = format!("kubernetes.azure.com/podnetwork-{label}");
            draft.hints.labels.push((label, value.to_owned(), origin.clone()));
        }
    }
    let command = format!(
        "kubectl get nodes -l kubernetes.azure.com/agentpool={} -o jsonpath='{{.items[0].metadata.labels.{}}}'",
        pool.name,
        GUID.replace('.', "\\.")
    );
    let problem = format!("nodes also need the label `{GUID}`, which this prints");
    draft.dropped.push(format!("{}: podSubnetId: {problem}: {command}", pool.origin));
}

/// The key of the label and the taint of a spot node.
const SPOT: &str = "kubernetes.azure.com/scalesetpriority";

/// Returns the VM sizes of a pool of single machines, which has one or more, each with the member that has it.
fn sizes_of_machines(pool: &Value) -> Vec<(&str, &'static str)> {
    let mut sizes: Vec<(&str, _)> = Vec::new();
    for path in ["virtualMachinesProfile.scale.manual", "virtualMachinesProfile.scale.autoscale"] {
        // Only one profile can scale by itself, which newer versions of the API have without a list.
        let profiles = match at(pool, path) {
            Some(Value::Array(profiles)) => profiles.as_slice(),
            Some(profile) => std::slice::from_ref(profile),
            None => &[],
        };
        for size in profiles.iter().filter_map(|profile| at(profile, "size").and_then(Value::as_str)) {
            if sizes.iter().all(|(known, _)| !known.eq_ignore_ascii_case(size)) {
                sizes.push((size, path));
            }
        }
    }
    sizes
}

/// The members of a node pool that are read, and the forms of their values.
const READ: &[(&str, Form)] = &[
    ("artifactStreamingProfile.enabled", Form::Flag),
    ("currentOrchestratorVersion", Form::Text),
    ("enableFips", Form::Flag),
    ("gpuInstanceProfile", Form::Text),
    ("gpuProfile.driver", Form::Text),
    ("gpuProfile.nvidia.managementMode", Form::Text),
    ("gpuProfile.nvidia.migStrategy", Form::Text),
    ("kubeletConfig", Form::Object),
    ("kubeletDiskType", Form::Text),
    ("linuxOsConfig", Form::Object),
    ("localDnsProfile", Form::Object),
    ("maxPods", Form::Number),
    ("messageOfTheDay", Form::Text),
    ("mode", Form::Text),
    ("nodeImageVersion", Form::Text),
    ("nodeInitializationTaints", Form::Taints),
    ("nodeLabels", Form::Labels),
    ("nodeTaints", Form::Taints),
    ("orchestratorVersion", Form::Text),
    ("osDiskType", Form::Text),
    ("osSku", Form::Text),
    ("osType", Form::Text),
    ("podIpAllocationMode", Form::Text),
    ("podSubnetId", Form::Text),
    ("powerState", Form::Any),
    ("scaleSetPriority", Form::Text),
    ("securityProfile.enableSecureBoot", Form::Flag),
    ("securityProfile.enableVtpm", Form::Flag),
    ("securityProfile.sshAccess", Form::Text),
    ("typePropertiesType", Form::Text),
    ("virtualMachinesProfile.scale.autoscale", Form::Any),
    ("virtualMachinesProfile.scale.manual", Form::Any),
    ("vmSize", Form::Text),
    ("vnetSubnetId", Form::Text),
    ("workloadRuntime", Form::Text),
];

fn pool_labels(draft: &mut Draft, pool: &Pool) {
    let text = |path: &str| at(&pool.value, path).and_then(Value::as_str).filter(|text| !text.is_empty());
    let is_on = |path: &str| at(&pool.value, path).is_some_and(|value| value == true);
    let mut label = |name: &str, value: &str, path: &str| {
        let origin = format!("from {}: {path}", pool.origin);
        draft.hints.labels.retain(|(known, ..)| known != name);
        draft.hints.labels.push((name.to_owned(), value.to_owned(), origin));
    };
    if let Some(mode) = text("mode") {
        label("kubernetes.azure.com/mode", &mode.to_lowercase(), "mode");
    }
    if let Some(sku) = text("osSku") {
        // The pool can name the version too, which another label has.
        let plain = ["Ubuntu", "AzureLinux"].into_iter().find(|plain| {
            let version = sku.strip_prefix(plain).unwrap_or("-");
            // The second version is another system.
            version.bytes().all(|byte| byte.is_ascii_digit()) && sku != "AzureLinux2"
        });
        label("kubernetes.azure.com/os-sku", plain.unwrap_or(sku), "osSku");
        label("kubernetes.azure.com/os-sku-requested", sku, "osSku");
    } else if let Some(sku) = text("nodeImageVersion").and_then(sku_of_image) {
        // Older versions of the API have no member for it, and a query can leave it out.
        label("kubernetes.azure.com/os-sku", sku, "nodeImageVersion");
    }
    if at(&pool.value, "enableFips").is_some_and(|value| value == true) {
        label("kubernetes.azure.com/fips_enabled", "true", "enableFips");
    }
    if at(&pool.value, "artifactStreamingProfile.enabled").is_some_and(|value| value == true) {
        label("kubernetes.azure.com/artifactstreaming-enabled", "true", "artifactStreamingProfile.enabled");
    }
    // The node selectors of the runtime classes.
    match text("workloadRuntime") {
        Some("KataMshvVmIsolation") => label("kubernetes.azure.com/kata-mshv-vm-isolation", "true", "workloadRuntime"),
        Some("KataVmIsolation") => label("kubernetes.azure.com/kata-vm-isolation", "true", "workloadRuntime"),
        _ => {}
    }
    if text("osDiskType") == Some("Ephemeral") {
        label("kubernetes.azure.com/storageprofile", "ephemeral", "osDiskType");
    }
    if let Some(image) = text("nodeImageVersion") {
        // The names of images before 2020 had colons, which a label cannot have.
        if is_label_value(image) {
            label("kubernetes.azure.com/node-image-version", image, "nodeImageVersion");
        }
        if image.to_uppercase().contains("CVM") {
            label("kubernetes.azure.com/security-type", "ConfidentialVM", "nodeImageVersion");
        } else if is_on("securityProfile.enableSecureBoot") || is_on("securityProfile.enableVtpm") {
            label("kubernetes.azure.com/security-type", "TrustedLaunch", "securityProfile");
        }
        if let Some(sku) = versioned_sku(image) {
            label("kubernetes.azure.com/os-sku-effective", &sku, "nodeImageVersion");
        }
    }
    if text("scaleSetPriority") == Some("Spot") {
        label(SPOT, "spot", "scaleSetPriority");
        label("kubernetes.azure.com/priority", "spot", "scaleSetPriority");
    }
    let Some(of_user) = at(&pool.value, "nodeLabels").and_then(Value::as_object) else { return };
    let origin = format!("from {}: nodeLabels", pool.origin);
    // A user's label replaces one that AKS sets. Names of members are unique, so only earlier labels are compared.
    draft.hints.labels.retain(|(known, ..)| !of_user.contains_key(known));
    draft.hints.labels.extend(of_user.iter().map(|(name, value)| {
        let text = value.as_str().map(str::to_owned).or_else(|| (!value.is_null()).then(|| value.to_string()));
        (name.clone(), text.unwrap_or_default(), origin.clone())
    }));
}

/// The settings of the kubelet that a user can choose for a node pool, and their flags.
const KUBELET: [(&str, &str); 11] = [
    ("cpuManagerPolicy", "--cpu-manager-policy"),
    ("cpuCfsQuota", "--cpu-cfs-quota"),
    ("cpuCfsQuotaPeriod", "--cpu-cfs-quota-period"),
    ("imageGcHighThreshold", "--image-gc-high-threshold"),
    ("imageGcLowThreshold", "--image-gc-low-threshold"),
    ("topologyManagerPolicy", "--topology-manager-policy"),
    ("podMaxPids", "--pod-max-pids"),
    ("containerLogMaxFiles", "--container-log-max-files"),
    ("containerLogMaxSizeMb", "--container-log-max-size"),
    ("failSwapOn", "--fail-swap-on"),
    ("seccompDefault", "--seccomp-default"),
];

fn kubelet_config(draft: &mut Draft, pool: &Pool) {
    let Some(config) = at(&pool.value, "kubeletConfig") else { return };
    for (name, flag) in KUBELET {
        let Some(value) = at(config, name) else { continue };
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let text = match name {
            "containerLogMaxSizeMb" => format!("{text}M"),
            // The API has the name of the profile.
            "seccompDefault" if text == "RuntimeDefault" => "true".to_owned(),
            "seccompDefault" if text == "Unconfined" => "false".to_owned(),
            _ => text,
        };
        draft.fact(&flag_path(flag), text, &format!("from {}: kubeletConfig.{name}", pool.origin));
    }
    let sysctls = at(config, "allowedUnsafeSysctls").and_then(Value::as_array).into_iter().flatten();
    let sysctls: Vec<_> = sysctls.filter_map(Value::as_str).collect();
    if !sysctls.is_empty() {
        let origin = format!("from {}: kubeletConfig.allowedUnsafeSysctls", pool.origin);
        draft.fact(&flag_path("--allowed-unsafe-sysctls"), sysctls.join(","), &origin);
    }
    let read: Vec<_> =
        KUBELET.iter().map(|(name, _)| *name).chain(["allowedUnsafeSysctls"]).map(str::to_owned).collect();
    drop_unread(draft, pool, "kubeletConfig", config, &read);
}

/// Lists the members of a part of a pool that a Configuration cannot represent.
fn drop_unread(draft: &mut Draft, pool: &Pool, part: &str, value: &Value, read: &[String]) {
    let origin = &pool.origin;
    // A setting that is turned off says something, too, but only with its name.
    let names: Vec<_> = read.iter().map(String::as_str).collect();
    let misspelled = misspelled(value, &names).into_iter().map(|problem| format!("{origin}: {part}.{problem}"));
    draft.dropped.extend(misspelled);
    let unread = unused(value, read);
    if !unread.is_empty() {
        draft.dropped.push(format!("{origin}: {part}: has members that a Configuration cannot represent: {unread}"));
    }
}

/// The kernel settings, the swap file and the huge pages that a user can choose for a node pool.
fn linux_config(draft: &mut Draft, pool: &Pool) {
    const SECTION: &str = "custom_linux_os_config";
    let Some(config) = at(&pool.value, "linuxOsConfig") else { return };
    let origin = |name: &str| format!("from {}: linuxOsConfig.{name}", pool.origin);
    for (field, name) in [
        ("transparent_hugepage_support", "transparentHugePageEnabled"),
        ("transparent_defrag", "transparentHugePageDefrag"),
    ] {
        if let Some(text) = at(config, name).and_then(Value::as_str) {
            draft.fact(&format!("{SECTION}.{field}"), text, &origin(name));
        }
    }
    let swap = "swapFileSizeMb";
    if let Some(size) = at(config, swap).and_then(Value::as_i64).filter(|size| *size > 0) {
        draft.fact(&format!("{SECTION}.enable_swap_config"), true, &origin(swap));
        draft.fact(&format!("{SECTION}.swap_file_size"), size, &origin(swap));
    }
    let read =
        ["transparentHugePageEnabled", "transparentHugePageDefrag", swap, "sysctls", "ulimits"].map(str::to_owned);
    drop_unread(draft, pool, "linuxOsConfig", config, &read);
    for (part, field) in [("sysctls", "sysctl_config"), ("ulimits", "ulimit_config")] {
        let Some(object) = at(config, part) else { continue };
        let (settings, unknown) = fields(message_of(message_of(Configuration::descriptor(), SECTION), field), object);
        for (name, value) in settings {
            // The word of shells for what systemd calls `infinity`.
            let value = if value == "unlimited" { "infinity".into() } else { value };
            draft.fact(&format!("{SECTION}.{field}.{name}"), value, &origin(part));
        }
        drop_unread(draft, pool, &format!("linuxOsConfig.{part}"), &Value::Object(unknown), &[]);
    }
}

/// The node-local DNS of a node pool.
fn local_dns(draft: &mut Draft, pool: &Pool) {
    const SECTION: &str = "local_dns_profile";
    let Some(profile) = at(&pool.value, "localDnsProfile") else { return };
    let origin = |name: &str| format!("from {}: localDnsProfile.{name}", pool.origin);
    let text = |name: &str| at(profile, name).and_then(Value::as_str);
    // `Preferred` leaves the decision to AKS, which prints it as the state.
    let is_on = text("state").map_or(text("mode") == Some("Required"), |state| state == "Enabled");
    let name = if text("state").is_some() { "state" } else { "mode" };
    draft.fact(&format!("{SECTION}.enable_local_dns"), is_on, &origin(name));
    let read = ["mode", "state", "vnetDnsOverrides", "kubeDnsOverrides"].map(str::to_owned);
    drop_unread(draft, pool, "localDnsProfile", profile, &read);
    if !is_on {
        return;
    }
    let profile_message = message_of(Configuration::descriptor(), SECTION);
    for (field, name) in [("vnet_dns_overrides", "vnetDnsOverrides"), ("kube_dns_overrides", "kubeDnsOverrides")] {
        let zones = at(profile, name).and_then(Value::as_object).into_iter().flatten();
        let zones: Map<_, _> = zones
            .map(|(zone, settings)| {
                let (known, unknown) = fields(message_of(profile_message, field), settings);
                drop_unread(draft, pool, &format!("localDnsProfile.{name}"), &Value::Object(unknown), &[]);
                (zone.clone(), Value::Object(known))
            })
            .collect();
        if !zones.is_empty() {
            draft.fact(&format!("{SECTION}.{field}"), Value::Object(zones), &origin(name));
        }
    }
}

/// Returns the message of a field.
fn message_of(descriptor: &'static Descriptor, field: &str) -> &'static Descriptor {
    let index = descriptor.index_of(field).expect("the contract has the field");
    match descriptor.fields[index].kind {
        Kind::Message(inner) => inner,
        _ => unreachable!("`{field}` is a message"),
    }
}

/// Splits the members of an object of Azure into those that are fields of a message, with the names of the contract, and others. Both
/// have the same words in their names. Members that are `null` are left out.
fn fields(message: &'static Descriptor, object: &Value) -> (Map<String, Value>, Map<String, Value>) {
    let (mut known, mut unknown) = (Map::new(), Map::new());
    let folded = |name: &str| name.replace('_', "").to_lowercase();
    for (name, value) in object.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
        match message.fields.iter().find(|field| folded(field.name) == folded(name)) {
            Some(field) => known.insert(field.name.to_owned(), value.clone()),
            None => unknown.insert(name.clone(), value.clone()),
        };
    }
    (known, unknown)
}
