//! Undoes one escape of each syntax.

use std::ops::RangeInclusive;

use super::Undone;

/// Returns the number at the beginning of a text, in digits of a base, and how many there are.
fn number(text: &[u8], base: u32, digits: RangeInclusive<usize>) -> Option<(u32, usize)> {
    let is_digit = |byte: &&u8| char::from(**byte).is_digit(base);
    let count = text.iter().take(*digits.end()).take_while(is_digit).count();
    let text = std::str::from_utf8(&text[..count]).ok()?;
    digits.contains(&count).then(|| u32::from_str_radix(text, base).ok()).flatten().map(|value| (value, count))
}

pub(super) fn of_backslash(rest: &[u8]) -> Option<(Undone, usize)> {
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

pub(super) fn of_color(rest: &[u8]) -> Option<(Undone, usize)> {
    // What rsyslog writes for control characters.
    match rest {
        [b'#', b'0', b'1', b'1', ..] => return Some((Undone::Byte(b'\t'), 4)),
        [b'#', b'0', b'1', b'2' | b'5', ..] => return Some((Undone::Byte(b'\n'), 4)),
        _ => {}
    }
    let begin = [&b"\x1b["[..], b"#033[", b"^[["].iter().find(|begin| rest.starts_with(begin))?.len();
    let numbers = rest[begin..].iter().take(32).take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
    let is_whole = rest.get(begin + numbers).is_some_and(u8::is_ascii_alphabetic);
    is_whole.then_some((Undone::Nothing, begin + numbers + 1))
}

pub(super) fn of_backtick(rest: &[u8]) -> Option<(Undone, usize)> {
    Some(match rest {
        [_, b'n', ..] => (Undone::Byte(b'\n'), 2),
        [_, b't', ..] => (Undone::Byte(b'\t'), 2),
        [_, b'r', ..] => (Undone::Byte(b'\r'), 2),
        [_, b'\r', b'\n', ..] => (Undone::Nothing, 3),
        [_, b'u', b'{', digits @ ..] => {
            let (value, count) = number(digits, 16, 1..=6)?;
            (digits.get(count) == Some(&b'}')).then_some((Undone::Character(char::from_u32(value)?), 4 + count))?
        }
        [_, b'\n', ..] => (Undone::Nothing, 2),
        // Words in backticks are code.
        [_, other, ..] if !other.is_ascii_alphanumeric() => (Undone::Byte(*other), 2),
        _ => return None,
    })
}

pub(super) fn of_quotes(rest: &[u8]) -> Option<(Undone, usize)> {
    const NESTED: [&[u8]; 2] = [br"'\''", br#"'"'"'"#];
    if rest.starts_with(br"$'\n'") {
        return Some((Undone::Byte(b'\n'), 5));
    }
    let quote = NESTED.iter().find(|quote| rest.starts_with(quote))?;
    Some((Undone::Byte(b'\''), quote.len()))
}

/// Undoes doubled quotes around a word, as YAML and PowerShell write them in single quotes, `'echo ''x'' | y'`, and CSV in others:
/// `"{""a"":""x""}"`.
pub(super) fn of_doubled(text: &[u8], at: usize) -> Option<(Undone, usize)> {
    let [quote, other, rest @ ..] = &text[at..] else { return None };
    if quote != other || !b"\"'".contains(quote) {
        return None;
    }
    let next = rest.first();
    let before = at.checked_sub(1).map(|before| text[before])?;
    let is_sign = |byte: &u8| *quote == b'"' && b"{}[]:".contains(byte);
    let is_alone = |byte: &u8| byte.is_ascii_whitespace() || b"();,|&".contains(byte) || is_sign(byte);
    let begins = is_alone(&before) && next.is_some_and(u8::is_ascii_alphanumeric);
    // Base64 may end so.
    let is_in_word = before.is_ascii_alphanumeric() || text[..at].ends_with(b"==");
    let ends = is_in_word && next.is_none_or(is_alone);
    (begins || ends).then_some((Undone::Byte(*quote), 2))
}

/// Undoes the sign that stands for a blank between the words of a form.
pub(super) fn of_plus(text: &[u8], at: usize) -> Option<(Undone, usize)> {
    let is_in_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_graphic() && *byte != b'+');
    (is_in_word(text[..at].last()) && is_in_word(text.get(at + 1))).then_some((Undone::Byte(b' '), 1))
}

pub(super) fn of_equals(rest: &[u8]) -> Option<(Undone, usize)> {
    match rest {
        [b'=', b'\n', ..] => Some((Undone::Nothing, 2)),
        [b'=', b'\r', b'\n', ..] => Some((Undone::Nothing, 3)),
        _ => {
            let (value, count) = number(&rest[1..], 16, 2..=2)?;
            Some((Undone::Byte(u8::try_from(value).ok()?), 1 + count))
        }
    }
}

pub(super) fn of_percent(rest: &[u8]) -> Option<(Undone, usize)> {
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

pub(super) fn of_entity(rest: &[u8]) -> Option<(Undone, usize)> {
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
