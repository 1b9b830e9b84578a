//! `validate`: every finding of every document.

use std::io;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::file::{self, Document};
use super::image;
use super::input::{self, InputFormat};
use super::layers::{LayerArguments, PartReport};
use super::output::{self, InClear, Layout};
use super::style::{self, paint};
use super::{Failure, Outcome, findings};
use crate::catalogue::operating_systems::OPERATING_SYSTEMS;
use crate::catalogue::rules;
use crate::configuration::Version;
use crate::delivery::{RenderError, Request, Route, notes};
use crate::document::{DocPath, Finding, Report, Severity, Source};
use crate::environment::ImageContents;
use crate::image_facts::{Facts, predictions};
use crate::inputs::karpenter::bundle::{Bundle, FileReport};
use crate::inputs::{Checks, DocumentKind, Input, InputKind, NodeInput, OtherKind, Reading, recognize_parsed};

/// The format of findings.
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
  aks-node-controller validate node.yaml --set vm_size=Standard_D8s_v5
  aks-node-controller validate node.yaml --kubernetes-version 1.37 || true
  aks-node-controller validate --strict --format json nodes/*.json
  aks-node-controller validate --format sarif nodes/*.yaml > findings.sarif
  kubectl get secret node -o json | jq -r '.data.config | @base64d' |
    aks-node-controller validate -

Each finding ends with the id of its rule, which never changes; docs/rules.md explains them.

Exit code: 0 if no document has an error, 1 otherwise.")]
pub(super) struct Validate {
    /// Documents of any kind, JSON or YAML; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Kind of the files, instead of recognizing each
    #[arg(long, value_name = "KIND", value_enum)]
    input: Option<InputKind>,
    /// Treat unknown fields and unknown names of values as errors
    #[arg(long)]
    strict: bool,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
    /// Encoding of a Configuration
    #[arg(long, value_enum, default_value_t = InputFormat::Auto)]
    input_format: InputFormat,
    /// Check each document as if it had this version of Kubernetes, such as 1.37, to find what an upgrade would break
    #[arg(long, value_name = "VERSION", value_parser = kubernetes_version)]
    kubernetes_version: Option<Version<'static>>,
    /// Facts of the image, as `bake --facts` writes them: requirements that it does not meet are errors, with the resulting exit
    /// code
    #[arg(long, value_name = "FILE")]
    image: Option<PathBuf>,
    #[command(flatten)]
    layers: LayerArguments,
    #[clap(skip)]
    facts: Option<Facts>,
}

/// Parses a version of Kubernetes. The patch can be omitted.
fn kubernetes_version(text: &str) -> Result<Version<'static>, String> {
    let version = Version::parse(text).filter(|version| text.contains('.') && version.major() == 1);
    version
        .map(|version| Version::new(version.major(), version.minor(), version.patch()))
        .ok_or_else(|| "must be a version of Kubernetes such as `1.37` or `1.37.2`".to_owned())
}

impl Validate {
    pub fn run(mut self) -> Outcome {
        let mut all_valid = true;
        // Each file is read once, because a pipe has nothing for the second time.
        let files: Vec<_> = self.files.iter().map(|file| (file::name_of(file), file::read_bytes(file))).collect();
        self.facts = self.image.as_deref().map(image::facts_in).transpose()?.map(|(_, facts)| facts);
        let has_bundle = files.len() > 1
            && self.recognizes_kinds()
            && files
                .iter()
                .flat_map(|(_, bytes)| bytes)
                .any(|bytes| is_bundle(bytes, Source::new(bytes).as_ref().ok()));
        // One log for all files; every other format is printed file by file.
        let mut log = Vec::new();
        for (name, bytes) in files {
            // The other documents are still checked.
            let parts = match bytes {
                Ok(bytes) => self.reports(Document { name: name.clone(), bytes }, has_bundle)?,
                Err(error) => vec![PartReport { name: name.clone(), bytes: Vec::new(), report: unreadable(&error) }],
            };
            let is_valid = parts.iter().all(|part| part.report.is_valid());
            all_valid &= is_valid;
            match self.format {
                ReportFormat::Text => output::text(&InClear(&text(&name, &parts, is_valid)))?,
                ReportFormat::Json => output::json(&InClear(&record(&name, &parts, is_valid)), Layout::Line)?,
                ReportFormat::Github => {
                    for part in &parts {
                        output::bytes(findings::github(&part.name, &part.report).as_bytes())?;
                    }
                }
                ReportFormat::Sarif => log.extend(parts.into_iter().map(|part| (part.name, part.report))),
            }
        }
        if self.format == ReportFormat::Sarif {
            output::json(&InClear(&findings::sarif(&log)), Layout::Pretty)?;
        }
        if all_valid { Ok(()) } else { Err(Failure::Reported) }
    }

    /// Returns the findings about a document, and about each of its layers.
    fn reports(&self, document: Document, has_bundle: bool) -> Result<Vec<PartReport>, Failure> {
        let today = Some(input::today());
        let checks = Checks {
            strict: self.strict,
            misspelled_fields: true,
            values: true,
            today,
            kubernetes: self.kubernetes_version,
            ..Checks::default()
        };
        if self.layers.is_empty() {
            let source = Source::new(&document.bytes);
            let is_bundle = self.recognizes_kinds()
                && (is_bundle(&document.bytes, source.as_ref().ok())
                    || (has_bundle && Bundle::understands(&document.bytes)));
            if is_bundle {
                if self.facts.is_some() {
                    let problem = "--image needs a document of one node; `convert --from karpenter` creates one from \
                        Karpenter's objects";
                    return Err(Failure::Usage(problem.to_owned()));
                }
                let mut bundle = Bundle::default();
                bundle.add(document.name, document.bytes, None);
                let files = bundle.reports(&checks).into_iter();
                return Ok(files
                    .map(|FileReport { name, bytes, report }| PartReport { name, bytes, report })
                    .collect());
            }
            let report = self.report(&document.bytes, &source, &checks);
            return Ok(vec![PartReport { name: document.name, bytes: document.bytes, report }]);
        }
        if self.input_format == InputFormat::Protobuf {
            return Err(Failure::Usage("--layer, --set and --set-file need JSON or YAML".to_owned()));
        }
        Ok(match self.layers.layered(document, self.input, None)? {
            Err(wrong) => vec![*wrong],
            Ok(layered) => {
                let (reading, mut parts) = layered.judged(&checks);
                parts[0].report.findings.extend(reading.input.as_ref().and_then(too_large));
                let (merged, kind) = (layered.merged(), Some(InputKind::Configuration));
                parts[0].report.findings.extend(self.predictions(kind, merged, &Source::new(merged)));
                parts
            }
        })
    }

    /// Whether the kind of a file follows from its content.
    fn recognizes_kinds(&self) -> bool {
        self.input.is_none() && self.input_format == InputFormat::Auto
    }

    fn reading(&self, kind: Option<InputKind>, bytes: &[u8], source: &Parsed<'_>, checks: &Checks) -> Reading {
        match self.input_format {
            InputFormat::Auto => Reading::of_parsed(kind, bytes, source, checks),
            InputFormat::Protobuf => Reading::of_protobuf(bytes, checks),
        }
    }

    /// Returns the findings about a document for the image of `--image`, whatever else is wrong with its values.
    fn predictions(&self, kind: Option<InputKind>, bytes: &[u8], source: &Parsed<'_>) -> Vec<Finding> {
        let Some(facts) = &self.facts else { return Vec::new() };
        let Some(input) = &self.reading(kind, bytes, source, &Checks::default()).input else { return Vec::new() };
        let os = input.os().or(input.labelled_os()).unwrap_or(&OPERATING_SYSTEMS[0]);
        let version = facts.containerd.as_deref().unwrap_or(os.containerd_version).to_owned();
        predictions(facts, input, &ImageContents { containerd_version: version, ..ImageContents::default() })
    }

    fn report(&self, bytes: &[u8], source: &Parsed<'_>, checks: &Checks) -> Report {
        let Reading { input, mut report, .. } = self.reading(self.input, bytes, source, checks);
        let mut notes = self.predictions(self.input, bytes, source);
        if let Some(input) = input {
            report.findings.extend(too_large(&input));
            notes.extend(self::notes(&input));
        }
        if let Ok(source) = source {
            source.locate(&mut notes);
        }
        report.findings.append(&mut notes);
        report.sort();
        report.shorten();
        report
    }
}

/// A document that has been parsed, or why it cannot be.
type Parsed<'t> = Result<Source<'t>, Finding>;

/// Reports whether a file has objects or settings of Karpenter.
fn is_bundle(bytes: &[u8], source: Option<&Source<'_>>) -> bool {
    match recognize_parsed(bytes, source) {
        Some(DocumentKind::Object(_)) => true,
        Some(DocumentKind::Other(
            OtherKind::KubernetesList | OtherKind::Cluster(_) | OtherKind::Output(_) | OtherKind::AzureMessages,
        ))
        | None => Bundle::recognizes(bytes),
        Some(_) => false,
    }
}

fn unreadable(error: &io::Error) -> Report {
    Finding::violation(&rules::UNREADABLE_FILE, DocPath::root(), format!("cannot be read: {error}")).into()
}

fn text(name: &str, parts: &[PartReport], is_valid: bool) -> String {
    let verdict = if is_valid { paint(style::GOOD, "valid") } else { paint(style::ERROR, "not valid") };
    let width = output::width(&io::stdout());
    let findings = parts.iter().map(|part| output::described(&part.name, Some(&part.bytes), &part.report, width));
    findings.collect::<String>() + &output::wrapped(&format!("{}: {verdict}\n", output::printable(name)), width, 2)
}

/// Returns the findings of a document and its layers as one object. A finding about a layer has its name as `file`.
fn record(name: &str, parts: &[PartReport], is_valid: bool) -> Value {
    let mut record = json!({"file": name, "valid": is_valid});
    output::add_findings(&mut record, &parts[0].report);
    for part in &parts[1..] {
        let mut of_part = json!({});
        output::add_findings(&mut of_part, &part.report);
        let Value::Array(findings) = of_part["findings"].take() else { continue };
        let list = record["findings"].as_array_mut().expect("it was added");
        list.extend(findings.into_iter().map(|mut finding| {
            finding["file"] = part.name.clone().into();
            finding
        }));
    }
    record
}

/// Returns the finding for a result that is too large: an error if it is too large for every route that accepts the
/// input, a warning if it is for some.
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
