//! Whatever is wrong, the attempt ends in a document, a marker, an event and a message that name the cause.

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::harness::{Node, PROGRAM, can, configuration_with, printed};

/// The four ways in which a failure is told.
fn told(node: &Node, ended: &Output, code: i32, in_document: &str, cause: &str) {
    let message = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(code), "{message}");
    assert!(message.contains(cause), "the message: {message}");
    let waited = node.wait();
    let document = printed(&waited);
    assert_eq!(document["ExitCode"], in_document, "{document}");
    assert!(document["Error"].as_str().is_some_and(|error| error.contains(cause)), "the document: {document}");
    assert!(node.has_marker() || node.exists("run/aks-node-controller/provision.complete"));
    let events = node.events();
    let last = events.iter().rfind(|event| event["TaskName"] == "AKS.AKSNodeController.Provision").expect("an event");
    assert_eq!(last["EventLevel"], "Error");
    assert!(last["Message"].as_str().is_some_and(|said| said.contains(cause)), "the event: {last}");
}

fn with_configuration(text: &str) -> (Node, Output) {
    let node = Node::new("exit 0");
    node.write("opt/azure/containers/aks-node-controller-config.json", text);
    let ended = node.provision();
    (node, ended)
}

#[test]
fn a_configuration_that_is_missing_empty_or_wrong() {
    for (text, cause) in [
        ("", "is empty"),
        ("{\"version\": \"v1\"", "has invalid syntax"),
        ("{\"version\": \"v9\"}", "must be `v1`"),
        ("{}", "version: is required"),
        ("{\"version\": \"v1\", \"vm_size\": 5}", "1:30: vm_size: must be"),
        ("version: [", "has invalid syntax"),
    ] {
        let (node, ended) = with_configuration(text);
        told(&node, &ended, 1, "240", cause);
    }
    let node = Node::new("exit 0");
    fs::remove_file(node.configuration()).expect("removed");
    told(&node, &node.provision(), 1, "240", "No such file");
}

#[test]
fn unknown_members_and_names_are_no_errors() {
    let (node, ended) = with_configuration(&configuration_with("\"from_the_future\": {\"x\": 1}"));
    assert_eq!(ended.status.code(), Some(0));
    assert!(node.text("var/log/azure/aks-node-controller.log").contains("from_the_future"));
}

#[test]
fn a_configuration_that_is_a_folder_or_a_pipe_or_cannot_be_carried() {
    let node = Node::new("exit 0");
    fs::remove_file(node.configuration()).expect("removed");
    fs::create_dir(node.configuration()).expect("made");
    told(&node, &node.provision(), 1, "240", "is not a regular file");

    let node = Node::new("exit 0");
    fs::remove_file(node.configuration()).expect("removed");
    assert!(Command::new("mkfifo").arg(node.configuration()).status().expect("`mkfifo` is there").success());
    told(&node, &node.provision(), 1, "240", "is not a regular file");
    let pipe = node.run(&["provision", "--nbc-cmd", &node.configuration()]);
    assert_eq!(pipe.status.code(), Some(240), "the first result stays");

    let (node, ended) = with_configuration(&configuration_with("\"linux_admin_username\": \"a\\u0000b\""));
    told(&node, &ended, 1, "240", "U+0000");
}

#[test]
fn r_13_without_root_nothing_is_done_and_it_is_said() {
    if !can(&["setpriv"]) {
        return;
    }
    let folder = std::env::temp_dir().join(format!("nobody-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("made");
    // The build folder may be closed to others.
    let copy = folder.join("program");
    fs::copy(PROGRAM, &copy).expect("copied");
    fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(0o777)).expect("opened");
    let run = |arguments: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&copy).args(arguments);
        command.current_dir(&folder).stdin(Stdio::null()).output().expect("it runs")
    };
    let ended = run(&["provision", "--provision-config", "nowhere.json"]);
    assert_eq!(ended.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("has to be run as root"));
    assert_eq!(run(&["version"]).status.code(), Some(0));
    fs::write(folder.join("config.json"), crate::harness::configuration()).expect("written");
    let shown = run(&["provision", "--dry-run", "--provision-config", "config.json"]);
    assert!(
        shown.status.success() && shown.stdout.starts_with(b"ADMINUSER="),
        "{}",
        String::from_utf8_lossy(&shown.stderr)
    );
    let mut left: Vec<_> =
        fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    left.sort();
    assert_eq!(left, ["config.json", "program"], "no log in the current folder");
    fs::remove_dir_all(folder).expect("removed");
}

