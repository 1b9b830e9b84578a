//! Removes escapes from a text, and maps each byte back to its original position.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use memchr::memmem;

/// How often escapes are undone: JSON in JSON in JSON in what Azure shows has five layers.
const LEVELS: usize = 6;

/// The most views of one text.
const MOST: usize = 24;

/// The escapes that are undone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escapes {
    /// Of JSON, shells, C and systemd: `\"`, `\n`, `\x2d`, `\055`, `\u002d`.
    Backslash,
    /// Of URLs: `%2D`.
    Percent,
    /// Of XML and HTML: `&amp;`, `&#39;`, `&#x27;`.
    Entity,
    /// Of shells in single quotes: `'\\''` and `'"'"'`.
    Quotes,
    /// Of mail: `=2D`, and `=` at the end of a line.
    Quoted,
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
    const SINGLE: [Escapes; 6] =
        [Escapes::Backslash, Escapes::Quotes, Escapes::Percent, Escapes::Entity, Escapes::Quoted, Escapes::Zeros];
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
            nodes.push(node);
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

/// Returns a text without what a log, a comparison, a quotation or a comment has before each line; `None` if no two lines in succession
/// have that and something encoded behind it, which may go on in the next line.
pub(super) fn without_prefixes(text: &[u8]) -> Option<View> {
    let mut view = View { text: Vec::new(), steps: Vec::new() };
    let mut has_several = false;
    let mut last = 0;
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let prefix = prefix(line);
        has_several |= prefix > 0 && last > 0 && is_encoded(&line[prefix..]);
        last = prefix;
        at += prefix;
        view.steps.push((view.text.len(), at));
        view.text.extend_from_slice(&line[prefix..]);
        at += line.len() - prefix;
    }
    has_several.then_some(view)
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

/// Returns the length of the prefix before the message in a line.
fn prefix(line: &[u8]) -> usize {
    const LONGEST: usize = 160;
    let beginning = &line[..line.len().min(LONGEST)];
    let marks = [&b"> "[..], b"# ", b"// ", b"+ ", b"- ", b"| ", b"+", b"-"];
    let is_rule = beginning.starts_with(b"--") || beginning.starts_with(b"++");
    if let Some(mark) = marks.iter().find(|mark| beginning.starts_with(mark) && !is_rule) {
        return mark.len();
    }
    // `host kubelet[123]: `, and what containerd writes before a line of a container.
    let ends = [&b"]: "[..], b" stdout F ", b" stderr F "];
    let is_log = beginning.first().is_some_and(u8::is_ascii_graphic);
    let end = |mark: &&[u8]| memmem::find(beginning, mark).map(|found| found + mark.len());
    if is_log { ends.iter().find_map(end).unwrap_or_default() } else { 0 }
}

/// Reports whether a text is quoted-printable, where `=` stands before two digits or ends a line: many texts have that by chance.
fn is_quoted_printable(text: &[u8]) -> bool {
    /// Bytes of a line that is wrapped, which is 76 long.
    const LINE: usize = 60;
    let is_escaped = |rest: &[u8]| rest.len() > 2 && rest[..2].iter().all(u8::is_ascii_hexdigit);
    memchr::memchr_iter(b'=', text).any(|at| match &text[at + 1..] {
        [b'\n', ..] | [b'\r', b'\n', ..] => at >= LINE && !text[at - LINE..at].contains(&b'\n'),
        rest if is_escaped(rest) => rest[2] == b'=' || [&b"3D"[..], b"20", b"22", b"0A"].contains(&&rest[..2]),
        _ => false,
    })
}

