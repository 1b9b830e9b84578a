//! Whether findings on a converted document name the fields that the user wrote.
//!
//! The tests change one value of a document after the other, and compare which values of the Configuration change with
//! where these are said to come from. To add a field: write it in `testdata/nbc/every_field.json`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::Nbc;
use super::request::Request;
use crate::catalogue::variables::variable;
use crate::configuration::{Configuration, Descriptor, Kind, Label, validate};
use crate::document::{DocPath, Finding, Position, Problem, Source, Step, fields};

const EVERY_FIELD: &str = include_str!("../../../testdata/nbc/every_field.json");

/// The way to a value from the root of a document.
type Place = Vec<Part>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Name(String),
    Index(usize),
}

/// Returns every value that is neither an object nor a list.
fn leaves(value: &Value) -> BTreeMap<Place, Value> {
    fn walk(value: &Value, place: &mut Place, found: &mut BTreeMap<Place, Value>) {
        let members: Vec<(Part, &Value)> = match value {
            Value::Object(members) => members.iter().map(|(name, value)| (Part::Name(name.clone()), value)).collect(),
            Value::Array(list) => list.iter().enumerate().map(|(at, value)| (Part::Index(at), value)).collect(),
            leaf => {
                found.insert(place.clone(), leaf.clone());
                return;
            }
        };
        for (part, value) in members {
            place.push(part);
            walk(value, place, found);
            place.pop();
        }
    }
    let mut found = BTreeMap::new();
    walk(value, &mut Vec::new(), &mut found);
    found
}

fn at<'v>(document: &'v mut Value, place: &[Part]) -> &'v mut Value {
    place.iter().fold(document, |value, part| match part {
        Part::Name(name) => &mut value[name],
        Part::Index(index) => &mut value[index],
    })
}

/// Objects whose names are data, so that findings print them in brackets.
const MAPS: [&str; 7] = [
    "Config",
    "EnabledFeatures",
    "KubeletConfig",
    "containerRuntimeConfig",
    "customNodeLabels",
    "kubeDNSOverrides",
    "vnetDNSOverrides",
];

/// Returns the path of a value of the document as findings print it.
fn printed(place: &[Part]) -> String {
    let mut path = String::new();
    let mut parent = "";
    for part in place {
        let text = match part {
            Part::Index(index) => format!("[{index}]"),
            Part::Name(name) => {
                let in_brackets = MAPS.contains(&parent) || name == "maxLockedMemory ";
                parent = name;
                match in_brackets {
                    true => format!("[{}]", Value::from(name.as_str())),
                    false if path.is_empty() => name.clone(),
                    false => format!(".{name}"),
                }
            }
        };
        path.push_str(&text);
    }
    path
}

/// Returns the path of a value of the Configuration, as a finding of `validate` has it.
fn contract_path(place: &[Part]) -> DocPath {
    let mut steps = Vec::new();
    let mut message: Option<&'static Descriptor> = Some(Configuration::descriptor());
    let mut below_key = None;
    for part in place {
        steps.push(match (part, message) {
            (Part::Index(index), _) => Step::Index(*index),
            (Part::Name(key), None) => {
                message = below_key.take();
                Step::Key(key.clone())
            }
            (Part::Name(name), Some(descriptor)) => {
                let field = &descriptor.fields[descriptor.index_of(name).expect("a field of the contract")];
                let inner = if let Kind::Message(inner) = field.kind { Some(inner) } else { None };
                (message, below_key) = if field.label == Label::Map { (None, inner) } else { (inner, None) };
                Step::Field { name: field.name, json_name: field.json_name }
            }
        });
    }
    DocPath(steps)
}

fn every_field() -> Value {
    serde_json::from_str(EVERY_FIELD).expect("the document is JSON")
}

fn convert(document: &Value) -> Nbc {
    let read = Nbc::from_document(document.to_string().as_bytes());
    read.unwrap_or_else(|report| panic!("the document does not convert: {report}")).0
}

