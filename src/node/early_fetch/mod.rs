//! `fetch`: reads the boothook from the protected settings of the Custom Script Extension before the VM agent runs it.
//!
//! `channels` has the goal state and the settings of both services of the host, `keys` the key for them, `enveloped` decrypts, and `command`
//! decides whether the command of the extension is ours. Each reader (`goal_state`, `vm_settings`, `extensions_config`, `certificates`, `pfx`,
//! `enveloped`, `command`) is a function of bytes, which may be hostile. To read another channel: its reader, and a call in `channels`.
//!
//! Nothing of a command is run, and nothing is written unless it matches. Keys and plain text stay in memory.

mod certificates;
mod channels;
mod cipher;
mod command;
mod deadline;
mod enveloped;
mod extensions_config;
mod goal_state;
mod http;
mod keys;
mod pfx;
#[doc(hidden)]
pub mod readers;
mod record;
#[cfg(test)]
mod recorded;
mod settings;
mod vm_settings;
mod xml;

use std::path::PathBuf;
use std::time::Duration;

use zeroize::Zeroizing;

use super::lock::Lock;
use super::result::{Completion, NodeStorage, ObservedResult, observe};
use super::{Machine, files};
use channels::round;
use deadline::Deadline;
use enveloped::decrypt;
use goal_state::GoalState;
use keys::Keys;
use settings::{Channel, Settings};

pub use http::Endpoint;
pub(super) use record::FetchRecord;

/// How long to wait before both channels are asked again.
const PAUSE: Duration = Duration::from_secs(1);

/// The mode of the script, which has secrets.
const MODE: u32 = files::SECRET_MODE;

/// Where to fetch from, and where to.
#[derive(Clone, Debug)]
pub struct FetchRequest {
    /// Path of the script.
    pub output: PathBuf,
    /// The time for everything.
    pub timeout: Duration,
    /// The wire server.
    pub wire_server: Endpoint,
    /// The plugin of the host.
    pub host_plugin: Endpoint,
    /// The directory in which the agent leaves keys.
    pub agent_directory: PathBuf,
}

/// Why nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// A key, a certificate, the decryption or the disk failed.
    #[error("{0}")]
    Failed(String),
    /// Neither channel had settings in time.
    #[error("no protected settings of the extension in time")]
    NoSettings,
    /// The command is not of our form.
    #[error("{0}")]
    NoMatch(&'static str),
    /// A provisioner runs, or a result exists.
    #[error("provisioning has already started")]
    Started,
}

impl FetchError {
    /// Returns the exit code of the process.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Failed(_) => 1,
            Self::NoSettings => 10,
            Self::NoMatch(_) => 11,
            Self::Started => 12,
        }
    }
}

/// Fetches the script and writes it. Logs to standard error.
///
/// # Errors
/// Fails if there are no settings in time, they cannot be decrypted, their command is another one, or provisioning has started. Then
/// nothing was written.
pub fn early_fetch(machine: &Machine, request: &FetchRequest) -> Result<(), FetchError> {
    let deadline = Deadline::after(request.timeout);

    fetch(machine, request, deadline).inspect_err(|error| deadline.log(format!("nothing written: {error}")))
}

fn fetch(machine: &Machine, request: &FetchRequest, deadline: Deadline) -> Result<(), FetchError> {
    deadline.log(format!("started, with {} s", request.timeout.as_secs()));
    let mut keys = Keys::new(request.wire_server, &request.agent_directory);
    let (goal_state, found) = loop {
        if has_started(machine) {
            return Err(FetchError::Started);
        }
        if let Some(found) = round(request, deadline) {
            break found;
        }
        if !deadline.pause(PAUSE) {
            return Err(FetchError::NoSettings);
        }
    };
    let (channel, script) = first_match(&mut keys, &goal_state, &found, deadline)?;
    if has_started(machine) {
        return Err(FetchError::Started);
    }
    let cannot_write = |error| FetchError::Failed(format!("cannot write {}: {error}", request.output.display()));
    files::replace(&request.output, &script, MODE).map_err(cannot_write)?;
    deadline.log(format!("wrote {}: {} bytes through the {}", request.output.display(), script.len(), channel.name()));
    if let Err(error) = FetchRecord::new(channel.name(), deadline.elapsed()).write(machine) {
        deadline.log(format!("cannot write the record for the result: {error}"));
    }
    Ok(())
}

/// Returns the script of the newest settings that have one. The others only count alone.
///
/// # Errors
/// Fails as the newest settings do if none has a script.
fn first_match(
    keys: &mut Keys,
    goal_state: &GoalState,
    found: &[Settings],
    deadline: Deadline,
) -> Result<(Channel, Zeroizing<Vec<u8>>), FetchError> {
    let mut failure = None;
    for settings in found {
        match script(keys, goal_state, settings, deadline) {
            Ok(script) => return Ok((settings.channel, script)),
            Err(error) => {
                deadline.log(format!("settings of the {}: {error}", settings.channel.name()));
                failure.get_or_insert(error);
            }
        }
    }
    Err(failure.unwrap_or(FetchError::NoSettings))
}

fn script(
    keys: &mut Keys,
    goal_state: &GoalState,
    settings: &Settings,
    deadline: Deadline,
) -> Result<Zeroizing<Vec<u8>>, FetchError> {
    let key = keys.key(goal_state.certificates.as_deref(), &settings.thumbprint, deadline);
    let key = key.map_err(|error| FetchError::Failed(format!("certificates: {error}")))?;
    let message = certificates::decode(&settings.protected);
    let message = message.ok_or_else(|| FetchError::Failed("the protected settings are not base64".to_owned()))?;
    let plain = decrypt(&message, &key);
    let plain = plain.map_err(|error| FetchError::Failed(format!("the message of the protected settings {error}")))?;
    command::script(&plain).map_err(FetchError::NoMatch)
}

/// Reports whether a provisioner runs, or a result exists.
fn has_started(machine: &Machine) -> bool {
    let storage = NodeStorage::new(machine, Completion::Provision);
    let result = observe(&storage, machine.instance_id().as_deref());
    let has_result = matches!(result, Ok(ObservedResult::Complete(_) | ObservedResult::Broken(_)));
    has_result || Lock::is_held(machine) == Some(true)
}
