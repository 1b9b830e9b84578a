//! The ciphers of the host's messages, each named by the message itself. Some are from 1998 and are read because the host sends them.

use std::fmt::Display;

use aes::{Aes128, Aes192, Aes256};
use cbc::Decryptor;
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::{BlockCipherDecrypt, BlockModeDecrypt, InnerIvInit, KeyInit, KeyIvInit};
use der::asn1::{ObjectIdentifier, OctetStringRef};
use des::TdesEde3;
use x509_cert::spki::AlgorithmIdentifierOwned;
use zeroize::Zeroizing;

/// Names of the ciphers in messages.
const DES_EDE3_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.3.7");
const AES_128_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.2");
const AES_192_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.22");
const AES_256_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.42");

/// Why a message cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CryptoError {
    /// It is not of the expected form.
    #[error("is not {0}")]
    Malformed(&'static str),
    /// It names an algorithm that is not read.
    #[error("uses an algorithm that is not supported: {0}")]
    Unsupported(String),
    /// Deriving its key would take too long.
    #[error("requires too many rounds to derive a key")]
    TooManyRounds,
    /// One message, whatever failed, because the difference would be an oracle.
    #[error("cannot be decrypted")]
    Undecryptable,
}

impl CryptoError {
    pub fn unsupported(algorithm: impl Display) -> Self {
        Self::Unsupported(algorithm.to_string())
    }
}

/// A block cipher in CBC mode with the padding of PKCS#7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cipher {
    TripleDes,
    Aes128,
    Aes192,
    Aes256,
}

impl Cipher {
    /// Returns the cipher that a message names, and its initialization vector.
    ///
    /// # Errors
    /// Fails if the cipher is not supported or has no vector.
    pub fn of(algorithm: &AlgorithmIdentifierOwned) -> Result<(Self, Vec<u8>), CryptoError> {
        let cipher = match algorithm.oid {
            DES_EDE3_CBC => Self::TripleDes,
            AES_128_CBC => Self::Aes128,
            AES_192_CBC => Self::Aes192,
            AES_256_CBC => Self::Aes256,
            other => return Err(CryptoError::unsupported(other)),
        };
        let vector =
            algorithm.parameters.as_ref().and_then(|parameters| parameters.decode_as::<&OctetStringRef>().ok());
        let vector = vector.ok_or(CryptoError::Malformed("a message with an initialization vector"))?;
        Ok((cipher, vector.as_bytes().to_vec()))
    }

    /// Returns the length of its key in bytes.
    pub const fn key_length(self) -> usize {
        match self {
            Self::Aes128 => 16,
            Self::TripleDes | Self::Aes192 => 24,
            Self::Aes256 => 32,
        }
    }

    /// Decrypts data.
    ///
    /// # Errors
    /// Fails if the key, the vector or the padding is wrong.
    pub fn decrypt(self, key: &[u8], vector: &[u8], data: &[u8]) -> Result<Zeroizing<Vec<u8>>, CryptoError> {
        let buffer = Zeroizing::new(data.to_vec());
        match self {
            Self::TripleDes => decrypt::<TdesEde3>(key, vector, buffer),
            Self::Aes128 => decrypt::<Aes128>(key, vector, buffer),
            Self::Aes192 => decrypt::<Aes192>(key, vector, buffer),
            Self::Aes256 => decrypt::<Aes256>(key, vector, buffer),
        }
    }
}

fn decrypt<C>(key: &[u8], vector: &[u8], mut buffer: Zeroizing<Vec<u8>>) -> Result<Zeroizing<Vec<u8>>, CryptoError>
where
    C: BlockCipherDecrypt + KeyInit,
    Decryptor<C>: KeyIvInit + InnerIvInit<Inner = C> + BlockModeDecrypt,
{
    let decryptor = Decryptor::<C>::new_from_slices(key, vector).map_err(|_| CryptoError::Undecryptable)?;
    let length = decryptor.decrypt_padded::<Pkcs7>(&mut buffer).map_err(|_| CryptoError::Undecryptable)?.len();
    buffer.truncate(length);
    Ok(buffer)
}
