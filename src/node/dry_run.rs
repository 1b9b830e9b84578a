//! `provision --dry-run`: shows what `provision` would start.

use std::fmt::Write;
use std::time::Duration;

use super::inputs::{self, InputError, ProvisionRequest};
use super::plan::Plan;
use super::{Log, Machine};
use crate::catalogue::{REDACTED, variables};
use crate::inputs::check;
use crate::rendering::ShellWord;

/// Returns the variables that `provision` would set, one assignment per line with secrets redacted, and as the last
/// line the command that it would start. Starts nothing and writes no file. Logs findings about the Configuration to
/// stderr.
///
/// # Errors
/// Fails if there is nothing to start.
pub fn dry_run(machine: &Machine, request: &ProvisionRequest) -> Result<String, InputError> {
    let log = Log::to_stderr();
    let plan = Plan::new(inputs::read(machine, request, Duration::ZERO, &log)?, machine);
    if let Some(path) = &request.configuration
        && let Ok((configuration, _)) = inputs::configuration(path)
    {
        for finding in check(&configuration, None) {
            log.warn("the Configuration has a problem", &[("finding", finding.to_string().into())]);
        }
    }
    Ok(shown(&plan))
}

fn shown(plan: &Plan) -> String {
    let mut text = String::new();
    for (name, value) in plan.variables() {
        // A variable that is not in the catalogue can be a secret, so it is not shown.
        let is_secret = !value.is_empty() && variables::variable(name).is_none_or(|variable| variable.secret);
        let value = if is_secret { REDACTED } else { value.expose() };
        let _ = writeln!(text, "{name}={}", ShellWord::quote(value));
    }
    let _ = writeln!(text, "{}", plan.command_line());
    text
}
