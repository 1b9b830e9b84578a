//! PFX (PKCS#12) without a password: keys and certificates as an unordered set. Its MAC is not read, because it has no secret key
//! without a password.

use cms::content_info::ContentInfo;
use cms::encrypted_data::EncryptedData;
use der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef};
use der::referenced::OwnedToRef;
use der::{Any, Decode, Sequence};
use pbkdf2::pbkdf2_hmac;
use pkcs5::pbes2::{PBES2_OID, Parameters, Pbkdf2Prf};
use rsa::PrivateKey;
use rsa::pkcs8::PrivateKeyInfoRef;
use sha1::{Digest, Sha1};
use sha2::{Sha256, Sha384, Sha512};
use x509_cert::Certificate;
use x509_cert::spki::{AlgorithmIdentifierOwned, AlgorithmIdentifierRef};
use zeroize::Zeroizing;

use super::cipher::{Cipher, CryptoError};

const DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.1");
const ENCRYPTED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.6");
const KEY_BAG: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.12.10.1.1");
const SHROUDED_KEY_BAG: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.12.10.1.2");
const CERTIFICATE_BAG: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.12.10.1.3");
const X509_CERTIFICATE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.22.1");
const PBE_SHA1_3DES: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.12.1.3");

/// Rounds of all keys of a PFX together. The host's has two or three keys with 2000 rounds each.
const MOST_ROUNDS: u32 = 200_000;

/// How a missing password enters the derivation of a key: as an empty text with its final NUL, which is in UTF-16, or as nothing.
const PASSWORDS: [&[u8]; 2] = [&[0, 0], &[]];

const MALFORMED: CryptoError = CryptoError::Malformed("a PFX");

#[derive(Sequence)]
struct Pfx {
    #[allow(dead_code, reason = "part of the format")]
    version: u8,
    auth_safe: ContentInfo,
    #[asn1(optional = "true")]
    #[allow(dead_code, reason = "part of the format")]
    mac_data: Option<Any>,
}

#[derive(Sequence)]
struct SafeBag<'b> {
    bag_id: ObjectIdentifier,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT")]
    value: AnyRef<'b>,
    #[asn1(optional = "true")]
    #[allow(dead_code, reason = "part of the format")]
    attributes: Option<AnyRef<'b>>,
}

#[derive(Sequence)]
struct CertificateBag<'b> {
    kind: ObjectIdentifier,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT")]
    value: &'b OctetStringRef,
}

#[derive(Sequence)]
struct ShroudedKey<'b> {
    algorithm: AlgorithmIdentifierOwned,
    data: &'b OctetStringRef,
}

#[derive(Sequence)]
struct PbeParameters<'b> {
    salt: &'b OctetStringRef,
    rounds: u32,
}

/// The contents of a PFX.
#[derive(Default)]
pub(super) struct Bundle {
    keys: Vec<PrivateKey>,
    /// DER.
    certificates: Vec<Vec<u8>>,
}

impl Bundle {
    /// Reads a PFX.
    ///
    /// # Errors
    /// Fails if it is not one, has a password, or uses an algorithm that is not supported.
    pub fn read(pfx: &[u8]) -> Result<Self, CryptoError> {
        let pfx = Pfx::from_der(pfx).map_err(|_| MALFORMED)?;
        if pfx.auth_safe.content_type != DATA {
            return Err(CryptoError::unsupported("a signed PFX"));
        }
        let content = pfx.auth_safe.content.decode_as::<&OctetStringRef>().map_err(|_| MALFORMED)?;
        let parts = Vec::<ContentInfo>::from_der(content.as_bytes()).map_err(|_| MALFORMED)?;
        let mut rounds = MOST_ROUNDS;
        let mut read = |password| Reader { password, rounds: &mut rounds }.bundle(&parts);
        let [first, second] = PASSWORDS;
        // The first error, because that is the usual password.
        read(first).or_else(|error| read(second).map_err(|_| error))
    }

