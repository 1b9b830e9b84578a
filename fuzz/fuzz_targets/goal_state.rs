//! Any bytes as the goal state of the host: the reader ends without a panic.

#![no_main]

use aks_node_controller::node::early_fetch::readers;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = readers::goal_state(bytes);
});
