//! Karpenter's objects under `testdata/karpenter`.

use super::layers::{layers, payloads};
use super::program;
use super::snapshots::Snapshots;

/// The options for the objects, each with its file.
pub const OBJECTS: [(&str, &str); 5] = [
    ("--node-claim", "node_claim.yaml"),
    ("--node-class", "node_class.yaml"),
    ("--settings", "settings.yaml"),
    ("--cluster", "cluster.yaml"),
    ("--instance-type", "instance_type.json"),
];

#[test]
fn karpenters_objects_give_what_is_kept() {
    let mut snapshots = Snapshots::below("scenarios/karpenter");
    let objects = OBJECTS.map(|(option, file)| [option.to_owned(), format!("karpenter/{file}")]);
    let objects: Vec<&str> = objects.as_flattened().iter().map(String::as_str).collect();
    let convert = [&["convert", "--from", "karpenter"][..], &objects].concat();
    let (layers, _) = layers(&objects);
    for (payload, text) in payloads(&layers["bootstrap.sh"]) {
        snapshots.file(&format!("payloads/{payload}"), text);
    }
    for (layer, text) in layers {
        snapshots.file(&layer, text);
    }
    let (inputs, notes) = program(&convert);
    snapshots.file("inputs.json", inputs);
    snapshots.text("notes", &notes);
    for (name, option) in [("explained.json", "--explain"), ("launch_template.json", "--launch-template")] {
        snapshots.file(name, program(&[&convert[..], &[option]].concat()).0);
    }
    snapshots.has_no_others();
}
