//! The line of a document that a finding is about, with carets below the place.
//!
//! A document can contain secrets anywhere: in a misspelled field, on the same line, in a comment. So a line shows only
//! the names of known fields, punctuation, and the value in the finding's message as that is shown, which has no secrets;
//! everything else is [`HIDDEN`].

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{shown, style};
use crate::document::{Finding, Position, Problem, Severity, Step};
use crate::recognition::without_mark;
use crate::redaction::{Redactor, is_known_name, is_secret_name};

/// Stands for hidden text.
const HIDDEN: &str = "…";

/// Characters of the longest value that is shown whole.
const LONGEST: usize = 60;

/// Columns of a line before and after the place, if no terminal limits them.
const AROUND: usize = 100;

/// Literals, which are never hidden.
const SYNTAX: &[&str] = &["-", "|", "|-", "|+", ">", ">-", ">+", "---", "...", "true", "false", "null", "~"];

/// Returns the line with its carets; `None` if the finding is not about a place in the text.
pub(super) fn snippet(text: &str, finding: &Finding, width: Option<usize>) -> Option<String> {
    if matches!(finding.problem, Problem::Missing | Problem::Empty | Problem::ByteOrderMark) {
        return None;
    }
    let Position { line: number, column } = finding.position?;
    let text = without_mark(text);
    let line = text.split('\n').nth(number - 1)?;
    let line = line.strip_suffix('\r').unwrap_or(line);
    let place = line.char_indices().map(|(at, _)| at).chain([line.len()]).nth(column - 1)?;
    if !has_name(line, finding) {
        return None;
    }
    // A key of a map may be anything.
    let redactor = Redactor::default();
    let names = finding.path.0.iter().flat_map(names_of).filter(|name| *redactor.redact(name) == **name).collect();
    let message = shown::message(finding).into_string();
    let (line, span) = cut(&Line { finding, names, message }.redacted(line, place));
    // Neither an empty line nor one that is hidden completely shows anything.
    if line.trim().is_empty() || line.contains(HIDDEN) && !line.contains(char::is_alphanumeric) {
        return None;
    }
    let source = Snippet::source(line).line_start(number).annotation(AnnotationKind::Primary.span(span));
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let renderer = Renderer::styled()
        .error(style::ERROR)
        .warning(style::WARNING)
        .line_num(style::DETAIL)
        .term_width(width.unwrap_or(AROUND));
    // The renderer replaces the control characters of ASCII and adds colours.
    let drawn = renderer.render(&[Group::with_level(level).element(source)]);
    Some(drawn.split('\x1b').map(style::printable_lines).collect::<Vec<_>>().join("\x1b"))
}

/// Returns both spellings of the name in a step.
fn names_of(step: &Step) -> Vec<&str> {
    match step {
        Step::Field { name, json_name } => vec![name, json_name],
        Step::Unknown(name) | Step::Key(name) => vec![name],
        Step::Index(_) => Vec::new(),
    }
}

/// Reports whether a line contains the name that a finding is about. It does not if the document lacks the field: then
/// the finding has the position of the object that should contain it.
fn has_name(line: &str, finding: &Finding) -> bool {
    let Some(last) = finding.path.0.last() else { return true };
    let names = names_of(last);
    names.is_empty() || names.iter().any(|name| line.contains(name))
}

/// The state of [`Line::redacted`].
struct Line<'f> {
    finding: &'f Finding,
    /// The names in the path of the finding.
    names: Vec<&'f str>,
    message: String,
}

