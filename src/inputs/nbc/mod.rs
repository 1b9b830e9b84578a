//! AgentBaker's NodeBootstrappingConfiguration: the document from which AKS's own services make nodes.
//!
//! `fields` is the table of the fields that are read, `reader` reads by it, and `check` rejects what cannot be converted.
//! Each module of `sections` takes over the fields of one subject into a `conversion`: the equivalent Configuration,
//! the variables whose values the Configuration does not lead to, and what it cannot represent. `origins` remembers
//! which field each value comes from, and `input` hands the result to the routes.
//!
//! To read another field: see `fields`.

mod architecture;
mod check;
mod conversion;
mod fields;
mod input;
mod origins;
mod reader;
mod sections;
#[cfg(test)]
mod tests;

use super::FileSelection;
use crate::catalogue::node_distros::{Family, NodeDistro, node_distro};
use crate::catalogue::rules;
use crate::configuration::{Configuration, Version};
use crate::document::{DocPath, Finding, Report, Source};
use conversion::{Conversion, Overrides};
use fields::request::{self as field, Request};
use origins::Origins;
use reader::{Fields, Members, Spellings, Tree, row_named};
use sections::SECTIONS;

/// Reports whether the root of a NodeBootstrappingConfiguration has a member of this name, in any letter case.
pub(crate) fn is_root_member(name: &str) -> bool {
    row_named(Request::rows(), Request::links(), None, name).is_some()
}

/// Returns the name of every field that is read, and whether its value is secret.
pub(super) fn field_names() -> impl Iterator<Item = (&'static str, bool)> {
    Request::rows().iter().map(|row| (row.name, row.is_secret))
}

/// A field that the Configuration cannot represent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The field, as the document spells it.
    pub path: DocPath,
    /// What that means for the node.
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
    /// What the Configuration cannot represent.
    pub losses: Vec<Loss>,
    /// Variables of the scripted route whose values the Configuration does not lead to.
    overrides: Overrides,
    /// Values of the document that contradict each other.
    mismatches: Vec<Finding>,
    files: FileSelection,
    origins: Origins,
    spellings: Spellings<Request>,
}

impl Nbc {
    /// Reads JSON or YAML; see [`Source::new`] for how the two are told apart.
    ///
    /// # Errors
    /// Fails if the document breaks its syntax, has fields of a wrong type, or lacks something that no node can be made
    /// without. The report holds every finding.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        Self::from_source(&Source::new(bytes)?)
    }

    /// Reads a document whose syntax is known; its [`Source`] can then locate findings that come later.
    ///
    /// # Errors
    /// As [`Nbc::from_document`].
    pub fn from_source(source: &Source<'_>) -> Result<(Self, Report), Report> {
        let tree = Tree::read(source)?;
        let warnings = source.findings().to_vec();
        match Self::from_tree(&tree) {
            Ok(nbc) => Ok((nbc, warnings.into())),
            Err(mut findings) => {
                source.locate(&mut findings);
                findings.extend(warnings);
                let mut report = Report::from(findings);
                report.sort();
                Err(report)
            }
        }
    }

    fn from_tree(tree: &Tree<'_>) -> Result<Self, Vec<Finding>> {
        if !matches!(tree, Tree::Map(_)) {
            let found = tree.found_at(&DocPath::root());
            return Err(vec![Finding::unexpected(&rules::WRONG_TYPE, DocPath::root(), "an object", found)]);
        }
        let document = Members::<Request>::read(tree);
        let mut findings = Vec::new();
        check::types(&document, &mut findings);
        check::rules(&document, &mut findings);
        match node_distro(document.text(field::DISTRO)) {
            Some(distro) if findings.is_empty() => Ok(Self::convert(&document, distro)),
            _ => Err(findings),
        }
    }

    fn convert(document: &Members<'_, Request>, distro: NodeDistro) -> Self {
        let version = Version::parse(document.text(field::ORCHESTRATOR_VERSION));
        let mut conversion = Conversion::new(document, distro, version);
        for section in SECTIONS {
            section(&mut conversion);
        }
        let os_sku = document.text(field::OS_SKU);
        let family = distro.family(os_sku);
        let Conversion { configuration, origins, overrides, losses, .. } = conversion;
        Self {
            configuration,
            distro,
            family,
            os: family.os(document.text(field::DISTRO), os_sku),
            losses,
            overrides,
            mismatches: architecture::findings(document, distro.is_customized),
            files: FileSelection {
                is_customized: distro.is_customized,
                scripts_from_image: document.switch(field::ENABLE_SCRIPTLESS_CSE_CMD),
                is_custom_cloud: sections::is_custom_cloud(document),
                ignores_cloud_init: document.switch(field::DISABLE_CUSTOM_DATA),
            },
            origins,
            spellings: document.spellings(),
        }
    }

    /// Returns the findings on values of this document that contradict each other, without positions. Those that its
    /// Configuration has too are not among them.
    #[must_use]
    pub fn mismatches(&self) -> &[Finding] {
        &self.mismatches
    }

    /// Rewrites findings on [`Nbc::configuration`] so that they name the paths of this document, from which the values
    /// come. Where a value is computed, the hint names what it is computed from. Of findings that are equal but for the
    /// severity and the hint, one is kept, as an error if any of them is one: a flag is also in the configuration file.
    #[must_use]
    pub fn translate(&self, findings: Vec<Finding>) -> Vec<Finding> {
        if findings.is_empty() { findings } else { self.origins.translate_all(findings, &self.spellings) }
    }
}
