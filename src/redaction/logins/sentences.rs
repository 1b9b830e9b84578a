//! Passwords in lines that name them in words, `Initial Root Token: x`, and in lines of protocols and of files whose columns are fixed.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memmem::{self, Finder};

use super::arguments;
use crate::redaction::names::announces;
use crate::redaction::value::{is_name_byte, is_state};
use crate::secret::SHORTEST;

/// Words before the name of a secret that say which one it is.
const KINDS: [&[u8]; 30] = [
    b"a",
    b"access",
    b"admin",
    b"administrator",
    b"bootstrap",
    b"client",
    b"current",
    b"database",
    b"db",
    b"default",
    b"enter",
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
    b"using",
    b"your",
];

/// What a line that begins with capitals may say of a secret without having it.
const TROUBLE: [&[u8]; 11] = [
    b"bad",
    b"denied",
    b"error",
    b"failed",
    b"incorrect",
    b"invalid",
    b"missing",
    b"no",
    b"unexpected",
    b"unknown",
    b"wrong",
];

/// Words behind the name of a secret that say that it is a new one.
const MADE: [&[u8]; 7] = [b"created", b"generated", b"issued", b"set", b"provided", b"received", b"supplied"];

/// What a log writes before its message.
const LEVELS: [&[u8]; 9] =
    [b"TRACE", b"DEBUG", b"INFO", b"NOTICE", b"WARN", b"WARNING", b"ERROR", b"CRITICAL", b"FATAL"];

/// Names of what people remember.
const PASSWORDS: [&[u8]; 3] = [b"password", b"passphrase", b"passwd"];

/// What a sentence says of a password.
const TOLD: [&[u8]; 36] = [
    b"available",
    b"bad",
    b"below",
    b"blank",
    b"case-sensitive",
    b"correct",
    b"different",
    b"here",
    b"hidden",
    b"identical",
    b"incorrect",
    b"known",
    b"long",
    b"mandatory",
    b"mismatch",
    b"new",
    b"not",
    b"ok",
    b"old",
    b"optional",
    b"plaintext",
    b"private",
    b"public",
    b"same",
    b"secret",
    b"set",
    b"short",
    b"strong",
    b"this",
    b"unavailable",
    b"unauthorized",
    b"unknown",
    b"valid",
    b"weak",
    b"wrong",
    b"yes",
];

/// Ends of names of secrets that other programs use for the name of one.
const NAMES_OF_ONE: [&[u8]; 3] = [b"secret", b"credential", b"signature"];

/// Bytes of the longest line before a secret, and of the longest secret behind it.
const LONGEST_LINE: usize = 256;

/// Bytes of the longest name of several words.
const LONGEST_LABEL: usize = 64;

/// Bytes of the shortest token in the first column of a file of tokens.
const SHORTEST_TOKEN: usize = 16;

/// The digits of a hash as Windows has it.
const HASH: usize = 32;

/// Returns the secret in a line that ends with its name and a word: `Root Token: x`, `Unseal Key 1: x`, `Your password is: x`.
pub(super) fn of_label(line: &[u8]) -> Option<Range<usize>> {
    let line = line.trim_ascii_end();
    let blank = line.iter().rposition(|byte| *byte == b' ')?;
    let start = blank + 1;
    // The quote or the parenthesis may end what the whole sentence is in.
    let length = line[start..].iter().skip(1).take_while(|byte| !b"\"'\\)".contains(byte)).count() + 1;
    let value = &line[start..start + length];
    let before = line[..blank].trim_ascii_end();
    let (label, is_plain) = match before.strip_suffix(b":") {
        Some(label) => (label, false),
        None => (before.strip_suffix(b" is")?, true),
    };
    // A question shows what is the answer by default: `AWS Secret Access Key [None]: `.
    let label =
        label.strip_suffix(b"]").and_then(|label| memchr::memrchr(b'[', label)).map_or(label, |open| &label[..open]);
    // What a log has before its message.
    let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || b" -".contains(byte);
    let label = &label[label.len() - label.iter().rev().take(LONGEST_LABEL).take_while(is_in).count()..];
    let mut words: Vec<&[u8]> = label.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let is_sentence = words.pop_if(|word| *word == b"is").is_some();
    if let Some(subject) = words.iter().rposition(|word| [&b"for"[..], b"of"].contains(word))
        && (2..=3).contains(&(words.len() - subject))
    {
        words.truncate(subject);
    }
    // `Token created: x`, and not when.
    let is_made = words.pop_if(|word| MADE.contains(word)).is_some();
    let is_code = value.len() >= SHORTEST
        && value.iter().any(u8::is_ascii_digit)
        && value.iter().any(u8::is_ascii_alphabetic)
        && !value.iter().any(|byte| b":-/".contains(byte));
    words.pop_if(|word| word.len() < 3 && word.iter().all(u8::is_ascii_digit));
    let is_word = |word: &&[u8]| word.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-');
    let other = words.iter().rposition(|word| !is_word(word) || LEVELS.contains(word)).map_or(0, |other| other + 1);
    let words = &words[other..];
    let (last, before) = words.split_last()?;
    let told = value.strip_suffix(b".").unwrap_or(value);
    let is_password = PASSWORDS.iter().any(|name| ends(last, name));
    let is_told = is_password && !is_state(told) && !TOLD.contains(&&*told.to_ascii_lowercase());
    if (is_made || is_plain && !is_told) && !is_code {
        return None;
    }
    let is_sentence = is_sentence || is_made;
    let is_value = !is_state(value) && (is_made || !NAMES_OF_ONE.iter().any(|name| ends(last, name)));
    if !is_value || words.len() > 5 || before.is_empty() && !is_sentence {
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
    let is_trouble = |word: &&[u8]| TROUBLE.contains(&&*word.to_ascii_lowercase());
    let is_kind = |word: &&[u8]| KINDS.contains(&&*word.to_ascii_lowercase()) || is_made && is_trouble(word);
    let is_title = words.iter().all(|word| word[0].is_ascii_uppercase()) && !words.iter().any(is_trouble);
    // `wrong password: x`
    let is_wrong = is_password && is_told && before.len() == 1 && before.iter().all(is_trouble);
    (is_secret && (before.iter().all(is_kind) || is_title || is_wrong)).then_some(start..start + length)
}

static AZ: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("az "));

