//! `--layer`, `--set` and `--set-file`: what is merged over a document, and where its findings are.

use std::fs;

use serde_json::Value;

use super::{Run, run, run_with};
use crate::support::Scratch;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/examples/ubuntu-azure-cni.yaml");

/// Writes files and returns their paths.
fn files(directory: &Scratch, contents: &[(&str, &str)]) -> Vec<String> {
    let write = |(name, content): &(&str, &str)| {
        let path = directory.join(name);
        fs::write(&path, content).expect("scratch is writable");
        path.to_str().expect("it is text").to_owned()
    };
    contents.iter().map(write).collect()
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr))
}

#[test]
fn later_layers_replace_earlier_ones_and_set_comes_last() {
    let directory = Scratch::new("layers");
    let paths = files(
        &directory,
        &[
            (
                "a.yaml",
                "vmSize: Standard_D8s_v5\ncustom_ca_certs: [a]\nkubelet_config:\n  kubelet_flags: {--max-pods: '50'}\n",
            ),
            (
                "b.json",
                r#"{"custom_ca_certs": null, "kubeletConfig": {"kubeletFlags": {"--max-pods": "60", "--event-qps": null}}}"#,
            ),
            ("motd", "SGVsbG8K\n"),
        ],
    );
    let motd = format!("message_of_the_day={}", paths[2]);
    let merged = run(&[
        "convert",
        EXAMPLE,
        "--layer",
        &paths[0],
        "--layer",
        &paths[1],
        "--set",
        "kubelet_config.kubelet_flags.--max-pods=70",
        "--set",
        "cse_timeout=1200",
        "--set-file",
        &motd,
    ]);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    let merged = json(&merged);
    let mut expected = json(&run(&["convert", EXAMPLE]));
    expected["vm_size"] = "Standard_D8s_v5".into();
    expected["kubelet_config"]["kubelet_flags"]["--max-pods"] = "70".into();
    expected["kubelet_config"]["kubelet_flags"].as_object_mut().expect("flags").remove("--event-qps");
    expected["cse_timeout"] = 1200.into();
    expected["message_of_the_day"] = "SGVsbG8K".into();
    assert_eq!(merged, expected);
    for (arguments, wanted) in [
        (&["env", EXAMPLE, "--set", "cluster_config.location=northeurope"][..], "LOCATION=northeurope\n"),
        (&["generate", EXAMPLE, "--set", "kubernetes_version=1.33.6", "--format", "json"], "\"route\""),
        (&["generate", "--example", "flatcar", "--route", "scriptless", "--set", "is_vhd=true"], "\"route\""),
    ] {
        let run = run(arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains(wanted), "{}", run.stdout);
    }
}

#[test]
fn a_finding_names_the_file_and_the_line_that_its_value_is_from() {
    let directory = Scratch::new("layer-findings");
    let paths = files(
        &directory,
        &[
            ("a.yaml", "# a layer\nkubernetes_version: '1.33'\nunknown_thing: 1\n"),
            ("b.yaml", "vm_size: 1\n"),
            ("c.yaml", "vm_size: a\nvm_size: b\n"),
            ("d.yaml", "vm_size: [\n"),
        ],
    );
    let text = run(&["validate", EXAMPLE, "--layer", &paths[0], "--set", "vm_size=D4s"]);
    assert_eq!(text.code, Some(1));
    for part in [
        "a.yaml:2:21: error: kubernetes_version",
        "a.yaml:3:1: warning: unknown_thing",
        "--set vm_size: error: vm_size",
    ] {
        assert!(text.stdout.contains(part), "{part}: {}", text.stdout);
    }
    assert!(text.stdout.ends_with("ubuntu-azure-cni.yaml: not valid\n"), "{}", text.stdout);
    let report = json(&run(&["validate", "--format", "json", EXAMPLE, "--layer", &paths[0]]));
    let findings = report["findings"].as_array().expect("it is a list");
    let version = findings.iter().find(|finding| finding["path"] == "kubernetes_version").expect("it is found");
    assert_eq!(version["line"], 2);
    assert!(version["file"].as_str().expect("a file").ends_with("a.yaml"));
    for (path, part) in [(&paths[1], "b.yaml:1:10"), (&paths[2], "c.yaml:2:1"), (&paths[3], "d.yaml:")] {
        for command in ["validate", "generate", "env", "convert"] {
            let run = run(&[command, EXAMPLE, "--layer", path]);
            assert_eq!(run.code, Some(1), "{command} {path}");
            assert!((run.stdout + &run.stderr).contains(part), "{command} {path}");
        }
    }
}

