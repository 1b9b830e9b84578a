//! What people see on a terminal.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{json, run};
use crate::support::{Scratch, finish, needs};

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata");

/// What decides about colour.
const SETTINGS: [&str; 5] = ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "CI"];

/// Runs the program without colour on a terminal of a width, and returns its exit code and everything it prints.
fn on_terminal(columns: u32, arguments: &[&str]) -> (Option<i32>, String) {
    on_terminal_with(&[("NO_COLOR", "1")], columns, arguments)
}

/// Runs the program on a terminal of a width, with settings.
fn on_terminal_with(settings: &[(&str, &str)], columns: u32, arguments: &[&str]) -> (Option<i32>, String) {
    let line = format!("exec {}", shell_line(arguments));
    let mut command = command_on_terminal(columns, &line);
    let ended = finish(with(&mut command, settings).current_dir(TESTDATA));
    (ended.status.code(), String::from_utf8_lossy(&ended.stdout).replace("\r\n", "\n"))
}

/// Runs the program in a directory on a terminal of a width, and returns everything it prints.
pub(super) fn on_terminal_in(directory: &Path, columns: u32, arguments: &str) -> String {
    let mut command = command_on_terminal(columns, &shell_line(&[arguments]));
    let ended = finish(with(&mut command, &[]).current_dir(directory));
    String::from_utf8_lossy(&ended.stdout).replace("\r\n", "\n")
}

fn command_on_terminal(columns: u32, line: &str) -> Command {
    let line = format!("stty rows 24 cols {columns}; {line}");
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]).env("SHELL", "/bin/sh");
    command
}

/// Runs the program with settings and returns everything it prints.
fn in_pipes(settings: &[(&str, &str)], arguments: &[&str]) -> String {
    let mut command = Command::new("sh");
    command.args(["-c", &shell_line(arguments)]);
    let ended = finish(with(&mut command, settings).current_dir(TESTDATA));
    String::from_utf8_lossy(&[ended.stdout, ended.stderr].concat()).into_owned()
}

fn shell_line(arguments: &[&str]) -> String {
    format!("{} {}", env!("CARGO_BIN_EXE_aks-node-controller"), arguments.join(" "))
}

/// Adds settings to a command, and nothing of what the tests run in.
fn with<'c>(command: &'c mut Command, settings: &[(&str, &str)]) -> &'c mut Command {
    for name in SETTINGS {
        command.env_remove(name);
    }
    command.env("TERM", "xterm").envs(settings.iter().copied())
}

