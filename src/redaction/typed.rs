//! Finds the values of things whose type says that they are secret, whatever their names: secrets of Key Vault, resources of Terraform,
//! secure parameters, and the secrets of container apps.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::names::announces;
use super::value::{Name, Reader, is_meaningful, is_name_byte};

/// How far a thing goes at most.
const LONGEST: usize = 2048;

/// What the address of a secret in Key Vault has.
const VAULT: &str = "vault.azure.net/secrets/";

/// Fields of resources of Terraform that have the secret.
const FIELDS: [&[u8]; 10] = [
    b"content",
    b"content_base64",
    b"value",
    b"result",
    b"default",
    b"secret_string",
    b"secret_data",
    b"secret_key",
    b"plaintext_value",
    b"string_value",
];

/// Fields of resources of Terraform with several secrets.
const MAPS: [&[u8]; 3] = [b"data", b"binary_data", b"string_data"];

/// What a thing begins with.
#[derive(Clone, Copy)]
enum Kind {
    /// A secret of Key Vault in YAML: its address, and its value in a line of the same object.
    Address,
    /// A resource of Bicep.
    Bicep,
    /// A resource of Terraform, whose type follows.
    Terraform,
    /// A block of Terraform.
    Block,
    /// A variable of Terraform that is marked as sensitive.
    Sensitive,
    /// A parameter of Bicep, in the next line.
    Secure,
    /// A block of Consul, or a map of HCL, whose fields are all secrets.
    Tokens,
    /// A list of names and values.
    List,
    /// A list of Kustomize that has `NAME=VALUE`.
    Literals,
}

static MARKS: LazyLock<[(Finder<'static>, Kind); 12]> = LazyLock::new(|| {
    [
        (VAULT, Kind::Address),
        ("vaults/secrets@", Kind::Bicep),
        ("resource \"", Kind::Terraform),
        ("secret {", Kind::Block),
        ("variable \"", Kind::Sensitive),
        ("@secure()", Kind::Secure),
        ("secrets:", Kind::List),
        ("set_sensitive {", Kind::Block),
        ("tokens {", Kind::Tokens),
        ("secrets = {", Kind::Tokens),
        ("passwords = {", Kind::Tokens),
        ("secretGenerator:", Kind::Literals),
    ]
    .map(|(mark, kind)| (Finder::new(mark), kind))
});

/// Adds such values.
pub(super) fn find(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    for (mark, kind) in &*MARKS {
        // A thing that is in another one is read with it.
        let mut read = 0;
        for at in mark.find_iter(text) {
            if at < read {
                continue;
            }
            let end = at + mark.needle().len();
            let thing = match kind {
                Kind::Address => address(text, at).or_else(|| body(text, end)),
                Kind::Bicep => {
                    closed(text, at, end).filter(|thing| memmem::find(&text[thing.clone()], b"= {").is_some())
                }
                Kind::Terraform => closed(text, at, end).filter(|_| is_secret_type(&text[end..])),
                Kind::Block | Kind::Tokens => until(text, end, b"}"),
                Kind::Sensitive => closed(text, at, end).filter(|thing| is_sensitive(&text[thing.clone()])),
                Kind::Secure => parameter(text, end),
                Kind::List | Kind::Literals => list(text, at, end),
            };
            if let Some(thing) = thing {
                read = thing.end;
                fields(text, thing, *kind, ranges);
            }
        }
    }
}

/// Returns the place up to an end.
fn until(text: &[u8], from: usize, end: &[u8]) -> Option<Range<usize>> {
    let rest = &text[from..text.len().min(from + LONGEST)];
    Some(from..from + memmem::find(rest, end)?)
}

/// Returns the place up to the line that closes a block: it begins where the line of the mark does.
fn closed(text: &[u8], at: usize, from: usize) -> Option<Range<usize>> {
    const LONGEST_LINE: usize = 256;
    let line = text[..at].iter().rev().take(LONGEST_LINE).take_while(|byte| **byte != b'\n').count();
    let blanks = text[at - line..at].iter().take_while(|byte| **byte == b' ').count();
    let close = [&b"\n"[..], &text[at - line..at - line + blanks], b"}"].concat();
    until(text, from, &close)
}

