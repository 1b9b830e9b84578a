//! Passwords in lines whose form says what they are: of `.pgpass`, Postfix, PPP, curl and debconf.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::readers::{behind_user, of_curl};
use super::{arguments, sentences};
use crate::redaction::names::is_secret_name;
use crate::redaction::value::{is_name_byte, is_state};
use crate::redaction::views;
use crate::secret::SHORTEST;

/// The longest line that is looked at word by word.
const LONGEST: usize = 512;

/// How far behind a command a secret is that it prints: an object may begin before it.
const LINES_OF_OUTPUT: u8 = 3;

/// What is between a question of debconf and its answer, which is a password.
static DEBCONF: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(" password "));

/// The end of the line before passwords that cloud-init has made.
const MADE: &[u8] = b"'random' passwords";

/// What stands before an account in a file of curl, also in a comment or in a log.
static CURL: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("user = \""));

/// What the options of a login module of Java follow.
static JAAS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("LoginModule required"));

/// Finds the password in a short line.
type Rule = fn(&[u8]) -> Option<Range<usize>>;

const SHORT: [Rule; 19] = [
    of_keys,
    of_postfix,
    of_ppp,
    of_curl,
    of_ipsec,
    of_clock,
    of_redis,
    of_third,
    of_ceph,
    of_monitor,
    of_logon,
    of_gossip,
    sentences::of_label,
    sentences::of_sentences,
    sentences::of_shadow,
    sentences::of_both,
    sentences::of_protocol,
    sentences::of_hashes,
    sentences::of_tokens,
];

/// Adds passwords in lines that have the form of a line of a file with passwords.
pub(super) fn find(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    let mut at = 0;
    let mut last: &[u8] = &[];
    let mut has_accounts = false;
    let mut of_output = 0;
    for line in text.split(|byte| *byte == b'\n') {
        // Behind what a log writes before it.
        let may_be_log = line.first().is_some_and(u8::is_ascii_digit)
            || memchr::memchr(b']', &line[..line.len().min(LONGEST)]).is_some();
        let prefix = if may_be_log { views::prefix(line) } else { 0 };
        let message = &line[prefix..];
        let is_short = message.len() <= LONGEST;
        let short = SHORT.iter().filter(|_| is_short).filter_map(|of| of(message));
        let others =
            of_pgpass(message).or_else(|| at_end(message)).into_iter().chain(sentences::of_pass(message, last));
        let others = others.chain(sentences::of_next(message, last));
        // The passwords that cloud-init has made, each in a line.
        let is_user = !message.trim_ascii_start().first().is_some_and(u8::is_ascii_digit);
        let account = behind_user(message.trim_ascii()).filter(|_| has_accounts && is_short && is_user);
        has_accounts = account.is_some() || message.trim_ascii_end().ends_with(MADE);
        let others = others.chain(account.map(|skipped| {
            let begin = message.len() - message.trim_ascii_start().len();
            begin + skipped..message.trim_ascii_end().len()
        }));
        // A question has brackets as well.
        let question = (is_short && prefix > 0).then(|| sentences::of_label(line)).flatten();
        if let Some(password) = question {
            add(at + password.start..at + password.end);
        }
        // Texts of JSON, such as the message of a log.
        let mut from = 0;
        for inside in message.split(|byte| *byte == b'"').filter(|inside| inside.len() < message.len()) {
            let rules: [Rule; 3] = [sentences::of_label, sentences::of_sentences, sentences::of_shadow];
            let is_text = inside.len() <= LONGEST && memchr::memchr(b':', inside).is_some();
            for password in rules.iter().filter(|_| is_text).filter_map(|of| of(inside)) {
                add(at + prefix + from + password.start..at + prefix + from + password.end);
            }
            from += inside.len() + 1;
        }
        let output = (of_output > 0 && is_short).then(|| sentences::of_output(message)).flatten();
        of_output = match output {
            _ if is_short && sentences::prints_secret(message) => LINES_OF_OUTPUT,
            Some(_) => 0,
            None => of_output.saturating_sub(1),
        };
        for password in short.chain(others).chain(output) {
            add(at + prefix + password.start..at + prefix + password.end);
        }
        at += line.len() + 1;
        // A blank line may be between a name and its value.
        last = if message.trim_ascii().is_empty() { last } else { message };
    }
    for at in CURL.find_iter(text) {
        let line = text[at..].iter().take(LONGEST).take_while(|byte| **byte != b'\n').count();
        let is_name = !text[..at].last().is_some_and(|byte| is_name_byte(*byte) && *byte != b'-');
        if let Some(password) = is_name.then(|| of_curl(&text[at..at + line])).flatten() {
            add(at + password.start..at + password.end);
        }
    }
    sentences::of_mentions(text, add);
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
    let begins = |colon: &usize| *colon == 0 || line[*colon - 1].is_ascii_whitespace();
    let mut colons = memchr::memchr_iter(b':', line);
    let colon = colons.find(|colon| begins(colon) && line[*colon + 1..].starts_with(b" "))?;
    let words: Vec<_> = arguments(line, colon + 1).take(4).collect();
    let kind = &line[words.first()?.clone()];
    let secret = match &words[1..] {
        [secret, ..] if SECRETS.contains(&kind) => secret,
        [_, secret, ..] if KEYS.contains(&kind) => secret,
        _ => return None,
    };
    let is_number = [&b"0x"[..], b"0s"].iter().any(|base| line[secret.clone()].starts_with(base));
    let is_quoted = line[..secret.start].ends_with(b"\"");
    // The names of both sides, behind the beginning of a text or the mark of a line.
    let opened = line[..colon].iter().rposition(|byte| b"\"'".contains(byte));
    let opened = opened.filter(|quote| line[quote + 1].is_ascii_graphic());
    let text = opened.map_or(0, |quote| quote + 1);
    let names = line[text..colon].split(u8::is_ascii_whitespace).filter(|name| !name.is_empty());
    let names = names.skip_while(|name| [&b"+"[..], b"-", b"#", b">"].contains(name));
    let is_begin = names.clone().count() <= 2 && names.clone().all(|name| !name.contains(&b'='));
    let rest = line.get(secret.end + 1..).unwrap_or_default();
    let is_closed = opened.is_some_and(|quote| rest.first() == Some(&line[quote]));
    let is_end = is_closed || rest.trim_ascii().is_empty();
    (is_begin && (is_number || is_quoted) && is_end).then(|| secret.clone())
}

