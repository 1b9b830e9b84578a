//! What has a law: what was written can be read, rendering twice gives equal bytes, secrets stay out of what is shown,
//! and no bytes make the reader panic.

mod derivations;
mod differences;
mod kubelet_flags;
mod payloads;
mod places;

use std::fs;
use std::io::Read;
use std::path::Path;

use aks_node_controller::configuration::{Configuration, Kind, Message, SlotMut, validate};
use aks_node_controller::delivery::{Compression, Request, Route};
use aks_node_controller::document::Source;
use aks_node_controller::environment::{Environment, ImageContents};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use proptest::prelude::*;

use crate::shells::arbitrary;

/// How many Configurations each law is tried on.
const CASES: usize = 300;

fn configurations() -> impl Iterator<Item = Configuration> {
    let mut source = arbitrary::Source::new();
    (0..CASES).map(move |_| source.configuration())
}

#[test]
fn what_is_written_can_be_read() {
    for configuration in configurations() {
        let text = configuration.to_json();
        let again = Configuration::from_document(text.as_bytes()).unwrap_or_else(|report| panic!("{report}\n{text}"));
        assert!(again.report.findings.is_empty(), "{}", again.report);
        assert_eq!(again.configuration, configuration);
        assert_eq!(again.configuration.to_json(), text);
        let binary = prost::Message::encode_to_vec(&configuration);
        assert_eq!(Configuration::from_protobuf(&binary).expect("it decodes"), configuration);
    }
}

/// The same text for the YAML reader: JSON is YAML, unless it begins like JSON.
fn as_yaml(json: &str) -> String {
    format!("# YAML\n{json}")
}

#[test]
fn what_is_written_says_the_same_as_yaml() {
    for configuration in configurations() {
        let text = as_yaml(&configuration.to_json());
        let again = Configuration::from_document(text.as_bytes()).unwrap_or_else(|report| panic!("{report}\n{text}"));
        assert!(again.report.findings.is_empty(), "{}", again.report);
        let (read, written) = (again.configuration.to_json(), configuration.to_json());
        let differ = written.lines().zip(read.lines()).find(|(written, read)| written != read);
        assert!(read == written, "{differ:?}");
    }
}

/// Sets every number with a fraction.
fn fill_doubles(message: &mut dyn Message, number: f64) {
    for index in 0..message.descriptor().fields.len() {
        match message.slot_mut(index) {
            SlotMut::OptionalDouble(slot) => *slot = Some(number),
            SlotMut::Message(inner) => fill_doubles(inner, number),
            _ => {}
        }
    }
}

#[test]
fn numbers_that_json_lacks_come_back_too() {
    // Compared as text and as bits, because NaN equals nothing.
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, 1e21, 1e-7] {
        let mut configuration = Configuration::default();
        fill_doubles(&mut configuration, number);
        let text = configuration.to_json();
        for text in [text.clone(), as_yaml(&text)] {
            let again = Configuration::from_document(text.as_bytes()).unwrap_or_else(|report| panic!("{report}"));
            assert_eq!(again.configuration.to_json(), configuration.to_json());
            let bytes = prost::Message::encode_to_vec(&again.configuration);
            assert_eq!(bytes, prost::Message::encode_to_vec(&configuration), "{number}");
        }
    }
}

#[test]
fn rendering_twice_gives_equal_bytes() {
    let mut source = arbitrary::Source::new();
    for configuration in (0..CASES).map(|_| source.representable()) {
        for route in Route::ALL {
            for compression in [Compression::Never, Compression::Always] {
                let request = Request { route, compression, ..Request::default() };
                let (first, second) = (request.render(&configuration), request.render(&configuration.clone()));
                assert_eq!(first.map(|delivery| delivery.custom_data), second.map(|delivery| delivery.custom_data));
            }
        }
    }
}

/// A text that stands in secret fields and must be seen nowhere.
const CANARY: &str = "canary-of-a-secret";

fn plant(message: &mut dyn Message) {
    for (index, field) in message.descriptor().fields.iter().enumerate() {
        match message.slot_mut(index) {
            SlotMut::Text(slot) if field.secret => *slot = format!("{CANARY}\n\"'$"),
            SlotMut::OptionalText(slot) if field.secret => *slot = Some(format!("{CANARY}\n\"'$")),
            SlotMut::Message(inner) => plant(inner),
            _ => assert!(!field.secret || matches!(field.kind, Kind::Text), "a secret of another kind"),
        }
    }
}

