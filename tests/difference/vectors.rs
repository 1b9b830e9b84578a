//! The vectors of the reference against what this program renders from the same documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use aks_node_controller::catalogue::operating_systems::operating_system;
use aks_node_controller::delivery::{Compression, Request, Route, bootstrap_command};
use aks_node_controller::difference::{Part, Rules, diff};
use aks_node_controller::environment::{Components, ImageContents};
use aks_node_controller::inputs::Input;
use aks_node_controller::inspection::inspect;
use serde_json::Value;

use super::needs;

/// The vectors of a directory, by name; none, and a record of it, if they are absent.
fn vectors(directory: &str) -> BTreeMap<String, Value> {
    let Some(directory) = needs::vectors(directory) else { return BTreeMap::new() };
    let files = fs::read_dir(directory).expect("the vectors can be read").map(|entry| entry.expect("an entry").path());
    let documents = files.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let read = documents.map(|path| {
        let vector = serde_json::from_slice(&fs::read(&path).expect("readable")).expect("JSON");
        (path.file_stem().expect("a name").to_string_lossy().into_owned(), vector)
    });
    read.collect()
}

fn components() -> Components {
    let file = needs::vectors("gpu-components.json").expect("the vectors are there");
    Components::parse(&fs::read_to_string(file).expect("readable")).expect("a component list")
}

fn read(document: &str) -> Option<Input> {
    use aks_node_controller::inputs::{Checks, Reading};
    Reading::new(None, document.as_bytes(), &Checks::default()).input
}

/// What differs, as JSON; `None` if nothing does. Every part must have been compared.
fn differing(reference: &str, ours: &str, image: &ImageContents) -> Option<Value> {
    let (reference, ours) = (inspect(reference.as_bytes(), image), inspect(ours.as_bytes(), image));
    assert!(!reference.is_empty() && !ours.is_empty());
    let found = diff(&reference, &ours, Rules::Meaning);
    assert_eq!(found.skipped, []);
    (!found.is_empty()).then(|| found.to_json(true))
}

#[test]
fn custom_data_and_command_of_the_scriptless_vectors_equal_ours() {
    let mut compared = 0;
    for (name, vector) in vectors("scriptless") {
        let document = vector["config_text"].as_str().map_or_else(|| vector["config"].to_string(), str::to_owned);
        let image = ImageContents {
            containerd_version: vector["containerd_version"].as_str().expect("text").to_owned(),
            components: components(),
            ..ImageContents::default()
        };
        let command = vector["expect"]["command"].as_str().expect("text");
        assert_eq!(differing(command, bootstrap_command(), &image), None, "{name}");
        let Some(input) = read(&document) else { continue };
        for (os, member) in [("ubuntu", "custom_data_decoded"), ("flatcar", "custom_data_flatcar_decoded")] {
            let os = operating_system(os).expect("a known system");
            let request =
                Request { route: Route::Scriptless, os, compression: Compression::Never, ..Request::default() };
            let Ok(ours) = request.render(&input) else { continue };
            let text = vector["expect"][member].as_str().expect("text");
            assert_eq!(differing(text, ours.custom_data.encoded.expose(), &image), None, "{name} {}", os.name);
            compared += 1;
        }
    }
    assert!(compared == 0 || compared > 200, "{compared}");
    eprintln!("{compared} compared");
}

#[test]
fn commands_of_the_scripted_vectors_equal_ours() {
    let mut compared = 0;
    for (name, vector) in vectors("scripted") {
        if vector["expect"]["custom_data"]["format"] == "boothook" {
            // The line travels as a file there.
            continue;
        }
        let image = ImageContents { components: components(), ..ImageContents::default() };
        let input = read(&vector["nbc"].to_string()).unwrap_or_else(|| panic!("{name} is a request"));
        let request = Request { route: Route::Scripted, image: image.clone(), ..Request::default() };
        let ours = request.render(&input).unwrap_or_else(|error| panic!("{name}: {error}"));
        let ours = ours.cse.expect("the route has a command");
        let reference = vector["expect"]["command"].as_str().expect("text");
        assert_eq!(differing(reference, ours.expose(), &image), None, "{name}");
        compared += 1;
    }
    assert!(compared == 0 || compared > 40, "{compared}");
    eprintln!("{compared} compared");
}

#[test]
fn scripts_of_karpenters_vectors_equal_ours() {
    let mut compared = 0;
    for (name, vector) in vectors("node-bootstrap-variables") {
        let Some(reference) = vector["expect"]["script"].as_str() else { continue };
        let input = read(&vector["input"].to_string()).unwrap_or_else(|| panic!("{name} is an input"));
        let ours = Request::default().render(&input).unwrap_or_else(|error| panic!("{name}: {error}"));
        let image = ImageContents::default();
        let found = differing(reference, ours.custom_data.encoded.expose(), &image);
        assert_eq!(found, None, "{name}");
        compared += 1;
    }
    assert!(compared == 0 || compared > 50, "{compared}");
    eprintln!("{compared} compared");
}

#[test]
fn like_the_reference_reports_what_the_vectors_report() {
    let mut compared = 0;
    for (name, vector) in vectors("scripted") {
        let major = vector["expect"]["scriptless_containerd_major"].as_i64().expect("a number");
        let image = ImageContents {
            containerd_version: format!("{major}.0.0"),
            components: components(),
            ..ImageContents::default()
        };
        let mut configuration = vector["config"].clone();
        configuration["version"] = "v1".into();
        let line = vector["expect"]["nbc_command"].as_str().or(vector["expect"]["command"].as_str()).expect("text");
        let computed = inspect(configuration.to_string().as_bytes(), &image);
        let command = inspect(line.as_bytes(), &image);
        let found = diff(&computed, &command, Rules::Reference);
        assert_eq!(found.skipped, Part::ALL[1..]);
        let found: BTreeSet<_> = found.variables.iter().map(|change| change.name.as_str()).collect();
        let listed = vector["expect"]["env_differences_from_scriptless"].as_array().expect("a list");
        let reported = listed.iter().filter(|row| row["verdict"].as_str().expect("text").starts_with("reported"));
        let reported: BTreeSet<_> = reported.map(|row| row["name"].as_str().expect("text")).collect();
        // The reference takes the padding of base64 without quotes for another variable, which this program does not.
        let rows = vector["expect"]["env_parsed_vs_executed"].as_array().expect("a list").iter();
        let misread = rows.filter(|row| match (row["parsed"].as_str(), row["executed"].as_str()) {
            (Some(parsed), Some(executed)) => executed.starts_with(parsed) && executed.ends_with('='),
            (Some(parsed), None) => parsed == "=",
            _ => false,
        });
        let misread: BTreeSet<_> = misread.map(|row| row["name"].as_str().expect("text")).collect();
        assert_eq!(found, &reported - &misread, "{name}");
        compared += 1;
    }
    assert!(compared == 0 || compared >= 50, "{compared}");
}
