//! Tests that no secret is shown: every secret variable has a canary, and no output of this module contains it.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, thread};

use serde_json::Value;

use super::child::{ChildProcess, TerminationSignals};
use super::inputs::{self, Input};
use super::plan::Plan;
use super::report::{Ending, Reporter, log_end};
use super::{Log, Machine, ProvisionRequest, dry_run};
use crate::catalogue::variables::VARIABLES;
use crate::difference::Comparison;
use crate::inspection::CommandAssignments;
use crate::test_directory::TestDirectory;

const CANARY: &str = "canary-4f1d2a7c";

/// A value with the canary that is valid as a token, a password and a URL.
const VALUE: &str = "http://user:canary-4f1d2a7c@proxy:3128";

/// The fields that lead to secret variables.
const SECRET_FIELDS: [[&str; 2]; 6] = [
    ["auth_config", "service_principal_secret"],
    ["bootstrapping_config", "tls_bootstrapping_token"],
    ["custom_search_domain_config", "realm_password"],
    ["http_proxy_config", "http_proxy"],
    ["http_proxy_config", "https_proxy"],
    ["kubelet_config", "kubelet_client_key"],
];

/// Prints every variable that has the canary, to both streams.
const PRINT_CANARIES: &str = "env | grep canary-4f1d2a7c; env | grep canary-4f1d2a7c >&2; exit 3";

fn secret_variables() -> impl Iterator<Item = &'static str> {
    VARIABLES.iter().filter(|variable| variable.secret).map(|variable| variable.name)
}

fn configuration() -> Value {
    let example = include_str!("../../testdata/examples/arm64-minimal.json");
    let mut document: Value = serde_json::from_str(example).expect("the example is JSON");
    for [section, field] in SECRET_FIELDS {
        document[section][field] = VALUE.into();
    }
    document
}

/// A machine in a directory with both inputs.
struct Node {
    root: TestDirectory,
    machine: Machine,
}

impl Node {
    fn new() -> Self {
        let root = TestDirectory::new();
        let machine = Machine::below(&root).expect("the temporary directory has a plain name");
        let node = Self { root, machine };
        node.write("configuration.json", &configuration().to_string());
        let assignments: Vec<_> = secret_variables().map(|name| format!("{name}=\"{VALUE}\"")).collect();
        // An apostrophe in a value, written as ShellWord does.
        let command = format!("ADMINUSER='it'\\''s' {} bash -c '{PRINT_CANARIES}'", assignments.join(" "));
        node.write("command.sh", &command);
        node.write("opt/azure/containers/provision_start.sh", PRINT_CANARIES);
        node
    }

    fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("writable");
        fs::write(&path, text).expect("writable");
        path
    }

    fn requests(&self) -> [ProvisionRequest; 2] {
        [
            ProvisionRequest { configuration: Some(self.root.join("configuration.json")), command: None },
            ProvisionRequest { configuration: None, command: Some(self.root.join("command.sh")) },
        ]
    }

    fn input(&self, request: &ProvisionRequest) -> Input {
        inputs::read(&self.machine, request, Duration::ZERO, &Log::open(&self.machine)).expect("the input is valid")
    }
}

fn has_no_canary(what: &str, text: &str) {
    assert!(!text.contains(CANARY), "{what} shows a secret: {text}");
}

fn debug_has_no_canary(value: &impl Debug) {
    has_no_canary("Debug", &format!("{value:?} {value:#?}"));
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() { files.extend(files_below(&entry)) } else { files.push(entry) }
    }
    files
}

#[test]
fn the_plan_and_what_leads_to_it_show_no_secret() {
    let node = Node::new();
    for request in node.requests() {
        let input = node.input(&request);
        debug_has_no_canary(&input);
        debug_has_no_canary(&request);
        let plan = Plan::new(input, &node.machine);
        for name in secret_variables() {
            let value = plan.variables().into_iter().find(|(other, _)| *other == name).map(|(_, value)| value.expose());
            assert!(value.is_some_and(|value| value.contains(CANARY)), "{name} has no canary: {request:?}");
        }
        debug_has_no_canary(&plan);
        debug_has_no_canary(&plan.secrets());
        has_no_canary("the command line", &plan.command_line());
        has_no_canary("the dry run", &dry_run(&node.machine, &request).expect("the input is valid"));
    }
    let assignments = CommandAssignments::scan(&fs::read_to_string(node.root.join("command.sh")).expect("readable"));
    debug_has_no_canary(&assignments);
    let comparison = Comparison::of([("TLS_BOOTSTRAP_TOKEN", "another")], &assignments);
    debug_has_no_canary(&comparison);
    has_no_canary("the comparison", &comparison.to_string());
    for file in files_below(&node.root.join("var")) {
        has_no_canary(&file.display().to_string(), &fs::read_to_string(&file).expect("text"));
    }
}

