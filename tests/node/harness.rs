//! A directory that stands for a node, and the program in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{Running, Scratch, finish, send, until, write_program};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_aks-node-controller");

/// A start script that leaves a result and its marker, as the real one does.
pub const GOOD: &str = "mkdir -p $ROOT/var/log/azure/aks
echo '{\"ExitCode\":\"0\",\"Output\":\"made\",\"Error\":\"\"}' >$ROOT/var/log/azure/aks/provision.json
: >$ROOT/opt/azure/containers/provision.complete
";

/// A node. Its directory and all processes that were started for it are gone when the value is dropped.
pub struct Node {
    pub root: Scratch,
}

impl Drop for Node {
    /// Ends what a provisioner that was killed has left: every process with the directory's name in its environment.
    fn drop(&mut self) {
        let name = self.root.as_os_str().as_encoded_bytes();
        for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let environment = fs::read(process.path().join("environ")).unwrap_or_default();
            if environment.windows(name.len()).any(|window| window == name) {
                send("KILL", &process.file_name().to_string_lossy());
            }
        }
    }
}

impl Node {
    /// Creates a node with a configuration and a start script. `$ROOT` in the script is the node's directory.
    pub fn new(start_script: &str) -> Self {
        let node = Self { root: Scratch::new("node") };
        node.write("opt/azure/containers/provision_start.sh", &format!("ROOT={}\n{start_script}", node.root.display()));
        node.write("opt/azure/containers/aks-node-controller-config.json", &configuration());
        node
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("directories can be created");
        fs::write(path, text).expect("files can be written");
    }

    /// Creates an executable that is found before all others of its name.
    pub fn program(&self, name: &str, script: &str) {
        write_program(&self.path(&format!("bin/{name}")), &format!("#!/bin/bash\n{script}\n"));
    }

    pub fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn text_or_nothing(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_default()
    }

    pub fn exists(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    pub fn configuration(&self) -> String {
        self.path("opt/azure/containers/aks-node-controller-config.json").display().to_string()
    }

    /// The program with arguments, and with this directory as the machine.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).arg("--root").arg(&*self.root);
        self.prepare(&mut command);
        command
    }

    /// `provision` with the node's configuration.
    pub fn provision_command(&self) -> Command {
        self.command(&["provision", "--provision-config", &self.configuration()])
    }

    /// Sets the environment of a command that runs the program.
    pub fn prepare(&self, command: &mut Command) {
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.path("bin").display())).env("TZ", "UTC");
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        finish(&mut self.command(arguments))
    }

    pub fn provision(&self) -> Output {
        finish(&mut self.provision_command())
    }

    /// Runs a waiter on a node that has a result, or cannot get one any more.
    pub fn wait(&self) -> Output {
        self.run(&["provision-wait", "--timeout", "100s"])
    }

    pub fn start(&self, arguments: &[&str]) -> Running {
        Running::start(&mut self.command(arguments))
    }

    pub fn start_provision(&self) -> Running {
        Running::start(&mut self.provision_command())
    }

    pub fn document(&self) -> Value {
        serde_json::from_str(&self.text("var/log/azure/aks/provision.json")).expect("a JSON document")
    }

    pub fn has_marker(&self) -> bool {
        self.exists("opt/azure/containers/provision.complete")
    }

    /// The lines of the log.
    pub fn log(&self) -> Vec<Value> {
        let text = self.text("var/log/azure/aks-node-controller.log");
        text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
    }

    /// The events in the order of their names.
    pub fn events(&self) -> Vec<Value> {
        let directory = self.path("var/log/azure/Microsoft.Azure.Extensions.CustomScript/events");
        let mut files: Vec<_> =
            fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        let read = |file: &PathBuf| {
            assert_eq!(file.extension().and_then(|end| end.to_str()), Some("json"), "{}", file.display());
            serde_json::from_slice(&fs::read(file).expect("an event")).expect("a JSON document")
        };
        files.iter().map(read).collect()
    }

    /// Waits until `is_so` returns true.
    pub fn until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        until(what, || is_so(self));
    }
}

/// The text of a stream.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A small, valid configuration with one secret, [`SECRET`].
pub fn configuration() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/examples/arm64-minimal.json");
    fs::read_to_string(file).expect("the example exists")
}

/// The same with another member at its beginning.
pub fn configuration_with(member: &str) -> String {
    configuration().replacen('{', &format!("{{{member},"), 1)
}

/// The secret of [`configuration`].
pub const SECRET: &str = "692ba5.8bc6bfc9a4783223";

/// The one JSON document that a waiter prints.
pub fn printed(output: &Output) -> Value {
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}
