//! The Corefile of the node-local DNS.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::computed::enabled_local_dns;
use super::super::context::Context;
use super::encoded;
use crate::catalogue::local_dns::{AZURE_DNS, CLUSTER_LISTENER, DEFAULT_CLUSTER_DNS, NODE_LISTENER};
use crate::configuration::LocalDnsOverrides;
use crate::rendering::{Rendered, render_untrusted_both};

/// The text for an unset number, as the reference writes it. CoreDNS rejects it; `validate` reports it as an error.
const ABSENT: &str = "<nil>";

#[derive(Serialize)]
struct Corefile<'a> {
    node_listener: &'static str,
    cluster_listener: &'static str,
    /// Rendered with both values.
    has_hosts_plugin: bool,
    sides: [Side<'a>; 2],
}

/// The clients of the zones: the virtual network or pods.
#[derive(Serialize)]
struct Side<'a> {
    is_vnet: bool,
    listener: &'static str,
    nsid: &'static str,
    zones: Vec<Zone<'a>>,
}

#[derive(Serialize)]
struct Zone<'a> {
    name: &'a str,
    is_root: bool,
    logging: &'static str,
    destination: &'a str,
    protocol: &'static str,
    policy: &'static str,
    max_concurrent: String,
    health_check: Option<HealthCheck<'a>>,
    fails_fast: bool,
    cache_seconds: String,
    stale: Option<Stale>,
}

#[derive(Serialize)]
struct HealthCheck<'a> {
    duration: &'a str,
    no_rec: bool,
    domain: &'a str,
}

/// How the cache serves expired answers.
#[derive(Serialize)]
struct Stale {
    seconds: String,
    mode: &'static str,
}

/// Returns the Corefile in base64, without the hosts plugin. Empty if local DNS is off.
pub(in crate::environment) fn without_hosts(context: &Context<'_>) -> Rendered {
    texts(context)[0].clone()
}

/// Returns the Corefile in base64, with the hosts plugin in both root zones. Empty if local DNS is off.
pub(in crate::environment) fn with_hosts(context: &Context<'_>) -> Rendered {
    texts(context)[1].clone()
}

/// Returns the Corefile without and with the hosts plugin.
fn texts<'c>(context: &'c Context<'_>) -> &'c [Rendered; 2] {
    context.corefiles.get_or_init(|| render(context).map(encoded))
}

fn render(context: &Context<'_>) -> [Rendered; 2] {
    let Some(profile) = enabled_local_dns(context) else { return [(); 2].map(|()| String::new().into()) };
    let cluster = context.configuration.cluster_config.as_ref();
    let network = cluster.and_then(|cluster| cluster.cluster_network_config.as_ref());
    let core_dns = match network.map_or("", |network| &network.core_dns_service_ip) {
        "" => DEFAULT_CLUSTER_DNS,
        address => address,
    };
    let values = Corefile {
        node_listener: NODE_LISTENER,
        cluster_listener: CLUSTER_LISTENER,
        has_hosts_plugin: false,
        sides: [
            Side {
                is_vnet: true,
                listener: NODE_LISTENER,
                nsid: "localdns",
                zones: zones(&profile.vnet_dns_overrides, true, core_dns),
            },
            Side {
                is_vnet: false,
                listener: CLUSTER_LISTENER,
                nsid: "localdns-pod",
                zones: zones(&profile.kube_dns_overrides, false, core_dns),
            },
        ],
    };
    render_untrusted_both("corefile.tera", &values, "has_hosts_plugin")
}

fn zones<'a>(overrides: &'a BTreeMap<String, LocalDnsOverrides>, is_vnet: bool, core_dns: &'a str) -> Vec<Zone<'a>> {
    overrides.iter().map(|(name, options)| zone(name, options, is_vnet, core_dns)).collect()
}

fn zone<'a>(name: &'a str, options: &'a LocalDnsOverrides, is_vnet: bool, core_dns: &'a str) -> Zone<'a> {
    let is_root = name == ".";
    let wants_cluster = name.ends_with("cluster.local") || options.forward_destination == "ClusterCoreDNS";
    Zone {
        name,
        is_root,
        logging: match options.query_logging.as_str() {
            "Error" => "errors",
            "Log" => "log",
            _ => "",
        },
        destination: if wants_cluster && !(is_root && is_vnet) { core_dns } else { AZURE_DNS },
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
        health_check: options
            .health_check
            .as_ref()
            .filter(|check| !check.duration().is_empty())
            .map(|check| HealthCheck { duration: check.duration(), no_rec: check.no_rec(), domain: check.domain() }),
        fails_fast: options.failfast_all_unhealthy_upstreams.unwrap_or(false),
        cache_seconds: number(options.cache_duration_in_seconds),
        stale: match options.serve_stale.as_str() {
            "Verify" => Some("verify"),
            "Immediate" => Some("immediate"),
            _ => None,
        }
        .map(|mode| Stale { seconds: number(options.serve_stale_duration_in_seconds), mode }),
    }
}

fn number(value: Option<i32>) -> String {
    value.map_or(ABSENT.to_owned(), |value| value.to_string())
}
