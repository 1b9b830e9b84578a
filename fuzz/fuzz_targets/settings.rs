//! Any bytes as the settings of the host, encrypted and decrypted: the readers end without a panic.

#![no_main]

use aks_node_controller::node::early_fetch::readers;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = readers::settings(bytes);
});
