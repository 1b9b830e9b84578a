//! Passwords in lines whose form says what they are: of `.pgpass`, Postfix, PPP, curl and debconf.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::arguments;
use crate::redaction::names::is_secret_name;
use crate::redaction::views;

/// The longest line that is looked at word by word.
const LONGEST: usize = 512;

/// What is between a question of debconf and its answer, which is a password.
static DEBCONF: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(" password "));

/// What the options of a login module of Java follow.
static JAAS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("LoginModule required"));

/// Adds passwords in lines that have the form of a line of a file with passwords.
pub(super) fn find(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    let mut at = 0;
    for line in text.split(|byte| *byte == b'\n') {
        // Behind what a log writes before it.
        let may_be_log = memchr::memchr(b']', &line[..line.len().min(LONGEST)]).is_some();
        let prefix = if may_be_log { views::prefix(line) } else { 0 };
        let message = &line[prefix..];
        let is_short = message.len() <= LONGEST;
        let short = [of_postfix, of_ppp, of_curl, of_ipsec].iter().filter(|_| is_short).filter_map(|of| of(message));
        for password in short.chain(of_pgpass(message)) {
            add(at + prefix + password.start..at + prefix + password.end);
        }
        at += line.len() + 1;
    }
    for at in JAAS.find_iter(text) {
        of_jaas(text, at + JAAS.needle().len(), add);
    }
    for at in DEBCONF.find_iter(text) {
        if is_question(&text[at.saturating_sub(LONGEST)..at]) {
            let begin = at + DEBCONF.needle().len();
            let rest = text[begin..].iter().take(LONGEST);
            add(begin..begin + rest.take_while(|byte| !b"\r\n\"'\\".contains(byte)).count());
        }
    }
}

