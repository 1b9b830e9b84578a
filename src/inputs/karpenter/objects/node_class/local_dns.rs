//! `spec.localDNS`. The script sets only a label from it, but the rules of the API are checked.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::node_pool::{DURATION, is_duration};
use super::super::{must_be, one_of, within};
use super::Object;
use crate::catalogue::local_dns;
use crate::catalogue::rules;
use crate::document::{Finding, Step, duration};
use crate::inputs::member::{Member, member};

#[derive(Deserialize)]
#[serde(rename = "localDNS")]
pub(super) struct LocalDns {
    pub mode: Option<String>,
    vnetDNSOverrides: Option<Vec<Override>>,
    kubeDNSOverrides: Option<Vec<Override>>,
}

/// The settings of a zone. All are required.
#[derive(Deserialize)]
#[serde(rename = "a DNS override")]
struct Override {
    zone: Option<String>,
    queryLogging: Option<String>,
    protocol: Option<String>,
    forwardDestination: Option<String>,
    forwardPolicy: Option<String>,
    maxConcurrent: Option<i64>,
    cacheDuration: Option<String>,
    serveStale: Option<String>,
    serveStaleDuration: Option<String>,
}

/// Returns the paths of fields that have no effect on the script.
pub(super) fn ignored(object: &Object) -> impl Iterator<Item = &'static str> {
    let both = [member!(object.spec.localDNS.vnetDNSOverrides), member!(object.spec.localDNS.kubeDNSOverrides)];
    both.into_iter().filter(|zones| zones.value.is_some_and(|zones| !zones.is_empty())).map(|zones| zones.path)
}

/// Returns `local_dns_profile` of the equivalent Configuration.
pub(super) fn configuration(object: &Object) -> Option<Value> {
    let section = member!(object.spec.localDNS).value?;
    // `Preferred` enables it from a Kubernetes version that does not exist yet.
    if section.mode.as_deref() != Some("Required") {
        return Some(json!({"enable_local_dns": false}));
    }
    let seconds =
        |text: &Option<String>| duration::parse(text.as_deref()?).map(|nanoseconds| nanoseconds / 1_000_000_000);
    let zones = |zones: &Option<Vec<Override>>| -> Value {
        let zones = zones.iter().flatten().filter_map(|zone| {
            let settings = json!({
                "query_logging": zone.queryLogging,
                "protocol": zone.protocol,
                "forward_destination": zone.forwardDestination,
                "forward_policy": zone.forwardPolicy,
                "max_concurrent": zone.maxConcurrent,
                "cache_duration_in_seconds": seconds(&zone.cacheDuration),
                "serve_stale": zone.serveStale,
                "serve_stale_duration_in_seconds": seconds(&zone.serveStaleDuration),
            });
            Some((zone.zone.clone()?, settings))
        });
        zones.collect::<Map<_, _>>().into()
    };
    Some(json!({
        "enable_local_dns": true,
        "vnet_dns_overrides": zones(&section.vnetDNSOverrides),
        "kube_dns_overrides": zones(&section.kubeDNSOverrides),
    }))
}

pub(super) fn check(object: &Object, findings: &mut Vec<Finding>) {
    if member!(object.spec.localDNS).value.is_none() {
        return;
    }
    let mode = member!(object.spec.localDNS.mode);
    findings.extend(mode.missing());
    findings.extend(one_of(mode, &["Preferred", "Required", "Disabled"]));
    overrides(member!(object.spec.localDNS.vnetDNSOverrides), true, findings);
    overrides(member!(object.spec.localDNS.kubeDNSOverrides), false, findings);
}

fn overrides(overrides: Member<'_, Vec<Override>>, is_vnet: bool, findings: &mut Vec<Finding>) {
    let zones = overrides.value.map(Vec::as_slice).unwrap_or_default();
    if zones.is_empty() {
        findings.push(Finding::missing(overrides.location()));
        return;
    }
    for (at, zone) in zones.iter().enumerate() {
        let path = overrides.location().join(Step::Index(at));
        findings.extend(check_zone(zone, is_vnet).into_iter().map(|finding| finding.below(&path)));
    }
    let names: Vec<_> = zones.iter().map(|zone| member!(zone.zone).text()).collect();
    let rules = [
        (names.len() > 100, "must have at most 100 zones"),
        (names.iter().enumerate().any(|(at, name)| names[..at].contains(name)), "must not contain a zone twice"),
        (!names.contains(&".") || !names.contains(&"cluster.local"), "must have the zones `.` and `cluster.local`"),
    ];
    let violated = rules.iter().filter(|(is_violated, _)| *is_violated);
    findings.extend(violated.map(|(_, rule)| overrides.violation(&rules::KARPENTER_VALUE, *rule)));
}

/// Returns the findings for an override, with paths that begin at it.
fn check_zone(zone: &Override, is_vnet: bool) -> Vec<Finding> {
    let (destination, stale) = (member!(zone.forwardDestination), member!(zone.serveStale));
    let mut findings = Vec::new();
    for (word, words) in [
        (member!(zone.queryLogging), local_dns::QUERY_LOGGING),
        (member!(zone.protocol), local_dns::PROTOCOLS),
        (destination, local_dns::FORWARD_DESTINATIONS),
        (member!(zone.forwardPolicy), local_dns::FORWARD_POLICIES),
        (stale, local_dns::SERVE_STALE),
    ] {
        findings.extend(word.missing().or_else(|| one_of(word, words)));
    }
    let concurrent = member!(zone.maxConcurrent);
    findings.extend(concurrent.missing().or_else(|| within(concurrent, (0, i32::MAX.into()))));
    for duration in [member!(zone.cacheDuration), member!(zone.serveStaleDuration)] {
        let invalid = || must_be(duration, is_duration, DURATION);
        findings.extend(duration.missing().or_else(invalid));
    }
    let name = member!(zone.zone);
    findings.extend(name.missing());
    let in_cluster = name.text().ends_with("cluster.local");
    let rules = [
        (in_cluster && destination.text() == "VnetDNS", destination, "must not be `VnetDNS` for a zone of the cluster"),
        (
            stale.text() == "Verify" && member!(zone.protocol).text() == "ForceTCP",
            stale,
            "must not be `Verify` with protocol `ForceTCP`",
        ),
        (
            is_vnet && !in_cluster && destination.text() == "ClusterCoreDNS",
            destination,
            "must be `VnetDNS` in `vnetDNSOverrides`, except for zones of the cluster",
        ),
    ];
    let violated = rules.into_iter().filter(|(is_violated, ..)| *is_violated);
    findings.extend(violated.map(|(_, member, rule)| member.violation(&rules::KARPENTER_COMBINATION, rule)));
    findings
}
