//! Findings about a document: location, rule, the problem, and a suggested fix if one is known.

use std::borrow::Cow;
use std::fmt;

#[cfg(feature = "cli")]
use super::Step;
use super::path::shortened;
use super::rules;
use super::suggest::{is_misspelled, nearest};
use super::{DocPath, Location, Position, Rule, Severity};

/// What is wrong, and the value that was found. Never contains the value of a secret field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of each variant describes it")]
pub enum Problem {
    #[error("is empty")]
    Empty,
    #[error("starts with a UTF-8 byte order mark, which is ignored")]
    ByteOrderMark,
    #[error("is not UTF-8")]
    NotUtf8,
    #[error("is {found}, must be UTF-8")]
    Encoding { found: &'static str },
    #[error("is {found}, must be JSON or YAML text")]
    Binary { found: &'static str },
    #[error("is larger than {limit} bytes")]
    TooLarge { limit: usize },
    #[error("has invalid syntax: {0}")]
    Syntax(String),
    #[error("is not an `aksnodeconfig.v1` message: {0}")]
    Wire(String),
    #[error("is required")]
    Missing,
    #[error("is not a field of {0}")]
    UnknownField(&'static str),
    #[error("was removed from the contract; its value is ignored")]
    RemovedField,
    #[error("has no value named `{}`; the field stays unset", shortened(.0))]
    UnknownName(String),
    #[error("is set more than once")]
    Duplicate,
    #[error("must be {expected}, found {}", shortened(.found))]
    Unexpected { expected: Cow<'static, str>, found: String },
    #[error("{0}")]
    Rule(Cow<'static, str>),
}

impl Problem {
    /// Returns the problem with another text instead of a value that messages truncate: the part that shows that it is a secret may
    /// come after the part that is shown.
    #[cfg(feature = "cli")]
    #[must_use]
    pub(crate) fn with_found(&self, other: impl Fn(&str) -> String) -> Self {
        /// Bytes that are looked at.
        const MOST: usize = 16 << 10;
        let other = |found: &str| {
            let is_cut = matches!(shortened(found), Cow::Owned(_));
            if is_cut { other(&found[..found.floor_char_boundary(MOST)]) } else { found.to_owned() }
        };
        match self {
            Self::UnknownName(found) => Self::UnknownName(other(found)),
            Self::Unexpected { expected, found } => {
                Self::Unexpected { expected: expected.clone(), found: other(found) }
            }
            problem => problem.clone(),
        }
    }
}

/// One problem at one location of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that is violated.
    pub rule: &'static Rule,
    /// Error or warning.
    pub severity: Severity,
    /// The location by names.
    pub path: DocPath,
    /// The location by line and column. `None` before [`Source::locate`](super::Source::locate) sets it, and in formats
    /// without lines.
    pub position: Option<Position>,
    /// What is wrong.
    pub problem: Problem,
    /// How to fix it, if known.
    pub hint: Option<Cow<'static, str>>,
    /// For each step of the path, the number of the member or element in its container, if the reader knows it.
    pub(super) ordinals: Option<Vec<usize>>,
}

impl Finding {
    /// Returns a finding with the severity of its rule.
    #[must_use]
    pub fn new(rule: &'static Rule, path: DocPath, problem: Problem) -> Self {
        Self { rule, severity: rule.severity, path, position: None, problem, hint: None, ordinals: None }
    }

    /// Returns a finding for a value that is missing.
    #[must_use]
    pub fn missing(path: DocPath) -> Self {
        Self::new(&rules::REQUIRED, path, Problem::Missing)
    }

    /// Returns a finding for a value other than the expected one. `found` describes the value.
    #[must_use]
    pub fn unexpected(
        rule: &'static Rule,
        path: DocPath,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<String>,
    ) -> Self {
        Self::new(rule, path, Problem::Unexpected { expected: expected.into(), found: found.into() })
    }

    /// Returns a finding about several values, or about a value that is not shown. `text` follows the path.
    #[must_use]
    pub fn violation(rule: &'static Rule, path: DocPath, text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(rule, path, Problem::Rule(text.into()))
    }

    /// Returns a finding at the location that is being read.
    pub(crate) fn here(rule: &'static Rule, location: &Location<'_>, problem: Problem) -> Self {
        let (path, ordinals) = location.resolve();
        Self { ordinals: Some(ordinals), ..Self::new(rule, path, problem) }
    }

    /// Replaces the severity of the rule if it depends on the circumstances.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets the position.
    #[must_use]
    pub fn at(mut self, position: Position) -> Self {
        self.position = Some(position);
        self
    }

    /// Sets the suggested fix.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Prepends the path of an object to the path of the finding, which begins at that object.
    #[must_use]
    pub(crate) fn below(mut self, object: &DocPath) -> Self {
        self.path.0.splice(0..0, object.0.iter().cloned());
        self
    }

    /// Prepends the steps to a value inside a document to the path of the finding, which begins at that value. Each step has
    /// the number of the member or element in its container.
    #[cfg(feature = "cli")]
    #[must_use]
    pub(crate) fn inside(mut self, steps: &[(Step, usize)]) -> Self {
        self.path.0.splice(0..0, steps.iter().map(|(step, _)| step.clone()));
        if let Some(ordinals) = &mut self.ordinals {
            ordinals.splice(0..0, steps.iter().map(|(_, ordinal)| *ordinal));
        }
        self
    }

    #[cfg(feature = "cli")]
    /// Forgets the position, because the value is in another document too.
    #[must_use]
    pub(crate) fn unlocated(mut self) -> Self {
        self.position = None;
        self.ordinals = None;
        self
    }

    /// Reports whether the finding is about the name of a member, not about its value.
    pub(super) fn is_about_the_name(&self) -> bool {
        matches!(self.problem, Problem::UnknownField(_) | Problem::RemovedField | Problem::Duplicate)
    }
}

impl std::error::Error for Finding {}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.to_string();
        write!(f, "{}: {}", if path.is_empty() { "the document" } else { &path }, self.problem)
    }
}

/// The most findings of a document that are listed. A reader locates at most this many unknown fields and as many
/// misspelled ones, and counts the others.
pub const MOST_FINDINGS: usize = 100;

/// The findings of a reader.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub list: Vec<Finding>,
    /// Findings that are not in the list.
    omitted: usize,
    unknown: usize,
    misspelled: usize,
}

impl Findings {
    /// Adds a finding.
    pub fn push(&mut self, finding: Finding) {
        self.list.push(finding);
    }

