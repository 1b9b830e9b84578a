//! A valid document, and for each check a change that violates it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{Today, validate};
use crate::configuration::{Configuration, Message, SlotMut};
use crate::document::Finding;

/// Valid from 2026-11-21 to 2036-11-18. Its key does not exist any more.
const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----
MIIBbzCCARWgAwIBAgIUXM0Jz4Bja4xGUnnaaBZeRadlpwAwCgYIKoZIzj0EAwIw
DTELMAkGA1UEAwwCY2EwHhcNMjYxMTIxMDIzOTU5WhcNMzYxMTE4MDIzOTU5WjAN
MQswCQYDVQQDDAJjYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBiI+mYLsZiB
7vzXf3nn0aOirInPjKaRIbulXg30U6uxOzHXNSXKDHgLj9jxn/V7P43obrXZSC8+
VOtn/dgAB6qjUzBRMB0GA1UdDgQWBBRdNeEQ+O1E/ZjfhDEsEmnvcOQdsjAfBgNV
HSMEGDAWgBRdNeEQ+O1E/ZjfhDEsEmnvcOQdsjAPBgNVHRMBAf8EBTADAQH/MAoG
CCqGSM49BAMCA0gAMEUCIB5s0szxfQ4M5/VkpyFFLxJIY0yYNLxN1j5kgG9gBySL
AiEAvyt9KZpSFeD8zM2M+82JnnJ9xwPZ/xZOSuz6+nrknQc=
-----END CERTIFICATE-----
";

pub(super) const IN_2030: Today = Today(1_900_000_000);

fn good() -> Value {
    let certificate = STANDARD.encode(CERTIFICATE);
    let zone = json!({
        "query_logging": "Log", "protocol": "PreferUDP", "forward_destination": "VnetDNS",
        "forward_policy": "Sequential", "max_concurrent": 1000, "cache_duration_in_seconds": 3600,
        "serve_stale": "Verify", "serve_stale_duration_in_seconds": 3600,
        "health_check": {"duration": "5s", "domain": "health.example."},
    });
    let mut cluster_zone = zone.clone();
    cluster_zone["forward_destination"] = json!("ClusterCoreDNS");
    let zones = json!({".": zone, "cluster.local": cluster_zone});
    json!({
        "version": "v1",
        "kubernetes_version": "1.33.2",
        "kubernetes_ca_cert": certificate,
        "custom_ca_certs": [certificate],
        "vm_size": "Standard_D4s_v5",
        "linux_admin_username": "azureuser",
        "message_of_the_day": "V2VsY29tZQo=",
        "cse_timeout": 900,
        "enabled_features": {"A_SWITCH": "true"},
        "azure_private_registry_server": "private.azurecr.io",
        "bootstrap_profile_container_registry_server": "mirror.azurecr.io:5000/path",
        "auth_config": {
            "tenant_id": "5e3a9c10-4d7b-4f6e-8a21-c0b9d8e7f615",
            "subscription_id": "a1c4e7f0-2b5d-4c8e-9f13-6d7a8b9c0e2f",
            "service_principal_secret": "bXNp",
        },
        "cluster_config": {
            "resource_group": "MC_rg_cluster_westeurope",
            "location": "westeurope",
            "cluster_network_config": {
                "vnet_name": "vnet", "route_table": "routes", "core_dns_service_ip": "10.0.0.10",
            },
        },
        "api_server_config": {"api_server_name": "cluster.hcp.westeurope.azmk8s.io"},
        "bootstrapping_config": {
            "bootstrapping_auth_method": "BOOTSTRAPPING_AUTH_METHOD_BOOTSTRAP_TOKEN",
            "tls_bootstrapping_token": "x1y2z3.0a1b2c3d4e5f6g7h",
        },
        "custom_cloud_config": {
            "custom_cloud_env_name": "AksCustom",
            "repo_depot_endpoint": "https://repodepot.example/ubuntu",
            "container_registry_dns_suffix": ".azurecr.example",
            "custom_env_json_content": "{\"resourceManagerEndpoint\": \"https://management.example/\"}",
        },
        "kube_binary_config": {
            "kube_binary_url": "mirror.azurecr.io/kubernetes:v1.33.2",
            "pod_infra_container_image_url": "mcr.microsoft.com/oss/kubernetes/pause:3.6",
        },
        "network_config": {"network_plugin": "NETWORK_PLUGIN_AZURE", "standard_secondary_nic_count": 1},
        "kubelet_config": {
            "enable_kubelet_config_file": true,
            "container_data_dir": "/mnt/containers",
            "kubelet_client_cert_content": certificate,
            "kubelet_client_key": STANDARD.encode("-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n"),
            "kubelet_flags": {
                "--max-pods": "30",
                "--cluster-dns": "10.0.0.10,fd00::10",
                "--feature-gates": "MemoryQoS=true,GracefulNodeShutdown=false",
                "--rotate-certificates": "true",
                "--streaming-connection-idle-timeout": "4h",
                "--node-labels": "a=b",
                "--register-with-taints": "sku=gpu:NoSchedule,CriticalAddonsOnly=true:NoExecute",
            },
            "kubelet_node_labels": {"agentpool": "nodepool1", "kubernetes.azure.com/mode": "system"},
            "kubelet_config_file_config": {
                "kind": "KubeletConfiguration", "cluster_dns": ["10.0.0.10"], "fail_swap_on": false,
                "image_gc_high_threshold_percent": 85, "image_gc_low_threshold_percent": 80,
                "node_status_update_frequency": "10s", "kube_reserved": {"cpu": "100m"}, "max_pods": 30,
                "eviction_hard": {"memory.available": "750Mi", "nodefs.available": "10%"},
                "streaming_connection_idle_timeout": "4h", "feature_gates": {"MemoryQoS": true},
            },
        },
        "local_dns_profile": {
            "enable_local_dns": true,
            "cpu_limit_in_milli_cores": 2000,
            "critical_fqdns": ["mcr.microsoft.com", " ", ""],
            "vnet_dns_overrides": zones,
            "kube_dns_overrides": zones,
        },
        "http_proxy_config": {
            "http_proxy": "http://user:pass@proxy.example:3128/",
            "https_proxy": "http://user:pass@proxy.example:3128/",
            "no_proxy_entries": ["localhost", ".svc", "10.0.0.0/16", "*.example", ".azmk8s.io", "169.254.0.0/16", "168.63.129.16"],
            "proxy_trusted_ca": certificate,
        },
        "gpu_config": {"gpu_instance_profile": "MIG2g", "mig_strategy": "Single", "mig_profile_layout": ["MIG2g"]},
        "custom_search_domain_config": {"domain_name": "contoso.com"},
        "custom_linux_os_config": {
            "enable_swap_config": true,
            "swap_file_size": 1500,
            "transparent_hugepage_support": "madvise",
            "transparent_defrag": "defer+madvise",
            "ulimit_config": {"no_file": "1024:1048576", "max_locked_memory": "64M"},
            "sysctl_config": {
                "net_ipv4_ip_local_port_range": "32768 60999", "net_core_rmem_default": 212_992,
                "net_core_rmem_max": 212_992, "net_ipv4_neigh_default_gc_thresh1": 4096, "vm_swappiness": 10,
            },
        },
    })
}

