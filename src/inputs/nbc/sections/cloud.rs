//! The cloud: its environment, its registries, and access of nodes to the internet.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::catalogue::clouds::{self, PUBLIC_REGISTRY};
use crate::configuration::html_safe;
use crate::document::fields;
use crate::inputs::member::member;
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::request::{CustomCloud, Request, kubernetes, properties};

pub(super) fn convert(conversion: &mut Conversion<'_>) {
    environment(conversion);
    registries(conversion);
    outbound_access(conversion);
    private_egress(conversion);
}

/// Reports whether the document describes its own cloud.
pub(in crate::inputs::nbc) fn is_custom_cloud(request: &Request) -> bool {
    clouds::is_custom(properties!(request.customCloudEnv.Name).text())
}

fn environment(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let cloud = properties!(request.customCloudEnv);
    let (name, suffix) =
        (properties!(request.customCloudEnv.Name), properties!(request.customCloudEnv.containerRegistryDNSSuffix));
    conversion.copy_text(name, target!(custom_cloud_config.custom_cloud_env_name));
    let depot = properties!(request.customCloudEnv.repoDepotEndpoint);
    conversion.copy_text(depot, target!(custom_cloud_config.repo_depot_endpoint));
    // The reference ignores it elsewhere.
    if is_custom_cloud(request) {
        conversion.copy_text(suffix, target!(custom_cloud_config.container_registry_dns_suffix));
    }
    if cloud.value.is_some() {
        let endpoint = properties!(request.customCloudEnv.resourceManagerEndpoint);
        conversion.set_variable("ARM_RESOURCE_ENDPOINT", endpoint.text());
        if !endpoint.text().is_empty() {
            conversion.report_loss(
                endpoint,
                "the scriptless route does not find the endpoint, because the environment is encoded in base64",
            );
        }
    }
    if let Some(description) = cloud.value.filter(|_| is_custom_cloud(request)) {
        let text = STANDARD.encode(environment_file(description));
        let origin = Origin::computed([cloud.presence()]);
        conversion.set(target!(custom_cloud_config.custom_env_json_content), text, origin);
        conversion.set_variable("TARGET_ENVIRONMENT", name.text());
        conversion.set_variable("AZURE_ENVIRONMENT_FILEPATH", format!("/etc/kubernetes/{}.json", name.text()));
    } else {
        let cloud = clouds::of_region_in_nbc(member!(request.ContainerService.location).text());
        conversion.set_variable("TARGET_CLOUD", cloud.name);
        conversion.set_variable("TARGET_ENVIRONMENT", cloud.environment);
    }
}

/// Returns the environment file of a custom cloud: one line of JSON without empty texts, as Go writes it. It has the
/// members of the document in the order of their type, and a fixed name.
fn environment_file(cloud: &CustomCloud) -> String {
    let cloud = serde_json::json!(cloud);
    let identifiers = &cloud["resourceIdentifiers"];
    let names = ["\"name\":\"AzureStackCloud\"".to_owned(), "\"Name\":\"AzureStackCloud\"".to_owned()];
    let (mut members, mut of_identifiers) = (Vec::from(names), Vec::new());
    for field in fields::<CustomCloud>() {
        let (object, members) =
            if field.path.0.len() == 1 { (&cloud, &mut members) } else { (identifiers, &mut of_identifiers) };
        let text = object[field.name].as_str().unwrap_or_default();
        if !text.is_empty() && field.name != "Name" {
            members.push(format!("\"{}\":{}", field.name, object[field.name]));
        }
    }
    let (members, identifiers) = (members.join(","), of_identifiers.join(","));
    let text = format!("{{{members},\"resourceIdentifiers\":{{{identifiers}}}}}");
    html_safe(&text)
}

fn registries(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    conversion.copy_text(kubernetes!(request.privateAzureRegistryServer), target!(azure_private_registry_server));
    let base = member!(request.CloudSpecConfig.kubernetesSpecConfig.mcrKubernetesImageBase);
    if base.text().is_empty() {
        conversion.set_variable("MCR_REPOSITORY_BASE", PUBLIC_REGISTRY);
        return;
    }
    conversion.set_variable("MCR_REPOSITORY_BASE", base.text());
    if base.text().strip_suffix('/') != Some(PUBLIC_REGISTRY) {
        conversion.report_loss(base, "the scriptless route always pulls images from the registry of the public cloud");
    }
}

fn outbound_access(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let cloud = member!(request.CloudSpecConfig.cloudName);
    let custom_registry = properties!(request.customCloudEnv.mcrURL);
    let outbound_type = member!(request.OutboundType);
    let is_blocked = |text: &str| text == "block" || text == "none";
    // The reference compares the exact text for the variable, and ignores letter case for the command.
    conversion.set_variable("BLOCK_OUTBOUND_NETWORK", is_blocked(outbound_type.text()).to_string());
    let (registry, source) = match cloud.text() {
        "AzureChinaCloud" => ("gcr.azk8s.cn", cloud),
        _ if is_custom_cloud(request) => (custom_registry.text(), custom_registry),
        _ => (PUBLIC_REGISTRY, cloud),
    };
    let has_access = !properties!(request.featureFlags.blockOutboundInternet).is_on()
        && !is_blocked(&outbound_type.text().to_lowercase())
        && !registry.is_empty();
    let origin = Origin::computed([
        source.presence(),
        properties!(request.customCloudEnv.Name).presence(),
        outbound_type.presence(),
        properties!(request.featureFlags.blockOutboundInternet).presence(),
    ]);
    conversion.origins.add("outbound_command", origin);
    if has_access {
        conversion.configuration.outbound_command =
            format!("curl -v --insecure --proxy-insecure https://{registry}/v2/");
    }
}

/// Clusters that are isolated from the internet.
fn private_egress(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    if !properties!(request.securityProfile.privateEgress.enabled).is_on() {
        return;
    }
    let address = properties!(request.securityProfile.privateEgress.proxyAddress);
    conversion.copy_text(address, target!(private_egress_proxy_address));
    let registry = properties!(request.securityProfile.privateEgress.containerRegistryServer);
    conversion.copy_text(registry, target!(bootstrap_profile_container_registry_server));
    let test_mode = properties!(request.securityProfile.privateEgress.testMode);
    if test_mode.is_on() {
        conversion.set_variable("NETWORK_ISOLATED_CLUSTER_TEST_MODE", "true");
        conversion.report_loss(test_mode, "the contract has no test mode for isolated clusters");
    }
}
