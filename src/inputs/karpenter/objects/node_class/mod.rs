//! `AKSNodeClass`: the settings of a node that are specific to Azure.
//!
//! Each section of the spec has a function that reads it and checks the rules of the API. To add a field: a line in the
//! function of its section; fields that are not read are reported as unknown.

mod kubelet;
mod linux_os;
mod local_dns;

use std::collections::BTreeMap;

use super::{Requirement, is_kind, is_set, one_of, violation, within};
use crate::catalogue::rules;
use crate::document::{Finding, Object, Report, read_document};
use crate::inputs::karpenter::{KubeletConfig, Subnet};

/// The node class, with the defaults of the API.
#[derive(Clone, Debug, Default)]
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
    /// What the node class sets; the conversion adds the rest.
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
}

/// An image in the status of a node class.
#[derive(Clone, Debug, Default)]
pub struct ResolvedImage {
    /// The resource id or community gallery id, with its version.
    pub id: String,
    /// What a VM size has to have.
    pub requirements: Vec<Requirement>,
}

/// The two features of trusted launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the API's")]
pub struct TrustedLaunch {
    pub vtpm: bool,
    pub secure_boot: bool,
}

impl TrustedLaunch {
    /// Reports whether at least one of the features is on: images with trusted launch are needed.
    #[must_use]
    pub const fn is_on(self) -> bool {
        self.vtpm || self.secure_boot
    }
}

const FAMILIES: &[&str] = &["Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux"];

impl NodeClass {
    /// Reads the object as `kubectl get -o yaml` prints it.
    ///
    /// # Errors
    /// Fails if the syntax is broken, the object is of another kind, or a field violates the rules of the API.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        read_document(bytes, "AKSNodeClass", Self::read)
    }

    fn read(object: &Object<'_>) -> Self {
        is_kind(object, &["AKSNodeClass"]);
        let name = object.object("metadata", "metadata").and_then(|metadata| {
            let name = metadata.text("name").map(str::to_owned);
            metadata.ignore_the_rest();
            name
        });
        let status = object.object("status", "the status").map(|status| {
            let version = status.text("kubernetesVersion").map(str::to_owned);
            let images = status.objects("images", "an image").into_iter().map(|image| ResolvedImage {
                id: image.text("id").unwrap_or_default().to_owned(),
                requirements: Requirement::list(&image, "requirements"),
            });
            let images = images.collect();
            status.ignore_the_rest();
            (version, images)
        });
        let (kubernetes_version, images) = status.unwrap_or_default();
        let class = object.object("spec", "the spec of an AKSNodeClass");
        let class = class.as_ref().map_or_else(Self::defaults, Self::spec);
        Self { name: name.unwrap_or_default(), kubernetes_version, images, ..class }
    }

    fn defaults() -> Self {
        Self { os_disk_size: 128, image_family: "Ubuntu".to_owned(), installs_gpu_driver: true, ..Self::default() }
    }

    fn spec(spec: &Object<'_>) -> Self {
        let mut class = Self::defaults();
        class.vnet_subnet_id = subnet_id(spec);
        if let Some(size) = within(spec, "osDiskSizeGB", (30, 2048)) {
            class.os_disk_size = u64::try_from(size).unwrap_or_default();
        }
        let family = one_of(spec, "imageFamily", FAMILIES);
        class.fips = one_of(spec, "fipsMode", &["FIPS", "Disabled"]).is_some_and(|mode| mode == "FIPS");
        class.tags = tags(spec);
        class.max_pods = within(spec, "maxPods", (10, 250));
        class.trusted_launch = trusted_launch(spec);
        if let Some(gpu) = spec.object("gpu", "gpu") {
            class.installs_gpu_driver = one_of(&gpu, "mode", &["Driver", "None"]).is_none_or(|mode| mode != "None");
        }
        if let Some(streaming) = spec.object("artifactStreaming", "artifactStreaming") {
            class.artifact_streaming = streaming.switch("enabled").unwrap_or_default();
        }
        class.kubelet = kubelet::read(spec, &mut class.ignored);
        class.local_dns_mode = local_dns::read(spec, &mut class.ignored);
        linux_os::read(spec, class.kubelet.as_ref(), &mut class.ignored);
        check_fips(&class, spec, family.as_deref());
        class.image_family = family.unwrap_or(class.image_family);
        class
    }
}

fn subnet_id(spec: &Object<'_>) -> Option<String> {
    let id = spec.text("vnetSubnetID")?;
    if Subnet::parse(id).is_none() {
        violation(spec, "vnetSubnetID", "a subnet id", id);
    }
    Some(id.to_owned())
}

fn tags(spec: &Object<'_>) -> BTreeMap<String, String> {
    let tags = spec.text_map("tags");
    for (key, value) in &tags {
        if key.chars().count() > 512 || value.chars().count() > 256 || key.contains(['<', '>', '%', '&', '?', '\\']) {
            let rule = "must have keys of up to 512 characters without `<>%&?\\`, and values of up to 256 characters";
            spec.report(Finding::violation(&rules::KARPENTER_VALUE, spec.at("tags"), rule));
        }
    }
    tags
}

fn trusted_launch(spec: &Object<'_>) -> TrustedLaunch {
    let Some(security) = spec.object("security", "security") else { return TrustedLaunch::default() };
    // Encryption at host is a setting of the VM that has no effect on the script.
    security.switch("encryptionAtHost");
    let Some(launch) = security.object("trustedLaunch", "trustedLaunch") else { return TrustedLaunch::default() };
    TrustedLaunch { vtpm: is_set(&launch, "vtpm"), secure_boot: is_set(&launch, "secureBoot") }
}

fn check_fips(class: &NodeClass, spec: &Object<'_>, family: Option<&str>) {
    if !class.fips {
        return;
    }
    let rule = match (family, class.trusted_launch.is_on()) {
        (None, _) => "needs `imageFamily`",
        (Some("Ubuntu2404"), _) => "is not available with `Ubuntu2404`",
        (Some("Ubuntu2204"), false) => "needs trusted launch with `Ubuntu2204`",
        (Some("AzureLinux"), true) => "is not available with trusted launch on `AzureLinux`",
        _ => return,
    };
    spec.report(Finding::violation(&rules::KARPENTER_COMBINATION, spec.at("fipsMode"), rule));
}

/// What [`is_quantity`] accepts.
const QUANTITY: &str = "digits and one of E P T G M K Ei Pi Ti Gi Mi Ki";

/// Reports whether a text matches the API's pattern of a size in bytes.
fn is_quantity(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let units = ["E", "P", "T", "G", "M", "K", "Ei", "Pi", "Ti", "Gi", "Mi", "Ki"];
    digits > 0 && units.contains(&&text[digits..])
}
