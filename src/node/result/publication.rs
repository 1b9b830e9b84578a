//! The steps of the protocol, in their order.

use std::io;

use super::{DocumentError, Recorded, ResultDocument};

/// Where a file of the protocol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::node) enum Location {
    /// On the disk.
    Disk,
    /// In `/run`, which does not outlive the boot.
    Run,
}

/// The files of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::node) enum ResultFile {
    /// How the attempt ended.
    Document,
    /// The document is complete.
    Marker,
}

/// The operations of a file system that the protocol needs. Each call is a step after which the process may be killed.
pub(in crate::node) trait Storage {
    /// Reads a file. Returns `None` if it does not exist.
    fn read(&self, location: Location, file: ResultFile) -> io::Result<Option<Vec<u8>>>;

    /// Reserves space for a file.
    fn reserve(&mut self, location: Location, file: ResultFile) -> io::Result<()>;

    /// Writes a file under its temporary name.
    fn write(&mut self, location: Location, file: ResultFile, content: &[u8]) -> io::Result<()>;

    /// Makes the content of the temporary file durable.
    fn sync(&mut self, location: Location, file: ResultFile) -> io::Result<()>;

    /// Renames the temporary file to its final name.
    fn rename(&mut self, location: Location, file: ResultFile) -> io::Result<()>;

    /// Makes the names in the directory of a file durable.
    fn sync_directory(&mut self, location: Location, file: ResultFile) -> io::Result<()>;

    /// Makes a file durable that another process has written.
    fn settle(&mut self, location: Location, file: ResultFile) -> io::Result<()>;

    /// Renames a file to the name of a previous one. Does nothing if it does not exist.
    fn set_aside(&mut self, location: Location, file: ResultFile) -> io::Result<()>;

    /// Removes a file. Does nothing if it does not exist.
    fn remove(&mut self, location: Location, file: ResultFile) -> io::Result<()>;
}

/// The result of an attempt as a waiter sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::node) enum ObservedResult {
    /// There is no marker, or the result of another machine.
    NotComplete,
    /// There is a marker and its document.
    Complete(Recorded),
    /// There is a marker without a valid document. `None`: without any document.
    Broken(Option<DocumentError>),
}

/// Reads marker and document. A document in `/run` is of this boot, so it has precedence.
///
/// # Errors
/// Fails if the file system cannot tell whether the marker exists.
pub(in crate::node) fn observe(storage: &impl Storage, instance_id: Option<&str>) -> io::Result<ObservedResult> {
    let mut marker = storage.read(Location::Disk, ResultFile::Marker);
    if !matches!(marker, Ok(Some(_))) && matches!(storage.read(Location::Run, ResultFile::Marker), Ok(Some(_))) {
        marker = Ok(Some(Vec::new()));
    }
    if marker?.is_none() {
        return Ok(ObservedResult::NotComplete);
    }
    let mut cause = None;
    for location in [Location::Run, Location::Disk] {
        match storage.read(location, ResultFile::Document) {
            Ok(None) => {}
            Ok(Some(bytes)) => match Recorded::parse(&bytes) {
                Ok(recorded) if is_foreign(&recorded, instance_id) => return Ok(ObservedResult::NotComplete),
                Ok(recorded) => return Ok(ObservedResult::Complete(recorded)),
                Err(error) => cause = Some(error),
            },
            Err(error) => cause = Some(DocumentError::Unreadable(error.to_string())),
        }
    }
    Ok(ObservedResult::Broken(cause))
}

/// Reports whether a document belongs to another machine, from whose disk this one was made. A document without a machine
/// belongs to this one.
fn is_foreign(recorded: &Recorded, instance_id: Option<&str>) -> bool {
    match (&recorded.instance_id, instance_id) {
        (Some(theirs), Some(ours)) => theirs != ours,
        _ => false,
    }
}

