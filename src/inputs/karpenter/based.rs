//! What Karpenter's objects say as a partial Configuration, which is merged over a complete one.
//!
//! The script of Karpenter sets no kernel settings, no swap file and no node-local DNS; a Configuration does.

use serde_json::{Map, Value, json};

use super::kubelet_flags::configured_flags;
use super::{BootstrapInputs, Objects, Subnet, Taint};
use crate::catalogue::local_dns::CLUSTER_LISTENER;

/// Returns the partial Configuration. `has_settings` is whether the controller's settings were given: otherwise they were made of the
/// Configuration below, which then keeps its own values.
pub(crate) fn layer(objects: &Objects, inputs: &BootstrapInputs, has_settings: bool) -> Value {
    let mut layer = Map::new();
    layer.insert("kubernetes_version".to_owned(), inputs.kubernetes_version.clone().into());
    let size = &objects.instance_type.size.name;
    if !size.is_empty() {
        layer.insert("vm_size".to_owned(), size.clone().into());
        let has_driver = inputs.gpu_node && inputs.gpu_driver_installation_enabled;
        layer.insert("gpu_config".to_owned(), json!({"enable_nvidia": has_driver, "config_gpu_driver": has_driver}));
    }
    if let Some(ca) = inputs.ca_bundle.as_ref().filter(|ca| !ca.is_empty()) {
        layer.insert("kubernetes_ca_cert".to_owned(), ca.clone().into());
    }
    let streams = objects.class.artifact_streaming && inputs.arch != "arm64";
    layer.insert("enable_artifact_streaming".to_owned(), streams.into());
    layer.insert("kubelet_config".to_owned(), kubelet(objects, inputs, has_settings));
    if has_settings {
        settings(inputs, &mut layer);
    }
    layer.insert("cluster_config".to_owned(), cluster(inputs, has_settings));
    layer.extend(objects.class.configuration.clone());
    Value::Object(layer)
}

/// Returns an object of the texts that are not empty.
fn given<const N: usize>(texts: [(&str, &str); N]) -> Map<String, Value> {
    let given = texts.into_iter().filter(|(_, text)| !text.is_empty());
    given.map(|(name, text)| (name.to_owned(), text.into())).collect()
}

fn cluster(inputs: &BootstrapInputs, has_settings: bool) -> Value {
    let subnet = Subnet::parse(&inputs.subnet_id).unwrap_or_default();
    let network = given([
        ("vnet_name", subnet.network),
        ("vnet_resource_group", subnet.resource_group),
        ("subnet", subnet.name),
        ("security_group_name", &inputs.network_security_group_name),
        ("route_table", &inputs.route_table_name),
    ]);
    let mut cluster = given([("resource_group", &inputs.resource_group), ("location", &inputs.location)]);
    cluster.insert("cluster_network_config".to_owned(), network.into());
    if has_settings {
        // Karpenter creates single VMs.
        cluster.insert("vm_type".to_owned(), "VM_TYPE_STANDARD".into());
        cluster.insert("primary_scale_set".to_owned(), Value::Null);
        cluster.insert("primary_availability_set".to_owned(), Value::Null);
    }
    cluster.into()
}

