//! What a provisioner is given: a document or a classic command, and the facts of the machine.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::assignments::Assignments;
use super::{Machine, files};
use crate::catalogue::{gpu, paths};
use crate::configuration::Configuration;
use crate::document::{LARGEST_DOCUMENT, Report, Severity};
use crate::environment::{Components, Environment, ImageContents};

/// How long a document that breaks off may still be on its way.
const STILL_WRITTEN: Duration = Duration::from_secs(2);

/// How long containerd may take to say its version.
const ANSWER: Duration = Duration::from_secs(5);

/// Why there is nothing to start.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Neither input.
    #[error("nothing to do: give --provision-config or --nbc-cmd")]
    NoInput,
    /// A file that is not there, or cannot be read.
    #[error("cannot read {what} {path}: {error}", path = path.display())]
    Unreadable {
        /// Which input.
        what: &'static str,
        /// Where it should be.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// A document that is none of the contract's.
    #[error("the configuration {path} is wrong: {report}", path = path.display())]
    Wrong {
        /// Where it is.
        path: PathBuf,
        /// Everything that is wrong.
        report: String,
    },
    /// A value that no process can be given.
    #[error(transparent)]
    Unrepresentable(#[from] crate::environment::Unrepresentable),
    /// The image's list of components is needed and cannot be used.
    #[error("the VM size {size} has a GPU, and the component list {path} cannot be used: {error}", path = path.display())]
    NoComponents {
        /// The size.
        size: String,
        /// Where the list should be.
        path: PathBuf,
        /// Why not.
        error: String,
    },
}

/// A document that was read, with what is to be told about it.
#[derive(Debug)]
pub struct Read {
    /// What it says.
    pub configuration: Configuration,
    /// Warnings.
    pub report: Report,
}

/// Reads the Configuration. One that breaks off is read again for a while: it may be on its way.
///
/// # Errors
/// It cannot be read, is wrong, or has a version that is not understood.
pub fn configuration(path: &Path) -> Result<Read, Refusal> {
    let deadline = Instant::now() + STILL_WRITTEN;
    loop {
        let bytes = files::read_regular(path, LARGEST_DOCUMENT as u64).map_err(|error| Refusal::Unreadable {
            what: "the configuration",
            path: path.to_owned(),
            error,
        })?;
        let report = match Configuration::from_document(&bytes) {
            Ok(decoded) => match decoded.configuration.check_version() {
                Ok(()) => return Ok(Read { configuration: decoded.configuration, report: decoded.report }),
                Err(finding) => Report::from(finding),
            },
            Err(report) => report,
        };
        if Instant::now() >= deadline {
            let errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
            let errors = errors.map(|finding| match finding.position {
                Some(position) => format!("{position}: {finding}"),
                None => finding.to_string(),
            });
            let report = errors.collect::<Vec<_>>().join("; ");
            return Err(Refusal::Wrong { path: path.to_owned(), report });
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// Reads the classic command: its assignments only, for bash itself reads the file.
///
/// # Errors
/// It is not there, or no regular file.
pub fn command(path: &Path) -> Result<Assignments, Refusal> {
    let bytes = files::read_regular(path, LARGEST_DOCUMENT as u64).map_err(|error| Refusal::Unreadable {
        what: "the command",
        path: path.to_owned(),
        error,
    })?;
    Ok(Assignments::scan(&String::from_utf8_lossy(&bytes)))
}

/// Asks the machine what the Configuration does not say.
///
/// # Errors
/// The component list cannot be used, and the VM size has a GPU.
pub fn facts(machine: &Machine, configuration: &Configuration) -> Result<ImageContents, Refusal> {
    let path = machine.path(paths::COMPONENTS);
    let list = files::read_regular(&path, LARGEST_DOCUMENT as u64)
        .map_err(
            |error| if error.kind() == ErrorKind::NotFound { "it is not there".to_owned() } else { error.to_string() },
        )
        .and_then(|bytes| {
            Components::parse(&String::from_utf8_lossy(&bytes))
                .map_err(|error| format!("it is not a component list: {error}"))
        });
    let size = configuration.vm_size.to_lowercase();
    let wants_driver = configuration.gpu_config.as_ref().is_some_and(|gpu| gpu.enable_nvidia == Some(true));
    let components = match list {
        Ok(components) => components,
        Err(error) if wants_driver || gpu::is_nvidia(&size) => {
            return Err(Refusal::NoComponents { size: configuration.vm_size.clone(), path, error });
        }
        // Nothing on this machine reads the versions of GPU drivers.
        Err(_) => Components::default(),
    };
    let output = containerd_version().unwrap_or_default();
    Ok(ImageContents { containerd_version: ImageContents::containerd_version(&output).to_owned(), components })
}

/// What `containerd --version` prints. `None`: there is no containerd, or it does not answer.
fn containerd_version() -> Option<String> {
    let mut child = Command::new("containerd")
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let stdout = child.stdout.take()?;
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut text = String::new();
        let _ = std::io::Read::read_to_string(&mut std::io::Read::take(stdout, 4096), &mut text);
        let _ = sender.send(text);
    });
    let text = receiver.recv_timeout(ANSWER).ok();
    let _ = child.kill();
    let _ = child.wait();
    text
}

/// The environment of a node as pairs that a process can be given.
///
/// # Errors
/// A value holds U+0000.
pub fn pairs(environment: &Environment<'_>) -> Result<Vec<(String, String)>, Refusal> {
    let pairs = environment.pairs()?;
    Ok(pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}
