//! From Kubernetes objects and the controller's settings to the bootstrapper's inputs.

use std::collections::BTreeMap;

use super::derived::Subnet;
use super::labels::labels;
use super::launch_template::{self, Image, NoImage, Size, SizeName, Storage, Versions};
use super::objects::{Cluster, InstanceType, NodeClaim, NodeClass, Settings};
use super::{BootstrapInputs, KubeletConfig, Taint};
use crate::catalogue::gpu;
use crate::catalogue::local_dns::DEFAULT_CLUSTER_DNS;
use crate::document::{DocPath, Finding, Problem, Step};

/// Everything that a node follows from.
#[derive(Clone, Debug)]
pub struct Objects {
    /// The claim, or a pool's template.
    pub claim: NodeClaim,
    /// Its class.
    pub class: NodeClass,
    /// The controller's settings.
    pub settings: Settings,
    /// What the controller reads from the running cluster.
    pub cluster: Cluster,
    /// The facts of the VM size.
    pub instance_type: InstanceType,
}

/// Where a field of the inputs came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The field.
    pub field: &'static str,
    /// Its source, in words.
    pub source: &'static str,
}

/// The inputs, with what is to be said about them.
#[derive(Clone, Debug)]
pub struct Converted {
    /// For the script.
    pub inputs: BootstrapInputs,
    /// Where each field came from.
    pub provenance: Vec<Provenance>,
    /// Warnings and errors, each with the name of the object that it is about.
    pub findings: Vec<(&'static str, Finding)>,
}

const PROVENANCE: &[(&str, &str)] = &[
    ("arch", "instance type: CpuArchitectureType"),
    ("tenant_id", "settings: AZURE_TENANT_ID, else ARM_TENANT_ID"),
    ("subscription_id", "settings: AZURE_SUBSCRIPTION_ID, else ARM_SUBSCRIPTION_ID"),
    ("kubelet_identity_client_id", "settings: KUBELET_IDENTITY_CLIENT_ID"),
    ("location", "settings: LOCATION"),
    ("resource_group", "settings: AZURE_NODE_RESOURCE_GROUP"),
    ("cluster_name", "settings: CLUSTER_NAME"),
    ("cluster_endpoint", "settings: CLUSTER_ENDPOINT"),
    ("network_security_group_name", "cluster: network_security_group_name"),
    ("route_table_name", "computed: the eight digits in the network security group's name"),
    ("api_server_name", "computed: the host of CLUSTER_ENDPOINT"),
    ("kubelet_client_tls_bootstrap_token", "settings: KUBELET_BOOTSTRAP_TOKEN"),
    ("network_plugin", "computed: NETWORK_PLUGIN, NETWORK_PLUGIN_MODE, NETWORK_DATAPLANE"),
    ("network_policy", "settings: NETWORK_POLICY"),
    ("kubernetes_version", "node class: status.kubernetesVersion, else cluster: kubernetes_version"),
    ("kubelet_config", "node class: spec.kubelet and spec.maxPods; computed: reserved resources, eviction, DNS"),
    ("taints", "node claim: spec.taints, spec.startupTaints; computed: karpenter.sh/unregistered"),
    ("labels", "computed, node claim, its requirements, instance type, in this order"),
    ("ca_bundle", "cluster: ca_bundle, or certificate-authority-data of the kubeconfig"),
    ("gpu_node", "instance type: name"),
    ("gpu_driver_installation_enabled", "node class: spec.gpu.mode"),
    ("gpu_driver_version", "instance type: name"),
    ("gpu_driver_type", "instance type: name"),
    ("gpu_image_sha", "instance type: name"),
    ("subnet_id", "node class: spec.vnetSubnetID, else settings: VNET_SUBNET_ID"),
];

/// Applies the rules of Karpenter's provider.
#[must_use]
pub fn convert(objects: &Objects) -> Converted {
    let Objects { claim, class, settings, cluster, instance_type } = objects;
    let size = &instance_type.size;
    let version = class.kubernetes_version.clone().unwrap_or_else(|| cluster.kubernetes_version.clone());
    let version = version.strip_prefix('v').unwrap_or(&version).to_owned();
    let guid = match settings.get("VNET_GUID") {
        "" => &cluster.vnet_guid,
        guid => guid,
    };
    let folded = size.name.to_lowercase();
    let driver = gpu::driver(&folded);
    let image = gpu::DRIVER_IMAGES.iter().find(|image| image.repository == driver.repository);
    // Here the version of the oldest driver goes without the prefix that it has elsewhere.
    let fixed = driver.fixed_version.map(|version| version.trim_start_matches("cuda-"));
    let inputs = BootstrapInputs {
        arch: if size.architecture() == Some("arm64") { "arm64" } else { "amd64" }.to_owned(),
        tenant_id: settings.tenant().to_owned(),
        subscription_id: settings.subscription().to_owned(),
        kubelet_identity_client_id: settings.get("KUBELET_IDENTITY_CLIENT_ID").to_owned(),
        location: settings.get("LOCATION").trim().to_owned(),
        resource_group: settings.get("AZURE_NODE_RESOURCE_GROUP").to_owned(),
        cluster_name: settings.get("CLUSTER_NAME").to_owned(),
        cluster_endpoint: settings.get("CLUSTER_ENDPOINT").to_owned(),
        network_security_group_name: cluster.network_security_group_name.clone(),
        route_table_name: cluster.id().map(|id| format!("aks-agentpool-{id}-routetable")).unwrap_or_default(),
        api_server_name: host(settings.get("CLUSTER_ENDPOINT")).to_owned(),
        kubelet_client_tls_bootstrap_token: settings.secret("KUBELET_BOOTSTRAP_TOKEN"),
        network_plugin: network_plugin(settings).to_owned(),
        network_policy: settings.get("NETWORK_POLICY").to_owned(),
        kubelet_config: Some(kubelet(class, settings, cluster, size)),
        taints: taints(claim),
        labels: labels(settings, class, claim, instance_type, &version, guid),
        kubernetes_version: version,
        ca_bundle: cluster.ca_bundle.clone(),
        gpu_node: gpu::is_nvidia(folded.strip_suffix("_promo").unwrap_or(&folded)),
        gpu_driver_installation_enabled: class.installs_gpu_driver,
        gpu_driver_version: fixed.or(image.map(|image| image.version)).unwrap_or_default().to_owned(),
        gpu_driver_type: driver.kind.to_owned(),
        gpu_image_sha: image.map_or("", |image| image.suffix).to_owned(),
        subnet_id: class.vnet_subnet_id.as_deref().unwrap_or(settings.get("VNET_SUBNET_ID")).to_owned(),
    };
    let provenance = PROVENANCE.iter().map(|(field, source)| Provenance { field, source }).collect();
    Converted { findings: findings(objects, &inputs), inputs, provenance }
}

/// The host of an address: no scheme, port or brackets.
fn host(endpoint: &str) -> &str {
    let rest = endpoint.split_once("://").map_or(endpoint, |(_, rest)| rest);
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    match authority.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    }
}

