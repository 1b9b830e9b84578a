//! Secrets that a command or a cloud-config writes to a file whose name says so, those that `printf` has the names of, what `sed` writes
//! instead of their names, and what `expect` answers.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::readers::{Input, input, last_word, words_of_echo};
use super::{LONGEST, arguments, lines};
use crate::redaction::names::announces;
use crate::redaction::value::{Name, Reader, is_name_byte};

/// Bytes of the longest name of a file.
const LONGEST_NAME: usize = 128;

/// How far from its path the content of a file is looked for.
const OBJECT: usize = 512;

/// The most arguments of `printf`.
const ARGUMENTS: usize = 32;

static FINDERS: LazyLock<[Finder<'static>; 6]> =
    LazyLock::new(|| ["tee ", "printf ", "sed ", "path", "assword", "perl -"].map(Finder::new));

/// Parts of commands that read their standard input.
const READING: [&[u8]; 5] = [b"stdin", b"sudo -S", b"sudo -kS", b"chpasswd", b"--with-token"];

/// The beginning of a line of a trace.
static TRACE: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| ["+ ", "+("].map(Finder::new));

/// Adds such secrets.
pub(super) fn find(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    let [tee, printf, sed, path, question, perl] = &*FINDERS;
    for sign in memchr::memchr_iter(b'>', text) {
        let is_file = arguments(text, sign + 1).next().is_some_and(|word| is_secret_file(text, &word));
        if is_file && !matches!(text[..sign], [.., b'-' | b'=']) {
            written(text, sign, add);
        }
    }
    for at in tee.find_iter(text) {
        let file = arguments(text, at + tee.needle().len()).find(|word| text[word.start] != b'-');
        if file.is_some_and(|word| is_secret_file(text, &word)) {
            let begin = at.saturating_sub(LONGEST_NAME);
            written(text, memchr::memrchr(b'|', &text[begin..at]).map_or(at, |pipe| begin + pipe), add);
        }
    }
    for at in printf.find_iter(text) {
        of_printf(text, at + printf.needle().len(), add);
    }
    for editor in [sed, perl] {
        for at in editor.find_iter(text) {
            of_sed(text, at + editor.needle().len(), add);
        }
    }
    if TRACE.iter().any(|mark| mark.find(text).is_some()) {
        traced(text, add);
    }
    for at in path.find_iter(text) {
        content_of_file(text, at + path.needle().len()).into_iter().for_each(&mut *add);
    }
    for at in question.find_iter(text) {
        let end = at + question.needle().len();
        let is_question =
            text[end..].starts_with(b":") || memmem::rfind(&text[at.saturating_sub(16)..at], b"expect ").is_some();
        if is_question {
            answer(text, end).into_iter().for_each(&mut *add);
        }
    }
}

/// Adds what `echo` writes in the trace of a shell, beside the line of the command that reads it: `+ echo x` and `+ sudo -S id`.
fn traced(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    let mut at = 0;
    let mut last: Option<Range<usize>> = None;
    for line in text.split(|byte| *byte == b'\n') {
        let begin = if line.len() <= LONGEST { begin_of_traced(line) } else { None };
        let command = begin.map(|begin| at + begin..at + line.trim_ascii_end().len().max(begin));
        at += line.len() + 1;
        if let (Some(one), Some(other)) = (&last, &command) {
            for (writer, reader) in [(one, other), (other, one)] {
                let words = &text[writer.clone()];
                let is_writer = words.starts_with(b"echo ") || words.starts_with(b"printf ");
                let Some(input) = is_writer.then(|| input_of_trace(text, reader)).flatten() else { continue };
                let from = writer.start + words_of_echo(words).unwrap_or_default();
                let word = last_word(text, from..writer.end, input != Input::Password);
                // A message has blanks.
                word.filter(|word| !text[word.clone()].contains(&b' ')).into_iter().for_each(&mut *add);
            }
        }
        last = command;
    }
}

