//! Finds and decodes bytes that are written as numbers or single characters: dumps of `hexdump`, `xxd`, `od` and `tcpdump`, lists of
//! numbers, and uuencode.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

/// The fewest numbers that are looked at.
const FEWEST: usize = 4;

/// The longest word of digits: eight bytes.
const LONGEST_WORD: usize = 16;

/// The most bytes between two numbers of a list: `,`, a line feed and blanks, or the offset of a line.
const LONGEST_GAP: usize = 48;

/// The most columns between the beginnings of numbers with the same end.
const ALIGNED: usize = 2;

/// The width of a character in `od -c`.
const CELL: usize = 4;

/// The offset of the first line of a dump.
static FIRST_OFFSET: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("0000000 "));

/// The first line of uuencode.
static UUENCODE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("begin "));

/// Bytes that are written as numbers or single characters.
pub(super) struct Dump {
    pub range: Range<usize>,
    /// The bytes, once for each way to read the numbers.
    pub contents: Vec<Vec<u8>>,
}

/// Returns everything in a text that lists bytes.
pub(super) fn dumps(text: &[u8]) -> impl Iterator<Item = Dump> {
    let words = words(text);
    let lists = in_lists(text, &words);
    lists.into_iter().chain(in_lines(text, &words)).chain(characters(text)).chain(uuencoded(text))
}

/// Reports whether a text has numbers in a row, the offset of a dump, or a word in base85. Escapes change none of these. A date with
/// the time of day has fewer numbers without a colon between them.
pub(super) fn has_some(text: &[u8]) -> bool {
    let mut last = 0;
    let mut count = 0;
    let mut digits = 0;
    let has_numbers = words(text).iter().any(|word| {
        let gap = &text[last..word.start];
        let goes_on = gap != b":" && is_gap(gap);
        count = if goes_on { count + 1 } else { 1 };
        digits = word.len() + if goes_on { digits } else { 0 };
        last = word.end;
        count > FEWEST || count == FEWEST && digits >= FEWEST * 8
    });
    has_numbers
        || FIRST_OFFSET.find(text).is_some()
        || super::base85::words(text).next().is_some()
        || UUENCODE.find(text).is_some()
        || uuencoded(text).next().is_some()
}

/// Returns the words that are digits only, without the `0x` before them.
fn words(text: &[u8]) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    super::packed::digits(text, |digits| {
        let before = text[..digits.start].last().copied().unwrap_or(b' ');
        let after = text.get(digits.end).copied().unwrap_or(b' ');
        let is_prefixed = matches!(before, b'x' | b'X') && text[..digits.start - 1].ends_with(b"0");
        let is_end = |byte: u8| !byte.is_ascii_alphanumeric() && byte != b'_';
        if digits.len() <= LONGEST_WORD && (is_prefixed || is_end(before)) && is_end(after) {
            words.push(digits);
        }
    });
    words
}

/// Reports whether nothing but what separates numbers is between two of them.
fn is_gap(gap: &[u8]) -> bool {
    let is_separator = |byte: &u8| {
        matches!(
            byte,
            b' ' | b'\t'
                | b'\r'
                | b'\n'
                | b','
                | b';'
                | b':'
                | b'-'
                | b'['
                | b']'
                | b'('
                | b')'
                | b'{'
                | b'}'
                | b'\\'
                | b'"'
                | b'\''
                | b'%'
                | b'&'
                | b'#'
                | b'0'
                | b'x'
                | b'X'
                | b'U'
                | b'+'
        )
    };
    gap.len() <= LONGEST_GAP && gap.iter().all(is_separator)
}

