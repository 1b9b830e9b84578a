//! The readers on recorded answers of the host, and on damaged ones. `testdata/host` has their sources.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rsa::PrivateKey;
use rsa::pkcs8::DecodePrivateKey;

use super::certificates::{decode, message};
use super::cipher::CryptoError;
use super::enveloped::decrypt;
use super::goal_state::GoalState;
use super::pfx::Bundle;
use super::settings::Channel;
use super::{extensions_config, vm_settings};

/// The certificate for which the settings are encrypted.
const THUMBPRINT: &str = "F6ABAA61098A301EBB8A571C3C7CF77F355F7FA9";

macro_rules! recorded {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/host/", $name))
    };
}

fn private_key(pem: &str) -> PrivateKey {
    PrivateKey::from_pkcs8_pem(pem).expect("the agent's key")
}

/// Returns the PFX in the certificates that were asked for with 3DES.
fn pfx() -> Vec<u8> {
    let message = message(recorded!("certificates-3des.xml").as_bytes()).expect("certificates");
    decrypt(&message, &private_key(recorded!("transport-3des.pem"))).expect("for this key").to_vec()
}

#[test]
fn recorded_answers_lead_to_the_settings() {
    let goal_state = GoalState::parse(recorded!("goal-state.xml").as_bytes()).expect("a goal state");
    assert_eq!(goal_state.container_id, "7db6fcb6-9911-4da4-8687");
    assert!(goal_state.certificates.is_some_and(|url| url.ends_with("?comp=certificates&incarnation=3")));
    let plugin =
        vm_settings::settings(recorded!("vm-settings.json").as_bytes()).expect("vmSettings").expect("settings");
    assert_eq!((plugin.channel, plugin.ticks, plugin.sequence), (Channel::HostPlugin, 638_479_963_767_702_408, 0));
    let wire =
        extensions_config::settings(recorded!("extensions-config.xml").as_bytes()).expect("valid").expect("settings");
    assert_eq!((wire.channel, wire.ticks, wire.sequence), (Channel::WireServer, 638_267_389_998_354_169, 0));
    for settings in [plugin, wire] {
        assert_eq!((&*settings.thumbprint, &*settings.protected), (THUMBPRINT, "*** REDACTED ***"));
    }
}

#[test]
fn recorded_certificates_have_the_key_of_the_settings() {
    let aes = message(recorded!("certificates-aes.xml").as_bytes()).expect("certificates");
    let aes = decrypt(&aes, &private_key(recorded!("transport-aes.pem"))).expect("for this key");
    for (pfx, with_key, without) in [
        (&*pfx(), THUMBPRINT, "8979F1AC8C4215827BF3B5A403E6137B504D02A4"),
        (&aes, "1AF52E2E892C3A0DBC589F301F80073CBA924E26", "DC45A99039D4F9CFB0CD84D566BA065A763F3762"),
    ] {
        let key = |thumbprint: &str| Bundle::read(pfx).expect("a PFX").key(thumbprint);
        assert!(key(with_key).is_ok());
        assert_eq!(key(without).expect_err("it comes without a key"), "the key of the settings is missing");
        let other = "0000000000000000000000000000000000000000";
        assert_eq!(key(other).expect_err("no such certificate"), "the certificate of the settings is missing");
    }
}

#[test]
fn settings_are_decrypted_by_the_algorithms_that_they_name() {
    let key = Bundle::read(&pfx())
        .and_then(|bundle| bundle.key(THUMBPRINT).map_err(CryptoError::unsupported))
        .expect("a key");
    let read = |settings: &str| decrypt(&decode(settings).expect("base64"), &key).map(|plain| plain.to_vec());
    for settings in [recorded!("settings-3des.txt"), recorded!("settings-aes256-oaep.txt")] {
        assert_eq!(read(settings).as_deref(), Ok(&b"{\"commandToExecute\":\"true\"}"[..]));
    }
    for (settings, named) in [
        (recorded!("settings-camellia.txt"), "1.2.392.200011.61.1.1.1.2"),
        (recorded!("settings-oaep-sha256.txt"), "RSAES-OAEP with parameters other than"),
    ] {
        let error = read(settings).expect_err("not supported").to_string();
        assert!(error.contains(named), "{error}");
    }
}

#[test]
fn a_message_for_another_key_or_a_changed_one_has_one_error() {
    let other = private_key(recorded!("transport-aes.pem"));
    for certificates in [recorded!("certificates-3des.xml"), recorded!("certificates-aes.xml")] {
        let mut message = message(certificates.as_bytes()).expect("certificates");
        let end = message.len() - 1;
        message[end] ^= 1;
        let keys = [&other, &private_key(recorded!("transport-3des.pem"))];
        let errors: Vec<_> = keys.iter().filter_map(|key| decrypt(&message, key).err()).collect();
        assert_eq!(errors, [CryptoError::Undecryptable, CryptoError::Undecryptable]);
    }
}

#[test]
fn a_part_of_a_message_or_a_pfx_is_an_error() {
    let key = private_key(recorded!("transport-3des.pem"));
    let whole = message(recorded!("certificates-3des.xml").as_bytes()).expect("certificates");
    for end in 0..whole.len() {
        assert!(decrypt(&whole[..end], &key).is_err(), "{end}");
    }
    let whole = pfx();
    for end in 0..whole.len() {
        assert!(Bundle::read(&whole[..end]).is_err(), "{end}");
    }
    let document = recorded!("certificates-3des.xml");
    for end in 0..document.len() - 1 {
        assert!(message(&document.as_bytes()[..end]).is_err() || document[end..].trim().is_empty(), "{end}");
    }
}

/// Every byte of the structure, and some of what is encrypted. The result may be anything but a panic.
#[test]
fn a_changed_byte_does_no_harm() {
    let key = private_key(recorded!("transport-3des.pem"));
    let sealed = message(recorded!("certificates-3des.xml").as_bytes()).expect("certificates");
    let pfx = pfx();
    for flipped in [0x01, 0x80, 0xff] {
        for at in (0..120).chain((120..sealed.len()).step_by(197)) {
            let mut changed = sealed.clone();
            changed[at] ^= flipped;
            let _ = decrypt(&changed, &key);
        }
        for at in (0..60).chain((60..pfx.len()).step_by(89)) {
            let mut changed = pfx.clone();
            changed[at] ^= flipped;
            let _ = Bundle::read(&changed).map(|bundle| bundle.key(THUMBPRINT).is_ok());
        }
    }
}

#[test]
fn rounds_without_end_are_not_computed() {
    let pfx = STANDARD.decode(recorded!("pfx-rounds.txt").replace('\n', "")).expect("base64");
    assert_eq!(Bundle::read(&pfx).err(), Some(CryptoError::TooManyRounds));
}

#[test]
fn certificates_need_their_format_and_data() {
    let document = recorded!("certificates-aes.xml");
    assert!(document.contains("<Format>Pkcs7BlobWithPfxContents</Format>"));
    let without_format = document.replace("<Format>Pkcs7BlobWithPfxContents</Format>", "");
    assert!(message(without_format.as_bytes()).is_ok());
    for (changed, error) in [
        (document.replace("Pkcs7BlobWithPfxContents", "Pkcs7"), "is not in the format Pkcs7BlobWithPfxContents"),
        (document.replace("Data>", "Other>"), "has no data"),
        (document.replace("<Data>", "<Data>!"), "has no data"),
        (document.replace("CertificateFile", "File"), "is not a document with certificates"),
    ] {
        assert_eq!(message(changed.as_bytes()), Err(error));
    }
}
