//! The waiter's second attempt to start provisioning. The command of the extension skips its own copy of the boothook if the early fetch
//! has written one; without this attempt, a failure of the fetched one would leave the node unprovisioned.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::lock::{Lock, ProvisionerRecord};
use super::plan::SHELL;
use super::{Log, Machine};
use crate::catalogue::paths;

/// Starts the copy of the boothook that the command of the extension has written, once.
#[derive(Debug)]
pub(super) struct Fallback {
    /// How long a waiter waits for a provisioner before it starts the copy. `None` if it has.
    after: Option<Duration>,
}

impl Fallback {
    /// Returns a fallback that acts when a waiter has waited this long.
    pub const fn after(after: Duration) -> Self {
        Self { after: Some(after) }
    }

    /// Starts the copy if the time has come, no provisioner has started, and there is a copy. The caller has found no result.
    pub fn act(&mut self, machine: &Machine, waited: Duration, log: &Log) {
        if self.after.is_none_or(|after| waited < after) {
            return;
        }
        self.after = None;
        let script = machine.path(paths::SECOND_BOOTHOOK);
        let has_started = ProvisionerRecord::read(machine).is_some() || Lock::is_held(machine) == Some(true);
        if has_started || !script.is_file() {
            return;
        }
        log.warn("no provisioner has started; starting the boothook of the extension", &[]);
        let mut command = Command::new(SHELL);
        // In a group of its own, because the waiter may end first.
        command.arg("--").arg(script).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        if let Err(error) = command.spawn() {
            log.error("cannot start the boothook of the extension", &[("error", error.to_string().into())]);
        }
    }
}
