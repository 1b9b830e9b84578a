//! `new`: the network of the nodes, the commands that print its values, and files of different clusters that only names tell apart.

use std::fs;

use serde_json::{Value, json};

use super::new_shapes::{document, new};
use super::{Run, run_with};

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/new");

fn read(name: &str) -> String {
    fs::read_to_string(format!("{TESTDATA}/{name}")).expect("it is there")
}

fn json_of(name: &str) -> Value {
    serde_json::from_str(&read(name)).expect("it is JSON")
}

/// The scale set of the private cluster, whose network interfaces have the security group of AKS.
fn scale_set() -> Value {
    let text = read("vmss.json").replace("demo-rg_demo_westeurope", "overlay-rg_overlay_centralindia");
    let text = text.replace("0de45914-0000-4000-8000-000000000001", "0de45914-0000-4000-8000-000000000000");
    let mut set: Value = serde_json::from_str(&text).expect("it is JSON");
    set["location"] = json!("centralindia");
    let card = "/virtualMachineProfile/networkProfile/networkInterfaceConfigurations/0/ipConfigurations/0/subnet/id";
    *set.pointer_mut(card).expect("it is there") = json_of("subnet.json")["id"].clone();
    set
}

/// Returns the command in the comment of a value.
fn command<'y>(yaml: &'y str, value: &str) -> &'y str {
    let lines: Vec<&str> = yaml.lines().map(str::trim).collect();
    let at = lines.iter().position(|line| *line == value).unwrap_or_else(|| panic!("no `{value}` in {yaml}"));
    lines[at - 1].trim_start_matches("#   ")
}

fn yaml(text: &str, more: &[&str]) -> Run {
    let made = run_with(&[&["new", "-"], more].concat(), text.as_bytes());
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    made
}

/// <https://learn.microsoft.com/azure/aks/concepts-network#network-security-groups>
#[test]
fn the_security_group_of_the_interfaces_counts_and_not_that_of_the_subnet() {
    let parts = [read("overlay-private.json"), read("subnet.json"), scale_set().to_string()];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let made = new(&order.map(|part| parts[part].as_str()).join("\n"), &[]);
        let network = &document(&made)["cluster_config"]["cluster_network_config"];
        assert_eq!(network["security_group_name"], "aks-agentpool-47305918-nsg", "{}", made.stderr);
        assert_eq!((&network["subnet"], &network["route_table"]), (&json!("nodes"), &json!("nodes-routes")));
        let note = "networkSecurityGroup.id: `nodes-nsg` is ignored, because the network interfaces have `aks-agentpool-47305918-nsg`";
        assert!(made.stderr.contains(note), "{}", made.stderr);
    }
    let alone = new(&[parts[0].as_str(), &parts[1]].join("\n"), &[]);
    assert_eq!(document(&alone)["cluster_config"]["cluster_network_config"]["security_group_name"], "nodes-nsg");
}

/// The portal creates subnets with a list of ranges, and a query can leave out the type.
#[test]
fn a_subnet_with_several_ranges_is_one() {
    let mut subnet = json_of("subnet.json");
    let expected = new(&[read("overlay-private.json"), subnet.to_string()].join("\n"), &[]);
    let members = subnet.as_object_mut().expect("an object");
    let prefix = members.remove("addressPrefix").expect("it is there");
    members.insert("addressPrefixes".to_owned(), json!([prefix, "10.9.0.0/16"]));
    members.remove("type");
    let made = new(&[read("overlay-private.json"), subnet.to_string()].join("\n"), &[]);
    assert_eq!(document(&made), document(&expected), "{}", made.stderr);
}

