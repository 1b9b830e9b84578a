//! `retry`: a machine with a result is provisioned again.

use std::fs;
use std::process::Command;

use super::harness::{GOOD, Node, printed, text};
use crate::support::finish;

const DIRECTORY: &str = "var/log/azure/aks";

/// A node with a result of 50.
fn failed() -> Node {
    let node = Node::new("echo first >&2; exit 50");
    assert_eq!(node.provision().status.code(), Some(50));
    node
}

/// The names of all results.
fn results(node: &Node) -> Vec<String> {
    let entries =
        fs::read_dir(node.path(DIRECTORY)).expect("a directory").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn set_script(node: &Node, script: &str) {
    node.write("opt/azure/containers/provision_start.sh", &format!("ROOT={}\n{script}", node.root.display()));
}

/// Sets when the result was written.
fn date_result(node: &Node, date: &str) {
    let dated = finish(Command::new("touch").args(["-d", date]).arg(node.path(&format!("{DIRECTORY}/provision.json"))));
    assert!(dated.status.success());
}

#[test]
fn a_retry_keeps_the_old_result_and_provisions_again() {
    let node = failed();
    date_result(&node, "2026-11-22T05:54:44Z");
    set_script(&node, &format!("echo of the script\n{GOOD}"));
    let ended = node.run(&["retry"]);
    let stderr = text(&ended.stderr);
    assert_eq!((ended.status.code(), &printed(&ended)["ExitCode"]), (Some(0), &"0".into()), "{stderr}");
    assert!(stderr.contains("of the script") && !text(&ended.stdout).contains("of the script"), "{stderr}");
    assert!(stderr.contains("note: keep ") && stderr.contains("(exit code 50)"), "{stderr}");
    assert_eq!(results(&node), ["provision.json", "provision.json.20261122T055444Z"]);
    let old = node.text(&format!("{DIRECTORY}/provision.json.20261122T055444Z"));
    assert!(old.contains(r#""ExitCode":"50""#) && node.has_marker(), "{old}");
    assert_eq!(node.wait().status.code(), Some(0), "a waiter sees the new result");
}

#[test]
fn a_retry_that_fails_ends_with_the_new_code_and_never_replaces_an_old_result() {
    let node = failed();
    for code in [51, 52, 53] {
        date_result(&node, "2026-11-22T05:54:44Z");
        set_script(&node, &format!("exit {code}"));
        let ended = node.run(&["retry"]);
        assert_eq!(
            (ended.status.code(), printed(&ended)["ExitCode"].as_str()),
            (Some(code), Some(code.to_string().as_str()))
        );
    }
    let names = results(&node);
    assert_eq!(names.len(), 4, "{names:?}");
    let codes: Vec<_> =
        names[1..].iter().map(|name| node.text(&format!("{DIRECTORY}/{name}"))[..15].to_owned()).collect();
    assert_eq!(codes, [50, 51, 52].map(|code| format!("{{\"ExitCode\":\"{code}")));
}

#[test]
fn a_dry_run_of_a_retry_changes_nothing() {
    let node = failed();
    set_script(&node, "touch $ROOT/started");
    let before = (results(&node), node.log().len());
    let ended = node.run(&["retry", "--dry-run"]);
    let shown = text(&ended.stdout);
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    let lines: Vec<_> = shown.lines().map(|line| line.split(' ').next().unwrap_or_default()).collect();
    assert_eq!(lines, ["remove", "keep", "run"], "{shown}");
    assert_eq!((results(&node), node.log().len()), before);
    assert!(node.has_marker() && !node.exists("started"));
}

#[test]
fn a_machine_that_is_provisioned_is_provisioned_again_only_with_force() {
    let node = Node::new(&format!("echo run >>$ROOT/runs\n{GOOD}"));
    assert_eq!(node.provision().status.code(), Some(0));
    for arguments in [&["retry"][..], &["retry", "--dry-run"]] {
        let ended = node.run(arguments);
        let stderr = text(&ended.stderr);
        assert_eq!((ended.status.code(), text(&ended.stdout).as_str()), (Some(1), ""), "{stderr}");
        assert!(stderr.contains("is already provisioned") && stderr.contains("--force"), "{stderr}");
    }
    assert_eq!((node.text("runs").as_str(), results(&node).len()), ("run\n", 1));
    assert_eq!(node.run(&["retry", "--force"]).status.code(), Some(0));
    assert_eq!((node.text("runs").as_str(), results(&node).len()), ("run\nrun\n", 2));
}

#[test]
fn a_retry_beside_a_provisioner_fails_or_waits_for_it() {
    let node = Node::new("touch $ROOT/started; while [ ! -e $ROOT/go ]; do sleep 0.02; done; exit 50");
    let first = node.start_provision();
    node.until("the script runs", |node| node.exists("started"));
    for arguments in [&["retry"][..], &["retry", "--dry-run"]] {
        let ended = node.run(arguments);
        let stderr = text(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains(&format!("a provisioner is running (process {})", first.id())), "{stderr}");
    }
    let second = node.start(&["retry", "--wait"]);
    set_script(&node, GOOD);
    node.write("go", "");
    assert_eq!(first.end().status.code(), Some(50));
    assert_eq!(second.end().status.code(), Some(0));
    assert_eq!(node.document()["ExitCode"], "0");
}

#[test]
fn a_retry_without_an_input_or_without_a_result_says_so_or_provisions() {
    let node = Node::new(GOOD);
    fs::remove_file(node.configuration()).expect("it is there");
    let ended = node.run(&["retry"]);
    let stderr = text(&ended.stderr);
    assert!(ended.status.code() == Some(1) && stderr.contains("so the machine cannot be provisioned"), "{stderr}");
    let node = Node::new(GOOD);
    assert_eq!(node.run(&["retry"]).status.code(), Some(0), "nothing is there to be kept");
    assert_eq!(results(&node), ["provision.json"]);
}

#[test]
fn a_retry_that_is_asked_to_end_passes_that_on_and_prints_the_result() {
    let node = failed();
    set_script(&node, "touch $ROOT/started; sleep 1000");
    let retry = node.start(&["retry"]);
    node.until("the script runs", |node| node.exists("started"));
    retry.signal("TERM");
    let ended = retry.end();
    assert_eq!(
        (ended.status.code(), &printed(&ended)["ExitCode"]),
        (Some(143), &"143".into()),
        "{}",
        text(&ended.stderr)
    );
}
