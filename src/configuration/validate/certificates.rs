//! Certificates, keys and other payloads in base64. Messages never show their content.

use base64::Engine;
use memchr::{memchr, memchr3};
use x509_cert::Certificate;
use x509_cert::certificate::Version;
use x509_cert::der::Decode;
use x509_cert::ext::pkix::BasicConstraints;

use super::Today;
use super::fields::{Context, Text, field};
use super::syntax::is_bootstrap_token;
use crate::catalogue::demands::BASE64;
use crate::catalogue::rules;
use crate::configuration::FieldPath;
use crate::document::{DocPath, Finding, Rule, Severity};

const CERTIFICATES: [&FieldPath; 5] = [
    field!("api_server_config.api_server_public_key"),
    field!("custom_ca_certs"),
    field!("http_proxy_config.proxy_trusted_ca"),
    field!("kubelet_config.kubelet_client_cert_content"),
    field!("kubernetes_ca_cert"),
];

pub(super) fn certificates(context: &Context<'_>, findings: &mut Vec<Finding>) {
    const EXPECTED: &str = "base64 of a PEM certificate";
    for (field, text) in CERTIFICATES.iter().flat_map(|field| context.texts(field).map(move |text| (field, text))) {
        if text.value.is_empty() {
            let problem = "is empty, but the node treats it as a certificate";
            findings.push(Finding::violation(&rules::CERTIFICATE_EMPTY, text.path(), problem));
            continue;
        }
        findings.extend(with_blanks(text.value, text.path()));
        let pem = decode(&text);
        match pem.as_ref().map_err(|found| *found).and_then(|pem| parse(pem)) {
            Ok(certificates) => {
                let path = text.path();
                let is_authority = field.name == "kubernetes_ca_cert";
                // The kubelet itself keeps its certificate and its key in one file.
                let may_have_key = field.name == "kubelet_client_cert_content";
                findings.extend(pem.as_ref().ok().filter(|_| !may_have_key).and_then(|pem| with_key(pem, &path)));
                let indented = pem.as_ref().ok().and_then(|pem| indented(pem, &path));
                // The others are for OpenSSL.
                let is_for_go = is_authority || may_have_key;
                findings
                    .extend(indented.map(|found| if is_for_go { found } else { found.severity(Severity::Warning) }));
                findings.extend(dates(&certificates, context.today, &path, is_authority));
                if is_authority {
                    findings.extend(unable_to_sign(&certificates, path));
                }
            }
            Err(found) => findings.push(invalid(&rules::CERTIFICATE, &text, EXPECTED, found)),
        }
    }
}

pub(super) fn payloads(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for key in context.texts(field!("kubelet_config.kubelet_client_key")) {
        let found = match decode(&key) {
            Ok(pem) if !blocks(&pem).any(|(label, _)| label.ends_with("PRIVATE KEY")) => NOT_A_KEY,
            Ok(_) => continue,
            Err(found) => found,
        };
        findings.push(invalid(&rules::PRIVATE_KEY, &key, "base64 of a PEM private key", found));
    }
    for (path, severity) in [
        (field!("message_of_the_day"), Severity::Error),
        (field!("auth_config.service_principal_secret"), Severity::Warning),
    ] {
        let texts = context.texts(path).filter(|text| decode(text).is_err());
        findings.extend(texts.map(|text| {
            text.must_contain(&rules::BASE64, "base64", "a string that is not base64").hint(ENCODE).severity(severity)
        }));
    }
}

const ENCODE: &str = "encode it: `base64 --wrap=0 FILE`";
const PLAIN_PEM: &str = "PEM text without base64";
const NOT_A_KEY: &str = "base64 of other data";

fn invalid(rule: &'static Rule, text: &Text<'_>, expected: &'static str, found: &str) -> Finding {
    let finding = text.must_contain(rule, expected, found);
    if found == PLAIN_PEM {
        return finding.hint(ENCODE);
    }
    let decoded = decode_value(text.value);
    match mistake(text.value, decoded.as_deref().unwrap_or_default()) {
        Some(hint) => finding.hint(hint),
        None => finding,
    }
}

