//! Reads every document of a stream: JSON values one after another, YAML documents separated by `---`, or both.

use std::collections::HashSet;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Map, Value};

use super::wrappings::unwrapped;
use crate::configuration::syntax::is_bootstrap_token;
use crate::document::rules;
use crate::document::stream::{Form, pieces, without_noise};
use crate::document::{Finding, Location, ParsedTree, Position, Problem, Source, Step, StepRef, Tree};
use crate::inputs::{error_in_stream, is_list_of_powershell, is_table_of_azure, message_of_azure, text_of_program};
use crate::recognition::{Content, Text, without_mark};

/// A document and the line in which it begins.
#[derive(Debug, PartialEq)]
pub(super) struct Document {
    pub line: usize,
    pub value: Value,
    pub end: End,
}

/// What the text of a document ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The bracket of JSON.
    Bracket,
    /// A line of YAML.
    Line,
    /// A line of YAML that has no end, as that of a file that was cut.
    OpenLine,
}

/// A problem that ends the reading of a stream, and its place.
#[derive(Debug, PartialEq)]
pub(super) struct Broken {
    pub line: usize,
    /// The column, if the text is JSON or YAML up to there.
    column: Option<usize>,
    pub problem: String,
}

impl Broken {
    fn new(line: usize, problem: impl Into<String>) -> Self {
        Self { line, column: None, problem: problem.into() }
    }

    /// Returns the place for messages: file, line and column.
    pub fn place(&self, name: &str) -> String {
        match self.column {
            Some(column) => format!("{name}:{}:{column}", self.line),
            None => format!("{name}:{}", self.line),
        }
    }
}

/// Calls a function with each document, one at a time: as values, many small ones need some fifty times the memory of their text.
/// The error ends the reading.
pub(super) fn documents(bytes: &[u8], mut each: impl FnMut(Document)) -> Result<(), Broken> {
    if let Some(what) = not_text(bytes) {
        return Err(Broken::new(1, format!("is {what}")));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n');
        Broken::new(before.count(), "is not UTF-8 text")
    })?;
    let first = without_mark(text).trim();
    if let Some(problem) = credential(first) {
        return Err(Broken::new(1, problem));
    }
    let is_of_node = |text: Text| text.is_user_data() || matches!(text, Text::Script | Text::Command);
    if matches!(Content::of(bytes), Content::Text(text) if is_of_node(text)) {
        return Err(Broken::new(1, no_document(text)));
    }
    if let Some((line, program)) = error_in_stream(text) {
        let message = text.lines().nth(line - 1).unwrap_or_default();
        let reason = reason_of(message).map(|reason| format!(": {reason}")).unwrap_or_default();
        let problem = format!("is an error message of {program}, which printed no document{reason}");
        return Err(Broken::new(line, problem));
    }
    let is_open = !text.ends_with('\n');
    let text = &without_noise(&unwrapped(text), |line| message_of_azure(line).is_some()).into_owned();
    let pieces = pieces(text);
    if pieces.is_empty() && !first.is_empty() {
        let hint = if first.contains("\" as current context in ") {
            ": `kubectl config view --raw --minify` prints the kubeconfig that `az aks get-credentials` wrote"
        } else {
            ""
        };
        return Err(Broken::new(1, format!("has only messages or commands, and no document{hint}")));
    }
    let count = pieces.len();
    for (index, piece) in pieces.into_iter().enumerate() {
        let line = piece.start.line;
        let (value, end) = match piece.form {
            Form::Json => {
                let WithoutRepeats(value) =
                    serde_json::from_str(piece.text).map_err(|error| broken(&error, piece.start))?;
                (value, End::Bracket)
            }
            Form::Yaml => {
                let end = if is_open && index + 1 == count { End::OpenLine } else { End::Line };
                (yaml(piece.text, piece.start)?, end)
            }
            Form::Assignments => return Err(Broken::new(line, no_document(piece.text))),
            Form::Prose => continue,
        };
        each(Document { line, value, end });
    }
    Ok(())
}

