//! From a NodeBootstrappingConfiguration to a Configuration, and to what only the scripted route can carry.

use std::collections::BTreeMap;
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::cluster_id::cluster_id;
use super::document::{Document, member};
use super::fields::{FIELDS, Kind};
use super::kubelet;
use crate::catalogue::node_distros::{Family, NodeDistro, node_distro, node_distro_names};
use crate::catalogue::sysctls::SYSCTLS;
use crate::configuration::{Configuration, Version};
use crate::document::{DocPath, Finding, Problem, Report, Source, Tree, nearest};

/// Clouds that are known by name.
const CLOUDS: [&str; 9] = [
    "AzurePublicCloud",
    "AzureChinaCloud",
    "AzureUSGovernmentCloud",
    "AzureGermanCloud",
    "AzureGermanyCloud",
    "AzureBleuCloud",
    "AzureSingaporeCloud",
    "USNatCloud",
    "USSecCloud",
];

/// What each setting of huge pages may be.
const HUGE_PAGES: [(&str, &[&str]); 2] = [
    ("A.customLinuxOSConfig.transparentHugePageEnabled", &["always", "madvise", "never"]),
    ("A.customLinuxOSConfig.transparentHugePageDefrag", &["always", "defer", "defer+madvise", "madvise", "never"]),
];

/// Something that a Configuration cannot carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The member, as the document spells it.
    pub path: DocPath,
    /// What is lost, and what that means.
    pub what: &'static str,
}

/// A document that was read: the Configuration that it converts to, and what that cannot carry.
#[derive(Clone, Debug)]
pub struct Nbc {
    /// The Configuration.
    pub configuration: Configuration,
    /// What follows from the distribution.
    pub distro: NodeDistro,
    /// The family, by distribution and OS SKU.
    pub family: Family,
    /// The family as `--os` names it.
    pub os: &'static str,
    /// Everything that only the scripted route carries, as variables: they take the place of the Configuration's.
    pub(super) own: Own,
    /// The pool has no cloud-init that the CSE could wait for, or wants no wait.
    pub(super) waits_for_cloud_init: bool,
    /// Scripts come from the image, and `CustomData` says so.
    pub(super) scripts_of_the_image: bool,
    /// A custom cloud.
    pub(super) is_custom_cloud: bool,
    /// What the Configuration cannot carry.
    pub losses: Vec<Loss>,
}

impl Nbc {
    /// Reads JSON or YAML.
    ///
    /// # Errors
    /// The document breaks its syntax, has members of a wrong type, or lacks what the route cannot do without.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        let source = Source::new(bytes)?;
        let tree = Tree::read(&source)?;
        let mut findings = Vec::new();
        let nbc = if matches!(tree, Tree::Map(_)) {
            let document = Document::new(&tree, &mut findings);
            check(&document, &mut findings);
            if findings.is_empty() { Some(read(&document, &mut findings)) } else { None }
        } else {
            let expected = "an object".into();
            findings.push(Finding::error(
                DocPath::root(),
                Problem::Unexpected { expected, found: tree.found().kind().to_owned() },
            ));
            None
        };
        findings.extend_from_slice(source.findings());
        source.locate(&mut findings);
        let mut report = Report { findings };
        report.sort();
        match nbc.flatten() {
            Some(nbc) if report.is_valid() => Ok((nbc, report)),
            _ => Err(report),
        }
    }
}

/// What the route cannot do without, and what the reference refuses.
fn check(nbc: &Document<'_>, findings: &mut Vec<Finding>) {
    let mut wrong = |path: &str, rule: String, hint: Option<String>| {
        let finding = Finding::error(nbc.path(path), Problem::Rule(rule.into()));
        findings.push(match hint {
            Some(hint) => finding.hint(hint),
            None => finding,
        });
    };
    for path in ["ContainerService.properties", "P.orchestratorProfile", "AgentPoolProfile", "A.distro"] {
        if !nbc.has(path) {
            wrong(path, "is required".to_owned(), None);
        }
    }
    let orchestrator = nbc.text("P.orchestratorProfile.orchestratorType");
    if nbc.has("P.orchestratorProfile") && !orchestrator.eq_ignore_ascii_case("Kubernetes") {
        wrong("P.orchestratorProfile.orchestratorType", format!("must be `Kubernetes`, found {orchestrator:?}"), None);
    }
    if nbc.text("A.osType").eq_ignore_ascii_case("windows") {
        wrong("A.osType", "is `Windows`, and this program makes Linux nodes".to_owned(), None);
    }
    let name = nbc.text("A.distro");
    let distro = node_distro(name);
    if nbc.has("A.distro") && distro.is_none() {
        let names: Vec<_> = node_distro_names().collect();
        let meant = nearest(name, names.iter().map(String::as_str)).map(|meant| format!("did you mean `{meant}`?"));
        wrong("A.distro", format!("names no known image: {name:?}"), meant);
    }
    let cloud = nbc.text("CloudSpecConfig.cloudName");
    if !CLOUDS.contains(&cloud) && !distro.is_some_and(|distro| distro.is_customized) {
        let hint = format!("known are {}", CLOUDS.join(", "));
        wrong("CloudSpecConfig.cloudName", format!("names no known cloud: {cloud:?}"), Some(hint));
    }
    for (path, allowed) in HUGE_PAGES {
        let value = nbc.text(path);
        if !value.is_empty() && !allowed.contains(&value) {
            wrong(path, format!("must be one of {}, found {value:?}", allowed.join(", ")), None);
        }
    }
    for path in ["K.cloudProviderBackoff", "K.cloudProviderRateLimit", "K.cloudProviderDisableOutboundSNAT"] {
        if nbc.has("P.orchestratorProfile.kubernetesConfig") && !nbc.has(path) {
            let hint = "the reference writes `<nil>` then, and its command fails on the node: say true or false";
            wrong(path, "is required".to_owned(), Some(hint.to_owned()));
        }
    }
    if nbc.switch("EnableScriptlessNBCCSECmd") && !nbc.switch("PreProvisionOnly") {
        let hint = "leave it out, or convert the document and use route `scriptless`";
        wrong(
            "EnableScriptlessNBCCSECmd",
            "asks for a delivery by boothook, which this route has not".to_owned(),
            Some(hint.to_owned()),
        );
    }
}