fn configuration_leaves(nbc: &Nbc) -> BTreeMap<Place, Value> {
    leaves(&serde_json::from_str(&nbc.configuration.to_json()).expect("a Configuration is written as JSON"))
}

/// Values with which the document still converts, and which make a difference.
const OTHER_VALUES: [(&str, &str); 8] = [
    ("AgentPoolProfile.customLinuxOSConfig.transparentHugePageDefrag", "always"),
    ("AgentPoolProfile.customLinuxOSConfig.transparentHugePageEnabled", "always"),
    ("AgentPoolProfile.distro", "aks-ubuntu-containerd-24.04-gen2"),
    ("CloudSpecConfig.cloudName", "AzureChinaCloud"),
    ("ContainerService.properties.orchestratorProfile.orchestratorType", "kubernetes"),
    ("ContainerService.properties.orchestratorProfile.orchestratorVersion", "1.34.0"),
    ("KubeletConfig[\"--feature-gates\"]", "MemoryQoS=false"),
    ("OutboundType", "block"),
];

/// Returns another value of the same type.
fn changed(path: &str, value: &Value) -> Value {
    if let Some((_, other)) = OTHER_VALUES.iter().find(|(known, _)| *known == path) {
        return json!(other);
    }
    match value {
        Value::Bool(value) => json!(!value),
        Value::Number(number) if number.is_f64() => json!(number.as_f64().expect("a double") + 1.0),
        Value::Number(number) => json!(number.as_i64().expect("an integer") + 1),
        Value::String(text) if text == "true" || text == "false" => json!((text == "false").to_string()),
        Value::String(text) => match text.parse::<i32>() {
            Ok(number) => json!((number + 1).to_string()),
            Err(_) => json!(format!("{text}x")),
        },
        other => panic!("{other} is not a leaf"),
    }
}

/// Fields that decide about values of others. These others are named as the origin, not the deciding field.
const DECIDING: [&str; 9] = [
    "AgentPoolProfile.customKubeletConfig.cpuCfsQuotaPeriod",
    "AgentPoolProfile.distro",
    "AgentPoolProfile.kubernetesConfig.containerRuntime",
    "ContainerService.properties.customCloudEnv.Name",
    "ContainerService.properties.orchestratorProfile.orchestratorVersion",
    "ContainerService.properties.securityProfile.privateEgress.enabled",
    "EnableKubeletConfigFile",
    "IsARM64",
    "KubeletConfig[\"--rotate-server-certificates\"]",
];

/// Fields that are only checked, and those of a second pool, of which nothing but its presence and its profile counts.
const WITHOUT_EFFECT: [&str; 4] = [
    "AgentPoolProfile.osType",
    "ContainerService.properties.agentPoolProfiles[1].name",
    "ContainerService.properties.agentPoolProfiles[1].vnetSubnetID",
    "ContainerService.properties.orchestratorProfile.orchestratorType",
];

/// Documents in which a field counts that another one displaces in the document with every field.
fn variants() -> [Value; 3] {
    let mut plain = every_field();
    let mut remove = |object: &str, name: &str| {
        plain.pointer_mut(object).and_then(Value::as_object_mut).and_then(|object| object.remove(name)).expect(name)
    };
    remove("", "PreProvisionOnly");
    remove("/AgentPoolProfile", "customKubeletConfig");
    remove("/AgentPoolProfile", "customLinuxOSConfig");
    remove("/AgentPoolProfile", "kubeletDiskType");
    remove("/AgentPoolProfile/kubernetesConfig", "containerRuntimeConfig");
    remove("/ContainerService/properties", "ClusterID");
    remove("/ContainerService/properties", "customCloudEnv");
    remove("/ContainerService/properties", "customConfiguration");
    remove("/ContainerService/properties/hostedMasterProfile", "ipAddress");
    remove("/ContainerService/properties/orchestratorProfile/kubernetesConfig", "azureCNIURLLinux");
    plain["AgentPoolProfile"]["distro"] = "aks-ubuntu-containerd-20.04-cvm-gen2".into();
    let mut arm64 = every_field();
    arm64["IsARM64"] = true.into();
    let mut plain_arm64 = arm64.clone();
    plain_arm64["ContainerService"]["properties"]["orchestratorProfile"]["kubernetesConfig"]["azureCNIURLARM64Linux"] =
        "".into();
    [plain, arm64, plain_arm64]
}

