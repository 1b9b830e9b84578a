//! The layers of a result, as `generate --format files` writes them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;

use super::program;
use super::snapshots::files;
use crate::support::Scratch;

/// The encoded `CustomData`, which is not kept: it is not for people, and depends on how zopfli compresses.
const ENCODED: &str = "custom_data.b64";

/// Payloads that variables carry in base64, and the files that they are kept in.
const PAYLOADS: [(&str, &str); 9] = [
    ("CONTAINERD_CONFIG_CONTENT", "containerd.toml"),
    ("CONTAINERD_CONFIG_NO_GPU_CONTENT", "containerd_no_gpu.toml"),
    ("CUSTOM_ENV_JSON", "custom_environment.json"),
    ("KUBELET_CONFIG_FILE_CONTENT", "kubelet_config.json"),
    ("KUBENET_TEMPLATE", "kubenet_template.conf"),
    ("LOCALDNS_COREFILE_BASE", "corefile"),
    ("LOCALDNS_COREFILE_WITH_HOSTS", "corefile_with_hosts"),
    ("LOCALDNS_GENERATED_COREFILE", "corefile_generated"),
    ("SYSCTL_CONTENT", "sysctl.conf"),
];

/// Returns every layer of what `generate` renders with these arguments, by its path, and what it prints on stderr.
///
/// # Panics
/// Panics if `CustomData` is not one of the layers in base64, compressed or not.
pub fn layers(arguments: &[&str]) -> (BTreeMap<String, String>, String) {
    let scratch = Scratch::new("scenario");
    let out = scratch.to_str().expect("a path of ours is text");
    let (written, errors) = program(&[&["generate", "--format", "files", "--out", out], arguments].concat());
    assert!(!written.is_empty(), "{arguments:?}: {errors}");
    let layer = |file: &std::path::PathBuf| {
        let name = file.strip_prefix(&*scratch).expect("it is below").to_str().expect("our names are text");
        (name.to_owned(), fs::read_to_string(file).expect("layers are text"))
    };
    let mut layers: BTreeMap<_, _> = files(&scratch).iter().map(layer).collect();
    let encoded = layers.remove(ENCODED).expect("every route has CustomData");
    let decoded = STANDARD.decode(encoded.trim_end()).expect("CustomData is base64");
    let decoded = decompressed(&decoded).unwrap_or(decoded);
    assert!(
        layers.values().any(|layer| layer.as_bytes() == decoded),
        "{arguments:?}: CustomData is none of the layers"
    );
    (layers, errors)
}

/// Returns what was compressed with gzip; `None` if the bytes are something else.
fn decompressed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut content).ok()?;
    Some(content)
}

/// Returns the payloads of the variables that a script or command sets, by the name of a file.
pub fn payloads(script: &str) -> impl Iterator<Item = (&'static str, String)> {
    PAYLOADS.into_iter().filter_map(move |(variable, file)| {
        let (_, value) = script.split_once(&format!("{variable}="))?;
        let value = value.trim_start_matches(['"', '\'']);
        let encoded = &value[..value.find(|found| !is_base64(found)).unwrap_or(value.len())];
        let text =
            String::from_utf8(STANDARD.decode(encoded).expect("a payload is base64")).expect("a payload is text");
        (!text.is_empty()).then_some((file, text))
    })
}

/// Replaces each content of a document that is gzip in base64 by what `describe` returns for it.
pub fn replace_compressed(document: &str, mut describe: impl FnMut(Vec<u8>) -> String) -> String {
    /// How the first bytes of gzip are in base64.
    const BEGIN: &str = "H4sI";
    let (mut replaced, mut rest) = (String::new(), document);
    while let Some(start) = rest.find(BEGIN) {
        let (before, encoded) = rest.split_at(start);
        let (encoded, after) = encoded.split_at(encoded.find(|found| !is_base64(found)).unwrap_or(encoded.len()));
        let content =
            STANDARD.decode(encoded).ok().and_then(|bytes| decompressed(&bytes)).expect("it is gzip in base64");
        replaced += before;
        replaced += &describe(content);
        rest = after;
    }
    replaced + rest
}

fn is_base64(character: char) -> bool {
    character.is_ascii_alphanumeric() || "+/=".contains(character)
}
