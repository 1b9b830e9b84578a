//! The forms in which logs have a known secret. To find another form: [`forms`].

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Returns the forms in which logs have a value: as it is, escaped for JSON, URLs and shells, in base64 and in hexadecimal.
pub(super) fn forms(value: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = vec![value.to_vec(), hexadecimal(value)];
    // Of base64, what does not depend on the bytes before and after the value.
    for before in 0..3 {
        let shifted = [&[0; 2][..before], value].concat();
        let characters = STANDARD.encode(&shifted);
        let (skip, whole) = (before * 8_usize.div_ceil(6), shifted.len() * 8 / 6);
        let characters = characters.get(skip.max((before * 8).div_ceil(6))..whole).unwrap_or_default();
        if characters.len() >= 8 {
            forms.push(characters.into());
            forms.push(characters.replace('+', "-").replace('/', "_").into());
        }
    }
    if let Ok(text) = std::str::from_utf8(value) {
        let json = json_inside(text);
        // JSON in JSON in JSON: results in events in what Azure shows.
        let mut nested = json.clone();
        for _ in 0..4 {
            nested = json_inside(&nested);
            forms.push(nested.clone().into());
        }
        forms.push(json.replace('/', "\\/").into());
        forms.push(json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026").into());
        forms.push(ascii_json(&json).into());
        forms.push(json.into());
        forms.push(text.replace('\'', r"'\''").into());
        forms.push(text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").into());
        forms.push(backslashed(text).into());
        for lower in [false, true] {
            let once = percent(value, lower);
            forms.push(percent(once.as_bytes(), lower).into());
            forms.push(once.replace("%20", "+").into());
            // What encoders of whole URLs leave as it is.
            let lenient =
                [("%3A", ":"), ("%2F", "/"), ("%40", "@"), ("%3D", "="), ("%2B", "+"), ("%2C", ","), ("%24", "$")];
            let lenient = lenient
                .iter()
                .fold(once.clone(), |text, (from, to)| text.replace(from, to).replace(&from.to_ascii_lowercase(), to));
            forms.push(lenient.into());
            forms.push(once.into());
        }
    }
    forms.sort();
    forms.dedup();
    forms
}

/// Returns a text without the escapes of URLs.
pub(super) fn unpercented(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let escaped = digit(at + 1).zip(digit(at + 2)).filter(|_| *byte == b'%');
        out.push(escaped.map_or(*byte, |(high, low)| high << 4 | low));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    out
}

fn hexadecimal(value: &[u8]) -> Vec<u8> {
    value.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect()
}

/// Returns a text as the inside of a JSON string.
fn json_inside(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn ascii_json(text: &str) -> String {
    let mut units = [0; 2];
    let mut out = String::new();
    for character in text.chars() {
        if character.is_ascii() {
            out.push(character);
        } else {
            out.extend(character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    out
}

/// Returns a text as bash prints it with `%q`.
fn backslashed(text: &str) -> String {
    let is_plain = |character: char| {
        character.is_ascii_alphanumeric() || "%+,-./:=@_".contains(character) || !character.is_ascii()
    };
    text.chars().flat_map(|character| (!is_plain(character)).then_some('\\').into_iter().chain([character])).collect()
}

fn percent(value: &[u8], lower: bool) -> String {
    let mut out = String::new();
    for byte in value {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
        let _ = match (is_plain, lower) {
            (true, _) => write!(out, "{}", char::from(*byte)),
            (false, true) => write!(out, "%{byte:02x}"),
            (false, false) => write!(out, "%{byte:02X}"),
        };
    }
    out
}
