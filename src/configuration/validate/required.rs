//! Checks the required fields, and the two version fields on which the meaning of others depends.

use super::fields::{Context, at, field};
use crate::catalogue::rules;
use crate::configuration::{FieldPath, Version};
use crate::document::{DocPath, Finding};

/// The fields that the reference's validation requires, besides `version`.
const REQUIRED: [&FieldPath; 6] = [
    field!("auth_config.subscription_id"),
    field!("cluster_config.resource_group"),
    field!("cluster_config.location"),
    field!("cluster_config.cluster_network_config.vnet_name"),
    field!("cluster_config.cluster_network_config.route_table"),
    field!("api_server_config.api_server_name"),
];

pub(super) fn fields(context: &Context<'_>, findings: &mut Vec<Finding>) {
    findings.extend(context.configuration.check_version().err());
    if context.configuration.version == "v0" {
        findings.push(
            Finding::violation(&rules::DEPRECATED_VERSION, at(field!("version")), "`v0` is deprecated")
                .hint("write `\"version\": \"v1\"`"),
        );
    }
    findings.extend(missing(context).map(Finding::missing));
}

/// Returns the required fields that are missing, besides `version`.
pub(super) fn missing(context: &Context<'_>) -> impl Iterator<Item = DocPath> {
    REQUIRED.into_iter().filter(|field| context.text(field).is_none()).map(at)
}

pub(super) fn kubernetes_version(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(version) = context.text(field!("kubernetes_version")) else {
        let finding = Finding::missing(at(field!("kubernetes_version")));
        findings.push(finding.hint("write a full version such as `1.33.2`"));
        return;
    };
    if Version::parse_full(version.value).is_some() {
        return;
    }
    let finding = version.must_be(&rules::KUBERNETES_VERSION, "a full version such as `1.33.2`");
    findings.push(match version.value.strip_prefix('v') {
        Some(bare) if Version::parse_full(bare).is_some() => finding.hint(format!("write `{bare}`")),
        _ if Version::parse(version.value).is_some() => finding.hint("write three numbers without leading zeros"),
        _ => finding,
    });
}
