//! `new`: what it takes of a node pool, a kubeconfig and a Secret, and what it leaves out.

use serde_json::{Value, json};

use super::new_shapes::{document, new, row};
use super::{run, run_with};

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
fn values_in_another_form_are_not_lost_silently() {
    const POOL: &str = "/properties/agentPoolProfiles/0";
    for (place, member, value, form) in [
        (POOL, "nodeTaints", json!([{"key": "a", "value": "b", "effect": "NoSchedule"}]), "a list of texts"),
        (POOL, "nodeLabels", json!(["a=b"]), "an object with a text for each name"),
        (POOL, "maxPods", json!("60"), "a whole number"),
        (POOL, "osDiskType", json!(["Ephemeral"]), "text"),
        (POOL, "enableFips", json!("true"), "`true` or `false`"),
        // As PowerShell shortens what is deeper than `-Depth` says.
        (POOL, "kubeletConfig", json!("Microsoft.Azure.KubeletConfig"), "an object"),
        ("/properties", "apiServerAccessProfile", json!("Microsoft.Azure.AccessProfile"), "an object"),
        ("/properties", "agentPoolProfiles", json!("System.Object[]"), "a list"),
        ("/properties/networkProfile", "dnsServiceIP", json!(["10.0.0.10"]), "text"),
        ("/properties/apiServerAccessProfile", "enablePrivateCluster", json!("true"), "`true` or `false`"),
    ] {
        let mut cluster = row();
        cluster.pointer_mut(place).expect("the object of the member")[member] = value;
        let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
        let expected = format!("{member}: ignored, because it is not {form}").to_lowercase();
        let found = made.stderr.to_lowercase().matches(&expected).count();
        assert_eq!(found, 1, "{member}: {}", made.stderr);
    }
    assert!(!new(&row().to_string(), &["--node-pool", "sys"]).stderr.contains("ignored, because it is not"));
}

/// The versions are from AKS's documentation, from its list of images and from the definitions of its galleries.
/// <https://learn.microsoft.com/azure/aks/azure-container-linux-overview>
#[test]
fn a_pool_that_does_not_name_its_system_has_that_of_its_image() {
    for (image, expected) in [
        ("AKSUbuntu-2204gen2containerd-202511.07.0", "Ubuntu"),
        ("AKSAzureLinux-V3gen2-202511.07.0", "AzureLinux"),
        ("AKSAzureLinux-OSGuardV3gen2fipsTL-202512.18.0", "AzureLinuxOSGuard"),
        ("AzureLinuxOSGuard-2025.10.03", "AzureLinuxOSGuard"),
        ("AKSAzureLinux-aclgen2arm64fipsTL-202609.23.0", "AzureContainerLinux"),
        ("AKSAzureContainerLinux-202606.01.0", "AzureContainerLinux"),
        ("AKSFlatcar-flatcargen2-202508.06.0", "Flatcar"),
        ("AKSCBLMariner-V2gen2-202512.18.0", "CBLMariner"),
        ("own-image-1", "Ubuntu"),
    ] {
        let mut cluster = row();
        let pool = cluster["properties"]["agentPoolProfiles"][0].as_object_mut().expect("a pool");
        pool.retain(|name, _| !name.eq_ignore_ascii_case("osSku"));
        pool.insert("nodeImageVersion".to_owned(), json!(image));
        let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
        let labels = &document(&made)["kubelet_config"]["kubelet_node_labels"];
        assert_eq!(labels["kubernetes.azure.com/os-sku"], expected, "{image}: {}", made.stderr);
        assert!(!made.stderr.contains("label-conflict"), "{image}: {}", made.stderr);
    }
}

#[test]
fn the_image_of_a_pool_is_not_that_of_a_node_with_another_architecture() {
    const IMAGE: &str = "kubernetes.azure.com/node-image-version";
    let mut cluster = row();
    cluster["properties"]["agentPoolProfiles"][0]["nodeImageVersion"] =
        json!("AKSUbuntu-2204gen2arm64containerd-202511.07.0");
    for (size, has_image) in [("Standard_D4ps_v6", true), ("Standard_D4s_v5", false)] {
        let made = new(&cluster.to_string(), &["--node-pool", "sys", "--vm-size", size]);
        let image = document(&made)["kubelet_config"]["kubelet_node_labels"][IMAGE].clone();
        assert_eq!(image.is_string(), has_image, "{size}: {}", made.stderr);
    }
}

