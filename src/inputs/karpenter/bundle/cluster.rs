//! Facts about the cluster, from every document that can have them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Bundle;
use super::kind::Kind;
use super::place::{Found, Place};
use super::settings::{At, Given, Texts, setting};
use crate::Secret;
use crate::document::{ParsedTree, Tree};
use crate::inputs::karpenter::convert::host;
use crate::inputs::karpenter::objects::Cluster;

/// Returns what the `ConfigMap`s `kube-root-ca.crt` and `cluster-info` say about the cluster.
pub(super) fn of_config_map(texts: &Texts) -> Option<Cluster> {
    let entry = |name: &str| texts.entries.iter().find(|(known, ..)| known == name).map(|(_, value, _)| value.expose());
    if let Some(pem) = entry("ca.crt").filter(|pem| pem.contains("BEGIN CERTIFICATE")) {
        let bundle = STANDARD.encode(format!("{}\n", pem.trim_end()));
        return Some(Cluster { ca_bundle: Some(bundle), ..Cluster::default() });
    }
    let (cluster, _) = Cluster::from_document(entry("kubeconfig")?.as_bytes()).ok()?;
    Some(cluster)
}

impl Bundle {
    /// Adds what `az aks show` and `az account show` say: facts of the cluster, and the tenant, which the controller's Deployment does not have,
    /// because a webhook sets it in the pod.
    pub(super) fn read_azure(
        &mut self,
        kind: &Kind,
        tree: &ParsedTree<'_>,
        place: &Place,
        option: Option<&'static str>,
    ) {
        let is_account = *kind == Kind::Account;
        let text = |names: &[&str]| text_of_azure(tree, names).unwrap_or_default().to_owned();
        let (tenant, subscription) = if is_account {
            (text(&["tenantId"]), text(&["id"]))
        } else {
            let id = text(&["id"]);
            let subscription = id.strip_prefix("/subscriptions/").and_then(|rest| rest.split('/').next());
            (text(&["identity", "tenantId"]), subscription.unwrap_or_default().to_owned())
        };
        let source = if is_account { "`az account show`" } else { "`az aks show`" };
        for (name, value) in [("AZURE_TENANT_ID", tenant), ("AZURE_SUBSCRIPTION_ID", subscription)] {
            let Some(setting) = setting(name).filter(|_| !value.is_empty()) else { continue };
            let (value, source, at) = (Secret::from(value), source.to_owned(), At::Place(place.clone()));
            self.given.push(Given { setting, value, source, at, option, is_weak: true });
        }
        if is_account {
            return;
        }
        let profile = ["apiServerAccessProfile", "enablePrivateCluster"];
        let is_private = matches!(member_of_azure(tree, &profile), Some(Tree::Bool(true)));
        let (first, other) = if is_private { ("privateFqdn", "fqdn") } else { ("fqdn", "privateFqdn") };
        let name = text_of_azure(tree, &[first]).or_else(|| text_of_azure(tree, &[other]));
        let value = Cluster {
            kubernetes_version: text(&["currentKubernetesVersion"]),
            endpoint: name.map(|name| format!("https://{name}:443")).unwrap_or_default(),
            dns_service_ip: text(&["networkProfile", "dnsServiceIp"]),
            ..Cluster::default()
        };
        self.clusters.push(Found { value, place: place.clone(), option });
    }
}

/// Reports whether `az` uses a subscription if none is named. A list has all subscriptions, and `az account show` prints the requested one,
/// whether it is the default or not.
pub(super) fn is_default_account(tree: &ParsedTree<'_>) -> bool {
    !matches!(member_of_azure(tree, &["isDefault"]), Some(Tree::Bool(false)))
}

/// Returns a member by the path of its names, in any letter case. The REST API has most of them in `properties`.
fn member_of_azure<'t>(tree: &'t ParsedTree<'t>, names: &[&str]) -> Option<&'t ParsedTree<'t>> {
    let find = |tree: &'t ParsedTree<'t>, name: &str| {
        let Tree::Map(members) = tree else { return None };
        let (_, value) = members.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(value)
    };
    let path = |start| names.iter().try_fold(start, |tree, name| find(tree, name));
    path(tree).or_else(|| path(find(tree, "properties")?))
}

fn text_of_azure<'t>(tree: &'t ParsedTree<'t>, names: &[&str]) -> Option<&'t str> {
    match member_of_azure(tree, names)? {
        Tree::Text(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// Reports whether two URLs can be of one API server. A private cluster has two names, and inside a cluster it has others.
pub(super) fn is_same_server(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|url| host(url).to_ascii_lowercase());
    let is_local = |host: &str| {
        host.parse::<std::net::IpAddr>().is_ok()
            || ["", "localhost", "kubernetes", "kubernetes.default"].contains(&host)
            || host.contains(".svc")
            || host.starts_with("kubernetes.default.")
    };
    // The first part ends with text that is different for the two names.
    let stem = |host: &str| {
        let first = host.split('.').next().unwrap_or_default().to_owned();
        first.rsplit_once('-').map_or(first.clone(), |(stem, _)| stem.to_owned())
    };
    let is_private = |host: &str| host.contains(".privatelink.");
    one == other
        || is_local(&one)
        || is_local(&other)
        || (is_private(&one) != is_private(&other) && stem(&one) == stem(&other))
}
