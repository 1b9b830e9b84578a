//! The command of the extension: recognizes ours, and extracts the script in it. The command is never run.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::bufread::GzDecoder;
use serde::Deserialize;
use zeroize::Zeroizing;

use super::settings::is_shallow;

/// Bytes of the largest script.
const LARGEST_SCRIPT: u64 = 4 << 20;

/// What stands before the payload, and right behind it. The rest of the command may change.
const BEFORE: &str = "echo '";
const BEHIND: &str = "' | base64 -d | gzip -d > /opt/azure/containers/boothook.sh";

/// How a script begins.
const SHEBANG: &[u8] = b"#!/bin/bash";

/// The member of the settings that matters.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlainSettings {
    command_to_execute: String,
}

/// Returns the script in decrypted settings.
///
/// # Errors
/// Fails if the settings are not JSON with a command that writes a compressed script to the boothook's path, or the script is too
/// large or no script. The error has no part of them.
pub(super) fn script(settings: &[u8]) -> Result<Zeroizing<Vec<u8>>, &'static str> {
    if !is_shallow(settings) {
        return Err("the settings nest too deeply");
    }
    // Not the error of serde, which may quote a value.
    let settings: PlainSettings = serde_json::from_slice(settings).map_err(|_| "the settings have no command")?;
    let command = Zeroizing::new(settings.command_to_execute);
    let payload = payload(&command).ok_or("the command does not deliver a boothook")?;
    let packed = Zeroizing::new(STANDARD.decode(&*payload).map_err(|_| "the payload is not base64")?);
    unpack(&packed)
}

/// Returns the payload of the command without white space. `None` if the command has another form.
fn payload(command: &str) -> Option<Zeroizing<String>> {
    let rest = command.trim().strip_prefix(BEFORE)?;
    let (payload, behind) = rest.split_at(rest.find('\'')?);
    let is_payload =
        |character: char| character.is_ascii_alphanumeric() || "+/=".contains(character) || character.is_whitespace();
    if payload.is_empty() || !payload.chars().all(is_payload) || !behind.starts_with(BEHIND) {
        return None;
    }
    // With its whole capacity at once, because a copy that grows leaves parts of itself behind.
    let mut whole = Zeroizing::new(String::with_capacity(payload.len()));
    whole.extend(payload.split_whitespace());
    Some(whole)
}

fn unpack(packed: &[u8]) -> Result<Zeroizing<Vec<u8>>, &'static str> {
    let mut member = GzDecoder::new(packed);
    let mut script = Zeroizing::new(Vec::new());
    (&mut member).take(LARGEST_SCRIPT + 1).read_to_end(&mut script).map_err(|_| "the payload is not gzip")?;
    if script.len() as u64 > LARGEST_SCRIPT {
        return Err("the script is larger than 4 MiB");
    }
    if !member.into_inner().is_empty() {
        return Err("the payload is not one member of gzip");
    }
    if script.starts_with(SHEBANG) { Ok(script) } else { Err("the payload is not a script of bash") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::gzip::compress;

    const SCRIPT: &[u8] = b"#!/bin/bash\necho it runs\n";

    fn encoded(script: &[u8]) -> String {
        STANDARD.encode(compress(script))
    }

    fn command(payload: &str) -> String {
        format!("echo '{payload}' | base64 -d | gzip -d > /opt/azure/containers/boothook.sh && chmod 0600 /opt")
    }

    fn result(command: &str) -> Result<Vec<u8>, &'static str> {
        let settings = json!({"fileUris": [], "commandToExecute": command});
        script(settings.to_string().as_bytes()).map(|script| script.to_vec())
    }

    #[test]
    fn the_script_of_a_command_is_found_whatever_follows_it() {
        let payload = encoded(SCRIPT);
        let folded = payload
            .as_bytes()
            .chunks(10)
            .map(|line| str::from_utf8(line).expect("ASCII"))
            .collect::<Vec<_>>()
            .join(" \r\n");
        for command in [command(&payload), format!("\n {}\t", command(&payload)), command(&folded)] {
            assert_eq!(result(&command).expect("it matches"), SCRIPT, "{command}");
        }
    }

    #[test]
    fn every_other_command_is_rejected() {
        let payload = encoded(SCRIPT);
        let ours = command(&payload);
        let two = STANDARD.encode([compress(SCRIPT), compress(SCRIPT)].concat());
        let mut garbled = compress(SCRIPT);
        let crc = garbled.len() - 8;
        garbled[crc] ^= 1;
        let short = compress(SCRIPT);
        for (command, error) in [
            (String::new(), "does not deliver"),
            ("/bin/bash -c 'true'".to_owned(), "does not deliver"),
            (format!("true; {ours}"), "does not deliver"),
            (ours.replace('\'', "\""), "does not deliver"),
            (ours.replace("echo ", "echo  "), "does not deliver"),
            (ours.replace("/boothook", "/boothook2"), "does not deliver"),
            (ours.replace("boothook.sh", "boothookXsh"), "does not deliver"),
            (ours.replace("base64 -d", "base64 --decode"), "does not deliver"),
            (command(""), "does not deliver"),
            (command(&format!("{payload}$(id)")), "does not deliver"),
            (command(&format!("{payload};")), "does not deliver"),
            (command(" "), "is not gzip"),
            (command(&format!("={payload}")), "is not base64"),
            (command(payload.trim_end_matches('=')).replace("AA'", "A'"), "is not base64"),
            (command(&STANDARD.encode(SCRIPT)), "is not gzip"),
            (command(&STANDARD.encode(&garbled)), "is not gzip"),
            (command(&STANDARD.encode(&short[..short.len() - 1])), "is not gzip"),
            (command(&two), "one member"),
            (command(&STANDARD.encode([&compress(SCRIPT)[..], b"\0"].concat())), "one member"),
            (command(&encoded(b"#!/bin/sh\n")), "not a script"),
            (command(&encoded(b"")), "not a script"),
            (command(&encoded(&[&b"#!/bin/bash\n"[..], &vec![b' '; 4 << 20]].concat())), "larger than 4 MiB"),
        ] {
            let found = result(&command).expect_err(error);
            assert!(found.contains(error), "{found}, but expected {error}");
        }
    }

    #[test]
    fn settings_without_a_command_are_rejected() {
        for settings in
            ["", "echo", "{}", "[]", r#"{"commandToExecute":7}"#, r#"{"commandToExecute":null}"#, "\u{feff}{}"]
        {
            assert_eq!(script(settings.as_bytes()), Err("the settings have no command"), "{settings}");
        }
        assert_eq!(script("[".repeat(100).as_bytes()), Err("the settings nest too deeply"));
    }

    #[test]
    fn no_part_of_a_payload_is_a_script() {
        let whole = json!({"commandToExecute": command(&encoded(SCRIPT))}).to_string();
        for end in 0..whole.len() {
            assert!(script(&whole.as_bytes()[..end]).is_err(), "{end}");
        }
    }
}
