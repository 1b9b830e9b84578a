//! Layers: partial Configurations and single values that are merged over a document before it is read.

use std::path::PathBuf;

use serde_json::Value;

use super::file::{Document, name_of, read_bytes};
use super::{Failure, changes, output};
use crate::catalogue::rules;
use crate::configuration::layer::merge;
use crate::configuration::{Configuration, Kind};
use crate::document::{DocPath, Finding, Report, Source, Step};
use crate::inputs::{Checks, DocumentKind, InputKind, Reading, recognize};

/// What is merged over the document.
#[derive(clap::Args, Debug, Default)]
pub(super) struct LayerArguments {
    /// A partial Configuration to merge over the document: maps by key, everything else is replaced, `null` removes. Can be
    /// repeated
    #[arg(long, value_name = "FILE")]
    layer: Vec<PathBuf>,
    /// Set a field or an entry of a map after the layers, such as `cluster_config.location=westeurope`. Can be repeated
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Set a field to the text of a file. Can be repeated
    #[arg(long, value_name = "PATH=FILE")]
    set_file: Vec<String>,
}

/// A source of values: the document, a layer, or an option.
pub(super) struct Part {
    name: String,
    bytes: Vec<u8>,
    value: Value,
}

/// A document with its layers.
pub(super) struct Layered {
    parts: Vec<Part>,
    merged: String,
}

/// The findings about one source of values.
pub(super) struct PartReport {
    pub name: String,
    pub bytes: Vec<u8>,
    pub report: Report,
}

/// Returns the name of the kind of a document that cannot be a layer, and what to do with it. A part of a
/// Configuration may have only members that another input has, too.
fn other_kind(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let title = match recognize(bytes)? {
        DocumentKind::Other(other) => return Some((other.title(), other.hint())),
        DocumentKind::Object(object) => object.title(),
        DocumentKind::Input(kind) => {
            let members = value(bytes).ok()?;
            let has_own = members.as_object()?.keys().any(|name| InputKind::Configuration.has_member(name));
            (!has_own).then(|| kind.title())?
        }
    };
    Some((title, "`convert` makes a Configuration of it; Karpenter's objects need --base"))
}

impl LayerArguments {
    /// Reports whether nothing is merged.
    pub fn is_empty(&self) -> bool {
        self.layer.is_empty() && self.set.is_empty() && self.set_file.is_empty()
    }

    /// Merges what Karpenter's objects say over a Configuration, and everything else over both.
    pub fn read_objects(
        &self,
        base: Document,
        layer: impl FnOnce(&Value) -> Value,
        checks: &Checks,
    ) -> Result<(Document, Reading, Layered), Failure> {
        let name = base.name.clone();
        let value = match value(&base.bytes) {
            Ok(value) => value,
            Err(report) => {
                output::findings(&name, Some(&base.bytes), &report);
                return Err(Failure::Reported);
            }
        };
        let objects = Part { name: "Karpenter's objects".to_owned(), bytes: Vec::new(), value: layer(&value) };
        self.read(base, Some(InputKind::Configuration), Some(objects), checks)
    }

    /// Returns the document and what is merged over it. Fails with the findings of the source that cannot be read.
    fn parts(
        &self,
        document: Document,
        kind: Option<InputKind>,
        second: Option<Part>,
    ) -> Result<Vec<Part>, Box<PartReport>> {
        let is_configuration = match kind {
            Some(kind) => kind == InputKind::Configuration,
            None => matches!(recognize(&document.bytes), None | Some(DocumentKind::Input(InputKind::Configuration))),
        };
        if !is_configuration {
            let problem = "is not a Configuration; --layer, --set and --set-file change only Configurations";
            let report = Finding::violation(&rules::WRONG_KIND, DocPath::root(), problem).into();
            return Err(Box::new(PartReport { name: document.name, bytes: document.bytes, report }));
        }
        let mut parts = vec![part(document.name, document.bytes)?];
        parts.extend(second);
        for path in &self.layer {
            let name = name_of(path);
            let bytes = read_bytes(path).map_err(|error| {
                let problem = format!("cannot be read: {error}");
                let report = Finding::violation(&rules::UNREADABLE_FILE, DocPath::root(), problem).into();
                Box::new(PartReport { name: name.clone(), bytes: Vec::new(), report })
            })?;
            if let Some((title, hint)) = other_kind(&bytes) {
                let problem = format!("is {title}, not a partial Configuration");
                let finding = Finding::violation(&rules::WRONG_KIND, DocPath::root(), problem).hint(hint);
                return Err(Box::new(PartReport { name, bytes, report: finding.into() }));
            }
            parts.push(part(name, bytes)?);
        }
        Ok(parts)
    }

    /// Merges everything over a document, reads the result and prints its findings, each with the file that its value is from.
    pub fn read(
        &self,
        document: Document,
        kind: Option<InputKind>,
        second: Option<Part>,
        checks: &Checks,
    ) -> Result<(Document, Reading, Layered), Failure> {
        let name = document.name.clone();
        let layered = match self.layered(document, kind, second)? {
            Ok(layered) => layered,
            Err(wrong) => {
                output::findings(&wrong.name, Some(&wrong.bytes), &wrong.report);
                return Err(Failure::Reported);
            }
        };
        let (mut reading, parts) = layered.judged(checks);
        for part in &parts {
            output::findings(&part.name, Some(&part.bytes), &part.report);
        }
        // They have been printed.
        reading.report = Report::default();
        Ok((Document { name, bytes: layered.merged.clone().into_bytes() }, reading, layered))
    }

