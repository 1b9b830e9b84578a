//! `new`: from options, and from what `az` and `kubectl` print about clusters.

use std::fs;

use super::{Run, run, run_with};
use crate::support::Scratch;

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/new");

/// The values that the files about a cluster lack.
const REST: &[&str] = &[
    "auth_config.tenant_id=5ae15ec1-0000-4000-8000-6929573dfbf0",
    "auth_config.subscription_id=0de45914-0000-4000-8000-000000000009",
    "cluster_config.resource_group=nodes",
    "cluster_config.location=westeurope",
    "cluster_config.cluster_network_config.vnet_name=aks-vnet-12345678",
];

fn file(name: &str) -> String {
    format!("{TESTDATA}/{name}")
}

/// Runs `new` with files of the test data, then other arguments.
fn new(files: &[&str], more: &[&str]) -> Run {
    let files: Vec<_> = files.iter().map(|name| file(name)).collect();
    let arguments = ["new"].into_iter().chain(files.iter().map(String::as_str)).chain(more.iter().copied());
    run(&arguments.collect::<Vec<_>>())
}

/// Returns the Configuration that `convert` makes of a document.
fn converted(document: &str) -> serde_json::Value {
    let run = run_with(&["convert", "-"], document.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("it prints JSON")
}

/// Checks that a document has no finding that is an error, and renders on every route.
fn works(document: &str) {
    let verdict = run_with(&["validate", "--format", "json", "-"], document.as_bytes());
    assert_eq!(verdict.code, Some(0), "{}", verdict.stdout);
    let is_flatcar = document.contains("os-sku: Flatcar");
    for route in ["node-bootstrap-variables", "scriptless", "scripted"] {
        let rendered = run_with(&["generate", "--route", route, "-"], document.as_bytes());
        assert_eq!(
            rendered.code == Some(0),
            !(is_flatcar && route == "node-bootstrap-variables"),
            "{}",
            rendered.stderr
        );
    }
}

#[test]
fn the_files_about_a_cluster_make_a_configuration_that_renders() {
    let network = "cluster_config.cluster_network_config";
    let vnet = format!("{network}.vnet_name=aks-vnet-12345678");
    let nsg = format!("{network}.security_group_name=aks-agentpool-12345678-nsg");
    let secret = "auth_config.service_principal_secret=c2VjcmV0";
    let tenant = "auth_config.tenant_id=5ae15ec1-0000-4000-8000-6929573dfbf0";
    let ca = file("../certificates/authority.pem");
    let token = ["token.yaml"];
    for (name, files, more, plugin, pods, reserved) in [
        (
            "demo",
            &["azure-two-pools.json", "vmss.json", "kubeconfig-demo.yaml", "token.yaml", "skus.json"][..],
            &[][..],
            "AZURE",
            "30",
            "cpu=100m,memory=650Mi,pid=1000",
        ),
        (
            "the other pool",
            &["azure-two-pools.json", "nodepool.json", "kubeconfig-demo.yaml", "token.yaml"],
            &["--set", &vnet],
            "AZURE",
            "60",
            "cpu=340m,memory=1250Mi,pid=1000",
        ),
        (
            "overlay",
            &["kubeconfig-overlay.yaml", "token.yaml", "subnet.json", "overlay-private.json"],
            &[],
            "NONE",
            "250",
            "cpu=100m,memory=2048Mi,pid=1000",
        ),
        (
            "kubenet",
            &["kubenet-service-principal.json", token[0]],
            &["--set", &vnet, "--ca", &ca, "--set", secret, "--set", tenant],
            "KUBENET",
            "110",
            "cpu=100m,memory=2048Mi,pid=1000",
        ),
        (
            "no plugin",
            &["none-user-assigned.json", "account.json"],
            &["--secure-tls", "--ca", &ca, "--set", &nsg],
            "NONE",
            "250",
            "cpu=140m,memory=4096Mi,pid=1000",
        ),
        (
            "cilium",
            &["cilium.json", token[0]],
            &["--set", &vnet, "--ca", &ca],
            "NONE",
            "250",
            "cpu=100m,memory=2048Mi,pid=1000",
        ),
    ] {
        let made = new(files, &[more, &["--strict"]].concat());
        assert_eq!(made.code, Some(0), "{name}: {}", made.stderr);
        let document = converted(&made.stdout);
        assert_eq!(document["network_config"]["network_plugin"], format!("NETWORK_PLUGIN_{plugin}"), "{name}");
        let flags = &document["kubelet_config"]["kubelet_flags"];
        assert_eq!(flags["--max-pods"], pods, "{name}");
        assert_eq!(flags["--kube-reserved"], reserved, "{name}");
        works(&made.stdout);
        let as_json = new(files, &[more, &["--format", "json"]].concat());
        assert_eq!(converted(&as_json.stdout), document, "{name}: YAML and JSON are the same document");
    }
}

/// The labels of a node of this cluster, as `kubectl get nodes --show-labels` printed them, except for those that the API server,
/// the kubelet and the cloud provider add.
#[test]
fn a_node_has_the_labels_of_the_nodes_of_its_cluster() {
    let made = new(&["overlay-private.json", "subnet.json", "kubeconfig-overlay.yaml", "token.yaml"], &[]);
    let document = converted(&made.stdout);
    let labels = document["kubelet_config"]["kubelet_node_labels"].as_object().expect("it has labels").clone();
    for (label, value) in [
        ("agentpool", "nodepool1"),
        ("kubernetes.azure.com/agentpool", "nodepool1"),
        ("kubernetes.azure.com/azure-cni-overlay", "true"),
        ("kubernetes.azure.com/cluster", "MC_overlay-rg_overlay_centralindia"),
        ("kubernetes.azure.com/kubelet-identity-client-id", "bef71225-0000-4000-8000-c7265f18a806"),
        ("kubernetes.azure.com/mode", "system"),
        ("kubernetes.azure.com/network-name", "overlay-vnet"),
        ("kubernetes.azure.com/network-resourcegroup", "overlay-rg"),
        ("kubernetes.azure.com/network-stateless-cni", "false"),
        ("kubernetes.azure.com/network-subnet", "nodes"),
        ("kubernetes.azure.com/network-subscription", "0de45914-0000-4000-8000-000000000000"),
        ("kubernetes.azure.com/node-image-version", "AKSUbuntu-2204gen2containerd-202601.27.0"),
        ("kubernetes.azure.com/nodepool-type", "VirtualMachineScaleSets"),
        ("kubernetes.azure.com/os-sku", "Ubuntu"),
        ("kubernetes.azure.com/podnetwork-type", "overlay"),
        ("kubernetes.azure.com/role", "agent"),
        ("kubernetes.azure.com/sku-cpu", "2"),
        ("kubernetes.azure.com/sku-memory", "8192"),
        ("kubernetes.azure.com/storageprofile", "managed"),
        ("kubernetes.azure.com/storagetier", "Premium_LRS"),
    ] {
        assert_eq!(labels.get(label).and_then(|found| found.as_str()), Some(value), "{label}");
    }
}

#[test]
fn one_stream_in_any_order_means_the_same_as_several_files() {
    let names = ["token.yaml", "vmss.json", "skus.json", "kubeconfig-demo.yaml", "azure-two-pools.json"];
    let several = new(&names, &["--format", "json"]);
    let read = |name: &str| fs::read_to_string(file(name)).expect("it is there");
    for separator in ["", "---\n"] {
        for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]] {
            let mut stream = String::new();
            for (at, index) in order.into_iter().enumerate() {
                let is_yaml = names[index].ends_with("yaml");
                let was_yaml = at > 0 && names[order[at - 1]].ends_with("yaml");
                stream += if is_yaml && was_yaml { "---\n" } else { separator };
                stream += &read(names[index]);
            }
            let one = run_with(&["new", "-", "--format", "json"], stream.as_bytes());
            assert_eq!(one.code, Some(0), "{}", one.stderr);
            assert_eq!(one.stdout, several.stdout, "{order:?}");
        }
    }
}

