//! The template of the CNI configuration of kubenet, whose placeholders containerd replaces.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The template in base64, the same on every node.
pub(in crate::environment) static TEMPLATE: LazyLock<String> =
    LazyLock::new(|| STANDARD.encode(include_str!("../../../parts/kubenet_template.conf")));
