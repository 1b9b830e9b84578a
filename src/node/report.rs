//! Reports how an attempt ended: the result document, the completion marker, the log and the last event.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io, panic};

use serde_json::Value;

use super::child::{FinishedChild, Termination};
use super::clock::WallTime;
use super::events::{EventLevel, Task, TaskName};
use super::lock::ProvisionerRecord;
use super::result::{
    Completion, Location, NodeStorage, Recorded, ResultDocument, ResultFile, Start, Storage, Timings, begin, complete,
    publish, signal_name, with_delivery, without_secrets,
};
use super::{Log, Machine, files};
use crate::catalogue::exit_codes::CONTROLLER_FAILED;
use crate::catalogue::paths;
use crate::diagnosis::{Evidence, Item, Source, diagnose};
use crate::explain::ended_step;
use crate::redaction::{Redacted, Redactor};

/// `ExitCode` of the document if the child process cannot be started.
const NOT_STARTED: i64 = -1;

/// `ExitCode` of the document if the child process exceeded its time limit, the code of `timeout`.
const TIMED_OUT: i64 = 124;

/// Exit code of this process if it fails itself, or if the document's code is out of range.
pub(super) const FAILED: u8 = 1;

/// Bytes at the end of the scripts' log that are searched for the last step.
const LAST_LINES: u64 = 64 << 10;

/// Bytes at the end of each stream that are logged when the child process has exited.
pub(super) const LOGGED: usize = 8 << 10;

/// Returns the code of a document as the exit code of a process: 1 if it is out of range.
pub(super) fn exit_code(code: i64) -> u8 {
    u8::try_from(code).unwrap_or(FAILED)
}

/// Returns the code of a document for a signal: 128 plus its number, as in a shell.
fn signal_code(signal: i32) -> i64 {
    i64::from(128 + signal)
}

/// How an attempt ended, for the exit code of this process and the last event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Exit code of this process.
    pub exit_code: u8,
    /// What went wrong. `None` after a success.
    pub error: Option<String>,
}

impl Outcome {
    /// Returns the outcome of a document with this code and error.
    pub fn recorded(code: i64, error: impl Into<String>) -> Self {
        Self { exit_code: exit_code(code), error: (code != 0).then(|| error.into()) }
    }

    /// Returns the outcome of an attempt that could not begin and has no document.
    pub fn failed(error: impl Into<String>) -> Self {
        Self { exit_code: FAILED, error: Some(error.into()) }
    }

    /// Returns the outcome of an attempt that a signal interrupted before it began.
    pub fn interrupted(signal: i32, error: impl Into<String>) -> Self {
        Self::recorded(signal_code(signal), error)
    }

    /// Returns the outcome without secrets: the error can be that of a document, which another program has written.
    pub fn redacted(self, secrets: &Redactor) -> Self {
        Self { error: self.error.map(|error| secrets.redact(&error).into_string()), ..self }
    }
}

/// How an attempt ended, for the result document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    /// `ExitCode` of the document.
    code: i64,
    /// Exit code of this process.
    exit_code: u8,
    /// `Error` of the document. Empty after a success.
    error: String,
    /// Output of the child process.
    output: String,
    /// Whether the attempt is over. Otherwise no marker is written, and the next boot tries again.
    is_over: bool,
}

impl Ending {
    fn new(code: i64, error: impl Into<String>) -> Self {
        Self { code, exit_code: exit_code(code), error: error.into(), output: String::new(), is_over: true }
    }

    /// The controller failed, and no child process ran.
    pub fn controller_failed(error: impl Into<String>) -> Self {
        Self { exit_code: FAILED, ..Self::new(CONTROLLER_FAILED.into(), error) }
    }

    /// The child process could not be started.
    pub fn not_started(program: &str, error: &io::Error) -> Self {
        Self { exit_code: FAILED, ..Self::new(NOT_STARTED, format!("cannot start {program}: {error}")) }
    }

    /// The child process ended. An interrupted one runs again in the next boot if the machine is shutting down.
    pub fn of_child(child: &FinishedChild, is_shutting_down: impl FnOnce() -> bool) -> Self {
        let output = format!("{}\n{}", child.stdout, child.stderr);
        let ending = match child.termination {
            Termination::Exited(0) => Self::new(0, ""),
            Termination::Exited(code) => Self::new(code.into(), format!("the child ended with exit code {code}")),
            Termination::Killed(signal) => {
                Self::new(signal_code(signal), format!("the child was killed by {}", signal_name(signal)))
            }
            Termination::TimedOut => Self::new(TIMED_OUT, "the child exceeded its time limit and was terminated"),
            Termination::Interrupted(signal) => {
                let is_over = !is_shutting_down();
                let next = if is_over { "" } else { "; the machine is shutting down, the next boot tries again" };
                let error = format!("received {} and terminated the child{next}", signal_name(signal));
                Self { is_over, ..Self::new(signal_code(signal), error) }
            }
        };
        Self { output, ..ending }
    }

