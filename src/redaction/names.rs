//! The list of names whose values are secret, and the values after such names in any text.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

use crate::catalogue::variables::{self, VARIABLES};
use crate::configuration::syntax::is_uuid;
use crate::configuration::{Configuration, Descriptor, Kind, Message};
use crate::inputs::{karpenter, nbc};

use super::value::{self, Name, Reader, is_name_byte};

/// Words at the end of names of secrets, wherever they stand in the name, and however their parts are separated: `api-key`, `api_key`.
const WORDS: [&str; 65] = [
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "credential",
    "apikey",
    "accountkey",
    "accesskey",
    "sharedkey",
    "privatekey",
    "secretkey",
    "keydata",
    "clientkey",
    "connectionstring",
    "signature",
    "subscriptionkey",
    "encryptionkey",
    "signingkey",
    "masterkey",
    "storagekey",
    "passcode",
    "certificatekey",
    "licensekey",
    "workspacekey",
    "bindpw",
    "rootpw",
    "authtok",
    "authkey",
    "storepass",
    "keypass",
    "requirepass",
    "masterauth",
    "rocommunity",
    "rwcommunity",
    "trapcommunity",
    "presharedkey",
    "activationkey",
    "instrumentationkey",
    "secretkeybase",
    "sshpass",
    "dbpass",
    "dbpwd",
    "adminpass",
    "adminpwd",
    "userpass",
    "userpwd",
    "rootpass",
    "rootpwd",
    "authpass",
    "wpapsk",
    "appkey",
    "functionkey",
    "functionskey",
    "registrationkey",
    "applicationkey",
    "passwordhash",
    "validationkey",
    "decryptionkey",
    "identityheader",
    "wepkey",
    "authident",
    "symmkey",
    "passwordin",
    "keymaterial",
];

/// The same, in one word. In databases, their parts are separated.
const UNSEPARATED: [&str; 2] = ["primarykey", "secondarykey"];

/// Words at the end of names of secrets that are UUIDs. In other programs, they are names of secrets.
const WITH_UUID: [&str; 3] = ["secretid", "secret_id", "secret id"];

/// The ends of names that have no secret: in units, the name or the path of a credential; in charts, the name of a Secret.
const HARMLESS: [&str; 4] = ["loadcredential", "importcredential", "existingsecret", "pullsecret"];

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

/// Words that are secret only as the whole name, or as its last part after `_`, `-`, `.` or a change of case.
const WHOLE_WORDS: [&str; 12] =
    ["pw", "pwd", "pass", "psk", "sig", "auth", "authorization", "cookie", "bearer", "basic", "community", "pat"];

/// Bytes of the longest name.
const LONGEST: usize = 80;

/// Bytes of the longest command before a setting.
const LONGEST_COMMAND: usize = 160;

/// Words that are secret only in files of secrets.
const IN_SECRET_FILES: [&str; 2] = ["key", "kerb"];

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
    let name = name.to_ascii_lowercase();
    let sounds_secret = || {
        ["token", "secret", "password", "passwd", "passphrase", "credential", "key", "proxy"]
            .iter()
            .any(|word| name.contains(word))
    };
    KNOWN.get(&name).copied().unwrap_or_else(|| sounds_secret() || announces())
}

/// Reports whether a variable of the scripts is secret: by the table, or, for variables not in the table, by the words in the name.
pub(crate) fn is_secret_variable(name: &str) -> bool {
    variables::variable(name).map_or_else(|| is_secret_name(name), |variable| variable.secret)
}

