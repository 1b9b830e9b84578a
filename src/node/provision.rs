//! `provision`: one attempt to make the node, from its inputs to its result.

use std::fmt::Write as _;
use std::panic;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Pid;
use serde_json::Value;

use super::assignments::Assignments;
use super::child::{self, Child, Ended, How, Interruptions};
use super::comparison::Comparison;
use super::inputs::{self, Refusal};
use super::lock::{Lock, Started, start_of};
use super::result::{
    Beginning, CONTROLLER_FAILED, Completion, Disk, Item, Observed, Place, RealDisk, Recorded, ResultDocument, begin,
    complete, publish, signal_name,
};
use super::{EventLevel, Log, Machine, Secrets, Task};
use crate::catalogue::{REDACTED, paths, timeouts, variables};
use crate::configuration::{Configuration, validate};
use crate::delivery::bootstrap_command;
use crate::environment::Environment;
use crate::rendering::ShellWord;

/// How much longer the scripts, which watch their time themselves, may take before they are ended from here.
const BEYOND: Duration = Duration::from_secs(10);

/// What `timeout` exits with, here as there.
const TIMED_OUT: i64 = 124;

/// How much of the end of each stream the log gets when the child has ended, in bytes.
const LOGGED: usize = 8 << 10;

/// How long a group that an earlier provisioner left may take to end.
const ORPHANS: Duration = Duration::from_secs(5);

/// What `provision` is asked.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The Configuration.
    pub configuration: Option<PathBuf>,
    /// A classic command. It wins.
    pub command: Option<PathBuf>,
}

/// How an attempt ended, for the process's exit code and the last event.
#[derive(Debug)]
struct Outcome {
    code: u8,
    error: Option<String>,
}

impl Outcome {
    /// With the code as it stands in a document.
    fn new(code: i64, error: impl Into<String>) -> Self {
        let error = error.into();
        Self { code: exit_code(code), error: (code != 0).then_some(error) }
    }
}

/// A document's code as a process can end with it: 1 stands for what does not fit.
#[must_use]
pub fn exit_code(code: i64) -> u8 {
    u8::try_from(code).unwrap_or(1)
}

/// What is started, and what is known about it beforehand.
#[derive(Debug)]
struct Plan {
    program: &'static str,
    arguments: Vec<PathBuf>,
    /// Added to this process's own environment.
    environment: Vec<(String, String)>,
    /// The variables that the child has, wherever they stand.
    variables: Vec<(String, String)>,
    /// The classic command's assignments, to be compared with the Configuration's variables.
    compared: Option<Assignments>,
}

impl Plan {
    /// # Errors
    /// There is nothing to start.
    fn new(machine: &Machine, request: &Request, log: &Log) -> Result<Self, Refusal> {
        if let Some(path) = &request.command {
            let assignments = inputs::command(path)?;
            return Ok(Self {
                program: "/bin/bash",
                arguments: vec!["--".into(), path.clone()],
                environment: Vec::new(),
                variables: assignments.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
                compared: request.configuration.is_some().then_some(assignments),
            });
        }
        let path = request.configuration.as_ref().ok_or(Refusal::NoInput)?;
        let environment = rooted_variables(computed(machine, path, log)?, machine);
        Ok(Self {
            program: "/bin/bash",
            arguments: vec!["-c".into(), rooted(bootstrap_command(), machine).into()],
            variables: environment.clone(),
            environment,
            compared: None,
        })
    }

    fn variable(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|(other, _)| other == name).map(|(_, value)| &**value)
    }

    fn timeout(&self) -> u64 {
        let timeout = self.variable("CSE_TIMEOUT").and_then(|value| value.parse().ok());
        let seconds = timeout.filter(|seconds| timeouts::ACCEPTED.contains(seconds)).unwrap_or(timeouts::DEFAULT);
        seconds.unsigned_abs().into()
    }

    fn completion(&self) -> Completion {
        let base_prep = self.variable("PRE_PROVISION_ONLY").is_some_and(|value| value.eq_ignore_ascii_case("true"));
        if base_prep { Completion::BasePrep } else { Completion::Provision }
    }

    fn secrets(&self) -> Secrets {
        Secrets::of(self.variables.iter().map(|(name, value)| (&**name, &**value)))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.program);
        command.args(&self.arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// The environment that a Configuration leads to on this machine.
fn computed(machine: &Machine, path: &Path, log: &Log) -> Result<Vec<(String, String)>, Refusal> {
    let read = inputs::configuration(path)?;
    for finding in &read.report.findings {
        log.warn("the configuration", &[("finding", finding.to_string().into())]);
    }
    if read.configuration.version == "v0" {
        log.error("the configuration has version v0, the older name of v1", &[]);
    }
    environment(machine, &read.configuration)
}

fn environment(machine: &Machine, configuration: &Configuration) -> Result<Vec<(String, String)>, Refusal> {
    let facts = inputs::facts(machine, configuration)?;
    inputs::pairs(&Environment::new(configuration, &facts))
}

/// The command with its fixed paths below the machine's root.
fn rooted(command: &str, machine: &Machine) -> String {
    [paths::START_SCRIPT, paths::PROVISION_LOG]
        .into_iter()
        .fold(command.to_owned(), |command, path| command.replace(path, &machine.path(path).to_string_lossy()))
}

/// The variables that name a file which the command opens itself, with the file below the machine's root.
fn rooted_variables(mut variables: Vec<(String, String)>, machine: &Machine) -> Vec<(String, String)> {
    if machine.root().is_some() {
        for (name, value) in &mut variables {
            let is_opened = ["PROVISION_OUTPUT", "INIT_AKS_CLOUD_FILEPATH"].contains(&&**name);
            if is_opened && value.starts_with('/') {
                *value = machine.path(value).to_string_lossy().into_owned();
            }
        }
    }
    variables
}

/// Whether a folder can stand for a machine: its path goes into a command.
#[must_use]
pub fn can_be_root(root: &Path) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+,@".contains(&byte);
    root.is_absolute() && root.to_str().is_some_and(|text| text.bytes().all(plain))
}

