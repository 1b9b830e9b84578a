//! Secrets in the configurations of routers, switches and firewalls: of Cisco IOS and those like it, `JunOS` and `FortiOS`.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::arguments;
use crate::secret::SHORTEST;

/// What a line begins with, or, where that says nothing, the words directly before a secret, and how it goes on.
static BEGINNINGS: LazyLock<[(Finder<'static>, Rule); 18]> = LazyLock::new(|| {
    [
        ("enable secret ", Rule::Last),
        ("enable password ", Rule::LastPassword),
        ("enable algorithm-type ", Rule::User),
        ("password 0 ", Rule::Last),
        ("password 7 ", Rule::Last),
        (" password 7 ", Rule::Hexadecimal),
        ("pre-shared-key ", Rule::SharedKey),
        ("username ", Rule::User),
        ("snmp-server community ", Rule::Community),
        ("snmp-server host ", Rule::Host),
        ("snmp-server user ", Rule::SnmpUser),
        ("tacacs-server ", Rule::Key),
        ("radius-server ", Rule::Key),
        ("crypto isakmp key ", Rule::Address),
        ("ntp authentication-key ", Rule::Digest),
        ("message-digest-key ", Rule::Digest),
        ("key-string ", Rule::LastAnywhere),
        ("ppp ", Rule::User),
    ]
    .map(|(beginning, rule)| (Finder::new(beginning), rule))
});

/// What comes after the texts that these systems encrypt, and before them.
static JUNIPER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("## SECRET-DATA"));
static FORTINET: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(" ENC "));

/// The ends of the algorithms of `IPsec`, which are followed by a key: `rfc4106(gcm(aes)) 0x0a1b`.
static ALGORITHMS: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| ["(aes)", "hmac("].map(Finder::new));

/// The servers whose lines have a word `key` alone.
static SERVERS: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| ["tacacs server ", "radius server "].map(Finder::new));

/// How the words after a beginning go on.
#[derive(Clone, Copy)]
enum Rule {
    /// The secret is the last word, after a level and a type.
    Last,
    /// The same, in a line with other words before.
    LastAnywhere,
    /// As `Last`. Without a type, sentences have this form.
    LastPassword,
    /// As `LastAnywhere`, in hexadecimal digits, as Cisco encrypts passwords.
    Hexadecimal,
    /// Behind `key`, or behind which side has it.
    SharedKey,
    /// Behind `secret` or `password`, as the last word.
    User,
    /// The secret, and who may do what with it.
    Community,
    /// Behind an address and a version.
    Host,
    /// Behind the algorithms after `auth` and `priv`.
    SnmpUser,
    /// Behind `key`.
    Key,
    /// Before the address of the other side.
    Address,
    /// Behind a number and `md5`.
    Digest,
}

/// Adds secrets in such configurations.
pub(super) fn find(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    for (beginning, rule) in &*BEGINNINGS {
        for at in beginning.find_iter(text) {
            let from = at + beginning.needle().len();
            if matches!(rule, Rule::Digest | Rule::LastAnywhere | Rule::Hexadecimal) || begins_command(text, at) {
                let words: Vec<_> = arguments(text, from).take(16).collect();
                Line { text, words: &words }.secrets(*rule, add);
            }
        }
    }
    for at in JUNIPER.find_iter(text) {
        let line = text[..at].iter().rev().take(1024).take_while(|byte| **byte != b'\n').count();
        let words = arguments(text, at - line).take(16);
        if let Some(secret) = words.filter(|word| text[..word.start].ends_with(b"\"") && word.end < at).last() {
            add(secret);
        }
    }
    for at in FORTINET.find_iter(text) {
        let line = text[..at].iter().rev().take(128).take_while(|byte| **byte != b'\n').count();
        if text[at - line..at].trim_ascii_start().starts_with(b"set ")
            && let Some(secret) = arguments(text, at + FORTINET.needle().len()).next()
        {
            add(secret);
        }
    }
    for algorithm in &*ALGORITHMS {
        for at in algorithm.find_iter(text) {
            let rest = text[at..].iter().take(32);
            let begin = at + rest.take_while(|byte| byte.is_ascii_alphanumeric() || b"()-'\"".contains(byte)).count();
            if let Some(secret) = arguments(text, begin).next().filter(|word| is_key(&text[word.clone()])) {
                add(secret);
            }
        }
    }
    for server in &*SERVERS {
        for at in server.find_iter(text) {
            if begins_command(text, at)
                && let Some(secret) = key_of_server(text, at)
            {
                add(secret);
            }
        }
    }
}

/// Reports whether a word is a number of at least 128 bits in hexadecimal digits.
fn is_key(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"0x").unwrap_or(word);
    digits.len() >= 32 && digits.iter().all(u8::is_ascii_hexdigit)
}

/// Reports whether a command of a router begins here: at the beginning of its line, behind a prompt, or behind what a log writes.
fn begins_command(text: &[u8], at: usize) -> bool {
    let blanks = text[..at].iter().rev().take(16).take_while(|byte| **byte == b' ').count();
    text[..at - blanks].last().is_none_or(|byte| b"\n\r\t:#>\"'".contains(byte))
}

