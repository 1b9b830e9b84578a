//! A line of a batch: a document, or a request that contains one.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::catalogue::operating_systems::{OPERATING_SYSTEMS, OperatingSystem, operating_system};
use crate::delivery::Route;
use crate::document::{DocPath, Finding, Findings, Position, Problem, Report, Severity, Source, Step, rules};
use crate::inputs::Checks;

/// The members of a request.
const NAMES: [&str; 4] = ["id", "document", "route", "os"];

/// What to do with a document of several lines.
const ONE_LINE: &str = "each line is one document in JSON: `yq -o json -I 0 FILE` prints it on one line; without --batch, a file can be YAML";

/// A line of a batch.
#[derive(Default)]
pub(super) struct Line<'t> {
    /// The value of `id`, byte for byte.
    pub id: Option<&'t str>,
    /// The document; `None` if the report has an error about that.
    pub document: Option<&'t [u8]>,
    /// The number of characters before the document.
    indent: usize,
    /// The route, instead of the one of the command line.
    pub route: Option<Route>,
    /// The operating system, instead of the one of the command line.
    pub os: Option<&'static OperatingSystem>,
    /// Findings about the request, with columns of the line.
    pub report: Report,
}

impl<'t> Line<'t> {
    /// Reads a line. It is a request if its first member is one of a request, or if it has a member `document`.
    pub fn new(text: &'t [u8], checks: &Checks) -> Self {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        if is_part(text) {
            let problem = Problem::Syntax("the line is not a JSON object".to_owned());
            let finding = Finding::new(&rules::SYNTAX, DocPath::root(), problem).at(Position::START);
            return Self { report: finding.hint(ONE_LINE).into(), ..Self::default() };
        }
        let mut members = Vec::new();
        let mut reader = serde_json::Deserializer::from_slice(text);
        let contains_document = memchr::memmem::find(text, b"\"document\"").is_some();
        let read = reader.deserialize_map(Members { found: &mut members, contains_document });
        let read = read.and_then(|()| reader.end());
        let is_request = members.first().is_some_and(|(name, _)| NAMES.contains(&name.as_str()))
            || members.iter().any(|(name, _)| name == "document");
        if !is_request {
            return Self { document: Some(text), ..Self::default() };
        }
        let id = members.iter().find(|(name, _)| name == "id").map(|(_, id)| id.get());
        if read.is_err() {
            // Members after the error are missing, so they are not judged.
            let problem = Source::new(text).and_then(|source| source.tree().map(|_| ()));
            let problem = problem.err().unwrap_or_else(|| {
                Finding::new(&rules::SYNTAX, DocPath::root(), Problem::Syntax("the object does not end".to_owned()))
            });
            return Self { id, report: problem.into(), ..Self::default() };
        }
        let mut line = Self { id, ..Self::default() };
        line.take(text, &members, checks);
        line
    }

    /// Takes the members of a request.
    fn take(&mut self, text: &'t [u8], members: &[(String, &'t RawValue)], checks: &Checks) {
        let mut findings = Findings::default();
        for (at, (name, value)) in members.iter().enumerate() {
            let value = value.get();
            let indent = value.as_ptr().addr() - text.as_ptr().addr();
            let indent = String::from_utf8_lossy(&text[..indent]).chars().count();
            let position = Position { line: 1, column: indent + 1 };
            let Some(known) = NAMES.into_iter().find(|known| known == name) else {
                let path = DocPath(vec![Step::Unknown(name.clone())]);
                let problem = Problem::UnknownField("a request");
                findings.unknown_field(name, NAMES.into_iter(), |rule| Finding::new(rule, path, problem).at(position));
                continue;
            };
            let path = DocPath::fields(known);
            if members[..at].iter().any(|(other, _)| other == name) {
                findings.push(Finding::new(&rules::DUPLICATE_FIELD, path, Problem::Duplicate).at(position));
                continue;
            }
            match known {
                "document" => (self.document, self.indent) = (Some(value.as_bytes()), indent),
                "route" => match named(value, path, Route::ALL.map(Route::name), Route::named) {
                    Ok(route) => self.route = route,
                    Err(finding) => findings.push(finding.at(position)),
                },
                "os" => match named(value, path, OPERATING_SYSTEMS.iter().map(|os| os.name), operating_system) {
                    Ok(os) => self.os = os,
                    Err(finding) => findings.push(finding.at(position)),
                },
                _ => {}
            }
        }
        if self.document.is_none() {
            findings.push(Finding::missing(DocPath::fields("document")).at(Position::START));
        }
        self.report = findings.into();
        checks.judge(&mut self.report);
    }

    /// Returns the findings about the request and its document, in the order of the line with this number.
    pub fn all_findings(self, number: usize, of_document: Report) -> Report {
        let mut report = self.report;
        report.omitted += of_document.omitted;
        report.findings.extend(of_document.findings.into_iter().map(|mut finding| {
            if let Some(position) = &mut finding.position {
                position.column += self.indent;
            }
            finding
        }));
        report.findings.iter_mut().filter_map(|finding| finding.position.as_mut()).for_each(|at| at.line = number);
        report.sort();
        report
    }
}

/// Reports whether a line belongs to a document in YAML or JSON of several lines.
fn is_part(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    !line.starts_with(b"{")
        && (line.ends_with(b":")
            || [&b"- "[..], b"---", b"#"].iter().any(|start| line.starts_with(start))
            || memchr::memmem::find(line, b": ").is_some())
}

/// Returns the object that a member names; `None` for `null`.
fn named<T>(
    value: &str,
    path: DocPath,
    names: impl IntoIterator<Item = &'static str>,
    meaning: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, Finding> {
    let Ok(name) = serde_json::from_str::<Option<String>>(value) else {
        return Err(Finding::unexpected(&rules::WRONG_TYPE, path, "a string", "another type"));
    };
    let Some(name) = name else { return Ok(None) };
    meaning(&name).map(Some).ok_or_else(|| {
        let names: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
        Finding::unexpected(&rules::UNKNOWN_VALUE, path, format!("one of {}", names.join(", ")), format!("`{name}`"))
            .severity(Severity::Error)
    })
}

/// Collects the members of an object, up to an error. Stops at the first one if the line is a document.
struct Members<'m, 't> {
    found: &'m mut Vec<(String, &'t RawValue)>,
    contains_document: bool,
}

impl<'t> Visitor<'t> for Members<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            if self.found.is_empty() && !self.contains_document && !NAMES.contains(&name.as_str()) {
                return Ok(());
            }
            self.found.push((name, map.next_value()?));
        }
        Ok(())
    }
}