    /// Adds the end of what the scripts have logged, if the child process failed and printed nothing: a script that fails before the
    /// scripts' own result has its reason only there.
    pub fn with_log(self, logged: &ScriptLog, secrets: &Redactor) -> Self {
        if self.code == 0 || !self.output.trim().is_empty() {
            return self;
        }
        Self { output: logged.since(secrets).into_string(), ..self }
    }
}

/// The scripts' log, from a point in time on.
#[derive(Clone, Debug)]
pub(super) struct ScriptLog {
    path: PathBuf,
    /// Bytes that it had then.
    begin: u64,
}

impl ScriptLog {
    /// Returns the log from now on.
    pub fn of(machine: &Machine) -> Self {
        let path = machine.path(paths::PROVISION_LOG);
        let begin = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        Self { path, begin }
    }

    /// Returns the end of what has been logged since, without secrets. Empty if the log cannot be read.
    fn since(&self, secrets: &Redactor) -> Redacted {
        let size = fs::metadata(&self.path).map_or(0, |metadata| metadata.len());
        let added = size.checked_sub(self.begin).unwrap_or(size);
        let log = files::read_tail(&self.path, added.min(LAST_LINES)).unwrap_or_default();
        secrets.redact(String::from_utf8_lossy(&log).trim_end())
    }
}

/// Returns a document with the known facts about the machine and about an attempt that began at a time, in milliseconds
/// since boot.
pub(super) fn document(machine: &Machine, began: Option<u64>, code: i64, error: &str, output: &str) -> ResultDocument {
    let (now, up) = (WallTime::now(), Machine::since_boot());
    let duration = began.map(|began| Duration::from_millis(up.saturating_sub(began)));
    let start = duration.map(|duration| now.before(duration));
    let error = match start.and_then(|start| last_step(machine, start)) {
        Some(step) => format!("{error}; the last completed step was {step}"),
        None => error.to_owned(),
    };
    ResultDocument {
        timings: Timings {
            duration: duration.map(|duration| duration.as_secs()),
            kernel_start: Some(now.before(Duration::from_millis(up)).systemd_format()),
            start: start.map(WallTime::date_format),
        },
        instance_id: machine.instance_id(),
        boot_id: machine.boot_id(),
        delivery: delivery(machine),
        ..ResultDocument::new(code, &error, output)
    }
}

/// Returns how the input of the last attempt of this boot came, for its result.
pub(super) fn delivery(machine: &Machine) -> Vec<(&'static str, String)> {
    let delivery = ProvisionerRecord::read(machine).and_then(|record| record.delivery);
    delivery.map(|delivery| delivery.members()).unwrap_or_default()
}

/// Returns the last step that the scripts logged as completed since a point in time. `None` if none was.
fn last_step(machine: &Machine, since: WallTime) -> Option<String> {
    let log = files::read_tail(&machine.path(paths::PROVISION_LOG), LAST_LINES).ok()?;
    let since = since.event_format();
    // Such as `2026-01-31 08:15:30 installTools: 1234 ms`, in the local time of the machine.
    let step = |line: &str| {
        let (time, rest) = line.split_at_checked("2026-01-31 08:15:30".len())?;
        let (name, _) = ended_step(rest)?;
        (time >= &since[..time.len()]).then(|| name.to_owned())
    };
    String::from_utf8_lossy(&log).lines().rev().find_map(step)
}

/// Writes the result of an attempt.
#[derive(Clone, Debug)]
pub(super) struct Reporter {
    machine: Machine,
    /// When the attempt began, in milliseconds since boot.
    began: u64,
    storage: NodeStorage,
    /// The secrets of the input.
    secrets: Arc<Redactor>,
    log: Log,
}

impl Reporter {
    /// Returns a reporter of attempts that end with the marker of `completion`.
    pub fn new(machine: &Machine, completion: Completion, secrets: &Arc<Redactor>, log: &Log) -> Self {
        Self {
            machine: machine.clone(),
            began: Machine::since_boot(),
            storage: NodeStorage::new(machine, completion),
            secrets: Arc::clone(secrets),
            log: log.clone(),
        }
    }

    /// Prepares the files of the result for an attempt.
    ///
    /// # Errors
    /// Fails as [`begin`] does.
    pub fn begin(&mut self) -> io::Result<Start> {
        begin(&mut self.storage, self.machine.instance_id().as_deref())
    }

