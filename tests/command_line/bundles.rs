//! Karpenter's objects and settings as `kubectl` and `az` print them, in any number of files and in any order.

use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::{Run, run, run_with};
use crate::support::Scratch;

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata");

fn kept(name: &str) -> String {
    fs::read_to_string(format!("{KEPT}/{name}")).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The objects of `kubectl get -o json`: a claim, two pools and a node class.
fn objects() -> Vec<Value> {
    let list: Value = serde_json::from_str(&kept("karpenter_bundles/objects.json")).expect("JSON");
    list["items"].as_array().expect("a list").clone()
}

/// The call with one option for each document.
fn by_options(command: &[&str]) -> Run {
    let file = |name: &str| format!("{KEPT}/{name}");
    let files = [
        ("--node-claim", file("karpenter/node_claim.yaml")),
        ("--node-class", file("karpenter/node_class.yaml")),
        ("--settings", file("karpenter/settings.yaml")),
        ("--cluster", file("karpenter/cluster.yaml")),
        ("--instance-type", file("karpenter/instance_type.json")),
    ];
    let mut arguments = command.to_vec();
    for (option, file) in &files {
        arguments.extend([*option, file]);
    }
    run(&arguments)
}

/// Writes texts to files of a directory, and returns the command with them.
fn with_files(scratch: &Path, command: &[&str], texts: &[String]) -> Run {
    let files: Vec<String> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let file = scratch.join(format!("{at}.txt"));
            fs::write(&file, text).expect("scratch is writable");
            file.to_str().expect("text").to_owned()
        })
        .collect();
    run(&[command, &files.iter().map(String::as_str).collect::<Vec<_>>()].concat())
}

/// Something that a node needs, in one of the forms in which people have it: documents, each as JSON if it is.
#[derive(Clone, Debug)]
enum Unit {
    Json(Value),
    Text(String),
}

impl Unit {
    fn kept(name: &str) -> Self {
        let text = kept(name);
        serde_json::from_str(&text).map_or(Self::Text(text), Self::Json)
    }

    fn text(&self) -> String {
        match self {
            Self::Json(value) => format!("{value:#}\n"),
            Self::Text(text) => text.clone(),
        }
    }
}

/// All units of a node: one form of each document, chosen by numbers.
fn units(object_form: usize, settings: usize, cluster: usize, size: usize) -> Vec<Unit> {
    let [claim, other_pool, pool, class] = &objects()[..] else { panic!("four objects") };
    let yaml = [Unit::kept("karpenter/node_claim.yaml"), Unit::kept("karpenter/node_class.yaml")];
    let objects = [claim, class].map(|object| Unit::Json(object.clone()));
    let mut units = match object_form {
        0 => yaml.to_vec(),
        1 => objects.to_vec(),
        2 => [objects.to_vec(), vec![Unit::Json(other_pool.clone()), Unit::Json(pool.clone())]].concat(),
        // The same object twice is one.
        3 => [objects.to_vec(), vec![yaml[0].clone(), objects[1].clone()]].concat(),
        _ => vec![Unit::kept("karpenter_bundles/objects.json")],
    };
    units.extend(match settings {
        0 => vec![Unit::kept("karpenter_bundles/config_map.yaml")],
        1 => vec![Unit::kept("karpenter_bundles/settings.env")],
        2 => vec![Unit::kept("karpenter_bundles/values.yaml")],
        3 => vec![Unit::kept("karpenter_bundles/deployment.yaml"), Unit::kept("karpenter_bundles/secret.yaml")],
        4 => {
            let env = kept("karpenter_bundles/settings.env");
            let without: String = env.split_inclusive('\n').filter(|line| !line.starts_with("KUBELET_")).collect();
            // As a shell would write it.
            let identity = env.lines().find(|line| line.starts_with("KUBELET_IDENTITY")).expect("it is there");
            vec![
                Unit::Text(format!("{without}export {identity}\n")),
                Unit::kept("karpenter_bundles/bootstrap_token.yaml"),
            ]
        }
        _ => vec![Unit::kept("karpenter/settings.yaml")],
    });
    units.extend(match (cluster, settings) {
        (0, _) | (_, 5) => vec![Unit::kept("karpenter/cluster.yaml")],
        (1, _) => {
            vec![Unit::kept("karpenter_bundles/kubeconfig.yaml"), Unit::kept("karpenter_bundles/security_groups.json")]
        }
        _ => ["kubeconfig.yaml", "security_groups.json", "version.json"]
            .map(|name| Unit::kept(&format!("karpenter_bundles/{name}")))
            .to_vec(),
    });
    units.push(Unit::kept(if size == 0 { "karpenter/instance_type.json" } else { "karpenter_bundles/skus.json" }));
    units
}

/// Puts units into files.
fn wrapped(units: &[Unit], wrapping: usize) -> Vec<String> {
    let texts = || units.iter().map(Unit::text);
    match wrapping {
        0 => texts().collect(),
        1 => vec![texts().collect::<Vec<_>>().join("---\n")],
        2 => vec![format!("\u{feff}{}", texts().collect::<Vec<_>>().join("--- # next\n").replace('\n', "\r\n"))],
        // A List of what is JSON, with the rest behind it.
        3 | 4 => {
            let (mut items, mut rest) = (Vec::new(), String::new());
            for unit in units {
                match unit {
                    Unit::Json(value) => items.push(value.clone()),
                    Unit::Text(text) => rest = format!("{rest}---\n{text}"),
                }
            }
            let list = json!({"apiVersion": "v1", "kind": "List", "items": items, "metadata": {"resourceVersion": ""}});
            let list = if items.is_empty() { String::new() } else { list.to_string() };
            // With a comment in front, JSON is YAML.
            vec![if wrapping == 3 { format!("{list}{rest}") } else { format!("# a List\n{list}\n{rest}") }]
        }
        // As two commands append to one file. What has no `apiVersion` has no visible start.
        _ => {
            let has_start = |text: &str| ["apiVersion:", "{", "[", "PATH="].iter().any(|start| text.starts_with(start));
            vec![texts().map(|text| if has_start(&text) { text } else { format!("---\n{text}") }).collect()]
        }
    }
}

