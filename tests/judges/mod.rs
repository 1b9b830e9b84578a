//! Real programs check the output: cloud-init, shellcheck, shells, a TOML parser, a JSON Schema validator, Ignition.

mod controller_files;
mod node_files;
mod scripts;
mod user_data;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use aks_node_controller::catalogue::operating_systems::operating_system;
use aks_node_controller::configuration::{
    Configuration, CustomLinuxOsConfig, GpuConfig, KubeBinaryConfig, KubeletConfig, NetworkConfig, NetworkPlugin,
    validate,
};
use aks_node_controller::delivery::{Compression, Form, Request, Route};
use aks_node_controller::environment::{Environment, ImageContents};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::support::{Scratch, needs, shipped};

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

/// Calls a function for every item, on all processors at once.
fn for_each<T: Sync>(items: &[T], check: impl Fn(&T) + Sync) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..processors {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(item);
                }
            });
        }
    });
}

fn output(ended: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr))
}

/// The type and the content of a part of user data.
type Part = (String, String);

/// The parts that cloud-init finds in each of several user data, which are given in base64.
fn cloud_init(user_data: &[String]) -> Vec<Vec<Part>> {
    let script = Path::new(ROOT).join("tests/judges/cloud_init_parts.py");
    let input = serde_json::to_vec(user_data).expect("text is JSON");
    let ended = run(PYTHON, &[script.to_str().expect("a path of text")], &input);
    assert!(ended.status.success(), "{}", output(&ended));
    let parts: Vec<Vec<Part>> = serde_json::from_slice(&ended.stdout).expect("the script prints JSON");
    assert_eq!(parts.len(), user_data.len());
    parts
}

/// Whether `CustomData` is compressed, and whether it is text nevertheless.
const ENCODINGS: [(Compression, bool); 3] =
    [(Compression::Never, false), (Compression::Always, false), (Compression::Always, true)];

/// `CustomData` in base64.
fn custom_data(request: &Request, configuration: &Configuration) -> String {
    let delivery = request.render(configuration).expect("an example renders");
    delivery.custom_data.encoded.expose().to_owned()
}

#[test]
fn cloud_init_finds_the_boothook_and_the_cloud_config() {
    if !has_module("cloudinit.user_data", "cloud-init") {
        return;
    }
    let mut cases = Vec::new();
    for (name, configuration) in examples() {
        for (compression, text_only) in ENCODINGS {
            let request = Request { compression, text_only, ..request(Route::Scriptless, "ubuntu") };
            cases.push((format!("{name}, {compression:?}, {text_only}"), request, configuration.clone()));
        }
    }
    let user_data = cases.iter().map(|(_, request, configuration)| custom_data(request, configuration));
    let found = cloud_init(&user_data.collect::<Vec<_>>());
    for ((name, request, configuration), parts) in cases.iter().zip(found) {
        let types: Vec<_> = parts.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(types, ["text/cloud-boothook", "text/cloud-config"], "{name}");
        let layers = request.layers(configuration).expect("an example renders");
        for (part, layer) in parts.iter().zip(["boothook.sh", "cloud_config.yaml"]) {
            let layer = layers.iter().find(|found| found.name == layer).expect("it is a layer");
            assert_eq!(part.1, layer.text.expose(), "{name}");
        }
    }
}

#[test]
fn cloud_init_ignores_mime_after_an_empty_line() {
    if !has_module("cloudinit.user_data", "cloud-init") {
        return;
    }
    let (_, configuration) = examples().remove(0);
    let mut broken = b"\n".to_vec();
    let whole = custom_data(&request(Route::Scriptless, "ubuntu"), &configuration);
    broken.extend(STANDARD.decode(whole).expect("base64"));
    let types: Vec<_> = cloud_init(&[STANDARD.encode(broken)]).remove(0).into_iter().map(|(kind, _)| kind).collect();
    assert!(!types.iter().any(|kind| kind == "text/cloud-boothook"), "cloud-init should find nothing here: {types:?}");
}

#[test]
fn cloud_init_runs_the_script_of_the_default_route() {
    if !has_module("cloudinit.user_data", "cloud-init") {
        return;
    }
    let (_, configuration) = examples().remove(0);
    let user_data = ENCODINGS.map(|(compression, text_only)| {
        custom_data(&Request { compression, text_only, ..Request::default() }, &configuration)
    });
    let found = cloud_init(&user_data);
    for parts in &found {
        let types: Vec<_> = parts.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(types, ["text/x-shellscript"]);
        assert_eq!(parts[0].1, found[0][0].1);
    }
}

