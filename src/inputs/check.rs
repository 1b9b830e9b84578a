//! Findings for demands of the node's scripts that an input does not meet, at the fields that the values come from.

use super::NodeInput;
use super::karpenter::{self, BootstrapInputs};
use super::nbc::Nbc;
use crate::catalogue::demands::{Demand, Form};
use crate::catalogue::rules;
use crate::catalogue::variables::CERTIFICATE_PREFIX;
use crate::configuration::{Configuration, Today, contract_path, validate};
use crate::document::{DocPath, Finding, Severity, Step};
use crate::environment::{Assignment, DERIVATIONS, Environment, ImageContents, UnmetDemand};

/// Returns everything that is wrong with the values of a Configuration, by themselves and for the node's scripts. The findings
/// have no positions.
///
/// The validity of certificates is compared with `today`; without it, it is not checked.
#[must_use]
pub fn check(configuration: &Configuration, today: Option<Today>) -> Vec<Finding> {
    let image = ImageContents::default();
    add_unmet(validate(configuration, today), &Environment::new(configuration, &image), fields)
}

/// Returns everything that is wrong with the values of a NodeBootstrappingConfiguration, in terms of its equivalent
/// Configuration.
pub(super) fn check_nbc(nbc: &Nbc, today: Option<Today>) -> Vec<Finding> {
    let known = validate(&nbc.configuration, today);
    let given = ImageContents::default();
    let image = nbc.image(&given);
    match nbc.assignments(&image) {
        Ok(environment) => add_unmet(known, &environment, fields),
        Err(_) => known,
    }
}

/// Returns everything that is wrong with the values of Karpenter's inputs.
pub(super) fn check_bootstrap_inputs(inputs: &BootstrapInputs, today: Option<Today>) -> Vec<Finding> {
    let known = karpenter::validate(inputs, today);
    match inputs.assignments(&ImageContents::default()) {
        Ok(environment) => add_unmet(known, &environment, |name| {
            BootstrapInputs::fields_of(name).iter().map(|field| DocPath::fields(field)).collect()
        }),
        // The known findings contain the reason.
        Err(_) => known,
    }
}

/// Adds an error for each unmet demand, unless there is one already at the fields that the value comes from.
fn add_unmet(
    mut known: Vec<Finding>,
    environment: &Environment<'_>,
    fields: impl Fn(&str) -> Vec<DocPath>,
) -> Vec<Finding> {
    for unmet in environment.unmet_demands() {
        let name = unmet.assignment.map_or(unmet.demand.variable, |assignment| &*assignment.name);
        let fields = fields(name);
        // An empty value is explained by its own field only; a malformed one by any field that it contains.
        let explaining = if unmet.demand.form == Form::Given { 1 } else { fields.len() };
        let is_explained = known.iter().any(|finding| {
            finding.severity == Severity::Error
                && fields.iter().take(explaining).any(|field| overlap(&finding.path, field))
        });
        if !is_explained {
            known.push(finding(&unmet, name, &fields));
        }
    }
    known
}

/// Reports whether one of two paths contains the other.
fn overlap(one: &DocPath, other: &DocPath) -> bool {
    one.0.iter().zip(&other.0).all(|(one, other)| one == other)
}

/// Returns the fields of the Configuration from which a variable follows.
fn fields(name: &str) -> Vec<DocPath> {
    if let Some(number) = name.strip_prefix(CERTIFICATE_PREFIX).and_then(|number| number.parse().ok()) {
        return vec![contract_path("custom_ca_certs").join(Step::Index(number))];
    }
    let row = DERIVATIONS.binary_search_by(|row| row.name.cmp(name)).ok().map(|at| &DERIVATIONS[at]);
    row.map(|row| row.fields().into_iter().map(contract_path).collect()).unwrap_or_default()
}

fn finding(unmet: &UnmetDemand<'_, '_>, name: &str, fields: &[DocPath]) -> Finding {
    let Demand { checked_by, when, form, .. } = unmet.demand;
    let (step, code) = (checked_by.step(), checked_by.exit_code());
    let condition = when.map(|when| format!(" while `{when}` is `true`")).unwrap_or_default();
    let rejection = format!("`{step}` fails on the node with exit code {code}{condition}");
    let path = fields.first().cloned().unwrap_or_default();
    let finding = if *form == Form::Given {
        let text = format!("is required: `{name}` must not be empty, or {rejection}");
        Finding::violation(&rules::SCRIPT_INPUT_MISSING, path, text)
    } else {
        let shown = unmet.assignment.map(Assignment::shown).filter(|_| form.is_shown());
        let found = shown.map(|value| format!(", found {value:?}")).unwrap_or_default();
        let text = format!("leads to `{name}`, which must be {}{found}, or {rejection}", form.words());
        Finding::violation(&rules::SCRIPT_INPUT_FORM, path, text)
    };
    match fields {
        [] | [_] => finding,
        [_, others @ ..] => {
            let names: Vec<_> = others.iter().map(|field| format!("`{field}`")).collect();
            finding.hint(format!("`{name}` follows from this field and {}", names.join(", ")))
        }
    }
}
