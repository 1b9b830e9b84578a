//! Kubeconfigs, and the `ConfigMaps` and Secrets of bootstrapping.

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::document::{Read, authority, token, unused};
use super::forms::at;
use super::stream;
use crate::draft::state::{Draft, Given, Kubeconfig, Token, flag_path};
use crate::inputs::karpenter;

/// A kubeconfig: the cluster of the current context, or the only one.
pub(super) fn kubeconfig(document: &mut Read<'_>) {
    document.ignore(&["apiVersion", "kind", "contexts", "current-context"]);
    let origin = document.origin("clusters[].cluster");
    let clusters = document.elements("clusters");
    let named = |list: &str, name: &str| {
        let list = at(document.value, list)?.as_array()?;
        list.iter().find(|element| at(element, "name").and_then(Value::as_str) == Some(name)).cloned()
    };
    let current = at(document.value, "current-context").and_then(Value::as_str).filter(|name| !name.is_empty());
    let context = current.and_then(|name| named("contexts", name));
    let of_context = |path: &str| Some(at(context.as_ref()?, path)?.as_str()?.to_owned());
    let cluster = of_context("context.cluster");
    // That of a node before it has joined, as kubeadm and AKS write it.
    let user = of_context("context.user").and_then(|user| named("users", &user));
    let token = user.as_ref().and_then(|user| token(at(user, "user.token")?.as_str()?).ok());
    let contexts = contexts(document.value);
    let chosen = match (&cluster, clusters) {
        (Some(name), _) => named("clusters", name),
        (None, [only]) => Some(only.clone()),
        (None, []) => {
            document.draft.errors.push(format!("{origin}: there is no cluster"));
            return;
        }
        (None, _) => {
            let context = match current {
                Some(name) => format!("the current context `{name}` is not there"),
                None => "no current context".to_owned(),
            };
            let hint =
                format!("print one with `kubectl config view --raw --minify --context NAME`{}", names(document.value));
            let problem = format!("{origin}: there are several clusters and {context}: {hint}");
            if current.is_none() {
                let origin = document.origin.clone();
                let (clusters, current) = (clusters.to_vec(), Err(problem));
                let undecided = Kubeconfig { origin, clusters, contexts, current, token: None };
                document.draft.kubeconfigs.push(undecided);
            } else {
                document.draft.errors.push(problem);
            }
            return;
        }
    };
    if token.is_some() {
        document.ignore(&["users"]);
    }
    match (chosen, cluster) {
        // Other documents can name another of them.
        (Some(chosen), _) if clusters.len() > 1 => {
            let origin = document.origin.clone();
            let undecided = Kubeconfig { origin, clusters: clusters.to_vec(), contexts, current: Ok(chosen), token };
            document.draft.kubeconfigs.push(undecided);
        }
        (Some(chosen), _) => {
            add_token(document, token);
            add_user(document, &contexts, &chosen);
            cluster_of(document, &chosen, &origin);
        }
        (None, name) => {
            let name = name.unwrap_or_default();
            document.draft.errors.push(format!("{origin}: the cluster `{name}` of the current context is not there"));
        }
    }
}

/// Lists the contexts for a hint.
fn names(kubeconfig: &Value) -> String {
    let contexts = at(kubeconfig, "contexts").and_then(Value::as_array).into_iter().flatten();
    let names: Vec<_> = contexts.filter_map(|context| at(context, "name")?.as_str()).collect();
    if names.is_empty() { String::new() } else { format!("; contexts: {}", names.join(", ")) }
}

/// Returns the names of cluster and user of each context.
fn contexts(kubeconfig: &Value) -> Vec<(String, String)> {
    let contexts = at(kubeconfig, "contexts").and_then(Value::as_array).into_iter().flatten();
    let names = contexts.filter_map(|context| {
        let name = |path: &str| Some(at(context, path)?.as_str()?.to_owned());
        Some((name("context.cluster")?, name("context.user")?))
    });
    names.collect()
}

/// Keeps the user of the chosen cluster, whose name `az aks get-credentials` has made from those of the cluster and its resource group.
fn add_user(document: &mut Read<'_>, contexts: &[(String, String)], chosen: &Value) {
    let name = at(chosen, "name").and_then(Value::as_str).unwrap_or_default();
    let users = contexts.iter().filter(|(cluster, user)| cluster == name && cluster_of_user(user).is_some());
    let found = users.map(|(_, user)| (user.clone(), document.origin("contexts[].context.user")));
    let found: Vec<_> = found.collect();
    document.draft.hints.users.extend(found);
}

