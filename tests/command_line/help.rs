//! The help texts: each has examples, and the examples work.

use std::fs;
use std::process::Command;

use super::run;
use crate::support::{Scratch, finish, needs};

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata");

/// Columns of a terminal in which nobody has to mend an example after copying it.
const NARROW: usize = 80;

/// What stands around the examples: the programs that they are piped to or from, and the files that they name. Commands for a
/// node only show their help, after their arguments have been read.
const SURROUNDINGS: &str = r#"
    set -euo pipefail
    shopt -s expand_aliases
    aks-node-controller() {
        case $1 in
            bake | diagnose | fetch | provision | provision-wait | retry) "$PROGRAM" "$@" --help >/dev/null ;;
            # Its exit code says whether something differs.
            diff) "$PROGRAM" "$@" || [ $? = 1 ] ;;
            *) "$PROGRAM" "$@" ;;
        esac
    }
    kubectl() {
        case $2 in
            nodeclaim) cat "$TESTDATA/karpenter/node_claim.yaml" ;;
            nodeclaims) cat "$TESTDATA/explain/reg-nodeclaim-conditions.txt" ;;
            aksnodeclass) cat "$TESTDATA/karpenter/node_class.yaml" ;;
            view) cat "$TESTDATA/new/kubeconfig-demo.yaml" ;;
            secret) printf '{"data": {"config": "%s"}}' "$(base64 -w 0 node.yaml)" ;;
        esac
    }
    az() {
        case $2 in
            show)
                case $1 in
                    aks) cat "$TESTDATA/new/azure-two-pools.json" ;;
                    *) aks-node-controller generate node.yaml --format arm ;;
                esac
                ;;
            get-instance-view) cat "$TESTDATA/explain/instance-view-50.txt" ;;
        esac
    }
    journalctl() { cat "$TESTDATA/explain/reg-unauthorized-flex.txt"; }
    man() { cat; }
    sudo() { "$@"; }
    source() { cat; }
    fpath=("$PWD" "$PWD")
"#;

/// Returns the examples of a help text, each with its continuation lines.
fn examples(help: &str) -> Vec<String> {
    let Some((_, after)) = help.split_once("Examples:\n") else { return Vec::new() };
    let mut examples: Vec<String> = Vec::new();
    for line in after.lines().take_while(|line| line.starts_with("  ")) {
        assert!(line.chars().count() <= NARROW, "is wider than {NARROW} columns: {line}");
        match (line.strip_prefix("    "), examples.last_mut()) {
            (Some(_), Some(last)) => last.extend(["\n", line]),
            _ => examples.push(line.trim().to_owned()),
        }
    }
    examples
}

/// Returns the names of all commands.
fn commands() -> Vec<String> {
    let help = run(&["--help"]).stdout;
    let (_, after) = help.split_once("Commands:\n").expect("it lists commands");
    let lines = after.lines().take_while(|line| line.starts_with("  "));
    // What goes on from the line before is indented further.
    let names = lines.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn every_command_has_examples_that_work() {
    if !needs::programs(&[("bash", "bash"), ("jq", "jq")]) {
        return;
    }
    let commands = commands();
    assert!(commands.len() >= 12, "{commands:?}");
    for command in commands.iter().map(String::as_str).chain([""]) {
        let arguments: Vec<_> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let examples = examples(&run(&arguments).stdout);
        let own = format!("aks-node-controller {command}");
        let shown = examples.iter().filter(|example| example.contains(own.trim_end())).count();
        assert!(shown >= 2, "{command}: two examples, {examples:?}");
        let directory = Scratch::new("examples");
        prepare(&directory);
        let mut script = SURROUNDINGS.to_owned();
        for example in &examples {
            // The files that one example writes are there for the next.
            let title = example.replace('\'', "");
            script.extend(["echo '", &title, "' >&2\n{ ", example, "\n} >/dev/null\n"]);
        }
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-c", &script]).current_dir(&*directory).env("HOME", &*directory);
        bash.env("PROGRAM", env!("CARGO_BIN_EXE_aks-node-controller")).env("TESTDATA", TESTDATA).env("NO_COLOR", "1");
        let ended = finish(&mut bash);
        let printed = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(0), "{command}: {printed}");
    }
}

/// Writes the files that the examples name.
fn prepare(directory: &Scratch) {
    let copy = |from: &str, to: &str| {
        fs::copy(format!("{TESTDATA}/{from}"), directory.join(to)).unwrap_or_else(|error| panic!("{from}: {error}"));
    };
    fs::create_dir(directory.join("nodes")).expect("scratch is writable");
    for (from, to) in [
        ("examples/ubuntu-azure-cni.yaml", "node.yaml"),
        ("examples/ubuntu-azure-cni.yaml", "nodes/one.yaml"),
        ("examples/localdns.yaml", "nodes/two.yaml"),
        ("examples/localdns.yaml", "node-new.yaml"),
        ("examples/arm64-minimal.json", "nodes/three.json"),
        ("examples/arm64-minimal.json", "config.json"),
        ("nbc/ubuntu.json", "request.json"),
        ("karpenter/settings.yaml", "settings.yaml"),
        ("karpenter/node_claim.yaml", "claim.yaml"),
        ("karpenter/node_class.yaml", "class.yaml"),
        ("karpenter/cluster.yaml", "cluster.yaml"),
        ("karpenter/instance_type.json", "size.json"),
        ("explain/own-result-52.txt", "provision.json"),
    ] {
        copy(from, to);
    }
    let result = |arguments: &[&str], to: &str| {
        let ended = run(arguments);
        assert_eq!(ended.code, Some(0), "{arguments:?}: {}", ended.stderr);
        fs::write(directory.join(to), ended.stdout).expect("scratch is writable");
    };
    result(&["generate", "--example", "localdns", "--format", "custom-data"], "custom-data.b64");
    result(&["generate", "--example", "localdns", "--route", "scripted", "--format", "cse"], "cse.sh");
    result(&["convert", "--example", "localdns"], "node.json");
    let documents = ["ubuntu-azure-cni", "localdns"].map(|name| {
        let extended = format!("{TESTDATA}/examples/{name}.yaml");
        let document: serde_json::Value =
            serde_json::from_str(&run(&["convert", &extended]).stdout).expect("it prints JSON");
        format!("{document}\n")
    });
    fs::write(directory.join("nodes.jsonl"), documents.concat()).expect("scratch is writable");
    let objects =
        ["node_claim.yaml", "node_class.yaml", "settings.yaml"].map(|name| format!("{TESTDATA}/karpenter/{name}"));
    let from = ["convert", "--from", "karpenter", "--node-claim", &objects[0], "--node-class", &objects[1]];
    let cluster = format!("{TESTDATA}/karpenter/cluster.yaml");
    let size = format!("{TESTDATA}/karpenter/instance_type.json");
    let rest = ["--settings", &objects[2], "--cluster", &cluster, "--instance-type", &size];
    result(&[&from[..], &rest].concat(), "inputs.yaml");
}
