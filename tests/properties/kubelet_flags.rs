//! The kubelet knows every flag and every feature gate that this program puts on its command line, in every version.

use std::fs;
use std::path::{Path, PathBuf};

use aks_node_controller::catalogue::feature_gates::gate_named;
use aks_node_controller::catalogue::kubelet_flags::flag_named;
use aks_node_controller::catalogue::minors::{KNOWN, Presence};
use aks_node_controller::configuration::Configuration;
use aks_node_controller::environment::{Environment, ImageContents};
use aks_node_controller::inputs::NodeInput;
use aks_node_controller::inputs::karpenter::{BootstrapInputs, KubeletConfig, Taint};
use aks_node_controller::inputs::nbc::Nbc;
use serde_json::{Value, json};

/// Flags that documents under `testdata` set themselves, and that not every version has.
const OF_DOCUMENTS: &[&str] = &["--cloud-config", "--pod-infra-container-image"];

/// Flags that the scripts write only for versions before the known ones.
const BEFORE_THESE_VERSIONS: &[&str] = &["--container-runtime"];

fn check(flags: &str, minor: u64, source: &str, is_document: bool) {
    for flag in flags.split_whitespace() {
        let (name, value) = flag.split_once('=').unwrap_or((flag, ""));
        let row = flag_named(name).unwrap_or_else(|| panic!("{source}, 1.{minor}: {name} is not a flag"));
        let is_present = row.lifetime.at(minor) == Presence::Present;
        assert!(is_present || is_document && OF_DOCUMENTS.contains(&name), "{source}, 1.{minor}: {name}");
        if name != "--feature-gates" {
            continue;
        }
        for (gate, on) in value.split(',').filter_map(|pair| pair.split_once('=')) {
            check_gate(gate, on == "true", minor, source);
        }
    }
}

fn check_gate(name: &str, on: bool, minor: u64, source: &str) {
    let gate = gate_named(name).unwrap_or_else(|| panic!("{source}, 1.{minor}: {name} is not a gate"));
    assert_eq!(gate.lifetime.at(minor), Presence::Present, "{source}, 1.{minor}: {name}");
    let lock = gate.lock().filter(|(since, _)| *since <= minor);
    assert!(lock.is_none_or(|(_, fixed)| fixed == on), "{source}, 1.{minor}: {name}={on}");
}

fn testdata(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(directory);
    let entries = fs::read_dir(directory).expect("the directory is there");
    entries.map(|entry| entry.expect("a readable entry").path()).collect()
}

#[test]
fn the_flags_of_every_example_are_flags_of_every_version() {
    let image = ImageContents::default();
    let examples = testdata("examples");
    assert!(examples.len() >= 10);
    for example in examples {
        let bytes = fs::read(&example).expect("the example is readable");
        let mut configuration = Configuration::from_document(&bytes).expect("the example decodes").configuration;
        let own = configuration.kubernetes().expect("the example has a version").minor();
        for minor in KNOWN {
            configuration.kubernetes_version = format!("1.{minor}.0");
            let environment = Environment::new(&configuration, &image);
            let flags = environment.get("KUBELET_FLAGS").expect("every environment has the variable");
            assert!(flags.contains("--kubeconfig="), "{}", example.display());
            check(flags, minor, &example.display().to_string(), minor != own);
        }
    }
}

#[test]
fn a_converted_node_bootstrapping_configuration_has_flags_of_every_version() {
    for document in testdata("nbc") {
        let text = fs::read_to_string(&document).expect("the document is readable");
        let mut tree: Value = serde_json::from_str(&text).expect("the document is JSON");
        for minor in KNOWN {
            let orchestrator = &mut tree["ContainerService"]["properties"]["orchestratorProfile"];
            orchestrator["orchestratorVersion"] = json!(format!("1.{minor}.0"));
            let (nbc, _) = Nbc::from_document(tree.to_string().as_bytes()).unwrap_or_else(|report| panic!("{report}"));
            let image = ImageContents::default();
            let assignments = nbc.assignments(&image).expect("the document has an environment");
            let flags = assignments.get("KUBELET_FLAGS").expect("every environment has the variable");
            let source = document.display().to_string();
            check(flags, minor, &source, true);
            let kubelet = nbc.configuration.kubelet_config.as_ref().expect("the document has flags");
            let file = kubelet.kubelet_config_file_config.as_ref().expect("the conversion fills the file");
            for (gate, on) in &file.feature_gates {
                check_gate(gate, *on, minor, &source);
            }
        }
    }
}

