//! JSON, parsed by `serde_json`. A second pass looks up positions, only for findings.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::locate::FindingsByMember;
use super::rules;
use super::tree::{TreeSeed, Wanted};
use super::{DocPath, Finding, ParsedTree, Position, Problem, Tree};

/// Parses one document. If the syntax is broken, the tree contains everything before the error.
pub(super) fn parse(text: &str, wanted: impl Wanted) -> (ParsedTree<'_>, Option<Finding>) {
    let mut reader = serde_json::Deserializer::from_str(text);
    let mut tree = Tree::Null;
    let parsed = TreeSeed(&mut tree, wanted).deserialize(&mut reader).and_then(|()| reader.end());
    (tree, parsed.err().map(|error| syntax(text, &error)))
}

fn syntax(text: &str, error: &serde_json::Error) -> Finding {
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    let finding =
        Finding::new(&rules::SYNTAX, DocPath::root(), Problem::Syntax(message.to_owned())).at(position(text, error));
    if message == "trailing characters" {
        return finding.hint("one document per file; for one per line use `--batch`");
    }
    finding
}

/// Returns the position of an error in characters. `serde_json` counts bytes, up to and including the unexpected one.
fn position(text: &str, error: &serde_json::Error) -> Position {
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let before = line.as_bytes().iter().take(error.column().saturating_sub(1));
    let column = before.filter(|byte| !matches!(byte, 0x80..=0xbf)).count() + 1;
    Position { line: error.line().max(1), column }
}

/// Returns the number and the position of every wanted finding.
pub(super) fn locate(text: &str, findings: &[Finding], wanted: &[usize]) -> Vec<(usize, Position)> {
    let mut spots = Vec::with_capacity(wanted.len());
    walk(text, None, findings, wanted, 0, &mut |number, spot| {
        spots.push((spot.trim_start().as_ptr().addr() - text.as_ptr().addr(), number));
    });
    spots.sort_unstable();
    let (mut position, mut read) = (Position::START, 0);
    let placed = spots.into_iter().map(|(offset, number)| {
        position = position.past(&text[read..offset]);
        read = offset;
        (number, position)
    });
    placed.collect()
}

/// Calls `found` with the text at which each wanted finding inside a value starts. `name` is the name of the value.
fn walk<'t>(
    value: &'t str,
    name: Option<&'t str>,
    findings: &[Finding],
    wanted: &[usize],
    depth: usize,
    found: &mut impl FnMut(usize, &'t str),
) {
    let mut spot = |number: usize| {
        let about_the_name = findings[number].is_about_the_name();
        found(number, name.filter(|_| about_the_name).unwrap_or(value));
    };
    let mut by_member = FindingsByMember::new(findings, wanted, depth);
    if by_member.is_empty() {
        return wanted.iter().copied().for_each(spot);
    }
    let mut reader = serde_json::Deserializer::from_str(value);
    let Ok(members) = reader.deserialize_any(Members(&mut by_member)) else {
        return wanted.iter().copied().for_each(spot);
    };
    by_member.remaining().for_each(&mut spot);
    for (name, value, wanted) in members {
        walk(value, name, findings, &wanted, depth + 1, found);
    }
}

/// Returns the members that have findings inside, as raw text: name, value, and the findings.
struct Members<'w, 'f>(&'w mut FindingsByMember<'f>);

impl<'de> Visitor<'de> for Members<'_, '_> {
    type Value = Vec<(Option<&'de str>, &'de str, Vec<usize>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list")
    }

    // Both read to the end: `serde_json` reports a syntax error if a visitor stops early.

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut ordinal, mut found) = (0, Vec::new());
        while let Some(key) = map.next_key::<&RawValue>()? {
            let value = map.next_value::<&RawValue>()?.get();
            let wanted = self.0.take(ordinal, || serde_json::from_str(key.get()).ok());
            if !wanted.is_empty() {
                found.push((Some(key.get()), value, wanted));
            }
            ordinal += 1;
            if self.0.is_empty() {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                break;
            }
        }
        Ok(found)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let (mut ordinal, mut found) = (0, Vec::new());
        while let Some(value) = seq.next_element::<&RawValue>()? {
            let wanted = self.0.take(ordinal, || None);
            if !wanted.is_empty() {
                found.push((None, value.get(), wanted));
            }
            ordinal += 1;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Finding, Location, Source, Step, StepRef};
    use super::*;

    #[test]
    fn members_are_located_by_ordinal_and_by_name() {
        let text = "{\n  \"a\": 1,\n  \"é\": {\"x\": [1, \"two\"], \"x\": 3},\n  \"z\": 0\n}";
        let inner = Location::ROOT;
        let inner = inner.child(StepRef::Key("é"), 1);
        let twice = Finding::here(&rules::DUPLICATE_FIELD, &inner.child(StepRef::Key("x"), 1), Problem::Duplicate);
        let list = inner.child(StepRef::Key("x"), 0);
        let element = Finding::here(&rules::REQUIRED, &list.child(StepRef::Index, 1), Problem::Missing);
        let named = Finding::missing(DocPath(vec![Step::Key("z".to_owned())]));
        let absent = Finding::missing(DocPath(vec![Step::Key("é".to_owned()), Step::Key("absent".to_owned())]));
        let mut findings = [twice, element, named, absent];
        Source::new(text.as_bytes()).expect("a text").locate(&mut findings);
        let found = findings.map(|finding| finding.position.expect("a position").to_string());
        assert_eq!(found, ["3:26", "3:18", "4:8", "3:8"]);
    }
}
