//! `spec.linuxOSConfig`. The script does not set any of it, but the rules of the API are checked.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

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
    netIPv4TCPTwReuse: Option<bool>,
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
                let mut sysctls =
                    Sysctls { numbers: BTreeMap::new(), netIPv4IPLocalPortRange: None, netIPv4TCPTwReuse: None };
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        "netIPv4IPLocalPortRange" => sysctls.netIPv4IPLocalPortRange = Some(map.next_value()?),
                        "netIPv4TCPTwReuse" => sysctls.netIPv4TCPTwReuse = Some(map.next_value()?),
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

/// Returns `custom_linux_os_config` of the equivalent Configuration.
pub(super) fn configuration(object: &Object) -> Option<Value> {
    let section = member!(object.spec.linuxOSConfig).value?;
    let mut found = Map::new();
    if let Some(size) = section.swapFileSize.as_deref().and_then(mebibytes) {
        found.insert("enable_swap_config".to_owned(), true.into());
        found.insert("swap_file_size".to_owned(), size.into());
    }
    for (name, text) in [
        ("transparent_hugepage_support", &section.transparentHugePageEnabled),
        ("transparent_defrag", &section.transparentHugePageDefrag),
    ] {
        found.extend(text.iter().map(|text| (name.to_owned(), text.clone().into())));
    }
    if let Some(Sysctls { numbers, netIPv4IPLocalPortRange: range, netIPv4TCPTwReuse: reuse }) = &section.sysctls {
        let field = |name: &str| SYSCTLS.iter().find(|setting| setting.node_class_field == Some(name))?.field;
        let numbers = numbers.iter().map(|(name, number)| (name.as_str(), Value::from(*number)));
        let range = range.iter().map(|range| ("netIPv4IPLocalPortRange", range.clone().into()));
        let reuse = reuse.iter().map(|reuse| ("netIPv4TCPTwReuse", (*reuse).into()));
        let known = numbers.chain(range).chain(reuse);
        let sysctls: Map<_, _> = known
            .filter_map(|(name, value)| Some((field(name)?.trim_start_matches(PREFIX).to_owned(), value)))
            .collect();
        found.insert("sysctl_config".to_owned(), sysctls.into());
    }
    Some(found.into())
}

/// The path of the fields of kernel settings.
const PREFIX: &str = "custom_linux_os_config.sysctl_config.";

/// Returns a size in MiB, rounded; `None` if it is none.
fn mebibytes(quantity: &str) -> Option<u64> {
    let digits = quantity.bytes().take_while(u8::is_ascii_digit).count();
    let number: u64 = quantity[..digits].parse().ok()?;
    let (letter, base) = match quantity[digits..].strip_suffix('i') {
        Some(letter) => (letter, 1024_u64),
        None => (&quantity[digits..], 1000),
    };
    let power = ["K", "M", "G", "T", "P", "E"].iter().position(|known| *known == letter)?;
    let bytes = u128::from(number).checked_mul(u128::from(base).pow(u32::try_from(power).ok()? + 1))?;
    u64::try_from((bytes + (1 << 19)) >> 20).ok()
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
