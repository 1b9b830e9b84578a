//! Texts without their wrappings, in one pass: escapes of JSON at any depth, HTML, colours, Markdown quotes, and line breaks in the
//! middle of an entry.

use std::ops::Range;

use crate::moment::MONTHS;

/// A text without its wrappings.
#[derive(Debug, Default)]
pub(super) struct Plain {
    /// The text. A line break is one between two entries; any other white space is one blank.
    pub(super) text: String,
    /// Where lines of the original start in it, and where in the original.
    lines: Vec<(usize, usize)>,
    /// The bytes of the original.
    length: usize,
    /// How many lines of the journal come before the next one.
    journal: usize,
}

/// A line, and where it is in the text.
pub(super) struct Row<'t> {
    pub(super) text: &'t str,
    pub(super) place: (usize, usize),
}

impl Row<'_> {
    /// Returns the line without some words at its start.
    pub(super) fn without(self, words: usize) -> Self {
        let text = self.text.splitn(words + 1, ' ').nth(words).unwrap_or_default();
        Self { text, ..self }
    }
}

/// Characters that HTML has names for.
pub(super) const ENTITIES: [(&str, char); 9] = [
    ("&quot;", '"'),
    ("&#34;", '"'),
    ("&#39;", '\''),
    ("&apos;", '\''),
    ("&#x27;", '\''),
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&nbsp;", ' '),
    ("&amp;", '&'),
];

/// After so many lines of the journal, a line without its prefix is not the rest of a line that was wrapped.
const LEAST_JOURNAL: usize = 4;

/// Returns a text without its wrappings.
pub(super) fn plain(text: &str) -> Plain {
    let mut plain = Plain {
        text: String::with_capacity(text.len()),
        lines: vec![(0, 0)],
        length: text.len(),
        journal: usize::from(is_of_journal(line_start(text))),
    };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        rest = match first {
            '\\' => plain.escape(rest),
            '\u{1b}' => colour_end(after),
            '#' if after.starts_with("033[") => colour_end(&after[3..]),
            '[' if is_bare_colour(after) => colour_end(rest),
            '\n' => plain.line_break(after),
            '\r' => after,
            '&' => {
                let entity = ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity));
                plain.push(entity.map_or('&', |(_, character)| *character));
                entity.map_or(after, |(entity, _)| &rest[entity.len()..])
            }
            '\u{201c}' | '\u{201d}' => {
                plain.push('"');
                after
            }
            '\u{2018}' | '\u{2019}' => {
                plain.push('\'');
                after
            }
            _ => {
                // Most of a text is words.
                let (word, others) = rest.split_at(rest.bytes().take_while(|byte| is_of_word(*byte)).count());
                if word.is_empty() {
                    plain.push(first);
                    after
                } else {
                    plain.text.push_str(word);
                    others
                }
            }
        };
    }
    plain
}

/// Reports whether a character is neither white space nor the beginning of a wrapping.
const fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'#' | b'[' | b'&')
}

/// Returns a text without what precedes each of its lines in a log: a time, and perhaps a host and a process. `None` if its lines
/// do not begin alike.
pub(super) fn without_prefixes(text: &str) -> Option<String> {
    /// The longest text that was pasted into a log.
    const LONGEST: usize = 64 * 1024;
    /// The fewest digits of a time.
    const DIGITS: usize = 4;
    if text.len() > LONGEST {
        return None;
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let (first, others) = lines.split_first().filter(|(_, others)| !others.is_empty())?;
    let are_alike = |(one, other): &(u8, u8)| one == other || (one.is_ascii_digit() && other.is_ascii_digit());
    let common = others.iter().map(|line| first.bytes().zip(line.bytes()).take_while(are_alike).count()).min()?;
    // A word that all lines begin with belongs to them.
    let end = first.get(..first.floor_char_boundary(common))?.rfind([' ', '\t']).map(|at| at + 1)?;
    let digits = first[..end].bytes().filter(u8::is_ascii_digit).count();
    (digits >= DIGITS).then(|| lines.iter().flat_map(|line| [line.get(end..).unwrap_or_default(), "\n"]).collect())
}

/// Returns where the message begins in a text that is one entry of a log: behind its time, its level, and perhaps its host and process.
/// 0 if the text has several entries, or does not begin with a time.
pub(super) fn message_of_entry(text: &str) -> usize {
    const LEVELS: [&str; 12] =
        ["stdout", "stderr", "F", "P", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL"];
    let text = text.trim_end();
    let words = || text.split_inclusive(' ').map(|word| word.trim_matches(['[', ']', '(', ')', ':', '|', ',', ' ']));
    let is_time = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_digit())
            && (word.contains([':', '/']) || word.matches('-').count() >= 2 || word.len() <= 2)
    };
    let is_prefix = |word: &&str| word.is_empty() || is_time(word) || MONTHS.contains(word) || LEVELS.contains(word);
    let starts_with_time = words().find(|word| !word.is_empty()).is_some_and(|word| {
        MONTHS.contains(&word)
            || word.starts_with(|first: char| first.is_ascii_digit()) && word.contains([':', '-', '/'])
    });
    if text.contains('\n') || !starts_with_time {
        return 0;
    }
    let length = |count: usize| text.split_inclusive(' ').take(count).map(str::len).sum::<usize>();
    let count = words().take_while(is_prefix).count();
    // Its host and its process: `host name[812]: `.
    let is_process = |word: &str| word.ends_with("]: ") && word.contains('[');
    let of_process = text.split_inclusive(' ').skip(count).take(2).position(is_process);
    length(count + of_process.map_or(0, |at| at + 1))
}

