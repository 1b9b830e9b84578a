//! The commands that run on a node: `provision`, `provision-wait`, `retry`, and two hotfix commands that do nothing.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Failure, Outcome, output};
use crate::catalogue::timeouts;
use crate::document::duration;
use crate::node::{self, AwaitNode, Machine, ProvisionRequest, RetryPlan, RetryRequest, WaitRequest};
use crate::redaction::printable_json;

/// The machine, or a directory that stands for it in tests and image builds.
#[derive(clap::Args)]
pub(super) struct Root {
    /// Put every fixed path of the node below this directory
    #[arg(long, value_name = "DIR", hide = true)]
    root: Option<PathBuf>,
}

impl Root {
    pub fn machine(&self) -> Result<Machine, Failure> {
        machine(self.root.as_deref())
    }
}

/// Returns the machine that a directory stands for; without a directory, this machine.
pub(super) fn machine(root: Option<&Path>) -> Result<Machine, Failure> {
    let Some(root) = root else { return Ok(Machine::this()) };
    let unusable = |error: &dyn Display| Failure::Usage(format!("cannot use --root {error}"));
    let root = std::path::absolute(root).map_err(|error| unusable(&format!("{}: {error}", root.display())))?;
    Machine::below(&root).map_err(|error| unusable(&error))
}

/// Provision the node
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller provision --provision-config config.json
  aks-node-controller provision --provision-config config.json --dry-run

The output of the scripts goes to standard output and standard error, the log to \
/var/log/azure/aks-node-controller.log and the result to /var/log/azure/aks/provision.json. Then \
/opt/azure/containers/provision.complete appears. If that file already exists, the command does nothing and returns \
the recorded exit code. With both inputs, it runs the CSE command and then compares its variables with those of the \
Configuration.

Exit code: the code of the scripts; 128 plus the number of the signal if a signal ended them; 124 if they exceeded their \
time limit; 1 if the controller itself failed (the result document then has code 240).")]
pub(super) struct Provision {
    /// Configuration, JSON or YAML
    #[arg(long = "provision-config", value_name = "FILE")]
    configuration: Option<PathBuf>,
    /// Classic CSE command, which is run instead of the Configuration
    #[arg(long = "nbc-cmd", value_name = "FILE")]
    command: Option<PathBuf>,
    /// Print the environment with secrets redacted and the command; start nothing and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    root: Root,
}

impl Provision {
    pub fn run(self) -> Outcome {
        let machine = self.root.machine()?;
        // Someone who tries the command by hand must not leave a failed result, which would block the next run. systemd
        // sets the variable for the processes of its units.
        if self.configuration.is_none() && self.command.is_none() && std::env::var_os("INVOCATION_ID").is_none() {
            let message = "provision needs an input: --provision-config FILE or --nbc-cmd FILE";
            return Err(Failure::Usage(message.to_owned()));
        }
        let request = ProvisionRequest { configuration: self.configuration, command: self.command };
        if self.dry_run {
            let shown = node::dry_run(&machine, &request).map_err(|error| Failure::Input(error.to_string()))?;
            return output::plain(&shown);
        }
        match node::provision(&machine, &request) {
            0 => Ok(()),
            code => Err(Failure::Ended(code)),
        }
    }
}

/// Wait for the result of `provision` and print it
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller provision-wait
  aks-node-controller provision-wait --timeout 15m
  aks-node-controller provision-wait --ready=require

Prints the result document, also after a failure. If none exists, prints one that names the problem. Detects a \
provisioner that was killed. Without --timeout, waits until one minute after the time limit of the scripts, or for 20 \
minutes if no provisioner starts; after one minute without a provisioner, it prints a note on standard error.

With --ready it also waits, within the same time, until the node is Ready, and adds `Ready` to the printed document: \
whether the kubelet has its client certificate, the Ready condition of the node object, and the reason if the node is \
not Ready. After a failure it checks once. The recorded document stays unchanged.

