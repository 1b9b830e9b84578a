//! The cluster: where it is, its API server, the names of its Azure resources, and its cloud provider.

use super::cluster_id::cluster_id;
use crate::configuration::{LoadBalancerSku, VmType};
use crate::document::{DocPath, Step};
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::fields::pool::{self, Pool};
use crate::inputs::nbc::fields::request::{self as field, Request};
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::reader::{Decimal, Field, Integer, Members, Switch};

pub(super) fn convert(conversion: &mut Conversion<'_, '_>) {
    conversion.copy(field::RESOURCE_GROUP_NAME, target!(cluster_config.resource_group));
    conversion.copy(field::LOCATION, target!(cluster_config.location));
    conversion.copy(field::PRIMARY_SCALE_SET_NAME, target!(cluster_config.primary_scale_set));
    conversion.copy(field::USE_INSTANCE_METADATA, target!(cluster_config.use_instance_metadata));
    conversion.copy(field::ORCHESTRATOR_VERSION, target!(kubernetes_version));
    api_server(conversion);
    let document = conversion.document;
    let pools = document.get(field::AGENT_POOL_PROFILES).unwrap_or_default();
    let pools: Vec<_> = pools.iter().map(Members::<Pool>::read).collect();
    let names = ResourceNames::new(conversion, &pools);
    resource_names(conversion, &names, &pools);
    virtual_machines(conversion, &names, &pools);
    load_balancer(conversion);
    cloud_provider(conversion);
}

/// The address goes before the name.
fn api_server(conversion: &mut Conversion<'_, '_>) {
    let source = match conversion.document.text(field::HOSTED_MASTER_IP_ADDRESS) {
        "" => field::HOSTED_MASTER_FQDN,
        _ => field::HOSTED_MASTER_IP_ADDRESS,
    };
    let name = conversion.document.text(source);
    conversion.set(target!(api_server_config.api_server_name), name, Origin::Field(source.number()));
}

/// What the names of the cluster's Azure resources consist of.
struct ResourceNames {
    /// `aks` with a hosted control plane, else `k8s`.
    owner: &'static str,
    /// Eight digits.
    id: String,
    origin: Origin,
}

impl ResourceNames {
    fn new(conversion: &Conversion<'_, '_>, pools: &[Members<'_, Pool>]) -> Self {
        let document = conversion.document;
        let is_hosted = document.has(field::HOSTED_MASTER_PROFILE);
        let owner = if is_hosted { "aks" } else { "k8s" };
        let (id, origin) = match document.text(field::CLUSTER_ID) {
            "" if is_hosted => {
                let origin = conversion.computed_from(&[field::HOSTED_MASTER_DNS_PREFIX.number()]);
                (cluster_id(document.text(field::HOSTED_MASTER_DNS_PREFIX)), origin)
            }
            "" => {
                let name = pools.first().map(|pool| pool.text(pool::NAME)).unwrap_or_default();
                (cluster_id(name), of_first_pool(document, pools, pool::NAME))
            }
            id => (id.to_owned(), conversion.computed_from(&[field::CLUSTER_ID.number()])),
        };
        Self { owner, id, origin }
    }
}

/// Returns the origin of a value that is computed from a field of the first pool.
fn of_first_pool<S>(document: &Members<'_, Request>, pools: &[Members<'_, Pool>], field: Field<Pool, S>) -> Origin {
    let list = document.path(field::AGENT_POOL_PROFILES);
    let origin = match pools.first() {
        None => Origin::Place(list),
        Some(pool) => {
            let steps = list.0.into_iter().chain([Step::Index(0)]).chain(pool.path(field).0);
            Origin::Place(DocPath(steps.collect()))
        }
    };
    Origin::Computed(vec![origin])
}

