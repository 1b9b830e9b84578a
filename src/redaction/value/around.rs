//! What is around a name or a value.

use std::ops::Range;

use super::is_name_byte;

/// Reports whether a name is that of a function that is given a secret.
pub(super) fn is_setter(name: &[u8]) -> bool {
    if name == b"ssh.Password" {
        return true;
    }
    // The method of an object.
    let name = &name[memchr::memrchr(b'.', name).map_or(0, |dot| dot + 1)..];
    let begins = |word: &[u8]| name.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    name == b"PASSWORD" || begins(b"set") || begins(b"with") || begins(b"use") && !begins(b"user")
}

/// Returns the length of a type and the sign after it, where a program declares a variable: ` string = "x"`.
pub(super) fn length_of_type(rest: &[u8]) -> Option<usize> {
    const TYPES: [&[u8]; 6] = [b"string", b"str", b"String", b"&str", b"&'static str", b"SecureString"];
    // `password[] = "x"` of C, `PASSWORDS[0]=x` of a shell.
    if let Some(index) = rest.strip_prefix(b"[") {
        let digits = index.iter().take(8).take_while(|byte| byte.is_ascii_digit()).count();
        let after = index[digits..].strip_prefix(b"]")?;
        let blanks = after.iter().take(4).take_while(|byte| **byte == b' ').count();
        let is_assigned = after[blanks..].starts_with(b"=") && !after[blanks..].starts_with(b"==");
        return is_assigned.then_some(digits + blanks + 3);
    }
    // A property of C#.
    if rest.starts_with(b"{ get;") {
        let end = memchr::memmem::find(&rest[..rest.len().min(64)], b"} = ")? + 4;
        return Some(end).filter(|end| rest.get(*end) == Some(&b'"'));
    }
    let begin = usize::from(rest.starts_with(b":"));
    let begin = begin + usize::from(rest[begin..].starts_with(b" "));
    let kind =
        TYPES.iter().find(|kind| rest[begin..].starts_with(kind) && rest[begin + kind.len()..].starts_with(b" = "))?;
    Some(begin + kind.len() + 3).filter(|end| rest.get(*end).is_some_and(|byte| matches!(byte, b'"' | b'\'')))
}

/// Returns the length of what Kubernetes writes between the name of a field and a value that is not accepted: `token: Invalid value: "x"`.
pub(super) fn length_of_field_error(rest: &[u8]) -> Option<usize> {
    let errors = [&b": Invalid value: "[..], b": Unsupported value: ", b": Duplicate value: "];
    let length = errors.iter().find(|error| rest.starts_with(error))?.len();
    rest[length..].first().is_some_and(|byte| b"\"\\".contains(byte)).then_some(length)
}

/// Returns the length of what is between a key of YAML that is marked as one and its value, in the next line: `? password`, `: x`.
pub(super) fn length_to_value_of_key(rest: &[u8]) -> Option<usize> {
    let feed = usize::from(rest.starts_with(b"\r"));
    let blanks = rest[feed..].strip_prefix(b"\n")?.iter().take(64).take_while(|byte| **byte == b' ').count();
    let length = feed + 1 + blanks;
    rest[length..].starts_with(b": ").then_some(length + 1)
}

/// Returns the quote at the end of a text, with the backslashes before it; empty if there is none.
pub(super) fn quote_at_end(text: &[u8]) -> &[u8] {
    /// Those of JSON in five layers of JSON.
    const MOST_SLASHES: usize = 31;
    let [before @ .., b'"' | b'\''] = text else { return &[] };
    let slashes = before.iter().rev().take(MOST_SLASHES).take_while(|byte| **byte == b'\\').count();
    &text[before.len() - slashes..]
}

/// Reports whether a name is that of an element of XML, with or without a namespace.
pub(super) fn is_element(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(64)..start];
    let before = before.strip_suffix(b":").map_or(before, |before| {
        let prefix = before.iter().rev().take_while(|byte| is_name_byte(**byte)).count();
        &before[..before.len() - prefix]
    });
    before.ends_with(b"<")
}

/// Reports whether a name in angle brackets is all that is in quotes, such as a placeholder in a message.
pub(super) fn is_in_quotes(text: &[u8], start: usize, end: usize) -> bool {
    let quote = text[..start].strip_suffix(b"<").and_then(<[u8]>::last).filter(|byte| b"`'\"".contains(byte));
    quote.is_some_and(|quote| text[end..].starts_with(&[b'>', *quote]))
}

