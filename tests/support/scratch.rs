//! Scratch directories.

use std::fs;
use std::io::ErrorKind;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// A new, empty directory below the system's temporary directory. It is removed when the value is dropped, also after a failed
/// assertion.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Creates a directory with `name` in its name, which no other test and no other process uses.
    pub fn new(name: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            // No name begins with another one: processes are found by the name of their directory.
            let name = format!("aks-node-controller-{name}-{}-{number:06}", std::process::id());
            let directory = std::env::temp_dir().join(name);
            match fs::create_dir(&directory) {
                Ok(()) => return Self(directory),
                // Of a process that had this number and was killed.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => panic!("{}: {error}", directory.display()),
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A process that was killed a moment ago may still create files.
        for _ in 0..100 {
            let _ = fs::remove_dir_all(&self.0);
            if !self.0.exists() {
                return;
            }
            sleep(Duration::from_millis(50));
        }
        eprintln!("{} cannot be removed", self.0.display());
    }
}

impl Deref for Scratch {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for Scratch {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}
