//! The encodings in which logs and templates have a text. Each is a function, so that any two can be composed.

use std::fmt::Write as _;

use aks_node_controller::redaction::REDACTED;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use crate::support::gzip;

/// An encoding of a whole text.
#[derive(Clone, Copy)]
pub struct Encoding {
    pub name: &'static str,
    pub encode: fn(&str) -> String,
}

macro_rules! encodings {
    ($($name:literal => $encode:expr,)*) => { [$(Encoding { name: $name, encode: $encode }),*] };
}

fn each(text: &str, form: impl Fn(u8) -> String) -> String {
    text.bytes().map(form).collect()
}

fn special(text: &str, form: impl Fn(char) -> String) -> String {
    text.chars()
        .map(|character| if character.is_ascii_alphanumeric() { character.into() } else { form(character) })
        .collect()
}

fn json(text: &str) -> String {
    serde_json::to_string(text).expect("it is a text")
}

fn wrapped(text: &str, columns: usize, between: &str) -> String {
    text.as_bytes().chunks(columns).map(String::from_utf8_lossy).collect::<Vec<_>>().join(between)
}

fn deflated(text: &str) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).expect("memory")
}

/// Returns lines of 45 bytes, each after a character for its length, as `uuencode` writes them.
fn uuencoded(bytes: &[u8]) -> String {
    let character = |number: u8| char::from(if number == 0 { b'`' } else { b' ' + number });
    let group = |group: &[u8]| {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or_default());
        let number = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digit = |shift: u32| character(u8::try_from(number >> shift & 63).expect("six bits"));
        [18, 12, 6, 0].map(digit).iter().collect::<String>()
    };
    let line = |line: &[u8]| {
        let count = u8::try_from(line.len()).expect("it is short");
        format!("{}{}\n", character(count), line.chunks(3).map(group).collect::<String>())
    };
    format!("begin 644 file\n{}`\nend\n", bytes.chunks(45).map(line).collect::<String>())
}

/// Returns a packet as `tcpdump -X` shows it: the text comes after headers that are no text.
fn packets(text: &str) -> String {
    let bytes = [
        &b"E\0\0\x99\x1c\x46@\0@\x06\xb1\xe6\xac\x10\x0a\x63\xac\x10\x0a\x0c\x80\x18\x01\xf6\0\0\x01\x01"[..],
        text.as_bytes(),
    ]
    .concat();
    let line = |(number, line): (usize, &[u8])| {
        let words = line.chunks(2).map(|pair| match pair {
            [first, second] => format!("{first:02x}{second:02x}"),
            rest => format!("{:02x}", rest[0]),
        });
        let shown: String =
            line.iter().map(|byte| if byte.is_ascii_graphic() { char::from(*byte) } else { '.' }).collect();
        format!("\t0x{:04x}:  {:39}  {shown}\n", 16 * number, words.collect::<Vec<_>>().join(" "))
    };
    let lines: String = bytes.chunks(16).enumerate().map(line).collect();
    format!("05:54:15.000001 IP 10.0.0.4.51000 > 10.0.0.5.443: Flags [P.], length {}\n{lines}", bytes.len())
}

pub fn base32(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let bits = bytes.iter().fold(String::new(), |mut bits, byte| {
        let _ = write!(bits, "{byte:08b}");
        bits
    });
    let digit = |bits: &[u8]| {
        let number = bits.iter().chain(b"00000").take(5).fold(0, |number, bit| number << 1 | usize::from(bit - b'0'));
        char::from(ALPHABET[number])
    };
    bits.as_bytes().chunks(5).map(digit).collect()
}

/// Returns lines of 16 bytes after their offsets.
fn dump(text: &str, form: impl Fn(&str) -> String) -> String {
    let characters: Vec<_> = text.chars().collect();
    let lines = characters.chunks(16).map(|line| form(&line.iter().collect::<String>()));
    lines.enumerate().map(|(number, line)| format!("{:08x}: {line}\n", 16 * number)).collect::<Vec<_>>().concat()
}

/// The same with offsets as `od` writes them.
fn octal_dump(text: &str, form: impl Fn(&str) -> String) -> String {
    let characters: Vec<_> = text.chars().collect();
    let lines = characters.chunks(16).map(|line| form(&line.iter().collect::<String>()));
    lines.enumerate().map(|(number, line)| format!("{:07o}{line}\n", 16 * number)).collect::<Vec<_>>().concat()
}

/// Returns what programs show beside a dump.
fn shown(line: &str) -> String {
    line.chars().map(|character| if character.is_ascii_graphic() { character } else { '.' }).collect()
}

