//! What the page calls: each function takes what a person has pasted and returns JSON. Secrets are covered unless the page asks for
//! them in clear, and nothing here reads a clock, a file or the network.

use aks_node_controller::catalogue::operating_systems::operating_system;
use aks_node_controller::difference::Rules;
use aks_node_controller::environment::ImageContents;
use aks_node_controller::inputs::{Checks, Reading};
use aks_node_controller::inspection::Inspection;
use aks_node_controller::redaction::Redactor;
use aks_node_controller::{Input, Report, Request, Route};
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

fn covered(value: &Value, redactor: &Redactor) -> String {
    redactor.redact_json(value).as_value().to_string()
}

/// Says why a node failed.
#[wasm_bindgen]
#[must_use]
pub fn explain(text: &str) -> String {
    let answer = match aks_node_controller::explain(text) {
        Ok(explanation) => explanation.to_json(),
        Err(nothing) => nothing.to_json(),
    };
    covered(&answer, &Redactor::default())
}

fn inspected(bytes: &[u8]) -> Inspection {
    aks_node_controller::inspect(bytes, &ImageContents::default())
}

/// Takes `CustomData`, a command or a model of a machine apart.
#[wasm_bindgen]
#[must_use]
pub fn inspect(bytes: &[u8], clear: bool) -> String {
    let inspection = inspected(bytes);
    let value = inspection.to_json(clear);
    if clear { value.to_string() } else { covered(&value, &inspection.redactor()) }
}

/// Returns the content of a file of [`inspect`], in clear.
#[wasm_bindgen]
#[must_use]
pub fn file(bytes: &[u8], index: usize) -> Option<Vec<u8>> {
    inspected(bytes).files.get(index).map(|file| file.content.to_vec())
}

/// Compares two artefacts.
#[wasm_bindgen]
#[must_use]
pub fn diff(before: &[u8], after: &[u8]) -> String {
    let (before, after) = (inspected(before), inspected(after));
    let differences = aks_node_controller::diff(&before, &after, Rules::Meaning).to_json(false);
    covered(before.redactor().redact_json(&differences).as_value(), &after.redactor())
}

fn findings(report: &Report) -> Value {
    let findings = report.findings.iter().map(|finding| {
        json!({
            "path": finding.path.to_string(),
            "line": finding.position.map(|position| position.line),
            "column": finding.position.map(|position| position.column),
            "severity": finding.severity.to_string(),
            "rule": finding.rule.id,
            "problem": finding.problem.to_string(),
            "hint": finding.hint,
        })
    });
    json!({"valid": report.is_valid(), "total": report.total(), "findings": findings.collect::<Vec<_>>()})
}

fn read(text: &str) -> Reading {
    Reading::new(None, text.as_bytes(), &Checks { values: true, misspelled_fields: true, ..Checks::default() })
}

/// Checks a document.
#[wasm_bindgen]
#[must_use]
pub fn validate(text: &str) -> String {
    covered(&findings(&read(text).report), &Redactor::default())
}

/// Renders a document. The result is for a node and has its secrets.
#[wasm_bindgen]
#[must_use]
pub fn generate(text: &str, route: &str, os: &str) -> String {
    let reading = read(text);
    let Some(input) = reading.input else { return covered(&findings(&reading.report), &Redactor::default()) };
    match rendered(&input, route, os) {
        Ok(delivery) => delivery.to_string(),
        Err(problem) => covered(&json!({"error": problem}), &Redactor::default()),
    }
}

fn rendered(input: &Input, route: &str, os: &str) -> Result<Value, String> {
    let route = Route::ALL.into_iter().find(|known| known.name() == route).ok_or("an unknown route")?;
    let os = operating_system(os).ok_or("an unknown operating system")?;
    let image = ImageContents { containerd_version: os.containerd_version.to_owned(), ..ImageContents::default() };
    let request = Request { route, os, image, ..Request::default() };
    request.render(input).map(|delivery| delivery.to_json()).map_err(|error| error.to_string())
}