/// Adds what the controller's settings say about cluster and identity.
fn settings(inputs: &BootstrapInputs, layer: &mut Map<String, Value>) {
    let mut identity = given([
        ("tenant_id", &inputs.tenant_id),
        ("subscription_id", &inputs.subscription_id),
        ("assigned_identity_id", &inputs.kubelet_identity_client_id),
        ("service_principal_id", "msi"),
        ("service_principal_secret", "bXNp"),
    ]);
    identity.insert("use_managed_identity_extension".to_owned(), true.into());
    layer.insert("auth_config".to_owned(), identity.into());
    layer.insert("api_server_config".to_owned(), given([("api_server_name", &inputs.api_server_name)]).into());
    let bootstrapping = given([
        ("bootstrapping_auth_method", "BOOTSTRAPPING_AUTH_METHOD_BOOTSTRAP_TOKEN"),
        ("cluster_join_method", "CLUSTER_JOIN_METHOD_USE_BOOTSTRAPPING_AUTH"),
        ("tls_bootstrapping_token", inputs.kubelet_client_tls_bootstrap_token.expose()),
    ]);
    layer.insert("bootstrapping_config".to_owned(), bootstrapping.into());
    let plugin = if inputs.network_plugin == "azure" { "NETWORK_PLUGIN_AZURE" } else { "NETWORK_PLUGIN_NONE" };
    let policy = match inputs.network_policy.as_str() {
        "azure" => "NETWORK_POLICY_AZURE".into(),
        "calico" => "NETWORK_POLICY_CALICO".into(),
        // Others need nothing of the node.
        _ => Value::Null,
    };
    layer.insert("network_config".to_owned(), json!({"network_plugin": plugin, "network_policy": policy}));
}

fn kubelet(objects: &Objects, inputs: &BootstrapInputs, has_settings: bool) -> Value {
    let mut flags = Map::new();
    if let Some(config) = &inputs.kubelet_config {
        let mut configured = std::collections::BTreeMap::new();
        configured_flags(&mut configured, config);
        for (flag, value) in configured {
            let is_own = match flag {
                "--max-pods" => has_settings || objects.class.max_pods.is_some(),
                "--cluster-dns" | "--system-reserved" | "--eviction-hard" => has_settings,
                _ => true,
            };
            if is_own {
                flags.insert(flag.to_owned(), value.into_owned().into());
            }
        }
        // The script ignores these two.
        if let Some(period) = &config.cpu_cfs_quota_period {
            flags.insert("--cpu-cfs-quota-period".to_owned(), period.clone().into());
        }
        if let Some(fails) = config.fail_swap_on {
            flags.insert("--fail-swap-on".to_owned(), fails.to_string().into());
        }
    }
    let has_local_dns = objects.class.configuration.get("local_dns_profile");
    if has_local_dns.is_some_and(|profile| profile["enable_local_dns"] == true) {
        flags.insert("--cluster-dns".to_owned(), CLUSTER_LISTENER.into());
    }
    let taints = inputs.taints.iter().map(Taint::to_string).collect::<Vec<_>>().join(",");
    flags.insert("--register-with-taints".to_owned(), taints.into());
    json!({"kubelet_flags": flags, "kubelet_node_labels": inputs.labels})
}

/// Removes the downloads of a Configuration that are for another version or another architecture than those of the node.
pub(crate) fn without_other_downloads(base: &Value, layer: &mut Value, inputs: &BootstrapInputs) {
    let version = &inputs.kubernetes_version;
    let minor = version.rsplit_once('.').map_or("", |(minor, _)| minor);
    let other = if inputs.arch == "arm64" { "-amd64" } else { "-arm64" };
    let text = |section: &str, field: &str| {
        let camel = |name: &str| {
            let mut words = name.split('_');
            let first = words.next().unwrap_or_default().to_owned();
            words.fold(first, |text, word| text + &word[..1].to_uppercase() + &word[1..])
        };
        let member = |value: &Value, name: &str| value.get(name).or_else(|| value.get(camel(name))).cloned();
        member(base, section).and_then(|section| member(&section, field)?.as_str().map(str::to_owned))
    };
    for (section, field, part) in [
        ("kube_binary_config", "kube_binary_url", format!("v{version}/")),
        ("kube_binary_config", "linux_credential_provider_url", format!("v{minor}.")),
        ("network_config", "vnet_cni_plugins_url", String::new()),
        ("network_config", "cni_plugins_url", String::new()),
    ] {
        let Some(url) = text(section, field) else { continue };
        if !url.contains(&part) || url.contains(other) {
            layer[section][field] = Value::Null;
        }
    }
}
