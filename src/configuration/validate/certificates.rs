//! Certificates, keys and other payloads in base64. Messages never show their content.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use x509_cert::Certificate;
use x509_cert::der::Decode;

use super::Today;
use super::fields::{Context, Text, rule};
use crate::document::{Finding, Severity};

/// Accepts what `base64 -d` accepts on the node: padding is required, its unused bits are ignored.
const BASE64: GeneralPurpose =
    GeneralPurpose::new(&STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));

const CERTIFICATES: [&str; 5] = [
    "api_server_config.api_server_public_key",
    "custom_ca_certs",
    "http_proxy_config.proxy_trusted_ca",
    "kubelet_config.kubelet_client_cert_content",
    "kubernetes_ca_cert",
];

pub(super) fn certificates(context: &Context<'_>, findings: &mut Vec<Finding>) {
    const EXPECTED: &str = "base64 of a PEM certificate";
    for text in CERTIFICATES.iter().flat_map(|path| context.texts(path)) {
        if text.value.is_empty() {
            findings.push(rule(
                Severity::Warning,
                text.path.clone(),
                "is empty, but the node counts it as a certificate",
            ));
            continue;
        }
        match decode(&text).and_then(|pem| parse(&pem)) {
            Ok(certificates) => {
                let dates =
                    certificates.iter().filter_map(|certificate| context.today.and_then(|now| date(certificate, now)));
                findings.extend(dates.map(|problem| rule(Severity::Warning, text.path.clone(), problem)));
            }
            Err(found) => findings.push(invalid(&text, EXPECTED, found)),
        }
    }
}

pub(super) fn payloads(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for key in context.texts("kubelet_config.kubelet_client_key") {
        let found = match decode(&key) {
            Ok(pem) if !blocks(&pem).any(|(label, _)| label.ends_with("PRIVATE KEY")) => NOT_A_KEY,
            Ok(_) => continue,
            Err(found) => found,
        };
        findings.push(invalid(&key, "base64 of a PEM private key", found));
    }
    for (path, severity) in
        [("message_of_the_day", Severity::Error), ("auth_config.service_principal_secret", Severity::Warning)]
    {
        let texts = context.texts(path).into_iter().filter(|text| decode(text).is_err());
        findings.extend(
            texts.map(|text| text.must_contain(severity, "base64", "a string that is not base64").hint(ENCODE)),
        );
    }
}

const ENCODE: &str = "encode it: `base64 --wrap=0 FILE`";
const PLAIN_PEM: &str = "PEM text without base64";
const NOT_A_KEY: &str = "base64 of other data";

fn invalid(text: &Text<'_>, expected: &'static str, found: &str) -> Finding {
    let finding = text.must_contain(Severity::Error, expected, found);
    if found == PLAIN_PEM { finding.hint(ENCODE) } else { finding }
}

fn decode(text: &Text<'_>) -> Result<String, &'static str> {
    if text.value.contains("-----BEGIN ") {
        return Err(PLAIN_PEM);
    }
    let line: String = text.value.chars().filter(|letter| !letter.is_ascii_whitespace()).collect();
    let bytes = BASE64.decode(line).map_err(|_| "a string that is not base64")?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the blocks of a PEM text: label and base64. Accepts more than RFC 7468, as OpenSSL does.
fn blocks(pem: &str) -> impl Iterator<Item = (&str, &str)> {
    pem.split("-----BEGIN ").skip(1).filter_map(|block| {
        let (label, rest) = block.split_once("-----")?;
        let (body, _) = rest.split_once("-----END ")?;
        Some((label, body))
    })
}

fn parse(pem: &str) -> Result<Vec<Certificate>, &'static str> {
    let certificates = blocks(pem).filter(|(label, _)| *label == "CERTIFICATE").map(|(_, body)| {
        let line: String = body.chars().filter(|letter| !letter.is_ascii_whitespace()).collect();
        let der = BASE64.decode(line).ok()?;
        Certificate::from_der(&der).ok()
    });
    match certificates.collect::<Option<Vec<_>>>() {
        None => Err("base64 of an invalid certificate"),
        Some(certificates) if certificates.is_empty() => Err("base64 of other data"),
        Some(certificates) => Ok(certificates),
    }
}

fn date(certificate: &Certificate, Today(now): Today) -> Option<String> {
    let validity = certificate.tbs_certificate().validity();
    let seconds = |time: &x509_cert::time::Time| i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    if seconds(&validity.not_after) < now {
        return Some(format!("contains a certificate that expired on {}", validity.not_after));
    }
    (now < seconds(&validity.not_before))
        .then(|| format!("contains a certificate that is not valid before {}", validity.not_before))
}
