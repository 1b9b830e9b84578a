//! What no node can do without, and the two versions that decide how all the rest is read.

use super::fields::{Checked, at, rule};
use crate::configuration::Version;
use crate::document::{DocPath, Finding, Problem, Severity};

/// As the reference's own validation has them, beside `version`.
const REQUIRED: [&str; 6] = [
    "auth_config.subscription_id",
    "cluster_config.resource_group",
    "cluster_config.location",
    "cluster_config.cluster_network_config.vnet_name",
    "cluster_config.cluster_network_config.route_table",
    "api_server_config.api_server_name",
];

pub(super) fn fields(checked: &Checked<'_>, findings: &mut Vec<Finding>) {
    findings.extend(checked.configuration.check_version().err());
    if checked.configuration.version == "v0" {
        findings.push(rule(Severity::Warning, at("version"), "`v0` is deprecated").hint("write `\"version\": \"v1\"`"));
    }
    findings.extend(missing(checked).map(|path| Finding::error(path, Problem::Missing)));
}

/// The required fields that are not there, beside `version`.
pub(super) fn missing(checked: &Checked<'_>) -> impl Iterator<Item = DocPath> {
    REQUIRED.into_iter().filter(|path| checked.texts(path).is_empty()).map(|path| checked.root.at(path))
}

pub(super) fn kubernetes_version(checked: &Checked<'_>, findings: &mut Vec<Finding>) {
    let Some(version) = checked.texts("kubernetes_version").pop() else {
        findings.push(
            rule(
                Severity::Warning,
                at("kubernetes_version"),
                "is empty, which counts as older than every version: containerd gets no registry folder",
            )
            .hint("write the version in full, such as `1.33.2`"),
        );
        return;
    };
    if Version::parse_full(version.value).is_some() {
        return;
    }
    let finding = version.must_be(Severity::Error, "a full version such as `1.33.2`");
    findings.push(match version.value.strip_prefix('v') {
        Some(bare) if Version::parse_full(bare).is_some() => finding.hint(format!("write `{bare}`")),
        _ if Version::parse(version.value).is_some() => finding.hint("write three numbers without leading zeros"),
        _ => finding,
    });
}
