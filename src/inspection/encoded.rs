//! Decodes base64 with line breaks or a missing end, as copied by people and tools.

use base64::Engine;

use crate::catalogue::demands::BASE64;
use crate::recognition::{Binary, Text};

/// Bytes of the shortest base64 that can be `CustomData`. They are enough to recognize what it contains.
pub(super) const SHORTEST: usize = 64;

/// Decodes base64 with or without line breaks. The second value reports whether it is truncated.
pub(crate) fn decoded(text: &str) -> Option<(Vec<u8>, bool)> {
    let packed: String = text.split_ascii_whitespace().collect();
    if let Ok(bytes) = BASE64.decode(&packed) {
        return Some((bytes, false));
    }
    let whole = &packed.as_bytes()[..packed.len() / 4 * 4];
    BASE64.decode(whole).ok().filter(|bytes| !bytes.is_empty()).map(|bytes| (bytes, true))
}

/// Reports whether base64 contains something for cloud-init or Ignition.
pub(super) fn is_data(packed: &str) -> bool {
    let Some((beginning, _)) = packed.get(..SHORTEST).and_then(decoded) else { return false };
    let text = String::from_utf8_lossy(&beginning);
    let kind = Text::of(&text);
    Binary::of(&beginning) == Some(Binary::Gzip)
        || kind.is_user_data()
        || kind == Text::Script
        || text.split_ascii_whitespace().collect::<String>().starts_with(r#"{"ignition""#)
}
