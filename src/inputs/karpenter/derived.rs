//! Values from which several variables of Karpenter's script are computed: versions, download URLs, the subnet.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::kubelet_flags::kubelet_flags;
use super::{BootstrapInputs, Subnet};
use crate::catalogue::kubelet_defaults::PAUSE_IMAGE;
use crate::configuration::Version;
use crate::document::Finding;
use crate::environment::{Value, joined};
use crate::rendering::render;

/// The server of all downloads.
const MIRROR: &str = "https://acs-mirror.azureedge.net";

/// A package with one download for each architecture.
pub(super) struct Package {
    directory: &'static str,
    name: &'static str,
    version: &'static str,
    extension: &'static str,
}

pub(super) const VNET_CNI: Package =
    Package { directory: "azure-cni", name: "azure-vnet-cni", version: "1.4.32", extension: "tgz" };
pub(super) const CNI: Package =
    Package { directory: "cni-plugins", name: "cni-plugins", version: "1.1.1", extension: "tgz" };

/// Versions of the credential provider, each with the first minor version of Kubernetes that uses it.
const CREDENTIAL_PROVIDERS: [(u64, &str); 4] = [(30, "1.30.12"), (31, "1.31.6"), (32, "1.32.5"), (33, "1.33.0")];

/// The kernel settings in base64, the same for every node.
pub(super) static SYSCTL_CONTENT: LazyLock<String> =
    LazyLock::new(|| STANDARD.encode(include_str!("../../../parts/karpenter_sysctl.conf")));

#[derive(Serialize)]
struct KarpenterContainerd {
    pause_image: &'static str,
    runtime: &'static str,
}

/// The inputs, and the values that several assignments share.
pub(super) struct Derived<'a> {
    pub inputs: &'a BootstrapInputs,
    pub ca_bundle: &'a str,
    pub subnet: Subnet<'a>,
    pub installs_gpu_driver: bool,
    /// Empty from Kubernetes 1.34 on. Assigned twice in the script.
    pub kube_binary_url: String,
    pub credential_provider_url: String,
    minor: u64,
}

impl<'a> Derived<'a> {
    /// Computes the values.
    ///
    /// # Errors
    /// Fails if the version is missing or not a full version, or if the CA bundle is missing.
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
                directory: "cloud-provider-azure",
                name: "azure-acr-credential-provider",
                version,
                extension: "tar.gz",
            });
        }
        Ok(derived)
    }

    /// Returns the URL of a package.
    pub fn download(&self, package: &Package) -> String {
        let Package { directory, name, version, extension } = package;
        let arch = &self.inputs.arch;
        format!("{MIRROR}/{directory}/v{version}/binaries/{name}-linux-{arch}-v{version}.{extension}")
    }

    /// Returns the value of a GPU input; empty if the node installs no driver.
    pub fn gpu(&self, value: &'a str) -> Value<'a> {
        if self.installs_gpu_driver { value.into() } else { "".into() }
    }

    /// Returns the node labels: `key=value` pairs in byte order of the keys, separated by commas.
    pub fn labels(&self) -> String {
        joined(&self.inputs.labels, '=', ",")
    }

    /// Returns the configuration of containerd in base64.
    pub fn containerd_config(&self) -> String {
        let runtime = if self.installs_gpu_driver { "nvidia-container-runtime" } else { "runc" };
        let values = KarpenterContainerd { pause_image: PAUSE_IMAGE, runtime };
        STANDARD.encode(render("karpenter_containerd.toml.tera", &values))
    }

    /// Returns the flags of the kubelet.
    pub fn kubelet_flags(&self) -> String {
        kubelet_flags(self.inputs, self.minor)
    }
}
