//! Good input: the shapes that other programs rely on.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::{SMALL, json, run, run_with};
use crate::support::Scratch;

#[test]
fn the_default_is_one_object_without_cse() {
    let result = json(&["generate", "--example", "ubuntu-azure-cni"]);
    assert_eq!(result["route"], "node-bootstrap-variables");
    assert_eq!(result["os"], "ubuntu");
    assert_eq!(result.get("cse"), None);
    let custom_data = result["customData"].as_str().expect("base64");
    assert_eq!(result["size"], serde_json::json!({"customData": custom_data.len(), "limit": 87380}));
    let script = String::from_utf8(STANDARD.decode(custom_data).expect("base64")).expect("text");
    assert!(script.starts_with("#!/bin/bash\n\nset -o allexport"));
}

#[test]
fn scriptless_has_a_cse_and_every_format_carries_it() {
    let example = ["generate", "--example", "ubuntu-azure-cni", "--route", "scriptless", "--format"];
    let with = |format: &'static str| [&example[..], &[format]].concat();
    let all = json(&with("json"));
    let (custom_data, cse) = (all["customData"].as_str().expect("text"), all["cse"].as_str().expect("text"));
    assert_eq!(cse, "/opt/azure/containers/aks-node-controller provision-wait");
    assert_eq!(run(&with("custom-data")).stdout.trim_end(), custom_data);
    assert_eq!(run(&with("cse")).stdout.trim_end(), cse);
    let arm = json(&with("arm"));
    assert_eq!(arm["osProfile"]["customData"], custom_data);
    let extension = &arm["extensionProfile"]["extensions"][0];
    assert_eq!(extension["name"], "vmssCSE");
    let properties = &extension["properties"];
    assert_eq!(properties["publisher"], "Microsoft.Azure.Extensions");
    assert_eq!(properties["type"], "CustomScript");
    assert_eq!(properties["typeHandlerVersion"], "2.0");
    assert_eq!(properties["protectedSettings"]["commandToExecute"], cse);
}