/// Returns words of two bytes, the lower byte first.
fn words(line: &str, form: impl Fn(u16) -> String) -> String {
    let word = |pair: &[u8]| form(u16::from_le_bytes([pair[0], pair.get(1).copied().unwrap_or_default()]));
    line.as_bytes().chunks(2).map(word).collect::<Vec<_>>().join(" ")
}

/// Returns base85, each of whose digits is a character.
fn base85(bytes: &[u8], character: impl Fn(u8) -> char) -> String {
    let digits = |group: &[u8]| {
        let mut whole = [0; 4];
        whole[..group.len()].copy_from_slice(group);
        let number = u32::from_be_bytes(whole);
        let powers = [52_200_625, 614_125, 7225, 85, 1];
        let digit = |power| character(u8::try_from(number / power % 85).expect("it is a remainder"));
        powers.into_iter().take(group.len() + 1).map(digit).collect::<String>()
    };
    bytes.chunks(4).map(digits).collect()
}

/// Encodings that any other can be composed with.
pub const LAYERS: [Encoding; 20] = encodings! {
    "plain" => str::to_owned,
    "JSON" => json,
    "JSON, every character" => |text| text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect::<Vec<_>>().concat(),
    "single quotes of the shell" => |text| format!("'{}'", text.replace('\'', r"'\''")),
    "backslashes of the shell" => |text| special(text, |character| if character == '\n' { "$'\\n'".into() } else { format!("\\{character}") }),
    "XML" => |text| text.replace('&', "&amp;").replace('\'', "&apos;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;"),
    "HTML, numbers" => |text| special(text, |character| format!("&#x{:X};", u32::from(character))),
    "URL" => |text| each(text, |byte| if byte.is_ascii_alphanumeric() { char::from(byte).into() } else { format!("%{byte:02X}") }),
    "URL, every byte" => |text| each(text, |byte| format!("%{byte:02x}")),
    "systemd" => |text| each(text, |byte| if byte.is_ascii_alphanumeric() { char::from(byte).into() } else { format!("\\x{byte:02x}") }),
    "octal" => |text| each(text, |byte| format!("\\{byte:03o}")),
    "base64" => |text| STANDARD.encode(text),
    "base64, 76 columns" => |text| wrapped(&STANDARD.encode(text), 76, "\n"),
    "base64, URL-safe, no padding" => |text| URL_SAFE_NO_PAD.encode(text),
    "gzip in base64" => |text| STANDARD.encode(gzip(text.as_bytes())),
    "base32" => |text| base32(text.as_bytes()),
    "hexadecimal" => |text| each(text, |byte| format!("{byte:02x}")),
    "pairs of hexadecimal digits" => |text| wrapped(&each(text, |byte| format!("{byte:02X}")), 2, " "),
    "Python" => |text| format!("b'{}'", text.replace('\\', r"\\").replace('\'', r"\'").replace('\n', r"\n")),
    "quoted-printable" => |text| each(text, |byte| if byte == b'=' || !byte.is_ascii_graphic() && byte != b' ' && byte != b'\n' { format!("={byte:02X}") } else { char::from(byte).into() }),
};

