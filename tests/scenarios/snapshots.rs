//! Snapshots of insta below a directory of `testdata/`.
//!
//! An artefact `cse.sh` is a binary snapshot: its bytes are in `cse.snap.sh`, a plain file for reviewers, editors and shellcheck, and
//! `cse.snap` beside it is what insta needs to know about it. A text that only people read is the body of a `.snap` file.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use insta::Settings;

use super::TESTDATA;

/// Held by the test that compares. While `glob!` runs, insta counts what differs in any test for that one, and prints it where the
/// output of a test that passes is lost.
static COMPARING: Mutex<()> = Mutex::new(());

/// The snapshots below one directory. Only one test at a time has them.
pub struct Snapshots {
    _comparing: MutexGuard<'static, ()>,
    directory: PathBuf,
    /// The names that insta gave the snapshots that were compared.
    compared: BTreeSet<PathBuf>,
}

impl Snapshots {
    /// Snapshots below a directory of `testdata/`.
    pub fn below(directory: &str) -> Self {
        let comparing = COMPARING.lock().unwrap_or_else(PoisonError::into_inner);
        Self { _comparing: comparing, directory: Path::new(TESTDATA).join(directory), compared: BTreeSet::new() }
    }

    /// Compares a file, byte for byte.
    pub fn file(&mut self, path: &str, content: impl Into<Vec<u8>>) {
        let (parent, name) = split(path);
        // insta wants an extension.
        let (stem, extension) = name.split_once('.').unwrap_or((name, "txt"));
        self.remember(parent, &format!("{stem}.snap"));
        self.remember(parent, &format!("{stem}.snap.{extension}"));
        let content = content.into();
        self.settings(parent).bind(|| insta::assert_binary_snapshot!(&format!("{stem}.{extension}"), content));
    }

    /// Compares a text apart from line feeds at its end.
    pub fn text(&mut self, path: &str, text: &str) {
        let (parent, name) = split(path);
        self.remember(parent, &format!("{name}.snap"));
        self.settings(parent).bind(|| insta::assert_snapshot!(name, text));
    }

    /// Fails if there are snapshots below the directory that were not compared; removes them where insta updates snapshots.
    pub fn has_no_others(self) {
        // Somebody looks at some scenarios only.
        if std::env::var_os("INSTA_GLOB_FILTER").is_some() {
            return;
        }
        let stale: Vec<_> =
            snapshots_below(&self.directory).into_iter().filter(|file| !self.compared.contains(file)).collect();
        if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
            for file in stale {
                fs::remove_file(file).expect("testdata is writable");
            }
            return;
        }
        assert!(stale.is_empty(), "nothing makes these snapshots any more; see `make generate-testdata`: {stale:#?}");
    }

    fn remember(&mut self, parent: &str, name: &str) {
        let file = self.directory.join(parent).join(name);
        assert!(!self.compared.contains(&file), "two snapshots are named {}", file.display());
        self.compared.insert(file);
    }

    fn settings(&self, parent: &str) -> Settings {
        // `glob!` has set the input file, and a suffix for names that are all in one directory.
        let mut settings = Settings::clone_current();
        settings.set_snapshot_path(self.directory.join(parent));
        settings.set_prepend_module_to_snapshot(false);
        settings.remove_snapshot_suffix();
        settings.set_omit_expression(true);
        settings
    }
}

fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Every snapshot below a directory, except those that wait for `cargo insta review`.
fn snapshots_below(directory: &Path) -> Vec<PathBuf> {
    let is_snapshot = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let end = name.split_once(".snap").map(|(_, end)| end);
        end.is_some_and(|end| end.is_empty() || end.starts_with('.') && !end.starts_with(".new"))
    };
    files(directory).into_iter().filter(is_snapshot).collect()
}

/// Every file below a directory, sorted. Links are listed and not followed.
pub fn files(directory: &Path) -> Vec<PathBuf> {
    let (mut found, mut left) = (Vec::new(), vec![directory.to_owned()]);
    while let Some(here) = left.pop() {
        let Ok(entries) = here.read_dir() else { continue };
        for entry in entries {
            let entry = entry.expect("a readable entry");
            if entry.file_type().expect("a type").is_dir() { left.push(entry.path()) } else { found.push(entry.path()) }
        }
    }
    found.sort();
    found
}

/// The name of a file without its directory and everything after the first dot.
pub fn stem(path: &Path) -> &str {
    let name = path.file_name().and_then(OsStr::to_str).expect("our names are text");
    name.split_once('.').map_or(name, |(stem, _)| stem)
}