/// Reports whether a name is the first of its line, as in YAML. A log may have its prefix before an indented line.
pub(in crate::redaction) fn is_own_line(text: &[u8], start: usize) -> bool {
    let blanks = text[..start].iter().rev().take(128).take_while(|byte| b" \t\"'-".contains(byte)).count();
    let before = &text[..start - blanks];
    // A line that was added.
    let before =
        before.strip_suffix(b"+").filter(|before| before.last().is_none_or(|byte| *byte == b'\n')).unwrap_or(before);
    // A name of Ruby.
    let before = before
        .strip_suffix(b":")
        .filter(|before| blanks == 0 && before.last().is_none_or(|byte| *byte == b'\n'))
        .unwrap_or(before);
    let before = if text[before.len()..start].starts_with(b" ") { without_mark(before) } else { before };
    before.last().is_none_or(|byte| *byte == b'\n')
        || before.ends_with(b"]:") && text[before.len()..start].starts_with(b"  ")
}

/// Returns a text without the sign that curl writes before a header, and the blanks before it.
fn without_mark(before: &[u8]) -> &[u8] {
    const LONGEST_INDENT: usize = 128;
    let Some(before) = [&b">"[..], b"<"].into_iter().find_map(|mark| before.strip_suffix(mark)) else { return before };
    let blanks = before.iter().rev().take(LONGEST_INDENT).take_while(|byte| b" \t".contains(byte)).count();
    let line = &before[..before.len() - blanks];
    // What is before it may end with a blank.
    if line.last().is_none_or(|byte| *byte == b'\n') { line } else { before }
}

/// Reports whether a quote at the beginning of a text ends one of JSON: the next member, or the end of an object or a list, follows.
pub(super) fn ends_json(text: &[u8]) -> bool {
    let ends = |rest: &[u8]| rest.first().is_none_or(|byte| byte.is_ascii_whitespace() || b"\"'{[]},".contains(byte));
    match text {
        [b'"', b',' | b'}' | b']', rest @ ..] => ends(rest),
        [b'"'] | [b'"', b'\n', ..] => true,
        _ => false,
    }
}

/// Reports whether a name begins a text of several lines in quotes: the value behind it ends with its line.
pub(super) fn begins_several_lines(text: &[u8], start: usize, end: usize) -> bool {
    text[..start].ends_with(b"\"") && text[end..].starts_with(b"\n")
}

/// Reports whether a name begins a text: a line, the message of a log, or what is in quotes.
pub(super) fn begins_text(text: &[u8], start: usize) -> bool {
    let before = &text[..start];
    let before = before.strip_suffix(b" ").map(without_mark).filter(|rest| rest.len() + 1 < start).unwrap_or(before);
    // `b'x'` of Python, an element of a list, a value, an argument.
    let is_quoted =
        matches!(before, [b'"' | b'\''] | [.., b' ' | b'=' | b'b' | b'[' | b'(' | b',' | b':' | b'{', b'"' | b'\'']);
    is_quoted
        || is_own_line(text, start)
        || [&b"]: "[..], b" F "].iter().any(|prefix| before.ends_with(prefix))
        || is_after_time(before)
}

/// Reports whether a line begins with a date, and nothing but what a log has between it and the message follows: the time, a level, and what
/// the agent of Azure calls its threads.
fn is_after_time(before: &[u8]) -> bool {
    const THREADS: [&[u8]; 2] = [b"ExtHandler", b"Daemon"];
    let line = before.iter().rev().take(128).take_while(|byte| **byte != b'\n').count();
    let Some(line) = before[before.len() - line..].strip_suffix(b" ") else { return false };
    let line = line.strip_prefix(b"[").unwrap_or(line);
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_date = digits == 4 && line[4..].first().is_some_and(|sign| b"-/".contains(sign));
    let is_of_log = |word: &[u8]| {
        word.first().is_none_or(u8::is_ascii_digit)
            || word.iter().all(u8::is_ascii_uppercase)
            || matches!(word, [b'[', .., b']'])
            || THREADS.contains(&word)
    };
    is_date && line.split(|byte| *byte == b' ').all(is_of_log)
}

