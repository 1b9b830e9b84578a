//! Styles of text on a terminal, one for each meaning.
//!
//! Texts are written with their styles, which [`output`](super::output) removes where colour is off. Only the basic
//! colours of a terminal are used, because each terminal makes them readable on its own background.

use std::ffi::OsStr;
use std::fmt::Display;

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use clap::builder::Styles;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::redaction::is_obeyed;

/// An error, or a failure on a node.
pub(super) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// A warning.
pub(super) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// A suggested fix.
pub(super) const HINT: Style = AnsiColor::Cyan.on_default();
/// Success.
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
/// The title of a section.
pub(super) const TITLE: Style = Style::new().bold();
/// The subject of a row: a variable, a file, a code.
pub(super) const NAME: Style = Style::new().bold();
/// Secondary text: sizes, meanings, numbers.
pub(super) const DETAIL: Style = Style::new().dimmed();

/// The styles of help texts.
pub(super) const HELP: Styles = Styles::styled()
    .header(TITLE)
    .usage(TITLE)
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(Style::new())
    .error(ERROR)
    .valid(GOOD)
    .invalid(WARNING)
    .context(Style::new());

/// The labels at the start of lines for people, and their styles.
const LABELS: &[(&str, Style)] = &[("error:", ERROR), ("warning:", WARNING), ("hint:", HINT), ("note:", HINT)];

/// Returns a text in a style. The text must be printable: see [`printable`].
pub(super) fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Returns a plain text whose lines have their labels in colour: `error:`, `warning:`, `hint:`, `note:`.
pub(super) fn labelled(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let words = line.trim_start_matches(' ');
        let Some((label, style)) = LABELS.iter().find(|(label, _)| words.starts_with(label)) else {
            return line.to_owned();
        };
        let (label, rest) = words.split_at(label.len());
        format!("{}{}{rest}", &line[..line.len() - words.len()], paint(*style, label))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns a line whose parts in backticks are highlighted, because they are to be copied.
pub(super) fn commands(line: &str) -> String {
    let parts: Vec<_> = line.split('`').collect();
    let last = parts.len() - 1;
    let mut text = String::with_capacity(line.len());
    for (at, part) in parts.into_iter().enumerate() {
        match (at % 2 == 1, at == last) {
            (true, false) => text.push_str(&paint(HINT, format_args!("`{part}`"))),
            // An unclosed backtick.
            (true, true) => text.extend(["`", part]),
            (false, _) => text.push_str(part),
        }
    }
    text
}

/// Returns a text without control characters, which a terminal would interpret: the text is untrusted. Characters that
/// reorder their neighbours count as control characters.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|character| if is_obeyed(character) { char::REPLACEMENT_CHARACTER } else { character }).collect()
}

/// Returns a text whose lines are each made [`printable`].
pub(super) fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// Returns the width of a line on a terminal, in columns. The escape sequences of a [`Style`] have none.
pub(super) fn columns(line: &str) -> usize {
    let mut pieces = line.split('\x1b');
    let before = pieces.next().unwrap_or_default().width();
    before + pieces.map(|piece| piece.split_once('m').map_or(0, |(_, text)| text.width())).sum::<usize>()
}

/// Returns the part of a plain line that fits into a number of columns.
pub(super) fn fitting(line: &str, most: usize) -> &str {
    let mut taken = 0;
    let end = line.char_indices().find(|(_, character)| {
        taken += character.width().unwrap_or_default();
        taken > most
    });
    end.map_or(line, |(end, _)| &line[..end])
}

/// Returns the end of a plain line that fits into a number of columns.
pub(super) fn fitting_end(line: &str, most: usize) -> &str {
    let mut taken = 0;
    let start = line.char_indices().rev().take_while(|(_, character)| {
        taken += character.width().unwrap_or_default();
        taken <= most
    });
    start.last().map_or("", |(start, _)| &line[start..])
}

/// Turns colour on or off for the whole process: by `--color`, else by the streams and the environment variables
/// `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` and `TERM`. Errors in the command line have colour too, so this runs before
/// the command line is parsed.
pub(super) fn choose(arguments: &[impl AsRef<OsStr>]) {
    let mut words = arguments.iter().map(AsRef::as_ref).take_while(|word| *word != "--").skip(1);
    let mut named = None;
    while let Some(word) = words.next() {
        let value = match word.to_str().and_then(|word| word.strip_prefix("--color")) {
            Some("") => words.next().and_then(OsStr::to_str),
            Some(value) => value.strip_prefix('='),
            None => None,
        };
        named = value.and_then(|value| clap::ColorChoice::from_str(value, false).ok()).or(named);
    }
    match named {
        Some(clap::ColorChoice::Always) => ColorChoice::Always.write_global(),
        Some(clap::ColorChoice::Never) => ColorChoice::Never.write_global(),
        Some(clap::ColorChoice::Auto) | None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_take_no_columns_and_wide_letters_take_two() {
        assert_eq!(columns(&paint(ERROR, "error")), 5);
        assert_eq!(columns(&format!("a {} b", paint(DETAIL, "日本"))), 8);
        assert_eq!(columns("e\u{301}"), 1);
        assert_eq!(fitting("日本語", 5), "日本");
        assert_eq!(fitting("abc", 5), "abc");
        assert_eq!(fitting_end("日本語", 5), "本語");
        assert_eq!((fitting_end("abc", 5), fitting_end("abc", 0)), ("abc", ""));
    }

    #[test]
    fn only_the_label_of_a_line_is_in_colour() {
        let text = labelled("error: a\n  hint: an error: here\nplain");
        assert_eq!(text, format!("{} a\n  {} an error: here\nplain", paint(ERROR, "error:"), paint(HINT, "hint:")));
    }

    #[test]
    fn what_is_in_backticks_stands_out() {
        assert_eq!(commands("run `a b`: `c"), format!("run {}: `c", paint(HINT, "`a b`")));
        assert_eq!(commands(""), "");
    }

    #[test]
    fn what_a_terminal_would_obey_is_replaced() {
        assert_eq!(printable("a\x1b[31m\r\n\u{9b}b\u{202e}c"), "a\u{fffd}[31m\u{fffd}\u{fffd}\u{fffd}b\u{fffd}c");
        assert_eq!(printable_lines("a\tb\nc"), "a\u{fffd}b\nc");
    }
}