/// Reports whether a text ends with the name of a question for a password, which is the first word of its line, or follows its owner:
/// `d-i passwd/root-password`.
fn is_question(text: &[u8]) -> bool {
    let length = text.iter().rev().take(128).take_while(|byte| !byte.is_ascii_whitespace()).count();
    let (before, name) = text.split_at(text.len() - length);
    let line = before.iter().rev().take(128).take_while(|byte| !b"\n\"'".contains(byte)).count();
    let owners = before[before.len() - line..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
    let slash = memchr::memchr(b'/', name).filter(|slash| *slash > 0 && owners <= 1);
    slash.and_then(|slash| std::str::from_utf8(&name[slash..]).ok()).is_some_and(is_secret_name)
}

/// Adds the passwords of users that a login module of Kafka knows: `user_alice="x"`.
fn of_jaas(text: &[u8], from: usize, add: &mut impl FnMut(Range<usize>)) {
    let rest = &text[from..text.len().min(from + 2 * LONGEST)];
    let rest = &rest[..memchr::memchr(b';', rest).unwrap_or(rest.len())];
    let mut at = from;
    for word in rest.split(u8::is_ascii_whitespace) {
        let quotes = |text: &[u8]| text.iter().take_while(|byte| b"\"'\\".contains(byte)).count();
        if word.starts_with(b"user_")
            && let Some(sign) = memchr::memchr(b'=', word)
        {
            let value = &word[sign + 1..];
            let begin = quotes(value);
            let length = value[begin..].iter().take_while(|byte| !b"\"'\\".contains(byte)).count();
            add(at + sign + 1 + begin..at + sign + 1 + begin + length);
        }
        at += word.len() + 1;
    }
}

/// Returns the secret in a line of `ipsec.secrets`: `10.0.0.1 10.0.0.2 : PSK "x"`, `: RSA key.pem "x"`.
fn of_ipsec(line: &[u8]) -> Option<Range<usize>> {
    const SECRETS: [&[u8]; 4] = [b"PSK", b"EAP", b"XAUTH", b"NTLM"];
    const KEYS: [&[u8]; 5] = [b"RSA", b"ECDSA", b"PKCS8", b"P12", b"PIN"];
    let colon = memchr::memchr_iter(b':', line).find(|colon| line[*colon + 1..].starts_with(b" "))?;
    let is_begin = colon == 0 || line[colon - 1].is_ascii_whitespace();
    let words: Vec<_> = arguments(line, colon + 1).take(4).collect();
    let kind = &line[words.first()?.clone()];
    let secret = match &words[1..] {
        [secret] if SECRETS.contains(&kind) => secret,
        [_, secret] if KEYS.contains(&kind) => secret,
        _ => return None,
    };
    let is_number = [&b"0x"[..], b"0s"].iter().any(|base| line[secret.clone()].starts_with(base));
    let is_quoted = line[..secret.start].ends_with(b"\"");
    // The names of both sides.
    let names = line[..colon].split(u8::is_ascii_whitespace).filter(|name| !name.is_empty());
    let is_begin = is_begin && names.clone().count() <= 2 && names.clone().all(|name| !name.contains(&b'='));
    (is_begin && (is_number || is_quoted) && line.trim_ascii_end().len() <= secret.end + 1).then(|| secret.clone())
}

/// Returns the password in a line of `.pgpass`: `host:port:database:user:password`.
fn of_pgpass(line: &[u8]) -> Option<Range<usize>> {
    let colons: Vec<usize> = memchr::memchr_iter(b':', line).take(5).collect();
    let [host, port, _, user] = colons[..] else { return None };
    let number = &line[host + 1..port];
    let is_port = number == b"*" || number.len() > 1 && number.iter().all(u8::is_ascii_digit);
    let is_host = host > 2 || line.starts_with(b"*:");
    (is_port && is_host && !line.trim_ascii_end().contains(&b' '))
        .then(|| user + 1..line.trim_ascii_end().len().max(user + 1))
}

/// Returns the password in a line of `sasl_passwd`: `[host]:port user:password`.
fn of_postfix(line: &[u8]) -> Option<Range<usize>> {
    let line = line.trim_ascii_end();
    let rest = line.strip_prefix(b"[")?;
    let host = memchr::memchr(b']', rest).filter(|host| *host > 0)?;
    let rest = rest[host + 1..].strip_prefix(b":")?;
    let port = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let account = rest[port..].trim_ascii_start();
    let colon = memchr::memchr(b':', account)?;
    let (user, password) = (&account[..colon], &account[colon + 1..]);
    // Two ends of a connection.
    let is_port = password.len() < 6 && password.iter().all(u8::is_ascii_digit);
    let is_user = user.iter().any(u8::is_ascii_alphabetic) && user.iter().all(u8::is_ascii_graphic);
    let is_account = is_user && !is_port && password.iter().all(u8::is_ascii_graphic);
    (port > 0 && account.len() + port < rest.len() && is_account).then(|| line.len() - password.len()..line.len())
}

/// Returns the secret in a line of `chap-secrets` or `pap-secrets`: `client server "secret" addresses`.
fn of_ppp(line: &[u8]) -> Option<Range<usize>> {
    const ANY: &[u8] = b"*";
    memchr::memchr(b'*', line)?;
    let words: Vec<_> = arguments(line, 0).take(5).collect();
    let [_, server, secret, addresses @ ..] = &words[..] else { return None };
    let server = &line[server.clone()];
    let is_quoted = secret.start > 0 && b"\"'".contains(&line[secret.start - 1]);
    let is_address = |word: &Range<usize>| {
        let word = &line[word.clone()];
        word == ANY || word.iter().all(|byte| byte.is_ascii_digit() || b"./".contains(byte))
    };
    let is_line = match addresses {
        [] => is_quoted,
        [addresses] => is_address(addresses),
        _ => false,
    };
    let is_server = server == ANY && is_quoted || [&b"pptpd"[..], b"l2tpd"].contains(&server);
    let is_whole = words.last().is_some_and(|last| line.trim_ascii_end().len() <= last.end + 1);
    (is_line && is_server && is_whole).then(|| secret.clone())
}

/// Returns the password in a line of `.curlrc`: `user = "user:password"`.
fn of_curl(line: &[u8]) -> Option<Range<usize>> {
    let begin = line.trim_ascii_start();
    let name = begin.strip_prefix(b"proxy-").unwrap_or(begin);
    let value = name.strip_prefix(b"user")?.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let start = line.len() - value.len();
    let (quotes, end) = match value.strip_prefix(b"\"") {
        Some(inside) => (1, 1 + memchr::memchr(b'"', inside)?),
        None => (0, value.trim_ascii_end().len()),
    };
    let account = &value[quotes..end];
    let colon = quotes + memchr::memchr(b':', account)? + 1;
    let user = &value[quotes..colon - 1];
    // The users of containers are numbers, and those of Kubernetes have prefixes.
    let is_user = !user.iter().all(u8::is_ascii_digit) && user != b"system";
    let is_word = quotes > 0 || account.iter().all(u8::is_ascii_graphic);
    (is_user && is_word).then(|| start + colon..start + end)
}
