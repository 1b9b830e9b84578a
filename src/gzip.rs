//! Compresses with gzip so that the bytes only depend on the input.

pub(crate) mod without_cr;

use std::io::Write;

use flate2::{Compression, GzBuilder};

/// Returns `bytes` at the highest compression, without a file name and with a modification time of 0.
pub(crate) fn compress(bytes: &[u8]) -> Vec<u8> {
    compress_at(Compression::best(), bytes)
}

/// Returns base64 of compressed data in the format of gzip. Searching it for repetitions would take long and find none.
pub(crate) fn compress_encoded(bytes: &[u8]) -> Vec<u8> {
    compress_at(Compression::fast(), bytes)
}

fn compress_at(level: Compression, bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), level);
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to memory does not fail")
}
