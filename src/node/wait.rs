//! `provision-wait`: waits for the result of an attempt, and detects a provisioner that was killed.

use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use serde_json::Value;

use super::events::{Task, TaskName};
use super::fallback::Fallback;
use super::live::{Readiness, Status};
use super::lock::{Lock, ProvisionerRecord};
use super::report::{LOGGED, delivery, document, exit_code};
use super::result::{
    Completion, Location, NodeStorage, ObservedResult, Recorded, ResultFile, Storage, observe, with_delivery,
    with_ready,
};
use super::{Log, Machine, files};
use crate::catalogue::exit_codes::{CONTROLLER_FAILED, NODE_NOT_READY};
use crate::catalogue::{paths, timeouts};
use crate::redaction::Redactor;

/// How often the waiter checks for the marker without a notification.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The longest interval between two requests for the node object.
const LONGEST_INTERVAL: Duration = Duration::from_secs(10);

/// How long the document may be missing or invalid after the marker was created.
const DOCUMENT_GRACE: Duration = Duration::from_secs(5);

/// How often the document is read during that time.
const DOCUMENT_INTERVAL: Duration = Duration::from_millis(100);

/// How long a provisioner must seem dead, because another one could be about to start, or a result about to be written.
const DEATH_CONFIRMATION: Duration = Duration::from_secs(1);

/// How many checks for the marker may fail in a row.
const MARKER_ERRORS: u32 = 3;

/// The time without a provisioner after which the waiter prints a note.
const START_NOTICE: Duration = Duration::from_mins(1);

/// The time limit of a request to the API server, even if less time is left.
const REQUEST: Duration = Duration::from_secs(5);

/// How to treat a node that is not Ready at the timeout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum AwaitNode {
    /// Wait until the node is Ready, and report whether it is. A node that is not Ready is no failure.
    Report,
    /// Wait until the node is Ready. If it is not at the deadline, that is a failure with the code 246.
    Require,
}

/// What to wait for, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitRequest {
    /// The time for everything. Without it, waits until [`timeouts::WAIT_MARGIN`] after the time limit of the scripts, or for
    /// [`timeouts::START`] if no provisioner starts.
    pub timeout: Option<Duration>,
    /// After a success, whether to wait for the node to become Ready.
    pub node: Option<AwaitNode>,
    /// The time without a provisioner after which the extension's copy of the boothook is started.
    pub start_after: Duration,
}

/// What a waiter found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaitResult {
    /// The JSON document to print: the recorded one byte for byte, otherwise one with code 240.
    pub document: String,
    /// Exit code for the process: from the document, or 1 if it is not in 0 to 255.
    pub exit_code: u8,
    /// What went wrong. `None` after a success.
    pub error: Option<String>,
}

impl WaitResult {
    pub(super) fn recorded(recorded: Recorded) -> Self {
        let code = recorded.exit_code;
        let error = Redactor::default().redact(&recorded.error);
        let error = format!("provisioning ended with exit code {code}: {error}");
        Self { document: recorded.text, exit_code: exit_code(code), error: (code != 0).then_some(error) }
    }

    /// Returns the result if no document could be read.
    pub(super) fn without_document(machine: &Machine, error: &str) -> Self {
        let began = ProvisionerRecord::read(machine).map(|record| record.at);
        let document = document(machine, began, CONTROLLER_FAILED.into(), error, "");
        Self { document: document.to_line(), exit_code: CONTROLLER_FAILED, error: Some(document.error) }
    }
}

/// Waits for the result of an attempt and, if requested, for the node to become Ready.
/// The recorded result stays unchanged; the state of the node and how the input came are only added to the returned document.
///
/// Calls `notify` once if no provisioner has started after a minute.
#[must_use]
pub fn wait(machine: &Machine, request: WaitRequest, mut notify: impl FnMut(&str)) -> WaitResult {
    let log = Log::open_if_writable(machine);
    let task = Task::new(machine, &log, TaskName::ProvisionWait);
    let name = TaskName::ProvisionWait.as_str();
    log.info("started", &[("task", name.into())]);
    task.report_start();
    let mut waiter = Waiter::new(machine, request.timeout);
    let mut fallback = Fallback::after(request.start_after);
    let mut result = waiter.wait(&mut fallback, &log, &mut notify);
    result.document = with_delivery(&result.document, &delivery(machine));
    if let Some(node) = request.node
        && !waiter.is_base_prep()
    {
        result = waiter.wait_for_node(result, node == AwaitNode::Require, &log, notify);
    }
    task.report_end(result.error.as_deref());
    // Another program can have written the document, which is printed as it is.
    let beginning = &result.document[..result.document.floor_char_boundary(LOGGED)];
    let document = Redactor::default().redact(beginning).into_string();
    log.info("ended", &[("task", name.into()), ("provisionOutput", document.into())]);
    result
}

