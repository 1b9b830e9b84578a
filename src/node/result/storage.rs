//! The steps of the protocol on the file system of a node.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use rustix::fs::FallocateFlags;

use super::{Location, ResultFile, Storage};
use crate::atomic_file;
use crate::catalogue::paths;
use crate::document::LARGEST_DOCUMENT;
use crate::node::Machine;
use crate::node::files::{self, SECRET_MODE};

/// Bytes that are reserved for a document while the disk still has space.
const RESERVED: u64 = 4096;

/// The suffix of a document that is set aside.
const PREVIOUS: &str = ".previous";

/// The marker that an attempt ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::node) enum Completion {
    /// The attempt to provision the node has ended.
    Provision,
    /// The first stage of an image build has ended. A node from the image is still provisioned.
    BasePrep,
}

impl Completion {
    const fn marker(self) -> &'static str {
        match self {
            Self::Provision => paths::PROVISION_COMPLETE,
            Self::BasePrep => paths::BASE_PREP_COMPLETE,
        }
    }
}

/// The file system of a machine.
#[derive(Clone, Debug)]
pub(in crate::node) struct NodeStorage {
    machine: Machine,
    completion: Completion,
}

impl NodeStorage {
    /// Returns the file system of `machine`, with the marker at the end of the attempt.
    pub fn new(machine: &Machine, completion: Completion) -> Self {
        Self { machine: machine.clone(), completion }
    }

    /// Returns the path of a file.
    pub fn path(&self, location: Location, file: ResultFile) -> PathBuf {
        self.machine.path(match (location, file) {
            (Location::Disk, ResultFile::Document) => paths::RESULT,
            (Location::Disk, ResultFile::Marker) => self.completion.marker(),
            (Location::Run, ResultFile::Document) => paths::VOLATILE_RESULT,
            (Location::Run, ResultFile::Marker) => paths::VOLATILE_COMPLETE,
        })
    }

    /// Removes the reserved space that is not needed, because the child process has written the files itself.
    pub fn release(&self) {
        for file in [ResultFile::Document, ResultFile::Marker] {
            let _ = fs::remove_file(self.temporary(Location::Disk, file));
        }
    }

    fn temporary(&self, location: Location, file: ResultFile) -> PathBuf {
        atomic_file::temporary_name(&self.path(location, file))
    }
}

/// Treats the error that a file does not exist as success, also because another file is in the place of its directory.
fn unless_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(()),
        result => result,
    }
}

impl Storage for NodeStorage {
    fn read(&self, location: Location, file: ResultFile) -> io::Result<Option<Vec<u8>>> {
        let path = self.path(location, file);
        // A marker only needs to exist. A document must be a regular file, because a pipe would block its reader.
        let read = match file {
            ResultFile::Marker => fs::metadata(&path).map(|_| Vec::new()),
            ResultFile::Document => files::read_regular(&path, LARGEST_DOCUMENT as u64),
        };
        match read {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn reserve(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        let path = self.path(location, file);
        files::create_directory_of(&path)?;
        atomic_file::remove_leftovers(&path);
        let temporary = atomic_file::create(&self.temporary(location, file), SECRET_MODE)?;
        if file == ResultFile::Document {
            rustix::fs::fallocate(&temporary, FallocateFlags::KEEP_SIZE, 0, RESERVED)?;
        }
        Ok(())
    }

    fn write(&mut self, location: Location, file: ResultFile, content: &[u8]) -> io::Result<()> {
        let path = self.path(location, file);
        let temporary = self.temporary(location, file);
        // Not truncated when it is opened, because that would free the reserved space before the content is written.
        let mut opened = OpenOptions::new().write(true).open(&temporary).or_else(|_| {
            files::create_directory_of(&path)?;
            atomic_file::create(&temporary, SECRET_MODE)
        })?;
        let written = opened.write_all(content).and_then(|()| opened.set_len(content.len() as u64));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written
    }

    fn sync(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        File::open(self.temporary(location, file))?.sync_all()
    }

    fn rename(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        fs::rename(self.temporary(location, file), self.path(location, file))
    }

    fn sync_directory(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        atomic_file::sync_directory_of(&self.path(location, file))
    }

    fn settle(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        File::open(self.path(location, file))?.sync_all()?;
        self.sync_directory(location, file)
    }

    fn set_aside(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        let path = self.path(location, file);
        let mut previous = path.clone().into_os_string();
        previous.push(PREVIOUS);
        unless_missing(fs::rename(&path, previous))
    }

    fn remove(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        let path = self.path(location, file);
        unless_missing(fs::remove_file(&path))
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    }
}
