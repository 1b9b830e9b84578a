//! Every check of values: below `testdata/validation`, a valid document, and for each check changes that violate it and changes
//! that do not, each with the whole report beside it.

use std::fs;
use std::path::Path;

use aks_node_controller::configuration::Today;
use aks_node_controller::document::{Finding, Severity};
use aks_node_controller::inputs::{Checks, Reading};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::TESTDATA;
use super::snapshots::{Snapshots, stem};

/// A day of 2030, on which the certificates are valid.
const IN_2030: Today = Today(1_900_000_000);

/// Reads a file below `testdata/validation`, with the text or the base64 of a file of `testdata/certificates` where it is named.
fn read(path: &Path) -> String {
    let mut text = fs::read_to_string(path).expect("it is there");
    for entry in fs::read_dir(Path::new(TESTDATA).join("certificates")).expect("it is there") {
        let path = entry.expect("a readable entry").path();
        let (name, content) = (path.file_name().expect("a name").display(), fs::read(&path).expect("a file"));
        text = text.replace(&format!("<base64 of {name}>"), &STANDARD.encode(&content));
        let quoted = Value::from(String::from_utf8(content).expect("PEM")).to_string();
        text = text.replace(&format!("\"<text of {name}>\""), &quoted);
    }
    text
}

fn valid(directory: &Path) -> Value {
    serde_json::from_str(&read(&directory.join("valid.json"))).expect("JSON")
}

/// Replaces members; `null` leaves one unset.
fn change(document: &mut Value, changes: &Value) {
    let (Value::Object(members), Value::Object(changes)) = (&mut *document, changes) else {
        *document = changes.clone();
        return;
    };
    for (name, value) in changes {
        change(members.entry(name).or_insert_with(|| Value::Object(serde_json::Map::new())), value);
    }
}

fn findings(document: &Value, today: Option<Today>) -> Vec<Finding> {
    let checks = Checks { values: true, today, ..Checks::default() };
    Reading::new(None, document.to_string().as_bytes(), &checks).report.findings
}

fn line(finding: &Finding) -> String {
    let hint = finding.hint.as_deref().map(|hint| format!("\n    hint: {hint}")).unwrap_or_default();
    format!("{}: {finding} [{}]{hint}", finding.severity, finding.rule.id)
}

#[test]
fn a_change_of_a_valid_document_earns_the_report_that_is_kept() {
    let mut snapshots = Snapshots::below("validation");
    insta::glob!("../../testdata/validation", "*/*.txt", |path| {
        let directory = path.parent().expect("a directory");
        let mut report = Vec::new();
        let changes = read(path);
        for (shown, changes) in fs::read_to_string(path).expect("it is there").lines().zip(changes.lines()) {
            report.push(shown.to_owned());
            if shown.starts_with('#') {
                continue;
            }
            let mut document = valid(directory);
            change(&mut document, &serde_json::from_str(changes).unwrap_or_else(|error| panic!("{shown}: {error}")));
            let found = findings(&document, Some(IN_2030));
            report.extend(found.is_empty().then(|| "  valid".to_owned()));
            report.extend(found.iter().map(|finding| format!("  {}", line(finding))));
        }
        let report = report.join("\n");
        snapshots.text(&format!("{}/{}", stem(directory), stem(path)), &report);
    });
    snapshots.has_no_others();
}

#[test]
fn only_the_ca_of_the_cluster_is_an_error_among_dates() {
    for (kind, ca, count) in [("configuration", "kubernetes_ca_cert", 4), ("karpenter", "ca_bundle", 1)] {
        let document = valid(&Path::new(TESTDATA).join("validation").join(kind));
        assert!(findings(&document, None).is_empty(), "without a date, none is compared");
        for (today, expected) in [
            (Today(1_700_000_000), "is not valid before 2025-01-01T00:00:00Z"),
            (Today(5_000_000_000), "expired on 2125-01-01T00:00:00Z"),
        ] {
            let found = findings(&document, Some(today));
            assert_eq!(found.len(), count, "{found:#?}");
            for finding in found {
                assert!(finding.to_string().ends_with(expected), "{finding}");
                let is_error = finding.path.to_string() == ca;
                assert_eq!(finding.severity == Severity::Error, is_error, "{finding}");
            }
        }
    }
}
