//! `validate`: every finding of every document.

use std::path::PathBuf;

use serde_json::json;

use super::input::{self, InputFormat, KindName};
use super::output::{self, Format, Layout};
use super::{Failure, Outcome};
use crate::delivery::{RenderError, Request, Route};
use crate::document::{DocPath, Finding, Problem, Report};
use crate::inputs::karpenter::objects::{NodeClaim, NodeClass};
use crate::inputs::{Checks, DocumentKind, Input, InputKind, KarpenterObject, NodeInput, Reading, recognize};

/// Check documents.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller validate node.yaml
  aks-node-controller validate --strict --format json *.json
  kubectl get secret node -o json | jq -r '.data.config | @base64d' | aks-node-controller validate -

Exit code: 0 if no document has an error, 1 otherwise.")]
pub(super) struct Validate {
    /// Documents of any kind, JSON or YAML; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What the files are, in place of recognizing each
    #[arg(long, value_name = "KIND", value_enum)]
    input: Option<KindName>,
    /// Treat unknown fields and unknown names of values as errors
    #[arg(long)]
    strict: bool,
    /// Shape of the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// How the bytes of a Configuration are encoded
    #[arg(long, value_enum, default_value_t = InputFormat::Auto)]
    input_format: InputFormat,
}

impl Validate {
    pub fn run(self) -> Outcome {
        let mut all_valid = true;
        for file in &self.files {
            let document = match input::read(file) {
                Ok(document) => document,
                Err(Failure::Input(message) | Failure::Usage(message)) => {
                    // The other documents are still checked.
                    output::note(&format!("error: {message}"));
                    all_valid = false;
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            let report = self.report(&document.bytes);
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

    fn report(&self, bytes: &[u8]) -> Report {
        if self.input.is_none()
            && self.input_format == InputFormat::Auto
            && let Some(DocumentKind::Object(object)) = recognize(bytes)
        {
            let mut report = match object {
                KarpenterObject::NodeClaim => {
                    NodeClaim::from_document(bytes).map_or_else(|report| report, |read| read.1)
                }
                KarpenterObject::NodeClass => {
                    NodeClass::from_document(bytes).map_or_else(|report| report, |read| read.1)
                }
            };
            if self.strict {
                report.be_strict();
            }
            return report;
        }
        let checks = Checks { strict: self.strict, values: true, today: Some(input::today()) };
        let Reading { input, mut report, .. } =
            input::judged(self.input.map(KindName::kind), self.input_format, bytes, &checks);
        report.findings.extend(input.as_ref().and_then(too_large));
        report
    }
}

/// Returns the finding for a result that is too large: an error if no route can carry the input, a warning if some
/// cannot.
fn too_large(input: &Input) -> Option<Finding> {
    // CustomData of the scripted route does not contain the Configuration.
    let routes = match input.kind() {
        InputKind::Karpenter => &[Route::NodeBootstrapVariables][..],
        InputKind::Nbc => return None,
        InputKind::Configuration => &[Route::NodeBootstrapVariables, Route::Scriptless],
    };
    let problems: Vec<_> = routes
        .iter()
        .filter_map(|route| {
            let request = Request { route: *route, ..Request::default() };
            match request.render(input) {
                Err(RenderError::TooLarge(too_large)) => Some(format!("route `{}`: {too_large}", route.row().name)),
                _ => None,
            }
        })
        .collect();
    if problems.is_empty() {
        return None;
    }
    let problem = Problem::Rule(problems.join("\n").into());
    let none_works = problems.len() == routes.len();
    Some(if none_works { Finding::error(DocPath::root(), problem) } else { Finding::warning(DocPath::root(), problem) })
}