/// Changes each of these values of a document, and returns those whose change has an effect.
fn fields_with_effect(document: &Value, places: &BTreeSet<Place>) -> BTreeSet<Place> {
    let before = convert(document);
    let before_leaves = configuration_leaves(&before);
    let leaves = leaves(document);
    let mut with_effect = BTreeSet::new();
    for (place, value) in leaves.iter().filter(|(place, _)| places.contains(*place)) {
        let path = printed(place);
        let mut other = document.clone();
        *at(&mut other, place) = changed(&path, value);
        let after = convert(&other);
        let after_leaves = configuration_leaves(&after);
        let targets: BTreeSet<_> = before_leaves.keys().chain(after_leaves.keys()).collect();
        let mut differs = before.overrides != after.overrides
            || before.losses != after.losses
            || (before.distro, before.family, before.os) != (after.distro, after.family, after.os)
            || before.controller != after.controller
            || before.machine != after.machine;
        for target in targets.into_iter().filter(|target| before_leaves.get(*target) != after_leaves.get(*target)) {
            differs = true;
            let set_by = if after_leaves.contains_key(target) { &after } else { &before };
            assert!(DECIDING.contains(&&*path) || comes_from(set_by, target, &path), "{path}");
        }
        if differs {
            with_effect.insert(place.clone());
        }
    }
    with_effect
}

/// Whether a finding on a value of the Configuration names this path of the document, or the object around it.
fn comes_from(nbc: &Nbc, target: &[Part], path: &str) -> bool {
    let finding = Finding::missing(contract_path(target));
    let translated = nbc.translate(vec![finding]).remove(0);
    let named = translated.path.to_string();
    let in_hint = |hint: &str| hint.contains(&format!("`{path}`"));
    let is_around = path.strip_prefix(&named).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
    let found = !named.is_empty() && is_around || translated.hint.as_deref().is_some_and(in_hint);
    if !found {
        eprintln!("{} is said to come from {translated} ({:?})", contract_path(target), translated.hint);
    }
    found
}

#[test]
fn what_a_field_changes_is_said_to_come_from_it_and_every_field_changes_something() {
    let document = every_field();
    let mut left: BTreeSet<_> = leaves(&document).into_keys().collect();
    for document in [document].iter().chain(&variants()) {
        let with_effect = fields_with_effect(document, &left);
        left.retain(|place| !with_effect.contains(place));
    }
    let left: BTreeSet<_> = left.iter().map(|place| printed(place)).collect();
    assert_eq!(left, WITHOUT_EFFECT.map(str::to_owned).into());
}

#[test]
fn the_document_with_every_field_has_every_field() {
    let document = every_field();
    for field in fields::<Request>() {
        // An element of a list is the first one, and an entry of a map is any.
        let found = field.path.0.iter().try_fold(&document, |value, step| match step {
            Step::Key(_) => value.as_object()?.values().next(),
            Step::Index(index) => value.get(index),
            Step::Field { name, .. } => value.get(name),
            Step::Unknown(name) => value.get(name),
        });
        assert!(found.is_some(), "{}", field.path);
    }
}

