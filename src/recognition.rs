//! Recognizes formats: compressed data, a binary, text in another encoding, or a kind of text.
//!
//! The result depends only on the bytes, and takes one pass over them. The callers decide which formats they accept.
//!
//! To add a format: a row in `SIGNATURES`, or a variant of [`Text`] and a branch in [`Text::of`].
#[cfg(feature = "cli")]
use std::borrow::Cow;

/// What bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A binary format.
    Binary(Binary),
    /// Text that is not UTF-8.
    Encoded(Encoding),
    /// UTF-8, possibly with a byte order mark.
    Text(Text),
    /// Bytes of an unknown kind.
    Unknown,
}

impl Content {
    /// Recognizes bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        if let Some(binary) = Binary::of(bytes) {
            return Self::Binary(binary);
        }
        if let Some(encoding) = Encoding::of(bytes) {
            return Self::Encoded(encoding);
        }
        std::str::from_utf8(bytes).map_or(Self::Unknown, |text| Self::Text(Text::of(text)))
    }
}

/// A binary format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
    Zip,
    SevenZip,
    Tar,
    Elf,
}

/// Each format with its signature, and the place of the signature.
const SIGNATURES: [(Binary, usize, &[u8]); 9] = [
    // The third byte stands for the only method of compression. <https://www.rfc-editor.org/rfc/rfc1952>
    (Binary::Gzip, 0, b"\x1f\x8b\x08"),
    (Binary::Xz, 0, b"\xfd7zXZ\0"),
    (Binary::Zstd, 0, b"\x28\xb5\x2f\xfd"),
    (Binary::Zip, 0, b"PK\x03\x04"),
    // An archive without entries.
    (Binary::Zip, 0, b"PK\x05\x06"),
    (Binary::SevenZip, 0, b"7z\xbc\xaf\x27\x1c"),
    (Binary::Elf, 0, b"\x7fELF"),
    // What follows `BZh` and the block size. Without it, a text could begin so.
    (Binary::Bzip2, 4, b"1AY&SY"),
    (Binary::Tar, 257, b"ustar"),
];

impl Binary {
    /// Recognizes the beginning of bytes; 512 of them are enough.
    pub(crate) fn of(beginning: &[u8]) -> Option<Self> {
        let has = |(_, place, signature): &&(Self, usize, &[u8])| {
            beginning.get(*place..).is_some_and(|rest| rest.starts_with(signature))
        };
        let (found, ..) = SIGNATURES.iter().find(has)?;
        (*found != Self::Bzip2 || beginning.starts_with(b"BZh")).then_some(*found)
    }

    /// Returns the name for messages.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Gzip => "gzip data",
            Self::Bzip2 => "bzip2 data",
            Self::Xz => "xz data",
            Self::Zstd => "zstd data",
            Self::Zip => "a ZIP archive",
            Self::SevenZip => "a 7z archive",
            Self::Tar => "a tar archive",
            Self::Elf => "an ELF binary",
        }
    }

    /// Returns the command that writes the content to standard output. `None` if there is no content.
    pub(crate) const fn unpacker(self) -> Option<&'static str> {
        match self {
            Self::Gzip => Some("gzip -dc FILE"),
            Self::Bzip2 => Some("bzip2 -dc FILE"),
            Self::Xz => Some("xz -dc FILE"),
            Self::Zstd => Some("zstd -dc FILE"),
            Self::Zip => Some("unzip -p FILE"),
            Self::SevenZip => Some("7z x -so FILE"),
            Self::Tar => Some("tar -xOf FILE"),
            Self::Elf => None,
        }
    }
}

/// An encoding of text other than UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf32,
    /// With a byte order mark, as PowerShell writes files.
    Utf16,
    /// Without a byte order mark, little endian.
    Utf16Le,
    /// Without a byte order mark, big endian.
    Utf16Be,
}

impl Encoding {
    /// Recognizes the beginning of bytes.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        Some(match *bytes {
            // The mark of UTF-32 begins with the mark of UTF-16.
            [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Self::Utf32,
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Self::Utf16,
            // Two characters of ASCII, or a single one.
            [a, 0, b, 0, ..] if a != 0 && b != 0 => Self::Utf16Le,
            [0, a, 0, b, ..] if a != 0 && b != 0 => Self::Utf16Be,
            [a, 0] if a != 0 => Self::Utf16Le,
            [0, a] if a != 0 => Self::Utf16Be,
            _ => return None,
        })
    }

    /// Returns the name for messages.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Utf32 => "UTF-32",
            Self::Utf16 | Self::Utf16Le | Self::Utf16Be => "UTF-16",
        }
    }

    /// Returns the name in `iconv`.
    pub(crate) const fn charset(self) -> &'static str {
        match self {
            Self::Utf32 => "UTF-32",
            Self::Utf16 => "UTF-16",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
        }
    }
}

/// The byte order mark, with which some programs begin UTF-8.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns a text without the byte order mark at its beginning.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Decodes UTF-16 with a byte order mark. `None` for other bytes.
pub(crate) fn utf_16(bytes: &[u8]) -> Option<String> {
    if Encoding::of(bytes) != Some(Encoding::Utf16) {
        return None;
    }
    let unit = if bytes[0] == 0xff { u16::from_le_bytes } else { u16::from_be_bytes };
    let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    Some(String::from_utf16_lossy(&units))
}

