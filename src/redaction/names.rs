//! The list of names whose values are secret, and the values after such names in any text.

mod context;
mod words;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use crate::catalogue::variables::{self, VARIABLES};
use crate::configuration::syntax::is_uuid;
use crate::configuration::{Configuration, Descriptor, Kind, Message};
use crate::inputs::{karpenter, nbc};

use super::value::{self, Name, Reader, is_name_byte, is_state};
use context::{
    directive, end_of_setting, ends_line, is_about_secret, is_after_login, is_after_setter, is_after_user, is_argument,
    is_compound, is_in_table, is_item, is_key_of, is_other, is_pair_of_line, is_plain_url, is_statement, is_with,
    length_of_host,
};
use words::{WordKind, begin_of_word, word_before};

/// The ends of names that have no secret: in units, the name or the path of a credential; in charts, the name of a Secret; of nginx, a
/// title.
const HARMLESS: [&str; 9] = [
    "loadcredential",
    "importcredential",
    "conditioncredential",
    "assertcredential",
    "existingsecret",
    "pullsecret",
    "authbasic",
    // The key of OpenPGP that Git signs with.
    "user.signingkey",
    // The hash of the public key of an assembly of .NET.
    "publickeytoken",
];

/// Words that are followed by a secret after a blank, as the directives of some programs are.
const DIRECTIVES: [&[u8]; 9] = [
    b"bindpw",
    b"rootpw",
    b"requirepass",
    b"masterauth",
    b"rocommunity",
    b"rwcommunity",
    b"trapcommunity",
    b"auth_pass",
    b"wpa-psk",
];

/// Bytes of the longest name.
const LONGEST: usize = 80;

/// Which names announce a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// In any text: those that say it.
    Telling,
    /// In a file that has secrets: those of keys and accounts too, and without a sign between name and value.
    OfSecretFile,
}

/// Calls a function with every spelling of a field of a Configuration, of a `NodeBootstrappingConfiguration` and of the settings of
/// Karpenter, and with every variable of the scripts, and whether it is secret.
fn each_known(mut known: impl FnMut(&str, bool)) {
    fn add(descriptor: &Descriptor, known: &mut impl FnMut(&str, bool)) {
        for field in descriptor.fields {
            known(field.name, field.secret);
            known(field.json_name, field.secret);
            if let Kind::Message(inner) = field.kind {
                add(inner, known);
            }
        }
    }
    add(Configuration::default().descriptor(), &mut known);
    let settings = karpenter::objects::SETTINGS.iter().map(|setting| (setting.name, setting.secret));
    let variables = VARIABLES.iter().map(|variable| (variable.name, variable.secret));
    for (name, is_secret) in nbc::field_names().chain(settings).chain(variables) {
        known(name, is_secret);
    }
}

/// Known names in lower case, and whether they are secret. A name of two tables is secret if one of them says so.
static KNOWN: LazyLock<HashMap<String, bool>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    each_known(|name, is_secret| *names.entry(name.to_ascii_lowercase()).or_insert(false) |= is_secret);
    names
});

/// Reports whether any input has a field of this name, in any letter case: it may be shown wherever it stands.
#[cfg(feature = "cli")]
pub(crate) fn is_known_name(name: &str) -> bool {
    name.len() <= LONGEST && KNOWN.contains_key(&name.to_ascii_lowercase())
}

/// Reports whether a value of this name is secret: by a table, or, for names in no table, by the words in the name.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let announces = || announces(name);
    let is_about_one = is_about_secret(name);
    let name = name.to_ascii_lowercase();
    let is_part_of_proxy = ["port", "host", "type", "enabled"].iter().any(|part| name.ends_with(part));
    // `MAX_TOKENS`
    let is_number = name.ends_with('s') && ["max_", "min_", "num_"].iter().any(|word| name.starts_with(word));
    let is_other = is_number || ["keyboard", "keymap"].iter().any(|word| name.contains(word));
    let sounds_secret = || {
        ["token", "secret", "password", "passwd", "passphrase", "credential", "key"]
            .iter()
            .any(|word| name.contains(word))
            && !is_about_one
            && !is_other
            || name.contains("proxy") && !is_part_of_proxy
    };
    KNOWN.get(&name).copied().unwrap_or_else(|| sounds_secret() || !is_other && announces())
}