impl Line<'_> {
    /// Returns the line as it is shown, and the position of the place in it.
    fn redacted(&self, line: &str, place: usize) -> (String, Range<usize>) {
        let mut out = String::new();
        let mut span = None;
        // The end of the last hidden text, which adjacent hidden text extends.
        let mut hidden = None;
        let mut brackets = Vec::new();
        let mut at = 0;
        while let Some(character) = line[at..].chars().next() {
            let rest = &line[at..];
            let is_comment = character == '#' && line[..at].chars().next_back().is_none_or(char::is_whitespace);
            let end = at
                + match character {
                    _ if is_comment => rest.len(),
                    '"' | '\'' => quoted(rest, character),
                    '{' | '}' | '[' | ']' | ',' | ':' => 1,
                    _ if character.is_whitespace() => character.len_utf8(),
                    _ => word(rest, !brackets.is_empty(), at == place),
                };
            let token = &line[at..end];
            let is_place = (at..end).contains(&place);
            match character {
                '{' | '[' => brackets.push(character),
                '}' | ']' => drop(brackets.pop()),
                _ => {}
            }
            let start = out.len();
            if is_comment {
                out.push_str("# ");
                out.push_str(HIDDEN);
            } else if character.is_whitespace() || "{}[],:".contains(character) {
                out.push_str(token);
            } else if let Some(shown) = self.shown(token, is_place) {
                out.push_str(&shown);
                hidden = None;
            } else {
                let joins = hidden.is_some_and(|end: usize| {
                    // Several hidden elements of a list are shown as one.
                    let is_list = brackets.last() == Some(&'[');
                    out[end..].chars().all(|between| between == ' ' || between == ',' && is_list)
                });
                if joins && !is_place {
                    out.truncate(hidden.unwrap_or(start));
                } else if character == '"' || character == '\'' {
                    out.extend([&character.to_string(), HIDDEN, &character.to_string()]);
                } else {
                    out.push_str(HIDDEN);
                }
                hidden = Some(out.len());
            }
            if is_place {
                span = Some(start..out.len());
                // Text at the place does not extend hidden text before it.
                hidden = None;
            }
            at = end;
        }
        let end = out.len();
        (out, span.unwrap_or(end..end))
    }

    /// Returns a word or a quoted text as it is shown; `None` if it is hidden.
    fn shown(&self, token: &str, is_place: bool) -> Option<String> {
        let quote = token.chars().next().filter(|character| matches!(character, '"' | '\''));
        let inner = quote.map_or(token, |quote| token[1..].strip_suffix(quote).unwrap_or(&token[1..]));
        if self.names.contains(&inner) || is_known_name(inner) || (quote.is_none() && SYNTAX.contains(&token)) {
            return Some(token.to_owned());
        }
        let is_secret = self.names.iter().any(|name| is_secret_name(name));
        if !is_place || is_secret || matches!(self.finding.problem, Problem::Syntax(_)) || inner.is_empty() {
            return None;
        }
        let end = inner.char_indices().nth(LONGEST).map_or(inner.len(), |(end, _)| end);
        let begin = &inner[..end];
        let quote = quote.map(String::from).unwrap_or_default();
        let more = if end < inner.len() { HIDDEN } else { "" };
        self.message.contains(begin).then(|| format!("{quote}{begin}{more}{quote}"))
    }
}

/// Returns the length of a quoted text.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, character)| {
        let ends = *character == quote && !escaped;
        escaped = quote == '"' && *character == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(end, _)| end + 1)
}

/// Returns the length of a plain word or, if `whole`, of a plain text with all its words.
fn word(text: &str, in_brackets: bool, whole: bool) -> usize {
    let end = text.char_indices().find(|(at, character)| {
        let next = text[at + character.len_utf8()..].chars().next();
        match character {
            ':' => next.is_none_or(char::is_whitespace),
            ',' | '[' | ']' | '{' | '}' => in_brackets,
            '"' => true,
            _ if !character.is_whitespace() => false,
            _ => !whole || in_brackets || next.is_none_or(|next| next == '#' || next.is_whitespace()),
        }
    });
    let end = end.map_or(text.len(), |(end, _)| end);
    // A number or a literal of JSON ends before its comma.
    text[..end].trim_end_matches(',').len().max(1)
}