/// Replaces members; `null` removes one.
fn change(document: &mut Value, changes: &Value) {
    let (Value::Object(members), Value::Object(changes)) = (&mut *document, changes) else {
        *document = changes.clone();
        return;
    };
    for (name, value) in changes {
        change(members.entry(name).or_insert_with(|| json!({})), value);
    }
}

pub(super) fn read(changes: &Value) -> Configuration {
    let mut document = good();
    change(&mut document, changes);
    Configuration::from_document(document.to_string().as_bytes()).expect("the document can be read").configuration
}

pub(super) fn line(finding: &Finding) -> String {
    let hint = finding.hint.as_deref().map(|hint| format!("; {hint}")).unwrap_or_default();
    format!("{}: {finding}{hint}", finding.severity)
}

#[test]
fn a_valid_document_has_no_findings() {
    let lines: Vec<_> = validate(&read(&json!({})), Some(IN_2030)).iter().map(line).collect();
    assert!(lines.is_empty(), "{lines:#?}");
}

#[test]
fn an_empty_configuration_lacks_the_seven_required_fields() {
    let findings = validate(&Configuration::default(), None);
    let mut lines: Vec<_> = findings.iter().map(line).collect();
    lines.sort();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    error: api_server_config.api_server_name: is required
    error: auth_config.subscription_id: is required
    error: cluster_config.cluster_network_config.route_table: is required
    error: cluster_config.cluster_network_config.vnet_name: is required
    error: cluster_config.location: is required
    error: cluster_config.resource_group: is required
    error: kubernetes_version: is required; write a full version such as `1.33.2`
    error: version: is required; write `"version": "v1"`
    "#);
}