/// Whether the program that makes a terminal is installed.
#[track_caller]
pub(super) fn has_terminal() -> bool {
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
    let nbc = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/nbc/ubuntu-24-04.json");
    for (secrets, place) in
        [("auto", "secrets     in CustomData; "), ("protected-settings", "secrets     in the CSE command, ")]
    {
        let (code, text) = on_terminal(200, &["generate", "--nbc", nbc, "--route", "scriptless", "--secrets", secrets]);
        assert_eq!(code, Some(0), "{text}");
        for part in [place, "set by the command line that the node's controller runs", "aks-node-controller-nbc-cmd.sh"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    let (code, text) = on_terminal(100, &["generate", "--example", "localdns", "--format", "json", "2>/dev/null"]);
    assert_eq!((code, text), (Some(0), run(&["generate", "--example", "localdns"]).stdout));
}

#[test]
fn new_asks_on_the_terminal_for_what_is_missing() {
    const ALL: &str = "all is shown";
    if !has_terminal() {
        return;
    }
    let scratch = Scratch::new("new-interactive");
    let new = |answers: &str, more: &str| {
        let out = scratch.join("node.yaml");
        let files = ["azure-two-pools.json", "kubeconfig-demo.yaml"].map(|name| format!("new/{name}")).join(" ");
        let new = shell_line(&["new", &files, "--interactive", more]);
        // `script` may lose what it has not read when the command ends, so the command waits until all of it was seen.
        let line = format!("{new} > {}; code=$?; echo {ALL}; read -r line; exit $code", out.display());
        let mut command = command_on_terminal(200, &line);
        let command = with(&mut command, &[]).current_dir(TESTDATA).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut terminal = command.spawn().expect("script is installed");
        // The terminal hangs up at the end of its input, so this stays open until the program has ended.
        let mut keyboard = terminal.stdin.take().expect("it is a pipe");
        keyboard.write_all(answers.as_bytes()).expect("the terminal reads");
        let mut lines = BufReader::new(terminal.stdout.take().expect("it is a pipe")).lines();
        let mut text = String::new();
        for line in lines.by_ref().map(|line| line.expect("the output is text")) {
            if let Some((before, _)) = line.split_once(ALL) {
                text += before;
                break;
            }
            text += line.trim_end_matches('\r');
            text.push('\n');
        }
        keyboard.write_all(b"\n").expect("the terminal reads");
        let ended = terminal.wait().expect("it ends");
        let document = fs::read_to_string(out).expect("the shell makes it");
        (ended.code(), text, document)
    };
    let token = scratch.join("token");
    fs::write(&token, "abcdef.0123456789abcdef\n").expect("scratch is writable");
    let answers = format!("nodepool1\naks-vnet-12345678\nnone\n{}\n", token.display());
    let (code, text, document) = new(&answers, "--strict");
    assert_eq!(code, Some(0), "{text}");
    // The names of the other resources follow from the one of the network, so that nobody asks for them.
    for part in
        ["Node pool (gpu, nodepool1): ", "az network vnet list -g MC_demo-rg_demo_westeurope", "cannot read none"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("route_table"), "{text}");
    for part in
        ["vnet_name: aks-vnet-12345678", "route_table: aks-agentpool-12345678-routetable", "abcdef.0123456789abcdef"]
    {
        assert!(document.contains(part), "{part}: {document}");
    }
    let (code, text, document) = new("nodepool1\n\n\n\n\n\n", "");
    assert_eq!(code, Some(0), "{text}");
    assert!(document.contains("vnet_name: <VNET_NAME>"), "{document}");
    let without = finish(Command::new("setsid").args([
        "--wait",
        env!("CARGO_BIN_EXE_aks-node-controller"),
        "new",
        "--interactive",
    ]));
    let message = String::from_utf8_lossy(&without.stderr);
    assert_eq!(without.status.code(), Some(2), "{message}");
    assert!(message.contains("--interactive needs a terminal"), "{message}");
}

/// Command lines whose output fits any terminal, and their exit codes.
const FIT_ANY: &[(&[&str], i32)] = &[
    (&["--help"], 0),
    (&["help", "generate"], 0),
    (&["provision-wait", "--help"], 0),
    (&["validate", "rejected/unknown_names.yaml"], 1),
    (&["generate", "rejected/unknown_names.yaml"], 1),
    (&["generate", "--example", "azure-linux-kata", "--os", "ubuntu"], 1),
    (&["generate", "--example", "localdns", "--route", "scripted"], 0),
    (&["generate", "--example", "list"], 0),
    (&["env", "--example", "a100-mig", "--explain", "GPU_INSTANCE_PROFILE"], 0),
    (&["explain", "52"], 0),
];

/// Command lines whose output has paths and tables, for terminals of the usual widths.
const FIT_USUAL: &[(&[&str], i32)] = &[
    (&["validate", "pictures/node.yaml"], 1),
    (&["inspect", "pictures/node.yaml"], 0),
    (&["inspect", "explain/instance-view-50.txt"], 1),
    (&["bake", "--list"], 0),
    (&["explain", "explain/instance-view-50.txt"], 0),
    (&["diff", "pictures/node.yaml", "examples/localdns.yaml"], 1),
    (&["diff", "pictures/node.yaml", "examples/localdns.yaml", "--format", "text"], 1),
    (&["diagnose", "--root", "diagnose/failed"], 1),
];

#[test]
fn diff_prints_a_summary_on_a_terminal_unless_a_format_is_given() {
    if !has_terminal() {
        return;
    }
    let sides = ["diff", "pictures/node.yaml", "examples/localdns.yaml"];
    let (code, summary) = on_terminal(100, &sides);
    assert_eq!(code, Some(1), "{summary}");
    assert!(summary.starts_with("A and B differ; ") && summary.lines().count() <= 10, "{summary}");
    let (code, text) = on_terminal(100, &[&sides[..], &["--format", "text"]].concat());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.lines().count() > 10 && !text.contains("A and B differ"), "{text}");
}

#[test]
fn lines_are_no_wider_than_the_terminal() {
    if !has_terminal() {
        return;
    }
    for (columns, command_lines) in [(40, FIT_ANY), (60, FIT_ANY), (80, FIT_USUAL), (140, FIT_USUAL)] {
        for (arguments, expected) in command_lines {
            let (code, text) = on_terminal(columns, arguments);
            assert_eq!(code, Some(*expected), "{arguments:?}: {text}");
            // The usage is one line.
            for line in text.lines().filter(|line| !line.starts_with("Usage: ")) {
                // A word that is longer than the terminal may follow a number or an indentation. A command is pasted, so
                // it is one word.
                let words = line.split_whitespace().count();
                let fits = line.chars().count() <= usize::try_from(columns).expect("small");
                let is_command = line.trim_start().starts_with('`') || line.starts_with("-  `");
                // Mode, owner and a long path.
                let words = if arguments[0] == "bake" { words - 1 } else { words };
                assert!(fits || words <= 2 || is_command, "{columns} columns: {arguments:?}: {line}");
            }
        }
    }
}

/// Whether a text has a sequence that sets a colour.
fn is_coloured(text: &str) -> bool {
    text.contains("\x1b[")
}

#[test]
fn colour_is_for_terminals_unless_the_option_or_the_environment_decides() {
    if !has_terminal() {
        return;
    }
    for (settings, option, on_a_terminal, in_a_pipe) in [
        (&[][..], &[][..], true, false),
        (&[("NO_COLOR", "1")], &[], false, false),
        (&[("NO_COLOR", "")], &[], true, false),
        (&[("TERM", "dumb")], &[], false, false),
        (&[("CLICOLOR", "0")], &[], false, false),
        (&[("CLICOLOR_FORCE", "1")], &[], true, true),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[], false, false),
        (&[("NO_COLOR", "1")], &["--color", "always"], true, true),
        (&[("CLICOLOR_FORCE", "1")], &["--color=never"], false, false),
        (&[], &["--color", "auto"], true, false),
    ] {
        // Results, findings, errors of the command line, help.
        for arguments in [
            &["explain", "52"][..],
            &["generate", "rejected/unknown_names.yaml"],
            &["env", "--example", "localdns", "--explain", "LOCATION"],
            &["generate", "--unknown"],
            &["validate", "--help"],
        ] {
            let arguments: Vec<_> = arguments.iter().chain(option).copied().collect();
            let context = format!("{settings:?} {arguments:?}");
            let (_, text) = on_terminal_with(settings, 80, &arguments);
            assert_eq!(is_coloured(&text), on_a_terminal, "{context} on a terminal: {text}");
            let text = in_pipes(settings, &arguments);
            assert_eq!(is_coloured(&text), in_a_pipe, "{context} in a pipe: {text}");
        }
    }
}

