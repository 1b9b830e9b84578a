//! The contract does not move unnoticed: `docs/upstream.md` has the digest of the contract that this program implements, and the
//! changes that are expected.

use aks_node_controller::Input;
use aks_node_controller::environment::ImageContents;
use aks_node_controller::inputs::NodeInput;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::wire::description;

const PAGE: &str = include_str!("../../docs/upstream.md");

/// What to do.
const ADVICE: &str = "the contract has moved: do what docs/upstream.md says, then replace the digest there";

/// Returns the digest of the messages and enums of a contract, without the order of files.
fn digest(contract: &Value) -> String {
    let sorted = |kind: &str| {
        let mut list = contract[kind].as_array().expect("a list").clone();
        list.sort_by_key(|one| one["name"].to_string());
        Value::from(list)
    };
    let text = format!("{}{}", sorted("messages"), sorted("enums"));
    Sha256::digest(text).iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
}

fn message<'c>(contract: &'c Value, name: &str) -> &'c Value {
    let messages = contract["messages"].as_array().expect("a list");
    messages.iter().find(|one| one["name"] == format!("aksnodeconfig.v1.{name}")).expect("the message is there")
}

fn has_field(contract: &Value, name: &str, field: &str) -> bool {
    message(contract, name)["fields"].as_array().expect("a list").iter().any(|one| one["name"] == field)
}

/// Checks a contract against the page.
fn check(contract: &Value) {
    // The expected changes first: their messages say more.
    let numbers = message(contract, "Configuration")["fields"].as_array().expect("a list").iter();
    let last = numbers.filter_map(|field| field["number"].as_u64()).max();
    assert!(!has_field(contract, "Configuration", "kubernetes_package_version"), "field 46 has arrived; {ADVICE}");
    assert_eq!(last, Some(45), "a field was added; {ADVICE}");
    assert!(has_field(contract, "LocalDnsHealthCheck", "domain"), "the domain was removed; {ADVICE}");
    let digest = digest(contract);
    assert!(PAGE.contains(&format!("Digest of the contract: `{digest}`")), "{ADVICE}: {digest}");
}

#[test]
fn our_contract_is_the_one_that_is_followed() {
    check(&description(&super::generate::descriptors()));
}

#[test]
fn the_references_contract_is_the_one_that_is_followed() {
    let Some(file) = crate::support::needs::vectors("contract.json") else { return };
    let text = std::fs::read_to_string(file).expect("the contract is readable");
    check(&serde_json::from_str(&text).expect("the contract is JSON"));
}

/// What this program does today, so that a row of the page stays true.
#[test]
fn what_the_page_says_of_today_is_so() {
    let example = |name: &str| {
        let path = format!("{}/testdata/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("it is there")
    };
    let variable = |document: &str, name: &str| {
        let input = Input::from_document(document.as_bytes()).expect("it is valid");
        let image = ImageContents::default();
        let image = input.image(&image);
        let environment = input.assignments(&image).expect("it has variables");
        environment.get(name).unwrap_or_default().to_owned()
    };
    let plain = example("examples/ubuntu-azure-cni.yaml");
    let newer = format!("{plain}\nkubernetes_package_version: 1.37.0~beta.0\n");
    let input = Input::from_document(newer.as_bytes()).expect("an unknown field is a warning");
    let image = ImageContents::default();
    let environment = input.assignments(&image).expect("it has variables");
    assert!(environment.iter().all(|one| one.value.expose() != "1.37.0~beta.0"));

    let layout = example("examples/arm64-minimal.json");
    let mut layout: Value = serde_json::from_str(&layout).expect("JSON");
    layout["gpu_config"] = serde_json::json!({"mig_profile_layout": ["MIG3g", "MIG4g"]});
    assert_eq!(variable(&layout.to_string(), "MIG_NODE"), "false");

    let corefile = variable(&example("examples/localdns.yaml"), "LOCALDNS_GENERATED_COREFILE");
    let corefile = STANDARD.decode(corefile).expect("base64");
    let corefile = String::from_utf8(corefile).expect("text");
    assert!(corefile.contains("health-check.localdns.local") && !corefile.lines().any(|line| line.trim() == "reload"));
}