    /// Merges a second source, the layers, and the values of `--set` and `--set-file` over a document.
    pub fn layered(
        &self,
        document: Document,
        kind: Option<InputKind>,
        second: Option<Part>,
    ) -> Result<Result<Layered, Box<PartReport>>, Failure> {
        let changes = changes::changes(&self.set, &self.set_file)?;
        Ok(self.parts(document, kind, second).map(|mut parts| {
            parts.extend(changes.into_iter().enumerate().map(|(at, (place, value))| {
                let option = if at < self.set.len() { "--set" } else { "--set-file" };
                let name = format!("{option} {}", place.path());
                Part { name, bytes: Vec::new(), value: place.layer(value) }
            }));
            let mut merged = Value::Null;
            for part in &parts {
                merge(&mut merged, part.value.clone());
            }
            Layered { parts, merged: merged.to_string() }
        }))
    }
}

/// Reads a source of values.
fn part(name: String, bytes: Vec<u8>) -> Result<Part, Box<PartReport>> {
    match value(&bytes) {
        Ok(value) => Ok(Part { name, bytes, value }),
        Err(report) => Err(Box::new(PartReport { name, bytes, report })),
    }
}

/// Returns a document as JSON. What is wrong with its types is reported at its own place.
fn value(bytes: &[u8]) -> Result<Value, Report> {
    let source = Source::new(bytes)?;
    let value = source.tree()?.json();
    if let Err(mut report) = Configuration::from_source(&source) {
        // `null` removes what is below, also where a document of its own cannot have it.
        report.findings.retain(|finding| !at(&value, &finding.path).is_some_and(Value::is_null));
        if !report.is_valid() {
            return Err(report);
        }
    }
    Ok(value)
}

impl Layered {
    /// Returns a document with nothing merged over it. `None` if it is no Configuration in JSON or YAML.
    pub fn of_document(name: &str, bytes: &[u8]) -> Option<Self> {
        let part = part(name.to_owned(), bytes.to_vec()).ok()?;
        Some(Self { merged: part.value.to_string(), parts: vec![part] })
    }

    /// Returns the merged document.
    pub fn merged(&self) -> &[u8] {
        self.merged.as_bytes()
    }

    /// Returns where the value of a field was read: the source, with line and column in a file. A map or a message can have parts of
    /// several sources. `None` if no source has the field.
    pub fn place(&self, field: &str) -> Option<String> {
        let path = path(field)?;
        let having: Vec<_> = self.parts.iter().filter(|part| at(&part.value, &path).is_some()).collect();
        let is_merged = |part: &&Part| at(&part.value, &path).is_some_and(Value::is_object);
        let first = having.iter().rposition(|part| !is_merged(part)).unwrap_or(0);
        let places = having[first..].iter().map(|part| {
            let mut finding = [Finding::violation(&rules::WRONG_KIND, path.clone(), "")];
            if let Ok(source) = Source::new(&part.bytes) {
                source.locate(&mut finding);
            }
            match finding[0].position {
                Some(position) => format!("{}:{position}", part.name),
                None => part.name.clone(),
            }
        });
        let places = places.collect::<Vec<_>>().join(", ");
        (!places.is_empty()).then_some(places)
    }

    /// Reads the merged document. Returns its findings by the source that the value is from.
    pub fn judged(&self, checks: &Checks) -> (Reading, Vec<PartReport>) {
        let reading = Reading::new(Some(InputKind::Configuration), self.merged.as_bytes(), checks);
        let mut reports: Vec<_> = self
            .parts
            .iter()
            .map(|part| PartReport { name: part.name.clone(), bytes: part.bytes.clone(), report: Report::default() })
            .collect();
        for finding in &reading.report.findings {
            let finding = finding.clone().unlocated();
            // What no source has is missing in the document.
            let is_whole = finding.path.0.is_empty();
            let source = self
                .parts
                .iter()
                .rposition(|part| at(&part.value, &finding.path).is_some())
                .filter(|_| !is_whole)
                .unwrap_or(0);
            reports[source].report.findings.push(finding);
        }
        for part in &mut reports {
            if let Ok(source) = Source::new(&part.bytes) {
                source.locate(&mut part.report.findings);
            }
            part.report.sort();
        }
        reports[0].report.omitted = reading.report.omitted;
        (reading, reports)
    }
}

/// Returns the path of a field, given as names with dots between.
fn path(field: &str) -> Option<DocPath> {
    let (mut descriptor, mut steps) = (Configuration::descriptor(), Vec::new());
    for name in field.split('.') {
        let field = &descriptor.fields[descriptor.index_of(name)?];
        steps.push(Step::Field { name: field.name, json_name: field.json_name });
        if let Kind::Message(inner) = field.kind {
            descriptor = inner;
        }
    }
    Some(DocPath(steps))
}

/// Returns the value at a path.
fn at<'v>(value: &'v Value, path: &DocPath) -> Option<&'v Value> {
    path.0.iter().try_fold(value, |value, step| match step {
        Step::Field { name, json_name } => value.get(name).or_else(|| value.get(json_name)),
        Step::Unknown(name) | Step::Key(name) => value.get(name),
        Step::Index(index) => value.get(index),
    })
}