/// Returns the part of a long line around the place.
fn cut((line, span): &(String, Range<usize>)) -> (String, Range<usize>) {
    let (before, rest) = line.split_at(span.start);
    let (inside, after) = rest.split_at(span.end - span.start);
    let from = before.char_indices().rev().nth(AROUND).map_or(0, |(at, _)| at);
    let to = after.char_indices().nth(AROUND).map_or(after.len(), |(at, _)| at);
    let start = if from > 0 { HIDDEN } else { "" };
    let end = if to < after.len() { HIDDEN } else { "" };
    let begin = start.len() + before.len() - from;
    (format!("{start}{}{inside}{}{end}", &before[from..], &after[..to]), begin..begin + inside.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::rules;
    use crate::document::DocPath;

    fn finding(path: &[&str], problem: Problem, line: usize, column: usize) -> Finding {
        let steps = path.iter().map(|name| Step::Key((*name).to_owned())).collect();
        Finding::new(&rules::WRONG_TYPE, DocPath(steps), problem).at(Position { line, column })
    }

    fn found(text: &str) -> Problem {
        Problem::Unexpected { expected: "another".into(), found: format!("{text:?}") }
    }

    /// Returns the snippet without styles, and without the number of the line.
    fn shown(text: &str, finding: &Finding) -> Option<String> {
        let snippet = snippet(text, finding, None)?;
        let plain = anstream::adapter::strip_str(&snippet).to_string();
        let lines = plain.lines().skip(1).map(|line| line.split_once("| ").map_or(line, |(_, text)| text).to_owned());
        Some(lines.collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn a_value_is_shown_if_the_message_shows_it() {
        let text = "version: v1\r\n  location: a b # c\r\n";
        let at = |problem| shown(text, &finding(&["location"], problem, 2, 13));
        assert_eq!(at(found("a b")).as_deref(), Some("  location: a b # …\n            ^^^"));
        let hidden = Problem::Rule("must be another".into());
        assert_eq!(at(hidden).as_deref(), Some("  location: … # …\n            ^"));
        let between = finding(&["location"], Problem::Rule("must be another".into()), 1, 12);
        assert_eq!(shown("location: a b", &between).as_deref(), Some("location: … …\n           ^"));
    }

    #[test]
    fn only_known_names_and_the_place_of_a_long_line_are_shown() {
        let value = "x".repeat(300);
        let text = format!("{{\"location\":\"{value}\",\"other\":[\"a\",\"b c\"],\"vm_size\":\"é日\",\"c\":1}}");
        let column = text.chars().take_while(|character| *character != 'é').count();
        let expected =
            "{\"location\":\"…\",\"…\":[\"…\"],\"vm_size\":\"é日\",\"…\":…}\n".to_owned() + &" ".repeat(36) + "^^^^^";
        assert_eq!(shown(&text, &finding(&["vm_size"], found("é日"), 1, column)), Some(expected));
    }

    #[test]
    fn nothing_is_shown_without_a_place_in_the_text() {
        for finding in [
            finding(&["location"], Problem::Missing, 1, 1),
            finding(&["location"], found("a"), 1, 1),
            finding(&["vm_size"], found("a"), 9, 1),
            finding(&["vm_size"], found("a"), 1, 99),
            finding(&[], found("a"), 2, 1),
        ] {
            assert_eq!(shown("vm_size: a\n- b", &finding), None, "{finding:?}");
        }
    }

    #[test]
    fn what_a_terminal_would_obey_is_not_passed_on() {
        let text = "vm_size: \"a\x1b[2J\tb\"";
        let snippet = snippet(text, &finding(&["vm_size"], Problem::Rule("a\x1b[2J\tb".into()), 1, 10), None);
        assert!(!snippet.expect("it is shown").contains("\x1b[2J"));
    }

    proptest! {
        /// Every word that is shown is a name or in the message.
        #[test]
        fn words_that_nobody_knows_are_hidden(
            line in "[a-z0-9 \"'{}\\[\\],:#\\\\é\t-]{0,60}", column in 1..61_usize, message in "[a-z0-9 ]{0,6}", name in "[a-z]{0,3}",
        ) {
            let finding = finding(&[&name], Problem::Rule(message.into()), 1, column);
            let Some(shown) = shown(&line, &finding) else { return Ok(()) };
            let message = finding.to_string();
            let line = shown.lines().next().unwrap_or_default();
            for word in line.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()) {
                let known = is_known_name(word) || SYNTAX.contains(&word) || name == word;
                prop_assert!(known || message.contains(word), "{word}: {line}");
            }
        }
    }
}
