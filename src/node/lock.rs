//! The lock that allows one provisioner at a time, and the record that it writes for waiters and its successor.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::thread::sleep;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Machine;
use super::delivered::InputDelivery;
use super::files::{self, SECRET_MODE};
use super::result::Completion;
use crate::catalogue::paths;

/// How long a waiter that tests the lock may hold it.
const TEST_DURATION: Duration = Duration::from_millis(100);

/// Bytes of the largest record.
const LARGEST_RECORD: u64 = 1 << 16;

/// Mode of the record. It has no secrets.
const RECORD_MODE: u32 = 0o644;

/// The lock of the provisioner. Released when this value is dropped or the process ends.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "held, not used")] File);

impl Lock {
    /// Takes the lock. Returns `None` if another provisioner holds it.
    ///
    /// # Errors
    /// Fails if the lock file cannot be created or locked.
    pub fn take(machine: &Machine) -> io::Result<Option<Self>> {
        let path = machine.path(paths::LOCK);
        files::create_directory_of(&path)?;
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(false).mode(SECRET_MODE);
        let file = files::open_regular_with(options, &path)?;
        match file.try_lock() {
            Ok(()) => return Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => sleep(TEST_DURATION),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Reports whether a provisioner runs; `None` if that is unknown. Does not prevent one from starting.
    pub fn is_held(machine: &Machine) -> Option<bool> {
        match open(machine) {
            Ok(file) => match file.try_lock_shared() {
                Ok(()) => Some(false),
                Err(TryLockError::WouldBlock) => Some(true),
                Err(TryLockError::Error(_)) => None,
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some(false),
            // Only root can open the lock, but everyone can read the record.
            Err(_) => ProvisionerRecord::read(machine).map(|record| start_time(record.pid).is_some()),
        }
    }

    /// Reports whether a provisioner of this boot started and ended. Does not prevent one from starting.
    pub fn is_abandoned(machine: &Machine) -> bool {
        let Ok(file) = open(machine) else { return false };
        let is_of_another_boot = machine.path(paths::STARTED).exists() && ProvisionerRecord::read(machine).is_none();
        !is_of_another_boot && matches!(file.try_lock_shared(), Ok(()))
    }
}

/// Opens the lock to test it.
fn open(machine: &Machine) -> io::Result<File> {
    files::open_regular_with(OpenOptions::new().read(true), &machine.path(paths::LOCK))
}

/// The record of a provisioner, which it writes when it starts and again when its child process runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ProvisionerRecord {
    /// The id of the boot in which it started.
    pub boot_id: String,
    /// Its process id.
    pub pid: u32,
    /// When it started, in milliseconds since boot.
    pub at: u64,
    /// Time limit of the scripts in seconds. `None` until it is known.
    pub timeout: Option<u64>,
    /// Whether this is the first stage of an image build, which has its own completion marker.
    pub base_prep: bool,
    /// The process group of its child process.
    pub group: Option<u32>,
    /// When the leader of that group started, in the kernel's ticks since boot. Distinguishes it from a later process
    /// with the same id.
    pub leader_since: Option<u64>,
    /// How its input came.
    pub delivery: Option<InputDelivery>,
}

impl ProvisionerRecord {
    /// Returns the record of the last provisioner of this boot.
    pub fn read(machine: &Machine) -> Option<Self> {
        let bytes = files::read_regular(&machine.path(paths::STARTED), LARGEST_RECORD).ok()?;
        let record: Self = serde_json::from_slice(&bytes).ok()?;
        (record.boot_id == machine.boot_id()).then_some(record)
    }

    /// Writes the record, which everyone can read.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn write(&self, machine: &Machine) -> io::Result<()> {
        let text = serde_json::to_string(self).map_err(io::Error::other)?;
        files::replace_volatile(&machine.path(paths::STARTED), text.as_bytes(), RECORD_MODE)
    }

    /// Adds the process group of the child process.
    pub fn set_group(&mut self, group: u32) {
        self.group = Some(group);
        self.leader_since = start_time(group);
    }

    /// Returns the marker that the attempt ends with.
    pub const fn completion(&self) -> Completion {
        if self.base_prep { Completion::BasePrep } else { Completion::Provision }
    }

    /// Returns the process group of the child process if its leader still runs.
    pub fn running_group(&self) -> Option<u32> {
        let group = self.group?;
        (self.leader_since.is_some() && start_time(group) == self.leader_since).then_some(group)
    }
}

/// Returns when a process started, in the kernel's ticks since boot. `None` if it has ended.
fn start_time(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field, the name of the program, can contain any character.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    if state == "Z" { None } else { fields.nth(18)?.parse().ok() }
}
