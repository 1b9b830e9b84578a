//! Checks that addresses and ranges which a node reaches in different ways do not overlap.

use std::collections::HashSet;
use std::net::IpAddr;

use super::super::fields::{Context, Text, field};
use super::super::syntax::is_cidr;
use crate::catalogue::local_dns::{AZURE_DNS, CLUSTER_LISTENER, NODE_CACHE, NODE_LISTENER};
use crate::catalogue::rules;
use crate::document::{DocPath, Finding, Severity};

/// Returns a finding if no Kubernetes service can have the address of the cluster DNS. With `may_be_local`, the
/// listeners of the node-local DNS are accepted, that of AKS and that of Kubernetes.
pub(crate) fn invalid_cluster_dns(
    address: &str,
    may_be_local: bool,
    path: impl FnOnce() -> DocPath,
) -> Option<Finding> {
    if may_be_local && [NODE_LISTENER, CLUSTER_LISTENER, NODE_CACHE].contains(&address) {
        return None;
    }
    let ip: IpAddr = address.parse().ok()?;
    let kind = match ip {
        _ if address == AZURE_DNS => "the address of the Azure platform, which does not know the names of the cluster",
        _ if ip.is_loopback() => "a loopback address, which is a different host in each pod",
        _ if ip.is_multicast() => "a multicast address",
        _ if ip.is_unspecified() => "not the address of a host",
        IpAddr::V4(ip) if ip.is_link_local() => "a link-local address, which no service can have",
        IpAddr::V4(ip) if ip.is_broadcast() => "a broadcast address",
        IpAddr::V6(ip) if ip.is_unicast_link_local() => "a link-local address, which no service can have",
        // The API server has the first address of the range of services. AKS does not let the DNS service have it.
        IpAddr::V4(ip) if matches!(ip.octets(), [_, _, 0, 0 | 1]) => {
            let kind = if ip.octets()[3] == 0 { "of a network" } else { "that the service `kubernetes` usually has" };
            let problem = format!("is {ip}, an address {kind}: pods ask the wrong host for names");
            let finding = Finding::violation(&rules::CLUSTER_DNS, path(), problem).severity(Severity::Warning);
            return Some(finding.hint("`az aks show` prints the address as `networkProfile.dnsServiceIp`"));
        }
        _ => return None,
    };
    Some(Finding::violation(&rules::CLUSTER_DNS, path(), format!("must be the address of a service: {ip} is {kind}")))
}

pub(super) fn cluster_dns(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let profile = context.configuration.local_dns_profile.as_ref();
    let has_local_dns = profile.is_some_and(|profile| profile.enable_local_dns);
    for (address, may_be_local, text) in dns_addresses(context) {
        let finding = invalid_cluster_dns(address, may_be_local, || text.path());
        if finding.is_none() && !has_local_dns && [NODE_LISTENER, CLUSTER_LISTENER].contains(&address) {
            let problem =
                format!("is {address}, the address of node-local DNS, which is not enabled: pods resolve no names");
            let finding = Finding::violation(&rules::CLUSTER_DNS, text.path(), problem).severity(Severity::Warning);
            findings.push(
                finding.hint("set `enable_local_dns` of `local_dns_profile`, or write the address of the DNS service"),
            );
        }
        findings.extend(finding);
    }
}

/// Returns each address of the cluster DNS, whether it may be the node-local DNS, and its location.
fn dns_addresses<'c>(context: &'c Context<'_>) -> impl Iterator<Item = (&'c str, bool, Text<'c>)> {
    let service = context.texts(field!("cluster_config.cluster_network_config.core_dns_service_ip"));
    let file = context.texts(field!("kubelet_config.kubelet_config_file_config.cluster_dns"));
    let flag = context.flag("--cluster-dns").into_iter();
    let flag = flag.flat_map(|flag| flag.value.split(',').map(move |address| (address, true, flag)));
    service.map(|text| (text.value, false, text)).chain(file.map(|text| (text.value, true, text))).chain(flag)
}

/// Azure addresses that must be outside the pod range.
pub(super) const PLATFORM: [&str; 2] = ["169.254.169.254", AZURE_DNS];

/// The most pod ranges that are compared. A node has one for each address family.
const MOST_RANGES: usize = 8;

