//! What is measured: rows of work that the library does, each with the limit that it has to keep.

pub mod growth;

use std::hint::black_box;

use aks_node_controller::configuration::{Configuration, validate};
use aks_node_controller::delivery::{Request, Route, bootstrap_command};
use aks_node_controller::environment::Environment;
use aks_node_controller::inputs::karpenter::BootstrapInputs;
use aks_node_controller::inputs::nbc::Nbc;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A document of about 3.5 KB, as most nodes have.
const DOCUMENT: &str = include_str!("../document.json");

/// What Karpenter has for a node.
const INPUTS: &str = include_str!("../inputs.yaml");

/// What AKS's own services have for a node.
const REQUEST: &str = include_str!("../../testdata/nbc/ubuntu.json");

/// A piece of work.
pub struct Row {
    /// What it does.
    pub what: String,
    /// The most floors that it may take.
    pub limit: f64,
    /// Does it once.
    pub work: Box<dyn Fn()>,
}

impl Row {
    fn new<T>(what: String, limit: f64, work: impl Fn() -> T + 'static) -> Self {
        Self { what, limit, work: Box::new(move || drop(black_box(work()))) }
    }
}

/// Returns the floor, with which everything is compared: one base64 of 48 KiB.
pub fn floor() -> Row {
    let block = vec![0xa5_u8; 48 * 1024];
    Row::new("base64 of 48 KiB".to_owned(), 1.0, move || STANDARD.encode(black_box(&block)))
}

/// Returns every row. All decode their document except Karpenter's inputs, which a program builds itself.
pub fn rows() -> Vec<Row> {
    let large = large(DOCUMENT);
    let small = |what: &str| format!("document of {:.1} KB to {what}", kilobytes(DOCUMENT));
    let inputs = BootstrapInputs::from_document(INPUTS.as_bytes()).expect("the inputs decode").0;
    vec![
        Row::new(small("environment and command"), 1.0, || environment(DOCUMENT)),
        Row::new(
            format!("document of {:.1} KB, with node-local DNS, to environment and command", kilobytes(&large)),
            5.0,
            move || environment(&large),
        ),
        Row::new(small("CustomData, scriptless"), 1.3, || render(DOCUMENT, Route::Scriptless)),
        Row::new(small("CustomData, node-bootstrap-variables"), 1.6, || {
            render(DOCUMENT, Route::NodeBootstrapVariables)
        }),
        Row::new("Karpenter's inputs to CustomData".to_owned(), 1.2, move || {
            Request::default().render(black_box(&inputs)).expect("it renders")
        }),
        Row::new("NodeBootstrappingConfiguration to CustomData and command, scripted".to_owned(), 5.0, || {
            let (nbc, _) = Nbc::from_document(black_box(REQUEST.as_bytes())).expect("the request decodes");
            Request { route: Route::Scripted, ..Request::default() }.render(&nbc).expect("it renders")
        }),
        Row::new(small("findings"), 1.2, || validate(&decode(DOCUMENT), None)),
    ]
}

/// Returns the size of a text in KB.
#[expect(clippy::cast_precision_loss, reason = "documents are small")]
pub fn kilobytes(text: &str) -> f64 {
    text.len() as f64 / 1000.0
}

fn decode(text: &str) -> Configuration {
    Configuration::from_document(black_box(text).as_bytes()).expect("the document decodes").configuration
}

fn environment(text: &str) -> usize {
    let image = Request::default().image;
    let configuration = decode(text);
    let environment = Environment::new(&configuration, &image);
    environment.iter().map(|assignment| assignment.value.expose().len()).sum::<usize>() + bootstrap_command().len()
}

fn render(text: &str, route: Route) -> usize {
    let request = Request { route, ..Request::default() };
    request.render(&decode(text)).expect("it renders").custom_data.encoded.expose().len()
}

/// Returns a document with as much as large ones have: node-local DNS for many zones, and custom CAs.
fn large(document: &str) -> String {
    let zones = |destination: &str| -> String {
        let zone = |zone: u8| {
            format!(
                r#""zone-{zone}.example.com": {{"query_logging": "Error", "protocol": "PreferUDP",
                "forward_destination": "{destination}", "forward_policy": "Sequential", "max_concurrent": 1000,
                "cache_duration_in_seconds": 3600, "serve_stale": "Verify"}}"#
            )
        };
        (0..12).map(zone).collect::<Vec<_>>().join(", ")
    };
    let ca = STANDARD.encode(include_bytes!("../../testdata/certificates/authority.pem"));
    format!(
        r#"{}, "custom_ca_certs": [{}], "local_dns_profile": {{"enable_local_dns": true, "cpu_limit_in_milli_cores": 2000,
        "memory_limit_in_mb": 256, "vnet_dns_overrides": {{{}}}, "kube_dns_overrides": {{{}}}}}}}"#,
        document.trim_end().strip_suffix('}').expect("it is an object"),
        vec![format!("\"{ca}\""); 8].join(", "),
        zones("VnetDNS"),
        zones("ClusterCoreDNS"),
    )
}
