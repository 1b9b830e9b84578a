//! The image: facts that follow from its name, and the provisioning that it requires.

use crate::inputs::member::member;
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::request::pool;

pub(super) fn convert(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let distro = conversion.distro;
    let (name, os_sku) = (pool!(request.distro).presence(), member!(request.OSSKU));
    conversion.set(target!(version), "v1", Origin::Computed(Vec::new()));
    conversion.set(target!(is_vhd), distro.is_vhd, Origin::computed([name]));
    conversion.set(target!(is_kata), distro.is_kata, Origin::computed([name]));
    let needs_cgroup_v2 = distro.needs_cgroup_v2(os_sku.text());
    conversion.set(target!(needs_cgroupv2), needs_cgroup_v2, Origin::computed([name, os_sku.presence()]));
    conversion.copy(member!(request.DisableCustomData), target!(disable_custom_data));
    conversion.copy(member!(request.PreProvisionOnly), target!(pre_provision_only));
    let timeout = member!(request.CSETimeout);
    if timeout.value != Some(&0) {
        conversion.copy(timeout, target!(cse_timeout));
    }
    conversion.set_variable("SKIP_WAAGENT_HOLD", "false");
}
