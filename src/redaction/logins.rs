//! Passwords after the options of programs that log in, and those that a shell passes to their standard input.

mod files;
mod lines;
mod programs;
mod readers;
mod routers;
mod sentences;
mod tables;

pub(super) use files::is_secret_file;

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use self::tables::{ACCOUNTS, JOINED, MARKS, PASSWORDS, Programs, USERS, WITHOUT_PASSWORD, WORDS};
use super::value::{is_meaningful, is_word_end};
use super::views;

/// The longest value of an option.
const LONGEST: usize = 1024;

/// How far before an option its program is looked for.
const COMMAND: usize = 256;

/// Finds the words of [`WORDS`], each with the number of words that it is followed by.
static WORD_FINDERS: LazyLock<[(Finder<'static>, usize); WORDS.len()]> =
    LazyLock::new(|| WORDS.map(|(words, skipped)| (Finder::new(words), skipped)));

/// Finds the [`MARKS`].
static MARK_FINDERS: LazyLock<[(Finder<'static>, Programs, Option<u8>); MARKS.len()]> =
    LazyLock::new(|| MARKS.map(|(mark, programs, sign)| (Finder::new(mark), programs, sign)));

static NET_USE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("net use "));

/// Options of `az` and PowerShell that the protected settings of an extension follow.
static PROTECTED: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| ["--protected-settings", "-ProtectedSettingString"].map(Finder::new));

static HTPASSWD: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("htpasswd "));

static CHPASSWD: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("chpasswd"));

/// Adds passwords after the options of programs that log in, and on their standard input: `docker login -p PASSWORD`, `curl -u
/// USER:PASSWORD`, `echo PASSWORD | docker login --password-stdin`.
pub(super) fn find(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    let mut add = |range: Range<usize>| {
        if is_meaningful(&text[range.clone()]) {
            ranges.push(range);
        }
    };
    // A command has words.
    if memchr::memchr(b' ', text).is_some() {
        of_commands(text, &mut add);
    }
    if let Some(command) = views::of_arguments(text) {
        of_commands(&command.text, &mut |range| {
            if !range.is_empty() {
                add(command.original_of(&range));
            }
        });
    }
    accounts_of_cloud_config(text, &mut add);
    programs::of_texts(text, &mut add);
    lines::find(text, &mut add);
    routers::find(text, &mut add);
    files::find(text, &mut add);
}

fn of_commands(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    for dash in memchr::memchr_iter(b'-', text) {
        match text[..dash] {
            // The options of a program can be in a variable: `CURL_OPTS='-u bob:x'`, `curl_args=(-u bob:x)`.
            [.., b' '] | [.., b'=', b'"' | b'\'' | b'('] => option(text, dash, None, add),
            [.., b' ', quote @ (b'"' | b'\'')] => option(text, dash, Some(quote), add),
            _ => {}
        }
    }
    for (words, skipped) in &*WORD_FINDERS {
        for at in words.find_iter(text) {
            let from = at + words.needle().len();
            if let Some(word) = arguments(text, from).filter(|word| !is_option(&text[word.clone()])).nth(*skipped) {
                add(word);
            }
        }
    }
    for (mark, programs, sign) in &*MARK_FINDERS {
        for at in mark.find_iter(text) {
            let begin = at + mark.needle().len();
            let is_here = text.get(begin).is_some_and(|byte| !byte.is_ascii_whitespace());
            if !is_here || !runs(command_before(text, at), programs) {
                continue;
            }
            let Some(word) = arguments(text, begin).next() else { continue };
            let skipped = sign.map(|sign| memchr::memchr(sign, &text[word.clone()]).map(|found| found + 1));
            if let Some(skipped) = skipped.unwrap_or(Some(0)) {
                add(word.start + skipped..word.end);
            }
        }
    }
    for password in NET_USE.find_iter(text).filter_map(|at| of_net_use(text, at + NET_USE.needle().len())) {
        add(password);
    }
    for at in HTPASSWD.find_iter(text) {
        let mut words = arguments(text, at + HTPASSWD.needle().len()).peekable();
        let (mut is_batch, mut prints) = (false, false);
        while let Some(options) = words.next_if(|word| text[word.start] == b'-') {
            is_batch |= text[options.clone()].contains(&b'b');
            prints |= text[options].contains(&b'n');
        }
        // The file, the user and the password, or with `-n` no file.
        if let Some(word) = words.nth(if prints { 1 } else { 2 }).filter(|_| is_batch) {
            add(word);
        }
    }
    for option in &*PROTECTED {
        let mut covered = 0;
        for at in option.find_iter(text) {
            if at >= covered
                && let Some(found) = protected_settings(text, at + option.needle().len())
            {
                covered = found.end;
                add(found);
            }
        }
    }
    programs::find(text, add);
    readers::find(text, add);
}

