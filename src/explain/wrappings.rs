//! Finds the failure in a text, however it is wrapped.
//!
//! To add a wrapping: a text in `testdata/explain/`, and a finder in [`find`], the most reliable first.

use std::borrow::Cow;

use super::extensions::{extension_before, is_ours, is_surely_of_nodes};
use super::marks::{from_the_end, has, number_at};
use super::plain::{ENTITIES, line_start};
use super::said::{described, mentioned, named, traced_exit};
use crate::catalogue::exit_codes::NODE_NOT_READY;

/// A failure that was found in a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// The code, not 0.
    pub(super) code: i64,
    /// Whether the text only mentions a number, which can be a code of any program.
    pub(super) is_mentioned: bool,
    /// The name of the extension whose command ended with the code, if nothing says that it is the node's.
    pub(super) extension: Option<String>,
    /// The field `Error` of the result.
    pub(super) error: Option<String>,
    /// The output of the scripts, as far as the text contains it; otherwise the end of the text.
    pub(super) output: String,
}

/// Why a text has no code.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoCode {
    /// The result in the text is a success.
    Success,
    /// Another extension failed, of this name.
    OtherExtension(String),
    /// The text has no code.
    NotFound,
}

/// The most bytes at the end of a long text that are read as output of the scripts.
const TAIL: usize = 64 * 1024;
/// The longest text that is checked for the quotes of a web page or a word processor.
const LONGEST_MESSAGE: usize = 1 << 20;
/// The most characters of a result's reason why the node is not Ready.
const LONGEST_READY: usize = 4096;
/// How texts write what almost every form of a code has.
const EXITS: [&str; 3] = ["exit", "Exit", "EXIT"];

/// Returns why the node is not Ready, from a result that `provision-wait --ready` has printed.
fn reason_of_node(result: &str) -> Option<String> {
    let (_, ready) = result.split_once("Ready")?;
    let plain: String = ready.chars().take(LONGEST_READY).filter(|character| *character != '\\').collect();
    let (ready, _) = plain.strip_prefix("\":{\"Certificate\"")?.split_once("\"}")?;
    let reason = ready.split_once("\"Reason\":\"").map(|(_, reason)| reason.to_owned());
    (!ready.contains("\"Node\":\"True\"")).then_some(reason)?
}

/// Returns the failure in a text: a result document takes precedence over a message, a message over a name, and the
/// last one of each kind over the ones before.
pub(super) fn find(text: &str) -> Result<Shown, NoCode> {
    let has_exit = EXITS.iter().any(|exit| has(text, exit));
    let mut has_succeeded = false;
    let ended = ended_provisioner(text);
    for at in from_the_end(text, "ExitCode") {
        if matches!(ended, Some((0, end, _)) if at < end) {
            return Err(NoCode::Success);
        }
        match result_at(text, at) {
            Some(Shown { code: 0, .. }) => match reason_of_node(&text[at..]) {
                Some(reason) => {
                    return Ok(Shown { code: NODE_NOT_READY.into(), error: Some(reason), ..Shown::default() });
                }
                None => has_succeeded = true,
            },
            Some(mut shown) => {
                if shown.output.is_empty() {
                    shown.output = readable_end(text);
                }
                return Ok(shown);
            }
            None => {}
        }
    }
    match ended {
        Some((0, ..)) => has_succeeded = true,
        Some((code, _, error)) => {
            return Ok(Shown { code, error, output: readable_end(text), ..Shown::default() });
        }
        None => {}
    }
    let mut foreign = None;
    let without_result = || if has_succeeded { None } else { without_result(text) };
    let ended = if has_exit { ended_command(text, &mut foreign) } else { None };
    let said = ended.or_else(|| Some((without_result()?, None)));
    let may_be_mentioned = has_exit && said.is_none() && !has_succeeded;
    let mentioned = if may_be_mentioned { mentioned(text, &mut foreign) } else { None };
    let is_mentioned = said.is_none();
    if let Some((code, at)) = said.or(mentioned) {
        let error = last_error(text).map(|(_, reason)| first_line(reason));
        let extension = at.and_then(|at| extension_before(text, at)).filter(|name| !is_surely_of_nodes(name));
        let extension = extension.map(str::to_owned);
        return Ok(Shown { code, is_mentioned, extension, error, output: readable_end(text) });
    }
    Err(match foreign {
        _ if has_succeeded => NoCode::Success,
        Some(name) => NoCode::OtherExtension(name.to_owned()),
        None if has(text, "Enable succeeded") && !is_of_run_command(text) => NoCode::Success,
        None => NoCode::NotFound,
    })
}