/// Returns the gzip data in a text with one character of Latin-1 for each byte, as `az` takes it. `None` for other texts.
pub(crate) fn latin_1(text: &str) -> Option<Vec<u8>> {
    if !text.starts_with("\x1f\u{8b}\x08") {
        return None;
    }
    text.chars().map(|character| u8::try_from(character).ok()).collect()
}

/// Returns the text in bytes, without a byte order mark: UTF-8, or UTF-16 as PowerShell writes it. Other bytes are replaced.
#[cfg(feature = "cli")]
pub(crate) fn lossy_text(bytes: &[u8]) -> Cow<'_, str> {
    // Checking a text is faster than replacing what is none.
    let text = || str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
    match utf_16(bytes).map_or_else(text, Cow::Owned) {
        Cow::Borrowed(text) => Cow::Borrowed(without_mark(text)),
        Cow::Owned(text) => Cow::Owned(without_mark(&text).to_owned()),
    }
}

/// A kind of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// A MIME document.
    Mime,
    /// A boothook of cloud-init.
    Boothook,
    /// A cloud-config.
    CloudConfig,
    /// A list of other user data of cloud-init.
    CloudConfigArchive,
    /// The addresses of other user data of cloud-init.
    Include,
    /// Code with which cloud-init handles other parts.
    PartHandler,
    /// User data of cloud-init with placeholders.
    Template,
    /// A script with the line that names its interpreter.
    Script,
    /// Text that begins like JSON. It can also be YAML.
    Json,
    /// Base64, possibly with line breaks or without its end.
    Base64,
    /// A command that starts provisioning or waits for it.
    Command,
    /// Any other text.
    Other,
}

impl Text {
    /// Recognizes a text. Blanks and a byte order mark at its beginning are ignored.
    pub(crate) fn of(text: &str) -> Self {
        let text = without_mark(text).trim();
        let begins = |start: &str| {
            text.as_bytes().get(..start.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(start.as_bytes()))
        };
        if begins("content-type:") || begins("mime-version:") {
            Self::Mime
        } else if text.starts_with("#cloud-boothook") {
            Self::Boothook
        } else if text.starts_with("#cloud-config-archive") {
            Self::CloudConfigArchive
        } else if text.starts_with("#cloud-config") {
            Self::CloudConfig
        } else if text.starts_with("#part-handler") {
            Self::PartHandler
        } else if begins("## template: jinja") {
            Self::Template
        } else if is_include(text) {
            Self::Include
        } else if is_script(text) {
            Self::Script
        } else if text.starts_with(['{', '[', '"']) {
            Self::Json
        } else if is_base64(text) {
            Self::Base64
        } else if is_command(text) {
            Self::Command
        } else {
            Self::Other
        }
    }

    /// Reports whether only cloud-init takes such a text. It also takes scripts.
    pub(crate) const fn is_user_data(self) -> bool {
        match self {
            Self::Mime
            | Self::Boothook
            | Self::CloudConfig
            | Self::CloudConfigArchive
            | Self::Include
            | Self::PartHandler
            | Self::Template => true,
            Self::Script | Self::Json | Self::Base64 | Self::Command | Self::Other => false,
        }
    }
}

/// Reports whether a text begins as a list of addresses for cloud-init: a header of C begins with the same word.
fn is_include(text: &str) -> bool {
    text.starts_with("#include") && included(text).next().is_some_and(|address| address.contains("://"))
}

/// Returns the addresses in a list for cloud-init. The first one can follow the word that begins the list.
pub(crate) fn included(text: &str) -> impl Iterator<Item = &str> {
    let addresses = text.lines().map(|line| {
        let rest = line.strip_prefix("#include-once").or_else(|| line.strip_prefix("#include"));
        rest.unwrap_or(line).trim()
    });
    addresses.filter(|address| !address.is_empty() && !address.starts_with('#'))
}

/// Reports whether a text begins with the line that names the interpreter of a script.
pub(crate) fn is_script(text: &str) -> bool {
    text.starts_with("#!")
}

/// Reports whether a text looks like base64: long enough, with no other characters except line breaks.
fn is_base64(text: &str) -> bool {
    /// A shorter word can be anything.
    const SHORTEST: usize = 16;
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let mut digits = 0;
    let mut padding = 0;
    for line in text.lines() {
        for byte in line.trim().bytes() {
            match byte {
                b'=' => padding += 1,
                _ if is_digit(byte) && padding == 0 => digits += 1,
                _ => return false,
            }
        }
    }
    digits + padding >= SHORTEST && padding <= 2
}

