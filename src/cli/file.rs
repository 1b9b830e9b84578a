//! Reads files and standard input.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::memmem;

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
    let bytes = read_bytes(file).map_err(|error| unreadable(&name, &error))?;
    Ok(Document { name, bytes })
}

/// Returns the failure of a file that cannot be read.
fn unreadable(name: &str, error: &io::Error) -> Failure {
    let problem = format!("cannot read {name}: {error}");
    let is_read = error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<AlreadyRead>);
    if is_read { Failure::Usage(problem) } else { Failure::Input(problem) }
}

/// Standard input is named twice, and has nothing for the second reader.
#[derive(Debug)]
struct AlreadyRead;

impl fmt::Display for AlreadyRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it was already read, and only one of the files can be `-`")
    }
}

impl Error for AlreadyRead {}

/// Opens a file or standard input.
fn open(file: &Path) -> io::Result<Box<dyn Read>> {
    static IS_READ: AtomicBool = AtomicBool::new(false);
    if !is_stdin(file) {
        return Ok(Box::new(File::open(file)?));
    }
    if IS_READ.swap(true, Ordering::Relaxed) {
        return Err(io::Error::other(AlreadyRead));
    }
    Ok(Box::new(io::stdin().lock()))
}

/// The largest file of documents about a cluster: `az vm list-skus` prints megabytes for each region.
const LARGEST_FILE: usize = 16 << 20;

/// The most memory that the values in it may take.
const MOST_MEMORY: usize = 200 << 20;

/// Reads a file or standard input that can have many documents. What is larger than a document is read up to its end only if
/// it begins as they do. Fails if it would take too much memory.
pub(super) fn read_large(file: &Path) -> Result<Document, Failure> {
    let name = name_of(file);
    let read = || {
        let mut bytes = Vec::new();
        let mut reader = open(file)?;
        reader.by_ref().take(LARGEST_DOCUMENT as u64 + 1).read_to_end(&mut bytes)?;
        let is_list =
            bytes.trim_ascii_start().starts_with(b"[") || bytes.windows(10).any(|window| window == b"apiVersion");
        if bytes.len() > LARGEST_DOCUMENT && is_list {
            reader.take((LARGEST_FILE - LARGEST_DOCUMENT) as u64).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    };
    let bytes = read().map_err(|error: io::Error| unreadable(&name, &error))?;
    if bytes.len() > LARGEST_FILE || memory_of(&bytes) > MOST_MEMORY {
        return Err(Failure::Input(format!(
            "{name}: is larger than {LARGEST_FILE} bytes or has too many values\n  \
             hint: `az vm list-skus` prints less with --location and --size"
        )));
    }
    Ok(Document { name, bytes })
}

/// Returns the most bytes of memory that the values in a text of JSON or YAML may take.
fn memory_of(bytes: &[u8]) -> usize {
    /// Bytes of a map with one member, and of any other value.
    const MAP: usize = 1280;
    const VALUE: usize = 176;
    let count = |mark: &[u8]| memmem::find_iter(bytes, mark).count();
    let maps = count(b"{") + count(b"- ") + count(b":\n");
    let values = (count(b",") + count(b"[")).max(count(b"\n"));
    maps * MAP + values * VALUE
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
    open(file)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
