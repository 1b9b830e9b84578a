//! The proxy settings as shell statements, which scripts of older images evaluate.

use serde::Serialize;

use super::super::context::Context;
use crate::rendering::{Rendered, render_untrusted};

#[derive(Serialize)]
struct ProxyVars<'a> {
    exceptions: String,
    https: &'a str,
    http: &'a str,
}

/// Returns an `export` statement for each setting that is not empty.
pub(in crate::environment) fn shell_text(context: &Context<'_>) -> Rendered {
    let Some(proxy) = &context.configuration.http_proxy_config else { return String::new().into() };
    let values =
        ProxyVars { exceptions: proxy.no_proxy_entries.join(","), https: &proxy.https_proxy, http: &proxy.http_proxy };
    render_untrusted("proxy_vars.exports.tera", &values)
}
