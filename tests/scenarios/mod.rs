//! Every built-in example through the whole way: what comes out stands under testdata/scenarios as plain files, so
//! that a change of output is seen in review. Broken documents stand under testdata/rejected beside their reports.
//!
//! `make generate-testdata` (that is, `INSTA_UPDATE=always`) writes all of it anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aks_node_controller::document::rules::RULES;

use crate::support::Scratch;

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

fn examples() -> Vec<(String, String)> {
    let entries = fs::read_dir(Path::new(TESTDATA).join("examples")).expect("the examples are there");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("a readable entry").file_name().to_string_lossy().into_owned())
        .map(|file| (file.split('.').next().expect("a name").to_owned(), file))
        .collect();
    names.sort();
    assert!(names.len() >= 10);
    names
}

/// All files below a folder, by their path in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(here) = left.pop() {
        let Ok(entries) = here.read_dir() else { continue };
        for entry in entries {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                left.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("artefacts are text");
                found.insert(path.strip_prefix(folder).expect("it is below").to_owned(), text);
            }
        }
    }
    found
}

/// Compares files with those that are kept, or keeps them.
fn check(folder: &Path, made: &BTreeMap<PathBuf, String>) {
    if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
        let _ = fs::remove_dir_all(folder);
        for (name, text) in made {
            let file = folder.join(name);
            fs::create_dir_all(file.parent().expect("a file is in a folder")).expect("testdata is writable");
            fs::write(file, text).expect("testdata is writable");
        }
        return;
    }
    let kept = files(folder);
    for (name, text) in made {
        let kept = kept.get(name).unwrap_or_else(|| panic!("{} is not there", folder.join(name).display()));
        assert!(kept == text, "{} would change; see `make generate-testdata`", folder.join(name).display());
    }
    let stale: Vec<_> = kept.keys().filter(|name| !made.contains_key(*name)).collect();
    assert!(stale.is_empty(), "{}: nothing makes {stale:?} any more", folder.display());
}

#[test]
fn every_example_gives_what_is_kept() {
    for (name, file) in examples() {
        let scratch = Scratch::new("scenario");
        let mut made = BTreeMap::new();
        let document = format!("examples/{file}");
        let mut routes = vec![("scriptless", "scriptless", None)];
        if name != "flatcar" {
            routes.push(("node-bootstrap-variables", "node-bootstrap-variables", None));
        }
        if name == "ubuntu-azure-cni" {
            routes.push(("scriptless-write-files", "scriptless", Some("write-files")));
        }
        for (folder, route, form) in routes {
            let out = scratch.join(folder);
            let out = out.to_str().expect("a path of ours is text");
            let mut arguments =
                vec!["generate", "--config", &document, "--route", route, "--format", "files", "--out", out];
            arguments.extend(form.iter().flat_map(|form| ["--custom-data-form", form]));
            let (stdout, stderr) = program(&arguments);
            assert!(!stdout.is_empty(), "{name}, {folder}: {stderr}");
        }
        made.extend(files(&scratch));
        made.insert("environment.txt".into(), program(&["env", "--config", &document]).0);
        made.insert("report.txt".into(), program(&["validate", &document]).0);
        check(&Path::new(TESTDATA).join("scenarios").join(&name), &made);
    }
}

#[test]
fn karpenters_objects_give_what_is_kept() {
    let objects = [
        "--node-claim",
        "karpenter/node_claim.yaml",
        "--node-class",
        "karpenter/node_class.yaml",
        "--settings",
        "karpenter/settings.yaml",
        "--cluster",
        "karpenter/cluster.yaml",
        "--instance-type",
        "karpenter/instance_type.json",
    ];
    let convert = [&["convert", "--from", "karpenter"][..], &objects].concat();
    let (inputs, notes) = program(&convert);
    let scratch = Scratch::new("scenario");
    let out = scratch.to_str().expect("a path of ours is text");
    let generate = [&["generate", "--format", "files", "--out", out][..], &objects].concat();
    program(&generate);
    let mut made = files(&scratch);
    made.insert("inputs.json".into(), inputs);
    made.insert("notes.txt".into(), notes);
    made.insert("explained.json".into(), program(&[&convert[..], &["--explain"]].concat()).0);
    made.insert("launch_template.json".into(), program(&[&convert[..], &["--launch-template"]].concat()).0);
    check(&Path::new(TESTDATA).join("scenarios/karpenter"), &made);
}

