//! Values in the source of a program that are no literals: calls and types.

use memchr::memchr;

use super::is_name_byte;

/// The longest name of a function.
const LONGEST: usize = 64;

/// Reports whether a value begins a call, of which the first word is a name: `token = getenv("TOKEN")`, also with the names of modules,
/// `std::env::var(`.
pub(super) fn is_call(value: &[u8]) -> bool {
    let is_in = |byte: &u8| is_name_byte(*byte) || *byte == b':';
    // An object or a list in parentheses, `jsonencode({`.
    let value =
        [&b"({"[..], b"(["].iter().find_map(|end| value.strip_suffix(*end)).map_or(value, |name| &value[..=name.len()]);
    value
        .strip_suffix(b"(")
        .or_else(|| value.strip_suffix(b"["))
        .is_some_and(|name| !name.is_empty() && name.len() < LONGEST && name.iter().all(is_in))
        || value.strip_prefix(b"getattr(").is_some_and(|name| name.iter().all(is_in))
}

/// Reports whether a value calls a method with arguments that have no quotes: `self._request_token(*scopes`.
pub(super) fn is_method(value: &[u8]) -> bool {
    let is_name = |part: &[u8]| {
        part.first().is_some_and(|first| first.is_ascii_lowercase() || *first == b'_')
            && part.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let is_in = |byte: &u8| is_name_byte(*byte) || b"()[]*&:".contains(byte);
    let Some(open) = memchr(b'(', &value[..value.len().min(LONGEST)]) else { return false };
    let (name, arguments) = value.split_at(open);
    name.contains(&b'.') && name.split(|byte| *byte == b'.').all(is_name) && arguments.iter().all(is_in)
}

/// Reports whether a value is a secret of a vault that Bicep looks up: `kv.getSecret('db')`.
pub(super) fn is_looked_up(value: &[u8]) -> bool {
    const METHOD: &[u8] = b".getSecret('";
    let Some(at) = memchr::memmem::find(&value[..value.len().min(LONGEST)], METHOD) else { return false };
    let name = value[at + METHOD.len()..].strip_suffix(b")").and_then(|name| name.strip_suffix(b"'"));
    value[..at].iter().all(|byte| is_name_byte(*byte))
        && name.is_some_and(|name| name.iter().all(|byte| is_name_byte(*byte)))
}

/// Reports whether a value is a type of Rust: `Option<String>,`, `&str`.
pub(super) fn is_type(value: &[u8]) -> bool {
    const GENERIC: [&[u8]; 7] = [b"Option<", b"Vec<", b"Arc<", b"Box<", b"Rc<", b"Cow<", b"Secret<"];
    let value = value.strip_suffix(b",").unwrap_or(value);
    let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || b"<>&'_[]:".contains(byte);
    matches!(value, b"&str" | b"&[u8]")
        || GENERIC.iter().any(|kind| {
            let inside = value.strip_prefix(*kind).and_then(|rest| rest.strip_suffix(b">"));
            inside.is_some_and(|inside| inside.iter().all(is_in))
        })
}
