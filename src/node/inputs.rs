//! What a provisioner works with: the delivered files, and what the machine's image contains.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::bounded::ask;
use super::{CommandAssignments, Log, Machine, files};
use crate::Secret;
use crate::catalogue::{gpu, paths};
use crate::configuration::Configuration;
use crate::document::{LARGEST_DOCUMENT, Report, Severity};
use crate::environment::{Components, Environment, ImageContents};

/// How long a Configuration with errors is read again: it may still be being written.
const WRITE_DURATION: Duration = Duration::from_secs(2);

/// How long to wait before the next attempt to read it.
const READ_INTERVAL: Duration = Duration::from_millis(100);

/// How long containerd may take to print its version.
const CONTAINERD_LIMIT: Duration = Duration::from_secs(5);

/// Bytes of `containerd --version` that are read.
const CONTAINERD_OUTPUT: u64 = 4096;

/// The inputs of `provision`. At least one of them is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProvisionRequest {
    /// Path of a Configuration, JSON or YAML.
    pub configuration: Option<PathBuf>,
    /// Path of a classic CSE command. It is run instead of the Configuration, and the variables of the two are compared
    /// afterwards.
    pub command: Option<PathBuf>,
}

/// A variable of the child process's environment.
pub(super) type Assignment = (String, Secret<'static>);

/// Why there is nothing to start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The request names no input.
    #[error("one of --provision-config and --nbc-cmd is required")]
    NoInput,
    /// A file cannot be read.
    #[error("cannot read the {input} {path}: {error}", path = path.display())]
    Unreadable {
        /// What the file contains.
        input: InputFile,
        /// Path of the file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The Configuration has errors.
    #[error("the Configuration {path} is invalid: {errors}", path = path.display(), errors = Errors(report))]
    Invalid {
        /// Path of the file.
        path: PathBuf,
        /// All findings.
        report: Report,
    },
    /// A value cannot be passed to a process.
    #[error(transparent)]
    Unrepresentable(#[from] crate::environment::Unrepresentable),
    /// The VM has a GPU, and the image's component list, which names the driver, cannot be used.
    #[error(
        "the VM size {vm_size} has a GPU, but the component list {path} cannot be read: {error}",
        path = path.display()
    )]
    NoComponents {
        /// `vm_size` of the Configuration.
        vm_size: String,
        /// Path of the component list.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
}

/// What an input file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputFile {
    /// A Configuration.
    Configuration,
    /// A classic CSE command.
    Command,
}

impl fmt::Display for InputFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Configuration => "Configuration",
            Self::Command => "CSE command",
        })
    }
}

/// The errors of a report on one line, without its warnings.
struct Errors<'r>(&'r Report);

impl fmt::Display for Errors<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.0.findings.iter().filter(|finding| finding.severity == Severity::Error);
        for (index, finding) in errors.enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            if let Some(position) = finding.position {
                write!(f, "{position}: ")?;
            }
            write!(f, "{finding}")?;
        }
        Ok(())
    }
}

/// What was delivered, as far as it decides what is started.
#[derive(Debug)]
pub(super) enum Input {
    /// The environment that a Configuration leads to on this machine.
    Configuration(Vec<Assignment>),
    /// A classic CSE command.
    Command {
        /// Path of the file. bash itself reads it.
        path: PathBuf,
        /// The variables that the command sets.
        assignments: CommandAssignments,
    },
}

/// Reads what a request names. If it names both inputs, the command wins and the Configuration is not read.
///
/// # Errors
/// Fails if the request names no input, or the input cannot be used.
pub(super) fn read(machine: &Machine, request: &ProvisionRequest, log: &Log) -> Result<Input, InputError> {
    match (&request.command, &request.configuration) {
        (Some(path), _) => Ok(Input::Command { path: path.clone(), assignments: command(path)? }),
        (None, Some(path)) => environment(machine, path, log).map(Input::Configuration),
        (None, None) => Err(InputError::NoInput),
    }
}