/// Returns what is between the braces of an object of JSON behind an option, up to the last one in its line or its quotes.
fn protected_settings(text: &[u8], at: usize) -> Option<Range<usize>> {
    /// Bytes of the longest settings that are found.
    const LONGEST: usize = 64 << 10;
    let signs = text[at..].iter().take(4).take_while(|byte| b" =\"'".contains(byte)).count();
    let rest = text[at + signs..].strip_prefix(b"{")?;
    let rest = &rest[..rest.len().min(LONGEST)];
    let end = if text[..at + signs].ends_with(b"'") { b'\'' } else { b'\n' };
    let rest = &rest[..memchr::memchr(end, rest).unwrap_or(rest.len())];
    let begin = at + signs + 1;
    Some(begin..begin + memchr::memrchr(b'}', rest).unwrap_or(rest.len()))
}

/// Reports whether a word is an option: `-x`, or `/add` and `/active:no` of Windows.
fn is_option(word: &[u8]) -> bool {
    let name = word.strip_prefix(b"/").map(|name| &name[..memchr::memchr(b':', name).unwrap_or(name.len())]);
    word.starts_with(b"-") || name.is_some_and(|name| !name.is_empty() && name.iter().all(u8::is_ascii_lowercase))
}

/// Returns the command that a place is in, up to there.
fn command_before(text: &[u8], at: usize) -> &[u8] {
    let line = &text[at.saturating_sub(COMMAND)..at];
    let line = line.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    // Another command after it has options of its own.
    let command = [&b"; "[..], b"| ", b"&& "].iter().filter_map(|sign| memmem::rfind(line, sign)).max();
    &line[command.unwrap_or_default()..]
}

/// Reports whether a command has one of some programs.
fn runs(command: &[u8], programs: &[&[u8]]) -> bool {
    programs.iter().any(|program| memmem::find(command, program).is_some())
}

/// Adds the value of an option, if its program comes before. The option may begin after a quote.
fn option(text: &[u8], at: usize, opened: Option<u8>, add: &mut impl FnMut(Range<usize>)) {
    let option = at + 1;
    let rest = &text[option..];
    let letters = rest.iter().take(16).take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'-').count();
    let command = command_before(text, at);
    let runs = |programs: &[&[u8]]| runs(command, programs);
    let value = |begin: usize| {
        let quotes = text[begin..].iter().take(16).take_while(|byte| b" \t=\"',".contains(byte)).count();
        let begin = begin + quotes;
        let rest = text[begin..].iter().take(LONGEST);
        let quote = if quotes == 0 { opened } else { Some(text[begin - 1]) };
        let end = match quote {
            Some(quote @ (b'"' | b'\'')) => rest.take_while(|byte| **byte != quote && **byte != b'\n').count(),
            _ => rest.take_while(|byte| !is_word_end(**byte) || **byte == b',').count(),
        };
        begin..begin + end
    };
    for (name, programs) in PASSWORDS {
        if letters == name.len() && rest.starts_with(name) && (programs.is_empty() || runs(programs)) {
            add(value(option + letters));
        }
    }
    // `-u USER -p PASSWORD` and `-p:PASSWORD`, in any order.
    if letters == 1 && rest.starts_with(b"p") && has_user(&text[at - command.len()..], command.len()) {
        let found = value(option + letters + usize::from(rest[1..].starts_with(b":")));
        let word = &text[found.clone()];
        if !word.iter().all(|byte| byte.is_ascii_digit() || *byte == b':')
            && !word.contains(&b'=')
            && !word.starts_with(b"-")
        {
            add(found);
        }
    }
    for (name, programs) in JOINED {
        let is_joined = rest.starts_with(name) && !matches!(rest.get(name.len()), None | Some(b' ' | b'-'));
        if is_joined && !rest.starts_with(b"proxy") && runs(programs) {
            add(value(option + name.len()));
        }
    }
    if rest.starts_with(b"-value") && runs(&[b"put-parameter"]) {
        let line = &rest[..memchr::memchr(b'\n', &rest[..rest.len().min(COMMAND)]).unwrap_or(rest.len().min(COMMAND))];
        if memmem::find(line, b"SecureString").is_some() {
            add(value(option + letters));
        }
    }
    for (name, sign, programs) in ACCOUNTS {
        // `-uUSER:PASSWORD` and `-sSu USER:PASSWORD`.
        let length = match name {
            [letter] if letters > 1 && rest[letters - 1] == *letter && rest[..letters].is_ascii() => letters,
            [_] if rest.starts_with(name) => 1,
            _ if letters == name.len() && rest.starts_with(name) => letters,
            _ => continue,
        };
        if programs.is_empty() || runs(programs) {
            let value = value(option + length);
            // `'bob':'x'` of a shell.
            if let [b'"' | b'\'', next, ..] = text[value.end..]
                && next == sign
                && text[..value.start].last() == Some(&text[value.end])
            {
                arguments(text, value.end + 2).next().into_iter().for_each(&mut *add);
            }
            let found = memchr::memchr(sign, &text[value.clone()]).filter(|_| text[value.start] != b'-');
            // A URL is none.
            if let Some(password) = found.map(|found| value.start + found + 1..value.end)
                && !text[password.clone()].starts_with(b"//")
            {
                // `conn='x y'` of a shell.
                let quoted = password.is_empty().then(|| quoted(text, password.end)).flatten();
                add(quoted.unwrap_or(password));
            }
        }
    }
}

