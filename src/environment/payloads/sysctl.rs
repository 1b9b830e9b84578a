//! The file of kernel settings.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::context::Context;
use super::encoded;
use crate::catalogue::sysctls::{RESERVED_PORT, RESERVED_PORTS, SYSCTLS, Sysctl};
use crate::configuration::{Message, Slot, SysctlConfig};
use crate::rendering::{Rendered, render_untrusted};

#[derive(Serialize)]
struct Sysctls {
    settings: BTreeMap<&'static str, String>,
}

/// Returns `key=value` lines in byte order of the keys, in base64.
pub(in crate::environment) fn content(context: &Context<'_>) -> Rendered {
    let os = context.configuration.custom_linux_os_config.as_ref();
    let config = os.and_then(|os| os.sysctl_config.as_ref());
    let setting = |setting: &Sysctl| {
        let index = setting.field.and_then(|field| SysctlConfig::descriptor().index_of(field));
        let value = config.and_then(|config| match index {
            Some(index) => number_or_text(config.slot(index)),
            None if setting.key == RESERVED_PORTS => reserved_port(config),
            None => None,
        });
        let value = value.or_else(|| setting.default.map(|default| default.to_string()))?;
        Some((setting.key, value))
    };
    let settings = SYSCTLS.iter().filter_map(setting).collect();
    encoded(render_untrusted("sysctl.conf.tera", &Sysctls { settings }))
}

fn number_or_text(slot: Slot<'_>) -> Option<String> {
    match slot {
        Slot::OptionalInteger(number) => number.map(|number| number.to_string()),
        Slot::OptionalBool(value) => value.map(|value| u8::from(value).to_string()),
        Slot::OptionalText(text) => text.filter(|text| !text.is_empty()).map(str::to_owned),
        _ => unreachable!("every field of this message is optional"),
    }
}

/// Returns the port that must be reserved because the range of ports includes it.
fn reserved_port(config: &SysctlConfig) -> Option<String> {
    let (_, last) = config.net_ipv4_ip_local_port_range.as_deref().and_then(port_range)?;
    (last > i64::from(RESERVED_PORT)).then(|| RESERVED_PORT.to_string())
}

/// Parses two numbers above zero, separated by one space, the first one smaller. `None` for any other text.
fn port_range(text: &str) -> Option<(i64, i64)> {
    let (first, last) = text.split_once(' ')?;
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (0 < first && first < last).then_some((first, last))
}