#[test]
fn layers_need_a_configuration() {
    for kind in ["nbc/ubuntu.json", "new/cilium.json"] {
        let path = format!("{}/testdata/{kind}", env!("CARGO_MANIFEST_DIR"));
        let run = run(&["generate", &path, "--set", "vm_size=Standard_D4s_v5"]);
        assert_eq!(run.code, Some(1), "{kind}");
        assert!(run.stderr.contains("is not a Configuration"), "{}", run.stderr);
    }
    for (kind, title) in [
        ("nbc/ubuntu.json", "is a NodeBootstrappingConfiguration, not a partial Configuration"),
        ("karpenter/node_class.yaml", "is an AKSNodeClass, not a partial Configuration"),
        ("new/cilium.json", "is a managed cluster as `az aks show` prints it, not a partial Configuration"),
    ] {
        let path = format!("{}/testdata/{kind}", env!("CARGO_MANIFEST_DIR"));
        let run = run(&["generate", EXAMPLE, "--layer", &path]);
        assert!(run.code == Some(1) && run.stderr.contains(title), "{kind}: {}", run.stderr);
    }
    let directory = Scratch::new("layers-shared-members");
    let paths = files(&directory, &[("shared.yaml", "kubernetes_version: 1.34.2\nlocation: westeurope\n")]);
    let run_shared = run(&["validate", EXAMPLE, "--layer", &paths[0]]);
    assert!(!run_shared.stdout.contains("not a partial Configuration"), "{}", run_shared.stdout);
    assert_eq!(run(&["generate", EXAMPLE, "--set", "no_field=1"]).code, Some(2));
    assert_eq!(run_with(&["generate", "--batch", "--set", "vm_size=x", "-"], b"").code, Some(2));
}

/// One call with several layers means the same as one call after another.
#[test]
fn layers_can_be_merged_one_after_another() {
    let directory = Scratch::new("layers-in-turn");
    let paths = files(
        &directory,
        &[
            ("a.yaml", "vm_size: Standard_D8s_v5\nkubelet_config: {kubelet_node_labels: {a: '1', agentpool: null}}\n"),
            ("b.yaml", "kubeletConfig: {kubelet_node_labels: {a: '2', b: '3'}}\ncluster_config: null\n"),
            ("c.yaml", "clusterConfig: {location: westeurope}\n"),
        ],
    );
    let at_once = run(&["convert", EXAMPLE, "--layer", &paths[0], "--layer", &paths[1], "--layer", &paths[2]]);
    let mut document = fs::read(EXAMPLE).expect("it is there");
    for path in &paths {
        let run = run_with(&["convert", "-", "--layer", path], &document);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        document = run.stdout.into_bytes();
    }
    assert_eq!(String::from_utf8_lossy(&document), at_once.stdout);
}