#[test]
fn the_command_of_a_value_prints_this_value() {
    let pool = "az aks nodepool show -g overlay-rg --cluster-name overlay -n nodepool1 --query";
    let made = yaml(&read("overlay-private.json"), &[]);
    for (value, expected) in [
        ("kubernetes_version: 1.33.6", format!("{pool} currentOrchestratorVersion -o tsv")),
        (
            "api_server_name: overlay-dns-f9yh714l.b22017b4-0000-4000-8000-2aede279ae4b.privatelink.centralindia.azmk8s.io",
            "az aks show -g overlay-rg -n overlay --query privateFqdn -o tsv".to_owned(),
        ),
        ("vnet_name: overlay-vnet", format!("{pool} vnetSubnetId -o tsv")),
        ("vnet_resource_group: overlay-rg", format!("{pool} vnetSubnetId -o tsv")),
        ("subnet: nodes", format!("{pool} vnetSubnetId -o tsv")),
    ] {
        assert_eq!(command(&made.stdout, value), expected, "{value}");
    }
    // A kubeconfig that is read first names the same server.
    let made = yaml(&format!("{}---\n{}", read("kubeconfig-overlay.yaml"), read("overlay-private.json")), &[]);
    let host =
        "api_server_name: overlay-dns-f9yh714l.b22017b4-0000-4000-8000-2aede279ae4b.privatelink.centralindia.azmk8s.io";
    assert!(command(&made.stdout, host).contains("--query privateFqdn"), "{}", made.stdout);
    // Nodes know the server by its private name, even if the kubeconfig has the public one.
    let private = "overlay-dns-f9yh714l.b22017b4-0000-4000-8000-2aede279ae4b.privatelink.centralindia.azmk8s.io";
    let public = read("kubeconfig-overlay.yaml").replace(private, "overlay-dns-156u8rlq.hcp.centralindia.azmk8s.io");
    for parts in [[public.clone(), read("overlay-private.json")], [read("overlay-private.json"), public]] {
        let made = new(&parts.join("\n---\n"), &[]);
        assert_eq!(document(&made)["api_server_config"]["api_server_name"], private, "{}", made.stderr);
    }
    // Without a pool, the subnet itself is the source.
    let mut cluster = json_of("overlay-private.json");
    cluster["agentPoolProfiles"][0]["vnetSubnetId"] = Value::Null;
    let made = yaml(&format!("{cluster}{}", read("subnet.json")), &[]);
    let subnet = "az network vnet subnet show -g overlay-rg --vnet-name overlay-vnet -n nodes --query";
    assert_eq!(command(&made.stdout, "vnet_name: overlay-vnet"), format!("{subnet} id -o tsv"));
    // Only a cluster with routes of its own finds its route table at the subnet.
    let missing = |cluster: &Value| yaml(&cluster.to_string(), &[]).stderr;
    let mut cluster = json_of("overlay-private.json");
    assert!(missing(&cluster).contains("az network route-table list -g MC_overlay-rg_overlay_centralindia"));
    cluster["networkProfile"]["outboundType"] = json!("userDefinedRouting");
    assert!(missing(&cluster).contains(&format!("{subnet} routeTable.id -o tsv | xargs basename")));
    cluster["networkProfile"]["outboundType"] = json!("loadBalancer");
    cluster["networkProfile"]["networkPlugin"] = json!("kubenet");
    cluster["networkProfile"]["networkPluginMode"] = Value::Null;
    assert!(missing(&cluster).contains(&format!("{subnet} routeTable.id")));
    // A cluster in the network of AKS is asked as before.
    let made = yaml(&read("kubenet-service-principal.json"), &[]);
    assert!(made.stderr.contains("az network route-table list -g"), "{}", made.stderr);
}

