//! Compares documents by path: maps by key, lists by their elements.

use std::collections::BTreeMap;

use super::align::{Change, align};
use super::value::Writer;
use super::{Detail, by_name, numbered};
use crate::document::{DocPath, Step, Tree};
use crate::ordering;

/// Adds what differs between two values; `None` is a value that is not there.
pub(super) fn compare(a: Option<&Tree>, b: Option<&Tree>, path: &DocPath, writer: &Writer, found: &mut Vec<Detail>) {
    match (a, b) {
        (Some(Tree::Map(one)), Some(Tree::Map(other))) => {
            let sides = by_name(numbered(one.iter().map(named)), numbered(other.iter().map(named)));
            for ((name, _), (a, b)) in sides {
                compare(a, b, &path.join(Step::Unknown(name.to_owned())), writer, found);
            }
        }
        (Some(Tree::List(one)), Some(Tree::List(other))) => {
            lists(one, other, |index, a, b| compare(a, b, &path.join(Step::Index(index)), writer, found));
        }
        (Some(one), Some(other)) if text(one) == text(other) => {}
        (Some(one), Some(other)) if is_leaf(one) && is_leaf(other) => {
            found.push(Detail {
                place: writer.place(path),
                a: Some(writer.leaf(path, one)),
                b: Some(writer.leaf(path, other)),
            });
        }
        (one, other) => {
            if let Some(one) = one {
                leaves(one, path, &mut |path, value| {
                    found.push(Detail { place: writer.place(path), a: Some(writer.leaf(path, value)), b: None });
                });
            }
            if let Some(other) = other {
                leaves(other, path, &mut |path, value| {
                    found.push(Detail { place: writer.place(path), a: None, b: Some(writer.leaf(path, value)) });
                });
            }
        }
    }
}

/// Calls `differ` with each index at which one of two lists has an element that the other one lacks.
pub(super) fn lists<'t>(
    one: &'t [Tree],
    other: &'t [Tree],
    mut differ: impl FnMut(usize, Option<&'t Tree>, Option<&'t Tree>),
) {
    let texts = |list: &[Tree]| list.iter().map(text).collect::<Vec<_>>();
    let mut indexes: BTreeMap<usize, (bool, bool)> = BTreeMap::new();
    for Change { a, b } in align(&texts(one), &texts(other)) {
        a.for_each(|index| indexes.entry(index).or_default().0 = true);
        b.for_each(|index| indexes.entry(index).or_default().1 = true);
    }
    for (index, (in_one, in_other)) in indexes {
        differ(index, in_one.then(|| &one[index]), in_other.then(|| &other[index]));
    }
}

fn named((name, value): &(String, Tree)) -> (&str, &Tree) {
    (name, value)
}

fn is_leaf(tree: &Tree) -> bool {
    match tree {
        Tree::List(list) => list.is_empty(),
        Tree::Map(members) => members.is_empty(),
        _ => true,
    }
}

fn leaves(tree: &Tree, path: &DocPath, visit: &mut impl FnMut(&DocPath, &Tree)) {
    match tree {
        Tree::List(list) if !list.is_empty() => {
            for (index, value) in list.iter().enumerate() {
                leaves(value, &path.join(Step::Index(index)), visit);
            }
        }
        Tree::Map(members) if !members.is_empty() => {
            for (name, value) in members {
                leaves(value, &path.join(Step::Unknown(name.clone())), visit);
            }
        }
        leaf => visit(path, leaf),
    }
}

/// Returns JSON in which equal values have equal texts: members are sorted.
pub(super) fn text(tree: &Tree) -> String {
    let mut out = String::new();
    write(tree, &mut out);
    out
}

fn write(tree: &Tree, out: &mut String) {
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    match tree {
        Tree::Null => out.push_str("null"),
        Tree::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Tree::Integer(number) => out.push_str(&number.to_string()),
        Tree::Number(number) if number.is_finite() => out.push_str(&serde_json::to_string(number).unwrap_or_default()),
        Tree::Number(number) => out.push_str(&quoted(&number.to_string())),
        Tree::Text(text) => out.push_str(&quoted(text)),
        Tree::Bytes(bytes) => {
            use base64::Engine;
            out.push_str(&quoted(&format!("!!binary {}", base64::engine::general_purpose::STANDARD.encode(bytes))));
        }
        Tree::List(list) => {
            out.push('[');
            for (at, value) in list.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write(value, out);
            }
            out.push(']');
        }
        Tree::Map(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            ordering::sort_by(&mut sorted, |(one, _), (other, _)| one.cmp(other));
            out.push('{');
            for (at, (name, value)) in sorted.into_iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                out.push_str(&quoted(name));
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
    }
}
