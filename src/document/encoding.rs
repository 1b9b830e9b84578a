//! Decides whether bytes are text, and names what they are otherwise.

use super::rules;
use super::{DocPath, Finding, Position, Problem};

/// Signatures of binary formats that are given by mistake, with the command that unpacks them, if there is one.
const BINARY: &[(&[u8], &str, Option<&str>)] = &[
    (b"\x1f\x8b", "gzip data", Some("gzip -dc FILE")),
    (b"BZh", "bzip2 data", Some("bzip2 -dc FILE")),
    (b"\xfd7zXZ\0", "xz data", Some("xz -dc FILE")),
    (b"\x28\xb5\x2f\xfd", "zstd data", Some("zstd -dc FILE")),
    (b"PK\x03\x04", "a ZIP archive", Some("unzip -p FILE")),
    (b"\x7fELF", "an ELF binary", None),
];

/// Byte order marks of encodings that are not read, with their name and the name that `iconv` has for them. UTF-32 in
/// little-endian order comes before UTF-16, whose mark it starts with.
const MARKS: &[(&[u8], &str, &str)] = &[
    (b"\xff\xfe\0\0", "UTF-32", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32", "UTF-32"),
    (b"\xff\xfe", "UTF-16", "UTF-16"),
    (b"\xfe\xff", "UTF-16", "UTF-16"),
];

const UTF8_MARK: char = '\u{feff}';

/// Returns the text after an optional byte order mark, and warnings about it.
pub(super) fn decode(bytes: &[u8]) -> Result<(&str, Vec<Finding>), Finding> {
    if let Some(finding) = foreign(bytes) {
        return Err(finding.at(Position::START));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        Finding::new(&rules::ENCODING, DocPath::root(), Problem::NotUtf8)
            .at(Position::after(&String::from_utf8_lossy(valid)))
            .hint("the document must be JSON or YAML text; for protobuf use `--input-format protobuf`")
    })?;
    Ok(match text.strip_prefix(UTF8_MARK) {
        Some(rest) => (
            rest,
            vec![Finding::new(&rules::BYTE_ORDER_MARK, DocPath::root(), Problem::ByteOrderMark).at(Position::START)],
        ),
        None => (text, Vec::new()),
    })
}

/// Returns a finding if the bytes are recognized as another encoding or as a binary format.
fn foreign(bytes: &[u8]) -> Option<Finding> {
    if let Some((_, found, command)) = BINARY.iter().find(|(signature, ..)| bytes.starts_with(signature)) {
        if std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0')) {
            return None;
        }
        let finding = Finding::new(&rules::BINARY_DOCUMENT, DocPath::root(), Problem::Binary { found });
        return Some(match command {
            Some(command) => finding.hint(format!("unpack it: `{command}`")),
            None => finding,
        });
    }
    let marked = MARKS.iter().find(|(mark, ..)| bytes.starts_with(mark)).map(|(_, name, charset)| (*name, *charset));
    let (name, charset) = marked.or_else(|| unmarked_utf16(bytes).map(|charset| ("UTF-16", charset)))?;
    let finding = Finding::new(&rules::ENCODING, DocPath::root(), Problem::Encoding { found: name });
    Some(finding.hint(format!("convert it: `iconv -f {charset} -t UTF-8 FILE`")))
}

/// Returns the text of bytes in UTF-16 with its byte order mark, as PowerShell writes files; `None` if they are something else.
pub(crate) fn utf_16(bytes: &[u8]) -> Option<String> {
    let unit = match bytes {
        [0xff, 0xfe, 0, 0, ..] => return None,
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    Some(String::from_utf16_lossy(&units))
}

/// Returns the name of the encoding if the bytes start with two ASCII characters in UTF-16 without byte order mark.
fn unmarked_utf16(bytes: &[u8]) -> Option<&'static str> {
    match *bytes {
        [a, 0, b, 0, ..] if a != 0 && b != 0 => Some("UTF-16LE"),
        [0, a, 0, b, ..] if a != 0 && b != 0 => Some("UTF-16BE"),
        [a, 0] if a != 0 => Some("UTF-16LE"),
        [0, a] if a != 0 => Some("UTF-16BE"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Severity, Source};

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn other_encodings_and_binary_formats_are_rejected_by_name() {
        let json = "{\"version\": \"v1\"}";
        let marked = format!("\u{feff}{json}");
        for (bytes, expected, hint) in [
            (utf16(json, u16::to_le_bytes), "is UTF-16, must be UTF-8", "`iconv -f UTF-16LE -t UTF-8 FILE`"),
            (utf16(json, u16::to_be_bytes), "is UTF-16, must be UTF-8", "`iconv -f UTF-16BE -t UTF-8 FILE`"),
            (utf16(&marked, u16::to_le_bytes), "is UTF-16, must be UTF-8", "`iconv -f UTF-16 -t UTF-8 FILE`"),
            (utf16(&marked, u16::to_be_bytes), "is UTF-16, must be UTF-8", "`iconv -f UTF-16 -t UTF-8 FILE`"),
            (utf16("[]", u16::to_le_bytes), "is UTF-16, must be UTF-8", "`iconv -f UTF-16LE -t UTF-8 FILE`"),
            (b"\xff\xfe\0\0{\0\0\0".to_vec(), "is UTF-32, must be UTF-8", "`iconv -f UTF-32 -t UTF-8 FILE`"),
            (b"\x1f\x8b\x08\0".to_vec(), "is gzip data, must be JSON or YAML text", "`gzip -dc FILE`"),
            (b"BZh91AY&SY\xff".to_vec(), "is bzip2 data, must be JSON or YAML text", "`bzip2 -dc FILE`"),
            (b"PK\x03\x04\x14\0".to_vec(), "is a ZIP archive, must be JSON or YAML text", "`unzip -p FILE`"),
            (b"\x7fELF\x02\x01\x01\0".to_vec(), "is an ELF binary, must be JSON or YAML text", ""),
            (b"{\"vm_size\": \"\xff\"}".to_vec(), "is not UTF-8", "--input-format protobuf"),
        ] {
            let finding = Source::new(&bytes).expect_err(expected);
            assert_eq!(finding.to_string(), format!("the document: {expected}"));
            assert_eq!(finding.severity, Severity::Error);
            assert!(finding.hint.unwrap_or_default().contains(hint), "{expected}: {hint}");
        }
    }

    #[test]
    fn text_that_starts_like_a_binary_format_is_text() {
        let (text, findings) = decode(b"BZh: 1\n").expect("text");
        assert_eq!((text, findings.len()), ("BZh: 1\n", 0));
    }

    #[test]
    fn a_byte_order_mark_is_skipped_with_a_warning_and_has_no_column() {
        for text in ["\u{feff}{\"a\": 1,\n \"b\": 2}", "\u{feff}a: 1\nb: 2\n"] {
            let source = Source::new(text.as_bytes()).expect("text");
            let [mark] = source.findings() else { panic!("one finding") };
            assert_eq!(mark.severity, Severity::Warning);
            assert_eq!(mark.to_string(), "the document: starts with a UTF-8 byte order mark, which is ignored");
            let at = |name: &str| {
                let step = crate::document::Step::Key(name.to_owned());
                Finding::new(&rules::DUPLICATE_FIELD, DocPath(vec![step]), Problem::Duplicate)
            };
            let mut findings = [at("a"), at("b")];
            source.locate(&mut findings);
            let found = findings.map(|finding| finding.position.expect("a position").to_string());
            let expected = if text.contains('{') { ["1:2", "2:2"] } else { ["1:1", "2:1"] };
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