/// Encodings of other places.
pub const OTHERS: [Encoding; 42] = encodings! {
    "JSON, slashes" => |text| json(text).replace('/', "\\/"),
    "JSON of a template" => |text| json(text).replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e"),
    "JSON four times" => |text| json(&json(&json(&json(text)))),
    "double quotes of the shell" => |text| {
        let quoted = text.chars().map(|character| if "\"\\$`".contains(character) { format!("\\{character}") } else { character.into() });
        format!("\"{}\"", quoted.collect::<String>())
    },
    "quotes in quotes of the shell" => |text| format!("'{}'", text.replace('\'', "'\"'\"'")),
    "single quotes of YAML" => |text| format!("'{}'", text.replace('\'', "''")),
    "block of YAML" => |text| format!("value: |\n    {}\n", text.replace('\n', "\n    ")),
    "XML, &#x27;" => |text| text.replace('&', "&amp;").replace('\'', "&#x27;").replace('"', "&#34;").replace('<', "&lt;"),
    "CDATA" => |text| format!("<a><![CDATA[{text}]]></a>"),
    "HTML, every character" => |text| text.chars().map(|character| format!("&#{};", u32::from(character))).collect::<Vec<_>>().concat(),
    "base64 after one byte" => |text| STANDARD_NO_PAD.encode(format!(" {text}")),
    "base64 after two bytes" => |text| STANDARD_NO_PAD.encode(format!("\n {text}")),
    "base64, indented" => |text| format!("    {}", wrapped(&STANDARD.encode(text), 60, "\n    ")),
    "base64, line feeds of JSON" => |text| wrapped(&STANDARD.encode(text), 76, "\\n"),
    "base64 of UTF-16" => |text| STANDARD.encode(text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()),
    "hexadecimal after 0x" => |text| each(text, |byte| format!("0x{byte:02x}, ")),
    "hexadecimal and colons" => |text| wrapped(&each(text, |byte| format!("{byte:02X}")), 2, ":"),
    "hexadecimal escapes" => |text| each(text, |byte| format!("\\x{byte:02X}")),
    "hexdump -C" => |text| dump(text, |line| each(line, |byte| format!("{byte:02x} ")) + " |" + &shown(line) + "|"),
    "xxd" => |text| dump(text, |line| wrapped(&each(line, |byte| format!("{byte:02x}")), 4, " ") + "  " + &shown(line)),
    "xxd, in a journal" => |text| {
        let dump = dump(text, |line| wrapped(&each(line, |byte| format!("{byte:02x}")), 4, " ") + "  " + &shown(line));
        dump.lines().map(|line| format!("Nov 22 05:54:15 host app[7]: {line}\n")).collect::<Vec<_>>().concat()
    },
    "od" => |text| octal_dump(text, |line| " ".to_owned() + &words(line, |word| format!("{word:06o}"))),
    "od -x" => |text| octal_dump(text, |line| " ".to_owned() + &words(line, |word| format!("{word:04x}"))),
    "od -b" => |text| octal_dump(text, |line| " ".to_owned() + &each(line, |byte| format!("{byte:03o} "))),
    "od -c" => |text| octal_dump(text, |line| each(line, |byte| match byte {
        b'\n' => "  \\n".into(),
        byte if byte.is_ascii() => format!("   {}", char::from(byte)),
        byte => format!(" {byte:03o}"),
    })),
    "list of numbers" => |text| format!("{:?}", text.as_bytes()),
    "list of numbers in lines" => |text| format!("{:#?}", text.as_bytes()),
    "base32, lower case" => |text| base32(text.as_bytes()).to_lowercase(),
    "base85" => |text| base85(text.as_bytes(), |digit| char::from(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"[usize::from(digit)])),
    "Ascii85" => |text| base85(text.as_bytes(), |digit| char::from(b'!' + digit)),
    "base64, 4 columns" => |text| wrapped(&STANDARD.encode(text), 4, "\n"),
    "base64, 8 columns, indented" => |text| format!("    {}", wrapped(&STANDARD.encode(text), 8, "\n    ")),
    "code points" => |text| text.chars().map(|character| format!("U+{:04X}", u32::from(character))).collect::<Vec<_>>().join(" "),
    "base64, folded by backslashes" => |text| wrapped(&STANDARD.encode(text), 20, "\\\n"),
    "base64, in a journal" => |text| {
        let lines = wrapped(&STANDARD.encode(text), 76, "\n");
        lines.lines().map(|line| format!("Nov 22 05:54:15 host app[7]: {line}\n")).collect::<Vec<_>>().concat()
    },
    "quoted-printable, every byte" => |text| wrapped(&each(text, |byte| format!("={byte:02X}")), 72, "=\n"),
    "UTF-16 in hexadecimal digits" => |text| text.encode_utf16().map(|unit| format!("{:04x}", unit.swap_bytes())).collect::<Vec<_>>().concat(),
    "deflate in base64" => |text| STANDARD.encode(deflated(text)),
    "uuencode" => |text| uuencoded(text.as_bytes()),
    "tcpdump -X" => packets,
    "backticks of PowerShell" => |text| special(text, |character| if character == '\n' { "`n".into() } else { format!("`{character}") }),
    "escapes of Rust" => |text| special(text, |character| format!("\\u{{{:x}}}", u32::from(character))),
};

/// Returns a text in every encoding, and in any two of [`LAYERS`].
pub fn all(text: &str) -> Vec<(String, String)> {
    let single = LAYERS.iter().chain(&OTHERS).map(|encoding| (encoding.name.to_owned(), (encoding.encode)(text)));
    let pairs = LAYERS[1..].iter().flat_map(|first| {
        LAYERS[1..]
            .iter()
            .map(move |then| (format!("{} in {}", first.name, then.name), (then.encode)(&(first.encode)(text))))
    });
    let all: Vec<_> = single.chain(pairs).collect();
    assert!(all.iter().all(|(_, text)| !text.contains(REDACTED)));
    all
}
