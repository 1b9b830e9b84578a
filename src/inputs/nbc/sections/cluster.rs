//! The cluster: its location, its API server, the names of its Azure resources, and its cloud provider.

use super::cluster_id::cluster_id;
use crate::configuration::{LoadBalancerSku, VmType};
use crate::document::Step;
use crate::inputs::member::{Member, member};
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::request::{Pool, Request, kubernetes, properties};

pub(super) fn convert(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    conversion.copy_text(member!(request.ResourceGroupName), target!(cluster_config.resource_group));
    conversion.copy_text(member!(request.ContainerService.location), target!(cluster_config.location));
    conversion.copy_text(member!(request.PrimaryScaleSetName), target!(cluster_config.primary_scale_set));
    conversion.copy(kubernetes!(request.useInstanceMetadata), target!(cluster_config.use_instance_metadata));
    conversion.copy_text(properties!(request.orchestratorProfile.orchestratorVersion), target!(kubernetes_version));
    api_server(conversion);
    let names = ResourceNames::new(request);
    resource_names(conversion, &names);
    virtual_machines(conversion, &names);
    load_balancer(conversion);
    cloud_provider(conversion);
}

/// The address takes precedence over the name.
fn api_server(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let address = properties!(request.hostedMasterProfile.ipAddress);
    let source = if address.text().is_empty() { properties!(request.hostedMasterProfile.fqdn) } else { address };
    conversion.set(target!(api_server_config.api_server_name), source.text(), Origin::Field(source.path));
}

/// The parts of the names of the cluster's Azure resources.
struct ResourceNames {
    /// `aks` with a hosted control plane, else `k8s`.
    owner: &'static str,
    /// Eight digits.
    id: String,
    origin: Origin,
}

impl ResourceNames {
    fn new(request: &Request) -> Self {
        let is_hosted = properties!(request.hostedMasterProfile).value.is_some();
        let owner = if is_hosted { "aks" } else { "k8s" };
        let (id, prefix) = (properties!(request.ClusterID), properties!(request.hostedMasterProfile.dnsPrefix));
        let (id, origin) = match id.text() {
            "" if is_hosted => (cluster_id(prefix.text()), Origin::computed([prefix.presence()])),
            "" => {
                let name = pools(request).first().map(|pool| member!(pool.name).text()).unwrap_or_default();
                (cluster_id(name), Origin::Computed(vec![of_first_pool(request, "name")]))
            }
            text => (text.to_owned(), Origin::computed([id.presence()])),
        };
        Self { owner, id, origin }
    }
}

/// Returns the pools of the cluster.
fn pools(request: &Request) -> &[Pool] {
    properties!(request.agentPoolProfiles).value.map(Vec::as_slice).unwrap_or_default()
}

/// Returns the origin of a member of the first pool.
fn of_first_pool(request: &Request, name: &'static str) -> Origin {
    let list = properties!(request.agentPoolProfiles).location();
    Origin::Place(if pools(request).is_empty() {
        list
    } else {
        list.join(Step::Index(0)).join(Step::Field { name, json_name: name })
    })
}

fn resource_names(conversion: &mut Conversion<'_>, names: &ResourceNames) {
    let ResourceNames { owner, id, origin } = names;
    conversion.set(
        target!(cluster_config.cluster_network_config.security_group_name),
        format!("{owner}-agentpool-{id}-nsg"),
        origin.clone(),
    );
    conversion.set(
        target!(cluster_config.cluster_network_config.route_table),
        format!("{owner}-agentpool-{id}-routetable"),
        origin.clone(),
    );
    let pools = pools(conversion.request);
    let has_subnets = !pools.is_empty() && pools.iter().all(|pool| !member!(pool.vnetSubnetID).text().is_empty());
    let (subnet, vnet, resource_group, origin) = if has_subnets {
        // /subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/VNET/subnets/SUBNET
        let first = &pools[0];
        let subnet = member!(first.vnetSubnetID);
        let parts: Vec<_> = subnet.text().split('/').collect();
        let part = |at: usize| parts.get(at).copied().unwrap_or_default().to_owned();
        let origin = Origin::Computed(vec![of_first_pool(conversion.request, subnet.path)]);
        (part(10), part(8), Some(part(4)), origin)
    } else {
        (format!("{owner}-subnet"), format!("{owner}-vnet-{id}"), None, origin.clone())
    };
    conversion.set(target!(cluster_config.cluster_network_config.subnet), subnet, origin.clone());
    conversion.set(target!(cluster_config.cluster_network_config.vnet_name), vnet, origin.clone());
    if let Some(group) = resource_group {
        conversion.set(target!(cluster_config.cluster_network_config.vnet_resource_group), group, origin);
    }
}

