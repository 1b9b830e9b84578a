//! `completions`: scripts that complete the command line in a shell.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;

use super::examples::Example;
use crate::catalogue::exit_codes::constants;
use crate::catalogue::variables::VARIABLES;

/// Returns the completion script for a shell.
pub(super) fn script(shell: Shell, command: &Command) -> Vec<u8> {
    let mut script = Vec::new();
    let name = command.get_name();
    clap_complete::generate(shell, &mut visible(command), name, &mut script);
    if shell == Shell::Bash {
        // For a program with a hyphen in its name, `clap_complete` stores the state of a subcommand under one name and
        // looks it up under another, so nothing below the top level would be completed.
        let text = String::from_utf8(script).expect("the script is text");
        let text = text.replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"));
        return with_names(shell, &text).into_bytes();
    }
    let text = String::from_utf8(script).expect("the script is text");
    with_names(shell, &text).into_bytes()
}

/// Returns a script that offers exit codes and their names in addition to files for the argument of `explain`;
/// `clap_complete` can only offer them instead of files.
fn with_names(shell: Shell, script: &str) -> String {
    let codes = constants().map(|row| row.code.to_string());
    let names = constants().map(|row| row.name.to_owned()).chain(codes).collect::<Vec<_>>().join(" ");
    match shell {
        Shell::Bash => {
            let case = "        aks__node__controller__subcmd__explain)\n            opts=\"";
            script.replacen(case, &format!("{case}{names} "), 1)
        }
        Shell::Zsh => {
            let argument = ":what -- ";
            let Some(start) = script.find(argument) else { return script.to_owned() };
            let line = &script[start..];
            let end = line.find(":_default'").unwrap_or_default();
            format!("{}:{{compadd -- {names}; _files}}'{}", &script[..start + end], &line[end + ":_default'".len()..])
        }
        Shell::Fish => {
            let described =
                constants().map(|row| format!("{}\\t'{}' {}\\t'{}'", row.name, row.code, row.code, row.name));
            let described = described.collect::<Vec<_>>().join(" ");
            format!(
                "{script}complete -c aks-node-controller -n \"__fish_aks_node_controller_using_subcommand explain\" -a \"{described}\"\n"
            )
        }
        _ => script.to_owned(),
    }
}

/// Returns a command without its hidden subcommands and arguments, which `clap_complete` would offer.
fn visible(command: &Command) -> Command {
    // clap takes only static names. This one lives as long as the process, which ends after printing the script.
    let name: &'static str = command.get_name().to_owned().leak();
    let shown = Command::new(name)
        .about(command.get_about().cloned().unwrap_or_default())
        .args(command.get_arguments().filter(|argument| !argument.is_hide_set()).cloned().map(with_values))
        .subcommands(command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()).map(visible));
    if command.get_version().is_some() { shown.version(env!("CARGO_PKG_VERSION")) } else { shown }
}

/// Returns an argument with its possible values, where they are names in a table of this program. On the command line
/// such an argument accepts any text, because the message about an unknown name suggests a known one.
fn with_values(argument: Arg) -> Arg {
    let names: Vec<&'static str> = match argument.get_id().as_str() {
        "example" => ["list"].into_iter().chain(Example::ALL.iter().map(|example| example.name)).collect(),
        // The option of `env`; `convert` has one without a value.
        "explain" if argument.get_action().takes_values() => VARIABLES.iter().map(|row| row.name).collect(),
        _ => return argument,
    };
    argument.value_parser(PossibleValuesParser::new(names))
}
