//! Events that Azure's guest agent collects: one file each, with exactly the keys that it asks for.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use super::clock::Wall;
use super::log::Log;
use super::{Machine, files};
use crate::atomic_file;
use crate::catalogue::paths;

/// The consumer cuts longer messages.
const LONGEST_MESSAGE: usize = 3000;

/// Whether something failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum EventLevel {
    /// No.
    Informational,
    /// Yes.
    Error,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
#[expect(clippy::struct_field_names, reason = "the names are the consumer's")]
struct Event<'a> {
    timestamp: String,
    operation_id: String,
    version: &'static str,
    task_name: String,
    event_level: EventLevel,
    message: &'a str,
    event_pid: &'static str,
    event_tid: &'static str,
}

/// A piece of work that is told about.
#[derive(Clone, Debug)]
pub struct Task {
    machine: Machine,
    log: Log,
    name: &'static str,
    wall: Wall,
    clock: Instant,
}

impl Task {
    /// Begins the task `AKS.AKSNodeController.NAME`.
    #[must_use]
    pub fn new(machine: &Machine, log: &Log, name: &'static str) -> Self {
        Self { machine: machine.clone(), log: log.clone(), name, wall: Wall::now(), clock: Instant::now() }
    }

    /// Writes an event. That it cannot be written is told in the log and changes nothing.
    pub fn tell(&self, level: EventLevel, message: &str) {
        if let Err(error) = self.write(level, message) {
            self.log
                .warn("an event cannot be written", &[("task", self.name.into()), ("error", error.to_string().into())]);
        }
    }

    fn write(&self, level: EventLevel, message: &str) -> io::Result<()> {
        // The clock may have been set since; durations come from one that cannot be.
        let taken = self.clock.elapsed();
        let (start, end) = (self.wall.for_an_event(), self.wall.after(taken).for_an_event());
        let timing = format!(" | startTime={start}, endTime={end}, durationMs={}", taken.as_millis());
        let mut room = LONGEST_MESSAGE.saturating_sub(timing.len()).min(message.len());
        while !message.is_char_boundary(room) {
            room -= 1;
        }
        let event = Event {
            timestamp: start,
            operation_id: end,
            version: "1.23",
            task_name: format!("AKS.AKSNodeController.{}", self.name),
            event_level: level,
            message: &format!("{}{timing}", &message[..room]),
            event_pid: "0",
            event_tid: "0",
        };
        let text = serde_json::to_string(&event).map_err(io::Error::other)?;
        let folder = self.machine.path(paths::EVENTS);
        let mut number = Wall::now().nanoseconds();
        // A name that another process took in the same nanosecond is left to it.
        while !claim(&folder.join(format!("{number}.json")), text.as_bytes())? {
            number += 1;
        }
        Ok(())
    }
}

/// Writes a file under a name that must not be taken. The agent scans the folder, so the name comes last.
fn claim(path: &Path, content: &[u8]) -> io::Result<bool> {
    files::create_folder_of(path)?;
    let temporary = atomic_file::temporary_name(path);
    let linked = atomic_file::create(&temporary, 0o644)
        .and_then(|mut file| file.write_all(content))
        .and_then(|()| fs::hard_link(&temporary, path));
    let _ = fs::remove_file(&temporary);
    match linked {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        linked => linked.map(|()| true),
    }
}
