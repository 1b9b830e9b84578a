//! The Corefile of the node-local DNS.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::computed::enabled_local_dns;
use super::super::context::Context;
use super::encoded;
use crate::catalogue::local_dns::{AZURE_DNS, CLUSTER_LISTENER, DEFAULT_CLUSTER_DNS, NODE_LISTENER};
use crate::configuration::LocalDnsOverrides;
use crate::rendering::Template;

/// The text for an unset number, as the reference writes it. CoreDNS rejects it; `validate` reports it as an error.
const ABSENT: &str = "<nil>";

#[derive(Serialize)]
struct Corefile<'a> {
    node_listener: &'static str,
    cluster_listener: &'static str,
    parts: [Part<'a>; 2],
}

#[derive(Serialize)]
struct Part<'a> {
    title: &'static str,
    listener: &'static str,
    nsid: &'static str,
    zones: Vec<Zone<'a>>,
}

#[derive(Serialize)]
struct Zone<'a> {
    name: &'a str,
    is_root: bool,
    hosts: bool,
    logging: &'static str,
    destination: &'a str,
    protocol: &'static str,
    policy: &'static str,
    max_concurrent: String,
    health_check: String,
    failfast: bool,
    cache_seconds: String,
    serve_stale: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Vnet,
    Kube,
}

/// Returns the Corefile without the hosts plugin in base64. Empty if local DNS is off.
pub(in crate::environment) fn base(context: &Context<'_>) -> String {
    context.corefile.get_or_init(|| corefile(context, false)).clone()
}

/// Returns the Corefile with the hosts plugin in both root zones, in base64. Empty if local DNS is off.
pub(in crate::environment) fn with_hosts(context: &Context<'_>) -> String {
    corefile(context, true)
}

fn corefile(context: &Context<'_>, hosts: bool) -> String {
    let Some(profile) = enabled_local_dns(context) else { return String::new() };
    let cluster = context.configuration.cluster_config.as_ref();
    let network = cluster.and_then(|cluster| cluster.cluster_network_config.as_ref());
    let core_dns = match network.map_or("", |network| &network.core_dns_service_ip) {
        "" => DEFAULT_CLUSTER_DNS,
        address => address,
    };
    let template = Corefile {
        node_listener: NODE_LISTENER,
        cluster_listener: CLUSTER_LISTENER,
        parts: [
            Part {
                title: "VnetDNS overrides apply to DNS traffic from pods with dnsPolicy:default or kubelet (referred to as VnetDNS traffic).",
                listener: NODE_LISTENER,
                nsid: "localdns",
                zones: zones(&profile.vnet_dns_overrides, Side::Vnet, hosts, core_dns),
            },
            Part {
                title: "KubeDNS overrides apply to DNS traffic from pods with dnsPolicy:ClusterFirst (referred to as KubeDNS traffic).",
                listener: CLUSTER_LISTENER,
                nsid: "localdns-pod",
                zones: zones(&profile.kube_dns_overrides, Side::Kube, hosts, core_dns),
            },
        ],
    };
    encoded(&Template::COREFILE.render(&template, 4096))
}

fn zones<'a>(
    overrides: &'a BTreeMap<String, LocalDnsOverrides>,
    side: Side,
    hosts: bool,
    core_dns: &'a str,
) -> Vec<Zone<'a>> {
    overrides.iter().map(|(name, options)| zone(name, options, side, hosts, core_dns)).collect()
}

fn zone<'a>(name: &'a str, options: &LocalDnsOverrides, side: Side, hosts: bool, core_dns: &'a str) -> Zone<'a> {
    let is_root = name == ".";
    let wants_cluster = name.ends_with("cluster.local") || options.forward_destination == "ClusterCoreDNS";
    Zone {
        name,
        is_root,
        hosts: hosts && is_root,
        logging: match options.query_logging.as_str() {
            "Error" => "errors",
            "Log" => "log",
            _ => "",
        },
        destination: if wants_cluster && !(is_root && side == Side::Vnet) { core_dns } else { AZURE_DNS },
        protocol: match options.protocol.as_str() {
            "ForceTCP" => "force_tcp",
            "PreferUDP" => "prefer_udp",
            _ => "",
        },
        policy: match options.forward_policy.as_str() {
            "RoundRobin" => "round_robin",
            "Random" => "random",
            _ => "sequential",
        },
        max_concurrent: number(options.max_concurrent),
        health_check: health_check(options),
        failfast: options.failfast_all_unhealthy_upstreams.unwrap_or(false),
        cache_seconds: number(options.cache_duration_in_seconds),
        serve_stale: match options.serve_stale.as_str() {
            "Verify" => format!("{}s verify", number(options.serve_stale_duration_in_seconds)),
            "Immediate" => format!("{}s immediate", number(options.serve_stale_duration_in_seconds)),
            _ => String::new(),
        },
    }
}

fn number(value: Option<i32>) -> String {
    value.map_or(ABSENT.to_owned(), |value| value.to_string())
}

fn health_check(options: &LocalDnsOverrides) -> String {
    let Some(check) = options.health_check.as_ref().filter(|check| !check.duration().is_empty()) else {
        return String::new();
    };
    let no_rec = if check.no_rec() { " no_rec" } else { "" };
    let domain = match check.domain() {
        "" => String::new(),
        domain => format!(" domain {domain}"),
    };
    format!("{}{no_rec}{domain}", check.duration())
}