/// A text that stands for a secret in a key vault, and not for itself.
fn is_key_vault_reference(text: &str) -> bool {
    let parts: Vec<_> = text.split('/').collect();
    let fixed = [
        (1, "subscriptions"),
        (3, "resourceGroups"),
        (5, "providers"),
        (6, "Microsoft.KeyVault"),
        (7, "vaults"),
        (9, "secrets"),
    ];
    (parts.len() == 11 || parts.len() == 12)
        && parts[0].is_empty()
        && fixed.iter().all(|(at, name)| parts[*at] == *name)
        && parts[1..].iter().all(|part| !part.is_empty())
}

/// Variables that this route has of its own, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Own(BTreeMap<&'static str, String>);

impl Own {
    // Called from so many places that its size in each would be the size of the program.
    #[inline(never)]
    fn say(&mut self, name: &'static str, value: String) {
        self.0.insert(name, value);
    }

    /// Every name with its value, in byte order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }
}

/// Puts a value at a path of the Configuration's document.
#[inline(never)]
fn set(document: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            document.insert(path.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = document.entry(first).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                set(inner, rest, value);
            }
        }
    }
}

/// Notes what a Configuration cannot carry.
#[inline(never)]
fn lose(losses: &mut Vec<Loss>, nbc: &Document<'_>, path: &str, what: &'static str) {
    losses.push(Loss { path: nbc.path(path), what });
}

