//! Addresses, names, URLs, and the proxy.

use super::fields::{Context, Text, TextRule, field};
use super::syntax::{is_cidr, is_host, is_host_name, is_ip, is_proxy_url, is_resource_name, is_url, is_word};
use crate::catalogue::demands::Form;
use crate::catalogue::rules;
use crate::configuration::FieldPath;
use crate::document::{Finding, Severity};

pub(super) fn addresses(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for text in context.texts(field!("cluster_config.cluster_network_config.core_dns_service_ip")) {
        if !is_ip(text.value) {
            findings.push(text.must_be(&rules::IP_ADDRESS, "an IP address"));
        }
    }
    let count = context.number(field!("network_config.standard_secondary_nic_count")).filter(|count| count.value < 0);
    findings.extend(count.map(|count| count.must_be(&rules::NETWORK_CARDS, "0 or more")));
}

/// Host names.
const NAMES: &[TextRule] = &[
    (field!("api_server_config.api_server_name"), is_host, "a host name or an IP address"),
    (field!("custom_search_domain_config.domain_name"), is_host_name, "a domain name"),
    (
        field!("local_dns_profile.critical_fqdns"),
        |name| name.trim().is_empty() || is_host_name(name.trim()),
        "a domain name",
    ),
    (
        field!("custom_cloud_config.container_registry_dns_suffix"),
        |name| is_host_name(name.strip_prefix('.').unwrap_or(name)),
        "a domain name, with or without a leading dot",
    ),
    (field!("service_account_image_pull_profile.local_authority_sni"), is_host_name, "a host name"),
];

const REGISTRIES: &[TextRule] = &[
    (field!("azure_private_registry_server"), is_registry, "a host without scheme"),
    (
        field!("bootstrap_profile_container_registry_server"),
        is_registry,
        "a host with an optional path in lower case, without scheme and tag",
    ),
];

/// The path becomes the first part of the names of images, which have no capital letters.
fn is_registry(text: &str) -> bool {
    let (host, path) = text.split_once('/').unwrap_or((text, ""));
    let (host, port) = host.rsplit_once(':').unwrap_or((host, "443"));
    let is_path = !path.contains([':', '@']) && !path.bytes().any(|byte| byte.is_ascii_uppercase());
    let is_path = is_path && !text.ends_with('/');
    is_host_name(host) && port.parse::<u16>().is_ok() && is_path && Form::Registry.accepts(text)
}

pub(super) fn names(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let names = NAMES.iter().map(|row| (&rules::HOST_NAME, row));
    for (rule, (path, fits, expected)) in names.chain(REGISTRIES.iter().map(|row| (&rules::REGISTRY_NAME, row))) {
        for text in context.texts(path).filter(|text| !fits(text.value)) {
            let finding = text.must_be(rule, expected);
            findings.push(match bare_host(text.value).filter(|host| fits(host)) {
                Some(host) => finding.hint(format!("write `{host}`, without scheme and port")),
                None => finding,
            });
        }
    }
}

/// A registry of Azure has the name of its server, not that of the resource.
pub(super) fn registry_servers(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for text in REGISTRIES.iter().flat_map(|(path, ..)| context.texts(path)).filter(|text| is_registry(text.value)) {
        let host = text.value.split('/').next().unwrap_or_default();
        if !host.contains(['.', ':']) {
            let problem = format!("is `{host}`, which has no domain: no registry can be reached by this name");
            let finding = Finding::violation(&rules::REGISTRY_NAME, text.path(), problem).severity(Severity::Warning);
            findings
                .push(finding.hint(format!("a container registry of Azure is `{}.azurecr.io`", host.to_lowercase())));
        }
    }
}

/// Names of resources, which azure.json has and with which the cloud provider asks Azure.
const RESOURCES: &[&FieldPath] = &[
    field!("cluster_config.resource_group"),
    field!("cluster_config.primary_scale_set"),
    field!("cluster_config.primary_availability_set"),
    field!("cluster_config.cluster_network_config.vnet_name"),
    field!("cluster_config.cluster_network_config.vnet_resource_group"),
    field!("cluster_config.cluster_network_config.subnet"),
    field!("cluster_config.cluster_network_config.security_group_name"),
    field!("cluster_config.cluster_network_config.route_table"),
];

