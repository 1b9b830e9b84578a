//! What several variables of Karpenter's script are computed from: versions, download URLs, the flags of the kubelet.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::{BootstrapInputs, KubeletConfig, Taint};
use crate::catalogue::local_dns::DEFAULT_CLUSTER_DNS;
use crate::configuration::Version;
use crate::document::{Finding, duration};
use crate::rendering::Template;

pub(super) type Value<'a> = Cow<'a, str>;

/// Where everything is downloaded from.
const MIRROR: &str = "https://acs-mirror.azureedge.net";
/// Of every node, whatever its version.
const PAUSE_IMAGE: &str = "mcr.microsoft.com/oss/kubernetes/pause:3.6";

/// A package that is downloaded for an architecture.
pub(super) struct Package {
    folder: &'static str,
    name: &'static str,
    version: &'static str,
    extension: &'static str,
}

pub(super) const VNET_CNI: Package =
    Package { folder: "azure-cni", name: "azure-vnet-cni", version: "1.4.32", extension: "tgz" };
pub(super) const CNI: Package =
    Package { folder: "cni-plugins", name: "cni-plugins", version: "1.1.1", extension: "tgz" };

/// Minor versions of Kubernetes from which a credential provider is used; the last takes all later ones.
const CREDENTIAL_PROVIDERS: [(u64, &str); 4] = [(30, "1.30.12"), (31, "1.31.6"), (32, "1.32.5"), (33, "1.33.0")];

/// The same for every node.
pub(super) static SYSCTL_CONTENT: LazyLock<String> =
    LazyLock::new(|| STANDARD.encode(include_str!("../../../parts/karpenter_sysctl.conf")));

/// Flags of every kubelet.
const FLAGS: &[(&str, &str)] = &[
    ("--address", "0.0.0.0"),
    ("--anonymous-auth", "false"),
    ("--authentication-token-webhook", "true"),
    ("--authorization-mode", "Webhook"),
    ("--cgroups-per-qos", "true"),
    ("--client-ca-file", "/etc/kubernetes/certs/ca.crt"),
    ("--cloud-provider", "external"),
    ("--cluster-dns", DEFAULT_CLUSTER_DNS),
    ("--cluster-domain", "cluster.local"),
    ("--enforce-node-allocatable", "pods"),
    ("--event-qps", "0"),
    ("--eviction-hard", "memory.available<750Mi,nodefs.available<10%,nodefs.inodesFree<5%"),
    ("--image-gc-high-threshold", "85"),
    ("--image-gc-low-threshold", "80"),
    ("--kubeconfig", "/var/lib/kubelet/kubeconfig"),
    ("--max-pods", "110"),
    ("--node-status-update-frequency", "10s"),
    ("--pod-manifest-path", "/etc/kubernetes/manifests"),
    ("--pod-max-pids", "-1"),
    ("--protect-kernel-defaults", "true"),
    ("--read-only-port", "0"),
    ("--resolv-conf", "/run/systemd/resolve/resolv.conf"),
    ("--rotate-certificates", "true"),
    ("--streaming-connection-idle-timeout", "4h"),
    ("--tls-cert-file", "/etc/kubernetes/certs/kubeletserver.crt"),
    (
        "--tls-cipher-suites",
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,\
         TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,\
         TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305,TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,\
         TLS_RSA_WITH_AES_256_GCM_SHA384,TLS_RSA_WITH_AES_128_GCM_SHA256",
    ),
    ("--tls-private-key-file", "/etc/kubernetes/certs/kubeletserver.key"),
];

/// Flags that only some minor versions of Kubernetes get: from the first number on, up to and without the second.
const FLAGS_BY_MINOR: &[(u64, u64, &str, &str)] = &[
    (0, 30, "--feature-gates", "DisableKubeletCloudCredentialProviders=false"),
    (0, 30, "--azure-container-registry-config", "/etc/kubernetes/azure.json"),
    (30, u64::MAX, "--image-credential-provider-config", "/var/lib/kubelet/credential-provider-config.yaml"),
    (30, u64::MAX, "--image-credential-provider-bin-dir", "/var/lib/kubelet/credential-provider"),
    (0, 31, "--keep-terminated-pod-volumes", "false"),
    (0, 34, "--cloud-config", "/etc/kubernetes/azure.json"),
    (0, 35, "--pod-infra-container-image", PAUSE_IMAGE),
];

