//! Collects the texts of a node from a machine, from a directory of its logs, or from an archive of them.
//!
//! Only files that [`Source`] knows are read, and only the beginning and the end of a long text. Problems are reported
//! for files that cannot be read; everything else is returned.

mod archive;
mod budget;
mod directory;
mod secrets;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::io::{self, Read, Seek, SeekFrom};

pub use archive::archive;
pub use directory::directory;
pub use secrets::secrets;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::check::Check;
use super::evidence::{Evidence, Item, Source, Unread};
use crate::document::stream::uncoloured;
use crate::explain::journal;
use crate::moment::Moment;
use crate::recognition::lossy_text;
use crate::redaction::Redactor;
use crate::redaction::{is_obeyed, presentable};

/// The longest text that is read completely, in bytes.
const WHOLE: u64 = 2 << 20;

/// Bytes at the beginning of a longer text that are read.
const HEAD: usize = 256 << 10;

/// Bytes at the end of a longer text that are read.
const TAIL: usize = 1 << 20;

/// The most texts that are read. Each event is a file.
const MOST_ITEMS: usize = 5000;

/// The most bytes of texts that are kept in total.
const MOST_KEPT: usize = 48 << 20;

/// The largest JSON document that is read, in bytes. Its values take much more memory than its text.
const LARGEST_DOCUMENT: usize = 512 << 10;

/// The most problems that are reported.
const MOST_UNREAD: usize = 200;

/// Bytes that are read of a file with an unknown name, to recognize it.
const BEGINNING: usize = 2048;

/// The directory in a bundle of this program.
pub(super) const BUNDLE_DIRECTORY: &str = "aks-node-diagnosis/";

/// The file about the items of a bundle of this program, in [`BUNDLE_DIRECTORY`].
pub(super) const BUNDLE_INDEX: &str = "evidence.json";

/// The files of a bundle of this program with its own answer, which is no evidence.
pub(super) const ANSWERS: [&str; 3] = ["diagnosis.txt", "diagnosis.json", "left-out.txt"];

/// Reports whether a file is of a bundle of this program and has no text of a machine, wherever the bundle was unpacked.
fn is_about_bundle(path: &str) -> bool {
    let end = path.rsplit_once(BUNDLE_DIRECTORY).map(|(_, name)| name);
    end.is_some_and(|name| name == BUNDLE_INDEX || ANSWERS.contains(&name))
}

/// The evidence so far.
#[derive(Debug, Default)]
struct Collection {
    evidence: Evidence,
    /// The paths of the texts.
    paths: HashSet<String>,
    /// Bytes of the texts.
    kept: usize,
    /// How many problems are not listed.
    unlisted: usize,
    index: Option<String>,
}

impl Collection {
    fn unread(&mut self, path: &str, problem: impl Into<String>) {
        let unread = Unread { path: shown(path), problem: problem.into() };
        if self.evidence.unread.contains(&unread) {
            return;
        }
        if self.evidence.unread.len() < MOST_UNREAD {
            self.evidence.unread.push(unread);
        } else {
            self.unlisted += 1;
        }
    }

    fn is_full(&self) -> bool {
        self.evidence.items.len() >= MOST_ITEMS || self.kept >= MOST_KEPT
    }

    /// Records that a text is left out because there are too many.
    fn omit(&mut self, path: &str) {
        let mib = MOST_KEPT >> 20;
        self.unread(
            path,
            format!("is omitted: there are more than {MOST_ITEMS} texts, or more than {mib} MiB of them"),
        );
    }

    /// Reports whether a text was read.
    fn has(&self, path: &str) -> bool {
        self.paths.contains(&on_the_node(path))
    }

    fn add(&mut self, path: &str, source: Source, ends: Ends, modified: Option<Moment>) {
        if self.is_full() {
            return self.omit(path);
        }
        let path = on_the_node(path);
        // An archive can contain the same file below two roots; the first is enough.
        if !self.paths.insert(path.clone()) {
            return;
        }
        // The content of an input is a secret and the content of a marker is empty; a link has its target.
        let is_read = source == Source::Certificate || !source.is_name_only();
        let (text, left_out) = if is_read { ends.into_text() } else { (String::new(), 0) };
        if source.is_document() && text.len() > LARGEST_DOCUMENT {
            let kib = LARGEST_DOCUMENT >> 10;
            return self.unread(&path, format!("is larger than {kib} KiB; it is not read"));
        }
        let text = if source == Source::Journal { journal::lines(&text).unwrap_or(text) } else { text };
        self.kept += text.len();
        self.evidence.items.push(Item { path, source, text, left_out, modified });
    }

