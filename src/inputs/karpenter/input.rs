//! Implements [`NodeInput`] for the bootstrapper's inputs.

use serde::Serialize;

use super::BootstrapInputs;
use super::assignments::{ASSIGNMENTS, Row};
use super::derived::Derived;
use crate::catalogue::operating_systems::{OperatingSystem, operating_system_of_labels};
use crate::configuration::Configuration;
use crate::document::Finding;
use crate::environment::{Assignment, Environment, ImageContents, Unrepresentable, lines};
use crate::inputs::{InputKind, NodeInput};
use crate::rendering::render;

const LAST_BEFORE_CERTIFICATES: &str = "CUSTOM_CA_TRUST_COUNT";

/// The lines of the assignments before and after an empty line.
#[derive(Serialize)]
struct KarpenterScript {
    before: String,
    after: String,
}

impl BootstrapInputs {
    /// Returns the members that the value of a variable comes from, where the scripts make demands on it.
    pub(crate) fn fields_of(variable: &str) -> &'static [&'static str] {
        ASSIGNMENTS.iter().find(|row| row.name == variable).map_or(&[], |row| row.members)
    }
}

impl NodeInput for BootstrapInputs {
    fn kind(&self) -> InputKind {
        InputKind::Karpenter
    }

    /// Returns `None`: the script has variables and values that no Configuration can express.
    fn configuration(&self) -> Option<&Configuration> {
        None
    }

    fn labelled_os(&self) -> Option<&'static OperatingSystem> {
        operating_system_of_labels(&self.labels)
    }

    fn assignments<'a>(&'a self, _: &'a ImageContents) -> Result<Environment<'a>, Finding> {
        let derived = Derived::new(self)?;
        let assignment = |row: &Row| Assignment::new(row.name, (row.value)(&derived), row.quoting);
        Ok(ASSIGNMENTS.iter().map(assignment).collect())
    }

    /// After one variable, the reference would list certificates. It has none and leaves an empty line.
    fn script(&self, environment: &Environment<'_>) -> Result<String, Unrepresentable> {
        let last = environment.iter().position(|assignment| assignment.name == LAST_BEFORE_CERTIFICATES);
        let (before, after) = environment.assignments().split_at(last.map_or(0, |last| last + 1));
        let (before, after) = (lines(before)?, lines(after)?);
        Ok(render("karpenter_script.sh.tera", &KarpenterScript { before, after }))
    }
}
