//! What a waiter sees, says and costs.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::harness::{Node, can, printed};

const DOCUMENT: &str = "var/log/azure/aks/provision.json";
const MARKER: &str = "opt/azure/containers/provision.complete";

/// A document and a marker that somebody else left.
fn finished(document: &str) -> Node {
    let node = Node::new("");
    node.write(DOCUMENT, document);
    node.write(MARKER, "");
    node
}

#[test]
fn t_17_5_req_wait_1_req_wait_6_a_result_that_is_there_is_printed_as_it_stands() {
    for (document, code, legacy) in [
        ("{\"ExitCode\":\"0\",\"Output\":\"  x\"}\n", 0, 0),
        ("{\"ExitCode\": \"50\", \"Error\": \"why\"}", 50, 1),
        ("{\"exitCode\":\"255\"}", 255, 1),
        ("{\"ExitCode\":\"256\"}", 1, 1),
        ("{\"ExitCode\":\"-1\"}", 1, 1),
    ] {
        let node = finished(document);
        let waited = node.run(&["provision-wait"]);
        assert_eq!(String::from_utf8_lossy(&waited.stdout), format!("{document}\n"));
        assert_eq!(waited.status.code(), Some(code), "{document}");
        assert_eq!(node.run(&["provision-wait", "--legacy-exit-code"]).status.code(), Some(legacy), "{document}");
    }
}

#[test]
fn t_17_5_req_wait_1_documents_that_say_nothing_each_give_their_own_error() {
    for (document, why) in [
        ("", "is empty"),
        ("{\"ExitCode\"", "is not a JSON object"),
        ("{\"Output\":\"x\"}", "has no ExitCode"),
        ("{\"ExitCode\":\"five\"}", "not a number"),
        ("{\"ExitCode\":5}", "not a number"),
    ] {
        let node = finished(document);
        let began = Instant::now();
        let waited = node.run(&["provision-wait"]);
        let answer = printed(&waited);
        assert_eq!((waited.status.code(), answer["ExitCode"].as_str()), (Some(240), Some("240")));
        assert!(answer["Error"].as_str().is_some_and(|error| error.contains(why)), "{answer}");
        assert!(began.elapsed() >= Duration::from_secs(5), "it had its time to become right");
        assert_eq!(node.events()[1]["EventLevel"], "Error");
    }
    let node = Node::new("");
    node.write(MARKER, "");
    let answer = printed(&node.run(&["provision-wait"]));
    assert!(
        answer["Error"].as_str().is_some_and(|error| error.contains("is missing; was the node's configuration")),
        "{answer}"
    );
}

#[test]
fn t_17_5_r_35_a_waiter_that_is_there_first_sees_what_comes() {
    let node = Node::new("");
    fs::remove_dir_all(node.path("opt")).expect("removed");
    let waiter = node.start(&["provision-wait"]);
    node.until("it makes the folder", |node| node.exists("opt/azure/containers"));
    sleep(Duration::from_millis(200));
    node.write(DOCUMENT, "{\"ExitCode\":\"0\"}");
    node.write(MARKER, "");
    let (status, printed, _) = waiter.end();
    assert_eq!((status.code(), &*printed), (Some(0), "{\"ExitCode\":\"0\"}\n"));
}

#[test]
fn req_wait_3_r_01_a_document_gets_time_to_become_whole() {
    let node = finished("{\"ExitCode\":");
    let waiter = node.start(&["provision-wait"]);
    sleep(Duration::from_secs(1));
    node.write(DOCUMENT, "{\"ExitCode\":\"0\"}");
    assert_eq!(waiter.end().0.code(), Some(0));
}

#[test]
fn req_wait_2_r_05_r_07_whatever_happens_to_the_folder() {
    // A marker that comes by a rename, and one in a folder that was made anew: events of the old one say nothing.
    for remake in [false, true] {
        let node = Node::new("");
        let waiter = node.start(&["provision-wait"]);
        node.until("it has begun", |node| node.exists("var/log/azure/aks-node-controller.log"));
        sleep(Duration::from_millis(300));
        node.write(DOCUMENT, "{\"ExitCode\":\"0\"}");
        if remake {
            // The waiter makes the folder anew at once, maybe while it is being removed.
            node.until("the folder is gone once", |node| fs::remove_dir_all(node.path("opt/azure")).is_ok());
            sleep(Duration::from_millis(100));
        }
        node.write("opt/azure/containers/other", "");
        fs::rename(node.path("opt/azure/containers/other"), node.path(MARKER)).expect("renamed");
        assert_eq!(waiter.end().0.code(), Some(0));
    }
    // A folder behind a link.
    let node = Node::new("");
    fs::rename(node.path("opt/azure"), node.path("elsewhere")).expect("renamed");
    std::os::unix::fs::symlink(node.path("elsewhere"), node.path("opt/azure")).expect("linked");
    let waiter = node.start(&["provision-wait"]);
    sleep(Duration::from_millis(300));
    node.write(DOCUMENT, "{\"ExitCode\":\"0\"}");
    node.write("elsewhere/containers/provision.complete", "");
    assert_eq!(waiter.end().0.code(), Some(0));
}

