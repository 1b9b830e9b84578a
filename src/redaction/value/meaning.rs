//! Which values may be secrets.

use memchr::memmem;

use super::code::{is_call, is_looked_up, is_method, is_type};
use super::{BEGINNING_OF_REDACTED, is_name_byte};
use crate::secret::REDACTED;

/// Words that a description or a message has where the value would be: `password: string`, `token: expired`.
pub(in crate::redaction) const DESCRIPTIONS: [&[u8]; 10] = [
    b"boolean",
    b"expired",
    b"invalid",
    b"missing",
    b"object",
    b"optional",
    b"required",
    b"string",
    b"unknown",
    b"unset",
];

/// Packages of Go with a digit in their names, which begin a message: `cannot refresh token: oauth2: server response missing access_token`.
pub(super) const PACKAGES: [&[u8]; 7] = [b"asn1:", b"base32:", b"base64:", b"oauth2:", b"pkcs12:", b"pkcs8:", b"x509:"];

/// Bytes of a path or the name of something, which is shorter than that. A value can be the rest of a line.
const LONGEST_NAME: usize = 256;

/// Bytes of the longest time or address of digits and colons.
const LONGEST_TIME: usize = 20;

/// The ends of the names of files with keys.
const FILES: [&[u8]; 4] = [b".pem", b".key", b".crt", b".p12"];

/// Returns a variable without what it is by default, `${A`, if that is nothing, another variable, or a message.
fn without_default(value: &[u8]) -> Option<&[u8]> {
    let colon = memchr::memchr(b':', value)?;
    let is_plain = match &value[colon + 1..] {
        [b'?', ..] | [b'-'] => true,
        [b'-', b'$', name @ ..] => name.iter().all(|byte| is_name_byte(*byte) || b"{}:$".contains(byte)),
        _ => false,
    };
    is_plain.then(|| &value[..colon])
}

/// Returns a variable without what is taken away from its value or changed in it: `${1#*=}`, `${A%/}`, `${A^^}`.
fn without_part(value: &[u8]) -> Option<&[u8]> {
    if value.len() >= LONGEST_NAME || !value.starts_with(b"${") || !value.ends_with(b"}") {
        return None;
    }
    let sign = value.iter().position(|byte| b"#%^,".contains(byte)).filter(|sign| *sign > 2)?;
    Some(&value[..sign])
}

/// Reports whether a value is the attribute of a resource of Terraform: `random_password.x.result`.
fn is_attribute(value: &[u8]) -> bool {
    const ATTRIBUTES: [&[u8]; 8] =
        [b"value", b"result", b"id", b"password", b"secret", b"key", b"token", b"connection_string"];
    let is_in = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
    let is_name = |part: &[u8]| part.first().is_some_and(u8::is_ascii_lowercase) && part.iter().all(is_in);
    // `data.azurerm_key_vault_secret.x.value`.
    let value = value.strip_prefix(b"data.").unwrap_or(value);
    let mut parts = value.split(|byte| *byte == b'.');
    let [kind, name, last] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    let is_known = ATTRIBUTES.iter().any(|attribute| last.ends_with(attribute));
    parts.next().is_none() && kind.contains(&b'_') && is_known && [kind, name, last].into_iter().all(is_name)
}

/// Reports whether a value is a call of a function of Terraform with a reference: `base64encode(var.password)`, where the last sign may be no
/// part of the value.
fn is_of_reference(value: &[u8]) -> bool {
    let Some(open) = memchr::memchr(b'(', value).filter(|open| *open > 0) else { return false };
    let (name, inside) = (&value[..open], &value[open + 1..]);
    let inside = inside.strip_suffix(b")").unwrap_or(inside);
    name.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_')
        && ([&b"var."[..], b"local.", b"module.", b"data."].iter().any(|kind| inside.starts_with(kind)))
        && inside.iter().all(|byte| is_name_byte(*byte))
}

/// Reports whether a text in brackets, which a value is or begins with, says that there is none or that it is hidden.
pub(super) fn stands_for_one(value: &[u8]) -> bool {
    const WORDS: [&[u8]; 9] =
        [b"empty", b"hidden", b"masked", b"none", b"null", b"not set", b"redacted", b"removed", b"unset"];
    let close = match value.first() {
        Some(b'(') => b')',
        Some(b'<') => b'>',
        Some(b'[') => b']',
        _ => return false,
    };
    let inside = &value[1..value.len().min(12)];
    let inside = memchr::memchr(close, inside).map_or(&[][..], |end| &inside[..end]);
    WORDS.iter().any(|word| inside.eq_ignore_ascii_case(word))
}

