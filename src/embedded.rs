//! The files under `parts/`, as `build.rs` has joined and compressed them.

use std::io::Read;

use flate2::read::GzDecoder;

/// A file under `parts/`. Scripts are joined, and have no lines that are only a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddedFile {
    /// Path below `parts/`.
    pub name: &'static str,
    /// Content, compressed with gzip.
    pub compressed: &'static [u8],
}

impl EmbeddedFile {
    /// Returns the content.
    ///
    /// # Panics
    /// Never: `build.rs` has compressed text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        GzDecoder::new(self.compressed).read_to_string(&mut text).expect("it was compressed from text");
        text
    }
}

/// A file by its path below `parts/`, which may be in pieces. A path that does not exist is an error of the compiler.
macro_rules! embedded {
    ($($name:literal),+) => {
        $crate::embedded::EmbeddedFile {
            name: concat!($($name),+),
            compressed: include_bytes!(concat!(env!("OUT_DIR"), "/parts/", $($name),+, ".gz")),
        }
    };
}

pub(crate) use embedded;