/// Returns the text after an escape sequence for a colour, whose escape character was read.
fn colour_end(text: &str) -> &str {
    let Some(parameters) = text.strip_prefix('[') else { return text };
    let end = parameters.find(|character: char| !character.is_ascii_digit() && character != ';');
    let end = end.unwrap_or(parameters.len());
    parameters[end..].strip_prefix(|character: char| character.is_ascii_alphabetic()).unwrap_or(&parameters[end..])
}

/// Returns a line without what can precede it: white space, the marks of quotes and tables, and colours.
pub(super) fn line_start(line: &str) -> &str {
    let mut line = line;
    loop {
        let next = line.trim_start_matches([' ', '\t', '>', '|', '\u{2502}', '\r', '\u{1b}']);
        let colour = next.strip_prefix("#033").or_else(|| next.strip_prefix("\\u001b")).unwrap_or(next);
        let is_colour = colour.len() < next.len() || line[..line.len() - next.len()].ends_with('\u{1b}');
        let next =
            if is_colour || colour.strip_prefix('[').is_some_and(is_bare_colour) { colour_end(colour) } else { next };
        if next.len() == line.len() {
            return line;
        }
        line = next;
    }
}

/// Reports whether an escape sequence for a colour, without its escape character, begins before a text: `1;31m`, `0m`.
fn is_bare_colour(text: &str) -> bool {
    let end = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    let parameters = &text[..end];
    text[end..].starts_with('m') && (parameters == "0" || parameters.contains(';'))
}

impl Plain {
    fn push(&mut self, character: char) {
        if !character.is_whitespace() {
            self.text.push(character);
        } else if !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }

