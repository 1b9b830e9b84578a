//! Checks the values of a Configuration before a node fails because of them.
//!
//! Decoding checks types; this module knows what the values are used for. A value is an error if a node would fail or
//! silently do something other than was requested, and a warning if it might. Unset fields are reported only if a node
//! needs them. Findings have paths but no positions: the caller has the text.
//!
//! To add a check: a row in the table of its subject, or a function and a line in [`CHECKS`]; and a row in `tests` with a
//! value that violates it.

pub(crate) mod across;
mod certificates;
mod every_field;
mod feature_gates;
mod fields;
mod kubelet;
mod kubelet_flags;
mod kubelet_version;
mod local_dns;
mod machine;
mod network;
mod required;
pub(crate) mod syntax;
mod system;
#[cfg(test)]
mod tests;

#[cfg(feature = "node")]
pub(crate) use certificates::{certificate_name, certificate_validity};
use fields::Context;
pub(crate) use fields::at as contract_path;

use super::Configuration;
use crate::document::{Finding, Severity};

/// The largest `CustomData` of an AKS node, in characters of base64: 64 KiB before encoding. The limit is `AgentBaker`'s.
pub const LIMIT: usize = 87_380;

/// The current time in seconds since 1970-01-01 UTC. The caller passes it, so that validation does not depend on a clock.
#[derive(Clone, Copy, Debug)]
pub struct Today(pub i64);

/// A check, which adds its findings to a list.
type Check = fn(&Context<'_>, &mut Vec<Finding>);

const CHECKS: &[Check] = &[
    required::fields,
    required::kubernetes_version,
    every_field::strings_and_enums,
    machine::identity,
    machine::bootstrapping,
    machine::size_and_user,
    machine::gpu,
    machine::custom_cloud,
    machine::containerd,
    machine::bootstrap_script,
    kubelet_flags::flags,
    kubelet::labels,
    kubelet::file,
    feature_gates::in_file,
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

/// Returns the required fields that are missing, as warnings: a node accepts such a document.
#[must_use]
pub fn missing(configuration: &Configuration) -> Vec<Finding> {
    let context = Context::new(configuration, None);
    required::missing(&context).map(|path| Finding::missing(path).severity(Severity::Warning)).collect()
}

/// Returns everything that is wrong with the values of a Configuration, in no particular order and without positions.
///
/// The validity of certificates is compared with `today`; without it, it is not checked.
#[must_use]
pub fn validate(configuration: &Configuration, today: Option<Today>) -> Vec<Finding> {
    let context = Context::new(configuration, today);
    let mut findings = Vec::new();
    for check in CHECKS.iter().chain(across::CHECKS) {
        check(&context, &mut findings);
    }
    findings
}
