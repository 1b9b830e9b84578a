//! Whatever is wrong, the attempt ends in a document, a marker, an event and a message that name the cause.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Output};
use std::thread;

use serde_json::Value;

use super::harness::{Node, PROGRAM, configuration, configuration_with, printed, text};
use crate::support::{Scratch, copy_program, finish, needs};

/// Checks the four places in which a failure is reported.
fn is_reported(node: &Node, ended: &Output, code: i32, in_document: &str, cause: &str) {
    let message = text(&ended.stderr);
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
    assert!(last["Message"].as_str().is_some_and(|message| message.contains(cause)), "the event: {last}");
}

fn with_configuration(text: &str) -> (Node, Output) {
    let node = Node::new("exit 0");
    node.write("opt/azure/containers/aks-node-controller-config.json", text);
    let ended = node.provision();
    (node, ended)
}

#[test]
fn a_missing_empty_or_invalid_configuration_is_reported() {
    // Each is read again for two seconds, so they take their time side by side.
    thread::scope(|scope| {
        for (text, cause) in [
            ("", "is empty"),
            ("{\"version\": \"v1\"", "has invalid syntax"),
            ("{\"version\": \"v9\"}", "must be `v1`"),
            ("{}", "version: is required"),
            ("{\"version\": \"v1\", \"vm_size\": 5}", "1:30: vm_size: must be"),
            ("version: [", "has invalid syntax"),
        ] {
            scope.spawn(move || {
                let (node, ended) = with_configuration(text);
                is_reported(&node, &ended, 1, "240", cause);
            });
        }
    });
    let node = Node::new("exit 0");
    fs::remove_file(node.configuration()).expect("removed");
    is_reported(&node, &node.provision(), 1, "240", "No such file");
}

#[test]
fn unknown_fields_and_names_are_logged_and_accepted() {
    let (node, ended) = with_configuration(&configuration_with("\"from_the_future\": {\"x\": 1}"));
    assert_eq!(ended.status.code(), Some(0));
    assert!(node.text("var/log/azure/aks-node-controller.log").contains("from_the_future"));
}

#[test]
fn a_configuration_that_is_a_directory_or_a_pipe_or_holds_u0000_is_reported() {
    let node = Node::new("exit 0");
    fs::remove_file(node.configuration()).expect("removed");
    fs::create_dir(node.configuration()).expect("created");
    is_reported(&node, &node.provision(), 1, "240", "is not a regular file");

    let node = Node::new("exit 0");
    fs::remove_file(node.configuration()).expect("removed");
    assert!(finish(Command::new("mkfifo").arg(node.configuration())).status.success());
    is_reported(&node, &node.provision(), 1, "240", "is not a regular file");
    let pipe = node.run(&["provision", "--nbc-cmd", &node.configuration()]);
    assert_eq!(pipe.status.code(), Some(240), "the first result stays");

    let (node, ended) = with_configuration(&configuration_with("\"linux_admin_username\": \"a\\u0000b\""));
    is_reported(&node, &ended, 1, "240", "U+0000");
}

#[test]
fn an_ordinary_user_gets_a_message_and_no_file() {
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let directory = Scratch::new("nobody");
    // The build directory may be closed to others.
    let copy = directory.join("program");
    copy_program(Path::new(PROGRAM), &copy);
    fs::set_permissions(&*directory, fs::Permissions::from_mode(0o777)).expect("opened");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(if is_root { "setpriv".as_ref() } else { copy.as_os_str() });
        if is_root {
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&copy);
        }
        finish(command.args(arguments).current_dir(&*directory))
    };
    let ended = run(&["provision", "--provision-config", "nowhere.json"]);
    assert_eq!(ended.status.code(), Some(1), "{}", text(&ended.stderr));
    assert!(text(&ended.stderr).contains("must run as root"));
    assert_eq!(run(&["version"]).status.code(), Some(0));
    fs::write(directory.join("config.json"), configuration()).expect("written");
    let shown = run(&["provision", "--dry-run", "--provision-config", "config.json"]);
    assert!(shown.status.success() && shown.stdout.starts_with(b"ADMINUSER="), "{}", text(&shown.stderr));
    let mut left: Vec<_> =
        fs::read_dir(&*directory).expect("a directory").map(|entry| entry.expect("an entry").file_name()).collect();
    left.sort();
    assert_eq!(left, ["config.json", "program"], "no log in the current directory");
}

