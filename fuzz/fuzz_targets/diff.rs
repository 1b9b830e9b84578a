//! Any two texts, as the contents of a file and of a variable in every format: both directions say the same, and nothing differs
//! from itself.

#![no_main]

use aks_node_controller::difference::{Rules, diff};
use aks_node_controller::environment::ImageContents;
use aks_node_controller::inspection::{Inspection, inspect};
use libfuzzer_sys::fuzz_target;

const PATHS: [&str; 8] = [
    "/a.json",
    "/a.yaml",
    "/a.toml",
    "/a.service",
    "/etc/sysctl.d/a.conf",
    "/a.corefile",
    "/a.sh",
    "/opt/azure/containers/aks-node-controller-config.json",
];

/// A cloud-config with a file, and `None` for bytes that are not text.
fn document(which: u8, content: &[u8]) -> Option<Inspection> {
    let path = PATHS[usize::from(which) % PATHS.len()];
    let content: String =
        std::str::from_utf8(content).ok()?.chars().map(|character| format!("\\U{:08x}", u32::from(character))).collect();
    let text = format!("#cloud-config\nwrite_files:\n- path: {path}\n  content: \"{content}\"\n");
    Some(inspect(text.as_bytes(), &ImageContents::default()))
}

fn check(a: &Inspection, b: &Inspection) {
    let found = diff(a, b, Rules::Meaning);
    let _ = (found.to_json(false), found.to_json(true));
    assert_eq!(diff(b, a, Rules::Meaning).mirrored(), found);
    assert!(diff(a, a, Rules::Meaning).is_empty());
    let _ = diff(a, b, Rules::Reference);
}

fuzz_target!(|bytes: &[u8]| {
    let Some((which, rest)) = bytes.split_first() else { return };
    let (a, b) = rest.split_at(rest.iter().position(|byte| *byte == 0xff).unwrap_or(rest.len() / 2));
    let b = b.strip_prefix(&[0xff]).unwrap_or(b);
    if let (Some(a), Some(b)) = (document(*which, a), document(*which, b)) {
        check(&a, &b);
    }
    let image = ImageContents::default();
    check(&inspect(a, &image), &inspect(b, &image));
});