/// Reports whether a type of Terraform, which is in quotes, is that of a secret: `azurerm_key_vault_secret`, `random_password`.
fn is_secret_type(text: &[u8]) -> bool {
    let name = &text[..text.iter().take(64).take_while(|byte| is_name_byte(**byte)).count()];
    let name = [&b"_version"[..], b"_v1"].iter().fold(name, |name, end| name.strip_suffix(*end).unwrap_or(name));
    name.ends_with(b"_sensitive_file") || std::str::from_utf8(name).is_ok_and(announces)
}

/// Reports whether a line says that a variable is sensitive.
fn is_sensitive(block: &[u8]) -> bool {
    block.split(|byte| *byte == b'\n').any(|line| {
        let rest = line.trim_ascii().strip_prefix(b"sensitive").map(<[u8]>::trim_ascii_start);
        rest.and_then(|rest| rest.strip_prefix(b"=")).is_some_and(|rest| rest.trim_ascii_start().starts_with(b"true"))
    })
}

/// Returns the lines of an object of YAML around an address: those that begin where its line does.
fn address(text: &[u8], at: usize) -> Option<Range<usize>> {
    let line = at - text[..at].iter().rev().take(256).take_while(|byte| **byte != b'\n').count();
    let content = &text[line..at];
    let column = content.iter().take_while(|byte| b" -".contains(byte)).count();
    content[column..].starts_with(b"id:").then_some(())?;
    let mut end = at;
    for (number, other) in text[at..text.len().min(at + LONGEST)].split_inclusive(|byte| *byte == b'\n').enumerate() {
        let blanks = other.iter().take_while(|byte| **byte == b' ').count();
        if number > 0 && (blanks < column || other[blanks..].starts_with(b"- ")) {
            break;
        }
        end += other.len();
    }
    Some(at..end)
}

/// Returns the beginning of a message to or from Key Vault behind its address: `{"value": "x"`.
fn body(text: &[u8], end: usize) -> Option<Range<usize>> {
    let rest = &text[end..text.len().min(end + LONGEST)];
    let begin = end + memmem::find(rest, b"{\"value\":")?;
    let line = text[begin..].iter().take(LONGEST).take_while(|byte| **byte != b'\n').count();
    // Of a list, the elements have addresses.
    let is_text = text[begin + 9..begin + line].trim_ascii_start().starts_with(b"\"");
    // It begins a line, or follows what a log calls it, and is no member of another object.
    let before = &text[end..begin];
    let before = &before[..before.iter().rposition(|byte| !b" \t'".contains(byte)).map_or(0, |last| last + 1)];
    let is_message = match before {
        [.., b'\n'] => true,
        [.., last, b':'] => last.is_ascii_alphanumeric(),
        _ => false,
    };
    (is_text && is_message && !before.contains(&b'{')).then_some(begin..begin + line)
}

/// Returns the line of the parameter below a decorator, which other decorators may follow.
fn parameter(text: &[u8], end: usize) -> Option<Range<usize>> {
    let mut at = end;
    let rest = &text[end..text.len().min(end + LONGEST)];
    for line in rest.split_inclusive(|byte| *byte == b'\n') {
        let content = line.trim_ascii();
        if let Some(name) = content.strip_prefix(b"param ") {
            let begin = at + line.len() - line.trim_ascii_start().len() + content.len() - name.len();
            return Some(begin..at + line.len());
        }
        if !content.is_empty() && !content.starts_with(b"@") {
            return None;
        }
        at += line.len();
    }
    None
}