/// Runs the program with file systems of their own laid over folders of the node, then the waiter in the same place.
fn with_mounts(node: &Node, mounts: &str) -> (Output, Output) {
    let script = format!(
        "set -e; cd {root}; {mounts}; set +e\n\
         {PROGRAM} provision --provision-config {config} --root {root} >{root}/out 2>&1; echo $? >{root}/code\n\
         {PROGRAM} provision-wait --timeout 20s --root {root}",
        root = node.root.display(),
        config = node.configuration(),
    );
    let waited = Command::new("unshare").args(["--mount", "bash", "-c", &script]).stdin(Stdio::null()).output();
    let waited = waited.expect("`unshare` is there (package util-linux)");
    let code: i32 =
        node.text("code").trim().parse().unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&waited.stderr)));
    let status = std::os::unix::process::ExitStatusExt::from_raw(code << 8);
    (Output { status, stdout: Vec::new(), stderr: fs::read(node.path("out")).expect("there") }, waited)
}

/// A file system without a free block.
fn full(folder: &str) -> String {
    format!(
        "mkdir -p {folder}; mount -t tmpfs -o size=64k,nr_inodes=64 tmpfs {folder}; cat /dev/zero >{folder}/filler 2>/dev/null || true"
    )
}

/// A file system that takes nothing.
fn read_only(folder: &str) -> String {
    format!("mkdir -p {folder}; mount --bind {folder} {folder}; mount -o remount,bind,ro {folder}")
}

#[test]
fn r_11_r_12_a_log_folder_that_is_full_or_read_only() {
    if !can(&[]) {
        return;
    }
    for (mounts, cause) in
        [(full("var/log"), "No space left on device"), (read_only("var/log"), "Read-only file system")]
    {
        let node = Node::new("exit 50");
        let (ended, waited) = with_mounts(&node, &mounts);
        assert_eq!(ended.status.code(), Some(50), "{}", String::from_utf8_lossy(&ended.stderr));
        assert_eq!(waited.status.code(), Some(50), "{}", String::from_utf8_lossy(&waited.stdout));
        let document = printed(&waited);
        assert_eq!(document["ExitCode"], "50");
        let error = document["Error"].as_str().unwrap_or_default();
        assert!(error.contains(cause) && error.contains("exit code 50"), "{error}");
        assert!(node.exists("run/aks-node-controller/provision.json"));
    }
}

#[test]
fn r_12_room_for_the_result_is_taken_before_the_child_fills_the_disk() {
    if !can(&[]) {
        return;
    }
    let node = Node::new("cat /dev/zero >$ROOT/var/log/filler; exit 51");
    let (ended, waited) = with_mounts(&node, "mkdir -p var/log; mount -t tmpfs -o size=256k tmpfs var/log");
    assert_eq!((ended.status.code(), waited.status.code()), (Some(51), Some(51)));
    let document = printed(&waited);
    assert!(document["Error"].as_str().is_some_and(|error| !error.contains("could not be kept")), "{document}");
    assert!(!node.exists("run/aks-node-controller/provision.json"));
}