#[expect(clippy::too_many_lines, reason = "one paragraph for each part of the document")]
fn read(nbc: &Document<'_>, findings: &mut Vec<Finding>) -> Option<Nbc> {
    let mut document = Map::new();
    let mut own = Own::default();
    let mut losses = Vec::new();
    set(&mut document, "version", "v1".into());
    for (path, kind, target) in FIELDS {
        if target.is_empty() {
            continue;
        }
        let value = match (kind, nbc.get(path)) {
            (Kind::IntegerOrZero | Kind::NumberOrZero, None) => 0.into(),
            (_, None) => continue,
            (Kind::Encoded | Kind::EncodedSecret, Some(Tree::Text(text))) if is_key_vault_reference(text) => continue,
            (Kind::Encoded | Kind::EncodedSecret, Some(Tree::Text(text))) => STANDARD.encode(text).into(),
            (_, Some(Tree::Text(text))) if text.is_empty() => continue,
            (_, Some(value)) => as_json(value),
        };
        set(&mut document, target, value);
    }
    let name = nbc.text("A.distro");
    let distro = node_distro(name)?;
    let os_sku = nbc.text("OSSKU");
    let family = distro.family(os_sku);
    let version_text = nbc.text("P.orchestratorProfile.orchestratorVersion");
    let version = Version::parse(version_text);

    // The image.
    set(&mut document, "is_vhd", distro.is_vhd.into());
    set(&mut document, "is_kata", distro.is_kata.into());
    set(&mut document, "needs_cgroupv2", distro.needs_cgroup_v2(os_sku).into());

    // Who the node is in its cluster.
    let pools = match nbc.get("P.agentPoolProfiles") {
        Some(Tree::List(pools)) => pools.as_slice(),
        _ => &[],
    };
    let of_pool = |pool: &Tree, name: &str| match member(pool, name) {
        Some((_, Tree::Text(text))) => text.clone(),
        _ => String::new(),
    };
    let first = |name: &str| pools.first().map(|pool| of_pool(pool, name)).unwrap_or_default();
    let is_hosted = nbc.has("P.hostedMasterProfile");
    let id = match nbc.text("P.ClusterID") {
        "" if is_hosted => cluster_id(nbc.text("P.hostedMasterProfile.dnsPrefix")),
        "" => cluster_id(&first("name")),
        id => id.to_owned(),
    };
    let owner = if is_hosted { "aks" } else { "k8s" };
    let network = "cluster_config.cluster_network_config";
    set(&mut document, &format!("{network}.security_group_name"), format!("{owner}-agentpool-{id}-nsg").into());
    set(&mut document, &format!("{network}.route_table"), format!("{owner}-agentpool-{id}-routetable").into());
    let has_subnets = !pools.is_empty() && pools.iter().all(|pool| !of_pool(pool, "vnetSubnetID").is_empty());
    if has_subnets {
        let subnet = first("vnetSubnetID");
        let part = |at: usize| subnet.split('/').nth(at).unwrap_or_default().to_owned();
        set(&mut document, &format!("{network}.subnet"), part(10).into());
        set(&mut document, &format!("{network}.vnet_name"), part(8).into());
        set(&mut document, &format!("{network}.vnet_resource_group"), part(4).into());
    } else {
        set(&mut document, &format!("{network}.subnet"), format!("{owner}-subnet").into());
        set(&mut document, &format!("{network}.vnet_name"), format!("{owner}-vnet-{id}").into());
    }
    let is_scale_set =
        |pool: &Tree| of_pool(pool, "availabilityProfile").eq_ignore_ascii_case("VirtualMachineScaleSets");
    let vm_type = if pools.iter().any(is_scale_set) { "VM_TYPE_VMSS" } else { "VM_TYPE_STANDARD" };
    set(&mut document, "cluster_config.vm_type", vm_type.into());
    if first("availabilityProfile").eq_ignore_ascii_case("AvailabilitySet") {
        let set_name = format!("{}-availabilitySet-{id}", first("name"));
        set(&mut document, "cluster_config.primary_availability_set", set_name.into());
    }
    let api_server = match nbc.text("P.hostedMasterProfile.ipAddress") {
        "" => nbc.text("P.hostedMasterProfile.fqdn"),
        address => address,
    };
    set(&mut document, "api_server_config.api_server_name", api_server.into());

    // Networks.
    let plugin = nbc.text("K.networkPlugin");
    let policy = nbc.text("K.networkPolicy");
    let balancer = nbc.text("K.loadBalancerSku");
    let mut carried =
        |path: &'static str, text: &str, known: &[&str], target: &str, prefix: &str, what: &'static str| {
            let upper = text.to_uppercase();
            if known.contains(&text.to_lowercase().as_str()) {
                set(&mut document, target, format!("{prefix}{upper}").into());
            } else if !text.is_empty() {
                lose(&mut losses, nbc, path, what);
            }
        };
    carried(
        "K.networkPlugin",
        plugin,
        &["azure", "kubenet", "none"],
        "network_config.network_plugin",
        "NETWORK_PLUGIN_",
        "the contract has no such network plugin",
    );
    carried(
        "K.networkPolicy",
        policy,
        &["azure", "calico", "none"],
        "network_config.network_policy",
        "NETWORK_POLICY_",
        "the contract has no such network policy",
    );
    carried(
        "K.loadBalancerSku",
        balancer,
        &["basic", "standard"],
        "cluster_config.load_balancer_config.load_balancer_sku",
        "LOAD_BALANCER_SKU_",
        "the contract has no such load balancer",
    );
    own.say("NETWORK_PLUGIN", plugin.to_owned());
    own.say("NETWORK_POLICY", policy.to_owned());
    own.say("NETWORK_MODE", nbc.text("K.networkMode").to_owned());
    own.say("LOAD_BALANCER_SKU", balancer.to_owned());
    if nbc.has("K.networkMode") && !nbc.text("K.networkMode").is_empty() {
        lose(&mut losses, nbc, "K.networkMode", "the contract has no network mode");
    }
    let (cni_of_cluster, cni_of_cloud) = if nbc.switch("IsARM64") {
        ("K.azureCNIURLARM64Linux", "C.vnetCNIARM64LinuxPluginsDownloadURL")
    } else {
        ("K.azureCNIURLLinux", "C.vnetCNILinuxPluginsDownloadURL")
    };
    let cni = match nbc.text(cni_of_cluster) {
        "" => nbc.text(cni_of_cloud),
        url => url,
    };
    set(&mut document, "network_config.vnet_cni_plugins_url", cni.into());

    // The cloud.
    let cloud_name = nbc.text("CloudSpecConfig.cloudName");
    let custom_name = nbc.text("P.customCloudEnv.Name");
    let is_custom_cloud = custom_name.eq_ignore_ascii_case("akscustom");
    if nbc.has("P.customCloudEnv") {
        let endpoint = nbc.text("P.customCloudEnv.resourceManagerEndpoint");
        own.say("ARM_RESOURCE_ENDPOINT", endpoint.to_owned());
        if !endpoint.is_empty() {
            let what = "the scriptless route finds no endpoint in the environment, which travels in base64";
            lose(&mut losses, nbc, "P.customCloudEnv.resourceManagerEndpoint", what);
        }
        if is_custom_cloud {
            let text = custom_environment(nbc);
            set(&mut document, "custom_cloud_config.custom_env_json_content", STANDARD.encode(text).into());
            own.say("TARGET_ENVIRONMENT", custom_name.to_owned());
            own.say("AZURE_ENVIRONMENT_FILEPATH", format!("/etc/kubernetes/{custom_name}.json"));
        }
    }
    if !is_custom_cloud {
        let cloud = cloud_of_region(nbc.text("ContainerService.location"));
        own.say("TARGET_CLOUD", cloud.to_owned());
        own.say("TARGET_ENVIRONMENT", cloud.to_owned());
    }
    let outbound_type = nbc.text("OutboundType");
    let blocks = |text: &str| text == "block" || text == "none";
    own.say("BLOCK_OUTBOUND_NETWORK", blocks(outbound_type).to_string());
    let registry = match (cloud_name, nbc.get("P.customCloudEnv")) {
        ("AzureChinaCloud", _) => "gcr.azk8s.cn",
        (_, Some(_)) if is_custom_cloud => nbc.text("P.customCloudEnv.mcrURL"),
        _ => "mcr.microsoft.com",
    };
    let is_shut = nbc.switch("P.featureFlags.blockOutboundInternet") || blocks(&outbound_type.to_lowercase());
    if !is_shut && !registry.is_empty() {
        let command = format!("curl -v --insecure --proxy-insecure https://{registry}/v2/");
        set(&mut document, "outbound_command", command.into());
    }
    let images = nbc.text("C.mcrKubernetesImageBase");
    own.say("MCR_REPOSITORY_BASE", if images.is_empty() { "mcr.microsoft.com" } else { images }.to_owned());
    if !["", "mcr.microsoft.com/"].contains(&images) {
        lose(
            &mut losses,
            nbc,
            "C.mcrKubernetesImageBase",
            "images come from mcr.microsoft.com on the scriptless route",
        );
    }
    let hyperkube = nbc.text("K8sComponents.HyperkubeImageURL");
    own.say("HYPERKUBE_URL", hyperkube.to_owned());
    if !hyperkube.is_empty() {
        lose(&mut losses, nbc, "K8sComponents.HyperkubeImageURL", "the contract has no hyperkube image");
        if version.is_none_or(|version| version < Version::new(1, 17, 0)) {
            own.say("KUBELET_IMAGE", hyperkube.to_owned());
        }
    }
    if nbc.switch("P.securityProfile.privateEgress.enabled") {
        set(
            &mut document,
            "private_egress_proxy_address",
            nbc.text("P.securityProfile.privateEgress.proxyAddress").into(),
        );
        let server = nbc.text("P.securityProfile.privateEgress.containerRegistryServer");
        set(&mut document, "bootstrap_profile_container_registry_server", server.into());
        if nbc.switch("P.securityProfile.privateEgress.testMode") {
            own.say("NETWORK_ISOLATED_CLUSTER_TEST_MODE", "true".to_owned());
            lose(
                &mut losses,
                nbc,
                "P.securityProfile.privateEgress.testMode",
                "the contract has no test mode of isolated clusters",
            );
        }
    }

    // How the node proves who it is.
    let is_secure = nbc.switch("S.secureTLSBootstrappingEnabled");
    if is_secure || nbc.has("KubeletClientTLSBootstrapToken") {
        let method = if is_secure { "SECURE_TLS_BOOTSTRAPPING" } else { "BOOTSTRAP_TOKEN" };
        let method = format!("BOOTSTRAPPING_AUTH_METHOD_{method}");
        set(&mut document, "bootstrapping_config.bootstrapping_auth_method", method.into());
    }
    let domain = ["name", "realmUser", "realmPassword"]
        .map(|name| nbc.text(&format!("P.linuxProfile.customSearchDomain.{name}")));
    if domain.iter().all(|text| !text.is_empty()) {
        for (name, text) in ["domain_name", "realm_user", "realm_password"].into_iter().zip(domain) {
            set(&mut document, &format!("custom_search_domain_config.{name}"), text.into());
        }
    }
    match nbc.integer("SSHStatus") {
        Some(1) => set(&mut document, "enable_ssh", false.into()),
        Some(2) => set(&mut document, "enable_ssh", true.into()),
        Some(3) => set(&mut document, "disable_pubkey_auth", true.into()),
        _ => {}
    }
    proxies(nbc, &mut own);
    for path in ["HTTPProxyConfig.httpProxy", "HTTPProxyConfig.httpsProxy", "HTTPProxyConfig.trustedCa"] {
        if nbc.optional_text(path) == Some("") {
            lose(&mut losses, nbc, path, "an empty text counts as a proxy here, and as none on the scriptless route");
        }
    }

    // What runs on it.
    let runtime = nbc.text("A.kubernetesConfig.containerRuntime");
    own.say(
        "CLI_TOOL",
        match runtime {
            "containerd" => "ctr",
            "" => "",
            _ => "docker",
        }
        .to_owned(),
    );
    if runtime == "containerd" {
        for (path, target) in
            [("ContainerdVersion", "containerd_version"), ("ContainerdPackageURL", "containerd_package_url")]
        {
            if !nbc.text(path).is_empty() {
                set(&mut document, &format!("containerd_config.{target}"), nbc.text(path).into());
            }
        }
    } else if nbc.has("AgentPoolProfile") {
        lose(&mut losses, nbc, "A.kubernetesConfig.containerRuntime", "the scriptless route always runs containerd");
    }
    set(&mut document, "enable_unattended_upgrade", (!nbc.switch("DisableUnattendedUpgrades")).into());
    if let Some(timeout) = nbc.integer("CSETimeout").filter(|timeout| *timeout != 0) {
        set(&mut document, "cse_timeout", timeout.into());
    }
    if nbc.text("A.workloadRuntime") == "OCIContainer" {
        set(&mut document, "workload_runtime", "WORKLOAD_RUNTIME_OCI_CONTAINER".into());
    }
    let disk = nbc.text("A.kubeletDiskType");
    match disk {
        "OS" => set(&mut document, "kubelet_config.kubelet_disk_type", "KUBELET_DISK_OS_DISK".into()),
        "Temporary" => set(&mut document, "kubelet_config.kubelet_disk_type", "KUBELET_DISK_TEMP_DISK".into()),
        _ => {}
    }
    own.say("HAS_KUBELET_DISK_TYPE", (!["", "OS"].contains(&disk)).to_string());
    let data_dir = |path: &str| nbc.map(path).and_then(|map| map.get("dataDir").cloned()).unwrap_or_default();
    let data = match (data_dir("A.kubernetesConfig.containerRuntimeConfig"), disk) {
        (folder, _) if !folder.is_empty() => folder,
        (_, "Temporary") => "/mnt/aks/containers".to_owned(),
        _ => data_dir("K.containerRuntimeConfig"),
    };
    set(&mut document, "kubelet_config.container_data_dir", data.into());
    system_settings(nbc, distro, &mut document, &mut own);
    local_dns(nbc, &mut document, &mut own);

    // The kubelet.
    let mut flags = nbc.map("KubeletConfig").unwrap_or_default();
    if nbc.has("KubeletConfig") {
        kubelet::clean(&mut flags, version);
    }
    let has_file = kubelet::has_file(nbc, version);
    let of_cluster =
        nbc.map("P.customConfiguration.KubernetesConfigurations.kubelet.Config").filter(|map| !map.is_empty());
    let command_line = kubelet::command_line(&flags, of_cluster.as_ref(), has_file, version);
    own.say("KUBELET_FLAGS", kubelet::joined(&command_line));
    own.say("KUBELET_CONFIG_FILE_ENABLED", has_file.to_string());
    set(&mut document, "kubelet_config.kubelet_flags", json!(command_line));
    set(&mut document, "kubelet_config.enable_kubelet_config_file", has_file.into());
    let pool = nbc.text("A.name");
    let labels = nbc.map("A.customNodeLabels").unwrap_or_default();
    own.say("KUBELET_NODE_LABELS", kubelet::labels(pool, &labels));
    let mut all_labels = labels;
    for name in ["agentpool", "kubernetes.azure.com/agentpool"] {
        all_labels.entry(name.to_owned()).or_insert_with(|| pool.to_owned());
    }
    set(&mut document, "kubelet_config.kubelet_node_labels", json!(all_labels));
    let rotates = flags.get("--rotate-server-certificates").is_some_and(|value| value == "true");
    own.say("ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION", rotates.to_string());

    // As given: here an unset number is 0, not the contract's default.
    for (name, path) in AS_GIVEN {
        own.say(name, nbc.number(path));
    }
    for (name, path) in SWITCHES_AS_GIVEN {
        own.say(name, nbc.switch(path).to_string());
    }
    own.say("CLOUDPROVIDER_BACKOFF_MODE", nbc.text("K.cloudProviderBackoffMode").to_owned());
    own.say("ADMINUSER", nbc.text("P.linuxProfile.adminUsername").to_owned());
    own.say("EXCLUDE_MASTER_FROM_STANDARD_LB", "true".to_owned());
    own.say("SKIP_WAAGENT_HOLD", "false".to_owned());

    let mut configuration = match Configuration::from_document(Value::Object(document).to_string().as_bytes()) {
        Ok(decoded) => decoded.configuration,
        Err(report) => {
            // Types were judged before, so this is a value out of the contract's bounds.
            findings.extend(report.findings.into_iter().map(|finding| Finding::error(finding.path, finding.problem)));
            return None;
        }
    };
    if nbc.has("KubeletConfig") {
        let file = kubelet::file(&flags, nbc);
        let switched_off = nbc.optional_switch("A.customKubeletConfig.seccompDefault") == Some(false);
        if switched_off {
            lose(
                &mut losses,
                nbc,
                "A.customKubeletConfig.seccompDefault",
                "the contract cannot say `false` here, which is the kubelet's default",
            );
        }
        own.say("KUBELET_CONFIG_FILE_CONTENT", STANDARD.encode(kubelet::file_text(&file, switched_off)));
        configuration.kubelet_config.get_or_insert_default().kubelet_config_file_config = Some(file);
    } else {
        own.say("KUBELET_CONFIG_FILE_CONTENT", String::new());
    }
    Some(Nbc {
        configuration,
        distro,
        family,
        os: family.os(name, os_sku),
        waits_for_cloud_init: !nbc.switch("DisableCustomData") && !matches!(family, Family::Flatcar | Family::Acl),
        scripts_of_the_image: nbc.switch("EnableScriptlessCSECmd"),
        is_custom_cloud,
        own,
        losses,
    })
}