#[test]
fn an_attempt_shows_no_secret() {
    for number in 0..2 {
        let node = Node::new();
        let plan = Plan::new(node.input(&node.requests()[number]), &node.machine);
        let log = Log::open(&node.machine);
        let signals = TerminationSignals::none();
        let secrets = Arc::new(plan.secrets());
        let child = ChildProcess::start(plan.command(), &signals, &secrets, &log).expect("bash starts");
        debug_has_no_canary(&child);
        let finished = child.wait(&signals, Duration::from_mins(1), &log);
        assert!(finished.stdout.contains("TLS_BOOTSTRAP_TOKEN=[redacted]\n"), "{finished:?}");
        assert!(finished.stderr.contains("PROXY_VARS=[redacted]\n"), "{finished:?}");
        debug_has_no_canary(&finished);
        let mut reporter = Reporter::new(&node.machine, plan.completion(), &secrets, &log);
        let ending = Ending::of_child(&finished, || false);
        let outcome = reporter.conclude(&ending);
        log_end(&log, &finished, &outcome);
        debug_has_no_canary(&(&reporter, &ending, &outcome));
        assert_eq!(outcome.exit_code, 3);
        let files = files_below(&node.root.join("var"));
        assert!(files.iter().any(|file| file.ends_with("provision.json")), "{files:?}");
        for file in files {
            has_no_canary(&file.display().to_string(), &fs::read_to_string(&file).expect("text"));
        }
    }
}

#[test]
fn errors_about_the_inputs_show_no_secret() {
    let text = configuration().to_string();
    let with_token = |token: Value| {
        let mut document = configuration();
        document["bootstrapping_config"]["tls_bootstrapping_token"] = token;
        document.to_string()
    };
    let at = text.find(CANARY).expect("it has the canary") + CANARY.len();
    let documents = [
        text[..at].to_owned(),
        text.replacen('{', "[", 1),
        text.replace("\"v1\"", "\"v9\""),
        text.replacen('{', &format!("{{\"version\":\"{VALUE}\",\"version\":\"v1\","), 1),
        with_token(vec![VALUE].into()),
        with_token(serde_json::json!({"value": VALUE})),
        with_token(format!("{VALUE}\0").into()),
        format!("bootstrapping_config:\n  tls_bootstrapping_token: {VALUE}: {VALUE}\n"),
        format!("bootstrapping_config:\n  tls_bootstrapping_token: \"{VALUE}\n"),
        format!("\"{VALUE}\""),
        format!("[\"{VALUE}\"]"),
        VALUE.to_owned(),
    ];
    let node = Node::new();
    thread::scope(|scope| {
        for (number, document) in documents.iter().enumerate() {
            let node = &node;
            scope.spawn(move || {
                let path = node.write(&format!("invalid-{number}"), document);
                let request = ProvisionRequest { configuration: Some(path), command: None };
                let error = inputs::read(&node.machine, &request, Duration::ZERO, &Log::open(&node.machine))
                    .expect_err(document);
                debug_has_no_canary(&error);
                has_no_canary("the error", &error.to_string());
                let error = dry_run(&node.machine, &request).expect_err(document);
                has_no_canary("the error of a dry run", &error.to_string());
            });
        }
    });
    let directory = ProvisionRequest { command: Some(node.root.to_path_buf()), configuration: None };
    let error =
        inputs::read(&node.machine, &directory, Duration::ZERO, &Log::open(&node.machine)).expect_err("a directory");
    assert!(error.to_string().ends_with("is not a regular file"), "{error}");
    for file in files_below(&node.root.join("var")) {
        has_no_canary(&file.display().to_string(), &fs::read_to_string(&file).expect("text"));
    }
}
