//! `new`: what it takes of a node pool, a kubeconfig and a Secret, and what it leaves out.

use serde_json::json;

use super::new_shapes::{document, new, row};

#[test]
fn a_pool_that_scales_one_size_by_itself_has_this_size() {
    let mut cluster = row();
    for scale in [
        json!({"autoscale": {"size": "Standard_D2ds_v5", "minCount": 1, "maxCount": 3}}),
        json!({"autoscale": [{"size": "Standard_D2ds_v5", "minCount": 1, "maxCount": 3}]}),
    ] {
        let pools = cluster["properties"]["agentPoolProfiles"].as_array_mut().expect("a list");
        let pool = pools.iter_mut().find(|pool| pool["name"] == "vms").expect("it is there");
        pool["virtualMachinesProfile"] = json!({"scale": scale});
        let made = new(&cluster.to_string(), &["--node-pool", "vms"]);
        assert_eq!(document(&made)["vm_size"], "Standard_D2ds_v5", "{}", made.stderr);
    }
}

#[test]
fn labels_without_a_value_are_kept_and_those_that_no_kubelet_may_set_are_listed() {
    let mut cluster = row();
    cluster["properties"]["agentPoolProfiles"][0]["nodeLabels"] =
        json!({"team": "", "node-role.kubernetes.io/agent": ""});
    let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
    let labels = &document(&made)["kubelet_config"]["kubelet_node_labels"];
    assert_eq!((&labels["team"], labels.get("node-role.kubernetes.io/agent")), (&"".into(), None));
    assert!(made.stderr.contains("node-role.kubernetes.io/agent\"]: left out"), "{}", made.stderr);
}

#[test]
fn a_runtime_that_nodes_no_longer_have_is_listed() {
    let mut cluster = row();
    cluster["properties"]["agentPoolProfiles"][0]["workloadRuntime"] = json!("WasmWasi");
    let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
    assert!(made.code == Some(0) && made.stderr.contains("workloadRuntime is `WasmWasi`"), "{}", made.stderr);
    cluster["properties"]["agentPoolProfiles"][0]["workloadRuntime"] = json!("OCIContainer");
    let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
    assert!(!made.stderr.contains("workloadRuntime"), "{}", made.stderr);
}

#[test]
fn a_cluster_chooses_its_entry_of_a_kubeconfig_whose_current_context_is_of_another_one() {
    let mut cluster = row();
    let host = "own-1a2b3c4d.hcp.swedencentral.azmk8s.io";
    cluster["properties"]["fqdn"] = json!(host);
    let other = "other-1a2b3c4d.hcp.westeurope.azmk8s.io";
    let entry = |name: &str, host: &str| json!({"name": name, "cluster": {"server": format!("https://{host}:443")}});
    let context = |name: &str| json!({"name": name, "context": {"cluster": name, "user": "u"}});
    let kubeconfig = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "other",
        "clusters": [entry("other", other), entry("own", host)],
        "contexts": [context("other"), context("own")],
        "users": [{"name": "u", "user": {"token": "q1w2e3.a4s5d6f7g8h9j0k1"}}],
    });
    for text in [format!("{cluster}\n{kubeconfig}"), format!("{kubeconfig}\n{cluster}")] {
        let made = new(&text, &["--node-pool", "sys"]);
        let found = document(&made);
        assert_eq!(found["api_server_config"]["api_server_name"], host, "{}", made.stderr);
        assert!(made.stderr.contains("the cluster `own` counts"), "{}", made.stderr);
        // The token is of the other context.
        assert_eq!(found["bootstrapping_config"]["tls_bootstrapping_token"], "<BOOTSTRAP_TOKEN>");
    }
    let alone = document(&new(&kubeconfig.to_string(), &[]));
    assert_eq!(alone["api_server_config"]["api_server_name"], other);
    assert_eq!(alone["bootstrapping_config"]["tls_bootstrapping_token"], "q1w2e3.a4s5d6f7g8h9j0k1");
}

#[test]
fn a_token_that_the_api_server_may_not_accept_is_noted() {
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "type": "bootstrap.kubernetes.io/token", "metadata": {"name": "bootstrap-token-q1w2e3"},
        "stringData": {"token-id": "q1w2e3", "token-secret": "a4s5d6f7g8h9j0k1"},
    });
    let made = new(&secret.to_string(), &[]);
    assert!(made.stderr.contains("has no `usage-bootstrap-authentication`"), "{}", made.stderr);
    assert_eq!(document(&made)["bootstrapping_config"]["tls_bootstrapping_token"], "q1w2e3.a4s5d6f7g8h9j0k1");
}

