//! The result of an inspection as JSON.

use serde_json::{Map, Value, json};

use super::found::Inspection;
use super::sha256;
use crate::redaction::REDACTED;

impl Inspection {
    /// Returns the output of `inspect --format json`. Unless it is `clear`, variables and fields that are known to be secret are
    /// covered; [`Inspection::redactor`] covers secrets elsewhere.
    #[must_use]
    pub fn to_json(&self, clear: bool) -> Value {
        let files = self.files.iter().map(|file| {
            json!({
                "path": file.path,
                "mode": file.mode.map(|mode| format!("{mode:04o}")),
                "owner": file.owner,
                "size": file.content.len(),
                "sha256": sha256(&file.content),
            })
        });
        let variables = self.variables.iter().map(|(name, value)| {
            let is_covered = !clear && !value.is_empty() && self.is_secret(name);
            (name.clone(), Value::from(if is_covered { REDACTED } else { value.expose() }))
        });
        let configuration = self.configuration.as_ref().map(|configuration| {
            if clear {
                serde_json::from_str(&configuration.to_json()).unwrap_or_default()
            } else {
                configuration.to_redacted_json()
            }
        });
        json!({
            "kind": self.kind,
            "layers": self.layers,
            "files": files.collect::<Vec<_>>(),
            "configuration": configuration,
            "variables": variables.collect::<Map<_, _>>(),
            "command": self.command.as_ref().map(crate::Secret::expose),
            "runs": self.runs.iter().map(|run| json!({"stage": run.stage.name(), "text": run.text.expose()})).collect::<Vec<_>>(),
            "warnings": self.warnings,
        })
    }
}
