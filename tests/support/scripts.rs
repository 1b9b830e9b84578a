//! The scripts of a node.

use std::fs;
use std::process::Command;

use super::Scratch;

/// Returns a script of `/opt/azure/containers` as an image of Ubuntu gets it.
pub fn shipped(name: &str) -> String {
    let scratch = Scratch::new("shipped");
    let baked = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"))
        .args(["bake", "--os", "ubuntu", "--root"])
        .arg(&*scratch)
        .output()
        .expect("cargo built the program");
    assert!(baked.status.success(), "{}", String::from_utf8_lossy(&baked.stderr));
    fs::read_to_string(scratch.join("opt/azure/containers").join(name)).expect("an image has the script")
}