/// Returns the elements of a list of objects in YAML or Bicep, if they have names.
fn list(text: &[u8], at: usize, end: usize) -> Option<Range<usize>> {
    let line = at - text[..at].iter().rev().take(128).take_while(|byte| **byte != b'\n').count();
    let column = at - line;
    if !text[line..at].iter().all(|byte| *byte == b' ') {
        return None;
    }
    let mut until = end;
    let mut first = true;
    for line in text[end..text.len().min(end + LONGEST)].split_inclusive(|byte| *byte == b'\n') {
        let blanks = line.iter().take_while(|byte| **byte == b' ').count();
        let content = line[blanks..].trim_ascii_end();
        let is_element = content.starts_with(b"- ") && blanks >= column;
        let is_inside = first || content.is_empty() || is_element || blanks > column;
        if !is_inside {
            break;
        }
        // A map has no elements.
        let begins = content.starts_with(b"-") || content.starts_with(b"{") || content.starts_with(b"[");
        if !content.is_empty() && std::mem::replace(&mut first, false) && !begins {
            return None;
        }
        until += line.len();
    }
    Some(end..until)
}

/// Adds the values of the fields that have secrets.
fn fields(text: &[u8], thing: Range<usize>, kind: Kind, ranges: &mut Vec<Range<usize>>) {
    let mut reader = Reader::new(&text[..thing.end]);
    if matches!(kind, Kind::Secure) {
        let name = text[thing.clone()].iter().take_while(|byte| is_name_byte(**byte)).count();
        ranges.extend(reader.value(&Name::plain(thing.start..thing.start + name)));
        return;
    }
    if matches!(kind, Kind::Literals) {
        literals(text, thing, ranges);
        return;
    }
    let names: &[&[u8]] = match kind {
        Kind::Terraform => &FIELDS,
        Kind::Sensitive => &[b"default"],
        _ => &[b"value"],
    };
    let mut at = thing.start;
    let mut is_in_map = false;
    for line in text[thing].split_inclusive(|byte| *byte == b'\n') {
        let content = line.trim_ascii_start();
        // An object in one line.
        let inner = matches!(kind, Kind::List).then(|| memmem::find(content, b", value:")).flatten();
        let skipped =
            inner.map_or_else(|| content.iter().take_while(|byte| b" -{\"'".contains(byte)).count(), |comma| comma + 2);
        let start = at + line.len() - content.len() + skipped;
        let content = &content[skipped..];
        let length = content.iter().take(64).take_while(|byte| is_name_byte(**byte)).count();
        let name = &content[..length];
        let is_any = is_in_map || matches!(kind, Kind::Tokens);
        let is_field = names.contains(&name) || is_any && length > 0;
        if is_field && let Some(value) = reader.value(&Name::plain(start..start + length)) {
            // A reference to another resource.
            let is_quoted = text[..value.start].ends_with(b"\"") || text[..value.start].ends_with(b"'");
            let is_block = matches!(kind, Kind::Terraform | Kind::Block | Kind::Sensitive | Kind::Tokens);
            // Or where a vault keeps it. Another address may be a secret itself.
            let found = &text[value.clone()];
            let is_address = matches!(kind, Kind::Tokens)
                && ([&b"arn:"[..], b"projects/"].iter().any(|begin| found.starts_with(begin))
                    || memmem::find(found, VAULT.as_bytes()).is_some());
            if is_meaningful(found) && (is_quoted || !is_block) && !is_address {
                ranges.push(value);
            }
        } else if is_field && matches!(kind, Kind::Terraform) {
            ranges.extend(url(text, start + length));
        }
        let is_open = content.trim_ascii_end().ends_with(b"{");
        is_in_map = match kind {
            Kind::Terraform if is_open => MAPS.contains(&name),
            _ => is_in_map && !content.starts_with(b"}"),
        };
        at += line.len();
    }
}

/// Returns a URL in quotes behind the name of a field. Behind other names, it says only where a secret is.
fn url(text: &[u8], end: usize) -> Option<Range<usize>> {
    let line = text[end..].iter().take(LONGEST).take_while(|byte| **byte != b'\n').count();
    let line = &text[end..end + line];
    let quotes = memchr::memchr(b'"', line)? + 1;
    let value = &line[quotes..quotes + memchr::memchr(b'"', &line[quotes..])?];
    let is_assigned = line[..quotes - 1].trim_ascii() == b"=";
    (is_assigned && memmem::find(value, b"://").is_some()).then_some(end + quotes..end + quotes + value.len())
}