/// Returns the resource group and the name of the cluster, with `_` between, from a name of a user that AKS has made.
pub(in crate::draft) fn cluster_of_user(user: &str) -> Option<&str> {
    ["clusterUser_", "clusterAdmin_"].iter().find_map(|start| user.strip_prefix(start))
}

/// Adds the token of a user. A Secret also has the expiration of its token, so this counts least.
fn add_token(document: &mut Read<'_>, token: Option<String>) {
    let Some(token) = token else { return };
    let given = Given { value: token.into(), origin: document.origin("users[].user.token") };
    document.draft.base.entry("bootstrapping_config.tls_bootstrapping_token".to_owned()).or_insert(given);
}

/// Adds the cluster whose API server other documents name, from kubeconfigs with several clusters, else that of the current context.
pub(in crate::draft) fn choose_cluster(draft: &mut Draft) {
    for Kubeconfig { origin, clusters, contexts, current, token } in std::mem::take(&mut draft.kubeconfigs) {
        let named = draft.text("api_server_config.api_server_name");
        let known: Vec<_> = draft.hints.api_servers.iter().map(String::as_str).chain(named).collect();
        let is_known = |entry: &&Value| {
            let host = at(entry, "cluster.server").and_then(Value::as_str).and_then(host);
            host.is_some_and(|host| known.iter().any(|known| known.eq_ignore_ascii_case(host)))
        };
        let own = draft.hints.group.as_ref().zip(draft.hints.cluster.as_ref());
        let own = own.map(|(group, cluster)| format!("{group}_{cluster}"));
        let is_of_own = |user: &str| {
            cluster_of_user(user).zip(own.as_deref()).is_some_and(|(of, own)| of.eq_ignore_ascii_case(own))
        };
        let own: HashSet<&str> =
            contexts.iter().filter(|(_, user)| is_of_own(user)).map(|(cluster, _)| cluster.as_str()).collect();
        let is_own = |entry: &&Value| at(entry, "name").and_then(Value::as_str).is_some_and(|name| own.contains(name));
        let found: Vec<_> = clusters.iter().filter(is_known).collect();
        let of_user: Vec<_> = clusters.iter().filter(is_own).collect();
        let chosen = match (found.as_slice(), of_user.as_slice(), &current) {
            ([only], ..) | (_, [only], _) => *only,
            (.., Ok(current)) => current,
            (.., Err(problem)) => {
                draft.errors.push(problem.clone());
                continue;
            }
        };
        let is_current = current.as_ref() == Ok(chosen);
        if current.is_ok() && !is_current {
            let name = at(chosen, "name").and_then(Value::as_str).unwrap_or_default();
            let what =
                if found.len() == 1 { "has the API server in" } else { "has the name and the resource group of" };
            let problem = format!("which {what} the other files, instead of that of the current context");
            draft.dropped.push(format!("{origin}: the cluster `{name}` counts, {problem}"));
        }
        let mut document = Read { draft: &mut *draft, value: chosen, origin, used: Vec::new() };
        add_token(&mut document, token.filter(|_| is_current));
        add_user(&mut document, &contexts, chosen);
        let origin = document.origin("clusters[].cluster");
        cluster_of(&mut document, chosen, &origin);
    }
}

