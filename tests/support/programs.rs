//! Programs that a test makes and runs.
//!
//! Linux does not run a file that any process has open for writing. A child that another thread starts at the wrong moment inherits
//! every file that this process is writing, and fails the test with "Text file busy". So a process of its own writes programs.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a script with mode 0755. Missing directories are created.
pub fn write_program(path: &Path, script: &str) {
    install(Path::new("/dev/stdin"), path, script);
}

/// Copies a program. The copy has mode 0755.
pub fn copy_program(from: &Path, to: &Path) {
    install(from, to, "");
}

fn install(from: &Path, to: &Path, input: &str) {
    let mut command = Command::new("install");
    command.args(["-D", "-m", "0755"]).args([from, to]).stdin(Stdio::piped());
    let mut child = command.spawn().expect("`install` runs");
    child.stdin.take().expect("it was piped").write_all(input.as_bytes()).expect("`install` reads it");
    let ended = child.wait().expect("the process is a child of this one");
    assert!(ended.success(), "{} cannot be written", to.display());
}
