//! Checks that a node can join. Checks of single fields do not find these problems, because a field is only unset or fits another choice.

use super::super::certificates::read;
use super::super::fields::{Context, Text, at, field};
use super::super::syntax::{is_uuid, is_word, quantity};
use crate::catalogue::minors::FIRST_WITHOUT_CONTAINERD_1;
use crate::catalogue::{clouds, gpu, rules, vm_sizes};
use crate::configuration::{
    BootstrappingAuthMethod, BootstrappingConfig, ClusterConfig, FieldPath, NetworkPlugin, NetworkPolicy, Version,
    VmType,
};
use crate::document::{DocPath, Finding, Severity};

/// A node needs a bootstrap token, secure TLS bootstrapping or a client certificate, unless it becomes an image.
pub(super) fn credential(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let configuration = context.configuration;
    let method = configuration.bootstrapping_config.as_ref().map(BootstrappingConfig::bootstrapping_auth_method);
    let has_other = matches!(
        method,
        // A missing token has a rule of its own.
        Some(BootstrappingAuthMethod::BootstrapToken | BootstrappingAuthMethod::SecureTlsBootstrapping)
    );
    let given = [field!("bootstrapping_config.tls_bootstrapping_token"), field!("kubelet_config.kubelet_client_key")];
    if has_other || configuration.pre_provision_only || given.iter().any(|field| context.text(field).is_some()) {
        return;
    }
    let problem = "has no credential: neither a bootstrap token, nor secure TLS bootstrapping, nor a client certificate of the \
                   kubelet, so the node cannot join";
    let finding = Finding::violation(&rules::NO_CREDENTIAL, at(field!("bootstrapping_config")), problem);
    findings.push(finding.hint("set `tls_bootstrapping_token`, or the method of secure TLS bootstrapping"));
}

pub(super) fn network_plugin(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let config = context.configuration.network_config.as_ref();
    if context.configuration.pre_provision_only
        || config.is_some_and(|config| config.network_plugin != NetworkPlugin::Unspecified as i32)
    {
        return;
    }
    let problem = "is not set: the node gets no network for pods and does not become Ready";
    let finding = Finding::violation(&rules::NETWORK_PLUGIN, at(field!("network_config.network_plugin")), problem);
    findings.push(finding.hint("`NETWORK_PLUGIN_NONE` is for clusters whose own pods set up the network"));
}

/// The scripts only tell pods of the cluster which policy it has; these pods come with a plugin of AKS. That of its overlay is set up by pods,
/// so that the node itself has none.
pub(super) fn network_policy(context: &Context<'_>, findings: &mut Vec<Finding>) {
    const OVERLAY: [(&str, &str); 2] =
        [("kubernetes.azure.com/azure-cni-overlay", "true"), ("kubernetes.azure.com/podnetwork-type", "overlay")];
    let Some(network) = &context.configuration.network_config else { return };
    let mut labels = context.texts(field!("kubelet_config.kubelet_node_labels"));
    let has_overlay = labels.any(|label| label.key().is_some_and(|key| OVERLAY.contains(&(key, label.value))));
    let is_without_plugin = network.network_plugin() == NetworkPlugin::None && !has_overlay;
    if is_without_plugin && matches!(network.network_policy(), NetworkPolicy::Azure | NetworkPolicy::Calico) {
        let problem =
            "is set, but `network_plugin` is `NETWORK_PLUGIN_NONE`: AKS has no network policy for other plugins";
        let path = at(field!("network_config.network_policy"));
        findings.push(Finding::violation(&rules::NETWORK_PLUGIN, path, problem).severity(Severity::Warning));
    }
}

