//! The steps, in their order.

use std::io;

use super::{Recorded, ResultDocument, Unreadable};

/// Where something is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The disk.
    Disk,
    /// Below `/run`, gone with the boot.
    Run,
}

/// The two files of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// What happened.
    Document,
    /// That it is complete.
    Marker,
}

/// What the protocol asks of a file system. Each call is a step after which the process may be gone.
pub trait Disk {
    /// Reads a file. `None`: it is not there.
    ///
    /// # Errors
    /// The file system does not say.
    fn read(&self, place: Place, item: Item) -> io::Result<Option<Vec<u8>>>;

    /// Takes room for a file while there is some.
    ///
    /// # Errors
    /// There is none.
    fn reserve(&mut self, place: Place, item: Item) -> io::Result<()>;

    /// Writes a file under its temporary name.
    ///
    /// # Errors
    /// It cannot be written.
    fn write(&mut self, place: Place, item: Item, content: &[u8]) -> io::Result<()>;

    /// Makes the content of the temporary file last.
    ///
    /// # Errors
    /// The file system does not promise it.
    fn sync(&mut self, place: Place, item: Item) -> io::Result<()>;

    /// Gives the temporary file its name.
    ///
    /// # Errors
    /// It cannot be renamed.
    fn rename(&mut self, place: Place, item: Item) -> io::Result<()>;

    /// Makes names in the file's folder last.
    ///
    /// # Errors
    /// The file system does not promise it.
    fn sync_folder(&mut self, place: Place, item: Item) -> io::Result<()>;

    /// Makes a file last that somebody else has written.
    ///
    /// # Errors
    /// The file system does not promise it.
    fn settle(&mut self, place: Place, item: Item) -> io::Result<()>;

    /// Gives a file the name of a previous one. Nothing there is no error.
    ///
    /// # Errors
    /// It cannot be renamed.
    fn set_aside(&mut self, place: Place, item: Item) -> io::Result<()>;

    /// Removes a file. Nothing there is no error.
    ///
    /// # Errors
    /// It cannot be removed.
    fn remove(&mut self, place: Place, item: Item) -> io::Result<()>;
}

/// What a waiter sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed {
    /// No marker, or one of another machine.
    NotComplete,
    /// A marker and its document.
    Complete(Recorded),
    /// A marker without a document that says anything: the text, and why.
    Broken(Option<Unreadable>),
}

/// Looks at marker and document. A document below `/run` is of this boot, so it goes first.
///
/// # Errors
/// The file system does not say whether the marker is there.
pub fn observe(disk: &impl Disk, instance_id: Option<&str>) -> io::Result<Observed> {
    let mut marker = disk.read(Place::Disk, Item::Marker);
    if !matches!(marker, Ok(Some(_))) && matches!(disk.read(Place::Run, Item::Marker), Ok(Some(_))) {
        marker = Ok(Some(Vec::new()));
    }
    if marker?.is_none() {
        return Ok(Observed::NotComplete);
    }
    let mut why = None;
    for place in [Place::Run, Place::Disk] {
        match disk.read(place, Item::Document) {
            Ok(None) => {}
            Ok(Some(bytes)) => match Recorded::parse(&bytes) {
                Ok(recorded) if is_foreign(&recorded, instance_id) => return Ok(Observed::NotComplete),
                Ok(recorded) => return Ok(Observed::Complete(recorded)),
                Err(unreadable) => why = Some(unreadable),
            },
            Err(error) => why = Some(Unreadable::NotJson(error.to_string())),
        }
    }
    Ok(Observed::Broken(why))
}

/// Whether a document came with the disk of another machine. One that names no machine counts as this machine's.
fn is_foreign(recorded: &Recorded, instance_id: Option<&str>) -> bool {
    match (&recorded.instance_id, instance_id) {
        (Some(theirs), Some(ours)) => theirs != ours,
        _ => false,
    }
}

/// What an attempt finds when it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// The way is free: nothing of an earlier attempt can be taken for this one's.
    Free,
    /// There was an attempt already; nothing may be touched.
    AlreadyComplete(Observed),
}

/// Begins an attempt: keeps an earlier one's result, or clears what is left of one that did not end, and takes room for
/// the new one. Only for who holds the lock.
///
/// # Errors
/// What is left of another machine's attempt cannot be cleared away: a waiter would take it for the new one's.
pub fn begin(disk: &mut impl Disk, instance_id: Option<&str>) -> io::Result<Beginning> {
    let observed = observe(disk, instance_id)?;
    if observed != Observed::NotComplete {
        return Ok(Beginning::AlreadyComplete(observed));
    }
    // A marker of another machine goes first and for good: without it, its document says nothing.
    if matches!(disk.read(Place::Disk, Item::Marker), Ok(Some(_))) {
        disk.remove(Place::Disk, Item::Marker)?;
        disk.sync_folder(Place::Disk, Item::Marker)?;
    }
    disk.remove(Place::Run, Item::Marker)?;
    disk.remove(Place::Run, Item::Document)?;
    // A disk that takes nothing keeps its old document; `publish` knows.
    let left = !matches!(disk.read(Place::Disk, Item::Document), Ok(None));
    if left && disk.set_aside(Place::Disk, Item::Document).is_ok() {
        let _ = disk.sync_folder(Place::Disk, Item::Document);
    }
    for item in [Item::Document, Item::Marker] {
        let _ = disk.reserve(Place::Disk, item);
    }
    Ok(Beginning::Free)
}

/// Publishes the result of an attempt: the document where it can be kept, then the marker.
///
/// # Errors
/// No document could be kept anywhere; there is no marker then. Or the marker could not be made.
pub fn publish(disk: &mut impl Disk, document: &ResultDocument, complete: bool) -> io::Result<Place> {
    let line = document.to_line();
    let (kept, refused) = match put(disk, Place::Disk, Item::Document, line.as_bytes()) {
        Ok(()) => (Place::Disk, None),
        Err(error) => {
            // The reason belongs into the document that can be kept.
            let document = document.clone().adding(&format!("the result could not be kept on disk: {error}"));
            put(disk, Place::Run, Item::Document, document.to_line().as_bytes())?;
            (Place::Run, Some(error))
        }
    };
    if !complete {
        return Ok(kept);
    }
    // Beside an old document that could not be cleared away, a marker that outlives the boot would tell a lie.
    let lasting = refused.is_none() || matches!(disk.read(Place::Disk, Item::Document), Ok(None));
    if !(lasting && put(disk, Place::Disk, Item::Marker, b"").is_ok()) {
        put(disk, Place::Run, Item::Marker, b"")?;
    }
    Ok(kept)
}

/// Completes a result whose document somebody else has written: makes it last, then makes the marker.
///
/// # Errors
/// Document or marker could not be kept.
pub fn complete(disk: &mut impl Disk) -> io::Result<()> {
    disk.settle(Place::Disk, Item::Document)?;
    put(disk, Place::Disk, Item::Marker, b"").or_else(|_| put(disk, Place::Run, Item::Marker, b""))
}

fn put(disk: &mut impl Disk, place: Place, item: Item, content: &[u8]) -> io::Result<()> {
    disk.write(place, item, content)?;
    disk.sync(place, item)?;
    disk.rename(place, item)?;
    disk.sync_folder(place, item)
}
