//! Finds texts with the form of a secret: keys, tokens, credentials in URLs. To find another kind: a function that adds ranges, called by
//! [`find`]. Each makes one pass over the text, and continues after each match.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::names::{self, Names};
use crate::secret::REDACTED;

/// The longest private key in PEM.
const LONGEST_KEY: usize = 64 << 10;

/// The longest URL that is looked at.
const LONGEST_URL: usize = 2048;

/// The ends of the lines before and after a private key: in PEM, of PGP, of `OpenVPN`.
static KEYS: LazyLock<[Finder<'static>; 4]> = LazyLock::new(|| {
    ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----", "Static key V1-----", "PRIVATE KEY ----"].map(Finder::new)
});

/// What stands before the number of lines of a private key of `PuTTY`.
static PUTTY: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("Private-Lines: "));

/// What stands before the key of a function, or another code, in the query of a URL.
static QUERIES: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| ["code=", "key="].map(Finder::new));

/// The element with the keys of `NuGet`, without the bracket, and what stands before one.
static NUGET: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("apikeys>"));
static VALUE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("value=\""));

/// What stands before the signature in a token of Event Grid.
static EVENT_GRID: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("&s="));

/// What stands before the token in the URL of a channel of Conda.
static CONDA: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("/t/"));

/// Bytes of the shortest key in a query.
const SHORTEST_KEY: usize = 20;

/// The beginning of a JSON web token: `{"` in base64.
static WEB_TOKEN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("eyJ"));

/// Bytes of the shortest token that is alone before the host of a URL.
const SHORTEST_TOKEN: usize = 16;

/// What follows the scheme of a URL.
static SCHEME_END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("://"));

/// Adds texts with the form of a secret.
pub(super) fn find(text: &[u8], ranges: &mut Vec<Range<usize>>, names: Names) {
    for mark in &*KEYS {
        private_keys(text, mark, ranges);
    }
    bootstrap_tokens(text, ranges);
    web_tokens(text, ranges);
    accounts(text, ranges);
    bare_accounts(text, ranges);
    super::tokens::find(text, ranges);
    names::values(text, ranges, names);
    super::logins::find(text, ranges);
    super::columns::find(text, ranges);
    super::objects::find(text, ranges);
    super::members::find(text, ranges);
    super::typed::find(text, ranges);
    keys_of_queries(text, ranges);
    signatures_of_event_grid(text, ranges);
    hashes_of_mysql(text, ranges);
    keys_of_nuget(text, ranges);
    tokens_of_conda(text, ranges);
    keys_of_putty(text, ranges);
}

/// Adds private keys of `PuTTY`: as many lines as the line before them says.
fn keys_of_putty(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    const MOST: usize = 256;
    let mut covered = 0;
    for at in PUTTY.find_iter(text) {
        if at < covered {
            continue;
        }
        let begin = at + PUTTY.needle().len();
        let digits = text[begin..].iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        let number = str::from_utf8(&text[begin..begin + digits]).ok().and_then(|number| number.parse::<usize>().ok());
        let rest = &text[begin + digits..];
        let Some(number) = number.filter(|number| *number <= MOST && rest.starts_with(b"\n")) else { continue };
        let mut feeds = memchr::memchr_iter(b'\n', &rest[..rest.len().min(LONGEST_KEY)]);
        let end = feeds.nth(number).unwrap_or(rest.len().min(LONGEST_KEY));
        if number > 0 && end > 1 {
            covered = begin + digits + end;
            ranges.push(begin + digits + 1..covered);
        }
    }
}

