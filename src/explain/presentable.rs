//! Lines of untrusted texts in a form that may be shown.

use crate::catalogue::REDACTED;

/// The most characters of a line that are shown.
const WIDTH: usize = 300;

/// Returns a line without control characters, without what looks like a secret, and not longer than a few terminal lines.
pub(crate) fn presentable(line: &str) -> String {
    let mut clean = String::new();
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            // The rest of an escape sequence up to its final character.
            '\u{1b}' => {
                let _ = characters.by_ref().find(char::is_ascii_alphabetic);
            }
            '\t' | '\r' | '\n' => clean.push(' '),
            // Marks that have no width, or change the direction of what follows.
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {}
            _ if character.is_control() => {}
            _ => clean.push(character),
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
    let lower = word.trim_start_matches(|character: char| !character.is_ascii_alphanumeric()).to_ascii_lowercase();
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
        let value = word[at + 1..].trim_matches(|character: char| !character.is_ascii_alphanumeric());
        !value.is_empty() && NAMES.iter().any(|secret| name.ends_with(secret))
    });
    named
        || has_bootstrap_token(word)
        || (word.contains("eyJ") && word.matches('.').count() >= 2 && word.len() > 60)
        || word.split_once("://").is_some_and(|(_, rest)| rest.split('/').next().is_some_and(|host| host.contains('@')))
        || word
            .split(|character: char| !character.is_ascii_alphanumeric() && !"+/=~_.-".contains(character))
            .any(is_random)
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
