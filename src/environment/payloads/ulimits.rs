//! The limits of containerd as a systemd drop-in with spaces in place of line breaks, which the node puts back.

use super::super::context::Context;

/// Returns the drop-in. Empty if the message is absent.
pub(in crate::environment) fn text(context: &Context<'_>) -> String {
    let os = context.configuration.custom_linux_os_config.as_ref();
    let Some(limits) = os.and_then(|os| os.ulimit_config.as_ref()) else { return String::new() };
    let mut text = "[Service] ".to_owned();
    for (name, value) in [("LimitMEMLOCK", &limits.max_locked_memory), ("LimitNOFILE", &limits.no_file)] {
        if let Some(value) = value {
            for piece in [name, "=", value, " "] {
                text.push_str(piece);
            }
        }
    }
    text
}
