//! The DNS cache on the node. Strings are written into its Corefile unescaped, absent numbers as `<nil>`.

use std::collections::BTreeMap;

use super::fields::{Context, MessageAt, at, field, quoted};
use super::syntax::is_host_name;
use crate::catalogue::local_dns;
use crate::catalogue::rules;
use crate::configuration::{FieldPath, LocalDnsOverrides};
use crate::document::duration::is_go_duration;
use crate::document::{DocPath, Finding, Severity, Step};

/// What CoreDNS needs with an empty cache, in MiB.
const LEAST_MEMORY: i32 = 20;

pub(super) fn profile(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let limits = [
        field!("local_dns_profile.cpu_limit_in_milli_cores"),
        field!("local_dns_profile.memory_limit_in_mb"),
        field!("local_dns_profile.hosts_plugin_refresh_interval_in_seconds"),
    ];
    for number in limits.iter().filter_map(|field| context.number(field)) {
        if number.value < 0 {
            findings.push(number.must_be(&rules::LOCAL_DNS_VALUE, "0 or more"));
        }
    }
    let memory = context.number(field!("local_dns_profile.memory_limit_in_mb"));
    if let Some(memory) = memory.filter(|memory| (1..LEAST_MEMORY).contains(&memory.value)) {
        let expected = format!("at least {LEAST_MEMORY}, or the kernel ends CoreDNS, which needs more");
        findings.push(memory.must_be(&rules::LOCAL_DNS_VALUE, expected).severity(Severity::Warning));
    }
    let Some(profile) = context.configuration.local_dns_profile.as_ref().filter(|profile| profile.enable_local_dns)
    else {
        return;
    };
    overrides(&profile.vnet_dns_overrides, &at(field!("local_dns_profile.vnet_dns_overrides")), true, findings);
    overrides(&profile.kube_dns_overrides, &at(field!("local_dns_profile.kube_dns_overrides")), false, findings);
}

fn overrides(zones: &BTreeMap<String, LocalDnsOverrides>, path: &DocPath, for_vnet: bool, findings: &mut Vec<Finding>) {
    for zone in [".", "cluster.local"].into_iter().filter(|zone| !zones.contains_key(*zone)) {
        let problem = format!("has no zone `{zone}`, which AKS requires");
        findings.push(Finding::violation(&rules::LOCAL_DNS_ZONES, path.clone(), problem));
    }
    for (zone, settings) in zones {
        let path = path.join(Step::Key(zone.clone()));
        if zone != "." && !is_host_name(zone) {
            let expected = "`.` or a domain name";
            findings.push(Finding::unexpected(&rules::LOCAL_DNS_ZONE, path.clone(), expected, quoted(zone)));
        }
        let overrides = MessageAt { message: settings, path };
        words(&overrides, findings);
        numbers(&overrides, settings, findings);
        combinations(&overrides, settings, (zone, for_vnet), findings);
    }
}

/// A path below the settings of a zone.
macro_rules! of_zone {
    ($path:literal) => {
        field!(LocalDnsOverrides, $path)
    };
}

/// Options: field, accepted words, the words in messages, and the effect of other words.
const OPTIONS: [(&FieldPath, &[&str], &str, &str); 5] = [
    (
        of_zone!("query_logging"),
        local_dns::QUERY_LOGGING,
        "`Error` or `Log`",
        "with any other value, nothing is logged",
    ),
    (
        of_zone!("protocol"),
        local_dns::PROTOCOLS,
        "`PreferUDP` or `ForceTCP`",
        "with any other value, the upstream protocol is the protocol of the query",
    ),
    (
        of_zone!("forward_destination"),
        local_dns::FORWARD_DESTINATIONS,
        "`ClusterCoreDNS` or `VnetDNS`",
        "any other value means `VnetDNS`",
    ),
    (
        of_zone!("forward_policy"),
        local_dns::FORWARD_POLICIES,
        "`Sequential`, `RoundRobin` or `Random`",
        "any other value means `Sequential`",
    ),
    (
        of_zone!("serve_stale"),
        local_dns::SERVE_STALE,
        "`Verify`, `Immediate` or `Disable`",
        "any other value means `Disable`",
    ),
];

fn words(overrides: &MessageAt<'_>, findings: &mut Vec<Finding>) {
    for (field, words, expected, otherwise) in OPTIONS {
        for text in overrides.texts(field).filter(|text| !text.is_in(words)) {
            findings.push(text.must_be(&rules::LOCAL_DNS_WORD, expected).hint(otherwise));
        }
    }
    for text in overrides.texts(of_zone!("health_check.duration")) {
        if !is_go_duration(text.value) || text.value.starts_with('-') {
            findings.push(text.must_be(&rules::LOCAL_DNS_VALUE, "a duration such as `5s`"));
        }
    }
    for text in overrides.texts(of_zone!("health_check.domain")) {
        if text.value != "." && !is_host_name(text.value) {
            findings.push(text.must_be(&rules::LOCAL_DNS_VALUE, "a domain name"));
        }
    }
}

/// Numbers, with the smallest value.
const NUMBERS: [(&FieldPath, i32); 3] = [
    (of_zone!("max_concurrent"), 0),
    (of_zone!("cache_duration_in_seconds"), 1),
    (of_zone!("serve_stale_duration_in_seconds"), 0),
];

fn numbers(overrides: &MessageAt<'_>, settings: &LocalDnsOverrides, findings: &mut Vec<Finding>) {
    let serves_stale = ["Verify", "Immediate"].contains(&settings.serve_stale.as_str());
    for (field, smallest) in NUMBERS {
        match overrides.number(field) {
            Some(number) if number.value < smallest => {
                findings.push(number.must_be(&rules::LOCAL_DNS_VALUE, format!("at least {smallest}")));
            }
            None if field.name != "serve_stale_duration_in_seconds" || serves_stale => findings.push(
                Finding::missing(overrides.at(field))
                    .hint("without it the Corefile contains `<nil>`, which CoreDNS rejects"),
            ),
            _ => {}
        }
    }
}

/// Combinations that AKS rejects, although CoreDNS accepts the Corefile.
fn combinations(
    overrides: &MessageAt<'_>,
    settings: &LocalDnsOverrides,
    (zone, for_vnet): (&str, bool),
    findings: &mut Vec<Finding>,
) {
    let in_cluster = zone.ends_with("cluster.local");
    let mut warn =
        |path, text: &'static str| findings.push(Finding::violation(&rules::LOCAL_DNS_COMBINATION, path, text));
    let destination = || overrides.at(of_zone!("forward_destination"));
    match settings.forward_destination.as_str() {
        "VnetDNS" if in_cluster => {
            warn(destination(), "is `VnetDNS` for a zone of the cluster, which AKS rejects: queries go to CoreDNS");
        }
        "ClusterCoreDNS" if for_vnet && zone == "." => warn(
            destination(),
            "is `ClusterCoreDNS` for the root zone of the virtual network, which AKS rejects: queries go to Azure DNS",
        ),
        "ClusterCoreDNS" if for_vnet && !in_cluster => warn(
            destination(),
            "is `ClusterCoreDNS` for a zone of the virtual network outside `cluster.local`, which AKS rejects",
        ),
        _ => {}
    }
    if settings.serve_stale == "Verify" && settings.protocol == "ForceTCP" {
        warn(
            overrides.at(of_zone!("serve_stale")),
            "is `Verify` together with the protocol `ForceTCP`, which AKS rejects",
        );
    }
}
