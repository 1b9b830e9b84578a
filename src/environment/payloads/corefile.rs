//! The Corefile of the node-local DNS.

use std::collections::BTreeMap;

use super::super::computed::enabled_local_dns;
use super::super::context::Context;
use super::encoded;
use crate::catalogue::local_dns::{AZURE_DNS, CLUSTER_LISTENER, DEFAULT_CLUSTER_DNS, NODE_LISTENER};
use crate::configuration::LocalDnsOverrides;
use crate::rendering::{Fill, Template};

/// The text for an unset number, as the reference writes it. CoreDNS rejects it; `validate` reports it as an error.
const ABSENT: &str = "<nil>";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Vnet,
    Kube,
}

impl Side {
    const fn listener(self) -> &'static str {
        match self {
            Self::Vnet => NODE_LISTENER,
            Self::Kube => CLUSTER_LISTENER,
        }
    }

    const fn nsid(self) -> &'static str {
        match self {
            Self::Vnet => "localdns",
            Self::Kube => "localdns-pod",
        }
    }
}

/// Returns the Corefile without the hosts plugin in base64. Empty if local DNS is off.
pub(in crate::environment) fn base(context: &Context<'_>) -> String {
    context.corefiles.get_or_init(|| corefiles(context))[0].clone()
}

/// Returns the Corefile with the hosts plugin in both root zones, in base64. Empty if local DNS is off.
pub(in crate::environment) fn with_hosts(context: &Context<'_>) -> String {
    context.corefiles.get_or_init(|| corefiles(context))[1].clone()
}

/// Returns both forms.
fn corefiles(context: &Context<'_>) -> [String; 2] {
    let Some(profile) = enabled_local_dns(context) else { return Default::default() };
    let cluster = context.configuration.cluster_config.as_ref();
    let network = cluster.and_then(|cluster| cluster.cluster_network_config.as_ref());
    let core_dns = match network.map_or("", |network| &network.core_dns_service_ip) {
        "" => DEFAULT_CLUSTER_DNS,
        address => address,
    };
    let vnet = zones(&profile.vnet_dns_overrides, Side::Vnet, core_dns);
    let kube = zones(&profile.kube_dns_overrides, Side::Kube, core_dns);
    [0, 1].map(|form| {
        let values = [
            ("node_listener", Fill::Text(NODE_LISTENER)),
            ("cluster_listener", Fill::Text(CLUSTER_LISTENER)),
            ("vnet_zones", Fill::Text(&vnet[form])),
            ("kube_zones", Fill::Text(&kube[form])),
        ];
        encoded(&Template::COREFILE.render(&values))
    })
}

/// Returns the zones without and with the hosts plugin.
fn zones(overrides: &BTreeMap<String, LocalDnsOverrides>, side: Side, core_dns: &str) -> [String; 2] {
    let mut forms = [String::new(), String::new()];
    for (name, options) in overrides {
        let zone = Zone { name, options, side, core_dns };
        let base = zone.render(false);
        forms[0].push_str(&base);
        // Only root zones differ.
        forms[1].push_str(&if zone.is_root() { zone.render(true) } else { base });
    }
    forms
}

struct Zone<'a> {
    name: &'a str,
    options: &'a LocalDnsOverrides,
    side: Side,
    core_dns: &'a str,
}

impl Zone<'_> {
    fn is_root(&self) -> bool {
        self.name == "."
    }

    fn render(&self, hosts: bool) -> String {
        let Self { name, options, side, core_dns } = *self;
        let wants_cluster = name.ends_with("cluster.local") || options.forward_destination == "ClusterCoreDNS";
        let destination = if wants_cluster && !(self.is_root() && side == Side::Vnet) { core_dns } else { AZURE_DNS };
        let logging = match options.query_logging.as_str() {
            "Error" => "errors",
            "Log" => "log",
            _ => "",
        };
        let protocol = match options.protocol.as_str() {
            "ForceTCP" => "force_tcp",
            "PreferUDP" => "prefer_udp",
            _ => "",
        };
        let policy = match options.forward_policy.as_str() {
            "RoundRobin" => "round_robin",
            "Random" => "random",
            _ => "sequential",
        };
        let serve_stale = match options.serve_stale.as_str() {
            "Verify" => format!("{}s verify", number(options.serve_stale_duration_in_seconds)),
            "Immediate" => format!("{}s immediate", number(options.serve_stale_duration_in_seconds)),
            _ => String::new(),
        };
        Template::COREFILE_ZONE.render(&[
            ("name", Fill::Text(name)),
            ("logging", Fill::Raw(logging)),
            ("listener", Fill::Text(side.listener())),
            ("hosts", Fill::Block(hosts)),
            ("destination", Fill::Text(destination)),
            ("protocol", Fill::Raw(protocol)),
            ("policy", Fill::Text(policy)),
            ("max_concurrent", Fill::Text(&number(options.max_concurrent))),
            ("health_check", Fill::Raw(&health_check(options))),
            ("failfast", Fill::Block(options.failfast_all_unhealthy_upstreams.unwrap_or(false))),
            ("cache_seconds", Fill::Text(&number(options.cache_duration_in_seconds))),
            ("serve_stale", Fill::Raw(&serve_stale)),
            ("nsid", Fill::Text(side.nsid())),
            ("is_root", Fill::Block(self.is_root())),
        ])
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
