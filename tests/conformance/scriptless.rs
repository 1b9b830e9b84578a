//! `conformance/scriptless`: Configuration → environment, command, both forms of `CustomData`.

use std::collections::BTreeMap;

use aks_node_controller::catalogue::operating_systems::operating_system;
use aks_node_controller::configuration::Configuration;
use aks_node_controller::delivery::{Compression, Request, Route, bootstrap_command};
use aks_node_controller::environment::{Components, Environment, ImageContents};
use serde_json::Value;

use super::{components, vectors};

/// A vector's document, byte for byte where its bytes matter.
fn document(vector: &Value) -> String {
    vector["config_text"].as_str().map_or_else(|| vector["config"].to_string(), str::to_owned)
}

fn facts(vector: &Value) -> ImageContents {
    ImageContents {
        containerd_version: vector["containerd_version"].as_str().expect("a text").to_owned(),
        components: Components::parse(&components()).expect("a component list"),
        ..ImageContents::default()
    }
}

fn is_set(vector: &Value, member: &str) -> bool {
    vector["expect"][member] == Value::Bool(true)
}

/// The vectors whose document can be used at all, each with its Configuration.
fn accepted() -> impl Iterator<Item = (String, Value, Configuration)> {
    let usable = |(_, vector): &(String, Value)| !is_set(vector, "unmarshal_error");
    vectors("scriptless").into_iter().filter(usable).map(|(name, vector)| {
        let decoded = Configuration::from_document(document(&vector).as_bytes());
        let configuration = decoded.unwrap_or_else(|report| panic!("{name}: {report}")).configuration;
        (name, vector, configuration)
    })
}

#[test]
fn the_environment_is_the_references() {
    for (name, vector, configuration) in accepted() {
        let facts = facts(&vector);
        let environment = Environment::new(&configuration, &facts);
        let ours: BTreeMap<_, _> =
            environment.iter().map(|assignment| (&*assignment.name, assignment.value.expose())).collect();
        let wanted = vector["expect"]["env"].as_object().expect("an object");
        for (variable, value) in wanted {
            assert_eq!(ours.get(variable.as_str()).copied(), value.as_str(), "{name}: {variable}");
        }
        assert_eq!(ours.len(), wanted.len(), "{name}");
    }
}

#[test]
fn a_document_that_does_not_decode_is_refused() {
    for (name, vector) in vectors("scriptless") {
        let decoded = Configuration::from_document(document(&vector).as_bytes());
        assert_eq!(decoded.is_err(), is_set(&vector, "unmarshal_error"), "{name}");
        if let Ok(decoded) = decoded {
            let refused = decoded.configuration.check_version().is_err();
            assert_eq!(refused, is_set(&vector, "version_rejected"), "{name}");
        }
    }
}

#[test]
fn the_version_of_containerd_is_detected_as_the_reference_does() {
    for (name, vector) in vectors("scriptless") {
        if let Some(output) = vector["containerd_output"].as_str() {
            assert_eq!(ImageContents::containerd_version(output), vector["containerd_version"], "{name}");
        }
    }
}

#[test]
fn the_command_is_the_references() {
    for (name, vector) in vectors("scriptless") {
        assert_eq!(vector["expect"]["command"], bootstrap_command(), "{name}");
    }
}

#[test]
fn the_custom_data_is_the_references() {
    for (name, vector, configuration) in accepted() {
        if is_set(&vector, "version_rejected") {
            assert!(request("ubuntu").render(&configuration).is_err(), "{name}");
            // The vectors show what the layers below the check would make of it.
            continue;
        }
        let mime = decoded(&request("ubuntu"), &configuration);
        let boundary = mime.split('"').nth(1).expect("a boundary in quotes").to_owned();
        let wanted = vector["expect"]["custom_data_decoded"].as_str().expect("a text");
        assert_eq!(mime.replace(&boundary, "BOUNDARY"), wanted, "{name}");
        let wanted = vector["expect"]["custom_data_flatcar_decoded"].as_str().expect("a text");
        assert_eq!(decoded(&request("flatcar"), &configuration), wanted, "{name}");
    }
}

fn request(os: &str) -> Request {
    let os = operating_system(os).expect("a known system");
    Request { route: Route::Scriptless, os, compression: Compression::Never, ..Request::default() }
}

fn decoded(request: &Request, configuration: &Configuration) -> String {
    let layers = request.layers(configuration).expect("it renders");
    let names = ["custom_data.mime", "ignition.json"];
    layers
        .into_iter()
        .find(|layer| names.contains(&layer.name))
        .expect("the document is a layer")
        .text
        .expose()
        .to_owned()
}
