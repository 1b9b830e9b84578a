//! What steps start and read is on the machine: `CustomData` carries it, or the table says which variable makes a step need it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use aks_node_controller::catalogue::node_distros::Family;
use aks_node_controller::catalogue::node_files::{Content, NODE_FILES, NodeFile};
use aks_node_controller::configuration::Configuration;
use aks_node_controller::delivery::{Request, Route};
use serde_json::{Value, json};

use crate::support::shipped;

/// Functions with their bodies, as the node gets them.
fn functions() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for script in [
        "provision_source.sh",
        "provision_source_distro.sh",
        "provision_installs.sh",
        "provision_installs_distro.sh",
        "provision_configs.sh",
        "provision.sh",
    ] {
        let mut name: Option<String> = None;
        for line in shipped(script).lines() {
            if let Some((function, rest)) = line.split_once("() {") {
                found.insert(function.to_owned(), format!("{}\n", rest.trim_end_matches('}')));
                name = (!rest.ends_with('}')).then(|| function.to_owned());
            } else if line == "}" {
                name = None;
            } else if let Some(name) = &name {
                let body = found.get_mut(name).expect("it is open");
                body.push_str(line);
                body.push('\n');
            }
        }
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !(character.is_ascii_alphanumeric() || "_.-/$@".contains(character)))
}

/// The text of a function and of all that it calls.
fn closure(functions: &BTreeMap<String, String>, name: &str) -> String {
    let (mut seen, mut open, mut text) = (BTreeSet::new(), vec![name.to_owned()], String::new());
    while let Some(name) = open.pop() {
        if let Some(body) = functions.get(&name).filter(|_| seen.insert(name.clone())) {
            // Units that are stopped may be missing.
            text.extend(body.lines().filter(|line| !line.contains("disable_and_stop ")).flat_map(|line| [line, "\n"]));
            open.extend(words(body).map(str::to_owned));
        }
    }
    text
}

/// Units and scripts of the table that a text names, but those whose existence it tests.
fn named(text: &str) -> Vec<&'static NodeFile> {
    let is_named = |file: &&NodeFile| {
        let name = file.path.rsplit('/').next().expect("a path");
        let is_unit = file.path.starts_with("/etc/systemd/system/");
        let mut names = vec![file.path.to_owned()];
        names.push(if is_unit { name.to_owned() } else { format!("$CONTAINERS/{name}") });
        let tested = ["unit_exists ", "-x ", "-e "].iter().any(|test| {
            names
                .iter()
                .any(|name| text.contains(&format!("{test}{name}")) || text.contains(&format!("{test}\"{name}")))
        });
        !tested && words(text).any(|word| names.iter().any(|name| name == word))
    };
    let is_of_this_system = |file: &&NodeFile| {
        file.families.contains(&Family::Ubuntu) && !matches!(file.content, Content::Link(_) | Content::Program)
    };
    NODE_FILES.iter().filter(is_of_this_system).filter(is_named).collect()
}

/// The variable on which a condition of a step depends, if it is a single one.
fn variable<'t>(functions: &'t BTreeMap<String, String>, condition: &'t str) -> Option<&'t str> {
    let text = functions.get(condition).map_or(condition, String::as_str);
    let (_, rest) = text.split_once("on ").or_else(|| text.split_once("given "))?;
    words(rest).next()
}

#[test]
fn what_a_step_needs_is_carried() {
    let functions = functions();
    let mut checked = BTreeSet::new();
    for line in shipped("provision.sh").lines() {
        let Some((name, condition)) =
            ["\tstep ", "\tattempt "].iter().find_map(|list| line.strip_prefix(list)?.split_once(' '))
        else {
            continue;
        };
        let variable = variable(&functions, condition);
        // The condition may test whether a unit is there.
        let text = closure(&functions, name) + &closure(&functions, condition);
        for file in named(&text) {
            // What the step writes itself is there.
            let own =
                file.path.trim_start_matches("/etc/systemd/system/").replace("/opt/azure/containers", "$CONTAINERS");
            if text.contains(&format!("put_unit {own} ")) || text.contains(&format!("must_put \"{own}\"")) {
                continue;
            }
            assert!(
                file.carried.is_some() || file.needed_by.is_some_and(|needed| Some(needed) == variable),
                "{name} needs {}, which CustomData must carry when {condition} holds",
                file.path
            );
            checked.insert((name.to_owned(), file.path));
        }
    }
    for pair in [
        ("ensureNoDupOnPromiscuBridge", "/etc/systemd/system/ensure-no-dup.service"),
        ("ensureDHCPv6", "/etc/systemd/system/dhcpv6.service"),
        ("configureKubeletDisk", "/etc/systemd/system/bind-mount.service"),
    ] {
        assert!(checked.contains(&(pair.0.to_owned(), pair.1)), "{pair:?} is not found");
    }
}

