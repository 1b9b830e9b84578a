//! Tables whose lines are drawn with characters of Unicode.

use std::borrow::Cow;

use memchr::memmem;

/// What the characters of boxes (U+2500 to U+257F) begin with.
const BEGINNING: u8 = 0xe2;

/// The upright lines: single, thick, doubled.
const BARS: [&[u8]; 3] = ["│".as_bytes(), "┃".as_bytes(), "║".as_bytes()];

/// Returns a text with bars and dashes instead of the lines of boxes, in which all else is where it was.
pub(super) fn plain(text: &[u8]) -> Cow<'_, [u8]> {
    if BARS.iter().all(|bar| memmem::find(text, bar).is_none()) {
        return Cow::Borrowed(text);
    }
    let mut plain = text.to_vec();
    for at in memchr::memchr_iter(BEGINNING, text) {
        let with: &[u8; 3] = match text.get(at..at + 3) {
            Some(bar) if BARS.contains(&bar) => b"|  ",
            Some([_, 0x94 | 0x95, _]) => b"---",
            _ => continue,
        };
        plain[at..at + 3].copy_from_slice(with);
    }
    Cow::Owned(plain)
}