    /// Writes the result of an attempt: the document, and the marker if the attempt is over. A valid document from the
    /// child process is kept, without secrets, because it has more details. A failure to write is logged.
    pub fn conclude(&mut self, ending: &Ending) -> Outcome {
        let written_by_child = self.storage.read(Location::Disk, ResultFile::Document).unwrap_or_default();
        let (outcome, published) = match written_by_child.map(|bytes| Recorded::parse(&bytes)) {
            Some(Ok(recorded)) => {
                self.amend(&recorded);
                let outcome = ending.outcome_beside(&recorded).redacted(&self.secrets);
                (outcome, self.complete(ending))
            }
            Some(Err(error)) => {
                let _ = self.storage.set_aside(Location::Disk, ResultFile::Document);
                let document =
                    self.document(ending).with_error(&format!("the child left a result document that {error}"));
                (ending.outcome(), self.publish(&document, ending))
            }
            None => (ending.outcome(), self.publish(&self.document(ending), ending)),
        };
        self.storage.release();
        if let Err(error) = published {
            self.log.error("cannot write the result", &[("error", error.to_string().into())]);
        }
        outcome
    }

    /// Logs how long phases and steps took, as far as the result and the scripts' log show. The document has no member for them,
    /// because its line has little space.
    pub fn log_durations(&self) {
        let Ok(Some(document)) = self.storage.read(Location::Disk, ResultFile::Document) else { return };
        let log = files::read_tail(&self.machine.path(paths::PROVISION_LOG), LAST_LINES).unwrap_or_default();
        let item = |path: &str, source, bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            Item { path: path.to_owned(), source, text, left_out: 0, modified: None }
        };
        let items = vec![
            item(paths::RESULT, Source::Result, &document),
            item(paths::PROVISION_LOG, Source::ProvisionLog, &log),
        ];
        let timings = diagnose(&Evidence { items, ..Evidence::default() }).timings;
        if !timings.is_empty() {
            self.log.info("durations", &[("timings", timings.to_json())]);
        }
    }

    /// Reports every panic of this process from now on as a failure of the controller, and exits.
    pub fn report_panics(&self) {
        let reporter = self.clone();
        panic::set_hook(Box::new(move |panicked| {
            // Not the message of the panic, which can contain a value.
            let location = panicked.location().map(ToString::to_string).unwrap_or_default();
            let error = format!("the controller panicked at {location}; this is a bug in aks-node-controller");
            reporter.log.error(&error, &[]);
            let outcome = reporter.clone().conclude(&Ending::controller_failed(&error));
            Task::new(&reporter.machine, &reporter.log, TaskName::Provision).report(EventLevel::Error, &error);
            std::process::exit(outcome.exit_code.into());
        }));
    }

    /// Removes secrets from the document of the child process, because Azure shows it, and adds how the input came.
    fn amend(&mut self, recorded: &Recorded) {
        let text = without_secrets(&recorded.text, &self.secrets);
        let text = with_delivery(&text, &delivery(&self.machine));
        if text != recorded.text {
            let path = self.storage.path(Location::Disk, ResultFile::Document);
            if let Err(error) = files::replace(&path, text.as_bytes(), files::SECRET_MODE) {
                self.log.warn("cannot amend the result", &[("error", error.to_string().into())]);
            }
        }
    }

    fn document(&self, ending: &Ending) -> ResultDocument {
        document(&self.machine, Some(self.began), ending.code, &ending.error, &ending.output)
    }

    fn publish(&mut self, document: &ResultDocument, ending: &Ending) -> io::Result<()> {
        publish(&mut self.storage, document, ending.is_over).map(drop)
    }

    fn complete(&mut self, ending: &Ending) -> io::Result<()> {
        let is_marked = self.storage.read(Location::Disk, ResultFile::Marker).is_ok_and(|marker| marker.is_some());
        if ending.is_over && !is_marked { complete(&mut self.storage) } else { Ok(()) }
    }
}

impl Ending {
    fn outcome(&self) -> Outcome {
        Outcome { exit_code: self.exit_code, error: (self.code != 0).then(|| self.error.clone()) }
    }

    /// Returns the outcome if the child process has written a document itself. A child that exits with 0 can still have
    /// recorded a failure.
    fn outcome_beside(&self, recorded: &Recorded) -> Outcome {
        if self.code == 0 { Outcome::recorded(recorded.exit_code, &recorded.error) } else { self.outcome() }
    }
}

