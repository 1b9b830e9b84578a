//! Finds parts of a secret in a text, whatever they are encoded in. It shares nothing with the program.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Read;

use aho_corasick::AhoCorasick;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use flate2::{Decompress, FlushDecompress, Status};

/// Bytes of the shortest part that counts.
const PART: usize = 8;

/// Characters of base64 of the shortest text that is worth deflating. To try what is shorter would take most of the time.
const SHORTEST_DEFLATED: usize = 24;

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

pub struct Search {
    parts: AhoCorasick,
    /// By the number of the pattern.
    texts: Vec<Vec<u8>>,
}

impl Search {
    pub fn new<'s>(secrets: impl IntoIterator<Item = &'s str>) -> Self {
        Self::of(secrets.into_iter().flat_map(|secret| secret.as_bytes().windows(PART).map(<[u8]>::to_vec)))
    }

    /// Finds whole secrets only.
    pub fn whole<'s>(secrets: impl IntoIterator<Item = &'s str>) -> Self {
        Self::of(secrets.into_iter().map(|secret| secret.as_bytes().to_vec()))
    }

    fn of(parts: impl Iterator<Item = Vec<u8>>) -> Self {
        let texts: Vec<Vec<u8>> = parts.collect::<BTreeSet<_>>().into_iter().collect();
        Self { parts: AhoCorasick::new(&texts).expect("short parts"), texts }
    }

    /// Reports whether a text has a part of a secret.
    pub fn finds(&self, text: &[u8]) -> bool {
        let mut finds = false;
        Self::look(text, |text| {
            finds = self.parts.is_match(text);
            !finds
        });
        finds
    }

    /// Returns what a text has of the secrets.
    pub fn found(&self, text: &[u8]) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        Self::look(text, |text| {
            let numbers = self.parts.find_overlapping_iter(text).map(|part| part.pattern().as_usize());
            found.extend(numbers.map(|number| std::str::from_utf8(&self.texts[number]).expect("it was text")));
            true
        });
        found
    }

    /// Calls a function with a text and everything in it, until it returns false.
    fn look(text: &[u8], mut goes_on: impl FnMut(&[u8]) -> bool) {
        let mut seen = BTreeSet::new();
        let mut open = vec![(text.to_vec(), 5)];
        while let Some((text, depth)) = open.pop() {
            if !goes_on(&text) {
                return;
            }
            if depth == 0 || text.len() < PART || !seen.insert(text.clone()) {
                continue;
            }
            open.extend(decoded(&text).into_iter().map(|text| (text, depth - 1)));
        }
    }
}