pub(super) fn identity(context: &Context<'_>, findings: &mut Vec<Finding>) {
    if context.configuration.pre_provision_only {
        return;
    }
    if context.text(field!("auth_config.tenant_id")).is_none() {
        let problem = "is not set: the cloud provider and the credential provider cannot sign in";
        findings.push(Finding::violation(&rules::TENANT, at(field!("auth_config.tenant_id")), problem));
    }
    let auth = context.configuration.auth_config.as_ref();
    let is_managed = auth.is_some_and(|auth| auth.use_managed_identity_extension);
    let (path, problem): (&'static FieldPath, _) = if is_managed {
        let problem = "is not set: a machine with several identities has no default, and signing in fails";
        (field!("auth_config.assigned_identity_id"), problem)
    } else {
        (field!("auth_config.service_principal_id"), "is not set, and there is no managed identity: signing in fails")
    };
    let Some(id) = context.text(path) else {
        findings.push(Finding::violation(&rules::IDENTITY, at(path), problem));
        return;
    };
    if !is_managed {
        without_managed_identity(context, &id, findings);
    } else if id.value.bytes().all(|byte| byte == b'0' || byte == b'-') {
        findings.push(Finding::violation(&rules::IDENTITY, at(path), "is the empty UUID, which no identity has"));
    } else if !is_identity(id.value) {
        findings.push(id.must_be(&rules::IDENTITY, IDENTITY));
    }
    identity_of_client(context, &id, findings);
}

/// The client of secure TLS bootstrapping signs in with an identity of its own, else with that of the node. Other programs of the node also
/// accept a resource id, the client asks for a client id.
/// <https://github.com/Azure/aks-secure-tls-bootstrap/blob/main/client/internal/bootstrap/auth.go>
fn identity_of_client(context: &Context<'_>, of_node: &Text<'_>, findings: &mut Vec<Finding>) {
    let own = context.text(field!("bootstrapping_config.secure_tls_bootstrapping_user_assigned_identity_id"));
    let config = context.configuration.bootstrapping_config.as_ref();
    let is_asked = config.map(BootstrappingConfig::bootstrapping_auth_method)
        == Some(BootstrappingAuthMethod::SecureTlsBootstrapping);
    // What is no identity at all has a finding already.
    let of_node = Some(*of_node).filter(|id| is_asked && own.is_none() && is_identity(id.value));
    findings.extend(own.or(of_node).filter(|id| !is_uuid(id.value)).map(|id| {
        let finding =
            id.must_be(&rules::IDENTITY, "the client id of an identity, a UUID, for secure TLS bootstrapping");
        finding.hint("`az identity show --ids ID --query clientId -o tsv` prints it")
    }));
}

const IDENTITY: &str =
    "the client id of an identity, such as `3f6c2d1e-7b8a-49d0-b1c2-d3e4f5a6b7c8`, or its resource id";

fn is_identity(id: &str) -> bool {
    const KIND: &str = "/providers/microsoft.managedidentity/userassignedidentities/";
    is_uuid(id) || (id.starts_with("/subscriptions/") && id.to_ascii_lowercase().contains(KIND))
}

/// The client of secure TLS bootstrapping asks for a token for an application: by its id, or by a URI.
pub(super) fn application(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let id = context.text(field!("bootstrapping_config.secure_tls_bootstrapping_aad_resource"));
    let is_uri = |text: &str| text.split_once("://").is_some_and(|(scheme, _)| !scheme.is_empty()) && is_word(text);
    findings.extend(id.filter(|id| !is_uuid(id.value) && !is_uri(id.value)).map(|id| {
        let finding = id.must_be(&rules::UUID, "the id of an application, a UUID or a URI");
        finding.hint("without it, the application of AKS is used")
    }));
}

/// `msi` is what AKS writes as the id of the service principal of a cluster that has none.
fn without_managed_identity(context: &Context<'_>, id: &Text<'_>, findings: &mut Vec<Finding>) {
    let is_none = id.value.eq_ignore_ascii_case("msi");
    let identity = context.text(field!("auth_config.assigned_identity_id"));
    if identity.is_some_and(|identity| is_identity(identity.value)) {
        let switch = at(field!("auth_config.use_managed_identity_extension"));
        let problem = if is_none {
            "is not `true`, so `assigned_identity_id` has no effect, and there is no service principal: signing in fails"
        } else {
            "is not `true`, so `assigned_identity_id` has no effect"
        };
        findings.push(Finding::violation(&rules::IDENTITY, switch, problem).hint("set it to `true`"));
    }
    let secret = field!("auth_config.service_principal_secret");
    if !is_none && context.text(secret).is_none() {
        let problem = "is not set, but there is a service principal and no managed identity: signing in fails";
        findings.push(Finding::violation(&rules::IDENTITY, at(secret), problem));
    }
}

