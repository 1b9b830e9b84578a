//! Finds and decodes base64, base32 and hexadecimal digits in texts.

mod kinds;

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::ops::{Range, RangeInclusive};

use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

pub(super) use kinds::{
    is_compressed, is_mostly_text, is_text, may_be_deflated, of_utf_16, of_wide, texts, was_compressed,
};

/// Bytes of the shortest text that is taken for a key because of its characters.
const SHORTEST_RANDOM: usize = 40;

/// Bytes of the shortest text that is decoded.
const SHORTEST_BASE64: usize = 8;

/// The most characters in which bytes in other notations are looked for: secrets in them are short.
const SHORTEST_DIGITS: usize = 12;

/// Decodes without padding, and ignores bits that are left over where a text was cut off.
pub(super) const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'_' | b'-')
}

/// A piece of a text that may carry bytes.
pub(super) struct Packed<'t> {
    pub range: Range<usize>,
    characters: Cow<'t, [u8]>,
    notation: Notation,
    /// Whether it was joined from lines, which may be no more than words.
    is_joined: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Notation {
    Base64,
    /// In upper or lower case.
    Base32,
    Hexadecimal,
}

/// Without the place.
impl Hash for Packed<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.characters, self.notation, self.is_joined, self.range.len()).hash(state);
    }
}

impl Packed<'_> {
    /// Returns the bytes, once for each place at which the encoding may have begun: the text may be cut off at its beginning.
    pub fn contents(&self) -> impl Iterator<Item = Vec<u8>> {
        let places = match self.notation {
            Notation::Base64 => 4,
            // In each of two alphabets.
            Notation::Base32 => 16,
            Notation::Hexadecimal => 2,
        };
        (0..places).map(|place| {
            let characters = self.characters.get(place % 8..).unwrap_or_default();
            match self.notation {
                Notation::Base64 => of_base64(characters),
                Notation::Base32 => of_base32(characters, place >= 8),
                Notation::Hexadecimal => of_hexadecimal(characters),
            }
        })
    }

    /// Reports whether it looks like a key.
    pub fn is_random(&self) -> bool {
        self.notation == Notation::Base64 && !self.is_joined && is_random(&self.characters)
    }

    /// Reports whether any number or name is in this notation, so that its content counts only if it is a text.
    pub fn is_number(&self) -> bool {
        self.notation != Notation::Base64
    }
}

/// Which bytes are of a class: looking that up is quicker than to compare.
type Class = [bool; 256];

const BASE64: Class = class(false, false);
const BASE32: Class = class(true, false);
const HEXADECIMAL: Class = class(false, true);

/// Returns a table of one of the classes.
const fn class(is_of_base32: bool, is_hexadecimal: bool) -> Class {
    let mut class = [false; 256];
    let mut byte = 0_u8;
    loop {
        class[byte as usize] = match (is_of_base32, is_hexadecimal) {
            (true, _) => is_base32(byte),
            (_, true) => byte.is_ascii_hexdigit(),
            _ => is_base64(byte),
        };
        if byte == u8::MAX {
            return class;
        }
        byte += 1;
    }
}

/// Returns the longest ranges of bytes of a class.
fn runs<'t>(text: &'t [u8], class: &'static Class) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let is_in = |byte: u8| class[usize::from(byte)];
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text.get(at..)?.iter().position(|byte| is_in(*byte))?;
        let length = text[start..].iter().take_while(|byte| is_in(**byte)).count();
        at = start + length;
        Some(start..at)
    })
}

/// Returns everything in a text that may carry bytes.
pub(super) fn packed(text: &[u8]) -> impl Iterator<Item = Packed<'_>> {
    let lines = [(Notation::Base64, &BASE64), (Notation::Base32, &BASE32)];
    let lines = lines.into_iter().flat_map(|(notation, class)| in_lines(text, notation, class));
    let digits = hexadecimal(text).chain(base32(text));
    let base64 = base64_in_lines(text).into_iter().chain(base64_in_narrow_lines(text)).chain(base64_runs(text));
    base64.chain(digits).chain(lines)
}

