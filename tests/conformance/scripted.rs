//! `conformance/scripted`: NodeBootstrappingConfiguration → the environment that bash gets from the CSE, files of
//! `CustomData`, and the Configuration that it converts to.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use aks_node_controller::delivery::{Request, Route, delivered_files};
use aks_node_controller::difference::{Comparison, Difference};
use aks_node_controller::environment::{Components, Environment, ImageContents};
use aks_node_controller::inputs::NodeInput;
use aks_node_controller::inputs::nbc::Nbc;
use aks_node_controller::inspection::CommandAssignments;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::{components, vectors};

/// The vectors of this route: those that are delivered by boothook are another one.
fn scripted() -> impl Iterator<Item = (String, Value, Nbc)> {
    let classic = |(_, vector): &(String, Value)| vector["expect"]["custom_data"]["format"] != "boothook";
    vectors("scripted").into_iter().chain(vectors("scripted-mends")).filter(classic).map(|(name, vector)| {
        let read = Nbc::from_document(vector["nbc"].to_string().as_bytes());
        let (nbc, _) = read.unwrap_or_else(|report| panic!("{name}: {report}"));
        (name, vector, nbc)
    })
}

fn facts() -> ImageContents {
    ImageContents {
        components: Components::parse(&components()).expect("a component list"),
        ..ImageContents::default()
    }
}

/// What the child of the line's last command gets, as bash hands it over.
fn executed(line: &str) -> BTreeMap<String, String> {
    let from = line.find(" ADMINUSER=").expect("the assignments begin");
    let (assignments, _) = line[from..].split_once("/usr/bin/nohup").expect("the last command");
    let script = format!("{assignments} /usr/bin/env -0");
    let ended = Command::new("/bin/bash").args(["-c", &script]).env_clear().output().expect("bash runs");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let text = String::from_utf8(ended.stdout).expect("text");
    let pairs = text.split_terminator('\0').filter_map(|pair| pair.split_once('='));
    let of_bash = ["PWD", "SHLVL", "_"];
    pairs.filter(|(name, _)| !of_bash.contains(name)).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn settings(encoded: &str) -> BTreeSet<String> {
    let text = String::from_utf8(STANDARD.decode(encoded).expect("base64")).expect("text");
    text.lines().filter(|line| line.contains('=')).map(str::to_owned).collect()
}

#[test]
fn bash_gets_the_references_environment() {
    let (mut same, mut all) = (0, 0);
    for (name, vector, nbc) in scripted() {
        let request = Request { route: Route::Scripted, image: facts(), ..Request::default() };
        let delivery = request.render(&nbc).unwrap_or_else(|error| panic!("{name}: {error}"));
        let line = delivery.cse.expect("the route has a command").into_exposed();
        // Where a value is plain, its bytes are the reference's. Proxies are not: they are quoted twice there.
        let reference = vector["expect"]["command"].as_str().expect("a line");
        let has_proxies = !line.contains(" PROXY_VARS=\"\" ");
        assert!(has_proxies || line == reference, "{name}:\n{line}\n{reference}");
        same += usize::from(line == reference);
        all += 1;
        let found = executed(&line);
        let mut wanted: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for (variable, value) in vector["expect"]["env"].as_object().expect("an object") {
            wanted.insert(variable, value.as_str());
        }
        for other in vector["expect"]["env_parsed_vs_executed"].as_array().expect("a list") {
            wanted.insert(other["name"].as_str().expect("a name"), other["executed"].as_str());
        }
        for (variable, value) in &wanted {
            let found = found.get(*variable).map(String::as_str);
            if *variable == "SYSCTL_CONTENT" {
                assert_eq!(found.map(settings), value.map(settings), "{name}: {variable}");
            } else {
                assert_eq!(found, *value, "{name}: {variable}");
            }
        }
        let more: Vec<_> = found.keys().filter(|variable| !wanted.contains_key(variable.as_str())).collect();
        assert!(more.is_empty(), "{name}: {more:?}");
    }
    eprintln!("{same} of {all} lines are the reference's, byte for byte");
}

#[test]
fn the_node_gets_the_references_files() {
    for (name, vector, nbc) in scripted() {
        let family = nbc.os().expect("it names its image").family;
        let files =
            delivered_files(family, nbc.machine()).map(|file| (file.path.to_owned(), format!("{:04o}", file.mode)));
        let mut files: Vec<_> = files.collect();
        if vector["expect"]["custom_data"]["format"] == "ignition" {
            files.push(("/etc/ignition-bootcmds.sh".to_owned(), "0755".to_owned()));
        }
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let wanted = vector["expect"]["write_files"].as_array().expect("a list");
        let wanted: Vec<_> = wanted.iter().map(|file| (text(&file["path"]), text(&file["permissions"]))).collect();
        assert_eq!(files, wanted, "{name}");
    }
}

/// Without the contents of the archive and the units, which are our own.
#[test]
fn ignition_reads_the_references_document() {
    let mut whole = 0;
    for (name, vector, nbc) in scripted() {
        let expected = &vector["expect"]["custom_data"];
        if expected["format"] != "ignition" {
            continue;
        }
        let delivery = Request { route: Route::Scripted, ..Request::default() }.render(&nbc).expect("it renders");
        let bytes = STANDARD.decode(delivery.custom_data.encoded.expose()).expect("base64");
        let mut document: Value = serde_json::from_slice(&bytes).expect("JSON");
        document["storage"]["files"][0]["contents"]["source"] = "<tar>".into();
        for unit in document["systemd"]["units"].as_array_mut().expect("a list") {
            unit["contents"] = "<unit>".into();
        }
        let paths = |list: &Value, key: &str| -> Value {
            list.as_array().into_iter().flatten().map(|entry| entry[key].clone()).collect()
        };
        let older = &expected["ignition"];
        assert_eq!(paths(&document["storage"]["files"], "path"), older["files"], "{name}");
        assert_eq!(paths(&document["systemd"]["units"], "name"), older["units"], "{name}");
        let links = document["storage"].get("links").cloned().unwrap_or_else(|| Value::Array(Vec::new()));
        assert_eq!(links, older["links"], "{name}");
        if expected["document"].is_object() {
            assert_eq!(document, expected["document"], "{name}");
            whole += 1;
        }
    }
    eprintln!("{whole} whole documents are the reference's");
}

#[test]
fn the_configuration_leads_to_the_same_environment() {
    for (name, vector, nbc) in scripted() {
        let major = vector["expect"]["scriptless_containerd_major"].as_i64().expect("a number");
        let facts = ImageContents { containerd_version: format!("{major}.0.0"), ..facts() };
        let environment = Environment::new(&nbc.configuration, &facts);
        let line = vector["expect"]["command"].as_str().expect("a line");
        let ours = environment.pairs().expect("every value can be passed on");
        let Comparison(differences) = Comparison::of(ours, &CommandAssignments::scan(line));
        let listed = vector["expect"]["env_differences_from_scriptless"].as_array().expect("a list");
        for difference in differences {
            let (Difference::OnlyInConfiguration(variable)
            | Difference::OnlyInCommand(variable)
            | Difference::Differs(variable)) = &difference;
            assert!(listed.iter().any(|listed| listed["name"] == **variable), "{name}: {difference}");
        }
    }
}