/// Reports whether a text is the result of `az vm run-command invoke`: a command for people, whose success says nothing about the
/// provisioning of the node.
fn is_of_run_command(text: &str) -> bool {
    /// The most bytes of the beginning of its list, with the signs of what it is in.
    const BEGINNING: usize = 200;
    /// The most members of this name that are looked at.
    const MOST: usize = 10;
    text.match_indices("value").take(MOST).any(|(at, name)| {
        let rest = &text[at + name.len()..];
        let mut is_escaped = false;
        // Without blanks and quotes, also escaped ones.
        let signs = rest[..rest.floor_char_boundary(BEGINNING)].chars().filter(|character| {
            let is_escape = is_escaped && "nrt".contains(*character);
            is_escaped = *character == '\\';
            !is_escape && (character.is_ascii_alphanumeric() || ":[{".contains(*character))
        });
        signs.take(":[{code:".len()).eq(":[{code:".chars())
    })
}

/// Returns how a provisioner ended, by the last such line of the controller's log: the code, where it is, and the reason.
fn ended_provisioner(text: &str) -> Option<(i64, usize, Option<String>)> {
    const ENDED: &str = "\"msg\":\"ended\",\"task\":\"Provision\",\"exitCode\":";
    let at = *from_the_end(text, ENDED).first()?;
    let (line, _) = text[at..].split_once('\n').unwrap_or((&text[at..], ""));
    let code = number_at(&line[ENDED.len()..])?;
    let error = members(line).into_iter().find(|member| member.name == "error").map(|member| member.value);
    Some((code, at, error.filter(|error| !error.is_empty())))
}

/// Returns the code in a text without a result, with the most reliable finder first.
fn without_result(text: &str) -> Option<i64> {
    last_error(text)
        .map(|(code, _)| code)
        .or_else(|| traced_exit(text))
        .or_else(|| named(text))
        .or_else(|| described(text))
}

/// Returns a text with plain quotes and blanks instead of those of HTML and word processors.
pub(super) fn straightened(text: &str) -> Cow<'_, str> {
    const DOUBLE: [char; 2] = ['\u{201c}', '\u{201d}'];
    const SINGLE: [char; 2] = ['\u{2018}', '\u{2019}'];
    const BLANK: char = '\u{a0}';
    // A longer text is a log, which was not copied from a page.
    if text.len() > LONGEST_MESSAGE {
        return Cow::Borrowed(text);
    }
    let is_html = ENTITIES.iter().any(|(name, of)| matches!(of, '"' | '\'') && has(text, name));
    if !is_html && !text.contains(DOUBLE) && !text.contains(SINGLE) && !text.contains(BLANK) {
        return Cow::Borrowed(text);
    }
    let text =
        ENTITIES.iter().fold(text.to_owned(), |text, (name, of)| text.replace(name, of.encode_utf8(&mut [0; 4])));
    Cow::Owned(text.replace(DOUBLE, "\"").replace(SINGLE, "'").replace(BLANK, " "))
}

/// Returns the end of a text, with line breaks instead of escaped ones: each JSON around a message adds a layer of
/// escapes.
fn readable_end(text: &str) -> String {
    let mut end = text[text.ceil_char_boundary(text.len().saturating_sub(TAIL))..].to_owned();
    for _ in 0..5 {
        if !end.contains("\\n") {
            break;
        }
        end = unescape(&end);
    }
    end
}

/// Returns the result whose member `ExitCode` begins at this position.
fn result_at(text: &str, at: usize) -> Option<Shown> {
    let before = text[..at].strip_suffix('"')?;
    let slashes = before.len() - before.trim_end_matches('\\').len();
    // A layer of JSON doubles the number of backslashes and adds one: 0, 1, 3, 7, 15.
    let layers = (slashes + 1).ilog2();
    let start = at - 1 - slashes;
    // No result is longer: Azure keeps less than 4 KiB, and each layer of escapes at most doubles it.
    let end = text.floor_char_boundary(start + (8192 << layers.min(5)));
    let mut plain = text[start..end].to_owned();
    for _ in 0..layers {
        plain = unescape(&plain);
    }
    let members = members(&plain);
    let member = |name: &str| members.iter().find(|member| member.name == name);
    let code = member("ExitCode").filter(|member| member.is_whole)?.value.trim().parse().ok()?;
    let error = member("Error").map(|member| member.value.clone()).or_else(|| error_before(&text[..start], layers));
    Some(Shown {
        code,
        is_mentioned: false,
        extension: None,
        error: error.filter(|error| !error.is_empty()),
        output: member("Output").map(|member| member.value.clone()).unwrap_or_default(),
    })
}