#[test]
fn terraform_asks_on_stdin_and_gets_a_flat_map_of_texts() {
    let query = serde_json::json!({"config": SMALL, "route": "scriptless", "os": "flatcar"}).to_string();
    let run = run_with(&["generate", "--format", "terraform"], query.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let map: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let map = map.as_object().expect("an object");
    assert!(map.values().all(Value::is_string), "{map:?}");
    assert_eq!((&map["os"], &map["route"]), (&"flatcar".into(), &"scriptless".into()));
    let map = json(&["generate", "--example", "localdns", "--format", "terraform"]);
    assert_eq!((map["cse"].as_str(), map["cseSize"].as_str()), (Some(""), Some("0")));
    for (query, message) in
        [("[]", "not an object of strings"), (r#"{"ruote": "x"}"#, "ruote"), (r#"{"os": "beos"}"#, "beos")]
    {
        let run = run_with(&["generate", "--format", "terraform"], query.as_bytes());
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

/// CustomData as az sends it: it reads the file as a text, in which a line feed replaces each end of a line, and encodes each
/// character as one byte (`read_content_if_is_file` in
/// <https://github.com/Azure/azure-cli/blob/dev/src/azure-cli/azure/cli/command_modules/vm/_vm_utils.py>, `b64encode` in
/// <https://github.com/Azure/azure-cli/blob/dev/src/azure-cli-core/azure/cli/core/util.py>).
fn as_az_sends(text: &str) -> Vec<u8> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars().map(|character| u8::try_from(u32::from(character)).expect("Latin-1 has the character")).collect()
}

#[test]
fn az_encodes_the_text_to_custom_data() {
    let large = SMALL.replacen('{', &format!("{{\"outbound_command\": \"curl {}\", ", "x".repeat(70_000)), 1);
    let accented = SMALL.replacen('{', "{\"outbound_command\": \"curl \u{e9}\u{20ac}\", ", 1);
    let returning = SMALL.replacen('{', "{\"outbound_command\": \"curl\\ra\\r\\nb\", ", 1);
    for document in [SMALL, &large, &accented, &returning] {
        for (route, os) in [
            ("node-bootstrap-variables", "ubuntu"),
            ("scriptless", "ubuntu"),
            ("scriptless", "flatcar"),
            ("scripted", "azurelinux"),
            ("scripted", "acl"),
        ] {
            let generate = |more: &[&str]| {
                let arguments = ["generate", "-", "--no-validate", "--route", route, "--os", os];
                run_with(&[&arguments, more].concat(), document.as_bytes())
            };
            let made = generate(&["--format", "az"]);
            let alone = generate(&["--format", "custom-data"]);
            assert_eq!(made.code, alone.code, "{route}, {os}: {}", made.stderr);
            if made.code == Some(1) {
                assert!(os == "flatcar" && made.stderr.contains("over the limit"), "{route}, {os}: {}", made.stderr);
                continue;
            }
            let sent = as_az_sends(&made.stdout);
            assert!(STANDARD.encode(&sent).len() <= 87_380, "{route}, {os}");
            let plain =
                |bytes: Vec<u8>| if bytes.starts_with(b"\x1f\x8b") { gunzip(&bytes).into_bytes() } else { bytes };
            let expected = plain(STANDARD.decode(alone.stdout.trim_end()).expect("base64"));
            // Only lines of MIME end with CRLF, and every reader accepts a line feed there.
            let is_mime = expected.starts_with(b"MIME");
            let unified =
                |bytes| String::from_utf8(bytes).expect("text").replace(if is_mime { "\r\n" } else { "\0" }, "\n");
            assert!(unified(plain(sent)) == unified(expected), "{route}, {os}");
        }
    }
    let arguments = ["generate", "-", "--no-validate", "--format", "az", "--compress", "never"];
    let refused = run_with(&arguments, returning.as_bytes());
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""), "{}", refused.stderr);
    assert!(refused.stderr.contains("would replace the carriage returns"), "{}", refused.stderr);
    assert_eq!(run_with(&arguments, accented.as_bytes()).code, Some(0));
}

fn gunzip(packed: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(packed).read_to_string(&mut text).expect("gzip");
    text
}

#[test]
fn resources_carry_the_result_and_the_command_only_where_there_is_one() {
    for (route, has_command) in [("node-bootstrap-variables", false), ("scriptless", true), ("scripted", true)] {
        let example = |format: &str| run(&["generate", "--example", "localdns", "--route", route, "--format", format]);
        let parsed = |format: &str| serde_json::from_str::<Value>(&example(format).stdout).expect("JSON");
        let all = parsed("json");
        let (arm, vm) = (parsed("arm"), parsed("arm-vm"));
        let profile = &arm["resources"][0]["properties"]["virtualMachineProfile"];
        assert_eq!(arm["osProfile"]["customData"], all["customData"]);
        assert_eq!(profile["osProfile"]["customData"], all["customData"]);
        assert_eq!(arm["extensionProfile"], profile["extensionProfile"]);
        assert_eq!(vm["resources"][0]["properties"]["osProfile"]["customData"], all["customData"]);
        for properties in
            [&profile["extensionProfile"]["extensions"][0]["properties"], &vm["resources"][1]["properties"]]
        {
            assert_eq!(properties["protectedSettings"]["commandToExecute"], all["cse"], "{route}");
        }
        let members: Vec<_> = vm.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(members, ["$schema", "contentVersion", "parameters", "resources"]);
        for template in [&arm, &vm] {
            // Each parameter is used, and each one that is used is there.
            let text = template["resources"].to_string();
            let used: BTreeSet<_> =
                text.split("parameters('").skip(1).map(|rest| rest.split('\'').next().unwrap_or_default()).collect();
            let given: BTreeSet<_> =
                template["parameters"].as_object().expect("an object").keys().map(String::as_str).collect();
            assert_eq!(used, given);
        }
        let (bicep, hcl) = (example("bicep").stdout, example("terraform-hcl").stdout);
        let custom_data = all["customData"].as_str().expect("text");
        assert!(bicep.contains("@secure()\nparam customData string") && !bicep.contains(custom_data), "{bicep}");
        assert_eq!(bicep.contains("@secure()\nparam command string"), has_command);
        assert_eq!(bicep.contains("extensionProfile"), has_command);
        assert!(hcl.contains(&format!("custom_data = sensitive(\"{custom_data}\")")), "{route}");
        assert_eq!(hcl.contains("protected_settings         = sensitive(jsonencode("), has_command);
    }
}

#[test]
fn files_are_for_their_owner_alone() {
    let scratch = Scratch::new("files");
    let directory = scratch.join("out");
    let out = directory.to_str().expect("text");
    let arguments = ["generate", "--example", "localdns", "--format", "files", "--out", out];
    for _ in 0..2 {
        let run = run(&arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.lines().count() > 5);
        for file in run.stdout.lines() {
            let mode = fs::metadata(file).expect("it was written").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{file}");
        }
    }
    assert_eq!(fs::metadata(&directory).expect("it is there").permissions().mode() & 0o777, 0o700);
    assert!(directory.join("payloads/corefile_with_hosts").is_file());
}

#[test]
fn one_configuration_is_the_same_in_every_spelling() {
    let directory = Scratch::new("spellings");
    let canonical = json(&["env", "--example", "localdns", "--format", "json", "--show-secrets"]);
    let out = directory.join("layers");
    let out = out.to_str().expect("text");
    run(&["generate", "--example", "localdns", "--route", "scriptless", "--format", "files", "--out", out]);
    let as_json = format!("{out}/configuration.json");
    assert_eq!(json(&["env", "--config", &as_json, "--format", "json", "--show-secrets"]), canonical);

    let decoded = aks_node_controller::configuration::Configuration::from_document(&fs::read(&as_json).expect("there"));
    let binary = prost::Message::encode_to_vec(&decoded.expect("it decodes").configuration);
    let file = directory.join("binary.pb");
    fs::write(&file, binary).expect("scratch is writable");
    let file = file.to_str().expect("text");
    let arguments = ["env", "--config", file, "--input-format", "protobuf", "--format", "json", "--show-secrets"];
    assert_eq!(json(&arguments), canonical);

    let run =
        run_with(&["env", "--config", "-", "--format", "json", "--show-secrets"], &fs::read(&as_json).expect("there"));
    assert_eq!(serde_json::from_str::<Value>(&run.stdout).expect("JSON"), canonical);
}

#[test]
fn secrets_are_shown_only_when_asked_for() {
    let text = run(&["env", "--example", "http-proxy-own-ca"]).stdout;
    assert!(text.contains("TLS_BOOTSTRAP_TOKEN='[redacted]'"), "{text}");
    assert!(!text.contains("Pr0xy-pass"));
    let shown = run(&["env", "--example", "http-proxy-own-ca", "--show-secrets"]).stdout;
    assert!(shown.contains("Pr0xy-pass"));
    assert_eq!(text.lines().count(), 166);
    for format in ["text", "json"] {
        let explained = ["env", "--example", "http-proxy-own-ca", "--explain", "PROXY_VARS", "--format", format];
        let run = run(&explained);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains("[redacted]") && !run.stdout.contains("Pr0xy-pass"), "{}", run.stdout);
    }
}

#[test]
fn a_variable_is_explained() {
    let text = run(&["env", "--example", "a100-mig", "--explain", "GPU_INSTANCE_PROFILE"]).stdout;
    for part in ["GPU_INSTANCE_PROFILE=MIG1g", "meaning:", "from:     gpu_config.gpu_instance_profile", "read by:"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let demands = run(&["env", "--example", "a100-mig", "--explain", "KUBE_CA_CRT"]).stdout;
    assert!(
        demands.contains("\ndemand:   Must be base64 of a certificate: `checkNodeInputs`, exit code 245.\n"),
        "{demands}"
    );
    let run = run(&["env", "--example", "a100-mig", "--explain", "GPU_INSTANCE_PROFIL"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("did you mean `GPU_INSTANCE_PROFILE`?"), "{}", run.stderr);
}

#[test]
fn a_value_that_ends_its_place_is_shown_with_a_warning_and_not_generated() {
    let os = r#"{"ulimit_config": {"no_file": "1 infinity"}}"#;
    let document = format!(r#"{{"version": "v1", "custom_linux_os_config": {os}}}"#);
    let shown = run_with(&["env", "--config", "-"], document.as_bytes());
    assert_eq!(shown.code, Some(0));
    let problem = "CONTAINERD_ULIMITS cannot carry a text with U+0020";
    assert!(
        shown.stderr.contains(&format!("warning: {problem}; `generate` and the node reject it")),
        "{}",
        shown.stderr
    );
    assert!(shown.stdout.contains("CONTAINERD_ULIMITS='[Service] LimitNOFILE=1 infinity '"), "{}", shown.stdout);
    for arguments in [&["generate", "--config", "-", "--no-validate"][..], &["validate", "-"]] {
        let rejected = run_with(arguments, document.as_bytes());
        assert_eq!(rejected.code, Some(1), "{arguments:?}");
    }
}

#[test]
fn a_token_in_the_field_of_another_value_is_not_shown() {
    for token in ["abcdef.0123456789abcdef", "glpat-0123456789abcdef"] {
        let misplaced = format!("cluster_config.location={token}");
        let shown = run(&["env", "--example", "ubuntu-azure-cni", "--set", &misplaced]);
        assert!(shown.stdout.contains("LOCATION='[redacted]'\n") && !shown.stdout.contains(token), "{}", shown.stdout);
    }
}

#[test]
fn a_node_gets_its_environment_without_the_required_fields() {
    let run = run_with(&["env", "--config", "-", "--format", "json"], br#"{"version": "v1"}"#);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("warning: cluster_config.location: is required"), "{}", run.stderr);
    let run = run_with(&["env", "--config", "-"], br#"{"version": "v2"}"#);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
}

/// The names of an object's members, sorted.
fn names(object: &Value) -> Vec<&str> {
    let mut names: Vec<_> = object.as_object().expect("an object").keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[test]
fn validate_gives_one_report_a_document() {
    let run = run_with(&["validate", "--format", "json", "-"], br#"{"version": "v1", "vm_sise": "x"}"#);
    let report: Value = serde_json::from_str(&run.stdout).expect("one report on one line");
    assert_eq!((run.code, &report["file"], &report["valid"]), (Some(1), &"<stdin>".into(), &false.into()));
    assert_eq!(names(&report), ["file", "findings", "valid"]);
    let findings = report["findings"].as_array().expect("a list");
    for finding in findings {
        assert_eq!(names(finding), ["column", "hint", "line", "path", "problem", "rule", "severity"]);
    }
    let unknown = findings.iter().find(|finding| finding["path"] == "vm_sise").expect("it is told");
    assert_eq!((&unknown["severity"], &unknown["rule"]), (&"error".into(), &"misspelled-field".into()));
    assert_eq!((&unknown["line"], &unknown["column"]), (&1.into(), &19.into()));
    let hint = unknown["hint"].as_str().unwrap_or_default();
    assert!(hint.starts_with("did you mean `vm_size`? ") && hint.ends_with("--no-validate"), "{hint}");
    let text = SMALL.replacen('{', r#"{"vm_shape": "x", "#, 1);
    assert_eq!(run_with(&["validate", "-"], text.as_bytes()).code, Some(0));
    assert_eq!(run_with(&["validate", "--strict", "-"], text.as_bytes()).code, Some(1));
    assert_eq!(run_with(&["generate", "--strict", "--config", "-"], text.as_bytes()).code, Some(1));
    assert_eq!(run_with(&["generate", "--config", "-"], text.as_bytes()).code, Some(0));
}

#[test]
fn a_hundred_findings_are_listed_errors_first_and_the_others_counted() {
    let unknown: Vec<_> = (0..300).map(|number| format!("\"zz_{number}\": 1, ")).collect();
    let flags: Vec<_> = (0..40).map(|number| format!("\"--no-such-{number}\": \"x\", ")).collect();
    let (unknown, flags) = (unknown.concat(), flags.concat());
    let text = SMALL.replacen('{', &format!("{{{unknown}"), 1);
    let wrong = text.replacen("\"--max-pods\"", &format!("{flags}\"--max-pods\""), 1);
    let report = |format: &str, text: &str| run_with(&["validate", "--format", format, "-"], text.as_bytes());

    let valid: Value = serde_json::from_str(&report("json", &text).stdout).expect("one report on one line");
    assert_eq!(names(&valid), ["file", "findings", "total", "valid"]);
    assert_eq!(valid["findings"].as_array().map(Vec::len), Some(100));
    assert!(valid["total"].as_u64() >= Some(300), "{}", valid["total"]);

    let invalid: Value = serde_json::from_str(&report("json", &wrong).stdout).expect("one report on one line");
    let findings = invalid["findings"].as_array().expect("a list");
    let count = |severity: &str| findings.iter().filter(|finding| finding["severity"] == severity).count();
    assert!(count("error") >= 40 && count("error") + count("warning") == 100, "{invalid}");
    assert!(findings.is_sorted_by_key(|finding| (finding["line"].as_u64(), finding["column"].as_u64())));

    let more = format!("<stdin>: … and {} more\n", invalid["total"].as_u64().expect("a number") - 100);
    assert!(report("text", &wrong).stdout.contains(&more));
    assert!(run_with(&["generate", "--config", "-"], wrong.as_bytes()).stderr.ends_with(&more));
    let more = more.replacen("<stdin>: ", "::notice file=<stdin>::", 1);
    assert!(report("github", &wrong).stdout.ends_with(&more));
    let log: Value = serde_json::from_str(&report("sarif", &wrong).stdout).expect("a log");
    assert_eq!(log["runs"][0]["properties"]["total"], invalid["total"]);
}

#[test]
fn a_file_that_cannot_be_read_is_a_record_beside_those_of_the_others() {
    let run = run_with(&["validate", "--format", "json", "nothing/here.yaml", "-"], SMALL.as_bytes());
    let records: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((run.code, records.len()), (Some(1), 2), "{}", run.stderr);
    assert_eq!((&records[0]["file"], &records[0]["valid"]), (&"nothing/here.yaml".into(), &false.into()));
    assert_eq!(records[0]["findings"][0]["rule"], "unreadable-file");
    assert_eq!(records[1]["valid"], true);
}

#[test]
fn findings_are_printed_for_code_review() {
    let document = b"version: v1\nvm_sisse: 100%\n";
    let run = run_with(&["validate", "--format", "github", "-"], document);
    assert_eq!(run.code, Some(1));
    let command = "::warning file=<stdin>,line=2,col=1,title=unknown-field::vm_sisse: is not a field of Configuration\
                   %0Ahint: did you mean `vm_size`?\n";
    assert!(run.stdout.contains(command), "{}", run.stdout);
    let run = run_with(&["validate", "--format", "sarif", "-", "nothing/here.yaml"], document);
    assert_eq!(run.code, Some(1));
    let log: Value = serde_json::from_str(&run.stdout).expect("one log");
    assert_eq!(log["version"], "2.1.0");
    let (results, rules) = (&log["runs"][0]["results"], &log["runs"][0]["tool"]["driver"]["rules"]);
    let found = results.as_array().expect("a list");
    for result in found {
        let index = usize::try_from(result["ruleIndex"].as_u64().expect("a number")).expect("small");
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    let unknown = found.iter().find(|result| result["ruleId"] == "unknown-field").expect("the unknown field");
    assert_eq!(unknown["level"], "warning");
    assert_eq!(unknown["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    assert!(found.iter().any(|result| result["ruleId"] == "unreadable-file"));
}

#[test]
fn a_batch_keeps_its_order_and_survives_a_bad_line() {
    let small = SMALL.replace('\n', " ");
    let mut input = String::new();
    for line in 0..500 {
        if line == 250 {
            input += "{\"version\": \n\n";
        }
        input += &small.replace("westeurope", &format!("region{line:03}"));
        input.push('\n');
    }
    let run = run_with(&["generate", "--batch", "--config", "-", "--route", "scriptless"], input.as_bytes());
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let results: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON Lines")).collect();
    assert_eq!(results.len(), 501);
    assert_eq!(results[250]["line"], 251);
    assert!(results[250]["error"]["findings"][0]["problem"].as_str().expect("text").contains("syntax"));
    let good = results.iter().filter(|result| result.get("error").is_none());
    for (number, result) in good.enumerate() {
        let mime = STANDARD.decode(result["customData"].as_str().expect("text")).expect("base64");
        let mime = String::from_utf8(mime).expect("text");
        let configuration = mime.lines().find(|line| line.len() > 200).expect("the Configuration is one long line");
        let configuration = String::from_utf8(STANDARD.decode(configuration).expect("base64")).expect("text");
        assert!(configuration.contains(&format!("region{number:03}")), "line {number}");
    }
}

#[test]
fn a_batch_answers_each_line_that_has_come() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"))
        .args(["generate", "--batch", "--config", "-", "--route", "scriptless"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("cargo built it");
    let mut stdin = child.stdin.take().expect("it was piped");
    let mut answers = BufReader::new(child.stdout.take().expect("it was piped"));
    for blank in ["", "\n", " \n\n"] {
        stdin.write_all(format!("{blank}{}\n", SMALL.replace('\n', " ")).as_bytes()).expect("the program reads");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("the program answers");
        assert!(answer.starts_with(r#"{"cse":"#), "{answer}");
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn compression_is_told_when_nobody_asked_for_it() {
    let certificate = "x".repeat(70_000);
    let text = SMALL.replacen('{', &format!("{{\"outbound_command\": \"curl {certificate}\", "), 1);
    let run = run_with(&["generate", "--config", "-"], text.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("gzip"), "{}", run.stderr);
    let result: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let bytes = STANDARD.decode(result["customData"].as_str().expect("text")).expect("base64");
    assert_eq!(bytes[..8], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0], "a gzip head without a time");
    assert_eq!(run_with(&["generate", "--compress", "never", "--config", "-"], text.as_bytes()).code, Some(1));
}

#[test]
fn karpenters_inputs_give_karpenters_script() {
    let inputs =
        "arch: amd64\nsubscription_id: s\nlocation: westeurope\nresource_group: MC_(group)\nkubernetes_version: 1.33.2
api_server_name: demo.example.com\nkubelet_client_tls_bootstrap_token: abcdef.0123456789abcdef\nca_bundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==
subnet_id: /subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/n/subnets/t\n";
    let run = run_with(&["generate", "--karpenter", "-", "--format", "custom-data"], inputs.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let script = String::from_utf8(STANDARD.decode(run.stdout.trim_end()).expect("base64")).expect("text");
    assert!(script.contains("\nRESOURCE_GROUP='MC_(group)'\n"), "{script}");
    assert!(script.contains("\nSUBNET=t\n"));
    let run = run_with(&["generate", "--karpenter", "-"], inputs.replace("1.33.2", "v1.33").as_bytes());
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("<stdin>:5:21: error: kubernetes_version"), "{}", run.stderr);
}

#[test]
fn what_does_not_go_together_is_said() {
    for (arguments, code, message) in [
        (&["generate", "--example", "flatcar", "--os", "flatcar"][..], 1, "use route `scriptless` or route `scripted`"),
        (&["generate", "--example", "flatcar", "--os", "acl", "--no-validate"][..], 1, "use route `scriptless`"),
        (&["generate", "--example", "flatcar", "--os", "beos"][..], 2, "beos"),
        (&["generate", "--example", "flatcar", "--route", "other"][..], 2, "other"),
        (&["generate", "--example", "ubunto-azure-cni"][..], 2, "did you mean `ubuntu-azure-cni`?"),
        (&["generate", "--example", "localdns", "--format", "cse"][..], 2, "has no CSE"),
        (&["generate", "--example", "flatcar", "--format", "files"][..], 2, "--out"),
        (&["generate", "--example", "flatcar", "--custom-data-form", "boothook"][..], 2, "--route scriptless"),
        (&["generate"][..], 2, "--config"),
        (&["env"][..], 2, "--config"),
        (&["generate", "--batch"][..], 2, "--config"),
        (&["frobnicate"][..], 2, "frobnicate"),
        (&["env", "--example", "flatcar", "--frobnicate"][..], 2, "--frobnicate"),
        (
            &[
                "generate",
                "--example",
                "flatcar",
                "--os",
                "flatcar",
                "--route",
                "scriptless",
                "--custom-data-form",
                "boothook",
            ][..],
            1,
            "Ignition reads CustomData there",
        ),
    ] {
        let run = run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(code), ""), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn the_rest_prints_what_it_says() {
    assert!(run(&["generate", "--example", "list"]).stdout.lines().count() >= 10);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(run(&["completions", shell]).stdout.contains("aks-node-controller"), "{shell}");
    }
    assert_eq!(json(&["version", "--format", "json"])["contract"], serde_json::json!(["v1", "v0"]));
    assert_eq!(json(&["schema"])["$schema"], "https://json-schema.org/draft/2020-12/schema");
}

#[test]
fn every_command_has_a_manual_page() {
    let directory = Scratch::new("manual");
    let run_man = run(&["man", "--out", directory.to_str().expect("text")]);
    assert_eq!((run_man.code, run_man.stdout.as_str()), (Some(0), ""), "{}", run_man.stderr);
    let help = run(&["--help"]).stdout;
    let commands = help
        .split("Commands:")
        .nth(1)
        .expect("a list")
        .lines()
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|name| !name.is_empty()));
    let mut pages = vec!["aks-node-controller.1".to_owned()];
    for command in commands.filter(|command| *command != "help") {
        let page = run(&["man", command]).stdout;
        let title = page.lines().find(|line| line.starts_with(".TH ")).expect("a title");
        assert!(title.starts_with(&format!(".TH aks-node-controller-{command} 1")), "{command}: {title}");
        // `man` writes the name on both sides, and the manual between.
        let manual = title.split_whitespace().next_back().expect("a manual");
        let width = 2 * format!("aks-node-controller-{command}(1)").len() + manual.len();
        assert!(width <= 78, "{command}: the first line of the page has no room in 80 columns: {title}");
        pages.push(format!("aks-node-controller-{command}.1"));
    }
    let mut written: Vec<_> = fs::read_dir(&*directory)
        .expect("it was created")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
        .collect();
    written.sort();
    pages.sort();
    assert_eq!(written, pages);
    for (arguments, message) in [
        (&["man", "generat"][..], "there is no command `generat`: did you mean `generate`?"),
        (&["man", "zzz"], "`aks-node-controller --help` lists the commands"),
        (&["man", "env", "--out", "x"], "cannot be used with"),
    ] {
        let run = run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.stderr.contains(message), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_containerd_version_may_have_what_a_package_adds_to_it() {
    let environment = |version: &str| run_with(&["env", "--containerd-version", version, "-"], SMALL.as_bytes());
    for (version, release) in [
        ("1.7.28-ubuntu24.04u1", "1.7.28"),
        ("1.7.28-ubuntu24.04", "1.7.28"),
        ("2.0.0-6.azl3", "2.0.0"),
        ("2.1.4~ds1", "2.1.4"),
        ("v2.0.0+unknown", "2.0.0"),
        ("2.1", "2.1.0"),
        ("", "1.7.28"),
    ] {
        let (packaged, plain) = (environment(version), environment(release));
        assert_eq!((packaged.code, &packaged.stdout), (Some(0), &plain.stdout), "{version}: {}", packaged.stderr);
    }
    assert_ne!(environment("1.7.28").stdout, environment("2.0.0").stdout);
    for version in ["banana", "1.7.28.1", "1.x", " 1.7.28"] {
        let refused = environment(version);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{version}");
        assert!(refused.stderr.contains("must be a version such as `1.7.28`"), "{version}: {}", refused.stderr);
    }
}
