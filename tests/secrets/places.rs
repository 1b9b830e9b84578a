//! Where the secrets of a delivery lie: for every example, route and placement of secrets.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aks_node_controller::catalogue::operating_systems::operating_system;
use aks_node_controller::configuration::{Message, Slot};
use aks_node_controller::delivery::{Delivery, Request, Route, SecretPlacement};
use aks_node_controller::inputs::{Checks, Input, NodeInput, Reading};
use aks_node_controller::inspection::inspect;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::{CANARY, ROOT, plant, plant_in_request};
use crate::canaries::search::Search;
use crate::support::Scratch;

/// Every example, with the canary in every secret if asked.
fn inputs(with_canary: bool) -> Vec<(String, Input)> {
    let below = |directory: &str| {
        let entries = fs::read_dir(Path::new(ROOT).join("testdata").join(directory)).expect("the test data is there");
        entries.map(|entry| entry.expect("a readable entry").path()).filter(|path| path.is_file()).collect::<Vec<_>>()
    };
    let mut paths: Vec<PathBuf> = ["examples", "nbc", "karpenter"].map(below).concat();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let mut bytes = fs::read(&path).expect("readable");
        let mut read = Reading::new(None, &bytes, &Checks::default()).input;
        match &mut read {
            Some(Input::Configuration(configuration)) if with_canary => {
                plant(&mut **configuration, CANARY);
            }
            Some(Input::Nbc(_)) if with_canary => {
                let mut request: Value = serde_json::from_slice(&bytes).expect("JSON");
                plant_in_request(&mut request);
                bytes = request.to_string().into_bytes();
                read = Reading::new(None, &bytes, &Checks::default()).input;
            }
            _ => {}
        }
        found.extend(read.map(|input| (path.display().to_string(), input)));
    }
    assert!(found.len() > 15, "{}", found.len());
    found
}

/// Every delivery of an input on some routes, for a system with cloud-init and for one with Ignition.
fn deliveries(input: &Input, routes: &[Route]) -> Vec<(String, SecretPlacement, Delivery)> {
    let mut found = Vec::new();
    for route in routes.iter().copied() {
        for secrets in [SecretPlacement::Auto, SecretPlacement::ProtectedSettings] {
            for os in ["ubuntu", "flatcar"].map(|name| operating_system(name).expect("a known system")) {
                if secrets != SecretPlacement::Auto && route != Route::Scriptless {
                    continue;
                }
                let request = Request { route, os, secrets, ..Request::default() };
                if let Ok(delivery) = request.render(input) {
                    found.push((format!("{}, {}, {secrets:?}", route.name(), os.name), secrets, delivery));
                }
            }
        }
    }
    found
}

fn decoded(delivery: &Delivery) -> Vec<u8> {
    STANDARD.decode(delivery.custom_data.encoded.expose()).expect("base64")
}

#[test]
fn custom_data_has_no_secret_if_protected_settings_have_them() {
    let search = Search::new([CANARY]);
    let (mut protected, mut open) = (0, 0);
    for (name, input) in inputs(true) {
        for (what, secrets, delivery) in deliveries(&input, &[Route::Scriptless]) {
            let found = search.finds(&decoded(&delivery));
            if secrets == SecretPlacement::ProtectedSettings {
                assert!(!found, "{name}, {what}: CustomData has a secret");
                let command = delivery.cse.as_ref().expect("a command").expose();
                assert!(search.finds(command.as_bytes()), "{name}, {what}: the search finds them in the command");
                protected += 1;
            } else {
                open += usize::from(found);
            }
        }
    }
    assert!(protected > 40 && open > 40, "{protected}, {open}: the search finds them elsewhere");
}

/// The secrets of a Configuration by the paths of their fields.
fn fields(message: &dyn Message, path: &str, found: &mut BTreeMap<String, String>) {
    for (index, field) in message.descriptor().fields.iter().enumerate() {
        let path = format!("{path}{}", field.name);
        match message.slot(index) {
            Slot::Text(text) | Slot::OptionalText(Some(text)) if field.secret => {
                found.insert(path, text.to_owned());
            }
            Slot::Message(Some(inner)) => fields(inner, &format!("{path}."), found),
            _ => {}
        }
    }
}

/// Every secret of an input, by its name as a variable and as a field.
fn secrets(input: &Input, request: &Request) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let image = input.image(&request.image);
    if let Ok(environment) = input.assignments(&image) {
        let secrets = environment.iter().filter(|assignment| assignment.variable().secret);
        found.extend(secrets.map(|one| (one.name.to_string(), one.value.expose().to_owned())));
    }
    if let Some(configuration) = input.configuration() {
        fields(configuration, "", &mut found);
    }
    // The equivalent Configuration has another text with all proxies.
    found.remove("PROXY_VARS");
    // A managed identity has no secret. Some values are too short to look for, or not the same in quotes.
    found.retain(|_, value| value.len() >= 8 && !value.contains(['"', '\'', '\\']));
    found
}

