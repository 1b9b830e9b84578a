//! Reads XML from start to end: elements with their path, attributes and text. No document type, and nesting has a limit.

use quick_xml::Reader;
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesStart, Event};

/// The deepest nesting that is read. The documents of the host nest ten levels.
const DEEPEST: usize = 64;

/// The XML declaration may name no other encoding.
const ENCODING: &str = "utf-8";

/// An element that has ended.
#[derive(Debug)]
pub(super) struct Element<'e> {
    /// Local names from the root to this element.
    pub path: &'e [String],
    /// Local names and values.
    pub attributes: &'e [(String, String)],
    /// Its own text, without that of elements inside.
    pub text: &'e str,
}

impl Element<'_> {
    /// Reports whether the path ends with these names.
    pub fn is(&self, names: &[&str]) -> bool {
        self.path.iter().rev().map(String::as_str).take(names.len()).eq(names.iter().rev().copied())
    }

    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| &**value)
    }
}

/// An element that is open: its attributes and its text so far.
#[derive(Default)]
struct Open {
    attributes: Vec<(String, String)>,
    text: String,
}

/// Calls `visit` for each element that has ended, those inside before those around them.
///
/// # Errors
/// Fails if the document is not well-formed XML in UTF-8, has a document type, or nests deeper than 64 levels.
pub(super) fn read(document: &[u8], mut visit: impl FnMut(&Element)) -> Result<(), &'static str> {
    const MALFORMED: &str = "is not XML";
    let text = str::from_utf8(document).map_err(|_| MALFORMED)?;
    let mut reader = Reader::from_str(text);
    reader.config_mut().enable_all_checks(true);
    let (mut path, mut open) = (Vec::<String>::new(), Vec::<Open>::new());
    let mut roots = 0;
    loop {
        match reader.read_event().map_err(|_| MALFORMED)? {
            Event::Start(start) => {
                roots += usize::from(path.is_empty());
                if path.len() == DEEPEST {
                    return Err("nests too deeply");
                }
                path.push(start.local_name().as_ref().to_owned());
                open.push(Open { attributes: attributes(&start).ok_or(MALFORMED)?, text: String::new() });
            }
            Event::Empty(start) => {
                roots += usize::from(path.is_empty());
                path.push(start.local_name().as_ref().to_owned());
                visit(&Element { path: &path, attributes: &attributes(&start).ok_or(MALFORMED)?, text: "" });
                path.pop();
            }
            Event::End(_) => {
                let Open { attributes, text } = open.pop().ok_or(MALFORMED)?;
                visit(&Element { path: &path, attributes: &attributes, text: &text });
                path.pop();
            }
            Event::Text(text) => {
                let text = text.xml10_content();
                match open.last_mut() {
                    Some(element) => element.text.push_str(&text),
                    None if text.trim().is_empty() => {}
                    None => return Err(MALFORMED),
                }
            }
            Event::CData(text) => {
                open.last_mut().ok_or(MALFORMED)?.text.push_str(&text.xml10_content());
            }
            Event::GeneralRef(reference) => {
                let text = &mut open.last_mut().ok_or(MALFORMED)?.text;
                match reference.resolve_char_ref().map_err(|_| MALFORMED)? {
                    Some(character) => text.push(character),
                    None => text.push_str(resolve_xml_entity(&reference.xml10_content()).ok_or(MALFORMED)?),
                }
            }
            Event::Decl(declaration) => match declaration.encoding() {
                None => {}
                Some(Ok(encoding)) if encoding.eq_ignore_ascii_case(ENCODING) => {}
                Some(_) => return Err("is not in UTF-8"),
            },
            Event::DocType(_) => return Err("has a document type"),
            Event::Comment(_) | Event::PI(_) => {}
            Event::Eof if path.is_empty() && roots == 1 => return Ok(()),
            Event::Eof => return Err(MALFORMED),
        }
    }
}

fn attributes(start: &BytesStart) -> Option<Vec<(String, String)>> {
    let mut attributes = Vec::new();
    // Checking for duplicates would take a time that grows with the square of their number; the first one counts.
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute.ok()?;
        let value = unescape(&attribute.value).ok()?.into_owned();
        attributes.push((attribute.key.local_name().as_ref().to_owned(), value));
    }
    Some(attributes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(document: &str) -> Result<Vec<String>, &'static str> {
        let mut found = Vec::new();
        read(document.as_bytes(), |element| {
            found.push(format!("{} {:?} {:?}", element.path.join("/"), element.attributes, element.text));
        })?;
        Ok(found)
    }

    #[test]
    fn elements_have_their_path_attributes_and_text() {
        let document = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a:r xmlns:a=\"u\" k='&lt;&#65;'>x&amp;<!-- c --><i/>y<![CDATA[<z>]]></a:r>\n";
        assert_eq!(
            elements(document).expect("well-formed"),
            [r#"r/i [] """#, r#"r [("a", "u"), ("k", "<A")] "x&y<z>""#]
        );
    }

    #[test]
    fn what_is_not_one_well_formed_element_is_an_error() {
        for document in [
            "",
            " ",
            "text",
            "<a>",
            "<a></b>",
            "</a>",
            "<a/><b/>",
            "<a/>text",
            "text<a/>",
            "<a>&b;</a>",
            "<a b='&c;'/>",
            "<a b></a>",
            "<a",
            "<a><![CDATA[</a>",
            "{}",
            "<?xml version='1.0' encoding='utf-16'?><a/>",
            "<!DOCTYPE a><a/>",
            "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
            "<a>&#0;</a>",
            "<a>&#xD800;</a>",
        ] {
            assert!(elements(document).is_err(), "{document}");
        }
        assert!(read(b"<a>\xff</a>", |_| {}).is_err());
    }

    #[test]
    fn nesting_has_a_limit() {
        let nested = |depth| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
        assert!(elements(&nested(DEEPEST)).is_ok());
        assert_eq!(elements(&nested(DEEPEST + 1)), Err("nests too deeply"));
        assert!(elements(&"<a>".repeat(100_000)).is_err());
    }
}
