//! Reads a machine, or a directory of its logs.

use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::archive::read_gzip;
use super::budget::Budget;
use super::{
    ANSWERS, BEGINNING, BUNDLE_DIRECTORY, BUNDLE_INDEX, Collection, Ends, WHOLE, decoded, is_about_bundle, on_the_node,
    problem,
};
use crate::diagnosis::evidence::{Evidence, Source};
use crate::moment::Moment;
use crate::root::Root;

/// The directories of a machine with logs of provisioning, and how many levels of each are read.
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

/// Single files of a machine, each with its directory.
const FILES: [(&str, &str); 2] = [("proc", "stat"), ("var/lib/kubelet/pki", "kubelet-client-current.pem")];

/// How many levels are read of a directory that is not a machine.
const DEEPEST: usize = 12;

/// The most files that are examined.
const MOST_FILES: usize = 50_000;

/// Collects the texts of a machine, or of a directory with its logs in any arrangement. Nothing outside the directory is read:
/// symbolic links lead where they lead on the machine itself.
///
/// # Errors
/// Fails if the directory itself cannot be read.
pub fn directory(root: &Path) -> io::Result<Evidence> {
    // A bundle of this program that was unpacked there, and nothing beside it, which would be evidence too.
    let unpacked = root.join(BUNDLE_DIRECTORY.trim_end_matches('/'));
    let is_alone = fs::read_dir(root)?.take(2).count() == 1;
    if is_alone && fs::symlink_metadata(&unpacked).is_ok_and(|metadata| metadata.is_dir()) {
        return directory(&unpacked);
    }
    let mut walk = Walk {
        path: root,
        root: Root::new(root)?,
        files: 0,
        budget: Budget::default(),
        links: Vec::new(),
        found: Collection::default(),
    };
    if ["var/log", "opt/azure", "run/aks-node-controller"].iter().any(|path| walk.is_directory(path)) {
        walk.machine();
    } else {
        walk.directory(Path::new(""), "", DEEPEST, true);
    }
    walk.targets();
    if root != Path::new("/") {
        walk.index();
    }
    Ok(walk.found.finish())
}

struct Walk<'p> {
    path: &'p Path,
    root: Root,
    files: usize,
    budget: Budget,
    /// Path and name of links to texts.
    links: Vec<(PathBuf, String)>,
    found: Collection,
}

impl Walk<'_> {
    /// Reads what a bundle of this program has about its texts, if the directory is an unpacked one.
    fn index(&mut self) {
        let open = |name: &str| self.root.open(Path::new(name)).ok();
        if let (Some(_), Some(file)) = (open(ANSWERS[0]), open(BUNDLE_INDEX)) {
            let mut index = String::new();
            self.found.index = file.take(WHOLE).read_to_string(&mut index).is_ok().then_some(index);
        }
    }

    fn is_directory(&self, path: &str) -> bool {
        self.root.location(Path::new(path)).is_ok_and(|location| location.is_dir())
    }

    fn machine(&mut self) {
        for (directory, levels) in DIRECTORIES {
            self.directory(Path::new(directory), directory, levels, false);
        }
        for (directory, file) in FILES {
            let Ok(location) = self.root.location(Path::new(directory)) else { continue };
            let (name, location) = (format!("{directory}/{file}"), location.join(file));
            if let Ok(metadata) = fs::symlink_metadata(&location) {
                self.file(Path::new(&name), &location, &name, &metadata, false);
            }
        }
        let is_this = self.path == Path::new("/");
        if !self.found.evidence.has(Source::Journal) && !is_this && self.is_directory("var/log/journal") {
            self.found.unread(
                "/var/log/journal",
                "is binary; add the output of `journalctl --directory=var/log/journal --unit=kubelet` as kubelet.txt",
            );
        }
    }

    /// Reads a directory. With `any`, files are also recognized by their content.
    fn directory(&mut self, directory: &Path, name: &str, levels: usize, any: bool) {
        let entries = match self.root.location(directory).and_then(fs::read_dir) {
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
                    .unread(&on_the_node(name), format!("has more than {MOST_FILES} files; the others are not read"));
            }
            let (path, location) = (directory.join(&entry), path);
            let entry = entry.to_string_lossy();
            let name = if name.is_empty() { entry.into_owned() } else { format!("{name}/{entry}") };
            match fs::symlink_metadata(&location) {
                Ok(metadata) if metadata.is_dir() => {
                    // Logs of pods are not about provisioning.
                    if levels > 1 && !name.ends_with("aks/pods") {
                        self.directory(&path, &name, levels - 1, any);
                    }
                }
                Ok(metadata) => self.file(&path, &location, &name, &metadata, any),
                Err(error) if Source::of_path(&name).is_some() => {
                    self.found.unread(&on_the_node(&name), problem(&error));
                }
                Err(_) => {}
            }
        }
    }

    /// Reads a file by its path below the root; `location` is the path of this process.
    fn file(&mut self, path: &Path, location: &Path, name: &str, metadata: &Metadata, any: bool) {
        if is_about_bundle(name) {
            return;
        }
        let plain = name.strip_suffix(".gz").filter(|_| any);
        let source = Source::of_path(plain.unwrap_or(name));
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.and_then(|since| i64::try_from(since.as_millis()).ok()).map(Moment);
        if metadata.is_symlink() {
            return self.link(path, location, name, source, modified);
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
        if self.found.is_full() {
            if source.is_some() {
                self.found.omit(name);
            }
            return;
        }
        let mut file = match self.root.open(path) {
            Ok(file) => file,
            Err(error) if source.is_some() => return self.found.unread(&on_the_node(name), problem(&error)),
            Err(_) => return,
        };
        if plain.is_some() {
            return read_gzip(&mut self.found, name, modified, &mut file, &self.budget);
        }
        let source = source.or_else(|| {
            let mut beginning = Vec::new();
            file.by_ref().take(BEGINNING as u64).read_to_end(&mut beginning).ok()?;
            let found = Source::of_text(&decoded(&beginning))?;
            io::Seek::rewind(&mut file).ok().map(|()| found)
        });
        let Some(source) = source else { return };
        match Ends::of_file(&mut file, metadata.len()) {
            Ok(ends) => self.found.add(name, source, ends, modified),
            Err(error) => self.found.unread(&on_the_node(name), problem(&error)),
        }
    }

    /// Examines a symbolic link. Its target may be read on its own.
    fn link(&mut self, path: &Path, location: &Path, name: &str, source: Option<Source>, modified: Option<Moment>) {
        let (Some(source), Ok(target)) = (source, fs::read_link(location)) else { return };
        if source == Source::Certificate {
            let ends = Ends { head: target.to_string_lossy().as_bytes().to_vec(), ..Ends::default() };
            return self.found.add(name, source, ends, modified);
        }
        self.links.push((path.to_owned(), name.to_owned()));
    }

    /// Reads the targets of links that were not read on their own.
    fn targets(&mut self) {
        for (path, name) in std::mem::take(&mut self.links) {
            let location = match self.root.location(&path) {
                Ok(location) => location,
                Err(error) => {
                    let why = match error.kind() {
                        io::ErrorKind::NotFound => {
                            "is a symbolic link that leaves the directory or leads to nothing; it is not followed"
                                .into()
                        }
                        _ => problem(&error),
                    };
                    self.found.unread(&on_the_node(&name), why);
                    continue;
                }
            };
            let target = location.strip_prefix(self.path).unwrap_or(&location).to_string_lossy();
            if !self.found.has(&target)
                && let Ok(metadata) = fs::symlink_metadata(&location)
            {
                self.file(&path, &location, &name, &metadata, false);
            }
        }
    }
}