/// Adds private keys, also if only the beginning or the end of one is there.
fn private_keys(text: &[u8], key: &Finder<'_>, ranges: &mut Vec<Range<usize>>) {
    /// Lines before a key.
    const MOST_HEADERS: usize = 8;
    const LONGEST_HEADER: usize = 256;
    /// `-----BEGIN ENCRYPTED `.
    const LONGEST_BEGINNING: usize = 40;
    let is_inside = |byte: &u8| byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() || b"+/=\\".contains(byte);
    let mark = key.needle().len();
    let mut covered = 0;
    for at in key.find_iter(text) {
        if at < covered {
            continue;
        }
        let from = at.saturating_sub(LONGEST_BEGINNING).max(covered);
        let line = text[from..at].iter().rposition(|byte| *byte == b'-').map_or(from, |dash| from + dash + 1);
        let end = at + mark;
        let label = text[line..at].trim_ascii_start();
        let range = if label.starts_with(b"BEGIN") {
            // `\n` in JSON is part of the key as well.
            let inside = text[end..].iter().take(LONGEST_KEY).take_while(|byte| is_inside(byte)).count();
            let mut to = end + inside;
            // The lines of SSH and of RFC 1421 before a key, which have names.
            let mut header_end = end;
            for _ in 0..MOST_HEADERS {
                let Some(header) = text[to..].strip_prefix(b": ") else { break };
                if text[header_end..to].trim_ascii().contains(&b'\n') {
                    break;
                }
                header_end = to + 2 + header.iter().take(LONGEST_HEADER).take_while(|byte| **byte != b'\n').count();
                to =
                    header_end + text[header_end..].iter().take(LONGEST_KEY).take_while(|byte| is_inside(byte)).count();
            }
            if text[to..].starts_with(b"-") {
                let rest = &text[to..text.len().min(to + LONGEST_BEGINNING + mark)];
                to = key.find(rest).map_or(to, |next| to + next + mark);
            }
            line.saturating_sub(5)..to
        } else if label.starts_with(b"END") {
            let from = line.saturating_sub(5).max(covered);
            let inside = text[covered..from].iter().rev().take(LONGEST_KEY).take_while(|byte| is_inside(byte)).count();
            from - inside..end
        } else {
            continue;
        };
        covered = range.end;
        ranges.push(range);
    }
}

/// Adds keys in the queries of URLs, whose name is that of other things as well: `?code=x` of a function. They have letters of both cases
/// and digits.
fn keys_of_queries(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.~".contains(byte);
    for name in &*QUERIES {
        for at in name.find_iter(text) {
            if !matches!(text[..at].last(), Some(b'?' | b'&' | b';')) {
                continue;
            }
            let begin = at + name.needle().len();
            let length = text[begin..].iter().take(LONGEST_URL).take_while(|byte| is_in(byte)).count();
            let value = &text[begin..begin + length];
            let has = |class: fn(&u8) -> bool| value.iter().any(class);
            let is_key = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit);
            if length >= SHORTEST_KEY && is_key {
                let signs = text[begin + length..].iter().take(8).take_while(|byte| b"=%3D".contains(byte)).count();
                ranges.push(begin..begin + length + signs);
            }
        }
    }
}

/// Adds the signatures of tokens of Event Grid, whose parameters have one letter: `r=https%3a%2f%2fx&e=y&s=SIGNATURE`.
fn signatures_of_event_grid(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    const LONGEST: usize = 512;
    let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || b"%+/=_-".contains(byte);
    for at in EVENT_GRID.find_iter(text) {
        let before = &text[at.saturating_sub(LONGEST)..at];
        let word = before.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
        let begin = at + EVENT_GRID.needle().len();
        let length = text[begin..].iter().take(LONGEST).take_while(|byte| is_in(byte)).count();
        if memmem::find(word, b"r=http").is_some_and(|resource| memmem::find(&word[resource..], b"&e=").is_some()) {
            ranges.push(begin..begin + length);
        }
    }
}

/// Adds the keys of servers of packages in the settings of `NuGet`: `<apikeys><add key="https://h" value="x" /></apikeys>`.
fn keys_of_nuget(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    /// Bytes of the longest list of them.
    const LONGEST: usize = 4096;
    let mut covered = 0;
    for at in NUGET.find_iter(text).filter(|at| text[..*at].ends_with(b"<")) {
        if at < covered {
            continue;
        }
        let begin = at + NUGET.needle().len();
        let inside = &text[begin..text.len().min(begin + LONGEST)];
        let inside = &inside[..NUGET.find(inside).unwrap_or(inside.len())];
        covered = begin + inside.len();
        for value in VALUE.find_iter(inside).map(|value| value + VALUE.needle().len()) {
            let rest = &inside[value..];
            // The end may be cut off.
            let length = memchr::memchr2(b'"', b'\n', rest).unwrap_or(rest.len());
            ranges.push(begin + value..begin + value + length);
        }
    }
}

