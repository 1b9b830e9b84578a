//! Predicates for the syntax of names, numbers and addresses in Kubernetes, Linux and Azure.

use std::borrow::Cow;
use std::net::IpAddr;

use crate::catalogue::labels::TAINT_EFFECTS;
pub(crate) use crate::catalogue::labels::{is_dns1123_subdomain, is_label_name};

/// `name` or `prefix/name`.
pub(crate) fn is_label_key(text: &str) -> bool {
    match text.split_once('/') {
        Some((prefix, name)) => is_dns1123_subdomain(prefix) && is_label_name(name),
        None => is_label_name(text),
    }
}

pub(crate) fn is_label_value(text: &str) -> bool {
    text.is_empty() || is_label_name(text)
}

/// `key=value:effect` or `key:effect`.
pub(crate) fn is_taint(text: &str) -> bool {
    let Some((left, effect)) = text.split_once(':') else { return false };
    let (key, value) = left.split_once('=').unwrap_or((left, ""));
    is_label_key(key) && is_label_value(value) && TAINT_EFFECTS.contains(&effect)
}

/// A host name in any letter case. Underscores and a final dot are accepted, as in DNS.
pub(crate) fn is_host_name(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let text = text.strip_suffix('.').unwrap_or(text);
    // What ends with a number is an address or nothing: RFC 1123, section 2.1.
    let is_number = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
    let is_address = || text.parse::<std::net::Ipv4Addr>().is_ok();
    text.len() <= 253 && text.split('.').all(label) && (!text.rsplit('.').next().is_some_and(is_number) || is_address())
}

/// A host name or an IP address, without port.
pub(crate) fn is_host(text: &str) -> bool {
    is_host_name(text) || is_ip(text)
}

pub(crate) fn is_ip(text: &str) -> bool {
    text.parse::<IpAddr>().is_ok()
}

/// A CIDR range: an IP address and a prefix length.
pub(crate) fn is_cidr(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let longest = match address.parse() {
        Ok(IpAddr::V4(_)) => 32,
        Ok(IpAddr::V6(_)) => 128,
        Err(_) => return false,
    };
    length.bytes().all(|byte| byte.is_ascii_digit()) && length.parse::<u8>().is_ok_and(|length| length <= longest)
}

/// An absolute `http` or `https` URL with a host, without whitespace, quotes and backslashes.
pub(crate) fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = scheme_of(text) else { return false };
    (scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http"))
        && !starts_with_scheme(rest)
        && is_host_with_port(host_of(rest))
        && is_word(text)
        && !text.bytes().any(|byte| matches!(byte, b'"' | b'\'' | b'\\' | b'`'))
}

/// Splits a URL behind its scheme, which has no colon.
fn scheme_of(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once(':')?;
    Some((scheme, rest.strip_prefix("//")?))
}

/// Reports whether a second scheme stands behind the first one, as in `https://http://a`. Its colon looks like that of an empty port.
fn starts_with_scheme(rest: &str) -> bool {
    let begins = |scheme: &&str| rest.get(..scheme.len()).is_some_and(|word| word.eq_ignore_ascii_case(scheme));
    ["http://", "https://"].iter().any(begins)
}

/// Returns the host of a URL without its scheme, with its port and without the user.
fn host_of(rest: &str) -> &str {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

/// The URL of a proxy, as libcurl and Go's `net/url` read it.
pub(crate) fn is_proxy_url(text: &str) -> bool {
    const SCHEMES: [&str; 6] = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"];
    let Some((scheme, rest)) = scheme_of(text) else { return false };
    let host = host_of(rest);
    let escapes = text.split('%').skip(1);
    SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known))
        && !starts_with_scheme(rest)
        && is_host_with_port(host)
        && escapes
            .map(str::as_bytes)
            .all(|escape| matches!(escape, [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()))
}