/// Makes the node and gives the exit code.
#[must_use]
pub fn provision(machine: &Machine, request: &Request) -> u8 {
    let log = Log::open(machine);
    let task = Task::new(machine, &log, "Provision");
    log.info("started", &[("task", "Provision".into()), ("version", env!("CARGO_PKG_VERSION").into())]);
    if !machine.is_ours() {
        log.error("this has to be run as root: the node's files belong to root", &[]);
        return 1;
    }
    task.tell(EventLevel::Informational, "Starting");
    let outcome = attempt(machine, request, &log);
    match &outcome.error {
        None => task.tell(EventLevel::Informational, "Completed"),
        Some(error) => {
            task.tell(EventLevel::Error, &format!("aks-node-controller ended with an error: {error}"));
        }
    }
    let error = outcome.error.as_deref().unwrap_or_default();
    log.info("ended", &[("task", "Provision".into()), ("exitCode", outcome.code.into()), ("error", error.into())]);
    outcome.code
}

fn attempt(machine: &Machine, request: &Request, log: &Log) -> Outcome {
    let interruptions = match Interruptions::new() {
        Ok(interruptions) => interruptions,
        Err(error) => return Outcome::new(1, format!("signals cannot be handled: {error}")),
    };
    let _lock = match lock(machine, &interruptions, log) {
        Ok(lock) => lock,
        Err(outcome) => return outcome,
    };
    let plan = Plan::new(machine, request, log);
    let completion = plan.as_ref().map_or(Completion::Provision, Plan::completion);
    let mut result = Reporter { machine: machine.clone(), disk: RealDisk::new(machine, completion), log: log.clone() };
    let instance_id = machine.instance_id();
    match begin(&mut result.disk, instance_id.as_deref()) {
        Ok(Beginning::Free) => {}
        Ok(Beginning::AlreadyComplete(observed)) => return recorded(observed, log),
        Err(error) => {
            let error = format!("what another machine left cannot be cleared away: {error}");
            return result.conclude(CONTROLLER_FAILED, &error, "", true);
        }
    }
    result.on_panic();
    end_orphans(machine, log);
    let mut started = Started {
        boot_id: machine.boot_id(),
        pid: std::process::id(),
        at: Machine::since_boot(),
        timeout: plan.as_ref().ok().map(Plan::timeout),
        base_prep: completion == Completion::BasePrep,
        ..Started::default()
    };
    say(&started, machine, log);
    let plan = match plan {
        Ok(plan) => plan,
        Err(refusal) => {
            let outcome = result.conclude(CONTROLLER_FAILED, &refusal.to_string(), "", true);
            // The process's own code says only that the controller failed.
            return Outcome { code: 1, ..outcome };
        }
    };
    let secrets = Arc::new(plan.secrets());
    log.info(
        "starting the child",
        &[("command", shown_command(&plan).into()), ("timeoutSeconds", plan.timeout().into())],
    );
    let child = match Child::start(plan.command(), &interruptions, &secrets, log) {
        Ok(child) => child,
        Err(error) => {
            let outcome = result.conclude(-1, &format!("{} cannot be started: {error}", plan.program), "", true);
            return Outcome { code: 1, ..outcome };
        }
    };
    started.group = Some(child.group());
    started.leader_since = start_of(child.group());
    say(&started, machine, log);
    let ended = child.wait(&interruptions, Duration::from_secs(plan.timeout()) + BEYOND, log);
    let outcome = conclude(&mut result, &ended);
    tell_end(log, &ended, &outcome);
    if let (Some(assignments), Some(path)) = (&plan.compared, &request.configuration) {
        compare(machine, path, assignments, log);
    }
    outcome
}

