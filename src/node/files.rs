//! Reads and writes files of the node, or below the directory that stands for it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, chown};
use std::path::Path;

use rustix::fs::OFlags;

use crate::atomic_file::{self, Durability, Modes};

/// Mode of directories that are created for a file.
pub(super) const DIRECTORY_MODE: u32 = 0o755;

/// Mode of files that can contain a secret.
pub(super) const SECRET_MODE: u32 = 0o600;

/// Replaces a file atomically and durably.
///
/// # Errors
/// Fails if a step of [`atomic_file::replace`] fails.
pub(super) fn replace(path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    atomic_file::replace(path, content, Modes { file: mode, directory: DIRECTORY_MODE }, Durability::Synced)
}

/// Atomically replaces a file that does not outlive the boot.
///
/// # Errors
/// Fails if a step of [`atomic_file::replace`] fails.
pub(super) fn replace_volatile(path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    atomic_file::replace(path, content, Modes { file: mode, directory: DIRECTORY_MODE }, Durability::UntilReboot)
}

/// Creates the directory of a file and the directories above it. Does nothing if it exists.
///
/// # Errors
/// Fails if a directory cannot be created.
pub(super) fn create_directory_of(path: &Path) -> io::Result<()> {
    atomic_file::create_directory_of(path, DIRECTORY_MODE)
}

/// Reads a regular file. Anything else is an error, because a directory has no content and a pipe would block.
///
/// # Errors
/// Fails if the file cannot be opened or read, is not a regular file, or is larger than `limit` bytes.
pub(super) fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let (file, size) = open_regular(path)?;
    let mut content = Vec::with_capacity(usize::try_from(size.min(limit)).unwrap_or_default());
    file.take(limit + 1).read_to_end(&mut content)?;
    if content.len() as u64 > limit {
        return Err(too_large(limit));
    }
    Ok(content)
}

/// Returns the error for a file of more than `limit` bytes.
pub(super) fn too_large(limit: u64) -> io::Error {
    io::Error::other(format!("is larger than {limit} bytes"))
}

/// Reads at most `limit` bytes from the end of a regular file, as [`read_regular`] does.
///
/// # Errors
/// Fails if the file cannot be opened or read, or is not a regular file.
pub(super) fn read_tail(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let (mut file, size) = open_regular(path)?;
    file.seek(SeekFrom::Start(size.saturating_sub(limit)))?;
    let mut content = Vec::new();
    file.take(limit).read_to_end(&mut content)?;
    Ok(content)
}

/// Opens a regular file to read it. Returns its size too.
fn open_regular(path: &Path) -> io::Result<(File, u64)> {
    let file = open_regular_with(OpenOptions::new().read(true), path)?;
    let size = file.metadata()?.len();
    Ok((file, size))
}

/// Opens a regular file. Anything else is an error: to open a pipe would block, and a device must keep its mode.
///
/// # Errors
/// Fails if the file cannot be opened or is not a regular file.
pub(super) fn open_regular_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("is not a regular file")) }
}

/// Makes root the owner of a file, and then sets its mode again, because a change of the owner clears special bits.
///
/// # Errors
/// Fails if the owner or the mode cannot be changed.
pub(super) fn give_to_root(path: &Path, mode: u32) -> io::Result<()> {
    chown(path, Some(0), Some(0))?;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Checks that no link in `path` leads out of `root`, the directory that stands for a machine: a link from `/opt` to
/// `/mnt/opt` would lead to the real machine.
///
/// # Errors
/// Fails if a link leads out of `root`, or `root` cannot be resolved.
pub(super) fn stays_below(root: &Path, path: &Path) -> io::Result<()> {
    let root = root.canonicalize()?;
    let nearest = path.ancestors().skip(1).find_map(|directory| directory.canonicalize().ok());
    match nearest {
        Some(directory) if directory.starts_with(&root) => Ok(()),
        _ => Err(io::Error::other(format!("a symbolic link in the path leads out of {}", root.display()))),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::test_directory::TestDirectory;

    #[test]
    fn a_link_out_of_the_root_is_found() {
        let root = TestDirectory::new();
        fs::create_dir_all(root.join("opt")).expect("writable");
        symlink("/tmp", root.join("out")).expect("writable");
        assert!(stays_below(&root, &root.join("opt/azure/file")).is_ok());
        assert!(stays_below(&root, &root.join("out/file")).is_err());
    }

    #[test]
    fn only_a_regular_file_of_at_most_the_limit_is_read() {
        let directory = TestDirectory::new();
        let path = directory.join("file");
        fs::write(&path, "12345").expect("writable");
        assert_eq!(read_regular(&path, 5).expect("small enough"), b"12345");
        assert_eq!((read_tail(&path, 5).ok(), read_tail(&path, 2).ok()), (Some(b"12345".into()), Some(b"45".into())));
        assert!(read_regular(&path, 4).is_err_and(|error| error.to_string().contains("larger than 4 bytes")));
        assert!(read_regular(&directory, 5).is_err_and(|error| error.to_string().contains("not a regular file")));
    }
}
