//! `diff` as people and other programs call it.

use std::fs;

use serde_json::{Value, json};

use super::{SMALL, run, run_with};
use crate::support::Scratch;

/// Two documents that differ in the region and the token.
fn two(directory: &Scratch) -> [String; 2] {
    let document = |location: &str, token: &str| {
        let mut document: Value = serde_json::from_str(SMALL).expect("it is JSON");
        document["cluster_config"]["location"] = location.into();
        document["bootstrapping_config"] = json!({"tls_bootstrapping_token": token});
        document.to_string()
    };
    let [a, b] = ["a.json", "b.json"].map(|name| directory.join(name));
    fs::write(&a, document("westeurope", "abcdef.0123456789abcdef")).expect("scratch is writable");
    fs::write(&b, document("north\u{1b}[31m", "fedcba.0123456789abcdef")).expect("scratch is writable");
    [a, b].map(|path| path.to_str().expect("text").to_owned())
}

#[test]
fn the_exit_code_says_whether_something_differs() {
    let directory = Scratch::new("diff");
    let [a, b] = two(&directory);
    let same = run(&["diff", &a, &a]);
    assert_eq!((same.code, same.stdout.as_str(), same.stderr.as_str()), (Some(0), "no differences\n", ""));
    let different = run(&["diff", &a, &b]);
    assert_eq!((different.code, different.stderr.as_str()), (Some(1), ""));
    assert!(
        different.stdout.starts_with("2 variables, 2 fields of the Configuration differ\n"),
        "{}",
        different.stdout
    );
    let through_pipe = run_with(&["diff", &a, "-"], &fs::read(&b).expect("it was written"));
    assert_eq!(through_pipe.stdout, different.stdout.replace(&b, "<stdin>"));
    // What was generated from a document has its meaning.
    for route in ["scriptless", "node-bootstrap-variables"] {
        let generated = run(&["generate", &a, "--route", route]).stdout;
        let against = run_with(&["diff", "-", &a], generated.as_bytes());
        assert_eq!((against.code, against.stderr.as_str()), (Some(0), ""), "{route}: {}", against.stdout);
        assert_eq!(against.stdout.lines().next(), Some("no differences"));
        assert!(against.stdout.contains("\nnot compared: files, "), "{}", against.stdout);
    }
}

#[test]
fn input_that_cannot_be_compared_prints_an_error_and_nothing_else() {
    let directory = Scratch::new("diff-bad");
    let [a, _] = two(&directory);
    let text = directory.join("text");
    fs::write(&text, "nothing \u{1b}[31m of a node").expect("scratch is writable");
    let text = text.to_str().expect("text");
    let command = directory.join("cse.sh");
    fs::write(&command, "/opt/azure/containers/aks-node-controller provision-wait").expect("scratch is writable");
    let cases: [(&[&str], i32, &str); 7] = [
        (&["diff", &a, "/nowhere"], 1, "error: cannot read /nowhere"),
        (&["diff", "/nowhere", &a, "--format", "json"], 1, "error: cannot read /nowhere"),
        (&["diff", &a, text], 1, "contains no data of a node"),
        (&["diff", &a, command.to_str().expect("text")], 1, "have nothing in common"),
        (&["diff", "-", "-"], 2, "only one side can be standard input"),
        (&["diff", &a], 2, "the following required arguments were not provided"),
        (&["diff", &a, &a, "--format", "yaml"], 2, "invalid value"),
    ];
    for (arguments, code, part) in cases {
        let run = run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(code), ""), "{arguments:?}");
        assert!(run.stderr.contains(part) && run.stderr.starts_with("error: "), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.contains('\u{1b}'), "{arguments:?}");
    }
}

#[test]
fn json_has_the_keys_that_programs_rely_on_and_no_secret() {
    let directory = Scratch::new("diff-json");
    let [a, b] = two(&directory);
    let ended = run(&["diff", &a, &b, "--format", "json"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(1), ""));
    let value: Value = serde_json::from_str(&ended.stdout).expect("it is JSON");
    assert_eq!(value["equal"], false);
    let variables = json!([
        {"name": "LOCATION", "a": "westeurope", "b": "north\u{1b}[31m"},
        {"name": "TLS_BOOTSTRAP_TOKEN", "a": "[redacted]", "b": "[redacted]", "secret": true},
    ]);
    assert_eq!(value["variables"], variables);
    let fields = value["configuration"].as_array().expect("a list");
    assert!(fields.contains(&json!({"path": "cluster_config.location", "a": "westeurope", "b": "north\u{1b}[31m"})));
    for list in ["files", "command", "runs", "documents", "notCompared"] {
        assert_eq!(value[list], json!([]), "{list}");
    }
    assert!(!ended.stdout.contains("abcdef"));
    let equal: Value = serde_json::from_str(&run(&["diff", &a, &a, "--format", "json"]).stdout).expect("it is JSON");
    assert_eq!((&equal["equal"], &equal["variables"]), (&true.into(), &json!([])));
    let clear = run(&["diff", &a, &b, "--format", "json", "--show-secrets"]).stdout;
    assert!(clear.contains("\"abcdef.0123456789abcdef\"") && clear.contains("\"fedcba.0123456789abcdef\""), "{clear}");
}