/// Changes, each with the start of a finding about it.
#[expect(clippy::too_many_lines, reason = "a table")]
fn broken() -> Vec<(Value, &'static str)> {
    let flag = |name: &str, value: &str| json!({"kubelet_config": {"kubelet_flags": {name: value}}});
    let named = |key: &str, value: &str| json!({"kubelet_config": {"kubelet_node_labels": {key: value}}});
    let file = |changes: Value| json!({"kubelet_config": {"kubelet_config_file_config": changes}});
    let root_zone = |changes: Value| json!({"local_dns_profile": {"vnet_dns_overrides": {".": changes}}});
    let sysctl = |changes: Value| json!({"custom_linux_os_config": {"sysctl_config": changes}});
    let system = |changes: Value| json!({"custom_linux_os_config": changes});
    vec![
        (json!({"version": "v2"}), "error: version: must be `v1`"),
        (json!({"version": "v0"}), "warning: version: `v0` is deprecated"),
        (json!({"auth_config": {"subscription_id": ""}}), "error: auth_config.subscription_id: is required"),
        (json!({"kubernetes_version": ""}), "error: kubernetes_version: is required"),
        (
            json!({"kubernetes_version": "v1.33.2"}),
            "error: kubernetes_version: must be a full version such as `1.33.2`, found \"v1.33.2\"; write `1.33.2`",
        ),
        (json!({"kubernetes_version": "1.33"}), "error: kubernetes_version: must be a full version"),
        (json!({"kubernetes_version": "stable"}), "error: kubernetes_version: must be a full version"),
        (json!({"outbound_command": "a\0b"}), "error: outbound_command: contains U+0000"),
        (json!({"enabled_features": {"A": "\0"}}), "error: enabled_features[\"A\"]: contains U+0000"),
        (json!({"local_dns_profile": {"critical_fqdns": ["\0"]}}), "error: local_dns_profile.critical_fqdns[0]: "),
        (
            json!({"cluster_config": {"vm_type": 9}}),
            "warning: cluster_config.vm_type: must be the number of a value of VmType, found 9",
        ),
        (
            json!({"auth_config": {"tenant_id": "contoso"}}),
            "warning: auth_config.tenant_id: must be a UUID, found \"contoso\"",
        ),
        (
            json!({"bootstrapping_config": {"tls_bootstrapping_token": ""}}),
            "error: bootstrapping_config.tls_bootstrapping_token: is empty",
        ),
        (
            json!({"bootstrapping_config": {"tls_bootstrapping_token": "x"}}),
            "error: bootstrapping_config.tls_bootstrapping_token: must be six",
        ),
        (json!({"vm_size": "D4s_v5"}), "error: vm_size: must be the name of a VM size"),
        (json!({"linux_admin_username": "a b"}), "error: linux_admin_username: must be up to 32"),
        (
            json!({"gpu_config": {"gpu_instance_profile": "1g"}}),
            "warning: gpu_config.gpu_instance_profile: must be `MIG1g`",
        ),
        (
            json!({"gpu_config": {"gpu_instance_profile": ""}}),
            "warning: gpu_config.mig_profile_layout: has no effect without",
        ),
        (json!({"gpu_config": {"mig_strategy": "mixed"}}), "warning: gpu_config.mig_strategy: must be `None`"),
        (
            json!({"custom_cloud_config": {"custom_env_json_content": "e30="}}),
            "warning: custom_cloud_config.custom_env_json_content: must be a JSON object",
        ),
        (
            json!({"custom_cloud_config": {"custom_env_json_content": "{}"}}),
            "warning: custom_cloud_config.custom_env_json_content: must be a JSON object",
        ),
        (
            json!({"kubelet_config": {"container_data_dir": "/a\"b"}}),
            "error: kubelet_config.container_data_dir: must be free of quotes",
        ),
        (
            json!({"kube_binary_config": {"pod_infra_container_image_url": "a\\b"}}),
            "error: kube_binary_config.pod_infra_container_image_url: must be free of quotes",
        ),
        (
            json!({"is_kata": true, "enable_artifact_streaming": true}),
            "warning: enable_artifact_streaming: must not be set together with `is_kata`",
        ),
        (json!({"cse_timeout": 0}), "warning: cse_timeout: must be 1 to 21600, found 0; 900 is used instead"),
        (json!({"cse_timeout": 21601}), "warning: cse_timeout: must be 1 to 21600"),
        (json!({"enabled_features": {"a-b": "x"}}), "warning: enabled_features[\"a-b\"]: is ignored"),
        (json!({"enabled_features": {"a": "x\ny"}}), "warning: enabled_features[\"a\"]: is ignored"),
        (
            flag("max-pods", "30"),
            "error: kubelet_config.kubelet_flags[\"max-pods\"]: must be `--` followed by lower-case letters, digits and `-`, found \"max-pods\"; write `--max-pods`",
        ),
        (flag("--Max", "30"), "error: kubelet_config.kubelet_flags[\"--Max\"]: must be `--`"),
        (
            flag("--max_pods", "30"),
            "error: kubelet_config.kubelet_flags[\"--max_pods\"]: must be `--` followed by lower-case letters, digits and `-`, found \"--max_pods\"; write `--max-pods`",
        ),
        (
            flag("--read-onlyport", "0"),
            "error: kubelet_config.kubelet_flags[\"--read-onlyport\"]: is not a flag of the kubelet: the kubelet does not start with it; did you mean `--read-only-port`?",
        ),
        (
            flag("--no-such-flag", "1"),
            "error: kubelet_config.kubelet_flags[\"--no-such-flag\"]: is not a flag of the kubelet: the kubelet does not start with it",
        ),
        (
            flag("--keep-terminated-pod-volumes", "false"),
            "error: kubelet_config.kubelet_flags[\"--keep-terminated-pod-volumes\"]: was removed in Kubernetes 1.31: the kubelet does not start with it; leave it out: volumes of terminated pods are always unmounted",
        ),
        (
            json!({"kubernetes_version": "1.30.14", "kubelet_config": {"kubelet_flags": {"--fail-cgroupv1": "true"}}}),
            "error: kubelet_config.kubelet_flags[\"--fail-cgroupv1\"]: exists from Kubernetes 1.31 on: the kubelet of Kubernetes 1.30 does not start with it; leave it out",
        ),
        (
            flag("--cloud-provider", "azure"),
            "error: kubelet_config.kubelet_flags[\"--cloud-provider\"]: must be `external`: this kubelet has no cloud provider of its own, found \"azure\"",
        ),
        (
            flag("--hairpin-mode", "none"),
            "warning: kubelet_config.kubelet_flags[\"--hairpin-mode\"]: has no effect; remove it",
        ),
        (
            flag("--max-pods", "2147483648"),
            "error: kubelet_config.kubelet_flags[\"--max-pods\"]: must be an integer of up to 32 bits",
        ),
        (
            flag("--kube-reserved", "cpu=some"),
            "error: kubelet_config.kubelet_flags[\"--kube-reserved\"]: must be `resource=quantity`",
        ),
        (
            flag("--eviction-hard", "memory.available=750Mi"),
            "error: kubelet_config.kubelet_flags[\"--eviction-hard\"]: must be `signal<threshold`",
        ),
        (
            flag("--eviction-soft-grace-period", "memory.available=30"),
            "error: kubelet_config.kubelet_flags[\"--eviction-soft-grace-period\"]: must be `signal=duration`",
        ),
        (
            flag("--cpu-manager-policy-options", "full-pcpus-only"),
            "error: kubelet_config.kubelet_flags[\"--cpu-manager-policy-options\"]: must be `name=value`",
        ),
        (flag("--address", "0.0.0.0,::"), "error: kubelet_config.kubelet_flags[\"--address\"]: must be an IP address"),
        (
            flag("--feature-gates", "MemoryQos=true"),
            "error: kubelet_config.kubelet_flags[\"--feature-gates\"]: sets the feature gate `MemoryQos`, which does not exist: the kubelet does not start with it; did you mean `MemoryQoS`?",
        ),
        (
            flag("--feature-gates", "MemoryQoS=true,APIListChunking=true"),
            "error: kubelet_config.kubelet_flags[\"--feature-gates\"]: sets the feature gate `APIListChunking`, which was removed in Kubernetes 1.",
        ),
        (
            file(json!({"feature_gates": {"SidecarContainers": false}})),
            "error: kubelet_config.kubelet_config_file_config.feature_gates[\"SidecarContainers\"]: sets the feature gate `SidecarContainers`, which is always on in Kubernetes 1.33, to `false`: the kubelet does not start with it; leave it out",
        ),
        (
            file(json!({"feature_gates": {"DynamicKubeletConfig": false}})),
            "error: kubelet_config.kubelet_config_file_config.feature_gates[\"DynamicKubeletConfig\"]: sets the feature gate `DynamicKubeletConfig`, which does not exist",
        ),
        (
            file(json!({"authentication": {"webhook": {"cache_ttl": "2m"}}})),
            "warning: kubelet_config.kubelet_config_file_config.authentication.webhook.cache_ttl: has no effect: the contract writes it",
        ),
        (
            json!({"kubelet_config": {
                "enable_kubelet_config_file": false, "kubelet_config_file_config": {"feature_gates": {"NoSuchGate": true}},
            }}),
            "warning: kubelet_config.kubelet_config_file_config.feature_gates[\"NoSuchGate\"]: sets the feature gate",
        ),
        (flag("--a", "b c"), "error: kubelet_config.kubelet_flags[\"--a\"]: must be free of whitespace"),
        (flag("--a", "b\n"), "error: kubelet_config.kubelet_flags[\"--a\"]: must be free of whitespace"),
        (flag("--max-pods", "many"), "error: kubelet_config.kubelet_flags[\"--max-pods\"]: must be an integer"),
        (
            flag("--rotate-certificates", "yes"),
            "error: kubelet_config.kubelet_flags[\"--rotate-certificates\"]: must be `true`",
        ),
        (
            flag("--sync-frequency", "10"),
            "error: kubelet_config.kubelet_flags[\"--sync-frequency\"]: must be a duration",
        ),
        (
            flag("--cluster-dns", "10.0.0.256"),
            "error: kubelet_config.kubelet_flags[\"--cluster-dns\"]: must be IP addresses",
        ),
        (flag("--feature-gates", "A"), "error: kubelet_config.kubelet_flags[\"--feature-gates\"]: must be `name=true`"),
        (
            flag("--register-with-taints", "a=b:NoSchedule,gpu"),
            "error: kubelet_config.kubelet_flags[\"--register-with-taints\"]: must be `key=value:effect` with effect `NoSchedule`, `PreferNoSchedule` or `NoExecute`, found \"gpu\"",
        ),
        (
            flag("--node-labels", "a=b c"),
            "error: kubelet_config.kubelet_flags[\"--node-labels\"]: must be free of whitespace",
        ),
        (flag("--node-labels", "a=-"), "error: kubelet_config.kubelet_flags[\"--node-labels\"]: must be a label value"),
        (
            flag("--network-plugin", "cni"),
            "error: kubelet_config.kubelet_flags[\"--network-plugin\"]: was removed in Kubernetes 1.24",
        ),
        (named("a b", "c"), "error: kubelet_config.kubelet_node_labels[\"a b\"]: must be a label key"),
        (named("a", "b,c"), "error: kubelet_config.kubelet_node_labels[\"a\"]: must be a label value"),
        (
            named("kubernetes.io/role", "agent"),
            "error: kubelet_config.kubelet_node_labels[\"kubernetes.io/role\"]: sets the label `kubernetes.io/role`",
        ),
        (
            file(json!({"cluster_dns": ["dns"]})),
            "error: kubelet_config.kubelet_config_file_config.cluster_dns[0]: must be an IP address",
        ),
        (
            file(json!({"kube_reserved": {"cpu": "some"}})),
            "error: kubelet_config.kubelet_config_file_config.kube_reserved[\"cpu\"]: must be a quantity",
        ),
        (
            file(json!({"eviction_hard": {"a": "101%"}})),
            "error: kubelet_config.kubelet_config_file_config.eviction_hard[\"a\"]: must be a quantity",
        ),
        (
            file(json!({"node_status_update_frequency": "10"})),
            "error: kubelet_config.kubelet_config_file_config.node_status_update_frequency: must be a duration",
        ),
        (
            file(json!({"topology_manager_policy": "best"})),
            "error: kubelet_config.kubelet_config_file_config.topology_manager_policy: must be `none`",
        ),
        (
            file(json!({"max_pods": -1})),
            "error: kubelet_config.kubelet_config_file_config.max_pods: must be at least 0, found -1",
        ),
        (
            file(json!({"image_gc_high_threshold_percent": 101})),
            "error: kubelet_config.kubelet_config_file_config.image_gc_high_threshold_percent: must be 0 to 100",
        ),
        (
            file(json!({"image_gc_low_threshold_percent": 85})),
            "error: kubelet_config.kubelet_config_file_config.image_gc_low_threshold_percent: must be below",
        ),
        (
            json!({"kubelet_config": {"enable_kubelet_config_file": false, "kubelet_config_file_config": {"kind": "x"}}}),
            "warning: kubelet_config.kubelet_config_file_config.kind: must be",
        ),
        (
            json!({"cluster_config": {"cluster_network_config": {"core_dns_service_ip": "10.0.0"}}}),
            "error: cluster_config.cluster_network_config.core_dns_service_ip: must be an IP address, found \"10.0.0\"",
        ),
        (
            json!({"network_config": {"standard_secondary_nic_count": -1}}),
            "error: network_config.standard_secondary_nic_count: must be 0 or more",
        ),
        (
            json!({"api_server_config": {"api_server_name": "https://api.example:443"}}),
            "error: api_server_config.api_server_name: must be a host name or an IP address, found \"https://api.example:443\"; write `api.example`, without scheme and port",
        ),
        (
            json!({"custom_search_domain_config": {"domain_name": "a b"}}),
            "error: custom_search_domain_config.domain_name: must be a domain name",
        ),
        (
            json!({"local_dns_profile": {"critical_fqdns": ["https://a"]}}),
            "error: local_dns_profile.critical_fqdns[0]: must be a domain name",
        ),
        (
            json!({"azure_private_registry_server": "https://a.b"}),
            "error: azure_private_registry_server: must be a host",
        ),
        (
            json!({"kube_binary_config": {"custom_kube_binary_url": "ftp://a"}}),
            "error: kube_binary_config.custom_kube_binary_url: must be an absolute",
        ),
        (json!({"kube_proxy_url": "a b"}), "error: kube_proxy_url: must be a URL or an image reference"),
        (
            json!({"http_proxy_config": {"http_proxy": "http://u:p$x@a"}}),
            "error: http_proxy_config.http_proxy: must be free of quotes, backslashes, `$`, backticks and whitespace, found [redacted]",
        ),
        (
            json!({"http_proxy_config": {"no_proxy_entries": ["a'b"]}}),
            "error: http_proxy_config.no_proxy_entries[0]: must be free of quotes",
        ),
        (
            json!({"http_proxy_config": {"no_proxy_entries": ["10.0.0.0/33"]}}),
            "warning: http_proxy_config.no_proxy_entries[0]: must be a host",
        ),
        (
            json!({"local_dns_profile": {"cpu_limit_in_milli_cores": -1}}),
            "error: local_dns_profile.cpu_limit_in_milli_cores: must be 0 or more",
        ),
        (
            root_zone(json!({"max_concurrent": null})),
            "error: local_dns_profile.vnet_dns_overrides[\".\"].max_concurrent: is required; without it",
        ),
        (
            root_zone(json!({"cache_duration_in_seconds": 0})),
            "error: local_dns_profile.vnet_dns_overrides[\".\"].cache_duration_in_seconds: must be at least 1",
        ),
        (
            root_zone(json!({"serve_stale_duration_in_seconds": null})),
            "error: local_dns_profile.vnet_dns_overrides[\".\"].serve_stale_duration_in_seconds: is required",
        ),
        (
            root_zone(json!({"query_logging": "log"})),
            "warning: local_dns_profile.vnet_dns_overrides[\".\"].query_logging: must be `Error` or `Log`, found \"log\"; with any other value, nothing is logged",
        ),
        (
            root_zone(json!({"health_check": {"duration": "5"}})),
            "error: local_dns_profile.vnet_dns_overrides[\".\"].health_check.duration: must be a duration",
        ),
        (
            root_zone(json!({"health_check": {"domain": "a b"}})),
            "error: local_dns_profile.vnet_dns_overrides[\".\"].health_check.domain: must be a domain name",
        ),
        (
            root_zone(json!({"forward_destination": "ClusterCoreDNS"})),
            "warning: local_dns_profile.vnet_dns_overrides[\".\"].forward_destination: is `ClusterCoreDNS`",
        ),
        (
            root_zone(json!({"protocol": "ForceTCP"})),
            "warning: local_dns_profile.vnet_dns_overrides[\".\"].serve_stale: is `Verify`",
        ),
        (
            json!({"local_dns_profile": {"kube_dns_overrides": {"cluster.local": {"forward_destination": "VnetDNS"}}}}),
            "warning: local_dns_profile.kube_dns_overrides[\"cluster.local\"].forward_destination: is `VnetDNS`",
        ),
        (
            json!({"local_dns_profile": {"kube_dns_overrides": {"a b": {"max_concurrent": 1, "cache_duration_in_seconds": 1}}}}),
            "error: local_dns_profile.kube_dns_overrides[\"a b\"]: must be `.` or a domain name",
        ),
        (
            json!({"kubernetes_ca_cert": CERTIFICATE}),
            "error: kubernetes_ca_cert: must be base64 of a PEM certificate, found PEM text without base64; encode it",
        ),
        (
            json!({"kubernetes_ca_cert": "%%"}),
            "error: kubernetes_ca_cert: must be base64 of a PEM certificate, found a string that is not base64",
        ),
        (
            json!({"kubernetes_ca_cert": "bXNp"}),
            "error: kubernetes_ca_cert: must be base64 of a PEM certificate, found base64 of other data",
        ),
        (
            json!({"custom_ca_certs": [STANDARD.encode(CERTIFICATE.replace("MIIB", "AIIB"))]}),
            "error: custom_ca_certs[0]: must be base64 of a PEM certificate, found base64 of an invalid certificate",
        ),
        (json!({"custom_ca_certs": [""]}), "warning: custom_ca_certs[0]: is empty"),
        (
            json!({"kubelet_config": {"kubelet_client_key": STANDARD.encode(CERTIFICATE)}}),
            "error: kubelet_config.kubelet_client_key: must be base64 of a PEM private key, found base64 of other data",
        ),
        (json!({"message_of_the_day": "Welcome!"}), "error: message_of_the_day: must be base64"),
        (
            json!({"auth_config": {"service_principal_secret": "se cret!"}}),
            "warning: auth_config.service_principal_secret: must be base64, found a string that is not base64",
        ),
        (
            sysctl(json!({"vm_swappiness": 101})),
            "error: custom_linux_os_config.sysctl_config.vm_swappiness: must be 0 to 100, the range that AKS allows for `vm.swappiness`, found 101",
        ),
        (
            sysctl(json!({"net_core_rmem_default": 212_993})),
            "error: custom_linux_os_config.sysctl_config.net_core_rmem_default: `net_core_rmem_default` must not be above `net_core_rmem_max`",
        ),
        (
            sysctl(json!({"net_ipv4_neigh_default_gc_thresh1": 8_193})),
            "warning: custom_linux_os_config.sysctl_config.net_ipv4_neigh_default_gc_thresh1: `net_ipv4_neigh_default_gc_thresh1` must not be above",
        ),
        (
            sysctl(json!({"net_ipv4_ip_local_port_range": "32768-60999"})),
            "error: custom_linux_os_config.sysctl_config.net_ipv4_ip_local_port_range: must be two ports",
        ),
        (
            system(json!({"ulimit_config": {"no_file": "unlimited"}})),
            "error: custom_linux_os_config.ulimit_config.no_file: must be a number",
        ),
        (
            system(json!({"ulimit_config": {"max_locked_memory": "64MB"}})),
            "error: custom_linux_os_config.ulimit_config.max_locked_memory: must be a number",
        ),
        (system(json!({"swap_file_size": -1})), "error: custom_linux_os_config.swap_file_size: must be 0 or more"),
        (
            system(json!({"swap_file_size": 0})),
            "warning: custom_linux_os_config.enable_swap_config: has no effect without",
        ),
        (
            system(json!({"enable_swap_config": false})),
            "warning: custom_linux_os_config.swap_file_size: has no effect unless",
        ),
        (file(json!({"fail_swap_on": true})), "warning: custom_linux_os_config.enable_swap_config: creates swap"),
        (
            system(json!({"transparent_hugepage_support": "on"})),
            "error: custom_linux_os_config.transparent_hugepage_support: must be `always`",
        ),
        (
            system(json!({"transparent_defrag": "on"})),
            "error: custom_linux_os_config.transparent_defrag: must be `always`",
        ),
    ]
}

