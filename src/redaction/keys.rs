//! Tells private keys from public ones and from certificates.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::packed;

static BEGIN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("-----BEGIN "));

static END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("-----END "));

/// What PEM and `OpenPGP` call public things.
const PUBLIC: [&[u8]; 10] = [
    b"CERTIFICATE-----",
    b"TRUSTED CERTIFICATE-----",
    b"CERTIFICATE REQUEST-----",
    b"NEW CERTIFICATE REQUEST-----",
    b"PUBLIC KEY-----",
    b"RSA PUBLIC KEY-----",
    b"PGP PUBLIC KEY BLOCK-----",
    b"PGP SIGNATURE-----",
    b"X509 CRL-----",
    b"DH PARAMETERS-----",
];

/// Returns the ranges of certificates, requests for them, and public keys, which look like keys.
pub(super) fn public(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut ends = END.find_iter(text).peekable();
    let mut begins = BEGIN.find_iter(text).peekable();
    while let Some(start) = begins.next() {
        let inside = start + BEGIN.needle().len();
        let Some(label) = PUBLIC.into_iter().find(|label| text[inside..].starts_with(label)) else { continue };
        while ends.next_if(|stop| *stop < inside).is_some() {}
        // One that was cut off has no end of its own.
        let stop = ends.peek().filter(|stop| begins.peek().is_none_or(|next| next > *stop));
        let end = stop.map(|stop| stop + END.needle().len()).filter(|end| text[*end..].starts_with(label));
        let end = end.map(|end| end + label.len()).or_else(|| end_of_part(text, inside + label.len()));
        found.extend(end.map(|end| start..end));
    }
    found
}

/// Returns where a certificate in PEM ends that was cut off: it has no more characters than the whole one would have.
fn end_of_part(text: &[u8], begin: usize) -> Option<usize> {
    /// The most bytes of the first line.
    const LINE: usize = 80;
    let is_base64 = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/".contains(byte);
    let feed = [&b"\n"[..], b"\r\n", b"\\n", b"\\r\\n"].into_iter().find(|feed| text[begin..].starts_with(feed))?;
    let begin = begin + feed.len();
    let line = text[begin..].iter().take(LINE).take_while(is_base64).count();
    let bytes = length_of_certificate(&packed::of_base64(&text[begin..begin + line]))?;
    let characters = bytes.div_ceil(3) * 4;
    let most = characters + (characters / 64 + 1) * feed.len();
    let is_inside = |byte: &&u8| is_base64(byte) || b"=\\\r\n".contains(byte);
    Some(begin + text[begin..].iter().take(most).take_while(is_inside).count())
}

/// Returns the length of a certificate of X.509 that bytes begin with, of which some may be cut off.
fn length_of_certificate(bytes: &[u8]) -> Option<usize> {
    /// Version 3, and the serial number.
    const VERSION: [u8; 6] = [0xa0, 3, 2, 1, 2, 2];
    let [0x30, 0x82, high, low, 0x30, length, rest @ ..] = bytes else { return None };
    let digits = usize::from(length.checked_sub(0x80)?);
    let is_certificate = rest.get(digits..).is_some_and(|rest| rest.starts_with(&VERSION));
    is_certificate.then(|| 4 + (usize::from(*high) << 8 | usize::from(*low)))
}

