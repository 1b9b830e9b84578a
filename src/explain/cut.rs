//! Texts that were cut in the middle of a word: terminals and pages have a width, and Karpenter and Azure shorten what they show.
//!
//! If the rest of the first or the last word continues like a known message, and like no other, the word is completed.

use super::patterns::patterns;
use super::plain::plain;
use super::recognition::is_start_of_word;

/// The longest text that is completed: in a longer one, another line shows the failure too.
const LONGEST: usize = 64 << 10;

/// The fewest bytes that remain of a message, which are more than one word: fewer are also in other texts.
const LEAST: usize = 12;

/// The fewest bytes that remain of a message whose first words were cut off, where nothing shows that it was cut.
const LEAST_WORDS: usize = 20;

/// What is put around a text that was cut.
const AROUND: [char; 7] = ['.', '\u{2026}', '"', '\'', '`', ' ', '\n'];

/// A text whose first or last word was completed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Completed {
    pub(super) text: String,
    /// What was added at its start.
    before: String,
    /// What was added at its end.
    after: String,
}

impl Completed {
    /// Returns a line of this text without what was added.
    pub(super) fn original<'l>(&self, line: &'l str) -> &'l str {
        let line = line.strip_prefix(&self.before).unwrap_or(line);
        line.strip_suffix(&self.after).unwrap_or(line)
    }
}

/// Completes the first and the last word of a text. `None` if neither was cut, or several messages continue like it.
pub(super) fn completed(text: &str) -> Option<Completed> {
    if text.len() > LONGEST {
        return None;
    }
    let whole = plain(text).text;
    let is_sentence = ends_sentence(&whole);
    let whole = whole.trim_matches(AROUND);
    let lower = whole.to_ascii_lowercase();
    let before = start_of_word(whole, &lower).unwrap_or_default();
    let after = if is_sentence { None } else { end_of_word(&lower) }.unwrap_or_default();
    let text = format!("{before}{whole}{after}");
    let is_cut = !before.is_empty() || !after.is_empty();
    is_cut.then(|| Completed { text, before: before.to_owned(), after: after.to_owned() })
}

/// Reports whether a text ends with a full stop, and not with an ellipsis: then its last word was not cut.
fn ends_sentence(text: &str) -> bool {
    let text = text.trim_end_matches([' ', '\n', '"', '\'', '`']);
    text.ends_with('.') && !text.ends_with("..")
}

/// Reports whether a position is in the middle of a word.
fn is_in_word(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    at > 0 && at < bytes.len() && bytes[at - 1].is_ascii_alphanumeric() && bytes[at].is_ascii_alphanumeric()
}

/// Reports whether a text can begin at a position of a message: in the middle of a word, or between words if most of the message remains.
/// What ends between words is whole more often: the state of a unit, or a sentence that goes on in another message.
fn can_begin_at(message: &str, at: usize) -> bool {
    is_in_word(message, at) || message.len() - at >= LEAST_WORDS.max(message.len() / 2)
}

/// Returns what precedes the longest end of a message that a text begins with.
fn start_of_word(text: &str, lower: &str) -> Option<&'static str> {
    // A sentence, or a message of another program.
    if text.starts_with(|first: char| first.is_ascii_uppercase()) {
        return None;
    }
    let first = *lower.as_bytes().first()?;
    let (mut longest, mut missing): (usize, Option<&'static str>) = (LEAST, None);
    for pattern in patterns() {
        let ends = (1..pattern.len().saturating_sub(longest - 1))
            .filter(|at| pattern.as_bytes()[*at] == first && can_begin_at(pattern, *at));
        let is_start = |at: &usize| lower.starts_with(&pattern[*at..]) && pattern[*at..].contains(' ');
        let Some(at) = ends.into_iter().find(is_start) else { continue };
        let (length, start) = (pattern.len() - at, &pattern[..at]);
        missing = Some(match missing {
            Some(other) if length == longest => common_end(other, start),
            _ => start,
        });
        longest = length;
    }
    missing.filter(|missing| missing.contains(|character: char| character.is_ascii_alphanumeric()))
}

