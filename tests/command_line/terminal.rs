//! What people see on a terminal.

use std::process::Command;

use super::support::{finish, needs};
use super::{json, run};

/// Runs the program on a terminal of a width, and returns its exit code and everything it prints.
fn on_terminal(columns: u32, arguments: &[&str]) -> (Option<i32>, String) {
    let program = env!("CARGO_BIN_EXE_aks-node-controller");
    let line = format!("stty rows 24 cols {columns}; exec {program} {}", arguments.join(" "));
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]).env("NO_COLOR", "1").env("SHELL", "/bin/sh");
    let ended = finish(command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata")));
    (ended.status.code(), String::from_utf8_lossy(&ended.stdout).replace("\r\n", "\n"))
}

/// Whether the program that makes a terminal is installed.
#[track_caller]
fn has_terminal() -> bool {
    needs::programs(&[("script", "bsdutils")])
}

#[test]
fn generate_prints_a_summary_on_a_terminal_and_json_elsewhere() {
    if !has_terminal() {
        return;
    }
    for (route, parts) in [
        ("node-bootstrap-variables", ["none: this route needs no command", "set by CustomData", "bootstrap.sh"]),
        ("scriptless", ["56 of 131071 bytes (0 %)", "computed on the node", "configuration.json"]),
        ("scripted", [" %), compressed", "set by the CSE command", "opt/azure/containers/provision_start.sh"]),
    ] {
        let arguments = ["generate", "--example", "http-proxy-own-ca", "--route", route];
        let (code, text) = on_terminal(100, &arguments);
        assert_eq!(code, Some(0), "{route}: {text}");
        let result = json(&arguments);
        let size = format!("CustomData  {} of 87380 characters", result["size"]["customData"]);
        let first =
            [&*format!("route       {route}\n"), "system      Ubuntu (--os ubuntu)\n", &size, "Next: print the result"];
        for part in first.iter().chain(&parts) {
            assert!(text.contains(part), "{route}: {part}: {text}");
        }
        assert!(!text.contains("Pr0xy-pass") && !text.contains(result["customData"].as_str().expect("text")), "{text}");
    }
    let (code, text) = on_terminal(100, &["generate", "--example", "localdns", "--format", "json", "2>/dev/null"]);
    assert_eq!((code, text), (Some(0), run(&["generate", "--example", "localdns"]).stdout));
}

#[test]
fn lines_are_no_wider_than_the_terminal() {
    if !has_terminal() {
        return;
    }
    for columns in [40, 60] {
        for (arguments, expected) in [
            (&["--help"][..], 0),
            (&["help", "generate"], 0),
            (&["provision-wait", "--help"], 0),
            (&["validate", "rejected/unknown_names.yaml"], 1),
            (&["generate", "rejected/unknown_names.yaml"], 1),
            (&["generate", "--example", "azure-linux-kata", "--os", "ubuntu"], 1),
            (&["generate", "--example", "localdns", "--route", "scripted"], 0),
            (&["generate", "--example", "list"], 0),
            (&["env", "--example", "a100-mig", "--explain", "GPU_INSTANCE_PROFILE"], 0),
        ] {
            let (code, text) = on_terminal(columns, arguments);
            assert_eq!(code, Some(expected), "{arguments:?}: {text}");
            // The usage is one line.
            for line in text.lines().filter(|line| !line.starts_with("Usage: ")) {
                // A word that is longer than the terminal may follow a number or an indentation.
                let words = line.split_whitespace().count();
                let fits = line.chars().count() <= usize::try_from(columns).expect("small");
                assert!(fits || words <= 2, "{columns} columns: {arguments:?}: {line}");
            }
        }
    }
}
