//! Reads files and standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::{Failure, output};
use crate::document::LARGEST_DOCUMENT;
use crate::recognition::utf_16;

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

/// The largest file of documents about a cluster: `az vm list-skus` prints megabytes for each region.
pub(super) const LARGEST_FILE: u64 = 256 << 20;

/// Reads a file or standard input that can have many documents. What is larger than a document is read up to its end only if
/// it begins as they do.
pub(super) fn read_large(file: &Path) -> Result<Document, Failure> {
    let name = name_of(file);
    let read = || {
        let mut bytes = Vec::new();
        let mut reader: Box<dyn Read> =
            if is_stdin(file) { Box::new(io::stdin().lock()) } else { Box::new(File::open(file)?) };
        reader.by_ref().take(LARGEST_DOCUMENT as u64 + 1).read_to_end(&mut bytes)?;
        let has = |word: &str| {
            let wide: Vec<u8> = word.bytes().flat_map(|byte| [byte, 0]).collect();
            [word.as_bytes(), &wide].iter().any(|word| bytes.windows(word.len()).any(|window| window == *word))
        };
        let is_list =
            bytes.trim_ascii_start().starts_with(b"[") || bytes.starts_with(b"\xff\xfe[") || has("apiVersion");
        if bytes.len() > LARGEST_DOCUMENT && is_list {
            reader.take(LARGEST_FILE).read_to_end(&mut bytes)?;
        }
        let limit = if is_list { LARGEST_FILE } else { LARGEST_DOCUMENT as u64 };
        Ok(as_utf_8(file, bytes, limit))
    };
    let bytes = read().map_err(|error: io::Error| Failure::Input(format!("cannot read {name}: {error}")))?;
    Ok(Document { name, bytes })
}

/// Returns the name of a file in messages.
pub(super) fn name_of(file: &Path) -> String {
    if is_stdin(file) { "<stdin>".to_owned() } else { file.display().to_string() }
}

fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

/// Reads a document from a file or standard input, at most one byte more than the largest one. UTF-16 is returned as UTF-8.
pub(super) fn read_bytes(file: &Path) -> io::Result<Vec<u8>> {
    let limit = LARGEST_DOCUMENT as u64;
    Ok(as_utf_8(file, read_at_most(file, limit + 1)?, limit))
}

/// Returns what a file contains as UTF-8, if it is UTF-16 with a byte order mark. What is larger than the limit is not whole, and is
/// rejected for its size.
fn as_utf_8(file: &Path, bytes: Vec<u8>, limit: u64) -> Vec<u8> {
    match utf_16(&bytes) {
        Some(text) if bytes.len() as u64 <= limit => {
            output::note(&format!("note: {} is UTF-16; a node needs UTF-8", name_of(file)));
            text.into_bytes()
        }
        _ => bytes,
    }
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
