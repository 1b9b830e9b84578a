//! `fetch` against a stand-in for the host's services, which answers in the shapes of recorded answers and with faults.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::harness::{GOOD, Node, text};
use crate::support::{Running, Scratch, finish, gzip, needs, until};

/// Cases that run at the same time.
const PARALLEL: usize = 6;

/// The time of a fetch that succeeds. Far more than it needs, even if all cores are busy.
const LONG: &str = "100";

/// The time of a fetch that ends with it.
const SHORT: &str = "3";

const SCRIPT: u8 = 0;
const FAILED: u8 = 1;
const NO_SETTINGS: u8 = 10;
const NO_MATCH: u8 = 11;

/// Faults, the time limit, and the exit code.
const CASES: &[(&[&str], &str, u8)] = &[
    (&[], LONG, SCRIPT),
    // When settings come.
    (&["no-settings-host"], LONG, SCRIPT),
    (&["no-settings-wire"], LONG, SCRIPT),
    (&["no-settings=1"], LONG, SCRIPT),
    (&["no-settings-host=1", "no-settings-wire=2"], LONG, SCRIPT),
    (&["no-settings"], SHORT, NO_SETTINGS),
    (&["late=2"], LONG, SCRIPT),
    (&["late=1000"], SHORT, NO_SETTINGS),
    (&["stale-goal-state"], LONG, SCRIPT),
    (&["stale-goal-state", "no-settings-wire"], LONG, SCRIPT),
    // Other answers than 200.
    (&["status=vmsettings,304"], LONG, SCRIPT),
    (&["status=vmsettings,404"], LONG, SCRIPT),
    (&["status=vmsettings,410"], LONG, SCRIPT),
    (&["status=vmsettings,429"], LONG, SCRIPT),
    (&["status=vmsettings,502"], LONG, SCRIPT),
    (&["status=extensions,500"], LONG, SCRIPT),
    (&["status=extensions,503"], LONG, SCRIPT),
    (&["status=vmsettings,429,2", "no-settings-wire"], LONG, SCRIPT),
    (&["status=vmsettings,410,1", "no-settings-wire"], LONG, SCRIPT),
    (&["status=goalstate,503,2"], LONG, SCRIPT),
    (&["status=goalstate,404,1"], LONG, SCRIPT),
    (&["status=goalstate,403,1"], LONG, SCRIPT),
    (&["status=all,503,1"], LONG, SCRIPT),
    (&["status=certificates,429,3"], LONG, SCRIPT),
    (&["status=certificates,503,2"], LONG, SCRIPT),
    (&["status=certificates,404,1"], LONG, SCRIPT),
    (&["status=all,503"], SHORT, NO_SETTINGS),
    (&["status=vmsettings,404", "no-settings-wire"], SHORT, NO_SETTINGS),
    (&["status=goalstate,500"], SHORT, NO_SETTINGS),
    // Slow answers, and answers without an end.
    (&["slow=goalstate,1"], LONG, SCRIPT),
    (&["slow=vmsettings,1"], LONG, SCRIPT),
    (&["slow=certificates,1"], LONG, SCRIPT),
    (&["slow=all,1"], LONG, SCRIPT),
    (&["slow=extensions,30"], LONG, SCRIPT),
    (&["slow=all,30"], SHORT, NO_SETTINGS),
    (&["drip=goalstate"], SHORT, NO_SETTINGS),
    (&["drip=vmsettings", "no-settings-wire"], SHORT, NO_SETTINGS),
    (&["drip=extensions"], LONG, SCRIPT),
    (&["drip=certificates"], SHORT, FAILED),
    // Redirects.
    (&["redirect=vmsettings"], LONG, SCRIPT),
    (&["redirect=vmsettings", "no-settings-wire"], SHORT, NO_SETTINGS),
    (&["redirect=goalstate"], SHORT, NO_SETTINGS),
    (&["redirect=certificates"], SHORT, FAILED),
    // Answers that are not what they should be.
    (&["truncated=vmsettings"], LONG, SCRIPT),
    (&["truncated=extensions"], LONG, SCRIPT),
    (&["truncated=goalstate"], SHORT, NO_SETTINGS),
    (&["truncated=certificates"], LONG, FAILED),
    (&["short=vmsettings"], LONG, SCRIPT),
    (&["short=extensions"], LONG, SCRIPT),
    (&["short=goalstate"], SHORT, NO_SETTINGS),
    (&["short=certificates"], SHORT, FAILED),
    (&["empty=vmsettings"], LONG, SCRIPT),
    (&["empty=extensions"], LONG, SCRIPT),
    (&["empty=goalstate"], SHORT, NO_SETTINGS),
    (&["html=vmsettings"], LONG, SCRIPT),
    (&["html=extensions"], LONG, SCRIPT),
    (&["html=goalstate"], SHORT, NO_SETTINGS),
    (&["bom=all"], LONG, SCRIPT),
    (&["huge=goalstate"], SHORT, NO_SETTINGS),
    (&["huge=vmsettings"], LONG, SCRIPT),
    (&["huge=vmsettings,7"], LONG, SCRIPT),
    (&["huge=extensions", "no-settings-host"], SHORT, NO_SETTINGS),
    (&["huge=certificates"], SHORT, FAILED),
    (&["entities"], LONG, SCRIPT),
    (&["entities", "no-settings-host"], SHORT, NO_SETTINGS),
    (&["depth"], LONG, SCRIPT),
    (&["depth", "no-settings-wire"], SHORT, NO_SETTINGS),
    // Certificates.
    (&["no-aes"], LONG, SCRIPT),
    (&["garbled-aes"], LONG, SCRIPT),
    (&["other-cipher"], LONG, SCRIPT),
    (&["no-cipher"], LONG, FAILED),
    (&["no-key"], LONG, FAILED),
    (&["no-certificate"], LONG, FAILED),
    (&["no-data"], LONG, FAILED),
    (&["format="], LONG, SCRIPT),
    (&["format=Pkcs7"], LONG, FAILED),
    (&["pfx=aes"], LONG, SCRIPT),
    (&["pfx=nomac"], LONG, SCRIPT),
    (&["pfx=password"], LONG, FAILED),
    // Settings.
    (&["two-extensions"], LONG, SCRIPT),
    (&["two-custom-scripts"], LONG, SCRIPT),
    (&["two-custom-scripts", "no-settings-host"], LONG, SCRIPT),
    (&["multi-config"], LONG, SCRIPT),
    (&["multi-config", "no-settings-host"], LONG, SCRIPT),
    (&["sequence=7"], LONG, SCRIPT),
    (&["host-behind", "sequence=1"], LONG, SCRIPT),
    (&["host-behind=OLDER", "sequence=1"], LONG, SCRIPT),
    (&["settings-cipher=aes128"], LONG, SCRIPT),
    (&["settings-cipher=aes256"], LONG, SCRIPT),
    (&["settings-padding"], LONG, SCRIPT),
    (&["lower-case"], LONG, SCRIPT),
    (&["no-thumbprint"], SHORT, NO_SETTINGS),
    (&["public-settings"], SHORT, NO_SETTINGS),
    // Commands.
    (&["mismatch=folded"], LONG, SCRIPT),
    (&["mismatch=other"], LONG, NO_MATCH),
    (&["mismatch=lead"], LONG, NO_MATCH),
    (&["mismatch=quote"], LONG, NO_MATCH),
    (&["mismatch=path"], LONG, NO_MATCH),
    (&["mismatch=hostpath"], LONG, NO_MATCH),
    (&["mismatch=empty"], LONG, NO_MATCH),
    (&["mismatch=not-base64"], LONG, NO_MATCH),
    (&["mismatch=not-gzip"], LONG, NO_MATCH),
    (&["mismatch=trailing"], LONG, NO_MATCH),
    (&["mismatch=bomb"], LONG, NO_MATCH),
    (&["mismatch=not-json"], LONG, NO_MATCH),
    (&["mismatch=no-command"], LONG, NO_MATCH),
    (&["mismatch=number"], LONG, NO_MATCH),
];