/// The inputs, with what several assignments are computed from.
pub(super) struct Derived<'a> {
    pub inputs: &'a BootstrapInputs,
    pub ca_bundle: &'a str,
    pub subnet: Subnet<'a>,
    pub installs_gpu_driver: bool,
    /// Stands in the script twice.
    pub kube_binary_url: String,
    pub credential_provider_url: String,
    minor: u64,
}

impl<'a> Derived<'a> {
    pub fn new(inputs: &'a BootstrapInputs) -> Result<Self, Finding> {
        let version =
            Version::parse_full(&inputs.kubernetes_version).ok_or_else(|| super::validate::invalid_version(inputs))?;
        let ca_bundle = inputs.ca_bundle.as_deref().ok_or_else(super::validate::missing_ca_bundle)?;
        let mut derived = Self {
            inputs,
            ca_bundle,
            subnet: Subnet::parse(&inputs.subnet_id).unwrap_or_default(),
            installs_gpu_driver: inputs.gpu_node && inputs.gpu_driver_installation_enabled,
            kube_binary_url: String::new(),
            credential_provider_url: String::new(),
            minor: version.minor(),
        };
        if derived.minor < 34 {
            let BootstrapInputs { kubernetes_version, arch, .. } = inputs;
            derived.kube_binary_url =
                format!("{MIRROR}/kubernetes/v{kubernetes_version}/binaries/kubernetes-node-linux-{arch}.tar.gz");
        }
        let provider = CREDENTIAL_PROVIDERS.iter().rev().find(|(minor, _)| *minor <= derived.minor);
        if let Some((_, version)) = provider {
            derived.credential_provider_url = derived.download(&Package {
                folder: "cloud-provider-azure",
                name: "azure-acr-credential-provider",
                version,
                extension: "tar.gz",
            });
        }
        Ok(derived)
    }

    pub fn download(&self, package: &Package) -> String {
        let Package { folder, name, version, extension } = package;
        let arch = &self.inputs.arch;
        format!("{MIRROR}/{folder}/v{version}/binaries/{name}-linux-{arch}-v{version}.{extension}")
    }