/// Returns lists: numbers with nothing but separators between them.
fn in_lists(text: &[u8], words: &[Range<usize>]) -> Vec<Dump> {
    // The year of the next line is no byte.
    let is_same = |one: &Range<usize>, next: &Range<usize>| (one.len() <= 3) == (next.len() <= 3);
    let lists = words.chunk_by(|one, next| is_same(one, next) && is_gap(&text[one.end..next.start]));
    let whole = lists.filter_map(|list| dump(text, list, list[0].start..list[list.len() - 1].end));
    // A number before the list, as that of a process, is no part of it.
    let is_inside = |one: &Range<usize>, next: &Range<usize>| {
        let gap = &text[one.end..next.start];
        is_same(one, next) && is_gap(gap) && !gap.iter().any(|byte| b"[]".contains(byte))
    };
    let inner = words.chunk_by(is_inside).filter(|list| text[..list[0].start].trim_ascii_end().ends_with(b"["));
    let inner = inner.filter_map(|list| dump(text, list, list[0].start..list[list.len() - 1].end));
    // `sh -c 97 122 …`: a letter before the list is a number of its own in no other list.
    let is_decimal = |word: &Range<usize>| text[word.clone()].iter().all(u8::is_ascii_digit);
    let is_alike = |one: &Range<usize>, next: &Range<usize>| {
        is_decimal(one) == is_decimal(next) && is_same(one, next) && is_gap(&text[one.end..next.start])
    };
    let behind_letter = |list: &&[Range<usize>]| {
        list[0].len() <= 3 && is_decimal(&list[0]) && {
            let before = text[..list[0].start].trim_ascii_end();
            before.len() < list[0].start && before.last().is_some_and(u8::is_ascii_alphabetic)
        }
    };
    let decimal = words.chunk_by(is_alike).filter(behind_letter);
    let decimal = decimal.filter_map(|list| dump(text, list, list[0].start..list[list.len() - 1].end));
    whole.chain(inner).chain(decimal).collect()
}

/// Returns dumps: lines with numbers at the same column, after an offset or the prefix of a log, and before the same bytes as
/// characters.
fn in_lines(text: &[u8], words: &[Range<usize>]) -> Vec<Dump> {
    let same = |one: &Range<usize>, next: &Range<usize>| one.len() == next.len() && is_gap(&text[one.end..next.start]);
    let small =
        |one: &Range<usize>, next: &Range<usize>| one.len().max(next.len()) <= 3 && is_gap(&text[one.end..next.start]);
    let mut dumps = Vec::new();
    let mut open: Option<Lines> = None;
    let mut at = 0;
    let mut rest = words;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let begin = at;
        at += line.len();
        let (here, after) = rest.split_at(rest.partition_point(|word| word.start < at));
        rest = after;
        if line.trim_ascii() == b"*" {
            // The same as the line before.
            continue;
        }
        let first_run = |words: &'_ [Range<usize>]| {
            let next = words.windows(2).take_while(|pair| same(&pair[0], &pair[1]) || small(&pair[0], &pair[1]));
            next.count() + 1
        };
        let runs = here.chunk_by(same).chain(here.chunk_by(small));
        let longest = runs.max_by_key(|run| run.len()).unwrap_or_default();
        let offset = here.windows(2).position(|pair| is_offset(text, &pair[0], &pair[1]));
        let continued = match (&open, offset) {
            (Some(lines), Some(offset)) => lines.has_offsets.then_some(offset + 1),
            // The last line is shorter, and a date in its prefix may be longer.
            (Some(lines), None) if longest.len() <= lines.width => here.iter().position(|word| {
                word.start.abs_diff(begin + lines.column) <= ALIGNED
                    && text[begin..word.start].trim_ascii_end().len() == lines.prefix
            }),
            _ => None,
        };
        let run =
            continued.or(offset.map(|offset| offset + 1)).map(|first| &here[first..first + first_run(&here[first..])]);
        if continued.is_none() {
            dumps.extend(open.take().and_then(|lines| dump(text, &lines.words, lines.range)));
        }
        let Some(run) = run.or_else(|| (longest.len() >= FEWEST).then_some(longest)) else { continue };
        let (start, end) = (run[0].start, run[run.len() - 1].end);
        let line_end = (begin + line.trim_ascii_end().len()).max(end);
        // Half a group at the end of `xxd`.
        let next = here.iter().find(|word| word.start > end);
        let half = next.filter(|word| word.len() < run[0].len() && text[end..word.start] == *b" ");
        let end =
            if half.is_some() || offset.is_some() && text[end..line_end].starts_with(b"  ") { line_end } else { end };
        let lines = open.get_or_insert_with(|| Lines {
            prefix: text[begin..start].trim_ascii_end().len(),
            column: start - begin,
            has_offsets: offset.is_some(),
            width: run.len(),
            words: Vec::new(),
            range: start..end,
        });
        lines.words.extend(run.iter().chain(half).cloned());
        lines.range.end = end;
    }
    dumps.extend(open.take().and_then(|lines| dump(text, &lines.words, lines.range)));
    dumps
}