#[test]
fn req_wait_2_r_05_without_notifications_a_second_is_lost_and_no_more() {
    if !can(&["strace"]) {
        return;
    }
    let node = Node::new("");
    let mut command = std::process::Command::new("strace");
    command.args(["-f", "-o", "/dev/null", "-e", "inject=inotify_init1:error=EMFILE", crate::harness::PROGRAM]);
    command.args(["provision-wait", "--root"]).arg(&node.root);
    let running =
        crate::harness::Running(command.stdout(std::process::Stdio::piped()).spawn().expect("`strace` is there"));
    node.until("it has begun", |node| node.exists("var/log/azure/aks-node-controller.log"));
    sleep(Duration::from_millis(500));
    node.write(DOCUMENT, "{\"ExitCode\":\"0\"}");
    node.write(MARKER, "");
    let began = Instant::now();
    assert_eq!(running.end().0.code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

#[test]
fn r_06_a_marker_between_looking_and_watching_is_seen() {
    for delay in 0..20 {
        let node = Node::new("");
        node.write(DOCUMENT, "{\"ExitCode\":\"0\"}");
        let waiter = node.start(&["provision-wait"]);
        sleep(Duration::from_millis(delay));
        node.write(MARKER, "");
        assert_eq!(waiter.end().0.code(), Some(0));
    }
}

#[test]
fn r_14_a_file_system_that_does_not_answer_is_reported() {
    let node = Node::new("");
    fs::remove_dir_all(node.path("opt")).expect("removed");
    node.write("opt", "no folder");
    let began = Instant::now();
    let waited = node.run(&["provision-wait"]);
    let answer = printed(&waited);
    assert_eq!(waited.status.code(), Some(240));
    assert!(answer["Error"].as_str().is_some_and(|error| error.contains("cannot tell whether")), "{answer}");
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn t_17_5_req_wait_4_the_deadline_is_said() {
    let node = Node::new("");
    for timeout in ["1", "1s", "1000ms", "0.5s500ms"] {
        let began = Instant::now();
        let waited = node.run(&["provision-wait", "--timeout", timeout]);
        let answer = printed(&waited);
        assert_eq!(waited.status.code(), Some(240));
        assert!(answer["Error"].as_str().is_some_and(|error| error.contains("deadline exceeded")), "{answer}");
        assert!(began.elapsed() >= Duration::from_secs(1) && began.elapsed() < Duration::from_secs(3));
    }
    assert_eq!(node.run(&["provision-wait", "--timeout", "soon"]).status.code(), Some(2));
}

#[test]
fn req_wait_4_the_provisioner_says_how_long_to_wait() {
    let node = Node::new("sleep 300");
    let provisioner = node.start_provision();
    node.until("it says so", |node| {
        let said = node.text_or_nothing("run/aks-node-controller/started.json");
        said.contains("\"timeout\":900") && !said.contains("\"group\":null")
    });
    // As if its scripts had had no time at all, and the minute after that were nearly over.
    let said = node.text("run/aks-node-controller/started.json").replace("\"timeout\":900", "\"timeout\":0");
    let at: u64 = said
        .split("\"at\":")
        .nth(1)
        .and_then(|rest| rest.split(',').next())
        .and_then(|at| at.parse().ok())
        .expect("a time");
    node.write(
        "run/aks-node-controller/started.json",
        &said.replace(&format!("\"at\":{at}"), &format!("\"at\":{}", at.saturating_sub(58_500))),
    );
    let answer = printed(&node.run(&["provision-wait"]));
    assert!(answer["Error"].as_str().is_some_and(|error| error.contains("still runs")), "{answer}");
    drop(provisioner);
}

#[test]
fn the_result_is_printed_at_once_and_waiting_costs_nothing() {
    let node = Node::new("");
    let waiter = node.start(&["provision-wait"]);
    sleep(Duration::from_secs(3));
    let stat = fs::read_to_string(format!("/proc/{}/stat", waiter.0.id())).expect("it runs");
    let fields: Vec<_> = stat.rsplit_once(')').expect("a name").1.split_whitespace().collect();
    let ticks: u32 = [11, 12].into_iter().map(|at| fields[at].parse::<u32>().expect("ticks")).sum();
    // A tick is ten milliseconds; its own start may cost one.
    assert!(ticks <= 2, "{ticks} ticks of CPU in three seconds of waiting");
    node.write(DOCUMENT, "{\"ExitCode\":\"0\"}");
    let began = Instant::now();
    node.write(MARKER, "");
    assert_eq!(waiter.end().0.code(), Some(0));
    eprintln!("printed {:?} after the marker", began.elapsed());
}