    /// Returns the key of the certificate with a thumbprint: SHA-1 of its DER in hexadecimal digits. The order in the PFX does not matter.
    pub fn key(self, thumbprint: &str) -> Result<PrivateKey, &'static str> {
        let is_named = |certificate: &&Vec<u8>| digits(&Sha1::digest(certificate)) == thumbprint;
        let certificate =
            self.certificates.iter().find(is_named).ok_or("the certificate of the settings is missing")?;
        let certificate =
            Certificate::from_der(certificate).map_err(|_| "the certificate of the settings is malformed")?;
        let key = certificate.tbs_certificate().subject_public_key_info().owned_to_ref();
        let key = rsa::PublicKey::try_from(key).map_err(|_| "the certificate of the settings has no RSA key")?;
        self.keys.into_iter().find(|own| *own.as_public_key() == key).ok_or("the key of the settings is missing")
    }
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02X}"))
}

/// Reads a PFX with one of the passwords.
struct Reader<'r> {
    password: &'static [u8],
    /// Rounds that are left.
    rounds: &'r mut u32,
}

impl Reader<'_> {
    fn bundle(&mut self, parts: &[ContentInfo]) -> Result<Bundle, CryptoError> {
        let mut bundle = Bundle::default();
        for part in parts {
            match part.content_type {
                DATA => {
                    let bags = part.content.decode_as::<&OctetStringRef>().map_err(|_| MALFORMED)?;
                    self.bags(bags.as_bytes(), &mut bundle)?;
                }
                ENCRYPTED_DATA => {
                    let data: EncryptedData = part.content.decode_as().map_err(|_| MALFORMED)?;
                    let content = data.enc_content_info;
                    let encrypted = content.encrypted_content.ok_or(MALFORMED)?;
                    let bags = self.decrypt(&content.content_enc_alg, encrypted.as_bytes())?;
                    // A wrong password can leave a valid padding.
                    self.bags(&bags, &mut bundle).map_err(|_| CryptoError::Undecryptable)?;
                }
                other => return Err(CryptoError::unsupported(other)),
            }
        }
        Ok(bundle)
    }

    fn bags(&mut self, bags: &[u8], bundle: &mut Bundle) -> Result<(), CryptoError> {
        for bag in Vec::<SafeBag>::from_der(bags).map_err(|_| MALFORMED)? {
            match bag.bag_id {
                KEY_BAG => bundle.keys.extend(private_key(&bag.value.decode_as().map_err(|_| MALFORMED)?)),
                SHROUDED_KEY_BAG => {
                    let shrouded: ShroudedKey = bag.value.decode_as().map_err(|_| MALFORMED)?;
                    let key = self.decrypt(&shrouded.algorithm, shrouded.data.as_bytes())?;
                    let key = PrivateKeyInfoRef::from_der(&key).map_err(|_| CryptoError::Undecryptable)?;
                    bundle.keys.extend(private_key(&key));
                }
                CERTIFICATE_BAG => {
                    let certificate: CertificateBag = bag.value.decode_as().map_err(|_| MALFORMED)?;
                    if certificate.kind == X509_CERTIFICATE {
                        bundle.certificates.push(certificate.value.as_bytes().to_vec());
                    }
                }
                // Revocation lists, secrets, and bags in bags.
                _ => {}
            }
        }
        Ok(())
    }

    /// Decrypts with a key that is derived from the password.
    fn decrypt(
        &mut self,
        algorithm: &AlgorithmIdentifierOwned,
        data: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, CryptoError> {
        let parameters = algorithm.parameters.as_ref().ok_or(MALFORMED)?;
        match algorithm.oid {
            PBE_SHA1_3DES => {
                let PbeParameters { salt, rounds } = parameters.decode_as().map_err(|_| MALFORMED)?;
                // Once for the key and once for the vector.
                self.spend(rounds.saturating_mul(2))?;
                let (mut key, mut vector) = (Zeroizing::new([0; 24]), [0; 8]);
                derive(Purpose::Key, self.password, salt.as_bytes(), rounds, &mut *key);
                derive(Purpose::Vector, self.password, salt.as_bytes(), rounds, &mut vector);
                Cipher::TripleDes.decrypt(&*key, &vector, data)
            }
            PBES2_OID => {
                let parameters = Parameters::try_from(der::asn1::AnyRef::from(parameters));
                let parameters = parameters.map_err(|_| CryptoError::unsupported("parameters of PBES2"))?;
                let kdf = parameters.kdf.pbkdf2().ok_or_else(|| CryptoError::unsupported(parameters.kdf.oid()))?;
                let algorithm = AlgorithmIdentifierRef::try_from(&parameters.encryption).map_err(|_| MALFORMED)?;
                let (cipher, vector) = Cipher::of(&algorithm.into())?;
                let rounds = kdf.iteration_count;
                // SHA-512 takes longer than the others, and a key of two blocks twice as long.
                self.spend(rounds.saturating_mul(2))?;
                let mut key = Zeroizing::new(vec![0; cipher.key_length()]);
                // An empty text as it is, for both ways to read a missing password.
                let (password, salt) = (b"", kdf.salt.as_bytes());
                match kdf.prf {
                    Pbkdf2Prf::HmacWithSha1 => pbkdf2_hmac::<Sha1>(password, salt, rounds, &mut key),
                    Pbkdf2Prf::HmacWithSha256 => pbkdf2_hmac::<Sha256>(password, salt, rounds, &mut key),
                    Pbkdf2Prf::HmacWithSha384 => pbkdf2_hmac::<Sha384>(password, salt, rounds, &mut key),
                    Pbkdf2Prf::HmacWithSha512 => pbkdf2_hmac::<Sha512>(password, salt, rounds, &mut key),
                    other => return Err(CryptoError::unsupported(other.oid())),
                }
                cipher.decrypt(&key, &vector, data)
            }
            other => Err(CryptoError::unsupported(other)),
        }
    }

    fn spend(&mut self, rounds: u32) -> Result<(), CryptoError> {
        *self.rounds = self.rounds.checked_sub(rounds).ok_or(CryptoError::TooManyRounds)?;
        Ok(())
    }
}

