//! Plans the command, its variables and its time limit, from the inputs alone.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use std::{fs, io};

use super::inputs::{Assignment, Input};
use super::result::Completion;
use super::{Machine, files};
use crate::Secret;
use crate::catalogue::{paths, timeouts};
use crate::delivery::bootstrap_command;
use crate::inspection::CommandAssignments;
use crate::redaction::{Redactor, is_secret_variable};
use crate::rendering::ShellWord;

/// The shell that runs every child process.
pub(super) const SHELL: &str = "/bin/bash";

/// The child process to start: bash with arguments and variables.
#[derive(Debug)]
pub(super) struct Plan {
    arguments: Vec<PathBuf>,
    variables: Variables,
    /// The text of a classic command.
    text: Option<Secret<'static>>,
}

/// The variables of the child process.
#[derive(Debug)]
enum Variables {
    /// Passed to it in its environment.
    Passed(Vec<Assignment>),
    /// Set by the command that it runs.
    SetByCommand(CommandAssignments),
}

impl Plan {
    /// Decides what to start. Fixed paths in the command are below the root of the machine; values of variables stay
    /// unchanged.
    pub fn new(input: Input, machine: &Machine) -> Self {
        match input {
            Input::Configuration(environment) => Self {
                arguments: vec!["-c".into(), below_root(bootstrap_command(), machine).into()],
                variables: Variables::Passed(environment),
                text: None,
            },
            Input::Command { path, text, assignments } => {
                Self { arguments: file_arguments(path), variables: Variables::SetByCommand(assignments), text }
            }
        }
    }

    /// Writes the classic command that was read to a file for bash, because the delivered file may change while bash reads it. The text is
    /// no argument, which every user could see.
    ///
    /// # Errors
    /// Fails if the file cannot be written. Then the delivered file is run.
    pub fn copy_command(&mut self, machine: &Machine) -> io::Result<()> {
        let Some(text) = &self.text else { return Ok(()) };
        let copy = machine.path(paths::RUNNING_COMMAND);
        files::replace_volatile(&copy, text.expose().as_bytes(), files::SECRET_MODE)?;
        self.arguments = file_arguments(copy);
        Ok(())
    }

    /// Removes the file of [`Self::copy_command`].
    pub fn remove_copy(machine: &Machine) {
        let _ = fs::remove_file(machine.path(paths::RUNNING_COMMAND));
    }

    /// Returns the command to start.
    pub fn command(&self) -> Command {
        let mut command = Command::new(SHELL);
        command.args(&self.arguments);
        if let Variables::Passed(environment) = &self.variables {
            command.envs(environment.iter().map(|(name, value)| (name, value.expose())));
        }
        command
    }

    /// Returns the command in shell syntax. It contains no secrets.
    pub fn command_line(&self) -> String {
        let mut line = SHELL.to_owned();
        for argument in &self.arguments {
            let _ = write!(line, " {}", ShellWord::quote(&argument.to_string_lossy()));
        }
        line
    }

    /// Returns the variables of the child process, wherever they are set.
    pub fn variables(&self) -> Vec<(&str, &Secret<'static>)> {
        match &self.variables {
            Variables::Passed(environment) => environment.iter().map(|(name, value)| (&**name, value)).collect(),
            Variables::SetByCommand(assignments) => assignments.executed().collect(),
        }
    }

    /// Returns the assignments of a classic CSE command.
    pub const fn command_assignments(&self) -> Option<&CommandAssignments> {
        match &self.variables {
            Variables::Passed(_) => None,
            Variables::SetByCommand(assignments) => Some(assignments),
        }
    }

    /// Returns the time limit of the scripts: `CSE_TIMEOUT` in seconds, or the default if it is missing or not
    /// accepted.
    pub fn timeout(&self) -> Duration {
        let timeout = self.variable("CSE_TIMEOUT").and_then(|value| value.parse().ok());
        let timeout = timeout.filter(|seconds| timeouts::ACCEPTED.contains(seconds)).unwrap_or(timeouts::DEFAULT);
        Duration::from_secs(timeout.unsigned_abs().into())
    }

    /// Returns the marker that the attempt ends with.
    pub fn completion(&self) -> Completion {
        let base_prep = self.variable("PRE_PROVISION_ONLY").is_some_and(|value| value.eq_ignore_ascii_case("true"));
        if base_prep { Completion::BasePrep } else { Completion::Provision }
    }

