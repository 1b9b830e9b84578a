//! The reference's files for the node's controller: `conformance/boothook`, and what our own `generate` makes of requests.

use std::collections::BTreeMap;
use std::fmt::Write;

use aks_node_controller::Secret;
use aks_node_controller::difference::{Rules, diff};
use aks_node_controller::environment::ImageContents;
use aks_node_controller::inspection::{Inspection, Kind, inspect};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{inspected, problems, vectors};
use crate::support::gzip;

const CONTAINERS: &str = "/opt/azure/containers";

/// The contents of the files in `nodecustomdata.yml`, which are not part of the vectors.
const INNER: &str = "content\n";

/// `CustomData` and the command of a vector, with its payloads, and the files that they write.
struct Delivered {
    custom_data: String,
    command: String,
    files: BTreeMap<String, Vec<u8>>,
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

impl Delivered {
    /// `None` for the classic pair.
    fn of(vector: &Value) -> Option<Self> {
        let expect = &vector["expect"];
        let payloads = expect["payloads"].as_object().filter(|payloads| !payloads.is_empty())?;
        let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for (path, payload) in payloads {
            let content = match payload {
                _ if payload["text"].is_string() => text(&payload["text"]).to_owned(),
                _ if payload["field"].is_string() => text(&vector["nbc"][text(&payload["field"])]).to_owned(),
                _ => cloud_config(&payload["write_files"]),
            };
            files.insert(path.clone(), content.into_bytes());
        }
        let script = format!("{CONTAINERS}/boothook.sh");
        if let Some(content) = files.get(&script) {
            let content = complete(std::str::from_utf8(content).expect("text"), &files);
            files.insert(script, content.into_bytes());
        }
        Some(Self {
            custom_data: complete(text(&expect["custom_data"]["text"]), &files),
            command: complete(text(&expect["cse"]), &files),
            files,
        })
    }
}

/// A text with the payloads in their places.
fn complete(text: &str, files: &BTreeMap<String, Vec<u8>>) -> String {
    files.iter().fold(text.to_owned(), |text, (path, content)| {
        text.replace(&format!("<payload:{path}>"), &STANDARD.encode(gzip(content)))
    })
}

fn cloud_config(files: &Value) -> String {
    let mut text = "#cloud-config\n\nbootcmd:\n- mkdir -p /opt/bin\n\nwrite_files:\n".to_owned();
    for file in files.as_array().expect("a list") {
        let field = |name: &str| file[name].as_str().unwrap_or_default().to_owned();
        let content = if field("encoding") == "gzip" { gzip(INNER.as_bytes()) } else { INNER.into() };
        let content = STANDARD.encode(content);
        let _ = write!(
            text,
            "- path: {}\n  permissions: \"{}\"\n  owner: {}\n  encoding: {}\n  content: !!binary |\n    {content}\n",
            field("path"),
            field("permissions"),
            field("owner"),
            field("encoding"),
        );
    }
    text
}

fn files(found: &Inspection) -> BTreeMap<&str, (Option<u32>, &[u8])> {
    found.files.iter().map(|file| (file.path.as_str(), (file.mode, file.content.as_slice()))).collect()
}

fn variables(found: &Inspection) -> BTreeMap<&str, &str> {
    found.variables.iter().map(|(name, value)| (name.as_str(), value.expose())).collect()
}

#[test]
fn every_wrapping_of_the_references_deliveries_is_read() {
    let mut modes = BTreeMap::new();
    for (name, vector) in vectors("boothook") {
        let Some(delivered) = Delivered::of(&vector) else { continue };
        *modes.entry(text(&vector["expect"]["mode"]).to_owned()).or_insert(0) += 1;
        let encoded = STANDARD.encode(&delivered.custom_data);
        let command = &delivered.command;
        let generated = json!({"route": "scriptless", "customData": encoded, "cse": command}).to_string();
        let machine = json!({"virtualMachineProfile": {
            "osProfile": {"customData": encoded},
            "extensionProfile": {"extensions": [{"properties": {
                "settings": {}, "protectedSettings": {"commandToExecute": command}}}]},
        }});
        for whole in [generated, machine.to_string()] {
            let found = inspected(whole);
            let by_path = files(&found);
            for (path, content) in &delivered.files {
                let (mode, read) = by_path.get(path.as_str()).unwrap_or_else(|| panic!("{name}: no {path}"));
                assert!(*mode == Some(0o600) && read == content, "{name}: {path}");
            }
            let inner = vector["expect"]["payloads"][format!("{CONTAINERS}/nodecustomdata.yml")]["write_files"].clone();
            for file in inner.as_array().expect("a list") {
                let mode = u32::from_str_radix(text(&file["permissions"]), 8).ok();
                assert_eq!(by_path[text(&file["path"])], (mode, INNER.as_bytes()), "{name}");
            }
            let line = std::str::from_utf8(&delivered.files[&format!("{CONTAINERS}/aks-node-controller-nbc-cmd.sh")]);
            // The Configuration beside it is shown, and the variables are still those of the command.
            assert_eq!(variables(&found), variables(&inspected(line.expect("text"))), "{name}");
            assert!(found.variables.contains_key("KUBERNETES_VERSION"), "{name}");
            assert_eq!(found.command.as_ref().map(Secret::expose), Some(command.as_str()), "{name}");
            let configuration = vector["nbc"]["AKSNodeConfigJSON"].as_str().unwrap_or_default();
            assert_eq!(found.configuration.is_some(), configuration.trim_start().starts_with('{'), "{name}");
            let stages: Vec<_> = found.runs.iter().map(|run| run.stage.name()).collect();
            assert!(!stages.contains(&"bootcmd"), "{name}: nobody runs it: {stages:?}");
        }

        // Alone, each has its own part.
        let (by_data, by_command) = (inspected(&encoded), inspected(command));
        assert_eq!(by_command.kind, Kind::Command, "{name}");
        let secret = [files(&by_data), files(&by_command)]
            .map(|files| files.contains_key(format!("{CONTAINERS}/aks-node-controller-nbc-cmd.sh").as_str()));
        let is_protected = vector["expect"]["mode"] == "protected-settings";
        assert_eq!(secret, [!is_protected, is_protected], "{name}");
        // As the early fetch stores it.
        if let Some(script) = delivered.files.get(&format!("{CONTAINERS}/boothook.sh")) {
            assert_eq!(variables(&inspected(script)), variables(&by_command), "{name}");
        }
    }
    assert!(modes.is_empty() || modes["custom-data"] > 20 && modes["protected-settings"] > 20, "{modes:?}");
}

/// A boothook with files, as the reference writes them.
fn boothook(files: &[(&str, &str)]) -> String {
    files.iter().fold("#cloud-boothook\n#!/bin/bash\n".to_owned(), |text, (name, content)| {
        text + &super::dropped(&format!("{CONTAINERS}/{name}"), content)
    })
}

const COMMAND: &str = "LOCATION=westeurope TLS_BOOTSTRAP_TOKEN=\"abcdef.0123456789abcdef\" /bin/bash -c \"/bin/bash /opt/azure/containers/provision_start.sh\" ";

const CONFIGURATION: &str =
    r#"{"version": "v1", "kubernetes_version": "1.33.2", "cluster_config": {"location": "elsewhere"}}"#;

#[test]
fn the_command_wins_over_the_configuration_beside_it() {
    let both = [("aks-node-controller-nbc-cmd.sh", COMMAND), ("aks-node-controller-config.json", CONFIGURATION)];
    for files in [both, [both[1], both[0]]] {
        let found = inspected(boothook(&files));
        assert_eq!(found.variables["LOCATION"].expose(), "westeurope");
        assert!(!found.variables.contains_key("KUBERNETES_VERSION"), "it is not in the command");
        assert!(found.configuration.is_some());
    }
    let found = inspected(boothook(&both[1..]));
    assert_eq!(found.variables["LOCATION"].expose(), "elsewhere");
    let damaged = inspected(boothook(&[both[0], (both[1].0, "{")]));
    assert!(problems(&damaged).contains("is not a valid Configuration"), "{}", problems(&damaged));
    assert!(damaged.warnings.iter().any(|warning| warning.hint.contains("runs the command beside it")));
}

#[test]
fn nested_payloads_share_one_budget() {
    let large = "x".repeat(4 << 20);
    let found = inspected(boothook(&[("enabled_features.sh", &large), ("aks-node-controller-hotfix.json", &large)]));
    let sizes: Vec<_> = found.files.iter().map(|file| file.content.len()).collect();
    assert_eq!(sizes, [4 << 20, 2 << 20]);
    assert!(problems(&found).contains("aks-node-controller-hotfix.json is truncated"), "{}", problems(&found));
}

#[test]
fn variables_and_fields_of_two_deliveries_are_compared_and_not_their_payloads() {
    let features = ("enabled_features.sh", "A=1\n");
    let hotfix = ("aks-node-controller-hotfix.json", r#"{"version": "1.2.3"}"#);
    let configuration = ("aks-node-controller-config.json", CONFIGURATION);
    let a = [features, hotfix, ("aks-node-controller-nbc-cmd.sh", COMMAND), configuration];
    let other_command = COMMAND.replace("westeurope", "eastus").replace("abcdef.", "fedcba.");
    let other_configuration = CONFIGURATION.replace("elsewhere", "nowhere");
    let b = [
        ("enabled_features.sh", "A=2\nCLIENT_SECRET=h7Gf2Kq9Lm4Pz8Ws\n"),
        (hotfix.0, r#"{"version":"1.2.4"}"#),
        ("aks-node-controller-nbc-cmd.sh", &other_command),
        (configuration.0, &other_configuration),
    ];
    let in_command = |files: &[(&str, &str)]| {
        let script = boothook(files).replace("#cloud-boothook\n", "");
        let payload = STANDARD.encode(gzip(script.as_bytes()));
        format!(
            "echo '{payload}' | base64 -d | gzip -d > {CONTAINERS}/boothook.sh && {CONTAINERS}/aks-node-controller provision-wait"
        )
    };
    for (one, other) in [(boothook(&a), boothook(&b)), (in_command(&a), in_command(&b))] {
        let image = ImageContents::default();
        let found = diff(&inspect(one.as_bytes(), &image), &inspect(other.as_bytes(), &image), Rules::Meaning);
        let shown = found.to_json(false);
        let names = |part: &str, key: &str| -> Vec<String> {
            shown[part].as_array().into_iter().flatten().map(|one| text(&one[key]).to_owned()).collect()
        };
        assert_eq!(names("variables", "name"), ["LOCATION", "TLS_BOOTSTRAP_TOKEN"]);
        assert_eq!(names("configuration", "path"), ["cluster_config.location"]);
        assert_eq!(
            names("files", "path"),
            [configuration.0, hotfix.0, features.0].map(|name| format!("{CONTAINERS}/{name}")),
            "{shown:#}"
        );
        let text = shown.to_string();
        assert!(text.contains("1.2.4") && text.contains("CLIENT_SECRET"), "{text}");
        for hidden in ["h7Gf2Kq9", "0123456789abcdef", "H4sI"] {
            assert!(!text.contains(hidden), "{hidden}: {text}");
        }
        assert!(shown["command"].as_array().is_none_or(Vec::is_empty), "{shown:#}");
        assert!(shown["documents"].as_array().is_none_or(Vec::is_empty), "{shown:#}");
    }
}
