//! What a text says about a failure, in a form that may be shown.

use super::clues;
use super::wrappings::Shown;
use crate::catalogue::REDACTED;

/// The most characters of a line that are shown.
const WIDTH: usize = 300;

/// Returns the line that says most: the reason of the result, else the last line that is a clue or names an error.
pub(super) fn line(shown: &Shown) -> Option<String> {
    let lines = || shown.output.lines().map(str::trim).filter(|line| !line.is_empty());
    let says_error = |line: &&str| {
        let lower = line.to_ascii_lowercase();
        !line.starts_with('+')
            && ["error", "fail", "timed out", "cannot", "denied"].iter().any(|word| lower.contains(word))
    };
    let found = shown
        .error
        .as_deref()
        .or_else(|| lines().rfind(|line| clues::is_clue(line)))
        .or_else(|| lines().rfind(says_error))
        .or_else(|| lines().next_back())?;
    Some(presentable(found))
}

/// Returns the last step of which the scripts say that it ran: `2026-11-22 05:54:15 ensureKubeCACert: 54 ms`, or the name of an
/// event, `AKS.CSE.ensureKubelet`.
pub(super) fn last_step(output: &str) -> Option<String> {
    let ours = output.lines().rev().find_map(|line| {
        let (name, time) = line.trim().strip_suffix(" ms")?.rsplit_once(": ")?;
        let name = name.rsplit(' ').next()?;
        (time.bytes().all(|byte| byte.is_ascii_digit()) && is_name(name)).then_some(name)
    });
    let event = || {
        output.rmatch_indices("AKS.CSE.").find_map(|(at, prefix)| {
            let rest = &output[at + prefix.len()..];
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
            (is_name(&rest[..end]) && &rest[..end] != "cse_start").then_some(&rest[..end])
        })
    };
    ours.or_else(event).map(str::to_owned)
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns a line without control characters, without what looks like a secret, and not longer than a few terminal lines.
fn presentable(line: &str) -> String {
    let mut clean = String::new();
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            // The rest of an escape sequence up to its final letter.
            '\u{1b}' => {
                let _ = letters.by_ref().find(char::is_ascii_alphabetic);
            }
            '\t' | '\r' | '\n' => clean.push(' '),
            _ if letter.is_control() => {}
            _ => clean.push(letter),
        }
    }
    let words: Vec<&str> = clean.split(' ').map(|word| if is_secret(word) { REDACTED } else { word }).collect();
    let text = words.join(" ");
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Reports whether a word looks like a credential: a bootstrap token, a JSON web token, a signature in a URL, an account in one.
fn is_secret(word: &str) -> bool {
    let bare = word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
    let is_lower = |text: &str, length: usize| {
        text.len() == length && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let token = bare.rsplit(['=', ':']).next().and_then(|text| text.split_once('.'));
    token.is_some_and(|(id, secret)| is_lower(id, 6) && is_lower(secret, 16))
        || (word.contains("eyJ") && word.matches('.').count() >= 2 && word.len() > 60)
        || word.contains("sig=")
        || word.split_once("://").is_some_and(|(_, rest)| {
            rest.split('/').next().is_some_and(|host| host.contains('@') && host.contains(':'))
        })
}
