//! Files for the node's controller: real programs read, check and run the boothook, the Ignition document and the command.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use aks_node_controller::catalogue::operating_systems::operating_system;
use aks_node_controller::delivery::{Request, Route, SecretPlacement};
use aks_node_controller::inputs::{Checks, Input, Reading};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::node_files::{IGNITION, Ignited, files};
use super::{PYTHON, ROOT, cloud_init, has_module, output, run};
use crate::support::{Scratch, finish, needs, until, write_program};

const CONTAINERS: &str = "opt/azure/containers";

/// The files for the controller without secrets.
const OPEN: [&str; 2] = ["nodecustomdata.yml", "enabled_features.sh"];

/// Those with secrets.
const SECRET: [&str; 2] = ["aks-node-controller-nbc-cmd.sh", "aks-node-controller-config.json"];

/// One delivery, as layers by name.
struct Case {
    name: String,
    encoded: String,
    layers: BTreeMap<String, String>,
    ignites: bool,
    is_protected: bool,
}

impl Case {
    fn layer(&self, name: &str) -> &str {
        self.layers.get(name).unwrap_or_else(|| panic!("{}: no {name}", self.name))
    }

    /// The files that `CustomData` or the command writes.
    fn written(&self, by_command: bool) -> BTreeMap<String, String> {
        let is_written = |name: &str| !self.is_protected || SECRET.contains(&name) == by_command;
        let names = OPEN.into_iter().chain(SECRET).filter(|name| self.layers.contains_key(*name) && is_written(name));
        names.map(|name| (format!("{CONTAINERS}/{name}"), self.layer(name).to_owned())).collect()
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (file, os) in [
        ("nbc/ubuntu-24-04.json", "ubuntu"),
        ("nbc/custom-cloud.json", "ubuntu"),
        ("nbc/flatcar.json", "flatcar"),
        ("nbc/acl.json", "acl"),
        ("examples/localdns.yaml", "ubuntu"),
        ("examples/flatcar.yaml", "flatcar"),
    ] {
        let bytes = fs::read(Path::new(ROOT).join("testdata").join(file)).expect("it is there");
        let input = Reading::new(None, &bytes, &Checks::default()).input.expect("it is valid");
        for secrets in [SecretPlacement::Auto, SecretPlacement::ProtectedSettings] {
            // A Configuration has these files only if they keep its secrets out of CustomData.
            if secrets == SecretPlacement::Auto && matches!(input, Input::Configuration(_)) {
                continue;
            }
            let os = operating_system(os).expect("a known system");
            let request = Request { route: Route::Scriptless, os, secrets, ..Request::default() };
            let delivery = request.render(&input).expect("it renders");
            let again = request.render(&input).expect("it renders");
            assert_eq!(delivery.custom_data.encoded, again.custom_data.encoded, "{file}");
            assert_eq!(delivery.cse, again.cse, "{file}");
            let layers = request.layers(&input).expect("what renders has layers");
            let layers: BTreeMap<_, _> =
                layers.into_iter().map(|layer| (layer.name.to_owned(), layer.text.expose().to_owned())).collect();
            cases.push(Case {
                name: format!("{file}, {secrets:?}"),
                encoded: delivery.custom_data.encoded.expose().to_owned(),
                ignites: layers.contains_key("ignition.json"),
                layers,
                is_protected: secrets == SecretPlacement::ProtectedSettings,
            });
        }
    }
    assert_eq!(cases.iter().filter(|case| case.ignites).count(), 5);
    cases
}

#[test]
fn the_files_are_the_same_wherever_they_travel() {
    let cases = cases();
    let mut compared = 0;
    for pair in cases.windows(2).filter(|pair| !pair[0].is_protected && pair[1].is_protected) {
        for name in OPEN.into_iter().chain(SECRET) {
            assert_eq!(pair[0].layers.get(name), pair[1].layers.get(name), "{}: {name}", pair[1].name);
            compared += usize::from(pair[0].layers.contains_key(name));
        }
    }
    assert!(compared >= 8, "{compared}");
}

#[test]
fn bash_and_shellcheck_accept_the_boothook_the_script_and_the_command() {
    if !needs::programs(&[("shellcheck", "shellcheck")]) {
        return;
    }
    for case in cases() {
        for name in ["custom_data.sh", "boothook.sh", "cse.sh", "aks-node-controller-nbc-cmd.sh"] {
            let Some(text) = case.layers.get(name) else { continue };
            // cloud-init removes this line.
            let text = text.strip_prefix("#cloud-boothook\n").unwrap_or(text);
            // The reference's boothook has a second first line in the middle, SC1128.
            let severity = if name == "aks-node-controller-nbc-cmd.sh" { "error" } else { "style" };
            for (program, arguments) in
                [("shellcheck", &["-S", severity, "-s", "bash", "-e", "SC1128", "-"][..]), ("bash", &["-n"][..])]
            {
                let ended = run(program, arguments, text.as_bytes());
                assert!(ended.status.success(), "{}, {name}: {program}: {}", case.name, output(&ended));
            }
        }
    }
}

#[test]
fn cloud_init_takes_the_boothook() {
    if !has_module("cloudinit.user_data", "cloud-init") {
        return;
    }
    let cases: Vec<_> = cases().into_iter().filter(|case| !case.ignites).collect();
    let found = cloud_init(&cases.iter().map(|case| case.encoded.clone()).collect::<Vec<_>>());
    for (case, parts) in cases.iter().zip(found) {
        let expected = ("text/cloud-boothook".to_owned(), case.layer("custom_data.sh").to_owned());
        assert_eq!(parts, [expected], "{}", case.name);
    }
}

#[test]
fn ignition_validates_the_document_and_writes_the_files() {
    // Files of root are written.
    if !needs::root() || !needs::programs(&[(IGNITION, "ignition"), ("ignition-validate", "ignition")]) {
        return;
    }
    let scratch = Scratch::new("judged");
    for case in cases().into_iter().filter(|case| case.ignites) {
        let document = scratch.join("document.ign");
        // Debian's Ignition is older than 3.4.0.
        fs::write(&document, case.layer("ignition.json").replace("\"3.4.0\"", "\"3.3.0\"")).expect("writable");
        let ended = run("ignition-validate", &[document.to_str().expect("text")], b"");
        assert!(ended.status.success(), "{}: {}", case.name, output(&ended));
        let ignited = Ignited::new(&case.encoded);
        let link = ignited.root.join("etc/systemd/system/basic.target.wants/aks-node-controller.service");
        let target = fs::read_link(&link).ok();
        let wanted = (!case.is_protected).then(|| Path::new("/etc/systemd/system/aks-node-controller.service"));
        assert_eq!(target.as_deref(), wanted, "{}", case.name);
        if wanted.is_some() {
            fs::remove_file(link).expect("it is there");
        }
        let _ = fs::remove_dir_all(ignited.root.join("etc/systemd/system-preset"));
        let found: BTreeMap<_, _> = files(&ignited.root)
            .into_iter()
            .map(|(path, (mode, owner, content))| {
                assert_eq!((mode, owner), (0o600, [0, 0]), "{}: {path}", case.name);
                (path, content)
            })
            .collect();
        assert!(found == case.written(false), "{}: {:?}", case.name, found.keys());
    }
}

/// A root for scripts, in which every program that they start notes its arguments.
struct Root(Scratch);

impl Root {
    fn new() -> Self {
        let root = Self(Scratch::new("judged"));
        for program in ["logger", "systemctl", "nohup", "python3"] {
            write_program(&root.0.join("bin").join(program), "#!/bin/sh\necho \"${0##*/} $*\" >>\"$ROOT/started\"\n");
        }
        write_program(
            &root.0.join(CONTAINERS).join("aks-node-controller"),
            "#!/bin/sh\necho \"aks-node-controller $*\" >>\"$ROOT/started\"\n",
        );
        root
    }

