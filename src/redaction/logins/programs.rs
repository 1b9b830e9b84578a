//! Passwords among the arguments of programs whose commands have a form of their own: Oracle's, Vault's, and those that read a secret from
//! a process.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::readers::{behind_user, last_word, words_of_echo};
use super::{LONGEST, arguments, command_before, quoted};
use crate::redaction::names::announces;
use crate::redaction::value::is_name_byte;

/// Programs of Oracle, whose first word is `USER/PASSWORD@DATABASE`.
static ORACLE: LazyLock<[Finder<'static>; 5]> =
    LazyLock::new(|| ["sqlplus ", "sqlldr ", "expdp ", "impdp ", "rman target "].map(Finder::new));

/// Commands in scripts for them, which are followed by the same.
static CONNECT: LazyLock<[Finder<'static>; 3]> = LazyLock::new(|| ["CONNECT ", "connect ", "conn "].map(Finder::new));

/// The beginning of a URL that has an account in the same form.
static ORACLE_URL: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("jdbc:oracle:thin:"));

/// The ends of the names of functions that are given a user and a password, and what a tuple of them is given to.
const FUNCTIONS: [&[u8]; 8] = [
    b"changeUserPassword",
    b"Credential",
    b"Credentials",
    b"BasicAuth",
    b"Credential]::new",
    b"login",
    b".auth",
    b"auth=",
];

/// The ends of the names of functions that are given a secret, and how many arguments come before it.
const CALLS: [(&[u8], usize); 20] = [
    (b"jwt.sign", 1),
    (b"jwt.verify", 1),
    (b"jwt.encode", 1),
    (b"jwt.decode", 1),
    (b"createHmac", 1),
    (b"hmac.new", 0),
    (b"Fernet", 0),
    (b"cookieParser", 0),
    (b"SecretKeySpec", 0),
    (b"SymmetricSecurityKey", 0),
    (b"setSigningKey", 0),
    (b"KeyCredential", 0),
    (b"ClientSecretCredential", 2),
    (b"getConnection", 2),
    (b"PDO", 2),
    (b"mysqli", 2),
    (b"mysqli_connect", 2),
    (b"DBI->connect", 2),
    (b"basic_auth", 1),
    (b"bearer_auth", 0),
];

/// What may be between a parenthesis or a comma and the quote of such a secret.
const MAKERS: [&[u8]; 6] =
    [b"Some(", b"b", b"[]byte(", b"Buffer.from(", b"Encoding.UTF8.GetBytes(", b"Encoding.ASCII.GetBytes("];

/// The ends of the names of functions that encode an account for the header of a request.
const ENCODERS: [&[u8]; 2] = [b"GetBytes", b"btoa"];

/// The ends of the names of functions that make a hash of a password.
const HASHERS: [&[u8]; 7] =
    [b"crypt", b"hashpw", b"crypt.hash", b"crypt.hashSync", b"password_hash", b"make_password", b"pw_hash"];

/// Bytes that are looked at for the options of a program.
const OPTIONS: usize = 24;

/// A program that has a password among its words.
struct Positional {
    finder: Finder<'static>,
    /// Its options that are followed by a value.
    options: &'static [&'static [u8]],
    /// One of these words comes before, if there are any.
    commands: &'static [&'static [u8]],
    /// How many other words come before.
    skipped: usize,
}

