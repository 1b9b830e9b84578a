//! Any kind of document, any route: what goes together, and what a file of another kind is called.

use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::{Run, SMALL, json, run, run_with};
use crate::support::{Scratch, gzip};

const NBC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/nbc/ubuntu.json");
const OBJECTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/karpenter");
const ROUTES: [&str; 3] = ["node-bootstrap-variables", "scriptless", "scripted"];

const BOOTSTRAP_INPUTS: &str = "arch: amd64\nsubscription_id: s\nlocation: westeurope\nresource_group: group
kubernetes_version: 1.33.2\napi_server_name: demo.example.com\nca_bundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==
kubelet_client_tls_bootstrap_token: abcdef.0123456789abcdef
subnet_id: /subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/n/subnets/t\n";

fn generate(arguments: &[&str], document: &str) -> Run {
    run_with(&[&["generate", "-"], arguments].concat(), document.as_bytes())
}

fn request() -> Value {
    serde_json::from_str(&fs::read_to_string(NBC).expect("the request is there")).expect("JSON")
}

#[test]
fn every_input_that_has_a_configuration_renders_on_every_route_and_in_every_format() {
    for (kind, document) in [("configuration", SMALL.to_owned()), ("nbc", request().to_string())] {
        for route in ROUTES {
            for format in ["json", "custom-data", "arm", "files"] {
                let scratch = Scratch::new("inputs");
                let out = scratch.join("out");
                let out = out.to_str().expect("text");
                let more = if format == "files" { &["--out", out][..] } else { &[] };
                let arguments = [&["--route", route, "--format", format], more].concat();
                let made = generate(&arguments, &document);
                assert_eq!(made.code, Some(0), "{kind}, {route}, {format}: {}", made.stderr);
                let named = generate(&[&arguments[..], &["--input", kind]].concat(), &document);
                assert_eq!(named.stdout, made.stdout, "{kind}, {route}, {format}");
            }
        }
    }
}

#[test]
fn a_converted_request_and_its_configuration_render_alike() {
    let configuration = run(&["convert", NBC]);
    assert_eq!(configuration.code, Some(0), "{}", configuration.stderr);
    let directly = run(&["generate", NBC, "--route", "scriptless", "--as", "configuration"]);
    let in_two_steps = generate(&["--route", "scriptless"], &configuration.stdout);
    assert_eq!((directly.code, &directly.stdout), (Some(0), &in_two_steps.stdout), "{}", directly.stderr);
}

#[test]
fn what_the_conversion_loses_is_listed_where_the_conversion_is_used() {
    let mut request = request();
    request["ContainerService"]["properties"]["orchestratorProfile"]["kubernetesConfig"]["networkPolicy"] =
        "cilium".into();
    for (arguments, lost) in [
        (&["--route", "scripted"][..], false),
        (&["--route", "scriptless"], false),
        (&["--route", "scriptless", "--as", "configuration"], true),
        (&["--route", "node-bootstrap-variables"], true),
    ] {
        let made = generate(arguments, &format!("{request:#}"));
        assert_eq!(made.code, Some(0), "{arguments:?}: {}", made.stderr);
        let told = made.stderr.contains("networkPolicy: cannot be converted");
        assert_eq!(told, lost, "{arguments:?}: {}", made.stderr);
    }
}

#[test]
fn inputs_of_karpenters_bootstrapper_have_one_route() {
    let made = generate(&["--format", "custom-data"], BOOTSTRAP_INPUTS);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let named = run_with(&["generate", "--karpenter", "-", "--format", "custom-data"], BOOTSTRAP_INPUTS.as_bytes());
    assert_eq!(named.stdout, made.stdout);
    for arguments in [&["--route", "scriptless"][..], &["--route", "scripted"], &["--os", "flatcar"]] {
        let refused = generate(arguments, BOOTSTRAP_INPUTS);
        assert_eq!((refused.code, &*refused.stdout), (Some(1), ""), "{arguments:?}");
        assert!(refused.stderr.contains("<stdin>: route `"), "{arguments:?}: {}", refused.stderr);
    }
    let refused = run_with(&["convert", "-"], BOOTSTRAP_INPUTS.as_bytes());
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("no equivalent Configuration"), "{}", refused.stderr);
}

