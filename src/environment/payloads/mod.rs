//! The texts inside variables, such as configuration files: one module for each program that reads one.

pub(super) mod containerd;
pub(super) mod corefile;
pub(super) mod kubelet;
pub(super) mod kubenet;
pub(super) mod proxy;
pub(super) mod sysctl;
pub(super) mod ulimits;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::rendering::Rendered;

/// Returns the text in base64: standard alphabet, with padding, on one line.
fn encoded(rendered: Rendered) -> Rendered {
    Rendered { text: STANDARD.encode(rendered.text), ..rendered }
}
