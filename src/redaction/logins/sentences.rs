//! Passwords in lines that name them in words, `Initial Root Token: x`, and in lines of protocols and of files whose columns are fixed.

use std::ops::Range;

use super::arguments;
use crate::redaction::names::{announces, is_state};
use crate::redaction::value::is_name_byte;
use crate::secret::SHORTEST;

/// Words before the name of a secret that say which one it is.
const KINDS: [&[u8]; 27] = [
    b"a",
    b"access",
    b"admin",
    b"administrator",
    b"bootstrap",
    b"current",
    b"database",
    b"db",
    b"default",
    b"generated",
    b"initial",
    b"join",
    b"login",
    b"master",
    b"my",
    b"new",
    b"old",
    b"one-time",
    b"onetime",
    b"random",
    b"root",
    b"temp",
    b"temporary",
    b"the",
    b"this",
    b"user",
    b"your",
];

/// What a line that begins with capitals may say of a secret without having it.
const TROUBLE: [&[u8]; 10] =
    [b"bad", b"denied", b"error", b"failed", b"invalid", b"missing", b"no", b"unexpected", b"unknown", b"wrong"];

/// Words behind the name of a secret that say that it is a new one.
const MADE: [&[u8]; 4] = [b"created", b"generated", b"issued", b"set"];

/// Ends of names of secrets that other programs use for the name of one.
const NAMES_OF_ONE: [&[u8]; 3] = [b"secret", b"credential", b"signature"];

/// Bytes of the longest name of several words.
const LONGEST_LABEL: usize = 64;

/// Bytes of the shortest token in the first column of a file of tokens.
const SHORTEST_TOKEN: usize = 16;

/// The digits of a hash as Windows has it.
const HASH: usize = 32;

