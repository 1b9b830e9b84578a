//! Prints one line about the tests that were skipped, and the commands that would run them.
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

fn main() {
    let records = fs::read_to_string(needs::records()).unwrap_or_default();
    // Also those of earlier runs that did not come this far.
    let _ = fs::remove_dir_all(needs::all_records());
    let skipped: BTreeMap<&str, &str> = records.lines().filter_map(|line| line.split_once(' ')).collect();
    if skipped.is_empty() || std::env::args().any(|argument| argument == "--list") {
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