#[test]
fn the_source_of_a_variable_is_the_last_file_that_has_its_field() {
    let directory = Scratch::new("layer-sources");
    let contents = [
        (
            "a.yaml",
            "# a layer\ncluster_config:\n  location: northeurope\nkubelet_config:\n  kubelet_flags: {--max-pods: '50'}\n",
        ),
        ("b.json", r#"{"kubernetesVersion": "1.33.5"}"#),
    ];
    let paths = files(&directory, &contents);
    let explained = |name: &str, more: &[&str]| {
        let layers =
            ["env", EXAMPLE, "--layer", &paths[0], "--layer", &paths[1], "--explain", name, "--format", "json"];
        json(&run(&[&layers[..], more].concat()))["places"].clone()
    };
    let place = |value: &Value| value.as_str().expect("a place").to_owned();
    assert!(place(&explained("LOCATION", &[])[0]).ends_with("/a.yaml:3:13"), "{}", explained("LOCATION", &[]));
    assert_eq!(
        explained("LOCATION", &["--set", "cluster_config.location=uksouth"])[0],
        "--set cluster_config.location"
    );
    let flags = explained("KUBELET_FLAGS", &[]);
    assert!(
        place(&flags[0]).contains("ubuntu-azure-cni.yaml:") && place(&flags[0]).ends_with("/a.yaml:5:18"),
        "{flags}"
    );
    assert!(place(&flags[1]).ends_with("/b.json:1:23"), "{flags}");
    assert!(explained("ADMINUSER", &[])[0].as_str().is_none_or(|place| place.contains("ubuntu-azure-cni.yaml:")));
}

#[test]
fn a_variable_of_one_file_has_its_place_there() {
    let directory = Scratch::new("place-of-one");
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/examples/ubuntu-azure-cni.yaml"));
    let text = format!("# a file\n{}", text.expect("it is there"));
    let line = text.lines().position(|line| line.trim().starts_with("location:")).expect("it is there") + 1;
    let paths = files(&directory, &[("node.yaml", &text)]);
    let explained = json(&run(&["env", &paths[0], "--explain", "LOCATION", "--format", "json"]));
    let place = format!("{}:{line}:", paths[0]);
    assert!(explained["places"][0].as_str().is_some_and(|found| found.starts_with(&place)), "{explained}");
    let shown = run(&["env", &paths[0], "--explain", "LOCATION"]).stdout;
    assert!(shown.contains(&format!("cluster_config.location ({place}")), "{shown}");
    // An example is no file of the user.
    let explained = json(&run(&["env", "--example", "a100-mig", "--explain", "LOCATION", "--format", "json"]));
    assert_eq!(explained.get("places"), None);
}

#[test]
fn set_reaches_into_maps_of_messages() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/examples/localdns.yaml");
    let zone = r#"local_dns_profile.vnet_dns_overrides["cluster.local"]"#;
    let mut expected = json(&run(&["convert", example]));
    expected["local_dns_profile"]["vnet_dns_overrides"]["cluster.local"]["max_concurrent"] = 7.into();
    expected["custom_ca_certs"] = serde_json::json!(["a", "b"]);
    let number = format!("{zone}.max_concurrent=7");
    let merged = run(&["convert", example, "--set", &number, "--set", r#"custom_ca_certs=["a","b"]"#]);
    assert_eq!(json(&merged), expected, "{}", merged.stderr);

    let wrong = format!("{zone}.protocol=TCP");
    let verdict = run(&["validate", example, "--set", &wrong]);
    assert!(
        verdict.stdout.contains(&format!("--set {zone}.protocol: warning: {zone}.protocol: ")),
        "{}",
        verdict.stdout
    );
    let unknown = run(&["convert", example, "--set", &format!("{zone}.protocl=TCP")]);
    assert!(unknown.stderr.contains("did you mean `protocol`?"), "{}", unknown.stderr);
}

#[test]
fn a_file_for_set_file_can_come_from_windows() {
    let directory = Scratch::new("layers-windows");
    let token = "abcdef.0123456789abcdef";
    let utf_16 = format!("\u{feff}{token}\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, bytes) in [("crlf", format!("\u{feff}{token}\r\n").into_bytes()), ("utf-16", utf_16)] {
        let path = directory.join(name);
        fs::write(&path, bytes).expect("scratch is writable");
        let set = format!("bootstrapping_config.tls_bootstrapping_token={}", path.display());
        let merged = run(&["convert", EXAMPLE, "--set-file", &set]);
        assert_eq!(json(&merged)["bootstrapping_config"]["tls_bootstrapping_token"], token, "{name}");
    }
    let binary = directory.join("binary");
    fs::write(&binary, [0, 1, 0xff]).expect("scratch is writable");
    let run = run(&["convert", EXAMPLE, "--set-file", &format!("message_of_the_day={}", binary.display())]);
    assert!(run.code == Some(1) && run.stderr.contains("base64 -w 0"), "{}", run.stderr);
}

#[test]
fn a_finding_names_the_option_that_set_the_value() {
    let directory = Scratch::new("layers-option");
    let path = directory.join("answer");
    fs::write(&path, "yes\n").expect("scratch is writable");
    let set_file = format!("is_vhd={}", path.display());
    for (option, value, finding) in [
        ("--set", "is_vhd=yes", "--set is_vhd: error: "),
        ("--set-file", set_file.as_str(), "--set-file is_vhd: error: "),
    ] {
        let run = run(&["convert", EXAMPLE, option, value]);
        assert!(run.stderr.lines().any(|line| line.starts_with(finding)), "{finding}: {}", run.stderr);
    }
}

/// As `--set vm_size=$SIZE` is if the shell has no such variable.
#[test]
fn a_set_without_a_value_is_noted() {
    let note = "note: --set vm_size=: an empty text leaves the field unset";
    for command in ["validate", "convert", "env"] {
        let run = run(&[command, EXAMPLE, "--set", "vm_size="]);
        assert!(run.stderr.contains(note), "{command}: {}", run.stderr);
    }
    // A label can have an empty value.
    let run = run(&["validate", EXAMPLE, "--set", "kubelet_config.kubelet_node_labels.team="]);
    assert!(!run.stderr.contains("an empty text"), "{}", run.stderr);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
}
