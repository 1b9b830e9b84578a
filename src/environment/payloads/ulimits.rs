//! The limits of containerd as a systemd drop-in on one line.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::context::Context;
use crate::rendering::{Rendered, render_untrusted};

#[derive(Serialize)]
struct Ulimits<'a> {
    limits: BTreeMap<&'static str, &'a str>,
}

/// Returns the drop-in. Empty if the message is absent.
pub(in crate::environment) fn text(context: &Context<'_>) -> Rendered {
    let os = context.configuration.custom_linux_os_config.as_ref();
    let Some(limits) = os.and_then(|os| os.ulimit_config.as_ref()) else { return String::new().into() };
    let values = [("LimitMEMLOCK", &limits.max_locked_memory), ("LimitNOFILE", &limits.no_file)];
    let limits = values.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
    render_untrusted("containerd_ulimits.service.tera", &Ulimits { limits: limits.collect() })
}
