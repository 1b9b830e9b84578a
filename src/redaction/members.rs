//! Finds secrets that other members of an object in JSON announce: what Terraform lists as sensitive, the private parts of JSON
//! web keys, and pairs of keys.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::logins::is_secret_file;
use super::objects::begin_of_object;
use super::value::is_meaningful;

/// How far from a mark its object may begin and end.
const OBJECT: usize = 1 << 20;

/// The most objects and lists in one another.
const DEPTH: usize = 64;

/// Parts of the names of members that announce others.
static MARKS: LazyLock<[Finder<'static>; 15]> = LazyLock::new(|| {
    [
        "sensitive",
        "\"kty\"",
        "\"key1\"",
        "\"secrets\"",
        "\"passwords\"",
        "\"functionKeys\"",
        "\"systemKeys\"",
        "\"github-oauth\"",
        "\"gitlab-oauth\"",
        "\"gitlab-token\"",
        "\"protectedSettings\"",
        "\"Microsoft.KeyVault/vaults/secrets\"",
        "\"contents\"",
        "\"connectionString\"",
        RECOVERY,
    ]
    .map(Finder::new)
});

/// A member of the attributes of what is in Key Vault.
const RECOVERY: &str = "\"recoveryLevel\"";

/// What the address of a secret in Key Vault has, which is the value of a member.
static ADDRESS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(".azure.net/secrets/"));

/// The type of a parameter of a template that is an object of secrets.
static SECURE: LazyLock<[Finder<'static>; 3]> =
    LazyLock::new(|| ["\"secureObject\"", "\"SecureObject\"", "\"secureobject\""].map(Finder::new));

/// The type of such a secret in a template.
const VAULT_SECRET: &[u8] = b"Microsoft.KeyVault/vaults/secrets";

/// Members whose members are secrets, whatever their names.
const MAPS: [&str; 7] = [
    "passwords",
    "functionKeys",
    "systemKeys",
    "github-oauth",
    "gitlab-oauth",
    "gitlab-token",
    // Of an extension of a virtual machine.
    "protectedSettings",
];

/// What the lists and marks of Terraform are about: members of the states, plans and outputs that it shows.
const MARKED: [(&str, &str); 3] =
    [("sensitive_values", "values"), ("before_sensitive", "before"), ("after_sensitive", "after")];

/// The private members of JSON web keys (RFC 7518).
const PRIVATE: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "k", "oth"];

/// Bytes of the shortest of two keys of an account. Examples have shorter values.
const SHORTEST_KEY: usize = 32;

