//! Finds the flags and feature gates of the tables that a version of the kubelet has.

use super::fields::Context;
use crate::catalogue::minors::{KNOWN, Presence};
use crate::configuration::Version;
use crate::document::Severity;

/// Describes a flag or a feature gate that a version does not have.
pub(super) fn absence(presence: Presence, minor: u64) -> String {
    match presence {
        Presence::Present => unreachable!("only what is absent is described"),
        Presence::From(since) => {
            format!("exists from Kubernetes 1.{since} on: the kubelet of Kubernetes 1.{minor} does not start with it")
        }
        Presence::RemovedIn(until) => {
            format!("was removed in Kubernetes 1.{until}: the kubelet does not start with it")
        }
    }
}

/// Returns the minor version, if there is a version of Kubernetes 1.
pub(super) fn minor_of(context: &Context<'_>) -> Option<u64> {
    context.kubernetes.as_ref().filter(|version| version.major() == 1).map(Version::minor)
}

/// Returns the severity of setting something that no known version has: an error in known versions. Other versions may
/// have it.
pub(super) fn severity_of_unknown(minor: Option<u64>) -> Severity {
    if minor.is_none_or(|minor| KNOWN.contains(&minor)) { Severity::Error } else { Severity::Warning }
}
