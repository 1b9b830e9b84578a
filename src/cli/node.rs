//! The commands that run on a node: `provision`, `provision-wait`, and two that only answer.

use std::path::PathBuf;
use std::time::Duration;

use super::{Failure, Outcome, output};
use crate::document::duration;
use crate::node::{self, Machine, Request};

/// A folder that stands for the machine, for tests and images.
#[derive(clap::Args)]
struct Root {
    /// Take every fixed path of the node from below this folder
    #[arg(long, value_name = "DIR", hide = true)]
    root: Option<PathBuf>,
}

impl Root {
    fn machine(self) -> Result<Machine, Failure> {
        let Some(root) = self.root else { return Ok(Machine::new(None)) };
        let root = std::path::absolute(&root)
            .map_err(|error| Failure::Usage(format!("cannot use --root {}: {error}", root.display())))?;
        if !node::can_be_root(&root) {
            return Err(Failure::Usage(format!(
                "--root {} has characters that cannot stand in a command; use letters, digits and ./_-+,@",
                root.display()
            )));
        }
        Ok(Machine::new(Some(root)))
    }
}

/// Make the node.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller provision --provision-config /opt/azure/containers/aks-node-controller-config.json
  aks-node-controller provision --provision-config config.json --dry-run

The child's output goes on to stdout and stderr, the log to /var/log/azure/aks-node-controller.log, the result to
/var/log/azure/aks/provision.json, and then /opt/azure/containers/provision.complete appears. Where that is there
already, nothing is done and the recorded exit code returned. With both inputs the command runs, and the variables
of the two are compared afterwards.

Exit code: the child's; 128 and the signal's number when it was killed; 124 past its timeout; 1 when the
controller itself failed (the result then says 240).")]
pub(super) struct Provision {
    /// The Configuration, JSON or YAML
    #[arg(long = "provision-config", value_name = "FILE")]
    configuration: Option<PathBuf>,
    /// A classic CSE command, run in place of the Configuration
    #[arg(long = "nbc-cmd", value_name = "FILE")]
    command: Option<PathBuf>,
    /// Print the environment and the command, secrets redacted, and start nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    root: Root,
}

impl Provision {
    pub fn run(self) -> Outcome {
        let machine = self.root.machine()?;
        let request = Request { configuration: self.configuration, command: self.command };
        if self.dry_run {
            let shown = node::rehearse(&machine, &request).map_err(|refusal| Failure::Input(refusal.to_string()))?;
            return output::bytes(shown.as_bytes());
        }
        match node::provision(&machine, &request) {
            0 => Ok(()),
            code => Err(Failure::Ended(code)),
        }
    }
}

/// Wait for the result.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller provision-wait
  aks-node-controller provision-wait --timeout 15m

Prints the result document, also when it tells of a failure; without one, a document that says what is known.
A provisioner that was killed is noticed. Without --timeout the wait ends one minute after the timeout that the
provisioner gave its scripts, or never if none has started.

Exit code: the document's own when it is 1 to 255, so that Azure shows it; 1 for any other failure.")]
pub(super) struct ProvisionWait {
    /// Give up after this time: `90s`, `15m`, `1h30m`, or a number of seconds
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    timeout: Option<Duration>,
    /// Exit with 1 whatever failed, as the reference does
    #[arg(long)]
    legacy_exit_code: bool,
    #[command(flatten)]
    root: Root,
}

impl ProvisionWait {
    pub fn run(self) -> Outcome {
        let waited = node::wait(&self.root.machine()?, self.timeout);
        output::line(&waited.text)?;
        match waited.error {
            None => Ok(()),
            Some(error) => {
                output::note(&format!("error: {error}"));
                Err(Failure::Ended(if self.legacy_exit_code { 1 } else { waited.code }))
            }
        }
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let refused = || format!("`{text}` is no duration: write `90s`, `15m`, `1h30m`, or a number of seconds");
    if let Ok(seconds) = text.parse() {
        return Ok(Duration::from_secs(seconds));
    }
    let nanoseconds = duration::parse(text).ok_or_else(refused)?;
    u64::try_from(nanoseconds).map(Duration::from_nanos).map_err(|_| refused())
}

/// What launchers of the reference call, and this build has none of.
#[derive(clap::Args)]
pub(super) struct CheckHotfix {
    /// Ignored
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _ignored: Vec<String>,
}

/// Answers both hotfix commands.
pub(super) fn no_hotfix() {
    output::note("this build has no hotfixes: nothing to check, nothing to download");
}
