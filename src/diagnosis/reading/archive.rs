//! Reads an archive of the logs of a node: tar, gzip and zip, also inside each other.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;
use std::rc::Rc;

use flate2::bufread::{DeflateDecoder, MultiGzDecoder};

use super::{BUNDLE_DIRECTORY, BUNDLE_INDEX, Collection, Ends, problem};
use crate::diagnosis::evidence::{Evidence, Source};
use crate::diagnosis::moment::Moment;

/// The most bytes that are unpacked in all, so that a small file cannot keep the program busy.
const MOST_UNPACKED: u64 = 2 << 30;

/// The most entries of archives that are looked at.
const MOST_ENTRIES: usize = 100_000;

/// The deepest nesting of archives that is read.
const DEEPEST: usize = 3;

/// The largest archive that is read inside another one, which takes memory.
const LARGEST_INNER: u64 = 64 << 20;

/// Collects the texts of an archive.
///
/// # Errors
/// Fails if the file cannot be opened, or is not an archive that can be read. An archive that is cut off or damaged is read as far
/// as possible.
pub fn archive(path: &Path) -> io::Result<Evidence> {
    let mut file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("is not a regular file; pass a directory with --root"));
    }
    let mut beginning = Vec::new();
    file.by_ref().take(1024).read_to_end(&mut beginning)?;
    file.rewind()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut found = Collection::default();
    let budget = Budget { left: Rc::new(Cell::new(MOST_UNPACKED)), entries: Rc::new(Cell::new(MOST_ENTRIES)) };
    match Packing::of(&beginning) {
        Some(Packing::Zip) => {
            let size = file.metadata()?.len();
            zip(&mut found, rawzip::FileReader::from(file), size, &budget, DEEPEST)?;
        }
        Some(Packing::Tar) => tar(&mut found, &mut budget.limit(BufReader::new(file)), &budget, DEEPEST),
        Some(Packing::Gzip) => gzip(&mut found, &name, &mut BufReader::new(file), &budget, DEEPEST),
        Some(Packing::Other(what)) => {
            return Err(io::Error::other(format!(
                "is {what}, which is not read; unpack it and pass the directory with --root"
            )));
        }
        None if beginning.is_empty() => return Err(io::Error::other("is empty")),
        None => {
            return Err(io::Error::other(
                "is not a tar, tar.gz or zip archive; pass a directory with --root, and a single file to `explain`",
            ));
        }
    }
    Ok(found.finish())
}

/// What a message names if no entry can be named.
const THE_ARCHIVE: &str = "the archive";

/// How much may still be unpacked.
struct Budget {
    left: Rc<Cell<u64>>,
    entries: Rc<Cell<usize>>,
}

impl Budget {
    fn limit<R: Read>(&self, stream: R) -> Limited<R> {
        Limited { stream, left: self.left.clone() }
    }

    /// Counts an entry. Returns false if there have been too many.
    fn count(&self) -> bool {
        let left = self.entries.get();
        self.entries.set(left.saturating_sub(1));
        left > 0
    }
}

/// A stream that ends with an error once too much has been unpacked.
struct Limited<R> {
    stream: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            let gib = MOST_UNPACKED >> 30;
            return Err(io::Error::other(format!("more than {gib} GiB were unpacked; the rest is not read")));
        }
        let most = usize::try_from(self.left.get()).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.stream.read(&mut buffer[..most])?;
        // The stream may have one of these inside, which has counted as well.
        self.left.set(self.left.get().saturating_sub(read as u64));
        Ok(read)
    }
}

/// How bytes are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Gzip,
    Tar,
    Zip,
    Other(&'static str),
}

impl Packing {
    fn of(beginning: &[u8]) -> Option<Self> {
        match beginning {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [b'P', b'K', 3 | 5, 4 | 6, ..] => Some(Self::Zip),
            [0xfd, b'7', b'z', b'X', b'Z', ..] => Some(Self::Other("compressed with xz")),
            [b'B', b'Z', b'h', ..] => Some(Self::Other("compressed with bzip2")),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Other("compressed with zstd")),
            [b'7', b'z', 0xbc, 0xaf, ..] => Some(Self::Other("a 7z archive")),
            _ if beginning.get(257..262) == Some(b"ustar") => Some(Self::Tar),
            _ => None,
        }
    }
}

