//! Reads every document of a stream: JSON values one after another, YAML documents separated by `---`, or both.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use serde_json::error::Category;

use super::wrappings::unwrapped;
use crate::configuration::layer::json;
use crate::configuration::syntax::is_bootstrap_token;
use crate::document::Source;
use crate::document::stream::{Form, pieces, without_noise};
use crate::inputs::{error_in_stream, message_of_azure, text_of_program};
use crate::recognition::{Content, without_mark};

/// A document and the line in which it begins.
#[derive(Debug, PartialEq)]
pub(super) struct Document {
    pub line: usize,
    pub value: Value,
}

/// Calls a function with each document, one at a time: as values, many small ones need some fifty times the memory of their text.
/// The error is a line and the problem there; it ends the reading.
pub(super) fn documents(bytes: &[u8], mut each: impl FnMut(Document)) -> Result<(), (usize, String)> {
    match Content::of(bytes) {
        Content::Binary(binary) => {
            return Err((1, format!("is {}, not the output of `az` or `kubectl`", binary.title())));
        }
        Content::Encoded(encoding) => {
            let charset = encoding.charset();
            return Err((1, format!("is {}: convert it with `iconv -f {charset} -t UTF-8`", encoding.title())));
        }
        Content::Text(_) | Content::Unknown => {}
    }
    let text = std::str::from_utf8(bytes).map_err(|_| (1, "is not UTF-8 text".to_owned()))?;
    let first = without_mark(text).trim();
    if is_bootstrap_token(first) {
        return Err((1, "is a bootstrap token: pass it with --token-file".to_owned()));
    }
    if STANDARD
        .decode(first)
        .is_ok_and(|bytes| str::from_utf8(&bytes).is_ok_and(|text| is_bootstrap_token(text.trim())))
    {
        return Err((
            1,
            "is a bootstrap token in base64: decode it with `base64 -d`, and pass it with --token-file".to_owned(),
        ));
    }
    if first.starts_with("-----BEGIN CERTIFICATE-----") || first.starts_with("LS0tLS1CRUdJTi") {
        return Err((1, "is a certificate: pass the cluster CA with --ca".to_owned()));
    }
    if let Some((line, program)) = error_in_stream(text) {
        return Err((line, format!("is an error message of `{program}`, which printed no document")));
    }
    let text = &without_noise(&unwrapped(text), |line| message_of_azure(line).is_some()).into_owned();
    for piece in pieces(text) {
        let line = piece.start.line;
        let value = match piece.form {
            Form::Json => {
                serde_json::from_str(piece.text).map_err(|error| (line + error.line() - 1, broken(&error)))?
            }
            Form::Yaml => yaml(piece.text, line)?,
            Form::Assignments => return Err((line, no_document(piece.text))),
            Form::Prose => continue,
        };
        each(Document { line, value });
    }
    Ok(())
}

fn broken(error: &serde_json::Error) -> String {
    match error.classify() {
        Category::Eof => "is truncated: the JSON ends in the middle".to_owned(),
        _ => format!("is broken JSON: {error}"),
    }
}

fn yaml(text: &str, line: usize) -> Result<Value, (usize, String)> {
    let tree = Source::new(text.as_bytes()).and_then(|source| Ok(source.tree()?.owned()));
    match tree.map(json) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => Ok(value),
        // A document as a text of JSON, as an output of a pipeline.
        Ok(Value::String(text)) if text.starts_with(['{', '[']) => {
            serde_json::from_str(&text).map_err(|error| (line, broken(&error)))
        }
        Ok(_) => Err((line, no_document(text))),
        Err(finding) => {
            let inner = finding.position.map_or(1, |position| position.line);
            let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            // The table that `az` and `kubectl` print for people.
            let is_table = !first.contains(':') || first.contains("  ");
            let is_known = is_table || text_of_program(text).is_some();
            let problem = if is_known { no_document(text) } else { format!("is broken YAML: {finding}") };
            Err((line + inner - 1, problem))
        }
    }
}

/// Says what a text is that has no named values.
fn no_document(text: &str) -> String {
    let what = text_of_program(text).map(|title| format!("{title}, ")).unwrap_or_default();
    format!("is {what}neither JSON nor YAML with named values: print it with `az … -o json` or `kubectl … -o yaml`")
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
            ("az : ERROR: (AuthorizationFailed) The client does not have authorization\n", 1, "of `az`"),
        ] {
            let (found, problem) = documents(text.as_bytes(), |_| ()).expect_err(text);
            assert!(problem.contains(part), "{text}: {problem}");
            assert_eq!(found, line, "{text}: {problem}");
        }
    }
}
