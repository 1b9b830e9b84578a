//! Logs as runners and collectors keep them: each line of a program inside a line of theirs.

use std::borrow::Cow;

use serde_json::Value;

use super::journal;
use super::marks::has;

/// The most wrappings around each other that are removed: a log of `kubectl` in a log of a runner.
const DEEPEST: usize = 3;

/// The most bytes of a line that docker writes in one object.
const DOCKER_LINE: usize = 16 << 10;

/// Returns the lines that the programs wrote, if each line of a text is one of a runner or collector.
pub(super) fn uncollected(text: &str) -> Cow<'_, str> {
    let mut lines = Cow::Borrowed(text);
    for _ in 0..DEEPEST {
        let Some(inner) = of_journal(&lines).or_else(|| of_lines(&lines)) else { break };
        lines = Cow::Owned(inner);
    }
    lines
}

/// Returns the lines of a journal in a format for programs.
fn of_journal(text: &str) -> Option<String> {
    if text.starts_with(['{', '_']) { journal::lines(text) } else { None }
}

/// Returns what is inside all lines of a text, if each one that is not empty has something around it. The first and the last one can be
/// cut off.
fn of_lines(text: &str) -> Option<String> {
    let mut inner = String::new();
    let mut has_lines = false;
    let lines = text.trim_start_matches('\u{feff}').lines().filter(|line| !line.trim().is_empty());
    let mut lines = lines.enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        let wrapped = of_pod(line).or_else(|| of_file(line)).or_else(|| of_timed(line));
        has_lines |= wrapped.is_some();
        let is_at_edge = at == 0 || lines.peek().is_none();
        let (line, is_partial) = wrapped.or_else(|| is_at_edge.then_some((line.into(), false)))?;
        inner.push_str(&line);
        if !is_partial && !line.ends_with('\n') {
            inner.push('\n');
        }
    }
    has_lines.then_some(inner)
}

/// A line of a program, and whether the next one continues it.
type Inner<'l> = (Cow<'l, str>, bool);

/// Returns what follows the prefix of `kubectl logs --prefix`: `[pod/NAME/CONTAINER] `.
fn of_pod(line: &str) -> Option<Inner<'_>> {
    let (name, rest) = line.strip_prefix("[pod/")?.split_once(']')?;
    (name.matches('/').count() == 1).then(|| (rest.strip_prefix(' ').unwrap_or(rest).into(), false))
}

/// Returns the line in an object of docker's `json-file`, of fluentd or of Fluent Bit: `{"log":"…\n","stream":"stderr","time":"…"}`.
fn of_file(line: &str) -> Option<Inner<'_>> {
    const OTHERS: [&str; 4] = ["stream", "time", "date", "kubernetes"];
    // Reading an object takes longer than a search.
    let may_be_one = line.starts_with('{') && has(line, "\"log\"");
    let object: Value = may_be_one.then(|| serde_json::from_str(line).ok())??;
    let log = object["log"].as_str().filter(|_| OTHERS.iter().any(|name| object.get(name).is_some()))?;
    // docker splits longer lines.
    Some((log.to_owned().into(), log.len() >= DOCKER_LINE && !log.ends_with('\n')))
}

/// Returns what follows a time with as many digits as .NET (GitHub, Azure Pipelines) or Kubernetes and docker write, but few programs:
/// `2026-11-22T05:54:15.1234567Z ##[error]`, `2026-11-22T05:54:15.123456789Z stderr F `.
fn of_timed(line: &str) -> Option<Inner<'_>> {
    const DATE: usize = "2026-11-22".len();
    const SECONDS: usize = "2026-11-22T05:54:15".len();
    let (time, rest) = line.split_once(' ').unwrap_or((line, ""));
    let fraction = time.get(SECONDS..)?.strip_prefix('.').filter(|_| time.as_bytes()[DATE] == b'T')?;
    let of_container = ["stdout ", "stderr "].iter().find_map(|stream| rest.strip_prefix(stream));
    if let Some((tag @ ("F" | "P"), rest)) = of_container.map(|rest| rest.split_once(' ').unwrap_or((rest, ""))) {
        return Some((rest.into(), tag == "P"));
    }
    let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
    let command = || rest.strip_prefix("##[").and_then(|command| command.split_once(']'));
    matches!(digits, 7 | 9).then(|| (command().map_or(rest, |(_, rest)| rest).into(), false))
}

#[cfg(test)]
mod tests {
    use super::uncollected;

    #[test]
    fn lines_of_programs_are_taken_out_of_those_of_collectors() {
        for text in [
            "2026-11-22T05:54:15.1234567Z ##[error]a\n2026-11-22T05:54:15.1234568Z   b\n",
            "\u{feff}2026-11-22T05:54:15.1234567Z a\r\n2026-11-22T05:54:15.1234568Z   b\r\n",
            "2026-11-22T05:54:15.123456789Z a\n\n2026-11-22T05:54:15.123456780+01:00   b",
            "2026-11-22T05:54:15.1Z stderr F a\n2026-11-22T05:54:15.123456789Z stdout P   \n2026-11-22T05:54:15.2Z stdout F b\n",
            "[pod/a-1/main] a\n[pod/a-1/main]   b\n",
            "[pod/a-1/main] 2026-11-22T05:54:15.123456789Z a\n[pod/a-1/main] 2026-11-22T05:54:15.123456789Z   b\n",
            "{\"log\":\"a\",\"kubernetes\":{}}\n{\"date\":1,\"log\":\"  b\"}\n",
            "{\"log\":\"a\\n\",\"stream\":\"stderr\",\"time\":\"t\"}\n{\"log\":\"  b\\n\",\"stream\":\"stderr\",\"time\":\"t\"}\n",
        ] {
            assert_eq!(uncollected(text), "a\n  b\n", "{text}");
        }
    }

    #[test]
    fn the_first_and_the_last_line_can_be_cut_off() {
        let text = "567Z a\n2026-11-22T05:54:15.1234567Z b\n2026-11-2";
        assert_eq!(uncollected(text), "567Z a\nb\n2026-11-2\n");
        let text = "2026-11-22T05:54:15.1234567Z a\nb\n2026-11-22T05:54:15.1234567Z c\n";
        assert_eq!(uncollected(text), text, "in the middle");
    }

    #[test]
    fn lines_of_programs_stay() {
        for text in [
            "",
            "a\nb\n2026-11-22T05:54:15.1234567Z c",
            "2026-11-22T05:54:15.123456Z INFO ExtHandler a",
            "2026-11-22 05:54:15.1234567 a",
            "[pod] a",
            "2026-11-22T05:54:15.123Z stdout Failed a",
            "{\"level\":\"ERROR\",\"message\":\"a\"}",
            "{\"error\":\"a\",\"log\":\"b\"}",
        ] {
            assert_eq!(uncollected(text), text);
        }
    }

    #[test]
    fn a_journal_for_programs_has_lines() {
        let entry = "{\"__REALTIME_TIMESTAMP\":\"1795326851512877\",\"_HOSTNAME\":\"h\",\"SYSLOG_IDENTIFIER\":\"kubelet\",\"_PID\":\"1\",\
            \"MESSAGE\":\"a\"}\n";
        assert_eq!(uncollected(entry), "2026-11-22T05:54:11.512Z h kubelet[1]: a\n");
    }
}