/// Adds the tokens in the URLs of channels of Conda: `https://host/t/TOKEN/channel`. A forum has the title of a topic there, with hyphens, and
/// a number behind it.
fn tokens_of_conda(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    const LONGEST_HOST: usize = 128;
    const LONGEST: usize = 128;
    const SHORTEST: usize = 10;
    /// The letters before the digits of a token, `ab-`, and a UUID.
    const OF_UUID: usize = 39;
    for at in CONDA.find_iter(text) {
        let is_in_host = |byte: &&u8| byte.is_ascii_alphanumeric() || b".-:@_".contains(byte);
        let host = text[..at].iter().rev().take(LONGEST_HOST).take_while(is_in_host).count();
        let begin = at + CONDA.needle().len();
        let is_in_token = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
        let length = text[begin..].iter().take(LONGEST).take_while(is_in_token).count();
        let token = &text[begin..begin + length];
        let Some(rest) = text[begin + length..].strip_prefix(b"/").filter(|_| length > 0) else { continue };
        if host == 0 || !text[..at - host].ends_with(b"//") {
            continue;
        }
        let command = &text[(at - host).saturating_sub(64)..at];
        let is_conda =
            memmem::find(command.rsplit(|byte| *byte == b'\n').next().unwrap_or_default(), b"conda").is_some();
        let has = |class: fn(&u8) -> bool| token.iter().any(class);
        let is_word = !token.contains(&b'-') || length == OF_UUID && token[2] == b'-';
        let is_token = length >= SHORTEST && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && is_word;
        let is_topic = rest.first().is_none_or(u8::is_ascii_digit);
        if is_conda || is_token && !is_topic {
            ranges.push(begin..begin + length);
        }
    }
}

/// Adds hashes of passwords as `MySQL` has them: `*` and 40 digits.
fn hashes_of_mysql(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    const DIGITS: usize = 40;
    let is_digit = |byte: &&u8| byte.is_ascii_digit() || matches!(byte, b'A'..=b'F');
    for star in memchr::memchr_iter(b'*', text) {
        let digits = text[star + 1..].iter().take(DIGITS + 1).take_while(is_digit).count();
        let is_whole = !text.get(star + 1 + digits).is_some_and(u8::is_ascii_alphanumeric);
        if digits == DIGITS && is_whole {
            ranges.push(star..star + 1 + digits);
        }
    }
}

fn bootstrap_tokens(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    let is_small = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    for at in memchr::memchr_iter(b'.', text) {
        let before = text[..at].iter().rev().take(7).take_while(|byte| is_small(byte)).count();
        let after = text[at + 1..].iter().take(17).take_while(|byte| is_small(byte)).count();
        // `KubernetesCluster.containerservice`: a token hardly has no digit.
        let is_in_word = text[..at - before].last().is_some_and(u8::is_ascii_uppercase)
            && !text[at - before..at + 1 + after].iter().any(u8::is_ascii_digit);
        if before == 6 && after == 16 && !is_in_word {
            ranges.push(at - 6..at + 17);
        }
    }
}

/// Adds JSON web tokens.
fn web_tokens(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_-.".contains(byte);
    let mut covered = 0;
    for at in WEB_TOKEN.find_iter(text) {
        if at < covered {
            continue;
        }
        let length = text[at..].iter().take_while(|byte| is_in(byte)).count();
        covered = at + length;
        if length >= 30 && text[at..covered].contains(&b'.') {
            ranges.push(at..covered);
        }
    }
}

/// Adds credentials in URLs, and signatures in their fragments.
pub(super) fn accounts(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'\\<>`".contains(byte);
    let mut covered = 0;
    for at in SCHEME_END.find_iter(text) {
        if at < covered {
            continue;
        }
        let begin = at + 3;
        let length = text[begin..].iter().take(LONGEST_URL).take_while(|byte| !is_end(byte)).count();
        let url = &text[begin..begin + length];
        // Another URL after a comma, as in lists.
        let length = SCHEME_END.find(url).unwrap_or(length);
        let url = &url[..length];
        covered = begin;
        // `user:*password*` of wget.
        let is_hidden = |end: &usize| &url[..*end] == REDACTED.as_bytes() || url[..*end].ends_with(b":*password*");
        if let Some(end) = account(url).filter(|end| !is_hidden(end)) {
            ranges.push(begin..begin + end);
            covered = begin + end;
        } else if let Some(end) = account_in_numbers(&text[begin..text.len().min(begin + LONGEST_URL)], length) {
            ranges.push(begin..begin + end);
        }
    }
}

/// Returns where the account of a URL ends whose password is written as numbers with blanks between them, with which the URL would end:
/// `u:5a 71 37@host`.
fn account_in_numbers(text: &[u8], length: usize) -> Option<usize> {
    const FEWEST: usize = 4;
    if text.get(length) != Some(&b' ') {
        return None;
    }
    let begin = memchr::memchr(b':', &text[..length])? + 1;
    let is_in = |byte: &&u8| byte.is_ascii_hexdigit() || b" ,:[]x".contains(byte);
    let end = begin + text[begin..].iter().take_while(is_in).count();
    let blanks = memchr::memchr_iter(b' ', &text[begin..end]).count();
    (text.get(end) == Some(&b'@') && blanks >= FEWEST).then_some(end)
}