/// A word with which a name ends that announces a secret.
struct Word {
    /// In lower case.
    text: String,
    kind: WordKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WordKind {
    End,
    Unseparated,
    Whole,
    InSecretFile,
    Uuid,
    /// The whole of a name of our tables.
    Known,
}

/// The words, and the secret names of our own tables that have none of them at their end, by the last letter, longest first. This
/// is cheaper to make than an automaton, and only the ends of names are compared.
static BY_LAST_LETTER: LazyLock<[Vec<Word>; 26]> = LazyLock::new(|| {
    let mut known = BTreeSet::new();
    each_known(|name, is_secret| {
        if is_secret {
            known.insert(name.to_ascii_lowercase());
        }
    });
    let has_word = |name: &str| WORDS.iter().any(|word| begin_of_word(name.as_bytes(), name.len(), word).is_some());
    known.retain(|name| !has_word(name) && !WHOLE_WORDS.contains(&&**name));
    let words = WORDS.map(|word| (word.to_owned(), WordKind::End)).into_iter();
    let unseparated = UNSEPARATED.map(|word| (word.to_owned(), WordKind::Unseparated));
    let whole = WHOLE_WORDS.map(|word| (word.to_owned(), WordKind::Whole));
    let of_files = IN_SECRET_FILES.map(|word| (word.to_owned(), WordKind::InSecretFile));
    let uuids = WITH_UUID.map(|word| (word.to_owned(), WordKind::Uuid));
    let known = known.into_iter().map(|name| (name, WordKind::Known));
    let mut by_letter: [Vec<Word>; 26] = Default::default();
    for (text, kind) in words.chain(unseparated).chain(whole).chain(of_files).chain(uuids).chain(known) {
        let letter = text.bytes().last().and_then(letter).expect("a word ends with a letter");
        by_letter[letter].push(Word { text, kind });
    }
    for words in &mut by_letter {
        words.sort_by_key(|word| Reverse(word.text.len()));
    }
    by_letter
});

/// Returns the place of a letter in the alphabet.
fn letter(byte: u8) -> Option<usize> {
    byte.is_ascii_alphabetic().then(|| usize::from(byte.to_ascii_lowercase() - b'a'))
}

/// Returns the longest word that ends at a place, and where it begins.
fn word_before(text: &[u8], end: usize) -> Option<(usize, WordKind)> {
    let words = &BY_LAST_LETTER[letter(*text[..end].last()?)?];
    // Most words end at once.
    let previous = end.checked_sub(2).map(|at| text[at].to_ascii_lowercase()).filter(|byte| !b"_-".contains(byte));
    words.iter().find_map(|word| {
        let letters = word.text.as_bytes();
        if previous.is_some_and(|byte| letters[letters.len() - 2] != byte) {
            return None;
        }
        if word.kind == WordKind::End {
            return begin_of_word(text, end, &word.text).map(|start| (start, word.kind));
        }
        let start = end.checked_sub(word.text.len())?;
        text[start..end].eq_ignore_ascii_case(word.text.as_bytes()).then_some((start, word.kind))
    })
}

/// Returns where a word begins that ends at a place. One separator may be between two letters.
fn begin_of_word(text: &[u8], end: usize, word: &str) -> Option<usize> {
    let mut at = end;
    for letter in word.bytes().rev() {
        at = at.checked_sub(1)?;
        if at > 0 && at + 1 < end && b"_-".contains(&text[at]) {
            at -= 1;
        }
        if !text[at].eq_ignore_ascii_case(&letter) {
            return None;
        }
    }
    Some(at)
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
            WordKind::InSecretFile => is_account_key || names == Names::OfSecretFile && begins_word(text, begin),
            WordKind::Known => begin == 0 || !is_name_byte(text[begin - 1]),
        };
        if !is_wanted {
            continue;
        }
        let word = text[begin..end].to_ascii_lowercase();
        let is_scheme = matches!(&*word, b"bearer" | b"basic");
        let start = text[..begin].iter().rev().take(64).take_while(|byte| is_name_byte(**byte)).count();
        let start = begin - start;
        if HARMLESS.iter().any(|name| begin_of_word(&text[start..end], end - start, name).is_some()) {
            continue;
        }
        // A dash of a manual page has a backslash before it, also within a word.
        let is_option = text[start..].starts_with(b"-") && !text[..start].ends_with(b"\\");
        let is_loose = names == Names::OfSecretFile || is_option || is_scheme;
        // A header says what follows; in prose, anything may follow `basic`.
        let before = text[..start].trim_ascii_end();
        let is_header =
            is_scheme && before.len() < start && matches!(before, [.., name, b':'] if name.is_ascii_alphanumeric());
        // `password 'x'` of SQL and of many files.
        let is_quoted = matches!(&*word, b"password" | b"passphrase" | b"authorization")
            && matches!(text[end..], [b' ', b'"' | b'\'', ..])
            && !value::closes_text(text, end + 1);
        let is_login = &*word == b"password" && is_after_login(text, start)
            || DIRECTIVES.contains(&&*word) && start == begin
            || is_quoted
            || is_statement(&text[end..]) && (&*word == b"secret" || value::is_own_line(text, start))
            || !is_option && is_after_setter(text, start);
        let directive = directive(text, start..end);
        let name = Name {
            start,
            end,
            is_loose: is_loose || is_login || is_in_table(text, start..end) || directive.is_some(),
            is_option,
            takes_any: is_header
                || is_login
                || is_argument(text, start)
                || kind == WordKind::End
                    && directive.is_some_and(|value| is_compound(&text[start..end]) && !is_state(value)),
            is_header: matches!(&*word, b"authorization" | b"cookie"),
        };
        let value = if is_account_key {
            reader.sibling(&name)
        } else {
            let value = reader.header(&name).or_else(|| reader.value(&name)).or_else(|| reader.sibling(&name));
            value.or_else(|| reader.pair(&name))
        };
        let value =
            value.filter(|value| kind != WordKind::Uuid || str::from_utf8(&text[value.clone()]).is_ok_and(is_uuid));
        // What may have an account has none. A chat has a community as well, and nginx passes requests on: `proxy_pass`.
        let may_be_url = kind == WordKind::Known || matches!(&*word, b"community" | b"pass");
        let value = value.filter(|value| !may_be_url || !is_plain_url(&text[value.clone()]));
        if let Some(value) = value {
            // A value may stand before its name.
            covered = value.end.max(covered);
            ranges.push(value);
        }
    }
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