#[test]
fn any_mixture_equals_one_option_for_each_document() {
    let scratch = Scratch::new("mixtures");
    let commands: [&[&str]; 3] = [&["generate"], &["env"], &["convert", "--from", "karpenter"]];
    let expected = commands.map(|command| by_options(command).stdout);
    assert!(expected.iter().all(|expected| expected.len() > 500));
    let mut runner = TestRunner::new_with_rng(
        Config { cases: 64, failure_persistence: None, ..Config::default() },
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let choices = (0..5_usize, 0..6_usize, 0..3_usize, 0..2_usize, 0..6_usize, 0..3_usize, any::<u64>());
    let law = |(object_form, settings, cluster, size, wrapping, command, order): (
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        u64,
    )| {
        let mut units = units(object_form, settings, cluster, size);
        let mut order = order;
        for last in (1..units.len()).rev() {
            let other = usize::try_from(order % (last as u64 + 1)).expect("an index");
            units.swap(last, other);
            order = order.rotate_right(7) ^ 0x9e37_79b9;
        }
        let texts = wrapped(&units, wrapping);
        let made = with_files(&scratch, commands[command], &texts);
        let told = &made.stderr;
        prop_assert_eq!(made.code, Some(0), "{} {:?}", told, texts);
        prop_assert!(
            made.stdout == expected[command],
            "{:?}: {}\n{}",
            commands[command],
            told,
            texts.join("\n=====\n")
        );
        if let [text] = &texts[..] {
            let piped = run_with(&[commands[command], &["-"]].concat(), text.as_bytes());
            prop_assert_eq!(piped.stdout, made.stdout);
        }
        Ok(())
    };
    runner.run(&choices, law).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn options_accept_the_same_forms() {
    let file = |name: &str| format!("{KEPT}/karpenter_bundles/{name}");
    let scratch = Scratch::new("options");
    let claims = scratch.join("claims.json");
    let claim = json!({"apiVersion": "v1", "kind": "List", "items": [objects()[0]]});
    fs::write(&claims, claim.to_string()).expect("scratch is writable");
    let claims = claims.to_str().expect("text");
    let (settings, cluster, size) = (file("config_map.yaml"), file("kubeconfig.yaml"), file("skus.json"));
    let (class, group) = (format!("{KEPT}/karpenter/node_class.yaml"), file("security_groups.json"));
    let made = run(&[
        "generate",
        &group,
        "--node-claim",
        claims,
        "--node-class",
        &class,
        "--settings",
        &settings,
        "--cluster",
        &cluster,
        "--instance-type",
        &size,
    ]);
    assert_eq!((made.code, made.stdout), (Some(0), by_options(&["generate"]).stdout), "{}", made.stderr);
}

#[test]
fn messages_of_the_programs_may_be_anywhere_between_the_objects() {
    let plain = bundle().join("---\n");
    for message in [
        "Warning: resource is deprecated",
        "WARNING: The behavior of this command has been altered by the following extension: aks-preview",
        "\u{1b}[33mWARNING: x\u{1b}[0m",
        "E1126 10:00:00.000000   12345 memcache.go:265] \"Unhandled Error\" err=\"x\"",
    ] {
        for command in ["generate", "env", "convert", "validate"] {
            let expected = run_with(&[command, "-"], plain.as_bytes());
            let first = run_with(&[command, "-"], format!("{message}\n{plain}").as_bytes());
            let between = bundle().join(&format!("{message}\n---\n"));
            let between = run_with(&[command, "-"], between.as_bytes());
            for made in [first, between] {
                let problem = format!("{command}, {message}: {}{}", made.stdout, made.stderr);
                // Findings name their line.
                let is_same = command == "validate" || made.stdout == expected.stdout;
                assert!(made.code == Some(0) && is_same, "{problem}");
            }
        }
    }
}

#[test]
fn the_environment_of_the_process_has_settings() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"));
    command.env_clear().args(["generate", "--settings", "env"]);
    for name in ["objects.json", "kubeconfig.yaml", "skus.json", "security_groups.json"] {
        command.arg(format!("{KEPT}/karpenter_bundles/{name}"));
    }
    command.envs(kept("karpenter_bundles/settings.env").lines().filter_map(|line| line.split_once('=')));
    let made = command.output().expect("cargo built the program");
    let told = String::from_utf8_lossy(&made.stderr);
    assert_eq!(String::from_utf8_lossy(&made.stdout), by_options(&["generate"]).stdout, "{told}");
}

/// Renders texts in one file each.
fn generate(name: &str, texts: &[String]) -> Run {
    with_files(&Scratch::new(name), &["generate"], texts)
}

fn bundle() -> Vec<String> {
    let names = ["objects.json", "deployment.yaml", "secret.yaml", "kubeconfig.yaml", "skus.json"];
    names.map(|name| kept(&format!("karpenter_bundles/{name}"))).to_vec()
}

fn refused(name: &str, texts: &[String], code: i32, messages: &[&str]) {
    let made = generate(name, texts);
    assert_eq!((made.code, &*made.stdout), (Some(code), ""), "{name}: {}", made.stderr);
    for message in messages {
        assert!(made.stderr.contains(message), "{name}: {message}: {}", made.stderr);
    }
    assert!(!made.stderr.contains("q1w2e3"), "the token is shown: {}", made.stderr);
}

#[test]
fn several_objects_of_which_a_node_has_one_are_listed() {
    let changed = |at: usize, pointer: &str, value: &str| {
        let mut object = objects()[at].clone();
        *object.pointer_mut(pointer).expect("it is there") = value.into();
        object.to_string()
    };
    let with = |more: String| [bundle(), vec![more]].concat();
    refused(
        "claims",
        &with(changed(0, "/metadata/name", "general-9zzzz")),
        1,
        &[
            "5.txt:1:1: error: ",
            "of kind NodeClaim",
            "`general-x7k2p` (",
            "0.txt:4:9)",
            "`general-9zzzz` (",
            "[karpenter-ambiguous]",
        ],
    );
    refused(
        "classes",
        &with(changed(3, "/spec/imageFamily", "AzureLinux")),
        1,
        &["of kind AKSNodeClass", "`default` ("],
    );
    // The NodeClaim names its node class.
    let made = generate("another-class", &with(changed(3, "/metadata/name", "gpu")));
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    // Without a NodeClaim, the template of the only NodePool counts.
    let [_, other_pool, pool, class] = &objects()[..] else { panic!("four objects") };
    let rest = &bundle()[1..];
    let one = [vec![pool.to_string(), class.to_string()], rest.to_vec()].concat();
    refused(
        "pools",
        &[one.clone(), vec![other_pool.to_string()]].concat(),
        1,
        &["of kind NodePool", "`batch` (", "`general` ("],
    );
    // Several VM sizes satisfy its requirements.
    refused("sizes", &one, 1, &["of kind VM size", "`Standard_D2s_v5` (", "`Standard_E4s_v5` ("]);
    let mut narrow = pool.clone();
    narrow["spec"]["template"]["spec"]["requirements"] = json!([
        {"key": "karpenter.azure.com/sku-family", "operator": "In", "values": ["D"]},
        {"key": "karpenter.azure.com/sku-cpu", "operator": "In", "values": ["4"]},
    ]);
    let made = generate("one-size", &[vec![narrow.to_string(), class.to_string()], rest.to_vec()].concat());
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let labelled = |size: &str| {
        let mut claim = objects()[0].clone();
        claim["metadata"]["labels"]["node.kubernetes.io/instance-type"] = size.into();
        let text = generate("labelled", &[vec![claim.to_string(), class.to_string()], rest.to_vec()].concat());
        assert_eq!(text.code, Some(0), "{}", text.stderr);
        text
    };
    assert!(labelled("Standard_B2ms").stderr.contains("has no VM size `Standard_B2ms`"));
    assert_ne!(labelled("Standard_E4s_v5").stdout, labelled("Standard_D4s_v5").stdout);
}

#[test]
fn files_of_different_clusters_are_named() {
    let with = |more: String| [bundle(), vec![more]].concat();
    let kubeconfig = kept("karpenter_bundles/kubeconfig.yaml");
    let other = |from: &str, to: &str| {
        let text = kubeconfig.replace(from, to);
        assert_ne!(text, kubeconfig);
        [bundle()[..3].to_vec(), vec![text, kept("karpenter_bundles/skus.json")]].concat()
    };
    refused(
        "another-server",
        &other("karpenter-dns-5d6e7f80", "shop-dns-11223344"),
        1,
        &["shop-dns-11223344", "karpenter-dns-5d6e7f80", "the files are of different clusters", "3.txt:"],
    );
    // A private cluster has two names.
    let private = "karpenter-dns-99aa88bb.0b1f3a52-6c1d-4c39-9a77-2f0d8e5b4c61.privatelink";
    assert_eq!(generate("private", &other("karpenter-dns-5d6e7f80.hcp", private)).code, Some(0));
    refused(
        "another-name",
        &with("CLUSTER_NAME=shop\nLOCATION=westeurope\n".to_owned()),
        1,
        &["5.txt:1:1: error: CLUSTER_NAME: is \"shop\", but ", "1.txt:", "(Deployment karpenter) has \"karpenter\""],
    );
    refused(
        "another-token",
        &with("KUBELET_BOOTSTRAP_TOKEN=zzzzzz.q1w2e3q1w2e3q1w2\n".to_owned()),
        1,
        &["KUBELET_BOOTSTRAP_TOKEN: is ", "has another value"],
    );
    refused(
        "another-ca",
        &with(kubeconfig.replace("LS0tLS1CRUdJTi", "TFMwdExTMUNSVW")),
        1,
        &["ca_bundle: differs from"],
    );
}

#[test]
fn what_is_missing_is_asked_for_by_name_with_the_command_that_prints_it() {
    let all = bundle();
    refused(
        "claim-alone",
        &[objects()[0].to_string()],
        2,
        &[
            "--node-class is missing: `kubectl get aksnodeclass default --output yaml` prints it",
            "--settings is missing: `kubectl get deployment karpenter --namespace kube-system --output yaml` prints it",
            "--cluster is missing: `kubectl config view --raw --minify` prints it",
            "--instance-type is missing: `az vm list-skus --location LOCATION --size SIZE --output json` prints it",
        ],
    );
    refused(
        "no-secret",
        &[all[0].clone(), all[1].clone(), all[3].clone()],
        1,
        &[
            "KUBELET_BOOTSTRAP_TOKEN: is read from the key `bootstrapToken` of the Secret `karpenter`, which is not among the files",
            "`kubectl get secret karpenter --namespace kube-system --output yaml`",
        ],
    );
    let line = "KUBELET_BOOTSTRAP_TOKEN=q1w2e3.a4s5d6f7g8h9j0k1\n".to_owned();
    let made = generate("line", &[all[0].clone(), all[1].clone(), all[3].clone(), all[4].clone(), line]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    refused(
        "no-ca",
        &[all[0].clone(), all[1].clone(), all[2].clone()],
        1,
        &[
            "ca_bundle: is required",
            "`kubectl config view --raw --minify`",
            "`az vm list-skus --location westeurope --size ",
        ],
    );
    let omitted = all[3].replace("certificate-authority-data: LS0", "certificate-authority-data: DATA+OMITTED # ");
    refused(
        "omitted",
        &[all[0].clone(), all[1].clone(), all[2].clone(), omitted],
        1,
        &[
            "3.txt:7:33: error: clusters[1].cluster.certificate-authority-data: is left out",
            "kubectl config view --raw",
        ],
    );
    let env = kept("karpenter_bundles/settings.env");
    let without: String = env.split_inclusive('\n').filter(|line| !line.starts_with("SSH_")).collect();
    refused(
        "no-key",
        &[all[0].clone(), without.replace("CLUSTER_NAME=", "CLUSTER_NAEM=")],
        1,
        &[
            "SSH_PUBLIC_KEY: is required",
            "linuxProfile.ssh",
            "CLUSTER_NAEM is not a setting of the controller [misspelled-field]",
            "did you mean `CLUSTER_NAME`?",
        ],
    );
    let from = "envFrom:\n        - configMapRef: {name: karpenter-settings}\n        env:";
    let from =
        kept("karpenter_bundles/deployment.yaml").replacen("env:", from, 1).replace("CLUSTER_NAME", "OTHER_NAME");
    refused(
        "no-map",
        &[all[0].clone(), from, all[2].clone()],
        1,
        &[
            "CLUSTER_NAME: is required",
            "`kubectl get configmap karpenter-settings --namespace kube-system --output yaml` prints it",
        ],
    );
    for (name, text) in [("empty", ""), ("two-configurations", "version: v1\n---\nversion: v1\n")] {
        assert!(generate(name, &[text.to_owned(), text.to_owned()]).code == Some(2), "{name}");
    }
}

#[test]
fn the_true_source_of_each_variable_is_named() {
    let scratch = Scratch::new("explained");
    let explained = |name: &str| {
        let made = with_files(&scratch, &["env", "--format", "json", "--explain", name], &bundle());
        let value: Value =
            serde_json::from_str(&made.stdout).unwrap_or_else(|error| panic!("{error}: {}", made.stderr));
        let fields =
            value["fields"].as_array().expect("a list").iter().map(|field| field.as_str().expect("a text").to_owned());
        let places = value["places"].as_array().map(Vec::as_slice).unwrap_or_default();
        let places =
            places.iter().map(|place| place.as_str().map(|place| place.rsplit('/').next().expect("a name").to_owned()));
        (fields.collect::<Vec<_>>(), places.collect::<Vec<_>>())
    };
    let line =
        |name: &str, text: &str| kept(name).lines().position(|line| line.contains(text)).expect("it is there") + 1;
    let setting = |name: &str| line("karpenter_bundles/deployment.yaml", &format!("- name: {name}")) + 1;
    for (variable, fields, place) in [
        ("SUBNET", "setting VNET_SUBNET_ID of Deployment karpenter", format!("1.txt:{}:", setting("VNET_SUBNET_ID"))),
        (
            "TENANT_ID",
            "setting AZURE_TENANT_ID of Deployment karpenter",
            format!("1.txt:{}:", setting("AZURE_TENANT_ID")),
        ),
        ("TLS_BOOTSTRAP_TOKEN", "setting KUBELET_BOOTSTRAP_TOKEN of Deployment karpenter", "2.txt:3:".to_owned()),
        ("KUBE_CA_CRT", "cluster: ca_bundle", "3.txt:1:".to_owned()),
        (
            "KUBERNETES_VERSION",
            "AKSNodeClass default: status.kubernetesVersion",
            format!("0.txt:{}:", line("karpenter_bundles/objects.json", "\"kubernetesVersion\"")),
        ),
        ("CNI_PLUGINS_URL", "VM size Standard_D4s_v5: CpuArchitectureType", "4.txt:".to_owned()),
    ] {
        let (found, places) = explained(variable);
        assert_eq!(found, [fields], "{variable}");
        assert!(places[0].as_ref().is_some_and(|found| found.starts_with(&place)), "{variable}: {place}: {places:?}");
    }
    let (fields, places) = explained("KUBELET_FLAGS");
    for source in [
        "NodeClaim general-x7k2p: spec.taints",
        "NodeClaim general-x7k2p: spec.startupTaints",
        "AKSNodeClass default: spec.kubelet",
        "AKSNodeClass default: spec.maxPods",
        "VM size Standard_D4s_v5: vCPUs",
        "constant: the taint `karpenter.sh/unregistered`",
    ] {
        assert!(fields.iter().any(|field| field == source), "{source}: {fields:?}");
    }
    assert_eq!(fields.len(), places.len());
    assert_eq!(explained("CSE_TIMEOUT"), (vec![], vec![]));
    let text = with_files(&scratch, &["env", "--explain", "NETWORK_PLUGIN"], &bundle()).stdout;
    assert!(text.contains("setting NETWORK_PLUGIN, not set: its default is `azure`"), "{text}");
    // The inputs of the bootstrapper have members.
    let inputs = by_options(&["convert", "--from", "karpenter"]).stdout;
    let made = run_with(&["env", "--karpenter", "-", "--explain", "SUBNET"], inputs.as_bytes());
    assert!(made.stdout.contains("subnet_id") && !made.stdout.contains("cluster_config"), "{}", made.stdout);
}

#[test]
fn validate_judges_each_document_with_its_file_and_line() {
    let scratch = Scratch::new("judged");
    let mut list = objects();
    list[3]["spec"]["maxPods"] = 5.into();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": list});
    let stream = kept("karpenter/node_class.yaml")
        + "---\n"
        + &kept("karpenter/node_claim.yaml").replace("nodeClassRef", "nodeClassReference");
    let settings = kept("karpenter_bundles/settings.env").replace("NETWORK_POLICY=cilium", "NETWORK_DATAPLANE=calico");
    let texts = [
        format!("{list:#}\n"),
        stream,
        settings,
        kept("karpenter_bundles/kubeconfig.yaml"),
        kept("karpenter_bundles/skus.json"),
        kept("karpenter/cluster.yaml"),
    ];
    let made = with_files(&scratch, &["validate"], &texts);
    assert_eq!(made.code, Some(1), "{}", made.stderr);
    for message in [
        "error: items[3].spec.maxPods: must be 10 to 250, found 5 [karpenter-value]",
        "1.txt:32:3: error: spec.nodeClassRef: is required",
        "2.txt:17:1: error: NETWORK_DATAPLANE: must be a value that the controller knows, found \"calico\"",
        "1.txt: not valid",
        "3.txt: valid",
        "4.txt: valid",
        "5.txt: valid",
    ] {
        assert!(made.stdout.contains(message), "{message}: {}", made.stdout);
    }
    let line = made.stdout.lines().find(|line| line.contains("items[3].spec.maxPods")).expect("it is there");
    let place =
        format!("0.txt:{}:", texts[0].lines().position(|line| line.contains("\"maxPods\": 5")).expect("a line") + 1);
    assert!(line.contains(&place), "{place}: {line}");
}

#[test]
fn windows_restricted_sizes_and_missing_identities_are_named() {
    let linux = kept("karpenter/node_claim.yaml");
    let windows = "    - key: kubernetes.io/os\n      operator: In\n      values: [windows]\n";
    let marker = "  requirements:\n";
    assert!(linux.contains(marker), "{linux}");
    let mut texts = bundle();
    texts.retain(|text| !text.contains("\"NodeClaim\"") && !text.contains("kind: NodeClaim"));
    let class = objects().into_iter().find(|object| object["kind"] == "AKSNodeClass").expect("there is one");
    texts.push(class.to_string());
    texts.push(linux.replacen(marker, &format!("{marker}{windows}"), 1));
    refused("windows", &texts, 1, &["does not allow `linux`", "az aks nodepool add --os-type Windows"]);

    // What `az vm list-skus --all` prints about a size that a subscription has no access to.
    let restriction = json!([{
        "reasonCode": "NotAvailableForSubscription",
        "restrictionInfo": {"locations": ["westeurope"], "zones": null},
        "type": "Location",
        "values": ["westeurope"],
    }]);
    let restricted: Vec<String> = bundle()
        .iter()
        .map(|text| match serde_json::from_str::<Value>(text) {
            Ok(Value::Array(mut sizes)) if text.contains("virtualMachines") => {
                for size in &mut sizes {
                    size["restrictions"] = restriction.clone();
                }
                Value::from(sizes).to_string()
            }
            _ => text.clone(),
        })
        .collect();
    let run = generate("restricted", &restricted);
    assert!(run.stderr.contains("is restricted: this subscription cannot create it"), "{}", run.stderr);
    assert!(!generate("free", &bundle()).stderr.contains("restricted"));

    let without = |name: &str| -> String {
        let shorter =
            |text: &String| -> String { text.split_inclusive('\n').filter(|line| !line.starts_with(name)).collect() };
        let names = ["objects.json", "settings.env", "kubeconfig.yaml", "version.json", "skus.json"];
        let texts = names.map(|file| shorter(&kept(&format!("karpenter_bundles/{file}"))));
        generate("without", &texts).stderr
    };
    for name in ["AZURE_TENANT_ID", "KUBELET_IDENTITY_CLIENT_ID"] {
        let message = without(&format!("{name}="));
        assert!(message.contains(&format!("{name}: is not set")), "{name}: {message}");
        assert!(!without("none").contains(&format!("{name}: is not set")), "{name}");
    }
}

/// A list that names the kind of its elements, which have none, as the API server returns it.
fn list_of(kind: &str) -> String {
    let mut version = Value::Null;
    let items = objects().into_iter().filter(|object| object["kind"] == kind).map(|mut object| {
        let members = object.as_object_mut().expect("an object");
        version = members.remove("apiVersion").expect("it has one");
        members.remove("kind");
        object
    });
    let items: Vec<_> = items.collect();
    json!({"apiVersion": version, "kind": format!("{kind}List"), "metadata": {}, "items": items}).to_string()
}

#[test]
fn lists_that_name_the_kind_of_their_elements_are_read() {
    let expected = generate("list", &bundle());
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    let mut texts: Vec<_> = ["NodePool", "NodeClaim", "AKSNodeClass"].map(list_of).to_vec();
    texts.extend(bundle().into_iter().filter(|text| !text.contains("\"NodeClaim\"")));
    let made = generate("typed-lists", &texts);
    assert_eq!((made.code, &made.stdout), (Some(0), &expected.stdout), "{}", made.stderr);
    let scratch = Scratch::new("typed-list");
    let made = with_files(&scratch, &["validate"], &[list_of("NodeClaim"), list_of("AKSNodeClass")]);
    assert!(!made.stdout.contains("wrong-kind"), "{}", made.stdout);
}

#[test]
fn variables_of_shells_of_windows_are_read() {
    let names = ["objects.json", "settings.env", "kubeconfig.yaml", "version.json", "skus.json"];
    let files = names.map(|name| kept(&format!("karpenter_bundles/{name}")));
    let expected = generate("shell", &files);
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    let settings = kept("karpenter_bundles/settings.env");
    let pairs: Vec<(&str, String)> = settings
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.trim_start_matches("export ").split_once('='))
        .map(|(name, value)| (name, value.trim_matches(['"', '\'']).to_owned()))
        .collect();
    assert!(pairs.len() > 5, "{settings}");
    let lines: [fn(&str, &str) -> String; 4] = [
        |name, value| format!("$env:{name} = \"{}\"\r\n", value.replace('"', "`\"")),
        |name, value| format!("$Env:{name}='{}'\n", value.replace('\'', "''")),
        |name, value| format!("$ENV:{name}=\"{value}\";\n"),
        |name, value| format!("set {name}={value}\r\n"),
    ];
    for line in lines {
        let text: String = pairs.iter().map(|(name, value)| line(name, value)).collect();
        let texts = files.clone().map(|known| if known == settings { text.clone() } else { known });
        let made = generate("powershell", &texts);
        assert_eq!((made.code, &made.stdout), (Some(0), &expected.stdout), "{text}: {}", made.stderr);
    }
}

#[test]
fn validate_judges_the_bootstrap_token_of_a_bundle() {
    let scratch = Scratch::new("bundle-token");
    let settings = kept("karpenter_bundles/settings.env");
    let line = settings.lines().find(|line| line.starts_with("KUBELET_BOOTSTRAP_TOKEN=")).expect("it is set");
    let validate = |text: String| with_files(&scratch, &["validate"], &[text]);
    let made = validate(settings.clone());
    assert_eq!(made.code, Some(0), "{}", made.stdout);
    for (token, message) in [
        ("not-a-token", "must be six and sixteen characters"),
        ("AB12CD.0123456789abcdef", "write it in lower case"),
        ("<BOOTSTRAP_TOKEN>", "contains the placeholder `<BOOTSTRAP_TOKEN>`"),
        ("eyJhbGciOiJSUzI1NiJ9.e30.c2ln", "is none for bootstrapping"),
    ] {
        let made = validate(settings.replace(line, &format!("KUBELET_BOOTSTRAP_TOKEN={token}")));
        assert!(made.code == Some(1) && made.stdout.contains(message), "{token}: {}", made.stdout);
        assert!(!made.stdout.contains("not-a-token"), "{}", made.stdout);
    }
    let objects = objects().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let secret = |expiration: &str| {
        let data = json!({"token-id": "ab12cd", "token-secret": "0123456789abcdef", "expiration": expiration});
        let secret = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "bootstrap-token-ab12cd"},
            "type": "bootstrap.kubernetes.io/token", "stringData": data});
        validate(format!("{objects}\n{secret}\n")).stdout
    };
    let message = "belongs to a bootstrap token that expired on 2020-03-10T03:22:11Z";
    assert!(secret("2020-03-10T03:22:11Z").contains(message), "{}", secret("2020-03-10T03:22:11Z"));
    assert!(!secret("2220-03-10T03:22:11Z").contains("expired"));
}

