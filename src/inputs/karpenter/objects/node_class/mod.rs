//! `AKSNodeClass`: the settings of a node that are specific to Azure.
//!
//! Each section of the spec has a type, and a function that checks the rules of the API. To add a field: a field of the
//! type of its section.

#![expect(non_snake_case, reason = "the fields have the names of the document, which findings show")]

mod kubelet;
mod linux_os;
mod local_dns;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::{Metadata, Requirement, check_kind, must_be, of_name, one_of, within};
use crate::catalogue::rules;
use crate::document::{Document, Finding, Names, Report, Source, read_document};
use crate::inputs::karpenter::{KubeletConfig, Subnet};
use crate::inputs::member::member;

/// The node class, with the defaults of the API.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names are the API's")]
pub struct NodeClass {
    pub name: String,
    pub vnet_subnet_id: Option<String>,
    /// In GB.
    pub os_disk_size: u64,
    pub image_family: String,
    pub fips: bool,
    pub tags: BTreeMap<String, String>,
    pub max_pods: Option<i64>,
    /// The settings of the node class; the conversion adds the rest.
    pub kubelet: Option<KubeletConfig>,
    pub trusted_launch: TrustedLaunch,
    pub local_dns_mode: Option<String>,
    pub installs_gpu_driver: bool,
    pub artifact_streaming: bool,
    /// From the status: the version that the controller chose.
    pub kubernetes_version: Option<String>,
    /// From the status: the images that the controller has resolved, in order of preference.
    pub images: Vec<ResolvedImage>,
    /// The paths of fields that have no effect on the script.
    pub ignored: Vec<&'static str>,
    /// The sections of the equivalent Configuration that the script has no variables for.
    pub configuration: Map<String, Value>,
}

/// An image in the status of a node class.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename = "an image", default)]
pub struct ResolvedImage {
    /// The resource id or community gallery id, with its version.
    pub id: String,
    /// What the image requires of a VM size.
    pub requirements: Vec<Requirement>,
}

/// The two features of trusted launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename = "trustedLaunch", rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "the names are the API's")]
pub struct TrustedLaunch {
    pub vtpm: bool,
    pub secure_boot: bool,
}

impl TrustedLaunch {
    /// Reports whether a feature is on, so that an image with trusted launch is needed.
    #[must_use]
    pub const fn is_on(self) -> bool {
        self.vtpm || self.secure_boot
    }
}

/// The document.
#[derive(Deserialize)]
#[serde(rename = "AKSNodeClass")]
#[expect(dead_code, reason = "the other members are known")]
struct Object {
    apiVersion: Option<IgnoredAny>,
    kind: Option<IgnoredAny>,
    metadata: Option<Metadata>,
    spec: Option<Spec>,
    #[serde(default)]
    status: Status,
}

#[derive(Default, Deserialize)]
#[serde(rename = "", default)]
struct Status {
    kubernetesVersion: Option<String>,
    images: Vec<ResolvedImage>,
}

#[derive(Deserialize)]
#[serde(rename = "the spec of an AKSNodeClass")]
struct Spec {
    vnetSubnetID: Option<String>,
    osDiskSizeGB: Option<i64>,
    imageFamily: Option<String>,
    fipsMode: Option<String>,
    tags: Option<BTreeMap<String, String>>,
    maxPods: Option<i64>,
    security: Option<Security>,
    gpu: Option<Gpu>,
    artifactStreaming: Option<ArtifactStreaming>,
    kubelet: Option<kubelet::Kubelet>,
    localDNS: Option<local_dns::LocalDns>,
    linuxOSConfig: Option<linux_os::LinuxOs>,
}

#[derive(Deserialize)]
#[serde(rename = "security")]
#[expect(dead_code, reason = "encryption at host is a setting of the VM, not of the script")]
struct Security {
    encryptionAtHost: Option<bool>,
    trustedLaunch: Option<TrustedLaunch>,
}

#[derive(Deserialize)]
#[serde(rename = "gpu")]
struct Gpu {
    mode: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename = "artifactStreaming")]
struct ArtifactStreaming {
    enabled: Option<bool>,
}

const FAMILIES: &[&str] = &["Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux", "AzureContainerLinux"];