struct Waiter<'m> {
    machine: &'m Machine,
    began: Instant,
    timeout: Option<Duration>,
    marker_errors: u32,
    dead_since: Option<Instant>,
    has_notified: bool,
}

impl<'m> Waiter<'m> {
    fn new(machine: &'m Machine, timeout: Option<Duration>) -> Self {
        Self { machine, began: Instant::now(), timeout, marker_errors: 0, dead_since: None, has_notified: false }
    }

    fn wait(&mut self, fallback: &mut Fallback, log: &Log, mut notify: impl FnMut(&str)) -> WaitResult {
        let mut watch = DirectoryWatch::new();
        loop {
            // Watch first and then check, so that no file is missed in between.
            watch.arm(self.machine);
            if let Some(result) = self.look() {
                return result;
            }
            let waited = self.began.elapsed();
            fallback.act(self.machine, waited, log);
            if let Some(notice) = self.notice(waited) {
                notify(&notice);
            }
            let limit = self.left(waited).min(POLL_INTERVAL);
            let limit = self.dead_since.map_or(limit, |at| limit.min(DEATH_CONFIRMATION.saturating_sub(at.elapsed())));
            watch.wait(limit);
        }
    }

    /// Returns the remaining time of this waiter.
    fn left(&self, waited: Duration) -> Duration {
        if let Some(timeout) = self.timeout {
            return timeout.saturating_sub(waited);
        }
        let Some(record) = ProvisionerRecord::read(self.machine) else {
            return timeouts::START.saturating_sub(waited);
        };
        let longest = u64::from(timeouts::ACCEPTED.end().unsigned_abs());
        let limit = Duration::from_secs(record.timeout.unwrap_or(longest)).saturating_add(timeouts::WAIT_MARGIN);
        let end = Duration::from_millis(record.at).saturating_add(limit);
        end.saturating_sub(Duration::from_millis(Machine::since_boot()))
    }

    /// Returns a notice for the user, once, if no provisioner has started for a while.
    fn notice(&mut self, waited: Duration) -> Option<String> {
        if self.has_notified || waited < START_NOTICE || ProvisionerRecord::read(self.machine).is_some() {
            return None;
        }
        self.has_notified = true;
        let left = self.left(waited).as_secs();
        Some(format!(
            "no provisioner has started in this boot after {} s; waiting for another {left} s. Check \
             `systemctl status aks-node-controller` and {}",
            waited.as_secs(),
            self.machine.path(paths::CONTROLLER_LOG).display(),
        ))
    }

    /// Reports whether the attempt prepares an image, not a node.
    fn is_base_prep(&self) -> bool {
        ProvisionerRecord::read(self.machine).is_some_and(|record| record.completion() == Completion::BasePrep)
    }

    /// Waits until the node is Ready, or checks once after a failure. Returns the result with the state of the node.
    fn wait_for_node(
        &self,
        result: WaitResult,
        is_required: bool,
        log: &Log,
        mut notify: impl FnMut(&str),
    ) -> WaitResult {
        let began = Instant::now();
        let mut watch = DirectoryWatch::new();
        let mut has_notified = false;
        let mut certificate = Status::Unknown;
        let found = loop {
            watch.arm(self.machine);
            let found = Readiness::of(self.machine, REQUEST);
            let node = || [("node", Value::from(found.name.as_str()))];
            if found.certificate == Status::True && certificate != Status::True {
                log.info("kubelet has its certificate", &node());
            }
            certificate = found.certificate;
            let waited = began.elapsed();
            let left = self.left(self.began.elapsed());
            if found.is_ready() {
                log.info("the node is Ready", &node());
                break found;
            }
            if result.error.is_some() {
                break found;
            }
            if left.is_zero() {
                log.warn("the node is not Ready", &[("reason", found.reason.clone().into())]);
                break found;
            }
            if !has_notified && waited >= START_NOTICE {
                has_notified = true;
                notify(&format!(
                    "the node is not Ready after {} s: {}; waiting for another {} s",
                    waited.as_secs(),
                    found.reason,
                    left.as_secs()
                ));
            }
            if certificate == Status::True {
                // At growing intervals, because many nodes can send requests at the same time.
                sleep((waited / 10).clamp(POLL_INTERVAL, LONGEST_INTERVAL).min(left));
            } else {
                watch.wait(POLL_INTERVAL.min(left));
            }
        };
        let members = found.members(began.elapsed());
        let error = (is_required && result.error.is_none() && !found.is_ready()).then(|| {
            format!("provisioned, but the node is not Ready after {} s: {}", began.elapsed().as_secs(), found.reason)
        });
        let document = with_ready(&result.document, &members, error.as_deref().map(|error| (NODE_NOT_READY, error)));
        match error {
            Some(error) => WaitResult { document, exit_code: NODE_NOT_READY, error: Some(error) },
            None => WaitResult { document, ..result },
        }
    }

