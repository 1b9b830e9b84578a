//! Removes escapes from a text, and maps each byte back to its original position.

mod escapes;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::names::announces;
use super::packed::is_checksum;
use super::value::is_name_byte;
use escapes::{of_backslash, of_backtick, of_color, of_doubled, of_entity, of_equals, of_percent, of_plus, of_quotes};

/// How often escapes are undone: JSON in JSON in JSON in what Azure shows has five layers.
const LEVELS: usize = 6;

/// The most views of one text.
const MOST: usize = 24;

/// The escapes that are undone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escapes {
    /// Of JSON, shells, C and systemd: `\"`, `\n`, `\x2d`, `\055`, `\u002d`.
    Backslash,
    /// Of URLs and forms: `%2D`, and `+` for a blank.
    Percent,
    /// Of XML and HTML: `&amp;`, `&#39;`, `&#x27;`.
    Entity,
    /// Of shells in single quotes: `'\\''` and `'"'"'`; of YAML and PowerShell: `''x''`.
    Quotes,
    /// Of mail: `=2D`, and `=` at the end of a line.
    Quoted,
    /// Of PowerShell: `` `" ``, `` `u{2d} ``, and before any character of a word or a line feed, which changes nothing.
    Backtick,
    /// Of terminals: sequences that set colors, also where a log has replaced their first character, and the line feeds and tabs
    /// that it has replaced.
    Color,
    /// Zeros between characters, as where UTF-16 is read as another encoding.
    Zeros,
    /// Those of most texts: backslashes, URLs, XML.
    All,
}

/// A text in which escapes are undone.
pub(super) struct View {
    pub text: Vec<u8>,
    /// From which byte of the view on the distance to the original is another: the byte here and the byte there, in order.
    steps: Vec<(usize, usize)>,
}

impl View {
    /// Returns the range of the original that became a range of the view.
    pub fn original(&self, range: &Range<usize>) -> Range<usize> {
        self.position(range.start)..self.position(range.end)
    }

    /// Returns the same range, which ends with its last byte and not before the next one.
    pub fn original_of(&self, range: &Range<usize>) -> Range<usize> {
        let end = range.end.max(range.start + 1) - 1;
        self.position(range.start)..self.position(end) + 1
    }

    /// Reports whether something was between bytes of a range.
    pub fn has_step(&self, range: &Range<usize>) -> bool {
        let next = self.steps.partition_point(|(here, _)| *here <= range.start);
        self.steps.get(next).is_some_and(|(here, _)| *here < range.end)
    }

    fn position(&self, at: usize) -> usize {
        match self.steps.partition_point(|(here, _)| *here <= at) {
            0 => at,
            after => {
                let (here, there) = self.steps[after - 1];
                // The last escape may have given more bytes than it has.
                let next = self.steps.get(after).map_or(usize::MAX, |(_, there)| *there);
                (there + at - here).min(next)
            }
        }
    }
}

/// A view, and the views that it was made of.
struct Node<'n> {
    view: View,
    above: Option<&'n Self>,
}

impl Node<'_> {
    fn original(&self, range: &Range<usize>) -> Range<usize> {
        let range = self.view.original(range);
        self.above.map_or_else(|| range.clone(), |above| above.original(&range))
    }
}

/// Calls a function with each view of a text that differs from it and from the others, and with the way back to the original: any two
/// escapes, one within the other, and all of them at once in what is left.
pub(super) fn each(text: &[u8], mut look: impl FnMut(&[u8], &dyn Fn(&Range<usize>) -> Range<usize>)) {
    descend(text, None, 0, &mut HashSet::new(), &mut look);
}

type Look<'l> = dyn FnMut(&[u8], &dyn Fn(&Range<usize>) -> Range<usize>) + 'l;

