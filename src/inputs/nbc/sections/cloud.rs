//! The cloud: its environment, its registries, and how much of the internet a node may reach.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::catalogue::clouds::{self, PUBLIC_REGISTRY};
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::fields::request::{self as field, Request};
use crate::inputs::nbc::reader::{Field, Members, Text};

pub(super) fn convert(conversion: &mut Conversion<'_, '_>) {
    environment(conversion);
    registries(conversion);
    outbound_access(conversion);
    private_egress(conversion);
}

/// Reports whether the document describes its own cloud.
pub(in crate::inputs::nbc) fn is_custom_cloud(document: &Members<'_, Request>) -> bool {
    clouds::is_custom(document.text(field::CUSTOM_CLOUD_NAME))
}

fn environment(conversion: &mut Conversion<'_, '_>) {
    conversion.copy(field::CUSTOM_CLOUD_NAME, target!(custom_cloud_config.custom_cloud_env_name));
    conversion.copy(field::REPO_DEPOT_ENDPOINT, target!(custom_cloud_config.repo_depot_endpoint));
    conversion.copy(field::CONTAINER_REGISTRY_DNS_SUFFIX, target!(custom_cloud_config.container_registry_dns_suffix));
    let document = conversion.document;
    if document.has(field::CUSTOM_CLOUD) {
        let endpoint = document.text(field::RESOURCE_MANAGER_ENDPOINT);
        conversion.set_variable("ARM_RESOURCE_ENDPOINT", endpoint);
        if !endpoint.is_empty() {
            conversion.report_loss(
                field::RESOURCE_MANAGER_ENDPOINT,
                "the scriptless route does not find the endpoint, because the environment is encoded in base64",
            );
        }
    }
    if is_custom_cloud(document) {
        let name = document.text(field::CUSTOM_CLOUD_NAME);
        let origin = conversion.computed_from(&[field::CUSTOM_CLOUD.number()]);
        let text = STANDARD.encode(environment_file(document));
        conversion.set(target!(custom_cloud_config.custom_env_json_content), text, origin);
        conversion.set_variable("TARGET_ENVIRONMENT", name);
        conversion.set_variable("AZURE_ENVIRONMENT_FILEPATH", format!("/etc/kubernetes/{name}.json"));
    } else {
        let cloud = clouds::of_region_in_nbc(document.text(field::LOCATION));
        conversion.set_variable("TARGET_CLOUD", cloud.name);
        conversion.set_variable("TARGET_ENVIRONMENT", cloud.environment);
    }
}

/// The members of a custom cloud's environment file after its names, in the file's order.
const ENVIRONMENT: [Field<Request, Text>; 22] = [
    field::MCR_URL,
    field::REPO_DEPOT_ENDPOINT,
    field::MANAGEMENT_PORTAL_URL,
    field::PUBLISH_SETTINGS_URL,
    field::SERVICE_MANAGEMENT_ENDPOINT,
    field::RESOURCE_MANAGER_ENDPOINT,
    field::ACTIVE_DIRECTORY_ENDPOINT,
    field::GALLERY_ENDPOINT,
    field::KEY_VAULT_ENDPOINT,
    field::GRAPH_ENDPOINT,
    field::SERVICE_BUS_ENDPOINT,
    field::BATCH_MANAGEMENT_ENDPOINT,
    field::STORAGE_ENDPOINT_SUFFIX,
    field::SQL_DATABASE_DNS_SUFFIX,
    field::TRAFFIC_MANAGER_DNS_SUFFIX,
    field::KEY_VAULT_DNS_SUFFIX,
    field::SERVICE_BUS_ENDPOINT_SUFFIX,
    field::SERVICE_MANAGEMENT_VM_DNS_SUFFIX,
    field::RESOURCE_MANAGER_VM_DNS_SUFFIX,
    field::CONTAINER_REGISTRY_DNS_SUFFIX,
    field::COSMOS_DB_DNS_SUFFIX,
    field::TOKEN_AUDIENCE,
];

