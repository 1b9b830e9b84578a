//! Base64 as people and tools pass it on: in lines, and cut off.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Decodes base64 with or without line breaks, if a text looks like it: long enough, and of its characters only. The second value
/// says whether it is cut off.
pub(super) fn decoded(text: &str) -> Option<(Vec<u8>, bool)> {
    const SHORTEST: usize = 16;
    let is_base64 =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\r' | b'\n' | b' ');
    let trimmed = text.trim();
    let plain = trimmed.len() >= SHORTEST && trimmed.bytes().all(is_base64);
    (plain && !trimmed.lines().any(|line| line.trim().contains(' '))).then(|| decoded_any(trimmed)).flatten()
}

/// Decodes base64 with or without line breaks. The second value says whether it is cut off.
pub(crate) fn decoded_any(text: &str) -> Option<(Vec<u8>, bool)> {
    let packed: String = text.split_ascii_whitespace().collect();
    if let Ok(bytes) = STANDARD.decode(&packed) {
        return Some((bytes, false));
    }
    let whole = &packed.as_bytes()[..packed.len() / 4 * 4];
    STANDARD.decode(whole).ok().filter(|bytes| !bytes.is_empty()).map(|bytes| (bytes, true))
}