Exit code: the code in the document if it is 1 to 255, so that Azure shows it; 1 after any other failure. A node that is \
not Ready is a failure, with code 246, only with --ready=require.")]
pub(super) struct ProvisionWait {
    /// Give up after this time: `90s`, `15m`, `1h30m`, or a number of seconds [default: see below]
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    timeout: Option<Duration>,
    /// After a success, also wait until the node is Ready
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "report")]
    ready: Option<AwaitNode>,
    /// Start the extension's boothook if no provisioner has started after this time
    #[arg(long, value_name = "DURATION", value_parser = duration, hide = true)]
    start_after: Option<Duration>,
    /// Exit with 1 after any failure, as the reference does
    #[arg(long)]
    legacy_exit_code: bool,
    #[command(flatten)]
    root: Root,
}

impl ProvisionWait {
    pub fn run(self) -> Outcome {
        let notify = |notice: &str| output::note(&format!("note: {notice}"));
        let machine = self.root.machine()?;
        let request = WaitRequest {
            timeout: self.timeout,
            node: self.ready,
            start_after: self.start_after.unwrap_or(timeouts::BOOTHOOK),
        };
        let result = node::wait(&machine, request, notify);
        // A failure has the exit code of the document even if stdout is closed.
        let printed = output::line(&printable_json(result.document));
        match result.error {
            None => {
                // Their secrets are in the files of the input. A failed attempt may need them again.
                if printed.is_ok() {
                    node::remove_boothooks(&machine);
                }
                printed
            }
            Some(error) => {
                output::note(&format!("error: {error}"));
                Err(Failure::Ended(if self.legacy_exit_code { 1 } else { result.exit_code }))
            }
        }
    }
}

/// Keep the result of a failed attempt and provision again
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller retry --dry-run
  sudo aks-node-controller retry

Removes the marker, keeps the old result as /var/log/azure/aks/provision.json.TIME with the time (UTC) when it was \
written, and starts the launcher, which provisions the machine as at boot, with the same inputs and features. The \
output of the scripts goes to standard error; then the new result is printed. A machine that is already provisioned is \
not changed, unless --force is given.

Exit code: the code of `provision`; 1 if the machine must not or cannot be provisioned again.")]
pub(super) struct Retry {
    /// Print what would be done, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Provision again even if the machine is already provisioned; drain the node first
    #[arg(long)]
    force: bool,
    /// Wait for a running provisioner, and provision again if it fails
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    root: Root,
}

impl Retry {
    pub fn run(self) -> Outcome {
        let machine = self.root.machine()?;
        let request = RetryRequest { force: self.force, wait: self.wait };
        let failed = |error: node::RetryError| Failure::Input(error.to_string());
        if self.dry_run {
            return output::bytes(RetryPlan::preview(&machine, request).map_err(failed)?.to_string().as_bytes());
        }
        let result =
            node::retry(&machine, request, |notice| output::note(&format!("note: {notice}"))).map_err(failed)?;
        output::line(&printable_json(result.document))?;
        if let Some(error) = result.error {
            output::note(&format!("error: {error}"));
        }
        if result.exit_code == 0 { Ok(()) } else { Err(Failure::Ended(result.exit_code)) }
    }
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let invalid = || format!("`{text}` is not a duration; use `90s`, `15m`, `1h30m`, or a number of seconds");
    if let Ok(seconds) = text.parse() {
        return Ok(Duration::from_secs(seconds));
    }
    let nanoseconds = duration::parse(text).ok_or_else(invalid)?;
    u64::try_from(nanoseconds).map(Duration::from_nanos).map_err(|_| invalid())
}

/// Do nothing: launchers of the reference call this command
#[derive(clap::Args)]
pub(super) struct CheckHotfix {
    /// Ignored
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _ignored: Vec<String>,
}

/// Answers both hotfix commands.
pub(super) fn no_hotfix() {
    output::note("this build does not support hotfixes; nothing to do");
}
