//! Prints one line about the conformance vectors that were run, and one about the tests that were skipped, with the commands that
//! would run them.
//!
//! Cargo runs test binaries in the order of their names, so this one is the last.

#[path = "../support/needs.rs"]
#[allow(dead_code, reason = "only the records are of interest")]
mod needs;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// `2 tests need`, `1 test needs`.
fn tests_need(count: usize) -> String {
    if count == 1 { "1 test needs".to_owned() } else { format!("{count} tests need") }
}

/// `conformance: ran 2 scripted, launch-template; not boothook`.
fn vectors(run: &BTreeSet<&str>) -> String {
    let files = fs::read_dir(needs::all_vectors()).into_iter().flatten().flatten();
    let mut names: BTreeSet<_> = files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    // What the vectors were made with.
    names.remove("gpu-components.json");
    let (run, rest): (Vec<&String>, Vec<_>) = names.iter().partition(|name| run.contains(name.as_str()));
    let [run, rest] =
        [run, rest].map(|names| names.into_iter().map(|name| counted(name)).collect::<Vec<_>>().join(", "));
    if rest.is_empty() { format!("conformance: ran {run}") } else { format!("conformance: ran {run}; not {rest}") }
}

/// `2 scripted` for a directory of vectors, `launch-template` for a file.
fn counted(name: &str) -> String {
    let count = fs::read_dir(needs::all_vectors().join(name)).into_iter().flatten().flatten().filter(|file| {
        let name = file.path();
        name.extension().is_some_and(|extension| extension == "json")
    });
    match (count.count(), name.strip_suffix(".json").unwrap_or(name)) {
        (0, name) => name.to_owned(),
        (count, name) => format!("{count} {name}"),
    }
}

fn main() {
    let records = fs::read_to_string(needs::records()).unwrap_or_default();
    // Also those of earlier runs that did not come this far.
    let _ = fs::remove_dir_all(needs::all_records());
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let records: Vec<_> = records.lines().filter_map(|line| line.split_once(' ')).collect();
    let (run, skipped): (Vec<_>, Vec<_>) = records.into_iter().partition(|(test, _)| *test == needs::RUN);
    if !run.is_empty() {
        eprintln!("{}", vectors(&run.into_iter().map(|(_, name)| name).collect()));
    }
    let skipped: BTreeMap<&str, &str> = skipped.into_iter().collect();
    if skipped.is_empty() {
        return;
    }
    let (mut root, mut vectors, mut with_packages, mut packages) = (0, 0, 0, BTreeSet::new());
    for needs in skipped.values() {
        match *needs {
            needs::ROOT => root += 1,
            needs::VECTORS => vectors += 1,
            names => {
                with_packages += 1;
                packages.extend(names.split(' '));
            }
        }
    }
    let mut reasons = Vec::new();
    if root > 0 {
        reasons.push(format!("{} root: `sudo -E env \"PATH=$PATH\" cargo test`", tests_need(root)));
    }
    if with_packages > 0 {
        let packages = packages.into_iter().collect::<Vec<_>>().join(" ");
        reasons.push(format!("{} packages: `sudo apt-get install {packages}`", tests_need(with_packages)));
    }
    if vectors > 0 {
        reasons.push(format!("{} the conformance vectors in ../shared/conformance", tests_need(vectors)));
    }
    let list = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped.txt");
    let names = skipped.keys().fold(String::new(), |names, name| names + name + "\n");
    let listed = match fs::write(&list, names) {
        Ok(()) => format!(" (names in {})", list.display()),
        Err(_) => String::new(),
    };
    eprintln!("skipped {} tests{listed}: {}", skipped.len(), reasons.join("; "));
}
