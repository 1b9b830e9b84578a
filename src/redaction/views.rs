//! Removes escapes from a text, and maps each byte back to its original position.

mod escapes;
mod prefixes;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::{Range, RangeInclusive};

use super::packed::is_checksum;
use escapes::{of_backslash, of_backtick, of_color, of_doubled, of_entity, of_equals, of_percent, of_plus, of_quotes};
pub(super) use prefixes::{prefix, without_prefixes};

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
