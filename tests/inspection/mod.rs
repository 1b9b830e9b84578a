//! `inspect`: what is in what a machine is created with.

mod deliveries;
mod user_data;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use aks_node_controller::catalogue::operating_systems::OPERATING_SYSTEMS;
use aks_node_controller::delivery::{Compression, Delivery, Form, Request, Route, SecretPlacement};
use aks_node_controller::difference::{Rules, diff};
use aks_node_controller::environment::ImageContents;
use aks_node_controller::inputs::{Checks, Input, NodeInput, Reading};
use aks_node_controller::inspection::{Inspection, Kind, inspect};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Scratch, gzip, needs};

fn inspected(bytes: impl AsRef<[u8]>) -> Inspection {
    inspect(bytes.as_ref(), &ImageContents::default())
}

/// A compressed archive with one file.
fn archive(path: &str, content: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_mode(0o600);
    let mut archive = tar::Builder::new(Vec::new());
    archive.append_data(&mut header, path, content).expect("memory accepts everything");
    gzip(&archive.into_inner().expect("memory accepts everything"))
}

fn problems(inspection: &Inspection) -> String {
    inspection.warnings.iter().map(|warning| warning.problem.clone() + "\n").collect()
}

/// Every input of the test data that a node can be made from.
fn inputs() -> Vec<(String, Input)> {
    let mut found = Vec::new();
    for directory in ["examples", "nbc", "karpenter"] {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(directory);
        for entry in fs::read_dir(directory).expect("the test data is there") {
            let path = entry.expect("a readable entry").path();
            let Ok(bytes) = fs::read(&path) else { continue };
            if let Some(input) = Reading::new(None, &bytes, &Checks::default()).input {
                found.push((path.file_name().expect("a name").to_string_lossy().into_owned(), input));
            }
        }
    }
    assert!(found.len() > 15, "{}", found.len());
    found
}

/// Every request that some input can be rendered for.
fn requests() -> Vec<Request> {
    let mut requests = Vec::new();
    for route in [Route::Scriptless, Route::NodeBootstrapVariables, Route::Scripted] {
        for os in &OPERATING_SYSTEMS {
            for form in [None, Some(Form::WriteFiles)] {
                requests.push(Request { route, os, form, ..Request::default() });
            }
        }
    }
    let secrets = SecretPlacement::ProtectedSettings;
    requests.extend(OPERATING_SYSTEMS.iter().map(|os| Request {
        route: Route::Scriptless,
        os,
        secrets,
        ..Request::default()
    }));
    requests
}

fn of_generate(request: &Request, input: &Input) -> Option<(Delivery, Value)> {
    let delivery = request.render(input).ok()?;
    let json = delivery.to_json();
    Some((delivery, json))
}