/// Adds API server and CA of an entry of `clusters`.
fn cluster_of(document: &mut Read<'_>, entry: &Value, origin: &str) {
    let server = at(entry, "cluster.server").and_then(Value::as_str).unwrap_or_default();
    if let Some(path) = path(server) {
        let problem =
            format!("has the path `{path}`, as a proxy before the API server has it: nodes connect without a path");
        let command = "az aks get-credentials -g GROUP -n CLUSTER --file -";
        document.draft.errors.push(format!("{origin}.server: {problem}; pass the output of `{command}`"));
        return;
    }
    if let Some(host) = host(server) {
        if let Some(port) = other_port(server).filter(|_| !is_tunnel(host)) {
            let problem = format!("has the port {port}: nodes connect to port 443");
            document.draft.dropped.push(format!("{origin}.server: {problem}"));
        }
        let path = "api_server_config.api_server_name";
        let is_other_name = document.draft.hints.api_servers.iter().any(|name| name.eq_ignore_ascii_case(host));
        if is_other_name {
            document.draft.fact(path, host, &format!("{origin}.server"));
        } else {
            document.draft.identity(path, host, &format!("{origin}.server"));
            document.draft.hints.api_servers.push(host.to_owned());
        }
    }
    let read = ["server", "certificate-authority-data", "certificate-authority", "extensions"].map(str::to_owned);
    let unread = at(entry, "cluster").map(|cluster| unused(cluster, &read)).unwrap_or_default();
    if !unread.is_empty() {
        let problem = "has members that a Configuration cannot represent";
        document.draft.dropped.push(format!("{origin}: {problem}: {unread}"));
    }
    match at(entry, "cluster.certificate-authority-data").and_then(Value::as_str) {
        Some("DATA+OMITTED") => {
            let problem = "the CA is left out: print it with `kubectl config view --raw`";
            document.draft.errors.push(format!("{origin}: {problem}"));
        }
        Some(text) => add_authority(document, text, &format!("{origin}.certificate-authority-data")),
        None if at(entry, "cluster.certificate-authority").is_some() => {
            let problem = "the CA is in another file: print it with `kubectl config view --raw --flatten`";
            document.draft.errors.push(format!("{origin}: {problem}"));
        }
        None => {}
    }
}

fn add_authority(document: &mut Read<'_>, text: &str, origin: &str) {
    match authority(text) {
        Ok(ca) => document.draft.identity("kubernetes_ca_cert", &ca, origin),
        Err(problem) => document.draft.errors.push(format!("{origin}: {problem}")),
    }
}

/// Returns the port of a URL that is not the one of nodes.
fn other_port(url: &str) -> Option<u16> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split('/').next().unwrap_or_default();
    let given = authority.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
    let port = given.or_else(|| scheme.eq_ignore_ascii_case("http").then_some(80))?;
    (port != 443).then_some(port)
}

/// Reports whether a host is this computer, about which there is a finding of its own.
fn is_tunnel(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.starts_with("127.") || host == "::1"
}

/// Returns the path of a URL, unless it is only a slash.
fn path(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let path = &rest[rest.find('/')?..];
    (!path.trim_matches('/').is_empty()).then_some(path)
}

/// Returns the host of a URL, unless it is empty.
fn host(url: &str) -> Option<&str> {
    Some(karpenter::host(url)).filter(|host| !host.is_empty())
}

