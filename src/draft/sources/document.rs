//! A document that is being read: access to its members, and the forms of CAs and tokens.

use std::borrow::Cow;
use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::forms::{Form, at};
use super::stream::not_text;
use crate::configuration::syntax::is_bootstrap_token;
use crate::document::{is_misspelled, nearest};
use crate::draft::state::Draft;
use crate::inputs::{DocumentKind, OtherKind, is_jwt, recognize};
use crate::recognition::without_mark;

/// A document that is being read.
pub(super) struct Read<'d> {
    pub draft: &'d mut Draft,
    pub value: &'d Value,
    /// The command that prints such a document, and its file.
    pub origin: String,
    /// The members that were read.
    pub used: Vec<String>,
}

impl<'d> Read<'d> {
    /// Returns a member by the path of its names, in any letter case, unless it is `null`.
    pub fn member(&mut self, path: &str) -> Option<&'d Value> {
        self.used.push(path.to_owned());
        at(self.value, path)
    }

    /// Returns a member of a form. One of another form is listed once.
    fn formed(&mut self, path: &str, form: Form) -> Option<&'d Value> {
        let is_new = !self.used.iter().any(|used| used == path);
        if let Some(problem) = form.problem(self.value, path).filter(|_| is_new) {
            self.draft.dropped.push(format!("{}: {problem}", self.origin));
        }
        self.member(path)
    }

    /// Returns a text that is not empty.
    pub fn text(&mut self, path: &str) -> Option<&'d str> {
        self.formed(path, Form::Text)?.as_str().filter(|text| !text.is_empty())
    }

    /// Returns whether something is on, if the member says so.
    pub fn flag(&mut self, path: &str) -> Option<bool> {
        self.formed(path, Form::Flag)?.as_bool()
    }

    /// Returns the elements of a list: none, if it is not there.
    pub fn elements(&mut self, path: &str) -> &'d [Value] {
        self.formed(path, Form::List).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// Marks members that are irrelevant for nodes.
    pub fn ignore(&mut self, names: &[&str]) {
        self.used.extend(names.iter().map(|name| (*name).to_owned()));
    }

    /// Returns the comment of a member's value.
    pub fn origin(&self, path: &str) -> String {
        format!("from {}: {path}", self.origin)
    }

    /// Adds the value of a field, which is from a member.
    pub fn put(&mut self, field: &str, value: impl Into<Value>, path: &str) {
        let origin = self.origin(path);
        self.draft.fact(field, value, &origin);
    }

    /// Adds the text of a member as the value of a field.
    pub fn fact(&mut self, field: &str, path: &str) {
        if let Some(text) = self.text(path) {
            self.put(field, text, path);
        }
    }

    /// Adds a list, unless it is empty, as the value of a field.
    pub fn list(&mut self, field: &str, path: &str) {
        let list = self.elements(path);
        if !list.is_empty() {
            self.put(field, list, path);
        }
    }

    /// Adds the value of a field if a member has one of these texts, in any letter case.
    pub fn word(&mut self, field: &str, path: &str, words: &[(&str, &str)]) {
        let found = self.text(path).and_then(|text| words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)));
        if let Some((_, value)) = found {
            self.put(field, *value, path);
        }
    }

    /// Adds the text of a member as a value that identifies the cluster.
    pub fn identity(&mut self, field: &'static str, path: &str) {
        if let Some(text) = self.text(path) {
            let origin = self.origin(path);
            self.draft.identity(field, text, &origin);
        }
    }
}

/// Returns the names of the members that are set and were not read.
pub(super) fn unused(value: &Value, used: &[impl AsRef<str>]) -> String {
    // An object of which no member is set says nothing either.
    fn is_set(value: &Value) -> bool {
        match value {
            Value::Null | Value::Bool(false) => false,
            Value::Array(list) => !list.is_empty(),
            Value::Object(members) => members.values().any(is_set),
            Value::String(text) => !text.is_empty(),
            Value::Bool(true) | Value::Number(_) => true,
        }
    }
    let is_used = |name: &str| {
        used.iter().any(|used| used.as_ref().split('.').next().is_some_and(|first| first.eq_ignore_ascii_case(name)))
    };
    let members = value.as_object().into_iter().flatten();
    let names = members.filter(|(name, value)| is_set(value) && !is_used(name)).map(|(name, _)| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}

/// Returns the path of the object of a member, and the name.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or(("", path))
}

