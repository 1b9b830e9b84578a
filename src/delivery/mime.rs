//! MIME documents for cloud-init, with a boundary that is computed from the content.

use std::fmt::Write;

use serde::Serialize;

use crate::rendering::render;

#[derive(Serialize)]
struct CustomData<'a> {
    boundary: String,
    parts: &'a [Part<'a>],
}

/// One part of a document.
#[derive(Serialize)]
pub(crate) struct Part<'a> {
    pub content_type: &'a str,
    pub transfer_encoding: &'static str,
    /// How cloud-init merges a cloud-config with the parts before it; `None` for its default.
    pub merge_type: Option<&'a str>,
    pub body: &'a str,
}

impl<'a> Part<'a> {
    /// Returns a part of ASCII text.
    pub const fn text(content_type: &'a str, body: &'a str) -> Self {
        Self { content_type, transfer_encoding: "7bit", merge_type: None, body }
    }
}

/// Returns one document with all parts.
pub(crate) fn document(parts: &[Part<'_>]) -> String {
    render("custom_data.mime.tera", &CustomData { boundary: boundary(parts), parts })
}

/// Returns sixty hexadecimal digits that occur in no part. The same parts always give the same digits.
fn boundary(parts: &[Part<'_>]) -> String {
    let mut sum = flate2::Crc::new();
    for part in parts {
        sum.update(part.body.as_bytes());
    }
    let mut state = u64::from(sum.sum()) << 32 | u64::from(sum.amount());
    loop {
        let mut digits = String::with_capacity(64);
        for _ in 0..4 {
            write!(digits, "{:016x}", scrambled(&mut state)).expect("writing to a String does not fail");
        }
        digits.truncate(60);
        if !parts.iter().any(|part| part.body.contains(&digits)) {
            return digits;
        }
    }
}

/// Returns the next number of splitmix64, which spreads a small difference over all bits.
fn scrambled(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut number = *state;
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(body: &str) -> Part<'_> {
        Part::text("text/plain", body)
    }

    #[test]
    fn the_boundary_depends_on_the_content_only() {
        assert_eq!(boundary(&[part("a")]), boundary(&[part("a")]));
        assert_ne!(boundary(&[part("a")]), boundary(&[part("b")]));
        assert_eq!(boundary(&[part("")]).len(), 60);
    }

    #[test]
    fn lines_of_mime_end_with_crlf() {
        let text = document(&[part("one\n"), part("two\n")]);
        let boundary = boundary(&[part("one\n"), part("two\n")]);
        assert!(text.ends_with(&format!("two\n\r\n--{boundary}--\r\n")));
        assert!(text.contains(&format!("\r\n\r\none\n\r\n--{boundary}\r\n")));
    }
}
