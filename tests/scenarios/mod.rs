//! Snapshots of everything that the program makes from the documents under `testdata/`, so that a change of output is seen in
//! review. They are snapshots of insta: `cargo insta review` shows what changed, and `make generate-testdata` (that is,
//! `INSTA_UPDATE=always`) accepts all of it. `testdata/README.md` describes the directories.
//!
//! The law of these snapshots: whoever changes one character of a template or part sees one of them fail. `make snapshot-coverage`
//! proves it.

mod api;
mod configurations;
mod images;
mod karpenter;
mod layers;
mod nbc;
mod rejected;
mod resources;
mod snapshots;
mod validation;

use std::fs;
use std::path::Path;
use std::process::Command;

use snapshots::Snapshots;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata");

/// The program with some arguments, run where the test data is: its stdout and stderr.
fn program(arguments: &[&str]) -> (String, String) {
    let ended = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"))
        .args(arguments)
        .current_dir(TESTDATA)
        .env("NO_COLOR", "1")
        .output()
        .expect("cargo built the program");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes text");
    (text(ended.stdout), text(ended.stderr))
}

#[test]
fn help_says_what_is_kept() {
    let mut snapshots = Snapshots::below("help");
    let (help, _) = program(&["--help"]);
    snapshots.text("help", &help);
    let (_, commands) = help.split_once("Commands:\n").expect("it lists the commands");
    let commands = commands.split("\n\n").next().expect("the list ends");
    for line in commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
        let command = line.split_whitespace().next().expect("a name");
        if command != "help" {
            snapshots.text(command, &program(&[command, "--help"]).0);
        }
    }
    snapshots.has_no_others();
}

#[test]
fn the_contract_of_the_first_release_stays_readable() {
    use aks_node_controller::configuration::Configuration;
    let text = fs::read_to_string(Path::new(TESTDATA).join("compatibility/v1.json")).expect("the document is there");
    let decoded = Configuration::from_document(text.as_bytes()).expect("it decodes");
    assert!(decoded.report.findings.is_empty(), "{}", decoded.report);
    assert_eq!(decoded.configuration.to_json() + "\n", text);
}
