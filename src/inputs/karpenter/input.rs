//! What routes read of the inputs of Karpenter's bootstrapper.

use super::assignments::ASSIGNMENTS;
use super::derived::Derived;
use super::{BootstrapInputs, Refused};
use crate::configuration::Configuration;
use crate::environment::{Assignment, Environment, ImageContents};
use crate::inputs::{FileSelection, InputKind, NodeInput};

impl NodeInput for BootstrapInputs {
    fn kind(&self) -> InputKind {
        InputKind::Karpenter
    }

    /// There is no equivalent Configuration: the script has variables and values that no Configuration leads to.
    fn configuration(&self) -> Option<&Configuration> {
        None
    }

    fn assignments<'a>(&'a self, _: &'a ImageContents) -> Result<Environment<'a>, Refused> {
        let derived = Derived::new(self)?;
        let assignment = |row: &super::assignments::Assignment| {
            Assignment::new(row.name, (row.value)(&derived).into_owned(), row.quoting)
        };
        Ok(ASSIGNMENTS.iter().map(assignment).collect())
    }

    fn files(&self) -> FileSelection {
        FileSelection::default()
    }
}

/// Shows the document without the token.
impl std::fmt::Debug for BootstrapInputs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut document = self.to_json();
        document["kubelet_client_tls_bootstrap_token"] = crate::catalogue::REDACTED.into();
        write!(f, "BootstrapInputs {document}")
    }
}