/// Returns what follows the longest start of a message that a text in lower case ends with.
fn end_of_word(lower: &str) -> Option<&'static str> {
    let last = *lower.as_bytes().last()?;
    let (mut longest, mut missing): (usize, Option<&'static str>) = (LEAST, None);
    for pattern in patterns() {
        let starts = (longest..pattern.len())
            .rev()
            .filter(|end| pattern.as_bytes()[*end - 1] == last && is_in_word(pattern, *end));
        let is_end = |end: &usize| {
            pattern[..*end].contains(' ')
                && lower.strip_suffix(&pattern[..*end]).is_some_and(|before| is_start_of_word(lower, before.len()))
        };
        let Some(at) = starts.into_iter().find(is_end) else { continue };
        missing = Some(match missing {
            Some(other) if at == longest => common_start(other, &pattern[at..]),
            _ => &pattern[at..],
        });
        longest = at;
    }
    missing.filter(|missing| missing.contains(|character: char| character.is_ascii_alphanumeric()))
}

/// Returns the end that two texts share.
fn common_end(one: &'static str, other: &str) -> &'static str {
    let count = one.bytes().rev().zip(other.bytes().rev()).take_while(|(one, other)| one == other).count();
    &one[one.ceil_char_boundary(one.len() - count)..]
}

/// Returns the start that two texts share.
fn common_start(one: &'static str, other: &str) -> &'static str {
    let count = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    &one[..one.floor_char_boundary(count)]
}

#[cfg(test)]
mod tests {
    use super::{Completed, completed};
    use crate::explain::explain;

    #[test]
    fn a_text_that_was_cut_anywhere_has_its_layer_and_shows_only_what_it_has() {
        for (text, layer, evidence) in [
            ("nable to register node with API server\" err=\"Unauthorized\"", "registration", "nable to register"),
            ("dial tcp 203.0.113.7:443: connect: connection refu", "registration", "refu"),
            (
                "   1 node_lifecycle_controller.go:149] error checking if node n is shutdown: deadline",
                "lifecycle",
                "error",
            ),
        ] {
            let text = if layer == "registration" && !text.contains("register") {
                format!("Failed to list *v1.Node: Get \"https://203.0.113.7:443/api/v1/nodes\": {text}")
            } else {
                text.to_owned()
            };
            let found = explain(&text).expect("it shows a failure");
            assert_eq!(found.layer.name(), layer, "{text}");
            let shown = found.evidence.unwrap_or_default();
            assert!(shown.contains(evidence) && text.trim().contains(&*shown), "{shown}");
        }
    }

    #[test]
    fn a_word_that_was_cut_is_completed_if_only_one_message_continues_like_it() {
        let parts = |text: &str| completed(text).map(|Completed { before, after, .. }| (before, after));
        let both = |before: &str, after: &str| Some((before.to_owned(), after.to_owned()));
        assert_eq!(parts("nable to register node: Unauthorized"), both("u", ""));
        assert_eq!(parts("err=\"unable to connect to the server: dial t..."), both("", "cp"));
        assert_eq!(parts("\u{2026}ot syncing: VFS: Unable to mount root f\u{2026}"), both(" n", "s"));
        assert_eq!(parts("unable to register node"), None, "it is whole");
        assert_eq!(parts("Nable to register node"), None, "a sentence");
        assert_eq!(parts("register node"), None, "cut between words, and too short");
        assert_eq!(parts("backoff after failed scale-up"), both("in ", ""), "cut between words");
        assert_eq!(parts("There is no such header on the requested resource."), None, "the end of a sentence");
        assert_eq!(parts(".service: Main process exited, code=exited"), None, "of several units");
        assert_eq!(parts("o register"), None, "too short");
        assert_eq!(parts(""), None);
        let cut = completed("nable to register node").expect("it is cut");
        assert_eq!(
            (cut.text.as_str(), cut.original("unable to register node")),
            ("unable to register node", "nable to register node")
        );
    }
}