/// Runs the program with file systems of their own mounted over directories of the node, then the waiter in the same place.
/// The waiter gives up after `timeout`.
fn with_mounts(node: &Node, mounts: &str, timeout: &str) -> (Output, Output) {
    let script = format!(
        "set -e; cd {root}; {mounts}; set +e\n\
         {PROGRAM} provision --provision-config {config} --root {root} >{root}/out 2>&1; echo $? >{root}/code\n\
         {PROGRAM} provision-wait --timeout {timeout} --root {root}",
        root = node.root.display(),
        config = node.configuration(),
    );
    let mut command = Command::new("unshare");
    node.prepare(command.args(["--mount", "bash", "-c", &script]));
    let waited = finish(&mut command);
    let code: i32 = node.text("code").trim().parse().unwrap_or_else(|_| panic!("{}", text(&waited.stderr)));
    let stderr = fs::read(node.path("out")).expect("the output was kept");
    (Output { status: ExitStatus::from_raw(code << 8), stdout: Vec::new(), stderr }, waited)
}

/// A timeout for a waiter that gets a result.
const RESULT_COMES: &str = "100s";

/// A file system without a free block.
fn full(directory: &str) -> String {
    format!(
        "mkdir -p {directory}; mount -t tmpfs -o size=64k,nr_inodes=64 tmpfs {directory}; cat /dev/zero >{directory}/filler 2>/dev/null || true"
    )
}

/// A read-only file system.
fn read_only(directory: &str) -> String {
    format!("mkdir -p {directory}; mount --bind {directory} {directory}; mount -o remount,bind,ro {directory}")
}

#[test]
fn with_a_full_or_read_only_log_directory_the_result_goes_below_run() {
    if !needs::root() {
        return;
    }
    for (mounts, cause) in
        [(full("var/log"), "No space left on device"), (read_only("var/log"), "Read-only file system")]
    {
        let node = Node::new("exit 50");
        let (ended, waited) = with_mounts(&node, &mounts, RESULT_COMES);
        assert_eq!(ended.status.code(), Some(50), "{}", text(&ended.stderr));
        assert_eq!(waited.status.code(), Some(50), "{}", text(&waited.stdout));
        let document = printed(&waited);
        assert_eq!(document["ExitCode"], "50");
        let error = document["Error"].as_str().unwrap_or_default();
        assert!(error.contains(cause) && error.contains("exit code 50"), "{error}");
        assert!(node.exists("run/aks-node-controller/provision.json"));
        // A reboot: the document is gone, so the marker has to be gone too, and the node tries again.
        assert!(node.exists("run/aks-node-controller/provision.complete") && !node.has_marker());
        fs::remove_dir_all(node.path("run")).expect("removed");
        assert_eq!(node.provision().status.code(), Some(50), "the next boot does not try again");
        let (ended, waited) = with_mounts(&node, "true", RESULT_COMES);
        assert_eq!((ended.status.code(), waited.status.code()), (Some(50), Some(50)));
        assert!(node.has_marker() && node.exists("var/log/azure/aks/provision.json"));
    }
}

#[test]
fn a_child_that_fills_the_disk_does_not_prevent_the_result() {
    if !needs::root() {
        return;
    }
    let node = Node::new("cat /dev/zero >$ROOT/var/log/filler; exit 51");
    let mounts = "mkdir -p var/log; mount -t tmpfs -o size=256k tmpfs var/log";
    let (ended, waited) = with_mounts(&node, mounts, RESULT_COMES);
    assert_eq!((ended.status.code(), waited.status.code()), (Some(51), Some(51)));
    let document = printed(&waited);
    assert!(document["Error"].as_str().is_some_and(|error| !error.contains("cannot write the result")), "{document}");
    assert!(!node.exists("run/aks-node-controller/provision.json"));
}

