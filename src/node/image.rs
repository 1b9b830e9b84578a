//! `bake`: puts on an image what a node needs.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::files;
use crate::atomic_file;
use crate::catalogue::node_distros::Family;
use crate::catalogue::node_files::{Content, LEFTOVERS, NodeFile, image_files};

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was not there, or was another.
    Written,
    /// It was there as it should be.
    Unchanged,
    /// It was there and should not be.
    Removed,
}

impl Change {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Unchanged => "unchanged",
            Self::Removed => "removed",
        }
    }
}

/// Why an image could not be made. What was written until then is whole, and a second run goes on.
#[derive(Debug, thiserror::Error)]
#[error("cannot put {path} on the image: {error}", path = path.display())]
pub struct NotBaked {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

/// The content of a file of the table.
///
/// # Errors
/// This program cannot be read.
pub fn content(file: &NodeFile, family: Family) -> io::Result<Vec<u8>> {
    match file.content {
        Content::Program => fs::read("/proc/self/exe"),
        Content::Part(part) => Ok(part.text().into_bytes()),
        Content::ByFamily(part_of) => Ok(part_of(family).text().into_bytes()),
        Content::Text(text) | Content::Link(text) => Ok(text.as_bytes().to_vec()),
    }
}

/// Puts every file of the family's images below `root`, each in one piece, and takes away what an image must not carry. Doing so
/// again changes nothing.
///
/// # Errors
/// A file cannot be written, or leads out of `root` by a link.
pub fn bake(root: &Path, family: Family) -> Result<Vec<(&'static str, Change)>, NotBaked> {
    let mut changes = Vec::new();
    for file in image_files(family) {
        let path = root.join(file.path.trim_start_matches('/'));
        let failed = |error| NotBaked { path: path.clone(), error };
        files::stays_below(root, &path).map_err(failed)?;
        let content = content(file, family).map_err(failed)?;
        let is_there = is_as_it_should_be(file, &path, &content);
        if !is_there {
            put(file, &path, &content).map_err(failed)?;
        }
        changes.push((file.path, if is_there { Change::Unchanged } else { Change::Written }));
    }
    for leftover in LEFTOVERS {
        let path = root.join(leftover.trim_start_matches('/'));
        let removed = files::stays_below(root, &path).and_then(|()| fs::remove_file(&path));
        match removed {
            Ok(()) => changes.push((leftover, Change::Removed)),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(NotBaked { path, error }),
        }
    }
    Ok(changes)
}

fn is_as_it_should_be(file: &NodeFile, path: &Path, content: &[u8]) -> bool {
    if let Content::Link(target) = file.content {
        return fs::read_link(path).is_ok_and(|found| found == Path::new(target));
    }
    let Ok(found) = fs::symlink_metadata(path) else { return false };
    let owned = !rustix::process::geteuid().is_root() || (found.uid(), found.gid()) == (0, 0);
    let same = found.is_file() && owned && found.permissions().mode() & 0o7777 == file.mode;
    same && fs::read(path).is_ok_and(|found| found == content)
}

fn put(file: &NodeFile, path: &Path, content: &[u8]) -> io::Result<()> {
    if let Content::Link(target) = file.content {
        files::create_folder_of(path)?;
        let temporary = atomic_file::temporary_name(path);
        let _ = fs::remove_file(&temporary);
        symlink(target, &temporary)?;
        fs::rename(temporary, path)?;
        return atomic_file::sync_folder_of(path);
    }
    files::replace(path, content, file.mode)?;
    if rustix::process::geteuid().is_root() { files::give_to_root(path, file.mode) } else { Ok(()) }
}