pub(super) fn resources(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for text in RESOURCES.iter().flat_map(|path| context.texts(path)).filter(|text| !is_resource_name(text.value)) {
        let finding =
            text.must_be(&rules::RESOURCE_NAME, "the name of a resource: letters, digits, `-`, `_`, `.`, `(` and `)`");
        let whole = text.value.trim_matches(|c: char| c == '/' || c.is_whitespace());
        let last = whole.rsplit('/').next().filter(|last| !last.is_empty() && is_resource_name(last));
        findings.push(match last {
            Some(last) if text.value.starts_with('/') => finding.hint(format!("this is a resource id: write `{last}`")),
            Some(last) => finding.hint(format!("write `{last}`")),
            None => finding,
        });
    }
}

/// Names of resources: the kind, the lengths that Azure accepts, and what may be at the end besides letters and digits.
const LENGTHS: &[(&FieldPath, &str, usize, usize, &str)] = &[
    (field!("cluster_config.resource_group"), "a resource group", 1, 90, "-_()"),
    (field!("cluster_config.cluster_network_config.vnet_resource_group"), "a resource group", 1, 90, "-_()"),
    (field!("cluster_config.primary_scale_set"), "a scale set", 1, 64, "_"),
    (field!("cluster_config.primary_availability_set"), "an availability set", 1, 80, "_"),
    (field!("cluster_config.cluster_network_config.vnet_name"), "a virtual network", 2, 64, "_"),
    (field!("cluster_config.cluster_network_config.subnet"), "a subnet", 1, 80, "_"),
    (field!("cluster_config.cluster_network_config.security_group_name"), "a network security group", 1, 80, "_"),
    (field!("cluster_config.cluster_network_config.route_table"), "a route table", 1, 80, "_"),
];

/// Azure creates no resource with such a name, so the cloud provider does not find it.
pub(super) fn lengths(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (field, kind, least, most, at_end) in LENGTHS {
        // What is no name has a finding of its own.
        let Some(text) = context.text(field).filter(|text| is_resource_name(text.value)) else { continue };
        let length = text.value.chars().count();
        let ends = |last: char| last.is_alphanumeric() || last.is_control() || at_end.contains(last);
        // A resource group can begin with anything.
        let begins = |first: char| first.is_alphanumeric() || first.is_control() || *kind == "a resource group";
        let problem = if !(*least..=*most).contains(&length) {
            format!("has {length} characters, but the name of {kind} has {least} to {most}")
        } else if !text.value.ends_with(ends) || !text.value.starts_with(begins) {
            let wrong = if text.value.ends_with(ends) { text.value.chars().next() } else { text.value.chars().last() };
            let side = if text.value.ends_with(ends) { "begin" } else { "end" };
            format!("is `{}`: the name of {kind} does not {side} with `{}`", text.value, wrong.unwrap_or_default())
        } else {
            continue;
        };
        let finding = Finding::violation(&rules::RESOURCE_NAME, text.path(), problem);
        findings.push(finding.severity(Severity::Warning));
    }
}

/// The names that AKS gives to two resources of a cluster's network: the field, and what is behind the id of the cluster.
const OF_CLUSTER: [(&FieldPath, &str); 2] = [
    (field!("cluster_config.cluster_network_config.security_group_name"), "-nsg"),
    (field!("cluster_config.cluster_network_config.route_table"), "-routetable"),
];

/// Returns the id of the cluster in a name that AKS gave, which can be the one of the other resource.
fn cluster_id<'n>(name: &'n str, ends: &[&str]) -> Option<&'n str> {
    let rest = name.strip_prefix("aks-agentpool-")?;
    let id = ends.iter().find_map(|end| rest.strip_suffix(end))?;
    (id.len() == 8 && id.bytes().all(|byte| byte.is_ascii_digit())).then_some(id)
}