#[test]
fn objects_are_recognized_in_place_of_their_option() {
    let file = |name: &str| format!("{OBJECTS}/{name}");
    let (claim, class, settings) = (file("node_claim.yaml"), file("node_class.yaml"), file("settings.yaml"));
    let (cluster, size) = (file("cluster.yaml"), file("instance_type.json"));
    let rest = ["--settings", &settings, "--cluster", &cluster, "--instance-type", &size];
    let named = run(&[&["generate", "--node-claim", &claim, "--node-class", &class], &rest[..]].concat());
    let claim_found = run(&[&["generate", &claim, "--node-class", &class], &rest[..]].concat());
    let class_found = run(&[&["generate", &class, "--node-claim", &claim], &rest[..]].concat());
    assert_eq!(named.code, Some(0), "{}", named.stderr);
    assert_eq!((&claim_found.stdout, &class_found.stdout), (&named.stdout, &named.stdout));
    let alone = run(&["generate", &claim]);
    assert_eq!((alone.code, &*alone.stdout), (Some(2), ""));
    assert!(alone.stderr.contains("--node-class and --settings"), "{}", alone.stderr);
    for file in [&claim, &class] {
        assert_eq!(run(&["validate", file]).stdout, format!("{file}: valid\n"));
    }
}

#[test]
fn every_command_recognizes_the_kind_of_a_document() {
    for (document, variable) in [
        (SMALL.to_owned(), "KUBERNETES_VERSION=1.33.2"),
        (request().to_string(), "MCR_REPOSITORY_BASE=mcr.microsoft.com/"),
        (BOOTSTRAP_INPUTS.to_owned(), "CONTAINER_RUNTIME=containerd"),
    ] {
        let shown = run_with(&["env", "-"], document.as_bytes());
        assert_eq!(shown.code, Some(0), "{}", shown.stderr);
        assert!(shown.stdout.lines().any(|line| line == variable), "{variable}: {}", shown.stdout);
        let checked = run_with(&["validate", "-"], document.as_bytes());
        assert!(checked.stdout.ends_with("<stdin>: valid\n"), "{}", checked.stdout);
    }
}

#[test]
fn a_document_of_another_kind_than_the_option_says_is_named_for_what_it_is() {
    let request = request().to_string();
    for (option, document, message) in [
        ("--config", &*request, "is a NodeBootstrappingConfiguration, not a Configuration"),
        ("--nbc", SMALL, "is a Configuration, not a NodeBootstrappingConfiguration"),
        ("--nbc", BOOTSTRAP_INPUTS, "is inputs of Karpenter's bootstrapper, not a NodeBootstrappingConfiguration"),
        ("--karpenter", &*request, "is a NodeBootstrappingConfiguration, not inputs of Karpenter's bootstrapper"),
        ("--config", "apiVersion: v1\nkind: AKSNodeClass\n", "is an AKSNodeClass, not a Configuration"),
    ] {
        let refused = run_with(&["generate", option, "-"], document.as_bytes());
        assert_eq!((refused.code, &*refused.stdout), (Some(1), ""), "{option}");
        assert!(refused.stderr.contains(message), "{option}: {}", refused.stderr);
        assert_eq!(refused.stderr.lines().count(), 2, "one finding and its hint: {}", refused.stderr);
    }
}

/// What people have at hand, made by the programs that make it.
#[test]
fn files_that_are_no_input_are_named_for_what_they_are() {
    let made = json(&["generate", "--example", "ubuntu-azure-cni", "--route", "scriptless"]);
    let (custom_data, cse) = (made["customData"].as_str().expect("text"), made["cse"].as_str().expect("text"));
    let decoded = STANDARD.decode(custom_data).expect("base64");
    let gzip = gzip(&decoded);
    let utf16: Vec<u8> = SMALL.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let line = run(&["generate", NBC, "--route", "scripted", "--format", "cse"]).stdout;
    let ignition = run(&["generate", "--example", "flatcar", "--route", "scriptless", "--os", "flatcar"]).stdout;
    let ignition: Value = serde_json::from_str(&ignition).expect("JSON");
    let ignition = STANDARD.decode(ignition["customData"].as_str().expect("text")).expect("base64");
    // The members that `az vmss show` prints for a scale set, in its order.
    let scale_set = r#"{"id": "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/n",
        "location": "westeurope", "name": "n", "orchestrationMode": "Uniform", "provisioningState": "Succeeded",
        "sku": {"capacity": 1, "name": "Standard_D4s_v5", "tier": "Standard"}, "type":
        "Microsoft.Compute/virtualMachineScaleSets", "virtualMachineProfile": {"osProfile": {"adminUsername": "a"}}}"#;
    for (what, bytes, message, hint) in [
        ("base64", custom_data.as_bytes(), "base64 text", "base64 -d"),
        ("decoded", &decoded, "decoded CustomData", "the document from which it was generated"),
        ("gzip", &gzip, "gzip", "gzip -dc"),
        ("UTF-16", &utf16, "UTF-16", "iconv -f UTF-16"),
        ("a waiting command", cse.as_bytes(), "a CSE command", "provision --nbc-cmd"),
        ("a line", line.as_bytes(), "a CSE command", "provision --nbc-cmd"),
        ("Ignition", &ignition, "an Ignition document", "the document from which it was generated"),
        ("a scale set", scale_set.as_bytes(), "a VM or scale set", "Azure does not return CustomData"),
        ("a list", b"apiVersion: v1\nkind: List\nitems: []\n", "a List of Kubernetes objects", "kubectl get"),
    ] {
        for arguments in [&["generate", "-"][..], &["validate", "-"], &["env", "--config", "-"], &["convert", "-"]] {
            let refused = run_with(arguments, bytes);
            assert_eq!(refused.code, Some(1), "{what}: {arguments:?}");
            let told = refused.stdout + &refused.stderr;
            assert!(told.contains(message) && told.contains(hint), "{what}: {arguments:?}: {told}");
        }
    }
}

