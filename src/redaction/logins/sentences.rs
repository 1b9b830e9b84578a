//! Passwords in lines that name them in words, `Initial Root Token: x`, and in lines of protocols and of files whose columns are fixed.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memmem::{self, Finder};

use super::arguments;
use crate::redaction::names::announces;
use crate::redaction::value::{is_meaningful, is_name_byte, is_state};
use crate::secret::SHORTEST;

/// Words before the name of a secret that say which one it is.
const KINDS: [&[u8]; 33] = [
    b"please",
    b"use",
    b"following",
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
    let quotes = line[blank + 1..].iter().take(2).take_while(|byte| b"\"'\\".contains(byte)).count();
    let start = blank + 1 + if line.len() > blank + 1 + quotes { quotes } else { 0 };
    // The quote or the parenthesis may end what the whole sentence is in.
    let length = line[start..].iter().skip(1).take_while(|byte| !b"\"'\\)".contains(byte)).count() + 1;
    let value = &line[start..start + length];
    let before = line[..blank].trim_ascii_end();
    let (label, is_plain) = match before.strip_suffix(b":") {
        Some(label) => (label, false),
        None => (before.strip_suffix(b" is")?, true),
    };
    let label = label.strip_suffix(b" does not exist").unwrap_or(label);
    // A question shows what is the answer by default: `AWS Secret Access Key [None]: `.
    let label =
        label.strip_suffix(b"]").and_then(|label| memchr::memrchr(b'[', label)).map_or(label, |open| &label[..open]);
    // What a log has before its message.
    let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || b" -".contains(byte);
    let label = &label[label.len() - label.iter().rev().take(LONGEST_LABEL).take_while(is_in).count()..];
    let mut words: Vec<&[u8]> = label.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let is_sentence = words.pop_if(|word| *word == b"is").is_some();
    // `password for the elastic user`, `password to proceed to installation`.
    let mut has_subject = false;
    if let Some(subject) = words.iter().position(|word| [&b"for"[..], b"of", b"to"].contains(word))
        && (2..=4).contains(&(words.len() - subject))
    {
        words.truncate(subject);
        has_subject = true;
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
    if (is_made || is_plain && !is_told || has_subject && before.is_empty()) && !is_code {
        return None;
    }
    let is_sentence = is_sentence || is_made || has_subject;
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
    // `wrong password: x`, `invalid API key: x`
    let is_wrong = before.len() == 1 && before.iter().all(is_trouble) && if is_password { is_told } else { is_code };
    (is_secret && (before.iter().all(is_kind) || is_title || is_wrong)).then_some(start..start + length)
}

static AZ: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("az "));

/// The name of a secret in the middle of a sentence, and a blank.
static MENTIONS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let names = ["password ", "passphrase ", "token ", "secret ", "key ", "key: "];
    AhoCorasick::builder().ascii_case_insensitive(true).build(names).expect("the names are few")
});

/// Adds words behind the name of a secret that nobody would write by hand: `invalid token x`; and those that a message has in quotes:
/// `the bootstrap token "x" was not of the form`, `API key 'x' is invalid`.
pub(super) fn of_mentions(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    for name in MENTIONS.find_iter(text) {
        let quotes = text[name.end()..].iter().take(4).take_while(|byte| b"\"'`\\[".contains(byte)).count();
        let begin = name.end() + quotes;
        let rest = &text[begin..text.len().min(begin + LONGEST_LINE)];
        let length = rest.iter().take_while(|byte| is_of_random(**byte)).count();
        let quote = text[name.end()..begin].iter().rev().find(|byte| b"\"'`".contains(byte));
        let closing = quote.and_then(|quote| memchr::memchr3(*quote, b'\\', b'\n', rest));
        let behind = closing.map_or(&rest[length..], |end| rest[end..].trim_ascii_start());
        let mention = Mention { before: &text[name.start().saturating_sub(LONGEST_LABEL)..name.end()], behind };
        if quote.is_some() && mention.is_object() {
            continue;
        }
        // Others are found with their names.
        let is_told = text[..name.end()].ends_with(b": ");
        if is_told && quote.is_none() {
            continue;
        }
        if is_random(&rest[..length]) && !is_told {
            add(begin..begin + length);
        } else if let Some(end) = closing.filter(|end| mention.has_secret(&rest[..*end])) {
            add(begin..begin + end);
        } else if quote.is_none() && mention.tells_of_key(&rest[..length]) {
            add(begin..begin + length);
        }
    }
}

/// Words before the name of a key that is a word, and not one in a file.
const KINDS_OF_KEY: [&[u8]; 7] =
    [b"api", b"access", b"account", b"license", b"registration", b"shared", b"subscription"];

