//! Passwords among the arguments of programs whose commands have a form of their own: Oracle's, Vault's, and those that read a secret from
//! a process.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::{LONGEST, arguments, behind_user, last_word, words_of_echo};
use crate::redaction::names::announces;

/// Programs of Oracle, whose first word is `USER/PASSWORD@DATABASE`.
static ORACLE: LazyLock<[Finder<'static>; 5]> =
    LazyLock::new(|| ["sqlplus ", "sqlldr ", "expdp ", "impdp ", "rman target "].map(Finder::new));

/// The beginning of a URL that has an account in the same form.
static ORACLE_URL: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("jdbc:oracle:thin:"));

/// The ends of the names of functions that are given a user and a password, and what a tuple of them is given to.
const FUNCTIONS: [&[u8]; 7] =
    [b"Credential", b"Credentials", b"BasicAuth", b"Credential]::new", b"login", b".auth", b"auth="];

/// The ends of the names of functions that encode an account for the header of a request.
const ENCODERS: [&[u8]; 2] = [b"GetBytes", b"btoa"];

/// Commands and options that are followed by secrets as `NAME=VALUE`.
static SETTERS: LazyLock<[Finder<'static>; 6]> = LazyLock::new(|| {
    [
        "vault kv put ",
        "vault kv patch ",
        "vault write secret/",
        " secrets set ",
        "-secure-environment-variables ",
        " --secrets ",
    ]
    .map(Finder::new)
});

/// A process that writes a file.
static PROCESS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("<("));

/// Adds such passwords.
pub(super) fn find(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    for program in &*ORACLE {
        for at in program.find_iter(text) {
            let mut words = arguments(text, at + program.needle().len()).take(8);
            if let Some(password) = words.find(|word| text[word.start] != b'-').and_then(|word| of_oracle(text, &word))
            {
                add(password);
            }
        }
    }
    for command in &*SETTERS {
        for at in command.find_iter(text) {
            let words = arguments(text, at + command.needle().len()).take(64);
            let words = words.skip_while(|word| text[word.start] == b'-');
            // Further options have values of their own.
            for word in words.take_while(|word| text[word.start] != b'-') {
                let sign = memchr::memchr(b'=', &text[word.clone()]).map(|sign| word.start + sign + 1);
                // A file is behind `@`.
                if let Some(begin) = sign
                    && !text[begin..].starts_with(b"@")
                {
                    add(begin..word.end.max(begin));
                }
            }
        }
    }
    for at in PROCESS.find_iter(text) {
        let from = at + PROCESS.needle().len();
        let before = text[..at].trim_ascii_end();
        let before = before.strip_suffix(b"=").unwrap_or(before);
        let length = before.iter().rev().take(64).take_while(|byte| byte.is_ascii_graphic()).count();
        let is_secret = std::str::from_utf8(&before[before.len() - length..]).is_ok_and(announces);
        let rest = &text[from..text.len().min(from + LONGEST)];
        let end = from + memchr::memchr2(b')', b'\n', rest).unwrap_or(rest.len());
        if is_secret
            && let Some(words) = words_of_echo(&text[from..end])
            && let Some(word) = last_word(text, from + words..end, false)
        {
            add(word);
        }
    }
}

/// Adds passwords in URLs of Oracle, and those that functions of programs are given: `NetworkCredential("bob", "x")`.
pub(super) fn of_texts(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    for at in ORACLE_URL.find_iter(text) {
        let url = arguments(text, at + ORACLE_URL.needle().len()).next();
        url.and_then(|url| of_oracle(text, &url)).into_iter().for_each(&mut *add);
    }
    for from in memchr::memchr_iter(b'(', text).map(|open| open + 1) {
        if ENCODERS.iter().any(|encoder| text[..from - 1].ends_with(encoder))
            && let Some(quote @ (b'"' | b'\'')) = text.get(from)
            && let Some(end) = text[from + 1..].iter().take(LONGEST).position(|byte| byte == quote)
            && let Some(skipped) = behind_user(&text[from + 1..from + 1 + end])
        {
            add(from + 1 + skipped..from + 1 + end);
        }
        if !FUNCTIONS.iter().any(|function| text[..from - 1].ends_with(function)) {
            continue;
        }
        // Both are in quotes, and the user may be nobody.
        let Some([quote @ (b'"' | b'\''), rest @ ..]) = text.get(from..) else { continue };
        let Some(user) = rest.iter().take(LONGEST).position(|byte| byte == quote) else { continue };
        let next = from + user + 2;
        let comma = text[next..].iter().take(16).take_while(|byte| b", ".contains(byte)).count();
        if comma > 0
            && text[next + comma..].first().is_some_and(|byte| b"\"'".contains(byte))
            && let Some(password) = arguments(text, next + comma).next()
        {
            add(password);
        }
    }
}

/// Returns the password of `USER/PASSWORD@DATABASE`.
fn of_oracle(text: &[u8], word: &Range<usize>) -> Option<Range<usize>> {
    let account = &text[word.clone()];
    let slash = memchr::memchr(b'/', account)?;
    let end = memchr::memrchr(b'@', account).unwrap_or(account.len());
    // `/ as sysdba`, `//host/service`, and a URL without an account.
    let is_user = slash > 0 && !account[..slash].contains(&b':') && memmem::find(account, b"://").is_none();
    let is_word = end > slash + 1;
    (is_user && is_word).then(|| word.start + slash + 1..word.start + end)
}
