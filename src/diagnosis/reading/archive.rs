//! Reads an archive of the logs of a node: tar, gzip and zip, also nested.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;

use flate2::bufread::{DeflateDecoder, MultiGzDecoder};

use super::budget::{Budget, LARGEST_INNER, MOST_ENTRIES, Progress};
use super::{BEGINNING, BUNDLE_DIRECTORY, BUNDLE_INDEX, Collection, Ends, decoded, is_about_bundle, problem};
use crate::diagnosis::evidence::{Evidence, Source};
use crate::moment::Moment;
use crate::recognition::Binary;

/// The deepest nesting of archives that is read.
const DEEPEST: usize = 3;

/// The longest path of Linux, in bytes. No log has a longer one.
const LONGEST_PATH: usize = 4096;

/// Collects the texts of an archive.
///
/// # Errors
/// Fails if the file cannot be opened, or is not an archive that can be read. A truncated or damaged archive is read as
/// far as possible.
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
    let budget = Budget::default();
    match Binary::of(&beginning) {
        Some(Binary::Zip) => {
            let size = file.metadata()?.len();
            zip(&mut found, rawzip::FileReader::from(file), size, &budget, DEEPEST)?;
        }
        Some(Binary::Tar) => tar(&mut found, &mut budget.limit(BufReader::new(file)), &budget, DEEPEST),
        Some(Binary::Gzip) => gzip(&mut found, &name, None, &mut BufReader::new(file), &budget, DEEPEST),
        Some(other) if other != Binary::Elf => {
            return Err(io::Error::other(format!(
                "is {}, which is not supported; unpack it and pass the directory with --root",
                other.title()
            )));
        }
        None if beginning.is_empty() => return Err(io::Error::other("is empty")),
        _ => {
            return Err(io::Error::other(
                "is not a tar, tar.gz or zip archive; pass a directory with --root, and a single file to `explain`",
            ));
        }
    }
    Ok(found.finish())
}

/// The name in messages that concern no entry.
const THE_ARCHIVE: &str = "the archive";

/// Adds a single compressed text of a directory.
pub(super) fn read_gzip(
    found: &mut Collection,
    name: &str,
    modified: Option<Moment>,
    stream: &mut dyn Read,
    budget: &Budget,
) {
    gzip(found, name, modified, stream, budget, 1);
}

/// Reads a file that gzip has compressed: an archive, or a single text with the name of the file.
fn gzip(
    found: &mut Collection,
    name: &str,
    modified: Option<Moment>,
    stream: &mut dyn Read,
    budget: &Budget,
    levels: usize,
) {
    let mut plain = budget.limit(MultiGzDecoder::new(BufReader::new(stream)));
    let mut beginning = Vec::new();
    if let Err(error) = plain.by_ref().take(1024).read_to_end(&mut beginning) {
        return found.unread(name, damage(&error));
    }
    let packed = Binary::of(&beginning);
    let mut whole = io::Cursor::new(beginning).chain(plain);
    match packed {
        Some(Binary::Tar) => tar(found, &mut whole, budget, levels),
        Some(Binary::Gzip | Binary::Zip) => inner(found, name, modified, &mut whole, budget, levels),
        _ => entry(found, name.strip_suffix(".gz").unwrap_or(name), modified, &mut whole, budget, levels),
    }
}

fn tar(found: &mut Collection, stream: &mut dyn Read, budget: &Budget, levels: usize) {
    let progress = Progress::new();
    let mut archive = tar::Archive::new(progress.headers(stream));
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return found.unread(THE_ARCHIVE, damage(&error)),
    };
    for one in entries {
        let mut one = match one {
            Ok(one) => one,
            // The beginning of the next one is unknown.
            Err(error) => return found.unread(THE_ARCHIVE, damage(&error)),
        };
        let kind = one.header().entry_type();
        let packed = if kind.is_gnu_sparse() { one.header().entry_size().unwrap_or(0) } else { one.size() };
        progress.allow(packed);
        if !budget.count() {
            return found.unread(THE_ARCHIVE, format!("has more than {MOST_ENTRIES} entries; the rest is not read"));
        }
        let Some(name) = name_of(found, &one.path_bytes()) else { continue };
        let modified = one.header().mtime().ok().and_then(|seconds| i64::try_from(seconds).ok());
        let modified = modified.and_then(|seconds| seconds.checked_mul(1000)).map(Moment);
        if kind.is_symlink() {
            let target = one.link_name_bytes().map(|target| String::from_utf8_lossy(&target).into_owned());
            link(found, &name, &target.unwrap_or_default());
        } else if kind.is_file() {
            entry(found, &name, modified, &mut one, budget, levels);
        } else if kind.is_gnu_sparse() {
            // Its holes are not in the archive.
            entry(found, &name, modified, &mut budget.limit(&mut one), budget, levels);
        }
    }
}

/// Returns the name of an entry. `None` if it is too long for the name of a log.
fn name_of(found: &mut Collection, bytes: &[u8]) -> Option<String> {
    let name = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_PATH)]);
    if bytes.len() > LONGEST_PATH {
        found.unread(&name, format!("has a path of more than {LONGEST_PATH} bytes; it is not read"));
        return None;
    }
    Some(name.into_owned())
}