#[test]
fn a_secret_is_seen_only_where_it_has_to_go() {
    for mut configuration in configurations().take(50) {
        plant(&mut configuration);
        let facts = ImageContents::default();
        for finding in validate(&configuration, None) {
            assert!(!format!("{finding} {finding:?}").contains(CANARY), "{}", finding.path);
        }
        assert!(!format!("{configuration:?}").contains(CANARY));
        assert!(!configuration.to_redacted_json().to_string().contains(CANARY));
        let environment = Environment::new(&configuration, &facts);
        assert!(environment.iter().any(|entry| entry.value.expose().contains(CANARY)), "the canary was not planted");
        for entry in environment.iter() {
            assert!(!entry.shown().contains(CANARY), "{}", entry.name);
            // Nor inside a payload that travels encoded.
            if let Ok(payload) = STANDARD.decode(entry.shown()) {
                let mut text = String::new();
                let unpacked = GzDecoder::new(&*payload).read_to_string(&mut text);
                let text = unpacked.map_or_else(|_| String::from_utf8_lossy(&payload).into_owned(), |_| text);
                assert!(!text.contains(CANARY), "{}", entry.name);
            }
        }
    }
}

#[test]
fn a_secret_in_the_wrong_shape_is_not_shown_either() {
    for wrong in [format!("[\"{CANARY}\"]"), format!("{{\"{CANARY}x\": \"{CANARY}\"}}"), "48151623".to_owned()] {
        let text = format!(
            r#"{{"version": "v1", "auth_config": {{"service_principal_secret": {wrong}}},
            "bootstrapping_config": {{"tls_bootstrapping_token": {wrong}}}, "kubelet_config": {{"kubelet_client_key": {wrong}}},
            "custom_search_domain_config": {{"realm_password": {wrong}}},
            "http_proxy_config": {{"http_proxy": {wrong}, "httpsProxy": {wrong}}}}}"#
        );
        for text in [as_yaml(&text), text] {
            let report = Configuration::from_document(text.as_bytes()).expect_err("the types are wrong");
            assert_eq!(report.findings.len(), 6, "{report}");
            let shown = format!("{report} {report:?}");
            assert!(!shown.contains(CANARY) && !shown.contains("48151623"), "{report}");
        }
    }
}

#[test]
fn a_secret_that_stands_twice_or_under_a_wrong_name_is_not_shown_either() {
    let text = format!(
        r#"{{"version": "v2", "bootstrapping_config": {{"tls_bootstrapping_token": "{CANARY}",
        "tlsBootstrappingToken": "{CANARY}", "tls_bootstraping_token": "{CANARY}", "token": ["{CANARY}"]}}}}"#
    );
    for text in [as_yaml(&text), text] {
        let report = Configuration::from_document(text.as_bytes()).expect_err("a field stands there twice");
        assert_eq!(report.findings.len(), 3, "{report}");
        assert!(!format!("{report} {report:?}").contains(CANARY), "{report}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_the_reader_panic(
        example in 0..4_usize,
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..6),
    ) {
        let files = ["localdns.yaml", "arm64-minimal.json", "http-proxy-own-ca.yaml", "network-isolated.json"];
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/examples").join(files[example]);
        let mut bytes = fs::read(file).expect("the example is there");
        for (from, to, byte, how) in cuts {
            if bytes.is_empty() {
                break;
            }
            let (a, b) = (from.index(bytes.len()), to.index(bytes.len()));
            let range = a.min(b)..a.max(b);
            match how {
                0 => bytes[a] = byte,
                1 => drop(bytes.drain(range)),
                2 => bytes.extend_from_within(range),
                _ => bytes.insert(a, byte),
            }
        }
        if let Ok(source) = Source::new(&bytes) {
            match Configuration::from_source(&source) {
                Ok(decoded) => {
                    let mut findings = validate(&decoded.configuration, None);
                    source.locate(&mut findings);
                }
                Err(report) => prop_assert!(!report.is_valid()),
            }
        }
    }
}
