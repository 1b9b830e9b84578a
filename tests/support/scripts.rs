//! The scripts of a node.

use std::fs;
use std::process::Command;

use super::Scratch;

/// Returns a script of `/opt/azure/containers` as an image of Ubuntu gets it.
pub fn shipped(name: &str) -> String {
    fs::read_to_string(baked("ubuntu").join("opt/azure/containers").join(name)).expect("an image has the script")
}

/// Returns a directory with the files of an image.
pub fn baked(os: &str) -> Scratch {
    let scratch = Scratch::new("shipped");
    let baked = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"))
        .args(["bake", "--os", os, "--root"])
        .arg(&*scratch)
        .output()
        .expect("cargo built the program");
    assert!(baked.status.success(), "{}", String::from_utf8_lossy(&baked.stderr));
    scratch
}
