//! Reads a machine, or a directory of its logs.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::time::UNIX_EPOCH;

use super::archive::read_gzip;
use super::{Collection, Ends, on_the_node, problem};
use crate::diagnosis::evidence::{Evidence, Source};
use crate::diagnosis::moment::Moment;

/// The directories of a machine that have logs of provisioning, and how many levels of each are read.
const DIRECTORIES: [(&str, usize); 8] = [
    ("", 1),
    ("collect", 2),
    ("opt/azure/containers", 1),
    ("run/aks-node-controller", 1),
    ("run/cloud-init", 1),
    ("var/lib/cloud/data", 1),
    ("var/log", 1),
    ("var/log/azure", 4),
];

/// Single files of a machine.
const FILES: [&str; 2] = ["proc/stat", "var/lib/kubelet/pki/kubelet-client-current.pem"];

/// How many levels of a directory that is no machine are read.
const DEEPEST: usize = 12;

/// The most files that are looked at.
const MOST_FILES: usize = 50_000;

/// Bytes of a file without a telling name that are looked at.
const BEGINNING: usize = 2048;

/// Collects the texts of a machine, or of a directory that has its logs in any arrangement. Symbolic links are not followed.
///
/// # Errors
/// Fails if the directory itself cannot be read.
pub fn directory(root: &Path) -> io::Result<Evidence> {
    fs::read_dir(root)?;
    let mut walk = Walk { root, files: 0, found: Collection::default() };
    let is_machine = ["var/log", "opt/azure", "run/aks-node-controller"].iter().any(|path| root.join(path).is_dir());
    if is_machine {
        walk.machine();
    } else {
        walk.directory(root, "", DEEPEST, true);
    }
    Ok(walk.found.finish())
}

struct Walk<'r> {
    root: &'r Path,
    files: usize,
    found: Collection,
}

impl Walk<'_> {
    fn machine(&mut self) {
        for (directory, levels) in DIRECTORIES {
            self.directory(&self.root.join(directory), directory, levels, false);
        }
        for file in FILES {
            let path = self.root.join(file);
            if let Ok(metadata) = fs::symlink_metadata(&path) {
                self.file(&path, file, &metadata, false);
            }
        }
        let has_journal = self.found.evidence.has(Source::Journal);
        if !has_journal && self.root != Path::new("/") && self.root.join("var/log/journal").is_dir() {
            self.found.unread(
                "/var/log/journal",
                "is binary; put the output of `journalctl --directory=var/log/journal --unit=kubelet` beside it as kubelet.txt",
            );
        }
    }

    /// Reads a directory. `any` is whether the content of a file may say what it is.
    fn directory(&mut self, directory: &Path, name: &str, levels: usize, any: bool) {
        let entries = match fs::read_dir(directory) {
            Ok(entries) => entries,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return,
            Err(error) => return self.found.unread(&on_the_node(name), problem(&error)),
        };
        let mut entries: Vec<_> = entries.flatten().map(|entry| (entry.file_name(), entry.path())).collect();
        entries.sort();
        for (entry, path) in entries {
            self.files += 1;
            if self.files > MOST_FILES {
                return self
                    .found
                    .unread(&on_the_node(name), format!("has more than {MOST_FILES} files; not all are read"));
            }
            let entry = entry.to_string_lossy();
            let name = if name.is_empty() { entry.into_owned() } else { format!("{name}/{entry}") };
            match fs::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_dir() => {
                    // Logs of pods, which have nothing to do with provisioning.
                    if levels > 1 && !name.ends_with("aks/pods") {
                        self.directory(&path, &name, levels - 1, any);
                    }
                }
                Ok(metadata) => self.file(&path, &name, &metadata, any),
                Err(error) if Source::of_path(&name).is_some() => {
                    self.found.unread(&on_the_node(&name), problem(&error));
                }
                Err(_) => {}
            }
        }
    }

    fn file(&mut self, path: &Path, name: &str, metadata: &Metadata, any: bool) {
        let plain = name.strip_suffix(".gz").filter(|_| any);
        let source = Source::of_path(plain.unwrap_or(name));
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.and_then(|since| i64::try_from(since.as_millis()).ok()).map(Moment);
        if metadata.is_symlink() {
            return self.link(path, name, source, modified);
        }
        if !metadata.is_file() {
            if source.is_some() {
                self.found.unread(&on_the_node(name), "is not a regular file");
            }
            return;
        }
        if source.is_some_and(Source::is_name_only) {
            let source = source.unwrap_or(Source::Input);
            return self.found.add(name, source, Ends::default(), modified);
        }
        if source.is_none() && !any {
            return;
        }
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if source.is_some() => return self.found.unread(&on_the_node(name), problem(&error)),
            Err(_) => return,
        };
        if plain.is_some() {
            return read_gzip(&mut self.found, name, &mut file);
        }
        let source = source.or_else(|| {
            let mut beginning = Vec::new();
            file.by_ref().take(BEGINNING as u64).read_to_end(&mut beginning).ok()?;
            let found = Source::of_text(&String::from_utf8_lossy(&beginning))?;
            io::Seek::rewind(&mut file).ok().map(|()| found)
        });
        let Some(source) = source else { return };
        match Ends::of_file(&mut file, metadata.len()) {
            Ok(ends) => self.found.add(name, source, ends, modified),
            Err(error) => self.found.unread(&on_the_node(name), problem(&error)),
        }
    }

    /// Looks at a symbolic link, whose target is found by itself if it is in the directory.
    fn link(&mut self, path: &Path, name: &str, source: Option<Source>, modified: Option<Moment>) {
        let (Some(source), Ok(target)) = (source, fs::read_link(path)) else { return };
        let target = target.to_string_lossy();
        if source == Source::Certificate {
            let ends = Ends { head: target.as_bytes().to_vec(), ..Ends::default() };
            return self.found.add(name, source, ends, modified);
        }
        let root = self.root.canonicalize();
        let inside = path.canonicalize().is_ok_and(|target| root.is_ok_and(|root| target.starts_with(root)));
        // Links of the image and of the scripts have absolute targets, which are below the root of their machine.
        let on_the_machine = self.root.join(target.trim_start_matches('/')).exists();
        if !inside && !on_the_machine {
            self.found.unread(&on_the_node(name), "is a symbolic link that leaves the directory; it is not followed");
        }
    }
}
