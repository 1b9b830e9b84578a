//! What is around a name that announces a secret.

use std::ops::Range;

use super::announces;
use crate::redaction::value::{self, is_name_byte, is_state};
use crate::secret::SHORTEST;

/// Bytes of the longest command before a setting.
const LONGEST_COMMAND: usize = 160;

/// Reports whether the value of a name is of another kind that the name has as well.
pub(super) fn is_other(
    text: &[u8],
    name: Range<usize>,
    word: &[u8],
    is_unseparated: bool,
    found: &Range<usize>,
) -> bool {
    const STATES: [&[u8]; 20] = [
        b"ok",
        b"good",
        b"bad",
        b"valid",
        b"invalid",
        b"missing",
        b"on",
        b"off",
        b"optional",
        b"mismatch",
        b"enabled",
        b"disabled",
        b"required",
        b"failed",
        b"passed",
        b"verified",
        b"expired",
        b"denied",
        b"rejected",
        b"allowed",
    ];
    const OF_NAMES: [&[u8]; 12] = [
        b"access",
        b"admin",
        b"api",
        b"client",
        b"database",
        b"db",
        b"key",
        b"password",
        b"root",
        b"secret",
        b"token",
        b"user",
    ];
    let value = &text[found.clone()];
    // A member of Bicep that is given the parameter of the same name.
    if is_compound(&text[name.clone()]) && value == &text[name.clone()] {
        return true;
    }
    match word {
        // A Kubernetes service account, and a profile: `credentials: default`.
        b"credential" => value == b"default",
        // An option has an account, of which the password is one.
        b"cred" => {
            text[name].starts_with(b"-")
                || value == b"default"
                || is_state(value)
                || STATES.contains(&&*value.to_ascii_lowercase())
        }
        // A database that asks for none, and those of its settings that have a secret are found by their own names.
        b"connectionstring" | b"connection_string" | b"connection-string" => is_without_secret(value),
        // Keys of PagerDuty. Brokers have other names here.
        b"routingkey" | b"routing_key" | b"routing-key" | b"servicekey" | b"service_key" | b"service-key"
        | b"integrationkey" | b"integration_key" | b"integration-key" => {
            value.len() != 32 || !value.iter().all(u8::is_ascii_alphanumeric) || !value.iter().any(u8::is_ascii_digit)
        }
        // The parameters of a challenge: `Bearer authorization="https://…"`.
        b"bearer" | b"basic" => value.ends_with(b"=") && text[found.end..].starts_with(b"\""),
        // A port in `/etc/services`, and where `/etc/nsswitch.conf` looks for users.
        b"passwd" => {
            let port = value.strip_suffix(b"/tcp").or_else(|| value.strip_suffix(b"/udp"));
            port.is_some_and(|port| port.iter().all(u8::is_ascii_digit))
                || &text[name] == b"passwd" && [&b"files"[..], b"compat", b"db"].contains(&value)
        }
        // A directory.
        b"pwd" => {
            let is_whole = [&b"PWD"[..], b"OLDPWD"].contains(&&text[name]);
            is_whole && value.starts_with(b"/") && value.iter().all(|byte| is_name_byte(*byte) || *byte == b'/')
        }
        b"sig" if value.starts_with(b"SIG") => value.iter().all(u8::is_ascii_uppercase),
        b"sig" | b"signature" | b"auth" | b"authorization" | b"cookie" => {
            STATES.contains(&&*value.to_ascii_lowercase())
        }
        // A count: `max_tokens: 4096`. And what the token of a workflow may do.
        b"token" => {
            let is_permission = &text[name.clone()] == b"id-token" && [&b"write"[..], b"read"].contains(&value);
            let is_plural = text.get(name.end).is_some_and(|byte| byte.eq_ignore_ascii_case(&b's'));
            is_permission
                || is_plural
                    && (value.len() < 10 && value.iter().all(u8::is_ascii_digit)
                        || text[..name.end].ends_with(b"Token")
                            && is_in_description(value, (found.start + word.len()).saturating_sub(name.end)))
        }
        // The name of a member of a Secret.
        b"secretkey" | b"accesskey" => value.split(|byte| b"-_".contains(byte)).all(|part| OF_NAMES.contains(&part)),
        b"secret" => {
            const MOUNTABLE: &[u8] = b"Mountable ";
            let before = &text[name.start.saturating_sub(LONGEST_COMMAND)..name.start];
            let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
            let of_names = [&b"gcloud "[..], b"docker ", b"podman ", b"buildah ", b"nerdctl "];
            let is_option = &text[name.clone()] == b"--secret";
            is_option && of_names.iter().any(|program| memchr::memmem::find(line, program).is_some())
                || is_of_account(value)
                || line.ends_with(MOUNTABLE)
                    && is_in_description(value, (found.start + MOUNTABLE.len()).saturating_sub(name.start))
        }
        // In databases, it is the name of a column.
        _ => is_unseparated && value.len() < SHORTEST && value.iter().all(u8::is_ascii_lowercase),
    }
}

