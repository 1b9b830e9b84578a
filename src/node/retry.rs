//! `retry`: provisions a machine again that already has a result.
//!
//! The old result is kept under a dated name, the marker is removed, and the launcher starts the controller as at boot:
//! with the same inputs and features, under the same lock.

use std::fmt;
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use rustix::process::{Pid, Signal, kill_process};

use super::child::TerminationSignals;
use super::lock::{Lock, ProvisionerRecord};
use super::report::FAILED;
use super::result::{Completion, Location, NodeStorage, ObservedResult, Recorded, ResultFile, Storage, observe};
use super::{Log, Machine, WaitResult};
use crate::atomic_file;
use crate::catalogue::paths;
use crate::moment::Moment;

/// Interval of the checks for the lock and the end of the run.
const INTERVAL: Duration = Duration::from_millis(50);

/// The most results that are kept for one second.
const MOST_NAMES: usize = 1000;

/// Options of `retry`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetryRequest {
    /// Provision again even if the result is a success.
    pub force: bool,
    /// Wait for a running provisioner instead of failing.
    pub wait: bool,
}

/// Why a machine is not provisioned again. Nothing has changed, unless stated in the message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RetryError {
    /// Only root may provision.
    #[error("must run as root, because root owns the files of the node")]
    NotRoot,
    /// The machine has no input.
    #[error(
        "neither {} nor {} exists, so the machine cannot be provisioned\n  hint: aks-node-controller diagnose",
        paths::CONFIGURATION,
        paths::COMMAND
    )]
    NoInput,
    /// A provisioner runs.
    #[error(
        "a provisioner is running{}\n  hint: aks-node-controller provision-wait prints its result; --wait waits for it \
         and provisions again",
        .0.map(|pid| format!(" (process {pid})")).unwrap_or_default()
    )]
    Running(Option<u32>),
    /// The result is a success.
    #[error(
        "the machine is already provisioned: the exit code in {} is 0\n  hint: running the scripts again restarts \
         containerd and kubelet under the pods of the node; drain it first, then use --force",
        paths::RESULT
    )]
    Provisioned,
    /// A file cannot be read, kept or removed.
    #[error("cannot {verb} {path}: {error}", path = path.display())]
    File {
        /// The failed operation.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The launcher cannot be started.
    #[error("cannot start {program}: {error}; the old result is kept, and the next boot provisions the machine", program = program.display())]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// The cause.
        error: io::Error,
    },
}

/// The changes of `retry` to the files of a machine, and the command that it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryPlan {
    /// The markers, which are removed first, so that no marker exists beside the result of another attempt.
    removed: Vec<PathBuf>,
    /// The old results, their exit codes if valid, and their new names.
    kept: Vec<(PathBuf, Option<i64>, PathBuf)>,
    program: PathBuf,
    arguments: Vec<String>,
}

impl RetryPlan {
    /// Decides what to do. Changes nothing.
    fn new(machine: &Machine, request: RetryRequest) -> Result<Self, RetryError> {
        let inputs = [(paths::CONFIGURATION, "--provision-config"), (paths::COMMAND, "--nbc-cmd")];
        let inputs: Vec<_> = inputs.iter().filter(|(path, _)| machine.path(path).exists()).collect();
        if inputs.is_empty() {
            return Err(RetryError::NoInput);
        }
        let storage = NodeStorage::new(machine, Completion::Provision);
        let mut plan = Self {
            removed: Vec::new(),
            kept: Vec::new(),
            program: machine.path(paths::LAUNCHER),
            arguments: Vec::new(),
        };
        for location in [Location::Run, Location::Disk] {
            let marker = storage.path(location, ResultFile::Marker);
            if fs::symlink_metadata(&marker).is_ok() {
                plan.removed.push(marker);
            }
            let document = storage.path(location, ResultFile::Document);
            let unreadable = |error| RetryError::File { verb: "read", path: document.clone(), error };
            let Some(bytes) = storage.read(location, ResultFile::Document).map_err(unreadable)? else { continue };
            let code = Recorded::parse(&bytes).ok().map(|recorded| recorded.exit_code);
            let kept = kept_name(&document).map_err(unreadable)?;
            plan.kept.push((document, code, kept));
        }
        // Only a marker makes a success final. A document in `/run` belongs to this boot and comes first.
        let is_success = plan.kept.first().is_some_and(|(_, code, _)| *code == Some(0)) && !plan.removed.is_empty();
        if is_success && !request.force {
            return Err(RetryError::Provisioned);
        }
        if let Some(root) = machine.root() {
            // The launcher does not support another root.
            plan.program = std::env::current_exe().unwrap_or_else(|_| machine.path(paths::CONTROLLER));
            plan.arguments = vec!["provision".to_owned(), format!("--root={}", root.display())];
        } else if !plan.program.exists() {
            plan.program = machine.path(paths::CONTROLLER);
            plan.arguments = vec!["provision".to_owned()];
        }
        if !plan.arguments.is_empty() {
            let arguments = inputs.iter().map(|(path, flag)| format!("{flag}={}", machine.path(path).display()));
            plan.arguments.extend(arguments);
        }
        Ok(plan)
    }

