//! Checks a document before it is converted, and rejects what the reference rejects.

use super::request::{Request, kubernetes, pool, properties};
use crate::catalogue::node_distros::{node_distro, node_distro_names};
use crate::catalogue::{clouds, huge_pages, rules};
use crate::document::{Finding, nearest};
use crate::inputs::member::member;

/// Returns the findings for which the reference rejects the document.
pub(super) fn findings(request: &Request) -> Vec<Finding> {
    let mut findings = required(request);
    let orchestrator = properties!(request.orchestratorProfile.orchestratorType);
    if properties!(request.orchestratorProfile).value.is_some()
        && !orchestrator.text().eq_ignore_ascii_case("Kubernetes")
    {
        let rule = format!("must be `Kubernetes`, found {:?}", orchestrator.text());
        findings.push(orchestrator.violation(&rules::ORCHESTRATOR, rule));
    }
    let os_type = pool!(request.osType);
    if os_type.text().eq_ignore_ascii_case("windows") {
        let rule = "must be `Linux`: Windows nodes are not supported";
        findings.push(os_type.violation(&rules::ORCHESTRATOR, rule));
    }
    for (setting, words) in [
        (pool!(request.customLinuxOSConfig.transparentHugePageEnabled), huge_pages::ENABLED),
        (pool!(request.customLinuxOSConfig.transparentHugePageDefrag), huge_pages::DEFRAG),
    ] {
        let value = setting.text();
        if !value.is_empty() && !words.contains(&value) {
            let rule = format!("must be one of {}, found {value:?}", words.join(", "));
            findings.push(setting.violation(&rules::HUGE_PAGES, rule));
        }
    }
    findings.extend(image(request));
    findings.extend(cloud(request));
    findings
}

fn required(request: &Request) -> Vec<Finding> {
    let absent = [
        member!(request.ContainerService.properties).missing(),
        properties!(request.orchestratorProfile).missing(),
        member!(request.AgentPoolProfile).missing(),
        pool!(request.distro).missing(),
    ];
    let mut findings: Vec<_> = absent.into_iter().flatten().collect();
    if properties!(request.orchestratorProfile.kubernetesConfig).value.is_some() {
        let hint =
            "write `true` or `false`: without a value the reference writes `<nil>`, and its command fails on the node";
        let switches = [
            kubernetes!(request.cloudProviderBackoff),
            kubernetes!(request.cloudProviderRateLimit),
            kubernetes!(request.cloudProviderDisableOutboundSNAT),
        ];
        findings.extend(switches.into_iter().filter_map(|switch| Some(switch.missing()?.hint(hint))));
    }
    findings
}

fn image(request: &Request) -> Option<Finding> {
    let distro = pool!(request.distro);
    let name = distro.value.filter(|name| node_distro(name).is_none())?;
    let found = format!("{name:?}");
    let finding = Finding::unexpected(&rules::DISTRO, distro.location(), "the name of an AKS image", found);
    let names: Vec<_> = node_distro_names().collect();
    Some(match nearest(name, names.iter().map(String::as_str)) {
        Some(meant) => finding.hint(format!("did you mean `{meant}`?")),
        None => finding,
    })
}

fn cloud(request: &Request) -> Option<Finding> {
    let cloud = member!(request.CloudSpecConfig.cloudName);
    let is_customized = node_distro(pool!(request.distro).text()).is_some_and(|distro| distro.is_customized);
    if clouds::names().any(|name| name == cloud.text()) || is_customized {
        return None;
    }
    let found = format!("{:?}", cloud.text());
    let finding = Finding::unexpected(&rules::CLOUD_NAME, cloud.location(), "the name of a cloud", found);
    Some(finding.hint(format!("known clouds: {}", clouds::names().collect::<Vec<_>>().join(", "))))
}