/// The kind of virtual machines must fit the names of their sets.
pub(super) fn vm_type(context: &Context<'_>, findings: &mut Vec<Finding>) {
    if context.configuration.pre_provision_only {
        return;
    }
    let kind = context.configuration.cluster_config.as_ref().map(ClusterConfig::vm_type);
    let path = at(field!("cluster_config.vm_type"));
    let (other, name) = match kind {
        Some(VmType::Standard) => (field!("cluster_config.primary_scale_set"), "scale sets"),
        Some(VmType::Vmss) => (field!("cluster_config.primary_availability_set"), "availability sets"),
        Some(VmType::Unspecified) | None => {
            let problem = "is not set: the cloud provider treats the node as a single virtual machine";
            findings.push(Finding::violation(&rules::VM_TYPE, path, problem).severity(Severity::Warning));
            return;
        }
    };
    if context.text(other).is_some() {
        let problem = format!("does not fit `{}`, which is for {name}", other.field.name);
        findings.push(Finding::violation(&rules::VM_TYPE, path, problem));
    }
}

pub(super) fn api_server(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(server) = context.text(field!("api_server_config.api_server_name")) else { return };
    findings.extend(unusable_server(server.value, server.path()));
}

/// Returns a finding for a name of the API server that a node cannot use, although it is a host name.
pub(crate) fn unusable_server(name: &str, path: DocPath) -> Option<Finding> {
    let name = name.to_ascii_lowercase();
    let (problem, hint) = if name == "localhost"
        || name.starts_with("127.")
        || ["0.0.0.0", "::1", "::"].contains(&name.as_str())
    {
        let hint = "a kubeconfig for a tunnel or for a cluster on this computer has such a name: write the `fqdn` of `az aks show`";
        ("is the node itself, on which no API server runs", hint.to_owned())
    } else if let Some((before, after)) = name.split_once(".portal.hcp.") {
        ("is the host for Azure's portal, `azurePortalFqdn`", format!("write `{before}.hcp.{after}`"))
    } else if name == "kubernetes" || name.starts_with("kubernetes.default") {
        ("is a name for pods, which the resolver of a node does not know", FQDN.to_owned())
    } else if !name.is_empty() && !name.contains(['.', ':']) {
        ("has no domain: the resolver of a node does not know it", FQDN.to_owned())
    } else if clouds::region_of_api_server(&name).is_some()
        && !clouds::API_SERVER_ZONES.iter().any(|zone| name.strip_suffix('.').unwrap_or(&name).ends_with(zone))
    {
        ("has the form of AKS's names, but does not end like one", FQDN.to_owned())
    } else if lacks_dot(&name) {
        ("has the form of AKS's names, but no dot between `hcp` or `privatelink` and the region", FQDN.to_owned())
    } else {
        return None;
    };
    Some(Finding::violation(&rules::HOST_NAME, path, problem).severity(Severity::Warning).hint(hint))
}

/// Reports whether a name of AKS has no dot behind the part that is before the region. Zones of customers can have other parts.
fn lacks_dot(name: &str) -> bool {
    let is_joined = |label: &str| {
        let rest = ["hcp", "privatelink"].iter().find_map(|part| label.strip_prefix(part));
        rest.is_some_and(clouds::is_region)
    };
    name.strip_suffix('.').unwrap_or(name).ends_with(clouds::PUBLIC_API_SERVER_ZONE) && name.split('.').any(is_joined)
}

const FQDN: &str = "write the `fqdn` of `az aks show`";

/// The pods that AKS runs on each node require that a label is there, whatever its value. AKS sets it beside others; a node with labels of
/// its own only may belong to a cluster without these pods.
pub(super) fn cluster_label(context: &Context<'_>, findings: &mut Vec<Finding>) {
    const LABEL: &str = "kubernetes.azure.com/cluster";
    const BESIDE: &str = "kubernetes.azure.com/role";
    let labels = field!("kubelet_config.kubelet_node_labels");
    let has = |name: &str| context.texts(labels).any(|label| label.key() == Some(name));
    if has(LABEL) || !has(BESIDE) {
        return;
    }
    let problem = format!("have no `{LABEL}`, which the pods that AKS runs on each node require");
    let finding = Finding::violation(&rules::CLUSTER_LABEL, at(labels), problem);
    findings.push(finding.hint("its value is the resource group of the nodes"));
}

