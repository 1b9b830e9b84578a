//! Findings with the lines that they are about, and secrets on these lines.

use std::fs;

use aks_node_controller::configuration::{Configuration, Descriptor, Kind, Message};
use serde_json::{Value, json};

use super::{SMALL, run, run_with};
use crate::support::Scratch;

const CANARY: &str = "canary";

/// The paths of all secret fields of the contract.
fn secrets(descriptor: &'static Descriptor, path: &[&'static str], found: &mut Vec<Vec<&'static str>>) {
    for field in descriptor.fields {
        let path: Vec<_> = path.iter().copied().chain([field.name]).collect();
        match field.kind {
            Kind::Message(inner) => secrets(inner, &path, found),
            _ if field.secret => found.push(path),
            _ => {}
        }
    }
}

/// Returns a document in which a field has a value, and the fields around it have wrong ones.
fn document(path: &[&str], value: &Value) -> Value {
    let (name, outer) = path.split_last().expect("a name");
    let inner = json!({"unknown_before": CANARY, *name: value, "unknown_after": [CANARY]});
    let mut document: Value = serde_json::from_str(SMALL).expect("JSON");
    match outer {
        [] => document[name] = value.clone(),
        outer => document[outer[0]] = outer[1..].iter().rev().fold(inner, |inner, name| json!({*name: inner})),
    }
    document
}

/// Returns the texts of a document in which a secret is on a line that a finding is about.
fn texts(path: &[&str]) -> Vec<String> {
    let (name, outer) = path.split_last().expect("a name");
    let misspelled = format!("{name}x");
    let misspelled = [outer, &[&*misspelled]].concat();
    let mut texts = Vec::new();
    for value in
        [json!([CANARY]), json!({CANARY: CANARY}), json!([{CANARY: [CANARY, 1]}]), json!(format!("{CANARY}\0 \""))]
    {
        texts.extend([document(path, &value).to_string(), format!("{:#}", document(path, &value))]);
        texts.push(format!("{:#}", document(path, &value)).replace('\n', "\r\n"));
    }
    let wrong_name = document(&misspelled, &json!(CANARY));
    texts.extend([wrong_name.to_string(), format!("{wrong_name:#}")]);
    let text = document(path, &json!(CANARY)).to_string();
    let line = format!("\"{name}\":\"{CANARY}\"");
    assert!(text.contains(&line), "{text}");
    // Broken syntax on the line of the secret, on both sides of it.
    for broken in [
        format!("\"{name}\":\"{CANARY}"),
        format!("\"{name}\":\"{CANARY}\" \"{CANARY}\""),
        format!("\"{name}\":{CANARY}"),
        format!("{CANARY},{line}"),
        format!("{line},{line}"),
        format!("{line}]"),
        format!("{line},\"version\":\"v\u{1}{CANARY}\""),
        format!("\"{name}\":\"\\u00zz{CANARY}\""),
    ] {
        texts.push(text.replace(&line, &broken));
    }
    let indents: Vec<_> =
        outer.iter().enumerate().map(|(depth, name)| format!("{}{name}:\n", "  ".repeat(depth))).collect();
    let (start, indent) = (format!("version: v1\n{}", indents.concat()), "  ".repeat(outer.len()));
    for broken in [
        format!("{name}: [{CANARY}, {CANARY}] # {CANARY}"),
        format!("{name}: {{{CANARY}: {CANARY}}}"),
        format!("{name}: {CANARY}: {CANARY}"),
        format!("{name}: \"{CANARY}"),
        format!("{name}: *{CANARY}"),
        format!("{name}: &{CANARY} {CANARY}"),
        format!("{name}: !{CANARY} {CANARY}"),
        format!("{name}: @{CANARY}"),
        format!("{name}x: {CANARY} # {CANARY}"),
        format!("{name} {CANARY}"),
        format!("{name}: {CANARY}\n{indent}{name}: '{CANARY}'"),
        format!("{name}: |\n{indent}    {CANARY}\n{indent}   {CANARY}\n{indent}  {CANARY}: [{CANARY}"),
        format!("{name}: {CANARY}\n\t{CANARY}: {CANARY}"),
        format!("{name}: \"\\{CANARY}\""),
        format!("? [{CANARY}]\n{indent}: {CANARY}"),
        format!("<<: {{{CANARY}: {CANARY}}}"),
        format!("- {name}: [{CANARY}]"),
    ] {
        texts
            .extend([format!("{start}{indent}{broken}\n"), format!("{start}{indent}{broken}\n").replace('\n', "\r\n")]);
    }
    texts
}

