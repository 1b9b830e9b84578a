//! Reads files and standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::Failure;
use crate::document::LARGEST_DOCUMENT;

/// The bytes of a document and its name in messages.
pub(super) struct Document {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Reads a file or standard input; see [`read_bytes`].
pub(super) fn read(file: &Path) -> Result<Document, Failure> {
    let name = name_of(file);
    let bytes = read_bytes(file).map_err(|error| Failure::Input(format!("cannot read {name}: {error}")))?;
    Ok(Document { name, bytes })
}

/// Returns the name of a file in messages.
pub(super) fn name_of(file: &Path) -> String {
    if is_stdin(file) { "<stdin>".to_owned() } else { file.display().to_string() }
}

fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

/// Reads a file or standard input, at most one byte more than the largest document.
pub(super) fn read_bytes(file: &Path) -> io::Result<Vec<u8>> {
    read_at_most(file, LARGEST_DOCUMENT as u64 + 1)
}

/// Reads a file or standard input up to a number of bytes.
pub(super) fn read_at_most(file: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_stdin(file) {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        File::open(file)?.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