#[test]
fn each_check_finds_a_violation() {
    for (changes, expected) in broken() {
        let lines: Vec<_> = validate(&read(&changes), Some(IN_2030)).iter().map(line).collect();
        assert!(lines.iter().any(|line| line.starts_with(expected)), "{changes}\nwanted {expected}\nfound {lines:#?}");
    }
}

/// The kubelets of other versions than the known ones may have more flags and gates, and no fewer removals.
#[test]
fn unknown_flags_and_gates_are_warnings_outside_of_the_known_versions() {
    let changes = |version: &str| {
        let flags = json!({"--no-such-flag": "1", "--feature-gates": "NoSuchGate=true", "--network-plugin": "cni"});
        json!({"kubernetes_version": version, "kubelet_config": {"kubelet_flags": flags}})
    };
    for (version, unknown, removal) in [
        ("1.23.0", "warning: ", None),
        ("1.27.16", "warning: ", Some("error: ")),
        ("1.28.0", "error: ", Some("error: ")),
        ("1.36.0", "error: ", Some("error: ")),
        ("1.37.0", "warning: ", Some("error: ")),
        ("2.0.0", "error: ", None),
    ] {
        let lines: Vec<_> = validate(&read(&changes(version)), None).iter().map(line).collect();
        for (place, expected) in [
            ("kubelet_config.kubelet_flags[\"--no-such-flag\"]", Some(unknown)),
            ("kubelet_config.kubelet_flags[\"--feature-gates\"]", Some(unknown)),
            ("kubelet_config.kubelet_flags[\"--network-plugin\"]", removal),
        ] {
            let found = lines.iter().find(|line| line.contains(place)).map(String::as_str);
            let starts = |line: &str| expected.is_some_and(|expected| line.starts_with(expected));
            assert!(
                found.is_some_and(starts) || found.is_none() && expected.is_none(),
                "{version} {place}: {lines:#?}"
            );
        }
    }
}