#[test]
fn a_text_that_is_not_allowed_is_found_with_the_path_and_the_line_of_its_field() {
    let mut found = BTreeSet::new();
    for document in [every_field()].iter().chain(&variants()) {
        for (place, value) in leaves(document) {
            let Value::String(text) = value else { continue };
            let path = printed(&place);
            let mut broken = document.clone();
            *at(&mut broken, &place) = json!(format!("{text}\0"));
            let broken = serde_json::to_string_pretty(&broken).expect("a document is written");
            let line = 1 + broken.lines().position(|line| line.contains("\\u0000")).expect("one line is broken");
            let source = Source::new(broken.as_bytes()).expect("a text");
            // Some fields accept certain words only, and texts that are encoded or read as numbers reach nothing.
            let Ok((nbc, _)) = Nbc::from_source(&source) else { continue };
            if !nbc.configuration.to_json().contains("\\u0000") {
                continue;
            }
            let mut findings = nbc.translate(validate(&nbc.configuration, None));
            source.locate(&mut findings);
            let is_there = |finding: &Finding| {
                finding.path.to_string() == path && finding.position.is_some_and(|at: Position| at.line == line)
            };
            assert!(findings.iter().any(is_there), "{path}, line {line}: {findings:?}");
            found.insert(path);
        }
    }
    assert!(found.len() > 100, "{found:?}");
}

#[test]
fn a_value_that_is_required_but_absent_is_found_with_the_name_that_the_document_would_have() {
    let mut document = every_field();
    for (object, name) in [
        ("", "SubscriptionID"),
        ("", "ResourceGroupName"),
        ("/ContainerService", "location"),
        ("/ContainerService/properties", "hostedMasterProfile"),
    ] {
        let object = document.pointer_mut(object).and_then(Value::as_object_mut).expect("an object");
        object.remove(name).expect(name);
    }
    let nbc = convert(&document);
    let findings = nbc.translate(validate(&nbc.configuration, None));
    let missing = findings.iter().filter(|finding| finding.problem == Problem::Missing);
    let paths: Vec<_> = missing.map(|finding| finding.path.to_string()).collect();
    assert_eq!(
        paths,
        [
            "SubscriptionID",
            "ResourceGroupName",
            "ContainerService.location",
            "ContainerService.properties.hostedMasterProfile.fqdn",
        ]
    );
}

#[test]
fn a_finding_has_the_spelling_of_the_document() {
    let text = EVERY_FIELD
        .replace("\"KubeletConfig\"", "\"kubeletconfig\"")
        .replace("\"vnetDNSOverrides\"", "\"VnetDnsOverrides\"")
        .replace("\"queryLogging\": \"Log\"", "\"QUERYLOGGING\": \"Always\"")
        .replace("\"--max-pods\": \"110\"", "\"--max-pods\": \"-1\"");
    let source = Source::new(text.as_bytes()).expect("a text");
    let (nbc, _) = Nbc::from_source(&source).expect("the document converts");
    let findings = nbc.translate(validate(&nbc.configuration, None));
    let paths: Vec<_> = findings.iter().map(|finding| finding.path.to_string()).collect();
    for path in [
        "kubeletconfig[\"--max-pods\"]",
        "AgentPoolProfile.localDNSProfile.VnetDnsOverrides[\".\"].QUERYLOGGING",
        "AgentPoolProfile.localDNSProfile.kubeDNSOverrides[\"cluster.local\"].QUERYLOGGING",
    ] {
        assert!(paths.iter().any(|known| known == path), "{path}\n{paths:#?}");
    }
}

#[test]
fn a_finding_on_a_message_names_the_object_that_holds_its_values() {
    let nbc = convert(&every_field());
    for (target, path) in [
        ("imds_restriction_config", ""),
        ("service_account_image_pull_profile", "ContainerService.properties.serviceAccountImagePullProfile"),
        ("custom_linux_os_config.ulimit_config", "AgentPoolProfile.customLinuxOSConfig.ulimitConfig"),
    ] {
        let place: Vec<_> = target.split('.').map(|name| Part::Name(name.to_owned())).collect();
        let found = nbc.translate(vec![Finding::missing(contract_path(&place))]).remove(0);
        assert_eq!(found.path.to_string(), path, "{target}");
        assert!(found.hint.is_some_and(|hint| hint.contains(target)), "{target}");
    }
}

#[test]
fn every_variable_that_a_document_sets_is_in_the_catalogue() {
    for document in [every_field()].iter().chain(&variants()) {
        for (name, _) in convert(document).overrides.iter() {
            assert!(variable(name).is_some(), "{name}");
        }
    }
}
