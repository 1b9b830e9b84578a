//! Karpenter's objects and settings as people have them: any mixture of files, lists and streams.
//!
//! [`Bundle::add`] reads the documents of a file, and [`Bundle::finish`] chooses what a node is made from. To recognize another
//! document: a variant of `Kind`, and a branch in `read_kind`.

mod base;
mod choice;
mod cluster;
mod kind;
mod merge;
mod missing;
mod place;
mod reading;
mod settings;
mod sources;

use std::collections::BTreeMap;

pub(crate) use choice::{Gathered, Origins};
use place::Found;
pub(crate) use place::{FileReport, Place};
use reading::{Context, misspelled};
use settings::{At, Container, FoundTexts, Given};
pub(crate) use sources::members_of;

use super::objects::{Cluster, InstanceType, NodeClaim, NodeClass};
use crate::Secret;
use crate::catalogue::rules;
use crate::configuration::Configuration;
use crate::document::stream::{Form, pieces, without_fences, without_noise};
use crate::document::{DocPath, Finding, MOST_FINDINGS, Position, Problem, Report, Source, decoded};
use crate::inputs::{Checks, is_banner_of_helm, message_of_azure};

/// What an option says about its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    NodeClaim,
    NodeClass,
    Settings,
    Cluster,
    InstanceType,
}

impl Role {
    /// Returns the name of the object in messages.
    const fn label(self) -> &'static str {
        match self {
            Self::NodeClaim => "node-claim",
            Self::NodeClass => "node-class",
            Self::Settings => "settings",
            Self::Cluster => "cluster",
            Self::InstanceType => "instance-type",
        }
    }
}

/// A VM size of a list, which can be in several locations.
#[derive(Clone)]
struct Sku {
    instance_type: InstanceType,
    locations: Vec<String>,
}

/// The most findings of a file that are kept: far more than are shown.
const MOST_KEPT: usize = 10 * MOST_FINDINGS;

/// Documents of one node.
#[derive(Default)]
pub(crate) struct Bundle {
    files: Vec<FileReport>,
    claims: Vec<Found<NodeClaim>>,
    pools: Vec<Found<NodeClaim>>,
    classes: Vec<Found<NodeClass>>,
    sizes: Vec<Found<Sku>>,
    clusters: Vec<Found<Cluster>>,
    texts: Vec<FoundTexts>,
    containers: Vec<(usize, Found<Container>)>,
    given: Vec<Given>,
    /// The number of documents of kinds that are irrelevant for a node.
    skipped: BTreeMap<String, usize>,
    /// Whether something was read that only Karpenter has.
    is_karpenter: bool,
    /// Whether only kinds are asked for: finding positions would read each document again.
    is_probe: bool,
    /// The Configuration that has what the objects do not say.
    base: Option<Configuration>,
    /// Findings about the document that is being read, without positions: looking them up reads the document again, so it is done once.
    unplaced: Option<Vec<Finding>>,
}

impl Bundle {
    /// Reports whether something was read that belongs to Karpenter.
    pub fn is_karpenter(&self) -> bool {
        self.is_karpenter
    }

    /// Reports whether a file has something that belongs to Karpenter.
    pub fn recognizes(bytes: &[u8]) -> bool {
        Self::probe(bytes).is_karpenter
    }

    /// Reports whether every document of a file can be read beside Karpenter's objects.
    pub fn understands(bytes: &[u8]) -> bool {
        Self::probe(bytes)
            .files
            .iter()
            .flat_map(|file| &file.report.findings)
            .all(|finding| *finding.rule != rules::WRONG_KIND)
    }

    fn probe(bytes: &[u8]) -> Self {
        let mut bundle = Self { is_probe: true, ..Self::default() };
        bundle.add(String::new(), bytes.to_vec(), None);
        bundle
    }

    /// Adds the process environment.
    pub fn add_environment(&mut self, variables: impl Iterator<Item = (String, String)>) {
        for (name, value) in variables {
            let Some(setting) = settings::setting(&name) else { continue };
            let value = Secret::from(value);
            let source = "the environment".to_owned();
            self.given.push(Given {
                setting,
                value,
                source,
                at: At::Environment,
                option: Some("settings"),
                is_weak: false,
            });
        }
        self.is_karpenter = true;
    }

    /// Sets the Configuration that has what the objects do not say.
    pub fn set_base(&mut self, base: Configuration) {
        self.base = Some(base);
    }

    /// Reads the documents of a file.
    pub fn add(&mut self, name: String, bytes: Vec<u8>, role: Option<Role>) {
        let file = self.files.len();
        self.files.push(FileReport { name, bytes: Vec::new(), report: Report::default() });
        self.is_karpenter |= role.is_some();
        match decoded(&bytes) {
            Err(finding) => self.put(file, vec![finding]),
            Ok((text, marks)) => {
                self.put(file, marks);
                let text =
                    without_noise(text, |line| message_of_azure(line) == Some("WARNING") || is_banner_of_helm(line))
                        .into_owned();
                let start = bytes.len() - text.len();
                let text = without_fences(&text, true).unwrap_or(text);
                self.files[file].bytes = [&bytes[..start], text.as_bytes()].concat();
                self.add_text(file, &text, start, role);
                return;
            }
        }
        self.files[file].bytes = bytes;
    }

