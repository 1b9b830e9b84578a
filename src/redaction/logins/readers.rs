//! Passwords that a shell passes to the standard input of programs: by `echo` and a pipe, `<<<`, or a here-document.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::{LONGEST, arguments};
use crate::redaction::names::announces;
use crate::redaction::value::is_name_byte;

/// Bytes of the longest here-document with passwords.
const DOCUMENT: usize = 4096;

/// The most lines of a here-document that are a password and its repetition.
const LINES: usize = 4;

/// What a program reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    Password,
    /// Lines of `USER:PASSWORD`, of which the password may be the first of several further fields.
    Accounts,
    /// Anything, which is an account if it has a colon.
    Any,
    /// Commands, one of which is `user NAME PASSWORD`.
    Commands,
}

/// Programs and options with which they read a password.
const READERS: [(&str, Input); 47] = [
    ("--password-stdin", Input::Password),
    ("--stdin-password", Input::Password),
    ("passwd-on-stdin", Input::Password),
    ("password_stdin", Input::Password),
    ("keystore add", Input::Password),
    ("adduser ", Input::Password),
    ("secret create", Input::Password),
    ("base64", Input::Any),
    ("passwd --stdin", Input::Password),
    ("cryptsetup ", Input::Password),
    ("keyformat=passphrase", Input::Password),
    ("zfs load-key", Input::Password),
    ("zfs change-key", Input::Password),
    ("sudo -S", Input::Password),
    ("sudo -kS", Input::Password),
    ("sudo --stdin", Input::Password),
    ("kinit ", Input::Password),
    ("realm join", Input::Password),
    ("--with-token", Input::Password),
    ("--passphrase-fd 0", Input::Password),
    ("pass stdin", Input::Password),
    ("smbpasswd ", Input::Password),
    ("pdbedit ", Input::Password),
    ("kpasswd ", Input::Password),
    ("vncpasswd -f", Input::Password),
    ("mkpasswd -", Input::Password),
    ("htpasswd -", Input::Password),
    ("openssl passwd ", Input::Password),
    (" passwd ", Input::Password),
    ("wg pubkey", Input::Password),
    ("create secret", Input::Password),
    ("gcloud secrets ", Input::Password),
    ("secret-tool store", Input::Password),
    ("pass insert", Input::Password),
    ("systemd-creds encrypt", Input::Password),
    ("keepassxc-cli ", Input::Password),
    ("vault login -", Input::Password),
    ("gh secret set", Input::Password),
    ("wrangler secret put", Input::Password),
    ("devops login", Input::Password),
    ("cargo login", Input::Password),
    ("runas ", Input::Password),
    ("ecryptfs-", Input::Password),
    ("keylocation=prompt", Input::Password),
    ("chpasswd", Input::Accounts),
    ("newusers", Input::Accounts),
    (" ftp -", Input::Commands),
];

static READER_FINDERS: LazyLock<[(Finder<'static>, Input); READERS.len()]> =
    LazyLock::new(|| READERS.map(|(reader, input)| (Finder::new(reader), input)));

static HERE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("<<"));

static ACCOUNTS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("chpasswd"));

/// Adds such passwords.
pub(super) fn find(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    let files = files_of_accounts(text);
    if !files.is_empty() {
        for sign in memchr::memchr_iter(b'>', text).filter(|sign| writes(text, *sign, &files)) {
            let line = begin_of_line(text, sign);
            let command = [&b"; "[..], b"&& "].iter().filter_map(|other| memmem::rfind(&text[line..sign], other)).max();
            let begin = line + command.unwrap_or_default();
            let before = text[begin..sign].strip_suffix(b">").unwrap_or(&text[begin..sign]);
            if let Some(words) = words_of_echo(before) {
                last_word(text, begin + words..begin + before.len(), true).into_iter().for_each(&mut *add);
            }
        }
    }
    for pipe in memchr::memchr_iter(b'|', text) {
        piped(text, pipe, add);
    }
    let mut read = 0;
    for at in HERE.find_iter(text) {
        if at >= read {
            read = here(text, at, &files, add);
        }
    }
}

/// Returns the files whose lines `chpasswd` reads: `chpasswd < /tmp/users`.
fn files_of_accounts(text: &[u8]) -> Vec<&[u8]> {
    /// The most files.
    const MOST: usize = 16;
    let commands = ACCOUNTS.find_iter(text).filter_map(|at| {
        let end = end_of_command(text, at);
        let sign = at + memchr::memchr(b'<', &text[at..end])?;
        let file = (text.get(sign + 1) != Some(&b'<')).then(|| arguments(text, sign + 1).next()).flatten()?;
        Some(&text[file])
    });
    commands.take(MOST).collect()
}

/// Reports whether the sign of a redirection is before one of some files.
fn writes(text: &[u8], sign: usize, files: &[&[u8]]) -> bool {
    arguments(text, sign + 1).next().is_some_and(|word| files.contains(&&text[word]))
}

