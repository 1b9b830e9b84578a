//! The commands on what machines keep, with every kind of secret in it.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::thread;

use aks_node_controller::Secret;
use aks_node_controller::diagnosis::{Evidence, Item, Source, bundle, diagnose};
use aks_node_controller::explain::explain;
use aks_node_controller::redaction::Redactor;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::kinds::Kind;
use super::search::Search;
use super::{Cells, encodings, kinds};
use crate::support::{Scratch, finish};

const PROGRAM: &str = env!("CARGO_BIN_EXE_aks-node-controller");

/// The texts of all kinds in the encodings of logs and templates, each with a mark that names it.
fn texts() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (number, kind) in kinds::all().iter().enumerate() {
        let encodings = encodings::LAYERS.iter().chain(&encodings::OTHERS);
        for (at, encoding) in encodings.enumerate() {
            // Quotes in quotes of a quoted text: with those of the script, these are four layers.
            if kind.name == "quoted secret" && encoding.name == "quotes in quotes of the shell" {
                continue;
            }
            all.push((format!("<{number}.{at}>"), (encoding.encode)(&kind.text)));
        }
    }
    all
}

fn search() -> Search {
    let kinds = kinds::all();
    Search::new(kinds.iter().map(|kind| &*kind.value))
}

/// What a machine is created with that has a text.
fn artifacts(texts: &[(String, String)]) -> Vec<(&'static str, String)> {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let commands: Vec<_> = texts.iter().map(|(mark, text)| json!(format!("echo {mark}; run {text}"))).collect();
    let files: Vec<_> = texts
        .iter()
        .enumerate()
        .map(
            |(at, (mark, text))| json!({"path": format!("/etc/a/file{at}.conf"), "content": format!("# {mark}\n{text}\n")}),
        )
        .collect();
    let script = texts.iter().fold("#!/bin/bash\n".to_owned(), |mut script, (mark, text)| {
        let _ = writeln!(script, "echo {} {}", quoted(mark), quoted(text));
        script
    });
    let variables = texts.iter().enumerate().fold("#!/bin/bash\n".to_owned(), |mut script, (at, (mark, text))| {
        let _ = writeln!(script, "CUSTOM_VALUE_{at}={}", quoted(&format!("{mark} {text}")));
        script
    });
    let cloud_config = |config: serde_json::Value| format!("#cloud-config\n{config}");
    vec![
        ("runcmd", cloud_config(json!({"runcmd": commands}))),
        ("write_files", cloud_config(json!({"write_files": files}))),
        ("boothook", script.replacen("#!", "#cloud-boothook\n#!", 1)),
        ("variables", variables),
    ]
}

/// Checks what a command prints. Where a part of a secret is shown, the marks before it say of which cells.
fn check_page(cells: &mut Cells, search: &Search, place: &str, command: &str, count: usize, page: &str) {
    cells.count += count;
    for piece in page.split('<').filter(|piece| !piece.is_empty()) {
        if search.finds(piece.as_bytes()) {
            cells.leak([piece.split('>').next().unwrap_or_default(), "any", place, command], "", piece);
        }
    }
}

#[test]
fn inspect_and_diff_show_no_secret() {
    let scratch = Scratch::new("canaries-commands");
    let search = search();
    let texts: Vec<_> = texts().into_iter().step_by(3).collect();
    let mut cells = Cells::default();
    for (place, artifact) in artifacts(&texts) {
        let (file, other) = (scratch.join("a"), scratch.join("b"));
        fs::write(&file, STANDARD.encode(&artifact)).expect("writable");
        fs::write(&other, artifact.lines().next().unwrap_or_default().to_owned() + "\nruncmd: [other]\nA=1\n")
            .expect("writable");
        for arguments in [&["inspect"][..], &["inspect", "--format", "json"], &["diff"], &["diff", "--format", "json"]]
        {
            let mut command = Command::new(PROGRAM);
            command.args(arguments).arg(&file);
            if arguments[0] == "diff" {
                command.arg(&other);
            }
            let ended = finish(&mut command);
            assert!(!ended.stdout.is_empty(), "{place}: {}", String::from_utf8_lossy(&ended.stderr));
            let page = String::from_utf8_lossy(&ended.stdout).into_owned() + &String::from_utf8_lossy(&ended.stderr);
            check_page(&mut cells, &search, place, &arguments.join(" "), texts.len(), &page);
        }
    }
    cells.assert_none(4000);
}

