//! Checks whether the machine has become a node: the kubelet's client certificate, and the node object of the cluster,
//! which is read with this certificate.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::facts::{AUTHORITY, endpoint, value};
use super::server::{Body, Failure, now, quoted, request_within, shown};
use super::{FOREIGN, Facts, LIMIT, failed, not_checked, ok, warning};
use crate::catalogue::paths;
use crate::configuration::{certificate_name, certificate_validity};
use crate::diagnosis::Check;
use crate::document::LARGEST_DOCUMENT;
use crate::node::{Machine, files};
use crate::redaction::presentable;

/// The most bytes of a node object that are read. etcd accepts no larger ones.
const LARGEST_NODE: u64 = 2 << 20;

/// The prefix of the common name in a node's certificate.
/// <https://kubernetes.io/docs/reference/access-authn-authz/node/>
const NODE_USER: &str = "system:node:";

/// The variable with the kubelet's flags in [`paths::KUBELET_DEFAULTS`].
const NAME_FLAG: &str = "--hostname-override=";

/// The status of a condition, in the words of Kubernetes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::node) enum Status {
    True,
    False,
    Unknown,
}

impl Status {
    pub const fn name(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
        }
    }
}

/// How far the machine has become a node of its cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::node) struct Readiness {
    /// Whether the kubelet has a valid client certificate.
    pub certificate: Status,
    /// The condition `Ready` of the node object. `Unknown` if it cannot be read.
    pub node: Status,
    /// The name of the node. Empty if it is unknown.
    pub name: String,
    /// When the condition last changed, by the clock of the cluster.
    pub since: Option<String>,
    /// Why the node is not Ready, on one line without control characters. Empty if it is Ready.
    pub reason: String,
}

/// The kubelet's identity for the API server.
struct Identity {
    url: String,
    options: Vec<String>,
}

impl Readiness {
    /// Reads the kubelet's files and queries the API server, for at most `limit`.
    pub fn of(machine: &Machine, limit: Duration) -> Self {
        let mut found = Self {
            certificate: Status::Unknown,
            node: Status::Unknown,
            name: name_by_host(machine),
            since: None,
            reason: String::new(),
        };
        let identity = found.identity(machine);
        let node = identity.and_then(|identity| found.ask(&identity, limit.min(LIMIT)));
        let seen = node.and_then(|node| found.read(machine, &node));
        if let Err(reason) = seen {
            found.reason = presentable(&reason).into_string();
        }
        found
    }

    /// Returns the members of `Ready` in a result document. All values are strings, like the others of the document.
    pub fn members(&self, waited: Duration) -> Vec<(&'static str, String)> {
        let members = [
            ("Certificate", self.certificate.name().to_owned()),
            ("Node", self.node.name().to_owned()),
            ("Name", self.name.clone()),
            ("Since", self.since.clone().unwrap_or_default()),
            ("Seconds", waited.as_secs().to_string()),
            ("Reason", self.reason.clone()),
        ];
        members.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }

    /// Reports whether the node is Ready.
    pub fn is_ready(&self) -> bool {
        self.node == Status::True
    }

