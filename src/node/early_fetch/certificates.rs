//! The certificates of the VM: the key for which the host encrypts them, the request's certificate, and the document with them.

use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use der::Encode;
use getrandom::SysRng;
use rsa::PrivateKey;
use rsa::pkcs1v15::SigningKey;
use rsa::pkcs8::EncodePublicKey;
use rsa::rand_core::UnwrapErr;
use sha2::Sha256;
use x509_cert::TbsCertificate;
use x509_cert::builder::profile::BuilderProfile;
use x509_cert::builder::{Builder, CertificateBuilder};
use x509_cert::ext::pkix::SubjectKeyIdentifier;
use x509_cert::ext::{Extension, ToExtension};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{SubjectPublicKeyInfoOwned, SubjectPublicKeyInfoRef};
use x509_cert::time::Validity;

use super::deadline::Deadline;
use super::xml;

/// Bits of the key, as the agent makes it.
const BITS: usize = 2048;

/// The subject of the certificate, as the agent writes it.
const SUBJECT: &str = "CN=LinuxTransport";

/// How long the certificate is valid, as the agent writes it.
const VALID: Duration = Duration::from_hours(730 * 24);

/// The form of the document that is read, also if it names none.
const FORMAT: &str = "Pkcs7BlobWithPfxContents";

/// A cipher that a request asks for. The message names its own.
pub(super) const REQUESTED_CIPHERS: [&str; 2] = ["AES128_CBC", "DES_EDE3_CBC"];

/// A key of this process, and the certificate with which the host encrypts for it.
pub(super) struct TransportKey {
    pub key: PrivateKey,
    /// DER in base64, on one line.
    pub certificate: String,
}

/// A key that a thread makes, because that takes seconds on a slow machine.
pub(super) struct PendingKey(Receiver<Option<TransportKey>>);

impl PendingKey {
    /// Starts to make a key.
    pub fn start() -> Self {
        let (sender, receiver) = mpsc::channel();
        // The receiver no longer exists if no one has waited for the key.
        thread::spawn(move || drop(sender.send(TransportKey::new())));
        Self(receiver)
    }

    /// Returns the key. `None` if it is not ready at the deadline, or cannot be made.
    pub fn wait(self, deadline: Deadline) -> Option<TransportKey> {
        self.0.recv_timeout(deadline.left()).ok().flatten()
    }
}

impl TransportKey {
    fn new() -> Option<Self> {
        let key = PrivateKey::new(&mut SysRng, BITS).ok()?;
        let certificate = STANDARD.encode(certificate(&key)?);
        Some(Self { key, certificate })
    }
}

/// A self-signed certificate with a key identifier, by which the host's messages name the recipient.
struct Transport(Name);

impl BuilderProfile for Transport {
    fn get_issuer(&self, subject: &Name) -> Name {
        subject.clone()
    }

    fn get_subject(&self) -> Name {
        self.0.clone()
    }

    fn build_extensions(
        &self,
        key: SubjectPublicKeyInfoRef<'_>,
        _issuer: SubjectPublicKeyInfoRef<'_>,
        tbs: &TbsCertificate,
    ) -> x509_cert::builder::Result<Vec<Extension>> {
        let identifier = SubjectKeyIdentifier::try_from(key)?;
        Ok(vec![(&identifier).to_extension(tbs.subject(), &[])?])
    }
}

/// Returns the certificate of a key in DER.
fn certificate(key: &PrivateKey) -> Option<Vec<u8>> {
    let public = key.to_public_key().to_public_key_der().ok()?;
    let public = SubjectPublicKeyInfoOwned::try_from(public.as_bytes()).ok()?;
    let serial = SerialNumber::generate(&mut UnwrapErr(SysRng));
    let profile = Transport(SUBJECT.parse().ok()?);
    let builder = CertificateBuilder::new(profile, serial, Validity::from_now(VALID).ok()?, public).ok()?;
    let certificate = builder.build::<_, rsa::pkcs1v15::Signature>(&SigningKey::<Sha256>::new(key.clone())).ok()?;
    certificate.to_der().ok()
}

/// Returns the encrypted PFX in the document of the wire server.
///
/// # Errors
/// Fails if it is not XML, has another format, or no data.
pub(super) fn message(document: &[u8]) -> Result<Vec<u8>, &'static str> {
    let (mut format, mut data, mut is_certificates) = (None, None, false);
    xml::read(document, |element| {
        if element.is(&["CertificateFile", "Format"]) {
            format = Some(element.text.trim() == FORMAT);
        } else if element.is(&["CertificateFile", "Data"]) {
            data = decode(element.text);
        } else if element.path == ["CertificateFile"] {
            is_certificates = true;
        }
    })?;
    match data {
        _ if !is_certificates => Err("is not a document with certificates"),
        _ if format == Some(false) => Err("is not in the format Pkcs7BlobWithPfxContents"),
        Some(data) if !data.is_empty() => Ok(data),
        _ => Err("has no data"),
    }
}

/// Decodes base64 with white space in it. `None` if it is not base64.
pub(super) fn decode(folded: &str) -> Option<Vec<u8>> {
    STANDARD.decode(folded.split_whitespace().collect::<String>()).ok()
}