/// As `cmd/kubelet/app/server.go` and `pkg/kubelet/kubelet.go` of these versions decide.
#[test]
fn a_built_in_cloud_provider_is_an_error_in_the_versions_that_refuse_it() {
    for (version, provider, gates, is_error) in [
        ("1.28.15", "azure", "", false),
        ("1.29.15", "azure", "", true),
        ("1.30.14", "azure", "DisableCloudProviders=false", false),
        ("1.30.14", "azure", "DisableCloudProviders=true", true),
        ("1.31.14", "azure", "", true),
        ("1.33.13", "azure", "", true),
        ("1.33.13", "external", "", false),
        ("1.33.13", "", "", false),
        ("1.34.10", "azure", "", false),
    ] {
        let flags = json!({"--cloud-provider": provider, "--feature-gates": gates});
        let changes = json!({"kubernetes_version": version, "kubelet_config": {"kubelet_flags": flags}});
        let found = validate(&read(&changes), None).iter().any(|finding| line(finding).contains("--cloud-provider"));
        assert_eq!(found, is_error, "{version} {provider} {gates}");
    }
}

#[test]
fn a_locked_gate_may_have_the_value_that_it_is_locked_to() {
    let gates =
        json!({"kubelet_config": {"kubelet_config_file_config": {"feature_gates": {"SidecarContainers": true}}}});
    assert!(validate(&read(&gates), None).is_empty());
    let earlier = json!({
        "kubernetes_version": "1.32.0",
        "kubelet_config": {"kubelet_config_file_config": {"feature_gates": {"SidecarContainers": false}}},
    });
    let lines: Vec<_> = validate(&read(&earlier), None).iter().map(line).collect();
    assert!(lines.iter().all(|line| !line.contains("SidecarContainers")), "{lines:#?}");
}