/// Returns the code of an error that `az` or `kubectl` puts in parentheses, or how to sign in. The rest of a message can have names.
fn reason_of(message: &str) -> Option<String> {
    if message.contains("az login") {
        return Some("run `az login` first".to_owned());
    }
    let parts = message.split('(').skip(1).filter_map(|rest| rest.split_once(')'));
    let is_code = |code: &&str| {
        code.starts_with(|first: char| first.is_ascii_uppercase())
            && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    parts.map(|(code, _)| code).find(is_code).map(|code| format!("`{code}`"))
}

/// Returns what bytes are that are no text, for messages.
pub(super) fn not_text(bytes: &[u8]) -> Option<String> {
    match Content::of(bytes) {
        Content::Binary(binary) => {
            let hint = binary.unpacker().map(|command| format!(": `{command}` prints what is in it"));
            Some(format!("{}, not the output of `az` or `kubectl`{}", binary.title(), hint.unwrap_or_default()))
        }
        Content::Encoded(encoding) => {
            Some(format!("{}: convert it with `iconv -f {} -t UTF-8`", encoding.title(), encoding.charset()))
        }
        // A sequence of ASN.1 that has another one first, with lengths of two bytes.
        Content::Unknown if matches!(bytes, [0x30, 0x82, _, _, 0x30, 0x82, ..]) => {
            let command = "openssl x509 -inform DER -in FILE";
            Some(format!("a certificate in DER: convert it with `{command}`, and pass the cluster CA with --ca"))
        }
        Content::Unknown if bytes.contains(&0) => Some("binary data, not the output of `az` or `kubectl`".to_owned()),
        Content::Text(_) | Content::Unknown => None,
    }
}

/// Says which option reads a text, if it is a token or a certificate.
fn credential(text: &str) -> Option<&'static str> {
    if is_bootstrap_token(text) {
        return Some("is a bootstrap token: pass it with --token-file");
    }
    let decoded = STANDARD.decode(text).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    if decoded.is_some_and(|text| is_bootstrap_token(text.trim())) {
        return Some("is a bootstrap token in base64: decode it with `base64 -d`, and pass it with --token-file");
    }
    let is_certificate = text.starts_with("-----BEGIN CERTIFICATE-----") || text.starts_with("LS0tLS1CRUdJTi");
    is_certificate.then_some("is a certificate: pass the cluster CA with --ca")
}

fn broken(error: &serde_json::Error, start: Position) -> Broken {
    let position = Position { line: error.line(), column: error.column() }.shifted(start);
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(&*text, |(problem, _)| problem);
    let problem = match error.classify() {
        Category::Eof => "is truncated: the JSON ends in the middle".to_owned(),
        Category::Data => text.to_owned(),
        Category::Syntax | Category::Io => format!("is broken JSON: {text}"),
    };
    Broken { line: position.line, column: Some(position.column), problem }
}

/// JSON of which no object has a member twice: programs differ in which of the two they read.
struct WithoutRepeats(Value);