/// Returns where the account of a URL ends, which begins after `://`. The password may have any character of a path.
fn account(url: &[u8]) -> Option<usize> {
    let host = url.iter().position(|byte| b"/?#".contains(byte)).unwrap_or(url.len());
    let at_in_host = url[..host].iter().rposition(|byte| *byte == b'@');
    let is_port = |rest: &[u8]| rest.iter().all(u8::is_ascii_digit);
    let (end, first) = match (at_in_host, url[..host].iter().position(|byte| *byte == b':')) {
        (Some(end), _) => (end, url[..end].iter().position(|byte| *byte == b':')),
        // A password with a slash in it: no port has letters.
        (None, Some(colon)) if !is_port(&url[colon + 1..host]) => {
            (url.iter().rposition(|byte| *byte == b'@')?, Some(colon))
        }
        (None, _) => return None,
    };
    // `u:pa@ss/w@host`: what comes after the first `@` is no host if another one follows.
    let rest = &url[end + 1..];
    let more = rest.iter().rposition(|byte| *byte == b'@').map(|more| end + 1 + more);
    match (first, more) {
        (Some(_), Some(more)) if !rest[..more - end - 1].contains(&b'?') => Some(more),
        (Some(_), _) => Some(end),
        // A name, such as `git`, an organization or a container, is no secret, but it may be a token.
        (None, _) => is_token(&url[..end]).then_some(end),
    }
}

/// Reports whether the account of a URL is a token, and no name: it is long and has digits, or has letters of both cases and digits at
/// several places.
fn is_token(account: &[u8]) -> bool {
    const SHORTEST: usize = 8;
    let has = |class: fn(&u8) -> bool| account.iter().any(class);
    let numbers = account.chunk_by(|one, next| one.is_ascii_digit() == next.is_ascii_digit());
    let numbers = numbers.filter(|chunk| chunk[0].is_ascii_digit()).count();
    account.len() >= SHORTEST_TOKEN && numbers > 0
        || account.len() >= SHORTEST && numbers > 1 && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
}

/// Adds accounts without a scheme, as proxies have them: `user:password@proxy:3128`.
fn bare_accounts(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    const LONGEST: usize = 256;
    let is_word = |byte: &u8| !byte.is_ascii_whitespace() && !b"\"'`<>=,;|&(){}[]/\\".contains(byte);
    for at in memchr::memchr_iter(b'@', text) {
        let before = text[..at].iter().rev().take(LONGEST).take_while(|byte| is_word(byte)).count();
        let account = &text[at - before..at];
        // `:pserver:user:password@host:/path` of CVS.
        let option = if account.starts_with(b"-d:") { 2 } else { 0 };
        let rest = account[option..].strip_prefix(b":");
        let method = rest.and_then(|rest| memchr::memchr(b':', rest)).map_or(0, |colon| option + colon + 2);
        let before = before - method;
        let account = &account[method..];
        let Some(colon) = account.iter().position(|byte| *byte == b':') else { continue };
        let host =
            text[at + 1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || b".-".contains(byte)).count();
        let after = &text[at + 1..];
        let port = after[host..].strip_prefix(b":").unwrap_or_default();
        // The digest of an image has no dot and no port after its colon: `image:tag@sha256:…`.
        // `user:password@tcp(host:port)/database` of Go.
        let is_host = port.first().is_some_and(u8::is_ascii_digit) && !after.starts_with(b"sha256:")
            || after[..host].contains(&b'.')
            || method > 0 && after[host..].starts_with(b":/")
            || [&b"tcp("[..], b"unix(", b"tcp6("].iter().any(|network| after.starts_with(network));
        // `"user:password@/database"` of the same, in quotes.
        let is_local = after.starts_with(b"/") && text[..at - before].last().is_some_and(|byte| b"\"'=".contains(byte));
        let is_account = colon > 0 && !account.starts_with(b"mailto:") && colon + 1 < account.len();
        // `man:systemd-fsck@.service(8)` of a unit has no host.
        let begins_host = after.first().is_some_and(u8::is_ascii_alphanumeric);
        if is_account && (begins_host && is_host || is_local) {
            ranges.push(at - before + colon + 1..at);
        }
    }
}