/// What an attempt finds when it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::node) enum Start {
    /// Nothing that a waiter could take for the result of this attempt.
    Clear,
    /// The result of an earlier attempt. Nothing may be changed.
    AlreadyComplete(Recorded),
    /// The marker of an earlier attempt without a valid document. Nothing may be changed. `None`: without any document.
    Broken(Option<DocumentError>),
}

/// Begins an attempt: keeps the result of an earlier one, or removes what an attempt that did not end left behind and
/// reserves space for the new result. The caller holds the lock.
///
/// # Errors
/// Fails if the result of another machine cannot be removed: a waiter would take it for the new one.
pub(in crate::node) fn begin(storage: &mut impl Storage, instance_id: Option<&str>) -> io::Result<Start> {
    match observe(storage, instance_id)? {
        ObservedResult::NotComplete => {}
        ObservedResult::Complete(recorded) => return Ok(Start::AlreadyComplete(recorded)),
        ObservedResult::Broken(error) => return Ok(Start::Broken(error)),
    }
    // The marker of another machine is removed first and durably: without it, its document has no meaning.
    if matches!(storage.read(Location::Disk, ResultFile::Marker), Ok(Some(_))) {
        storage.remove(Location::Disk, ResultFile::Marker)?;
        storage.sync_directory(Location::Disk, ResultFile::Marker)?;
    }
    storage.remove(Location::Run, ResultFile::Marker)?;
    storage.remove(Location::Run, ResultFile::Document)?;
    // If the disk cannot be written, the old document stays; `publish` handles that.
    let has_document = !matches!(storage.read(Location::Disk, ResultFile::Document), Ok(None));
    if has_document && storage.set_aside(Location::Disk, ResultFile::Document).is_ok() {
        let _ = storage.sync_directory(Location::Disk, ResultFile::Document);
    }
    for file in [ResultFile::Document, ResultFile::Marker] {
        let _ = storage.reserve(Location::Disk, file);
    }
    Ok(Start::Clear)
}

/// Publishes the result of an attempt: writes the document to the first location that can be written, then the marker if
/// the attempt is over. Returns the location of the document.
///
/// # Errors
/// Fails if the document could not be written anywhere, in which case there is no marker, or the marker could not.
pub(in crate::node) fn publish(
    storage: &mut impl Storage,
    document: &ResultDocument,
    is_over: bool,
) -> io::Result<Location> {
    let line = document.to_line();
    let location = match put(storage, Location::Disk, ResultFile::Document, line.as_bytes()) {
        Ok(()) => Location::Disk,
        Err(error) => {
            let document = document.clone().with_error(&format!("cannot write the result to disk: {error}"));
            put(storage, Location::Run, ResultFile::Document, document.to_line().as_bytes())?;
            Location::Run
        }
    };
    if !is_over {
        return Ok(location);
    }
    // A marker that outlives the boot must not be beside an old document that could not be removed.
    let is_alone = location == Location::Disk || matches!(storage.read(Location::Disk, ResultFile::Document), Ok(None));
    if !(is_alone && put(storage, Location::Disk, ResultFile::Marker, b"").is_ok()) {
        put(storage, Location::Run, ResultFile::Marker, b"")?;
    }
    Ok(location)
}

/// Completes a result whose document another process has written: makes it durable, then writes the marker.
///
/// # Errors
/// Fails if the document cannot be made durable, or the marker cannot be written anywhere.
pub(in crate::node) fn complete(storage: &mut impl Storage) -> io::Result<()> {
    storage.settle(Location::Disk, ResultFile::Document)?;
    put(storage, Location::Disk, ResultFile::Marker, b"")
        .or_else(|_| put(storage, Location::Run, ResultFile::Marker, b""))
}

fn put(storage: &mut impl Storage, location: Location, file: ResultFile, content: &[u8]) -> io::Result<()> {
    storage.write(location, file, content)?;
    storage.sync(location, file)?;
    storage.rename(location, file)?;
    storage.sync_directory(location, file)
}
