//! Models of VMs and scale sets, templates, plans, and other JSON with CustomData or commands in its members.

use serde_json::Value;

use super::encoded::{decoded, is_data};
use super::found::{Carrier, Kind};
use super::walk::{At, Place, Walk};
use crate::recognition::is_command;

/// Members whose text is CustomData or user data, in models, templates, plans and results.
const DATA: [&str; 6] =
    ["customData", "custom_data", "custom_data_base64", "userData", "user_data", "user_data_base64"];

/// Members whose text is a CSE command.
const COMMANDS: [&str; 3] = ["commandToExecute", "cse", "command_to_execute"];

/// Members whose text can be JSON with more of these members: Terraform writes settings of extensions as text.
const SETTINGS: [&str; 4] = ["protectedSettings", "protected_settings", "settings", "custom_script"];

/// Settings that everyone can read who can read the machine, in the API and in the file of the guest agent.
const PUBLIC: [&str; 2] = ["settings", "publicSettings"];

/// How to read settings that are encrypted.
const ENCRYPTED: &str = "as root on the node: base64 -d | openssl cms -decrypt -inform DER -recip /var/lib/waagent/THUMBPRINT.crt \
    -inkey /var/lib/waagent/THUMBPRINT.prv, with protectedSettings as input and protectedSettingsCertThumbprint as THUMBPRINT; the \
    result has the secrets of the node in clear";

/// How to get CustomData that a model lacks. cloud-init keeps it in the first file; the guest agent keeps the second, an XML
/// document.
const NOT_RETURNED: &str = "Azure does not return CustomData or protected settings; use the document from which the machine was \
    created, or the copy on the node: `sudo base64 -w0 /var/lib/cloud/instance/user-data.txt`, or \
     /var/lib/waagent/ovf-env.xml; `az vm run-command invoke --command-id RunShellScript --scripts COMMAND` and `az vmss run-command \
     invoke` run a command without a login, but return only the last 4,096 bytes of its output";

impl Walk<'_> {
    /// Visits a model, a template, a plan or a result.
    pub(super) fn model(&mut self, kind: Kind, value: &Value, at: At) {
        self.layer(kind, at);
        let before = self.found.layers.len();
        self.members(value, at, &mut Vec::new());
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
                    let parameter = value.get("value").and_then(Value::as_str).filter(|text| is_parameter(text));
                    let Some(text) = value.as_str().or(parameter) else {
                        let outer = self.is_public;
                        self.is_public |= is_one(name, &PUBLIC);
                        self.members(value, at, seen);
                        self.is_public = outer;
                        continue;
                    };
                    // A parameter has any name.
                    let is_command = is_one(name, &COMMANDS) || parameter.is_some_and(is_command);
                    let is_data = !is_command && (parameter.is_some() || is_one(name, &DATA));
                    let is_one_of_them = is_data || is_command || is_one(name, &SETTINGS);
                    if text.is_empty() || !is_one_of_them || seen.iter().any(|seen| seen == text) {
                        continue;
                    }
                    seen.push(text.to_owned());
                    if (is_data || is_command) && is_expression(text) {
                        self.layer(Kind::Text, At { size: text.len(), ..at.member(name, Place::Alone) });
                        self.warn(
                            format!("{name} is an expression of an ARM template, whose value the deployment computes"),
                            "pass the value itself: of the parameter or variable, or the text before `base64()`",
                        );
                        continue;
                    }
                    if is_data {
                        self.data(name, text, at);
                    } else if is_command {
                        self.command(text, At { size: text.len(), ..at.member(name, Place::Alone) });
                    } else if let Ok(inner) = serde_json::from_str::<Value>(text) {
                        let outer = self.is_public;
                        self.is_public |= is_one(name, &PUBLIC);
                        self.members(&inner, at, seen);
                        self.is_public = outer;
                    } else if is_encrypted(text) {
                        self.layer(Kind::Bytes, At { size: text.len(), ..at.member(name, Place::Alone) });
                        self.warn(format!("{name} are encrypted"), ENCRYPTED);
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

    /// Visits the CustomData or user data in a member.
    pub(super) fn data(&mut self, name: &str, text: &str, at: At) {
        let outer = self.carrier;
        if name.as_bytes().get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"user")) {
            self.warn(
                format!("every pod can read {name} through the metadata service"),
                "use customData for anything with a secret",
            );
            self.carrier = Carrier::UserData;
        } else {
            self.carrier = Carrier::CustomData;
        }
        self.visit(text.as_bytes(), at.member(name, Place::Alone));
        self.carrier = outer;
    }

    pub(super) fn warn_public_settings(&mut self) {
        self.warn(
            "the CSE command is in the public settings of the extension: everyone who can read the machine can read \
             its secrets",
            "move commandToExecute to protectedSettings",
        );
    }
}

