//! AgentBaker's NodeBootstrappingConfiguration: the document from which AKS's own services create nodes.
//!
//! `request` has the members of the document that are read, `unread` the names of the others, and `check` rejects
//! documents that cannot be converted. Each module of `sections` adds the fields of one subject to a `conversion`: the
//! equivalent Configuration, the variables whose values do not follow from it, and everything that it cannot represent.
//! `architecture` and `network` find values that fit no node, `origins` records the field
//! that each value comes from, and `input` passes the result to the routes.
//!
//! To read another member: see `request`.

mod architecture;
mod check;
mod controller;
mod conversion;
mod input;
mod network;
mod origins;
mod request;
mod sections;
#[cfg(test)]
mod tests;
mod unread;

use std::sync::LazyLock;

use super::MachineFacts;
use super::member::member;
use crate::catalogue::node_distros::{Family, NodeDistro, node_distro};
use crate::configuration::{Configuration, Version};
use crate::document::{DocPath, FieldName, Finding, Names, Report, Source, Spellings, fields, read_document};
use controller::Controller;
use conversion::{Conversion, Overrides};
use origins::Origins;
use request::{Request, pool, properties};
use sections::SECTIONS;
use unread::UNREAD;

/// The fields of the document.
static FIELDS: LazyLock<Vec<FieldName>> = LazyLock::new(fields::<Request>);

/// Reports whether the root of a NodeBootstrappingConfiguration has a member of this name, in any letter case.
pub(super) fn is_root_member(name: &str) -> bool {
    FIELDS.iter().any(|field| field.path.0.len() == 1 && field.name.eq_ignore_ascii_case(name))
}

/// Returns the name of every field that is read, and whether its value is secret.
pub(crate) fn field_names() -> impl Iterator<Item = (&'static str, bool)> {
    FIELDS.iter().map(|field| (field.name, field.is_secret))
}

/// Returns findings with the names of the document in their paths.
fn as_spelled(mut findings: Vec<Finding>, spellings: &Spellings) -> Vec<Finding> {
    for finding in &mut findings {
        finding.path = spellings.apply(&finding.path);
    }
    findings
}

/// Returns the findings for values that the reference accepts and the node's scripts do not.
fn contradictions(request: &Request, is_customized: bool) -> Vec<Finding> {
    let mut findings = architecture::findings(request, is_customized);
    findings.extend(network::findings(request));
    findings
}

/// A field that the Configuration cannot represent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The field, as the document spells it.
    pub path: DocPath,
    /// The consequence for the node.
    pub consequence: &'static str,
}

/// A NodeBootstrappingConfiguration that was read and converted.
#[derive(Clone, Debug)]
pub struct Nbc {
    /// The equivalent Configuration.
    pub configuration: Configuration,
    /// What follows from the name of the image.
    pub distro: NodeDistro,
    /// The family of the image, by its name and the OS SKU.
    pub family: Family,
    /// The family as `--os` names it.
    pub os: &'static str,
    /// Everything that the Configuration cannot represent.
    pub losses: Vec<Loss>,
    /// Variables of the scripted route whose values do not follow from the Configuration.
    overrides: Overrides,
    /// Values of the document that contradict each other.
    mismatches: Vec<Finding>,
    machine: MachineFacts,
    controller: Controller,
    origins: Origins,
    spellings: Spellings,
}

impl Nbc {
    /// Reads JSON or YAML; see [`Source::new`] for how the two are recognized.
    ///
    /// # Errors
    /// Fails if the syntax is broken, a field has the wrong type, or the document lacks something that every node
    /// needs. The report has every finding.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        Self::from_source(&Source::new(bytes)?)
    }

    /// Reads a parsed document. Its [`Source`] can then locate findings of later checks.
    ///
    /// # Errors
    /// As [`Nbc::from_document`].
    pub fn from_source(source: &Source<'_>) -> Result<(Self, Report), Report> {
        read_document(source, |document| {
            let request: Request = document.read(Names::AnyCase(UNREAD))?;
            let spellings = document.spellings();
            document.report(as_spelled(check::findings(&request), &spellings));
            let distro = node_distro(pool!(request.distro).text())?;
            Some(Self::convert(&request, distro, spellings))
        })
    }

    fn convert(request: &Request, distro: NodeDistro, spellings: Spellings) -> Self {
        let version = properties!(request.orchestratorProfile.orchestratorVersion).text();
        let mut conversion = Conversion::new(request, distro, Version::parse(version));
        for section in SECTIONS {
            section(&mut conversion);
        }
        let os_sku = member!(request.OSSKU).text();
        let family = distro.family(os_sku);
        let Conversion { configuration, origins, overrides, mut losses, .. } = conversion;
        for loss in &mut losses {
            loss.path = spellings.apply(&loss.path);
        }
        Self {
            configuration,
            distro,
            family,
            os: family.os(pool!(request.distro).text(), os_sku),
            losses,
            overrides,
            mismatches: as_spelled(contradictions(request, distro.is_customized), &spellings),
            machine: MachineFacts {
                has_custom_image: distro.is_customized,
                has_scripts: member!(request.EnableScriptlessCSECmd).is_on(),
                is_in_custom_cloud: sections::is_custom_cloud(request),
                ignores_custom_data: member!(request.DisableCustomData).is_on(),
            },
            controller: Controller::new(request, distro, &spellings),
            origins,
            spellings,
        }
    }

    /// Returns the findings for contradictory values in this document, without positions and without findings that its
    /// Configuration has too.
    #[must_use]
    pub fn mismatches(&self) -> &[Finding] {
        &self.mismatches
    }

    /// Rewrites findings on [`Nbc::configuration`] so that they name the paths in this document from which the values
    /// come. For a computed value, the hint names its sources. Findings that differ only in severity and hint are
    /// merged into one, an error if any of them is one, because flags are also in the configuration file.
    #[must_use]
    pub fn translate(&self, findings: Vec<Finding>) -> Vec<Finding> {
        if findings.is_empty() { findings } else { self.origins.translate_all(findings, &self.spellings) }
    }
}