/// Numbers that are written as they stand.
const AS_GIVEN: [(&str, &str); 9] = [
    ("CLOUDPROVIDER_BACKOFF_RETRIES", "K.cloudProviderBackoffRetries"),
    ("CLOUDPROVIDER_BACKOFF_EXPONENT", "K.cloudProviderBackoffExponent"),
    ("CLOUDPROVIDER_BACKOFF_DURATION", "K.cloudProviderBackoffDuration"),
    ("CLOUDPROVIDER_BACKOFF_JITTER", "K.cloudProviderBackoffJitter"),
    ("CLOUDPROVIDER_RATELIMIT_QPS", "K.cloudProviderRateLimitQPS"),
    ("CLOUDPROVIDER_RATELIMIT_QPS_WRITE", "K.cloudProviderRateLimitQPSWrite"),
    ("CLOUDPROVIDER_RATELIMIT_BUCKET", "K.cloudProviderRateLimitBucket"),
    ("CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE", "K.cloudProviderRateLimitBucketWrite"),
    ("MAXIMUM_LOADBALANCER_RULE_COUNT", "K.maximumLoadBalancerRuleCount"),
];

/// Switches that are written as they stand.
const SWITCHES_AS_GIVEN: [(&str, &str); 3] = [
    ("CLOUDPROVIDER_BACKOFF", "K.cloudProviderBackoff"),
    ("CLOUDPROVIDER_RATELIMIT", "K.cloudProviderRateLimit"),
    ("LOAD_BALANCER_DISABLE_OUTBOUND_SNAT", "K.cloudProviderDisableOutboundSNAT"),
];