#[test]
fn settings_that_no_machine_is_created_with_are_named_with_their_lines() {
    let scratch = Scratch::new("doubts");
    let settings = kept("karpenter_bundles/settings.env");
    let file = scratch.join("settings.env");
    for (name, value, rule) in [
        ("AZURE_SUBSCRIPTION_ID", "my-subscription", "uuid"),
        ("AZURE_TENANT_ID", "contoso.onmicrosoft.com", "uuid"),
        ("AZURE_TENANT_ID", "", "identity-missing"),
        ("LOCATION", "West Europe", "location"),
        ("LOCATION", "westeurope-1", "unknown-region"),
        ("LOCATION", "eu-west-1", "unknown-region"),
        ("NETWORK_POLICY", "calicoo", "karpenter-value"),
        ("SSH_PUBLIC_KEY", "not-a-key", "karpenter-value"),
        ("SSH_PUBLIC_KEY", "ssh-rsa AAAA", "karpenter-value"),
        ("LINUX_ADMIN_USERNAME", "root", "admin-user"),
        ("NODE_IDENTITIES", "demo-agentpool", "identity-missing"),
        ("AZURE_NODE_RESOURCE_GROUP", "my group", "resource-name"),
    ] {
        let mut lines: Vec<String> = settings.lines().map(str::to_owned).collect();
        let changed = format!("{name}={value}");
        let number = lines.iter().position(|line| line.starts_with(&format!("{name}=")));
        match number {
            Some(number) => lines[number] = changed,
            None => lines.push(changed),
        }
        let line = number.map_or(lines.len(), |number| number + 1);
        fs::write(&file, lines.join("\n") + "\n").expect("scratch is writable");
        let made = run(&["validate", file.to_str().expect("text")]);
        assert_eq!(made.code, Some(0), "{name}: {}", made.stdout);
        let found = format!("settings.env:{line}:1: warning: {name}: ");
        assert!(made.stdout.contains(&found), "{name}={value}: {}", made.stdout);
        assert!(made.stdout.contains(&format!("[{rule}]")), "{name}={value}: {}", made.stdout);
        assert!(!made.stdout.contains("not-a-key"), "{}", made.stdout);
    }
    for (name, value) in [
        ("LOCATION", "polandcentral"),
        ("LOCATION", "eastus2euap"),
        ("NETWORK_POLICY", "none"),
        ("NETWORK_POLICY", ""),
        ("LINUX_ADMIN_USERNAME", "ops-user"),
        ("SSH_PUBLIC_KEY", "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ== a b"),
    ] {
        let mut lines: Vec<&str> = settings.lines().filter(|line| !line.starts_with(&format!("{name}="))).collect();
        let changed = format!("{name}={value}");
        lines.push(&changed);
        fs::write(&file, lines.join("\n") + "\n").expect("scratch is writable");
        let made = run(&["validate", file.to_str().expect("text")]);
        assert!(made.code == Some(0) && !made.stdout.contains("warning"), "{name}={value}: {}", made.stdout);
    }
}

