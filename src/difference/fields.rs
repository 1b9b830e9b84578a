//! Compares Configurations by field.

use super::align::by_name;
use super::found::Detail;
use super::tree;
use super::value::{Place, Shown, Writer, configuration};
use crate::configuration::{Field, Kind, Message, Slot};
use crate::document::{DocPath, Step, Tree};
use crate::inputs::NodeInput;
use crate::inspection::Inspection;
use crate::redaction::Redactor;

/// Returns the fields that differ, and the operating system of the image.
pub(super) fn of_sides(a: &Inspection, b: &Inspection, secrets: &Redactor) -> Vec<Detail> {
    let mut found = Vec::new();
    let message = |side| configuration(side).map(|found| found as &dyn Message);
    compare(message(a), message(b), &DocPath::root(), secrets, &mut found);
    let os = |side: &Inspection| side.input.as_ref().and_then(NodeInput::os).map(|os| os.name);
    if os(a) != os(b) {
        let writer = Writer::new(secrets, Shown::Text);
        let value = |side| os(side).map(|name| writer.plain(name));
        found.push(Detail { place: Place::Path("operating system of the image".to_owned()), a: value(a), b: value(b) });
    }
    found
}

/// Adds the fields that differ between two messages; `None` is a message that is absent.
pub(super) fn compare(
    a: Option<&dyn Message>,
    b: Option<&dyn Message>,
    path: &DocPath,
    secrets: &Redactor,
    found: &mut Vec<Detail>,
) {
    let Some(descriptor) = a.or(b).map(Message::descriptor) else { return };
    let before = found.len();
    for (index, field) in descriptor.fields.iter().enumerate() {
        let path = path.join(Step::Field { name: field.name, json_name: field.json_name });
        let slot = |side: Option<&'_ dyn Message>| side.is_some_and(|message| !message.slot(index).is_unset());
        let (a, b) = (a.filter(|_| slot(a)), b.filter(|_| slot(b)));
        member(
            a.map(|message| message.slot(index)),
            b.map(|message| message.slot(index)),
            field,
            &path,
            secrets,
            found,
        );
    }
    // An empty message differs from an absent one.
    if a.is_some() != b.is_some() && found.len() == before && !path.0.is_empty() {
        let writer = Writer::new(secrets, Shown::Text);
        let empty = |side: Option<&dyn Message>| side.map(|_| writer.leaf(path, &Tree::Map(Vec::new())));
        found.push(Detail { place: writer.place(path), a: empty(a), b: empty(b) });
    }
}

fn member(
    a: Option<Slot<'_>>,
    b: Option<Slot<'_>>,
    field: &'static Field,
    path: &DocPath,
    secrets: &Redactor,
    found: &mut Vec<Detail>,
) {
    let writer = Writer::new(secrets, if field.secret { Shown::Nothing } else { Shown::Text });
    match a.or(b) {
        None => {}
        Some(Slot::Message(_)) => {
            let message = |slot| match slot {
                Some(Slot::Message(message)) => message,
                _ => None,
            };
            compare(message(a), message(b), path, secrets, found);
        }
        Some(Slot::MessageMap(_)) => {
            let entries = |slot| match slot {
                Some(Slot::MessageMap(map)) => map.entries().collect(),
                _ => Vec::new(),
            };
            for (key, (a, b)) in by_name(entries(a).into_iter(), entries(b).into_iter()) {
                compare(a, b, &path.join(Step::Key(key.to_owned())), secrets, found);
            }
        }
        Some(Slot::TextMap(_) | Slot::BoolMap(_)) => {
            let entries = |slot| match slot {
                Some(Slot::TextMap(map)) => map.iter().map(|(key, text)| (&**key, Tree::Text(text.clone()))).collect(),
                Some(Slot::BoolMap(map)) => map.iter().map(|(key, value)| (&**key, Tree::Bool(*value))).collect(),
                _ => Vec::new(),
            };
            for (key, (a, b)) in by_name(entries(a).into_iter(), entries(b).into_iter()) {
                tree::compare(a.as_ref(), b.as_ref(), &path.join(Step::Key(key.to_owned())), &writer, found);
            }
        }
        Some(_) => {
            let (a, b) = (a.map(|slot| scalar(slot, field)), b.map(|slot| scalar(slot, field)));
            // An absent list has no elements.
            let empty = || Tree::List(Vec::new());
            let (a, b) = match (&a, &b) {
                (Some(Tree::List(_)), None) => (a, Some(empty())),
                (None, Some(Tree::List(_))) => (Some(empty()), b),
                _ => (a, b),
            };
            tree::compare(a.as_ref(), b.as_ref(), path, &writer, found);
        }
    }
}

fn scalar(slot: Slot<'_>, field: &Field) -> Tree {
    match slot {
        Slot::Text(text) => Tree::Text(text.to_owned()),
        Slot::OptionalText(text) => text.map_or(Tree::Null, |text| Tree::Text(text.to_owned())),
        Slot::Bool(value) => Tree::Bool(value),
        Slot::OptionalBool(value) => value.map_or(Tree::Null, Tree::Bool),
        Slot::Integer(number) => Tree::Integer(number.into()),
        Slot::OptionalInteger(number) => number.map_or(Tree::Null, |number| Tree::Integer(number.into())),
        Slot::OptionalDouble(number) => number.map_or(Tree::Null, Tree::Number),
        Slot::Enum(number) => match field.kind {
            Kind::Enum(names) => {
                names.name(number).map_or(Tree::Integer(number.into()), |name| Tree::Text(name.to_owned()))
            }
            _ => Tree::Integer(number.into()),
        },
        Slot::Texts(texts) => Tree::List(texts.iter().map(|text| Tree::Text(text.clone())).collect()),
        Slot::TextMap(_) | Slot::BoolMap(_) | Slot::Message(_) | Slot::MessageMap(_) => Tree::Null,
    }
}
