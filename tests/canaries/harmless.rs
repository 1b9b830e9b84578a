//! What is no secret is shown: every value, path and file of our own artifacts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use aks_node_controller::catalogue::variables;
use aks_node_controller::delivery::{Request, Route};
use aks_node_controller::environment::ImageContents;
use aks_node_controller::inputs::{Checks, NodeInput, Reading};
use aks_node_controller::inspection::inspect;
use aks_node_controller::redaction::Redactor;

use super::search::Search;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Every text of our own artifacts that has no secret: values of variables, paths, commands, lines of files.
fn texts() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let image = ImageContents::default();
    for entry in fs::read_dir(Path::new(ROOT).join("testdata/examples")).expect("a directory") {
        let document = fs::read(entry.expect("an entry").path()).expect("readable");
        let input = Reading::new(None, &document, &Checks::default()).input.expect("it is valid");
        let environment = input.assignments(&image).expect("it is valid");
        let secrets = environment.iter().filter(|assignment| {
            variables::variable(&assignment.name).is_some_and(|variable| variable.secret)
                && !assignment.value.is_empty()
        });
        let secrets: Vec<_> = secrets.map(|assignment| assignment.value.expose().to_owned()).collect();
        let secrets = Search::new(secrets.iter().map(String::as_str).chain(["Pr0xy-pass"]));
        let mut texts = BTreeSet::new();
        for route in Route::ALL {
            let Ok(delivery) = (Request { route, ..Request::default() }).render(&input) else { continue };
            let inspection = inspect(delivery.to_json().to_string().as_bytes(), &image);
            for (name, value) in &inspection.variables {
                if variables::variable(name).is_some_and(|variable| !variable.secret) {
                    texts.insert(format!("{name}={}", value.expose()));
                    texts.insert(value.expose().to_owned());
                }
            }
            for file in &inspection.files {
                texts.insert(file.path.clone());
                let content = String::from_utf8_lossy(&file.content);
                if !file.path.contains("aks-node-controller") {
                    texts.extend(content.lines().map(str::to_owned));
                }
            }
            texts.extend(inspection.runs.iter().flat_map(|run| run.text.expose().lines().map(str::to_owned)));
            texts.extend(inspection.warnings.iter().map(|warning| warning.problem.clone()));
        }
        all.extend(texts.into_iter().filter(|text| {
            // The word `msi` is a secret by its name, and too short to be found.
            !secrets.finds(text.as_bytes())
                && !text.contains("SERVICE_PRINCIPAL_FILE_CONTENT=")
                && !text.starts_with("ewogICJ2ZXJz")
        }));
    }
    all
}

#[test]
fn what_is_no_secret_is_shown() {
    let redactor = Redactor::default();
    let texts = texts();
    assert!(texts.len() > 3000, "{}", texts.len());
    let covered: Vec<_> = texts.iter().filter(|text| *redactor.redact(text) != ***text).collect();
    assert!(covered.is_empty(), "{} of {}: {:#?}", covered.len(), texts.len(), &covered[..covered.len().min(5)]);
}
