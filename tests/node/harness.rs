//! A folder that stands for a node, and the program in it.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_aks-node-controller");

/// A start script that leaves a result and its marker, as the real one does.
pub const GOOD: &str = "mkdir -p $ROOT/var/log/azure/aks
echo '{\"ExitCode\":\"0\",\"Output\":\"made\",\"Error\":\"\"}' >$ROOT/var/log/azure/aks/provision.json
: >$ROOT/opt/azure/containers/provision.complete
";

/// A node. Its folder goes when it goes.
pub struct Node {
    pub root: PathBuf,
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

impl Node {
    /// With a configuration and a start script; `$ROOT` in the script is the node's folder.
    pub fn new(start_script: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("node-{}-{number}", std::process::id()));
        let node = Self { root };
        node.write("opt/azure/containers/provision_start.sh", &format!("ROOT={}\n{start_script}", node.root.display()));
        node.write("opt/azure/containers/aks-node-controller-config.json", &configuration());
        node
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders can be made");
        fs::write(path, text).expect("files can be written");
    }

    /// An executable that is found before all others.
    pub fn program(&self, name: &str, script: &str) {
        let path = format!("bin/{name}");
        self.write(&path, &format!("#!/bin/bash\n{script}\n"));
        fs::set_permissions(self.path(&path), fs::Permissions::from_mode(0o755)).expect("modes can be set");
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

    /// The program with arguments and this folder as the machine.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .args(arguments)
            .arg("--root")
            .arg(&self.root)
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("TZ", "UTC")
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program runs")
    }

    pub fn provision(&self) -> Output {
        self.run(&["provision", "--provision-config", &self.configuration()])
    }

    /// The waiter, which has to have an answer.
    pub fn wait(&self) -> Output {
        self.run(&["provision-wait", "--timeout", "20s"])
    }

    pub fn start(&self, arguments: &[&str]) -> Running {
        let child = self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        Running(child.expect("the program starts"))
    }

    pub fn start_provision(&self) -> Running {
        self.start(&["provision", "--provision-config", &self.configuration()])
    }

    pub fn document(&self) -> Value {
        serde_json::from_str(&self.text("var/log/azure/aks/provision.json")).expect("a JSON document")
    }

    pub fn has_marker(&self) -> bool {
        self.exists("opt/azure/containers/provision.complete")
    }

    /// The log, one value a line.
    pub fn log(&self) -> Vec<Value> {
        let text = self.text("var/log/azure/aks-node-controller.log");
        text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
    }

    /// The events in the order of their names.
    pub fn events(&self) -> Vec<Value> {
        let folder = self.path("var/log/azure/Microsoft.Azure.Extensions.CustomScript/events");
        let mut files: Vec<_> =
            fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        let read = |file: &PathBuf| {
            assert_eq!(file.extension().and_then(|end| end.to_str()), Some("json"), "{}", file.display());
            serde_json::from_slice(&fs::read(file).expect("an event")).expect("a JSON document")
        };
        files.iter().map(read).collect()
    }

    /// Waits until something is so.
    pub fn until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let end = Instant::now() + Duration::from_secs(20);
        while !is_so(self) {
            assert!(Instant::now() < end, "it never came to pass: {what}");
            sleep(Duration::from_millis(5));
        }
    }
}

/// A process that is ended when nobody looks any more.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    pub fn signal(&self, signal: &str) {
        send(signal, &self.0.id().to_string());
    }

    /// Its end, whoever still holds its output.
    pub fn end_without_reading(mut self) -> (ExitStatus, String, String) {
        drop((self.0.stdout.take(), self.0.stderr.take()));
        (self.0.wait().expect("it ends"), String::new(), String::new())
    }

    pub fn end(mut self) -> (ExitStatus, String, String) {
        let mut texts = [String::new(), String::new()];
        if let Some(mut stdout) = self.0.stdout.take() {
            stdout.read_to_string(&mut texts[0]).expect("text");
        }
        if let Some(mut stderr) = self.0.stderr.take() {
            stderr.read_to_string(&mut texts[1]).expect("text");
        }
        let [stdout, stderr] = texts;
        (self.0.wait().expect("it ends"), stdout, stderr)
    }
}

/// Sends a signal to a process, or with a leading hyphen to a group.
pub fn send(signal: &str, to: &str) {
    let _ = Command::new("kill").args(["-s", signal, "--", to]).stderr(Stdio::null()).status();
}

/// A small configuration that is right, with one secret in it.
pub fn configuration() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/examples/arm64-minimal.json");
    fs::read_to_string(file).expect("the example is there")
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

/// Whether this test can do what it needs: be root, make namespaces, and call some programs. Where it cannot, that is
/// said aloud, and a failure in CI.
pub fn can(programs: &[&str]) -> bool {
    let works = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|ended| ended.success())
    };
    let missing = if works("unshare", &["--mount", "true"]) {
        programs.iter().copied().find(|program| !works(program, &["--version"]))
    } else {
        Some("the right to make namespaces")
    };
    if let Some(missing) = missing {
        assert!(std::env::var_os("CI").is_none(), "this test needs {missing}");
        eprintln!("skipped: this test needs {missing}");
    }
    missing.is_none()
}
