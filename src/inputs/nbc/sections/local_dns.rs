//! The DNS cache on the node.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::configuration::{LocalDnsHealthCheck, LocalDnsOverrides};
use crate::document::{DocPath, Step};
use crate::inputs::nbc::conversion::{Conversion, Target, target};
use crate::inputs::nbc::fields::dns_override::{self, DnsOverride};
use crate::inputs::nbc::fields::request::{self as field, Request};
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::reader::{Field, Fields, Members, ObjectMap};

pub(super) fn convert(conversion: &mut Conversion<'_, '_>) {
    if !conversion.document.has(field::LOCAL_DNS_PROFILE) {
        return;
    }
    conversion.configuration.local_dns_profile.get_or_insert_default();
    conversion.copy(field::ENABLE_LOCAL_DNS, target!(local_dns_profile.enable_local_dns));
    conversion.copy(field::ENABLE_HOSTS_PLUGIN, target!(local_dns_profile.enable_hosts_plugin));
    conversion.copy(field::CPU_LIMIT_IN_MILLI_CORES, target!(local_dns_profile.cpu_limit_in_milli_cores));
    conversion.copy(field::MEMORY_LIMIT_IN_MB, target!(local_dns_profile.memory_limit_in_mb));
    conversion.copy(field::CRITICAL_FQDNS, target!(local_dns_profile.critical_fqdns));
    conversion.copy(
        field::HOSTS_PLUGIN_REFRESH_INTERVAL,
        target!(local_dns_profile.hosts_plugin_refresh_interval_in_seconds),
    );
    overrides(conversion, field::VNET_DNS_OVERRIDES, target!(local_dns_profile.vnet_dns_overrides));
    overrides(conversion, field::KUBE_DNS_OVERRIDES, target!(local_dns_profile.kube_dns_overrides));
    // On the scripted route the limits count even if the cache is off, and 0 is not replaced by the default.
    if let Some(limit) = conversion.document.get(field::CPU_LIMIT_IN_MILLI_CORES) {
        conversion.set_variable("LOCALDNS_CPU_LIMIT", format!("{:.1}%", f64::from(limit) / 10.0));
    }
    if let Some(limit) = conversion.document.get(field::MEMORY_LIMIT_IN_MB) {
        conversion.set_variable("LOCALDNS_MEMORY_LIMIT", format!("{limit}M"));
    }
}

fn overrides(
    conversion: &mut Conversion<'_, '_>,
    field: Field<Request, ObjectMap>,
    target: Target<BTreeMap<String, LocalDnsOverrides>>,
) {
    let Some(domains) = conversion.document.get(field) else {
        conversion.origins.add(target.path, Origin::Field(field.number()));
        return;
    };
    let path = conversion.document.path(field);
    let mut converted = BTreeMap::new();
    for (domain, members) in domains {
        let members = Members::<DnsOverride>::read(members);
        let domain_target = format!("{}[{}]", target.path, Value::from(&**domain));
        record_spellings(conversion, &members, &domain_target, &path.join(Step::Key(domain.to_string())));
        converted.insert(domain.to_string(), settings(&members));
    }
    conversion.set(target, converted, Origin::Field(field.number()));
}

/// Records the origin of each setting of a domain, if the document does not spell all of them as the contract does.
fn record_spellings(
    conversion: &mut Conversion<'_, '_>,
    members: &Members<'_, DnsOverride>,
    target: &str,
    path: &DocPath,
) {
    let spellings = members.spellings();
    if spellings.are_those_of_the_table() {
        return;
    }
    for number in 0..DnsOverride::rows().len() {
        let steps = path.0.iter().cloned().chain(spellings.path(number).0);
        let origin = Origin::Place(DocPath(steps.collect()));
        conversion.origins.add(format!("{target}.{}", name_in_contract(number)), origin);
    }
}

/// Returns the path of the setting in a row below its domain in the Configuration.
fn name_in_contract(number: usize) -> String {
    let row = &DnsOverride::rows()[number];
    let (parent, descriptor) = match row.parent {
        None => (String::new(), LocalDnsOverrides::descriptor()),
        Some(parent) => (name_in_contract(parent) + ".", LocalDnsHealthCheck::descriptor()),
    };
    let index = descriptor.index_of(row.name).expect("a test looks up every name");
    parent + descriptor.fields[index].name
}

fn settings(members: &Members<'_, DnsOverride>) -> LocalDnsOverrides {
    LocalDnsOverrides {
        query_logging: members.text(dns_override::QUERY_LOGGING).to_owned(),
        protocol: members.text(dns_override::PROTOCOL).to_owned(),
        forward_destination: members.text(dns_override::FORWARD_DESTINATION).to_owned(),
        forward_policy: members.text(dns_override::FORWARD_POLICY).to_owned(),
        max_concurrent: members.get(dns_override::MAX_CONCURRENT),
        cache_duration_in_seconds: members.get(dns_override::CACHE_DURATION_IN_SECONDS),
        serve_stale_duration_in_seconds: members.get(dns_override::SERVE_STALE_DURATION_IN_SECONDS),
        serve_stale: members.text(dns_override::SERVE_STALE).to_owned(),
        failfast_all_unhealthy_upstreams: members.get(dns_override::FAILFAST_ALL_UNHEALTHY_UPSTREAMS),
        health_check: members.has(dns_override::HEALTH_CHECK).then(|| LocalDnsHealthCheck {
            duration: members.get(dns_override::HEALTH_CHECK_DURATION).map(str::to_owned),
            no_rec: members.get(dns_override::HEALTH_CHECK_NO_REC),
            domain: members.get(dns_override::HEALTH_CHECK_DOMAIN).map(str::to_owned),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_of_a_domain_has_the_name_of_a_field_of_the_contract() {
        let names: Vec<_> = (0..DnsOverride::rows().len()).map(name_in_contract).collect();
        assert_eq!(names.len(), LocalDnsOverrides::descriptor().fields.len() + 3);
        assert_eq!(names.last().map(String::as_str), Some("health_check.domain"));
    }
}
