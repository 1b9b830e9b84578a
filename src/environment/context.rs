//! What the derivations read: the Configuration's messages, absent ones as empty ones, and the few answers that
//! several derivations need, found once.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;
use std::sync::LazyLock;

use serde::Deserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use super::{ImageContents, Value};
use crate::catalogue::clouds::{self, Cloud};
use crate::catalogue::gpu::{self, Driver};
use crate::configuration::{
    ApiServerConfig, AuthConfig, BootstrappingConfig, CloudProviderConfig, ClusterConfig, ClusterNetworkConfig,
    Configuration, ContainerdConfig, CustomCloudConfig, CustomLinuxOsConfig, CustomSearchDomainConfig, GpuConfig,
    HttpProxyConfig, ImdsRestrictionConfig, KubeBinaryConfig, KubeletConfig, KubeletConfigFileConfig,
    LoadBalancerConfig, LocalDnsProfile, NetworkConfig, NetworkPlugin, NetworkPolicy, RuncConfig,
    ServiceAccountImagePullProfile, Version,
};

/// Where a message stands in the Configuration.
type Place<'a, M> = fn(&'a Configuration, Option<&'a ClusterConfig>, Option<&'a KubeletConfig>) -> Option<&'a M>;

macro_rules! messages {
    ($($field:ident: $message:ident = $place:expr;)*) => {
        /// The messages of a Configuration and what follows from several of them.
        pub(crate) struct Context<'a> {
            pub config: &'a Configuration,
            pub image: &'a ImageContents,
            $(pub $field: &'a $message,)*
            pub kubernetes: Option<Version<'a>>,
            pub is_custom_cloud: bool,
            pub cloud: &'static Cloud,
            /// The VM size in lower case.
            pub size: String,
            /// The Corefile without hosts plugin, which two variables carry.
            pub corefile: OnceCell<String>,
        }

        /// Stands where a message is absent.
        #[derive(Default)]
        struct Absent {
            $($field: $message,)*
        }

        impl<'a> Context<'a> {
            pub fn new(config: &'a Configuration, image: &'a ImageContents) -> Self {
                static ABSENT: LazyLock<Absent> = LazyLock::new(Absent::default);
                let absent = &*ABSENT;
                let cluster = config.cluster_config.as_ref();
                let kubelet = config.kubelet_config.as_ref();
                let is_custom_cloud = is_custom_cloud(
                    config.custom_cloud_config.as_ref().map_or("", |cloud| &cloud.custom_cloud_env_name),
                );
                let cloud = if is_custom_cloud {
                    &clouds::CUSTOM
                } else {
                    clouds::of_region(cluster.map_or("", |cluster| &cluster.location))
                };
                Self {
                    config,
                    image,
                    $($field: ($place as Place<'a, $message>)(config, cluster, kubelet).unwrap_or(&absent.$field),)*
                    kubernetes: config.kubernetes(),
                    is_custom_cloud,
                    cloud,
                    size: config.vm_size.to_lowercase(),
                    corefile: OnceCell::new(),
                }
            }
        }
    };
}

messages! {
    api_server: ApiServerConfig = |config, _, _| config.api_server_config.as_ref();
    auth: AuthConfig = |config, _, _| config.auth_config.as_ref();
    balancer: LoadBalancerConfig = |_, cluster, _| cluster?.load_balancer_config.as_ref();
    binaries: KubeBinaryConfig = |config, _, _| config.kube_binary_config.as_ref();
    bootstrapping: BootstrappingConfig = |config, _, _| config.bootstrapping_config.as_ref();
    cloud_provider: CloudProviderConfig = |_, cluster, _| cluster?.cloud_provider_config.as_ref();
    cluster: ClusterConfig = |_, cluster, _| cluster;
    containerd: ContainerdConfig = |config, _, _| config.containerd_config.as_ref();
    custom_cloud: CustomCloudConfig = |config, _, _| config.custom_cloud_config.as_ref();
    gpu: GpuConfig = |config, _, _| config.gpu_config.as_ref();
    image_pull: ServiceAccountImagePullProfile = |config, _, _| config.service_account_image_pull_profile.as_ref();
    imds: ImdsRestrictionConfig = |config, _, _| config.imds_restriction_config.as_ref();
    kubelet: KubeletConfig = |_, _, kubelet| kubelet;
    kubelet_file: KubeletConfigFileConfig = |_, _, kubelet| kubelet?.kubelet_config_file_config.as_ref();
    local_dns: LocalDnsProfile = |config, _, _| config.local_dns_profile.as_ref();
    network: NetworkConfig = |config, _, _| config.network_config.as_ref();
    os: CustomLinuxOsConfig = |config, _, _| config.custom_linux_os_config.as_ref();
    proxy: HttpProxyConfig = |config, _, _| config.http_proxy_config.as_ref();
    runc: RuncConfig = |config, _, _| config.runc_config.as_ref();
    search: CustomSearchDomainConfig = |config, _, _| config.custom_search_domain_config.as_ref();
    vnet: ClusterNetworkConfig = |_, cluster, _| cluster?.cluster_network_config.as_ref();
}

/// Simple case folding of Unicode: besides ASCII, the Kelvin sign folds to `k` and the long s to `s`.
fn is_custom_cloud(name: &str) -> bool {
    let folded = name.chars().map(|letter| match letter {
        '\u{212a}' => 'k',
        '\u{17f}' => 's',
        letter => letter.to_ascii_lowercase(),
    });
    folded.eq(clouds::CUSTOM_NAME.chars())
}

impl<'a> Context<'a> {
    /// Whether containerd has to keep the kubenet bridge from answering twice.
    pub fn bridge_guard(&self) -> bool {
        self.network.network_plugin() == NetworkPlugin::Kubenet
            && self.network.network_policy() != NetworkPolicy::Calico
    }

    pub fn only_custom_cloud(&self, value: &'a str) -> Value<'a> {
        if self.is_custom_cloud { value.into() } else { "".into() }
    }

    pub fn gpu_driver(&self) -> &'static Driver {
        gpu::driver(&self.size)
    }
}

pub(super) fn resource_manager<'a>(inputs: &Context<'a>) -> Value<'a> {
    if inputs.is_custom_cloud {
        custom_resource_manager(&inputs.custom_cloud.custom_env_json_content).into()
    } else {
        inputs.cloud.resource_manager.into()
    }
}