/// Reports whether a text has, outside comments, parts that occur only in commands that start provisioning or wait for it.
pub(crate) fn is_command(text: &str) -> bool {
    const PARTS: [&str; 3] =
        ["/opt/azure/containers/provision_start.sh", "aks-node-controller provision-wait", "PROVISION_OUTPUT="];
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.any(|line| PARTS.iter().any(|part| line.contains(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_formats_are_recognized_by_their_signatures() {
        let mut tar = [0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        for (bytes, expected) in [
            (&b"\x1f\x8b\x08\0"[..], Content::Binary(Binary::Gzip)),
            (b"BZh91AY&SY\xff", Content::Binary(Binary::Bzip2)),
            (b"\xfd7zXZ\0\0", Content::Binary(Binary::Xz)),
            (b"\x28\xb5\x2f\xfd\x04", Content::Binary(Binary::Zstd)),
            (b"PK\x03\x04\x14\0", Content::Binary(Binary::Zip)),
            (b"PK\x05\x06\0\0", Content::Binary(Binary::Zip)),
            (b"7z\xbc\xaf\x27\x1c\0\x04", Content::Binary(Binary::SevenZip)),
            (b"\x7fELF\x02\x01\x01\0", Content::Binary(Binary::Elf)),
            (&tar, Content::Binary(Binary::Tar)),
            (b"BZh: 1\n", Content::Text(Text::Other)),
            (b"key1AY&SY: 1\n", Content::Text(Text::Other)),
            (b"\xc3(", Content::Unknown),
        ] {
            assert_eq!(Content::of(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn encodings_are_recognized_with_and_without_their_marks() {
        for (bytes, expected) in [
            (&b"\xff\xfe{\0"[..], Encoding::Utf16),
            (b"\xfe\xff\0{", Encoding::Utf16),
            (b"\xff\xfe\0\0{\0\0\0", Encoding::Utf32),
            (b"\0\0\xfe\xff\0\0\0{", Encoding::Utf32),
            (b"{\0\"\0a\0", Encoding::Utf16Le),
            (b"\0{\0\"\0a", Encoding::Utf16Be),
            (b"1\0", Encoding::Utf16Le),
            (b"\x001", Encoding::Utf16Be),
        ] {
            assert_eq!(Content::of(bytes), Content::Encoded(expected), "{bytes:?}");
        }
        assert_eq!(utf_16(b"\xff\xfea\0b\0").as_deref(), Some("ab"));
        assert_eq!(utf_16(b"\xfe\xff\0a\0b").as_deref(), Some("ab"));
        assert_eq!(utf_16(b"\xff\xfe\0\0a\0\0\0"), None);
        assert_eq!(utf_16(b"ab"), None);
    }

    #[test]
    fn gzip_data_can_be_text_of_latin_1() {
        assert_eq!(latin_1("\x1f\u{8b}\x08\u{ff}").as_deref(), Some(&b"\x1f\x8b\x08\xff"[..]));
        assert_eq!(latin_1("\x1f\u{8b}\x08\u{100}"), None);
        assert_eq!(latin_1("a"), None);
    }

    #[cfg(feature = "cli")]
    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(lossy_text("\u{feff}a".as_bytes()), "a");
        assert_eq!(lossy_text(b"a\xffb"), "a\u{fffd}b");
    }

    #[test]
    fn texts_are_recognized_by_how_they_begin() {
        for (text, expected) in [
            ("Content-Type: multipart/mixed; boundary=\"x\"\n", Text::Mime),
            ("\nmime-version: 1.0\n", Text::Mime),
            ("#cloud-boothook\n", Text::Boothook),
            ("\u{feff}#cloud-config\nwrite_files: []\n", Text::CloudConfig),
            ("#cloud-config-archive\n- \"#cloud-config\"\n", Text::CloudConfigArchive),
            ("#part-handler\n", Text::PartHandler),
            ("## Template: jinja\n#cloud-config\n", Text::Template),
            ("#include\n\n# addresses\nhttps://a.example/b\n", Text::Include),
            ("#include-once https://a.example/b", Text::Include),
            ("#include <stdio.h>\nint main() { return 0; }\n", Text::Other),
            ("#!/bin/bash\nexit\n", Text::Script),
            (" {\"a\": \"PROVISION_OUTPUT=\"}", Text::Json),
            ("\"I2Nsb3VkLWNvbmZpZwo=\"", Text::Json),
            ("I2Nsb3VkLWNvbmZpZwo=", Text::Base64),
            ("I2Nsb3VkLWNvb\r\nmZpZwo=\r\n", Text::Base64),
            ("I2Nsb3VkLWNvbmZpZw", Text::Base64),
            ("I2Nsb3VkLWNvb mZpZwo=", Text::Other),
            ("I2Nsb3VkLWNvbmZp===", Text::Other),
            ("A=bbbbbbbbbbbbbbbbbbbb", Text::Other),
            ("kubernetes", Text::Other),
            ("X=1 /bin/bash /opt/azure/containers/provision_start.sh", Text::Command),
            ("/opt/azure/containers/aks-node-controller provision-wait\n", Text::Command),
            ("a: b\n", Text::Other),
            ("# started by /opt/azure/containers/provision_start.sh\na: b\n", Text::Other),
            ("", Text::Other),
        ] {
            assert_eq!(Content::of(text.as_bytes()), Content::Text(expected), "{text:?}");
        }
    }
}