#[test]
fn a_scale_set_has_the_identity_of_its_kubelet() {
    let set = scale_set();
    let identity = |set: &Value| document(&new(&set.to_string(), &[]))["auth_config"]["assigned_identity_id"].clone();
    assert_eq!(identity(&set), "bef71225-0000-4000-8000-c7265f18a806");
    let mut several = set.clone();
    let group = "/subscriptions/a/resourceGroups/b/providers/Microsoft.ManagedIdentity/userAssignedIdentities";
    several["identity"]["userAssignedIdentities"][format!("{group}/aaa-addon")] =
        json!({"clientId": "x", "principalId": "y"});
    assert_eq!(identity(&several), "bef71225-0000-4000-8000-c7265f18a806");
    several["identity"]["userAssignedIdentities"] =
        json!({format!("{group}/one"): {"clientId": "x"}, format!("{group}/two"): {"clientId": "y"}});
    assert_eq!(identity(&several), "<KUBELET_IDENTITY_CLIENT_ID>");
}

/// The tags are those of a scale set in a public report.
#[test]
fn the_tags_of_a_scale_set_name_the_identity_and_the_network_resources() {
    let mut set = scale_set();
    set["tags"]["aks-managed-kubeletIdentityClientID"] = json!("ab1a44db-265e-44eb-886e-2bff6a3ab904");
    set["tags"]["aks-managed-resourceNameSuffix"] = json!("29823133");
    let card = &mut set["virtualMachineProfile"]["networkProfile"]["networkInterfaceConfigurations"][0];
    card["networkSecurityGroup"] = Value::Null;
    let made = new(&set.to_string(), &[]);
    let (found, network) = (document(&made), "cluster_network_config");
    assert_eq!(found["auth_config"]["assigned_identity_id"], "ab1a44db-265e-44eb-886e-2bff6a3ab904", "{}", made.stderr);
    let network = &found["cluster_config"][network];
    assert_eq!(network["security_group_name"], "aks-agentpool-29823133-nsg", "{}", made.stderr);
    assert_eq!(network["route_table"], "aks-agentpool-29823133-routetable");
    // The names of the resources count before the tag.
    let with_subnet = new(&format!("{}{set}", read("subnet.json")), &[]);
    let network = &document(&with_subnet)["cluster_config"]["cluster_network_config"];
    assert_eq!(
        (&network["security_group_name"], &network["route_table"]),
        (&"nodes-nsg".into(), &"nodes-routes".into())
    );
}