fn resource_names(conversion: &mut Conversion<'_, '_>, names: &ResourceNames, pools: &[Members<'_, Pool>]) {
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
    let has_subnets = !pools.is_empty() && pools.iter().all(|pool| !pool.text(pool::VNET_SUBNET_ID).is_empty());
    let (subnet, vnet, resource_group, origin) = if has_subnets {
        // /subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/VNET/subnets/SUBNET
        let parts: Vec<_> = pools[0].text(pool::VNET_SUBNET_ID).split('/').collect();
        let part = |at: usize| parts.get(at).copied().unwrap_or_default().to_owned();
        (part(10), part(8), Some(part(4)), of_first_pool(conversion.document, pools, pool::VNET_SUBNET_ID))
    } else {
        (format!("{owner}-subnet"), format!("{owner}-vnet-{id}"), None, origin.clone())
    };
    conversion.set(target!(cluster_config.cluster_network_config.subnet), subnet, origin.clone());
    conversion.set(target!(cluster_config.cluster_network_config.vnet_name), vnet, origin.clone());
    if let Some(group) = resource_group {
        conversion.set(target!(cluster_config.cluster_network_config.vnet_resource_group), group, origin);
    }
}

fn virtual_machines(conversion: &mut Conversion<'_, '_>, names: &ResourceNames, pools: &[Members<'_, Pool>]) {
    let has_profile =
        |pool: &Members<'_, Pool>, profile: &str| pool.text(pool::AVAILABILITY_PROFILE).eq_ignore_ascii_case(profile);
    let in_scale_set = pools.iter().any(|pool| has_profile(pool, "VirtualMachineScaleSets"));
    let vm_type = if in_scale_set { VmType::Vmss } else { VmType::Standard };
    let origin = conversion.computed_from(&[field::AGENT_POOL_PROFILES.number()]);
    conversion.set(target!(cluster_config.vm_type), vm_type, origin);
    if let Some(first) = pools.first().filter(|pool| has_profile(pool, "AvailabilitySet")) {
        let name = format!("{}-availabilitySet-{}", first.text(pool::NAME), names.id);
        let origin = Origin::Computed(vec![
            of_first_pool(conversion.document, pools, pool::NAME),
            of_first_pool(conversion.document, pools, pool::AVAILABILITY_PROFILE),
            names.origin.clone(),
        ]);
        conversion.set(target!(cluster_config.primary_availability_set), name, origin);
    }
}

fn load_balancer(conversion: &mut Conversion<'_, '_>) {
    conversion.copy_name(
        field::LOAD_BALANCER_SKU,
        &[("basic", LoadBalancerSku::Basic as i32), ("standard", LoadBalancerSku::Standard as i32)],
        target!(cluster_config.load_balancer_config.load_balancer_sku),
        "the contract has no such load balancer",
    );
    conversion.set_variable("LOAD_BALANCER_SKU", conversion.document.text(field::LOAD_BALANCER_SKU));
    conversion.copy_or_zero(
        field::MAXIMUM_LOAD_BALANCER_RULE_COUNT,
        target!(cluster_config.load_balancer_config.max_load_balancer_rule_count),
    );
    conversion.copy(field::DISABLE_OUTBOUND_SNAT, target!(cluster_config.load_balancer_config.disable_outbound_snat));
    // The reference ignores what the document says about it.
    conversion.set_variable("EXCLUDE_MASTER_FROM_STANDARD_LB", "true");
}

fn cloud_provider(conversion: &mut Conversion<'_, '_>) {
    conversion.copy(field::BACKOFF, target!(cluster_config.cloud_provider_config.backoff));
    conversion.copy(field::BACKOFF_MODE, target!(cluster_config.cloud_provider_config.backoff_mode));
    conversion.copy_or_zero(field::BACKOFF_RETRIES, target!(cluster_config.cloud_provider_config.backoff_retries));
    conversion.copy_or_zero(field::BACKOFF_DURATION, target!(cluster_config.cloud_provider_config.backoff_duration));
    conversion.copy_or_zero(field::BACKOFF_EXPONENT, target!(cluster_config.cloud_provider_config.backoff_exponent));
    conversion.copy_or_zero(field::BACKOFF_JITTER, target!(cluster_config.cloud_provider_config.backoff_jitter));
    conversion.copy(field::RATE_LIMIT, target!(cluster_config.cloud_provider_config.rate_limit));
    conversion.copy_or_zero(field::RATE_LIMIT_QPS, target!(cluster_config.cloud_provider_config.rate_limit_qps));
    conversion
        .copy_or_zero(field::RATE_LIMIT_QPS_WRITE, target!(cluster_config.cloud_provider_config.rate_limit_qps_write));
    conversion.copy_or_zero(field::RATE_LIMIT_BUCKET, target!(cluster_config.cloud_provider_config.rate_limit_bucket));
    conversion.copy_or_zero(
        field::RATE_LIMIT_BUCKET_WRITE,
        target!(cluster_config.cloud_provider_config.rate_limit_bucket_write),
    );
    let document = conversion.document;
    for (variable, field) in SWITCHES {
        conversion.set_variable(variable, document.switch(field).to_string());
    }
    for (variable, field) in INTEGERS {
        conversion.set_variable(variable, document.get(field).unwrap_or_default().to_string());
    }
    for (variable, field) in DECIMALS {
        conversion.set_variable(variable, document.get(field).unwrap_or_default().to_string());
    }
    conversion.set_variable("CLOUDPROVIDER_BACKOFF_MODE", document.text(field::BACKOFF_MODE));
}

// The scripted route writes these as the document has them, and an absent number as 0: it has no defaults of its own.

const SWITCHES: [(&str, Field<Request, Switch>); 3] = [
    ("CLOUDPROVIDER_BACKOFF", field::BACKOFF),
    ("CLOUDPROVIDER_RATELIMIT", field::RATE_LIMIT),
    ("LOAD_BALANCER_DISABLE_OUTBOUND_SNAT", field::DISABLE_OUTBOUND_SNAT),
];

const INTEGERS: [(&str, Field<Request, Integer>); 5] = [
    ("CLOUDPROVIDER_BACKOFF_RETRIES", field::BACKOFF_RETRIES),
    ("CLOUDPROVIDER_BACKOFF_DURATION", field::BACKOFF_DURATION),
    ("CLOUDPROVIDER_RATELIMIT_BUCKET", field::RATE_LIMIT_BUCKET),
    ("CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE", field::RATE_LIMIT_BUCKET_WRITE),
    ("MAXIMUM_LOADBALANCER_RULE_COUNT", field::MAXIMUM_LOAD_BALANCER_RULE_COUNT),
];

/// Written as the shortest decimal without an exponent.
const DECIMALS: [(&str, Field<Request, Decimal>); 4] = [
    ("CLOUDPROVIDER_BACKOFF_EXPONENT", field::BACKOFF_EXPONENT),
    ("CLOUDPROVIDER_BACKOFF_JITTER", field::BACKOFF_JITTER),
    ("CLOUDPROVIDER_RATELIMIT_QPS", field::RATE_LIMIT_QPS),
    ("CLOUDPROVIDER_RATELIMIT_QPS_WRITE", field::RATE_LIMIT_QPS_WRITE),
];
