//! What is on the machine before an attempt, or what its child leaves: pipes and devices in the places of files, secrets in a document,
//! other file modes, a systemd that does not answer.

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::process::Command;

use super::harness::{Node, PROGRAM, SECRET, printed, text};
use crate::support::{Running, finish, needs};

const LOG: &str = "var/log/azure/aks-node-controller.log";
const LOCK: &str = "run/aks-node-controller/lock";

/// Runs a program with a path of a node as its last argument, in a directory that exists.
fn make(node: &Node, program: &str, arguments: &[&str], path: &str, more: &[&str]) {
    let path = node.path(path);
    fs::create_dir_all(path.parent().expect("a directory")).expect("directories can be created");
    let ended = finish(Command::new(program).args(arguments).arg(path).args(more));
    assert!(ended.status.success(), "{}", text(&ended.stderr));
}

#[test]
fn a_pipe_in_the_place_of_the_log_or_the_lock_blocks_nobody() {
    for path in [LOG, LOCK] {
        let node = Node::new("exit 50");
        make(&node, "mkfifo", &[], path, &[]);
        let ended = node.provision();
        assert_eq!(ended.status.code(), Some(50), "{path}: {}", text(&ended.stderr));
        assert!(text(&ended.stderr).contains("WARN"), "{path}: {}", text(&ended.stderr));
        assert_eq!(node.wait().status.code(), Some(50), "{path}");
        assert!(fs::symlink_metadata(node.path(path)).is_ok_and(|file| file.file_type().is_fifo()), "{path}");
    }
}

#[test]
fn a_log_that_leads_to_a_device_is_not_written_and_the_device_keeps_its_mode() {
    if !needs::root() {
        return;
    }
    let node = Node::new("exit 50");
    // As /dev/null, to which administrators link logs that they do not want.
    make(&node, "mknod", &["--mode=0666"], "null", &["c", "1", "3"]);
    fs::create_dir_all(node.path("var/log/azure")).expect("created");
    std::os::unix::fs::symlink(node.path("null"), node.path(LOG)).expect("created");
    let ended = node.provision();
    assert_eq!(ended.status.code(), Some(50), "{}", text(&ended.stderr));
    assert!(text(&ended.stderr).contains("is not a regular file"), "{}", text(&ended.stderr));
    let device = fs::metadata(node.path("null")).expect("it is there");
    assert_eq!((device.file_type().is_char_device(), device.permissions().mode() & 0o777), (true, 0o666));
}

#[test]
fn a_file_in_the_place_of_the_directory_below_run_does_not_prevent_the_attempt() {
    let node = Node::new("exit 50");
    node.write("run/aks-node-controller", "a file");
    let ended = node.provision();
    assert_eq!((ended.status.code(), node.has_marker()), (Some(50), true), "{}", text(&ended.stderr));
    assert_eq!(node.document()["ExitCode"], "50");
}

#[test]
fn a_secret_in_the_document_of_the_scripts_is_shown_nowhere() {
    for code in [0, 52] {
        let node = Node::new(&format!(
            "mkdir -p $ROOT/var/log/azure/aks; cp $ROOT/document $ROOT/var/log/azure/aks/provision.json; exit {code}"
        ));
        let proxy = "https://account:pass%2Fword-1@proxy.example";
        node.write(
            "document",
            &format!(r#"{{"ExitCode":"52","Output":"a {SECRET} b","More":{{"x":[1.0]}},"Error":"no way to {proxy}: {SECRET}"}}"#),
        );
        let attempts = [node.provision(), node.provision()];
        let waited = node.wait();
        assert_eq!((attempts[1].status.code(), waited.status.code()), (Some(52), Some(52)));
        let document = printed(&waited);
        assert!(document["Error"].as_str().is_some_and(|error| error.starts_with("no way to ")), "{document}");
        assert!(document["Output"].as_str().is_some_and(|output| output.starts_with("a [redacted]")), "{document}");
        let line = text(&waited.stdout);
        assert!(line.starts_with(r#"{"ExitCode":"52","Output":"#) && line.contains(r#""More":{"x":[1.0]}"#), "{line}");
        let mut shown = vec![line, text(&waited.stderr), node.text(LOG)];
        shown.extend(attempts.iter().map(|attempt| text(&attempt.stderr)));
        shown.extend(node.events().iter().map(ToString::to_string));
        for text in shown {
            assert!(!text.contains(SECRET) && !text.contains("word-1"), "{code}: {text}");
        }
    }
}

#[test]
fn files_have_the_modes_of_a_service_for_any_umask() {
    for umask in ["000", "077"] {
        let node = Node::new("echo made >$ROOT/made; exit 50");
        let script = format!("umask {umask}; exec {PROGRAM} provision --provision-config \"$1\" --root \"$2\"");
        let mut command = Command::new("bash");
        node.prepare(command.args(["-c", &script, "bash", &node.configuration()]).arg(&*node.root));
        assert_eq!(finish(&mut command).status.code(), Some(50));
        for (path, mode) in [("made", 0o644), ("run/aks-node-controller", 0o755), (LOG, 0o600)] {
            let found = fs::metadata(node.path(path)).expect(path).permissions().mode() & 0o7777;
            assert_eq!(found, mode, "{path} with umask {umask}: {found:o}");
        }
    }
}

#[test]
fn a_systemd_that_does_not_answer_delays_the_result_only_for_seconds() {
    let node = Node::new("touch $ROOT/ready; sleep 600");
    fs::create_dir_all(node.path("run/systemd/system")).expect("a directory");
    node.program("systemctl", "exec sleep 600");
    let running: Running = node.start_provision();
    node.until("the child runs", |node| node.exists("ready"));
    running.signal("TERM");
    assert_eq!(running.end().status.code(), Some(143));
    assert_eq!((node.document()["ExitCode"].as_str(), node.has_marker()), (Some("143"), true));
}

#[test]
fn the_exit_code_is_known_although_the_caller_ignores_the_end_of_children() {
    let node = Node::new("exit 50");
    let mut command = Command::new("env");
    command.args(["--ignore-signal=CHLD", PROGRAM, "provision", "--provision-config", &node.configuration(), "--root"]);
    node.prepare(command.arg(&*node.root));
    let ended = finish(&mut command);
    assert_eq!(ended.status.code(), Some(50), "{}", text(&ended.stderr));
    assert_eq!(node.document()["ExitCode"], "50");
}