/// Reports whether a variable of the scripts is secret: by the table, or, for variables not in the table, by the words in the name.
pub(crate) fn is_secret_variable(name: &str) -> bool {
    /// Directories of a shell.
    const OF_SHELLS: [&str; 2] = ["PWD", "OLDPWD"];
    let by_name = || is_secret_name(name) && !OF_SHELLS.contains(&name);
    variables::variable(name).map_or_else(by_name, |variable| variable.secret)
}

/// Reports whether a name says that its value is secret.
pub(crate) fn announces(name: &str) -> bool {
    let text = name.as_bytes();
    // A number or a plural may follow a word.
    let rest = text.iter().rev().take(4).take_while(|byte| byte.is_ascii_digit() || byte.eq_ignore_ascii_case(&b's'));
    name.len() <= LONGEST
        && (text.len() - rest.count()..=text.len()).any(|end| match word_before(text, end) {
            Some((_, WordKind::End | WordKind::Unseparated)) => true,
            Some((start, WordKind::Whole)) => begins_word(text, start),
            Some((start, WordKind::Known)) => start == 0,
            Some((_, WordKind::InSecretFile | WordKind::Uuid)) | None => false,
        })
}

/// Adds the values of names that say that they are secret.
pub(super) fn values(text: &[u8], ranges: &mut Vec<Range<usize>>, names: Names) {
    let mut reader = Reader::new(text);
    let mut covered = 0;
    for end in 1..=text.len() {
        if !is_end_of_name(text, end) {
            continue;
        }
        let Some((begin, kind)) = word_before(text, end).filter(|(begin, _)| *begin >= covered) else { continue };
        let is_account_key = kind == WordKind::InSecretFile && is_name_of_account_key(text, begin);
        let is_wanted = match kind {
            WordKind::End | WordKind::Unseparated => true,
            WordKind::Uuid => begin == 0 || !text[begin - 1].is_ascii_alphanumeric(),
            WordKind::Whole => begins_word(text, begin),
            WordKind::InSecretFile => {
                is_account_key || is_key_of(text, begin) || names == Names::OfSecretFile && begins_word(text, begin)
            }
            WordKind::Known => begin == 0 || !is_name_byte(text[begin - 1]),
        };
        if !is_wanted {
            continue;
        }
        let word = text[begin..end].to_ascii_lowercase();
        let is_scheme = matches!(&*word, b"bearer" | b"basic");
        let start = text[..begin].iter().rev().take(64).take_while(|byte| is_name_byte(**byte)).count();
        let start = begin - start;
        // A chart notes the checksum of what it depends on.
        if HARMLESS.iter().any(|name| begin_of_word(&text[start..end], end - start, name).is_some())
            || text[..start].ends_with(b"checksum/")
        {
            continue;
        }
        // The name of an account is a part of that of its key: `fs.azure.account.key.NAME.dfs.core.windows.net`.
        let host = length_of_host(&text[end..]);
        let end = end + host;
        // A dash of a manual page has a backslash before it, also within a word.
        let is_option = text[start..].starts_with(b"-") && !text[..start].ends_with(b"\\");
        let is_loose = names == Names::OfSecretFile || is_option || is_scheme;
        // A header says what follows; in prose, anything may follow `basic`.
        let before = text[..start].trim_ascii_end();
        let is_header = is_scheme
            && (before.len() < start && matches!(before, [.., name, b':'] if name.is_ascii_alphanumeric())
                || before.ends_with(b"uthorization="));
        let is_login = takes_next(text, start..end, begin, &word, is_option);
        let directive = directive(text, start..end);
        let is_after_user = matches!(&*word, b"password" | b"pass") && is_after_user(text, start);
        // `user bob`, and the password in the next line; `user bob pass x`.
        let is_of_user = is_after_user && directive.is_some_and(|value| !is_state(value))
            || is_after_user && &*word == b"pass" && ends_line(text, end);
        let name = Name {
            start,
            end,
            is_loose: is_loose
                || is_login
                || is_in_table(text, start..end)
                || directive.is_some()
                || is_after_user
                || is_with(text, start, end),
            is_option,
            takes_any: is_header
                || is_login
                || is_of_user
                || is_argument(text, start)
                || kind == WordKind::End
                    && directive.is_some_and(|value| (is_compound(&text[start..end]) || host > 0) && !is_state(value)),
            is_header: matches!(&*word, b"authorization" | b"cookie"),
            is_telling: &text[start..end] == b"password" || is_compound(&text[start..end]),
        };
        let value = if is_account_key {
            reader.sibling(&name)
        } else {
            let value = reader.header(&name).or_else(|| reader.value(&name)).or_else(|| reader.sibling(&name));
            value.or_else(|| reader.pair(&name))
        };
        let value =
            value.filter(|value| kind != WordKind::Uuid || str::from_utf8(&text[value.clone()]).is_ok_and(is_uuid));
        // What one name is called by another program: `clientSecret -> client_secret`.
        let is_arrow =
            |value: &Range<usize>| text.get(end..value.start).unwrap_or_default().trim_ascii_end().ends_with(b"->");
        let value =
            value.filter(|value| !is_arrow(value) || !str::from_utf8(&text[value.clone()]).is_ok_and(announces));
        // What may have an account has none. A chat has a community as well, and nginx passes requests on: `proxy_pass`.
        let may_be_url = kind == WordKind::Known || matches!(&*word, b"community" | b"pass" | b"authorization");
        let value = value.filter(|value| !may_be_url || !is_plain_url(&text[value.clone()]));
        let value = value.filter(|value| !is_other(text, start..end, &word, kind == WordKind::Unseparated, value));
        if let Some(mut value) = value {
            // A unit has the name of a credential before it.
            if matches!(&*word, b"credential" | b"credentialencrypted") && text[value.clone()].ends_with(b":") {
                value.end = end_of_setting(text, value.end);
            }
            // A value may stand before its name.
            covered = value.end.max(covered);
            ranges.push(value);
        }
    }
}