/// Lines of a dump.
struct Lines {
    /// The length of what is before the numbers.
    prefix: usize,
    /// Where the numbers begin.
    column: usize,
    /// Whether the offset of each line is before them.
    has_offsets: bool,
    /// How many the first line has.
    width: usize,
    words: Vec<Range<usize>>,
    range: Range<usize>,
}

/// Reports whether a word is the offset of a line of a dump, which the next word begins.
fn is_offset(text: &[u8], word: &Range<usize>, next: &Range<usize>) -> bool {
    let gap = &text[word.end..next.start];
    let is_of_packet = word.len() == 4 && text[..word.start].ends_with(b"0x") && gap.starts_with(b":  ");
    let is_long =
        word.len() == 7 || word.len() == 8 && (gap.starts_with(b":") || gap.starts_with(b"  ")) || is_of_packet;
    is_long && gap.len() <= 8 && gap.iter().skip(1).all(|byte| *byte == b' ')
}

/// Returns the bytes that words stand for, in every way in which all of them can be read.
fn dump(text: &[u8], words: &[Range<usize>], range: Range<usize>) -> Option<Dump> {
    if words.len() < FEWEST {
        return None;
    }
    let words = || words.iter().map(|word| std::str::from_utf8(&text[word.clone()]).unwrap_or_default());
    let longest = words().map(str::len).max().unwrap_or_default();
    let numbers =
        |base: u32| -> Option<Vec<u64>> { words().map(|word| u64::from_str_radix(word, base).ok()).collect() };
    let bytes = |base, size: usize| -> Option<Vec<u8>> {
        let most = u64::MAX >> (64 - 8 * size);
        let numbers = numbers(base).filter(|numbers| numbers.iter().all(|number| *number <= most))?;
        Some(numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(size)).collect())
    };
    let mut contents = Vec::new();
    if longest <= 3 {
        contents.extend([bytes(10, 1), bytes(8, 1), bytes(16, 1)]);
    }
    if (4..=6).contains(&longest) {
        contents.extend([bytes(8, 1), bytes(8, 2), bytes(10, 2)]);
    }
    if longest == 8 {
        contents.push(bytes(2, 1));
    }
    if longest > 2 && longest.is_multiple_of(2) {
        let digits: Vec<u8> = words().flat_map(str::bytes).collect();
        contents.push(Some(super::packed::of_hexadecimal(&digits)));
        contents.push(bytes(16, longest / 2));
    }
    let contents: Vec<_> = contents.into_iter().flatten().collect();
    (!contents.is_empty()).then_some(Dump { range, contents })
}

