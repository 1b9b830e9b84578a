//! Compares documents by path: maps by key, lists by their elements.

use std::collections::BTreeMap;

use super::align::{Change, align, by_name, numbered};
use super::found::Detail;
use super::value::{Writer, text};
use crate::document::{DocPath, Step, Tree};

/// Adds the differences between two values; `None` is an absent value.
pub(super) fn compare(a: Option<&Tree>, b: Option<&Tree>, path: &DocPath, writer: &Writer, found: &mut Vec<Detail>) {
    match (a, b) {
        (Some(Tree::Map(one)), Some(Tree::Map(other))) => {
            let sides = by_name(numbered(one.iter().map(named)), numbered(other.iter().map(named)));
            for ((name, _), (a, b)) in sides {
                let object = if a.is_some() { one } else { other };
                let writer = writer.for_member(name, object);
                compare(a, b, &path.join(Step::Unknown(name.to_owned())), &writer, found);
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
            // The simpler side first, so that exchanged sides give the same order.
            let rank = |side: Option<&Tree>| match side {
                Some(Tree::Map(_)) => 2,
                Some(Tree::List(_)) => 1,
                _ => 0,
            };
            let a_is_first = rank(one) <= rank(other);
            for is_a in [a_is_first, !a_is_first] {
                let Some(side) = (if is_a { one } else { other }) else { continue };
                leaves(side, path, writer, &mut |path, value, writer| {
                    let value = Some(writer.leaf(path, value));
                    let (a, b) = if is_a { (value, None) } else { (None, value) };
                    found.push(Detail { place: writer.place(path), a, b });
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

fn leaves(tree: &Tree, path: &DocPath, writer: &Writer, visit: &mut impl FnMut(&DocPath, &Tree, &Writer)) {
    match tree {
        Tree::List(list) if !list.is_empty() => {
            for (index, value) in list.iter().enumerate() {
                leaves(value, &path.join(Step::Index(index)), writer, visit);
            }
        }
        Tree::Map(members) if !members.is_empty() => {
            for (name, value) in members {
                leaves(value, &path.join(Step::Unknown(name.clone())), &writer.for_member(name, members), visit);
            }
        }
        leaf => visit(path, leaf, writer),
    }
}
