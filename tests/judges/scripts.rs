//! The scripts of the node as they are shipped: joined by the build, without comments.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use super::{for_each, output, run};
use crate::support::{Scratch, needs};

const FAMILIES: [&str; 5] = ["ubuntu", "azurelinux", "osguard", "flatcar", "acl"];

/// Warnings about single files that say nothing here: names that another script defines or reads (SC2034, SC2154), functions
/// that a trap, a list of steps or another script calls (SC2317), scripts that exist on the node only (SC1091, SC1090), and
/// quoted text for another shell (SC2016). In `parts/` directives switch them off where they occur.
const EXCLUDED: &str = "SC1090,SC1091,SC2016,SC2034,SC2154,SC2317";

fn scripts_below(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.is_symlink() {
            scripts_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "sh") {
            found.push(path);
        }
    }
}

/// The scripts of every family's image by their text, with the places where they are.
static SHIPPED: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let mut shipped = BTreeMap::new();
    for family in FAMILIES {
        let scratch = Scratch::new("judged");
        let baked = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"))
            .args(["bake", "--os", family, "--root"])
            .arg(&*scratch)
            .output()
            .expect("cargo built the program");
        assert!(baked.status.success(), "{}", output(&baked));
        let mut found = Vec::new();
        scripts_below(&scratch, &mut found);
        for path in found {
            let place = path.strip_prefix(&*scratch).expect("below").display();
            shipped.entry(fs::read_to_string(&path).expect("text")).or_insert_with(|| format!("{family}: {place}"));
        }
    }
    assert!(shipped.len() > 30, "{}", shipped.len());
    shipped
});

#[test]
fn nothing_is_left_to_include_in_a_shipped_script() {
    for (text, place) in &*SHIPPED {
        assert!(text.starts_with("#!/bin/bash\n"), "{place} does not begin with its interpreter");
        assert!(!text.lines().any(|line| line.starts_with("#include")), "{place} has an `#include` line");
    }
}

#[test]
fn shellcheck_accepts_every_shipped_script() {
    if !needs::programs(&[("shellcheck", "shellcheck")]) {
        return;
    }
    for_each(&SHIPPED.iter().collect::<Vec<_>>(), |(text, place)| {
        let ended = run("shellcheck", &["--shell", "bash", "--exclude", EXCLUDED, "-"], text.as_bytes());
        assert!(ended.status.success(), "{place}: {}", output(&ended));
    });
}