#[test]
fn a_secret_in_which_the_api_server_does_not_look_is_noted() {
    for (name, namespace, expected) in [
        ("bootstrap-token-q1w2e3", "default", Some("is in the namespace `default`")),
        ("bootstrap-token-abcdef", "kube-system", Some("has another name than `bootstrap-token-` and the id")),
        ("bootstrap-token-q1w2e3", "kube-system", None),
    ] {
        let secret = json!({
            "apiVersion": "v1", "kind": "Secret", "type": "bootstrap.kubernetes.io/token",
            "metadata": {"name": name, "namespace": namespace},
            "stringData": {"token-id": "q1w2e3", "token-secret": "a4s5d6f7g8h9j0k1", "usage-bootstrap-authentication": "true"},
        });
        let made = new(&secret.to_string(), &[]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        assert_eq!(made.stderr.contains("the API server"), expected.is_some(), "{name}: {}", made.stderr);
        assert!(expected.is_none_or(|text| made.stderr.contains(text)), "{name}: {}", made.stderr);
    }
}

#[test]
fn an_address_to_which_no_node_connects_is_named() {
    let kubeconfig = |server: &str| {
        json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "a", "users": [],
            "clusters": [{"name": "a", "cluster": {"server": server}}],
            "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}],
        })
        .to_string()
    };
    for (server, code, expected) in [
        ("https://a.hcp.westeurope.azmk8s.io", 0, None),
        ("https://a.hcp.westeurope.azmk8s.io:443/", 0, None),
        ("https://a.hcp.westeurope.azmk8s.io:6443", 0, Some("has the port 6443: nodes connect to port 443")),
        ("http://a.hcp.westeurope.azmk8s.io", 0, Some("has the port 80")),
        ("https://rancher.example/k8s/clusters/c-m-abc", 1, Some("has the path `/k8s/clusters/c-m-abc`")),
    ] {
        let made = new(&kubeconfig(server), &[]);
        assert_eq!(made.code, Some(code), "{server}: {}", made.stderr);
        assert_eq!(made.stderr.contains("nodes connect"), expected.is_some(), "{server}: {}", made.stderr);
        assert!(expected.is_none_or(|text| made.stderr.contains(text)), "{server}: {}", made.stderr);
    }
}

#[test]
fn a_ca_with_indented_lines_is_written_without_them() {
    let ca = include_str!("../../testdata/certificates/authority.pem");
    let map = |ca: &str| {
        let data = json!({"ca.crt": ca});
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "kube-root-ca.crt"}, "data": data})
            .to_string()
    };
    let indented: String = ca.lines().flat_map(|line| ["    ", line, "\n"]).collect();
    let plain = document(&new(&map(ca), &[]));
    assert_eq!(document(&new(&map(&indented), &[]))["kubernetes_ca_cert"], plain["kubernetes_ca_cert"]);
}

#[test]
fn taints_and_labels_in_another_form_are_not_lost_silently() {
    for (member, value) in
        [("nodeTaints", json!([{"key": "a", "value": "b", "effect": "NoSchedule"}])), ("nodeLabels", json!(["a=b"]))]
    {
        let mut cluster = row();
        cluster["properties"]["agentPoolProfiles"][0][member] = value;
        let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
        assert!(made.stderr.contains(&format!("{member}: ignored, because it is not ")), "{}", made.stderr);
    }
    assert!(!new(&row().to_string(), &["--node-pool", "sys"]).stderr.contains("ignored, because it is not"));
}

#[test]
fn an_error_message_is_named_with_its_code() {
    for (text, expected) in [
        (
            "ERROR: (ResourceGroupNotFound) Resource group 'x' could not be found.\n",
            "no document: `ResourceGroupNotFound`",
        ),
        ("Error from server (NotFound): configmaps \"cluster-info\" not found\n", "no document: `NotFound`"),
        ("ERROR: Please run 'az login' to setup account.\n", "no document: run `az login` first"),
        ("ERROR: The subscription of 'a (b)' doesn't exist.\n", "no document\n"),
    ] {
        let made = new(text, &[]);
        assert!(made.code == Some(1) && made.stderr.contains(expected), "{text}: {}", made.stderr);
    }
}

#[test]
fn node_local_dns_without_zones_has_those_of_aks() {
    let mut cluster = row();
    cluster["properties"]["agentPoolProfiles"][0]["localDnsProfile"] = json!({"mode": "Required"});
    let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
    let dns = &document(&made)["local_dns_profile"];
    assert_eq!(dns["vnet_dns_overrides"]["."]["forward_destination"], "VnetDNS", "{}", made.stderr);
    assert_eq!(dns["kube_dns_overrides"]["."]["forward_destination"], "ClusterCoreDNS");
    assert_eq!(dns["kube_dns_overrides"]["cluster.local"]["protocol"], "ForceTCP");
    assert!(!made.stderr.contains("local-dns-zones"), "{}", made.stderr);
}

#[test]
fn a_cluster_that_no_node_can_join_is_noted() {
    for (member, value, expected) in [
        ("provisioningState", json!("Deleting"), "the cluster is being deleted"),
        ("powerState", json!({"code": "Stopped"}), "the cluster is stopped"),
    ] {
        let mut cluster = row();
        cluster["properties"][member] = value;
        let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
        assert!(made.code == Some(0) && made.stderr.contains(expected), "{expected}: {}", made.stderr);
    }
    assert!(!new(&row().to_string(), &["--node-pool", "sys"]).stderr.contains("the cluster is "));
}
