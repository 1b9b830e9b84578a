//! `new`: the other shapes in which a cluster's documents come, and what users paste instead of them.

use std::fs;

use serde_json::{Value, json};

use super::{Run, run, run_with};
use crate::support::Scratch;

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/new");

fn read(name: &str) -> String {
    fs::read_to_string(format!("{TESTDATA}/{name}")).expect("it is there")
}

/// Runs `new` with a text as its standard input.
pub(super) fn new(text: &str, more: &[&str]) -> Run {
    run_with(&[&["new", "-", "--format", "json"], more].concat(), text.as_bytes())
}

pub(super) fn document(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr))
}

/// Returns the only row of the answer of Azure Resource Graph.
pub(super) fn row() -> Value {
    let answer: Value = serde_json::from_str(&read("pod-subnet.json")).expect("it is JSON");
    answer["data"][0].clone()
}

/// Returns a document with the names of Azure's SDK for Python, whose members are those of `az`.
fn snake_case(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let renamed = members.iter().map(|(name, value)| {
                let is_map = ["nodeLabels", "tags"].contains(&name.as_str());
                let mut snake = String::new();
                for letter in name.chars() {
                    if letter.is_ascii_uppercase() && snake.ends_with(|last: char| last.is_ascii_lowercase()) {
                        snake.push('_');
                    }
                    snake.push(if letter.is_ascii_uppercase() && snake.ends_with('_') {
                        letter.to_ascii_lowercase()
                    } else {
                        letter
                    });
                }
                (snake.to_ascii_lowercase(), if is_map { value.clone() } else { snake_case(value) })
            });
            Value::Object(renamed.collect())
        }
        Value::Array(list) => list.iter().map(snake_case).collect(),
        other => other.clone(),
    }
}

#[test]
fn every_shape_of_a_cluster_means_the_same() {
    let pool = ["--node-pool", "sys"];
    let expected = new(&read("pod-subnet.json"), &pool);
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    let plain = row();
    let mut without_type = row();
    without_type.as_object_mut().expect("it is an object").remove("type");
    for (name, text) in [
        ("a row", plain.to_string()),
        ("a list", json!([plain]).to_string()),
        ("the REST API", json!({"value": [plain]}).to_string()),
        ("Resource Graph's API", json!({"totalRecords": 1, "count": 1, "facets": [], "data": [plain]}).to_string()),
        ("a query without a type", without_type.to_string()),
        ("the SDK for Python", snake_case(&plain).to_string()),
        ("a copy from a terminal", format!("$ az rest --url x\n{plain}")),
        ("a warning of kubectl", format!("Warning: use the TokenRequest API\n{plain}")),
        ("a log line of kubectl", format!("W1126 10:00:00.000000   12345 x.go:1] y\r\n{plain}")),
    ] {
        let made = new(&text, &pool);
        assert_eq!(made.code, Some(0), "{name}: {}", made.stderr);
        assert_eq!(document(&made), document(&expected), "{name}");
    }
}

