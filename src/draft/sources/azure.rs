//! The outputs of `az`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::document::Read;
use super::forms::at;
use crate::catalogue::clouds;
use crate::configuration::syntax::is_uuid;
use crate::draft::state::{Draft, Pool, ScaleSet, Size, flag_path};

/// Returns the parts of a resource id after a name, in any letter case: `id_part(id, "resourceGroups")`.
pub(super) fn id_part<'i>(id: &'i str, name: &str) -> Option<&'i str> {
    let mut parts = id.split('/');
    parts.find(|part| part.eq_ignore_ascii_case(name))?;
    parts.next().filter(|part| !part.is_empty())
}

/// Members of every resource that are irrelevant for nodes.
pub(super) const RESOURCE: &[&str] = &[
    "etag",
    "id",
    "name",
    "properties",
    "provisioningState",
    "resourceGroup",
    "status",
    "systemData",
    "timeCreated",
    "type",
    // Of every row of Azure Resource Graph.
    "apiVersion",
    "managedBy",
    "subscriptionId",
    "zones",
];

/// `az aks show`.
pub(super) fn managed_cluster(document: &mut Read<'_>) {
    document.ignore(RESOURCE);
    document.ignore(&[
        "azurePortalFqdn",
        "dnsPrefix",
        "fqdnSubdomain",
        "kind",
        "maxAgentPools",
        "powerState",
        "resourceUid",
        "sku",
        "supportPlan",
        "windowsProfile",
    ]);
    own_identity(document);
    availability(document);
    document.identity("cluster_config.resource_group", "nodeResourceGroup");
    location(document);
    api_server(document);
    for path in ["currentKubernetesVersion", "kubernetesVersion"] {
        if let Some(version) = document.text(path).filter(|version| version.split('.').count() == 3) {
            document.put("kubernetes_version", version, path);
        }
    }
    document.fact("linux_admin_username", "linuxProfile.adminUsername");
    document.identity("auth_config.tenant_id", "identity.tenantId");
    // A cluster with an identity of its user has no tenant, except in a row of Azure Resource Graph.
    document.identity("auth_config.tenant_id", "tenantId");
    document.identity("auth_config.assigned_identity_id", "identityProfile.kubeletidentity.clientId");
    let of_kubelet = document.text("identityProfile.kubeletidentity.resourceId").map(str::to_owned);
    document.draft.hints.kubelet_identity = of_kubelet.or(document.draft.hints.kubelet_identity.take());
    document.fact("auth_config.service_principal_id", "servicePrincipalProfile.clientId");
    network(document);
    proxy(document);
    authorities(document);
    isolation(document);
    if document.text("autoUpgradeProfile.nodeOsUpgradeChannel") == Some("Unmanaged") {
        // The node installs updates itself.
        document.put("enable_unattended_upgrade", true, "autoUpgradeProfile.nodeOsUpgradeChannel");
    }
    let origin = document.origin.clone();
    for pool in document.elements("agentPoolProfiles") {
        let name = at(pool, "name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let origin = format!("{origin}: agentPoolProfiles[{name}]");
        document.draft.pools.push(Pool { name, value: pool.clone(), origin, is_alone: false });
    }
}

/// Says that no node can join a cluster in its state.
fn availability(document: &mut Read<'_>) {
    let problem = match (document.text("provisioningState"), document.text("powerState.code")) {
        (Some("Deleting"), _) => "is being deleted: no node joins it",
        (_, Some("Stopped")) => "is stopped: no node joins it before `az aks start`",
        _ => return,
    };
    document.draft.dropped.push(format!("{}: the cluster {problem}", document.origin));
}

/// Reads the resource id of a cluster, and the names in it.
pub(super) fn own_identity(document: &mut Read<'_>) {
    let Some(id) = document.text("id") else {
        document.ignore(&["name", "resourceGroup"]);
        return;
    };
    let origin = document.origin("id");
    if let Some(subscription) = id_part(id, "subscriptions") {
        document.draft.identity("auth_config.subscription_id", subscription, &origin);
    }
    let name = id_part(id, "managedClusters").map(str::to_owned);
    let group = id_part(id, "resourceGroups").map(str::to_owned);
    document.ignore(&["name", "resourceGroup"]);
    let hints = &mut document.draft.hints;
    let differs = |known: &Option<String>, found: &Option<String>| matches!((known, found), (Some(known), Some(found)) if !known.eq_ignore_ascii_case(found));
    if differs(&hints.cluster, &name) || differs(&hints.group, &group) {
        let known = hints.cluster.clone().unwrap_or_default();
        let found = name.unwrap_or_default();
        let problem = format!("the files are of different clusters: `{known}`, and `{found}` {origin}");
        document.draft.errors.push(problem);
        return;
    }
    hints.cluster = hints.cluster.take().or(name);
    hints.group = hints.group.take().or(group);
}

fn location(document: &mut Read<'_>) {
    if let Some(location) = document.text("location") {
        // Some versions of `az` print the name for people: `West Europe`.
        document.put("cluster_config.location", location.replace(' ', "").to_lowercase(), "location");
    }
}

fn api_server(document: &mut Read<'_>) {
    let is_private = document.flag("apiServerAccessProfile.enablePrivateCluster") == Some(true);
    let names = if is_private { ["privateFqdn", "fqdn"] } else { ["fqdn", "privateFqdn"] };
    let found: Vec<_> = names.into_iter().filter_map(|path| Some((path, document.text(path)?))).collect();
    let Some((path, name)) = found.first() else { return };
    let origin = document.origin(path);
    let field = "api_server_config.api_server_name";
    let known = document.draft.files.get(field).and_then(|given| given.value.as_str()).map(str::to_owned);
    // A kubeconfig can name the server by its other name, whichever is read first.
    if known.is_some_and(|known| found.iter().any(|(_, name)| known.eq_ignore_ascii_case(name))) {
        document.draft.files.remove(field);
    }
    document.draft.identity(field, name, &origin);
    document.draft.hints.server_member = Some(*path);
    document.draft.hints.api_servers.extend(found.iter().map(|(_, name)| (*name).to_owned()));
}

fn network(document: &mut Read<'_>) {
    if let Some(plugin) = document.text("networkProfile.networkPlugin") {
        document.draft.hints.plugin = Some(plugin.to_lowercase());
    }
    if let Some(mode) = document.text("networkProfile.networkPluginMode") {
        document.draft.hints.plugin_mode = mode.to_lowercase();
    }
    if let Some(dataplane) = document.text("networkProfile.networkDataplane") {
        document.draft.hints.dataplane = dataplane.to_lowercase();
    }
    // cilium enforces policies without the node's help.
    let policies = [("calico", "NETWORK_POLICY_CALICO"), ("azure", "NETWORK_POLICY_AZURE")];
    document.word("network_config.network_policy", "networkProfile.networkPolicy", &policies);
    document.fact(&flag_path("--cluster-dns"), "networkProfile.dnsServiceIp");
    let skus = [("basic", "LOAD_BALANCER_SKU_BASIC"), ("standard", "LOAD_BALANCER_SKU_STANDARD")];
    let sku = "cluster_config.load_balancer_config.load_balancer_sku";
    document.word(sku, "networkProfile.loadBalancerSku", &skus);
    let mut families = document.elements("networkProfile.ipFamilies").iter().filter_map(Value::as_str);
    if families.any(|family| family.eq_ignore_ascii_case("IPv6")) {
        document.put("ipv6_dual_stack_enabled", true, "networkProfile.ipFamilies");
    }
    let route_table = document.text("networkProfile.routeTableId").and_then(|id| id_part(id, "routeTables"));
    if let Some(name) = route_table {
        document.put(ROUTE_TABLE, name, "networkProfile.routeTableId");
    }
    if document.text("networkProfile.podLinkLocalAccess") == Some("None") {
        let field = "imds_restriction_config.enable_imds_restriction";
        document.put(field, true, "networkProfile.podLinkLocalAccess");
    }
}

const ROUTE_TABLE: &str = "cluster_config.cluster_network_config.route_table";

/// The CAs that a user adds, as PEM or base64 of it.
fn authorities(document: &mut Read<'_>) {
    let path = "securityProfile.customCaTrustCertificates";
    let given = document.elements(path).iter().filter_map(Value::as_str);
    let encoded = |text: &str| if text.contains("-----BEGIN ") { STANDARD.encode(text) } else { text.to_owned() };
    let given: Vec<_> = given.map(encoded).collect();
    if !given.is_empty() {
        document.put("custom_ca_certs", given, path);
    }
}

/// A cluster without outbound access to the internet, whose images come from a registry of its own.
fn isolation(document: &mut Read<'_>) {
    let outbound = document.text("networkProfile.outboundType").map(str::to_lowercase);
    document.draft.hints.has_own_routes = outbound.as_deref() == Some("userdefinedrouting");
    document.draft.hints.is_isolated |= outbound.is_some_and(|kind| ["none", "block"].contains(&kind.as_str()));
    if document.text("bootstrapProfile.artifactSource") != Some("Cache") {
        return;
    }
    let path = "bootstrapProfile.containerRegistryId";
    if let Some(name) = document.text(path).and_then(|id| id_part(id, "registries")) {
        let location = document.text("location").unwrap_or_default();
        let suffix = clouds::of_region(location).registry_suffix();
        let server = format!("{}.{suffix}", name.to_lowercase());
        document.put("bootstrap_profile_container_registry_server", server, path);
    } else {
        let problem = "the cluster pulls from a registry that AKS manages, and does not name it: set \
                       `bootstrap_profile_container_registry_server`";
        document.draft.dropped.push(format!("{}: bootstrapProfile: {problem}", document.origin));
    }
}

fn proxy(document: &mut Read<'_>) {
    // A proxy that is turned off stays in the cluster.
    if document.flag("httpProxyConfig.enabled") == Some(false) {
        return;
    }
    document.fact("http_proxy_config.http_proxy", "httpProxyConfig.httpProxy");
    document.fact("http_proxy_config.https_proxy", "httpProxyConfig.httpsProxy");
    // With the entries that AKS adds, if `az` prints them.
    document.list("http_proxy_config.no_proxy_entries", "httpProxyConfig.effectiveNoProxy");
    exceptions(document);
    document.fact("http_proxy_config.proxy_trusted_ca", "httpProxyConfig.trustedCa");
}

/// Adds the user's exceptions of the proxy with those that AKS adds. Older versions of the API print both as `noProxy`, newer ones print the
/// whole list as `effectiveNoProxy`. The range of the network is the only one that a cluster does not have.
fn exceptions(document: &mut Read<'_>) {
    let path = "httpProxyConfig.noProxy";
    let given = document.elements(path).iter().filter_map(Value::as_str);
    let mut entries: Vec<String> = given.map(str::to_owned).collect();
    let has_proxy =
        ["httpProxy", "httpsProxy"].iter().any(|name| document.text(&format!("httpProxyConfig.{name}")).is_some());
    if !has_proxy {
        return document.list("http_proxy_config.no_proxy_entries", path);
    }
    let of_cluster = ["fqdn", "privateFqdn", "networkProfile.podCidr", "networkProfile.serviceCidr"];
    let of_cluster: Vec<_> = of_cluster.into_iter().filter_map(|path| at(document.value, path)?.as_str()).collect();
    let count = entries.len();
    for entry in
        ["konnectivity", "localhost", "127.0.0.1", "169.254.169.254", "168.63.129.16"].into_iter().chain(of_cluster)
    {
        if !entry.is_empty() && entries.iter().all(|known| !known.eq_ignore_ascii_case(entry)) {
            entries.push(entry.to_owned());
        }
    }
    let added = if entries.len() > count { ", and what AKS adds" } else { "" };
    document.put("http_proxy_config.no_proxy_entries", entries, &format!("{path}{added}"));
}

/// Adds the names in the id of a subnet.
pub(super) fn subnet_id(draft: &mut Draft, id: &str, origin: &str) {
    if let Some(subscription) = id_part(id, "subscriptions") {
        draft.hints.network_subscription = Some(subscription.to_owned());
    }
    for (field, part) in
        [("vnet_name", "virtualNetworks"), ("vnet_resource_group", "resourceGroups"), ("subnet", "subnets")]
    {
        let path = format!("cluster_config.cluster_network_config.{field}");
        let Some(name) = id_part(id, part) else { continue };
        let known = draft.files.get(&path).and_then(|given| given.value.as_str()).map(str::to_owned);
        match known {
            Some(known) if !known.eq_ignore_ascii_case(name) => {
                let problem = format!("`{path}` is `{known}` and `{name}` {origin}");
                draft.errors.push(format!("the files are of different networks: {problem}"));
            }
            _ => draft.fact(&path, name, origin),
        }
    }
}

/// `az network vnet subnet show`.
pub(super) fn subnet(document: &mut Read<'_>) {
    document.ignore(RESOURCE);
    document.ignore(&["addressPrefix", "addressPrefixes", "ipConfigurations"]);
    if let Some(id) = document.text("id") {
        let origin = document.origin("id");
        subnet_id(document.draft, id, &origin);
    }
    for (field, path, part) in [
        ("security_group_name", "networkSecurityGroup.id", "networkSecurityGroups"),
        ("route_table", "routeTable.id", "routeTables"),
    ] {
        if let Some(name) = document.text(path).and_then(|id| id_part(id, part)) {
            document.put(&format!("cluster_config.cluster_network_config.{field}"), name, path);
        }
    }
}

/// `az vmss show`, or `az vm show` for a machine of a pool without a scale set.
pub(super) fn scale_set(document: &mut Read<'_>) {
    document.ignore(RESOURCE);
    document.ignore(&["tags", "uniqueId"]);
    // The members below these are read by others.
    document.ignore(&["virtualMachineProfile.networkProfile.networkInterfaceConfigurations"]);
    document.ignore(&["identity.userAssignedIdentities"]);
    document.ignore(&[
        "availabilitySet",
        "hardwareProfile",
        "networkProfile",
        "osProfile",
        "storageProfile",
        "vmId",
        "diagnosticsProfile",
    ]);
    if let Some(id) = document.text("id") {
        let origin = document.origin("id");
        if let Some(subscription) = id_part(id, "subscriptions") {
            document.draft.identity("auth_config.subscription_id", subscription, &origin);
        }
        if let Some(group) = id_part(id, "resourceGroups") {
            document.draft.identity("cluster_config.resource_group", group, &origin);
        }
    }
    location(document);
    let tags = at(document.value, "tags").and_then(Value::as_object).into_iter().flatten();
    let tags = tags.filter(|(name, _)| ["aks-managed-poolName", "poolName"].contains(&name.as_str()));
    let pool = tags.min_by_key(|(name, _)| name.as_str()).and_then(|(_, pool)| Some(pool.as_str()?.to_owned()));
    document.ignore(&["sku"]);
    let set = ScaleSet { pool, value: document.value.clone(), origin: document.origin.clone() };
    document.draft.scale_sets.push(set);
}

/// Adds the values of a scale set whose nodes are those of the chosen pool.
pub(in crate::draft) fn add_scale_set(draft: &mut Draft, set: &ScaleSet) {
    let origin = |path: &str| format!("from {}: {path}", set.origin);
    // A scale set of machines that differ has no profile.
    let kind = at(&set.value, "type").and_then(Value::as_str).unwrap_or_default();
    let is_set = at(&set.value, "virtualMachineProfile").is_some()
        || kind.eq_ignore_ascii_case("Microsoft.Compute/virtualMachineScaleSets");
    let is_machine = !is_set;
    let fields: &[(&str, &str)] = if is_machine {
        &[("vm_size", "hardwareProfile.vmSize"), ("linux_admin_username", "osProfile.adminUsername")]
    } else {
        &[
            ("cluster_config.primary_scale_set", "name"),
            ("vm_size", "sku.name"),
            ("linux_admin_username", "virtualMachineProfile.osProfile.adminUsername"),
        ]
    };
    for (field, path) in fields {
        if let Some(text) = at(&set.value, path).and_then(Value::as_str) {
            draft.fact(field, text, &origin(path));
        }
    }
    if is_machine {
        draft.fact("cluster_config.vm_type", "VM_TYPE_STANDARD", &origin("type"));
        let path = "availabilitySet.id";
        let name = at(&set.value, path).and_then(Value::as_str).and_then(|id| id_part(id, "availabilitySets"));
        draft.fact("cluster_config.primary_availability_set", name, &origin(path));
    }
    let suffix = at(&set.value, "tags.aks-managed-resourceNameSuffix").and_then(Value::as_str);
    draft.hints.name_suffix = draft.hints.name_suffix.take().or(suffix.map(str::to_owned));
    let is_managed = draft.text("auth_config.service_principal_id").is_none_or(|id| id == "msi");
    if let Some((path, id)) = kubelet_identity(&set.value).filter(|_| is_managed) {
        draft.fact("auth_config.assigned_identity_id", id, &origin(path));
    }
    let cards = "virtualMachineProfile.networkProfile.networkInterfaceConfigurations";
    let origin = origin(cards);
    let Some(card) = at(&set.value, cards).and_then(Value::as_array).and_then(|cards| cards.first()) else { return };
    // The REST API has levels of `properties`, which `az` leaves out.
    let card = at(card, "properties").unwrap_or(card);
    if let Some(name) =
        at(card, "networkSecurityGroup.id").and_then(Value::as_str).and_then(|id| id_part(id, "networkSecurityGroups"))
    {
        security_group_of_card(draft, name, &origin);
    }
    let Some(first) = at(card, "ipConfigurations").and_then(Value::as_array).and_then(|list| list.first()) else {
        return;
    };
    let first = at(first, "properties").unwrap_or(first);
    if let Some(id) = at(first, "subnet.id").and_then(Value::as_str) {
        subnet_id(draft, id, &origin);
    }
}

/// Returns the client id of the kubelet's identity, and the member that has it: a tag of AKS, or of several identities that which AKS has made
/// for the nodes.
fn kubelet_identity(set: &Value) -> Option<(&'static str, &str)> {
    const PATH: &str = "identity.userAssignedIdentities";
    const TAG: &str = "tags.aks-managed-kubeletIdentityClientID";
    if let Some(id) = at(set, TAG).and_then(Value::as_str).filter(|id| is_uuid(id)) {
        return Some((TAG, id));
    }
    let identities = at(set, PATH)?.as_object()?;
    let is_of_nodes = |id: &str| id.to_ascii_lowercase().ends_with("-agentpool");
    let of_nodes = identities.iter().find(|(id, _)| is_of_nodes(id));
    let (_, identity) = of_nodes.or_else(|| identities.iter().next().filter(|_| identities.len() == 1))?;
    Some((PATH, at(identity, "clientId")?.as_str()?))
}

/// Adds the security group of the network interfaces. A subnet can have another one, which a user has attached to it and AKS does not change.
/// <https://learn.microsoft.com/azure/aks/concepts-network#network-security-groups>
fn security_group_of_card(draft: &mut Draft, name: &str, origin: &str) {
    let field = "cluster_config.cluster_network_config.security_group_name";
    let of_subnet = draft.files.remove(field).and_then(|given| Some((given.value.as_str()?.to_owned(), given.origin)));
    if let Some((known, known_origin)) = of_subnet.filter(|(known, _)| !known.eq_ignore_ascii_case(name)) {
        let origin = known_origin.trim_start_matches("from ");
        draft.dropped.push(format!("{origin}: `{known}` is ignored, because the network interfaces have `{name}`"));
    }
    draft.fact(field, name, origin);
}

/// An element of `az vm list-skus`.
pub(super) fn vm_size(document: &mut Read<'_>) {
    if document.text("resourceType").is_some_and(|kind| kind != "virtualMachines") {
        return;
    }
    let Some(name) = document.text("name").map(str::to_owned) else { return };
    let list = document.elements("capabilities");
    let capability = |name: &str| {
        let found = list.iter().find(|entry| at(entry, "name").and_then(Value::as_str) == Some(name))?;
        at(found, "value")?.as_str()
    };
    // A size with fewer CPUs than its series has the number of those that it can use.
    let cpus = capability("vCPUsAvailable").or_else(|| capability("vCPUs")).and_then(|text| text.parse().ok());
    let memory_gib = capability("MemoryGB").and_then(|text| text.parse().ok());
    // What is restricted in some zones can be created in others.
    let mut restrictions = document.elements("restrictions").iter().filter(|restriction| {
        at(restriction, "type").and_then(Value::as_str).is_some_and(|kind| kind.eq_ignore_ascii_case("Location"))
    });
    let restriction = restrictions.find_map(|restriction| {
        let regions = at(restriction, "values").or_else(|| at(restriction, "restrictionInfo.locations"));
        let regions = regions.and_then(Value::as_array).into_iter().flatten();
        let regions = regions.filter_map(Value::as_str).map(str::to_lowercase).collect();
        Some((at(restriction, "reasonCode")?.as_str()?.to_owned(), regions))
    });
    let origin = document.origin.clone();
    document.draft.hints.sizes.push(Size { name, cpus, memory_gib, restriction, origin });
}

/// Says that Azure does not create machines of the chosen size, if the list of sizes does.
pub(in crate::draft) fn note_restriction(draft: &mut Draft) {
    let region = draft.text("cluster_config.location");
    let Some(size) = draft.text("vm_size") else { return };
    let known = draft.hints.sizes.iter().find(|known| known.name.eq_ignore_ascii_case(size));
    let Some((known, (reason, regions))) = known.and_then(|known| Some((known, known.restriction.as_ref()?))) else {
        return;
    };
    if region.is_none_or(|region| regions.iter().any(|known| known == region)) {
        let problem = format!("the subscription cannot create machines of the size `{size}` in this region: {reason}");
        let note = format!("{}: {problem}", known.origin);
        draft.dropped.push(note);
    }
}

/// `az account show`.
pub(super) fn account(document: &mut Read<'_>) {
    document.identity("auth_config.tenant_id", "tenantId");
    document.identity("auth_config.subscription_id", "id");
}
