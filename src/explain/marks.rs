//! Where marks are in a text, and the numbers behind them.

use memchr::memmem;

/// The most results in a text that are examined, from its end.
pub(super) const RESULTS: usize = 1000;

/// Reports whether a text has a part.
pub(super) fn has(text: &str, part: &str) -> bool {
    memmem::find(text.as_bytes(), part.as_bytes()).is_some()
}

/// Returns the positions of a mark in a text, from its end, at most [`RESULTS`].
pub(super) fn from_the_end(text: &str, mark: &str) -> Vec<usize> {
    // Most texts do not have it, which the search from the start finds several times faster.
    if !has(text, mark) {
        return Vec::new();
    }
    text.rmatch_indices(mark).take(RESULTS).map(|(at, _)| at).collect()
}

/// Returns the number at the start of a text, after blanks, quotes and punctuation.
pub(super) fn number_at(text: &str) -> Option<i64> {
    let rest = text.trim_start_matches([' ', '=', ':', '\'', '"', '\\', '(', '`', '*']);
    if text.len() - rest.len() > 20 {
        return None;
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    rest[..digits].parse().ok().filter(|code| *code <= 255)
}