/// Compares the names of two resources that AKS created: each can stand in the place of the other, or be of another cluster.
pub(super) fn network_names(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let texts = OF_CLUSTER.map(|(field, end)| (context.text(field), field.field.name, end));
    let [(group, group_field, group_end), (table, table_field, table_end)] = &texts;
    let warning = |text: &Text<'_>, problem: String| {
        Finding::violation(&rules::RESOURCE_NAME, text.path(), problem).severity(Severity::Warning)
    };
    for (text, other, end) in [(group, table_field, table_end), (table, group_field, group_end)] {
        let swapped = text.as_ref().filter(|text| cluster_id(text.value, &[end]).is_some());
        findings.extend(swapped.map(|text| {
            let problem = format!("is `{}`, a name that AKS gives to `{other}`", text.value);
            let meant = text.value.replace(end, if *end == "-nsg" { "-routetable" } else { "-nsg" });
            warning(text, problem).hint(format!("write `{meant}`"))
        }));
    }
    let (Some(group), Some(table)) = (group, table) else { return };
    let ends = [*group_end, *table_end];
    if let (Some(one), Some(other)) = (cluster_id(group.value, &ends), cluster_id(table.value, &ends))
        && one != other
    {
        let problem =
            format!("is of the cluster with the id {other}, but `{group_field}` is of the one with the id {one}");
        findings.push(warning(table, problem));
    }
}

/// Returns the host of a URL, or of an address with a port.
fn bare_host(text: &str) -> Option<&str> {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let host = rest.split('/').next()?;
    Some(host.rsplit_once(':').map_or(host, |(host, _)| host))
}

const URLS: &[&FieldPath] = &[
    field!("bootstrapping_config.secure_tls_bootstrapping_custom_client_download_url"),
    field!("containerd_config.containerd_download_url_base"),
    field!("containerd_config.containerd_package_url"),
    field!("custom_cloud_config.repo_depot_endpoint"),
    field!("kube_binary_config.custom_kube_binary_url"),
    field!("kube_binary_config.linux_credential_provider_url"),
    field!("kube_binary_config.private_kube_binary_url"),
    field!("network_config.cni_plugins_url"),
    field!("network_config.vnet_cni_plugins_url"),
    field!("runc_config.runc_package_url"),
];

/// Fields that accept a URL or an image reference.
const REFERENCES: &[&FieldPath] = &[field!("kube_binary_config.kube_binary_url"), field!("kube_proxy_url")];