/// Reports whether the next word is the value of a name that ends with a word, whatever it is: what is before the name says so, or the
/// syntax of the line.
fn takes_next(text: &[u8], name: Range<usize>, begin: usize, word: &[u8], is_option: bool) -> bool {
    let Range { start, end } = name;
    // `password 'x'` of SQL and of many files.
    let is_quoted = matches!(word, b"password" | b"passphrase" | b"authorization")
        && matches!(text[end..], [b' ', b'"' | b'\'', ..])
        && !value::closes_text(text, end + 1);
    word == b"password" && is_after_login(text, start)
        || DIRECTIVES.contains(&word) && start == begin
        || is_quoted
        || is_statement(&text[end..]) && (word == b"secret" || value::is_own_line(text, start))
        || !is_option && is_after_setter(text, start)
        || is_item(text, start, end)
        || is_pair_of_line(text, start..end)
}

/// Reports whether a word and a number are the name of a key of a storage account: `"keyName": "key1"`.
fn is_name_of_account_key(text: &[u8], start: usize) -> bool {
    let before = text[start.saturating_sub(64)..start].trim_ascii_end();
    let before = before.strip_suffix(b"\"").unwrap_or(before);
    let quotes = before.iter().rev().take_while(|byte| b"\"\\ :".contains(byte)).count();
    before[..before.len() - quotes].ends_with(b"keyName")
}

/// Reports whether a name ends here; a number or a plural may follow.
fn is_end_of_name(text: &[u8], end: usize) -> bool {
    let after = text[end..].iter().take(4).find(|byte| !byte.is_ascii_digit() && !byte.eq_ignore_ascii_case(&b's'));
    !after.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Reports whether a word begins here: nothing of a name is before, or a separator, or a change of case. `GITHUB_PAT` is a token; other names
/// that end so are patterns.
fn begins_word(text: &[u8], start: usize) -> bool {
    if text[start..].get(..3).is_some_and(|word| word.eq_ignore_ascii_case(b"pat")) {
        return text[..start].ends_with(b"_") && text[start..].starts_with(b"PAT");
    }
    let Some(before) = start.checked_sub(1).map(|before| text[before]) else { return true };
    !before.is_ascii_alphanumeric() || before.is_ascii_lowercase() && text[start].is_ascii_uppercase()
}
