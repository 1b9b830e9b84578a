//! `provision`: one attempt to provision the node, from its inputs to its result.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::Mode;
use rustix::process::{Pid, umask};

use super::child::{ChildProcess, TerminationSignals, end_group};
use super::delivered::InputDelivery;
use super::events::{EventLevel, Task, TaskName};
use super::inputs::{self, InputError, ProvisionRequest};
use super::lock::{Lock, ProvisionerRecord};
use super::plan::{Plan, SHELL};
use super::report::{Ending, FAILED, Outcome, Reporter, ScriptLog, log_end};
use super::result::{Completion, Recorded, Start, signal_name};
use super::{Log, Machine};
use crate::catalogue::paths;
use crate::difference::Comparison;
use crate::inspection::CommandAssignments;
use crate::redaction::Redactor;

/// How long the child process may run beyond the time limit of the scripts, which enforce it themselves.
const TIMEOUT_MARGIN: Duration = Duration::from_secs(10);

/// How often a provisioner that waits for another one tries to take the lock.
const LOCK_INTERVAL: Duration = Duration::from_millis(50);

/// How long processes that a killed provisioner left running may take to exit after TERM, before KILL.
const ORPHAN_GRACE: Duration = Duration::from_secs(5);

/// Provisions the node and returns the exit code of the process.
///
/// Writes the result document of the machine, and then the completion marker. If both already exist, does nothing and
/// returns the recorded exit code. Handles the signals TERM, INT and HUP of this process, and turns any panic in it
/// into a failed attempt, so this function is for a process that does nothing else.
#[must_use]
pub fn provision(machine: &Machine, request: &ProvisionRequest) -> u8 {
    // As systemd sets it for a service: others can read what the scripts write, and cannot change it, whoever starts this process.
    umask(Mode::from_raw_mode(0o022));
    let log = Log::open(machine);
    let task = Task::new(machine, &log, TaskName::Provision);
    log.info(
        "started",
        &[("task", TaskName::Provision.as_str().into()), ("version", env!("CARGO_PKG_VERSION").into())],
    );
    if !machine.is_writable() {
        log.error("must run as root, because root owns the files of the node", &[]);
        return FAILED;
    }
    task.report_start();
    let outcome = match attempt(machine, request, &log) {
        Ok(outcome) | Err(outcome) => outcome,
    };
    task.report_end(outcome.error.as_deref());
    let attributes = [
        ("task", TaskName::Provision.as_str().into()),
        ("exitCode", outcome.exit_code.into()),
        ("error", outcome.error.clone().unwrap_or_default().into()),
    ];
    log.info("ended", &attributes);
    outcome.exit_code
}

/// Makes one attempt.
///
/// # Errors
/// Fails with the outcome if the attempt ends before a child process runs.
fn attempt(machine: &Machine, request: &ProvisionRequest, log: &Log) -> Result<Outcome, Outcome> {
    let signals =
        TerminationSignals::handle().map_err(|error| Outcome::failed(format!("cannot handle signals: {error}")))?;
    let lock = wait_for_lock(machine, &signals, log)?;
    let input = inputs::read(machine, request, inputs::COMMAND_WAIT, log);
    if matches!(&input, Err(InputError::Unreadable { error, .. }) if error.kind() == ErrorKind::NotFound)
        && is_prepared_in_this_boot(machine)
    {
        log.info("an image stage has ended and removed its input, nothing to do", &[]);
        return Err(Outcome::recorded(0, ""));
    }
    let mut plan = input.map(|input| Plan::new(input, machine));
    let completion = plan.as_ref().map_or(Completion::Provision, Plan::completion);
    let secrets = Arc::new(plan.as_ref().map(Plan::secrets).unwrap_or_default());
    let mut reporter = Reporter::new(machine, completion, &secrets, log);
    begin(&mut reporter, log).map_err(|outcome| outcome.redacted(&secrets))?;
    reporter.report_panics();
    end_orphans(machine, log);
    let mut record = record(machine, plan.as_ref());
    write_record(&record, machine, log);
    if let Ok(plan) = &mut plan
        && let Err(error) = plan.copy_command(machine)
    {
        log.warn("cannot copy the CSE command, running its file", &[("error", error.to_string().into())]);
    }
    let plan = plan.map_err(|error| reporter.conclude(&Ending::controller_failed(error.to_string())))?;
    let logged = ScriptLog::of(machine);
    let child = start(&plan, &signals, &secrets, log)
        .map_err(|error| reporter.conclude(&Ending::not_started(SHELL, &error)))?;
    record.set_group(child.group());
    write_record(&record, machine, log);
    let finished = child.wait(&signals, plan.timeout() + TIMEOUT_MARGIN, log);
    Plan::remove_copy(machine);
    let ending = Ending::of_child(&finished, || machine.is_shutting_down()).with_log(&logged, &secrets);
    let outcome = reporter.conclude(&ending);
    log_end(log, &finished, &outcome);
    // The result is there: another attempt need not wait for what is only logged.
    drop(lock);
    reporter.log_durations();
    if let (Some(assignments), Some(path)) = (plan.command_assignments(), &request.configuration) {
        compare(machine, path, assignments, log);
    }
    Ok(outcome)
}

