//! The functions of the provisioning scripts: how they are named, and that each is used.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Functions that the CSE command of the reference calls, or scripts of an image.
const NAMED_BY_THE_REFERENCE: [&str; 6] = [
    "handleCloudInitStatus",
    "logs_to_events",
    "retrycmd_if_failure",
    "apt_get_update",
    "apt_get_update_with_opts",
    "dnf_update",
];

fn scripts_below(directory: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(directory).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            scripts_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "sh") {
            found.insert(path.display().to_string(), fs::read_to_string(&path).expect("it is text"));
        }
    }
}

fn scripts() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    scripts_below(&Path::new(ROOT).join("parts"), &mut found);
    found
}

fn functions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| Some(line.split_once("() {")?.0)).filter(|name| !name.contains([' ', '\t']))
}

/// The functions that the lists of `provision.sh` name.
fn steps() -> BTreeSet<String> {
    let lists = fs::read_to_string(format!("{ROOT}/parts/provisioning/provision.sh")).expect("it is there");
    let name = |line: &str| {
        let step = ["\tstep ", "\tattempt ", "\tbeside "].iter().find_map(|how| line.strip_prefix(how))?;
        step.split(' ').next().map(str::to_owned)
    };
    lists.lines().filter_map(name).collect()
}

#[test]
fn steps_are_camel_case_and_every_other_function_is_snake_case() {
    let steps = steps();
    let is_camel_case =
        |name: &str| name.contains(|character: char| character.is_ascii_uppercase()) && !name.contains('_');
    for (file, text) in scripts() {
        for name in functions(&text) {
            let follows = if NAMED_BY_THE_REFERENCE.contains(&name) {
                true
            } else if steps.contains(name) {
                is_camel_case(name)
            } else {
                name == name.to_ascii_lowercase()
            };
            assert!(follows, "{file}: {name}");
        }
    }
}

#[test]
fn every_function_is_used() {
    let scripts = scripts();
    let words: Vec<&str> = scripts
        .values()
        .flat_map(|text| text.lines().filter(|line| !line.trim_start().starts_with("# ")))
        .flat_map(|line| line.split(|character: char| !character.is_ascii_alphanumeric() && character != '_'))
        .collect();
    for (file, text) in &scripts {
        for name in functions(text).filter(|name| !NAMED_BY_THE_REFERENCE.contains(name)) {
            let defined = scripts.values().flat_map(|text| functions(text)).filter(|other| *other == name).count();
            assert!(words.iter().filter(|word| **word == name).count() > defined, "{file}: nothing calls {name}");
        }
    }
}