#[test]
fn indented_lines_set_variables_too() {
    let scratch = Scratch::new("indented");
    let mut texts: Vec<String> =
        ["objects.json", "kubeconfig.yaml", "security_groups.json", "version.json", "skus.json"]
            .iter()
            .map(|name| kept(&format!("karpenter_bundles/{name}")))
            .collect();
    let settings = kept("karpenter_bundles/settings.env");
    texts.push(settings.clone());
    let expected = with_files(&scratch, &["generate"], &texts);
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    for indentation in ["  ", "\t", "    export "] {
        *texts.last_mut().expect("the settings") =
            settings.lines().flat_map(|line| [indentation, line, "\n"]).collect();
        let made = with_files(&scratch, &["generate"], &texts);
        assert_eq!(made.stdout, expected.stdout, "{indentation:?}: {}", made.stderr);
    }
}

#[test]
fn a_page_of_markdown_has_objects_and_settings_in_blocks() {
    let [claim, _, _, class] = &objects()[..] else { panic!("four objects") };
    let rest = ["karpenter/cluster.yaml", "karpenter/instance_type.json"].map(kept);
    let scratch = Scratch::new("bundles-markdown");
    let of = |texts: &[String]| with_files(&scratch, &["generate"], &[texts, &rest].concat());
    let expected = of(&[claim.to_string(), class.to_string(), kept("karpenter_bundles/settings.env")]);
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    let settings = kept("karpenter_bundles/settings.env");
    let page = format!(
        "# A node\n\nThe objects: these\n\n```json\n{claim:#}\n```\n\n```yaml\n{class:#}\n```\n\n- and these:\n\n```sh\n{settings}```\n\n```sh\nkubectl apply -f x\n```\n"
    );
    for text in [page.clone(), page.replace('\n', "\r\n"), page.replace("```", "~~~")] {
        let made = of(&[text]);
        assert_eq!((made.code, &made.stdout), (Some(0), &expected.stdout), "{}", made.stderr);
    }
}

