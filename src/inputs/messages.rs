//! Messages of `az` and `kubectl`, which get into their output with `2>&1` or in a terminal, and texts that programs print for people.

#[cfg(feature = "cli")]
use crate::document::stream::is_assignment;
use crate::recognition::without_mark;

/// Reports whether a text begins with a message of `az` or `kubectl`.
pub(super) fn has_messages(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    message_of_azure(first).is_some() || error_of_program(first).is_some()
}

/// Errors of `kubectl`, with which no line of a document begins.
const ERRORS_OF_KUBECTL: [&str; 3] =
    ["Error from server", "Unable to connect to the server", "The connection to the server "];

/// Returns the program whose error a line is, if the line is the first one that it prints.
pub(crate) fn error_of_program(line: &str) -> Option<&'static str> {
    let line = without_mark(line);
    let begins = |starts: &[&str]| starts.iter().any(|start| line.starts_with(start));
    // A code of Azure's API in parentheses, a message of the parser of arguments, one of a missing sign-in.
    let is_code = line
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(") "))
        .is_some_and(|(code, _)| !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    if is_code || begins(&["az: ", "az aks: ", "Please run 'az login'", "The command failed with an unexpected error."])
    {
        return Some("az");
    }
    (begins(&ERRORS_OF_KUBECTL) || begins(&["error: "])).then_some("kubectl")
}

/// Returns the line of a stream, from 1, in which a program reports an error, and the program.
#[cfg(feature = "cli")]
pub(crate) fn error_in_stream(text: &str) -> Option<(usize, &'static str)> {
    let anywhere = text.lines().enumerate().find_map(|(index, line)| {
        let is_of_kubectl = || ERRORS_OF_KUBECTL.iter().any(|start| line.starts_with(start));
        let program =
            if message_of_azure(line) == Some("ERROR") { "az" } else { is_of_kubectl().then_some("kubectl")? };
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
    let is_note = plain.starts_with("Warning: ") || is_merged(plain) || is_klog(plain) || is_typed(plain);
    level.or_else(|| is_note.then_some("WARNING"))
}

/// Reports whether a line is what `az aks get-credentials` prints behind a kubeconfig: `Merged "NAME" as current context in FILE`.
fn is_merged(line: &str) -> bool {
    line.starts_with("Merged \"") && line.contains("\" as current context in ")
}

/// Reports whether a line is a command behind the prompt of a shell, as it is copied from a terminal.
fn is_typed(line: &str) -> bool {
    let command = line.strip_prefix("$ ").or_else(|| line.strip_prefix("PS ")?.split_once("> ").map(|(_, rest)| rest));
    command.is_some_and(|command| command.starts_with("az ") || command.starts_with("kubectl "))
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

/// Returns what a text is that is neither JSON nor YAML with named values, for messages, with its article.
#[cfg(feature = "cli")]
pub(crate) fn text_of_program(text: &str) -> Option<&'static str> {
    // `terraform state show` begins with a comment.
    let mut lines = without_mark(text).lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let (first, second) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let is_upper =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase() || b"-()".contains(&byte));
    let has_line = |start: &str| text.lines().any(|line| line.trim_start().starts_with(start));
    let is_output = |line: &str| {
        let name = line.split_once(" = ").map_or("", |(name, _)| name.trim_end());
        !name.is_empty() && name.bytes().all(|byte| byte == b'_' || byte == b'-' || byte.is_ascii_alphanumeric())
    };
    let begins = |words: &[&str]| words.iter().any(|word| first.starts_with(word));
    let is_bicep = |word: &&str| first.strip_prefix(*word).is_some_and(|rest| rest.starts_with([' ', '\'', '"']));
    // Broken JSON is no text.
    if begins(&["{", "[", "\""]) {
        return None;
    }
    // The first that holds.
    let kinds = [
        (
            second.contains("--")
                && second.trim_end() != "---"
                && second.chars().all(|c| c == '-' || c.is_whitespace()),
            "a table as `az … -o table` prints it",
        ),
        (first.contains("  ") && first.split_ascii_whitespace().all(is_upper), "a table as `kubectl get` prints it"),
        (
            first.contains('\t') && !first.starts_with('\t') && ![": ", ":\t"].iter().any(|sign| first.contains(sign)),
            "text with tabs as `az … -o tsv` prints it",
        ),
        (
            begins(&["resource \"", "variable \"", "provider \"", "module \"", "terraform {"]),
            "a Terraform configuration",
        ),
        (
            has_line("Terraform will perform the following actions")
                || has_line("Terraform used the selected providers"),
            "a plan of Terraform as `terraform plan` prints it",
        ),
        (is_output(first), "values of Terraform as `terraform output` prints them"),
        (has_line("Resource and property changes are indicated with "), "the text of `az deployment … what-if`"),
        (is_assignment(first), "lines of `NAME=value`, such as `azd env get-values` prints"),
        (["resource", "param", "targetScope", "module", "@description"].iter().any(is_bicep), "a Bicep file"),
        (first.trim_start().starts_with('<'), "HTML"),
        (
            begins(&["Name:  "])
                && text.lines().any(|line| line.starts_with("Namespace:  ") || line.starts_with("Labels:  ")),
            "a description as `kubectl describe` prints it",
        ),
        (
            first.contains(" is running at ") && first.contains("http"),
            "the text of `kubectl cluster-info`, not the ConfigMap of this name",
        ),
        (
            first.trim_start_matches("sudo ").starts_with("kubeadm join "),
            "the command `kubeadm join`, whose token `--token-file` reads",
        ),
        ([first, second].iter().all(|line| line.contains(',')) && !first.contains([':', '=']), "CSV"),
    ];
    kinds.into_iter().find_map(|(holds, title)| holds.then_some(title))
}