/// Examines a symbolic link of an archive. Only the target of the link to the kubelet's certificate is evidence.
fn link(found: &mut Collection, name: &str, target: &str) {
    if let Some(name) = inside(name)
        && Source::of_path(&name) == Some(Source::Certificate)
    {
        let ends = Ends { head: target.as_bytes().to_vec(), ..Ends::default() };
        found.add(&name, Source::Certificate, ends, None);
    }
}

/// Reads a zip archive of `size` bytes. Its directory is at its end, so it must be a file or in memory.
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
        .map_err(|(_, error)| io::Error::other(format!("is a truncated or damaged zip archive: {error}")))?;
    let mut entries = archive.entries(&mut buffer);
    loop {
        let one = match entries.next_entry() {
            Ok(Some(one)) => one,
            Ok(None) => return Ok(()),
            Err(error) => {
                found.unread(THE_ARCHIVE, format!("is damaged: {error}"));
                return Ok(());
            }
        };
        if !budget.count() {
            found.unread(THE_ARCHIVE, format!("has more than {MOST_ENTRIES} entries; the rest is not read"));
            return Ok(());
        }
        let Some(name) = name_of(found, one.file_path().as_ref()) else { continue };
        if one.is_dir() || !(is_wanted(&name) || may_have_other_name(&name)) {
            continue;
        }
        if one.flags().is_encrypted() {
            found.unread(&name, "is encrypted");
            continue;
        }
        let content = match archive.get_entry(one.wayfinder()) {
            Ok(content) => content,
            Err(error) => {
                found.unread(&name, format!("is damaged: {error}"));
                continue;
            }
        };
        let packed = BufReader::new(content.reader());
        match one.compression_method() {
            rawzip::CompressionMethod::STORE => entry(found, &name, None, &mut budget.limit(packed), budget, levels),
            rawzip::CompressionMethod::DEFLATE => {
                let mut plain = budget.limit(DeflateDecoder::new(packed));
                entry(found, &name, None, &mut plain, budget, levels);
            }
            other => found.unread(&name, format!("has an unsupported compression: {other:?}")),
        }
    }
}

/// Reports whether an entry can be evidence, by its name: a text, or an archive.
fn is_wanted(name: &str) -> bool {
    is_archive(name) || is_index(name) || Source::of_path(name).is_some()
}

/// Reports whether an entry can be a text that somebody renamed, which its content shows: the programs of a machine do not rename
/// what they write to their directories.
fn may_have_other_name(name: &str) -> bool {
    const DIRECTORIES: [&str; 7] = ["dev", "etc", "opt", "proc", "run", "usr", "var"];
    !name.split('/').any(|part| DIRECTORIES.contains(&part)) && !is_about_bundle(name)
}

fn is_archive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".tar", ".tgz", ".gz", ".zip"].iter().any(|end| name.ends_with(end))
}

fn is_index(name: &str) -> bool {
    name.strip_prefix(BUNDLE_DIRECTORY) == Some(BUNDLE_INDEX)
}

/// Returns the normalized name of an entry. `None` if it leaves the archive.
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
    if !(is_wanted(name) || may_have_other_name(name)) {
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
        return inner(found, plain, modified, stream, budget, levels);
    }
    let known = Source::of_path(plain);
    if let Some(source) = known.filter(|source| source.is_name_only() && *source != Source::Certificate) {
        return found.add(plain, source, Ends::default(), modified);
    }
    if found.is_full() {
        if known.is_some() {
            found.omit(plain);
        }
        return;
    }
    let mut beginning = Vec::new();
    if known.is_none() && (&mut *stream).take(BEGINNING as u64).read_to_end(&mut beginning).is_err() {
        return;
    }
    let Some(source) = known.or_else(|| Source::of_text(&decoded(&beginning))) else { return };
    let (ends, error) = Ends::of_stream(&mut io::Cursor::new(beginning).chain(stream));
    if let Some(error) = error {
        found.unread(plain, format!("{}; only the part before it is read", damage(&error)));
    }
    found.add(plain, source, ends, modified);
}

/// Reads an archive inside another one.
fn inner(
    found: &mut Collection,
    name: &str,
    modified: Option<Moment>,
    stream: &mut dyn Read,
    budget: &Budget,
    levels: usize,
) {
    if levels == 0 {
        return found.unread(name, format!("is nested more than {DEEPEST} archives deep; it is not read"));
    }
    let lower = name.to_ascii_lowercase();
    let ends = |suffix: &str| lower.ends_with(suffix);
    if ends("gz") {
        return gzip(found, name, modified, stream, budget, levels - 1);
    }
    if ends(".tar") {
        return tar(found, stream, budget, levels - 1);
    }
    let read = budget.in_memory(stream, |bytes| {
        let size = bytes.len() as u64;
        if let Err(error) = zip(found, bytes, size, budget, levels - 1) {
            found.unread(name, error.to_string());
        }
    });
    match read {
        Ok(Some(())) => {}
        Ok(None) => {
            let mib = LARGEST_INNER >> 20;
            found.unread(name, format!("is larger than {mib} MiB inside another archive; it is not read"));
        }
        Err(error) => found.unread(name, damage(&error)),
    }
}

/// Describes an error in packed data, for people.
fn damage(error: &io::Error) -> String {
    let text = error.to_string();
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "is truncated".to_owned(),
        _ if text.contains("GiB") => text,
        io::ErrorKind::PermissionDenied => problem(error),
        _ => format!("is damaged: {text}"),
    }
}