#[test]
fn names_that_aks_makes_of_a_cluster_tell_clusters_apart() {
    let pool = |cluster: &str| {
        let id = "/subscriptions/0de45914-0000-4000-8000-000000000001/resourcegroups/demo-rg/providers";
        let mut pool = json_of("nodepool.json");
        pool["id"] = json!(format!("{id}/Microsoft.ContainerService/managedClusters/{cluster}/agentPools/gpu"));
        pool["vnetSubnetId"] = Value::Null;
        pool
    };
    let kubeconfig = read("kubeconfig-demo.yaml");
    let set = read("vmss.json").replace("\"nodepool1\"", "\"gpu\"");
    for (one, other) in [
        (pool("another").to_string(), kubeconfig.clone()),
        (pool("another").to_string(), set.clone()),
        (set.replace("demo-rg_demo", "demo-rg_another"), kubeconfig.clone()),
    ] {
        for text in [format!("{one}\n---\n{other}"), format!("{other}\n---\n{one}")] {
            let made = new(&text, &[]);
            assert!(made.code == Some(1) && made.stdout.is_empty(), "{}", made.stderr);
            assert!(made.stderr.contains("the files are of different clusters: "), "{}", made.stderr);
        }
    }
    for text in [
        format!("{}\n---\n{kubeconfig}", pool("demo")),
        format!("{}\n{set}", pool("demo")),
        // The group of the nodes can have any name.
        format!("{}\n{}", pool("another"), set.replace("MC_demo-rg_demo_westeurope", "nodes")),
        // So can the user.
        format!("{}\n---\n{}", pool("another"), kubeconfig.replace("clusterUser_", "me_")),
    ] {
        let made = new(&text, &[]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
    }
}

#[test]
fn a_node_pool_chooses_the_context_of_its_cluster() {
    let entry = |name: &str| json!({"name": name, "cluster": {"server": format!("https://{name}.example:443")}});
    let context =
        |name: &str| json!({"name": name, "context": {"cluster": name, "user": format!("clusterUser_demo-rg_{name}")}});
    let kubeconfig = |current: &str| {
        json!({"apiVersion": "v1", "kind": "Config", "current-context": current, "clusters": [entry("other"), entry("demo")],
            "contexts": [context("other"), context("demo")], "users": []})
    };
    for current in ["other", "demo", ""] {
        let made = new(&format!("{}{}", json_of("nodepool.json"), kubeconfig(current)), &[]);
        assert_eq!(made.code, Some(0), "{current}: {}", made.stderr);
        assert_eq!(document(&made)["api_server_config"]["api_server_name"], "demo.example", "{current}");
        let note = "the cluster `demo` counts, which has the name and the resource group of the other files";
        assert_eq!(made.stderr.contains(note), current == "other", "{current}: {}", made.stderr);
    }
}

#[test]
fn what_a_kubeconfig_says_about_the_way_to_the_server_is_listed() {
    let cluster = json!({"server": "https://a.example:443", "proxy-url": "http://p.example", "tls-server-name": "b"});
    let config = json!({"apiVersion": "v1", "kind": "Config", "clusters": [{"name": "a", "cluster": cluster}]});
    let made = new(&config.to_string(), &[]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let note = "cannot represent: `proxy-url`, `tls-server-name`";
    assert!(made.stderr.contains(note), "{}", made.stderr);
}

/// <https://kubernetes.io/docs/reference/config-api/kubeadm-config.v1beta4/>
#[test]
fn kubeadm_needs_no_config_map_around_its_configuration() {
    let text = read("kubeadm-config.yaml");
    let start = text.find("apiServer:").or_else(|| text.find("apiVersion: kubeadm")).expect("it is there");
    let inner = &text[start..];
    let lines = inner.lines().take_while(|line| !line.starts_with("kind: ConfigMap"));
    let bare: String =
        lines.map(|line| line.strip_prefix("    ").unwrap_or(line)).flat_map(|line| [line, "\n"]).collect();
    let (whole, bare) = (document(&new(&text, &[])), document(&new(&bare, &[])));
    assert_eq!(whole, bare);
    assert!(bare["kubernetes_version"].as_str().is_some_and(|version| !version.starts_with('<')), "{bare}");
}

/// A session of a terminal, and the lines of `az --debug`: <https://github.com/microsoft/knack/blob/dev/knack/log.py>
#[test]
fn a_session_around_yaml_is_no_part_of_it() {
    let kubeconfig = read("kubeconfig-demo.yaml");
    let expected = document(&new(&kubeconfig, &[]));
    for text in [
        format!("root@host:~# kubectl config view --raw\n{kubeconfig}root@host:~# \n"),
        format!("PS C:\\Users\\me> kubectl config view --raw\n{kubeconfig}PS C:\\Users\\me> \n"),
        format!("me@host:~/aks$ az aks get-credentials -n demo -g demo-rg -f -\n{kubeconfig}"),
        format!("+ kubectl config view --raw\n{kubeconfig}"),
        format!(
            "DEBUG: cli.knack.cli: Command arguments: ['aks', 'get-credentials']\n{kubeconfig}INFO: exit code: 0\n"
        ),
        format!(
            "cli.azure.cli.core: Modules found from index for 'aks': ['azure.cli.command_modules.acs']\n{kubeconfig}"
        ),
    ] {
        let made = new(&text, &[]);
        assert_eq!(made.code, Some(0), "{text}: {}", made.stderr);
        assert_eq!(document(&made), expected, "{text}");
    }
    let made = new(&format!("{kubeconfig}Name    Location\n------  ----------\ndemo    westeurope\n"), &[]);
    let line = kubeconfig.lines().count() + 1;
    let problem = format!("<stdin>:{line}: is a table as `az … -o table` prints it");
    assert!(made.code == Some(1) && made.stderr.contains(&problem), "{}", made.stderr);
}
