//! `explain` as people and other programs call it.

use std::collections::BTreeSet;
use std::fs;

use aks_node_controller::catalogue::failures::failures;
use aks_node_controller::explain;
use serde_json::{Value, json};

use super::{run, run_with};
use crate::support::{Scratch, gzip};

const RESULT: &str =
    r#"{"ExitCode":"52","Output":"2026-11-22 05:54:15 checkOutbound: 54 ms\n","Error":"the name does not resolve"}"#;

#[test]
fn a_code_a_name_a_file_standard_input_and_a_pasted_message_are_explained() {
    let directory = Scratch::new("explain");
    let file = directory.join("provision.json");
    fs::write(&file, RESULT).expect("scratch is writable");
    let message = "command terminated with exit status=52";
    let runs = [
        run(&["explain", "52"]),
        run(&["explain", "ERR_K8S_API_SERVER_DNS_LOOKUP_FAIL"]),
        run(&["explain", "k8s_api_server_dns_lookup_fail"]),
        run(&["explain", "K8SAPIServerDNSLookupFailVMExtensionError"]),
        run(&["explain", file.to_str().expect("text")]),
        run(&["explain", message]),
        run_with(&["explain", "-"], RESULT.as_bytes()),
    ];
    for run in runs {
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        assert!(run.stdout.starts_with("52 ERR_K8S_API_SERVER_DNS_LOOKUP_FAIL\n"), "{}", run.stdout);
        for part in ["stage      nodePrep: checkApiServer\n", "Likely causes\n1. ", "What to check\n-  "] {
            assert!(run.stdout.contains(part), "{part:?} is missing in {}", run.stdout);
        }
    }
    let shown = run_with(&["explain", "-"], RESULT.as_bytes()).stdout;
    assert!(shown.contains("last step  checkOutbound\nevidence   the name does not resolve\n"), "{shown}");
}

#[test]
fn json_has_the_keys_that_programs_rely_on() {
    let ended = run_with(&["explain", "-", "--format", "json"], RESULT.as_bytes());
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let value: Value = serde_json::from_str(&ended.stdout).expect("it is JSON");
    assert_eq!(value["code"], 52);
    assert_eq!(value["name"], "ERR_K8S_API_SERVER_DNS_LOOKUP_FAIL");
    assert_eq!((&value["step"], &value["evidence"]), (&"checkOutbound".into(), &"the name does not resolve".into()));
    assert!(value["meaning"].is_string() && value["stage"].is_string());
    for list in ["checks", "misleading", "rulesOut"] {
        assert!(value[list].as_array().expect("it is a list").iter().all(Value::is_string), "{list}");
    }
    assert!(value["causes"].as_array().expect("it is a list").iter().all(|cause| cause["cause"].is_string()));
    assert_eq!((&value["layer"], &value["rulesOut"][0]), (&"provisioning".into(), &"request".into()));
    let of_code: Value = serde_json::from_str(&run(&["explain", "52", "--format", "json"]).stdout).expect("it is JSON");
    assert!(of_code["evidence"].is_null() && of_code["step"].is_null());
}