/// Returns a hint on what stands in the place of PEM in base64.
fn mistake(value: &str, decoded: &str) -> Option<&'static str> {
    let is_kubeconfig = |text: &str| text.contains("kind: Config") || text.contains("certificate-authority-data");
    let is_encoded_pem = |text: &str| text.trim_start().starts_with("LS0tLS1CRUdJTi");
    Some(if value == "DATA+OMITTED" {
        "`kubectl` left it out: print it with `kubectl config view --raw`"
    } else if is_kubeconfig(value) || is_kubeconfig(decoded) {
        "this is a kubeconfig: write the value of its `certificate-authority-data`"
    } else if is_bootstrap_token(value.trim()) {
        "this is a bootstrap token, which belongs in `bootstrapping_config.tls_bootstrapping_token`"
    } else if is_encoded_pem(decoded) {
        "it is encoded twice: decode it once with `base64 -d`"
    } else if decoded.contains("-----BEGIN CERTIFICATE-----") && !decoded.contains("-----END CERTIFICATE-----") {
        "it is truncated: it has no line `-----END CERTIFICATE-----`"
    } else if value.starts_with('/') && value.contains('.') {
        "this is the name of a file: encode its content with `base64 --wrap=0 FILE`"
    } else {
        return None;
    })
}

/// Returns the text that a value in base64 encodes.
pub(super) fn decoded(value: &str) -> Option<String> {
    decode_value(value).ok()
}

/// Returns the certificates of a value in base64.
pub(super) fn read(value: &str) -> Option<Vec<Certificate>> {
    parse(&decoded(value)?).ok()
}

/// Returns the validity of the first certificate in a PEM text: first and last second, counted from 1970.
#[cfg(node)]
pub(crate) fn certificate_validity(pem: &str) -> Option<(i64, i64)> {
    // A file of the kubelet also contains the key, before or after the certificates.
    let certificates = parse(pem).ok()?;
    let validity = certificates.first()?.tbs_certificate().validity();
    let seconds = |time: &x509_cert::time::Time| i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    Some((seconds(&validity.not_before), seconds(&validity.not_after)))
}

/// Returns the common name of the first certificate in a PEM text.
#[cfg(node)]
pub(crate) fn certificate_name(pem: &str) -> Option<String> {
    let certificates = parse(pem).ok()?;
    let name = certificates.first()?.tbs_certificate().subject().common_name().ok()??;
    Some(name.value().into_owned())
}

/// Returns the DER of the first unencrypted private key in a PEM text.
pub(super) fn private_key(pem: &str) -> Option<Vec<u8>> {
    let is_key = |label: &str| ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"].contains(&label);
    let (_, body) = blocks(pem).find(|(label, _)| is_key(label))?;
    decode_lines(body)
}

fn decode(text: &Text<'_>) -> Result<String, &'static str> {
    decode_value(text.value)
}

fn decode_value(value: &str) -> Result<String, &'static str> {
    if value.contains("-----BEGIN ") {
        return Err(PLAIN_PEM);
    }
    let bytes = decode_lines(value).ok_or("a string that is not base64")?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Decodes base64, which can have line breaks. Most values have none, and are not copied.
fn decode_lines(text: &str) -> Option<Vec<u8>> {
    if let Ok(bytes) = BASE64.decode(text) {
        return Some(bytes);
    }
    let mut line = Vec::with_capacity(text.len());
    text.split_ascii_whitespace().for_each(|part| line.extend_from_slice(part.as_bytes()));
    BASE64.decode(line).ok()
}

/// Returns the blocks of a PEM text: label and base64. Accepts more than RFC 7468 allows, as OpenSSL does.
fn blocks(pem: &str) -> impl Iterator<Item = (&str, &str)> {
    pem.split("-----BEGIN ").skip(1).filter_map(|block| {
        let (label, rest) = block.split_once("-----")?;
        let (body, end) = rest.split_once("-----END ")?;
        end.strip_prefix(label)?.starts_with("-----").then_some((label, body))
    })
}

fn parse(pem: &str) -> Result<Vec<Certificate>, &'static str> {
    let certificates = blocks(pem)
        .filter(|(label, _)| *label == "CERTIFICATE")
        .map(|(_, body)| Certificate::from_der(&decode_lines(body)?).ok());
    match certificates.collect::<Option<Vec<_>>>() {
        None => Err("base64 of an invalid certificate"),
        Some(certificates) if certificates.is_empty() => Err("base64 of other data"),
        Some(certificates) => Ok(certificates),
    }
}