/// Returns an RSA key. Keys of other kinds are not needed.
fn private_key(key: &PrivateKeyInfoRef) -> Option<PrivateKey> {
    PrivateKey::try_from(key.clone()).ok()
}

/// What a derived text is for.
#[derive(Clone, Copy)]
enum Purpose {
    Key = 1,
    Vector = 2,
}

/// Derives a text from a password with SHA-1: [RFC 7292, appendix B.2](https://www.rfc-editor.org/rfc/rfc7292#appendix-B.2).
fn derive(purpose: Purpose, password: &[u8], salt: &[u8], rounds: u32, derived: &mut [u8]) {
    /// Bytes of a block of SHA-1.
    const BLOCK: usize = 64;
    let filled =
        |text: &[u8]| text.iter().copied().cycle().take(text.len().next_multiple_of(BLOCK)).collect::<Vec<u8>>();
    let mut input = Zeroizing::new([filled(salt), filled(password)].concat());
    for part in derived.chunks_mut(Sha1::output_size()) {
        let mut digest = Sha1::new().chain_update([purpose as u8; BLOCK]).chain_update(&*input).finalize();
        for _ in 1..rounds {
            digest = Sha1::digest(digest);
        }
        part.copy_from_slice(&digest[..part.len()]);
        for block in input.chunks_mut(BLOCK) {
            // The block plus the repeated digest plus 1, as a number of 64 bytes.
            let mut carry = 1_u16;
            for (at, byte) in block.iter_mut().enumerate().rev() {
                carry += u16::from(*byte) + u16::from(digest[at % digest.len()]);
                [_, *byte] = carry.to_be_bytes();
                carry >>= 8;
            }
        }
    }
}