#[test]
fn json_is_one_object_for_any_text() {
    let keys =
        ["layer", "code", "name", "meaning", "stage", "causes", "checks", "misleading", "evidence", "step", "rulesOut"];
    let unauthorized = "E0114 12:09:58 \"Unable to register node with API server\" err=\"Unauthorized\" node=\"n\"";
    for (text, code, layer) in [
        (RESULT, 0, "provisioning".into()),
        (unauthorized, 0, "registration".into()),
        ("nothing of this is an error", 1, Value::Null),
        (r#"{"ExitCode":"0"}"#, 1, Value::Null),
    ] {
        let ended = run_with(&["explain", "-", "--format", "json"], text.as_bytes());
        assert_eq!(ended.code, Some(code), "{text}");
        let value: Value = serde_json::from_str(&ended.stdout).expect("it is JSON");
        assert_eq!(value["layer"], layer, "{text}");
        let has = value.as_object().expect("it is an object").keys().map(String::as_str);
        assert_eq!(has.collect::<BTreeSet<_>>(), keys.into(), "{text}");
    }
    let value = run_with(&["explain", "-", "--format", "json"], unauthorized.as_bytes()).stdout;
    let value: Value = serde_json::from_str(&value).expect("it is JSON");
    assert_eq!((&value["code"], &value["name"], &value["stage"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!(value["evidence"], unauthorized);
    assert_eq!(value["causes"][0]["evidence"], unauthorized);
}

#[test]
fn lines_are_explained_one_by_one() {
    let lines = format!("{}\nnothing\n\n\"Error\\nCode: SkuNotAvailable\"\r\nexit status=50", RESULT.replace('\n', ""));
    let ended = run_with(&["explain", "--format", "jsonl"], lines.as_bytes());
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let layers = ended.stdout.lines().map(|line| {
        let value: Value = serde_json::from_str(line).expect("each line is JSON");
        value["layer"].clone()
    });
    let layers: Vec<_> = layers.collect();
    assert_eq!(layers, [json!("provisioning"), Value::Null, Value::Null, json!("request"), json!("provisioning")]);
}

/// Asserts that an API server accepts a condition, by the rules of `metav1.Condition`.
fn assert_accepted(condition: &Value) {
    let of = |member: &str| condition[member].as_str().expect("it is text").to_owned();
    let (kind, status, reason, message) = (of("type"), of("status"), of("reason"), of("message"));
    assert!(kind.bytes().all(|byte| byte.is_ascii_alphanumeric()) && kind.len() <= 316, "{kind}");
    assert!(["True", "False", "Unknown"].contains(&status.as_str()), "{status}");
    let is_reason = reason.starts_with(|first: char| first.is_ascii_uppercase())
        && reason.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && reason.len() <= 1024;
    assert!(is_reason, "{reason}");
    assert!(!message.contains(char::is_control) && message.len() <= 32 * 1024 && !message.is_empty(), "{message}");
}

#[test]
fn conditions_are_those_that_an_api_server_accepts() {
    let condition = |arguments: &[&str], text: &str| {
        let ended = run_with(&[&["explain", "--format", "condition"], arguments].concat(), text.as_bytes());
        let value: Value = serde_json::from_str(&ended.stdout).expect("it is JSON");
        assert_accepted(&value);
        (ended.code, value)
    };
    let (code, value) = condition(&["-"], RESULT);
    assert_eq!(
        (code, &value["status"], &value["reason"]),
        (Some(0), &json!("False"), &json!("K8sApiServerDnsLookupFail"))
    );
    let (code, value) = condition(&["SkuNotAvailable"], "");
    assert_eq!((code, &value["reason"]), (Some(0), &json!("SkuNotAvailable")));
    let (code, value) = condition(&["-"], "a poem");
    assert_eq!((code, &value["status"], &value["reason"]), (Some(1), &json!("Unknown"), &json!("NotRecognized")));
    for code in 1..=255 {
        if let Some(explanation) = explain::of_code(code) {
            assert_accepted(&explanation.condition().to_json());
        }
    }
    for failure in failures() {
        assert!(failure.reason.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{}", failure.reason);
    }
}

#[test]
fn what_is_not_known_ends_with_1_and_says_what_to_do() {
    let cases: [(&[&str], &str); 9] = [
        (&["explain", "0"], "exit code 0 is a success"),
        (&["explain", "166"], "exit code 166 is unknown"),
        (&["explain", "4711"], "exit code 4711 is unknown"),
        (&["explain", "--", "-1"], "exit code -1 is unknown"),
        (&["explain", "ERR_OUTBOUND_CON_FAIL"], "did you mean `ERR_OUTBOUND_CONN_FAIL`?"),
        (&["explain", "outbound_con_fail"], "did you mean `ERR_OUTBOUND_CONN_FAIL`?"),
        (&["explain", "/nowhere/provision.json"], "nor a file"),
        (&["explain", "/"], "(os error 21)\n  hint: diagnose its logs: aks-node-controller diagnose --root /"),
        (&["explain", "nothing of this is an error"], "the text shows no exit code"),
    ];
    for (arguments, message) in cases {
        let ended = run(arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{arguments:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(message), "{arguments:?}: {}", ended.stderr);
    }
}

#[test]
fn bytes_that_are_no_plain_text_are_read_as_far_as_they_can_be_or_named() {
    let utf_16 = |unit: fn(u16) -> [u8; 2], mark: [u8; 2]| {
        mark.into_iter().chain(RESULT.encode_utf16().flat_map(unit)).collect::<Vec<u8>>()
    };
    let mut binary: Vec<u8> = (0..=255).cycle().take(3000).collect();
    binary.extend_from_slice(b"\xff\r\n error 52: it does not resolve\r\n");
    for bytes in [
        utf_16(u16::to_le_bytes, [0xff, 0xfe]),
        utf_16(u16::to_be_bytes, [0xfe, 0xff]),
        format!("\u{feff}{RESULT}").into_bytes(),
        RESULT.replace(',', ",\r\n").into_bytes(),
        binary,
    ] {
        let ended = run_with(&["explain", "-"], &bytes);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert!(ended.stdout.starts_with("52 "), "{}", ended.stdout);
    }
    for (bytes, message) in [
        (&b""[..], "<stdin> is empty"),
        (b"\x1f\x8b\x08\0\0\0", "cannot read <stdin>: gzip: "),
        (b"\xfd7zXZ\0\0", "<stdin> is xz data\n  hint: unpack it: xz -dc FILE | aks-node-controller explain -"),
        (
            b"PK\x03\x04\x14\0",
            "<stdin> is a ZIP archive\n  hint: diagnose it: aks-node-controller diagnose --bundle FILE",
        ),
        (b"\x7fELF\x02\x01\x01\0", "<stdin> is an ELF binary"),
        (br#"{"ExitCode":"0","Output":"","Error":""}"#, "<stdin> shows a success"),
    ] {
        let ended = run_with(&["explain", "-"], bytes);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{message}");
        assert!(ended.stderr.contains(message), "{}", ended.stderr);
    }
}

/// As logrotate leaves them.
#[test]
fn what_gzip_has_compressed_is_unpacked() {
    let directory = Scratch::new("gzip");
    let file = directory.join("cluster-provision.log.1.gz");
    let log = gzip(&long_log());
    // Files that were appended to each other, and the end is missing.
    let appended = [gzip(b"2026-11-22 05:54:15 checkOutbound: 54 ms\n"), gzip(&long_log())].concat();
    let failure = gzip(b"2026-11-22 05:55:30 error 52: it does not resolve\n");
    let truncated = [&failure[..], &log[..log.len() / 2]].concat();
    for packed in [&log, &appended, &failure, &truncated] {
        fs::write(&file, packed).expect("scratch is writable");
        for ended in [run(&["explain", file.to_str().expect("text")]), run_with(&["explain", "-"], packed)] {
            assert_eq!(ended.code, Some(0), "{}", ended.stderr);
            assert!(ended.stdout.starts_with("52 "), "{}", ended.stdout);
            assert_eq!(ended.stderr.contains(" is not read: gzip: "), packed == &truncated, "{}", ended.stderr);
        }
    }
    // Much from little.
    let ended = run_with(&["explain", "-"], &gzip(&[vec![b' '; 64 << 20], b"\nexit status=52\n".to_vec()].concat()));
    assert!(ended.stdout.starts_with("52 "), "{}", ended.stderr);
    assert!(ended.stderr.contains("only the last 16777216 bytes are read"), "{}", ended.stderr);
    // Only one layer: an archive inside has its own command.
    let mut archive = vec![0; 512];
    archive[257..262].copy_from_slice(b"ustar");
    let ended = run_with(&["explain", "-"], &gzip(&archive));
    assert!(ended.stderr.contains("is a tar archive\n  hint: diagnose it:"), "{}", ended.stderr);
}

/// Also for what is no text of a failure.
#[test]
fn json_is_one_object_whatever_the_text_is() {
    for (arguments, text) in [
        (&["-"][..], &b""[..]),
        (&["-"], b"a poem"),
        (&["-"], b"PK\x03\x04\x14\0"),
        (&["-"], b"\x7fELF\x02\x01\x01\0"),
        (&["-"], br#"{"ExitCode":"0","Output":"","Error":""}"#),
        (&["0"], b""),
        (&["4711"], b""),
        (&["ERR_OUTBOUND_CON_FAIL"], b""),
        (&["poem"], b""),
    ] {
        let ended = run_with(&[&["explain", "--format", "json"], arguments].concat(), text);
        let value: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{arguments:?} {text:?}"));
        assert_eq!((ended.code, &value["layer"]), (Some(1), &Value::Null), "{arguments:?} {text:?}");
        assert!(ended.stderr.starts_with("error: "), "{}", ended.stderr);
        let condition = run_with(&[&["explain", "--format", "condition"], arguments].concat(), text);
        assert!(condition.stdout.contains("\"status\": \""), "{arguments:?} {text:?}: {}", condition.stdout);
    }
}

/// 5 MB of log, as a retried step writes it.
fn long_log() -> Vec<u8> {
    let mut log = Vec::new();
    while log.len() < 5_000_000 {
        log.extend_from_slice(
            b"2026-11-22 05:54:15 warning: \"ExitCode\" exit status 7 curl: (28) Connection timed out\n+ exit code\n",
        );
    }
    log.extend_from_slice(
        b"2026-11-22 05:54:15 checkOutbound: 54 ms\n2026-11-22 05:55:30 error 52: it does not resolve\n",
    );
    log
}

#[test]
fn the_end_of_a_long_log_is_found() {
    let log = long_log();
    let start = std::time::Instant::now();
    let ended = run_with(&["explain", "-"], &log);
    eprintln!("a log of 5 MB: {} ms in a debug build", start.elapsed().as_millis());
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    assert!(ended.stdout.starts_with("52 ") && ended.stdout.contains("last step  checkOutbound"), "{}", ended.stdout);

    let directory = Scratch::new("long");
    let file = directory.join("cluster-provision.log");
    fs::write(&file, [vec![b' '; 16 << 20], log.clone()].concat()).expect("scratch is writable");
    let ended = run(&["explain", file.to_str().expect("text")]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("only the last 16777216 bytes are read"), "{}", ended.stderr);
    let piped = run_with(&["explain", "-"], &[vec![b' '; 16 << 20], log].concat());
    assert!(
        piped.stdout.starts_with("52 ") && piped.stderr.contains("only the last 16777216 bytes"),
        "{}",
        piped.stderr
    );
}

#[test]
fn help_has_examples_and_secrets_are_not_shown() {
    let help = run(&["explain", "--help"]).stdout;
    assert!(help.contains("Examples:\n  aks-node-controller explain 52\n"), "{help}");
    let token = "abcdef.0123456789abcdef";
    let text = format!("exit status=34\nerror: token={token} \u{1b}[2J is rejected, see {token}\n");
    let shown = run_with(&["explain", "-"], text.as_bytes()).stdout;
    assert!(shown.contains("is rejected") && !shown.contains(token) && !shown.contains('\u{1b}'), "{shown}");
}