fn descend(text: &[u8], above: Option<&Node<'_>>, depth: usize, seen: &mut HashSet<u64>, look: &mut Look<'_>) {
    const SINGLE: [Escapes; 8] = [
        Escapes::Backslash,
        Escapes::Quotes,
        Escapes::Percent,
        Escapes::Entity,
        Escapes::Quoted,
        Escapes::Zeros,
        Escapes::Color,
        Escapes::Backtick,
    ];
    let kinds = if depth < 2 { &SINGLE[..] } else { &[Escapes::All] };
    let mut nodes = Vec::new();
    for escapes in kinds {
        // The first layer is always looked at.
        if depth > 0 && seen.len() >= MOST {
            return;
        }
        let Some(view) = unescaped(text, *escapes) else { continue };
        let mut hasher = DefaultHasher::new();
        view.text.hash(&mut hasher);
        if seen.insert(hasher.finish()) {
            let node = Node { view, above };
            look(&node.view.text, &|range| node.original(range));
            // Any text about programs has backticks: nothing else is undone after them.
            if !matches!(escapes, Escapes::Backtick) {
                nodes.push(node);
            }
        }
    }
    if depth + 1 < LEVELS {
        for node in &nodes {
            descend(&node.view.text, Some(node), depth + 1, seen, look);
        }
    }
}

/// Returns a text whose lines and adjacent texts in quotes are joined, without what is between them: blanks, backslashes, quotes,
/// commas and plus signs. `None` if there are none.
pub(super) fn joined(text: &[u8]) -> Option<View> {
    let mut view = View { text: Vec::new(), steps: Vec::new() };
    let mut at = 0;
    let mut looked_at = 0;
    for found in memchr::memchr3_iter(b'\n', b'"', b'\'', text) {
        if found < looked_at {
            continue;
        }
        let is_between = |byte: &&u8| byte.is_ascii_whitespace() || b"\\\"',+".contains(byte);
        let before = text[looked_at..found].iter().rev().take_while(is_between).count();
        looked_at = found + text[found..].iter().take_while(is_between).count();
        let gap = &text[found..looked_at];
        if !gap.contains(&b'\n') && gap.iter().filter(|byte| b"\"'".contains(byte)).count() < 2 {
            continue;
        }
        view.text.extend_from_slice(&text[at..found - before]);
        at = looked_at;
        view.steps.push((view.text.len(), at));
    }
    if view.steps.is_empty() {
        return None;
    }
    view.text.extend_from_slice(&text[at..]);
    Some(view)
}

/// Returns a text in which the elements of lists are words of a command: `['az', 'login', '-p', 'x']` of a program, and arguments of a
/// process with U+0000 between them, in a list of YAML, or in an audit log. `None` if there are none.
pub(super) fn of_arguments(text: &[u8]) -> Option<View> {
    let mut view = View { text: Vec::new(), steps: Vec::new() };
    let mut at = 0;
    let mut quotes = memchr::memchr3_iter(b'"', b'\'', 0, text).peekable();
    let mut feeds = memchr::memchr_iter(b'\n', text).peekable();
    loop {
        let is_feed = match (quotes.peek(), feeds.peek()) {
            (Some(quote), Some(feed)) => feed < quote,
            (None, None) => break,
            (quote, _) => quote.is_none(),
        };
        let Some(found) = (if is_feed { feeds.next() } else { quotes.next() }) else { break };
        if found < at {
            continue;
        }
        let quote = text[found];
        let length = if quote == 0 {
            1
        } else if quote == b'\n' {
            let blanks = text[found + 1..].iter().take(64).take_while(|byte| **byte == b' ').count();
            if !text[found + 1 + blanks..].starts_with(b"- ") {
                continue;
            }
            blanks + 3
        } else {
            let blanks =
                |from: usize| text[from..].iter().take(64).take_while(|byte| byte.is_ascii_whitespace()).count();
            // A quote in quotes is doubled.
            let width = 1 + usize::from(text.get(found + 1) == Some(&quote));
            let comma = found + width + blanks(found + width);
            let next = match text.get(comma) {
                Some(b',') => comma + 1 + blanks(comma + 1),
                Some(b'a') if comma > found + width => comma + 1 + length_of_number(&text[comma + 1..]),
                _ => continue,
            };
            if text.get(next..next + width).is_none_or(|begin| begin.iter().any(|byte| *byte != quote)) {
                continue;
            }
            next + width - found
        };
        view.text.extend_from_slice(&text[at..found]);
        view.text.push(b' ');
        at = found + length;
        view.steps.push((view.text.len(), at));
    }
    if view.steps.is_empty() {
        return None;
    }
    view.text.extend_from_slice(&text[at..]);
    Some(view)
}