    /// Decides what to do, for a dry run. Changes nothing.
    ///
    /// # Errors
    /// Fails as [`retry`] would.
    pub fn preview(machine: &Machine, request: RetryRequest) -> Result<Self, RetryError> {
        if !request.wait && Lock::is_held(machine) == Some(true) {
            return Err(RetryError::Running(ProvisionerRecord::read(machine).map(|record| record.pid)));
        }
        Self::new(machine, request)
    }

    /// Removes the markers and renames the old results. Never replaces an existing file.
    fn clear(&self) -> Result<(), RetryError> {
        let failed = |verb: &'static str, path: &Path| {
            let path = path.to_owned();
            move |error| RetryError::File { verb, path, error }
        };
        for marker in &self.removed {
            fs::remove_file(marker).map_err(failed("remove", marker))?;
            atomic_file::sync_directory_of(marker).map_err(failed("remove", marker))?;
        }
        for (document, _, kept) in &self.kept {
            // Unlike a rename, a link fails if the name exists.
            fs::hard_link(document, kept).map_err(failed("keep", document))?;
            fs::remove_file(document).map_err(failed("remove", document))?;
            atomic_file::sync_directory_of(document).map_err(failed("keep", document))?;
        }
        Ok(())
    }
}

/// One line for each thing that is done, in order.
impl fmt::Display for RetryPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for marker in &self.removed {
            writeln!(f, "remove {}", marker.display())?;
        }
        for (document, code, kept) in &self.kept {
            let code = code.map_or_else(|| "no valid result".to_owned(), |code| format!("exit code {code}"));
            writeln!(f, "keep {} ({code}) as {}", document.display(), kept.display())?;
        }
        write!(f, "run {}", self.program.display())?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))?;
        writeln!(f)
    }
}

/// Returns the name under which a result is kept: with the time when it was written, and a number if that name exists.
fn kept_name(document: &Path) -> io::Result<PathBuf> {
    let written = fs::metadata(document)?.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let time = Moment(i64::try_from(written.as_millis()).unwrap_or_default()).compact();
    let name = |number: usize| {
        let mut name = document.to_owned().into_os_string();
        name.push(if number == 0 { format!(".{time}") } else { format!(".{time}.{number}") });
        PathBuf::from(name)
    };
    let is_free = |path: &PathBuf| fs::symlink_metadata(path).is_err();
    (0..MOST_NAMES).map(name).find(is_free).ok_or_else(|| io::Error::from(io::ErrorKind::AlreadyExists))
}

/// Provisions a machine again. Calls `notify` before each step. The output of the scripts goes to standard error.
///
/// Handles the signals TERM, INT and HUP of this process and forwards TERM, so this function is for a process that does
/// nothing else.
///
/// # Errors
/// Fails if the machine must not or cannot be provisioned again.
pub fn retry(machine: &Machine, request: RetryRequest, notify: impl Fn(&str)) -> Result<WaitResult, RetryError> {
    if !machine.is_writable() {
        return Err(RetryError::NotRoot);
    }
    let failed = |error| RetryError::File { verb: "use", path: machine.path(paths::LOCK), error };
    let lock = loop {
        match Lock::take(machine).map_err(failed)? {
            Some(lock) => break lock,
            None if request.wait => thread::sleep(INTERVAL),
            None => return Err(RetryError::Running(ProvisionerRecord::read(machine).map(|record| record.pid))),
        }
    };
    // Under the lock, so that no provisioner writes a result in the meantime.
    let plan = RetryPlan::new(machine, request)?;
    let log = Log::open_if_writable(machine);
    for line in plan.to_string().lines() {
        notify(line);
        log.info("retry", &[("action", line.into())]);
    }
    let signals = TerminationSignals::handle().map_err(failed)?;
    plan.clear()?;
    // The provisioner takes the lock. If another one is faster, this one returns the other's result.
    drop(lock);
    let code = run(&plan, &signals).map_err(|error| RetryError::NotStarted { program: plan.program.clone(), error })?;
    let storage = NodeStorage::new(machine, Completion::Provision);
    if let Ok(ObservedResult::Complete(recorded)) = observe(&storage, machine.instance_id().as_deref()) {
        return Ok(WaitResult { exit_code: code, ..WaitResult::recorded(recorded) });
    }
    let error = format!("the provisioner ended with exit code {code} and left no result");
    let exit_code = if code == 0 { FAILED } else { code };
    Ok(WaitResult { exit_code, ..WaitResult::without_document(machine, &error) })
}

/// Runs the program of a plan to its end, and returns its exit code like a shell.
fn run(plan: &RetryPlan, signals: &TerminationSignals) -> io::Result<u8> {
    let output = io::stderr().as_fd().try_clone_to_owned()?;
    let mut child =
        Command::new(&plan.program).args(&plan.arguments).stdin(Stdio::null()).stdout(Stdio::from(output)).spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
            return Ok(u8::try_from(code).unwrap_or(FAILED));
        }
        // A terminal also sends its signals to the child.
        if signals.wait(INTERVAL) == Some(Signal::TERM.as_raw())
            && let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw)
        {
            let _ = kill_process(pid, Signal::TERM);
        }
    }
}