/// Adds a single compressed text of a directory.
pub(super) fn read_gzip(found: &mut Collection, name: &str, stream: &mut dyn Read) {
    let budget = Budget { left: Rc::new(Cell::new(MOST_UNPACKED)), entries: Rc::new(Cell::new(MOST_ENTRIES)) };
    gzip(found, name, stream, &budget, 1);
}

/// Reads what gzip has compressed: an archive, or a single text with the name of the file.
fn gzip(found: &mut Collection, name: &str, stream: &mut dyn Read, budget: &Budget, levels: usize) {
    let mut plain = budget.limit(MultiGzDecoder::new(BufReader::new(stream)));
    let mut beginning = Vec::new();
    if let Err(error) = plain.by_ref().take(1024).read_to_end(&mut beginning) {
        return found.unread(name, damage(&error));
    }
    let packing = Packing::of(&beginning);
    let mut whole = io::Cursor::new(beginning).chain(plain);
    match packing {
        Some(Packing::Tar) => tar(found, &mut whole, budget, levels),
        Some(_) => inner(found, name, &mut whole, budget, levels),
        None => entry(found, name.strip_suffix(".gz").unwrap_or(name), None, &mut whole, budget, levels),
    }
}

fn tar(found: &mut Collection, stream: &mut dyn Read, budget: &Budget, levels: usize) {
    let mut archive = tar::Archive::new(stream);
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return found.unread(THE_ARCHIVE, damage(&error)),
    };
    for one in entries {
        let mut one = match one {
            Ok(one) => one,
            // Nothing is known of where the next one begins.
            Err(error) => return found.unread(THE_ARCHIVE, damage(&error)),
        };
        if !budget.count() {
            return found.unread(THE_ARCHIVE, format!("has more than {MOST_ENTRIES} entries; the rest is not read"));
        }
        let name = String::from_utf8_lossy(&one.path_bytes()).into_owned();
        let modified = one.header().mtime().ok().and_then(|seconds| i64::try_from(seconds).ok());
        let modified = modified.and_then(|seconds| seconds.checked_mul(1000)).map(Moment);
        let kind = one.header().entry_type();
        if kind.is_symlink() {
            let target = one.link_name_bytes().map(|target| String::from_utf8_lossy(&target).into_owned());
            link(found, &name, &target.unwrap_or_default());
        } else if kind.is_file() || kind.is_gnu_sparse() {
            entry(found, &name, modified, &mut one, budget, levels);
        }
    }
}

/// Looks at a symbolic link of an archive: only where the link to kubelet's certificate leads is evidence.
fn link(found: &mut Collection, name: &str, target: &str) {
    if let Some(name) = inside(name)
        && Source::of_path(&name) == Some(Source::Certificate)
    {
        let ends = Ends { head: target.as_bytes().to_vec(), ..Ends::default() };
        found.add(&name, Source::Certificate, ends, None);
    }
}

/// Reads a zip archive of `size` bytes. Its directory is at its end, so it has to be a file or in memory.
fn zip(
    found: &mut Collection,
    file: impl rawzip::ReaderAt,
    size: u64,
    budget: &Budget,
    levels: usize,
) -> io::Result<()> {
    let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    let archive = rawzip::ZipLocator::new()
        .locate_in_reader(file, &mut buffer, size)
        .map_err(|(_, error)| io::Error::other(format!("is a zip archive that is cut off or damaged: {error}")))?;
    let mut rows = Vec::new();
    let mut entries = archive.entries(&mut buffer);
    loop {
        match entries.next_entry() {
            Ok(Some(one)) => {
                if !budget.count() {
                    found.unread(THE_ARCHIVE, format!("has more than {MOST_ENTRIES} entries; the rest is not read"));
                    break;
                }
                let name = String::from_utf8_lossy(one.file_path().as_ref()).into_owned();
                if !one.is_dir() {
                    rows.push((name, one.compression_method(), one.wayfinder(), one.flags().is_encrypted()));
                }
            }
            Ok(None) => break,
            Err(error) => {
                found.unread(THE_ARCHIVE, format!("is damaged: {error}"));
                break;
            }
        }
    }
    for (name, method, place, is_encrypted) in rows {
        if !is_wanted(&name) {
            continue;
        }
        if is_encrypted {
            found.unread(&name, "is encrypted");
            continue;
        }
        let content = match archive.get_entry(place) {
            Ok(content) => content,
            Err(error) => {
                found.unread(&name, format!("is damaged: {error}"));
                continue;
            }
        };
        let packed = BufReader::new(content.reader());
        match method {
            rawzip::CompressionMethod::STORE => entry(found, &name, None, &mut budget.limit(packed), budget, levels),
            rawzip::CompressionMethod::DEFLATE => {
                let mut plain = budget.limit(DeflateDecoder::new(packed));
                entry(found, &name, None, &mut plain, budget, levels);
            }
            other => found.unread(&name, format!("is compressed in a way that is not read: {other:?}")),
        }
    }
    Ok(())
}

