//! Messages of `az` and `kubectl`, which get into their output with `2>&1` or in a terminal, and texts that programs print for people.

use crate::recognition::without_mark;

/// Reports whether a text begins with a message of `az` or `kubectl`.
pub(super) fn has_messages(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    message_of_azure(first).is_some() || error_of_program(first).is_some()
}

/// Errors of `kubectl`, with which no line of a document begins.
const ERRORS_OF_KUBECTL: [&str; 3] =
    ["Error from server", "Unable to connect to the server", "The connection to the server "];

/// Beginnings of the errors of `az` that have no level: of its parser of arguments, and of a missing sign-in.
const ERRORS_OF_AZ: [&str; 10] = [
    "az: ",
    "az aks: ",
    "Please run 'az login'",
    "The command failed with an unexpected error.",
    "the following arguments are required: ",
    "unrecognized arguments: ",
    "AADSTS",
    "HTTPSConnectionPool(host=",
    "Interactive authentication is needed.",
    "To sign in, use a web browser to open the page ",
];

/// Texts with which a shell or the interpreter of a program reports an error, each with what reports it.
const ERRORS_OF_SHELLS: [(&str, &str); 5] = [
    (": command not found", "a shell"),
    ("command not found: ", "a shell"),
    (" is not recognized as an internal or external command", "a shell"),
    (" is not recognized as the name of a cmdlet", "PowerShell"),
    ("Traceback (most recent call last):", "Python"),
];

/// Returns the program whose error a line is, for messages, if the line is the first one that it prints.
pub(crate) fn error_of_program(line: &str) -> Option<&'static str> {
    let line = without_mark(line);
    let begins = |starts: &[&str]| starts.iter().any(|start| line.starts_with(start));
    if let Some((_, program)) = ERRORS_OF_SHELLS.iter().find(|(text, _)| line.contains(text)) {
        return Some(program);
    }
    // A code of Azure's API in parentheses, and `az rest`, which puts the answer behind the reason.
    let is_code = line
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(") "))
        .is_some_and(|(code, _)| !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let is_answer = line.find("({\"error\":").is_some_and(|at| !line[..at].contains(['{', '"'])) && line.ends_with(')');
    let is_misspelled = line.starts_with('\'') && line.contains("' is misspelled or not recognized by the system.");
    if is_code || is_answer || is_misspelled || begins(&ERRORS_OF_AZ) {
        return Some("`az`");
    }
    (begins(&ERRORS_OF_KUBECTL) || begins(&["error: "])).then_some("`kubectl`")
}

/// Returns the line of a stream, from 1, in which a program reports an error, and the program.
#[cfg(feature = "cli")]
pub(crate) fn error_in_stream(text: &str) -> Option<(usize, &'static str)> {
    let anywhere = text.lines().enumerate().find_map(|(index, line)| {
        let is_of_kubectl = || ERRORS_OF_KUBECTL.iter().any(|start| line.starts_with(start));
        let program =
            if message_of_azure(line) == Some("ERROR") { "`az`" } else { is_of_kubectl().then_some("`kubectl`")? };
        Some((index + 1, program))
    });
    let first = || {
        let mut lines = text.lines().enumerate();
        let (index, first) = lines.find(|(_, line)| !line.trim().is_empty() && message_of_azure(line).is_none())?;
        Some((index + 1, error_of_program(first)?))
    };
    anywhere.or_else(first)
}

/// Returns the level of a message that `az` or `kubectl` writes to standard error, with or without colour.
pub(crate) fn message_of_azure(line: &str) -> Option<&'static str> {
    let line = without_mark(line);
    let plain = line.strip_prefix("\u{1b}[").and_then(|rest| rest.split_once('m')).map_or(line, |(_, rest)| rest);
    // Windows PowerShell puts the name of the program before what it writes to standard error.
    let plain = plain.strip_prefix("az : ").or_else(|| plain.strip_prefix("az.cmd : ")).unwrap_or(plain);
    let level = ["WARNING", "ERROR"]
        .into_iter()
        .find(|level| plain.strip_prefix(level).is_some_and(|rest| rest.starts_with(": ")));
    let is_note = plain.starts_with("Warning: ")
        || is_merged(plain)
        || is_klog(plain)
        || is_typed(plain)
        || is_spinner(plain)
        || is_debug(plain);
    level.or_else(|| is_note.then_some("WARNING"))
}

/// Reports whether a line is what `az aks get-credentials` prints behind a kubeconfig: `Merged "NAME" as current context in FILE`.
fn is_merged(line: &str) -> bool {
    line.starts_with("Merged \"") && line.contains("\" as current context in ")
}

/// Reports whether a line is the progress that `az` shows while it waits: ` | Running ..`.
fn is_spinner(line: &str) -> bool {
    let words = line.trim().strip_prefix(['|', '/', '-', '\\']).unwrap_or_default();
    [" Starting ..", " Running ..", " Finished .."].contains(&words)
}