    /// Returns the secrets to redact in the output of the child process. A command is parsed by both sets of rules,
    /// because each can misread what the other reads correctly.
    pub fn secrets(&self) -> Redactor {
        let scanned = self.command_assignments().into_iter().flat_map(CommandAssignments::iter);
        let all = self.variables().into_iter().chain(scanned);
        Redactor::new(all.filter(|(name, _)| is_secret_variable(name)).map(|(_, value)| value))
    }

    fn variable(&self, name: &str) -> Option<&str> {
        self.variables().into_iter().find(|(other, _)| *other == name).map(|(_, value)| value.expose())
    }
}

/// Returns the arguments with which bash runs a file. `--`, so that a path with a leading hyphen is not read as an option.
fn file_arguments(path: PathBuf) -> Vec<PathBuf> {
    vec!["--".into(), path]
}

/// The variables of the bootstrap command that contain a path which the command itself opens.
const OPENED: [&str; 2] = ["${PROVISION_OUTPUT}", "${INIT_AKS_CLOUD_FILEPATH}"];

/// Moves every path that the bootstrap command opens below the root of the machine.
fn below_root(command: &str, machine: &Machine) -> String {
    let command = [paths::START_SCRIPT, paths::PROVISION_LOG]
        .into_iter()
        .fold(command.to_owned(), |command, path| command.replace(path, &machine.path(path).to_string_lossy()));
    let Some(root) = machine.root() else { return command };
    OPENED.into_iter().fold(command, |command, path| command.replace(path, &format!("{}{path}", root.display())))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::path::Path;

    use super::*;

    fn computed(variables: &[(&str, &str)]) -> Plan {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned().into()));
        Plan::new(Input::Configuration(variables.collect()), &Machine::this())
    }

    fn classic(text: &str) -> Plan {
        let assignments = CommandAssignments::scan(text);
        Plan::new(
            Input::Command { path: "-command.sh".into(), text: Some(text.to_owned().into()), assignments },
            &Machine::this(),
        )
    }

    #[test]
    fn a_configuration_is_passed_in_the_environment_of_the_start_script() {
        let command = computed(&[("LOCATION", "westeurope")]).command();
        let environment: Vec<_> = command.get_envs().collect();
        assert_eq!(environment, [(OsStr::new("LOCATION"), Some(OsStr::new("westeurope")))]);
        let arguments: Vec<_> = command.get_args().collect();
        assert_eq!(arguments[0], "-c");
        assert!(arguments[1].to_str().is_some_and(|script| script.contains(paths::START_SCRIPT)));
    }

    #[test]
    fn a_classic_command_is_run_as_a_file_and_sets_its_own_variables() {
        let command = classic("LOCATION=westeurope").command();
        assert_eq!(command.get_envs().count(), 0);
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["--", "-command.sh"]);
    }

    #[test]
    fn the_timeout_has_a_default_and_bounds() {
        for (value, expected) in [("60", 60), ("1", 1), ("21600", 21_600), ("0", 900), ("21601", 900), ("x", 900)] {
            assert_eq!(computed(&[("CSE_TIMEOUT", value)]).timeout().as_secs(), expected, "{value}");
            assert_eq!(classic(&format!("CSE_TIMEOUT={value}")).timeout().as_secs(), expected, "{value}");
        }
        assert_eq!(computed(&[]).timeout().as_secs(), 900);
    }

    #[test]
    fn an_image_bake_has_its_own_completion_marker() {
        assert_eq!(computed(&[("PRE_PROVISION_ONLY", "true")]).completion(), Completion::BasePrep);
        assert_eq!(classic("PRE_PROVISION_ONLY=True").completion(), Completion::BasePrep);
        assert_eq!(computed(&[("PRE_PROVISION_ONLY", "false")]).completion(), Completion::Provision);
        assert_eq!(computed(&[]).completion(), Completion::Provision);
    }

    #[test]
    fn the_paths_of_the_command_are_below_the_root() {
        let machine = Machine::below(Path::new("/srv/image")).expect("a usable root");
        let line = Plan::new(Input::Configuration(Vec::new()), &machine).command_line();
        assert!(line.contains("bash /srv/image/opt/azure/containers/provision_start.sh"), "{line}");
        assert!(line.contains(">> /srv/image/var/log/azure/cluster-provision.log"), "{line}");
        for variable in OPENED {
            let opened = line.matches(variable).count();
            assert!(opened > 0 && line.matches(&format!("/srv/image{variable}")).count() == opened, "{line}");
        }
    }
}
