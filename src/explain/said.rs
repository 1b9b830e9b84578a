//! Codes that a text says without a result of the extension: in traces, names, descriptions and mentions.

use memchr::memmem::Finder;

use super::extensions::is_ours;
use super::marks::{RESULTS, from_the_end, has, number_at};
use super::plain::line_start;
use crate::catalogue::exit_codes::constants;

/// Returns the code with which traced scripts (`set -x`) ended, or that they print at their end.
pub(super) fn traced_exit(text: &str) -> Option<i64> {
    const SAID: [&str; 2] = ["check code: ", "Already ran provisioning, exiting with code "];
    const STATUS: &str = "code=exited, status=";
    const UNIT: &str = "aks-node-controller";
    const TRACE: &str = "+ exit ";
    const ESCAPED: &str = "\\n";
    const COLOUR_END: &str = "\u{1b}[0m";
    // Any unit has a status.
    let status = has(text, UNIT).then_some(STATUS);
    // A log has many lines, and making a searcher takes longer than searching one of them.
    let marks: Vec<_> = [TRACE, SAID[0], SAID[1]].into_iter().chain(status).map(Finder::new).collect();
    let has_mark = |text: &str| marks.iter().any(|mark| mark.find(text.as_bytes()).is_some());
    if !has_mark(text) {
        return None;
    }
    let code = |line: &str| {
        if !has_mark(line) {
            return None;
        }
        let line = line.trim_end_matches(['`', '\r', ' ', '\\', '\n']);
        let line = line_start(line.strip_suffix(COLOUR_END).unwrap_or(line)).trim_start_matches(['`', ' ']);
        let traced = || {
            let (before, command) = line.rsplit_once(TRACE)?;
            // Behind the name of a program in the journal.
            let before = before.trim_end_matches('+');
            (before.is_empty() || before.ends_with("]: ")).then(|| command.parse().ok()).flatten()
        };
        let said = || SAID.iter().find_map(|mark| number_at(&line[line.find(mark)? + mark.len()..]));
        let said_by_unit = || {
            let at = line.find(STATUS)?;
            line[..at].contains(UNIT).then(|| number_at(&line[at + STATUS.len()..])).flatten()
        };
        traced().or_else(said).or_else(said_by_unit).filter(|code| (1..=255).contains(code))
    };
    // In JSON, line breaks are escaped, once for each layer.
    let escaped = || if has(text, ESCAPED) { text.rsplit(ESCAPED).find_map(code) } else { None };
    text.lines().rev().find_map(code).or_else(escaped)
}

/// Returns the code of the last constant, or of Azure's name for one. Assignments are skipped, because traces are full
/// of them.
pub(super) fn named(text: &str) -> Option<i64> {
    const SUFFIX: &[u8] = b"vmextensionerror";
    // Most texts have none of these, and a search is faster than a look at each word.
    if !["ERR_", "xtensionError", "xtensionerror", "XTENSIONERROR"].iter().any(|part| has(text, part)) {
        return None;
    }
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut found = None;
    let mut before: &[u8] = &[];
    let mut runs = text.as_bytes().chunk_by(|one, next| is_of_word(one) == is_of_word(next)).peekable();
    while let Some(run) = runs.next() {
        let whole = without_escape(before, run);
        before = run;
        let Some(start) = whole.iter().position(u8::is_ascii_alphanumeric) else { continue };
        let word = &whole[start..];
        let is_assigned = runs.peek().is_some_and(|after| after.starts_with(b"="));
        let is_name = (word.starts_with(b"ERR_") && !is_assigned)
            || word.windows(SUFFIX.len()).any(|part| part.eq_ignore_ascii_case(SUFFIX));
        if is_name && let Some(code) = str::from_utf8(word).ok().and_then(code_of_name) {
            found = Some(i64::from(code));
        }
    }
    found
}

/// Returns a word without the end of what stands in front of it: a line break of JSON, or a colour, whose beginning is before the word.
fn without_escape<'t>(before: &[u8], word: &'t [u8]) -> &'t [u8] {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = match (before.last(), word) {
        (Some(b'\\'), [b'n' | b'r' | b't', rest @ ..]) => Some(rest),
        (Some(b'[' | b';'), _) => word[digits..].strip_prefix(b"m"),
        _ => None,
    };
    rest.unwrap_or(word)
}

/// Returns the code of a constant, with or without `ERR_`, or of `…VMExtensionError`, `VMExtensionError_…`.
pub(super) fn code_of_name(name: &str) -> Option<u8> {
    let wanted = folded(name.trim());
    let wanted = wanted.strip_suffix("vmextensionerror").unwrap_or(&wanted);
    let wanted = wanted.strip_prefix("vmextensionerror").unwrap_or(wanted);
    let wanted = wanted.strip_prefix("err").unwrap_or(wanted);
    if wanted.is_empty() {
        return None;
    }
    constants().find(|row| folded(row.name).strip_prefix("err") == Some(wanted)).map(|row| row.code)
}