    /// Decodes an escape of JSON with any number of backslashes, and returns the text after it.
    fn escape<'t>(&mut self, text: &'t str) -> &'t str {
        let escaped = text.trim_start_matches('\\');
        let mut characters = escaped.chars();
        match characters.next() {
            Some('n') => return self.line_break(characters.as_str()),
            Some('t') => self.push(' '),
            Some('r') => {}
            Some('"' | '\'' | '/') => self.push(escaped.chars().next().unwrap_or_default()),
            Some('u') => {
                let code = escaped.get(1..5).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let Some(character) = code.and_then(char::from_u32) else {
                    self.push('\\');
                    return escaped;
                };
                let after = &escaped[5..];
                match character {
                    '\u{1b}' => return colour_end(after),
                    '\n' => return self.line_break(after),
                    _ => self.push(character),
                }
                return after;
            }
            Some('&') => return escaped,
            _ => {
                self.push('\\');
                return escaped;
            }
        }
        characters.as_str()
    }

    /// Ends a line: an entry, if the next line begins one, else a blank.
    fn line_break<'t>(&mut self, next: &'t str) -> &'t str {
        let line = line_start(next);
        // journalctl indents the other lines of an entry, and more than a quote does.
        let is_indented = next[..next.len() - line.len()].ends_with("  ");
        let next = line;
        if self.text.ends_with(' ') {
            self.text.pop();
        }
        let is_of_another_log = self.journal >= LEAST_JOURNAL && !is_indented;
        self.journal = if is_of_journal(next) { self.journal.saturating_add(1) } else { 0 };
        let ends = next.is_empty() || starts_entry(next) || is_of_another_log;
        if !self.text.ends_with('\n') {
            self.text.push(if ends { '\n' } else { ' ' });
        }
        if self.lines.last().is_none_or(|(line, _)| *line != self.text.len()) {
            self.lines.push((self.text.len(), self.length - next.len()));
        }
        next
    }

    /// Returns the line that a position is in.
    pub(super) fn row_of(&self, position: usize) -> Row<'_> {
        self.row(self.lines.partition_point(|(line, _)| *line <= position).saturating_sub(1))
    }

    /// Returns the lines behind the one that a position is in.
    pub(super) fn rows_behind(&self, position: usize) -> impl Iterator<Item = Row<'_>> {
        let first = self.lines.partition_point(|(line, _)| *line < position);
        (first..self.lines.len()).map(|at| self.row(at))
    }

    /// Returns a line by its number.
    fn row(&self, at: usize) -> Row<'_> {
        let (start, _) = self.lines[at];
        let end = self.lines.get(at + 1).map_or(self.text.len(), |(next, _)| *next);
        Row { text: self.text[start..end].trim(), place: (start, end) }
    }

    /// Returns where the lines of the original are that have this range.
    pub(super) fn original(&self, start: usize, end: usize) -> Range<usize> {
        let first = self.lines.partition_point(|(line, _)| *line <= start);
        let next = self.lines.partition_point(|(line, _)| *line < end);
        let (_, from) = self.lines[first.saturating_sub(1)];
        from..self.lines.get(next).map_or(self.length, |(_, original)| *original)
    }

    /// Returns the parts of the text that are lines of configuration files of two kinds, which have words of people but tell nothing: units
    /// of systemd (a section and its settings), and blocks in braces behind a directive (`.:53 {`), if they end.
    pub(super) fn files(&self) -> Vec<Range<usize>> {
        /// What a line of the file can be in: the value of a field of JSON.
        const BEFORE: [char; 2] = ['"', ' '];
        let mut files = Vec::new();
        let mut is_unit = false;
        // Where the outermost open block starts, and how many blocks are open.
        let (mut block, mut depth) = (0, 0_usize);
        for (at, (start, _)) in self.lines.iter().enumerate() {
            let end = self.lines.get(at + 1).map_or(self.text.len(), |(next, _)| *next);
            let line = self.text[*start..end].trim();
            let last_word = line.rsplit(BEFORE).next().unwrap_or_default();
            is_unit = is_section(last_word) || is_unit && (is_setting(line) || line.starts_with(['#', ';']));
            if is_unit {
                files.push(*start..end);
            }
            if depth > 0 && line.starts_with('}') {
                depth -= 1;
                if depth == 0 {
                    files.push(block..end);
                }
            }
            if line.strip_suffix(" {").is_some_and(|directive| !directive.ends_with([':', ',', '{', '['])) {
                block = if depth == 0 { *start } else { block };
                depth += 1;
            }
        }
        files
    }

    /// Returns the line that has this range, or the message after it if the line has only the code of an error.
    pub(super) fn telling_line(&self, start: usize, end: usize, longest: usize) -> &str {
        /// The most bytes between the code of an error and its message.
        const NEAR: usize = 400;
        let line = self.line(start, end, longest);
        if !is_code(line) {
            return line;
        }
        let after = &self.text[end..self.text.floor_char_boundary(end + NEAR)];
        let message =
            ["\"message\"", "Message: "].iter().filter_map(|name| Some((after.find(name)?, name.len()))).min();
        message.map_or(line, |(at, length)| self.line(end + at, end + at + length, longest))
    }

    /// Returns the line that has this range, or, if it is longer than `longest`, the text around the range.
    pub(super) fn line(&self, start: usize, end: usize, longest: usize) -> &str {
        let line = self.lines.partition_point(|(line, _)| *line <= start);
        let (from, _) = self.lines[line.saturating_sub(1)];
        let next = self.lines.partition_point(|(line, _)| *line < end);
        let to = self.lines.get(next).map_or(self.text.len(), |(line, _)| *line);
        if to - from <= longest {
            return self.text[from..to].trim();
        }
        // What explains a code or a name follows it.
        let room = longest.saturating_sub(end - start);
        let from = from.max(start.saturating_sub(room / 4));
        let to = to.min(from + longest);
        self.text[self.text.ceil_char_boundary(from)..self.text.floor_char_boundary(to)].trim()
    }
}

