//! Answers of the program, passed on and explained again: by a ticket, a chat, a condition on an object.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use aks_node_controller::explain;
use serde_json::{Value, json};

use super::texts;

/// The parts of an answer that stay. What is quoted in the evidence may be cut.
fn told(explanation: &Value) -> (Value, Value, Value, Value) {
    let member = |name: &str| explanation[name].clone();
    (member("layer"), member("code"), explanation["causes"][0]["cause"].clone(), member("rulesOut"))
}

fn again(text: &str) -> (Value, Value, Value, Value) {
    match explain::explain(text) {
        Ok(explanation) => told(&explanation.to_json()),
        Err(reason) => told(&reason.to_json()),
    }
}

/// What the program prints for a text.
fn printed(arguments: &[&str], text: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"));
    let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("text")
}

/// A NodeClaim with a condition, as a controller sets it.
fn object(condition: &explain::Condition) -> Value {
    let mut condition = condition.to_json();
    condition["lastTransitionTime"] = "2026-11-01T00:00:00Z".into();
    let launched = json!({"type": "Launched", "status": "True", "reason": "Launched", "message": ""});
    json!({
        "apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "metadata": {"name": "nodes-4c7e1"},
        "status": {"conditions": [launched, condition]},
    })
}

/// A text as a scalar of YAML in single quotes, with lines of some length, as `kubectl get -o yaml` has it.
fn folded(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.replace('\'', "''").split(' ') {
        let last = lines.last_mut().expect("it has one");
        if last.len() + word.len() > 70 && !last.is_empty() {
            lines.push(word.to_owned());
        } else {
            last.push_str(if last.is_empty() { "" } else { " " });
            last.push_str(word);
        }
    }
    format!("'{}'", lines.join("\n      "))
}

#[test]
fn the_objects_of_explanations_are_explained_in_the_same_way() {
    let mut compared = 0;
    for (row, text) in texts() {
        let Ok(explanation) = explain::explain(&text) else { continue };
        let value = explanation.to_json();
        let expected = told(&value);
        let condition = explanation.condition();
        let (reason, message) = (&condition.reason, &condition.message);
        let described = format!(
            "Name:  nodes-4c7e1\nStatus:\n  Conditions:\n    Message:  {message}\n    Reason:  {reason}\n    Status:  False\n    \
             Type:  NodeProvisioned\nEvents:  <none>\n"
        );
        let yaml = format!(
            "kind: NodeClaim\nstatus:\n  conditions:\n  - type: NodeProvisioned\n    reason: {reason}\n    message: {}\n",
            folded(message)
        );
        assert_eq!(again(&value.to_string()), expected, "{}: {value}", row.file);
        // A condition names no layers that are fine.
        let expected = (expected.0, expected.1, expected.2);
        for (form, passed_on) in [
            ("condition", condition.to_json().to_string()),
            ("object", object(&condition).to_string()),
            ("YAML", yaml),
            ("description", described),
        ] {
            let (layer, code, cause, _) = again(&passed_on);
            assert_eq!((layer, code, cause), expected, "{} as {form}: {passed_on}", row.file);
        }
        compared += 1;
    }
    assert!(compared > 1500, "{compared}");
}

#[test]
fn explanations_for_people_are_explained_in_the_same_way() {
    /// Each of so many texts.
    const STEP: usize = 25;
    let mut compared = 0;
    for (row, text) in texts().into_iter().step_by(STEP) {
        let Ok(explanation) = explain::explain(&text) else { continue };
        let expected = told(&explanation.to_json());
        let shown = printed(&["explain", "-"], &text);
        let quoted = |prefix: &str| {
            let lines: Vec<_> = shown.lines().map(|line| prefix.to_owned() + line + "\n").collect();
            lines.concat()
        };
        for passed_on in [
            shown.clone(),
            shown.replace('\n', "\r\n"),
            quoted("> "),
            quoted("    "),
            format!("The node does not join:\n```\n{shown}```\nWhat now?\n"),
        ] {
            assert_eq!(again(&passed_on), expected, "{}: {passed_on}", row.file);
        }
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
}

/// The timeline has rows of programs that failed and were started again.
#[test]
fn reports_of_machines_are_explained_in_the_same_way() {
    /// Each of so many archives.
    const STEP: usize = 4;
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/captures");
    let mut archives: Vec<_> =
        fs::read_dir(directory).expect("it is there").map(|entry| entry.expect("an entry").path()).collect();
    archives.retain(|path| path.extension().is_some_and(|extension| extension == "gz"));
    archives.sort();
    let mut compared = 0;
    for path in archives.iter().step_by(STEP) {
        let archive = path.to_str().expect("UTF-8");
        let report = printed(&["diagnose", "--bundle", archive, "--format", "json"], "");
        let value: Value = serde_json::from_str(&report).expect("JSON");
        for report in [report, printed(&["diagnose", "--bundle", archive], "")] {
            let found = explain::explain(&report);
            if value["explanation"].is_null() {
                let reason = found.expect_err(archive).to_string();
                assert_eq!(value["state"] == "succeeded", reason.contains("shows a success"), "{archive}: {reason}");
            } else {
                assert_eq!(told(&found.expect(archive).to_json()), told(&value["explanation"]), "{archive}");
            }
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn a_text_that_only_begins_like_an_answer_is_read_as_any_other() {
    for text in [
        "Likely causes\n1. The team did not sleep\n",
        "{\"rulesOut\": [], \"causes\": []}",
        "registration: it failed. Likely cause: the weather. Evidence: rain.",
    ] {
        assert!(explain::explain(text).is_err(), "{text}");
    }
    let report =
        |summary: &str| format!("{summary}\n\nTimeline, UTC, from 2026-11-28\n21:44:18.000  +0 ms  kernel starts\n");
    let reason = |summary: &str| explain::explain(&report(summary)).expect_err("no failure is known").to_string();
    assert!(reason("Provisioned, 2 min after boot; the node is Ready").contains("shows a success"));
    assert!(reason("Provisioned, 2 min after boot, but the kubelet is inactive (dead)").contains("no known message"));
    let known = "Likely causes\n1. none known\n\n\"Unable to register node with API server\" err=\"Unauthorized\"";
    assert_eq!(explain::explain(known).expect("it has a failure").layer.name(), "registration");
}

/// It has the texts of all rules, some of which are messages of failures.
#[test]
fn findings_in_sarif_are_no_failure() {
    let inputs = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/validation/configuration/network.txt");
    let log = printed(&["validate", "--format", "sarif", inputs], "");
    assert!(log.contains("sarif") && log.contains("results"), "{log}");
    assert_eq!(again(&log).0, Value::Null, "{log}");
}