fn folded(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|character| character.to_ascii_lowercase()).collect()
}

/// Returns the code of a failure that Azure or `timeout` only describes in words.
pub(super) fn described(text: &str) -> Option<i64> {
    /// Sentences with what they have in common, which most texts do not have.
    static SENTENCES: [(&str, &[(&str, i64)]); 3] = [
        (
            "nable to establish",
            &[
                ("nable to establish outbound connection from agents", 50),
                ("re unable to establish outbound connect", 50),
                ("nable to establish connection from agents to Kubernetes API server", 51),
                ("re unable to establish connection to Kubernetes API server", 51),
            ],
        ),
        ("unable to resolve Kub", &[("gents are unable to resolve Kubernetes API server name", 52)]),
        ("timeout: invalid time", &[("timeout: invalid time interval", 125)]),
    ];
    let mut possible = SENTENCES.iter().filter(|(part, _)| has(text, part)).flat_map(|(_, sentences)| *sentences);
    possible.find(|(sentence, _)| text.contains(sentence)).map(|(_, code)| *code)
}

/// Returns the last non-zero code that a text mentions in another way, and where it is: `exit code 124`, `ExitCode: 50`.
pub(super) fn mentioned<'a>(text: &'a str, foreign: &mut Option<&'a str>) -> Option<(i64, Option<usize>)> {
    const MARKS: [&str; 7] =
        ["exit status", "exit code", "exitcode", "exit_code", "cse exits with", "cse exited with", "cse fails with"];
    let lower = text.to_ascii_lowercase();
    let mut found: Vec<usize> =
        MARKS.iter().flat_map(|mark| from_the_end(&lower, mark).into_iter().map(|at| at + mark.len())).collect();
    found.sort_unstable();
    found.into_iter().rev().take(RESULTS).find_map(|at| {
        let code = number_at(&lower[at..]).filter(|code| *code != 0)?;
        (!is_of_container(&lower, at) && !is_of_containerd(&lower, at) && is_ours(text, at, foreign))
            .then_some((code, Some(at)))
    })
}

/// Reports whether a code is in an entry of containerd, whose programs end with codes of their own: `level=warning msg="… runc did not
/// terminate successfully: exit status 255"`.
fn is_of_containerd(lower: &str, at: usize) -> bool {
    /// The most bytes before the code in the entry.
    const NEAR: usize = 2048;
    let before = &lower[lower.ceil_char_boundary(at.saturating_sub(NEAR))..at];
    let entry = before.rsplit('\n').next().unwrap_or_default();
    entry.contains(" level=") && entry.contains(" msg=")
}

/// Reports whether a code is that of a container: in the description and the object of a pod, it follows the state `Terminated` and a
/// reason, or the ID of the container.
fn is_of_container(lower: &str, at: usize) -> bool {
    const STATE: &str = "terminated";
    /// The most bytes between them: the ID has 64 digits.
    const NEAR: usize = 200;
    /// The most bytes between them if nothing else is.
    const INDENT: usize = 40;
    let before = &lower[lower.ceil_char_boundary(at.saturating_sub(NEAR))..at];
    let Some(state) = before.rfind(STATE).map(|state| &before[state + STATE.len()..]) else { return false };
    let is_next = || state.len() <= INDENT && state.contains(':') && state.ends_with("exitcode");
    // The extension says how a command ended in one line: `command terminated with exit status=50`.
    !state.starts_with(" with") && (["reason", "containerid"].iter().any(|name| state.contains(name)) || is_next())
}

#[cfg(test)]
mod tests {
    use super::{named, traced_exit};

    #[test]
    fn a_name_can_follow_an_escaped_line_break_or_a_colour() {
        for text in [
            "ERR_ORAS_PULL_UNAUTHORIZED",
            "\"denied\\nERR_ORAS_PULL_UNAUTHORIZED\"",
            "denied\\\\tERR_ORAS_PULL_UNAUTHORIZED",
            "\u{1b}[31mERR_ORAS_PULL_UNAUTHORIZED\u{1b}[0m",
            "\\u001b[1;31mERR_ORAS_PULL_UNAUTHORIZED",
        ] {
            assert_eq!(named(text), Some(212), "{text:?}");
        }
        assert_eq!(named("rERR_ORAS_PULL_UNAUTHORIZED [mERR_ORAS_PULL_UNAUTHORIZED=1"), None);
    }

    #[test]
    fn a_traced_exit_can_be_quoted_and_coloured() {
        for text in [
            "+ exit 99",
            "++ exit 99`",
            "> + exit 99```",
            "a\n\u{1b}[0;31m+ exit 99\u{1b}[0m\r\n",
            "h bash[1]: + exit 99",
        ] {
            assert_eq!(traced_exit(text), Some(99), "{text:?}");
        }
        assert_eq!(traced_exit("then + exit 99"), None);
    }
}
