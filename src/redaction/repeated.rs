//! Secrets that a trace of a shell repeats: the line that sets a variable names it, and those that use its value do not.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memmem::Finder;

/// Bytes of the values that are looked for again: what is shorter may be in any text, what is longer is no word of a command.
const SHORTEST: usize = 8;
const LONGEST: usize = 256;

/// The most values that are looked for again.
const MOST: usize = 1000;

/// What a shell writes before each command of a trace, also as JSON of .NET and URLs have it.
static TRACE: LazyLock<[Finder<'static>; 4]> = LazyLock::new(|| ["+ ", "+(", "\\u002B ", "%2B%20"].map(Finder::new));

/// Adds what is the same as something that was found, in a text that has the trace of a shell.
pub(super) fn find(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    if ranges.is_empty() || TRACE.iter().all(|mark| mark.find(text).is_none()) {
        return;
    }
    let is_word = |value: &&[u8]| {
        let has = |class: fn(&u8) -> bool| value.iter().any(class);
        (SHORTEST..=LONGEST).contains(&value.len())
            && value.iter().all(u8::is_ascii_graphic)
            && has(u8::is_ascii_digit)
            && has(u8::is_ascii_alphabetic)
    };
    let values: BTreeSet<&[u8]> = ranges.iter().filter_map(|range| text.get(range.clone())).filter(is_word).collect();
    if values.is_empty() {
        return;
    }
    let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(values.iter().take(MOST));
    for hit in automaton.iter().flat_map(|automaton| automaton.find_iter(text)) {
        ranges.push(hit.range());
    }
}
