//! The vectors that were made by running the Go reference. Without the directory the tests are skipped; with
//! `REQUIRE_CONFORMANCE=1` that is a failure.

mod boothook;
mod launch_template;
mod node_bootstrap_variables;
mod scripted;
mod scriptless;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::needs;

/// All vectors of a directory, by name.
#[track_caller]
fn vectors(directory: &str) -> Vec<(String, Value)> {
    let Some(directory) = needs::vectors(directory) else { return Vec::new() };
    let entries = directory.read_dir().expect("a directory is readable");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry is readable").path()).collect();
    files.sort();
    let vectors = files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    let vectors: Vec<_> = vectors
        .map(|file| {
            let text = std::fs::read_to_string(&file).expect("a vector is readable");
            let name = file.file_stem().expect("a file has a name").to_string_lossy().into_owned();
            (name, serde_json::from_str(&text).expect("a vector is JSON"))
        })
        .collect();
    assert!(!vectors.is_empty());
    vectors
}

/// The component list that every vector was made with.
fn components() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance/gpu-components.json");
    std::fs::read_to_string(file).expect("the component list is beside the vectors")
}