#[test]
fn the_first_line_names_the_schema_that_help_tells_to_write() {
    let document = run_with(&["new"], b"").stdout;
    let schema = document.lines().next().and_then(|line| line.strip_prefix("# yaml-language-server: $schema="));
    let help = run_with(&["schema", "--help"], b"").stdout;
    let written = help.lines().find_map(|line| line.trim().strip_prefix("aks-node-controller schema > "));
    assert_eq!((schema, written), (Some("configuration.schema.json"), schema));
}

#[test]
fn options_replace_files_and_files_replace_computed_values() {
    let files = ["azure-two-pools.json", "vmss.json", "kubeconfig-demo.yaml", "token.yaml"];
    let directory = Scratch::new("new");
    let (token, motd) = (directory.join("token"), directory.join("motd"));
    fs::write(&token, "abcdef.0123456789abcdef\n").expect("scratch is writable");
    fs::write(&motd, "SGVsbG8K\n").expect("scratch is writable");
    let motd = format!("message_of_the_day={}", motd.display());
    let made = new(
        &files,
        &[
            "--api-server",
            "10.1.2.3",
            "--kubernetes-version",
            "v1.34.1",
            "--vm-size",
            "Standard_D4ps_v6",
            "--token-file",
            token.to_str().expect("it is text"),
            "--os",
            "azurelinux",
            "--set",
            "kubelet_config.kubelet_flags.--max-pods=50",
            "--set",
            "kubelet_config.kubelet_node_labels[\"example.com/team\"]=ml",
            "--set-file",
            &motd,
            "--set",
            "needs_cgroupv2=null",
        ],
    );
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let document = converted(&made.stdout);
    let flags = &document["kubelet_config"]["kubelet_flags"];
    let labels = &document["kubelet_config"]["kubelet_node_labels"];
    for (found, expected) in [
        (&document["api_server_config"]["api_server_name"], "10.1.2.3"),
        (&document["kubernetes_version"], "1.34.1"),
        (&document["vm_size"], "Standard_D4ps_v6"),
        (&document["bootstrapping_config"]["tls_bootstrapping_token"], "abcdef.0123456789abcdef"),
        (&document["message_of_the_day"], "SGVsbG8K"),
        (&flags["--max-pods"], "50"),
        (&flags["--kube-reserved"], "cpu=140m,memory=1050Mi,pid=1000"),
        (&labels["example.com/team"], "ml"),
        (&labels["kubernetes.azure.com/os-sku"], "AzureLinux"),
        (&labels["kubernetes.azure.com/mode"], "system"),
    ] {
        assert_eq!(found, expected);
    }
    assert!(document.get("needs_cgroupv2").is_none());
    assert!(flags.get("--streaming-connection-idle-timeout").is_none());
    let url = document["kube_binary_config"]["kube_binary_url"].as_str().expect("it is text");
    assert!(url.contains("v1.34.1") && url.ends_with("arm64.tar.gz"), "{url}");
    works(&made.stdout);
}