/// Reports whether a value may be a secret, and is not another kind of value: empty, a word of the language, a path, a reference,
/// or what stands for a secret.
pub(crate) fn is_meaningful(value: &[u8]) -> bool {
    let is_path = |value: &[u8]| {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-@".contains(byte);
        // `~/.ssh/id_rsa`, `../token`.
        let relative = [&b"~/"[..], b"./", b"../"].iter().find_map(|begin| value.strip_prefix(*begin));
        let is_below = || value.starts_with(b"/") && value[1..].contains(&b'/');
        value.len() < LONGEST_NAME
            && (relative.is_some() || is_below())
            && relative.unwrap_or(value).iter().all(is_plain)
    };
    let begins = |texts: &[&[u8]]| texts.iter().any(|text| value.starts_with(text));
    let is_variable = |value: &[u8]| {
        let name = value.strip_prefix(b"${").and_then(|name| name.strip_suffix(b"}")).or(value.strip_prefix(b"$"));
        name.is_some_and(|name| {
            !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        })
    };
    let is_reference = |value: &[u8]| {
        let inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"_{}() .".contains(byte);
        // `${A:-$B}`, and `${A:?is required}`.
        let value = value.strip_suffix(b"}").and_then(without_default).or_else(|| without_part(value)).unwrap_or(value);
        (value.starts_with(b"$") || value.starts_with(b"{{")) && value[1..].iter().all(inner)
            || value.starts_with(b"$(") && value.ends_with(b")")
            // What a template of Ansible looks up.
            || begins(&[b"{{ lookup(", b"{{lookup(", b"{{ query(", b"{{query("]) && value.ends_with(b"}}")
            || begins(&[b"[parameters('", b"[variables('", b"parameters('", b"variables('"])
            || begins(&[b"var.", b"local.", b"module.", b"process.env."])
                && value.iter().all(|byte| is_name_byte(*byte))
            // `$dir/private/key.pem`, a path below a variable.
            || memchr::memchr(b'/', value).is_some_and(|slash| is_variable(&value[..slash]) && is_path(&value[slash..]))
            || value.len() < LONGEST_NAME && (is_attribute(value) || is_of_reference(value))
    };
    // `token:/run/credentials/token`, which names a file, and `client.pem`.
    let is_file = |value: &[u8]| {
        let is_path = || memmem::find(value, b":/").is_some_and(|colon| is_path(&value[colon + 1..]));
        let is_name = || FILES.iter().any(|end| value.ends_with(end)) && value.iter().all(|byte| is_name_byte(*byte));
        value.len() < LONGEST_NAME && (is_path() || is_name())
    };
    // `***`, a count, a time, and two numbers of a network. More of them are the bytes of something.
    let is_number = value.iter().all(|byte| byte.is_ascii_digit() || *byte == b':');
    // `***SENSITIVE*DATA*DELETED***` of Windows.
    let is_hidden = value.iter().all(|byte| b"*-".contains(byte))
        || value.len() < LONGEST_NAME
            && value.starts_with(b"*")
            && value.ends_with(b"*DELETED***")
            && value.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'*')
        || is_number && (value.len() < 3 || value.len() < LONGEST_TIME && value.contains(&b':'));
    // A public key of SSH, which begins with its kind.
    let is_public_key = begins(&[b"ssh-rsa AAAA", b"ssh-ed25519 AAAA", b"ssh-dss AAAA", b"ecdsa-sha2-", b"sk-ssh-"])
        && value.contains(&b' ');
    // `token=%s` of a program that prints.
    let is_format = value.len() == 2 && value[0] == b'%' && value[1].is_ascii_lowercase();
    // The next member of an object of JSON follows in another line.
    let word = value.strip_suffix(b",").unwrap_or(value);
    let word = word.get(..16).unwrap_or(word).to_ascii_lowercase();
    let lower = value.get(..16).unwrap_or(value).to_ascii_lowercase();
    !value.is_empty()
        && !is_format
        && !lower.starts_with(BEGINNING_OF_REDACTED)
        && ![
            &b"true"[..],
            b"false",
            b"null",
            b"nil",
            b"undefined",
            b"undef",
            b"nullptr",
            b"none",
            b"<none>",
            b"yes",
            b"no",
            b"bearer",
            b"basic",
            b"inherit",
            b"y",
            b"n",
            b"{",
            b"{}",
            b"[]",
            b"|",
            // The beginning of a text of several lines in YAML.
            b"|-",
            b"|+",
            b">",
            b">-",
            b">+",
            b"/",
        ]
        .contains(&&*word)
        && !lower.starts_with(b"known after appl")
        && !lower.starts_with(b"(sensitive")
        && !lower.starts_with(b"sensitive value")
        && !is_public_key
        && !is_type(value)
        && !lower.starts_with(b"realm=")
        // `Bearer [redacted]`, of which the first word would be taken.
        && !(lower.starts_with(b"bearer ") || lower.starts_with(b"basic ")) | !value.ends_with(REDACTED.as_bytes())
        && !value.starts_with(b"{") | value.starts_with(b"{{")
        && !is_call(value)
        && !is_method(value)
        && !is_looked_up(value)
        // A regular expression.
        && !value.starts_with(b".*")
        && !is_path(value)
        && !is_file(value)
        && !is_hidden
        && !stands_for_one(value)
        && !is_reference(value)
}

/// Reports whether a word says what happened to something: `access_token expired`.
pub(in crate::redaction) fn is_state(word: &[u8]) -> bool {
    word.ends_with(b"ed") || [&b"missing"[..], b"invalid", b"empty", b"unset"].contains(&word)
}