#[test]
fn what_is_extracted_is_what_generate_writes_as_files() {
    let mut compared = 0;
    for (name, input) in inputs() {
        for request in requests() {
            let Some((_, json)) = of_generate(&request, &input) else { continue };
            let layers = request.layers(&input).expect("what renders has layers");
            let expected: BTreeMap<String, Vec<u8>> =
                layers.iter().map(|layer| (layer.name.to_owned(), layer.text.expose().as_bytes().to_vec())).collect();
            let inspection = inspected(json.to_string());
            let extracted: BTreeMap<String, Vec<u8>> =
                inspection.extract().map(|(name, content)| (name.to_owned(), content.to_vec())).collect();
            let what = format!("{name} {:?} {} {:?}", request.route, request.os.name, request.form);
            assert_eq!(extracted.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{what}");
            for (name, content) in expected {
                assert!(extracted[&name] == content, "{what}: {name} differs");
            }
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn variables_are_those_of_the_environment() {
    for (name, input) in inputs() {
        for request in requests() {
            // Other routes carry the equivalent Configuration, which may lack something.
            let carries_another = match input {
                Input::Configuration(_) => false,
                Input::Nbc(_) => request.route != Route::Scripted,
                _ => request.route == Route::Scriptless,
            };
            let Some((_, json)) = of_generate(&request, &input).filter(|_| !carries_another) else { continue };
            let inspection = inspect(json.to_string().as_bytes(), &request.image);
            let image = input.image(&request.image);
            let Ok(environment) = input.assignments(&image) else { continue };
            for assignment in environment.iter() {
                let found = inspection.variables.get(&*assignment.name).map(aks_node_controller::Secret::expose);
                assert_eq!(found, Some(assignment.value.expose()), "{name} {:?} {}", request.route, assignment.name);
            }
        }
    }
}

/// As `env --format json` prints them.
#[test]
fn a_map_of_variables_is_read() {
    let (_, json) = example(Route::Scripted);
    let expected = inspected(json.to_string()).variables;
    let map: serde_json::Map<String, Value> =
        expected.iter().map(|(name, value)| (name.clone(), value.expose().into())).collect();
    assert_eq!(inspected(Value::Object(map).to_string()).variables, expected);
    let found = inspected(json!({"LOCATION": "westeurope", "A": "b", "C": "d"}).to_string());
    assert!(found.variables.is_empty(), "{:?}", found.variables);
}

/// One rendering of the first example on a route.
fn example(route: Route) -> (Delivery, Value) {
    let bytes =
        fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/examples/ubuntu-azure-cni.yaml")).expect("it is there");
    let input = Reading::new(None, &bytes, &Checks::default()).input.expect("it is valid");
    of_generate(&Request { route, ..Request::default() }, &input).expect("it renders")
}

#[test]
fn every_wrapping_has_the_same_inside() {
    for route in [Route::Scriptless, Route::NodeBootstrapVariables, Route::Scripted] {
        let (delivery, json) = example(route);
        let encoded = delivery.custom_data.encoded.expose().to_owned();
        let plain = STANDARD.decode(&encoded).expect("base64");
        let lines: String =
            encoded.as_bytes().chunks(76).map(|line| String::from_utf8_lossy(line).into_owned() + "\r\n").collect();
        let expected = inspected(&encoded);
        assert!(!expected.variables.is_empty() || !expected.files.is_empty());
        // As `az vmss show` and `terraform show -json` lay it out.
        let model = json!({"location": "westeurope", "virtualMachineProfile": {"osProfile": {"customData": encoded}}});
        let terraform = json!({"format_version": "1.2", "planned_values": {"root_module": {"resources": [
            {"type": "azurerm_linux_virtual_machine_scale_set", "values": {"custom_data": encoded}}]}}});
        // What the metadata service returns: user data, which pods can read.
        let metadata = json!({"compute": {"name": "vm", "userData": encoded}, "network": {}});
        let found = inspected(metadata.to_string());
        assert!(problems(&found).contains("every pod can read userData"), "{}", problems(&found));
        assert_eq!(found.variables, expected.variables);
        // As PowerShell names members.
        let powershell = json!([{"VirtualMachineProfile": {"OsProfile": {"CustomData": encoded}}}]);
        // As the guest agent keeps it in /var/lib/waagent/ovf-env.xml.
        let agent = format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<ns0:Environment xmlns:ns0=\"http://schemas.dmtf.org/ovf/environment/1\" \
             xmlns:ns1=\"http://schemas.microsoft.com/windowsazure\">\n<ns1:ProvisioningSection><ns1:LinuxProvisioningConfigurationSet>\
             <ns1:UserName>azureuser</ns1:UserName><ns1:CustomData>{encoded}</ns1:CustomData>\
             </ns1:LinuxProvisioningConfigurationSet></ns1:ProvisioningSection></ns0:Environment>"
        );
        let bicep =
            format!("resource n 'Microsoft.Compute/virtualMachines@2024-07-01' = {{\n  customData: '{encoded}'\n}}\n");
        let yaml = format!("- name: vm\n  osProfile:\n    computerName: vm\n    customData: {encoded}\n");
        for bytes in [
            powershell.to_string().into_bytes(),
            agent.clone().into_bytes(),
            bicep.into_bytes(),
            yaml.into_bytes(),
            format!("This is our CustomData:\n\n```\n{lines}```\n").into_bytes(),
            archive("cloud-init-logs/var/lib/cloud/instance/user-data.txt", &plain),
            archive("waagent/ovf-env.xml", agent.as_bytes()),
            plain.clone(),
            gzip(&plain),
            lines.clone().into_bytes(),
            STANDARD.encode(gzip(&plain)).into_bytes(),
            Value::from(encoded.as_str()).to_string().into_bytes(),
            model.to_string().into_bytes(),
            terraform.to_string().into_bytes(),
            json.to_string().into_bytes(),
            format!("\u{feff}{encoded}").into_bytes(),
            // As PowerShell writes what a command prints.
            format!("\u{feff}{encoded}\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect(),
        ] {
            let found = inspected(&bytes);
            assert_eq!(found.files, expected.files);
            for (name, value) in &expected.variables {
                assert_eq!(found.variables.get(name), Some(value), "{name}");
            }
        }
    }
}

/// Documents with the CustomData and the command of a delivery, as programs and people write them.
fn documents(delivery: &Delivery, json: &Value) -> Vec<(&'static str, Vec<u8>)> {
    let member = |name: &str| json[name].as_str().unwrap_or_default();
    let (data, command) = (member("customData"), member("cse"));
    // <https://learn.microsoft.com/azure/azure-resource-manager/bicep/data-types#strings>
    let bicep = |text: &str| {
        format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace("${", "\\${").replace('\n', "\\n"))
    };
    // <https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_quoting_rules>
    let powershell = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let parameters = json!({
        "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#",
        "contentVersion": "1.0.0.0",
        "parameters": {"name": {"value": "nodes"}, "nodeData": {"value": data}, "nodeCommand": {"value": command}},
    });
    [
        ("arm", delivery.to_arm().to_string().into_bytes()),
        ("arm-vm", delivery.to_arm_vm().to_string().into_bytes()),
        ("terraform", delivery.to_terraform().to_string().into_bytes()),
        ("terraform-hcl", delivery.to_terraform_hcl().expose().as_bytes().to_vec()),
        ("parameters", parameters.to_string().into_bytes()),
        (
            "parameters of Bicep",
            format!(
                "using 'nodes.bicep'\n\nparam name = 'nodes'\nparam data = {}\nparam command = {}\n",
                bicep(data),
                bicep(command)
            )
            .into_bytes(),
        ),
        (
            "PowerShell",
            format!(
                "$profile = Set-AzVmssOsProfile -CustomData {}\n$cse = {}\n",
                powershell(data),
                powershell(command)
            )
            .into_bytes(),
        ),
    ]
    .into_iter()
    // Quotes in a command would have to be quoted again.
    .chain((!command.contains('\'')).then(|| {
        let settings = json!({"commandToExecute": command});
        let script = format!(
            "#!/bin/bash\naz vmss create --name nodes --custom-data \"{data}\"\n\
             az vmss extension set --name CustomScript --protected-settings '{settings}'\n"
        );
        ("script for az", script.into_bytes())
    }))
    .collect()
}

#[test]
fn documents_with_custom_data_and_a_command_have_the_same_inside() {
    let mut compared = 0;
    for (name, input) in inputs() {
        for route in [Route::Scriptless, Route::NodeBootstrapVariables, Route::Scripted] {
            for os in &OPERATING_SYSTEMS {
                let request = Request { route, os, ..Request::default() };
                let Some((delivery, json)) = of_generate(&request, &input) else { continue };
                let expected = inspected(json.to_string());
                for (kind, bytes) in documents(&delivery, &json) {
                    let found = inspected(&bytes);
                    let what = format!("{name} {route:?} {} {kind}", os.name);
                    assert!(found.files == expected.files, "{what}: files differ");
                    assert!(found.variables == expected.variables, "{what}: variables differ");
                    assert!(found.command == expected.command, "{what}: the command differs");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn what_az_takes_is_read() {
    let mut compared = 0;
    for route in [Route::Scriptless, Route::NodeBootstrapVariables, Route::Scripted] {
        for (name, input) in inputs() {
            let request = Request { route, text_only: true, ..Request::default() };
            let Some((delivery, json)) = of_generate(&request, &input) else { continue };
            let Some(text) = delivery.custom_data.to_latin_1() else { continue };
            let found = inspected(text.expose());
            assert!(found.files == inspected(json.to_string()).files, "{name} {route:?}");
            compared += usize::from(found.kind == Kind::Latin1);
        }
    }
    // One is compressed.
    assert!(compared > 0);
}

/// As `az vmss extension list` prints them.
#[test]
fn extensions_without_their_settings_are_named() {
    let extension = json!({
        "name": "vmssCSE", "protectedSettings": null, "settings": {}, "publisher": "Microsoft.Azure.Extensions",
        "type": "Microsoft.Compute/virtualMachineScaleSets/extensions", "typePropertiesType": "CustomScript",
    });
    let found = inspected(json!([extension]).to_string());
    assert!(problems(&found).contains("neither CustomData nor a CSE command"), "{}", problems(&found));
}

#[test]
fn a_document_that_refers_to_its_data_is_named() {
    for (document, kind) in [
        (
            "param data string\nresource vm 'Microsoft.Compute/virtualMachines@2024-07-01' = {\n  customData: data\n}\n",
            "a Bicep file",
        ),
        (
            "resource \"azurerm_linux_virtual_machine\" \"vm\" {\n  custom_data = base64encode(local.data)\n}\n",
            "a Terraform configuration",
        ),
    ] {
        let found = inspected(document);
        assert!(problems(&found).contains(&format!("this is {kind}, without data of a node")), "{}", problems(&found));
    }
}

#[test]
fn a_configuration_of_terraform_has_both_artifacts() {
    for route in [Route::Scriptless, Route::NodeBootstrapVariables, Route::Scripted] {
        let (delivery, json) = example(route);
        let (expected, found) = (inspected(json.to_string()), inspected(delivery.to_terraform_hcl().expose()));
        assert_eq!((&found.files, &found.command), (&expected.files, &expected.command), "{route:?}");
        assert_eq!(found.variables, expected.variables, "{route:?}");
        assert_eq!(found.layers[0].kind, Kind::Text, "{route:?}");
        let compared = diff(&found, &expected, Rules::Meaning);
        assert!(compared.is_empty(), "{route:?}: {compared:?}");
        assert_eq!(compared.skipped.is_empty(), delivery.cse.is_some(), "{route:?}");
    }
}

#[test]
fn compressed_parts_are_read() {
    let bytes = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/examples/localdns.yaml")).expect("it is there");
    let input = Reading::new(None, &bytes, &Checks::default()).input.expect("it is valid");
    let request = Request { route: Route::Scriptless, compression: Compression::Always, ..Request::default() };
    let delivery = request.render(&input).expect("it renders");
    let found = inspected(delivery.custom_data.encoded.expose());
    assert!(found.configuration.is_some());
    assert!(found.layers.iter().any(|layer| layer.kind == Kind::Gzip));
}

#[test]
fn mistakes_are_named() {
    let (delivery, _) = example(Route::Scriptless);
    let encoded = delivery.custom_data.encoded.expose().to_owned();
    let plain = STANDARD.decode(&encoded).expect("base64");
    let with = |bytes: &[u8], words: &str| {
        let found = inspected(bytes);
        assert!(problems(&found).contains(words), "{words}: {}", problems(&found));
        found
    };
    with(STANDARD.encode(&encoded).as_bytes(), "base64 of base64");
    with(&[b"\n", plain.as_slice()].concat(), "blank line before the MIME headers");
    let cut = with(&encoded.as_bytes()[..encoded.len() - 101], "truncated");
    assert!(!cut.layers.is_empty());
    let compressed = gzip(&plain);
    with(&compressed[..compressed.len() / 2], "truncated or damaged");
    with(b"#cloud-config\nwrite_files:\n- path: /etc/kubernetes/azure.json\n  content: '{}'\n", "default mode");
    with(b"#cloud-config\nwrite_files: [", "cloud-config");
    with(
        json!({"virtualMachineProfile": {"osProfile": {"adminUsername": "x"}}}).to_string().as_bytes(),
        "neither CustomData nor",
    );
    for expression in ["[base64(concat('#cloud-config\\n'))]", "[parameters('customData')]", "[ variables('data') ]"] {
        let found = with(json!({"osProfile": {"customData": expression}}).to_string().as_bytes(), "is an expression");
        assert!(!problems(&found).contains("base64 is") && found.files.is_empty(), "{expression}");
    }
    let command = json!({"protectedSettings": {"commandToExecute": "[parameters('command')]"}}).to_string();
    assert!(with(command.as_bytes(), "commandToExecute is an expression").command.is_none());
    let public = json!({"extensionProfile": {"extensions": [{"settings": {"commandToExecute": "/opt/azure/containers/aks-node-controller provision-wait"}}]}});
    with(public.to_string().as_bytes(), "public settings");
    with(json!({"osProfile": {}, "userData": encoded}).to_string().as_bytes(), "every pod can read");
    with(b"#cloud-boothook\r\n#!/bin/bash\r\ntrue\r\n", "carriage return");
    let command = "VM_TYPE=\"$(id)\" LOCATION='$(id)' /bin/bash /opt/azure/containers/provision_start.sh";
    let found = with(command.as_bytes(), "expands something in the value of VM_TYPE");
    assert!(!problems(&found).contains("LOCATION"));
    let claims = |claims: Value| {
        use base64::engine::general_purpose::URL_SAFE_NO_PAD as URL_SAFE;
        format!("{}.{}.c2ln", URL_SAFE.encode("{\"alg\":\"RS256\"}"), URL_SAFE.encode(claims.to_string()))
    };
    let with_token =
        |token: String| format!("TLS_BOOTSTRAP_TOKEN={token} /bin/bash /opt/azure/containers/provision_start.sh");
    let year = claims(json!({"iss": "a", "iat": 1_700_000_000, "exp": 1_731_536_000}));
    with(with_token(year).as_bytes(), "TLS_BOOTSTRAP_TOKEN contains a token that is valid for 365 days");
    with(with_token(claims(json!({"iss": "kubernetes/serviceaccount"}))).as_bytes(), "never expires");
    let hour = claims(json!({"iat": 1_700_000_000, "exp": 1_700_003_600}));
    assert_eq!(problems(&inspected(with_token(hour))), "");
    let readable = "TLS_BOOTSTRAP_TOKEN=abcdef.0123456789abcdef /bin/bash /opt/azure/containers/provision_start.sh; \
                    echo YWJjZGVmLjAxMjM0NTY3ODlhYmNkZWY= | base64 -d > /etc/token";
    with(readable.as_bytes(), "/etc/token contains the value of TLS_BOOTSTRAP_TOKEN");
    let large = format!("#cloud-config\nwrite_files:\n- path: /a\n  content: {}\n", "x".repeat(70_000));
    with(large.as_bytes(), "over the limit");
    with(&large.as_bytes()[..62_000], "of 87380 characters");
}

/// A file as AgentBaker's boothook writes it: `shared/spec/scripted-route.md`, section 5.
fn dropped(path: &str, content: &str) -> String {
    format!(
        "cat <<'EOF' | base64 -d | gzip -d >{path}\n{}\nEOF\nchmod 0600 {path}\n",
        STANDARD.encode(gzip(content.as_bytes()))
    )
}

#[test]
fn deliveries_of_agentbaker_by_boothook_are_read() {
    let command = "PROVISION_OUTPUT=\"/var/log/azure/cluster-provision-cse-output.log\"; ADMINUSER=azureuser \
                   KUBERNETES_VERSION=1.33.0 /usr/bin/nohup /bin/bash -c \"/bin/bash /opt/azure/containers/provision_start.sh\"";
    let nbc = "/opt/azure/containers/aks-node-controller-nbc-cmd.sh";
    let files = dropped(
        "/opt/azure/containers/nodecustomdata.yml",
        "#cloud-config\nwrite_files:\n- path: /opt/a\n  content: a\n",
    ) + &dropped("/opt/azure/containers/enabled_features.sh", "A=1\n");
    let boothook = |files: &str| {
        format!("#cloud-boothook\n#!/bin/bash\nset -euo pipefail\nmkdir -p /opt/bin\n#hotfix-marker\n{files}")
    };

    let found = inspected(STANDARD.encode(boothook(&(files.clone() + &dropped(nbc, command)))));
    assert_eq!(found.layers[1].kind, Kind::Boothook);
    let paths: Vec<_> = found.files.iter().map(|file| (file.path.as_str(), file.mode)).collect();
    assert!(paths.contains(&(nbc, Some(0o600))) && paths.contains(&("/opt/a", None)), "{paths:?}");
    assert_eq!(found.variables["KUBERNETES_VERSION"].expose(), "1.33.0");
    assert!(found.command.is_none(), "the command of the file is not the CSE command");

    // In provision mode the script travels in the CSE command.
    let script = format!("#!/bin/bash\n{}", dropped(nbc, command));
    let cse = format!(
        "echo '{}' | base64 -d | gzip -d > /opt/azure/containers/boothook.sh && chmod 0600 /opt/azure/containers/boothook.sh && \
         {{ [ -f /opt/bin/boothook.sh ] || /bin/bash /opt/azure/containers/boothook.sh > /dev/null; }}; \
         /opt/azure/containers/aks-node-controller provision-wait",
        STANDARD.encode(gzip(script.as_bytes()))
    );
    let found = inspected(&cse);
    assert_eq!(found.kind, Kind::Command);
    assert_eq!(found.command.as_ref().map(aks_node_controller::Secret::expose), Some(cse.as_str()));
    let paths: Vec<_> = found.files.iter().map(|file| (file.path.as_str(), file.mode)).collect();
    assert!(paths.contains(&("/opt/azure/containers/boothook.sh", Some(0o600))), "{paths:?}");
    assert!(paths.contains(&(nbc, Some(0o600))), "{paths:?}");
    assert_eq!(found.variables["KUBERNETES_VERSION"].expose(), "1.33.0");
}

#[test]
fn what_runs_is_in_the_order_of_the_first_boot() {
    let text = "#cloud-config\nruncmd:\n- [touch, /c]\nwrite_files:\n- {path: /b, content: b}\nbootcmd:\n- echo a\n";
    let found = inspected(text);
    let runs: Vec<_> = found.runs.iter().map(|run| (run.stage.name(), run.text.expose())).collect();
    assert_eq!(runs, [("bootcmd", "echo a"), ("write_files", "writes 1 file"), ("runcmd", "touch /c")]);
    for (route, expected) in [
        (Route::Scriptless, &["boothook", "runcmd", "extension"][..]),
        (Route::NodeBootstrapVariables, &["runcmd"]),
        (Route::Scripted, &["bootcmd", "write_files", "extension"]),
    ] {
        let stages: std::collections::BTreeSet<_> =
            inspected(example(route).1.to_string()).runs.iter().map(|run| run.stage).collect();
        let stages: Vec<_> = stages.into_iter().map(aks_node_controller::inspection::Stage::name).collect();
        for stage in expected {
            assert!(stages.contains(stage), "{route:?}: {stages:?}");
        }
    }
}

#[test]
fn a_template_is_called_one() {
    // The form that `bicep build` writes, <https://learn.microsoft.com/azure/azure-resource-manager/templates/syntax>.
    let template = json!({
        "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
        "contentVersion": "1.0.0.0",
        "parameters": {"subnet": {"type": "string"}},
        "resources": [{
            "type": "Microsoft.Compute/virtualMachineScaleSets",
            "apiVersion": "2024-07-01",
            "name": "nodes",
            "properties": {"virtualMachineProfile": {"osProfile": {"customData": "I2Nsb3VkLWNvbmZpZwo="}}},
        }],
    });
    let found = inspected(template.to_string());
    assert_eq!((found.kind, found.kind.title()), (Kind::ArmTemplate, "ARM template"));
    assert!(found.layers.iter().any(|layer| layer.kind == Kind::CloudConfig), "{:?}", found.layers);
}

#[test]
fn what_comes_before_the_cut_is_shown() {
    let (delivery, _) = example(Route::Scripted);
    let encoded = delivery.custom_data.encoded.expose();
    let model =
        json!({"name": "vmss", "virtualMachineProfile": {"osProfile": {"adminUsername": "a", "customData": encoded}}})
            .to_string();
    for end in [model.len() - 1, model.len() - 40, model.len() / 2] {
        let found = inspected(&model[..end]);
        assert_eq!(found.kind, Kind::AzureModel, "{end}");
        assert!(problems(&found).contains("the JSON is truncated at line 1"), "{}", problems(&found));
        assert!(!found.files.is_empty(), "{end}");
    }
    let yaml = "#cloud-config\nwrite_files:\n- path: /a\n  content: a\n- path: /b\n  content: \"b";
    let found = inspected(yaml);
    assert_eq!(found.files[0].path, "/a");
    assert!(problems(&found).contains("the YAML cannot be read"), "{}", problems(&found));
}

#[test]
fn settings_of_the_guest_agent_are_read() {
    let file = |settings: &Value| json!({"runtimeSettings": [{"handlerSettings": settings}]}).to_string();
    let command = "/opt/azure/containers/aks-node-controller provision-wait";
    let found = inspected(file(&json!({"publicSettings": {"commandToExecute": command}})));
    assert_eq!(found.command.as_ref().map(aks_node_controller::Secret::expose), Some(command));
    // The beginning of a CMS message, <https://www.rfc-editor.org/rfc/rfc5652>.
    let encrypted = STANDARD.encode([0x30, 0x82, 0x01, 0x8f, 0x06, 0x09]);
    let found = inspected(file(&json!({"protectedSettings": encrypted, "protectedSettingsCertThumbprint": "A1"})));
    assert!(found.is_empty() && problems(&found).contains("protectedSettings are encrypted"), "{}", problems(&found));
    assert!(found.warnings[0].hint.contains("openssl cms -decrypt"), "{}", found.warnings[0].hint);
}

#[test]
fn a_file_of_another_kind_is_named() {
    for (bytes, words) in [
        (&b"PK\x03\x04\x14\0\0\0\x08\0"[..], "ZIP archive"),
        (b"\x7fELF\x02\x01\x01\0", "ELF binary"),
        (b"caf\xe9", "not UTF-8"),
        (b"", "empty"),
        (b"Hello", "an unknown kind"),
    ] {
        let found = inspected(bytes);
        assert!(found.is_empty() && problems(&found).contains(words), "{words}: {}", problems(&found));
    }
}

#[test]
fn archives_in_archives_are_read_to_a_depth() {
    let mut bytes = b"#cloud-config\nwrite_files: [{path: /a, content: b}]\n".to_vec();
    for _ in 0..12 {
        bytes = gzip(&bytes);
    }
    assert_eq!(inspected(&bytes).files.len(), 1);
    for _ in 0..12 {
        bytes = gzip(&bytes);
    }
    let found = inspected(&bytes);
    assert!(problems(&found).contains("more than 16 nested layers are not read"), "{}", problems(&found));
    assert!(found.files.is_empty());
}

#[test]
fn a_bomb_is_not_unpacked() {
    let zeros = vec![0u8; 200 << 20];
    let bomb = gzip(&gzip(&zeros));
    let found = inspected(&bomb);
    assert!(problems(&found).contains("MiB were decompressed"), "{}", problems(&found));
}

#[test]
fn nothing_shown_has_a_secret() {
    let bytes =
        fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/examples/ubuntu-azure-cni.yaml")).expect("it is there");
    let mut document = String::from_utf8(bytes).expect("text");
    let token = "canary.0123456789abcdef";
    let start = document.find("tls_bootstrapping_token:").expect("the example has a token");
    let end = start + document[start..].find('\n').expect("a line");
    document.replace_range(start..end, &format!("tls_bootstrapping_token: {token}"));
    let input = Reading::new(None, document.as_bytes(), &Checks::default()).input.expect("it is valid");
    let directory = Scratch::new("inspection");
    for route in [Route::Scriptless, Route::NodeBootstrapVariables, Route::Scripted] {
        let request = Request { route, ..Request::default() };
        let json = request.render(&input).expect("it renders").to_json().to_string();
        let file = directory.join("given.json");
        fs::write(&file, &json).expect("a writable directory");
        for format in ["text", "json"] {
            let file = file.display().to_string();
            let program = env!("CARGO_BIN_EXE_aks-node-controller");
            let ended = Command::new(program).args(["inspect", &file, "--format", format]).output().expect("it runs");
            let shown = String::from_utf8_lossy(&ended.stdout).into_owned();
            assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
            assert!(shown.contains("[redacted]") && !shown.contains(token), "{route:?} {format}");
            assert!(!shown.contains(&STANDARD.encode(token)), "{route:?} {format}");
        }
    }
}

#[test]
fn what_is_extracted_stays_in_its_directory() {
    let directory = Scratch::new("extraction");
    let (given, out) = (directory.join("given"), directory.join("out"));
    fs::write(
        &given,
        "#cloud-config\nwrite_files:\n- {path: /../../escaped, content: a}\n- {path: /etc/motd, content: b}\n",
    )
    .expect("a writable directory");
    let program = env!("CARGO_BIN_EXE_aks-node-controller");
    let ended = Command::new(program).arg("inspect").arg(&given).arg("--out").arg(&out).output().expect("it runs");
    assert!(ended.status.success());
    assert!(String::from_utf8_lossy(&ended.stderr).contains("leaves the directory"));
    assert!(
        out.join("etc/motd").exists() && !directory.join("escaped").exists() && !directory.join("../escaped").exists()
    );
}

/// The vectors of a directory; none, and a record of it, if they are absent.
fn vectors(directory: &str) -> Vec<(String, Value)> {
    let Some(directory) = needs::vectors(directory) else { return Vec::new() };
    let files =
        fs::read_dir(directory).expect("the vectors can be read").map(|entry| entry.expect("a readable entry").path());
    let documents = files.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    documents
        .map(|path| {
            let vector = serde_json::from_slice(&fs::read(&path).expect("readable")).expect("JSON");
            (path.display().to_string(), vector)
        })
        .collect()
}

#[test]
fn commands_and_custom_data_of_the_vectors_are_read_into_their_environment() {
    let vectors = vectors("scripted");
    if vectors.is_empty() {
        return;
    }
    let mut compared = 0;
    for (file, vector) in vectors {
        let Some(command) = vector["expect"]["command"].as_str() else { continue };
        let found = inspected(command);
        assert_eq!(found.kind, Kind::Command, "{file}");
        if vector["expect"]["custom_data"]["format"] == "boothook" {
            continue;
        }
        // Where the reference's own reader differs from bash, the vector says what bash hands over.
        let mut expected: BTreeMap<String, Option<String>> = BTreeMap::new();
        for (name, value) in vector["expect"]["env"].as_object().expect("an object") {
            expected.insert(name.clone(), value.as_str().map(str::to_owned));
        }
        for row in vector["expect"]["env_parsed_vs_executed"].as_array().into_iter().flatten() {
            let name = row["name"].as_str().expect("a name").to_owned();
            // What `;` ends is set, though not handed on.
            if !found.variables.contains_key(&name) || row["executed"].is_string() {
                expected.insert(name, row["executed"].as_str().map(str::to_owned));
            }
        }
        for (name, value) in expected {
            let got = found.variables.get(&name).map(|value| value.expose().to_owned());
            assert_eq!(got, value, "{file}: {name}");
        }
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn the_references_scripts_are_read_into_their_variables() {
    let vectors = vectors("node-bootstrap-variables");
    if vectors.is_empty() {
        return;
    }
    let mut compared = 0;
    for (file, vector) in vectors {
        let Some(script) = vector["expect"]["script"].as_str() else { continue };
        for given in [script.to_owned(), STANDARD.encode(script)] {
            let found = inspected(given);
            for (name, literal) in vector["expect"]["variables"].as_object().expect("an object") {
                let literal = literal.as_str().expect("the text after the equals sign");
                // None has an escape, so the quotes are the first and the last character.
                let value = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(literal);
                let got = found.variables.get(name).map(aks_node_controller::Secret::expose);
                assert_eq!(got, Some(value), "{file}: {name}");
            }
        }
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn the_references_custom_data_is_read() {
    let vectors = vectors("scriptless");
    if vectors.is_empty() {
        return;
    }
    let mut compared = 0;
    for (file, vector) in vectors {
        for name in ["custom_data_decoded", "custom_data_flatcar_decoded"] {
            let Some(text) = vector["expect"][name].as_str() else { continue };
            let image = ImageContents {
                containerd_version: vector["containerd_version"].as_str().unwrap_or_default().to_owned(),
                ..ImageContents::default()
            };
            let found = inspect(text.as_bytes(), &image);
            if vector["expect"].get("unmarshal_error").is_some() {
                // The reference's own reader refuses the document; the rest of the vector is what it had kept by then.
                continue;
            }
            if vector["expect"].get("version_rejected").is_some() {
                assert!(
                    problems(&found).contains("not a valid Configuration: version"),
                    "{file}: {}",
                    problems(&found)
                );
            }
            assert!(found.configuration.is_some(), "{file}: {}", problems(&found));
            for (name, value) in vector["expect"]["env"].as_object().expect("an object") {
                let got = found.variables.get(name).map(|value| value.expose().to_owned());
                assert_eq!(got.as_deref(), value.as_str(), "{file}: {name}");
            }
            compared += 1;
        }
    }
    assert!(compared > 280, "{compared}");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let _ = inspected(&bytes);
    }

    #[test]
    fn no_text_makes_it_panic(text in "(#cloud-config\nwrite_files:\n|#cloud-boothook\n|Content-Type: multipart/mixed; boundary=\"b\"\n\n|#!/bin/bash\n|\\{\"ignition\":\\{\"version\":\"3\"\\}|)[ -~\n]{0,300}") {
        let _ = inspected(&text);
    }

    #[test]
    fn what_is_cut_off_or_changed_is_read_as_far_as_it_goes(cut in 0usize..60_000, at in 0usize..60_000, byte in any::<u8>()) {
        static WHOLE: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
        let whole = WHOLE.get_or_init(|| {
            [Route::Scriptless, Route::NodeBootstrapVariables, Route::Scripted]
                .into_iter()
                .flat_map(|route| {
                    let encoded = example(route).0.custom_data.encoded.expose().to_owned();
                    [STANDARD.decode(&encoded).expect("base64"), encoded.into_bytes()]
                })
                .collect()
        });
        for bytes in whole {
            let mut bytes = bytes[..cut.min(bytes.len())].to_vec();
            if let Some(changed) = bytes.get_mut(at) {
                *changed = byte;
            }
            let _ = inspected(&bytes);
        }
    }
}
