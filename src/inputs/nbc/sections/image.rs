//! The image: what follows from its name, and what a node that starts from it is to do.

use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::fields::request as field;
use crate::inputs::nbc::origins::Origin;

pub(super) fn convert(conversion: &mut Conversion<'_, '_>) {
    let document = conversion.document;
    let distro = conversion.distro;
    conversion.set(target!(version), "v1", Origin::Computed(Vec::new()));
    let origin = conversion.computed_from(&[field::DISTRO.number()]);
    conversion.set(target!(is_vhd), distro.is_vhd, origin.clone());
    conversion.set(target!(is_kata), distro.is_kata, origin);
    let needs_cgroup_v2 = distro.needs_cgroup_v2(document.text(field::OS_SKU));
    let origin = conversion.computed_from(&[field::DISTRO.number(), field::OS_SKU.number()]);
    conversion.set(target!(needs_cgroupv2), needs_cgroup_v2, origin);
    conversion.copy(field::DISABLE_CUSTOM_DATA, target!(disable_custom_data));
    conversion.copy(field::PRE_PROVISION_ONLY, target!(pre_provision_only));
    if document.get(field::CSE_TIMEOUT) != Some(0) {
        conversion.copy(field::CSE_TIMEOUT, target!(cse_timeout));
    }
    conversion.set_variable("SKIP_WAAGENT_HOLD", "false");
}
