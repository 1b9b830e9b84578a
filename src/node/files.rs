//! Writing files so that nobody ever sees half of one, and a crash leaves the old one or the new one.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// Mode of folders that are made on the way to a file.
pub const FOLDER_MODE: u32 = 0o755;

/// Mode of files that may hold a secret.
pub const SECRET_MODE: u32 = 0o600;

/// Writes a file in one piece: under a temporary name in the same folder, with its final mode whatever the umask says,
/// synced, renamed, and the folder synced. Folders on the way are made.
///
/// # Errors
/// Any step fails. The temporary file is gone then, and the old file is as it was.
pub fn replace(path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    in_one_piece(path, content, mode, File::sync_all)?;
    sync_folder_of(path)
}

/// As [`replace`], for a file that does not outlive the boot: whole for every reader, and not synced.
pub(super) fn replace_volatile(path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    in_one_piece(path, content, mode, |_| Ok(()))
}

fn in_one_piece(path: &Path, content: &[u8], mode: u32, sync: impl Fn(&File) -> io::Result<()>) -> io::Result<()> {
    make_folder_of(path)?;
    let temporary = temporary_name(path);
    let written = create_new(&temporary, mode)
        .and_then(|mut file| file.write_all(content).and_then(|()| sync(&file)))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A name beside `path` that no other process writes to, that no scan for `*.json` takes for a result, and that
/// [`remove_leftovers`] knows.
pub(super) fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

/// Removes what writers of `path` that were killed have left beside it.
pub(super) fn remove_leftovers(path: &Path) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{name}.");
    let Some(entries) = path.parent().and_then(|folder| fs::read_dir(folder).ok()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(".tmp")).is_some() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes the folder of a file, and those above it.
pub(super) fn make_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.is_dir() => DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder),
        _ => Ok(()),
    }
}

/// Makes an empty file with its final mode, whatever the umask says. What stands there goes: it is of a process that had
/// the same number and was killed.
pub(super) fn create_new(path: &Path, mode: u32) -> io::Result<File> {
    let _ = fs::remove_file(path);
    let file = OpenOptions::new().write(true).create_new(true).mode(SECRET_MODE & mode).open(path)?;
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    Ok(file)
}

/// Reads a file that has to be a regular one: a folder has no content, and a pipe would let its reader wait.
///
/// # Errors
/// It cannot be opened or read, is no regular file, or is larger than `limit` bytes.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let nonblocking = OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(nonblocking).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("is not a regular file"));
    }
    let mut content = Vec::with_capacity(usize::try_from(metadata.len().min(limit)).unwrap_or_default());
    file.take(limit + 1).read_to_end(&mut content)?;
    if content.len() as u64 > limit {
        return Err(io::Error::other(format!("is larger than {limit} bytes")));
    }
    Ok(content)
}

/// Makes a file root's own. That takes special bits off its mode, so they are set again.
pub(super) fn give_to_root(path: &Path, mode: u32) -> io::Result<()> {
    chown(path, Some(0), Some(0))?;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Makes a rename in the folder of `path` last.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// Makes sure that no link on the way to `path` leads out of a folder that stands for a machine: `/opt` to the
/// `/mnt/opt` of the machine that this runs on, say.
pub(super) fn stays_below(root: &Path, path: &Path) -> io::Result<()> {
    let root = root.canonicalize()?;
    let nearest = path.ancestors().skip(1).find_map(|folder| folder.canonicalize().ok());
    match nearest {
        Some(folder) if folder.starts_with(&root) => Ok(()),
        _ => Err(io::Error::other("a link in its path leads out of the machine's folder")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_is_the_wanted_one_and_nothing_else_is_left() {
        let folder = std::env::temp_dir().join(format!("files-{}", std::process::id()));
        let path = folder.join("a/b/file");
        for (content, mode) in [("one", 0o600), ("two", 0o755), ("", 0o644)] {
            replace(&path, content.as_bytes(), mode).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("there"), content);
            assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o7777, mode);
        }
        fs::write(folder.join("a/b/.file.1.tmp"), "half").expect("written");
        remove_leftovers(&path);
        let left: Vec<_> = fs::read_dir(folder.join("a/b")).expect("a folder").flatten().collect();
        assert_eq!(left.len(), 1, "{left:?}");
        assert!(replace(&path.join("below"), b"", 0o600).is_err(), "a file is no folder");
        fs::remove_dir_all(folder).expect("removed");
    }
}