pub(super) fn location(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(location) = context.text(field!("cluster_config.location")) else { return };
    let custom = context.configuration.custom_cloud_config.as_ref();
    let is_custom = custom.is_some_and(|cloud| clouds::is_custom(&cloud.custom_cloud_env_name));
    findings.extend(wrong_region(location.value, is_custom, location.path()));
}

/// Returns a finding for a name that is none of a region. The names of custom clouds are unknown.
pub(crate) fn wrong_region(location: &str, is_custom: bool, path: DocPath) -> Option<Finding> {
    let is_plain =
        |character: char| character.is_ascii_lowercase() || character.is_ascii_digit() || "-_.".contains(character);
    if !location.chars().all(is_plain) {
        let name = location.replace(['"', '\'', ' ', '\t', '\r', '\n'], "");
        let found = format!("{location:?}");
        let finding = Finding::unexpected(&rules::LOCATION, path, "the name of a region such as `westeurope`", found);
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        return Some(if is_name { finding.hint(format!("write `{}`", name.to_lowercase())) } else { finding });
    }
    if is_custom {
        return None;
    }
    let warning = |problem: String| Finding::violation(&rules::UNKNOWN_REGION, path, problem);
    if let Some(region) = clouds::region_of_zone(location) {
        return Some(warning(format!("is `{location}`, a zone of a region")).hint(format!("write `{region}`")));
    }
    let problem = format!("is `{location}`, which is no region of Azure that is known");
    if let Some(meant) = clouds::misspelled_region(location) {
        return Some(warning(problem).hint(format!("did you mean `{meant}`?")));
    }
    (!clouds::may_be_region(location)).then(|| warning(problem).hint("`az account list-locations` prints the regions"))
}

/// Families of sizes with GPUs get new sizes, about which nothing is known.
pub(super) fn unknown_gpu(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(size) = context.text(field!("vm_size")) else { return };
    if vm_sizes::is_possible(size.value) && vm_sizes::has_nvidia_gpu(size.value).is_none() {
        let problem =
            format!("is `{}`, a size of a family with GPUs that is not known: its driver may be wrong", size.value);
        findings.push(Finding::violation(&rules::UNKNOWN_GPU, size.path(), problem));
    }
}

pub(super) fn mig(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let profile = context.text(field!("gpu_config.gpu_instance_profile"));
    let (Some(profile), Some(size)) = (profile, context.text(field!("vm_size"))) else { return };
    // Only a GPU node partitions.
    let is_gpu_node = context.configuration.gpu_config.as_ref().is_some_and(|gpu| gpu.enable_nvidia == Some(true));
    if is_gpu_node && vm_sizes::is_possible(size.value) && !gpu::can_be_partitioned(&size.value.to_lowercase()) {
        let problem =
            format!("needs a GPU that can be partitioned, such as an A100, which `{}` does not have", size.value);
        findings.push(Finding::violation(&rules::MIG_SIZE, profile.path(), problem));
    }
}

pub(super) fn registration(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let flag = context.flag("--register-node").filter(|flag| flag.is_in(&["false", "False", "FALSE", "f", "F", "0"]));
    findings.extend(flag.map(|flag| {
        let problem = "is `false`: the kubelet does not register the node";
        Finding::violation(&rules::REGISTER_NODE, flag.path(), problem).hint("remove it")
    }));
}

/// Without a cloud provider, the node registers as initialized, so that the cloud provider of the cluster does not set its provider id. Only
/// flags that connect the kubelet to a cluster are meant to be complete.
/// <https://kubernetes.io/docs/tasks/administer-cluster/running-cloud-controller/#running-cloud-controller-manager>
pub(super) fn cloud_provider(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let is_whole =
        ["--kubeconfig", "--client-ca-file", "--cloud-config"].iter().any(|flag| context.flag(flag).is_some());
    let is_set = context.flag("--cloud-provider").is_some_and(|flag| !flag.value.is_empty());
    if context.configuration.pre_provision_only || !is_whole || is_set {
        return;
    }
    let problem =
        "lacks `--cloud-provider`: the cloud provider does not initialize the node, which gets no provider id";
    let path = at(field!("kubelet_config.kubelet_flags"));
    let finding = Finding::violation(&rules::CLOUD_PROVIDER_MISSING, path, problem);
    findings.push(finding.hint("add `--cloud-provider: external`"));
}

