//! `generate --user-data`: cloud-init and Ignition read the user's document beside the node's. `inspect` reads it as cloud-init does.

use std::fs;
use std::path::Path;
use std::process::Command;

use aks_node_controller::environment::ImageContents;
use aks_node_controller::inspection::{Inspection, Kind, inspect};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{PYTHON, ROOT, cloud_init, has_module, output, run};
use crate::support::{Scratch, needs};

/// `CustomData` with a document of the user.
fn generated(arguments: &[&str], user: Option<&str>) -> String {
    let directory = Scratch::new("user-data");
    let file = directory.join("mine");
    let mut command = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"));
    command.args(["generate", "--format", "custom-data"]).args(arguments);
    if let Some(user) = user {
        fs::write(&file, user).expect("scratch is writable");
        command.arg("--user-data").arg(&file);
    }
    let ended = command.output().expect("the program starts");
    assert!(ended.status.success(), "{}", output(&ended));
    String::from_utf8(ended.stdout).expect("text").trim_end().to_owned()
}

const MINE: &str = "#cloud-config\nwrite_files:\n- path: /etc/mine\n  content: mine\nbootcmd:\n- echo boot\nruncmd:\n- echo run\ntimezone: UTC\n";

#[test]
fn cloud_init_appends_the_node_s_lists_to_the_user_s() {
    if !has_module("cloudinit.user_data", "cloud-init") {
        return;
    }
    let multipart = format!(
        "Content-Type: multipart/mixed; boundary=\"edge\"\nMIME-Version: 1.0\n\n--edge\nContent-Type: text/x-shellscript\n\n#!/bin/sh\necho gr\u{fc}n\n\n--edge\nContent-Type: text/cloud-config\n\n{MINE}\n--edge--\n"
    );
    let routes: [&[&str]; 4] = [
        &["--route", "scriptless"],
        &["--route", "scriptless", "--custom-data-form", "write-files"],
        &["--route", "scripted"],
        &["--route", "node-bootstrap-variables", "--compress", "always"],
    ];
    let mut user_data = Vec::new();
    for route in routes {
        let arguments = [&["--example", "ubuntu-azure-cni"], route].concat();
        user_data.push(generated(&arguments, None));
        user_data.push(generated(&arguments, Some(MINE)));
        user_data.push(generated(&arguments, Some(&multipart)));
    }
    let script = Path::new(ROOT).join("tests/judges/merged_parts.py");
    let ended = run(PYTHON, &[script.to_str().expect("text")], &serde_json::to_vec(&user_data).expect("JSON"));
    assert!(ended.status.success(), "{}", output(&ended));
    let found: Vec<(Vec<String>, Vec<String>, Value)> = serde_json::from_slice(&ended.stdout).expect("JSON");
    for (route, found) in routes.iter().zip(found.chunks(3)) {
        let [(own_types, own_texts, own), merged @ ..] = found else { panic!("three of each route") };
        for (types, texts, config) in merged {
            assert!(own_texts.iter().all(|text| texts.contains(text)), "{route:?}: {types:?}");
            assert_eq!(config["timezone"], "UTC", "{route:?}");
            for (key, mine) in [
                ("write_files", json!({"path": "/etc/mine", "content": "mine"})),
                ("bootcmd", json!("echo boot")),
                ("runcmd", json!("echo run")),
            ] {
                let mut expected = vec![mine];
                expected.extend(own[key].as_array().cloned().unwrap_or_default());
                assert_eq!(config[key], Value::Array(expected), "{route:?}: {key}");
            }
        }
        assert!(merged[1].1.iter().any(|text| text.contains("echo gr\u{fc}n")), "{route:?}");
        // Nothing of the user runs before the node's own scripts.
        if own_types[0] != "text/cloud-config" {
            assert!(merged.iter().all(|(types, ..)| types[0] == own_types[0]), "{route:?}");
        }
    }
}

#[test]
fn ignition_validates_both_documents() {
    if !needs::programs(&[("ignition-validate", "ignition")]) {
        return;
    }
    let mine = json!({"ignition": {"version": "3.3.0"}, "storage": {"files": [{"path": "/etc/mine", "contents": {"source": "data:,mine"}}]}});
    let directory = Scratch::new("merged");
    let file = directory.join("merged.ign");
    for (route, example) in [("scriptless", "flatcar"), ("scripted", "flatcar")] {
        let arguments = ["--example", example, "--os", "flatcar", "--route", route];
        let text = STANDARD.decode(generated(&arguments, Some(&mine.to_string()))).expect("base64");
        let merged: Value = serde_json::from_slice(&text).expect("JSON");
        let own = STANDARD.decode(generated(&arguments, None)).expect("base64");
        let mut own: Value = serde_json::from_slice(&own).expect("JSON");
        own["ignition"]["config"] = merged["ignition"]["config"].clone();
        assert_eq!(own, merged, "{route}");
        // Debian's Ignition is older than 3.4.0.
        let lowered = merged.to_string().replace("\"3.4.0\"", "\"3.3.0\"");
        fs::write(&file, &lowered).expect("scratch is writable");
        let ended = run("ignition-validate", &[file.to_str().expect("text")], b"");
        assert!(ended.status.success(), "{route}: {}", output(&ended));
        let merge = &merged["ignition"]["config"]["merge"][0];
        let source = merge["source"].as_str().expect("a data URL").strip_prefix("data:;base64,").expect("base64");
        let plain = run("gzip", &["-dc"], &STANDARD.decode(source).expect("base64"));
        assert_eq!(plain.stdout, mine.to_string().into_bytes(), "{route}");
        fs::write(&file, &plain.stdout).expect("scratch is writable");
        assert!(run("ignition-validate", &[file.to_str().expect("text")], b"").status.success());
    }
}

/// The types of the parts that `inspect` finds, in their order.
fn types_of(found: &Inspection) -> Vec<&'static str> {
    let mut types = Vec::new();
    // Nothing inside a part is one.
    let mut inside = usize::MAX;
    for layer in found.layers.iter().skip(1) {
        if layer.depth > inside {
            continue;
        }
        let kind = match layer.kind {
            // Its own parts follow.
            Kind::CloudConfigArchive | Kind::Mime => {
                inside = usize::MAX;
                continue;
            }
            Kind::CloudConfig => "text/cloud-config",
            Kind::Boothook => "text/cloud-boothook",
            Kind::Script => "text/x-shellscript",
            Kind::Template => "text/jinja2",
            other => other.title(),
        };
        inside = layer.depth;
        types.push(kind);
    }
    types
}

#[test]
fn inspect_finds_the_parts_that_cloud_init_finds() {
    if !has_module("cloudinit.user_data", "cloud-init") {
        return;
    }
    let directory = Path::new(ROOT).join("testdata/user_data");
    let mut files: Vec<_> =
        fs::read_dir(directory).expect("it is there").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(files.len() >= 4, "{files:?}");
    let documents: Vec<_> = files.iter().map(|file| fs::read(file).expect("readable")).collect();
    let judged = cloud_init(&documents.iter().map(|document| STANDARD.encode(document)).collect::<Vec<_>>());
    for ((file, document), parts) in files.iter().zip(&documents).zip(judged) {
        let expected: Vec<_> = parts.iter().map(|(kind, _)| kind.as_str()).collect();
        let found = inspect(document, &ImageContents::default());
        assert_eq!(types_of(&found), expected, "{}", file.display());
    }
}
