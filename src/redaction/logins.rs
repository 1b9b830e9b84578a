//! Passwords after the options of programs that log in, and those that a shell passes to their standard input.

use std::ops::Range;

use memchr::memmem;

use super::value::{is_meaningful, is_word_end};

/// The longest value of an option.
const LONGEST: usize = 1024;

/// How far before an option its program is looked for.
const COMMAND: usize = 256;

/// Options that are followed by `USER:PASSWORD`, without their first dash, and the programs that have them; none: any program.
const ACCOUNTS: [(&[u8], &[&[u8]]); 8] = [
    (b"-proxy-user", CLIENTS),
    (b"-user", CLIENTS),
    (b"u", CLIENTS),
    (b"U", CLIENTS),
    (b"-creds", &[]),
    (b"-src-creds", &[]),
    (b"-dest-creds", &[]),
    (b"-cookie", &[b"curl"]),
];

const CLIENTS: &[&[u8]] = &[b"curl", b"wget", b"login", b"ctr "];

/// What reads a password, or lines of `USER:PASSWORD`, from its standard input.
const READERS: [(&[u8], bool); 3] = [(b"--password-stdin", false), (b"passwd --stdin", false), (b"chpasswd", true)];

/// Adds what follows the options of programs that log in, and what is passed to them: `docker login -p PASSWORD`,
/// `curl -u USER:PASSWORD`, `echo PASSWORD | docker login --password-stdin`.
pub(super) fn find(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    for at in memmem::find_iter(text, b" -") {
        let option = at + 2;
        let rest = &text[option..];
        let is_password = rest.starts_with(b"p") && !rest.starts_with(b"proxy");
        let account = ACCOUNTS.iter().find(|(name, _)| rest.starts_with(name));
        let length = match account {
            Some((name, _)) => name.len(),
            None if is_password || rest.starts_with(b"b") => 1,
            None => continue,
        };
        let after = rest[length..].iter().take(16).take_while(|byte| b" \t=\"',".contains(byte)).count();
        let begin = option + length + after;
        let value = text[begin..].iter().take(LONGEST).take_while(|byte| !is_word_end(**byte) || **byte == b',');
        let end = begin + value.count();
        let line = &text[at.saturating_sub(COMMAND)..at];
        let line = line.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let runs = |program: &[u8]| memmem::find(line, program).is_some();
        let after_sign = |sign| text[begin..end].iter().position(|byte| *byte == sign).map(|at| begin + at + 1..end);
        let range = match account {
            _ if is_password => {
                // `sshpass -pPASSWORD`, `mysql -pPASSWORD`
                let is_joined = after == 0 && runs(b"mysql") && end > begin;
                (runs(b" login") && after > 0 || runs(b"sshpass") || is_joined).then_some(begin..end)
            }
            Some((b"-cookie", _)) | None => after_sign(b'=').filter(|_| runs(b"curl") && after > 0),
            Some((name, programs)) => {
                // `curl -uUSER:PASSWORD`
                let is_option = after > 0 || name.len() == 1 && !text[begin..end].starts_with(b"-");
                let is_wanted = programs.is_empty() || programs.iter().any(|program| runs(program));
                after_sign(b':').filter(|_| is_option && is_wanted)
            }
        };
        ranges.extend(range.filter(|range| is_meaningful(&text[range.clone()])));
    }
    for (reader, is_account) in READERS {
        for at in memmem::find_iter(text, reader) {
            ranges
                .extend(passed(text, at, reader.len(), is_account).filter(|range| is_meaningful(&text[range.clone()])));
        }
    }
}

/// Returns what `echo` or `printf` passes to a program through a pipe, or `<<<` after it.
fn passed(text: &[u8], at: usize, length: usize, is_account: bool) -> Option<Range<usize>> {
    let begin = at.saturating_sub(LONGEST);
    let line = begin + memchr::memrchr(b'\n', &text[begin..at]).map_or(0, |feed| feed + 1);
    let rest = &text[at + length..text.len().min(at + length + LONGEST)];
    let rest = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let found = if let Some(here) = memmem::find(rest, b"<<<") {
        at + length + here + 3..at + length + rest.len()
    } else {
        let pipe = line + memchr::memrchr(b'|', &text[line..at])?;
        let before = &text[line..pipe];
        let program = [&b"echo "[..], b"printf "]
            .into_iter()
            .find_map(|name| memmem::rfind(before, name).map(|found| line + found + name.len()))?;
        // Another command in between is what the pipe belongs to.
        let words = program..pipe;
        if memmem::find(&text[words.clone()], b"; ").or_else(|| memmem::find(&text[words.clone()], b"&& ")).is_some() {
            return None;
        }
        words
    };
    // The last word, after options and a format: a password can have blanks in quotes only.
    let words = &text[found.clone()];
    let words = words.trim_ascii_end();
    let quote = words.last().copied().filter(|byte| b"\"'".contains(byte));
    let (start, end) = match quote {
        Some(quote) => (memchr::memrchr(quote, &words[..words.len() - 1])? + 1, words.len() - 1),
        None => (words.iter().rposition(u8::is_ascii_whitespace).map_or(0, |blank| blank + 1), words.len()),
    };
    let word = &words[start..end];
    let skipped = if is_account { memchr::memchr(b':', word)? + 1 } else { 0 };
    (start + skipped < end).then(|| found.start + start + skipped..found.start + end)
}