/// From now on a panic anywhere in this process ends the attempt like every other failure.
pub fn report_panics(machine: &Machine, log: &Log) {
    let disk = RealDisk::new(machine, Completion::Provision);
    Reporter { machine: machine.clone(), disk, log: log.clone() }.on_panic();
}

/// Waits for the lock. Without a place for it, goes on: better two provisioners than none.
fn lock(machine: &Machine, interruptions: &Interruptions, log: &Log) -> Result<Option<Lock>, Outcome> {
    let mut told = false;
    loop {
        match Lock::take(machine) {
            Ok(Some(lock)) => return Ok(Some(lock)),
            Ok(None) => {
                if !told {
                    log.info("another provisioner is at work, waiting for its result", &[]);
                    told = true;
                }
                if let Some(signal) = interruptions.wait(Duration::from_millis(50)) {
                    let error =
                        format!("asked to end by {} while waiting for another provisioner", signal_name(signal));
                    return Err(Outcome::new(128 + i64::from(signal), error));
                }
            }
            Err(error) => {
                log.warn("the lock cannot be made, going on without", &[("error", error.to_string().into())]);
                return Ok(None);
            }
        }
    }
}

/// The node was made already, or was not; that stays.
fn recorded(observed: Observed, log: &Log) -> Outcome {
    match observed {
        Observed::Complete(Recorded { exit_code, error, .. }) => {
            log.info("there is a result already, nothing is done", &[("exitCode", exit_code.into())]);
            Outcome::new(exit_code, format!("an earlier attempt ended with exit code {exit_code}: {error}"))
        }
        Observed::Broken(why) => {
            let why = why.map_or_else(|| "is missing".to_owned(), |why| why.to_string());
            Outcome::new(1, format!("{} is there, and the result document {why}", paths::PROVISION_COMPLETE))
        }
        Observed::NotComplete => Outcome::new(0, ""),
    }
}

/// Ends what an earlier provisioner of this boot started and, being killed, left.
fn end_orphans(machine: &Machine, log: &Log) {
    let orphans = Started::read(machine).and_then(|started| started.orphans());
    if let Some(group) = orphans.and_then(|group| Pid::from_raw(group.cast_signed())) {
        log.warn("an earlier provisioner was killed, ending what it started", &[("group", group.as_raw_pid().into())]);
        child::end_group(group, ORPHANS);
    }
}

fn say(started: &Started, machine: &Machine, log: &Log) {
    if let Err(error) = started.write(machine) {
        log.warn("waiters cannot be told of this attempt", &[("error", error.to_string().into())]);
    }
}

/// Turns the end of the child into a result.
fn conclude(result: &mut Reporter, ended: &Ended) -> Outcome {
    let output = format!("{}\n{}", ended.stdout, ended.stderr);
    match ended.how {
        How::Exited(0) => result.conclude(0, "", &output, true),
        How::Exited(code) => {
            result.conclude(code.into(), &format!("the child ended with exit code {code}"), &output, true)
        }
        How::Killed(signal) => {
            let error = format!("the child was killed by {}", signal_name(signal));
            result.conclude(128 + i64::from(signal), &error, &output, true)
        }
        How::TimedOut => result.conclude(TIMED_OUT, "the child ran past its timeout and was ended", &output, true),
        How::Interrupted(signal) => {
            let going_down = is_shutting_down(&result.machine);
            let more = if going_down { "; the machine shuts down, so the next boot tries again" } else { "" };
            let error = format!("asked to end by {}, the child was ended{more}", signal_name(signal));
            result.conclude(128 + i64::from(signal), &error, &output, !going_down)
        }
    }
}

/// Whether systemd is taking the machine down.
fn is_shutting_down(machine: &Machine) -> bool {
    if !machine.path("/run/systemd/system").exists() {
        return false;
    }
    let asked = Command::new("systemctl").arg("is-system-running").stdin(Stdio::null()).stderr(Stdio::null()).output();
    asked.is_ok_and(|answer| answer.stdout.trim_ascii() == b"stopping")
}

/// Publishes results.
#[derive(Clone)]
struct Reporter {
    machine: Machine,
    disk: RealDisk,
    log: Log,
}