#[test]
fn what_a_unit_runs_comes_with_it() {
    for unit in NODE_FILES.iter().filter(|file| file.carried.is_some() || file.needed_by.is_some()) {
        let Content::Embedded(file) = unit.content else { continue };
        for line in file.text().lines() {
            let Some((_, command)) = line.split_once('=').filter(|(key, _)| key.starts_with("ExecStart")) else {
                continue;
            };
            // The unit works without it if `-` or a test says so.
            let runs = |file: &&NodeFile| {
                !command.starts_with('-')
                    && !command.contains(&format!("-x {}", file.path))
                    && command.split(' ').any(|word| word == file.path)
            };
            for script in NODE_FILES.iter().filter(runs) {
                assert!(
                    script.carried.is_some() || script.needed_by == unit.needed_by || on_demand(unit, script),
                    "{} runs {}",
                    unit.path,
                    script.path
                );
            }
        }
    }
}

/// A unit that is carried always and started by one step only.
fn on_demand(unit: &NodeFile, script: &NodeFile) -> bool {
    unit.path.ends_with("/reconcile-private-hosts.service") && script.needed_by == Some("ENABLE_HOSTS_CONFIG_AGENT")
}

fn delivered(document: &Value) -> BTreeSet<String> {
    let read = Configuration::from_document(document.to_string().as_bytes()).expect("a Configuration");
    let request = Request { route: Route::Scripted, ..Request::default() };
    let layers = request.layers(&read.configuration).expect("it renders");
    layers.into_iter().map(|layer| format!("/{}", layer.name)).collect()
}

fn example() -> Value {
    let example = fs::read_to_string(format!("{}/testdata/examples/arm64-minimal.json", env!("CARGO_MANIFEST_DIR")));
    serde_json::from_str(&example.expect("it is there")).expect("JSON")
}

#[test]
fn only_a_machine_that_becomes_an_image_gets_the_script_of_its_stage() {
    const STAGE: &str = "/opt/azure/containers/provision_image_stage.sh";
    let mut document = example();
    let of_a_node = delivered(&document);
    assert!(!of_a_node.contains(STAGE));
    document["pre_provision_only"] = json!(true);
    let of_an_image = delivered(&document);
    let more: Vec<_> = of_an_image.difference(&of_a_node).collect();
    assert_eq!(more, [STAGE]);
}

/// Everything that makes a step need a file.
#[test]
fn a_machine_without_an_image_gets_what_its_steps_need() {
    let mut document = example();
    let settings = json!({
        "network_config": {"network_plugin": "NETWORK_PLUGIN_KUBENET"},
        "ipv6_dual_stack_enabled": true,
        "kubelet_config": {"kubelet_disk_type": "KUBELET_DISK_TEMP_DISK"},
        "custom_search_domain_config": {"domain_name": "a.example", "realm_user": "u", "realm_password": "p"},
        "gpu_config": {"gpu_instance_profile": "MIG1g"},
        "custom_ca_certs": ["QQ=="],
        "bootstrapping_config": {"bootstrapping_auth_method": "BOOTSTRAPPING_AUTH_METHOD_SECURE_TLS_BOOTSTRAPPING"},
        "enable_hosts_config_agent": true,
        "imds_restriction_config": {"enable_imds_restriction": true},
    });
    for (name, value) in settings.as_object().expect("an object") {
        document[name] = value.clone();
    }
    let needed: BTreeSet<_> =
        NODE_FILES.iter().filter(|file| file.needed_by.is_some()).map(|file| file.path.to_owned()).collect();
    let with_image = delivered(&document);
    assert!(needed.is_disjoint(&with_image));
    document["is_vhd"] = json!(false);
    let without_image = delivered(&document);
    let more: BTreeSet<_> = without_image.difference(&with_image).cloned().collect();
    assert_eq!(more, needed);
    for name in settings.as_object().expect("an object").keys() {
        document.as_object_mut().expect("an object").remove(name);
    }
    assert_eq!(delivered(&document), with_image, "what no step needs is not carried");
}
