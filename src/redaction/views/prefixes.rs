//! What a log, a comparison, a quotation or a comment has before each line.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::View;
use crate::redaction::names::announces;
use crate::redaction::value::is_name_byte;

/// What Docker writes before and after each line of a container; other programs have blanks between.
const BEFORE_LINE: [&[u8]; 2] = [b"{\"log\":\"", b"{\"log\": \""];
const AFTER_LINE: [&[u8]; 2] = [b"\",\"stream\":\"std", b"\", \"stream\": \"std"];

/// Bytes of the longest mark of a comment or a quotation.
const LONGEST_MARK: usize = 3;

/// Returns a text without what a log, a comparison, a quotation or a comment has before each line; `None` if no two lines in succession
/// have that and something encoded or indented or a line of a table behind it, which may go on in the next line.
pub(in crate::redaction) fn without_prefixes(text: &[u8]) -> Option<View> {
    let mut view = View { text: Vec::new(), steps: Vec::new() };
    let mut has_several = false;
    let mut announces_value = false;
    let mut last = 0;
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        // The rest of a line of a container, whose end is that of the one before.
        let is_rest = AFTER_LINE.iter().any(|after| line.starts_with(after));
        let prefix = if is_rest { line.len() } else { prefix(line) };
        let message = &line[prefix..];
        if message.is_empty() && prefix > 0 {
            at += prefix;
            view.steps.push((view.text.len(), at));
            continue;
        }
        // A text of several lines in a log, such as JSON or YAML, has indented ones.
        let may_be_indented = prefix > LONGEST_MARK || prefix == last;
        let is_indented = may_be_indented && (message.starts_with(b"  ") || message.starts_with(b"\t"));
        // The first line may follow something else, as the beginning of a text in JSON.
        has_several |= of_container(line).is_some()
            || prefix > 0 && (announces_value || last > 0 && (is_indented || is_encoded(message) || is_rule(message)));
        last = prefix;
        announces_value = announces_next(&line[prefix..]);
        at += prefix;
        view.steps.push((view.text.len(), at));
        view.text.extend_from_slice(&line[prefix..]);
        at += line.len() - prefix;
    }
    has_several.then_some(view)
}

/// Reports whether a line is the one below the names of a table, also of characters of Unicode.
fn is_rule(message: &[u8]) -> bool {
    let line = message.trim_ascii_end();
    line.len() > 2
        && line.iter().all(|byte| b"-+|: ".contains(byte) || !byte.is_ascii())
        && (line.contains(&b' ') || !line.is_ascii())
}

/// Reports whether the value of the name at the end of a line, which is secret, is in the next one: in JSON, or in a block of YAML. Or a
/// text in quotes is joined to that of the next line, or the lines of a here-document follow.
fn announces_next(line: &[u8]) -> bool {
    const USERS: [&[u8]; 3] = [b"user", b"username", b"login"];
    let line = line.trim_ascii_end();
    if let [.., b'"' | b'\'', b' ', b'+' | b'.' | b'&' | b'\\'] = line {
        return true;
    }
    // A here-document.
    if memmem::find(line, b"<<").is_some_and(|at| line[at + 2..].iter().any(u8::is_ascii_alphabetic)) {
        return true;
    }
    // A key of YAML that is marked as one.
    if let Some(name) = line.trim_ascii_start().strip_prefix(b"? ") {
        return announces_at_end(name);
    }
    // A block of HCL: `variable "password" {`.
    if let Some(head) = line.strip_suffix(b"\" {") {
        return announces_at_end(head);
    }
    // A user, whose password is in the next line.
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    if words.next().is_some_and(|word| USERS.contains(&word)) && words.next().is_some() && words.next().is_none() {
        return true;
    }
    let signs = line.iter().rev().take(8).take_while(|byte| b"[|>-+ ".contains(byte)).count();
    let Some(name) = line[..line.len() - signs].strip_suffix(b":") else { return false };
    let name = name.trim_ascii_end().strip_suffix(b"\"").unwrap_or(name);
    announces_at_end(name)
}