/// Returns the environment that a Configuration leads to on this machine. Logs the warnings about it.
///
/// # Errors
/// Fails if the Configuration or the component list cannot be used.
pub(super) fn environment(machine: &Machine, path: &Path, log: &Log) -> Result<Vec<Assignment>, InputError> {
    let (configuration, warnings) = configuration(path)?;
    for finding in &warnings.findings {
        log.warn("the Configuration has a problem", &[("finding", finding.to_string().into())]);
    }
    if configuration.version == "v0" {
        log.error("the Configuration has version v0, the former name of v1", &[]);
    }
    let image = image_contents(machine, &configuration)?;
    let environment = Environment::new(&configuration, &image);
    let pairs = environment.pairs()?.into_iter();
    Ok(pairs.map(|(name, value)| (name.to_owned(), value.to_owned().into())).collect())
}

/// Reads a Configuration and returns it with its warnings. Reads again for a while if it has errors, because it may still
/// be being written.
///
/// # Errors
/// Fails if the file cannot be read, has errors, or has a version that is not supported.
pub(super) fn configuration(path: &Path) -> Result<(Configuration, Report), InputError> {
    let deadline = Instant::now() + WRITE_DURATION;
    loop {
        let bytes = read_file(InputFile::Configuration, path)?;
        let report = match Configuration::from_document(&bytes) {
            Ok(decoded) => match decoded.configuration.check_version() {
                Ok(()) => return Ok((decoded.configuration, decoded.report)),
                Err(finding) => Report::from(finding),
            },
            Err(report) => report,
        };
        if Instant::now() >= deadline {
            return Err(InputError::Invalid { path: path.to_owned(), report });
        }
        thread::sleep(READ_INTERVAL);
    }
}

/// Reads the assignments of a classic CSE command.
fn command(path: &Path) -> Result<CommandAssignments, InputError> {
    let bytes = read_file(InputFile::Command, path)?;
    Ok(CommandAssignments::scan(&String::from_utf8_lossy(&bytes)))
}

fn read_file(input: InputFile, path: &Path) -> Result<Vec<u8>, InputError> {
    files::read_regular(path, LARGEST_DOCUMENT as u64).map_err(|error| InputError::Unreadable {
        input,
        path: path.to_owned(),
        error,
    })
}

/// Returns what the machine's image contains, as far as the Configuration needs it.
///
/// # Errors
/// Fails if the VM has a GPU and the component list cannot be read.
fn image_contents(machine: &Machine, configuration: &Configuration) -> Result<ImageContents, InputError> {
    let path = machine.path(paths::COMPONENTS);
    let has_gpu = configuration.gpu_config.as_ref().is_some_and(|gpu| gpu.enable_nvidia == Some(true))
        || gpu::is_nvidia(&configuration.vm_size.to_lowercase());
    let components = match components(&path) {
        Ok(components) => components,
        Err(error) if has_gpu => {
            return Err(InputError::NoComponents { vm_size: configuration.vm_size.clone(), path, error });
        }
        // Without a GPU, nothing reads the versions of its drivers.
        Err(_) => Components::default(),
    };
    let output = containerd_version().unwrap_or_default();
    let containerd_version = ImageContents::containerd_version(&output).to_owned();
    Ok(ImageContents { containerd_version, components, ..ImageContents::default() })
}

fn components(path: &Path) -> io::Result<Components> {
    let bytes = files::read_regular(path, LARGEST_DOCUMENT as u64)?;
    let invalid = |error| io::Error::new(ErrorKind::InvalidData, format!("is not a component list: {error}"));
    Components::parse(&String::from_utf8_lossy(&bytes)).map_err(invalid)
}

/// Returns the output of `containerd --version`. `None` if there is no containerd, or it does not answer in time.
fn containerd_version() -> Option<String> {
    let answer = ask(Command::new("containerd").arg("--version"), b"", CONTAINERD_LIMIT, CONTAINERD_OUTPUT).ok()?;
    Some(String::from_utf8_lossy(&answer.stdout).into_owned())
}