fn network_plugin(settings: &Settings) -> &'static str {
    let (plugin, mode, dataplane) =
        (settings.get("NETWORK_PLUGIN"), settings.get("NETWORK_PLUGIN_MODE"), settings.get("NETWORK_DATAPLANE"));
    if plugin == "azure" && mode.is_empty() && dataplane != "cilium" { "azure" } else { "none" }
}

fn kubelet(class: &NodeClass, settings: &Settings, cluster: &Cluster, size: &Size) -> KubeletConfig {
    let text = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let by_network = match (settings.get("NETWORK_PLUGIN"), settings.get("NETWORK_PLUGIN_MODE")) {
        ("none", _) | ("azure", "overlay") => 250,
        ("azure", "") => 30,
        _ => 110,
    };
    let dns = match (settings.get("DNS_SERVICE_IP"), cluster.dns_service_ip.as_str()) {
        ("", "") => DEFAULT_CLUSTER_DNS,
        ("", found) => found,
        (given, _) => given,
    };
    let mut kube_reserved = BTreeMap::new();
    if let Some(cores) = size.cores() {
        kube_reserved.insert("cpu".to_owned(), reserved_cpu(cores));
    }
    if let Some(memory) = size.memory_gib() {
        kube_reserved.insert("memory".to_owned(), reserved_memory(memory));
    }
    KubeletConfig {
        max_pods: Some(class.max_pods.unwrap_or(by_network)),
        cluster_dns_service_ip: Some(dns.to_owned()),
        system_reserved: BTreeMap::from([text("cpu", "0"), text("memory", "0")]),
        kube_reserved,
        eviction_hard: BTreeMap::from([text("memory.available", "750Mi")]),
        ..class.kubelet.clone().unwrap_or_default()
    }
}