fn as_json(tree: &Tree) -> Value {
    match tree {
        Tree::Null | Tree::Bytes(_) => Value::Null,
        Tree::Bool(value) => (*value).into(),
        Tree::Integer(number) => (*number).into(),
        Tree::Number(number) => json!(number),
        Tree::Text(text) => text.as_str().into(),
        Tree::List(list) => list.iter().map(as_json).collect(),
        Tree::Map(members) => members.iter().map(|(name, value)| (name.clone(), as_json(value))).collect(),
    }
}

/// The cloud that a region is in.
fn cloud_of_region(location: &str) -> &'static str {
    let region = location.to_lowercase().replace(' ', "");
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| region.starts_with(prefix));
    match region.as_str() {
        "germanynortheast" | "germanycentral" => "AzureGermanCloud",
        _ if begins(&["china"]) => "AzureChinaCloud",
        _ if begins(&["usgov", "usdod"]) => "AzureUSGovernmentCloud",
        _ if begins(&["bleu"]) => "AzureBleuCloud",
        _ if begins(&["delos"]) => "AzureGermanyCloud",
        _ if begins(&["singapore"]) => "AzureSingaporeCloud",
        _ => "AzurePublicCloud",
    }
}

/// Members of a custom cloud's environment, in their order.
const ENVIRONMENT: [&str; 22] = [
    "mcrURL",
    "repoDepotEndpoint",
    "managementPortalURL",
    "publishSettingsURL",
    "serviceManagementEndpoint",
    "resourceManagerEndpoint",
    "activeDirectoryEndpoint",
    "galleryEndpoint",
    "keyVaultEndpoint",
    "graphEndpoint",
    "serviceBusEndpoint",
    "batchManagementEndpoint",
    "storageEndpointSuffix",
    "sqlDatabaseDNSSuffix",
    "trafficManagerDNSSuffix",
    "keyVaultDNSSuffix",
    "serviceBusEndpointSuffix",
    "serviceManagementVMDNSSuffix",
    "resourceManagerVMDNSSuffix",
    "containerRegistryDNSSuffix",
    "cosmosDBDNSSuffix",
    "tokenAudience",
];

