//! Splits a text into documents: JSON values one after another, YAML documents, and lines of `NAME=value`, in any order.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::Position;
use crate::recognition::without_mark;

/// One document of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'t> {
    /// Where it starts in the stream.
    pub start: Position,
    pub text: &'t str,
    pub form: Form,
}

/// How a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    Yaml,
    /// Lines of `NAME=value`, as a shell prints its environment.
    Assignments,
    /// Terminal output around JSON: the command, a prompt, or a warning of Python. It is not a document.
    Prose,
}

/// Returns a text of the same length without what terminals and `2>&1` add to the output of a command: colours, and lines that
/// `is_warning` recognizes. Blanks at the end of a line stand for them, so that lines stay right, and columns are those on the screen.
pub(crate) fn without_noise(text: &str, is_warning: impl Fn(&str) -> bool) -> Cow<'_, str> {
    if !text.contains(ESCAPE) && !text.lines().any(&is_warning) {
        return text.into();
    }
    let mut clean = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\r', '\n']);
        let start = clean.len();
        if !is_warning(content) {
            without_colours(content, &mut clean);
        }
        clean.extend(std::iter::repeat_n(' ', start + content.len() - clean.len()));
        clean.push_str(&line[content.len()..]);
    }
    clean.into()
}

/// Keeps the blocks of code of Markdown as documents, with the same numbers of lines. Blocks of commands count only if there is no other one;
/// those that only set variables are documents on request.
pub(crate) fn without_fences(text: &str, with_assignments: bool) -> Option<String> {
    let fence = |line: &str| ["```", "~~~"].into_iter().find(|fence| line.starts_with(fence));
    let lines: Vec<&str> = without_mark(text).lines().collect();
    // The numbers of the first and the last line inside of each block.
    let mut blocks: Vec<(usize, usize)> = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    for (number, line) in lines.iter().enumerate() {
        match (open, fence(line)) {
            (None, Some(kind)) => open = Some((kind, number + 1)),
            (Some((kind, start)), Some(end)) if kind == end && line.trim_end().chars().all(|c| kind.starts_with(c)) => {
                blocks.push((start, number));
                open = None;
            }
            _ => {}
        }
    }
    // The end of a truncated text.
    blocks.extend(open.map(|(_, start)| (start, lines.len())));
    let sets_variables = |lines: &[&str]| {
        let mut lines = lines.iter().filter(|line| !is_blank(line)).peekable();
        lines.peek().is_some() && lines.all(|line| is_assignment(line))
    };
    let is_document = |&&(start, end): &&(usize, usize)| {
        let named = lines[start - 1][3..].trim().to_ascii_lowercase();
        let begins = |line: &str| ["{", "[", "apiVersion:"].iter().any(|begin| line.trim_start().starts_with(begin));
        ["json", "jsonc", "yaml", "yml"].contains(&named.as_str())
            || lines[start..end].iter().any(|line| begins(line))
            || (with_assignments && sets_variables(&lines[start..end]))
    };
    let documents: Vec<_> = blocks.iter().filter(is_document).copied().collect();
    let kept = if documents.is_empty() { blocks } else { documents };
    (!kept.is_empty()).then(|| {
        let mut inside: Vec<&str> = vec![""; lines.len()];
        for (start, end) in kept {
            inside[start - 1] = "---";
            inside[start..end].copy_from_slice(&lines[start..end]);
        }
        inside.into_iter().flat_map(|line| [line, "\n"]).collect()
    })
}

/// The start of a control sequence, as `az --output jsonc` writes before and behind each word.
const ESCAPE: &str = "\u{1b}[";

/// Returns a text without colours.
pub(crate) fn uncoloured(text: &str) -> Cow<'_, str> {
    if !text.contains(ESCAPE) {
        return text.into();
    }
    let mut clean = String::with_capacity(text.len());
    without_colours(text, &mut clean);
    clean.into()
}

fn without_colours(mut text: &str, clean: &mut String) {
    while let Some(start) = text.find(ESCAPE) {
        let rest = &text[start + ESCAPE.len()..];
        let parameters = rest.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(rest.len());
        let end = start + ESCAPE.len() + parameters + usize::from(rest[parameters..].starts_with('m'));
        clean.push_str(&text[..start]);
        text = &text[end..];
    }
    clean.push_str(text);
}