impl<'de> Deserialize<'de> for WithoutRepeats {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader).map(Self)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(WithoutRepeats(element)) = list.next_element()? {
            elements.push(element);
        }
        Ok(Value::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if object.contains_key(&name) {
                return Err(Error::custom(twice(&name)));
            }
            let WithoutRepeats(value) = members.next_value()?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

fn twice(name: &str) -> String {
    format!("has the member {name:?} twice in one object: remove one of the two")
}

/// Returns the first member that has the name of an earlier one in its object.
fn repeated(tree: &ParsedTree<'_>, location: &Location<'_>) -> Option<Finding> {
    match tree {
        Tree::Map(members) => {
            let mut names = HashSet::with_capacity(members.len());
            members.iter().enumerate().find_map(|(ordinal, (name, value))| {
                let location = location.child(StepRef::Key(name), ordinal);
                if names.insert(name) {
                    repeated(value, &location)
                } else {
                    Some(Finding::here(&rules::DUPLICATE_FIELD, &location, Problem::Duplicate))
                }
            })
        }
        Tree::List(list) => list
            .iter()
            .enumerate()
            .find_map(|(ordinal, value)| repeated(value, &location.child(StepRef::Index, ordinal))),
        _ => None,
    }
}

fn yaml(text: &str, start: Position) -> Result<Value, Broken> {
    let line = start.line;
    if is_list_of_powershell(text) {
        return Err(Broken::new(line, no_document(text)));
    }
    // What a list leaves, of which only some elements were copied.
    if let Some(sign) = text.trim_start().chars().next().filter(|sign| [',', ']', '}'].contains(sign)) {
        let position = Position::after(&text[..text.len() - text.trim_start().len()]).shifted(start);
        let problem =
            format!("is broken JSON: `{sign}` between documents: pass the whole list, or the documents without commas");
        return Err(Broken { line: position.line, column: Some(position.column), problem });
    }
    let tree = Source::new(text.as_bytes()).and_then(|source| {
        let tree = source.tree()?;
        if let Some(finding) = repeated(&tree, &Location::ROOT) {
            let mut findings = [finding];
            source.locate(&mut findings);
            let [finding] = findings;
            return Err(finding);
        }
        Ok(tree.json())
    });
    match tree {
        // Sentences with colons.
        Ok(Value::Object(members)) if members.keys().any(|name| name.contains(' ')) => {
            Err(Broken::new(line, no_document(text)))
        }
        Ok(value @ (Value::Object(_) | Value::Array(_))) => Ok(value),
        // A document as a text of JSON, as an output of a pipeline.
        Ok(Value::String(text)) if text.starts_with(['{', '[']) => {
            serde_json::from_str(&text).map_err(|error| Broken { column: None, line, ..broken(&error, start) })
        }
        // A document of YAML as a text of JSON, as `terraform output -json NAME` prints it.
        Ok(Value::String(text)) if text.contains('\n') => {
            yaml(&text, start).map_err(|broken| Broken { column: None, line, ..broken })
        }
        Ok(Value::Null) => Err(Broken::new(line, "is `null`: the command that printed it found nothing")),
        Ok(_) => Err(Broken::new(line, no_document(text))),
        Err(finding) if *finding.rule == rules::DUPLICATE_FIELD => {
            let position = finding.position.unwrap_or(Position::START).shifted(start);
            let name = if let Some(Step::Key(name)) = finding.path.0.last() { name.as_str() } else { "" };
            Err(Broken { line: position.line, column: Some(position.column), problem: twice(name) })
        }
        Err(finding) => {
            let position = finding.position.map(|position| position.shifted(start));
            let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            // The table that `az` and `kubectl` print for people.
            let is_table = !first.contains(':') || first.contains("  ");
            let is_known = is_table || text_of_program(text).is_some();
            let line = position.map_or(line, |position| position.line);
            if is_known {
                return Err(Broken::new(line, no_document(text)));
            }
            // A table that begins where the YAML breaks: at its header, or at the line below.
            let at = finding.position.map_or(0, |position| position.line);
            let table = [at, at.saturating_sub(1)].into_iter().find(|at| is_table_of_azure(from_line(text, *at)));
            if let Some(table) = table {
                return Err(Broken::new(start.line + table - 1, no_document(from_line(text, table))));
            }
            let column = position.map(|position| position.column);
            let what = if text.ends_with('\n') { "broken" } else { "truncated or broken" };
            Err(Broken { line, column, problem: format!("is {what} YAML: {finding}") })
        }
    }
}

/// Returns a text from one of its lines on, counted from 1.
fn from_line(text: &str, line: usize) -> &str {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    &text[before..]
}

/// Says what a text is that has no named values.
fn no_document(text: &str) -> String {
    let (what, instead) = match text_of_program(text) {
        Some((title, instead)) => (format!("{title}, "), instead),
        None if !text.trim().contains(char::is_whitespace) => {
            return "is neither JSON nor YAML with named values, but a single value: pass the whole output, without \
                    `--query`, or the value with its option, such as --vm-size"
                .to_owned();
        }
        None => (String::new(), "print it with `az … -o json` or `kubectl … -o yaml`"),
    };
    format!("is {what}neither JSON nor YAML with named values: {instead}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn values(text: &str) -> Vec<(usize, Value)> {
        let mut found = Vec::new();
        documents(text.as_bytes(), |document| found.push((document.line, document.value)))
            .unwrap_or_else(|error| panic!("{text}: {error:?}"));
        found
    }

    #[test]
    fn json_and_yaml_follow_each_other() {
        for (text, expected) in [
            ("{\"a\": 1}{\"b\": 2}", vec![(1, json!({"a": 1})), (1, json!({"b": 2}))]),
            ("{\"a\": 1}\n[2]\n", vec![(1, json!({"a": 1})), (2, json!([2]))]),
            ("a: 1\n---\nb: 2\n", vec![(1, json!({"a": 1})), (3, json!({"b": 2}))]),
            ("---\na: 1\n---\n---\n# x\n", vec![(2, json!({"a": 1}))]),
            ("a: 1\n{\"b\": 2}\n---\nc: 3\n", vec![(1, json!({"a": 1})), (2, json!({"b": 2})), (4, json!({"c": 3}))]),
            ("  {\"a\": 1}\n\n---\n  b: 2\n  c: 3\n", vec![(1, json!({"a": 1})), (4, json!({"b": 2, "c": 3}))]),
            ("a: |\n  ---\n  {\n", vec![(1, json!({"a": "---\n{\n"}))]),
            ("", vec![]),
            ("WARNING: x\nWARNING: y\n{\"a\": 1}\nWARNING: z\n", vec![(3, json!({"a": 1}))]),
            ("WARNING: x\na: 1\n", vec![(2, json!({"a": 1}))]),
            ("Warning: x\nW1126 10:00:00.000000       7 x.go:1] y\na: 1\n", vec![(3, json!({"a": 1}))]),
            ("\u{feff}{}", vec![(1, json!({}))]),
            ("$ az aks show -g a -n b\n{\"a\": 1}\n$ ", vec![(2, json!({"a": 1}))]),
            ("{\u{1b}[94m\"a\"\u{1b}[39;49;00m: 1}", vec![(1, json!({"a": 1}))]),
        ] {
            assert_eq!(values(text), expected, "{text}");
        }
    }

    #[test]
    fn the_line_of_what_is_broken_is_named() {
        for (text, line, part) in [
            ("{\"a\": 1}\n{\"b\": ", 2, "truncated"),
            ("{\"a\": 1}\n{\"b\" 2}", 2, "broken JSON"),
            ("a: 1\n---\nb: [\n", 4, "broken YAML"),
            ("Name    Location\n------  ------\n", 1, "as `az … -o table` prints it, neither"),
            ("plain\n", 1, "is neither JSON nor YAML"),
            ("NAME    STATUS   AGE\naks-1   Ready    5d\n", 1, "as `kubectl get` prints it, neither"),
            ("ovl\tswedencentral\t1.34\n", 1, "as `az … -o tsv` prints it, neither"),
            ("resource \"azurerm_kubernetes_cluster\" \"a\" {\n  name = \"a\"\n}\n", 1, "is a Terraform configuration"),
            (
                "resource a 'Microsoft.ContainerService/managedClusters@2025-05-01' = {\n  name: 'a'\n}\n",
                2,
                "is a Bicep file",
            ),
            (
                "# azurerm_kubernetes_cluster.a:\nresource \"azurerm_kubernetes_cluster\" \"a\" {\n}\n",
                1,
                "is a Terraform configuration",
            ),
            ("YWIxMmNkLjAxMjM0NTY3ODlhYmNkZWY=\n", 1, "is a bootstrap token in base64"),
            ("{}\nName    Location\n------  ------\n", 2, "neither JSON nor YAML"),
            ("a: 1\nb: 2\nName    Location\n------  ------\nx       y\n", 3, "as `az … -o table` prints it, neither"),
            (
                "(ResourceGroupNotFound) Resource group 'x' could not be found.\nCode: ResourceGroupNotFound\n",
                1,
                "of `az`",
            ),
            ("az: 'ak' is not in the 'az' command group. See 'az --help'.\n", 1, "of `az`"),
            ("\nError from server (NotFound): configmaps \"cluster-info\" not found\n", 2, "of `kubectl`"),
            (
                "E1126 10:00:00.000000       7 memcache.go:265] x\nThe connection to the server a was refused\n",
                2,
                "of `kubectl`",
            ),
            ("{}\nError from server (Forbidden): secrets is forbidden\n", 2, "of `kubectl`"),
            ("a: 1\nUnable to connect to the server: dial tcp: i/o timeout\n", 2, "of `kubectl`"),
            ("{\"a\": 1},\n{\"b\": 2}\n", 1, "is broken JSON: `,` between documents"),
            ("{\"a\": 1}\n]\n", 2, "is broken JSON: `]` between documents"),
            ("{\"a\": [{\"b\": 1,\n\"b\": 2}]}", 2, "has the member \"b\" twice"),
            ("a:\n- b: 1\n  c: 2\n  b: 3\n", 4, "has the member \"b\" twice"),
            ("Standard_D4s_v5\n", 1, "is neither JSON nor YAML with named values, but a single value"),
            ("\"MC_a_b_c\"\n", 1, "is neither JSON nor YAML with named values, but a single value"),
            (
                "\nName     : a\nFqdn     : b\n           c\nMaxPods  : 3\n",
                2,
                "is a list as `Format-List` of PowerShell prints it, neither",
            ),
            ("USER-SUPPLIED VALUES:\na: 1\n", 1, "is values of a chart as `helm get values` prints them"),
            ("az : ERROR: (AuthorizationFailed) The client does not have authorization\n", 1, "of `az`"),
        ] {
            let found = documents(text.as_bytes(), |_| ()).expect_err(text);
            assert!(found.problem.contains(part), "{text}: {}", found.problem);
            assert_eq!(found.line, line, "{text}: {}", found.problem);
        }
    }
}
