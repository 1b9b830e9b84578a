//! The command line: one file for each subcommand.
//!
//! This module reads arguments, files and the clock, and writes results to stdout and everything else to stderr. Names,
//! flags and shapes are a contract that other programs rely on. To add a subcommand: its file, and a variant of
//! `Command`.

#[cfg(node)]
mod bake;
mod changes;
mod completions;
mod convert;
mod diagnose;
mod diff;
mod diff_summary;
mod diff_timings;
mod env;
mod examples;
mod explain;
#[cfg(node)]
mod fetch;
mod file;
mod findings;
mod generate;
mod image;
mod input;
mod inspect;
mod karpenter_files;
mod layers;
mod man;
mod new;
#[cfg(node)]
mod node;
mod output;
mod progress;
mod schema;
mod shown;
mod snippet;
mod style;
mod table;
mod validate;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

/// Renders the CustomData and the CSE command of AKS nodes, provisions nodes and explains failures.
#[derive(Parser)]
#[command(name = "aks-node-controller", version, max_term_width = 100, styles = style::HELP)]
#[command(after_help = "Examples:
  aks-node-controller generate --example ubuntu-azure-cni
  aks-node-controller validate node.yaml
  aks-node-controller explain ERR_OUTBOUND_CONN_FAIL

The help of each command has examples: `aks-node-controller generate --help`.")]
struct Cli {
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto, display_order = 900)]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

/// The subcommands.
#[derive(Subcommand)]
enum Command {
    /// Create a Configuration from options and from the output of `az` and `kubectl` for a cluster
    New(new::New),
    /// Render CustomData and the CSE command
    Generate(generate::Generate),
    /// Show the environment of the node's scripts
    Env(env::Env),
    /// Check documents: syntax, fields, and values that would only fail on a node
    Validate(validate::Validate),
    /// Convert the documents of other programs
    Convert(convert::Convert),
    /// Show the contents of CustomData, a CSE command or a VM model
    Inspect(inspect::Inspect),
    /// Compare two CustomData, CSE commands, VM models or Configurations
    Diff(diff::Diff),
    /// Explain why a node failed, from an exit code, a log or an error message of Azure
    Explain(explain::Explain),
    /// Find out why a machine did not become a node: on the machine, or from its logs
    Diagnose(diagnose::Diagnose),
    /// Install this program, its launcher, systemd units and the provisioning scripts on an image
    #[cfg(node)]
    Bake(bake::Bake),
    /// On the node: fetch its boothook from the protected settings of the extension
    #[cfg(node)]
    Fetch(fetch::Fetch),
    /// On the node: provision it
    #[cfg(node)]
    Provision(node::Provision),
    /// On the node: wait for the result of `provision` and print it
    #[cfg(node)]
    ProvisionWait(node::ProvisionWait),
    /// On the node: keep the result of a failed attempt and provision again
    #[cfg(node)]
    Retry(node::Retry),
    /// On the node: accepted for launchers of the reference; this build has no hotfixes
    #[cfg(node)]
    #[command(hide = true)]
    CheckHotfix(node::CheckHotfix),
    /// On the node: accepted for launchers of the reference; this build has no hotfixes
    #[cfg(node)]
    #[command(hide = true)]
    DownloadHotfix,
    /// Print the JSON Schema (2020-12) of the Configuration
    #[command(after_help = "Examples:
  aks-node-controller schema > configuration.schema.json
  aks-node-controller schema | jq '.[\"$defs\"].KubeletConfig.properties | keys'")]
    Schema,
    /// Print the version of this program and of the contract
    #[command(after_help = "Examples:
  aks-node-controller version
  aks-node-controller version --format json")]
    Version {
        /// Format of the result
        #[arg(long, value_enum, default_value_t = output::Format::Text)]
        format: output::Format,
    },
    /// Print a completion script for a shell
    #[command(after_help = "Examples:
  mkdir -p ~/.local/share/bash-completion/completions
  aks-node-controller completions bash \\
    > ~/.local/share/bash-completion/completions/aks-node-controller
  aks-node-controller completions zsh > \"${fpath[1]}/_aks-node-controller\"
  aks-node-controller completions fish | source")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print a manual page
    Man(man::Manual),
}

