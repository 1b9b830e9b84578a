//! `validate`: every finding of every document.

use std::path::PathBuf;

use serde_json::json;

use super::input::{self, Demands, InputFormat};
use super::output::{self, Format, Layout};
use super::{Failure, Outcome};
use crate::configuration::Configuration;
use crate::delivery::{Refusal, Request, Route};
use crate::document::{DocPath, Finding, Problem};

/// Check documents.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller validate node.yaml
  aks-node-controller validate --strict --format json *.json
  kubectl get secret node -o json | jq -r '.data.config | @base64d' | aks-node-controller validate -

Exit code: 0 when no document has an error, 1 otherwise.")]
pub(super) struct Validate {
    /// Configurations, JSON or YAML; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Unknown fields and unknown names of values are errors
    #[arg(long)]
    strict: bool,
    /// Shape of the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// How the bytes are to be read
    #[arg(long, value_enum, default_value_t = InputFormat::Auto)]
    input_format: InputFormat,
}

impl Validate {
    pub fn run(self) -> Outcome {
        let demands = Demands { format: self.input_format, strict: self.strict, validate: true };
        let mut all_valid = true;
        for file in &self.files {
            let document = match input::read(file) {
                Ok(document) => document,
                Err(Failure::Input(message) | Failure::Usage(message)) => {
                    // The other documents are still worth their findings.
                    output::note(&format!("error: {message}"));
                    all_valid = false;
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            let (configuration, mut report) = input::configuration(&document.bytes, demands);
            report.findings.extend(configuration.as_ref().and_then(too_large));
            let valid = report.is_valid();
            all_valid &= valid;
            match self.format {
                Format::Json => {
                    let findings = output::findings_json(&report);
                    let result = json!({"file": document.name, "valid": valid, "findings": findings});
                    output::json(&result, Layout::Line)?;
                }
                Format::Text => {
                    let verdict = if valid { "valid" } else { "not valid" };
                    let lines = report.findings.iter().map(|finding| output::described(&document.name, finding) + "\n");
                    let text = lines.collect::<String>() + &format!("{}: {verdict}", document.name);
                    output::line(&text)?;
                }
            }
        }
        if all_valid { Ok(()) } else { Err(Failure::Reported) }
    }
}

/// Whether the result fits: an error when no route can carry the Configuration, a warning when some cannot.
fn too_large(configuration: &Configuration) -> Option<Finding> {
    // The scripted route's CustomData holds nothing of the Configuration.
    let refused = [Route::NodeBootstrapVariables, Route::Scriptless].map(|route| {
        let request = Request { route, ..Request::default() };
        match request.render(configuration) {
            Err(Refusal::TooLarge(too_large)) => Some(format!("route `{}`: {too_large}", route.row().name)),
            _ => None,
        }
    });
    let everywhere = refused.iter().all(Option::is_some);
    let told = refused.into_iter().flatten().collect::<Vec<_>>();
    let problem = Problem::Rule(told.join("\n").into());
    match (told.is_empty(), everywhere) {
        (true, _) => None,
        (false, true) => Some(Finding::error(DocPath::root(), problem)),
        (false, false) => Some(Finding::warning(DocPath::root(), problem)),
    }
}