#[test]
fn results_for_programs_have_no_colour() {
    for arguments in [
        &["explain", "52", "--format", "json"][..],
        &["generate", "--example", "localdns"],
        &["env", "--example", "localdns"],
        &["env", "--example", "localdns", "--format", "json"],
        &["validate", "rejected/unknown_names.yaml", "--format", "sarif"],
        &["schema"],
        &["completions", "bash"],
        &["man"],
    ] {
        let arguments: Vec<_> = arguments.iter().chain(&["--color", "always", "2>/dev/null"]).copied().collect();
        // Manual pages have escapes of their own, with another character.
        assert!(!is_coloured(&in_pipes(&[], &arguments)), "{arguments:?}");
    }
}

#[test]
fn a_value_cannot_command_the_terminal() {
    if !has_terminal() {
        return;
    }
    let directory = Scratch::new("commanding");
    let hostile = "\x1b]0;title\x07\u{9b}2J\u{202e}";
    let document = serde_json::json!({"version": "v1", "vm_size": hostile, hostile: hostile, "kubernetes_version": hostile,
        "cluster_config": {"location": hostile}, "kubelet_config": {"kubelet_flags": {hostile: hostile}}});
    let file = directory.join("node.json");
    // The characters as they are: JSON escapes would hide them.
    let text = document.to_string().replace("\\u001b", "\x1b").replace("\\u0007", "\x07");
    fs::write(&file, text).expect("scratch is writable");
    let yaml = directory.join("node.yaml");
    fs::write(&yaml, format!("version: v1\nvm_size: \"{}\"\n", "\\e]0;title\\a\\u202e")).expect("scratch is writable");
    for file in [&file, &yaml] {
        let file = file.to_str().expect("text");
        for arguments in
            [&["env", file][..], &["validate", file], &["generate", file], &["inspect", file], &["explain", file]]
        {
            let (_, text) = on_terminal(100, arguments);
            let obeyed = |character: char| character.is_control() && character != '\n' || character == '\u{202e}';
            assert!(!text.contains(obeyed), "{arguments:?}: {text:?}");
        }
    }
}

#[test]
fn no_name_of_a_file_and_no_argument_commands_the_terminal() {
    let directory = Scratch::new("commanding");
    let hostile = "a\u{1b}[31m\u{7f}\u{85}\u{9b}31m\u{202e}\u{2066}";
    let file = directory.join(hostile);
    // The renderer of lines replaces some of these itself.
    fs::write(&file, format!("version: v1\n\"{hostile}\": 1\n")).expect("scratch is writable");
    let (file, missing) = (file.to_str().expect("text"), directory.join(format!("no-{hostile}")));
    let missing = missing.to_str().expect("text");
    let mut command_lines = vec![vec![hostile], vec!["validate", "--format", hostile], vec!["schema", hostile]];
    for format in ["text", "json", "github", "sarif"] {
        command_lines.push(vec!["validate", "--format", format, file]);
    }
    for name in [file, missing] {
        for command in ["generate", "env", "convert", "inspect", "explain"] {
            command_lines.push(vec![command, name]);
        }
        command_lines.extend([
            vec!["diff", name, name],
            vec!["diagnose", "--root", name],
            vec!["diagnose", "--bundle", name],
        ]);
        command_lines.push(vec!["generate", "--batch", name]);
    }
    for arguments in command_lines {
        let ended = run(&arguments);
        let text = ended.stdout + &ended.stderr;
        let is_obeyed = |shown: char| shown.is_control() && shown != '\n' || "\u{202e}\u{2066}".contains(shown);
        assert!(!text.contains(is_obeyed), "{arguments:?}: {text:?}");
    }
}