/// Why a command returned no result.
#[derive(Debug)]
enum Failure {
    /// The input is wrong, or the result could not be written.
    Input(String),
    /// The command line is wrong.
    Usage(String),
    /// The input is wrong; every finding has been printed.
    Reported,
    /// A difference was found, and has been printed.
    Different,
    /// The reader of stdout, such as `head`, has closed it.
    ClosedPipe,
    /// The command has ended with this code and has printed the reason.
    #[cfg(node)]
    Ended(u8),
}

type Outcome = Result<(), Failure>;

/// The exit code that shells report for a program that SIGPIPE has ended. Rust programs ignore the signal.
const ENDED_BY_SIGPIPE: u8 = 128 + 13;

/// Parses the arguments, runs the command and turns its outcome into an exit code: 0 done, 1 wrong input or a difference, 2
/// wrong command line.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    style::choose(&arguments);
    let cli = match parsed(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // The message has arguments, which can be names of foreign files.
            let printable = |argument: &OsString| style::printable(&argument.to_string_lossy()).into();
            let error = parsed(&arguments.iter().map(printable).collect::<Vec<_>>()).err().unwrap_or(error);
            // Help and version are results, so they are printed on stdout, which may be closed.
            let printed = error.print();
            return match (error.use_stderr(), printed) {
                (true, _) => ExitCode::from(2),
                (false, Ok(())) => ExitCode::SUCCESS,
                (false, Err(error)) => exit_code(Err(output::cannot_write(&error))),
            };
        }
    };
    exit_code(cli.command.run())
}

fn parsed(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let matches = with_titles(Cli::command()).try_get_matches_from(arguments)?;
    Cli::from_arg_matches(&matches)
}

impl Command {
    fn run(self) -> Outcome {
        match self {
            Command::New(command) => command.run(),
            Command::Generate(command) => command.run(),
            Command::Env(command) => command.run(),
            Command::Validate(command) => command.run(),
            Command::Convert(command) => command.run(),
            Command::Inspect(command) => command.run(),
            Command::Diff(command) => command.run(),
            Command::Explain(command) => command.run(),
            Command::Diagnose(command) => command.run(),
            #[cfg(node)]
            Command::Bake(command) => command.run(),
            #[cfg(node)]
            Command::Fetch(command) => command.run(),
            #[cfg(node)]
            Command::Provision(command) => command.run(),
            #[cfg(node)]
            Command::ProvisionWait(command) => command.run(),
            #[cfg(node)]
            Command::Retry(command) => command.run(),
            #[cfg(node)]
            Command::CheckHotfix(_) | Command::DownloadHotfix => {
                node::no_hotfix();
                Ok(())
            }
            Command::Schema => output::json(&output::InClear(&schema::schema()), output::Layout::Pretty),
            Command::Version { format } => version(format),
            Command::Completions { shell } => output::bytes(&completions::script(shell, &Cli::command())),
            Command::Man(command) => command.run(),
        }
    }
}

/// Returns a command whose help has a title above its examples, as above every other section. Manual pages have a
/// section for them.
fn with_titles(command: clap::Command) -> clap::Command {
    const TITLE: &str = "Examples:";
    let command = command.mut_subcommands(with_titles);
    let Some(text) = command.get_after_help().map(|text| text.ansi().to_string()) else { return command };
    command.after_help(text.replacen(TITLE, &style::paint(style::TITLE, TITLE), 1))
}

fn exit_code(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Input(message)) => {
            output::note(&format!("error: {message}"));
            ExitCode::from(1)
        }
        Err(Failure::Usage(message)) => {
            output::note(&format!("error: {message}\n\nFor more information, try '--help'."));
            ExitCode::from(2)
        }
        Err(Failure::Reported | Failure::Different) => ExitCode::from(1),
        Err(Failure::ClosedPipe) => ExitCode::from(ENDED_BY_SIGPIPE),
        #[cfg(node)]
        Err(Failure::Ended(code)) => ExitCode::from(code),
    }
}

fn version(format: output::Format) -> Outcome {
    let (program, contract) = (env!("CARGO_PKG_VERSION"), crate::configuration::VERSIONS);
    match format {
        output::Format::Text => {
            output::line(&format!("aks-node-controller {program} (contract {})", contract.join(", ")))
        }
        output::Format::Json => {
            let version = serde_json::json!({"version": program, "contract": contract});
            output::json(&output::InClear(&version), output::Layout::Line)
        }
    }
}