static POSITIONAL: LazyLock<[Positional; 6]> = LazyLock::new(|| {
    let new = |program: &'static str, options, commands, skipped| Positional {
        finder: Finder::new(program),
        options,
        commands,
        skipped,
    };
    [
        new("mkpasswd ", &[b"-m", b"-S", b"-R", b"-P", b"--method", b"--salt", b"--rounds"], &[], 0),
        new("cargo login ", &[b"--registry", b"--config", b"--color", b"-Z"], &[], 0),
        new("openssl passwd ", &[b"-salt", b"-in"], &[], 0),
        new(
            "rabbitmqctl ",
            &[b"-n", b"-p", b"-l", b"-t", b"--node", b"--vhost", b"--timeout"],
            &[b"add_user", b"change_password", b"authenticate_user"],
            1,
        ),
        // `nuget push PACKAGE KEY`.
        new(
            "nuget push ",
            &[
                b"-s",
                b"--source",
                b"-k",
                b"--api-key",
                b"-t",
                b"--timeout",
                b"-ss",
                b"--symbol-source",
                b"-sk",
                b"--symbol-api-key",
                b"-Source",
                b"-ApiKey",
                b"-SymbolSource",
                b"-SymbolApiKey",
                b"-Timeout",
                b"-ConfigFile",
                b"-Verbosity",
            ],
            &[],
            1,
        ),
        // `smbclient SERVICE PASSWORD`.
        new(
            "smbclient ",
            &[
                b"-U", b"-A", b"-c", b"-W", b"-p", b"-I", b"-D", b"-t", b"-d", b"-s", b"-l", b"-m", b"-n", b"-O",
                b"-i", b"-T", b"-M", b"-b", b"-L", b"-R", b"-r",
            ],
            &[],
            1,
        ),
    ]
});

/// What makes a protected text of the one before.
static PROTECTED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("| ConvertTo-SecureString"));

/// What makes an array of a text in an argument, as Java has passwords.
static CHARACTERS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\".toCharArray()"));

/// Commands of build systems that hide what follows, and set a variable, which may be secret.
static MASKS: LazyLock<[Finder<'static>; 4]> = LazyLock::new(|| {
    ["::add-mask::", "##[add-mask]", "##vso[task.setsecret]", "##vso[task.setvariable "].map(Finder::new)
});

/// Commands of build systems with the name of a value, which follows behind two colons.
static OUTPUTS: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| ["::set-output name=", "::save-state name="].map(Finder::new));

/// What mail and directory servers write before a password that is not hashed.
static SCHEMES: LazyLock<[Finder<'static>; 3]> =
    LazyLock::new(|| ["{PLAIN}", "{CLEARTEXT}", "{plain}"].map(Finder::new));

/// Commands and options that are followed by secrets as `NAME=VALUE`, and what the command has before them.
static SETTERS: LazyLock<[(Finder<'static>, &'static [u8]); 7]> = LazyLock::new(|| {
    [
        ("vault kv put ", &b""[..]),
        ("vault kv patch ", b""),
        ("vault write secret/", b""),
        (" secrets set ", b""),
        ("-secure-environment-variables ", b""),
        (" --secrets ", b""),
        (" --settings ", b"connection-string set"),
    ]
    .map(|(setter, before)| (Finder::new(setter), before))
});

/// The beginnings of processes whose output is a value, and their ends.
static PROCESSES: LazyLock<[(Finder<'static>, u8); 4]> = LazyLock::new(|| {
    [("<(", b')'), ("$(", b')'), ("`echo ", b'`'), ("\"echo ", b'"')].map(|(begin, end)| (Finder::new(begin), end))
});

/// The command that sets the account of a server of packages of Ruby, and the beginning of the name of the variable with it.
static BUNDLE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("bundle config "));
static BUNDLE_VARIABLE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("BUNDLE_"));

/// The ends of the options and settings whose value is a command that writes a secret: `--password-command "echo x"`.
const COMMANDS: [&[u8]; 4] = [b"-command", b"_command", b"-cmd", b"_cmd"];