/// Returns the password in a line of `.pgpass`: `host:port:database:user:password`.
pub(super) fn of_pgpass(line: &[u8]) -> Option<Range<usize>> {
    // A text of a command or a cloud-config.
    let mut texts = line.split(|byte| b"\"'".contains(byte));
    let first = texts.next().unwrap_or_default();
    let mut at = first.len() + 1;
    if at <= line.len() {
        // The text may begin before the line.
        return at_end(first).or_else(|| {
            texts.find_map(|inside| {
                let start = at;
                at += inside.len() + 1;
                of_pgpass(inside).or_else(|| at_end(inside)).map(|found| start + found.start..start + found.end)
            })
        });
    }
    let begin = line.len() - line.trim_ascii_start().len();
    let colons: Vec<usize> = memchr::memchr_iter(b':', line).take(5).collect();
    let [host, port, database, user] = colons[..] else { return None };
    let number = &line[host + 1..port];
    let is_port = number == b"*" || number.len() > 1 && number.iter().all(u8::is_ascii_digit);
    // Neither a time nor the address of an interface.
    let is_host = match &line[begin.min(host)..host] {
        b"*" => true,
        [one] => one.is_ascii_alphabetic(),
        [_, _] => number.len() > 2 && line[begin..host].iter().any(u8::is_ascii_alphabetic),
        host => host.len() > 2,
    };
    let is_user = |name: &[u8]| name == b"*" || name.iter().any(u8::is_ascii_alphabetic);
    let is_host = is_host && is_user(&line[database + 1..user]);
    (is_port && is_host && !line.trim_ascii().contains(&b' '))
        .then(|| user + 1..line.trim_ascii_end().len().max(user + 1))
}

/// Returns the password in such a line behind what a log or a command has before it, if the port is one of `PostgreSQL`.
fn at_end(line: &[u8]) -> Option<Range<usize>> {
    const PORTS: [&[u8]; 3] = [b":5432:", b":5433:", b":6432:"];
    let line = line.trim_ascii_end();
    let begin = line.iter().rposition(u8::is_ascii_whitespace).map_or(0, |blank| blank + 1);
    let word = &line[begin..];
    let is_database = PORTS.iter().any(|port| memmem::find(word, port).is_some()) || word.starts_with(b"*:*:*:");
    let found = is_database.then(|| of_pgpass(word)).flatten()?;
    Some(begin + found.start..begin + found.end)
}

