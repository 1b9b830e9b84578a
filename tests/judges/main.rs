//! Real programs check the output: cloud-init, shellcheck, shells, a TOML parser, a JSON Schema validator, Ignition.

mod node_files;
mod scripts;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use aks_node_controller::catalogue::operating_systems::operating_system;
use aks_node_controller::configuration::{
    Configuration, CustomLinuxOsConfig, GpuConfig, KubeBinaryConfig, KubeletConfig, NetworkConfig, NetworkPlugin,
    validate,
};
use aks_node_controller::delivery::{Compression, Form, Request, Route};
use aks_node_controller::environment::{Environment, ImageContents};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use support::{Scratch, needs};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Debian's own Python, for whose version Debian's modules are.
const PYTHON: &str = "/usr/bin/python3";

fn examples() -> Vec<(String, Configuration)> {
    let entries = fs::read_dir(Path::new(ROOT).join("testdata/examples")).expect("the examples are there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    files.sort();
    let read = |file: PathBuf| {
        let decoded = Configuration::from_document(&fs::read(&file).expect("a readable example"));
        (file.display().to_string(), decoded.expect("an example decodes").configuration)
    };
    files.into_iter().map(read).collect()
}

fn request(route: Route, os: &str) -> Request {
    Request { route, os: operating_system(os).expect("a known system"), ..Request::default() }
}

/// Whether Debian's own Python can import a module of a package.
#[track_caller]
fn has_module(module: &str, package: &str) -> bool {
    needs::command(PYTHON, &["-c", &format!("import {module}")], package)
}

/// Runs a program with some text on its standard input.
fn run(program: &str, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let mut stdin = child.stdin.take().expect("the input is a pipe");
    // The program may end before it has read everything.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn output(ended: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr))
}

/// Types and contents of the parts that cloud-init finds in some user data.
fn cloud_init(user_data: &[u8]) -> Vec<(String, String)> {
    let script = Path::new(ROOT).join("tests/judges/cloud_init_parts.py");
    let ended = run(PYTHON, &[script.to_str().expect("a path of text")], user_data);
    assert!(ended.status.success(), "{}", output(&ended));
    let parts: Vec<(String, String)> = serde_json::from_slice(&ended.stdout).expect("the script prints JSON");
    parts
}

#[test]
fn cloud_init_finds_the_boothook_and_the_cloud_config() {
    if !has_module("cloudinit.user_data", "cloud-init") {
        return;
    }
    for (name, configuration) in examples() {
        for compression in [Compression::Never, Compression::Always] {
            let request = Request { compression, ..request(Route::Scriptless, "ubuntu") };
            let delivery = request.render(&configuration).expect("it renders");
            let parts = cloud_init(&STANDARD.decode(delivery.custom_data.encoded.expose()).expect("base64"));
            let types: Vec<_> = parts.iter().map(|(kind, _)| kind.as_str()).collect();
            assert_eq!(types, ["text/cloud-boothook", "text/cloud-config"], "{name}, {compression:?}");
            let layers = request.layers(&configuration).expect("it renders");
            for (part, layer) in parts.iter().zip(["boothook.sh", "cloud_config.yaml"]) {
                let layer = layers.iter().find(|found| found.name == layer).expect("it is a layer");
                assert_eq!(part.1, layer.text.expose(), "{name}");
            }
        }
    }
}

#[test]
fn cloud_init_ignores_mime_after_an_empty_line() {
    if !has_module("cloudinit.user_data", "cloud-init") {
        return;
    }
    let (_, configuration) = examples().remove(0);
    let delivery = request(Route::Scriptless, "ubuntu").render(&configuration).expect("it renders");
    let mut broken = b"\n".to_vec();
    broken.extend(STANDARD.decode(delivery.custom_data.encoded.expose()).expect("base64"));
    let types: Vec<_> = cloud_init(&broken).into_iter().map(|(kind, _)| kind).collect();
    assert!(!types.iter().any(|kind| kind == "text/cloud-boothook"), "cloud-init should find nothing here: {types:?}");
}

#[test]
fn cloud_init_runs_the_script_of_the_default_route() {
    if !has_module("cloudinit.user_data", "cloud-init") {
        return;
    }
    let (_, configuration) = examples().remove(0);
    for compression in [Compression::Never, Compression::Always] {
        let request = Request { compression, ..Request::default() };
        let delivery = request.render(&configuration).expect("it renders");
        let parts = cloud_init(&STANDARD.decode(delivery.custom_data.encoded.expose()).expect("base64"));
        let types: Vec<_> = parts.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(types, ["text/x-shellscript"]);
    }
}

#[test]
fn cloud_init_reads_the_configuration_from_the_write_files_form() {
    if !has_module("cloudinit.user_data, yaml", "cloud-init") {
        return;
    }
    for (name, configuration) in examples() {
        let request = Request { form: Some(Form::WriteFiles), ..request(Route::Scriptless, "ubuntu") };
        let delivery = request.render(&configuration).expect("it renders");
        let parts = cloud_init(&STANDARD.decode(delivery.custom_data.encoded.expose()).expect("base64"));
        assert_eq!(parts[0].0, "text/cloud-config", "{name}");
        let read = "import sys, json, yaml
f = yaml.safe_load(sys.stdin)['write_files'][0]
print(json.dumps([f['path'], f['permissions'], f['owner'], f['content'].decode()]))";
        let ended = run(PYTHON, &["-c", read], parts[0].1.as_bytes());
        let file: [String; 4] = serde_json::from_slice(&ended.stdout).unwrap_or_else(|_| panic!("{}", output(&ended)));
        assert_eq!(file[..3], ["/opt/azure/containers/aks-node-controller-config.json", "0600", "root"], "{name}");
        assert_eq!(file[3], configuration.to_json(), "{name}");
    }
}

#[test]
fn shells_and_shellcheck_accept_every_script() {
    if !needs::programs(&[("shellcheck", "shellcheck")]) {
        return;
    }
    for (name, configuration) in examples() {
        for route in Route::ALL {
            for layer in request(route, "ubuntu").layers(&configuration).expect("it renders") {
                // `make lint` checks the static parts.
                let is_part = layer.name.starts_with("opt/");
                if is_part || Path::new(layer.name).extension().is_none_or(|extension| extension != "sh") {
                    continue;
                }
                // cloud-init removes this line before it runs the boothook.
                let text = layer.text.expose().strip_prefix("#cloud-boothook\n").unwrap_or(layer.text.expose());
                for (program, arguments) in [
                    ("shellcheck", &["-S", "error", "-s", "bash", "-"][..]),
                    ("bash", &["-n"][..]),
                    ("dash", &["-n"][..]),
                ] {
                    let ended = run(program, arguments, text.as_bytes());
                    assert!(ended.status.success(), "{name}, {}: {program}: {}", layer.name, output(&ended));
                }
            }
        }
    }
}

#[test]
fn validate_warns_exactly_where_containerds_configuration_is_no_toml() {
    let mut refused = 0;
    for bits in 0..1_u32 << 8 {
        let bit = |at: u32| bits & 1 << at != 0;
        let plugin = if bit(0) { NetworkPlugin::Kubenet } else { NetworkPlugin::Azure };
        let configuration = Configuration {
            version: "v1".to_owned(),
            is_kata: bit(1),
            enable_artifact_streaming: bit(2),
            needs_cgroupv2: Some(bit(3)),
            kubernetes_version: if bit(4) { "1.33.2" } else { "" }.to_owned(),
            gpu_config: Some(GpuConfig { enable_nvidia: Some(bit(5)), ..GpuConfig::default() }),
            network_config: Some(NetworkConfig { network_plugin: plugin.into(), ..NetworkConfig::default() }),
            kubelet_config: Some(KubeletConfig {
                container_data_dir: if bit(6) { "/mnt/containers" } else { "" }.to_owned(),
                ..KubeletConfig::default()
            }),
            kube_binary_config: Some(KubeBinaryConfig {
                pod_infra_container_image_url: "mcr.microsoft.com/oss/v2/kubernetes/pause:3.6".to_owned(),
                ..KubeBinaryConfig::default()
            }),
            custom_linux_os_config: Some(CustomLinuxOsConfig::default()),
            ..Configuration::default()
        };
        let containerd_version = if bit(7) { "2.1.4" } else { "1.7.22" }.to_owned();
        let facts = ImageContents { containerd_version, ..ImageContents::default() };
        let warned = validate(&configuration, None)
            .iter()
            .any(|finding| finding.path.to_string() == "enable_artifact_streaming");
        let environment = Environment::new(&configuration, &facts);
        let accepted = ["CONTAINERD_CONFIG_CONTENT", "CONTAINERD_CONFIG_NO_GPU_CONTENT"].iter().all(|name| {
            let text = STANDARD.decode(environment.get(name).expect("a variable")).expect("base64");
            toml::from_str::<toml::Table>(&String::from_utf8(text).expect("text")).is_ok()
        });
        assert_eq!(accepted, !warned, "{bits:08b}");
        refused += u32::from(!accepted);
    }
    assert_eq!(refused, 64, "a quarter has Kata and artifact streaming");
}

#[test]
fn a_schema_validator_accepts_and_rejects_the_right_documents() {
    if !has_module("jsonschema; jsonschema.Draft202012Validator", "python3-jsonschema") {
        return;
    }
    let schema = run(env!("CARGO_BIN_EXE_aks-node-controller"), &["schema"], b"");
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).expect("the schema is JSON");
    let compatibility =
        fs::read_to_string(Path::new(ROOT).join("testdata/compatibility/v1.json")).expect("it is there");
    let mut good: Vec<String> = examples().iter().map(|(_, configuration)| configuration.to_json()).collect();
    good.push(compatibility);
    good.push(r#"{"version": "v1", "vmSize": "x", "apiServerConfig": {"apiServerName": null}, "newer": 1}"#.to_owned());
    let bad = [
        "{}",
        r#"{"version": "v2"}"#,
        r#"{"version": "v1", "vm_size": 5}"#,
        r#"{"version": "v1", "vm_size": "a", "vmSize": "b"}"#,
        r#"{"version": "v1", "is_kata": "true"}"#,
        r#"{"version": "v1", "custom_ca_certs": [null]}"#,
        r#"{"version": "v1", "network_config": {"network_plugin": "NETWORK_PLUGIN_CILIUM"}}"#,
        r#"{"version": "v1", "cse_timeout": 1.5}"#,
        "[]",
    ];
    let parsed = |texts: &[&str]| -> Vec<serde_json::Value> {
        texts.iter().map(|text| serde_json::from_str(text).expect("JSON")).collect()
    };
    let good = parsed(&good.iter().map(String::as_str).collect::<Vec<_>>());
    let input = serde_json::json!({"schema": schema, "good": good, "bad": parsed(&bad)});
    let judge = "import sys, json, jsonschema
case = json.load(sys.stdin)
jsonschema.Draft202012Validator.check_schema(case['schema'])
judge = jsonschema.Draft202012Validator(case['schema'])
for document in case['good']:
    judge.validate(document)
for document in case['bad']:
    assert not judge.is_valid(document), document";
    let ended = run(PYTHON, &["-c", judge], input.to_string().as_bytes());
    assert!(ended.status.success(), "{}", output(&ended));
}

#[test]
fn ignition_accepts_the_document_apart_from_its_version() {
    if !needs::programs(&[("ignition-validate", "ignition")]) {
        return;
    }
    let folder = Scratch::new("judged");
    let file = folder.join("judged.ign");
    let path = file.to_str().expect("a path of text");
    for (name, configuration) in examples() {
        for os in ["flatcar", "acl"] {
            let delivery = request(Route::Scriptless, os).render(&configuration).expect("it renders");
            let text = STANDARD.decode(delivery.custom_data.encoded.expose()).expect("base64");
            let text = String::from_utf8(text).expect("text");
            // Debian's Ignition is older than 3.4.0.
            let lowered = text.replace("\"3.4.0\"", "\"3.3.0\"");
            assert_ne!(lowered, text);
            fs::write(&file, &lowered).expect("scratch is writable");
            let ended = run("ignition-validate", &[path], b"");
            assert!(ended.status.success(), "{name}, {os}: {}", output(&ended));
            fs::write(&file, lowered.replace("\"mode\": 384", "\"mode\": \"0600\"")).expect("scratch is writable");
            assert!(
                !run("ignition-validate", &[path], b"").status.success(),
                "Ignition should reject a mode that is text"
            );
        }
    }
}