/// Returns what a command reads, if it is one of a reader.
pub(super) fn input(command: &[u8]) -> Option<Input> {
    // Another user's password, or one's own.
    if command.starts_with(b"su ") || command.trim_ascii() == b"passwd" {
        return Some(Input::Password);
    }
    let command = [b" ", command].concat();
    READER_FINDERS.iter().find(|(reader, _)| reader.find(&command).is_some()).map(|(_, input)| *input)
}

/// Returns where the line of a place begins; lines that a backslash joins are one.
fn begin_of_line(text: &[u8], at: usize) -> usize {
    let lowest = at.saturating_sub(LONGEST);
    let feeds = memchr::memrchr_iter(b'\n', &text[lowest..at]);
    let mut feeds = feeds.map(|feed| lowest + feed).filter(|feed| !text[..*feed].ends_with(b"\\"));
    feeds.next().map_or(lowest, |feed| feed + 1)
}

/// Returns where the command ends that a place is in.
fn end_of_command(text: &[u8], at: usize) -> usize {
    let rest = &text[at..text.len().min(at + LONGEST)];
    let line = &rest[..memchr::memchr2(b'\n', b'|', rest).unwrap_or(rest.len())];
    let other = [&b"; "[..], b"&& "].iter().filter_map(|sign| memmem::find(line, sign)).min();
    at + other.unwrap_or(line.len())
}

/// Reports whether another command is in between, which a pipe belongs to.
fn is_other(words: &[u8]) -> bool {
    [&b"; "[..], b"&& "].iter().any(|sign| memmem::find(words, sign).is_some())
}

/// Adds what `echo` or `printf` passes through a pipe, also several of them in parentheses.
fn piped(text: &[u8], pipe: usize, add: &mut impl FnMut(Range<usize>)) {
    let line = begin_of_line(text, pipe);
    let before = text[line..pipe].trim_ascii_end();
    let before = before.strip_suffix(b"\\").map_or(before, <[u8]>::trim_ascii_end);
    if before.ends_with(b"|") || words_of_echo(before).is_none() {
        return;
    }
    let begin = pipe + 1 + text[pipe + 1..].iter().take(64).take_while(|byte| b" \t\r\n\\".contains(byte)).count();
    let Some(input) = input(&text[begin..end_of_command(text, begin)]) else { return };
    if let Some(inside) = before.strip_suffix(b")") {
        let open = memchr::memrchr(b'(', inside).map_or(0, |open| open + 1);
        let mut from = line + open;
        for command in inside[open..].split(|byte| *byte == b';') {
            if let Some(words) = words_of_echo(command) {
                last_word(text, from + words..from + command.len(), input != Input::Password)
                    .into_iter()
                    .for_each(&mut *add);
            }
            from += command.len() + 1;
        }
        return;
    }
    let Some(program) = words_of_echo(before).map(|words| line + words) else { return };
    let end = line + before.len();
    if !is_other(&text[program..end]) {
        let is_account = input != Input::Password;
        // `printf 'user:%s' x`
        let is_formatted = || is_account && memmem::find(&text[program..end], b":%s").is_some();
        let word = last_word(text, program..end, is_account);
        word.or_else(|| is_formatted().then(|| last_word(text, program..end, false))?).into_iter().for_each(add);
    }
}

/// Adds the word behind `<<<`, or the lines of a here-document, and returns where it ends.
fn here(text: &[u8], at: usize, files: &[&[u8]], add: &mut impl FnMut(Range<usize>)) -> usize {
    let line = begin_of_line(text, at);
    let begin = at + 2;
    let rest = &text[begin..text.len().min(begin + LONGEST)];
    let end = begin + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    if text[begin..].starts_with(b"<") {
        let command = [&b"; "[..], b"| ", b"&& "].iter().filter_map(|sign| memmem::rfind(&text[line..at], sign)).max();
        let word = word_of_shell(text, begin + 1..end);
        let skipped = match input(text[line + command.unwrap_or_default()..at].trim_ascii_start()) {
            Some(Input::Password) => Some(0),
            Some(Input::Accounts | Input::Any) => behind_user(&text[word.clone()]),
            Some(Input::Commands) | None => None,
        };
        let after = word.end.max(begin + 1);
        if let Some(skipped) = skipped {
            add(word.start + skipped..word.end);
        } else if let Some(account) = of_curl(&text[word.clone()]) {
            add(word.start + account.start..word.start + account.end);
        }
        return after;
    }
    let secret = || is_value_of_secret(&text[line..at]).then_some(Input::Password);
    let is_file = || memchr::memchr_iter(b'>', &text[line..end]).any(|sign| writes(text, line + sign, files));
    let accounts = || (!files.is_empty() && is_file()).then_some(Input::Accounts);
    let Some(input) = input(&text[line..end]).or_else(secret).or_else(accounts).filter(|input| *input != Input::Any)
    else {
        return end;
    };
    let quotes = rest.iter().take(4).take_while(|byte| b"-~'\"\\ ".contains(byte)).count();
    let mark = &rest[quotes..];
    let mark = &mark[..mark.iter().take(64).take_while(|byte| is_name_byte(**byte)).count()];
    let Some(body) = text.get(end + 1..).filter(|_| !mark.is_empty()) else { return end };
    let mut from = end + 1;
    for (number, content) in body[..body.len().min(DOCUMENT)].split(|byte| *byte == b'\n').enumerate() {
        let word = content.trim_ascii();
        if word == mark {
            break;
        }
        let start = from + content.len() - content.trim_ascii_start().len();
        match input {
            Input::Password if number < LINES && !word.contains(&b' ') => add(start..start + word.len()),
            Input::Accounts => {
                // The time of a log is no user.
                if let Some(skipped) = behind_user(word).filter(|_| !word[0].is_ascii_digit()) {
                    let length = memchr::memchr(b':', &word[skipped..]).unwrap_or(word.len() - skipped);
                    add(start + skipped..start + skipped + length);
                }
            }
            Input::Commands if word.starts_with(b"user ") => {
                arguments(word, 5).nth(1).into_iter().for_each(|word| add(start + word.start..start + word.end));
            }
            Input::Password | Input::Any | Input::Commands => {}
        }
        from += content.len() + 1;
    }
    from
}

