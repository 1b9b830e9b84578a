//! JSON and YAML: inputs, Ignition documents, Azure models, Terraform plans, and the output of `generate`.

use serde_json::Value;

use super::encoded::decoded;
use super::found::{Carrier, FoundFile, Kind, Stage, is_input_path};
use super::walk::{At, KINDS, Place, Walk};
use crate::catalogue::paths;
use crate::configuration::Configuration;
use crate::delivery::secret_fields;
use crate::document::Severity;
use crate::inputs::{Checks, ClusterDocument, DocumentKind, Input, NodeInput, OtherKind, Reading, recognize};
use crate::recognition::Binary;

/// Members whose text is CustomData or user data, in models, templates, plans and results.
const DATA: [&str; 6] =
    ["customData", "custom_data", "custom_data_base64", "userData", "user_data", "user_data_base64"];

/// Members whose text is a CSE command.
const COMMANDS: [&str; 3] = ["commandToExecute", "cse", "command_to_execute"];

/// Members whose text can be JSON with more of these members: Terraform writes settings of extensions as text.
const SETTINGS: [&str; 4] = ["protectedSettings", "protected_settings", "settings", "custom_script"];

/// How to get CustomData that a model lacks. cloud-init keeps it in the first file; the guest agent keeps the second, an XML
/// document, in which it is the text of `CustomData`.
const NOT_RETURNED: &str = "Azure does not return CustomData or protected settings; use the document from which the machine was \
    created, or the copy on the node: `sudo base64 -w0 /var/lib/cloud/instance/user-data.txt`, or CustomData in \
     /var/lib/waagent/ovf-env.xml; `az vm run-command invoke --command-id RunShellScript --scripts COMMAND` and `az vmss run-command \
     invoke` run a command without a login";

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
            && other != OtherKind::Cluster(ClusterDocument::ScaleSet)
            && !at.is_path()
        {
            self.layer(Kind::Text, at);
            return self.warn(format!("this is {}", other.title()), other.hint());
        }
        let member = |name: &str| value.get(name).is_some();
        let kind = if member("customData") && (member("route") || member("size")) {
            Some(Kind::Delivery)
        } else if member("format_version") || member("terraform_version") || member("planned_values") {
            Some(Kind::Terraform)
        } else if is_template(&value) {
            Some(Kind::ArmTemplate)
        } else if is_model(&value) {
            Some(Kind::AzureModel)
        } else {
            None
        };
        let Some(kind) = kind else { return self.document(text, at) };
        self.layer(kind, at);
        let before = self.found.layers.len();
        self.members(&value, at, &mut Vec::new());
        if self.found.layers.len() == before {
            let is_model = kind == Kind::AzureModel;
            self.warn(
                format!("the {} has neither CustomData nor a CSE command", kind.title()),
                if is_model { NOT_RETURNED } else { "use the document from which the machine was created" },
            );
        }
    }

    /// Visits the members of a model or a plan that contain CustomData or a command. Terraform repeats values; each is
    /// visited once.
    fn members(&mut self, value: &Value, at: At, seen: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.members(item, at, seen)),
            Value::Object(object) => {
                for (name, value) in object {
                    let Value::String(text) = value else {
                        let outer = self.is_public;
                        self.is_public |= name == "settings";
                        self.members(value, at, seen);
                        self.is_public = outer;
                        continue;
                    };
                    let is_wanted =
                        [&DATA[..], &COMMANDS[..], &SETTINGS[..]].iter().any(|names| names.contains(&name.as_str()));
                    if text.is_empty() || !is_wanted || seen.contains(text) {
                        continue;
                    }
                    seen.push(text.clone());
                    let is_data = DATA.contains(&name.as_str());
                    if (is_data || COMMANDS.contains(&name.as_str())) && is_expression(text) {
                        self.layer(Kind::Text, At { size: text.len(), ..at.member(name, Place::Alone) });
                        self.warn(
                            format!("{name} is an expression of an ARM template, whose value the deployment computes"),
                            "pass the value itself: of the parameter or variable, or the text before `base64()`",
                        );
                        continue;
                    }
                    if is_data {
                        if name.starts_with("user") {
                            self.warn(
                                format!("every pod can read {name} through the metadata service"),
                                "use customData for anything with a secret",
                            );
                        }
                        let outer = self.carrier;
                        self.carrier = if name.starts_with("user") { Carrier::UserData } else { Carrier::CustomData };
                        self.visit(text.as_bytes(), at.member(name, Place::Alone));
                        self.carrier = outer;
                    } else if COMMANDS.contains(&name.as_str()) {
                        self.command(text, At { size: text.len(), ..at.member(name, Place::Alone) });
                    } else if let Ok(inner) = serde_json::from_str::<Value>(text) {
                        let outer = self.is_public;
                        self.is_public |= name == "settings";
                        self.members(&inner, at, seen);
                        self.is_public = outer;
                    }
                    if name == "settings" && text.contains("commandToExecute") {
                        self.warn_public_settings();
                    }
                }
                if object.get("settings").and_then(|settings| settings.get("commandToExecute")).is_some() {
                    self.warn_public_settings();
                }
            }
            _ => {}
        }
    }

    fn warn_public_settings(&mut self) {
        self.warn(
            "the CSE command is in the public settings of the extension: everyone who can read the machine can read \
             its secrets",
            "move commandToExecute to protectedSettings",
        );
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
            None => {
                self.layer(Kind::Text, at);
                if !at.is_path() {
                    let problem = match reading.report.findings.first() {
                        Some(finding) => {
                            format!("this is text of an unknown kind; as a document for a node: {finding}")
                        }
                        None => "this is text of an unknown kind".to_owned(),
                    };
                    self.warn(problem, KINDS);
                }
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

/// Reports whether a text is an expression of an ARM template: a call in brackets. Two brackets begin a text that is none.
/// <https://learn.microsoft.com/azure/azure-resource-manager/templates/template-expressions>
fn is_expression(text: &str) -> bool {
    let inner = text.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let Some((name, _)) = inner.and_then(|inner| inner.trim().split_once('(')) else { return false };
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'))
}

/// Reports whether a JSON value is an ARM template, also one that `bicep build` writes.
fn is_template(value: &Value) -> bool {
    let schema = value.get("$schema").and_then(Value::as_str).unwrap_or_default();
    schema.contains("eploymentTemplate.json")
        || (value.get("contentVersion").is_some() && value.get("resources").is_some())
}

/// Reports whether a value is a VM, a scale set, an extension, or a template that contains one.
fn is_model(value: &Value) -> bool {
    let has = |value: &Value, name: &str| value.get(name).is_some();
    match value {
        Value::Array(items) => items.iter().any(is_model),
        Value::Object(_) => {
            [
                "osProfile",
                "virtualMachineProfile",
                "extensionProfile",
                "storageProfile",
                "protectedSettings",
                "commandToExecute",
            ]
            .iter()
            .any(|name| has(value, name))
                || value.get("properties").is_some_and(is_model)
                || has(value, "resources") && has(value, "$schema")
                || value.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("Microsoft.Compute/"))
        }
        _ => false,
    }
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
