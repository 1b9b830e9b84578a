//! `generate --route scriptless` for a NodeBootstrappingConfiguration: files for the node's controller.

use serde_json::{Value, json};

use super::{SMALL, json as printed, run_with};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/nbc/ubuntu-24-04.json");

fn request() -> Value {
    serde_json::from_str(&std::fs::read_to_string(FILE).expect("the request is there")).expect("JSON")
}

/// Text that gzip cannot shorten much.
fn noise(length: usize) -> String {
    let mut state = 88_172_645_463_325_252_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[(state % 64) as usize])
    };
    std::iter::repeat_with(next).take(length).collect()
}

#[test]
fn every_format_carries_both_parts() {
    for (secrets, location) in [("auto", "custom-data"), ("protected-settings", "protected-settings")] {
        let arguments = ["generate", "--nbc", FILE, "--route", "scriptless", "--secrets", secrets, "--format"];
        let whole = printed(&[&arguments[..], &["json"]].concat());
        assert_eq!((&whole["route"], &whole["secrets"]), (&"scriptless".into(), &location.into()));
        let arm = printed(&[&arguments[..], &["arm"]].concat());
        assert_eq!(arm["osProfile"]["customData"], whole["customData"]);
        let extension = &arm["extensionProfile"]["extensions"][0]["properties"];
        assert_eq!(extension["protectedSettings"]["commandToExecute"], whole["cse"]);
        assert_eq!(extension["settings"], json!({}));
        let terraform = printed(&[&arguments[..], &["terraform"]].concat());
        assert_eq!((&terraform["customData"], &terraform["cse"]), (&whole["customData"], &whole["cse"]));
        let is_protected = location == "protected-settings";
        assert_eq!(whole["cse"].as_str().expect("text").starts_with("echo '"), is_protected);
        let az = run_with(&[&arguments[..], &["az"]].concat(), b"");
        assert!(az.code == Some(0) && az.stdout.starts_with("#cloud-boothook\n"), "{}", az.stderr);
    }
}

#[test]
fn explain_knows_what_a_machine_is_created_with() {
    for (format, kind) in [("json", "result of generate"), ("custom-data", "boothook"), ("cse", "CSE command")] {
        let arguments =
            ["generate", "--nbc", FILE, "--route", "scriptless", "--secrets", "protected-settings", "--format", format];
        let made = run_with(&arguments, b"").stdout;
        let explained = run_with(&["explain", "-"], made.as_bytes());
        assert_eq!(explained.code, Some(1));
        assert!(
            explained.stderr.contains(&format!("<stdin> ({kind}) is the input of a node, not the text of a failure")),
            "{}",
            explained.stderr
        );
        assert!(explained.stderr.contains("aks-node-controller inspect"), "{}", explained.stderr);
    }
}

#[test]
fn a_batch_says_where_secrets_are_and_which_lines_become_images() {
    let mut protected = request();
    protected["ScriptlessCSEProvisionMode"] = true.into();
    let mut image = request();
    image["PreProvisionOnly"] = true.into();
    let configuration: Value = serde_json::from_str(SMALL).expect("JSON");
    let lines = [request(), protected, image, configuration].map(|line| line.to_string() + "\n").concat();
    let made = run_with(&["generate", "--batch", "--route", "scriptless", "-"], lines.as_bytes());
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let results: Vec<Value> = made.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let members = |name: &str| results.iter().map(|one| one[name].as_str()).collect::<Vec<_>>();
    assert_eq!(members("secrets"), [Some("custom-data"), Some("protected-settings"), None, None]);
    assert_eq!(members("route"), ["scriptless", "scriptless", "scripted", "scriptless"].map(Some));
    assert_eq!(
        made.stderr,
        "line 3: note: the document prepares an image, so the result is that of route `scripted`\n"
    );
}

#[test]
fn a_result_over_a_limit_names_its_largest_fields() {
    let mut long_features = request();
    long_features["EnabledFeatures"] = json!({"LARGEST": noise(90_000), "SECOND": noise(20_000), "SMALL": "a"});
    let mut long_command = request();
    long_command["AgentPoolProfile"]["customNodeLabels"] = json!({});
    long_command["AKSNodeConfigJSON"] = noise(120_000).into();
    long_command["ContainerService"]["properties"]["linuxProfile"] = json!({"adminUsername": noise(40_000)});
    for (request, artefact, largest, not) in [
        (long_features, "CustomData is", ["feature LARGEST", "feature SECOND"], "ADMINUSER"),
        (long_command, "the CSE command is", ["AKSNodeConfigJSON", "ADMINUSER"], "feature"),
    ] {
        for secrets in ["auto", "protected-settings"] {
            let arguments = ["generate", "--route", "scriptless", "--secrets", secrets, "--no-validate", "--nbc", "-"];
            let refused = run_with(&arguments, request.to_string().as_bytes());
            assert_eq!((refused.code, &*refused.stdout), (Some(1), ""), "{}", refused.stderr);
            let (_, list) = refused.stderr.split_once(artefact).expect("it names what is too long");
            let lines: Vec<_> = list.lines().skip(1).map(str::trim_start).collect();
            for (line, name) in lines.iter().zip(largest) {
                assert!(line.ends_with(name), "{}", refused.stderr);
            }
            assert!(!list.contains(not), "it is in the other part: {list}");
        }
    }
}