/// Reports whether a text in quotes and a semicolon follow, as in the files of BIND and nginx: ` "x";`.
fn is_statement(text: &[u8]) -> bool {
    let blanks = text.iter().take(64).take_while(|byte| b" \t".contains(byte)).count();
    let Some(rest) = text[blanks..].strip_prefix(b"\"").filter(|_| blanks > 0) else { return false };
    let length = rest.iter().take(256).take_while(|byte| !b"\"\n".contains(byte)).count();
    rest[length..].starts_with(b"\";")
}

/// Reports whether a command comes before that sets the variable to what follows.
fn is_after_setter(text: &[u8], start: usize) -> bool {
    const SETTERS: [&[u8]; 6] = [b"ENV ", b"setenv ", b"set -gx ", b"set -x ", b"setx ", b"--arg "];
    // Programs that have other words before the name.
    const EDITORS: [&[u8]; 3] = [b"rclone config create ", b"crudini --set ", b"-config --set "];
    // Programs whose settings are names and values, after options.
    const PROGRAMS: [&[u8]; 4] = [b" config set ", b" configure set ", b" user-secrets set ", b"git config "];
    if SETTERS.iter().any(|setter| text[..start].ends_with(setter)) {
        return true;
    }
    let before = &text[start.saturating_sub(LONGEST_COMMAND)..start];
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let behind = |program: &[u8]| memchr::memmem::find(line, program).map(|at| &line[at + program.len()..]);
    PROGRAMS.iter().filter_map(|program| behind(program)).any(|words| {
        // The name may be a part of its word: `//registry/:_authToken`.
        let last = words.iter().rposition(|byte| *byte == b' ').unwrap_or_default();
        words[..last].split(|byte| *byte == b' ').all(|word| word.is_empty() || word.starts_with(b"-"))
    }) || EDITORS.iter().filter_map(|program| behind(program)).any(|words| words.ends_with(b" "))
}

/// Reports whether a name is that of a variable, and its value in the next column: `DB_PASSWORD   x`.
fn is_in_table(text: &[u8], name: Range<usize>) -> bool {
    let is_variable = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let begins_line = name.start == 0 || text[name.start - 1] == b'\n';
    begins_line
        && (text[name.end..].starts_with(b"  ") || text[name.end..].starts_with(b"\t"))
        && text[name].iter().all(is_variable)
}

/// Returns the word of a line that is a name and one word, as in the files of many programs: `  password x1`.
fn directive(text: &[u8], name: Range<usize>) -> Option<&[u8]> {
    let blanks = text[name.end..].iter().take(128).take_while(|byte| b" \t".contains(byte)).count();
    let rest = &text[name.end + blanks..];
    let word = rest.iter().take(256).take_while(|byte| !byte.is_ascii_whitespace()).count();
    let after = rest[word..].iter().find(|byte| !b" \t\r".contains(byte));
    let is_line = value::is_own_line(text, name.start) && after.is_none_or(|byte| *byte == b'\n');
    (is_line && blanks > 0 && word > 0).then(|| &rest[..word])
}

/// Reports whether a name is of several words, as none in a sentence is: `shared_key`, `tenantToken`.
fn is_compound(name: &[u8]) -> bool {
    name.contains(&b'_') || name.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

/// Reports whether a word says what happened to something: `access_token expired`.
pub(super) fn is_state(word: &[u8]) -> bool {
    word.ends_with(b"ed") || [&b"missing"[..], b"invalid", b"empty", b"unset"].contains(&word)
}

/// Reports whether a name is the beginning of an argument that has the password behind a colon: `-passin pass:x`, `/pass:x`.
fn is_argument(text: &[u8], start: usize) -> bool {
    [&b"-passin "[..], b"-passout ", b"-pass ", b"-password ", b" /"]
        .iter()
        .any(|before| text[..start].ends_with(before))
}

/// Reports whether a value is a URL of a host alone.
fn is_plain_url(value: &[u8]) -> bool {
    let Some(scheme) = memchr::memmem::find(value, b"://") else { return false };
    let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || b".-:[]/".contains(byte);
    value[..scheme].iter().all(u8::is_ascii_alphanumeric) && value[scheme + 3..].iter().all(is_in)
}

/// Reports whether `login USER` comes before, as in a `.netrc`, or a program whose commands are words.
fn is_after_login(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(128)..start];
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    if memchr::memmem::find(line, b"nmcli ").is_some() {
        return true;
    }
    let mut words = before.rsplit(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let [_, before, _, login] = std::array::from_fn(|_| words.next().unwrap_or_default());
    before == b"login" || before == b"account" && login == b"login"
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