/// A value of JSON, and where its texts are.
enum Node<'t> {
    /// What is between quotes.
    Text(Range<usize>),
    /// A number, a word, or nothing.
    Word(&'t [u8]),
    List(Vec<Self>),
    Object(Vec<(&'t [u8], Self)>),
}

/// Adds such secrets.
pub(super) fn find(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    let types = SECURE.iter().map(|mark| (mark, true));
    for (mark, is_value) in MARKS.iter().map(|mark| (mark, false)).chain([(&*ADDRESS, true)]).chain(types) {
        // Each byte is read once before a mark and once after one.
        let mut read = 0;
        for at in mark.find_iter(text) {
            let after = at + mark.needle().len();
            if at < read || !(is_value || is_name(text, at, after)) {
                continue;
            }
            let lowest = at.saturating_sub(OBJECT).max(read);
            let mut begin = lowest + begin_of_object(&text[lowest..at]);
            // The object of the attributes.
            if mark.needle() == RECOVERY.as_bytes() {
                begin = lowest + begin_of_object(&text[lowest..begin]);
            }
            let mut parser = Parser { text, at: begin, end: text.len().min(at + OBJECT) };
            // A part of an object, as in a log, begins with the name.
            let object = if text[begin] == b'{' || is_value {
                parser.value(0)
            } else {
                parser.at = at;
                Node::Object(parser.members(0))
            };
            read = parser.at.max(after);
            search(text, &object, ranges);
        }
    }
}

/// Reports whether a mark is the name of a member, or a part of it.
fn is_name(text: &[u8], at: usize, after: usize) -> bool {
    let is_in = |byte: &&u8| byte.is_ascii_lowercase() || **byte == b'_';
    let before = text[..at].iter().rev().take(16).take_while(is_in).count();
    let rest = text[after..].iter().take(16).take_while(is_in).count();
    let is_quoted = text[..at - before].ends_with(b"\"") && text[after + rest..].starts_with(b"\"");
    is_quoted || text[at] == b'"'
}

/// Reads JSON as far as it goes: what was cut off or is none ends where it ends.
struct Parser<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
}

impl<'t> Parser<'t> {
    fn skip_blanks(&mut self) {
        self.at += self.text[self.at..self.end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    /// Skips blanks and a sign, and reports whether it was there.
    fn accept(&mut self, sign: u8) -> bool {
        self.skip_blanks();
        let is_here = self.at < self.end && self.text[self.at] == sign;
        self.at += usize::from(is_here);
        is_here
    }

    /// Returns what is between quotes.
    fn quoted(&mut self) -> Option<Range<usize>> {
        if !self.accept(b'"') {
            return None;
        }
        let begin = self.at;
        while self.at < self.end && self.text[self.at] != b'"' {
            self.at += if self.text[self.at] == b'\\' { 2 } else { 1 };
        }
        let found = begin..self.at.min(self.end);
        self.at = self.end.min(self.at + 1);
        Some(found)
    }

    /// Returns the members of an object up to its end.
    fn members(&mut self, depth: usize) -> Vec<(&'t [u8], Node<'t>)> {
        let mut members = Vec::new();
        while !self.accept(b'}') {
            let Some(name) = self.quoted() else { break };
            if !self.accept(b':') {
                break;
            }
            members.push((&self.text[name], self.value(depth + 1)));
            self.accept(b',');
        }
        members
    }

    fn value(&mut self, depth: usize) -> Node<'t> {
        if depth > DEPTH {
            return Node::Word(&[]);
        }
        if self.accept(b'{') {
            return Node::Object(self.members(depth));
        }
        if self.accept(b'[') {
            let mut elements = Vec::new();
            while !self.accept(b']') {
                let before = self.at;
                elements.push(self.value(depth + 1));
                self.accept(b',');
                if self.at == before {
                    break;
                }
            }
            return Node::List(elements);
        }
        if let Some(text) = self.quoted() {
            return Node::Text(text);
        }
        let rest = &self.text[self.at..self.end];
        let word =
            &rest[..rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count()];
        self.at += word.len();
        Node::Word(word)
    }
}

impl Node<'_> {
    fn member(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(other, _)| *other == name.as_bytes()).map(|(_, value)| value)
    }

    fn is_true(&self) -> bool {
        matches!(self, Self::Word(b"true"))
    }
}

/// Adds the secrets of a value and of those in it.
fn search(text: &[u8], node: &Node<'_>, ranges: &mut Vec<Range<usize>>) {
    match node {
        Node::List(elements) => elements.iter().for_each(|element| search(text, element, ranges)),
        Node::Object(members) => {
            announced(text, node, members, ranges);
            for (_, value) in members {
                search(text, value, ranges);
            }
        }
        Node::Text(_) | Node::Word(_) => {}
    }
}

