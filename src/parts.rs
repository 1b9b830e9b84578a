//! The files under `parts/`, which go onto nodes. They are compressed when the program is built.

use std::io::Read;

use flate2::read::GzDecoder;

/// A file under `parts/`. Scripts are without the lines that are only a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name below `parts/`.
    pub name: &'static str,
    /// Its bytes, gzip'd.
    pub compressed: &'static [u8],
}

impl Part {
    /// Its text.
    ///
    /// # Panics
    /// Never: the program was built with whole files.
    #[must_use]
    pub fn text(&self) -> String {
        text_of(self.compressed)
    }
}

/// The text of something that was compressed when the program was built.
pub(crate) fn text_of(compressed: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(compressed).read_to_string(&mut text).expect("it was compressed from text");
    text
}

/// A file by its name below `parts/`; one that is not there does not compile.
macro_rules! part {
    ($name:literal) => {
        $crate::parts::Part {
            name: $name,
            compressed: include_bytes!(concat!(env!("OUT_DIR"), "/parts/", $name, ".gz")),
        }
    };
}

pub(crate) use part;
