//! Where names and words end.

/// Returns where a text ends that is in single quotes and has doubled ones inside, in its line.
pub(super) fn end_of_doubled(rest: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let next = rest[at..].iter().position(|byte| b"'\n".contains(byte))? + at;
        match rest.get(next + 1) {
            Some(b'\'') if next > 0 && rest[next] == b'\'' => at = next + 2,
            _ => return (rest[next] == b'\'').then_some(next),
        }
    }
}

pub(in crate::redaction) const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

pub(in crate::redaction) const fn is_word_end(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(
            byte,
            0 | 0x1b | b'"' | b'\'' | b'\\' | b',' | b';' | b'&' | b'<' | b'>' | b')' | b'}' | b']' | b'`'
        )
}

/// Reports whether a backslash is that of `[\r]` or `[\n]`, which clients of HTTP show for the end of a line.
pub(super) fn is_shown_end(text: &[u8], backslash: usize) -> bool {
    text[..backslash].ends_with(b"[") && matches!(text[backslash..], [b'\\', b'r' | b'n', b']', ..])
}

/// Returns the length of the word at the beginning of a text. A comma, a semicolon or an ampersand is part of a password, unless
/// another pair follows or the word ends with it.
pub(super) fn word_length(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(next) = text[at..].iter().position(|byte| is_word_end(*byte)).map(|next| at + next) {
        // What a client of HTTP shows for the end of a line.
        if is_shown_end(text, next) {
            return next - 1;
        }
        let rest = &text[next + 1..];
        let name = rest.iter().take(64).take_while(|byte| is_name_byte(**byte)).count();
        let is_inside = b",;&".contains(&text[next])
            && name > 0
            && rest.get(name).is_none_or(|byte| !b"=:".contains(byte))
            && !(name == 64 || rest[name..].starts_with(b"\""));
        if !is_inside {
            return next;
        }
        at = next + 1;
    }
    text.len()
}
