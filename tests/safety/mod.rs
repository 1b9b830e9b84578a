//! What the node's scripts show, open, fetch and write when values and files are hostile. Real programs are called where they
//! can do no harm, below a scratch directory; see `machines` for whole runs.

mod bundle;
mod cloud_config;
mod downloads;
mod modes;
mod urls;
mod values;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{Scratch, baked};

/// Directories of a node that scripts use, each of which a test moves below its scratch directory.
const DIRECTORIES: [&str; 6] = ["/var/lib/", "/var/log/", "/opt/azure", "/mnt/aks", "/etc/", "/run/"];

/// A script of an image whose directories are below a scratch directory, with `bin` there first on the PATH.
struct Sandbox {
    scratch: Scratch,
}

impl Sandbox {
    fn new() -> Self {
        let scratch = Scratch::new("safety");
        for directory in ["bin", "opt/azure/containers", "var/lib", "var/log/azure", "mnt", "etc", "run"] {
            fs::create_dir_all(scratch.join(directory)).expect("created");
        }
        Self { scratch }
    }

    /// Returns the path of a file of the node.
    fn path(&self, path: &str) -> std::path::PathBuf {
        self.scratch.join(path.trim_start_matches('/'))
    }

    /// Replaces the directories of the node in a text.
    fn moved(&self, text: &str) -> String {
        let root = self.scratch.display().to_string();
        DIRECTORIES
            .iter()
            .fold(text.to_owned(), |text, directory| text.replace(directory, &format!("{root}{directory}")))
    }

    /// Replaces a program by a shell script.
    fn stand_in(&self, name: &str, script: &str) {
        crate::support::write_program(&self.scratch.join("bin").join(name), &format!("#!/bin/sh\n{script}\n"));
    }

    /// Copies a script of an image, with its directories replaced, and returns its path.
    fn script(&self, name: &str) -> std::path::PathBuf {
        let text = fs::read_to_string(baked("ubuntu").join("opt/azure/containers").join(name))
            .expect("an image has the script");
        let path = self.path("/opt/azure/containers").join(name);
        fs::write(&path, self.moved(&text)).expect("written");
        path
    }

    /// Runs a program.
    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let path = format!("{}:/usr/sbin:/usr/bin:/sbin:/bin", self.scratch.join("bin").display());
        Command::new(program).args(arguments).env("PATH", path).output().expect("it can be started")
    }
}

/// Returns the permissions of a file.
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode() & 0o7777
}
