//! `spec.linuxOSConfig`. The script does not set any of it, but the rules of the API are checked.

use std::collections::BTreeMap;

use super::super::{one_of, violation, within};
use super::{QUANTITY, is_quantity};
use crate::catalogue::huge_pages;
use crate::catalogue::rules;
use crate::catalogue::sysctls::{PORT_RANGE_RULE, SYSCTLS, is_port_range, ordered};
use crate::document::{Finding, Object};
use crate::inputs::karpenter::KubeletConfig;

/// Checks the section.
pub(super) fn read(spec: &Object<'_>, kubelet: Option<&KubeletConfig>, ignored: &mut Vec<&'static str>) {
    let Some(os) = spec.object("linuxOSConfig", "linuxOSConfig") else { return };
    ignored.push("spec.linuxOSConfig");
    if let Some(size) = os.text("swapFileSize") {
        if !is_quantity(size) {
            violation(&os, "swapFileSize", QUANTITY, size);
        }
        if kubelet.and_then(|kubelet| kubelet.fail_swap_on) != Some(false) {
            let rule = "needs `kubelet.failSwapOn` to be `false`";
            os.report(Finding::violation(&rules::KARPENTER_COMBINATION, os.at("swapFileSize"), rule));
        }
    }
    one_of(&os, "transparentHugePageEnabled", huge_pages::ENABLED);
    one_of(&os, "transparentHugePageDefrag", huge_pages::DEFRAG);
    if let Some(sysctls) = os.object("sysctls", "sysctls") {
        check_sysctls(&sysctls);
    }
}

fn check_sysctls(sysctls: &Object<'_>) {
    let values = SYSCTLS.iter().filter_map(|setting| {
        let (name, (least, most)) = (setting.node_class_field?, setting.bounds?);
        Some((name, within(sysctls, name, (least.into(), most.into()))?))
    });
    let values: BTreeMap<_, _> = values.collect();
    for settings in ordered() {
        let [Some(lower), Some(upper)] = settings.map(|setting| setting.node_class_field) else { continue };
        if let (Some(low), Some(high)) = (values.get(lower), values.get(upper))
            && low > high
        {
            let rule = format!("must not be above `{upper}`");
            sysctls.report(Finding::violation(&rules::KARPENTER_COMBINATION, sysctls.at(lower), rule));
        }
    }
    sysctls.switch("netIPv4TCPTwReuse");
    if let Some(range) = sysctls.text("netIPv4IPLocalPortRange").filter(|range| !is_port_range(range)) {
        violation(sysctls, "netIPv4IPLocalPortRange", PORT_RANGE_RULE, range);
    }
}