/// What is before and behind a word that a message mentions: its kind, and a blank; and what is said about it.
struct Mention<'t> {
    before: &'t [u8],
    behind: &'t [u8],
}

impl Mention<'_> {
    /// Returns the words before it, the last one first.
    fn words(&self) -> impl Iterator<Item = &[u8]> {
        let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
        self.before.rsplit(move |byte| !is_in(byte)).filter(|word| !word.is_empty())
    }

    /// Returns what is said about it, behind its quotes.
    fn said(&self) -> &[u8] {
        let quotes = self.behind.iter().take_while(|byte| b"\"'`\\ ".contains(byte)).count();
        &self.behind[quotes..]
    }

    /// Reports whether the name of an object of Kubernetes or a vault is mentioned: `secret "a" not found`.
    fn is_object(&self) -> bool {
        let is_said =
            [&b"not found"[..], b"does not exist", b"already exists", b"is forbidden", b"deleted", b"created"]
                .iter()
                .any(|words| self.said().starts_with(words));
        self.words().next().is_some_and(|word| word.eq_ignore_ascii_case(b"secret")) && is_said
    }

    /// Reports whether a word is a secret, and not the name of something or a part of a text that was parsed: `unexpected token "a"`.
    fn has_secret(&self, word: &[u8]) -> bool {
        const KINDS_OF_SECRET: [&[u8]; 6] = [b"api", b"app", b"application", b"client", b"shared", b"webhook"];
        let mut words = self.words();
        let [name, kind] = [words.next(), words.next()].map(|word| word.unwrap_or_default().to_ascii_lowercase());
        let is_named = match &*name {
            b"token" => ![&b"unexpected"[..], b"expected", b"near", b"unrecognized"].contains(&&*kind),
            b"secret" => KINDS_OF_SECRET.contains(&&*kind),
            b"key" => KINDS_OF_KEY.contains(&&*kind),
            _ => true,
        };
        // The name of an object of Kubernetes has hyphens.
        let is_name = word.contains(&b'-')
            && word.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(byte));
        is_named && !is_name && is_code(word) && is_meaningful(word) && !self.said().starts_with(b"expected")
    }

    /// Reports whether a sentence tells of a key, which has no quotes, that it is none: `API key x is invalid`.
    fn tells_of_key(&self, word: &[u8]) -> bool {
        let mut words = self.words();
        let is_key = words.next().is_some_and(|name| name.eq_ignore_ascii_case(b"key"))
            && words.next().is_some_and(|kind| KINDS_OF_KEY.contains(&&*kind.to_ascii_lowercase()));
        let is_told =
            [&b" is invalid"[..], b" is not valid", b" is expired", b" has expired", b" was rejected", b" was revoked"]
                .iter()
                .any(|said| self.behind.starts_with(said));
        is_key && is_told && is_code(word)
    }
}

/// Reports whether a word has letters and digits, and is as long as a secret that a program has made.
fn is_code(word: &[u8]) -> bool {
    const SHORTEST: usize = 8;
    word.len() >= SHORTEST
        && word.iter().all(u8::is_ascii_graphic)
        && word.iter().any(u8::is_ascii_digit)
        && word.iter().any(u8::is_ascii_alphabetic)
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

static SENTENCE_END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(". "));

/// Returns the secret at the end of a sentence that is not the last one of its line: `Incorrect API key provided: x. See https://a.`
pub(super) fn of_sentences(line: &[u8]) -> Option<Range<usize>> {
    let mut start = 0;
    SENTENCE_END.find_iter(line).find_map(|end| {
        let sentence = start..end;
        start = end + 2;
        of_label(&line[sentence.clone()]).map(|found| sentence.start + found.start..sentence.start + found.end)
    })
}

/// Returns the hash in a line of `/etc/shadow`, which may be in a form that has no mark: `user:HASH:19000:0:99999:7:::`.
pub(super) fn of_shadow(line: &[u8]) -> Option<Range<usize>> {
    const FIELDS: usize = 9;
    /// Characters of a hash by DES.
    const LENGTH: usize = 13;
    let word = line.trim_ascii_end();
    let fields: Vec<_> = word.split(|byte| *byte == b':').take(FIELDS + 1).collect();
    let [user, hash, days @ ..] = &fields[..] else { return None };
    let is_line = fields.len() == FIELDS && days.iter().all(|field| field.iter().all(u8::is_ascii_digit));
    let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || b"./$,=".contains(byte);
    (is_line && hash.len() >= LENGTH && hash.iter().all(is_in)).then(|| user.len() + 1..user.len() + 1 + hash.len())
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