#[test]
fn validate_names_what_the_api_server_rejects_in_a_node_pool() {
    let pool = |spec: Value, labels: Value| {
        let mut pool = objects().into_iter().find(|object| object["kind"] == "NodePool").expect("it is there");
        let template = &mut pool["spec"]["template"];
        template["metadata"]["labels"] = labels;
        for (name, value) in spec.as_object().expect("an object") {
            template["spec"][name] = value.clone();
        }
        super::run_with(&["validate", "-"], pool.to_string().as_bytes())
    };
    for (spec, labels, expected) in [
        (
            json!({"taints": [{"key": "a", "effect": "Never"}]}),
            json!({}),
            "spec.template.spec.taints[0].effect: must be",
        ),
        (json!({"startupTaints": [{"key": "a b", "effect": "NoExecute"}]}), json!({}), "startupTaints[0].key: must be"),
        (
            json!({"requirements": [{"key": "a", "operator": "Equals", "values": ["b"]}]}),
            json!({}),
            "requirements[0].operator",
        ),
        (json!({"requirements": [{"key": "a", "operator": "In", "values": []}]}), json!({}), "requirements[0].values"),
        (json!({}), json!({"team": "a b"}), "spec.template.metadata.labels[\"team\"]: must be a label value"),
    ] {
        let found = pool(spec, labels);
        assert_eq!(found.code, Some(1), "{expected}: {}{}", found.stdout, found.stderr);
        assert!((found.stdout + &found.stderr).contains(expected), "{expected}");
    }
    let fine = pool(
        json!({"startupTaints": [{"key": "a.example/b", "effect": "NoExecute"}], "requirements": [{"key": "a", "operator": "Exists"}]}),
        json!({"team": ""}),
    );
    assert_eq!(fine.code, Some(0), "{}{}", fine.stdout, fine.stderr);
}