    /// Returns the evidence, ordered by path, with rotated logs before the one that followed: `syslog.2`, `syslog.1`, `syslog`.
    fn finish(mut self) -> Evidence {
        if let Some(index) = self.index.take() {
            restore(&mut self.evidence, &index);
        }
        self.evidence.items.sort_by(|one, other| age(&one.path).cmp(&age(&other.path)));
        self.evidence.unread.sort();
        if self.unlisted > 0 {
            let problem = format!("were not read, or only in part: {}", self.unlisted);
            self.evidence.unread.push(Unread { path: "other files".to_owned(), problem });
        }
        self.evidence
    }
}

/// Returns the path of a log without the number of a rotation, and this number, which is larger for older ones.
fn age(path: &str) -> (&str, Reverse<u32>) {
    let rotated = path.rsplit_once('.').and_then(|(base, number)| Some((base, number.parse().ok()?)));
    let (base, number) = rotated.unwrap_or((path, 0));
    (base, Reverse(number))
}

/// The facts that a bundle of this program has about its items. The archive is untrusted: a list of any values takes little memory
/// until each is read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Index<'i> {
    is_running: Option<bool>,
    #[serde(borrow)]
    checks: Vec<&'i RawValue>,
    #[serde(borrow)]
    unread: Vec<&'i RawValue>,
    #[serde(borrow)]
    items: Vec<&'i RawValue>,
}

/// What the index has about an item.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    path: String,
    left_out: u64,
    modified: Option<String>,
}

/// Restores the facts that a bundle of this program has about its items.
fn restore(evidence: &mut Evidence, index: &str) {
    fn read<'i, T: Deserialize<'i>>(values: Vec<&'i RawValue>, most: usize) -> impl Iterator<Item = T> {
        values.into_iter().take(most).filter_map(|value| serde_json::from_str(value.get()).ok())
    }
    let Ok(index) = serde_json::from_str::<Index<'_>>(index) else { return };
    evidence.is_running = index.is_running;
    let plain = |text: String| presentable(&text).into_string();
    evidence.checks.extend(read(index.checks, 100).map(|check: Check| Check {
        name: plain(check.name),
        detail: plain(check.detail),
        hint: check.hint.map(plain),
        ..check
    }));
    let unread = read(index.unread, MOST_UNREAD + 1);
    evidence.unread.extend(unread.map(|one: Unread| Unread { path: shown(&one.path), problem: shown(&one.problem) }));
    let rows = read(index.items, MOST_ITEMS).map(|row: Row| (row.path.clone(), row));
    let rows: HashMap<String, Row> = rows.collect();
    for item in &mut evidence.items {
        if let Some(row) = rows.get(&item.path) {
            item.left_out = row.left_out;
            item.modified = row.modified.as_deref().and_then(Moment::parse);
        }
    }
}

/// Returns a path to show: without characters that a terminal obeys, and truncated to a few lines.
fn shown(path: &str) -> String {
    path.chars()
        .take(400)
        .map(|character| if is_obeyed(character) { char::REPLACEMENT_CHARACTER } else { character })
        .collect()
}

/// Returns the path on the node of a file in an archive or a directory, if it is below directories of a node.
fn on_the_node(path: &str) -> String {
    const DIRECTORIES: [&str; 4] = ["var/", "run/", "opt/", "proc/"];
    let path = shown(path);
    let has_directory = DIRECTORIES.iter().any(|directory| path.starts_with(directory));
    if has_directory { format!("/{path}") } else { path }
}

/// The beginning and the end of a text.
#[derive(Debug, Default)]
struct Ends {
    head: Vec<u8>,
    left_out: u64,
    tail: Vec<u8>,
}

impl Ends {
    /// Reads a file that can be read from any position.
    fn of_file(file: &mut (impl Read + Seek), size: u64) -> io::Result<Self> {
        let mut head = Vec::new();
        if size <= WHOLE {
            // A file in /proc has no size, and a log can grow in the meantime.
            file.by_ref().take(WHOLE).read_to_end(&mut head)?;
            return Ok(Self { head, ..Self::default() });
        }
        file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let at = size - TAIL as u64;
        file.seek(SeekFrom::Start(at))?;
        let mut tail = Vec::new();
        file.by_ref().take(TAIL as u64).read_to_end(&mut tail)?;
        Ok(Self { left_out: at - head.len() as u64, head, tail })
    }