/// Waits until no other provisioner runs. Returns `None` if the lock cannot be used, because two provisioners at once
/// are better than none.
///
/// # Errors
/// Fails if this process receives a signal while it waits.
fn wait_for_lock(machine: &Machine, signals: &TerminationSignals, log: &Log) -> Result<Option<Lock>, Outcome> {
    let mut is_logged = false;
    loop {
        match Lock::take(machine) {
            Ok(Some(lock)) => return Ok(Some(lock)),
            Ok(None) => {
                if !is_logged {
                    log.info("another provisioner is running, waiting for its result", &[]);
                    is_logged = true;
                }
                if let Some(signal) = signals.wait(LOCK_INTERVAL) {
                    let error = format!("received {} while waiting for another provisioner", signal_name(signal));
                    return Err(Outcome::interrupted(signal, error));
                }
            }
            Err(error) => {
                log.warn("cannot take the lock, continuing without it", &[("error", error.to_string().into())]);
                return Ok(None);
            }
        }
    }
}

/// Reports whether the last provisioner of this boot was an image stage that has succeeded. A result of a later one would be that of
/// every node of the image.
fn is_prepared_in_this_boot(machine: &Machine) -> bool {
    ProvisionerRecord::read(machine).is_some_and(|record| record.completion() == Completion::BasePrep)
        && machine.path(paths::BASE_PREP_COMPLETE).exists()
}

/// Prepares the files of the result.
///
/// # Errors
/// Fails with the outcome of an earlier attempt if one has a result, or if the result of another machine cannot be
/// removed.
fn begin(reporter: &mut Reporter, log: &Log) -> Result<(), Outcome> {
    match reporter.begin() {
        Ok(Start::Clear) => Ok(()),
        Ok(Start::AlreadyComplete(Recorded { exit_code, error, .. })) => {
            log.info("the node already has a result, nothing to do", &[("exitCode", exit_code.into())]);
            let error = format!("an earlier attempt ended with exit code {exit_code}: {error}");
            Err(Outcome::recorded(exit_code, error))
        }
        Ok(Start::Broken(error)) => {
            let problem = error.map_or_else(|| "is missing".to_owned(), |error| error.to_string());
            Err(Outcome::failed(format!("{} exists, but the result document {problem}", paths::PROVISION_COMPLETE)))
        }
        Err(error) => {
            let error = format!("cannot remove an earlier result: {error}");
            Err(reporter.conclude(&Ending::controller_failed(error)))
        }
    }
}

/// Terminates the processes that a killed provisioner of this boot left running.
fn end_orphans(machine: &Machine, log: &Log) {
    let group = ProvisionerRecord::read(machine).and_then(|record| record.running_group());
    if let Some(group) = group.and_then(|group| Pid::from_raw(group.cast_signed())) {
        let attributes = [("group", group.as_raw_pid().into())];
        log.warn("an earlier provisioner was killed; terminating the processes that it left running", &attributes);
        end_group(group, ORPHAN_GRACE);
    }
}

/// Returns the record of this provisioner for waiters and the next provisioner.
fn record(machine: &Machine, plan: Result<&Plan, &InputError>) -> ProvisionerRecord {
    ProvisionerRecord {
        boot_id: machine.boot_id(),
        pid: std::process::id(),
        at: Machine::since_boot(),
        timeout: plan.ok().map(|plan| plan.timeout().as_secs()),
        base_prep: plan.is_ok_and(|plan| plan.completion() == Completion::BasePrep),
        delivery: Some(InputDelivery::observe(machine)),
        ..ProvisionerRecord::default()
    }
}

fn write_record(record: &ProvisionerRecord, machine: &Machine, log: &Log) {
    if let Err(error) = record.write(machine) {
        log.warn("cannot write the record for waiters", &[("error", error.to_string().into())]);
    }
}

fn start(
    plan: &Plan,
    signals: &TerminationSignals,
    secrets: &Arc<Redactor>,
    log: &Log,
) -> std::io::Result<ChildProcess> {
    let attributes = [("command", plan.command_line().into()), ("timeoutSeconds", plan.timeout().as_secs().into())];
    log.info("starting the child", &attributes);
    ChildProcess::start(plan.command(), signals, secrets, log)
}

/// Reports the names of the variables that differ between a classic command and the Configuration. Has no effect on the
/// outcome.
fn compare(machine: &Machine, path: &Path, assignments: &CommandAssignments, log: &Log) {
    let task = Task::new(machine, log, TaskName::CompareEnvs);
    match inputs::environment(machine, path, log) {
        Ok(environment) => {
            let is_inherited = |name: &str, value: &str| std::env::var_os(name).is_some_and(|own| own == value);
            let computed = environment.iter().map(|(name, value)| (&**name, value.expose()));
            let computed = computed.filter(|(name, value)| !is_inherited(name, value));
            let result = Comparison::of(computed, assignments).to_string();
            task.report(EventLevel::Informational, &result);
            log.info("compared the environments", &[("result", result.into())]);
        }
        Err(error) => log.error("cannot compare the environments", &[("error", error.to_string().into())]),
    }
}
