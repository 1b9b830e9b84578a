//! Whether the machine has become a node: kubelet's client certificate, and the node object of the cluster, which is read with it.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::facts::{AUTHORITY, endpoint, resolved, value};
use super::server::{Body, Failure, now, quoted, request_within, shown};
use super::{Facts, LIMIT, failed, not_checked, ok, warning};
use crate::catalogue::paths;
use crate::configuration::{certificate_name, certificate_validity};
use crate::diagnosis::Check;
use crate::document::LARGEST_DOCUMENT;
use crate::explain::presentable;
use crate::node::{Machine, files};

/// Bytes of a node object that are read. etcd takes no larger ones.
const LARGEST_NODE: u64 = 2 << 20;

/// What the common name of a node's certificate begins with.
/// <https://kubernetes.io/docs/reference/access-authn-authz/node/>
const NODE_USER: &str = "system:node:";

/// The variable with the flags of kubelet in [`paths::KUBELET_DEFAULTS`].
const NAME_FLAG: &str = "--hostname-override=";

/// The status of a condition, with the words of Kubernetes.
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

/// How far the machine is on its way to be a node of its cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::node) struct Readiness {
    /// Whether kubelet has a client certificate that is valid.
    pub certificate: Status,
    /// The condition `Ready` of the node object. `Unknown` if it cannot be read.
    pub node: Status,
    /// The name of the node. Empty if it is not known.
    pub name: String,
    /// Since when the condition is as it is, by the clock of the cluster.
    pub since: Option<String>,
    /// Why the node is not Ready. Empty if it is. Without control characters, on one line.
    pub reason: String,
}

/// Who kubelet is to the API server.
struct Identity {
    url: String,
    options: Vec<String>,
}

impl Readiness {
    /// Looks at the files of kubelet and asks the API server, for at most `limit`.
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
            found.reason = presentable(&reason);
        }
        found
    }

    /// Returns the members of `Ready` in a result document. All values are text, as the others of the document are.
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
        let text = match files::read_regular(&kubeconfig, LARGEST_DOCUMENT as u64) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                self.certificate = Status::False;
                return Err("kubelet has no client certificate yet".to_owned());
            }
            Err(error) => return Err(format!("{}: {error}", kubeconfig.display())),
        };
        let file = |name: &str| -> Option<PathBuf> {
            let path = machine.path(&value(&text, name)?);
            [path.clone(), resolved(machine, &path)].into_iter().find(|path| path.is_file())
        };
        let Some(certificate) = file("client-certificate") else {
            self.certificate = Status::False;
            return Err("the certificate that the kubeconfig of kubelet names does not exist".to_owned());
        };
        let pem = fs::read_to_string(&certificate).map_err(|error| format!("{}: {error}", certificate.display()))?;
        self.certificate = Status::False;
        let Some((not_before, not_after)) = certificate_validity(&pem) else {
            return Err(format!("{} has no certificate that can be read", certificate.display()));
        };
        if not_after <= now() {
            return Err(format!("the client certificate of kubelet expired on {}", shown(not_after)));
        }
        if now() < not_before {
            return Err(format!("the client certificate of kubelet is not valid before {}", shown(not_before)));
        }
        self.certificate = Status::True;
        if let Some(name) = certificate_name(&pem).as_deref().and_then(|name| name.strip_prefix(NODE_USER)) {
            name.clone_into(&mut self.name);
        }
        let server = value(&text, "server").and_then(|url| endpoint(&url));
        let Some((host, port)) = server else {
            return Err("the kubeconfig of kubelet names no API server".to_owned());
        };
        // A name of a node is one of a host: nothing of it has a meaning in a URL.
        if self.name.is_empty() || !self.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
        {
            return Err("the name of the node is not known".to_owned());
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

    /// Asks the API server for the node object.
    fn ask(&mut self, identity: &Identity, limit: Duration) -> Result<Value, String> {
        let answer = request_within(limit, &identity.url, &identity.options, Body::Kept(LARGEST_NODE));
        match answer {
            Ok(answer) if answer.status == 200 => serde_json::from_str(&answer.body)
                .map_err(|error| format!("the API server's answer is not a node object: {error}")),
            Ok(answer) if answer.status == 404 => {
                self.node = Status::False;
                Err(format!("the cluster has no node {}: kubelet has not registered it", self.name))
            }
            Ok(answer) if answer.status == 401 => {
                Err("the API server rejects the client certificate of kubelet (401)".to_owned())
            }
            Ok(answer) => Err(format!("the API server answers {} for node {}", answer.status, self.name)),
            Err(Failure::NoCurl(why)) => Err(format!("the API server cannot be asked: {why}")),
            Err(Failure::Curl(_, message)) => Err(format!("the API server does not answer: {message}")),
        }
    }

    /// Reads the condition `Ready` of a node object.
    fn read(&mut self, machine: &Machine, node: &Value) -> Result<(), String> {
        let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        self.node = Status::False;
        // A machine that was reimaged has the name of the one before, whose node may still count as Ready.
        let (boot, ours) = (text(&node["status"]["nodeInfo"], "bootID"), machine.boot_id());
        if !boot.is_empty() && !ours.is_empty() && boot != ours {
            return Err(format!("node {} is of another boot: kubelet has not reported since this one", self.name));
        }
        let conditions = node["status"]["conditions"].as_array();
        let ready = conditions.into_iter().flatten().find(|condition| condition["type"] == "Ready");
        let Some(ready) = ready else {
            return Err(format!("kubelet has not reported the state of node {}", self.name));
        };
        let since = text(ready, "lastTransitionTime");
        self.since = (!since.is_empty()).then(|| presentable(&since));
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

/// Returns the name that kubelet gives to its node without a certificate: the flag for it, else that of the host, in lower case.
fn name_by_host(machine: &Machine) -> String {
    let defaults = files::read_regular(&machine.path(paths::KUBELET_DEFAULTS), LARGEST_DOCUMENT as u64);
    let defaults = String::from_utf8_lossy(&defaults.unwrap_or_default()).into_owned();
    let words = defaults.split(|character: char| character.is_whitespace() || character == '"' || character == '\'');
    let name = words.filter_map(|word| word.strip_prefix(NAME_FLAG)).next_back().map(str::to_owned);
    name.or_else(|| machine.host_name()).unwrap_or_default().trim().to_ascii_lowercase()
}

/// Checks that the cluster has the machine as a node that is Ready.
pub(super) fn node(facts: &Facts) -> Check {
    const NAME: &str = "node";
    let found = Readiness::of(&facts.machine, LIMIT);
    let since = found.since.as_deref().map(|since| format!(" since {since}")).unwrap_or_default();
    match (found.certificate, found.node) {
        (_, Status::True) => ok(NAME, format!("{} is Ready{since}", found.name)),
        (Status::True, Status::False) => failed(
            NAME,
            format!("is not Ready{since}: {}", found.reason),
            "read the lines of kubelet: journalctl --unit=kubelet --boot --no-pager --lines=50; a node without a network plugin is never Ready",
        ),
        (Status::True, Status::Unknown) => {
            warning(NAME, found.reason, "look at the other checks of the API server first")
        }
        _ => not_checked(NAME, found.reason),
    }
}
