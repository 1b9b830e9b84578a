//! Reading members of a NodeBootstrappingConfiguration by path. Names are matched exactly first, then in any case.

use std::collections::BTreeMap;

use super::fields::{FIELDS, Kind, PREFIXES};
use crate::document::{DocPath, Finding, Problem, STRING, Step, Tree};

/// A document whose members have the types that [`FIELDS`] asks for.
pub(super) struct Document<'t> {
    root: &'t Tree,
    prefixes: [Option<&'t Tree>; PREFIXES.len()],
}

/// A member of an object; `null` counts as absent.
pub(super) fn member<'t>(tree: &'t Tree, name: &str) -> Option<(&'t str, &'t Tree)> {
    let Tree::Map(members) = tree else { return None };
    let exact = members.iter().find(|(member, _)| member == name);
    let found = exact.or_else(|| members.iter().find(|(member, _)| member.eq_ignore_ascii_case(name)));
    found.map(|(name, value)| (name.as_str(), value)).filter(|(_, value)| **value != Tree::Null)
}

fn walk<'t>(from: &'t Tree, path: &str) -> Option<&'t Tree> {
    path.split('.').try_fold(from, |tree, name| member(tree, name).map(|(_, value)| value))
}

/// The path with its prefix written out.
pub(super) fn full(path: &str) -> String {
    let prefix = PREFIXES.iter().find_map(|(short, long)| Some((long, path.strip_prefix(short)?)));
    prefix.map_or_else(|| path.to_owned(), |(long, rest)| format!("{long}{rest}"))
}

/// The path as the document spells it, as far as it goes.
fn spelled(root: &Tree, path: &str) -> DocPath {
    let mut steps = Vec::new();
    let mut tree = Some(root);
    for name in full(path).split('.') {
        let found = tree.and_then(|tree| member(tree, name));
        steps.push(Step::Unknown(found.map_or(name, |(spelled, _)| spelled).to_owned()));
        tree = found.map(|(_, value)| value);
    }
    DocPath(steps)
}

impl<'t> Document<'t> {
    /// Judges the types of all known members.
    pub fn new(root: &'t Tree, findings: &mut Vec<Finding>) -> Self {
        let prefixes = PREFIXES.map(|(_, long)| walk(root, long.trim_end_matches('.')));
        let document = Self { root, prefixes };
        for (path, kind, _) in FIELDS {
            let Some(value) = document.get(path) else { continue };
            let expected = match (kind, value) {
                (Kind::Text | Kind::Secret | Kind::Encoded | Kind::EncodedSecret, Tree::Text(_))
                | (Kind::Switch, Tree::Bool(_))
                | (Kind::NumberOrZero, Tree::Integer(_) | Tree::Number(_))
                | (Kind::Object, Tree::Map(_)) => continue,
                (Kind::Integer | Kind::IntegerOrZero, Tree::Integer(number)) if i32::try_from(*number).is_ok() => {
                    continue;
                }
                (Kind::Texts, Tree::List(list)) if list.iter().all(|one| matches!(one, Tree::Text(_))) => continue,
                (Kind::Objects, Tree::List(list)) if list.iter().all(|one| matches!(one, Tree::Map(_))) => continue,
                (Kind::Map, Tree::Map(map)) if map.iter().all(|(_, one)| matches!(one, Tree::Text(_))) => continue,
                (Kind::Text | Kind::Secret | Kind::Encoded | Kind::EncodedSecret, _) => STRING,
                (Kind::Switch, _) => "`true` or `false`",
                (Kind::Integer | Kind::IntegerOrZero, _) => "a 32-bit integer",
                (Kind::NumberOrZero, _) => "a number",
                (Kind::Texts, _) => "a list of strings",
                (Kind::Map, _) => "a map of strings",
                (Kind::Object, _) => "an object",
                (Kind::Objects, _) => "a list of objects",
            };
            let secret = matches!(kind, Kind::Secret | Kind::EncodedSecret);
            let found = if secret { value.found().secret() } else { value.found().to_string() };
            let problem = Problem::Unexpected { expected: expected.into(), found };
            findings.push(Finding::error(document.path(path), problem));
        }
        document
    }

    /// The path of a member for a finding.
    pub fn path(&self, path: &str) -> DocPath {
        spelled(self.root, path)
    }

    // One copy, not one at each of its many callers.
    #[inline(never)]
    pub fn get(&self, path: &str) -> Option<&'t Tree> {
        for ((short, _), from) in PREFIXES.iter().zip(self.prefixes) {
            if let Some(rest) = path.strip_prefix(short) {
                return walk(from?, rest);
            }
        }
        walk(self.root, path)
    }

    pub fn has(&self, path: &str) -> bool {
        self.get(path).is_some()
    }

    /// Text; empty when absent.
    pub fn text(&self, path: &str) -> &'t str {
        self.optional_text(path).unwrap_or_default()
    }

    pub fn optional_text(&self, path: &str) -> Option<&'t str> {
        match self.get(path)? {
            Tree::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A switch; off when absent.
    pub fn switch(&self, path: &str) -> bool {
        self.optional_switch(path).unwrap_or_default()
    }

    pub fn optional_switch(&self, path: &str) -> Option<bool> {
        match self.get(path)? {
            Tree::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn integer(&self, path: &str) -> Option<i32> {
        match self.get(path)? {
            Tree::Integer(number) => i32::try_from(*number).ok(),
            _ => None,
        }
    }

    /// A number as Go writes it: the shortest decimal, without exponent; 0 when absent.
    pub fn number(&self, path: &str) -> String {
        match self.get(path) {
            Some(Tree::Integer(number)) => number.to_string(),
            Some(Tree::Number(number)) => number.to_string(),
            _ => "0".to_owned(),
        }
    }

    pub fn texts(&self, path: &str) -> Vec<&'t str> {
        let Some(Tree::List(list)) = self.get(path) else { return Vec::new() };
        list.iter().filter_map(|one| if let Tree::Text(text) = one { Some(text.as_str()) } else { None }).collect()
    }

    /// Texts by name; `None` when absent.
    pub fn map(&self, path: &str) -> Option<BTreeMap<String, String>> {
        let Tree::Map(map) = self.get(path)? else { return None };
        let pairs =
            map.iter().filter_map(|(name, one)| if let Tree::Text(text) = one { Some((name, text)) } else { None });
        Some(pairs.map(|(name, text)| (name.clone(), text.clone())).collect())
    }
}