    fn look(&mut self) -> Option<WaitResult> {
        let record = ProvisionerRecord::read(self.machine);
        let completion = record.as_ref().map_or(Completion::Provision, ProvisionerRecord::completion);
        let storage = NodeStorage::new(self.machine, completion);
        match observe(&storage, self.machine.instance_id().as_deref()) {
            Ok(ObservedResult::Complete(recorded)) => return Some(WaitResult::recorded(recorded)),
            Ok(ObservedResult::Broken(_)) => return Some(self.wait_for_document(&storage)),
            Ok(ObservedResult::NotComplete) => self.marker_errors = 0,
            Err(error) => {
                self.marker_errors += 1;
                if self.marker_errors >= MARKER_ERRORS {
                    let marker = storage.path(Location::Disk, ResultFile::Marker);
                    return Some(self.failed(&format!("cannot check whether {} exists: {error}", marker.display())));
                }
            }
        }
        self.result_of_dead_provisioner(&storage, record.as_ref())
            .or_else(|| self.past_deadline(&storage, record.as_ref()))
    }

    fn failed(&self, error: &str) -> WaitResult {
        WaitResult::without_document(self.machine, error)
    }

    /// Returns a result if the deadline has passed.
    fn past_deadline(&self, storage: &NodeStorage, record: Option<&ProvisionerRecord>) -> Option<WaitResult> {
        if !self.left(self.began.elapsed()).is_zero() {
            return None;
        }
        let state = match record {
            Some(record) => format!(
                "the provisioner (process {}) is still running and has not created {}",
                record.pid,
                storage.path(Location::Disk, ResultFile::Marker).display()
            ),
            None => "no provisioner has started in this boot".to_owned(),
        };
        Some(self.failed(&format!("deadline exceeded after {} s: {state}", self.began.elapsed().as_secs())))
    }

    /// Waits for a valid document after the marker was created.
    fn wait_for_document(&self, storage: &NodeStorage) -> WaitResult {
        let deadline = Instant::now() + DOCUMENT_GRACE;
        loop {
            let cause = match observe(storage, self.machine.instance_id().as_deref()) {
                Ok(ObservedResult::Complete(recorded)) => return WaitResult::recorded(recorded),
                Ok(ObservedResult::Broken(cause)) => cause,
                Ok(ObservedResult::NotComplete) | Err(_) => None,
            };
            if Instant::now() >= deadline {
                let path = storage.path(Location::Disk, ResultFile::Document);
                let problem = cause.map_or_else(
                    || "is missing; check that the node's Configuration was delivered".to_owned(),
                    |cause| cause.to_string(),
                );
                return self
                    .failed(&format!("provisioning has ended, but its result document {} {problem}", path.display()));
            }
            sleep(DOCUMENT_INTERVAL);
        }
    }

    /// Returns a result if the provisioner has ended without a marker for a while.
    fn result_of_dead_provisioner(
        &mut self,
        storage: &NodeStorage,
        record: Option<&ProvisionerRecord>,
    ) -> Option<WaitResult> {
        if !Lock::is_abandoned(self.machine) {
            self.dead_since = None;
            return None;
        }
        if self.dead_since.get_or_insert_with(Instant::now).elapsed() < DEATH_CONFIRMATION {
            return None;
        }
        // A valid document is its result, unless it left no record: then the document can be older.
        for location in [Location::Run, Location::Disk] {
            if let (Some(_), Ok(Some(bytes))) = (record, storage.read(location, ResultFile::Document))
                && let Ok(recorded) = Recorded::parse(&bytes)
            {
                return Some(WaitResult::recorded(recorded));
            }
        }
        let process = record.map_or_else(String::new, |record| format!(" (process {})", record.pid));
        let orphans = match record.and_then(ProvisionerRecord::running_group) {
            Some(group) => format!("; its processes still run in process group {group}"),
            None => String::new(),
        };
        Some(self.failed(&format!("the provisioner{process} was killed before it wrote a result{orphans}")))
    }
}