/// Shares of what is given, bracket by bracket, in floating point as the reference adds them.
fn reserved(amount: f64, brackets: &[(f64, f64)]) -> f64 {
    let (mut total, mut lower) = (0.0, 0.0);
    for (upper, rate) in brackets {
        if amount <= lower {
            break;
        }
        total += (amount.min(*upper) - lower) * rate;
        lower = *upper;
    }
    total
}

/// Millicores, or whole cores where they are.
#[expect(clippy::cast_possible_truncation, reason = "the fraction is cut off")]
#[expect(clippy::cast_precision_loss, reason = "a size has few cores")]
fn reserved_cpu(cores: u64) -> String {
    let shares = [(1.0, 0.06), (2.0, 0.04), (4.0, 0.02), (f64::INFINITY, 0.01)];
    let millicores = (1000.0 * reserved(cores as f64, &shares)) as i64;
    if millicores % 1000 == 0 { (millicores / 1000).to_string() } else { format!("{millicores}m") }
}

/// Mebibytes, with the largest suffix that divides them.
#[expect(clippy::cast_possible_truncation, reason = "the fraction is cut off")]
fn reserved_memory(gib: f64) -> String {
    let shares = [(4.0, 0.25), (8.0, 0.20), (16.0, 0.10), (128.0, 0.06), (f64::INFINITY, 0.02)];
    let mebibytes = (1024.0 * reserved(gib, &shares)) as i64;
    if mebibytes > 0 && mebibytes % 1024 == 0 { format!("{}Gi", mebibytes / 1024) } else { format!("{mebibytes}Mi") }
}

/// The claim's, then the startup ones, then the one that keeps pods away until Karpenter knows the node.
fn taints(claim: &NodeClaim) -> Vec<Taint> {
    const UNREGISTERED: &str = "karpenter.sh/unregistered";
    let mut taints: Vec<_> = claim.taints.iter().chain(&claim.startup_taints).cloned().collect();
    if !taints.iter().any(|taint| taint.key == UNREGISTERED && taint.effect == "NoExecute") {
        taints.push(Taint { key: UNREGISTERED.to_owned(), effect: "NoExecute".to_owned(), ..Taint::default() });
    }
    taints
}

fn findings(objects: &Objects, inputs: &BootstrapInputs) -> Vec<(&'static str, Finding)> {
    let Objects { claim, class, cluster, instance_type, .. } = objects;
    let path =
        |dotted: &'static str| DocPath(dotted.split('.').map(|name| Step::Field { name, json_name: name }).collect());
    let mut findings = Vec::new();
    if claim.node_class != class.name {
        let rule = format!("names `{}`, and the node class is `{}`", claim.node_class, class.name);
        findings.push(("node-claim", Finding::error(path("spec.nodeClassRef.name"), Problem::Rule(rule.into()))));
    }
    for dropped in &class.dropped {
        let rule = "has no effect on this route";
        findings.push(("node-class", Finding::warning(path(dropped), Problem::Rule(rule.into()))));
    }
    if inputs.kubernetes_version.is_empty() {
        let hint = "give it with --cluster, or in the node class's `status.kubernetesVersion`";
        findings.push(("cluster", Finding::error(path("kubernetes_version"), Problem::Missing).hint(hint)));
    }
    if inputs.ca_bundle.is_none() {
        let hint = "give it with --cluster, as `ca_bundle` or in a kubeconfig";
        findings.push(("cluster", Finding::error(path("ca_bundle"), Problem::Missing).hint(hint)));
    }
    if cluster.network_security_group_name.is_empty() {
        let rule = "is not known: security group and route table stay empty";
        let hint = "give it with --cluster; Azure knows it";
        let finding = Finding::warning(path("network_security_group_name"), Problem::Rule(rule.into()));
        findings.push(("cluster", finding.hint(hint)));
    } else if cluster.id().is_none() {
        let rule = "must be `aks-agentpool-` + eight digits + `-nsg`: the route table's name follows from it";
        findings.push(("cluster", Finding::error(path("network_security_group_name"), Problem::Rule(rule.into()))));
    }
    if Subnet::parse(&inputs.subnet_id).is_none() {
        findings.push(("settings", Finding::error(path("VNET_SUBNET_ID"), Problem::Rule("is no subnet id".into()))));
    }
    if instance_type.size.cores().is_none() || instance_type.size.memory_gib().is_none() {
        let rule = "are needed for reserved resources: `vCPUs` and `MemoryGB`";
        let hint = "give the facts of the size with --instance-type";
        let finding = Finding::warning(path("capabilities"), Problem::Rule(rule.into()));
        findings.push(("instance-type", finding.hint(hint)));
    }
    let pinned = claim.pinned();
    for (at, requirement) in claim.requirements.iter().enumerate() {
        if !pinned.contains_key(&requirement.key) && !inputs.labels.contains_key(&requirement.key) {
            let place = path("spec.requirements").join(Step::Index(at));
            let rule = format!("does not pin one value, so `{}` becomes no label", requirement.key);
            findings.push(("node-claim", Finding::warning(place, Problem::Rule(rule.into()))));
        }
    }
    for rule in filtered(class, &instance_type.size) {
        let hint = "Karpenter would not choose this size";
        findings.push(("instance-type", Finding::warning(path("name"), Problem::Rule(rule.into())).hint(hint)));
    }
    findings
}