/// Returns where the command begins in a line of a trace: behind its signs, which a log may have its time before, and behind the place in the
/// script, if the shell writes that: `+ echo x`, `2026-11-22 05:54:15 + echo x`, `+(/opt/a.sh:12): main(): echo x`.
fn begin_of_traced(line: &[u8]) -> Option<usize> {
    /// Bytes of the longest prefix of a log.
    const PREFIX: usize = 160;
    let is_time = |text: &[u8]| {
        text.windows(5)
            .any(|time| matches!(time, [a, b, b':', c, d] if [a, b, c, d].iter().all(|byte| byte.is_ascii_digit())))
    };
    let begin = if line.starts_with(b"+") {
        0
    } else {
        let mark = memmem::find(&line[..line.len().min(PREFIX)], b" +")?;
        is_time(&line[..mark]).then_some(mark + 1)?
    };
    let signs = line[begin..].iter().take_while(|byte| **byte == b'+').count();
    let rest = &line[begin + signs..];
    let place = match rest.first()? {
        b'(' => memmem::rfind(&rest[..rest.len().min(PREFIX)], b"): ")? + 3,
        b' ' => 1,
        _ => return None,
    };
    Some(begin + signs + place)
}

/// Returns what a command in a trace reads, also if it writes it to the file of a secret. Whether there was a pipe is not shown: others
/// need none.
fn input_of_trace(text: &[u8], command: &Range<usize>) -> Option<Input> {
    let is_kept = text[command.clone()].starts_with(b"tee ")
        && arguments(text, command.start + 4)
            .find(|word| text[word.start] != b'-')
            .is_some_and(|file| file.end <= command.end && is_secret_file(text, &file));
    let reads = READING.iter().any(|option| memmem::find(&text[command.clone()], option).is_some());
    if is_kept { Some(Input::Password) } else { input(&text[command.clone()]).filter(|_| reads) }
}

/// Reports whether the name of a file says that it has a secret.
pub(in crate::redaction) fn is_secret_file(text: &[u8], path: &Range<usize>) -> bool {
    if path.len() > LONGEST_NAME {
        return false;
    }
    let path = &text[path.clone()];
    let name = &path[path.iter().rposition(|byte| b"/\\".contains(byte)).map_or(0, |slash| slash + 1)..];
    // A key that is written as a text, and a file of accounts.
    let name = [&b".txt"[..], b"-s3fs"].iter().find_map(|end| name.strip_suffix(*end)).unwrap_or(name);
    name.ends_with(b".key") || std::str::from_utf8(name).is_ok_and(announces)
}

/// Adds what `echo` or a here-document writes, of whose command the beginning ends here.
fn written(text: &[u8], end: usize, add: &mut impl FnMut(Range<usize>)) {
    let begin = end.saturating_sub(LONGEST);
    let line = begin + memchr::memrchr(b'\n', &text[begin..end]).map_or(0, |feed| feed + 1);
    let other = [&b"; "[..], b"&& "].iter().filter_map(|sign| memmem::rfind(&text[line..end], sign)).max();
    let command = line + other.unwrap_or_default();
    // The signs of `>>` and `1>`.
    let before = text[command..end].trim_ascii_end().strip_suffix(b">").unwrap_or(&text[command..end]);
    if let Some(words) = words_of_echo(before).filter(|_| !before.contains(&b'|')) {
        last_word(text, command + words..command + before.len(), false).into_iter().for_each(add);
        return;
    }
    let rest = &text[command..text.len().min(end + LONGEST)];
    let Some(feed) = memchr::memchr(b'\n', &rest[end - command..]).map(|feed| end - command + feed) else { return };
    let Some(mark) = memmem::find(&rest[..feed], b"<<") else { return };
    let word = rest[mark + 2..feed]
        .iter()
        .position(u8::is_ascii_alphanumeric)
        .map_or(&b""[..], |at| &rest[mark + 2 + at..feed]);
    let word = &word[..word.iter().take_while(|byte| is_name_byte(**byte)).count()];
    let mut lines = rest[feed + 1..].split(|byte| *byte == b'\n');
    if let (Some(only), Some(last)) = (lines.next(), lines.next())
        && !word.is_empty()
        && last.trim_ascii() == word
    {
        add(command + feed + 1..command + feed + 1 + only.len());
    }
}

/// Adds the arguments that `printf` writes behind the names of secrets: `printf 'user=%s password=%s' bob x`.
fn of_printf(text: &[u8], from: usize, add: &mut impl FnMut(Range<usize>)) {
    let mut words = arguments(text, from).skip_while(|word| text[word.start] == b'-').take(ARGUMENTS);
    let Some(format) = words.next() else { return };
    let values: Vec<_> = words.collect();
    let format = &text[format];
    let places = memchr::memchr_iter(b'%', format).filter(|at| format.get(at + 1).is_some_and(u8::is_ascii_alphabetic));
    for (value, at) in values.into_iter().zip(places) {
        let signs = format[..at].iter().rev().take_while(|byte| b" \"'\\:=".contains(byte)).count();
        let before = &format[..at - signs];
        let name = before.iter().rev().take(LONGEST_NAME).take_while(|byte| is_name_byte(**byte)).count();
        // The letter of an escape is none of a name.
        let name = name - usize::from(before[..before.len() - name].ends_with(b"\\"));
        let is_named = signs > 0 && std::str::from_utf8(&before[before.len() - name..]).is_ok_and(announces);
        // A line of `.pgpass`.
        let is_last = || lines::of_pgpass(&format[..at + 2]).is_some_and(|found| found.start == at);
        if is_named || is_last() {
            add(value);
        }
    }
}

