//! Texts in the logs of runners and collectors, and as pages and word processors change them.

use aks_node_controller::explain;
use serde_json::json;

use super::texts;

/// A text whose lines a runner or collector keeps inside lines of its own.
fn collected(text: &str) -> [(&'static str, String); 5] {
    let lines = |form: &dyn Fn(usize, &str) -> String| -> String {
        text.lines().enumerate().flat_map(|(at, line)| [form(at, line), "\n".to_owned()]).collect()
    };
    let second = |at: usize| at % 60;
    [
        (
            "GitHub Actions",
            lines(&|at, line| {
                let command = if at == 0 { "##[error]" } else { "" };
                format!("2026-11-22T05:54:{:02}.1234567Z {command}{line}", second(at))
            }),
        ),
        ("CRI", lines(&|at, line| format!("2026-11-22T05:54:{:02}.123456789Z stderr F {line}", second(at)))),
        ("kubectl", lines(&|_, line| format!("[pod/logger-0/main] 2026-11-22T05:54:15.123456789Z {line}"))),
        ("docker", lines(&|_, line| json!({"log": format!("{line}\n"), "stream": "stderr", "time": "t"}).to_string())),
        ("Fluent Bit", lines(&|at, line| json!({"date": at, "log": line}).to_string())),
    ]
}

#[test]
fn a_text_in_the_log_of_a_collector_is_explained_in_the_same_way() {
    for (row, text) in texts().iter().step_by(3) {
        let alone = explain::explain(text);
        for (way, text) in collected(text) {
            assert_eq!(explain::explain(&text), alone, "{} of {way}", row.file);
        }
    }
}

/// Chats and word processors change quotes and blanks, and HTML has names for them.
#[test]
fn changed_quotes_and_blanks_change_no_layer() {
    let mut opens = false;
    let curly = |character: char| match character {
        '"' => {
            opens = !opens;
            if opens { '\u{201c}' } else { '\u{201d}' }
        }
        '\'' => '\u{2019}',
        ' ' => '\u{a0}',
        other => other,
    };
    let said = "VM has reported a failure when processing extension 'config-app'. Error message: \"Enable failed: failed to execute command: \
        command terminated with exit status=1\"\n";
    let pasted: String = said.chars().map(curly).collect();
    let html = said.replace('\'', "&#x27;").replace('"', "&quot;");
    let alone = explain::explain(said).expect("it shows a failure");
    assert_eq!(alone.layer.name(), "extension");
    for text in [pasted, html] {
        assert_eq!(explain::explain(&text).as_ref(), Ok(&alone), "{text}");
    }
}