/// The Deployment has no tenant: the webhook of workload identity sets it in the pod.
/// <https://azure.github.io/azure-workload-identity/docs/installation/mutating-admission-webhook.html>
#[test]
fn the_cluster_and_the_subscription_as_az_prints_them_have_facts_of_a_node() {
    let [objects, deployment, secret, kubeconfig, skus] = bundle().try_into().expect("five files");
    let tenant = "1c2b7a90-54d3-4e6f-8a1b-9c0d2e3f4a5b";
    let start = deployment.find("        - name: AZURE_TENANT_ID").expect("it is there");
    let end = start + deployment[start..].find("        - name: LOCATION").expect("it is there");
    let without_tenant = format!("{}{}", &deployment[..start], &deployment[end..]);
    let account = |id: &str, tenant: &str, is_default: bool| {
        json!({"environmentName": "AzureCloud", "homeTenantId": tenant, "id": id, "isDefault": is_default, "name": "a",
            "state": "Enabled", "tenantId": tenant, "user": {"name": "me@a.example", "type": "user"}})
    };
    let own = account("6f5e4d3c-2b1a-4098-8776-655443322110", tenant, true);
    let with = |more: &[String]| {
        let files =
            [&[objects.clone(), without_tenant.clone(), secret.clone(), kubeconfig.clone(), skus.clone()][..], more];
        generate("facts-of-az", &files.concat())
    };
    let expected = generate("no-facts", &bundle());
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    assert!(with(&[]).stderr.contains("AZURE_TENANT_ID: is not set"));
    let other = account("0de45914-0000-4000-8000-0000000000ff", "5ae15ec1-0000-4000-8000-000000000002", false);
    // `az account show --subscription` prints one that `az` does not use otherwise.
    let shown = account("6f5e4d3c-2b1a-4098-8776-655443322110", tenant, false);
    for account in [own.to_string(), json!([other, own]).to_string(), shown.to_string(), json!([shown]).to_string()] {
        let made = with(&[account]);
        assert_eq!((made.code, &made.stdout), (Some(0), &expected.stdout), "{}", made.stderr);
        assert!(!made.stderr.contains("AZURE_TENANT_ID"), "{}", made.stderr);
    }
    let cluster = |version: &str, host: &str| {
        json!({
            "agentPoolProfiles": [], "currentKubernetesVersion": version, "fqdn": host,
            "id": "/subscriptions/6f5e4d3c-2b1a-4098-8776-655443322110/resourcegroups/karpenter-rg/providers/Microsoft.ContainerService/managedClusters/karpenter",
            "identity": {"tenantId": tenant, "type": "SystemAssigned"}, "location": "westeurope", "name": "karpenter",
            "networkProfile": {"dnsServiceIp": "10.0.0.10"}, "type": "Microsoft.ContainerService/ManagedClusters",
        })
    };
    let version = self::objects()[3]["status"]["kubernetesVersion"].as_str().expect("a version").to_owned();
    let host = "karpenter-dns-5d6e7f80.hcp.westeurope.azmk8s.io";
    let mut rest = cluster(&version, host);
    let properties = json!({"agentPoolProfiles": [], "currentKubernetesVersion": version, "fqdn": host, "networkProfile": {"dnsServiceIP": "10.0.0.10"}});
    for name in ["agentPoolProfiles", "currentKubernetesVersion", "fqdn", "networkProfile"] {
        rest.as_object_mut().expect("an object").remove(name);
    }
    rest["properties"] = properties;
    for cluster in [cluster(&version, host), rest] {
        let made = with(&[cluster.to_string()]);
        assert_eq!((made.code, &made.stdout), (Some(0), &expected.stdout), "{}", made.stderr);
    }
    let foreign = account("0de45914-0000-4000-8000-0000000000ff", tenant, true);
    let made = with(&[foreign.to_string()]);
    assert!(made.code == Some(1) && made.stderr.contains("the files are of different clusters"), "{}", made.stderr);
    let made = with(&[cluster(&version, "another-dns-5d6e7f80.hcp.westeurope.azmk8s.io").to_string()]);
    assert!(made.code == Some(1) && made.stdout.is_empty(), "{}", made.stderr);
    assert!(made.stderr.contains("the files are of different clusters"), "{}", made.stderr);
}