    /// A script with the directories of this root.
    fn moved(&self, text: &str) -> String {
        let root = self.0.display().to_string();
        ["/opt/", "/var/log/"].iter().fold(text.to_owned(), |text, path| {
            // A path is a word; base64 has slashes too.
            [" ", ">", "\n"]
                .iter()
                .fold(text, |text, before| text.replace(&format!("{before}{path}"), &format!("{before}{root}{path}")))
        })
    }

    fn run(&self, script: &str) {
        let path = format!("{}:{}", self.0.join("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut bash = Command::new("bash");
        let ended = finish(bash.args(["-c", script]).env("PATH", path).env("ROOT", &*self.0).env("LC_ALL", "C"));
        assert!(ended.status.success(), "{}", output(&ended));
    }

    /// What was started, without times, sorted: some of it in the background.
    fn started(&self) -> Vec<String> {
        let text = fs::read_to_string(self.0.join("started")).unwrap_or_default();
        let root = self.0.display().to_string();
        let mut lines: Vec<_> =
            text.lines().filter(|line| !line.starts_with("logger")).map(|line| line.replace(&root, "")).collect();
        lines.sort();
        lines
    }

    /// The files for the controller, whose mode must be 0600.
    fn files(&self) -> BTreeMap<String, String> {
        let directory = self.0.join(CONTAINERS);
        let mut found = BTreeMap::new();
        for name in OPEN.into_iter().chain(SECRET).chain(["boothook.sh"]) {
            let path = directory.join(name);
            let Ok(content) = fs::read_to_string(&path) else { continue };
            assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o7777, 0o600, "{name}");
            found.insert(format!("{CONTAINERS}/{name}"), content);
        }
        found
    }
}

/// The payload in a command, and the command with the payload of another script.
fn with_payload_of(command: &str, script: &str) -> String {
    let (_, rest) = command.split_once("echo '").expect("it begins with the payload");
    let (_, rest) = rest.split_once('\'').expect("the payload ends");
    let ended = run("gzip", &["-9n"], script.as_bytes());
    format!("echo '{}'{rest}", STANDARD.encode(ended.stdout))
}

#[test]
fn bash_writes_the_files_byte_for_byte_and_starts_the_controller() {
    for case in cases() {
        // A shell runs this as cloud-init does: without the first line.
        if let Some(boothook) = case.layers.get("custom_data.sh") {
            let root = Root::new();
            let script = root.moved(boothook.strip_prefix("#cloud-boothook\n").expect("its first line"));
            root.run(&script);
            assert!(root.files() == case.written(false), "{}: {:?}", case.name, root.files().keys());
            // It starts programs in the background.
            until("the boothook starts a program", || !root.started().is_empty());
            let started = root.started();
            let starts = started.iter().any(|line| line == "systemctl start --no-block aks-node-controller.service");
            assert_eq!(starts, !case.is_protected, "{}: {started:?}", case.name);
            // On a machine that has ended its provisioning nothing is done again.
            let again = Root::new();
            fs::write(again.0.join(CONTAINERS).join("provision.complete"), "").expect("writable");
            again.run(&again.moved(boothook.strip_prefix("#cloud-boothook\n").expect("its first line")));
            assert!(again.files().is_empty() && again.started().is_empty(), "{}", case.name);
        }
        let Some(script) = case.layers.get("boothook.sh") else { continue };
        let root = Root::new();
        let moved = root.moved(script);
        let command = root.moved(&with_payload_of(case.layer("cse.sh"), &moved));
        root.run(&command);
        let mut written = case.written(true);
        written.insert(format!("{CONTAINERS}/boothook.sh"), moved);
        assert!(root.files() == written, "{}: {:?}", case.name, root.files().keys());
        let started = root.started();
        let expected = ["aks-node-controller provision-wait", "systemctl start --no-block aks-node-controller.service"];
        assert_eq!(started, expected, "{}", case.name);
        // After an early fetch the command does not start it again.
        let early = Root::new();
        fs::create_dir_all(early.0.join("opt/bin")).expect("writable");
        fs::write(early.0.join("opt/bin/boothook.sh"), "").expect("writable");
        early.run(&early.moved(&with_payload_of(case.layer("cse.sh"), &early.moved(script))));
        assert_eq!(early.started(), expected[..1], "{}", case.name);
    }
}

#[test]
fn the_command_has_the_form_that_the_early_fetch_looks_for() {
    if !needs::programs(&[(PYTHON, "python3")]) {
        return;
    }
    // What the early fetch matches: spec, section 8.4.
    let judge = "import base64, gzip, re, sys
command = sys.stdin.read().strip()
found = re.match(r\"echo '([A-Za-z0-9+/=\\s]+)' \\| base64 -d \\| gzip -d > /opt/azure/containers/boothook\\.sh\", command)
sys.stdout.write(gzip.decompress(base64.b64decode(found.group(1))).decode())";
    for case in cases() {
        let Some(script) = case.layers.get("boothook.sh") else { continue };
        let ended = run(PYTHON, &["-c", judge], case.layer("cse.sh").as_bytes());
        assert!(ended.stdout == script.as_bytes(), "{}: {}", case.name, output(&ended));
    }
}