/// Reports whether what is before a piece of a text says that it is public: a checksum, a public key, or the other side of `WireGuard`.
pub(super) fn is_said_public(text: &[u8], range: &Range<usize>) -> bool {
    /// Characters of the shortest key in a record of DNS.
    const SHORTEST_RECORD: usize = 40;
    const NAMES: [&[u8]; 9] = [
        b"publickey",
        b"public_key",
        b"public-key",
        b"public key",
        b"pubkey",
        b"peer",
        // Names and hashes of keys and certificates in JSON (RFC 7517), and of the body of a request.
        b"kid",
        b"x5t#s256",
        b"content-sha256",
    ];
    if range.len() >= SHORTEST_RECORD {
        // A record of DNS, with numbers before the key.
        let line = &text[range.start.saturating_sub(48)..range.start];
        let line = line.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        if memmem::find(line, b"DNSKEY ").is_some() {
            return true;
        }
    }
    let is_sign = |byte: &&u8| b" \t\"'\\:=".contains(byte);
    let signs = text[..range.start].iter().rev().take(64).take_while(is_sign).count();
    let before = &text[..range.start - signs];
    let is_name = |name: &&[u8]| {
        let begin = before.len().checked_sub(name.len());
        begin.is_some_and(|begin| before[begin..].eq_ignore_ascii_case(name))
    };
    // What Azure Front Door calls a request, behind the time of it: `x-azure-ref: 20241122T055415Z-r1d5c6b7f8`.
    let line = &text[range.start.saturating_sub(48)..range.start];
    let is_request = || {
        let line = line.rsplit(|byte| *byte == b'\n').next().unwrap_or_default().to_ascii_lowercase();
        [&b"x-azure-ref"[..], b"x-msedge-ref"].iter().any(|name| memmem::find(&line, name).is_some())
    };
    packed::is_checksum(text, range)
        || signs > 0 && (NAMES.iter().any(is_name) || is_member_of_public_key(before))
        || is_request()
        || ends_with_name_of_request(&text[range.clone()])
}

/// Reports whether a text ends with the name of a member of a JSON web key that public keys have as well, and the kind of the key is before it.
fn is_member_of_public_key(before: &[u8]) -> bool {
    /// Bytes of the members between them.
    const OBJECT: usize = 256;
    let near = &before[before.len().saturating_sub(OBJECT)..];
    [&b"\"n"[..], b"\"x", b"\"y"].iter().any(|name| near.ends_with(name)) && memmem::rfind(near, b"\"kty").is_some()
}

/// Reports whether a word ends with what a kubelet calls its certificate signing request: a hash with 256 bits of its public key.
fn ends_with_name_of_request(word: &[u8]) -> bool {
    const HASH: usize = 43;
    word.len().checked_sub(HASH).is_some_and(|begin| word[..begin].ends_with(b"node-csr-"))
}

/// Reports whether bytes are public although they look like a key: a certificate, a request for one, or a public key, also of SSH.
pub(super) fn is_public(bytes: &[u8]) -> bool {
    use x509_cert::der::Decode;
    let is_ssh = bytes.starts_with(&[0, 0, 0])
        && [&b"ssh-"[..], b"ecdsa-", b"sk-"]
            .iter()
            .any(|name| bytes.get(4..).is_some_and(|rest| rest.starts_with(name)));
    let is_der = || {
        x509_cert::Certificate::from_der(bytes).is_ok()
            || x509_cert::request::CertReq::from_der(bytes).is_ok()
            || x509_cert::spki::SubjectPublicKeyInfoRef::from_der(bytes).is_ok()
    };
    // The algorithm, a number and a key of Ed25519, as `minisign` and `signify` have it.
    let is_of_signify = bytes.len() == 42 && bytes.starts_with(b"Ed");
    let is_part = || length_of_certificate(bytes).is_some_and(|length| bytes.len() <= length);
    is_ssh || is_of_signify || bytes.starts_with(&[0x30]) && (is_part() || is_der())
}

/// Reports whether bytes are a private key in DER: PKCS #8, PKCS #1 or SEC 1, which all begin with a small version.
pub(super) fn is_private(bytes: &[u8]) -> bool {
    let [0x30, length, rest @ ..] = bytes else { return false };
    let count = if *length < 0x80 { 0 } else { usize::from(length - 0x80) };
    if count > 3 || rest.len() < count + 4 {
        return false;
    }
    let (digits, inside) = rest.split_at(count);
    let long = digits.iter().fold(0, |number, byte| number << 8 | usize::from(*byte));
    let length = if count == 0 { usize::from(*length) } else { long };
    // The algorithm, the modulus, or the key itself.
    inside.len() >= length && length >= 32 && matches!(inside, [2, 1, 0 | 1, 0x30 | 2 | 4, ..])
}