#[test]
fn pods_with_a_subnet_of_their_own_have_labels_for_it() {
    let made = new(&(read("pod-subnet.json") + &read("vnet.json")), &["--node-pool", "cvm"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let found = document(&made);
    let labels = &found["kubelet_config"]["kubelet_node_labels"];
    for (label, value) in [
        ("podnetwork-type", "vnetblock"),
        ("podnetwork-name", "hub-vnet"),
        ("podnetwork-resourcegroup", "hub-net"),
        ("podnetwork-subnet", "pods"),
        ("podnetwork-subscription", "0de45914-0000-4000-8000-00000000000a"),
        ("network-subnet", "nodes"),
        ("security-type", "ConfidentialVM"),
    ] {
        assert_eq!(labels[format!("kubernetes.azure.com/{label}")], value, "{label}");
    }
    let command = r"jsonpath='{.items[0].metadata.labels.kubernetes\.azure\.com/podnetwork-delegationguid}'";
    assert!(made.stderr.contains(command), "{}", made.stderr);
    let network = &found["cluster_config"]["cluster_network_config"];
    assert_eq!(
        (&network["security_group_name"], &network["route_table"]),
        (&"nodes-nsg".into(), &"nodes-routes".into())
    );
    assert_eq!(found["auth_config"]["tenant_id"], "5ae15ec1-0000-4000-8000-6929573dfbf0");
    let of_one = new(&(read("pod-subnet.json") + &read("vnet.json")), &["--node-pool", "sys"]);
    let labels = &document(&of_one)["kubelet_config"]["kubelet_node_labels"];
    assert_eq!(labels["kubernetes.azure.com/podnetwork-type"], "vnet");
    let alone = new(&read("vnet.json"), &[]);
    assert!(alone.code == Some(1) && alone.stderr.contains("are several subnets"), "{}", alone.stderr);
}

#[test]
fn a_pool_says_what_its_machines_are() {
    let of_pool = |pool: &str| {
        let made = new(&read("pod-subnet.json"), &["--node-pool", pool]);
        (document(&made), made.stderr)
    };
    let (amd, _) = of_pool("amd");
    assert_eq!(amd["gpu_config"], json!({"enable_amd_gpu": true}));
    let (own_driver, notes) = of_pool("nodrv");
    assert_eq!(
        own_driver["gpu_config"],
        json!({"config_gpu_driver": false, "enable_nvidia": true, "gpu_device_plugin": false})
    );
    assert!(notes.contains("without the tag `SkipGpuDriverInstall=true`"), "{notes}");
    let (_, notes) = of_pool("vms");
    assert!(notes.contains("choose `Standard_D4s_v5`, `Standard_E4s_v5` with --vm-size"), "{notes}");
    let (kata, _) = of_pool("kata");
    assert_eq!(kata["kubelet_config"]["kubelet_node_labels"]["kubernetes.azure.com/kata-vm-isolation"], "true");
}

#[test]
fn a_setting_of_a_pool_brings_what_the_kubelet_needs_for_it() {
    let mut cluster = row();
    let pool = &mut cluster["properties"]["agentPoolProfiles"][0];
    pool["kubeletConfig"] = json!({"cpuCfsQuotaPeriod": "200ms"});
    pool["linuxOSConfig"] = json!({"ulimits": {"maxLockedMemory": "unlimited", "noFile": "1048576"}});
    let made = new(&cluster.to_string(), &["--node-pool", "sys"]);
    let found = document(&made);
    assert_eq!(found["kubelet_config"]["kubelet_flags"]["--feature-gates"], "CustomCPUCFSQuotaPeriod=true");
    let limits = json!({"max_locked_memory": "infinity", "no_file": "1048576"});
    assert_eq!(found["custom_linux_os_config"]["ulimit_config"], limits);
    let newer = cluster.to_string().replace("1.34.2", "1.36.1");
    let made = new(&newer, &["--node-pool", "sys"]);
    assert_eq!(document(&made)["kubelet_config"]["kubelet_flags"].get("--feature-gates"), None);
}

#[test]
fn a_dual_stack_overlay_has_a_label_for_each_family() {
    let text = read("overlay-private.json").replace("\"IPv4\"\n", "\"IPv4\", \"IPv6\"\n");
    let labels = document(&new(&text, &[]))["kubelet_config"]["kubelet_node_labels"].clone();
    for label in ["podnetwork-type", "podv6network-type"] {
        assert_eq!(labels[format!("kubernetes.azure.com/{label}")], "overlay", "{label}");
    }
}

#[test]
fn what_is_pasted_instead_is_named() {
    let resource = json!({"type": "Microsoft.ContainerService/managedClusters", "apiVersion": "2025-05-01", "name": "x",
        "location": "westeurope", "properties": {"dnsPrefix": "x", "networkProfile": {}}});
    for (text, title) in [
        (resource.to_string(), "is an ARM template"),
        (r#"{"version": 3, "deployment": {"resources": []}}"#.to_owned(), "as `pulumi stack export` prints it"),
        (
            r#"{"values": [{"isDefault": true, "patchVersions": {}}]}"#.to_owned(),
            "as `az aks get-versions` prints them",
        ),
        (
            "NAME    STATUS   ROLES    AGE\naks-1   Ready    <none>   5d\n".to_owned(),
            "a table as `kubectl get` prints it",
        ),
        ("Name    Location\n------  ------\n".to_owned(), "a table as `az … -o table` prints it"),
        ("None\tdemo\twesteurope\n".to_owned(), "text with tabs as `az … -o tsv` prints it"),
        ("<!DOCTYPE html>\n<html></html>\n".to_owned(), "is HTML"),
        ("resource \"azurerm_kubernetes_cluster\" \"a\" {\n}\n".to_owned(), "is a Terraform configuration"),
        (
            "E1126 10:00:00.000000   1 memcache.go:265] x\nUnable to connect to the server: x\n".to_owned(),
            "an error message of `kubectl`",
        ),
    ] {
        let made = new(&text, &[]);
        assert!(made.code == Some(1) && made.stdout.is_empty(), "{title}: {}", made.stderr);
        assert!(made.stderr.contains(title), "{title}: {}", made.stderr);
    }
}

#[test]
fn set_reaches_into_maps_of_messages_and_removes_whole_parts() {
    let zones = "local_dns_profile.vnet_dns_overrides";
    let set = |changes: &[&str]| {
        let more: Vec<_> = changes.iter().flat_map(|change| ["--set", *change]).collect();
        let files = format!("{TESTDATA}/isolated.json");
        let made = run(&[&["new", files.as_str(), "--format", "json"][..], &more].concat());
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        document(&made)
    };
    let before = set(&[]);
    let keys: Vec<_> =
        before["local_dns_profile"]["vnet_dns_overrides"].as_object().expect("it has zones").keys().collect();
    let mut expected = before.clone();
    expected["local_dns_profile"]["vnet_dns_overrides"][keys[0]]["max_concurrent"] = json!(77);
    expected["local_dns_profile"]["vnet_dns_overrides"]["a.example"] =
        json!({"cache_duration_in_seconds": 9, "max_concurrent": 8, "protocol": "ForceTCP"});
    let one = format!("{zones}[\"{}\"].max_concurrent=77", keys[0]);
    let two = format!("{zones}.a.example={{protocol: ForceTCP, maxConcurrent: 8, cacheDurationInSeconds: 9}}");
    assert_eq!(set(&[&one, &two]), expected);
    let removed = format!("{zones}[\"{}\"]=null", keys[0]);
    expected["local_dns_profile"]["vnet_dns_overrides"].as_object_mut().expect("it has zones").remove(keys[0]);
    assert_eq!(set(&[&two, &removed]), expected);

    let directory = Scratch::new("new-null");
    let proxy = directory.join("proxy.json");
    fs::write(&proxy, r#"{"version": "v1", "http_proxy_config": {"http_proxy": "http://a.example:1/"}}"#)
        .expect("it is writable");
    let proxy = proxy.to_str().expect("it is text");
    let made = run(&["new", proxy, "--format", "json", "--set", "http_proxy_config=null"]);
    let found = document(&made);
    assert_eq!((found.get("http_proxy_config"), found.get("outbound_command").is_some()), (None, true));
}

#[test]
fn of_several_subscriptions_that_of_the_cluster_counts() {
    let cluster = read("none-user-assigned.json");
    let of_cluster: Value = serde_json::from_str(&cluster).expect("it is JSON");
    let id = of_cluster["id"].as_str().expect("text").split('/').nth(2).expect("a subscription").to_owned();
    let account = |id: &str, tenant: &str, is_default: bool| json!({"environmentName": "AzureCloud", "homeTenantId": tenant, "id": id, "isDefault": is_default, "tenantId": tenant});
    let (own, other) = ("5ae15ec1-0000-4000-8000-000000000001", "5ae15ec1-0000-4000-8000-000000000002");
    let another = "0de45914-0000-4000-8000-0000000000ff";
    let list = json!([account(another, other, true), account(&id, own, false)]);
    let made = new(&format!("{cluster}{list}"), &[]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert_eq!(document(&made)["auth_config"]["tenant_id"], own);
    assert!(made.stderr.contains("of 2 subscriptions, only that of the nodes counts"), "{}", made.stderr);
    // Without a cluster, the one that `az` uses.
    assert_eq!(document(&new(&list.to_string(), &[]))["auth_config"]["subscription_id"], another);
    let list = json!([account(another, other, true), account(another, other, false)]);
    let made = new(&format!("{cluster}{list}"), &[]);
    assert!(made.code == Some(1) && made.stderr.contains("none of which is that of the nodes"), "{}", made.stderr);
}

#[test]
fn objects_without_data_are_ignored_beside_others() {
    let nodes = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Node\n- apiVersion: v1\n  kind: Node\n";
    let made = new(&format!("{}---\n{nodes}", read("none-user-assigned.json")), &[]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let problem = "is an object of kind Node, from which `new` reads nothing";
    assert_eq!(made.stderr.matches(problem).count(), 1, "{}", made.stderr);
    let made = new(nodes, &[]);
    assert!(made.code == Some(1) && made.stderr.contains(problem), "{}", made.stderr);
}

#[test]
fn a_machine_of_a_pool_without_a_scale_set_has_its_size() {
    // The members that `az vm show` prints: https://learn.microsoft.com/rest/api/compute/virtual-machines/get
    let group = "/subscriptions/0de45914-0000-4000-8000-000000000001/resourceGroups/MC_demo-rg_demo_westeurope";
    let machine = json!({
        "hardwareProfile": {"vmSize": "Standard_D8s_v5"},
        "id": format!("{group}/providers/Microsoft.Compute/virtualMachines/aks-vms-12345678-0"),
        "location": "westeurope",
        "name": "aks-vms-12345678-0",
        "osProfile": {"adminUsername": "operator", "computerName": "aks-vms-12345678-0"},
        "resourceGroup": "MC_demo-rg_demo_westeurope",
        "tags": {"aks-managed-poolName": "vms"},
        "type": "Microsoft.Compute/virtualMachines",
        "vmId": "0de45914-0000-4000-8000-0000000000aa",
    });
    let found = document(&new(&machine.to_string(), &[]));
    assert_eq!(found["vm_size"], "Standard_D8s_v5");
    assert_eq!(found["linux_admin_username"], "operator");
    assert_eq!(found["cluster_config"]["vm_type"], "VM_TYPE_STANDARD");
    assert_eq!(found["cluster_config"]["resource_group"], "MC_demo-rg_demo_westeurope");
    assert_eq!(found["kubelet_config"]["kubelet_node_labels"]["agentpool"], "vms");
    assert!(found["cluster_config"].get("primary_scale_set").is_none(), "{found}");
}

#[test]
fn a_context_that_is_not_there_is_named() {
    let clusters =
        "- {name: a, cluster: {server: 'https://a.example'}}\n- {name: b, cluster: {server: 'https://b.example'}}\n";
    let config = |context: &str| {
        let contexts = "- {name: x, context: {cluster: gone}}";
        new(
            &format!(
                "apiVersion: v1\nkind: Config\nclusters:\n{clusters}contexts:\n{contexts}\ncurrent-context: {context}\n"
            ),
            &[],
        )
    };
    for (context, problem) in [
        ("y", "several clusters and the current context `y` is not there"),
        ("x", "the cluster `gone` of the current context is not there"),
        ("''", "several clusters and no current context"),
        ("''", "--context NAME`; contexts: x"),
    ] {
        let made = config(context);
        assert!(made.code == Some(1) && made.stderr.contains(problem), "{context}: {}", made.stderr);
    }
}

#[test]
fn objects_of_lists_that_name_their_kind_are_read() {
    let of_kind = |kind: &str, item: Value| json!({"apiVersion": "v1", "kind": kind, "items": [item]}).to_string();
    // As `kubectl get --raw` prints them.
    let token = json!({"metadata": {"name": "bootstrap-token-ab12cd"}, "type": "bootstrap.kubernetes.io/token",
        "stringData": {"token-id": "ab12cd", "token-secret": "0123456789abcdef"}});
    let made = new(&of_kind("SecretList", token), &[]);
    assert_eq!(document(&made)["bootstrapping_config"]["tls_bootstrapping_token"], "ab12cd.0123456789abcdef");
    let info = "clusters: [{cluster: {server: 'https://10.0.0.4:6443'}, name: ''}]";
    let map = json!({"metadata": {"name": "cluster-info"}, "data": {"kubeconfig": info}});
    let made = new(&of_kind("ConfigMapList", map), &[]);
    assert_eq!(document(&made)["api_server_config"]["api_server_name"], "10.0.0.4");
}

#[test]
fn maps_without_data_are_named_beside_a_cluster_and_wrong_alone() {
    let cluster = read("none-user-assigned.json");
    for (object, problem) in [
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: empty\n",
            "the ConfigMap `empty` has no data about the cluster",
        ),
        ("apiVersion: v1\nkind: Secret\nmetadata:\n  name: other\ntype: Opaque\n", "is a Secret of type `Opaque`"),
    ] {
        let made = new(&format!("{cluster}---\n{object}"), &[]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let note = made.stderr.lines().find(|line| line.contains(problem)).expect("it is named");
        assert!(note.starts_with("note: "), "{note}");
        assert!(
            made.stderr.contains("missing: kubernetes_ca_cert is <CLUSTER_CA>; this prints it:"),
            "{}",
            made.stderr
        );
        let made = new(object, &[]);
        assert!(made.code == Some(1) && made.stdout.is_empty() && made.stderr.contains(problem), "{}", made.stderr);
    }
}

#[test]
fn a_cluster_chooses_its_entry_of_a_kubeconfig_without_a_context() {
    let cluster = read("tuned-spot.json");
    let entry = |name: &str, host: &str| format!("- name: {name}\n  cluster:\n    server: https://{host}:443\n");
    let own = entry("tuned", "TUNED-dns-abcd1234.hcp.eastus2.azmk8s.io");
    let config = |clusters: &str, context: &str| {
        format!(
            "apiVersion: v1\nkind: Config\nclusters:\n{clusters}contexts:\n- name: x\n  context: {{cluster: other}}\n{context}"
        )
    };
    let both = own + &entry("other", "other.example");
    for text in [format!("{cluster}{}", config(&both, "")), format!("{}---\n{cluster}", config(&both, ""))] {
        let made = new(&text, &["--node-pool", "spot"]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let server = &document(&made)["api_server_config"]["api_server_name"];
        assert_eq!(*server, "tuned-dns-abcd1234.hcp.eastus2.azmk8s.io");
    }
    let made = new(&config(&both, ""), &[]);
    assert!(made.code == Some(1) && made.stderr.contains("several clusters and no current context"), "{}", made.stderr);
    // None of them is the cluster.
    let others = entry("third", "third.example") + &entry("other", "other.example");
    let made = new(&format!("{cluster}{}", config(&others, "current-context: x\n")), &["--node-pool", "spot"]);
    let command = "`kubectl config view --raw --minify --context NAME` prints that of another context";
    assert!(made.code == Some(1) && made.stderr.contains(command), "{}", made.stderr);
}

#[test]
fn a_part_of_an_output_is_no_document() {
    for part in [
        // `--query '{name:name, version:currentKubernetesVersion}'`
        json!({"name": "demo", "location": "westeurope", "version": "1.34.2"}),
        json!({"kubeletidentity": {"clientId": "bef71225-0000-4000-8000-c7265f18a806"}}),
        // The values of a resource of Terraform.
        json!({"name": "demo", "location": "westeurope", "dns_prefix": "demo", "kubernetes_version": "1.34", "fqdn": "x"}),
    ] {
        let made = new(&part.to_string(), &[]);
        let command = "such as that of `az aks show -g GROUP -n CLUSTER -o json` without `--query`";
        assert!(made.code == Some(1) && made.stdout.is_empty() && made.stderr.contains(command), "{}", made.stderr);
    }
}

#[test]
fn what_is_turned_off_or_is_no_linux_does_not_reach_the_document() {
    let mut cluster: Value = serde_json::from_str(&read("cilium.json")).expect("it is JSON");
    assert!(document(&new(&cluster.to_string(), &[])).get("http_proxy_config").is_some());
    cluster["httpProxyConfig"]["enabled"] = false.into();
    assert_eq!(document(&new(&cluster.to_string(), &[])).get("http_proxy_config"), None);
    // The OS SKUs of AKS: https://learn.microsoft.com/rest/api/aks/agent-pools/get#ossku
    for sku in ["Windows2019", "Windows2022", "Windows2025", "WindowsAnnual"] {
        cluster["agentPoolProfiles"][0]["osType"] = Value::Null;
        cluster["agentPoolProfiles"][0]["osSku"] = sku.into();
        let made = new(&cluster.to_string(), &[]);
        assert!(made.code == Some(1) && made.stderr.contains("runs Windows"), "{sku}: {}", made.stderr);
    }
}

/// A log of a pipeline: <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>. A transcript of PowerShell, and the
/// encoding of its files: <https://learn.microsoft.com/powershell/module/microsoft.powershell.host/start-transcript>.
#[test]
fn what_programs_put_around_a_cluster_is_no_part_of_it() {
    let pool = ["--node-pool", "nodepool1"];
    let cluster = read("azure-two-pools.json");
    let expected = new(&cluster, &pool);
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    let time = "2026-02-17T09:20:00.1234567Z";
    let group = format!("{time} ##[group]Run az aks show\n{time} az aks show -g a -n b\n{time} ##[endgroup]\n");
    let log: String = cluster.lines().flat_map(|line| [time, " ", line, "\n"]).collect();
    let line = "**********************\r\n";
    let transcript = format!(
        "{line}Windows PowerShell transcript start\r\nStart time: 20260217092000\r\n{line}PS C:\\> az aks show -g a -n b\r\n{}PS C:\\>          Stop-Transcript\r\n{line}End time: 20260217092100\r\n{line}",
        cluster.replace('\n', "\r\n")
    );
    for (name, text) in [
        ("a block of Markdown", format!("# Mine\n\nThis is it:\n\n```json\n{cluster}\n```\n\nThanks: a\n")),
        ("blocks of commands beside it", format!("```bash\naz aks show -o json\n```\n~~~json\n{cluster}~~~\n")),
        ("a log", format!("{group}{log}")),
        ("a transcript", transcript),
        ("a text of JSON", Value::from(cluster.clone()).to_string()),
        ("a result of Ansible", json!({"rc": 0, "stdout": cluster, "stdout_lines": [], "changed": true}).to_string()),
    ] {
        let made = new(&text, &pool);
        assert_eq!(made.code, Some(0), "{name}: {}", made.stderr);
        assert_eq!(document(&made), document(&expected), "{name}");
    }
    let wide: Vec<u8> = cluster.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let made = run_with(&[&["new", "-", "--format", "json"][..], &pool].concat(), &wide);
    assert_eq!(document(&made), document(&expected), "UTF-16 without a mark: {}", made.stderr);
    let truncated = new(&format!("```json\n{}\n```\n", &cluster[..cluster.len() / 2]), &pool);
    assert!(truncated.code == Some(1) && truncated.stdout.is_empty(), "{}", truncated.stderr);
}

#[test]
fn documents_in_several_blocks_and_inside_other_outputs_are_read() {
    let kubeconfig = read("kubeconfig-demo.yaml");
    let ca = document(&new(&kubeconfig, &[]))["kubernetes_ca_cert"].clone();
    let cluster = read("azure-two-pools.json");
    let blocks = format!("A cluster:\n```json\n{cluster}```\nand\n```yaml\n{kubeconfig}```\n");
    let made = new(&blocks, &["--node-pool", "nodepool1"]);
    assert_eq!(document(&made)["kubernetes_ca_cert"], ca, "{}", made.stderr);
    let invoked = |logs: &str| json!({"exitCode": 0, "logs": logs, "provisioningState": "Succeeded"}).to_string();
    for (name, text) in [
        ("terraform output kube_config", format!("<<EOT\n{kubeconfig}\nEOT\n")),
        ("az aks command invoke", invoked(&kubeconfig)),
    ] {
        let made = new(&text, &[]);
        assert_eq!(document(&made)["kubernetes_ca_cert"], ca, "{name}: {}", made.stderr);
    }
    let table = new(&invoked("NAME   STATUS   AGE\na      Ready    5d\n"), &[]);
    assert!(table.code == Some(1) && table.stdout.is_empty(), "{}", table.stderr);
    assert!(table.stderr.contains("`logs` of `az aks command invoke`"), "{}", table.stderr);
}

#[test]
fn outputs_without_data_are_listed_beside_a_cluster_and_wrong_alone() {
    let cluster = read("azure-two-pools.json");
    let group = "/subscriptions/0de45914-0000-4000-8000-000000000001/resourceGroups/MC_demo-rg_demo_westeurope";
    let resource = |kind: &str, name: &str, group: &str| json!({"id": format!("{group}/providers/{kind}/{name}"), "location": "westeurope", "name": name, "type": kind});
    let identity = resource("Microsoft.ManagedIdentity/userAssignedIdentities", "demo-agentpool", group);
    let version = json!({"clientVersion": {"gitVersion": "v1.33.0"}, "serverVersion": {"gitVersion": "v1.33.6"}});
    for (other, title) in [(identity, "a managed identity as"), (version, "the output of `kubectl version`")] {
        let made = new(&format!("{cluster}{other}"), &["--node-pool", "nodepool1"]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        assert!(made.stderr.contains(title), "{title}: {}", made.stderr);
        let alone = new(&other.to_string(), &[]);
        assert!(alone.code == Some(1) && alone.stdout.is_empty() && alone.stderr.contains(title), "{}", alone.stderr);
        assert!(alone.stderr.contains("`az aks show`"), "{}", alone.stderr);
    }
    let nsg = |name: &str, group: &str| resource("Microsoft.Network/networkSecurityGroups", name, group);
    let table = resource("Microsoft.Network/routeTables", "aks-agentpool-47305918-routetable", group);
    let elsewhere = group.replace("MC_demo-rg_demo_westeurope", "other");
    let named = json!([nsg("aks-agentpool-47305918-nsg", group), nsg("web-nsg", &elsewhere)]);
    let made = new(&format!("{named}{cluster}{table}"), &["--node-pool", "nodepool1"]);
    let network = &document(&made)["cluster_config"]["cluster_network_config"];
    assert_eq!(network["security_group_name"], "aks-agentpool-47305918-nsg", "{}", made.stderr);
    assert_eq!(network["route_table"], "aks-agentpool-47305918-routetable");
    let several = json!([nsg("a", group), nsg("b", group)]);
    let made = new(&format!("{several}{cluster}"), &["--node-pool", "nodepool1"]);
    assert_eq!(
        document(&made)["cluster_config"]["cluster_network_config"]["security_group_name"],
        "<NETWORK_SECURITY_GROUP>"
    );
    assert!(made.stderr.contains("several of its kind are in the resource group of the nodes"), "{}", made.stderr);
}

/// Both lists as in <https://github.com/VijayRod/demo/blob/main/container-storage/logs/http-proxy-squid_aks.md>, and `noProxy` as the user
/// wrote it.
#[test]
fn the_proxy_has_the_exceptions_that_aks_adds() {
    let mut cluster: Value = serde_json::from_str(&read("cilium.json")).expect("JSON");
    cluster["httpProxyConfig"]["noProxy"] = json!([".corp.example", "localhost"]);
    let entries = |cluster: &Value| {
        let made = new(&cluster.to_string(), &[]);
        assert!(!made.stderr.contains("proxy-bypass"), "{}", made.stderr);
        document(&made)["http_proxy_config"]["no_proxy_entries"].clone()
    };
    let expected = json!([
        ".corp.example",
        "localhost",
        "konnectivity",
        "127.0.0.1",
        "169.254.169.254",
        "168.63.129.16",
        "bee-dns-906a0d15.hcp.uksouth.azmk8s.io",
        "192.168.0.0/16",
        "10.0.0.0/16"
    ]);
    assert_eq!(entries(&cluster), expected);
    let whole = json!(["localhost", "169.254.169.254", "168.63.129.16", "bee-dns-906a0d15.hcp.uksouth.azmk8s.io"]);
    cluster["httpProxyConfig"]["effectiveNoProxy"] = whole.clone();
    assert_eq!(entries(&cluster), whole);
}

#[test]
fn other_texts_are_named() {
    for (text, title) in [
        (
            "Name:         bootstrap-token-k3x9q2\nNamespace:    kube-system\nData\n====\n",
            "as `kubectl describe` prints it",
        ),
        ("Kubernetes control plane is running at https://a.example:443\n", "the text of `kubectl cluster-info`"),
        ("kubeadm join 10.0.0.4:6443 --token k3x9q2.m7d4z0v8q1n6c5x2\n", "the command `kubeadm join`"),
        ("name,id,location\n\"demo\",\"/subscriptions/x\",\"westeurope\"\n", "is CSV"),
        (
            "\u{1b}[0;32mKubernetes control plane\u{1b}[0m is running at \u{1b}[0;33mhttps://a.example:443\u{1b}[0m\n",
            "the text of `kubectl cluster-info`",
        ),
        ("cluster_fqdn = \"a.example\"\nkube_config = <sensitive>\n", "as `terraform output` prints them"),
        (
            "\nTerraform used the selected providers to generate the following execution plan.\nResource actions are indicated with \
             the following symbols:\n  + create\n\nTerraform will perform the following actions:\n\n  # a.b will be created\n",
            "as `terraform plan` prints it",
        ),
        (
            "Note: The result may contain false positive predictions (noise).\n\nResource and property changes are indicated \
             with these symbols:\n  ~ Modify\n\n  ~ Microsoft.ContainerService/managedClusters/a [2025-05-01]\n    ~ tags.a: \"x\" => \"y\"\n",
            "the text of `az deployment … what-if`",
        ),
        (r#"{"changes": [], "error": null, "status": "Succeeded"}"#, "the result of `az deployment … what-if`"),
        ("AZURE_ENV_NAME=\"dev\"\nAZURE_LOCATION=\"westeurope\"\n", "lines of `NAME=value`"),
        (r#"{"AZURE_ENV_NAME": "dev", "AZURE_LOCATION": "westeurope"}"#, "a map of variables"),
        (r#"{"aks": [], "changed": false}"#, "the facts of a module of Ansible"),
        (r#"{"error": {"code": "ResourceNotFound", "message": "x"}}"#, "an error of Azure, \"ResourceNotFound\""),
        (r#"{"Name": "a", "ResourceId": "/subscriptions/x", "ResourceType": "y"}"#, "an object of Azure PowerShell"),
        (
            "apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata:\n  name: a\n",
            "an object of kind EC2NodeClass",
        ),
        (r#"{"host": {"sensitive": true, "type": "string", "value": "x"}}"#, "the outputs of Terraform"),
        (r#"{"fqdn": {"type": "String", "value": "x"}}"#, "the outputs of a deployment"),
    ] {
        let made = new(text, &[]);
        assert!(made.code == Some(1) && made.stdout.is_empty(), "{title}: {}", made.stderr);
        assert!(made.stderr.contains(title), "{title}: {}", made.stderr);
        assert!(!made.stderr.contains("m7d4z0v8q1n6c5x2"), "{}", made.stderr);
    }
}

#[test]
fn other_commands_name_the_same_texts() {
    let row = row();
    for (text, title) in [
        ("Name    Location\n------  ------\n", "is a table as `az … -o table` prints it"),
        ("NAME    STATUS   AGE\naks-1   Ready    5d\n", "is a table as `kubectl get` prints it"),
        ("param a string\n\nresource b 'x@y' = {\n  name: 'c'\n}\n", "is a Bicep file"),
        ("<!DOCTYPE html>\n<html></html>\n", "is HTML"),
        ("apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n", "is an object of Kubernetes of kind Node"),
        (r#"{"error": {"code": "ResourceNotFound", "message": "x"}}"#, "is an error of Azure"),
        ("Fqdn              : a\nNodeResourceGroup : b\nProvisioningState : c\n", "is an object of Azure PowerShell"),
    ] {
        for command in ["validate", "generate"] {
            let made = run_with(&[command, "-"], text.as_bytes());
            let messages = format!("{}{}", made.stdout, made.stderr);
            assert!(made.code == Some(1) && messages.contains(title), "{command}: {title}: {messages}");
        }
    }
    // What separates documents is no table.
    let made = run_with(&["validate", "-"], b"version: v1\n---\nversion: v1\n");
    assert!(made.stdout.contains("contains a second document"), "{}", made.stdout);
    let cluster = json!({"StatusCode": 200, "Headers": {}, "Method": "GET", "Content": row.to_string()}).to_string();
    let made = new(&cluster, &["--node-pool", "sys"]);
    assert_eq!(document(&made), document(&new(&row.to_string(), &["--node-pool", "sys"])), "{}", made.stderr);
    let kubeconfig = read("kubeconfig-overlay.yaml");
    let made = new(&format!("{kubeconfig}Merged \"overlay\" as current context in /dev/stdout\n"), &[]);
    assert_eq!(document(&made), document(&new(&kubeconfig, &[])), "{}", made.stderr);
}

/// <https://developer.hashicorp.com/terraform/cli/commands/output>
#[test]
fn a_kubeconfig_as_a_text_of_json_is_read() {
    let kubeconfig = read("kubeconfig-overlay.yaml");
    let expected = new(&kubeconfig, &[]);
    for text in [Value::from(kubeconfig.as_str()).to_string(), format!("{}\n", Value::from(kubeconfig.as_str()))] {
        let made = new(&text, &[]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        assert_eq!(document(&made), document(&expected));
    }
    let made = new(r#""apiVersion: v1\nkind: [""#, &[]);
    assert!(made.code == Some(1) && made.stderr.contains("broken YAML"), "{}", made.stderr);
}

#[test]
fn a_query_that_selects_members_of_a_cluster_is_read() {
    let cluster: Value = serde_json::from_str(&read("cilium.json")).expect("it is JSON");
    for (names, format) in [
        (&["fqdn", "nodeResourceGroup", "location"][..], "json"),
        (&["nodeResourceGroup", "networkProfile", "currentKubernetesVersion"], "json"),
        (&["fqdn", "nodeResourceGroup", "location"], "yaml"),
    ] {
        let selected: serde_json::Map<_, _> =
            names.iter().map(|name| ((*name).to_owned(), cluster[*name].clone())).collect();
        let text = if format == "json" {
            Value::from(selected).to_string()
        } else {
            let lines = names.iter().map(|name| format!("{name}: {}\n", cluster[*name].as_str().expect("it is text")));
            lines.collect::<Vec<_>>().concat()
        };
        let made = new(&text, &[]);
        assert_eq!(made.code, Some(0), "{names:?} {format}: {}", made.stderr);
        assert_eq!(document(&made)["cluster_config"]["resource_group"], cluster["nodeResourceGroup"], "{names:?}");
    }
    // The outputs of a deployment can have the same names.
    let outputs =
        json!({"nodeResourceGroup": {"type": "String", "value": "a"}, "fqdn": {"type": "String", "value": "b"}});
    let made = new(&outputs.to_string(), &[]);
    assert!(made.code == Some(1) && made.stderr.contains("the outputs of a deployment"), "{}", made.stderr);
    // What `az` prints last is not there.
    let cut = "agentPoolProfiles: []\nfqdn: a.example\nnodeResourceGroup: b\n";
    let made = new(cut, &[]);
    assert!(made.code == Some(1) && made.stderr.contains("is truncated"), "{}", made.stderr);
}

#[test]
fn usage_and_limits_are_named() {
    const TITLE: &str = "usage and limits as `az vm list-usage` prints them";
    let usage = json!([
        {"currentValue": 12, "limit": 350, "localName": "Total Regional vCPUs",
            "name": {"localizedValue": "Total Regional vCPUs", "value": "cores"}},
        {"currentValue": 0, "limit": 100, "localName": "Standard DSv5 Family vCPUs",
            "name": {"localizedValue": "Standard DSv5 Family vCPUs", "value": "standardDSv5Family"}},
    ]);
    let alone = new(&usage.to_string(), &[]);
    assert!(alone.code == Some(1) && alone.stderr.contains(TITLE), "{}", alone.stderr);
    let beside = new(&format!("{}{usage}", read("cilium.json")), &[]);
    assert_eq!(beside.code, Some(0), "{}", beside.stderr);
    assert!(beside.stderr.contains(TITLE), "{}", beside.stderr);
}

#[test]
fn the_pool_that_was_asked_for_has_its_own_type() {
    let cluster: Value = serde_json::from_str(&read("cilium.json")).expect("it is JSON");
    let id = format!("{}/agentPools/nodepool1", cluster["id"].as_str().expect("it is text"));
    let pool = json!({"id": id, "name": "nodepool1", "type": "Microsoft.ContainerService/managedClusters/agentPools",
        "properties": {"type": "VirtualMachines", "orchestratorVersion": "1.33.6", "osType": "Linux", "mode": "User",
            "virtualMachinesProfile": {"scale": {"manual": [{"size": "Standard_D8s_v5", "count": 2}]}}}});
    let made = new(&format!("{cluster}{pool}"), &[]);
    let found = document(&made);
    assert_eq!(found["cluster_config"]["vm_type"], "VM_TYPE_STANDARD", "{}", made.stderr);
    let labels = &found["kubelet_config"]["kubelet_node_labels"];
    assert_eq!(labels["kubernetes.azure.com/nodepool-type"], "VirtualMachines");
}

#[test]
fn another_cluster_dns_beside_node_local_dns_is_noted() {
    let mut cluster: Value = serde_json::from_str(&read("cilium.json")).expect("it is JSON");
    cluster["agentPoolProfiles"][0]["localDnsProfile"] = json!({"mode": "Required", "state": "Enabled"});
    let flag = "kubelet_config.kubelet_flags[\"--cluster-dns\"]";
    let note = "pods ask 10.0.0.99, and not node-local DNS";
    for (address, is_noted) in [("10.0.0.99", true), ("169.254.10.11", false)] {
        let made = new(&cluster.to_string(), &["--set", &format!("{flag}={address}")]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        assert_eq!(made.stderr.contains(note), is_noted, "{}", made.stderr);
    }
}

#[test]
fn a_subnet_of_the_sdk_for_python_means_the_same() {
    let cluster = read("overlay-private.json");
    let subnet: Value = serde_json::from_str(&read("subnet.json")).expect("it is JSON");
    let pool = ["--node-pool", "nodepool1"];
    let expected = new(&format!("{cluster}{subnet}"), &pool);
    let made = new(&format!("{cluster}{}", snake_case(&subnet)), &pool);
    assert_eq!((made.code, expected.code), (Some(0), Some(0)), "{}{}", made.stderr, expected.stderr);
    assert_eq!(document(&made), document(&expected));
    let network = &document(&made)["cluster_config"]["cluster_network_config"];
    assert_eq!(network["security_group_name"], "nodes-nsg");
}
