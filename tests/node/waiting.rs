//! What a waiter sees, prints and costs.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::{self, sleep};
use std::time::Duration;

use super::harness::{GOOD, Node, PROGRAM, printed, text};
use crate::support::{Running, needs, until};

const DOCUMENT: &str = "var/log/azure/aks/provision.json";
const MARKER: &str = "opt/azure/containers/provision.complete";

/// A node with a document and a marker.
fn finished(document: &str) -> Node {
    let node = Node::new("");
    node.write(DOCUMENT, document);
    node.write(MARKER, "");
    node
}

/// Whether a waiter has opened its log, which it does before it looks for the first time.
fn waits(node: &Node) -> bool {
    node.exists("var/log/azure/aks-node-controller.log")
}

#[test]
fn a_recorded_result_is_printed_unchanged() {
    for (document, code, legacy) in [
        ("{\"ExitCode\":\"0\",\"Output\":\"  x\"}\n", 0, 0),
        ("{\"ExitCode\": \"50\", \"Error\": \"why\"}", 50, 1),
        ("{\"exitCode\":\"255\"}", 255, 1),
        ("{\"ExitCode\":\"256\"}", 1, 1),
        ("{\"ExitCode\":\"-1\"}", 1, 1),
    ] {
        let node = finished(document);
        let waited = node.run(&["provision-wait"]);
        assert_eq!(text(&waited.stdout), format!("{document}\n"));
        assert_eq!(waited.status.code(), Some(code), "{document}");
        assert_eq!(node.run(&["provision-wait", "--legacy-exit-code"]).status.code(), Some(legacy), "{document}");
    }
}

#[test]
fn nothing_of_a_recorded_result_is_obeyed_by_a_terminal() {
    let output = "\u{9b}31mred \u{90}x\u{9c} \u{202e}left \u{2066}in\u{7f}é";
    for document in [format!("{{\"ExitCode\":\"50\",\"Output\":\"{output}\",\"\u{85}\":\"\"}}"), "\u{9b}".to_owned()] {
        let node = finished(&document);
        for arguments in [&["provision-wait"][..], &["provision-wait", "--ready"]] {
            let waited = node.run(arguments);
            let shown = text(&waited.stdout) + &text(&waited.stderr);
            let obeyed = shown
                .chars()
                .find(|shown| shown.is_control() && *shown != '\n' || ['\u{202e}', '\u{2066}'].contains(shown));
            assert_eq!(obeyed, None, "{arguments:?}: {shown:?}");
            if document.starts_with('{') {
                assert_eq!(printed(&waited)["Output"], output, "{arguments:?}");
            }
        }
    }
}

#[test]
fn a_failure_has_its_exit_code_even_if_nobody_reads_the_document() {
    for (code, expected) in [("50", 50), ("0", 141)] {
        let node = finished(&format!("{{\"ExitCode\":\"{code}\"}}"));
        let (reader, closed) = std::io::pipe().expect("a pipe");
        drop(reader);
        let status = node.command(&["provision-wait"]).stdout(closed).stderr(Stdio::null()).status();
        assert_eq!(status.expect("it runs").code(), Some(expected), "{code}");
    }
}

#[test]
fn each_unusable_document_has_its_own_error() {
    // Each has five seconds to become usable, so they take their time side by side.
    thread::scope(|scope| {
        for (document, why) in [
            (Some(""), "is empty"),
            (Some("{\"ExitCode\""), "is not a JSON object"),
            (Some("{\"Output\":\"x\"}"), "has no ExitCode"),
            (Some("{\"ExitCode\":\"five\"}"), "not a decimal string"),
            (Some("{\"ExitCode\":5}"), "not a decimal string"),
            (None, "is missing; check that the node's Configuration"),
        ] {
            scope.spawn(move || {
                let node = finished(document.unwrap_or_default());
                if document.is_none() {
                    fs::remove_file(node.path(DOCUMENT)).expect("removed");
                }
                let waited = node.run(&["provision-wait"]);
                let answer = printed(&waited);
                assert_eq!((waited.status.code(), answer["ExitCode"].as_str()), (Some(240), Some("240")));
                assert!(answer["Error"].as_str().is_some_and(|error| error.contains(why)), "{answer}");
                assert_eq!(node.events()[1]["EventLevel"], "Error");
            });
        }
    });
}