/// Reports changes in the directories of the marker and the lock. If that fails, the waiter polls.
struct DirectoryWatch(Option<OwnedFd>);

impl DirectoryWatch {
    fn new() -> Self {
        Self(inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok())
    }

    /// Watches the existing directories. Repeated, because a directory can be created again.
    fn arm(&self, machine: &Machine) {
        let Some(watch) = &self.0 else { return };
        let flags = WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::CLOSE_WRITE | WatchFlags::DELETE_SELF;
        let marker = machine.path(paths::PROVISION_COMPLETE);
        let _ = files::create_directory_of(&marker);
        for path in [marker, machine.path(paths::LOCK), machine.path(paths::KUBECONFIG)] {
            let _ = path.parent().map(|directory: &Path| inotify::add_watch(watch, directory, flags));
        }
    }

    /// Waits for a change, for at most `duration`.
    fn wait(&mut self, duration: Duration) {
        let Some(watch) = &self.0 else { return sleep(duration) };
        let timeout = Timespec {
            tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: duration.subsec_nanos().into(),
        };
        match poll(&mut [PollFd::new(watch, PollFlags::IN)], Some(&timeout)) {
            Ok(0) => {}
            Ok(_) if drain(watch).is_ok() => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => {
                self.0 = None;
                sleep(duration);
            }
        }
    }
}

fn drain(watch: &OwnedFd) -> io::Result<()> {
    let mut buffer = [std::mem::MaybeUninit::uninit(); 4096];
    let mut reader = inotify::Reader::new(watch, &mut buffer);
    loop {
        match reader.next() {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_directory::TestDirectory;

    fn record(machine: &Machine, timeout: Option<u64>) {
        let (boot_id, at) = (machine.boot_id(), Machine::since_boot());
        let record = ProvisionerRecord { boot_id, at, timeout, ..ProvisionerRecord::default() };
        record.write(machine).expect("the record can be written");
    }

    #[test]
    fn without_a_timeout_the_time_left_depends_on_what_has_started() {
        let root = TestDirectory::new();
        let machine = Machine::below(&root).expect("a plain path");
        let left = |waited| Waiter::new(&machine, None).left(Duration::from_secs(waited)).as_secs();
        assert_eq!((left(0), left(1199), left(1201)), (1200, 1, 0));
        // The clock goes on between the record and the question.
        for (timeout, expected) in [(Some(90), 150), (None, 21_660)] {
            record(&machine, timeout);
            assert!((expected - 60..=expected).contains(&left(0)), "{timeout:?}: {}", left(0));
        }
        let waiter = Waiter::new(&machine, Some(Duration::from_secs(7)));
        assert_eq!(waiter.left(Duration::from_secs(3)).as_secs(), 4);
    }

    #[test]
    fn a_record_with_the_longest_time_limit_is_valid() {
        let root = TestDirectory::new();
        let machine = Machine::below(&root).expect("a plain path");
        record(&machine, Some(u64::MAX));
        assert!(Waiter::new(&machine, None).left(Duration::ZERO) > Duration::from_secs(u64::MAX >> 1));
    }

    #[test]
    fn past_the_deadline_the_error_names_the_marker_that_the_provisioner_has_not_created() {
        let root = TestDirectory::new();
        let machine = Machine::below(&root).expect("a plain path");
        let waiter = Waiter::new(&machine, Some(Duration::ZERO));
        for (base_prep, marker) in [(false, paths::PROVISION_COMPLETE), (true, paths::BASE_PREP_COMPLETE)] {
            let record = ProvisionerRecord { pid: 7, base_prep, ..ProvisionerRecord::default() };
            let storage = NodeStorage::new(&machine, record.completion());
            let error =
                waiter.past_deadline(&storage, Some(&record)).and_then(|result| result.error).expect("it is over");
            let expected =
                format!("(process 7) is still running and has not created {}", machine.path(marker).display());
            assert!(error.ends_with(&expected), "{error}");
        }
    }

    #[test]
    fn a_waiter_says_once_that_nothing_has_started() {
        let root = TestDirectory::new();
        let machine = Machine::below(&root).expect("a plain path");
        let mut waiter = Waiter::new(&machine, None);
        assert_eq!(waiter.notice(Duration::from_secs(59)), None);
        let notice = waiter.notice(Duration::from_mins(1)).expect("it is time");
        assert!(notice.starts_with("no provisioner has started in this boot after 60 s; waiting for another 1140 s"));
        assert_eq!(waiter.notice(Duration::from_secs(61)), None);
        record(&machine, None);
        assert_eq!(Waiter::new(&machine, None).notice(Duration::from_mins(1)), None);
    }
}
