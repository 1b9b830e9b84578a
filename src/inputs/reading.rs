//! Reads and checks a document of any kind.

use super::karpenter::{BootstrapInputs, without_sign_in};
use super::kind::{kind_of_object, recognize_parsed};
use super::nbc::Nbc;
use super::outputs::OBJECT;
use super::{DocumentKind, Input, InputKind, check};
use crate::catalogue::rules;
use crate::configuration::{Configuration, Today, Version};
use crate::document::{DocPath, Finding, LARGEST_DOCUMENT, Problem, Report, Source};
use crate::environment::ImageContents;
use crate::inputs::NodeInput;

/// The checks of a document in addition to its syntax and types.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a check of its own")]
pub struct Checks {
    /// Whether unknown fields and unknown names of values are errors. By default they are warnings, so that documents
    /// for newer nodes work with older programs.
    pub strict: bool,
    /// Whether a field whose name is one typing error away from a known one is an error. Otherwise it is a warning,
    /// like every unknown field.
    pub misspelled_fields: bool,
    /// Whether the values are checked too. Otherwise only the requirements of rendering are checked.
    pub values: bool,
    /// Whether an input that permits no delivery without the node's controller is rejected.
    pub without_controller: bool,
    /// The date on which certificates must be valid; `None` if their validity is not checked.
    pub today: Option<Today>,
    /// The version of Kubernetes for which the document is judged instead of its own. Downloads are expected to follow it.
    pub kubernetes: Option<Version<'static>>,
}

impl Checks {
    /// Makes a document ask for the version of Kubernetes for which it is judged.
    fn set_version(&self, kubernetes_version: &mut String) {
        if let Some(version) = &self.kubernetes {
            *kubernetes_version = version.to_string();
        }
    }

    /// Removes what only the version of Kubernetes in the document explains.
    fn retain_for_version(&self, findings: &mut Vec<Finding>) {
        findings.retain(|finding| self.kubernetes.is_none() || *finding.rule != rules::VERSION_IN_URL);
    }

    /// Turns warnings of a document's reader into errors as these checks require, and truncates the list of findings.
    pub(crate) fn judge(&self, report: &mut Report) {
        if self.misspelled_fields {
            report.reject_misspelled_fields();
        }
        if self.strict {
            report.be_strict();
        }
        report.shorten();
    }
}

/// A document that was read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The input; `None` if the report contains an error.
    pub input: Option<Input>,
    /// Every finding, in document order.
    pub report: Report,
    /// Warnings about everything that the equivalent Configuration cannot represent. They only matter where that
    /// Configuration is used instead of the input.
    pub losses: Vec<Finding>,
}

impl From<Report> for Reading {
    fn from(report: Report) -> Self {
        Self { input: None, report, losses: Vec::new() }
    }
}

impl Reading {
    /// Reads JSON or YAML. Without a `kind`, the kind is recognized from the content; a document of an unrecognizable
    /// kind is read as a Configuration.
    ///
    /// If the document is recognized as another kind than `kind`, the report says only that.
    #[must_use]
    pub fn new(kind: Option<InputKind>, bytes: &[u8], checks: &Checks) -> Self {
        Self::of_parsed(kind, bytes, &Source::new(bytes), checks)
    }

    /// As [`Reading::new`], for a document that has been parsed.
    pub(crate) fn of_parsed(
        kind: Option<InputKind>,
        bytes: &[u8],
        source: &Result<Source<'_>, Finding>,
        checks: &Checks,
    ) -> Self {
        let recognized = || recognize_parsed(bytes, source.as_ref().ok());
        let read = |kind: InputKind| match source {
            Ok(source) => Self::of_kind(kind, source, checks),
            Err(finding) => Report::from(finding.clone()).into(),
        };
        let Some(kind) = kind else {
            return match recognized() {
                None => read(InputKind::Configuration),
                Some(DocumentKind::Input(kind)) => read(kind),
                Some(other) => Report::from(misplaced(other, None, source.as_ref().ok())).into(),
            };
        };
        let reading = read(kind);
        if reading.report.is_valid() {
            return reading;
        }
        match recognized() {
            Some(found) if found != DocumentKind::Input(kind) => {
                Report::from(misplaced(found, Some(kind), source.as_ref().ok())).into()
            }
            _ => reading,
        }
    }

    /// Reads a Configuration in protobuf's binary form.
    #[must_use]
    pub fn of_protobuf(bytes: &[u8], checks: &Checks) -> Self {
        if bytes.len() > LARGEST_DOCUMENT {
            let problem = Problem::TooLarge { limit: LARGEST_DOCUMENT };
            return Report::from(Finding::new(&rules::DOCUMENT_SIZE, DocPath::root(), problem)).into();
        }
        match Configuration::from_protobuf(bytes) {
            Ok(configuration) => Self::of_configuration(configuration, Report::default(), None, checks),
            Err(report) => report.into(),
        }
    }

