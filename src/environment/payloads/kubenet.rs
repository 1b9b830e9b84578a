//! The template of the CNI configuration of kubenet, whose placeholders containerd replaces.

use std::sync::LazyLock;

use super::encoded;

/// The template in base64, the same on every node.
pub(in crate::environment) static TEMPLATE: LazyLock<String> =
    LazyLock::new(|| encoded(include_str!("../../../parts/kubenet_template.conf")));