/// Returns what a text may stand for.
fn decoded(text: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    if text.starts_with(&[0x1f, 0x8b]) {
        let mut plain = Vec::new();
        let _ = flate2::read::MultiGzDecoder::new(text).read_to_end(&mut plain);
        return vec![plain];
    }
    if memchr::memchr_iter(0, text).count() * 3 > text.len() {
        found.push(text.iter().copied().filter(|byte| *byte != 0).collect());
    }
    if std::str::from_utf8(text).is_err() {
        return found;
    }
    let views = [unescaped(text, b'\\'), unescaped(text, b'%'), unescaped(text, b'&'), unescaped(text, b'=')];
    found.extend(views.into_iter().filter(|view| view != text));
    let without = |these: &[u8]| text.iter().copied().filter(|byte| !these.contains(byte)).collect::<Vec<_>>();
    for text in [text.to_vec(), without(b" \r\n\t")] {
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte);
        let standard = |byte: u8| match byte {
            b'-' => b'+',
            b'_' => b'/',
            byte => byte,
        };
        for run in text.split(|byte| !is_base64(*byte)).filter(|run| run.len() >= 12) {
            for start in 0..4 {
                let run: Vec<u8> = run[start..].iter().copied().map(standard).collect();
                let whole = run.len() - usize::from(run.len() % 4 == 1);
                let Ok(bytes) = LENIENT.decode(&run[..whole]) else { continue };
                // Deflated bytes are no text.
                if is_text(&bytes) {
                    found.push(bytes);
                } else if run.len() >= SHORTEST_DEFLATED {
                    found.extend(inflated(&bytes).filter(|plain| is_text(plain)));
                }
            }
        }
    }
    let hexadecimal = String::from_utf8_lossy(text).replace("0x", "");
    let hexadecimal: Vec<u8> = hexadecimal.bytes().filter(|byte| !b" :,\r\n".contains(byte)).collect();
    for run in hexadecimal.split(|byte| !byte.is_ascii_hexdigit()).filter(|run| run.len() >= 2 * PART) {
        let digit = |byte: u8| u8::try_from(char::from(byte).to_digit(16).expect("a digit")).expect("it is small");
        let bytes =
            |run: &[u8]| run.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect::<Vec<_>>();
        found.extend([bytes(run), bytes(&run[1..])].into_iter().filter(|bytes| is_text(bytes)));
    }
    found.extend(dumped(text));
    found.push(of_uuencode(text));
    found.push(String::from_utf8_lossy(text).replace("`n", "\n").replace('`', "").into_bytes());
    found.extend(text.split(u8::is_ascii_whitespace).filter(|word| word.len() >= 10).flat_map(of_base85));
    let lossy = String::from_utf8_lossy(text);
    let messages = lossy.lines().filter_map(|line| Some(line.split_once("]: ")?.1));
    found.push(messages.collect::<String>().into_bytes());
    let text = if text.iter().any(u8::is_ascii_uppercase) { text.to_vec() } else { text.to_ascii_uppercase() };
    let is_base32 = |byte: &u8| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(byte);
    for run in text.split(|byte| !is_base32(byte)).filter(|run| run.len() >= 12) {
        found.extend((0..8).map(|start| of_base32(&run[start..])).filter(|bytes| is_text(bytes)));
    }
    found
}

/// Returns what deflated bytes stand for, also if they are cut off.
fn inflated(bytes: &[u8]) -> Option<Vec<u8>> {
    thread_local! {
        // Its state takes 40 KB, and most bytes are not deflated.
        static INFLATER: RefCell<Decompress> = RefCell::new(Decompress::new(false));
    }
    INFLATER.with_borrow_mut(|inflater| {
        inflater.reset(false);
        let mut plain = Vec::new();
        loop {
            plain.reserve(bytes.len() * 4);
            let at = usize::try_from(inflater.total_in()).ok()?;
            let status = inflater.decompress_vec(&bytes[at..], &mut plain, FlushDecompress::None).ok()?;
            if status == Status::StreamEnd || plain.len() < plain.capacity() {
                return Some(plain);
            }
        }
    })
}

/// Returns the bytes of dumps and of lists of numbers.
fn dumped(text: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(text);
    let words = || text.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let of = |base: u32, digits: usize, size: usize| {
        let numbers =
            words().filter(|word| word.len() == digits).filter_map(|word| u16::from_str_radix(word, base).ok());
        numbers.flat_map(|number| number.to_le_bytes().into_iter().take(size)).collect::<Vec<u8>>()
    };
    let pairs = words().filter(|word| word.len() == 4).filter_map(|word| u16::from_str_radix(word, 16).ok());
    let decimal = words().filter_map(|word| word.parse::<u8>().ok()).collect();
    let cells = text.lines().filter_map(|line| line.get(7..));
    let cells = cells.flat_map(|line| line.as_bytes().chunks(4)).filter_map(|cell| cell.last().copied()).collect();
    vec![
        of(16, 2, 1),
        of(16, 4, 2),
        of(8, 3, 1),
        of(8, 6, 2),
        pairs.flat_map(u16::to_be_bytes).collect(),
        decimal,
        cells,
    ]
}

