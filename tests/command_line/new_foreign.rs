//! `new` with what is no output of `az` or `kubectl` about a cluster: it says what it is and what to pass instead, and prints nothing.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{run, run_with};
use crate::support::Scratch;

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/new");

/// What most messages tell to pass.
const SHOW: &str = "`az aks show -g GROUP -n CLUSTER -o json`";

fn kept(name: &str) -> String {
    fs::read_to_string(format!("{KEPT}/{name}")).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Checks that a text is an error that has all these parts.
fn is_named(text: &[u8], parts: &[&str]) {
    let made = run_with(&["new", "-"], text);
    let shown = String::from_utf8_lossy(text);
    assert!(made.code == Some(1) && made.stdout.is_empty(), "{shown}: {}", made.stderr);
    for part in parts {
        assert!(made.stderr.contains(part), "{shown}: no `{part}` in {}", made.stderr);
    }
}

#[test]
fn texts_of_other_programs_are_named_with_what_to_pass_instead() {
    for (text, title, instead) in [
        ("locals {\n  a = 1\n}\n", "a Terraform configuration", SHOW),
        ("# AKS\ndata \"azurerm_client_config\" \"a\" {}\n", "a Terraform configuration", SHOW),
        ("/* AKS */\nmodule \"aks\" {\n}\n", "a Terraform configuration", SHOW),
        ("import {\n  to = azurerm_kubernetes_cluster.a\n}\n", "a Terraform configuration", SHOW),
        ("metadata description = 'AKS'\n\nparam a string\n", "a Bicep file", SHOW),
        ("@minLength(3)\nparam a string\n", "a Bicep file", SHOW),
        ("using './main.bicep'\n\nparam a = 'b'\n", "a Bicep file", SHOW),
        ("// a\nvar a = 'b'\n", "a Bicep file", SHOW),
        (
            "TOKEN                     TTL   EXPIRES\nk3x9q2.m7d4z0v8q1n6c5x2   23h   2026-11-28T17:00:00Z\n",
            "`kubeadm token list`",
            "--token-file",
        ),
        (
            "CURRENT   NAME   CLUSTER   AUTHINFO\n*         a      a         b\n",
            "get-contexts",
            "kubectl config view --raw",
        ),
        (
            "NAME     CPU(cores)   CPU(%)   MEMORY(bytes)\naks-1    120m         3%       1800Mi\n",
            "`kubectl get`",
            "-o yaml",
        ),
        ("Client Version: v1.34.1\nServer Version: v1.34.4\n", "the text of `kubectl version`", SHOW),
        ("No resources found in kube-system namespace.\n", "if it finds nothing", "an object that exists"),
        ("<Objs Version=\"1.1.0.1\">\n</Objs>\n", "`Export-Clixml` of PowerShell", SHOW),
        ("az aks show -g a -n b\n", "a command, not its output", "what the command prints"),
        ("#!/bin/bash\naz aks show -g a -n b\n", "a shell script", "what its commands print"),
        ("#cloud-config\nwrite_files: []\n", "decoded CustomData", "`inspect`"),
        ("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB me@host\n", "a public key for SSH", "leave it out"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n", "a private key", "leave it out"),
        ("eyJhbGciOiJub25lIn0.eyJhdWQiOiJ4In0.c2ln\n", "an access token (JWT)", "--token-file"),
        ("null\n", "is `null`", "found nothing"),
        (
            "Merged \"a\" as current context in /home/me/.kube/config\n",
            "only messages or commands",
            "`kubectl config view --raw --minify`",
        ),
        ("the following arguments are required: --name/-n\n\nExamples:\naz aks show -n a\n", "message of `az`", ""),
        ("'shw' is misspelled or not recognized by the system.\n", "message of `az`", ""),
        ("AADSTS70043: The refresh token has expired.\nTrace ID: x\n", "message of `az`", ""),
        ("Not Found({\"error\":{\"code\":\"ResourceNotFound\",\"message\":\"x\"}})\n", "message of `az`", ""),
        ("bash: az: command not found\n", "message of a shell", ""),
        (
            "'az' is not recognized as an internal or external command,\noperable program or batch file.\n",
            "a shell",
            "",
        ),
        ("Standard_D8ds_v5\n", "a single value", "--vm-size"),
        ("\"MC_rg-orion_orion_northeurope\"\n", "a single value", "`--query`"),
        ("USER-SUPPLIED VALUES:\nsettings:\n  clusterName: a\n", "`helm get values`", SHOW),
        (
            "\n\nProvisioningState  : Succeeded\nKubernetesVersion  : 1.34\nAgentPoolProfiles  : {sysnp, gpu,\n                     \
             spot}\n",
            "`Format-List` of PowerShell",
            SHOW,
        ),
        ("Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n", "message of Python", ""),
    ] {
        is_named(text.as_bytes(), &[title, instead]);
    }
    for (bytes, title, instead) in [
        (&b"\x30\x82\x03\x1c\x30\x82\x02\x04\xa0\x03\xff"[..], "a certificate in DER", "openssl x509 -inform DER"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\xff", "binary data", ""),
        (b"\x1f\x8b\x08\0\0\0\0\0", "gzip data", "`gzip -dc FILE`"),
        (b"{\n\"name\": \"M\xfcller\"}", "<stdin>:2: is not UTF-8", ""),
    ] {
        is_named(bytes, &[title, instead]);
    }
}

#[test]
fn objects_of_other_programs_are_named_with_what_to_pass_instead() {
    let object =
        |group: &str, kind: &str| json!({"apiVersion": group, "kind": kind, "metadata": {"name": "a"}, "spec": {}});
    let cluster = "/subscriptions/a/resourceGroups/demo-rg/providers/Microsoft.ContainerService/managedClusters/demo";
    for (value, title, instead) in [
        (
            object("infrastructure.cluster.x-k8s.io/v1beta1", "AzureManagedControlPlane"),
            "of kind AzureManagedControlPlane of Cluster API",
            "`az aks show`",
        ),
        (
            object("containerservice.azure.com/v1api20240901", "ManagedCluster"),
            "of kind ManagedCluster of Azure Service Operator",
            "`az aks show`",
        ),
        (
            object("containerservice.azure.m.upbound.io/v1beta1", "KubernetesCluster"),
            "of kind KubernetesCluster of Crossplane",
            "`az aks show`",
        ),
        (object("aks.cattle.io/v1", "AKSClusterConfig"), "of kind AKSClusterConfig of Rancher", "`az aks show`"),
        (object("v1", "Node"), "an object of kind Node", "`az aks show`"),
        (
            json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound"}),
            "\"NotFound\"",
            SHOW,
        ),
        (json!({"format_version": "1.2", "planned_values": {}}), "a Terraform plan or state", "az aks show"),
        (
            json!({"address": "a.b", "provider_name": "x", "schema_version": 2}),
            "a Terraform plan or state",
            "az aks show",
        ),
        (json!({"resource": {"azurerm_kubernetes_cluster": {"a": {}}}}), "a Terraform configuration in JSON", SHOW),
        (
            json!({"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#"}),
            "the parameters of an ARM template",
            "az aks show",
        ),
        (json!({"Id": cluster, "Name": "demo"}), "PowerShell", "`az aks show -g demo-rg -n demo -o json`"),
        (
            json!({"Id": format!("{cluster}/agentPools/one"), "Name": "one"}),
            "PowerShell",
            "`az aks nodepool show -g demo-rg --cluster-name demo -n one -o json`",
        ),
        (
            json!({"Name": "a", "Account": {"Id": "me"}, "Environment": {"Name": "AzureCloud"}, "Subscription": {"Id": "s"},
                "Tenant": {"Id": "t"}, "TokenCache": null}),
            "an object of Azure PowerShell",
            "az aks show",
        ),
        (json!({"code": "AuthorizationFailed", "message": "x"}), "an error of Azure, \"AuthorizationFailed\"", ""),
        (json!({"aadClientId": "msi", "subscriptionId": "x", "vmType": "vmss"}), "`azure.json`", "az aks show"),
        (json!({"accessToken": "eyJh", "expiresOn": "x"}), "an access token", "az aks show"),
        (json!({"ExitCode": "50", "Output": "x"}), "`provision.json`", "`explain`"),
        (json!({"cluster": {"arn": "arn:aws:eks:a"}}), "`aws eks describe-cluster`", SHOW),
        (json!({"services": {}, "version": "3"}), "is not a document that `new` reads", ""),
        (json!({"format_version": "1.0", "provider_schemas": {}}), "a Terraform plan or state", "az aks show"),
        (
            json!({"@level": "info", "@message": "Terraform 1.9.5", "@module": "terraform.ui", "type": "version"}),
            "messages of Terraform",
            "az aks show",
        ),
        (json!({"kubeconfigs": []}), "lists no credentials", "`az aks get-credentials"),
        (json!({"kubeconfigs": [{"name": "clusterAdmin", "value": "YXBp!"}]}), "has no kubeconfig in base64", ""),
        (
            json!({"cpuManagerPolicy": "static", "cpuCfsQuotaPeriod": "200ms", "failSwapOn": false}),
            "a file for `--kubelet-config` of `az aks nodepool add`",
            "`kubeletConfig`",
        ),
        (
            json!({"swapFileSizeMB": 1500, "sysctls": {"netCoreSomaxconn": 163_849}}),
            "a file for `--linux-os-config` of `az aks nodepool add`",
            "`linuxOsConfig`",
        ),
        (
            json!({"id": format!("{cluster}/availableagentpoolversions"), "name": "default", "properties": {},
                "type": "Microsoft.ContainerService/managedClusters/availableAgentpoolVersions"}),
            "versions of Kubernetes for node pools",
            "az aks show",
        ),
    ] {
        is_named(value.to_string().as_bytes(), &[title, instead]);
    }
}

#[test]
fn files_of_options_are_named() {
    let scratch = Scratch::new("new-options");
    let file = scratch.join("file");
    let authority = fs::read_to_string(format!("{KEPT}/../certificates/authority.pem")).expect("it is there");
    let path = |file: &Path| file.to_str().expect("it is text").to_owned();
    for (option, bytes, part) in [
        ("--ca", &b"\n"[..], "is empty"),
        ("--token-file", b"", "is empty"),
        ("--ca", b"\x1f\x8b\x08\0", "is gzip data"),
        ("--token-file", b"\xff\xfea\0b\0", "is UTF-16: convert it with `iconv"),
        ("--ca", kept("kubeconfig-demo.yaml").as_bytes(), "is a kubeconfig, so it is not a CA: pass it as FILE"),
        (
            "--token-file",
            kept("token.yaml").as_bytes(),
            "is a List of Kubernetes objects, so it is not a bootstrap token: pass it as FILE",
        ),
        ("--ca", &authority.as_bytes()[..authority.len() / 2], "is truncated: PEM"),
        ("--ca", b"-----BEGIN CERTIFICATE REQUEST-----\n", "is a request for a certificate, not a CA"),
        ("--token-file", b"eyJhbGciOiJub25lIn0.eyJhdWQiOiJ4In0.c2ln", "is an access token (JWT), not a bootstrap"),
    ] {
        fs::write(&file, bytes).expect("scratch is writable");
        let made = run(&["new", option, &path(&file)]);
        assert!(made.code == Some(1) && made.stdout.is_empty(), "{part}: {}", made.stderr);
        let wanted = format!("error: {option} {}: {part}", path(&file));
        assert!(made.stderr.contains(&wanted), "{wanted}: {}", made.stderr);
    }
}

#[test]
fn a_private_key_is_no_part_of_a_ca() {
    let scratch = Scratch::new("new-keys");
    let file = scratch.join("file");
    let key = fs::read_to_string(format!("{KEPT}/../certificates/client_ec_sec1.key")).expect("it is there");
    let authority = fs::read_to_string(format!("{KEPT}/../certificates/authority.pem")).expect("it is there");
    let both = format!("{authority}{key}");
    for (text, part) in [
        (key.clone(), "is a private key, not a CA"),
        (both.clone(), "has a private key beside the certificate"),
        (STANDARD.encode(&both), "has a private key beside the certificate"),
    ] {
        fs::write(&file, &text).expect("scratch is writable");
        let made = run(&["new", "--ca", file.to_str().expect("it is text")]);
        assert!(made.code == Some(1) && made.stdout.is_empty(), "{part}: {}", made.stderr);
        assert!(made.stderr.contains(part), "{part}: {}", made.stderr);
        let secret = key.lines().nth(1).expect("a line");
        assert!(!made.stderr.contains(secret), "{}", made.stderr);
    }
    let kubeconfig = kept("kubeconfig-demo.yaml");
    let start = kubeconfig.find("LS0t").expect("the CA");
    let end = start + kubeconfig[start..].find('\n').expect("its end");
    let text = format!("{}{}{}", &kubeconfig[..start], STANDARD.encode(&both), &kubeconfig[end..]);
    is_named(text.as_bytes(), &["certificate-authority-data: has a private key beside the certificate"]);
}

#[test]
fn the_bootstrap_token_of_a_kubeconfig_counts_least() {
    let kubeconfig = |token: &str| kept("kubeconfig-demo.yaml").replace(&"0".repeat(64), token);
    let made = |text: &str| {
        let made = run_with(&["new", "-", "--format", "json"], text.as_bytes());
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        assert!(!made.stderr.contains("s5d6f7g8h9j0k1l2"), "{}", made.stderr);
        let document: Value = serde_json::from_str(&made.stdout).expect("JSON");
        document["bootstrapping_config"]["tls_bootstrapping_token"].as_str().expect("a text").to_owned()
    };
    let own = kubeconfig("p1q2w3.s5d6f7g8h9j0k1l2");
    assert_eq!(made(&own), "p1q2w3.s5d6f7g8h9j0k1l2");
    assert_eq!(made(&format!("{own}---\n{}", kept("token.yaml"))), "k3x9q2.m7d4z0v8q1n6c5x2");
    assert_eq!(made(&kubeconfig("s5d6f7g8h9j0k1l2")), "<BOOTSTRAP_TOKEN>");
}

#[test]
fn a_scale_set_without_a_profile_is_named() {
    let group = "/subscriptions/0de45914-0000-4000-8000-000000000001/resourceGroups/MC_demo-rg_demo_westeurope";
    let set = json!({
        "id": format!("{group}/providers/Microsoft.Compute/virtualMachineScaleSets/aks-nodepool1-47305918-vmss"),
        "name": "aks-nodepool1-47305918-vmss", "location": "westeurope", "orchestrationMode": "Flexible", "sku": null,
        "type": "Microsoft.Compute/virtualMachineScaleSets", "virtualMachineProfile": null,
    });
    let made = run_with(&["new", "-", "--format", "json"], set.to_string().as_bytes());
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let document: Value = serde_json::from_str(&made.stdout).expect("JSON");
    assert_eq!(document["cluster_config"]["primary_scale_set"], "aks-nodepool1-47305918-vmss");
    assert_eq!(document["cluster_config"]["vm_type"], "VM_TYPE_VMSS");
}

#[test]
fn a_size_that_the_subscription_cannot_create_is_noted() {
    let size = |restriction: Value| {
        json!({"name": "Standard_D2s_v3", "resourceType": "virtualMachines", "locations": ["westeurope"],
            "capabilities": [{"name": "vCPUs", "value": "2"}, {"name": "MemoryGB", "value": "8"}],
            "restrictions": [restriction]})
    };
    let of_region =
        |region: &str| json!({"type": "Location", "values": [region], "reasonCode": "NotAvailableForSubscription"});
    let of_zone = json!({"type": "Zone", "values": ["westeurope"], "reasonCode": "NotAvailableForSubscription"});
    for (restriction, is_noted) in [(of_region("WestEurope"), true), (of_region("eastus"), false), (of_zone, false)] {
        let text = format!("{}{}", kept("azure-two-pools.json"), size(restriction.clone()));
        let made = run_with(&["new", "-", "--node-pool", "nodepool1"], text.as_bytes());
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let note = "cannot create machines of the size `Standard_D2s_v3` in this region: NotAvailableForSubscription";
        assert_eq!(made.stderr.contains(note), is_noted, "{restriction}: {}", made.stderr);
    }
}

#[test]
fn labels_that_no_label_can_have_are_left_out() {
    let mut cluster: Value = serde_json::from_str(&kept("azure-two-pools.json")).expect("JSON");
    // The name of an image of 2020.
    cluster["agentPoolProfiles"][0]["nodeImageVersion"] = json!("AKSUbuntu:1604:2020.03.11");
    let made = run_with(&["new", "-", "--node-pool", "nodepool1"], cluster.to_string().as_bytes());
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert!(!made.stdout.contains("node-image-version"), "{}", made.stdout);
}

#[test]
fn a_document_that_was_cut_anywhere_is_no_document() {
    let yaml = |name: &str| {
        let value: Value = serde_json::from_str(&kept(name)).expect("JSON");
        serde_yaml_like(&value, 0)
    };
    for (name, text) in [
        ("cilium.json", kept("cilium.json")),
        ("token.yaml", kept("token.yaml")),
        ("cilium.json as YAML", yaml("cilium.json")),
    ] {
        let steps = 60;
        for step in 1..steps {
            let mut end = text.len() * step / steps;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let made = run_with(&["new", "-"], &text.as_bytes()[..end]);
            // What ends with the last members that are read is as good as the whole.
            let is_noted = made.stderr.contains("truncated");
            assert!(is_noted || made.code == Some(1), "{name}, {end} bytes: {}", made.stderr);
            assert!(made.code == Some(0) || made.stdout.is_empty(), "{name}, {end} bytes: {}", made.stdout);
        }
    }
}

/// Writes JSON as YAML of blocks, with members in the order of their names.
fn serde_yaml_like(value: &Value, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(members) if !members.is_empty() => {
            let lines =
                members.iter().map(|(name, value)| format!("{indent}{name}:{}", serde_yaml_like(value, depth + 1)));
            format!("{}{}", if depth == 0 { "" } else { "\n" }, lines.collect::<String>())
        }
        Value::Array(list) if !list.is_empty() => {
            let lines = list.iter().map(|value| match value {
                Value::Object(_) => format!("{indent}-{}", serde_yaml_like(value, depth + 1)),
                other => format!("{indent}- {other}\n"),
            });
            format!("\n{}", lines.collect::<String>())
        }
        other => format!(" {other}\n"),
    }
}

#[test]
fn a_problem_of_syntax_has_its_line_and_column() {
    for (text, place) in [
        ("{\n  \"name\": \"a\",\n  \"fqdn\" \"x\"\n}\n", "<stdin>:3:10: is broken JSON: expected `:`"),
        ("{}\n{\"a\": 1,\n}\n", "<stdin>:3:1: is broken JSON: trailing comma"),
        ("apiVersion: v1\nkind: Config\nclusters:\n\t- name: x\n", "<stdin>:4:2: is broken YAML"),
        ("{\"name\": \"a\"},\n{\"name\": \"b\"}\n", "<stdin>:1:14: is broken JSON: `,` between documents"),
        ("{\"name\": \"a\"}\n]\n", "<stdin>:2:1: is broken JSON: `]` between documents"),
        ("{\n  \"fqdn\": \"a\",\n  \"fqdn\": \"b\"\n}\n", "<stdin>:3:8: has the member \"fqdn\" twice"),
        (
            "apiVersion: v1\nkind: Config\nclusters:\n- name: a\n  cluster:\n    server: https://a\n    server: https://b\n",
            "<stdin>:7:5: has the member \"server\" twice",
        ),
    ] {
        is_named(text.as_bytes(), &[place]);
    }
}

#[test]
fn fields_of_a_configuration_to_begin_with_are_not_lost_silently() {
    let document =
        |field: &str| format!("version: v1\nvm_size: Standard_D4s_v5\nkubernetes_version: 1.34.2\n{field}: x\n");
    is_named(
        document("vm_sizee").as_bytes(),
        &["error: <stdin>: vm_sizee: is not a field of Configuration", "`vm_size`"],
    );
    let made = run_with(&["new", "-"], document("from_a_newer_program").as_bytes());
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert!(made.stderr.contains("note: <stdin>: from_a_newer_program: is not a field"), "{}", made.stderr);
}

#[test]
fn pools_with_windows_are_no_choice() {
    let pool = |name: &str, os: &str| json!({"name": name, "osType": os, "mode": "User", "vmSize": "Standard_D4s_v5"});
    let cluster =
        json!({"agentPoolProfiles": [pool("one", "Linux"), pool("win", "Windows")], "nodeResourceGroup": "a"});
    is_named(cluster.to_string().as_bytes(), &["choose one of `one` with --node-pool; `win` has Windows"]);
}