#[test]
fn cloud_init_reads_what_az_makes_of_a_text() {
    if !has_module("cloudinit.user_data", "cloud-init") {
        return;
    }
    let scratch = Scratch::new("az");
    let (mut names, mut plain) = (Vec::new(), Vec::new());
    let (_, configuration) = examples().remove(3);
    for route in Route::ALL {
        for compression in [Compression::Auto, Compression::Always] {
            let request = Request { text_only: true, compression, ..request(route, "ubuntu") };
            let text = request.render(&configuration).expect("an example renders").custom_data.to_latin_1();
            let name = scratch.join(format!("{}-{compression:?}", route.name()));
            fs::write(&name, text.expect("it is a text").expose()).expect("scratch is writable");
            names.push(name.to_str().expect("text").to_owned());
            plain.push(custom_data(&self::request(route, "ubuntu"), &configuration));
        }
    }
    // Reading and encoding as azure-cli does, by the same functions of Python.
    let read = "import base64, json, sys
read = lambda name: open(name, 'r', encoding='utf-8').read()
json.dump([base64.b64encode(read(name).encode('latin-1')).decode() for name in sys.argv[1:]], sys.stdout)";
    let arguments: Vec<_> = ["-c", read].into_iter().chain(names.iter().map(String::as_str)).collect();
    let ended = run(PYTHON, &arguments, b"");
    let sent: Vec<String> = serde_json::from_slice(&ended.stdout).unwrap_or_else(|_| panic!("{}", output(&ended)));
    assert!(sent.iter().all(|sent| sent.len() <= 87_380));
    for ((name, sent), plain) in names.iter().zip(cloud_init(&sent)).zip(cloud_init(&plain)) {
        assert!(sent == plain, "{name}");
    }
}

#[test]
fn cloud_init_reads_the_configuration_from_the_write_files_form() {
    if !has_module("cloudinit.user_data, yaml", "cloud-init") {
        return;
    }
    let request = Request { form: Some(Form::WriteFiles), ..request(Route::Scriptless, "ubuntu") };
    let examples = examples();
    let user_data = examples.iter().map(|(_, configuration)| custom_data(&request, configuration));
    let found = cloud_init(&user_data.collect::<Vec<_>>());
    let read = "import sys, json, yaml
files = [yaml.safe_load(text)['write_files'][0] for text in json.load(sys.stdin)]
json.dump([[f['path'], f['permissions'], f['owner'], f['content'].decode()] for f in files], sys.stdout)";
    let documents: Vec<_> = found.iter().map(|parts| parts[0].1.as_str()).collect();
    let ended = run(PYTHON, &["-c", read], &serde_json::to_vec(&documents).expect("text is JSON"));
    let files: Vec<[String; 4]> =
        serde_json::from_slice(&ended.stdout).unwrap_or_else(|_| panic!("{}", output(&ended)));
    assert_eq!(files.len(), examples.len());
    for (((name, configuration), parts), file) in examples.iter().zip(found).zip(files) {
        assert_eq!(parts[0].0, "text/cloud-config", "{name}");
        assert_eq!(file[..3], ["/opt/azure/containers/aks-node-controller-config.json", "0600", "root"], "{name}");
        assert_eq!(file[3], configuration.to_json(), "{name}");
    }
}