/// Adds the values of a list below `literals:`.
fn literals(text: &[u8], thing: Range<usize>, ranges: &mut Vec<Range<usize>>) {
    let mut at = thing.start;
    let mut is_list = false;
    for line in text[thing].split_inclusive(|byte| *byte == b'\n') {
        let content = line.trim_ascii();
        let start = at + line.len() - line.trim_ascii_start().len();
        let element = content.strip_prefix(b"- ").filter(|element| !element.ends_with(b":"));
        if let Some(sign) = element.and_then(|element| memchr::memchr(b'=', element)).filter(|_| is_list) {
            let value = start + 2 + sign + 1..start + content.len();
            if is_meaningful(&text[value.clone()]) {
                ranges.push(value);
            }
        } else if content.ends_with(b":") {
            is_list = content.ends_with(b"literals:");
        }
        at += line.len();
    }
}

#[cfg(test)]
mod tests {
    use crate::redaction::tests::found_by;

    fn values(text: &str) -> Vec<&str> {
        found_by(super::find, text)
    }

    #[test]
    fn values_of_secret_types_are_found_whatever_their_names() {
        assert_eq!(
            values("- id: https://v.vault.azure.net/secrets/db/1\n  name: db\n  value: x1\n- id: x\n  value: y\n"),
            ["x1"]
        );
        let bicep = "resource s 'Microsoft.KeyVault/vaults/secrets@2023-07-01' = {\n  name: 'db'\n  properties: {\n    value: 'x1'\n  }\n}\n";
        assert_eq!(values(bicep), ["x1"]);
        let terraform = "resource \"azurerm_key_vault_secret\" \"a\" {\n  name = \"db\"\n  value = \"x1\"\n}\n\
                         resource \"kubernetes_secret\" \"a\" {\n  metadata {\n    name = \"b\"\n  }\n  data = {\n    conn = \"x2\"\n  }\n  type = \"Opaque\"\n}\n";
        assert_eq!(values(terraform), ["x1", "x2"]);
        assert_eq!(values("variable \"conn\" {\n  default   = \"x1\"\n  sensitive = true\n}\n"), ["x1"]);
        assert_eq!(values("  secret {\n    name  = \"conn\"\n    value = \"x1\"\n  }\n"), ["x1"]);
        assert_eq!(values("@secure()\n@minLength(2)\nparam conn string = 'x1'\n"), ["x1"]);
        assert_eq!(
            values("secrets:\n- name: conn\n  value: x1\n- name: b\n  value: x2\nenv:\n- name: c\n  value: d\n"),
            ["x1", "x2"]
        );
        assert_eq!(
            values("  secrets: [\n    {\n      name: 'conn'\n      value: 'x1'\n    }\n  ]\n  value: 'y'\n"),
            ["x1"]
        );
        assert_eq!(values("  secrets: [\n    { name: 'conn', value: 'x1' }\n  ]\n"), ["x1"]);
        let generator = "secretGenerator:\n- name: db\n  literals:\n  - conn=x1\n  files:\n  - a=b.txt\n";
        assert_eq!(values(generator), ["x1"]);
        for harmless in [
            "resource s 'Microsoft.KeyVault/vaults/secrets@2023-07-01' existing = {\n  name: 'db'\n}\noutput x string = 'y'\n",
            "resource \"azurerm_key_vault_secret\" \"a\" {\n  name = \"db\"\n  value = azurerm_x.y.z\n}\n",
            "resource \"azurerm_resource_group\" \"a\" {\n  name = \"db\"\n  value = \"y\"\n}\n",
            "variable \"location\" {\n  default   = \"westeurope\"\n  sensitive = false\n}\n",
            "secrets:\n- name: db\n- name: tls\n",
            "secrets:\n  db:\n    file: ./db.txt\n",
            "data:\n  value: y\n",
        ] {
            assert!(values(harmless).is_empty(), "{harmless}");
        }
    }
}