/// Returns every document. A broken JSON value lasts until the end of the text.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut found, mut at, mut start) = (Vec::new(), 0, Position::START);
    while at < text.len() {
        let piece = next(&text[at..]);
        let begin = at + piece.0.start;
        start = start.past(&text[at..begin]);
        let (range, form) = piece;
        let piece = &text[begin..at + range.end];
        if !is_blank(piece) {
            found.push(Piece { start, text: piece, form });
        }
        start = start.past(piece);
        at = begin + piece.len();
    }
    for index in 0..found.len() {
        let is_json = |other: Option<&Piece>| other.is_some_and(|piece| piece.form == Form::Json);
        let is_beside = is_json(found.get(index + 1)) || is_json(index.checked_sub(1).and_then(|last| found.get(last)));
        if is_beside && found[index].form == Form::Yaml && is_prose(found[index].text) {
            found[index].form = Form::Prose;
        }
    }
    found
}

/// Reports whether a text beside JSON does not even begin like a document. A table is one in another format, which is worth an error.
fn is_prose(text: &str) -> bool {
    let Some(first) = text.lines().find(|line| !is_blank(line)) else { return true };
    // What separates or ends the elements of a list stands between documents that were copied out of one.
    let is_named = first.trim_start().starts_with(['-', '"', '\'', '<', ',', ']', '}'])
        || first.split_once(':').is_some_and(|(name, rest)| {
            !name.trim().contains(char::is_whitespace) && (rest.is_empty() || rest.starts_with([' ', '\r']))
        });
    let is_table = text.lines().any(|line| line.contains("---") && line.chars().all(|c| c == '-' || c.is_whitespace()));
    !is_named && !is_table
}

/// Members of objects of Kubernetes that can come before `apiVersion`. In a configuration of kubeadm, one does in the order of names.
const BEFORE_VERSION: [&str; 6] = ["apiServer:", "kind:", "metadata:", "spec:", "data:", "items:"];

/// Returns the range of the first document and its form.
fn next(text: &str) -> (std::ops::Range<usize>, Form) {
    // The indentation of the first line has a meaning.
    let blank = text.len() - text.trim_start().len();
    let first = &text[text[..blank].rfind('\n').map_or(0, |end| end + 1)..];
    let start = text.len() - without_mark(without_marker(first)).len();
    let rest = &text[start..];
    let json = rest.trim_start();
    if is_json(json) {
        let start = text.len() - json.len();
        let mut values = serde_json::Deserializer::from_str(json).into_iter::<IgnoredAny>();
        let is_whole = matches!(values.next(), Some(Ok(_)));
        let end = if is_whole { start + values.byte_offset() } else { text.len() };
        return (start..end, Form::Json);
    }
    let mut at = start;
    let (mut form, mut has_version, mut is_object) = (None, false, false);
    for line in rest.split_inclusive('\n') {
        let is_version = line.starts_with("apiVersion:");
        let is_next = match form {
            None => starts_with_marker(line) || (at > start && is_json(without_mark(line))),
            Some(form) => {
                starts_with_marker(line)
                    || is_json(without_mark(line))
                    || (is_version && (has_version || !is_object))
                    // What is indented belongs to a value.
                    || (form == Form::Yaml && is_assignment(line) && !line.starts_with([' ', '\t']))
            }
        };
        if is_next {
            break;
        }
        at += line.len();
        has_version |= is_version;
        // The other members of an object of Kubernetes can come first.
        is_object |= BEFORE_VERSION.iter().any(|name| line.starts_with(name));
        if form.is_none() && !is_blank(line) {
            form = Some(if is_assignment(line) { Form::Assignments } else { Form::Yaml });
        }
    }
    (start..at, form.unwrap_or(Form::Yaml))
}

/// Returns the text behind a line that separates YAML documents.
fn without_marker(text: &str) -> &str {
    let text = without_mark(text);
    if !starts_with_marker(text) {
        return text;
    }
    let rest = &text[3..];
    let line = rest.split('\n').next().unwrap_or_default();
    if is_blank(line) { rest.get(line.len() + 1..).unwrap_or_default() } else { rest }
}