#[test]
fn a_misspelled_setting_that_is_turned_off_is_named() {
    let mut cluster = row();
    cluster["properties"]["agentPoolProfiles"][0]["kubeletConfig"] =
        json!({"cpuCfsQuoat": false, "seccompDefault": "Unconfined"});
    let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
    assert!(
        made.stderr.contains("kubeletConfig.cpuCfsQuoat: is not read: did you mean `cpuCfsQuota`?"),
        "{}",
        made.stderr
    );
    assert_eq!(document(&made)["kubelet_config"]["kubelet_flags"]["--seccomp-default"], "false");
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

/// <https://learn.microsoft.com/azure/aks/use-node-taints>
#[test]
fn a_node_registers_with_the_taints_of_its_initialization_too() {
    let mut cluster = row();
    let pool = &mut cluster["properties"]["agentPoolProfiles"][0];
    pool["nodeTaints"] = json!(["sku=gpu:NoSchedule", "CriticalAddonsOnly=true:NoSchedule"]);
    pool["nodeInitializationTaints"] =
        json!(["node.cilium.io/agent-not-ready=true:NoExecute", "sku=other:NoSchedule", "sku=gpu:NoExecute"]);
    let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
    let taints = "sku=gpu:NoSchedule,CriticalAddonsOnly=true:NoSchedule,node.cilium.io/agent-not-ready=true:NoExecute,sku=gpu:NoExecute";
    assert_eq!(document(&made)["kubelet_config"]["kubelet_flags"]["--register-with-taints"], taints, "{}", made.stderr);
    assert!(!made.stderr.contains("nodeInitializationTaints"), "{}", made.stderr);
    cluster["properties"]["agentPoolProfiles"][0]["nodeInitializationTaints"] = json!("a=b:NoSchedule");
    let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
    assert!(made.stderr.contains("nodeInitializationTaints: ignored, because it is not "), "{}", made.stderr);
}

#[test]
fn the_image_of_a_pool_is_not_that_of_a_node_with_another_system() {
    const IMAGE: &str = "kubernetes.azure.com/node-image-version";
    let mut cluster = row();
    let pool = &mut cluster["properties"]["agentPoolProfiles"][0];
    pool["osSKU"] = json!("Ubuntu");
    pool["nodeImageVersion"] = json!("AKSUbuntu-2204gen2containerd-202610.15.0");
    for (os, is_kept) in [("ubuntu", true), ("azurelinux", false)] {
        let made = new(&cluster.to_string(), &["--node-pool", "sys", "--os", os]);
        let labels = &document(&made)["kubelet_config"]["kubelet_node_labels"];
        assert_eq!(labels.get(IMAGE).is_some(), is_kept, "{os}: {labels}");
    }
}

#[test]
fn a_label_that_is_no_text_has_its_value() {
    let mut cluster = row();
    cluster["properties"]["agentPoolProfiles"][0]["nodeLabels"] = json!({"tier": 1, "edge": true, "team": null});
    let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
    let labels = &document(&made)["kubelet_config"]["kubelet_node_labels"];
    assert_eq!((&labels["tier"], &labels["edge"], &labels["team"]), (&"1".into(), &"true".into(), &"".into()));
}

/// <https://learn.microsoft.com/azure/aks/azure-cni-overlay>
#[test]
fn the_overlay_of_azure_cni_can_have_a_network_policy() {
    let mut cluster = row();
    cluster["properties"]["agentPoolProfiles"][0]["podSubnetID"] = json!(null);
    for (member, value) in [("networkPlugin", "azure"), ("networkDataplane", "azure"), ("networkPolicy", "calico")] {
        cluster["properties"]["networkProfile"][member] = json!(value);
    }
    for (mode, plugin) in [(json!("overlay"), "NETWORK_PLUGIN_NONE"), (json!(null), "NETWORK_PLUGIN_AZURE")] {
        cluster["properties"]["networkProfile"]["networkPluginMode"] = mode;
        let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
        let network = &document(&made)["network_config"];
        assert_eq!(
            (&network["network_plugin"], &network["network_policy"]),
            (&plugin.into(), &"NETWORK_POLICY_CALICO".into())
        );
        assert!(!made.stderr.contains("[network-plugin]"), "{}", made.stderr);
    }
}

/// The id of the set is in capital letters, as Azure prints it.
#[test]
fn a_machine_has_the_name_of_its_availability_set() {
    let group = "/subscriptions/0de45914-0000-4000-8000-000000000001/resourceGroups/MC_demo-rg_demo_westeurope";
    let machine = json!({
        "availabilitySet": {"id": format!("{group}/providers/Microsoft.Compute/availabilitySets/NODEPOOL1-AVAILABILITYSET-25331122")},
        "hardwareProfile": {"vmSize": "Standard_DS3_v2"}, "location": "westeurope", "name": "aks-nodepool1-25331122-0",
        "id": format!("{group}/providers/Microsoft.Compute/virtualMachines/aks-nodepool1-25331122-0"),
        "networkProfile": {"networkInterfaces": []}, "osProfile": {"adminUsername": "azureuser"}, "storageProfile": {},
        "tags": {"aks-managed-poolName": "nodepool1"}, "type": "Microsoft.Compute/virtualMachines", "vmId": "a",
    });
    let made = new(&machine.to_string(), &[]);
    let cluster = &document(&made)["cluster_config"];
    assert_eq!(cluster["primary_availability_set"], "NODEPOOL1-AVAILABILITYSET-25331122", "{}", made.stderr);
    assert_eq!((&cluster["vm_type"], cluster.get("primary_scale_set")), (&"VM_TYPE_STANDARD".into(), None));
    assert!(!made.stderr.contains("availabilitySet"), "{}", made.stderr);
}

/// The shape is that of <https://learn.microsoft.com/cli/azure/identity#az-identity-show>.
#[test]
fn the_identity_of_the_kubelet_has_client_id_and_tenant() {
    let identity = |name: &str, client: &str| {
        json!({
            "clientId": client, "isolationScope": "None", "location": "westeurope", "name": name,
            "id": format!("/subscriptions/0de45914-0000-4000-8000-000000000001/resourcegroups/ids/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{name}"),
            "principalId": "f8c50a4f-0000-4000-8000-bf771a42d4ba", "resourceGroup": "ids", "systemData": null, "tags": {},
            "tenantId": "5ae15ec1-0000-4000-8000-6929573dfbf0", "type": "Microsoft.ManagedIdentity/userAssignedIdentities",
        })
    };
    let of_kubelet = identity("nodes", "bef71225-0000-4000-8000-c7265f18a806");
    let mut cluster = row();
    cluster["tenantId"] = json!(null);
    cluster["identity"] = json!({"type": "UserAssigned", "userAssignedIdentities": {}});
    let mut known = json!({"resourceId": of_kubelet["id"].as_str().map(str::to_uppercase)});
    cluster["properties"]["identityProfile"] = json!({"kubeletidentity": known});
    let other = identity("control-plane", "3f6c2d1e-0000-4000-8000-d3e4f5a6b7c8");
    let made = new(&format!("{other}{of_kubelet}{cluster}"), &["--node-pool", "sys"]);
    let auth = &document(&made)["auth_config"];
    assert_eq!(auth["assigned_identity_id"], "bef71225-0000-4000-8000-c7265f18a806", "{}", made.stderr);
    assert_eq!(auth["tenant_id"], "5ae15ec1-0000-4000-8000-6929573dfbf0");
    assert!(made.stderr.contains("is a managed identity, not that of the kubelet: ignored"), "{}", made.stderr);
    // The cluster has another client id for the same identity.
    known["clientId"] = json!("00000000-1111-4000-8000-000000000000");
    cluster["properties"]["identityProfile"] = json!({"kubeletidentity": known});
    let made = new(&format!("{of_kubelet}{cluster}"), &["--node-pool", "sys"]);
    assert!(made.code == Some(1) && made.stderr.contains("are of different clusters"), "{}", made.stderr);
    // Without a cluster, an identity can be of anything.
    let made = new(&identity("demo-agentpool", "bef71225-0000-4000-8000-c7265f18a806").to_string(), &[]);
    assert!(made.code == Some(1) && made.stderr.contains("as `az identity show` prints it"), "{}", made.stderr);
}

#[test]
fn tokens_beside_secure_tls_bootstrapping_are_left_out_and_listed() {
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "type": "bootstrap.kubernetes.io/token",
        "metadata": {"name": "bootstrap-token-q1w2e3", "namespace": "kube-system"},
        "stringData": {"token-id": "q1w2e3", "token-secret": "a4s5d6f7g8h9j0k1", "usage-bootstrap-authentication": "true"},
    });
    let kubeconfig = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "own",
        "clusters": [{"name": "own", "cluster": {"server": "https://own.example.com:443"}}],
        "contexts": [{"name": "own", "context": {"cluster": "own", "user": "u"}}],
        "users": [{"name": "u", "user": {"token": "q1w2e3.a4s5d6f7g8h9j0k1"}}],
    });
    let configuration = json!({
        "version": "v1",
        "bootstrapping_config": {"bootstrapping_auth_method": "BOOTSTRAPPING_AUTH_METHOD_SECURE_TLS_BOOTSTRAPPING"},
    });
    for (text, arguments) in [
        (secret.to_string(), &["--secure-tls"][..]),
        (kubeconfig.to_string(), &["--secure-tls"]),
        (format!("{configuration}\n{secret}"), &[]),
    ] {
        let made = new(&text, arguments);
        let bootstrapping = &document(&made)["bootstrapping_config"];
        assert_eq!(bootstrapping.get("tls_bootstrapping_token"), None, "{}", made.stderr);
        assert!(made.stderr.contains("a bootstrap token: left out"), "{}", made.stderr);
    }
}