#[test]
fn every_version_and_operating_system_makes_a_document_that_renders() {
    let ca = file("../certificates/authority.pem");
    let token = file("token.yaml");
    let mut arguments = vec!["new", &token, "--ca", &ca, "--api-server", "demo.example", "--strict"];
    for value in REST.iter().chain(&[
        "auth_config.assigned_identity_id=bef71225-0000-4000-8000-c7265f18a806",
        "network_config.network_plugin=NETWORK_PLUGIN_AZURE",
    ]) {
        arguments.extend(["--set", value]);
    }
    for version in ["1.28.9", "1.29.1", "1.30.12", "1.31.2", "1.32.9", "1.33.5", "1.34.2", "1.35.0", "1.36.0", "1.37.2"]
    {
        let made = run(&[&arguments[..], &["--kubernetes-version", version, "--vm-size", "Standard_D4s_v5"]].concat());
        assert_eq!(made.code, Some(0), "{version}: {}", made.stderr);
        works(&made.stdout);
    }
    for os in ["ubuntu", "azurelinux", "mariner", "osguard", "flatcar", "acl"] {
        let more = ["--kubernetes-version", "1.33.5", "--vm-size", "Standard_NC24ads_A100_v4", "--os", os];
        let made = run(&[&arguments[..], &more].concat());
        assert_eq!(made.code, Some(0), "{os}: {}", made.stderr);
        let rendered = run_with(&["generate", "--os", os, "--route", "scriptless", "-"], made.stdout.as_bytes());
        assert_eq!(rendered.code, Some(0), "{os}: {}", rendered.stderr);
    }
}

