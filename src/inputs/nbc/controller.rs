//! The members of the document about a delivery by the node's controller.

use super::request::Request;
use crate::Secret;
use crate::catalogue::node_distros::{Family, NodeDistro};
use crate::catalogue::operating_systems::FirstBoot;
use crate::catalogue::rules;
use crate::document::{Finding, Spellings};
use crate::inputs::member::member;

/// See [`CommandRequest`](crate::inputs::CommandRequest).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Controller {
    pub configuration: Secret<'static>,
    pub protects_secrets: bool,
    pub first_boot: FirstBoot,
    /// The finding for any other delivery.
    pub needed: Option<Finding>,
}

impl Controller {
    pub fn new(request: &Request, distro: NodeDistro, spellings: &Spellings) -> Self {
        Self {
            configuration: member!(request.AKSNodeConfigJSON).value.cloned().unwrap_or_default(),
            protects_secrets: member!(request.ScriptlessCSEProvisionMode).is_on(),
            first_boot: first_boot(distro, member!(request.OSSKU).text()),
            needed: needed(request).map(|mut finding| {
                finding.path = spellings.apply(&finding.path);
                finding
            }),
        }
    }
}

/// Unlike for other deliveries, the image and the OS SKU count alike: either chooses Ignition.
fn first_boot(distro: NodeDistro, os_sku: &str) -> FirstBoot {
    if ["Flatcar", "AzureContainerLinux"].contains(&os_sku) || matches!(distro.family, Family::Flatcar | Family::Acl) {
        FirstBoot::Ignition
    } else {
        FirstBoot::CloudInit
    }
}

fn needed(request: &Request) -> Option<Finding> {
    let switch = member!(request.EnableScriptlessNBCCSECmd);
    if !switch.is_on() || member!(request.PreProvisionOnly).is_on() {
        return None;
    }
    let rule = "requests delivery by the node's controller, which only route `scriptless` does";
    Some(switch.violation(&rules::BOOTHOOK_DELIVERY, rule).hint("use `--route scriptless`, or remove it"))
}