/// Returns what is wrapped into lines, which may begin and end within a line.
fn in_lines<'t>(
    text: &'t [u8],
    notation: Notation,
    class: &'static Class,
) -> impl Iterator<Item = Packed<'t>> + use<'t> {
    /// Bytes of the shortest line but the last.
    const SHORTEST: usize = 16;
    /// Bytes of the shortest line that a blank may follow instead of a line feed, as where a shell joined the lines.
    const SHORTEST_BEFORE_BLANKS: usize = 40;
    let mut runs = runs(text, class).peekable();
    let is_gap = |gap: &[u8], before: usize| {
        gap.len() <= 64
            && (before >= SHORTEST_BEFORE_BLANKS || gap.contains(&b'\n'))
            && gap.iter().any(u8::is_ascii_whitespace)
            && gap.iter().all(|byte| byte.is_ascii_whitespace() || b"\\\"'".contains(byte))
    };
    std::iter::from_fn(move || {
        loop {
            let mut range = runs.next()?;
            let mut characters = Vec::new();
            let mut last = range.clone();
            let mut width = 0;
            let is_next = |last: &Range<usize>, next: &Range<usize>| {
                if last.len() < SHORTEST || !is_gap(&text[last.end..next.start], last.len()) {
                    return false;
                }
                let is_short = next.len() < SHORTEST && !text[next.end..].starts_with(b"=");
                !(is_short && text[next.clone()].iter().skip(1).all(u8::is_ascii_lowercase))
            };
            // Only the last line is shorter than the one before.
            while let Some(next) = runs.next_if(|next| last.len() >= width && is_next(&last, next)) {
                width = next.len();
                if characters.is_empty() {
                    characters.extend_from_slice(&text[last]);
                }
                characters.extend_from_slice(&text[next.clone()]);
                range.end = next.end;
                width = width.max(SHORTEST);
                last = next;
            }
            if !characters.is_empty() {
                let padding = text[range.end..].iter().take(6).take_while(|byte| **byte == b'=').count();
                range.end += padding;
                return Some(Packed { range, characters: Cow::Owned(characters), notation, is_joined: true });
            }
        }
    })
}

pub(super) fn base64_runs(text: &[u8]) -> impl Iterator<Item = Packed<'_>> {
    // Words and paths in small letters are no base64 of anything.
    let is_mixed =
        |run: &Range<usize>| text[run.clone()].iter().any(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let runs = runs(text, &BASE64).filter(move |run| run.len() >= SHORTEST_BASE64 && is_mixed(run));
    runs.map(|run| {
        let padding = text[run.end..].iter().take(2).take_while(|byte| **byte == b'=').count();
        let characters = Cow::Borrowed(&text[run.clone()]);
        Packed { range: run.start..run.end + padding, characters, notation: Notation::Base64, is_joined: false }
    })
}

/// Reports whether a word is base64 or base32 of a text, also of one in UTF-16. Hardly any other word is that by chance.
pub(super) fn is_encoded_text(word: &[u8]) -> bool {
    /// Bytes of a word: what is longer is a secret without that.
    const LENGTHS: RangeInclusive<usize> = 12..=256;
    if !LENGTHS.contains(&word.len()) {
        return false;
    }
    let end = word.iter().rposition(|byte| *byte != b'=').map_or(0, |last| last + 1);
    let (characters, padding) = word.split_at(end);
    let has = |class: fn(&u8) -> bool| characters.iter().skip(1).any(class);
    let is_mixed = has(u8::is_ascii_uppercase) && (has(u8::is_ascii_lowercase) || has(u8::is_ascii_digit));
    let is_plain = |content: &[u8]| content.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ');
    if !characters.iter().all(|byte| is_base64(*byte)) {
        return false;
    }
    if padding.len() < 3 && is_mixed {
        let content = of_base64(characters);
        return is_plain(&content) || of_utf_16(&content).is_some_and(|content| is_plain(&content));
    }
    padding.len() < 7 && characters.iter().all(|byte| is_base32(*byte)) && is_plain(&of_base32(characters, false))
}

