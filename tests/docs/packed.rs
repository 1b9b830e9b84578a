//! The crate that `cargo package` makes: what a build reads, and nothing of the tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Directories that are packed whole.
const WHOLE: [&str; 4] = ["parts", "src", "templates", "testdata/examples"];

/// The other files of the crate; cargo writes the last three.
const FILES: [&str; 9] = [
    "CHANGELOG.md",
    "Cargo.toml",
    "LICENSE",
    "NOTICE",
    "README.md",
    "build.rs",
    ".cargo_vcs_info.json",
    "Cargo.lock",
    "Cargo.toml.orig",
];

#[test]
fn the_crate_has_what_a_build_reads_and_nothing_more() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let listed = Command::new(cargo)
        .args(["package", "--list", "--allow-dirty", "--offline", "--quiet"])
        .current_dir(ROOT)
        .output()
        .expect("cargo runs");
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let listed = String::from_utf8(listed.stdout).expect("paths are UTF-8");
    // Cargo writes it only where the project is a repository.
    let listed: BTreeSet<_> = listed.lines().map(str::to_owned).chain([".cargo_vcs_info.json".to_owned()]).collect();
    let mut expected: BTreeSet<_> = FILES.map(str::to_owned).into();
    for directory in WHOLE {
        add(directory, &mut expected);
    }
    let missing: Vec<_> = expected.difference(&listed).collect();
    let more: Vec<_> = listed.difference(&expected).collect();
    assert!(missing.is_empty() && more.is_empty(), "`include` of Cargo.toml: missing {missing:?}, too much {more:?}");
}

fn add(directory: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(Path::new(ROOT).join(directory)).expect("it can be read") {
        let entry = entry.expect("it can be read");
        let path = format!("{directory}/{}", entry.file_name().to_str().expect("it is UTF-8"));
        if entry.file_type().expect("it is known").is_dir() {
            add(&path, found);
        } else {
            found.insert(path);
        }
    }
}
