//! The command with which the node's controller starts provisioning.

use std::sync::LazyLock;

use serde::Serialize;

use crate::rendering::Template;

/// Returns the argument after `bash -c`. It is the same for every node: the variables are in its environment.
#[must_use]
pub fn bootstrap_command() -> &'static str {
    static COMMAND: LazyLock<String> = LazyLock::new(|| {
        #[derive(Serialize)]
        struct BootstrapCommand {}
        Template::BOOTSTRAP_COMMAND.render(&BootstrapCommand {}, 512).replace('\n', " ")
    });
    &COMMAND
}