pub(super) fn of_base64(characters: &[u8]) -> Vec<u8> {
    let standard = |byte: &u8| match byte {
        b'-' => b'+',
        b'_' => b'/',
        other => *other,
    };
    // A single character at the end is a part of a byte.
    let whole = characters.len() - usize::from(characters.len() % 4 == 1);
    let characters: Vec<u8> = characters[..whole].iter().map(standard).collect();
    base64::Engine::decode(&LENIENT, characters).unwrap_or_default()
}

/// Returns what is inside a secret: the bytes of a key in PEM, or the text that is in base64, also without padding.
pub(super) fn content(secret: &[u8]) -> Option<Vec<u8>> {
    if secret.starts_with(b"-----BEGIN ") {
        let lines = secret.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let inside: Vec<u8> =
            lines.filter(|line| line.iter().all(|byte| is_base64(*byte) || *byte == b'=')).flatten().copied().collect();
        let end = inside.iter().position(|byte| *byte == b'=').unwrap_or(inside.len());
        return Some(of_base64(&inside[..end]));
    }
    let secret = secret.trim_ascii_end();
    let end = secret.iter().position(|byte| *byte == b'=').unwrap_or(secret.len());
    let is_whole = secret.len() >= SHORTEST_BASE64 && secret.len() - end <= 2;
    (is_whole && secret[..end].iter().all(|byte| is_base64(*byte)))
        .then(|| of_base64(&secret[..end]))
        .filter(|content| is_text(content))
}

/// Returns base64 that is wrapped into lines.
fn base64_in_lines(text: &[u8]) -> Vec<Packed<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<(Range<usize>, usize)> = None;
    let mut at = 0;
    for line in text.split(|byte| *byte == b'\n') {
        let trimmed = line.trim_ascii().trim_ascii_end();
        // A sign before the end is that of an assignment: `A_ID=8d0ff1a2-…`.
        let end = trimmed.iter().rposition(|byte| *byte != b'=').map_or(0, |last| last + 1);
        let is_packed = !trimmed.is_empty() && trimmed[..end].iter().all(|byte| is_base64(*byte));
        let start = at + line.len() - line.trim_ascii_start().len();
        let range = start..start + trimmed.len();
        at += line.len() + 1;
        match &mut open {
            Some((block, lines)) if is_packed => {
                block.end = range.end;
                *lines += 1;
                // Only the last line is shorter.
                if trimmed.len() < SHORTEST_RANDOM {
                    blocks.extend(open.take());
                }
            }
            Some(_) => blocks.extend(open.take()),
            None if is_packed && trimmed.len() >= SHORTEST_RANDOM => open = Some((range, 1)),
            None => {}
        }
    }
    blocks.extend(open);
    let several = blocks.into_iter().filter(|(_, lines)| *lines > 1);
    let joined = several.map(|(range, _)| {
        let characters = text[range.clone()].iter().copied().filter(|byte| is_base64(*byte)).collect();
        Packed { range, characters, notation: Notation::Base64, is_joined: false }
    });
    joined.collect()
}

/// Returns base64 that is wrapped into several short lines of the same length.
fn base64_in_narrow_lines(text: &[u8]) -> Vec<Packed<'_>> {
    /// Characters of a line. Wider ones are found without the same length.
    const WIDTHS: RangeInclusive<usize> = 4..=15;
    /// The fewest lines: fewer are often words.
    const FEWEST: usize = 4;
    let mut blocks = Vec::new();
    let mut open: Option<(Range<usize>, usize)> = None;
    let mut width = 0;
    let mut at = 0;
    for line in text.split(|byte| *byte == b'\n') {
        let start = at + line.len() - line.trim_ascii_start().len();
        at += line.len() + 1;
        let line = line.trim_ascii();
        let range = start..start + line.len();
        let is_packed = !line.is_empty() && line.iter().all(|byte| is_base64(*byte) || *byte == b'=');
        match &mut open {
            // Only the last line is shorter. A single word before them may be longer.
            Some((block, lines))
                if is_packed && (line.len() == width || line.len() < width && *lines + 1 >= FEWEST) =>
            {
                block.end = range.end;
                *lines += 1;
                if line.len() < width {
                    blocks.extend(open.take());
                }
            }
            _ => {
                blocks.extend(open.take());
                if is_packed && WIDTHS.contains(&line.len()) {
                    width = line.len();
                    open = Some((range, 1));
                }
            }
        }
    }
    blocks.extend(open);
    let several = blocks.into_iter().filter(|(_, lines)| *lines >= FEWEST);
    let joined = several.map(|(range, _)| {
        let characters = text[range.clone()].iter().copied().filter(|byte| is_base64(*byte)).collect();
        Packed { range, characters, notation: Notation::Base64, is_joined: true }
    });
    joined.collect()
}

