//! The steps of the protocol, in their order.

use std::io;

use super::{DocumentError, Recorded, ResultDocument};

/// The location of a file of the protocol.
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

/// The file system operations of the protocol. The process can be killed after each call.
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
    /// The marker is missing, or the result belongs to another machine.
    NotComplete,
    /// The marker and its document exist.
    Complete(Recorded),
    /// The marker exists without a valid document. `None` if no document exists.
    Broken(Option<DocumentError>),
}

/// Reads marker and document. A document in `/run` belongs to this boot, so it takes precedence.
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

/// Reports whether a document belongs to another machine, from whose disk this one was created. A document without an
/// id belongs to this machine.
fn is_foreign(recorded: &Recorded, instance_id: Option<&str>) -> bool {
    match (&recorded.instance_id, instance_id) {
        (Some(theirs), Some(ours)) => theirs != ours,
        _ => false,
    }
}

/// The situation at the beginning of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::node) enum Start {
    /// Nothing exists that a waiter could mistake for the result of this attempt.
    Clear,
    /// An earlier attempt has a result, which must not be changed.
    AlreadyComplete(Recorded),
    /// An earlier attempt has a marker without a valid document, which must not be changed. `None` if no document
    /// exists.
    Broken(Option<DocumentError>),
}

/// Begins an attempt: keeps the result of an earlier one, or removes the remains of an unfinished one and reserves
/// space for the new result. The caller must hold the lock.
///
/// # Errors
/// Fails if the result of another machine cannot be removed, because a waiter would mistake it for the new one.
pub(in crate::node) fn begin(storage: &mut impl Storage, instance_id: Option<&str>) -> io::Result<Start> {
    match observe(storage, instance_id)? {
        ObservedResult::NotComplete => {}
        ObservedResult::Complete(recorded) => return Ok(Start::AlreadyComplete(recorded)),
        ObservedResult::Broken(error) => return Ok(Start::Broken(error)),
    }
    // The marker of another machine is removed first and durably, because its document has no meaning without it.
    if matches!(storage.read(Location::Disk, ResultFile::Marker), Ok(Some(_))) {
        storage.remove(Location::Disk, ResultFile::Marker)?;
        storage.sync_directory(Location::Disk, ResultFile::Marker)?;
    }
    storage.remove(Location::Run, ResultFile::Marker)?;
    storage.remove(Location::Run, ResultFile::Document)?;
    // If the disk cannot be written, the old document stays, which `publish` handles.
    let has_document = !matches!(storage.read(Location::Disk, ResultFile::Document), Ok(None));
    if has_document && storage.set_aside(Location::Disk, ResultFile::Document).is_ok() {
        let _ = storage.sync_directory(Location::Disk, ResultFile::Document);
    }
    for file in [ResultFile::Document, ResultFile::Marker] {
        let _ = storage.reserve(Location::Disk, file);
    }
    Ok(Start::Clear)
}

/// Publishes the result of an attempt: writes the document to the first writable location, then the marker beside it if the
/// attempt is over. Returns the location of both. A result in `/run` is gone after a reboot, and the node tries again.
///
/// # Errors
/// Fails if the document could not be written anywhere, and then writes no marker, or if the marker could not.
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
    if is_over { mark(storage, location) } else { Ok(location) }
}

/// Completes a result whose document another process has written: makes it durable, then writes the marker.
///
/// # Errors
/// Fails if the document cannot be made durable, or the marker cannot be written anywhere.
pub(in crate::node) fn complete(storage: &mut impl Storage) -> io::Result<()> {
    storage.settle(Location::Disk, ResultFile::Document)?;
    if matches!(storage.read(Location::Disk, ResultFile::Marker), Ok(Some(_))) {
        return storage.sync_directory(Location::Disk, ResultFile::Marker);
    }
    mark(storage, Location::Disk).map(drop)
}

/// Writes the marker to the location of the document. If the disk does not take it, both go to `/run`: one without the other would
/// be a broken result after a reboot.
fn mark(storage: &mut impl Storage, location: Location) -> io::Result<Location> {
    if location == Location::Disk {
        if put(storage, Location::Disk, ResultFile::Marker, b"").is_ok() {
            return Ok(Location::Disk);
        }
        let document = storage.read(Location::Disk, ResultFile::Document)?.unwrap_or_default();
        put(storage, Location::Run, ResultFile::Document, &document)?;
        // The marker may have its name already. While it cannot be removed, its document stays too.
        if storage.remove(Location::Disk, ResultFile::Marker).is_ok()
            && storage.sync_directory(Location::Disk, ResultFile::Marker).is_ok()
        {
            let _ = storage.set_aside(Location::Disk, ResultFile::Document);
        }
    }
    put(storage, Location::Run, ResultFile::Marker, b"")?;
    Ok(Location::Run)
}

fn put(storage: &mut impl Storage, location: Location, file: ResultFile, content: &[u8]) -> io::Result<()> {
    storage.write(location, file, content)?;
    storage.sync(location, file)?;
    storage.rename(location, file)?;
    storage.sync_directory(location, file)
}