#[test]
fn a_waiter_that_starts_first_creates_the_directory_and_sees_the_result() {
    let node = Node::new("");
    fs::remove_dir_all(node.path("opt")).expect("removed");
    let waiter = node.start(&["provision-wait"]);
    node.until("the waiter creates the directory", |node| node.exists("opt/azure/containers"));
    sleep(Duration::from_millis(200));
    node.write(DOCUMENT, "{\"ExitCode\":\"0\"}");
    node.write(MARKER, "");
    let ended = waiter.end();
    assert_eq!((ended.status.code(), &*text(&ended.stdout)), (Some(0), "{\"ExitCode\":\"0\"}\n"));
}

#[test]
fn an_incomplete_document_beside_a_marker_has_time_to_become_complete() {
    // The waiter allows five seconds. A machine that is too slow to write the rest in that time shows nothing.
    for attempt in 0.. {
        assert!(attempt < 20, "this machine is too slow for the test");
        let node = finished("{\"ExitCode\":");
        let began = std::time::Instant::now();
        let waiter = node.start(&["provision-wait"]);
        node.until("the waiter has begun", waits);
        sleep(Duration::from_secs(1));
        // At once, as the writers of documents do: a waiter may read at any moment.
        node.write("var/log/azure/aks/whole", "{\"ExitCode\":\"0\"}");
        fs::rename(node.path("var/log/azure/aks/whole"), node.path(DOCUMENT)).expect("renamed");
        let was_in_time = began.elapsed() < Duration::from_secs(5);
        let code = waiter.end().status.code();
        if was_in_time {
            assert_eq!(code, Some(0));
            break;
        }
    }
}

#[test]
fn a_marker_is_seen_after_a_rename_in_a_new_directory_and_behind_a_link() {
    // Events of a directory that was removed say nothing about the new one.
    for remake in [false, true] {
        let node = Node::new("");
        let waiter = node.start(&["provision-wait"]);
        node.until("the waiter has begun", waits);
        sleep(Duration::from_millis(300));
        node.write(DOCUMENT, "{\"ExitCode\":\"0\"}");
        if remake {
            // The waiter creates the directory again at once, maybe while it is being removed.
            node.until("the directory is gone once", |node| fs::remove_dir_all(node.path("opt/azure")).is_ok());
            sleep(Duration::from_millis(100));
        }
        node.write("opt/azure/containers/other", "");
        fs::rename(node.path("opt/azure/containers/other"), node.path(MARKER)).expect("renamed");
        assert_eq!(waiter.end().status.code(), Some(0));
    }
    let node = Node::new("");
    fs::rename(node.path("opt/azure"), node.path("elsewhere")).expect("renamed");
    std::os::unix::fs::symlink(node.path("elsewhere"), node.path("opt/azure")).expect("linked");
    let waiter = node.start(&["provision-wait"]);
    node.until("the waiter has begun", waits);
    sleep(Duration::from_millis(300));
    node.write(DOCUMENT, "{\"ExitCode\":\"0\"}");
    node.write("elsewhere/containers/provision.complete", "");
    assert_eq!(waiter.end().status.code(), Some(0));
}

#[test]
fn a_marker_is_seen_without_notifications_of_the_kernel() {
    if !needs::command("strace", &["-o", "/dev/null", "true"], "strace") {
        return;
    }
    let node = Node::new("");
    let mut command = Command::new("strace");
    command.args(["-f", "-o", "/dev/null", "-e", "inject=inotify_init1:error=EMFILE", PROGRAM]);
    command.args(["provision-wait", "--root"]).arg(&*node.root);
    node.prepare(&mut command);
    let waiter = Running::start(&mut command);
    node.until("the waiter has begun", waits);
    sleep(Duration::from_millis(500));
    node.write(DOCUMENT, "{\"ExitCode\":\"0\"}");
    node.write(MARKER, "");
    assert_eq!(waiter.end().status.code(), Some(0));
}

