//! For each check a change of a valid document that violates it, and changes that do not.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::configuration::validate::tests::{IN_2030, line, read};
use crate::configuration::validate::validate;

fn findings(changes: &Value) -> Vec<String> {
    validate(&read(changes), Some(IN_2030)).iter().map(line).collect()
}

/// Checks that a change of the valid document leads to exactly the finding that starts with a text, or to none.
fn assert_finds(changes: &Value, expected: &str) {
    let lines = findings(changes);
    let fits = match lines.as_slice() {
        [] => expected.is_empty(),
        [line] => !expected.is_empty() && line.starts_with(expected),
        _ => false,
    };
    assert!(fits, "{changes}\nwanted {expected}\nfound {lines:#?}");
}

#[expect(clippy::needless_pass_by_value, reason = "callers read better")]
fn flags(flags: Value) -> Value {
    json!({"kubelet_config": {"kubelet_flags": flags}})
}

const AMD64: &str = "https://a.example/kubernetes/v1.33.2/binaries/kubernetes-node-linux-amd64.tar.gz";

#[test]
fn downloads_are_for_the_architecture_of_the_vm_size() {
    let url = |size: &str, field: &str| json!({"vm_size": size, "kube_binary_config": {field: AMD64}});
    for (changes, expected) in [
        (url("Standard_D4s_v5", "kube_binary_url"), ""),
        (url("unknown", "kube_binary_url"), "error: vm_size: must be the name"),
        (
            url("Standard_D4ps_v5", "kube_binary_url"),
            "error: kube_binary_config.kube_binary_url: is a download for amd64, but the processors of `Standard_D4ps_v5` are arm64",
        ),
        (
            url("Standard_D4ps_v5", "custom_kube_binary_url"),
            "error: kube_binary_config.custom_kube_binary_url: is a download for amd64",
        ),
        (
            url("Standard_D4ps_v5", "linux_credential_provider_url"),
            "warning: kube_binary_config.linux_credential_provider_url: is a download for amd64",
        ),
        (
            json!({"kube_binary_config": {"kube_binary_url": AMD64.replace("amd64", "arm64")}}),
            "error: kube_binary_config.kube_binary_url: is a download for arm64, but the processors of `Standard_D4s_v5` are amd64",
        ),
    ] {
        assert_finds(&changes, expected);
    }
}

#[test]
fn gpus_are_enabled_where_the_vm_size_has_them() {
    let gpu = |size: &str, enabled: Value| json!({"vm_size": size, "gpu_config": {"enable_nvidia": enabled}});
    for (changes, expected) in [
        (gpu("Standard_NC24ads_A100_v4", json!(true)), ""),
        (gpu("Standard_NC999_v9", json!(true)), ""),
        (gpu("Standard_D4s_v5", json!(false)), ""),
        (gpu("Standard_NC24ads_A100_v4", json!(null)), "warning: gpu_config.enable_nvidia: is not `true`, but"),
        (gpu("Standard_NC24ads_A100_v4", json!(false)), "warning: gpu_config.enable_nvidia: is not `true`, but"),
        (
            gpu("Standard_D4s_v5", json!(true)),
            "error: gpu_config.enable_nvidia: is `true`, but `Standard_D4s_v5` has no GPU of NVIDIA",
        ),
    ] {
        assert_finds(&changes, expected);
    }
}

#[test]
fn reservations_leave_cpus_to_pods() {
    let in_file = |enabled: bool, cpu: &str| {
        let file = json!({"kube_reserved": {"cpu": cpu}, "system_reserved": {"cpu": "1"}});
        json!({"kubelet_config": {"enable_kubelet_config_file": enabled, "kubelet_config_file_config": file}})
    };
    for (changes, expected) in [
        (flags(json!({"--kube-reserved": "cpu=2,memory=1Gi", "--system-reserved": "cpu=1900m"})), ""),
        (
            flags(json!({"--kube-reserved": "memory=1Gi,cpu=2500m", "--system-reserved": "cpu=1500m"})),
            "error: kubelet_config.kubelet_flags[\"--kube-reserved\"]: leaves no CPU for pods: 4 are reserved in all, and `Standard_D4s_v5` has 4",
        ),
        (in_file(true, "2"), ""),
        (in_file(false, "9"), ""),
        (
            in_file(true, "3"),
            "error: kubelet_config.kubelet_config_file_config.kube_reserved[\"cpu\"]: leaves no CPU for pods",
        ),
    ] {
        assert_finds(&changes, expected);
    }
    let old = json!({"vm_size": "Standard_DS2_v2", "kubelet_config": {"kubelet_flags": {"--kube-reserved": "cpu=2"}}});
    assert_finds(&old, "");
}