#[test]
fn explain_shows_no_secret() {
    let mut cells = Cells::default();
    for kind in kinds::all() {
        let search = Search::new([&*kind.value]);
        for (name, text) in encodings::all(&kind.text).into_iter().step_by(5) {
            // JSON is one more layer.
            let places = if name.contains(" in ") { 1 } else { 2 };
            for (place, text) in [
                ("log", format!("2026-11-22 05:54:15 error: {text}\nAKS.CSE ended: Enable failed: exit status=50\n")),
                ("status", json!({"ExitCode": "50", "Output": text, "Error": text}).to_string()),
            ]
            .into_iter()
            .take(places)
            {
                let Ok(explanation) = explain(&text) else { continue };
                let redactor = Redactor::default();
                let shown = redactor.redact_json(&explanation.to_json());
                cells.check(&search, [kind.name, &name, place, "explain"], &text, &shown.as_value().to_string());
            }
        }
    }
    cells.assert_none(4000);
}

/// Of a long log, only what is around the evidence is redacted.
#[test]
fn explain_of_a_long_log_shows_no_secret() {
    let before = "I1122 05:54:15.000000 812 kubelet.go:2406] \"SyncLoop UPDATE\" source=\"api\"\n".repeat(3600);
    let failure = "E1122 05:54:16.000000 812 kubelet_node_status.go:92] Unable to register node with API server";
    let mut cells = Cells::default();
    for kind in kinds::all() {
        let search = Search::new([&*kind.value]);
        for (name, text) in encodings::all(&kind.text).into_iter().step_by(331) {
            for (place, text) in [
                ("line", format!("{before}{failure} {text} Unauthorized\n")),
                ("line before", format!("{before}{text}\n{failure} Unauthorized\n")),
            ] {
                let explanation = explain(&text).expect("it shows a failure");
                cells.check(&search, [kind.name, &name, place, "explain"], &text, &explanation.to_json().to_string());
            }
        }
    }
    cells.assert_none(20);
}

/// The longest test: its kinds are shared among threads.
#[test]
fn no_secret_is_in_a_bundle_or_a_diagnosis() {
    let kinds = kinds::all();
    let mut cells = Cells::default();
    thread::scope(|scope| {
        let parts = kinds.chunks(kinds.len().div_ceil(4)).map(|kinds| scope.spawn(|| bundles(kinds)));
        for part in parts.collect::<Vec<_>>() {
            cells.add(part.join().expect("no panic"));
        }
    });
    cells.assert_none(4000);
}

fn bundles(kinds: &[Kind]) -> Cells {
    let mut cells = Cells::default();
    for kind in kinds {
        let search = Search::new([&*kind.value]);
        for is_known in [false, true] {
            let secrets = is_known.then(|| Secret::from(kind.value.clone()));
            let redactor = Redactor::new(&secrets);
            let mut items = Vec::new();
            let mut count = 0;
            for (path, source) in [
                ("/var/log/azure/cluster-provision.log", Source::ProvisionLog),
                ("collect/journalctl.txt", Source::Journal),
                ("/var/log/azure/aks/provision.json", Source::Result),
            ] {
                let encodings = encodings::LAYERS.iter().chain(&encodings::OTHERS);
                let mut text = String::new();
                for encoding in encodings {
                    let encoded = (encoding.encode)(if is_known { &kind.value } else { &kind.text });
                    let _ = writeln!(text, "2026-11-22 05:54:15 <{}>\n{encoded}\n", encoding.name);
                    count += 1;
                }
                if source == Source::Result {
                    text = json!({"ExitCode": "50", "Output": text, "Error": text}).to_string();
                }
                items.push(Item { path: path.to_owned(), source, text, left_out: 0, modified: None });
            }
            let mut evidence = Evidence { items, ..Evidence::default() };
            evidence.redact(&redactor);
            let diagnosis = diagnose(&evidence);
            assert!(bundle(&evidence, &diagnosis).is_ok());
            let command = if is_known { "bundle known" } else { "bundle unknown" };
            for item in &evidence.items {
                check_page(&mut cells, &search, &item.path, command, count / 3, &item.text);
            }
            let json = redactor.redact_json(&diagnosis.to_json());
            check_page(&mut cells, &search, kind.name, "diagnose json", count, &json.as_value().to_string());
            let text = redactor.redact(&diagnosis.to_text(&|_, text| text.to_owned()));
            check_page(&mut cells, &search, kind.name, "diagnose", count, &text);
        }
    }
    cells
}