/// Calls a function with the longest ranges of hexadecimal digits.
pub(super) fn digits(text: &[u8], found: impl FnMut(Range<usize>)) {
    runs(text, &HEXADECIMAL).for_each(found);
}

/// Returns hexadecimal digits: many of them, or pairs with something between them.
fn hexadecimal(text: &[u8]) -> impl Iterator<Item = Packed<'_>> {
    /// The most bytes between two pairs: `", 0x`, or a line feed and blanks.
    const LONGEST_GAP: usize = 12;
    // The `0` of `0x`.
    let is_prefix = |run: &Range<usize>| run.len() == 1 && text[run.start] == b'0' && text[run.end..].starts_with(b"x");
    let mut groups = runs(text, &HEXADECIMAL).filter(move |run| !is_prefix(run)).peekable();
    let is_gap =
        |gap: &[u8]| gap.len() <= LONGEST_GAP && gap.iter().all(|byte| b" \t\r\n:,;.-_|\\\"'0x".contains(byte));
    let is_line = move |gap: &[u8]| is_gap(gap) && gap.contains(&b'\n');
    std::iter::from_fn(move || {
        loop {
            let mut range = groups.next()?;
            let mut digits = Vec::new();
            let mut last = range.clone();
            let mut separator = None;
            let mut is_next = |last: &Range<usize>, next: &Range<usize>| {
                if last.len() < 2 {
                    return false;
                }
                let gap = &text[last.end..next.start];
                let is_same = is_line(gap) || is_gap(gap) && *separator.get_or_insert(gap) == gap;
                // Words can begin as a number does.
                let after = text.get(next.end).copied().unwrap_or_default();
                let is_word = after.is_ascii_alphanumeric() || after == b'_';
                let is_pair = last.len() == 2 && next.len() == 2 && is_same && !after.is_ascii_alphabetic();
                let is_blank = !gap.is_empty() && gap.iter().all(u8::is_ascii_whitespace);
                let is_long = last.len() >= 32 && last.len() >= next.len() && is_blank && !is_word;
                is_pair || last.len().is_multiple_of(2) && (is_long || last.len() >= 16 && is_line(gap))
            };
            while let Some(next) = groups.next_if(|next| is_next(&last, next)) {
                if digits.is_empty() {
                    digits.extend_from_slice(&text[last]);
                }
                digits.extend_from_slice(&text[next.clone()]);
                range.end = next.end;
                last = next;
            }
            if range.len().min(digits.len().max(last.len())) >= SHORTEST_DIGITS {
                let characters = if digits.is_empty() { Cow::Borrowed(&text[last]) } else { Cow::Owned(digits) };
                return Some(Packed { range, characters, notation: Notation::Hexadecimal, is_joined: false });
            }
        }
    })
}

pub(super) fn of_hexadecimal(digits: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok()).unwrap_or_default();
    digits.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// Returns base32 in one of the cases.