/// Compares the pod range with addresses that must be outside it.
pub(super) fn pod_range(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(ranges) = context.flag("--pod-cidr") else { return };
    let server = context.text(field!("api_server_config.api_server_name")).map(|name| (name.value, "the API server"));
    let dns = dns_addresses(context).map(|(address, ..)| (address, "the cluster DNS"));
    let platform = PLATFORM.map(|address| (address, "the Azure platform"));
    let ranges_of = || ranges.value.split(',').take(MOST_RANGES);
    // The kubelet takes every text, and the network plugin gets it.
    if !ranges.value.is_empty() && !ranges_of().all(|range| is_cidr(range.trim())) {
        let expected = "a range such as `10.244.0.0/24`, or one of IPv4 and one of IPv6";
        findings.push(ranges.must_be(&rules::KUBELET_FLAG_VALUE, expected).severity(Severity::Warning));
    }
    let mut seen = HashSet::new();
    for (address, name) in dns.chain(server).chain(platform) {
        if ranges_of().any(|range| contains(range, address)) && seen.insert(address) {
            let problem =
                format!("contains {address}, the address of {name}: the node would look for it among its pods");
            findings.push(Finding::violation(&rules::POD_RANGE, ranges.path(), problem));
        }
    }
}

/// Returns the number of IPv4 addresses in a range.
pub(super) fn addresses_in(range: &str) -> Option<u64> {
    let (address, length) = range.split_once('/')?;
    address.parse::<std::net::Ipv4Addr>().ok()?;
    let length: u32 = length.parse().ok().filter(|length| *length <= 32)?;
    Some(1 << (32 - length))
}

/// Whether a CIDR range contains an address.
pub(super) fn contains(range: &str, address: &str) -> bool {
    let bits = |address: IpAddr| match address {
        IpAddr::V4(address) => (u128::from(address.to_bits()), 32),
        IpAddr::V6(address) => (address.to_bits(), 128),
    };
    let Some((network, length)) = range.split_once('/') else { return false };
    let (Ok(network), Ok(length), Ok(address)) = (network.parse(), length.parse::<u32>(), address.parse()) else {
        return false;
    };
    let ((network, width), (address, other_width)) = (bits(network), bits(address));
    width == other_width && length <= width && (network ^ address).checked_shr(width - length).unwrap_or(0) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_contains_the_addresses_with_its_prefix() {
        for (range, address, expected) in [
            ("10.244.0.0/16", "10.244.255.1", true),
            ("10.244.0.0/16", "10.245.0.1", false),
            ("10.244.3.0/24", "10.244.2.255", false),
            ("0.0.0.0/0", "168.63.129.16", true),
            ("10.0.0.1/32", "10.0.0.1", true),
            ("10.0.0.1/33", "10.0.0.1", false),
            ("fd00::/8", "fdff::1", true),
            ("::/0", "10.0.0.1", false),
            ("10.0.0.0", "10.0.0.0", false),
            ("10.0.0.0/8", "a.example", false),
        ] {
            assert_eq!(contains(range, address), expected, "{range} {address}");
        }
        assert_eq!((addresses_in("10.0.0.0/24"), addresses_in("0.0.0.0/0")), (Some(256), Some(1 << 32)));
        assert_eq!((addresses_in("10.0.0.0/33"), addresses_in("fd00::/64")), (None, None));
    }

    #[test]
    fn the_cluster_dns_is_a_unicast_address_outside_of_link_local_ranges() {
        for (address, may_be_local, expected) in [
            ("10.0.0.10", false, true),
            ("fd00::10", false, true),
            ("169.254.10.11", true, true),
            ("169.254.10.11", false, false),
            ("169.254.10.12", true, false),
            ("169.254.20.10", true, true),
            ("169.254.20.10", false, false),
            ("10.0.0.1", true, false),
            ("10.0.0.0", true, false),
            ("10.0.1.0", true, true),
            ("127.0.0.53", true, false),
            ("168.63.129.16", true, false),
            ("224.0.0.1", true, false),
            ("fe80::1", true, false),
            ("0.0.0.0", true, false),
            ("name", true, true),
        ] {
            let found = invalid_cluster_dns(address, may_be_local, DocPath::root);
            assert_eq!(found.is_none(), expected, "{address}");
        }
    }
}