#[test]
fn versions_of_kubernetes_have_images_and_downloads() {
    let url = |field: &str, version: &str| json!({"kube_binary_config": {field: AMD64.replace("1.33.2", version)}});
    let of = |version: &str| {
        let url = AMD64.replace("1.33.2", version);
        json!({"kubernetes_version": version, "kube_binary_config": {"kube_binary_url": url}})
    };
    for (changes, expected) in [
        (of("1.28.0"), ""),
        (of("1.27.9"), "warning: kubernetes_version: is a version of Kubernetes that no supported image has"),
        (url("kube_binary_url", "1.33.2-build.7"), ""),
        (
            url("kube_binary_url", "1.33.3"),
            "warning: kube_binary_config.kube_binary_url: names version 1.33.3, but `kubernetes_version` is 1.33.2",
        ),
        (url("private_kube_binary_url", "1.33.3"), ""),
        (url("private_kube_binary_url", "1.32.2"), "warning: kube_binary_config.private_kube_binary_url: names"),
        (url("custom_kube_binary_url", "1.34.2"), "warning: kube_binary_config.custom_kube_binary_url: names"),
        (url("linux_credential_provider_url", "1.33.0"), ""),
        (
            url("linux_credential_provider_url", "1.30.0"),
            "warning: kube_binary_config.linux_credential_provider_url: names version 1.30.0",
        ),
    ] {
        assert_finds(&changes, expected);
    }
}

#[test]
fn the_cluster_dns_is_where_services_are() {
    let service =
        |address: &str| json!({"cluster_config": {"cluster_network_config": {"core_dns_service_ip": address}}});
    for (changes, expected) in [
        (flags(json!({"--cluster-dns": "169.254.10.11"})), ""),
        (
            service("169.254.10.11"),
            "error: cluster_config.cluster_network_config.core_dns_service_ip: must be the address of a service: 169.254.10.11 is a link-local",
        ),
        (
            flags(json!({"--cluster-dns": "10.0.0.10,168.63.129.16"})),
            "error: kubelet_config.kubelet_flags[\"--cluster-dns\"]: must be the address of a service: 168.63.129.16 is",
        ),
        (
            json!({"kubelet_config": {"kubelet_config_file_config": {"cluster_dns": ["127.0.0.53"]}}}),
            "error: kubelet_config.kubelet_config_file_config.cluster_dns[0]: must be the address of a service",
        ),
    ] {
        assert_finds(&changes, expected);
    }
}

#[test]
fn the_range_of_pods_has_addresses_for_pods_only() {
    for (range, expected) in [
        ("10.244.1.0/24", ""),
        ("fd12::/64,10.244.1.0/24", ""),
        ("10.0.0.0/16", "10.0.0.10, the address of the cluster's DNS"),
        ("169.254.0.0/16", "169.254.169.254, the address of Azure's platform"),
        ("168.63.0.0/16", "168.63.129.16, the address of Azure's platform"),
    ] {
        let begin = "error: kubelet_config.kubelet_flags[\"--pod-cidr\"]: contains ";
        let expected = if expected.is_empty() { String::new() } else { format!("{begin}{expected}") };
        assert_finds(&flags(json!({"--pod-cidr": range})), &expected);
    }
    let server = json!({
        "api_server_config": {"api_server_name": "10.9.0.4"},
        "http_proxy_config": {"no_proxy_entries": ["10.9.0.0/16", "169.254.169.254", "168.63.129.16"]},
        "kubelet_config": {"kubelet_flags": {"--pod-cidr": "10.9.0.0/16"}},
    });
    assert_finds(
        &server,
        "error: kubelet_config.kubelet_flags[\"--pod-cidr\"]: contains 10.9.0.4, the address of the API server",
    );
}

#[test]
fn the_number_of_pods_fits_aks_and_the_range() {
    let pods = |count: &str, range: &str| flags(json!({"--max-pods": count, "--pod-cidr": range}));
    for (changes, expected) in [
        (pods("250", "10.244.0.0/24"), ""),
        (
            pods("251", "10.244.0.0/16"),
            "warning: kubelet_config.kubelet_flags[\"--max-pods\"]: must be at most 250, the limit of AKS, found 251",
        ),
        (
            pods("110", "10.244.0.0/26"),
            "warning: kubelet_config.kubelet_flags[\"--max-pods\"]: is 110, but `--pod-cidr` 10.244.0.0/26 has only 61 addresses for pods",
        ),
        (
            json!({"kubelet_config": {"kubelet_config_file_config": {"max_pods": 300}}}),
            "warning: kubelet_config.kubelet_config_file_config.max_pods: must be at most 250",
        ),
    ] {
        assert_finds(&changes, expected);
    }
}

