//! The controller's log: one JSON object a line, into a file and to stderr.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::clock::Wall;
use super::{Machine, files};
use crate::catalogue::paths;

/// Readable for the group that collects logs, not for everybody: a child's output can hold what it should not.
const MODE: u32 = 0o640;

/// How much of each stream of a child goes into the log while it runs, in bytes.
const STREAMED: usize = 64 << 10;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What happens.
    Info,
    /// What should not be so.
    Warn,
    /// What fails.
    Error,
}

impl Level {
    const fn name(self) -> &'static str {
        match self {
            Self::Info => "INFO",
            Self::Warn => "WARN",
            Self::Error => "ERROR",
        }
    }
}

/// The log of a process. Nothing ever fails because of it.
#[derive(Clone, Debug)]
pub struct Log(Arc<Mutex<Option<File>>>);

impl Log {
    /// Opens the log of a machine. Without one, lines go to stderr only, and the first says so.
    #[must_use]
    pub fn open(machine: &Machine) -> Self {
        let path = machine.path(paths::CONTROLLER_LOG);
        let open = || {
            files::create_folder_of(&path)?;
            let file = OpenOptions::new().append(true).create(true).mode(MODE).open(&path)?;
            if file.metadata()?.permissions().mode() & 0o777 & !MODE != 0 {
                file.set_permissions(fs::Permissions::from_mode(MODE))?;
            }
            Ok(file)
        };
        let (file, refused): (Option<File>, Option<io::Error>) = match open() {
            Ok(file) => (Some(file), None),
            Err(error) => (None, Some(error)),
        };
        let log = Self(Arc::new(Mutex::new(file)));
        if let Some(error) = refused {
            log.warn("the log cannot be written, going on without", &[("error", error.to_string().into())]);
        }
        log
    }

    /// A log that writes to stderr only.
    #[must_use]
    pub fn without_file() -> Self {
        Self(Arc::new(Mutex::new(None)))
    }

    /// Tells what happens.
    pub fn info(&self, message: &str, attributes: &[(&str, Value)]) {
        self.line(Level::Info, message, attributes, true);
    }

    /// Tells what should not be so.
    pub fn warn(&self, message: &str, attributes: &[(&str, Value)]) {
        self.line(Level::Warn, message, attributes, true);
    }

    /// Tells what fails.
    pub fn error(&self, message: &str, attributes: &[(&str, Value)]) {
        self.line(Level::Error, message, attributes, true);
    }

    /// Keeps a piece of a child's output, which has gone to stdout or stderr already. `so_far` is how much of the stream
    /// came before; past a bound nothing is kept until the end of the child.
    pub(super) fn output(&self, stream: &'static str, piece: &[u8], so_far: usize) {
        let Some(room) = STREAMED.checked_sub(so_far).filter(|room| *room > 0) else { return };
        let text = String::from_utf8_lossy(&piece[..piece.len().min(room)]);
        let cut = piece.len() >= room;
        let mut attributes = vec![("stream", stream.into()), ("text", text.into())];
        if cut {
            attributes.push(("note", "no more of this stream until the child has ended".into()));
        }
        self.line(Level::Info, "output", &attributes, false);
    }

    fn line(&self, level: Level, message: &str, attributes: &[(&str, Value)], to_stderr: bool) {
        let time = Wall::now().rfc3339();
        let mut text = format!("{{\"time\":\"{time}\",\"level\":\"{}\",\"msg\":{}", level.name(), Value::from(message));
        for (name, value) in attributes {
            let _ = write!(text, ",{}:{value}", Value::from(*name));
        }
        text.push_str("}\n");
        if to_stderr {
            let _ = io::stderr().write_all(text.as_bytes());
        }
        if let Ok(mut file) = self.0.lock()
            && let Some(file) = file.as_mut()
        {
            let _ = file.write_all(text.as_bytes());
        }
    }
}