/// Returns a message for each member whose name is a typing error away from one that is read in the same object, which lacks it. `read` has
/// the paths of the members that are read.
pub(super) fn misspelled(value: &Value, read: &[&str]) -> Vec<String> {
    let outer = read.iter().flat_map(|path| path.match_indices('.').map(|(end, _)| &path[..end]));
    let paths: BTreeSet<&str> = outer.chain(read.iter().copied()).collect();
    let parents: BTreeSet<&str> = paths.iter().map(|path| split(path).0).collect();
    let mut problems = Vec::new();
    for parent in parents {
        let object = if parent.is_empty() { Some(value) } else { at(value, parent) };
        let Some(members) = object.and_then(Value::as_object) else { continue };
        let names: Vec<_> = paths.iter().map(|path| split(path)).filter(|(of, _)| *of == parent).collect();
        let has = |name: &str| members.contains_key(name) || members.keys().any(|key| key.eq_ignore_ascii_case(name));
        let missing: Vec<_> = names.iter().map(|(_, name)| *name).filter(|name| !has(name)).collect();
        for (name, _) in members.iter().filter(|(_, value)| !value.is_null()) {
            let is_known = names.iter().any(|(_, known)| known.eq_ignore_ascii_case(name));
            if !is_known && is_misspelled(name, missing.iter().copied()) {
                let meant = nearest(name, missing.iter().copied()).unwrap_or_default();
                let place = if parent.is_empty() { String::new() } else { format!("{parent}.") };
                problems.push(format!("{place}{name}: is not read: did you mean `{meant}`?"));
            }
        }
    }
    problems
}

/// Returns the text of a file that has one value, which is `wanted`.
pub(in crate::draft) fn text_of(bytes: &[u8], wanted: &str) -> Result<String, String> {
    if let Some(what) = not_text(bytes) {
        return Err(format!("is {what}"));
    }
    let text = String::from_utf8(bytes.to_vec()).map_err(|_| "is not UTF-8 text".to_owned())?;
    let text = without_mark(&text).trim();
    if text.is_empty() {
        return Err("is empty".to_owned());
    }
    let title = match recognize(text.as_bytes()) {
        Some(DocumentKind::Other(OtherKind::Cluster(document))) => document.title(),
        Some(DocumentKind::Other(list @ OtherKind::KubernetesList)) => list.title(),
        _ => return Ok(text.to_owned()),
    };
    Err(format!("is {title}, so it is not {wanted}: pass it as FILE, without this option"))
}

/// Returns PEM without blanks at the start of its lines, as it is copied from a document: the kubelet finds a certificate only at the start
/// of a line.
fn aligned(pem: &str) -> Cow<'_, str> {
    if !pem.lines().any(|line| line.starts_with([' ', '\t', '\u{feff}'])) {
        return Cow::Borrowed(pem);
    }
    let lines: Vec<_> = pem.split('\n').map(|line| line.trim_start_matches([' ', '\t', '\u{feff}'])).collect();
    Cow::Owned(lines.join("\n"))
}

/// Returns a CA as base64 of PEM.
pub(in crate::draft) fn authority(text: &str) -> Result<String, String> {
    const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
    const END: &str = "-----END CERTIFICATE-----";
    const KEY: &str = "PRIVATE KEY-----";
    let text = text.trim();
    if is_bootstrap_token(text) {
        return Err("is a bootstrap token, not a CA: pass it with --token-file".to_owned());
    }
    // A node would have the key, too. The message does not show it.
    if text.contains(KEY) {
        let what = if text.contains(BEGIN) {
            "has a private key beside the certificate"
        } else {
            "is a private key, not a CA"
        };
        return Err(format!("{what}: pass the certificate alone"));
    }
    if text.contains(BEGIN) && text.matches(BEGIN).count() > text.matches(END).count() {
        return Err(format!("is truncated: PEM of a certificate ends with `{END}`"));
    }
    if text.contains(BEGIN) {
        return Ok(STANDARD.encode(format!("{}\n", aligned(text))));
    }
    let packed: String = text.split_ascii_whitespace().collect();
    let decoded = STANDARD.decode(&packed).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    match decoded {
        Some(pem) if pem.contains(KEY) => authority(&pem),
        Some(pem) if pem.contains(BEGIN) && !pem.contains(END) => {
            Err(format!("is truncated: PEM of a certificate ends with `{END}`"))
        }
        Some(pem) if pem.contains(BEGIN) && aligned(&pem) != pem => Ok(STANDARD.encode(&*aligned(&pem))),
        Some(pem) if pem.contains(BEGIN) => Ok(packed),
        Some(inner) if is_bootstrap_token(inner.trim()) => Err("is a bootstrap token in base64, not a CA".to_owned()),
        _ if text.contains("CERTIFICATE REQUEST") => Err("is a request for a certificate, not a CA".to_owned()),
        None if text.starts_with("LS0tLS1CRUdJTi") => {
            Err("is truncated or broken: base64 of a certificate in PEM".to_owned())
        }
        _ => {
            Err("is not a CA: expected PEM that begins with `-----BEGIN CERTIFICATE-----`, or base64 of it".to_owned())
        }
    }
}

/// Returns a bootstrap token.
pub(in crate::draft) fn token(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.contains("BEGIN CERTIFICATE") || text.starts_with("LS0tLS1CRUdJTi") {
        return Err("is a certificate, not a bootstrap token: pass it with --ca".to_owned());
    }
    if is_bootstrap_token(text) {
        return Ok(text.to_owned());
    }
    if is_jwt(text) {
        return Err("is an access token (JWT), not a bootstrap token".to_owned());
    }
    Err("is not a bootstrap token: six and sixteen characters of `a-z` and `0-9`, separated by a dot".to_owned())
}
