//! What one run may read: one budget passes through every archive and every directory, however deep they are nested.

use std::cell::Cell;
use std::io::{self, Read};

/// The most bytes that are unpacked in total, so that a small file cannot keep the program busy.
const MOST_UNPACKED: u64 = 2 << 30;

/// The most entries of archives that are examined.
pub(super) const MOST_ENTRIES: usize = 100_000;

/// The most bytes of archives inside other ones that are in memory at the same time.
pub(super) const LARGEST_INNER: u64 = 64 << 20;

/// What may still be read.
pub(super) struct Budget {
    unpacked: Cell<u64>,
    entries: Cell<usize>,
    memory: Cell<u64>,
}

impl Default for Budget {
    fn default() -> Self {
        let (unpacked, entries) = (Cell::new(MOST_UNPACKED), Cell::new(MOST_ENTRIES));
        Self { unpacked, entries, memory: Cell::new(LARGEST_INNER) }
    }
}

impl Budget {
    /// Returns a stream that fails when too much has been unpacked.
    pub fn limit<R: Read>(&self, stream: R) -> Limited<'_, R> {
        Limited { stream, budget: self }
    }

    /// Counts an entry. Returns false after too many.
    pub fn count(&self) -> bool {
        let left = self.entries.get();
        self.entries.set(left.saturating_sub(1));
        left > 0
    }

    /// Reads a stream into memory and calls a function with it. `None` if it is larger than the remaining budget.
    ///
    /// # Errors
    /// Fails if the stream does.
    pub fn in_memory<T>(&self, stream: impl Read, read: impl FnOnce(Vec<u8>) -> T) -> io::Result<Option<T>> {
        let left = self.memory.get();
        let mut bytes = Vec::new();
        stream.take(left + 1).read_to_end(&mut bytes)?;
        let size = bytes.len() as u64;
        if size > left {
            return Ok(None);
        }
        self.memory.set(left - size);
        let read = read(bytes);
        self.memory.set(left);
        Ok(Some(read))
    }
}

/// A stream that fails when too much has been unpacked.
pub(super) struct Limited<'b, R> {
    stream: R,
    budget: &'b Budget,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.budget.unpacked.get();
        if left == 0 {
            let gib = MOST_UNPACKED >> 30;
            return Err(io::Error::other(format!("only {gib} GiB were unpacked; the rest is not read")));
        }
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.stream.read(&mut buffer[..most])?;
        // The stream can contain another such stream, which has counted as well.
        self.budget.unpacked.set(self.budget.unpacked.get().saturating_sub(read as u64));
        Ok(read)
    }
}

/// The bytes of a tar archive. They end where the headers of an entry are too large: `tar` reads long names and extended headers into
/// memory, whatever their size.
pub(super) struct Headers<'p, R> {
    stream: R,
    progress: &'p Progress,
}

/// How far a tar archive was read, and up to where it may be.
pub(super) struct Progress {
    position: Cell<u64>,
    end: Cell<u64>,
}

impl Progress {
    /// The most bytes of the headers of one entry.
    const LARGEST_HEADERS: u64 = 256 << 10;

    pub fn new() -> Self {
        Self { position: Cell::new(0), end: Cell::new(Self::LARGEST_HEADERS) }
    }

    pub fn headers<R: Read>(&self, stream: R) -> Headers<'_, R> {
        Headers { stream, progress: self }
    }

    /// Allows to read the content that begins here, and the headers of the next entry.
    pub fn allow(&self, content: u64) {
        self.end.set(self.position.get().saturating_add(content).saturating_add(Self::LARGEST_HEADERS));
    }
}

impl<R: Read> Read for Headers<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (position, end) = (self.progress.position.get(), self.progress.end.get());
        if position >= end {
            let kib = Progress::LARGEST_HEADERS >> 10;
            return Err(io::Error::other(format!("an entry has a name or a header of more than {kib} KiB")));
        }
        let most = usize::try_from(end - position).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.stream.read(&mut buffer[..most])?;
        self.progress.position.set(position + read as u64);
        Ok(read)
    }
}