/// The stand-in, a command that the reference rendered, and the script in it.
struct Host {
    program: PathBuf,
    scratch: Scratch,
    script: String,
}

impl Host {
    /// Returns what all cases share, with keys of the stand-in, whose generation takes a second. `None` if something is missing.
    #[track_caller]
    fn new() -> Option<Self> {
        let vectors = needs::vectors("boothook")?;
        if !needs::programs(&[("python3", "python3"), ("openssl", "openssl")]) {
            return None;
        }
        let scratch = Scratch::new("host");
        let vector = fs::read(vectors.join("ubuntu2204-default-asked.json")).expect("a vector");
        let vector: Value = serde_json::from_slice(&vector).expect("JSON");
        let expected = &vector["expect"];
        let path = "/opt/azure/containers/boothook.sh";
        let script = expected["payloads"][path]["text"].as_str().expect("the script").to_owned();
        let template = expected["cse"].as_str().expect("the command");
        let command = |script: &str| template.replace(&format!("<payload:{path}>"), &packed(script));
        fs::write(scratch.join("command"), command(&script)).expect("writable");
        fs::write(scratch.join("older"), command("#!/bin/bash\nthis one is old\n")).expect("writable");
        let host = Self { program: vectors.join("wireserver"), scratch, script };
        drop(Services::start(&host, "keys", &[], &[]));
        Some(host)
    }
}

