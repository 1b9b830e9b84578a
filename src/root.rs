//! Files below a directory that stands for a machine, such as the disk of another one. Paths are resolved as on that machine: absolute
//! links, and `..` above the top, stay below the directory.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

#[cfg(target_os = "linux")]
use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
#[cfg(target_os = "linux")]
use rustix::io::Errno;

/// The most symbolic links of one path, as in Linux.
const MOST_LINKS: usize = 40;

/// A directory that stands for a machine.
#[derive(Debug)]
pub(crate) struct Root {
    path: PathBuf,
    #[cfg(target_os = "linux")]
    directory: File,
}

impl Root {
    /// # Errors
    /// Fails if the directory cannot be opened.
    pub fn new(path: &Path) -> io::Result<Self> {
        if !fs::metadata(path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self {
            path: path.to_owned(),
            #[cfg(target_os = "linux")]
            directory: File::open(path)?,
        })
    }

    /// Returns the location of a path, without symbolic links. Somebody who changes the directory at the same time can put
    /// one there, so contents are read by [`Root::open`].
    ///
    /// # Errors
    /// Fails if there is no such file, or a directory on the way cannot be read.
    pub fn location(&self, path: &Path) -> io::Result<PathBuf> {
        let mut found = Vec::new();
        let mut rest = parts(path);
        let mut links = 0;
        while let Some(part) = rest.pop() {
            if part == ".." {
                found.pop();
                continue;
            }
            found.push(part);
            let location = self.path.join(found.iter().collect::<PathBuf>());
            if !fs::symlink_metadata(&location)?.is_symlink() {
                continue;
            }
            links += 1;
            if links > MOST_LINKS {
                return Err(io::Error::other("too many levels of symbolic links"));
            }
            let target = fs::read_link(&location)?;
            if target.has_root() {
                found.clear();
            } else {
                found.pop();
            }
            rest.extend(parts(&target));
        }
        Ok(self.path.join(found.into_iter().collect::<PathBuf>()))
    }

    /// Opens a regular file. Nothing else is opened, because a FIFO would block, and a device may do something.
    ///
    /// # Errors
    /// Fails if the file cannot be opened or is not a regular file.
    pub fn open(&self, path: &Path) -> io::Result<File> {
        const NOT_REGULAR: &str = "is not a regular file";
        let location = self.location(path)?;
        if !fs::symlink_metadata(&location)?.is_file() {
            return Err(io::Error::other(NOT_REGULAR));
        }
        let file = self.opened(path, &location)?;
        if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other(NOT_REGULAR)) }
    }

    /// Reads at most `limit` bytes of a regular file.
    ///
    /// # Errors
    /// Fails if the file cannot be opened or read, or is not a regular file.
    pub fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        self.open(path)?.take(limit).read_to_end(&mut content)?;
        Ok(content)
    }

    /// Opens a file whose location was found before. The kernel resolves the path again, because links can have changed; one
    /// before 5.6, or a sandbox, may not be able to.
    #[cfg(target_os = "linux")]
    fn opened(&self, path: &Path, location: &Path) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let inside = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
        match openat2(&self.directory, path, flags, Mode::empty(), inside) {
            Ok(file) => Ok(file.into()),
            Err(Errno::NOSYS | Errno::PERM) => {
                Ok(rustix::fs::open(location, flags | OFlags::NOFOLLOW, Mode::empty())?.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "Linux opens files relative to the directory")]
    fn opened(&self, _: &Path, location: &Path) -> io::Result<File> {
        File::open(location)
    }
}

/// Returns the names of a path, from its end.
fn parts(path: &Path) -> Vec<OsString> {
    let names = path.components().rev().filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir));
    names.map(|part| part.as_os_str().to_owned()).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::test_directory::TestDirectory;

    /// A directory with a file, links, and a file beside it that no path reaches.
    fn machine() -> (TestDirectory, PathBuf) {
        let scratch = TestDirectory::new();
        let root = scratch.join("root");
        fs::create_dir_all(root.join("var/real")).expect("writable");
        fs::create_dir_all(scratch.join("var/real")).expect("writable");
        fs::write(root.join("var/real/file"), "inside").expect("writable");
        for outside in ["file", "var/real/file", "var/file"] {
            fs::write(scratch.join(outside), "outside").expect("writable");
        }
        for (link, target) in [
            ("var/absolute", "/var/real"),
            ("var/relative", "real"),
            ("var/above", "../../../../var/real"),
            ("var/chain", "absolute/../relative"),
            ("var/loop", "loop"),
            ("out", "../"),
            ("host", scratch.join("var").to_str().expect("text")),
            ("file", "/var/absolute/file"),
        ] {
            symlink(target, root.join(link)).expect("writable");
        }
        (scratch, root)
    }

    #[test]
    fn links_lead_where_they_lead_on_the_machine() {
        let (_scratch, path) = machine();
        let root = Root::new(&path).expect("a directory");
        for (file, is_found) in [
            ("var/real/file", true),
            ("/var/real/file", true),
            ("../var/real/file", true),
            ("var/absolute/file", true),
            ("var/relative/file", true),
            ("var/above/file", true),
            ("var/chain/file", true),
            ("file", true),
            ("out/var/real/file", true),
            ("var/loop/file", false),
            ("var/real", false),
            ("var/file", false),
            ("host/real/file", false),
            ("host/file", false),
        ] {
            let file = Path::new(file);
            let content = root.read(file, 100).ok();
            assert_eq!(content.as_deref(), is_found.then_some(&b"inside"[..]), "{}", file.display());
            // What the kernel resolves and what this module resolves are the same.
            let location = root.location(file).ok().filter(|location| location.is_file());
            assert_eq!(location, is_found.then(|| path.join("var/real/file")), "{}", file.display());
        }
        assert!(Root::new(&path.join("var/real/file")).is_err() && Root::new(&path.join("nowhere")).is_err());
    }

    #[test]
    fn only_regular_files_are_opened() {
        let root = Root::new(Path::new("/")).expect("a directory");
        for path in ["dev/zero", "/dev/null", "proc", "proc/self/exe/..", "proc/self/fd/0"] {
            assert!(root.open(Path::new(path)).is_err(), "{path}");
        }
        assert!(root.read(Path::new("proc/stat"), 1 << 20).is_ok_and(|text| text.starts_with(b"cpu")));
    }
}
