//! The protocol's steps on a real file system.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use rustix::fs::FallocateFlags;

use super::{Disk, Item, Place};
use crate::atomic_file;
use crate::catalogue::paths;
use crate::node::Machine;
use crate::node::files::{self, SECRET_MODE};

/// Room that is taken for a document while there is some, in bytes.
const RESERVED: u64 = 4096;

/// Which marker an attempt ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// The node is made, or is not going to be.
    Provision,
    /// The stage of an image bake. Its marker is another one, so that a node made from the image is still made.
    BasePrep,
}

impl Completion {
    /// The path of the marker.
    #[must_use]
    pub const fn marker(self) -> &'static str {
        match self {
            Self::Provision => paths::PROVISION_COMPLETE,
            Self::BasePrep => paths::BASE_PREP_COMPLETE,
        }
    }
}

/// The file system of a machine.
#[derive(Clone, Debug)]
pub struct RealDisk {
    machine: Machine,
    completion: Completion,
}

impl RealDisk {
    /// The file system of `machine`, with the marker that the attempt is to end with.
    #[must_use]
    pub fn new(machine: &Machine, completion: Completion) -> Self {
        Self { machine: machine.clone(), completion }
    }

    /// The path of a file.
    #[must_use]
    pub fn path(&self, place: Place, item: Item) -> PathBuf {
        self.machine.path(match (place, item) {
            (Place::Disk, Item::Document) => paths::RESULT,
            (Place::Disk, Item::Marker) => self.completion.marker(),
            (Place::Run, Item::Document) => paths::VOLATILE_RESULT,
            (Place::Run, Item::Marker) => paths::VOLATILE_COMPLETE,
        })
    }

    fn temporary(&self, place: Place, item: Item) -> PathBuf {
        atomic_file::temporary_name(&self.path(place, item))
    }
}

/// That a file is not there is an answer, not an error.
fn unless_absent(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

impl Disk for RealDisk {
    fn read(&self, place: Place, item: Item) -> io::Result<Option<Vec<u8>>> {
        let path = self.path(place, item);
        // Of a marker only its being there counts; a document that is a pipe must not stop its reader.
        let read = match item {
            Item::Marker => fs::metadata(&path).map(|_| Vec::new()),
            Item::Document => files::read_regular(&path, crate::document::LARGEST_DOCUMENT as u64),
        };
        match read {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn reserve(&mut self, place: Place, item: Item) -> io::Result<()> {
        let path = self.path(place, item);
        files::create_folder_of(&path)?;
        atomic_file::remove_leftovers(&path);
        let file = atomic_file::create(&self.temporary(place, item), SECRET_MODE)?;
        if item == Item::Document {
            rustix::fs::fallocate(&file, FallocateFlags::KEEP_SIZE, 0, RESERVED)?;
        }
        Ok(())
    }

    fn write(&mut self, place: Place, item: Item, content: &[u8]) -> io::Result<()> {
        let path = self.path(place, item);
        let temporary = self.temporary(place, item);
        // Into the room that was taken, so no earlier than at the end is it given back.
        let mut file = OpenOptions::new().write(true).open(&temporary).or_else(|_| {
            files::create_folder_of(&path)?;
            atomic_file::create(&temporary, SECRET_MODE)
        })?;
        let written = file.write_all(content).and_then(|()| file.set_len(content.len() as u64));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written
    }

    fn sync(&mut self, place: Place, item: Item) -> io::Result<()> {
        File::open(self.temporary(place, item))?.sync_all()
    }

    fn rename(&mut self, place: Place, item: Item) -> io::Result<()> {
        fs::rename(self.temporary(place, item), self.path(place, item))
    }

    fn sync_folder(&mut self, place: Place, item: Item) -> io::Result<()> {
        atomic_file::sync_folder_of(&self.path(place, item))
    }

    fn settle(&mut self, place: Place, item: Item) -> io::Result<()> {
        File::open(self.path(place, item))?.sync_all()?;
        self.sync_folder(place, item)
    }

    fn set_aside(&mut self, place: Place, item: Item) -> io::Result<()> {
        let path = self.path(place, item);
        let mut previous = path.clone().into_os_string();
        previous.push(".previous");
        unless_absent(fs::rename(&path, previous))
    }

    fn remove(&mut self, place: Place, item: Item) -> io::Result<()> {
        unless_absent(fs::remove_file(self.path(place, item)))
    }
}
