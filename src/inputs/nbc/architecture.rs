//! Checks that the VM size, the image and a switch of the document name the same architecture.

use super::request::{Request, pool};
use crate::catalogue::{rules, vm_sizes};
use crate::document::Finding;
use crate::inputs::member::member;

/// Returns a finding for each place that contradicts the VM size.
pub(super) fn findings(request: &Request, is_customized: bool) -> Vec<Finding> {
    let (size, distro) = (pool!(request.vmSize).text(), pool!(request.distro));
    let Some(expected) = vm_sizes::architecture(size) else { return Vec::new() };
    let mut findings = Vec::new();
    let of_image = if distro.text().contains("-arm64") { "arm64" } else { "amd64" };
    if of_image != expected && !is_customized {
        let problem = format!("is an image for {of_image}, but `{size}` has {expected} processors");
        findings.push(distro.violation(&rules::ARCHITECTURE, problem));
    }
    let switch = member!(request.IsARM64);
    if switch.is_on() != (expected == "arm64") {
        let problem = format!("is {}, but `{size}` has {expected} processors", switch.is_on());
        findings.push(switch.violation(&rules::ARCHITECTURE, problem));
    }
    findings
}
