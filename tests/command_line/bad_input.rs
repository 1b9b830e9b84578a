//! Whatever comes in: a clear message, exit code 1 or 2, nothing on stdout, never a panic.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{SMALL, run, run_with};
use crate::support::Scratch;

/// Ways of asking for something that has to be refused.
const ASKING: [&[&str]; 3] = [
    &["generate", "--config"],
    &["env", "--config"],
    &["generate", "--no-validate", "--route", "scriptless", "--config"],
];

fn refused(what: &str, bytes: &[u8], message: &str) {
    for asking in ASKING {
        let arguments = [asking, &["-"]].concat();
        let run = run_with(&arguments, bytes);
        assert_eq!(run.code, Some(1), "{what}: {arguments:?}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{what}: {arguments:?}");
        assert!(run.stderr.contains(message), "{what}: {arguments:?}: {}", run.stderr);
        assert!(!run.stderr.contains("panicked"), "{what}: {}", run.stderr);
    }
    let run = run_with(&["validate", "--format", "json", "-"], bytes);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("a report");
    assert_eq!((run.code, &report["valid"]), (Some(1), &serde_json::Value::Bool(false)), "{what}");
}

#[test]
fn no_document_at_all() {
    refused("empty", b"", "is empty");
    refused("blank", b" \n\t ", "is empty");
    refused("null", b"null", "must be an object");
    refused("a list", b"[]", "must be an object");
    refused("a text", b"\"x\"", "must be an object");
    refused("a comment", b"# nothing\n", "is empty");
}

#[test]
fn bytes_that_are_not_utf8() {
    refused("binary", &[0x7f, b'E', b'L', b'F', 0, 1, 2, 0xff, 0xfe], "is an ELF binary, must be JSON or YAML text");
    refused("not UTF-8", b"{\"version\": \"v1\", \"vm_size\": \"\xff\"}", "1:31: error: the document: is not UTF-8");
    refused(
        "UTF-16",
        b"\xff\xfe{\0}\0",
        "is UTF-16, must be UTF-8 [encoding]\n  hint: convert it: `iconv -f UTF-16 -t UTF-8 FILE`",
    );
    refused("gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\x03", "is gzip data, must be JSON or YAML text");
}

#[test]
fn a_byte_order_mark_is_ignored_with_a_warning() {
    let marked = format!("\u{feff}{SMALL}");
    let (plain, marked) =
        (run_with(&["env", "--config", "-"], SMALL.as_bytes()), run_with(&["env", "--config", "-"], marked.as_bytes()));
    assert_eq!((plain.code, marked.code), (Some(0), Some(0)), "{}", marked.stderr);
    assert_eq!(plain.stdout, marked.stdout);
    let note = "1:1: warning: the document: starts with a UTF-8 byte order mark, which is ignored";
    assert!(marked.stderr.contains(note), "{}", marked.stderr);
    refused("with an error", "\u{feff}{\"vm_size\": 4}".as_bytes(), "1:13: error: vm_size: must be a string");
}

#[test]
fn a_document_that_is_only_a_token_is_not_shown() {
    for document in ["\"x1y2z3.0a1b2c3d4e5f6g7h\"", "x1y2z3.0a1b2c3d4e5f6g7h", "\"x1y2z3\\n\""] {
        for asking in [
            &["validate"][..],
            &["env", "--config"],
            &["generate", "--karpenter"],
            &["generate", "--route", "scripted", "--nbc"],
        ] {
            let run = run_with(&[asking, &["-"]].concat(), document.as_bytes());
            assert_eq!(run.code, Some(1), "{asking:?}: {}", run.stderr);
            assert!(!run.stdout.contains("x1y2z3") && !run.stderr.contains("x1y2z3"), "{asking:?}: {}", run.stderr);
        }
    }
}