#[test]
fn shells_and_shellcheck_accept_every_script() {
    if !needs::programs(&[("shellcheck", "shellcheck")]) {
        return;
    }
    // Many are the same for several examples.
    let mut scripts = BTreeMap::new();
    for (name, configuration) in examples() {
        for route in Route::ALL {
            for layer in request(route, "ubuntu").layers(&configuration).expect("an example renders") {
                // `make lint` checks the static parts.
                let is_part = layer.name.starts_with("opt/");
                if is_part || Path::new(layer.name).extension().is_none_or(|extension| extension != "sh") {
                    continue;
                }
                // cloud-init removes this line before it runs the boothook.
                let text = layer.text.expose().strip_prefix("#cloud-boothook\n").unwrap_or(layer.text.expose());
                scripts.entry(text.to_owned()).or_insert_with(|| format!("{name}, {}", layer.name));
            }
        }
    }
    for_each(&scripts.into_iter().collect::<Vec<_>>(), |(text, place)| {
        for (program, arguments) in
            [("shellcheck", &["-S", "error", "-s", "bash", "-"][..]), ("bash", &["-n"][..]), ("dash", &["-n"][..])]
        {
            let ended = run(program, arguments, text.as_bytes());
            assert!(ended.status.success(), "{place}: {program}: {}", output(&ended));
        }
    });
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
fn containerd_reads_back_the_registry_of_an_isolated_cluster() {
    let scripts = ["provision_source.sh", "provision_configs.sh"].map(shipped).concat();
    for (registry, address) in [
        ("registry.test/mirror/", "https://registry.test/v2/mirror"),
        ("registry.test:443/a\"]\n[plugins]", "https://registry.test:443/v2/a\"]\n[plugins]"),
        ("registry.test/\\\u{7f}", "https://registry.test/v2/\\\u{7f}"),
    ] {
        let script =
            format!("{scripts}\nmust_put_text() {{ printf '%s\\n' \"$3\"; }}\nredirect_to_isolated_registry\n");
        let ended = Command::new("bash")
            .args(["-c", &script])
            .env("BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER", registry)
            .output()
            .expect("bash runs");
        let text = std::str::from_utf8(&ended.stdout).expect("text");
        let table: toml::Table = toml::from_str(text).unwrap_or_else(|error| panic!("{error}: {}", output(&ended)));
        let hosts: Vec<_> = table["host"].as_table().expect("a table").keys().collect();
        assert_eq!((table.len(), hosts), (1, vec![&address.to_owned()]), "{}", output(&ended));
    }
}

#[test]
fn a_schema_validator_accepts_and_rejects_the_right_documents() {
    if !has_module("jsonschema; jsonschema.Draft202012Validator", "python3-jsonschema") {
        return;
    }
    let schema = run(env!("CARGO_BIN_EXE_aks-node-controller"), &["schema"], b"");
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).expect("the schema is JSON");
    for (name, definition) in schema["$defs"].as_object().expect("definitions") {
        let offered = definition["properties"].as_object().expect("properties").keys();
        let twice: Vec<_> = offered.filter(|field| field.contains(char::is_uppercase)).collect();
        assert!(twice.is_empty(), "an editor offers fields of {name} twice: {twice:?}");
    }
    let mut good: Vec<String> = examples().iter().map(|(_, configuration)| configuration.to_json()).collect();
    good.push(r#"{"version": "v1", "preProvisionOnly": true, "kubernetesVersion": "1.33.2", "newer": 1}"#.to_owned());
    good.push(
        r#"{"version": "v1", "kubernetes_version": "1.33.2", "kubernetesCaCert": "LS0t LS1C", "vmSize": null,
            "apiServerConfig": {"api_server_name": "a.b"}, "kubelet_config": {"kubeletFlags": {"--max-pods": "30"}}}"#
            .to_owned(),
    );
    let complete: serde_json::Value = serde_json::from_str(&good[good.len() - 1]).expect("JSON");
    let without = |name: &str| {
        let mut document = complete.clone();
        document.as_object_mut().expect("an object").remove(name).expect("it was there");
        document.to_string()
    };
    let missing = ["kubernetes_version", "kubernetesCaCert", "apiServerConfig", "kubelet_config"].map(without);
    let malformed = ["a b", "é", "-a"].map(|name| {
        let mut document = complete.clone();
        document["apiServerConfig"]["api_server_name"] = name.into();
        document.to_string()
    });
    let bad = [
        "{}",
        r#"{"version": "v2"}"#,
        r#"{"version": "v1", "vm_size": 5}"#,
        r#"{"version": "v1", "vmSize": 5}"#,
        r#"{"version": "v1", "vm_size": "a", "vmSize": "b"}"#,
        r#"{"version": "v1", "is_kata": "true"}"#,
        r#"{"version": "v1", "custom_ca_certs": [null]}"#,
        r#"{"version": "v1", "network_config": {"network_plugin": "NETWORK_PLUGIN_CILIUM"}}"#,
        r#"{"version": "v1", "cse_timeout": 1.5}"#,
        "[]",
    ];
    let bad: Vec<_> = bad.into_iter().chain(missing.iter().chain(&malformed).map(String::as_str)).collect();
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
    let directory = Scratch::new("judged");
    let file = directory.join("judged.ign");
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
