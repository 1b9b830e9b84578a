//! The values that follow from others by the rules of AKS.

use serde_json::{Value, json};

use super::labels;
use super::state::{Draft, flag_path};
use crate::catalogue::clouds;
use crate::catalogue::field_sources::{FieldSource, of_field};
use crate::catalogue::gpu::has_amd;
use crate::catalogue::kubelet_defaults;
use crate::catalogue::local_dns::{CLUSTER_LISTENER, DEFAULT_CLUSTER_DNS};
use crate::catalogue::minors::KNOWN;
use crate::catalogue::reservations::{reserved_cpu, reserved_memory, reserved_memory_for_pods};
use crate::catalogue::vm_sizes;
use crate::configuration::Version;

/// The pause image of current node images.
const PAUSE_IMAGE: &str = "mcr.microsoft.com/oss/v2/kubernetes/pause:3.6";

/// The server of the packages of AKS, and the version of the Azure CNI plugins on current node images.
const PACKAGES: &str = "https://packages.aks.azure.com";
const AZURE_CNI: &str = "1.6.26";

/// The Entra ID application of the API servers of AKS.
const SECURE_TLS_RESOURCE: &str = "6dae42f8-4368-4678-94ff-3960e28e3630";

/// Adds every value that can be computed.
pub(super) fn compute(draft: &mut Draft) {
    draft.put("version", "v1", "the version of the contract");
    draft.put("linux_admin_username", "azureuser", "the default of AKS");
    draft.put("is_vhd", true, "the node runs an AKS node image");
    draft.put("needs_cgroupv2", true, "images of AKS use control groups v2 from Kubernetes 1.25 on");
    join(draft);
    identity(draft);
    cluster(draft);
    network(draft);
    downloads(draft);
    kubelet(draft);
    labels::labels(draft);
    gpu(draft);
}

/// Returns the rows of the fields that the document needs.
pub(super) fn needed(draft: &Draft) -> Vec<&'static FieldSource> {
    let mut fields = vec![
        "kubernetes_version",
        "vm_size",
        "auth_config.tenant_id",
        "auth_config.subscription_id",
        "cluster_config.resource_group",
        "cluster_config.location",
        "cluster_config.cluster_network_config.vnet_name",
        "cluster_config.cluster_network_config.subnet",
        "cluster_config.cluster_network_config.security_group_name",
        "cluster_config.cluster_network_config.route_table",
        "api_server_config.api_server_name",
        "kubernetes_ca_cert",
        "network_config.network_plugin",
    ];
    if uses_service_principal(draft) {
        fields.push("auth_config.service_principal_secret");
    } else {
        fields.push("auth_config.assigned_identity_id");
    }
    let has_other_credential = draft.secure_tls || draft.text("kubelet_config.kubelet_client_key").is_some();
    if !has_other_credential {
        fields.push("bootstrapping_config.tls_bootstrapping_token");
    }
    fields.into_iter().filter_map(of_field).collect()
}

/// Whether the node signs in with a service principal.
pub(super) fn uses_service_principal(draft: &Draft) -> bool {
    draft.text("auth_config.service_principal_id").is_some_and(|id| id != "msi")
}

const METHOD: &str = "bootstrapping_config.bootstrapping_auth_method";

/// Whether the node joins with secure TLS bootstrapping, by its option or by a document.
pub(super) fn uses_secure_tls(draft: &Draft) -> bool {
    let in_document = draft.text(METHOD) == Some("BOOTSTRAPPING_AUTH_METHOD_SECURE_TLS_BOOTSTRAPPING");
    draft.secure_tls || in_document && !draft.options.contains_key("bootstrapping_config.tls_bootstrapping_token")
}

fn join(draft: &mut Draft) {
    draft.secure_tls = uses_secure_tls(draft);
    if draft.secure_tls {
        let reason = "secure TLS bootstrapping: the node proves itself with its managed identity";
        let method = "BOOTSTRAPPING_AUTH_METHOD_SECURE_TLS_BOOTSTRAPPING";
        draft.put(METHOD, method, reason);
        draft.files.remove(METHOD);
        draft.base.remove(METHOD);
        draft.put(
            "bootstrapping_config.secure_tls_bootstrapping_aad_resource",
            SECURE_TLS_RESOURCE,
            "the Entra ID application of the API servers of AKS",
        );
        if let Some(id) = draft.text("auth_config.assigned_identity_id").map(str::to_owned) {
            let field = "bootstrapping_config.secure_tls_bootstrapping_user_assigned_identity_id";
            draft.put(field, id, "the identity of the kubelet");
        }
    } else {
        draft.put(METHOD, "BOOTSTRAPPING_AUTH_METHOD_BOOTSTRAP_TOKEN", "the node joins with a bootstrap token");
    }
    draft.put(
        "bootstrapping_config.cluster_join_method",
        "CLUSTER_JOIN_METHOD_USE_BOOTSTRAPPING_AUTH",
        "the credential of the node joins it",
    );
}

