//! Tells which entries of logs are errors, by the forms of klog and of the journal.

/// Reports whether a source file at a position logs an error: `E1120 10:00:00.000000 123 kubelet.go:72]`.
pub(super) fn is_klog_error(text: &str, at: usize) -> bool {
    /// The most bytes of level, time and process.
    const LONGEST: usize = 64;
    let from = text.floor_char_boundary(at.saturating_sub(LONGEST));
    let mut words = text[from..at].trim_end_matches(' ').rsplit([' ', '\n']);
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let (Some(process), Some(time), Some(level)) = (words.next(), words.next(), words.next()) else { return false };
    // A quote of another program can precede it.
    let date = level.get(level.len().saturating_sub(4)..).unwrap_or_default();
    let before = level.strip_suffix(date).unwrap_or_default();
    is_number(process)
        && time.contains(':')
        && date.len() == 4
        && is_number(date)
        && before.ends_with(['E', 'F'])
        && !before[..before.len() - 1].ends_with(|last: char| last.is_ascii_alphanumeric())
}

/// Reports whether a program in the journal logs an error, behind its name and `[`: `123]: E1120 10:00:00.000000`,
/// `123]: time="…" level=error`.
pub(super) fn is_journal_error(text: &str, at: usize) -> bool {
    /// The most bytes of the time of an entry.
    const LONGEST: usize = 64;
    let rest = text[at..].trim_start_matches(|character: char| character.is_ascii_digit());
    let Some(entry) = rest.strip_prefix("]: ") else { return false };
    let bytes = entry.as_bytes();
    let is_klog = bytes.len() > 5 && matches!(bytes[0], b'E' | b'F') && bytes[1..5].iter().all(u8::is_ascii_digit);
    let head = &entry[..entry.floor_char_boundary(LONGEST)];
    is_klog || ["level=error", "level=fatal", "level=panic"].iter().any(|level| head.contains(level))
}