impl Reporter {
    /// Sees to it that there is a document, and with `complete` a marker. A document that the child has written says
    /// more than one from here, so it stays if it says anything.
    fn conclude(&mut self, code: i64, error: &str, output: &str, complete_it: bool) -> Outcome {
        let theirs = self.disk.read(Place::Disk, Item::Document).unwrap_or_default();
        let theirs = theirs.map(|bytes| Recorded::parse(&bytes));
        let (outcome, published) = match theirs {
            Some(Ok(theirs)) => {
                let marked = self.disk.read(Place::Disk, Item::Marker).is_ok_and(|marker| marker.is_some());
                let published = if complete_it && !marked { complete(&mut self.disk) } else { Ok(()) };
                let outcome =
                    if code == 0 { Outcome::new(theirs.exit_code, theirs.error) } else { Outcome::new(code, error) };
                (outcome, published)
            }
            other => {
                let document = ResultDocument {
                    instance_id: self.machine.instance_id(),
                    boot_id: self.machine.boot_id(),
                    ..ResultDocument::new(code, error, output)
                };
                let document = match other {
                    Some(Err(unreadable)) => {
                        let _ = self.disk.set_aside(Place::Disk, Item::Document);
                        document.adding(&format!("the child left a result document that {unreadable}"))
                    }
                    _ => document,
                };
                (Outcome::new(code, error), publish(&mut self.disk, &document, complete_it).map(drop))
            }
        };
        if let Err(error) = published {
            self.log.error("the result cannot be kept", &[("error", error.to_string().into())]);
        }
        outcome
    }

    /// As [`report_panics`].
    fn on_panic(&self) {
        let reporter = self.clone();
        panic::set_hook(Box::new(move |panicked| {
            let place = panicked.location().map(ToString::to_string).unwrap_or_default();
            let error = format!("the controller failed at {place}, which is a defect of the program");
            reporter.log.error(&error, &[]);
            let _ = reporter.clone().conclude(CONTROLLER_FAILED, &error, "", true);
            Task::new(&reporter.machine, &reporter.log, "Provision").tell(EventLevel::Error, &error);
            std::process::exit(1);
        }));
    }
}

fn tell_end(log: &Log, ended: &Ended, outcome: &Outcome) {
    fn tail(text: &str) -> Value {
        let mut from = text.len().saturating_sub(LOGGED);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        text[from..].into()
    }
    let attributes = [
        ("exitCode", outcome.code.into()),
        ("stdout", tail(&ended.stdout)),
        ("stderr", tail(&ended.stderr)),
        ("error", outcome.error.clone().unwrap_or_default().into()),
        ("outputStillHeld", ended.left_behind.into()),
    ];
    log.info("the child has ended", &attributes);
}

/// Tells how the two sources of the same variables differ. Changes nothing.
fn compare(machine: &Machine, path: &Path, assignments: &Assignments, log: &Log) {
    let task = Task::new(machine, log, "CompareEnvs");
    match computed(machine, path, log) {
        Ok(variables) => {
            let inherited = |name: &str, value: &str| std::env::var_os(name).is_some_and(|own| own == value);
            let ours = variables.iter().filter(|(name, value)| !inherited(name, value));
            let comparison = Comparison::of(ours.map(|(name, value)| (&**name, &**value)), assignments);
            task.tell(EventLevel::Informational, &comparison.to_string());
            log.info("environments compared", &[("result", comparison.to_string().into())]);
        }
        Err(refusal) => log.error("environments cannot be compared", &[("error", refusal.to_string().into())]),
    }
}

/// The command as a shell would be told it.
fn shown_command(plan: &Plan) -> String {
    let mut shown = plan.program.to_owned();
    for argument in &plan.arguments {
        let _ = write!(shown, " {}", ShellWord::quote(&argument.to_string_lossy()));
    }
    shown
}

/// What `provision` would start: the variables as assignments, the last line the command. Starts nothing, and leaves
/// marker and document alone.
///
/// # Errors
/// There is nothing to start. Everything that is wrong or doubtful has been told in the log.
pub fn rehearse(machine: &Machine, request: &Request) -> Result<String, Refusal> {
    let log = if machine.is_ours() { Log::open(machine) } else { Log::without_file() };
    let task = Task::new(machine, &log, "Provision");
    task.tell(EventLevel::Informational, "Starting");
    let plan = match Plan::new(machine, request, &log) {
        Ok(plan) => plan,
        Err(refusal) => {
            task.tell(EventLevel::Error, &format!("aks-node-controller ended with an error: {refusal}"));
            return Err(refusal);
        }
    };
    if let Some(path) = &request.configuration
        && let Ok(read) = inputs::configuration(path)
    {
        for finding in validate(&read.configuration, None) {
            log.warn("the configuration", &[("finding", finding.to_string().into())]);
        }
    }
    task.tell(EventLevel::Informational, "Completed");
    let mut shown = String::new();
    for (name, value) in &plan.variables {
        let secret = !value.is_empty() && variables::variable(name).is_some_and(|variable| variable.secret);
        let _ = writeln!(shown, "{name}={}", ShellWord::quote(if secret { REDACTED } else { value }));
    }
    let _ = writeln!(shown, "{}", shown_command(&plan));
    Ok(shown)
}
