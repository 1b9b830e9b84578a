//! The flags, the labels and the configuration file of the kubelet.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::context::Context;
use super::super::{Value, joined};
use crate::catalogue::kubelet_flags::STREAMING_TIMEOUT;
use crate::configuration::{KubeletConfig, Version};

fn kubelet<'a>(context: &Context<'a>) -> Option<&'a KubeletConfig> {
    context.configuration.kubelet_config.as_ref()
}

fn lacks_streaming_timeout(context: &Context<'_>) -> bool {
    context.kubernetes.as_ref().is_some_and(Version::lacks_streaming_timeout)
}

/// Returns the flags as `--flag=value`, separated by spaces.
pub(in crate::environment) fn flags(context: &Context<'_>) -> String {
    let dropped = lacks_streaming_timeout(context).then_some(STREAMING_TIMEOUT);
    let flags = kubelet(context).into_iter().flat_map(|kubelet| &kubelet.kubelet_flags);
    joined(flags.filter(|(flag, _)| Some(flag.as_str()) != dropped), '=', " ")
}

/// Returns the labels as `key=value`, separated by commas.
pub(in crate::environment) fn labels(context: &Context<'_>) -> String {
    joined(kubelet(context).into_iter().flat_map(|kubelet| &kubelet.kubelet_node_labels), '=', ",")
}

/// Returns the configuration file in base64. Empty if `kubelet_config` is absent.
pub(in crate::environment) fn file<'a>(context: &Context<'a>) -> Value<'a> {
    let Some(kubelet) = kubelet(context) else { return "".into() };
    let mut file = kubelet.kubelet_config_file_config.clone().unwrap_or_default();
    if lacks_streaming_timeout(context) {
        #[expect(deprecated, reason = "older versions of Kubernetes have the field, newer ones must not see it")]
        file.streaming_connection_idle_timeout.clear();
    }
    STANDARD.encode(file.to_kubelet_json()).into()
}
