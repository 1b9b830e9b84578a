//! The files under `parts/`, which `build.rs` has joined and compressed.

use std::io::Read;

use flate2::read::GzDecoder;

/// A file under `parts/`. Scripts are joined, without lines that are only a comment.
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

/// Returns a file by its path below `parts/`, which can be given in pieces. A path that does not exist is a compile
/// error.
macro_rules! embedded {
    ($($name:literal),+) => {
        $crate::embedded::EmbeddedFile {
            name: concat!($($name),+),
            compressed: include_bytes!(concat!(env!("OUT_DIR"), "/parts/", $($name),+, ".gz")),
        }
    };
}

pub(crate) use embedded;