#[test]
fn what_is_missing_is_named_with_the_command_that_prints_it() {
    let made = new(&["azure-two-pools.json"], &["--node-pool", "nodepool1"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert!(made.stderr.contains("missing: kubernetes_ca_cert is <CLUSTER_CA>"), "{}", made.stderr);
    assert!(made.stderr.contains("az network nsg list -g MC_demo-rg_demo_westeurope"), "{}", made.stderr);
    let verdict = run_with(&["validate", "--format", "json", "-"], made.stdout.as_bytes());
    assert_eq!(verdict.code, Some(1));
    let report: serde_json::Value = serde_json::from_str(&verdict.stdout).expect("it prints JSON");
    let findings = report["findings"].as_array().expect("it is a list");
    let missing: Vec<_> =
        made.stderr.lines().filter_map(|line| line.strip_prefix("missing: ")?.split(' ').next()).collect();
    assert!(missing.len() >= 5, "{missing:?}");
    for field in &missing {
        assert!(
            findings.iter().any(|finding| finding["path"] == *field && finding["rule"] == "placeholder"),
            "{field}"
        );
    }
    assert_eq!(findings.len(), missing.len(), "{findings:#?}");
    assert_eq!(new(&["azure-two-pools.json"], &["--node-pool", "nodepool1", "--strict"]).code, Some(1));
    let again = run_with(&["new", "-", "--ca", &file("../certificates/authority.pem")], made.stdout.as_bytes());
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert!(
        !again.stderr.contains("kubernetes_ca_cert") && again.stderr.contains("<BOOTSTRAP_TOKEN>"),
        "{}",
        again.stderr
    );
}

#[test]
fn nothing_means_a_document_of_placeholders() {
    let made = run(&["new"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    for name in
        ["KUBERNETES_VERSION", "VM_SIZE", "TENANT_ID", "API_SERVER", "CLUSTER_CA", "BOOTSTRAP_TOKEN", "NETWORK_PLUGIN"]
    {
        assert!(made.stdout.contains(&format!(": <{name}>\n")), "{name}: {}", made.stdout);
    }
}

#[test]
fn an_empty_list_beside_other_documents_says_nothing() {
    let directory = Scratch::new("new-empty");
    let empty = directory.join("secrets.json");
    let list = r#"{"apiVersion": "v1", "items": [], "kind": "List", "metadata": {"resourceVersion": ""}}"#;
    fs::write(&empty, list).expect("scratch is writable");
    let empty = empty.to_str().expect("it is text");
    let made = run(&["new", &file("none-user-assigned.json"), empty]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert!(made.stderr.contains("is an empty list: the command that printed it found nothing"), "{}", made.stderr);
    assert_eq!(run(&["new", empty]).code, Some(1));
}

#[test]
fn what_is_wrong_is_named_and_nothing_is_printed() {
    let read = |name: &str| fs::read(file(name)).expect("it is there");
    let cut = |name: &str| {
        let bytes = read(name);
        bytes[..bytes.len() / 2].to_vec()
    };
    let joined = |names: &[&str]| names.iter().flat_map(|name| read(name)).collect::<Vec<_>>();
    let ca = file("../certificates/authority.pem");
    let secret = file("token.yaml");
    let directory = Scratch::new("new-wrong");
    let token = directory.join("token");
    fs::write(&token, "abcdef.0123456789abcdef\n").expect("scratch is writable");
    let token = token.to_str().expect("it is text");
    for (name, input, more, part) in [
        ("two clusters", joined(&["cilium.json", "kubeconfig-demo.yaml"]), &[][..], "different clusters"),
        ("two clusters", joined(&["cilium.json", "overlay-private.json"]), &[], "different clusters"),
        ("a pool of another cluster", joined(&["cilium.json", "nodepool.json"]), &[], "different clusters"),
        ("truncated", cut("cilium.json"), &[], "truncated"),
        ("several pools", read("azure-two-pools.json"), &[], "`gpu`, `nodepool1` with --node-pool"),
        ("no such pool", read("azure-two-pools.json"), &["--node-pool", "x"], "no node pool `x`"),
        ("a table", b"Name  Location\n----  --------\ndemo  westeurope\n".to_vec(), &[], "neither JSON nor YAML"),
        ("nothing", Vec::new(), &[], "is empty"),
        ("an empty list", b"[]".to_vec(), &[], "empty list"),
        ("a Deployment", b"apiVersion: apps/v1\nkind: Deployment\n".to_vec(), &[], "of kind Deployment"),
        ("another Secret", b"apiVersion: v1\nkind: Secret\ntype: Opaque\n".to_vec(), &[], "of type `Opaque`"),
        (
            "another ConfigMap",
            b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n".to_vec(),
            &[],
            "`x` has no data",
        ),
        ("a VM", br#"{"hardwareProfile": {}, "osProfile": {}}"#.to_vec(), &[], "a VM or scale set"),
        ("a number", b"[1]".to_vec(), &[], "is not an object"),
        (
            "an error of az",
            b"ERROR: Please run 'az login' to setup account.\n".to_vec(),
            &[],
            "is an error message of `az`",
        ),
        ("PowerShell's", br#"{"Id": "/subscriptions/x", "AgentPoolProfiles": []}"#.to_vec(), &[], "Azure PowerShell"),
        ("a template", TEMPLATE.to_vec(), &[], "is an ARM template: `aks-node-controller new FILE`"),
        ("a state", STATE.to_vec(), &[], "is a Terraform plan or state: `aks-node-controller new FILE`"),
        ("a token as CA", b"{}".to_vec(), &["--ca", token], "is a bootstrap token, not a CA"),
        ("a Secret as CA", b"{}".to_vec(), &["--ca", &secret], "is not a CA"),
        ("a CA as token", b"{}".to_vec(), &["--token-file", &ca], "is a certificate, not a bootstrap token"),
        ("no raw kubeconfig", kubeconfig("certificate-authority-data: DATA+OMITTED"), &[], "--raw"),
        ("a kubeconfig with a file", kubeconfig("certificate-authority: /ca.crt"), &[], "--flatten"),
        ("a version", read("cilium.json"), &["--kubernetes-version", "1.33"], "must be a full version"),
    ] {
        let made = run_with(&[&["new", "-"][..], more].concat(), &input);
        assert_eq!(made.code, Some(1), "{name}: {}", made.stderr);
        assert_eq!(made.stdout, "", "{name}");
        assert!(made.stderr.contains(part), "{name}: {}", made.stderr);
    }
    for wrong in ["vm_siz=x", "vm_size", "cluster_config=[", "kubelet_config.x=1"] {
        assert_eq!(run(&["new", "--set", wrong]).code, Some(2), "{wrong}");
    }
}

/// The outer members of an exported template:
/// <https://learn.microsoft.com/azure/azure-resource-manager/templates/export-template-portal>.
const TEMPLATE: &[u8] = br#"{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    "contentVersion": "1.0.0.0", "parameters": {}, "variables": {}, "resources": [
    {"type": "Microsoft.ContainerService/managedClusters", "apiVersion": "2025-05-01", "name": "demo", "properties": {}}]}"#;

/// The outer members of a state of Terraform, version 4.
const STATE: &[u8] =
    br#"{"version": 4, "terraform_version": "1.9.5", "serial": 5, "lineage": "x", "outputs": {}, "resources": [
    {"mode": "managed", "type": "azurerm_kubernetes_cluster", "name": "demo", "instances": []}]}"#;

#[test]
fn many_documents_of_no_use_are_a_hundred_errors_and_a_number() {
    let run = run_with(&["new", "-"], "{\"a\": 1}\n".repeat(1_000).as_bytes());
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 101, "{}", run.stderr);
    let mut lines = run.stderr.lines();
    let first = lines.next().unwrap_or_default();
    assert!(first.starts_with("error: <stdin>: is not a document that `new` reads: pass whole outputs"), "{first}");
    assert!(lines.next().is_some_and(|second| second.starts_with("error: <stdin>:2: ")), "{}", run.stderr);
    assert!(run.stderr.ends_with("error: … and 900 more\n"), "{}", run.stderr);
}

#[test]
fn an_output_may_have_warnings_beside_it_or_be_wrapped_in_value() {
    let plain = fs::read(file("overlay-private.json")).expect("it is there");
    let expected = run_with(&["new", "-"], &plain);
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    let altered = "WARNING: The behavior of this command has been altered by the following extension: aks-preview\n";
    let update = "WARNING: You have 2 update(s) available. Consider updating your CLI installation with 'az upgrade'\n";
    let with_warnings = [altered.as_bytes(), &plain, b"\n", update.as_bytes()].concat();
    let wrapped = [b"{\"value\": [", &plain[..], b"]}"].concat();
    // `>` of Windows PowerShell.
    let text = String::from_utf8(plain.clone()).expect("JSON is UTF-8");
    let utf_16 = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, input) in [("warnings", &with_warnings), ("value", &wrapped), ("UTF-16", &utf_16)] {
        let made = run_with(&["new", "-"], input);
        assert_eq!(made.code, Some(0), "{name}: {}", made.stderr);
        // The line of a document behind a warning is in its comments.
        assert_eq!(made.stdout.replace("<stdin>:2", "<stdin>"), expected.stdout, "{name}");
    }
    let made = run_with(&["validate", "-"], &with_warnings);
    assert!(made.code == Some(1) && made.stdout.contains("is text with messages of `az`"), "{}", made.stdout);
    let made = run_with(&["validate", "-"], &wrapped);
    assert!(made.code == Some(1) && made.stdout.contains("is a managed cluster"), "{}", made.stdout);
    for (input, title) in [(TEMPLATE, "is an ARM template"), (STATE, "is a Terraform plan or state")] {
        let made = run_with(&["generate", "-"], input);
        assert!(made.code == Some(1) && made.stderr.contains(title), "{title}: {}", made.stderr);
    }
}

fn kubeconfig(ca: &str) -> Vec<u8> {
    format!("apiVersion: v1\nkind: Config\nclusters:\n- name: a\n  cluster:\n    server: https://a.example\n    {ca}\n")
        .into_bytes()
}

#[test]
fn other_commands_say_what_a_document_about_a_cluster_is() {
    for (name, title) in [
        ("azure-two-pools.json", "a managed cluster"),
        ("nodepool.json", "a node pool"),
        ("nodepool-list.json", "a node pool"),
        ("subnet.json", "a subnet"),
        ("skus.json", "a VM size"),
        ("kubeconfig-demo.yaml", "a kubeconfig"),
        ("cluster-info.yaml", "a ConfigMap"),
        ("account.json", "a subscription"),
    ] {
        for command in ["generate", "validate", "convert"] {
            let run = run(&[command, &file(name)]);
            let printed = run.stdout + &run.stderr;
            assert_eq!(run.code, Some(1), "{name}");
            assert!(printed.contains(title) && printed.contains("aks-node-controller new FILE"), "{name}: {printed}");
        }
        let inspected = run(&["inspect", &file(name)]);
        assert!((inspected.stdout + &inspected.stderr).contains(title), "{name}");
    }
}

#[test]
fn an_example_is_printed_with_its_comments() {
    let printed = run(&["generate", "--example", "flatcar", "--print"]);
    assert_eq!(printed.code, Some(0));
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/examples/flatcar.yaml");
    assert_eq!(printed.stdout, fs::read_to_string(kept).expect("it is there"));
    assert_eq!(run(&["generate", "--print"]).code, Some(2));
}

#[test]
fn a_pool_of_virtual_machines_has_the_size_of_its_only_profile() {
    let made = new(&["virtual-machines.json"], &[]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    for part in ["vm_size: standard_d2s_v3\n", "vm_type: VM_TYPE_STANDARD\n", "kubernetes_version: 1.35.6\n"] {
        assert!(made.stdout.contains(part), "{part}: {}", made.stdout);
    }
    let text = fs::read_to_string(file("virtual-machines.json")).expect("it is there");
    let other = "\"autoscale\": [{\"size\": \"Standard_D4s_v5\", \"minCount\": 1, \"maxCount\": 1},";
    let two = run_with(&["new", "-"], text.replace("\"autoscale\": [", other).as_bytes());
    assert!(two.stderr.contains("vm_size is <VM_SIZE>"), "{}", two.stderr);
}

#[test]
fn the_settings_of_a_node_pool_are_settings_of_its_nodes() {
    let made = new(&["tuned-spot.json"], &["--node-pool", "nodepool1"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let document = converted(&made.stdout);
    let labels = &document["kubelet_config"]["kubelet_node_labels"];
    assert_eq!(labels["kubernetes.azure.com/fips_enabled"], "true");
    assert_eq!(labels["kubernetes.azure.com/os-sku"], "AzureLinux");
    let flags = &document["kubelet_config"]["kubelet_flags"];
    assert_eq!(flags["--fail-swap-on"], "false");
    assert_eq!(flags["--seccomp-default"], "true");
    let system = &document["custom_linux_os_config"];
    assert_eq!((&system["enable_swap_config"], &system["swap_file_size"]), (&true.into(), &1500.into()));
    assert_eq!(system["transparent_hugepage_support"], "madvise");
    assert_eq!(system["transparent_defrag"], "defer+madvise");
    let kernel = &system["sysctl_config"];
    assert_eq!(kernel["net_ipv4_tcp_tw_reuse"], true);
    assert_eq!(kernel["net_ipv4_ip_local_port_range"], "32000 60000");
    assert_eq!(kernel["net_ipv4_tcpkeepalive_intvl"], 30);
    assert_eq!(kernel.as_object().map(serde_json::Map::len), Some(8), "{kernel}");
    assert_eq!(document["enable_unattended_upgrade"], true);
    assert!(!made.stderr.contains("`linuxOsConfig`") && !made.stderr.contains("`enableFips`"), "{}", made.stderr);

    let spot = converted(&new(&["tuned-spot.json"], &["--node-pool", "spot"]).stdout);
    let taint = "kubernetes.azure.com/scalesetpriority=spot:NoSchedule";
    assert_eq!(spot["kubelet_config"]["kubelet_flags"]["--register-with-taints"], taint);
    assert_eq!(spot["kubelet_config"]["kubelet_node_labels"]["kubernetes.azure.com/scalesetpriority"], "spot");
}

#[test]
fn an_unknown_setting_of_a_node_pool_is_listed() {
    let text = fs::read_to_string(file("tuned-spot.json")).expect("it is there");
    for (known, unknown) in [("podMaxPids", "podMaxFiles"), ("netCoreSomaxconn", "netCoreNew")] {
        let made = run_with(&["new", "-", "--node-pool", "nodepool1"], text.replace(known, unknown).as_bytes());
        assert!(made.code == Some(0) && made.stderr.contains(&format!("represent: `{unknown}`")), "{}", made.stderr);
    }
}

#[test]
fn an_isolated_cluster_pulls_from_its_own_registry() {
    let made = new(&["isolated.json"], &[]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let document = converted(&made.stdout);
    assert_eq!(document["bootstrap_profile_container_registry_server"], "mycache.azurecr.us");
    assert!(document.get("outbound_command").is_none(), "{document:#}");
    assert_eq!(document["imds_restriction_config"]["enable_imds_restriction"], true);
    assert_eq!(document["disable_pubkey_auth"], true);
    assert_eq!(document["http_proxy_config"]["no_proxy_entries"].as_array().map(Vec::len), Some(7));
    let dns = &document["local_dns_profile"];
    assert_eq!(dns["enable_local_dns"], true);
    assert_eq!(dns["vnet_dns_overrides"]["cluster.local"]["protocol"], "ForceTCP");
    assert_eq!(document["kubelet_config"]["kubelet_flags"]["--cluster-dns"], "169.254.10.11");
    assert_eq!(document["cluster_config"]["cluster_network_config"]["core_dns_service_ip"], "10.0.0.10");
    assert_eq!(dns["kube_dns_overrides"]["."]["serve_stale_duration_in_seconds"], 3600);
    let labels = &document["kubelet_config"]["kubelet_node_labels"];
    assert_eq!(labels["kubernetes.azure.com/network-subscription"], "0de45914-0000-4000-8000-000000000032");
    // `az` prints the CAs as PEM.
    let verdict = run_with(&["validate", "--format", "json", "-"], made.stdout.as_bytes());
    assert!(!verdict.stdout.contains("custom_ca_certs"), "{}", verdict.stdout);
}

#[test]
fn the_scale_set_of_the_chosen_node_pool_counts() {
    let several = new(&["scale-sets.json"], &[]);
    assert!(
        several.code == Some(1) && several.stderr.contains("`gpu`, `nodepool1` with --node-pool"),
        "{}",
        several.stderr
    );
    for (files, pool, size) in [
        (&["scale-sets.json"][..], "nodepool1", "Standard_D2s_v3"),
        (&["scale-sets.json"], "gpu", "Standard_NC24ads_A100_v4"),
        (&["azure-two-pools.json", "scale-sets.json"], "nodepool1", "Standard_D2s_v3"),
    ] {
        let made = new(files, &["--node-pool", pool]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let document = converted(&made.stdout);
        assert_eq!(document["cluster_config"]["primary_scale_set"], format!("aks-{pool}-47305918-vmss"));
        assert_eq!(document["vm_size"], size);
        assert!(made.stderr.contains(&format!(", not `{pool}`: ignored")), "{}", made.stderr);
    }
}

#[test]
fn of_all_secrets_the_token_that_is_valid_for_longest_counts() {
    let made = new(&["secrets.yaml"], &[]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert!(made.stdout.contains("tls_bootstrapping_token: bbbbbb.bbbbbbbbbbbbbbbb\n"), "{}", made.stdout);
    for part in ["2 other bootstrap tokens: ignored", "is a Secret of type `helm.sh/release.v1`"] {
        assert!(made.stderr.contains(part), "{part}: {}", made.stderr);
    }
}

#[test]
fn the_rest_api_names_the_type_of_a_node_pool_in_its_properties() {
    let pool = r#"{"name": "old", "type": "Microsoft.ContainerService/managedClusters/agentPools", "properties": {
        "type": "AvailabilitySet", "vmSize": "Standard_DS2_v2", "osType": "Linux", "mode": "System", "maxPods": 30}}"#;
    let made = run_with(&["new", "-"], pool.as_bytes());
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    for part in [
        "vm_type: VM_TYPE_STANDARD\n",
        "kubernetes.azure.com/nodepool-type: AvailabilitySet\n",
        "--kube-reserved: \"cpu=100m,memory=650Mi,pid=1000\"\n",
    ] {
        assert!(made.stdout.contains(part), "{part}: {}", made.stdout);
    }
}

#[test]
fn the_outbound_check_of_a_node_in_china_asks_a_registry_there() {
    let made = run(&["new", "--set", "cluster_config.location=chinanorth3"]);
    assert!(made.stdout.contains("https://gcr.azk8s.cn/v2/"), "{}", made.stdout);
}

#[test]
fn other_outputs_are_named() {
    let resource = |kind: &str| format!(r#"{{"id": "x", "name": "x", "location": "westeurope", "type": "{kind}"}}"#);
    for (text, title) in [
        (resource("Microsoft.Resources/resourceGroups"), "a resource group"),
        (resource("Microsoft.Network/loadBalancers"), "a load balancer"),
        (resource("Microsoft.ManagedIdentity/userAssignedIdentities"), "a managed identity"),
        (resource("Microsoft.ContainerService/managedClusters/upgradeProfiles"), "the upgrades of a cluster"),
        (resource("Microsoft.Other/things"), "another resource of Azure"),
        (r#"{"clientVersion": {"gitVersion": "v1.33.2"}}"#.to_owned(), "the output of `kubectl version`"),
        (r#"[{"numberOfCores": 2, "resourceDiskSizeInMB": 1}]"#.to_owned(), "VM sizes as `az vm list-sizes`"),
        ("abcdef.0123456789abcdef\n".to_owned(), "a bootstrap token: pass it with --token-file"),
        (fs::read_to_string(file("../certificates/authority.pem")).expect("it is there"), "a certificate: pass"),
    ] {
        let made = run_with(&["new", "-"], text.as_bytes());
        assert!(made.code == Some(1) && made.stderr.contains(title), "{title}: {}", made.stderr);
        if text.starts_with(['{', '[']) {
            let verdict = run_with(&["validate", "-"], text.as_bytes());
            assert!(verdict.code == Some(1) && verdict.stdout.contains(title), "{title}: {}", verdict.stdout);
        }
    }
}