/// Compares the memory that is reserved or kept free with the memory of the VM size, where its name determines it. The kubelet ends if all
/// of it is more than the machine has.
pub(super) fn memory(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(size) = context.text(field!("vm_size")) else { return };
    for amounts in reserved_amounts(context, "memory", "memory.available") {
        findings.extend(without_memory(amounts, size.value));
    }
}

/// The largest disk of an operating system in Azure, in bytes.
const LARGEST_DISK: f64 = 4.0 * 1_099_511_627_776.0;

/// The kubelet ends if more of the disk is reserved or kept free than it has.
pub(super) fn disk(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for amounts in reserved_amounts(context, "ephemeral-storage", "nodefs.available") {
        let sum: f64 = amounts.iter().map(|(amount, _)| amount).sum();
        if let Some((_, path)) = amounts.into_iter().next().filter(|_| sum > LARGEST_DISK) {
            let problem = format!(
                "leaves no disk for pods: {:.0} GiB are reserved or kept free in all, more than the largest disk of an operating system has",
                sum / f64::from(1 << 30)
            );
            findings.push(Finding::violation(&rules::RESERVED_RESOURCES, path, problem).severity(Severity::Warning));
        }
    }
}

/// Returns what is reserved of a resource, and what is kept free of it: by flags, and by the configuration file.
fn reserved_amounts(context: &Context<'_>, resource: &str, signal: &str) -> [Vec<(f64, DocPath)>; 2] {
    let flags =
        [("--kube-reserved", resource, '='), ("--system-reserved", resource, '='), ("--eviction-hard", signal, '<')];
    let flags = flags.into_iter().filter_map(|(name, resource, sign)| {
        let flag = context.flag(name)?;
        let amount = flag.value.split(',').find_map(|pair| pair.trim().strip_prefix(resource)?.strip_prefix(sign))?;
        Some((quantity(amount)?, flag.path()))
    });
    let flags = flags.collect();
    let kubelet = context.configuration.kubelet_config.as_ref();
    if !kubelet.is_some_and(|kubelet| kubelet.enable_kubelet_config_file) {
        return [flags, Vec::new()];
    }
    let in_file = [
        (field!("kubelet_config.kubelet_config_file_config.kube_reserved"), resource),
        (field!("kubelet_config.kubelet_config_file_config.system_reserved"), resource),
        (field!("kubelet_config.kubelet_config_file_config.eviction_hard"), signal),
    ];
    let in_file = in_file
        .into_iter()
        .flat_map(|(field, resource)| context.texts(field).filter(move |entry| entry.key() == Some(resource)));
    [flags, in_file.filter_map(|entry| Some((quantity(entry.value)?, entry.path()))).collect()]
}

/// Resources and signals whose amounts are bytes, and what they are amounts of.
const OF_BYTES: [(&str, &str); 6] = [
    ("memory", "memory"),
    ("memory.available", "memory"),
    ("ephemeral-storage", "disk"),
    ("nodefs.available", "disk"),
    ("imagefs.available", "disk"),
    ("containerfs.available", "disk"),
];

/// Finds amounts of memory and disk whose unit or percent sign is missing, or is `m`, which is for CPUs: the kubelet accepts them as bytes.
pub(super) fn units(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let flags = ["--kube-reserved", "--system-reserved", "--eviction-hard", "--eviction-soft"];
    for flag in flags.into_iter().filter_map(|name| context.flag(name)) {
        let pairs = flag.value.split(',').filter_map(|pair| pair.split_once(['=', '<']));
        findings.extend(pairs.filter_map(|(name, amount)| without_unit(name.trim(), amount.trim(), || flag.path())));
    }
    if !super::reads_file(context) {
        return;
    }
    for field in [
        field!("kubelet_config.kubelet_config_file_config.kube_reserved"),
        field!("kubelet_config.kubelet_config_file_config.system_reserved"),
        field!("kubelet_config.kubelet_config_file_config.eviction_hard"),
        field!("kubelet_config.kubelet_config_file_config.eviction_soft"),
    ] {
        let amounts = context.texts(field);
        findings.extend(amounts.filter_map(|text| without_unit(text.key()?, text.value, || text.path())));
    }
}