/// Adds the members of an object that others announce.
fn announced(text: &[u8], object: &Node<'_>, members: &[(&[u8], Node<'_>)], ranges: &mut Vec<Range<usize>>) {
    // An output, which has no other members.
    let is_output = members.iter().all(|(name, _)| [&b"sensitive"[..], b"type", b"value"].contains(name));
    if is_output
        && object.member("sensitive").is_some_and(Node::is_true)
        && let Some(value) = object.member("value")
    {
        all(text, value, ranges);
    }
    for (mark, name) in MARKED {
        if let (Some(mark), Some(value)) = (object.member(mark), object.member(name)) {
            marked(text, mark, value, ranges);
        }
    }
    if let (Some(Node::List(paths)), Some(attributes)) =
        (object.member("sensitive_attributes"), object.member("attributes"))
    {
        let mut sensitive = Paths::default();
        for path in paths {
            if let Node::List(steps) = path {
                sensitive.add(text, steps);
            }
        }
        sensitive.follow(text, attributes, ranges);
    }
    // The keys of an account, as `az cognitiveservices account keys list` shows them.
    if let [(b"key1", Node::Text(one)), (b"key2", Node::Text(two))] = members
        && one.len().min(two.len()) >= SHORTEST_KEY
    {
        ranges.extend([one.clone(), two.clone()]);
    }
    let is_text = |member: &str, is: fn(&[u8]) -> bool| matches!(object.member(member), Some(Node::Text(found)) if is(&text[found.clone()]));
    if is_text("id", |id| ADDRESS.find(id).is_some())
        && let Some(value) = object.member("value")
    {
        all(text, value, ranges);
    }
    if object.member("attributes").is_some_and(|attributes| attributes.member("recoveryLevel").is_some())
        && let Some(value @ Node::Text(_)) = object.member("value")
    {
        all(text, value, ranges);
    }
    if is_text("type", |kind| kind == VAULT_SECRET || kind == b"secrets")
        && let Some(value) = object.member("properties").and_then(|properties| properties.member("value"))
    {
        all(text, value, ranges);
    }
    if is_text("type", |kind| kind.eq_ignore_ascii_case(b"secureObject")) {
        let values = ["value", "defaultValue"].into_iter().filter_map(|name| object.member(name));
        values.for_each(|value| all(text, value, ranges));
    }
    // A key of App Configuration.
    if is_text("connectionString", |string| memmem::find(string, b";Secret=").is_some())
        && let Some(value) = object.member("value")
    {
        all(text, value, ranges);
    }
    if let Some(Node::List(secrets)) = object.member("secrets") {
        let named = secrets.iter().filter(|secret| secret.member("name").is_some());
        named.filter_map(|secret| secret.member("value")).for_each(|value| all(text, value, ranges));
    }
    for map in MAPS {
        if let Some(map @ Node::Object(_)) = object.member(map) {
            all(text, map, ranges);
        }
    }
    // A file of Ignition: `{"path": "/etc/token", "contents": {"source": "data:,x"}}`.
    if let (Some(Node::Text(path)), Some(contents)) = (object.member("path"), object.member("contents"))
        && is_secret_file(text, path)
        && let Some(Node::Text(source)) = contents.member("source")
        && let Some(comma) = text[source.clone()].strip_prefix(b"data:").and_then(|rest| memchr::memchr(b',', rest))
    {
        all(text, &Node::Text(source.start + 6 + comma..source.end), ranges);
    }
    if object.member("kty").is_some() {
        let private = members.iter().filter(|(name, _)| PRIVATE.iter().any(|private| private.as_bytes() == *name));
        private.for_each(|(_, value)| all(text, value, ranges));
    }
}

/// Adds all texts and numbers in a value.
fn all(text: &[u8], node: &Node<'_>, ranges: &mut Vec<Range<usize>>) {
    match node {
        Node::Text(found) if is_meaningful(&text[found.clone()]) => ranges.push(found.clone()),
        Node::List(elements) => elements.iter().for_each(|element| all(text, element, ranges)),
        Node::Object(members) => members.iter().for_each(|(_, value)| all(text, value, ranges)),
        Node::Text(_) | Node::Word(_) => {}
    }
}

/// Adds what is marked in a value of the same shape: `{"password": true}`.
fn marked(text: &[u8], mark: &Node<'_>, value: &Node<'_>, ranges: &mut Vec<Range<usize>>) {
    match (mark, value) {
        (mark, value) if mark.is_true() => all(text, value, ranges),
        (Node::List(marks), Node::List(elements)) => {
            marks.iter().zip(elements).for_each(|(mark, element)| marked(text, mark, element, ranges));
        }
        (Node::Object(marks), Node::Object(members)) => {
            let marks: HashMap<_, _> = marks.iter().map(|(name, mark)| (*name, mark)).collect();
            for (name, value) in members {
                if let Some(mark) = marks.get(name) {
                    marked(text, mark, value, ranges);
                }
            }
        }
        _ => {}
    }
}

/// Paths to secrets, by their first steps.
#[derive(Default)]
struct Paths<'t> {
    /// Whether one ends here.
    ends: bool,
    /// To members.
    members: HashMap<&'t [u8], Self>,
    /// To elements of a list, whatever their numbers.
    elements: Option<Box<Self>>,
}

