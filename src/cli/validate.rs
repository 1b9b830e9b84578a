//! `validate`: every finding of every document.

use std::io;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::file;
use super::input::{self, InputFormat, KindName};
use super::output::{self, Layout};
use super::style::{self, paint};
use super::{Failure, Outcome, findings};
use crate::catalogue::operating_systems::OPERATING_SYSTEMS;
use crate::catalogue::rules;
use crate::delivery::{RenderError, Request, Route};
use crate::document::{DocPath, Finding, Report, Severity};
use crate::environment::ImageContents;
use crate::inputs::karpenter::objects::{NodeClaim, NodeClass};
use crate::inputs::{Checks, DocumentKind, Input, KarpenterObject, NodeInput, Reading, recognize};

/// The shape of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ReportFormat {
    /// For people.
    Text,
    /// For programs: one object for each file, one per line.
    Json,
    /// SARIF 2.1.0, for code review and code scanning.
    Sarif,
    /// Commands of GitHub Actions, which become annotations.
    Github,
}

/// Check documents.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller validate node.yaml
  aks-node-controller validate --strict --format json nodes/*.json
  aks-node-controller validate --format sarif nodes/*.yaml > findings.sarif
  kubectl get secret node -o json | jq -r '.data.config | @base64d' |
    aks-node-controller validate -

Each finding ends with the id of its rule, which stays; docs/rules.md explains them.

Exit code: 0 if no document has an error, 1 otherwise.")]
pub(super) struct Validate {
    /// Documents of any kind, JSON or YAML; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What the files are, instead of recognizing each
    #[arg(long, value_name = "KIND", value_enum)]
    input: Option<KindName>,
    /// Treat unknown fields and unknown names of values as errors
    #[arg(long)]
    strict: bool,
    /// Shape of the result
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
    /// How the bytes of a Configuration are encoded
    #[arg(long, value_enum, default_value_t = InputFormat::Auto)]
    input_format: InputFormat,
}

impl Validate {
    pub fn run(self) -> Outcome {
        let mut all_valid = true;
        // One log for all files; every other shape is printed file by file.
        let mut log = Vec::new();
        for file in &self.files {
            let name = file::name_of(file);
            // The other documents are still checked.
            let (document, report) = match file::read_bytes(file) {
                Ok(bytes) => {
                    let report = self.report(&bytes);
                    (bytes, report)
                }
                Err(error) => (Vec::new(), unreadable(&error)),
            };
            all_valid &= report.is_valid();
            match self.format {
                ReportFormat::Text => {
                    output::text(&text(&name, &document, &report))?;
                }
                ReportFormat::Json => output::json(&record(&name, &report), Layout::Line)?,
                ReportFormat::Github => output::bytes(findings::github(&name, &report).as_bytes())?,
                ReportFormat::Sarif => log.push((name, report)),
            }
        }
        if self.format == ReportFormat::Sarif {
            output::json(&findings::sarif(&log), Layout::Pretty)?;
        }
        if all_valid { Ok(()) } else { Err(Failure::Reported) }
    }

    fn report(&self, bytes: &[u8]) -> Report {
        let checks = Checks { strict: self.strict, misspelled_fields: true, values: true, today: Some(input::today()) };
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
            checks.judge(&mut report);
            return report;
        }
        let Reading { input, mut report, .. } =
            input::judged(self.input.map(KindName::kind), self.input_format, bytes, &checks);
        report.findings.extend(input.as_ref().and_then(too_large));
        report
    }
}

fn unreadable(error: &io::Error) -> Report {
    Finding::violation(&rules::UNREADABLE_FILE, DocPath::root(), format!("cannot be read: {error}")).into()
}

fn text(name: &str, document: &[u8], report: &Report) -> String {
    let verdict = if report.is_valid() { paint(style::GOOD, "valid") } else { paint(style::ERROR, "not valid") };
    let width = output::width(&io::stdout());
    let findings = output::described(name, Some(document), report, width);
    findings + &output::wrapped(&format!("{}: {verdict}\n", output::printable(name)), width, 2)
}

fn record(name: &str, report: &Report) -> Value {
    let mut record = json!({"file": name, "valid": report.is_valid()});
    output::add_findings(&mut record, report);
    record
}

/// Returns the finding for a result that is too large: an error if no route that accepts the input can carry it, a
/// warning if some cannot.
fn too_large(input: &Input) -> Option<Finding> {
    let os = input.os().or(input.labelled_os()).unwrap_or(&OPERATING_SYSTEMS[0]);
    let image = ImageContents { containerd_version: os.containerd_version.to_owned(), ..ImageContents::default() };
    let mut request = Request { os, image, ..Request::default() };
    let (mut problems, mut has_working_route) = (Vec::new(), false);
    for route in Route::ALL {
        request.route = route;
        match request.check_size(input) {
            Err(RenderError::TooLarge(too_large)) => {
                problems.push(format!("route `{}`: {too_large}", route.name()));
            }
            Err(_) => {}
            Ok(()) => has_working_route = true,
        }
    }
    if problems.is_empty() {
        return None;
    }
    let severity = if has_working_route { Severity::Warning } else { Severity::Error };
    Some(Finding::violation(&rules::RESULT_SIZE, DocPath::root(), problems.join("\n")).severity(severity))
}