/// Why Karpenter would have passed over a size, whatever the claim asks for.
fn filtered(class: &NodeClass, size: &Size) -> Vec<&'static str> {
    let name = SizeName::parse(&size.name);
    let family = name.map(|name| (name.family, name.subfamily));
    let folded = size.name.to_lowercase();
    let is_gpu = size.gpus() > 0;
    let rules = [
        (size.cores().is_some_and(|cores| cores < 2), "has fewer than 2 cores"),
        (size.memory_gib().is_some_and(|memory| memory < 3.5), "has less than 3.5 GiB of memory"),
        (is_gpu && !gpu::is_nvidia(&folded) && !gpu::is_amd(&folded), "has a GPU that AKS does not know"),
        (size.name.split('_').nth(1).is_some_and(|part| part.contains('-')), "has a constrained number of cores"),
        (matches!(family, Some(("D" | "E", "C"))), "is for confidential computing"),
        (is_gpu && class.image_family.is_empty(), "has a GPU, and no image family is named"),
        (class.installs_gpu_driver && gpu::is_amd(&folded), "has a GPU of AMD, for which no driver is installed"),
        (
            class.trusted_launch.is_on()
                && (size.only_generation() == Some("1") || size.switch("TrustedLaunchDisabled") == Some(true)),
            "has no trusted launch",
        ),
        (class.artifact_streaming && size.architecture() == Some("arm64"), "is arm64, which has no artifact streaming"),
    ];
    rules.into_iter().filter(|(applies, _)| *applies).map(|(_, rule)| rule).collect()
}

/// What Karpenter would hand to Azure beside `CustomData`.
#[derive(Clone, Debug)]
pub struct LaunchTemplate {
    /// The image that the size takes.
    pub image: Image,
    /// Whether its id is of a shared gallery.
    pub shared_gallery: bool,
    /// Every image of the family, in order of preference.
    pub images: Vec<Image>,
    /// The family's name.
    pub family: &'static str,
    /// Tags of the node's resources.
    pub tags: BTreeMap<String, String>,
    /// The OS disk.
    pub storage: Storage,
}

