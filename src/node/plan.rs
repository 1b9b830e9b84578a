//! What is to be started, decided from the inputs alone.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::inputs::{Assignment, Input};
use super::redaction::KnownSecrets;
use super::result::Completion;
use super::{CommandAssignments, Machine};
use crate::Secret;
use crate::catalogue::{paths, timeouts};
use crate::delivery::bootstrap_command;
use crate::rendering::ShellWord;

/// Runs every child process.
pub(super) const SHELL: &str = "/bin/bash";

/// The child process to start: bash with arguments and variables.
#[derive(Debug)]
pub(super) struct Plan {
    arguments: Vec<PathBuf>,
    variables: Variables,
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
    /// Decides what to start. Fixed paths in the command are below the root of the machine; values of variables are
    /// unchanged.
    pub fn new(input: Input, machine: &Machine) -> Self {
        match input {
            Input::Configuration(environment) => Self {
                arguments: vec!["-c".into(), below_root(bootstrap_command(), machine).into()],
                variables: Variables::Passed(environment),
            },
            // `--`, so that a path with a leading hyphen is not read as an option.
            Input::Command { path, assignments } => {
                Self { arguments: vec!["--".into(), path], variables: Variables::SetByCommand(assignments) }
            }
        }
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

    /// Returns the command as a shell would read it. It has no secrets.
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

    /// Returns how long the scripts may run: `CSE_TIMEOUT` in seconds, the default if that is missing or not accepted.
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

    /// Returns the secrets to redact in the output of the child process. Those of a command are read by both sets of
    /// rules, because each may misread what the other reads right.
    pub fn secrets(&self) -> KnownSecrets {
        let scanned = self.command_assignments().into_iter().flat_map(CommandAssignments::iter);
        KnownSecrets::of(self.variables().into_iter().chain(scanned))
    }

    fn variable(&self, name: &str) -> Option<&str> {
        self.variables().into_iter().find(|(other, _)| *other == name).map(|(_, value)| value.expose())
    }
}

/// The variables of the bootstrap command that contain a path which the command itself opens.
const OPENED: [&str; 2] = ["${PROVISION_OUTPUT}", "${INIT_AKS_CLOUD_FILEPATH}"];

/// Puts every path that the bootstrap command opens below the root of the machine.
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
        Plan::new(Input::Command { path: "-command.sh".into(), assignments }, &Machine::this())
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