/// The members of its `resourceIdentifiers`, likewise.
const IDENTIFIERS: [Field<Request, Text>; 6] = [
    field::GRAPH_IDENTIFIER,
    field::KEY_VAULT_IDENTIFIER,
    field::DATALAKE_IDENTIFIER,
    field::BATCH_IDENTIFIER,
    field::OPERATIONAL_INSIGHTS_IDENTIFIER,
    field::STORAGE_IDENTIFIER,
];

/// Returns the environment file of a custom cloud: one line of JSON without empty texts, as Go writes it.
fn environment_file(document: &Members<'_, Request>) -> String {
    let member = |field: &Field<Request, Text>| match document.text(*field) {
        "" => None,
        text => {
            let text = Value::from(text).to_string();
            let text = text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
            Some(format!("\"{}\":{text}", field.name()))
        }
    };
    let names = ["\"name\":\"AzureStackCloud\"".to_owned(), "\"Name\":\"AzureStackCloud\"".to_owned()];
    let members: Vec<_> = names.into_iter().chain(ENVIRONMENT.iter().filter_map(member)).collect();
    let identifiers: Vec<_> = IDENTIFIERS.iter().filter_map(member).collect();
    format!("{{{},\"resourceIdentifiers\":{{{}}}}}", members.join(","), identifiers.join(","))
}

fn registries(conversion: &mut Conversion<'_, '_>) {
    conversion.copy(field::PRIVATE_AZURE_REGISTRY_SERVER, target!(azure_private_registry_server));
    let base = conversion.document.text(field::MCR_KUBERNETES_IMAGE_BASE);
    let server = if base.is_empty() { PUBLIC_REGISTRY } else { base };
    conversion.set_variable("MCR_REPOSITORY_BASE", server);
    if !base.is_empty() && base.strip_suffix('/') != Some(PUBLIC_REGISTRY) {
        conversion.report_loss(
            field::MCR_KUBERNETES_IMAGE_BASE,
            "the scriptless route always pulls images from the registry of the public cloud",
        );
    }
}

fn outbound_access(conversion: &mut Conversion<'_, '_>) {
    let document = conversion.document;
    let outbound_type = document.text(field::OUTBOUND_TYPE);
    let is_blocked = |text: &str| text == "block" || text == "none";
    // The reference compares the exact text for the variable, and ignores its case for the command.
    conversion.set_variable("BLOCK_OUTBOUND_NETWORK", is_blocked(outbound_type).to_string());
    let (registry, source) = match document.text(field::CLOUD_NAME) {
        "AzureChinaCloud" => ("gcr.azk8s.cn", field::CLOUD_NAME.number()),
        _ if is_custom_cloud(document) => (document.text(field::MCR_URL), field::MCR_URL.number()),
        _ => (PUBLIC_REGISTRY, field::CLOUD_NAME.number()),
    };
    let has_access = !document.switch(field::BLOCK_OUTBOUND_INTERNET)
        && !is_blocked(&outbound_type.to_lowercase())
        && !registry.is_empty();
    let origin = conversion.computed_from(&[
        source,
        field::CUSTOM_CLOUD_NAME.number(),
        field::OUTBOUND_TYPE.number(),
        field::BLOCK_OUTBOUND_INTERNET.number(),
    ]);
    conversion.origins.add("outbound_command", origin);
    if has_access {
        conversion.configuration.outbound_command =
            format!("curl -v --insecure --proxy-insecure https://{registry}/v2/");
    }
}

/// Clusters that are isolated from the internet.
fn private_egress(conversion: &mut Conversion<'_, '_>) {
    if !conversion.document.switch(field::PRIVATE_EGRESS_ENABLED) {
        return;
    }
    conversion.copy(field::PRIVATE_EGRESS_PROXY_ADDRESS, target!(private_egress_proxy_address));
    conversion.copy(field::PRIVATE_EGRESS_REGISTRY_SERVER, target!(bootstrap_profile_container_registry_server));
    if conversion.document.switch(field::PRIVATE_EGRESS_TEST_MODE) {
        conversion.set_variable("NETWORK_ISOLATED_CLUSTER_TEST_MODE", "true");
        conversion.report_loss(field::PRIVATE_EGRESS_TEST_MODE, "the contract has no test mode for isolated clusters");
    }
}
