//! Any bytes: what they carry is found without a panic, and every layer has a place in the tree.

#![no_main]

use aks_node_controller::environment::ImageContents;
use aks_node_controller::inspection::inspect;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let found = inspect(bytes, &ImageContents::default());
    assert!(found.layers.first().is_none_or(|layer| layer.depth == 0));
    for pair in found.layers.windows(2) {
        assert!(pair[1].depth <= pair[0].depth + 1);
    }
    for run in &found.runs {
        let _ = found.redactor().redact(run.text.expose());
    }
});
