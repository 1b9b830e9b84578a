//! What a text says about a failure, in a form that may be shown.

use super::clues;
use super::wrappings::{Shown, has};
use crate::catalogue::REDACTED;

/// The most characters of a line that are shown.
const WIDTH: usize = 300;

/// Parts of lines that only wrap the failure.
const WRAPPING: [&str; 13] = [
    "terminal provisioning state",
    "\"error\":",
    "event=\"failed",
    "vm has reported a failure",
    "exit status=",
    "succeeded!",
    "\"code\":",
    "\"status\":",
    "more information on troubleshooting",
    "deployment failed.",
    "errorclass=",
    "new-azurerm",
    "reason: ",
];

/// Returns the line that says most: the reason of the result, else the last line that is a clue or names an error.
pub(super) fn line(shown: &Shown) -> Option<String> {
    let lines = || shown.output.lines().map(str::trim).filter(|line| !line.is_empty());
    let says_error = |line: &&str| {
        let lower = line.to_ascii_lowercase();
        !line.starts_with(['+', '{', '>'])
            && ["error", "fail", "timed out", "cannot", "denied", "unable", "no such"]
                .iter()
                .any(|word| has(&lower, word))
            && !WRAPPING.iter().any(|part| has(&lower, part))
    };
    let found = shown
        .error
        .as_deref()
        .or_else(|| lines().rfind(|line| clues::is_clue(line)))
        .or_else(|| lines().rfind(says_error))?;
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
pub(crate) fn presentable(line: &str) -> String {
    let mut clean = String::new();
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            // The rest of an escape sequence up to its final letter.
            '\u{1b}' => {
                let _ = letters.by_ref().find(char::is_ascii_alphabetic);
            }
            '\t' | '\r' | '\n' => clean.push(' '),
            // Marks that have no width, or change the direction of what follows.
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {}
            _ if letter.is_control() => {}
            _ => clean.push(letter),
        }
    }
    let mut follows_name = false;
    let mut words = Vec::new();
    for word in clean.split(' ') {
        words.push(if follows_name && !word.is_empty() || is_secret(word) { REDACTED } else { word });
        // `Authorization: Bearer …`, `--password …`, `"secret": …`
        follows_name = names_secret(word.trim_end_matches([':', '=', '"', '\'', '\\'])) && !word.contains('=');
    }
    let text = words.join(" ");
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Reports whether a word is the name of something secret, or announces it.
fn names_secret(word: &str) -> bool {
    const NAMES: [&str; 6] = ["bearer", "basic", "password", "passwd", "secret", "token"];
    let lower = word.trim_start_matches(|letter: char| !letter.is_ascii_alphanumeric()).to_ascii_lowercase();
    lower == "authorization"
        || lower == "bearer"
        || lower == "basic"
        || (word.starts_with(['-', '"', '\\']) && NAMES.iter().any(|name| lower.ends_with(name)))
}

/// Reports whether a word has a credential in it: the value of a name that says so, a bootstrap token, a JSON web token, a
/// signature or an account in a URL, or a long random text.
fn is_secret(word: &str) -> bool {
    const NAMES: [&str; 8] = ["token", "secret", "password", "passwd", "apikey", "accountkey", "credential", "sig"];
    let named = word.match_indices(['=', ':']).any(|(at, _)| {
        let name = word[..at].trim_end_matches(['"', '\'', '\\']).to_ascii_lowercase();
        let value = word[at + 1..].trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
        !value.is_empty() && NAMES.iter().any(|secret| name.ends_with(secret))
    });
    named
        || has_bootstrap_token(word)
        || (word.contains("eyJ") && word.matches('.').count() >= 2 && word.len() > 60)
        || word.split_once("://").is_some_and(|(_, rest)| rest.split('/').next().is_some_and(|host| host.contains('@')))
        || word.split(|letter: char| !letter.is_ascii_alphanumeric() && !"+/=~_.-".contains(letter)).any(is_random)
}

/// Reports whether a text has a bootstrap token in it: 6 and 16 small letters and digits around a point.
fn has_bootstrap_token(text: &str) -> bool {
    let is_small = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.match_indices('.').any(|(at, _)| {
        let before = text.as_bytes()[..at].iter().rev().take_while(|byte| is_small(byte)).count();
        let after = text.as_bytes()[at + 1..].iter().take_while(|byte| is_small(byte)).count();
        before == 6 && after == 16
    })
}

/// Reports whether a text is long and has letters of both cases and digits all over, as keys and their base64 have.
fn is_random(text: &str) -> bool {
    let count = |class: fn(&u8) -> bool| text.bytes().filter(class).count();
    text.len() >= 32
        && !text.starts_with('/')
        && !text.contains("/.")
        && count(u8::is_ascii_uppercase) >= 4
        && count(u8::is_ascii_lowercase) >= 4
        && count(u8::is_ascii_digit) >= 3
        && text.matches('/').count() <= text.len() / 16
        && text.matches('.').count() <= 1
}
