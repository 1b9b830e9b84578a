//! The law of validation: a document that `validate` accepts passes the input checks of the node's scripts, and one that it
//! rejects because of a demand does not. The scripts are those that an image gets, run by bash on the rendered variables. There
//! are no exceptions.

mod forms;
mod mutation;

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use aks_node_controller::catalogue::demands::{Checker, DEMANDS, Form};
use aks_node_controller::configuration::Configuration;
use aks_node_controller::environment::{Environment, ImageContents};
use aks_node_controller::inputs::{Checks, InputKind, NodeInput, Reading};
use serde_json::Value;

use self::mutation::Mutation;
use crate::shells::arbitrary;
use crate::support::{Scratch, needs, shipped};

/// The scripts that the checks and their helpers are in.
fn scripts() -> &'static str {
    static SCRIPTS: OnceLock<String> = OnceLock::new();
    SCRIPTS.get_or_init(|| shipped("provision_source.sh") + &shipped("provision_configs.sh"))
}

/// Returns what a script prints that has the functions of the node's scripts.
fn output(script: &str) -> String {
    let scratch = Scratch::new("demands");
    let file = scratch.join("checks.sh");
    fs::write(&file, format!("set -uo pipefail\nexport LC_ALL=C\n{}\n{script}", scripts())).expect("written");
    let ended = Command::new("bash").arg("--norc").arg(&file).env_clear().env("PATH", "/usr/bin:/bin").output();
    let ended = ended.expect("bash runs");
    assert!(ended.stderr.is_empty(), "{}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8_lossy(&ended.stdout).into_owned()
}

/// Runs the checks on several environments. Returns the problems of each.
fn problems(environments: &[String]) -> Vec<String> {
    // Instead of the end of the run, the problems are kept.
    let mut script = String::from("fail() { found+=\"$2; \"; }\n");
    for environment in environments {
        writeln!(
            script,
            "found= PROBLEMS=\n{environment}checkBaseInputs\nPROBLEMS=\n\
             on PRE_PROVISION_ONLY || checkNodeInputs\nprintf '%s\\0' \"$found\""
        )
        .expect("text takes text");
    }
    let text = output(&script);
    let found: Vec<_> = text.split_terminator('\0').map(str::to_owned).collect();
    assert_eq!(found.len(), environments.len(), "bash reports on every document");
    found
}

/// Returns the assignments of the variables that are checked, as a script writes them. Every other checked variable is
/// unset. `None` if a value has U+0000, which the document is rejected for.
fn rendered(environment: &Environment<'_>) -> Option<String> {
    let names: Vec<_> = DEMANDS.iter().flat_map(|demand| [Some(demand.variable), demand.when]).flatten().collect();
    let mut text = format!("unset {} PRE_PROVISION_ONLY\n", names.join(" "));
    for assignment in environment.iter() {
        let name = &*assignment.name;
        if names.contains(&name) || name == "PRE_PROVISION_ONLY" {
            let value = assignment.value.expose();
            if value.contains('\0') {
                return None;
            }
            writeln!(text, "{name}={}", assignment.quoting.word(value)).expect("text takes text");
        }
    }
    Some(text)
}

/// What is expected of bash for one document.
struct Expected {
    document: String,
    is_valid: bool,
    /// The variables whose demands are not met, with the check.
    unmet: Vec<(&'static str, Form)>,
}

fn expected(kind: InputKind, document: &str) -> Option<(Expected, String)> {
    let judged = Reading::new(Some(kind), document.as_bytes(), &Checks { values: true, ..Checks::default() });
    let is_valid = judged.report.is_valid();
    let input = judged.input.or_else(|| Reading::new(Some(kind), document.as_bytes(), &Checks::default()).input)?;
    let given = ImageContents::default();
    let image = input.image(&given);
    let environment = input.assignments(&image).ok()?;
    let text = rendered(&environment)?;
    let unmet = environment.unmet_demands();
    let is_checked = |checker: Checker| matches!(checker, Checker::BaseInputs | Checker::NodeInputs);
    let unmet = unmet.iter().filter(|unmet| is_checked(unmet.demand.checked_by));
    let unmet = unmet.map(|unmet| (unmet.demand.variable, unmet.demand.form)).collect();
    Some((Expected { document: document.to_owned(), is_valid, unmet }, text))
}

/// Tries the law on so many documents that are made from some others. `make hostile` sets `MUTATIONS`, by which they are multiplied.
fn law(kind: InputKind, documents: &[Value], count: usize) {
    let times = std::env::var("MUTATIONS").map_or(1, |times| times.parse().expect("MUTATIONS is a number"));
    let count: usize = count * times;
    if !needs::programs(&[("bash", "bash")]) {
        return;
    }
    let mut mutation = Mutation::new();
    let (mut tried, mut valid, mut rejected) = (0, 0, 0);
    while tried < count {
        let mut chunk = Vec::new();
        while chunk.len() < 500.min(count - tried) {
            let base = mutation.below(documents.len());
            let document = mutation.of(&documents[base]).to_string();
            chunk.extend(expected(kind, &document));
        }
        tried += chunk.len();
        let (expected, environments): (Vec<_>, Vec<_>) = chunk.into_iter().unzip();
        for (expected, found) in expected.iter().zip(problems(&environments)) {
            let document = &expected.document;
            assert!(!expected.is_valid || found.is_empty(), "a node rejects what is valid: {found}\n{document}");
            assert_eq!(expected.unmet.is_empty(), found.is_empty(), "{:?}: {found}\n{document}", expected.unmet);
            for (variable, form) in &expected.unmet {
                let problem = match form {
                    Form::Given => format!("{variable} is empty"),
                    _ => format!("{variable} must be {}", form.words()),
                };
                assert!(found.contains(&problem), "{problem}: {found}\n{document}");
            }
            valid += usize::from(expected.is_valid);
            rejected += usize::from(!expected.unmet.is_empty());
        }
    }
    eprintln!("{tried} documents: {valid} valid, {rejected} rejected by the scripts");
    assert!(valid * 50 > tried && rejected * 50 > tried, "both kinds are tried: {valid} and {rejected} of {tried}");
}

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("the document is there");
    serde_json::from_str(&text).expect("it is JSON")
}

fn testdata(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name)
}

