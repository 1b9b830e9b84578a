//! `spec.linuxOSConfig`. The script does not set any of it, but the rules of the API are checked.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use super::super::{must_be, one_of};
use super::{Object, QUANTITY, is_quantity};
use crate::catalogue::huge_pages;
use crate::catalogue::rules;
use crate::catalogue::sysctls::{PORT_RANGE_RULE, SYSCTLS, is_port_range, ordered};
use crate::document::{Finding, Step};
use crate::inputs::member::{Member, member};

#[derive(Deserialize)]
#[serde(rename = "linuxOSConfig")]
pub(super) struct LinuxOs {
    swapFileSize: Option<String>,
    transparentHugePageEnabled: Option<String>,
    transparentHugePageDefrag: Option<String>,
    sysctls: Option<Sysctls>,
}

/// The kernel settings. The catalogue has a table of their names.
struct Sysctls {
    numbers: BTreeMap<String, i64>,
    netIPv4IPLocalPortRange: Option<String>,
}

impl<'de> Deserialize<'de> for Sysctls {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        static NAMES: LazyLock<Vec<&str>> =
            LazyLock::new(|| SYSCTLS.iter().filter_map(|setting| setting.node_class_field).collect());
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Sysctls;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Sysctls, A::Error> {
                let mut sysctls = Sysctls { numbers: BTreeMap::new(), netIPv4IPLocalPortRange: None };
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        "netIPv4IPLocalPortRange" => sysctls.netIPv4IPLocalPortRange = Some(map.next_value()?),
                        "netIPv4TCPTwReuse" => {
                            map.next_value::<bool>()?;
                        }
                        _ => {
                            sysctls.numbers.insert(name, map.next_value()?);
                        }
                    }
                }
                Ok(sysctls)
            }
        }
        deserializer.deserialize_struct("sysctls", &NAMES, Members)
    }
}

/// Returns the path of the section, which has no effect on the script.
pub(super) fn ignored(object: &Object) -> Option<&'static str> {
    let section = member!(object.spec.linuxOSConfig);
    section.value.map(|_| section.path)
}

pub(super) fn check(object: &Object, findings: &mut Vec<Finding>) {
    let swap = member!(object.spec.linuxOSConfig.swapFileSize);
    findings.extend(must_be(swap, is_quantity, QUANTITY));
    if swap.value.is_some() && member!(object.spec.kubelet.failSwapOn).value != Some(&false) {
        findings.push(swap.violation(&rules::KARPENTER_COMBINATION, "needs `kubelet.failSwapOn` to be `false`"));
    }
    findings.extend(one_of(member!(object.spec.linuxOSConfig.transparentHugePageEnabled), huge_pages::ENABLED));
    findings.extend(one_of(member!(object.spec.linuxOSConfig.transparentHugePageDefrag), huge_pages::DEFRAG));
    let range = member!(object.spec.linuxOSConfig.sysctls.netIPv4IPLocalPortRange);
    findings.extend(must_be(range, is_port_range, PORT_RANGE_RULE));
    check_numbers(member!(object.spec.linuxOSConfig.sysctls), findings);
}

fn check_numbers(sysctls: Member<'_, Sysctls>, findings: &mut Vec<Finding>) {
    let Some(Sysctls { numbers, .. }) = sysctls.value else { return };
    let path = |name: &'static str| sysctls.location().join(Step::Field { name, json_name: name });
    for setting in SYSCTLS {
        let (Some(name), Some((least, most))) = (setting.node_class_field, setting.bounds) else { continue };
        if let Some(number) = numbers.get(name).filter(|number| !(least.into()..=most.into()).contains(*number)) {
            let rule = format!("must be {least} to {most}, found {number}");
            findings.push(Finding::violation(&rules::KARPENTER_VALUE, path(name), rule));
        }
    }
    for settings in ordered() {
        let [Some(lower), Some(upper)] = settings.map(|setting| setting.node_class_field) else { continue };
        if let (Some(low), Some(high)) = (numbers.get(lower), numbers.get(upper))
            && low > high
        {
            let rule = format!("must not be greater than `{upper}`");
            findings.push(Finding::violation(&rules::KARPENTER_COMBINATION, path(lower), rule));
        }
    }
}
