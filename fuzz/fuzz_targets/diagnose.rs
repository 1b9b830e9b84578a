//! Any bytes, as an archive of logs and as the text of each kind of log: a diagnosis comes out, and what is shown is plain text.

#![no_main]

use std::fs;

use aks_node_controller::diagnosis::{Evidence, Item, Source, diagnose, reading};
use aks_node_controller::redaction::Redactor;
use libfuzzer_sys::fuzz_target;

/// Names by which logs are recognized.
const PATHS: [&str; 8] = [
    "provision.json",
    "var/log/azure/cluster-provision.log",
    "var/log/azure/aks-node-controller.log",
    "var/log/cloud-init.log",
    "var/log/waagent.log",
    "kubelet.log",
    "systemctl_status.txt",
    "var/log/azure/Microsoft.Azure.Extensions.CustomScript/events/1.json",
];

fuzz_target!(|bytes: &[u8]| {
    let file = std::env::temp_dir().join(format!("fuzz-diagnose-{}", std::process::id()));
    fs::write(&file, bytes).expect("a directory for temporary files");
    let evidence = reading::archive(&file);
    fs::remove_file(&file).expect("it was written");
    if let Ok(evidence) = evidence {
        check(evidence);
    }
    let text = String::from_utf8_lossy(bytes);
    let item = |path: &str, source| Item {
        path: path.to_owned(),
        source,
        text: text.clone().into_owned(),
        left_out: 0,
        modified: None,
    };
    let items = PATHS.iter().filter_map(|path| Some(item(path, Source::of_path(path)?))).collect();
    check(Evidence { items, ..Evidence::default() });
});

fn check(mut evidence: Evidence) {
    evidence.redact(&Redactor::default());
    let diagnosis = diagnose(&evidence);
    let shown = diagnosis.to_text(&|_, text| text.to_owned());
    assert!(!shown.contains(|character: char| character.is_control() && character != '\n'), "{shown:?}");
    let _ = diagnosis.to_json().to_string();
}