/// Adds such passwords.
pub(super) fn find(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    for program in &*ORACLE {
        for at in program.find_iter(text) {
            let mut words = arguments(text, at + program.needle().len()).take(8);
            if let Some(password) = words.find(|word| text[word.start] != b'-').and_then(|word| of_oracle(text, &word))
            {
                add(password);
            }
        }
    }
    for command in &*CONNECT {
        for at in command.find_iter(text) {
            let is_command = matches!(text[..at], [] | [.., b'\n'] | [.., b'>', b' ']);
            if let Some(word) = arguments(text, at + command.needle().len()).next().filter(|_| is_command) {
                let account = &text[word.clone()];
                let user = &account[..memchr::memchr(b'/', account).unwrap_or_default()];
                // An administrator needs no database.
                let is_user = user.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_$#".contains(byte))
                    && (account.contains(&b'@') || [&b"sys"[..], b"system"].contains(&&*user.to_ascii_lowercase()));
                of_oracle(text, &word).filter(|_| is_user).into_iter().for_each(&mut *add);
            }
        }
    }
    for (command, before) in &*SETTERS {
        for at in command.find_iter(text) {
            if memmem::find(command_before(text, at), before).is_none() {
                continue;
            }
            let words = arguments(text, at + command.needle().len()).take(64);
            let words = words.skip_while(|word| text[word.start] == b'-');
            // Further options have values of their own.
            for word in words.take_while(|word| text[word.start] != b'-') {
                let sign = memchr::memchr(b'=', &text[word.clone()]).map(|sign| word.start + sign + 1);
                // A file is behind `@`.
                if let Some(begin) = sign
                    && !text[begin..].starts_with(b"@")
                {
                    let value = begin..word.end.max(begin);
                    let quoted = value.is_empty().then(|| quoted(text, begin)).flatten();
                    add(quoted.unwrap_or(value));
                }
            }
        }
    }
    for program in &*POSITIONAL {
        for at in program.finder.find_iter(text) {
            program.password(text, at + program.finder.needle().len()).into_iter().for_each(&mut *add);
        }
    }
    for at in BUNDLE.find_iter(text) {
        of_bundle(text, at + BUNDLE.needle().len()).into_iter().for_each(&mut *add);
    }
    for (process, close) in &*PROCESSES {
        for at in process.find_iter(text) {
            of_process(text, at, *close).into_iter().for_each(&mut *add);
        }
    }
}

impl Positional {
    /// Returns the password among the words of a command.
    fn password(&self, text: &[u8], from: usize) -> Option<Range<usize>> {
        let mut words = arguments(text, from).take(OPTIONS);
        let mut skipped = self.skipped;
        let mut is_command = self.commands.is_empty();
        while let Some(word) = words.next() {
            let option = &text[word.clone()];
            if option.starts_with(b"-") {
                if self.options.contains(&option) {
                    words.next()?;
                }
            } else if !is_command {
                if !self.commands.contains(&option) {
                    return None;
                }
                is_command = true;
            } else if skipped == 0 {
                return Some(word);
            } else {
                skipped -= 1;
            }
        }
        None
    }
}

/// Returns what a process writes that begins here and is the value of a secret: `token <(echo x)`, `TOKEN="$(echo x)"`.
fn of_process(text: &[u8], at: usize, close: u8) -> Option<Range<usize>> {
    let is_file = text[at] == b'<';
    let is_command = text[at] == b'"';
    let from = at + if is_command || text[at] == b'`' { 1 } else { 2 };
    let before = text[at.saturating_sub(LONGEST)..at].trim_ascii_end();
    let before = if is_file || is_command { before } else { before.strip_suffix(b"\"").unwrap_or(before) };
    let name = before.strip_suffix(b"=").or_else(|| (is_file || is_command).then_some(before))?;
    let name = if is_command { COMMANDS.iter().find_map(|end| name.strip_suffix(*end))? } else { name };
    // The option of a program that reads a file.
    let file = [&b"-file"[..], b"_file"].iter().find_map(|end| name.strip_suffix(*end)).filter(|_| is_file);
    let name = file.unwrap_or(name);
    // Keys of disks, and the passwords of directories.
    let command = command_before(text, at);
    let reads_key = is_file
        && (memmem::find(command, b"cryptsetup ").is_some()
            || name.ends_with(b" -y") && memmem::find(command, b"ldap").is_some());
    let is_in = |byte: &&u8| byte.is_ascii_graphic() && !b"\"'".contains(byte);
    let length = name.iter().rev().take(64).take_while(is_in).count();
    if !reads_key && !std::str::from_utf8(&name[name.len() - length..]).is_ok_and(announces) {
        return None;
    }
    let rest = &text[from..text.len().min(from + LONGEST)];
    let end = from + memchr::memchr3(close, b'\n', b'|', rest).unwrap_or(rest.len());
    let words = words_of_echo(&text[from..end])?;
    last_word(text, from + words..end, false)
}

