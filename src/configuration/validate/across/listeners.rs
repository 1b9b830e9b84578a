//! Addresses and ports of the kubelet's servers.

use std::net::IpAddr;

use super::super::fields::{Context, field};
use super::super::syntax::go_integer;
use super::starting::words;
use crate::catalogue::rules;
use crate::configuration::FieldPath;
use crate::document::{Finding, Severity};

const OWN: &str = "--port";

/// The ports of the kubelet's servers, with their defaults and the fields of the configuration file.
const PORTS: [(&str, i64, Option<&FieldPath>); 3] = [
    (OWN, 10_250, None),
    ("--healthz-port", 10_248, None),
    ("--read-only-port", 0, Some(field!("kubelet_config.kubelet_config_file_config.read_only_port"))),
];

/// Two servers of the kubelet cannot have the same port. 0 stands for no server.
pub(super) fn ports(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let ports = PORTS.map(|(name, default, field)| {
        if let Some((port, flag)) = context.flag(name).and_then(|flag| Some((go_integer(flag.value)?, flag))) {
            return (name, port, Some((flag.path(), &rules::KUBELET_FLAG_VALUE)));
        }
        let number = field.filter(|_| super::reads_file(context)).and_then(|field| context.number(field));
        let place = number.as_ref().map(|number| (number.path(), &rules::KUBELET_FILE_VALUE));
        (name, number.map_or(default, |number| i64::from(number.value)), place)
    });
    for (at, (name, port, place)) in ports.iter().enumerate() {
        for (other, its_port, its_place) in &ports[..at] {
            let place = place.as_ref().or(its_place.as_ref()).filter(|_| port == its_port && *port != 0);
            if let Some((path, rule)) = place.cloned() {
                // A kubelet without the other two servers stays.
                let ends = [*name, *other].contains(&OWN);
                let consequence = if ends { "the kubelet ends" } else { "only one of its servers starts" };
                let problem = format!("is {port}, the port of `{name}` and of `{other}`: {consequence}");
                let finding = Finding::violation(rule, path, problem);
                findings.push(if ends { finding } else { finding.severity(Severity::Warning) });
            }
        }
    }
}

/// A kubelet that listens on an address of one machine ends on every other one.
pub(super) fn addresses(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let setting = ("--address", field!("kubelet_config.kubelet_config_file_config.address"));
    for (address, path, rule) in words(context, setting) {
        let Ok(ip) = address.parse::<IpAddr>() else { continue };
        let problem = if ip.is_unspecified() {
            continue;
        } else if ip.is_loopback() {
            format!(
                "is {address}, at which only the node itself reaches the kubelet: the API server gets no logs of pods"
            )
        } else {
            format!("is {address}: the kubelet ends on every machine that does not have this address")
        };
        let finding = Finding::violation(rule, path, problem).severity(Severity::Warning);
        findings.push(finding.hint("write `0.0.0.0`, or remove it"));
    }
}
