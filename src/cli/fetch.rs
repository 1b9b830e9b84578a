//! The command that fetches the boothook of a node.

use std::path::PathBuf;
use std::time::Duration;

use super::node::{Root, duration};
use super::{Failure, Outcome};
use crate::catalogue::paths;
use crate::node::{self, Endpoint, FetchRequest};

/// Fetch the boothook of this node from the protected settings of the extension
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller fetch
  aks-node-controller fetch --output /opt/bin/boothook.sh --timeout 60s

Gets the settings of the Custom Script Extension from the host, as the VM agent does later, decrypts them, and writes the \
script that their command would write and run. It never runs the command, and writes nothing unless the command has exactly the \
expected form. Logs to standard error, without secrets.

Exit code: 0 if the script was written; 1 if keys, certificates, decryption or the disk failed; 10 if there were no settings in time; \
11 if the command has another form; 12 if provisioning has already started or ended.")]
pub(super) struct Fetch {
    /// File to write the script to, with mode 0600 [default: /opt/bin/boothook.sh]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Total time limit: `90s`, `15m`, `1h30m`, or a number of seconds
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "60s")]
    timeout: Duration,
    /// URL of the wire server
    #[arg(long, value_name = "URL", default_value = "http://168.63.129.16:80", hide = true)]
    wireserver: Endpoint,
    /// URL of the plugin of the host
    #[arg(long, value_name = "URL", default_value = "http://168.63.129.16:32526", hide = true)]
    host_plugin: Endpoint,
    /// Directory of the agent
    #[arg(long, value_name = "DIR", hide = true)]
    agent_dir: Option<PathBuf>,
    #[command(flatten)]
    root: Root,
}

impl Fetch {
    pub fn run(self) -> Outcome {
        let machine = self.root.machine()?;
        let request = FetchRequest {
            output: self.output.unwrap_or_else(|| machine.path(paths::FETCHED_BOOTHOOK)),
            timeout: self.timeout,
            wire_server: self.wireserver,
            host_plugin: self.host_plugin,
            agent_directory: self.agent_dir.unwrap_or_else(|| machine.path(paths::AGENT_DIRECTORY)),
        };
        // The reason is in the log, which ends with it.
        node::early_fetch(&machine, &request).map_err(|error| Failure::Ended(error.exit_code()))
    }
}
