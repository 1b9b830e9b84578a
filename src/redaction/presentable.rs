//! Makes lines of untrusted texts safe to print.

use super::{Redacted, Redactor, replaced};

/// The most characters of a line that are shown.
const WIDTH: usize = 300;

/// Bytes of a line that are looked at, more than enough for what is shown.
const LONGEST: usize = 16 << 10;

/// Returns a line without control characters and without anything that looks like a secret, truncated to a few terminal
/// lines.
pub(crate) fn presentable(line: &str) -> Redacted {
    let end = (0..=LONGEST.min(line.len())).rev().find(|end| line.is_char_boundary(*end)).unwrap_or_default();
    let Redacted(text) = Redactor::default().redact(&clean(&line[..end]));
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => Redacted(format!("{}…", &text[..end])),
        None => Redacted(text),
    }
}

impl Redactor {
    /// Returns a text without secrets that has the same number of lines.
    pub(crate) fn redact_in_lines(&self, text: &str) -> Redacted {
        let bytes = text.as_bytes();
        let ranges = self.ranges(bytes).into_iter().flat_map(|range| {
            let mut at = range.start;
            bytes[range].split(|byte| *byte == b'\n').map(move |line| {
                let start = at;
                at += line.len() + 1;
                start..start + line.len()
            })
        });
        Redacted(String::from_utf8_lossy(&replaced(bytes, ranges.collect())).into_owned())
    }
}

/// Reports whether a terminal obeys a character instead of showing it: a control character, or a mark that changes the direction of
/// text.
#[cfg(any(feature = "cli", node))]
pub(crate) fn is_obeyed(character: char) -> bool {
    let is_direction =
        matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    is_direction || character.is_control()
}

/// Returns JSON whose strings have no characters that a terminal obeys. `serde_json` only escapes those of ASCII.
#[cfg(any(feature = "cli", node))]
pub(crate) fn printable_json(json: String) -> String {
    let is_left = |character: char| character >= '\u{7f}' && is_obeyed(character);
    // Most JSON is plain ASCII, which is known many bytes at a time.
    if json.is_ascii() && !json.contains('\u{7f}') || !json.contains(is_left) {
        return json;
    }
    let escaped = |character: char| {
        if is_left(character) { format!("\\u{:04x}", u32::from(character)) } else { character.to_string() }
    };
    json.chars().map(escaped).collect::<Vec<_>>().concat()
}

/// Returns a text on one line, without control characters and marks that have no width or change the direction of what follows.
fn clean(line: &str) -> String {
    let mut clean = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            // The rest of an escape sequence, up to its final character.
            '\u{1b}' => {
                let _ = characters.by_ref().find(char::is_ascii_alphabetic);
            }
            '\t' | '\r' | '\n' => clean.push(' '),
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {}
            _ if character.is_control() => {}
            _ => clean.push(character),
        }
    }
    clean
}
