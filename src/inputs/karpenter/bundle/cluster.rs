//! Facts about the cluster, from every document that can have them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::settings::Texts;
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