/// A `ConfigMap`: `cluster-info`, `kubeadm-config` or `kube-root-ca.crt`.
pub(super) fn config_map(document: &mut Read<'_>) {
    document.ignore(&["apiVersion", "kind", "metadata", "data"]);
    let name = document.text("metadata.name").unwrap_or_default().to_owned();
    let mut is_known = false;
    if let Some(text) = document.member("data").and_then(|data| data.get("ca.crt")).and_then(Value::as_str) {
        let origin = document.origin("data[\"ca.crt\"]");
        add_authority(document, text, &origin);
        is_known = true;
    }
    for (key, read) in [("kubeconfig", kubeconfig as fn(&mut Read<'_>)), ("ClusterConfiguration", kubeadm)] {
        let Some(text) = document.member(&format!("data.{key}")).and_then(Value::as_str) else { continue };
        is_known = true;
        let end = stream::documents(text.as_bytes(), |inner| {
            let origin = format!("{}: data.{key}", document.origin);
            let mut inner = Read { draft: &mut *document.draft, value: &inner.value, origin, used: Vec::new() };
            read(&mut inner);
        });
        if let Err(broken) = end {
            let place = broken.place(&document.origin(&format!("data.{key}")));
            document.draft.errors.push(format!("{place}: {}", broken.problem));
        }
    }
    if is_known {
        document.draft.has_related.push("ConfigMap");
        return;
    }
    let wanted = "`cluster-info`, `kubeadm-config` or `kube-root-ca.crt`";
    let problem = format!("the ConfigMap `{name}` has no data about the cluster: pass {wanted}");
    document.draft.unrelated.push(("ConfigMap", format!("{}: {problem}", document.origin)));
}

/// kubeadm's `ClusterConfiguration`.
pub(super) fn kubeadm(document: &mut Read<'_>) {
    document.ignore(&["apiVersion", "kind"]);
    if let Some(version) = document.text("kubernetesVersion") {
        document.put("kubernetes_version", version.trim_start_matches('v'), "kubernetesVersion");
    }
    if let Some(host) = document.text("controlPlaneEndpoint").and_then(host) {
        // A kubeconfig can name the same server otherwise, so this counts least.
        let given = Given { value: host.into(), origin: document.origin("controlPlaneEndpoint") };
        document.draft.base.entry("api_server_config.api_server_name".to_owned()).or_insert(given);
    }
    if let Some(domain) = document.text("networking.dnsDomain") {
        document.put(&flag_path("--cluster-domain"), domain, "networking.dnsDomain");
    }
    if let Some(address) = document.text("networking.serviceSubnet").and_then(tenth_address) {
        let origin = document.origin("networking.serviceSubnet");
        document.draft.fact(
            &flag_path("--cluster-dns"),
            address,
            &format!("{origin}, whose tenth address is the DNS service"),
        );
    }
}

/// Returns the tenth address of a range, which kubeadm gives to the DNS service.
fn tenth_address(ranges: &str) -> Option<String> {
    let (address, _) = ranges.split(',').next()?.split_once('/')?;
    let address: std::net::Ipv4Addr = address.parse().ok()?;
    Some(std::net::Ipv4Addr::from(u32::from(address).checked_add(10)?).to_string())
}

/// The Secret of a bootstrap token.
pub(super) fn secret(document: &mut Read<'_>) {
    document.ignore(&["apiVersion", "kind", "metadata", "data", "stringData", "type"]);
    let Some(kind) = document.text("type") else {
        let problem = "is a Secret without `type`: it is truncated, or no output of `kubectl get secret -o yaml`";
        document.draft.errors.push(format!("{}: {problem}", document.origin));
        return;
    };
    if kind != "bootstrap.kubernetes.io/token" {
        let command = "kubectl -n kube-system get secrets --field-selector type=bootstrap.kubernetes.io/token -o yaml";
        let problem =
            format!("is a Secret of type `{kind}`, not `bootstrap.kubernetes.io/token`, which `{command}` prints");
        document.draft.unrelated.push(("Secret", format!("{}: {problem}", document.origin)));
        return;
    }
    let namespace = document.text("metadata.namespace").filter(|namespace| *namespace != "kube-system");
    let name = document.text("metadata.name").map(str::to_owned);
    let elsewhere = namespace.map(|namespace| {
        format!("is in the namespace `{namespace}`: the API server only accepts tokens from Secrets in `kube-system`")
    });
    let mut data = |key: &str| {
        let plain = document.text(&format!("stringData.{key}")).map(str::to_owned);
        plain.or_else(|| {
            let bytes = STANDARD.decode(document.text(&format!("data.{key}"))?).ok()?;
            String::from_utf8(bytes).ok()
        })
    };
    let (id, secret, expiration) = (data("token-id"), data("token-secret"), data("expiration"));
    let usage = data("usage-bootstrap-authentication");
    let can_sign_in = usage.as_ref().is_none_or(|text| text.trim() == "true");
    let id = id.unwrap_or_default();
    let is_named = name.is_none_or(|name| name.strip_prefix("bootstrap-token-") == Some(&*id));
    let misnamed = (!is_named).then(|| {
        "has another name than `bootstrap-token-` and the id of its token: the API server does not find it".to_owned()
    });
    let whole = format!("{id}.{}", secret.unwrap_or_default());
    let mut origin = document.origin("data");
    if let Some(expiration) = &expiration {
        origin.push_str("\nexpires ");
        origin.push_str(expiration.trim());
    }
    if let Ok(token) = token(&whole) {
        if usage.is_none() {
            let problem =
                "has no `usage-bootstrap-authentication`: the API server accepts the token only if it is `true`";
            document.draft.dropped.push(format!("{}: {problem}", document.origin));
        }
        for problem in [elsewhere, misnamed].into_iter().flatten() {
            document.draft.dropped.push(format!("{}: {problem}", document.origin));
        }
        let expiration = expiration.map(|text| text.trim().to_owned());
        document.draft.tokens.push(Token { text: token, expiration, can_sign_in, origin });
        document.draft.has_related.push("Secret");
    } else {
        let problem = "has no `token-id` and `token-secret` of a bootstrap token";
        document.draft.errors.push(format!("{}: {problem}", document.origin));
    }
}
