//! JSON and YAML: inputs and Ignition documents.

use serde_json::Value;

use super::encoded::decoded;
use super::found::{FoundFile, Kind, Stage, is_input_path};
use super::models::{carries, is_of_machine, kind_of};
use super::walk::{At, KINDS, Place, Walk};
use crate::Secret;
use crate::catalogue::{paths, variables};
use crate::configuration::Configuration;
use crate::delivery::secret_fields;
use crate::document::Severity;
use crate::inputs::{Checks, ClusterDocument, DocumentKind, Input, NodeInput, OtherKind, Reading, recognize};
use crate::recognition::Binary;

/// Where the data is, if a document only refers to it.
const ELSEWHERE: &str = "if it refers to the data, pass what has the values: the file of parameters, `terraform show -json PLAN`, or \
    what `generate` printed";

impl Walk<'_> {
    pub(super) fn json(&mut self, text: &str, at: At) {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => {
                let place = format!("line {}, column {}", error.line(), error.column());
                let what = if error.is_eof() { "is truncated" } else { "has an error" };
                // Text that is not JSON can be YAML, whose parser reports its errors.
                let Some(value) = error.is_eof().then(|| completed(text)).flatten() else {
                    return self.document(text, at);
                };
                self.warn(format!("the JSON {what} at {place}"), "only the part before it was read");
                value
            }
        };
        if let Value::String(inner) = &value {
            // The output of `jq .customData` and `terraform output -json`.
            self.layer(Kind::Text, at);
            return self.visit(inner.as_bytes(), At { place: Place::Alone, ..at.inside() });
        }
        if value.pointer("/ignition/version").is_some() {
            return self.ignition(text, &value, at);
        }
        if let Some(DocumentKind::Other(other @ (OtherKind::Cluster(_) | OtherKind::Output(_)))) =
            recognize(text.as_bytes())
            && ![ClusterDocument::ScaleSet, ClusterDocument::VirtualMachine].map(OtherKind::Cluster).contains(&other)
            && !at.is_path()
            && !carries(&value)
            && !is_of_machine(&value)
        {
            self.layer(Kind::Text, at);
            return self.warn(format!("this is {}", other.title()), other.hint());
        }
        match (kind_of(&value), variables_of(&value)) {
            (Some(kind), _) => self.model(kind, &value, at),
            (None, Some(variables)) => {
                self.layer(Kind::Text, at);
                self.found.variables.extend(variables);
            }
            (None, None) => self.document(text, at),
        }
    }

    fn ignition(&mut self, text: &str, value: &Value, at: At) {
        self.layer(Kind::Ignition, at);
        let is_merged = at.place == Place::Part;
        self.keep(if is_merged { "merged_ignition.json" } else { "ignition.json" }, text.trim_end_matches('\n'));
        for merged in value.pointer("/ignition/config/merge").and_then(Value::as_array).into_iter().flatten() {
            let source = merged.get("source").and_then(Value::as_str).unwrap_or_default();
            match data_url(source) {
                Some(content) => self.visit(&content, at.member("ignition.config.merge", Place::Part)),
                None => self.warn("a merged configuration is not in the document", "only data URLs are read"),
            }
        }
        let files = value.pointer("/storage/files").and_then(Value::as_array).map_or(0, Vec::len);
        self.writes(Stage::Ignition, files);
        for unit in value.pointer("/systemd/units").and_then(Value::as_array).into_iter().flatten() {
            if let Some(name) = unit.get("name").and_then(Value::as_str) {
                self.runs(Stage::Unit, name);
            }
        }
        for file in value.pointer("/storage/files").and_then(Value::as_array).into_iter().flatten() {
            let path = file.get("path").and_then(Value::as_str).unwrap_or_default();
            let mode = file.get("mode").and_then(Value::as_u64).and_then(|mode| u32::try_from(mode).ok());
            let contents = file.get("contents");
            let source =
                contents.and_then(|contents| contents.get("source")).and_then(Value::as_str).unwrap_or_default();
            let Some(mut content) = data_url(source) else {
                self.warn(format!("the content of {path} is not in the document"), "only data URLs are read");
                continue;
            };
            let compression = contents.and_then(|contents| contents.get("compression")).and_then(Value::as_str);
            if compression == Some("gzip") {
                let (plain, cut) = self.gunzip(&content);
                if cut.is_some() {
                    self.warn(format!("{path} is truncated or too large"), "the rest could not be read");
                }
                content = plain;
                self.found.has_controller_files |= is_input_path(path);
            }
            if Binary::of(&content) == Some(Binary::Tar) {
                // A unit extracts it, so the node gets the files inside.
                self.tar(&content, at.member(path, Place::File));
            } else {
                self.file(path, mode, "root", content, at);
            }
        }
    }

    /// Reports whether a document is the Configuration beside a command line, which the controller runs instead of what
    /// follows from the Configuration.
    fn is_beside_command(&self, at: At) -> bool {
        let is_command = |file: &FoundFile| file.path == paths::COMMAND;
        at.name == Some(paths::CONFIGURATION) && self.found.files.iter().any(is_command)
    }

    /// Visits an input: a Configuration or another document from which a node can be made.
    pub(super) fn document(&mut self, text: &str, at: At) {
        let reading = Reading::new(None, text.as_bytes(), &Checks::default());
        let input = match reading.input {
            Some(input) => input,
            None if self.is_beside_command(at) => {
                self.warn(
                    format!("{} is not a valid Configuration", paths::CONFIGURATION),
                    "provisioning runs the command beside it; only the comparison of the two is missing",
                );
                return self.layer(Kind::Text, at);
            }
            None if at.name == Some(paths::CONFIGURATION) => {
                let finding = reading.report.findings.iter().find(|finding| finding.severity == Severity::Error);
                let finding = finding.map_or_else(String::new, |finding| format!(": {finding}"));
                self.warn(
                    format!("{} is not a valid Configuration{finding}", paths::CONFIGURATION),
                    "provisioning fails with code 240; check the document: aks-node-controller validate",
                );
                // A Configuration with an unsupported version can still be shown.
                match Configuration::from_document(text.as_bytes()) {
                    Ok(decoded) => Input::Configuration(Box::new(decoded.configuration)),
                    Err(_) => return self.layer(Kind::Text, at),
                }
            }
            None if !at.is_path() && self.carried(text, at) => return,
            None => {
                self.layer(Kind::Text, at);
                if at.is_path() {
                    return;
                }
                if let Some(DocumentKind::Other(other @ OtherKind::Output(_))) = recognize(text.as_bytes()) {
                    return self.warn(format!("this is {}, without data of a node", other.title()), ELSEWHERE);
                }
                let problem = match reading.report.findings.first() {
                    Some(finding) => format!("this is text of an unknown kind; as a document for a node: {finding}"),
                    None => "this is text of an unknown kind".to_owned(),
                };
                self.warn(problem, KINDS);
                return;
            }
        };
        let kind = match &input {
            Input::Configuration(_) => Kind::Configuration,
            Input::Nbc(_) => Kind::Nbc,
            _ => Kind::Karpenter,
        };
        self.layer(kind, at);
        let image = input.image(self.image);
        let is_beside_command = self.is_beside_command(at);
        if let Some(environment) = input.assignments(&image).ok().filter(|_| !is_beside_command) {
            let pairs = environment
                .iter()
                .map(|assignment| (assignment.name.to_string(), assignment.value.clone().into_owned()));
            self.found.variables.extend(pairs);
        }
        match input {
            Input::Configuration(configuration) => {
                if at.is_path() {
                    for (path, _) in secret_fields(&configuration) {
                        self.lies_here(path.to_string());
                    }
                }
                if at.name.is_some() {
                    self.keep("configuration.json", text.trim_end_matches('\n').to_owned() + "\n");
                }
                self.found.configuration = Some(configuration);
            }
            other => self.found.input = Some(other),
        }
    }
}