#[test]
fn a_list_that_goes_on_elsewhere_is_listed() {
    let cluster = row();
    for (list, member) in [
        (json!({"value": [cluster], "nextLink": "https://management.azure.com/next"}), "nextLink"),
        (json!({"count": 1, "data": [cluster], "skip_token": "next", "total_records": 2}), "skip_token"),
    ] {
        let made = new(&list.to_string(), &["--node-pool", "sys"]);
        assert!(made.stderr.contains(&format!("is the first part of a list: `{member}`")), "{}", made.stderr);
    }
    let whole = json!({"value": [cluster], "nextLink": null});
    let made = new(&whole.to_string(), &["--node-pool", "sys"]);
    assert!(!made.stderr.contains("first part"), "{}", made.stderr);
}

#[test]
fn members_with_a_typing_error_are_listed_with_what_is_meant() {
    for (pool, part, name, wrong) in [
        (false, "networkProfile", "networkPolicy", "networkPolcy"),
        (false, "apiServerAccessProfile", "enablePrivateCluster", "enablePrivatCluster"),
        (false, "httpProxyConfig", "httpProxy", "htpProxy"),
        (false, "identityProfile", "kubeletidentity", "kubeletidentiy"),
        (true, "securityProfile", "sshAccess", "sshAcces"),
        (false, "", "nodeResourceGroup", "nodeResourceGrop"),
        (true, "", "vmSize", "vmSzie"),
    ] {
        let mut cluster = row();
        let properties = &mut cluster["properties"];
        let whole = if pool { &mut properties["agentPoolProfiles"][0] } else { properties };
        let object = if part.is_empty() { whole } else { &mut whole[part] };
        if !object.is_object() {
            *object = json!({});
        }
        object[wrong] = json!("value");
        object.as_object_mut().expect("an object").remove(name);
        let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
        let expected = format!("{wrong}: is not read: did you mean `{name}`?");
        assert!(made.stderr.contains(&expected), "{expected}: {}", made.stderr);
    }
}

/// Checks that a value has all members of another one, at any depth.
fn has_all(found: &Value, wanted: &Value, place: &str) {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            for (name, wanted) in wanted {
                let place = format!("{place}.{name}");
                has_all(found.get(name).unwrap_or_else(|| panic!("{place} is lost")), wanted, &place);
            }
        }
        _ => assert_eq!(found, wanted, "{place}"),
    }
}

#[test]
fn a_configuration_as_the_starting_point_keeps_every_value_also_empty_messages() {
    let names = run(&["generate", "--example", "list"]).stdout;
    for name in names.lines().filter_map(|line| line.split_whitespace().next()) {
        let example = run(&["generate", "--example", name, "--print"]).stdout;
        let converted = |text: &str| document(&run_with(&["convert", "-"], text.as_bytes()));
        let made = run_with(&["new", "-"], example.as_bytes());
        has_all(&converted(&made.stdout), &converted(&example), name);
    }
}