/// Reports whether a value is the name of an object that `kubectl describe` shows so many bytes after the beginning of a label:
/// `Tokens:              default-token-x7k2p`.
fn is_in_description(value: &[u8], column: usize) -> bool {
    /// The column of values.
    const COLUMN: usize = 21;
    let is_in = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(byte);
    column == COLUMN && value.contains(&b'-') && value.iter().all(is_in)
}

/// Reports whether a value is the name that Kubernetes gives to the Secret with the token of a service account, `default-token-x7k2p`, with
/// the letters of `k8s.io/apimachinery/pkg/util/rand`.
fn is_of_account(value: &[u8]) -> bool {
    const MARK: &[u8] = b"-token-";
    const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    let Some((account, end)) = value.split_last_chunk::<5>() else { return false };
    let is_name = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(byte);
    end.iter().all(|byte| LETTERS.contains(byte))
        && account.strip_suffix(MARK).is_some_and(|name| !name.is_empty() && name.iter().all(is_name))
}

/// Reports whether a value is a list of settings none of which has a secret: `Server=h;Integrated Security=true`.
fn is_without_secret(value: &[u8]) -> bool {
    /// Bytes of the longest list that is looked at.
    const LONGEST: usize = 1024;
    let is_setting = |setting: &[u8]| {
        let Some(sign) = memchr::memchr(b'=', setting) else { return false };
        let name: Vec<u8> = setting[..sign].iter().copied().filter(|byte| *byte != b' ').collect();
        // What is behind the last signs of base64 is nothing.
        let has_value = setting[sign + 1..].trim_ascii().iter().any(|byte| *byte != b'=');
        let is_setting = has_value && name.iter().all(|byte| is_name_byte(*byte));
        is_setting && std::str::from_utf8(&name).is_ok_and(|name| !announces(name)) && !name.is_empty()
    };
    let mut settings = value.split(|byte| *byte == b';').filter(|setting| !setting.trim_ascii().is_empty()).peekable();
    value.len() < LONGEST && settings.peek().is_some() && settings.all(is_setting)
}

/// Returns the length of the rest of a name that is the host of a storage account: `.NAME.dfs.core.windows.net`.
pub(super) fn length_of_host(text: &[u8]) -> usize {
    let length = text.iter().take(128).take_while(|byte| is_name_byte(**byte)).count();
    let account = memchr::memmem::find(&text[..length], b".core.").map_or(&[][..], |domain| &text[..domain]);
    let is_host = account.starts_with(b".") && account.split(|byte| *byte == b'.').count() == 3;
    if is_host { length } else { 0 }
}

/// Reports whether a word `key` is the whole name of that of a user, `{"username": "bob", "key": "x"}`, or of what signs tokens,
/// `"Jwt": {"Key": "x"}`.
pub(super) fn is_key_of(text: &[u8], start: usize) -> bool {
    const QUOTES: &[u8] = b"\"'\\";
    fn trim<'t>(text: &'t [u8], signs: &[u8]) -> &'t [u8] {
        &text[..text.iter().rposition(|byte| !signs.contains(byte)).map_or(0, |last| last + 1)]
    }
    fn last_name(text: &[u8]) -> &[u8] {
        &text[text.iter().rposition(|byte| !is_name_byte(*byte)).map_or(0, |at| at + 1)..]
    }
    let before = &text[start.saturating_sub(256)..start];
    if before.last().is_some_and(|byte| is_name_byte(*byte)) {
        return false;
    }
    let is_of_jwt = |name: &[u8]| name.get(..3).is_some_and(|begin| begin.eq_ignore_ascii_case(b"jwt"));
    // The brace of the object, or the line before in YAML.
    let open = memchr::memrchr2(b'{', b'}', before).filter(|at| before[*at] == b'{');
    let feed = memchr::memrchr(b'\n', before).filter(|feed| before[*feed..].iter().all(u8::is_ascii_whitespace));
    let parent = open.or(feed).and_then(|at| before[..at].trim_ascii_end().strip_suffix(b":"));
    // `"Jwt:Key"` of .NET.
    let parent = parent.or_else(|| before.strip_suffix(b":"));
    if parent.is_some_and(|parent| is_of_jwt(last_name(trim(parent, QUOTES)))) {
        return true;
    }
    let name = trim(before, QUOTES);
    let Some(member) = name.trim_ascii_end().strip_suffix(b",").filter(|_| name.len() < before.len()) else {
        return false;
    };
    let user = trim(member, QUOTES);
    let user = &user[..user.len() - last_name(user).len()];
    trim(user, QUOTES).trim_ascii_end().strip_suffix(b":").is_some_and(|user| trim(user, QUOTES).ends_with(b"username"))
}

