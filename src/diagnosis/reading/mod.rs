//! Collects the texts of a node from a machine, from a directory of its logs, or from an archive of them.
//!
//! Only what [`Source`] knows is read, and of a long text only its beginning and its end. What cannot be read is named; everything
//! else is returned.

mod archive;
mod directory;
mod secrets;

use std::io::{self, Read, Seek, SeekFrom};

pub use archive::archive;
pub use directory::directory;
pub use secrets::secrets;

use super::check::Check;
use super::evidence::{Evidence, Item, Source, Unread};
use super::moment::Moment;
use super::redaction::Redactor;
use crate::document::utf_16;
use crate::explain::presentable;

/// A text of at most so many bytes is read whole.
const WHOLE: u64 = 2 << 20;

/// How many bytes of the beginning of a longer text are read.
const HEAD: usize = 256 << 10;

/// How many bytes of the end of a longer text are read.
const TAIL: usize = 1 << 20;

/// The most texts that are read. Events come one per file.
const MOST_ITEMS: usize = 5000;

/// The most texts whose problems are named.
const MOST_UNREAD: usize = 200;

/// The directory in a bundle of this program.
pub(super) const BUNDLE_DIRECTORY: &str = "aks-node-diagnosis/";

/// What a bundle of this program says about its items, in [`BUNDLE_DIRECTORY`].
pub(super) const BUNDLE_INDEX: &str = "evidence.json";

/// What has been collected so far.
#[derive(Debug, Default)]
struct Collection {
    evidence: Evidence,
    index: Option<String>,
}

impl Collection {
    fn unread(&mut self, path: &str, problem: impl Into<String>) {
        let unread = Unread { path: shown(path), problem: problem.into() };
        if self.evidence.unread.len() < MOST_UNREAD && !self.evidence.unread.contains(&unread) {
            self.evidence.unread.push(unread);
        }
    }

    fn is_full(&self) -> bool {
        self.evidence.items.len() >= MOST_ITEMS
    }

    fn add(&mut self, path: &str, source: Source, ends: Ends, modified: Option<Moment>) {
        if self.is_full() {
            return self.unread(path, format!("is left out: there are more than {MOST_ITEMS} texts"));
        }
        let path = on_the_node(path);
        // The same file may be there under two roots of an archive; the first is as good.
        if self.evidence.items.iter().any(|item| item.path == path) {
            return;
        }
        // The content of an input is a secret, and that of a marker says nothing; a link has its target.
        let is_read = source == Source::Certificate || !source.is_name_only();
        let (text, left_out) = if is_read { ends.into_text() } else { (String::new(), 0) };
        self.evidence.items.push(Item { path, source, text, left_out, modified });
    }

    /// Returns the evidence in the order of paths.
    fn finish(mut self) -> Evidence {
        if let Some(index) = self.index.take() {
            restore(&mut self.evidence, &index);
        }
        self.evidence.items.sort_by(|one, other| one.path.cmp(&other.path));
        self.evidence.unread.sort();
        self.evidence
    }
}

/// Puts back what a bundle of this program says about its items.
fn restore(evidence: &mut Evidence, index: &str) {
    let Ok(index) = serde_json::from_str::<serde_json::Value>(index) else { return };
    evidence.is_running = index["isRunning"].as_bool();
    let checks = index["checks"].as_array().into_iter().flatten().filter_map(Check::from_json);
    // The archive may be of anybody.
    let plain = |text: String| presentable(&text);
    evidence.checks.extend(checks.take(100).map(|check| Check {
        name: plain(check.name),
        detail: plain(check.detail),
        hint: check.hint.map(plain),
        ..check
    }));
    for one in index["unread"].as_array().into_iter().flatten() {
        if let (Some(path), Some(problem)) = (one["path"].as_str(), one["problem"].as_str()) {
            evidence.unread.push(Unread { path: shown(path), problem: shown(problem) });
        }
    }
    for one in index["items"].as_array().into_iter().flatten() {
        let item = evidence.items.iter_mut().find(|item| one["path"] == *item.path);
        if let Some(item) = item {
            item.left_out = one["leftOut"].as_u64().unwrap_or(0);
            item.modified = one["modified"].as_str().and_then(Moment::parse);
        }
    }
}

/// Returns a path that may be shown: without control characters, and not longer than a few lines.
fn shown(path: &str) -> String {
    path.chars()
        .take(400)
        .map(|character| if character.is_control() { char::REPLACEMENT_CHARACTER } else { character })
        .collect()
}

/// Returns the path that a file of an archive or a directory has on the node, if it has the directories of one.
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
            // A file of /proc has no size, and a log may grow meanwhile.
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

    /// Reads a stream to its end. What was read before an error is returned with it.
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

    /// Returns the text, and how many bytes are left out in its middle.
    fn into_text(self) -> (String, u64) {
        let head = decoded(&self.head);
        if self.tail.is_empty() {
            return (head, self.left_out);
        }
        if self.left_out == 0 {
            let whole = [self.head, self.tail].concat();
            return (decoded(&whole), 0);
        }
        // Without the parts of lines, which would be read as lines.
        let head = head.rsplit_once('\n').map_or("", |(lines, _)| lines);
        let tail = String::from_utf8_lossy(&self.tail);
        let tail = tail.split_once('\n').map_or(&*tail, |(_, lines)| lines);
        (format!("{head}\n[{} bytes are left out]\n{tail}", self.left_out), self.left_out)
    }
}

impl Redactor {
    /// Takes the secrets out of all texts.
    pub fn redact(&self, evidence: &mut Evidence) {
        for item in &mut evidence.items {
            item.path = self.redacted(&item.path);
            // What stands for a secret may be longer than the secret.
            let (text, left_out) = shortened(self.redacted(&item.text));
            item.text = text;
            item.left_out += left_out;
        }
        for check in &mut evidence.checks {
            check.detail = self.redacted(&check.detail);
        }
        for unread in &mut evidence.unread {
            unread.path = self.redacted(&unread.path);
            unread.problem = self.redacted(&unread.problem);
        }
    }
}

/// Returns a text that would be read as a whole again: its beginning and its end, and how many bytes are left out between them.
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

/// Returns the text in bytes: UTF-8, or UTF-16 as PowerShell writes it. Without U+0000, which a crash leaves in logs.
fn decoded(bytes: &[u8]) -> String {
    let text = utf_16(bytes).unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned());
    let text = if text.contains('\0') { text.replace('\0', "") } else { text };
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

/// Returns why something cannot be read, for people.
fn problem(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied; root sees more".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}
