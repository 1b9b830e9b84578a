//! `spec.localDNS`. The script sets only a label from it, but the rules of the API are checked.

use super::super::{one_of, violation, within};
use crate::catalogue::local_dns;
use crate::catalogue::rules;
use crate::document::{Finding, Object, duration};

/// Reads and checks the section. Returns the mode.
pub(super) fn read(spec: &Object<'_>, ignored: &mut Vec<&'static str>) -> Option<String> {
    let dns = spec.object("localDNS", "localDNS")?;
    let mode = one_of(&dns, "mode", &["Preferred", "Required", "Disabled"]);
    if mode.is_none() {
        missing(&dns, "mode");
    }
    for (name, path) in
        [("vnetDNSOverrides", "spec.localDNS.vnetDNSOverrides"), ("kubeDNSOverrides", "spec.localDNS.kubeDNSOverrides")]
    {
        let overrides = dns.objects(name, "a DNS override");
        if overrides.is_empty() {
            missing(&dns, name);
            continue;
        }
        ignored.push(path);
        let zones: Vec<_> = overrides.iter().map(|zone| check_zone(zone, name == "vnetDNSOverrides")).collect();
        let rules = [
            (zones.len() > 100, "must have at most 100 zones"),
            (zones.iter().enumerate().any(|(at, zone)| zones[..at].contains(zone)), "must not have a zone twice"),
            (!zones.contains(&".") || !zones.contains(&"cluster.local"), "must have the zones `.` and `cluster.local`"),
        ];
        for (_, rule) in rules.iter().filter(|(is_violated, _)| *is_violated) {
            dns.report(Finding::violation(&rules::KARPENTER_VALUE, dns.at(name), *rule));
        }
    }
    mode
}

fn missing(object: &Object<'_>, name: &'static str) {
    object.report(Finding::missing(object.at(name)));
}

/// Checks an override. Returns the name of its zone.
fn check_zone<'t>(zone: &Object<'t>, is_vnet: bool) -> &'t str {
    let words: [(&'static str, &'static [&'static str]); 5] = [
        ("queryLogging", local_dns::QUERY_LOGGING),
        ("protocol", local_dns::PROTOCOLS),
        ("forwardDestination", local_dns::FORWARD_DESTINATIONS),
        ("forwardPolicy", local_dns::FORWARD_POLICIES),
        ("serveStale", local_dns::SERVE_STALE),
    ];
    let [_, protocol, destination, _, stale] = words.map(|(name, words)| {
        let word = one_of(zone, name, words);
        if word.is_none() {
            missing(zone, name);
        }
        word.unwrap_or_default()
    });
    if within(zone, "maxConcurrent", (0, i64::from(i32::MAX))).is_none() {
        missing(zone, "maxConcurrent");
    }
    for name in ["cacheDuration", "serveStaleDuration"] {
        match zone.text(name) {
            None => missing(zone, name),
            Some(text) if !duration::is_go_duration(text) => violation(zone, name, "a duration such as `1h`", text),
            Some(_) => {}
        }
    }
    let name = zone.text("zone");
    if name.is_none() {
        missing(zone, "zone");
    }
    let name = name.unwrap_or_default();
    let in_cluster = name.ends_with("cluster.local");
    let rules = [
        (
            in_cluster && destination == "VnetDNS",
            "forwardDestination",
            "must not be `VnetDNS` for a zone of the cluster",
        ),
        (stale == "Verify" && protocol == "ForceTCP", "serveStale", "must not be `Verify` with protocol `ForceTCP`"),
        (
            is_vnet && !in_cluster && destination == "ClusterCoreDNS",
            "forwardDestination",
            "must be `VnetDNS` in `vnetDNSOverrides`, except for zones of the cluster",
        ),
    ];
    for (_, name, rule) in rules.into_iter().filter(|(is_violated, ..)| *is_violated) {
        zone.report(Finding::violation(&rules::KARPENTER_COMBINATION, zone.at(name), rule));
    }
    name
}