fn packed(script: &str) -> String {
    STANDARD.encode(gzip(script.as_bytes()))
}

/// The stand-in, running.
struct Services {
    _process: Running,
    addresses: Value,
    log: PathBuf,
}

impl Services {
    fn start(host: &Host, name: &str, faults: &[&str], more: &[&str]) -> Self {
        let file = |suffix| host.scratch.join(format!("{name}.{suffix}"));
        let (ready, log) = (file("ready"), file("log"));
        let mut command = Command::new(&host.program);
        command.arg("--command").arg(host.scratch.join("command")).arg("--work").arg(host.scratch.join("work"));
        command.arg("--ready").arg(&ready).arg("--log").arg(&log).args(more);
        // It is killed, and leaves the file that it encrypts with.
        command.env("TMPDIR", &*host.scratch);
        for fault in faults {
            command.args(["--fault", &fault.replace("OLDER", &host.scratch.join("older").display().to_string())]);
        }
        let process = Running::start(&mut command);
        until("the stand-in listens", || ready.exists());
        let addresses = serde_json::from_slice(&fs::read(&ready).expect("addresses")).expect("JSON");
        Self { _process: process, addresses, log }
    }

    fn url(&self, service: &str) -> String {
        format!("http://{}", self.addresses[service].as_str().expect("an address"))
    }

    /// A fetch on a node.
    fn fetch(&self, node: &Node, timeout: &str) -> Command {
        let (wire, host) = (self.url("wire"), self.url("host"));
        node.command(&["fetch", "--timeout", timeout, "--wireserver", &wire, "--host-plugin", &host])
    }