/// Reports whether a command reads the value of a secret from a here-document: `read -r TOKEN <<EOF`, `password = <<EOT`, `PASSWORD=$(cat
/// <<EOF`.
fn is_value_of_secret(command: &[u8]) -> bool {
    let command = command.trim_ascii_end();
    let command = [&b"$(cat"[..], b"`cat"].iter().find_map(|cat| command.strip_suffix(*cat)).unwrap_or(command);
    let setting = command.strip_suffix(b"=").map(<[u8]>::trim_ascii_end);
    let name = setting.unwrap_or(command);
    let length = name.iter().rev().take(64).take_while(|byte| is_name_byte(**byte)).count();
    let is_read = setting.is_some() || memmem::find(command, b"read ").is_some();
    is_read && std::str::from_utf8(&name[name.len() - length..]).is_ok_and(announces)
}

/// Returns the first word of a command, without its quotes.
fn word_of_shell(text: &[u8], place: Range<usize>) -> Range<usize> {
    let inside = &text[place.clone()];
    let blanks = inside.len() - inside.trim_ascii_start().len();
    let begin = place.start + blanks;
    let inside = &inside[blanks..];
    let quotes = usize::from(inside.starts_with(b"$'"));
    match inside.get(quotes) {
        Some(quote @ (b'"' | b'\'')) => {
            let rest = &inside[quotes + 1..];
            let length = memchr::memchr(*quote, rest).unwrap_or(rest.len());
            begin + quotes + 1..begin + quotes + 1 + length
        }
        _ => begin..begin + inside.iter().take_while(|byte| !b" \t\r;|&<>)`\"'".contains(byte)).count(),
    }
}

/// Returns where the password of an account begins: `user:password`, and not a URL or a text.
pub(super) fn behind_user(word: &[u8]) -> Option<usize> {
    let colon = memchr::memchr(b':', word)?;
    let is_user = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-@$\\{}".contains(byte);
    (word[..colon].iter().all(is_user) && !word[colon..].starts_with(b"://") && !word.contains(&b' '))
        .then_some(colon + 1)
}

/// Returns where the words of the last `echo` or `printf` of a command begin.
pub(super) fn words_of_echo(command: &[u8]) -> Option<usize> {
    let found = [&b"echo "[..], b"printf "]
        .into_iter()
        .find_map(|name| memmem::rfind(command, name).map(|found| found + name.len()));
    // A program that repeats a word.
    found.or_else(|| {
        let begin = command.len() - command.trim_ascii_start().len();
        command[begin..].starts_with(b"yes ").then_some(begin + 4)
    })
}

/// Returns the last word, after options and a format: a password can have blanks in quotes only.
pub(super) fn last_word(text: &[u8], found: Range<usize>, is_account: bool) -> Option<Range<usize>> {
    let words = &text[found.clone()];
    let words = words.trim_ascii_end();
    let quote = words.last().copied().filter(|byte| b"\"'".contains(byte));
    let (start, end) = match quote {
        Some(quote) => (memchr::memrchr(quote, &words[..words.len() - 1])? + 1, words.len() - 1),
        None => (words.iter().rposition(u8::is_ascii_whitespace).map_or(0, |blank| blank + 1), words.len()),
    };
    let word = &words[start..end];
    let skipped = if is_account { behind_user(word)? } else { 0 };
    // The name of a variable, and what it is by default.
    let is_reference = quote != Some(b'\'') && word.starts_with(b"${") && word.ends_with(b"}");
    (start + skipped < end && !is_reference).then(|| found.start + start + skipped..found.start + end)
}

/// Returns the password in a line of `.curlrc`: `user = "user:password"`.
pub(super) fn of_curl(line: &[u8]) -> Option<Range<usize>> {
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