impl Objects {
    /// Image, tags and disk. `versions` says which versions of the images there are.
    ///
    /// # Errors
    /// There is no image.
    pub fn launch_template(&self, kubernetes: &str, versions: Versions<'_>) -> Result<LaunchTemplate, NoImage> {
        let Self { class, claim, settings, instance_type, .. } = self;
        let trusted = class.trusted_launch.is_on();
        let family = launch_template::family(&class.image_family, class.fips, trusted, kubernetes);
        let images = launch_template::images(family, launch_template::security(class.fips, trusted), versions)?;
        let image = launch_template::compatible(&images, &instance_type.size)?.clone();
        let pool = claim.labels.get("karpenter.sh/nodepool").map(String::as_str);
        Ok(LaunchTemplate {
            image,
            shared_gallery: settings.is("USE_SIG"),
            images,
            family: family.name(),
            tags: launch_template::tags(&settings.additional_tags(), &class.tags, settings.get("CLUSTER_NAME"), pool),
            storage: Storage::of(&instance_type.size, Some(class.os_disk_size)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_cpu_is_the_references_rounding_and_all() {
        let cores = [1, 2, 4, 8, 16, 20, 32, 48, 64, 72, 80, 96, 112, 120, 128, 176, 192, 208, 416];
        let wanted =
            "60m 100m 140m 180m 260m 300m 420m 580m 740m 820m 900m 1060m 1220m 1299m 1380m 1859m 2020m 2180m 4260m";
        assert_eq!(cores.map(reserved_cpu).join(" "), wanted);
    }

    #[test]
    fn reserved_memory_is_the_references() {
        let sizes = [
            0.5, 1.0, 2.0, 3.5, 4.0, 7.0, 8.0, 14.0, 16.0, 28.0, 32.0, 56.0, 64.0, 96.0, 112.0, 128.0, 256.0, 384.0,
            512.0, 672.0, 900.0, 1024.0,
        ];
        let wanted = "128Mi 256Mi 512Mi 896Mi 1Gi 1638Mi 1843Mi 2457Mi 2662Mi 3399Mi 3645Mi 5Gi 5611Mi 7577Mi 8560Mi \
                      9543Mi 12165Mi 14786Mi 17Gi 20684Mi 25354Mi 27893Mi";
        assert_eq!(sizes.map(reserved_memory).join(" "), wanted);
    }

    fn settings(plugin: &str, mode: &str, dataplane: &str) -> Settings {
        let document = format!(
            "{{CLUSTER_NAME: c, CLUSTER_ENDPOINT: 'https://e', KUBELET_BOOTSTRAP_TOKEN: t, SSH_PUBLIC_KEY: k, \
             AZURE_NODE_RESOURCE_GROUP: g, AZURE_SUBSCRIPTION_ID: s, NETWORK_PLUGIN: {plugin}, \
             NETWORK_PLUGIN_MODE: '{mode}', NETWORK_DATAPLANE: '{dataplane}', VNET_SUBNET_ID: \
             /subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/n/subnets/t}}"
        );
        // A flow mapping is YAML, and begins like JSON: a comment in front tells them apart.
        let document = format!("# settings\n{document}");
        Settings::from_document(document.as_bytes()).unwrap_or_else(|report| panic!("{report}")).0
    }

    #[test]
    fn the_network_decides_the_plugin_and_how_many_pods_there_are() {
        for (plugin, mode, dataplane, passed_on, pods) in [
            ("none", "", "cilium", "none", 250),
            ("azure", "overlay", "cilium", "none", 250),
            ("azure", "overlay", "azure", "none", 250),
            ("azure", "", "cilium", "none", 30),
            ("azure", "", "azure", "azure", 30),
            ("azure", "", "", "azure", 30),
        ] {
            let settings = settings(plugin, mode, dataplane);
            assert_eq!(network_plugin(&settings), passed_on, "{plugin}, {mode}, {dataplane}");
            let kubelet = kubelet(&NodeClass::default(), &settings, &Cluster::default(), &Size::default());
            assert_eq!(kubelet.max_pods, Some(pods), "{plugin}, {mode}");
            let class = NodeClass { max_pods: Some(77), ..NodeClass::default() };
            let kubelet = super::kubelet(&class, &settings, &Cluster::default(), &Size::default());
            assert_eq!(kubelet.max_pods, Some(77));
        }
    }

    #[test]
    fn the_host_of_an_address_stands_alone() {
        for (endpoint, expected) in [
            ("https://a.example.com:443", "a.example.com"),
            ("https://a.example.com/", "a.example.com"),
            ("https://[fd00::1]:443/x", "fd00::1"),
            ("a.example.com", "a.example.com"),
        ] {
            assert_eq!(host(endpoint), expected);
        }
    }

    #[test]
    fn the_last_taint_keeps_pods_away() {
        let taint = |key: &str, value: &str, effect: &str| Taint {
            key: key.to_owned(),
            value: value.to_owned(),
            effect: effect.to_owned(),
        };
        let mut claim = NodeClaim {
            taints: vec![taint("a", "1", "NoSchedule")],
            startup_taints: vec![taint("b", "", "NoExecute")],
            ..NodeClaim::default()
        };
        let keys = |claim: &NodeClaim| taints(claim).into_iter().map(|taint| taint.key).collect::<Vec<_>>();
        assert_eq!(keys(&claim), ["a", "b", "karpenter.sh/unregistered"]);
        claim.taints.push(taint("karpenter.sh/unregistered", "x", "NoExecute"));
        assert_eq!(keys(&claim), ["a", "karpenter.sh/unregistered", "b"]);
    }
}
