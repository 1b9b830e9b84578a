//! Passwords after the options of programs that log in.

use std::ops::Range;

use super::value::{is_meaningful, is_word_end};

/// The longest value of an option.
const LONGEST: usize = 1024;

/// How far before an option its program is looked for.
const COMMAND: usize = 256;

/// Adds what follows the options of programs that log in: `docker login -p PASSWORD`, `curl -u USER:PASSWORD`.
pub(super) fn find(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    for at in memchr::memmem::find_iter(text, b" -") {
        let option = at + 2;
        let rest = &text[option..];
        let long = [&b"-user"[..], b"-proxy-user"].into_iter().find(|long| rest.starts_with(long));
        let length = match (long, rest.first()) {
            (Some(long), _) => long.len(),
            (None, Some(b'p' | b'u' | b'U')) => 1,
            _ => continue,
        };
        let is_password = rest.starts_with(b"p");
        let after = rest[length..].iter().take(16).take_while(|byte| b" \t=\"',".contains(byte)).count();
        let begin = option + length + after;
        let value = text[begin..].iter().take(LONGEST).take_while(|byte| !is_word_end(**byte) || **byte == b',');
        let end = begin + value.count();
        let line = &text[at.saturating_sub(COMMAND)..at];
        let line = line.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let runs = |program: &[u8]| memchr::memmem::find(line, program).is_some();
        let range = if is_password {
            // `sshpass -pPASSWORD`
            (runs(b" login") && after > 0 || runs(b"sshpass")).then_some(begin..end)
        } else {
            let colon = text[begin..end].iter().position(|byte| *byte == b':');
            // `curl -uUSER:PASSWORD`
            let is_option = after > 0 || long.is_none() && !text[begin..end].starts_with(b"-");
            colon
                .filter(|_| is_option && (runs(b"curl") || runs(b"wget") || runs(b"login")))
                .map(|colon| begin + colon + 1..end)
        };
        ranges.extend(range.filter(|range| is_meaningful(&text[range.clone()])));
    }
}
