//! `difference`: what means the same is equal, what does not is named.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use aks_node_controller::catalogue::operating_systems::operating_system;
use aks_node_controller::configuration::{Configuration, Message, SlotMut};
use aks_node_controller::delivery::{Form, Request, Route};
use aks_node_controller::difference::{Differences, FileChange, Part, Rules, diff};
use aks_node_controller::environment::ImageContents;
use aks_node_controller::inputs::{Checks, Input, Reading};
use aks_node_controller::inspection::{Inspection, inspect};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{gzip, needs};

mod records;
mod vectors;

fn inspected(bytes: impl AsRef<[u8]>) -> Inspection {
    inspect(bytes.as_ref(), &ImageContents::default())
}

/// What differs between two texts, and that it is the same the other way round.
fn differences(a: impl AsRef<[u8]>, b: impl AsRef<[u8]>) -> Differences {
    both(&inspected(a), &inspected(b))
}

fn both(a: &Inspection, b: &Inspection) -> Differences {
    let found = diff(a, b, Rules::Meaning);
    assert_eq!(diff(b, a, Rules::Meaning).mirrored(), found);
    found
}

#[track_caller]
fn assert_equal(a: impl AsRef<[u8]>, b: impl AsRef<[u8]>) {
    let found = differences(a, b);
    assert!(found.is_empty(), "{:#}", found.to_json(false));
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/examples").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read(document: &str) -> Input {
    let reading = Reading::new(None, document.as_bytes(), &Checks::default());
    reading.input.unwrap_or_else(|| panic!("{}", reading.report))
}

/// What `generate` prints for a document.
fn generated(document: &str, route: Route) -> Value {
    let request = Request { route, ..Request::default() };
    request.render(&read(document)).unwrap_or_else(|error| panic!("{error}")).to_json()
}