fn starts_with_marker(line: &str) -> bool {
    let rest = line.strip_prefix("---").or_else(|| line.strip_prefix("..."));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
}

/// Reports whether a text begins like an object or a list of JSON, and not like `[Coming breaking change] …`, which `az` prints.
fn is_json(text: &str) -> bool {
    let Some(first) = text.strip_prefix('[').map(str::trim_start) else { return text.starts_with('{') };
    first.starts_with(|c: char| "{[]\"-".contains(c) || c.is_ascii_digit())
        || first.is_empty()
        || ["true", "false", "null"].iter().any(|word| first.starts_with(word))
}

/// Reports whether a text has nothing but blanks, comments and directives of YAML.
fn is_blank(text: &str) -> bool {
    text.lines().all(|line| {
        let line = without_mark(line).trim();
        line.is_empty() || line.starts_with(['#', '%'])
    })
}

/// Returns the rest of a line that sets a variable as PowerShell does: `$env:NAME = "value"`, in any letter case.
pub(crate) fn of_powershell(line: &str) -> Option<&str> {
    const PREFIX: &str = "$env:";
    let line = without_mark(line);
    line.get(..PREFIX.len()).filter(|start| start.eq_ignore_ascii_case(PREFIX)).map(|_| &line[PREFIX.len()..])
}

/// Reports whether a line sets a variable.
pub(crate) fn is_assignment(line: &str) -> bool {
    assignment(line).is_some()
}