    /// Returns the certificate and the address that the kubeconfig names.
    fn identity(&mut self, machine: &Machine) -> Result<Identity, String> {
        let kubeconfig = machine.path(paths::KUBECONFIG);
        let text = match machine.read(paths::KUBECONFIG, LARGEST_DOCUMENT as u64) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                self.certificate = Status::False;
                return Err("the kubelet has no client certificate yet".to_owned());
            }
            Err(error) => return Err(format!("{}: {error}", kubeconfig.display())),
        };
        let file =
            |name: &str| -> Option<PathBuf> { machine.location(&value(&text, name)?).filter(|path| path.is_file()) };
        let Some(certificate) = file("client-certificate") else {
            self.certificate = Status::False;
            return Err("the certificate in the kubelet's kubeconfig does not exist".to_owned());
        };
        let pem = files::read_regular(&certificate, LARGEST_DOCUMENT as u64)
            .map_err(|error| format!("{}: {error}", certificate.display()))?;
        let pem = String::from_utf8_lossy(&pem);
        self.certificate = Status::False;
        let Some((not_before, not_after)) = certificate_validity(&pem) else {
            return Err(format!("{} contains no readable certificate", certificate.display()));
        };
        if not_after <= now() {
            return Err(format!("the kubelet's client certificate expired on {}", shown(not_after)));
        }
        if now() < not_before {
            return Err(format!("the kubelet's client certificate is not valid before {}", shown(not_before)));
        }
        self.certificate = Status::True;
        if let Some(name) = certificate_name(&pem).as_deref().and_then(|name| name.strip_prefix(NODE_USER)) {
            name.clone_into(&mut self.name);
        }
        let server = value(&text, "server").and_then(|url| endpoint(&url));
        let Some((host, port)) = server else {
            return Err("the kubelet's kubeconfig names no API server".to_owned());
        };
        // The name of a node is a host name, so none of its characters has a meaning in a URL.
        if self.name.is_empty() || !self.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
        {
            return Err("the name of the node is unknown".to_owned());
        }
        let host = if host.contains(':') { format!("[{host}]") } else { host };
        let authority = file("certificate-authority").unwrap_or_else(|| machine.path(AUTHORITY));
        let key = file("client-key").unwrap_or_else(|| certificate.clone());
        let line = |name: &str, path: &std::path::Path| format!("{name} = {}\n", quoted(&path.to_string_lossy()));
        Ok(Identity {
            url: format!("https://{host}:{port}/api/v1/nodes/{}", self.name),
            options: vec![
                "noproxy = \"*\"\n".to_owned(),
                line("cacert", &authority),
                line("cert", &certificate),
                line("key", &key),
            ],
        })
    }

    /// Requests the node object from the API server.
    fn ask(&mut self, identity: &Identity, limit: Duration) -> Result<Value, String> {
        let answer = request_within(limit, &identity.url, &identity.options, Body::Kept(LARGEST_NODE));
        match answer {
            Ok(answer) if answer.status == 200 => serde_json::from_str(&answer.body)
                .map_err(|error| format!("the API server's answer is not a node object: {error}")),
            Ok(answer) if answer.status == 404 => {
                self.node = Status::False;
                Err(format!("the cluster has no node {}: the kubelet has not registered it", self.name))
            }
            Ok(answer) if answer.status == 401 => {
                Err("the API server rejects the kubelet's client certificate (401)".to_owned())
            }
            Ok(answer) => Err(format!("the API server answers {} for node {}", answer.status, self.name)),
            Err(Failure::NoCurl(why)) => Err(format!("the API server cannot be queried: {why}")),
            Err(Failure::Curl(_, message)) => Err(format!("the API server does not answer: {message}")),
        }
    }

    /// Reads the `Ready` condition of a node object.
    fn read(&mut self, machine: &Machine, node: &Value) -> Result<(), String> {
        let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        self.node = Status::False;
        // A reimaged machine has the same name as before, and its old node object can still be Ready.
        let (boot, ours) = (text(&node["status"]["nodeInfo"], "bootID"), machine.boot_id());
        if !boot.is_empty() && !ours.is_empty() && boot != ours {
            return Err(format!(
                "node {} belongs to an earlier boot: the kubelet has not reported since this boot",
                self.name
            ));
        }
        let conditions = node["status"]["conditions"].as_array();
        let ready = conditions.into_iter().flatten().find(|condition| condition["type"] == "Ready");
        let Some(ready) = ready else {
            return Err(format!("the kubelet has not reported the state of node {}", self.name));
        };
        let since = text(ready, "lastTransitionTime");
        self.since = (!since.is_empty()).then(|| presentable(&since).into_string());
        self.node = match ready["status"].as_str() {
            Some("True") => Status::True,
            Some("False") => Status::False,
            _ => Status::Unknown,
        };
        if self.is_ready() {
            return Ok(());
        }
        Err(format!("{}: {}", text(ready, "reason"), text(ready, "message")))
    }
}

/// Returns the name that the kubelet gives its node without a certificate, in lower case: from its flag, else the host
/// name.
fn name_by_host(machine: &Machine) -> String {
    let defaults = machine.read(paths::KUBELET_DEFAULTS, LARGEST_DOCUMENT as u64);
    let defaults = String::from_utf8_lossy(&defaults.unwrap_or_default()).into_owned();
    let words = defaults.split(|character: char| character.is_whitespace() || character == '"' || character == '\'');
    let name = words.filter_map(|word| word.strip_prefix(NAME_FLAG)).next_back().map(str::to_owned);
    name.or_else(|| machine.host_name()).unwrap_or_default().trim().to_ascii_lowercase()
}

/// Checks that the machine is a Ready node of the cluster.
pub(super) fn node(facts: &Facts) -> Check {
    const NAME: &str = "node";
    if facts.machine.is_foreign() {
        return not_checked(NAME, FOREIGN);
    }
    let found = Readiness::of(&facts.machine, LIMIT);
    let since = found.since.as_deref().map(|since| format!(" since {since}")).unwrap_or_default();
    match (found.certificate, found.node) {
        (_, Status::True) => ok(NAME, format!("{} is Ready{since}", found.name)),
        (Status::True, Status::False) => failed(
            NAME,
            format!("is not Ready{since}: {}", found.reason),
            "read the kubelet's log: journalctl --unit=kubelet --boot --no-pager --lines=50; a node without a network \
             plugin is never Ready",
        ),
        (Status::True, Status::Unknown) => warning(NAME, found.reason, "see the other checks of the API server first"),
        _ => not_checked(NAME, found.reason),
    }
}
