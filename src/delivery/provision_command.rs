//! The command with which the node's controller starts provisioning.

use std::sync::LazyLock;

use crate::rendering::{NoValues, render};

/// Returns the argument after `bash -c`. It is the same for every node, because the variables are in its environment.
#[must_use]
pub fn bootstrap_command() -> &'static str {
    static COMMAND: LazyLock<String> =
        LazyLock::new(|| render("bootstrap_command.sh.tera", &NoValues {}).replace('\n', " "));
    &COMMAND
}