fn identity(draft: &mut Draft) {
    let is_managed = !uses_service_principal(draft);
    draft.put("auth_config.use_managed_identity_extension", is_managed, "whether the node has a managed identity");
    if is_managed {
        draft.put("auth_config.service_principal_id", "msi", "stands for a managed identity");
        draft.put(
            "auth_config.service_principal_secret",
            "bXNp",
            "base64 of `msi`, which stands for a managed identity",
        );
    }
}

fn cluster(draft: &mut Draft) {
    let reason = "the default of AKS";
    draft.put("cluster_config.vm_type", "VM_TYPE_VMSS", "node pools are scale sets");
    draft.put("cluster_config.use_instance_metadata", true, reason);
    let balancer = "cluster_config.load_balancer_config";
    draft.put(&format!("{balancer}.load_balancer_sku"), "LOAD_BALANCER_SKU_STANDARD", reason);
    draft.put(&format!("{balancer}.exclude_master_from_standard_load_balancer"), true, reason);
    draft.put(&format!("{balancer}.max_load_balancer_rule_count"), 250, reason);
    let network = "cluster_config.cluster_network_config";
    let group = draft.text("cluster_config.resource_group").map(str::to_owned);
    if let (Some(group), None) = (group, draft.text(&format!("{network}.vnet_resource_group"))) {
        draft.put(
            &format!("{network}.vnet_resource_group"),
            group,
            "AKS creates the network in the group of the nodes",
        );
    }
    let resources =
        ["security_group_name", "route_table", "vnet_name"].map(|field| draft.text(&format!("{network}.{field}")));
    let of_names = resources.into_iter().flatten().find_map(cluster_id).map(str::to_owned);
    let reason = match of_names {
        Some(_) => "from the id of the cluster in the names of its network resources",
        None => "from the id of the cluster in the tags of the scale set",
    };
    let Some(id) = of_names.or_else(|| draft.hints.name_suffix.clone().filter(|id| is_cluster_id(id))) else { return };
    draft.put(&format!("{network}.security_group_name"), format!("aks-agentpool-{id}-nsg"), reason);
    draft.put(&format!("{network}.route_table"), format!("aks-agentpool-{id}-routetable"), reason);
    // The network of AKS has one subnet of this name.
    if draft.text(&format!("{network}.vnet_name")).is_some_and(|name| name.starts_with("aks-vnet-")) {
        draft.put(&format!("{network}.subnet"), "aks-subnet", "the subnet of a network that AKS creates");
    }
}

/// Returns the eight digits in the names of the network resources that AKS creates.
fn cluster_id(name: &str) -> Option<&str> {
    let id = name.strip_prefix("aks-vnet-").or_else(|| {
        let inner = name.strip_prefix("aks-agentpool-")?;
        inner.strip_suffix("-nsg").or_else(|| inner.strip_suffix("-routetable"))
    })?;
    is_cluster_id(id).then_some(id)
}

fn is_cluster_id(id: &str) -> bool {
    id.len() == 8 && id.bytes().all(|byte| byte.is_ascii_digit())
}

fn network(draft: &mut Draft) {
    if let Some(plugin) = draft.hints.plugin.clone() {
        let on_node = kubelet_defaults::plugin_on_node(&plugin, &draft.hints.plugin_mode, &draft.hints.dataplane);
        let value = match on_node {
            "azure" => "NETWORK_PLUGIN_AZURE",
            "kubenet" => "NETWORK_PLUGIN_KUBENET",
            _ => "NETWORK_PLUGIN_NONE",
        };
        let mode =
            if draft.hints.plugin_mode.is_empty() { String::new() } else { format!(" {}", draft.hints.plugin_mode) };
        let dataplane = if draft.hints.dataplane == "cilium" { " with cilium" } else { "" };
        let by = if value == "NETWORK_PLUGIN_NONE" { ": pods of the cluster set up the network" } else { "" };
        let reason = format!("from the plugin of the cluster, {plugin}{mode}{dataplane}{by}");
        draft.put("network_config.network_plugin", value, &reason);
    }
    if draft.text("network_config.network_plugin") == Some("NETWORK_PLUGIN_AZURE")
        && let Some(architecture) = architecture(draft)
    {
        let url =
            format!("{PACKAGES}/azure-cni/v{AZURE_CNI}/binaries/azure-vnet-cni-linux-{architecture}-v{AZURE_CNI}.tgz");
        draft.put("network_config.vnet_cni_plugins_url", url, "for the architecture of the VM size");
    }
    let cloud = draft.text("cluster_config.location").map_or_else(|| clouds::of_region(""), clouds::of_region);
    let registry = cloud.outbound_registry();
    draft.put(
        "outbound_command",
        format!("curl -v --insecure --proxy-insecure https://{registry}/v2/"),
        "the check of outbound connectivity of AKS",
    );
    if draft.hints.is_isolated
        || draft.given("http_proxy_config.http_proxy").or(draft.given("http_proxy_config.https_proxy")).is_some()
        || draft.given("bootstrap_profile_container_registry_server").is_some()
    {
        draft.computed.remove("outbound_command");
    }
}