/// Reports whether a text in quotes and a semicolon follow, as in the files of BIND and nginx: ` "x";`.
pub(in crate::redaction) fn is_statement(text: &[u8]) -> bool {
    let blanks = text.iter().take(64).take_while(|byte| b" \t".contains(byte)).count();
    let Some(rest) = text[blanks..].strip_prefix(b"\"").filter(|_| blanks > 0) else { return false };
    let length = rest.iter().take(256).take_while(|byte| !b"\"\n".contains(byte)).count();
    rest[length..].starts_with(b"\";")
}

/// Reports whether a command comes before that sets the variable to what follows.
pub(super) fn is_after_setter(text: &[u8], start: usize) -> bool {
    const SETTERS: [&[u8]; 14] = [
        b"ENV ",
        b"setenv ",
        b"set -gx ",
        b"set -x ",
        b"setx ",
        b"--arg ",
        b"SetEnv ",
        b"RequestHeader set ",
        b"proxy_set_header ",
        b"fastcgi_param ",
        b"uwsgi_param ",
        b"scgi_param ",
        b"php_value ",
        b"php_admin_value ",
    ];
    // Programs that have other words before the name.
    const EDITORS: [&[u8]; 5] =
        [b"rclone config create ", b"crudini --set ", b"-config --set ", b"cf set-env ", b"dvc remote modify "];
    // Programs whose settings are names and values, after options.
    const PROGRAMS: [&[u8]; 7] = [
        b" config set ",
        b" configure set ",
        b" user-secrets set ",
        b"git config ",
        b"racadm set ",
        b"consul kv put ",
        b"etcdctl put ",
    ];
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
pub(super) fn is_in_table(text: &[u8], name: Range<usize>) -> bool {
    let is_variable = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let begins_line = name.start == 0 || text[name.start - 1] == b'\n';
    begins_line
        && (text[name.end..].starts_with(b"  ") || text[name.end..].starts_with(b"\t"))
        && text[name].iter().all(is_variable)
}

/// Returns the word of a line that is a name and one word, as in the files of many programs: `  password x1`.
pub(super) fn directive(text: &[u8], name: Range<usize>) -> Option<&[u8]> {
    let blanks = text[name.end..].iter().take(128).take_while(|byte| b" \t".contains(byte)).count();
    let rest = &text[name.end + blanks..];
    let word = rest.iter().take(256).take_while(|byte| !byte.is_ascii_whitespace()).count();
    let after = rest[word..].iter().find(|byte| !b" \t\r".contains(byte));
    let is_line = value::is_own_line(text, name.start) && after.is_none_or(|byte| b"\n#".contains(byte));
    (is_line && blanks > 0 && word > 0).then(|| &rest[..word])
}

/// Reports whether a name is of several words, as none in a sentence is: `shared_key`, `tenantToken`, `sasl.password`.
pub(super) fn is_compound(name: &[u8]) -> bool {
    name.contains(&b'_')
        || name.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        || name.windows(3).any(|dot| dot[1] == b'.' && dot[0].is_ascii_alphanumeric() && dot[2].is_ascii_lowercase())
}

/// Reports whether a name is the beginning of an argument that has the password behind a colon: `-passin pass:x`, `/pass:x`.
pub(super) fn is_argument(text: &[u8], start: usize) -> bool {
    [&b"-passin "[..], b"-passout ", b"-pass ", b"-password ", b"-kdfopt ", b"-macopt ", b" /", b"\"/", b"'/"]
        .iter()
        .any(|before| text[..start].ends_with(before))
}

/// Reports whether a name is that of something about a secret, such as its file, or where it comes from: `TOKEN_URL`, `secretName`.
pub(super) fn is_about_secret(name: &str) -> bool {
    const THINGS: [&str; 20] = [
        "name",
        "url",
        "uri",
        "file",
        "path",
        "dir",
        "directory",
        "enabled",
        "ttl",
        "endpoint",
        "type",
        "count",
        "length",
        "size",
        "timeout",
        "version",
        "lifetime",
        "fingerprint",
        "thumbprint",
        "expiry",
    ];
    let name = name.as_bytes();
    THINGS.iter().any(|thing| {
        let Some(begin) = name.len().checked_sub(thing.len()).filter(|begin| *begin > 0) else { return false };
        let begins = !name[begin - 1].is_ascii_alphanumeric()
            || name[begin].is_ascii_uppercase() && name[begin - 1].is_ascii_lowercase();
        begins && name[begin..].eq_ignore_ascii_case(thing.as_bytes())
    })
}

/// Reports whether a name is that of a header among the words of `HTTPie`: `http h/x X-Api-Key:x`.
pub(super) fn is_item(text: &[u8], start: usize, end: usize) -> bool {
    const PROGRAMS: [&[u8]; 4] = [b"http", b"https", b"xh", b"xhs"];
    let is_joined = matches!(text[end..], [b':', next, ..] if next.is_ascii_graphic() && !b":/=".contains(&next));
    if !is_joined || !text[..start].ends_with(b" ") {
        return false;
    }
    let before = &text[start.saturating_sub(LONGEST_COMMAND)..start];
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let command = line.rsplit(|byte| b";|&".contains(byte)).next().unwrap_or_default().trim_ascii_start();
    PROGRAMS.contains(&command.split(|byte| *byte == b' ').next().unwrap_or_default())
}

/// Reports whether a name and its value are two texts in quotes and all of their line, as in the settings of Yarn: `"_authToken" "x"`.
pub(super) fn is_pair_of_line(text: &[u8], name: Range<usize>) -> bool {
    let line = text[..name.start].iter().rev().take(LONGEST_COMMAND).take_while(|byte| **byte != b'\n').count();
    let before = text[name.start - line..name.start].trim_ascii_start();
    let Some(rest) = text[name.end..].strip_prefix(b"\" \"") else { return false };
    let value = rest.iter().take(LONGEST_COMMAND).take_while(|byte| !b"\"\n".contains(byte)).count();
    let is_whole = matches!(rest[value..], [b'"'] | [b'"', b'\r' | b'\n', ..]);
    is_compound(&text[name]) && is_whole && memchr::memchr_iter(b'"', before).count() == 1 && before.starts_with(b"\"")
}

/// Reports whether a sentence gives the value of a name at its end: `created user bob with password x`.
pub(super) fn is_with(text: &[u8], start: usize, end: usize) -> bool {
    let is_given = [&b" with "[..], b" using "].iter().any(|word| text[..start].ends_with(word));
    let rest = &text[end..text.len().min(end + LONGEST_COMMAND)];
    let line = &rest[..memchr::memchr2(b'\r', b'\n', rest).unwrap_or(rest.len())];
    let word = line.trim_ascii();
    let is_noun =
        [&b"auth"[..], b"login", b"protection", b"prompt", b"grant"].iter().any(|noun| word.starts_with(noun));
    is_given && line.starts_with(b" ") && word.len() >= SHORTEST && !word.contains(&b' ') && !is_noun
}

/// Returns where a setting of a unit ends, which goes on in the line behind a backslash.
pub(super) fn end_of_setting(text: &[u8], from: usize) -> usize {
    /// Bytes of the longest credential.
    const LONGEST: usize = 16 << 10;
    let rest = &text[from..text.len().min(from + LONGEST)];
    let end = memchr::memchr_iter(b'\n', rest).find(|feed| !rest[..*feed].ends_with(b"\\"));
    from + end.unwrap_or(rest.len())
}

/// Reports whether one word follows a name in its line.
pub(super) fn ends_line(text: &[u8], end: usize) -> bool {
    let line = text[end..].iter().take(LONGEST_COMMAND).take_while(|byte| !b"\r\n".contains(byte)).count();
    let line = &text[end..end + line];
    line.starts_with(b" ") && !line.trim_ascii().is_empty() && !line.trim_ascii().contains(&b' ')
}

/// Reports whether a value is a URL of a host alone.
pub(super) fn is_plain_url(value: &[u8]) -> bool {
    let Some(scheme) = memchr::memmem::find(value, b"://") else { return false };
    let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || b".-:[]/".contains(byte);
    value[..scheme].iter().all(u8::is_ascii_alphanumeric) && value[scheme + 3..].iter().all(is_in)
}

/// Reports whether `login USER` comes before, as in a `.netrc`, or a program whose commands are words.
pub(super) fn is_after_login(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(128)..start];
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    if memchr::memmem::find(line, b"nmcli ").is_some() {
        return true;
    }
    let mut words = before.rsplit(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let [_, before, _, login] = std::array::from_fn(|_| words.next().unwrap_or_default());
    before == b"login" || before == b"account" && login == b"login"
}

/// Reports whether `user NAME` comes before.
pub(super) fn is_after_user(text: &[u8], start: usize) -> bool {
    let before = text[start.saturating_sub(128)..start].split(u8::is_ascii_whitespace);
    let mut words = before.rev().filter(|word| !word.is_empty()).skip(1);
    words.next().is_some_and(|word| [&b"user"[..], b"username"].contains(&word))
}