/// Returns a finding if base64 has blanks. Line feeds are ignored wherever it is decoded, and blanks only by the scripts of this project:
/// `base64 -d` stops at the first one.
pub(super) fn with_blanks(text: &str, path: DocPath) -> Option<Finding> {
    let bytes = text.as_bytes();
    let has_one = memchr3(b' ', b'\t', b'\r', bytes).is_some() || memchr(b'\x0c', bytes).is_some();
    let has_blanks = has_one && !text.contains("-----BEGIN ") && decode_lines(text).is_some();
    has_blanks.then(|| {
        let problem = "has blanks between the digits of base64, at which `base64 -d` in the scripts of AKS stops";
        let finding = Finding::violation(&rules::BASE64, path, problem).severity(Severity::Warning);
        finding.hint("remove them; in YAML, lines of a value without quotes or `|` are joined by blanks")
    })
}

/// Returns a finding if no certificate of a PEM text has the beginning and the end at the start of a line, where `encoding/pem` of Go looks
/// for them.
pub(super) fn indented(pem: &str, path: &DocPath) -> Option<Finding> {
    let begins = |line: &&str| line.starts_with("-----BEGIN CERTIFICATE-----");
    let ends = |line: &str| line.starts_with("-----END CERTIFICATE-----");
    let mut lines = pem.split('\n');
    let is_readable = lines.find(begins).is_some() && lines.any(ends);
    (!is_readable).then(|| {
        let problem =
            "has text before `-----BEGIN` or `-----END` on the same line, where programs in Go such as the kubelet find none";
        Finding::violation(&rules::CERTIFICATE, path.clone(), problem)
            .hint("remove what is before them, such as blanks")
    })
}

/// Returns a finding if the PEM text of a CA has a private key.
pub(super) fn with_key(pem: &str, path: &DocPath) -> Option<Finding> {
    let has_key = blocks(pem).any(|(label, _)| label.ends_with("PRIVATE KEY"));
    has_key.then(|| {
        let problem = "contains a private key, which every node would have";
        Finding::violation(&rules::CERTIFICATE, path.clone(), problem).hint("encode the certificate alone")
    })
}

/// Returns a finding if none of the certificates of a CA may sign others: a warning if one is self-signed, because some
/// clients accept it from the server that presents it.
pub(super) fn unable_to_sign(certificates: &[Certificate], path: DocPath) -> Option<Finding> {
    let may_sign = |certificate: &Certificate| {
        let certificate = certificate.tbs_certificate();
        match certificate.get_extension::<BasicConstraints>() {
            Ok(Some((_, constraints))) => constraints.ca,
            // Before version 3 there were no extensions.
            Ok(None) => certificate.version() != Version::V3,
            Err(_) => true,
        }
    };
    if certificates.iter().any(may_sign) {
        return None;
    }
    let is_self_signed =
        |certificate: &Certificate| certificate.tbs_certificate().issuer() == certificate.tbs_certificate().subject();
    let severity = if certificates.iter().any(is_self_signed) { Severity::Warning } else { Severity::Error };
    let problem = "contains no CA certificate: its basic constraints lack `CA:TRUE`";
    Some(Finding::violation(&rules::CERTIFICATE_AUTHORITY, path, problem).severity(severity))
}

/// Returns findings for certificates that have expired or are not valid yet. They are errors if the cluster CA has no other one, because
/// no node joins without it: after a rotation, the old one is beside the new one. Other certificates are needed less often.
pub(super) fn dates(
    certificates: &[Certificate],
    today: Option<Today>,
    path: &DocPath,
    is_authority: bool,
) -> Vec<Finding> {
    let mut found: Vec<_> = certificates.iter().filter_map(|certificate| date(certificate, today?, path)).collect();
    if is_authority && found.len() == certificates.len() {
        for finding in &mut found {
            finding.severity = Severity::Error;
        }
    }
    found
}

/// Returns a finding for a certificate that has expired or is not valid yet.
fn date(certificate: &Certificate, Today(now): Today, path: &DocPath) -> Option<Finding> {
    let validity = certificate.tbs_certificate().validity();
    let seconds = |time: &x509_cert::time::Time| i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    let finding = |problem: String| Finding::violation(&rules::CERTIFICATE_DATES, path.clone(), problem);
    if seconds(&validity.not_after) < now {
        return Some(finding(format!("contains a certificate that expired on {}", validity.not_after)));
    }
    (now < seconds(&validity.not_before))
        .then(|| finding(format!("contains a certificate that is not valid before {}", validity.not_before)))
}
