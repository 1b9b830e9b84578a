//! Any bytes: what is shown of them is plain text, and a code that is found is one of the table.

#![no_main]

use aks_node_controller::explain;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(found) = explain::explain(&String::from_utf8_lossy(bytes)) else { return };
    assert!(found.code.is_none_or(|code| explain::of_code(code).is_some()));
    let shown = format!("{}{}", found.evidence.unwrap_or_default(), found.step.unwrap_or_default());
    assert!(!shown.contains(char::is_control));
});