fn architecture(draft: &Draft) -> Option<&'static str> {
    vm_sizes::architecture(draft.text("vm_size")?)
}

/// Returns minor version and text of the version of Kubernetes.
fn version(draft: &Draft) -> Option<(u64, String)> {
    let text = draft.text("kubernetes_version")?;
    let version = Version::parse_full(text)?;
    Some((version.minor(), text.to_owned()))
}

fn downloads(draft: &mut Draft) {
    draft.put("kube_binary_config.pod_infra_container_image_url", PAUSE_IMAGE, "the pause image of AKS node images");
    let (Some((minor, version)), Some(architecture)) = (version(draft), architecture(draft)) else { return };
    let reason = "for the version of Kubernetes and the architecture of the VM size; used if the image lacks it";
    let url = format!("{PACKAGES}/kubernetes/v{version}/binaries/kubernetes-node-linux-{architecture}.tar.gz");
    draft.put("kube_binary_config.kube_binary_url", url, reason);
    let name = "azure-acr-credential-provider";
    let url = format!(
        "{PACKAGES}/cloud-provider-azure/v1.{minor}.0/binaries/{name}-linux-{architecture}-v1.{minor}.0.tar.gz"
    );
    draft.put("kube_binary_config.linux_credential_provider_url", url, reason);
}

fn kubelet(draft: &mut Draft) {
    let pods = max_pods(draft);
    let version = version(draft);
    if let Some((minor, version)) = &version {
        let reason = format!("a flag of every node of AKS with Kubernetes 1.{minor}");
        for (flag, value) in kubelet_defaults::flags(*minor) {
            draft.put(&flag_path(flag), value, &reason);
        }
        if *minor <= 34 {
            draft.put(&flag_path("--pod-infra-container-image"), PAUSE_IMAGE, &reason);
        }
        if Version::parse_full(version).is_some_and(|version| version.lacks_streaming_timeout()) {
            draft.computed.remove(&flag_path("--streaming-connection-idle-timeout"));
        }
    } else {
        for (flag, value) in kubelet_defaults::FLAGS {
            draft.put(
                &flag_path(flag),
                *value,
                "a flag of every node of AKS; others depend on the version of Kubernetes",
            );
        }
        draft.computed.remove(&flag_path("--streaming-connection-idle-timeout"));
    }
    let minor = version.map_or(*KNOWN.end(), |(minor, _)| minor);
    // From 1.36 on, this gate is on.
    if minor < 36 && draft.text(&flag_path("--cpu-cfs-quota-period")).is_some() {
        let gates = flag_path("--feature-gates");
        let known = draft.text(&gates).map(|known| format!("{known},")).unwrap_or_default();
        let reason = "the kubelet accepts another period for quotas of CPUs with this gate";
        draft.put(&gates, format!("{known}CustomCPUCFSQuotaPeriod=true"), reason);
    }
    draft.put(&flag_path("--cluster-dns"), DEFAULT_CLUSTER_DNS, "the default of AKS");
    local_dns(draft);
    draft.put(&flag_path("--max-pods"), pods.0.to_string(), &pods.1);
    let evicted = if minor >= 29 { "100Mi" } else { "750Mi" };
    let eviction = format!("memory.available<{evicted},nodefs.available<10%,nodefs.inodesFree<5%,pid.available<2000");
    draft.put(&flag_path("--eviction-hard"), eviction, "AKS's thresholds");
    reservations(draft, minor);
    if !draft.hints.taints.is_empty() {
        let taints = draft.hints.taints.join(",");
        draft.put(&flag_path("--register-with-taints"), taints, "the taints of the node pool");
    }
}

