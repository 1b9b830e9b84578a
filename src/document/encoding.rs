//! Reads the text of a document, and reports other content by the name of its format.

use super::rules;
use super::{DocPath, Finding, Position, Problem};
use crate::recognition::{Binary, Encoding, without_mark};

/// Returns the text after an optional byte order mark, and warnings about it.
pub(crate) fn decode(bytes: &[u8]) -> Result<(&str, Vec<Finding>), Finding> {
    if let Some(finding) = foreign(bytes) {
        return Err(finding.at(Position::START));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        Finding::new(&rules::ENCODING, DocPath::root(), Problem::NotUtf8)
            .at(Position::after(&String::from_utf8_lossy(valid)))
            .hint("the document must be JSON or YAML text; for protobuf use `--input-format protobuf`")
    })?;
    let rest = without_mark(text);
    let mark = Finding::new(&rules::BYTE_ORDER_MARK, DocPath::root(), Problem::ByteOrderMark).at(Position::START);
    Ok((rest, if rest.len() < text.len() { vec![mark] } else { Vec::new() }))
}

/// Returns a finding if the bytes are recognizable as another encoding or a binary format.
fn foreign(bytes: &[u8]) -> Option<Finding> {
    if let Some(binary) = Binary::of(bytes) {
        let problem = Problem::Binary { found: binary.title() };
        let finding = Finding::new(&rules::BINARY_DOCUMENT, DocPath::root(), problem);
        return Some(match binary.unpacker() {
            Some(command) => finding.hint(format!("unpack it: `{command}`")),
            None => finding,
        });
    }
    let encoding = Encoding::of(bytes)?;
    let finding = Finding::new(&rules::ENCODING, DocPath::root(), Problem::Encoding { found: encoding.title() });
    Some(finding.hint(format!("convert it: `iconv -f {} -t UTF-8 FILE`", encoding.charset())))
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