/// Returns the length of the number of an argument and its sign, as the audit log has them: `a0="az" a1="login"`.
fn length_of_number(text: &[u8]) -> usize {
    let digits = text.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    if text.get(digits) == Some(&b'=') { digits + 1 } else { 0 }
}

/// What Docker writes before and after each line of a container; other programs have blanks between.
const BEFORE_LINE: [&[u8]; 2] = [b"{\"log\":\"", b"{\"log\": \""];
const AFTER_LINE: [&[u8]; 2] = [b"\",\"stream\":\"std", b"\", \"stream\": \"std"];

/// Bytes of the longest mark of a comment or a quotation.
const LONGEST_MARK: usize = 3;

/// Returns a text without what a log, a comparison, a quotation or a comment has before each line; `None` if no two lines in succession
/// have that and something encoded or indented or a line of a table behind it, which may go on in the next line.
pub(super) fn without_prefixes(text: &[u8]) -> Option<View> {
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
    if memchr::memmem::find(line, b"<<").is_some_and(|at| line[at + 2..].iter().any(u8::is_ascii_alphabetic)) {
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
pub(super) fn prefix(line: &[u8]) -> usize {
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

/// Reports whether a text is quoted-printable, where `=` stands before two digits or ends a line: many texts have that by chance.
fn is_quoted_printable(text: &[u8]) -> bool {
    /// Bytes before the sign at the end of a wrapped line: at most 75, and at least 60, because lines are broken between words.
    const WRAPPED: RangeInclusive<usize> = 60..=75;
    /// Digits in a row that are a number rather than an escape and a word behind it.
    const NUMBER: usize = 8;
    let is_escaped = |rest: &[u8]| rest.len() > 2 && rest[..2].iter().all(u8::is_ascii_hexdigit);
    // The same escape again after what it announces, as that of the backslash in `\055\056`.
    let is_repeated = |rest: &[u8]| {
        let between = rest[2..].iter().take(4).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        (1..=3).contains(&between)
            && rest[2 + between..].strip_prefix(b"=").is_some_and(|next| next.starts_with(&rest[..2]))
    };
    memchr::memchr_iter(b'=', text).any(|at| match &text[at + 1..] {
        [b'\n', ..] | [b'\r', b'\n', ..] => {
            let before = text[..at].iter().rev().take(WRAPPED.end() + 1).take_while(|byte| **byte != b'\n');
            WRAPPED.contains(&before.count()) && !ends_checksum(text, at)
        }
        // A number may follow the sign of an assignment, too: `sha1=22e4d4a2`.
        rest if is_escaped(rest) => {
            let is_number = rest.len() >= NUMBER && rest[..NUMBER].iter().all(u8::is_ascii_hexdigit);
            let is_sign = [&b"20"[..], b"22", b"0A", b"25", b"5C"].contains(&&rest[..2]);
            rest[2] == b'='
                || rest.starts_with(b"3D")
                || is_sign && !rest[2].is_ascii_digit() && !is_number
                || is_repeated(rest)
        }
        _ => false,
    })
}

/// Reports whether a checksum in base64 ends with a sign, as each line of the checksums of Go does.
fn ends_checksum(text: &[u8], sign: usize) -> bool {
    let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/".contains(byte);
    let length = text[..sign].iter().rev().take(90).take_while(is_in).count();
    is_checksum(text, &(sign - length..sign + 1))
}

/// Reports whether a line has a backtick where none begins code: after a letter or digit, and before something else. Two quotes in
/// succession with a backtick before each are no code as well.
fn has_backtick_escapes(text: &[u8]) -> bool {
    if memchr::memchr(b'`', text).is_none() {
        return false;
    }
    text.split(|byte| *byte == b'\n').any(|line| {
        let mut is_after_quote = false;
        // Each second one ends code.
        memchr::memchr_iter(b'`', line).enumerate().any(|(number, at)| {
            let before = at.checked_sub(1).map(|before| line[before]);
            let next = line.get(at + 1);
            let is_before_quote = next == Some(&b'"') && before != Some(b'"');
            let is_second_quote = is_after_quote && is_before_quote;
            is_after_quote = is_before_quote;
            let is_after_word = before.is_some_and(|before| before.is_ascii_alphanumeric());
            let is_escape = is_after_word && next.is_some_and(|next| !next.is_ascii_alphanumeric());
            is_second_quote || number.is_multiple_of(2) && is_escape
        })
    })
}

/// Returns a text without one layer of escapes; `None` if it has none.
fn unescaped(text: &[u8], escapes: Escapes) -> Option<View> {
    let [first, second, third] = match escapes {
        Escapes::Backslash => [b'\\'; 3],
        // A form has signs instead of blanks as well.
        Escapes::Percent if memchr::memchr(b'%', text).is_some() => *b"%++",
        Escapes::Entity => [b'&'; 3],
        Escapes::Quoted if is_quoted_printable(text) => [b'='; 3],
        Escapes::Quotes => *b"'$\"",
        Escapes::Zeros => [0; 3],
        Escapes::Backtick if has_backtick_escapes(text) => [b'`'; 3],
        Escapes::Percent | Escapes::Quoted | Escapes::Backtick => return None,
        Escapes::Color => [0x1b, b'#', b'^'],
        Escapes::All => *b"\\%&",
    };
    let mut view = View { text: Vec::new(), steps: Vec::new() };
    let mut has_percent = false;
    let mut at = 0;
    while let Some(next) = memchr::memchr3(first, second, third, &text[at..]).map(|next| at + next) {
        let rest = &text[next..];
        let undone = match rest[0] {
            b'\\' => of_backslash(rest),
            b'&' => of_entity(rest),
            b'=' => of_equals(rest),
            b'\'' | b'"' | b'$' => of_quotes(rest).or_else(|| of_doubled(text, next)),
            b'`' => of_backtick(rest),
            b'+' => of_plus(text, next),
            0x1b | b'#' | b'^' => of_color(rest),
            0 => of_zero(text, next),
            _ => of_percent(rest),
        };
        let Some((character, length)) = undone else {
            if view.text.capacity() == 0 {
                view.text.reserve(text.len());
            }
            view.text.extend_from_slice(&text[at..=next]);
            at = next + 1;
            continue;
        };
        has_percent |= rest[0] == b'%';
        view.text.extend_from_slice(&text[at..next]);
        match character {
            Undone::Nothing => {}
            Undone::Byte(byte) => view.text.push(byte),
            Undone::Character(character) => {
                view.text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        at = next + length;
        view.steps.push((view.text.len(), at));
    }
    if view.steps.is_empty() || escapes == Escapes::Percent && !has_percent {
        return None;
    }
    view.text.extend_from_slice(&text[at..]);
    Some(view)
}

/// A zero of a character of two or four bytes has another one near it. One alone ends an argument or a variable of a process.
fn of_zero(text: &[u8], at: usize) -> Option<(Undone, usize)> {
    let near = [at.checked_sub(2), at.checked_sub(1), Some(at + 1), Some(at + 2)];
    let is_wide = near.into_iter().flatten().any(|near| text.get(near) == Some(&0));
    is_wide.then_some((Undone::Nothing, 1))
}

/// What an escape stands for.
enum Undone {
    Nothing,
    Byte(u8),
    Character(char),
}

#[cfg(test)]
mod tests;