/// Returns the secret in a line that is its name and a word: `Root Token: x`, `Unseal Key 1: x`, `Your password is: x`.
pub(super) fn of_label(line: &[u8]) -> Option<Range<usize>> {
    let line = line.trim_ascii_end();
    let sentence = || line.iter().rposition(|byte| *byte == b' ').filter(|blank| line[..*blank].ends_with(b" is"));
    let (colon, is_plain) = match memchr::memmem::find(line, b": ") {
        Some(colon) => (colon, false),
        None => (sentence()?, true),
    };
    let start = line.len() - line[colon + 1..].trim_ascii_start().len();
    let value = &line[start..];
    if colon > LONGEST_LABEL || value.contains(&b' ') {
        return None;
    }
    // A question shows what is the answer by default: `AWS Secret Access Key [None]: `.
    let label = &line[..colon];
    let label =
        label.strip_suffix(b"]").and_then(|label| memchr::memrchr(b'[', label)).map_or(label, |open| &label[..open]);
    let mut words: Vec<&[u8]> = label.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let is_sentence = words.pop_if(|word| *word == b"is").is_some();
    // `Token created: x`, and not when.
    let is_made = words.pop_if(|word| MADE.contains(word)).is_some();
    let is_code = value.len() >= SHORTEST
        && value.iter().any(u8::is_ascii_digit)
        && value.iter().any(u8::is_ascii_alphabetic)
        && !value.iter().any(|byte| b":-/".contains(byte));
    if (is_made || is_plain) && !is_code {
        return None;
    }
    let is_sentence = is_sentence || is_made;
    words.pop_if(|word| word.len() < 3 && word.iter().all(u8::is_ascii_digit));
    let (last, before) = words.split_last()?;
    let is_value = !is_state(value) && !NAMES_OF_ONE.iter().any(|name| ends(last, name));
    let is_letters = words.iter().all(|word| word.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-'));
    if !is_value || !is_letters || words.len() > 5 || before.is_empty() && !is_sentence {
        return None;
    }
    let name = [before.last().copied().unwrap_or_default(), b"_", last].concat();
    let says = |name: &[u8]| std::str::from_utf8(name).is_ok_and(announces);
    // An account and its key are one name.
    let (is_secret, before) = match before.split_last() {
        _ if says(last) => (true, before),
        Some((_, rest)) => (says(&name), rest),
        None => (false, before),
    };
    let is_kind = |word: &&[u8]| KINDS.contains(&&*word.to_ascii_lowercase());
    let is_title = words.iter().all(|word| word[0].is_ascii_uppercase())
        && !words.iter().any(|word| TROUBLE.contains(&&*word.to_ascii_lowercase()));
    (is_secret && (before.iter().all(is_kind) || is_title)).then_some(start..line.len())
}

fn ends(word: &[u8], end: &[u8]) -> bool {
    let word = word.strip_suffix(b"s").unwrap_or(word);
    word.len() >= end.len() && word[word.len() - end.len()..].eq_ignore_ascii_case(end)
}

/// Returns the password in a line of Elasticsearch, `PASSWORD elastic = x`; of IMAP, `a1 LOGIN bob x`; or of FTP as a program that speaks it
/// shows it, `> PASS x`.
pub(super) fn of_protocol(line: &[u8]) -> Option<Range<usize>> {
    let marks = [&b"> "[..], b"---> ", b"C: "];
    let mark = marks.iter().find(|mark| line.starts_with(mark)).map_or(0, |mark| mark.len());
    if mark > 0 && line[mark..].starts_with(b"PASS ") {
        let begin = mark + 5;
        return Some(begin..line.trim_ascii_end().len().max(begin));
    }
    if !line.starts_with(b"PASSWORD ") && memchr::memmem::find(line, b" LOGIN ").is_none() {
        return None;
    }
    let words: Vec<_> = arguments(line, mark).take(5).collect();
    let [first, second, third, secret] = &words[..] else { return None };
    let is_elastic = &line[first.clone()] == b"PASSWORD" && &line[third.clone()] == b"=";
    let tag = &line[first.clone()];
    let is_tag = tag.len() < 9
        && tag[0].is_ascii_alphabetic()
        && tag.iter().all(u8::is_ascii_alphanumeric)
        && tag[tag.len() - 1].is_ascii_digit();
    (is_elastic || is_tag && &line[second.clone()] == b"LOGIN").then(|| secret.clone())
}

/// Returns the password of an account that is one value: `username/password: bob/x`.
pub(super) fn of_both(line: &[u8]) -> Option<Range<usize>> {
    const PASSWORDS: [&[u8]; 4] = [b"/password", b"/passwd", b"/pass", b"/pwd"];
    const USERS: [&[u8]; 4] = [b"user", b"username", b"login", b"account"];
    let end = line.trim_ascii_end().len();
    let sign = line.iter().position(|byte| b":=".contains(byte))?;
    let name = line[..sign].trim_ascii_end().to_ascii_lowercase();
    let user = PASSWORDS.iter().find_map(|password| name.strip_suffix(*password))?;
    let user = user.strip_suffix(b" ").unwrap_or(user);
    let begin = user.iter().rposition(|byte| !byte.is_ascii_alphabetic()).map_or(0, |at| at + 1);
    let value = line[sign + 1..end].trim_ascii_start();
    let slash = memchr::memchr(b'/', value).filter(|slash| *slash > 0)?;
    let password = value[slash + 1..].trim_ascii_start();
    let is_word = !password.is_empty() && !password.contains(&b' ') && !value[..slash].trim_ascii_end().contains(&b' ');
    (USERS.contains(&&user[begin..]) && is_word).then_some(end - password.len()..end)
}

/// Returns the password in a line that follows one with the user: `USER bob`, `PASS x`, also as commands of `ftp`: `quote PASS x`; or the
/// question of a mail server, `Password:` in base64.
pub(super) fn of_pass(line: &[u8], before: &[u8]) -> Option<Range<usize>> {
    const QUOTE: &[u8] = b"quote ";
    let before = before.trim_ascii();
    if before.ends_with(b"334 UGFzc3dvcmQ6") {
        let end = line.trim_ascii_end().len();
        let begin = line[..end].iter().rposition(|byte| *byte == b' ').map_or(0, |blank| blank + 1);
        return (begin < end).then_some(begin..end);
    }
    let user = before.strip_prefix(QUOTE).unwrap_or(before).strip_prefix(b"USER ")?;
    let end = line.trim_ascii_end().len();
    let password = line[..end].strip_prefix(QUOTE).unwrap_or(&line[..end]).strip_prefix(b"PASS ")?;
    (!user.contains(&b' ')).then_some(end - password.len()..end)
}

/// Returns the hashes in a line of `smbpasswd` or of a dump of Windows: `bob:1001:HASH:HASH:::`.
pub(super) fn of_hashes(line: &[u8]) -> Option<Range<usize>> {
    let mut colons = memchr::memchr_iter(b':', line);
    let (_, from, middle, end) = (colons.next()?, colons.next()? + 1, colons.next()?, colons.next()?);
    let is_hash = |word: &[u8]| word.len() == HASH && word.iter().all(u8::is_ascii_hexdigit);
    let is_none = |word: &[u8]| word.len() == HASH && (word.starts_with(b"XXXX") || word.starts_with(b"NO PASSWORD"));
    let (one, other) = (&line[from..middle], &line[middle + 1..end]);
    (is_hash(other) && (is_hash(one) || is_none(one))).then_some(from..end)
}

/// Returns the token in a line of the file of tokens of an API server: `TOKEN,USER,UID,"GROUP,GROUP"`, with or without groups.
pub(super) fn of_tokens(line: &[u8]) -> Option<Range<usize>> {
    const SYSTEM: &[u8] = b"system:";
    let mut commas = memchr::memchr_iter(b',', line);
    let (first, second) = (commas.next()?, commas.next()?);
    let token = &line[..first];
    let user = &line[first + 1..second];
    let groups = commas.next().map(|third| line[third + 1..].trim_ascii_end());
    let is_name = |word: &[u8]| {
        word.first().is_some_and(u8::is_ascii_alphabetic)
            && word.iter().all(|byte| is_name_byte(*byte) || *byte == b':' || *byte == b'@')
    };
    let is_token = token.len() >= SHORTEST_TOKEN
        && token.iter().all(u8::is_ascii_alphanumeric)
        && token.iter().any(u8::is_ascii_digit)
        && token.iter().any(u8::is_ascii_alphabetic);
    let is_quoted = |groups: &[u8]| groups.len() > 2 && groups.starts_with(b"\"") && groups.ends_with(b"\"");
    let is_line = user.starts_with(SYSTEM) || groups.is_some_and(is_quoted);
    (is_token && is_name(user) && is_line).then_some(0..first)
}