#[test]
fn a_marker_between_looking_and_watching_is_seen() {
    for delay in 0..20 {
        let node = Node::new("");
        node.write(DOCUMENT, "{\"ExitCode\":\"0\"}");
        let waiter = node.start(&["provision-wait"]);
        sleep(Duration::from_millis(delay));
        node.write(MARKER, "");
        assert_eq!(waiter.end().status.code(), Some(0));
    }
}

#[test]
fn a_file_system_that_cannot_be_read_ends_the_wait() {
    let node = Node::new("");
    fs::remove_dir_all(node.path("opt")).expect("removed");
    node.write("opt", "no directory");
    let waited = node.run(&["provision-wait"]);
    let answer = printed(&waited);
    assert_eq!(waited.status.code(), Some(240));
    assert!(answer["Error"].as_str().is_some_and(|error| error.contains("cannot check whether")), "{answer}");
}

#[test]
fn the_wait_ends_at_its_deadline() {
    let node = Node::new("");
    for timeout in ["1", "1s", "1000ms", "0.5s500ms"] {
        let waited = node.run(&["provision-wait", "--timeout", timeout]);
        let answer = printed(&waited);
        assert_eq!(waited.status.code(), Some(240));
        let error = answer["Error"].as_str().unwrap_or_default();
        let seconds = error.strip_prefix("deadline exceeded after ").and_then(|rest| rest.split(' ').next());
        assert!(seconds.is_some_and(|seconds| seconds.parse::<u32>().is_ok_and(|seconds| seconds >= 1)), "{error}");
    }
    assert_eq!(node.run(&["provision-wait", "--timeout", "soon"]).status.code(), Some(2));
}

#[test]
fn without_a_timeout_the_deadline_is_the_provisioners() {
    let node = Node::new("sleep 600");
    let provisioner = node.start_provision();
    node.until("the provisioner names its timeout", |node| {
        let started = node.text_or_nothing("run/aks-node-controller/started.json");
        started.contains("\"timeout\":900") && !started.contains("\"group\":null")
    });
    // As if its scripts had had no time at all, and the minute after that were nearly over.
    let started = node.text("run/aks-node-controller/started.json").replace("\"timeout\":900", "\"timeout\":0");
    let at: u64 = started
        .split("\"at\":")
        .nth(1)
        .and_then(|rest| rest.split(',').next())
        .and_then(|at| at.parse().ok())
        .expect("a time");
    node.write(
        "run/aks-node-controller/started.json",
        &started.replace(&format!("\"at\":{at}"), &format!("\"at\":{}", at.saturating_sub(58_500))),
    );
    let answer = printed(&node.run(&["provision-wait"]));
    assert!(answer["Error"].as_str().is_some_and(|error| error.contains("is still running")), "{answer}");
    drop(provisioner);
}

#[test]
fn waiting_costs_next_to_no_processor_time() {
    let node = Node::new("");
    let waiter = node.start(&["provision-wait"]);
    node.until("the waiter has begun", waits);
    let stat = format!("/proc/{}/stat", waiter.id());
    // Of ten milliseconds each.
    let ticks = || {
        let text = fs::read_to_string(&stat).expect("the waiter runs");
        let fields: Vec<_> = text.rsplit_once(')').expect("a name").1.split_whitespace().collect();
        [11, 12].into_iter().map(|at| fields[at].parse::<u32>().expect("ticks")).sum::<u32>()
    };
    let mut before = ticks();
    until("the waiter has started and waits", || {
        sleep(Duration::from_millis(200));
        let now = ticks();
        now == std::mem::replace(&mut before, now)
    });
    sleep(Duration::from_secs(3));
    let used = ticks() - before;
    assert!(used <= 1, "{used} ticks in three seconds of waiting");
    node.write(DOCUMENT, "{\"ExitCode\":\"0\"}");
    node.write(MARKER, "");
    assert_eq!(waiter.end().status.code(), Some(0));
}

