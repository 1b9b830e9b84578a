//! The controller's log: one JSON object per line, written to a file and to stderr.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::clock::WallTime;
use super::{Machine, files};
use crate::catalogue::paths;
use crate::redaction::printable_json;

/// Readable by root only, which collects logs, because the output of a child process can contain secrets.
const MODE: u32 = 0o600;

/// The most bytes of each stream of a child process that are logged while it runs.
const STREAM_LIMIT: usize = 64 << 10;

/// The log of this process. Failures to write it are ignored.
#[derive(Clone, Debug)]
pub(super) struct Log(Arc<Mutex<Option<File>>>);

impl Log {
    /// Opens the log file of a machine. If that fails, logs to stderr only, which the first line states.
    pub fn open(machine: &Machine) -> Self {
        let path = machine.path(paths::CONTROLLER_LOG);
        let open = || {
            files::create_directory_of(&path)?;
            let mut options = OpenOptions::new();
            let file = files::open_regular_with(options.append(true).create(true).mode(MODE), &path)?;
            if file.metadata()?.permissions().mode() & 0o777 & !MODE != 0 {
                file.set_permissions(fs::Permissions::from_mode(MODE))?;
            }
            Ok(file)
        };
        let (file, error): (Option<File>, Option<io::Error>) = match open() {
            Ok(file) => (Some(file), None),
            Err(error) => (None, Some(error)),
        };
        let log = Self(Arc::new(Mutex::new(file)));
        if let Some(error) = error {
            let attributes = [("path", path.display().to_string().into()), ("error", error.to_string().into())];
            log.warn("cannot open the log file; logging to stderr only", &attributes);
        }
        log
    }

    /// Opens the log file if this process may provision the machine, otherwise logs to stderr only.
    pub fn open_if_writable(machine: &Machine) -> Self {
        if machine.is_writable() { Self::open(machine) } else { Self::to_stderr() }
    }

    /// Logs to stderr only.
    pub fn to_stderr() -> Self {
        Self(Arc::new(Mutex::new(None)))
    }

    /// Logs progress.
    pub fn info(&self, message: &str, attributes: &[(&str, Value)]) {
        self.line("INFO", message, attributes, true);
    }

    /// Logs a problem that does not stop the work.
    pub fn warn(&self, message: &str, attributes: &[(&str, Value)]) {
        self.line("WARN", message, attributes, true);
    }

    /// Logs a failure.
    pub fn error(&self, message: &str, attributes: &[(&str, Value)]) {
        self.line("ERROR", message, attributes, true);
    }

    /// Logs a part of a child process's output to the file only, because the output itself goes to stdout or stderr.
    /// `so_far` is the number of bytes of the stream before this part; nothing is logged beyond a limit.
    pub fn output(&self, stream: &'static str, piece: &[u8], so_far: usize) {
        let Some(rest) = STREAM_LIMIT.checked_sub(so_far).filter(|rest| *rest > 0) else { return };
        let text = String::from_utf8_lossy(&piece[..piece.len().min(rest)]);
        let mut attributes = vec![("stream", stream.into()), ("text", text.into())];
        if piece.len() >= rest {
            attributes
                .push(("note", "limit reached; the end of the stream is logged when the child has exited".into()));
        }
        self.line("INFO", "output", &attributes, false);
    }

    fn line(&self, level: &str, message: &str, attributes: &[(&str, Value)], to_stderr: bool) {
        let time = WallTime::now().rfc3339();
        let mut text = format!("{{\"time\":\"{time}\",\"level\":\"{level}\",\"msg\":{}", Value::from(message));
        for (name, value) in attributes {
            let _ = write!(text, ",{}:{value}", Value::from(*name));
        }
        text.push_str("}\n");
        let text = printable_json(text);
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
