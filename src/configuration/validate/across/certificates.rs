//! Checks that certificates fit their use: CAs that must not sign, keys of other certificates, names of other hosts.

use std::net::IpAddr;

use x509_cert::der::asn1::{AnyRef, BitStringRef};
use x509_cert::der::{Decode, Encode, Tag, TagNumber, Tagged};
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::{Certificate, der};

use super::super::Today;
use super::super::certificates::{dates, decoded, indented, private_key, read, unable_to_sign, with_blanks, with_key};
use super::super::fields::{Context, field};
use crate::catalogue::rules;
use crate::document::{DocPath, Finding};

/// Returns findings for the certificates of the cluster CA in base64. Text of another form has none, except for blanks.
pub(crate) fn invalid_authority(text: &str, today: Option<Today>, path: &DocPath) -> Vec<Finding> {
    let certificates = read(text).unwrap_or_default();
    let dates = dates(&certificates, today, path, true);
    let unable = (!certificates.is_empty()).then(|| unable_to_sign(&certificates, path.clone())).flatten();
    let pem = decoded(text).filter(|_| !certificates.is_empty());
    let of_text = pem.into_iter().flat_map(|pem| [with_key(&pem, path), indented(&pem, path)]);
    let blanks = with_blanks(text, path.clone());
    dates.into_iter().chain(unable).chain(of_text.flatten()).chain(blanks).collect()
}

pub(super) fn key_pair(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let certificate = context.text(field!("kubelet_config.kubelet_client_cert_content"));
    let key = context.text(field!("kubelet_config.kubelet_client_key"));
    let (Some(certificate), Some(key)) = (certificate, key) else { return };
    let public_key = || {
        let certificates = read(certificate.value)?;
        let info = certificates.first()?.tbs_certificate().subject_public_key_info();
        Some(info.subject_public_key.as_bytes()?.to_vec())
    };
    let differs = || Some(public_half(&private_key(&decoded(key.value)?)?)? != public_key()?);
    if differs() == Some(true) {
        let problem = "is not the key of the certificate in `kubelet_client_cert_content`";
        findings.push(Finding::violation(&rules::KEY_PAIR, key.path(), problem));
    }
}

/// The tag of the public key in SEC 1.
const PUBLIC_KEY: Tag = Tag::ContextSpecific { constructed: true, number: TagNumber(1) };

/// Returns the public half of a private key in PKCS #1, SEC 1 or PKCS #8, as it is in the bit string of a certificate.
/// `None` for other forms, and for elliptic-curve keys without it.
fn public_half(key: &[u8]) -> Option<Vec<u8>> {
    let members = Vec::<AnyRef<'_>>::from_der(key).ok()?;
    let [version, second, third, ..] = members[..] else { return None };
    if version.tag() != Tag::Integer {
        return None;
    }
    match (second.tag(), third.tag()) {
        // PKCS #8: version, algorithm, private key.
        (Tag::Sequence, Tag::OctetString) => public_half(third.value()),
        // PKCS #1: version, modulus, public exponent, and more. A certificate contains the sequence of modulus and
        // exponent.
        (Tag::Integer, Tag::Integer) => vec![second, third].to_der().ok(),
        // SEC 1: version, private key, then the curve and the public key, both optional.
        (Tag::OctetString, _) => {
            let public = members.iter().find(|member| member.tag() == PUBLIC_KEY)?;
            Some(BitStringRef::from_der(public.value()).ok()?.raw_bytes().to_vec())
        }
        _ => None,
    }
}

pub(super) fn api_server(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let name = context.text(field!("api_server_config.api_server_name"));
    let certificate = context.text(field!("api_server_config.api_server_public_key"));
    let (Some(name), Some(certificate)) = (name, certificate) else { return };
    let names = read(certificate.value).and_then(|certificates| names(certificates.first()?));
    if names.is_some_and(|names| !names.iter().any(|found| is_name_of(found, name.value))) {
        let problem = format!("is a certificate that does not include `api_server_name`, {:?}", name.value);
        findings.push(Finding::violation(&rules::CERTIFICATE_NAMES, certificate.path(), problem));
    }
}

/// Returns the subject alternative names that are host names or addresses. `None` if the certificate has no such name.
fn names(certificate: &Certificate) -> Option<Vec<String>> {
    let extension: Result<Option<(bool, SubjectAltName)>, der::Error> = certificate.tbs_certificate().get_extension();
    let (_, SubjectAltName(names)) = extension.ok()??;
    let name = |name: &GeneralName| match name {
        GeneralName::DnsName(name) => Some(name.as_str().to_owned()),
        GeneralName::IpAddress(bytes) => {
            let bytes = bytes.as_bytes();
            let address = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
            address.or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from)).ok().map(|address| address.to_string())
        }
        _ => None,
    };
    Some(names.iter().filter_map(name).collect::<Vec<_>>()).filter(|names| !names.is_empty())
}

/// Reports whether a name in a certificate matches a host: it is equal, or has `*` instead of the first label.
fn is_name_of(name: &str, host: &str) -> bool {
    if name.eq_ignore_ascii_case(host) {
        return true;
    }
    let below = |name: &str| name.split_once('.').map(|(_, parent)| parent.to_ascii_lowercase());
    name.starts_with("*.") && below(name) == below(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wildcard_stands_for_one_label() {
        for (name, host, expected) in [
            ("demo.example", "demo.example", true),
            ("DEMO.example", "demo.Example", true),
            ("*.example", "demo.example", true),
            ("*.example", "a.demo.example", false),
            ("other.example", "demo.example", false),
            ("10.0.0.1", "10.0.0.1", true),
        ] {
            assert_eq!(is_name_of(name, host), expected, "{name} {host}");
        }
    }
}