fn without_unit(name: &str, amount: &str, path: impl FnOnce() -> DocPath) -> Option<Finding> {
    const SMALLEST: f64 = (1 << 20) as f64;
    let (_, what) = OF_BYTES.iter().find(|(known, _)| *known == name)?;
    // A share has a percent sign, with which it is no quantity.
    quantity(amount).filter(|bytes| *bytes > 0.0 && *bytes < SMALLEST)?;
    let problem = format!("has {amount} of {what}, which is less than 1 MiB");
    let finding = Finding::violation(&rules::RESERVED_RESOURCES, path(), problem);
    let hint = if *what == "disk" { "write a unit such as `Gi`, or `%`" } else { "write a unit such as `Mi`" };
    Some(finding.severity(Severity::Warning).hint(hint))
}

/// Returns a finding for amounts that leave no memory of a size for pods. The items are bytes and path.
pub(crate) fn without_memory(amounts: Vec<(f64, DocPath)>, size: &str) -> Option<Finding> {
    /// What the kernel keeps at least, as a part of the memory.
    const OF_KERNEL: f64 = 1.0 / 32.0;
    let sum: f64 = amounts.iter().map(|(bytes, _)| bytes).sum();
    let (_, path) = amounts.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let gib = vm_sizes::memory_gib(size)?;
    let is_beyond = sum >= gib * f64::from(1 << 30) * (1.0 - OF_KERNEL);
    is_beyond.then(|| {
        let problem = format!(
            "leaves no memory for pods: {:.0} MiB are reserved or kept free in all, and `{size}` has {gib} GiB, of which the kernel keeps a part",
            sum / f64::from(1 << 20)
        );
        Finding::violation(&rules::RESERVED_RESOURCES, path, problem).severity(Severity::Warning)
    })
}

/// From 1.35 on, the kubelet does not start on a machine with control groups v1.
pub(super) fn control_groups(context: &Context<'_>, findings: &mut Vec<Finding>) {
    const FIRST_WITHOUT: u64 = 35;
    let minor = context.kubernetes.as_ref().map(Version::minor);
    if context.configuration.needs_cgroupv2 == Some(false) && minor.is_some_and(|minor| minor >= FIRST_WITHOUT) {
        let problem = "is `false`, but the kubelet does not start with control groups v1 from Kubernetes 1.35 on";
        findings.push(Finding::violation(&rules::CONTROL_GROUPS, at(field!("needs_cgroupv2")), problem));
    }
}

/// A document that names no version gets that of the image.
pub(super) fn container_runtime(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let minor = context.kubernetes.as_ref().map(Version::minor);
    let Some(minor) = minor.filter(|minor| *minor >= FIRST_WITHOUT_CONTAINERD_1) else { return };
    let Some(named) = context.text(field!("containerd_config.containerd_version")) else { return };
    let release = named.value.split(['-', '~', '+']).next().and_then(Version::parse);
    if release.is_some_and(|release| release.major() == 1) {
        let problem = format!("is containerd 1, which Kubernetes supports up to 1.35, not with 1.{minor}");
        let finding = Finding::violation(&rules::CONTAINERD_SUPPORT, named.path(), problem);
        findings.push(finding.hint("use containerd 2"));
    }
}

/// Compares the issuer of the API server's certificate with the names of the cluster CA.
pub(super) fn issuer(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let server = context.text(field!("api_server_config.api_server_public_key"));
    let authority = context.text(field!("kubernetes_ca_cert"));
    let (Some(server), Some(authority)) = (server, authority) else { return };
    let certificates = read(server.value).zip(read(authority.value));
    let Some((chain, authorities)) = certificates else { return };
    // The chain can have certificates between the two.
    let is_signed = chain.iter().any(|certificate| {
        let issuer = certificate.tbs_certificate().issuer();
        authorities.iter().any(|authority| authority.tbs_certificate().subject() == issuer)
    });
    if !chain.is_empty() && !authorities.is_empty() && !is_signed {
        let problem = "is not signed by the CA in `kubernetes_ca_cert`: the kubelet would not trust the API server";
        findings.push(Finding::violation(&rules::CERTIFICATE_ISSUER, server.path(), problem));
    }
}