/// Members of its identifiers.
const IDENTIFIERS: [&str; 6] = ["graph", "keyVault", "datalake", "batch", "operationalInsights", "storage"];

/// The environment of a custom cloud as one line of JSON.
fn custom_environment(nbc: &Document<'_>) -> String {
    let quoted = |text: &str| {
        let text = Value::from(text).to_string();
        text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
    };
    let text_of = |name: &str| match nbc.get(&format!("P.customCloudEnv.{name}")) {
        Some(Tree::Text(text)) => text.as_str(),
        _ => "",
    };
    let member = |name: &str, path: &str| match text_of(path) {
        "" => None,
        text => Some(format!("\"{name}\":{}", quoted(text))),
    };
    let mut members = vec!["\"name\":\"AzureStackCloud\"".to_owned(), "\"Name\":\"AzureStackCloud\"".to_owned()];
    members.extend(ENVIRONMENT.iter().filter_map(|name| member(name, name)));
    let identifiers = IDENTIFIERS.iter().filter_map(|name| member(name, &format!("resourceIdentifiers.{name}")));
    let identifiers: Vec<_> = identifiers.collect();
    format!("{{{},\"resourceIdentifiers\":{{{}}}}}", members.join(","), identifiers.join(","))
}

/// What differs for proxies: here a text that is present counts, also an empty one.
fn proxies(nbc: &Document<'_>, own: &mut Own) {
    let (http, https) =
        (nbc.optional_text("HTTPProxyConfig.httpProxy"), nbc.optional_text("HTTPProxyConfig.httpsProxy"));
    own.say("SHOULD_CONFIGURE_HTTP_PROXY", (http.is_some() || https.is_some()).to_string());
    own.say("SHOULD_CONFIGURE_HTTP_PROXY_CA", nbc.has("HTTPProxyConfig.trustedCa").to_string());
    // On the node the reference's quotes around the addresses are gone.
    let mut text = String::new();
    if nbc.has("HTTPProxyConfig.noProxy") {
        let _ = write!(text, "export NO_PROXY={}; ", nbc.texts("HTTPProxyConfig.noProxy").join(","));
    }
    if let Some(https) = https {
        let _ = write!(text, "export HTTPS_PROXY={https}; ");
    }
    if let Some(http) = http {
        let _ = write!(text, "export http_proxy={http};");
    }
    own.say("PROXY_VARS", text);
}