#[test]
fn files_in_utf_16_are_named_as_such() {
    let scratch = Scratch::new("bundle-utf-16");
    let files: Vec<String> = bundle()
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let bytes: Vec<u8> = "\u{feff}"
                .chars()
                .chain(text.chars())
                .flat_map(|c| {
                    let mut units = [0; 2];
                    c.encode_utf16(&mut units).iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<_>>()
                })
                .collect();
            let file = scratch.join(format!("{at}.txt"));
            fs::write(&file, bytes).expect("scratch is writable");
            file.to_str().expect("text").to_owned()
        })
        .collect();
    let made = run(&[&["generate"], &files.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat());
    assert_eq!((made.code, &*made.stdout), (Some(1), ""), "{}", made.stderr);
    assert_eq!(made.stderr.matches("is UTF-16, must be UTF-8").count(), files.len(), "{}", made.stderr);
}

/// The API server rejects unknown members of the metadata. Karpenter's own reader would lose the labels.
#[test]
fn misspelled_members_of_metadata_and_of_a_pool_are_errors() {
    let [claim, _, pool, class] = &objects()[..] else { panic!("four objects") };
    let rest = &bundle()[1..];
    let changed = |object: &Value, from: &str, to: &str| {
        let text = object.to_string();
        assert!(text.contains(from), "{from}: {text}");
        text.replacen(from, to, 1)
    };
    for (objects, found, meant) in [
        ([changed(claim, "\"labels\":", "\"lables\":"), class.to_string()], "metadata.lables", "labels"),
        ([changed(pool, "\"template\":", "\"templte\":"), class.to_string()], "spec.templte", "template"),
        ([changed(pool, "\"disruption\":", "\"disrupton\":"), class.to_string()], "spec.disrupton", "disruption"),
        ([claim.to_string(), changed(class, "\"name\":", "\"naem\":")], "metadata.naem", "name"),
    ] {
        let texts = [&objects[..], rest].concat();
        refused("misspelled-metadata", &texts, 1, &[found, &format!("did you mean `{meant}`?")]);
    }
    let newer = changed(claim, "\"labels\":", "\"aNewerMember\": {}, \"labels\":");
    let made = generate("newer-metadata", &[&[newer, class.to_string()][..], rest].concat());
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert!(made.stderr.contains("metadata.aNewerMember"), "{}", made.stderr);
    let unnamed = changed(class, "\"kind\":", "\"kinnd\":");
    let texts = [&[claim.to_string(), unnamed][..], rest].concat();
    refused("misspelled-kind", &texts, 1, &["an object of Kubernetes without `apiVersion` or `kind`"]);
}