/// Returns the name and the value of a line that sets a variable, as it is written. An indented line sets one if its name is in capitals,
/// as programs name their variables; other indented lines belong to the value before them.
pub(crate) fn assignment(line: &str) -> Option<(&str, &str)> {
    let whole = without_mark(line);
    let line = whole.trim_start_matches([' ', '\t']);
    let is_indented = line.len() < whole.len();
    let (name, value) = if let Some(rest) = of_powershell(line) {
        rest.split_once('=').map(|(name, value)| (name.trim_end(), value.trim_start()))?
    } else {
        let prefixes = ["export ", "declare -x ", "set "];
        prefixes.iter().find_map(|prefix| line.strip_prefix(prefix)).unwrap_or(line).split_once('=')?
    };
    let mut bytes = name.bytes();
    let is_name = bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !(is_indented && name.bytes().any(|byte| byte.is_ascii_lowercase()));
    is_name.then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(String, &str)> {
        pieces(text).into_iter().map(|piece| (piece.start.to_string(), piece.text)).collect()
    }

    #[test]
    fn what_a_terminal_shows_beside_json_is_no_document() {
        for (text, expected) in [
            ("$ az aks show -g a -n b\n{\"a\": 1}\n", vec![Form::Prose, Form::Json]),
            // Command groups of Azure CLI before 2.30, whose messages had no level.
            (
                "This command is in preview. It may be changed: see https://aka.ms/CLI_refstatus\n[]\n",
                vec![Form::Prose, Form::Json],
            ),
            (
                "{}\n/opt/az/lib/python3.12/site-packages/x.py:1: UserWarning: y\n  warnings.warn(\n",
                vec![Form::Json, Form::Prose],
            ),
            ("{}\n[Coming breaking change] In the coming release: x\n", vec![Form::Json, Form::Prose]),
            ("[Warning] x\n[\n  1]\n", vec![Form::Prose, Form::Json]),
            ("{}\nName    Location\n------  ------\n", vec![Form::Json, Form::Yaml]),
            ("{},\n{}\n", vec![Form::Json, Form::Yaml, Form::Json]),
            ("apiVersion: v1\nkind: Config\n{}", vec![Form::Yaml, Form::Json]),
            ("a:\n{}", vec![Form::Yaml, Form::Json]),
            ("plain\n", vec![Form::Yaml]),
        ] {
            assert_eq!(pieces(text).iter().map(|piece| piece.form).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn colours_and_warnings_become_blanks() {
        let is_warning = |line: &str| line.starts_with("WARNING: ");
        for (text, expected) in [
            ("a", "a"),
            ("WARNING: x\r\n{}", "          \r\n{}"),
            ("\u{1b}[34;01m\"a\"\u{1b}[39;49;00m:", "\"a\":                   "),
            ("\u{1b}[94ma\u{1b}[39m:\n  \u{1b}[94mb\u{1b}[39m: 1\n", "a:          \n  b: 1          \n"),
            ("\u{1b}[", "  "),
            ("a\u{1b}[0Kb", "aKb   "),
        ] {
            assert_eq!(without_noise(text, is_warning), expected, "{text:?}");
        }
    }

    #[test]
    fn documents_of_all_forms_follow_each_other() {
        for (text, expected) in [
            ("{\"a\": 1}{\"b\": 2}", vec![("1:1", "{\"a\": 1}"), ("1:9", "{\"b\": 2}")]),
            ("{\"a\": 1}\n[2]\n", vec![("1:1", "{\"a\": 1}"), ("2:1", "[2]")]),
            ("a: 1\n---\nb: 2\n", vec![("1:1", "a: 1\n"), ("3:1", "b: 2\n")]),
            ("---\na: 1\n---\n---\n# x\n", vec![("2:1", "a: 1\n")]),
            (
                "--- # first\na: 1\n... \n--- {\"b\": 1}\nc: 3",
                vec![("2:1", "a: 1\n"), ("4:5", "{\"b\": 1}"), ("5:1", "c: 3")],
            ),
            ("a: 1\n{\"b\": 2}\n---\nc: 3\n", vec![("1:1", "a: 1\n"), ("2:1", "{\"b\": 2}"), ("4:1", "c: 3\n")]),
            ("  {\"a\": 1}\n\n---\n  b: 2\n  c: 3\n", vec![("1:3", "{\"a\": 1}"), ("4:1", "  b: 2\n  c: 3\n")]),
            ("a: |\n  ---\n  {\n", vec![("1:1", "a: |\n  ---\n  {\n")]),
            ("%YAML 1.2\n---\na: 1\n", vec![("3:1", "a: 1\n")]),
            (
                "apiVersion: 1\nkind: A\napiVersion: 2\nkind: B\n",
                vec![("1:1", "apiVersion: 1\nkind: A\n"), ("3:1", "apiVersion: 2\nkind: B\n")],
            ),
            ("apiServer: {}\napiVersion: 1\nkind: A\n", vec![("1:1", "apiServer: {}\napiVersion: 1\nkind: A\n")]),
            (
                "kind: A\napiVersion: 1\n---\nA: 1\napiVersion: 2\n",
                vec![("1:1", "kind: A\napiVersion: 1\n"), ("4:1", "A: 1\n"), ("5:1", "apiVersion: 2\n")],
            ),
            (
                "# mine\nA=1\nexport B=\"2\"\nmore\napiVersion: 1\nC=3\n{}",
                vec![
                    ("1:1", "# mine\nA=1\nexport B=\"2\"\nmore\n"),
                    ("5:1", "apiVersion: 1\n"),
                    ("6:1", "C=3\n"),
                    ("7:1", "{}"),
                ],
            ),
            ("  # mine\n  A=1\n  B=2\n", vec![("1:1", "  # mine\n  A=1\n  B=2\n")]),
            ("a: |\n  B=2\nc: 1\n", vec![("1:1", "a: |\n  B=2\nc: 1\n")]),
            ("\u{feff}{}\r\n---\r\na: 1\r\n", vec![("1:2", "{}"), ("3:1", "a: 1\r\n")]),
            ("a: 1\n\u{feff}{}", vec![("1:1", "a: 1\n"), ("2:2", "{}")]),
            ("{\"a\": \n---\nb: 1", vec![("1:1", "{\"a\": \n---\nb: 1")]),
            ("", vec![]),
            ("\n# nothing\n", vec![]),
        ] {
            let expected: Vec<_> = expected.into_iter().map(|(start, text)| (start.to_owned(), text)).collect();
            assert_eq!(split(text), expected, "{text:?}");
        }
    }
}
