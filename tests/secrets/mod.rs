//! A canary in every secret of every kind of input: no public type shows it in its debug output, and no error does.

mod places;

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::path::Path;

use aks_node_controller::Secret;
use aks_node_controller::configuration::{Configuration, Descriptor, Kind, Label, Message, SlotMut, Today};
use aks_node_controller::delivery::{Compression, RenderError, Request, Route};
use aks_node_controller::diagnosis::{Changes, Evidence, Item, Source as LogSource, diagnose};
use aks_node_controller::difference::{Detail, Differences, Rules, diff};
use aks_node_controller::document::Source;
use aks_node_controller::environment::{Environment, ImageContents};
use aks_node_controller::explain;
use aks_node_controller::inputs::karpenter::objects::{Cluster, InstanceType, NodeClaim, NodeClass, Settings};
use aks_node_controller::inputs::karpenter::{Objects, convert};
use aks_node_controller::inputs::{Checks, Input, InputKind, NodeInput, Reading, check};
use aks_node_controller::inspection::inspect;
use aks_node_controller::redaction::Redactor;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A bootstrap token by its form, so that documents with it are valid.
const CANARY: &str = "canary.0123456789canary";

/// Types with the canary somewhere inside whose debug output has been looked at, by name.
struct Shown(BTreeSet<&'static str>);

impl Shown {
    fn look(&mut self, name: &'static str, value: &dyn Debug) {
        let encoded = STANDARD.encode(CANARY);
        // Base64 of a text that contains the canary contains one of these, by the place of the canary.
        let shifted = ["", " ", "  "].map(|before| STANDARD.encode(format!("{before}{CANARY}"))[4..24].to_owned());
        for text in [format!("{value:?}"), format!("{value:#?}")] {
            assert!(!text.contains("canary"), "{name} shows a secret: {text}");
            assert!(!text.contains(encoded.trim_end_matches('=')), "{name} shows a secret in base64: {text}");
            for shifted in &shifted {
                assert!(!text.contains(shifted.as_str()), "{name} shows a secret in base64: {text}");
            }
        }
        self.0.insert(name);
    }
}

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join("testdata").join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Puts a text into every secret field and returns how many there are.
fn plant(message: &mut dyn Message, text: &str) -> usize {
    let mut count = 0;
    for (index, field) in message.descriptor().fields.iter().enumerate() {
        match message.slot_mut(index) {
            SlotMut::Text(slot) if field.secret => {
                text.clone_into(slot);
                count += 1;
            }
            SlotMut::OptionalText(slot) if field.secret => {
                *slot = Some(text.to_owned());
                count += 1;
            }
            SlotMut::Message(inner) => count += plant(inner, text),
            _ => {}
        }
    }
    count
}

fn configuration() -> Configuration {
    let document = read("examples/http-proxy-own-ca.yaml");
    let mut configuration =
        Configuration::from_document(document.as_bytes()).expect("the example decodes").configuration;
    assert_eq!(plant(&mut configuration, CANARY), 6, "the contract has six secrets");
    configuration
}

fn request() -> Value {
    let mut request: Value = serde_json::from_str(&read("nbc/ubuntu.json")).expect("JSON");
    plant_in_request(&mut request);
    request
}

/// Puts the canary into every secret of a NodeBootstrappingConfiguration.
fn plant_in_request(request: &mut Value) {
    let properties = &mut request["ContainerService"]["properties"];
    properties["servicePrincipalProfile"] = json!({"clientId": "id", "secret": CANARY});
    properties["certificateProfile"]["clientPrivateKey"] = CANARY.into();
    properties["linuxProfile"]["customSearchDomain"] =
        json!({"name": "contoso.com", "realmUser": "user", "realmPassword": CANARY});
    request["HTTPProxyConfig"] =
        json!({"httpProxy": format!("http://u:{CANARY}@p:1/"), "httpsProxy": format!("http://u:{CANARY}@p:1/")});
    request["KubeletClientTLSBootstrapToken"] = CANARY.into();
}

fn objects() -> Objects {
    let text = |name: &str| read(&format!("karpenter/{name}"));
    let settings = text("settings.yaml");
    let (before, rest) = settings.split_once("KUBELET_BOOTSTRAP_TOKEN:").expect("the setting is there");
    let after = rest.split_once('\n').expect("it has a line").1;
    let settings = format!("{before}KUBELET_BOOTSTRAP_TOKEN: {CANARY}\n{after}");
    Objects {
        claim: NodeClaim::from_document(text("node_claim.yaml").as_bytes()).expect("valid").0,
        class: NodeClass::from_document(text("node_class.yaml").as_bytes()).expect("valid").0,
        settings: Settings::from_document(settings.as_bytes()).expect("valid").0,
        cluster: Cluster::from_document(text("cluster.yaml").as_bytes()).expect("valid").0,
        instance_type: InstanceType::from_document(text("instance_type.json").as_bytes()).expect("valid").0,
    }
}

/// Looks at everything that an input leads to.
fn look_at_everything(input: &Input, shown: &mut Shown) {
    shown.look("Input", input);
    let image = ImageContents::default();
    let image = input.image(&image);
    let environment = input.assignments(&image).unwrap_or_else(|error| panic!("{error}"));
    assert!(environment.iter().any(|assignment| assignment.value.expose().contains(CANARY)), "it was not planted");
    shown.look("Environment", &environment);
    environment.iter().for_each(|assignment| shown.look("Assignment", assignment));
    for route in Route::ALL {
        let request = Request { route, ..Request::default() };
        shown.look("Request", &request);
        let Ok(delivery) = request.render(input) else { continue };
        shown.look("CustomData", &delivery.custom_data);
        shown.look("Delivery", &delivery);
        let inspection = inspect(delivery.to_json().to_string().as_bytes(), &request.image);
        shown.look("Inspection", &inspection);
        inspection.files.iter().for_each(|file| shown.look("FoundFile", file));
        shown.look("Warning", &inspection.warnings);
        shown.look("FoundLayer", &inspection.layers);
        for secret in inspection.secret_places() {
            shown.look("FoundSecret", &secret);
            shown.look("SecretPlace", &secret.places);
        }
        shown.look("Run", &inspection.runs);
        let nothing = inspect(b"#!/bin/bash\nTLS_BOOTSTRAP_TOKEN=another-0123456789\n", &request.image);
        look_at_differences(&diff(&inspection, &nothing, Rules::Meaning), shown);
        request.layers(input).expect("what renders has layers").iter().for_each(|layer| shown.look("Layer", layer));
    }
}

fn look_at_differences(found: &Differences, shown: &mut Shown) {
    shown.look("Differences", found);
    shown.look("Differences", &found.to_json(false));
    let mut details: Vec<&Detail> = found.configuration.iter().chain(&found.command).chain(&found.runs).collect();
    for text in found.variables.iter().chain(&found.documents) {
        shown.look("ChangedText", text);
        details.extend(&text.details);
        text.a.iter().chain(&text.b).for_each(|value| shown.look("SideValue", value));
    }
    for file in &found.files {
        shown.look("ChangedFile", file);
        details.extend(&file.details);
    }
    for detail in details {
        shown.look("Detail", detail);
    }
}

/// Looks at what is said about a failure whose line has the canary.
fn look_at_explanations(shown: &mut Shown) {
    let failure = format!("E1122 05:54:15.1 1 x.go:1] Unable to register node: Unauthorized token={CANARY} {CANARY}");
    let explanation = explain(&failure).expect("it is a failure");
    assert!(explanation.evidence.is_some(), "the line is not shown: {explanation:?}");
    shown.look("Explanation", &explanation);
    shown.look("Explanation", &explanation.to_json());
    shown.look("Cause", &explanation.causes);
    shown.look("Condition", &explanation.condition());
    shown.look("NoFailure", &explain(&format!("nothing failed, token={CANARY}")).expect_err("it is no failure"));
}

/// Looks at the errors that documents with the canary in a wrong place lead to.
fn look_at_errors(shown: &mut Shown) {
    let mut look = |name, error: &(dyn Debug + 'static), text: String| {
        shown.look(name, error);
        shown.look(name, &text);
    };
    for document in [
        json!({"version": "v1", "bootstrapping_config": {"tls_bootstrapping_token": [CANARY]}}),
        json!({"version": "v1", "auth_config": {"service_principal_secret": {CANARY: CANARY}}}),
        json!({"ContainerService": {}, "KubeletClientTLSBootstrapToken": [CANARY]}),
        json!({"arch": "amd64", "ca_bundle": "", "kubelet_client_tls_bootstrap_token": [CANARY]}),
        json!(CANARY),
        json!([CANARY]),
    ] {
        let report = Reading::new(None, document.to_string().as_bytes(), &Checks::default()).report;
        assert!(!report.is_valid(), "{document}");
        for finding in &report.findings {
            look("Finding", &finding.clone(), finding.to_string());
            look("Problem", &finding.problem.clone(), finding.problem.to_string());
        }
    }
    let mut configuration = configuration();
    let token = &mut configuration.bootstrapping_config.get_or_insert_default().tls_bootstrapping_token;
    *token = Some(format!("{CANARY}\0"));
    let error = Request::default().render(&configuration).expect_err("a variable cannot contain U+0000");
    look("Unrepresentable", &error.clone(), error.to_string());
    let token = &mut configuration.bootstrapping_config.get_or_insert_default().tls_bootstrapping_token;
    *token = Some(format!("{CANARY}\n{CANARY}=").repeat(20_000));
    let request = Request { compression: Compression::Never, ..Request::default() };
    let error = request.render(&configuration).expect_err("it is too large");
    look("RenderError", &error.clone(), error.to_string());
    let RenderError::TooLarge(too_large) = error else { panic!("{error}") };
    look("TooLarge", &too_large.clone(), too_large.to_string());
    too_large.contributors.iter().for_each(|contributor| look("Contributor", &contributor.clone(), String::new()));
}

#[test]
fn no_public_type_shows_a_secret() {
    let mut shown = Shown(BTreeSet::new());
    shown.look("Secret", &Secret::from(CANARY));

    let configuration = configuration();
    let text = configuration.to_json();
    shown.look("Source", &Source::new(text.as_bytes()).expect("text"));
    shown.look("Decoded", &Configuration::from_document(text.as_bytes()).expect("it decodes"));
    let documents = [text, request().to_string(), convert(&objects()).inputs.to_json().to_string()];
    for document in &documents {
        let reading = Reading::new(None, document.as_bytes(), &Checks::default());
        shown.look("Reading", &reading);
        shown.look("Report", &reading.report);
        let Some(input) = reading.input else { panic!("{}", reading.report) };
        if let Input::Nbc(nbc) = &input {
            shown.look("Nbc", nbc);
            shown.look("CommandRequest", &nbc.command_request().expect("the document has one"));
        }
        if let Input::Karpenter(inputs) = &input {
            shown.look("BootstrapInputs", inputs);
        }
        look_at_everything(&input, &mut shown);
    }

    let objects = objects();
    shown.look("Settings", &objects.settings);
    shown.look("Objects", &objects);
    shown.look("Converted", &convert(&objects));

    look_at_errors(&mut shown);
    look_at_explanations(&mut shown);

    let item = Item {
        path: "provision.json".to_owned(),
        source: LogSource::Result,
        text: format!(r#"{{"ExitCode":"50","Error":"the token {CANARY} is not accepted"}}"#),
        left_out: 0,
        modified: None,
    };
    shown.look("Item", &item);
    let mut evidence = Evidence { items: vec![item], ..Evidence::default() };
    shown.look("Evidence", &evidence);
    let redactor = Redactor::new(&[Secret::from(CANARY)]);
    shown.look("Redactor", &redactor);
    shown.look("Redacted", &redactor.redact(CANARY));
    shown.look("RedactedJson", &redactor.redact_json(&json!({"token": CANARY, CANARY: [CANARY]})));
    evidence.redact(&redactor);
    let diagnosis = diagnose(&evidence);
    shown.look("Diagnosis", &diagnosis);
    shown.look("Timings", &diagnosis.timings);
    shown.look("Changes", &Changes::between(&diagnosis.timings, &diagnosis.timings));

    #[cfg(feature = "node")]
    {
        let image = ImageContents::default();
        let environment = Environment::new(&configuration, &image);
        let line = Request { route: Route::Scripted, ..Request::default() }.render(&configuration).expect("it renders");
        let line = line.cse.expect("the route has a command");
        let assignments = aks_node_controller::inspection::CommandAssignments::scan(line.expose());
        shown.look("CommandAssignments", &assignments);
        let pairs = environment.pairs().expect("every value can be passed on");
        let comparison = aks_node_controller::difference::Comparison::of(pairs, &assignments);
        shown.look("Comparison", &comparison);
        comparison.0.iter().for_each(|difference| shown.look("Difference", difference));
    }

    let all = public_types();
    let harmless: BTreeSet<_> = HARMLESS.iter().copied().collect();
    let unknown: Vec<_> =
        all.iter().filter(|name| !shown.0.contains(name.as_str()) && !harmless.contains(name.as_str())).collect();
    assert!(unknown.is_empty(), "look at these types too, or list them as harmless: {unknown:?}");
    let stale: Vec<_> = harmless.iter().filter(|name| !all.contains(**name)).collect();
    assert!(stale.is_empty(), "these types are gone: {stale:?}");
}

/// The paths of all secret fields of the contract, as names.
fn secret_fields(descriptor: &'static Descriptor, path: &[&'static str], found: &mut Vec<Vec<&'static str>>) {
    for field in descriptor.fields {
        let path = [path, &[field.name]].concat();
        match field.kind {
            Kind::Message(inner) if field.label == Label::Optional => secret_fields(inner, &path, found),
            _ if field.secret => found.push(path),
            _ => {}
        }
    }
}

/// Checks that a document that holds nothing but a secret, `canary` or `424242` in it, is rejected without showing it.
fn assert_hidden(document: &str, kind: Option<InputKind>) {
    let reading = Reading::new(kind, document.as_bytes(), &Checks { values: true, ..Checks::default() });
    let settings = Settings::from_document(document.as_bytes()).expect_err("settings are missing");
    let source = Source::new(document.as_bytes());
    assert!(!reading.report.is_valid(), "{document}");
    for text in [
        format!("{} {:?} {:#?}", reading.report, reading.report, reading.report),
        format!("{settings} {settings:?}"),
        format!("{source:?}"),
    ] {
        assert!(!text.contains("canary") && !text.contains("424242"), "{document}: {text}");
    }
}

#[test]
fn a_document_that_is_only_a_secret_is_not_shown() {
    for secret in [CANARY, "424242", "424242.424242"] {
        for document in [
            format!("\"{secret}\""),
            secret.to_owned(),
            format!("\u{feff}{secret}"),
            format!("[\"{secret}\"]"),
            format!("- {secret}\n"),
        ] {
            for kind in [None, Some(InputKind::Configuration), Some(InputKind::Nbc), Some(InputKind::Karpenter)] {
                assert_hidden(&document, kind);
            }
        }
    }
}

#[test]
fn a_secret_with_a_wrong_type_is_not_shown() {
    let mut paths = Vec::new();
    secret_fields(Configuration::default().descriptor(), &[], &mut paths);
    assert_eq!(paths.len(), 6, "the contract has six secrets");
    let of_others = [
        (InputKind::Nbc, vec!["KubeletClientTLSBootstrapToken"]),
        (InputKind::Karpenter, vec!["kubelet_client_tls_bootstrap_token"]),
        // Settings are no input: this only has to be hidden.
        (InputKind::Karpenter, vec!["KUBELET_BOOTSTRAP_TOKEN"]),
    ];
    for (kind, path) in paths.into_iter().map(|path| (InputKind::Configuration, path)).chain(of_others) {
        for value in ["[canary]", "{canary: canary}", "424242", "424242.5", "[{canary: canary}]"] {
            let nested = path.iter().rev().fold(value.to_owned(), |inner, name| format!("{{{name}: {inner}}}"));
            // A flow mapping starts like JSON; with the comment in front, the document is YAML.
            assert_hidden(&format!("# YAML\n{nested}\n"), Some(kind));
            let value = value.replace("canary", "\"canary\"");
            let nested = path.iter().rev().fold(value, |inner, name| format!("{{\"{name}\": {inner}}}"));
            assert_hidden(&nested, Some(kind));
        }
    }
}

#[test]
fn findings_about_values_do_not_show_secrets() {
    let document = read("examples/http-proxy-own-ca.yaml");
    for planted in ["canary", "canary\"$ \n", "\0canary", "-----BEGIN canary-----"] {
        let decoded = Configuration::from_document(document.as_bytes()).expect("the example decodes");
        let mut configuration = decoded.configuration;
        plant(&mut configuration, planted);
        let findings = check(&configuration, Some(Today(1_900_000_000)));
        assert!(!findings.is_empty());
        for finding in findings {
            let all = format!("{finding} {:?} {finding:?}", finding.hint);
            assert!(!all.contains("canary"), "{all}");
        }
    }
}

/// Public types that hold nothing of a secret: choices, names, positions, rows of tables, values that are public.
const HARMLESS: &[&str] = &[
    "Check",
    "Meaning",
    "Moment",
    "Phase",
    "Row",
    "Source",
    // Parts of `Timings`.
    "StartupPhase",
    "TimedPhase",
    "TimedStep",
    "Artefact",
    "AwaitNode",
    "BakeError",
    "Carrier",
    "Change",
    "Checks",
    "Cluster",
    "Components",
    "Compression",
    "DeliveredFile",
    "Derivation",
    "Descriptor",
    "DocPath",
    "ClusterDocument",
    "DocumentKind",
    "Endpoint",
    "EnumDescriptor",
    "EnumValue",
    // Codes and texts of this program.
    "FetchError",
    "FetchRequest",
    "Field",
    "FileChange",
    "Form",
    "GalleryImage",
    "ImageContents",
    "ImageError",
    "ImageFamily",
    "ImageSource",
    "ImageVersions",
    // A path, an error of the system, or the findings that are looked at above.
    "InputError",
    "InputFile",
    "InputKind",
    "InstanceType",
    "KarpenterObject",
    "KataRuntimes",
    "Kind",
    "KubeletConfig",
    "Label",
    "LaunchTemplate",
    "Loss",
    "Machine",
    "MachineFacts",
    "NodeClaim",
    "NodeClass",
    "OtherKind",
    "Part",
    "Place",
    "Position",
    "Provenance",
    "ProvisionRequest",
    "Requirement",
    "ResolvedImage",
    "RetryError",
    "RetryPlan",
    "RetryRequest",
    "Route",
    "Rule",
    "Rules",
    "SecretLocation",
    "SecretPlacement",
    "Setting",
    "Severity",
    "Stage",
    // Borrowed values of any field; neither has `Debug`.
    "Slot",
    "SlotMut",
    "State",
    "Step",
    "Storage",
    "Subnet",
    "Taint",
    "Today",
    "TrustedLaunch",
    "Unit",
    "Unread",
    "UnusableRoot",
    "Verdict",
    "Version",
    // Its assignment is looked at.
    "UnmetDemand",
    "VmSize",
    // The result document, from which `provision` has removed every secret; `src/node` tests that.
    "WaitResult",
    "WaitRequest",
];

/// Names of all public types that are written by hand. The generated ones are fields of a Configuration.
fn public_types() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut left = [
        "configuration",
        "delivery",
        "diagnosis",
        "difference",
        "document",
        "environment",
        "explain",
        "inputs",
        "inspection",
        "moment.rs",
        "node",
        "redaction",
        "secret.rs",
    ]
    .map(|module| Path::new(ROOT).join("src").join(module))
    .to_vec();
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(fs::read_dir(&path).expect("a directory").map(|entry| entry.expect("an entry").path()));
            continue;
        }
        if path.ends_with("configuration/contract.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("text");
        for line in text.lines().map(str::trim_start) {
            let rest = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "));
            let name = rest.and_then(|rest| rest.split(|character: char| !character.is_alphanumeric()).next());
            found.extend(name.map(str::to_owned));
        }
    }
    found
}