#[test]
fn no_line_of_a_finding_shows_a_secret() {
    let mut paths = Vec::new();
    secrets(Configuration::default().descriptor(), &[], &mut paths);
    assert_eq!(paths.len(), 6, "the contract has six secrets");
    let directory = Scratch::new("findings");
    let mut files = Vec::new();
    for path in paths {
        for text in texts(&path) {
            let file = directory.join(format!("{}.txt", files.len()));
            fs::write(&file, text).expect("scratch is writable");
            files.push(file.to_str().expect("text").to_owned());
        }
    }
    for command in ["validate", "generate", "env", "convert"] {
        let all: Vec<_> = files.iter().map(String::as_str).collect();
        // `validate` accepts many files at once.
        let groups: Vec<_> = if command == "validate" { vec![&all[..]] } else { all.chunks(1).step_by(7).collect() };
        let mut lines = 0;
        for group in groups {
            let arguments: Vec<_> = [command].iter().chain(group).copied().collect();
            let ended = run(&arguments);
            let printed = ended.stdout + &ended.stderr;
            // `convert` and a valid document: its result has what the document has.
            if ended.code == Some(0) {
                continue;
            }
            for (number, line) in printed.lines().enumerate() {
                assert!(
                    !line.contains(CANARY),
                    "{command}: {}: {line}",
                    printed.lines().nth(number.saturating_sub(1)).unwrap_or_default()
                );
            }
            lines += printed.lines().filter(|line| line.trim_start().starts_with("| ")).count();
        }
        assert!(lines > 10, "{command} shows {lines} lines");
    }
}

#[test]
fn no_line_of_a_finding_shows_a_secret_of_another_input() {
    let request = include_str!("../../testdata/nbc/ubuntu.json");
    let settings = include_str!("../../testdata/karpenter/settings.yaml");
    let wrong = [json!([CANARY]), json!({CANARY: CANARY})];
    let mut texts = Vec::new();
    for value in &wrong {
        for pointer in [
            &["ContainerService", "properties", "servicePrincipalProfile", "secret"][..],
            &["ContainerService", "properties", "certificateProfile", "clientPrivateKey"],
            &["ContainerService", "properties", "linuxProfile", "customSearchDomain", "realmPassword"],
            &["HTTPProxyConfig", "httpProxy"],
            &["HTTPProxyConfig", "httpsProxy"],
            &["KubeletClientTLSBootstrapToken"],
        ] {
            let mut document: Value = serde_json::from_str(request).expect("JSON");
            let mut place = &mut document;
            for name in pointer {
                if !place.is_object() {
                    *place = json!({});
                }
                place = &mut place[name];
            }
            *place = value.clone();
            texts.extend([("convert", document.to_string()), ("convert", format!("{document:#}"))]);
        }
        let inputs = json!({"arch": "amd64", "ca_bundle": "", "kubelet_client_tls_bootstrap_token": value});
        texts.extend([("generate", inputs.to_string()), ("generate", format!("{inputs:#}"))]);
    }
    for (command, text) in &texts {
        let ended = run_with(&[command, "-"], text.as_bytes());
        assert_eq!(ended.code, Some(1), "{text}");
        assert!(ended.stderr.contains(" | ") && !ended.stderr.contains(CANARY), "{}", ended.stderr);
    }
    for line in ["[canary]", "{canary: canary}", "canary: canary", "\"canary"] {
        let text = settings.replace("KUBELET_BOOTSTRAP_TOKEN: ", &format!("KUBELET_BOOTSTRAP_TOKEN: {line} # "));
        let directory = Scratch::new("settings");
        let file = directory.join("settings.yaml");
        fs::write(&file, text).expect("scratch is writable");
        let objects = ["karpenter/node_claim.yaml", "karpenter/node_class.yaml"]
            .map(|name| format!("{}/testdata/{name}", env!("CARGO_MANIFEST_DIR")));
        let file = file.to_str().expect("text");
        let ended = run(&["generate", "--node-claim", &objects[0], "--node-class", &objects[1], "--settings", file]);
        assert_eq!(ended.code, Some(1), "{line}");
        assert!(ended.stderr.contains(" | ") && !ended.stderr.contains(CANARY), "{}", ended.stderr);
    }
}