#[test]
fn every_secret_is_listed_where_it_lies_and_nowhere_else() {
    let mut kinds = BTreeSet::new();
    for (name, input) in inputs(false) {
        let known = secrets(&input, &Request::default());
        let search = Search::whole(known.values().map(String::as_str));
        for (what, _, delivery) in deliveries(&input, &Route::ALL) {
            let found = inspect(delivery.to_json().to_string().as_bytes(), &Request::default().image);
            let command = delivery.cse.as_ref().map_or("", |cse| cse.expose());
            let listed = found.secret_places();
            let (in_custom_data, in_command) = (decoded(&delivery), command.as_bytes());
            let (in_custom_data, in_command) = (search.found(&in_custom_data), search.found(in_command));
            for secret in &listed {
                let Some(value) = known.get(&secret.name) else { continue };
                let has = |kind: &str| secret.places.iter().any(|place| place.kind == kind);
                let place = format!("{name}, {what}: {}", secret.name);
                assert_eq!(has("custom-data"), in_custom_data.contains(value.as_str()), "{place}");
                assert_eq!(has("protected-settings"), in_command.contains(value.as_str()), "{place}");
                assert_eq!(has("process-list"), has("protected-settings"), "{place}");
                for place in secret.places.iter().filter(|place| place.kind == "file") {
                    assert_eq!((place.mode, place.readers), (Some(0o600), "root on the node"), "{what}: {place:?}");
                }
                kinds.extend(secret.places.iter().map(|place| place.kind));
            }
            // Nothing is missing: every known secret that a part has is listed, by one of its names.
            let values: BTreeSet<_> = listed.iter().filter_map(|secret| known.get(&secret.name)).collect();
            for (secret, value) in &known {
                let lies = in_custom_data.contains(value.as_str()) || in_command.contains(value.as_str());
                assert!(!lies || values.contains(value) || is_part(value, &values), "{name}, {what}: {secret}");
            }
        }
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["custom-data", "file", "process-list", "protected-settings"]);
}

/// Whether a value is a part of another one that is listed: a proxy, of the variable with all proxies.
fn is_part(value: &str, listed: &BTreeSet<&String>) -> bool {
    let encoded = STANDARD.encode(value);
    listed.iter().any(|other| other.contains(value) || other.contains(encoded.trim_end_matches('=')))
}

#[test]
fn the_command_line_lists_places_and_no_values() {
    let scratch = Scratch::new("places");
    let program = env!("CARGO_BIN_EXE_aks-node-controller");
    let run = |arguments: &[&str]| {
        let ended = Command::new(program).args(arguments).output().expect("cargo built the program");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (ended.status.code(), text(ended.stdout), text(ended.stderr))
    };
    let mut request: Value = serde_json::from_str(&super::read("nbc/ubuntu-24-04.json")).expect("JSON");
    plant_in_request(&mut request);
    request["EnabledFeatures"] = serde_json::json!({"CLIENT_SECRET": CANARY, "PLAIN": "true"});
    let (document, rendered) = (scratch.join("nbc.json"), scratch.join("rendered.json"));
    fs::write(&document, request.to_string()).expect("a writable directory");
    let (document, rendered) = (document.display().to_string(), rendered.display().to_string());
    for (arguments, token, others) in [
        (&["--route", "node-bootstrap-variables"][..], "CustomData and its copies on the node: root on the node", ""),
        (
            &["--route", "scripted"],
            "process list: every local user of the node",
            "protected settings of the extension:",
        ),
        (&["--route", "scriptless"], "0600 /opt/azure/containers/aks-node-controller-nbc-cmd.sh: root", "CustomData"),
        (
            &["--route", "scriptless", "--secrets", "protected-settings"],
            "0600 /opt/bin/boothook.sh: root on the node",
            "0600 /opt/azure/containers/boothook.sh: root on the node",
        ),
    ] {
        // The request asks for one route; the others deliver it without its feature.
        let mut request = request.clone();
        if !arguments.contains(&"scriptless") {
            request["EnableScriptlessNBCCSECmd"] = false.into();
        }
        fs::write(&document, request.to_string()).expect("a writable directory");
        let (code, json, errors) = run(&[&["generate", "--no-validate", "--nbc", &document], arguments].concat());
        assert_eq!(code, Some(0), "{errors}");
        fs::write(&rendered, json).expect("a writable directory");
        let (code, text, errors) = run(&["inspect", "--secrets", &rendered]);
        assert_eq!(code, Some(0), "{errors}");
        let (_, after) = text.split_once("\nTLS_BOOTSTRAP_TOKEN\n").expect("it is listed");
        let places = after.split("\n\n").next().expect("its places");
        assert!(places.contains(token) && places.contains(others), "{text}");
        let is_scriptless = arguments.contains(&"scriptless");
        assert_eq!(text.contains("\nfeature CLIENT_SECRET\n"), is_scriptless, "{text}");
        let (_, json, _) = run(&["inspect", "--secrets", &rendered, "--format", "json"]);
        let listed: Value = serde_json::from_str(&json).expect("JSON");
        let names: Vec<_> = listed["secrets"].as_array().expect("a list").iter().map(|one| &one["name"]).collect();
        assert!(names.contains(&&Value::from("TLS_BOOTSTRAP_TOKEN")), "{json}");
        assert!(!names.contains(&&Value::from("feature PLAIN")), "{json}");
        for shown in [text, json] {
            assert!(!Search::new([CANARY]).finds(shown.as_bytes()), "{shown}");
        }
    }
    // A document has no places, and public settings have everyone as a reader.
    let (code, _, errors) = run(&["inspect", "--secrets", &document]);
    assert!(code == Some(1) && errors.contains("not a delivery"), "{errors}");
    let model = serde_json::json!({"extensionProfile": {"extensions": [{"settings": {
        "commandToExecute": "TLS_BOOTSTRAP_TOKEN=abcdef.0123456789abcdef /bin/bash /opt/azure/containers/provision_start.sh"}}]}});
    fs::write(&rendered, model.to_string()).expect("a writable directory");
    let (_, text, _) = run(&["inspect", "--secrets", &rendered]);
    assert!(text.contains("public settings of the extension: everyone who can read the machine"), "{text}");
}