fn virtual_machines(conversion: &mut Conversion<'_>, names: &ResourceNames) {
    let request = conversion.request;
    let has_profile =
        |pool: &Pool, profile: &str| member!(pool.availabilityProfile).text().eq_ignore_ascii_case(profile);
    let in_scale_set = pools(request).iter().any(|pool| has_profile(pool, "VirtualMachineScaleSets"));
    let vm_type = if in_scale_set { VmType::Vmss } else { VmType::Standard };
    let origin = Origin::computed([properties!(request.agentPoolProfiles).presence()]);
    conversion.set(target!(cluster_config.vm_type), vm_type, origin);
    if let Some(first) = pools(request).first().filter(|pool| has_profile(pool, "AvailabilitySet")) {
        let (name, profile) = (member!(first.name), member!(first.availabilityProfile));
        let origin = Origin::Computed(vec![
            of_first_pool(request, name.path),
            of_first_pool(request, profile.path),
            names.origin.clone(),
        ]);
        let name = format!("{}-availabilitySet-{}", name.text(), names.id);
        conversion.set(target!(cluster_config.primary_availability_set), name, origin);
    }
}

fn load_balancer(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let sku = kubernetes!(request.loadBalancerSku);
    conversion.copy_name(
        sku,
        &[("basic", LoadBalancerSku::Basic as i32), ("standard", LoadBalancerSku::Standard as i32)],
        target!(cluster_config.load_balancer_config.load_balancer_sku),
        "the contract has no such load balancer",
    );
    conversion.set_variable("LOAD_BALANCER_SKU", sku.text());
    let rules = kubernetes!(request.maximumLoadBalancerRuleCount);
    conversion.copy_or_zero(rules, target!(cluster_config.load_balancer_config.max_load_balancer_rule_count));
    conversion.set_variable("MAXIMUM_LOADBALANCER_RULE_COUNT", or_zero(rules));
    let snat = kubernetes!(request.cloudProviderDisableOutboundSNAT);
    conversion.copy(snat, target!(cluster_config.load_balancer_config.disable_outbound_snat));
    conversion.set_variable("LOAD_BALANCER_DISABLE_OUTBOUND_SNAT", snat.is_on().to_string());
    // The reference ignores the document's setting.
    conversion.set_variable("EXCLUDE_MASTER_FROM_STANDARD_LB", "true");
}

/// Returns the text of a value for the scripted route, which has no defaults of its own: an absent number is 0. Numbers
/// are written without exponent.
fn or_zero<T: Copy + Default + ToString>(member: Member<'_, T>) -> String {
    member.value.copied().unwrap_or_default().to_string()
}

/// A member of the cloud provider's configuration: its variable, the member, and its field in the Configuration.
macro_rules! provider {
    ($variable:literal, $request:ident . $member:ident, $field:ident) => {
        ($variable, kubernetes!($request.$member), target!(cluster_config.cloud_provider_config.$field))
    };
}

fn cloud_provider(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let (variable, mode, target) =
        provider!("CLOUDPROVIDER_BACKOFF_MODE", request.cloudProviderBackoffMode, backoff_mode);
    conversion.copy_text(mode, target);
    conversion.set_variable(variable, mode.text());
    for (variable, member, target) in [
        provider!("CLOUDPROVIDER_BACKOFF", request.cloudProviderBackoff, backoff),
        provider!("CLOUDPROVIDER_RATELIMIT", request.cloudProviderRateLimit, rate_limit),
    ] {
        conversion.copy(member, target);
        conversion.set_variable(variable, or_zero(member));
    }
    for (variable, member, target) in [
        provider!("CLOUDPROVIDER_BACKOFF_RETRIES", request.cloudProviderBackoffRetries, backoff_retries),
        provider!("CLOUDPROVIDER_BACKOFF_DURATION", request.cloudProviderBackoffDuration, backoff_duration),
        provider!("CLOUDPROVIDER_RATELIMIT_BUCKET", request.cloudProviderRateLimitBucket, rate_limit_bucket),
        provider!(
            "CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE",
            request.cloudProviderRateLimitBucketWrite,
            rate_limit_bucket_write
        ),
    ] {
        conversion.copy_or_zero(member, target);
        conversion.set_variable(variable, or_zero(member));
    }
    for (variable, member, target) in [
        provider!("CLOUDPROVIDER_BACKOFF_EXPONENT", request.cloudProviderBackoffExponent, backoff_exponent),
        provider!("CLOUDPROVIDER_BACKOFF_JITTER", request.cloudProviderBackoffJitter, backoff_jitter),
        provider!("CLOUDPROVIDER_RATELIMIT_QPS", request.cloudProviderRateLimitQPS, rate_limit_qps),
        provider!("CLOUDPROVIDER_RATELIMIT_QPS_WRITE", request.cloudProviderRateLimitQPSWrite, rate_limit_qps_write),
    ] {
        conversion.copy_or_zero(member, target);
        conversion.set_variable(variable, or_zero(member));
    }
}
