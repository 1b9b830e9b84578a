//! Checks the values of a Configuration before a node fails because of them.
//!
//! Decoding checks types; this module knows what the values are used for. A value is an error if a node would fail or
//! silently do something other than was requested, and a warning if it might. Unset fields are reported only if a node
//! needs them. Findings have paths but no positions, because only the caller has the text.
//!
//! To add a check: see CONTRIBUTING.md.

pub(crate) mod across;
mod certificates;
mod downloads;
mod every_field;
mod feature_gates;
mod fields;
mod flag_choices;
mod flag_forms;
mod kubelet;
mod kubelet_flags;
mod kubelet_version;
mod local_dns;
mod machine;
mod network;
mod required;
pub(crate) mod syntax;
mod system;

#[cfg(node)]
pub(crate) use certificates::{certificate_name, certificate_validity};
use fields::Context;
pub(crate) use fields::at as contract_path;
pub(crate) use machine::is_forbidden_user;
#[cfg(feature = "cli")]
pub(crate) use machine::token_hint;

use super::Configuration;
use crate::catalogue::rules;
use crate::document::{Finding, Severity};

/// The largest `CustomData` of an AKS node, in characters of base64: 64 KiB before encoding. The limit is `AgentBaker`'s.
pub const LIMIT: usize = 87_380;

/// The current time in seconds since 1970-01-01 UTC. The caller passes it, so validation does not depend on a clock.
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
    machine::client_times,
    machine::size_and_user,
    machine::gpu,
    machine::custom_cloud,
    machine::cloud_provider,
    machine::containerd,
    machine::bootstrap_script,
    kubelet_flags::flags,
    kubelet::labels,
    kubelet::file,
    feature_gates::in_file,
    feature_gates::combinations,
    network::addresses,
    network::names,
    network::resources,
    network::lengths,
    network::network_names,
    network::registry_servers,
    network::urls,
    downloads::places,
    downloads::outbound_check,
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

/// Returns the findings for the values of a Configuration, in no particular order and without positions.
///
/// The validity of certificates is only checked if `today` is given.
#[must_use]
pub fn validate(configuration: &Configuration, today: Option<Today>) -> Vec<Finding> {
    let context = Context::new(configuration, today);
    let mut findings = Vec::new();
    for check in CHECKS.iter().chain(across::CHECKS) {
        check(&context, &mut findings);
    }
    // What else is wrong with a placeholder is no news.
    let placeholders: Vec<_> = findings.iter().filter(|finding| *finding.rule == rules::PLACEHOLDER).cloned().collect();
    if !placeholders.is_empty() {
        let is_placeholder = |finding: &Finding| placeholders.iter().any(|other| other.path == finding.path);
        findings.retain(|finding| *finding.rule == rules::PLACEHOLDER || !is_placeholder(finding));
    }
    findings
}