/// Adds what `sed` writes instead of the name of a secret: `s/@PASSWORD@/x/`.
fn of_sed(text: &[u8], from: usize, add: &mut impl FnMut(Range<usize>)) {
    let rest = text[from..].iter().take(LONGEST).take_while(|byte| **byte != b'\n').count();
    let line = &text[from..from + rest];
    let mut read = 0;
    for at in memchr::memchr_iter(b's', line) {
        let Some(sign) = line.get(at + 1).copied().filter(|sign| b"/|#,@!~%".contains(sign)) else { continue };
        if at < read || at > 0 && !b" '\";".contains(&line[at - 1]) {
            continue;
        }
        let mut signs = memchr::memchr_iter(sign, &line[at + 2..]).map(|found| at + 2 + found);
        let (Some(middle), Some(end)) = (signs.next(), signs.next()) else { continue };
        let pattern = &line[at + 2..middle];
        let is_sign = |byte: &u8| b"_@{}%<>[]$#- ".contains(byte);
        let begin = pattern.iter().position(|byte| !is_sign(byte)).unwrap_or(pattern.len());
        let name = &pattern[begin..];
        let name = &name[..name.iter().rposition(|byte| !is_sign(byte)).map_or(0, |last| last + 1)];
        let end_of_mark = [&b"_PLACEHOLDER"[..], b"_HERE"].iter().find_map(|mark| name.strip_suffix(*mark));
        let name = end_of_mark.unwrap_or(name);
        let is_marked = name.len() < pattern.len() || !name.iter().any(u8::is_ascii_lowercase);
        if is_marked && std::str::from_utf8(name).is_ok_and(announces) {
            add(from + middle + 1..from + end);
        }
        read = end;
    }
}

/// Returns the content of a file in a cloud-config, if the value of a field `path` says that it has a secret.
fn content_of_file(text: &[u8], end: usize) -> Option<Range<usize>> {
    let signs = text[end..].iter().take(8).take_while(|byte| b"\"': ".contains(byte)).count();
    let begin = end + signs;
    let length = text[begin..]
        .iter()
        .take(LONGEST_NAME)
        .take_while(|byte| byte.is_ascii_graphic() && !b"\"',}".contains(byte))
        .count();
    if !text[end..begin].contains(&b':') || !is_secret_file(text, &(begin..begin + length)) {
        return None;
    }
    let ends = [&b"\n- "[..], b"\n  - ", b"{", b"}"];
    let before = &text[end.saturating_sub(OBJECT)..end];
    let first = ends.iter().filter_map(|sign| memmem::rfind(before, sign)).max().unwrap_or_default();
    let after = &text[begin..text.len().min(begin + OBJECT)];
    let last = ends.iter().filter_map(|sign| memmem::find(after, sign)).min().unwrap_or(after.len());
    let object = end - before.len() + first..begin + last;
    let field = [&b"inline"[..], b"content"];
    field.iter().find_map(|field| {
        let name = object.start + memmem::find(&text[object.clone()], field)?;
        Reader::new(&text[..object.end]).value(&Name::plain(name..name + field.len()))
    })
}

/// Returns what a script sends after it has waited for the question for a password: `expect "assword:"` and `send "x\r"`.
fn answer(text: &[u8], from: usize) -> Option<Range<usize>> {
    let rest = &text[from..text.len().min(from + OBJECT / 4)];
    let at = memmem::find(rest, b"send")?;
    let open = at + rest[at..].iter().position(|byte| b"\"'".contains(byte))?;
    let is_call = rest[at + 4..open].iter().all(|byte| byte.is_ascii_lowercase() || b" (-".contains(byte));
    let length = rest[open + 1..].iter().position(|byte| *byte == rest[open])?;
    let value = &rest[open + 1..open + 1 + length];
    let value = value.strip_suffix(b"\\r").or_else(|| value.strip_suffix(b"\\n")).unwrap_or(value);
    is_call.then(|| from + open + 1..from + open + 1 + value.len())
}