    /// Adds a finding about a field with an unknown name, and suggests the known name that was most likely meant.
    pub fn unknown_field<'k>(
        &mut self,
        name: &str,
        known: impl Iterator<Item = &'k str> + Clone,
        finding: impl FnOnce(&'static Rule) -> Finding,
    ) {
        // Every finding needs its rule, which decides on the severity. A suggestion costs more.
        let (rule, count) = if is_misspelled(name, known.clone()) {
            (&rules::MISSPELLED_FIELD, &mut self.misspelled)
        } else {
            (&rules::UNKNOWN_FIELD, &mut self.unknown)
        };
        *count += 1;
        if *count > MOST_FINDINGS {
            self.omitted += 1;
            return;
        }
        // The severity depends on the reader of the document.
        let finding = finding(rule).severity(rules::UNKNOWN_FIELD.severity);
        self.list.push(match nearest(name, known) {
            Some(meant) => finding.hint(format!("did you mean `{meant}`?")),
            None => finding,
        });
    }
}

impl From<&[Finding]> for Findings {
    fn from(findings: &[Finding]) -> Self {
        Self { list: findings.to_vec(), ..Self::default() }
    }
}

impl From<Findings> for Report {
    fn from(Findings { list, omitted, .. }: Findings) -> Self {
        Self { findings: list, omitted }
    }
}

/// The findings of one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// In document order; findings without a position come last.
    pub findings: Vec<Finding>,
    /// The number of further findings. Each is as severe as one in the list.
    pub omitted: usize,
}

impl Report {
    /// Reports whether the document is accepted, which means that no finding is an error.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity != Severity::Error)
    }

    /// Returns the number of all findings.
    #[must_use]
    pub fn total(&self) -> usize {
        self.findings.len() + self.omitted
    }

    /// Omits findings beyond [`MOST_FINDINGS`]: the last ones, notes before warnings before errors.
    pub(crate) fn shorten(&mut self) {
        if self.findings.len() <= MOST_FINDINGS {
            return;
        }
        self.omitted += self.findings.len() - MOST_FINDINGS;
        let mut room = MOST_FINDINGS;
        let mut left = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| {
            let count = self.findings.iter().filter(|finding| finding.severity == severity).count().min(room);
            room -= count;
            count
        });
        self.findings.retain(|finding| {
            let left = &mut left[finding.severity as usize];
            let is_listed = *left > 0;
            *left -= usize::from(is_listed);
            is_listed
        });
    }

    /// Sorts by position. Findings without a position keep their order, at the end.
    pub fn sort(&mut self) {
        self.findings.sort_by_key(|finding| (finding.position.is_none(), finding.position));
    }

    /// Turns every finding about an unknown or repeated name into an error.
    pub fn be_strict(&mut self) {
        for finding in &mut self.findings {
            if matches!(
                finding.problem,
                Problem::UnknownField(_) | Problem::RemovedField | Problem::UnknownName(_) | Problem::Duplicate
            ) {
                finding.severity = Severity::Error;
            }
        }
    }

    /// Turns every finding about a misspelled field or value into an error.
    pub fn reject_misspelled_fields(&mut self) {
        let is_misspelled =
            |finding: &&mut Finding| [&rules::MISSPELLED_FIELD, &rules::MISSPELLED_VALUE].contains(&finding.rule);
        for finding in self.findings.iter_mut().filter(is_misspelled) {
            finding.severity = finding.rule.severity;
            let meant = finding.hint.take().unwrap_or_default();
            let what = if *finding.rule == rules::MISSPELLED_FIELD { "field" } else { "value" };
            let hint =
                format!("{meant} If it is a newer {what}, `generate` and `convert` accept it with --no-validate");
            finding.hint = Some(hint.into());
        }
    }
}

impl From<Finding> for Report {
    fn from(finding: Finding) -> Self {
        vec![finding].into()
    }
}

impl From<Vec<Finding>> for Report {
    fn from(findings: Vec<Finding>) -> Self {
        Self { findings, omitted: 0 }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, finding) in self.findings.iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            if let Some(position) = finding.position {
                write!(f, "{position}: ")?;
            }
            write!(f, "{}: {finding} [{}]", finding.severity, finding.rule.id)?;
            if let Some(hint) = &finding.hint {
                write!(f, "\n  hint: {hint}")?;
            }
        }
        if self.omitted > 0 {
            write!(f, "\n… and {} more", self.omitted)?;
        }
        Ok(())
    }
}

impl std::error::Error for Report {}
