//! Any bytes as keys and certificates of the host: the reader ends without a panic, and soon.

#![no_main]

use aks_node_controller::node::early_fetch::readers;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = readers::pfx(bytes);
});