/// Reports whether a line is a command behind the prompt of a shell, as it is copied from a terminal, or the prompt alone.
fn is_typed(line: &str) -> bool {
    const COMMANDS: [&str; 2] = ["az ", "kubectl "];
    const SIGNS: [char; 4] = ['$', '#', '%', '>'];
    let is_command = |text: &str| COMMANDS.iter().any(|command| text.starts_with(command));
    // With `set -x`.
    if line.starts_with('+') {
        return is_command(line.trim_start_matches('+').trim_start());
    }
    match COMMANDS.iter().filter_map(|command| line.find(command)).min() {
        // A comment of YAML can quote a command, too.
        Some(at) => {
            let before = line[..at].trim_end_matches(' ');
            let prompt = before.strip_suffix(SIGNS);
            prompt.is_some_and(|prompt| (before == "$" || !prompt.is_empty()) && is_prompt(prompt))
        }
        None => line.trim_end().strip_suffix(SIGNS).is_some_and(|prompt| {
            is_prompt(prompt) && (prompt.contains('@') || prompt.starts_with("PS ") || prompt.contains(":\\"))
        }),
    }
}

/// Reports whether a text can be what a shell prints before its sign: no value of YAML, whose colon has a blank behind it, no variable that is
/// set, and no text in quotes.
fn is_prompt(text: &str) -> bool {
    !text.starts_with([' ', '\t', '-', '{']) && !text.contains(['"', '\'', '#', '|', '=']) && !text.contains(": ")
}

/// Reports whether a line is one that `az` writes with `--debug` or `--verbose`: the level, or in older versions only the name of a logger.
/// <https://github.com/microsoft/knack/blob/dev/knack/log.py>
fn is_debug(line: &str) -> bool {
    const LOGGERS: [&str; 6] = ["cli", "urllib3", "msrest", "msal", "azure", "az_command_data_logger"];
    let message = ["DEBUG: ", "INFO: "].iter().find_map(|level| line.strip_prefix(level));
    if let Some(message) = message {
        return !message.is_empty();
    }
    let logger = line.split_once([':', ' ']).map_or("", |(logger, _)| logger);
    let is_name = |logger: &str| logger.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._".contains(&byte));
    let begin = logger.split('.').next().unwrap_or_default();
    // A member of a document has no dots in its name.
    LOGGERS.contains(&begin) && is_name(logger) && (logger.contains('.') || begin.contains('_'))
}

/// Reports whether a line has the header of Kubernetes' logger, `I1126 10:00:00.000000   12345 file.go:88] `. `kubectl` continues
/// after such a line, whatever its level.
fn is_klog(line: &str) -> bool {
    const TIME: &[u8] = b"0000 00:00:00.000000 ";
    let is_time = |text: &[u8]| {
        let pairs = TIME.iter().zip(text);
        text.len() > TIME.len()
            && pairs.into_iter().all(|(form, byte)| if *form == b'0' { byte.is_ascii_digit() } else { form == byte })
    };
    line.strip_prefix(['I', 'W', 'E', 'F']).is_some_and(|rest| is_time(rest.as_bytes()) && rest.contains("] "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_terminal_are_no_document() {
        for line in [
            "$ az aks show -g a -n b",
            "me@host:~$ az aks show -o yaml",
            "root@host:~# kubectl get secrets",
            "me [ ~ ]$ az aks show",
            "me@mac ~ % az aks show",
            "PS C:\\Users\\me> az aks show",
            "PS /home/me> kubectl config view --raw",
            "C:\\Users\\me>az aks show",
            "+ az aks show",
            "++ kubectl get nodes",
            "root@host:~#",
            "me@host:~$ ",
            "PS C:\\Users\\me>",
            "C:\\Users\\me>",
            "DEBUG: cli.knack.cli: Command arguments: ['aks', 'show']",
            "INFO: az_command_data_logger: exit code: 0",
            "cli.azure.cli.core: Modules found from index for 'aks'",
            "urllib3.connectionpool: Starting new HTTPS connection (1): management.azure.com:443",
        ] {
            assert_eq!(message_of_azure(line), Some("WARNING"), "{line}");
        }
        for line in [
            "# az aks show -g a -n b",
            "CLUSTER_NAME=demo # az aks show",
            "--- # az aks show",
            "items: # kubectl get nodes",
            "#az aks show",
            "description: run $ az aks show",
            "  - $ az aks show",
            "motd: \"a@b $ az login\"",
            "name: a@b#",
            "cli: x",
            "azure: x",
            "azure.workload.identity/use: \"true\"",
            "a@b: >",
            "key: >",
            "key: |",
            "- a@b#",
            "{\"a\": \"> az x\"}",
        ] {
            assert_eq!(message_of_azure(line), None, "{line}");
        }
    }
}