#[test]
fn r_11_r_12_an_opt_that_is_read_only_or_full() {
    if !can(&[]) {
        return;
    }
    for mounts in [read_only("opt"), "mount -t tmpfs -o size=256k tmpfs tmp; cp -r opt/. tmp; mount --move tmp opt; cat /dev/zero >opt/filler 2>/dev/null || true".to_owned()] {
        let node = Node::new("exit 52");
        fs::create_dir(node.path("tmp")).expect("made");
        let (ended, waited) = with_mounts(&node, &mounts);
        assert_eq!((ended.status.code(), waited.status.code()), (Some(52), Some(52)), "{}", String::from_utf8_lossy(&ended.stderr));
        assert_eq!(printed(&waited)["ExitCode"], "52");
    }
}

#[test]
fn req_prov_2_r_11_without_any_place_for_a_document_there_is_no_marker() {
    if !can(&[]) {
        return;
    }
    let node = Node::new("exit 53");
    let mounts = format!("{}; {}", read_only("var"), read_only("run"));
    let (ended, waited) = with_mounts(&node, &format!("{mounts}; rm -rf {0}; mkdir {0}", node.path("bin").display()));
    assert_eq!(ended.status.code(), Some(53));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("the result cannot be kept"));
    assert!(!node.has_marker());
    assert_eq!(waited.status.code(), Some(240), "nobody has said anything, and the waiter was given a time");
}

#[test]
fn a_child_that_cannot_start() {
    if !can(&[]) {
        return;
    }
    let node = Node::new("exit 0");
    let script = format!(
        "cd {root}; mkdir -p empty; mount --bind /dev/null /usr/bin/bash; \
         exec {PROGRAM} provision --provision-config {config} --root {root}",
        root = node.root.display(),
        config = node.configuration(),
    );
    let ended = Command::new("unshare").args(["--mount", "sh", "-c", &script]).stdin(Stdio::null()).output();
    let ended = ended.expect("`unshare` is there (package util-linux)");
    let document = node.document();
    assert_eq!((ended.status.code(), &document["ExitCode"], node.has_marker()), (Some(1), &Value::from("-1"), true));
    assert!(
        document["Error"].as_str().is_some_and(|error| error.contains("/bin/bash cannot be started")),
        "{document}"
    );
    assert_eq!(node.wait().status.code(), Some(1), "no process can end with -1");
}

#[test]
fn a_child_past_its_timeout() {
    let node = Node::new("sleep 300");
    node.write("opt/azure/containers/aks-node-controller-config.json", &configuration_with("\"cse_timeout\": 1"));
    let ended = node.provision();
    told(&node, &ended, 124, "124", "ran past its timeout");
}

#[test]
fn a_result_with_something_wrong_inside() {
    for (text, cause) in [
        ("{\"ExitCode\": 0}", "has an ExitCode that is not a number in text: 0"),
        ("{\"ExitCode\": \"x\"}", "has an ExitCode that is not a number in text"),
        ("{\"ExitCode\"", "is not a JSON object"),
        ("", "is empty"),
        ("[]", "is not a JSON object"),
    ] {
        let node = Node::new(&format!(
            "mkdir -p $ROOT/var/log/azure/aks; printf %s '{text}' >$ROOT/var/log/azure/aks/provision.json; \
             : >$ROOT/opt/azure/containers/provision.complete; exit 21"
        ));
        let ended = node.provision();
        assert_eq!(ended.status.code(), Some(21));
        let document = printed(&node.wait());
        assert_eq!(document["ExitCode"], "21");
        assert!(
            document["Error"].as_str().is_some_and(|error| error.contains(cause) && error.contains("exit code 21")),
            "{document}"
        );
        assert_eq!(node.text("var/log/azure/aks/provision.json.previous"), text);
    }
}

#[test]
fn a_root_that_cannot_stand_in_a_command() {
    for root in ["/tmp/a b", "/tmp/$(id)", "/tmp/a'b"] {
        let ended = Command::new(PROGRAM).args(["provision", "--root", root]).output().expect("it runs");
        assert_eq!(ended.status.code(), Some(2), "{root}");
    }
}
