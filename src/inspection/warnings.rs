//! Warnings about the artifacts of a machine.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::found::{Inspection, Kind, Warning};
use super::redaction::SECRET_FILES;
use crate::Secret;
use crate::catalogue::variables;
use crate::configuration::LIMIT;
use crate::delivery::COMMAND_LIMIT;

/// From this share of the limit on, CustomData is reported as close to it.
const CLOSE: usize = 90;

/// Adds the warnings that need the whole result.
pub(super) fn complete(found: &mut Inspection) {
    let mut warnings = Vec::new();
    let mut warn = |problem: String, hint: &'static str| warnings.push(Warning { problem, hint });
    size(found, &mut warn);
    for file in &found.files {
        let readable = file.mode.unwrap_or(0o644) & 0o077 != 0;
        let secret = SECRET_FILES.contains(&file.path.as_str());
        if readable && secret {
            let mode = file.mode.map_or_else(|| "the default mode".to_owned(), |mode| format!("mode {mode:04o}"));
            warn(format!("{} has {mode}: every process on the node can read its secrets", file.path), "use mode 0600");
        }
    }
    let given = |name: &str| found.variables.get(name).is_some_and(|value| !value.is_empty());
    if given("SERVICE_PRINCIPAL_FILE_CONTENT") && secret_is_real(found.variables.get("SERVICE_PRINCIPAL_FILE_CONTENT"))
    {
        warn(
            "it contains the secret of a service principal, which is valid for months".to_owned(),
            "use a managed identity",
        );
    }
    if given("KUBELET_CLIENT_CONTENT") && !given("TLS_BOOTSTRAP_TOKEN") {
        warn(
            "it contains the client key of the kubelet, which is valid for years and the same on every node".to_owned(),
            "use TLS bootstrapping",
        );
    }
    for file in &found.files {
        let readable = file.mode.unwrap_or(0o644) & 0o004 != 0 && !SECRET_FILES.contains(&file.path.as_str());
        if let Some(name) = readable.then(|| secret_in(found, &file.content)).flatten() {
            let problem =
                format!("{} contains the value of {name}, and every process on the node can read it", file.path);
            warn(problem, "use mode 0600");
        }
    }
    let texts = found.variables.iter().map(|(name, value)| (name.as_str(), value.expose().as_bytes()));
    for (name, text) in texts.chain(found.files.iter().map(|file| (file.path.as_str(), file.content.as_slice()))) {
        let problem = match long_life(text) {
            None => continue,
            Some(Life::Endless) => format!("{name} contains a token that never expires"),
            Some(Life::Days(days)) => format!("{name} contains a token that is valid for {days} days"),
        };
        warn(problem, "use a bootstrap token, or a token that is valid for hours");
    }
    found.warnings.extend(warnings);
}

/// Returns the secret variable whose value a content has.
fn secret_in<'f>(found: &'f Inspection, content: &[u8]) -> Option<&'f str> {
    /// A shorter value can be in a text by chance.
    const SHORTEST: usize = 8;
    let text = std::str::from_utf8(content).ok()?;
    let secret = |name: &str| variables::variable(name).is_some_and(|variable| variable.secret);
    let values = found.variables.iter().filter(|(name, value)| value.expose().len() >= SHORTEST && secret(name));
    values
        .map(|(name, value)| (name.as_str(), value.expose()))
        .find(|(_, value)| text.contains(value))
        .map(|(name, _)| name)
}

/// From this number of days on, a token is long-lived.
const LONG: i64 = 30;

/// How long a token is valid.
enum Life {
    Days(i64),
    Endless,
}

/// Returns the life of the first long-lived JSON Web Token in a text.
/// <https://www.rfc-editor.org/rfc/rfc7519#section-4.1>
fn long_life(text: &[u8]) -> Option<Life> {
    let text = std::str::from_utf8(text).ok()?;
    text.match_indices("eyJ").find_map(|(at, _)| {
        let token = &text[at..];
        let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let token = &token[..token.bytes().position(|byte| !part(byte)).unwrap_or(token.len())];
        let mut parts = token.split('.');
        let (_, claims, _) = (parts.next()?, parts.next()?, parts.next()?);
        let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()?;
        let time = |name: &str| claims.get(name).and_then(Value::as_i64);
        let Some(expires) = time("exp") else { return claims.get("iss").map(|_| Life::Endless) };
        let days = expires.checked_sub(time("iat").or_else(|| time("nbf"))?)? / (24 * 60 * 60);
        (days >= LONG).then_some(Life::Days(days))
    })
}

/// The value for a managed identity, `msi`, is not a secret.
fn secret_is_real(value: Option<&Secret<'static>>) -> bool {
    value
        .and_then(|value| crate::delivery::decoded_text(value.expose()))
        .is_some_and(|text| !text.is_empty() && text != "msi")
}

fn size(found: &Inspection, warn: &mut impl FnMut(String, &'static str)) {
    let encoded =
        found.layers.iter().find(|layer| layer.kind == Kind::Base64 && layer.depth <= 2).map(|layer| layer.size);
    let custom_data = match found.kind {
        Kind::Mime
        | Kind::Boothook
        | Kind::CloudConfig
        | Kind::CloudConfigArchive
        | Kind::Include
        | Kind::PartHandler
        | Kind::Template
        | Kind::Ignition
        | Kind::Script
        | Kind::Gzip => found.layers.first(),
        Kind::Latin1 => found.layers.get(1),
        _ => None,
    };
    let size = encoded.or_else(|| custom_data.map(|layer| layer.size.div_ceil(3) * 4));
    match size {
        Some(size) if size > LIMIT => warn(
            format!("CustomData has {size} characters of base64, {} over the limit of {LIMIT}", size - LIMIT),
            "Azure rejects the machine; compress it (`generate --compress always`) or shorten its largest values",
        ),
        Some(size) if size * 100 > LIMIT * CLOSE => warn(
            format!("CustomData has {size} of {LIMIT} characters"),
            "little space is left; compress it (`generate --compress always`)",
        ),
        _ => {}
    }
    if let Some(command) = &found.command
        && command.expose().len() > COMMAND_LIMIT
    {
        warn(
            format!(
                "the CSE command has {} bytes, more than the {COMMAND_LIMIT} that an argument can have",
                command.expose().len()
            ),
            "Linux cannot run it; shorten its largest values",
        );
    }
}