#[test]
fn a_long_list_of_findings_does_not_repeat_the_document() {
    let unknown: Vec<_> = (0..80).map(|number| format!("unknown_{number}: 1\n")).collect();
    let unknown = unknown.concat();
    let ended = run_with(&["validate", "-"], format!("version: v1\n{unknown}").as_bytes());
    let lines: Vec<_> = ended.stdout.lines().collect();
    assert!(lines.iter().filter(|line| line.contains("[unknown-field]")).count() == 80, "{}", ended.stdout);
    assert_eq!(lines.iter().filter(|line| line.contains(" | unknown_")).count(), 10, "{}", ended.stdout);
    // One place is shown once.
    let ended = run_with(&["validate", "-"], b"version: v1\nnetwork_config: {unknown: 1, unknown: 1, unknown: 1}\n");
    assert!(ended.stdout.matches("^^^^^^^").count() <= 3, "{}", ended.stdout);
}

#[test]
fn the_first_line_of_a_finding_keeps_its_form() {
    for text in ["vm_sise: a\n", "{\"vm_sise\":\r\n \"a\"}", "version: v1\r\ncse_timeout: soon\r\n"] {
        let ended = run_with(&["validate", "-"], text.as_bytes());
        let mut places = ended.stdout.lines().filter(|line| line.starts_with("<stdin>:") && line.ends_with(']'));
        let form = |line: &str| {
            let mut parts = line.splitn(4, ':');
            let (_, line, column, rest) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
            Some(
                line.parse::<u32>().is_ok()
                    && column.parse::<u32>().is_ok()
                    && [" error: ", " warning: "].iter().any(|word| rest.starts_with(word)),
            )
        };
        assert!(places.all(|line| form(line) == Some(true)), "{}", ended.stdout);
    }
}

#[test]
fn an_upgrade_is_judged_before_the_document_asks_for_it() {
    const NEW: [&str; 4] = ["kubelet-flag-version", "control-groups", "containerd-support", "streaming-timeout"];
    let scratch = Scratch::new("upgrade");
    let mut document: Value = serde_json::from_str(SMALL).expect("JSON");
    document["kubelet_config"]["kubelet_flags"]["--pod-infra-container-image"] = "mirror.example.com/pause:3.6".into();
    document["needs_cgroupv2"] = false.into();
    document["containerd_config"] = json!({"containerd_version": "1.7.28-ubuntu24.04u1"});
    document["kube_binary_config"] = json!({"kube_binary_url": "https://packages.aks.azure.com/kubernetes/v1.33.2/binaries/kubernetes-node-linux-amd64.tar.gz"});
    fs::write(scratch.join("node.json"), document.to_string()).expect("writable");
    let nbc = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/nbc/ubuntu.json");
    let rules = |file: &str, version: &[&str]| -> Vec<String> {
        let arguments = [&["validate", file, "--format", "json"], version].concat();
        let record: Value = serde_json::from_str(&run(&arguments).stdout).expect("JSON");
        let findings = record["findings"].as_array().expect("a list").iter();
        findings.map(|finding| finding["rule"].as_str().expect("an id").to_owned()).collect()
    };
    let file = scratch.join("node.json");
    let file = file.to_str().expect("text");
    let is_new = |rule: &String| NEW.contains(&&**rule);
    let found =
        |file: &str, version: &[&str]| -> Vec<String> { rules(file, version).into_iter().filter(is_new).collect() };
    assert!(found(file, &[]).is_empty());
    assert_eq!(found(file, &["--kubernetes-version", "1.35"]), ["kubelet-flag-version", "control-groups"]);
    assert_eq!(
        found(file, &["--kubernetes-version", "v1.36.4"]),
        ["containerd-support", "kubelet-flag-version", "control-groups"]
    );
    // The download is that of the version that the document asks for today.
    assert!(!rules(file, &["--kubernetes-version", "1.36"]).contains(&"version-in-url".to_owned()));
    assert_eq!(found(nbc, &["--kubernetes-version", "1.36"]), ["streaming-timeout"]);
    assert!(found(nbc, &[]).is_empty());
    for wrong in ["1", "latest", "2.0", "1.x"] {
        let run = run(&["validate", file, "--kubernetes-version", wrong]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{wrong}");
        assert!(run.stderr.contains("such as `1.37`"), "{}", run.stderr);
    }
}
