//! One provisioner at a time, and what it says about itself to those who wait for it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::thread::sleep;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Machine;
use super::files::{self, SECRET_MODE};
use super::result::Completion;
use crate::catalogue::paths;

/// How long somebody who only looks may hold the lock.
const A_LOOK: Duration = Duration::from_millis(100);

/// The lock of the provisioner, held until this is dropped or the process ends, however it ends.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "held, not used")] File);

/// What a provisioner says about itself when it starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Started {
    /// The boot in which it started.
    pub boot_id: String,
    /// Its process.
    pub pid: u32,
    /// When, in milliseconds since boot.
    pub at: u64,
    /// After how many seconds the child has to be done, where that is known.
    pub timeout: Option<u64>,
    /// Whether it is the stage of an image bake, which ends with a marker of its own.
    pub base_prep: bool,
    /// The process group of its child.
    pub group: Option<u32>,
    /// When the leader of that group started, as the kernel counts, to know it again.
    pub leader_since: Option<u64>,
}

impl Started {
    /// The marker that the attempt ends with.
    #[must_use]
    pub const fn completion(&self) -> Completion {
        if self.base_prep { Completion::BasePrep } else { Completion::Provision }
    }

    /// What the provisioner of this boot said last.
    #[must_use]
    pub fn read(machine: &Machine) -> Option<Self> {
        let bytes = files::read_regular(&machine.path(paths::STARTED), 1 << 16).ok()?;
        let started: Self = serde_json::from_slice(&bytes).ok()?;
        (started.boot_id == machine.boot_id()).then_some(started)
    }

    /// Says it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, machine: &Machine) -> io::Result<()> {
        let text = serde_json::to_string(self).map_err(io::Error::other)?;
        files::replace_volatile(&machine.path(paths::STARTED), text.as_bytes(), 0o644)
    }

    /// The child's group, if it still runs.
    #[must_use]
    pub fn orphans(&self) -> Option<u32> {
        let group = self.group?;
        (self.leader_since.is_some() && start_of(group) == self.leader_since).then_some(group)
    }
}

/// When a process started, in the kernel's ticks since boot. `None`: there is none, or it has ended.
#[must_use]
pub fn start_of(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program comes second and may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    if state == "Z" { None } else { fields.nth(18)?.parse().ok() }
}

impl Lock {
    /// Takes the lock. `None`: another provisioner has it.
    ///
    /// # Errors
    /// The lock file cannot be made.
    pub fn take(machine: &Machine) -> io::Result<Option<Self>> {
        let path = machine.path(paths::LOCK);
        files::create_folder_of(&path)?;
        let file = OpenOptions::new().write(true).create(true).truncate(false).mode(SECRET_MODE).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => {
                sleep(A_LOOK);
                match file.try_lock() {
                    Ok(()) => Ok(Some(Self(file))),
                    Err(TryLockError::WouldBlock) => Ok(None),
                    Err(TryLockError::Error(error)) => Err(error),
                }
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Whether a provisioner of this boot started and is gone. Does not stand in the way of one that starts now.
    #[must_use]
    pub fn is_abandoned(machine: &Machine) -> bool {
        let Ok(file) = File::open(machine.path(paths::LOCK)) else { return false };
        let stale = machine.path(paths::STARTED).exists() && Started::read(machine).is_none();
        !stale && matches!(file.try_lock_shared(), Ok(()))
    }
}
