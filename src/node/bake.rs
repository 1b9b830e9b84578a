//! `bake`: writes the files that a node needs to an image.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::files;
use crate::atomic_file;
use crate::catalogue::node_distros::Family;
use crate::catalogue::node_files::{Content, LEFTOVERS, NodeFile, image_files};

/// The effect of `bake` on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// It was missing or different.
    Written,
    /// It already had this content, owner and mode.
    Unchanged,
    /// It must not be on an image.
    Removed,
}

impl Change {
    /// Returns the name for output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Unchanged => "unchanged",
            Self::Removed => "removed",
        }
    }
}

/// Why an image is incomplete. The files before the failed one are complete, and another run writes the rest.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// A file cannot be written.
    #[error("cannot write {path}: {error}", path = path.display())]
    Write {
        /// Path of the file, below the root of the image.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// A file that must not be on an image cannot be removed.
    #[error("cannot remove {path}: {error}", path = path.display())]
    Remove {
        /// Path of the file, below the root of the image.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
}

/// Returns the content of a file, or the target of a link.
fn content(file: &NodeFile, family: Family) -> io::Result<Vec<u8>> {
    match file.content {
        Content::Program => fs::read("/proc/self/exe"),
        Content::Embedded(file) => Ok(file.text().into_bytes()),
        Content::ByFamily(part_of) => Ok(part_of(family).text().into_bytes()),
        Content::Text(text) | Content::Link(text) => Ok(text.as_bytes().to_vec()),
    }
}

/// Writes every file that images of a family need below `root`, atomically, and removes files that must not be on an
/// image. Returns every path and the effect on it. Idempotent. `progress` is called with the number of files that are done
/// and the number of all, before each file.
///
/// # Errors
/// Fails if a file cannot be written or removed, or a symbolic link in its path leads out of `root`.
pub fn bake(
    root: &Path,
    family: Family,
    mut progress: impl FnMut(usize, usize),
) -> Result<Vec<(&'static str, Change)>, BakeError> {
    let mut changes = Vec::new();
    let count = image_files(family).count();
    for file in image_files(family) {
        progress(changes.len(), count);
        let path = root.join(file.path.trim_start_matches('/'));
        let failed = |error| BakeError::Write { path: path.clone(), error };
        files::stays_below(root, &path).map_err(failed)?;
        let content = content(file, family).map_err(failed)?;
        let is_unchanged = is_current(file, &path, &content);
        if !is_unchanged {
            write(file, &path, &content).map_err(failed)?;
        }
        changes.push((file.path, if is_unchanged { Change::Unchanged } else { Change::Written }));
    }
    for leftover in LEFTOVERS {
        let path = root.join(leftover.trim_start_matches('/'));
        let removed = files::stays_below(root, &path).and_then(|()| fs::remove_file(&path));
        match removed {
            Ok(()) => changes.push((leftover, Change::Removed)),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(BakeError::Remove { path, error }),
        }
    }
    Ok(changes)
}

fn is_current(file: &NodeFile, path: &Path, content: &[u8]) -> bool {
    if let Content::Link(target) = file.content {
        return fs::read_link(path).is_ok_and(|found| found == Path::new(target));
    }
    let Ok(found) = fs::symlink_metadata(path) else { return false };
    let owned = !rustix::process::geteuid().is_root() || (found.uid(), found.gid()) == (0, 0);
    let same = found.is_file() && owned && found.permissions().mode() & 0o7777 == file.mode;
    same && fs::read(path).is_ok_and(|found| found == content)
}

fn write(file: &NodeFile, path: &Path, content: &[u8]) -> io::Result<()> {
    // An image may have a link here, for example one that masks a unit.
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file() && !found.is_symlink()) {
        return Err(io::Error::other("exists and is neither a regular file nor a symbolic link"));
    }
    if let Content::Link(target) = file.content {
        files::create_directory_of(path)?;
        let temporary = atomic_file::temporary_name(path);
        let _ = fs::remove_file(&temporary);
        symlink(target, &temporary)?;
        fs::rename(temporary, path)?;
        return atomic_file::sync_directory_of(path);
    }
    files::replace(path, content, file.mode)?;
    if rustix::process::geteuid().is_root() { files::give_to_root(path, file.mode) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_directory::TestDirectory;

    #[test]
    fn progress_counts_each_file() {
        let root = TestDirectory::new();
        let mut seen = Vec::new();
        bake(&root, Family::Ubuntu, |done, count| seen.push((done, count))).expect("the directory is writable");
        let count = image_files(Family::Ubuntu).count();
        assert_eq!(seen, (0..count).map(|done| (done, count)).collect::<Vec<_>>());
    }
}
