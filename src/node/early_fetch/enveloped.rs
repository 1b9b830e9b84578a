//! CMS enveloped data: a text that is encrypted for the holder of an RSA key. The certificates of the VM and the protected settings
//! come in it.
//!
//! Timing: `rsa` blinds each decryption and answers wrong PKCS#1 padding with a random key, and all failures have one message. The only
//! one who could measure is the host, which has the plain text.

use cms::content_info::ContentInfo;
use cms::enveloped_data::{EnvelopedData, KeyTransRecipientInfo, RecipientInfo};
use der::asn1::ObjectIdentifier;
use der::{Any, Decode};
use rsa::PrivateKey;
use rsa::pkcs1::RsaOaepParams;
use sha1::Sha1;
use zeroize::Zeroizing;

use super::cipher::{Cipher, CryptoError};

const ENVELOPED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.3");
const RSA_ENCRYPTION: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
const RSAES_OAEP: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.7");

/// Recipients that are tried. The host names one.
const MOST_RECIPIENTS: usize = 4;

/// Decrypts enveloped data (DER) with a key. Every recipient is tried, because there is only one key.
///
/// # Errors
/// Fails if the message is not enveloped data, uses an algorithm that is not supported, or is for another key.
pub(super) fn decrypt(message: &[u8], key: &PrivateKey) -> Result<Zeroizing<Vec<u8>>, CryptoError> {
    const MALFORMED: CryptoError = CryptoError::Malformed("CMS enveloped data");
    let message = ContentInfo::from_der(message).map_err(|_| MALFORMED)?;
    if message.content_type != ENVELOPED_DATA {
        return Err(MALFORMED);
    }
    let message: EnvelopedData = message.content.decode_as().map_err(|_| MALFORMED)?;
    let content = &message.encrypted_content;
    let (cipher, vector) = Cipher::of(&content.content_enc_alg)?;
    let data = content.encrypted_content.as_ref().ok_or(MALFORMED)?.as_bytes();
    let mut failure = MALFORMED;
    for recipient in message.recip_infos.0.iter().take(MOST_RECIPIENTS) {
        let RecipientInfo::Ktri(recipient) = recipient else {
            failure = CryptoError::unsupported("a recipient without an RSA key");
            continue;
        };
        match content_key(recipient, key).and_then(|key| cipher.decrypt(&key, &vector, data)) {
            Ok(plain) => return Ok(plain),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// Returns the key of the content.
fn content_key(recipient: &KeyTransRecipientInfo, key: &PrivateKey) -> Result<Zeroizing<Vec<u8>>, CryptoError> {
    let encrypted = recipient.enc_key.as_bytes();
    let algorithm = &recipient.key_enc_alg;
    let decrypted = match algorithm.oid {
        RSA_ENCRYPTION => key.pkcs1v15_decrypt(encrypted),
        RSAES_OAEP => {
            let parameters = algorithm.parameters.as_ref().map(Any::decode_as::<RsaOaepParams<Any>>);
            match parameters {
                None => {}
                Some(Ok(parameters)) if parameters == RsaOaepParams::default() => {}
                Some(_) => {
                    return Err(CryptoError::unsupported("RSAES-OAEP with parameters other than the defaults"));
                }
            }
            key.oaep_decrypt::<Sha1>(encrypted)
        }
        other => return Err(CryptoError::unsupported(other)),
    };
    decrypted.map(Zeroizing::new).map_err(|_| CryptoError::Undecryptable)
}
