//! What the scripts need of an image, and the code with which they end without it. The machine of tests/provisioning runs into each.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Facts;
use crate::catalogue::exit_codes::exit_code;
use crate::catalogue::minors::FIRST_WITHOUT_CONTAINERD_1;
use crate::catalogue::operating_systems::image_system;
use crate::catalogue::{paths, rules, vm_sizes};
use crate::configuration::{Configuration, Descriptor, Kind, Label};
use crate::document::{DocPath, Finding, Severity, Step};
use crate::environment::{Environment, ImageContents};
use crate::inputs::{Input, NodeInput};

/// A fact that must hold.
enum Fact {
    /// The image is prepared for AKS.
    Prepared,
    Program(&'static str),
    Unit(&'static str),
    File(&'static str),
    /// The plugins that every node needs, or where the scripts get them from.
    ReferencePlugins,
    /// A program whose package the scripts install, except on systems without packages.
    Tool(&'static str),
    /// The unit of containerd, which comes with the package that the scripts install on images that are not prepared.
    ContainerdUnit,
    /// The same for the program.
    Containerd,
}

/// When it must hold.
enum When {
    Always,
    /// A variable is `true`.
    On(&'static str),
    /// None of the variables is empty.
    Given(&'static [&'static str]),
    /// The variable is empty.
    Unset(&'static str),
    /// No earlier step than the check of containerd calls it.
    Plain,
}

struct Need {
    fact: Fact,
    when: When,
    /// The field that asks for it.
    field: &'static str,
    code: u8,
}

const fn need(fact: Fact, code: u8) -> Need {
    Need { fact, when: When::Always, field: "", code }
}

impl Need {
    const fn on(self, variable: &'static str) -> Self {
        Self { when: When::On(variable), ..self }
    }

    const fn given(self, variables: &'static [&'static str]) -> Self {
        Self { when: When::Given(variables), ..self }
    }

    const fn unless(self, variable: &'static str) -> Self {
        Self { when: When::Unset(variable), ..self }
    }

    const fn on_plain_nodes(self) -> Self {
        Self { when: When::Plain, ..self }
    }

    const fn asked_by(self, field: &'static str) -> Self {
        Self { field, ..self }
    }
}

/// The needs in the order of the steps, so that the first one that is not met decides on the code.
const NEEDS: &[Need] = &[
    need(Fact::File(paths::START_SCRIPT), 127),
    need(Fact::File(paths::SOURCE), 6),
    need(Fact::File(paths::SOURCE_DISTRO), 6),
    need(Fact::File(paths::INSTALLS), 6),
    need(Fact::File(paths::INSTALLS_DISTRO), 6),
    need(Fact::File(paths::CONFIGS), 6),
    need(Fact::Tool("curl"), 9),
    need(Fact::Tool("jq"), 9),
    need(Fact::Tool("tar"), 9),
    need(Fact::Tool("openssl"), 9),
    need(Fact::Tool("iptables"), 9),
    need(Fact::Tool("ebtables"), 9),
    need(Fact::Tool("ethtool"), 9),
    need(Fact::Tool("conntrack"), 9),
    need(Fact::Tool("nslookup"), 9),
    need(Fact::Tool("nc"), 9),
    // Without an identity, the scripts do not log in.
    need(Fact::Program("oras"), 211)
        .given(&["BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER", "USER_ASSIGNED_IDENTITY_ID", "TENANT_ID"])
        .asked_by("bootstrap_profile_container_registry_server"),
    need(Fact::Prepared, 65).on("IS_VHD").asked_by("is_vhd"),
    need(Fact::ReferencePlugins, 206),
    need(Fact::File(paths::CUSTOM_SEARCH_DOMAINS), 80)
        .on("HAS_CUSTOM_SEARCH_DOMAIN")
        .asked_by("custom_search_domain_config"),
    need(Fact::Unit("dhcpv6.service"), 4).on("IPV6_DUAL_STACK_ENABLED").asked_by("ipv6_dual_stack_enabled"),
    need(Fact::ContainerdUnit, 4).unless("CONTAINERD_PACKAGE_URL"),
    need(Fact::Unit("acr-mirror.service"), 153).on("ARTIFACT_STREAMING_ENABLED").asked_by("enable_artifact_streaming"),
    need(Fact::Unit("overlaybd-tcmu.service"), 153)
        .on("ARTIFACT_STREAMING_ENABLED")
        .asked_by("enable_artifact_streaming"),
    need(Fact::Unit("overlaybd-snapshotter.service"), 153)
        .on("ARTIFACT_STREAMING_ENABLED")
        .asked_by("enable_artifact_streaming"),
    need(Fact::Unit("secure-tls-bootstrap.service"), 220)
        .on("ENABLE_SECURE_TLS_BOOTSTRAPPING")
        .asked_by("bootstrapping_config.bootstrapping_auth_method"),
    need(Fact::Unit("kubelet.service"), 34),
    need(Fact::Containerd, 4).on_plain_nodes(),
];

/// Systems on which the scripts install no packages.
const WITHOUT_PACKAGES: [&str; 3] = ["acl", "flatcar", "osguard"];

/// Systems whose images have containerd below `/usr`. On the others, it may be in a system extension, which is only there once the machine
/// has started.
const WITH_CONTAINERD: [&str; 5] = ["azurelinux", "debian", "mariner", "osguard", "ubuntu"];

impl Fact {
    fn holds(&self, facts: &Facts) -> bool {
        let is_one_of = |names: &[&str]| facts.os.name.as_deref().is_some_and(|name| names.contains(&name));
        let is_kept = || is_one_of(&WITH_CONTAINERD) && (facts.prepared || is_one_of(&WITHOUT_PACKAGES));
        match self {
            Self::Tool(name) => facts.programs.contains(*name) || !is_one_of(&WITHOUT_PACKAGES),
            Self::ContainerdUnit => facts.units.contains("containerd.service") || !is_kept(),
            Self::Containerd => facts.containerd.as_deref() != Some("") || !is_kept(),
            Self::Prepared => facts.prepared,
            Self::Program(name) => facts.programs.contains(*name),
            Self::Unit(name) => facts.units.contains(*name),
            Self::File(path) => facts.files.contains(*path),
            // Debian has a package of them, OS Guard has them in its image, and a component list says where they are.
            Self::ReferencePlugins => {
                let needs_them = ["ubuntu", "azurelinux", "mariner", "flatcar", "acl"];
                let has_other_source = facts.gpu_drivers.is_some() || !is_one_of(&needs_them);
                has_other_source
                    || ["bridge", "host-local", "loopback"].iter().all(|name| facts.cni_plugins.contains(*name))
            }
        }
    }

    fn title(&self) -> String {
        match self {
            Self::Prepared => "the log of an image build, /opt/azure/vhd-install.complete".to_owned(),
            Self::Program(name) | Self::Tool(name) | Self::Unit(name) | Self::File(name) => format!("`{name}`"),
            Self::ContainerdUnit => "`containerd.service`".to_owned(),
            Self::Containerd => "`containerd`".to_owned(),
            Self::ReferencePlugins => "`bridge`, `host-local` and `loopback` in /opt/cni/bin".to_owned(),
        }
    }
}

impl When {
    fn holds(&self, environment: &Environment<'_>) -> bool {
        let value = |name: &str| environment.iter().find(|one| one.name == name).map_or("", |one| one.value.expose());
        match self {
            Self::Always => true,
            Self::On(name) => value(name).eq_ignore_ascii_case("true"),
            Self::Given(names) => names.iter().all(|name| !value(name).is_empty()),
            Self::Unset(name) => value(name).is_empty(),
            Self::Plain => {
                let given = ["BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER", "CONTAINERD_PACKAGE_URL"];
                given.iter().all(|name| value(name).is_empty())
                    && !["GPU_NODE", "ARTIFACT_STREAMING_ENABLED"].iter().any(|name| Self::On(name).holds(environment))
                    && value("TARGET_CLOUD") != "AzureChinaCloud"
            }
        }
    }
}

/// Returns one line for each thing that no part of an image provides, with what needs it.
#[cfg(node)]
pub(crate) fn lacks(facts: &Facts) -> Vec<String> {
    let missing = NEEDS.iter().filter(|need| !need.fact.holds(facts));
    let mut lines: Vec<String> = missing
        .map(|need| {
            let name = exit_code(need.code).map_or("", |code| code.name);
            let reason = if need.field.is_empty() { String::new() } else { format!(" with `{}`", need.field) };
            format!("{}: without it, the scripts{reason} end with code {} ({name})", need.fact.title(), need.code)
        })
        .collect();
    if facts.containerd.as_deref() == Some("") && Fact::Containerd.holds(facts) {
        lines.push("containerd: the scripts install it from the packages of the distribution".to_owned());
    }
    if facts.kubelets.is_empty() {
        lines.push("kubelet: the scripts download it".to_owned());
    }
    lines
}

/// Returns the findings about a document for an image, in the order in which the scripts would come upon them.
pub(crate) fn predictions(facts: &Facts, input: &Input, image: &ImageContents) -> Vec<Finding> {
    let mut findings: Vec<_> =
        [other_family(facts, input), other_architecture(facts, input)].into_iter().flatten().collect();
    if let Ok(environment) = input.assignments(image) {
        for need in NEEDS.iter().filter(|need| !need.fact.holds(facts) && need.when.holds(&environment)) {
            let name = exit_code(need.code).map_or("", |code| code.name);
            let problem = format!(
                "needs {}, which the image lacks: the scripts end with code {} (`{name}`)",
                need.fact.title(),
                need.code
            );
            let path = if need.field.is_empty() { DocPath::root() } else { DocPath::fields(need.field) };
            findings.push(Finding::violation(&rules::IMAGE_LACKS, path, problem));
        }
    }
    findings.extend(container_runtime(facts, input));
    findings.extend(pause_image(facts, input));
    if let (Some(controller), Input::Configuration(configuration)) = (&facts.controller, input) {
        let value: Value = serde_json::from_str(&configuration.to_json()).expect("a Configuration is written as JSON");
        unknown(Configuration::descriptor(), &value, &DocPath::root(), "", &controller.fields, &mut findings);
    }
    findings
}

/// Returns a finding if the containerd of the image is too old for the version of Kubernetes, and the document names no other one.
fn container_runtime(facts: &Facts, input: &Input) -> Option<Finding> {
    let configuration = input.configuration()?;
    let named = configuration.containerd_config.as_ref().is_some_and(|config| !config.containerd_version.is_empty());
    let installed = facts.containerd.as_deref()?;
    let is_old = installed.split('.').next() == Some("1");
    let minor = configuration.kubernetes().map(|version| version.minor())?;
    let problem = format!("is not supported with containerd {installed} of the image: 1.{minor} needs containerd 2");
    let is_affected = !named && is_old && minor >= FIRST_WITHOUT_CONTAINERD_1;
    is_affected.then(|| Finding::violation(&rules::CONTAINERD_SUPPORT, DocPath::fields("kubernetes_version"), problem))
}

/// Returns a finding if the first image of every pod is not in the store. In an isolated cluster, the scripts copy it from the registry of
/// the cluster, under the same path.
fn pause_image(facts: &Facts, input: &Input) -> Option<Finding> {
    const FIELD: &str = "kube_binary_config.pod_infra_container_image_url";
    const CODE: u8 = 233;
    let configuration = input.configuration()?;
    let image = &*configuration.kube_binary_config.as_ref()?.pod_infra_container_image_url;
    let registry = &*configuration.bootstrap_profile_container_registry_server;
    if image.is_empty() || facts.images.as_ref()?.contains(image) {
        return None;
    }
    let problem = if registry.is_empty() {
        format!("names the image `{image}`, which the image lacks: it is pulled before the node becomes Ready")
    } else {
        let name = exit_code(CODE).map_or("", |code| code.name);
        let copy = image.split_once('/').map_or(image, |(_, path)| path);
        format!(
            "names the image `{image}`, which the image lacks: the scripts copy `{registry}/{copy}`, or end with code {CODE} (`{name}`)"
        )
    };
    Some(Finding::violation(&rules::IMAGE_LACKS, DocPath::fields(FIELD), problem).severity(Severity::Warning))
}

/// Returns a finding if a document names a system of another family.
fn other_family(facts: &Facts, input: &Input) -> Option<Finding> {
    let image = image_system(facts.os.name.as_deref()?)?;
    let document = input.os().or(input.labelled_os()).filter(|os| os.family != image.family)?;
    let problem = format!("is for `{}`, but the image is for `{}`", document.name, image.name);
    Some(Finding::violation(&rules::IMAGE_LACKS, DocPath::root(), problem))
}

/// Returns a finding if the image cannot run on the processors of the VM size.
fn other_architecture(facts: &Facts, input: &Input) -> Option<Finding> {
    let Input::Configuration(configuration) = input else { return None };
    let size = &*configuration.vm_size;
    let (image, needed) = (facts.architecture.as_deref()?, vm_sizes::architecture(size)?);
    let problem =
        format!("`{size}` has {needed} processors, but the image is for {image}: Azure does not create the VM");
    (image != needed).then(|| Finding::violation(&rules::IMAGE_LACKS, DocPath::fields("vm_size"), problem))
}

/// Adds a warning for each field that a controller does not know.
fn unknown(
    descriptor: &Descriptor,
    value: &Value,
    path: &DocPath,
    name: &str,
    known: &BTreeSet<String>,
    findings: &mut Vec<Finding>,
) {
    for field in descriptor.fields {
        let Some(inner) = value.get(field.name) else { continue };
        let name = if name.is_empty() { field.name.to_owned() } else { format!("{name}.{}", field.name) };
        let path = path.join(Step::Field { name: field.name, json_name: field.json_name });
        if !known.contains(&name) {
            let problem = "is not known to the controller of the image, which ignores it on route `scriptless`";
            findings.push(Finding::violation(&rules::IMAGE_LACKS, path, problem).severity(Severity::Warning));
        } else if let (Kind::Message(message), Label::Singular | Label::Optional) = (field.kind, field.label) {
            unknown(message, inner, &path, &name, known, findings);
        }
    }
}

/// Returns the programs, units and files that the table names.
#[cfg(node)]
pub(super) fn named() -> (Vec<&'static str>, Vec<&'static str>, Vec<&'static str>) {
    let (mut programs, mut units, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for need in NEEDS {
        match need.fact {
            Fact::Prepared | Fact::ReferencePlugins | Fact::ContainerdUnit | Fact::Containerd => {}
            Fact::Program(name) | Fact::Tool(name) => programs.push(name),
            Fact::Unit(name) => units.push(name),
            Fact::File(path) => files.push(path),
        }
    }
    (programs, units, files)
}