#[test]
fn the_proxy_is_bypassed_for_the_api_server_and_the_platform() {
    let proxy = |entries: Value| json!({"http_proxy_config": {"no_proxy_entries": entries}});
    let server = "cluster.hcp.westeurope.azmk8s.io";
    for (changes, expected) in [
        (proxy(json!([server, "169.254.169.254", "168.63.129.16"])), ""),
        (proxy(json!(["*"])), ""),
        (
            proxy(json!(["169.254.169.254", "168.63.129.16"])),
            "warning: http_proxy_config.no_proxy_entries: has no entry for `cluster.hcp.westeurope.azmk8s.io`: a node must reach the API server",
        ),
        (
            proxy(json!([server, "168.63.129.16"])),
            "warning: http_proxy_config.no_proxy_entries: has no entry for `169.254.169.254`: a node must",
        ),
        (
            proxy(json!([])),
            "warning: http_proxy_config.no_proxy_entries: has no entry for `cluster.hcp.westeurope.azmk8s.io`, `169.254.169.254`, `168.63.129.16`: a",
        ),
        (json!({"http_proxy_config": {"http_proxy": "", "https_proxy": "", "no_proxy_entries": []}}), ""),
    ] {
        assert_finds(&changes, expected);
    }
}

#[test]
fn taints_and_labels_are_there_once() {
    for (changes, expected) in [
        (flags(json!({"--register-with-taints": "a=b:NoSchedule,a=b:NoExecute,c=b:NoSchedule"})), ""),
        (
            flags(json!({"--register-with-taints": "a=b:NoSchedule,a=c:NoSchedule"})),
            "error: kubelet_config.kubelet_flags[\"--register-with-taints\"]: has the key `a` with the effect `NoSchedule` more than once",
        ),
        (flags(json!({"--node-labels": "agentpool=nodepool1"})), ""),
        (
            flags(json!({"--node-labels": "agentpool=other"})),
            "warning: kubelet_config.kubelet_node_labels[\"agentpool\"]: is \"nodepool1\", but \"other\" in `--node-labels`",
        ),
    ] {
        assert_finds(&changes, expected);
    }
}

/// Files in testdata/certificates, made with OpenSSL. The keys protect nothing.
macro_rules! pem {
    ($name:literal) => {
        STANDARD.encode(include_str!(concat!("../../../../testdata/certificates/", $name)))
    };
}

#[test]
fn the_authority_of_the_cluster_may_sign() {
    let authority = pem!("authority.pem");
    for (certificates, expected) in [
        (authority, ""),
        (pem!("client_ec.pem"), "error: kubernetes_ca_cert: contains no certificate of an authority"),
        (pem!("self_signed.pem"), "warning: kubernetes_ca_cert: contains no certificate of an authority"),
    ] {
        assert_finds(&json!({"kubernetes_ca_cert": certificates}), expected);
    }
    let both = [
        include_str!("../../../../testdata/certificates/client_ec.pem"),
        include_str!("../../../../testdata/certificates/authority.pem"),
    ];
    assert_finds(&json!({"kubernetes_ca_cert": STANDARD.encode(both.concat())}), "");
}

#[test]
fn the_key_of_the_kubelet_is_that_of_its_certificate() {
    let (ec, rsa) = (pem!("client_ec.pem"), pem!("client_rsa.pem"));
    let ec_keys = [pem!("client_ec_sec1.key"), pem!("client_ec_pkcs8.key")];
    let rsa_keys = [pem!("client_rsa_pkcs1.key"), pem!("client_rsa_pkcs8.key")];
    let expected = "error: kubelet_config.kubelet_client_key: is not the key of the certificate in";
    for (certificate, own, others) in [(&ec, &ec_keys, &rsa_keys), (&rsa, &rsa_keys, &ec_keys)] {
        let pair = |key: &String| json!({"kubelet_config": {"kubelet_client_cert_content": certificate, "kubelet_client_key": key}});
        for key in own {
            assert_finds(&pair(key), "");
        }
        for key in others {
            assert_finds(&pair(key), expected);
        }
    }
    // A key of the same kind that is another one.
    let authority = json!({"kubelet_config": {
        "kubelet_client_cert_content": pem!("authority.pem"), "kubelet_client_key": ec_keys[0],
    }});
    assert_finds(&authority, expected);
}

#[test]
fn the_certificate_of_the_api_server_has_its_name() {
    let server = |name: &str| {
        json!({
            "api_server_config": {"api_server_name": name, "api_server_public_key": pem!("api_server.pem")},
            "http_proxy_config": {"no_proxy_entries": ["*"]},
        })
    };
    for name in ["cluster.hcp.westeurope.azmk8s.io", "10.0.0.1", "KUBERNETES.default.svc"] {
        assert_finds(&server(name), "");
    }
    for name in ["cluster.hcp.eastus.azmk8s.io", "a.b.hcp.westeurope.azmk8s.io", "10.0.0.2"] {
        assert_finds(
            &server(name),
            "warning: api_server_config.api_server_public_key: is a certificate for other names than `api_server_name`",
        );
    }
}
