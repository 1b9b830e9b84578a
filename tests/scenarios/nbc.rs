//! The scripted route: a `NodeBootstrappingConfiguration` under `testdata/nbc` gives the CSE command, `CustomData` and its files,
//! and the variables. To add a scenario: a document there, and `make generate-testdata`.
//!
//! Of each scenario `testdata/scenarios/nbc/NAME` has
//!
//! - `cse.snap.sh`: the command, and `payloads/`: what its variables carry in base64;
//! - `custom_data.snap`: the cloud-config or Ignition document, where the name of a file of the repository stands for each
//!   compressed content;
//! - `archive.snap`: the files of the archive that Ignition extracts, in the same manner;
//! - `environment.snap`: the variables with secrets redacted, and `report.snap`: what `validate` prints.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Read;

use super::images::place;
use super::layers::{layers, payloads, replace_compressed};
use super::program;
use super::snapshots::{Snapshots, stem};

#[test]
fn every_request_gives_what_is_kept() {
    let mut snapshots = Snapshots::below("scenarios/nbc");
    let mut count = 0;
    insta::glob!("../../testdata/nbc", "*.json", |path| {
        let name = stem(path);
        let document = format!("nbc/{name}.json");
        let (mut layers, _) = layers(&["--nbc", &document, "--route", "scripted"]);
        let command = layers.remove("cse.sh").expect("the route has a command");
        // A part as it is, such as kubenet's template, is not kept again.
        for (payload, text) in payloads(&command).filter(|(_, text)| place(text).is_none()) {
            snapshots.file(&format!("{name}/payloads/{payload}"), text);
        }
        snapshots.file(&format!("{name}/cse.sh"), command);
        let custom_data = match layers.remove("cloud_config.yaml") {
            Some(document) => cloud_config(&document, layers),
            None => ignition(&mut snapshots, name, layers),
        };
        snapshots.text(&format!("{name}/custom_data"), &custom_data);
        snapshots.text(&format!("{name}/environment"), &program(&["env", "--nbc", &document]).0);
        snapshots.text(&format!("{name}/report"), &program(&["validate", &document]).0);
        count += 1;
    });
    snapshots.has_no_others();
    assert!(count >= 14);
}

/// Files for the node's controller: cloud-init and Ignition, with secrets in `CustomData` and outside it. What is the same
/// in both modes, or in every cloud, is kept once.
#[test]
fn every_file_for_the_controller_is_what_is_kept() {
    // What differs between the modes.
    const DELIVERED: &[&str] = &["custom_data.sh", "ignition.json", "cse.sh", "boothook.sh"];
    let mut snapshots = Snapshots::below("scenarios/controller");
    for (name, secrets, kept) in [
        ("ubuntu-24-04", "auto", None),
        ("ubuntu-24-04", "protected-settings", Some(DELIVERED)),
        ("flatcar", "auto", Some(DELIVERED)),
        ("flatcar", "protected-settings", Some(DELIVERED)),
        ("custom-cloud", "auto", Some(&["nodecustomdata.yml"])),
    ] {
        let document = format!("nbc/{name}.json");
        let (layers, _) = layers(&["--nbc", &document, "--route", "scriptless", "--secrets", secrets]);
        for (layer, text) in layers.iter().filter(|(layer, _)| kept.is_none_or(|kept| kept.contains(&&***layer))) {
            let shown = replace_compressed(text, |content| {
                let same = layers.iter().find(|(_, layer)| layer.as_bytes() == content);
                let content = String::from_utf8(content).expect("a file of a node is text");
                let place = same.map(|(name, _)| name.as_str()).or_else(|| place(&content));
                format!("(gzip of {})", place.expect("a layer, or a file of an image"))
            });
            snapshots.file(&format!("{name}/{secrets}/{layer}"), shown);
        }
    }
    snapshots.has_no_others();
}

/// Returns a cloud-config with the place of each file instead of its content.
///
/// # Panics
/// Panics if the document has other files than the layers.
fn cloud_config(document: &str, mut layers: BTreeMap<String, String>) -> String {
    let described = replace_compressed(document, |content| {
        let content = String::from_utf8(content).expect("a file of a node is text");
        let place = place(&content).expect("an image has the file too");
        layers.retain(|_, layer| *layer != content);
        format!("(gzip of {place})")
    });
    layers.retain(|_, layer| !document.contains(layer.trim_end()));
    assert!(layers.is_empty(), "the cloud-config does not have {:?}", layers.keys());
    described
}

/// Returns an Ignition document without its archive, whose files are a snapshot of their own.
///
/// # Panics
/// Panics if the archive has other files than the layers.
fn ignition(snapshots: &mut Snapshots, name: &str, mut layers: BTreeMap<String, String>) -> String {
    let document = layers.remove("ignition.json").expect("an image boots with cloud-init or Ignition");
    let document: serde_json::Value = serde_json::from_str(&document).expect("Ignition reads JSON");
    let mut list = String::new();
    let document = replace_compressed(&format!("{document:#}"), |archive| {
        let mut archive = tar::Archive::new(&*archive);
        for entry in archive.entries().expect("an archive") {
            let mut entry = entry.expect("an entry");
            let path = entry.path().expect("a path").to_str().expect("our names are text").to_owned();
            let mut content = String::new();
            entry.read_to_string(&mut content).expect("a file of a node is text");
            assert_eq!(layers.remove(&path).as_ref(), Some(&content), "{path}");
            let mode = entry.header().mode().expect("a mode");
            let place = place(&content).unwrap_or("archive/ beside this file");
            writeln!(list, "{mode:04o} {path}: {place}").expect("text takes text");
            if place.starts_with("archive/") {
                snapshots.file(&format!("{name}/archive/{path}"), content);
            }
        }
        "(gzip of a tar with the files of archive.snap)".to_owned()
    });
    snapshots.text(&format!("{name}/archive"), &list);
    assert!(layers.is_empty(), "the archive does not have {:?}", layers.keys());
    document
}