/// Every member of the kubelet configuration that becomes a flag.
fn kubelet_config() -> KubeletConfig {
    let amounts = |name: &str, amount: &str| [(name.to_owned(), amount.to_owned())].into();
    KubeletConfig {
        max_pods: Some(30),
        system_reserved: amounts("cpu", "100m"),
        kube_reserved: amounts("cpu", "100m"),
        eviction_hard: amounts("memory.available", "5%"),
        eviction_soft: amounts("memory.available", "10%"),
        eviction_soft_grace_period: amounts("memory.available", "1m"),
        eviction_max_pod_grace_period: Some(30),
        image_gc_high_threshold_percent: Some(85),
        image_gc_low_threshold_percent: Some(80),
        cpu_cfs_quota: Some(true),
        cpu_cfs_quota_period: None,
        cpu_manager_policy: Some("static".to_owned()),
        topology_manager_policy: Some("restricted".to_owned()),
        container_log_max_size: Some("50Mi".to_owned()),
        container_log_max_files: Some(5),
        pod_pids_limit: Some(1000),
        allowed_unsafe_sysctls: vec!["net.core.somaxconn".to_owned()],
        cluster_dns_service_ip: Some("10.0.0.10".to_owned()),
        fail_swap_on: None,
    }
}

#[test]
fn karpenters_flags_are_flags_of_every_version() {
    for kubelet_config in [None, Some(kubelet_config())] {
        for minor in KNOWN {
            let subnet_id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/n/subnets/t";
            let inputs = BootstrapInputs {
                arch: "amd64".to_owned(),
                kubernetes_version: format!("1.{minor}.0"),
                subnet_id: subnet_id.to_owned(),
                ca_bundle: Some(String::new()),
                taints: vec![Taint { key: "a".to_owned(), value: "b".to_owned(), effect: "NoSchedule".to_owned() }],
                kubelet_config: kubelet_config.clone(),
                ..BootstrapInputs::default()
            };
            let image = ImageContents::default();
            let assignments = inputs.assignments(&image).expect("the inputs are complete");
            let flags = assignments.get("KUBELET_FLAGS").expect("Karpenter's script has the variable");
            assert!(flags.contains("--register-with-taints=a=b:NoSchedule"), "{flags}");
            check(flags, minor, "Karpenter", false);
        }
    }
}

#[test]
fn the_flags_of_the_kubelets_unit_and_of_the_scripts_are_flags_of_every_version() {
    let parts = Path::new(env!("CARGO_MANIFEST_DIR")).join("parts/provisioning");
    let read = |path: PathBuf| fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let unit = read(parts.join("units/kubelet.service"));
    let (_, command) = unit.split_once("ExecStart=").expect("the unit has a command");
    let mut texts = vec![command.to_owned()];
    for entry in fs::read_dir(parts.join("units/kubelet.service.d")).expect("the directory is there") {
        let text = read(entry.expect("a readable entry").path());
        texts.extend(text.lines().filter(|line| line.starts_with("Environment=\"KUBELET_")).map(str::to_owned));
    }
    for script in ["configs/certificates.sh", "configs/kubelet.sh"] {
        let text = read(parts.join(script));
        let adds = |line: &&str| {
            ["KUBELET_FLAGS=$(list_with ", "write_tls_bootstrap_flags \"--"].iter().any(|text| line.contains(text))
        };
        texts.extend(text.lines().filter(adds).map(str::to_owned));
    }
    let mut seen = 0;
    for text in &texts {
        for word in text.split(|letter: char| letter.is_whitespace() || "\"'=()".contains(letter)) {
            if word.starts_with("--") && !BEFORE_THESE_VERSIONS.contains(&word) {
                seen += 1;
                for minor in KNOWN {
                    check(word, minor, "the unit", false);
                }
            }
        }
    }
    assert!(seen >= 13, "found only {seen} flags");
}