/// Reports whether an entry may be evidence, by its name: a text, or an archive.
fn is_wanted(name: &str) -> bool {
    is_archive(name) || is_index(name) || Source::of_path(name).is_some()
}

fn is_archive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".tar", ".tgz", ".gz", ".zip"].iter().any(|end| name.ends_with(end))
}

fn is_index(name: &str) -> bool {
    name.strip_prefix(BUNDLE_DIRECTORY) == Some(BUNDLE_INDEX)
}

/// Returns the name of an entry without what leaves the archive. `None` if it does.
fn inside(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
    if name.starts_with('/') || parts.contains(&"..") || parts.first().is_some_and(|part| part.ends_with(':')) {
        return None;
    }
    Some(parts.join("/"))
}

/// Reads one entry if it is evidence.
fn entry(
    found: &mut Collection,
    name: &str,
    modified: Option<Moment>,
    stream: &mut dyn Read,
    budget: &Budget,
    levels: usize,
) {
    if !is_wanted(name) {
        return;
    }
    let Some(path) = inside(name) else {
        return found.unread(name, "is a path that leaves the archive; it is not read");
    };
    let plain = path.strip_prefix(BUNDLE_DIRECTORY).unwrap_or(&path);
    if is_index(&path) {
        let (ends, _) = Ends::of_stream(stream);
        found.index = Some(ends.into_text().0);
        return;
    }
    if is_archive(plain) {
        return inner(found, plain, stream, budget, levels);
    }
    let Some(source) = Source::of_path(plain) else { return };
    if source.is_name_only() && source != Source::Certificate {
        return found.add(plain, source, Ends::default(), modified);
    }
    let (ends, error) = Ends::of_stream(stream);
    if let Some(error) = error {
        found.unread(plain, format!("{}; what comes before is read", damage(&error)));
    }
    found.add(plain, source, ends, modified);
}

/// Reads an archive inside another one.
fn inner(found: &mut Collection, name: &str, stream: &mut dyn Read, budget: &Budget, levels: usize) {
    if levels == 0 {
        return found.unread(name, format!("is nested more than {DEEPEST} archives deep; it is not read"));
    }
    let lower = name.to_ascii_lowercase();
    let ends = |suffix: &str| lower.ends_with(suffix);
    if ends("gz") {
        return gzip(found, name, stream, budget, levels - 1);
    }
    if ends(".tar") {
        return tar(found, stream, budget, levels - 1);
    }
    let mut bytes = Vec::new();
    match stream.take(LARGEST_INNER + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 > LARGEST_INNER => {
            found.unread(
                name,
                format!("is larger than {} MiB inside another archive; it is not read", LARGEST_INNER >> 20),
            );
        }
        Ok(_) => {
            let size = bytes.len() as u64;
            if let Err(error) = zip(found, bytes, size, budget, levels - 1) {
                found.unread(name, error.to_string());
            }
        }
        Err(error) => found.unread(name, damage(&error)),
    }
}

/// Returns what is wrong with packed data, for people.
fn damage(error: &io::Error) -> String {
    let text = error.to_string();
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "is cut off".to_owned(),
        _ if text.contains("GiB") => text,
        io::ErrorKind::PermissionDenied => problem(error),
        _ => format!("is damaged: {text}"),
    }
}