fn base32(text: &[u8]) -> impl Iterator<Item = Packed<'_>> {
    let words = runs(text, &BASE64).filter(|word| word.len() >= SHORTEST_DIGITS);
    let is_same_case = |one: &u8, next: &u8| {
        one.is_ascii_alphanumeric()
            && next.is_ascii_alphanumeric()
            && !(one.is_ascii_uppercase() && next.is_ascii_lowercase())
            && !(one.is_ascii_lowercase() && next.is_ascii_uppercase())
    };
    words.flat_map(move |word| {
        let mut at = word.start;
        text[word].chunk_by(is_same_case).filter_map(move |characters| {
            let start = at;
            at += characters.len();
            let padding = text[at..].iter().take(6).take_while(|byte| **byte == b'=').count();
            let (range, characters) = (start..at + padding, Cow::Borrowed(characters));
            (characters.len() >= SHORTEST_DIGITS).then_some(Packed {
                range,
                characters,
                notation: Notation::Base32,
                is_joined: false,
            })
        })
    })
}

const fn is_base32(byte: u8) -> bool {
    byte.is_ascii_uppercase() || matches!(byte, b'2'..=b'7')
}

/// Decodes base32, also in the alphabet that begins with the digits. What has no value counts as zero.
fn of_base32(characters: &[u8], is_hex: bool) -> Vec<u8> {
    let value = |byte: u8| match (byte.to_ascii_uppercase(), is_hex) {
        (digit @ b'0'..=b'9', true) => digit - b'0',
        (letter @ b'A'..=b'V', true) => letter - b'A' + 10,
        (letter @ b'A'..=b'Z', false) => letter - b'A',
        (digit @ b'2'..=b'7', false) => digit - b'2' + 26,
        _ => 0,
    };
    let (mut bits, mut count, mut bytes) = (0_u16, 0, Vec::new());
    for byte in characters {
        bits = bits << 5 | u16::from(value(*byte));
        count += 5;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count).to_le_bytes()[0]);
        }
    }
    bytes
}

/// Reports whether a text is long and has letters of both cases and digits all over, as keys and their base64 have.
pub(super) fn is_random(text: &[u8]) -> bool {
    let count = |text: &[u8], class: fn(&u8) -> bool| text.iter().filter(|byte| class(byte)).count();
    let has = |text: &[u8], letters: usize, digits: usize| {
        count(text, u8::is_ascii_uppercase) >= letters
            && count(text, u8::is_ascii_lowercase) >= letters
            && count(text, u8::is_ascii_digit) >= digits
    };
    // Names are joined by these as well, but no name is that long and mixed.
    let mut segments = text.split(|byte| b"+/_-".contains(byte));
    text.len() >= SHORTEST_RANDOM
        && has(text, 4, 3)
        && !is_alphabet(text)
        && !is_path(text)
        && segments.any(|segment| segment.len() >= 12 && has(segment, 2, 1))
}

/// Reports whether a text lists the characters of an alphabet: nearly each is behind the one before, as hardly any of a key are.
fn is_alphabet(text: &[u8]) -> bool {
    let steps = text.windows(2).filter(|pair| pair[0].to_ascii_lowercase() <= pair[1].to_ascii_lowercase()).count();
    steps * 8 >= text.len() * 7
}

/// Reports whether a text is a path: it has more slashes and fewer digits than keys have.
fn is_path(text: &[u8]) -> bool {
    let slashes = memchr::memchr_iter(b'/', text).count();
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    slashes > 3 && slashes * 16 > text.len() && digits * 12 < text.len()
}

/// Reports whether a piece of a text is a checksum, as SSH and package managers write them: `SHA256:`, `sha512-`, `h1:` of Go and
/// Terraform, and as many characters as its bytes need.
pub(super) fn is_checksum(text: &[u8], range: &Range<usize>) -> bool {
    const CHECKSUMS: [(&[u8], usize); 4] = [(b"sha256", 43), (b"sha384", 64), (b"sha512", 86), (b"h1", 43)];
    let begin =
        text[..range.start].iter().rev().take(7).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b':');
    // What shows a long line ends it so.
    let is_cut = text[range.end..].starts_with("…".as_bytes());
    let text = &text[range.start - begin.count()..range.end];
    let signs = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let text = &text[..text.len() - signs];
    CHECKSUMS.iter().any(|(name, length)| {
        let is_long = text.len() == name.len() + 1 + length;
        (is_long || is_cut && text.len() > name.len() + 1)
            && text[..name.len()].eq_ignore_ascii_case(name)
            && b":-".contains(&text[name.len()])
    })
}
