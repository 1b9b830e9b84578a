//! Findings for demands of the node's scripts that an input does not meet, at the fields that the values come from.

use std::collections::HashSet;

use super::NodeInput;
use super::karpenter::{self, BootstrapInputs};
use super::nbc::Nbc;
use crate::catalogue::demands::{Demand, Form};
use crate::catalogue::rules;
use crate::catalogue::variables::CERTIFICATE_PREFIX;
use crate::configuration::{Configuration, FieldPath, Today, contract_path, validate};
use crate::document::{DocPath, Finding, Severity, Step};
use crate::environment::{Assignment, DERIVATIONS, Environment, ImageContents, UnmetDemand};

/// Returns the findings for the values of a Configuration, from its own checks and from the demands of the node's
/// scripts, without positions.
///
/// The validity of certificates is only checked if `today` is given.
#[must_use]
pub fn check(configuration: &Configuration, today: Option<Today>) -> Vec<Finding> {
    let image = ImageContents::default();
    add_unmet(validate(configuration, today), &Environment::new(configuration, &image), fields)
}

/// Returns the findings for the values of a NodeBootstrappingConfiguration, with the paths of its equivalent
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

/// Returns the findings for the values of Karpenter's inputs.
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

/// Adds an error for each unmet demand, unless the fields that the value comes from already have one.
fn add_unmet(
    mut known: Vec<Finding>,
    environment: &Environment<'_>,
    fields: impl Fn(&str) -> Vec<DocPath>,
) -> Vec<Finding> {
    let mut errors = Errors::default();
    known.iter().filter(|finding| finding.severity == Severity::Error).for_each(|finding| errors.add(&finding.path));
    for unmet in environment.unmet_demands() {
        let name = unmet.assignment.map_or(unmet.demand.variable, |assignment| &*assignment.name);
        let fields = fields(name);
        // Only an error at the field itself explains an empty value; any field that it contains explains a malformed
        // one.
        let explaining = if unmet.demand.form == Form::Given { 1 } else { fields.len() };
        if !fields.iter().take(explaining).any(|field| errors.overlap(field)) {
            let finding = finding(&unmet, name, &fields);
            errors.add(&finding.path);
            known.push(finding);
        }
    }
    for assignment in environment.iter() {
        let Some(problem) = unsafe_line(assignment) else { continue };
        let fields = fields(&assignment.name);
        if !fields.iter().any(|field| errors.overlap(field)) {
            let path = fields.into_iter().next().unwrap_or_default();
            let text = format!("sets `{}`, which {problem}", assignment.name);
            known.push(Finding::violation(&rules::CONTROL_CHARACTER, path, text));
        }
    }
    known
}

/// Returns why a value would end its place in a file of the node.
fn unsafe_line(assignment: &Assignment<'_>) -> Option<String> {
    if let Some(refused) = assignment.refused() {
        return Some(format!("cannot carry {refused}"));
    }
    // First, because next to no value has one.
    let control = assignment.value.expose().chars().find(|character| character.is_control())?;
    if Demand::on(assignment.variable().name).any(|demand| demand.form.has_lines()) {
        return None;
    }
    Some(format!("must be one line, found U+{:04X}", u32::from(control)))
}

/// Where a document has errors.
#[derive(Default)]
struct Errors {
    paths: HashSet<DocPath>,
    /// Every path that contains one of them.
    around: HashSet<DocPath>,
}

impl Errors {
    fn add(&mut self, path: &DocPath) {
        self.around.extend((0..=path.0.len()).map(|length| DocPath(path.0[..length].to_vec())));
        self.paths.insert(path.clone());
    }

    /// Reports whether one of them is at a field, in it or around it.
    fn overlap(&self, field: &DocPath) -> bool {
        self.around.contains(field)
            || (0..field.0.len()).any(|length| self.paths.contains(&DocPath(field.0[..length].to_vec())))
    }
}

/// Returns the fields of the Configuration from which a variable follows.
fn fields(name: &str) -> Vec<DocPath> {
    if let Some(number) = name.strip_prefix(CERTIFICATE_PREFIX).and_then(|number| number.parse().ok()) {
        return vec![contract_path(&FieldPath::of("custom_ca_certs")).join(Step::Index(number))];
    }
    let row = DERIVATIONS.binary_search_by(|row| row.name.cmp(name)).ok().map(|at| &DERIVATIONS[at]);
    row.map(|row| row.fields().into_iter().map(|name| contract_path(&FieldPath::of(name))).collect())
        .unwrap_or_default()
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
        let text = format!("sets `{name}`, which must be {}{found}, or {rejection}", form.words());
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
