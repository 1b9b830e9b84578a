//! Decodes base64 with line breaks or a missing end, as copied by people and tools.

use base64::Engine;

use crate::catalogue::demands::BASE64;

/// Decodes base64 with or without line breaks. The second value reports whether it is truncated.
pub(crate) fn decoded(text: &str) -> Option<(Vec<u8>, bool)> {
    let packed: String = text.split_ascii_whitespace().collect();
    if let Ok(bytes) = BASE64.decode(&packed) {
        return Some((bytes, false));
    }
    let whole = &packed.as_bytes()[..packed.len() / 4 * 4];
    BASE64.decode(whole).ok().filter(|bytes| !bytes.is_empty()).map(|bytes| (bytes, true))
}
