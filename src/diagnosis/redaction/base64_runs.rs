//! Where a text has base64, and how it is decoded although it was cut off.

use std::ops::Range;

use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

/// Bytes of the shortest text that is taken for a key because of its letters.
const SHORTEST_RANDOM: usize = 40;

/// Decodes without padding, and ignores bits that are left over where a text was cut off.
pub(super) const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

pub(super) const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-')
}

/// Returns the longest ranges of bytes of a class.
pub(super) fn runs(text: &[u8], is_in: impl Fn(u8) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text.get(at..)?.iter().position(|byte| is_in(*byte))?;
        let length = text[start..].iter().take_while(|byte| is_in(**byte)).count();
        at = start + length;
        Some(start..at)
    })
}

/// Returns the ranges of base64 that is wrapped into lines.
pub(super) fn blocks(text: &[u8]) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut open: Option<(Range<usize>, usize)> = None;
    let mut at = 0;
    for line in text.split(|byte| *byte == b'\n') {
        let trimmed = line.trim_ascii();
        let is_packed = !trimmed.is_empty() && trimmed.iter().all(|byte| is_base64(*byte));
        let range = at..at + line.len();
        at += line.len() + 1;
        match &mut open {
            Some((block, lines)) if is_packed => {
                block.end = range.end;
                *lines += 1;
                // Only the last line is shorter.
                if trimmed.len() < SHORTEST_RANDOM {
                    blocks.extend(open.take().map(|(block, _)| block));
                }
            }
            Some(_) => blocks.extend(open.take().filter(|(_, lines)| *lines > 1).map(|(block, _)| block)),
            None if is_packed && trimmed.len() >= SHORTEST_RANDOM => open = Some((range, 1)),
            None => {}
        }
    }
    blocks.extend(open.filter(|(_, lines)| *lines > 1).map(|(block, _)| block));
    blocks
}

/// Reports whether a text is long and has letters of both cases and digits all over, as keys and their base64 have.
pub(super) fn is_random(text: &[u8]) -> bool {
    let count = |class: fn(&u8) -> bool| text.iter().filter(|byte| class(byte)).count();
    text.len() >= SHORTEST_RANDOM
        && count(u8::is_ascii_uppercase) >= 4
        && count(u8::is_ascii_lowercase) >= 4
        && count(u8::is_ascii_digit) >= 3
        && !text.starts_with(b"/")
        && count(|byte| *byte == b'/') <= text.len() / 12
        && count(|byte| *byte == b'-' || *byte == b'_') <= text.len() / 12
}