/// Returns what is in quotes that begin here.
fn quoted(text: &[u8], at: usize) -> Option<Range<usize>> {
    let quote = *text.get(at).filter(|byte| b"\"'".contains(byte))?;
    let length = text[at + 1..].iter().take(LONGEST).position(|byte| *byte == quote || *byte == b'\n')?;
    Some(at + 1..at + 1 + length)
}

/// Reports whether a command, of which so many bytes are before an option `p`, has a user, and `p` may be a password.
fn has_user(text: &[u8], before: usize) -> bool {
    let command = &text[..before];
    let rest = &text[before..text.len().min(before + COMMAND)];
    let rest = &rest[..memchr::memchr3(b'\n', b'|', b';', rest).unwrap_or(rest.len())];
    let is_followed = |command: &[u8]| {
        let mut found = USERS.iter().filter_map(|user| memmem::find(command, user).map(|at| at + user.len()));
        found.any(|end| command.get(end).is_some_and(|byte| !b"- ".contains(byte)))
    };
    (is_followed(command) || is_followed(rest)) && !runs(command, &WITHOUT_PASSWORD)
}

/// Adds the passwords of `chpasswd` in a cloud-config, which are lines of `USER:PASSWORD`.
fn accounts_of_cloud_config(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    let mut covered = 0;
    for at in CHPASSWD.find_iter(text) {
        if at < covered {
            continue;
        }
        let near = &text[at..text.len().min(at + COMMAND)];
        let Some(list) = memmem::find(near, b"list") else { continue };
        covered = at + list + 4;
        for line in text[covered..text.len().min(covered + LONGEST)].split_inclusive(|byte| *byte == b'\n') {
            let is_sign = |byte: &&u8| byte.is_ascii_whitespace() || b"\"'\\|>-+[:,".contains(byte);
            let end = covered + line.len();
            let mut begin = covered;
            let is_list = loop {
                begin += text[begin..end].iter().take_while(is_sign).count();
                let length = text[begin..end].iter().take_while(|byte| !is_word_end(**byte)).count();
                // The time of a log is no user.
                let is_user = text[begin..end].first().is_some_and(|first| !first.is_ascii_digit());
                match memchr::memchr(b':', &text[begin..begin + length]) {
                    Some(colon) if colon > 0 && colon + 1 < length && is_user => add(begin + colon + 1..begin + length),
                    // The sign of the block, or the end of the line.
                    _ if length == 0 => break true,
                    _ => break false,
                }
                begin += length;
            };
            // Another list may begin in it.
            if !is_list {
                break;
            }
            covered = end;
        }
    }
}

/// Returns the words of a command, without their quotes, up to its end.
fn arguments(text: &[u8], from: usize) -> impl Iterator<Item = Range<usize>> {
    let mut at = from;
    let last = text.len().min(from + LONGEST);
    std::iter::from_fn(move || {
        at += text[at..last].iter().take_while(|byte| b" \t".contains(byte)).count();
        let first = *text[at..last].first().filter(|byte| !b"\r\n;|&<>".contains(byte))?;
        let quote = Some(first).filter(|byte| b"\"'".contains(byte));
        let begin = at + usize::from(quote.is_some());
        let ends = |byte: &u8| *byte == b'\n' || quote.map_or(is_word_end(*byte), |quote| *byte == quote);
        let end = begin + text[begin..last].iter().position(ends).unwrap_or(last - begin);
        at = end + usize::from(quote.is_some() && end < last && text[end] != b'\n');
        (begin < end).then_some(begin..end)
    })
}

/// Returns the password of `net use DEVICE \\HOST\SHARE PASSWORD /user:NAME`.
fn of_net_use(text: &[u8], from: usize) -> Option<Range<usize>> {
    let mut is_after_share = false;
    let rest = text[from..].iter().take(COMMAND).take_while(|byte| !b"\r\n;|&<>".contains(byte)).count();
    let mut at = from;
    for word in text[from..from + rest].split(|byte| *byte == b' ') {
        let quotes = word.iter().take_while(|byte| b"\"'".contains(byte)).count();
        let begin = at + quotes;
        at += word.len() + 1;
        let word = &word[quotes..];
        let word = &word[..word.iter().position(|byte| b"\"'".contains(byte)).unwrap_or(word.len())];
        if is_after_share && !word.is_empty() && !word.starts_with(b"/") && word != b"*" {
            return Some(begin..begin + word.len());
        }
        is_after_share |= word.starts_with(b"\\\\");
    }
    None
}