pub(super) fn gpu_driver_version<'a>(inputs: &Context<'a>) -> Value<'a> {
    let driver = inputs.gpu_driver();
    driver.fixed_version.unwrap_or_else(|| inputs.image.components.image(driver.repository).0).into()
}

pub(super) fn gpu_image_suffix<'a>(inputs: &Context<'a>) -> Value<'a> {
    inputs.image.components.image(inputs.gpu_driver().repository).1.into()
}

pub(super) fn has_search_domain<'a>(inputs: &Context<'a>) -> Value<'a> {
    let search = inputs.search;
    switch(!search.domain_name.is_empty() && !search.realm_user.is_empty() && !search.realm_password.is_empty())
}

pub(super) fn local_dns_cpu<'a>(inputs: &Context<'a>) -> Value<'a> {
    match inputs.local_dns.cpu_limit_in_milli_cores {
        Some(millicores) if inputs.local_dns.enable_local_dns && millicores != 0 => {
            let (percent, tenth) = ((millicores / 10).abs(), (millicores % 10).abs());
            let sign = if millicores < 0 { "-" } else { "" };
            format!("{sign}{percent}.{tenth}%").into()
        }
        _ => "200.0%".into(),
    }
}

pub(super) fn local_dns_memory<'a>(inputs: &Context<'a>) -> Value<'a> {
    match inputs.local_dns.memory_limit_in_mb {
        Some(megabytes) if inputs.local_dns.enable_local_dns && megabytes != 0 => format!("{megabytes}M").into(),
        _ => "128M".into(),
    }
}

/// `resourceManagerEndpoint` of a custom cloud's environment text, whatever its letter case; the last one counts.
fn custom_resource_manager(text: &str) -> String {
    struct Endpoint;
    impl<'de> Visitor<'de> for Endpoint {
        type Value = String;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the environment of a cloud")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<String, A::Error> {
            let mut endpoint = String::new();
            while let Some(name) = map.next_key::<String>()? {
                if name.eq_ignore_ascii_case("resourceManagerEndpoint") {
                    endpoint = map.next_value::<Option<String>>()?.unwrap_or(endpoint);
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            Ok(endpoint)
        }
    }

    let mut reader = serde_json::Deserializer::from_str(text);
    match reader.deserialize_map(Endpoint) {
        Ok(endpoint) if reader.end().is_ok() => endpoint,
        _ => String::new(),
    }
}

pub(super) fn text(value: &str) -> Value<'_> {
    value.into()
}

pub(super) fn optional(value: Option<&str>) -> Value<'_> {
    value.unwrap_or_default().into()
}

pub(super) fn or<'a>(value: &'a str, default: &'static str) -> Value<'a> {
    if value.is_empty() { default.into() } else { value.into() }
}

pub(super) fn switch<'a>(value: bool) -> Value<'a> {
    if value { "true" } else { "false" }.into()
}

pub(super) fn integer<'a>(value: i32) -> Value<'a> {
    value.to_string().into()
}

/// A text without line breaks.
pub(super) fn one_line(text: &str) -> Value<'_> {
    if text.contains(['\n', '\r']) { text.replace(['\n', '\r'], "").into() } else { text.into() }
}

/// A number as Go's `%v` with precision 6 for the switch of notation: exponents from a million up.
pub(super) fn double<'a>(value: f64) -> Value<'a> {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.into();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').expect("this notation has an exponent");
    let exponent: i32 = exponent.parse().expect("an exponent is a number");
    if value == 0.0 || (-4..6).contains(&exponent) {
        return value.to_string().into();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    Cow::Owned(format!("{digits}e{sign}{:02}", exponent.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_switch_to_exponents_from_a_million_up() {
        for (value, expected) in [
            (f64::NAN, "NaN"),
            (f64::INFINITY, "+Inf"),
            (f64::NEG_INFINITY, "-Inf"),
            (0.0, "0"),
            (-0.0, "-0"),
            (10.0, "10"),
            (100_000.0, "100000"),
            (100_000.5, "100000.5"),
            (999_999.999_999_999_9, "999999.9999999999"),
            (0.0001, "0.0001"),
            (0.000_01, "1e-05"),
            (1_000_000.0, "1e+06"),
            (123_456_789.0, "1.23456789e+08"),
            (-1e100, "-1e+100"),
        ] {
            assert_eq!(double(value), expected);
        }
    }

    #[test]
    fn the_last_endpoint_of_a_custom_cloud_counts() {
        for (text, expected) in [
            (r#"{"resourceManagerEndpoint": "https://a/"}"#, "https://a/"),
            (r#"{"resourcemanagerendpoint": "b", "ResourceManagerEndpoint": "a"}"#, "a"),
            (r#"{"ResourceManagerEndpoint": null}"#, ""),
            (r#"{"resourceManagerEndpoint": 5}"#, ""),
            (r#"{"resourceManagerEndpoint": "a"} x"#, ""),
            (r#"["resourceManagerEndpoint"]"#, ""),
            ("", ""),
        ] {
            assert_eq!(custom_resource_manager(text), expected, "{text}");
        }
    }
}