#[test]
fn broken_syntax() {
    refused("truncated", &SMALL.as_bytes()[..90], "EOF while parsing");
    refused("trailing comma", br#"{"version": "v1",}"#, "1:18: error");
    refused("two documents", br#"{"version": "v1"} {}"#, "trailing characters");
    refused("YAML, cut off", b"version: 'v1", "has invalid syntax");
    refused("YAML, two documents", b"version: v1\n---\nversion: v1\n", "second document");
    refused("a control character", b"{\"version\": \"v1\x01\"}", "control character");
}

#[test]
fn nesting_without_end() {
    let levels = 10_000;
    let json =
        format!("{{\"version\": \"v1\", \"cluster_config\": {}{}}}", "{\"a\":".repeat(levels), "}".repeat(levels));
    let unknown = format!("{{\"version\": {}{}}}", "[".repeat(levels), "]".repeat(levels));
    refused("objects", json.as_bytes(), "error");
    refused("lists", unknown.as_bytes(), "error");
    refused("YAML lists", format!("a: {}{}", "[".repeat(levels), "]".repeat(levels)).as_bytes(), "error");
    let indented = (0..levels / 10).map(|depth| " ".repeat(depth) + "a:\n").collect::<Vec<_>>().concat();
    refused("YAML objects", indented.as_bytes(), "is nested too deeply");
}

#[test]
fn yaml_that_would_grow() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let previous = format!("*a{}", level - 1);
        let line = format!("a{level}: &a{level} [{}]\n", [previous.as_str(); 9].join(", "));
        bomb.push_str(&line);
    }
    refused("a bomb", bomb.as_bytes(), "anchor");
    refused("an anchor", b"version: &v v1\nvm_size: *v\n", "anchor");
    refused("a merge key", b"version: v1\ncluster_config:\n  <<: {location: x}\n", "merge key");
    refused("a tag", b"version: !!python/object:os.system v1\n", "tag");
}

#[test]
fn documents_that_are_too_large() {
    let large = format!("{{\"version\": \"v1\", \"vm_size\": \"{}\"}}", "x".repeat(5 << 20));
    refused("five MB", large.as_bytes(), "is larger than");
    let endless = run(&["generate", "--config", "/dev/zero"]);
    assert_eq!((endless.code, endless.stdout.as_str()), (Some(1), ""), "{}", endless.stderr);
    assert!(endless.stderr.contains("is larger than"), "{}", endless.stderr);
    let directory = Scratch::new("huge");
    let values = directory.join("values.json");
    for text in [
        format!("[{}1]", "1,".repeat(2 << 20)),
        format!(
            "[{{\"apiVersion\":\"v1\",\"kind\":\"Config\",\"users\":[{}{{}}]}}]",
            "{\"name\":\"a\"},".repeat(1 << 19)
        ),
        format!("apiVersion: v1\nkind: List\nitems:\n{}", "- a: b\n".repeat(1 << 19)),
    ] {
        fs::write(&values, text).expect("scratch is writable");
        for command in ["new", "generate"] {
            let run = run(&[command, values.to_str().expect("text")]);
            assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{}", run.stderr);
            assert!(run.stderr.contains("too many values"), "{}", run.stderr);
        }
    }
    let huge = directory.join("huge.json");
    let mut text = vec![b' '; 100_000_000];
    text[0] = b'{';
    fs::write(&huge, text).expect("scratch is writable");
    let run = run(&["generate", "--config", huge.to_str().expect("text")]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{}", run.stderr);
    fs::remove_file(huge).expect("it was there");
}

#[test]
fn every_wrong_place_is_told_at_once() {
    let text = br#"{"version": "v1", "vm_size": 4, "is_kata": "no", "cse_timeout": 1.5, "custom_ca_certs": ["a", null],
        "vm_size": "twice", "cluster_config": {"location": false}}"#;
    let run = run_with(&["generate", "--config", "-"], text);
    for place in [
        "vm_size: must be a string",
        "is_kata: must be",
        "cse_timeout: must be",
        "custom_ca_certs[1]: must be a string",
        "vm_size: is set more than once",
        "cluster_config.location: must be a string",
    ] {
        assert!(run.stderr.contains(place), "{place}: {}", run.stderr);
    }
}

#[test]
fn a_great_many_wrong_places_are_told_in_good_time() {
    let many = 4_000;
    let members = (0..many).map(|at| format!("\"k{at}\": \"v\"")).collect::<Vec<_>>().join(",\n");
    for (what, text, findings, last_line) in [
        (
            "elements",
            format!("{{\"version\": \"v1\", \"custom_ca_certs\": [\n{}0]}}", "0,\n".repeat(many - 1)),
            many,
            101,
        ),
        (
            "entries",
            format!(
                "{{\"version\": \"v1\", \"kubelet_config\": {{\"kubelet_flags\": {{\n{}\"k\": \"\"}}}}}}",
                "\"k\": \"\",\n".repeat(many - 1)
            ),
            many - 1,
            102,
        ),
        ("unknown names", format!("{{\"vm_size\": 1,\n{members}}}"), many + 1, 100),
        (
            "YAML",
            format!("vm_size: 1\n{}", members.replace("\",\n", "\"\n").replace("\"k", "k").replace("\": ", ": ")),
            many + 1,
            100,
        ),
    ] {
        let run = run_with(&["validate", "--format", "json", "-"], text.as_bytes());
        let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("a report");
        let told = report["findings"].as_array().expect("a list");
        assert_eq!((run.code, told.len(), &report["total"]), (Some(1), 100, &findings.into()), "{what}");
        assert_eq!(told.last().expect("many")["line"], last_line, "{what}");
    }
}

