//! Checks values of the network that the reference passes on as they are.

use super::request::{Request, kubernetes, properties};
use crate::catalogue::rules;
use crate::catalogue::variables::NETWORK_PLUGINS;
use crate::document::{DocPath, Finding, Severity, Step};
use crate::inputs::member::member;

/// The parts of the id of a subnet. The reference takes names from them by their numbers.
const PARTS: usize = 11;

/// Returns findings for a plugin in another letter case, and for ids of subnets whose parts are in other places.
pub(super) fn findings(request: &Request) -> Vec<Finding> {
    let mut findings = Vec::new();
    let plugin = kubernetes!(request.networkPlugin);
    let meant =
        NETWORK_PLUGINS.into_iter().find(|known| known.eq_ignore_ascii_case(plugin.text()) && *known != plugin.text());
    findings.extend(meant.map(|meant| {
        let problem =
            format!("is {:?}, which the scripts do not know: the node gets no network for pods", plugin.text());
        plugin.violation(&rules::NETWORK_PLUGIN, problem).hint(format!("write `{meant}`"))
    }));
    let pools = properties!(request.agentPoolProfiles);
    for (index, pool) in pools.value.into_iter().flatten().enumerate() {
        let id = pool.vnetSubnetID.as_deref().unwrap_or_default();
        let mut parts = id.split('/');
        let is_resource =
            parts.next() == Some("") && parts.next().is_some_and(|part| part.eq_ignore_ascii_case("subscriptions"));
        if !id.is_empty() && (!is_resource || id.split('/').count() != PARTS) {
            let field = Step::Field { name: "vnetSubnetID", json_name: "vnetSubnetID" };
            let path: DocPath = pools.location().join(Step::Index(index)).join(field);
            let found = Finding::unexpected(&rules::SUBNET_ID, path, "the id of a subnet", format!("{id:?}"));
            findings.push(
                found.severity(Severity::Warning).hint("the names of network, group and subnet come from its parts"),
            );
        }
    }
    findings
}