    fn add_text(&mut self, file: usize, text: &str, start: usize, role: Option<Role>) {
        let pieces = pieces(text);
        if pieces.is_empty() {
            let empty = Finding::new(&rules::EMPTY_DOCUMENT, DocPath::root(), Problem::Empty).at(Position::START);
            self.put(file, vec![empty]);
        }
        for (number, piece) in pieces.into_iter().enumerate() {
            if piece.form == Form::Assignments {
                self.add_lines(file, piece.text, piece.start, role);
                continue;
            }
            if piece.form == Form::Prose {
                self.skip("text beside JSON");
                continue;
            }
            let from = start + (piece.text.as_ptr().addr() - text.as_ptr().addr());
            let place = Place::new(file, from..from + piece.text.len(), piece.start);
            let broken = |mut finding: Finding| {
                finding.position = finding.position.map(|position| position.shifted(piece.start));
                vec![finding]
            };
            match Source::of_any_size(piece.text.as_bytes()) {
                Err(finding) => self.put(file, broken(finding)),
                Ok(source) => match source.tree() {
                    Err(finding) => self.put(file, broken(finding)),
                    Ok(tree) => {
                        self.unplaced = (!self.is_probe).then(Vec::new);
                        self.read(
                            &tree,
                            &place,
                            Context { role, number, default: "", is_element: false, is_one_of_several: false },
                        );
                        let findings = self.unplaced.take().unwrap_or_default();
                        self.put_at(&place, findings);
                    }
                },
            }
        }
    }

    fn add_lines(&mut self, file: usize, text: &str, start: Position, role: Option<Role>) {
        let option = role.map(Role::label);
        let found = settings::lines(text, start, file, option);
        self.is_karpenter |= !found.is_empty();
        if found.is_empty() {
            let problem = "sets no variable of Karpenter's controller";
            let finding = Finding::violation(&rules::WRONG_KIND, DocPath::root(), problem).at(start);
            self.put(file, vec![finding]);
        }
        self.given.extend(found);
        for (name, position) in settings::names(text, start) {
            let finding = misspelled(&name).map(|finding| finding.at(position));
            self.put(file, finding.into_iter().collect());
        }
    }

    /// Adds findings with positions. Far more than are shown are only counted.
    fn put(&mut self, file: usize, findings: Vec<Finding>) {
        let report = &mut self.files[file].report;
        let room = MOST_KEPT.saturating_sub(report.findings.len());
        report.omitted += findings.len().saturating_sub(room);
        report.findings.extend(findings.into_iter().take(room));
    }

    /// Adds findings whose paths begin at a value.
    fn put_at(&mut self, place: &Place, findings: Vec<Finding>) {
        if findings.is_empty() {
            return;
        }
        if let Some(unplaced) = &mut self.unplaced {
            let room = MOST_KEPT.saturating_sub(unplaced.len());
            self.files[place.file].report.omitted += findings.len().saturating_sub(room);
            unplaced.extend(findings.into_iter().take(room).map(|finding| place.inside(finding)));
            return;
        }
        let findings = if self.is_probe { findings } else { place.located(&self.files, findings) };
        self.put(place.file, findings);
    }

    /// Returns the findings about each file: as for a node that is made of the files if they describe one as a whole, else alone.
    pub fn reports(mut self, checks: &Checks) -> Vec<FileReport> {
        let violations = self.violations(checks.today);
        if self.describes_node() {
            let Gathered { mut files, others, .. } = self.finish(checks);
            for (file, finding) in violations {
                let report = &mut files[file].report;
                let is_known = |known: &Finding| {
                    known.path == finding.path && known.problem == finding.problem && known.position == finding.position
                };
                if !report.findings.iter().any(is_known) {
                    report.findings.push(finding);
                    report.sort();
                }
            }
            // Only what no file has, such as a fact of the cluster, has no place.
            for (_, report) in others {
                files[0].report.findings.extend(report.findings);
                files[0].report.sort();
            }
            return files;
        }
        for (file, finding) in violations {
            self.put(file, vec![finding]);
        }
        for file in &mut self.files {
            file.report.sort();
            checks.judge(&mut file.report);
        }
        self.files
    }

    /// Reports whether there is a document of each kind that a node is made of.
    fn describes_node(&self) -> bool {
        let has_claim = !self.claims.is_empty() || !self.pools.is_empty();
        let (settings, unread) = self.values();
        let has_settings = settings.iter().any(|given| !given.is_weak) || !unread.is_empty();
        has_claim && !self.classes.is_empty() && has_settings
    }
}
