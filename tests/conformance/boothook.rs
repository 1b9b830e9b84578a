//! `conformance/boothook`: NodeBootstrappingConfiguration → `CustomData` and command of the `scriptless` route.

use std::collections::BTreeMap;
use std::io::Read;

use aks_node_controller::Secret;
use aks_node_controller::delivery::{Request, Route};
use aks_node_controller::environment::{Components, ImageContents};
use aks_node_controller::inputs::nbc::Nbc;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;

use super::{components, vectors};

/// Replaces every embedded payload by a mark with the path that it is written to, and keeps the payloads.
fn with_marks(text: &str, payloads: &mut BTreeMap<String, String>) -> String {
    let mut marked = text.to_owned();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric() && !"+/=".contains(c)) {
        // A gzip member of deflate.
        if !word.starts_with("H4sI") {
            continue;
        }
        let mut content = String::new();
        let bytes = STANDARD.decode(word).expect("a payload is base64");
        assert_eq!(bytes[4..8], [0; 4], "the time is 0");
        GzDecoder::new(&*bytes).read_to_string(&mut content).expect("a payload is text in gzip");
        let at = text.find(word).expect("it was found there");
        let path = path_of(text, at, word.len());
        if path.contains("boothook") {
            content = with_marks(&content, payloads);
        }
        marked = marked.replace(word, &format!("<payload:{path}>"));
        payloads.insert(path, content);
    }
    marked
}

/// Returns the path to which the text writes a payload: in the line before it, behind it, or in the Ignition entry above.
fn path_of(text: &str, at: usize, length: usize) -> String {
    let (before, after) = (&text[..at], &text[at + length..]);
    let word = |text: &str| text.split(['\n', ' ', '"']).next().expect("there is a first").to_owned();
    if let Some(path) = after.strip_prefix("' | base64 -d | gzip -d > ") {
        return word(path);
    }
    let sign = if before.ends_with('\n') { " | base64 -d | gzip -d >" } else { "\"path\": \"" };
    word(before.rsplit(sign).next().expect("there is a last"))
}

#[test]
fn both_modes_are_the_references() {
    let vectors = vectors("boothook");
    // Without them, the component list is not there either.
    if vectors.is_empty() {
        return;
    }
    let image = ImageContents {
        components: Components::parse(&components()).expect("a component list"),
        ..ImageContents::default()
    };
    for (name, vector) in vectors {
        let read = Nbc::from_document(vector["nbc"].to_string().as_bytes());
        let (nbc, _) = read.unwrap_or_else(|report| panic!("{name}: {report}"));
        let request = Request { route: Route::Scriptless, image: image.clone(), ..Request::default() };
        let delivery = request.render(&nbc).unwrap_or_else(|error| panic!("{name}: {error}"));
        let expect = &vector["expect"];
        let mode = delivery.secrets.map_or("classic", |secrets| secrets.name());
        assert_eq!(expect["mode"], mode, "{name}");
        if mode == "classic" {
            assert_eq!(delivery.route, Route::Scripted, "{name}");
            let command = delivery.cse.map(Secret::into_exposed).expect("a command");
            let wanted = expect["cse"].as_str().expect("text");
            assert_eq!(without_proxies(&command), without_proxies(wanted), "{name}");
            continue;
        }
        let text = STANDARD.decode(delivery.custom_data.encoded.expose()).expect("base64");
        let text = String::from_utf8(text).expect("text");
        let mut payloads = BTreeMap::new();
        assert_eq!(with_marks(&text, &mut payloads), expect["custom_data"]["text"].as_str().expect("text"), "{name}");
        let command = delivery.cse.map(Secret::into_exposed).expect("a command");
        assert_eq!(with_marks(&command, &mut payloads), expect["cse"].as_str().expect("text"), "{name}");
        let wanted = expect["payloads"].as_object().expect("an object");
        assert!(payloads.keys().eq(wanted.keys().collect::<std::collections::BTreeSet<_>>()), "{name}");
        for (path, payload) in wanted {
            let found = &payloads[path];
            match payload {
                _ if payload["text"].is_string() => {
                    let (found, wanted) =
                        (without_proxies(found), without_proxies(payload["text"].as_str().expect("text")));
                    assert_eq!(found, wanted, "{name}: {path}");
                }
                _ if payload["field"].is_string() => {
                    let field = payload["field"].as_str().expect("text");
                    assert_eq!(vector["nbc"][field], **found, "{name}: {path}");
                }
                _ => files_are_equal(found, &payload["write_files"], &name),
            }
        }
    }
}

/// The quotes inside one value are our own; the tests of the scripted route compare what bash makes of it.
fn without_proxies(line: &str) -> String {
    let Some((before, rest)) = line.split_once("PROXY_VARS=\"") else { return line.to_owned() };
    let (_, after) = rest.split_once("\" ENABLE_SECURE").expect("the next variable");
    format!("{before}PROXY_VARS=\"\" ENABLE_SECURE{after}")
}

/// Paths, modes, owners and encodings are the reference's; contents are our own.
fn files_are_equal(cloud_config: &str, wanted: &Value, name: &str) {
    let field = |line: &str, key: &str| line.trim().strip_prefix(key).map(|value| value.trim_matches('"').to_owned());
    let mut files: Vec<BTreeMap<&str, String>> = Vec::new();
    for line in cloud_config.lines() {
        if let Some(path) = field(line, "- path: ") {
            files.push(BTreeMap::from([("path", path), ("encoding", String::new())]));
        }
        for key in ["permissions", "owner", "encoding"] {
            if let Some(value) = field(line, &format!("{key}: ")) {
                files.last_mut().expect("a path comes first").insert(key, value);
            }
        }
    }
    assert_eq!(*wanted, serde_json::to_value(files).expect("texts"), "{name}");
}