/// With node-local DNS, pods ask the node, and the node asks the DNS service of the cluster.
fn local_dns(draft: &mut Draft) {
    let flag = flag_path("--cluster-dns");
    let is_on = draft.given("local_dns_profile.enable_local_dns").is_some_and(|given| given.value == true);
    if is_on {
        zones(draft);
    }
    let service = draft.text(&flag).unwrap_or(DEFAULT_CLUSTER_DNS).to_owned();
    if is_on && service != CLUSTER_LISTENER && draft.options.contains_key(&flag) {
        let problem = format!("pods ask {service}, and not node-local DNS, whose address is {CLUSTER_LISTENER}");
        draft.dropped.push(format!("--set {flag}: {problem}"));
    }
    if !is_on || service == CLUSTER_LISTENER || draft.options.contains_key(&flag) {
        return;
    }
    let reason = "the DNS service of the cluster, which node-local DNS asks";
    draft.put("cluster_config.cluster_network_config.core_dns_service_ip", service, reason);
    draft.files.remove(&flag);
    draft.base.remove(&flag);
    draft.put(&flag, CLUSTER_LISTENER, "the address of node-local DNS for pods");
}

/// Adds the zones of node-local DNS that AKS sets if a node pool has none.
/// <https://learn.microsoft.com/azure/aks/localdns-custom>
fn zones(draft: &mut Draft) {
    let zone = |protocol: &str, destination: &str| {
        json!({
            "query_logging": "Error",
            "protocol": protocol,
            "forward_destination": destination,
            "forward_policy": "Sequential",
            "max_concurrent": 1000,
            "cache_duration_in_seconds": 3600,
            "serve_stale_duration_in_seconds": 3600,
            "serve_stale": "Immediate",
        })
    };
    for (field, destination) in [("vnet_dns_overrides", "VnetDNS"), ("kube_dns_overrides", "ClusterCoreDNS")] {
        let path = format!("local_dns_profile.{field}");
        if draft.given(&path).is_none() {
            let zones =
                json!({".": zone("PreferUDP", destination), "cluster.local": zone("ForceTCP", "ClusterCoreDNS")});
            draft.put(&path, zones, "AKS's zones of node-local DNS");
        }
    }
}

/// Returns the number of pods and where it comes from.
fn max_pods(draft: &Draft) -> (i64, String) {
    let given = draft.given(&flag_path("--max-pods")).and_then(|given| given.value.as_str()?.parse().ok());
    if let Some(pods) = given {
        return (pods, String::new());
    }
    let plugin = match (&draft.hints.plugin, draft.text("network_config.network_plugin")) {
        (Some(plugin), _) => plugin,
        (None, Some("NETWORK_PLUGIN_AZURE")) => "azure",
        (None, Some("NETWORK_PLUGIN_NONE")) => "none",
        _ => "",
    };
    let pods = kubelet_defaults::max_pods(plugin, &draft.hints.plugin_mode);
    let network =
        if plugin.is_empty() { "an unknown network plugin".to_owned() } else { format!("network plugin {plugin}") };
    (pods, format!("AKS's default for {network}; the largest is 250"))
}

fn reservations(draft: &mut Draft, minor: u64) {
    let Some(size) = draft.text("vm_size").map(str::to_owned) else { return };
    let (cpus, memory) = draft.size_facts(&size);
    let (pods, _) = max_pods(draft);
    let mut parts = Vec::new();
    parts.extend(cpus.map(|cpus| format!("cpu={}", reserved_cpu(cpus))));
    if minor >= 29 {
        parts.push(format!("memory={}Mi", reserved_memory_for_pods(pods, memory)));
    } else {
        parts.extend(memory.map(|gib| format!("memory={}", reserved_memory(gib))));
    }
    parts.push("pid=1000".to_owned());
    let of = match (cpus, memory) {
        (Some(cpus), Some(memory)) => format!("{cpus} CPUs, {memory} GiB and {pods} pods"),
        (Some(cpus), None) => format!("{cpus} CPUs and {pods} pods; the memory of the size is unknown"),
        (None, Some(memory)) => format!("{memory} GiB and {pods} pods; the number of CPUs is unknown"),
        (None, None) => format!("{pods} pods; CPUs and memory of the size are unknown"),
    };
    let more = if cpus.is_none() || memory.is_none() {
        ": add the output of `az vm list-skus --size SIZE -l LOCATION`"
    } else {
        ""
    };
    draft.put(&flag_path("--kube-reserved"), parts.join(","), &format!("AKS's reservation for {of}{more}"));
}

fn gpu(draft: &mut Draft) {
    if draft.text("vm_size").is_some_and(|size| has_amd(&size.to_lowercase())) {
        draft.put("gpu_config.enable_amd_gpu", true, "the VM size has GPUs of AMD, for which no driver is installed");
    }
    if draft.text("vm_size").and_then(vm_sizes::has_nvidia_gpu) != Some(true) {
        return;
    }
    let reason = "the VM size has NVIDIA GPUs";
    for field in ["enable_nvidia", "config_gpu_driver", "gpu_device_plugin"] {
        draft.put(&format!("gpu_config.{field}"), Value::Bool(true), reason);
    }
}