#[test]
fn a_configuration_is_valid_only_if_the_scripts_accept_its_variables() {
    let mut documents: Vec<_> = fs::read_dir(testdata("examples"))
        .expect("the directory is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    documents.sort();
    documents.push(testdata("compatibility/v1.json"));
    let documents: Vec<_> = documents
        .iter()
        .map(|path| {
            let decoded = Configuration::from_document(&fs::read(path).expect("readable")).expect("it decodes");
            serde_json::from_str(&decoded.configuration.to_json()).expect("JSON")
        })
        .collect();
    law(InputKind::Configuration, &documents, 4_000);
}

#[test]
fn a_configuration_of_hostile_texts_is_judged_as_the_scripts_judge_it() {
    let mut source = arbitrary::Source::new();
    let chunk: Vec<_> =
        (0..1000).filter_map(|_| expected(InputKind::Configuration, &source.configuration().to_json())).collect();
    let (expected, environments): (Vec<_>, Vec<_>) = chunk.into_iter().unzip();
    assert!(expected.len() > 500, "only {} have an environment", expected.len());
    for (expected, found) in expected.iter().zip(problems(&environments)) {
        assert_eq!(expected.unmet.is_empty(), found.is_empty(), "{:?}: {found}\n{}", expected.unmet, expected.document);
    }
}

#[test]
fn a_node_bootstrapping_configuration_is_valid_only_if_the_scripts_accept_its_variables() {
    let documents = ["nbc/every_field.json", "nbc/ubuntu.json"].map(|name| json(&testdata(name)));
    law(InputKind::Nbc, &documents, 2_000);
}

#[test]
fn inputs_of_karpenter_are_valid_only_if_the_scripts_accept_their_variables() {
    law(InputKind::Karpenter, &[json(&testdata("scenarios/karpenter/inputs.snap.json"))], 700);
}