/// Reports whether a line of a quoted text begins an entry of a log, with its time: the quote was not closed in the entry before.
pub(super) fn begins_entry(line: &[u8]) -> bool {
    // `0` stands for a digit, `A` for a letter.
    const FORMS: [&[u8]; 8] = [
        b"0000-00-00T00:00",
        b"0000-00-00 00:00",
        b"0000/00/00 00:00",
        b"AAA 00 00:00:00 ",
        b"AAA  0 00:00:00 ",
        b"A0000 00:00:00.",
        b"time=\"0000-00-00",
        b"{\"time\":\"0000-00-00",
    ];
    let fits = |form: &&[u8]| {
        let alike = |(byte, place): (&u8, &u8)| match place {
            b'0' => byte.is_ascii_digit(),
            b'A' => byte.is_ascii_alphabetic(),
            place => byte == place,
        };
        line.len() >= form.len() && line.iter().zip(*form).all(alike)
    };
    FORMS.iter().any(fits)
}

/// Reports whether a name is in braces without quotes: `{user: bob, password: x}` of YAML, `map[password:x]` of Go.
pub(super) fn is_in_braces(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(128)..start];
    let open = before.iter().rposition(|byte| b"{}[]()\"'\n".contains(byte));
    open.is_some_and(|at| before[at] == b'{' && !before[..at].ends_with(b"$") || before[..=at].ends_with(b"map["))
}

/// Returns the length of the words between a name and its value in a sentence: `for bob: `, `is generated for bob: `, `for user bob set to `,
/// `changed from `.
pub(super) fn length_of_subject(rest: &[u8]) -> Option<usize> {
    const VERBS: [&[u8]; 11] = [
        b"is ",
        b"is now ",
        b"set to ",
        b"is set to ",
        b"was set to ",
        b"changed to ",
        b"changed from ",
        b"reset to ",
        b"was changed to ",
        b"was reset to ",
        b"= ",
    ];
    let verb = |rest: &[u8]| VERBS.iter().rev().find(|verb| rest.starts_with(verb)).map(|verb| verb.len());
    let Some(begin) =
        [&b"for "[..], b"is generated for ", b"of ", b"FOR "].into_iter().find(|begin| rest.starts_with(begin))
    else {
        // What is told alone has a value in quotes.
        return verb(rest).filter(|length| *length > 3 && matches!(rest.get(*length), Some(b'"' | b'\'')));
    };
    let begin = begin.len();
    let begin = begin + if rest[begin..].starts_with(b"user ") { 5 } else { 0 };
    let word = rest[begin..].iter().take(64).position(u8::is_ascii_whitespace)?;
    if rest[begin..begin + word].ends_with(b":") {
        // What failed follows a request for one.
        return Some(begin + word + 1).filter(|_| &rest[begin..begin + word] != b"request:");
    }
    let end = begin + word + 1;
    verb(&rest[end..]).map(|length| end + length)
}

/// Reports whether a quote was the last of its text: what follows is the next text of a list or an object, or its end.
pub(super) fn is_end_of_text(after: &[u8]) -> bool {
    let after = match after {
        [b',', rest @ ..] => return matches!(rest.trim_ascii_start(), [b'"' | b'\'', ..]),
        [b'}' | b']', rest @ ..] => rest,
        _ => return false,
    };
    after.first().is_none_or(|byte| b"]},\r\n".contains(byte))
}

pub(super) fn is_shell_name(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
}

/// Returns the length of what is between the name of a variable and its value in commands of Windows: `-Value x`, `/t REG_SZ /d x`,
/// `REG_SZ    x`.
pub(super) fn length_of_switch(rest: &[u8]) -> Option<usize> {
    let is_here = |switch: &&[u8]| rest.get(..switch.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(switch));
    if let Some(switch) = [&b"-value "[..], b"--value ", b"--value="].iter().find(|switch| is_here(switch)) {
        return Some(switch.len());
    }
    // What `reg query` shows.
    if let Some(kind) = rest.strip_prefix(b"REG_") {
        let length = kind.iter().take(16).take_while(|byte| byte.is_ascii_uppercase() || **byte == b'_').count();
        return kind[length..].starts_with(b"    ").then_some(length + 8);
    }
    let kind = match rest {
        [b'/', b't' | b'T', b' ', b'R' | b'r', b'E' | b'e', b'G' | b'g', b'_', ..] => {
            rest[7..].iter().take(32).position(|byte| *byte == b' ')? + 8
        }
        _ => 0,
    };
    matches!(rest[kind..], [b'/', b'd' | b'D', b' ', ..]).then_some(kind + 3)
}

