//! Identities, tokens, VM size, GPU, cloud, containerd, and the bootstrap script.

use base64::Engine;

use super::fields::{Context, Text, at, field};
use super::syntax::{BOOTSTRAP_TOKEN, is_bootstrap_token, is_shell_name, is_url, is_user_name, is_uuid};
use crate::catalogue::demands::BASE64;
use crate::catalogue::features::is_reserved;
use crate::catalogue::{clouds, rules, timeouts, vm_sizes};
use crate::configuration::{BootstrappingAuthMethod, BootstrappingConfig, FieldPath};
use crate::document::duration;
use crate::document::{Finding, Severity};
use crate::rendering::is_toml_text;

const UUIDS: [&FieldPath; 4] = [
    field!("auth_config.subscription_id"),
    field!("auth_config.tenant_id"),
    field!("service_account_image_pull_profile.default_client_id"),
    field!("service_account_image_pull_profile.default_tenant_id"),
];

pub(super) fn identity(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for text in UUIDS.iter().flat_map(|path| context.texts(path)) {
        if is_uuid(text.value) {
            if text.value.bytes().all(|byte| byte == b'0' || byte == b'-') {
                let problem = "is the empty UUID, which nothing has";
                findings.push(Finding::violation(&rules::UUID, text.path(), problem).hint("write the real one"));
            }
            continue;
        }
        let finding = text.must_be(&rules::UUID, "a UUID");
        let inside = text.value.split(['/', '{', '}', ' ', '"']).find(|part| is_uuid(part));
        findings.push(match inside {
            Some(id) => finding.hint(format!("write `{id}`")),
            None => finding,
        });
    }
}

/// Returns a hint on a text that is nearly a bootstrap token. It does not show the token.
pub(crate) fn token_hint(text: &str) -> Option<&'static str> {
    let decoded = BASE64.decode(text.trim()).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    Some(if text.trim() != text && is_bootstrap_token(text.trim()) {
        "remove the whitespace around it"
    } else if is_bootstrap_token(decoded.trim()) {
        "this is base64 of a token: decode it with `base64 -d`"
    } else if is_bootstrap_token(&text.to_ascii_lowercase()) {
        "write it in lower case"
    } else if text.len() == 22 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        "write a dot after the sixth character"
    } else if text.contains("BEGIN CERTIFICATE") || text.starts_with("LS0tLS1CRUdJTi") {
        "this is a certificate, which belongs in `kubernetes_ca_cert`"
    } else if text.starts_with("eyJ") {
        "this is a token of a service account or a user, which is none for bootstrapping"
    } else {
        return None;
    })
}

pub(super) fn bootstrapping(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let token = context.text(field!("bootstrapping_config.tls_bootstrapping_token"));
    let config = context.configuration.bootstrapping_config.as_ref();
    let method = config.map(BootstrappingConfig::bootstrapping_auth_method);
    match token {
        Some(token) if !is_bootstrap_token(token.value) => {
            let finding = token.must_be(&rules::BOOTSTRAP_TOKEN, BOOTSTRAP_TOKEN);
            findings.push(match token_hint(token.value) {
                Some(hint) => finding.hint(hint),
                None => finding,
            });
        }
        None if method == Some(BootstrappingAuthMethod::BootstrapToken) => {
            let problem = "is empty, but the authentication method is a bootstrap token: the node cannot join";
            let path = at(field!("bootstrapping_config.tls_bootstrapping_token"));
            findings.push(Finding::violation(&rules::BOOTSTRAP_TOKEN_MISSING, path, problem));
        }
        _ => {}
    }
}

/// Times that the client of secure TLS bootstrapping reads as Go does.
const TIMES: [&FieldPath; 6] = [
    field!("bootstrapping_config.secure_tls_bootstrapping_validate_kubeconfig_timeout"),
    field!("bootstrapping_config.secure_tls_bootstrapping_get_access_token_timeout"),
    field!("bootstrapping_config.secure_tls_bootstrapping_get_instance_data_timeout"),
    field!("bootstrapping_config.secure_tls_bootstrapping_get_nonce_timeout"),
    field!("bootstrapping_config.secure_tls_bootstrapping_get_attested_data_timeout"),
    field!("bootstrapping_config.secure_tls_bootstrapping_get_credential_timeout"),
];

pub(super) fn client_times(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let is_time = |text: &Text<'_>| duration::parse(text.value).is_some_and(|time| time >= 0);
    for text in TIMES.iter().flat_map(|path| context.texts(path)).filter(|text| !is_time(text)) {
        let finding = text.must_be(&rules::DURATION, "a duration such as `30s`");
        let is_number = text.value.bytes().all(|byte| byte.is_ascii_digit());
        findings.push(if is_number { finding.hint(format!("write `{}s`", text.value)) } else { finding });
    }
}