/// Kernel settings, limits, swap.
fn system_settings(nbc: &Document<'_>, distro: NodeDistro, document: &mut Map<String, Value>, own: &mut Own) {
    own.say("SYSCTL_CONTENT", STANDARD.encode(kernel_settings(nbc)));
    if !nbc.has("A.customLinuxOSConfig") {
        return;
    }
    if !document.contains_key("custom_linux_os_config") {
        set(document, "custom_linux_os_config", json!({}));
    }
    if let Some(Tree::Map(given)) = nbc.get("A.customLinuxOSConfig.sysctls") {
        set(document, "custom_linux_os_config.sysctl_config", json!({}));
        for field in SYSCTLS.iter().filter_map(|setting| setting.field) {
            let value = given.iter().find(|(name, _)| snake(name) == field).map(|(_, value)| value);
            if let Some(value) = value.filter(|value| **value != Tree::Null && **value != Tree::Text(String::new())) {
                set(document, &format!("custom_linux_os_config.sysctl_config.{field}"), as_json(value));
            }
        }
    }
    if let Some(limits) = nbc.map("A.customLinuxOSConfig.ulimitConfig") {
        set(document, "custom_linux_os_config.ulimit_config", json!({}));
        // The blank at its end belongs to the name.
        let memory = limits.get("maxLockedMemory ").map(String::as_str).unwrap_or_default();
        let files = limits.get("noFile").map(String::as_str).unwrap_or_default();
        if !memory.is_empty() {
            set(document, "custom_linux_os_config.ulimit_config.max_locked_memory", memory.into());
        }
        if !files.is_empty() && !distro.keeps_open_files {
            set(document, "custom_linux_os_config.ulimit_config.no_file", files.into());
        }
    }
    let swap = nbc.integer("A.customLinuxOSConfig.swapFileSizeMB").unwrap_or_default();
    if nbc.optional_switch("A.customKubeletConfig.failSwapOn") == Some(false) && swap > 0 {
        set(document, "custom_linux_os_config.enable_swap_config", true.into());
    }
}

/// `netIpv4TcpTwReuse` as the contract has it: `net_ipv4_tcp_tw_reuse`.
fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 6);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// The fixed settings and their defaults, in the order of the file on the node.
const FIRST_SETTINGS: [&str; 8] = [
    "net.ipv4.tcp_retries2",
    "net.core.message_burst",
    "net.core.message_cost",
    "net.core.somaxconn",
    "net.ipv4.tcp_max_syn_backlog",
    "net.ipv4.neigh.default.gc_thresh1",
    "net.ipv4.neigh.default.gc_thresh2",
    "net.ipv4.neigh.default.gc_thresh3",
];

