//! The proxy as shell statements. Nothing here is quoted: the bytes are the reference's, and our own scripts set the
//! proxy from the plain variables instead of running this text.

use super::super::context::Context;

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