/// Returns dumps of `od -c`, `od -a` and `hexdump -c`: each character is at the end of a cell.
fn characters(text: &[u8]) -> Vec<Dump> {
    let mut dumps = Vec::new();
    let mut open: Option<(usize, Vec<u8>, Range<usize>)> = None;
    let mut close = |open: &mut Option<(usize, Vec<u8>, Range<usize>)>| {
        if let Some((_, content, range)) = open.take() {
            dumps.push(Dump { range, contents: vec![content] });
        }
    };
    let mut width = 1;
    let mut at = 0;
    for line in text.split(|byte| *byte == b'\n') {
        let begin = at;
        at += line.len() + 1;
        let line = line.trim_ascii_end();
        let column = open.as_ref().map(|(column, ..)| *column);
        let mut cells: Vec<u8> = line.rchunks_exact(CELL).map_while(cell).collect();
        cells.reverse();
        let mut start = line.len() - cells.len() * CELL;
        if let Some(column) =
            column.filter(|column| (start..line.len()).contains(column) && (*column - start).is_multiple_of(CELL))
        {
            cells.drain(..cells.len().min((column - start) / CELL));
            start = column;
        }
        // Where the offset of the line is before them, the column may differ.
        let has_offset = start >= 7 && line[start - 7..start].iter().all(u8::is_ascii_hexdigit);
        let place = if has_offset { usize::MAX } else { start };
        let continues = column == Some(place) && !cells.is_empty();
        if !continues {
            close(&mut open);
        }
        match &mut open {
            Some((_, content, range)) => {
                // The blanks at the end of the line before may be missing.
                content.resize(content.len().next_multiple_of(width), b' ');
                content.extend(cells);
                range.end = begin + line.len();
            }
            None if cells.len() >= FEWEST => {
                // Blanks at the end of the first line may be missing as well.
                width = cells.len().next_power_of_two();
                open = Some((place, cells, begin + start..begin + line.len()));
            }
            None => {}
        }
    }
    close(&mut open);
    dumps
}

/// Returns lines of uuencode: each begins with the number of its bytes, and is as long as these need.
fn uuencoded(text: &[u8]) -> impl Iterator<Item = Dump> {
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut open: Option<Dump> = None;
        loop {
            let line = lines.next();
            let begin = at;
            at += line.unwrap_or_default().len();
            let message = line.unwrap_or_default().trim_ascii_end();
            match (line.and_then(of_uuencode), &mut open) {
                (Some(bytes), Some(dump)) => {
                    dump.contents[0].extend(bytes);
                    dump.range.end = begin + message.len();
                }
                (Some(bytes), None) => {
                    open = Some(Dump { range: begin..begin + message.len(), contents: vec![bytes] });
                }
                (None, Some(_)) => return open,
                (None, None) if line.is_none() => return None,
                (None, None) => {}
            }
        }
    })
}

/// Returns the bytes of a line of uuencode.
fn of_uuencode(line: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| byte.checked_sub(b' ').filter(|digit| *digit <= 64).map(|digit| digit & 63);
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let (first, rest) = line.split_first()?;
    let count = usize::from(digit(*first).filter(|count| (1..=45).contains(count))?);
    let needed = count.div_ceil(3) * 4;
    // Blanks at the end, which are zeros, may be missing.
    let is_whole = rest.len() == needed || rest.len() < needed && rest.len() + 3 >= needed;
    if !is_whole {
        return None;
    }
    let digits: Vec<u8> = rest.iter().map(|byte| digit(*byte)).collect::<Option<_>>()?;
    let group = |group: &[u8]| {
        let number =
            (0..4).fold(0_u32, |number, at| number << 6 | u32::from(group.get(at).copied().unwrap_or_default()));
        let [_, bytes @ ..] = number.to_be_bytes();
        bytes
    };
    Some(digits.chunks(4).flat_map(group).take(count).collect())
}

/// Returns the byte in a cell.
fn cell(cell: &[u8]) -> Option<u8> {
    match cell.trim_ascii_start() {
        [] | b"sp" => Some(b' '),
        [byte] if cell.len() == CELL => Some(*byte),
        br"\n" | b"nl" => Some(b'\n'),
        br"\t" | b"ht" => Some(b'\t'),
        br"\r" | b"cr" => Some(b'\r'),
        digits if digits.len() == 3 => u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok(),
        _ => None,
    }
}