/// Reports whether the value of a parameter of a deployment is CustomData or a command of a node.
fn is_parameter(value: &str) -> bool {
    is_data(value) || is_command(value)
}

/// Returns the kind of a model, a template, a plan or a result.
pub(super) fn kind_of(value: &Value) -> Option<Kind> {
    let member = |name: &str| value.get(name).is_some();
    if member("customData") && (member("route") || member("size")) {
        Some(Kind::Delivery)
    } else if member("format_version") || member("terraform_version") || member("planned_values") {
        Some(Kind::Terraform)
    } else if is_template(value) {
        Some(Kind::ArmTemplate)
    } else {
        is_model(value).then_some(Kind::AzureModel)
    }
}

/// Reports whether a value has CustomData, a command or encrypted settings anywhere.
pub(super) fn carries(value: &Value) -> bool {
    let member = |(name, value): (&String, &Value)| match value {
        Value::String(text) => {
            !text.is_empty() && (is_one(name, &DATA) || is_one(name, &COMMANDS))
                || is_one(name, &SETTINGS) && is_encrypted(text)
        }
        other => other.get("value").and_then(Value::as_str).is_some_and(is_parameter) || carries(other),
    };
    match value {
        Value::Array(items) => items.iter().any(carries),
        Value::Object(members) => members.iter().any(member),
        _ => false,
    }
}

/// Reports whether a value is a machine, a scale set or an extension of one by its type, or a list of them.
pub(super) fn is_of_machine(value: &Value) -> bool {
    let kind = |value: &Value| {
        let kind = value.get("type").and_then(Value::as_str);
        kind.is_some_and(|kind| kind.to_ascii_lowercase().starts_with("microsoft.compute/virtualmachine"))
    };
    match value {
        Value::Array(items) => !items.is_empty() && items.iter().all(kind),
        other => kind(other),
    }
}

/// Reports whether a member has one of some names, which PowerShell begins with a capital.
fn is_one(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Reports whether settings are encrypted for the key of the machine, as the guest agent gets them: base64 of a CMS message in DER.
fn is_encrypted(settings: &str) -> bool {
    decoded(settings).is_some_and(|(bytes, _)| bytes.starts_with(&[0x30, 0x82]))
}

/// Reports whether a text is an expression of an ARM template: a call in brackets. Two brackets begin a text that is none.
/// <https://learn.microsoft.com/azure/azure-resource-manager/templates/template-expressions>
fn is_expression(text: &str) -> bool {
    let inner = text.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let Some((name, _)) = inner.and_then(|inner| inner.trim().split_once('(')) else { return false };
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'))
}

/// Reports whether a JSON value is an ARM template, also one that `bicep build` writes, or the parameters of one.
fn is_template(value: &Value) -> bool {
    let schema = value.get("$schema").and_then(Value::as_str).unwrap_or_default();
    ["eploymentTemplate.json", "eploymentParameters.json"].iter().any(|name| schema.contains(name))
        || (value.get("contentVersion").is_some() && value.get("resources").is_some())
}

/// Reports whether a value is a VM, a scale set, an extension, or a template that contains one.
fn is_model(value: &Value) -> bool {
    let has = |value: &Value, name: &str| {
        value.as_object().is_some_and(|members| members.keys().any(|known| known.eq_ignore_ascii_case(name)))
    };
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
