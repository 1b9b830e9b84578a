//! The architecture that a document names in three places: the VM size, the image and a switch of its own.

use super::fields::request::{self as field, Request};
use super::reader::Members;
use crate::catalogue::{rules, vm_sizes};
use crate::document::Finding;

/// Returns a finding for each place that contradicts the VM size.
pub(super) fn findings(document: &Members<'_, Request>, is_customized: bool) -> Vec<Finding> {
    let (size, distro) = (document.text(field::VM_SIZE), document.text(field::DISTRO));
    let Some(expected) = vm_sizes::architecture(size) else { return Vec::new() };
    let mut findings = Vec::new();
    let of_image = if distro.contains("-arm64") { "arm64" } else { "amd64" };
    if of_image != expected && !is_customized {
        let problem = format!("is an image for {of_image}, but the processors of `{size}` are {expected}");
        findings.push(Finding::violation(&rules::ARCHITECTURE, document.path(field::DISTRO), problem));
    }
    let is_arm64 = document.switch(field::IS_ARM64);
    if is_arm64 != (expected == "arm64") {
        let problem = format!("is {is_arm64}, but the processors of `{size}` are {expected}");
        findings.push(Finding::violation(&rules::ARCHITECTURE, document.path(field::IS_ARM64), problem));
    }
    findings
}
