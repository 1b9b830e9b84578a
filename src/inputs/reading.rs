//! Reads a document of any kind and judges it.

use super::karpenter::BootstrapInputs;
use super::nbc::Nbc;
use super::recognition::{recognize_members, recognize_text};
use super::{DocumentKind, Input, InputKind, check};
use crate::catalogue::rules;
use crate::configuration::{Configuration, Today};
use crate::document::{DocPath, Finding, LARGEST_DOCUMENT, Problem, Report, Source};
use crate::environment::ImageContents;
use crate::inputs::NodeInput;

/// What is checked besides the shape of a document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checks {
    /// Whether unknown fields and unknown names of values are errors. By default they are warnings, so that documents
    /// for newer nodes work with older programs.
    pub strict: bool,
    /// Whether a field is an error if its name is one typing error away from that of a known one. Without it, such a field is
    /// a warning, as every unknown one.
    pub misspelled_fields: bool,
    /// Whether the values are checked too. Without it, only what rendering itself needs is checked.
    pub values: bool,
    /// The date with which the validity of certificates is compared; without it, it is not compared.
    pub today: Option<Today>,
}

impl Checks {
    /// Turns the warnings of a document's reader into errors as far as these checks demand it, and omits those findings that
    /// are too many.
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
pub struct Reading {
    /// The input; `None` if the report contains an error.
    pub input: Option<Input>,
    /// Every finding, in document order.
    pub report: Report,
    /// What the equivalent Configuration cannot represent, as warnings. Of interest only where that Configuration is
    /// used instead of the input.
    pub losses: Vec<Finding>,
}

impl From<Report> for Reading {
    fn from(report: Report) -> Self {
        Self { input: None, report, losses: Vec::new() }
    }
}

impl Reading {
    /// Reads JSON or YAML. Without a `kind`, the kind is recognized from the content; a document that shows no kind is
    /// read as a Configuration.
    ///
    /// If the document is not of the kind that was named, the report says only what it is.
    #[must_use]
    pub fn new(kind: Option<InputKind>, bytes: &[u8], checks: &Checks) -> Self {
        let source = Source::new(bytes);
        let recognized =
            || recognize_text(bytes).map(DocumentKind::Other).or_else(|| recognize_members(source.as_ref().ok()?));
        let read = |kind: InputKind| match &source {
            Ok(source) => Self::of_kind(kind, source, checks),
            Err(finding) => Report::from(finding.clone()).into(),
        };
        let Some(kind) = kind else {
            return match recognized() {
                None => read(InputKind::Configuration),
                Some(DocumentKind::Input(kind)) => read(kind),
                Some(other) => Report::from(misplaced(other, None)).into(),
            };
        };
        let reading = read(kind);
        if reading.report.is_valid() {
            return reading;
        }
        match recognized() {
            Some(found) if found != DocumentKind::Input(kind) => Report::from(misplaced(found, Some(kind))).into(),
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
                Ok((inputs, report)) => Self::of_bootstrap_inputs(inputs, report, Some(source), checks),
                Err(report) => Self::judged(None, report, None, checks),
            },
        }
    }

    fn of_configuration(
        configuration: Configuration,
        mut report: Report,
        source: Option<&Source<'_>>,
        checks: &Checks,
    ) -> Self {
        if checks.values {
            report.findings.extend(check::check(&configuration, checks.today));
        } else {
            report.findings.extend(configuration.check_version().err());
        }
        Self::judged(Some(Input::Configuration(Box::new(configuration))), report, source, checks)
    }

    fn of_nbc(source: &Source<'_>, checks: &Checks) -> Self {
        let (nbc, mut report) = match Nbc::from_source(source) {
            Ok(read) => read,
            Err(report) => return Self::judged(None, report, None, checks),
        };
        if checks.values {
            report.findings.extend(nbc.translate(check::check_nbc(&nbc, checks.today)));
            report.findings.extend(nbc.mismatches().iter().cloned());
        }
        let mut losses: Vec<_> = nbc
            .losses
            .iter()
            .map(|loss| {
                let rule = format!("cannot be carried over: {}", loss.consequence);
                Finding::violation(&rules::NOT_CARRIED_OVER, loss.path.clone(), rule)
            })
            .collect();
        source.locate(&mut losses);
        Self { losses, ..Self::judged(Some(Input::Nbc(Box::new(nbc))), report, Some(source), checks) }
    }

    /// Judges the inputs of Karpenter's bootstrapper, whether they come from a document or from objects.
    pub(crate) fn of_bootstrap_inputs(
        inputs: BootstrapInputs,
        mut report: Report,
        source: Option<&Source<'_>>,
        checks: &Checks,
    ) -> Self {
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

/// Returns the finding for a document of another kind than the one that was named, or of no kind that is an input.
fn misplaced(found: DocumentKind, named: Option<InputKind>) -> Finding {
    let (title, hint) = match found {
        DocumentKind::Input(kind) => {
            (kind.title(), format!("name its kind with `--input {}`, or no kind", kind.name()))
        }
        DocumentKind::Object(object) => (object.title(), format!("pass it with `{}`", object.option())),
        DocumentKind::Other(other) => (other.title(), other.hint().to_owned()),
    };
    let rule = match named {
        Some(named) => format!("is {title}, not {}", named.title()),
        None => format!("is {title}, from which no node can be made"),
    };
    Finding::violation(&rules::WRONG_KIND, DocPath::root(), rule).hint(hint)
}
