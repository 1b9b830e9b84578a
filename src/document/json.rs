//! JSON: read once by `serde_json`; places are looked up again only for what was found wrong.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::locate::Trails;
use super::{DocPath, Finding, Position, Problem};

pub(super) fn read<S>(text: &str, seed: S) -> Result<(), Finding>
where
    S: for<'de> DeserializeSeed<'de, Value = ()>,
{
    let mut reader = serde_json::Deserializer::from_str(text);
    seed.deserialize(&mut reader).map_err(|error| syntax(text, &error))?;
    reader.end().map_err(|error| syntax(text, &error))
}

fn syntax(text: &str, error: &serde_json::Error) -> Finding {
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    let finding = Finding::error(DocPath::root(), Problem::Syntax(message.to_owned())).at(position(text, error));
    if message == "trailing characters" {
        return finding.hint("one document per file; for one per line use `--batch`");
    }
    finding
}

/// `serde_json` counts columns in bytes, and counts the byte that it stumbled over.
fn position(text: &str, error: &serde_json::Error) -> Position {
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let before = line.as_bytes().iter().take(error.column().saturating_sub(1));
    let column = before.filter(|byte| !matches!(byte, 0x80..=0xbf)).count() + 1;
    Position { line: error.line().max(1), column }
}

/// The positions of what findings are about, or of the innermost thing around each that is there.
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

/// Hands out the spot of every wanted finding in a value. `name` is the value's own.
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
    let mut trails = Trails::new(findings, wanted, depth);
    if trails.is_empty() {
        return wanted.iter().copied().for_each(spot);
    }
    let mut reader = serde_json::Deserializer::from_str(value);
    let Ok(members) = reader.deserialize_any(Members(&mut trails)) else {
        return wanted.iter().copied().for_each(spot);
    };
    trails.rest().for_each(&mut spot);
    for (name, value, wanted) in members {
        walk(value, name, findings, &wanted, depth + 1, found);
    }
}

/// Finds the members that findings lead into, as raw text: name, value, and the findings.
struct Members<'w, 'f>(&'w mut Trails<'f>);

impl<'de> Visitor<'de> for Members<'_, '_> {
    type Value = Vec<(Option<&'de str>, &'de str, Vec<usize>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list")
    }

    // Both read to the end: `serde_json` takes a visitor that stops early for a syntax error.

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut ordinal, mut found) = (0, Vec::new());
        while let Some(key) = map.next_key::<&RawValue>()? {
            let value = map.next_value::<&RawValue>()?.get();
            let name = serde_json::from_str::<Cow<'_, str>>(key.get()).unwrap_or_default();
            let wanted = self.0.towards(ordinal, Some(&name));
            if !wanted.is_empty() {
                found.push((Some(key.get()), value, wanted));
            }
            ordinal += 1;
        }
        Ok(found)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let (mut ordinal, mut found) = (0, Vec::new());
        while let Some(value) = seq.next_element::<&RawValue>()? {
            let wanted = self.0.towards(ordinal, None);
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
    use super::super::{Finding, Place, Severity, Source, Step, Stride};
    use super::*;

    #[test]
    fn a_member_is_found_again_by_its_number_and_by_its_name() {
        let text = "{\n  \"a\": 1,\n  \"é\": {\"x\": [1, \"two\"], \"x\": 3},\n  \"z\": 0\n}";
        let inner = Place::ROOT;
        let inner = inner.child(Stride::Key("é"), 1);
        let twice = Finding::here(Severity::Error, &inner.child(Stride::Key("x"), 1), Problem::Duplicate);
        let list = inner.child(Stride::Key("x"), 0);
        let element = Finding::here(Severity::Error, &list.child(Stride::Index, 1), Problem::Missing);
        let named = Finding::error(DocPath(vec![Step::Key("z".to_owned())]), Problem::Missing);
        let absent =
            Finding::error(DocPath(vec![Step::Key("é".to_owned()), Step::Key("absent".to_owned())]), Problem::Missing);
        let mut findings = [twice, element, named, absent];
        Source::new(text.as_bytes()).expect("a text").locate(&mut findings);
        let found = findings.map(|finding| finding.position.expect("a place").to_string());
        assert_eq!(found, ["3:26", "3:18", "4:8", "3:8"]);
    }
}
