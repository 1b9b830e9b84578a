//! What a Configuration says, checked before a node finds out.
//!
//! Decoding knows the shape of a document; this room knows what the values are for. Every check is one line of
//! [`CHECKS`] and pushes [`Finding`]s that name a place, never a line: the caller knows the text. A value is an error
//! when a node would fail or silently do something else than was asked, a warning when it might. Unset is never
//! wrong unless a node cannot do without.
//!
//! To add a check: a row in the table of its theme, or a function there and a line here, and in both cases a row in
//! `tests` with a value that breaks it.

mod certificates;
mod every_field;
mod fields;
mod kubelet;
mod local_dns;
mod machine;
mod network;
mod required;
pub(crate) mod syntax;
mod system;
#[cfg(test)]
mod tests;

use fields::Checked;

use super::Configuration;
use crate::document::{Finding, Problem};

/// Longest `CustomData` that AKS nodes are given, in characters of base64: 64 KiB before encoding, as `AgentBaker`
/// counts them.
pub const LIMIT: usize = 87_380;

/// Now, in seconds since 1970-01-01 UTC. Given by the caller, for this room has no clock.
#[derive(Clone, Copy, Debug)]
pub struct Today(pub i64);

/// One check: what it looks at, and where it puts what it finds.
type Check = fn(&Checked<'_>, &mut Vec<Finding>);

const CHECKS: &[Check] = &[
    required::fields,
    required::kubernetes_version,
    every_field::texts_and_enums,
    machine::identity,
    machine::bootstrapping,
    machine::size_and_user,
    machine::gpu,
    machine::custom_cloud,
    machine::containerd,
    machine::bootstrap_script,
    kubelet::flags,
    kubelet::labels,
    kubelet::file,
    network::addresses,
    network::names,
    network::urls,
    network::proxy,
    local_dns::profile,
    certificates::certificates,
    certificates::payloads,
    system::sysctls,
    system::limits,
    system::swap,
    system::huge_pages,
];

/// The required fields that are not there, as warnings: a node takes such a document all the same.
#[must_use]
pub fn missing(configuration: &Configuration) -> Vec<Finding> {
    let checked = Checked::new(configuration, None);
    required::missing(&checked).map(|path| Finding::warning(path, Problem::Missing)).collect()
}

/// All that is wrong with what a Configuration says, in no particular order and without positions.
///
/// Without `today` the dates of certificates are not compared.
#[must_use]
pub fn validate(configuration: &Configuration, today: Option<Today>) -> Vec<Finding> {
    let checked = Checked::new(configuration, today);
    let mut findings = Vec::new();
    for check in CHECKS {
        check(&checked, &mut findings);
    }
    findings
}
