//! The protocol of `generate --batch`, as docs/batch.md describes it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::terminal::{has_terminal, on_terminal_in};
use super::{Run, SMALL, run, run_with};
use crate::support::{Scratch, needs};

/// The smallest valid document, on one line.
fn small() -> String {
    SMALL.replace('\n', " ")
}

fn batch(lines: &[u8]) -> Run {
    run_with(&["generate", "--batch", "-"], lines)
}

fn answers(run: &Run) -> Vec<Value> {
    run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON Lines")).collect()
}

#[test]
fn a_request_has_the_result_of_its_document_and_its_options() {
    let document = small();
    let lines = [
        document.clone(),
        format!(r#"{{"id": 1, "document": {document}}}"#),
        format!(r#"{{"document": {document}, "os": "flatcar", "id": "b", "route": "scriptless"}}"#),
        format!(r#"{{"route": "scripted", "os": null, "document": {document}, "id": null}}"#),
    ];
    let run = batch(lines.join("\n").as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let options: [&[&str]; 4] = [&[], &[], &["--os", "flatcar", "--route", "scriptless"], &["--route", "scripted"]];
    let ids = [None, Some(json!(1)), Some(json!("b")), Some(Value::Null)];
    for ((mut answer, options), id) in answers(&run).into_iter().zip(options).zip(ids) {
        let alone = run_with(&[&["generate", "-"], options].concat(), document.as_bytes());
        assert_eq!(answer.as_object_mut().expect("an object").remove("id"), id);
        assert_eq!(answer, serde_json::from_str::<Value>(&alone.stdout).expect("JSON"), "{options:?}");
    }
}

#[test]
fn an_id_is_returned_byte_for_byte() {
    let ids = [
        "null",
        "false",
        "0",
        "-0.0",
        "1e400",
        "12345678901234567890123",
        "1.10",
        r#""""#,
        r#""\u0041\/é\ud83d\ude00""#,
        r#"[ 1,  {"b": 2 , "a":[]} ]"#,
        r#"{"z":1,"a":2,"a":3}"#,
        "\"\u{85}\u{202e}\"",
        r#""abcdef.0123456789abcdef""#,
    ];
    for id in ids {
        for rest in
            [format!("\"document\": {}", small()), "\"document\": 7".to_owned(), "\"document\": {\"a\"".to_owned()]
        {
            let run = batch(format!("{{\"id\":\t{id} , {rest}}}\r\n").as_bytes());
            assert!(run.stdout.starts_with(&format!("{{\"id\":{id},")), "{id}: {}", run.stdout);
            serde_json::from_str::<serde::de::IgnoredAny>(&run.stdout).expect("JSON");
        }
    }
}

#[test]
fn every_error_has_one_shape_and_no_line_ends_the_run() {
    let document = small();
    let valid = format!(r#"{{"id": "good", "document": {document}}}"#);
    let bad: Vec<(Vec<u8>, &str)> = vec![
        (b"{\"id\": 7, \"document\": {\"version\": }".to_vec(), "invalid syntax"),
        (b"{\"id\": 7".to_vec(), "invalid syntax"),
        (b"{\"id\": 7, \"document\": \"\xff\xfe\"}".to_vec(), "not UTF-8"),
        (format!("{{\"id\": 7, \"document\": {document}}} {{}}").into_bytes(), "trailing"),
        (
            format!("{{\"id\": 7, \"document\": {document}, \"pad\": \"{}\"}}", "x".repeat(5 << 20)).into_bytes(),
            "larger",
        ),
        (b"{\"id\": 7}".to_vec(), "document: is required"),
        (format!(r#"{{"id": 7, "documnt": {document}}}"#).into_bytes(), "document: is required (and 1 more)"),
        (b"{\"id\": 7, \"document\": null}".to_vec(), "must be an object"),
        (b"{\"id\": 7, \"document\": [1]}".to_vec(), "must be an object"),
        (format!(r#"{{"id": 7, "route": "scripty", "document": {document}}}"#).into_bytes(), "route: must be one of"),
        (format!(r#"{{"id": 7, "os": 3, "document": {document}}}"#).into_bytes(), "os: must be a string"),
        (format!(r#"{{"id": 7, "id": 8, "document": {document}}}"#).into_bytes(), "id: is set more than once"),
        (format!(r#"{{"id": 7, "os": "flatcar", "document": {document}}}"#).into_bytes(), "needs cloud-init"),
        (format!(r#"{{"id": 7, "os": "acl", "document": {}}}"#, document.replace("1.33.2", "1.x")).into_bytes(), "1.x"),
        (br#"{"id": 7, "document": {"kind": "ManagedCluster", "apiVersion": "v1"}}"#.to_vec(), ""),
    ];
    let mut lines = Vec::new();
    for (line, _) in &bad {
        lines.extend([line, &b"\n \t\r\n"[..], valid.as_bytes(), b"\n"].concat());
    }
    let run = batch(&lines);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(
        run.stderr.ends_with(&format!("error: {} of {} documents failed\n", bad.len(), bad.len() * 2)),
        "{}",
        run.stderr
    );
    let answers = answers(&run);
    assert_eq!(answers.len(), bad.len() * 2);
    for (at, ((line, message), pair)) in bad.iter().zip(answers.chunks(2)).enumerate() {
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]);
        let members: Vec<_> = pair[0].as_object().expect("an object").keys().collect();
        assert_eq!(members, ["error", "id", "line"], "{shown}");
        assert_eq!((&pair[0]["id"], &pair[0]["line"]), (&json!(7), &json!(at * 3 + 1)), "{shown}");
        let error = &pair[0]["error"];
        let text = error["message"].as_str().expect("text");
        assert!(text.contains(message) && !text.starts_with('{'), "{shown}: {text}");
        for finding in error["findings"].as_array().expect("a list") {
            assert!(finding["line"].is_null() || finding["line"] == pair[0]["line"], "{shown}: {finding}");
        }
        assert_eq!(pair[1]["id"], "good", "{shown}");
        assert!(pair[1]["customData"].is_string(), "{shown}");
    }
}

#[test]
fn a_document_of_several_lines_is_named() {
    let yaml = "---\n# a comment\nversion: v1\nauth_config:\n- a\n";
    let run = batch(format!("{yaml}\"version\": \"v1\",\n{}\n", small()).as_bytes());
    let answers = answers(&run);
    let (last, lines) = answers.split_last().expect("there are some");
    assert!(last["customData"].is_string(), "{last}");
    for answer in lines {
        assert_eq!(
            answer["error"]["message"], "the document: has invalid syntax: the line is not a JSON object",
            "{answer}"
        );
        let hint = answer["error"]["findings"][0]["hint"].as_str().unwrap_or_default();
        assert!(hint.contains("each line is one document in JSON"), "{answer}");
    }
    assert_eq!(lines.len(), 6);
}

#[test]
fn a_finding_has_the_column_of_the_line() {
    let document = small().replace("1.33.2", "1.x");
    let line = format!(r#"{{"id": "é", "os": "beos", "document":  {document}}}"#);
    let answer = answers(&batch(format!("\n{line}").as_bytes())).remove(0);
    let findings = answer["error"]["findings"].as_array().expect("a list");
    for (path, text) in [("os", "\"beos\""), ("kubernetes_version", "\"1.x\"")] {
        let finding = findings.iter().find(|finding| finding["path"] == path).unwrap_or_else(|| panic!("{answer}"));
        let column = line[..line.find(text).expect("it is there")].chars().count() + 1;
        assert_eq!((&finding["line"], &finding["column"]), (&json!(2), &json!(column)), "{finding}");
    }
}

#[test]
fn options_that_do_not_go_with_the_route_of_a_line_are_its_error() {
    let document = small();
    let lines = format!(
        "{{\"route\": \"scripted\", \"document\": {document}}}\n{{\"route\": \"scriptless\", \"document\": {document}}}\n"
    );
    let arguments =
        ["generate", "--batch", "-", "--route", "scriptless", "--custom-data-form", "write-files", "--os", "ubuntu"];
    let run = run_with(&arguments, lines.as_bytes());
    let answers = answers(&run);
    assert!(
        answers[0]["error"]["message"].as_str().expect("text").contains("--custom-data-form needs"),
        "{}",
        answers[0]
    );
    assert_eq!((answers[1]["route"].as_str(), run.code), (Some("scriptless"), Some(1)));
}

/// A batch that stays open.
struct Open(Child, BufReader<ChildStdout>);

impl Open {
    fn new() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"));
        command.args(["generate", "--batch", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("cargo built it");
        let stdout = BufReader::new(child.stdout.take().expect("it was piped"));
        Self(child, stdout)
    }

    fn write(&mut self, text: &str) {
        self.0.stdin.as_mut().expect("it was piped").write_all(text.as_bytes()).expect("the program reads");
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.1.read_line(&mut line).expect("the program answers");
        serde_json::from_str(&line).expect("JSON")
    }
}

#[test]
fn a_line_is_answered_while_the_next_one_is_incomplete() {
    let mut open = Open::new();
    let line = format!("{{\"id\": 1, \"document\": {}}}\n", small());
    let (head, tail) = line.split_at(line.len() / 2);
    open.write(&format!("{line}{head}"));
    assert_eq!(open.answer()["id"], 1);
    open.write(&format!("{tail}{{\"id\""));
    assert_eq!(open.answer()["id"], 1);
    open.write(": 2}\n\n");
    assert_eq!(open.answer()["error"]["message"], "document: is required");
    drop(open.0.stdin.take());
    assert_eq!(open.0.wait().expect("it ends").code(), Some(1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn lines_of_any_bytes_are_answered_one_for_one(lines in proptest::collection::vec(
        prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..40),
            "[ {\\[\"]{0,3}(id|document|route|os)?[\": ,{\\[\\]}0-9a-z]{0,30}".prop_map(String::into_bytes),
        ],
        0..60,
    )) {
        let lines: Vec<Vec<u8>> =
            lines.into_iter().map(|line| line.into_iter().filter(|byte| *byte != b'\n').collect()).collect();
        let expected = lines.iter().enumerate().filter(|(_, line)| !line.iter().all(u8::is_ascii_whitespace));
        let expected: Vec<_> = expected.map(|(at, _)| json!(at + 1)).collect();
        let run = batch(&lines.join(&b'\n'));
        let found: Vec<_> = answers(&run).iter().map(|answer| answer["line"].clone()).collect();
        prop_assert_eq!(found, expected);
        prop_assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    }
}

#[test]
fn the_example_in_go_gets_an_answer_for_each_document() {
    if !needs::programs(&[("go", "golang-go")]) {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = Scratch::new("batch-go");
    let bad = scratch.join("bad.json");
    fs::write(&bad, SMALL.replace("1.33.2", "1.x")).expect("scratch is writable");
    let good = scratch.join("good.json");
    fs::write(&good, SMALL).expect("scratch is writable");
    let ended = Command::new("go")
        .arg("run")
        .arg(root.join("examples/batch/main.go"))
        .arg(env!("CARGO_BIN_EXE_aks-node-controller"))
        .args([&good, &bad, &good])
        .env("GOCACHE", root.join("target/go-cache"))
        // Go keeps counters of its own use there.
        .env("XDG_CONFIG_HOME", &*scratch)
        .env("GOTOOLCHAIN", "local")
        .output()
        .expect("go starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    let lines: Vec<_> = stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{stdout}{stderr}");
    assert!(lines[0].ends_with("command \"/opt/azure/containers/aks-node-controller provision-wait\""), "{stdout}");
    assert!(lines[1].contains("bad.json: kubernetes_version"), "{stdout}");
    assert_eq!(lines[0], lines[2]);
    assert!(stderr.contains("1 of 3 documents failed") && !ended.status.success(), "{stderr}");
}

#[test]
fn a_long_batch_shows_its_progress_on_a_terminal_only() {
    if !has_terminal() {
        return;
    }
    let scratch = Scratch::new("batch-progress");
    fs::write(scratch.join("line"), format!("{{\"document\": {}}}\n{{\"id\": 7}}\n", small())).expect("writable");
    // The second half comes after the time in which nothing is shown.
    let program = env!("CARGO_BIN_EXE_aks-node-controller");
    let line = |redirections: &str| {
        format!("version >/dev/null; (cat line; sleep 1; cat line) | {program} generate --batch - {redirections}")
    };
    let shown = on_terminal_in(&scratch, 100, &line(">/dev/null"));
    assert!(shown.contains("\r4 done, ") && shown.contains(" per second, 2 errors\u{1b}[K"), "{shown:?}");
    let (_, after) = shown.split_once("\u{1b}[K").expect("it is shown");
    assert!(after.contains("\r\u{1b}[K") && after.ends_with(" 2 of 4 documents failed\n"), "{shown:?}");
    let shown = on_terminal_in(&scratch, 100, &line(">/dev/null 2>file; cat file"));
    assert_eq!(shown, "error: 2 of 4 documents failed\n");
}

#[test]
fn the_page_describes_what_the_program_writes() {
    let page = include_str!("../../docs/batch.md");
    let good =
        answers(&batch(format!("{{\"id\": 1, \"route\": \"scriptless\", \"document\": {}}}", small()).as_bytes()))
            .remove(0);
    let bad = answers(&batch(b"{\"id\": 1, \"document\": {}}")).remove(0);
    for answer in [&good, &bad, &bad["error"], &bad["error"]["findings"][0]] {
        for name in answer.as_object().expect("an object").keys() {
            assert!(page.contains(&format!("\"{name}\"")), "{name}");
        }
    }
    assert!(run(&["generate", "--help"]).stdout.contains("docs/batch.md"));
}