/// Returns a text without one layer of escapes; `None` if it has none.
fn unescaped(text: &[u8], escapes: Escapes) -> Option<View> {
    let [first, second, third] = match escapes {
        Escapes::Backslash => [b'\\'; 3],
        Escapes::Percent => [b'%'; 3],
        Escapes::Entity => [b'&'; 3],
        Escapes::Quoted if is_quoted_printable(text) => [b'='; 3],
        Escapes::Quoted => return None,
        Escapes::Quotes => *b"'$$",
        Escapes::Zeros => [0; 3],
        Escapes::All => *b"\\%&",
    };
    let mut view = View { text: Vec::new(), steps: Vec::new() };
    let mut at = 0;
    while let Some(next) = memchr::memchr3(first, second, third, &text[at..]).map(|next| at + next) {
        let rest = &text[next..];
        let undone = match rest[0] {
            b'\\' => of_backslash(rest),
            b'&' => of_entity(rest),
            b'=' => of_equals(rest),
            b'\'' | b'$' => of_quotes(rest),
            0 => Some((Undone::Nothing, 1)),
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
    if view.steps.is_empty() {
        return None;
    }
    view.text.extend_from_slice(&text[at..]);
    Some(view)
}

/// What an escape stands for.
enum Undone {
    Nothing,
    Byte(u8),
    Character(char),
}

/// Returns the number at the beginning of a text, in digits of a base, and how many there are.
fn number(text: &[u8], base: u32, digits: std::ops::RangeInclusive<usize>) -> Option<(u32, usize)> {
    let is_digit = |byte: &&u8| char::from(**byte).is_digit(base);
    let count = text.iter().take(*digits.end()).take_while(is_digit).count();
    let text = std::str::from_utf8(&text[..count]).ok()?;
    digits.contains(&count).then(|| u32::from_str_radix(text, base).ok()).flatten().map(|value| (value, count))
}

fn of_backslash(rest: &[u8]) -> Option<(Undone, usize)> {
    let byte = |value: u32| u8::try_from(value).ok().map(Undone::Byte);
    match *rest.get(1)? {
        b'n' => Some((Undone::Byte(b'\n'), 2)),
        b't' => Some((Undone::Byte(b'\t'), 2)),
        b'r' => Some((Undone::Byte(b'\r'), 2)),
        b'x' if rest.get(2) != Some(&b'{') => {
            number(&rest[2..], 16, 2..=2).and_then(|(value, count)| Some((byte(value)?, 2 + count)))
        }
        b'u' | b'x' if rest.get(2) == Some(&b'{') => {
            let (value, count) = number(&rest[3..], 16, 1..=6)?;
            (rest.get(3 + count) == Some(&b'}')).then_some((Undone::Character(char::from_u32(value)?), 4 + count))
        }
        b'u' => {
            let (first, count) = number(&rest[2..], 16, 4..=4)?;
            let second = rest[6..].strip_prefix(b"\\u").and_then(|rest| number(rest, 16, 4..=4));
            match (char::from_u32(first), second) {
                (Some(character), _) => Some((Undone::Character(character), 2 + count)),
                (None, Some((second, _))) => {
                    let pair = [u16::try_from(first).ok()?, u16::try_from(second).ok()?];
                    let character = char::decode_utf16(pair).next()?.ok()?;
                    Some((Undone::Character(character), 12))
                }
                (None, None) => None,
            }
        }
        b'U' => {
            let (value, count) = number(&rest[2..], 16, 8..=8)?;
            Some((Undone::Character(char::from_u32(value)?), 2 + count))
        }
        b'\n' => Some((Undone::Nothing, 2)),
        b'0'..=b'3' => {
            // `\0055` of `echo -e`; what C reads in it is a control character and a digit.
            let long =
                number(&rest[1..], 8, 4..=4).filter(|(value, _)| (0x20..0x7f).contains(value) && rest[1] == b'0');
            let (value, count) = long.or_else(|| number(&rest[1..], 8, 3..=3))?;
            Some((byte(value)?, 1 + count))
        }
        other if !other.is_ascii_alphanumeric() => Some((Undone::Byte(other), 2)),
        _ => None,
    }
}

fn of_quotes(rest: &[u8]) -> Option<(Undone, usize)> {
    const NESTED: [&[u8]; 2] = [br"'\''", br#"'"'"'"#];
    if rest.starts_with(br"$'\n'") {
        return Some((Undone::Byte(b'\n'), 5));
    }
    let quote = NESTED.iter().find(|quote| rest.starts_with(quote))?;
    Some((Undone::Byte(b'\''), quote.len()))
}

fn of_equals(rest: &[u8]) -> Option<(Undone, usize)> {
    match rest {
        [b'=', b'\n', ..] => Some((Undone::Nothing, 2)),
        [b'=', b'\r', b'\n', ..] => Some((Undone::Nothing, 3)),
        _ => {
            let (value, count) = number(&rest[1..], 16, 2..=2)?;
            Some((Undone::Byte(u8::try_from(value).ok()?), 1 + count))
        }
    }
}

fn of_percent(rest: &[u8]) -> Option<(Undone, usize)> {
    if rest.first() != Some(&b'%') {
        return None;
    }
    // `%u005a`, as old scripts of web pages write characters.
    if let Some(digits) = rest.strip_prefix(b"%u") {
        let (value, count) = number(digits, 16, 4..=4)?;
        return Some((Undone::Character(char::from_u32(value)?), 2 + count));
    }
    let (value, count) = number(&rest[1..], 16, 2..=2)?;
    Some((Undone::Byte(u8::try_from(value).ok()?), 1 + count))
}

fn of_entity(rest: &[u8]) -> Option<(Undone, usize)> {
    const NAMED: [(&[u8], u8); 5] =
        [(b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&apos;", b'\'')];
    if let Some((name, byte)) = NAMED.iter().find(|(name, _)| rest.starts_with(name)) {
        return Some((Undone::Byte(*byte), name.len()));
    }
    let digits = rest.strip_prefix(b"&#")?;
    let (value, count) = match digits.strip_prefix(b"x").or_else(|| digits.strip_prefix(b"X")) {
        Some(digits) => number(digits, 16, 1..=6).map(|(value, count)| (value, count + 1))?,
        None => number(digits, 10, 1..=7)?,
    };
    let length = 2 + count;
    // Browsers read numbers without the semicolon, too.
    let length = length + usize::from(rest.get(length) == Some(&b';'));
    Some((Undone::Character(char::from_u32(value)?), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_escape_is_undone_and_its_place_is_kept() {
        for (escapes, text, expected) in [
            (Escapes::Backslash, r#"a\"b\\c\/d"#, r#"a"b\c/d"#),
            (Escapes::Backslash, r"\u0041\u00e4\ud83d\ude00\ud83d", "Aä😀\\ud83d"),
            (Escapes::Backslash, r"\x2d\055\n\q\xg", "--\n\\q\\xg"),
            (Escapes::Percent, "%41%2f%zz%", "A/%zz%"),
            (Escapes::Entity, "&amp;&#39;&#x27;&lt;&nope;&#39", "&''<&nope;'"),
            (Escapes::All, r"%5C\u0026amp;&quot;", "\\&amp;\""),
        ] {
            let view = unescaped(text.as_bytes(), escapes).expect(text);
            assert_eq!(String::from_utf8_lossy(&view.text), expected);
            assert_eq!(view.original(&(0..view.text.len())), 0..text.len(), "{text}");
        }
        assert!(unescaped(b"plain", Escapes::All).is_none());
        let view = unescaped(br#"ab\"cd\"ef"#, Escapes::Backslash).expect("it has escapes");
        assert_eq!((view.original(&(2..5)), view.original(&(3..5))), (2..6, 4..6));
    }

    #[test]
    fn what_was_escaped_several_times_is_reached() {
        let mut text = "it's \"x\"".to_owned();
        for _ in 0..4 {
            text = serde_json::to_string(&text).expect("it is a text");
        }
        let mut found = false;
        each(text.as_bytes(), |view, original| {
            if let Some(at) = memchr::memmem::find(view, b"it's \"x\"") {
                let range = original(&(at..at + 8));
                found = text[range].starts_with("it's ");
            }
        });
        assert!(found);
    }
}