pub(super) fn size_and_user(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for size in context.texts(field!("vm_size")).filter(|size| !vm_sizes::is_possible(size.value)) {
        let finding = size.must_be(&rules::VM_SIZE, "the name of a VM size such as `Standard_D4s_v5`");
        let whole = format!("Standard_{}", size.value.trim());
        findings.push(if vm_sizes::is_possible(&whole) { finding.hint(format!("write `{whole}`")) } else { finding });
    }
    for user in context.texts(field!("linux_admin_username")) {
        if !is_user_name(user.value) {
            findings.push(user.must_be(
                &rules::ADMIN_USER,
                "up to 32 letters, digits, `_`, `-` and `.`, starting with a letter or `_`",
            ));
        } else if is_forbidden_user(user.value) {
            let problem = format!("is `{}`, a name that Azure does not accept for the administrator", user.value);
            let finding = Finding::violation(&rules::ADMIN_USER, user.path(), problem).severity(Severity::Warning);
            findings.push(finding.hint("AKS's own is `azureuser`"));
        }
    }
}

/// Reports whether Azure rejects a name of the administrator, in any letter case.
pub(crate) fn is_forbidden_user(name: &str) -> bool {
    FORBIDDEN_USERS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// <https://learn.microsoft.com/azure/virtual-machines/linux/faq#what-are-the-username-requirements-when-creating-a-vm->
const FORBIDDEN_USERS: &[&str] = &[
    "1",
    "123",
    "a",
    "actuser",
    "adm",
    "admin",
    "admin1",
    "admin2",
    "administrator",
    "aspnet",
    "backup",
    "console",
    "guest",
    "owner",
    "root",
    "server",
    "sql",
    "support",
    "support_388945a0",
    "sys",
    "test",
    "test1",
    "test2",
    "test3",
    "user",
    "user1",
    "user2",
    "user3",
    "user4",
    "user5",
];

const MIG_PROFILES: [&str; 5] = ["MIG1g", "MIG2g", "MIG3g", "MIG4g", "MIG7g"];

pub(super) fn gpu(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let profile = context.text(field!("gpu_config.gpu_instance_profile"));
    let layout = || context.texts(field!("gpu_config.mig_profile_layout"));
    if profile.is_none() && layout().next().is_some() {
        let (path, problem) = (field!("gpu_config.mig_profile_layout"), "has no effect without `gpu_instance_profile`");
        let finding = Finding::violation(&rules::MIG_LAYOUT, at(path), problem);
        findings.push(finding.hint("set `gpu_instance_profile` to the first profile of the layout"));
    }
    for text in profile.into_iter().chain(layout()).filter(|text| !text.is_in(&MIG_PROFILES)) {
        findings.push(text.must_be(&rules::MIG_PROFILE, "`MIG1g`, `MIG2g`, `MIG3g`, `MIG4g` or `MIG7g`"));
    }
    for text in context.texts(field!("gpu_config.mig_strategy")) {
        if !text.is_in(&["None", "Single", "Mixed"]) {
            findings.push(text.must_be(&rules::MIG_STRATEGY, "`None`, `Single` or `Mixed`"));
        }
    }
}

pub(super) fn custom_cloud(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(cloud) = &context.configuration.custom_cloud_config else { return };
    if !clouds::is_custom(&cloud.custom_cloud_env_name) {
        return;
    }
    let endpoint = clouds::custom_resource_manager(&cloud.custom_env_json_content);
    if !endpoint.is_empty() && !is_url(&endpoint) {
        let problem = "has a `resourceManagerEndpoint` that is not an absolute `http` or `https` URL";
        let path = at(field!("custom_cloud_config.custom_env_json_content"));
        findings.push(Finding::violation(&rules::CUSTOM_CLOUD, path, problem));
    }
    if endpoint.is_empty() {
        let problem = "must be a JSON object with a string in `resourceManagerEndpoint`: a node of a custom cloud reads \
                       the endpoint of Azure Resource Manager from it";
        let path = at(field!("custom_cloud_config.custom_env_json_content"));
        findings.push(Finding::violation(&rules::CUSTOM_CLOUD, path, problem));
    }
}

/// Numbers of the cloud provider, for which 0 stands for its default.
const CLOUD_PROVIDER: [&FieldPath; 4] = [
    field!("cluster_config.cloud_provider_config.backoff_duration"),
    field!("cluster_config.cloud_provider_config.backoff_retries"),
    field!("cluster_config.cloud_provider_config.rate_limit_bucket"),
    field!("cluster_config.cloud_provider_config.rate_limit_bucket_write"),
];

/// A limit below 0 lets no request through, and one of retries no attempt: `NewRateLimitPolicy` in `pkg/azclient/policy/ratelimit` and
/// `ExponentialBackoff` in `k8s.io/apimachinery`.
pub(super) fn cloud_provider(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let fields =
        CLOUD_PROVIDER.into_iter().chain([field!("cluster_config.load_balancer_config.max_load_balancer_rule_count")]);
    for number in fields.filter_map(|field| context.number(field)).filter(|number| number.value < 0) {
        findings.push(number.must_be(&rules::CLOUD_PROVIDER_VALUE, "0 or more"));
    }
    let Some(cluster) = &context.configuration.cluster_config else { return };
    let Some(settings) = &cluster.cloud_provider_config else { return };
    let fractions = [
        (settings.backoff_exponent, field!("cluster_config.cloud_provider_config.backoff_exponent")),
        (settings.backoff_jitter, field!("cluster_config.cloud_provider_config.backoff_jitter")),
        (settings.rate_limit_qps, field!("cluster_config.cloud_provider_config.rate_limit_qps")),
        (settings.rate_limit_qps_write, field!("cluster_config.cloud_provider_config.rate_limit_qps_write")),
    ];
    for (value, field) in fractions {
        if let Some(value) = value.filter(|value| *value < 0.0) {
            findings.push(Finding::unexpected(&rules::CLOUD_PROVIDER_VALUE, at(field), "0 or more", value.to_string()));
        }
    }
}

pub(super) fn containerd(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for text in context.texts(field!("kubelet_config.container_data_dir")).filter(|text| !is_toml_text(text.value)) {
        findings.push(
            text.must_be(&rules::TOML_TEXT, "a path without quotation marks around it and without carriage returns"),
        );
    }
    // `CreateTopLevelDirectories` in containerd rejects one directory for both.
    if let Some(text) = context.text(field!("kubelet_config.container_data_dir")) {
        let directory = text.value.trim_end_matches('/');
        if ["/run/containerd", "/var/run/containerd"].contains(&directory) {
            findings.push(text.must_be(&rules::DATA_DIRECTORY, "another directory than that for containerd's state"));
        } else if !text.value.starts_with(['/', '"', '\'']) {
            let finding = text.must_be(&rules::DATA_DIRECTORY, "an absolute path such as `/mnt/containers`");
            findings.push(finding.severity(Severity::Warning));
        }
    }
    let versions = [field!("containerd_config.containerd_version"), field!("runc_config.runc_version")];
    for text in versions.into_iter().filter_map(|field| context.text(field)) {
        let release = text.value.split(['-', '~', '+']).next().unwrap_or_default();
        if release.is_empty() || !release.split('.').all(|part| part.parse::<u32>().is_ok()) {
            findings.push(text.must_be(&rules::PACKAGE_VERSION, "a version such as `2.1.4`"));
        }
    }
    if context.configuration.is_kata && context.configuration.enable_artifact_streaming {
        let problem =
            "must not be set together with `is_kata`: containerd rejects the configuration, which has duplicate keys";
        findings.push(Finding::violation(&rules::KATA_STREAMING, at(field!("enable_artifact_streaming")), problem));
    }
}

pub(super) fn bootstrap_script(context: &Context<'_>, findings: &mut Vec<Finding>) {
    if let Some(timeout) =
        context.number(field!("cse_timeout")).filter(|given| !timeouts::ACCEPTED.contains(&given.value))
    {
        let expected = format!("{} to {}", timeouts::ACCEPTED.start(), timeouts::ACCEPTED.end());
        let hint = format!("{} is used instead", timeouts::DEFAULT);
        findings.push(timeout.must_be(&rules::CSE_TIMEOUT, expected).hint(hint));
    }
    for feature in context.texts(field!("enabled_features")) {
        let problem = if !feature.key().is_some_and(is_shell_name) {
            "is ignored: the name is not a valid name of a shell variable"
        } else if feature.key().is_some_and(is_reserved) {
            "is ignored: a program or a script reads the variable of this name"
        } else if feature.value.contains(['\n', '\r']) {
            "is ignored: the value contains a line break"
        } else {
            continue;
        };
        findings.push(Finding::violation(&rules::FEATURE, feature.path(), problem));
    }
}