#[test]
fn with_a_read_only_or_full_opt_the_waiter_still_gets_the_result() {
    if !needs::root() {
        return;
    }
    let full = "mount -t tmpfs -o size=256k tmpfs tmp; cp -r opt/. tmp; mount --move tmp opt; \
                cat /dev/zero >opt/filler 2>/dev/null || true";
    for mounts in [read_only("opt"), full.to_owned()] {
        let node = Node::new("exit 52");
        fs::create_dir(node.path("tmp")).expect("created");
        let (ended, waited) = with_mounts(&node, &mounts, RESULT_COMES);
        assert_eq!((ended.status.code(), waited.status.code()), (Some(52), Some(52)), "{}", text(&ended.stderr));
        assert_eq!(printed(&waited)["ExitCode"], "52");
    }
}

#[test]
fn without_any_place_for_a_document_there_is_no_marker() {
    if !needs::root() {
        return;
    }
    let node = Node::new("exit 53");
    let (ended, waited) = with_mounts(&node, &format!("{}; {}", read_only("var"), read_only("run")), "1s");
    assert_eq!(ended.status.code(), Some(53));
    assert!(text(&ended.stderr).contains("cannot write the result"));
    assert!(!node.has_marker());
    assert_eq!(waited.status.code(), Some(240), "the waiter has nothing but its deadline");
}

#[test]
fn a_child_that_cannot_be_started_is_reported() {
    if !needs::root() {
        return;
    }
    let node = Node::new("exit 0");
    let script = format!(
        "cd {root}; mkdir -p empty; mount --bind /dev/null /usr/bin/bash; \
         exec {PROGRAM} provision --provision-config {config} --root {root}",
        root = node.root.display(),
        config = node.configuration(),
    );
    let ended = finish(Command::new("unshare").args(["--mount", "sh", "-c", &script]));
    let document = node.document();
    assert_eq!((ended.status.code(), &document["ExitCode"], node.has_marker()), (Some(1), &Value::from("-1"), true));
    assert!(document["Error"].as_str().is_some_and(|error| error.contains("cannot start /bin/bash")), "{document}");
    assert_eq!(node.wait().status.code(), Some(1), "no process can end with -1");
}

#[test]
fn a_child_that_exceeds_its_timeout_is_ended() {
    let node = Node::new("sleep 600");
    node.write("opt/azure/containers/aks-node-controller-config.json", &configuration_with("\"cse_timeout\": 1"));
    let ended = node.provision();
    is_reported(&node, &ended, 124, "124", "exceeded its time limit");
}

#[test]
fn an_unreadable_document_of_the_child_is_set_aside_and_replaced() {
    for (document, cause) in [
        ("{\"ExitCode\": 0}", "has an ExitCode that is not a decimal string: 0"),
        ("{\"ExitCode\": \"x\"}", "has an ExitCode that is not a decimal string"),
        ("{\"ExitCode\"", "is not a JSON object"),
        ("", "is empty"),
        ("[]", "is not a JSON object"),
    ] {
        let node = Node::new(&format!(
            "mkdir -p $ROOT/var/log/azure/aks; printf %s '{document}' >$ROOT/var/log/azure/aks/provision.json; \
             : >$ROOT/opt/azure/containers/provision.complete; exit 21"
        ));
        let ended = node.provision();
        assert_eq!(ended.status.code(), Some(21));
        let replaced = printed(&node.wait());
        assert_eq!(replaced["ExitCode"], "21");
        assert!(
            replaced["Error"].as_str().is_some_and(|error| error.contains(cause) && error.contains("exit code 21")),
            "{replaced}"
        );
        assert_eq!(node.text("var/log/azure/aks/provision.json.previous"), document);
    }
}

#[test]
fn a_root_that_a_shell_would_not_read_as_one_word_is_rejected() {
    for root in ["/tmp/a b", "/tmp/$(id)", "/tmp/a'b"] {
        let ended = finish(Command::new(PROGRAM).args(["provision", "--root", root]));
        assert_eq!(ended.status.code(), Some(2), "{root}");
    }
}