/// Returns the length of the name of the field behind that of a parameter, and its sign: `,ParameterValue=`, and `,env[0].value=` of Helm.
pub(super) fn length_of_field(rest: &[u8]) -> Option<usize> {
    let field = rest.strip_prefix(b",")?;
    let length = field.iter().take(64).take_while(|byte| is_name_byte(**byte) || b"[]".contains(byte)).count();
    let (name, rest) = field.split_at(length);
    let is_value = name.len() >= 5 && name[length - 5..].eq_ignore_ascii_case(b"value");
    (is_value && rest.starts_with(b"=")).then_some(length + 2)
}

/// Reports whether a quote ends the text that a name is in, as in a program that joins it to others, `"password: " + x`, or in a message that
/// ends with it: `echo "Enter the password:"`.
pub(in crate::redaction) fn closes_text(text: &[u8], at: usize) -> bool {
    let quote = text[at];
    let blanks = text[at + 1..].iter().take(4).take_while(|byte| **byte == b' ').count();
    let is_followed = match &text[at + 1 + blanks..] {
        // A method.
        [b'.', next, ..] if next.is_ascii_lowercase() => true,
        [b'+' | b'&' | b'.' | b')' | b',', next, ..] => matches!(next, b' ' | b'"' | b'\'' | b'\n' | b';' | b')'),
        // The end of the line, or of an object.
        [b')' | b','] | [] | [b'\r' | b'\n', ..] => true,
        after => blanks == 0 && is_end_of_text(after),
    };
    let line = text[..at].iter().rev().take(256).take_while(|byte| **byte != b'\n');
    is_followed && line.filter(|byte| **byte == quote).count() % 2 == 1
}

/// Reports whether a quoted text is the message of an error that klog writes, which another message may have behind a colon: `"x y" err="z"`.
pub(super) fn is_message_of_klog(text: &[u8], found: &Range<usize>) -> bool {
    let escapes = text[found.end..].iter().take(16).take_while(|byte| **byte == b'\\').count();
    let behind = text[found.end + escapes..].get(1..).unwrap_or_default();
    behind.starts_with(b" err=") && text[found.clone()].contains(&b' ')
}

/// Returns the length of what the audit log has before the next argument of a program: `a2=`.
pub(super) fn length_of_argument(rest: &[u8]) -> Option<usize> {
    let number = rest.strip_prefix(b"a")?;
    let digits = number.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0 && number.get(digits) == Some(&b'=')).then_some(digits + 2)
}

/// Reports whether a quote ends a question for what a name says: `read -p "Password: " x`, which has a blank before the quote, or
/// `msg="Password:" host=x`.
pub(super) fn closes_prompt(text: &[u8], name: usize, at: usize, is_spaced: bool) -> bool {
    let before = &text[name.saturating_sub(64)..name];
    let open = before.iter().rposition(|byte| !byte.is_ascii_alphabetic() && *byte != b' ');
    let is_open = open.is_some_and(|open| {
        before[open] == text[at] && (is_spaced && before[..open].ends_with(b" ") || before[..open].ends_with(b"="))
    });
    is_open && text.get(at + 1).is_none_or(|byte| byte.is_ascii_whitespace() || b";)".contains(byte))
}

/// Reports whether a name follows that of a user in the same line: `username: bob, password: x`.
pub(super) fn follows_user(text: &[u8], name: usize) -> bool {
    const USERS: [&[u8]; 4] = [b"user", b"username", b"login", b"account"];
    let before = &text[name.saturating_sub(128)..name];
    let before = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let signs = before.iter().rev().take_while(|byte| b" ,;/|\t".contains(byte)).count();
    let before = &before[..before.len() - signs];
    let word = before.iter().rev().take_while(|byte| byte.is_ascii_graphic()).count();
    // `user:bob pass:x`.
    let joined = &before[before.len() - word..];
    if let Some(colon) = memchr::memchr(b':', joined).filter(|colon| signs > 0 && colon + 1 < word) {
        return USERS.contains(&&*joined[..colon].to_ascii_lowercase());
    }
    let Some(user) = before[..before.len() - word].trim_ascii_end().strip_suffix(b":") else { return false };
    let length = user.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    signs > 0 && word > 0 && USERS.contains(&&*user[user.len() - length..].to_ascii_lowercase())
}
