//! The readers of answers, exposed for the fuzz targets only.

use rsa::PrivateKey;
use rsa::pkcs8::DecodePrivateKey;

use super::{certificates, command, enveloped, extensions_config, goal_state, pfx, vm_settings};

/// Reads a goal state. Returns whether it is one.
#[must_use]
pub fn goal_state(document: &[u8]) -> bool {
    goal_state::GoalState::parse(document).is_ok()
}

/// Reads settings as both channels have them, and decrypted ones. Returns whether one of the readers accepts them.
#[must_use]
pub fn settings(document: &[u8]) -> bool {
    let found = [vm_settings::settings(document), extensions_config::settings(document)];
    found.iter().any(Result::is_ok) || command::script(document).is_ok()
}

/// Decrypts a message, as it is, as base64 or in a document with certificates, with a key in PEM. Returns whether it is for this
/// key.
#[must_use]
pub fn message(document: &[u8], key: &str) -> bool {
    let Ok(key) = PrivateKey::from_pkcs8_pem(key) else { return false };
    let text = String::from_utf8_lossy(document);
    let messages = [certificates::message(document).ok(), certificates::decode(&text), Some(document.to_vec())];
    messages.into_iter().flatten().any(|message| enveloped::decrypt(&message, &key).is_ok())
}

/// Reads a PFX, as it is or as base64. Returns whether it is one.
#[must_use]
pub fn pfx(document: &[u8]) -> bool {
    let text = String::from_utf8_lossy(document);
    let bundles = [certificates::decode(&text), Some(document.to_vec())];
    bundles.into_iter().flatten().any(|bundle| {
        let bundle = pfx::Bundle::read(&bundle);
        bundle.map(|bundle| bundle.key("F6ABAA61098A301EBB8A571C3C7CF77F355F7FA9").is_ok()).is_ok()
    })
}