#[test]
fn the_streaming_timeout_is_a_warning_from_1_34_on() {
    let findings = validate(&read(&json!({"kubernetes_version": "1.34.0", "kube_binary_config": null})), None);
    let mut lines: Vec<_> = findings.iter().map(line).collect();
    lines.sort();
    assert_eq!(lines.len(), 2, "{lines:#?}");
    assert!(lines.iter().all(|line| line.ends_with("has no effect from Kubernetes 1.34 on; remove it")), "{lines:#?}");
}

#[test]
fn only_an_expired_authority_of_the_cluster_is_an_error_among_dates() {
    let configuration = read(&json!({}));
    for (now, expected) in [
        (None, None),
        (Some(IN_2030), None),
        (Some(Today(1_700_000_000)), Some("is not valid before 2026-11-21T02:39:59Z")),
        (Some(Today(2_200_000_000)), Some("expired on 2036-11-18T02:39:59Z")),
    ] {
        let lines: Vec<_> = validate(&configuration, now).iter().map(line).collect();
        match expected {
            None => assert!(lines.is_empty(), "{lines:#?}"),
            Some(expected) => {
                assert_eq!(lines.len(), 4, "{lines:#?}");
                assert!(lines.iter().all(|line| line.ends_with(expected)), "{lines:#?}");
                let errors: Vec<_> = lines.iter().filter(|line| line.starts_with("error")).collect();
                let has_expired = expected.starts_with("expired");
                assert_eq!(errors.len(), usize::from(has_expired), "{lines:#?}");
                assert!(errors.iter().all(|line| line.starts_with("error: kubernetes_ca_cert")), "{lines:#?}");
            }
        }
    }
}

/// Plants strings that violate the checks of every secret field, some with a line feed or U+0000.
#[test]
fn findings_do_not_show_secrets() {
    for planted in ["canary", "canary\"$ \n", "\0canary", "-----BEGIN canary-----"] {
        let mut configuration = read(&json!({}));
        let count = plant(&mut configuration, planted);
        assert_eq!(count, 6, "the contract has six secrets");
        let findings = validate(&configuration, Some(IN_2030));
        assert!(!findings.is_empty());
        for finding in findings {
            let all = format!("{} {finding:?}", line(&finding));
            assert!(!all.contains("canary"), "{all}");
        }
    }
}

/// Sets every secret field; returns how many there are.
fn plant(message: &mut dyn Message, text: &str) -> usize {
    let descriptor = message.descriptor();
    let mut count = 0;
    for (index, field) in descriptor.fields.iter().enumerate() {
        match message.slot_mut(index) {
            SlotMut::Text(slot) if field.secret => {
                text.clone_into(slot);
                count += 1;
            }
            SlotMut::OptionalText(slot) if field.secret => {
                *slot = Some(text.to_owned());
                count += 1;
            }
            SlotMut::Message(inner) => count += plant(inner, text),
            _ => {}
        }
    }
    count
}