/// Returns the key in the lines that belong to a server: those that are indented.
fn key_of_server(text: &[u8], at: usize) -> Option<Range<usize>> {
    let mut line = at;
    let mut is_first = true;
    for length in text[at..text.len().min(at + 512)].split_inclusive(|byte| *byte == b'\n').map(<[u8]>::len) {
        let content = &text[line..line + length];
        if !is_first && !content.starts_with(b" ") {
            return None;
        }
        let words: Vec<_> = arguments(text, line).take(16).collect();
        if !is_first && words.first().is_some_and(|word| &text[word.clone()] == b"key") {
            return Line { text, words: &words[1..] }.last();
        }
        line += length;
        is_first = false;
    }
    None
}

/// The words of a line after its beginning.
struct Line<'t, 'w> {
    text: &'t [u8],
    words: &'w [Range<usize>],
}

impl<'w> Line<'_, 'w> {
    fn is(&self, word: &Range<usize>, any: &[&[u8]]) -> bool {
        any.contains(&&self.text[word.clone()])
    }

    fn is_number(&self, word: &Range<usize>) -> bool {
        self.text[word.clone()].iter().all(u8::is_ascii_digit)
    }

    /// Returns the words without a type of the secret, which is one digit.
    fn without_type(&self, words: &'w [Range<usize>]) -> &'w [Range<usize>] {
        match words {
            [kind, rest @ ..] if !rest.is_empty() && kind.len() == 1 && self.is_number(kind) => rest,
            _ => words,
        }
    }

    /// Returns the words behind one.
    fn behind(&self, word: &[u8]) -> Option<&'w [Range<usize>]> {
        let at = self.words.iter().position(|other| self.is(other, &[word]))?;
        Some(&self.words[at + 1..])
    }

    /// Returns the secret if it is the only word after a level and a type.
    fn last(&self) -> Option<Range<usize>> {
        self.only(self.words)
    }

    fn only(&self, words: &'w [Range<usize>]) -> Option<Range<usize>> {
        let words = match words {
            [level, _, rest @ ..] if self.is(level, &[b"level"]) => rest,
            _ => words,
        };
        match self.without_type(words) {
            [secret] => Some(secret.clone()),
            _ => None,
        }
    }

    fn secrets(&self, rule: Rule, add: &mut impl FnMut(Range<usize>)) {
        let secret = match rule {
            Rule::Last | Rule::LastAnywhere => self.last(),
            Rule::Hexadecimal => self.last().filter(|secret| {
                let word = &self.text[secret.clone()];
                word.len() >= SHORTEST && word.len().is_multiple_of(2) && word.iter().all(u8::is_ascii_hexdigit)
            }),
            Rule::SharedKey => match self.words {
                [side, rest @ ..] if self.is(side, &[b"local", b"remote"]) => self.only(rest),
                [_] | [_, _] => self.last(),
                _ => self.only(self.behind(b"key").unwrap_or_default()),
            },
            Rule::LastPassword => self.last().filter(|secret| self.is_password(secret, self.words)),
            Rule::User => {
                let words = match self.words {
                    [_, other, _, rest @ ..] if self.is(other, &[b"privilege", b"sent-username"]) => rest,
                    [_, rest @ ..] => rest,
                    [] => return,
                };
                let Some((word, rest)) = words.split_first() else { return };
                let is_secret = self.is(word, &[b"secret"]);
                let is_either = is_secret || self.is(word, &[b"password"]);
                self.only(rest).filter(|secret| is_either && (is_secret || self.is_password(secret, rest)))
            }
            Rule::Community => match self.words {
                [secret] => Some(secret.clone()),
                [secret, next, ..] if self.is_number(next) => Some(secret.clone()),
                [secret, next, ..] => {
                    self.is(next, &[b"RO", b"RW", b"ro", b"rw", b"view", b"ipv6"]).then(|| secret.clone())
                }
                [] => None,
            },
            Rule::Host => {
                let is_address = |word: &Range<usize>| self.text[word.clone()].iter().any(|byte| b".:".contains(byte));
                let mut words = self.words.iter().peekable();
                if words.next_if(|word| is_address(word)).is_none() {
                    return;
                }
                while let Some(word) =
                    words.next_if(|word| self.is(word, &[b"traps", b"informs", b"version", b"1", b"2c", b"vrf"]))
                {
                    if self.is(word, &[b"vrf"]) {
                        words.next();
                    }
                }
                // Behind version 3 is the name of a user.
                words.next().filter(|word| !self.is(word, &[b"3"])).cloned()
            }
            Rule::SnmpUser => {
                for word in [&b"auth"[..], b"priv"] {
                    // The name of an algorithm, and the bits of its keys.
                    let rest = self.behind(word).unwrap_or_default().iter().skip(1);
                    if let Some(secret) = rest.clone().find(|word| !self.is(word, &[b"128", b"192", b"256"])) {
                        add(secret.clone());
                    }
                }
                None
            }
            Rule::Key => self.only(self.behind(b"key").unwrap_or_default()),
            Rule::Address => match self.without_type(self.words) {
                [secret, next, ..] if self.is(next, &[b"address", b"hostname"]) => Some(secret.clone()),
                _ => None,
            },
            Rule::Digest => match self.words {
                [number, kind, rest @ ..] if self.is_number(number) && self.is(kind, &[b"md5"]) => {
                    self.without_type(rest).first().cloned()
                }
                _ => None,
            },
        };
        secret.into_iter().for_each(add);
    }

    /// Reports whether a word is a password and not one of a sentence: a type is before it, or it has a digit.
    fn is_password(&self, secret: &Range<usize>, words: &[Range<usize>]) -> bool {
        let word = &self.text[secret.clone()];
        words.len() > 1 || word.len() >= SHORTEST && word.iter().any(u8::is_ascii_digit)
    }
}
