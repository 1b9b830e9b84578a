//! Checks that the proxy's exceptions cover everything that a node must reach directly.

use super::super::fields::{Context, at, field};
use super::super::syntax::is_host;
use super::addresses::{PLATFORM, contains};
use crate::catalogue::rules;
use crate::document::Finding;

pub(super) fn exceptions(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let has_proxy = [field!("http_proxy_config.http_proxy"), field!("http_proxy_config.https_proxy")]
        .iter()
        .any(|field| context.text(field).is_some());
    if !has_proxy {
        return;
    }
    let entries = || context.texts(field!("http_proxy_config.no_proxy_entries"));
    let server = context.text(field!("api_server_config.api_server_name")).map(|server| server.value);
    let hosts = server.filter(|server| is_host(server)).into_iter().chain(PLATFORM);
    let missing: Vec<_> = hosts
        .filter(|host| !entries().any(|entry| is_exempt(entry.value, host)))
        .map(|host| format!("`{host}`"))
        .collect();
    if missing.is_empty() {
        return;
    }
    let missing = missing.join(", ");
    let problem = format!(
        "has no entry for {missing}: a node must reach the API server and the addresses of the Azure platform without \
         the proxy"
    );
    let finding = Finding::violation(&rules::PROXY_BYPASS, at(field!("http_proxy_config.no_proxy_entries")), problem);
    findings.push(finding.hint(format!("add {missing}")));
}

/// Reports whether an entry exempts a host from the proxy, as Go's `httpproxy` and curl interpret it: `*`, an address,
/// a range, or a domain and everything below it, each with an optional dot or `*.` before it.
fn is_exempt(entry: &str, host: &str) -> bool {
    let entry = entry.trim().to_ascii_lowercase();
    let host = host.to_ascii_lowercase();
    if entry == "*" || entry == host || contains(&entry, &host) {
        return true;
    }
    let domain = entry.strip_prefix('*').unwrap_or(&entry).trim_start_matches('.');
    !domain.is_empty() && host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_hosts_domains_addresses_and_ranges() {
        let host = "demo.hcp.westeurope.azmk8s.io";
        for (entry, host, expected) in [
            ("demo.hcp.westeurope.azmk8s.io", host, true),
            ("DEMO.hcp.westeurope.azmk8s.io", host, true),
            (".azmk8s.io", host, true),
            ("azmk8s.io", host, true),
            ("*.azmk8s.io", host, true),
            ("*", host, true),
            ("mk8s.io", host, false),
            ("other.hcp.westeurope.azmk8s.io", host, false),
            ("169.254.0.0/16", "169.254.169.254", true),
            ("10.0.0.0/8", "169.254.169.254", false),
            ("", host, false),
        ] {
            assert_eq!(is_exempt(entry, host), expected, "{entry}");
        }
    }
}
