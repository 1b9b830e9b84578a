//! Events for the Azure guest agent: one file each, with exactly the keys that the agent requires.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use super::clock::WallTime;
use super::log::Log;
use super::{Machine, files};
use crate::atomic_file;
use crate::catalogue::paths;

/// Bytes of the longest message. The consumer truncates longer ones.
const LONGEST_MESSAGE: usize = 3000;

/// Mode of an event file. The guest agent, its only reader, belongs to root.
const EVENT_MODE: u32 = 0o600;

/// The tasks that have events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskName {
    /// `provision`.
    Provision,
    /// `provision-wait`.
    ProvisionWait,
    /// The comparison of the Configuration with the classic command.
    CompareEnvs,
}

impl TaskName {
    /// Returns the name, without the common prefix of all tasks of this program.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Provision => "Provision",
            Self::ProvisionWait => "ProvisionWait",
            Self::CompareEnvs => "CompareEnvs",
        }
    }
}

/// The level of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum EventLevel {
    Informational,
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

/// A task. Its events contain the time since it began.
#[derive(Clone, Debug)]
pub(super) struct Task {
    machine: Machine,
    log: Log,
    name: TaskName,
    began: WallTime,
    clock: Instant,
}

impl Task {
    /// Begins a task. Writes no event.
    pub fn new(machine: &Machine, log: &Log, name: TaskName) -> Self {
        Self { machine: machine.clone(), log: log.clone(), name, began: WallTime::now(), clock: Instant::now() }
    }

    /// Writes the event at the start of a task.
    pub fn report_start(&self) {
        self.report(EventLevel::Informational, "Starting");
    }

    /// Writes the event at the end of a task.
    pub fn report_end(&self, error: Option<&str>) {
        match error {
            None => self.report(EventLevel::Informational, "Completed"),
            Some(error) => {
                self.report(EventLevel::Error, &format!("aks-node-controller exited with an error: {error}"));
            }
        }
    }

    /// Writes an event. A failure is logged and otherwise ignored.
    pub fn report(&self, level: EventLevel, message: &str) {
        if let Err(error) = self.write(level, message) {
            let attributes = [("task", self.name.as_str().into()), ("error", error.to_string().into())];
            self.log.warn("cannot write an event", &attributes);
        }
    }

    fn write(&self, level: EventLevel, message: &str) -> io::Result<()> {
        // The wall clock can be set in the meantime; the duration is from a clock that never is.
        let duration = self.clock.elapsed();
        let (start, end) = (self.began.event_format(), self.began.after(duration).event_format());
        let timing = format!(" | startTime={start}, endTime={end}, durationMs={}", duration.as_millis());
        let length = message.floor_char_boundary(LONGEST_MESSAGE.saturating_sub(timing.len()));
        let event = Event {
            timestamp: start,
            operation_id: end,
            version: "1.23",
            task_name: format!("AKS.AKSNodeController.{}", self.name.as_str()),
            event_level: level,
            message: &format!("{}{timing}", &message[..length]),
            event_pid: "0",
            event_tid: "0",
        };
        let text = serde_json::to_string(&event).map_err(io::Error::other)?;
        let directory = self.machine.path(paths::EVENTS);
        let mut number = WallTime::now().nanoseconds();
        // Another process can have used the name in the same nanosecond.
        while !create_complete(&directory.join(format!("{number}.json")), text.as_bytes())? {
            number += 1;
        }
        Ok(())
    }
}

/// Creates a file with its content. Returns `false` if the name exists. The agent scans the directory, so the file only
/// gets its name when it is complete.
fn create_complete(path: &Path, content: &[u8]) -> io::Result<bool> {
    files::create_directory_of(path)?;
    let temporary = atomic_file::temporary_name(path);
    let linked = atomic_file::create(&temporary, EVENT_MODE)
        .and_then(|mut file| file.write_all(content))
        .and_then(|()| fs::hard_link(&temporary, path));
    let _ = fs::remove_file(&temporary);
    match linked {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        linked => linked.map(|()| true),
    }
}
