//! What kind of content decoded bytes are: text, wide text, or compressed.

use super::SHORTEST_BASE64;
use crate::recognition::Binary;

/// Returns the texts in bytes that are not text.
pub(in crate::redaction) fn texts(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    bytes.split(move |byte| !is_text(byte)).filter(|text| text.len() >= SHORTEST_BASE64)
}

/// Returns bytes without the zeros between them, as UTF-16 and UTF-32 have them.
pub(in crate::redaction) fn of_wide(bytes: &[u8]) -> Option<Vec<u8>> {
    let zeros = memchr::memchr_iter(0, bytes).count();
    (zeros * 3 > bytes.len()).then(|| bytes.iter().copied().filter(|byte| *byte != 0).collect())
}

/// Returns the text in UTF-16, as PowerShell encodes commands.
pub(in crate::redaction) fn of_utf_16(bytes: &[u8]) -> Option<Vec<u8>> {
    let is_ascii = |pair: &[u8]| pair.len() < 2 || pair[1] == 0 && pair[0] != 0;
    let is_wide = bytes.len() >= 8 && bytes.chunks(2).filter(|pair| is_ascii(pair)).count() * 4 > bytes.len() / 2 * 3;
    is_wide.then(|| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units).into_bytes()
    })
}

/// Reports whether most of some bytes is text. What was joined from lines may have something else at its ends.
pub(in crate::redaction) fn is_mostly_text(bytes: &[u8]) -> bool {
    let is_most = |count: usize| count * 4 >= bytes.len() * 3;
    let is_written = |character: char| !character.is_control() || character.is_ascii_whitespace();
    let of_chunk = |chunk: std::str::Utf8Chunk<'_>| {
        chunk.valid().chars().filter(|character| is_written(*character)).map(char::len_utf8).sum::<usize>()
    };
    is_most(bytes.iter().filter(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()).count())
        || is_most(bytes.utf8_chunks().map(of_chunk).sum())
}

/// Reports whether bytes are a text that people write.
pub(in crate::redaction) fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| {
        !text.chars().any(|character| character.is_control() && !matches!(character, '\n' | '\r' | '\t'))
    })
}

/// Reports whether bytes are in the format of gzip or zlib.
pub(in crate::redaction) fn is_compressed(bytes: &[u8]) -> bool {
    let is_zlib = matches!(bytes, [b'x', level, ..] if (u16::from(b'x') << 8 | u16::from(*level)) % 31 == 0);
    is_zlib && bytes.len() > 6 && !is_mostly_text(bytes) || Binary::of(bytes) == Some(Binary::Gzip)
}

/// Reports whether bytes were compressed although they cannot be unpacked completely, as what was cut off. One of many digests begins
/// as zlib does in some notation, and nothing comes of it.
pub(in crate::redaction) fn was_compressed(bytes: &[u8], unpacked: &[u8]) -> bool {
    /// Bytes that hardly come of something else.
    const MANY: usize = 64;
    const SOME: usize = 8;
    !bytes.starts_with(b"x")
        || unpacked.len() >= MANY && is_mostly_text(unpacked)
        || unpacked.len() >= SOME && is_text(unpacked)
}

/// Reports whether bytes may be compressed by deflate without a header. To try it takes time, and any long word is base64 of something.
pub(in crate::redaction) fn may_be_deflated(bytes: &[u8]) -> bool {
    /// The most bytes for which compression always chooses one block with the codes of the standard.
    const SHORT: usize = 48;
    /// Bits before the lengths of the code of lengths, which take three each.
    const BEFORE_LENGTHS: usize = 17;
    let [first, second, third, fourth, fifth, ..] = *bytes else { return false };
    // The lowest bit marks the last block; the next two are its kind, of which there are three.
    match first >> 1 & 3 {
        1 => bytes.len() > SHORT || first & 1 == 1,
        // The length, and its complement.
        0 => second == !fourth && third == !fifth,
        // A block with codes of its own: few bytes begin with a complete code of lengths.
        2 if bytes.len() > SHORT => {
            let bits = |at: usize, count: usize| {
                let word = u16::from(bytes[at / 8]) | u16::from(bytes[at / 8 + 1]) << 8;
                word >> (at % 8) & ((1 << count) - 1)
            };
            let lengths = (0..usize::from(bits(13, 4)) + 4).map(|at| bits(BEFORE_LENGTHS + 3 * at, 3));
            let shares: u32 = lengths.filter(|length| *length > 0).map(|length| 1 << (7 - length)).sum();
            bits(3, 5) <= 29 && bits(8, 5) <= 29 && shares == 1 << 7
        }
        _ => false,
    }
}