/// The others, where they are asked for.
const FURTHER_SETTINGS: [&str; 23] = [
    "net.core.netdev_max_backlog",
    "net.core.rmem_default",
    "net.core.rmem_max",
    "net.core.wmem_default",
    "net.core.wmem_max",
    "net.core.optmem_max",
    "net.ipv4.tcp_max_tw_buckets",
    "net.ipv4.tcp_fin_timeout",
    "net.ipv4.tcp_keepalive_time",
    "net.ipv4.tcp_keepalive_probes",
    "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_tw_reuse",
    "net.ipv4.ip_local_port_range",
    "net.netfilter.nf_conntrack_max",
    "net.netfilter.nf_conntrack_buckets",
    "fs.inotify.max_user_watches",
    "fs.file-max",
    "fs.aio-max-nr",
    "fs.nr_open",
    "kernel.threads-max",
    "vm.max_map_count",
    "vm.swappiness",
    "vm.vfs_cache_pressure",
];

fn kernel_settings(nbc: &Document<'_>) -> String {
    use crate::catalogue::sysctls::{PORT_RANGE, RESERVED_PORT, RESERVED_PORTS};
    let given = match nbc.get("A.customLinuxOSConfig.sysctls") {
        Some(Tree::Map(given)) => Some(given),
        _ => None,
    };
    let asked = |key: &str| {
        let setting = SYSCTLS.iter().find(|setting| setting.key == key);
        let value = setting.and_then(|setting| {
            let field = setting.field?;
            given?.iter().find(|(name, _)| snake(name) == field).map(|(_, value)| value)
        });
        let value = value.and_then(|value| match value {
            Tree::Integer(number) => Some(number.to_string()),
            // Whatever it says.
            Tree::Bool(_) => Some("1".to_owned()),
            Tree::Text(text) if !text.is_empty() => Some(text.clone()),
            _ => None,
        });
        value.or_else(|| setting?.default.map(|default| default.to_string()))
    };
    let mut text = String::from(
        "# This is a partial workaround to this upstream Kubernetes issue:\n\
         # https://github.com/kubernetes/kubernetes/issues/41916#issuecomment-312428731\n",
    );
    for key in FIRST_SETTINGS {
        let _ = writeln!(text, "{key}={}", asked(key).unwrap_or_default());
    }
    if given.is_none() {
        return text;
    }
    text.push_str("# The following are sysctl configs passed from API\n");
    for key in FURTHER_SETTINGS {
        let Some(value) = asked(key) else { continue };
        let _ = writeln!(text, "{key}={value}");
        if key == PORT_RANGE {
            text.push_str("\n\n");
            let last = value.split(' ').nth(1).and_then(|last| last.parse::<i64>().ok());
            if last.is_some_and(|last| last >= i64::from(RESERVED_PORT)) {
                let _ = writeln!(text, "{RESERVED_PORTS}={RESERVED_PORT}");
            }
        }
    }
    text
}

/// The node-local DNS: its overrides, and limits that count here also when it is off.
fn local_dns(nbc: &Document<'_>, document: &mut Map<String, Value>, own: &mut Own) {
    if !nbc.has("A.localDNSProfile") {
        return;
    }
    if !document.contains_key("local_dns_profile") {
        set(document, "local_dns_profile", json!({}));
    }
    for (path, target) in [("vnetDNSOverrides", "vnet_dns_overrides"), ("kubeDNSOverrides", "kube_dns_overrides")] {
        if let Some(Tree::Map(domains)) = nbc.get(&format!("A.localDNSProfile.{path}")) {
            let domains: Map<String, Value> = domains.iter().map(|(name, one)| (name.clone(), snaked(one))).collect();
            set(document, &format!("local_dns_profile.{target}"), Value::Object(domains));
        }
    }
    for (name, path, unit) in [
        ("LOCALDNS_CPU_LIMIT", "A.localDNSProfile.cpuLimitInMilliCores", "CPU"),
        ("LOCALDNS_MEMORY_LIMIT", "A.localDNSProfile.memoryLimitInMB", "MB"),
    ] {
        if let Some(limit) = nbc.integer(path) {
            let text = if unit == "CPU" { format!("{:.1}%", f64::from(limit) / 10.0) } else { format!("{limit}M") };
            own.say(name, text);
        }
    }
}

/// A value with the names of its members as the contract has them.
fn snaked(tree: &Tree) -> Value {
    match tree {
        Tree::Map(members) => members.iter().map(|(name, value)| (snake(name), snaked(value))).collect(),
        other => as_json(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::SysctlConfig;

    #[test]
    fn every_kernel_setting_has_its_place_in_the_file() {
        for setting in SYSCTLS.iter().filter(|setting| setting.field.is_some()) {
            let first = FIRST_SETTINGS.contains(&setting.key);
            assert!(first != FURTHER_SETTINGS.contains(&setting.key), "{}", setting.key);
        }
        assert!(SysctlConfig::descriptor().fields.len() < FIRST_SETTINGS.len() + FURTHER_SETTINGS.len());
    }

    #[test]
    fn references_into_a_key_vault_are_no_certificates() {
        let vault = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v/secrets/n";
        assert!(is_key_vault_reference(vault) && is_key_vault_reference(&format!("{vault}/1")));
        assert!(
            !is_key_vault_reference("-----BEGIN CERTIFICATE-----") && !is_key_vault_reference(&format!("{vault}/1/2"))
        );
    }
}
