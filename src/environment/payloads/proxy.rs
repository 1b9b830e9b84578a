//! The proxy settings as shell statements.
//!
//! The values are not quoted, because the bytes are the same as the reference's. The provisioning scripts do not
//! evaluate this text; they read the variables of each setting.

use super::super::context::Context;

/// Returns an `export` statement for each setting that is not empty.
pub(in crate::environment) fn shell_text(context: &Context<'_>) -> String {
    let mut text = String::new();
    let Some(proxy) = &context.configuration.http_proxy_config else { return text };
    if !proxy.no_proxy_entries.is_empty() {
        statement(&mut text, "NO_PROXY", &proxy.no_proxy_entries.join(","), " ");
    }
    if !proxy.https_proxy.is_empty() {
        statement(&mut text, "HTTPS_PROXY", &proxy.https_proxy, " ");
    }
    if !proxy.http_proxy.is_empty() {
        statement(&mut text, "http_proxy", &proxy.http_proxy, "");
    }
    text
}

fn statement(text: &mut String, name: &str, value: &str, end: &str) {
    for piece in ["export ", name, "=\"", value, "\";", end] {
        text.push_str(piece);
    }
}