/// Returns the member `Error` of a truncated object, from programs that sort members.
fn error_before(text: &str, layers: u32) -> Option<String> {
    let object = &text[text.rfind('{')?..];
    if object.len() > 8192 {
        return None;
    }
    let plain = (0..layers).fold(object.to_owned(), |text, _| unescape(&text));
    members(&plain).into_iter().find(|member| member.name == "Error").map(|member| member.value)
}

/// Removes one layer of JSON escapes from a text, which can be truncated anywhere.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        match rest.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('r') => plain.push('\r'),
            Some('b' | 'f') | None => {}
            Some('u') => {
                let digits: String = rest.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                plain.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            Some(other) => plain.push(other),
        }
    }
    plain
}

/// A member of a JSON object.
struct Member {
    name: String,
    value: String,
    /// Whether the value is complete.
    is_whole: bool,
}

/// Returns the members of an object that are texts or numbers, from its first name on. The object can be truncated.
fn members(text: &str) -> Vec<Member> {
    let mut members = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['"', '}']) {
        if rest[start..].starts_with('}') {
            break;
        }
        let (name, Some(after)) = literal(&rest[start + 1..]) else { break };
        let Some(value) = after.trim_start().strip_prefix(':') else { break };
        let value = value.trim_start();
        if let Some(value) = value.strip_prefix('"') {
            let (value, after) = literal(value);
            members.push(Member { name, value, is_whole: after.is_some() });
            rest = after.unwrap_or_default();
        } else if value.starts_with(['{', '[']) {
            break;
        } else {
            let end = value.find([',', '}', '\n']);
            let is_whole = end.is_some();
            let end = end.unwrap_or(value.len());
            members.push(Member { name, value: value[..end].trim().to_owned(), is_whole });
            rest = &value[end..];
        }
    }
    members
}

/// Returns a string after its opening quote, and the text that follows it; `None` if it is truncated. An inner quote
/// that lost its escape does not end the string, because a comma, a brace, a colon or nothing follows the end.
fn literal(text: &str) -> (String, Option<&str>) {
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => {
                let after = &text[at + 1..];
                let next = after.trim_start();
                if next.is_empty() || next.starts_with([',', '}', ':']) {
                    return (unescape(&text[..at]), Some(after));
                }
            }
            _ => {}
        }
    }
    (unescape(text), None)
}

/// Returns the last non-zero code of a command that the extension ran, and where it is: `command terminated with exit status=50`, which
/// Terraform breaks into lines with a mark in front of each.
fn ended_command<'a>(text: &'a str, foreign: &mut Option<&'a str>) -> Option<(i64, Option<usize>)> {
    const MARK: &str = "terminated with";
    let behind = |rest: &'a str, word: &&str| line_start(rest.trim_start()).strip_prefix(*word);
    from_the_end(text, MARK).into_iter().find_map(|at| {
        let rest = ["exit", "status"].iter().try_fold(&text[at + MARK.len()..], behind)?;
        let code = number_at(rest).filter(|code| *code != 0)?;
        is_ours(text, at, foreign).then_some((code, Some(at)))
    })
}

/// Returns the last error in the log of the scripts: the code and the reason in a line `2026-11-22 05:55:30 error 52:
/// …`.
fn last_error(text: &str) -> Option<(i64, &str)> {
    from_the_end(text, " error ").into_iter().find_map(|at| {
        let before = &text[..at];
        let is_ours =
            before.is_empty() || before.ends_with(|last: char| last.is_ascii_digit() || last == 'Z' || last == '\n');
        let rest = is_ours.then_some(&text[at + " error ".len()..])?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let reason = rest[digits..].strip_prefix(": ")?;
        Some((rest[..digits].parse().ok().filter(|code| (1..=255).contains(code))?, reason))
    })
}

/// Returns the first line of a text, which can be at the end of a JSON string.
fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.split("\\n").next().unwrap_or_default().trim_end_matches(['"', '}', ',', '\\']).to_owned()
}