impl<'t> Paths<'t> {
    /// Adds a path: `[{"type": "get_attr", "value": "password"}, {"type": "index", "value": {"value": 0, "type": "number"}}]`.
    fn add(&mut self, text: &'t [u8], steps: &[Node<'_>]) {
        let mut here = self;
        for step in steps.iter().take(DEPTH) {
            let value = step.member("value");
            here = match value.and_then(|value| value.member("value")).or(value) {
                Some(Node::Text(name)) => here.members.entry(&text[name.clone()]).or_default(),
                _ => here.elements.get_or_insert_default(),
            };
        }
        here.ends = true;
    }

    /// Adds what the paths lead to.
    fn follow(&self, text: &[u8], value: &Node<'_>, ranges: &mut Vec<Range<usize>>) {
        match value {
            value if self.ends => all(text, value, ranges),
            Node::Object(members) => {
                for (name, value) in members {
                    if let Some(paths) = self.members.get(name) {
                        paths.follow(text, value, ranges);
                    }
                }
            }
            Node::List(elements) => {
                if let Some(paths) = &self.elements {
                    for element in elements {
                        paths.follow(text, element, ranges);
                    }
                }
            }
            Node::Text(_) | Node::Word(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::redaction::tests::found_by;

    fn values(text: &str) -> Vec<&str> {
        found_by(super::find, text)
    }

    #[test]
    fn members_that_others_announce_are_found() {
        let state = r#"{"resources": [{"instances": [{"attributes": {"id": "/a/b", "content": "x1", "list": [{"data": "x2", "name": "n"}],
            "map": {"k": "x3", "l": "m"}, "whole": {"a": ["x4"], "b": {"c": "x\"5"}}, "none": null},
            "sensitive_attributes": [[{"type": "get_attr", "value": "content"}], [{"type": "get_attr", "value": "whole"}],
            [{"type": "get_attr", "value": "list"}, {"type": "index", "value": {"value": 0, "type": "number"}},
            {"type": "get_attr", "value": "data"}], [{"type": "get_attr", "value": "none"}],
            [{"type": "get_attr", "value": "map"}, {"type": "index", "value": {"value": "k", "type": "string"}}]]}]}]}"#;
        assert_eq!(values(state), ["x1", "x2", "x3", "x4", r#"x\"5"#]);
        let plan = r#"{"change": {"before": {"a": "x1", "b": "c"}, "after": {"l": [{"a": "d"}, {"a": "x2", "b": "e"}]},
            "before_sensitive": {"a": true, "c": {}}, "after_sensitive": {"l": [{}, {"a": true}]}}}"#;
        assert_eq!(values(plan), ["x1", "x2"]);
        assert_eq!(values(r#"{"values": {"a": "x1", "b": "c"}, "sensitive_values": {"a": true}}"#), ["x1"]);
        let outputs =
            r#"{"a": {"sensitive": true, "type": "string", "value": "x1"}, "b": {"sensitive": false, "value": "c"}}"#;
        assert_eq!(values(outputs), ["x1"]);
        let key = r#"{"keys": [{"kty": "EC", "crv": "P-256", "x": "a", "y": "b", "d": "x1"}, {"kty": "oct", "k": "x2", "kid": "c"}]}"#;
        assert_eq!(values(key), ["x1", "x2"]);
        let (one, two) = ("0a1b2c3d4e5f60718293a4b5c6d7e8f9", "1a1b2c3d4e5f60718293a4b5c6d7e8f9");
        assert_eq!(values(&format!(r#"{{"key1": "{one}", "key2": "{two}"}}"#)), [one, two]);
        assert_eq!(values(r#"{"kty": "RSA", "n": "a", "e": "AQAB", "d": "x1", "oth": [{"r": "x2", "#), ["x1", "x2"]);
        for (shown, secret) in [
            (r#"{"id": "https://v.vault.azure.net/secrets/db/1", "name": "db", "value": "x1"}"#, "x1"),
            (r#"{"type": "Microsoft.KeyVault/vaults/secrets", "name": "v/db", "properties": {"value": "x1"}}"#, "x1"),
            (r#"{"secrets": [{"name": "a", "value": "x1"}, {"name": "b", "identity": "c"}]}"#, "x1"),
            (r#"{"masterKey": 1, "functionKeys": {"default": "x1"}}"#, "x1"),
        ] {
            assert_eq!(values(shown), [secret], "{shown}");
        }
        for harmless in [
            r#"{"id": "https://v.vault.azure.net/keys/db/1", "name": "db", "value": "y"}"#,
            r#"{"secrets": [{"name": "a", "keyVaultUrl": "https://v.vault.azure.net/secrets/db"}]}"#,
            r#"{"secrets": {"provider": "y"}}"#,
            r#"{"attributes": {"id": "/a", "b": "c"}, "sensitive_attributes": []}"#,
            r#"{"values": {"a": "b"}, "sensitive_values": {"tags": {}}}"#,
            "the sensitive value is hidden, \"sensitive\": true, \"value\": \"x\"",
            r#"{"key1": "value1", "key2": "value2"}"#,
            r#"{"type": "map", "sensitive": true, "key": {"shape": "A"}, "value": {"shape": "B"}}"#,
            r#"{"case_sensitive": true, "value": "x"}"#,
            r#"{"kty": "RSA", "n": "a", "e": "AQAB"}"#,
        ] {
            assert!(values(harmless).is_empty(), "{harmless}");
        }
    }
}