/// Adds passwords in URLs of Oracle, and those that functions of programs are given: `NetworkCredential("bob", "x")`.
pub(super) fn of_texts(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    for at in ORACLE_URL.find_iter(text) {
        let url = arguments(text, at + ORACLE_URL.needle().len()).next();
        url.and_then(|url| of_oracle(text, &url)).into_iter().for_each(&mut *add);
    }
    for at in PROTECTED.find_iter(text) {
        let before = text[..at].trim_ascii_end();
        if let Some(quote @ (b'"' | b'\'')) = before.last() {
            let inside = &before[..before.len() - 1];
            let length = inside.iter().rev().take(LONGEST).position(|byte| byte == quote || *byte == b'\n');
            add(inside.len() - length.unwrap_or_default()..inside.len());
        }
    }
    for at in CHARACTERS.find_iter(text) {
        let inside = &text[..at];
        let length = inside.iter().rev().take(LONGEST).position(|byte| b"\"\n".contains(byte));
        // An argument of a function.
        if let Some(begin) = length.map(|length| at - length)
            && text[..begin].ends_with(b"\"")
            && matches!(text[..begin - 1].trim_ascii_end(), [.., b'(' | b','])
        {
            add(begin..at);
        }
    }
    for at in BUNDLE_VARIABLE.find_iter(text) {
        of_bundle_variable(text, at + BUNDLE_VARIABLE.needle().len()).into_iter().for_each(&mut *add);
    }
    for mask in &*MASKS {
        for at in mask.find_iter(text) {
            of_mask(text, at + mask.needle().len(), mask.needle().ends_with(b" ")).into_iter().for_each(&mut *add);
        }
    }
    for output in &*OUTPUTS {
        for begin in output.find_iter(text).map(|at| at + output.needle().len()) {
            let name = text[begin..].iter().take(64).take_while(|byte| is_name_byte(**byte)).count();
            let is_secret = std::str::from_utf8(&text[begin..begin + name]).is_ok_and(announces);
            if is_secret && text[begin + name..].starts_with(b"::") {
                of_mask(text, begin + name + 2, false).into_iter().for_each(&mut *add);
            }
        }
    }
    for scheme in &*SCHEMES {
        for begin in scheme.find_iter(text).map(|at| at + scheme.needle().len()) {
            let is_in = |byte: &&u8| byte.is_ascii_graphic() && !b":\"'<".contains(byte);
            add(begin..begin + text[begin..].iter().take(LONGEST).take_while(is_in).count());
        }
    }
    for from in memchr::memchr_iter(b'(', text).map(|open| open + 1) {
        let is_hasher = |name: &&[u8]| {
            let before = text[..from - 1].strip_suffix(*name);
            before.is_some_and(|before| !before.last().is_some_and(u8::is_ascii_alphabetic))
        };
        if HASHERS.iter().any(is_hasher) {
            let prefix = text[from..].iter().take(2).take_while(|byte| b"bru".contains(byte)).count();
            quoted(text, from + prefix).into_iter().for_each(&mut *add);
        }
        if ENCODERS.iter().any(|encoder| text[..from - 1].ends_with(encoder))
            && let Some(quote @ (b'"' | b'\'')) = text.get(from)
            && let Some(end) = text[from + 1..].iter().take(LONGEST).position(|byte| byte == quote)
            && let Some(skipped) = behind_user(&text[from + 1..from + 1 + end])
        {
            add(from + 1 + skipped..from + 1 + end);
        }
        let name = &text[from.saturating_sub(64)..from - 1];
        if let Some((_, number)) = CALLS.iter().find(|(function, _)| name.ends_with(function)) {
            argument(text, from, *number).into_iter().for_each(&mut *add);
        }
        if !FUNCTIONS.iter().any(|function| name.ends_with(function)) {
            continue;
        }
        // A realm and a host may come before them.
        if argument(text, from, 2).is_some() {
            argument(text, from, 3).into_iter().for_each(&mut *add);
        }
        // Both are in quotes, and the user may be nobody.
        let Some([quote @ (b'"' | b'\''), rest @ ..]) = text.get(from..) else { continue };
        let Some(user) = rest.iter().take(LONGEST).position(|byte| byte == quote) else { continue };
        let next = from + user + 2;
        let comma = text[next..].iter().take(16).take_while(|byte| b", ".contains(byte)).count();
        if comma > 0
            && text[next + comma..].first().is_some_and(|byte| b"\"'".contains(byte))
            && let Some(password) = arguments(text, next + comma).next()
        {
            add(password);
        }
    }
}