#[test]
fn places_that_cannot_be_read() {
    let directory = Scratch::new("directory");
    let missing = directory.join("missing.json");
    for (what, file) in [("a directory", directory.to_path_buf()), ("nothing", missing)] {
        let run = run(&["generate", "--config", file.to_str().expect("text")]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{what}");
        assert!(run.stderr.contains("cannot read"), "{what}: {}", run.stderr);
    }
}

#[test]
fn a_standard_input_that_cannot_be_read() {
    let program = env!("CARGO_BIN_EXE_aks-node-controller");
    for (redirection, message) in [("<&-", "is empty"), ("< /", "cannot read <stdin>"), ("< /dev/null", "is empty")] {
        for command in ["generate --config -", "env --config -"] {
            let line = format!("exec {program} {command} {redirection}");
            let ended = Command::new("sh").args(["-c", &line]).output().expect("a shell is there");
            let stderr = String::from_utf8_lossy(&ended.stderr);
            assert_eq!((ended.status.code(), &*ended.stdout), (Some(1), &b""[..]), "{line}: {stderr}");
            assert!(stderr.contains(message) && !stderr.contains("panicked"), "{line}: {stderr}");
        }
    }
}

#[test]
fn a_full_stdout_is_an_error_and_a_closed_one_ends_the_command_quietly() {
    for arguments in [
        &["generate", "--example", "localdns"][..],
        &["generate", "--example", "list"],
        &["generate", "--batch", "--config", "-"],
        &["env", "--example", "localdns"],
        &["validate", "-"],
        &["schema"],
        &["version"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["--version"],
    ] {
        let (reader, closed) = std::io::pipe().expect("a pipe");
        drop(reader);
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is always full");
        for (what, stdout, code) in [("closed", Stdio::from(closed), 141), ("full", full.into(), 1)] {
            let mut program = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"));
            program.args(arguments).stdin(Stdio::piped()).stdout(stdout).stderr(Stdio::piped());
            let mut child = program.spawn().expect("cargo built the program");
            let mut stdin = child.stdin.take().expect("it was piped");
            // Not every command reads.
            let _ = stdin.write_all(SMALL.replace('\n', " ").as_bytes());
            drop(stdin);
            let ended = child.wait_with_output().expect("it ends");
            let stderr = String::from_utf8_lossy(&ended.stderr);
            assert_eq!(ended.status.code(), Some(code), "{what}: {arguments:?}: {stderr}");
            assert_eq!(stderr.contains("standard output"), what == "full", "{what}: {arguments:?}: {stderr}");
            assert!(what == "full" || !stderr.contains("error"), "{what}: {arguments:?}: {stderr}");
            assert!(!stderr.contains("panicked"), "{what}: {arguments:?}: {stderr}");
        }
    }
}

#[test]
fn a_batch_ends_when_nobody_reads_its_results() {
    let line = SMALL.replace('\n', " ") + "\n";
    for (stdout, code) in [("| head -n 1 >/dev/null; exit ${PIPESTATUS[0]}", 141), (">/dev/full", 1)] {
        let mut shell = Command::new("bash");
        let script = format!("{} generate --batch --config - {stdout}", env!("CARGO_BIN_EXE_aks-node-controller"));
        shell.args(["-c", &script]).stdin(Stdio::piped()).stderr(Stdio::null());
        let mut child = shell.spawn().expect("bash is installed");
        let mut stdin = child.stdin.take().expect("it was piped");
        // More than every channel and pipe holds. Fails when the program has ended.
        for _ in 0..5000 {
            if stdin.write_all(line.as_bytes()).is_err() {
                break;
            }
        }
        // The input stays open: the program does not wait for its end.
        assert_eq!(child.wait().expect("it ends").code(), Some(code), "{stdout}");
    }
}

/// Text that does not compress: a linear congruential sequence, as characters.
fn noise() -> String {
    let mut state = 1_u64;
    let characters = (0..160_000).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        char::from(b'!' + u8::try_from((state >> 33) % 90).expect("small"))
    });
    characters.filter(|character| !matches!(character, '"' | '\\' | '`' | '$' | '\'')).collect()
}