/// What describes a node as a whole is judged as `generate` judges it.
#[test]
fn validate_judges_a_node_whose_documents_are_in_one_file() {
    let judged = |texts: &[String]| run_with(&["validate", "-"], texts.join("\n---\n").as_bytes());
    let whole = judged(&bundle());
    assert_eq!(whole.code, Some(0), "{}{}", whole.stdout, whole.stderr);
    let without_secret: Vec<_> = bundle().into_iter().filter(|text| !text.contains("kind: Secret")).collect();
    let made = judged(&without_secret);
    assert!(made.code == Some(1) && made.stdout.contains("which is not among the files"), "{}", made.stdout);
    let other_class = bundle().into_iter().map(|text| text.replace(r#""name": "default""#, r#""name": "defaultx""#));
    let mut texts: Vec<_> = other_class.collect();
    let at = texts.iter().position(|text| text.contains("AKSNodeClass")).expect("there is one");
    texts[at] = texts[at].replacen("defaultx", "default", 1);
    let made = judged(&texts);
    assert!(made.code == Some(1) && made.stdout.contains("[karpenter-reference]"), "{}", made.stdout);
    // A part alone need not be complete.
    assert_eq!(judged(&[objects()[3].to_string()]).code, Some(0));
    assert_eq!(judged(&[objects()[0].to_string(), objects()[3].to_string()]).code, Some(0));
}

/// The CRDs and Karpenter itself: <https://github.com/kubernetes-sigs/karpenter/blob/main/hack/validation/requirements.sh>.
#[test]
fn what_no_api_has_in_an_object_is_named() {
    let claim = objects().into_iter().find(|object| object["kind"] == "NodeClaim").expect("there is one");
    let class = objects().into_iter().find(|object| object["kind"] == "AKSNodeClass").expect("there is one");
    let pool = objects().into_iter().find(|object| object["kind"] == "NodePool").expect("there is one");
    let changed = |object: &Value, change: &dyn Fn(&mut Value)| {
        let mut object = object.clone();
        change(&mut object);
        run_with(&["validate", "-"], json!([object, class]).to_string().as_bytes())
    };
    let requirement = |key: &str| {
        let key = key.to_owned();
        changed(&claim, &move |object| object["spec"]["requirements"][0]["key"] = key.clone().into())
    };
    for (made, message) in [
        (changed(&claim, &|object| object["kind"] = "Nodelaim".into()), "did you mean `NodeClaim`?"),
        (changed(&claim, &|object| object["kind"] = "NODECLAIM".into()), "did you mean `NodeClaim`?"),
        (
            changed(&claim, &|object| object["apiVersion"] = "karpenter.sh/v1x".into()),
            "must be a version of `karpenter.sh`",
        ),
        (
            changed(&class, &|object| object["apiVersion"] = "karpenter.azur.com/v1beta1".into()),
            "`karpenter.azure.com`",
        ),
        (
            changed(&claim, &|object| object["spec"]["nodeClassRef"]["kind"] = "NodeClass".into()),
            "must be `AKSNodeClass`",
        ),
        (
            changed(&claim, &|object| object["spec"]["nodeClassRef"]["group"] = "karpenter.sh".into()),
            "must be `karpenter.azure.com`",
        ),
        (
            changed(&pool, &|object| object["spec"]["template"]["spec"]["nodeClassRef"]["kind"] = "AKSNodeClas".into()),
            "must be `AKSNodeClass`",
        ),
        (requirement("kubernetes.io/arh"), "did you mean `kubernetes.io/arch`?"),
        (requirement("karpenter.sh/capacity-tpe"), "did you mean `karpenter.sh/capacity-type`?"),
        (requirement("app.kubernetes.io/name"), "is restricted"),
    ] {
        assert!(made.code == Some(1) && made.stdout.contains(message), "{message}: {}", made.stdout);
    }
    for made in [
        requirement("kubernetes.io/os"),
        requirement("sub.node.kubernetes.io/a"),
        requirement("node-restriction.kubernetes.io/a"),
        requirement("team.example/a"),
        changed(&claim, &|object| object["apiVersion"] = "karpenter.sh/v1beta1".into()),
        changed(&claim, &|object| object["kind"] = "Node".into()),
    ] {
        assert_eq!(made.code, Some(0), "{}", made.stdout);
    }
}

/// A controller has the objects of a node, and sends them in one line.
#[test]
fn a_line_of_a_batch_can_be_a_list_of_objects() {
    let flat = |name: &str| {
        let text = kept(name);
        let pairs = text.lines().filter_map(|line| line.split_once(": "));
        let members = pairs.map(|(name, value)| (name.to_owned(), Value::from(value.trim_matches(['"', '\'']))));
        Value::Object(members.collect())
    };
    let size: Value = serde_json::from_str(&kept("karpenter/instance_type.json")).expect("JSON");
    let items: Vec<_> =
        [objects(), vec![flat("karpenter/settings.yaml"), flat("karpenter/cluster.yaml"), size]].concat();
    let list = |items: &[Value]| json!({"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"name": "AKSNodeClass"}});
    let whole = list(&items);
    let expected = run_with(&["generate", "-"], whole.to_string().as_bytes());
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    let expected: Value = serde_json::from_str(&expected.stdout).expect("JSON");
    let without_class: Vec<_> = items.iter().filter(|item| item["kind"] != "AKSNodeClass").cloned().collect();
    let requests = [json!({"id": 7, "document": whole}), json!({"id": 8, "document": list(&without_class)})];
    let lines = format!("{whole}\n{}\n{}\n", requests[0], requests[1]);
    let made = run_with(&["generate", "--batch", "-"], lines.as_bytes());
    let answers: Vec<Value> = made.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 3, "{}", made.stderr);
    assert_eq!(answers[0], expected, "{}", made.stderr);
    assert_eq!((&answers[1]["id"], &answers[1]["customData"]), (&json!(7), &expected["customData"]));
    assert_eq!((&answers[2]["id"], &answers[2]["line"]), (&json!(8), &json!(3)));
    let message = answers[2]["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("node-class"), "{}", answers[2]);
}

/// The chart makes variables of some of its settings, before those of the list.
#[test]
fn the_settings_of_the_chart_are_those_of_the_controller() {
    let scratch = Scratch::new("chart-settings");
    let render = |values: &str| {
        let rest = ["karpenter_bundles/objects.json", "karpenter_bundles/kubeconfig.yaml"].map(kept);
        let more = ["karpenter_bundles/security_groups.json", "karpenter_bundles/version.json"].map(kept);
        let size = kept("karpenter/instance_type.json");
        let texts = [&rest[..], &more[..], &[size, values.to_owned()]].concat();
        with_files(&scratch, &["convert"], &texts)
    };
    let values = kept("karpenter_bundles/values.yaml");
    let expected = render(&values);
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    let without = ["CLUSTER_NAME", "CLUSTER_ENDPOINT", "ADDITIONAL_TAGS"].iter().fold(values, |text, name| {
        let start = text.find(&format!("    - name: {name}\n")).expect("it is there");
        let rest = &text[start..];
        let (end, _) = rest.match_indices('\n').nth(1).expect("a variable has two lines");
        format!("{}{}", &text[..start], &rest[end + 1..])
    });
    let settings = "settings:\n  clusterName: karpenter\n  clusterEndpoint: https://karpenter-dns-5d6e7f80.hcp.westeurope.azmk8s.io:443\n  \
                    tags: {env: demo}\n  batchMaxDuration: 10s\n";
    let of_chart = without.replace("settings:\n", settings);
    let made = render(&of_chart);
    assert_eq!((made.code, &made.stdout), (Some(0), &expected.stdout), "{}", made.stderr);
    // A variable of the list replaces the setting.
    let both = of_chart.replace("  clusterName: karpenter", "  clusterName: other");
    let both = both.replace("  env:\n", "  env:\n    - name: CLUSTER_NAME\n      value: karpenter\n");
    let made = render(&both);
    assert_eq!((made.code, &made.stdout), (Some(0), &expected.stdout), "{}", made.stderr);
    // Tags are in the launch template, and checked before.
    let made = render(&of_chart.replace("{env: demo}", "{\"a<b\": demo}"));
    assert!(made.code == Some(1) && made.stderr.contains("ADDITIONAL_TAGS"), "{}", made.stderr);
}
