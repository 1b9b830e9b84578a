//! The inputs of a provisioner: the delivered files, and the contents of the machine's image.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::bounded::ask;
use super::{Log, Machine, files};
use crate::Secret;
use crate::catalogue::{gpu, paths};
use crate::configuration::Configuration;
use crate::document::{LARGEST_DOCUMENT, Report, Severity};
use crate::environment::{Components, Environment, ImageContents};
use crate::inspection::CommandAssignments;

/// How long a Configuration with errors is read again, because another process may still be writing it.
const WRITE_DURATION: Duration = Duration::from_secs(2);

/// How long a provisioner waits until a classic command is complete, because another process may still be writing it.
pub(super) const COMMAND_WAIT: Duration = Duration::from_secs(10);

/// How a complete command ends.
const COMMAND_END: &[u8] = b"provision_start.sh\" ";

/// How long to wait before the next attempt to read one of them.
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
    /// Path of a classic CSE command. It is run instead of the Configuration, and then the variables of both are
    /// compared.
    pub command: Option<PathBuf>,
}

/// A variable of the child process's environment.
pub(super) type Assignment = (String, Secret<'static>);

/// Why nothing can be started.
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
    /// The VM has a GPU, but the image's component list, which names the driver, cannot be used.
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

/// The delivered input, which decides what is started.
#[derive(Debug)]
pub(super) enum Input {
    /// The environment from a Configuration on this machine.
    Configuration(Vec<Assignment>),
    /// A classic CSE command.
    Command {
        /// Path of the file.
        path: PathBuf,
        /// Its content, which is run, because the file may change. `None` if it is not UTF-8.
        text: Option<Secret<'static>>,
        /// The variables that the command sets.
        assignments: CommandAssignments,
    },
}

/// Reads the input of a request. If it names both inputs, the command takes precedence and the Configuration is not
/// read. An incomplete command is read again until `wait` is over, and is then used as it is, because it may have another form.
///
/// # Errors
/// Fails if the request names no input, or the input cannot be used.
pub(super) fn read(
    machine: &Machine,
    request: &ProvisionRequest,
    wait: Duration,
    log: &Log,
) -> Result<Input, InputError> {
    match (&request.command, &request.configuration) {
        (Some(path), _) => {
            let bytes = command(path, wait, log)?;
            let assignments = CommandAssignments::scan(&String::from_utf8_lossy(&bytes));
            let text = String::from_utf8(bytes).ok().map(Secret::from);
            Ok(Input::Command { path: path.clone(), text, assignments })
        }
        (None, Some(path)) => environment(machine, path, log).map(Input::Configuration),
        (None, None) => Err(InputError::NoInput),
    }
}

/// Returns the environment from a Configuration on this machine, and logs warnings about the Configuration.
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

/// Reads a Configuration and returns it with its warnings. If it has errors, reads it again for a while, because
/// another process may still be writing it.
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

/// Reads a classic CSE command, until it is complete or the time is over.
fn command(path: &Path, wait: Duration, log: &Log) -> Result<Vec<u8>, InputError> {
    let began = Instant::now();
    loop {
        let bytes = read_file(InputFile::Command, path)?;
        if bytes.ends_with(COMMAND_END) {
            return Ok(bytes);
        }
        if began.elapsed() >= wait {
            let attributes = [("path", path.display().to_string().into()), ("bytes", bytes.len().into())];
            log.warn("the CSE command does not end with the start script; running it as it is", &attributes);
            return Ok(bytes);
        }
        thread::sleep(READ_INTERVAL);
    }
}

fn read_file(input: InputFile, path: &Path) -> Result<Vec<u8>, InputError> {
    files::read_regular(path, LARGEST_DOCUMENT as u64).map_err(|error| InputError::Unreadable {
        input,
        path: path.to_owned(),
        error,
    })
}

/// Returns the contents of the machine's image that the Configuration needs.
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
        // Without a GPU, nothing reads the versions of drivers.
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

/// Returns the output of `containerd --version`. `None` if containerd is not installed or does not answer in time.
fn containerd_version() -> Option<String> {
    let answer = ask(Command::new("containerd").arg("--version"), b"", CONTAINERD_LIMIT, CONTAINERD_OUTPUT).ok()?;
    Some(String::from_utf8_lossy(&answer.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::test_directory::TestDirectory;

    const COMMAND: &str = "A=b /usr/bin/nohup /bin/bash -c \"/bin/bash /opt/azure/containers/provision_start.sh\" ";

    #[test]
    fn a_command_is_read_when_it_is_complete() {
        let directory = TestDirectory::new();
        let path = directory.join("command");
        fs::write(&path, &COMMAND[..20]).expect("writable");
        let read = |wait| command(&path, wait, &Log::to_stderr()).expect("readable");
        assert_eq!(read(Duration::ZERO), &COMMAND.as_bytes()[..20], "another form");
        thread::scope(|scope| {
            let reader = scope.spawn(|| read(Duration::MAX));
            for end in 20..=COMMAND.len() {
                fs::write(&path, &COMMAND[..end]).expect("writable");
            }
            assert_eq!(reader.join().expect("it ends"), COMMAND.as_bytes());
        });
    }
}
