//! Finds the demands of the scripts that an environment does not meet.

use super::{Assignment, Environment};
use crate::catalogue::demands::{DEMANDS, Demand};

/// The variable that ends provisioning after the stage that can be part of an image.
const STOPS_BEFORE_NODE: &str = "PRE_PROVISION_ONLY";

/// A demand that a value does not meet.
#[derive(Debug)]
#[non_exhaustive]
pub struct UnmetDemand<'e, 'a> {
    /// The demand.
    pub demand: &'static Demand,
    /// The assignment; `None` if it is missing.
    pub assignment: Option<&'e Assignment<'a>>,
}

impl<'a> Environment<'a> {
    /// Returns the demands that the values do not meet, in the order in which a node checks them.
    #[must_use]
    pub fn unmet_demands(&self) -> Vec<UnmetDemand<'_, 'a>> {
        // Certificates share a row of the catalogue.
        let mut read: Vec<_> = self.iter().map(|assignment| (assignment.variable().name, assignment)).collect();
        read.sort_by_key(|(name, _)| *name);
        let of = |name: &'static str| {
            let first = read.partition_point(|(other, _)| *other < name);
            read[first..].iter().take_while(move |(other, _)| *other == name).map(|(_, assignment)| *assignment)
        };
        let is_on = |name: &'static str| of(name).any(|assignment| assignment.value.expose() == "true");
        let stops_before_node = is_on(STOPS_BEFORE_NODE);
        let mut unmet = Vec::new();
        for demand in DEMANDS {
            if demand.when.is_some_and(|name| !is_on(name)) || stops_before_node && demand.checked_by.is_for_nodes() {
                continue;
            }
            let mut values = of(demand.variable).peekable();
            if values.peek().is_none() && !demand.form.accepts("") {
                unmet.push(UnmetDemand { demand, assignment: None });
            }
            let wrong = values.filter(|assignment| !demand.form.accepts(assignment.value.expose()));
            unmet.extend(wrong.map(|assignment| UnmetDemand { demand, assignment: Some(assignment) }));
        }
        unmet
    }
}