#[test]
fn a_broken_document_earns_the_report_that_is_kept() {
    let folder = Path::new(TESTDATA).join("rejected");
    let mut documents: Vec<_> = fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|file| file.is_file() && file.extension().is_some_and(|extension| extension != "report"))
        .collect();
    documents.sort();
    assert!(documents.len() >= 10);
    for document in documents {
        let name = document.file_name().expect("a name").to_str().expect("our names are text");
        let (report, _) = program(&["validate", &format!("rejected/{name}")]);
        assert!(report.ends_with("not valid\n"), "{name} is accepted");
        let kept = document.with_extension("report");
        if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
            fs::write(kept, report).expect("testdata is writable");
        } else {
            let kept = fs::read_to_string(&kept).unwrap_or_else(|error| panic!("{}: {error}", kept.display()));
            assert!(kept == report, "{name}: the report would change:\n{report}");
        }
    }
}

/// The rules whose violation no small document shows; tests of the command line do.
const WITHOUT_DOCUMENT: &[(&str, &str)] = &[
    ("unreadable-file", "there is no document"),
    ("document-size", "the document would have more than two megabytes"),
];

/// Returns what the program reports on the document, or on the objects in the folder, that is named after a rule.
fn report_on(path: &Path) -> String {
    let name = path.strip_prefix(TESTDATA).expect("it is below the folder").to_str().expect("our names are text");
    if path.join("nbc.json").exists() {
        return program(&["convert", "--from", "nbc", &format!("{name}/nbc.json")]).1;
    }
    if path.is_dir() {
        // What the folder does not have is that of the scenario.
        let objects = [
            ("--node-claim", "node_claim.yaml"),
            ("--node-class", "node_class.yaml"),
            ("--settings", "settings.yaml"),
            ("--cluster", "cluster.yaml"),
            ("--instance-type", "instance_type.json"),
        ];
        let files =
            objects.map(
                |(_, file)| {
                    if path.join(file).exists() { format!("{name}/{file}") } else { format!("karpenter/{file}") }
                },
            );
        let mut arguments = vec!["convert", "--from", "karpenter"];
        for ((option, _), file) in objects.iter().zip(&files) {
            arguments.extend([option, file.as_str()]);
        }
        return program(&arguments).1;
    }
    let format = if path.extension().is_some_and(|extension| extension == "pb") { "protobuf" } else { "auto" };
    program(&["validate", "--input-format", format, name]).0
}

#[test]
fn every_rule_has_a_document_that_violates_it_and_the_report_on_it() {
    let folder = Path::new(TESTDATA).join("rejected/rules");
    let mut documents: Vec<_> = fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_none_or(|extension| extension != "report"))
        .collect();
    documents.sort();
    let mut names: Vec<_> = WITHOUT_DOCUMENT.iter().map(|(rule, _)| (*rule).to_owned()).collect();
    for document in documents {
        let rule = document.file_stem().expect("a name").to_str().expect("our names are text").to_owned();
        let report = report_on(&document);
        assert!(report.contains(&format!("[{rule}]")), "{rule}: {report}");
        let kept = folder.join(&rule).with_extension("report");
        if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
            fs::write(kept, report).expect("testdata is writable");
        } else {
            let kept = fs::read_to_string(&kept).unwrap_or_else(|error| panic!("{}: {error}", kept.display()));
            assert!(kept == report, "{rule}: the report would change:\n{report}");
        }
        names.push(rule);
    }
    let mut rules: Vec<_> = RULES.iter().map(|rule| rule.id.to_owned()).collect();
    rules.sort();
    names.sort();
    assert_eq!(names, rules);
    assert!(rules.len() >= 60);
}

#[test]
fn help_says_what_is_kept() {
    for command in [
        "",
        "generate",
        "convert",
        "env",
        "validate",
        "schema",
        "bake",
        "provision",
        "provision-wait",
        "version",
        "completions",
        "man",
    ] {
        let arguments: Vec<_> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let name = if command.is_empty() { "help" } else { command };
        insta::assert_snapshot!(format!("help_{name}"), program(&arguments).0);
    }
}

#[test]
fn the_contract_of_the_first_release_stays_readable() {
    use aks_node_controller::configuration::Configuration;
    let text = fs::read_to_string(Path::new(TESTDATA).join("compatibility/v1.json")).expect("the document is there");
    let decoded = Configuration::from_document(text.as_bytes()).expect("it decodes");
    assert!(decoded.report.findings.is_empty(), "{}", decoded.report);
    assert_eq!(decoded.configuration.to_json() + "\n", text);
}
