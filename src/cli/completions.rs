//! `completions`: scripts that complete the command line in a shell.

use clap::Command;
use clap_complete::Shell;

/// Returns the completion script for a shell.
pub(super) fn script(shell: Shell, command: &Command) -> Vec<u8> {
    let mut script = Vec::new();
    let name = command.get_name();
    clap_complete::generate(shell, &mut visible(command), name, &mut script);
    if shell == Shell::Bash {
        // For a program with a hyphen in its name, `clap_complete` stores the state of a subcommand under one name and looks
        // it up under another, so that nothing below the top level is completed.
        let text = String::from_utf8(script).expect("the script is text");
        return text.replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__")).into_bytes();
    }
    script
}

/// Returns a command without its hidden subcommands and arguments, which `clap_complete` would offer.
fn visible(command: &Command) -> Command {
    // clap takes only static names. This one lives as long as the process, which ends after the script.
    let name: &'static str = command.get_name().to_owned().leak();
    let shown = Command::new(name)
        .about(command.get_about().cloned().unwrap_or_default())
        .args(command.get_arguments().filter(|argument| !argument.is_hide_set()).cloned())
        .subcommands(command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()).map(visible));
    if command.get_version().is_some() { shown.version(env!("CARGO_PKG_VERSION")) } else { shown }
}
