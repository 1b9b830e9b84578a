//! Predicates for the syntax of names, numbers and addresses in Kubernetes, Linux and Azure.

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
    text.len() <= 253 && text.split('.').all(label)
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
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    (scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http"))
        && !host.is_empty()
        && !host.starts_with(':')
        && is_word(text)
        && !text.contains(['"', '\'', '\\', '`'])
}

/// Text without whitespace and control characters.
pub(crate) fn is_word(text: &str) -> bool {
    !text.contains(|character: char| character.is_whitespace() || character.is_control())
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

/// A signed integer of this many bits, as Go's `strconv.ParseInt` accepts it with base 0: decimal, or with the prefix
/// `0x`, `0o`, `0` or `0b`, and with underscores only after a prefix or between digits.
pub(crate) fn is_go_integer(text: &str, bits: u32) -> bool {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let lower = digits.to_ascii_lowercase();
    let (radix, rest) = [("0x", 16), ("0o", 8), ("0b", 2), ("0", 8)]
        .into_iter()
        .find_map(|(prefix, radix)| Some((radix, lower.strip_prefix(prefix)?)))
        .filter(|(_, rest)| !rest.is_empty())
        .unwrap_or((10, &lower));
    let start = rest.strip_prefix('_').filter(|_| radix != 10).unwrap_or(rest);
    let plain = start.replace('_', "");
    let most = (1_u64 << (bits - 1)) - u64::from(!negative);
    !start.starts_with('_')
        && !start.ends_with('_')
        && !start.contains("__")
        && plain.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && u64::from_str_radix(&plain, radix).is_ok_and(|number| number <= most)
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
    let plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'+' | b'-' | b'e' | b'E');
    let well_formed = number.bytes().any(|byte| byte.is_ascii_digit()) && number.bytes().all(plain);
    number.parse::<f64>().ok().filter(|_| well_formed).map(|number| number * factor)
}

/// A quantity of a resource; see [`quantity`].
pub(crate) fn is_quantity(text: &str) -> bool {
    quantity(text).is_some()
}

/// A threshold for eviction: a percentage or a quantity.
pub(crate) fn is_threshold(text: &str) -> bool {
    match text.strip_suffix('%') {
        Some(share) => share.parse::<f64>().is_ok_and(|share| (0.0..=100.0).contains(&share)),
        None => is_quantity(text),
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
    text.chars().all(|c| c.is_alphanumeric() || c.is_control() || "-_.()".contains(c))
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
                &["https://a", "HTTP://a:80/b?c=d", "http://[::1]/"],
                &[
                    "",
                    "a",
                    "ftp://a",
                    "https://",
                    "https:///a",
                    "https://:80",
                    "https://a b",
                    "https://a\n",
                    "https://a/\"",
                    "https://a\\b",
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
                |text| is_go_integer(text, 32),
                &["0", "-1", "+110", "0x1F", "017", "0b11", "1_000", "0_7", "2147483647", "-2147483648"],
                &["", "-", "1.5", "a", " 1", "08", "0x", "1__0", "_1", "1_", "2147483648", "-2147483649"],
            ),
            (
                "quantity",
                is_quantity,
                &["0", "100m", "1.5", "750Mi", "2e3", "1E"],
                &["", "m", "1 Gi", "1GB", "inf", "ten"],
            ),
            ("threshold", is_threshold, &["10%", "750Mi", "0"], &["%", "101%", "-1%", "ten"]),
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
