//! Broken documents under `testdata/rejected`, each with the report that it earns beside it.

use std::path::Path;

use aks_node_controller::document::rules::RULES;

use super::karpenter::OBJECTS;
use super::snapshots::{Snapshots, stem};
use super::{TESTDATA, program};

/// The rules whose violation no small document shows; tests of the command line do.
const WITHOUT_DOCUMENT: &[(&str, &str)] = &[
    ("unreadable-file", "there is no document"),
    ("image-lacks", "the image is described by another file"),
    ("document-size", "the document would have more than two megabytes"),
];

fn is_snapshot(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.contains(".snap"))
}

#[test]
fn a_broken_document_earns_the_report_that_is_kept() {
    let mut snapshots = Snapshots::below("rejected");
    let mut count = 0;
    insta::glob!("../../testdata/rejected", "*.*", |path| {
        if is_snapshot(path) {
            return;
        }
        let file = path.file_name().expect("a name").to_str().expect("our names are text");
        let (report, _) = program(&["validate", &format!("rejected/{file}")]);
        assert!(report.ends_with("not valid\n"), "{file} is accepted");
        snapshots.text(stem(path), &report);
        count += 1;
    });
    assert!(count >= 10);

    let mut names: Vec<_> = WITHOUT_DOCUMENT.iter().map(|(rule, _)| (*rule).to_owned()).collect();
    insta::glob!("../../testdata/rejected/rules", "?*", |path| {
        if is_snapshot(path) {
            return;
        }
        let rule = stem(path);
        let report = report_on(path);
        assert!(report.contains(&format!("[{rule}]")), "{rule}: {report}");
        snapshots.text(&format!("rules/{rule}"), &report);
        names.push(rule.to_owned());
    });
    names.sort();
    let mut rules: Vec<_> = RULES.iter().map(|rule| rule.id.to_owned()).collect();
    rules.sort();
    assert_eq!(names, rules, "each rule has a document that violates it");
    snapshots.has_no_others();
}

/// Returns what the program reports on the document, or on the objects in the directory, that is named after a rule.
fn report_on(path: &Path) -> String {
    let name = path.strip_prefix(TESTDATA).expect("it is below the directory").to_str().expect("our names are text");
    if path.join("nbc.json").exists() {
        return program(&["convert", "--from", "nbc", &format!("{name}/nbc.json")]).1;
    }
    if path.is_dir() {
        let mut arguments = ["convert", "--from", "karpenter"].map(str::to_owned).to_vec();
        for (option, file) in OBJECTS {
            // What the directory does not have is that of the scenario.
            let directory = if path.join(file).exists() { name } else { "karpenter" };
            arguments.extend([option.to_owned(), format!("{directory}/{file}")]);
        }
        return program(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).1;
    }
    if stem(path) == "boothook-delivery" {
        // Only a route can contradict it.
        return program(&["generate", "--route", "scripted", name]).1;
    }
    let format = if path.extension().is_some_and(|extension| extension == "pb") { "protobuf" } else { "auto" };
    program(&["validate", "--input-format", format, name]).0
}