/// Logs how the child process ended, with the end of its output.
pub(super) fn log_end(log: &Log, child: &FinishedChild, outcome: &Outcome) {
    let tail = |text: &str| Value::from(&text[text.ceil_char_boundary(text.len().saturating_sub(LOGGED))..]);
    let attributes = [
        ("exitCode", outcome.exit_code.into()),
        ("stdout", tail(&child.stdout)),
        ("stderr", tail(&child.stderr)),
        ("error", outcome.error.clone().unwrap_or_default().into()),
        ("outputHeldOpen", child.output_held_open.into()),
    ];
    log.info("the child has exited", &attributes);
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;
    use std::{env, fs};

    use super::*;
    use crate::test_directory::TestDirectory;

    fn child(termination: Termination) -> FinishedChild {
        let (stdout, stderr) = ("out".to_owned(), "err".to_owned());
        FinishedChild { termination, stdout, stderr, output_held_open: false }
    }

    #[test]
    fn each_termination_has_its_code_and_error() {
        for (termination, code, exit_code, error) in [
            (Termination::Exited(0), 0, 0, ""),
            (Termination::Exited(50), 50, 50, "exit code 50"),
            (Termination::Exited(240), 240, 240, "exit code 240"),
            (Termination::Killed(9), 137, 137, "signal 9 (SIGKILL)"),
            (Termination::TimedOut, 124, 124, "time limit"),
            (Termination::Interrupted(15), 143, 143, "signal 15 (SIGTERM)"),
        ] {
            let ending = Ending::of_child(&child(termination), || false);
            assert_eq!((ending.code, ending.exit_code, ending.is_over), (code, exit_code, true), "{termination:?}");
            assert!(ending.error.contains(error), "{}", ending.error);
            assert_eq!(ending.output, "out\nerr");
        }
        let failed = Ending::controller_failed("why");
        assert_eq!((failed.code, failed.exit_code), (240, 1));
        let not_started = Ending::not_started("bash", &io::ErrorKind::NotFound.into());
        assert_eq!((not_started.code, not_started.exit_code), (-1, 1));
    }

    #[test]
    fn an_attempt_interrupted_by_a_shutdown_is_not_over() {
        let ending = Ending::of_child(&child(Termination::Interrupted(15)), || true);
        assert!(!ending.is_over && ending.error.contains("the next boot tries again"), "{ending:?}");
        let ending = Ending::of_child(&child(Termination::Exited(1)), || unreachable!("only an interruption asks"));
        assert!(ending.is_over);
    }

    #[test]
    fn a_failure_recorded_by_a_child_that_exited_with_0_is_the_outcome() {
        let recorded = Recorded::parse(br#"{"ExitCode":"7","Error":"theirs"}"#).expect("valid");
        let outcome = Ending::of_child(&child(Termination::Exited(0)), || false).outcome_beside(&recorded);
        assert_eq!(outcome, Outcome { exit_code: 7, error: Some("theirs".to_owned()) });
        let outcome = Ending::of_child(&child(Termination::Exited(50)), || false).outcome_beside(&recorded);
        assert_eq!(outcome.exit_code, 50);
    }

    /// A panic ends the process, so it happens in another run of this test's program.
    #[test]
    fn a_panic_leaves_a_result_a_marker_and_an_event() {
        const ROOT: &str = "TEST_PANIC_BELOW";
        if let Some(root) = env::var_os(ROOT) {
            let machine = Machine::below(Path::new(&root)).expect("a plain path");
            let secrets = Arc::default();
            Reporter::new(&machine, Completion::Provision, &secrets, &Log::open(&machine)).report_panics();
            panic!("the message may contain a value: s3cret");
        }
        let root = TestDirectory::new();
        let test = format!("{}::a_panic_leaves_a_result_a_marker_and_an_event", module_path!());
        let (_, test) = test.split_once("::").expect("a path below the crate");
        let program = env::current_exe().expect("the path of this program");
        let ended = Command::new(program).args(["--exact", test, "--nocapture"]).env(ROOT, &*root).output();
        let ended = ended.expect("it runs");
        assert_eq!(ended.status.code(), Some(1), "{}", String::from_utf8_lossy(&ended.stderr));
        let machine = Machine::below(&root).expect("a plain path");
        let document = fs::read(machine.path(paths::RESULT)).expect("a document");
        let recorded = Recorded::parse(&document).expect("valid");
        assert_eq!((recorded.exit_code, machine.path(paths::PROVISION_COMPLETE).exists()), (240, true));
        assert!(recorded.error.contains("src/node/report.rs"), "{}", recorded.error);
        let events: Vec<_> = fs::read_dir(machine.path(paths::EVENTS)).expect("a directory").flatten().collect();
        let [event] = &events[..] else { panic!("{events:?}") };
        let event = fs::read_to_string(event.path()).expect("an event");
        assert!(event.contains(r#""EventLevel":"Error""#) && event.contains("src/node/report.rs"), "{event}");
        let log = fs::read_to_string(machine.path(paths::CONTROLLER_LOG)).expect("a log");
        for text in [event, log, recorded.text, String::from_utf8_lossy(&ended.stderr).into_owned()] {
            assert!(!text.contains("s3cret"), "{text}");
        }
    }
}