impl NodeClass {
    /// Reads the object as `kubectl get -o yaml` prints it.
    ///
    /// # Errors
    /// Fails if the syntax is broken, the object is of another kind, or a field violates the rules of the API.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        read_document(&Source::new(bytes)?, Self::read)
    }

    /// Reads the object.
    pub(in crate::inputs::karpenter) fn read(document: &mut Document<'_>) -> Option<Self> {
        check_kind(document, "karpenter.azure.com", &["AKSNodeClass"]);
        let object: Object = document.read(Names::Exact)?;
        document.report(violations(&object));
        Some(Self::new(object))
    }

    fn new(object: Object) -> Self {
        let ignored = kubelet::ignored(&object).chain(local_dns::ignored(&object)).chain(linux_os::ignored(&object));
        let ignored = ignored.collect();
        let mut configuration = Map::new();
        for (name, section) in [
            ("custom_linux_os_config", linux_os::configuration(&object)),
            ("local_dns_profile", local_dns::configuration(&object)),
        ] {
            configuration.extend(section.map(|section| (name.to_owned(), section)));
        }
        let Status { kubernetesVersion: kubernetes_version, images } = object.status;
        let name = object.metadata.unwrap_or_default().name;
        let defaults = Self {
            name,
            kubernetes_version,
            images,
            ignored,
            configuration,
            os_disk_size: 128,
            image_family: "Ubuntu".to_owned(),
            installs_gpu_driver: true,
            ..Self::default()
        };
        let Some(spec) = object.spec else { return defaults };
        Self {
            os_disk_size: spec
                .osDiskSizeGB
                .map_or(defaults.os_disk_size, |size| u64::try_from(size).unwrap_or_default()),
            image_family: spec.imageFamily.unwrap_or(defaults.image_family),
            fips: spec.fipsMode.is_some_and(|mode| mode == "FIPS"),
            tags: spec.tags.unwrap_or_default(),
            max_pods: spec.maxPods,
            trusted_launch: spec.security.and_then(|security| security.trustedLaunch).unwrap_or_default(),
            installs_gpu_driver: spec.gpu.and_then(|gpu| gpu.mode).is_none_or(|mode| mode != "None"),
            artifact_streaming: spec.artifactStreaming.and_then(|streaming| streaming.enabled).unwrap_or_default(),
            vnet_subnet_id: spec.vnetSubnetID,
            kubelet: spec.kubelet.map(KubeletConfig::from),
            local_dns_mode: spec.localDNS.and_then(|dns| dns.mode),
            ..defaults
        }
    }
}

/// Returns the rules of the API that an object violates.
fn violations(object: &Object) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(of_name(member!(object.metadata)));
    findings.extend(must_be(member!(object.spec.vnetSubnetID), is_subnet, "a subnet id"));
    findings.extend(within(member!(object.spec.osDiskSizeGB), (30, 2048)));
    findings.extend(one_of(member!(object.spec.imageFamily), FAMILIES));
    findings.extend(one_of(member!(object.spec.fipsMode), &["FIPS", "Disabled"]));
    findings.extend(within(member!(object.spec.maxPods), (10, 250)));
    findings.extend(one_of(member!(object.spec.gpu.mode), &["Driver", "None"]));
    let tags = member!(object.spec.tags);
    for (key, value) in tags.value.into_iter().flatten() {
        if key.chars().count() > 512 || value.chars().count() > 256 || key.contains(['<', '>', '%', '&', '?', '\\']) {
            let rule = "must have keys of up to 512 characters without `<>%&?\\`, and values of up to 256 characters";
            findings.push(tags.violation(&rules::KARPENTER_VALUE, rule));
        }
    }
    kubelet::check(object, &mut findings);
    local_dns::check(object, &mut findings);
    linux_os::check(object, &mut findings);
    findings.extend(check_fips(object));
    findings
}

fn is_subnet(id: &str) -> bool {
    Subnet::parse(id).is_some_and(|subnet| subnet.has_names())
}

fn check_fips(object: &Object) -> Option<Finding> {
    let mode = member!(object.spec.fipsMode);
    if mode.text() != "FIPS" {
        return None;
    }
    // The default of the API server is there before its rules apply.
    let family = member!(object.spec.imageFamily).value.map_or("Ubuntu", String::as_str);
    let trusted_launch = member!(object.spec.security.trustedLaunch).value;
    let rule = match (family, trusted_launch.is_some_and(|launch| launch.is_on())) {
        ("Ubuntu2404", _) => "is not available with `Ubuntu2404`",
        ("Ubuntu2204", false) => "needs trusted launch with `Ubuntu2204`",
        ("AzureLinux", true) => "is not available with trusted launch on `AzureLinux`",
        _ => return None,
    };
    Some(mode.violation(&rules::KARPENTER_COMBINATION, rule))
}

/// Describes what [`is_quantity`] accepts.
const QUANTITY: &str = "digits and one of E P T G M K Ei Pi Ti Gi Mi Ki";

/// Reports whether a text matches the API's pattern for a size in bytes.
fn is_quantity(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let units = ["E", "P", "T", "G", "M", "K", "Ei", "Pi", "Ti", "Gi", "Mi", "Ki"];
    digits > 0 && units.contains(&&text[digits..])
}
