//! Kernel settings.

use std::fmt::Write;

use super::super::context::Context;
use super::encoded;
use crate::catalogue::sysctls::{PORT_RANGE, RESERVED_PORT, RESERVED_PORTS, SYSCTLS, Sysctl};
use crate::configuration::{Message, Slot, SysctlConfig};

/// `key=value` lines in byte order of the keys, in base64.
pub(in crate::environment) fn content(context: &Context<'_>) -> String {
    let os = context.configuration.custom_linux_os_config.as_ref();
    let config = os.and_then(|os| os.sysctl_config.as_ref());
    let mut text = String::with_capacity(1024);
    for setting in SYSCTLS {
        let value = config.and_then(|config| asked(config, setting));
        let value = value.or_else(|| setting.default.map(|default| default.to_string()));
        if let Some(value) = value {
            writeln!(text, "{}={value}", setting.key).expect("text takes text");
        }
    }
    encoded(&text)
}

fn asked(config: &SysctlConfig, setting: &Sysctl) -> Option<String> {
    if setting.key == RESERVED_PORTS {
        let range = config.net_ipv4_ip_local_port_range.as_deref().and_then(port_range);
        return range.filter(|(_, last)| *last > i64::from(RESERVED_PORT)).map(|_| RESERVED_PORT.to_string());
    }
    let index = SysctlConfig::descriptor().index_of(setting.field?)?;
    match config.slot(index) {
        Slot::OptionalInteger(number) => number.map(|number| number.to_string()),
        Slot::OptionalBool(value) => value.map(|value| u8::from(value).to_string()),
        Slot::OptionalText(text) => {
            debug_assert_eq!(setting.key, PORT_RANGE);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        }
        _ => unreachable!("every field of this message is optional"),
    }
}

/// Two numbers above zero with one blank between them, the first the smaller.
pub(crate) fn port_range(text: &str) -> Option<(i64, i64)> {
    let (first, last) = text.split_once(' ')?;
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (0 < first && first < last).then_some((first, last))
}