/// The copy of the boothook that the command of the extension writes.
const BOOTHOOK: &str = "opt/azure/containers/boothook.sh";

#[test]
fn without_a_provisioner_the_boothook_of_the_extension_is_started_once() {
    let node = Node::new(GOOD);
    let provision =
        format!("{PROGRAM} provision --provision-config {} --root {}", node.configuration(), node.root.display());
    node.write(BOOTHOOK, &format!("echo started >>{}/starts\n{provision}\n", node.root.display()));
    let waited = node.run(&["provision-wait", "--start-after", "0"]);
    assert_eq!(
        (waited.status.code(), &printed(&waited)["Output"]),
        (Some(0), &"made".into()),
        "{}",
        text(&waited.stderr)
    );
    assert_eq!(node.text("starts"), "started\n");
    assert!(
        node.log()
            .iter()
            .any(|line| line["msg"] == "no provisioner has started; starting the boothook of the extension")
    );
}

#[test]
fn the_boothook_of_the_extension_is_not_started_beside_a_provisioner_or_a_result() {
    let node = Node::new(&format!("until [ -e $ROOT/go ]; do sleep 0.01; done\n{GOOD}"));
    node.write(BOOTHOOK, &format!("touch {}/starts\n", node.root.display()));
    let running = node.start_provision();
    node.until("a provisioner runs", |node| node.exists("run/aks-node-controller/started.json"));
    let waiting = node.start(&["provision-wait", "--start-after", "0"]);
    until("the waiter looks", || waits(&node));
    node.write("go", "");
    assert_eq!(waiting.end().status.code(), Some(0));
    running.end();
    node.write(BOOTHOOK, &format!("touch {}/starts\n", node.root.display()));
    assert_eq!(node.run(&["provision-wait", "--start-after", "0"]).status.code(), Some(0));
    assert!(!node.exists("starts"));
}

#[test]
fn both_boothooks_are_removed_once_a_success_is_reported() {
    for (code, is_removed) in [("0", true), ("50", false)] {
        let node = finished(&format!("{{\"ExitCode\":\"{code}\"}}"));
        for boothook in [BOOTHOOK, "opt/bin/boothook.sh"] {
            node.write(boothook, "secret");
        }
        node.run(&["provision-wait"]);
        assert_eq!([BOOTHOOK, "opt/bin/boothook.sh"].map(|boothook| !node.exists(boothook)), [is_removed; 2], "{code}");
    }
    let node = finished("{\"ExitCode\":\"0\"}");
    node.write(BOOTHOOK, "secret");
    let (reader, closed) = std::io::pipe().expect("a pipe");
    drop(reader);
    let _ = node.command(&["provision-wait"]).stdout(closed).stderr(Stdio::null()).status();
    assert!(node.exists(BOOTHOOK), "nobody has read the success");
}

#[test]
fn the_result_says_how_the_input_came() {
    let fetched = r#"{"channel":"wire-server","seconds":4}"#;
    for (files, way, more) in [
        (&[][..], "custom-data", None),
        (&[(BOOTHOOK, "")][..], "extension", None),
        (
            &[(BOOTHOOK, ""), ("run/aks-node-controller/early-fetch.json", fetched)],
            "early-fetch",
            Some(("wire-server", "4")),
        ),
    ] {
        for script in [GOOD, "exit 7"] {
            let node = Node::new(script);
            for (path, content) in files {
                node.write(path, content);
            }
            node.provision();
            let printed = printed(&node.wait());
            for document in [&node.document(), &printed] {
                let delivery = &document["Delivery"];
                assert_eq!(delivery["way"], way, "{document}");
                let (channel, seconds) = (delivery["channel"].as_str(), delivery["seconds"].as_str());
                match more {
                    Some((expected, waited)) => {
                        assert_eq!((channel, seconds), (Some(expected), Some(waited)), "{document}");
                    }
                    None => assert_eq!((channel, seconds.is_some()), (None, way == "extension"), "{document}"),
                }
            }
            assert_eq!(printed["ExitCode"], if script == GOOD { "0" } else { "7" });
        }
    }
}
