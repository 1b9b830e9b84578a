//! The bootstrapper's inputs as an input for routes.

use super::BootstrapInputs;
use super::assignments::{self, ASSIGNMENTS, Row};
use super::derived::Derived;
use crate::catalogue::operating_systems::{OperatingSystem, operating_system_of_labels};
use crate::configuration::Configuration;
use crate::document::Finding;
use crate::environment::{Assignment, Environment, ImageContents};
use crate::inputs::{FileSelection, InputKind, NodeInput};

impl BootstrapInputs {
    pub(crate) fn fields_of(variable: &str) -> &'static [&'static str] {
        assignments::fields_of(variable)
    }
}

impl NodeInput for BootstrapInputs {
    fn kind(&self) -> InputKind {
        InputKind::Karpenter
    }

    /// Returns `None`: the script has variables and values that no Configuration leads to.
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

    fn files(&self) -> FileSelection {
        FileSelection::default()
    }
}
