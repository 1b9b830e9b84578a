//! Checks that values are not those of another resource or another cluster.

use super::super::fields::{Context, field, quoted};
use super::super::syntax::is_uuid;
use crate::catalogue::{clouds, rules};
use crate::configuration::FieldPath;
use crate::document::{DocPath, Finding, Severity};

/// Ids of which each pair has different ones, the later one of the document second. An identity can be in both of its fields.
const DIFFERENT: [[&FieldPath; 2]; 5] = [
    [field!("auth_config.tenant_id"), field!("auth_config.subscription_id")],
    [field!("auth_config.tenant_id"), field!("auth_config.service_principal_id")],
    [field!("auth_config.tenant_id"), field!("auth_config.assigned_identity_id")],
    [field!("auth_config.subscription_id"), field!("auth_config.service_principal_id")],
    [field!("auth_config.subscription_id"), field!("auth_config.assigned_identity_id")],
];

pub(super) fn same_ids(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let is_empty = |id: &str| id.bytes().all(|byte| byte == b'0' || byte == b'-');
    for [one, other] in DIFFERENT {
        let (Some(first), Some(second)) = (context.text(one), context.text(other)) else { continue };
        // What is no id has a finding of its own.
        if first.value.eq_ignore_ascii_case(second.value) && is_uuid(first.value) && !is_empty(first.value) {
            let problem = format!("is `{}`, which is also the value of `{}`", second.value, one.field.name);
            findings.push(Finding::violation(&rules::SAME_ID, second.path(), problem));
        }
    }
}

pub(super) fn regions(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let server = context.text(field!("api_server_config.api_server_name"));
    let Some(location) = context.text(field!("cluster_config.location")) else { return };
    findings.extend(server.and_then(|server| other_region(server.value, location.value, server.path())));
    for label in context.texts(field!("kubelet_config.kubelet_node_labels")) {
        let region = label.key().and_then(|key| region_of_label(key, label.value));
        let other = region.filter(|region| *region != location.value && clouds::is_region(region));
        findings.extend(other.filter(|_| clouds::is_region(location.value)).map(|_| {
            let problem = format!("is {}, but `location` is {}", quoted(label.value), quoted(location.value));
            Finding::violation(&rules::REGION_MISMATCH, label.path(), problem)
        }));
    }
}

/// Returns the region that a label names.
pub(crate) fn region_of_label<'v>(key: &str, value: &'v str) -> Option<&'v str> {
    match key {
        "topology.kubernetes.io/region" => Some(value),
        // The number of a zone is behind the region; without zones, it is the whole value.
        "topology.kubernetes.io/zone" => value.rsplit_once('-').map(|(region, _)| region),
        _ => None,
    }
}

/// Returns a finding if an API server is in another region than the nodes. AKS names it after the region of its cluster, in which they are too.
pub(crate) fn other_region(server: &str, location: &str, path: DocPath) -> Option<Finding> {
    let server = server.strip_suffix('.').unwrap_or(server).to_ascii_lowercase();
    // A misspelled region has a finding of its own.
    let may_be_right = clouds::may_be_region(location) && clouds::misspelled_region(location).is_none();
    let region = clouds::label_of_region(&server).filter(|_| may_be_right)?;
    let is_of_aks = clouds::API_SERVER_ZONES.iter().any(|zone| server.ends_with(zone));
    if region == location || !(clouds::is_region(region) || is_of_aks) {
        return None;
    }
    let problem = format!("is in the region `{region}`, but `location` is `{location}`");
    let finding = Finding::violation(&rules::REGION_MISMATCH, path, problem);
    let meant = clouds::misspelled_region(region).filter(|meant| *meant == location);
    Some(match meant {
        Some(meant) => finding.hint(format!("did you mean `{meant}`?")),
        None => finding,
    })
}

/// The name of a machine is that of its scale set with six characters behind it.
/// <https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-instance-ids>
pub(super) fn scale_set(context: &Context<'_>, findings: &mut Vec<Finding>) {
    const INSTANCE: usize = 6;
    const NUMBERED: &str = "-vmss_";
    let Some(name) = context.text(field!("cluster_config.primary_scale_set")) else { return };
    // The name of the resource has the number of the machine.
    let numbered = name.value.rfind(NUMBERED).filter(|at| {
        let number = &name.value[at + NUMBERED.len()..];
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    let set = name.value.len().checked_sub(INSTANCE).and_then(|end| name.value.get(..end));
    let is_instance = |set: &&str| {
        set.ends_with("-vmss") && name.value.bytes().rev().take(INSTANCE).all(|byte| byte.is_ascii_alphanumeric())
    };
    let numbered = numbered.map(|at| &name.value[..at + NUMBERED.len() - 1]);
    if let Some(set) = numbered.or_else(|| set.filter(is_instance)) {
        let problem = format!("is `{}`, the name of a machine in a scale set", name.value);
        let finding = Finding::violation(&rules::RESOURCE_NAME, name.path(), problem);
        findings.push(finding.severity(Severity::Warning).hint(format!("write `{set}`")));
    }
}