/// Returns the key in a line of the keys of `chrony` or `ntpd`: `10 SHA256 HEX:1dc7`, `1 M key`.
fn of_clock(line: &[u8]) -> Option<Range<usize>> {
    line.first().filter(|byte| byte.is_ascii_digit())?;
    let words: Vec<_> = arguments(line, 0).take(4).collect();
    let [number, kind, key] = &words[..] else { return None };
    let is_kind = [&b"M"[..], b"MD5"].contains(&&line[kind.clone()])
        || [&b"SHA"[..], b"AES"].iter().any(|kinds| line[kind.clone()].starts_with(kinds));
    let value = &line[key.clone()];
    let skipped =
        [&b"HEX:"[..], b"ASCII:"].iter().find(|prefix| value.starts_with(prefix)).map_or(0, |prefix| prefix.len());
    let is_key = skipped > 0 || value.len() >= SHORTEST && value.iter().any(u8::is_ascii_digit);
    (line[number.clone()].iter().all(u8::is_ascii_digit) && is_kind && is_key).then(|| key.start + skipped..key.end)
}

/// Returns the third word of a line of three, after a directive and a name: of iSCSI targets and SNMP.
fn of_third(line: &[u8]) -> Option<Range<usize>> {
    const DIRECTIVES: [&[u8]; 7] = [
        b"incominguser",
        b"outgoinguser",
        b"trapsink",
        b"trap2sink",
        b"informsink",
        b"authcommunity",
        b"auth-user-pass",
    ];
    let begin = line.iter().take_while(|byte| b" \t".contains(byte)).count();
    let is_here = |name: &&[u8]| line[begin..].get(..name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name));
    let end = begin + DIRECTIVES.iter().find(|name| is_here(name))?.len();
    let words: Vec<_> = arguments(line, end).take(3).collect();
    let [_, secret] = &words[..] else { return None };
    line[end..].starts_with(b" ").then(|| secret.clone())
}

/// Returns the key in a line of a keyring of Ceph, 28 bytes in base64: `key = AQ…==`.
fn of_ceph(line: &[u8]) -> Option<Range<usize>> {
    const LENGTH: usize = 40;
    let value = line.trim_ascii().strip_prefix(b"key")?.trim_ascii_start();
    let value = value.strip_prefix(b"=").or_else(|| value.strip_prefix(b":"))?.trim_ascii_start();
    let end = line.trim_ascii_end().len();
    (value.len() == LENGTH && value.starts_with(b"AQ") && value.ends_with(b"==")).then(|| end - LENGTH..end)
}

/// Returns the key in a line of the settings of Consul, Nomad or Serf, 16 or 32 bytes in base64: `encrypt = "x"`.
fn of_gossip(line: &[u8]) -> Option<Range<usize>> {
    const LENGTHS: [usize; 2] = [24, 44];
    let name = line.trim_ascii_start();
    let value = name.strip_prefix(b"\"encrypt\"").or_else(|| name.strip_prefix(b"encrypt"))?.trim_ascii_start();
    let value =
        value.strip_prefix(b"=").or_else(|| value.strip_prefix(b":"))?.trim_ascii_start().strip_prefix(b"\"")?;
    let length = memchr::memchr(b'"', value)?;
    let start = line.len() - value.len();
    (LENGTHS.contains(&length) && value[..length].ends_with(b"=")).then_some(start..start + length)
}

/// Returns the password in a line of `upsmon.conf`: `MONITOR ups@host 1 user password primary`.
fn of_monitor(line: &[u8]) -> Option<Range<usize>> {
    const ROLES: [&[u8]; 4] = [b"primary", b"secondary", b"master", b"slave"];
    line.strip_prefix(b"MONITOR ")?;
    let words: Vec<_> = arguments(line, 0).take(7).collect();
    let [_, system, _, _, password, role] = &words[..] else { return None };
    (line[system.clone()].contains(&b'@') && ROLES.contains(&&line[role.clone()])).then(|| password.clone())
}

