//! MIME documents as cloud-init reads them.

use super::encoded::decoded;

/// A part of a document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) content_type: String,
    /// The file name, if the part has one.
    pub(crate) name: Option<String>,
    /// Lower case; empty if it is missing.
    pub(crate) transfer_encoding: String,
    /// How cloud-init merges a cloud-config, if the part says so.
    pub(crate) merge_type: Option<String>,
    pub(crate) body: String,
}

impl Part {
    /// Returns the content without its transfer encoding. `None` if it should be base64 and is not.
    pub(super) fn content(&self) -> Option<Vec<u8>> {
        match self.transfer_encoding.as_str() {
            "base64" => decoded(&self.body).map(|(bytes, _)| bytes),
            "quoted-printable" => Some(of_quoted_printable(&self.body)),
            _ => Some(self.body.clone().into_bytes()),
        }
    }
}

/// Decodes quoted-printable; what is not valid in it stays as it is. <https://www.rfc-editor.org/rfc/rfc2045#section-6.7>
fn of_quoted_printable(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('=') {
        bytes.extend_from_slice(before.as_bytes());
        // A line break behind the sign belongs to it.
        let joined = escape.strip_prefix("\r\n").or_else(|| escape.strip_prefix('\n'));
        let digits = escape.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        rest = if let Some(line) = joined {
            line
        } else if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            &escape[2..]
        } else {
            bytes.push(b'=');
            escape
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Returns the parts of a document; a document that is not multipart is one part. The second value describes what is
/// missing.
pub(crate) fn parts(text: &str) -> (Vec<Part>, Option<&'static str>) {
    let (headers, body) = split_headers(text);
    let Some(boundary) = parameter(&headers, "content-type", "boundary") else {
        return (vec![part(text)], None);
    };
    let delimiter = format!("--{boundary}");
    let mut parts = Vec::new();
    let mut current: Option<usize> = None;
    let mut at = 0;
    let mut ended = false;
    for line in body.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\r', '\n']);
        if bare == delimiter || bare.strip_suffix("--") == Some(delimiter.as_str()) {
            // The line break before a delimiter belongs to it.
            if let Some(start) = current.take() {
                let text = &body[start..at];
                parts.push(part(text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)));
            }
            ended = bare.len() > delimiter.len();
            current = (!ended).then_some(at + line.len());
        }
        at += line.len();
    }
    if let Some(start) = current {
        parts.push(part(&body[start..]));
    }
    (parts, (!ended).then_some("the MIME document has no closing boundary"))
}

fn part(text: &str) -> Part {
    let (headers, body) = split_headers(text);
    let content_type = header(&headers, "content-type").unwrap_or("text/plain");
    Part {
        content_type: content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase(),
        name: parameter(&headers, "content-disposition", "filename"),
        transfer_encoding: header(&headers, "content-transfer-encoding")
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase(),
        merge_type: header(&headers, "merge-type").or_else(|| header(&headers, "x-merge-type")).map(str::to_owned),
        body: body.to_owned(),
    }
}

/// Returns the headers, with folded lines joined, and the text after the blank line.
fn split_headers(text: &str) -> (Vec<(String, String)>, &str) {
    let mut headers: Vec<(String, String)> = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find('\n').map(|end| end + 1).or_else(|| (!rest.is_empty()).then_some(rest.len())) {
        let line = rest[..end].trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            return (headers, &rest[end..]);
        }
        match (line.starts_with([' ', '\t']), line.split_once(':')) {
            (true, _) => {
                if let Some((_, value)) = headers.last_mut() {
                    value.push(' ');
                    value.push_str(line.trim());
                }
            }
            (false, Some((name, value))) => headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned())),
            // Not a header: the body begins without a blank line.
            (false, None) => return (headers, rest),
        }
        rest = &rest[end..];
    }
    (headers, rest)
}

fn header<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
}

fn parameter(headers: &[(String, String)], name: &str, parameter: &str) -> Option<String> {
    header(headers, name)?.split(';').skip(1).find_map(|one| {
        let (key, value) = one.split_once('=')?;
        key.trim().eq_ignore_ascii_case(parameter).then(|| value.trim().trim_matches('"').to_owned())
    })
}