/// Returns the bytes of lines that are as long as their first character says.
fn of_uuencode(text: &[u8]) -> Vec<u8> {
    let value = |byte: u8| usize::from(byte.wrapping_sub(b' ') & 63);
    let lines = text.split(|byte| *byte == b'\n').filter(|line| {
        line.first().is_some_and(|first| value(*first) > 0 && (value(*first).div_ceil(3)) * 4 == line.len() - 1)
    });
    let group = |group: &[u8]| {
        let number = group.iter().fold(0_usize, |number, byte| number * 64 + value(*byte));
        let [.., first, second, third] = number.to_be_bytes();
        [first, second, third]
    };
    let bytes = |line: &[u8]| line[1..].chunks(4).flat_map(group).take(value(line[0])).collect::<Vec<u8>>();
    lines.flat_map(bytes).collect()
}

/// Returns what a word of base85 stands for, in two alphabets.
fn of_base85(word: &[u8]) -> Vec<Vec<u8>> {
    const DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
    let digits =
        |value: &dyn Fn(u8) -> Option<usize>| word.iter().map(|byte| value(*byte)).collect::<Option<Vec<usize>>>();
    let both = [
        digits(&|byte| DIGITS.iter().position(|digit| *digit == byte)),
        digits(&|byte| usize::from(byte).checked_sub(33)),
    ];
    let bytes = |digits: &[usize]| {
        let number = digits.iter().fold(0_usize, |number, digit| number * 85 + digit);
        u32::try_from(number).unwrap_or_default().to_be_bytes()
    };
    both.into_iter().flatten().map(|digits| digits.chunks_exact(5).flat_map(bytes).collect()).collect()
}

fn is_text(bytes: &[u8]) -> bool {
    let text = bytes.iter().filter(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace() || **byte == 0).count();
    text * 10 > bytes.len() * 8 || bytes.starts_with(&[0x1f, 0x8b])
}

fn of_base32(characters: &[u8]) -> Vec<u8> {
    let value = |byte: u8| if byte.is_ascii_uppercase() { byte - b'A' } else { byte - b'2' + 26 };
    let bits: Vec<u8> =
        characters.iter().flat_map(|byte| (0..5).rev().map(move |bit| value(*byte) >> bit & 1)).collect();
    bits.chunks_exact(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | bit)).collect()
}

/// Undoes the escapes that begin with a character.
fn unescaped(text: &[u8], mark: u8) -> Vec<u8> {
    let number = |digits: &[u8], base: u32| {
        let text = std::str::from_utf8(digits).ok()?;
        (!text.is_empty() && !text.starts_with('+')).then(|| u32::from_str_radix(text, base).ok()).flatten()
    };
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let digits = |from: usize, count: usize, base: u32| {
            number(rest.get(from..from + count)?, base).map(|value| (value, from + count))
        };
        let undone = match (rest[0], mark) {
            (b'%', b'%') | (b'=', b'=') => digits(1, 2, 16),
            (b'\\', b'\\') => match rest.get(1) {
                Some(b'x') => digits(2, 2, 16),
                Some(b'u') if rest.get(2) == Some(&b'{') => rest
                    .iter()
                    .position(|byte| *byte == b'}')
                    .and_then(|end| Some((number(&rest[3..end], 16)?, end + 1))),
                Some(b'u') => digits(2, 4, 16),
                Some(b'n') => Some((10, 2)),
                Some(b'0'..=b'3') => digits(1, 3, 8),
                Some(other) if !other.is_ascii_alphanumeric() => Some((u32::from(*other), 2)),
                _ => None,
            },
            (b'&', b'&') => {
                let end = rest.iter().take(12).position(|byte| *byte == b';').unwrap_or(0);
                let value = match &rest[1.min(end)..end] {
                    b"amp" => Some(38),
                    b"lt" => Some(60),
                    b"gt" => Some(62),
                    b"quot" => Some(34),
                    b"apos" => Some(39),
                    [b'#', b'x', digits @ ..] => number(digits, 16),
                    [b'#', digits @ ..] => number(digits, 10),
                    _ => None,
                };
                value.map(|value| (value, end + 1))
            }
            _ => None,
        };
        let (character, length) = undone.unwrap_or((u32::from(rest[0]), 1));
        match char::from_u32(character) {
            Some(character) if character.is_ascii() || undone.is_some() && mark == b'&' => {
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => out.push(u8::try_from(character).unwrap_or(b'?')),
        }
        at += length;
    }
    out
}
