//! Provisioning scenarios whose expectations were taken from the reference's own scripts. The program `run` beside them puts
//! this project's scripts on a machine of stand-ins and compares. Without the directory the test is skipped; with
//! `REQUIRE_CONFORMANCE=1` that is a failure.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use crate::support::needs;

/// Scenarios that are known to fail. One that holds has to be removed here.
const PENDING: &[&str] = &[];

/// What `run` itself calls, what reads YAML and units for it, and the one tool of a node for which it has no stand-in.
const PROGRAMS: [(&str, &str); 6] = [
    ("/usr/bin/python3", "python3"),
    ("conntrack", "conntrack"),
    ("dpkg-deb", "dpkg"),
    ("jq", "jq"),
    ("mawk", "mawk"),
    ("openssl", "openssl"),
];

/// Further runs of a scenario that lacks nothing but calls.
const MIXED_RUNS: usize = 3;

/// The code with which `run` says that this machine has no overlays or namespaces.
const IMPOSSIBLE: i32 = 77;

/// The differences of each scenario, from the lines `NAME: OK` and `NAME: 2 differences` with one `  - TEXT` for each.
fn differences(output: &str) -> BTreeMap<String, String> {
    let mut scenarios = BTreeMap::new();
    let mut last = None;
    for line in output.lines() {
        let name = line
            .strip_suffix(": OK")
            .or_else(|| line.strip_suffix(" differences")?.rsplit_once(": ").map(|(name, _)| name));
        if let Some(name) = name {
            last = Some(scenarios.entry(name.to_owned()).or_insert_with(String::new));
        } else if let Some(text) = last.as_mut().filter(|_| line.starts_with("  - ")) {
            **text += line;
            text.push('\n');
        }
    }
    scenarios
}

#[test]
fn the_scripts_do_what_the_references_scripts_do() {
    let Some(directory) = needs::vectors("provisioning") else { return };
    let yaml = || needs::command("/usr/bin/python3", &["-c", "import yaml"], "python3-yaml");
    if !needs::root() || !needs::programs(&PROGRAMS) || !yaml() {
        return;
    }
    // It runs as many scenarios at once as there are processors.
    let run = |names: &[String]| {
        let mut command = Command::new(directory.join("run"));
        command.args(["--program", env!("CARGO_BIN_EXE_aks-node-controller")]).args(names).stdin(Stdio::null());
        command.output().expect("`run` can be started")
    };
    let ended = run(&[]);
    let (stdout, stderr) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    if ended.status.code() == Some(IMPOSSIBLE) {
        needs::overlays(&stdout);
        return;
    }
    let mut found = differences(&stdout);
    let written = directory.join("scenarios").read_dir().expect("a directory is readable").count();
    assert_eq!(found.len(), written, "not every scenario was run:\n{stdout}{stderr}");

    // The stand-ins write the line of a call in three pieces, so calls of programs that run beside each other can be mixed, and
    // are then missing. On a busy machine that happened twice in a row. No scenario that lacks more than calls gets another run.
    let lacks_calls = |texts: &str| texts.lines().all(|line| line.ends_with(", found no such call"));
    for _ in 0..MIXED_RUNS {
        let again: Vec<_> = found
            .iter()
            .filter(|(_, texts)| !texts.is_empty() && lacks_calls(texts))
            .map(|(name, _)| name.clone())
            .collect();
        if again.is_empty() {
            break;
        }
        let output = run(&again).stdout;
        found.extend(differences(&String::from_utf8_lossy(&output)));
    }

    let failed = found.iter().filter(|(name, texts)| !texts.is_empty() && !PENDING.contains(&name.as_str()));
    let failed = failed.fold(String::new(), |all, (name, texts)| format!("{all}{name}:\n{texts}"));
    assert!(failed.is_empty(), "these scenarios do not hold:\n{failed}{stderr}");
    let hold: BTreeSet<_> = PENDING.iter().filter(|name| found.get(**name).is_none_or(String::is_empty)).collect();
    assert!(hold.is_empty(), "these scenarios hold; remove them from PENDING: {hold:?}");
}