    fn of_kind(kind: InputKind, source: &Source<'_>, checks: &Checks) -> Self {
        match kind {
            InputKind::Configuration => match Configuration::from_source(source) {
                Ok(decoded) => Self::of_configuration(decoded.configuration, decoded.report, Some(source), checks),
                Err(report) => Self::judged(None, report, None, checks),
            },
            InputKind::Nbc => Self::of_nbc(source, checks),
            InputKind::Karpenter => match BootstrapInputs::from_source(source) {
                Ok((inputs, mut report)) => {
                    if checks.values {
                        report.findings.extend(without_sign_in(&inputs));
                    }
                    Self::of_bootstrap_inputs(inputs, report, Some(source), checks)
                }
                Err(report) => Self::judged(None, report, None, checks),
            },
        }
    }

    fn of_configuration(
        mut configuration: Configuration,
        mut report: Report,
        source: Option<&Source<'_>>,
        checks: &Checks,
    ) -> Self {
        checks.set_version(&mut configuration.kubernetes_version);
        if checks.values {
            let mut unread = Vec::new();
            for finding in &mut report.findings {
                if *finding.rule == rules::PLACEHOLDER {
                    finding.severity = finding.rule.severity;
                }
                // That the field is unset follows.
                if [&rules::PLACEHOLDER, &rules::UNKNOWN_VALUE, &rules::MISSPELLED_VALUE].contains(&finding.rule) {
                    unread.push(finding.path.clone());
                }
            }
            let mut found = check::check(&configuration, checks.today);
            checks.retain_for_version(&mut found);
            report.findings.extend(found.into_iter().filter(|finding| !unread.contains(&finding.path)));
        } else {
            report.findings.extend(configuration.check_version().err());
        }
        Self::judged(Some(Input::Configuration(Box::new(configuration))), report, source, checks)
    }

    fn of_nbc(source: &Source<'_>, checks: &Checks) -> Self {
        let (mut nbc, mut report) = match Nbc::from_source(source) {
            Ok(read) => read,
            Err(report) => return Self::judged(None, report, None, checks),
        };
        checks.set_version(&mut nbc.configuration.kubernetes_version);
        if checks.values {
            let mut found = check::check_nbc(&nbc, checks.today);
            checks.retain_for_version(&mut found);
            report.findings.extend(nbc.translate(found));
            report.findings.extend(nbc.mismatches().iter().cloned());
        }
        report.findings.extend(nbc.needs_controller().filter(|_| checks.without_controller));
        let mut losses: Vec<_> = nbc
            .losses
            .iter()
            .map(|loss| {
                let rule = format!("cannot be converted: {}", loss.consequence);
                Finding::violation(&rules::NOT_CARRIED_OVER, loss.path.clone(), rule)
            })
            .collect();
        source.locate(&mut losses);
        Self { losses, ..Self::judged(Some(Input::Nbc(Box::new(nbc))), report, Some(source), checks) }
    }

    /// Checks the inputs of Karpenter's bootstrapper, from a document or from objects.
    pub(crate) fn of_bootstrap_inputs(
        mut inputs: BootstrapInputs,
        mut report: Report,
        source: Option<&Source<'_>>,
        checks: &Checks,
    ) -> Self {
        checks.set_version(&mut inputs.kubernetes_version);
        if checks.values {
            report.findings.extend(check::check_bootstrap_inputs(&inputs, checks.today));
        } else if let Err(finding) = inputs.assignments(&ImageContents::default()) {
            report.findings.push(finding);
        }
        Self::judged(Some(Input::Karpenter(Box::new(inputs))), report, source, checks)
    }

    fn judged(input: Option<Input>, mut report: Report, source: Option<&Source<'_>>, checks: &Checks) -> Self {
        if let Some(source) = source {
            source.locate(&mut report.findings);
        }
        report.sort();
        checks.judge(&mut report);
        Self { input: input.filter(|_| report.is_valid()), report, losses: Vec::new() }
    }
}

/// Returns the finding for a document of another kind than the named one, or of a kind that is not an input.
fn misplaced(found: DocumentKind, named: Option<InputKind>, source: Option<&Source<'_>>) -> Finding {
    let (title, hint) = match found {
        DocumentKind::Input(kind) => {
            (kind.title(), format!("name its kind with `--input {}`, or omit the kind", kind.name()))
        }
        DocumentKind::Object(object) => (object.title(), format!("pass it with `{}`", object.option())),
        DocumentKind::Other(other) => (other.title(), other.hint().to_owned()),
    };
    let kind = (title == OBJECT).then(|| kind_of_object(source?)).flatten();
    let kind = kind.map(|kind| format!(" of kind {kind}")).unwrap_or_default();
    let rule = match named {
        Some(named) => format!("is {title}{kind}, not {}", named.title()),
        None => format!("is {title}{kind}, from which no node can be created"),
    };
    Finding::violation(&rules::WRONG_KIND, DocPath::root(), rule).hint(hint)
}
