//! The kubelet: its flags, its configuration file, and the labels of the node.

mod file;
mod flags;

use std::collections::BTreeMap;
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::fields::request as field;
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::reader::{Copied, TextMap};

/// Flags by name.
type Flags = BTreeMap<String, String>;

pub(super) fn convert(conversion: &mut Conversion<'_, '_>) {
    let document = conversion.document;
    let given = document.get(field::KUBELET_CONFIG);
    let mut flags = given.clone().and_then(TextMap::owned).unwrap_or_default();
    if given.is_some() {
        flags::clean(&mut flags, conversion);
    }
    let has_file = flags::has_file(conversion);
    let of_component = document.get(field::KUBELET_COMPONENT_CONFIG).and_then(TextMap::owned).unwrap_or_default();
    let command_line = flags::command_line(&flags, &of_component, has_file, conversion);
    conversion.set_variable("KUBELET_FLAGS", joined(&command_line));
    conversion.set_variable("KUBELET_CONFIG_FILE_ENABLED", has_file.to_string());
    let rotates = flags.get(flags::ROTATE_SERVER_CERTIFICATES).is_some_and(|value| value == "true");
    conversion.set_variable("ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION", rotates.to_string());
    let file_origin = conversion.computed_from(&[
        field::ENABLE_KUBELET_CONFIG_FILE.number(),
        field::CUSTOM_KUBELET_CONFIG.number(),
        field::CUSTOM_LINUX_OS_CONFIG.number(),
    ]);
    conversion.set(target!(kubelet_config.enable_kubelet_config_file), has_file, file_origin);
    flags::record_origins(&command_line, &of_component, conversion);
    conversion.set(target!(kubelet_config.kubelet_flags), command_line, Origin::Field(field::KUBELET_CONFIG.number()));
    labels(conversion);
    let text = if given.is_some() { STANDARD.encode(file::convert(&flags, conversion)) } else { String::new() };
    conversion.set_variable("KUBELET_CONFIG_FILE_CONTENT", text);
}

fn joined(flags: &Flags) -> String {
    let mut text = String::with_capacity(2048);
    for (name, value) in flags {
        let separator = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{separator}{name}={value}");
    }
    text
}

/// Labels that every node of a pool has; their value is the pool's name.
const POOL_LABELS: [(&str, &str); 2] = [
    ("agentpool", r#"kubelet_config.kubelet_node_labels["agentpool"]"#),
    ("kubernetes.azure.com/agentpool", r#"kubelet_config.kubelet_node_labels["kubernetes.azure.com/agentpool"]"#),
];

/// The scripted route writes the pool's labels first, even if one of the custom labels has the same name. In the
/// Configuration the custom label wins.
fn labels(conversion: &mut Conversion<'_, '_>) {
    let pool = conversion.document.text(field::POOL_NAME);
    let mut labels = conversion.document.get(field::CUSTOM_NODE_LABELS).and_then(TextMap::owned).unwrap_or_default();
    let names = POOL_LABELS.iter().map(|(name, _)| (*name, pool));
    let custom = labels.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let pairs: Vec<_> = names.chain(custom).map(|(name, value)| format!("{name}={value}")).collect();
    conversion.set_variable("KUBELET_NODE_LABELS", pairs.join(","));
    for (name, path) in POOL_LABELS {
        if !labels.contains_key(name) {
            labels.insert(name.to_owned(), pool.to_owned());
            conversion.origins.add(path, Origin::Field(field::POOL_NAME.number()));
        }
    }
    conversion.set(
        target!(kubelet_config.kubelet_node_labels),
        labels,
        Origin::Field(field::CUSTOM_NODE_LABELS.number()),
    );
}