/// Reports whether the name at the end of a text announces a secret.
fn announces_at_end(text: &[u8]) -> bool {
    let length = text.iter().rev().take(80).take_while(|byte| is_name_byte(**byte)).count();
    std::str::from_utf8(&text[text.len() - length..]).is_ok_and(announces)
}

/// Reports whether a message begins as base64, a key or a dump does.
fn is_encoded(message: &[u8]) -> bool {
    /// Bytes that are looked at.
    const BEGINNING: usize = 20;
    /// The offset of a line of a dump, or its first numbers.
    const NUMBERS: usize = 7;
    let message = message.trim_ascii();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_-".contains(byte);
    let is_number = |byte: &u8| byte.is_ascii_hexdigit() || b" \t,x".contains(byte);
    message.len() > NUMBERS && (message.iter().take(BEGINNING).all(is_word) || message[..NUMBERS].iter().all(is_number))
        || message.starts_with(b"-----BEGIN ")
}

/// The ends of `host kubelet[123]: `, of what containerd writes before a line of a container, and the agent of Azure before its own.
static ENDS_OF_PREFIXES: LazyLock<[Finder<'static>; 5]> =
    LazyLock::new(|| ["]: ", " stdout F ", " stderr F ", " INFO Daemon ", " INFO ExtHandler "].map(Finder::new));

/// Returns what is before the message in a line of a container's log.
fn of_container(line: &[u8]) -> Option<&'static [u8]> {
    BEFORE_LINE.into_iter().find(|before| line.starts_with(before))
}

/// Returns the length of the prefix before the message in a line.
pub(in crate::redaction) fn prefix(line: &[u8]) -> usize {
    const LONGEST: usize = 160;
    let beginning = &line[..line.len().min(LONGEST)];
    let marks = [&b"> "[..], b"# ", b"// ", b"+ ", b"- ", b"| ", b"+", b"-"];
    if let Some(before) = of_container(beginning) {
        return before.len();
    }
    let is_rule = beginning.starts_with(b"--") || beginning.starts_with(b"++");
    if let Some(mark) = marks.iter().find(|mark| beginning.starts_with(mark) && !is_rule) {
        // An indented line that was added or removed.
        let is_indented = matches!(beginning, [b'+' | b'-', b' ', b' ', ..]);
        return if is_indented { 1 } else { mark.len() };
    }
    let end = |mark: &Finder<'_>| mark.find(beginning).map(|found| found + mark.needle().len());
    match beginning.first() {
        Some(byte) if byte.is_ascii_graphic() => {
            ENDS_OF_PREFIXES.iter().find_map(end).or_else(|| timestamp(beginning)).unwrap_or_default()
        }
        Some(_) => line_number(beginning).unwrap_or_default(),
        None => 0,
    }
}

/// Returns the length of the time before a line, as RFC 3339 has it, and of the level behind it: what `kubectl logs --timestamps` and
/// pipelines write.
fn timestamp(line: &[u8]) -> Option<usize> {
    const FORM: &[u8] = b"0000-00-00T00:00:00";
    const LEVELS: [&[u8]; 6] = [b"TRACE ", b"DEBUG ", b"INFO ", b"WARN ", b"WARNING ", b"ERROR "];
    let fits = |(byte, form): (&u8, &u8)| match form {
        b'0' => byte.is_ascii_digit(),
        b'T' => matches!(byte, b'T' | b' '),
        form => byte == form,
    };
    let (time, rest) = line.split_at_checked(FORM.len())?;
    if !time.iter().zip(FORM).all(fits) {
        return None;
    }
    // The fraction and the zone.
    let zone = rest.iter().position(|byte| !byte.is_ascii_digit() && !b".,:+-Z".contains(byte))?;
    let message = rest[zone..].strip_prefix(b" ")?;
    let level = LEVELS.iter().find(|level| message.starts_with(level)).map_or(0, |level| level.len());
    Some(line.len() - message.len() + level)
}

/// Returns the length of the number before a line, as `cat -n` writes it.
fn line_number(line: &[u8]) -> Option<usize> {
    let blanks = line.iter().take_while(|byte| **byte == b' ').count();
    let digits = line[blanks..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0 && line.get(blanks + digits) == Some(&b'\t')).then_some(blanks + digits + 1)
}