/// Returns the password of `bundle config [set] HOST USER:PASSWORD`, or the token there.
fn of_bundle(text: &[u8], from: usize) -> Option<Range<usize>> {
    let mut words = arguments(text, from).take(8).filter(|word| text[word.start] != b'-');
    let mut name = words.next()?;
    if &text[name.clone()] == b"set" {
        name = words.next()?;
    }
    let value = words.next()?;
    let host = &text[name];
    let is_host = host.contains(&b'.') && !host.starts_with(b"mirror.") && !host.starts_with(b"build.");
    let account = &text[value.clone()];
    let skipped = behind_user(account).or_else(|| (!account.contains(&b':')).then_some(0));
    skipped.filter(|_| is_host).map(|skipped| value.start + skipped..value.end)
}

/// Returns the password in a variable for a host whose dots are doubled signs: `BUNDLE_GEMS__CONTOSO__COM="bob:x"`.
fn of_bundle_variable(text: &[u8], from: usize) -> Option<Range<usize>> {
    let is_in = |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b'_';
    let name = text[from..].iter().take(128).take_while(is_in).count();
    memmem::find(&text[from..from + name], b"__")?;
    let sign = text[from + name..].iter().take(4).take_while(|byte| b"=: ".contains(byte)).count();
    let value = arguments(text, from + name + sign).next().filter(|_| sign > 0)?;
    behind_user(&text[value.clone()]).map(|skipped| value.start + skipped..value.end)
}

/// Returns a text that is an argument of a function, whose parenthesis ends before.
fn argument(text: &[u8], from: usize, number: usize) -> Option<Range<usize>> {
    let rest = &text[from..text.len().min(from + LONGEST)];
    let (mut at, mut depth, mut commas) = (0, 0_usize, 0);
    while commas < number {
        match rest.get(at)? {
            quote @ (b'"' | b'\'') => at += 1 + memchr::memchr(*quote, &rest[at + 1..])?,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => commas += 1,
            _ => {}
        }
        at += 1;
    }
    at += rest[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let maker = MAKERS.iter().find(|maker| rest[at..].starts_with(maker)).map_or(0, |maker| maker.len());
    quoted(text, from + at + maker)
}

/// Returns what a build system is told to hide: the rest of a text, behind the parameters of a variable if it is one.
fn of_mask(text: &[u8], from: usize, is_variable: bool) -> Option<Range<usize>> {
    let rest = &text[from..text.len().min(from + LONGEST)];
    let rest = &rest[..rest.iter().position(|byte| b"\r\n\"'".contains(byte)).unwrap_or(rest.len())];
    let skipped = if is_variable { memchr::memchr(b']', rest)? + 1 } else { 0 };
    let parameters = rest[..skipped].to_ascii_lowercase();
    let is_secret = !is_variable || memmem::find(&parameters, b"issecret=true").is_some();
    is_secret.then(|| from + skipped..from + rest.len())
}

/// Returns the password of `USER/PASSWORD@DATABASE`.
fn of_oracle(text: &[u8], word: &Range<usize>) -> Option<Range<usize>> {
    let account = &text[word.clone()];
    let slash = memchr::memchr(b'/', account)?;
    // `bob/"x"@database`.
    if slash > 0 && slash + 1 == account.len() && !account.contains(&b':') {
        return quoted(text, word.end);
    }
    let end = memchr::memrchr(b'@', account).unwrap_or(account.len());
    // `/ as sysdba`, `//host/service`, and a URL without an account.
    let is_user = slash > 0 && !account[..slash].contains(&b':') && memmem::find(account, b"://").is_none();
    let is_word = end > slash + 1;
    (is_user && is_word).then(|| word.start + slash + 1..word.start + end)
}
