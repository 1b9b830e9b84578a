//! Writes files atomically: a reader sees the old content or the new content, never a part of it, and a crash leaves one
//! of the two.
//!
//! The command line and the node module use it, so it only needs the standard library. Modes apply on Unix; other
//! systems ignore them.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How long a file must last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durability {
    /// It survives a loss of power: the content and the directory are synced.
    Synced,
    /// It does not outlive the boot, so nothing is synced.
    #[cfg(node)]
    UntilReboot,
}

/// The modes of a new file and of the directories that are created for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Modes {
    /// Mode of the file, regardless of the umask.
    pub file: u32,
    /// Mode of missing directories, less the umask. Existing directories keep theirs.
    pub directory: u32,
}

/// Replaces a file: creates missing directories, writes a temporary file in the same directory with its final mode, and renames
/// it.
///
/// # Errors
/// Fails if any step fails, and removes the temporary file. The old file is unchanged, unless only the sync of the
/// directory failed.
pub(crate) fn replace(path: &Path, content: &[u8], modes: Modes, durability: Durability) -> io::Result<()> {
    create_directory_of(path, modes.directory)?;
    let temporary = temporary_name(path);
    let sync = |file: &File| if durability == Durability::Synced { file.sync_all() } else { Ok(()) };
    let written = create(&temporary, modes.file)
        .and_then(|mut file| file.write_all(content).and_then(|()| sync(&file)))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written?;
    if durability == Durability::Synced { sync_directory_of(path) } else { Ok(()) }
}

/// Returns the temporary name of a file: in the same directory, unique to this process, hidden, with another suffix (so
/// that no scan for `*.json` finds it), and known to [`remove_leftovers`].
pub(crate) fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

/// Removes the temporary files that killed writers of `path` left in its directory.
#[cfg(node)]
pub(crate) fn remove_leftovers(path: &Path) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{name}.");
    let Some(entries) = path.parent().and_then(|directory| fs::read_dir(directory).ok()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(".tmp")).is_some() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Creates the directory of a file and the directories above it. Does nothing if it exists.
pub(crate) fn create_directory_of(path: &Path, mode: u32) -> io::Result<()> {
    match path.parent() {
        Some(directory) if !directory.is_dir() => directory_builder(mode).create(directory),
        _ => Ok(()),
    }
}

fn directory_builder(mode: u32) -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, mode);
    #[cfg(not(unix))]
    let _ = mode;
    builder
}

/// Creates an empty file with its final mode, regardless of the umask. First removes an existing file, which belongs to
/// a killed process with the same id.
pub(crate) fn create(path: &Path, mode: u32) -> io::Result<File> {
    let _ = fs::remove_file(path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // Never accessible to others before the mode is set.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600 & mode);
    let file = options.open(path)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    #[cfg(not(unix))]
    let _ = mode;
    Ok(file)
}

/// Makes renames in the directory of `path` durable.
pub(crate) fn sync_directory_of(path: &Path) -> io::Result<()> {
    // Only Unix can open directories as files.
    let Some(directory) = path.parent().filter(|_| cfg!(unix)) else { return Ok(()) };
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    File::open(directory)?.sync_all()
}

#[cfg(all(test, unix, node))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::test_directory::TestDirectory;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("it exists").permissions().mode() & 0o7777
    }

    #[test]
    fn a_replaced_file_has_its_content_and_mode_and_leaves_nothing_else_behind() {
        let directory = TestDirectory::new();
        let path = directory.join("a/b/file");
        for (content, file, durability) in [
            ("one", 0o600, Durability::Synced),
            ("two", 0o755, Durability::UntilReboot),
            ("", 0o666, Durability::Synced),
        ] {
            replace(&path, content.as_bytes(), Modes { file, directory: 0o700 }, durability).expect("writable");
            assert_eq!(fs::read_to_string(&path).expect("it exists"), content);
            assert_eq!(mode(&path), file, "the umask does not change it");
        }
        assert_eq!((mode(&directory.join("a")), mode(&directory.join("a/b"))), (0o700, 0o700));
        let names = || fs::read_dir(directory.join("a/b")).expect("a directory").flatten().count();
        assert_eq!(names(), 1);
        fs::write(directory.join("a/b/.file.1.tmp"), "part").expect("writable");
        remove_leftovers(&path);
        assert_eq!(names(), 1);
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_no_temporary_one() {
        let directory = TestDirectory::new();
        let modes = Modes { file: 0o600, directory: 0o755 };
        let path = directory.join("file");
        fs::create_dir_all(path.join("occupied")).expect("writable");
        assert!(replace(&path, b"new", modes, Durability::Synced).is_err(), "a directory is in the way");
        assert!(path.join("occupied").is_dir());
        assert_eq!(fs::read_dir(&*directory).expect("a directory").count(), 1);
        fs::write(directory.join("plain"), "").expect("writable");
        assert!(
            replace(&directory.join("plain/file"), b"", modes, Durability::Synced).is_err(),
            "a file is no directory"
        );
    }
}
