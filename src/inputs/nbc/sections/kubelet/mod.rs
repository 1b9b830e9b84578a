//! The kubelet: its flags, its configuration file, and the labels of the node.

mod file;
mod flags;

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::environment::joined;
use crate::inputs::member::member;
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::request::{pool, properties};

/// Flags by name.
type Flags = BTreeMap<String, String>;

pub(super) fn convert(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let given = member!(request.KubeletConfig);
    let mut flags = given.value.cloned().unwrap_or_default();
    if given.value.is_some() {
        flags::clean(&mut flags, conversion);
    }
    let has_file = flags::has_file(conversion);
    let of_component = properties!(request.customConfiguration.KubernetesConfigurations.kubelet.Config).value;
    let of_component = of_component.cloned().unwrap_or_default();
    let command_line = flags::command_line(&flags, &of_component, has_file, conversion);
    conversion.set_variable("KUBELET_FLAGS", joined(&command_line, '=', " "));
    conversion.set_variable("KUBELET_CONFIG_FILE_ENABLED", has_file.to_string());
    let rotates = flags.get(flags::ROTATE_SERVER_CERTIFICATES).is_some_and(|value| value == "true");
    conversion.set_variable("ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION", rotates.to_string());
    let file_origin = Origin::computed([
        member!(request.EnableKubeletConfigFile).presence(),
        pool!(request.customKubeletConfig).presence(),
        pool!(request.customLinuxOSConfig).presence(),
    ]);
    conversion.set(target!(kubelet_config.enable_kubelet_config_file), has_file, file_origin);
    flags::record_origins(&command_line, &of_component, conversion);
    conversion.set(target!(kubelet_config.kubelet_flags), command_line, Origin::Field(given.path));
    labels(conversion);
    let text = if given.value.is_some() { STANDARD.encode(file::convert(&flags, conversion)) } else { String::new() };
    conversion.set_variable("KUBELET_CONFIG_FILE_CONTENT", text);
}

/// Labels that every node of a pool has; their value is the pool's name.
const POOL_LABELS: [(&str, &str); 2] = [
    ("agentpool", r#"kubelet_config.kubelet_node_labels["agentpool"]"#),
    ("kubernetes.azure.com/agentpool", r#"kubelet_config.kubelet_node_labels["kubernetes.azure.com/agentpool"]"#),
];

/// The scripted route writes the pool's labels first, even if a custom label has the same name. In the Configuration
/// the custom label takes precedence.
fn labels(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let (pool, custom) = (pool!(request.name), pool!(request.customNodeLabels));
    let mut labels = custom.value.cloned().unwrap_or_default();
    let names = POOL_LABELS.iter().map(|(name, _)| (*name, pool.text()));
    let all = names.chain(labels.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    conversion.set_variable("KUBELET_NODE_LABELS", joined(all, '=', ","));
    for (name, path) in POOL_LABELS {
        if !labels.contains_key(name) {
            labels.insert(name.to_owned(), pool.text().to_owned());
            conversion.origins.add(path, Origin::Field(pool.path));
        }
    }
    conversion.set(target!(kubelet_config.kubelet_node_labels), labels, Origin::Field(custom.path));
}