    /// Reads a stream to its end. Returns the bytes before an error together with the error.
    fn of_stream(mut stream: &mut dyn Read) -> (Self, Option<io::Error>) {
        let mut bytes = Vec::new();
        if let Err(error) = (&mut stream).take(WHOLE).read_to_end(&mut bytes) {
            return (Self { head: bytes, ..Self::default() }, Some(error));
        }
        if (bytes.len() as u64) < WHOLE {
            return (Self { head: bytes, ..Self::default() }, None);
        }
        let mut more = [0; 1];
        match stream.read(&mut more) {
            Ok(0) => return (Self { head: bytes, ..Self::default() }, None),
            Ok(_) => bytes.push(more[0]),
            Err(error) => return (Self { head: bytes, ..Self::default() }, Some(error)),
        }
        let mut tail = bytes.split_off(HEAD);
        let mut left_out = 0;
        loop {
            let read = (&mut stream).take(TAIL as u64).read_to_end(&mut tail);
            let over = tail.len().saturating_sub(TAIL);
            left_out += over as u64;
            tail.drain(..over);
            let ended = match read {
                Ok(read) => (read < TAIL).then_some(None),
                Err(error) => Some(Some(error)),
            };
            if let Some(error) = ended {
                return (Self { head: bytes, left_out, tail }, error);
            }
        }
    }

    /// Returns the text, and how many bytes in its middle are omitted.
    fn into_text(self) -> (String, u64) {
        let head = decoded(&self.head);
        if self.tail.is_empty() {
            return (head, self.left_out);
        }
        if self.left_out == 0 {
            let whole = [self.head, self.tail].concat();
            return (decoded(&whole), 0);
        }
        // Without incomplete lines, which would be read as lines.
        let head = head.rsplit_once('\n').map_or("", |(lines, _)| lines);
        let tail = decoded(&self.tail);
        let tail = tail.split_once('\n').map_or(tail.as_str(), |(_, lines)| lines);
        (format!("{head}\n[{} bytes are omitted]\n{tail}", self.left_out), self.left_out)
    }
}

impl Evidence {
    /// Removes the secrets from all texts.
    pub fn redact(&mut self, redactor: &Redactor) {
        let redacted = |text: &str| redactor.redact_fully(text).into_string();
        for item in &mut self.items {
            item.path = redacted(&item.path);
            // The replacement of a secret can be longer than the secret.
            let (text, left_out) = shortened(redacted(&item.text));
            item.text = text;
            item.left_out += left_out;
        }
        for check in &mut self.checks {
            check.detail = redacted(&check.detail);
        }
        for unread in &mut self.unread {
            unread.path = redacted(&unread.path);
            unread.problem = redacted(&unread.problem);
        }
    }
}

/// Returns a text that is short enough to be read completely: its beginning and its end, and how many bytes between
/// them are omitted.
fn shortened(text: String) -> (String, u64) {
    if text.len() as u64 <= WHOLE {
        return (text, 0);
    }
    let bytes = text.as_bytes();
    let left_out = bytes.len() - HEAD - TAIL;
    let ends =
        Ends { head: bytes[..HEAD].to_vec(), left_out: left_out as u64, tail: bytes[bytes.len() - TAIL..].to_vec() };
    ends.into_text()
}

/// Returns the text in bytes: UTF-8, or UTF-16 as PowerShell writes it. Removes colours, and U+0000, which a crash leaves in logs, except
/// between the arguments and variables of a process, where it ends a secret.
fn decoded(bytes: &[u8]) -> String {
    let text = lossy_text(bytes);
    let text = uncoloured(&text);
    if !text.contains('\0') {
        return text.into_owned();
    }
    let bytes = text.as_bytes();
    let is_zero = |at: usize| bytes.get(at).is_none_or(|byte| *byte == 0);
    let is_between = |at: usize| {
        let is_alone =
            at > 0 && bytes[at - 1].is_ascii_graphic() && bytes.get(at + 1).is_some_and(u8::is_ascii_graphic);
        // Every second one is zero in UTF-16.
        is_alone && at > 1 && !is_zero(at - 2) && !is_zero(at + 2)
    };
    text.char_indices().filter(|(at, character)| *character != '\0' || is_between(*at)).map(|(_, kept)| kept).collect()
}

/// Describes why a file cannot be read, for people.
fn problem(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied; run it as root".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}