#[test]
fn a_misspelled_field_is_an_error_unless_the_values_are_not_checked() {
    let configuration = SMALL.replacen('{', r#"{"kubelet_confg": {}, "#, 1);
    let inputs = format!("{BOOTSTRAP_INPUTS}lables: {{}}\n");
    for (document, converted_code, field, hint) in [
        (&configuration, 0, "kubelet_confg: is not a field of Configuration", "did you mean `kubelet_config`?"),
        (&inputs, 1, "lables: is not a field of the bootstrapper's inputs", "did you mean `labels`?"),
    ] {
        let found = |arguments: &[&str], severity: &str| {
            let run = run_with(arguments, document.as_bytes());
            let findings = run.stdout.clone() + &run.stderr;
            let finding = format!("{severity}: {field} [misspelled-field]\n");
            let after = findings.split_once(&finding).map_or("", |(_, after)| after);
            // The line of the document comes between.
            let hints = after.lines().find(|line| line.starts_with("  hint: "));
            let hints = hints.is_some_and(|line| line.contains(hint));
            assert!(hints && after.contains(" | "), "{arguments:?}: {findings}");
            run
        };
        for command in ["validate", "generate"] {
            let run = found(&[command, "-"], "error");
            assert_eq!(run.code, Some(1), "{command}");
            assert!((run.stdout + &run.stderr).contains("If it is a newer field"), "{command}");
        }
        assert_eq!(found(&["generate", "--no-validate", "-"], "warning").code, Some(0));
        assert_eq!(found(&["env", "-"], "warning").code, Some(0));
        assert_eq!(found(&["convert", "-"], "error").code, Some(1));
        let converted = found(&["convert", "--no-validate", "-"], "warning");
        assert_eq!(converted.code, Some(converted_code), "{}", converted.stderr);
    }
    let other = SMALL.replacen('{', r#"{"kubelet_shape": {}, "#, 1);
    let run = run_with(&["generate", "-"], other.as_bytes());
    assert!(run.code == Some(0) && run.stderr.contains("warning: kubelet_shape: is not a field"), "{}", run.stderr);
}

#[test]
fn a_batch_holds_documents_of_any_kind() {
    let small = SMALL.replace('\n', " ");
    let bootstrap = serde_json::json!({"arch": "amd64", "subscription_id": "s", "location": "westeurope",
        "resource_group": "group", "kubernetes_version": "1.33.2", "api_server_name": "demo.example.com",
        "ca_bundle": "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==", "kubelet_client_tls_bootstrap_token": "abcdef.0123456789abcdef",
        "subnet_id": "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/n/subnets/t"});
    let lines = [small.clone(), request().to_string(), bootstrap.to_string()];
    let made = run_with(&["generate", "--batch", "-"], lines.join("\n").as_bytes());
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let results: Vec<Value> = made.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON Lines")).collect();
    for (line, result) in lines.iter().zip(&results) {
        let alone: Value = serde_json::from_str(&generate(&[], line).stdout).expect("JSON");
        assert_eq!(&alone, result);
    }
    for (option, line, other) in [("--nbc", &lines[1], &lines[0]), ("--karpenter", &lines[2], &lines[1])] {
        let batch = format!("{line}\n{other}\n");
        let made = run_with(&["generate", "--batch", option, "-"], batch.as_bytes());
        assert_eq!(made.code, Some(1), "{option}");
        let results: Vec<Value> = made.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(results[0]["customData"].is_string(), "{option}: {}", results[0]);
        assert_eq!(results[1]["line"], 2, "{option}: {}", results[1]);
    }
}

#[test]
fn terraform_sends_a_document_of_any_kind() {
    for (route, document) in
        [("scripted", request().to_string()), ("node-bootstrap-variables", BOOTSTRAP_INPUTS.to_owned())]
    {
        let query = serde_json::json!({"input": document, "route": route}).to_string();
        let made = run_with(&["generate", "--format", "terraform"], query.as_bytes());
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let map: Value = serde_json::from_str(&made.stdout).expect("JSON");
        assert_eq!(map["route"], route);
    }
}

#[test]
fn a_root_text_is_not_echoed() {
    for text in ["\"abcdef.0123456789abcdef\"", "abcdef.0123456789abcdef"] {
        for arguments in [
            &["generate", "--config", "-"][..],
            &["validate", "-"],
            &["generate", "--nbc", "-"],
            &["generate", "--karpenter", "-"],
            &["generate", "--format", "terraform"],
        ] {
            let refused = run_with(arguments, text.as_bytes());
            assert_eq!(refused.code, Some(1), "{arguments:?}");
            let told = refused.stdout + &refused.stderr;
            assert!(!told.contains("abcdef"), "{arguments:?}: {told}");
        }
    }
}

#[test]
fn the_operating_system_is_the_one_of_the_label_and_nothing_may_contradict_it() {
    let os =
        |run: &Run| serde_json::from_str::<Value>(&run.stdout).map(|result| result["os"].clone()).unwrap_or_default();
    let run = run_example(&["--example", "azure-linux-kata"]);
    assert_eq!(os(&run), "azurelinux");
    assert!(run.stderr.contains("containerd 2.0.0, the default of `azurelinux`"), "{}", run.stderr);
    let run = run_example(&["--example", "flatcar", "--route", "scriptless"]);
    assert_eq!(os(&run), "flatcar");
    let run = run_example(&["--example", "flatcar"]);
    assert!(run.code == Some(1) && run.stderr.contains("use route `scriptless` or route `scripted`"), "{}", run.stderr);
    let run = run_example(&["--example", "azure-linux-kata", "--os", "ubuntu"]);
    let message = "error: azure-linux-kata.yaml: `--os ubuntu` contradicts the os-sku labels of the node, which select `azurelinux`";
    assert!(run.code == Some(1) && run.stderr.contains(message), "{}", run.stderr);
    let run = run_example(&["--example", "azure-linux-kata", "--os", "ubuntu", "--no-validate"]);
    assert_eq!((run.code, os(&run)), (Some(0), "ubuntu".into()));
    // Each line of a batch has its own.
    let lines = ["flatcar", "localdns"].map(as_line);
    let run = run_with(&["generate", "--batch", "--route", "scriptless", "-"], lines.concat().as_bytes());
    let found: Vec<_> =
        run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")["os"].clone()).collect();
    assert_eq!(found, ["flatcar", "ubuntu"]);
    let arguments = ["generate", "--batch", "--route", "scriptless", "--os", "ubuntu", "-"];
    let run = run_with(&arguments, lines.concat().as_bytes());
    let results: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let problem = results[0]["error"]["message"].as_str().unwrap_or_default();
    assert!(problem.starts_with("`--os ubuntu` contradicts") && results[1]["os"] == "ubuntu", "{}", run.stdout);
}

/// Standard input has nothing for a second reader, which would take the document for an empty one.
#[test]
fn standard_input_is_read_only_once() {
    const PROBLEM: &str = "it was already read, and only one of the files can be `-`";
    for (arguments, code) in [
        (&["validate", "-", "--image", "-"][..], 2),
        (&["generate", "-", "--image", "-"][..], 2),
        (&["generate", "-", "--components", "-"][..], 2),
        (&["new", "-", "-"][..], 2),
        (&["env", "-", "-"][..], 2),
        (&["env", "-", "--layer", "-"][..], 1),
        (&["env", "-", "--set-file", "outbound_command=-"][..], 2),
    ] {
        let made = run_with(arguments, SMALL.as_bytes());
        assert_eq!((made.code, &*made.stdout), (Some(code), ""), "{arguments:?}: {}", made.stderr);
        assert!(made.stderr.contains(PROBLEM), "{arguments:?}: {}", made.stderr);
    }
    let made = run_with(&["validate", "-", "-"], SMALL.as_bytes());
    assert!(made.code == Some(1) && made.stdout.contains(PROBLEM), "{}", made.stdout);
}

fn run_example(arguments: &[&str]) -> Run {
    run(&[&["generate"], arguments].concat())
}

/// A built-in Configuration as a line of a batch.
fn as_line(example: &str) -> String {
    let converted =
        run(&["convert", "--config", &format!("{}/testdata/examples/{example}.yaml", env!("CARGO_MANIFEST_DIR"))]);
    converted.stdout.replace('\n', " ") + "\n"
}
