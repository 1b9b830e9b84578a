//! What the test binaries share: scratch directories, processes and events with a generous limit, and prerequisites that may
//! be missing.

#![allow(dead_code, unused_imports, reason = "no test binary uses all of it")]

pub mod machine;
pub mod needs;
mod process;
mod programs;
mod scratch;
mod scripts;
pub mod servers;

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

pub use process::{Running, finish, send, until};
pub use programs::{copy_program, write_program};
pub use scratch::Scratch;
pub use scripts::{baked, shipped};

/// Returns bytes as `gzip` writes them.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory accepts everything")
}