/// Reports whether a word is the heading of a section in a unit of systemd: `[Service]`.
fn is_section(word: &str) -> bool {
    let name = word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or_default();
    name.starts_with(|first: char| first.is_ascii_uppercase()) && name.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Reports whether a line is a setting in a unit of systemd: `Restart=always`.
fn is_setting(line: &str) -> bool {
    line.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|first: char| first.is_ascii_uppercase())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Reports whether a line has a code, and nothing that explains it: `"code": "SkuNotAvailable",`, `ERROR CODE: BadRequest`.
fn is_code(line: &str) -> bool {
    let Some((name, value)) = line.rsplit_once(':') else { return false };
    let name = name.trim_matches(['"', ' ', '{', '|']).to_ascii_lowercase();
    matches!(name.as_str(), "code" | "error code" | "status") && !value.trim().contains(' ')
}

/// Reports whether a line begins with a time in brackets: `[2026-11-22 05:54:15]`.
fn is_bracketed_time(line: &str) -> bool {
    let start = line.get(..6).unwrap_or_default();
    start.starts_with('[')
        && start.bytes().skip(1).take(4).all(|byte| byte.is_ascii_digit())
        && start.ends_with(['-', '/'])
        || line.get(..4).is_some_and(|start| {
            let bytes = start.as_bytes();
            bytes[0] == b'[' && bytes[1].is_ascii_digit() && bytes[2].is_ascii_digit() && bytes[3] == b':'
        })
}

/// Reports whether a line is an entry of a log: it begins with a time, or with fields.
pub(super) fn is_of_log(line: &str) -> bool {
    let bytes = line.as_bytes();
    let digits = bytes.iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    let after = bytes.get(digits).copied().unwrap_or_default();
    let is_time = digits == 4 && matches!(after, b'-' | b'/') || digits == 2 && after == b':';
    let is_klog =
        bytes.len() > 5 && matches!(bytes[0], b'I' | b'W' | b'E' | b'F') && bytes[1..5].iter().all(u8::is_ascii_digit);
    let is_date = || MONTHS.iter().any(|month| line.strip_prefix(month).is_some_and(|rest| rest.starts_with(' ')));
    // Seconds since the boot: `[    1.756065] `.
    let is_kernel = || {
        let seconds = line.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or("", |(seconds, _)| seconds);
        let parts = seconds.trim_start().split_once('.');
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        parts.is_some_and(|(whole, part)| is_number(whole) && is_number(part)) || is_bracketed_time(line)
    };
    is_time
        || is_klog
        || is_date()
        || is_kernel()
        || ["time=", "level=", "ts="].iter().any(|start| line.starts_with(start))
}

/// Reports whether a line is one of the journal: it begins with a time, a host and a process.
fn is_of_journal(line: &str) -> bool {
    /// The most bytes of the prefix.
    const LONGEST: usize = 160;
    if !is_of_log(line) {
        return false;
    }
    let start = &line[..line.floor_char_boundary(LONGEST)];
    let Some((before, after)) = start.split_once(']') else { return false };
    let process = before.rsplit_once('[').map_or("", |(_, process)| process);
    after.starts_with(": ")
        && !process.is_empty()
        && process.bytes().all(|byte| byte.is_ascii_digit())
        && !before.contains('\n')
}

/// Reports whether a line begins an entry of a log, of a list or of an object.
fn starts_entry(line: &str) -> bool {
    let bytes = line.as_bytes();
    let digits = bytes.iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    let after = bytes.get(digits).copied().unwrap_or_default();
    // Also an age.
    let is_time = (1..=4).contains(&digits) && matches!(after, b'-' | b'/' | b':' | b'm' | b's' | b'h' | b'd');
    let others = [
        "{",
        "INFO ",
        "WARNING ",
        "ERROR ExtHandler ",
        "ERROR Daemon ",
        "Warning ",
        "Normal ",
        "- ",
        "+ ",
        "\n",
        "LAST SEEN",
    ];
    is_time || is_of_log(line) || others.iter().any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests;