/// Returns the variables of the node's scripts that a map has, as `env --format json` prints them. `None` for other maps.
fn variables_of(value: &Value) -> Option<Vec<(String, Secret<'static>)>> {
    /// One name alone can be of another program.
    const FEWEST: usize = 3;
    let members = value.as_object()?;
    let known = members.keys().filter(|name| variables::variable(name).is_some()).count();
    let variable = |(name, value): (&String, &Value)| Some((name.clone(), Secret::from(value.as_str()?.to_owned())));
    (known >= FEWEST && known * 2 > members.len()).then(|| members.iter().map(variable).collect())?
}

/// Returns the value of truncated JSON, without the incomplete part at its end.
fn completed(text: &str) -> Option<Value> {
    /// The most members that are dropped from the end, one after the other.
    const ATTEMPTS: usize = 4;
    let mut open = Vec::new();
    let mut in_text = false;
    let mut escaped = false;
    // A position where a value can end, and the brackets that are open there.
    let mut ends: Vec<(usize, Vec<u8>)> = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' => {
                open.pop();
            }
            b',' => {
                ends.push((at, open.clone()));
                if ends.len() > ATTEMPTS {
                    ends.remove(0);
                }
            }
            _ => {}
        }
        if open.len() > 100 {
            return None;
        }
    }
    let closed = |text: &str, open: &[u8]| {
        let mut whole = text.to_owned();
        whole.extend(open.iter().rev().map(|byte| char::from(*byte)));
        serde_json::from_str(&whole).ok()
    };
    // A truncated text is kept, because it can be the CustomData itself.
    let quote = if in_text { "\"" } else { "" };
    let cut = text.trim_end_matches('\\');
    closed(&format!("{cut}{quote}"), &open)
        .or_else(|| ends.iter().rev().find_map(|(at, open)| closed(&text[..*at], open)))
}

/// Returns the content of a data URL. <https://www.rfc-editor.org/rfc/rfc2397>
fn data_url(url: &str) -> Option<Vec<u8>> {
    let (head, data) = url.strip_prefix("data:")?.split_once(',')?;
    if head.ends_with(";base64") {
        return decoded(data).map(|(bytes, _)| bytes).or_else(|| data.is_empty().then(Vec::new));
    }
    let mut plain = Vec::with_capacity(data.len());
    let mut bytes = data.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            plain.push(byte);
            continue;
        }
        let digits = [bytes.next()?, bytes.next()?];
        plain.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    Some(plain)
}