/// A host name or an IP address, that of IPv6 in brackets, with an optional port.
fn is_host_with_port(text: &str) -> bool {
    let in_brackets = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (is_host, port) = if let Some((address, rest)) = in_brackets {
        (address.parse::<std::net::Ipv6Addr>().is_ok(), rest)
    } else {
        let (host, port) = text.split_at(text.find(':').unwrap_or(text.len()));
        (is_host_name(host), port)
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>() != Ok(0);
    is_host
        && match port.strip_prefix(':') {
            Some(port) => port.is_empty() || (is_port(port) && port.parse::<u16>().is_ok()),
            None => port.is_empty(),
        }
}

/// Text without whitespace and control characters.
pub(crate) fn is_word(text: &str) -> bool {
    let is_other = |character: char| character.is_whitespace() || character.is_control();
    // Nearly all are ASCII, where nothing has to be decoded.
    text.bytes().all(|byte| byte.is_ascii_graphic()) || !text.contains(is_other)
}

/// `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`.
pub(crate) fn is_uuid(text: &str) -> bool {
    let lengths = [8, 4, 4, 4, 12];
    let hexadecimal = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.split('-').map(str::len).eq(lengths) && text.split('-').all(hexadecimal)
}

/// Reads a boolean as Go's `strconv.ParseBool` does.
pub(crate) fn go_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// A boolean as Go's `strconv.ParseBool` accepts it.
pub(crate) fn is_go_bool(text: &str) -> bool {
    go_bool(text).is_some()
}

/// Reads a signed integer as Go's `strconv.ParseInt` does with base 0: decimal, or with the prefix `0x`, `0o`, `0` or `0b`, and with
/// underscores only after a prefix or between digits.
pub(crate) fn go_integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let (radix, rest) = match digits.as_bytes() {
        [b'0', b'x' | b'X', _, ..] => (16, &digits[2..]),
        [b'0', b'o' | b'O', _, ..] => (8, &digits[2..]),
        [b'0', b'b' | b'B', _, ..] => (2, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    let start = rest.strip_prefix('_').filter(|_| radix != 10).unwrap_or(rest);
    let plain = if start.contains('_') { Cow::Owned(start.replace('_', "")) } else { Cow::Borrowed(start) };
    let is_plain = !start.starts_with('_')
        && !start.ends_with('_')
        && !start.contains("__")
        && plain.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let number = i128::from(u64::from_str_radix(&plain, radix).ok().filter(|_| is_plain)?);
    i64::try_from(if negative { -number } else { number }).ok()
}

/// A signed integer of up to 32 bits; see [`go_integer`].
pub(crate) fn is_go_int32(text: &str) -> bool {
    go_integer(text).is_some_and(|number| i32::try_from(number).is_ok())
}

/// Reads a quantity of a resource: `100m`, `1.5`, `750Mi`, `2e3`.
pub(crate) fn quantity(text: &str) -> Option<f64> {
    const SUFFIXES: [(&str, f64); 15] = [
        ("Ki", 1024.0),
        ("Mi", 1_048_576.0),
        ("Gi", 1_073_741_824.0),
        ("Ti", 1_099_511_627_776.0),
        ("Pi", 1_125_899_906_842_624.0),
        ("Ei", 1_152_921_504_606_846_976.0),
        ("n", 1e-9),
        ("u", 1e-6),
        ("m", 1e-3),
        ("k", 1e3),
        ("M", 1e6),
        ("G", 1e9),
        ("T", 1e12),
        ("P", 1e15),
        ("E", 1e18),
    ];
    let scaled = SUFFIXES.iter().find_map(|(suffix, factor)| Some((text.strip_suffix(suffix)?, *factor)));
    let (number, factor) = scaled.unwrap_or((text, 1.0));
    // An exponent stands in the place of a suffix.
    let can_have_exponent = scaled.is_none();
    let plain = |byte: u8| {
        byte.is_ascii_digit()
            || matches!(byte, b'.' | b'+' | b'-')
            || (can_have_exponent && matches!(byte, b'e' | b'E'))
    };
    let well_formed = number.bytes().any(|byte| byte.is_ascii_digit()) && number.bytes().all(plain);
    number.parse::<f64>().ok().filter(|_| well_formed).map(|number| number * factor)
}

/// A quantity of a resource; see [`quantity`].
pub(crate) fn is_quantity(text: &str) -> bool {
    quantity(text).is_some()
}

/// A quantity that is a whole number without being rounded, as `AsInt64` of the kubelet's quantities needs it: `1.5M`, but neither `1.5Mi`
/// nor `100m`.
pub(crate) fn is_whole_quantity(text: &str) -> bool {
    const DECIMAL: [(char, usize); 6] = [('k', 3), ('M', 6), ('G', 9), ('T', 12), ('P', 15), ('E', 18)];
    let Some(amount) = quantity(text) else { return false };
    if text.contains(['e', 'E']) && !text.ends_with(['E', 'i']) {
        return amount.fract() == 0.0;
    }
    let is_short = |number: &str, most: usize| {
        number.split_once('.').is_none_or(|(_, fraction)| fraction.trim_end_matches('0').len() <= most)
    };
    match text.strip_suffix('i') {
        Some(binary) => !binary.contains('.'),
        None if text.ends_with(['n', 'u', 'm']) => amount == 0.0,
        None => DECIMAL
            .iter()
            .find_map(|(suffix, digits)| Some(is_short(text.strip_suffix(*suffix)?, *digits)))
            .unwrap_or_else(|| is_short(text, 0)),
    }
}

/// A threshold for eviction: a percentage, of which the kubelet removes every `%` at the end, or a quantity.
pub(crate) fn is_threshold(text: &str) -> bool {
    match text.strip_suffix('%').map(|share| share.trim_end_matches('%')) {
        Some(share) => share.parse::<f64>().is_ok_and(|share| (0.0..=100.0).contains(&share)),
        None => quantity(text).is_some_and(|amount| amount >= 0.0),
    }
}

/// A systemd resource limit: `1048576`, `infinity`, `soft:hard`; for limits in bytes also `64M`.
pub(crate) fn is_limit(text: &str, of_bytes: bool) -> bool {
    let one = |text: &str| {
        let number =
            if of_bytes { text.strip_suffix(['B', 'K', 'M', 'G', 'T', 'P', 'E']).unwrap_or(text) } else { text };
        text == "infinity" || (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    match text.split_once(':') {
        Some((soft, hard)) => one(soft) && one(hard),
        None => one(text),
    }
}

/// A Linux user name of up to 32 characters.
pub(crate) fn is_user_name(text: &str) -> bool {
    text.len() <= 32
        && text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// A name of a resource of Azure. Control characters have a finding of their own.
/// <https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules>
pub(crate) fn is_resource_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c.is_control() || matches!(c, '-' | '_' | '.' | '(' | ')'))
}

/// A name of a shell variable.
pub(crate) fn is_shell_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The form of a bootstrap token, for messages.
pub(crate) const BOOTSTRAP_TOKEN: &str = "six and sixteen characters of `a-z` and `0-9`, separated by a dot";

/// A bootstrap token: `abcdef.0123456789abcdef`.
pub(crate) fn is_bootstrap_token(text: &str) -> bool {
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    text.split_once('.').is_some_and(|(id, rest)| id.len() == 6 && rest.len() == 16 && plain(id) && plain(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_have_decimal_and_binary_suffixes() {
        for (text, expected) in [("2", 2.0), ("1500m", 1.5), ("2Ki", 2048.0), ("1.5Gi", 1_610_612_736.0), ("2e3", 2e3)]
        {
            let found = quantity(text).expect("a quantity");
            assert!((found - expected).abs() < 1e-9, "{text}: {found}");
        }
    }

    /// A name, the predicate, texts that it accepts and texts that it rejects.
    type Row<'t> = (&'t str, fn(&str) -> bool, &'t [&'t str], &'t [&'t str]);

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table")]
    fn each_predicate_accepts_only_its_syntax() {
        let long = "a".repeat(64);
        let longer = format!("{}b", "a.".repeat(127));
        let table: &[Row<'_>] = &[
            (
                "subdomain",
                is_dns1123_subdomain,
                &["a", "kubernetes.io", "a-b.c0"],
                &["", "A", "a..b", "-a", "a-", "a_b", &longer],
            ),
            ("label name", is_label_name, &["a", "A_b.c-9", &long[1..]], &["", "-a", "a.", "a b", "a/b", &long]),
            (
                "label key",
                is_label_key,
                &["agentpool", "kubernetes.azure.com/role"],
                &["", "/a", "a/", "a/b/c", "K.io/a", "ä"],
            ),
            ("label value", is_label_value, &["", "MC_rg_x"], &["a,b", "a=b", " ", &long]),
            (
                "taint",
                is_taint,
                &["sku=gpu:NoSchedule", "CriticalAddonsOnly:NoExecute", "a.b/c=:PreferNoSchedule"],
                &["", "gpu", "sku=gpu", "sku=gpu:", "sku=gpu:Never", "a=b=c:NoExecute", "=x:NoExecute", " a:NoExecute"],
            ),
            (
                "host name",
                is_host_name,
                &["a", "A_b.example.", "10.0.0.1"],
                &["", ".", "a..b", "a:1", "http://a", "-a"],
            ),
            ("host", is_host, &["::1", "10.0.0.1", "a.b"], &["[::1]", "a:443", "a b"]),
            ("CIDR", is_cidr, &["10.0.0.0/16", "fd00::/8"], &["10.0.0.0", "10.0.0.0/33", "10.0.0.0/+1", "x/1", "/1"]),
            (
                "URL",
                is_url,
                &[
                    "https://a",
                    "https://a:/",
                    "https://a/http://b",
                    "HTTP://a:80/b?c=d",
                    "http://[::1]/",
                    "https://u:p@a_b.c:8443/%41",
                ],
                &[
                    "",
                    "a",
                    "ftp://a",
                    "https://",
                    "https:///a",
                    "https://:80",
                    "https://a:99999/b",
                    "https://http://a",
                    "http://HTTP://a/b",
                    "https://a:port/b",
                    "https://a..b/c",
                    "https://[::1/b",
                    "https://a b",
                    "https://a\n",
                    "https://a/\"",
                    "https://a\\b",
                ],
            ),
            (
                "proxy",
                is_proxy_url,
                &[
                    "http://a",
                    "HTTP://a.b:3128/",
                    "http://u:p%40s@10.0.0.1:8080",
                    "http://u:p@s@a:1/x?y",
                    "socks5://[fd00::1]:1080",
                    "https://a:",
                ],
                &[
                    "",
                    "a:3128",
                    "htp://a",
                    "http://",
                    "http://:3128",
                    "http://http://a:3128",
                    "http://a:port",
                    "http://a:99999",
                    "http://a:0",
                    "http://u:p%s@a",
                    "http://[fd00::1:3128",
                    "http://a:1:2",
                    "http://a..b",
                ],
            ),
            (
                "UUID",
                is_uuid,
                &["5e3a9c10-4d7b-4f6e-8a21-c0b9d8e7f615"],
                &["", "msi", "5e3a9c104d7b4f6e8a21c0b9d8e7f615", "ge3a9c10-4d7b-4f6e-8a21-c0b9d8e7f615"],
            ),
            ("switch", is_go_bool, &["true", "F", "0"], &["", "yes", "tRue"]),
            (
                "integer",
                is_go_int32,
                &["0", "-1", "+110", "0x1F", "017", "0b11", "1_000", "0_7", "2147483647", "-2147483648"],
                &["", "-", "1.5", "a", " 1", "08", "0x", "1__0", "_1", "1_", "2147483648", "-2147483649"],
            ),
            (
                "quantity",
                is_quantity,
                &["0", "100m", "1.5", "750Mi", "2e3", "1E"],
                &["", "m", "1 Gi", "1GB", "inf", "ten", "1e3Mi", "1e3k", "1Ee"],
            ),
            (
                "whole quantity",
                is_whole_quantity,
                &["0", "50M", "10Mi", "1.5M", "1e6", "1E", "10Ei"],
                &["", "1.5Mi", "1.0Mi", "100m", "1.5", "1.0001k", "15e-1", "50MB"],
            ),
            ("threshold", is_threshold, &["10%", "10%%", "750Mi", "0"], &["%", "101%", "-1%", "-1Mi", "ten"]),
            (
                "limit",
                |text| is_limit(text, false),
                &["1048576", "infinity", "1024:infinity"],
                &["", "unlimited", "64M", "-1", "1:", "1:2:3"],
            ),
            ("limit of bytes", |text| is_limit(text, true), &["64M", "infinity", "1K:2G"], &["", "M", "64MB", "64 M"]),
            ("user", is_user_name, &["azureuser", "_a-b.c"], &["", "1a", "a b", "-a", "a;b", &long]),
            ("shell name", is_shell_name, &["A", "_x9"], &["", "9a", "a-b", "ü"]),
            ("token", is_bootstrap_token, &["x1y2z3.0a1b2c3d4e5f6g7h"], &["", "x1y2z3", "X1y2z3.0a1b2c3d4e5f6g7h"]),
        ];
        for (name, predicate, good, bad) in table {
            for text in *good {
                assert!(predicate(text), "{name}: {text:?} is one");
            }
            for text in *bad {
                assert!(!predicate(text), "{name}: {text:?} is none");
            }
        }
    }
}