    /// GPU inputs count only where the driver is installed.
    pub fn gpu(&self, value: &'a str) -> Value<'a> {
        if self.installs_gpu_driver { value.into() } else { "".into() }
    }

    pub fn labels(&self) -> String {
        pairs(&self.inputs.labels, '=')
    }

    pub fn containerd_config(&self) -> String {
        #[derive(Serialize)]
        struct KarpenterContainerd {
            pause_image: &'static str,
            runtime: &'static str,
        }
        let runtime = if self.installs_gpu_driver { "nvidia-container-runtime" } else { "runc" };
        let context = KarpenterContainerd { pause_image: PAUSE_IMAGE, runtime };
        STANDARD.encode(Template::KARPENTER_CONTAINERD.render(&context, 1536))
    }

    /// `--flag=value` in byte order of the flags: of every node, of this version, taints, the kubelet configuration.
    pub fn kubelet_flags(&self) -> String {
        let mut flags: BTreeMap<&str, Value<'_>> = FLAGS.iter().map(|(flag, value)| (*flag, (*value).into())).collect();
        for (first, end, flag, value) in FLAGS_BY_MINOR {
            if (*first..*end).contains(&self.minor) {
                flags.insert(flag, (*value).into());
            }
        }
        if !self.inputs.taints.is_empty() {
            let taints = self.inputs.taints.iter().map(Taint::to_string).collect::<Vec<_>>();
            flags.insert("--register-with-taints", taints.join(",").into());
        }
        if let Some(config) = &self.inputs.kubelet_config {
            configured_flags(&mut flags, config);
        }
        let mut text = String::with_capacity(3072);
        for (flag, value) in flags {
            if !text.is_empty() {
                text.push(' ');
            }
            for piece in [flag, "=", &value] {
                text.push_str(piece);
            }
        }
        text
    }
}

/// Flags out of the kubelet configuration, in place of those that are there.
fn configured_flags<'a>(flags: &mut BTreeMap<&'static str, Value<'a>>, config: &'a KubeletConfig) {
    flags.insert("--max-pods", config.max_pods.unwrap_or(0).to_string().into());
    let graceful = config
        .eviction_soft_grace_period
        .iter()
        .map(|(signal, duration)| (signal.clone(), duration::canonical(duration).unwrap_or_else(|| duration.clone())));
    let graceful: BTreeMap<_, _> = graceful.collect();
    for (flag, map, sign) in [
        ("--system-reserved", &config.system_reserved, '='),
        ("--kube-reserved", &config.kube_reserved, '='),
        ("--eviction-hard", &config.eviction_hard, '<'),
        ("--eviction-soft", &config.eviction_soft, '<'),
        ("--eviction-soft-grace-period", &graceful, '='),
    ] {
        if !map.is_empty() {
            flags.insert(flag, pairs(map, sign).into());
        }
    }
    for (flag, number) in [
        ("--eviction-max-pod-grace-period", config.eviction_max_pod_grace_period),
        ("--image-gc-high-threshold", config.image_gc_high_threshold_percent),
        ("--image-gc-low-threshold", config.image_gc_low_threshold_percent),
        ("--container-log-max-files", config.container_log_max_files),
        ("--pod-max-pids", config.pod_pids_limit),
    ] {
        if let Some(number) = number {
            flags.insert(flag, number.to_string().into());
        }
    }
    if let Some(quota) = config.cpu_cfs_quota {
        flags.insert("--cpu-cfs-quota", switch(quota));
    }
    for (flag, text) in [
        ("--cpu-manager-policy", &config.cpu_manager_policy),
        ("--topology-manager-policy", &config.topology_manager_policy),
        ("--container-log-max-size", &config.container_log_max_size),
        ("--cluster-dns", &config.cluster_dns_service_ip),
    ] {
        if let Some(text) = text.as_deref().filter(|text| !text.is_empty()) {
            flags.insert(flag, text.into());
        }
    }
    if !config.allowed_unsafe_sysctls.is_empty() {
        flags.insert("--allowed-unsafe-sysctls", config.allowed_unsafe_sysctls.join(",").into());
    }
}

pub(super) fn switch<'a>(value: bool) -> Value<'a> {
    if value { "true" } else { "false" }.into()
}

/// Entries in byte order of their keys, joined by commas.
fn pairs(map: &BTreeMap<String, String>, sign: char) -> String {
    let mut text = String::with_capacity(map.iter().map(|(key, value)| key.len() + value.len() + 2).sum());
    for (key, value) in map {
        if !text.is_empty() {
            text.push(',');
        }
        write!(text, "{key}{sign}{value}").expect("text takes text");
    }
    text
}

impl std::fmt::Display for Taint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { key, value, effect } = self;
        match (effect.as_str(), value.as_str()) {
            ("", "") => f.write_str(key),
            ("", value) => write!(f, "{key}={value}:"),
            (effect, "") => write!(f, "{key}:{effect}"),
            (effect, value) => write!(f, "{key}={value}:{effect}"),
        }
    }
}

/// The parts of a subnet id that the script carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Subnet<'a> {
    /// The resource group of the network.
    pub resource_group: &'a str,
    /// The network.
    pub network: &'a str,
    /// The subnet itself.
    pub name: &'a str,
}

impl<'a> Subnet<'a> {
    /// Takes an id apart; letter case of the fixed words does not count. `None` if it is no subnet id.
    #[must_use]
    pub fn parse(id: &'a str) -> Option<Self> {
        let parts: Vec<&str> = id.split('/').collect();
        let fixed = [
            (0, ""),
            (1, "subscriptions"),
            (3, "resourceGroups"),
            (5, "providers"),
            (6, "Microsoft.Network"),
            (7, "virtualNetworks"),
            (9, "subnets"),
        ];
        let fits = parts.len() == 11 && fixed.iter().all(|(at, word)| parts[*at].eq_ignore_ascii_case(word));
        fits.then(|| Self { resource_group: parts[4], network: parts[8], name: parts[10] })
    }
}
