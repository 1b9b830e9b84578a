//! Words after options of commands: `--password x`.

use std::ops::Range;

use memchr::memmem;

use super::{LONGEST_TYPE, Name};

/// The ends of options that are followed by a secret. Others, such as those of keys, may name a file, and that of Docker names a secret.
const ENDS: [&[u8]; 37] = [
    b"token",
    b"password",
    b"passwd",
    b"passphrase",
    b"passcode",
    b"pass",
    b"pw",
    b"pwd",
    b"client-secret",
    b"app-secret",
    b"api-secret",
    b"shared-secret",
    b"webhook-secret",
    b"principal-secret",
    b"principal-key",
    b"radius-secret",
    b"api-key",
    b"apikey",
    b"account-key",
    b"accountkey",
    b"authkey",
    b"bearer",
    b"access-key",
    b"secret-key",
    b"shared-key",
    b"storage-key",
    b"subscription-key",
    b"workspace-key",
    b"license-key",
    b"function-key",
    b"functions-key",
    b"instrumentation-key",
    b"registration-key",
    b"application-key",
    b"setup-key",
    b"sas-key",
    b"activation-key",
];

/// Ends of options of some programs: kubeadm, Java, subscriptions.
const WHOLE: [&[u8]; 7] =
    [b"-certificate-key", b"-storepass", b"-keypass", b"-activationkey", b"-auth-key", b"-accesskey", b"-psk"];

/// Beginnings of options that say what is done about a secret, and have none.
const VERBS: [&[u8]; 33] = [
    b"no",
    b"not",
    b"disable",
    b"disabled",
    b"ask",
    b"prompt",
    b"generate",
    b"random",
    b"with",
    b"without",
    b"use",
    b"expose",
    b"lock",
    b"reset",
    b"delete",
    b"remove",
    b"rotate",
    b"expire",
    b"show",
    b"print",
    b"read",
    b"hide",
    b"enable",
    b"allow",
    b"require",
    b"skip",
    b"get",
    b"list",
    b"force",
    b"update",
    b"change",
    b"empty",
    b"check",
];

/// Words of sentences about an option, and of lists of options, which name a type.
const OF_PROSE: [&[u8]; 50] = [
    b"a",
    b"an",
    b"and",
    b"are",
    b"argument",
    b"arguments",
    b"as",
    b"at",
    b"be",
    b"been",
    b"by",
    b"can",
    b"cannot",
    b"enum",
    b"file",
    b"flag",
    b"flags",
    b"for",
    b"from",
    b"has",
    b"have",
    b"if",
    b"in",
    b"instead",
    b"int",
    b"is",
    b"may",
    b"missing",
    b"must",
    b"not",
    b"of",
    b"on",
    b"option",
    b"options",
    b"or",
    b"parameter",
    b"path",
    b"required",
    b"requires",
    b"should",
    b"string",
    b"strings",
    b"the",
    b"to",
    b"using",
    b"value",
    b"via",
    b"was",
    b"when",
    b"with",
];

/// Programs that ask for a password after an option of this name, and have another argument behind it.
const ASKING: [&[u8]; 5] = [b"psql", b"mysql", b"mariadb", b"pg_", b"createdb"];

/// Programs whose option `secret` has one, and not the name of one: agents of Jenkins, Chef, Serverless, and Ceph.
const WITH_SECRET: [&[u8]; 4] = [b".jar ", b"knife ", b"serverless ", b"rbd "];

/// Reports whether an option is one of a command that is followed by a secret.
pub(super) fn takes(text: &[u8], name: &Name, found: &Range<usize>) -> bool {
    let option = text[name.start..name.end].to_ascii_lowercase();
    let words = option.trim_ascii_start().iter().position(|byte| *byte != b'-').map_or(&[][..], |at| &option[at..]);
    let first = words.split(|byte| *byte == b'-').next().unwrap_or_default();
    let before = &text[name.start.saturating_sub(128)..name.start];
    let command = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let runs = |programs: &[&[u8]]| programs.iter().any(|program| memmem::find(command, program).is_some());
    let is_secret = ENDS.iter().chain(&WHOLE).any(|end| option.ends_with(end)) && !VERBS.contains(&first)
        || words == b"secret" && runs(&WITH_SECRET);
    // A list of options has more blanks, before their descriptions as well.
    let digits = text[name.end..found.start.max(name.end)].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let gap = &text[(name.end + digits).min(found.start)..found.start];
    let is_gap = matches!(gap, b" " | b"\0") || gap.contains(&b',') || gap.ends_with(b"\n- ") || gap.ends_with(b" - ");
    let is_described = text[found.end..].starts_with(b"  ") || text[found.end..].starts_with(b"\t");
    let value = &text[found.clone()];
    let is_placeholder = value.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
        || value.iter().any(|byte| b"<>[](){}|$=`".contains(byte));
    let is_reference = [&b"env:"[..], b"file:", b"pass:", b"fd:", b"stdin", b"./", b"../", b"~"]
        .iter()
        .any(|begin| value.starts_with(begin));
    let word = value.get(..LONGEST_TYPE).unwrap_or(value).to_ascii_lowercase();
    let word = word.trim_ascii_end().strip_suffix(b".").unwrap_or(&word);
    is_secret
        && is_gap
        && !is_described
        && !is_placeholder
        && !is_reference
        && !OF_PROSE.contains(&word)
        && !(words == b"password" && runs(&ASKING))
}