/// The name of a secret in the middle of a sentence, and a blank.
static MENTIONS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let names = ["password ", "passphrase ", "token ", "secret ", "key "];
    AhoCorasick::builder().ascii_case_insensitive(true).build(names).expect("the names are few")
});

/// Adds words behind the name of a secret that nobody would write by hand: `invalid token x`.
pub(super) fn of_mentions(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    for name in MENTIONS.find_iter(text) {
        let quotes = text[name.end()..].iter().take(2).take_while(|byte| b"\"'`\\".contains(byte)).count();
        let begin = name.end() + quotes;
        let length = text[begin..].iter().take(LONGEST_LINE).take_while(|byte| is_of_random(**byte)).count();
        if is_random(&text[begin..begin + length]) {
            add(begin..begin + length);
        }
    }
}

/// Reports whether a byte may be in a word that a program has made.
fn is_of_random(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=~!#$%^&*".contains(&byte)
}

/// Reports whether a word has capitals, small letters and digits that follow each other as in no name.
fn is_random(word: &[u8]) -> bool {
    const SHORTEST: usize = 10;
    let class = |byte: &u8| match byte {
        b'A'..=b'Z' => 0,
        b'a'..=b'z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let classes = word.iter().map(class).fold([0; 4], |mut counts, class: usize| {
        counts[class] += 1;
        counts
    });
    let changes = word.windows(2).filter(|pair| class(&pair[0]) != class(&pair[1])).count();
    word.len() >= SHORTEST
        && classes[..3].iter().all(|count| *count > 0)
        && classes[3] <= 2
        && changes * 5 >= word.len() * 2
}

/// Returns the secret that is alone in the line after its name: `Using certificate key:`.
pub(super) fn of_next(line: &[u8], before: &[u8]) -> Option<Range<usize>> {
    let (word, before) = (line.trim_ascii(), before.trim_ascii());
    let is_code =
        word.len() >= SHORTEST && word.iter().any(u8::is_ascii_digit) && word.iter().all(u8::is_ascii_graphic);
    if !before.ends_with(b":") || before.len() > LONGEST_LINE || word.len() > LONGEST_LINE || !is_code {
        return None;
    }
    let found = of_label(&[before, b" ", word].concat())?;
    let begin = line.len() - line.trim_ascii_start().len();
    let skipped = before.len() + 1;
    (found.start >= skipped).then(|| begin + found.start - skipped..begin + found.end - skipped)
}

fn ends(word: &[u8], end: &[u8]) -> bool {
    let word = word.strip_suffix(b"s").unwrap_or(word);
    word.len() >= end.len() && word[word.len() - end.len()..].eq_ignore_ascii_case(end)
}

/// Reports whether a line has a command of the Azure CLI whose output is a secret.
pub(super) fn prints_secret(line: &[u8]) -> bool {
    const COMMANDS: [&[u8]; 8] = [
        b" secret show",
        b" shared-key show",
        b" keys list",
        b" credential show",
        b" get-access-token",
        b" show-connection-string",
        b" generate-sas",
        b" list-keys",
    ];
    AZ.find(line).is_some_and(|at| COMMANDS.iter().any(|command| memmem::find(&line[at..], command).is_some()))
}

/// Returns the secret in a line of such an output: one word, or the value of an object.
pub(super) fn of_output(line: &[u8]) -> Option<Range<usize>> {
    let word = line.trim_ascii();
    let begin = line.len() - line.trim_ascii_start().len();
    let skipped = memmem::find(word, b"\"value\": \"").map_or(0, |value| value + b"\"value\": \"".len());
    let length = word[skipped..].iter().take_while(|byte| byte.is_ascii_graphic() && **byte != b'"').count();
    let is_whole = skipped > 0 || length == word.len() && !b"{[".contains(word.first()?);
    (is_whole && length >= if skipped > 0 { 1 } else { SHORTEST }).then(|| begin + skipped..begin + skipped + length)
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
    if !line.starts_with(b"PASSWORD ") && memmem::find(line, b" LOGIN ").is_none() {
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
