//! Facts for the checks, from the files of the node.

use std::path::PathBuf;

use crate::Secret;
use crate::catalogue::paths;
use crate::configuration::Configuration;
use crate::document::LARGEST_DOCUMENT;
use crate::inspection::CommandAssignments;
use crate::node::Machine;

/// The certificate of the cluster CA.
pub(super) const AUTHORITY: &str = "/etc/kubernetes/certs/ca.crt";
/// The kubelet's certificate, or a link to it.
const CERTIFICATE: &str = "/var/lib/kubelet/pki/kubelet-client-current.pem";
/// Files that set a proxy for programs.
const PROXY_FILES: [&str; 2] = ["/etc/environment", "/etc/systemd/system.conf.d/proxy.conf"];
/// The default registry.
const REGISTRY: &str = "mcr.microsoft.com";

/// Facts about the node.
#[derive(Debug)]
pub(super) struct Facts {
    pub machine: Machine,
    /// The name or the address of the API server, and its port.
    pub server: Option<(String, u16)>,
    /// The file with the certificate of the cluster CA, if it exists.
    pub authority: Option<PathBuf>,
    /// The bootstrap token. Only for [`Facts::server`], and only on this machine.
    pub token: Option<Secret<'static>>,
    /// Whether the kubelet has its own kubeconfig, so that it no longer needs a token.
    pub has_kubeconfig: bool,
    /// Why files with secrets cannot be read.
    pub denied: Option<String>,
    /// The path of the kubelet's certificate.
    pub certificate: Option<String>,
    /// The URL of the proxy, which can contain credentials.
    pub proxy: Option<Secret<'static>>,
    /// The registry, and whether it belongs to the cluster.
    pub registry: (String, bool),
}

impl Facts {
    pub fn of(machine: &Machine) -> Self {
        let mut denied = None;
        let mut read = |path: &str| match machine.read(path, LARGEST_DOCUMENT as u64) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) => {
                if error.kind() == std::io::ErrorKind::PermissionDenied {
                    denied = Some(format!("{path} cannot be read; run as root"));
                }
                None
            }
        };
        let bootstrap = read(paths::BOOTSTRAP_KUBECONFIG);
        let own = read(paths::KUBECONFIG);
        let configuration = read(paths::CONFIGURATION)
            .and_then(|text| Configuration::from_document(text.as_bytes()).ok())
            .map(|decoded| decoded.configuration);
        let command = read(paths::COMMAND).map(|text| CommandAssignments::scan(&text));
        let variable = |name: &str| {
            let command = command.as_ref()?;
            let found = command.executed().find(|(other, value)| *other == name && !value.is_empty());
            found.map(|(_, value)| value.expose().to_owned())
        };
        let of_configuration = |get: fn(&Configuration) -> Option<&str>| {
            configuration.as_ref().and_then(get).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let of_kubeconfig = |text: &Option<String>| endpoint(&value(text.as_deref()?, "server")?);
        let (of_bootstrap, of_own) = (of_kubeconfig(&bootstrap), of_kubeconfig(&own));
        // A token is only for the server that is named beside it.
        let token = bootstrap.as_deref().filter(|_| of_bootstrap.is_some() && !machine.is_foreign());
        let token = token.and_then(|text| value(text, "token"));
        let server = of_bootstrap.or(of_own).or_else(|| {
            let name =
                of_configuration(|configuration| Some(&configuration.api_server_config.as_ref()?.api_server_name));
            Some((name.or_else(|| variable("API_SERVER_NAME"))?, 443))
        });
        let authority = [&bootstrap, &own].into_iter().flatten().find_map(|text| value(text, "certificate-authority"));
        let authority = machine.location(authority.as_deref().unwrap_or(AUTHORITY));
        let certificate = own.as_deref().and_then(|text| value(text, "client-certificate"));
        let certificate = certificate.unwrap_or_else(|| CERTIFICATE.to_owned());
        let is_file = |path: &PathBuf| path.is_file();
        let certificate = machine.location(&certificate).filter(is_file).map(|_| certificate);
        let proxy = of_configuration(|configuration| {
            let proxy = configuration.http_proxy_config.as_ref()?;
            Some(if proxy.https_proxy.is_empty() { &proxy.http_proxy } else { &proxy.https_proxy })
        });
        let proxy = proxy.or_else(|| PROXY_FILES.iter().find_map(|path| proxy_of(&read(path)?)));
        let registry =
            of_configuration(|configuration| Some(&configuration.bootstrap_profile_container_registry_server));
        let registry = registry.or_else(|| variable("BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER"));
        Self {
            machine: machine.clone(),
            server,
            authority: authority.filter(is_file),
            token: token.map(Secret::from),
            has_kubeconfig: own.is_some(),
            denied,
            certificate,
            proxy: proxy.map(Secret::from),
            registry: registry.map_or_else(|| (REGISTRY.to_owned(), false), |name| (name, true)),
        }
    }
}

/// Returns the value of a line `NAME: VALUE` of a kubeconfig, which has one value per line.
pub(super) fn value(text: &str, name: &str) -> Option<String> {
    let line = |line: &str| {
        let rest = line.trim().trim_start_matches("- ").strip_prefix(name)?.trim_start().strip_prefix(':')?.trim();
        let plain = rest.trim_matches(['"', '\'']);
        (!plain.is_empty()).then(|| plain.to_owned())
    };
    text.lines().find_map(line)
}

/// Returns host and port of a URL.
pub(super) fn endpoint(url: &str) -> Option<(String, u16)> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("https", url));
    let host = rest.split(['/', '?', '#']).next()?;
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let default = if scheme == "http" { 80 } else { 443 };
    // `[fd00::1]:443`
    if let Some((address, port)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return Some((
            address.to_owned(),
            port.strip_prefix(':').and_then(|port| port.parse().ok()).unwrap_or(default),
        ));
    }
    match host.split_once(':') {
        Some((name, port)) => Some((name.to_owned(), port.parse().ok()?)),
        None => (!host.is_empty()).then(|| (host.to_owned(), default)),
    }
}

/// Returns the proxy in a file of environment variables, preferably the one for HTTPS.
fn proxy_of(text: &str) -> Option<String> {
    ["https_proxy=", "http_proxy="].iter().find_map(|name| {
        let lower = text.to_ascii_lowercase();
        let at = lower.find(name)? + name.len();
        let rest = text[at..].trim_start_matches(['"', '\'']);
        let end = rest
            .find(|character: char| character.is_whitespace() || character == '"' || character == '\'')
            .unwrap_or(rest.len());
        (end > 0).then(|| rest[..end].to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_and_port_of_every_form_of_a_url_are_found() {
        for (url, expected) in [
            ("https://demo.hcp.westeurope.azmk8s.io:443", Some(("demo.hcp.westeurope.azmk8s.io", 443))),
            ("https://10.0.0.1/", Some(("10.0.0.1", 443))),
            ("http://user:pass@proxy:3128/", Some(("proxy", 3128))),
            ("https://[fd00::1]:6443", Some(("fd00::1", 6443))),
            ("proxy", Some(("proxy", 443))),
            ("https://", None),
            ("https://host:port", None),
        ] {
            let found = endpoint(url);
            assert_eq!(found.as_ref().map(|(host, port)| (host.as_str(), *port)), expected, "{url}");
        }
    }
}