#[test]
fn what_takes_the_room_is_named_without_its_value() {
    let inputs = serde_json::json!({
        "arch": "amd64", "subscription_id": "s", "location": "westeurope", "resource_group": "g",
        "kubernetes_version": "1.33.2", "api_server_name": "demo.example.com", "ca_bundle": "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==",
        "kubelet_client_tls_bootstrap_token": format!("abcdef.0123\ncanary-of-a-secret={}", noise()),
        "subnet_id": "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/n/subnets/t",
    });
    let arguments = ["generate", "--no-validate", "--karpenter", "-"];
    let run = run_with(&arguments, inputs.to_string().as_bytes());
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("TLS_BOOTSTRAP_TOKEN\n"), "{}", run.stderr);
    assert!(!run.stderr.contains("canary-of-a-secret"), "{}", run.stderr);
}

#[test]
fn custom_data_over_the_limit_says_by_how_much_and_what_takes_the_room() {
    let text = SMALL.replacen('{', &format!("{{\"outbound_command\": \"curl {}\", ", noise()), 1);
    for route in ["scriptless", "node-bootstrap-variables"] {
        let run = run_with(&["generate", "--no-validate", "--route", route, "--config", "-"], text.as_bytes());
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{route}");
        for part in ["characters over the limit of 87380", "compressed"] {
            assert!(run.stderr.contains(part), "{route}: {}", run.stderr);
        }
        let named = if route == "scriptless" { "outbound_command" } else { "OUTBOUND_COMMAND" };
        assert!(run.stderr.contains(named), "{route}: {}", run.stderr);
    }
    let run = run_with(&["validate", "-"], text.as_bytes());
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("over the limit of 87380"), "{}", run.stdout);
}

/// Returns [`SMALL`] with certificates of 2.4 KiB each, all equal, so that they fit where the result is compressed.
fn with_certificates(count: usize) -> String {
    let example = include_str!("../../testdata/examples/arm64-minimal.json");
    let example: serde_json::Value = serde_json::from_str(example).expect("JSON");
    let pem = STANDARD.decode(example["kubernetes_ca_cert"].as_str().expect("text")).expect("base64");
    let certificates = serde_json::json!(vec![STANDARD.encode(pem.repeat(4)); count]);
    SMALL.replacen('{', &format!("{{\"custom_ca_certs\": {certificates}, "), 1)
}

#[test]
fn a_command_that_the_kernel_rejects_is_not_rendered() {
    let text = with_certificates(60);
    let generate = |route| run_with(&["generate", "--no-validate", "--route", route, "-"], text.as_bytes());
    let run = generate("scripted");
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    for part in ["the CSE command is ", " bytes over the limit of 131071: 1", "CUSTOM_CA_CERT_n (60 variables)\n"] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
    assert_eq!(generate("node-bootstrap-variables").code, Some(0));
    let run = run_with(&["validate", "-"], text.as_bytes());
    assert!(run.stdout.contains("warning: the document: route `scripted`: the CSE command is "), "{}", run.stdout);

    let run = run_with(&["generate", "--no-validate", "--route", "scripted", "-"], with_certificates(20).as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let result: serde_json::Value = serde_json::from_str(&run.stdout).expect("one object");
    let size = &result["size"];
    assert_eq!(size["cse"], result["cse"].as_str().expect("a command").len());
    assert_eq!((&size["cseLimit"], &size["limit"]), (&131_071.into(), &87_380.into()));
}

/// The kernel is the judge of the limit.
#[test]
fn the_longest_command_is_the_longest_argument_of_a_program() {
    let page = Command::new("getconf").arg("PAGESIZE").output().expect("getconf runs").stdout;
    if page != b"4096\n" {
        return;
    }
    let run = |length: usize| Command::new("/bin/sh").args(["-c", &format!(":{}", " ".repeat(length - 1))]).status();
    assert!(run(131_071).expect("the shell starts").success());
    let error = run(131_072).expect_err("the kernel rejects the argument");
    assert_eq!(error.kind(), std::io::ErrorKind::ArgumentListTooLong);
}

#[test]
fn a_value_with_u_0000_goes_nowhere() {
    let text = SMALL.replacen('{', r#"{"kube_proxy_url": "a\u0000b", "#, 1);
    let run = run_with(&["generate", "--no-validate", "--config", "-"], text.as_bytes());
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{}", run.stderr);
    let run = run_with(&["generate", "--config", "-"], text.as_bytes());
    assert!(run.stderr.contains("kube_proxy_url"), "{}", run.stderr);
}