/// A reference to an image, possibly with a registry, a tag and a digest. <https://github.com/distribution/reference>
fn is_image(text: &str) -> bool {
    let (name, digest) = text.split_once('@').map_or((text, None), |(name, digest)| (name, Some(digest)));
    let path = registry_of(name).map_or(name, |registry| &name[registry.len() + 1..]);
    let (path, tag) = path.split_once(':').map_or((path, None), |(path, tag)| (path, Some(tag)));
    let is_plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_part = |part: &str| {
        part.bytes().all(|byte| is_plain(&byte) || b"._-".contains(&byte))
            && [part.as_bytes().first(), part.as_bytes().last()].iter().all(|end| end.is_some_and(is_plain))
    };
    let is_tag = |tag: &str| {
        (1..=128).contains(&tag.len())
            && !tag.starts_with(['.', '-'])
            && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    let is_digest = |digest: &str| {
        let is_hexadecimal = |hash: &str| hash.len() >= 32 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        digest.split_once(':').is_some_and(|(_, hash)| is_hexadecimal(hash))
    };
    path.split('/').all(is_part) && tag.is_none_or(is_tag) && digest.is_none_or(is_digest)
}

/// Returns the registry of an image reference, which is its first part if this looks like a host.
fn registry_of(reference: &str) -> Option<&str> {
    let (first, _) = reference.split_once('/')?;
    (first.contains(['.', ':']) || first == "localhost").then_some(first).filter(|first| is_registry(first))
}

/// Returns the texts that name a download.
pub(super) fn downloads<'c>(context: &'c Context<'_>) -> impl Iterator<Item = Text<'c>> {
    URLS.iter().chain(REFERENCES).flat_map(|path| context.texts(path))
}

pub(super) fn urls(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for text in URLS.iter().flat_map(|path| context.texts(path)).filter(|text| !is_url(text.value)) {
        findings.push(text.must_be(&rules::URL, "an absolute `http` or `https` URL"));
    }
    // `<VERSION>`, `{version}` and `${VERSION}` are left over from a template.
    let has_placeholder = |text: &Text<'_>| text.value.contains(['<', '>', '{', '}']);
    let is_suspect = |text: &Text<'_>| has_placeholder(text) || text.value.contains("windows");
    for text in downloads(context).filter(is_suspect).filter(|text| is_url(text.value)) {
        if has_placeholder(&text) {
            let finding = text.must_be(&rules::URL, "a URL without `<`, `>`, `{` and `}`, which a URL cannot have");
            findings.push(finding.hint("replace the placeholder"));
        } else {
            let finding = text.must_be(&rules::URL, "a download for Linux").severity(Severity::Warning);
            findings.push(finding);
        }
    }
    for text in context.texts(field!("kube_binary_config.pod_infra_container_image_url")) {
        if !is_image(text.value) {
            let finding = text.must_be(&rules::IMAGE_REFERENCE, "an image reference such as `registry/name:tag`");
            let lower = text.value.to_ascii_lowercase();
            findings.push(if is_image(&lower) { finding.hint(format!("write `{lower}`")) } else { finding });
        }
    }
    // Without a registry, no program on the node knows where to look.
    let is_reference =
        |text: &Text<'_>| is_url(text.value) || (is_image(text.value) && registry_of(text.value).is_some());
    for text in REFERENCES.iter().flat_map(|path| context.texts(path)).filter(|text| !is_reference(text)) {
        let expected = "a URL, or an image reference such as `registry.example/name:tag`";
        findings.push(text.must_be(&rules::IMAGE_REFERENCE, expected));
    }
}

/// The proxy is written unescaped into shell text between double quotes, into `/etc/environment`, and into the
/// configuration of systemd and apt, so it must not contain characters that are special in one of them.
pub(super) fn proxy(context: &Context<'_>, findings: &mut Vec<Finding>) {
    const EXPECTED: &str = "without whitespace, quotes, backslashes and other characters with a meaning in a shell";
    let breaks =
        |text: &Text<'_>| text.value.contains(|special| "\"'\\$`;&|<>()".contains(special)) || !is_word(text.value);
    for path in [field!("http_proxy_config.http_proxy"), field!("http_proxy_config.https_proxy")] {
        for text in context.texts(path).filter(breaks) {
            findings
                .push(text.must_be(&rules::PROXY_TEXT, EXPECTED).hint("percent-encode such characters in a password"));
        }
    }
    for path in [field!("http_proxy_config.http_proxy"), field!("http_proxy_config.https_proxy")] {
        let texts = context.texts(path).filter(|text| !breaks(text) && !is_proxy_url(text.value));
        findings.extend(texts.map(|text| {
            // Programs that use libcurl or Go accept an address without a scheme; apt does not.
            let lacks_scheme = is_proxy_url(&format!("http://{}", text.value));
            let found = if lacks_scheme { "an address without a scheme" } else { "another text" };
            let finding = text.must_contain(&rules::URL, "a URL such as `http://proxy.example:3128`", found);
            if lacks_scheme {
                finding.severity(Severity::Warning).hint("write `http://` before it")
            } else {
                finding
                    .hint("scheme, host and port must be those of a proxy, and `%` must begin an escape such as `%40`")
            }
        }));
    }
    for text in context.texts(field!("http_proxy_config.no_proxy_entries")) {
        if breaks(&text) {
            findings.push(text.must_be(&rules::PROXY_TEXT, EXPECTED));
        } else if text.value.contains('/') && !is_cidr(text.value) {
            findings.push(text.must_be(&rules::PROXY_EXCEPTION, "a host, a domain, an IP address or a CIDR range"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_of_a_url_or_an_address_is_suggested() {
        for (text, expected) in [
            ("https://api.example", "api.example"),
            ("https://api.example:443/x", "api.example"),
            ("api.example:443", "api.example"),
            ("api.example", "api.example"),
        ] {
            assert_eq!(bare_host(text), Some(expected), "{text}");
        }
    }
}
