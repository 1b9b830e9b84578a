//! Finds the failure in a text, whatever has wrapped it.

use crate::catalogue::exit_codes::EXIT_CODES;

/// A failure as a text shows it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// The code; 0 for a success.
    pub(super) code: i64,
    /// The field `Error` of the result.
    pub(super) error: Option<String>,
    /// What the scripts wrote, as far as the text has it; else the end of the text itself.
    pub(super) output: String,
}

/// How much of the end of a long text is read for what the scripts wrote.
const TAIL: usize = 64 * 1024;

/// Returns the failure in a text: a result document before a message, and the last one of its kind that is no success.
pub(super) fn find(text: &str) -> Option<Shown> {
    let unescaped;
    let text = if text.contains("&quot;") {
        unescaped = text.replace("&quot;", "\"").replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
        unescaped.as_str()
    } else {
        text
    };
    let results: Vec<Shown> = positions(text, "ExitCode").filter_map(|at| result_at(text, at)).collect();
    let failed = results.iter().rposition(|result| result.code != 0);
    let chosen = failed.or_else(|| results.len().checked_sub(1));
    if let Some(mut shown) = chosen.and_then(|index| results.into_iter().nth(index)) {
        if shown.output.is_empty() {
            shown.output = readable_end(text);
        }
        return Some(shown);
    }
    let output = readable_end(text);
    let code = logged_error(text).or_else(|| named(text)).or_else(|| message(text))?;
    let error = logged_reason(text);
    Some(Shown { code, error, output })
}

fn positions<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at)
}

fn readable_end(text: &str) -> String {
    let mut start = text.len().saturating_sub(TAIL);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let end = &text[start..];
    // A message in JSON has its line breaks escaped, once for each layer.
    if end.lines().count() < 4 && end.contains("\\n") { unescape(&unescape(end)) } else { end.to_owned() }
}

/// Returns the result whose member `ExitCode` begins at a position.
fn result_at(text: &str, at: usize) -> Option<Shown> {
    let before = text[..at].strip_suffix('"')?;
    let slashes = before.len() - before.trim_end_matches('\\').len();
    // One layer of JSON doubles what is there and adds one: 0, 1, 3, 7, 15.
    let layers = (slashes + 1).ilog2();
    let start = at - 1 - slashes;
    // No result is longer; Azure keeps less than 4 KiB, each layer of escapes at most doubles it.
    let mut end = text.len().min(start + (8192 << layers.min(5)));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut plain = text[start..end].to_owned();
    for _ in 0..layers {
        plain = unescape(&plain);
    }
    let members = members(&plain);
    let member = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    let code = member("ExitCode")?.trim().parse().ok()?;
    Some(Shown {
        code,
        error: member("Error").filter(|error| !error.is_empty()),
        output: member("Output").unwrap_or_default(),
    })
}

/// Takes one layer of escapes of JSON from a text, which may be cut off anywhere.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        if letter != '\\' {
            plain.push(letter);
            continue;
        }
        match rest.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('r') => plain.push('\r'),
            Some('b' | 'f') => {}
            Some('u') => {
                let digits: String = rest.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                plain.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            Some(other) => plain.push(other),
            None => {}
        }
    }
    plain
}

/// Returns the members with texts and numbers of an object, from its first name on. The object may be cut off.
fn members(text: &str) -> Vec<(String, String)> {
    let mut members = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['"', '}']) {
        if rest[start..].starts_with('}') {
            break;
        }
        let (name, after) = literal(&rest[start + 1..]);
        let Some(value) = after.trim_start().strip_prefix(':') else { break };
        let value = value.trim_start();
        if let Some(value) = value.strip_prefix('"') {
            let (value, after) = literal(value);
            members.push((name, value));
            rest = after;
        } else if value.starts_with(['{', '[']) {
            break;
        } else {
            let end = value.find([',', '}']).unwrap_or(value.len());
            members.push((name, value[..end].trim().to_owned()));
            rest = &value[end..];
        }
    }
    members
}

/// Returns a string whose opening quote is gone, and what follows it. A quote inside that lost its escape does not end it: what
/// follows the end is a comma or a brace.
fn literal(text: &str) -> (String, &str) {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' if text[at + 1..].trim_start().starts_with([',', '}', ':']) => {
                return (unescape(&text[..at]), &text[at + 1..]);
            }
            _ => {}
        }
    }
    (unescape(text), "")
}

/// Returns the last code in a line `2026-11-22 05:55:30 error 52: …` of the scripts' log.
fn logged_error(text: &str) -> Option<i64> {
    last_error(text).map(|(code, _)| code)
}

fn logged_reason(text: &str) -> Option<String> {
    last_error(text).map(|(_, reason)| reason.lines().next().unwrap_or_default().to_owned())
}

fn last_error(text: &str) -> Option<(i64, &str)> {
    text.rmatch_indices(" error ").find_map(|(at, word)| {
        let rest = &text[at + word.len()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let reason = rest[digits..].strip_prefix(": ")?;
        Some((rest[..digits].parse().ok().filter(|code| (1..=255).contains(code))?, reason))
    })
}

/// Returns the code of the last constant, or of a name that Azure makes of one.
fn named(text: &str) -> Option<i64> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let names = words.filter(|word| word.starts_with("ERR_") || word.contains("VMExtensionError"));
    names.filter_map(code_of_name).next_back().map(i64::from)
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
    EXIT_CODES.iter().find(|row| folded(row.name).strip_prefix("err") == Some(wanted)).map(|row| row.code)
}

fn folded(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Returns the code in a message such as `command terminated with exit status=50`.
fn message(text: &str) -> Option<i64> {
    const MARKS: [&str; 4] = ["exit status", "exit code", "exitcode", "exit_code"];
    let lower = text.to_ascii_lowercase();
    let codes = MARKS.iter().flat_map(|mark| positions(&lower, mark).map(|at| at + mark.len()));
    let mut found: Vec<(usize, i64)> = codes.filter_map(|at| Some((at, number_at(&lower[at..])?))).collect();
    found.sort_unstable();
    found.iter().rev().find(|(_, code)| *code != 0).or(found.last()).map(|(_, code)| *code)
}

/// Returns the number at the start of a text, after blanks, quotes and signs that set it off.
fn number_at(text: &str) -> Option<i64> {
    let rest = text.trim_start_matches([' ', '=', ':', '\'', '"', '\\', '(', '`']);
    if text.len() - rest.len() > 8 {
        return None;
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    rest[..digits].parse().ok().filter(|code| *code <= 255)
}