/// Every input of the test data, as text.
fn inputs() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for directory in ["examples", "nbc", "karpenter"] {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(directory);
        for entry in fs::read_dir(directory).expect("the test data is there") {
            let path = entry.expect("a readable entry").path();
            let text = fs::read_to_string(&path).expect("text");
            if Reading::new(None, text.as_bytes(), &Checks::default()).input.is_some() {
                found.push((path.file_name().expect("a name").to_string_lossy().into_owned(), text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 15, "{}", found.len());
    found
}

/// Every input with each rendering of it.
fn renderings() -> Vec<(String, Inspection)> {
    let mut found = Vec::new();
    for (name, text) in inputs() {
        let input = read(&text);
        for route in Route::ALL {
            for (os, form) in [("ubuntu", None), ("ubuntu", Some(Form::WriteFiles)), ("flatcar", None)] {
                let os = operating_system(os).expect("a known system");
                let is_other_form = form.is_some() && route != Route::Scriptless;
                let Ok(delivery) = (Request { route, os, form, ..Request::default() }).render(&input) else { continue };
                if !is_other_form {
                    let name = format!("{name} {} {} {form:?}", route.name(), os.name);
                    found.push((name, inspected(delivery.to_json().to_string())));
                }
            }
        }
        found.push((name, inspected(text)));
    }
    found
}

#[test]
fn nothing_differs_from_itself_and_both_directions_say_the_same() {
    let all = renderings();
    assert!(all.len() > 80, "{}", all.len());
    for (at, (name, side)) in all.iter().enumerate() {
        let found = diff(side, side, Rules::Meaning);
        assert!(found.is_empty() && found.skipped.is_empty(), "{name}: {:#}", found.to_json(false));
        assert!(diff(side, side, Rules::Reference).is_empty(), "{name}");
        // Neighbours are other routes of the same input, or another input.
        let (_, other) = &all[(at + 1 + at % 7) % all.len()];
        both(side, other);
    }
}

#[test]
fn a_rendering_means_the_same_as_its_configuration() {
    for (name, text) in inputs() {
        let Input::Configuration(configuration) = read(&text) else { continue };
        for route in [Route::Scriptless, Route::NodeBootstrapVariables] {
            let Ok(delivery) = (Request { route, ..Request::default() }).render(&*configuration) else { continue };
            let image = Request::default().image;
            let (a, b) = (inspect(text.as_bytes(), &image), inspect(delivery.to_json().to_string().as_bytes(), &image));
            let found = both(&a, &b);
            assert!(found.is_empty(), "{name} {route:?}: {:#}", found.to_json(false));
            assert!(found.is_comparison() && !found.skipped.contains(&Part::Variables));
        }
    }
}

#[test]
fn notation_does_not_count() {
    let yaml = example("ubuntu-azure-cni.yaml");
    let Input::Configuration(configuration) = read(&yaml) else { panic!("it is a Configuration") };
    let value: Value = serde_json::from_str(&configuration.to_json()).expect("JSON");
    assert_equal(&yaml, configuration.to_json());
    assert_equal(&yaml, value.to_string());
    assert_equal(&yaml, format!("# comment\n{}", yaml.replace('\n', "\r\n")));

    // The same document with its members in another order, in CustomData.
    let document = |content: &str| {
        format!(
            "#cloud-config\nwrite_files:\n- path: /opt/azure/containers/aks-node-controller-config.json\n  permissions: \"0600\"\n  content: {}\n",
            serde_json::to_string(content).expect("JSON")
        )
    };
    let reversed = |value: &Value| {
        let members = value.as_object().expect("an object").iter().rev();
        let members: Vec<_> = members.map(|(name, value)| format!("{}: {value}", Value::from(name.as_str()))).collect();
        format!("{{ {} }}", members.join(",\n"))
    };
    assert_equal(document(&configuration.to_json()), document(&reversed(&value)));
    // Members that the contract does not know count all the same.
    let unknown = reversed(&value).replacen('{', "{\"newer\": 1,", 1);
    let found = differences(document(&unknown), document(&unknown.replacen("\"newer\": 1", "\"newer\": 2", 1)));
    assert_eq!(found.files.len(), 1);
    assert_eq!(found.files[0].details[0].place.to_string(), "newer");
}

#[test]
fn encodings_do_not_count() {
    for route in Route::ALL {
        let document = generated(&example("localdns.yaml"), route);
        let encoded = document["customData"].as_str().expect("text");
        let plain = STANDARD.decode(encoded).expect("base64");
        let lines: Vec<u8> = encoded.as_bytes().chunks(76).flat_map(|line| [line, b"\n"].concat()).collect();
        for other in [plain.clone(), gzip(&plain), STANDARD.encode(gzip(&plain)).into_bytes(), lines] {
            assert_equal(encoded, other);
        }
    }
    let file = |encoding: &str, content: &str| {
        format!("#cloud-config\nwrite_files:\n- {{path: /etc/x.json, encoding: {encoding}, content: '{content}'}}\n")
    };
    let json = r#"{"a": [1, 2], "b": {}}"#;
    let other = "{\"b\":{},\n \"a\":[1,2]}";
    assert_equal(file("text/plain", json), file("b64", &STANDARD.encode(other)));
    assert_equal(file("b64", &STANDARD.encode(json)), file("gz+b64", &STANDARD.encode(gzip(other.as_bytes()))));
}

/// A script that sets one variable.
fn script(name: &str, value: &str) -> String {
    format!(
        "#!/bin/bash\nLOCATION=x\n{name}='{value}'\n/usr/bin/nohup /bin/bash -c \"/bin/bash /opt/azure/containers/provision_start.sh\"\n"
    )
}

#[test]
fn payloads_are_compared_by_what_they_are() {
    let cases = [
        (
            "CONTAINERD_CONFIG_CONTENT",
            "version = 2\n[a]\n b = [1, 2] # c\n",
            "version=2\na.b=[1,2]",
            "version = 2\na.b = [1, 3]",
            "a.b[1]",
        ),
        (
            "KUBELET_CONFIG_FILE_CONTENT",
            r#"{"kind":"K","evictionHard":{"memory.available":"1Mi"}}"#,
            r#"{ "evictionHard": {"memory.available": "1Mi"}, "kind": "K" }"#,
            r#"{"kind":"K","evictionHard":{"memory.available":"2Mi"}}"#,
            r#"evictionHard["memory.available"]"#,
        ),
        ("SYSCTL_CONTENT", "a.b=1\nc=2\n", "# x\nc = 2\na.b=1", "a.b=1\nc=3\n", "c"),
        (
            "LOCALDNS_COREFILE_BASE",
            ".:53 {\n  log\n  bind 1.1.1.1\n}\n",
            ".:53 {\n bind 1.1.1.1\n\tlog\n}",
            ".:53 {\n  log\n  bind 1.1.1.2\n}",
            ".:53 > bind",
        ),
        ("KUBE_CA_CRT", "-----BEGIN\nAAA\n", "-----BEGIN\nAAA", "-----BEGIN\nAAB\n", "line 2"),
        (
            "SOMETHING_NEW",
            r#"{"some": ["thing", "longer"]}"#,
            r#"{ "some" : ["thing", "longer"]}"#,
            r#"{"some": ["thing", "other"]}"#,
            "some[1]",
        ),
    ];
    for (name, one, same, other, place) in cases {
        let script = |text: &str| script(name, &STANDARD.encode(text));
        assert_equal(script(one), script(same));
        let found = differences(script(one), script(other));
        let places: Vec<_> = found.variables[0].details.iter().map(|detail| detail.place.to_string()).collect();
        assert_eq!((found.variables.len(), &*found.variables[0].name, places), (1, name, vec![place.to_owned()]));
        // What a script decodes is not what it finds in another encoding.
        let packed = self::script(name, &STANDARD.encode(gzip(one.as_bytes())));
        let found = differences(script(one), packed);
        assert_eq!(found.variables[0].details[0].place.to_string(), "encoding", "{name}");
    }
    let plain = [
        (
            "KUBELET_FLAGS",
            "--a=1 --eviction-hard=memory.available<1Mi,nodefs.available<2Mi",
            "--eviction-hard=nodefs.available<2Mi,memory.available<1Mi --a=1",
        ),
        ("KUBELET_NODE_LABELS", "a=1,b=2", "b=2,a=1"),
    ];
    for (name, one, same) in plain {
        assert_equal(script(name, one), script(name, same));
        assert_eq!(differences(script(name, one), script(name, &same.replace('1', "3"))).variables.len(), 1);
    }
    // Order has a meaning where none is known.
    assert_eq!(differences(script("NO_PROXY_URLS", "a,b"), script("NO_PROXY_URLS", "b,a")).variables.len(), 1);
}

#[test]
fn files_differ_in_content_mode_and_owner() {
    let files = |lines: &str| format!("#cloud-config\nwrite_files:\n{lines}");
    let a = files(
        "- {path: /a, content: x}\n- {path: /b, permissions: '0644', content: x}\n- {path: /c, owner: root, content: x}\n- {path: /e.service, content: \"[S]\\nA=1\\nB=2\"}\n",
    );
    let b = files(
        "- {path: /b, permissions: '0600', content: y}\n- {path: /c, owner: 'nobody:nogroup', content: x}\n- {path: /d, content: x}\n- {path: /e.service, content: \"[S]\\nB=2\\nA=1\\n\"}\n",
    );
    let found = differences(a, b);
    let changes: Vec<_> = found.files.iter().map(|file| (file.path.as_str(), file.change)).collect();
    let expected = [
        ("/a", FileChange::Removed),
        ("/b", FileChange::Content),
        ("/b", FileChange::Mode),
        ("/c", FileChange::Owner),
        ("/d", FileChange::Added),
    ];
    assert_eq!(changes, expected);
    // Only root may read one of them.
    let content = &found.to_json(false)["files"][1]["details"][0];
    assert_eq!(content, &json!({"path": "line 1", "a": "[redacted]", "b": "[redacted]", "secret": true}));
    // What cloud-init does by default is not a difference.
    assert_equal(
        files("- {path: /a, content: x}\n"),
        files("- {path: /a, content: x, owner: 'root:root', permissions: '0644'}\n"),
    );
}

#[test]
fn what_runs_and_what_else_is_in_a_document_counts() {
    let config = |text: &str| format!("#cloud-config\nwrite_files: [{{path: /a, content: x}}]\n{text}");
    let found = differences(config("runcmd: [a, b]\n"), config("runcmd: [c, a, b]\n"));
    assert_eq!(found.to_json(false)["runs"], json!([{"path": "runs[0]", "a": null, "b": "runcmd: c"}]));
    let found = differences(config("mounts: [[a, b]]\n"), config("mounts: [[a, c]]\n"));
    assert_eq!(found.documents[0].details[0].place.to_string(), "mounts[0][1]");
    assert_equal(config("a: {b: 1, c: 2}\n"), config("# x\na:\n  c: 2\n  b: 1\n"));

    let command =
        |text: &str| format!("A=1 B='2' /usr/bin/nohup /bin/bash {text} /opt/azure/containers/provision_start.sh");
    let found = differences(command("-x"), command("-y"));
    assert_eq!(found.to_json(false)["command"], json!([{"path": "word 3", "a": "-x", "b": "-y"}]));
    assert!(found.variables.is_empty());
    assert_equal(
        "A=1 B=2 x /opt/azure/containers/provision_start.sh",
        "B='2'  A=\"1\" x /opt/azure/containers/provision_start.sh",
    );

    let found = differences(script("A", "1"), script("A", "1").replace("nohup", "setsid"));
    assert_eq!((found.documents.len(), &*found.documents[0].name), (1, "bootstrap.sh"));
    // The same text means something else where a shell expands it.
    let found = differences(script("A", "$(id)"), script("A", "$(id)").replace('\'', "\""));
    assert!(!found.is_empty());

    let ignition = |rest: &str| {
        format!(
            r#"{{"ignition": {{"version": "3.4.0"}}, "storage": {{"files": []}}, "systemd": {{"units": [{{"name": "a.service", "enabled": {rest}}}]}}}}"#
        )
    };
    let found = differences(ignition("true"), ignition("false"));
    assert_eq!(found.documents[0].details[0].place.to_string(), "systemd.units[0].enabled");
}

#[test]
fn what_one_side_cannot_have_is_not_compared() {
    let yaml = example("ubuntu-azure-cni.yaml");
    let delivery = generated(&yaml, Route::Scripted);
    let command = delivery["cse"].as_str().expect("text");
    let custom_data = delivery["customData"].as_str().expect("text");
    let skipped = |a: &str, b: &str| differences(a, b).skipped;
    let delivery = delivery.to_string();
    assert_eq!(skipped(&delivery, &delivery), []);
    assert_eq!(skipped(&delivery, command), [Part::Files, Part::Runs, Part::Documents]);
    assert_eq!(skipped(&delivery, custom_data), [Part::Variables, Part::Command]);
    let of_configuration = [Part::Files, Part::Configuration, Part::Command, Part::Runs, Part::Documents];
    assert_eq!(skipped(&yaml, command), of_configuration);
    assert!(differences(&delivery, command).is_empty() && differences(&delivery, custom_data).is_empty());
    let found = differences(command, custom_data);
    assert!(!found.is_comparison());
}

#[test]
fn two_images_of_one_request_differ() {
    let nbc =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/nbc/ubuntu.json")).expect("it is there");
    let mut other: Value = serde_json::from_str(&nbc).expect("JSON");
    other["AgentPoolProfile"]["distro"] = "aks-azurelinux-v3-gen2".into();
    let found = differences(&nbc, other.to_string());
    assert!(found.configuration.iter().any(|detail| detail.place.to_string() == "operating system of the image"));
}

const CANARIES: [&str; 2] = ["canary.0123456789canary", "canary.9876543210canary"];

/// Puts a canary into every secret field.
fn plant(message: &mut dyn Message, canary: &str) {
    for (index, field) in message.descriptor().fields.iter().enumerate() {
        match message.slot_mut(index) {
            SlotMut::Text(slot) if field.secret => canary.clone_into(slot),
            SlotMut::OptionalText(slot) if field.secret => *slot = Some(canary.to_owned()),
            SlotMut::Message(inner) => plant(inner, canary),
            _ => {}
        }
    }
}

#[test]
fn words_are_secret_where_another_line_or_name_says_so() {
    const CONFIG: &str = "#cloud-config\nruncmd:\n- [echo, hi]\n";
    const SCRIPT: &str = "#!/bin/bash\nQ=1\n";
    for (begin, line) in [
        (CONFIG, "password: ¤"),
        (CONFIG, "users:\n- name: bob\n  plain_text_passwd: ¤"),
        (CONFIG, "wifi: {psk: ¤}"),
        (CONFIG, "env:\n- name: DB_PASSWORD\n  value: ¤"),
        (SCRIPT, "DB_PASS=¤ ./a"),
        (SCRIPT, "- name: DB_PASSWORD\n  value: >-\n    ¤"),
        (SCRIPT, "password = \"b0b\" +\n  \"¤\""),
        (SCRIPT, "sudo: bob : TTY=a ; COMMAND=/usr/bin/mysql -u root -p¤"),
    ] {
        let sides = ["marlinquay", "xylophonist"].map(|word| format!("{begin}{}\n", line.replace("¤", word)));
        for other in [sides[1].clone(), format!("{begin}B: 2\n")] {
            let found = diff(&inspected(&sides[0]), &inspected(&other), Rules::Meaning);
            let shown = format!("{found:?} {}", found.to_json(false));
            assert!(!shown.contains("marlin") && !shown.contains("xylo") && !found.is_empty(), "{line}: {shown}");
        }
    }
    let found = differences(format!("{CONFIG}app: {{name: a, value: visible}}"), format!("{CONFIG}app: {{name: a}}"));
    assert!(found.to_json(false).to_string().contains("visible"));
}

#[test]
fn secrets_are_compared_and_never_shown() {
    let document = |canary: &str| {
        let mut configuration = Configuration::default();
        if let Input::Configuration(found) = read(&example("http-proxy-own-ca.yaml")) {
            configuration = *found;
        }
        plant(&mut configuration, canary);
        configuration.to_json()
    };
    let documents = CANARIES.map(document);
    let secrets: Vec<String> = CANARIES
        .iter()
        .flat_map(|canary| [(*canary).to_owned(), STANDARD.encode(canary).trim_end_matches('=').to_owned()])
        .chain(["canary".to_owned()])
        .collect();
    let mut pairs: Vec<[String; 2]> = vec![documents.clone()];
    for route in Route::ALL {
        pairs.push(documents.each_ref().map(|document| generated(document, route).to_string()));
        pairs.push(documents.each_ref().map(|document| {
            let encoded = generated(document, route)["customData"].as_str().expect("text").to_owned();
            String::from_utf8(STANDARD.decode(&encoded).expect("base64")).unwrap_or(encoded)
        }));
    }
    // Each secret on its own, and whole files that are secret.
    let kubeconfig = |token: &str, mode: &str| {
        format!(
            "#cloud-config\nwrite_files:\n- {{path: /var/lib/kubelet/bootstrap-kubeconfig, permissions: '{mode}', content: \"users:\\n- user: {{token: {token}}}\"}}\n"
        )
    };
    pairs.push(CANARIES.map(|canary| kubeconfig(canary, "0644")));
    pairs.push(CANARIES.map(|canary| script("TLS_BOOTSTRAP_TOKEN", canary)));
    pairs.push(CANARIES.map(|canary| script("ANY_OTHER_PASSWORD", canary)));
    let settings = |path: &str, content: String| {
        format!("#cloud-config\nwrite_files:\n- {{path: {path}, content: '{content}'}}\n")
    };
    pairs.push(CANARIES.map(|canary| settings("/etc/a.json", format!(r#"{{"aadClientSecret": "{canary}"}}"#))));
    pairs.push(CANARIES.map(|canary| settings("/etc/default/a", format!("DB_PASSWORD={canary}"))));
    pairs.push(CANARIES.map(|canary| script("SERVICE_PRINCIPAL_FILE_CONTENT", &STANDARD.encode(canary))));
    pairs.push(CANARIES.map(|canary| script("TLS_BOOTSTRAP_TOKEN", canary) + "# a comment with " + canary + "\n"));
    for [a, b] in pairs {
        let (a, b) = (inspected(a), inspected(b));
        for rules in [Rules::Meaning, Rules::Reference] {
            let found = diff(&a, &b, rules);
            let only_files = a.variables.is_empty();
            assert!(!found.is_empty() || only_files, "a secret that differs is a difference");
            for text in [found.to_json(false).to_string(), format!("{found:?}")] {
                for secret in &secrets {
                    assert!(!text.contains(secret.as_str()), "{secret} in {text}");
                }
            }
            let clear = found.to_json(true).to_string();
            assert!(only_files || clear.contains("canary") || clear.contains(&secrets[1][..20]), "{clear}");
        }
    }
    // One secret is enough, however short.
    let found = differences(script("TLS_BOOTSTRAP_TOKEN", "a"), script("TLS_BOOTSTRAP_TOKEN", "b"));
    let expected = json!([{"name": "TLS_BOOTSTRAP_TOKEN", "a": "[redacted]", "b": "[redacted]", "secret": true}]);
    assert_eq!(found.to_json(false)["variables"], expected);
}

#[test]
fn the_references_rules_are_those_of_its_node() {
    let cse = |rest: &str| format!("A=1 {rest} /opt/azure/containers/provision_start.sh");
    let names = |a: &str, b: &str| -> Vec<String> {
        let found = diff(&inspected(cse(a)), &inspected(cse(b)), Rules::Reference);
        assert!(found.files.is_empty() && found.command.is_empty());
        found.variables.into_iter().map(|change| change.name).collect()
    };
    assert_eq!(names("X='\"a\" b'", "X='a b'"), [""; 0]);
    assert_eq!(names("KUBELET_NODE_LABELS=a=1,b=2", "KUBELET_NODE_LABELS=b=2,a=1"), ["KUBELET_NODE_LABELS"]);
    assert_eq!(names("SKIP_WAAGENT_HOLD=true", "SKIP_WAAGENT_HOLD=false HYPERKUBE_URL=x"), [""; 0]);
    assert_eq!(names("SKIP_WAAGENT_HOLD=true", ""), ["SKIP_WAAGENT_HOLD"]);
    let encoded = |text: &str| format!("SYSCTL_CONTENT=\"{}\"", STANDARD.encode(text));
    assert_eq!(names(&encoded("# one\na=1\nb = 2"), &encoded("b=2\na=1\nother\n")), [""; 0]);
    assert_eq!(names(&encoded("a=1"), &encoded("a=2")), ["SYSCTL_CONTENT"]);
    // Which side is computed follows from the Configuration, not from the order.
    let yaml = example("ubuntu-azure-cni.yaml");
    let line = generated(&yaml, Route::Scripted)["cse"].as_str().expect("text").to_owned();
    for (a, b) in [(&yaml, &line), (&line, &yaml)] {
        let image = Request::default().image;
        let found = diff(&inspect(a.as_bytes(), &image), &inspect(b.as_bytes(), &image), Rules::Reference);
        assert!(found.is_empty(), "{:#}", found.to_json(false));
    }
}

/// Something that can be inspected.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let bytes = prop::collection::vec(any::<u8>(), 0..300);
    let text = "(#cloud-config\nwrite_files:\n- \\{path: /a.(json|toml|service|yaml|conf), content: \"|#cloud-boothook\n|#!/bin/bash\nKUBELET_FLAGS=|A=1 SYSCTL_CONTENT=|\\{\"ignition\":\\{\"version\":\"3\"\\}|)[ -~\n\u{1b}\u{202e}\u{0}é]{0,200}";
    prop_oneof![bytes, text.prop_map(String::into_bytes)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_panic(a in hostile(), b in hostile()) {
        let (a, b) = (inspected(a), inspected(b));
        both(&a, &b);
        prop_assert!(diff(&a, &a, Rules::Meaning).is_empty());
        let _ = diff(&a, &b, Rules::Reference);
    }

    #[test]
    fn a_changed_byte_makes_no_panic(at in 0usize..60_000, byte in any::<u8>(), which in 0usize..3) {
        static WHOLE: std::sync::OnceLock<Vec<(Vec<u8>, Inspection)>> = std::sync::OnceLock::new();
        let whole = WHOLE.get_or_init(|| {
            let custom_data = |route| generated(&example("localdns.yaml"), route)["customData"].as_str().map(|text| STANDARD.decode(text).expect("base64"));
            Route::ALL.into_iter().filter_map(custom_data).map(|bytes| (bytes.clone(), inspected(bytes))).collect()
        });
        let (bytes, inspection) = &whole[which];
        let mut bytes = bytes.clone();
        let length = bytes.len();
        bytes[at % length] = byte;
        both(inspection, &inspected(bytes));
    }

    #[test]
    fn kernel_settings_are_a_set(settings in prop::collection::btree_map("[a-z.]{1,8}", "[0-9 ]{0,4}", 0..6), blanks in " {0,3}") {
        let lines: Vec<String> = settings.iter().map(|(name, value)| format!("{name}={}", value.trim())).collect();
        let reversed: Vec<String> = lines.iter().rev().map(|line| format!("{blanks}{}\n# {line}", line.replacen('=', &format!("{blanks}={blanks}"), 1))).collect();
        let script = |lines: &[String]| script("SYSCTL_CONTENT", &STANDARD.encode(lines.join("\n")));
        if !lines.is_empty() {
            assert_equal(script(&lines), script(&reversed));
            let more = [&lines[..], &["z.new=1".to_owned()]].concat();
            let found = differences(script(&lines), script(&more));
            let places: BTreeSet<_> = found.variables[0].details.iter().map(|detail| detail.place.to_string()).collect();
            prop_assert_eq!(places, BTreeSet::from(["z.new".to_owned()]));
        }
    }
}