#[test]
fn text_has_both_values_without_secrets_and_control_characters() {
    let directory = Scratch::new("diff-text");
    let [a, b] = two(&directory);
    let shown = run(&["diff", &a, &b]).stdout;
    let expected = format!(
        "2 variables, 2 fields of the Configuration differ\n\n--- {a}\n+++ {b}\n\nVariables\n  LOCATION\n-   westeurope\n\
         +   north\u{fffd}[31m\n  TLS_BOOTSTRAP_TOKEN\n    [redacted] (the secrets differ)\n\nConfiguration\n"
    );
    assert!(shown.starts_with(&expected), "{shown}");
    assert!(!shown.contains("abcdef") && !shown.contains('\u{1b}'), "{shown}");
    let like_reference = run(&["diff", &a, &b, "--like-reference"]).stdout;
    assert!(
        like_reference
            .starts_with("2 variables differ\nnot compared: files, configuration, command, runs, documents\n"),
        "{like_reference}"
    );
}

#[test]
fn help_has_examples() {
    let help = run(&["diff", "--help"]).stdout;
    for part in [
        "Examples:\n  aks-node-controller diff node.yaml node-new.yaml\n",
        "aks-node-controller diff custom-data.b64 -",
        "exit code is 0 if",
    ] {
        assert!(help.contains(part), "{part}: {help}");
    }
}

#[test]
fn the_summary_names_each_area_and_no_value() {
    let directory = Scratch::new("diff-summary");
    let [a, b] = two(&directory);
    let same = run(&["diff", "--summary", &a, &a]);
    assert_eq!((same.code, same.stdout.as_str()), (Some(0), "no differences\n"));
    let found = run(&["diff", "--summary", &a, &b]);
    let expected = "A and B differ; --format text shows the values\n\
        variables      2: LOCATION, TLS_BOOTSTRAP_TOKEN\n\
        Configuration  2: cluster_config.location, bootstrapping_config.tls_bootstrapping_token\n\
        secrets        2: TLS_BOOTSTRAP_TOKEN, bootstrapping_config.tls_bootstrapping_token\n";
    assert_eq!((found.code, found.stdout.as_str(), found.stderr.as_str()), (Some(1), expected, ""));
    // The same document on two routes.
    let generated = ["scriptless", "scripted"].map(|route| {
        let file = directory.join(route);
        fs::write(&file, run(&["generate", &a, "--route", route]).stdout).expect("scratch is writable");
        file.to_str().expect("text").to_owned()
    });
    let [one, other] = &generated;
    let found = run(&["diff", "--summary", one, other]);
    assert!(found.stdout.lines().count() <= 10, "{}", found.stdout);
    for line in ["files ", "commands ", "form           result of generate, ", "size           CustomData "] {
        assert!(found.stdout.lines().any(|found| found.starts_with(line)), "{line}: {}", found.stdout);
    }
    assert!(!found.stdout.contains("westeurope") && !found.stdout.contains("0123456789abcdef"), "{}", found.stdout);
    assert_eq!(run(&["diff", "--summary", &a, &b, "--format", "json"]).code, Some(2));
}

#[test]
fn a_machine_without_custom_data_says_how_to_get_it() {
    let directory = Scratch::new("diff-model");
    let [a, _] = two(&directory);
    // What `az vm show` returns has no custom data: <https://learn.microsoft.com/rest/api/compute/virtual-machines/get>
    let model = json!({
        "name": "myVM",
        "type": "Microsoft.Compute/virtualMachines",
        "osProfile": {"computerName": "myVM", "customData": null, "secrets": [], "allowExtensionOperations": true},
    });
    let file = directory.join("vm.json");
    fs::write(&file, model.to_string()).expect("scratch is writable");
    let file = file.to_str().expect("text");
    for arguments in [&["diff", &a, file][..], &["inspect", file]] {
        let found = run(arguments);
        let text = found.stdout + &found.stderr;
        for words in ["neither CustomData nor", "/var/lib/cloud/instance/user-data.txt", "run-command", "4,096 bytes"] {
            assert!(text.replace('\n', " ").contains(words), "{words}: {text}");
        }
    }
}