    /// The requests that it answered, in order.
    fn requests(&self) -> Vec<Value> {
        let lines = fs::read_to_string(&self.log).unwrap_or_default();
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

const OUTPUT: &str = "opt/bin/boothook.sh";

/// Checks the result of a fetch, and that its log has nothing that it must not have.
fn check(host: &Host, services: &Services, node: &Node, fetched: &Output, code: u8) {
    let log = text(&fetched.stderr);
    assert_eq!(fetched.status.code(), Some(code.into()), "{log}");
    assert_eq!(text(&fetched.stdout), "");
    if code == SCRIPT {
        assert_eq!(node.text(OUTPUT), host.script, "{log}");
        let mode = |path: &Path| fs::metadata(path).expect("it exists").permissions().mode() & 0o777;
        assert_eq!(mode(&node.path(OUTPUT)), 0o600);
        assert_eq!(fs::read_dir(node.path("opt/bin")).expect("a directory").count(), 1, "no temporary file is left");
    } else {
        assert!(!node.exists("opt/bin") && !node.exists("run/aks-node-controller/early-fetch.json"), "{log}");
    }
    let payload = packed(&host.script);
    for secret in [
        "must-not-be-logged",
        "must%2Dnot",
        "sig=",
        "?",
        "echo",
        "PRIVATE KEY",
        &payload[60..100],
        &host.script[100..140],
    ] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
    let requests = services.requests();
    assert!(
        requests.iter().all(|request| !request["what"].as_str().is_some_and(|what| what.starts_with("redirected")))
    );
}

#[test]
fn each_fault_of_the_host_ends_as_it_should() {
    let Some(host) = Host::new() else { return };
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..PARALLEL {
            scope.spawn(|| {
                while let Some((faults, timeout, code)) = CASES.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let run = || {
                        let services = Services::start(&host, &faults.join("+").replace(['/', '='], "-"), faults, &[]);
                        let node = Node::new("");
                        let fetched = finish(&mut services.fetch(&node, timeout));
                        check(&host, &services, &node, &fetched, *code);
                    };
                    if std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err() {
                        failures.lock().unwrap_or_else(PoisonError::into_inner).push(*faults);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(failures.is_empty(), "{} of {} cases: {failures:?}", failures.len(), CASES.len());
}

#[test]
fn the_requests_are_those_of_the_agent() {
    let Some(host) = Host::new() else { return };
    let services = Services::start(&host, "requests", &["no-aes"], &[]);
    let node = Node::new("");
    check(&host, &services, &node, &finish(&mut services.fetch(&node, LONG)), SCRIPT);
    let requests = services.requests();
    let names: Vec<_> = requests.iter().map(|request| request["what"].as_str().unwrap_or_default()).collect();
    assert_eq!(names, ["goalstate", "vmsettings", "extensions", "certificates", "certificates"]);
    let header = |at: usize, name: &str| requests[at]["headers"][name].as_str().unwrap_or_default();
    for at in [0, 2, 3, 4] {
        assert_eq!((header(at, "x-ms-agent-name"), header(at, "x-ms-version")), ("WALinuxAgent", "2012-11-30"), "{at}");
    }
    assert_eq!(header(0, "content-type"), "text/xml;charset=utf-8");
    assert_eq!((header(1, "x-ms-version"), header(1, "x-ms-correlationid").len()), ("2015-09-01", 36));
    assert_eq!((header(3, "x-ms-cipher-name"), header(4, "x-ms-cipher-name")), ("AES128_CBC", "DES_EDE3_CBC"));
    let certificate = STANDARD.decode(header(3, "x-ms-guest-agent-public-x509-cert")).expect("base64 on one line");
    fs::write(node.path("transport.der"), certificate).expect("writable");
    let mut read = Command::new("openssl");
    read.args(["x509", "-inform", "DER", "-noout", "-subject", "-ext", "subjectKeyIdentifier", "-in"])
        .arg(node.path("transport.der"));
    let read = finish(&mut read);
    let shown = text(&read.stdout);
    assert!(shown.contains("LinuxTransport") && shown.contains("X509v3 Subject Key Identifier"), "{shown}");
    let mut verify = Command::new("openssl");
    let pem = node.path("transport.pem");
    finish(
        Command::new("openssl")
            .args(["x509", "-inform", "DER", "-in"])
            .arg(node.path("transport.der"))
            .arg("-out")
            .arg(&pem),
    );
    let verified = finish(verify.arg("verify").arg("-CAfile").arg(&pem).arg(&pem));
    assert!(verified.status.success(), "{}", text(&verified.stderr));
}

#[test]
fn the_key_that_the_agent_has_left_is_used_without_certificates() {
    let Some(host) = Host::new() else { return };
    for fault in ["no-cipher", "no-key", "no-data", "drip=certificates"] {
        let node = Node::new("");
        let agent = node.path("var/lib/waagent").display().to_string();
        let services = Services::start(&host, &format!("agent-{fault}"), &[fault], &["--waagent", &agent]);
        check(&host, &services, &node, &finish(&mut services.fetch(&node, LONG)), SCRIPT);
    }
}

#[test]
fn nothing_is_fetched_once_provisioning_has_started() {
    let Some(host) = Host::new() else { return };
    let services = Services::start(&host, "started", &[], &[]);
    let node = Node::new("until [ -e $ROOT/go ]; do sleep 0.01; done\n".to_owned().as_str());
    let running = node.start_provision();
    node.until("the script runs", |node| node.exists("run/aks-node-controller/started.json"));
    check(&host, &services, &node, &finish(&mut services.fetch(&node, LONG)), 12);
    node.write("go", "");
    running.end();
    let ended = Node::new(GOOD);
    ended.provision();
    check(&host, &services, &ended, &finish(&mut services.fetch(&ended, LONG)), 12);
    assert!(services.requests().is_empty());
}

#[test]
fn a_fetch_that_is_too_late_writes_nothing() {
    let Some(host) = Host::new() else { return };
    let services = Services::start(&host, "late", &["slow=certificates,2"], &[]);
    let node = Node::new(GOOD);
    let fetching = Running::start(&mut services.fetch(&node, LONG));
    let has_asked = || services.requests().iter().any(|request| request["what"] == "extensions");
    until("the fetch has settings", has_asked);
    node.provision();
    check(&host, &services, &node, &fetching.end(), 12);
}

#[test]
fn the_output_is_where_the_caller_wants_it_and_replaces_an_older_one() {
    let Some(host) = Host::new() else { return };
    let services = Services::start(&host, "output", &["sequence=3"], &[]);
    let node = Node::new("");
    node.write("elsewhere/script", "older");
    let output = node.path("elsewhere/script").display().to_string();
    let fetched = finish(services.fetch(&node, LONG).args(["--output", &output]));
    assert_eq!(fetched.status.code(), Some(0), "{}", text(&fetched.stderr));
    assert_eq!(node.text("elsewhere/script"), host.script);
    let record: HashMap<String, Value> =
        serde_json::from_str(&node.text("run/aks-node-controller/early-fetch.json")).expect("JSON");
    assert_eq!(record["channel"], "host-plugin");
    let log = text(&fetched.stderr);
    let thumbprint = services.addresses["thumbprint"].as_str().expect("a thumbprint");
    assert!(log.contains("sequence number 3") && log.contains(thumbprint), "{log}");
    let full = finish(services.fetch(&node, LONG).args(["--output", "/proc/boothook.sh"]));
    assert_eq!(full.status.code(), Some(1), "{}", text(&full.stderr));
    assert!(text(&full.stderr).contains("cannot write /proc/boothook.sh"), "{}", text(&full.stderr));
}

#[test]
fn the_program_that_boothooks_run_becomes_the_controller() {
    if !needs::programs(&[("python3", "python3")]) {
        return;
    }
    let node = Node::new("");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("parts/controller/fetch_provision_config.py");
    let program = fs::read_to_string(program).expect("it exists");
    node.program("controller", "echo $PPID \"$@\"; exit 11");
    let controller = node.path("bin/controller").display().to_string();
    node.write("fetch.py", &program.replace("/opt/azure/containers/aks-node-controller", &controller));
    let mut command = Command::new("python3");
    let ran = finish(command.arg(node.path("fetch.py")).args(["--output", "/opt/bin/boothook.sh", "--timeout", "60"]));
    let expected = format!("{} fetch --output /opt/bin/boothook.sh --timeout 60\n", std::process::id());
    assert_eq!((ran.status.code(), text(&ran.stdout)), (Some(11), expected), "{}", text(&ran.stderr));
}

#[test]
fn an_image_has_no_input_of_another_node() {
    let node = Node::new("");
    let containers = "opt/azure/containers";
    let left =
        ["enabled_features.sh", "aks-node-controller-hotfix.json", "aks-node-controller-nbc-cmd.sh", "boothook.sh"];
    let mut paths: Vec<_> = left.iter().map(|name| format!("{containers}/{name}")).collect();
    paths.extend(["opt/bin/boothook.sh", "run/aks-node-controller/early-fetch.json"].map(str::to_owned));
    paths.push(format!("{containers}/aks-node-controller-config.json"));
    for path in &paths {
        node.write(path, "");
    }
    let baked = node.run(&["bake", "--os", "flatcar"]);
    assert_eq!(baked.status.code(), Some(0), "{}", text(&baked.stderr));
    let left: Vec<_> = paths.iter().filter(|path| node.exists(path)).collect();
    assert!(left.is_empty(), "{left:?}");
    for file in
        [format!("{containers}/fetch_provision_config.py"), "etc/systemd/system/aks-early-fetch.service".to_owned()]
    {
        assert!(node.exists(&file), "{file}");
    }
}