/// Returns the key in a line of `az storage account keys list -o tsv`: the name, what is permitted with it, and the key.
fn of_keys(line: &[u8]) -> Option<Range<usize>> {
    let line = line.trim_ascii_end();
    let mut cells = line.rsplit(|byte| *byte == b'\t');
    let [key, permissions, name] = [cells.next()?, cells.next()?, cells.next()?];
    let is_name = name.strip_prefix(b"key").is_some_and(|number| matches!(number, [digit] if digit.is_ascii_digit()));
    (is_name && permissions.eq_ignore_ascii_case(b"full")).then(|| line.len() - key.len()..line.len())
}

/// Returns the password in a command of a client of Teradata: `.logon host/user,password;`.
fn of_logon(line: &[u8]) -> Option<Range<usize>> {
    const COMMAND: &[u8] = b".logon ";
    let begin = line.len() - line.trim_ascii_start().len();
    // Behind the prompt, or the name of the program.
    let at = line[begin..].windows(COMMAND.len()).position(|word| word.eq_ignore_ascii_case(COMMAND))?;
    let from = begin + at + COMMAND.len();
    let account = &line[from..];
    let comma = memchr::memchr(b',', account).filter(|comma| !account[..*comma].trim_ascii().contains(&b' '))?;
    let password = &account[comma + 1..];
    let length = password.iter().take_while(|byte| byte.is_ascii_graphic() && **byte != b';').count();
    Some(from + comma + 1..from + comma + 1 + length)
}

/// Returns the password in a command of Redis or a mail server: `AUTH user password`, `AUTH PLAIN` with an account in base64.
fn of_redis(line: &[u8]) -> Option<Range<usize>> {
    /// A command that says which protocol is spoken, and has another one in it.
    const HELLO: &[u8] = b"HELLO 3 ";
    let begin = line.iter().take_while(|byte| b" \"'".contains(byte)).count();
    // Behind the time and the address of another, or the file of a call that a trace shows.
    let call = || memchr::memmem::find(line, b", \"AUTH ");
    // What tcpdump shows of it.
    let packet = || memchr::memmem::find(line, b"RESP \"AUTH").map(|packet| packet + 3);
    let begin = memchr::memmem::find(line, b"] \"")
        .or_else(call)
        .or_else(packet)
        .map_or(begin, |address| begin.max(address + 3));
    let is_hello = line[begin..].starts_with(HELLO);
    let begin = begin + if is_hello { HELLO.len() } else { 0 };
    // Redis shows each word of the commands of others in quotes.
    let is_shown = line[..begin].ends_with(b"\"") && line.get(begin + 4) == Some(&b'"');
    let command = line.get(begin..begin + 4)?;
    if command != b"AUTH" && !(is_shown && command == b"auth") {
        return None;
    }
    let end = begin + 4 + usize::from(is_shown);
    let mut words: Vec<_> = arguments(line, end).take(if is_hello { 2 } else { 3 }).collect();
    let secret = words.pop().filter(|_| words.len() < 2 && line[end..].starts_with(b" "))?;
    let is_kind = line[secret.clone()].iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'-');
    (!is_kind && !is_state(&line[secret.clone()])).then_some(secret)
}

/// Returns the password in a line of `sasl_passwd`, also in quotes.
fn of_postfix(line: &[u8]) -> Option<Range<usize>> {
    account_of_mail(line).or_else(|| {
        let open = line.windows(2).position(|pair| matches!(pair, [b'"' | b'\'', b'[']))? + 1;
        let length = memchr::memchr(line[open - 1], &line[open..])?;
        account_of_mail(&line[open..open + length]).map(|found| open + found.start..open + found.end)
    })
}

/// Returns the password in a line `[host]:port user:password`, or the same without brackets if the port is one of mail, or the user an
/// address.
fn account_of_mail(line: &[u8]) -> Option<Range<usize>> {
    const PORTS: [&[u8]; 3] = [b":25", b":465", b":587"];
    let line = line.trim_ascii_end();
    let Some(rest) = line.strip_prefix(b"[") else {
        let (host, rest) = line.split_at(line.iter().position(u8::is_ascii_whitespace)?);
        let account = rest.trim_ascii_start();
        let is_host = host.contains(&b'.') && !host.contains(&b'/') && account.iter().all(u8::is_ascii_graphic);
        let colon = memchr::memchr(b':', account).filter(|colon| is_host && *colon > 0)?;
        let is_mail = PORTS.iter().any(|port| host.ends_with(port)) || account[..colon].contains(&b'@');
        return is_mail.then(|| line.len() - account.len() + colon + 1..line.len());
    };
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
