//! Decides which parts of two sides can be compared.

use super::found::Part;
use super::value::configuration;
use crate::inspection::{Inspection, Kind};

/// The kind of artifact of a side, which decides what parts it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// A document from which a node can be made.
    Input,
    /// A CSE command.
    Command,
    /// `CustomData`.
    CustomData,
    /// Both, or everything.
    Machine,
}

fn scope(side: &Inspection) -> Scope {
    let wrapping = [Kind::Base64, Kind::Gzip, Kind::Utf16, Kind::Latin1, Kind::Text];
    let inner = side.layers.iter().map(|layer| layer.kind).find(|kind| !wrapping.contains(kind));
    // A Terraform or Bicep file with a command is a model.
    let is_model = side.kind == Kind::Text && side.command.is_some();
    match inner.filter(|_| !is_model).unwrap_or(side.kind) {
        Kind::Configuration | Kind::Nbc | Kind::Karpenter => Scope::Input,
        Kind::Command => Scope::Command,
        Kind::Delivery | Kind::Terraform => Scope::Machine,
        // Azure does not return a command in protected settings.
        Kind::AzureModel | Kind::ArmTemplate | Kind::Text => match (&side.command, side.layers.len()) {
            (None, _) => Scope::CustomData,
            (Some(_), 2) => Scope::Command,
            _ => Scope::Machine,
        },
        _ => Scope::CustomData,
    }
}

/// Returns the parts that are not compared, because one of the sides cannot have them.
pub(super) fn skipped(a: &Inspection, b: &Inspection) -> Vec<Part> {
    let scopes = (scope(a), scope(b));
    let lacks = |part: Part| {
        // The file with the Configuration already differs, without a list of every field.
        if part == Part::Configuration {
            return configuration(a).is_some() != configuration(b).is_some();
        }
        if scopes.0 == scopes.1 {
            return false;
        }
        let any = |scope: Scope| scopes.0 == scope || scopes.1 == scope;
        match part {
            // The variables of a command, or of the Configuration in CustomData.
            Part::Variables => {
                let without = |side: &Inspection, scope| {
                    side.variables.is_empty() && matches!(scope, Scope::Command | Scope::CustomData)
                };
                without(a, scopes.0) != without(b, scopes.1)
            }
            Part::Configuration => false,
            Part::Command => any(Scope::Input) || any(Scope::CustomData),
            Part::Files | Part::Runs | Part::Documents => any(Scope::Input) || any(Scope::Command),
        }
    };
    let skipped: Vec<Part> = Part::ALL.into_iter().filter(|part| lacks(*part)).collect();
    // Nothing to compare: both lack a Configuration.
    let is_all_else = skipped.len() + 1 == Part::ALL.len() && !skipped.contains(&Part::Configuration);
    if is_all_else && configuration(a).is_none() { Part::ALL.to_vec() } else { skipped }
}
